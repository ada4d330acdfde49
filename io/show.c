#include "io/show.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "io/mem.h"

static int is_harmless(utf8proc_int32_t c)
{
    return c >= 0x20 && !(c >= 0x7f && c < 0xa0) && c != 0x200e && c != 0x200f &&
           !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069);
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
