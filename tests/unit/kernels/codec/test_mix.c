// The arithmetic of codecs 3 to 5: products with small matrices, symbols, eigenvectors. What every
// processor's own way of it must come to, to the bit where an index depends on it.
#include "tests/unit/cache/kvz_make.h"

#include "kernels/codec/eigen.h"
#include "kernels/codec/mix.h"
#include "kernels/codec/mix_bytes.h"
#include "kernels/codec/mix_place.h"
#include "kernels/codec/rans.h"

static void mixing_is_the_same_everywhere(void **state)
{
    (void)state;
    enum { N = 7, STRIDE = 8, ROWS = 130, WIDTH = 64 + 16 + 8 + 5 };
    static float q[ROWS][STRIDE], out[N][WIDTH + 2], plain[N][WIDTH + 2];
    static int8_t rows[ROWS][WIDTH];
    for (size_t c = 0; c < ROWS; c++) {
        for (size_t t = 0; t < N; t++) // many noughts, and some of the largest
            q[c][t] = c % 3 ? truncf(make_noise(c * 99 + t) * 3) : t == 2 ? 131071 : 0;
        for (size_t d = 0; d < WIDTH; d++)
            rows[c][d] = (int8_t)(make_noise(c * 1000 + d + 7) * 127.9f);
    }
    mix_rows(&q[0][0], N, STRIDE, ROWS, &rows[0][0], WIDTH, &out[0][0], WIDTH + 2);
    mix_rows_plain(&q[0][0], N, STRIDE, ROWS, &rows[0][0], WIDTH, &plain[0][0], WIDTH + 2);
    assert_memory_equal(out, plain, sizeof out);
    double sum = 0;
    for (size_t c = 0; c < ROWS; c++)
        sum += (double)q[c][5] * rows[c][91];
    assert_true(fabs(plain[5][91] - sum) <= 1e-3 * fabs(sum) + 1);
}

static void whole_numbers_are_mixed_the_same_everywhere(void **state)
{
    (void)state;
    enum { FOURS = 37, WIDTH = 64 + 48, APART = 4 * MIX_TOKENS };
    static const size_t some[] = {1, 11, 16, FOURS};
    static int8_t q[FOURS * APART];
    static uint8_t rows[FOURS * 4 * WIDTH];
    static int32_t less[MIX_TOKENS], plain[MIX_TOKENS * WIDTH], out[MIX_TOKENS * WIDTH];
    for (size_t i = 0; i < sizeof q; i++) // the largest ones too
        q[i] = (int8_t)(i % 5 ? make_noise(i) * 63.9f : i % 2 ? MIX_Q_MAX : -MIX_Q_MAX);
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (uint8_t)(i % 7 ? 128 + make_noise(i + 999) * 127.9f : 255);
    for (size_t t = 0; t < MIX_TOKENS; t++)
        less[t] = (int32_t)(t * 1000) - 3000;
    for (size_t n = 0; n < sizeof some / sizeof *some; n++) {
        const size_t tokens = n % 2 ? 16 : MIX_TOKENS;
        mix_bytes_way(0)(q, APART, tokens, some[n], rows, WIDTH, less, plain);
        for (size_t t = 0; t < tokens; t += 3)
            for (size_t d = 0; d < WIDTH; d += 7) {
                int32_t sum = less[t];
                for (size_t c = 0; c < 4 * some[n]; c++)
                    sum += q[c / 4 * APART + 4 * t + c % 4] * rows[(c / 4 * WIDTH + d) * 4 + c % 4];
                assert_int_equal(plain[t * WIDTH + d], sum);
            }
        for (int i = 1; mix_bytes_way(i); i++) {
            memset(out, 0, sizeof out);
            mix_bytes_way(i)(q, APART, tokens, some[n], rows, WIDTH, less, out);
            assert_memory_equal(out, plain, tokens * WIDTH * sizeof *out);
        }
    }
}

static void elements_are_placed_the_same_everywhere(void **state)
{
    (void)state;
    enum { N = 3, PARTS = 2, EACH = 16 + 8 + 5, STRIDE = N + 2, SUMS = PARTS * EACH + 3 };
    static int32_t sum[N * SUMS];
    static float mean[PARTS * EACH], x[PARTS * STRIDE * EACH], plain[PARTS * STRIDE * EACH];
    struct mix_place p = {N, PARTS, EACH, sum, SUMS, mean, 0.0371f, plain, STRIDE};
    for (size_t i = 0; i < N * SUMS; i++)
        sum[i] = (int32_t)(make_noise(i) * 2e9f);
    for (size_t i = 0; i < PARTS * EACH; i++)
        mean[i] = make_noise(i + 999);
    mix_place_way(0)(&p);
    const float y = p.scale * (float)sum[2 * SUMS + EACH + 28];
    assert_true(plain[(STRIDE + 2) * EACH + 28] == mean[EACH + 28] + y && !plain[N * EACH]);
    p.x = x;
    for (int i = 1; mix_place_way(i); i++) {
        memset(x, 0, sizeof x);
        mix_place_way(i)(&p);
        assert_memory_equal(x, plain, sizeof x);
    }
}

// Rows of floats: every tile there is, and what is left of tokens and columns behind them.
static void floats_are_mixed(void **state)
{
    (void)state;
    enum { N = 12 + 11, STRIDE = 24, ROWS = 33, WIDTH = 32 + 16 + 8 };
    static float q[ROWS][STRIDE], rows[ROWS][WIDTH], out[N + 1][WIDTH];
    for (size_t c = 0; c < ROWS; c++) {
        for (size_t t = 0; t < STRIDE; t++)
            q[c][t] = make_noise(c * 99 + t);
        for (size_t d = 0; d < WIDTH; d++)
            rows[c][d] = make_noise(c * 1000 + d + 7);
    }
    mix_floats(&q[0][0], N, STRIDE, ROWS, &rows[0][0], WIDTH, WIDTH, &out[0][0], WIDTH);
    for (size_t t = 0; t <= N; t++)
        for (size_t d = 0; d < WIDTH; d++) {
            double sum = 0;
            for (size_t c = 0; c < ROWS && t < N; c++)
                sum += (double)q[c][t] * (double)rows[c][d];
            assert_true(fabs((double)out[t][d] - sum) < 1e-4);
        }
}

// What is written is read again, by 16 states and by 4, in pieces of any length; the widest symbol
// and the narrowest.
static void symbols_that_are_written_are_read(void **state)
{
    (void)state;
    enum { SYMBOLS = 999, CODES = 5 };
    static const uint32_t widths[CODES] = {1, 4000, 64, 30, 1};
    static struct rans_code codes[CODES];
    static uint32_t slots[RANS_SLOTS];
    static uint8_t words[2 + 2 * SYMBOLS], symbols[SYMBOLS], got[SYMBOLS + 15];
    uint32_t at = 0;
    for (uint32_t s = 0; s < CODES; at += widths[s++]) {
        codes[s] = rans_code_of(widths[s], at);
        for (uint32_t i = 0; i < widths[s]; i++)
            slots[at + i] = rans_slot(s, widths[s], i);
    }
    assert_int_equal(at, RANS_SLOTS);
    for (size_t i = 0; i < SYMBOLS; i++)
        symbols[i] = i % 7 ? 1 : (uint8_t)(i % CODES);
    for (uint32_t n_states = 4; n_states <= RANS_STATES; n_states *= 4) {
        struct rans r = {.n_states = n_states, .end = words + sizeof words}, *side[] = {&r};
        for (uint32_t i = 0; i < n_states; i++)
            r.state[i] = RANS_LEAST;
        r.at = rans_write(r.state, n_states, codes, symbols + 640, SYMBOLS - 640,
                          words + sizeof words);
        r.at = rans_write(r.state, n_states, codes, symbols, 640, words + (r.at - words));
        assert_true(r.at < r.end - 100);
        rans_read(side, 1, slots, got, 0, 640);
        rans_read(side, 1, slots, got + 640, 0, SYMBOLS - 640);
        assert_true(!r.bad && r.at == r.end);
        assert_memory_equal(got, symbols, SYMBOLS);
        for (uint32_t i = 0; i < n_states; i++)
            assert_int_equal(r.state[i], RANS_LEAST);
    }
}

// Words that nobody wrote still read the same everywhere, in pieces of any length, to the end and
// after; and several sequences side by side, some of which end before others.
static void symbols_are_read_the_same_everywhere(void **state)
{
    (void)state;
    enum { WORDS = 700, SYMBOLS = 2000, APART = SYMBOLS + 32 };
    static uint32_t slots[RANS_SLOTS];
    static uint8_t words[2 * WORDS], symbols[RANS_SIDE * APART], plain[APART];
    for (uint32_t i = 0, s = 0, left = 0, width = 0; i < RANS_SLOTS; i++, left--) {
        if (!left) {
            left = width = i + 60 > RANS_SLOTS ? RANS_SLOTS - i : 1 + (i * 7 + s) % 40;
            s++;
        }
        slots[i] = rans_slot(s & 255, width, width - left);
    }
    for (size_t i = 0; i < sizeof words; i++)
        words[i] = (uint8_t)(make_noise(i) * 999);
    struct rans first[RANS_SIDE];
    for (int j = 0; j < RANS_SIDE; j++) {
        first[j] = (struct rans){
            .n_states = RANS_STATES, .at = words + 100 * j, .end = words + sizeof words - 150 * j};
        for (uint32_t i = 0; i < RANS_STATES; i++)
            first[j].state[i] =
                RANS_LEAST + (uint32_t)((make_noise(i + 16 * (uint32_t)j) + 1) * 1e9f);
    }
    for (int way = 0; rans_way(way); way++)
        for (size_t n = 1; n <= RANS_SIDE; n++) {
            struct rans r[RANS_SIDE], *side[RANS_SIDE], want[RANS_SIDE];
            for (size_t j = 0; j < n; j++) {
                r[j] = want[j] = first[j];
                side[j] = &r[j];
            }
            for (size_t at = 0, step; at < SYMBOLS; at += step) {
                step = 1 + (at * 31) % 67;
                step = at + step > SYMBOLS ? SYMBOLS - at : step;
                rans_way(way)(side, n, slots, symbols, APART, step);
                for (size_t j = 0; j < n; j++) {
                    struct rans *one = &want[j];
                    rans_way(0)(&one, 1, slots, plain, 0, step);
                    assert_memory_equal(symbols + j * APART, plain, step);
                    assert_memory_equal(r[j].state, want[j].state, sizeof r[j].state);
                    assert_ptr_equal(r[j].at, want[j].at);
                    assert_int_equal(r[j].bad, want[j].bad);
                }
            }
            for (size_t j = 0; j < n; j++)
                assert_true(r[j].bad && r[j].at == r[j].end);
        }
}

// Matrices of low rank, with rows of zeros between others: what is left over is rounding, and must
// not stop it.
static void matrices_need_no_full_rank(void **state)
{
    (void)state;
    enum { N = 144, THIRD = N / 3 };
    static double a[N * N], copy[N * N], values[N], vectors[N * N];
    for (int way = 0; way < 6; way++) {
        const int rank = way % 2 ? 24 : 8;
        memset(a, 0, sizeof a);
        for (int r = 0; r < rank; r++) {
            double x[N];
            for (int i = 0; i < N; i++)
                x[i] = i / THIRD == 1
                           ? 0
                           : (double)make_noise((uint64_t)(r * N + i)) * pow(0.3 + 0.1 * way, r);
            for (int i = 0; i < N * N; i++)
                a[i] += x[i / N] * x[i % N];
        }
        memcpy(copy, a, sizeof a);
        OK(eigen(a, N, values, vectors, e));
        for (int i = 0; i < N; i++)
            for (int r = 0; r < N; r++) {
                double sum = -values[i] * vectors[i * N + r];
                for (int c = 0; c < N; c++)
                    sum += copy[r * N + c] * vectors[i * N + c];
                assert_true(fabs(sum) < 1e-12 * values[0]);
            }
    }
}

static void eigenvectors_are_what_they_say(void **state)
{
    (void)state;
    enum { N = 37 };
    static double a[N][N], copy[N][N], values[N], vectors[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = a[j][i] = make_noise((uint64_t)(i * N + j)) * (i < 3 && j < 3 ? 50 : 1);
    for (int i = 5; i < 9; i++) // a subspace of its own, and nothing at all
        for (int j = 0; j < N; j++)
            a[i][j] = a[j][i] = i == j && i < 7 ? 2 : 0;
    memcpy(copy, a, sizeof a);
    OK(eigen(&a[0][0], N, values, &vectors[0][0], e));
    for (int i = 0; i < N; i++) {
        assert_true(i == 0 || values[i] <= values[i - 1]);
        for (int r = 0; r < N; r++) {
            double sum = 0;
            for (int c = 0; c < N; c++)
                sum += copy[r][c] * vectors[i][c];
            assert_true(fabs(sum - values[i] * vectors[i][r]) < 1e-9);
        }
        for (int j = 0; j <= i; j++) {
            double dot = 0;
            for (int c = 0; c < N; c++)
                dot += vectors[i][c] * vectors[j][c];
            assert_true(fabs(dot - (i == j)) < 1e-12);
        }
    }
    double nan[4] = {1, NAN, NAN, 1}, two[2], four[4];
    REFUSED(ERR_FORMAT, "no eigenvectors", eigen(nan, 2, two, four, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixing_is_the_same_everywhere),
        cmocka_unit_test(whole_numbers_are_mixed_the_same_everywhere),
        cmocka_unit_test(elements_are_placed_the_same_everywhere),
        cmocka_unit_test(floats_are_mixed),
        cmocka_unit_test(symbols_that_are_written_are_read),
        cmocka_unit_test(symbols_are_read_the_same_everywhere),
        cmocka_unit_test(matrices_need_no_full_rank),
        cmocka_unit_test(eigenvectors_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
