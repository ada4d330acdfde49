// What has a value or depends on something, by way of others. "X2 = X1" gives the value of X1 to
// X2, not the other way round.
#include <string.h>

#include "engine/lines/comment.h"
#include "engine/survey/definition.h"
#include "engine/survey/route.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "io/utf8.h"

enum { MANY = 400 }; // definitions with one name in them: a name that is everywhere leads nowhere

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

// Parses the definition around byte AT: within its line if there is a sign such as "=" in it,
// because the sentence may go on behind that line; else within its sentence.
static int definition_around(struct definition *d, const struct texts *t, size_t at,
                             struct span_of_text *own)
{
    struct span_of_text sentence = texts_sentence(t->text, t->n, at),
                        line = texts_line(t->text, t->n, at);
    own->from = line.from > sentence.from ? line.from : sentence.from;
    own->to = line.to < sentence.to ? line.to : sentence.to;
    *own = between_semicolons(t->text, *own, at);
    if (definition_parse(d, t->text + own->from, own->to - own->from) && d->sign)
        return 1;
    *own = between_semicolons(t->text, sentence, at);
    return definition_parse(d, t->text + own->from, own->to - own->from);
}

// The next definition with NAME in it, outside of comments; *AT moves behind it.
static int next_definition(const char *name, struct texts *t, size_t *at, struct definition *d,
                           struct span_of_text *own, struct err *e)
{
    for (int rc;;) {
        if ((rc = texts_find(t, name, at, e)) <= 0)
            return rc;
        size_t found = *at;
        *own = (struct span_of_text){found, found};
        rc = !comment_has(t->text, t->n, found) && definition_around(d, t, found, own);
        *at = own->to > found ? own->to : found + 1;
        if (rc)
            return 1;
    }
}

// Whether D gives NAME's value to its name or, with RESTING, makes it depend on NAME.
static int hands_on(const struct definition *d, const char *name, int resting)
{
    const char *sole;
    if (resting)
        return d->strict && d->bare && definition_rests_on(d, name);
    size_t n = definition_sole(d, &sole);
    return n == strlen(name) && !memcmp(sole, name, n);
}

// Whether D's value is that of a name in R.
static int is_held(const struct definition *d, const struct route *r)
{
    const char *sole;
    size_t n = definition_sole(d, &sole);
    return n && route_has(r, sole, n);
}

// Adds the names that get the value of stop FROM by their definitions. A name that has got another
// value no longer passes the first one on; one that has another value in the end does not count.
static int follow(struct route *r, int from, int resting, const struct lookup *v, struct err *e)
{
    struct texts t;
    struct span_of_text own;
    struct definition d;
    const char *name = r->v[from].name;
    size_t at = 0;
    int rc, holds = 1, seen = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = next_definition(name, &t, &at, &d, &own, e)) > 0 && (from == 0 || seen++ < MANY)) {
        if (definition_is_of(&d, name))
            holds = from == 0 || resting || is_held(&d, r);
        else if (holds && hands_on(&d, name, resting))
            route_add(r, d.name, d.n_name, from, &t, own);
    }
    r->v[from].left = !holds;
    return rc < 0 ? rc : 0;
}

// Prints all names of R that still have the value, and adds the places that say so.
static int say_all(const struct route *r, struct lookup *v, struct err *e)
{
    int n = 0;
    for (int i = 1; i < r->n; i++) {
        int rc = lookup_add(v, &r->v[i].in, r->v[i].at, 0, e);
        if (rc)
            return rc;
        if (!r->v[i].left)
            fprintf(v->out, "%s%s", n++ ? ", " : "", r->v[i].name);
    }
    return n > 0;
}

static int find_holders(struct lookup *v, struct route *r, int resting, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < r->n; i++)
        rc = follow(r, i, resting, v, e);
    return rc ? rc : say_all(r, v, e);
}

// A definition and its place.
struct placed {
    struct definition d;
    struct texts in;
    struct span_of_text at;
};

// Finds the definition of NAME that USER refers to: the last one before USER in the same document,
// else the first one after it. Without USER, or if it is in another document, the last one. Strict
// definitions take precedence. Returns 1, 0 if there is none, or an error.
static int find_definition(struct placed *out, const char *name, const struct placed *user,
                           const struct lookup *v, struct err *e)
{
    struct placed p;
    size_t at = 0;
    int rc, found = 0, seen = 0;
    texts_begin(&p.in, v->k, v->n_k);
    while ((rc = next_definition(name, &p.in, &at, &p.d, &p.at, e)) > 0 && seen++ < MANY) {
        int late = user && p.in.text == user->in.text && p.at.from > user->at.from;
        if (!definition_is_of(&p.d, name) || (found && (late || (out->d.strict && !p.d.strict))))
            continue;
        found = 1;
        *out = p;
    }
    return rc < 0 ? rc : found && seen <= MANY;
}

// Follows names from one to the next until one has a value of its own.
static int find_value(struct lookup *v, struct route *r, struct err *e)
{
    struct placed p, user;
    const char *value = NULL;
    size_t n = 0;
    int rc = 0;
    for (int i = 0; i < r->n; i++) {
        rc = find_definition(&p, r->v[i].name, i ? &user : NULL, v, e);
        // "is" may be said of a thing that is not a variable: "the estate is worth ..."
        if (rc <= 0 || (!p.d.strict && !name_has_shape(r->v[i].name, strlen(r->v[i].name))))
            break;
        if (!(n = definition_sole(&p.d, &value))) {
            value = p.d.value;
            n = p.d.n_value < ROUTE_NAME ? p.d.n_value : utf8_border(value, ROUTE_NAME - 1);
        }
        if (!route_add(r, value, n, i, &p.in, p.at)) // a circle
            return 0;
        user = p;
    }
    if (rc < 0 || !n)
        return rc < 0 ? rc : 0;
    fprintf(v->out, "%.*s", (int)n, value);
    route_say_way(r, r->n - 1, v->out);
    rc = route_add_places(r, r->n - 1, v, e);
    return rc ? rc : 1;
}

// Adds the names in the value of stop FROM that are themselves defined.
static int add_parts(struct route *r, int from, const struct lookup *v, struct err *e)
{
    struct placed own, part;
    const char *p;
    size_t at = 0, n;
    int rc = find_definition(&own, r->v[from].name, NULL, v, e);
    if (rc <= 0 || !own.d.strict || !own.d.bare)
        return rc < 0 ? rc : 0;
    r->v[from].in = own.in;
    r->v[from].at = own.at;
    while ((n = definition_next(&own.d, &at, &p))) {
        char name[ROUTE_NAME] = "";
        if (n >= ROUTE_NAME || route_has(r, p, n) ||
            (!own.d.sign && !is_upper(*p) && !name_has_shape(p, n)))
            continue;
        memcpy(name, p, n);
        if ((rc = find_definition(&part, name, NULL, v, e)) < 0)
            return rc;
        if (rc && part.d.strict && part.d.bare)
            route_add(r, p, n, from, &part.in, part.at);
    }
    return 0;
}

static int find_parts(struct lookup *v, struct route *r, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < r->n; i++)
        rc = add_parts(r, i, v, e);
    if (!rc && r->n > 1)
        rc = lookup_add(v, &r->v[0].in, r->v[0].at, 0, e);
    return rc ? rc : say_all(r, v, e);
}

int survey_chain(struct lookup *v, struct err *e)
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
