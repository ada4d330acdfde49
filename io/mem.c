#define _GNU_SOURCE
#include "io/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 }; // bytes of a large page, of x86-64 and of most arm64 systems

static int overflows(size_t n, size_t size, size_t *bytes, struct err *e)
{
    if (__builtin_mul_overflow(n, size, bytes) || *bytes > PTRDIFF_MAX)
        return err_set(e, ERR_NOMEM, "an array of %zu times %zu bytes is too large", n, size);
    return 0;
}

void *mem_new(size_t n, size_t size, struct err *e)
{
    size_t bytes;
    if (overflows(n, size, &bytes, e))
        return NULL;
    void *p = calloc(bytes ? bytes : 1, 1);
    if (!p)
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
    return p;
}

// Whole large pages, so that the mapping begins and ends where they do.
static size_t whole_pages(size_t bytes)
{
    return (bytes + HUGE - 1) / HUGE * HUGE;
}

void *mem_new_aligned(size_t n, size_t size, struct err *e)
{
    size_t bytes;
    if (overflows(n, size, &bytes, e))
        return NULL;
    void *p = NULL;
    int large = bytes >= HUGE / 4 * 3;
    if (posix_memalign(&p, large ? HUGE : 64, bytes ? bytes : 1)) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
        return NULL;
    }
    if (large) // a hint: without it all is as before, but slower. The last page may hold other
               // memory too.
        madvise(p, whole_pages(bytes), MADV_HUGEPAGE);
    memset(p, 0, bytes);
    return p;
}

void *mem_scratch(size_t bytes, struct err *e)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, bytes ? bytes : 1)) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
        return NULL;
    }
    return p;
}

void *mem_map(size_t bytes, struct err *e)
{
    size_t n = bytes < PTRDIFF_MAX - 2 * (size_t)HUGE ? whole_pages(bytes) : 0;
    char *p = n ? mmap(NULL, n + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                : MAP_FAILED;
    if (p == MAP_FAILED) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
        return NULL;
    }
    size_t before = whole_pages((uintptr_t)p) - (uintptr_t)p;
    if (before)
        munmap(p, before);
    if (before < HUGE)
        munmap(p + before + n, HUGE - before);
    madvise(p + before, n, MADV_HUGEPAGE);
    return p + before;
}

void mem_unmap(void *p, size_t bytes)
{
    if (p)
        munmap(p, whole_pages(bytes));
}

char *mem_strdup(const char *s, struct err *e)
{
    size_t n = strlen(s) + 1;
    char *p = mem_new(n, 1, e);
    if (p)
        memcpy(p, s, n);
    return p;
}

int mem_grow(void *p, size_t *cap, size_t need, size_t size, struct err *e)
{
    if (need <= *cap)
        return 0;
    size_t want = *cap ? *cap : 16, bytes;
    while (want < need) {
        if (want > SIZE_MAX / 2)
            return err_set(e, ERR_NOMEM, "an array of %zu elements is too large", need);
        want *= 2;
    }
    if (overflows(want, size, &bytes, e))
        return ERR_NOMEM;
    void *v; // copied, for P may be the address of a pointer of any type
    memcpy(&v, p, sizeof v);
    if (!(v = realloc(v, bytes)))
        return err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
    memcpy(p, &v, sizeof v);
    *cap = want;
    return 0;
}
