#include "engine/rows/flagged.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

// What cells say.
static const char *const FLAGS[][2] = {
    {"no", "yes"}, {"false", "true"}, {"n", "y"}, {"nein", "ja"}};

enum {
    N_FLAGS = sizeof FLAGS / sizeof *FLAGS,
    DAYS = N_FLAGS + 1, // cells are a day, or say nothing
    NO_FLAG = -1
};

// Which of FLAGS, from 1, CELL [n] is one of, or DAYS; NO_FLAG: none.
static int flag_of(const char *cell, size_t n)
{
    struct day day;
    for (int i = 0; i < N_FLAGS; i++)
        for (int is = 0; is < 2; is++)
            if (strlen(FLAGS[i][is]) == n && !strncasecmp(cell, FLAGS[i][is], n))
                return i + 1;
    return day_begins(cell, n, &day) == n ? DAYS : NO_FLAG;
}

void flagged_read(struct gathering *g, const struct row *r)
{
    for (int i = 0; i < g->head.n; i++) {
        const char *cell = i < r->n ? g->p.t.text + r->cells[i].from : "";
        const size_t n = i < r->n ? span_bytes(r->cells[i]) : 0;
        if (!line_says_something(cell, n)) {
            g->blanks |= (uint64_t)1 << i;
            continue;
        }
        const int own = flag_of(cell, n);
        g->flags[i] = (signed char)(!g->flags[i] || g->flags[i] == own ? own : NO_FLAG);
    }
}

// Whether column I of G tells yes and no: by words in all rows, or by days in some.
static int tells(const struct gathering *g, int i)
{
    const int blank = g->blanks >> i & 1;
    return g->flags[i] > 0 && (g->flags[i] == DAYS) == blank;
}

// What column I of G is called, without what only says that it is of days: "Paid on".
static struct span_of_text called(const struct gathering *g, int i)
{
    const struct span_of_text name = g->head.cells[i];
    const char *text = g->p.t.text;
    struct span_of_text own = {0};
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = name.from; word_next(text, name.to, &at, stem, &bytes);) {
        if (g->flags[i] == DAYS && word_is_listed(" date day on at ", text + at - bytes, bytes))
            continue;
        if (own.to)
            return name;
        own = (struct span_of_text){at - bytes, at};
    }
    return own.to && g->flags[i] == DAYS ? own : name;
}

// Whether WORD [n] is what rows with a "yes" in column I of G are called, 1, or those with a "no",
// "unpaid", "inactive", -1.
static int calls(const struct gathering *g, int i, const char *word, size_t n)
{
    const struct span_of_text name = called(g, i);
    const char *text = g->p.t.text + name.from;
    if (span_bytes(name) == n && !strncasecmp(text, word, n))
        return 1;
    return span_bytes(name) + 2 == n &&
                   (!strncasecmp(word, "un", 2) || !strncasecmp(word, "in", 2)) &&
                   !strncasecmp(text, word + 2, n - 2)
               ? -1
               : 0;
}

// Adds that rows of G have a "yes" in column I, if IS, or a "no", as WORD [n] says.
static void add(struct gathering *g, int i, int is, const char *word, size_t n)
{
    struct rows_plan *p = &g->p;
    if (p->n_values >= ROWS_VALUES || n >= ROWS_ASKED) { // no condition may be lost
        p->n_values = ROWS_VALUES + 1;
        return;
    }
    struct rows_value *v = &p->values[p->n_values++];
    *v = (struct rows_value){.column = i};
    if (g->flags[i] == DAYS)
        v->filled = is ? 1 : -1;
    else
        strcpy(v->name, FLAGS[g->flags[i] - 1][is]);
    memcpy(v->said, word, n);
}

void flagged_take(struct gathering *g, char *left)
{
    char stem[WORD_STEM];
    size_t bytes, denied = 0; // bytes from "not" before the word to it
    for (size_t at = 0; word_next(left, strlen(left), &at, stem, &bytes);) {
        char *word = left + at - bytes;
        int is = 0;
        for (int i = 0; i < g->head.n && !is; i++) {
            is = tells(g, i) ? calls(g, i, word, bytes) : 0;
            if (is)
                add(g, i, (is > 0) != (denied > 0), word, bytes);
        }
        if (is)
            memset(word - denied, ' ', bytes + denied);
        denied = !is && (denied ? word_is_listed(" been yet ", word, bytes)
                                : word_is_listed(" not ", word, bytes))
                     ? denied + bytes + 1
                     : 0;
    }
}
