#include "engine/sentences/heading.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/code.h"
#include "engine/lines/columns.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lines/page.h"
#include "engine/lines/speaker.h"
#include "engine/sentences/cut.h"
#include "engine/words/dates.h"
#include "engine/words/words.h"

enum { LEAST = 2 }; // bytes of a heading

// Whether the line that begins with byte I may be a heading: it begins with a capital, a letter
// beyond ASCII, a bracket, a date or the number of a section, but not with an amount ("120 g
// barley").
static int begins_one(const struct lines *c, size_t i, size_t end)
{
    const char first = c->text[i];
    if (!is_digit(first))
        return is_upper(first) || (unsigned char)first >= 0x80 || first == '[';
    if (dates_begin(c->text + i, end - i) || dates_alone(c->text + i, end - i))
        return 1;
    while (i < end && (is_digit(c->text[i]) || c->text[i] == '.'))
        i++;
    if (c->text[i - 1] == '.' || (i < end && c->text[i] == ')'))
        return 1;
    return i + 1 < end && c->text[i] == ' ' && is_upper(c->text[i + 1]);
}

// Whether the line FROM to TO has the mark of a heading before it ("## 2024-03-04").
static int is_marked(const struct lines *c, size_t from, size_t to)
{
    while (from < to && c->text[from] == '#')
        from++;
    return from > 0 && from < to && c->text[from - 1] == '#' && c->text[from] == ' ';
}

// Whether text[*FROM..*TO), a line, stands within a rule of two signs at least on both sides, "===
// MON 2 OCT ===": then these become its words. What heads a mail that was forwarded is no heading.
static int is_framed(const struct lines *c, size_t *from, size_t *to)
{
    enum { SIGNS = 2 };
    size_t first = *from, end = *to;
    const char sign = first < end ? c->text[first] : 0;
    if (!is_one_of(sign, "=-*~_+"))
        return 0;
    while (first < end && c->text[first] == sign)
        first++;
    while (end > first && c->text[end - 1] == sign)
        end--;
    if (first < *from + SIGNS || *to < end + SIGNS || end < first + 2 || c->text[first] != ' ' ||
        c->text[end - 1] != ' ' ||
        message_head(c, line_end(c, *to) + 1, &(size_t){0}, &(size_t){0}))
        return 0;
    *from = first + strspn(c->text + first, " ");
    *to = line_trimmed(c, first, end);
    return *from + LEAST <= *to;
}

// Whether the line below byte END, where one of WIDTH columns ends, underlines it: it has nothing
// but one sign, about as often.
static int is_underlined(const struct lines *c, size_t end, size_t width)
{
    const size_t below = end + 1,
                 to = below < c->n ? line_trimmed(c, below, line_end(c, below)) : 0;
    size_t at = below;
    while (at < to && is_one_of(c->text[below], "=-~") && c->text[at] == c->text[below])
        at++;
    return to > below && at == to && 2 * (to - below) >= width && to - below <= 2 * width;
}

// Whether the line that begins with byte LINE, with the words FROM to TO, may be a heading by these
// and what is above it, whatever is below; 2: it is framed.
static int may_be(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    const size_t end = line_end(c, line);
    size_t first = line_words(c, line, end);
    *from = line;
    while (*from < first && is_space(c->text[*from]))
        ++*from;
    *to = line_trimmed(c, *from, end);
    const int framed = is_framed(c, from, to);
    first = framed ? *from : first;
    if (*to < first + LEAST || *to - *from >= HEADING_LONGEST ||
        is_one_of(c->text[*to - 1], ".!;:,") || line_has_fields(c->text + first, *to - first))
        return 0;
    if (!is_underlined(c, end, line_width(c->text + first, *to - first)) &&
        (!(is_marked(c, *from, *to) || begins_one(c, first, *to)) ||
         // The last line of a page may have a footer below it.
         (c->text[*to - 1] != '?' && cut_has_stop(c, first, *to))))
        return 0;
    const size_t above = line > 0 ? line_start(c, line - 1) : 0;
    if (line > 0 && (!line_is_bare(c, above) || message_is_signed(c, above)))
        return 0;
    if (message_is_signed(c, end + 1) || line_is_summed(c, line)) // a signature, a row of sums
        return 0;
    // The last line of a page is not a heading, nor is what stands above each of them.
    return end + 1 < c->n && c->text[end + 1] != '\f' && !page_is_margin(c, line) ? 1 + framed : 0;
}

// Whether TEXT [n] begins with an amount.
static int is_amount(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && (is_digit(text[i]) || is_one_of(text[i], ".,/")))
        i++;
    return i && i + 1 < n && text[i] == ' ' && is_lower(text[i + 1]);
}

int heading_never(const struct lines *c, size_t line)
{
    const char *text = c->text + line;
    const size_t n = line_end(c, line) - line;
    return code_at(c, line) || is_amount(text, n) || line_is_stamped(text, n);
}

int heading_in_capitals(const struct lines *c, size_t line)
{
    enum { LETTERS = 5, TITLE = 60 }; // and bytes
    const size_t end = line_trimmed(c, line, line_end(c, line));
    size_t letters = 0;
    if (end - line > TITLE || !line || !line_is_bare_above(c, line))
        return 0;
    for (size_t i = line; i < end; i++) {
        if (is_lower(c->text[i]) || is_digit(c->text[i]))
            return 0;
        letters += is_upper(c->text[i]);
    }
    return letters >= LETTERS && is_upper(c->text[line]);
}

int heading_remarks(const struct lines *c, size_t line)
{
    if (line >= c->n)
        return 0;
    const size_t end = line_end(c, line), first = line_words(c, line, end),
                 last = line_trimmed(c, first, end);
    return last > first + LEAST && c->text[first] == '(' && c->text[last - 1] == ')' &&
           line_is_bare(c, end + 1);
}

int heading_is(const struct lines *c, size_t line, size_t *from, size_t *to)
{
    const size_t below = line_end(c, line) + 1;
    struct columns t;
    const int is = may_be(c, line, from, to);
    return is && c->text[*from] != '|' && !columns_begin(&t, c, line) &&
           (is > 1 || line_is_bare(c, below) || heading_remarks(c, below) ||
            c->text[*from] == '#' || dates_alone(c->text + *from, *to - *from));
}

int heading_of_record(const struct lines *c, size_t after, size_t at, size_t *from, size_t *to)
{
    for (size_t line = line_start(c, at); line > after;) {
        line = line_start(c, line - 1);
        if (line >= after && label_is_there(c, line_end(c, line) + 1) && !label_is_there(c, line) &&
            may_be(c, line, from, to) && dates_say(c->text + *from, *to - *from))
            return 1;
    }
    return 0;
}

// Whether somebody's turn may begin with the line that begins with byte LINE.
static int begins_turn(const struct lines *c, size_t line)
{
    return label_is_there(c, line) || speaker_at(c, line);
}

int heading_before(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    int turns = begins_turn(c, line_start(c, at));
    if (message_head(c, line_start(c, at), from, to))
        return 0;
    for (size_t line = line_start(c, at); line > 0;) {
        line = line_start(c, line - 1);
        if (message_head(c, line, from, to)) {
            *to = line_trimmed(c, *from, *to);
            return 1;
        }
        // A question of one speaker heads only the answer.
        if (heading_is(c, line, from, to) && !(turns > 1 && begins_turn(c, line)))
            return 1;
        turns += turns <= 1 && begins_turn(c, line);
    }
    return 0;
}

// The first byte of the words of the line that begins with byte LINE, behind the dash of an item.
static size_t behind_dash(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), words = line_words(c, line, end);
    return words + 2 < end && !memcmp(c->text + words, "- ", 2) ? words + 2 : words;
}

// Whether byte AT of C is the first one of the mark of bold words.
static int is_bold(const struct lines *c, size_t at)
{
    return at + 2 <= c->n && !memcmp(c->text + at, "**", 2);
}

// The first byte of the words of the paragraph, or of the item of a list, that byte AT of C is in.
static size_t paragraph_words(const struct lines *c, size_t at)
{
    size_t line = line_start(c, at), above;
    while (line > 0 && !line_is_item(c->text + line, line_end(c, line) - line) &&
           !is_bold(c, behind_dash(c, line)) && !line_is_bare(c, above = line_start(c, line - 1)))
        line = above;
    return behind_dash(c, line);
}

// Whether text[FROM..TO) has a capital, as what is behind the number of a title has.
static int has_capital(const struct lines *c, size_t from, size_t to)
{
    while (from < to && !is_upper(c->text[from]))
        from++;
    return from < to;
}

int heading_runs_in(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    size_t i = paragraph_words(c, at), end = line_end(c, i);
    end = end < at ? end : at;
    *from = i;
    *to = 0;
    if (is_bold(c, i)) {
        for (*from = i += 2; i < end && i - *from < HEADING_LONGEST && !*to; i++)
            if (is_bold(c, i))
                *to = i;
    } else
        for (; i + 1 < end && i - *from < HEADING_LONGEST; i++)
            if (c->text[i] == '.' && c->text[i + 1] == ' ' && cut_runs_in(c, i, i + 2) &&
                has_capital(c, *from, i))
                *to = i;
    while (*to > *from && is_one_of(c->text[*to - 1], ".: "))
        --*to;
    return *to > *from;
}

size_t heading_counts(const char *text, size_t n, const char *label, size_t n_label)
{
    size_t at = n_label;
    if (n <= at || !is_upper(*text) || strncasecmp(text, label, n_label) != 0 || text[at] != ' ')
        return 0;
    for (at++; at < n && is_digit(text[at]);)
        at++;
    return is_digit(text[at - 1]) && at + 1 < n && is_one_of(text[at], ".:") &&
                   is_space(text[at + 1])
               ? at
               : 0;
}

int heading_counted(const struct lines *c, size_t at, const char *label, size_t n_label,
                    size_t *from, size_t *to)
{
    for (size_t i = at; i-- > 0 && !(c->text[i] == '\n' && line_is_bare(c, i + 1));) {
        const int begins = !i || c->text[i - 1] == '\n' ||
                           (i > 1 && is_space(c->text[i - 1]) && is_one_of(c->text[i - 2], ".!?"));
        const size_t n = begins ? heading_counts(c->text + i, at - i, label, n_label) : 0;
        if (n) {
            *from = i;
            *to = i + n;
            return 1;
        }
    }
    return 0;
}

int heading_level(const char *text, size_t n)
{
    size_t i = 0;
    int level = 0;
    while (i < n && text[i] == '#')
        i++;
    if (i)
        return (int)i;
    while (i < n && is_digit(text[i])) {
        level++;
        while (i < n && is_digit(text[i]))
            i++;
        i += i < n && text[i] == '.';
    }
    return level;
}
