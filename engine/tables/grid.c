// Looks up a cell of a table if the question has the words of its row and its column, in any order:
// "What did a day ticket for an adult cost in 2022?", where a row is called "Adult, day" and a
// column "2022". Neither the row alone nor a small model can tell which of its cells answers.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/rows/column.h"
#include "engine/rows/table.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    FEW = 3,       // rows that an answer prints, at most
    LABELS = 2,    // first cells of a row, one of which is its label
    SHORTEST = 3,  // bytes of a word that counts, unless it is a number
    LONGEST = 256, // bytes of a column's name: its words are looked for with each row
    TITLE = 80 // bytes above a table, less than TABLE_ABOVE: words of its title may stand for the
               // row's own, those of a paragraph above it tell no row from another
};

// Words of questions that a table need not have.
static const char ASKS[] = "price cost costs much many pays paid charge charged amount year date "
                           "time start begin take place there";
// Words that do not tell one row from another, looked up for those of three letters.
static const char SMALL[] =
    WORDLIST_OF_QUESTIONS " all not per one get got due let out see use via yet ";

// Where a row and a column meet that have words of the question.
struct crossing {
    struct texts t;
    struct table_row row;
    struct span_of_text name, value, label, above; // above: the table (table_told_above)
};

// The columns of the table that was looked at last, whose rows all have the same.
struct names {
    const char *text; // that the table is in,
    size_t head;      // the byte of its head, and how many columns this has
    int n;
    signed char own[COLUMNS]; // whether the question has their own words: 1, -1; 0: not known yet
};

static int has_stem(const char *text, struct span_of_text s, const char stem[WORD_STEM])
{
    return word_is_in(text + s.from, span_bytes(s), stem);
}

// How many words of a name count, and how many of these the question has.
struct words {
    int all, had, letters; // letters: those of HAD that are no numbers
};

// Counts the words of the name TEXT [n], without those of KNOWN [n_known], which count elsewhere. A
// year counts only if the question has it, so that "Spring 2025" is also called "spring".
static struct words words_of(const char *text, size_t n, const char *known, size_t n_known,
                             const char *question)
{
    struct words w = {0};
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        const int number = word_has_digit(word, bytes),
                  had = word_form_is_in(question, strlen(question), word, bytes);
        if ((!number && (bytes < SHORTEST || word_says_little(word, bytes, stem))) ||
            (number && !had && word_is_year(word, bytes)) || word_is_in(known, n_known, stem))
            continue;
        w.all++;
        w.had += had;
        w.letters += had && !number;
    }
    return w;
}

// Bytes of the label TEXT [n] before its words that only say which one of a list it is: "12 ",
// "6a   ".
static size_t behind_place(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_digit(text[i]))
        i++;
    if (!i)
        return 0;
    i += i < n && is_lower(text[i]);
    i += i < n && is_one_of(text[i], ".)");
    const size_t blanks = i;
    while (i < n && text[i] == ' ')
        i++;
    return i > blanks && i < n ? i : 0;
}

// Counts the words of the label TEXT [n] likewise, but, of two that one word behind them is of,
// "golf and fishing equipment", the one that QUESTION has not: it may ask for golf equipment alone.
static struct words label_words(const char *text, size_t n, const char *question)
{
    static const char ands[] = " and or ";
    size_t bytes;
    char stem[WORD_STEM];
    struct words own, last = {0}, before = {0}, joint = {0}; // of the word, and those before it
    struct words w = words_of(text, n, "", 0, question);
    if (!words_listed(ands, text, n))
        return w;
    int joint_is = 0, joins = 0; // 1: the word before the last one joins it to JOINT; the last does
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        own = words_of(word, bytes, "", 0, question);
        if (own.letters && joint_is && last.all && joint.all && last.had != joint.had)
            w.all -= 1 + before.all - before.had;
        joint_is = joins;
        joins = word_is_listed(ands, word, bytes);
        joint = before;
        before = last;
        last = own;
    }
    return w;
}

// Bytes of a row's label without an addition that only distinguishes it: "Evening" of "Evening
// (from 17.30)", "Brannoch" of "Brannoch     dep". A letter before the label may have a gap, too.
static size_t label_head(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && !is_one_of(text[i], ",(:;") &&
           (i < 2 || i + 1 == n || memcmp(text + i, "  ", 2) != 0))
        i++;
    return i;
}

// Whether the question has all that the name of column I of HEAD has and the name of no other
// column has: "Solar" of "Trail 3 Solar" beside "Trail 3". NAMES keeps it.
static int has_own_words(struct names *names, const char *text, const struct row *head, int i,
                         const char *question)
{
    const struct span_of_text name = head->cells[i];
    const char *from = text + name.from;
    char stem[WORD_STEM];
    size_t bytes;
    if (names->own[i])
        return names->own[i] > 0;
    names->own[i] = -1;
    for (size_t at = 0; word_next(from, span_bytes(name), &at, stem, &bytes);) {
        int others = 0;
        for (int j = 0; !others && j < head->n; j++)
            others = j != i && has_stem(text, head->cells[j], stem);
        if (others || bytes < SHORTEST || word_says_little(from + at - bytes, bytes, stem))
            continue;
        const int has = word_form_is_in(question, strlen(question), from + at - bytes, bytes);
        names->own[i] = has ? 1 : -1;
        if (!has)
            break;
    }
    return names->own[i] > 0;
}

// Whether NAME [n] is of a column that tells how often something is done, and QUESTION asks that.
static int tells_how_often(const char *name, size_t n, const char *question)
{
    return words_any("often", question, strlen(question)) &&
           words_any("interval frequency", name, n);
}

// Bytes of the name TEXT [n] before its hyphen.
static size_t before_hyphen(const char *text, size_t n)
{
    const char *hyphen = memchr(text, '-', n);
    return hyphen ? (size_t)(hyphen - text) : n;
}

// Whether NAME [n] is an id of letters and digits that QUESTION has but with another end behind a
// hyphen: "D22" where it asks for the D22-T, and "D22-T" where it asks for the D22.
static int is_other_id(const char *name, size_t n, const char *question)
{
    size_t at = 0, bytes;
    int digits, others = 0;
    const size_t own = before_hyphen(name, n);
    if (!name_letters(name, own, &digits) || !digits || name_token(name, n, &at) != n)
        return 0;
    for (at = 0; (bytes = name_token(question, strlen(question), &at)); at += bytes) {
        if (bytes == n && letters_same(question + at, name, n))
            return 0;
        others |=
            before_hyphen(question + at, bytes) == own && letters_same(question + at, name, own);
    }
    return others;
}

// Whether QUESTION asks what something costs, as it is sold.
static int asks_price(const char *question)
{
    const size_t n = strlen(question);
    return !words_any("used refurbished secondhand", question, n) &&
           (words_any("price cost costs", question, n) ||
            name_stands(question, question, "how much is", 11) ||
            name_stands(question, question, "how much are", 12));
}

// The only column of R, beside its label in cell OWN, that tells prices; -1: none does, or several
// do.
static int price_of(const char *text, const struct row *head, const struct row *r, int own)
{
    int best = -1;
    for (int i = 0; i < r->n && i < head->n; i++) {
        if (i == own ||
            !words_any("price cost", text + head->cells[i].from, span_bytes(head->cells[i])))
            continue;
        if (best >= 0)
            return -1;
        best = i;
    }
    return best;
}

// Whether WORD [bytes] says nothing of what QUESTION asks the price of, R's, as what is bought is
// new and another one, unless the row tells of one that is not.
static int is_of_sale(const char *text, const struct row *r, int own, const char *word,
                      size_t bytes, const char *question)
{
    static const char others[] = "used old refurbished repaired second secondhand worn rent rental";
    return word_is_listed(" new another replacement spare ", word, bytes) && asks_price(question) &&
           !words_any(others, text + r->cells[own].from, span_bytes(r->cells[own]));
}

// The column of R, whose label is cell OWN, that the question names, and how many of its words it
// has; -1: no column, or several.
static int column_of(struct names *names, const char *text, const struct row *head,
                     const struct row *r, int own, const char *question, int *had)
{
    const struct span_of_text label = r->cells[own];
    int best = -1, lacks = 0; // words of the best one's name
    *had = 0;
    for (int i = 0; i < r->n && i < head->n; i++) {
        const struct span_of_text name = head->cells[i];
        const char *from = text + name.from;
        if (i == own || !span_bytes(name) || span_bytes(name) > LONGEST ||
            is_other_id(from, span_bytes(name), question))
            continue;
        struct words w =
            words_of(from, span_bytes(name), text + label.from, span_bytes(label), question);
        if (!w.had && tells_how_often(from, span_bytes(name), question))
            w.had = w.all;
        if (!w.had || w.had < *had ||
            (2 * w.had < w.all && !has_own_words(names, text, head, i, question)))
            continue;
        const int lack = w.all - w.had;
        if (w.had > *had || lack < lacks) {
            best = i;
            lacks = lack;
            *had = w.had;
        } else if (lack == lacks) {
            best = -1;
        }
    }
    if (!*had && asks_price(question)) {
        best = price_of(text, head, r, own);
        *had = best >= 0;
    }
    return best >= 0 && span_bytes(r->cells[best]) ? best : -1;
}

// Whether the question may be about several rows.
static int asks_several(const char *question)
{
    return words_any("and or und oder", question, strlen(question));
}

// Whether the word of the question with STEM may be nowhere in a table.
static int may_lack(const char *word, size_t bytes, const char stem[WORD_STEM], size_t least)
{
    return !telling_word(word, bytes, stem, least, ASKS) ||
           (bytes == SHORTEST && word_is_listed(SMALL, word, bytes));
}

// Whether WORD [bytes] asks for the column NAME of TEXT, by another form of it, or as the number
// that it has for short: "owns" for "Owner", "number" for "Part no.".
static int asks_for(const char *text, struct span_of_text name, const char *word, size_t bytes)
{
    return word_form_is_in(text + name.from, span_bytes(name), word, bytes) ||
           (word_is_listed(" number numbers nummer ", word, bytes) &&
            words_any("no nos nr num", text + name.from, span_bytes(name)));
}

// What is right above the table with its head at byte TABLE of TEXT, and above a rule there.
static struct span_of_text above_table(const char *text, size_t table)
{
    const struct lines c = {.text = text, .n = table};
    size_t top = table;
    while (top > 0 && line_is_bare(&c, line_start(&c, top - 1)))
        top = line_start(&c, top - 1);
    return (struct span_of_text){top > TITLE ? top - TITLE : 0, table};
}

// Whether the question asks for hardly more than cell VALUE of R: each of its numbers and most of
// its words are in the names of the row, the column and all rows, or right above the table. All of
// its words where it has not the WHOLE name of the row: "Pro, monthly" is not "pro yearly".
static int is_all(const char *text, size_t table, const struct row *head, const struct row *r,
                  int own, int value, int had, int whole, const char *question)
{
    const struct span_of_text above = above_table(text, table);
    char stem[WORD_STEM];
    size_t bytes;
    int others = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (may_lack(word, bytes, stem, whole ? TELLING_BYTES : SHORTEST) ||
            has_stem(text, r->cells[own], stem) || has_stem(text, head->cells[value], stem) ||
            asks_for(text, head->cells[value], word, bytes) ||
            has_stem(text, head->cells[own], stem) || has_stem(text, above, stem) ||
            is_of_sale(text, r, own, word, bytes, question))
            continue;
        if (word_has_digit(word, bytes))
            return 0;
        others++;
    }
    return whole ? 2 * others <= had : !others;
}

// How many words of the question the row B has together with the name of one of its columns, and
// the cell H where they meet; 0: none.
static int look(struct names *names, const struct table *b, const char *question,
                struct crossing *h)
{
    const char *text = b->t.text;
    struct row head, r;
    int most = 0;
    if (!b->row.mark)
        return 0;
    table_cells(text, &b->row, &head, &r);
    if (names->text != text || names->head != b->row.head.from || names->n != head.n)
        *names = (struct names){.text = text, .head = b->row.head.from, .n = head.n};
    // A row in Markdown begins with a mark, so its first cell is empty.
    int first = r.n && !span_bytes(r.cells[0]);
    for (int own = first; own < r.n && own < head.n && own < first + LABELS; own++) {
        const struct span_of_text label = r.cells[own];
        const size_t place = behind_place(text + label.from, span_bytes(label));
        const char *name = text + label.from + place;
        const size_t n = span_bytes(label) - place;
        const size_t main = label_head(name, n);
        const struct words called = label_words(name, main, question),
                           all = label_words(name, n, question);
        const int whole =
            all.had == all.all || (main < n && name[main] == ' ') || asks_several(question);
        int had;
        if (!called.letters || called.had < called.all ||
            column_is_type(text + head.cells[own].from, span_bytes(head.cells[own]), name, n))
            continue;
        const int column = column_of(names, text, &head, &r, own, question, &had);
        if (column < 0 || all.had + had <= most ||
            !is_all(text, b->row.head.from, &head, &r, own, column, all.had + had, whole,
                    question) ||
            (column_falls_short(text + b->row.head.from, span_bytes(b->row.head), question) &&
             column_falls_short(text + b->row.line.from, span_bytes(b->row.line), question)) ||
            !column_tells(text + head.cells[column].from, span_bytes(head.cells[column]),
                          text + r.cells[column].from, span_bytes(r.cells[column]), question))
            continue;
        most = all.had + had;
        const struct span_of_text said[] = {head.cells[column], label};
        *h = (struct crossing){.t = b->t,
                               .row = b->row,
                               .name = *said,
                               .value = r.cells[column],
                               .label = label,
                               .above = table_told_above(text, b->row.head.from, question, said,
                                                         sizeof said / sizeof *said)};
    }
    return most;
}

// Finds the rows that have most words of QUESTION: V [FEW]. Returns their number, FEW + 1 for more,
// or an error.
static int find_crossings(const struct lookup *s, const char *question, struct crossing *v,
                          struct err *e)
{
    struct table b;
    struct crossing h;
    struct names names = {0};
    int rc, n = 0, most = 0;
    tables_begin(&b, s->k, s->n_k);
    while ((rc = table_next(&b, e)) > 0) {
        const int had = look(&names, &b, question, &h);
        if (!had || had < most)
            continue;
        n = had > most ? 0 : n;
        most = had;
        if (n < FEW)
            v[n] = h;
        n += n <= FEW;
    }
    return rc < 0 ? rc : n;
}

// Keeps those of V [n], FEW at most, that are of the day or the like that the question has, where
// one of them is. Returns their number.
static int keep_told(struct crossing *v, int n)
{
    int told = 0;
    for (int i = 0; i < n && i < FEW; i++)
        if (span_bytes(v[i].above))
            v[told++] = v[i];
    return told && n <= FEW ? told : n;
}

// Keeps those of V [n], FEW at most, whose rows have most words of QUESTION. Returns their number.
static int keep_most_said(struct crossing *v, int n, const char *question)
{
    int most = 0, kept = 0;
    if (n < 2 || n > FEW)
        return n;
    for (int i = 0; i < n; i++) {
        const int said = table_words_said(v[i].t.text, &v[i].row, question);
        if (said < most)
            continue;
        kept = said > most ? 0 : kept;
        most = said;
        v[kept++] = v[i];
    }
    return kept;
}

// Whether the labels of crossings A and B have different words of QUESTION, which asks neither for
// the one and the other nor for the better of them: "How many runs did Hollis make at Dunmere?"
static int are_different(const struct crossing *a, const struct crossing *b, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    const size_t n = strlen(question);
    if (asks_several(question))
        return 0;
    for (size_t at = 0; word_next(question, n, &at, stem, &bytes);)
        if (bytes >= SHORTEST && !word_says_little(question + at - bytes, bytes, stem) &&
            has_stem(a->t.text, a->label, stem) != has_stem(b->t.text, b->label, stem))
            return 1;
    return 0;
}

// Whether QUESTION has a name that none of the crossings V [n] has: "New Springfield" is no
// Springfield.
static int names_other(const struct crossing *v, int n, const char *question)
{
    const char *name;
    size_t bytes;
    for (size_t at = 0; (name = table_next_name(question, &at, &bytes));) {
        int has = 0;
        for (int i = 0; !has && i < n; i++)
            has = table_has_name(v[i].t.text, &v[i].row, name, bytes);
        if (!has)
            return 1;
    }
    return 0;
}

int tables_grid(struct lookup *s, const char *question, struct err *e)
{
    if (!asked_what(question))
        return 0;
    struct crossing v[FEW];
    int rc = 0, n = keep_told(v, find_crossings(s, question, v, e));
    for (int i = 1; i < n && i < FEW; i++)
        if (are_different(&v[0], &v[i], question))
            n = 0;
    n = keep_most_said(v, n, question);
    if (n > 0 && n <= FEW && names_other(v, n, question))
        n = 0;
    for (int i = 0; !rc && n <= FEW && i < n; i++) {
        fputs(i ? "\n" : "", s->out);
        lookup_say_cell(s->out, v[i].t.text, v[i].name, v[i].value);
        fputs(" (", s->out);
        lookup_say(s->out, v[i].t.text, v[i].label);
        fputs(span_bytes(v[i].above) ? "; " : "", s->out);
        lookup_say(s->out, v[i].t.text, v[i].above);
        fputc(')', s->out);
        rc = lookup_add(s, &v[i].t, v[i].row.line, 0, e);
    }
    return n < 0 ? n : rc ? rc : n > 0 && n <= FEW;
}
