// The operations of processors in plain C, one thread, sums in double: the judge of all the others.
#include <math.h>
#include <string.h>

#include "kernels/cpu/cpu.h"

static const uint8_t *mat_row(const struct mat *m, size_t row)
{
    return (const uint8_t *)m->data + row * quant_bytes(m->type, (uint64_t)m->cols);
}

static void ref_embed(struct cpu *c, float *out, const struct mat *table, const uint32_t *ids,
                      int n, float scale)
{
    (void)c;
    const struct quant *q = quant_find(table->type);
    size_t cols = (size_t)table->cols;
    for (size_t i = 0; i < (size_t)n; i++)
        q->dequantize(mat_row(table, ids[i]), out + i * cols, cols);
    for (size_t i = 0; scale != 1 && i < (size_t)n * cols; i++)
        out[i] *= scale;
}

// What a product on bytes makes of its activations; cpu_rounds says what that is.
static void round_to_bytes(float *dst, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i += 32) {
        float max = 0, sum = 0;
        for (size_t k = i; k < i + 32; k++) {
            max = fmaxf(max, fabsf(x[k]));
            sum += x[k];
        }
        float scale = max / 127 + 0 * sum, back = max == 0 ? 0 : 127 / max; // a NaN must be seen
        for (size_t k = i; k < i + 32; k++)
            dst[k] = scale * rintf(x[k] * back);
    }
}

static void ref_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                       const float *bias, const float *add, int n)
{
    const struct quant *q = quant_find(w->type);
    size_t rows = (size_t)w->rows, cols = (size_t)w->cols;
    int rounds = cpu_rounds(c, w->type, n);
    float *row = cpu_scratch(c, (cols + (rounds ? (size_t)n * cols : 0)) * sizeof *row);
    if (!row)
        return;
    if (rounds) {
        round_to_bytes(row + cols, x, (size_t)n * cols);
        x = row + cols;
    }
    for (size_t r = 0; r < rows; r++) {
        q->dequantize(mat_row(w, r), row, cols);
        for (size_t i = 0; i < (size_t)n; i++) {
            double sum = 0;
            for (size_t k = 0; k < cols; k++)
                sum += (double)row[k] * (double)x[i * cols + k];
            if (bias)
                sum += (double)bias[r];
            if (add)
                sum += (double)add[i * rows + r];
            out[i * rows + r] = (float)sum;
        }
    }
}

static void ref_rmsnorm(struct cpu *c, float *out, const float *x, const float *w, const float *add,
                        int n, int dim, float eps)
{
    (void)c;
    for (int i = 0; i < n; i++, x += dim, out += dim, add += add ? dim : 0) {
        double sum = 0;
        for (int k = 0; k < dim; k++)
            sum += (double)x[k] * (double)x[k];
        float scale = (float)(1 / sqrt(sum / dim + (double)eps));
        for (int k = 0; k < dim; k++)
            out[k] = x[k] * scale * w[k] + (add ? add[k] : 0);
    }
}

static double silu(double x)
{
    return x / (1 + exp(-x));
}

static double gelu_tanh(double x)
{
    const double root = 0.79788456080286535588; // sqrt(2 / pi)
    return 0.5 * x * (1 + tanh(root * (x + 0.044715 * x * x * x)));
}

static void ref_gate(struct cpu *c, float *gate, const float *up, size_t n, enum act act)
{
    (void)c;
    for (size_t i = 0; i < n; i++) {
        double x = (double)gate[i];
        gate[i] = (float)((act == ACT_SILU ? silu(x) : gelu_tanh(x)) * (double)up[i]);
    }
}

// Rotary embedding (Su et al., eq. 34): pair i turns by the angle whose cosine is rope[i] and whose
// sine is rope[rope_dim / 2 + i]. ROPE may be NULL: nothing turns.
static void rotate(float *dst, const float *src, const float *rope, const struct attend *a)
{
    memcpy(dst, src, (size_t)a->head_dim * sizeof *dst);
    if (!rope)
        return;
    int half = a->rope_dim / 2;
    for (int i = 0; i < half; i++) {
        int first = a->rope_style == ROPE_NORM ? 2 * i : i;
        int second = a->rope_style == ROPE_NORM ? 2 * i + 1 : i + half;
        float cosine = rope[i], sine = rope[half + i];
        dst[first] = src[first] * cosine - src[second] * sine;
        dst[second] = src[first] * sine + src[second] * cosine;
    }
}

// The keys lo .. hi-1 of piece P that query I sees.
static void visible(const struct attend_piece *p, int n_q, int i, int *lo, int *hi)
{
    *lo = 0;
    *hi = p->n;
    int own = p->causal ? p->n - n_q + i : p->n + p->gap + i; // index of the query's own position
    if (own + 1 < *hi)
        *hi = own + 1 > 0 ? own + 1 : 0;
    if (p->max_distance > 0 && own - p->max_distance + 1 > 0)
        *lo = own - p->max_distance + 1 < p->n ? own - p->max_distance + 1 : p->n;
}

// Scores of one query against all it sees, piece after piece; -INFINITY where it does not see.
static double ref_scores(double *score, const struct attend *a, int i, int head, float *qk)
{
    int d = a->head_dim, kv = head / (a->n_heads / a->n_kv_heads);
    float *q = qk, *k = qk + d;
    double max = -INFINITY;
    for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
        const float *q_rope =
            p->q_rope ? p->q_rope + (size_t)(p->q_rope_step ? i : 0) * (size_t)a->rope_dim : NULL;
        rotate(q, a->q + ((size_t)i * (size_t)a->n_heads + (size_t)head) * (size_t)d, q_rope, a);
        int lo, hi;
        visible(p, a->n_q, i, &lo, &hi);
        for (int j = 0; j < p->n; j++, score++) {
            *score = -INFINITY;
            if (j < lo || j >= hi)
                continue;
            rotate(k, p->k + ((size_t)kv * (size_t)p->stride + (size_t)j) * (size_t)d,
                   p->k_rope ? p->k_rope + (size_t)j * (size_t)a->rope_dim : NULL, a);
            double sum = 0;
            for (int t = 0; t < d; t++)
                sum += (double)q[t] * (double)k[t];
            sum *= (double)a->scale;
            if (a->softcap != 0)
                sum = (double)a->softcap * tanh(sum / (double)a->softcap);
            *score = sum;
            max = fmax(max, sum);
        }
    }
    return max;
}

// What of one head's running output is looked at: up to ART_PROBE elements; returns how many.
static int art_probe(double *p, const double *sum, double norm, size_t d)
{
    size_t step = (d + ART_PROBE - 1) / ART_PROBE;
    int n = 0;
    for (size_t t = 0; t < d; t += step)
        p[n++] = norm == 0 ? 0 : sum[t] / norm;
    return n;
}

// Whether the output has changed as little as art says (ART, Eq. 2).
static int art_is_stable(const struct art *art, const double *now, const double *before, int n)
{
    double a = 0, b = 0, ab = 0;
    for (int i = 0; i < n; i++) {
        a += now[i] * now[i];
        b += before[i] * before[i];
        ab += now[i] * before[i];
    }
    a = sqrt(a);
    b = sqrt(b);
    return fabs(a - b) < (double)art->scale * b && 1 - ab / (a * b) < (double)art->direction;
}

// Takes back the weights, in PROB, of the keys that head H does not read; returns the sum of the
// others.
static double ref_art(const struct attend *a, size_t kv, double *prob, double *sum)
{
    double before[ART_PROBE] = {0}, now[ART_PROBE], norm = 0;
    size_t d = (size_t)a->head_dim, block = (size_t)a->art->block;
    memset(sum, 0, d * sizeof *sum);
    for (int last = 0; last < 2; last++) {
        double *at = prob;
        for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces;
             at += p->n, p++) {
            int stable = 0;
            for (size_t j = 0; j < (size_t)p->n && p->art == last; j++) {
                if (stable >= a->art->patience) {
                    at[j] = 0;
                    continue;
                }
                norm += at[j];
                for (size_t t = 0; t < d && at[j] != 0; t++)
                    sum[t] += at[j] * (double)p->v[(kv * (size_t)p->stride + j) * d + t];
                if (!last || ((j + 1) % block && j + 1 < (size_t)p->n))
                    continue;
                int n = art_probe(now, sum, norm, d);
                stable = art_is_stable(a->art, now, before, n) ? stable + 1 : 0;
                memcpy(before, now, sizeof now);
                a->art->read[0]++;
            }
            if (last && p->art)
                a->art->read[1] += ((size_t)p->n + block - 1) / block;
        }
        art_probe(before, sum, norm, d);
    }
    return norm;
}

static void ref_self_mass(const struct attend *a, const struct attend_piece *p, int i,
                          const double *prob, double norm)
{
    int block = a->self_block, group = i / block;
    if (!p->causal || (group + 1) * block > a->n_q)
        return;
    float *row =
        a->self_mass + ((size_t)group * (size_t)block + (size_t)(i % block)) * (size_t)block;
    for (int c = 0; c < block; c++) {
        int j = p->n - a->n_q + group * block + c;
        if (j >= 0)
            row[c] += (float)(prob[j] / norm);
    }
}

static void ref_attend(struct cpu *c, const struct attend *a)
{
    size_t n_keys = 0, d = (size_t)a->head_dim;
    for (int p = 0; p < a->n_pieces; p++)
        n_keys += (size_t)a->pieces[p].n;
    double *score = cpu_scratch(c, (n_keys + d) * sizeof *score + 2 * d * sizeof(float));
    if (!score)
        return;
    double *sum = score + n_keys;
    float *qk = (float *)(sum + d);
    for (int i = 0; i < a->n_q; i++)
        for (int h = 0; h < a->n_heads; h++) {
            size_t kv = (size_t)(h / (a->n_heads / a->n_kv_heads));
            double max = ref_scores(score, a, i, h, qk), norm = 0;
            for (size_t j = 0; j < n_keys; j++)
                norm += score[j] = score[j] == -INFINITY ? 0 : exp(score[j] - max);
            if (a->art && a->n_q == 1)
                norm = ref_art(a, kv, score, sum);
            memset(sum, 0, d * sizeof *sum);
            double *prob = score;
            for (const struct attend_piece *p = a->pieces; p < a->pieces + a->n_pieces; p++) {
                for (size_t j = 0; j < (size_t)p->n && norm != 0; j++) {
                    for (size_t t = 0; t < d && prob[j] != 0; t++)
                        sum[t] +=
                            prob[j] / norm * (double)p->v[(kv * (size_t)p->stride + j) * d + t];
                    if (p->mass)
                        p->mass[(size_t)i * p->mass_step + (size_t)h * (size_t)p->stride + j] +=
                            (float)(prob[j] / norm);
                }
                if (a->self_mass && norm != 0)
                    ref_self_mass(a, p, i, prob, norm);
                prob += p->n;
            }
            for (size_t t = 0; t < d; t++)
                a->out[((size_t)i * (size_t)a->n_heads + (size_t)h) * d + t] = (float)sum[t];
        }
}

static void ref_scan(struct cpu *c, const struct scan *s)
{
    (void)c;
    for (int i = 0; i < s->n_q; i++)
        for (int64_t b = 0; b < s->n_blocks; b++) {
            double max = -INFINITY, sum = 0;
            for (uint64_t k = s->start[b]; k < s->start[b + 1]; k++) {
                double dot = 0;
                for (int t = 0; t < s->head_dim; t++)
                    dot += (double)s->q[(size_t)i * (size_t)s->head_dim + (size_t)t] *
                           (double)s->keys[k * (uint64_t)s->head_dim + (uint64_t)t];
                dot *= (double)s->key_scale[k] * (double)s->scale;
                if (dot > max) {
                    sum = sum * exp(max - dot) + 1;
                    max = dot;
                } else {
                    sum += exp(dot - max);
                }
            }
            size_t at = (size_t)i * (size_t)s->n_blocks + (size_t)b;
            if (s->max)
                s->max[at] = (float)max;
            if (s->lse)
                s->lse[at] = sum == 0 ? -INFINITY : (float)(max + log(sum));
        }
}

static void ref_log_sums(struct cpu *c, struct log_sum *sums, const float *x, int n, int width)
{
    (void)c;
    for (int i = 0; i < n; i++, x += width) {
        double max = (double)sums[i].max, sum = (double)sums[i].sum;
        for (int t = 0; t < width; t++)
            max = (double)x[t] > max ? (double)x[t] : max;
        if (sum != 0)
            sum *= exp((double)sums[i].max - max);
        for (int t = 0; t < width; t++)
            sum += exp((double)x[t] - max);
        sums[i] = (struct log_sum){(float)max, (float)sum};
    }
}

const struct cpu_isa cpu_ref = {
    .name = "ref",
    .embed = ref_embed,
    .matmul = ref_matmul,
    .rmsnorm = ref_rmsnorm,
    .gate = ref_gate,
    .log_sums = ref_log_sums,
    .attend = ref_attend,
    .scan = ref_scan,
};
