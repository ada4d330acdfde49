#include "engine/ask/vicinity.h"

#include <string.h>

#include "engine/text/cut.h"
#include "engine/text/lines.h"

enum {
    FAR = 3, // blocks on either side that are looked at,
    NEAR = 1 // and that are read in any case
};

// The end of the rows of a table that text[..END), whole lines of TEXT [n], ends among, and of the
// line behind them: as many of them as are read together.
static size_t rows_end(const char *text, size_t n, size_t end)
{
    const size_t most = n - end > CUT_LONGEST ? end + CUT_LONGEST : n;
    for (int row = 1; row && end < most && is_one_of(text[end], "|+\n");) {
        const char *stop = memchr(text + end, '\n', most - end);
        row = text[end] != '\n';
        end = stop ? (size_t)(stop - text) + 1 : most;
    }
    return end;
}

// Leaves of V, which has FAR blocks on either side, bytes FROM to TO, and what is missing of their
// lines; where the line of its own block goes on beyond all that, no more of it than that. AT_END:
// the document ends with V.
static void vicinity_trim(struct vicinity *v, size_t from, size_t to, int at_end)
{
    const char *text = v->s.text;
    const size_t behind = v->own + v->own_n;
    size_t first = from, end = to;
    while (first > 0 && text[first - 1] != '\n')
        first--;
    while (end < v->s.n && end > 0 && text[end - 1] != '\n')
        end++;
    if (v->s.start && !memchr(text, '\n', v->own))
        first = from;
    if (!at_end && !memchr(text + behind, '\n', v->s.n - behind))
        end = to;
    else
        end = rows_end(text, v->s.n, end);
    v->own -= first;
    v->ends = at_end && end == v->s.n;
    stretch_cut(&v->s, first, end);
}

int vicinity_new(struct vicinity *v, const struct kvz *k, uint64_t block, struct err *e)
{
    struct kvz_block b;
    size_t at[2 * FAR + 2];
    *v = (struct vicinity){0};
    int rc = kvz_block(k, block, &b, e);
    if (rc)
        return rc;
    const uint64_t n_blocks = kvz_n_blocks(k), first = block > FAR ? block - FAR : 0,
                   end = n_blocks - block > FAR ? block + FAR + 1 : n_blocks;
    if ((rc = stretch_new(&v->s, k, b.document, first, end, at, e)))
        return rc;
    const size_t own = (size_t)(block - first), n = (size_t)(end - first),
                 near_end = own + NEAR < n ? own + NEAR + 1 : n;
    v->document = (uint32_t)b.document;
    v->own = at[own];
    v->own_n = at[own + 1] - at[own];
    v->s.start = b.start - v->own;
    vicinity_trim(v, at[own > NEAR ? own - NEAR : 0], at[near_end],
                  own + FAR >= n || at[own + FAR + 1] == at[own + FAR]);
    return 0;
}
