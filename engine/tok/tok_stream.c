// A document on its way to tokens. Three places hold text that is not yet decided:
//
//     held      a UTF-8 character that the last piece of input broke off
//     buf       valid text, from the start of the piece that is being collected
//     pending   the last token, because bytes that the vocabulary drops are counted with it
//
// Positions are those of the valid text since the stream began. `fix` lists where that text differs
// from the source, so that tokens count the source's bytes.
#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/hash.h"
#include "io/mem.h"

enum {
    SLICE = 1 << 16, // input is taken in so many bytes at a time
    CACHE_SETS = 1 << 14,
    CACHE_TEXT = 32,
    CACHE_PARTS = 6,
    CACHE_WORTH = 1 << 12, // texts shorter than this do without
};

struct fix { // [at, at + bytes) of the text stands for SOURCE bytes
    uint64_t at;
    uint8_t bytes, source;
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
    uint8_t held[4];
    size_t n_held;

    uint8_t *buf;
    size_t n_buf, cap_buf;
    uint64_t base;       // position of buf[0]
    uint64_t piece;      // start of the piece being collected
    uint64_t added_scan; // no added token begins before
    struct fix *fix;
    size_t n_fix, cap_fix, fix_at;
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
// Source to valid text

static int add_fix(struct tok_stream *s, uint8_t bytes, int source, struct err *e)
{
    int rc = mem_grow((void **)&s->fix, &s->cap_fix, s->n_fix + 1, sizeof *s->fix, e);
    if (!rc)
        s->fix[s->n_fix++] = (struct fix){s->base + s->n_buf, bytes, (uint8_t)source};
    return rc;
}

// One character of SOURCE bytes, BYTES as tok_utf8() gave it; the buffer has room.
static int take_char(struct tok_stream *s, const uint8_t *p, int bytes, uint32_t code,
                     struct err *e)
{
    int rc = 0;
    if (bytes <= 0 || !code) {
        rc = add_fix(s, 3, bytes <= 0 ? -bytes : 1, e);
        memcpy(s->buf + s->n_buf, "\xef\xbf\xbd", 3);
        s->n_buf += 3;
    } else if (code == 0x2581 && s->t->kind == TOK_SPM) {
        rc = add_fix(s, 1, 3, e);
        s->buf[s->n_buf++] = ' ';
    } else {
        memcpy(s->buf + s->n_buf, p, (size_t)bytes);
        s->n_buf += (size_t)bytes;
    }
    return rc;
}

// Appends TEXT to the buffer as valid UTF-8; an unfinished character at the end is held back.
static int take(struct tok_stream *s, const uint8_t *text, size_t n, struct err *e)
{
    uint32_t code = 0;
    size_t i = 0;
    // A NUL triples.
    int rc = mem_grow((void **)&s->buf, &s->cap_buf, s->n_buf + 3 * (n + 4), 1, e);
    while (!rc && s->n_held && i < n) {
        uint8_t c[4];
        size_t more = n - i < 4 - s->n_held ? n - i : 4 - s->n_held;
        memcpy(c, s->held, s->n_held);
        memcpy(c + s->n_held, text + i, more);
        int bytes = tok_utf8(c, s->n_held + more, &code);
        if (!bytes) { // only when all of the text has gone into it
            memcpy(s->held, c, s->n_held += more);
            return 0;
        }
        rc = take_char(s, c, bytes, code, e);
        i += (size_t)abs(bytes) - s->n_held;
        s->n_held = 0;
    }
    while (!rc && i < n) {
        if (text[i] && text[i] < 0x80) {
            s->buf[s->n_buf++] = text[i++];
            continue;
        }
        int bytes = tok_utf8(text + i, n - i, &code);
        if (!bytes) {
            memcpy(s->held, text + i, s->n_held = n - i);
            return 0;
        }
        rc = take_char(s, text + i, bytes, code, e);
        i += (size_t)abs(bytes);
    }
    return rc;
}

// A character that the document ends in the middle of.
static int take_broken(struct tok_stream *s, struct err *e)
{
    int rc = 0;
    if (s->n_held)
        rc = mem_grow((void **)&s->buf, &s->cap_buf, s->n_buf + 3, 1, e);
    if (!rc && s->n_held)
        rc = take_char(s, s->held, -(int)s->n_held, 0, e);
    s->n_held = 0;
    return rc;
}

// Source bytes behind [from, to) of the text. A replacement character that falls into several
// tokens counts one byte in each until its source's bytes are spent, the rest in the last.
static uint32_t source_bytes(struct tok_stream *s, uint64_t from, uint64_t to)
{
    uint64_t n = to - from;
    for (; s->fix_at < s->n_fix; s->fix_at++) {
        const struct fix *f = &s->fix[s->fix_at];
        uint64_t end = f->at + f->bytes;
        if (f->at >= to)
            break;
        uint64_t a = (from > f->at ? from : f->at) - f->at, b = (to < end ? to : end) - f->at;
        n -= b - a;
        n += b == f->bytes ? f->source : b < f->source ? b : f->source;
        n -= a < f->source ? a : f->source;
        if (to < end)
            break;
    }
    return (uint32_t)n;
}

// ----------------------------------------------------------------------------------------------
// Pieces to tokens

static int emit(struct tok_stream *s, uint32_t id, uint32_t bytes, struct err *e)
{
    struct tok_list *l = s->out;
    if (s->has_pending) {
        int rc = mem_grow((void **)&l->v, &l->cap, l->n + 1, sizeof *l->v, e);
        if (rc)
            return rc;
        l->v[l->n++] = s->pending;
    }
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
        rc = emit(s, c->id[i], source_bytes(s, at, at + c->bytes[i]), e);
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
    const uint8_t *text = s->buf + (s->piece - s->base);
    size_t n = (size_t)(to - s->piece), lead, extra = 0;
    uint64_t at = s->piece;
    struct cached *c = NULL;
    s->piece = to;
    if (s->prefix) {
        int rc = mem_grow((void **)&s->spaced, &s->cap_spaced, n + 1, 1, e);
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
        drop(s, source_bytes(s, at, at + lead));
    at += lead;
    for (size_t i = 0; !rc && i < s->merger.n_part; i++) {
        uint64_t end = at + s->merger.part[i].bytes - (i ? 0 : extra);
        rc = emit(s, s->merger.part[i].id, source_bytes(s, at, end), e);
        at = end;
    }
    return rc;
}

// ----------------------------------------------------------------------------------------------
// Text to pieces

// The last border between characters at or before POS.
static uint64_t border(const struct tok_stream *s, uint64_t pos)
{
    while (pos - s->base < s->n_buf && (s->buf[pos - s->base] & 0xc0) == 0x80)
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
    int rc = pcre2_match(s->t->re[k], s->buf + (from - s->base), (size_t)(limit - from), 0,
                         PCRE2_NO_UTF_CHECK | (last ? 0 : PCRE2_PARTIAL_HARD), s->match, NULL);
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(s->match);
    if (rc == PCRE2_ERROR_NOMATCH)
        return NONE;
    if (rc < 0 && rc != PCRE2_ERROR_PARTIAL)
        return err_set(e, ERR_UNSUPPORTED,
                       "pre-tokeniser '%s': the regex library gave up (error %d)", s->t->pre_name,
                       rc);
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
        tok_utf8(s->buf + (border(s, *scan - 1) - s->base), 4, &left);
    while (!rc && *scan < avail) {
        int bytes = tok_utf8(s->buf + (*scan - s->base), (size_t)(avail - *scan), &right);
        if (*scan > s->piece && tok_spm_border(s->t, left, right))
            rc = collect(s, *scan, 1, e);
        *scan += (uint64_t)bytes;
        left = right;
    }
    return rc ? rc : collect(s, avail, end, e);
}

static int cut_text(struct tok_stream *s, uint64_t avail, int end, struct err *e)
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
    drop(s, source_bytes(s, s->added_scan, s->added_scan + (uint64_t)bytes));
    skip_to(s, s->added_scan + (uint64_t)bytes);
    return 1;
}

// Cuts the buffer at added tokens and hands on what lies between.
static int cut_added(struct tok_stream *s, int end, struct err *e)
{
    const struct added *a = s->flags & TOK_SPECIAL ? &s->t->all : &s->t->user;
    uint64_t stop = s->base + s->n_buf;
    int rc = 0, more = 0;
    if (!a->n)
        return cut_text(s, stop, end, e);
    while (!rc && s->added_scan < stop) {
        const uint8_t *p = s->buf + (s->added_scan - s->base);
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
        rc = cut_text(s, from, 1, e);
        if (!rc && text && s->prefix)
            rc = encode_piece(s, from, e); // the space alone
        if (!rc)
            rc = emit(s, id, source_bytes(s, from, to), e);
        skip_to(s, to);
        s->prefix = !text && s->t->add_space;
        s->strip = s->t->strips && s->t->strips[id];
    }
    return rc ? rc : cut_text(s, s->added_scan, end, e);
}

static void forget(struct tok_stream *s)
{
    size_t done = (size_t)(s->piece - s->base);
    if (!done || done < s->n_buf / 2)
        return;
    memmove(s->buf, s->buf + done, s->n_buf - done);
    s->n_buf -= done;
    s->base = s->piece;
    if (s->fix_at)
        memmove(s->fix, s->fix + s->fix_at, (s->n_fix - s->fix_at) * sizeof *s->fix);
    s->n_fix -= s->fix_at;
    s->fix_at = 0;
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
        rc = take(s, (const uint8_t *)text, n, e);
        if (!rc)
            rc = cut_added(s, 0, e);
        if (!rc)
            forget(s);
    }
    if (!rc && final) {
        rc = take_broken(s, e);
        if (!rc)
            rc = cut_added(s, 1, e);
        if (!rc && s->has_pending)
            rc = emit(s, 0, 0, e); // gives out the pending one
        s->has_pending = 0;
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
    free(s->buf);
    free(s->fix);
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
