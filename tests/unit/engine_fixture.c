#define _GNU_SOURCE
#include "tests/unit/engine_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/passage/sentence.h"
#include "io/file.h"
#include "tests/unit/ok.h"
#include "tests/unit/tiny_model.h"

struct engine_fixture F;

FILE *begin_file(const char *name)
{
    FILE *f = fopen(in_dir(name), "w");
    assert_non_null(f);
    return f;
}

void end_file(FILE *f)
{
    assert_false(ferror(f));
    assert_int_equal(fclose(f), 0);
}

void write_text(const char *name, int sentences, uint32_t seed)
{
    static const char *const words[] = {"the",  "river", "carried", "a",     "small",   "wooden",
                                        "boat", "under", "seven",   "stone", "bridges", "while",
                                        "rain", "fell",  "on",      "every", "roof",    "of",
                                        "town", "and",   "nobody",  "spoke", "before",  "noon"};
    FILE *f = begin_file(name);
    for (int i = 0; i < sentences; i++) {
        for (int w = 0; w < 9; w++) {
            seed = seed * 1664525u + 1013904223u;
            fprintf(f, "%s ", words[seed >> 16 & 15 ? (seed >> 20) % 24 : (uint32_t)w]);
        }
        fprintf(f, "%d.\n", i);
    }
    end_file(f);
}

int engine_set_up(void **state)
{
    assert_int_equal(own_dir_make(state), 0);
    OK(device_open(&F.d, &(struct device_options){.name = "cpu", .threads = 2}, NULL, 0, e));
    OK(tiny_model_write(in_dir("tiny.gguf"), &(struct tiny_options){.n_layers = 3}, e));
    OK(model_open(&F.m, in_dir("tiny.gguf"), F.d, e));
    write_text("a.txt", 120, 1);
    write_text("b.txt", 40, 2);
    write_text("more.txt", 40, 3);
    return 0;
}

int engine_tear_down(void **state)
{
    model_close(F.m);
    device_close(F.d);
    return own_dir_remove(state);
}

struct encode_options small(const char *const *inputs, int n, const char *out)
{
    return (struct encode_options){.inputs = inputs,
                                   .n_inputs = n,
                                   .out = out,
                                   .window = 128,
                                   .sinks = 32,
                                   .block = 16,
                                   .chunk = 64};
}

void encode_ok(struct encode_options o, struct encode_result *r)
{
    struct encode_result unused;
    o.force = !o.append;
    OK(encode_documents(F.m, &o, r ? r : &unused, e));
}

void same_file(const char *a, const char *b)
{
    char *x, *y;
    size_t nx, ny;
    OK(file_slurp(a, 1u << 30, &x, &nx, e));
    OK(file_slurp(b, 1u << 30, &y, &ny, e));
    assert_int_equal(nx, ny);
    assert_memory_equal(x, y, nx);
    free(x);
    free(y);
}

struct kvz *open_ok(const char *path)
{
    struct kvz *k;
    OK(kvz_open(&k, path, e));
    return k;
}

struct kvz *index_file(const char *name, int block)
{
    char out[64];
    snprintf(out, sizeof out, "%s.kvz", name);
    const char *in[] = {in_dir(name)};
    struct encode_options o = small(in, 1, in_dir(out));
    if (block)
        o.block = block;
    encode_ok(o, NULL);
    return open_ok(o.out);
}

struct kvz *index_text(const char *name, const char *text)
{
    FILE *f = begin_file(name);
    fputs(text, f);
    end_file(f);
    return index_file(name, 0);
}

int next_sentence(struct sentence_walk *x)
{
    enum { MOST = sizeof x->tokens / sizeof *x->tokens };
    sentence_done(&x->v);
    for (; x->at == x->n; x->at = 0) {
        if (x->next == kvz_n_blocks(x->k))
            return 0;
        x->block = x->next++;
        OK(sentence_tokens(x->k, x->block, x->tokens, MOST, &x->n, e));
    }
    x->token = x->tokens[x->at++];
    OK(sentence_around(&x->v, x->k, x->block, &x->token, e));
    return 1;
}

void find_sentence(const struct kvz *k, const char *text, uint64_t *block, uint32_t *token)
{
    for (struct sentence_walk x = {.k = k}; next_sentence(&x);) {
        *block = x.block;
        *token = x.token;
        if (!strncmp(x.v.text, text, strlen(text))) {
            sentence_done(&x.v);
            return;
        }
    }
    fail_msg("no block has '%s'", text);
}
