// Motions that are changed before they are carried, as minutes tell: "Moved Ada, second Bo. ... Ada
// accepted both changes. Carried. (So: 12 pounds a month.)"
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"

// Whether T tells who moved something, and that somebody seconds it.
static int is_moved(const struct changed_tokens *t)
{
    int moved = 0;
    for (int i = 0; i < t->n; i++) {
        moved |= changed_is(t, i, " moved proposed ");
        if (moved && (changed_is(t, i, " seconded seconds ") ||
                      (changed_is(t, i, " second ") && i + 1 < t->n && t->v[i + 1].is_capital)))
            return 1;
    }
    return 0;
}

// Whether T tells that changes were accepted: "accepted both changes", "carried as amended".
static int is_accepted(const struct changed_tokens *t)
{
    enum { NEAR = 5 }; // tokens
    for (int i = 0; i < t->n; i++)
        for (int k = i + 1; changed_is(t, i, " accepted agreed adopted approved carried ") &&
                            k < t->n && k <= i + NEAR;
             k++)
            if (changed_is(t, k, " change changes amendment amendments amended "))
                return changed_is(t, i + 1, " not no ") == 0;
    return 0;
}

// The paragraph of C that byte AT is in; the white space before it is passed over.
static struct span_of_text paragraph(const struct lines *c, size_t at)
{
    while (at < c->n && is_space(c->text[at]))
        at++;
    struct span_of_text v = {line_start(c, at), line_end(c, at)};
    while (v.to + 1 < c->n && !line_is_empty(c, v.to + 1))
        v.to = line_end(c, v.to + 1);
    return v;
}

// Whether NEW gives another number of the unit of one that WAS gives, and that the answer lacks.
static int has_other(const struct changed_said *s, const struct changed_tokens *was,
                     const struct changed_tokens *new)
{
    for (int i = 0; i < was->n; i++)
        for (int k = 0; was->v[i].is_number && k < new->n; k++)
            if (new->v[k].is_number && changed_is_same_unit(was, i, new, k) &&
                !changed_answer_has(s, changed_value_at(new, k)))
                return 1;
    return 0;
}

int changed_motion(struct changed_looking *l)
{
    enum { MOST = 24 }; // paragraphs of what is said about a motion
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct changed_tokens was, t;
    struct span_of_text v = paragraph(&c, line_start(&c, s->said.from));
    changed_tokens(&was, s->text, s->said.from, v.to);
    for (int n = is_moved(&was) ? MOST : 0; n && v.to < s->n; n--) {
        v = paragraph(&c, v.to);
        changed_tokens(&t, s->text, v.from, v.to);
        if (is_moved(&t))
            return 0;
        if (span_bytes(v) <= LONGEST_SENTENCE && is_accepted(&t) && has_other(s, &was, &t))
            return changed_found(l, v);
    }
    return 0;
}
