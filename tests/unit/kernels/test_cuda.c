// The CUDA backend on a GPU; skipped where none is, or in a build without CUDA.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/kernels/device_tests.h"

// Opened for each test: exact products (our own kernels), or in half precision (cuBLAS).
static int open_tested(int exact, double tolerance)
{
    struct err e;
    product_tolerance = tolerance;
    return device_open(&tested, &(struct device_options){.name = "cuda", .exact = exact}, NULL, 0,
                       &e) &&
           e.code != ERR_DEVICE && e.code != ERR_UNSUPPORTED;
}

static int open_exact(void **state)
{
    (void)state;
    return open_tested(1, 1e-6);
}

static int open_half(void **state)
{
    (void)state;
    return open_tested(0, 1e-3);
}

static int close_tested(void **state)
{
    (void)state;
    device_close(tested);
    tested = NULL;
    return 0;
}

#define ON_GPU(test)                                                                               \
    static void gpu_##test(void **state)                                                           \
    {                                                                                              \
        if (!tested)                                                                               \
            skip();                                                                                \
        test(state);                                                                               \
    }
ON_GPU(device_matmul)
ON_GPU(device_embed)
ON_GPU(device_rmsnorm)
ON_GPU(device_gate)
ON_GPU(device_cache)
ON_GPU(device_transfers)
ON_GPU(device_stored)
ON_GPU(device_keep)
ON_GPU(device_attend)
ON_GPU(device_attend_nan)
ON_GPU(device_scan)
ON_GPU(device_scan_names)
ON_GPU(device_scan_mass)
ON_GPU(device_elect)
ON_GPU(device_elect_most)
ON_GPU(device_divide)
ON_GPU(device_similar)
ON_GPU(device_encode_topk)
ON_GPU(device_best)
ON_GPU(device_favour)
ON_GPU(device_draw)
ON_GPU(device_ask_drawn)
ON_GPU(device_steps)
ON_GPU(device_rows)
ON_GPU(device_unusable)
ON_GPU(device_coded)
ON_GPU(device_coded_damage)
ON_GPU(device_coded_names)
ON_GPU(device_coded_ends)
ON_GPU(device_ask_coded)
ON_GPU(device_ask_together)
ON_GPU(device_attend_art)
ON_GPU(device_attend_art_alone)
ON_GPU(device_ask_art)
ON_GPU(device_ask_copies)
ON_GPU(device_ask_methods)
ON_GPU(device_write)
ON_GPU(device_models)
ON_GPU(device_ask)
ON_GPU(device_ask_spans)
ON_GPU(device_ask_words)

#define EXACT(test) cmocka_unit_test_setup_teardown(gpu_##test, open_exact, close_tested)
#define HALF(test)  cmocka_unit_test_setup_teardown(gpu_##test, open_half, close_tested)

int main(int argc, char **argv) // of the tests, those whose names match a pattern
{
    const struct CMUnitTest tests[] = {
        EXACT(device_matmul),
        EXACT(device_embed),
        EXACT(device_rmsnorm),
        EXACT(device_gate),
        EXACT(device_cache),
        EXACT(device_attend),
        EXACT(device_attend_nan),
        EXACT(device_scan),
        EXACT(device_unusable),
        EXACT(device_transfers),
        EXACT(device_stored),
        EXACT(device_keep),
        EXACT(device_scan_names),
        EXACT(device_scan_mass),
        EXACT(device_elect),
        EXACT(device_elect_most),
        EXACT(device_divide),
        EXACT(device_similar),
        EXACT(device_encode_topk),
        EXACT(device_best),
        EXACT(device_favour),
        EXACT(device_draw),
        EXACT(device_ask_drawn),
        EXACT(device_steps),
        EXACT(device_rows),
        EXACT(device_models),
        EXACT(device_ask),
        EXACT(device_ask_spans),
        EXACT(device_ask_words),
        HALF(device_matmul),
        HALF(device_models),
        HALF(device_attend),
        HALF(device_attend_nan),
        EXACT(device_coded),
        EXACT(device_coded_damage),
        EXACT(device_coded_names),
        EXACT(device_coded_ends),
        EXACT(device_ask_coded),
        EXACT(device_ask_together),
        EXACT(device_attend_art),
        EXACT(device_attend_art_alone),
        EXACT(device_ask_art),
        EXACT(device_ask_copies),
        EXACT(device_ask_methods),
        EXACT(device_write),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
