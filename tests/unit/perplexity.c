#include "tests/unit/perplexity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cursor.h"
#include "io/file.h"
#include "io/mem.h"

enum { VERSION = 1, LIMIT = 1 << 20, CHUNK = 128 };

int perplexity_open(struct perplexity *p, const char *path, struct err *e)
{
    struct file_map map;
    int rc = file_map(&map, path, e);
    memset(p, 0, sizeof *p);
    if (rc)
        return rc;
    struct cursor c = {map.data, map.bytes, 0};
    const uint8_t *magic = cursor_bytes(&c, 8);
    uint32_t version = cursor_u32(&c);
    p->n_tokens = cursor_u32(&c);
    p->window = cursor_u32(&c);
    if (!magic || memcmp(magic, "LCTPERPL", 8) || version != VERSION || !p->window ||
        p->n_tokens > LIMIT || !cursor_bytes(&c, 32)) {
        rc = err_set(e, ERR_FORMAT, "%s: not a file of golden perplexities", path);
    } else {
        p->tokens = mem_new(p->n_tokens, sizeof *p->tokens, e);
        p->golden = mem_new(p->n_tokens, sizeof *p->golden, e);
        rc = p->tokens && p->golden ? 0 : ERR_NOMEM;
    }
    for (uint32_t i = 0; !rc && i < p->n_tokens; i++)
        p->tokens[i] = cursor_u32(&c);
    for (uint32_t i = 0; !rc && i < p->n_tokens; i++)
        p->golden[i] = cursor_f32(&c);
    if (!rc && (c.bad || c.left))
        rc = err_set(e, ERR_FORMAT, "%s: of another length than it says", path);
    file_unmap(&map);
    if (rc)
        perplexity_close(p);
    return rc;
}

void perplexity_close(struct perplexity *p)
{
    free(p->tokens);
    free(p->golden);
    memset(p, 0, sizeof *p);
}

double surprise(const float *logits, uint32_t n_vocab, uint32_t token)
{
    double top = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < n_vocab; i++)
        top = fmax(top, (double)logits[i]);
    for (uint32_t i = 0; i < n_vocab; i++)
        sum += exp((double)logits[i] - top);
    return top + log(sum) - (double)logits[token];
}

int perplexity_run(struct model *m, const struct perplexity *p, uint32_t n, uint32_t least,
                   clock_t end, double *own, double *golden, uint32_t *n_read, struct err *e)
{
    uint32_t n_vocab = (uint32_t)model_info(m)->n_vocab, count = 0;
    float *logits = mem_new((size_t)CHUNK * n_vocab, sizeof *logits, e);
    struct stream *s = NULL;
    int rc = logits ? 0 : ERR_NOMEM;
    *own = *golden = *n_read = 0;
    for (uint32_t at = 0, take; !rc && at < n && (!end || at < least || clock() < end);
         at += take) {
        uint32_t in = at % p->window;
        take = p->window - in < CHUNK ? p->window - in : CHUNK;
        if (!in) {
            stream_free(s);
            rc = stream_new(&s, m,
                            &(struct stream_options){.window = (int)p->window, .chunk = CHUNK}, e);
        }
        if (!rc)
            rc = forward(s,
                         &(struct forward){.tokens = p->tokens + at,
                                           .n = (int)take,
                                           .logits = logits,
                                           .n_logits = (int)take},
                         e);
        for (uint32_t i = 0; !rc && i < take && in + i + 1 < p->window; i++, count++) {
            *own += surprise(logits + (size_t)i * n_vocab, n_vocab, p->tokens[at + i + 1]);
            *golden += (double)p->golden[at + i + 1];
        }
        *n_read = at + take;
    }
    *own = exp(*own / count);
    *golden = exp(*golden / count);
    stream_free(s);
    free(logits);
    return rc;
}

int far_all(const struct kvz *k, int window, struct places *far, struct err *e)
{
    uint64_t end;
    int rc = read_tail_first(k, window, &end, e);
    *far = (struct places){.v = rc ? NULL : mem_new(end, sizeof *far->v, e)};
    for (uint64_t i = 0; far->v && i < end && !rc; i++) {
        struct kvz_block b;
        rc = kvz_block(k, i, &b, e);
        if (rc || b.flags & KVZ_SINK)
            continue;
        far->v[far->n++] = (struct place){.k = k, .block = i};
        far->tokens += (int)b.n_tokens;
    }
    return rc ? rc : far->v ? 0 : ERR_NOMEM;
}
