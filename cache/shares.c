// How many bytes of an index kv heads take.
#include <string.h>

#include "cache/codec.h"
#include "cache/coded.h"
#include "cache/reader.h"
#include "cache/record.h"

// The basis that kvz_open has checked; NULL if the codec is not fitted.
static const struct basis *basis_of(const struct kvz *k)
{
    struct err e;
    const struct basis *b;
    return reader_basis(k, &b, &e) ? NULL : b;
}

uint32_t kvz_heads_together(const struct kvz *k)
{
    const struct basis *b = basis_of(k);
    return b ? b->group : 1;
}

int kvz_head_is_near(const struct kvz *k, uint32_t layer, uint32_t head)
{
    const struct basis *b = basis_of(k);
    return b && basis_is_near(b, layer, head);
}

// All heads have the same number of symbols and are deflated together: each gets an equal share.
static void even_shares(const struct record_layer *y, uint32_t together, uint64_t *out)
{
    const int rotated = y->codec->id == CODEC_ROTATED;
    const uint64_t bits[2] = {rotated ? y->data[1] : 8, rotated ? y->data[2] : 8};
    const uint32_t n_kv_heads = y->shape.n_kv_heads;
    uint64_t done = 0, sum = 0;
    for (uint32_t i = 0; i < 2 * n_kv_heads; i++) {
        sum += bits[i % 2];
        uint64_t to = y->bytes * sum / ((bits[0] + bits[1]) * n_kv_heads);
        out[i / 2 / together * 2 + i % 2] += to - done;
        done = to;
    }
}

static int shares_of_block(const struct kvz *k, const struct record *r, uint64_t *out,
                           struct err *e)
{
    const struct kvz_meta *m = &k->meta;
    const uint32_t together = kvz_heads_together(k), groups = m->n_kv_heads / together;
    int rc = 0;
    for (uint32_t l = 0; !rc && l < m->n_layers; l++, out += 2 * groups) {
        struct record_layer y;
        if ((rc = record_check_layer(r, m, basis_of(k), l, &y, e)))
            break;
        if (codec_is_fitted(y.codec->id))
            rc = coded_shares(&y.shape, y.data, y.bytes, out, e);
        else
            even_shares(&y, together, out);
    }
    return rc;
}

int kvz_head_bytes(const struct kvz *k, uint64_t *bytes, struct err *e)
{
    memset(bytes, 0,
           2 * (size_t)k->meta.n_layers * (k->meta.n_kv_heads / kvz_heads_together(k)) *
               sizeof *bytes);
    for (uint64_t i = 0; i < k->head.n_blocks; i++) {
        struct record r;
        struct err why;
        int rc = reader_record(k, i, &r, &why);
        if (!rc)
            rc = shares_of_block(k, &r, bytes, &why);
        if (rc)
            return err_set(e, rc, "%s: block %llu: %s", k->path, (unsigned long long)i, why.msg);
    }
    return 0;
}
