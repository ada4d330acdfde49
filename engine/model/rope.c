#include "engine/model/rope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "io/show.h"

static const double TAU = 6.283185307179586476925286766559;

// What the file says of NAME of ARCH; *V stays where it says nothing.
static int key_f64(const struct gguf *g, const char *arch, const char *name, double *v,
                   struct err *e)
{
    char key[128];
    snprintf(key, sizeof key, "%s.%s", arch, name);
    return gguf_opt_f64(g, key, v, e);
}

// YaRN (arXiv:2309.00071, section 3.2): dimensions that turn often within the original context keep
// their frequency, those that turn less than once are interpolated, a ramp lies between.
static int yarn(struct rope *r, const struct gguf *g, const char *arch, double factor,
                struct err *e)
{
    double original = 0, fast = 32, slow = 1, attn_factor = 1;
    int rc = key_f64(g, arch, "rope.scaling.original_context_length", &original, e);
    if (rc || (rc = key_f64(g, arch, "rope.scaling.yarn_beta_fast", &fast, e)) ||
        (rc = key_f64(g, arch, "rope.scaling.yarn_beta_slow", &slow, e)) ||
        (rc = key_f64(g, arch, "rope.scaling.attn_factor", &attn_factor, e)))
        return rc;
    if (!(original > 0))
        return err_set(e, ERR_FORMAT, "%s: yarn scaling without the original context length",
                       gguf_path(g));
    if (!(fast > 0) || !(slow > 0))
        return err_set(e, ERR_FORMAT, "%s: yarn scaling from %g to %g turns", gguf_path(g), fast,
                       slow);
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
    return 0;
}

// The tensor NAME as DIVISORS [dim/2] of frequencies; they stay 1 where the file has no such
// tensor.
static int read_factors(const struct rope *r, const struct gguf *g, const char *name,
                        double *divisors, struct err *e)
{
    const struct gguf_tensor *t = gguf_tensor(g, name);
    for (int i = 0; i < r->dim / 2; i++)
        divisors[i] = 1;
    if (!t)
        return 0;
    if (t->type != QUANT_F32 || t->n_dims != 1 || t->dim[0] != (uint64_t)r->dim / 2)
        return err_set(e, ERR_FORMAT, "%s: tensor '%s' is not %d float32 values", gguf_path(g),
                       name, r->dim / 2);
    for (int i = 0; i < r->dim / 2; i++) {
        float f;
        memcpy(&f, t->data + 4 * i, 4);
        if (!(f > 0) || isinf(f))
            return err_set(e, ERR_FORMAT, "%s: a rope frequency factor is not positive",
                           gguf_path(g));
        divisors[i] = (double)f;
    }
    return 0;
}

// LongRoPE (arXiv:2402.13753) as phi-3 has it: a factor for each frequency, one set up to the
// original length and another beyond; the attention factor is the file's, or sqrt(1 + ln(scale) /
// ln(original)).
static int longrope(struct rope *r, const struct gguf *g, const char *arch, struct err *e)
{
    int half = r->dim / 2;
    double *shorter = mem_new((size_t)half, sizeof *shorter, e);
    r->long_freq = mem_new((size_t)half, sizeof *r->long_freq, e);
    int rc = shorter && r->long_freq ? 0 : ERR_NOMEM;
    if (!rc && !(rc = read_factors(r, g, "rope_factors_short.weight", shorter, e)))
        rc = read_factors(r, g, "rope_factors_long.weight", r->long_freq, e);
    for (int i = 0; !rc && i < half; i++) {
        r->long_freq[i] = r->freq[i] / r->long_freq[i];
        r->freq[i] /= shorter[i];
    }
    free(shorter);
    if (rc)
        return rc;
    double context = 0, original = 0;
    if ((rc = key_f64(g, arch, "context_length", &context, e)) ||
        (rc = key_f64(g, arch, "rope.scaling.original_context_length", &original, e)))
        return rc;
    if (!(original > 1) || !(context > 0))
        return err_set(e, ERR_FORMAT, "%s: long and short rope factors without the context lengths",
                       gguf_path(g));
    double scale = context / original;
    double magnitude = scale > 1 ? sqrt(1 + log(scale) / log(original)) : 1;
    rc = key_f64(g, arch, "rope.scaling.attn_factor", &magnitude, e);
    r->original = original;
    r->magnitude = (float)magnitude;
    return rc;
}

// "Dynamic NTK" (transformers' rope_type dynamic; internlm2): beyond the original length the base
// grows with the reach, see freq_at.
static int dynamic(struct rope *r, const struct gguf *g, const char *arch, double factor,
                   struct err *e)
{
    int rc = key_f64(g, arch, "context_length", &r->original, e);
    if (rc || (rc = key_f64(g, arch, "rope.scaling.original_context_length", &r->original, e)))
        return rc;
    r->dynamic = factor;
    if (!(r->original > 0) || r->dim < 4 || factor < 1)
        return err_set(e, ERR_FORMAT,
                       "%s: dynamic rope scaling by %g of a context of %g tokens and %d dimensions",
                       gguf_path(g), factor, r->original, r->dim);
    return 0;
}

static int is(struct gguf_str s, const char *name)
{
    return s.n == strlen(name) && !memcmp(s.s, name, s.n);
}

static int scale(struct rope *r, const struct gguf *g, const char *arch, struct err *e)
{
    char key[128], shown[48];
    int longer = gguf_tensor(g, "rope_factors_long.weight") != NULL;
    struct gguf_str kind = {longer ? "longrope" : "none", longer ? 8 : 4};
    snprintf(key, sizeof key, "%s.rope.scaling.type", arch);
    double factor = 1;
    int rc = gguf_opt_text(g, key, &kind, e);
    if (rc || (rc = key_f64(g, arch, "rope.scale_linear", &factor, e)) ||
        (rc = key_f64(g, arch, "rope.scaling.factor", &factor, e)))
        return rc;
    if (!(factor > 0) || isinf(factor))
        return err_set(e, ERR_FORMAT, "%s: rope scaling factor %g is not positive", gguf_path(g),
                       factor);
    static const char *const names[] = {"none", "linear", "yarn", "longrope", "dynamic"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        r->scaling = is(kind, names[i]) ? names[i] : r->scaling;
    if (is(kind, "longrope"))
        return longrope(r, g, arch, e);
    if (longer)
        return err_set(e, ERR_FORMAT, "%s: long rope factors, but rope scaling '%s'", gguf_path(g),
                       show_bytes(kind.s, kind.n, shown, sizeof shown));
    if (is(kind, "dynamic"))
        return dynamic(r, g, arch, factor, e);
    if (is(kind, "yarn"))
        return yarn(r, g, arch, factor, e);
    if (!is(kind, "none") && !is(kind, "linear"))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: rope scaling '%s' is not supported (known: none, linear, yarn, "
                       "longrope, dynamic, llama 3's frequency factors)",
                       gguf_path(g), show_bytes(kind.s, kind.n, shown, sizeof shown));
    for (int i = 0; i < r->dim / 2; i++)
        r->freq[i] /= factor;
    return 0;
}

int rope_init_plain(struct rope *r, int dim, double base, enum rope_style style, struct err *e)
{
    *r = (struct rope){.dim = dim, .base = base, .scaling = "none", .style = style, .magnitude = 1};
    r->freq = mem_new((size_t)dim / 2, sizeof *r->freq, e);
    if (!r->freq)
        return ERR_NOMEM;
    for (int i = 0; i < dim / 2; i++)
        r->freq[i] = pow(base, -2.0 * i / dim);
    return 0;
}

// Each number in the file may be possible by itself, and all of them together not.
static int check(const struct rope *r, const struct gguf *g, struct err *e)
{
    int ok = r->magnitude > 0 && isfinite(r->magnitude);
    for (int i = 0; i < r->dim / 2; i++) {
        ok &= r->freq[i] >= 0 && isfinite(r->freq[i]);
        ok &= !r->long_freq || (r->long_freq[i] >= 0 && isfinite(r->long_freq[i]));
    }
    return ok ? 0
              : err_set(e, ERR_FORMAT, "%s: its rope scaling gives no frequencies", gguf_path(g));
}

int rope_init(struct rope *r, const struct gguf *g, const char *arch, int head_dim,
              enum rope_style style, struct err *e)
{
    double asked = head_dim, base = 10000;
    int rc = key_f64(g, arch, "rope.dimension_count", &asked, e);
    if (rc || (rc = key_f64(g, arch, "rope.freq_base", &base, e)))
        return rc;
    if (!(asked >= 2 && asked <= head_dim) || fmod(asked, 2) > 0)
        return err_set(e, ERR_FORMAT, "%s: %g rotated dimensions in a head of %d", gguf_path(g),
                       asked, head_dim);
    int dim = (int)asked;
    if (!(base > 1) || isinf(base))
        return err_set(e, ERR_FORMAT, "%s: rope base %g is not above 1", gguf_path(g), base);
    if ((rc = rope_init_plain(r, dim, base, style, e)) || (rc = scale(r, g, arch, e)))
        return rc;
    double *divisors = mem_new((size_t)dim / 2, sizeof *divisors, e);
    if (!divisors)
        return ERR_NOMEM;
    rc = read_factors(r, g, "rope_freqs.weight", divisors, e);
    if (gguf_tensor(g, "rope_freqs.weight"))
        r->scaling = "a factor for each frequency";
    for (int i = 0; !rc && i < dim / 2; i++)
        r->freq[i] /= divisors[i];
    free(divisors);
    return rc ? rc : check(r, g, e);
}

void rope_done(struct rope *r)
{
    free(r->freq);
    free(r->long_freq);
    r->freq = r->long_freq = NULL;
}

static double freq_at(const struct rope *r, int64_t reach, int i)
{
    if (r->original == 0 || (double)reach <= r->original)
        return r->freq[i];
    if (r->long_freq)
        return r->long_freq[i];
    // The base times grown^(dim / (dim - 2)), as a power of the frequency.
    double grown = r->dynamic * (double)reach / r->original - (r->dynamic - 1);
    return r->freq[i] * pow(grown, -2.0 * i / (r->dim - 2));
}

void rope_rows(const struct rope *r, int64_t reach, int64_t start, int n, float *rows)
{
    int half = r->dim / 2;
    for (int i = 0; i < half; i++) {
        double freq = freq_at(r, reach, i);
        for (int j = 0; j < n; j++) {
            float *row = rows + (size_t)j * (size_t)r->dim;
            double a = (double)(start + j) * freq;
            row[i] = (float)cos(a) * r->magnitude;
            row[half + i] = (float)sin(a) * r->magnitude;
        }
    }
}

void rope_apply(const struct rope *r, int64_t reach, int64_t position, float *x)
{
    int half = r->dim / 2;
    for (int i = 0; i < half; i++) {
        double a = (double)position * freq_at(r, reach, i);
        float c = (float)cos(a) * r->magnitude, s = (float)sin(a) * r->magnitude;
        int p = r->style == ROPE_NORM ? 2 * i : i, q = r->style == ROPE_NORM ? 2 * i + 1 : i + half;
        float xp = x[p], xq = x[q];
        x[p] = xp * c - xq * s;
        x[q] = xp * s + xq * c;
    }
}
