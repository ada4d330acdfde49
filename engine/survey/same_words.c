#define _GNU_SOURCE
#include "engine/survey/same_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/lookup/texts.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Words and phrases that are the same thing, with bars between them; of those that begin alike the
// longer one is before the other.
static const char *const SAME[] = {
    "light|lamp|led|indicator",
    "lights|lamps|leds|indicators",
    "blink|flash",
    "blinks|flashes",
    "blinking|flashing",
    "bike|bicycle",
    "bikes|bicycles",
    "fridge|refrigerator",
    "fridges|refrigerators",
    "lift|elevator",
    "lifts|elevators",
    "photo|photograph",
    "photos|photographs",
    "tv|television",
    "mobile|cellphone",
    "petrol|gasoline",
    "as delivered|as supplied|factory defaults|factory default|factory settings|factory setting|by "
    "default|default setting|default|out of the box|ex works|preset",
};

// A phrase of a list of SAME.
struct phrase {
    const char *p; // [n]
    size_t n;
};

// The next one of the list, behind *F, or the first one: 0 at the end.
static int phrase_next(const char *list, struct phrase *f)
{
    f->p = f->p ? f->p + f->n + (f->p[f->n] == '|') : list;
    f->n = strcspn(f->p, "|");
    return f->n > 0;
}

// Whether TEXT [n] has F at byte AT, as whole words.
static int stands_at(const char *text, size_t n, size_t at, const struct phrase *f)
{
    return f->n <= n - at && !strncasecmp(text + at, f->p, f->n) &&
           !(at && word_has(text[at - 1])) && !(at + f->n < n && word_has(text[at + f->n]));
}

// Whether one of the texts K [n_k] has F: 1, 0, or an error.
static int is_there(struct kvz *const *k, int n_k, const struct phrase *f, struct err *e)
{
    struct texts t;
    int rc;
    texts_begin(&t, k, n_k);
    while ((rc = texts_next(&t, e)) > 0)
        for (size_t at = 0; at < t.n; at++)
            if (to_small(t.text[at]) == *f->p && stands_at(t.text, t.n, at, f))
                return 1;
    return rc;
}

// The phrase of LIST that the texts have, where they have not OWN, which is in it: 1 with *MEANT,
// 0, or an error.
static int find_same(struct kvz *const *k, int n_k, const char *list, const struct phrase *own,
                     struct phrase *meant, struct err *e)
{
    int rc = is_there(k, n_k, own, e);
    if (rc)
        return rc < 0 ? rc : 0;
    *meant = (struct phrase){.p = NULL};
    while (!rc && phrase_next(list, meant))
        rc = is_there(k, n_k, meant, e);
    return rc;
}

// The phrase that the N bytes of QUESTION have at byte AT, to OWN, and its list; NULL: there is
// none.
static const char *list_at(const char *question, size_t n, size_t at, struct phrase *own)
{
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        *own = (struct phrase){.p = NULL};
        while (phrase_next(SAME[i], own))
            if (stands_at(question, n, at, own))
                return SAME[i];
    }
    return NULL;
}

int same_words(struct kvz *const *k, int n_k, const char *question, char **out, struct err *e)
{
    const size_t n = strlen(question);
    size_t made = 0;
    int rc = 0, some = 0;
    *out = NULL;
    FILE *f = open_memstream(out, &made);
    if (!f)
        return err_set(e, ERR_NOMEM, "out of memory (same words)");
    for (size_t at = 0; rc >= 0 && at < n;) {
        struct phrase own, meant;
        const char *list = list_at(question, n, at, &own);
        if (list && (rc = find_same(k, n_k, list, &own, &meant, e)) > 0) {
            fwrite(meant.p, 1, meant.n, f);
            some = 1;
        } else {
            own.n = list ? own.n : 1;
            fwrite(question + at, 1, own.n, f);
        }
        at += own.n;
    }
    if (fclose(f) && rc >= 0)
        rc = err_set(e, ERR_NOMEM, "out of memory (same words)");
    if (rc >= 0 && some)
        return 1;
    free(*out);
    *out = NULL;
    return rc < 0 ? rc : 0;
}
