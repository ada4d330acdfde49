// What has a value or rests on something, by way of others. "X2 = X1" hands the value of X1 to X2,
// and not the other way.
#include <string.h>

#include "engine/survey/definition.h"
#include "engine/survey/names.h"
#include "engine/survey/route.h"
#include "engine/text/lines.h"

// The part of OWN, between semicolons, that has byte AT.
static struct span_of_text between_semicolons(const char *text, struct span_of_text own, size_t at)
{
    for (size_t i = own.from; i < at; i++)
        if (text[i] == ';')
            own.from = i + 1;
    for (size_t i = at; i < own.to; i++)
        if (text[i] == ';')
            own.to = i;
    return own;
}

// What is defined around byte AT: in its line, where a sentence goes on behind one that has a sign
// for it, else in its sentence.
static int definition_around(struct definition *d, const struct texts *t, size_t at,
                             struct span_of_text *own)
{
    struct span_of_text sentence = text_sentence(t->text, t->n, at),
                        line = text_line(t->text, t->n, at);
    own->from = line.from > sentence.from ? line.from : sentence.from;
    own->to = line.to < sentence.to ? line.to : sentence.to;
    *own = between_semicolons(t->text, *own, at);
    if (definition_parse(d, t->text + own->from, own->to - own->from) && d->sign)
        return 1;
    *own = between_semicolons(t->text, sentence, at);
    return definition_parse(d, t->text + own->from, own->to - own->from);
}

// The next definition that has NAME in it; *AT is behind it then.
static int next_definition(const char *name, struct texts *t, size_t *at, struct definition *d,
                           struct span_of_text *own, struct err *e)
{
    for (int rc;;) {
        if ((rc = texts_find(t, name, at, e)) <= 0)
            return rc;
        size_t found = *at;
        rc = definition_around(d, t, found, own);
        *at = own->to > found ? own->to : found + 1;
        if (rc)
            return 1;
    }
}

// Whether D says that its name has NAME's value, or, RESTING, rests on NAME.
static int hands_on(const struct definition *d, const char *name, int resting)
{
    const char *sole;
    if (resting)
        return d->strict && definition_rests_on(d, name);
    size_t n = definition_sole(d, &sole);
    return n == strlen(name) && !memcmp(sole, name, n);
}

// Whether D's value is that of a name of R.
static int is_held(const struct definition *d, const struct route *r)
{
    const char *sole;
    size_t n = definition_sole(d, &sole);
    return n && route_has(r, sole, n);
}

// The names to which stop FROM hands on what it has where they are defined. What has got another
// value before does not hand it on; what gets another one in the end does not have it.
static int follow(struct route *r, int from, int resting, const struct surveying *v, struct err *e)
{
    struct texts t;
    struct span_of_text own;
    struct definition d;
    const char *name = r->v[from].name;
    size_t at = 0;
    int rc, holds = 1;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = next_definition(name, &t, &at, &d, &own, e)) > 0) {
        if (definition_is_of(&d, name))
            holds = from == 0 || resting || is_held(&d, r);
        else if (holds && hands_on(&d, name, resting))
            route_add(r, d.name, d.n_name, from, &t, own);
    }
    r->v[from].left = !holds;
    return rc;
}

// All names of R that still hold, and where it is said.
static int say_all(const struct route *r, struct surveying *v, struct err *e)
{
    int n = 0;
    for (int i = 1; i < r->n; i++) {
        int rc = survey_add(v, &r->v[i].in, r->v[i].at, 0, e);
        if (rc)
            return rc;
        if (!r->v[i].left)
            fprintf(v->out, "%s%s", n++ ? ", " : "", r->v[i].name);
    }
    return n > 0;
}

static int find_holders(struct surveying *v, struct route *r, int resting, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < r->n; i++)
        rc = follow(r, i, resting, v, e);
    return rc ? rc : say_all(r, v, e);
}

// The last definition of NAME, a strict one if there is any: 1, 0 where there is none, or an error.
static int find_definition(const char *name, const struct surveying *v, struct definition *d,
                           struct texts *in, struct span_of_text *where, struct err *e)
{
    enum { MANY = 400 }; // places: a word that stands everywhere is no name
    struct texts t;
    struct span_of_text own;
    struct definition one;
    size_t at = 0;
    int rc, found = 0, seen = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = next_definition(name, &t, &at, &one, &own, e)) > 0 && seen++ < MANY)
        if (definition_is_of(&one, name) && (!found || one.strict || !d->strict)) {
            found = 1;
            *d = one;
            *in = t;
            *where = own;
        }
    return rc < 0 ? rc : found && seen <= MANY;
}

// From name to name until one has a value of its own.
static int find_value(struct surveying *v, struct route *r, struct err *e)
{
    struct definition d;
    struct texts in;
    struct span_of_text where;
    const char *value = NULL;
    size_t n = 0;
    int rc = 0;
    for (int i = 0; i < r->n && (rc = find_definition(r->v[i].name, v, &d, &in, &where, e)) > 0;
         i++) {
        if (!d.strict &&
            !name_has_shape(r->v[i].name, strlen(r->v[i].name))) // "the estate is worth ..."
            break;
        if (!(n = definition_sole(&d, &value))) {
            value = d.value;
            n = d.n_value < ROUTE_NAME ? d.n_value : ROUTE_NAME - 1;
        }
        if (!route_add(r, value, n, i, &in, where)) // in a circle
            return 0;
    }
    if (rc < 0 || !n)
        return rc;
    fprintf(v->out, "%.*s", (int)n, value);
    route_say_way(r, r->n - 1, v->out);
    rc = route_add_places(r, r->n - 1, v, e);
    return rc ? rc : 1;
}

// The names in the value of what stop FROM is, each of which is defined somewhere.
static int add_parts(struct route *r, int from, const struct surveying *v, struct err *e)
{
    struct definition d, own;
    struct texts in, other;
    struct span_of_text where, there;
    const char *p;
    size_t at = 0, n;
    int rc = find_definition(r->v[from].name, v, &d, &in, &where, e);
    if (rc <= 0 || !d.strict)
        return rc < 0 ? rc : 0;
    r->v[from].in = in;
    r->v[from].at = where;
    while ((n = definition_next(&d, &at, &p))) {
        char name[ROUTE_NAME] = "";
        if (n >= ROUTE_NAME || route_has(r, p, n) ||
            (!d.sign && !is_upper(*p) && !name_has_shape(p, n)))
            continue;
        memcpy(name, p, n);
        if ((rc = find_definition(name, v, &own, &other, &there, e)) < 0)
            return rc;
        if (rc && own.strict)
            route_add(r, p, n, from, &other, there);
    }
    return 0;
}

static int find_parts(struct surveying *v, struct route *r, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < r->n; i++)
        rc = add_parts(r, i, v, e);
    if (!rc && r->n > 1)
        rc = survey_add(v, &r->v[0].in, r->v[0].at, 0, e);
    return rc ? rc : say_all(r, v, e);
}

int survey_chain(struct surveying *v, struct err *e)
{
    struct route r;
    int rc = route_new(&r, v->w.what, e);
    if (!rc)
        rc = v->w.want == WANT_VALUE      ? find_value(v, &r, e)
             : v->w.want == WANT_RESTS_ON ? find_parts(v, &r, e)
                                          : find_holders(v, &r, v->w.want == WANT_RESTING, e);
    route_done(&r);
    return rc;
}
