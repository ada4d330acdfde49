// Codec 2 of kvz.5: its layout.
#include "cache/rotated.h"

static const struct rotated_planes planes[] = {{2, 1, {2}},    {3, 2, {2, 1}}, {4, 1, {4}},
                                               {5, 2, {4, 1}}, {6, 2, {4, 2}}, {7, 3, {4, 2, 1}},
                                               {8, 1, {8}}};

const struct rotated_planes *rotated_planes_of(unsigned bits)
{
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        if (planes[i].bits == bits)
            return &planes[i];
    return NULL;
}

static size_t symbol_bytes(size_t n, unsigned bits)
{
    const struct rotated_planes *p = rotated_planes_of(bits);
    size_t sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += rotated_plane_bytes(n, p->width[i]);
    return sum;
}

struct rotated_layout rotated_lay_out(const struct codec_shape *s, unsigned k_bits, unsigned v_bits)
{
    const size_t heads = s->n_kv_heads, n = heads * s->n_tokens * s->head_dim;
    struct rotated_layout l = {.k = {heads * s->head_dim, n, k_bits, {0}, 0},
                               .v = {heads * s->n_tokens, n, v_bits, {0}, 0}};
    l.k.code_off[1] = l.k.n_groups;
    l.v.code_off[0] = 2 * l.k.n_groups;
    l.v.code_off[1] = l.v.code_off[0] + l.v.n_groups;
    l.codes = l.v.code_off[1] + l.v.n_groups;
    l.k.symbol_off = l.codes;
    l.v.symbol_off = l.codes + symbol_bytes(n, k_bits);
    l.payload = l.v.symbol_off + symbol_bytes(n, v_bits);
    return l;
}
