// Blocks of codecs 3 to 5: their bytes go to the device as they are in the file, and what the
// codec has learnt of the model goes there once.
#include "kernels/cuda/cuda_state.cuh"

#include <stdlib.h>

#include "kernels/cuda/cuda_coded.cuh"

CUDA_KERNEL(cuda_coded_read, 32, struct cuda_coded_lane)
CUDA_KERNEL(cuda_coded_fill, CUDA_CODED_FILL_THREADS, struct cuda_none)
CUDA_KERNEL(cuda_coded_mix, 128, struct cuda_none)

// How many layers of blocks are decoded at once at most, and the scratch memory that they may take;
// one is always decoded.
enum { CODED_MOST = 256, CODED_SCRATCH = 64 << 20 };

// Where the parts of a basis begin, one after the other; the last one is the end.
enum { AT_SLOTS, AT_TABLES, AT_TABLE, AT_GROUPS, AT_ROWS, AT_MEANS, AT_WHERE, AT_PARTS };

static size_t n_groups_of(const struct coded_basis *b)
{
    return 2 * (size_t)b->n_layers * (size_t)b->n_groups;
}

static size_t width_of(const struct coded_basis *b)
{
    return (size_t)(b->n_heads / b->n_groups) * (size_t)b->head_dim;
}

static void find_parts(const struct coded_basis *b, size_t at[AT_PARTS + 1])
{
    size_t sizes[AT_PARTS] = {(size_t)b->n_tables * RANS_SLOTS * sizeof(uint32_t),
                              (size_t)b->n_tables * sizeof(struct cuda_coded_table),
                              0,
                              n_groups_of(b) * sizeof(struct cuda_coded_group),
                              0,
                              n_groups_of(b) * width_of(b) * sizeof(float),
                              n_groups_of(b) * width_of(b) * sizeof(int)};
    for (int l = 0; l < b->n_layers; l++) {
        sizes[AT_TABLE] += (size_t)b->layers[l].n_channels;
        for (int g = 0; g < 2 * b->n_groups; g++)
            if (b->layers[l].groups[g].rows)
                sizes[AT_ROWS] += (size_t)b->layers[l].groups[g].n_live * width_of(b);
    }
    at[0] = 0;
    for (int i = 0; i < AT_PARTS; i++)
        at[i + 1] = at[i] + cuda_align(sizes[i]);
}

// One layer's groups: the numbers of its channels, its rows behind N_ROWS others.
static void fill_groups(const struct coded_basis *b, int layer, uint8_t *to,
                        const size_t at[AT_PARTS + 1], size_t *n_rows)
{
    const struct coded_layer *y = &b->layers[layer];
    size_t width = width_of(b), wide = width * (size_t)b->n_groups;
    int first = 0;
    for (int g = 0; g < 2 * b->n_groups; g++) {
        first = b->paired && g == b->n_groups ? 0 : first;
        const struct coded_group *in = &y->groups[g];
        size_t number = 2 * (size_t)layer * (size_t)b->n_groups + (size_t)g;
        struct cuda_coded_group *out =
            (struct cuda_coded_group *)(void *)(to + at[AT_GROUPS]) + number;
        int *where = (int *)(void *)(to + at[AT_WHERE]) + number * width;
        *out = (struct cuda_coded_group){first, in->n_live, in->rows ? (int64_t)*n_rows : -1,
                                         y->scale[g / b->n_groups]};
        for (size_t i = 0; i < width; i++)
            where[i] = -1;
        for (int i = 0; i < in->n_live && !in->rows; i++)
            where[in->channel[i]] = i;
        if (in->rows) {
            memcpy(to + at[AT_ROWS] + *n_rows, in->rows, (size_t)in->n_live * width);
            *n_rows += (size_t)in->n_live * width;
        }
        first += in->n_live;
    }
    for (int i = 0; i < 2; i++)
        memcpy((float *)(void *)(to + at[AT_MEANS]) + (2 * (size_t)layer + (size_t)i) * wide,
               y->mean[i], wide * sizeof(float));
}

static void fill_basis(const struct coded_basis *b, uint8_t *to, const size_t at[AT_PARTS + 1])
{
    size_t n_rows = 0, n_channels = 0;
    for (int i = 0; i < b->n_tables; i++) {
        const struct coded_table *t = &b->tables[i];
        struct cuda_coded_table out = {t->n_joint, t->most, t->shift};
        memcpy(to + at[AT_SLOTS] + (size_t)i * RANS_SLOTS * sizeof *t->slots, t->slots,
               RANS_SLOTS * sizeof *t->slots);
        memcpy(to + at[AT_TABLES] + (size_t)i * sizeof out, &out, sizeof out);
    }
    for (int l = 0; l < b->n_layers; l++) {
        const struct coded_layer *y = &b->layers[l];
        memcpy(to + at[AT_TABLE] + n_channels, y->table, (size_t)y->n_channels);
        n_channels += (size_t)y->n_channels;
        fill_groups(b, l, to, at, &n_rows);
    }
}

void cuda_learnt_drop(struct cuda *c)
{
    for (int i = 0; i < CUDA_LEARNT; i++)
        if (!c->learnt[i].in_use) {
            cuda_give(c, c->learnt[i].p);
            memset(&c->learnt[i], 0, sizeof c->learnt[i]);
        }
}

// The copy of B that lies on the device; NULL where it does not fit.
static struct cuda_learnt *find_learnt(struct cuda *c, const struct coded_basis *b)
{
    size_t at[AT_PARTS + 1];
    for (int i = 0; i < CUDA_LEARNT; i++)
        if (c->learnt[i].p && c->learnt[i].name == b->name)
            return &c->learnt[i];
    struct cuda_learnt *l = &c->learnt[c->next_learnt++ % CUDA_LEARNT];
    cuda_give(c, l->p);
    l->p = NULL;
    find_parts(b, at);
    uint8_t *host = (uint8_t *)mem_new(at[AT_PARTS], 1, &c->err);
    uint8_t *p =
        host ? (uint8_t *)cuda_take(c, at[AT_PARTS], "put_coded",
                                    "an index made with --kv-bits 8 or 4 needs none", &c->err)
             : NULL;
    if (p) {
        fill_basis(b, host, at);
        // Some devices read pageable memory directly, after the call has returned.
        if (!cuda_failed(
                c, cudaMemcpyAsync(p, host, at[AT_PARTS], cudaMemcpyHostToDevice, cuda_stream(c)),
                "put_coded") &&
            !cuda_wait(c))
            *l = (struct cuda_learnt){b->name, p, 0};
        else
            cuda_give(c, p);
    }
    free(host);
    return l->p ? l : NULL;
}

static struct cuda_coded with_basis(const struct coded_basis *b, const uint8_t *p)
{
    size_t at[AT_PARTS + 1];
    find_parts(b, at);
    struct cuda_coded out;
    memset(&out, 0, sizeof out);
    out.slots = (const uint32_t *)(const void *)(p + at[AT_SLOTS]);
    out.tables = (const struct cuda_coded_table *)(const void *)(p + at[AT_TABLES]);
    out.table = p + at[AT_TABLE];
    out.groups = (const struct cuda_coded_group *)(const void *)(p + at[AT_GROUPS]);
    out.rows = (const int8_t *)(p + at[AT_ROWS]);
    out.means = (const float *)(const void *)(p + at[AT_MEANS]);
    out.where = (const int *)(const void *)(p + at[AT_WHERE]);
    out.n_states = b->n_states;
    out.whole = b->whole;
    out.n_groups = b->n_groups;
    out.n_heads = b->n_heads;
    out.head_dim = b->head_dim;
    out.words_at = 4 + 4 * b->n_states;
    return out;
}

// How one layer of a block is cut up; its places in memory are counted on in DATA and Q.
static struct cuda_coded_chunk chunk_of(const struct coded_put *x, int64_t *data, int64_t *q)
{
    const struct coded_basis *b = x->x.basis;
    const struct coded_layer *y = &b->layers[x->x.layer];
    struct cuda_coded_chunk k;
    memset(&k, 0, sizeof k);
    for (int l = 0; l < x->x.layer; l++)
        k.table += b->layers[l].n_channels;
    k.data = *data;
    k.symbols = k.q = *q;
    k.layer = x->x.layer;
    k.k = x->k;
    k.v = x->v;
    k.stride = x->stride;
    k.n = x->x.n;
    k.padded = (k.n + CUDA_CODED_TOKENS - 1) / CUDA_CODED_TOKENS * CUDA_CODED_TOKENS;
    k.n_channels = y->n_channels;
    for (int i = 0; i < y->n_channels; i++) {
        int joint = b->tables[y->table[i]].n_joint, units = (k.n + joint - 1) / joint;
        k.turns += (units + b->n_states - 1) / b->n_states;
    }
    k.n_words = (int)x->x.n_words;
    k.rest_at = 4 + 4 * b->n_states + 2 * k.n_words;
    k.escape_at = k.rest_at + (int)x->x.rest_bytes;
    k.n_escapes = ((int)x->x.bytes - k.escape_at) / 4;
    *data += (int64_t)cuda_align(x->x.bytes);
    *q += (int64_t)k.n_channels * k.padded;
    return k;
}

// Decodes N of them, at most CODED_MOST, with Q coefficients and DATA bytes of stage; FLAGS [n]:
// damaged ones.
static void decode_chunks(struct cuda *c, const struct coded_put *x, int n, int64_t data, int64_t q,
                          const uint8_t *basis, int *flags)
{
    struct cuda_stage *s = cuda_stage_take(c, (size_t)data, "put_coded");
    size_t q_bytes = cuda_align((size_t)q * sizeof(int)), symbol_bytes = cuda_align((size_t)q);
    uint8_t *p = s ? (uint8_t *)cuda_scratch(c, q_bytes + symbol_bytes + (size_t)n * sizeof(int),
                                             "put_coded")
                   : NULL;
    if (!p)
        return;
    struct cuda_coded_chunk *chunks = (struct cuda_coded_chunk *)(void *)s->host;
    int64_t data_at = (int64_t)cuda_align((size_t)n * sizeof *chunks), q_at = 0;
    int tiles = 0;
    for (int i = 0; i < n; i++) {
        chunks[i] = chunk_of(&x[i], &data_at, &q_at);
        memcpy(s->host + chunks[i].data, x[i].x.data, x[i].x.bytes);
        tiles = chunks[i].padded / CUDA_CODED_TOKENS > tiles ? chunks[i].padded / CUDA_CODED_TOKENS
                                                             : tiles;
    }
    if (cuda_stage_send(c, s, (size_t)data_at, "put_coded"))
        return;
    struct cuda_coded k = with_basis(x->x.basis, basis);
    k.chunks = (const struct cuda_coded_chunk *)(const void *)s->there;
    k.data = s->there;
    k.q = (int *)(void *)p;
    k.symbols = p + q_bytes;
    k.bad = (int *)(void *)(p + q_bytes + symbol_bytes);
    struct cuda_coded_read read = {k};
    struct cuda_coded_fill fill = {k};
    struct cuda_coded_mix mix = {k, tiles};
    CUDA_LAUNCH(c, cuda_coded_read, n, 1, RANS_STATES, read);
    CUDA_LAUNCH(c, cuda_coded_fill, n, 1, 2 * cuda_coded_fill_threads, fill);
    CUDA_LAUNCH(c, cuda_coded_mix, 2 * (int64_t)n * k.n_groups * tiles, 1, 0, mix);
    cuda_stage_done(c, s, "put_coded");
    if (!c->err.code)
        cuda_failed(c,
                    cudaMemcpyAsync(flags, k.bad, (size_t)n * sizeof *flags, cudaMemcpyDeviceToHost,
                                    cuda_stream(c)),
                    "put_coded");
}

// Returns how many of N can be decoded at once, and in DATA and Q how many bytes of stage and how
// many coefficients they take.
static int fit(const struct coded_put *x, int n, int64_t *data, int64_t *q)
{
    int count = 0;
    int64_t data_to = (int64_t)cuda_align(CODED_MOST * sizeof(struct cuda_coded_chunk)), q_to = 0;
    while (count < n && count < CODED_MOST) {
        chunk_of(&x[count], &data_to, &q_to);
        if (count && (data_to > CUDA_STAGE_MOST || q_to * 5 > CODED_SCRATCH))
            break;
        *data = data_to;
        *q = q_to;
        count++;
    }
    return count;
}

int cuda_put_coded(struct device *d, const struct coded_put *x, int n, int *bad, struct err *e)
{
    struct cuda *c = (struct cuda *)d->self;
    int flags[CODED_MOST];
    *bad = -1;
    if (n < 1 || cuda_here(c, "put_coded"))
        return d->ops->sync(d, e);
    int rc = 0;
    for (int at = 0, some; at < n && !rc && *bad < 0; at += some) {
        int64_t data = 0, q = 0;
        struct cuda_learnt *l = find_learnt(c, x->x.basis);
        some = fit(x + at, n - at, &data, &q);
        if (data > INT32_MAX)
            err_set(&c->err, ERR_UNSUPPORTED, "cuda: put_coded: a block of %.0f MiB is too large",
                    (double)x[at].x.bytes / 1048576);
        else if (l) {
            l->in_use = 1; // where memory is short, this is not given back
            decode_chunks(c, x + at, some, data, q, l->p, flags);
            l->in_use = 0;
        }
        rc = d->ops->sync(d, e);
        for (int i = 0; i < some && !rc && *bad < 0; i++)
            *bad = flags[i] ? at + i : -1;
    }
    return rc ? rc : *bad < 0 ? 0 : err_set(e, ERR_FORMAT, "its symbols are damaged");
}
