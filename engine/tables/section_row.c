// What a row of a table says of a section that has no text of its own: "E  Lost keys    150".
#include "engine/lines/columns.h"
#include "engine/lines/lines.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"

// Whether the line S of TEXT is a row whose first column is LETTER.
static int is_row_of(const char *text, struct span_of_text s, char letter)
{
    enum { LEAST = 8 }; // bytes
    const char *line = text + s.from;
    return span_bytes(s) >= LEAST && line[0] == letter && line[1] == ' ' && line[2] == ' ' &&
           !is_space(line[3]) && columns_are_in(line + 3, span_bytes(s) - 3);
}

int tables_section_row(struct lookup *v, struct err *e)
{
    struct lookup_found found;
    struct texts t;
    int rc, n = 0;
    if (!is_upper(*v->w.what) || v->w.what[1])
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        for (struct span_of_text line = {0}; n < 2 && line.from < t.n; line.from = line.to + 1) {
            line = line_at(&c, line.from);
            if (!is_row_of(t.text, line, *v->w.what))
                continue;
            found = (struct lookup_found){t, {line.from, line_trimmed(&c, line.from, line.to)}};
            n++;
        }
    }
    return lookup_say_found(v, &found, rc < 0 ? rc : n, 1, e);
}
