#include "engine/ask/edition.h"

#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/texts.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    MOST = 1000,  // documents whose titles are looked at
    LONGEST = 100 // bytes of a title
};

// The only year that TEXT [n] has; 0: it has none, -1: several.
static int only_year(const char *text, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    int year = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        if (!word_is_year(text + at - bytes, bytes))
            continue;
        const int own = day_digits(text + at - bytes, bytes);
        if (year && year != own)
            return -1;
        year = own;
    }
    return year;
}

// The year that the first line of T's document has, a title without a stop; 0: none.
static int title_year(const struct texts *t)
{
    const struct lines c = {.text = t->text, .n = t->n};
    size_t at = 0;
    while (at < t->n && is_space(t->text[at]))
        at++;
    const size_t end = line_trimmed(&c, at, line_end(&c, at));
    const int year = end > at && end - at <= LONGEST && !is_one_of(t->text[end - 1], ".,;:")
                         ? only_year(t->text + at, end - at)
                         : 0;
    return year > 0 ? year : 0;
}

int editions_find(struct editions *a, struct kvz *const *k, int n_k, const char *question,
                  struct err *e)
{
    const int asked = only_year(question, strlen(question));
    uint64_t documents = 0;
    struct texts t;
    int rc, of_asked = 0;
    *a = (struct editions){0};
    for (int i = 0; i < n_k; i++)
        documents += kvz_n_documents(k[i]);
    if (asked <= 0 || documents < 2 || documents > MOST || (rc = texts_are_there(k, n_k, e)) == 0)
        return 0;
    if (rc < 0 || !(a->v = mem_new((size_t)documents, sizeof *a->v, e)))
        return rc < 0 ? rc : ERR_NOMEM;
    texts_begin(&t, k, n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const int year = title_year(&t);
        of_asked += year == asked;
        if (year && year != asked)
            a->v[a->n++] = (struct edition){t.index, (uint32_t)(t.next - 1)};
    }
    a->n = of_asked ? a->n : 0;
    return rc;
}

int editions_are_other(const struct editions *a, int index, uint32_t document, const char *text)
{
    for (int i = 0; i < a->n; i++)
        if (a->v[i].index == index && a->v[i].document == document)
            return !only_year(text, strlen(text));
    return 0;
}

void editions_done(struct editions *a)
{
    free(a->v);
    *a = (struct editions){0};
}
