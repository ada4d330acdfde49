#include "engine/rows/gathering.h"

#include <string.h>

#include "engine/rows/column.h"

int gathering_has(const struct gathering *g, int i, const char *words)
{
    const struct span_of_text name = g->head.cells[i];
    return words_any(words, g->p.t.text + name.from, span_bytes(name));
}

int gathering_hit(const struct gathering *g, const char stem[WORD_STEM], const char *word,
                  size_t bytes, int *hits, int *subject)
{
    int way[COLUMNS], best = 0;
    for (int i = 0; i < g->head.n; i++) {
        const struct span_of_text name = g->head.cells[i];
        way[i] = column_way(g->p.t.text + name.from, span_bytes(name), stem, word, bytes);
        best = way[i] && (!best || way[i] < best) ? way[i] : best;
    }
    for (int i = 0; best && i < g->head.n; i++)
        if (way[i] == best) {
            hits[i]++;
            *subject |= rows_name_has(&g->p.name, i) ? GATHERING_OF_COLUMN : 0;
        }
    return best > 0;
}

int gathering_titles(const struct gathering *g, const char stem[WORD_STEM])
{
    static const char own[] = "no nr id number num ref code key sku date day name";
    const struct span_of_text name = g->head.cells[g->p.name.column[0]];
    const char *text = g->p.t.text;
    return (words_any(own, text + name.from, span_bytes(name)) ||
            word_is_in(text + name.from, span_bytes(name), stem)) &&
           table_is_titled(text, g->p.head, stem);
}

int gathering_is_called(const struct gathering *g, int i, const char *word, size_t bytes)
{
    const struct span_of_text name = g->head.cells[i];
    const char *text = g->p.t.text;
    char stem[WORD_STEM];
    size_t own;
    int is = 0;
    for (size_t at = name.from; word_next(text, name.to, &at, stem, &own);) {
        if (word_is_listed(" no nr id number num code name ", text + at - own, own))
            continue;
        if (!word_form_is_in(text + at - own, own, word, bytes))
            return 0;
        is = 1;
    }
    return is;
}

int gathering_is_key(const struct gathering *g, const char *word, size_t bytes)
{
    return gathering_is_called(g, g->p.name.column[0], word, bytes);
}

int gathering_only(const struct gathering *g, const char *names)
{
    int best = -1;
    for (int i = 0; names && i < g->head.n; i++)
        if (gathering_has(g, i, names)) {
            if (best >= 0)
                return -1;
            best = i;
        }
    return best;
}

int gathering_asked(const struct gathering *g, const char *left)
{
    int hits[COLUMNS] = {0}, subject = 0, best = -1;
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    if (!word_next(left, strlen(left), &at, stem, &bytes) ||
        !gathering_hit(g, stem, left + at - bytes, bytes, hits, &subject))
        return -1;
    for (int i = 0; i < g->head.n; i++) {
        if (hits[i] && best >= 0)
            return -1;
        best = hits[i] ? i : best;
    }
    return best;
}

int gathering_values(const struct gathering *g, int column)
{
    for (int i = 0; i < g->p.n_values; i++)
        if (g->p.values[i].column == column)
            return 1;
    return 0;
}
