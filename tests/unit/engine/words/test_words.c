// Words: which are the same, and which of a text are new.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/words/wordlist.h"
#include "engine/words/irregular.h"
#include "engine/words/words.h"

static void test_stems(void **state)
{
    (void)state;
    static const char text[] = "--The Designer, 4471\xc3\xa9 x";
    static const char *const stems[] = {"the", "desig", "4", "x"};
    size_t at = 0, bytes;
    char stem[WORD_STEM];
    for (int i = 0; i < 4; i++) {
        assert_true(word_next(text, strlen(text), &at, stem, &bytes));
        assert_memory_equal(stem, stems[i], strlen(stems[i]));
        assert_true(i != 0 || (stem[3] == 0 && bytes == 3));
        assert_true(i != 1 || (bytes == 8 && at == 14));
    }
    assert_false(word_next(text, strlen(text), &at, stem, NULL));
}

// Of all words those that begin like one that is looked for.
static void test_starts(void **state)
{
    (void)state;
    static const char text[] = "The old bridge, 4471 Bristol; b B-44715 x9 be";
    static const struct {
        const char *word;
        int numbered;
        const char *found[4];
        uint32_t passed[4]; // before each of them, and at the end
    } all[] = {{"brand", 0, {"bridg", "brist"}, {2, 1, 5}},
               {"4", 1, {"4471", "44715"}, {3, 3, 2}},
               {"b", 0, {"b", "b"}, {5, 0, 3}},
               {"xa", 0, {NULL}, {10}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct word_starts s = {0};
        char stem[WORD_STEM] = {0};
        size_t at = 0;
        uint32_t passed;
        memcpy(stem, all[i].word, strlen(all[i].word));
        word_starts_add(&s, stem, all[i].numbered);
        int k = 0;
        for (; word_next_of(&s, text, strlen(text), &at, stem, &passed); k++) {
            assert_non_null(all[i].found[k]);
            assert_int_equal(stem[0], all[i].found[k][0]);
            assert_int_equal(stem[1], all[i].found[k][1]);
            assert_int_equal(passed, all[i].passed[k]);
        }
        assert_null(all[i].found[k]);
        assert_int_equal(passed, all[i].passed[k]);
        assert_int_equal(at, strlen(text));
    }
}

static int has_any(const char *words, const char *text)
{
    return words_any(words, text, strlen(text));
}

// Of a number and a name with one, more than the beginning counts.
static void test_numbers(void **state)
{
    (void)state;
    assert_true(has_any("A53677", "order a53677;") && has_any("2024", "in 2024"));
    assert_false(has_any("A53677", "A53671, A5367, A536770"));
    assert_false(has_any("100000", "10000 and 1000000"));
    assert_true(has_any("bridges", "bridge"));
}

// Endings of short words are none of their first bytes; what only looks like one is.
static void test_endings(void **state)
{
    (void)state;
    static const char *const same[][5] = {{"park", "parks", "parked", "parking", "PARKED"},
                                          {"dog", "dogs", "Dogs", "dog", "dog"},
                                          {"name", "names", "named", "naming", "Names"},
                                          {"close", "closes", "closed", "closing", "close"},
                                          {"cause", "caused", "causes", "causing", "cause"},
                                          {"stop", "stops", "stopped", "stopping", "stop"},
                                          {"call", "calls", "called", "calling", "call"},
                                          {"agree", "agrees", "agreed", "agreeing", "agree"},
                                          {"pass", "passes", "passed", "passing", "pass"},
                                          {"fee", "fees", "fee", "fee", "fee"},
                                          {"need", "needs", "needed", "needing", "need"},
                                          {"die", "died", "dies", "die", "Died"},
                                          {"use", "uses", "used", "use", "Used"},
                                          {"string", "strings", "string", "string", "string"}};
    static const char *const other[][2] = {
        {"need", "ne"},  {"king", "k"},          {"bus", "bu"},   {"class", "clas"},
        {"axis", "axi"}, {"string", "str"},      {"this", "thi"}, {"plane", "plant"},
        {"used", "us"},  {"shed", "she"},        {"need", "nee"}, {"note", "not"},
        {"care", "car"}, {"Hus\xc3\xa9s", "Hus"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        for (int j = 1; j < 5; j++)
            if (!words_any(same[i][0], same[i][j], strlen(same[i][j])))
                fail_msg("%s, %s", same[i][0], same[i][j]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (words_any(other[i][0], other[i][1], strlen(other[i][1])))
            fail_msg("%s, %s", other[i][0], other[i][1]);
}

static int says_little(const char *word)
{
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    assert_true(word_next(word, strlen(word), &at, stem, &bytes));
    return word_says_little(word, bytes, stem);
}

// A long word may only begin like a common one.
static void test_common(void **state)
{
    (void)state;
    assert_true(says_little("after") && says_little("Other") && says_little("others"));
    assert_false(says_little("aftercooler") || says_little("underground"));
    assert_false(says_little("severance") || says_little("lathe"));
}

static void test_new(void **state)
{
    (void)state;
    char out[64];
    words_new("The bridge: designed by Ina Pell, the same Ina.",
              "Who designs bridges, the old ones?", out);
    assert_string_equal(out, "by Ina Pell same ");
    words_new("Bridge.", "bridge", out);
    assert_string_equal(out, "");
    words_new("", "", out);
    assert_string_equal(out, "");
    words_shared("Sam Hartman led three villages.", "Hartmut Koptein village ", out);
    assert_string_equal(out, "villages ");
    words_lacking("What is the maximum length of an array?", "The depth of arrays", out);
    assert_string_equal(out, "maximum length ");
    words_lacking("When would they end?", "", out); // too common, or too short
    assert_string_equal(out, "");
    words_shared("", "Hartmut", out);
    assert_string_equal(out, "");
    assert_true(has_any("Ina Pell ", "that pell was there"));
    assert_false(has_any("Ina Pell ", "Pel"));
    assert_false(has_any("", "Pell"));
    assert_true(words_known("The old gate.", "gates: old; gate", "the") && words_known("", "", ""));
    assert_false(words_known("The old gate.", "old gate", "a"));
}

static void test_lists(void **state)
{
    (void)state;
    static const char *LIST = " may must seventeenhundreds ";
    assert_true(word_is_listed(LIST, "May", 3) && word_is_listed(LIST, "mustard", 4));
    assert_false(word_is_listed(LIST, "mus", 3) || word_is_listed(LIST, "may must", 8));
    assert_false(word_is_listed(LIST, "", 0) || word_is_listed(LIST, " may", 4));
    assert_false(word_is_listed(LIST, "seventeenhundreds", 17)); // longer than lists may have
    assert_true(word_is_listed(WORDLIST_DATES, "Sunday", 6) &&
                word_is_listed(WORDLIST_DATES, "january", 7));
    // As much as N says is a part of the text.
    assert_true(words_any("Pell", "old Pell", 8) && !words_any("Pell", "old Pell", 7));
}

static void test_start(void **state)
{
    (void)state;
    static const char text[] = "old no. 20";
    assert_int_equal(word_start_before(text, 0, 6), 4);
    assert_int_equal(word_start_before(text, 0, 3), 0);
    assert_int_equal(word_start_before(text, 5, 6), 5);
    assert_int_equal(word_start_before(text, 0, 7), 7); // the point ends no word
    assert_int_equal(word_start_before(text, 0, 0), 0);
}

// Every form is found, at its place by its bytes, and has the first letter of what it is one of.
static void test_irregular_forms(void **state)
{
    (void)state;
    const struct irregular *last = NULL;
    size_t n = 0, bytes;
    for (const struct irregular *f = irregular_next(NULL); f;
         last = f, f = irregular_next(f), n++) {
        assert_int_equal(*f->form, *f->base);
        assert_true(!last || memcmp(last->form, f->form, IRREGULAR_LONGEST) < 0);
        const char *base = irregular_base(f->form, irregular_bytes(f->form), &bytes);
        assert_ptr_equal(base, f->base);
        assert_int_equal(bytes, irregular_bytes(f->base));
    }
    assert_true(n > 100);
    assert_null(irregular_base("lose", 4, &bytes));
    assert_null(irregular_base("los", 3, &bytes));
    assert_null(irregular_base("losts", 5, &bytes));
    assert_null(irregular_base("7lost", 5, &bytes));
}

// Words of one stem are found in each other's texts, also where most words are passed over.
static void test_irregular_words(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
    } same[] = {{"Lost", "lose"},     {"loses", "LOST"},    {"bought", "buying"},
                {"teeth", "tooth"},   {"written", "wrote"}, {"cities", "city"},
                {"carried", "carry"}, {"flew", "flying"},   {"flying", "flown"}},
      other[] = {{"found", "founded"}, {"lost", "last"}, {"lives", "life"}, {"city", "cite"}};
    char a[WORD_STEM], b[WORD_STEM];
    size_t at, n;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct word_starts s = {{0}};
        uint32_t passed;
        at = n = 0;
        assert_true(word_next(same[i].a, strlen(same[i].a), &at, a, NULL));
        assert_true(word_is_in(same[i].b, strlen(same[i].b), a));
        assert_true(word_form_is_in(same[i].b, strlen(same[i].b), same[i].a, strlen(same[i].a)));
        word_starts_add(&s, a, 0);
        assert_true(word_next_of(&s, same[i].b, strlen(same[i].b), &n, b, &passed));
        assert_memory_equal(a, b, WORD_STEM);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        at = 0;
        assert_true(word_next(other[i].a, strlen(other[i].a), &at, a, NULL));
        assert_false(word_is_in(other[i].b, strlen(other[i].b), a));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_irregular_forms),
                                       cmocka_unit_test(test_irregular_words),
                                       cmocka_unit_test(test_stems),
                                       cmocka_unit_test(test_starts),
                                       cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_endings),
                                       cmocka_unit_test(test_new),
                                       cmocka_unit_test(test_common),
                                       cmocka_unit_test(test_lists),
                                       cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
