#include "io/source/decode.h"

#include <string.h>
#include <strings.h>

size_t decode_base64(const char *in, size_t n, char *out, unsigned *bits, int *n_bits)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t got = 0;
    for (size_t i = 0; i < n; i++) {
        const char *at = in[i] ? strchr(digits, in[i]) : NULL;
        if (in[i] == '=')
            *n_bits = 0;
        if (!at)
            continue;
        *bits = (*bits << 6 | (unsigned)(at - digits)) & 0xffff;
        *n_bits += 6;
        if (*n_bits >= 8) {
            *n_bits -= 8;
            out[got++] = (char)(*bits >> *n_bits);
        }
    }
    return got;
}

int decode_hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

size_t decode_quoted(const char *in, size_t n, char *out)
{
    size_t got = 0, end = n;
    while (end && (in[end - 1] == '\n' || in[end - 1] == '\r' || in[end - 1] == ' ' ||
                   in[end - 1] == '\t'))
        end--;
    int soft = end < n && end && in[end - 1] == '='; // the line goes on
    for (size_t i = 0; i < end; i++) {
        if (in[i] == '=' && i + 2 < end && decode_hex(in[i + 1]) >= 0 &&
            decode_hex(in[i + 2]) >= 0) {
            out[got++] = (char)(decode_hex(in[i + 1]) << 4 | decode_hex(in[i + 2]));
            i += 2;
        } else if (!soft || i + 1 < end) {
            out[got++] = in[i];
        }
    }
    for (size_t i = end; i < n && !soft; i++)
        out[got++] = in[i];
    return got;
}

// The name by which iconv knows CHARSET.
static const char *charset_name(const char *charset)
{
    static const char *const latin[] = {"iso-8859-1", "latin1", "iso8859-1", "windows-1252",
                                        "cp1252"};
    static const char *const plain[] = {"",          "us-ascii", "ascii", "utf8", "unknown-8bit",
                                        "x-unknown", "default"};
    for (size_t i = 0; i < sizeof latin / sizeof *latin; i++)
        if (!strcasecmp(charset, latin[i]))
            return "CP1252";
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcasecmp(charset, plain[i]))
            return "UTF-8";
    return charset;
}

int decode_charset_open(struct doc_charset **out, struct doc_stream *from, const char *charset,
                        struct err *e)
{
    const int flags = CHARSET_NO_NUL | CHARSET_GUESSED;
    int rc = charset_open(out, from, charset_name(charset), flags, e);
    return rc == ERR_UNSUPPORTED ? charset_open(out, from, "UTF-8", flags, e) : rc;
}

// What is left to be read of a text.
struct rest {
    const char *p;
    size_t n;
};

static ssize_t read_rest(void *self, void *buf, size_t cap, struct err *e)
{
    struct rest *r = self;
    size_t n = r->n < cap ? r->n : cap;
    (void)e;
    memcpy(buf, r->p, n);
    r->p += n;
    r->n -= n;
    return (ssize_t)n;
}

int decode_text(struct bytes *t, const char *s, size_t n, const char *charset, struct err *e)
{
    struct rest from = {s, n};
    struct doc_stream stream = {.read = read_rest, .self = &from, .name = "a value"};
    struct doc_charset *c;
    char buf[512];
    ssize_t got;
    int rc = decode_charset_open(&c, &stream, charset, e);
    if (rc)
        return rc;
    while (!rc && (got = charset_read(c, buf, sizeof buf, e)) > 0)
        for (ssize_t i = 0; i < got && !rc; i++)
            if ((unsigned char)buf[i] >= ' ' && buf[i] != 0x7f)
                rc = bytes_put(t, buf + i, 1, e);
    charset_close(c);
    return rc;
}
