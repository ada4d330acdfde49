// Documents that are nothing but white space, or NUL bytes as of a hole in a file, or that begin
// with so many of these as only a picture of a disk does: they have no text.
#include "io/doc/blank.h"

#include <string.h>

#include "io/source/sniff.h"

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
    while (b->at < b->n && !b->held[b->at])
        b->at++;
    b->hole += b->at;
    if (b->at == b->n || sniff_is_noise((const uint8_t *)b->held + b->at, b->n - b->at))
        b->state = BLANK_NO_TEXT;
    return 0;
}

void blank_begin(struct doc_blank *b)
{
    b->n = b->at = 0;
    b->state = BLANK_UNREAD;
    b->hole = 0;
}

// Reads as far as it takes to know the state of B, which was not looked at.
static int look(struct doc_blank *b, doc_read_fn *read, void *from, struct err *e)
{
    for (size_t seen = 0; b->n < sizeof b->held && is_blank(b->held + seen, b->n - seen);) {
        seen = b->n;
        ssize_t n = read(from, b->held + b->n, sizeof b->held - b->n, e);
        if (n < 0)
            return (int)n;
        if (!n) {
            b->n = 0;
            b->state = BLANK_EMPTY;
            return 0;
        }
        b->n += (size_t)n;
    }
    b->state = BLANK_HOLDS;
    return b->n == sizeof b->held && is_hole(b->held, b->n) ? drop_hole(b, read, from, e) : 0;
}

int blank_look(struct doc_blank *b, doc_read_fn *read, void *from, struct err *e)
{
    const int rc = b->state == BLANK_UNREAD ? look(b, read, from, e) : 0;
    return rc ? rc : b->state == BLANK_HOLDS;
}

ssize_t blank_read(struct doc_blank *b, doc_read_fn *read, void *from, void *buf, size_t cap,
                   struct err *e)
{
    const int rc = blank_look(b, read, from, e);
    if (rc <= 0)
        return rc;
    if (b->at == b->n)
        return read(from, buf, cap, e);
    return stream_give(buf, cap, b->held, b->n, &b->at);
}

int blank_tells_hole(struct doc_blank *b, unsigned long long *bytes)
{
    *bytes = b->hole;
    b->hole = 0;
    return *bytes > 0 && b->state != BLANK_NO_TEXT;
}
