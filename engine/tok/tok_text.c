// Tokens back to text, whole characters at a time.
#include <stdlib.h>
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/mem.h"

struct tok_text {
    const struct tok *t;
    int show_special;
    uint8_t held[4]; // the beginning of a character
    size_t n_held;
    uint8_t *in, *out; // room for the longest piece, each byte of which may become U+FFFD
};

int tok_text_new(struct tok_text **out, const struct tok *t, int show_special, struct err *e)
{
    struct tok_text *x = mem_new(1, sizeof *x, e);
    size_t longest = 0;
    if (!x)
        return ERR_NOMEM;
    for (uint32_t id = 0; id < t->n; id++)
        if (t->off[id + 1] - t->off[id] > longest)
            longest = t->off[id + 1] - t->off[id];
    x->t = t;
    x->show_special = show_special;
    x->in = mem_new(longest + sizeof x->held, 1, e);
    x->out = mem_new(longest + sizeof x->held, 3, e);
    if (!x->in || !x->out) {
        tok_text_free(x);
        return ERR_NOMEM;
    }
    *out = x;
    return 0;
}

const char *tok_text_push(struct tok_text *x, uint32_t id, size_t *n)
{
    const struct tok *t = x->t;
    *n = 0;
    if (id >= t->n)
        return "";
    int special = t->type[id] == PIECE_CONTROL || t->type[id] == PIECE_UNKNOWN;
    if (special && !x->show_special)
        return "";
    size_t bytes = t->off[id + 1] - t->off[id], have = x->n_held + bytes;
    memcpy(x->in, x->held, x->n_held);
    memcpy(x->in + x->n_held, t->text + t->off[id], bytes);
    x->n_held = 0;
    for (size_t i = 0; i < have;) {
        uint32_t code;
        int k = tok_utf8(x->in + i, have - i, &code);
        if (!k) {
            memcpy(x->held, x->in + i, x->n_held = have - i);
            break;
        }
        memcpy(x->out + *n, k > 0 ? x->in + i : (const uint8_t *)"\xef\xbf\xbd",
               k > 0 ? (size_t)k : 3);
        *n += k > 0 ? (size_t)k : 3;
        i += (size_t)abs(k);
    }
    return (const char *)x->out;
}

const char *tok_text_end(struct tok_text *x, size_t *n)
{
    *n = x->n_held ? 3 : 0;
    x->n_held = 0;
    return "\xef\xbf\xbd";
}

void tok_text_free(struct tok_text *x)
{
    if (!x)
        return;
    free(x->in);
    free(x->out);
    free(x);
}
