#include "io/source/stream.h"

#include <string.h>

int stream_peek(struct doc_stream *s, struct err *e)
{
    while (s->n_head < sizeof s->head) {
        ssize_t n = s->read(s->self, s->head + s->n_head, sizeof s->head - s->n_head, e);
        if (n < 0)
            return (int)n;
        if (n == 0)
            break;
        s->n_head += (size_t)n;
    }
    return 0;
}

static int has_mark(const struct doc_stream *s)
{
    return !s->at_head && s->n_head >= 3 && !memcmp(s->head, "\xef\xbb\xbf", 3);
}

void stream_skip_mark(struct doc_stream *s)
{
    s->at_head += has_mark(s) ? 3 : 0;
}

void stream_blank_mark(struct doc_stream *s)
{
    if (has_mark(s))
        memcpy(s->head, "\n\n\n", 3);
}

ssize_t stream_give(void *buf, size_t cap, const void *made, size_t n, size_t *at)
{
    const size_t left = n - *at, given = left < cap ? left : cap;
    memcpy(buf, (const char *)made + *at, given);
    *at += given;
    return (ssize_t)given;
}

ssize_t stream_read(struct doc_stream *s, void *buf, size_t cap, struct err *e)
{
    if (s->at_head == s->n_head)
        return s->read(s->self, buf, cap, e);
    return stream_give(buf, cap, s->head, s->n_head, &s->at_head);
}
