#include "engine/ask/cut.h"

#include <string.h>

enum {
    NARROW = 48, // lines of prose that were broken have room for so many bytes at least,
    WIDE = 120,  // and for so many at most
    WORD = 24,   // what is longer up to a space is not a word of prose
    SHORT = 80,  // a heading is shorter
    BARE = 24,   // a whole sentence that is shorter says little alone
    ITEMS = 1600 // bytes of a list that are looked through for what leads it in
};

static int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; // a form feed ends a page
}

static int is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static int is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t line_start(const struct cut *c, size_t at)
{
    while (at > 0 && c->text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const struct cut *c, size_t at)
{
    const char *end = at < c->n ? memchr(c->text + at, '\n', c->n - at) : NULL;
    return end ? (size_t)(end - c->text) : c->n;
}

void cut_text(struct cut *c, const char *text, size_t n)
{
    *c = (struct cut){.text = text, .n = n};
    size_t longest = 0;
    for (size_t at = 0; at < n; at = line_end(c, at) + 1) {
        size_t bytes = line_end(c, at) - at;
        longest = bytes > longest ? bytes : longest;
    }
    c->width = longest >= NARROW && longest <= WIDE ? longest : 0;
}

// ------------------------------------------------------------------------------------------ lines

// Past what stands before the words of a line: indentation, the mark of a quotation or a comment. A path begins with no
// mark, nor does an emphasized word.
static size_t skip_mark(const struct cut *c, size_t at, size_t end)
{
    for (size_t mark = at;; at = mark) {
        while (at < end && is_one_of(c->text[at], " \t\r>#|"))
            at++;
        for (mark = at; mark < end && is_one_of(c->text[mark], "*/");)
            mark++;
        if (mark == at || (mark < end && !is_space(c->text[mark])))
            return at;
    }
}

static char kind_of(char c)
{
    return is_digit(c) ? '0' : is_upper(c) ? 'A' : is_lower(c) ? 'a' : c;
}

// Whether two lines begin alike, and not as any two lines of prose do.
static int begin_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    enum { LOOK = 6 };
    int telling = 0;
    if (n_a < LOOK || n_b < LOOK)
        return 0;
    for (int i = 0; i < LOOK; i++) {
        if (kind_of(a[i]) != kind_of(b[i]))
            return 0;
        telling |= !is_lower(a[i]) && a[i] != ' ' && i > 0;
    }
    return telling || (a[0] == b[0] && !memcmp(a, b, LOOK));
}

int cut_is_record(const char *text, size_t n)
{
    size_t word = 0;
    if (n && text[0] == '-')
        return 0;
    while (word < n && !is_space(text[word])) {
        char next = word + 1 < n ? text[word + 1] : ' ';
        if (is_one_of(text[word], ",;|=\t") && !is_space(next))
            return 1;
        word++;
    }
    int equals =
        word + 2 < n && text[word] == ' ' && text[word + 1] == '=' && text[word + 2] == ' ';
    return word > WORD || equals || (word < n && text[word] == '\t');
}

// Whether text[0..n) has a letter or a digit: a line of dashes under a heading, a bracket, has none.
static int says_something(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]) || is_lower(text[i]) || is_upper(text[i]) || (unsigned char)text[i] >= 0x80)
            return 1;
    return 0;
}

// Bytes of the label before the value of the line TEXT [n]: "Subject: ...", "port = ...", "\"url\": ..."; 0: it has none.
static size_t label_of(const char *text, size_t n)
{
    enum { LONGEST = 32 };
    size_t i = 0, spaces = 0, label;
    while (i < n && i < LONGEST && text[i] != ':' && text[i] != '=')
        spaces += text[i++] == ' ';
    if (i + 1 >= n || i == LONGEST || !says_something(text, i) || text[i + 1] == '=')
        return 0;
    label = i;
    while (label > 0 && is_space(text[label - 1]))
        label--;
    if (text[i] == ':' && !is_space(text[i + 1]))
        return 0;
    if (text[i] == '=' && (spaces > (label < i) || !(is_one_of(text[label - 1], "\"'_-.") || says_something(text + label - 1, 1))))
        return 0;
    return says_something(text + i + 1, n - i - 1) ? label : 0;
}

// Where the second column of the line TEXT [n] begins, behind *GAP spaces; n: it has none.
static size_t second_column(const char *text, size_t n, size_t *gap)
{
    size_t i = 0;
    while (i < n && is_space(text[i]))
        i++;
    for (*gap = 0; i < n; i++) {
        if (text[i] != ' ')
            *gap = 0;
        else if (++*gap > 1 && i + 1 < n && !is_space(text[i + 1]) && !is_one_of(text[i - *gap], ".!?:"))
            return i + 1;
    }
    *gap = 0;
    return n;
}

static int word_begins(const char *text, size_t n, size_t at)
{
    return at > 0 && at < n && text[at - 1] == ' ' && !is_space(text[at]);
}

// Whether the lines A and B, from their beginnings on, are rows of a table: their second columns lie below one another.
// Behind the longest word of the first one there may be a single space.
static int are_rows(const char *a, size_t n_a, const char *b, size_t n_b)
{
    enum { WIDE_GAP = 3 }; // prose that is spread to the margin hardly has it
    size_t gap_a, gap_b, at_a = second_column(a, n_a, &gap_a), at_b = second_column(b, n_b, &gap_b);
    if (at_a < n_a && at_b < n_b)
        return at_a == at_b;
    return (gap_a >= WIDE_GAP && word_begins(b, n_b, at_a)) || (gap_b >= WIDE_GAP && word_begins(a, n_a, at_b));
}

static int is_item(const char *text, size_t n)
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

// Whether a sentence goes on past the line end at byte I.
static int goes_on(const struct cut *c, size_t i)
{
    size_t from = line_start(c, i), to = line_end(c, i + 1);
    size_t a = skip_mark(c, from, i), b = skip_mark(c, i + 1, to), end = i;
    while (end > a && is_space(c->text[end - 1]))
        end--;
    if (a == end || b == to)
        return 0; // an empty line
    const char *x = c->text + a, *y = c->text + b;
    size_t word = 0;
    if (!says_something(y, to - b))
        return 1;
    if (are_rows(c->text + from, end - from, c->text + i + 1, to - i - 1) ||
        begin_alike(x, end - a, y, to - b) || cut_is_record(x, end - a) || cut_is_record(y, to - b) ||
        (label_of(x, end - a) && label_of(y, to - b)))
        return 0;
    if (is_item(y, to - b))
        return 0;
    if (is_one_of(c->text[end - 1], ":;,"))
        return 1;
    while (b + word < to && !is_space(y[word]))
        word++;
    return is_lower(*y) || (c->width && end - from + 1 + word > c->width);
}

// --------------------------------------------------------------------------------------- sentences

// Bytes of the stop at byte I, its quotation mark or bracket included; 0: there is none.
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

// Whether the stop at byte I belongs to what it follows: the number of a heading or clause, an
// initial, a title.
static int is_label(const struct cut *c, size_t i)
{
    static const char *const titles[] = {"Mr",  "Mrs", "Ms",  "Dr", "Prof", "St",  "No", "Nos",
                                         "Art", "Sec", "Fig", "vs", "cf",   "e.g", "i.e"};
    size_t from = i, letters = 0;
    while (from > 0 && !is_space(c->text[from - 1]) && !is_one_of(c->text[from - 1], "([\"'"))
        from--;
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++)
        if (i - from == strlen(titles[t]) && !memcmp(c->text + from, titles[t], i - from))
            return 1;
    for (size_t j = from; j < i; j++)
        letters += !is_digit(c->text[j]) && c->text[j] != '.';
    if (i - from == 1 && is_upper(c->text[from]))
        return 1;
    return !letters && i > from && skip_mark(c, line_start(c, i), i) == from;
}

// Whether the stop at byte I is behind a bracket or a word that nobody shortens: a small letter
// after it may well begin a sentence ("anacron runs it.").
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

// Whether a sentence ends with byte I; white space that follows is the next one's.
static int ends_at(const struct cut *c, size_t i)
{
    size_t next = i + 1, stop = i;
    if (next >= c->n)
        return 1;
    if (c->text[i] == '\n')
        return !goes_on(c, i);
    if ((unsigned char)c->text[i] >= 0x80 && i >= 2 && stop_at(c, i - 2) == 3)
        return 1;
    if (!is_space(c->text[next]))
        return 0;
    while (stop > 0 && i - stop < 4 && is_one_of(c->text[stop], "\"')]\x80\x9d\x99\xe2"))
        stop--;
    if (!stop_at(c, stop) || stop + stop_at(c, stop) != next || is_label(c, stop))
        return 0;
    while (next < c->n && is_space(c->text[next]))
        next++;
    return next == c->n || !is_lower(c->text[next]) || is_full_word(c, stop);
}

// What a long sentence is cut behind: the best there is between bytes FROM and TO, an end of a line
// before a semicolon, a comma and a space.
static size_t best_cut(const struct cut *c, size_t from, size_t to)
{
    static const char marks[] = "\n;, ";
    for (const char *mark = marks; *mark; mark++)
        for (size_t i = to; i > from; i--)
            if (c->text[i - 1] == *mark)
                return i;
    return to;
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

// The byte after the last one of text[FROM..TO) that is no white space.
static size_t trimmed(const struct cut *c, size_t from, size_t to)
{
    while (to > from && is_space(c->text[to - 1]))
        to--;
    return to;
}

void cut_sentence(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    while (at + 1 < c->n && is_space(c->text[at]))
        at++;
    while (at > 0 && is_space(c->text[at]))
        at--;
    for (*to = at; *to < c->n && !ends_at(c, *to);)
        ++*to;
    *to = *to < c->n ? *to + 1 : c->n;
    for (*from = at; *from > 0 && !ends_at(c, *from - 1);)
        --*from;
    shorten(c, at, from, to);
    *to = trimmed(c, *from + 1, *to);
    while (*from + 1 < *to && is_space(c->text[*from]))
        ++*from;
}

// ------------------------------------------------------------------------------------------
// company

// Whether text[FROM..TO) is a heading, a label or a few words, and no record or item of a list;
// where it ends with a stop, STOPS is set.
static int says_little(const struct cut *c, size_t from, size_t to, int *stops)
{
    size_t end = trimmed(c, from, to);
    *stops = end > from && is_one_of(c->text[end - 1], ".!?;,)");
    const char *text = c->text + from;
    int item = is_item(text, end - from) && !is_digit(*text); // "3. Rent" heads a section as well
    return end - from < (size_t)(*stops ? BARE : SHORT) && !item && !cut_is_record(text, end - from);
}

// What follows byte TO: its first byte, or n, and the line ends before it.
static size_t next_after(const struct cut *c, size_t to, int *lines)
{
    for (*lines = 0; to < c->n && is_space(c->text[to]); to++)
        *lines += c->text[to] == '\n';
    return to;
}

// The list that text[FROM..TO) leads in, as far as there is room.
static void with_list(const struct cut *c, size_t from, size_t *to)
{
    for (int i = 0, lines;; i++) {
        size_t first = next_after(c, *to, &lines), last;
        if (first >= c->n || lines > 2 ||
            (i && lines > 1 && !is_item(c->text + first, c->n - first)))
            return;
        cut_sentence(c, first, &first, &last);
        if (last - from > CUT_LONGEST)
            return;
        *to = last;
    }
}

// The sentence before a few words that end in a stop, where both are of one paragraph: they go on with it.
static int with_last_of_few(const struct cut *c, size_t *from, size_t to)
{
    size_t end = trimmed(c, 0, *from), last;
    int stops, lines;
    next_after(c, end, &lines);
    if (!end || lines || !says_little(c, *from, to, &stops) || !stops)
        return 0;
    cut_sentence(c, end - 1, &last, &end);
    *from = last;
    return 1;
}

// Whether text[FROM..TO) asks: what answers it says so only below it.
static int asks(const struct cut *c, size_t from, size_t to)
{
    return c->text[to - 1] == '?' || (to - from > 3 && !memcmp(c->text + to - 3, "\uff1f", 3));
}

// The answer to the question text[FROM..TO), where no other question follows: its first sentence, or two that are short.
static void with_answer(const struct cut *c, size_t from, size_t *to)
{
    enum { MOST = 2 };
    size_t first = from, last = *to;
    int stops, lines;
    for (int i = 0; i < MOST && (!i || says_little(c, first, last, &stops)); i++) {
        first = next_after(c, last, &lines);
        if (first >= c->n)
            return;
        cut_sentence(c, first, &first, &last);
        if (asks(c, first, last) || last - from > CUT_LONGEST)
            return;
        *to = last;
    }
}

// What follows a heading or a few words, and the list that a line leads in.
static void with_next(const struct cut *c, size_t from, size_t *to)
{
    enum { MOST = 2 }; // a heading and one below it
    size_t last = from;
    int stops, lines;
    if (asks(c, from, *to))
        with_answer(c, from, to);
    for (int i = 0; i < MOST && c->text[*to - 1] != ':' && says_little(c, last, *to, &stops); i++) {
        size_t first = next_after(c, *to, &lines);
        if (first >= c->n || (stops && lines > 1) ||
            begin_alike(c->text + last, *to - last, c->text + first, c->n - first))
            return;
        cut_sentence(c, first, &last, to);
    }
    if (c->text[*to - 1] == ':')
        with_list(c, from, to);
}

// Whether an English sentence begins with "it" or the like.
static int begins_with_pronoun(const struct cut *c, size_t from)
{
    static const char *const words[] = {"It",    "He",  "She", "They", "This",
                                        "These", "Its", "His", "Her",  "Their"};
    size_t end = from;
    while (end < c->n && (is_lower(c->text[end]) || is_upper(c->text[end])))
        end++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (end - from == strlen(words[i]) && !memcmp(c->text + from, words[i], end - from))
            return 1;
    return 0;
}

// Whether FROM to TO are a few words without a stop, on a line of their own, that end the text.
static int signs_off(const struct cut *c, size_t from, size_t to)
{
    int stops, lines;
    return next_after(c, to, &lines) >= c->n && line_end(c, from) >= to &&
           says_little(c, from, to, &stops) && !stops;
}

// What a pronoun stands for is in the sentence before its own; so is what a signature is for.
static void with_last(const struct cut *c, size_t *from, size_t to)
{
    size_t end = trimmed(c, 0, *from), last;
    int lines, signature = signs_off(c, *from, to);
    next_after(c, end, &lines);
    if (!end || !(signature || (lines <= 1 && begins_with_pronoun(c, *from))))
        return;
    cut_sentence(c, end - 1, &last, &end);
    if (!signature || !begin_alike(c->text + last, end - last, c->text + *from, to - *from))
        *from = last;
}

// The line, FROM to TO, that leads in the list of which the sentence that begins with byte AT is a
// part ("These are needed:"). Returns 0 where there is none.
static int lead_in(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    size_t start = line_start(c, at);
    while (start > 0 && at - start < ITEMS) {
        size_t end = trimmed(c, 0, start), line = line_start(c, end);
        // Whole sentences without a mark and paragraphs are parts of a list only right behind what
        // leads it in.
        int item = is_item(c->text + start, c->n - start);
        int apart = !item && (start - end > 1 || is_one_of(c->text[end ? end - 1 : 0], ".!?"));
        if (!end || start - end > 2 || (apart && c->text[end - 1] != ':'))
            return 0;
        if (c->text[end - 1] == ':') {
            *to = end;
            for (*from = end - 1; *from > line && !ends_at(c, *from - 1);)
                --*from;
            while (is_space(c->text[*from]))
                ++*from;
            return 1;
        }
        start = line;
    }
    return 0;
}

static size_t indentation(const struct cut *c, size_t line, size_t end)
{
    enum { TAB = 8 };
    size_t column = 0;
    for (; line < end && is_space(c->text[line]); line++)
        column = c->text[line] == '\t' ? (column / TAB + 1) * TAB : column + 1;
    return column;
}

// The short line, FROM to TO, under which the line of byte AT is set in: a term right above its definition, what a list
// belongs to. Returns 0 where there is none: a title, which has an empty line below it, is none.
static int set_in_under(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    size_t line = line_start(c, at), own = indentation(c, line, line_end(c, line));
    for (size_t below = line; below > 0 && at - below < ITEMS; below = line) {
        size_t end = below - 1, next = line_end(c, below);
        line = line_start(c, end);
        if (!line) // it may have begun before the text
            return 0;
        if (!says_something(c->text + line, end - line) || indentation(c, line, end) >= own)
            continue;
        *from = skip_mark(c, line, end);
        *to = trimmed(c, *from, end);
        int leads = c->text[*to - 1] == ':';
        int term = !is_one_of(c->text[*to - 1], ".!?;,") && says_something(c->text + below, next - below) &&
                   indentation(c, below, next) > indentation(c, line, end);
        return *to - *from < SHORT && (leads || term);
    }
    return 0;
}

// The label of the line that begins with byte AT, in its *N bytes; NULL: it has none.
static const char *label_at(const struct cut *c, size_t at, size_t *n)
{
    size_t end = line_end(c, at), first = skip_mark(c, at, end);
    *n = label_of(c->text + first, end - first);
    return *n ? c->text + first : NULL;
}

// Whether no line of text[FROM..TO) has the label of the line that begins with byte AT, which has one.
static int is_other_label(const struct cut *c, size_t at, size_t from, size_t to)
{
    size_t n, m;
    const char *own = label_at(c, at, &n), *other;
    for (; own && from < to; from = line_end(c, from) + 1)
        if ((other = label_at(c, from, &m)) && m == n && !memcmp(own, other, n))
            return 0;
    return own != NULL;
}

// The lines around FROM that have labels, each another one, right above and below one another (the head of a mail, a
// section of settings), with the line that leads them in: they are the parts of one whole. Returns 0 where there is
// none.
static int with_fields(const struct cut *c, size_t *from, size_t *to)
{
    size_t top = line_start(c, trimmed(c, *from, *to) - 1), end = line_end(c, top), n;
    int lines = 1;
    if (!label_at(c, top, &n))
        return 0;
    for (size_t up; top > 0 && is_other_label(c, up = line_start(c, top - 1), top, end); lines++)
        top = up;
    for (; end + 1 < c->n && is_other_label(c, end + 1, top, end); lines++)
        end = line_end(c, end + 1);
    size_t above = top > 0 ? line_start(c, top - 1) : top, last = top > 0 ? trimmed(c, above, top) : top;
    if (last > above && (is_one_of(c->text[last - 1], ":{") || (c->text[above] == '[' && c->text[last - 1] == ']')))
        top = above;
    top = top < *from ? top : *from;
    if ((lines == 1 && top == *from) || end - top > CUT_LONGEST)
        return 0;
    *from = top;
    *to = end;
    return 1;
}

void cut_company(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    if (!with_fields(c, from, to) && !with_last_of_few(c, from, *to)) {
        with_next(c, *from, to);
        with_fields(c, from, to);
    }
    if (!lead_in(c, *from, lead, lead_end)) {
        if (!set_in_under(c, *from, lead, lead_end)) {
            *lead = *lead_end = *from;
            with_last(c, from, *to);
        }
        return;
    }
    size_t all = *lead_end;
    with_list(c, *lead, &all);
    if (all < *to)
        return;
    *from = *lead_end = *lead;
    *to = all;
}

int cut_is_row(const char *head, size_t n_head, const char *row, size_t n_row)
{
    for (size_t i = 0; i < n_head; i++)
        if (is_digit(head[i]))
            return 0;
    if (!cut_is_record(head, n_head) || !cut_is_record(row, n_row))
        return 0;
    for (const char *mark = ",;|\t"; *mark; mark++) {
        size_t a = 0, b = 0;
        for (size_t i = 0; i < n_head; i++)
            a += head[i] == *mark;
        for (size_t i = 0; i < n_row; i++)
            b += row[i] == *mark;
        if (a > 1 && a == b)
            return 1;
    }
    return 0;
}

// Past the line at byte AT where it only underlines or divides ("-----"), else AT.
static size_t skip_rule(const struct cut *c, size_t at, size_t to)
{
    enum { RULE = 3 };
    size_t end = line_end(c, at), i = at;
    while (i < end && is_one_of(c->text[i], "-=~_*^"))
        i++;
    if (i < end || end - at < RULE)
        return at;
    return end < to ? end + 1 : to;
}

size_t cut_mend(const struct cut *c, size_t from, size_t to, char *out)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        if (i > from && c->text[i - 1] == '\n' && (i = skip_rule(c, i, to)) >= to)
            break;
        out[n++] = c->text[i];
        if (c->text[i] != '\n' || i + 1 >= c->n || !goes_on(c, i))
            continue;
        for (n--; n > 0 && is_space(out[n - 1]);)
            n--;
        out[n++] = ' ';
        i = skip_mark(c, i + 1, line_end(c, i + 1)) - 1;
    }
    return n;
}
