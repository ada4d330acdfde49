#include "engine/rows/listed.h"

#include <string.h>

#include "engine/lines/lines.h"

static size_t spaces_at(const struct lines *c, size_t at)
{
    size_t n = 0;
    while (at + n < c->n && c->text[at + n] == ' ')
        n++;
    return n;
}

static int has_at(const struct lines *c, size_t at, const char *mark)
{
    return at + strlen(mark) <= c->n && !memcmp(c->text + at, mark, strlen(mark));
}

int listed_row(const struct lines *c, size_t at, struct span_of_text *row, struct span_of_text *v,
               int most)
{
    static const char first[] = "* - ", other[] = "- ";
    const size_t in = spaces_at(c, at) + 2; // of the other cells
    int n = 0;
    if (!has_at(c, at + in - 2, first))
        return 0;
    *row = (struct span_of_text){at, at};
    for (size_t line = at; line < c->n; line = row->to + 1) {
        const size_t own = spaces_at(c, line), end = line_end(c, line);
        const int begins = line == at || (own == in && has_at(c, line + in, other));
        if ((!begins && own <= in) || n == most)
            break;
        if (begins)
            v[n++] = (struct span_of_text){line + in + 2, line_trimmed(c, line + in + 2, end)};
        else
            v[n - 1].to = v[n - 1].from;
        row->to = end;
    }
    return n > 1 ? n : 0;
}

int listed_head(const struct lines *c, size_t at)
{
    for (size_t line = at; line > 0;) {
        const size_t end = line - 1;
        line = line_start(c, end);
        const size_t words = line + spaces_at(c, line);
        if (has_at(c, words, ":header-rows:"))
            return 1;
        if (words < end && c->text[words] != ':')
            return 0;
    }
    return 0;
}
