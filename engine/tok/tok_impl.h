// Inside the tokenizer: what tok.c reads from the file and the other tok_*.c work with.
//
// The way of a text: tok_valid.c makes it valid UTF-8 and remembers what it changed; it is cut at
// added tokens, then into pieces that merge independently of each other (byte-level BPE: by the
// regular expressions of tok_pre.c; SentencePiece: where no vocabulary piece can reach across,
// tok_spm.c); tok_merge.c joins each piece's bytes or characters into tokens.
#ifndef LCTOOL_ENGINE_TOK_TOK_IMPL_H
#define LCTOOL_ENGINE_TOK_TOK_IMPL_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "engine/tok/tok.h"
#include "io/gguf.h"

enum {
    TOK_MAX_STAGES = 6,
    // A piece is cut here, at a character border, and its parts are merged apart: bounds the memory
    // of a stream. Only runs of more than a million letters, or spaces, or ... ever notice.
    TOK_MAX_PIECE = 1 << 20,
};

enum piece_type { // numbers of tokenizer.ggml.token_type
    PIECE_NORMAL = 1,
    PIECE_UNKNOWN,
    PIECE_CONTROL,
    PIECE_USER, // added, but ordinary text: always recognised
    PIECE_UNUSED,
    PIECE_BYTE,
};

// One pre-tokeniser: the expressions are applied in turn, each to the pieces that the one before
// made; a match is a piece, and so is what lies between two matches.
struct pre {
    const char *names; // as tokenizer.ggml.pre spells them, each with a space before and after
    int whole;         // a piece that is in the vocabulary is that token, whatever the merges say
    int bos;           // BOS is added unless the file says otherwise
    const char *re[TOK_MAX_STAGES];
};
// The White_Space property.
int tok_is_space(uint32_t code);

const struct pre *tok_pre_find(const char *name, size_t n);
const char *tok_pre_list(char *buf, size_t cap); // one name a row, for a message; returns BUF

// Tokens found in the text before anything else, sorted by their text.
struct added {
    uint32_t *id;
    size_t n;
    uint8_t first[256]; // which bytes begin one
};

struct merge {
    uint64_t pair; // left id << 32 | right id; an empty slot has id NO_PIECE
    uint32_t rank, id;
};

#define NO_PIECE UINT32_MAX

enum tok_kind { TOK_BPE, TOK_SPM };

struct tok {
    const char *path; // of the model, borrowed
    enum tok_kind kind;
    uint32_t n;                // pieces
    uint8_t *text;             // of all pieces, as bytes of text (SentencePiece: "▁" is ' ')
    uint32_t *off;             // [n + 1] into text
    uint8_t *type;             // [n] enum piece_type
    uint32_t *slot, slot_mask; // text -> id, open addressing, for pieces that text can become
    uint32_t byte_id[256];     // NO_PIECE: the vocabulary lacks that byte
    struct added user, all;    // recognised always; recognised with TOK_SPECIAL
    uint8_t *end;              // [n] 1: end of text or of turn
    uint8_t *strips;           // NULL, or [n] 1: white space behind this token belongs to it
    int64_t bos;
    int add_bos, add_space;
    uint64_t digest;
    char pre_name[64];

    // TOK_BPE
    const struct pre *pre;
    struct merge *merge;
    uint32_t merge_mask;
    pcre2_code *re[TOK_MAX_STAGES];
    int n_re;

    // TOK_SPM
    uint32_t *rank;    // [n] 0: the best score; equal scores have equal ranks
    uint8_t *adjacent; // bit set over pairs of characters that some piece holds side by side
};

// Piece whose text is these bytes, or NO_PIECE.
uint32_t tok_lookup(const struct tok *t, const uint8_t *s, size_t n);
int tok_add_slot(struct tok *t, uint32_t id); // makes tok_lookup find it; first come, first served

// Fill in their part of T after the pieces are there.
int tok_bpe_open(struct tok *t, const struct gguf *g, struct err *e);
int tok_spm_open(struct tok *t, const struct gguf *g, struct err *e);
void tok_bpe_close(struct tok *t);
void tok_spm_close(struct tok *t);

// The bytes that a byte-level piece S stands for, written to OUT (at least N bytes); their count.
// A character that stands for no byte is kept as it is.
size_t tok_bpe_bytes(const char *s, size_t n, uint8_t *out);

// 1 when no piece of a SentencePiece vocabulary holds these two characters side by side.
int tok_spm_border(const struct tok *t, uint32_t left, uint32_t right);

// Merging one piece. The scratch keeps its memory from piece to piece.
struct part {
    uint32_t id; // NO_PIECE: a SentencePiece character without a piece of its own
    uint32_t bytes;
};
struct symbol {
    uint32_t id, at, bytes; // bytes 0: joined to its left neighbour
    uint32_t prev, next;
};
struct candidate {
    uint64_t key; // rank << 32 | index of the left symbol: best first, then leftmost
    uint32_t id, bytes;
};
struct merger {
    struct symbol *sym;
    struct candidate *heap;
    struct part *part; // the result
    size_t n_sym, n_heap, n_part, cap_sym, cap_heap, cap_part;
};
// Parts of TEXT (n <= TOK_MAX_PIECE + 1), in m->part[0 .. m->n_part), whose bytes add up to N less
// *LEAD: the bytes at the start that the vocabulary cannot express and drops. Such bytes further
// on are counted with the part before them.
int tok_merge(const struct tok *t, struct merger *m, const uint8_t *text, size_t n, size_t *lead,
              struct err *e);
void tok_merger_done(struct merger *m);

// The longest added token that begins at S[0]: its id, or NO_PIECE. *MORE is set when the text ends
// inside one that would be longer.
uint32_t tok_added_at(const struct tok *t, const struct added *a, const uint8_t *s, size_t n,
                      int *more);

// Bytes of the UTF-8 character at S[0] as *CODE; when they are not one: minus the length of the
// maximal subpart; 0 when the text ends inside a character that is right so far.
int tok_utf8(const uint8_t *s, size_t n, uint32_t *code);

#endif
