#include "cache/bytes.h"

#include <string.h>

#include "io/mem.h"

uint8_t *bytes_add(struct bytes *b, size_t more, struct err *e)
{
    void *p = b->p;
    if (more > SIZE_MAX - b->n) {
        err_set(e, ERR_NOMEM, "out of memory (%zu bytes)", more);
        return NULL;
    }
    if (mem_grow(&p, &b->cap, b->n + more, 1, e))
        return NULL;
    b->p = p;
    uint8_t *at = b->p + b->n;
    memset(at, 0, more);
    b->n += more;
    return at;
}
