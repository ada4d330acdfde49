// The tokenizer that a GGUF file carries: text to tokens with byte counts, and back.
//
//     struct tok *t;
//     if (tok_open(&t, gguf, &e)) ...
//     struct tok_list l = {0};
//     if (tok_encode(t, text, bytes, TOK_PLAIN, &l, &e)) ...      // appends to l
//     for (i = 0; i < l.n; i++) l.v[i].id, l.v[i].bytes           // the bytes add up to the text's
//     tok_list_free(&l);
//
// Documents are tokenised as a stream (tok_stream_*): the tokens are those of the whole document,
// however it is cut into pieces, and memory does not grow with it.
//
// Invalid input: each maximal run that is not UTF-8 (Unicode's substitution of maximal subparts)
// and each NUL is replaced by U+FFFD before tokenising; its token still counts the original bytes.
// When U+FFFD falls into several tokens, each counts one of those bytes until they are spent, the
// last one the rest. A vocabulary may lack a byte altogether (SmolLM2's lacks six control
// characters): no token comes of it, and it is counted with the token before it, or after it where
// none is before; a text of nothing else has no tokens.
//
// What tokens depend on beside the file: the Unicode version of PCRE2, for characters that were not
// yet assigned in the other's. And a run of more than a megabyte that the pre-tokeniser (or a
// SentencePiece vocabulary) would keep in one piece is cut there. Text is not normalised: GGUF does
// not say that it should be (Qwen's own tokenizer composes first; composed text is the same).
#ifndef LCTOOL_ENGINE_TOK_TOK_H
#define LCTOOL_ENGINE_TOK_TOK_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"
#include "io/gguf.h"

struct tok;

struct token {
    uint32_t id;
    uint32_t bytes; // of the source text that this token stands for; 0 for an added BOS
};

struct tok_list {
    struct token *v;
    size_t n, cap;
};
void tok_list_free(struct tok_list *l);

enum tok_flags {
    TOK_PLAIN = 0,   // "<|im_end|>" in the text is ordinary text; added tokens that are ordinary
                     // text themselves (type "user defined": runs of spaces) are recognised
    TOK_SPECIAL = 1, // control tokens are recognised in the text as well
    TOK_START = 2,   // the start of a sequence: BOS and space prefix, where the model wants them
};

// Borrows G until tok_close(). ERR_UNSUPPORTED names a tokenizer or pre-tokenizer not known here.
int tok_open(struct tok **out, const struct gguf *g, struct err *e);
void tok_close(struct tok *t);

// Appends the tokens of TEXT to OUT.
int tok_encode(const struct tok *t, const char *text, size_t bytes, int flags, struct tok_list *out,
               struct err *e);

// A stream of one document, FLAGS as above. Feed its bytes in any pieces; tokens that no later
// byte can change are appended to OUT. FINAL with the last piece (which may be empty).
struct tok_stream;
int tok_stream_new(struct tok_stream **out, const struct tok *t, int flags, struct err *e);
int tok_stream_feed(struct tok_stream *s, const char *text, size_t bytes, int final,
                    struct tok_list *out, struct err *e);
void tok_stream_free(struct tok_stream *s);

uint32_t tok_n_vocab(const struct tok *t);        // for tests
const char *tok_model_name(const struct tok *t);  // "gpt2", "llama"
const char *tok_pre_name(const struct tok *t);    // "smollm", ...; "" where it has none
uint64_t tok_digest(const struct tok *t);         // of all that shapes tokens: for fingerprints
int tok_is_end(const struct tok *t, uint32_t id); // end of text or end of turn
// The id of a special token's text, or -1; for tok.c and tests.
int64_t tok_find(const struct tok *t, const char *piece);

// Text of tokens as it comes, never half a character: tok_text_push returns the bytes that are
// complete now (valid until the next call), *N their count; tok_text_end what is left, with a
// broken character as U+FFFD. Control and special tokens yield nothing unless SHOW_SPECIAL.
struct tok_text;
int tok_text_new(struct tok_text **out, const struct tok *t, int show_special, struct err *e);
const char *tok_text_push(struct tok_text *x, uint32_t id, size_t *n);
const char *tok_text_end(struct tok_text *x, size_t *n);
void tok_text_free(struct tok_text *x);

#endif
