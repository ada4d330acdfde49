// The whole CUDA backend on the processor: its files compiled as C, every kernel a loop over its
// blocks, steps and threads. What only a GPU can show (that nvcc's code does the same, that a
// barrier stands where two steps meet, the driver, cuBLAS) is tests/unit/test_cuda.c's.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cache/reader.h"
#include "tests/unit/cuda_emulated.h"
#include "tests/unit/device_place.h"
#include "tests/unit/device_tests.h"
#include "tests/unit/kernel_cases.h"
#include "tests/unit/ok.h"

// clang-format off: each file as a translation unit would have it
#include "kernels/half.h"
#include "kernels/cuda/cuda.cu"
#include "kernels/cuda/cuda_memory.cu"
#include "kernels/cuda/cuda_step.cu"
#include "kernels/cuda/cuda_rows.cu"
#include "kernels/cuda/cuda_draw.cu"
#include "kernels/cuda/cuda_matmul.cu"
#include "kernels/cuda/cuda_attend.cu"
#include "kernels/cuda/cuda_scan.cu"
#include "kernels/cuda/cuda_elect.cu"
#include "kernels/cuda/cuda_divide.cu"
#include "kernels/cuda/cuda_stage.cu"
#include "kernels/cuda/cuda_chunk.cu"
#include "kernels/cuda/cuda_blocks.cu"
#include "kernels/cuda/cuda_coded.cu"
#include "kernels/cuda/cuda_art.cu"
// clang-format on

// ---- cuBLAS, in plain C: halves multiplied, sums in float32

struct cublas {
    int fails;
};

static struct cublas emulated_cublas;
static int with_cublas;

struct cublas *cublas_open(struct err *e)
{
    (void)e;
    return with_cublas ? &emulated_cublas : NULL;
}

void cublas_close(struct cublas *b)
{
    (void)b;
}

int cublas_product(struct cublas *b, void *stream, const struct cublas_product *p, struct err *e)
{
    (void)stream;
    if (b->fails)
        return err_set(e, ERR_DEVICE, "cuda: cublasGemmEx of %d x %d x %d: status 13", p->n,
                       p->rows, p->cols);
    for (int i = 0; i < p->n; i++)
        for (int r = 0; r < p->rows; r++) {
            float sum = p->add ? p->out[(size_t)i * (size_t)p->rows + (size_t)r] : 0;
            for (int k = 0; k < p->cols; k++)
                sum += half_to_float(p->x[(size_t)i * (size_t)p->cols + (size_t)k]) *
                       half_to_float(p->w[(size_t)r * (size_t)p->cols + (size_t)k]);
            p->out[(size_t)i * (size_t)p->rows + (size_t)r] = sum;
        }
    return 0;
}

static void open_tested(int is_exact)
{
    struct err e;
    if (device_open(&tested, &(struct device_options){.name = "cuda", .exact = is_exact}, NULL, 0,
                    &e))
        fail_msg("%s", e.msg);
}

static void close_tested(void)
{
    device_close(tested);
    tested = NULL;
    assert_int_equal(emulated.n_allocations, 0);
}

// Products in half precision: the weights kept, and brought over each time.
static void halves(void **state)
{
    size_t room = emulated.free_bytes;
    close_tested();
    with_cublas = 1;
    product_tolerance = 1e-3;
    for (int kept = 0; kept < 2; kept++) {
        emulated.free_bytes = kept ? room : 0;
        open_tested(0);
        device_matmul(state);
        if (kept)
            device_models(state);
        close_tested();
    }
    product_tolerance = 1e-6;
    with_cublas = 0;
    emulated.free_bytes = room;
    open_tested(1);
}

// Chunks with tensor cores, on devices of few and of many multiprocessors.
static void tensors(void **state)
{
    close_tested();
    product_tolerance = 1e-3;
    for (emulated.n_sms = 1; emulated.n_sms < 200; emulated.n_sms += 131) {
        open_tested(0);
        device_attend(state);
        device_attend_nan(state);
        close_tested();
    }
    emulated.n_sms = 1;
    product_tolerance = 1e-6;
    open_tested(1);
}

// A weight that half precision does not hold sends the product to our own kernel.
static void large_weights(void **state)
{
    (void)state;
    enum { N = 12, COLS = 8, ROWS = 4 };
    struct err e;
    float w[ROWS * COLS] = {1e5f, 1, 2, 3}, x[N * COLS], out[N * ROWS];
    for (int i = 0; i < N * COLS; i++)
        x[i] = (float)(i % 7);
    close_tested();
    with_cublas = 1;
    open_tested(0);
    struct mat m = {.data = w, .type = QUANT_F32, .rows = ROWS, .cols = COLS};
    assert_int_equal(tested->ops->mat_init(tested, &m, &e), 0);
    for (int again = 0; again < 2; again++) {
        tested->ops->matmul(tested, out, &m, x, NULL, NULL, N);
        assert_int_equal(tested->ops->sync(tested, &e), 0);
        for (int i = 0; i < N; i++)
            assert_true(out[ROWS * i] == 1e5f * x[COLS * i] + x[COLS * i + 1] +
                                             2 * x[COLS * i + 2] + 3 * x[COLS * i + 3]);
    }
    tested->ops->mat_done(tested, &m);
    with_cublas = 0;
    close_tested();
    open_tested(1);
}

// A device of many multiprocessors: the same answers from other splits.
static void many_sms(void **state)
{
    int n_sms = emulated.n_sms;
    close_tested();
    emulated.n_sms = 132;
    open_tested(1);
    device_attend(state);
    device_attend_nan(state);
    close_tested();
    emulated.n_sms = n_sms;
    open_tested(1);
}

// The first error stays until sync, names the operation, and is gone behind it.
static void errors(void **state)
{
    (void)state;
    struct err e;
    float x[64] = {1}, w[64] = {1}, out[64];
    close_tested(); // nothing is kept that could be used instead
    open_tested(1);
    emulated.fail_in = 1;
    assert_null(tested->ops->alloc(tested, 1 << 20, &e));
    assert_int_equal(e.code, ERR_NOMEM);
    assert_non_null(strstr(e.msg, "1.0 MiB"));
    assert_non_null(strstr(e.msg, "--device cpu"));

    emulated.fail_sync = 1;
    tested->ops->rmsnorm(tested, out, x, w, NULL, 1, 64, 1);
    tested->ops->gate(tested, out, x, 64, ACT_SILU);
    assert_int_equal(tested->ops->sync(tested, &e), ERR_DEVICE);
    assert_non_null(strstr(e.msg, "cuda_rmsnorm to cuda_gate: unknown error"));
    emulated.fail_sync = 1;
    tested->ops->gate(tested, out, x, 64, ACT_SILU);
    assert_int_equal(tested->ops->sync(tested, &e), ERR_DEVICE);
    assert_non_null(strstr(e.msg, "cuda: cuda_gate: unknown error"));
    assert_int_equal(tested->ops->sync(tested, &e), 0);

    struct attend_piece p = {.k = x, .v = x, .n = 1, .stride = 1};
    struct attend a = {.q = x,
                       .out = out,
                       .n_q = 1,
                       .n_heads = 1,
                       .n_kv_heads = 1,
                       .head_dim = 5000,
                       .scale = 1,
                       .pieces = &p,
                       .n_pieces = 1};
    tested->ops->attend(tested, &a);
    tested->ops->rmsnorm(tested, out, x, w, NULL, 1, 64, 1); // nothing happens behind the error
    assert_int_equal(tested->ops->sync(tested, &e), ERR_UNSUPPORTED);
    assert_non_null(strstr(e.msg, "attend"));
    assert_int_equal(tested->ops->sync(tested, &e), 0);

    struct attend_piece many[CUDA_PIECES + 1];
    for (int i = 0; i <= CUDA_PIECES; i++)
        many[i] = p;
    a.head_dim = 4;
    a.pieces = many;
    a.n_pieces = CUDA_PIECES + 1;
    tested->ops->attend(tested, &a);
    assert_int_equal(tested->ops->upload(tested, out, x, sizeof x, &e), ERR_UNSUPPORTED);
    assert_int_equal(tested->ops->upload(tested, out, x, sizeof x, &e), 0);
}

// --vram: what is given back is used again, what is too much is refused with a way out, and what is
// kept only for speed gives way.
static void little_memory(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20 };
    struct err e;
    close_tested();
    if (device_open(&tested, &(struct device_options){.name = "cuda", .exact = 1, .vram = LIMIT},
                    NULL, 0, &e))
        fail_msg("%s", e.msg);
    int before = emulated.n_allocations;
    for (int i = 0; i < 5; i++) {
        float *p = tested->ops->alloc(tested, (size_t)(LIMIT / 16 - 256 * i), &e);
        assert_non_null(p);
        assert_true(p[0] == 0 && p[1000] == 0);
        p[0] = p[1000] = 7;
        tested->ops->free(tested, p);
    }
    assert_int_equal(emulated.n_allocations, before + 1);
    void *most = tested->ops->alloc(tested, LIMIT, &e); // what is unused has to go first
    assert_non_null(most);
    assert_int_equal(emulated.n_allocations, before + 1);
    assert_null(tested->ops->alloc(tested, 256, &e));
    assert_int_equal(e.code, ERR_NOMEM);
    assert_non_null(strstr(e.msg, "cuda: the context: 0.0 MiB of GPU memory needed, 1.0 MiB in "
                                  "use, 0.0 of 1.0 MiB left of --vram"));
    assert_non_null(strstr(e.msg, "a larger --vram allows more, a smaller --window"));
    tested->ops->free(tested, most);
    assert_null(tested->ops->alloc(tested, SIZE_MAX, &e));
    uint8_t w[20] = {0};
    struct mat m = {.data = w, .type = QUANT_Q4_1, .rows = 1, .cols = 32}, large = m;
    large.rows = 1 << 20; // never read: there is no room for it
    assert_int_equal(tested->ops->mat_init(tested, &large, &e), ERR_NOMEM);
    assert_non_null(strstr(e.msg, "the model's weights: 20.0 MiB"));
    assert_int_equal(tested->ops->mat_init(tested, &m, &e), 0);
    tested->ops->mat_done(tested, &m);
    close_tested();
    open_tested(1);
}

// Keys of an index stay on the device, while nothing else needs the room.
static void kept_keys(void **state)
{
    (void)state;
    enum { N = 64, DIM = 16, LIMIT = 1 << 20 };
    static int8_t keys[N * DIM];
    const uint64_t start[] = {0, N};
    float q[DIM] = {1}, scale[N], lse[3];
    struct err e;
    close_tested();
    if (device_open(&tested, &(struct device_options){.name = "cuda", .exact = 1, .vram = LIMIT},
                    NULL, 0, &e))
        fail_msg("%s", e.msg);
    for (int i = 0; i < N; i++)
        scale[i] = 1;
    struct scan s = {.q = q,
                     .n_q = 1,
                     .head_dim = DIM,
                     .scale = 1,
                     .keys = keys,
                     .key_scale = scale,
                     .start = start,
                     .n_blocks = 1,
                     .name = 5};
    for (int i = 0; i < 3; i++) {
        s.lse = &lse[i];
        tested->ops->scan(tested, &s);
        assert_int_equal(tested->ops->sync(tested, &e), 0);
        keys[0] = 10; // which a named scan does not look at again, until it has to
        if (i == 1) {
            void *large = tested->ops->alloc(tested, LIMIT - 2048, &e);
            assert_non_null(large);
            tested->ops->free(tested, large);
        }
    }
    const uint64_t later[] = {N / 2, N}; // other blocks of the same keys
    float half;
    s.start = later;
    s.lse = &half;
    tested->ops->scan(tested, &s);
    assert_int_equal(tested->ops->sync(tested, &e), 0);
    assert_true(fabsf(half - logf(N / 2)) < 1e-5f);
    s.start = start;
    assert_true(fabsf(lse[0] - logf(N)) < 1e-5f);
    assert_true(lse[1] == lse[0] && lse[2] > 10 && lse[2] < 10.01f);
    close_tested();
    open_tested(1);
    emulated.fail_in = 1; // the copy: it is done without
    s.lse = &lse[1];
    tested->ops->scan(tested, &s);
    assert_int_equal(tested->ops->sync(tested, &e), 0);
    emulated.fail_in = 0;
    assert_true(lse[1] == lse[2]);
}

// Blocks stay on the device by what they were worth, and give way to what has to be there.
static void kept_blocks(void **state)
{
    enum { SLOTS = 16, BYTES = 1024, LIMIT = 4 * SLOTS * BYTES / 3 + 1024 };
    struct rows r = {1, BYTES / 4, 1, BYTES / 4, 0};
    struct err e;
    close_tested();
    open_tested(1);
    device_ask(state);
    assert_true(((struct cuda *)tested->self)->blocks.used > 0);
    close_tested();
    if (device_open(&tested, &(struct device_options){.name = "cuda", .exact = 1, .vram = LIMIT},
                    NULL, 0, &e))
        fail_msg("%s", e.msg);
    float rows[BYTES / 4] = {0}, got[BYTES / 4];
    for (uint64_t name = 1; name <= SLOTS; name++) {
        rows[0] = (float)name;
        tested->ops->keep(tested, name, rows, &r);
    }
    assert_int_equal(((struct cuda *)tested->self)->blocks.n, SLOTS);
    uint64_t names[SLOTS];
    float mass[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
        names[i] = (uint64_t)(i + 1);
        mass[i] = i == 6 ? 1 : i == 3 ? 9 : 50;
    }
    tested->ops->worth(tested, names, mass, SLOTS);
    tested->ops->worth(tested, &names[6], &(float){1}, 1); // 7 is worth 1.1 now, 4 only 0.9
    tested->ops->keep(tested, 100, rows, &r);
    assert_int_equal(tested->ops->recall(tested, 4, got, &r), 0);
    tested->ops->keep(tested, 101, rows, &r);
    assert_int_equal(tested->ops->recall(tested, 7, got, &r), 0);
    for (uint64_t name = 1; name <= SLOTS; name++)
        if (name != 4 && name != 7) {
            assert_int_equal(tested->ops->recall(tested, name, got, &r), 1);
            assert_true(got[0] == (float)name);
        }
    void *all = tested->ops->alloc(tested, LIMIT - 1024, &e);
    assert_non_null(all);
    assert_int_equal(tested->ops->recall(tested, 1, got, &r), 0);
    tested->ops->keep(tested, 1, rows, &r); // for which there is no room
    assert_int_equal(tested->ops->recall(tested, 1, got, &r), 0);
    tested->ops->free(tested, all);
    tested->ops->keep(tested, 1, rows, &r);
    assert_int_equal(tested->ops->recall(tested, 1, got, &r), 1);
    emulated.fail_sync = 1; // then nothing is to be relied on
    assert_int_equal(tested->ops->sync(tested, &e), ERR_DEVICE);
    assert_int_equal(tested->ops->recall(tested, 1, got, &r), 0);
    close_tested();
    open_tested(1);
}

// The same rule in plain C: what is least worth goes, of equals what has been there longest.
struct plain_slot {
    uint64_t name;
    float worth;
};

enum { PLAIN_SLOTS = 20 };

struct plain_blocks { // oldest first
    struct plain_slot slots[PLAIN_SLOTS];
    int n;
};

static int plain_find(const struct plain_blocks *b, uint64_t name)
{
    for (int i = 0; i < b->n; i++)
        if (b->slots[i].name == name)
            return i;
    return -1;
}

static void plain_keep(struct plain_blocks *b, uint64_t name)
{
    if (plain_find(b, name) >= 0)
        return;
    if (b->n == PLAIN_SLOTS) {
        int least = 0;
        for (int i = 1; i < b->n; i++)
            least = b->slots[i].worth < b->slots[least].worth ? i : least;
        memmove(&b->slots[least], &b->slots[least + 1],
                (size_t)(--b->n - least) * sizeof *b->slots);
    }
    b->slots[b->n++] = (struct plain_slot){name, FLT_MAX};
}

static void plain_worth(struct plain_blocks *b, const uint64_t *names, const float *mass, int n)
{
    for (int i = 0; i < b->n; i++)
        b->slots[i].worth = b->slots[i].worth == FLT_MAX ? 0 : b->slots[i].worth * 0.1f;
    for (int k = 0; k < n; k++)
        if (plain_find(b, names[k]) >= 0)
            b->slots[plain_find(b, names[k])].worth += mass[k];
}

// Questions that bring and read what they like, some of them more than there is room for.
static void kept_as_in_plain_c(void **state)
{
    (void)state;
    enum { FLOATS = 256, NAMES = 60, LIMIT = 4 * PLAIN_SLOTS * FLOATS * 4 / 3 + 1024 };
    const struct rows r = {1, FLOATS, 1, FLOATS, 0};
    struct plain_blocks plain = {.n = 0};
    float rows[FLOATS], got[FLOATS];
    int gone = 0;
    struct err e;
    close_tested();
    if (device_open(&tested, &(struct device_options){.name = "cuda", .exact = 1, .vram = LIMIT},
                    NULL, 0, &e))
        fail_msg("%s", e.msg);
    for (int question = 0; question < 200; question++) {
        uint64_t names[30];
        float mass[30];
        int n = 1 + (int)(next_random() % 30);
        for (int i = 0; i < n; i++) {
            names[i] = 1 + next_random() % NAMES * (next_random() % 3 ? 1 : 3) % NAMES +
                       (uint64_t)(1 << 14) * (next_random() % 2);
            mass[i] = next_random() % 4 ? fabsf(uniform()) : 0;
            for (int k = 0; k < FLOATS; k++)
                rows[k] = (float)names[i] + (float)k;
            tested->ops->keep(tested, names[i], rows, &r);
            plain_keep(&plain, names[i]);
        }
        if (question % 7)
            tested->ops->worth(tested, names, mass, n), plain_worth(&plain, names, mass, n);
        for (uint64_t name = 1; name <= (1 << 14) + NAMES;
             name += name == NAMES ? (1 << 14) - NAMES + 1 : 1) {
            int there = tested->ops->recall(tested, name, got, &r);
            assert_int_equal(there, plain_find(&plain, name) >= 0);
            assert_true(!there ||
                        (got[0] == (float)name && got[FLOATS - 1] == (float)name + FLOATS - 1));
            gone += !there;
        }
    }
    assert_int_equal(((struct cuda *)tested->self)->blocks.n, PLAIN_SLOTS);
    assert_true(gone > 1000);
    close_tested();
    open_tested(1);
}

// An index of which the device's memory holds a small part, as it is stored and as floats: question
// after question other blocks are read, every answer is the processor's, and the limit is kept. All
// of it at once does not fit, and the message says so.
static void larger_than_memory(void **state)
{
    (void)state;
    enum { LIMIT = 2800 << 10, LINES = 900, QUESTIONS = 8 };
    struct place p;
    struct device *cpu;
    struct kvz *k;
    char index[64], question[64], here[4096], there[4096];
    struct ask_options o = {.budget = 256,
                            .scope = "question",
                            .allot = "fixed",
                            .read = READ_CACHED,
                            .question = question};
    uint64_t brought = 0;
    int most = 0;
    place_new(&p);
    place_text(&p, LINES);
    place_cpu(&cpu);
    snprintf(index, sizeof index, "%s/large.kvz", p.dir);
    place_encode(cpu, &p, index, "top", (struct kvz_recipe){1, 8, 8, 1});
    OK(kvz_open(&k, index, e));
    const struct kvz_meta *t = kvz_meta(k);
    assert_true(kvz_n_tokens(k) * t->n_layers * 2 * t->n_kv_heads * t->head_dim >
                LIMIT); // of one byte each
    kvz_close(k);
    close_tested();
    OK(device_open(&tested, &(struct device_options){.name = "cuda", .exact = 1, .vram = LIMIT},
                   NULL, 0, e));
    const struct cuda *c = (const struct cuda *)tested->self;
    for (int i = 0; i < QUESTIONS; i++) {
        o.select = i % 2 ? "vote" : "bm25";
        snprintf(question, sizeof question, "Which boats were carried under bridge %d?",
                 i * 197 % LINES);
        assert_int_equal(place_ask(cpu, &p, index, o, here, sizeof here), 0);
        if (place_ask(tested, &p, index, o, there, sizeof there))
            fail_msg("%s", there);
        assert_string_equal(there, here);
        assert_true(c->held <= LIMIT && c->in_use <= c->held);
        brought = c->blocks.clock > brought ? c->blocks.clock : brought;
        most = c->blocks.n > most ? c->blocks.n : most;
    }
    assert_true(most > 0 && brought > (uint64_t)most); // blocks gave way to others
    o.budget = 1 << 20;
    assert_int_equal(place_ask(tested, &p, index, o, there, sizeof there), ERR_NOMEM);
    assert_true(strstr(there, "left of --vram") && strstr(there, "--budget (query) needs less"));
    unlink(index);
    device_close(cpu);
    place_done(&p);
    close_tested();
    open_tested(1);
}

// Memory that there is not: the message says for what, how much of it, and what takes less.
static void what_needs_less(void **state)
{
    (void)state;
    enum { N = 3000, DIM = 64 };
    static float k[N * DIM], v[N * DIM], q[DIM * 8], out[DIM * 8];
    uint64_t start[] = {0, N}, read[2];
    static int8_t keys[N * DIM];
    static float scale[N], lse[8];
    struct err e;
    struct attend_piece p = {.k = k, .v = v, .n = N, .stride = N, .art = 1};
    const struct art art = {.scale = 1, .direction = 1, .patience = 1, .block = 16, .read = read};
    const struct attend whole = {.q = q,
                                 .out = out,
                                 .n_q = 8,
                                 .n_heads = 1,
                                 .n_kv_heads = 1,
                                 .head_dim = DIM,
                                 .scale = 1,
                                 .pieces = &p,
                                 .n_pieces = 1};
    struct attend early = whole;
    early.n_q = 1;
    early.art = &art;
    const struct scan s = {.q = q,
                           .n_q = 8,
                           .head_dim = DIM,
                           .scale = 1,
                           .keys = keys,
                           .key_scale = scale,
                           .start = start,
                           .n_blocks = 1,
                           .lse = lse};
    static const char *const expected[][3] = {
        {"cuda: attend: ", "MiB of GPU memory needed", "a smaller --chunk"},
        {"cuda: attend: ", "MiB of GPU memory needed", "--art-scale"},
        {"cuda: scan: ", "MiB of GPU memory needed", "--device cpu"}};
    for (int i = 0; i < 3; i++) {
        close_tested(); // nothing is there that could be used again
        open_tested(1);
        emulated.fail_in = 1;
        if (i < 2)
            tested->ops->attend(tested, i ? &early : &whole);
        else
            tested->ops->scan(tested, &s);
        assert_int_equal(tested->ops->sync(tested, &e), ERR_NOMEM);
        for (int w = 0; w < 3; w++)
            if (!strstr(e.msg, expected[i][w]))
                fail_msg("%s: no '%s'", e.msg, expected[i][w]);
        assert_int_equal(emulated.fail_in, 0);
    }
}

// No allocation that fails loses memory or an error.
static void no_memory(void **state)
{
    (void)state;
    struct err e;
    uint8_t w[20 * 16] = {0};
    float x[9 * 32] = {0}, out[9 * 16];
    for (int fail_in = 1; fail_in < 6; fail_in++) {
        close_tested();
        with_cublas = 1;
        open_tested(0);
        struct mat m = {.data = w, .type = QUANT_Q4_1, .rows = 16, .cols = 32};
        emulated.fail_in = fail_in;
        int rc = tested->ops->mat_init(tested, &m, &e);
        assert_int_equal(rc, fail_in == 1 ? ERR_NOMEM : 0);
        if (!rc) {
            tested->ops->matmul(tested, out, &m, x, NULL, NULL, 9);
            rc = tested->ops->sync(tested,
                                   &e); // 2: no room to keep halves, so they are made each time
            assert_int_equal(rc, fail_in == 3 ? ERR_NOMEM : 0);
            tested->ops->mat_done(tested, &m);
        }
        emulated.fail_in = 0;
    }
    with_cublas = 0;
    close_tested();
    open_tested(1);
}

// Passes over one token are one graph, launched again for each of them; without graphs the same
// comes of it.
static void graphs(void **state)
{
    for (emulated.fail_graphs = 0; emulated.fail_graphs <= 2; emulated.fail_graphs++) {
        close_tested();
        open_tested(1);
        emulated.n_graphs = emulated.n_replays = 0;
        device_steps(state);
        if (emulated.fail_graphs) {
            assert_int_equal(emulated.n_graphs, 0);
            continue;
        }
        // With logits at every third token each change of shape is sent off as it is, and of what
        // comes alike after it a graph is made; of the best alone, 40 tokens and one of another
        // stream, one graph.
        assert_true(emulated.n_graphs <= 14 &&
                    emulated.n_replays >= 2 * (emulated.n_graphs - 1) + 39);
        emulated.n_graphs = emulated.n_replays = 0;
        device_ask_copies(
            state); // what is added to logits is no reason to send anything off for itself
        assert_true(emulated.n_replays >= 12 - 3);
    }
    emulated.fail_graphs = 0;
    close_tested();
    open_tested(1);
}

// What is listed is done before anything that could tell, in order, and done where a step is never
// ended.
static void lists(void **state)
{
    (void)state;
    enum { N = 64, MANY = 3000 };
    struct err e;
    float *x = tested->ops->alloc(tested, N * sizeof *x, &e), got[N], one[N], max;
    struct cuda *c = (struct cuda *)tested->self;
    for (int i = 0; i < N; i++)
        one[i] = 1;
    for (int how = 0; how < 6; how++) {
        tested->ops->step(tested, 1);
        assert_int_equal(tested->ops->upload(tested, x, one, sizeof one, &e),
                         0); // which ends the list
        assert_int_equal(c->step.is_open, 0);
        tested->ops->step(tested, 1);
        for (int i = 0; i < (how == 5 ? MANY : 2); i++)
            tested->ops->rmsnorm(tested, x, x, x, x, 1, N,
                                 0); // 2, then 4: x * w is 1, 2 at each turn
        assert_true(how == 5 || (c->step.n == 2 && x[0] == 1));
        if (how == 0)
            tested->ops->step(tested, 0);
        else if (how == 1)
            tested->ops->free(tested, tested->ops->alloc(tested, 1 << 20, &e));
        else if (how == 2)
            tested->ops->step(tested, 1);
        else if (how == 3)
            tested->ops->scan(tested, &(struct scan){.q = one,
                                                     .n_q = 1,
                                                     .head_dim = 4,
                                                     .keys = (int8_t[4]){0},
                                                     .key_scale = one,
                                                     .start = (uint64_t[]){0, 0},
                                                     .n_blocks = 1,
                                                     .max = &max});
        assert_int_equal(tested->ops->download(tested, got, x, sizeof got, &e), 0);
        assert_true(how == 5 || got[N - 1] == 4);
        assert_int_equal(c->step.n, 0);
    }
    emulated.fail_in = 1; // no room for so many parameters
    tested->ops->step(tested, 1);
    for (int i = 0; i < 3 * MANY; i++)
        tested->ops->rmsnorm(tested, x, x, x, NULL, 1, N, 0);
    tested->ops->step(tested, 0);
    assert_int_not_equal(tested->ops->sync(tested, &e), 0);
    assert_non_null(strstr(e.msg, "step"));
    tested->ops->free(tested, x);
}

static int make_failing(int waits, int n)
{
    int came = !emulated.fail_in && !emulated.fail_sync;
    emulated.fail_in = emulated.fail_sync = 0;
    close_tested();
    open_tested(1);
    *(waits ? &emulated.fail_sync : &emulated.fail_in) = n;
    return came;
}

// Whatever allocation or wait of a question fails, nothing is lost.
static void failing_questions(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++)
        device_ask_failing(waits, make_failing);
    emulated.fail_in = emulated.fail_sync = 0;
    close_tested();
    open_tested(1);
}

static void failing_cublas(void **state)
{
    (void)state;
    struct err e;
    uint8_t w[4 * 20] = {0};
    float x[9 * 32] = {0}, out[4 * 9];
    close_tested();
    with_cublas = emulated_cublas.fails = 1;
    open_tested(0);
    struct mat m = {.data = w, .type = QUANT_Q4_1, .rows = 4, .cols = 32};
    assert_int_equal(tested->ops->mat_init(tested, &m, &e), 0);
    tested->ops->matmul(tested, out, &m, x, NULL, NULL, 9);
    assert_int_equal(tested->ops->sync(tested, &e), ERR_DEVICE);
    assert_non_null(strstr(e.msg, "cublasGemmEx"));
    tested->ops->mat_done(tested, &m);
    with_cublas = emulated_cublas.fails = 0;
    close_tested();
    open_tested(1);
}

int main(int argc, char **argv) // of the tests, those whose names match a pattern
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_matmul),
        cmocka_unit_test(device_embed),
        cmocka_unit_test(device_rmsnorm),
        cmocka_unit_test(device_gate),
        cmocka_unit_test(device_cache),
        cmocka_unit_test(device_transfers),
        cmocka_unit_test(device_stored),
        cmocka_unit_test(device_keep),
        cmocka_unit_test(device_attend),
        cmocka_unit_test(device_attend_nan),
        cmocka_unit_test(device_scan),
        cmocka_unit_test(device_scan_names),
        cmocka_unit_test(device_scan_mass),
        cmocka_unit_test(device_elect),
        cmocka_unit_test(device_elect_most),
        cmocka_unit_test(device_divide),
        cmocka_unit_test(device_similar),
        cmocka_unit_test(device_encode_topk),
        cmocka_unit_test(device_best),
        cmocka_unit_test(device_favour),
        cmocka_unit_test(device_draw),
        cmocka_unit_test(device_ask_drawn),
        cmocka_unit_test(device_steps),
        cmocka_unit_test(device_rows),
        cmocka_unit_test(device_unusable),
        cmocka_unit_test(device_models),
        cmocka_unit_test(device_ask),
        cmocka_unit_test(device_ask_spans),
        cmocka_unit_test(device_ask_words),
        cmocka_unit_test(halves),
        cmocka_unit_test(tensors),
        cmocka_unit_test(large_weights),
        cmocka_unit_test(many_sms),
        cmocka_unit_test(errors),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(kept_keys),
        cmocka_unit_test(kept_blocks),
        cmocka_unit_test(kept_as_in_plain_c),
        cmocka_unit_test(larger_than_memory),
        cmocka_unit_test(what_needs_less),
        cmocka_unit_test(graphs),
        cmocka_unit_test(lists),
        cmocka_unit_test(failing_cublas),
        cmocka_unit_test(failing_questions),
        cmocka_unit_test(device_coded),
        cmocka_unit_test(device_coded_damage),
        cmocka_unit_test(device_coded_names),
        cmocka_unit_test(device_coded_ends),
        cmocka_unit_test(device_ask_coded),
        cmocka_unit_test(device_ask_together),
        cmocka_unit_test(device_attend_art),
        cmocka_unit_test(device_attend_art_alone),
        cmocka_unit_test(device_ask_art),
        cmocka_unit_test(device_ask_copies),
        cmocka_unit_test(device_ask_methods),
        cmocka_unit_test(device_write),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    open_tested(1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_tested();
    return failed;
}
