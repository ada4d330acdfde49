#define _GNU_SOURCE
#include "io/form/cards_value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "io/source/decode.h"

// ---- properties

int cards_property(struct cards_property *p, const char *line, size_t n)
{
    size_t name = 0, at;
    for (at = 0; at < n && (isalnum((unsigned char)line[at]) || strchr("-._", line[at])); at++)
        name = line[at] == '.' ? at + 1 : name;
    if (at == name || at == n || !strchr(";:", line[at]))
        return 0;
    *p = (struct cards_property){.name = line + name, .n_name = at - name, .params = line + at};
    for (int quoted = 0; at < n && (quoted || line[at] != ':'); at++)
        quoted ^= line[at] == '"';
    if (at == n)
        return 0;
    p->n_params = (size_t)(line + at - p->params);
    p->value = line + at + 1;
    p->n_value = n - at - 1;
    return 1;
}

int cards_is(const struct cards_property *p, const char *name)
{
    return p->n_name == strlen(name) && !strncasecmp(p->name, name, p->n_name);
}

// What NAME is of the list TEXT [bytes], "NAME=VALUE;...": as cards_param.
static const char *find_part(const char *text, size_t bytes, const char *name, size_t *n)
{
    const size_t len = strlen(name);
    const char *end = text + bytes;
    for (const char *at = text; at < end; at++) { // behind ";"
        const char *from = at;
        for (int quoted = 0; at < end && (quoted || *at != ';'); at++)
            quoted ^= *at == '"';
        if ((size_t)(at - from) <= len || strncasecmp(from, name, len) != 0 || from[len] != '=')
            continue;
        from += len + 1;
        const int quoted = at - from > 1 && *from == '"' && at[-1] == '"';
        *n = (size_t)(at - from) - (size_t)(2 * quoted);
        return from + quoted;
    }
    return NULL;
}

const char *cards_param(const struct cards_property *p, const char *name, size_t *n)
{
    return p->n_params ? find_part(p->params + 1, p->n_params - 1, name, n) : NULL;
}

static int put_plain(struct bytes *t, const char *s, size_t n, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        char c = s[i];
        if (c == '\\' && i + 1 < n)
            c = s[++i] == 'n' || s[i] == 'N' ? '\n' : s[i];
        if (c != '\r')
            rc = bytes_put(t, &c, 1, e);
    }
    return rc;
}

// Decoded TEXT [n], whose lines stay apart.
static int put_decoded(struct bytes *t, const char *text, size_t n, const char *charset,
                       struct err *e)
{
    const char *end = text + n, *line_end;
    int rc = 0;
    for (; !rc && (line_end = memchr(text, '\n', (size_t)(end - text))); text = line_end + 1)
        if (!(rc = decode_text(t, text, (size_t)(line_end - text), charset, e)))
            rc = bytes_puts(t, "\n", e);
    return rc ? rc : decode_text(t, text, (size_t)(end - text), charset, e);
}

int cards_put_value(struct bytes *t, const struct cards_property *p, struct err *e)
{
    static const char coded[] = "QUOTED-PRINTABLE";
    if (!memmem(p->params, p->n_params, coded, sizeof coded - 1))
        return put_plain(t, p->value, p->n_value, e);
    char *raw = malloc(p->n_value + 1);
    if (!raw)
        return err_set(e, ERR_NOMEM, "out of memory (value of a card)");
    size_t n_set;
    const char *set = cards_param(p, "CHARSET", &n_set);
    char charset[32] = "";
    snprintf(charset, sizeof charset, "%.*s", set && n_set < sizeof charset ? (int)n_set : 0,
             set ? set : "");
    const size_t n = decode_quoted(p->value, p->n_value, raw);
    const int rc = put_decoded(t, raw, n, charset, e);
    free(raw);
    return rc;
}

// ---- times

struct moment {
    struct tm day; // of which the years, months, days and the day of the week
    int hour, minute, has_time, is_utc;
};

static int digits_at(const char *s, int n)
{
    int v = 0;
    for (int i = 0; i < n; i++) {
        if (!isdigit((unsigned char)s[i]))
            return -1;
        v = 10 * v + (s[i] - '0');
    }
    return v;
}

// As the calendar has it: the 0th of a month is the last day of the one before it.
static struct tm calendar_day(int year, int month, int day)
{
    struct tm t = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    timegm(&t);
    return t;
}

// "20240312", "2024-03-12", either with "T0900", "T090000", "T09:00:00" behind it, and "Z".
static int read_moment(struct moment *m, const char *s, size_t n)
{
    char bare[16];
    size_t k = 0;
    *m = (struct moment){0};
    for (size_t i = 0; i < n && k < sizeof bare - 1; i++)
        if (s[i] != '-' && s[i] != ':')
            bare[k++] = s[i];
    bare[k] = 0;
    if (k < 8)
        return 0;
    const int year = digits_at(bare, 4), month = digits_at(bare + 4, 2),
              day = digits_at(bare + 6, 2);
    if (year < 1 || month < 1 || day < 1)
        return 0;
    m->day = calendar_day(year, month, day);
    if (m->day.tm_mon != month - 1 || m->day.tm_mday != day)
        return 0;
    if (k == 8)
        return 1;
    if (k < 13 || bare[8] != 'T')
        return 0;
    m->has_time = 1;
    m->hour = digits_at(bare + 9, 2);
    m->minute = digits_at(bare + 11, 2);
    m->is_utc = s[n - 1] == 'Z';
    return m->hour >= 0 && m->hour < 24 && m->minute >= 0 && m->minute < 60;
}

static const char *const weekdays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};

static int same_day(const struct tm *a, const struct tm *b)
{
    return a->tm_year == b->tm_year && a->tm_yday == b->tm_yday;
}

int cards_put_time(struct bytes *t, const char *value, size_t n, const char *after, size_t n_after,
                   struct err *e)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    struct moment m, a;
    char text[96] = "";
    if (!read_moment(&m, value, n))
        return put_plain(t, value, n, e);
    const int same = after && read_moment(&a, after, n_after) && same_day(&a.day, &m.day);
    if (!same)
        snprintf(text, sizeof text, "%s, %d %s %d", weekdays[m.day.tm_wday], m.day.tm_mday,
                 months[m.day.tm_mon], m.day.tm_year + 1900);
    if (m.has_time)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d:%02d%s", same ? "" : ", ",
                 m.hour, m.minute, m.is_utc ? " UTC" : "");
    return bytes_puts(t, text, e);
}

int cards_is_day(const char *value, size_t n)
{
    struct moment m;
    return read_moment(&m, value, n) && !m.has_time;
}

void cards_day_before(const char *value, char day[8])
{
    struct moment m;
    char text[16];
    memcpy(day, value, 8);
    if (!read_moment(&m, value, 8))
        return;
    const struct tm t = calendar_day(m.day.tm_year + 1900, m.day.tm_mon + 1, m.day.tm_mday - 1);
    if (t.tm_year + 1900 < 1)
        return;
    snprintf(text, sizeof text, "%04d%02d%02d", (t.tm_year + 1900) % 10000, (t.tm_mon + 1) % 100,
             t.tm_mday % 100);
    memcpy(day, text, 8);
}

// "P2D", "PT1H30M", "P1W" in seconds; -1: it is none.
static int64_t read_duration(const char *s)
{
    enum { MOST = 100000000 };
    static const char letters[] = "WDHMS";
    static const int64_t seconds[] = {604800, 86400, 3600, 60, 1};
    int64_t all = 0;
    s += *s == '+';
    if (*s++ != 'P' || !*s)
        return -1;
    while (*s) {
        s += *s == 'T';
        int64_t n = 0;
        const char *from = s;
        for (; isdigit((unsigned char)*s) && n < MOST; s++)
            n = 10 * n + (*s - '0');
        const char *unit = *s ? strchr(letters, *s) : NULL;
        if (!unit || s++ == from)
            return -1;
        all += n * seconds[unit - letters];
    }
    return all;
}

int cards_end_of(const char *start, const char *duration, char *end, size_t cap)
{
    struct moment m;
    struct tm t;
    const int64_t lasts = read_duration(duration);
    if (lasts < 0 || !read_moment(&m, start, strlen(start)) || (!m.has_time && lasts % 86400))
        return 0;
    const time_t at = timegm(&m.day) + m.hour * 3600 + m.minute * 60 + (time_t)lasts;
    if (!gmtime_r(&at, &t) || t.tm_year + 1900 > 9999)
        return 0;
    int n = snprintf(end, cap, "%04d%02d%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
    if (m.has_time)
        snprintf(end + n, cap - (size_t)n, "T%02d%02d00%s", t.tm_hour, t.tm_min,
                 m.is_utc ? "Z" : "");
    return 1;
}

// ---- rules

static int put_days(struct bytes *t, const char *days, size_t n, struct err *e)
{
    static const char codes[] = "SUMOTUWETHFRSA";
    int rc = 0, put_one = 0;
    for (size_t at = 0; at < n && !rc;) {
        size_t end = at;
        while (end < n && days[end] != ',')
            end++;
        const char *code = end - at >= 2 ? days + end - 2 : "??";
        for (size_t d = 0; d < 7 && !rc; d++)
            if (!strncasecmp(codes + 2 * d, code, 2)) {
                char nth[32] = "";
                const int which = atoi(days + at);
                if (which)
                    snprintf(nth, sizeof nth, which < 0 ? "last " : "%d. ", which);
                if (!(rc = bytes_puts(t, put_one++ ? ", " : " on ", e)) &&
                    !(rc = bytes_puts(t, nth, e)))
                    rc = bytes_puts(t, weekdays[d], e);
            }
        at = end + 1;
    }
    return rc;
}

int cards_put_rule(struct bytes *t, const char *value, size_t n, struct err *e)
{
    static const char *const often[][2] = {
        {"DAILY", "day"}, {"WEEKLY", "week"}, {"MONTHLY", "month"}, {"YEARLY", "year"}};
    const char *unit = NULL, *part;
    size_t bytes;
    char text[64];
    if ((part = find_part(value, n, "FREQ", &bytes)))
        for (size_t i = 0; i < sizeof often / sizeof *often; i++)
            if (bytes == strlen(often[i][0]) && !strncasecmp(part, often[i][0], bytes))
                unit = often[i][1];
    if (!unit)
        return put_plain(t, value, n, e);
    part = find_part(value, n, "INTERVAL", &bytes);
    const int every = part ? atoi(part) : 1;
    if (every > 1)
        snprintf(text, sizeof text, "every %d %ss", every, unit);
    else
        snprintf(text, sizeof text, "every %s", unit);
    int rc = bytes_puts(t, text, e);
    if (!rc && (part = find_part(value, n, "BYDAY", &bytes)))
        rc = put_days(t, part, bytes, e);
    if (!rc && (part = find_part(value, n, "COUNT", &bytes)) && bytes < 8 && bytes) {
        snprintf(text, sizeof text, ", %.*s times", (int)bytes, part);
        rc = bytes_puts(t, text, e);
    }
    if (!rc && (part = find_part(value, n, "UNTIL", &bytes)) &&
        !(rc = bytes_puts(t, ", until ", e)))
        rc = cards_put_time(t, part, bytes < 8 ? bytes : 8, NULL, 0, e);
    return rc;
}
