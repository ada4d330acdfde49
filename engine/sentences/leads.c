#include "engine/sentences/leads.h"

#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    SHORT = 80,  // a term or a heading is shorter than this
    ITEMS = 1600 // bytes of a list that are searched for the line that leads it in
};

// Whether the line that begins with byte AT has more than one sentence.
static int is_long(const struct lines *c, size_t at)
{
    size_t from, to, end = line_end(c, at);
    cut_sentence(c, at, &from, &to);
    return to < line_trimmed(c, at, end);
}

int leads_list(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    size_t start = line_start(c, at);
    while (start > 0 && at - start < ITEMS) {
        size_t end = line_trimmed(c, 0, start), line = line_start(c, end);
        // Paragraphs and whole sentences without a list mark are parts of a list only right behind
        // the line that leads it in.
        int item = line_is_item(c->text + start, c->n - start);
        if (line_is_stamped(c->text + start, c->n - start)) // an entry of a log
            return 0;
        int apart = !item && (start - end > 1 || is_one_of(c->text[end ? end - 1 : 0], ".!?") ||
                              is_long(c, start));
        if (!end || start - end > 2 || (apart && c->text[end - 1] != ':'))
            return 0;
        if (c->text[end - 1] == ':') {
            *to = end;
            for (*from = end - 1; *from > line && !cut_ends_at(c, *from - 1);)
                --*from;
            while (is_space(c->text[*from]))
                ++*from;
            return 1;
        }
        if (!lines_quoted_alike(c, line, at))
            return 0;
        start = line;
    }
    return 0;
}

// Whether TEXT [n] begins with what only marks it: as an item of a list does, with a bullet beyond
// ASCII, with the number of a clause ("7.2").
static int is_marked(const char *text, size_t n)
{
    size_t word = 0, digits = 0, bytes = 0;
    while (word < n && !is_space(text[word])) {
        digits += is_digit(text[word]) || text[word] == '.';
        bytes += (unsigned char)text[word++] >= 0x80;
    }
    return line_is_item(text, n) || (word && digits == word) || (bytes == word && word <= 3);
}

// Whether the line of bytes LINE to END begins with a mark and its next lines are set in by OWN
// columns, below its words: they are the item's own, not set in under it.
static int hangs(const struct lines *c, size_t line, size_t end, size_t own)
{
    size_t at = line;
    while (at < end && is_space(c->text[at]))
        at++;
    if (!is_marked(c->text + at, end - at))
        return 0;
    while (at < end && !is_space(c->text[at]))
        at++;
    while (at < end && is_space(c->text[at]))
        at++;
    return line_width(c->text + line, at - line) == own;
}

// Whether the line of bytes LINE to END is prose that goes on in the next one, which is set in as
// what one says in a play is: it has no room for the next word, or a sentence ends within it.
static int is_broken(const struct lines *c, size_t line, size_t end)
{
    const size_t from = line_words(c, end + 1, line_end(c, end + 1));
    size_t to = from;
    while (to < c->n && !is_space(c->text[to]))
        to++;
    const size_t word = line_width(c->text + from, to - from);
    return !cut_ends_at(c, end) &&
           ((c->width && line_width(c->text + line, end - line) + 1 + word > c->width) ||
            cut_has_stop(c, line, end));
}

int leads_set_in(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    size_t line = line_start(c, at), own = line_indentation(c, line);
    for (size_t below = line; below > 0 && at - below < ITEMS; below = line) {
        size_t end = below - 1, next = line_end(c, below);
        line = line_start(c, end);
        if (!line) // it may have begun before the text
            return 0;
        if (!line_says_something(c->text + line, end - line) || line_indentation(c, line) >= own)
            continue;
        if (hangs(c, line, end, own) || is_broken(c, line, end))
            return 0;
        *from = line_said(c, line, end);
        *to = line_trimmed(c, *from, end);
        int leads = c->text[*to - 1] == ':';
        int term = !is_one_of(c->text[*to - 1], ".!?;,") &&
                   line_says_something(c->text + below, next - below) &&
                   line_indentation(c, below) > line_indentation(c, line);
        return *to - *from < SHORT && (leads || term);
    }
    return 0;
}

int leads_below(const struct lines *c, size_t from, size_t to)
{
    enum { LAST = 3 }; // words that tell
    static const char words[] = " following follows ";
    size_t at = to, end = line_end(c, to);
    if (to < from + 2 || c->text[to - 1] != '.' || line_trimmed(c, to, end) > to ||
        !line_is_empty(c, end + 1))
        return 0;
    for (int word = 0; word < LAST && at > from; word++) {
        const size_t last = at = line_trimmed(c, from, at);
        while (at > from && !is_space(c->text[at - 1]))
            at--;
        const size_t n = last - at - (c->text[last - 1] == '.');
        if (n < WORD_LISTED && word_is_listed(words, c->text + at, n))
            return 1;
    }
    return 0;
}
