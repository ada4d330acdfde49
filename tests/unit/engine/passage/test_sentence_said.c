// What is said of the sentences that were read: as much as answers, and no more.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/passage/sentence.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

// The token of K, an index of one document, that byte AT of that is in.
static void find_token(const struct kvz *k, uint64_t at, uint64_t *block, uint32_t *token)
{
    struct kvz_block b = {0};
    uint32_t ids[64], bytes[64];
    for (*block = 0; *block < kvz_n_blocks(k); ++*block) {
        OK(kvz_block(k, *block, &b, e));
        if (b.start <= at && at < b.end)
            break;
    }
    assert_in_range(b.n_tokens, 1, 64);
    OK(kvz_read_tokens(k, *block, ids, bytes, e));
    at -= b.start;
    for (*token = 0; bytes[*token] <= at; ++*token)
        at -= bytes[*token];
}

// What is said for QUESTION around the first place of AT in the document TEXT.
static void says(const char *text, const char *at, const char *question, const char *said)
{
    FILE *f = begin_file("said.txt");
    fputs(text, f);
    end_file(f);
    struct kvz *k = index_file("said.txt", 64);
    uint64_t block;
    uint32_t token;
    struct sentence v;
    find_token(k, (uint64_t)(strstr(text, at) - text), &block, &token);
    OK(sentence_asked(&v, k, block, &token, 0, question, e));
    assert_string_equal(v.text, said);
    sentence_done(&v);
    kvz_close(k);
}

#define CLAUSE                                                                                     \
    "and the old men of the town sat on the harbour wall and spoke of little but the weather"

// A sentence that is longer than the blocks around it is said from the clause on that has what is
// asked for, and dots say where it goes on.
static void test_clauses_are_said(void **state)
{
    (void)state;
    static const char text[] = "It was so. The ferry left at dawn; " CLAUSE "; " CLAUSE "; " CLAUSE
                               "; " CLAUSE "; " CLAUSE "; and the girls, sixteen and fourteen, "
                               "went to sea. Nobody saw any of it on that day.\n";
    says(text, "ferry", "How old were the girls?",
         "\u2026" CLAUSE "; " CLAUSE "; " CLAUSE "; " CLAUSE
         "; and the girls, sixteen and fourteen, went to sea.");
    says(text, "girls", "When did the ferry leave?",
         "The ferry left at dawn; " CLAUSE "; " CLAUSE "; " CLAUSE "; " CLAUSE "; " CLAUSE
         ";\u2026");
    says(text, "saw", "Who saw it?", "Nobody saw any of it on that day.");
}

// Where it is asked who did something, "he" is read with the sentence that has his name.
static void test_whoever_did_it(void **state)
{
    (void)state;
    static const char text[] =
        "The mill was shut. A keeper, Amos Pell, saw the flood. He woke the miller. He shut the "
        "sluice with his own hands and sat down on it. Then it rained for days.\n";
    static const char all[] = "A keeper, Amos Pell, saw the flood. He woke the miller. He shut the "
                              "sluice with his own hands and sat down on it.";
    says(text, "sluice", "Who shut the sluice?", all);
    says(text, "sluice", "How did he shut the sluice?", strstr(all, "He woke"));
    static const char log[] = "The mill was shut. Jo Pell is back from school. Now the miller, in "
                              "place of Ann. Then it rained for days.\n";
    says(log, "place", "Who is the miller?",
         "Jo Pell is back from school. Now the miller, in place of Ann.");
    says(log, "place", "What is Jo Pell?", "Now the miller, in place of Ann.");
}

// An entry of a log is said from its time on where that is asked for and the sentence has none.
static void test_when_it_was(void **state)
{
    (void)state;
    static const char text[] =
        "=== WED 4 OCT ===\n0610  Engines started.\n0905  Fog off the "
        "skerry. The radar lost its picture. The bank of fog cleared at 10.20.\n"
        "0950  Arrived at Holm.\n";
    says(text, "radar", "At what time did the radar fail?",
         "0905  Fog off the skerry. The radar lost its picture.");
    says(text, "radar", "What failed?", "The radar lost its picture.");
    says(text, "cleared", "At what time did it clear?", "The bank of fog cleared at 10.20.");
}

// Where it is asked why, a sentence without a reason is said with the one before it that is one.
static void test_why_it_was_done(void **state)
{
    (void)state;
    static const char text[] = "The mill was shut. \"To see who came. I have opened the gate these "
                               "six years. Nobody did.\" Then it rained for days.\n";
    says(text, "opened", "Why did Ada open the gate?",
         "\"To see who came. I have opened the gate these six years.");
    says(text, "opened", "What did Ada open?", "I have opened the gate these six years.");
    says(text, "Nobody", "Why did nobody come?", "Nobody did.\" Then it rained for days.");
    static const char floods[] = "The cellar floods each winter. The flour may therefore be kept "
                                 "above it.\n";
    says(floods, "flour", "Why is the flour above the cellar?",
         "The cellar floods each winter. The flour may therefore be kept above it.");
    says(floods, "flour", "Where is the flour?", "The flour may therefore be kept above it.");
    says("To see who came. I have opened the gate because of them.\n", "opened",
         "Why did Ada open the gate?", "I have opened the gate because of them.");
}

// Dots stand for what is left out below the line that leads a list in, too.
static void test_items_are_said(void **state)
{
    (void)state;
#define BY_SEA                                                                                     \
    "- by the sea, if the captain is awake early enough to take them along, " CLAUSE               \
    " and " CLAUSE " and " CLAUSE " and " CLAUSE "."
    says("They go one of these ways:\n\n- by the road, which is wide.\n\n" BY_SEA "\n", "sea",
         "How do they go?", "They go one of these ways: \u2026\n" BY_SEA);
    says("They go as they please, which is in one of so many\nand so various ways:\n\n- by the "
         "road, "
         "which is wide.\n\n" BY_SEA "\n",
         "sea", "How do they go?",
         "They go as they please, which is in one of so many and so various ways: \u2026\n" BY_SEA);
    says("They go as they please,\n" CLAUSE "\n" CLAUSE "\n" CLAUSE "\n" CLAUSE
         "\nor went home to their wives and children\n" CLAUSE
         "\nin one of these ways:\n\n- by the road, which is wide.\n\n" BY_SEA "\n",
         "sea", "How do they go?", "\u2026in one of these ways: \u2026\n" BY_SEA);
    // Not where no prose is left out.
    says("# Tides\nuse = true\nports:\n  - 9090\n  - 9091\n", "9090", "Which ports?",
         "ports:\n  - 9090\n  - 9091");
    // A label's line has more prose.
    says("Brushes\n\nNOTICE: Wash the brush. Never light it.\nIt is painted green. It is kept in "
         "the shed of the "
         "cook and his wife.\n",
         "shed", "Where is the brush?",
         "NOTICE: Wash the brush. \u2026\nIt is painted green. It is kept in the shed of the cook "
         "and his wife.");
    // It may be further above than the sentences that are judged go.
    says("7. The Secretary\n\n  The Secretary:\n   1. Takes votes, " CLAUSE
         ".\n   2. Stands in, " CLAUSE ".\n      If need be, " CLAUSE
         ".\n   3. Settles all that is disputed by members.\n",
         "Settles", "Who settles disputes?",
         "The Secretary: \u2026\n3. Settles all that is disputed by members.");
}

// A list is said to its end, which may be further below than the blocks beside that of its lead.
static void test_lists_are_whole(void **state)
{
    (void)state;
#define WAYS                                                                                       \
    "There are two ways to shut the gate:\n\n (a) Let down the planks one by one while the water " \
    "is low. That is done by one man in half a day, but nobody can do it when the brook is in "    \
    "flood, as it is in most weeks of April.\n\n (b) Turn the old wheel, which lets all of them "  \
    "down together. It takes three men, a horse and two ropes, each as long as the mill is high, " \
    "and the wheel is to be greased on the day before."
    says("It was so, and nobody knew why the gate stood open.\n\n" WAYS
         "\n\nNobody has asked the river. It flows as it did, past the mill and down to the sea, "
         "where the ships lie that take the flour to other places.\n",
         "two ways", "Which two ways are there to shut the gate?", WAYS);
}

// The end of a sentence that the text around a block begins with goes with no other one.
static void test_no_crumbs(void **state)
{
    (void)state;
    char text[1024];
    for (int words = 0; words < 40; words++) {
        size_t n = (size_t)sprintf(text, "It dripped");
        for (int i = 0; i < words; i++)
            n += (size_t)sprintf(text + n, " and dripped");
        sprintf(text + n,
                ", so no bucket any\nmore. Dead since the start: 4 of 48, all of tank 3.\n");
        says(text, "4 of", "How many are dead?", "Dead since the start: 4 of 48, all of tank 3.");
    }
}

// "This" may be what is shown above, set in.
static void test_what_is_shown(void **state)
{
    (void)state;
    static const char text[] = "They have added a script that helps:\n\n::\n\n\tget_tide.pl\n\n"
                               "This script will print it. It is slow, for it has much to do.\n";
    says(text, "print", "Which script will print it?",
         "They have added a script that helps:\n\n::\n\n\tget_tide.pl\n\nThis script will print "
         "it.");
    // What is fenced off is shown, and a sentence may go on below it.
    says("It is late. Find the tide with\n\n```\nget_tide.pl --now\n```\n\nand tell it to all.\n",
         "tell it", "Whom do I tell the tide?",
         "Find the tide with\n\n```\nget_tide.pl --now\n```\n\nand tell it to all.");
    says("It is late. The tide is high.\n\n```\nget_tide.pl --now\n```\n\nand tell it to all.\n",
         "tell it", "Whom do I tell the tide?", "and tell it to all.");
    says("It has two settings.\n\nlevel       word\n    How high the tide is.\n\nport        "
         "word\n    Where it is.\n",
         "port ", "What is the port?", "port        word\n    Where it is.");
    says("It helps:\n\nThe tide is high.\n\nThis script will print it.\n", "print",
         "Which script will print it?", "This script will print it.");
}

// Who speaks right behind somebody else is read with that, and said alone; fields of a record are
// parts of one whole.
static void test_a_turn_is_said_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ADA: We are back again now. You lost all of your slugs once.\n"
        "KOFI: Yes, all of them. The door of the greenhouse was open.\n"
        "ADA: And now. What did your professor say to that?\n"
        "KOFI: That it was a study of another thing by then.\n",
        "Name: The harbour of Wick\nOpen: from May to October\n\n"
        "Name: The harbour of Tarn\nOpen: from April to June\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct kvz *k = index_text(i ? "fields.txt" : "turns.txt", texts[i]);
        int turns = 0;
        for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
            if (x.v.said) {
                const int ada = x.v.text[x.v.said] == 'A';
                assert_memory_equal(x.v.text, ada ? "KOFI: " : "ADA: ", 5);
                assert_memory_equal(x.v.text + x.v.said, ada ? "ADA: " : "KOFI: ", 5);
                turns++;
            }
        }
        assert_int_equal(turns > 0, i == 0);
        kvz_close(k);
    }
}

// Who speaks is said, however far above, unless the first words are said.
static void test_who_speaks(void **state)
{
    (void)state;
    static const char play[] = "ODO. Is the pump mended by now? It was broken in May.\n\n"
                               "UNA. I have asked the smith for a washer. The pail is on the\n"
                               "    wall. There is water for the horses in it.\n";
    says(play, "There", "Where is water?", "UNA. \u2026\nThere is water for the horses in it.");
    says("ODO: The pump is mended now.\n\nUNA: I have asked the smith for a washer, and he\nhas "
         "one. There is water for the horses.\n",
         "There", "Where is water?", "UNA: \u2026\nThere is water for the horses.");
    says(play, "I have", "Who asked the smith?", "UNA. I have asked the smith for a washer.");
}

static void leaves_out(const char *text, const char *said, const char *rest)
{
    struct sentence v = {.text = strdup(text), .own = strlen(text) - 1};
    const size_t n = strlen(text);
    assert_int_equal(sentence_leave_out(&v, said, strlen(said)), strlen(rest) < n);
    assert_string_equal(v.text, rest);
    assert_int_equal(v.own, strlen(rest) - 1);
    sentence_done(&v);
}

// What leads in a sentence is not said beside the same sentence.
static void test_no_lead_twice(void **state)
{
    (void)state;
    static const char led[] = "Olle mended the old pump.\nIt ran.",
                      apart[] = "Olle mended the old pump. \u2026\nIt ran.",
                      spoken[] = "UNA. \u2026\nIt ran.";
    leaves_out(led, "In May Olle mended the old pump. It was cold.", "It ran.");
    leaves_out(apart, "Olle mended the old pump.", "It ran.");
    leaves_out(spoken, "UNA. It was cold.", "It ran.");
    leaves_out(led, "Olle mended the pump.", led);
    leaves_out("Olle wrote:\n> I mended the old pump.\nIt ran.",
               "Olle wrote:\n> I mended the old pump.\nIt was cold.", "It ran.");
    leaves_out("These run:\n- the pump", "These run:\n- the mill", "These run:\n- the pump");
    leaves_out("Olle mended the old pump.", "Olle mended the old pump.",
               "Olle mended the old pump.");
}

// A reply begins where what it replies to ends, whether that was found or the reply itself; a
// quotation of it is the reply alone.
static void test_a_reply_is_said_alone(void **state)
{
    (void)state;
    char text[4096] = "Ada wrote:\n";
    for (int i = 0; i < 24; i++)
        snprintf(text + strlen(text), 160,
                 "> Who carried the boat to lake %d?\n\nAnselm and his friends did that.\n\n", i);
    struct kvz *k = index_text("reply.txt", text);
    int asks = 0, replies = 0;
    for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
        if (x.v.said) {
            assert_string_equal(x.v.text + x.v.said, "Anselm and his friends did that.");
            assert_non_null(strstr(x.v.text, "Who carried"));
            asks += x.v.text[x.v.said - 2] == '\n';
            replies += x.v.text[x.v.said - 2] != '\n';
        }
    }
    assert_true(asks > 0 && replies > 0);
    struct ask_options o = {.question = "Who carried the boat to lake 7?",
                            .select = "vote",
                            .read = READ_SENTENCES,
                            .quote = 1e-6f,
                            .sentences = 1,
                            .max_tokens = 64};
    struct answer a;
    OK(ask(F.m, &k, 1, &o, &a, e));
    assert_string_equal(a.finish, "quoted");
    assert_string_equal(a.text, "\"Anselm and his friends did that.\"");
    answer_done(&a);
    kvz_close(k);
}

// Who says "I" in a reply is who wrote the mail, not who wrote what is quoted above it; where that
// is asked for, the head stands between the two, and is said.
static void test_who_replies(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "who.mbox", "From ann Mon May  6 10:00:00 2024\nFrom: Ann Reed <ann@x.example>\n"
                    "Subject: Ferry\n\nI want to go by ship this time.\n\n"
                    "From bo Tue May  7 10:00:00 2024\nFrom: Bo Lund <bo@x.example>\n"
                    "Subject: Re: Ferry\n\nAnn Reed wrote:\n> I want to go by ship this time.\n\n"
                    "I am sick on all ships that there are.\n");
    static const char quoted[] = "Ann Reed wrote: I want to go by ship this time.\nI am sick";
    static const struct {
        const char *question, *said;
    } cases[] = {
        {"Who is sick on ships?", "From: Bo Lund <bo@x.example>\nSubject: Re: Ferry\n\n"
                                  "I am sick on all ships that there are."},
        {"What is he sick on?", "I am sick on all ships that there are."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t block;
        uint32_t token;
        struct sentence v;
        find_sentence(k, quoted, &block, &token);
        OK(sentence_around(&v, k, block, &token, e));
        OK(sentence_headed(&v, k, block, cases[i].question, e));
        assert_memory_equal(v.text, quoted, strlen("Ann Reed wrote: I want"));
        assert_true(v.said > 0);
        assert_string_equal(v.text + v.said, cases[i].said);
        sentence_done(&v);
        // To be said, what is quoted is marked.
        OK(sentence_asked(&v, k, block, &token, 0, cases[i].question, e));
        assert_string_equal(v.text, "Ann Reed wrote:\n> I want to go by ship this time.\nI am "
                                    "sick on all ships that there are.");
        sentence_done(&v);
    }
    kvz_close(k);
}

// A record that several blocks have is read whole wherever the votes fall, and alone.
static void test_long_lines_are_whole(void **state)
{
    (void)state;
    enum { RECORDS = 12 };
    char text[RECORDS * 128] = "";
    for (int i = 0; i < RECORDS; i++)
        snprintf(text + strlen(text), 128, "{\"id\": %d, \"user\": \"mara\", \"text\": \"%d\"}\n",
                 10 + i, i);
    struct kvz *k = index_text("chat.jsonl", text);
    int crossed = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        OK(kvz_block(k, b, &info, e));
        for (uint32_t t = 0; t < info.n_tokens && info.end > info.start; t++) {
            struct sentence v;
            OK(sentence_around(&v, k, b, &t, e));
            assert_true(v.text[0] == '{' && v.text[strlen(v.text) - 1] == '}' &&
                        !strchr(v.text, '\n'));
            crossed += v.end > info.end + (info.end - info.start);
            sentence_done(&v);
        }
    }
    assert_true(crossed > 0); // some are longer than two blocks
    kvz_close(k);
}

// Of a line without an end, a file in itself, no more is read than a block on either side, and the
// words that these have a part of.
static void test_endless_lines_are_not(void **state)
{
    (void)state;
    enum { PAIRS = 60, PART = 5 };
    char text[PAIRS * 32] = "{";
    for (int i = 0; i < PAIRS; i++)
        snprintf(text + strlen(text), 32, "\"k%d\": \"v%d\", ", 100 + i, 900 - i);
    struct kvz *k = index_text("pairs.json", text);
    assert_in_range(kvz_n_blocks(k), 20, 1000);
    for (uint64_t b = 8; b + 5 < kvz_n_blocks(k); b++) { // not near either end
        struct kvz_block near[2];
        struct sentence v;
        OK(kvz_block(k, b - 1, &near[0], e));
        OK(kvz_block(k, b + 1, &near[1], e));
        OK(sentence_around(&v, k, b, &(uint32_t){1}, e));
        assert_in_range(v.start, near[0].start - PART, v.end);
        assert_in_range(v.end, v.start, near[1].end + PART);
        sentence_done(&v);
    }
    kvz_close(k);
}

// What is said of a text without stops begins and ends with whole words, or, where it has no white
// space, letters; dots say that it goes on.
static void test_words_are_whole(void **state)
{
    (void)state;
    enum { TIMES = 150 };
    char text[TIMES * 64];
    size_t n = 0;
    for (int i = 0; i < TIMES; i++)
        n += (size_t)sprintf(text + n, "and then the engine leaked for %d hours ", 7000 + 37 * i);
    struct kvz *k = index_text("spoken.txt", text);
    struct sentence v;
    int some = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block own;
        OK(kvz_block(k, b, &own, e));
        if (own.start < LONGEST_SENTENCE || own.end + LONGEST_SENTENCE > n) // near either end
            continue;
        some++;
        OK(sentence_asked(&v, k, b, &(uint32_t){1}, 0, "How long?", e));
        assert_true(text[v.start - 1] == ' ' && text[v.start] != ' ');
        assert_in_range(own.start, v.start + LONGEST_SENTENCE / 3, v.end - LONGEST_SENTENCE / 3);
        assert_true(text[v.end - 1] != ' ' && text[v.end] == ' ');
        assert_memory_equal(v.text, "\u2026", strlen("\u2026"));
        assert_string_equal(v.text + strlen(v.text) - strlen("\u2026"), "\u2026");
        sentence_done(&v);
    }
    assert_in_range(some, 20, 1000);
    kvz_close(k);
    for (n = 0; n + 4 < sizeof text; n += 3)
        memcpy(text + n, "\u6f22", 4);
    k = index_text("written.txt", text);
    for (uint64_t b = 8; b + 5 < kvz_n_blocks(k); b++) {
        OK(sentence_asked(&v, k, b, &(uint32_t){1}, 0, "How long?", e));
        assert_int_equal(v.start % 3, 0);
        assert_int_equal(v.end % 3, 0);
        sentence_done(&v);
    }
    kvz_close(k);
}

// How many of some answers begin with a blank.
static int n_blank(struct kvz *k, const char *prefix)
{
    int n = 0;
    for (uint64_t seed = 1; seed < 100; seed++) {
        struct answer a;
        struct ask_options o = {.question = "How long?",
                                .answer_prefix = prefix,
                                .temp = 4,
                                .top_p = 1,
                                .seed = seed,
                                .copy = -1,
                                .max_tokens = 3};
        OK(ask(F.m, &k, 1, &o, &a, e));
        n += *a.text == ' ' || *a.text == '\n';
        answer_done(&a);
    }
    return n;
}

// An answer does not begin with white space, unless it goes on with what was begun.
static void test_no_blanks_before_answers(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("engine.txt", "The engine leaked for two hours, and then it did not.\n");
    assert_int_equal(n_blank(k, NULL), 0);
    assert_true(n_blank(k, "It leaked") > 0);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clauses_are_said),
        cmocka_unit_test(test_whoever_did_it),
        cmocka_unit_test(test_when_it_was),
        cmocka_unit_test(test_why_it_was_done),
        cmocka_unit_test(test_items_are_said),
        cmocka_unit_test(test_lists_are_whole),
        cmocka_unit_test(test_no_crumbs),
        cmocka_unit_test(test_what_is_shown),
        cmocka_unit_test(test_who_speaks),
        cmocka_unit_test(test_no_lead_twice),
        cmocka_unit_test(test_a_turn_is_said_alone),
        cmocka_unit_test(test_a_reply_is_said_alone),
        cmocka_unit_test(test_who_replies),
        cmocka_unit_test(test_long_lines_are_whole),
        cmocka_unit_test(test_endless_lines_are_not),
        cmocka_unit_test(test_words_are_whole),
        cmocka_unit_test(test_no_blanks_before_answers),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
