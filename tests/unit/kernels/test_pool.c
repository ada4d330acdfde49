// usleep
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernels/pool.h"

enum { THREADS = 4, MOST = 64 };

struct job {
    atomic_int done[MOST]; // how often a task was run
    atomic_int strangers;  // threads that do not exist
    atomic_int inside[THREADS];
    atomic_int shared; // a thread that runs two tasks at once
    int pause_us;
};

static void count_task(void *ctx, int task, int thread)
{
    struct job *j = ctx;
    if (thread < 0 || thread >= THREADS) {
        atomic_fetch_add(&j->strangers, 1);
        return;
    }
    if (atomic_fetch_add(&j->inside[thread], 1))
        atomic_fetch_add(&j->shared, 1);
    atomic_fetch_add(&j->done[task], 1);
    if (j->pause_us)
        usleep((useconds_t)j->pause_us);
    atomic_fetch_sub(&j->inside[thread], 1);
}

// The job lies on the stack: a task that ran behind pool_run's back would write to the next one's.
static void run_once(struct pool *p, int n, int pause_us)
{
    struct job j;
    memset(&j, 0, sizeof j);
    j.pause_us = pause_us;
    pool_run(p, n, count_task, &j);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(j.done[i], i < n);
    assert_int_equal(j.strangers, 0);
    assert_int_equal(j.shared, 0);
}

static void each_task_once(void **state)
{
    (void)state;
    struct err e;
    for (int threads = 1; threads <= THREADS; threads++) {
        struct pool *p;
        assert_int_equal(pool_new(&p, threads, &e), 0);
        assert_int_equal(pool_threads(p), threads);
        for (int i = 0; i < 3000; i++)
            run_once(p, i % (MOST + 1), 0);
        for (int i = 0; i < 20;
             i++) { // threads that sleep, and tasks that wait for one another's end
            usleep(500);
            run_once(p, i, 0);
            run_once(p, THREADS + i % 2, 200);
        }
        pool_free(p);
    }
}

struct meeting {
    atomic_int came;
};

static void meet(void *ctx, int task, int thread)
{
    (void)task;
    (void)thread;
    struct meeting *m = ctx;
    atomic_fetch_add(&m->came, 1);
    while (atomic_load(&m->came) < THREADS)
        usleep(10);
}

// As many tasks as threads, each of which waits for all others: no thread is left out.
static void all_threads(void **state)
{
    (void)state;
    struct err e;
    struct pool *p;
    assert_int_equal(pool_new(&p, THREADS, &e), 0);
    for (int i = 0; i < 50; i++) {
        struct meeting m = {0};
        if (i % 2)
            usleep(500);
        pool_run(p, THREADS, meet, &m);
        assert_int_equal(m.came, THREADS);
    }
    pool_free(p);
}

static void frees_at_once(void **state)
{
    (void)state;
    struct err e;
    for (int i = 0; i < 50; i++) {
        struct pool *p;
        assert_int_equal(pool_new(&p, THREADS, &e), 0);
        if (i % 2)
            run_once(p, i % 7, 0);
        pool_free(p);
    }
    pool_free(NULL);
}

// Of the threads of a core the first counts that the process may use.
static void counts_cores(void **state)
{
    (void)state;
    static const char all[] = {1, 1, 1, 1, 1, 1, 1, 1}, high[] = {0, 0, 0, 0, 1, 1, 1, 1},
                      mixed[] = {1, 0, 0, 1, 0, 0, 1, 0}, none[8] = {0};
    static const struct {
        const char *list, *may;
        int first;
    } rows[] = {
        {"0\n", all, 0},     {"2,6\n", all, 2},       {"2,6\n", high, 6},
        {"2-3\n", all, 2},   {"2-3\n", mixed, 3},     {"0-1,4-5\n", high, 4},
        {"2,6\n", none, -1}, {"6,14\n", none, -1},    {"1000000\n", all, -1},
        {"-3\n", none, -1},  {"7-1000000\n", all, 7}, {"", all, -1},
        {"x\n", all, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(pool_first_of(rows[i].list, rows[i].may, 8), rows[i].first);
    const int n = pool_default_threads();
    assert_true(n >= 1 && n <= sysconf(_SC_NPROCESSORS_CONF));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_once),
        cmocka_unit_test(all_threads),
        cmocka_unit_test(frees_at_once),
        cmocka_unit_test(counts_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
