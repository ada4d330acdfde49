#include "io/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "io/show.h"

enum { MAX_DEPTH = sizeof((struct json *)0)->kind };

void json_init(struct json *j, FILE *f)
{
    *j = (struct json){.f = f};
}

// Writes the comma that a value or key may need; a value after a key needs none.
static void separate(struct json *j)
{
    if (j->after_key) {
        j->after_key = 0;
        return;
    }
    if (j->depth && j->count[j->depth - 1]++)
        fputs(", ", j->f);
}

static void begin(struct json *j, char kind)
{
    assert(j->depth < MAX_DEPTH);
    separate(j);
    fputc(kind, j->f);
    j->kind[j->depth] = kind;
    j->count[j->depth] = 0;
    j->depth++;
}

void json_object(struct json *j)
{
    begin(j, '{');
}

void json_array(struct json *j)
{
    begin(j, '[');
}

void json_end(struct json *j)
{
    assert(j->depth > 0 && !j->after_key);
    j->depth--;
    fputc(j->kind[j->depth] == '{' ? '}' : ']', j->f);
}

static void put_char(FILE *f, const utf8proc_uint8_t *p, size_t bytes, utf8proc_int32_t c)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char *at = c > 0 && c < 0x80 ? strchr(plain, c) : NULL;
    if (at)
        fprintf(f, "\\%c", letter[at - plain]);
    else if (show_class(c) != SHOW_TEXT) // of no consequence for who parses it
        fprintf(f, "\\u%04" PRIx32, (uint32_t)c);
    else
        fwrite(p, 1, bytes, f);
}

static void put_str(FILE *f, const char *s, size_t n)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)s;
    fputc('"', f);
    while (n) {
        utf8proc_int32_t c;
        utf8proc_ssize_t len = utf8proc_iterate(p, n < 4 ? (utf8proc_ssize_t)n : 4, &c);
        if (len > 0)
            put_char(f, p, (size_t)len, c);
        else
            fputs("\xef\xbf\xbd", f);
        len = len > 0 ? len : 1;
        p += len;
        n -= (size_t)len;
    }
    fputc('"', f);
}

struct json *json_key(struct json *j, const char *key)
{
    assert(j->depth > 0 && j->kind[j->depth - 1] == '{' && !j->after_key);
    separate(j);
    put_str(j->f, key, strlen(key));
    fputs(": ", j->f);
    j->after_key = 1;
    return j;
}

void json_str(struct json *j, const char *s, size_t n)
{
    separate(j);
    put_str(j->f, s, n);
}

static void word(struct json *j, const char *s)
{
    separate(j);
    fputs(s, j->f);
}

void json_cstr(struct json *j, const char *s)
{
    if (s)
        json_str(j, s, strlen(s));
    else
        word(j, "null");
}

void json_int(struct json *j, int64_t v)
{
    separate(j);
    fprintf(j->f, "%" PRId64, v);
}

void json_uint(struct json *j, uint64_t v)
{
    separate(j);
    fprintf(j->f, "%" PRIu64, v);
}

void json_num(struct json *j, double v)
{
    char s[32];
    if (!isfinite(v)) {
        word(j, "null");
        return;
    }
    if (v == trunc(v) && fabs(v) < 0x1p53) {
        snprintf(s, sizeof s, "%.0f", v);
        word(j, s);
        return;
    }
    // Most numbers come from floats: 0.1f is to be written as 0.1, not as 0.100000001.
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(s, sizeof s, "%.*g", digits, v);
        if (strtof(s, NULL) == v)
            break;
    }
    word(j, s);
}

void json_bool(struct json *j, int v)
{
    word(j, v ? "true" : "false");
}

void json_null(struct json *j)
{
    word(j, "null");
}

void json_line(struct json *j)
{
    fputc('\n', j->f);
    fflush(j->f);
}
