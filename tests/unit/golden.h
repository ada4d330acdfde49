// Reads tests/golden/*-logits.bin, whose layout tests/golden/README describes.
//
//     struct golden g;
//     if (golden_open(&g, "tests/golden/tiny/llama-logits.bin", &e)) ...
//     golden_compare(&g, position, logits, &sum);       // for each position
//     golden_close(&g);
#ifndef LCTOOL_TESTS_UNIT_GOLDEN_H
#define LCTOOL_TESTS_UNIT_GOLDEN_H

#include <stdint.h>

#include "io/err.h"
#include "io/file.h"

enum { GOLDEN_CHATS = 8 };

struct golden_row {
    uint32_t top;
    float top_logit, second_logit, lse, next_logit;
    float *fixed; // [n_fixed]
};

struct golden_chat {
    char *question;
    uint32_t n_prompt, n_answer;
    uint32_t *prompt, *answer;
    float *lead; // [n_answer]
};

struct golden {
    uint32_t n_vocab, n_tokens, n_fixed, n_full, stride, n_chats;
    uint8_t sha256[32];
    uint32_t *tokens, *fixed, *full;
    struct golden_row *rows; // [n_tokens]
    float **sampled;         // [n_full]: every stride-th logit
    struct golden_chat chats[GOLDEN_CHATS];
};

int golden_open(struct golden *g, const char *path, struct err *e);
void golden_close(struct golden *g);

// What a run of comparisons found.
struct golden_sum {
    int n, same_top, clear_tops,
        same_clear_top;     // clear: the best leads the second by more than 0.1
    double max_diff;        // of any logit, or of the log-sum-exp
    double max_relative;    // the same, by the largest logit of its position
    double squares;         // of the differences of fixed logits
    int n_next;             // positions that have a next token
    double nll, golden_nll; // summed over those
};
void golden_compare(const struct golden *g, uint32_t position, const float *logits,
                    struct golden_sum *sum);

#endif
