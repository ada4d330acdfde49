#include "engine/method.h"

#include <stdio.h>
#include <string.h>

static const struct method METHODS[] = {
    {"votes", REPRESENT_KEYS, PROBE_TOKENS, REDUCE_LSE, SELECT_VOTE, 0,
     "retrieval heads vote over their own keys"},
    {"ltri", REPRESENT_SPANS, PROBE_TOKENS, REDUCE_LSE, SELECT_VOTE, 256,
     "retrieval heads vote over the keys that stand for spans, then over all keys of the best"},
    {"quest", REPRESENT_QUEST, PROBE_TOKENS, REDUCE_LSE, SELECT_VOTE, 0,
     "retrieval heads vote over the minimum and maximum of keys"},
    {"infllm", REPRESENT_TOP, PROBE_MEAN, REDUCE_SUM, SELECT_SIMILARITY, 0,
     "mean query against representative keys, all heads alike"},
};
enum { N_METHODS = sizeof METHODS / sizeof *METHODS };

static const char *const REPRESENTS[] = {"keys", "top",   "spans", "mean",
                                         "max",  "quest", "fixed", NULL};
static const char *const PROBES[] = {"tokens", "mean", "bias", NULL};
static const char *const REDUCES[] = {"lse", "max", "sum", NULL};
static const char *const SELECTS[] = {"vote", "similarity", "exact", "bm25", "hybrid", NULL};

static void list(char *buf, size_t cap, const char *const *names)
{
    size_t at = 0;
    for (int i = 0; names[i] && at < cap; i++)
        at += (size_t)snprintf(buf + at, cap - at, "%s%s", i ? ", " : "", names[i]);
}

// The index of NAME among NAMES in *OUT, which stays as it is without a name.
static int parse(const char *what, const char *const *names, const char *name, int *out,
                 struct err *e)
{
    if (!name || !*name)
        return 0;
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) {
            *out = i;
            return 0;
        }
    char known[128] = "";
    list(known, sizeof known, names);
    return err_set(e, ERR_USAGE, "%s '%s' is not one of %s", what, name, known);
}

int represent_parse(const char *name, enum represent *out, struct err *e)
{
    int i = (int)*out, rc = parse("represent", REPRESENTS, name, &i, e);
    *out = (enum represent)i;
    return rc;
}

int probe_parse(const char *name, enum probe *out, struct err *e)
{
    int i = (int)*out, rc = parse("probe", PROBES, name, &i, e);
    *out = (enum probe)i;
    return rc;
}

int reduce_parse(const char *name, enum reduce *out, struct err *e)
{
    int i = (int)*out, rc = parse("reduce", REDUCES, name, &i, e);
    *out = (enum reduce)i;
    return rc;
}

int select_parse(const char *name, enum select *out, struct err *e)
{
    int i = (int)*out, rc = parse("select", SELECTS, name, &i, e);
    *out = (enum select)i;
    return rc;
}

const char *represent_name(enum represent r)
{
    return REPRESENTS[r];
}

const char *select_name(enum select s)
{
    return SELECTS[s];
}

int method_needs_profile(const char *name)
{
    if (!name || !*name)
        return 1;
    for (int i = 0; i < N_METHODS; i++)
        if (!strcmp(name, METHODS[i].name))
            return METHODS[i].represent != REPRESENT_TOP;
    return 0;
}

int method_find(const struct method **out, const char *name, const struct model *m, struct err *e)
{
    const char *names[N_METHODS + 1] = {NULL};
    int i = 0;
    for (int j = 0; j < N_METHODS; j++)
        names[j] = METHODS[j].name;
    int rc = parse("method", names, name && *name ? name : m->heads ? "votes" : "infllm", &i, e);
    if (rc)
        return rc;
    if (METHODS[i].represent != REPRESENT_TOP && !m->heads)
        return err_set(e, ERR_UNSUPPORTED,
                       "method '%s' needs the retrieval heads of the model, and no profile of "
                       "'%s' is known; give one with --profile, or see lctool-calibrate(1)",
                       names[i], m->info.name);
    *out = &METHODS[i];
    return 0;
}

int method_of_index(struct method *out, const struct kvz_meta *meta, const struct model *m,
                    struct err *e)
{
    static const char key[] = "represent=";
    const struct method *row;
    int rc = method_find(&row, meta->method, m, e);
    if (rc)
        return rc;
    *out = *row;
    for (const char *p = meta->params; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        char name[32];
        if (strncmp(p, key, sizeof key - 1))
            continue;
        p += sizeof key - 1;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "\n"), p);
        if ((rc = represent_parse(name, &out->represent, e)))
            return rc;
    }
    if (out->select == SELECT_SIMILARITY && out->represent != REPRESENT_TOP) {
        out->select = SELECT_VOTE; // it needs what only `top` keeps
        out->probe = PROBE_TOKENS;
        out->reduce = REDUCE_LSE;
    }
    return 0;
}
