#include "engine/passage/vicinity.h"

#include <string.h>

#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/lines/nested.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "io/utf8.h"

enum {
    FAR = 3,                       // blocks on either side that are looked at,
    NEAR = 1,                      // and that are read in any case
    WIDE = 12,                     // the same around records,
    ENOUGH = 2 * LONGEST_SENTENCE, // as many of them as have so many bytes
    WORD = 64                      // bytes that one may have
};

// The end of the rows of a table that text[..END), whole lines of TEXT [n], ends among, and of the
// line behind them: as many of them as are read together.
static size_t rows_end(const char *text, size_t n, size_t end)
{
    const size_t most = n - end > LONGEST_SENTENCE ? end + LONGEST_SENTENCE : n;
    for (int row = 1; row && end < most && is_one_of(text[end], "|+\n");) {
        const char *stop = memchr(text + end, '\n', most - end);
        row = text[end] != '\n';
        end = stop ? (size_t)(stop - text) + 1 : most;
    }
    return end;
}

// Where the word or number of TEXT begins that byte AT is inside, or, where that is not to be seen,
// the one behind it begins, up to byte OWN.
static size_t word_start(const char *text, size_t at, size_t own)
{
    size_t from = at, to = at;
    while (from > 0 && at - from < WORD && !is_space(text[from - 1]))
        from--;
    if (from > 0 && is_space(text[from - 1]) && !is_space(text[at]))
        return from;
    while (to < own && to - at < WORD && !is_space(text[to]))
        to++;
    while (to < own && is_space(text[to]))
        to++;
    // There are texts without spaces.
    return to > at && is_space(text[to - 1]) ? to : utf8_border(text, at);
}

// Where the word of TEXT [n] ends that byte AT is inside, or, where that is not to be seen, the one
// before it, from byte BEHIND on.
static size_t word_end(const char *text, size_t n, size_t at, size_t behind)
{
    size_t from = at, to = at;
    while (to < n && to - at < WORD && !is_space(text[to]))
        to++;
    if (to < n && is_space(text[to]))
        return to;
    while (from > behind && at - from < WORD && !is_space(text[from - 1]))
        from--;
    if (from > behind && is_space(text[from - 1]))
        return from;
    while (at < n && utf8_border(text, at) < at)
        at++;
    return at;
}

// Whether a sentence ends with the last word before byte AT of S.
static int ends_before(const struct stretch *s, size_t at)
{
    const struct lines c = {.text = s->text, .n = s->n};
    while (at > 0 && is_space(s->text[at - 1]))
        at--;
    return at > 0 && cut_ends_at(&c, at - 1);
}

// Where the line of S begins on which the sentence does that goes on with byte FIRST, the beginning
// of a line; FIRST where none does, or where its beginning is not to be seen.
static size_t sentence_start(const struct stretch *s, size_t first)
{
    struct lines c;
    size_t from, to;
    lines_of_text(&c, s->text, s->n);
    if (!first || first >= s->n || cut_ends_at(&c, first - 1))
        return first;
    cut_sentence(&c, first, &from, &to);
    const size_t line = line_start(&c, from);
    return from < first && (line || !s->start) ? line : first;
}

// The end of the sentence that goes on behind byte END of S, the end of a line; END where none
// does, or where it does not end nearby. AT_END: the document ends with S.
static size_t sentence_end(const struct stretch *s, size_t end, int at_end)
{
    const size_t most = s->n - end > LONGEST_SENTENCE ? end + LONGEST_SENTENCE : s->n;
    struct lines c;
    size_t at = end;
    lines_of_text(&c, s->text, s->n);
    while (at > 0 && at < most && s->text[at - 1] == '\n' && !cut_ends_at(&c, at - 1))
        at = line_end(&c, at) + 1;
    if (at >= s->n)
        return at_end ? s->n : end;
    return at > 0 && at < most ? at : end;
}

// Leaves of V, which has more blocks on either side, bytes FROM to TO, and what is missing of their
// lines and of the last sentence; where the line of its own block goes on beyond all that, no more
// of it than that. AT_END: the document ends with V.
static void vicinity_trim(struct vicinity *v, size_t from, size_t to, int at_end)
{
    const char *text = v->s.text;
    const size_t behind = v->own + v->own_n;
    size_t first = from, end = to;
    while (first > 0 && text[first - 1] != '\n')
        first--;
    while (end < v->s.n && end > 0 && text[end - 1] != '\n')
        end++;
    if (v->s.start && !memchr(text, '\n', v->own)) {
        first = word_start(text, from, v->own);
        v->within = !ends_before(&v->s, first);
    } else {
        first = sentence_start(&v->s, first);
    }
    if (!at_end && !memchr(text + behind, '\n', v->s.n - behind)) {
        end = word_end(text, v->s.n, to, behind);
        v->goes_on = !ends_before(&v->s, end);
    } else {
        end = rows_end(text, v->s.n, sentence_end(&v->s, end, at_end));
    }
    v->own -= first;
    v->ends = at_end && end == v->s.n;
    stretch_cut(&v->s, first, end);
}

// How many of the N blocks that begin with bytes AT [n + 1] are read around records, on one side of
// block OWN: before it where STEP is -1, behind it where it is 1.
static size_t n_enough(const size_t *at, size_t own, size_t n, int step)
{
    size_t blocks = 0, bytes = 0;
    for (size_t i = own; bytes < ENOUGH && (step > 0 ? i + 1 < n : i > 0); blocks++) {
        i = step > 0 ? i + 1 : i - 1;
        bytes += at[i + 1] - at[i];
    }
    return blocks;
}

// V becomes BLOCK with NEAR blocks on either side or, where RECORDS, as many as these need.
static int vicinity_read(struct vicinity *v, const struct kvz *k, uint64_t block, int records,
                         struct err *e)
{
    struct kvz_block b;
    const size_t far = records ? WIDE : FAR;
    size_t at[2 * WIDE + 2];
    *v = (struct vicinity){0};
    int rc = kvz_block(k, block, &b, e);
    if (rc)
        return rc;
    const uint64_t n_blocks = kvz_n_blocks(k), first = block > far ? block - far : 0,
                   end = n_blocks - block > far ? block + far + 1 : n_blocks;
    if ((rc = stretch_new(&v->s, k, b.document, first, end, at, e)))
        return rc;
    const size_t own = (size_t)(block - first), n = (size_t)(end - first),
                 before = records ? n_enough(at, own, n, -1) : NEAR,
                 behind = records ? n_enough(at, own, n, 1) : NEAR;
    v->document = (uint32_t)b.document;
    v->own = at[own];
    v->own_n = at[own + 1] - at[own];
    v->s.start = b.start - v->own;
    vicinity_trim(v, at[own > before ? own - before : 0],
                  at[own + behind < n ? own + behind + 1 : n],
                  own + far >= n || at[own + far + 1] == at[own + far]);
    return 0;
}

// Whether a record that V's own block has a part of, settings that are set in or lines with labels,
// may go on beyond V.
static int record_goes_on(const struct vicinity *v)
{
    enum { FIELDS = 4 }; // of fewer lines may be what a few people say in turn
    const size_t last = v->own + v->own_n - 1;
    struct lines c;
    size_t top, end;
    lines_of_text(&c, v->s.text, v->s.n);
    if (v->s.start &&
        (nested_from_above(&c, v->own) || (label_run(&c, v->own, &top, &end, 0) >= FIELDS && !top)))
        return 1;
    return !v->ends && (nested_goes_on(&c, last) ||
                        (label_run(&c, last, &top, &end, 0) >= FIELDS && end + 1 >= c.n));
}

int vicinity_wide(struct vicinity *v, const struct kvz *k, uint64_t block, struct err *e)
{
    return vicinity_read(v, k, block, 1, e);
}

int vicinity_new(struct vicinity *v, const struct kvz *k, uint64_t block, struct err *e)
{
    int rc = vicinity_read(v, k, block, 0, e);
    if (rc || !v->own_n || !record_goes_on(v))
        return rc;
    stretch_done(&v->s);
    return vicinity_wide(v, k, block, e);
}

int vicinity_is_whole(const struct vicinity *near, size_t from, size_t to)
{
    const char *text = near->s.text;
    if ((!from && near->s.start) || is_lower(text[from]))
        return 0;
    while (to > from && is_one_of(text[to - 1], "\"')]\x80\x9d\x99\xe2"))
        to--;
    return to > from && is_one_of(text[to - 1], ".!?");
}
