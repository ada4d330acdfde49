#include "engine/tables/cell_own.h"

#include <string.h>

#include "engine/lookup/telling.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

int cell_default(const char *text, const struct row *head, const struct row *row, const char *asked)
{
    static const char word[] = "default";
    int own = -1, n = 0;
    if (!words_any(word, asked, strlen(asked)))
        return -1;
    for (int i = 0; i < row->n && i < head->n; i++) {
        if (words_any(word, text + head->cells[i].from, span_bytes(head->cells[i])))
            return -1;
        if (words_any(word, text + row->cells[i].from, span_bytes(row->cells[i]))) {
            own = i;
            n++;
        }
    }
    return n == 1 ? own : -1;
}

// The bytes of the label that TEXT [n], a cell, begins with; 0: it has none. A time has no such
// colon, and what is behind it says something.
static size_t label_of(const char *text, size_t n)
{
    enum { LONGEST = 40 };
    const char *colon = memchr(text, ':', n < LONGEST ? n : LONGEST);
    const size_t at = colon ? (size_t)(colon - text) : n;
    return at + 2 < n && text[at + 1] == ' ' ? at : 0;
}

// The words of TEXT [n] that tell something.
static struct telling telling_of(const char *text, size_t n)
{
    struct telling t = {.n = 0};
    telling_add(&t, text, n, TELLING_BYTES, "", 0);
    return t;
}

int cell_labelled(const char *text, const struct row *row, const char *asked)
{
    const struct telling wanted = telling_of(asked, strlen(asked));
    int own = -1, n = 0;
    for (int i = 0; wanted.n && i < row->n; i++) {
        const char *cell = text + row->cells[i].from;
        const struct telling label = telling_of(cell, label_of(cell, span_bytes(row->cells[i])));
        if (label.n && telling_has_all(&label, &wanted) && telling_has_all(&wanted, &label)) {
            own = i;
            n++;
        }
    }
    return n == 1 ? own : -1;
}
