#include "engine/answer/copy.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

enum { READ = 1, NEXT = 2 }; // marks
enum { ANCHOR = 8 };         // tokens in a row that say where: a key, a title, no turn of phrase
enum { STRETCH = 3 };        // tokens in a row that are a copy: a value, a name

// How many of the last tokens of A [n_a] and B [n_b] are the same.
static int same_ends(const uint32_t *a, int n_a, const uint32_t *b, int n_b)
{
    int n = 0;
    while (n < n_a && n < n_b && a[n_a - 1 - n] == b[n_b - 1 - n])
        n++;
    return n;
}

// Whether ASKED has TEXT's first two tokens, one after the other.
static int repeats(const uint32_t *text, const uint32_t *asked, int n_asked)
{
    for (int j = 0; j + 1 < n_asked; j++)
        if (text[0] == asked[j] && text[1] == asked[j + 1])
            return 1;
    return 0;
}

// The length of the longest end of TEXT [n_text] that stands in ASKED.
static int asked_up_to(const uint32_t *text, int n_text, const uint32_t *asked, int n_asked)
{
    int longest = 0;
    for (int j = 1; j <= n_asked; j++) {
        int n = same_ends(text, n_text, asked, j);
        longest = n > longest ? n : longest;
    }
    return longest;
}

int copies_new(struct copies *c, float bonus, const uint32_t *read, int n_read,
               const uint32_t *asked, int n_asked, int n_vocab, struct err *e)
{
    int longest = ANCHOR - 1;
    *c = (struct copies){.read = read, .n_read = n_read, .bonus = bonus};
    if (!n_read || bonus <= 0)
        return 0;
    if (!(c->marks = mem_new((size_t)n_vocab, 1, e)) ||
        !(c->said = mem_new((size_t)n_read, 1, e)) || !(c->repeats = mem_new((size_t)n_read, 1, e)))
        return ERR_NOMEM;
    for (int i = 0; i + 1 < n_read; i++)
        c->repeats[i] = (unsigned char)repeats(read + i, asked, n_asked);
    for (int i = 1; i <= n_read; i++) {
        int n = asked_up_to(read, i, asked, n_asked);
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
    free(c->said);
    free(c->repeats);
    c->marks = c->said = c->repeats = NULL;
}

// How many of the last tokens before READ[i] and of the answer, given and WRITTEN [n] tokens, are
// the same. Only a few given ones do not count, if they merely repeat the question: "is" leads on
// to anything.
static int same_as_answer(const struct copies *c, int i, const uint32_t *written, int n)
{
    int same = same_ends(c->read, i, written, n);
    if (same < n)
        return same;
    int given = same_ends(c->read, i - n, c->given, c->n_given);
    return given < STRETCH && c->repeats[i] ? n : n + given;
}

// The token of READ behind the longest match with the end of WRITTEN [n], *LONGEST tokens long: one
// that was not copied before, if there is any.
static int longest_start(const struct copies *c, const uint32_t *written, int n, int *longest)
{
    int at = 0;
    *longest = 0;
    for (int i = 0; i < c->n_read; i++) {
        int same = 0;
        while (same < n && i + same < c->n_read && c->read[i + same] == written[same])
            same++;
        if (same < *longest || (same == *longest && !(c->said[at] && !c->said[i])))
            continue;
        *longest = same;
        at = i;
    }
    return at;
}

// Marks in SAID the tokens that WRITTEN [n] has copied, except for the stretch that it is in now.
static void mark_said(const struct copies *c, const uint32_t *written, int n)
{
    memset(c->said, 0, (size_t)c->n_read);
    for (int t = 0, longest; t < n; t += longest < STRETCH ? 1 : longest) {
        int at = longest_start(c, written + t, n - t, &longest);
        if (longest >= STRETCH && t + longest < n)
            memset(c->said + at, 1, (size_t)longest);
    }
}

int copies_favour(const struct copies *c, const uint32_t *written, int n, struct bonuses *out,
                  struct err *e)
{
    int longest = 1, nearest = 0, rc = 0;
    if (!c->marks)
        return 0;
    if (c->once)
        mark_said(c, written, n);
    for (int i = 1; i < c->n_read; i++) {
        int same = c->said[i] ? 0 : same_as_answer(c, i, written, n);
        longest = same > longest ? same : longest;
    }
    for (int i = c->n_read - 1; c->anchor && i >= c->anchor; i--)
        if (same_as_answer(c, i, written, n) == longest)
            nearest = i;
    for (int i = 0; i < c->n_read; i++)
        if (!c->said[i]) {
            int next =
                i && same_as_answer(c, i, written, n) == longest && (!nearest || i == nearest);
            c->marks[c->read[i]] |= next ? READ | NEXT : READ;
        }
    for (int i = 0; !rc && i < c->n_read; i++) {
        unsigned char *mark = &c->marks[c->read[i]];
        if (*mark)
            rc = bonuses_add(out, c->read[i], c->bonus / 3 * (*mark & NEXT ? 3 : 1), e);
        *mark = 0; // once for each token
    }
    return rc;
}

int copies_end(const uint32_t *text, int n_text, const uint32_t *written, int n, int *at)
{
    int longest = 0;
    for (int i = 1; i < n_text; i++) {
        int same = same_ends(text, i, written, n);
        if (same <= longest)
            continue;
        longest = same;
        *at = i;
    }
    return longest;
}
