// What is said behind an answer where another sentence may be meant as well.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/alternative.h"
#include "engine/ask/asking.h"
#include "engine/ask/evidence.h"
#include "engine/ask/focus.h"
#include "tests/unit/asking_fixture.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static const char BEST[] = "The depth of an array is thirty levels.",
                  OTHER[] = "The length of an array is nine bytes.",
                  LENGTH[] = "What is the maximum length of an array?";

enum { BLOCKS = 4 }; // of which the first one is the best

// ASKED: what the other one replies to, or "".
static struct kvz *arrays(const char *asked)
{
    FILE *f = begin_file("arrays.txt");
    fprintf(f, "%s\n\n", BEST);
    for (int i = 0; i < 12; i++)
        fprintf(f, "%c is for %c, said Ada to Ben on the way home.\n\n", 'A' + i, 'a' + i);
    fprintf(f, "%s%s\n\n", asked, OTHER);
    fputs("Ben said nothing to Ada.\n", f);
    end_file(f);
    return index_file("arrays.txt", 32);
}

static void hear(void *arg, const char *s, size_t n)
{
    strncat(arg, s, n);
}

// Everything as where one is said; each case changes one thing.
struct close_call {
    const char *question, *answer, *other; // other: what is read of the other one; NULL: itself
    double behind;                         // nats a token
    float doubt;
    int place; // of the other one among the best
    int judged, max_tokens, lead, verbatim, hops, alternative, unsure;
    const char *finish;
};

// Q's question about K, the best block first and the other one at its place.
static void judge(struct asking *q, const struct close_call *c)
{
    uint32_t best, other;
    uint64_t of_best, of_other;
    find_sentence(q->k[0], BEST, &of_best, &best);
    find_sentence(q->k[0], c->other ? c->other : OTHER, &of_other, &other);
    const int64_t first = (int64_t)of_best, last = (int64_t)of_other;
    assert_int_not_equal(first, last);
    asking_begin(q);
    asking_vote(q);
    struct ballot *b = q->votes.ballot;
    assert_in_range(b->n_blocks, BLOCKS, 64);
    int n = 1;
    b->order[0] = first;
    for (int64_t i = 0; i < b->n_blocks; i++) {
        if (n == c->place)
            b->order[n++] = last;
        if (i != first && i != last)
            b->order[n++] = i;
    }
    for (int i = 0; i < n; i++)
        b->score[b->order[i]] = i < BLOCKS ? 5 * exp(-i * c->behind / 0.2 / (BLOCKS - 1)) : 0;
    OK(focus_at(q, first, best, e));
    OK(focus_at(q, last, other, e));
    if (!(q->a->choices = calloc(1, sizeof *q->a->choices)))
        fail();
    q->a->n_choices = 1;
    q->a->unsure = c->unsure;
    q->a->choices[0].block = (uint64_t)first;
    q->a->text_bytes = strlen(c->answer);
    if (!(q->a->text = malloc(q->a->text_bytes + 1)))
        fail();
    strcpy(q->a->text, c->answer);
    q->a->answer_tokens = 5;
    q->a->finish = c->finish;
}

static int is_said(struct kvz *k, const struct close_call *c)
{
    char heard[512] = "", want[512];
    struct answer a = {0};
    const struct ask_options o = {.question = c->question,
                                  .hops = c->hops,
                                  .alternative = c->alternative,
                                  .text = hear,
                                  .arg = heard};
    struct asking q = {.m = F.m,
                       .k = &k,
                       .n_k = 1,
                       .o = &o,
                       .a = &a,
                       .how.window = 32,
                       .how.n_evidence = 4,
                       .how.mode = READ_SENTENCES,
                       .how.doubt = c->doubt,
                       .judged.n = c->judged,
                       .how.max_tokens = c->max_tokens,
                       .chosen.lead.found = c->lead,
                       .said.verbatim = c->verbatim};
    judge(&q, c);
    OK(alternative_say(&q, e));
    const int said = a.alternative != NULL;
    snprintf(want, sizeof want, "\nor: \"%s\"", OTHER);
    assert_string_equal(heard, said ? want : "");
    snprintf(want, sizeof want, "%s%s", c->answer, heard);
    assert_string_equal(a.text, want);
    assert_int_equal(a.text_bytes, strlen(want));
    assert_true(said ? a.answer_tokens > 5 && !strcmp(a.alternative, OTHER) : a.answer_tokens == 5);
    OK(evidence_gather(&q, e));
    assert_int_equal(a.n_evidence, 4);
    assert_int_equal(a.evidence[0].block, q.votes.ballot->order[0]);
    if (said) // by their words or not
        assert_int_equal(a.evidence[1].block, q.votes.ballot->order[c->place]);
    answer_done(&a);
    asking_done(&q);
    return said;
}

static void test_said(void **state)
{
    (void)state;
    struct kvz *k = arrays("");
    const struct close_call is = {.question = LENGTH,
                                  .answer = "It is thirty levels deep.",
                                  .behind = 0.79,
                                  .doubt = 0.3f,
                                  .place = BLOCKS - 1,
                                  .judged = BLOCKS,
                                  .max_tokens = 256,
                                  .finish = "quoted"};
    struct close_call c[15];
    const int n = sizeof c / sizeof *c;
    for (int i = 0; i < n; i++)
        c[i] = is;
    c[0].finish = "sentences";
    c[1].behind = 0;
    c[2].question = "How deep is the array?"; // which it has no word of that is missing
    c[2].unsure = c[2].place = 1;
    c[3].question = c[2].question;                // from here on it is not
    c[4].question = "What are all array lengths"; // each may be in a place of its own
    c[5].answer = "The length of an array is nine bytes, it says.";
    c[6].doubt = 0; // nothing may be quoted
    c[7].judged = BLOCKS - 1;
    c[8].max_tokens = 9;
    c[9].lead = 1;
    c[10].verbatim = 1;
    c[11].hops = 2;
    c[12].alternative = -1;
    c[13].finish = "interrupted";
    c[14].behind = 0.81;
    for (int i = 0; i < n; i++)
        if (is_said(k, &c[i]) != (i < 3))
            fail_msg("case %d", i);
    kvz_close(k);
}

// Of a reply it is said without what that replies to.
static void test_a_reply_is_said(void **state)
{
    (void)state;
    struct kvz *k = arrays("> How long is all of it now?\n\n");
    const struct close_call is = {.question = LENGTH,
                                  .answer = "It is thirty levels deep.",
                                  .other = "> How long is all of it now?\n\nThe length",
                                  .behind = 0.79,
                                  .doubt = 0.3f,
                                  .place = BLOCKS - 1,
                                  .judged = BLOCKS,
                                  .max_tokens = 256,
                                  .finish = "quoted"};
    assert_true(is_said(k, &is));
    kvz_close(k);
}

// What only asks something itself, or tells that somebody does, is none.
static void test_no_question_is_said(void **state)
{
    (void)state;
    static const char *const asks[] = {"Is the length of an array nine bytes?",
                                       "Ben asked how long the length of an array is;"};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char lines[128];
        snprintf(lines, sizeof lines, "%s And is it all that it was said to be?\n\n", asks[i]);
        struct kvz *k = arrays(lines);
        const struct close_call is = {.question = LENGTH,
                                      .answer = "It is thirty levels deep.",
                                      .other = asks[i],
                                      .behind = 0.79,
                                      .doubt = 0.3f,
                                      .place = BLOCKS - 1,
                                      .judged = BLOCKS,
                                      .max_tokens = 256,
                                      .finish = "quoted"};
        assert_false(is_said(k, &is));
        kvz_close(k);
    }
}

// Of several things asked for, which the model's own words do not tell, each nearly as good
// sentence is said.
static void test_several_are_said(void **state)
{
    (void)state;
    struct kvz *k = arrays("");
    const struct {
        struct close_call is;
        int said;
    } cases[] = {
        {{.question = "List all sizes of an array.", .behind = 0.39, .finish = "quoted"}, 1},
        {{.question = "List all sizes of an array.", .behind = 0.41, .finish = "quoted"}, 0},
        {{.question = "List all sizes of an array.", .behind = 0.39, .finish = "end"}, 0},
        {{.question = "What is the size of an array?", .behind = 0.39, .finish = "quoted"}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct close_call c = cases[i].is;
        char heard[512] = "", want[512] = "";
        struct answer a = {0};
        const struct ask_options o = {.question = c.question, .text = hear, .arg = heard};
        struct asking q = {.m = F.m,
                           .k = &k,
                           .n_k = 1,
                           .o = &o,
                           .a = &a,
                           .how.window = 32,
                           .how.n_evidence = 2,
                           .how.mode = READ_SENTENCES,
                           .how.max_tokens = 256,
                           .judged.n = 2};
        c.answer = BEST;
        c.place = 1;
        c.behind *= BLOCKS - 1; // of the next one, not of the last
        judge(&q, &c);
        OK(alternative_say_several(&q, e));
        if (cases[i].said)
            snprintf(want, sizeof want, "\n\"%s\"", OTHER);
        assert_string_equal(heard, want);
        assert_null(a.alternative);
        assert_int_equal(q.said.n_places,
                         !strcmp(c.finish, "quoted") && i < 3 ? 1 + cases[i].said : 0);
        OK(evidence_gather(&q, e));
        assert_int_equal(a.evidence[0].block, q.votes.ballot->order[0]);
        answer_done(&a);
        asking_done(&q);
    }
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_said), cmocka_unit_test(test_a_reply_is_said),
        cmocka_unit_test(test_no_question_is_said), cmocka_unit_test(test_several_are_said)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
