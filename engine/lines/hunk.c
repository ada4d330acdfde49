#include "engine/lines/hunk.h"

#include <string.h>

#include "engine/lines/lines.h"

// Whether the line that begins with byte LINE begins with WITH.
static int begins(const struct lines *c, size_t line, const char *with)
{
    return line < c->n && begins_with(c->text + line, c->n - line, with);
}

// The second of the numbers FROM,LINES that TEXT [n] begins with, one where there is no second one;
// -1: it begins with none.
static long lines_of(const char *text, size_t n)
{
    enum { DIGITS = 9 };
    size_t at = 0, first;
    long lines = 0;
    while (at < n && is_digit(text[at]))
        at++;
    if (!at)
        return -1;
    if (at == n || text[at] != ',')
        return 1;
    for (first = ++at; at < n && is_digit(text[at]) && at - first < DIGITS; at++)
        lines = 10 * lines + (text[at] - '0');
    return at > first ? lines : -1;
}

// Reads how many lines of both files the hunk below LINE, its header, has.
static void read_header(struct hunks *h, struct span_of_text line)
{
    const char *text = h->c->text + line.from + strlen(HUNK_HEADER);
    const size_t n = span_bytes(line) - strlen(HUNK_HEADER);
    const char *new = memchr(text, '+', n);
    const long old_lines = lines_of(text, n),
               new_lines = new ? lines_of(new + 1, n - (size_t)(new + 1 - text)) : -1;
    const int is_one = old_lines >= 0 && new_lines >= 0;
    h->old_left = is_one ? old_lines : 0;
    h->new_left = is_one ? new_lines : 0;
}

// Whether the line that begins with SIGN, its sign, is still of the hunk.
static int takes(struct hunks *h, char sign)
{
    const int of_old = sign != '+' && sign != '\\', of_new = sign != '-' && sign != '\\';
    if (h->old_left < of_old || h->new_left < of_new || h->old_left + h->new_left == 0)
        return 0;
    h->old_left -= of_old;
    h->new_left -= of_new;
    return 1;
}

static int is_header(const struct lines *c, size_t line)
{
    return begins(c, line, HUNK_HEADER);
}

// Whether the line that begins with byte LINE is one of the two that name a file.
static int names_file(const struct lines *c, size_t line)
{
    return (begins(c, line, "--- ") && begins(c, line_end(c, line) + 1, "+++ ")) ||
           (line && begins(c, line, "+++ ") && begins(c, line_start(c, line - 1), "--- "));
}

// Whether it may stand in a hunk: it has a sign, or nothing at all.
static int may_be_in(const struct lines *c, size_t line)
{
    return line < c->n && is_one_of(c->text[line], " +-\\\n\r") && !names_file(c, line);
}

int hunk_next(struct hunks *h, struct span_of_text *line, struct span_of_text *file)
{
    const struct lines *c = h->c;
    while (h->at < c->n) {
        *line = line_at(c, h->at);
        h->at = line->to + 1;
        if (is_header(c, line->from)) {
            read_header(h, *line);
            continue;
        }
        const int in = may_be_in(c, line->from) && takes(h, c->text[line->from]);
        if (!in)
            h->old_left = h->new_left = 0;
        if (in && is_one_of(c->text[line->from], " +-")) {
            *file = h->file;
            return 1;
        }
        if (names_file(c, line->from) && c->text[line->from] == '+')
            h->file = *line;
        else if (begins(c, line->from, "diff "))
            h->file = (struct span_of_text){0};
    }
    return 0;
}

int hunk_holds(const struct lines *c, size_t line)
{
    enum { MOST = 128 }; // lines that are looked through for the header above
    for (int l = 0; l < MOST && line && may_be_in(c, line); l++)
        line = line_start(c, line - 1);
    return is_header(c, line);
}

int hunk_divides(const struct lines *c, size_t line)
{
    const size_t next = line_end(c, line) + 1;
    return next < c->n && c->text[line] != c->text[next] &&
           (is_one_of(c->text[line], "+-") || is_one_of(c->text[next], "+-")) &&
           may_be_in(c, line) && may_be_in(c, next) && hunk_holds(c, line);
}
