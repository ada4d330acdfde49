#include "engine/stream/queue.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

struct item *queue_push(struct queue *q, enum item_kind kind, struct err *e)
{
    if (MEM_GROW(q->v, q->cap, q->n + 1, e))
        return NULL;
    struct item *it = &q->v[q->n++];
    *it = (struct item){.kind = kind};
    return it;
}

void queue_item_done(struct item *it)
{
    free(it->name);
    free(it->format);
    free(it->tokens);
    free(it->token_bytes);
    free(it->text);
    free(it->picks);
    *it = (struct item){.kind = it->kind};
}

void queue_pop(struct queue *q)
{
    queue_item_done(&q->v[0]);
    memmove(q->v, q->v + 1, --q->n * sizeof *q->v);
}

void queue_done(struct queue *q)
{
    for (size_t i = 0; i < q->n; i++)
        queue_item_done(&q->v[i]);
    free(q->v);
    *q = (struct queue){0};
}

static int put_str(struct bytes *b, const char *s, size_t n, struct err *e)
{
    int rc = bytes_put_u64(b, n, e);
    return rc ? rc : bytes_put(b, s, n, e);
}

int queue_save(const struct queue *q, struct bytes *b, struct err *e)
{
    int rc = bytes_put_u64(b, q->n, e);
    for (size_t i = 0; !rc && i < q->n; i++) {
        const struct item *it = &q->v[i];
        const char *name = it->name ? it->name : "", *format = it->format ? it->format : "";
        if ((rc = bytes_put_u64(b, it->kind, e)) || (rc = put_str(b, name, strlen(name), e)) ||
            (rc = put_str(b, format, strlen(format), e)) || (rc = bytes_put_u64(b, it->bytes, e)) ||
            (rc = bytes_put_u64(b, it->digest, e)) || (rc = bytes_put_u64(b, it->flags, e)) ||
            (rc = bytes_put_u64(b, it->written, e)) || (rc = bytes_put_u64(b, it->n_tokens, e)))
            break;
        // A block that is written already has left its tokens in the file.
        uint32_t n = it->tokens ? it->n_tokens : 0;
        if ((rc = bytes_put_u64(b, n, e)) || (rc = bytes_put(b, it->tokens, (size_t)n * 4, e)) ||
            (rc = bytes_put(b, it->token_bytes, (size_t)n * 4, e)))
            break;
        if (!(rc = put_str(b, it->text, it->text_bytes, e)))
            rc = put_str(b, (const char *)it->picks, it->picks_bytes, e);
    }
    return rc;
}

// N bytes of the cursor as a new allocation that ends with a NUL. NULL where they are not there,
// which sets c->bad, and where memory is out, which sets *RC.
static void *take(struct cursor *c, uint64_t n, int *rc, struct err *e)
{
    const uint8_t *p = n <= c->left ? cursor_bytes(c, n) : NULL;
    char *out = p ? mem_new(n + 1, 1, e) : NULL;
    if (!p)
        c->bad = 1;
    else if (!out)
        *rc = ERR_NOMEM;
    else
        memcpy(out, p, n);
    return out;
}

int queue_load(struct queue *q, struct cursor *c, struct err *e)
{
    uint64_t n = cursor_u64(c);
    int rc = 0;
    for (uint64_t i = 0; i < n && !c->bad && !rc; i++) {
        struct item *it = queue_push(q, (enum item_kind)cursor_u64(c), e);
        if (!it)
            return ERR_NOMEM;
        it->name = take(c, cursor_u64(c), &rc, e);
        it->format = take(c, cursor_u64(c), &rc, e);
        it->bytes = cursor_u64(c);
        it->digest = cursor_u64(c);
        it->flags = (uint32_t)cursor_u64(c);
        it->written = (uint32_t)cursor_u64(c);
        it->n_tokens = (uint32_t)cursor_u64(c);
        uint64_t n_tokens = cursor_u64(c);
        if ((n_tokens && n_tokens != it->n_tokens) || n_tokens > c->left / 8)
            c->bad = 1;
        if (n_tokens) {
            it->tokens = take(c, n_tokens * 4, &rc, e);
            it->token_bytes = take(c, n_tokens * 4, &rc, e);
        }
        it->text_bytes = (uint32_t)cursor_u64(c);
        it->text = take(c, it->text_bytes, &rc, e);
        it->picks_bytes = (uint32_t)cursor_u64(c);
        it->picks = take(c, it->picks_bytes, &rc, e);
    }
    if (!rc && c->bad)
        rc = err_set(e, ERR_FORMAT, "the saved state is damaged");
    return rc;
}
