#include "io/source/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/mem.h"
#include "io/source/sniff_charset.h"

enum { IN_BYTES = 1 << 14, OUT_BYTES = 1 << 16 };

struct doc_charset {
    struct doc_stream *from;
    iconv_t cd;
    int flags, unit;  // unit: bytes to skip of what is no character
    int has_controls; // bytes 0x80 to 0x9f are U+0080 to U+009F
    int ended, flushed;
    uint64_t replaced, controls;
    uint8_t in[IN_BYTES];
    size_t n_in;
    uint8_t out[OUT_BYTES];
    size_t n_out, at_out;
};

// Whether bytes 0x80 to 0x9f are controls in CHARSET, as in all of ISO 8859, whatever it is called.
static int has_controls(const char *charset)
{
    char in[] = "\x93", out[8], *at_in = in, *at_out = out;
    size_t n_in = 1, room = sizeof out;
    iconv_t cd = iconv_open("UTF-8", charset);
    if (cd == (iconv_t)-1)
        return 0;
    const size_t rc = iconv(cd, &at_in, &n_in, &at_out, &room);
    iconv_close(cd);
    return rc != (size_t)-1 && at_out == out + 2 && !memcmp(out, "\xc2\x93", 2);
}

int charset_open(struct doc_charset **out, struct doc_stream *from, const char *charset, int flags,
                 struct err *e)
{
    *out = NULL;
    struct doc_charset *c = mem_new(1, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    c->from = from;
    c->flags = flags;
    c->unit = !strncasecmp(charset, "UTF-16", 6) ? 2 : !strncasecmp(charset, "UTF-32", 6) ? 4 : 1;
    c->cd = iconv_open("UTF-8", charset);
    if (c->cd == (iconv_t)-1) {
        free(c);
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: is in the character set '%s', which is not known "
                       "here; convert it to UTF-8 first",
                       from->name, charset);
    }
    c->has_controls = has_controls(charset);
    *out = c;
    return 0;
}

int charset_open_html(struct doc_charset **out, struct doc_stream *from, const char *unsaid,
                      struct err *e)
{
    char charset[64];
    int known = sniff_charset(from->head, from->n_head, charset, sizeof charset);
    return charset_open(out, from, known || !unsaid ? charset : unsaid,
                        CHARSET_NO_NUL | (known ? 0 : CHARSET_GUESSED), e);
}

int charset_open_marked(struct doc_charset **out, struct doc_stream *from, struct err *e)
{
    const char *mark = sniff_mark(from->head, from->n_head);
    return charset_open(out, from, mark ? mark : "UTF-8",
                        CHARSET_NO_NUL | (mark ? 0 : CHARSET_GUESSED), e);
}

int charset_known(const char *charset)
{
    iconv_t cd = iconv_open("UTF-8", charset);
    if (cd == (iconv_t)-1)
        return 0;
    iconv_close(cd);
    return 1;
}

void charset_close(struct doc_charset *c)
{
    if (!c)
        return;
    iconv_close(c->cd);
    free(c);
}

static void put(struct doc_charset *c, const char *s, size_t n)
{
    memcpy(c->out + c->n_out, s, n);
    c->n_out += n;
}

// What iconv stopped at takes the place of one character. A page that does not name its character
// set may show only far from its beginning that it is not UTF-8.
static void replace(struct doc_charset *c, size_t *at)
{
    uint8_t b = c->in[*at];
    size_t skip = (size_t)c->unit < c->n_in - *at ? (size_t)c->unit : c->n_in - *at;
    if (c->flags & CHARSET_GUESSED && c->unit == 1 && b >= 0xa0)
        put(c, (char[]){(char)(0xc0 | b >> 6), (char)(0x80 | (b & 0x3f))}, 2);
    else {
        put(c, "\xef\xbf\xbd", 3);
        c->replaced += skip;
    }
    *at += skip;
}

// Some character sets write an accent behind its letter, which iconv keeps until it knows.
static void flush(struct doc_charset *c)
{
    char *out = (char *)c->out + c->n_out;
    size_t room = OUT_BYTES - c->n_out;
    iconv(c->cd, NULL, NULL, &out, &room);
    c->n_out = (size_t)(out - (char *)c->out);
    c->flushed = 1;
}

static void count_controls(struct doc_charset *c, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->controls += p[i] >= 0x80 && p[i] < 0xa0;
}

// Converts what is in c->in; keeps the beginning of a character whose end has not come yet.
static void convert(struct doc_charset *c)
{
    size_t at = 0;
    while (at < c->n_in) {
        char *in = (char *)c->in + at, *out = (char *)c->out + c->n_out;
        size_t n_in = c->n_in - at, room = OUT_BYTES - c->n_out - 4;
        size_t rc = iconv(c->cd, &in, &n_in, &out, &room);
        int why = rc == (size_t)-1 ? errno : 0;
        if (c->has_controls)
            count_controls(c, c->in + at, c->n_in - n_in - at);
        at = c->n_in - n_in;
        c->n_out = (size_t)(out - (char *)c->out);
        if (why == E2BIG || (why == EINVAL && !c->ended))
            break;
        if (why)
            replace(c, &at);
        if (c->n_out + 8 > OUT_BYTES)
            break;
    }
    if (c->ended && at == c->n_in && c->n_out + 8 <= OUT_BYTES)
        flush(c);
    memmove(c->in, c->in + at, c->n_in - at);
    c->n_in -= at;
}

// NUL ends a document for libxml2, which HTML does not mean.
static void replace_nuls(struct doc_charset *c)
{
    for (size_t i = 0; i < c->n_out; i++)
        if (!c->out[i])
            c->out[i] = ' ';
}

ssize_t charset_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_charset *c = self;
    while (c->at_out == c->n_out) {
        if (c->flushed)
            return 0;
        if (!c->ended && c->n_in < IN_BYTES / 2) {
            ssize_t n = stream_read(c->from, c->in + c->n_in, IN_BYTES - c->n_in, e);
            if (n < 0)
                return n;
            c->n_in += (size_t)n;
            c->ended = n == 0;
        }
        c->n_out = c->at_out = 0;
        convert(c);
        if (c->flags & CHARSET_NO_NUL)
            replace_nuls(c);
    }
    return stream_give(buf, cap, c->out, c->n_out, &c->at_out);
}

int charset_byte(struct doc_charset *c, struct charset_bytes *b, struct err *e)
{
    if (b->at == b->n && !b->ended) {
        const ssize_t n = charset_read(c, b->in, sizeof b->in, e);
        if (n < 0)
            return (int)n - 1;
        b->n = (size_t)n;
        b->at = 0;
        b->ended = n == 0;
    }
    return b->at < b->n ? (unsigned char)b->in[b->at] : -1;
}

const char *charset_says(const struct doc_charset *c, char *buf, size_t cap)
{
    const uint64_t n = c->replaced ? c->replaced : c->controls;
    if (c->replaced)
        snprintf(buf, cap, "is not all in its character set; U+FFFD stands for %llu byte%s",
                 (unsigned long long)n, n == 1 ? "" : "s");
    else
        snprintf(buf, cap,
                 "%llu byte%s of it %s in its character set; if it comes from Windows, give "
                 "--charset cp1252 or the like",
                 (unsigned long long)n, n == 1 ? "" : "s",
                 n == 1 ? "is a control" : "are controls");
    return n ? buf : NULL;
}
