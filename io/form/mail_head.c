#include "io/form/mail_head.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/mem.h"
#include "io/source/decode.h"

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
        n = decode_base64(w->text, w->n_text, raw, &bits, &n_bits);
    else
        n = decode_quoted(w->text, w->n_text, raw);
    for (size_t i = 0; i < n && (w->how == 'q' || w->how == 'Q'); i++)
        raw[i] = raw[i] == '_' ? ' ' : raw[i];
    int rc = decode_text(t, raw, n, w->charset, e);
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
            rc = w.n ? put_word(t, &w, e) : decode_text(t, value, plain, "", e);
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
        int byte = is_coded && *p == '%' && decode_hex(p[1]) >= 0 && decode_hex(p[2]) >= 0
                       ? decode_hex(p[1]) << 4 | decode_hex(p[2])
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
