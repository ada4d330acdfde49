// Turns of a conversation: who speaks, what a speaker asks and another one answers.
#include "engine/company/company_impl.h"
#include "engine/lines/chat_lines.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

size_t company_paragraph(const struct lines *c, size_t at)
{
    size_t line = line_start(c, at);
    while (line > 0) {
        size_t above = line_start(c, line - 1);
        if (line_is_empty(c, above))
            return line_words(c, line, line_end(c, line));
        line = above;
    }
    return 0;
}

// Who speaks on the line that begins with byte LINE, where that begins a paragraph with a time:
// "[00:04:10] MS LUND: ..." of a transcript. A chat, line below line, keeps to its lines.
static struct span_of_text timed_speaker(const struct lines *c, size_t line)
{
    struct span_of_text when, who;
    if (!line || !line_is_empty(c, line_start(c, line - 1)) ||
        !chat_line(c->text + line, line_end(c, line) - line, &when, &who))
        return (struct span_of_text){0};
    return (struct span_of_text){line + who.from, line + who.to};
}

int company_speaks(const struct lines *c, size_t line)
{
    return label_is_there(c, line) || span_bytes(timed_speaker(c, line)) > 0;
}

size_t company_words(const struct lines *c, size_t line)
{
    const struct span_of_text who = timed_speaker(c, line);
    size_t n;
    const char *label = label_at(c, line, &n);
    size_t at = span_bytes(who) ? who.to : label ? (size_t)(label - c->text) + n : line;
    while (at < c->n && is_one_of(c->text[at], ": >*"))
        at++;
    return at;
}

// Whether another one speaks on the line that begins with byte LINE than in text[FROM..TO), which
// begins with a line, too.
static int is_other(const struct lines *c, size_t line, size_t from, size_t to)
{
    const struct span_of_text own = timed_speaker(c, line), other = timed_speaker(c, from);
    return span_bytes(own) && span_bytes(other) ? !span_is_alike(c->text, own, c->text, other)
                                                : label_is_other(c, line, from, to);
}

int company_answers(const struct lines *c, size_t from)
{
    const size_t above = line_trimmed(c, 0, line_start(c, from));
    return above && line_start(c, from) == from && company_speaks(c, from) &&
           line_asks(c->text, above) &&
           is_other(c, from, line_start(c, company_paragraph(c, above - 1)), above);
}

int company_asks(const struct lines *c, size_t from, size_t to)
{
    int lines;
    const size_t next = company_next_after(c, to, &lines), line = line_start(c, from);
    return next < c->n && lines <= 2 && company_speaks(c, line) && is_other(c, next, line, to) &&
           line_end(c, from) + 1 >= to &&
           line_asks(c->text + from, line_trimmed(c, from, to) - from);
}
