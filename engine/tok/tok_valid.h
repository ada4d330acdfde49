// A document's text as valid UTF-8, and where that differs from the source: a NUL and what is not
// UTF-8 become U+FFFD, and "▁", with which SentencePiece writes a space, becomes one. Positions
// count bytes of the valid text from its begin.
//
//     struct tok_valid v = {0};
//     if (valid_take(&v, text, n, &e)) ...        // v.buf [v.n] from position v.base on
//     valid_source_bytes(&v, from, to);           // of the source, in order: each byte is asked for once
//     valid_forget(&v, from); ... valid_done(&v);
#ifndef LCTOOL_ENGINE_TOK_TOK_VALID_H
#define LCTOOL_ENGINE_TOK_TOK_VALID_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

struct fix { // [at, at + bytes) of the text stands for SOURCE bytes
    uint64_t at;
    uint8_t bytes, source;
};

struct tok_valid {
    int marks_spaces; // the vocabulary writes "▁" for a space
    uint8_t held[4];  // a character that the last piece of input broke off
    size_t n_held;
    uint8_t *buf;
    size_t n, cap;
    uint64_t base; // position of buf[0]
    struct fix *fix;
    size_t n_fix, cap_fix, fix_at;
};

// Appends TEXT; an unfinished character at the end is held back.
int valid_take(struct tok_valid *v, const uint8_t *text, size_t n, struct err *e);
// A character that the document ends in the middle of.
int valid_take_broken(struct tok_valid *v, struct err *e);
// Source bytes behind [from, to). A replacement character that falls into several tokens counts one
// byte in each until its source's bytes are spent, the rest in the last.
uint32_t valid_source_bytes(struct tok_valid *v, uint64_t from, uint64_t to);
// What lies before FROM is done with, and is forgotten once it is most of what there is.
void valid_forget(struct tok_valid *v, uint64_t from);
void valid_done(struct tok_valid *v);

#endif
