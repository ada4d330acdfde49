#include "engine/outline/numbering.h"

#include "engine/lines/lines.h"
#include "engine/lookup/form.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    LETTER = 1000000,
    SET_IN = 4, // columns of a block that is quoted,
    BESIDE = 2  // and by which its numbers may be set in otherwise
};

// Bytes of the word before the number of a section at the beginning of TEXT [n].
static size_t word_of(const char *text, size_t n)
{
    size_t len = 0;
    while (len < n && !is_space(text[len]) && !is_digit(text[len]))
        len++;
    return len && len < n && word_is_listed(FORM_SECTIONS, text, len) ? len : 0;
}

long numbering_in_letters(const char *text, size_t n)
{
    static const struct {
        char sign;
        int value;
    } roman[] = {{'I', 1}, {'V', 5}, {'X', 10}, {'L', 50}, {'C', 100}};
    long value = n ? word_place(WORDLIST_ONE_TO_TWELVE, text, n) : 0, last = 0;
    for (size_t i = value ? 0 : n; i-- > 0;) {
        long own = 0;
        for (size_t r = 0; r < sizeof roman / sizeof *roman; r++)
            own = roman[r].sign == text[i] ? roman[r].value : own;
        if (!own)
            return 0;
        value += own < last ? -own : own;
        last = own;
    }
    return value;
}

size_t numbering_of(struct numbering *v, const char *text, size_t n, int letters)
{
    size_t i = 0, word = 0;
    v->n = 0;
    v->v[0] = 0;
    while (letters && word < n && word_has(text[word]))
        word++;
    if (word > 1 || (word && letters == NUMBERING_ROMAN && is_one_of(text[0], "IVX")))
        v->v[0] = numbering_in_letters(text, word);
    if (word && v->v[0]) {
        v->n = 1;
        return word;
    }
    if (letters && n && is_upper(text[0]) && (n == 1 || !word_has(text[1]))) {
        v->v[v->n++] = LETTER + text[0];
        return 1;
    }
    while (v->n < NUMBERING_DEPTH && i < n && is_digit(text[i])) {
        long value = 0;
        for (; i < n && is_digit(text[i]); i++)
            value = value < 100000 ? value * 10 + (text[i] - '0') : value;
        v->v[v->n++] = value;
        if (i + 1 >= n || text[i] != '.' || !is_digit(text[i + 1]))
            return i;
        i++;
    }
    return 0;
}

int numbering_kind(const char *word, size_t n)
{
    return !n                                            ? 0
           : word_is_listed(NUMBERING_LETTERED, word, n) ? NUMBERING_LETTERS
                                                         : NUMBERING_ROMAN;
}

int numbering_has_letter(const struct numbering *v)
{
    return v->n && v->v[0] >= LETTER;
}

// Whether the line at byte AT of C, with a number before byte BEHIND, is a head and not a line of
// prose that goes on from the one above or mentions a section.
static int is_head(const struct lines *c, size_t at, size_t behind)
{
    const size_t end = line_trimmed(c, at, line_end(c, at)), up = at ? line_start(c, at - 1) : 0,
                 up_end = at ? line_trimmed(c, up, at - 1) : 0;
    const int closed = up_end == up || is_one_of(c->text[up_end - 1], ".:;!?");
    while (behind < end && is_space(c->text[behind]))
        behind++;
    if (behind < end && (is_lower(c->text[behind]) || is_one_of(c->text[behind], ",;")))
        return 0;
    return closed || (!line_is_open(c->text + up, up_end - up) && c->text[up_end - 1] != ',' &&
                      (behind >= end || !is_one_of(c->text[end - 1], ".,;")));
}

static void find_title(struct numbering *v, const struct lines *c, size_t at, size_t end)
{
    while (at < end && (is_space(c->text[at]) || is_one_of(c->text[at], ".:)-")))
        at++;
    v->title = at;
}

int numbering_at(struct numbering *v, const struct lines *c, size_t at)
{
    const size_t end = line_end(c, at);
    size_t from = line_words(c, at, end);
    // A clause that an amendment inserts is quoted: '"7.4 Boats'.
    const size_t mark = quotation_mark(c->text + from, end - from);
    const int quoted = mark && from + mark < end && is_digit(c->text[from + mark]);
    from += quoted ? mark : 0;
    v->word_n = word_of(c->text + from, end - from);
    v->word = v->word_n ? c->text + from : NULL;
    for (from += v->word_n; from < end && is_space(c->text[from]);)
        from++;
    const size_t bytes = numbering_of(v, c->text + from, end - from,
                                      numbering_kind(v->word, v->word_n)),
                 next = from + bytes;
    find_title(v, c, next, end);
    v->called = bytes && (c->text[at] == '#' || (v->word && is_head(c, at, next)));
    // "4. The tenant" is one in a block of what is quoted.
    if ((bytes && !is_digit(c->text[from]) && !v->called) ||
        (quoted && v->n < 2 &&
         !(next < end && c->text[next] == '.' && line_indentation(c, at) >= SET_IN)))
        return 0;
    if (!bytes || v->word || next == end)
        return bytes > 0;
    if (is_one_of(c->text[next], ".):"))
        return next + 1 == end || (is_space(c->text[next + 1]) &&
                                   !(next + 2 < end && c->text[next + 2] == ')')); // "2. ) so"
    // "4 eggs" is not a section, nor is "3 March 1911".
    return is_space(c->text[next]) && next + 1 < end &&
           (v->n > 1 ||
            ((is_upper(c->text[next + 1]) || (unsigned char)c->text[next + 1] >= 0x80) &&
             !dates_alone(c->text + from, line_trimmed(c, from, end) - from)));
}

int numbering_in_brackets(struct numbering *v, const struct lines *c, size_t at)
{
    const size_t end = line_end(c, at);
    while (at < end && is_space(c->text[at]))
        at++;
    if (at + 1 >= end || c->text[at] != '(')
        return 0;
    *v = (struct numbering){0};
    const size_t bytes = numbering_of(v, c->text + at + 1, end - at - 1, 0), next = at + 1 + bytes;
    find_title(v, c, next, end);
    return bytes && next + 1 < end && c->text[next] == ')' && is_space(c->text[next + 1]);
}

int numbering_is_quoted(const struct lines *c, size_t head)
{
    enum { LINES = 100 };
    size_t line = line_start(c, head), first = line, width;
    const size_t in = line_indentation(c, line);
    for (int i = 0; in >= SET_IN && i < LINES && line > 0; i++) {
        line = line_start(c, line - 1);
        if (line_is_empty(c, line))
            continue;
        if (line_indentation(c, line) + BESIDE < in)
            break;
        first = line;
    }
    const size_t words = first + line_gap(c->text, c->n, first, &width);
    return in >= SET_IN && quotation_mark(c->text + words, c->n - words) > 0;
}

int numbering_ends_quoted(const struct numbering *v, const struct numbering *of,
                          const struct lines *c, size_t head, size_t at)
{
    const size_t in = line_indentation(c, line_start(c, head)), own = line_indentation(c, at);
    return v->n == of->n && (own + SET_IN <= in || (own <= in + BESIDE && v->v[0] > of->v[0])) &&
           numbering_is_quoted(c, head);
}

int numbering_is_under(const struct numbering *v, const struct numbering *of)
{
    for (int i = 0; i < of->n; i++)
        if (i >= v->n || v->v[i] != of->v[i])
            return 0;
    return 1;
}

int numbering_is_spoken_of(const struct lines *c, const struct numbering *v)
{
    static const char says[] = " is are was were be shall will reads read of applies does has have "
                               "may must cannot and or to as ";
    char stem[WORD_STEM];
    size_t at = v->title, bytes;
    return v->word && v->title < c->n && is_lower(c->text[v->title]) &&
           word_next(c->text, c->n, &at, stem, &bytes) && at - bytes == v->title &&
           word_is_listed(says, c->text + v->title, bytes);
}

void numbering_cut_quoted(const struct lines *c, struct span_of_text *at)
{
    const size_t open = quotation_mark(c->text + at->from, span_bytes(*at));
    for (size_t i = at->from + open; open && i < at->to; i++) {
        const size_t end = i + quotation_mark(c->text + i, at->to - i);
        if (end > i && line_trimmed(c, end, line_end(c, end)) <= end + 1) { // or a stop behind it
            *at = (struct span_of_text){at->from + open, i};
            return;
        }
    }
}
