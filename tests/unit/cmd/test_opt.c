// Option rows: every form of the command line, ranges, defaults, precedence, --help.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/opt.h"
#include "cmd/suggest.h"

struct own {
    int json, force, evidence;
    uint64_t seed, memory;
    double temp;
    const char *out, *read, *lead, *kind;
    struct opt_list questions;
};

static const struct opt rows[] = {
    {.name = "json",
     .letter = 'j',
     .kind = OPT_FLAG,
     .at = offsetof(struct own, json),
     .help = "print JSON"},
    {.name = "force",
     .letter = 'f',
     .kind = OPT_FLAG,
     .at = offsetof(struct own, force),
     .help = "replace"},
    {.name = "evidence",
     .letter = 'n',
     .kind = OPT_INT,
     .at = offsetof(struct own, evidence),
     .min = 0,
     .max = 100,
     .def = "4",
     .metavar = "N",
     .help = "passages",
     .also = "how_many"},
    {.name = "seed",
     .kind = OPT_U64,
     .at = offsetof(struct own, seed),
     .metavar = "N",
     .help = "seed"},
    {.name = "memory",
     .kind = OPT_SIZE,
     .at = offsetof(struct own, memory),
     .metavar = "SIZE",
     .help = "memory"},
    {.name = "temp",
     .kind = OPT_NUM,
     .at = offsetof(struct own, temp),
     .min = 0,
     .max = 2,
     .def = "0.5",
     .metavar = "T",
     .help = "temperature"},
    {.name = "output",
     .letter = 'o',
     .kind = OPT_STR,
     .at = offsetof(struct own, out),
     .metavar = "FILE",
     .unset = "made up",
     .help = "where to"},
    {.name = "lead",
     .kind = OPT_STR,
     .at = offsetof(struct own, lead),
     .may_be_empty = 1,
     .metavar = "TEXT",
     .help = "said first"},
    {.name = "read",
     .kind = OPT_CHOICE,
     .at = offsetof(struct own, read),
     .choices = "cached|fresh|both",
     .help = "what is read, told in so many words that the line has to be wrapped somewhere"},
    {.name = "kind",
     .kind = OPT_CHOICE,
     .at = offsetof(struct own, kind),
     .choices = "one-of-many|two-of-many|three-of-so-many|four",
     .metavar = "KIND",
     .unset = "none",
     .help = "what it is"},
    {.name = "question",
     .letter = 'q',
     .kind = OPT_LIST,
     .at = offsetof(struct own, questions),
     .metavar = "TEXT",
     .help = "a question"},
    {.name = "help", .letter = 'h', .kind = OPT_HELP, .help = "this"},
    {0},
};

struct fixture {
    struct own own;
    struct opts *o;
    struct err e;
};

static struct fixture *f;

static int setup(void **state)
{
    (void)state;
    f = calloc(1, sizeof *f);
    return opt_new(&f->o, &f->e) || opt_add(f->o, "Options", rows, &f->own, &f->e);
}

static int teardown(void **state)
{
    (void)state;
    opt_free(f->o);
    free(f);
    return 0;
}

// Parses the words, which end with NULL.
static int parse(const char *first, ...)
{
    static char *argv[32];
    int argc = 0;
    va_list ap;
    va_start(ap, first);
    for (const char *w = first; w; w = va_arg(ap, const char *))
        argv[argc++] = (char *)(uintptr_t)w;
    va_end(ap);
    return opt_parse(f->o, argc, argv, &f->e);
}

static void test_forms(void **state)
{
    (void)state;
    assert_int_equal(parse("a", "--json", "-fn7", "--output=x=y", "b", "--read", "fresh", "-", "-q",
                           "-1", "-qtwo", "--temp", "1.25", "--seed", "18446744073709551615", "--",
                           "--json", "-q", NULL),
                     0);
    assert_int_equal(f->own.json, 1);
    assert_int_equal(f->own.force, 1);
    assert_int_equal(f->own.evidence, 7);
    assert_string_equal(f->own.out, "x=y");
    assert_string_equal(f->own.read, "fresh");
    assert_true(f->own.temp == 1.25);
    assert_true(f->own.seed == UINT64_MAX);
    assert_int_equal(f->own.questions.n, 2);
    assert_string_equal(f->own.questions.v[0], "-1");
    assert_string_equal(f->own.questions.v[1], "two");
    const char *operands[] = {"a", "b", "-", "--json", "-q"};
    assert_int_equal(f->o->n_operands, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(f->o->operands[i], operands[i]);
}

static void test_empty(void **state)
{
    (void)state;
    assert_int_equal(parse("--lead", "", NULL), 0);
    assert_string_equal(f->own.lead, "");
    f->own.lead = NULL;
    assert_int_equal(parse("--lead=", NULL), 0);
    assert_string_equal(f->own.lead, "");
    assert_int_equal(parse("--output", "", NULL), ERR_USAGE);
}

static void test_another_name(void **state)
{
    (void)state;
    assert_int_equal(parse("--how_many", "7", NULL), 0);
    assert_int_equal(f->own.evidence, 7);
    assert_int_equal(parse("--how_many=101", NULL), ERR_USAGE);
    assert_string_equal(f->e.msg, "--evidence: 101 is out of range (0 to 100)");
    assert_int_equal(opt_set(f->o, "how_many", "5", OPT_FROM_SECTION, &f->e), 0);
    assert_int_equal(f->own.evidence, 7);
    assert_int_equal(opt_from(f->o, "how_many"), OPT_FROM_COMMAND_LINE);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(parse(NULL), 0);
    assert_int_equal(f->own.evidence, 4);
    assert_true(f->own.temp == 0.5);
    assert_null(f->own.out);
    assert_null(f->own.read);
    assert_int_equal(f->o->n_operands, 0);
    assert_int_equal(opt_from(f->o, "evidence"), OPT_FROM_DEFAULT);
}

static void test_negation(void **state)
{
    (void)state;
    assert_int_equal(parse("--json", "--no-json", NULL), 0);
    assert_int_equal(f->own.json, 0);
    assert_int_equal(parse("--no-evidence", NULL), ERR_USAGE);
}

static void test_help_ends_the_parse(void **state)
{
    (void)state;
    assert_int_equal(parse("-f", "--help", "--bogus", NULL), 1);
    assert_int_equal(parse("-fh", NULL), 1);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *words[2], *msg;
    } cases[] = {
        {{"--evidnce", "3"}, "unknown option '--evidnce'; did you mean '--evidence'?"},
        {{"--xyzzy"}, "unknown option '--xyzzy'; --help lists those there are"},
        {{"-z"}, "unknown option '-z'; --help lists those there are"},
        {{"-jz"}, "unknown option '-z'; --help lists those there are"},
        {{"-handbook.txt"}, "unknown option '-handbook.txt'; --help lists those there are"},
        {{"-jhj"}, "unknown option '-jhj'; --help lists those there are"},
        {{"--evidence"}, "option '--evidence' needs a value: N"},
        {{"-o"}, "option '-o' needs a value: FILE"},
        {{"--read"}, "option '--read' needs a value: cached|fresh|both"},
        {{"--evidence", "101"}, "--evidence: 101 is out of range (0 to 100)"},
        {{"--evidence", "-1"}, "--evidence: -1 is out of range (0 to 100)"},
        {{"--evidence", "99999999999999999999"},
         "--evidence: 99999999999999999999 is out of range (0 to 100)"},
        {{"--evidence", "4x"}, "--evidence: '4x' is not a whole number"},
        {{"--evidence="}, "--evidence: '' is not a whole number"},
        {{"--temp", "nan"}, "--temp: 'nan' is not a number"},
        {{"--temp", "0x1"}, "--temp: '0x1' is not a number"},
        {{"--temp", "-0X1p-1"}, "--temp: '-0X1p-1' is not a number"},
        {{"--temp", "3"}, "--temp: 3 is out of range (0 to 2)"},
        {{"--memory", "0"}, "--memory: '0' is not a size; write 800M or 24G"},
        {{"--memory", "1Gi"}, "--memory: '1Gi' is not a size; write 800M or 24G"},
        {{"--memory", "M"}, "--memory: 'M' is not a size; write 800M or 24G"},
        {{"--memory", "nan"}, "--memory: 'nan' is not a size; write 800M or 24G"},
        {{"--memory", "0x10M"}, "--memory: '0x10M' is not a size; write 800M or 24G"},
        {{"--memory", "9000000T"}, "--memory: '9000000T' is not a size; write 800M or 24G"},
        {{"--seed", "-1"}, "--seed: '-1' is not a whole number from 0 to 2^64-1"},
        {{"--seed", "18446744073709551616"},
         "--seed: '18446744073709551616' is not a whole number from 0 to 2^64-1"},
        {{"--read", "cach"}, "--read: 'cach' is not one of cached|fresh|both"},
        {{"--read", "cached|fresh"}, "--read: 'cached|fresh' is not one of cached|fresh|both"},
        {{"--read="}, "--read: '' is not one of cached|fresh|both"},
        {{"--output="}, "--output: an empty value"},
        {{"--json=1"}, "option '--json' takes no value"},
        {{"--help=1"}, "option '--help' takes no value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i].words[0], cases[i].words[1], NULL), ERR_USAGE);
        assert_string_equal(f->e.msg, cases[i].msg);
        teardown(NULL);
        assert_int_equal(setup(NULL), 0);
    }
    char longest[300];
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "--", 2);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(parse(longest, NULL), ERR_USAGE);
}

static void test_precedence(void **state)
{
    (void)state;
    assert_int_equal(parse("--evidence", "1", "-q", "line", NULL), 0);
    assert_int_equal(opt_set(f->o, "evidence", "2", OPT_FROM_SECTION, &f->e), 0);
    assert_int_equal(f->own.evidence, 1);
    static const struct {
        const char *text;
        uint64_t bytes;
    } sizes[] = {{"1", 1},
                 {"1.5K", 1536},
                 {"800M", UINT64_C(800) << 20},
                 {"24G", UINT64_C(24) << 30},
                 {"2T", UINT64_C(2) << 40}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(opt_set(f->o, "memory", sizes[i].text, OPT_FROM_SECTION, &f->e), 0);
        assert_true(f->own.memory == sizes[i].bytes);
    }
    assert_int_equal(opt_set(f->o, "temp", "1", OPT_FROM_SECTION, &f->e), 0);
    assert_int_equal(opt_set(f->o, "temp", "2", OPT_FROM_COMMON_SECTION, &f->e), 0);
    assert_true(f->own.temp == 1);
    assert_int_equal(opt_set(f->o, "json", "yes", OPT_FROM_SECTION, &f->e), 0);
    assert_int_equal(f->own.json, 1);
    assert_int_equal(opt_set(f->o, "json", "maybe", OPT_FROM_SECTION, &f->e), ERR_USAGE);
    assert_int_equal(opt_set(f->o, "evidence", "200", OPT_FROM_SECTION, &f->e), ERR_USAGE);
    assert_int_equal(opt_set(f->o, "question", "section", OPT_FROM_SECTION, &f->e), 0);
    assert_int_equal(f->own.questions.n, 1);
    assert_string_equal(f->own.questions.v[0], "line");
    assert_int_equal(opt_from(f->o, "evidence"), OPT_FROM_COMMAND_LINE);
    assert_int_equal(opt_from(f->o, "temp"), OPT_FROM_SECTION);
}

static void test_set_copies(void **state)
{
    (void)state;
    char value[] = "first";
    assert_int_equal(opt_set(f->o, "output", value, OPT_FROM_SECTION, &f->e), 0);
    memset(value, 'x', 5);
    assert_string_equal(f->own.out, "first");
}

static void test_help_text(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    opt_help(f->o, out);
    fclose(out);
    assert_non_null(strstr(text, "  -n, --evidence N          passages (default: 4)\n"));
    assert_non_null(strstr(text, "  -o, --output FILE         where to (default: made up)\n"));
    assert_non_null(
        strstr(text, "      --read cached|fresh|both\n                            what is read"));
    assert_non_null(strstr(text,
                           "      --kind KIND           what it is: one-of-many, two-of-many,\n"
                           "                            three-of-so-many, four (default: none)\n"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
    free(text);
}

static void test_suggest(void **state)
{
    (void)state;
    struct suggest s = {.word = "kitten"};
    suggest_offer(&s, "sitting");
    assert_int_equal(s.distance, 3);
    suggest_offer(&s, "iktten");
    assert_int_equal(s.distance, 1);
    s = (struct suggest){.word = ""};
    suggest_offer(&s, "");
    assert_null(s.best);
    s = (struct suggest){.word = "qurey"};
    suggest_offer(&s, "encode");
    assert_null(s.best);
    suggest_offer(&s, "query");
    assert_string_equal(s.best, "query");
    s = (struct suggest){.word = "x"};
    suggest_offer(&s, "q");
    assert_null(s.best);
    s = (struct suggest){.word = "quest"};
    suggest_offer(&s, "quiet");
    suggest_offer(&s, "question");
    suggest_offer(&s, "questions");
    assert_string_equal(s.best, "question");
    s = (struct suggest){.word = "evid"};
    suggest_offer(&s, "evidence");
    assert_string_equal(s.best, "evidence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_forms, setup, teardown),
        cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_negation, setup, teardown),
        cmocka_unit_test_setup_teardown(test_help_ends_the_parse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_precedence, setup, teardown),
        cmocka_unit_test_setup_teardown(test_set_copies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_help_text, setup, teardown),
        cmocka_unit_test(test_suggest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
