// What must always hold of the order of blocks by how likely their sentences make the question.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/chosen.h"
#include "engine/ask/asking.h"
#include "engine/ask/focus.h"
#include "engine/ask/judge.h"
#include "engine/ask/likelihood.h"
#include "engine/passage/sentence.h"
#include "engine/ask/shortlist.h"
#include "engine/method/bm25.h"
#include "tests/unit/asking_fixture.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static void test_likelihood_orders(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("likely.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("likely.kvz"));
    struct ask_options o = {
        .question = "Who carried the boat?", .select = "vote", .blocks = 16, .allot = "fixed"};
    struct answer votes, one, a;
    OK(ask_choose(F.m, &k, 1, &o, &votes, e));
    o.likelihood = 1;
    OK(ask_choose(F.m, &k, 1, &o, &one, e));
    o.likelihood = 6;
    OK(ask_choose(F.m, &k, 1, &o, &a, e));
    int moved = 0;
    assert_true(votes.n_choices >= 16 && one.n_choices >= 16 && a.n_choices >= 16);
    for (int i = 0; i < 16; i++) {
        int among = 0;
        for (int j = 0; j < 9; j++) // a random model finds nothing that answers: three more
            among |= a.choices[i].block == votes.choices[j].block;
        assert_int_equal(among, i < 9);
        assert_int_equal(one.choices[i].block, votes.choices[i].block);
        moved |= a.choices[i].block != votes.choices[i].block;
        if (i)
            assert_true(a.choices[i].score <= a.choices[i - 1].score);
    }
    assert_true(votes.choices[1].score >= votes.choices[0].score / 2);
    assert_true(a.choices[0].score == votes.choices[0].score);
    // Where nothing was judged the votes alone are the score.
    assert_true(fabs(one.score - one.choices[0].score / (one.choices[0].score + 4)) < 1e-12);
    assert_true(a.score > 0 && a.score < 1 && a.score != one.score);
    assert_true(moved);
    answer_done(&votes);
    answer_done(&one);
    answer_done(&a);
    kvz_close(k);
}

// Half as many blocks again are judged where none of the first ones' sentences makes the question
// clearly likelier.
static void test_likelihood_of_more(void **state)
{
    (void)state;
    assert_int_equal(likelihood_judged(12, 1000, 3), 12);
    assert_int_equal(likelihood_judged(12, 1000, 1.5), 12);
    assert_int_equal(likelihood_judged(12, 1000, 1.4), 18);
    assert_int_equal(likelihood_judged(12, 1000, -1), 18);
    assert_int_equal(likelihood_judged(12, 17, 0), 17);
    assert_int_equal(likelihood_judged(1, 17, 0), 1);
    assert_int_equal(likelihood_judged(12, 12, 0), 12);
}

// The likelier the nearest ones make the question, the fewer others are judged: never one that is
// farther behind than all that are, nor fewer than the nearest.
static void test_likelihood_of_fewer(void **state)
{
    (void)state;
    assert_true(likelihood_behind(-1) == 0.7 && likelihood_behind(0.5) == 0.7);
    assert_true(fabs(likelihood_behind(1) - 0.5) < 1e-12);
    assert_true(likelihood_behind(1.2) == 0.4 && likelihood_behind(4) == 0.4);
}

// An only block has a score, though no votes can set it apart. A random model finds one of two
// questions likelier after it than after nothing; which one is chance.
static void test_an_only_block_has_a_score(void **state)
{
    (void)state;
    FILE *f = begin_file("only.txt");
    fputs("Rain fell on it.", f);
    end_file(f);
    const char *in[] = {in_dir("only.txt")},
               *asked[] = {"Rain fell on it.", "zqx qzx xzq qqz zzx qxx"};
    struct encode_options eo = small(in, 1, in_dir("only.kvz"));
    eo.block = eo.sinks = 64;
    encode_ok(eo, NULL);
    struct kvz *k = open_ok(in_dir("only.kvz"));
    assert_int_equal(kvz_n_blocks(k), 1);
    double score[2], sure[2];
    for (int i = 0; i < 2; i++) {
        struct ask_options o = {.question = asked[i], .select = "vote", .likelihood = 12};
        struct answer a;
        OK(ask_choose(F.m, &k, 1, &o, &a, e));
        score[i] = a.evidence[0].score;
        sure[i] = a.score;
        answer_done(&a);
    }
    assert_true(score[0] > 0 || score[1] > 0);
    assert_true(sure[0] > sure[1] && sure[1] > 0 && sure[0] < 1); // it has the words of the first
    kvz_close(k);
}

// The votes of heads alone, whatever the index says; six blocks may be judged.
static void vote(struct asking *q)
{
    asking_begin(q);
    q->how.parts.select = SELECT_VOTE;
    q->how.parts.likelihood = 6;
    asking_vote(q);
}

// Sharp votes keep their order and their scores; only where in the best block the answer is looked
// for may change.
static void test_likelihood_of_sharp_votes(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("sharp.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("sharp.kvz"));
    const struct ask_options o = {.question = "What of the boat?"};
    struct answer a = {0};
    struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a, .how.window = 32};
    vote(&q);
    struct ballot *b = q.votes.ballot;
    int64_t order[8];
    double score[8];
    b->score[b->order[0]] = 3 * b->score[b->order[1]];
    for (int i = 0; i < 8; i++) {
        order[i] = b->order[i];
        score[i] = b->score[order[i]];
    }
    OK(likelihood_rank(&q, e));
    assert_memory_equal(b->order, order, sizeof order);
    for (int i = 0; i < 8; i++)
        assert_true(b->score[order[i]] == score[i]);
    assert_int_equal(q.votes.foci.n, 1);
    assert_int_equal(q.votes.foci.v[0].global, order[0]);
    b->score[order[0]] = score[1]; // flat: the model has its say
    OK(likelihood_rank(&q, e));
    assert_memory_not_equal(b->order, order, sizeof order);
    asking_done(&q);
    kvz_close(k);
}

// A block whose sentence would have to make up for much is not judged, and comes behind those that
// are; unless each of several things may stand in another place.
static void test_likelihood_of_those_behind(void **state)
{
    (void)state;
    enum { JUDGED = 3, MOST = 6 };
    static const double scores[MOST] = {9, 8.5, 8, 7.9, 3, 2.9};
    static const char *const questions[] = {"What carried the boat?",
                                            "List all boats that were carried."};
    const char *in[] = {in_dir("a.txt")};
    encode_ok(small(in, 1, in_dir("behind.kvz")), NULL);
    struct kvz *k = open_ok(in_dir("behind.kvz"));
    for (int several = 0; several < 2; several++) {
        const struct ask_options o = {.question = questions[several]};
        struct answer a = {0};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a, .how.window = 32};
        vote(&q);
        struct ballot *b = q.votes.ballot;
        int64_t behind[MOST - JUDGED] = {b->order[2], b->order[4], b->order[5]};
        if (!b->cover)
            assert_non_null(b->cover = calloc((size_t)b->n_blocks, sizeof *b->cover));
        for (int i = 0; i < MOST; i++) {
            b->score[b->order[i]] = scores[i];
            b->cover[b->order[i]] = i == 2 ? 0 : 1; // as much as 6.7 of the votes
        }
        for (int i = MOST; i < MOST + MOST / 2;
             i++) { // looked at since a random model finds nothing that answers
            b->score[b->order[i]] = 2.8;
            b->cover[b->order[i]] = 0;
        }
        OK(likelihood_rank(&q, e));
        assert_int_equal(q.votes.foci.n, several ? MOST + MOST / 2 : JUDGED);
        for (int i = JUDGED; !several && i < MOST; i++) {
            assert_int_equal(b->order[i], behind[i - JUDGED]);
            assert_true(b->score[b->order[i]] <= 9 * exp(-3.5) + 1e-9);
            assert_true(b->score[b->order[i]] <= b->score[b->order[JUDGED - 1]]);
        }
        asking_done(&q);
    }
    kvz_close(k);
}

// Two lines about a garden among many about rain.
static struct kvz *garden(void)
{
    FILE *f = fopen(in_dir("garden.txt"), "w");
    assert_non_null(f);
    for (int i = 0; i < 40; i++)
        fprintf(f,
                i == 20   ? "The gardener waters tulips on Mondays.\n"
                : i == 30 ? "The gardener waters roses on Fridays.\n"
                          : "Rain number %d fell on all roofs of the town.\n",
                i);
    assert_int_equal(fclose(f), 0);
    const char *in[] = {in_dir("garden.txt")};
    struct encode_options eo = small(in, 1, in_dir("garden.kvz"));
    encode_ok(eo, NULL);
    return open_ok(in_dir("garden.kvz"));
}

// The first block of which all of the sentence around its middle token has WORD.
static int64_t block_with(const struct kvz *k, const char *word)
{
    for (uint64_t i = 1; i < kvz_n_blocks(k); i++) {
        struct sentence v;
        OK(sentence_around(&v, k, i, &(uint32_t){8}, e));
        const int has = strstr(v.text, word) != NULL;
        sentence_done(&v);
        if (has)
            return (int64_t)i;
    }
    fail_msg("no block has '%s'", word);
    return 0;
}

// Of blocks that have the same votes, those are judged whose sentences have the question's words;
// all of them where none has.
static void test_likelihood_of_words_that_are_lacking(void **state)
{
    (void)state;
    static const char *const questions[] = {"When does the gardener water tulips?",
                                            "Which knives belong underwater, captain?"};
    struct kvz *k = garden();
    for (int none = 0; none < 2; none++) {
        const struct ask_options o = {.question = questions[none]};
        struct answer a = {0};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a, .how.window = 32};
        vote(&q);
        struct ballot *b = q.votes.ballot;
        const int64_t tulips = block_with(k, "tulips");
        for (int64_t i = 0; i < b->n_blocks; i++) {
            b->score[i] = 1;
            if (b->order[i] == tulips) {
                b->order[i] = b->order[3];
                b->order[3] = tulips;
            }
            if (b->cover)
                b->cover[i] = 0;
        }
        const uint32_t at = 8;
        OK(focus_at(&q, tulips, at, e));
        OK(likelihood_rank(&q, e));
        // A random model finds nothing that answers: three more may be judged where six are not.
        assert_int_equal(q.votes.foci.n, none ? 6 : 9);
        if (none)
            assert_int_equal(q.judged.n, 6);
        else
            assert_in_range(q.judged.n, 1, 4); // blocks about roses, or of the same line, may be
        for (int i = 0; !none && i < q.judged.n; i++) {
            struct sentence v;
            OK(chosen_sentence(&v, &q, b->order[i], e));
            assert_non_null(strstr(v.text, "gardener"));
            sentence_done(&v);
        }
        struct sentence best; // need not be judged again
        const int judged = q.judged.judge.n;
        OK(chosen_sentence(&best, &q, b->order[0], e));
        assert_true(judged > 0);
        assert_string_equal(q.judged.judge.texts[0], "");
        struct err err;
        assert_in_range(judge_text(&q.judged.judge, best.text, &err), 0, judged - 1);
        assert_int_equal(q.judged.judge.n, judged);
        sentence_done(&best);
        asking_done(&q);
    }
    kvz_close(k);
}

// A sentence is listed once, with what it lacks, as many as there is room for.
static void test_shortlist(void **state)
{
    (void)state;
    struct kvz *k = garden();
    const struct ask_options o = {.question = "When does the gardener water tulips?"};
    struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &(struct answer){0}};
    vote(&q);
    const int64_t tulips = block_with(k, "tulips"), roses = block_with(k, "roses"),
                  rain = block_with(k, "number 12");
    struct shortlist l;
    int first, at;
    OK(shortlist_new(&l, &q, 2, e));
    OK(shortlist_add(&l, &q, tulips, &(uint32_t){8}, &first, e));
    OK(shortlist_add(&l, &q, tulips, &(uint32_t){9}, &at, e));
    assert_int_equal(at, first);
    assert_non_null(strstr(l.v[first].text, "tulips"));
    assert_int_equal(l.v[first].lacks, 0);
    OK(shortlist_add(&l, &q, roses, &(uint32_t){8}, &at, e));
    assert_int_equal(at, 1);
    assert_int_equal(l.v[at].lacks, 1);
    assert_int_equal(l.v[at].judged, 0);
    struct err why;
    assert_int_equal(shortlist_add(&l, &q, rain, &(uint32_t){8}, &at, &why), ERR_USAGE);
    assert_int_equal(l.n, 2);
    const double uncounted = l.v[first].fit - l.v[1].fit;
    shortlist_done(&l);
    // where words are counted, one that has more of the question's fits it better
    OK(bm25_new(&q.votes.ballot->counted, &k, 1, o.question, "", 1, e));
    OK(shortlist_new(&l, &q, 2, e));
    OK(shortlist_add(&l, &q, tulips, &(uint32_t){8}, &first, e));
    OK(shortlist_add(&l, &q, roses, &(uint32_t){8}, &at, e));
    assert_true(l.v[first].fit - l.v[at].fit > uncounted);
    shortlist_done(&l);
    asking_done(&q);
    kvz_close(k);
}

// A sentence about another number than is asked for gives way to the right one of its block.
static void test_shortlist_of_numbers(void **state)
{
    (void)state;
    FILE *f = begin_file("rows.txt");
    fputs("Row 1 has two oaks and an elm. Row 2 has only one old fir.", f);
    end_file(f);
    const char *in[] = {in_dir("rows.txt")};
    struct encode_options eo = small(in, 1, in_dir("rows.kvz"));
    eo.block = eo.sinks = 64;
    encode_ok(eo, NULL);
    struct kvz *k = open_ok(in_dir("rows.kvz"));
    static const char *const questions[] = {"What is in row 2?", "What is in row 1?",
                                            "What is in row 7?"};
    for (int i = 0; i < 3; i++) {
        const struct ask_options o = {.question = questions[i]};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &(struct answer){0}};
        vote(&q);
        struct shortlist l;
        uint32_t token = 2;
        int first, at;
        OK(shortlist_new(&l, &q, 4, e));
        OK(shortlist_add(&l, &q, 0, &token, &first, e));
        assert_memory_equal(l.v[first].text, "Row 1", 5);
        assert_int_equal(l.v[first].of_another, i != 1);
        at = first;
        OK(shortlist_add_asked(&l, &q, 0, &token, &at, e));
        if (i)
            assert_true(at == first && token == 2);
        else
            assert_true(at != first && token > 2 && !memcmp(l.v[at].text, "Row 2", 5));
        shortlist_done(&l);
        asking_done(&q);
    }
    kvz_close(k);
}

// What only signs or heads a mail falls behind, unless it may be asked for, and so does a reply to
// what says what is asked for.
static void test_shortlist_of_mails(void **state)
{
    (void)state;
    static const char ship[] = "Which of us want to go by ship this time?",
                      so[] = "Which of them go so?", ann[] = "When did Ann write?";
    static const struct {
        const char *first, *question;
        double fit;
    } cases[] = {
        {"Ann (tenor)", so, -1},
        {"Una Ost, tenor", so, -1},
        {"Una Ost, tenor", "Which of them is Una?", 0},
        {"From: Bo", so, -1},
        {"From: Ann", ann, 0},
        {"From: Ann", "When did Ann leave?", -1},
        {"I want to go", ship, 0},
        {"Ann wrote: I want to go by ship this time.\nSo be it", ship, -0.5},
        {"Ann wrote: I want to go by ship this time.\nSo be it", so, 0},
    };
    FILE *f = begin_file("mails.mbox");
    fputs("From ann Mon May  6 10:00:00 2024\nFrom: Ann <a@x.example>\nDate: Mon, 6 May 2024 "
          "10:00\nSubject: Ferry\n\nI want to go by ship this time.\n\nAnn (tenor)\n\n"
          "From bo Tue May  7 10:00:00 2024\nFrom: Bo <b@x.example>\nSubject: Re: Ferry\n\n"
          "Ann wrote:\n> I want to go by ship this time.\n\nSo be it then, with all of them.\n\n-- "
          "\nUna Ost, tenor\n",
          f);
    end_file(f);
    struct kvz *k = index_file("mails.mbox", 64);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ask_options o = {.question = cases[i].question};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &(struct answer){0}};
        struct shortlist l;
        uint64_t block;
        uint32_t token;
        int at;
        vote(&q);
        find_sentence(k, cases[i].first, &block, &token);
        OK(shortlist_new(&l, &q, 1, e));
        OK(shortlist_add(&l, &q, (int64_t)block, &token, &at, e));
        if (fabs(l.v[at].fit - cases[i].fit) > 1e-9)
            fail_msg("%s %s: %g", cases[i].first, cases[i].question, l.v[at].fit);
        shortlist_done(&l);
        asking_done(&q);
    }
    kvz_close(k);
}

// What a document begins with, before its first sentence, does not tell how or why, and a question
// tells nothing.
static void test_shortlist_of_titles(void **state)
{
    (void)state;
    static const struct {
        const char *first, *question;
        int tells_nothing;
    } cases[] = {
        {"The history of", "How did Ann come to own the ferry?", 1},
        {"The history of", "Why did Ann write?", 1},
        {"The history of", "Who wrote the history of the ferry?", 0},
        {"Ann won it", "How did Ann come to own the ferry?", 0},
        {"Other ferries", "Why are there others?", 0},
        {"First, is", "Is the ferry safe?", 1},
        {"First, is", "What was asked of the ferry?", 0},
        {"Shall we", "What did Ann propose to do with the ferry?", 0},
    };
    FILE *f = begin_file("title.txt");
    fputs("The history of the ferry between the two towns,\nset down by Ann Ost for all of her "
          "friends and theirs,\nin the winter of the long frost, from letters and bills\n\n\n"
          "I. THE BEGINNING\n\nAnn won it when she was young.\n\nOther ferries\n\nThere are "
          "none, for all of them were sold.\n\nThree things mattered. First, is the ferry safe "
          "in a storm? Second, is it dear?\n\nShall we give the ferry to the town?\n",
          f);
    end_file(f);
    struct kvz *k = index_file("title.txt", 64);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ask_options o = {.question = cases[i].question};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &(struct answer){0}};
        struct shortlist l;
        uint64_t block;
        uint32_t token;
        int at;
        vote(&q);
        find_sentence(k, cases[i].first, &block, &token);
        OK(shortlist_new(&l, &q, 1, e));
        OK(shortlist_add(&l, &q, (int64_t)block, &token, &at, e));
        if (l.v[at].tells_nothing != cases[i].tells_nothing)
            fail_msg("%s %s: %d [%s]", cases[i].first, cases[i].question, l.v[at].tells_nothing,
                     l.v[at].text);
        assert_true(cases[i].tells_nothing ? l.v[at].fit < -0.9 : l.v[at].fit > -0.9);
        shortlist_done(&l);
        asking_done(&q);
    }
    kvz_close(k);
}

// Votes are no sharper than a sentence about another number than is asked for can be.
static void test_likelihood_of_another_number(void **state)
{
    (void)state;
    struct kvz *k = garden();
    static const char *const questions[] = {"On which roofs did rain number 12 fall?",
                                            "On which roofs did rain number 31 fall?"};
    for (int another = 0; another < 2; another++) {
        const struct ask_options o = {.question = questions[another]};
        struct answer a = {0};
        struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &a, .how.window = 32};
        vote(&q);
        struct ballot *b = q.votes.ballot;
        const int64_t rain = block_with(k, "number 12");
        for (int64_t i = 0; i < b->n_blocks; i++) {
            b->score[i] = i == rain ? 9 : 1;
            if (b->order[i] == rain) {
                b->order[i] = b->order[0];
                b->order[0] = rain;
            }
        }
        OK(focus_at(&q, rain, 8, e));
        OK(likelihood_rank(&q, e));
        if (another)
            assert_true(q.votes.foci.n > 1);
        else
            assert_int_equal(q.votes.foci.n, 1);
        asking_done(&q);
    }
    kvz_close(k);
}

// The votes for stretches of a block: the focus is in the one that has most.
static void test_votes_of_stretches(void **state)
{
    (void)state;
    struct kvz *k = garden();
    const struct ask_options o = {.question = "When does the gardener water tulips?"};
    struct asking q = {.m = F.m, .k = &k, .n_k = 1, .o = &o, .a = &(struct answer){0}};
    vote(&q);
    for (int64_t block = 1; block < 9; block++) {
        static const uint32_t from[3] = {0, 5, 11};
        double votes[3], most;
        uint32_t token;
        int found, best = 0;
        OK(focus_of(&q, block, &found, &token, e));
        OK(focus_votes(&q, block, from, 3, votes, e));
        OK(focus_votes(&q, block, &token, 1, &most, e));
        for (int i = 1; i < 3; i++)
            best = votes[i] > votes[best] ? i : best;
        assert_true(found);
        assert_int_equal(best, (token >= 5) + (token >= 11));
        assert_true(votes[best] == most);
    }
    asking_done(&q);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likelihood_orders),
        cmocka_unit_test(test_likelihood_of_more),
        cmocka_unit_test(test_likelihood_of_fewer),
        cmocka_unit_test(test_an_only_block_has_a_score),
        cmocka_unit_test(test_likelihood_of_sharp_votes),
        cmocka_unit_test(test_likelihood_of_those_behind),
        cmocka_unit_test(test_likelihood_of_words_that_are_lacking),
        cmocka_unit_test(test_shortlist),
        cmocka_unit_test(test_shortlist_of_numbers),
        cmocka_unit_test(test_shortlist_of_mails),
        cmocka_unit_test(test_shortlist_of_titles),
        cmocka_unit_test(test_likelihood_of_another_number),
        cmocka_unit_test(test_votes_of_stretches),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
