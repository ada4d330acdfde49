// Tokens chosen from logits on a device: see device_tests.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "engine/model/sample.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/kernels/kernel_cases.h"
#include "tests/unit/ok.h"

// As engine/model/sample.c finds it.
static void check_best(float *x, int n)
{
    struct err failed;
    struct best got;
    struct sampler greedy = {.temp = 0};
    float *there = tested->ops->alloc(tested, (size_t)n * sizeof *x, &failed);
    struct best *out = tested->ops->alloc(tested, sizeof *out, &failed);
    uint32_t want, id;
    assert_true(there && out);
    OK(tested->ops->upload(tested, there, x, (size_t)n * sizeof *x, e));
    tested->ops->best(tested, out, there, n);
    OK(tested->ops->download(tested, &got, out, sizeof got, e));
    int rc = sample(&greedy, x, n, &want, &failed);
    assert_int_equal(sample_best(&got, &id, &failed), rc);
    assert_int_equal(id, want);
    assert_true(got.value == x[want] || (isnan(got.value) && isnan(x[want])));
    tested->ops->free(tested, there);
    tested->ops->free(tested, out);
}

void device_best(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 255, 257, 2049, 49152, 200001};
    float *x = new (200001, sizeof *x);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        for (int i = 0; i < n; i++)
            x[i] = uniform() - 2;
        check_best(x, n);
        x[n - 1] = x[n / 2] = -0.f; // the first of equals; zeros are equal
        x[n / 3] = 0;
        check_best(x, n);
        x[n / 4] = NAN; // which is passed over, unless it is the first
        check_best(x, n);
        x[n - 1] = INFINITY; // the model is damaged
        check_best(x, n);
        x[0] = NAN;
        check_best(x, n);
        for (int i = 0; i < n; i++)
            x[i] = -INFINITY;
        check_best(x, n);
    }
    free(x);
}

// What is added, against the same sums here.
void device_favour(void **state)
{
    (void)state;
    enum { VOCAB = 5000, MOST = 1000 };
    static const int counts[] = {0, 1, 257, MOST};
    struct err failed;
    struct bonus b[MOST];
    float want[VOCAB], got[VOCAB];
    float *x = tested->ops->alloc(tested, sizeof want, &failed);
    struct bonus *there = tested->ops->alloc(tested, sizeof b, &failed);
    assert_true(x && there);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (int i = 0; i < VOCAB; i++)
            want[i] = uniform();
        OK(tested->ops->upload(tested, x, want, sizeof want, e));
        for (int i = 0; i < counts[k]; i++) {
            b[i] = (struct bonus){(uint32_t)(i * 4999 % VOCAB), i % 9 ? 3 * uniform() : -INFINITY};
            want[b[i].id] += b[i].by;
        }
        OK(tested->ops->upload(tested, there, b, (size_t)counts[k] * sizeof *b, e));
        tested->ops->favour(tested, x, there, counts[k]);
        OK(tested->ops->download(tested, got, x, sizeof got, e));
        assert_memory_equal(got, want, sizeof want);
    }
    tested->ops->free(tested, x);
    tested->ops->free(tested, there);
}

// ---- A token drawn

struct likely {
    float p;
    uint32_t id;
};

static int likelier(const void *a, const void *b)
{
    const struct likely *x = a, *y = b;
    return x->p != y->p ? (x->p < y->p ? 1 : -1) : x->id < y->id ? -1 : x->id > y->id;
}

// Whether token GOT could be drawn by HOW where exponentials round otherwise: it lies so near to
// where the draw falls.
static int could_be_drawn(const float *x, int n, const struct draw *how, uint32_t got)
{
    const double near = 1e-5;
    struct likely *c = new ((size_t)n, sizeof *c);
    float top = x[0];
    double sum = 0, mass = 0, before = 0, least = 0, most = 0;
    for (int i = 1; i < n; i++)
        top = x[i] > top ? x[i] : top;
    for (int i = 0; i < n; i++) {
        c[i] = (struct likely){expf((x[i] - top) / how->temp), (uint32_t)i};
        sum += (double)c[i].p;
    }
    qsort(c, (size_t)n, sizeof *c, likelier);
    const int has_nucleus = how->top_p > 0 && how->top_p < 1;
    for (int i = 0; i < n && (!has_nucleus || mass < sum * (double)how->top_p); i++)
        mass += (double)c[i].p;
    for (int i = 0; i < n; before += (double)c[i++].p)
        if (c[i].id == got) {
            least = before;
            most = before + (double)c[i].p;
        }
    free(c);
    const double at = how->uniform * mass;
    return at >= least - near * sum && at <= most + near * sum;
}

// As engine/model/sample.c draws it; how many draws are others.
// What token ID of X [n] costs.
static double cost_of(const float *x, int n, uint32_t id)
{
    double most = (double)x[0], sum = 0;
    for (int i = 1; i < n; i++)
        most = (double)x[i] > most ? (double)x[i] : most;
    for (int i = 0; i < n; i++)
        sum += exp((double)x[i] - most);
    return log(sum) - ((double)x[id] - most);
}

static int check_draw(float *x, int n, float temp, float top_p, int draws)
{
    struct err failed;
    struct sampler s = {.temp = temp, .top_p = top_p, .state = next_random()};
    float *there = tested->ops->alloc(tested, (size_t)n * sizeof *x, &failed);
    struct best *out = tested->ops->alloc(tested, sizeof *out, &failed), got;
    float *nats = tested->ops->alloc(tested, sizeof *nats, &failed);
    int others = 0;
    assert_true(there && out && nats);
    OK(tested->ops->upload(tested, there, x, (size_t)n * sizeof *x, e));
    for (int i = 0; i < draws; i++) {
        struct sampler same = s;
        const struct draw how = sample_draw(&same);
        uint32_t want = UINT32_MAX, id;
        float cost;
        tested->ops->draw(tested, out, there, n, &how);
        tested->ops->cost(tested, nats, out, there, n);
        OK(tested->ops->download(tested, &got, out, sizeof got, e));
        OK(tested->ops->download(tested, &cost, nats, sizeof cost, e));
        int rc = sample(&s, x, n, &want, &failed);
        assert_int_equal(sample_best(&got, &id, &failed), rc);
        if (!rc)
            assert_true(fabs((double)cost - cost_of(x, n, id)) < 1e-4);
        if (rc || id == want)
            continue;
        assert_true(id < (uint32_t)n && could_be_drawn(x, n, &how, id));
        others++;
    }
    tested->ops->free(tested, there);
    tested->ops->free(tested, out);
    tested->ops->free(tested, nats);
    return others;
}

void device_draw(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 7, 1025, 49152};
    static const float top_ps[] = {1, 0.9f, 0, 0.3f, 1e-9f, 0.9999999f};
    float *x = new (49152, sizeof *x);
    int others = 0, draws = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k], few = n > 2000 ? 2 : 20;
        for (int kind = 0; kind < 4;
             kind++) { // as it may be, few different ones, all alike, one far above the others
            for (int i = 0; i < n; i++)
                x[i] = kind == 0   ? 9 * uniform()
                       : kind == 1 ? (float)(next_random() % 5)
                       : kind == 2 ? 3
                                   : (float)-(i % 100);
            if (kind == 3)
                x[n / 2] = 40;
            if (kind == 0)
                x[n / 3] = -INFINITY;
            for (size_t i = 0; i < sizeof top_ps / sizeof *top_ps; i++, draws += few)
                others +=
                    n == 1 && kind == 0 ? 0 : check_draw(x, n, i % 2 ? 0.7f : 1.5f, top_ps[i], few);
        }
        x[n / 2] = NAN; // the model is damaged
        check_draw(x, n, 1, 0.9f, 2);
        x[n / 2] = INFINITY;
        check_draw(x, n, 1, 1, 2);
    }
    assert_true(others * 100 < draws);
    free(x);
}
