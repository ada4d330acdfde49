// What codecs 3 to 5 have learnt of a model, for a device that decodes: the same arrays under other
// names.
#include "cache/basis.h"
#include "cache/codec.h"
#include "cache/coded.h"
#include "io/hash.h"
#include "io/mem.h"

// The channels of a layer lie together, in the order in which its groups are stored (basis.c).
static void fill_layer(const struct basis *b, size_t layer, struct coded_group *groups,
                       struct coded_layer *out)
{
    out->table = b->parts[2 * layer].groups[0].table;
    out->groups = groups;
    for (size_t i = 0; i < 2; i++) {
        const struct basis_part *p = &b->parts[2 * layer + i];
        out->mean[i] = p->mean;
        out->scale[i] = p->step * p->unit;
        for (uint32_t g = 0; g < b->n_groups; g++, groups++) {
            const struct basis_group *in = &p->groups[g];
            *groups = (struct coded_group){(int)in->n_live, in->channel, in->rows};
            out->n_channels += b->paired && i ? 0 : (int)in->n_live;
        }
    }
}

int basis_for_device(struct basis *b, uint64_t check, struct err *e)
{
    const size_t each = 2 * (size_t)b->n_groups;
    const uint64_t of[] = {check, b->codec, b->n_layers, b->n_kv_heads, b->head_dim};
    struct coded_table *tables = mem_new(b->n_tables, sizeof *tables, e);
    struct coded_layer *layers = mem_new(b->n_layers, sizeof *layers, e);
    struct coded_group *groups = mem_new(b->n_layers * each, sizeof *groups, e);
    b->own.device_tables = tables;
    b->own.device_layers = layers;
    b->own.device_groups = groups;
    if (!tables || !layers || !groups)
        return ERR_NOMEM;
    for (uint32_t i = 0; i < b->n_tables; i++) {
        const struct basis_table *t = &b->tables[i];
        tables[i] = (struct coded_table){(int)t->n_joint, (int)t->most, (int)t->shift, t->slots};
    }
    for (uint32_t l = 0; l < b->n_layers; l++)
        fill_layer(b, l, groups + l * each, &layers[l]);
    b->device = (struct coded_basis){.name = hash64(of, sizeof of),
                                     .n_states = (int)coded_states(b),
                                     .whole = b->codec != CODEC_CODED,
                                     .paired = b->paired,
                                     .n_layers = (int)b->n_layers,
                                     .n_groups = (int)b->n_groups,
                                     .n_heads = (int)b->n_kv_heads,
                                     .head_dim = (int)b->head_dim,
                                     .n_tables = (int)b->n_tables,
                                     .tables = tables,
                                     .layers = layers};
    return 0;
}
