#include "io/show.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "io/mem.h"

enum show_class show_class(int32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x202d || c == 0x202e)
        return SHOW_COMMAND;
    return (c >= 0x202a && c <= 0x202c) || (c >= 0x2066 && c <= 0x2069) ? SHOW_FRAME : SHOW_TEXT;
}

// Names are one line, and stand among other text, which a mark of direction would reach.
static int is_harmless(int32_t c)
{
    return show_class(c) == SHOW_TEXT && c != 0x200e && c != 0x200f && c != 0x2028 && c != 0x2029;
}

const char *show_bytes(const void *s, size_t n, char *buf, size_t cap)
{
    const utf8proc_uint8_t *p = s;
    size_t out = 0, fits = 0; // fits: where "..." still has room
    while (n) {
        utf8proc_int32_t c;
        utf8proc_ssize_t len = utf8proc_iterate(p, n < 4 ? (utf8proc_ssize_t)n : 4, &c);
        int good = len > 0 && is_harmless(c);
        size_t in = len > 0 ? (size_t)len : 1, bytes = good ? in : 1;
        if (out + bytes + 1 > cap) {
            memcpy(buf + fits, "...", 4);
            return buf;
        }
        if (good)
            memcpy(buf + out, p, bytes);
        else
            buf[out] = '?';
        out += bytes;
        if (out + 4 <= cap)
            fits = out;
        p += in;
        n -= in;
    }
    buf[out] = 0;
    return buf;
}

char *show_name(const char *s, struct err *e)
{
    enum { LONGEST = 6 };
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)s;
    size_t n = strlen(s), at = 0;
    char *out = mem_new(n * LONGEST + 1, 1, e);
    while (out && n) {
        utf8proc_int32_t c;
        utf8proc_ssize_t len = utf8proc_iterate(p, n < 4 ? (utf8proc_ssize_t)n : 4, &c);
        size_t in = len > 0 ? (size_t)len : 1, room = LONGEST + 1;
        if (len > 0 && is_harmless(c)) {
            memcpy(out + at, p, in);
            at += in;
        } else if (*p == '\n') {
            at += (size_t)snprintf(out + at, room, "\\n");
        } else {
            at += (size_t)snprintf(out + at, room, in > 1 ? "\\u%04x" : "\\x%02x",
                                   in > 1 ? (unsigned)c : (unsigned)*p);
        }
        p += in;
        n -= in;
    }
    return out;
}
