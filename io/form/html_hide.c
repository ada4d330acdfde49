#define _GNU_SOURCE
#include "io/form/html_hide.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void html_hide_tags(char *s, size_t n)
{
    for (char *p = s; n >= 7 && (p = memchr(p, '<', (size_t)(s + n - 6 - p))); p++) {
        if (!strncasecmp(p, "</html", 6) || !strncasecmp(p, "</body", 6)) {
            p[2] = 'x';
        } else if (!strncasecmp(p, "<![if", 5) || !strncasecmp(p, "<![end", 6)) {
            p[1] = '?';
            p[2] = 'x';
        } else if (p[1] == '!' && isalpha((unsigned char)p[2]) && (p[2] | 0x20) != 'd') {
            p[1] = '?';
        }
    }
}

// The byte behind the next END in S [n] from AT on, or N.
static size_t behind(const char *s, size_t n, size_t at, const char *end)
{
    const char *p = memmem(s + at, n - at, end, strlen(end));
    return p ? (size_t)(p - s) + strlen(end) : n;
}

static int begins(const char *s, size_t n, size_t at, const char *with)
{
    const size_t m = strlen(with);
    return n - at >= m && !strncasecmp(s + at, with, m);
}

void html_hide_subset(char *s, size_t n)
{
    size_t at = 0, from = 0;
    for (;;) {
        while (at < n && html_is_blank(s[at]))
            at++;
        if (begins(s, n, at, "<?"))
            at = behind(s, n, at, ">");
        else if (begins(s, n, at, "<!--"))
            at = behind(s, n, at, "-->");
        else
            break;
    }
    if (!begins(s, n, at, "<!doctype"))
        return;
    while (at < n && (from || s[at] != '>')) {
        if (s[at] == '"' || s[at] == '\'') {
            at = behind(s, n, at + 1, s[at] == '"' ? "\"" : "'");
        } else if (begins(s, n, at, "<!--")) {
            at = behind(s, n, at, "-->");
        } else if (from && s[at] == ']') {
            memset(s + from, ' ', at + 1 - from);
            return;
        } else {
            from = s[at] == '[' && !from ? at : from;
            at++;
        }
    }
}

void html_hide_ends(char *s, size_t n)
{
    size_t at = 0;
    for (;;) {
        while (at < n && html_is_blank(s[at]))
            at++;
        const char *end = begins(s, n, at, "</") ? memchr(s + at, '>', n - at) : NULL;
        if (!end)
            return;
        const size_t to = (size_t)(end + 1 - s);
        memset(s + at, ' ', to - at);
        at = to;
    }
}

size_t html_whole(const char *s, size_t n)
{
    for (size_t k = 1; k < 7 && k <= n; k++)
        if (s[n - k] == '<')
            return n - k;
    return n;
}
