#include "engine/sentences/reply.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"

enum { FAR = 64 }; // lines, up and down, that are searched for who is quoted

// Where the line above the one that begins with byte LINE > 0 begins.
static size_t above(const struct lines *c, size_t line)
{
    return line_start(c, line - 1);
}

// Where the paragraph of byte AT begins, and the line behind it.
static size_t paragraph_start(const struct lines *c, size_t at)
{
    size_t line = line_start(c, at);
    const size_t quoted = line_quoted(c, line);
    while (line > 0 && line_is_of_paragraph(c, above(c, line), quoted))
        line = above(c, line);
    return line;
}

static size_t paragraph_end(const struct lines *c, size_t at)
{
    size_t line = line_start(c, at);
    const size_t quoted = line_quoted(c, line);
    while (line < c->n && line_is_of_paragraph(c, line, quoted))
        line = line_end(c, line) + 1;
    return line < c->n ? line : c->n;
}

static int is_blank(const struct lines *c, size_t line)
{
    return line_is_empty(c, line) && !line_quoted(c, line);
}

// Whether the quoted lines around the one that begins with byte LINE may be what is replied to: one
// of them asks something, or a line above names who wrote them or that this is a reply ("Subject:
// Re:"). Notes set off by the same marks do neither.
static int is_said(const struct lines *c, size_t line)
{
    const size_t quoted = line_quoted(c, line);
    for (int i = 0; i < FAR && line > 0; i++)
        line = above(c, line);
    for (int i = 0, colon = 0, replies = 0; i < 2 * FAR && line < c->n; i++) {
        const size_t end = line_end(c, line), to = line_trimmed(c, line, end);
        replies |= begins_with(c->text + line, to - line, "Subject: Re:");
        if (line_quoted(c, line) >= quoted &&
            (colon || replies || memchr(c->text + line, '?', to - line)))
            return 1;
        colon = to > line && c->text[to - 1] == ':' && line_quoted(c, line) < quoted;
        line = end + 1;
    }
    return 0;
}

// The first quoted line within text[FROM..TO), right below lines of which the last one ends with a
// colon: they name who wrote it; else the line of FROM.
static size_t quotation_in(const struct lines *c, size_t from, size_t to)
{
    const size_t own = line_start(c, from), quoted = line_quoted(c, own);
    size_t line = line_end(c, own) + 1;
    while (line < to && line_quoted(c, line) == quoted && !line_is_empty(c, line))
        line = line_end(c, line) + 1;
    if (line >= to || line_quoted(c, line) <= quoted)
        return own;
    const size_t end = line_trimmed(c, own, line);
    return end > own && c->text[end - 1] == ':' ? line : own;
}

int reply_below(const struct lines *c, size_t from, size_t *to)
{
    enum { FEW = 48 }; // bytes of a short reply
    const size_t own = quotation_in(c, from, *to), quoted = line_quoted(c, own);
    size_t line = paragraph_end(c, own), first, last, end = 0;
    if (!quoted)
        return 0;
    while (line < c->n && is_blank(c, line))
        line = line_end(c, line) + 1;
    if (line >= c->n || line_is_empty(c, line) || line < *to || line_quoted(c, line) >= quoted ||
        !is_said(c, own))
        return 0;
    // What somebody's name leads in may only tell something, to which nobody replies.
    if (own > line_start(c, from) && !memchr(c->text + from, '?', line - from))
        return 0;
    const size_t below = paragraph_end(c, line), reply = line_words(c, line, line_end(c, line));
    for (first = reply; first < below && end < reply + FEW; first = last) {
        cut_sentence(c, first, &first, &last);
        if (last - from > LONGEST_SENTENCE || (end && last > below))
            break;
        end = last;
        while (last < below && is_space(c->text[last]))
            last++;
    }
    *to = end ? end : *to;
    return end > 0;
}

int reply_above(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    size_t line = paragraph_start(c, at), first, last;
    const size_t own = line_quoted(c, line);
    while (line > 0 && is_blank(c, above(c, line)))
        line = above(c, line);
    if (!line || line_quoted(c, above(c, line)) <= own || line_is_empty(c, above(c, line)))
        return 0;
    const size_t quoted = paragraph_start(c, line - 1);
    if (!is_said(c, quoted))
        return 0;
    cut_sentence(c, line_trimmed(c, quoted, line) - 1, from, to);
    for (first = *from, last = *to; !line_asks(c->text + first, last - first);) {
        const size_t end = line_trimmed(c, 0, first), before = first;
        if (end <= quoted)
            return 1;
        cut_sentence(c, end - 1, &first, &last);
        if (first >= before)
            return 1;
    }
    *from = first;
    *to = last;
    return 1;
}

size_t reply_start(const struct lines *c, size_t from, size_t to)
{
    const size_t first = quotation_in(c, from, to), quoted = line_quoted(c, first);
    for (size_t line = line_end(c, first) + 1; quoted && line < to; line = line_end(c, line) + 1)
        if (!line_is_empty(c, line) && line_quoted(c, line) < quoted)
            return line_words(c, line, line_end(c, line));
    return from;
}
