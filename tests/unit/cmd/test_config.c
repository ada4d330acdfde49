// The configuration file and the places where models are looked for.
#define _GNU_SOURCE
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmd/config.h"
#include "cmd/models.h"
#include "engine/embed/embedder.h"
#include "tests/unit/own_dir.h"

struct own {
    int window, evidence, json;
    const char *read;
};

static const struct opt encode_rows[] = {
    {.name = "window",
     .kind = OPT_INT,
     .at = offsetof(struct own, window),
     .min = 16,
     .max = 4096,
     .metavar = "N",
     .help = ""},
    {.name = "output",
     .kind = OPT_STR,
     .at = offsetof(struct own, read),
     .metavar = "FILE",
     .help = "",
     .not_config = 1},
    {0},
};
static const struct opt query_rows[] = {
    {.name = "evidence",
     .kind = OPT_INT,
     .at = offsetof(struct own, evidence),
     .max = 100,
     .def = "4",
     .metavar = "N",
     .help = ""},
    {.name = "read",
     .kind = OPT_CHOICE,
     .at = offsetof(struct own, read),
     .choices = "cached|fresh",
     .help = ""},
    {.name = "json", .kind = OPT_FLAG, .at = offsetof(struct own, json), .help = ""},
    {0},
};
static const struct command test_encode = {.name = "encode", .options = encode_rows};
static const struct command test_query = {.name = "query", .options = query_rows};
static const struct command *const all[] = {&test_encode, &test_query, NULL};

static struct own own;
static struct common common;
static struct opts *o;
static struct err e;

static int setup(void **state)
{
    (void)state;
    memset(&own, 0, sizeof own);
    memset(&common, 0, sizeof common);
    return opt_new(&o, &e) || opt_add(o, "", query_rows, &own, &e) ||
           opt_add(o, "", common_options, &common, &e);
}

static int teardown(void **state)
{
    (void)state;
    opt_free(o);
    o = NULL;
    return 0;
}

static void write_file(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(in_dir(name), "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

// Reads TEXT as the configuration of query.
static int read_text(const char *text)
{
    write_file("test.ini", text, strlen(text));
    return config_read(in_dir("test.ini"), all, &test_query, o, &e);
}

static void test_values(void **state)
{
    (void)state;
    assert_int_equal(
        read_text(
            "; a comment\n# another\n\n[lctool]\nevidence = 9\ndevice = cpu ; why\nwindow = 64\n"
            "[query]\n\tevidence = 2\n  read: fresh\r\njson = yes\n[encode]\nwindow=16\n"),
        0);
    assert_int_equal(own.evidence, 2);
    assert_int_equal(own.json, 1);
    assert_int_equal(own.window, 0);
    assert_string_equal(own.read, "fresh");
    assert_string_equal(common.device, "cpu");
}

static void test_order_of_sections_does_not_matter(void **state)
{
    (void)state;
    assert_int_equal(read_text("[query]\nevidence = 2\n[lctool]\nevidence = 9"), 0);
    assert_int_equal(own.evidence, 2);
}

static void test_command_line_wins(void **state)
{
    (void)state;
    char word[] = "--evidence=1", *argv[] = {word};
    assert_int_equal(opt_parse(o, 1, argv, &e), 0);
    assert_int_equal(read_text("[query]\nevidence = 2\n"), 0);
    assert_int_equal(own.evidence, 1);
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *msg;
    } cases[] = {
        {"[query]\n\nevidnce = 3\n",
         ":3: unknown key 'evidnce' in [query]; did you mean 'evidence'?"},
        {"[query]\nwindow = 64\n", ":2: unknown key 'window' in [query]"},
        {"[lctool]\nxyzzy = 64\n", ":2: unknown key 'xyzzy' in [lctool]"},
        {"[encode]\noutput = x\n",
         ":2: 'output' of [encode] is for the command line only: --output"},
        {"[lctool]\nconfig = x\n", ":2: unknown key 'config' in [lctool]"},
        {"[encode]\nwindow = 1\n", ":2: --window: 1 is out of range (16 to 4096)"},
        {"[lctool]\nwindow = 1\n", ":2: --window: 1 is out of range (16 to 4096)"},
        {"[query]\nread = fersh\n", ":2: --read: 'fersh' is not one of cached|fresh"},
        {"[qury]\nevidence = 1\n", ":2: unknown section [qury]; did you mean [query]?"},
        {"evidence = 1\n", ":1: a key before the first [section]"},
        {"[query]\nevidence\n", ":2: neither a [section] nor 'key = value'"},
        {"[query\n", ":1: neither a [section] nor 'key = value'"},
        {"[query\nevidence = 3\n", ":1: neither a [section] nor 'key = value'"},
        {"[query ;]\nevidence = 3\n", ":1: neither a [section] nor 'key = value'"},
        {"[query]\nread ; = fresh\nevidnce = 3\n", ":2: neither a [section] nor 'key = value'"},
        {"[query]\nevidence = 1\n evidence\n", ":3: neither a [section] nor 'key = value'"},
    };
    char want[PATH_MAX + 200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_text(cases[i].text), ERR_USAGE);
        snprintf(want, sizeof want, "%s%s", in_dir("test.ini"), cases[i].msg);
        assert_string_equal(e.msg, want);
    }
}

static void test_odd_files(void **state)
{
    (void)state;
    char text[1000] = "[query]\nread = ";
    assert_int_equal(read_text(""), 0);
    size_t n = strlen(text);
    memset(text + n, 'x', sizeof text - n - 1);
    assert_int_equal(read_text(text), ERR_USAGE);
    assert_non_null(strstr(e.msg, ":2: the line is too long"));
    static const char read[] = "read = ", tail[] = " \t\r\n";
    for (size_t more = 0; more < 2; more++) { // inih's longest line, and one more
        memset(text + n, ' ', sizeof text - n - 1);
        memset(text + n, 'x', 197 - (sizeof read - 1) + more);
        memcpy(text + sizeof text - sizeof tail, tail, sizeof tail);
        assert_int_equal(read_text(text), ERR_USAGE);
        assert_non_null(strstr(e.msg, more ? "the line is too long" : "is not one of cached"));
    }
    assert_int_equal(read_text("\xef\xbb\xbf[query]\nevidence = 3\n"), 0);
    assert_int_equal(read_text("\xef\xbb\xbf[query] evidence = 3\n"), ERR_USAGE);
    write_file("nul.ini", "[query]\n\0evidence = 3", 21);
    assert_int_equal(config_read(in_dir("nul.ini"), all, &test_query, o, &e), ERR_USAGE);
    assert_non_null(strstr(e.msg, ":2: a NUL byte"));
    assert_int_equal(config_read(in_dir("none.ini"), all, &test_query, o, &e), ERR_IO);
}

static void test_places(void **state)
{
    (void)state;
    char buf[PATH_MAX];
    setenv("HOME", "/home/me", 1);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_int_equal(config_path(buf, sizeof buf, &e), 0);
    assert_string_equal(buf, "/home/me/.config/lctool/lctool.ini");
    assert_int_equal(config_models_dir(buf, sizeof buf, &e), 0);
    assert_string_equal(buf, "/data/lctool/models");
    unsetenv("HOME");
    assert_int_equal(config_path(buf, sizeof buf, &e), 0);
    assert_string_equal(buf, "");
    assert_int_equal(config_models_dir(buf, 8, &e), ERR_USAGE);
}

static void expect_model(const char *name, const char *file)
{
    char buf[PATH_MAX], want[PATH_MAX];
    assert_int_equal(models_find(buf, sizeof buf, name, &e), 0);
    snprintf(want, sizeof want, "%s/%s", in_dir("lctool/models"), file);
    assert_string_equal(buf, want);
}

static void test_models(void **state)
{
    (void)state;
    char buf[PATH_MAX];
    setenv("XDG_DATA_HOME", own_dir(), 1);
    assert_int_equal(mkdir(in_dir("lctool"), 0700), 0);
    assert_int_equal(models_find(buf, sizeof buf, NULL, &e), ERR_IO); // no models directory
    assert_non_null(strstr(e.msg, "no model"));
    assert_int_equal(mkdir(in_dir("lctool/models"), 0700), 0);
    assert_int_equal(models_find(buf, sizeof buf, NULL, &e), ERR_IO);
    write_file("lctool/models/notes.txt", "", 0);
    write_file("lctool/models/Smol-135M.gguf", "", 0);
    expect_model(NULL, "Smol-135M.gguf");
    write_file("lctool/models/Smol-135M-v2.gguf", "", 0);
    write_file("lctool/models/Big-00001-of-00002.gguf", "", 0);
    write_file("lctool/models/Big-00002-of-00002.gguf", "", 0);
    assert_int_equal(models_find(buf, sizeof buf, NULL, &e), ERR_USAGE);
    assert_non_null(strstr(e.msg, "Big-00001-of-00002.gguf, Smol-135M-v2.gguf, Smol-135M.gguf;"));
    expect_model("big", "Big-00001-of-00002.gguf");
    expect_model("Smol-135M", "Smol-135M.gguf");
    expect_model("Smol-135M.gguf", "Smol-135M.gguf");
    assert_int_equal(models_find(buf, sizeof buf, "smol", &e), ERR_USAGE);
    assert_int_equal(models_find(buf, sizeof buf, "other", &e), ERR_IO);
    assert_int_equal(models_find(buf, sizeof buf, "./big", &e), ERR_IO);
    // Other names may have "-of-" too.
    write_file("lctool/models/mixture-of-experts.gguf", "", 0);
    write_file("lctool/models/state-of-the-art-7b.gguf", "", 0);
    write_file("lctool/models/best-00002-of-2024.gguf", "", 0);
    expect_model("mix", "mixture-of-experts.gguf");
    expect_model("state", "state-of-the-art-7b.gguf");
    expect_model("best", "best-00002-of-2024.gguf");
    const char *path = in_dir("lctool/models/notes.txt");
    assert_int_equal(models_find(buf, sizeof buf, path, &e), 0);
    assert_string_equal(buf, path);

    assert_int_equal(models_find_for_index(buf, sizeof buf, path, NULL, &e), 0);
    assert_string_equal(buf, path);
    assert_int_equal(models_find_for_index(buf, sizeof buf, "/gone/Smol-135M.gguf", "big", &e), 0);
    assert_non_null(strstr(buf, "/lctool/models/Smol-135M.gguf"));
    assert_int_equal(models_find_for_index(buf, sizeof buf, "/gone/x.gguf", "big", &e), 0);
    assert_non_null(strstr(buf, "/lctool/models/Big"));
    assert_int_equal(models_find_for_index(buf, sizeof buf, "/gone/x.gguf", "none", &e), ERR_IO);
    assert_non_null(strstr(e.msg, "/gone/x.gguf"));
    assert_int_equal(models_find_for_index(buf, sizeof buf, "/gone/x.gguf", NULL, &e), ERR_USAGE);
    assert_non_null(strstr(e.msg, "/gone/x.gguf"));
    assert_non_null(strstr(e.msg, "choose one with --model"));
}

static void expect_embedder(const char *name, const char *made_by, const char *file)
{
    char buf[PATH_MAX], want[PATH_MAX] = "";
    assert_int_equal(models_find_embedder(buf, sizeof buf, name, made_by, &e), 0);
    if (*file)
        snprintf(want, sizeof want, "%s/%s", in_dir("lctool/embedders"), file);
    assert_string_equal(buf, want);
}

static void test_embedders(void **state)
{
    (void)state;
    char buf[PATH_MAX];
    setenv("XDG_DATA_HOME", own_dir(), 1);
    mkdir(in_dir("lctool"), 0700);   // is there, where models were looked for
    expect_embedder(NULL, NULL, ""); // no directory
    assert_int_equal(mkdir(in_dir("lctool/embedders"), 0700), 0);
    expect_embedder(NULL, NULL, "");
    assert_int_equal(models_find_embedder(buf, sizeof buf, "mini", NULL, &e), ERR_IO);
    assert_non_null(strstr(e.msg, "mini: no such embedder file"));
    write_file("lctool/embedders/Mini-L6.Q8_0.gguf", "", 0);
    expect_embedder(NULL, NULL, "Mini-L6.Q8_0.gguf");
    expect_embedder(NULL, "", "Mini-L6.Q8_0.gguf"); // by one without a name
    write_file("lctool/embedders/gte.gguf", "", 0);
    assert_int_equal(models_find_embedder(buf, sizeof buf, NULL, NULL, &e), ERR_USAGE);
    assert_non_null(strstr(e.msg, "several embedders"));
    assert_non_null(strstr(e.msg, "--embedder"));
    expect_embedder(NULL, "mini-l6", "Mini-L6.Q8_0.gguf");
    expect_embedder(NULL, "of/them/mini-l6", "Mini-L6.Q8_0.gguf");
    expect_embedder(NULL, "other", "");
    expect_embedder("gte", "mini-l6", "gte.gguf");
    expect_embedder("none", NULL, "");
    expect_embedder("none", "mini-l6", "");
    write_file("lctool/embedders/Mini-L6.F16.gguf", "", 0);
    expect_embedder(NULL, "mini-l6", ""); // either
    const char *path = in_dir("lctool/embedders/gte.gguf");
    expect_embedder(path, NULL, "gte.gguf");
    assert_int_equal(models_find_embedder(buf, sizeof buf, "./gte.gguf", NULL, &e), ERR_IO);
    // An index, which anybody may have made, names no file elsewhere.
    write_file("elsewhere", "", 0);
    expect_embedder(NULL, in_dir("elsewhere"), "");
}

// The embedder of DIGEST; FILE "": none.
static void expect_embedder_of(uint64_t digest, const char *file)
{
    char buf[PATH_MAX], want[PATH_MAX] = "";
    assert_int_equal(models_find_embedder_of(buf, sizeof buf, digest, &e), 0);
    if (*file)
        snprintf(want, sizeof want, "%s/%s", in_dir("by/lctool/embedders"), file);
    assert_string_equal(buf, want);
}

static void link_embedder(const char *golden, const char *name)
{
    char from[PATH_MAX], to[PATH_MAX];
    assert_non_null(realpath(golden, from));
    snprintf(to, sizeof to, "%s/%s", in_dir("by/lctool/embedders"), name);
    assert_int_equal(symlink(from, to), 0);
}

static void test_embedders_by_digest(void **state)
{
    (void)state;
    static const char mean[] = "tests/golden/embed/mean.gguf",
                      cls[] = "tests/golden/embed/cls.gguf";
    uint64_t of_mean, of_cls;
    mkdir(in_dir("by"), 0700);
    setenv("XDG_DATA_HOME", in_dir("by"), 1);
    assert_int_equal(embedder_digest(mean, &of_mean, &e), 0);
    assert_int_equal(embedder_digest(cls, &of_cls, &e), 0);
    mkdir(in_dir("by/lctool"), 0700);
    expect_embedder_of(of_cls, ""); // no directory
    assert_int_equal(mkdir(in_dir("by/lctool/embedders"), 0700), 0);
    link_embedder(mean, "a.gguf");
    expect_embedder_of(of_mean, ""); // the only one
    write_file("by/lctool/embedders/b.gguf", "no model", 0);
    link_embedder(cls, "c.gguf");
    expect_embedder_of(of_mean, "a.gguf");
    expect_embedder_of(of_cls, "c.gguf");
    expect_embedder_of(of_mean ^ of_cls, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_order_of_sections_does_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(test_command_line_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mistakes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_odd_files, setup, teardown),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_embedders),
        cmocka_unit_test(test_embedders_by_digest),
    };
    return cmocka_run_group_tests(tests, own_dir_make, own_dir_remove);
}
