// The CUDA backend on the processor (cuda_host.h): what it does with the GPU's memory - what is
// kept, what gives way, and what is said where it is too little.
#include "tests/unit/kernels/cuda_host.h"

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
    strcpy(index, in_dir("large.kvz"));
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
    place_done();
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

int main(int argc, char **argv) // of the tests, those whose names match a pattern
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory),          cmocka_unit_test(little_memory),
        cmocka_unit_test(kept_keys),          cmocka_unit_test(kept_blocks),
        cmocka_unit_test(kept_as_in_plain_c), cmocka_unit_test(larger_than_memory),
        cmocka_unit_test(what_needs_less),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    open_tested(1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_tested();
    return failed;
}
