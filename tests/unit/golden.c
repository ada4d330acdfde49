#include "tests/unit/golden.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/mem.h"

#define CLEAR_LEAD 0.1f
enum { VERSION = 1, LIMIT = 1 << 20 };

static void *array(struct cursor *c, uint32_t n)
{
    uint32_t *v = n <= LIMIT ? calloc(n ? n : 1, sizeof *v) : NULL;
    if (!v)
        abort();
    for (uint32_t i = 0; i < n; i++)
        v[i] = cursor_u32(c);
    return v;
}

static float *floats(struct cursor *c, uint32_t n)
{
    float *v = n <= LIMIT ? calloc(n ? n : 1, sizeof *v) : NULL;
    if (!v)
        abort();
    for (uint32_t i = 0; i < n; i++)
        v[i] = cursor_f32(c);
    return v;
}

static void read_rows(struct golden *g, struct cursor *c)
{
    g->rows = calloc(g->n_tokens, sizeof *g->rows);
    g->sampled = calloc(g->n_full, sizeof *g->sampled);
    if (!g->rows || !g->sampled)
        abort();
    for (uint32_t i = 0; i < g->n_tokens; i++) {
        struct golden_row *r = &g->rows[i];
        r->top = cursor_u32(c);
        r->top_logit = cursor_f32(c);
        r->second_logit = cursor_f32(c);
        r->lse = cursor_f32(c);
        r->next_logit = cursor_f32(c);
        r->fixed = floats(c, g->n_fixed);
    }
    for (uint32_t i = 0; i < g->n_full; i++)
        g->sampled[i] = floats(c, (g->n_vocab + g->stride - 1) / g->stride);
}

static void read_chat(struct golden_chat *t, struct cursor *c)
{
    uint32_t n = cursor_u32(c);
    const uint8_t *text = cursor_bytes(c, n);
    t->question = calloc(c->bad ? 1 : (size_t)n + 1, 1);
    if (!t->question)
        abort();
    if (text)
        memcpy(t->question, text, n);
    t->n_prompt = cursor_u32(c);
    t->prompt = array(c, t->n_prompt);
    t->n_answer = cursor_u32(c);
    t->answer = array(c, t->n_answer);
    t->lead = floats(c, t->n_answer);
}

int golden_open(struct golden *g, const char *path, struct err *e)
{
    struct file_map map;
    int rc = file_map(&map, path, e);
    memset(g, 0, sizeof *g);
    if (rc)
        return rc;
    struct cursor c = {map.data, map.bytes, 0};
    const uint8_t *magic = cursor_bytes(&c, 8);
    uint32_t version = cursor_u32(&c);
    g->n_vocab = cursor_u32(&c);
    g->n_tokens = cursor_u32(&c);
    g->n_fixed = cursor_u32(&c);
    g->n_full = cursor_u32(&c);
    g->stride = cursor_u32(&c);
    g->n_chats = cursor_u32(&c);
    const uint8_t *sha = cursor_bytes(&c, sizeof g->sha256);
    if (!magic || !sha || memcmp(magic, "LCTLOGIT", 8) || version != VERSION || !g->stride ||
        g->n_chats > GOLDEN_CHATS || g->n_tokens > LIMIT || g->n_full > LIMIT) {
        file_unmap(&map);
        return err_set(e, ERR_FORMAT, "%s: not a file of golden logits", path);
    }
    memcpy(g->sha256, sha, sizeof g->sha256);
    g->tokens = array(&c, g->n_tokens);
    g->fixed = array(&c, g->n_fixed);
    g->full = array(&c, g->n_full);
    read_rows(g, &c);
    for (uint32_t i = 0; i < g->n_chats; i++)
        read_chat(&g->chats[i], &c);
    file_unmap(&map);
    if (c.bad || c.left) {
        golden_close(g);
        return err_set(e, ERR_FORMAT, "%s: not as long as it should be", path);
    }
    return 0;
}

void golden_close(struct golden *g)
{
    for (uint32_t i = 0; g->rows && i < g->n_tokens; i++)
        free(g->rows[i].fixed);
    for (uint32_t i = 0; g->sampled && i < g->n_full; i++)
        free(g->sampled[i]);
    for (uint32_t i = 0; i < g->n_chats; i++) {
        free(g->chats[i].question);
        free(g->chats[i].prompt);
        free(g->chats[i].answer);
        free(g->chats[i].lead);
    }
    free(g->tokens);
    free(g->fixed);
    free(g->full);
    free(g->rows);
    free(g->sampled);
    memset(g, 0, sizeof *g);
}

// A NaN is the largest difference of all.
static void widen(double *max, double a, double b)
{
    double d = fabs(a - b);
    if (!(d <= *max))
        *max = isnan(d) ? INFINITY : d;
}

void golden_compare(const struct golden *g, uint32_t position, const float *logits,
                    struct golden_sum *sum)
{
    const struct golden_row *r = &g->rows[position];
    uint32_t top = 0;
    double total = 0;
    for (uint32_t i = 1; i < g->n_vocab; i++)
        if (logits[i] > logits[top])
            top = i;
    for (uint32_t i = 0; i < g->n_vocab; i++)
        total += exp((double)logits[i] - logits[top]);
    double lse = logits[top] + log(total);

    int clear = r->top_logit - r->second_logit > CLEAR_LEAD;
    sum->n++;
    sum->same_top += top == r->top;
    sum->clear_tops += clear;
    sum->same_clear_top += clear && top == r->top;
    double worst = 0;
    widen(&worst, lse, r->lse);
    widen(&worst, logits[r->top], r->top_logit);
    for (uint32_t i = 0; i < g->n_fixed; i++) {
        double d = (double)logits[g->fixed[i]] - r->fixed[i];
        widen(&worst, d, 0);
        sum->squares += d * d;
    }
    for (uint32_t f = 0; f < g->n_full; f++)
        for (uint32_t i = 0; g->full[f] == position && i * g->stride < g->n_vocab; i++)
            widen(&worst, logits[i * g->stride], g->sampled[f][i]);
    if (position + 1 < g->n_tokens) {
        widen(&worst, logits[g->tokens[position + 1]], r->next_logit);
        sum->n_next++;
        sum->nll += lse - logits[g->tokens[position + 1]];
        sum->golden_nll += (double)r->lse - r->next_logit;
    }
    widen(&sum->max_diff, worst, 0);
    widen(&sum->max_relative, worst / fabs((double)r->top_logit), 0);
}
