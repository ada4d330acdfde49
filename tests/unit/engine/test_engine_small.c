// Documents smaller than a chunk: several are read in one pass, and each keeps blocks of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

enum { DOCUMENTS = 30 };

static char paths[DOCUMENTS][128];
static const char *inputs[DOCUMENTS];

// Of no sentence to three, and one of many.
static int write_documents(void **state)
{
    int rc = engine_set_up(state);
    for (int i = 0; i < DOCUMENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%02d.txt", i);
        write_text(name, i == 20 ? 30 : 1 + i % 3, (uint32_t)i + 1);
        inputs[i] = strcpy(paths[i], in_dir(name));
    }
    return rc;
}

struct passes {
    int n;
    volatile sig_atomic_t stop, stops_each;
};

static void count_pass(void *arg, const struct encode_progress *p)
{
    struct passes *s = arg;
    (void)p;
    s->n++;
    s->stop = s->stops_each;
}

static struct encode_options all_of_them(const char *out, struct passes *s)
{
    struct encode_options o = small(inputs, DOCUMENTS, out);
    o.progress = count_pass;
    o.arg = s;
    o.stop = &s->stop;
    return o;
}

// Spans are found in the attention of one document's pass, so there each has its own.
static void test_passes(void **state)
{
    (void)state;
    struct passes shared = {0}, alone = {0};
    struct encode_result r;
    encode_ok(all_of_them(in_dir("shared.kvz"), &shared), &r);
    struct encode_options o = all_of_them(in_dir("alone.kvz"), &alone);
    o.represent = "spans";
    encode_ok(o, NULL);
    assert_int_equal(r.documents, DOCUMENTS);
    assert_true(alone.n > DOCUMENTS * 3 / 4);
    assert_true((uint64_t)shared.n <= r.tokens / (uint64_t)(o.chunk - o.block) + 2);
    struct kvz *x = open_ok(in_dir("shared.kvz")), *y = open_ok(in_dir("alone.kvz"));
    assert_int_equal(kvz_n_documents(x), DOCUMENTS);
    assert_int_equal(kvz_n_blocks(x), kvz_n_blocks(y));
    for (uint64_t i = 0; i < kvz_n_blocks(x); i++) {
        struct kvz_block a, b;
        OK(kvz_block(x, i, &a, e));
        OK(kvz_block(y, i, &b, e));
        assert_int_equal(a.document, b.document);
        assert_int_equal(a.start, b.start);
        assert_int_equal(a.end, b.end);
        assert_int_equal(a.flags, b.flags);
    }
    for (uint64_t i = 0; i < DOCUMENTS; i++) {
        struct kvz_document a, b;
        OK(kvz_document(x, i, &a, e));
        OK(kvz_document(y, i, &b, e));
        assert_string_equal(a.name, inputs[i]);
        assert_int_equal(a.bytes, b.bytes);
        assert_int_equal(a.digest, b.digest);
    }
    kvz_close(x);
    kvz_close(y);
}

// Stopped after every pass, it ends in the same file.
static void test_stopped_each_pass(void **state)
{
    (void)state;
    struct passes s = {0};
    encode_ok(all_of_them(in_dir("whole.kvz"), &s), NULL);
    int passes = s.n, stopped = 0, rc;
    s = (struct passes){.stops_each = 1};
    do {
        struct encode_options o = all_of_them(in_dir("parts.kvz"), &s);
        struct encode_result r;
        struct err e = {0};
        s.stop = 0;
        rc = encode_documents(F.m, &o, &r, &e);
        if (rc && rc != ERR_INTERRUPTED)
            fail_msg("%s", e.msg);
        stopped += rc != 0;
        if (!rc)
            assert_int_equal(r.documents, DOCUMENTS);
    } while (rc);
    assert_int_equal(stopped, passes);
    assert_int_equal(s.n, passes);
    same_file(in_dir("whole.kvz"), in_dir("parts.kvz"));
}

// Of the documents of one pass each counts when the run is taken up again.
static void test_other_document(void **state)
{
    (void)state;
    struct passes s = {.stops_each = 1};
    struct encode_options o = all_of_them(in_dir("other.kvz"), &s);
    struct encode_result r;
    struct err e = {0};
    for (int i = 0; i < 2; i++) {
        s.stop = 0;
        assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
    }
    write_text("01.txt", 1, 77);
    s.stop = 0;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    write_text("01.txt", 1, 2);
    s.stop = 0;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_stopped_each_pass),
        cmocka_unit_test(test_other_document),
    };
    return cmocka_run_group_tests(tests, write_documents, engine_tear_down);
}
