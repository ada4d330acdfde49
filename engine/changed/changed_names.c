// Successors: "Marek Stolarz has left us, and Ifeoma Bright has taken over."
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"

// Whether sentence V, T in tokens, says that the one with the name at token K of it has left, and
// the next sentence, which is about the same, who is there now; then V becomes both.
static int has_successor(const struct changed_looking *l, const struct changed_tokens *t, int k,
                         struct span_of_text *v)
{
    const struct changed_said *s = l->s;
    size_t at = v->to;
    struct span_of_text next;
    struct changed_tokens own;
    int both;
    if (!changed_next(s, &at, &next))
        return 0;
    changed_tokens(&own, s->text, next.from, next.to);
    const int new = changed_is_followed(t, k, &own);
    if (new < 0 || !changed_is_about(l, next, &both) || !both)
        return 0;
    const struct span_of_text name = own.v[new].at;
    v->to = next.to;
    return !memmem(s->answer, strlen(s->answer), s->text + name.from, span_bytes(name));
}

int changed_names(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    struct changed_tokens t, own;
    changed_tokens(&t, s->answer, 0, strlen(s->answer));
    l->near = s->said;
    for (int i = 1; i < t.n; i++) {
        const char *name = s->answer + t.v[i].at.from;
        const size_t n = span_bytes(t.v[i].at);
        if (!t.v[i].is_capital || !t.v[i - 1].is_capital || n < 3 ||
            t.v[i].at.from != t.v[i - 1].at.to + 1 ||
            memmem(s->question, strlen(s->question), name, n))
            continue;
        size_t at = s->said.to;
        for (const char *p; l->left > 0 && (p = memmem(s->text + at, s->n - at, name, n)); at++) {
            at = (size_t)(p - s->text);
            struct span_of_text v = changed_sentence(s, at);
            int k = 0, new, both;
            l->left--;
            changed_tokens(&own, s->text, v.from, v.to);
            while (k < own.n && own.v[k].at.from != at)
                k++;
            if (k == own.n || span_bytes(own.v[k].at) != n || changed_is_quoted(s, v.from))
                continue;
            if (has_successor(l, &own, k, &v) && changed_found(l, v))
                return 1;
            if (!changed_is_succeeded(&own, k, &new) || !changed_is_about(l, v, &both) || !both)
                continue;
            const struct span_of_text other = own.v[new].at;
            if (!memmem(s->answer, strlen(s->answer), s->text + other.from, span_bytes(other)) &&
                changed_found(l, v))
                return 1;
        }
    }
    return 0;
}
