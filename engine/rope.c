#include "engine/rope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "io/show.h"

static const double TAU = 6.283185307179586476925286766559;

static double key_f64(const struct gguf *g, const char *arch, const char *name, double def)
{
    char key[128];
    snprintf(key, sizeof key, "%s.rope.%s", arch, name);
    return gguf_f64_or(g, key, def);
}

// YaRN (arXiv:2309.00071, section 3.2): dimensions that turn often within the original context keep
// their frequency, those that turn less than once are interpolated, a ramp lies between.
static void yarn(struct rope *r, double factor, double original, double fast, double slow,
                 double attn_factor)
{
    double half = r->dim / 2.0;
    double low = half * log(original / (fast * TAU)) / log(r->base);
    double high = half * log(original / (slow * TAU)) / log(r->base);
    low = fmax(floor(low), 0);
    high = fmin(ceil(high), r->dim - 1);
    for (int i = 0; i < r->dim / 2; i++) {
        double ramp = fmin(1, fmax(0, (i - low) / fmax(0.001, high - low)));
        r->freq[i] = r->freq[i] / factor * ramp + r->freq[i] * (1 - ramp);
    }
    r->magnitude = (float)(attn_factor * (factor > 1 ? 0.1 * log(factor) + 1 : 1));
}

static int freq_factors(struct rope *r, const struct gguf *g, struct err *e)
{
    const struct gguf_tensor *t = gguf_tensor(g, "rope_freqs.weight");
    if (!t)
        return 0;
    if (t->type != QUANT_F32 || t->n_dims != 1 || t->dim[0] != (uint64_t)r->dim / 2)
        return err_set(e, ERR_FORMAT, "%s: tensor 'rope_freqs.weight' is not %d float32 values",
                       gguf_path(g), r->dim / 2);
    for (int i = 0; i < r->dim / 2; i++) {
        float f;
        memcpy(&f, t->data + 4 * i, 4);
        if (!(f > 0) || isinf(f))
            return err_set(e, ERR_FORMAT, "%s: a rope frequency factor is not positive",
                           gguf_path(g));
        r->freq[i] /= f;
    }
    return 0;
}

// Each number in the file may be possible by itself, and all of them together not.
static int check(const struct rope *r, const struct gguf *g, struct err *e)
{
    int ok = r->magnitude > 0 && isfinite(r->magnitude);
    for (int i = 0; i < r->dim / 2; i++)
        ok &= r->freq[i] >= 0 && isfinite(r->freq[i]);
    return ok ? 0
              : err_set(e, ERR_FORMAT, "%s: its rope scaling gives no frequencies", gguf_path(g));
}

int rope_init(struct rope *r, const struct gguf *g, const char *arch, int head_dim,
              enum rope_style style, struct err *e)
{
    *r = (struct rope){.style = style, .magnitude = 1};
    double dim = key_f64(g, arch, "dimension_count", head_dim);
    if (!(dim >= 2 && dim <= head_dim) || fmod(dim, 2) > 0)
        return err_set(e, ERR_FORMAT, "%s: %g rotated dimensions in a head of %d", gguf_path(g),
                       dim, head_dim);
    r->dim = (int)dim;
    r->base = key_f64(g, arch, "freq_base", 10000);
    if (!(r->base > 1) || isinf(r->base))
        return err_set(e, ERR_FORMAT, "%s: rope base %g is not above 1", gguf_path(g), r->base);
    r->freq = mem_new((size_t)r->dim / 2, sizeof *r->freq, e);
    if (!r->freq)
        return ERR_NOMEM;
    for (int i = 0; i < r->dim / 2; i++)
        r->freq[i] = pow(r->base, -2.0 * i / r->dim);

    char key[128];
    struct gguf_str kind = {"none", 4};
    snprintf(key, sizeof key, "%s.rope.scaling.type", arch);
    if (gguf_has(g, key)) {
        int rc = gguf_text(g, key, &kind, e);
        if (rc)
            return rc;
    }
    double factor = key_f64(g, arch, "scaling.factor", key_f64(g, arch, "scale_linear", 1));
    if (!(factor > 0) || isinf(factor))
        return err_set(e, ERR_FORMAT, "%s: rope scaling factor %g is not positive", gguf_path(g),
                       factor);
    if (kind.n == 4 && !memcmp(kind.s, "yarn", 4)) {
        double original = key_f64(g, arch, "scaling.original_context_length", 0);
        if (!(original > 0))
            return err_set(e, ERR_FORMAT, "%s: yarn scaling without the original context length",
                           gguf_path(g));
        yarn(r, factor, original, key_f64(g, arch, "scaling.yarn_beta_fast", 32),
             key_f64(g, arch, "scaling.yarn_beta_slow", 1),
             key_f64(g, arch, "scaling.attn_factor", 1));
    } else if ((kind.n == 4 && !memcmp(kind.s, "none", 4)) ||
               (kind.n == 6 && !memcmp(kind.s, "linear", 6))) {
        for (int i = 0; i < r->dim / 2; i++)
            r->freq[i] /= factor;
    } else {
        char shown[48];
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: rope scaling '%s' is not supported (known: none, linear, yarn, "
                       "llama 3's frequency factors)",
                       gguf_path(g), show_bytes(kind.s, kind.n, shown, sizeof shown));
    }
    int rc = freq_factors(r, g, e);
    return rc ? rc : check(r, g, e);
}

void rope_done(struct rope *r)
{
    free(r->freq);
    r->freq = NULL;
}

void rope_rows(const struct rope *r, int64_t start, int n, float *rows)
{
    int half = r->dim / 2;
    for (int j = 0; j < n; j++) {
        float *row = rows + (size_t)j * r->dim;
        for (int i = 0; i < half; i++) {
            double a = (double)(start + j) * r->freq[i];
            row[i] = (float)cos(a) * r->magnitude;
            row[half + i] = (float)sin(a) * r->magnitude;
        }
    }
}

void rope_apply(const struct rope *r, int64_t position, float *x)
{
    int half = r->dim / 2;
    for (int i = 0; i < half; i++) {
        double a = (double)position * r->freq[i];
        float c = (float)cos(a) * r->magnitude, s = (float)sin(a) * r->magnitude;
        int p = r->style == ROPE_NORM ? 2 * i : i, q = r->style == ROPE_NORM ? 2 * i + 1 : i + half;
        float xp = x[p], xq = x[q];
        x[p] = xp * c - xq * s;
        x[q] = xp * s + xq * c;
    }
}
