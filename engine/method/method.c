#include "engine/method/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

// clang-format off
static const struct method METHODS[] = {
    // Retrieval heads vote over their own keys; words help them.
    {.name = "votes",     REPRESENT_KEYS,  PROBE_TOKENS, REDUCE_LSE,    SELECT_HYBRID,
     VOTERS_PROFILE, SCOPE_QUESTION, ALLOT_SHARP, .likelihood = 12},
    // Retrieval heads vote over the keys that stand for spans, then over all keys of the best.
    {.name = "ltri",      REPRESENT_SPANS, PROBE_TOKENS, REDUCE_LSE,    SELECT_VOTE,
     VOTERS_PROFILE, SCOPE_QUESTION, ALLOT_SHARP, .likelihood = 12, .rerank = 256},
    // The mean query against representative keys, all heads of a layer alike.
    {.name = "infllm",    REPRESENT_TOP,   PROBE_MEAN,   REDUCE_SUM,    SELECT_SIMILARITY,
     VOTERS_ALL,     SCOPE_LAYER,    ALLOT_FIXED},
    // The question's unusual queries; undecided layers read more.
    {.name = "actqkv",    REPRESENT_TOP,   PROBE_BIAS,   REDUCE_COSINE, SELECT_SIMILARITY,
     VOTERS_ALL,     SCOPE_LAYER,    ALLOT_ENTROPY},
    // Every head votes over the minimum and maximum of keys.
    {.name = "quest",     REPRESENT_QUEST, PROBE_TOKENS, REDUCE_MAX,    SELECT_VOTE,
     VOTERS_ALL,     SCOPE_LAYER,    ALLOT_FIXED},
    // The maximum of keys, two dense layers (KTransformers).
    {.name = "kt",        REPRESENT_MAX,   PROBE_MEAN,   REDUCE_MAX,    SELECT_VOTE,
     VOTERS_ALL,     SCOPE_LAYER,    ALLOT_FIXED, .dense = 2},
    // Where the question's own attention falls, over every key.
    {.name = "snapkv",    REPRESENT_KEYS,  PROBE_TOKENS, REDUCE_POOL,   SELECT_EXACT,
     VOTERS_ALL,     SCOPE_LAYER,    ALLOT_FIXED, .any_index = 1},
    // First and last tokens only.
    {.name = "streaming", REPRESENT_KEYS,  PROBE_TOKENS, REDUCE_LSE,    SELECT_NONE,
     VOTERS_PROFILE, SCOPE_QUESTION, ALLOT_FIXED, .any_index = 1},
    // A cascading window while encoding; no block is read, but what such a cache is left with.
    {.name = "cascade",   REPRESENT_KEYS,  PROBE_TOKENS, REDUCE_LSE,    SELECT_NONE,
     VOTERS_PROFILE, SCOPE_QUESTION, ALLOT_FIXED, .any_index = 1, .window = WINDOW_CASCADE,
     .state = 1},
    // Every block is read.
    {.name = "full",      REPRESENT_KEYS,  PROBE_TOKENS, REDUCE_LSE,    SELECT_HYBRID,
     VOTERS_PROFILE, SCOPE_QUESTION, ALLOT_ALL, .any_index = 1},
};
// clang-format on
enum { N_METHODS = sizeof METHODS / sizeof *METHODS };

int method_needs_profile(const char *name)
{
    if (!name || !*name)
        return 1;
    for (int i = 0; i < N_METHODS; i++)
        if (!strcmp(name, METHODS[i].name))
            return METHODS[i].voters == VOTERS_PROFILE || METHODS[i].any_index;
    return 0;
}

static const struct method *row(const char *name, struct err *e)
{
    const char *names[N_METHODS + 1] = {NULL};
    int i = 0;
    for (int j = 0; j < N_METHODS; j++)
        names[j] = METHODS[j].name;
    return method_name_find("method", names, name, &i, e) ? NULL : &METHODS[i];
}

int method_find(struct method *out, const char *name, const struct model *m, struct err *e)
{
    const char *def = m->heads ? "votes" : "infllm";
    const struct method *r = row(name && *name ? name : def, e);
    if (!r)
        return ERR_USAGE;
    if (r->voters == VOTERS_PROFILE && !r->any_index && !m->heads)
        return err_set(e, ERR_UNSUPPORTED,
                       "method '%s' needs the retrieval heads of the model, and no profile that "
                       "has those of %s is known; give one with --profile, or see "
                       "lctool-calibrate(1)",
                       r->name, file_name(m->info.path));
    *out = *r;
    if (r->any_index) // nothing of its own in the index: what the model's default keeps
        out->represent = row(def, e)->represent;
    out->kept = r->any_index ? VOTERS_PROFILE : r->voters;
    return 0;
}

// How an index of these parts is asked by default: SELECT_SIMILARITY needs what only REPRESENT_TOP
// keeps.
static void suit(struct method *parts)
{
    if (parts->select != SELECT_SIMILARITY || parts->represent == REPRESENT_TOP)
        return;
    parts->select = SELECT_VOTE;
    parts->probe = PROBE_TOKENS;
    parts->reduce = REDUCE_LSE;
}

// Reads the parameter `representatives` of an index, which comes from a file.
static int representatives_parse(const char *text, int *out, struct err *e)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > REPRESENTATIVES_MAX)
        return err_set(e, ERR_FORMAT, "'%s' representatives of a block; 1 to %d can stand for one",
                       text, REPRESENTATIVES_MAX);
    *out = (int)n;
    return 0;
}

int method_of_index(struct method *out, const struct kvz_meta *meta, const struct model *m,
                    struct err *e)
{
    static const char REPRESENT[] = "represent=", WHO[] = "voters=", WINDOW[] = "window=",
                      NUM[] = "representatives=";
    int rc = method_find(out, meta->method, m, e);
    for (const char *p = meta->params; !rc && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *value = strchr(p, '=');
        char name[32];
        if (!value)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(value + 1, "\n"), value + 1);
        if (!strncmp(p, REPRESENT, sizeof REPRESENT - 1))
            rc = method_set(out, PART_REPRESENT, name, e);
        else if (!strncmp(p, WHO, sizeof WHO - 1))
            rc = method_set(out, PART_KEPT, name, e);
        else if (!strncmp(p, WINDOW, sizeof WINDOW - 1))
            rc = method_set(out, PART_WINDOW, name, e);
        else if (!strncmp(p, NUM, sizeof NUM - 1))
            rc = representatives_parse(name, &out->representatives, e);
    }
    if (!rc)
        suit(out);
    return rc;
}

// Whether an index of these PARTS has vectors of the retrieval heads only: without such heads it
// has those of all, and REPRESENT_TOP always has.
static int lacks_heads(const struct method *parts, const struct model *m)
{
    return m->heads && parts->kept == VOTERS_PROFILE && parts->represent != REPRESENT_TOP;
}

int method_for_question(struct method *parts, const char *name, const struct model *m,
                        const char *path, struct err *e)
{
    struct method asked;
    if (!name || !*name)
        return 0;
    int rc = method_find(&asked, name, m, e);
    if (rc)
        return rc;
    if (!asked.any_index && asked.represent != parts->represent)
        return err_set(
            e, ERR_MISMATCH,
            "%s: its blocks are represented by '%s'; method '%s' wants '%s': run 'lctool "
            "encode --method %s'",
            path, method_part(parts, PART_REPRESENT), name, method_part(&asked, PART_REPRESENT),
            name);
    if (!asked.any_index && asked.voters == VOTERS_ALL && lacks_heads(parts, m))
        return err_set(e, ERR_MISMATCH,
                       "%s: its blocks are represented for the retrieval heads only; method '%s' "
                       "wants all heads: run 'lctool encode --method %s'",
                       path, name, name);
    asked.represent = parts->represent;
    asked.kept = parts->kept;
    asked.representatives = parts->representatives;
    *parts = asked;
    suit(parts);
    return 0;
}
