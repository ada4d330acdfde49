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
        madvise(p, (bytes + HUGE - 1) / HUGE * HUGE, MADV_HUGEPAGE);
    memset(p, 0, bytes);
    return p;
}

char *mem_strdup(const char *s, struct err *e)
{
    size_t n = strlen(s) + 1;
    char *p = mem_new(n, 1, e);
    if (p)
        memcpy(p, s, n);
    return p;
}

int mem_grow(void **p, size_t *cap, size_t need, size_t size, struct err *e)
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
    void *q = realloc(*p, bytes);
    if (!q)
        return err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", bytes);
    *p = q;
    *cap = want;
    return 0;
}
