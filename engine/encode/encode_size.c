// About how much index a token makes, without making one.
#include "cache/codec.h"
#include "engine/encode/encode.h"

// What a block of a fitted codec takes, as measured (tests/eval/measured/codec.csv), for each byte
// that its bits make: scales, the layers that are far from what the codec was fitted to, sinks.
static const double BESIDE = 1.1;

int encode_token_bytes(const struct model *m, double *bytes, double *file, struct err *e)
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
    const double heads = (double)t.n_layers * t.n_kv_heads,
                 bits = kvz_bits(&t.recipe, t.recipe.k_bits) + kvz_bits(&t.recipe, t.recipe.v_bits);
    const int is_fitted = codec_is_fitted(t.recipe.codec);
    const double kv = is_fitted ? BESIDE * heads * t.block * t.head_dim * bits / 8
                                : t.n_layers * (double)codec_find(t.recipe.codec)->bound(&s);
    // A vector is bytes, a scale, and which token it is of.
    *bytes = (kv + (double)vectors * (t.head_dim + sizeof(float) + 1)) / t.block;
    // A basis for the keys and one for the values of each head, of two bytes an element.
    *file = is_fitted ? heads * 2 * t.head_dim * t.head_dim * 2 : 0;
    return 0;
}
