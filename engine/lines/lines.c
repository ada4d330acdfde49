#define _GNU_SOURCE
// What kind of line a line of text is.
#include "engine/lines/lines.h"

#include "engine/words/clock.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

enum {
    WORD = 24,   // bytes: a longer run without a space is not a word of prose
    WIDE_GAP = 3 // columns; justified prose rarely has as many
};

void lines_of_text(struct lines *c, const char *text, size_t n)
{
    *c = (struct lines){.text = text, .n = n};
    size_t longest = 0;
    // One line that is too wide tells that prose is not broken.
    for (size_t at = 0, end; at < n && longest <= LINE_WIDE; at = end + 1) {
        end = line_end(c, at);
        size_t width = line_width(text + at, end - at);
        longest = width > longest ? width : longest;
    }
    c->width = longest >= LINE_NARROW && longest <= LINE_WIDE ? longest : 0;
}

size_t line_start(const struct lines *c, size_t at)
{
    const char *above = at ? memrchr(c->text, '\n', at) : NULL;
    return above ? (size_t)(above - c->text) + 1 : 0;
}

size_t line_end(const struct lines *c, size_t at)
{
    const char *end = at < c->n ? memchr(c->text + at, '\n', c->n - at) : NULL;
    return end ? (size_t)(end - c->text) : c->n;
}

struct span_of_text line_at(const struct lines *c, size_t at)
{
    return at < c->n ? (struct span_of_text){line_start(c, at), line_end(c, at)}
                     : (struct span_of_text){c->n, c->n};
}

size_t line_width(const char *text, size_t n)
{
    enum { TAB = 8 };
    size_t width = 0;
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\t')
            width = (width / TAB + 1) * TAB;
        else
            width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

size_t line_indentation(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line);
    size_t at = line;
    for (size_t n; at < end && (n = white_space(c->text + at, end - at)) > 0;)
        at += n;
    return at < end ? line_width(c->text + line, at - line) : 0;
}

size_t line_words(const struct lines *c, size_t at, size_t end)
{
    if (at < end && line_is_directive(c->text + at, end - at))
        return at;
    for (size_t mark = at;; at = mark) {
        for (size_t n = 1; at < end && n; at += n)
            n = is_one_of(c->text[at], ">#|") ? 1
                : c->text[at] == '\n'         ? 0
                                              : white_space(c->text + at, end - at);
        for (mark = at; mark < end && is_one_of(c->text[mark], "*/");)
            mark++;
        if (mark == at || (mark < end && !is_space(c->text[mark])))
            return at;
    }
}

// The first byte of the line at byte AT that is no white space.
static char first_sign(const struct lines *c, size_t at)
{
    while (at < c->n && is_gap(c->text[at]))
        at++;
    return at < c->n ? c->text[at] : 0;
}

size_t line_said(const struct lines *c, size_t at, size_t end)
{
    const size_t words = line_words(c, at, end);
    const int has_sign = words > at && words < end && c->text[words - 1] == '#' &&
                         (words == at + 1 || is_gap(c->text[words - 2]));
    return has_sign && at > 0 && first_sign(c, line_start(c, at - 1)) != '#' ? words - 1 : words;
}

int line_is_empty(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line);
    return line_words(c, line, end) == end;
}

size_t line_past_empty(const struct lines *c, size_t line)
{
    while (line < c->n && line_is_empty(c, line))
        line = line_end(c, line) + 1;
    return line;
}

int line_is_bare(const struct lines *c, size_t line)
{
    return line >= c->n || !line_says_something(c->text + line, line_end(c, line) - line);
}

int line_is_bare_above(const struct lines *c, size_t line)
{
    return !line || line_is_bare(c, line_start(c, line - 1));
}

size_t line_quoted(const struct lines *c, size_t at)
{
    size_t marks = 0;
    for (; at < c->n && is_one_of(c->text[at], "> "); at++)
        marks += c->text[at] == '>';
    return marks;
}

int lines_quoted_alike(const struct lines *c, size_t a, size_t b)
{
    return line_quoted(c, line_start(c, a)) == line_quoted(c, line_start(c, b));
}

int line_is_of_paragraph(const struct lines *c, size_t line, size_t quoted)
{
    return !line_is_empty(c, line) && line_quoted(c, line) == quoted;
}

static char kind_of(char c)
{
    return is_digit(c) ? '0' : is_upper(c) ? 'A' : is_lower(c) ? 'a' : c;
}

// Whether two words are alike except for the lengths of their numbers, which marks separate:
// addresses, times, dates.
static int numbers_are_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    enum { MARKS = 2 };
    size_t i = 0, j = 0;
    int marks = 0;
    for (; i < n_a && j < n_b && !is_space(a[i]) && !is_space(b[j]); i++, j++) {
        if (kind_of(a[i]) != kind_of(b[j]))
            return 0;
        marks += i > 0 && !is_digit(a[i]) && is_digit(a[i - 1]);
        while (is_digit(a[i]) && i + 1 < n_a && is_digit(a[i + 1]))
            i++;
        while (is_digit(b[j]) && j + 1 < n_b && is_digit(b[j + 1]))
            j++;
    }
    return marks >= MARKS && i < n_a && j < n_b && is_space(a[i]) && is_space(b[j]);
}

int lines_begin_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    enum { LOOK = 6 };
    int telling = 0;
    if (n_a < LOOK || n_b < LOOK)
        return 0;
    if (numbers_are_alike(a, n_a, b, n_b))
        return 1;
    for (int i = 0; i < LOOK; i++) {
        if (kind_of(a[i]) != kind_of(b[i]))
            return 0;
        telling |= !is_lower(a[i]) && a[i] != ' ' && i > 0;
    }
    return telling || (a[0] == b[0] && !memcmp(a, b, LOOK));
}

// Whether TEXT [n] has cells, whatever their words are: it has a tab inside, two semicolons or
// commas without a space, which are not all within numbers, or two bars with a space on both sides
// or with one at its beginning.
static int has_cells(const char *text, size_t n)
{
    size_t bars = n > 1 && text[0] == '|' && is_space(text[1]), semicolons = 0, commas = 0,
           words = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        if (text[i] != '\t' && text[i] != ';' && text[i] != ',' && text[i] != '|')
            continue;
        int tight = !is_space(text[i + 1]) && !is_space(text[i - 1]);
        if (text[i] == '\t' && tight)
            return 1;
        semicolons += text[i] == ';' && tight;
        commas += text[i] == ',' && tight;
        words += text[i] == ',' && tight && !(is_digit(text[i + 1]) && is_digit(text[i - 1]));
        bars += text[i] == '|' && is_space(text[i + 1]) && is_space(text[i - 1]);
    }
    return semicolons > 1 || (commas > 1 && words) || bars > 1;
}

// Whether TEXT [n], a word, is one of prose in elements of markup:
// "<emphasis>trillions</emphasis>".
static int is_marked_up(const char *text, size_t n)
{
    return n > 1 && text[0] == '<' && is_lower(text[1]) && memmem(text, n, "</", 2) != NULL;
}

// Whether TEXT [n], a word, is the address of a mail, which may be long.
static int is_address(const char *text, size_t n)
{
    const char *at = memchr(text, '@', n);
    if (!at || at == text || !memchr(at, '.', n - (size_t)(at - text)))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (text + i != at && !word_has(text[i]) && !is_one_of(text[i], ".-_+,;"))
            return 0;
    return 1;
}

// Whether the comma at byte AT of TEXT [n] divides the thousands of an amount in prose: "1,450
// pounds", "2,000,000, being", or one that ends the sentence: "13,800. The rest".
static int is_of_amount(const char *text, size_t n, size_t at)
{
    enum { THOUSAND = 3, PENCE = 3 };
    size_t end = at;
    while (end + THOUSAND < n && text[end] == ',' && is_digit(text[end + 1]) &&
           is_digit(text[end + 2]) && is_digit(text[end + THOUSAND]))
        end += 1 + THOUSAND;
    if (end == at || (end < n && is_digit(text[end])))
        return 0;
    if (end + PENCE <= n && text[end] == '.' && is_digit(text[end + 1]) && is_digit(text[end + 2]))
        end += PENCE;
    if (end < n && text[end] == '.' && (end + 1 == n ? !is_digit(*text) : text[end + 1] == ' '))
        return 1;
    const size_t next = end + (end < n && text[end] == ',');
    return at > 0 && is_digit(text[at - 1]) && next + 1 < n && text[next] == ' ' &&
           is_lower(text[next + 1]);
}

// Whether a quotation mark that closes and a space, or the end, stand behind byte AT of TEXT [n],
// as behind a comma of what is said: "milk,\" said he".
static int closes_behind(const char *text, size_t n, size_t at)
{
    static const char *const marks[] = {"\"", "'", "\u201d", "\u2019"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t end = at + 1 + strlen(marks[i]);
        if (begins_with(text + at + 1, n - at - 1, marks[i]))
            return end == n || is_space(text[end]);
    }
    return 0;
}

int line_has_fields(const char *text, size_t n)
{
    size_t word = 0;
    if (n && text[0] == '-')
        return 0;
    while (word < n && !is_space(text[word])) {
        char next = word + 1 < n ? text[word + 1] : ' ';
        if (text[word] == ']' && next == '(') // a link in Markdown
            return 0;
        if (text[word] == ',' && (is_of_amount(text, n, word) || closes_behind(text, n, word))) {
            word++;
            continue;
        }
        if (is_one_of(text[word], ",;|=\t") && !is_space(next))
            return 1;
        word++;
    }
    if (has_cells(text, n))
        return 1;
    int equals =
        word + 2 < n && text[word] == ' ' && text[word + 1] == '=' && text[word + 2] == ' ';
    return (word > WORD && !is_marked_up(text, word) && !is_address(text, word)) || equals ||
           (word < n && text[word] == '\t');
}

int line_says_something(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]) || is_lower(text[i]) || is_upper(text[i]) ||
            (unsigned char)text[i] >= 0x80)
            return 1;
    return 0;
}

int line_asks(const char *text, size_t n)
{
    static const char wide[] = "\uff1f";
    const size_t m = sizeof wide - 1;
    return n > 0 && (text[n - 1] == '?' || (n >= m && !memcmp(text + n - m, wide, m)));
}

int line_is_open(const char *text, size_t n)
{
    static const char words[] =
        " a an the of to in on at by for from with into between among during against towards "
        "through per and or but nor than as if because although whether is are was were be "
        "that which whose this these its his her their our your my not no such every ";
    static const char titles[] = " mr mrs ms miss mx dr prof messrs cllr herr frau ";
    size_t from = n;
    while (from > 0 && is_lower(text[from - 1]))
        from--;
    const int capital = from > 0 && is_upper(text[from - 1]);
    from -= (size_t)capital;
    return (!from || text[from - 1] == ' ') &&
           word_is_listed(capital ? titles : words, text + from, n - from);
}

size_t line_label(const char *text, size_t n)
{
    enum { LONGEST = 32 };
    size_t i = 0, label;
    while (i < n && i < LONGEST && text[i] != ':' && text[i] != '=')
        i++;
    if (i + 1 >= n || i == LONGEST || !line_says_something(text, i) || text[i + 1] == '=')
        return 0;
    label = i;
    while (label > 0 && is_space(text[label - 1]))
        label--;
    size_t value = i + 1;
    while (text[i] == ':' && value < n && text[0] == '*' && text[value] == '*')
        value++; // "**Date:** 3 May"
    if (text[i] == ':' && (value == n || !is_space(text[value])))
        return 0;
    if (text[i] == '=' && (memchr(text, ' ', label) || !(is_one_of(text[label - 1], "\"'_-.") ||
                                                         line_says_something(text + label - 1, 1))))
        return 0;
    return line_says_something(text + i + 1, n - i - 1) ? label : 0;
}

size_t line_gap(const char *text, size_t n, size_t at, size_t *width)
{
    enum { FAR = 4096 }; // bytes, in a line that is not prose
    size_t end = at;
    while (end < n && is_gap(text[end]))
        end++;
    *width = end - at;
    if (at < FAR && end > at && memchr(text + at, '\t', end - at))
        *width = line_width(text, end) - line_width(text, at);
    return end - at;
}

// Where the second column of the line TEXT [n] begins, behind a gap of *GAP columns; n: it has
// none.
static size_t second_column(const char *text, size_t n, size_t *gap)
{
    size_t i = 0, bytes;
    while (i < n && is_space(text[i]))
        i++;
    for (; i < n; i += bytes) {
        while (i < n && !is_gap(text[i]))
            i++;
        bytes = line_gap(text, n, i, gap);
        if (*gap > 1 && i + bytes < n && !is_space(text[i + bytes]) &&
            !is_one_of(text[i - 1], ".!?:"))
            return i + bytes;
    }
    *gap = 0;
    return n;
}

static int word_begins(const char *text, size_t n, size_t at)
{
    return at > 0 && at < n && text[at - 1] == ' ' && !is_space(text[at]);
}

int lines_hang(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t gap, at = second_column(a, n_a, &gap), in = 0;
    while (in < n_b && is_space(b[in]))
        in++;
    if (at == n_a || in == 0 || in == n_b || line_width(a, at) != line_width(b, in))
        return 0;
    const int item = b[in] != '(' && line_is_item(b + in, n_b - in);
    return !(item && second_column(b, n_b, &gap) < n_b && gap >= WIDE_GAP);
}

int line_is_record(const char *text, size_t n)
{
    enum { SET_IN = 2 };
    size_t words, width, bytes;
    const size_t in = line_gap(text, n, 0, &width);
    int spread = width >= SET_IN && memchr(text + in, '\t', n - in) != NULL;
    for (words = in; spread && words < n; words += bytes ? bytes : 1)
        if ((bytes = line_gap(text, n, words, &width)) && words + bytes < n)
            spread = width <= LINE_SPREAD;
    return !spread && line_has_fields(text + in, n - in);
}

int line_is_thrown(const char *text, size_t n)
{
    static const char *const ends[] = {"Exception", "Error", "Throwable", "Failure"};
    size_t name = 0;
    while (name < n && (word_has(text[name]) || is_one_of(text[name], "._$")))
        name++;
    if (name == n || text[name] != ':')
        return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t bytes = strlen(ends[i]);
        if (name > bytes && !memcmp(text + name - bytes, ends[i], bytes))
            return 1;
    }
    return 0;
}

// Bytes of the time of day, in digits with its minutes, that TEXT [n] begins with, behind a day or
// none, in brackets or not: *AT where it begins. 0: there is none. *DAY: whether there is a day.
static size_t time_at(const char *text, size_t n, size_t *at, int *day)
{
    struct day d;
    struct clock_span time;
    const size_t bracket = n && text[0] == '[', date = day_begins(text + bracket, n - bracket, &d);
    *at = bracket + date + (date > 0);
    if (date && *at < n && text[*at - 1] == ',' && text[*at] == ' ')
        ++*at; // "02/03/2024, 18:42"
    *day = date > 0;
    if (*at >= n || !is_digit(text[*at]) || (date && !is_one_of(text[*at - 1], " T:,")))
        return 0;
    const size_t bytes = clock_begins(text + *at, n - *at, &time);
    return memchr(text + *at, ':', bytes) ? bytes : 0;
}

int line_is_stamped(const char *text, size_t n)
{
    enum { CLOCK = 8 }; // bytes of a time with its seconds
    size_t at;
    int day;
    return time_at(text, n, &at, &day) >= CLOCK && day && at + CLOCK < n;
}

int line_is_timed(const char *text, size_t n)
{
    size_t at;
    int day;
    const size_t bytes = time_at(text, n, &at, &day);
    if (!bytes || at + bytes >= n || word_has(text[at + bytes]))
        return 0;
    const char *colon = memchr(text + at, ':', bytes);
    return memchr(colon + 1, ':', (size_t)(text + at + bytes - colon) - 1) ? 2 : 1;
}

size_t line_hyphen(const char *text, size_t n)
{
    if (n > 3 && !memcmp(text + n - 3, "\u2010", 3))
        return 3;
    if (n > 2 && !memcmp(text + n - 2, "\u00ad", 2))
        return 2;
    return n > 1 && text[n - 1] == '-' &&
           (is_lower(text[n - 2]) || is_upper(text[n - 2]) || (unsigned char)text[n - 2] >= 0x80);
}

// The columns of the line TEXT [n] if it ends with a number, which may be a share; else 0.
static size_t number_ends(const char *text, size_t n)
{
    while (n && is_space(text[n - 1]))
        n--;
    const size_t sign = n > 1 && is_one_of(text[n - 1], "%)");
    return n && is_digit(text[n - 1 - sign]) ? line_width(text, n) : 0;
}

int lines_are_rows(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t gap_a, gap_b, at_a = second_column(a, n_a, &gap_a), at_b = second_column(b, n_b, &gap_b);
    if (at_a < n_a && at_b < n_b)
        return at_a == at_b;
    return (gap_a >= WIDE_GAP && word_begins(b, n_b, at_a)) ||
           (gap_b >= WIDE_GAP && word_begins(a, n_a, at_b));
}

int lines_end_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t gap_a, gap_b, width = number_ends(a, n_a);
    second_column(a, n_a, &gap_a);
    second_column(b, n_b, &gap_b);
    return gap_a >= WIDE_GAP && gap_b >= WIDE_GAP && width && width == number_ends(b, n_b);
}

int line_is_summed(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), n = end - line;
    size_t above = line ? line_start(c, line - 1) : 0, below = end + 1;
    while (above > 0 && line_is_bare(c, above))
        above = line_start(c, above - 1);
    while (below < c->n && line_is_bare(c, below))
        below = line_end(c, below) + 1;
    return (line &&
            lines_end_alike(c->text + line, n, c->text + above, line_end(c, above) - above)) ||
           (below < c->n &&
            lines_end_alike(c->text + line, n, c->text + below, line_end(c, below) - below));
}

int line_is_item(const char *text, size_t n)
{
    size_t i = 0;
    if (n > 2 && is_one_of(text[0], "-*+") && text[1] == ' ')
        return 1;
    if (i < n && text[i] == '(')
        i++;
    size_t first = i;
    while (i < n && i < first + 3 &&
           (is_digit(text[i]) || (i == first && (is_lower(text[i]) || is_upper(text[i])))))
        i++;
    return i > first && i + 1 < n &&
           (text[i] == ')' || (text[i] == '.' && is_digit(text[first]))) && text[i + 1] == ' ';
}

int line_is_numbered(const char *text, size_t n)
{
    return n && is_digit(text[0]) && line_is_item(text, n);
}

size_t line_trimmed(const struct lines *c, size_t from, size_t to)
{
    while (to > from && is_space(c->text[to - 1]))
        to--;
    return to;
}

int line_is_directive(const char *text, size_t n)
{
    static const char words[] = " define undef include if ifdef ifndef elif else endif pragma ";
    size_t end = 1;
    while (end < n && is_lower(text[end]))
        end++;
    return n && *text == '#' && end > 1 && (end == n || is_space(text[end])) &&
           word_is_listed(words, text + 1, end - 1);
}
