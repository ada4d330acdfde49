#include "engine/outline/amounts.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    LONG = 72, // bytes of an item, at most,
    WORDS = 4, // and words of one without an amount
    LEAST = 3  // items of a list
};

// Bytes of the amount that TEXT [n] begins with: "250", "1.5", "3-4", "a", "one"; 0: it has none.
static size_t amount_of(const char *text, size_t n)
{
    static const char words[] = " a an some one two three four five six half ";
    size_t i = 0;
    if (begins_with(text, n, "\xc2\xbd") || begins_with(text, n, "\xc2\xbc") ||
        begins_with(text, n, "\xc2\xbe"))
        return 2;
    while (i < n && is_lower(text[i]))
        i++;
    if (i)
        return word_is_listed(words, text, i) ? i : 0;
    if (!n || !is_digit(text[0]))
        return 0;
    while (i < n && !is_space(text[i]))
        i++;
    return i;
}

int amounts_line(const struct lines *c, struct span_of_text line, int *amount)
{
    const size_t from = list_said_at(c, line), to = line_trimmed(c, from, line.to);
    const char *text = c->text + from;
    const size_t n = to - from, bytes = n && n <= LONG ? amount_of(text, n) : 0;
    char stem[WORD_STEM];
    int words = 0;
    *amount = bytes > 0;
    if (!n || n > LONG || is_one_of(text[n - 1], ".:;!?") || list_is_item(c, line))
        return 0;
    if (!bytes)
        for (size_t at = 0; word_next(text, n, &at, stem, NULL);)
            words++;
    // "250 g", not "1. Mix" or "12:30 Noon".
    return bytes ? bytes + 1 < n && !is_upper(text[bytes + 1]) && !is_one_of(text[bytes - 1], ".:)")
                 : is_lower(*text) && words <= WORDS;
}

// The list of amounts that begins with the line at byte AT of C; no bytes: there is none.
static struct span_of_text list_from(const struct lines *c, size_t at, size_t end)
{
    struct span_of_text l = {at, at};
    int items = 0, amounts = 0, amount;
    for (struct span_of_text line; at < end; at = line.to + 1) {
        line = line_at(c, at);
        if (!amounts_line(c, line, &amount) || (!items && !amount))
            break;
        items++;
        amounts += amount;
        l.to = line_trimmed(c, line.from, line.to);
    }
    if (items < LEAST || 2 * amounts <= items)
        l.to = l.from;
    return l;
}

// Whether LINE may head a list of amounts: "For the filling".
static int heads(const struct lines *c, struct span_of_text line)
{
    enum { SHORT = 40 };
    const size_t from = list_said_at(c, line), to = line_trimmed(c, from, line.to);
    return to > from && to - from <= SHORT && is_upper(c->text[from]) &&
           !is_one_of(c->text[to - 1], ".;!?") && !memchr(c->text + from, '\t', to - from);
}

struct span_of_text amounts_in(const struct lines *c, struct span_of_text s)
{
    struct span_of_text all = {s.from, s.from}, head = {s.from, s.from}, line, list;
    for (line = list_next_said(c, s.from); line.from < s.to;
         line = list_next_said(c, line.to + 1)) {
        list = list_from(c, line.from, s.to);
        if (span_bytes(list)) {
            const int headed = head.from < head.to && head.to + 1 == line.from;
            all.from = all.to > all.from ? all.from : headed ? head.from : list.from;
            all.to = list.to;
            line.to = line_end(c, list.to);
        } else if (span_bytes(all) && (!heads(c, line) || line.to + 1 >= s.to ||
                                       !span_bytes(list_from(c, line.to + 1, s.to)))) {
            break;
        } else {
            head = heads(c, line) ? line : (struct span_of_text){s.from, s.from};
        }
    }
    return all;
}
