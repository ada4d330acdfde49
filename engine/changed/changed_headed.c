// Corrections that only their heading calls so: "Subject: Correction" above "The readers took 25
// pounds, I had turned the figures round."
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Whether the word of TEXT[V) from byte AT to TO is what V heads, and no "error correction" or
// "correction factor".
static int is_alone(const char *text, struct span_of_text v, size_t at, size_t to)
{
    static const char BEFORE[] = " a the one two three some minor small important further ";
    size_t end = at;
    while (end > v.from && is_gap(text[end - 1]))
        end--;
    const size_t from = word_start_before(text, v.from, end);
    if (from < end && !word_has_digit(text + from, end - from) &&
        !word_is_listed(BEFORE, text + from, end - from))
        return 0;
    return to == v.to || !is_gap(text[to]) || begins_with(text + to, v.to - to, " to ");
}

// The byte behind the heading that the line of byte AT of C is or begins with, a title or the
// subject of a mail, *V; 0: it is none.
static size_t behind_heading(const struct lines *c, size_t at, struct span_of_text *v)
{
    const size_t line = line_start(c, at), end = line_end(c, line);
    size_t behind = end;
    if (message_field_of(c->text + line, end - line) == MESSAGE_SUBJECT)
        *v = (struct span_of_text){line, line_trimmed(c, line, end)};
    else if (heading_runs_in(c, end, &v->from, &v->to))
        for (behind = v->to; behind < end && is_one_of(c->text[behind], ".:*_");)
            behind++;
    else if (!heading_is(c, line, &v->from, &v->to))
        return 0;
    return behind;
}

// Whether sentence V names the clause whose number, "3.3", the line of L's sentence begins with.
static int names_clause(const struct changed_looking *l, struct span_of_text v)
{
    const char *text = l->s->text;
    const struct lines c = {.text = text, .n = l->s->n};
    size_t from = line_start(&c, l->near.from), points = 0;
    while (from < l->near.to && is_one_of(text[from], " *#"))
        from++;
    size_t to = from;
    for (; to + 1 < l->near.to &&
           (is_digit(text[to]) || (to > from && text[to] == '.' && is_digit(text[to + 1])));
         to++)
        points += text[to] == '.';
    return points > 0 && words_stand_in(text + v.from, span_bytes(v), text + from, to - from);
}

// Whether OLD has number K of T, of its unit: "three" other agents are no three years.
static int has_already(const struct changed_tokens *old, const struct changed_tokens *t, int k)
{
    for (int i = 0; i < old->n; i++)
        if (old->v[i].is_number && changed_is_same_unit(old, i, t, k) &&
            changed_is_same(changed_value_at(old, i), changed_value_at(t, k)))
            return 1;
    return 0;
}

// Whether the numbers at token I of A and at token K of B, which have no unit, end both behind the
// same word: "The port is 8443."
static int end_alike(const struct changed_tokens *a, int i, const struct changed_tokens *b, int k)
{
    return i > 0 && k > 0 && i + 1 == a->n && k + 1 == b->n &&
           span_is_alike(a->text, a->v[i - 1].at, b->text, b->v[k - 1].at);
}

// Whether sentence V gives another number of the unit of the one at token I of OLD for what was
// asked: two of these: a word of it, that unit, its clause.
static int gives_other(const struct changed_looking *l, struct span_of_text v,
                       const struct changed_tokens *old, int i)
{
    enum { LEAST = 4 }; // bytes of a unit: "days"
    const struct changed_said *s = l->s;
    const struct changed_value was = changed_value_at(old, i);
    struct changed_tokens t;
    int both;
    if (span_bytes(v) > LONGEST_SENTENCE || changed_is_quoted(s, v.from))
        return 0;
    changed_is_about(l, v, &both);
    const int names = names_clause(l, v);
    changed_tokens(&t, s->text, v.from, v.to);
    for (int k = 0; k < t.n; k++) {
        if (!t.v[k].is_number || !(changed_is_same_unit(old, i, &t, k) || end_alike(old, i, &t, k)))
            continue;
        const struct changed_value new = changed_value_at(&t, k);
        const struct span_of_text unit = k + 1 < t.n ? t.v[k + 1].at : (struct span_of_text){0, 0};
        const int asks_unit =
            span_bytes(unit) >= LEAST &&
            word_form_is_in(s->question, strlen(s->question), t.text + unit.from, span_bytes(unit));
        if (new.number != was.number && !new.month == !was.month && !has_already(old, &t, k) &&
            both + asks_unit + names > 1)
            return 1;
    }
    return 0;
}

// The same of the few sentences from byte AT on, up to the next heading: behind a title that runs
// in, those of its paragraph.
static int look_below(struct changed_looking *l, size_t at, const struct changed_tokens *old, int i)
{
    enum { MOST = 30 }; // sentences
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text v, heading;
    size_t stop = s->n;
    if (at < line_end(&c, at))
        for (stop = at; stop < s->n && !line_is_empty(&c, stop);)
            stop = line_end(&c, stop) + 1;
    for (int k = 0; k < MOST && l->left > 0; k++, at = v.to) {
        while (at < s->n && is_space(s->text[at]))
            at++;
        const size_t line = line_start(&c, at);
        if (at >= s->n || at >= stop ||
            (k && heading_is(&c, line, &heading.from, &heading.to) && heading.from >= at))
            return 0;
        v = changed_sentence(s, at);
        v.from = v.from < at ? at : v.from;
        if (v.to <= at)
            return 0;
        l->left--;
        if (gives_other(l, v, old, i) && changed_found(l, v))
            return 1;
    }
    return 0;
}

int changed_headed(const struct changed_looking *looking, const struct changed_tokens *old, int i)
{
    static const char *const WORDS[] = {"orrection", "rratum", "rrata", "orrigend",
                                        "ORRECTION", "RRATUM", "RRATA", "ORRIGEND"};
    enum { MOST = 200 }; // sentences below headings; those of other changes are counted apart
    struct changed_looking own = *looking, *l = &own;
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    l->left = MOST;
    for (size_t w = 0; w < sizeof WORDS / sizeof *WORDS; w++) {
        const char *p = s->text + l->near.to, *end = s->text + s->n;
        for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), WORDS[w], strlen(WORDS[w]))); p++) {
            size_t at = (size_t)(p - s->text), to = at;
            struct span_of_text v;
            while (to < s->n && word_has(s->text[to]))
                to++;
            at = word_start_before(s->text, l->near.to, at);
            const size_t behind = behind_heading(&c, at, &v);
            if (behind && v.from <= at && to <= v.to && is_alone(s->text, v, at, to) &&
                look_below(l, behind, old, i))
                return 1;
        }
    }
    return 0;
}
