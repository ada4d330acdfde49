#include "engine/sentences/turned.h"

#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

// Whether the heading TEXT [n] says that what is listed below it is not, no longer or not yet so:
// "### Removed", "Not covered", "Planned features".
static int says_turned(const char *text, size_t n)
{
    enum { LONGEST = 60 }; // bytes of such a heading
    static const char words[] = " removed removals deprecated deprecations discontinued withdrawn "
                                "dropped unsupported excluded exclusions forbidden prohibited "
                                "banned rejected declined planned proposed roadmap upcoming "
                                "wishlist todo not never don't cannot without no except ";
    return n > 0 && n < LONGEST && !line_asks(text, n) && words_listed(words, text, n);
}

// Whether the line that begins with byte LINE, OWN without white space, may be the heading of a
// list: it is not set in, and has the mark of a heading or the colon of what leads in a list, or it
// is apart from what is above it and has no stop.
static int may_head(const struct lines *c, size_t line, struct span_of_text own)
{
    const char first = c->text[own.from], last = c->text[own.to - 1];
    return own.from == line &&
           (first == '#' || last == ':' ||
            (is_upper(first) && !is_one_of(last, ".!?;,") && line_is_bare_above(c, line)));
}

int turned_above(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    enum { MOST = 64 }; // lines of the list
    size_t line = line_start(c, at);
    int item = 0; // whether one is below
    for (int l = 0; l < MOST; l++, line = line_start(c, line - 1)) {
        const struct span_of_text own = span_trimmed(c->text, line_at(c, line));
        const size_t n = span_bytes(own);
        if (n && line_is_item(c->text + own.from, n)) {
            item = 1;
        } else if (n && own.from == line) {
            *from = own.from;
            *to = own.to;
            return item && may_head(c, line, own) && says_turned(c->text + own.from, n);
        }
        if (!line)
            return 0;
    }
    return 0;
}

// How many marks of a heading TEXT [n] begins with.
static size_t marks_of(const char *text, size_t n)
{
    size_t marks = 0;
    while (marks < n && text[marks] == '#')
        marks++;
    return marks < n && text[marks] == ' ' ? marks : 0;
}

int turned_version(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    const size_t own = marks_of(c->text + at, c->n - at);
    for (size_t line = at; own > 1 && line > 0;) {
        line = line_start(c, line - 1);
        const size_t marks = marks_of(c->text + line, c->n - line);
        if (!marks || marks >= own)
            continue;
        *from = line;
        *to = line_trimmed(c, line, line_end(c, line));
        for (size_t i = *from; i < *to; i++)
            if (is_digit(c->text[i]))
                return 1;
        return 0;
    }
    return 0;
}
