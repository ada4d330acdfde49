// The CUDA backend on the processor (cuda_host.h): what it computes, and what it says when the GPU
// or cuBLAS fails. What only a GPU can show (that nvcc's code does the same, that a barrier stands
// where two steps meet, the driver, cuBLAS) is tests/unit/kernels/test_cuda.c's.
#include "tests/unit/kernels/cuda_host.h"

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
