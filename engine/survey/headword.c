#include "engine/survey/headword.h"

#include <string.h>

#include "engine/words/chars.h"

enum {
    TERM = 60,     // bytes of a term
    LONGEST = 1500 // of an entry
};

// Whether TEXT [n] begins with a kind of word: ", n. ", " (adj.) ".
static int has_kind(const char *text, size_t n)
{
    static const char *const kinds[] = {"n.",  "v.",  "adj.", "adv.",  "v.t.",   "v.i.",
                                        "vt.", "vi.", "pl.",  "prep.", "interj."};
    static const char *const opens[] = {", ", " ("}, closes[] = " )";
    for (size_t k = 0; k < sizeof opens / sizeof *opens; k++) {
        const size_t open = strlen(opens[k]);
        for (size_t i = 0; begins_with(text, n, opens[k]) && i < sizeof kinds / sizeof *kinds;
             i++) {
            const size_t end = open + strlen(kinds[i]);
            if (begins_with(text + open, n - open, kinds[i]) && end < n && text[end] == closes[k])
                return 1;
        }
    }
    return 0;
}

// Whether text[FROM..TO) of C, with which a line begins, has the marks of a term.
static int is_marked(const struct lines *c, size_t from, size_t to)
{
    const char *behind = c->text + to;
    const size_t n = line_end(c, to) - to;
    if (c->text[from] == ':')
        return to > from + 1 && begins_with(behind, n, ":") && (n == 1 || is_space(behind[1]));
    return (begins_with(behind, n, "::") && line_trimmed(c, to, to + n) == to + 2) ||
           has_kind(behind, n);
}

// Whether the line of C that begins with byte LINE begins an entry.
static int begins_entry(const struct lines *c, size_t line)
{
    const size_t from = past_blanks(c->text, line, c->n), end = line_end(c, line);
    for (size_t to = from + 1; to < end && to - from < TERM; to++)
        if (is_marked(c, from, to))
            return 1;
    return 0;
}

// Whether the paragraph text[FROM..TO) of C is a note in square brackets.
static int is_note(const struct lines *c, size_t from, size_t to)
{
    from = past_blanks(c->text, from, c->n);
    return from < to && c->text[from] == '[' && c->text[to - 1] == ']';
}

// Whether the first of several numbered senses begins with the line at byte LINE of C.
static int begins_senses(const struct lines *c, size_t line)
{
    const size_t at = past_blanks(c->text, line, c->n);
    return begins_with(c->text + at, c->n - at, "1. ");
}

// The first byte of a line that is no blank, where byte AT is that or behind a colon there; c->n:
// it is neither. A line may be as long as the text, and has many words.
static size_t begins_line(const struct lines *c, size_t at)
{
    const size_t first = at - (at > 0 && c->text[at - 1] == ':');
    size_t line = first;
    while (line > 0 && first - line <= TERM && is_gap(c->text[line - 1]))
        line--;
    return line == 0 || c->text[line - 1] == '\n' ? first : c->n;
}

int headword_entry(const struct lines *c, struct span_of_text *s)
{
    const size_t first = begins_line(c, s->from);
    if (first == c->n || !is_marked(c, first, s->to))
        return 0;
    const size_t line = line_start(c, first), in = line_indentation(c, line);
    size_t end = line_trimmed(c, first, line_end(c, line));
    // Behind "RENT, n. " it goes on at once.
    int said = c->text[s->to] != ':';
    for (size_t at = line_end(c, line) + 1; at < c->n && end - first < LONGEST;) {
        const size_t from = line_past_empty(c, at);
        if (from >= c->n || line_indentation(c, from) < in || begins_entry(c, from) ||
            (said && from > at && !begins_senses(c, from)))
            break;
        size_t to = from;
        while (to < c->n && to - first < LONGEST && !line_is_empty(c, to) &&
               (to == from || !begins_entry(c, to)))
            to = line_end(c, to) + 1;
        end = line_trimmed(c, from, to < c->n ? to : c->n);
        said = !is_note(c, from, end);
        at = to;
    }
    *s = (struct span_of_text){first, end};
    return 1;
}
