// A document on its way to tokens. Two places hold text that is not yet decided:
//
//     text      valid text (tok_valid.h), from the start of the piece that is being collected
//     pending   the last token, because bytes that the vocabulary drops are counted with it
//
// Positions are those of the valid text since the stream began.
#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "engine/tok/tok_valid.h"
#include "io/hash.h"
#include "io/mem.h"

enum {
    SLICE = 1 << 16, // input is taken in so many bytes at a time
    CACHE_SETS = 1 << 14,
    CACHE_TEXT = 32,
    CACHE_PARTS = 6,
    CACHE_WORTH = 1 << 12, // texts shorter than this do without
};

struct cached {             // a short piece and its parts; one cache line
    uint8_t n_text, n_part; // n_part 0: empty
    uint8_t bytes[CACHE_PARTS];
    uint8_t text[CACHE_TEXT];
    uint32_t id[CACHE_PARTS];
};

// Where one of the cascade's expressions stands: it has no match that begins before `scan` and that
// it has not handed on.
struct stage {
    uint64_t scan;
    uint64_t again; // undecided: worth another look when there is text up to here
};

struct tok_stream {
    const struct tok *t;
    int flags, started, prefix; // prefix: the next piece gets a space before it
    int strip;                  // white space that comes now belongs to the token before
    struct tok_valid text;
    uint64_t piece;      // start of the piece being collected; the text is kept from there on
    uint64_t added_scan; // no added token begins before
    struct stage stage[TOK_MAX_STAGES];
    pcre2_match_data *match;

    struct token pending;
    int has_pending;
    size_t dropped; // bytes dropped before any token
    struct merger merger;
    uint8_t *spaced; // a piece with the space before it
    size_t cap_spaced;
    struct cached *cache; // NULL: none
    struct tok_list *out; // of the call in progress
};

// ----------------------------------------------------------------------------------------------
// Pieces to tokens

// Gives out the pending token, if there is one.
static int flush(struct tok_stream *s, struct err *e)
{
    struct tok_list *l = s->out;
    if (!s->has_pending)
        return 0;
    int rc = MEM_GROW(l->v, l->cap, l->n + 1, e);
    if (rc)
        return rc;
    l->v[l->n++] = s->pending;
    s->has_pending = 0;
    return 0;
}

static int emit(struct tok_stream *s, uint32_t id, uint32_t bytes, struct err *e)
{
    int rc = flush(s, e);
    if (rc)
        return rc;
    s->pending = (struct token){id, bytes + (uint32_t)s->dropped};
    s->dropped = 0;
    s->has_pending = 1;
    return 0;
}

static void drop(struct tok_stream *s, size_t bytes)
{
    if (s->has_pending)
        s->pending.bytes += (uint32_t)bytes;
    else
        s->dropped += bytes;
}

static int emit_cached(struct tok_stream *s, const struct cached *c, uint64_t at, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < c->n_part; at += c->bytes[i++])
        rc = emit(s, c->id[i], valid_source_bytes(&s->text, at, at + c->bytes[i]), e);
    return rc;
}

static void remember(struct cached *c, const uint8_t *text, size_t n, const struct merger *m)
{
    if (m->n_part > CACHE_PARTS)
        return;
    c->n_text = (uint8_t)n;
    c->n_part = (uint8_t)m->n_part;
    memcpy(c->text, text, n);
    for (size_t i = 0; i < m->n_part; i++) {
        c->id[i] = m->part[i].id;
        c->bytes[i] = (uint8_t)m->part[i].bytes;
    }
}

// The tokens of [s->piece, to).
static int encode_piece(struct tok_stream *s, uint64_t to, struct err *e)
{
    const uint8_t *text = s->text.buf + (s->piece - s->text.base);
    size_t n = (size_t)(to - s->piece), lead, extra = 0;
    uint64_t at = s->piece;
    struct cached *c = NULL;
    s->piece = to;
    if (s->prefix) {
        int rc = MEM_GROW(s->spaced, s->cap_spaced, n + 1, e);
        if (rc)
            return rc;
        s->spaced[0] = ' ';
        memcpy(s->spaced + 1, text, n++);
        text = s->spaced;
        s->prefix = 0;
        extra = 1;
    }
    if (s->cache && !extra && n <= CACHE_TEXT) {
        c = &s->cache[hash64(text, n) & (CACHE_SETS - 1)];
        if (c->n_part && c->n_text == n && !memcmp(c->text, text, n))
            return emit_cached(s, c, at, e);
    }
    int rc = tok_merge(s->t, &s->merger, text, n, &lead, e);
    if (rc)
        return rc;
    if (c && !lead && s->merger.n_part)
        remember(c, text, n, &s->merger);
    if (lead)
        drop(s, valid_source_bytes(&s->text, at, at + lead));
    at += lead;
    for (size_t i = 0; !rc && i < s->merger.n_part; i++) {
        uint64_t end = at + s->merger.part[i].bytes - (i ? 0 : extra);
        rc = emit(s, s->merger.part[i].id, valid_source_bytes(&s->text, at, end), e);
        at = end;
    }
    return rc;
}

// ----------------------------------------------------------------------------------------------
// Text to pieces

// The last border between characters at or before POS.
static uint64_t border(const struct tok_stream *s, uint64_t pos)
{
    while (pos - s->text.base < s->text.n && (s->text.buf[pos - s->text.base] & 0xc0) == 0x80)
        pos--;
    return pos;
}

// The piece goes on to TO; END: and ends there.
static int collect(struct tok_stream *s, uint64_t to, int end, struct err *e)
{
    int rc = 0;
    while (!rc && to - s->piece > TOK_MAX_PIECE)
        rc = encode_piece(s, border(s, s->piece + TOK_MAX_PIECE), e);
    if (!rc && end && to > s->piece)
        rc = encode_piece(s, to, e);
    return rc;
}

enum { FOUND, NONE, UNDECIDED };

// The first match of expression K in [from, limit). LAST: the text ends at LIMIT; otherwise a match
// that more text could change is UNDECIDED, and begins at *A.
static int find(struct tok_stream *s, int k, uint64_t from, uint64_t limit, int last, uint64_t *a,
                uint64_t *b, struct err *e)
{
    int rc = pcre2_match(s->t->re[k], s->text.buf + (from - s->text.base), (size_t)(limit - from),
                         0, PCRE2_NO_UTF_CHECK | (last ? 0 : PCRE2_PARTIAL_HARD), s->match, NULL);
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(s->match);
    if (rc == PCRE2_ERROR_NOMATCH)
        return NONE;
    if (rc < 0 && rc != PCRE2_ERROR_PARTIAL)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: pre-tokeniser '%s': the regex library gave up (error %d)", s->t->path,
                       s->t->pre_name, rc);
    *a = from + at[0];
    *b = from + at[1];
    return rc < 0 ? UNDECIDED : FOUND;
}

// Cuts [.., avail) by the expressions from K on; END: the piece that K cuts ends at AVAIL. What is
// handed on never depends on where the source was cut: a match counts only when no later text can
// change it, and one that TOK_MAX_PIECE bytes do not decide is taken as if the text ended there.
static int cut(struct tok_stream *s, int k, uint64_t avail, int end, struct err *e)
{
    if (k == s->t->n_re)
        return collect(s, avail, end, e);
    struct stage *g = &s->stage[k];
    int rc = 0;
    while (!rc && g->scan < avail) {
        int capped = avail - g->scan > TOK_MAX_PIECE;
        uint64_t limit = capped ? border(s, g->scan + TOK_MAX_PIECE) : avail, a = 0, b = 0;
        if (!end && !capped && avail < g->again)
            return 0;
        int how = find(s, k, g->scan, limit, end && !capped, &a, &b, e);
        if (how == UNDECIDED && capped && a == g->scan)
            how = find(s, k, g->scan, limit, 1, &a, &b, e);
        if (how == NONE) {
            g->scan = limit;
            rc = cut(s, k + 1, limit, 0, e);
        } else if (how == UNDECIDED) {
            g->scan = a;
            // Looking again at each byte would be quadratic.
            g->again = a + 2 * (limit - a);
            rc = cut(s, k + 1, a, 0, e);
            if (!capped)
                return rc;
        } else if (how == FOUND) {
            g->scan = b;
            g->again = 0;
            rc = cut(s, k + 1, a, 1, e);
            if (!rc)
                rc = cut(s, k + 1, b, 1, e);
        } else {
            rc = how;
        }
    }
    if (end)
        g->again = 0;
    return rc || !end ? rc : cut(s, k + 1, avail, 1, e);
}

// The same for SentencePiece: pieces end where the vocabulary cannot reach across.
static int cut_spm(struct tok_stream *s, uint64_t avail, int end, struct err *e)
{
    int rc = 0;
    uint32_t left = 0, right;
    uint64_t *scan = &s->stage[0].scan; // the character before is the piece's, if any
    if (*scan > s->piece)
        tok_utf8(s->text.buf + (border(s, *scan - 1) - s->text.base), 4, &left);
    while (!rc && *scan < avail) {
        int bytes = tok_utf8(s->text.buf + (*scan - s->text.base), (size_t)(avail - *scan), &right);
        if (*scan > s->piece && tok_spm_border(s->t, left, right))
            rc = collect(s, *scan, 1, e);
        *scan += (uint64_t)bytes;
        left = right;
    }
    return rc ? rc : collect(s, avail, end, e);
}

static int lines_of_text(struct tok_stream *s, uint64_t avail, int end, struct err *e)
{
    return s->t->kind == TOK_BPE ? cut(s, 0, avail, end, e) : cut_spm(s, avail, end, e);
}

// Everything before POS is done with.
static void skip_to(struct tok_stream *s, uint64_t pos)
{
    s->piece = s->added_scan = pos;
    for (int k = 0; k < TOK_MAX_STAGES; k++)
        s->stage[k] = (struct stage){pos, 0};
}

// Takes the character at P, where the buffer's next text begins, if it is white space.
static int strip(struct tok_stream *s, const uint8_t *p)
{
    uint32_t code = 0;
    int bytes = tok_utf8(p, 4, &code);
    if (!tok_is_space(code))
        return 0;
    drop(s, valid_source_bytes(&s->text, s->added_scan, s->added_scan + (uint64_t)bytes));
    skip_to(s, s->added_scan + (uint64_t)bytes);
    return 1;
}

// Cuts the buffer at added tokens and hands on what lies between.
static int cut_added(struct tok_stream *s, int end, struct err *e)
{
    const struct added *a = s->flags & TOK_SPECIAL ? &s->t->all : &s->t->user;
    uint64_t stop = s->text.base + s->text.n;
    int rc = 0, more = 0;
    if (!a->n)
        return lines_of_text(s, stop, end, e);
    while (!rc && s->added_scan < stop) {
        const uint8_t *p = s->text.buf + (s->added_scan - s->text.base);
        if (s->strip && (s->strip = strip(s, p)))
            continue;
        if (!a->first[*p]) {
            s->added_scan++;
            continue;
        }
        uint32_t id = tok_added_at(s->t, a, p, (size_t)(stop - s->added_scan), &more);
        if (more && !end)
            break;
        if (id == NO_PIECE) {
            s->added_scan++;
            continue;
        }
        uint64_t from = s->added_scan, to = from + s->t->off[id + 1] - s->t->off[id];
        int text = s->t->type[id] == PIECE_USER;
        rc = lines_of_text(s, from, 1, e);
        if (!rc && text && s->prefix)
            rc = encode_piece(s, from, e); // the space alone
        if (!rc)
            rc = emit(s, id, valid_source_bytes(&s->text, from, to), e);
        skip_to(s, to);
        s->prefix = !text && s->t->add_space;
        s->strip = s->t->strips && s->t->strips[id];
    }
    return rc ? rc : lines_of_text(s, s->added_scan, end, e);
}

// ----------------------------------------------------------------------------------------------
// The stream

static int new_stream(struct tok_stream **out, const struct tok *t, int flags, int cache,
                      struct err *e)
{
    struct tok_stream *s = mem_new(1, sizeof *s, e);
    if (!s)
        return ERR_NOMEM;
    s->t = t;
    s->flags = flags;
    s->text.marks_spaces = t->kind == TOK_SPM;
    s->match = pcre2_match_data_create(1, NULL);
    s->cache = cache ? mem_new(CACHE_SETS, sizeof *s->cache, e) : NULL;
    if (!s->match || (cache && !s->cache)) {
        tok_stream_free(s);
        return err_set(e, ERR_NOMEM, "out of memory (tokenizer)");
    }
    *out = s;
    return 0;
}

int tok_stream_new(struct tok_stream **out, const struct tok *t, int flags, struct err *e)
{
    return new_stream(out, t, flags, 1, e);
}

int tok_stream_feed(struct tok_stream *s, const char *text, size_t bytes, int final,
                    struct tok_list *out, struct err *e)
{
    int rc = 0;
    s->out = out;
    if (!s->started && s->flags & TOK_START) {
        s->prefix = s->t->add_space;
        if (s->t->add_bos && s->t->bos >= 0)
            rc = emit(s, (uint32_t)s->t->bos, 0, e);
    }
    s->started = 1;
    for (size_t n; !rc && bytes; bytes -= n, text += n) {
        n = bytes < SLICE ? bytes : SLICE;
        rc = valid_take(&s->text, (const uint8_t *)text, n, e);
        if (!rc)
            rc = cut_added(s, 0, e);
        if (!rc)
            valid_forget(&s->text, s->piece);
    }
    if (!rc && final) {
        rc = valid_take_broken(&s->text, e);
        if (!rc)
            rc = cut_added(s, 1, e);
        if (!rc)
            rc = flush(s, e);
    }
    s->out = NULL;
    return rc;
}

void tok_stream_free(struct tok_stream *s)
{
    if (!s)
        return;
    tok_merger_done(&s->merger);
    pcre2_match_data_free(s->match);
    valid_done(&s->text);
    free(s->spaced);
    free(s->cache);
    free(s);
}

int tok_encode(const struct tok *t, const char *text, size_t bytes, int flags, struct tok_list *out,
               struct err *e)
{
    struct tok_stream *s = NULL;
    int rc = new_stream(&s, t, flags, bytes >= CACHE_WORTH, e);
    if (rc)
        return rc;
    rc = tok_stream_feed(s, text, bytes, 1, out, e);
    tok_stream_free(s);
    return rc;
}
