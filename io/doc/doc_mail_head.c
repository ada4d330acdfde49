#include "io/doc/doc_mail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/doc/doc_impl.h"
#include "io/mem.h"

size_t mail_base64(const char *in, size_t n, char *out, unsigned *bits, int *n_bits)
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

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

size_t mail_quoted(const char *in, size_t n, char *out)
{
    size_t got = 0, end = n;
    while (end && (in[end - 1] == '\n' || in[end - 1] == '\r' || in[end - 1] == ' ' ||
                   in[end - 1] == '\t'))
        end--;
    int soft = end < n && end && in[end - 1] == '='; // the line goes on
    for (size_t i = 0; i < end; i++) {
        if (in[i] == '=' && i + 2 < end && hex(in[i + 1]) >= 0 && hex(in[i + 2]) >= 0) {
            out[got++] = (char)(hex(in[i + 1]) << 4 | hex(in[i + 2]));
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

int mail_charset_open(struct doc_charset **out, struct doc_stream *from, const char *charset,
                      struct err *e)
{
    const int flags = CHARSET_NO_NUL | CHARSET_GUESSED;
    int rc = charset_open(out, from, charset_name(charset), flags, e);
    return rc == ERR_UNSUPPORTED ? charset_open(out, from, "UTF-8", flags, e) : rc;
}

// ---- values

// What is left to be read of it.
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

int mail_put_text(struct bytes *t, const char *s, size_t n, const char *charset, struct err *e)
{
    struct rest from = {s, n};
    struct doc_stream stream = {.read = read_rest, .self = &from, .name = "a mail"};
    struct doc_charset *c;
    char buf[512];
    ssize_t got;
    int rc = mail_charset_open(&c, &stream, charset, e);
    if (rc)
        return rc;
    while (!rc && (got = charset_read(c, buf, sizeof buf, e)) > 0)
        for (ssize_t i = 0; i < got && !rc; i++)
            if ((unsigned char)buf[i] >= ' ' && buf[i] != 0x7f)
                rc = bytes_put(t, buf + i, 1, e);
    charset_close(c);
    return rc;
}

// "=?utf-8?Q?Gr=C3=BC=C3=9Fe?="
struct word {
    size_t n; // its length; 0: it is none
    char charset[64], how;
    const char *text;
    size_t n_text;
};

static struct word find_word(const char *s, size_t n)
{
    struct word w = {0};
    const char *end = s + n, *how = n > 8 && !memcmp(s, "=?", 2) ? memchr(s + 2, '?', n - 2) : NULL;
    if (!how || (size_t)(how - s) >= sizeof w.charset || end - how < 5 || !how[1] ||
        !strchr("bBqQ", how[1]) || how[2] != '?')
        return w;
    const char *stop = memchr(how + 3, '?', (size_t)(end - how - 3));
    if (!stop || stop + 1 == end || stop[1] != '=')
        return w;
    memcpy(w.charset, s + 2, (size_t)(how - s - 2));
    w.charset[strcspn(w.charset, "*")] = 0; // a language may follow
    w.how = how[1];
    w.text = how + 3;
    w.n_text = (size_t)(stop - w.text);
    w.n = (size_t)(stop + 2 - s);
    return w;
}

static int put_word(struct bytes *t, const struct word *w, struct err *e)
{
    char *raw = mem_new(w->n_text + 1, 1, e);
    size_t n = 0;
    unsigned bits = 0;
    int n_bits = 0;
    if (!raw)
        return ERR_NOMEM;
    if (w->how == 'b' || w->how == 'B')
        n = mail_base64(w->text, w->n_text, raw, &bits, &n_bits);
    else
        n = mail_quoted(w->text, w->n_text, raw);
    for (size_t i = 0; i < n && (w->how == 'q' || w->how == 'Q'); i++)
        raw[i] = raw[i] == '_' ? ' ' : raw[i];
    int rc = mail_put_text(t, raw, n, w->charset, e);
    free(raw);
    return rc;
}

int mail_put_value(struct bytes *t, const char *value, size_t n, struct err *e)
{
    int rc = 0, was_word = 0;
    while (n && !rc) {
        size_t blank = 0, plain = 0;
        while (blank < n && strchr(" \t\r\n", value[blank]) && value[blank])
            blank++;
        struct word w = find_word(value + blank, n - blank);
        // White space between two encoded words is not part of the text.
        if (blank && !(was_word && w.n))
            rc = bytes_puts(t, " ", e);
        value += blank;
        n -= blank;
        while (plain < n && !w.n && (!strchr(" \t\r\n", value[plain]) || !value[plain]))
            plain++;
        if (!rc)
            rc = w.n ? put_word(t, &w, e) : mail_put_text(t, value, plain, "", e);
        was_word = w.n > 0;
        value += w.n + plain;
        n -= w.n + plain;
    }
    return rc;
}

// Where the value of the parameter at P begins if it is NAME; NULL: it is not. *NUMBER is that of a
// part of a value (RFC 2231: name*1=), or -1; *IS_CODED: it has bytes as %XX (name*=).
static const char *find_value(const char *p, const char *name, int *number, int *is_coded)
{
    size_t len = strlen(name);
    if (strncasecmp(p, name, len))
        return NULL;
    p += len;
    *number = -1;
    if (*p == '*' && isdigit((unsigned char)p[1])) {
        char *end;
        *number = (int)strtol(p + 1, &end, 10);
        p = end;
    }
    *is_coded = *p == '*';
    p += *is_coded + strspn(p + *is_coded, " \t");
    return *p == '=' ? p + 1 + strspn(p + 1, " \t") : NULL;
}

// Behind the character set and the language that stand before a coded value: utf-8'en'a%20b.
static const char *skip_language(const char *p)
{
    const char *end = p + strcspn(p, ";"), *one = strchr(p, '\''),
               *two = one ? strchr(one + 1, '\'') : NULL;
    return two && two < end ? two + 1 : p;
}

// Appends a value to OUT, which has N bytes, and returns how many it has then.
static size_t add_value(char *out, size_t n, size_t cap, const char *p, int is_coded)
{
    char quote = *p == '"' ? *p++ : 0;
    for (; *p && n + 1 < cap && (quote ? *p != '"' : !isspace((unsigned char)*p) && *p != ';');
         p++) {
        int byte = is_coded && *p == '%' && hex(p[1]) >= 0 && hex(p[2]) >= 0
                       ? hex(p[1]) << 4 | hex(p[2])
                       : 0;
        out[n++] = byte ? (char)byte : *p;
        p += byte ? 2 : 0;
    }
    out[n] = 0;
    return n;
}

void mail_param(const char *value, const char *name, char *out, size_t cap)
{
    size_t n = 0;
    int parts = 0, number, is_coded;
    *out = 0;
    for (const char *p = strchr(value, ';'); p; p = strchr(p, ';')) {
        p += 1 + strspn(p + 1, " \t\r\n");
        const char *v = find_value(p, name, &number, &is_coded);
        // A coded value, or one in parts, says more than the plain one that may stand beside it.
        if (!v || (number < 0 ? n && !is_coded : number != parts))
            continue;
        n = add_value(out, parts ? n : 0, cap, is_coded && !parts ? skip_language(v) : v, is_coded);
        parts += number >= 0;
    }
}
