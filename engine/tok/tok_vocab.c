// Pieces and added tokens found by their text.
#include <string.h>

#include "engine/tok/tok_impl.h"
#include "io/hash.h"

uint32_t tok_lookup(const struct tok *t, const uint8_t *s, size_t n)
{
    for (uint64_t h = hash64(s, n);; h++) {
        uint32_t id = t->slot[h & t->slot_mask];
        if (id == NO_PIECE)
            return NO_PIECE;
        if (t->off[id + 1] - t->off[id] == n && !memcmp(t->text + t->off[id], s, n))
            return id;
    }
}

int tok_add_slot(struct tok *t, uint32_t id)
{
    const uint8_t *s = t->text + t->off[id];
    size_t n = t->off[id + 1] - t->off[id];
    if (!n || tok_lookup(t, s, n) != NO_PIECE)
        return 0;
    uint64_t h = hash64(s, n);
    while (t->slot[h & t->slot_mask] != NO_PIECE)
        h++;
    t->slot[h & t->slot_mask] = id;
    return 1;
}

// The byte at DEPTH of the I-th added token, or -1 where it has ended.
static int added_byte(const struct tok *t, const struct added *a, size_t i, size_t depth)
{
    uint32_t id = a->id[i];
    return t->off[id] + depth < t->off[id + 1] ? t->text[t->off[id] + depth] : -1;
}

uint32_t tok_added_at(const struct tok *t, const struct added *a, const uint8_t *s, size_t n,
                      int *more)
{
    uint32_t best = NO_PIECE;
    size_t lo = 0, hi = a->n;
    *more = 0;
    // [lo, hi) agree with the text so far; each byte halves its way to those that go on with it.
    for (size_t depth = 0; lo < hi; depth++) {
        if (added_byte(t, a, lo, depth) < 0)
            best = a->id[lo];
        while (lo < hi && added_byte(t, a, lo, depth) < 0)
            lo++;
        if (depth == n) {
            *more = lo < hi;
            break;
        }
        for (size_t end = hi, mid; lo < end;) {
            mid = lo + (end - lo) / 2;
            if (added_byte(t, a, mid, depth) < s[depth])
                lo = mid + 1;
            else
                end = mid;
        }
        for (size_t start = lo, mid; start < hi;) {
            mid = start + (hi - start) / 2;
            if (added_byte(t, a, mid, depth) <= s[depth])
                start = mid + 1;
            else
                hi = mid;
        }
    }
    return best;
}
