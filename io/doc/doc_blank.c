// Documents that are nothing but white space, or NUL bytes as of a hole in a file, or that begin
// with so many of these as only a picture of a disk does: they have no text.
#include <string.h>

#include "io/doc/doc_impl.h"

static int is_blank(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] && !strchr(" \t\r\n\v\f", text[i]))
            return 0;
    return 1;
}

static int is_hole(const char *text, size_t n)
{
    return !*text && !memcmp(text, text + 1, n - 1);
}

// Drops the NUL bytes that HELD is full of and those behind them. What follows may be the rest of a
// log that was cut while it was written, or no text at all, as in the picture of a disk.
static int drop_hole(struct doc_blank *b, doc_read_fn *read, void *from, struct err *e)
{
    do {
        b->hole += b->n;
        b->n = 0;
        while (b->n < sizeof b->held) {
            const ssize_t n = read(from, b->held + b->n, sizeof b->held - b->n, e);
            if (n < 0)
                return (int)n;
            if (!n)
                break;
            b->n += (size_t)n;
        }
    } while (b->n && is_hole(b->held, b->n));
    size_t first = 0;
    while (first < b->n && !b->held[first])
        first++;
    b->hole += first;
    b->at = first;
    b->is_nothing = first == b->n || sniff_is_noise((const uint8_t *)b->held + first, b->n - first);
    return 0;
}

void blank_begin(struct doc_blank *b)
{
    b->n = b->at = 0;
    b->has_begun = b->is_nothing = 0;
    b->hole = 0;
}

int blank_look(struct doc_blank *b, doc_read_fn *read, void *from, struct err *e)
{
    if (b->has_begun)
        return b->n > 0 && !b->is_nothing;
    b->has_begun = 1;
    for (size_t seen = 0; b->n < sizeof b->held && is_blank(b->held + seen, b->n - seen);) {
        seen = b->n;
        ssize_t n = read(from, b->held + b->n, sizeof b->held - b->n, e);
        if (n < 0)
            return (int)n;
        if (!n) {
            b->n = 0;
            break;
        }
        b->n += (size_t)n;
    }
    const int rc =
        b->n == sizeof b->held && is_hole(b->held, b->n) ? drop_hole(b, read, from, e) : 0;
    return rc ? rc : b->n > 0 && !b->is_nothing;
}

ssize_t blank_read(struct doc_blank *b, doc_read_fn *read, void *from, void *buf, size_t cap,
                   struct err *e)
{
    int rc = blank_look(b, read, from, e);
    if (rc < 0)
        return rc;
    if (b->is_nothing)
        return 0;
    if (b->at == b->n)
        return read(from, buf, cap, e);
    return doc_give(buf, cap, b->held, b->n, &b->at);
}

int blank_tells_hole(struct doc_blank *b, unsigned long long *bytes)
{
    *bytes = b->hole;
    b->hole = 0;
    return *bytes > 0 && !b->is_nothing;
}
