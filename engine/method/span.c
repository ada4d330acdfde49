#include "engine/method/span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

struct box {
    int from, to; // end exclusive
    double score;
};

struct work {
    const float *a;
    int n, stride;
    double theta;
    double *sum;       // [n][n]: sum[y][x] = S(x, y)
    float *sorted;     // [n (n + 1) / 2]
    struct box *boxes; // [2n - 1]
    uint8_t *owner;    // [n]: 0 free, else 1 + span
};

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

// The entry below which a share Q of the lower triangle lies, between two entries linearly.
static double quantile(struct work *w, double q)
{
    size_t n = 0;
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j <= i; j++)
            w->sorted[n++] = w->a[i * w->stride + j];
    qsort(w->sorted, n, sizeof *w->sorted, by_value);
    double at = q * (double)(n - 1);
    size_t low = (size_t)at;
    double part = at - (double)low, x = (double)w->sorted[low];
    return low + 1 < n ? x + part * ((double)w->sorted[low + 1] - x) : x;
}

// S(x, y) = sum of A[i][j] - theta over x <= j <= i <= y (Eq. 5): S(x, y - 1) and the row y from x
// on.
static void triangle_sums(struct work *w)
{
    for (int y = 0; y < w->n; y++) {
        double row = 0;
        for (int x = y; x >= 0; x--) {
            row += (double)w->a[y * w->stride + x] - w->theta;
            w->sum[y * w->n + x] = row + (x < y ? w->sum[(y - 1) * w->n + x] : 0);
        }
    }
}

static int by_score(const void *a, const void *b)
{
    const struct box *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

// The best span around every midpoint: the maximum of each anti-diagonal x + y (Appendix E), the
// shorter one where equal. Only spans above the threshold count.
static int candidates(struct work *w)
{
    int n = 0;
    for (int mid = 0; mid <= 2 * w->n - 2; mid++) {
        struct box best = {0, 0, 0};
        for (int x = mid / 2; x >= 0 && mid - x < w->n; x--) {
            double s = w->sum[(mid - x) * w->n + x];
            if (s > best.score)
                best = (struct box){x, mid - x + 1, s};
        }
        if (best.to)
            w->boxes[n++] = best;
    }
    qsort(w->boxes, (size_t)n, sizeof *w->boxes, by_score);
    return n;
}

// Of the squares that the spans cut out of the attention map.
static double overlap(const struct box *a, const struct box *b)
{
    int from = a->from > b->from ? a->from : b->from, to = a->to < b->to ? a->to : b->to;
    if (to <= from)
        return 0;
    double o = (double)(to - from), x = (double)(a->to - a->from), y = (double)(b->to - b->from);
    return o * o / (x * x + y * y - o * o);
}

// Narrows B to its longest run of tokens that no better span owns; 0 when there is none.
static int free_run(const struct work *w, struct box *b)
{
    int best = 0, from = 0;
    for (int i = b->from, run = 0; i < b->to; i++) {
        run = w->owner[i] ? 0 : run + 1;
        if (run > best) {
            best = run;
            from = i + 1 - run;
        }
    }
    b->from = from;
    b->to = from + best;
    return best;
}

static void own(struct work *w, int from, int to, int span)
{
    memset(w->owner + from, span + 1, (size_t)(to - from));
}

// Greedy non-maximum suppression: the best MAX spans that hardly overlap a better one.
static void survivors(struct work *w, struct spans *s, double iou, int max)
{
    struct box kept[SPAN_MAX];
    int n = candidates(w);
    for (int i = 0; i < n && s->n < max; i++) {
        struct box b = w->boxes[i];
        int ok = 1;
        for (int j = 0; ok && j < s->n; j++)
            ok = overlap(&kept[j], &b) <= iou;
        if (!ok || !free_run(w, &b))
            continue;
        kept[s->n] = w->boxes[i];
        own(w, b.from, b.to, s->n);
        s->v[s->n++] = (struct spans_one){.from = b.from, .to = b.to, .score = b.score};
    }
}

// What no span covers becomes one where there is room for more, else joins the span before it (the
// one after it, at the front).
static void fill_gaps(struct work *w, struct spans *s, int max)
{
    for (int from = 0; from < w->n;) {
        int to = from + 1;
        if (w->owner[from]) {
            from = to;
            continue;
        }
        while (to < w->n && !w->owner[to])
            to++;
        int span = from ? w->owner[from - 1] - 1 : to < w->n ? w->owner[to] - 1 : -1;
        if (s->n < max || span < 0) {
            span = s->n++;
            s->v[span] = (struct spans_one){.from = from, .to = to};
        } else if (from) {
            s->v[span].to = to;
        } else {
            s->v[span].from = from;
        }
        own(w, from, to, span);
        from = to;
    }
}

static int by_place(const void *a, const void *b)
{
    return ((const struct spans_one *)a)->from - ((const struct spans_one *)b)->from;
}

// r_a of a span, its neighbours its rows: row by row, then the rows.
static void weigh(const struct work *w, struct spans_one *p)
{
    double inside = 0, before = 0;
    for (int i = p->from; i < p->to; i++) {
        double row = 0, row_before = 0;
        for (int j = 0; j <= i; j++)
            *(j < p->from ? &row_before : &row) += (double)w->a[i * w->stride + j];
        inside += row;
        before += row_before;
    }
    p->ratio = inside + before > 0 ? inside / (inside + before) : 1;
}

// Votes of a token: what it received in the block.
static void rank_tokens(const struct work *w, struct spans *s)
{
    double votes[SPANS_TOKENS] = {0};
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j <= i; j++)
            votes[j] += (double)w->a[i * w->stride + j];
    for (int j = 0; j < w->n; j++) {
        int rank = 0;
        for (int i = 0; i < w->n; i++)
            rank += votes[i] > votes[j] || (i < j && votes[i] == votes[j]);
        s->rank[j] = (uint8_t)rank;
    }
}

// How many vectors a span keeps: ceil(len exp(-lambda (1 - r_a))), Eq. 7.
static int count_vectors(const struct spans_one *p, double lambda)
{
    int len = p->to - p->from;
    double keep = ceil((double)len * exp(-lambda * (1 - p->ratio)));
    return keep < 1 ? 1 : keep > (double)len ? len : (int)keep;
}

// At most MAX vectors for the block: the span with most gives one up, the later where equal.
static void limit(struct span_set *s, int max)
{
    for (;;) {
        int total = 0, most = 0;
        for (int i = 0; i < s->n; i++) {
            total += s->v[i].n_vectors;
            if (s->v[i].n_vectors >= s->v[most].n_vectors)
                most = i;
        }
        if (total <= max || s->v[most].n_vectors == 1)
            return;
        s->v[most].n_vectors--;
    }
}

// The tokens of a span that received most attention within the block, ascending.
static void elect(struct span_set *s, const struct span *p, const uint8_t *rank)
{
    uint8_t chosen[SPANS_TOKENS] = {0};
    for (int c = 0; c < p->n_vectors; c++) {
        int best = -1;
        for (int j = p->from; j < p->to; j++)
            if (!chosen[j] && (best < 0 || rank[j] < rank[best]))
                best = j;
        chosen[best] = 1;
    }
    for (int j = p->from; j < p->to; j++)
        if (chosen[j])
            s->token[s->n_tokens++] = (uint8_t)j;
}

static void without_attention(struct span_set *s, int n, int vectors)
{
    int count = n < vectors ? n : vectors;
    s->n = 1;
    s->v[0] = (struct span){.to = n, .ratio = 1, .n_vectors = count};
    for (s->n_tokens = 0; s->n_tokens < count; s->n_tokens++)
        s->token[s->n_tokens] = (uint8_t)(s->n_tokens * n / count);
}

// With what is left out filled in.
static struct span_options complete(const struct span_options *o)
{
    struct span_options x = *o;
    x.theta = x.theta > 0 ? x.theta : 0.9;
    x.iou = x.iou > 0 ? x.iou : 0.1;
    x.lambda = x.lambda > 0 ? x.lambda : 3;
    x.spans = x.spans ? x.spans : 4;
    x.vectors = x.vectors ? x.vectors : SPAN_VECTORS;
    return x;
}

struct span_cut span_cut_of(const struct span_options *o)
{
    const struct span_options x = complete(o);
    return (struct span_cut){x.theta, x.iou, x.spans};
}

int span_find(struct spans *out, const float *a, int n, int stride, const struct span_cut *cut,
              struct err *e)
{
    size_t m = (size_t)n;
    struct work w = {.a = a,
                     .n = n,
                     .stride = stride,
                     .sum = mem_new(m * m, sizeof(double), e),
                     .sorted = mem_new(m * (m + 1) / 2, sizeof(float), e),
                     .boxes = mem_new(2 * m - 1, sizeof(struct box), e),
                     .owner = mem_new(m, 1, e)};
    int rc = w.sum && w.sorted && w.boxes && w.owner ? 0 : ERR_NOMEM;
    *out = (struct spans){0};
    if (!rc) {
        w.theta = quantile(&w, cut->theta);
        triangle_sums(&w);
        survivors(&w, out, cut->iou, cut->spans);
        fill_gaps(&w, out, cut->spans);
        qsort(out->v, (size_t)out->n, sizeof *out->v, by_place);
        for (int i = 0; i < out->n; i++)
            weigh(&w, &out->v[i]);
        rank_tokens(&w, out);
    }
    free(w.sum);
    free(w.sorted);
    free(w.boxes);
    free(w.owner);
    return rc;
}

static int check(int n, const struct span_options *x, struct err *e)
{
    return n < 1 || n > SPANS_TOKENS || x->theta > 1 || x->spans < 1 || x->spans > SPAN_MAX ||
                   x->vectors < x->spans || x->vectors > SPAN_TOKENS_MAX
               ? err_set(e, ERR_USAGE, "a block of %d tokens cannot have %d spans and %d vectors",
                         n, x->spans, x->vectors)
               : 0;
}

int span_elect(struct span_set *s, const struct spans *x, int n, const struct span_options *o,
               struct err *e)
{
    const struct span_options whole = complete(o);
    int rc = check(n, &whole, e);
    *s = (struct span_set){.n = x->n};
    for (int i = 0; !rc && i < x->n; i++) {
        const struct spans_one *p = &x->v[i];
        s->v[i] = (struct span){p->from, p->to, p->score, p->ratio, count_vectors(p, whole.lambda)};
    }
    if (!rc)
        limit(s, whole.vectors);
    for (int i = s->n - 1; !rc && i >= 0; i--)
        elect(s, &s->v[i], x->rank);
    return rc;
}

int span_divide(struct span_set *s, const float *a, int n, int stride, const struct span_options *o,
                struct err *e)
{
    const struct span_options whole = complete(o);
    const struct span_cut cut = span_cut_of(o);
    struct spans found;
    int rc = check(n, &whole, e);
    if (rc)
        return rc;
    if (a)
        return (rc = span_find(&found, a, n, stride, &cut, e)) ? rc
                                                               : span_elect(s, &found, n, o, e);
    *s = (struct span_set){0};
    without_attention(s, n, whole.vectors);
    return 0;
}
