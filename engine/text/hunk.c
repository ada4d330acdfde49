#include "engine/text/hunk.h"

#include <string.h>

#include "engine/text/lines.h"

// Whether the line that begins with byte LINE begins with WITH.
static int begins(const struct cut *c, size_t line, const char *with)
{
    return line < c->n && begins_with(c->text + line, c->n - line, with);
}

static int is_header(const struct cut *c, size_t line)
{
    return begins(c, line, "@@ -");
}

// Whether the line that begins with byte LINE is one of the two that name a file.
static int names_file(const struct cut *c, size_t line)
{
    return (begins(c, line, "--- ") && begins(c, line_end(c, line) + 1, "+++ ")) ||
           (line && begins(c, line, "+++ ") && begins(c, line_start(c, line - 1), "--- "));
}

// Whether it may stand in a hunk: it has a sign, or nothing at all.
static int may_be_in(const struct cut *c, size_t line)
{
    return line < c->n && is_one_of(c->text[line], " +-\\\n\r") && !names_file(c, line);
}

int hunk_next(struct hunks *h, struct span_of_text *line, struct span_of_text *file)
{
    const struct cut *c = h->c;
    while (h->at < c->n) {
        *line = line_at(c, h->at);
        h->at = line->to + 1;
        if (is_header(c, line->from)) {
            h->in = 1;
            continue;
        }
        h->in = h->in && may_be_in(c, line->from);
        if (h->in && is_one_of(c->text[line->from], " +-")) {
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

int hunk_divides(const struct cut *c, size_t line)
{
    enum { MOST = 128 }; // lines that are looked through for the header above
    const size_t next = line_end(c, line) + 1;
    if (next >= c->n || c->text[line] == c->text[next] ||
        (!is_one_of(c->text[line], "+-") && !is_one_of(c->text[next], "+-")) ||
        !may_be_in(c, line) || !may_be_in(c, next))
        return 0;
    for (int l = 0; l < MOST && line && may_be_in(c, line); l++)
        line = line_start(c, line - 1);
    return is_header(c, line);
}
