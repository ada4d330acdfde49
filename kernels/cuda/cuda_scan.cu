// Index keys lie in host memory, in the mapped file. Those with a name are kept on the device while
// there is room for them; others are brought over each time, in parts of whole blocks.
#include "kernels/cuda/cuda_state.cuh"

#include <stdlib.h>

#include "kernels/cuda/cuda_scan.cuh"

enum { PART_BYTES = 256 << 20 };

CUDA_KERNEL(cuda_scan, CUDA_SCAN_THREADS, struct cuda_scan_own)
CUDA_KERNEL(cuda_scan_norm, 256, struct cuda_none)
CUDA_KERNEL(cuda_scan_mass, 256, struct cuda_none)

// Keys and their scales on the device, by the name of their bytes, and where blocks begin as it was
// first asked.
struct cuda_kept {
    uint64_t name;
    size_t key_bytes; // [n][head_dim]
    uint8_t *p;       // keys, then scales, then beginnings; NULL: they are not there
    uint64_t *start;  // [n_starts] the beginnings here
    size_t n_starts;
};

static size_t scale_bytes_of(const struct cuda_kept *k, const struct scan *s)
{
    return cuda_align(k->key_bytes / (size_t)s->head_dim * sizeof *s->key_scale);
}

// Where the beginnings of S's blocks lie on the device; NULL: these are others than were kept.
static const uint64_t *kept_starts(const struct cuda_kept *k, const struct scan *s)
{
    if (!k->p || k->n_starts != (size_t)s->n_blocks + 1 ||
        memcmp(k->start, s->start, k->n_starts * sizeof *s->start) != 0)
        return NULL;
    return (const uint64_t *)(const void *)(k->p + cuda_align(k->key_bytes) + scale_bytes_of(k, s));
}

// The end of the part that begins with block FROM.
static int64_t part_end(const struct scan *s, int64_t from, int is_kept)
{
    uint64_t keys = PART_BYTES / ((uint64_t)s->head_dim + sizeof *s->key_scale);
    int64_t blocks = PART_BYTES / (2 * (int64_t)sizeof(float) * s->n_q), to = from + 1;
    while (to < s->n_blocks && to - from < blocks &&
           (is_kept || s->start[to + 1] - s->start[from] <= keys))
        to++;
    return to;
}

static int bring(struct cuda *c, void *dst, const void *src, size_t bytes)
{
    return bytes &&
           cuda_failed(c, cudaMemcpyAsync(dst, src, bytes, cudaMemcpyHostToDevice, cuda_stream(c)),
                       "scan");
}

// Results [n_q][n] to columns FROM .. of the caller's [n_q][n_blocks], which may be NULL.
static void take(struct cuda *c, const struct scan *s, float *dst, const float *src, int64_t from,
                 size_t n)
{
    if (dst)
        cuda_failed(c,
                    cudaMemcpy2DAsync(dst + from, (size_t)s->n_blocks * sizeof *dst, src,
                                      n * sizeof *src, n * sizeof *src, (size_t)s->n_q,
                                      cudaMemcpyDeviceToHost, cuda_stream(c)),
                    "scan");
}

void cuda_drop_kept(struct cuda *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_kept; i++)
        if (c->kept[i].name == c->kept_in_use)
            c->kept[n++] = c->kept[i];
        else {
            cuda_give(c, c->kept[i].p);
            free(c->kept[i].start);
        }
    c->n_kept = n;
}

// The keys of S on the device; none where they have no name, or where an eighth of the memory would
// not stay free for what is yet to come.
static struct cuda_kept keep(struct cuda *c, const struct scan *s)
{
    const struct cuda_kept none = {.name = 0};
    size_t n = (size_t)s->start[s->n_blocks], key_bytes = n * (size_t)s->head_dim,
           n_starts = (size_t)s->n_blocks + 1;
    size_t start_at = cuda_align(key_bytes) + cuda_align(n * sizeof *s->key_scale),
           start_bytes = n_starts * sizeof *s->start;
    size_t bytes = start_at + cuda_align(start_bytes);
    if (!s->name || c->err.code || !n)
        return none;
    for (size_t i = 0; i < c->n_kept; i++)
        if (c->kept[i].name == s->name && c->kept[i].key_bytes == key_bytes)
            return c->kept[i];
    if (cuda_room(c) < bytes + cuda_limit(c) / 8 ||
        MEM_GROW(c->kept, c->cap_kept, c->n_kept + 1, NULL))
        return none;
    uint64_t *start = (uint64_t *)mem_new(n_starts, sizeof *start, NULL);
    uint8_t *p = start ? (uint8_t *)cuda_take(c, bytes, "scan", "", NULL) : NULL;
    if (!p || bring(c, p, s->keys, key_bytes) ||
        bring(c, p + cuda_align(key_bytes), s->key_scale, n * sizeof *s->key_scale) ||
        bring(c, p + start_at, s->start, start_bytes)) {
        cuda_give(c, p);
        free(start);
        return none;
    }
    memcpy(start, s->start, start_bytes);
    struct cuda_kept k = {s->name, key_bytes, p, start, n_starts};
    c->kept[c->n_kept++] = k;
    return k;
}

// Scores of blocks FROM .. TO - 1: to the caller's memory, or with ROWS to [n_q][row] of the
// device's.
static void scan_part(struct cuda *c, const struct scan *s, const struct cuda_kept *kept,
                      int64_t from, int64_t to, float *rows, int64_t row)
{
    size_t n = (size_t)(to - from), keys = kept->p ? 0 : (size_t)(s->start[to] - s->start[from]);
    size_t q_bytes = (size_t)s->n_q * (size_t)s->head_dim * sizeof *s->q;
    size_t key_bytes = keys * (size_t)s->head_dim, scale_bytes = keys * sizeof *s->key_scale;
    const uint64_t *starts = kept_starts(kept, s);
    size_t start_bytes = starts ? 0 : (n + 1) * sizeof *s->start;
    size_t out_bytes = rows ? 0 : (size_t)s->n_q * n * sizeof(float);
    size_t sizes[] = {q_bytes, start_bytes, key_bytes, scale_bytes, out_bytes, out_bytes};
    uint8_t *parts[sizeof sizes / sizeof *sizes];
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += cuda_align(sizes[i]);
    uint8_t *p = (uint8_t *)cuda_scratch(c, total, "scan");
    if (!p)
        return;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        parts[i] = p;
        p += cuda_align(sizes[i]);
    }
    if (bring(c, parts[0], s->q, q_bytes) || bring(c, parts[1], s->start + from, start_bytes) ||
        bring(c, parts[2], s->keys + s->start[from] * (uint64_t)s->head_dim, key_bytes) ||
        bring(c, parts[3], s->key_scale + s->start[from], scale_bytes))
        return;
    const uint8_t *key_at = kept->p ? kept->p : parts[2];
    const uint8_t *scale_at = kept->p ? kept->p + cuda_align(kept->key_bytes) : parts[3];
    struct cuda_scan k = {.q = (const float *)(void *)parts[0],
                          .keys = (const int8_t *)key_at,
                          .key_scale = (const float *)(const void *)scale_at,
                          .start = starts ? starts + from : (const uint64_t *)(void *)parts[1],
                          .first = kept->p ? 0 : s->start[from],
                          .max = rows ? NULL : (float *)(void *)parts[4],
                          .lse = rows ? rows + from : (float *)(void *)parts[5],
                          .scale = s->scale,
                          .head_dim = s->head_dim,
                          .n_q = s->n_q,
                          .row = rows ? row : (int64_t)n};
    CUDA_LAUNCH(c, cuda_scan, (int64_t)n * cuda_scan_tiles(s->n_q), 1,
                cuda_scan_floats(s->head_dim), k);
    if (c->err.code || rows)
        return;
    take(c, s, s->max, k.max, from, n);
    take(c, s, s->lse, k.lse, from, n);
}

// Every block's scores: to the caller's memory, or with ROWS to [n_q][row] of the device's.
static void scan_all(struct cuda *c, const struct scan *s, float *rows, int64_t row)
{
    const struct cuda_kept kept = keep(c, s);
    c->kept_in_use = kept.name; // where memory is short, this is not given back
    for (int64_t from = 0; from < s->n_blocks && !c->err.code;) {
        int64_t to = part_end(s, from, kept.p != NULL);
        scan_part(c, s, &kept, from, to, rows, row);
        from = to;
    }
    c->kept_in_use = 0;
}

// Shares of the softmax, from the scores of all blocks.
void cuda_scan_masses(struct cuda *c, const struct scan *parts, int n_parts, float *mass)
{
    int64_t blocks = 0, at = 0;
    const int n_q = parts[0].n_q;
    for (int i = 0; i < n_parts; i++)
        blocks += parts[i].n_blocks;
    size_t row_bytes = cuda_align((size_t)n_q * (size_t)blocks * sizeof(float));
    size_t norm_bytes = cuda_align((size_t)n_q * sizeof(float));
    if (c->err.code)
        return;
    uint8_t *p = (uint8_t *)cuda_take(c, row_bytes + norm_bytes, "scan",
                                      "a shorter question needs less", &c->err);
    if (!p)
        return;
    float *rows = (float *)(void *)p, *norm = (float *)(void *)(p + row_bytes);
    for (int i = 0; i < n_parts; at += parts[i++].n_blocks)
        if (parts[i].n_blocks)
            scan_all(c, &parts[i], rows + at, blocks);
    struct cuda_scan_norm n = {.lse = rows, .norm = norm, .n = blocks};
    struct cuda_scan_mass m = {.lse = rows, .norm = norm, .mass = mass, .n = blocks, .n_q = n_q};
    CUDA_LAUNCH(c, cuda_scan_norm, n_q, 1, 2 * cuda_scan_norm_threads, n);
    CUDA_LAUNCH(c, cuda_scan_mass, cuda_blocks(blocks, cuda_scan_mass_threads), 1, 0, m);
    cuda_give(c, p);
}

// Waits: the caller reads the results, which are host memory, without another call.
void cuda_scan(struct device *d, const struct scan *s)
{
    struct cuda *c = (struct cuda *)d->self;
    size_t bytes = (size_t)s->n_blocks * sizeof(float);
    float *mass = NULL;
    if (c->err.code || s->n_blocks < 1)
        return;
    if (!s->mass) {
        scan_all(c, s, NULL, 0);
    } else if ((mass = (float *)cuda_take(c, bytes, "scan", "", &c->err))) {
        cuda_scan_masses(c, s, 1, mass);
        if (!c->err.code)
            cuda_failed(
                c, cudaMemcpyAsync(s->mass, mass, bytes, cudaMemcpyDeviceToHost, cuda_stream(c)),
                "scan");
    }
    cuda_give(c, mass);
    cuda_wait(c);
}

void cuda_scan_done(struct cuda *c)
{
    cuda_drop_kept(c);
    free(c->kept);
}
