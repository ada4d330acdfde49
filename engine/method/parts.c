// The parts of a method by their names: what --represent, --probe, ... take, and what an index says
// of itself.
#include <stdio.h>
#include <string.h>

#include "engine/method/method.h"

static const char *const REPRESENTS[] = {"keys", "top",   "spans", "mean",
                                         "max",  "quest", "fixed", NULL};
static const char *const PROBES[] = {"tokens", "mean", "bias", NULL};
static const char *const REDUCES[] = {"lse", "max", "sum", "cosine", "pool", NULL};
static const char *const SELECTS[] = {"vote",   "similarity", "exact", "bm25",
                                      "hybrid", "none",       NULL};
static const char *const VOTERS[] = {"profile", "all", NULL};
static const char *const SCOPES[] = {"question", "layer", NULL};
static const char *const ALLOTS[] = {"sharp", "fixed", "entropy", "all", NULL};
static const char *const SHARES[] = {"shared", "separate", NULL};
static const char *const TRAVERSES[] = {"document", "importance", "recency", NULL};
static const char *const WINDOWS[] = {"plain", "cascade", NULL};
// enum read_mode numbers these, from READ_CACHED on.
static const char *const READS[] = {"cached",           "fresh", "both", "sentences",
                                    "cached-sentences", NULL};
_Static_assert(sizeof READS / sizeof *READS == N_READ_MODES, "each way to read has a name");

// Each is an enum of struct method, whose values number NAMES.
static const struct {
    const char *what;
    const char *const *names;
    size_t at;
} PARTS[] = {
    [PART_REPRESENT] = {"represent", REPRESENTS, offsetof(struct method, represent)},
    [PART_PROBE] = {"probe", PROBES, offsetof(struct method, probe)},
    [PART_REDUCE] = {"reduce", REDUCES, offsetof(struct method, reduce)},
    [PART_SELECT] = {"select", SELECTS, offsetof(struct method, select)},
    [PART_VOTERS] = {"voters", VOTERS, offsetof(struct method, voters)},
    [PART_SCOPE] = {"scope", SCOPES, offsetof(struct method, scope)},
    [PART_ALLOT] = {"allot", ALLOTS, offsetof(struct method, allot)},
    [PART_SHARE] = {"head select mode", SHARES, offsetof(struct method, share)},
    [PART_TRAVERSE] = {"traverse", TRAVERSES, offsetof(struct method, traverse)},
    [PART_WINDOW] = {"window kind", WINDOWS, offsetof(struct method, window)},
    [PART_KEPT] = {"voters", VOTERS, offsetof(struct method, kept)},
};
_Static_assert(sizeof(enum represent) == sizeof(int) && sizeof(enum window_kind) == sizeof(int),
               "a part is written as an int");

static void list(char *buf, size_t cap, const char *const *names)
{
    size_t at = 0;
    for (int i = 0; names[i] && at < cap; i++)
        at += (size_t)snprintf(buf + at, cap - at, "%s%s", i ? ", " : "", names[i]);
}

int method_name_find(const char *what, const char *const *names, const char *name, int *out,
                     struct err *e)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) {
            *out = i;
            return 0;
        }
    char known[128] = "";
    list(known, sizeof known, names);
    return err_set(e, ERR_USAGE, "%s '%s' is not one of %s", what, name, known);
}

int method_set(struct method *m, enum method_part part, const char *name, struct err *e)
{
    static const char DYNAMIC[] = "dynamic"; // KTransformers' word for top
    int i;
    if (!name || !*name)
        return 0;
    if (part == PART_REPRESENT && !strcmp(name, DYNAMIC))
        name = REPRESENTS[REPRESENT_TOP];
    int rc = method_name_find(PARTS[part].what, PARTS[part].names, name, &i, e);
    if (!rc)
        memcpy((char *)m + PARTS[part].at, &i, sizeof i);
    return rc;
}

const char *method_part(const struct method *m, enum method_part part)
{
    int i;
    memcpy(&i, (const char *)m + PARTS[part].at, sizeof i);
    return PARTS[part].names[i];
}

const char *read_mode_name(enum read_mode mode)
{
    return mode == READ_DEFAULT ? NULL : READS[mode - READ_CACHED];
}

int read_mode_parse(const char *name, enum read_mode *mode, struct err *e)
{
    int i;
    *mode = READ_DEFAULT;
    int rc = name ? method_name_find("read", READS, name, &i, e) : 0;
    if (name && !rc)
        *mode = (enum read_mode)(READ_CACHED + i);
    return rc;
}
