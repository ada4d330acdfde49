// As AVX-512, and matrix products with activations rounded to 8 bits (kernels.h says when), by the
// instruction that multiplies 64 bytes and adds them up in fours.
//
// A weight is d * u + m with u in 0 .. 255, an activation e * q with q in -127 .. 127, each with its
// scale for 32 neighbours. Of one such block the product is e * d * sum(u q) + m * e * sum(q).
#include "kernels/vec_avx512.h"

#include "kernels/simd_attend.h"
#include "kernels/simd_matmul.h"
#include "kernels/simd_rows.h"

enum {
    INT_M = 6,   // rows of x in a register tile: INT_M * 4 + 3 registers
    FOURS = 8,   // groups of four weights in a block
    UNPACK = 256 // weights of a row brought to bytes at a time
};

struct int_product {
    struct product p;
    size_t blocks;   // of 32, in a row
    int32_t *x;      // [n / INT_M][blocks][FOURS][INT_M], the last panel narrower
    float *x_scale;  // [n / INT_M][blocks][INT_M]: e
    float *x_sum;    // likewise: e * sum(q)
    uint8_t *panels; // per thread: a struct panel's arrays
    size_t panel_bytes;
};

// TILE_N weight rows.
struct panel {
    uint8_t *u;   // [blocks][FOURS][TILE_N][4]
    float *d, *m; // [blocks][TILE_N]
};

static struct panel panel_of(const struct int_product *p, int thread)
{
    uint8_t *at = p->panels + (size_t)thread * p->panel_bytes;
    float *scales = (float *)(void *)(at + (p->blocks + 1) * BLOCK * TILE_N);
    return (struct panel){at, scales, scales + (p->blocks + 1) * TILE_N};
}

// ---- Activations

static void round_block(const float *x, int8_t q[BLOCK], float *scale, float *sum)
{
    vf a = v_load(x), b = v_load(x + VW);
    float max = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(a), _mm512_abs_ps(b)));
    vf back = v_set1(max == 0 ? 0 : 127 / max);
    __m512i qa = _mm512_cvtps_epi32(a * back), qb = _mm512_cvtps_epi32(b * back);
    _mm_storeu_si128((__m128i *)(void *)q, _mm512_cvtsepi32_epi8(qa));
    _mm_storeu_si128((__m128i *)(void *)(q + 16), _mm512_cvtsepi32_epi8(qb));
    *scale = max / 127 + 0 * v_sum(a + b); // a NaN must be seen
    *sum = *scale * (float)_mm512_reduce_add_epi32(_mm512_add_epi32(qa, qb));
}

static void round_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct int_product *p = ctx;
    size_t at = (size_t)task * INT_M, cols = p->p.cols;
    size_t m = p->p.n - at < INT_M ? p->p.n - at : INT_M;
    int32_t *x = p->x + at * p->blocks * FOURS;
    for (size_t i = 0; i < m; i++)
        for (size_t b = 0; b < p->blocks; b++) {
            int8_t q[BLOCK];
            size_t s = at * p->blocks + b * m + i;
            round_block(p->p.x + (at + i) * cols + b * BLOCK, q, p->x_scale + s, p->x_sum + s);
            for (size_t g = 0; g < FOURS; g++)
                memcpy(&x[(b * FOURS + g) * m + i], q + 4 * g, 4);
        }
}

// ---- Weights

static void split_nibbles(uint8_t u[BLOCK], const uint8_t qs[16])
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)qs), low = _mm_set1_epi8(15);
    _mm_storeu_si128((__m128i *)(void *)u, _mm_and_si128(bytes, low));
    _mm_storeu_si128((__m128i *)(void *)(u + 16), _mm_and_si128(_mm_srli_epi16(bytes, 4), low));
}

static float half_of(const uint8_t *b)
{
    return _cvtsh_ss(block_u16(b));
}

// N weights of a row: u[n], and d and m of each 32, TILE_N apart.
static void unpack_row(uint32_t type, const uint8_t *src, size_t n, uint8_t *u, float *d, float *m)
{
    const struct quant *q = quant_find(type);
    for (size_t i = 0; i < n; i += (size_t)q->block, src += q->bytes, u += q->block) {
        const struct block_q4_0 *q4_0 = (const void *)src;
        const struct block_q4_1 *q4_1 = (const void *)src;
        struct codes c;
        switch (type) {
        case QUANT_Q4_0:
            split_nibbles(u, q4_0->qs);
            *d = half_of(q4_0->d);
            *m = -8 * *d;
            break;
        case QUANT_Q4_1:
            split_nibbles(u, q4_1->qs);
            *d = half_of(q4_1->d);
            *m = half_of(q4_1->m);
            break;
        default:
            codes_of(type, src, &c);
            for (int j = 0; j < q->block; j += BLOCK) {
                __m256i codes = _mm256_loadu_si256((const __m256i *)(const void *)(c.q + j));
                codes = _mm256_xor_si256(codes, _mm256_set1_epi8(-128)); // + 128
                _mm256_storeu_si256((__m256i *)(void *)(u + j), codes);
                d[j / BLOCK * TILE_N] = c.scale[j / 16];
                m[j / BLOCK * TILE_N] = -c.min[j / 16] - 128 * c.scale[j / 16];
            }
        }
        d += q->block / BLOCK * TILE_N;
        m += q->block / BLOCK * TILE_N;
    }
}

static void unpack_panel(const struct panel *panel, const struct int_product *p, size_t row)
{
    uint8_t bytes[VW][UNPACK];
    for (size_t k = 0; k < p->p.cols; k += UNPACK) {
        size_t n = p->p.cols - k < UNPACK ? p->p.cols - k : UNPACK, block = k / BLOCK;
        size_t skip = (size_t)quant_bytes(p->p.w->type, k);
        for (size_t at = 0; at < TILE_N; at += VW) {
            for (size_t i = 0; i < VW; i++) {
                size_t r = row + at + i < p->p.rows ? row + at + i : p->p.rows - 1;
                unpack_row(p->p.w->type, (const uint8_t *)p->p.w->data + r * p->p.row_bytes + skip, n,
                           bytes[i], panel->d + block * TILE_N + at + i,
                           panel->m + block * TILE_N + at + i);
            }
            for (size_t j = 0; j < n; j += 4 * VW) { // two blocks; the panel has room for a second
                vf r[VW];
#pragma GCC unroll 16
                for (int i = 0; i < VW; i++)
                    r[i] = v_load((const float *)(const void *)(bytes[i] + j));
                v_transpose(r);
#pragma GCC unroll 16
                for (size_t i = 0; i < VW; i++)
                    v_store((float *)(void *)(panel->u + (((k + j) / 4 + i) * TILE_N + at) * 4), r[i]);
            }
        }
    }
}

// ---- Register tile

// s += u q in fours. Not the intrinsic: with it gcc 12 copies every sum twice around the loop.
INLINE void add_products(__m512i *s, __m512i u, __m512i q)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(*s) : "v"(u), "v"(q));
}

// acc[m][2] for m rows of x and TILE_N weight rows, M a constant after inlining.
INLINE void int_tile(int m, const struct int_product *p, const struct panel *panel, size_t at,
                     vf (*acc)[2])
{
    const int32_t *x = p->x + at * p->blocks * FOURS;
    const float *e = p->x_scale + at * p->blocks, *sum = p->x_sum + at * p->blocks;
    const uint8_t *u = panel->u;
    vf total[INT_M][2];
#pragma GCC unroll 6
    for (int i = 0; i < m; i++)
        total[i][0] = total[i][1] = v_set1(0);
    for (size_t b = 0; b < p->blocks; b++, e += m, sum += m) {
        __m512i s[INT_M][2];
#pragma GCC unroll 6
        for (int i = 0; i < m; i++)
            s[i][0] = s[i][1] = _mm512_setzero_si512();
        for (int g = 0; g < FOURS; g++, x += m, u += 4 * TILE_N) {
            __m512i u0 = _mm512_loadu_si512(u), u1 = _mm512_loadu_si512(u + 64);
#pragma GCC unroll 6
            for (int i = 0; i < m; i++) {
                __m512i q = _mm512_set1_epi32(x[i]);
                add_products(&s[i][0], u0, q);
                add_products(&s[i][1], u1, q);
            }
        }
        const float *d = panel->d + b * TILE_N, *min = panel->m + b * TILE_N;
        vf d0 = v_load(d), d1 = v_load(d + VW), m0 = v_load(min), m1 = v_load(min + VW);
#pragma GCC unroll 6
        for (int i = 0; i < m; i++) {
            vf ei = v_set1(e[i]), si = v_set1(sum[i]);
            total[i][0] = v_fma(_mm512_cvtepi32_ps(s[i][0]), d0 * ei, v_fma(m0, si, total[i][0]));
            total[i][1] = v_fma(_mm512_cvtepi32_ps(s[i][1]), d1 * ei, v_fma(m1, si, total[i][1]));
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < m; i++) {
        acc[i][0] = total[i][0];
        acc[i][1] = total[i][1];
    }
}

static void int_rows(const struct int_product *p, const struct panel *panel, size_t at, size_t row)
{
    vf acc[INT_M][2];
    size_t rows = p->p.rows;
    int m = p->p.n - at < INT_M ? (int)(p->p.n - at) : INT_M;
    int width = rows - row < TILE_N ? (int)(rows - row) : TILE_N;
    switch (m) {
    case 1:
        int_tile(1, p, panel, at, acc);
        break;
    case 2:
        int_tile(2, p, panel, at, acc);
        break;
    case 3:
        int_tile(3, p, panel, at, acc);
        break;
    case 4:
        int_tile(4, p, panel, at, acc);
        break;
    case 5:
        int_tile(5, p, panel, at, acc);
        break;
    default:
        int_tile(INT_M, p, panel, at, acc);
        break;
    }
    for (int i = 0; i < m; i++)
        for (int v = 0; v < 2; v++) {
            size_t to = (at + (size_t)i) * rows + row + (size_t)(v * VW);
            vf y = acc[i][v];
            if (p->p.bias)
                y = y + load_upto(p->p.bias + row + v * VW, width - v * VW);
            if (p->p.add)
                y = y + load_upto(p->p.add + to, width - v * VW);
            store_upto(p->p.out + to, y, width - v * VW);
        }
}

static void int_task(void *ctx, int task, int thread)
{
    const struct int_product *p = ctx;
    struct panel panel = panel_of(p, thread);
    size_t row = (size_t)(task % p->p.row_tiles) * TILE_N;
    size_t tiles = (p->p.n + INT_M - 1) / INT_M, part = (size_t)(task / p->p.row_tiles);
    size_t first = tiles * part / (size_t)p->p.n_parts * INT_M;
    size_t end = tiles * (part + 1) / (size_t)p->p.n_parts * INT_M;
    unpack_panel(&panel, p, row);
    for (size_t at = first; at < end && at < p->p.n; at += INT_M)
        int_rows(p, &panel, at, row);
}

static void int_matmul(struct cpu *c, float *out, const struct mat *w, const float *x,
                       const float *bias, const float *add, int n)
{
    if (!cpu_rounds(c, w->type, n)) {
        simd_matmul(c, out, w, x, bias, add, n);
        return;
    }
    struct int_product p = {.p = {.out = out, .w = w, .x = x, .bias = bias, .add = add,
                                  .n = (size_t)n, .rows = (size_t)w->rows, .cols = (size_t)w->cols}};
    size_t threads = (size_t)pool_threads(c->pool);
    p.p.row_bytes = (size_t)quant_bytes(w->type, p.p.cols);
    p.blocks = p.p.cols / BLOCK;
    plan_parts(&p.p, (int)threads, INT_M);
    p.panel_bytes = (p.blocks + 1) * TILE_N * (BLOCK + 2 * sizeof(float));
    size_t x_bytes = (p.p.n * p.p.cols + 63) & ~(size_t)63;
    size_t scale_bytes = (p.p.n * p.blocks * sizeof(float) + 63) & ~(size_t)63;
    uint8_t *at = cpu_scratch(c, x_bytes + 2 * scale_bytes + threads * p.panel_bytes);
    if (!at)
        return;
    p.x = (int32_t *)(void *)at;
    p.x_scale = (float *)(void *)(at + x_bytes);
    p.x_sum = (float *)(void *)(at + x_bytes + scale_bytes);
    p.panels = at + x_bytes + 2 * scale_bytes;
    pool_run(c->pool, (n + INT_M - 1) / INT_M, round_task, &p);
    pool_run(c->pool, p.p.row_tiles * p.p.n_parts, int_task, &p);
}

const struct cpu_isa cpu_avx512vnni = {
    .name = "avx512vnni",
    .embed = simd_embed,
    .matmul = int_matmul,
    .rmsnorm = simd_rmsnorm,
    .gate = simd_gate,
    .attend = simd_attend,
    .scan = simd_scan,
};
