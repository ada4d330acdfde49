#include "engine/ask/copy.h"

#include <stdlib.h>

#include "io/mem.h"

enum { READ = 1, NEXT = 2 };  // marks
enum { ANCHOR = 8 };          // tokens in a row that say where: a key, a title, no turn of phrase
enum { GUESS = 2 };           // tokens in a row that say how it goes on: one alone fails in half of the cases

// How many tokens up to A [n_a] and up to B [n_b] are the same, the last ones backwards.
static int same_ends(const uint32_t *a, int n_a, const uint32_t *b, int n_b)
{
    int n = 0;
    while (n < n_a && n < n_b && a[n_a - 1 - n] == b[n_b - 1 - n])
        n++;
    return n;
}

// Before which token of TEXT [n_text] the longest end of WRITTEN [n], LEAST tokens or more, stands: the first of equal
// ones, 0: nowhere. *LONGEST: how many tokens it has, LEAST at least.
static int longest_end(const uint32_t *text, int n_text, const uint32_t *written, int n, int least, int *longest)
{
    int at = 0;
    *longest = least;
    for (int i = 1; i < n_text; i++) {
        int same = same_ends(text, i, written, n);
        if (same < *longest || (at && same == *longest))
            continue;
        *longest = same;
        at = i;
    }
    return at;
}

// The longest end of TEXT [n_text] that stands in the question.
static int asked_up_to(const uint32_t *text, int n_text, const uint32_t *asked, int n_asked)
{
    int longest = 0;
    for (int j = 1; j <= n_asked; j++) {
        int n = same_ends(text, n_text, asked, j);
        longest = n > longest ? n : longest;
    }
    return longest;
}

int copies_new(struct copies *c, float bonus, const uint32_t *read, int n_read, const uint32_t *asked, int n_asked,
               int n_vocab, struct err *e)
{
    int longest = ANCHOR - 1;
    *c = (struct copies){.read = read, .n_read = n_read, .bonus = bonus};
    if (!n_read || bonus <= 0)
        return 0;
    if (!(c->marks = mem_new((size_t)n_vocab, 1, e)))
        return ERR_NOMEM;
    for (int i = 1; i <= n_read; i++) {
        int n = asked_up_to(read, i, asked, n_asked);
        c->marks[read[i - 1]] = READ;
        if (n > longest) {
            longest = n;
            c->anchor = i;
        }
    }
    return 0;
}

void copies_done(struct copies *c)
{
    free(c->marks);
    c->marks = NULL;
}

int copies_favour(const struct copies *c, const uint32_t *written, int n, struct bonuses *out, struct err *e)
{
    int longest, nearest = 0, rc = 0;
    if (!c->marks)
        return 0;
    longest_end(c->read, c->n_read, written, n, 1, &longest);
    for (int i = c->n_read - 1; c->anchor && i >= c->anchor; i--)
        if (same_ends(c->read, i, written, n) == longest)
            nearest = i;
    for (int i = 1; i < c->n_read; i++)
        if (same_ends(c->read, i, written, n) == longest && (!nearest || i == nearest))
            c->marks[c->read[i]] |= NEXT;
    for (int i = 0; !rc && i < c->n_read; i++) {
        unsigned char *mark = &c->marks[c->read[i]];
        if (*mark)
            rc = bonuses_add(out, c->read[i], c->bonus / 3 * (*mark & NEXT ? 3 : 1), e);
        *mark = 0; // once for each token
    }
    for (int i = 0; i < c->n_read; i++)
        c->marks[c->read[i]] = READ;
    return rc;
}

int copies_ahead(const uint32_t *text, int n_text, const uint32_t *written, int n, uint32_t *next, int most)
{
    int longest, count = 0, at = longest_end(text, n_text, written, n, GUESS, &longest);
    for (; at && at + count < n_text && count < most; count++)
        next[count] = text[at + count];
    return count;
}
