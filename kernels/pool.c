// sched_getaffinity, clock_gettime
#define _GNU_SOURCE
#include "kernels/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/mem.h"

// A waiting thread polls for this long before it sleeps, which is longer than the gap between two
// operations of a layer. It reads the clock at every LOOKS-th poll.
enum { SPIN_NS = 100000, LOOKS = 32 };

// struct pool.state: the number of the present run, whether a thread may still join it, and how
// many have joined and not left.
#define OPEN       (1u << 31)
#define JOINED     (OPEN - 1)
#define RUN(state) ((unsigned)((state) >> 32))

struct worker {
    struct pool *pool;
    int thread;
    pthread_t id;
};

struct pool {
    int n_threads, n_started;
    struct worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t wake, finished;
    void (*fn)(void *ctx, int task, int thread);
    void *ctx;
    int n_tasks;
    atomic_int next;         // task to be taken
    _Atomic(uint64_t) state; // a change of its run wakes the workers
    atomic_int stop;
};

static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static void work(struct pool *p, int thread)
{
    for (;;) {
        int task = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (task >= p->n_tasks)
            return;
        p->fn(p->ctx, task, thread);
    }
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int joined(struct pool *p)
{
    return (atomic_load(&p->state) & JOINED) != 0;
}

static int same_run(struct pool *p, unsigned run)
{
    return RUN(atomic_load(&p->state)) == run;
}

// Adds the calling thread to RUN unless RUN is closed.
static int join_run(struct pool *p, unsigned run)
{
    uint64_t s = atomic_load(&p->state);
    while (RUN(s) == run && s & OPEN)
        if (atomic_compare_exchange_weak(&p->state, &s, s + 1))
            return 1;
    return 0;
}

// The last thread to leave a closed run wakes the one that waits for its end.
static void leave_run(struct pool *p)
{
    uint64_t left = atomic_fetch_sub(&p->state, 1) - 1;
    if (!(left & (OPEN | JOINED))) {
        pthread_mutex_lock(&p->lock);
        pthread_cond_signal(&p->finished);
        pthread_mutex_unlock(&p->lock);
    }
}

static void wait_for_run(struct pool *p, unsigned seen)
{
    for (int64_t end = now_ns() + SPIN_NS; same_run(p, seen) && now_ns() < end;)
        for (int i = 0; i < LOOKS && same_run(p, seen); i++)
            relax();
    if (!same_run(p, seen))
        return;
    pthread_mutex_lock(&p->lock);
    while (same_run(p, seen))
        pthread_cond_wait(&p->wake, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct pool *p = w->pool;
    for (unsigned seen = 0;;) {
        wait_for_run(p, seen);
        seen = RUN(atomic_load(&p->state));
        if (atomic_load(&p->stop))
            return NULL;
        if (join_run(p, seen)) {
            work(p, w->thread);
            leave_run(p);
        }
    }
}

static void start_run(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->state, (uint64_t)(RUN(atomic_load(&p->state)) + 1) << 32 | OPEN);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

// A worker that wakes only now finds nothing to do, and is not waited for.
static void close_run(struct pool *p)
{
    atomic_fetch_and(&p->state, ~(uint64_t)OPEN);
    for (int64_t end = now_ns() + SPIN_NS; joined(p) && now_ns() < end;)
        for (int i = 0; i < LOOKS && joined(p); i++)
            relax();
    if (!joined(p))
        return;
    pthread_mutex_lock(&p->lock);
    while (joined(p))
        pthread_cond_wait(&p->finished, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void pool_run(struct pool *p, int n_tasks, void (*fn)(void *, int, int), void *ctx)
{
    if (p->n_started == 0 || n_tasks <= 1) {
        for (int i = 0; i < n_tasks; i++)
            fn(ctx, i, 0);
        return;
    }
    p->fn = fn;
    p->ctx = ctx;
    p->n_tasks = n_tasks;
    atomic_store(&p->next, 0);
    start_run(p);
    work(p, 0);
    close_run(p);
}

int pool_first_of(const char *list, const char *may, int n)
{
    int from, to, used;
    for (; sscanf(list, "%d%n", &from, &used) == 1; list += *list == ',') {
        list += used;
        to = from;
        if (sscanf(list, "-%d%n", &to, &used) == 1)
            list += used;
        for (int cpu = from < 0 ? 0 : from; cpu <= to && cpu < n; cpu++)
            if (may[cpu])
                return cpu;
    }
    return -1;
}

// Threads of one core share its arithmetic units: of each set of siblings only the first counts
// that we may use, which is not the first of all in a container that has the second ones.
static int is_first_sibling(int cpu, const char *may, int n)
{
    char path[96], list[256];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *f = fopen(path, "r");
    if (!f)
        return 1;
    const int first = fgets(list, sizeof list, f) ? pool_first_of(list, may, n) : -1;
    fclose(f);
    return first < 0 || first == cpu;
}

int pool_default_threads(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set)) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        return n > 0 ? (int)n : 1;
    }
    char may[CPU_SETSIZE];
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        may[cpu] = CPU_ISSET(cpu, &set) != 0;
    int n = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        n += may[cpu] && is_first_sibling(cpu, may, CPU_SETSIZE);
    return n > 0 ? n : 1;
}

int pool_new(struct pool **out, int n_threads, struct err *e)
{
    struct pool *p = mem_new(1, sizeof *p, e);
    if (!p)
        return ERR_NOMEM;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->finished, NULL);
    p->n_threads = n_threads;
    p->workers = mem_new((size_t)n_threads, sizeof *p->workers, e);
    if (!p->workers) {
        pool_free(p);
        return ERR_NOMEM;
    }
    for (int i = 1; i < n_threads; i++) {
        struct worker *w = &p->workers[p->n_started];
        *w = (struct worker){.pool = p, .thread = i};
        int rc = pthread_create(&w->id, NULL, worker_main, w);
        if (rc) {
            pool_free(p);
            return err_set(e, ERR_IO, "cannot start thread %d of %d: %s; --threads asks for fewer",
                           i + 1, n_threads, strerror(rc));
        }
        p->n_started++;
    }
    *out = p;
    return 0;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    atomic_store(&p->stop, 1);
    start_run(p);
    for (int i = 0; i < p->n_started; i++)
        pthread_join(p->workers[i].id, NULL);
    pthread_cond_destroy(&p->finished);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p);
}

int pool_threads(const struct pool *p)
{
    return p->n_threads;
}
