#include "engine/embed/wordpiece.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "io/mem.h"
#include "io/show.h"

enum {
    WORD_CHARS = 100, // of the longest word that is cut into pieces
    WORD_BYTES = 4 * WORD_CHARS,
    DECOMPOSED = 16, // characters that one has in NFD, and some to spare
};

enum place { FIRST, FURTHER }; // of a piece in its word

// What a byte of ASCII is; its letters are those of lower case.
enum sort { DROPPED, SPACE, APART, LETTER, NOT_ASCII };

struct slot {
    const char *s; // NULL: empty
    uint32_t n;    // bytes of S * 2 + its place
    uint32_t id;
};

struct wordpiece {
    struct slot *slot; // open addressing
    uint64_t mask;
    size_t longest; // bytes of a piece
    int n;
    uint32_t unk, cls, sep;
    uint8_t *is_mark; // [n]
    uint8_t sort[256], lower[128];
};

// The bytes of a piece enter its hash one by one, so that those of all beginnings of a word are
// had in one pass (FNV-1a).
static uint64_t hash_begin(enum place place)
{
    return 0xcbf29ce484222325u + place;
}

static uint64_t hash_add(uint64_t h, char c)
{
    return (h ^ (uint8_t)c) * 0x100000001b3u;
}

// Where the piece is, or the empty slot where it would be.
static struct slot *find(const struct wordpiece *w, enum place place, uint64_t hash, const char *s,
                         size_t n)
{
    const uint32_t key = (uint32_t)n * 2 + place;
    for (uint64_t at = hash ^ hash >> 32;; at++) {
        struct slot *slot = &w->slot[at & w->mask];
        if (!slot->s || (slot->n == key && !memcmp(slot->s, s, n)))
            return slot;
    }
}

static int is_utf8(const char *s, size_t n)
{
    utf8proc_int32_t c;
    for (size_t i = 0; i < n;) {
        utf8proc_ssize_t bytes = 1;
        if ((uint8_t)s[i] >= 0x80)
            bytes = utf8proc_iterate((const utf8proc_uint8_t *)s + i,
                                     (utf8proc_ssize_t)(n - i < 4 ? n - i : 4), &c);
        if (bytes < 1)
            return 0;
        i += (size_t)bytes;
    }
    return 1;
}

static int is_punctuation(utf8proc_category_t kind)
{
    return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

// Whether the piece T is one character that stands apart from words.
static int is_one_mark(const struct wordpiece *w, struct gguf_str t)
{
    utf8proc_int32_t c;
    if (t.n == 1)
        return w->sort[(uint8_t)t.s[0]] == APART;
    return utf8proc_iterate((const utf8proc_uint8_t *)t.s, (utf8proc_ssize_t)t.n, &c) ==
               (utf8proc_ssize_t)t.n &&
           is_punctuation(utf8proc_category(c));
}

// A piece that begins a word is stored with U+2581 before it. The special tokens are stored
// without: they are taken for pieces further on in a word, but '[' is a word of its own.
static void add(struct wordpiece *w, struct gguf_str t, uint32_t id)
{
    static const char mark[] = "\xe2\x96\x81";
    const size_t skip = sizeof mark - 1;
    enum place place = FURTHER;
    if (t.n > skip && !memcmp(t.s, mark, skip)) {
        place = FIRST;
        t = (struct gguf_str){t.s + skip, t.n - skip};
    }
    if (!t.n || t.n > WORD_BYTES)
        return;
    uint64_t hash = hash_begin(place);
    for (size_t i = 0; i < t.n; i++)
        hash = hash_add(hash, t.s[i]);
    struct slot *slot = find(w, place, hash, t.s, t.n);
    if (!slot->s)
        *slot = (struct slot){t.s, (uint32_t)t.n * 2 + place, id};
    w->longest = t.n > w->longest ? t.n : w->longest;
    w->is_mark[id] = is_one_mark(w, t);
}

static int read_pieces(struct wordpiece *w, const struct gguf *g, struct err *e)
{
    static const char key[] = "tokenizer.ggml.tokens";
    struct gguf_array a;
    int rc = gguf_array(g, key, GGUF_STR, &a, e);
    if (rc)
        return rc;
    if (!a.n || a.n > INT_MAX)
        return err_set(e, ERR_FORMAT, "%s: '%s' has %llu pieces", gguf_path(g), key,
                       (unsigned long long)a.n);
    w->n = (int)a.n;
    for (w->mask = 1; w->mask < 2 * a.n; w->mask *= 2)
        ;
    w->slot = mem_new(w->mask--, sizeof *w->slot, e);
    w->is_mark = mem_new(a.n, 1, e);
    if (!w->slot || !w->is_mark)
        return ERR_NOMEM;
    const uint8_t *p = a.data;
    for (uint32_t id = 0; a.n; id++) {
        const struct gguf_str t = gguf_next_str(&p, &a.n);
        char shown[64];
        if (!is_utf8(t.s, t.n))
            return err_set(e, ERR_FORMAT, "%s: piece %u of '%s', \"%s\", is not UTF-8",
                           gguf_path(g), id, key, show_bytes(t.s, t.n, shown, sizeof shown));
        add(w, t, id);
    }
    return 0;
}

// The id under the first of KEYS [n], all names of one token in files of different age, that G has.
static int read_id(const struct wordpiece *w, const struct gguf *g, const char *const *keys, int n,
                   uint32_t *id, struct err *e)
{
    const char *key = keys[0];
    for (int i = n - 1; i > 0 && !gguf_has(g, keys[0]); i--)
        key = gguf_has(g, keys[i]) ? keys[i] : key;
    uint64_t v;
    int rc = gguf_uint(g, key, &v, e);
    if (rc)
        return rc;
    if (v >= (uint64_t)w->n)
        return err_set(e, ERR_FORMAT, "%s: '%s' is %llu, but there are %d pieces", gguf_path(g),
                       key, (unsigned long long)v, w->n);
    *id = (uint32_t)v;
    return 0;
}

static int read_special(struct wordpiece *w, const struct gguf *g, struct err *e)
{
    static const char *const unk[] = {"tokenizer.ggml.unknown_token_id"};
    static const char *const cls[] = {"tokenizer.ggml.cls_token_id", "tokenizer.ggml.bos_token_id"};
    static const char *const sep[] = {"tokenizer.ggml.seperator_token_id", // as llama.cpp spells it
                                      "tokenizer.ggml.separator_token_id",
                                      "tokenizer.ggml.eos_token_id"};
    int rc;
    if ((rc = read_id(w, g, unk, 1, &w->unk, e)) || (rc = read_id(w, g, cls, 2, &w->cls, e)))
        return rc;
    if ((rc = read_id(w, g, sep, 3, &w->sep, e)))
        return rc;
    w->is_mark[w->cls] = w->is_mark[w->sep] = 1;
    return 0;
}

static void sort_ascii(struct wordpiece *w)
{
    for (int c = 0; c < 256; c++) {
        const int large = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z';
        w->sort[c] = c >= 0x80                                         ? NOT_ASCII
                     : c == ' ' || c == '\t' || c == '\n' || c == '\r' ? SPACE
                     : c < ' ' || c == 0x7f                            ? DROPPED
                     : large || small || (c >= '0' && c <= '9')        ? LETTER
                                                                       : APART;
        if (c < 0x80)
            w->lower[c] = (uint8_t)(large ? c - 'A' + 'a' : c);
    }
}

int wordpiece_new(struct wordpiece **out, const struct gguf *g, struct err *e)
{
    struct gguf_str kind;
    char shown[64];
    int rc = gguf_text(g, "tokenizer.ggml.model", &kind, e);
    if (rc)
        return rc;
    if (kind.n != 4 || memcmp(kind.s, "bert", 4))
        return err_set(e, ERR_UNSUPPORTED, "%s: tokenizer '%s' is not of the kind 'bert'",
                       gguf_path(g), show_bytes(kind.s, kind.n, shown, sizeof shown));
    struct wordpiece *w = mem_new(1, sizeof *w, e);
    if (!w)
        return ERR_NOMEM;
    sort_ascii(w);
    if ((rc = read_pieces(w, g, e)) || (rc = read_special(w, g, e))) {
        wordpiece_free(w);
        return rc;
    }
    *out = w;
    return 0;
}

void wordpiece_free(struct wordpiece *w)
{
    if (w) {
        free(w->slot);
        free(w->is_mark);
    }
    free(w);
}

int wordpiece_size(const struct wordpiece *w)
{
    return w->n;
}

int wordpiece_is_mark(const struct wordpiece *w, uint32_t id)
{
    return w->is_mark[id];
}

// Encoding: the word so far, and the ids so far.
struct encoding {
    const struct wordpiece *w;
    uint32_t *ids;
    int n, most; // MOST without [SEP]
    int n_chars; // of the word; of those past WORD_CHARS there is nothing but their number
    size_t n_bytes;
    char word[WORD_BYTES];
};

static void put_id(struct encoding *x, uint32_t id)
{
    if (x->n < x->most)
        x->ids[x->n++] = id;
}

// The longest piece that the word goes on with at FROM, or NULL; its length is in its N.
static const struct slot *longest_at(const struct encoding *x, size_t from)
{
    const struct wordpiece *w = x->w;
    const enum place place = from ? FURTHER : FIRST;
    const char *s = x->word + from;
    const size_t left = x->n_bytes - from, n = left < w->longest ? left : w->longest;
    uint64_t hash[WORD_BYTES + 1];
    hash[0] = hash_begin(place);
    for (size_t i = 0; i < n; i++)
        hash[i + 1] = hash_add(hash[i], s[i]);
    for (size_t k = n; k; k--) {
        const int inside = k < left && ((uint8_t)s[k] & 0xc0) == 0x80; // of a character
        const struct slot *slot = inside ? NULL : find(w, place, hash[k], s, k);
        if (slot && slot->s)
            return slot;
    }
    return NULL;
}

static void end_word(struct encoding *x)
{
    const int n_before = x->n, too_long = x->n_chars > WORD_CHARS;
    for (size_t at = 0; at < x->n_bytes;) {
        const struct slot *piece = too_long ? NULL : longest_at(x, at);
        if (!piece) { // the word as a whole is unknown
            x->n = n_before;
            put_id(x, x->w->unk);
            break;
        }
        put_id(x, piece->id);
        at += piece->n / 2;
    }
    x->n_chars = 0;
    x->n_bytes = 0;
}

// S: one character.
static void put_letter(struct encoding *x, const char *s, size_t n)
{
    if (x->n_chars++ < WORD_CHARS) {
        memcpy(x->word + x->n_bytes, s, n);
        x->n_bytes += n;
    }
    // A count that cannot overflow.
    x->n_chars = x->n_chars > WORD_CHARS ? WORD_CHARS + 1 : x->n_chars;
}

static void put_apart(struct encoding *x, const char *s, size_t n)
{
    end_word(x);
    put_letter(x, s, n);
    end_word(x);
}

static int is_cjk(utf8proc_int32_t c)
{
    return (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x2a6df) ||
           (c >= 0x2a700 && c <= 0x2ceaf) || (c >= 0x2f800 && c <= 0x2fa1f);
}

// C: one of the characters that one of the text, CJK or not, consists of.
static void put_part(struct encoding *x, utf8proc_int32_t c)
{
    const utf8proc_category_t kind = utf8proc_category(c);
    char s[4];
    if (kind == UTF8PROC_CATEGORY_MN)
        return;
    const size_t n = (size_t)utf8proc_encode_char(utf8proc_tolower(c), (utf8proc_uint8_t *)s);
    const int apart = c < 0x80 ? x->w->sort[c] == APART : is_punctuation(kind);
    (apart ? put_apart : put_letter)(x, s, n);
}

static void put_char(struct encoding *x, utf8proc_int32_t c)
{
    utf8proc_int32_t part[DECOMPOSED];
    const utf8proc_category_t kind = utf8proc_category(c);
    if (c == 0xfffd || kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF ||
        kind == UTF8PROC_CATEGORY_CO)
        return;
    if (kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_ZP) {
        end_word(x);
        return;
    }
    const int cjk = is_cjk(c);
    if (cjk)
        end_word(x);
    const utf8proc_ssize_t n =
        utf8proc_decompose_char(c, part, DECOMPOSED, UTF8PROC_DECOMPOSE, NULL);
    for (utf8proc_ssize_t i = 0; i < n && i < DECOMPOSED; i++)
        put_part(x, part[i]);
    if (cjk)
        end_word(x);
}

int wordpiece_encode(const struct wordpiece *w, const char *text, size_t n, uint32_t *ids, int most)
{
    struct encoding x = {.w = w, .ids = ids, .most = most - 1};
    put_id(&x, w->cls);
    for (size_t i = 0; i < n && x.n < x.most;) {
        const uint8_t c = (uint8_t)text[i];
        utf8proc_ssize_t bytes = 1;
        utf8proc_int32_t code;
        switch (w->sort[c]) {
        case SPACE:
            end_word(&x);
            break;
        case APART:
            put_apart(&x, text + i, 1);
            break;
        case LETTER:
            put_letter(&x, (const char *)&w->lower[c], 1);
            break;
        case NOT_ASCII:
            bytes = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                     (utf8proc_ssize_t)(n - i < 4 ? n - i : 4), &code);
            if (bytes > 0)
                put_char(&x, code);
            else
                bytes = 1;
            break;
        }
        i += (size_t)bytes;
    }
    end_word(&x);
    ids[x.n++] = w->sep;
    return x.n;
}
