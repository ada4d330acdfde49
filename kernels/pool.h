// A pool of threads that runs numbered tasks.
//
//     pool_run(p, n_tiles, multiply_tile, &job);     // returns when every task is done
//
// Which thread runs a task is not determined; a task must therefore not depend on it (THREAD only
// names a scratch area), and the cut into tasks, where it matters to the bits of a result, must
// depend on the sizes of the problem alone.
#ifndef LCTOOL_KERNELS_POOL_H
#define LCTOOL_KERNELS_POOL_H

#include "io/err.h"

struct pool;

// One thread per physical core that this process may use; at least 1.
int pool_default_threads(void);
// For it and for tests: the first processor of LIST, as Linux writes one ("0,64", "0-3"), of which
// MAY [n] is not 0; -1 if there is none.
int pool_first_of(const char *list, const char *may, int n);

// N_THREADS counts the caller's own thread: a pool of 1 starts none.
int pool_new(struct pool **out, int n_threads, struct err *e);
void pool_free(struct pool *p);
int pool_threads(const struct pool *p);

// Runs fn(ctx, task, thread) for every task 0 .. n_tasks-1, 0 <= thread < pool_threads(p), and
// waits. To be called by one thread at a time, and not from a task.
void pool_run(struct pool *p, int n_tasks, void (*fn)(void *ctx, int task, int thread), void *ctx);

#endif
