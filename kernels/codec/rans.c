#include "kernels/codec/rans.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "kernels/codec/unroll.h"
#include "kernels/codec/ways.h"

enum {
    MASK = RANS_SLOTS - 1,
    MOST_WORDS = 2 * RANS_STATES, // bytes that a turn of all states reads at most
};

// N_STATES is a constant where this is inlined, and the states stay in registers where they are
// few.
static inline __attribute__((always_inline)) void
read_turns(struct rans *r, unsigned n_states, const uint32_t *slots, uint8_t *symbols, size_t n)
{
    uint32_t state[RANS_STATES];
    const uint8_t *at = r->at;
    memcpy(state, r->state, n_states * sizeof *state);
    for (size_t i = 0; i < n; i++) {
        uint32_t old = state[i % n_states], slot = slots[old & MASK];
        uint32_t x = (slot & MASK) * (old >> RANS_BITS) + (slot >> 12 & MASK);
        if (x < RANS_LEAST) {
            uint16_t word = 0;
            if (r->end - at >= 2) {
                memcpy(&word, at, 2);
                at += 2;
            } else {
                r->bad = 1;
            }
            x = x << 16 | word;
        }
        state[i % n_states] = x;
        symbols[i] = (uint8_t)(slot >> 24);
    }
    memcpy(r->state, state, n_states * sizeof *state);
    r->at = at;
}

static void read_plain(struct rans *r, const uint32_t *slots, uint8_t *symbols, size_t n)
{
    read_turns(r, RANS_STATES, slots, symbols, n);
}

static void read_four(struct rans *r, const uint32_t *slots, uint8_t *symbols, size_t n)
{
    read_turns(r, 4, slots, symbols, n);
}

static void side_plain(struct rans *const *r, size_t n_side, const uint32_t *slots,
                       uint8_t *symbols, size_t stride, size_t n)
{
    for (size_t j = 0; j < n_side; j++)
        read_plain(r[j], slots, symbols + j * stride, n);
}

static void side_four(struct rans *const *r, size_t n_side, const uint32_t *slots, uint8_t *symbols,
                      size_t stride, size_t n)
{
    for (size_t j = 0; j < n_side; j++)
        read_four(r[j], slots, symbols + j * stride, n);
}

#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,popcnt")))
// A loop over sequences.
#define SIDE(n) UNROLL_TO(4) for (int j = 0; j < (n); j++)

// The lowest N of 16 bits, or all.
static inline __mmask16 first_of(size_t n)
{
    return n >= 16 ? 0xffff : (__mmask16)((1u << n) - 1);
}

// Words past the end are read as zero, as the plain version does.
AVX512 static void read_avx512(struct rans *r, const uint32_t *slots, uint8_t *symbols, size_t n)
{
    const __m512i mask = _mm512_set1_epi32(MASK), least = _mm512_set1_epi32(RANS_LEAST);
    __m512i x = _mm512_loadu_si512(r->state);
    const uint8_t *at = r->at;
    for (size_t i = 0; i < n; i += RANS_STATES) {
        const size_t left = (size_t)(r->end - at) / 2;
        const __mmask16 live = first_of(n - i);
        __m512i slot = _mm512_i32gather_epi32(_mm512_and_si512(x, mask), slots, 4);
        __m512i words = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(first_of(left), at));
        __m512i next = _mm512_mullo_epi32(_mm512_and_si512(slot, mask), _mm512_srli_epi32(x, 12));
        next = _mm512_add_epi32(next, _mm512_and_si512(_mm512_srli_epi32(slot, 12), mask));
        __mmask16 more = _mm512_mask_cmplt_epu32_mask(live, next, least);
        next = _mm512_mask_or_epi32(next, more, _mm512_slli_epi32(next, 16),
                                    _mm512_maskz_expand_epi32(more, words));
        x = _mm512_mask_mov_epi32(x, live, next);
        _mm_storeu_si128((__m128i *)(void *)(symbols + i),
                         _mm512_cvtepi32_epi8(_mm512_srli_epi32(slot, 24)));
        size_t taken = (size_t)_mm_popcnt_u32(more);
        r->bad |= taken > left;
        at += 2 * (taken < left ? taken : left);
    }
    _mm512_storeu_si512(r->state, x);
    r->at = at;
}

// Whole turns of N_SIDE sequences, for as long as each has enough words left. A turn of a sequence
// has to wait for the turn before it; the turns of the other sequences are done in the meantime.
// Returns how many symbols were read of each.
AVX512 static inline __attribute__((always_inline)) size_t
turns_avx512(struct rans *const *r, const int n_side, const uint32_t *slots, uint8_t *symbols,
             size_t stride, size_t n)
{
    const __m512i mask = _mm512_set1_epi32(MASK), least = _mm512_set1_epi32(RANS_LEAST);
    __m512i x[RANS_SIDE];
    const uint8_t *at[RANS_SIDE];
    size_t i = 0;
    int enough = 1;
    SIDE(n_side)
    {
        x[j] = _mm512_loadu_si512(r[j]->state);
        at[j] = r[j]->at;
        enough &= r[j]->end - at[j] >= MOST_WORDS;
    }
    for (; enough && i + RANS_STATES <= n; i += RANS_STATES) {
        SIDE(n_side)
        {
            __m512i slot = _mm512_i32gather_epi32(_mm512_and_si512(x[j], mask), slots, 4);
            __m512i words =
                _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)at[j]));
            __m512i next =
                _mm512_mullo_epi32(_mm512_and_si512(slot, mask), _mm512_srli_epi32(x[j], 12));
            next = _mm512_add_epi32(next, _mm512_and_si512(_mm512_srli_epi32(slot, 12), mask));
            __mmask16 more = _mm512_cmplt_epu32_mask(next, least);
            x[j] = _mm512_mask_or_epi32(next, more, _mm512_slli_epi32(next, 16),
                                        _mm512_maskz_expand_epi32(more, words));
            _mm_storeu_si128((__m128i *)(void *)(symbols + (size_t)j * stride + i),
                             _mm512_cvtepi32_epi8(_mm512_srli_epi32(slot, 24)));
            at[j] += 2 * _mm_popcnt_u32(more);
            enough &= r[j]->end - at[j] >= MOST_WORDS;
        }
    }
    SIDE(n_side)
    {
        _mm512_storeu_si512(r[j]->state, x[j]);
        r[j]->at = at[j];
    }
    return i;
}

AVX512 static void side_avx512(struct rans *const *r, size_t n_side, const uint32_t *slots,
                               uint8_t *symbols, size_t stride, size_t n)
{
    size_t i = n_side == 4   ? turns_avx512(r, 4, slots, symbols, stride, n)
               : n_side == 3 ? turns_avx512(r, 3, slots, symbols, stride, n)
               : n_side == 2 ? turns_avx512(r, 2, slots, symbols, stride, n)
                             : turns_avx512(r, 1, slots, symbols, stride, n);
    for (size_t j = 0; j < n_side && i < n; j++)
        read_avx512(r[j], slots, symbols + j * stride + i, n - i);
}

// Eight states at once: each one that MORE marks takes the next word, the first of them at AT.
AVX2 static inline __m256i refill(__m256i x, __m256i more, const uint8_t *at)
{
    __m128i bytes =
        _mm_packs_epi32(_mm256_castsi256_si128(more), _mm256_extracti128_si256(more, 1));
    uint64_t ones = (uint64_t)_mm_cvtsi128_si64(_mm_packs_epi16(bytes, bytes));
    ones &= UINT64_C(0x0101010101010101);
    uint64_t before = ones * UINT64_C(0x0101010101010101) << 8; // how many of the states before
    __m256i which = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)before));
    __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)at));
    words = _mm256_permutevar8x32_epi32(words, which);
    return _mm256_blendv_epi8(x, _mm256_or_si256(_mm256_slli_epi32(x, 16), words), more);
}

AVX2 static inline __m256i turn(__m256i x, __m256i slot)
{
    const __m256i mask = _mm256_set1_epi32(MASK);
    x = _mm256_mullo_epi32(_mm256_and_si256(slot, mask), _mm256_srli_epi32(x, 12));
    return _mm256_add_epi32(x, _mm256_and_si256(_mm256_srli_epi32(slot, 12), mask));
}

AVX2 static inline __m256i below_least(__m256i x)
{
    return _mm256_cmpeq_epi32(_mm256_srli_epi32(x, 16), _mm256_setzero_si256());
}

AVX2 static inline __attribute__((always_inline)) size_t
turns_avx2(struct rans *const *r, const int n_side, const uint32_t *slots, uint8_t *symbols,
           size_t stride, size_t n)
{
    const __m256i mask = _mm256_set1_epi32(MASK);
    const int *table = (const int *)(const void *)slots;
    __m256i low[RANS_SIDE], high[RANS_SIDE];
    const uint8_t *at[RANS_SIDE];
    size_t i = 0;
    int enough = 1;
    SIDE(n_side)
    {
        low[j] = _mm256_loadu_si256((const __m256i *)(const void *)r[j]->state);
        high[j] = _mm256_loadu_si256((const __m256i *)(const void *)(r[j]->state + 8));
        at[j] = r[j]->at;
        enough &= r[j]->end - at[j] >= MOST_WORDS;
    }
    for (; enough && i + RANS_STATES <= n; i += RANS_STATES) {
        SIDE(n_side)
        {
            __m256i a = low[j], b = high[j];
            __m256i sa = _mm256_i32gather_epi32(table, _mm256_and_si256(a, mask), 4);
            __m256i sb = _mm256_i32gather_epi32(table, _mm256_and_si256(b, mask), 4);
            a = turn(a, sa);
            b = turn(b, sb);
            __m256i more_a = below_least(a), more_b = below_least(b);
            low[j] = refill(a, more_a, at[j]);
            at[j] += 2 * _mm_popcnt_u32((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(more_a)));
            high[j] = refill(b, more_b, at[j]);
            at[j] += 2 * _mm_popcnt_u32((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(more_b)));
            __m256i s = _mm256_packus_epi32(_mm256_srli_epi32(sa, 24), _mm256_srli_epi32(sb, 24));
            s = _mm256_permute4x64_epi64(s, 0xd8);
            _mm_storeu_si128(
                (__m128i *)(void *)(symbols + (size_t)j * stride + i),
                _mm_packus_epi16(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1)));
            enough &= r[j]->end - at[j] >= MOST_WORDS;
        }
    }
    SIDE(n_side)
    {
        _mm256_storeu_si256((__m256i *)(void *)r[j]->state, low[j]);
        _mm256_storeu_si256((__m256i *)(void *)(r[j]->state + 8), high[j]);
        r[j]->at = at[j];
    }
    return i;
}

AVX2 static void side_avx2(struct rans *const *r, size_t n_side, const uint32_t *slots,
                           uint8_t *symbols, size_t stride, size_t n)
{
    size_t i = n_side == 4   ? turns_avx2(r, 4, slots, symbols, stride, n)
               : n_side == 3 ? turns_avx2(r, 3, slots, symbols, stride, n)
               : n_side == 2 ? turns_avx2(r, 2, slots, symbols, stride, n)
                             : turns_avx2(r, 1, slots, symbols, stride, n);
    for (size_t j = 0; j < n_side && i < n; j++)
        read_plain(r[j], slots, symbols + j * stride + i, n - i);
}
#endif

// Returns how many there are, the best one last.
static int find_ways(rans_fn **ways)
{
    int n = 0;
    ways[n++] = side_plain;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        ways[n++] = side_avx2;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        ways[n++] = side_avx512;
#endif
    return n;
}

WAYS(rans, 3)

void rans_read(struct rans *const *r, size_t n_side, const uint32_t *slots, uint8_t *symbols,
               size_t stride, size_t n)
{
    (r[0]->n_states == 4 ? side_four : best_way())(r, n_side, slots, symbols, stride, n);
}

// The quotient is exact: a state is below width 2^20 once its word is written, so that the product
// is below 2^64, and what rounding up adds to it is below 2^-12, which is at most 1 / width.
uint8_t *rans_write(uint32_t *state, uint32_t n_states, const struct rans_code *codes,
                    const uint8_t *symbols, size_t n, uint8_t *end)
{
    while (n--) {
        const struct rans_code *c = &codes[symbols[n]];
        const size_t turn = n & (n_states - 1);
        uint32_t x = state[turn];
        const uint16_t word = (uint16_t)x;
        const unsigned full = x >= (uint64_t)c->width << (32 - RANS_BITS);
        memcpy(end - 2, &word, 2); // to stay where the state is full
        end -= 2 * full;
        x >>= 16 * full;
        state[turn] = x + (uint32_t)(x * c->per >> 44) * (RANS_SLOTS - c->width) + c->start;
    }
    return end;
}
