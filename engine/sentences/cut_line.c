#define _GNU_SOURCE
// Where a line ends: whether a sentence does.
#include "engine/sentences/cut_impl.h"

#include <stdint.h>
#include <string.h>

#include "engine/lines/columns.h"
#include "engine/lines/comment.h"
#include "engine/lines/hunk.h"
#include "engine/lines/label.h"
#include "engine/lines/leader.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lines/nested.h"
#include "engine/lines/setting.h"
#include "engine/lines/speaker.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/markup.h"
#include "engine/words/shortened.h"
#include "engine/words/words.h"

// Columns of the first word of the line that begins with byte LINE; *SMALL: whether it begins with
// a small letter.
static size_t first_word(const struct lines *c, size_t line, int *small)
{
    const size_t end = line_end(c, line), from = line_words(c, line, end);
    size_t to = from;
    *small = from < end && is_lower(c->text[from]);
    while (to < end && !is_space(c->text[to]))
        to++;
    return line_width(c->text + from, to - from);
}

// The first line of the paragraph around the line end at byte I, its number of LINES and the
// columns of the LONGEST; both ends are looked for so far only.
static size_t paragraph(const struct lines *c, size_t i, int *lines, size_t *longest)
{
    enum { MOST = 32 }; // lines on either side
    const size_t own = line_start(c, i), quoted = line_quoted(c, own);
    size_t top = own, line;
    for (*lines = 0; top > 0 && *lines < MOST; ++*lines) {
        if (!line_is_of_paragraph(c, line_start(c, top - 1), quoted))
            break;
        top = line_start(c, top - 1);
    }
    *longest = 0;
    for (*lines = 0, line = top; *lines < 2 * MOST; ++*lines) {
        if (line >= c->n || !line_is_of_paragraph(c, line, quoted))
            break;
        const size_t end = line_end(c, line), width = line_width(c->text + line, end - line);
        *longest = width > *longest ? width : *longest;
        line = end + 1;
    }
    return top;
}

// Whether the paragraph around the line end at byte I is broken into lines there while the text
// beside it is not: none of its lines has room for the next word and at least one of them surely
// continues: items of a list may happen to be equally long. Where most of them do, lines may have
// been broken by hand, a little too early. They may also have been broken by their width on paper,
// where letters are not alike: where most of those that end without a stop and have hardly any room
// surely continue, the line at byte I does, too, if it has hardly any.
static int breaks_paragraph(const struct lines *c, size_t i)
{
    enum { LEAST = 3 };           // lines
    enum { EARLY = 4, PART = 8 }; // columns, and the part of a line that letters differ by
    const size_t own = line_start(c, i);
    size_t longest, least = SIZE_MAX, here = 0;
    int lines, sure = 0, full = 0, small;
    size_t line = paragraph(c, i, &lines, &longest);
    if (lines < LEAST || longest < LINE_NARROW || longest > LINE_WIDE)
        return 0;
    for (int l = 1; l < lines; l++) {
        const size_t end = line_end(c, line), next = end + 1, last = line_trimmed(c, line, end),
                     with_next =
                         line_width(c->text + line, end - line) + 1 + first_word(c, next, &small);
        const int goes_on = small || line_is_open(c->text + line, last - line);
        least = with_next < least ? with_next : least;
        here = line == own ? with_next : here;
        sure += goes_on;
        full += goes_on ||
                (with_next + longest / PART > longest && !is_one_of(c->text[last - 1], ".!?"));
        line = next;
    }
    if (!sure)
        return 0;
    const int most = sure > 1 && 2 * sure >= lines - 1;
    return least + (most ? EARLY : 0) > longest ||
           (sure > 1 && 2 * sure >= full && here + longest / PART > longest);
}

// Whether the line of bytes FROM to END is nearly as long as those that are broken.
static int is_long(const struct lines *c, size_t from, size_t end)
{
    return c->width && 4 * line_width(c->text + from, end - from) > 3 * c->width;
}

// Whether the line TEXT [n] is a single word with the stop of a sentence, which began on the line
// above, bytes FROM to END: that is nearly full and has no stop.
static int is_last_word(const struct lines *c, size_t from, size_t end, const char *text, size_t n)
{
    while (n && is_space(text[n - 1]))
        n--;
    return n > 1 && is_one_of(text[n - 1], ".!?") && is_upper(*text) && !memchr(text, ' ', n) &&
           is_lower(c->text[end - 1]) && is_long(c, from, end);
}

// Whether the line of bytes FROM to END is nearly full and ends with an initial or the like, whose
// stop ends no sentence, before NEXT [n]: "for Mrs D.", "Sugden".
static int is_shortened(const struct lines *c, size_t from, size_t end, const char *next, size_t n)
{
    size_t word = end - 1;
    while (word > from && !is_space(c->text[word - 1]))
        word--;
    return c->text[end - 1] == '.' && is_upper(*next) && is_long(c, from, end) &&
           shortened_word(c->text + word, end - 1 - word, next, n);
}

// Whether a table of numbers begins with the line of byte AT: those of the two lines below it end
// below its own, as in prose only by chance.
static int begins_rows(const struct lines *c, size_t at)
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
static size_t same_sign(const struct lines *c, size_t from, size_t a, size_t next, size_t b)
{
    const size_t n = a - from;
    return n == b - next && !memcmp(c->text + from, c->text + next, n) &&
                   (memchr(c->text + from, '#', n) || memchr(c->text + from, '/', n))
               ? n
               : 0;
}

// Whether the line of bytes FROM to END is prose that goes on with TEXT [n], the next line: it ends
// within a sentence and is so long that TEXT's first word has no room.
static int is_full_prose(const struct lines *c, size_t from, size_t end, const char *text, size_t n)
{
    size_t word = 0;
    while (word < n && (is_lower(text[word]) || is_upper(text[word])))
        word++;
    const char last = c->text[end - 1];
    return c->width && word && word < n &&
           (is_space(text[word]) || (is_lower(*text) && is_one_of(text[word], ".,;"))) &&
           (is_lower(last) || (is_lower(*text) && is_digit(last))) && is_long(c, from, end) &&
           line_width(c->text + from, end - from) + 1 + line_width(text, word) > c->width;
}

// Whether the next line, whose words begin with byte B, hangs below that of bytes FROM to END,
// whose own begin with byte A: it is set in a little more below a long line of one column that does
// not stop, as in '"Term" means what was said on the' / '    First Day.'
static int hangs_below(const struct lines *c, size_t from, size_t a, size_t end, size_t b)
{
    enum { LEAST = 2, MOST = 8 }; // columns
    const size_t own = line_width(c->text + from, a - from),
                 in = line_width(c->text + line_start(c, b), b - line_start(c, b));
    return in >= own + LEAST && in <= own + MOST && is_long(c, from, end) &&
           word_has(c->text[end - 1]) && !memmem(c->text + a, end - a, "  ", 2) &&
           !memchr(c->text + a, '\t', end - a);
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

// Whether the line TEXT [n] ends with a word before an amount, with which NEXT [n_next] begins:
// "for about", "40 seconds".
static int divides_amount(const char *text, size_t n, const char *next, size_t n_next)
{
    static const char words[] = " about around almost nearly under over only another these those ";
    size_t from = n;
    while (from > 0 && is_lower(text[from - 1]))
        from--;
    return from && text[from - 1] == ' ' && n_next && is_digit(*next) &&
           !line_is_item(next, n_next) && word_is_listed(words, text + from, n - from);
}

// Whether the line whose words begin with byte A and end before byte END is a short item of a list
// of amounts, "250 g flour": set in as much as the line above it, which begins with a number, too,
// and as the next one, whose words begin with byte B.
static int is_amount(const struct lines *c, size_t a, size_t end, size_t b)
{
    enum { SHORT = 40 }; // columns
    const size_t from = line_start(c, a), in = a - from;
    if (!in || !is_digit(c->text[a]) || b - line_start(c, b) != in || !from ||
        line_width(c->text + from, end - from) > SHORT)
        return 0;
    const size_t above = line_start(c, from - 1);
    return line_words(c, above, from - 1) == above + in && is_digit(c->text[above + in]) &&
           above + in < from;
}

// Bytes of the digits that TEXT [n] ends with.
static size_t last_digits(const char *text, size_t n)
{
    size_t from = n;
    while (from > 0 && is_digit(text[from - 1]))
        from--;
    return n - from;
}

// Whether a telephone number is divided by the end of the line TEXT [n], behind its second group of
// digits, and goes on in the next one, NEXT [n_next]: "01632 960", "231. It rings."
static int divides_phone(const char *text, size_t n, const char *next, size_t n_next)
{
    enum { GROUP = 3 }; // digits, at least
    const size_t last = last_digits(text, n);
    size_t digits = 0;
    if (last < GROUP || n <= last || text[n - last - 1] != ' ')
        return 0;
    const size_t first = last_digits(text, n - last - 1), at = n - last - 1 - first;
    while (digits < n_next && is_digit(next[digits]))
        digits++;
    return first >= GROUP && text[at] == '0' && at > 0 && text[at - 1] == ' ' && digits >= GROUP;
}

// Whether the way through a menu is divided by the end of the line of bytes FROM to END, which is
// nearly full where NEXT [n] begins with an arrow, as items of a list may: "File", "\u2192 Open".
static int divides_menu(const struct lines *c, size_t from, size_t end, const char *next, size_t n)
{
    static const char arrow[] = "\u2192";
    const size_t bytes = sizeof arrow - 1;
    if (end - from > bytes && !memcmp(c->text + end - bytes, arrow, bytes))
        return 1;
    return begins_with(next, n, arrow) && !begins_with(c->text + from, end - from, arrow) &&
           word_has(c->text[end - 1]) && is_long(c, from, end);
}

// Whether the line TEXT [n] begins with a label, not with the end of a sentence and a label behind
// that: "Orth. Absent: none".
static int is_labelled(const char *text, size_t n)
{
    const size_t label = line_label(text, n);
    return label && !memmem(text, label, ". ", 2);
}

// Whether the line that begins with byte FROM names the columns of a table that begins with the
// line of byte NEXT right below it.
static int names_columns(const struct lines *c, size_t from, size_t next)
{
    struct columns t;
    return columns_begin(&t, c, from) && t.at == next;
}

// Whether two lines, from bytes FROM and NEXT on with words from A and B on, are items of one list:
// the next one begins with the same mark, set in as much.
static int are_items(const struct lines *c, size_t from, size_t a, size_t next, size_t b)
{
    return a - from == b - next && c->text[a] == c->text[b] &&
           line_is_item(c->text + a, line_end(c, a) - a) &&
           line_is_item(c->text + b, line_end(c, b) - b);
}

// Whether two lines, from bytes FROM and NEXT on, are items that begin with stars below one
// another, which are no signs of a comment.
static int are_starred(const struct lines *c, size_t from, size_t next)
{
    const size_t a = setting_words(c, from), b = setting_words(c, next);
    return a - from == b - next && begins_with(c->text + a, c->n - a, "* ") &&
           begins_with(c->text + b, c->n - b, "* ") && !comment_has(c->text, c->n, b);
}

// Whether the line that begins with byte LINE begins with the number of an item, set in by IN
// columns, of which there is a list.
static int is_numbered(const struct lines *c, size_t line, size_t in)
{
    const size_t end = line_end(c, line), words = line_words(c, line, end);
    return line_indentation(c, line) == in && line_is_numbered(c->text + words, end - words);
}

// Whether the line of bytes FROM to END is prose that goes on in the next one with a number and the
// stop behind it, which looks like an item's: "a matter of clause", "14. We refuse it." No other
// line of the paragraph begins so.
static int divides_number(const struct lines *c, size_t from, size_t end, size_t next)
{
    enum { MOST = 32 }; // lines on either side
    const size_t to = line_end(c, next), words = line_words(c, next, to),
                 in = line_indentation(c, next), quoted = line_quoted(c, from);
    size_t number = words, line = from;
    while (number < to && !is_space(c->text[number]))
        number++;
    if (!line_is_numbered(c->text + words, to - words) || !is_long(c, from, end) ||
        !(is_lower(c->text[end - 1]) || c->text[end - 1] == ',') || is_numbered(c, from, in) ||
        line_width(c->text + from, end - from) + 1 + number - words <= c->width)
        return 0;
    for (int l = 0; l < MOST && line && line_is_of_paragraph(c, line_start(c, line - 1), quoted);
         l++)
        if (is_numbered(c, line = line_start(c, line - 1), in))
            return 0;
    line = to + 1;
    for (int l = 0; l < MOST && line < c->n && line_is_of_paragraph(c, line, quoted); l++) {
        if (is_numbered(c, line, in))
            return 0;
        line = line_end(c, line) + 1;
    }
    return 1;
}

// Whether one of two lines, of bytes FROM to END and from NEXT to TO, is a row whose dots lead to
// its value, and the other one is a row, too, or leads in such rows, or is not set in below the
// first.
static int divides_rows(const struct lines *c, size_t from, size_t end, size_t next, size_t to)
{
    const int below = leader_is_row(c->text + next, to - next);
    if (!leader_is_row(c->text + from, end - from))
        return below && c->text[end - 1] == ':';
    return below || line_indentation(c, next) <= line_indentation(c, from);
}

// Whether the line that begins with byte FROM goes on with cells of a row above it, and the one of
// byte NEXT is the next row: "Oil leaks    Seal worn,", "             or cut", "Belt slips   Wet".
static int ends_row(const struct lines *c, size_t from, size_t next)
{
    enum { MOST = 4 }; // lines of a row
    const size_t n_next = line_end(c, next) - next, in = line_indentation(c, next);
    if (!columns_are_in(c->text + next, n_next) ||
        setting_words(c, next) != line_words(c, next, next + n_next)) // the sign of a comment
        return 0;
    for (int l = 1; l < MOST && from && !line_is_empty(c, line_start(c, from - 1)); l++) {
        const size_t end = from - 1;
        if (line_indentation(c, from) <= in && !is_lower(c->text[line_words(c, from, c->n)]))
            return 0;
        from = line_start(c, end);
        if (line_indentation(c, from) == in && columns_are_in(c->text + from, end - from) &&
            lines_are_rows(c->text + from, end - from, c->text + next, n_next))
            return 1;
    }
    return 0;
}

// Whether the line TEXT [n] ends with a number behind a gap that no prose has: "Rent        1,200".
static int ends_sum(const char *text, size_t n)
{
    enum { GAP = 4 };
    size_t from = n, gap = 0;
    int digits = 0;
    while (from > 0 && !is_space(text[from - 1]))
        digits += is_digit(text[--from]);
    while (gap < from && text[from - gap - 1] == ' ')
        gap++;
    return gap >= GAP && gap < from && 2 * (size_t)digits >= n - from;
}

// Whether the line that begins with byte NEXT, with words from byte B on, is an item without a
// number that is set in below the line whose words begin with byte A: "but not", "  - frost,".
static int is_item_below(const struct lines *c, size_t a, size_t next, size_t b)
{
    return b - next > a - line_start(c, a) && !is_digit(c->text[b]) &&
           line_is_item(c->text + b, line_end(c, b) - b);
}

// Whether the line of bytes NEXT to TO, below that of bytes FROM to END, begins with a time that
// has seconds, or with one without as the line above it, or another one above in the paragraph,
// does. Prose may have a time there by chance, but hardly on two lines.
static int begins_entry(const struct lines *c, size_t from, size_t end, size_t next, size_t to)
{
    enum { MOST = 16 }; // lines
    const int timed = line_is_timed(c->text + next, to - next),
              stamped = line_is_stamped(c->text + next, to - next);
    if (timed && line_is_timed(c->text + from, end - from))
        return 1;
    if (line_is_open(c->text + from, end - from) || (!stamped && c->text[end - 1] == ','))
        return 0;
    for (int l = 0; timed == 1 && l < MOST && from; l++) {
        from = line_start(c, from - 1);
        if (line_is_empty(c, from))
            break;
        if (line_is_timed(c->text + from, line_end(c, from) - from))
            return 1;
    }
    return stamped || timed > 1;
}

// Whether the line that begins with byte LINE is set in below "Traceback (most recent call last):",
// as those are that lead to what was thrown.
static int is_traced(const struct lines *c, size_t line)
{
    enum { MOST = 64 }; // lines
    static const char begins[] = "Traceback ";
    for (int l = 0; l < MOST && line && is_space(c->text[line]); l++)
        line = line_start(c, line - 1);
    return begins_with(c->text + line, c->n - line, begins);
}

// Whether the line TEXT [n] has the mark of a heading before it: "# Rent", "### Changed".
static int is_marked_heading(const char *text, size_t n)
{
    size_t marks = 0;
    while (marks < n && text[marks] == '#')
        marks++;
    return marks && marks < n && text[marks] == ' ';
}

int cut_line_goes_on(const struct lines *c, size_t i)
{
    size_t from = line_start(c, i), to = line_end(c, i + 1);
    size_t a = line_words(c, from, i), b = line_words(c, i + 1, to), end = i;
    while (end > a && is_space(c->text[end - 1]))
        end--;
    if (a == end || b == to)
        return 0; // an empty line
    if (speaker_enters(c, i + 1))
        return 0;
    if (message_is_signed(c, from) || message_is_signed(c, i + 1) ||
        markup_is_entry(c->text + from, i - from) || message_is_commit(c->text + from, i - from))
        return 0;
    const char *x = c->text + a, *y = c->text + b;
    size_t word = 0;
    const enum comment_line comment = comment_line_end(c, i);
    if (comment != COMMENT_NONE)
        return comment == COMMENT_GOES_ON;
    if (hunk_divides(c, from))
        return 0;
    if (is_marked_heading(c->text + i + 1, to - i - 1) && c->text[from] != '#')
        return 0; // or somebody's note in a log
    if (b == i + 1 && begins_entry(c, from, end, b, to))
        return 0;
    if (label_goes_on(c, i))
        return 1;
    if (are_starred(c, from, i + 1))
        return 0;
    if (nested_apart(c, from, i + 1) || columns_rule(c, from) || names_columns(c, from, i + 1))
        return 0;
    if (b == i + 1 && line_is_thrown(y, to - b) && (a == from || is_traced(c, from)))
        return 1;
    if (line_quoted(c, from) != line_quoted(c, i + 1)) // somebody else's words
        return is_lower(*y) || c->text[end - 1] == ':';
    if (!line_says_something(y, to - b) || line_hyphen(x, end - a) > 1 ||
        lines_hang(c->text + from, end - from, c->text + i + 1, to - i - 1))
        return 1;
    if (divides_rows(c, from, end, i + 1, to) || ends_row(c, from, i + 1) ||
        (ends_sum(x, end - a) && ends_sum(y, line_trimmed(c, b, to) - b)))
        return 0;
    const size_t sign = same_sign(c, from, a, i + 1, b), left = from + sign, below = i + 1 + sign;
    // Two lines of prose may begin alike.
    const int open = line_is_open(x, end - a) || divides_day(x, end - a, y, to - b) ||
                     is_shortened(c, from, end, y, to - b) ||
                     divides_amount(x, end - a, y, to - b) ||
                     divides_phone(x, end - a, y, to - b) || divides_menu(c, a, end, y, to - b) ||
                     divides_number(c, from, end, i + 1) ||
                     (c->text[end - 1] == ',' && is_lower(*y) && is_long(c, from, end));
    if (lines_are_rows(c->text + left, end - left, c->text + below, to - below) ||
        lines_end_alike(c->text + left, end - left, c->text + below, to - below) ||
        (!open && !is_full_prose(c, from, end, y, to - b) &&
         lines_begin_alike(x, end - a, y, to - b)) ||
        line_is_record(c->text + left, end - left) || line_is_record(c->text + below, to - below) ||
        (line_label(x, end - a) && is_labelled(y, to - b)))
        return 0;
    if (open && !are_items(c, from, a, i + 1, b) && !is_item_below(c, a, i + 1, b))
        return 1;
    if (is_amount(c, a, end, b))
        return 0;
    if (line_is_item(y, to - b))
        return 0;
    if (c->text[end - 1] == ':' && begins_rows(c, i + 1))
        return 0;
    if (is_one_of(c->text[end - 1], ":;,"))
        return 1;
    while (b + word < to && !is_space(y[word]))
        word++;
    if (is_lower(*y) || is_last_word(c, from, end, y, to - b) || hangs_below(c, from, a, end, b))
        return 1;
    if (*y == '(' && is_lower(y[1]) && is_long(c, from, end) && word_has(c->text[end - 1]))
        return 1;
    // Tables and titles may be wider than the paragraphs beside them.
    return (c->width &&
            line_width(c->text + from, end - from) + 1 + line_width(y, word) > c->width) ||
           breaks_paragraph(c, i);
}
