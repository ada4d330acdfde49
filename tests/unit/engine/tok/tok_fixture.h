// What the tokenizer's tests share: the golden text and the vocabularies of tests/golden/tok/.
#ifndef LCTOOL_TESTS_UNIT_ENGINE_TOK_TOK_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ENGINE_TOK_TOK_FIXTURE_H

#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "engine/tok/tok.h"
#include "kernels/quant.h"

#define GOLDEN "tests/golden/tok/"

// What the file PATH holds once it is unpacked, N bytes; to be freed.
char *gunzip(const char *path, size_t *n);
// As gguf_open() on these bytes.
int open_gguf_bytes(struct gguf **g, const char *p, size_t n, struct err *e);
// The GGUF file P with another pre-tokeniser, to be freed: its key is the last, which makes this
// easy.
char *with_pre(const char *p, size_t n, const char *pre, size_t *out_n);

struct vocabulary {
    struct gguf *g;
    struct tok *t;
};

// FILE of tests/golden/tok/, with PRE in place of its own unless NULL.
struct vocabulary open_vocabulary(const char *file, const char *pre);
void close_vocabulary(struct vocabulary *v);

// tok_encode and tok_stream_feed, which must not fail here.
struct tok_list encode_tokens(const struct tok *t, const char *p, size_t n, int flags);
void feed_tokens(struct tok_stream *s, const char *p, size_t n, int final, struct tok_list *l);

// CUT, where the text of B was cut, is for the message.
void assert_same_tokens(const struct tok_list *a, const struct tok_list *b, size_t cut);
size_t sum_bytes(const struct tok_list *l);
uint32_t random_step(uint64_t *x);

#endif
