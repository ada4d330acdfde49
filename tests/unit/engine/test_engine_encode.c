// What must always hold of encode, on small random models.
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
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"
#include "tests/unit/tiny_model.h"

struct steps {
    uint64_t n, done, total, tokens;
    double off; // the largest difference between the shares of bytes and of tokens
};

static void count_steps(void *arg, const struct encode_progress *p)
{
    struct steps *s = arg;
    double bytes = (double)p->source_done / (double)p->source_total,
           tokens = (double)p->tokens / (double)s->tokens;
    assert_true(p->source_done >= s->done && p->source_done <= p->source_total);
    s->off = fmax(s->off, fabs(bytes - tokens));
    s->done = p->source_done;
    s->total = p->source_total;
    s->n++;
}

// Files are read in large pieces, long before the model comes to them.
static void test_progress(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt"), in_dir("b.txt")};
    struct encode_result whole;
    struct encode_options o = small(in, 2, in_dir("progress.kvz"));
    encode_ok(o, &whole);
    unlink(o.out);
    struct steps s = {.tokens = whole.tokens};
    o.progress = count_steps;
    o.arg = &s;
    encode_ok(o, NULL);
    assert_true(s.n > 10);
    assert_int_equal(s.done, s.total);
    assert_true(s.off < 0.1);
}

static int64_t tokens_before(const struct kvz *k, uint64_t block)
{
    struct kvz_block b;
    OK(kvz_block(k, block, &b, e));
    return (int64_t)b.token;
}

// A cascading window is a plain one until its local quarter is full, and then sees what a plain one
// of a quarter does not.
static void test_cascading_window(void **state)
{
    (void)state;
    char first[128], second[128];
    const char *in[] = {strcpy(first, in_dir("a.txt")), strcpy(second, in_dir("b.txt"))};
    struct encode_options o = small(in, 2, NULL);
    o.window_kind = "cascade"; // 32 tokens, then three sub-caches of 32
    o.out = in_dir("cascade.kvz");
    encode_ok(o, NULL);
    struct kvz *x = open_ok(o.out);
    assert_string_equal(kvz_meta(x)->positions, "contiguous");
    assert_string_equal(kvz_meta(x)->params, "window=cascade\n");
    o.window_kind = "plain";
    o.window = 32;
    o.positions = "contiguous";
    o.out = in_dir("quarter.kvz");
    encode_ok(o, NULL);
    struct kvz *y = open_ok(o.out);
    int same = 0, other = 0;
    for (uint64_t i = 0; i < kvz_n_blocks(x); i++) {
        float a[2][2 * 16 * 16], b[2][2 * 16 * 16];
        OK(kvz_read_kv(x, i, 2, a[0], a[1], 16, e));
        OK(kvz_read_kv(y, i, 2, b[0], b[1], 16, e));
        double off = 0, all = 0;
        for (int j = 0; j < 2 * 16 * 16; j++) {
            off += (double)fabsf(a[0][j] - b[0][j]);
            all += (double)fabsf(b[0][j]);
        }
        // Sinks (32) and the chunk after them (64) have seen the same; the next one has tokens of
        // the sub-caches in sight.
        int alike = off < 1e-6 * all;
        assert_true(tokens_before(x, i) < 96 ? alike : 1);
        same += alike;
        other += !alike;
    }
    assert_true(same > 0 && other > same);
    kvz_close(x);
    kvz_close(y);
    // One that grows begins with empty sub-caches, and says the same of its window.
    const char *more[] = {in_dir("more.txt")};
    o.append = 1;
    o.inputs = more;
    o.n_inputs = 1;
    o.out = in_dir("cascade.kvz");
    o.window = 128;
    o.window_kind = NULL;
    o.positions = NULL;
    struct encode_result r;
    struct err why;
    encode_ok(o, &r);
    assert_int_equal(r.added_documents, 1);
    o.window_kind = "plain";
    assert_int_equal(encode_documents(F.m, &o, &r, &why), ERR_MISMATCH);
    o.append = 0;
    o.force = 1;
    o.window_kind = "cascade";
    static const struct {
        const char *positions, *says;
        int topk, window;
    } wrong[] = {
        {"window", "contiguous", 0, 128}, {NULL, "--topk", 3, 128}, {NULL, "a quarter", 0, 64}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o.positions = wrong[i].positions;
        o.topk = wrong[i].topk;
        o.window = wrong[i].window;
        assert_int_equal(encode_documents(F.m, &o, &r, &why), ERR_USAGE);
        assert_non_null(strstr(why.msg, wrong[i].says));
    }
}

static void keep_note(void *arg, const char *msg)
{
    char *all = arg;
    strncat(all, msg, 1000 - strlen(all));
}

// The index that grows in the directory that is read is not remarked on; another one is.
static void test_own_output_in_a_directory(void **state)
{
    (void)state;
    char notes[1001] = "", dir[200];
    snprintf(dir, sizeof dir, "%s", in_dir("whole"));
    assert_int_equal(mkdir(dir, 0777) || mkdir(in_dir("whole/b.kvz.part"), 0777), 0);
    write_text("whole/text", 20, 1);
    const char *in[] = {dir};
    struct encode_options o = small(in, 1, in_dir("whole/a.kvz"));
    o.note = keep_note;
    o.arg = notes;
    for (int again = 0; again < 2; again++) {
        encode_ok(o, NULL);
        o.force = 1;
    }
    assert_null(strstr(notes, "a.kvz"));
    assert_non_null(strstr(notes, "b.kvz.part: is an index that is not finished; passed over"));
}

// What cannot be read may be an index. Root may read everything: 65534 is nobody.
static void test_out_that_cannot_be_read(void **state)
{
    (void)state;
    const int is_root = !geteuid();
    const char *out = in_dir("closed.kvz");
    struct err e = {0};
    write_text("closed.kvz", 10, 1);
    assert_int_equal(chmod(out, 0), 0);
    assert_int_equal(chmod(own_dir(), 0755), 0);
    if (is_root)
        assert_int_equal(setresuid(65534, 65534, 0), 0);
    assert_int_equal(encode_out_check(out, 1, &e), ERR_IO);
    if (is_root)
        assert_int_equal(setresuid(0, 0, 0), 0);
    assert_non_null(strstr(e.msg, "closed.kvz: cannot read what is there: Permission denied"));
}

static void test_retrieval_changes_what_is_encoded(void **state)
{
    (void)state;
    const char *in[] = {in_dir("a.txt")};
    struct encode_options o = small(in, 1, in_dir("k0.kvz"));
    encode_ok(o, NULL);
    o.out = in_dir("k4.kvz");
    o.topk = 4;
    encode_ok(o, NULL);
    struct kvz *x = open_ok(in_dir("k0.kvz")), *y = open_ok(in_dir("k4.kvz"));
    float a[2][512], b[2][512];
    uint64_t last = kvz_n_blocks(x) - 2;
    OK(kvz_read_kv(x, last, 2, a[0], a[1], 16, e));
    OK(kvz_read_kv(y, last, 2, b[0], b[1], 16, e));
    assert_memory_not_equal(a[1], b[1], sizeof a[1]);
    kvz_close(x);
    kvz_close(y);
}

// -------------------------------------------------------------- templates, unusual inputs, options

// A template that is not known is said to be, and no other put in its place.
static void test_unknown_template(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    for (int i = 0; i < 2; i++) {
        struct model *m;
        char notes[1001] = "";
        struct tiny_options o = {.template_text = "{{ bos }}<|speaker|>{{ messages[0].content }}"};
        struct encode_options eo = small(in, 1, in_dir("odd.kvz"));
        eo.template_name = i ? "chatml" : NULL;
        eo.note = keep_note;
        eo.arg = notes;
        eo.force = 1;
        OK(tiny_model_write(in_dir("odd.gguf"), &o, e));
        OK(model_open(&m, in_dir("odd.gguf"), F.d, e));
        assert_null(model_info(m)->template_name);
        struct encode_result r;
        OK(encode_documents(m, &eo, &r, e));
        assert_int_equal(!strstr(notes, "template is not one that is known"), i);
        struct kvz *k = open_ok(in_dir("odd.kvz"));
        assert_string_equal(kvz_meta(k)->template_name, i ? "chatml" : "raw");
        kvz_close(k);
        model_close(m);
    }
}

// The name of a model that is too long for the index is cut between characters.
static void test_long_name(void **state)
{
    (void)state;
    char name[65] = "", cut[64] = "";
    for (int i = 0; i < 32; i++)
        strcat(name, "\u00e9");
    for (int i = 0; i < 30; i++)
        strcat(cut, "\u00e9");
    strcat(cut, "...");
    const char *in[] = {in_dir("b.txt")};
    struct model *m;
    struct encode_options o = small(in, 1, in_dir("named.kvz"));
    struct encode_result r;
    OK(tiny_model_write(in_dir("named.gguf"), &(struct tiny_options){.name = name}, e));
    OK(model_open(&m, in_dir("named.gguf"), F.d, e));
    OK(encode_documents(m, &o, &r, e));
    struct kvz *k = open_ok(in_dir("named.kvz"));
    assert_string_equal(kvz_meta(k)->model, cut);
    kvz_close(k);
    model_close(m);
}

static void write_bytes(const char *name, const char *p, size_t n)
{
    FILE *f = begin_file(name);
    assert_int_equal(fwrite(p, 1, n, f), n);
    end_file(f);
}

// The text of all blocks, to BACK. Returns its bytes.
static size_t read_back(const struct kvz *k, char *back)
{
    size_t at = 0;
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++) {
        struct kvz_block info;
        OK(kvz_block(k, b, &info, e));
        assert_int_equal(info.start, at);
        OK(kvz_read_text(k, b, back + at, e));
        at = info.end;
    }
    return at;
}

static void test_unusual_documents(void **state)
{
    (void)state;
    char *line = malloc(20000);
    assert_non_null(line);
    memset(line, 'x', 20000);
    static const struct {
        const char *name, *text;
        size_t n;
    } docs[] = {
        {"short.txt", "Hi.", 3},
        {"invalid.txt", "caf\xe9 \xff\xfe\x80 end \xc3", 15},
        {"nul.txt", "a\0b\0\0c", 6},
    };
    for (size_t i = 0; i <= sizeof docs / sizeof *docs; i++) {
        int last = i == sizeof docs / sizeof *docs;
        const char *name = last ? "line.txt" : docs[i].name, *text = last ? line : docs[i].text;
        size_t n = last ? 20000 : docs[i].n;
        write_bytes(name, text, n);
        const char *in[] = {in_dir(name)};
        struct encode_result r;
        encode_ok(small(in, 1, in_dir("unusual.kvz")), &r);
        assert_int_equal(r.text_bytes, n);
        struct kvz *k = open_ok(in_dir("unusual.kvz"));
        char *back = malloc(n + 1);
        const char *all;
        uint64_t bytes;
        assert_int_equal(read_back(k, back), n);
        assert_memory_equal(back, text, n);
        OK(kvz_text(k, &all, &bytes, e)); // from here on blocks are read from there
        memset(back, 0, n);
        assert_int_equal(read_back(k, back), n);
        assert_memory_equal(back, text, n);
        struct answer a;
        OK(ask(F.m, &k, 1, &(struct ask_options){.question = "What?", .max_tokens = 12}, &a, e));
        answer_done(&a);
        free(back);
        kvz_close(k);
    }
    free(line);
    write_bytes("empty.txt", "", 0);
    const char *empty[] = {in_dir("empty.txt")}, *mixed[] = {in_dir("empty.txt"), in_dir("b.txt")};
    struct encode_options o = small(empty, 1, in_dir("empty.kvz"));
    struct encode_result r;
    struct err e = {0};
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_FORMAT);
    assert_non_null(strstr(e.msg, "no text"));
    assert_int_equal(access(in_dir("empty.kvz"), F_OK), -1);
    assert_int_equal(access(in_dir("empty.kvz.part"), F_OK), -1);
    encode_ok(small(mixed, 2, in_dir("mixed.kvz")), &r); // with a note
    assert_int_equal(r.documents, 1);
}

// Bytes of the index of "0,0,0,0 ..." and of prose, in this order or the other one.
static long two_documents(int prose_first)
{
    const char *in[] = {in_dir(prose_first ? "a.txt" : "zeros.csv"),
                        in_dir(prose_first ? "zeros.csv" : "a.txt")};
    struct encode_options o = small(in, 2, in_dir("zeros.kvz"));
    struct stat is;
    o.window = 512; // the head of the template is part of it
    o.force = 1;
    encode_ok(o, NULL);
    assert_int_equal(stat(o.out, &is), 0);
    return (long)is.st_size;
}

// What comes first does not make all that follows take several times its room.
static void test_a_uniform_beginning(void **state)
{
    (void)state;
    char zeros[4096];
    for (size_t i = 0; i < sizeof zeros; i++)
        zeros[i] = "0,0,0,0,\n"[i % 9];
    write_bytes("zeros.csv", zeros, sizeof zeros);
    const long prose_first = two_documents(1), zeros_first = two_documents(0);
    print_message("%ld bytes with the prose first, %ld behind the zeros\n", prose_first,
                  zeros_first);
    assert_true(zeros_first < prose_first * 5 / 4);
}

static void test_options_that_contradict(void **state)
{
    (void)state;
    const char *in[] = {in_dir("b.txt")};
    struct encode_options bad[] = {small(in, 1, NULL), small(in, 1, NULL), small(in, 1, NULL),
                                   small(in, 1, NULL), small(in, 1, NULL)};
    bad[0].chunk = 50;
    bad[1].sinks = 4000;
    bad[2].positions = "sideways";
    bad[3].method = "magic";
    bad[4].template_name = "klingon";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct encode_result r;
        struct err e = {0};
        bad[i].out = in_dir("bad.kvz");
        assert_int_equal(encode_documents(F.m, &bad[i], &r, &e), ERR_USAGE);
        assert_int_equal(access(bad[i].out, F_OK), -1);
    }
    struct encode_result r;
    struct err e = {0};
    struct encode_options o = small(in, 1, in_dir("twice.kvz"));
    encode_ok(o, NULL);
    assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_IO);
    assert_non_null(strstr(e.msg, "twice.kvz exists; --force replaces it"));
}

// A block that was chosen needs no chunk to be chosen.
static void test_a_chunk_follows_the_block(void **state)
{
    (void)state;
    static const int blocks[][2] = {{48, 480}, {16, 512}, {200, 400}, {255, 510}};
    const char *in[] = {in_dir("b.txt")};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct encode_options o = small(in, 1, in_dir("chunk.kvz"));
        struct encode_result r;
        struct err e = {0};
        o.block = blocks[i][0];
        o.window = o.chunk = 512;
        o.force = 1;
        if (blocks[i][1] != 512)
            assert_int_equal(encode_documents(F.m, &o, &r, &e), ERR_USAGE);
        o.chunk = 0;
        encode_ok(o, NULL);
        struct kvz *k = open_ok(in_dir("chunk.kvz"));
        assert_int_equal(kvz_meta(k)->chunk, blocks[i][1]);
        kvz_close(k);
    }
}

// What is said of the size of an index before it is made is near to what it has.
static void test_size_beforehand(void **state)
{
    (void)state;
    for (int sentences = 100; sentences <= 1600; sentences *= 4) {
        double token, file;
        OK(encode_token_bytes(F.m, &token, &file, e));
        write_text("size.txt", sentences, 7);
        const char *in[] = {in_dir("size.txt")};
        struct encode_options o = {.inputs = in, .n_inputs = 1, .out = in_dir("size.kvz")};
        encode_ok(o, NULL);
        struct kvz *k = open_ok(o.out);
        const double about = token * (double)kvz_n_tokens(k) + file;
        struct stat is;
        assert_int_equal(stat(o.out, &is), 0);
        assert_true(about > 0.78 * (double)is.st_size && about < 1.1 * (double)is.st_size);
        kvz_close(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_cascading_window),
        cmocka_unit_test(test_own_output_in_a_directory),
        cmocka_unit_test(test_out_that_cannot_be_read),
        cmocka_unit_test(test_retrieval_changes_what_is_encoded),
        cmocka_unit_test(test_unknown_template),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_unusual_documents),
        cmocka_unit_test(test_a_uniform_beginning),
        cmocka_unit_test(test_options_that_contradict),
        cmocka_unit_test(test_a_chunk_follows_the_block),
        cmocka_unit_test(test_size_beforehand),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
