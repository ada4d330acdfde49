// About how much index a token makes, without making one.
#include "cache/codec.h"
#include "engine/encode/encode.h"

int encode_token_bytes(const struct model *m, double *bytes, struct err *e)
{
    struct kvz_meta t;
    struct method method;
    uint64_t vectors;
    int rc = encode_meta(m, &(struct encode_options){0}, &t, &method, e);
    if (rc || (rc = represent_most(m, &method, (int)t.block, &vectors, e)))
        return rc;
    struct codec_shape s = {.n_tokens = t.block,
                            .n_kv_heads = t.n_kv_heads,
                            .head_dim = t.head_dim,
                            .k_bits = t.recipe.k_bits,
                            .v_bits = t.recipe.v_bits};
    const double elements = (double)t.block * t.n_kv_heads * t.head_dim;
    double kv =
        codec_is_fitted(t.recipe.codec)
            ? elements *
                  (kvz_bits(&t.recipe, t.recipe.k_bits) + kvz_bits(&t.recipe, t.recipe.v_bits)) / 8
            : (double)codec_find(t.recipe.codec)->bound(&s);
    kv *= t.n_layers;
    // A vector is bytes, a scale, and which token it is of.
    *bytes = (kv + (double)vectors * (t.head_dim + sizeof(float) + 1)) / t.block;
    return 0;
}
