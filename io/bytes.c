#include "io/bytes.h"

#include <string.h>

#include "io/mem.h"

// Makes B longer by MORE bytes, which are not initialised, and returns where they begin.
static uint8_t *lengthen(struct bytes *b, size_t more, struct err *e)
{
    if (more > SIZE_MAX - b->n) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", more);
        return NULL;
    }
    if (MEM_GROW(b->p, b->cap, b->n + more, e))
        return NULL;
    b->n += more;
    return b->p + b->n - more;
}

uint8_t *bytes_add(struct bytes *b, size_t more, struct err *e)
{
    uint8_t *at = lengthen(b, more, e);
    if (at)
        memset(at, 0, more);
    return at;
}

int bytes_put(struct bytes *b, const void *data, size_t n, struct err *e)
{
    uint8_t *at = n ? lengthen(b, n, e) : NULL;
    if (at)
        memcpy(at, data, n);
    return at || !n ? 0 : ERR_NOMEM;
}

int bytes_puts(struct bytes *b, const char *s, struct err *e)
{
    return bytes_put(b, s, strlen(s), e);
}

int bytes_put_u64(struct bytes *b, uint64_t v, struct err *e)
{
    uint8_t le[8];
    for (int i = 0; i < 8; i++)
        le[i] = (uint8_t)(v >> (8 * i));
    return bytes_put(b, le, sizeof le, e);
}
