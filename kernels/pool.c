// sched_getaffinity
#define _GNU_SOURCE
#include "kernels/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/mem.h"

// A waiting thread looks this often before it sleeps: about 100 microseconds, longer than the gap
// between two operations of a layer.
enum { SPINS = 2000 };

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
    atomic_int next;       // task to be taken
    atomic_int busy;       // workers that have not finished the present run
    atomic_uint run;       // number of the present run; a change wakes the workers
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

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct pool *p = w->pool;
    unsigned seen = 0;
    for (;;) {
        for (int i = 0; i < SPINS && atomic_load(&p->run) == seen; i++)
            relax();
        if (atomic_load(&p->run) == seen) {
            pthread_mutex_lock(&p->lock);
            while (atomic_load(&p->run) == seen)
                pthread_cond_wait(&p->wake, &p->lock);
            pthread_mutex_unlock(&p->lock);
        }
        seen = atomic_load(&p->run);
        if (atomic_load(&p->stop))
            return NULL;
        work(p, w->thread);
        if (atomic_fetch_sub(&p->busy, 1) == 1) {
            pthread_mutex_lock(&p->lock);
            pthread_cond_signal(&p->finished);
            pthread_mutex_unlock(&p->lock);
        }
    }
}

static void start_run(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->run, 1);
    pthread_cond_broadcast(&p->wake);
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
    atomic_store(&p->busy, p->n_started);
    start_run(p);
    work(p, 0);
    for (int i = 0; i < SPINS && atomic_load(&p->busy); i++)
        relax();
    if (atomic_load(&p->busy)) {
        pthread_mutex_lock(&p->lock);
        while (atomic_load(&p->busy))
            pthread_cond_wait(&p->finished, &p->lock);
        pthread_mutex_unlock(&p->lock);
    }
}

// Threads of one core share its arithmetic units: only the first of each set of siblings counts.
static int is_first_sibling(int cpu)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *f = fopen(path, "r");
    if (!f)
        return 1;
    int first = cpu;
    if (fscanf(f, "%d", &first) != 1)
        first = cpu;
    fclose(f);
    return first == cpu;
}

int pool_default_threads(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set)) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        return n > 0 ? (int)n : 1;
    }
    int n = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        n += CPU_ISSET(cpu, &set) && is_first_sibling(cpu);
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
            return err_set(e, ERR_IO, "cannot start thread %d of %d: %s", i + 1, n_threads,
                           strerror(rc));
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
