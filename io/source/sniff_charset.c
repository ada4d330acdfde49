// The character set of what a document begins with.
#include "io/source/sniff_charset.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include <utf8proc.h>

#include "io/source/magic.h"
#include "io/source/stream.h"

int sniff_is_utf8(const uint8_t *p, size_t n)
{
    for (size_t may_go_on = n == DOC_HEAD; n;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t len = utf8proc_iterate(p, n < 4 ? (utf8proc_ssize_t)n : 4, &c);
        if (len < 0)
            return may_go_on && n < 4 && *p >= 0xc2;
        p += len;
        n -= (size_t)len;
    }
    return 1;
}

const char *sniff_mark(const uint8_t *head, size_t n)
{
    if (sniff_has(head, n, 0, DOC_MAGIC("\xff\xfe\0\0")) ||
        sniff_has(head, n, 0, DOC_MAGIC("\0\0\xfe\xff")))
        return "utf-32";
    return sniff_has(head, n, 0, DOC_MAGIC("\xff\xfe")) ||
                   sniff_has(head, n, 0, DOC_MAGIC("\xfe\xff"))
               ? "utf-16"
               : NULL;
}

const char *sniff_utf16(const uint8_t *p, size_t n)
{
    size_t pairs = n / 2, nul[2] = {0, 0};
    for (size_t i = 0; i < pairs * 2; i++)
        nul[i % 2] += !p[i];
    if (pairs < 4 || (nul[0] && nul[1]))
        return NULL;
    return nul[1] * 2 > pairs ? "utf-16le" : nul[0] * 2 > pairs ? "utf-16be" : NULL;
}

// The word after "charset=" (in a <meta>) or "encoding=" (in an XML declaration).
static int find_word(const uint8_t *head, size_t n, const char *key, char *out, size_t cap)
{
    size_t len = strlen(key), k = 0;
    for (size_t i = 0; i + len < n; i++) {
        if (strncasecmp((const char *)head + i, key, len))
            continue;
        for (i += len; i < n && (isspace(head[i]) || head[i] == '"' || head[i] == '\'');)
            i++;
        while (i < n && k + 1 < cap && head[i] && (isalnum(head[i]) || strchr("-_:.+", head[i])))
            out[k++] = (char)head[i++];
        out[k] = 0;
        return k > 0;
    }
    return 0;
}

int sniff_charset(const uint8_t *head, size_t n, char *charset, size_t cap)
{
    const char *is = sniff_has(head, n, 0, "\xef\xbb\xbf", 3) ? "UTF-8" : sniff_mark(head, n);
    int named = 1;
    size_t top = n < 5 || memcmp(head, "<?xml", 5) ? 0 : n < 200 ? n : 200;
    if (!is && (find_word(head, top, "encoding=", charset, cap) ||
                find_word(head, n, "charset=", charset, cap))) {
        // What the web calls Latin-1 is its superset; a <meta> that can be read is not UTF-16.
        if (!strcasecmp(charset, "iso-8859-1") || !strcasecmp(charset, "latin1") ||
            !strcasecmp(charset, "us-ascii") || !strcasecmp(charset, "ascii"))
            is = "CP1252";
        else if (!strncasecmp(charset, "utf-16", 6))
            is = "UTF-8";
    } else if (!is) {
        is = sniff_is_utf8(head, n) ? "UTF-8" : "CP1252";
        named = 0;
    }
    if (is)
        strcpy(charset, is);
    return named;
}
