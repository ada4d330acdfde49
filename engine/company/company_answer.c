// What answers a question: the sentences behind it, what another speaker says, what is said aloud.
#include <string.h>

#include "engine/company/company_impl.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/question/asked.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/heading.h"
#include "engine/words/words.h"

void company_turn(const struct lines *c, size_t from, size_t *to)
{
    for (int lines;;) {
        size_t first = company_next_after(c, *to, &lines), last;
        if (first >= c->n || lines > 1 || (lines && label_is_there(c, first)))
            return;
        cut_sentence(c, first, &first, &last);
        // The text may be a stretch that ends within a sentence.
        const size_t said = line_trimmed(c, first, last);
        const int is_whole =
            said < line_trimmed(c, first, c->n) || is_one_of(c->text[said - 1], ".!?\")\x9d");
        if (last - from > LONGEST_SENTENCE || !is_whole)
            return;
        *to = last;
    }
}

// Whether text[FROM..TO) asks how something is done: "8.4 How do I display the files?".
static int asks_for_steps(const struct lines *c, size_t from, size_t to)
{
    for (; from < to && !is_one_of(c->text[from], "?\n"); from++)
        if (is_one_of(c->text[from], "HhWw") && (!from || !word_has(c->text[from - 1])) &&
            asked_how(c->text + from, to - from))
            return 1;
    return 0;
}

// Extends *TO by the sentences behind it, up to one that leads in a command or a list, if there is
// one nearby: how something is done is rarely said before that.
static void with_steps(const struct lines *c, size_t from, size_t *to)
{
    enum { MOST = 4 };
    size_t last = *to;
    for (int i = 0, lines; i < MOST && c->text[last - 1] != ':'; i++) {
        size_t first = company_next_after(c, last, &lines);
        if (first >= c->n || lines > 2)
            return;
        cut_sentence(c, first, &first, &last);
        if (line_asks(c->text + first, last - first) || last - from > LONGEST_SENTENCE)
            return;
    }
    *to = c->text[last - 1] == ':' ? last : *to;
}

// Bytes of the quotation mark at byte AT, 0: there is none.
static size_t quote_at(const struct lines *c, size_t at)
{
    return quotation_mark(c->text + at, c->n - at);
}

// The end of the paragraph of byte FROM; of one with more than MOST bytes from there, that of a
// line beyond these.
static size_t paragraph_end(const struct lines *c, size_t from, size_t most)
{
    size_t end = line_end(c, from);
    while (end + 1 < c->n && line_trimmed(c, from, end) - from <= most &&
           !line_is_empty(c, end + 1))
        end = line_end(c, end + 1);
    return line_trimmed(c, from, end);
}

int company_said(const struct lines *c, size_t from, size_t *to)
{
    enum { SAID = 40, LONG = 3 * COMPANY_SHORT }; // bytes of who asks it, and of the answer
    size_t at = from + quote_at(c, from);
    int lines, aloud = 0;
    while (at > from && at < *to && !(c->text[at] == '?' && quote_at(c, at + 1)))
        at++;
    if (at == from || at >= *to)
        return 0;
    const size_t own = paragraph_end(c, from, at - from + SAID),
                 first = company_next_after(c, own, &lines);
    for (size_t i = at + 1 + quote_at(c, at + 1); i < own; i++)
        if (own - at > SAID || quote_at(c, i))
            return 0;
    if (first >= c->n)
        return 0;
    const size_t end = paragraph_end(c, first, LONG);
    for (at = first; at < end && end - first <= LONG; at++)
        aloud |= quote_at(c, at) > 0;
    if (aloud)
        *to = end;
    return aloud;
}

// Whether a heading begins at byte NEXT, behind the question at byte FROM that a paragraph ends
// with, which the next section does not answer.
static int is_next_section(const struct lines *c, size_t from, size_t next)
{
    size_t first, end;
    const size_t line = line_start(c, next), paragraph = company_paragraph(c, from);
    return paragraph && paragraph < from && line > line_end(c, from) &&
           heading_is(c, line, &first, &end) && !line_asks(c->text + first, end - first);
}

void company_answer(const struct lines *c, size_t from, size_t *to)
{
    enum { MOST = 2 };
    const int steps = asks_for_steps(c, from, *to);
    size_t first = from, last = *to, own = line_end(c, from);
    int stops, lines;
    for (int i = 0; i < MOST && (!i || company_says_little(c, first, last, &stops));) {
        first = company_next_after(c, last, &lines);
        if (first >= c->n || is_next_section(c, from, first))
            return;
        cut_sentence(c, first, &first, &last);
        const int asks = line_asks(c->text + first, last - first);
        if ((asks && first > own) || last - from > LONGEST_SENTENCE)
            return;
        *to = last;
        if (company_speaks(c, line_start(c, from)) && company_speaks(c, line_start(c, first)) &&
            first > own) {
            company_turn(c, from, to);
            return;
        }
        i += !asks && !company_is_remark(c, first, last);
    }
    if (steps)
        with_steps(c, from, to);
}
