// Successors: "Marek Stolarz has left us, and Ifeoma Bright has taken over.", "Marek Stolarz having
// retired, the warden is Ifeoma Bright."
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { NEAR = 4, FAR = 12 }; // tokens

// What makes of a change one that may come.
static const char OPEN[] = " if when until till whether ";
static const char LEFT[] =
    " left leaves resigned resigns retired retires died stepped steps ceased ceases ";

// Whether tokens I - 1 and I of T are the end of a name.
static int ends_name(const struct changed_tokens *t, int i)
{
    return i > 0 && i < t->n && t->v[i].is_capital && !t->v[i].is_number &&
           t->v[i - 1].is_capital && t->text[t->v[i - 1].at.to] != ',';
}

// The token right behind the name that ends with token I of T at which that one leaves a place,
// "has resigned", "will give up"; -1: there is none.
static int leaves(const struct changed_tokens *t, int i)
{
    enum { NEXT = 3 };
    const int left = changed_first(t, i + 1, NEXT, LEFT),
              gives = changed_first(t, i + 1, NEXT, " give gives gave given ");
    return left >= 0 ? left : gives >= 0 && changed_is(t, gives + 1, " up ") ? gives + 1 : -1;
}

// The last name, not that which ends with token OLD of WAS, among the tokens of T from FROM to
// before TO.
static int name_in(const struct changed_tokens *t, const struct changed_tokens *was, int old,
                   int from, int to)
{
    const struct span_of_text o = was->v[old].at;
    for (int i = to - 1; i >= from; i--)
        if (ends_name(t, i) && !(t == was && (i == old || i - 1 == old)) &&
            !span_is_alike(t->text, t->v[i].at, was->text, o))
            return i;
    return -1;
}

// Whether one of the tokens from FROM to before TO of T, a part of a sentence that names a place or
// its holder, is asked for: "the steward", up to "at the mill".
static int is_asked(const struct changed_said *s, const struct changed_tokens *t, int from, int to)
{
    enum { LEAST = 4 }; // bytes
    static const char behind[] = " at by for from in of on to with ";
    for (int i = from; i < to && !changed_is(t, i, behind); i++)
        if (changed_is(t, i, " successor replacement place ") ||
            (span_bytes(t->v[i].at) >= LEAST &&
             word_form_is_in(s->question, strlen(s->question), t->text + t->v[i].at.from,
                             span_bytes(t->v[i].at))))
            return 1;
    return 0;
}

// The token behind which T says who follows the one with the name with its last word at token I:
// "Marek Stolarz having retired", "On the death of Marek Stolarz"; -1: it does not say that the
// one has left.
static int left_at(const struct changed_tokens *t, int i)
{
    static const char leaving[] = " retirement resignation departure death ";
    const int left = leaves(t, i), of = changed_first(t, i - 3, 3, " of ");
    return left >= 0 ? left : changed_is(t, of - 1, leaving) ? i : -1;
}

// The end of the words with capitals that begin with token FROM of T.
static int capitals_end(const struct changed_tokens *t, int from)
{
    int to = from;
    while (to < t->n && t->v[to].is_capital && !t->v[to].is_number &&
           (to == from || t->text[t->v[to - 1].at.to] != ','))
        to++;
    return to;
}

// The first token of the part of a sentence that goes on to token K of T; FROM at least.
static int part_start(const struct changed_tokens *t, int from, int k)
{
    int first = from;
    for (int p = from; p < k; p++)
        if (is_one_of(t->text[t->v[p].at.to], ",;:") || changed_is(t, p, " and "))
            first = p + 1;
    return first;
}

// The name of whoever T says from token FROM on has the place that is asked for, and that the one
// with the name at token OLD of WAS has left: "the warden is Ifeoma Bright", "Ifeoma Bright has
// been made warden", "his place is filled by Ifeoma Bright". -1: it says no such thing.
static int holder(const struct changed_said *s, const struct changed_tokens *t, int from,
                  const struct changed_tokens *was, int old)
{
    static const char verbs[] = " is becomes became will was been appointed elected made named ",
                      helps[] = " been be has have now is was will ";
    for (int k = from; k < t->n; k++) {
        const int first = part_start(t, from, k);
        int subject = k, to = k + 1;
        if (!changed_is(t, k, verbs))
            continue;
        while (changed_is(t, subject - 1, helps))
            subject--;
        while (changed_is(t, to, " now be "))
            to++;
        if (subject >= first + 2 && capitals_end(t, first) == subject)
            return is_asked(s, t, to, t->n) ? name_in(t, was, old, first + 1, subject) : -1;
        to += changed_is(t, to, " filled taken held ") && changed_is(t, to + 1, " by ") ? 2 : 0;
        const int end = capitals_end(t, to);
        if (end > to + 1 && is_asked(s, t, first, subject))
            return name_in(t, was, old, to + 1, end);
    }
    return -1;
}

// Whether T says that the one with the name with its last word at token I has left, and NEXT, the
// sentence behind it, who is there now: the token of that name in NEXT, else -1.
static int followed(const struct changed_said *s, const struct changed_tokens *t, int i,
                    const struct changed_tokens *next)
{
    const int passes = changed_first(next, 0, next->n, " pass passes passed ");
    if (leaves(t, i) < 0)
        return -1;
    if (changed_first(next, 0, next->n, " now ") < 0 &&
        (passes < 0 || !changed_is(next, passes + 1, " to ")))
        return holder(s, next, 0, t, i);
    for (int k = next->n - 1; k > 0; k--)
        if (ends_name(next, k))
            return k;
    return -1;
}

// The name of whoever T says has what the name with its last word at token I had; -1: none.
static int successor(const struct changed_said *s, const struct changed_tokens *t, int i)
{
    static const char TAKES[] =
        " taken took takes succeeded succeeds replaces replaced appointed elected now ";
    const int left = leaves(t, i), gone = left_at(t, i);
    const int takes = left >= 0 ? changed_first(t, left + 1, 2 * FAR, TAKES) : -1;
    int new = takes >= 0 ? name_in(t, t, i, left + 1, takes) : -1;
    const int is = changed_first(t, i + 1, 3, CHANGED_IS);
    if (new < 0 && is >= 0 && changed_first(t, is + 1, 2, " replaced succeeded ") >= 0) {
        const int by = changed_first(t, is + 2, 3, " by ");
        new = by >= 0 ? name_in(t, t, i, by + 1, by + 1 + NEAR) : -1;
    }
    if (new < 0 && gone >= 0 && changed_first(t, 0, gone, OPEN) < 0) {
        new = holder(s, t, gone + 1, t, i);
        if (new < 0 &&
            changed_is(t, i + 1, " having ")) // "Ifeoma Bright is warden, he having left"
            new = holder(s, t, 0, t, i);
    }
    // "Ifeoma Bright has succeeded Marek Stolarz", "takes over from", "in place of"
    const int of = i > 2 * NEAR ? i - 2 * NEAR : 0;
    int verb = changed_first(t, of, i - of, " over place instead ");
    if (verb >= 0 &&
        (changed_first(t, verb, i - verb, " from of ") < 0 ||
         (changed_is(t, verb, " over ") && !changed_is(t, verb - 1, " take takes took taken "))))
        verb = -1;
    if (verb < 0)
        verb = changed_first(t, i - NEAR, NEAR, " succeeds succeeded replaces replaced ");
    if (new < 0 && verb >= 0 && !changed_is(t, i - 1, " by ") && !changed_is(t, i - 2, " by "))
        new = name_in(t, t, i, verb - NEAR, verb);
    return new;
}

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
    const int new = followed(s, t, k, &own),
              is_place =
                  changed_is(&own, 0, " his her its their ") && changed_is(&own, 1, " place ");
    if (new < 0 || (!is_place && (!changed_is_about(l, next, &both) || !both)))
        return 0;
    const struct span_of_text name = own.v[new].at;
    v->to = next.to;
    return !memmem(s->answer, strlen(s->answer), s->text + name.from, span_bytes(name));
}

// The token of whoever T says has what the one named by token I had, by whatever name: "has gone
// from Callum to Yusuf", "Yusuf took over the till from Callum"; -1: it says no such thing.
static int handed(const struct changed_tokens *t, int i)
{
    static const char goes[] = " gone goes went pass passes passed moved moves handed hands "
                               "transferred transfers switched switches changed changes ";
    const int from = changed_is(t, i - 1, " from "), next = i + 1;
    if (from && changed_is(t, next, " to ") && next + 1 < t->n && t->v[next + 1].is_capital &&
        changed_first(t, i - 1 - NEAR, NEAR, goes) >= 0)
        return next + 1;
    const int verb = from ? changed_first(t, i - 2 - NEAR, NEAR, " took takes taken ") : -1,
              new = verb - 1 - changed_is(t, verb - 1, " has ");
    return verb >= 0 && changed_is(t, verb + 1, " over ") && new >= 0 && t->v[new].is_capital ? new
                                                                                              : -1;
}

// Whether the sentence around byte AT, where the name with its last word there and of N bytes of
// the answer stands, tells that somebody else has what was asked for; WHOLE: the name has two words
// there, and may be met elsewhere of the same one.
static int is_followed_at(struct changed_looking *l, size_t at, size_t n, int whole)
{
    const struct changed_said *s = l->s;
    struct span_of_text v = changed_sentence(s, at);
    struct changed_tokens own;
    int k = 0, both;
    l->left--;
    changed_tokens(&own, s->text, v.from, v.to);
    while (k < own.n && own.v[k].at.from != at)
        k++;
    if (k == own.n || span_bytes(own.v[k].at) != n || changed_is_quoted(s, v.from))
        return 0;
    if (whole && has_successor(l, &own, k, &v) && changed_found(l, v))
        return 1;
    int new = whole ? successor(s, &own, k) : -1;
    new = new < 0 ? handed(&own, k) : new;
    if (new < 0 || !changed_is_about(l, v, &both) || !both)
        return 0;
    const struct span_of_text other = own.v[new].at;
    return !memmem(s->answer, strlen(s->answer), s->text + other.from, span_bytes(other)) &&
           changed_found(l, v);
}

int changed_names(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    struct changed_tokens t;
    changed_tokens(&t, s->answer, 0, strlen(s->answer));
    l->near = s->said;
    for (int i = 0; i < t.n; i++) {
        const char *name = s->answer + t.v[i].at.from;
        const size_t n = span_bytes(t.v[i].at);
        const int whole = i > 0 && t.v[i - 1].is_capital && t.v[i].at.from == t.v[i - 1].at.to + 1;
        if (!t.v[i].is_capital || n < 3 || memmem(s->question, strlen(s->question), name, n))
            continue;
        size_t at = s->said.to;
        for (const char *p; l->left > 0 && (p = memmem(s->text + at, s->n - at, name, n)); at++) {
            at = (size_t)(p - s->text);
            if (is_followed_at(l, at, n, whole))
                return 1;
        }
    }
    return 0;
}
