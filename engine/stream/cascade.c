#include "engine/stream/cascade.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

static const double MOST_WEIGHT = 0x1p64; // then all scores are made small again

int cascade_new(struct cascade **out, int n_caches, int slots, int shift, int n_lanes,
                struct err *e)
{
    *out = NULL;
    if (n_caches < 1 || shift < 0 || n_caches + shift > CASCADE_CACHES_MAX || slots < 1 ||
        slots > CASCADE_SLOTS_MAX)
        return err_set(e, ERR_USAGE, "a cascade of %d times %d tokens", n_caches, slots);
    struct cascade *c = mem_new(1, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    c->n_caches = n_caches;
    c->slots = slots;
    c->shift = shift;
    c->n_lanes = n_lanes;
    c->n_rows = n_caches * slots + 1;
    c->weight = 1;
    size_t lanes = (size_t)n_lanes, rows = lanes * (size_t)c->n_rows;
    c->ring = mem_new(rows - lanes, sizeof *c->ring, e);
    c->spare = mem_new(lanes, sizeof *c->spare, e);
    c->token = mem_new(rows, sizeof *c->token, e);
    c->score = mem_new(rows, sizeof *c->score, e);
    if (!c->ring || !c->spare || !c->token || !c->score) {
        cascade_free(c);
        return ERR_NOMEM;
    }
    *out = c;
    return 0;
}

void cascade_free(struct cascade *c)
{
    if (!c)
        return;
    free(c->ring);
    free(c->spare);
    free(c->token);
    free(c->score);
    free(c);
}

static void weigh(struct cascade *c)
{
    c->weight /= CASCADE_DECAY;
    if (c->weight < MOST_WEIGHT)
        return;
    size_t rows = (size_t)c->n_lanes * (size_t)c->n_rows;
    for (size_t i = 0; i < rows; i++)
        c->score[i] /= c->weight;
    c->weight = 1;
}

// What becomes of the token that the sub-caches before LAST passed on, or of the new one.
enum last { APPEND, COMPETE, DROP };

static enum last last_of(const struct cascade *c, int *last)
{
    for (*last = 0; *last < c->n_caches; ++*last) {
        int i = *last, accepts = c->seen % (UINT64_C(1) << (i + c->shift)) == 0;
        if (c->n[i] == 0 || (accepts && c->n[i] < c->slots))
            return APPEND;
        if (!accepts)
            return COMPETE;
    }
    return DROP;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

void cascade_add(struct cascade *c, uint32_t token, const float *score, uint32_t *row)
{
    int last;
    enum last action = last_of(c, &last);
    size_t slots = (size_t)c->slots, wide = (size_t)c->n_caches * slots;
    weigh(c);
    for (size_t l = 0; l < (size_t)c->n_lanes; l++) {
        uint32_t *ring = c->ring + l * wide, moving = c->spare[l];
        double *scores = c->score + l * (size_t)c->n_rows;
        row[l] = moving;
        c->token[l * (size_t)c->n_rows + moving] = token;
        scores[moving] = (double)score[l] * c->weight;
        for (int i = 0; i < last; i++)
            swap(&ring[(size_t)i * slots + (size_t)c->oldest[i]], &moving);
        ring += (size_t)last * slots;
        if (action == APPEND) {
            ring[c->n[last]] = moving;
            moving = (uint32_t)c->held + 1;
        } else if (action == COMPETE) {
            uint32_t *newest = &ring[(size_t)(c->oldest[last] + c->n[last] - 1) % slots];
            if (scores[moving] >= scores[*newest])
                swap(newest, &moving);
        }
        c->spare[l] = moving;
    }
    for (int i = 0; i < last; i++)
        c->oldest[i] = (c->oldest[i] + 1) % c->slots;
    if (action == APPEND) {
        c->n[last]++;
        c->held++;
    }
    c->seen++;
}

void cascade_attend(struct cascade *c, int lane, uint32_t row, float score)
{
    c->score[(size_t)lane * (size_t)c->n_rows + row] += (double)score * c->weight;
}

int cascade_order(const struct cascade *c, int lane, uint32_t *rows)
{
    const uint32_t *ring = c->ring + (size_t)lane * (size_t)(c->n_caches * c->slots);
    int n = 0;
    for (int i = c->n_caches - 1; i >= 0; i--)
        for (int j = 0; j < c->n[i]; j++)
            rows[n++] = ring[i * c->slots + (c->oldest[i] + j) % c->slots];
    return n;
}

float cascade_score(const struct cascade *c, int lane, uint32_t row)
{
    return (float)(c->score[(size_t)lane * (size_t)c->n_rows + row] / c->weight);
}

void cascade_fill(struct cascade *c, int lane, uint64_t seen, int n, const uint32_t *token,
                  const float *score)
{
    size_t at = (size_t)lane * (size_t)c->n_rows;
    uint32_t *ring = c->ring + (size_t)lane * (size_t)(c->n_caches * c->slots);
    c->seen = seen;
    c->held = n;
    for (int i = 0; i < c->n_caches; i++) { // a sub-cache gets its first token from a full one
        int left = n - i * c->slots;
        c->n[i] = left < 0 ? 0 : left < c->slots ? left : c->slots;
        for (int j = 0; j < c->n[i]; j++)
            ring[i * c->slots + j] = (uint32_t)(left - c->n[i] + j);
    }
    for (int i = 0; i < n; i++) {
        c->token[at + (size_t)i] = token[i];
        c->score[at + (size_t)i] = (double)score[i] * c->weight;
    }
    c->spare[lane] = (uint32_t)n;
}

int cascade_save(const struct cascade *c, struct bytes *b, struct err *e)
{
    size_t lanes = (size_t)c->n_lanes, rows = lanes * (size_t)c->n_rows;
    uint64_t weight;
    memcpy(&weight, &c->weight, sizeof weight);
    int rc = bytes_put_u64(b, c->seen, e);
    if (!rc)
        rc = bytes_put_u64(b, weight, e);
    for (int i = 0; !rc && i < c->n_caches; i++)
        if (!(rc = bytes_put_u64(b, (uint64_t)c->n[i], e)))
            rc = bytes_put_u64(b, (uint64_t)c->oldest[i], e);
    if (rc || (rc = bytes_put(b, c->ring, (rows - lanes) * sizeof *c->ring, e)) ||
        (rc = bytes_put(b, c->spare, lanes * sizeof *c->spare, e)) ||
        (rc = bytes_put(b, c->token, rows * sizeof *c->token, e)))
        return rc;
    return bytes_put(b, c->score, rows * sizeof *c->score, e);
}

static void take(struct cursor *from, void *to, size_t bytes)
{
    const uint8_t *p = cursor_bytes(from, bytes);
    if (p)
        memcpy(to, p, bytes);
}

// Whether every row that is named exists.
static int is_sound(const struct cascade *c)
{
    size_t wide = (size_t)c->n_caches * (size_t)c->slots;
    int ok = c->weight >= 1 && c->weight < MOST_WEIGHT;
    for (int i = 0; ok && i < c->n_caches; i++)
        ok = c->n[i] >= 0 && c->n[i] <= c->slots && c->oldest[i] >= 0 && c->oldest[i] < c->slots;
    for (size_t l = 0; l < (size_t)c->n_lanes; l++) {
        ok &= c->spare[l] < (uint32_t)c->n_rows;
        for (size_t i = 0; i < wide; i++)
            ok &= c->ring[l * wide + i] < (uint32_t)c->n_rows;
    }
    return ok;
}

int cascade_load(struct cascade *c, struct cursor *from, struct err *e)
{
    size_t lanes = (size_t)c->n_lanes, rows = lanes * (size_t)c->n_rows;
    c->seen = cursor_u64(from);
    c->weight = cursor_f64(from);
    c->held = 0;
    for (int i = 0; i < c->n_caches; i++) {
        uint64_t n = cursor_u64(from), oldest = cursor_u64(from);
        c->n[i] = n > (uint64_t)c->slots ? -1 : (int)n;
        c->oldest[i] = oldest > (uint64_t)c->slots ? -1 : (int)oldest;
        c->held += c->n[i];
    }
    take(from, c->ring, (rows - lanes) * sizeof *c->ring);
    take(from, c->spare, lanes * sizeof *c->spare);
    take(from, c->token, rows * sizeof *c->token);
    take(from, c->score, rows * sizeof *c->score);
    if (from->bad || !is_sound(c))
        return err_set(e, ERR_FORMAT, "the saved cascade makes no sense");
    return 0;
}
