#include "kernels/half.h"
#include "tests/unit/kernels/kernel_cases.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 1;

void random_from(uint32_t seed)
{
    state = seed;
}

uint32_t next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

float uniform(void)
{
    return (float)next_random() / (float)(1 << 23) - 1;
}

void *new (size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    assert_non_null(p);
    return p;
}

void random_weights(const struct quant *q, uint8_t *data, size_t n)
{
    static const struct {
        uint32_t type;
        int at[2];
    } halves[] = {{QUANT_F16, {0, 0}},    {QUANT_Q4_0, {0, 0}},     {QUANT_Q4_1, {0, 2}},
                  {QUANT_Q5_0, {0, 0}},   {QUANT_Q5_1, {0, 2}},     {QUANT_Q8_0, {0, 0}},
                  {QUANT_Q2_K, {80, 82}}, {QUANT_Q3_K, {108, 108}}, {QUANT_Q4_K, {0, 2}},
                  {QUANT_Q5_K, {0, 2}},   {QUANT_Q6_K, {208, 208}}, {QUANT_IQ4_NL, {0, 0}},
                  {QUANT_IQ4_XS, {0, 0}}};
    for (size_t i = 0; i < n; i++, data += q->bytes) {
        for (int k = 0; k < q->bytes; k++)
            data[k] = (uint8_t)next_random();
        for (size_t h = 0; h < sizeof halves / sizeof *halves; h++)
            for (int k = 0; k < 2 && halves[h].type == q->type; k++) {
                uint16_t scale = half_of_float(uniform() / 32);
                memcpy(data + halves[h].at[k], &scale, 2);
            }
        float f = uniform();
        if (q->type == QUANT_F32)
            memcpy(data, &f, 4);
        if (q->type == QUANT_BF16)
            memcpy(data, (char *)&f + 2, 2);
        if (q->type == QUANT_MXFP4)
            data[0] = (uint8_t)(118 + data[0] % 8);
    }
}

void random_turns(float *rope, int n, int rope_dim)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rope_dim / 2; k++) {
            double angle = 4 * (double)uniform();
            rope[i * rope_dim + k] = (float)cos(angle);
            rope[i * rope_dim + rope_dim / 2 + k] = (float)sin(angle);
        }
}

void hard_to_gate(float *x, float *up, size_t n)
{
    static const float hard[] = {0,    -0.0f, 30,    -30,    88,    -88, 120,
                                 -120, 1e4f,  -1e4f, 1e-20f, 5e-4f, NAN};
    for (size_t i = 0; i < n; i++)
        x[i] *= 12;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        x[i] = hard[i];
        up[i] = 1;
    }
}

void compare(const struct device *d, const char *what, const float *want, const float *got,
             size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        double error = fabs((double)got[i] - (double)want[i]);
        int same = got[i] == want[i] || (isnan(got[i]) && isnan(want[i]));
        if (!same && !(error <= tolerance * fmax(1, fabs((double)want[i]))))
            fail_msg("%s: %s: [%zu] is %.9g, not %.9g", d->label, what, i, (double)got[i],
                     (double)want[i]);
    }
}

void kept_forget(struct kept_room *room, int n_kv_heads, int stride, int head_dim)
{
    const int cap = (stride + KEPT_PANEL - 1) / KEPT_PANEL * KEPT_PANEL;
    const size_t n = (size_t)n_kv_heads * (size_t)cap * kept_width(head_dim),
                 scales = n / KEPT_BLOCK;
    struct kept_rows *r = &room->rows;
    if (!r->k)
        *r = (struct kept_rows){.k = new (n, 1),
                                .v = new (n, 1),
                                .k_scale = new (scales, sizeof(float)),
                                .v_scale = new (scales, sizeof(float)),
                                .cap = cap,
                                .n = &room->n};
    for (size_t i = 0; i < scales; i++)
        r->k_scale[i] = r->v_scale[i] = NAN;
    room->n = 0;
}

void kept_free(struct kept_room *room)
{
    free(room->rows.k);
    free(room->rows.v);
    free(room->rows.k_scale);
    free(room->rows.v_scale);
}

// clang-format off
const struct attend_shape attend_shapes[] = {
    {"chunk", 70, 9, 3, 64, 64, ROPE_NORM, 0.125f, 0, 16,
     {{40, 5, 1, 1, 0, 0, 1, 0}, {130, 0, 1, 2, 1, 0, 1, 0}}},
    {"chunk neox", 50, 4, 2, 80, 80, ROPE_NEOX, 0.11f, 0, 0,
     {{33, 0, 1, 2, 0, 0, 0, 0}, {0, 9, 1, 1, 0, 0, 1, 0}, {50, 3, 1, 2, 1, 0, 0, 0}}},
    {"one query", 1, 9, 3, 64, 64, ROPE_NORM, 0.125f, 0, 0,
     {{128, 0, 1, 1, 0, 0, 0, 0}, {64, 0, 1, 1, 0, 0, 0, 0}, {37, 10, 1, 2, 1, 0, 0, 0}}},
    {"one query, one head", 1, 1, 1, 96, 96, ROPE_NEOX, 0.1f, 0, 1, {{1, 0, 1, 2, 1, 0, 1, 0}}},
    {"partial rope", 21, 6, 2, 96, 32, ROPE_NEOX, 0.1f, 0, 0, {{45, 0, 1, 2, 1, 0, 0, 0}}},
    {"partial rope, pairs", 21, 6, 1, 80, 20, ROPE_NORM, 0.1f, 0, 0, {{45, 0, 1, 2, 1, 0, 0, 0}}},
    {"no rope", 17, 2, 2, 128, 128, ROPE_NORM, 0.09f, 0, 0, {{65, 0, 0, 0, 1, 0, 0, 0}}},
    {"queries turn, keys do not", 5, 2, 2, 16, 16, ROPE_NORM, 0.25f, 0, 0,
     {{65, 0, 0, 2, 0, 0, 0, 0}, {5, 0, 1, 0, 1, 0, 0, 0}}},
    {"softcap", 19, 4, 2, 64, 64, ROPE_NEOX, 4, 20, 0,
     {{30, 0, 1, 2, 0, 0, 1, 0}, {19, 0, 1, 2, 1, 0, 1, 0}}},
    {"max distance", 60, 4, 2, 64, 64, ROPE_NORM, 0.125f, 0, 20,
     {{90, 2, 1, 2, 1, 17, 1, 0}, {7, 0, 1, 1, 0, 0, 1, 0}}},
    {"max distance, far", 40, 4, 2, 64, 64, ROPE_NORM, 0.125f, 0, 20,
     {{90, 2, 1, 2, 0, 75, 1, 60}, {33, 0, 1, 1, 0, 20, 1, 7}, {9, 0, 1, 1, 0, 20, 0, 20},
      {47, 0, 1, 2, 1, 30, 1, 0}}},
    {"sees nothing", 9, 3, 3, 32, 32, ROPE_NORM, 0.2f, 0, 3, {{4, 1, 1, 2, 1, 0, 1, 0}}},
    {"no pieces", 4, 3, 3, 32, 32, ROPE_NORM, 0.2f, 0, 2, {{0}}},
    {"odd sizes", 13, 5, 5, 21, 14, ROPE_NEOX, 0.2f, 0, 4, {{13, 1, 1, 2, 1, 0, 1, 0}}},
    {"odd pairs", 13, 5, 5, 21, 14, ROPE_NORM, 0.2f, 0, 4, {{13, 1, 1, 2, 1, 0, 1, 0}}},
    {"many heads", 7, 40, 2, 16, 16, ROPE_NORM, 0.25f, 0, 7, {{19, 0, 1, 2, 1, 0, 1, 0}}},
    {"steep scores", 30, 2, 1, 64, 64, ROPE_NORM, 2, 0, 8, {{50, 0, 1, 2, 1, 0, 1, 0}}},
};
// clang-format on
const size_t n_attend_shapes = sizeof attend_shapes / sizeof *attend_shapes;
