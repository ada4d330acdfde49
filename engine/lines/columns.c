#define _GNU_SOURCE
#include "engine/lines/columns.h"

#include <string.h>

#include "engine/lines/leader.h"
#include "engine/lines/lines.h"
#include "engine/words/words.h"

enum {
    UNNAMED = 12, // columns left of the first name that are a column of their own
    LONGEST = 48, // bytes of a name
    RULE = 3,     // bytes of the shortest rule
    BROKEN = 32,  // lines that a row goes on in, at most
    FAR = 256     // lines behind a row within which the next one is looked for
};

// Whether the N spaces from byte AT of a line divide its cells.
static int divides(const char *text, size_t at, size_t n)
{
    return n > 2 || (n == 2 && !is_one_of(text[at - 1], ".!?:"));
}

// Whether the gap of N spaces before byte AT is behind a letter that alone begins the line's words,
// at byte FROM, and before more of them: "C  Own money" is one cell.
static int is_lettered(const char *text, size_t from, size_t at, size_t n)
{
    return n == 2 && at == from + 1 + n && is_upper(text[from]) &&
           (is_upper(text[at]) || is_lower(text[at]));
}

// Divides the line OWN into cells V [COLUMNS_MOST]. Returns their number; 0: it is of another kind.
static int cells_of(const char *text, struct span_of_text own, struct span_of_text *v)
{
    int n = 0;
    size_t at = own.from, end = own.to;
    while (end > at && is_space(text[end - 1]))
        end--;
    while (at < end && is_space(text[at]))
        at++;
    const size_t first = at;
    for (size_t from = at; at < end;) {
        size_t gap = 0;
        while (text[at + gap] == ' ')
            gap++;
        if (text[at] == '\t' || text[at] == '|' || n == COLUMNS_MOST - 2)
            return 0;
        at += gap ? gap : 1;
        if (at < end &&
            (!(gap && divides(text, at - gap, gap)) || is_lettered(text, first, at, gap)))
            continue;
        const size_t to = at < end ? at - gap : end;
        v[n++] = (struct span_of_text){from, from + leader_label(text + from, to - from)};
        from = at;
    }
    return n;
}

int columns_are_in(const char *text, size_t n)
{
    struct span_of_text v[COLUMNS_MOST];
    return cells_of(text, (struct span_of_text){0, n}, v) > 1;
}

static size_t column_at(const char *text, struct span_of_text line, size_t at)
{
    return line_width(text + line.from, at - line.from);
}

// The columns of the line LINE that cell V takes.
static struct span_of_text place_of(const char *text, struct span_of_text line,
                                    struct span_of_text v)
{
    return (struct span_of_text){column_at(text, line, v.from), column_at(text, line, v.to)};
}

// The one of PLACES [N] that P overlaps, or the last one before it; -1: it overlaps several.
static int place_above(const struct span_of_text *places, int n, struct span_of_text p)
{
    int above = -1, before = -1;
    for (int i = 0; i < n; i++) {
        if (places[i].from < p.to && p.from < places[i].to) {
            if (above >= 0)
                return -1;
            above = i;
        }
        before = places[i].to <= p.from ? i : before;
    }
    return above >= 0 ? above : before;
}

// The first line of ROW.
static struct span_of_text first_line(const char *text, struct span_of_text row)
{
    const char *end = memchr(text + row.from, '\n', span_bytes(row));
    return (struct span_of_text){row.from, end ? (size_t)(end - text) : row.to};
}

// Ends those of CELLS [N], below PLACES, that go on in the lines of ROW behind its first one,
// FIRST: the last cell, where all of these are of it, behind them. Others are empty, as other cells
// stand between their parts.
static void go_on(const char *text, struct span_of_text row, struct span_of_text first,
                  const struct span_of_text *places, struct span_of_text *cells, int n)
{
    struct span_of_text v[COLUMNS_MOST];
    int broken[COLUMNS_MOST] = {0}, last = n - 1, others = 0;
    size_t end = first.to;
    while (last > 0 && !span_bytes(cells[last]))
        last--;
    for (size_t at = first.to; at < row.to;) {
        const struct span_of_text line = first_line(text, (struct span_of_text){at + 1, row.to});
        const int n_line = cells_of(text, line, v);
        for (int i = 0; i < n_line; i++) {
            const int own = place_above(places, n, place_of(text, line, v[i]));
            if (own >= 0)
                broken[own] = 1;
            others += own != last;
            end = v[i].to;
        }
        at = line.to;
    }
    for (int i = 0; i < n; i++)
        if (broken[i] && i == last && !others)
            cells[i].to = end;
        else if (broken[i])
            cells[i] = (struct span_of_text){row.from, row.from};
}

int columns_cells(const char *text, struct span_of_text head, struct span_of_text row,
                  struct span_of_text *names, struct span_of_text *cells)
{
    struct span_of_text v[COLUMNS_MOST], places[COLUMNS_MOST];
    const struct span_of_text all = row;
    row = first_line(text, row);
    int n = cells_of(text, head, names), n_row = cells_of(text, row, v), last = -1;
    if (!n || !n_row)
        return 0;
    const size_t first = column_at(text, head, names[0].from);
    const struct span_of_text label = place_of(text, row, v[0]);
    const int unnamed = first >= label.to || first >= label.from + UNNAMED;
    memmove(names + unnamed, names, (size_t)n * sizeof *names);
    if (unnamed)
        names[0] = (struct span_of_text){head.from, head.from};
    n += unnamed;
    for (int i = 0; i < n; i++) {
        places[i] = place_of(text, head, names[i]);
        cells[i] = (struct span_of_text){row.from, row.from};
    }
    for (int i = 0; i < n_row; i++) {
        const int own = unnamed && !i ? 0 : place_above(places, n, place_of(text, row, v[i]));
        const int again = own >= 0 && own == last;
        if (own < 0 || (again && is_digit(text[cells[own].from]) && is_digit(text[v[i].from])))
            return 0;
        cells[own] = again ? (struct span_of_text){cells[own].from, v[i].to} : v[i];
        last = own;
    }
    if (all.to > row.to)
        go_on(text, all, row, places, cells, n);
    return n;
}

static int is_blank(const char *text, struct span_of_text line)
{
    while (line.from < line.to && is_space(text[line.from]))
        line.from++;
    return line.from == line.to;
}

static int is_rule(const char *text, struct span_of_text line)
{
    int n = 0;
    for (size_t i = line.from; i < line.to; i++) {
        if (!is_one_of(text[i], "-=_ \r"))
            return 0;
        n += is_one_of(text[i], "-=_");
    }
    return n >= RULE;
}

int columns_rule(const struct lines *c, size_t at)
{
    struct span_of_text v[COLUMNS_MOST];
    return at > 0 && at < c->n && is_rule(c->text, line_at(c, at)) &&
           cells_of(c->text, line_at(c, line_start(c, at - 1)), v) > 1;
}

// A bit for each column of HEAD that the line ROW has a cell in, the second one for the first that
// has a name; 0: it is no row, which has one in the first column and in another. *AGAIN: it names
// two columns as HEAD does, so that it heads other rows.
static uint64_t filled(const char *text, struct span_of_text head, struct span_of_text row,
                       int *again)
{
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    const int n = columns_cells(text, head, row, names, cells);
    uint64_t bits = 0;
    int same = 0;
    for (int i = 0; i < n; i++) {
        bits |= (uint64_t)(span_bytes(cells[i]) > 0) << i;
        same += span_bytes(names[i]) > 0 && span_is_alike(text, names[i], text, cells[i]);
    }
    *again = same > 1;
    if (!(bits & 1) || bits == 1)
        return 0;
    return span_bytes(names[0]) ? bits << 1 : bits;
}

// Whether the line LINE goes on with a cell of the line ROW that is not its first one.
static int continues(const char *text, struct span_of_text row, struct span_of_text line)
{
    struct span_of_text v[COLUMNS_MOST], w[COLUMNS_MOST];
    const int n = cells_of(text, line, w);
    if (!n || !cells_of(text, row, v) || is_rule(text, line))
        return 0;
    for (int i = 0; i < n; i++)
        if (is_digit(text[w[i].from]))
            return 0;
    return column_at(text, line, w[0].from) > column_at(text, row, v[0].to);
}

// columns_next, over an empty line if APART, which another table does not begin behind.
static int next(struct columns *t, const struct lines *c, int apart)
{
    struct columns other;
    int empty = 0, titles = 0, lines = 0, again;
    for (size_t at = t->at; at < c->n && lines < FAR; lines++) {
        const struct span_of_text own = line_at(c, at);
        const uint64_t bits = filled(c->text, t->head, own, &again);
        const size_t from = at;
        at = own.to + 1;
        if (is_rule(c->text, own))
            continue;
        if (is_blank(c->text, own)) {
            if (empty++ || !apart || !t->filled)
                return 0;
            continue;
        }
        if ((apart && (empty || !bits) && columns_begin(&other, c, from)) || again)
            return 0;
        if (!bits) {
            titles += !(t->filled && continues(c->text, line_at(c, t->row.from), own));
            if (titles > 1)
                return 0;
            continue;
        }
        if ((empty || titles) && t->filled && (bits & t->filled) != bits &&
            (bits & t->filled) != t->filled)
            return 0;
        t->row = own;
        t->filled = bits;
        for (int more = 0; more < BROKEN && at < c->n && continues(c->text, own, line_at(c, at));
             more++) {
            t->row.to = line_end(c, at);
            at = t->row.to + 1;
        }
        t->at = at;
        return 1;
    }
    return 0;
}

int columns_next(struct columns *t, const struct lines *c)
{
    return next(t, c, 1);
}

// Whether P [n] is a year, or one that begins and ends within two: "2023-24", "2023/24".
static int is_year(const char *p, size_t n)
{
    enum { YEAR = 4, BOTH = 7 };
    return word_is_year(p, n) || (n == BOTH && word_is_year(p, YEAR) && is_one_of(p[YEAR], "-/") &&
                                  is_digit(p[YEAR + 1]) && is_digit(p[YEAR + 2]));
}

// Whether NAME [n] ends with a short word and a stop: "Part no."
static int is_shortened(const char *name, size_t n)
{
    static const char words[] = " no nos nr qty ref reg tel max min approx temp incl excl ";
    const size_t from = word_start_before(name, 0, n - 1);
    return name[n - 1] == '.' && word_is_listed(words, name + from, n - 1 - from);
}

// Whether NAME is a word or more, not a small one at first, or a year.
static int is_name(const char *text, struct span_of_text name)
{
    const char *p = text + name.from;
    const size_t n = span_bytes(name);
    if (is_digit(*p))
        return is_year(p, n);
    return line_says_something(p, 1) && !is_lower(*p) &&
           (!is_one_of(p[n - 1], ".,;:!?") || is_shortened(p, n));
}

static int has_code(const char *text, struct span_of_text line)
{
    for (size_t i = line.from; i < line.to; i++)
        if (is_one_of(text[i], "{};=<>\\\""))
            return 1;
    return 0;
}

// Whether CELL is a number, which may have a sign, or one of money, before it.
static int is_number(const char *text, struct span_of_text cell)
{
    static const char *const money[] = {"\u00a3", "\u20ac"};
    const size_t n = span_bytes(cell);
    size_t sign = n && is_one_of(text[cell.from], "+-($");
    for (size_t i = 0; i < sizeof money / sizeof *money; i++)
        if (begins_with(text + cell.from + sign, n - sign, money[i]))
            sign += strlen(money[i]);
    sign += sign && sign < n && text[cell.from + sign] == ' '; // "\u00a3 9.00" below "\u00a310.00"
    return sign < n && is_digit(text[cell.from + sign]);
}

// Whether ROW, a line, has a cell below each name of HEAD, and a number below one behind the first.
// *NUMBERS: bits of the columns that have one.
static int is_full(const char *text, struct span_of_text head, struct span_of_text row,
                   uint64_t *numbers)
{
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    const int n = columns_cells(text, head, row, names, cells);
    int words = 0;
    *numbers = 0;
    if (n < 3 || has_code(text, head) || has_code(text, row))
        return 0;
    for (int i = 0; i < n; i++) {
        if (!span_bytes(cells[i]) || (span_bytes(names[i]) && !is_name(text, names[i])))
            return 0;
        words += !is_digit(text[names[i].from]) || !span_bytes(names[i]);
        *numbers |= (uint64_t)(i && is_number(text, cells[i])) << i;
    }
    return words && *numbers;
}

// Whether CELL is one word.
static int is_word(const char *text, struct span_of_text cell)
{
    return !memchr(text + cell.from, ' ', span_bytes(cell));
}

// The NAMES of HEAD, where they are three or more that begin with capitals; 0: they are not.
static int capital_names(const char *text, struct span_of_text head,
                         struct span_of_text names[COLUMNS_MOST])
{
    enum { LEAST = 3 };
    const int n = cells_of(text, head, names);
    if (n < LEAST || has_code(text, head))
        return 0;
    for (int i = 0; i < n; i++)
        if (!is_upper(text[names[i].from]) || !is_name(text, names[i]))
            return 0;
    return n;
}

// Whether the line ROW has a cell, V, right where each name of HEAD, NAMES [n], begins.
static int stands_below(const char *text, struct span_of_text head,
                        const struct span_of_text *names, int n, struct span_of_text row,
                        struct span_of_text v[COLUMNS_MOST])
{
    if (cells_of(text, row, v) != n)
        return 0;
    for (int i = 0; i < n; i++)
        if (column_at(text, row, v[i].from) != column_at(text, head, names[i].from))
            return 0;
    return 1;
}

// Whether each of the four lines from byte AT on stands below the names of HEAD, and no cell but
// the last one is of several words: "spool   /var   where it is kept".
static int are_aligned(const struct lines *c, struct span_of_text head, size_t at)
{
    enum { ROWS = 4 };
    struct span_of_text names[COLUMNS_MOST], v[COLUMNS_MOST];
    const int n = capital_names(c->text, head, names);
    for (int row = 0; n && row < ROWS; row++) {
        const struct span_of_text own = line_at(c, at);
        if (at >= c->n || !stands_below(c->text, head, names, n, own, v))
            return 0;
        for (int i = 0; i + 1 < n; i++)
            if (!is_word(c->text, v[i]))
                return 0;
        at = own.to + 1;
    }
    return n > 0;
}

// Whether the line ROW stands below NAMES [n] of HEAD and begins with a code or a number: "R2".
static int is_coded(const char *text, struct span_of_text head, const struct span_of_text *names,
                    int n, struct span_of_text row)
{
    enum { LONGEST_CODE = 8 };
    struct span_of_text v[COLUMNS_MOST];
    return stands_below(text, head, names, n, row, v) && span_bytes(v[0]) <= LONGEST_CODE &&
           is_word(text, v[0]) && word_has_digit(text + v[0].from, span_bytes(v[0]));
}

// Whether three rows from byte AT on are such, whatever their cells go on in below them: "R2
// lathe, old   L-77   leased".
static int are_coded(const struct lines *c, struct span_of_text head, size_t at)
{
    enum { ROWS = 3 };
    struct span_of_text names[COLUMNS_MOST], last = {0};
    const int n = capital_names(c->text, head, names);
    for (int rows = 0, lines = 0; n && rows < ROWS; lines++) {
        const struct span_of_text own = line_at(c, at);
        if (at >= c->n || lines == BROKEN)
            return 0;
        at = own.to + 1;
        if (rows && continues(c->text, last, own))
            continue;
        if (!is_coded(c->text, head, names, n, own))
            return 0;
        last = own;
        rows++;
    }
    return n > 0;
}

// Whether each of the three lines from byte AT on has a word or more in a first column that has no
// name in HEAD and a number below each name, two at least, whatever letters these begin with:
// "         ratio  speed" above "zip -1     3.1    612".
static int are_measured(const struct lines *c, struct span_of_text head, size_t at)
{
    enum { ROWS = 3, NAMES = 3 }; // with the empty one
    struct span_of_text names[COLUMNS_MOST], cells[COLUMNS_MOST];
    for (int row = 0; row < ROWS; row++) {
        const struct span_of_text own = line_at(c, at);
        const int n = at < c->n ? columns_cells(c->text, head, own, names, cells) : 0;
        if (n < NAMES || span_bytes(names[0]) || !span_bytes(cells[0]) || has_code(c->text, head) ||
            is_digit(c->text[cells[0].from]))
            return 0;
        for (int i = 1; i < n; i++)
            if (!is_number(c->text, cells[i]) || is_digit(c->text[names[i].from]) ||
                !line_says_something(c->text + names[i].from, 1))
                return 0;
        at = own.to + 1;
    }
    return 1;
}

// Begins with the rows from byte AT on, of which two at least are alike, if HEAD can be above them.
static int begins_table(struct columns *t, const struct lines *c, struct span_of_text head,
                        size_t at, int ruled)
{
    struct span_of_text names[COLUMNS_MOST];
    const int n = cells_of(c->text, head, names);
    uint64_t first, numbers, others;
    for (int i = 0; i < n; i++)
        if (span_bytes(names[i]) > LONGEST)
            return 0;
    *t = (struct columns){.head = head, .at = at};
    if (n < 2 || !next(t, c, 0))
        return 0;
    first = t->filled;
    const int sure =
        ruled || are_aligned(c, head, at) || are_coded(c, head, at) || are_measured(c, head, at);
    if (!sure && (t->row.from != at || !is_full(c->text, head, line_at(c, t->row.from), &numbers)))
        return 0;
    if (!next(t, c, 0))
        return 0;
    first &= t->filled;
    if (!(first & (first - 1))) // they have no two columns in common
        return 0;
    if (!sure && (!is_full(c->text, head, line_at(c, t->row.from), &others) || !(numbers & others)))
        return 0;
    *t = (struct columns){.head = head, .at = at};
    return 1;
}

// Whether the line RULE is a rule that reaches below the last name of HEAD.
static int rules(const char *text, struct span_of_text rule, struct span_of_text head)
{
    struct span_of_text v[COLUMNS_MOST];
    const int n = cells_of(text, head, v);
    while (rule.to > rule.from && is_space(text[rule.to - 1]))
        rule.to--;
    return n && is_rule(text, rule) &&
           column_at(text, rule, rule.to) > column_at(text, head, v[n - 1].from);
}

// Whether the line LINE, of a text of many that have none, has two spaces behind its first word.
static int has_gap(const char *text, struct span_of_text line)
{
    while (line.from < line.to && text[line.from] == ' ')
        line.from++;
    return memmem(text + line.from, span_bytes(line), "  ", 2) != NULL;
}

int columns_begin(struct columns *t, const struct lines *c, size_t at)
{
    struct columns lower;
    struct span_of_text v[COLUMNS_MOST];
    const struct span_of_text own = line_at(c, at);
    const int may = span_bytes(own) <= COLUMNS_HEAD && has_gap(c->text, own),
              n = may ? cells_of(c->text, own, v) : 0;
    if (n < 2)
        return 0;
    const struct span_of_text below = line_at(c, own.to + 1), rule = line_at(c, below.to + 1);
    if (rules(c->text, below, own))
        return begins_table(t, c, own, below.to + 1, 1);
    if (!rules(c->text, rule, own)) // the rows may begin behind an empty line
        return begins_table(t, c, own, (is_blank(c->text, below) ? below : own).to + 1, 0);
    // Of two lines above a rule the one with more names counts.
    return begins_table(t, c, own, rule.to + 1, 1) &&
           (n > cells_of(c->text, below, v) || !begins_table(&lower, c, below, rule.to + 1, 1));
}
