#include "engine/tok/tok_valid.h"

#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/mem.h"

static int add_fix(struct tok_valid *v, uint8_t bytes, int source, struct err *e)
{
    int rc = MEM_GROW(v->fix, v->cap_fix, v->n_fix + 1, e);
    if (!rc)
        v->fix[v->n_fix++] = (struct fix){v->base + v->n, bytes, (uint8_t)source};
    return rc;
}

// One character of SOURCE bytes, BYTES as tok_utf8() gave it; the buffer has room.
static int take_char(struct tok_valid *v, const uint8_t *p, int bytes, uint32_t code, struct err *e)
{
    int rc = 0;
    if (bytes <= 0 || !code) {
        rc = add_fix(v, 3, bytes <= 0 ? -bytes : 1, e);
        memcpy(v->buf + v->n, "\xef\xbf\xbd", 3);
        v->n += 3;
    } else if (code == 0x2581 && v->marks_spaces) {
        rc = add_fix(v, 1, 3, e);
        v->buf[v->n++] = ' ';
    } else {
        memcpy(v->buf + v->n, p, (size_t)bytes);
        v->n += (size_t)bytes;
    }
    return rc;
}

int valid_take(struct tok_valid *v, const uint8_t *text, size_t n, struct err *e)
{
    uint32_t code = 0;
    size_t i = 0;
    // A NUL triples.
    int rc = MEM_GROW(v->buf, v->cap, v->n + 3 * (n + 4), e);
    while (!rc && v->n_held && i < n) {
        uint8_t c[4];
        size_t more = n - i < 4 - v->n_held ? n - i : 4 - v->n_held;
        memcpy(c, v->held, v->n_held);
        memcpy(c + v->n_held, text + i, more);
        int bytes = tok_utf8(c, v->n_held + more, &code);
        if (!bytes) { // only when all of the text has gone into it
            memcpy(v->held, c, v->n_held += more);
            return 0;
        }
        rc = take_char(v, c, bytes, code, e);
        i += (size_t)abs(bytes) - v->n_held;
        v->n_held = 0;
    }
    while (!rc && i < n) {
        if (text[i] && text[i] < 0x80) {
            v->buf[v->n++] = text[i++];
            continue;
        }
        int bytes = tok_utf8(text + i, n - i, &code);
        if (!bytes) {
            memcpy(v->held, text + i, v->n_held = n - i);
            return 0;
        }
        rc = take_char(v, text + i, bytes, code, e);
        i += (size_t)abs(bytes);
    }
    return rc;
}

int valid_take_broken(struct tok_valid *v, struct err *e)
{
    int rc = 0;
    if (v->n_held)
        rc = MEM_GROW(v->buf, v->cap, v->n + 3, e);
    if (!rc && v->n_held)
        rc = take_char(v, v->held, -(int)v->n_held, 0, e);
    v->n_held = 0;
    return rc;
}

uint32_t valid_source_bytes(struct tok_valid *v, uint64_t from, uint64_t to)
{
    uint64_t n = to - from;
    for (; v->fix_at < v->n_fix; v->fix_at++) {
        const struct fix *f = &v->fix[v->fix_at];
        uint64_t end = f->at + f->bytes;
        if (f->at >= to)
            break;
        uint64_t a = (from > f->at ? from : f->at) - f->at, b = (to < end ? to : end) - f->at;
        n -= b - a;
        n += b == f->bytes ? f->source : b < f->source ? b : f->source;
        n -= a < f->source ? a : f->source;
        if (to < end)
            break;
    }
    return (uint32_t)n;
}

void valid_forget(struct tok_valid *v, uint64_t from)
{
    size_t done = (size_t)(from - v->base);
    if (!done || done < v->n / 2)
        return;
    memmove(v->buf, v->buf + done, v->n - done);
    v->n -= done;
    v->base = from;
    if (v->fix_at)
        memmove(v->fix, v->fix + v->fix_at, (v->n_fix - v->fix_at) * sizeof *v->fix);
    v->n_fix -= v->fix_at;
    v->fix_at = 0;
}

void valid_done(struct tok_valid *v)
{
    free(v->buf);
    free(v->fix);
}
