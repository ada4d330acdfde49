// A name leads to another if both are in one line of a log or one sentence: a request's id to its
// session's, that to the user. What is in many places leads nowhere.
#include <string.h>

#include "engine/survey/route.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"

enum {
    FEW = 3,    // the limit on places of a name that leads on: at least so many,
    SHARE = 16, // one for so many lines,
    MANY = 32   // and at most
};

// Whether one of these words is right before byte AT.
static int is_led(const char *text, size_t at)
{
    static const char *const before[] = {"for ",  "by ", "to ", "of ",
                                         "from ", "as ", "is ", "the "};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t n = strlen(before[i]);
        if (at >= n && !memcmp(text + at - n, before[i], n))
            return 1;
    }
    return 0;
}

// What TEXT [n] has behind the label KIND: "user=maren", "user: maren", "for user maren". Returns
// its bytes, 0 if it has none.
static size_t labelled(const char *kind, const char *text, size_t n, const char **p)
{
    size_t bytes;
    for (size_t at = 0; name_next(kind, text, n, &at, &bytes); at++) {
        size_t value = at + bytes, first, len;
        int sign = 0;
        while (value < n && is_one_of(text[value], " \t=:\"'[("))
            sign |= !is_space(text[value++]);
        first = value;
        len = name_phrase(text, n, &value);
        if (len && value == first && first > at + bytes &&
            (sign || is_led(text, at) || name_has_shape(text + value, len) ||
             is_upper(text[value]))) {
            *p = text + value;
            return len;
        }
    }
    return 0;
}

static int count_places(const char *name, const struct lookup *v, size_t most, size_t *n,
                        struct err *e)
{
    struct texts t;
    size_t at = 0;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    for (*n = 0; (rc = texts_find(&t, name, &at, e)) > 0 && *n <= most; at++)
        ++*n;
    return rc < 0 ? rc : 0;
}

// In how many places a name that leads on may be.
static int most_places(const struct lookup *v, size_t *most, struct err *e)
{
    struct texts t;
    size_t lines = 0;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        for (size_t i = 0; i < t.n; i++)
            lines += t.text[i] == '\n';
    *most = lines / SHARE < FEW ? FEW : lines / SHARE > MANY ? MANY : lines / SHARE;
    return rc;
}

// Whether P [n] may be an id: it has a digit, and is not a small number or a time.
static int may_lead(const char *p, size_t n)
{
    enum { SHORT = 4 };
    size_t digits = 0;
    for (size_t i = 0; i < n; i++)
        digits += is_digit(p[i]);
    return n >= FEW && digits && (digits < n || n >= SHORT) && n < ROUTE_NAME;
}

// Adds the ids in the statement OWN, which stop FROM leads to.
static int add_ids(struct route *r, int from, const struct texts *t, struct span_of_text own,
                   size_t most, const struct lookup *v, struct err *e)
{
    size_t n, places;
    for (size_t at = own.from; (n = name_token(t->text, own.to, &at)); at += n) {
        char name[ROUTE_NAME] = "";
        if (!may_lead(t->text + at, n) || route_has(r, t->text + at, n))
            continue;
        memcpy(name, t->text + at, n);
        int rc = count_places(name, v, most, &places, e);
        if (rc)
            return rc;
        if (places > 1 && places <= most)
            route_add(r, t->text + at, n, from, t, own);
    }
    return 0;
}

// The next line with NAME, or its sentence where lines are paragraphs; *AT moves behind it.
static int next_with(const char *name, struct texts *t, size_t *at, struct span_of_text *own,
                     struct err *e)
{
    int rc = texts_find(t, name, at, e);
    if (rc > 0) {
        enum { LONG = 240 }; // bytes of a line in a log or a list
        *own = texts_line(t->text, t->n, *at);
        if (own->to - own->from > LONG)
            *own = texts_sentence(t->text, t->n, *at);
        *at = own->to > *at ? own->to : *at + 1;
    }
    return rc;
}

// Looks in all statements with stop FROM for what is asked for, else for ids that lead on: 1, 0 or
// an error.
static int look_around(struct route *r, int from, size_t most, struct lookup *v, struct err *e)
{
    struct texts t;
    struct span_of_text own;
    const char *value;
    size_t at = 0, n;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = next_with(r->v[from].name, &t, &at, &own, e)) > 0) {
        n = labelled(v->w.kind, t.text + own.from, own.to - own.from, &value);
        if (n && n < ROUTE_NAME && route_add(r, value, n, from, &t, own))
            return 1;
    }
    at = 0;
    texts_begin(&t, v->k, v->n_k);
    while (!rc && (rc = next_with(r->v[from].name, &t, &at, &own, e)) > 0)
        rc = add_ids(r, from, &t, own, most, v, e);
    return rc;
}

int survey_trail(struct lookup *v, struct err *e)
{
    struct route r;
    size_t most;
    int rc = route_new(&r, v->w.what, e);
    if (!rc)
        rc = most_places(v, &most, e);
    for (int i = 0; !rc && i < r.n; i++)
        rc = look_around(&r, i, most, v, e);
    if (rc > 0) {
        fputs(r.v[r.n - 1].name, v->out);
        route_say_way(&r, r.n - 1, v->out);
        int added = route_add_places(&r, r.n - 1, v, e);
        rc = added ? added : rc;
    }
    route_done(&r);
    return rc;
}
