#define _GNU_SOURCE
// Sentences: where they begin and end.
#include <stdint.h>

#include "engine/text/columns.h"
#include "engine/text/comment.h"
#include "engine/text/dates.h"
#include "engine/text/day.h"
#include "engine/text/letter.h"
#include "engine/text/lines.h"
#include "engine/text/markup.h"
#include "engine/text/message.h"
#include "engine/text/nested.h"
#include "engine/text/page.h"
#include "engine/text/shortened.h"
#include "engine/text/words.h"

enum {
    NARROW = 48, // columns that lines of broken prose have room for, at least,
    WIDE = 120,  // and at most;
    NEAR = 1024  // bytes that are looked through for the beginning or the end of a line
};

void cut_text(struct cut *c, const char *text, size_t n)
{
    *c = (struct cut){.text = text, .n = n};
    size_t longest = 0;
    // One line that is too wide tells that prose is not broken.
    for (size_t at = 0, end; at < n && longest <= WIDE; at = end + 1) {
        end = line_end(c, at);
        size_t width = line_width(text + at, end - at);
        longest = width > longest ? width : longest;
    }
    c->width = longest >= NARROW && longest <= WIDE ? longest : 0;
}

// Columns of the first word of the line that begins with byte LINE; *SMALL: whether it begins with
// a small letter.
static size_t first_word(const struct cut *c, size_t line, int *small)
{
    const size_t end = line_end(c, line), from = line_words(c, line, end);
    size_t to = from;
    *small = from < end && is_lower(c->text[from]);
    while (to < end && !is_space(c->text[to]))
        to++;
    return line_width(c->text + from, to - from);
}

// The width, in columns, of the paragraph around the line end at byte I, if it is broken into lines
// while the text beside it is not; else 0. It is broken if none of its lines has room for the next
// word and at least one of them surely continues: items of a list may happen to be equally long.
// Where most of them do, lines may have been broken by hand, a little too early.
static size_t paragraph_width(const struct cut *c, size_t i)
{
    enum { LEAST = 3, MOST = 32 }; // lines; the latter also limits how many above are looked at
    enum { EARLY = 4 };            // columns
    const size_t own = line_start(c, i), quoted = line_quoted(c, own);
    size_t line = own, longest = 0, least = SIZE_MAX;
    int lines = 0, sure = 0, small, most;
    while (line > 0 && lines++ < MOST && line_is_of_paragraph(c, line_start(c, line - 1), quoted))
        line = line_start(c, line - 1);
    for (lines = 0; line < c->n && lines < 2 * MOST && line_is_of_paragraph(c, line, quoted);
         lines++) {
        const size_t end = line_end(c, line), next = end + 1,
                     width = line_width(c->text + line, end - line);
        longest = width > longest ? width : longest;
        if (next < c->n && line_is_of_paragraph(c, next, quoted)) {
            const size_t with_next = width + 1 + first_word(c, next, &small);
            least = with_next < least ? with_next : least;
            sure += small || line_is_open(c->text + line, line_trimmed(c, line, end) - line);
        }
        line = next;
    }
    most = sure > 1 && 2 * sure >= lines - 1;
    return sure && lines >= LEAST && longest >= NARROW && longest <= WIDE &&
                   least + (most ? EARLY : 0) > longest
               ? longest
               : 0;
}

// Whether the line of bytes FROM to END is nearly as long as those that are broken.
static int is_long(const struct cut *c, size_t from, size_t end)
{
    return c->width && 4 * line_width(c->text + from, end - from) > 3 * c->width;
}

// Whether the line TEXT [n] is a single word with the stop of a sentence, which began on the line
// above, bytes FROM to END: that is nearly full and has no stop.
static int is_last_word(const struct cut *c, size_t from, size_t end, const char *text, size_t n)
{
    while (n && is_space(text[n - 1]))
        n--;
    return n > 1 && is_one_of(text[n - 1], ".!?") && is_upper(*text) && !memchr(text, ' ', n) &&
           is_lower(c->text[end - 1]) && is_long(c, from, end);
}

// Whether a table of numbers begins with the line of byte AT: those of the two lines below it end
// below its own, as in prose only by chance.
static int begins_rows(const struct cut *c, size_t at)
{
    enum { ROWS = 3 };
    for (int row = 1; row < ROWS; row++) {
        const size_t end = line_end(c, at), below = end + 1;
        if (below >= c->n)
            return 0;
        const char *a = c->text + at, *b = c->text + below;
        const size_t n_b = line_end(c, below) - below;
        if (!lines_end_alike(a, end - at, b, n_b))
            return 0;
        at = below;
    }
    return 1;
}

// Bytes before the words of two lines, from bytes FROM and NEXT on to A and B, that are one sign of
// a comment: a gap behind it divides no cells. 0: they begin otherwise.
static size_t same_sign(const struct cut *c, size_t from, size_t a, size_t next, size_t b)
{
    const size_t n = a - from;
    return n == b - next && !memcmp(c->text + from, c->text + next, n) &&
                   (memchr(c->text + from, '#', n) || memchr(c->text + from, '/', n))
               ? n
               : 0;
}

// Whether the line of bytes FROM to END is prose that goes on with TEXT [n], the next line: it ends
// within a sentence and is so long that TEXT's first word has no room.
static int is_full_prose(const struct cut *c, size_t from, size_t end, const char *text, size_t n)
{
    size_t word = 0;
    while (word < n && (is_lower(text[word]) || is_upper(text[word])))
        word++;
    return c->width && word && word < n && is_space(text[word]) && is_lower(c->text[end - 1]) &&
           is_long(c, from, end) &&
           line_width(c->text + from, end - from) + 1 + line_width(text, word) > c->width;
}

// Whether the line TEXT [n] ends, behind a word in small letters, with the number of a day whose
// month NEXT [n_next] begins with: "between 16 and 20", "September".
static int divides_day(const char *text, size_t n, const char *next, size_t n_next)
{
    enum { DIGITS = 2, MONTH = 12 }; // at most
    char both[DIGITS + 1 + MONTH];
    struct day d;
    size_t from = n;
    while (from > 0 && is_digit(text[from - 1]))
        from--;
    const size_t digits = n - from, month = n_next < MONTH ? n_next : MONTH;
    if (!digits || digits > DIGITS || from < 2 || text[from - 1] != ' ' ||
        !is_lower(text[from - 2]))
        return 0;
    memcpy(both, text + from, digits);
    both[digits] = ' ';
    memcpy(both + digits + 1, next, month);
    return day_begins(both, digits + 1 + month, &d) > digits + 1;
}

// Whether the line TEXT [n] begins with a label, not with the end of a sentence and a label behind
// that: "Orth. Absent: none".
static int is_labelled(const char *text, size_t n)
{
    const size_t label = line_label(text, n);
    return label && !memmem(text, label, ". ", 2);
}

// Whether a sentence continues past the line end at byte I.
static int goes_on(const struct cut *c, size_t i)
{
    size_t from = line_start(c, i), to = line_end(c, i + 1);
    size_t a = line_words(c, from, i), b = line_words(c, i + 1, to), end = i;
    while (end > a && is_space(c->text[end - 1]))
        end--;
    if (a == end || b == to)
        return 0; // an empty line
    if (message_is_signed(c, from) || message_is_signed(c, i + 1) ||
        markup_is_entry(c->text + from, i - from) || message_is_commit(c->text + from, i - from))
        return 0;
    const char *x = c->text + a, *y = c->text + b;
    size_t word = 0;
    const enum comment_line comment = comment_line_end(c, i);
    if (comment != COMMENT_NONE)
        return comment == COMMENT_GOES_ON;
    if (nested_apart(c, from, i + 1) || columns_rule(c, from))
        return 0;
    if (a == from && b == i + 1 && line_is_thrown(y, to - b))
        return 1;
    if (line_quoted(c, from) != line_quoted(c, i + 1)) // somebody else's words
        return is_lower(*y) || c->text[end - 1] == ':';
    if (!line_says_something(y, to - b) || line_hyphen(x, end - a) > 1 ||
        lines_hang(c->text + from, end - from, c->text + i + 1, to - i - 1))
        return 1;
    const size_t sign = same_sign(c, from, a, i + 1, b), left = from + sign, below = i + 1 + sign;
    // Two lines of prose may begin alike.
    const int open = line_is_open(x, end - a) || divides_day(x, end - a, y, to - b) ||
                     (c->text[end - 1] == ',' && is_lower(*y) && is_long(c, from, end));
    if (lines_are_rows(c->text + left, end - left, c->text + below, to - below) ||
        lines_end_alike(c->text + left, end - left, c->text + below, to - below) ||
        (!open && !is_full_prose(c, from, end, y, to - b) &&
         lines_begin_alike(x, end - a, y, to - b)) ||
        line_is_record(c->text + left, end - left) || line_is_record(c->text + below, to - below) ||
        (line_label(x, end - a) && is_labelled(y, to - b)))
        return 0;
    if (open)
        return 1;
    if (line_is_item(y, to - b))
        return 0;
    if (c->text[end - 1] == ':' && begins_rows(c, i + 1))
        return 0;
    if (is_one_of(c->text[end - 1], ":;,"))
        return 1;
    while (b + word < to && !is_space(y[word]))
        word++;
    if (is_lower(*y) || is_last_word(c, from, end, y, to - b))
        return 1;
    // Tables and titles may be wider than the paragraphs beside them.
    return (c->width &&
            line_width(c->text + from, end - from) + 1 + line_width(y, word) > c->width) ||
           paragraph_width(c, i) > 0;
}

// Bytes of the stop at byte I, with a quotation mark or bracket behind it; 0: there is none.
static size_t stop_at(const struct cut *c, size_t i)
{
    static const char *const wide[] = {"\u3002", "\uff01", "\uff1f"}, *const close[] = {"\u201d",
                                                                                        "\u2019"};
    size_t left = c->n - i, bytes = 0;
    for (int w = 0; w < 3; w++)
        if (left >= 3 && !memcmp(c->text + i, wide[w], 3))
            return 3;
    if (!is_one_of(c->text[i], ".!?"))
        return 0;
    for (bytes = 1; bytes < left;)
        if (is_one_of(c->text[i + bytes], ".!?\"')]"))
            bytes++;
        else if (bytes + 3 <= left && (!memcmp(c->text + i + bytes, close[0], 3) ||
                                       !memcmp(c->text + i + bytes, close[1], 3)))
            bytes += 3;
        else
            break;
    return bytes;
}

// The byte behind the number of a clause with which the line at byte AT begins, before byte END:
// "Section 3.1. ", "\u00a7 7 ", "4.2 "; 0: it does not.
static size_t past_clause(const struct cut *c, size_t at, size_t end)
{
    static const char *const names[] = {"Section ", "SECTION ", "Article ", "ARTICLE ", "Chapter ",
                                        "CHAPTER ", "Clause ",  "Rule ",    "\u00a7 "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        at += end - at > n && !memcmp(c->text + at, names[i], n) ? n : 0;
    }
    const size_t number = at;
    while (at < end && (is_digit(c->text[at]) || c->text[at] == '.'))
        at++;
    return at > number && is_digit(c->text[number]) && at < end && c->text[at] == ' ' ? at + 1 : 0;
}

// Whether the line of byte I begins so near that its number may stand before that: *LINE. One whole
// book may be on a line.
static int begins_near(const struct cut *c, size_t i, size_t *line)
{
    const size_t from = i > NEAR ? i - NEAR : 0;
    const struct cut near = {.text = c->text + from, .n = c->n - from};
    *line = from + line_start(&near, i - from);
    return !*line || c->text[*line - 1] == '\n';
}

// Whether the line at byte LINE has nothing but a date before the stop at byte I, and the entry of
// that day behind it, from byte NEXT on: "Sat 3 Sept. Rain."
static int heads_day(const struct cut *c, size_t line, size_t i, size_t next)
{
    const size_t from = line_words(c, line, i);
    return from < i && dates_alone(c->text + from, i - from) &&
           !memchr(c->text + i, '\n', next - i);
}

int cut_runs_in(const struct cut *c, size_t i, size_t next)
{
    enum { WORDS = 4, LONGEST = 40 };
    // What sentences have and such headings hardly ever; articles only behind what is done:
    // "Resetting the lamp."
    static const char articles[] = " the a an ";
    static const char others[] = " it he she they you we i this that no each every all any "
                                 "is are was were be has have had must shall may can will does do "
                                 "did der die das ist sind hat haben muss darf kann wird gilt ";
    size_t at = 0, line;
    char word[WORD_LISTED];
    int words = 0, doing = 0;
    if (!begins_near(c, i, &line))
        return 0;
    if (heads_day(c, line, i, next))
        return 1;
    const size_t from = past_clause(c, line_words(c, line, i), next);
    if (from && from == next) // the number's own stop
        return 1;
    if (!from || from >= i || i - from > LONGEST || !is_upper(c->text[from]) ||
        memchr(c->text + i, '\n', next - i))
        return 0;
    for (size_t n;
         words <= WORDS && (n = word_small(c->text + from, i - from, &at, word, sizeof word));
         words++) {
        doing |= !words && n > 4 && !memcmp(word + n - 3, "ing", 3);
        if (word_is_listed(others, word, n) || is_digit(*word) ||
            (!doing && word_is_listed(articles, word, n)))
            return 0;
    }
    return words && words <= WORDS;
}

// Whether the stop at byte I, with NEXT behind it, belongs to the word before it: the number of a
// heading or clause, or an abbreviation.
static int is_label(const struct cut *c, size_t i, size_t next)
{
    size_t from = i, letters = 0, line;
    while (from > 0 && !is_space(c->text[from - 1]) && !is_one_of(c->text[from - 1], "([\"'"))
        from--;
    if (shortened_word(c->text + from, i - from, c->text + next, c->n - next) ||
        (i - from == 1 && from > 0 && c->text[from - 1] == '(' && is_lower(c->text[from])))
        return 1;
    for (size_t j = from; j < i; j++)
        letters += !is_digit(c->text[j]) && c->text[j] != '.';
    return (!letters && i > from && begins_near(c, i, &line) && line_words(c, line, i) == from) ||
           cut_runs_in(c, i, next);
}

// Whether the stop at byte I is one of the dots that lead to a column or a page ("Adler, Berta
// ..... 55").
static int leads_on(const struct cut *c, size_t i)
{
    enum { DOTS = 5 }; // more than an ellipsis behind a stop
    size_t dots = 0;
    while (dots < DOTS && dots <= i && c->text[i - dots] == '.')
        dots++;
    return dots == DOTS || (dots == 1 && i > 0 && is_space(c->text[i - 1]));
}

// Whether the stop at byte I is behind a bracket or a word that is never abbreviated: then even a
// small letter after it may begin a sentence ("anacron runs it.").
static int is_full_word(const struct cut *c, size_t i)
{
    enum { LETTERS = 4 };
    static const char shortened[][7] = {"approx", "resp", "incl", "excl", "vols", "figs", "secs"};
    size_t from = i;
    if (i > 0 && c->text[i - 1] == ')')
        return 1;
    while (from > 0 && (is_lower(c->text[from - 1]) || is_upper(c->text[from - 1])))
        from--;
    for (size_t s = 0; s < sizeof shortened / sizeof *shortened; s++)
        if (i - from == strlen(shortened[s]) && !memcmp(c->text + from, shortened[s], i - from))
            return 0;
    return i - from >= LETTERS && (from == 0 || c->text[from - 1] != '.');
}

// Where the line of byte I ends, if that is so near that it may be a row of a table; 0: it is not.
static size_t ends_near(const struct cut *c, size_t i)
{
    const size_t to = c->n - i > NEAR ? i + NEAR : c->n;
    while (i < to && c->text[i] != '\n')
        i++;
    return i == c->n || (i < to && c->text[i] == '\n') ? i : 0;
}

// Whether the stop at byte I is within a row of a table ("138,000;C. Abbadie;opens 9 May"): the
// line above or below has as many cells.
static int is_in_row(const struct cut *c, size_t i)
{
    const size_t end = ends_near(c, i);
    size_t from, above, below;
    if (!end || line_trimmed(c, i, end) == i + 1 || !begins_near(c, i, &from))
        return 0;
    const char *row = c->text + from;
    if (from && begins_near(c, from - 1, &above) &&
        lines_divide_alike(c->text + above, from - 1 - above, row, end - from))
        return 1;
    return end + 1 < c->n && (below = ends_near(c, end + 1)) > 0 &&
           lines_divide_alike(row, end - from, c->text + end + 1, below - end - 1);
}

// The last byte of what a note's mark that ends with byte I, "[6]", is behind; I: there is none.
static size_t before_note(const struct cut *c, size_t i)
{
    size_t from = i;
    if (c->text[i] != ']')
        return i;
    while (from > 0 && is_digit(c->text[from - 1]))
        from--;
    return from > 1 && from < i && c->text[from - 1] == '[' && !is_space(c->text[from - 2])
               ? from - 2
               : i;
}

// cut_ends_at, wherever a page ends.
static int ends_at(const struct cut *c, size_t i)
{
    size_t next = i + 1;
    if (next >= c->n)
        return 1;
    if (c->text[i] == '\n')
        return !goes_on(c, i);
    if ((unsigned char)c->text[i] >= 0x80 && i >= 2 && stop_at(c, i - 2) == 3)
        return 1;
    if (!is_space(c->text[next]))
        return 0;
    const size_t last = before_note(c, i);
    size_t stop = last;
    while (stop > 0 && last - stop < 4 && is_one_of(c->text[stop], "\"')]\x80\x9d\x99\xe2"))
        stop--;
    if (!stop_at(c, stop) || stop + stop_at(c, stop) != last + 1 || leads_on(c, stop))
        return 0;
    if (comment_closes(c, next) || comment_goes_on(c, next))
        return 0;
    while (next < c->n && is_space(c->text[next]))
        next++;
    if (is_label(c, stop, next) || is_in_row(c, stop))
        return 0;
    return next == c->n || !is_lower(c->text[next]) || is_full_word(c, stop);
}

int cut_ends_at(const struct cut *c, size_t i)
{
    size_t from, to;
    return ends_at(c, i) && !page_divides(c, i, &from, &to);
}

int cut_has_stop(const struct cut *c, size_t from, size_t to)
{
    for (; from + 1 < to; from++)
        if (is_one_of(c->text[from], ".!?") && cut_ends_at(c, from))
            return 1;
    return 0;
}

// Whether byte I is within a number: "75,900".
static int is_in_number(const struct cut *c, size_t i)
{
    return i > 0 && is_digit(c->text[i - 1]) && is_digit(c->text[i + 1]);
}

// Where to cut a long sentence: the best place between bytes FROM and TO < n. The end of a line is
// better than a semicolon, that than a comma, that than a space.
static size_t best_cut(const struct cut *c, size_t from, size_t to)
{
    static const char marks[] = "\n;, ";
    for (const char *mark = marks; *mark; mark++)
        for (size_t i = to; i > from; i--)
            if (c->text[i - 1] == *mark && (is_space(*mark) || !is_in_number(c, i - 1)))
                return i;
    return letter_border(c->text, to);
}

static void shorten(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    while (*to - *from > CUT_LONGEST) {
        size_t cut = best_cut(c, *from + CUT_LONGEST / 2, *from + CUT_LONGEST);
        if (at < cut) {
            *to = cut;
            return;
        }
        *from = cut;
    }
}

// Leaves text[*FROM..*TO) without the white space around it.
static void trim(const struct cut *c, size_t *from, size_t *to)
{
    *to = line_trimmed(c, *from + 1, *to);
    for (size_t n; *from + 1 < *to && (n = white_space(c->text + *from, *to - 1 - *from)) > 0;)
        *from += n;
}

// The sentence of byte AT, with the white space around it; returns the byte AT, or one near it that
// says something.
static size_t around(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    for (size_t n; at + 1 < c->n && (n = white_space(c->text + at, c->n - 1 - at)) > 0;)
        at += n;
    while (at > 0 && is_space(c->text[at]))
        at--;
    for (*to = at; *to < c->n && !cut_ends_at(c, *to);)
        ++*to;
    *to = *to < c->n ? *to + 1 : c->n;
    for (*from = at; *from > 0 && !cut_ends_at(c, *from - 1);)
        --*from;
    return at;
}

void cut_sentence(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    at = around(c, at, from, to);
    shorten(c, at, from, to);
    trim(c, from, to);
}

void cut_whole(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    around(c, at, from, to);
    trim(c, from, to);
}

// The byte behind the line at byte AT if that only underlines or divides ("-----", "|---|:--:|"),
// or is a row of empty cells ("| | |"), else AT.
static size_t skip_rule(const struct cut *c, size_t at, size_t to)
{
    enum { RULE = 3 };
    size_t end = line_end(c, at), i = at, n = 0, cells = 0;
    for (; i < end && is_one_of(c->text[i], "-=~_*^|:+ "); i++) {
        n += is_one_of(c->text[i], "-=~_*^");
        cells += i > at && c->text[i] == '|' && c->text[i - 1] == ' ';
    }
    if (i < end || (n < RULE && (n || !cells || c->text[at] != '|')))
        return at;
    return end < to ? end + 1 : to;
}

// Whether the line at byte AT is a rule of a table or a diagram: it begins with a bar or a plus, or
// has several parts.
static int is_table_rule(const struct cut *c, size_t at)
{
    if (columns_rule(c, at))
        return 1;
    if (at >= c->n || skip_rule(c, at, c->n) == at)
        return 0;
    const size_t end = line_trimmed(c, at, line_end(c, at));
    while (is_space(c->text[at]))
        at++;
    return is_one_of(c->text[at], "|+") || memchr(c->text + at, ' ', end - at) != NULL;
}

// Whether the line end at byte I is read as a space.
static int is_joint(const struct cut *c, size_t i)
{
    return i + 1 < c->n && !is_table_rule(c, i + 1) && goes_on(c, i);
}

// Whether the line of byte AT is prose broken into lines: it continues on the next line, or
// continues the one before.
static int is_broken(const struct cut *c, size_t at)
{
    const size_t start = line_start(c, at);
    return is_joint(c, line_end(c, at)) || (start > 0 && is_joint(c, start - 1));
}

// Prepares OUT [n] for more TEXT: cuts the white space at its end and the hyphen of a divided word,
// and adds a space unless a word was divided. Returns its bytes.
static size_t join(char *out, size_t n, const char *text, size_t bytes)
{
    static const char *const others[] = {"and ", "or ", "to ", "und ", "oder ", "bis "};
    while (n > 0 && is_space(out[n - 1]))
        n--;
    const size_t hyphen = line_hyphen(out, n);
    size_t space = !hyphen || !bytes || !(is_lower(*text) || (unsigned char)*text >= 0x80);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) // "pre- and post-processing"
        space |= bytes > strlen(others[i]) && !memcmp(text, others[i], strlen(others[i]));
    if (space)
        out[n++] = ' ';
    else if (hyphen > 1)
        n -= hyphen;
    return n;
}

size_t cut_mend(const struct cut *c, size_t from, size_t to, char *out)
{
    size_t n = 0, start = line_start(c, from), width;
    int broken = from < to && is_broken(c, from);
    for (size_t i = from, page_end, next; i < to; i++) {
        if ((i == from || is_one_of(c->text[i], "\n\f")) && page_divides(c, i, &page_end, &next)) {
            n = n && next < to ? join(out, n, c->text + next, c->n - next) : n;
            i = next - 1;
            continue;
        }
        if (i > from && c->text[i - 1] == '\n') {
            for (size_t behind; i < to && (behind = skip_rule(c, i, to)) > i;)
                i = behind;
            if (i >= to)
                break;
            start = i;
            broken = is_broken(c, i);
        }
        if (c->text[i] == '\r' && i + 1 < c->n && c->text[i + 1] == '\n')
            continue;
        out[n++] = c->text[i] ? c->text[i] : ' ';
        if (c->text[i] == '\n' && is_joint(c, i)) {
            next = line_said(c, i + 1, line_end(c, i + 1));
            n = join(out, n, c->text + next, c->n - next);
            start = i + 1;
            broken = 1;
            i = next - 1;
        } else if (broken && is_one_of(c->text[i], " \t") && n > 1 && !is_space(out[n - 2])) {
            // justified text
            const size_t gap = line_gap(c->text + start, to - start, i - start, &width);
            out[n - 1] = width > LINE_SPREAD ? out[n - 1] : ' ';
            i += width > LINE_SPREAD ? 0 : gap - 1;
        }
    }
    return markup_strip(out, n);
}
