// An encode that was stopped goes on, and an index grows, on small random models.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/format.h"
#include "io/file.h"
#include "io/hash.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

struct stopper {
    volatile sig_atomic_t stop;
    uint64_t at;
};

static void stop_at(void *arg, const struct encode_progress *p)
{
    struct stopper *s = arg;
    s->stop = p->tokens >= s->at;
}

// Has S stop what encodes with O.
static void stopped_by(struct encode_options *o, struct stopper *s)
{
    o->progress = stop_at;
    o->stop = &s->stop;
    o->arg = s;
}

static void interrupted_equals_unbroken(struct encode_options o)
{
    struct encode_result whole, part;
    o.out = in_dir("whole.kvz");
    encode_ok(o, &whole);
    o.out = in_dir("parts.kvz");
    for (int parts = 1; parts <= 3; parts++) {
        unlink(o.out);
        struct stopper s = {0, 0};
        stopped_by(&o, &s);
        int stopped = 0, rc;
        do {
            struct err e = {0};
            s.at += whole.tokens / (uint64_t)(parts + 1) + 1;
            s.stop = 0;
            rc = encode_documents(F.m, &o, &part, &e);
            if (rc && rc != ERR_INTERRUPTED)
                fail_msg("%s", e.msg);
            stopped += rc != 0;
        } while (rc);
        assert_true(stopped >= parts);
        assert_true(part.resumed_tokens > 0);
        assert_int_equal(part.tokens, whole.tokens);
        assert_int_equal(part.text_bytes, whole.text_bytes);
        same_file(in_dir("whole.kvz"), o.out);
        assert_false(kvz_part_exists(o.out));
    }
}

static void test_resume(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    interrupted_equals_unbroken(small(in, 2, NULL));
}

// A signal before the first chunk: what was piped in may have ended with it.
static void test_resume_from_nothing(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    struct encode_options o = small(in, 1, in_dir("whole.kvz"));
    encode_ok(o, NULL);
    volatile sig_atomic_t stop = 1;
    o.out = in_dir("nothing.kvz");
    o.stop = &stop;
    struct encode_result r;
    struct err e = {0};
    for (int i = 0; i < 2; i++)
        assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
    stop = 0;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), 0);
    same_file(in_dir("whole.kvz"), o.out);
}

// The same while what was consumed is read again: that an input is shorter means nothing then, of a
// document that was finished, of one that was begun, and of the list of them.
static void test_stop_while_resuming(void **state)
{
    (void)state;
    write_text("first.txt", 40, 3);
    write_text("second.txt", 60, 5);
    const char *in[] = {in_dir("first.txt"), in_dir("second.txt")};
    struct encode_options o = small(in, 2, in_dir("whole.kvz"));
    struct encode_result whole, r;
    struct err e = {0};
    encode_ok(o, &whole);
    o.out = in_dir("again.kvz");
    struct stopper s = {0, whole.tokens * 4 / 5}; // in the second
    stopped_by(&o, &s);
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
    s = (struct stopper){1, 1u << 30};
    for (int i = 0; i < 3; i++) {
        write_text("first.txt", i == 0 ? 5 : 40, 3);
        write_text("second.txt", i == 1 ? 5 : 60, 5);
        o.n_inputs = i == 2 ? 1 : 2;
        s.stop = 1;
        assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
        assert_true(r.kept);
    }
    o.n_inputs = 2;
    s.stop = 0;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), 0);
    assert_true(r.resumed_tokens > 0);
    same_file(in_dir("whole.kvz"), o.out);
}

static void test_resume_with_retrieval(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_options o = small(in, 2, NULL);
    o.topk = 3;
    interrupted_equals_unbroken(o);
}

static void test_resume_with_spans(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_options o = small(in, 2, NULL);
    o.represent = "spans";
    o.sinks = 40; // the first chunk ends within a block
    interrupted_equals_unbroken(o);
}

static void test_resume_with_a_cascading_window(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_options o = small(in, 2, NULL);
    o.window_kind = "cascade";
    interrupted_equals_unbroken(o);
}

static void test_resume_refuses_other_input(void **state)
{
    (void)state;
    write_text("c.txt", 120, 1);
    const char *in[] = {in_dir("c.txt")};
    struct stopper s = {0, 400};
    struct encode_options o = small(in, 1, in_dir("c.kvz"));
    stopped_by(&o, &s);
    struct encode_result r;
    struct err e = {0};
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
    write_text("c.txt", 120, 7);
    s = (struct stopper){0, 1u << 30};
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    assert_non_null(strstr(e.msg, "--force"));
    write_text("c.txt", 5, 1);
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    o.window = 256; // and other parameters
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    o.force = 1;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), 0);
}

// An addition that was begun is finished by the same call, or dropped; the index stays as it was.
static void test_resume_of_an_append(void **state)
{
    (void)state;
    write_text("base.txt", 40, 3);
    write_text("long.txt", 120, 1);
    write_text("other.txt", 30, 5);
    const char *base[] = {in_dir("base.txt")}, *in[] = {in_dir("long.txt")};
    const char *other[] = {in_dir("other.txt")};
    encode_ok(small(base, 1, in_dir("ap.kvz")), NULL);
    struct stopper s = {0, 800};
    struct encode_options o = small(in, 1, in_dir("ap.kvz"));
    o.append = 1;
    stopped_by(&o, &s);
    struct encode_result r;
    struct err e = {0};
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
    s = (struct stopper){0, 1u << 30};
    o.inputs = other;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    assert_non_null(strstr(e.msg, "; --append --force drops what was begun"));
    o.append = 0;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    assert_non_null(strstr(e.msg, "begun with --append; --force starts over, and replaces"));
    o.append = o.force = 1;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), 0);
    assert_int_equal(r.resumed_tokens, 0);
    assert_int_equal(r.added_documents, 1);
    assert_int_equal(r.documents, 2);
    assert_false(kvz_part_exists(o.out));
    // And what replaces an index is not finished as an addition to it.
    s = (struct stopper){0, 400};
    o.append = 0;
    o.inputs = in;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_INTERRUPTED);
    s = (struct stopper){0, 1u << 30};
    o.append = 1;
    o.force = 0;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_MISMATCH);
    assert_non_null(strstr(e.msg, "begun without --append; --append --force drops"));
    o.force = 1;
    assert_int_equal(encode_documents(F.m, &o, &r, &e), 0);
    assert_int_equal(r.documents, 3);
}

// What the summary state of PATH holds: its tokens, oldest first, in every head of every layer.
static struct kvz_summary held_tokens(const struct kvz *k, uint32_t *token, size_t cap)
{
    struct kvz_summary s;
    size_t lanes = (size_t)kvz_meta(k)->n_layers * kvz_meta(k)->n_kv_heads;
    OK(kvz_summary(k, &s, e));
    assert_true(s.n > 0 && lanes * s.n <= cap);
    OK(kvz_read_summary(k, token, NULL, e));
    return s;
}

// The file at PATH as it would be without the summary state, which is its last section.
static void strip_summary(const char *path)
{
    char *p;
    size_t n;
    struct disk_header h;
    struct disk_section last;
    OK(file_slurp(path, 1u << 30, &p, &n, e));
    memcpy(&h, p, sizeof h);
    size_t table = (--h.n_sections) * sizeof last;
    memcpy(&last, p + h.table_off + table, sizeof last);
    assert_int_equal(last.tag, TAG_SUMMARY);
    memmove(p + last.off, p + h.table_off, table);
    h.table_off = last.off;
    h.file_bytes = last.off + table;
    h.table_check = hash64(p + last.off, table);
    h.check = hash64(&h, sizeof h - sizeof h.check);
    memcpy(p, &h, sizeof h);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, h.file_bytes, f), h.file_bytes);
    assert_int_equal(fclose(f), 0);
    free(p);
}

// The file at PATH with another number of sinks in META, and every checksum right.
static void lie_about_sinks(const char *path, uint32_t sinks)
{
    char *p;
    size_t n;
    struct disk_header h;
    struct disk_section s;
    OK(file_slurp(path, 1u << 30, &p, &n, e));
    memcpy(&h, p, sizeof h);
    for (uint32_t i = 0; i < h.n_sections; i++) {
        char *entry = p + h.table_off + i * sizeof s;
        memcpy(&s, entry, sizeof s);
        if (s.tag != TAG_META)
            continue;
        memcpy(p + s.off + offsetof(struct disk_meta, sinks), &sinks, sizeof sinks);
        s.check = hash64(p + s.off, s.bytes);
        memcpy(entry, &s, sizeof s);
    }
    h.table_check = hash64(p + h.table_off, h.n_sections * sizeof s);
    h.check = hash64(&h, sizeof h - sizeof h.check);
    memcpy(p, &h, sizeof h);
    OK(file_replace(NULL, path, p, n, e));
    free(p);
}

// There is no room for more sinks than META says, neither where an index grows nor where it is
// asked.
static void test_too_many_sinks(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")}, *more[] = {in_dir("b.txt")};
    struct encode_options o = small(in, 1, in_dir("sinks.kvz"));
    struct encode_result r;
    struct answer a;
    encode_ok(o, NULL);
    lie_about_sinks(o.out, 16);
    o = (struct encode_options){.inputs = more, .n_inputs = 1, .out = o.out, .append = 1};
    REFUSED(ERR_FORMAT, "sinks.kvz: has 32 sinks instead of 16", encode_documents(F.m, &o, &r, e));
    struct kvz *k = open_ok(o.out);
    REFUSED(ERR_FORMAT, "sinks.kvz: has 32 sinks instead of 16",
            ask(F.m, &k, 1, &(struct ask_options){.question = "Who?", .read = READ_CACHED}, &a, e));
    kvz_close(k);
}

static void test_summary_state(void **state)
{
    (void)state;
    enum { CAP = 3 * 2 * 768 };
    static uint32_t one[CAP], grown[CAP];
    char first[128], second[128];
    const char *both[] = {strcpy(first, in_dir("a.txt")), strcpy(second, in_dir("b.txt"))};
    struct encode_options o = small(both, 2, in_dir("all.kvz"));
    o.recipe = (struct kvz_recipe){1, 8, 8, 1};
    encode_ok(o, NULL);
    struct kvz *k = open_ok(in_dir("all.kvz"));
    struct kvz_summary s = held_tokens(k, one, CAP), t;
    uint64_t n = kvz_n_tokens(k);
    assert_int_equal(s.seen, n - 32); // the sinks do not enter
    assert_true(s.n < s.seen);
    for (uint32_t lane = 0; lane < 3 * 2; lane++)
        for (uint32_t i = s.n - s.slots; i < s.n; i++) // the first sub-cache: the last tokens
            assert_int_equal(one[lane * s.n + i], n - s.n + i);
    // Their keys are the index's, to what 8 and 4 bits leave of them.
    struct kvz_block last;
    OK(kvz_block(k, kvz_n_blocks(k) - 1, &last, e));
    float kv[2][2 * 16 * 16], *held = malloc(2 * s.n * 2 * 16 * sizeof *held);
    OK(kvz_read_kv(k, kvz_n_blocks(k) - 1, 1, kv[0], kv[1], 16, e));
    OK(kvz_read_summary_kv(k, 1, held, held + s.n * 2 * 16, e));
    for (int is_v = 0; is_v < 2; is_v++) {
        double off = 0, all = 0;
        for (uint32_t h = 0; h < 2; h++)
            for (uint32_t i = 0; i < 16; i++) {
                double x = (double)kv[is_v][(h * 16 + last.n_tokens - 1) * 16 + i];
                double y = (double)held[((size_t)is_v * s.n * 2 + (h + 1) * s.n - 1) * 16 + i] - x;
                all += x * x;
                off += y * y;
            }
        assert_true(off < 0.02 * all);
    }
    free(held);
    kvz_close(k);
    // An index that grows goes on where its state ended, each time alike.
    struct encode_options add = {
        .inputs = both + 1, .n_inputs = 1, .out = in_dir("grown.kvz"), .append = 1};
    for (int i = 0; i < 2; i++) {
        encode_ok(small(both, 1, in_dir("grown.kvz")), NULL);
        encode_ok(add, NULL);
        k = open_ok(in_dir("grown.kvz"));
        t = held_tokens(k, i ? one : grown, CAP);
        assert_int_equal(t.seen, s.seen);
        assert_int_equal(t.n, s.n);
        kvz_close(k);
    }
    assert_memory_equal(one, grown, (size_t)t.n * 3 * 2 * sizeof *one);
    // One that was made without a state stays without, but grows.
    encode_ok(small(both, 1, in_dir("grown.kvz")), NULL);
    strip_summary(in_dir("grown.kvz"));
    encode_ok(add, NULL);
    k = open_ok(in_dir("grown.kvz"));
    OK(kvz_summary(k, &t, e));
    assert_int_equal(t.n, 0);
    const struct ask_options cascade = {.question = "boat", .method = "cascade"};
    struct answer a;
    struct err why;
    assert_int_equal(ask(F.m, &k, 1, &cascade, &a, &why), ERR_MISMATCH);
    assert_non_null(strstr(why.msg, "no summary state"));
    kvz_close(k);
    // One whose tokens all are sinks needs none until it grows.
    o = small(both, 1, in_dir("grown.kvz"));
    o.window = o.sinks = (int)n * 7 / 8; // more than the first document has
    encode_ok(o, NULL);
    k = open_ok(in_dir("grown.kvz"));
    OK(kvz_summary(k, &t, e));
    assert_int_equal(t.n, 0);
    kvz_close(k);
    encode_ok(add, NULL);
    k = open_ok(in_dir("grown.kvz"));
    assert_true(held_tokens(k, one, CAP).seen > 0);
    kvz_close(k);
}

static void test_append(void **state)
{
    (void)state;
    const char *both[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_result all, grown;
    struct encode_options o = small(both, 2, in_dir("all.kvz"));
    encode_ok(o, &all);
    encode_ok(small(both, 1, in_dir("grown.kvz")), NULL);
    struct encode_options add = {
        .inputs = both + 1, .n_inputs = 1, .out = in_dir("grown.kvz"), .append = 1};
    encode_ok(add, &grown);
    assert_int_equal(grown.tokens, all.tokens);
    assert_int_equal(grown.blocks, all.blocks);
    struct kvz *x = open_ok(in_dir("all.kvz")), *y = open_ok(in_dir("grown.kvz"));
    assert_int_equal(kvz_n_documents(y), 2);
    for (uint64_t i = 0; i < kvz_n_blocks(x); i++) {
        struct kvz_block a, b;
        uint32_t ids[2][256], bytes[2][256];
        OK(kvz_block(x, i, &a, e));
        OK(kvz_block(y, i, &b, e));
        assert_int_equal(a.start, b.start);
        assert_int_equal(a.end, b.end);
        assert_int_equal(a.document, b.document);
        assert_int_equal(a.n_tokens, b.n_tokens);
        OK(kvz_read_tokens(x, i, ids[0], bytes[0], e));
        OK(kvz_read_tokens(y, i, ids[1], bytes[1], e));
        assert_memory_equal(ids[0], ids[1], a.n_tokens * 4);
        assert_memory_equal(bytes[0], bytes[1], a.n_tokens * 4);
        // The window was rebuilt from 8-bit blocks: the second document's keys differ by no more.
        float k[2][2 * 16 * 16], v[2][2 * 16 * 16];
        OK(kvz_read_kv(x, i, 0, k[0], v[0], 16, e));
        OK(kvz_read_kv(y, i, 0, k[1], v[1], 16, e));
        for (uint32_t j = 0; j < 2 * 16 * 16; j++)
            if (j % 256 / 16 < a.n_tokens)
                assert_true(fabsf(k[0][j] - k[1][j]) < 0.2f);
    }
    kvz_close(x);
    kvz_close(y);
    struct err e = {0};
    add.window = 512;
    assert_int_equal(encode_documents(F.m, &add, &grown, &e), ERR_MISMATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_from_nothing),
        cmocka_unit_test(test_stop_while_resuming),
        cmocka_unit_test(test_resume_with_retrieval),
        cmocka_unit_test(test_resume_with_spans),
        cmocka_unit_test(test_resume_with_a_cascading_window),
        cmocka_unit_test(test_resume_refuses_other_input),
        cmocka_unit_test(test_resume_of_an_append),
        cmocka_unit_test(test_too_many_sinks),
        cmocka_unit_test(test_summary_state),
        cmocka_unit_test(test_append),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
