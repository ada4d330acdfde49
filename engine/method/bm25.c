#include "engine/method/bm25.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

enum { WORD = 5, MAX_WORDS = 64 };
static const double K1 = 1.2, B = 0.75;

struct word {
    char stem[WORD];
    int in_blocks;
};

struct bm25 {
    struct word words[MAX_WORDS]; // of the question, each once
    int n_words;
    int64_t n_blocks;
    uint16_t *count;              // [n_blocks][n_words]
    uint32_t *length;             // [n_blocks] words
    double mean;
};

static int is_word(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;
}

// The next word of P[*AT..N) as its stem, padded with NUL; 0 at the end.
static int next_word(const char *p, size_t n, size_t *at, char stem[WORD])
{
    while (*at < n && !is_word((unsigned char)p[*at]))
        ++*at;
    if (*at >= n)
        return 0;
    memset(stem, 0, WORD);
    for (size_t i = 0; *at < n && is_word((unsigned char)p[*at]); i++, ++*at)
        if (i < WORD)
            stem[i] = (char)(p[*at] >= 'A' && p[*at] <= 'Z' ? p[*at] + ('a' - 'A') : p[*at]);
    return 1;
}

static int find(const struct bm25 *b, const char stem[WORD])
{
    for (int i = 0; i < b->n_words; i++)
        if (!memcmp(b->words[i].stem, stem, WORD))
            return i;
    return -1;
}

static void count_words(struct bm25 *b, const char *text, size_t bytes, int64_t row)
{
    size_t at = 0;
    char stem[WORD];
    uint16_t *count = b->count + row * b->n_words;
    while (next_word(text, bytes, &at, stem)) {
        int w = find(b, stem);
        b->length[row]++;
        if (w >= 0 && count[w] < UINT16_MAX)
            b->words[w].in_blocks += count[w]++ == 0;
    }
    b->mean += (double)b->length[row] / (double)b->n_blocks;
}

// All blocks of an index, from ROW on. Their text is in one place, or, of older indexes, in their records.
static int count_index(struct bm25 *b, struct kvz *k, int64_t row, struct err *e)
{
    const char *all;
    uint64_t left, n_blocks = kvz_n_blocks(k);
    int rc = kvz_text(k, &all, &left, e);
    for (uint64_t i = 0; !rc && i < n_blocks; i++, row++) {
        struct kvz_block info;
        if ((rc = kvz_block(k, i, &info, e)))
            break;
        size_t bytes = (size_t)(info.end - info.start);
        if (all && bytes > left)
            return err_set(e, ERR_FORMAT, "%s: section TEXT is too short", kvz_path(k));
        if (all) {
            count_words(b, all, bytes, row);
            all += bytes;
            left -= bytes;
            continue;
        }
        char *text = mem_new(bytes + 1, 1, e);
        if (!text)
            return ERR_NOMEM;
        if (!(rc = kvz_read_text(k, i, text, e)))
            count_words(b, text, bytes, row);
        free(text);
    }
    return rc;
}

static double score_of(const struct bm25 *b, int64_t row, double *cover)
{
    double sum = 0, has = 0, all = 0, scale = K1 * (1 - B + (b->mean > 0 ? B * b->length[row] / b->mean : 0));
    for (int w = 0; w < b->n_words; w++) {
        double n = b->words[w].in_blocks, tf = b->count[row * b->n_words + w];
        double idf = log(1 + ((double)b->n_blocks - n + 0.5) / (n + 0.5));
        sum += tf > 0 ? idf * tf * (K1 + 1) / (tf + scale) : 0;
        has += tf > 0 ? idf : 0;
        all += idf;
    }
    *cover = all > 0 ? has / all : 0;
    return sum;
}

int bm25_scores(struct kvz *const *indexes, int n_indexes, const char *question, double *score,
                double *cover, struct err *e)
{
    struct bm25 *b = mem_new(1, sizeof *b, e);
    if (!b)
        return ERR_NOMEM;
    char stem[WORD];
    for (size_t at = 0; b->n_words < MAX_WORDS && next_word(question, strlen(question), &at, stem);)
        if (find(b, stem) < 0)
            memcpy(b->words[b->n_words++].stem, stem, WORD);
    for (int i = 0; i < n_indexes; i++)
        b->n_blocks += (int64_t)kvz_n_blocks(indexes[i]);
    b->count = mem_new((size_t)b->n_blocks * (size_t)b->n_words, sizeof *b->count, e);
    b->length = mem_new((size_t)b->n_blocks, sizeof *b->length, e);
    int rc = b->count && b->length ? 0 : ERR_NOMEM;
    int64_t row = 0;
    for (int i = 0; !rc && i < n_indexes; row += (int64_t)kvz_n_blocks(indexes[i++]))
        rc = count_index(b, indexes[i], row, e);
    for (row = 0; !rc && row < b->n_blocks; row++)
        score[row] = score_of(b, row, &cover[row]);
    free(b->count);
    free(b->length);
    free(b);
    return rc;
}
