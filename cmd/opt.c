#define _GNU_SOURCE
#include "cmd/opt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/suggest.h"
#include "io/mem.h"

union value {
    int i;
    uint64_t u;
    double d;
    const char *s;
};

int opt_new(struct opts **out, struct err *e)
{
    *out = mem_new(1, sizeof **out, e);
    return *out ? 0 : ERR_NOMEM;
}

void opt_free(struct opts *o)
{
    if (!o)
        return;
    for (int g = 0; g < o->n_groups; g++) {
        for (const struct opt *r = o->groups[g].rows; r->name; r++)
            if (r->kind == OPT_LIST)
                free(((struct opt_list *)((char *)o->groups[g].target + r->at))->v);
        free(o->groups[g].from);
    }
    for (size_t i = 0; i < o->n_owned; i++)
        free(o->owned[i]);
    free(o->owned);
    free(o->operands);
    free(o);
}

static int parse_flag(const char *text, int *v)
{
    static const struct {
        const char *word;
        int v;
    } words[] = {{"yes", 1}, {"true", 1},  {"on", 1},  {"1", 1},
                 {"no", 0},  {"false", 0}, {"off", 0}, {"0", 0}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(text, words[i].word)) {
            *v = words[i].v;
            return 0;
        }
    return ERR_USAGE;
}

static int parse_int(const struct opt *r, const char *text, int *v, struct err *e)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end)
        return err_set(e, ERR_USAGE, "--%s: '%s' is not a whole number", r->name, text);
    if (errno || (double)n < r->min || (double)n > r->max)
        return err_set(e, ERR_USAGE, "--%s: %s is out of range (%.0f to %.0f)", r->name, text,
                       r->min, r->max);
    *v = (int)n;
    return 0;
}

static int parse_u64(const struct opt *r, const char *text, uint64_t *v, struct err *e)
{
    char *end;
    errno = 0;
    *v = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-'))
        return err_set(e, ERR_USAGE, "--%s: '%s' is not a whole number from 0 to 2^64-1", r->name,
                       text);
    return 0;
}

// A hexadecimal number, which strtod reads, too, and no manual has.
static int is_hex(const char *text)
{
    return strpbrk(text, "xX") != NULL;
}

static int parse_size(const struct opt *r, const char *text, uint64_t *v, struct err *e)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    double n = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int power = unit ? (int)(unit - units) + 1 : 0;
    double bytes = ldexp(n, 10 * power);
    if (end == text || is_hex(text) || (*end && (!unit || end[1])) || errno ||
        !(bytes >= 1 && bytes < 0x1p63))
        return err_set(e, ERR_USAGE, "--%s: '%s' is not a size; write 800M or 24G", r->name, text);
    *v = (uint64_t)bytes;
    return 0;
}

static int parse_num(const struct opt *r, const char *text, double *v, struct err *e)
{
    char *end;
    *v = strtod(text, &end);
    if (end == text || is_hex(text) || *end || !isfinite(*v))
        return err_set(e, ERR_USAGE, "--%s: '%s' is not a number", r->name, text);
    if (*v < r->min || *v > r->max)
        return err_set(e, ERR_USAGE, "--%s: %s is out of range (%g to %g)", r->name, text, r->min,
                       r->max);
    return 0;
}

static int parse_choice(const struct opt *r, const char *text, struct err *e)
{
    size_t n = strlen(text);
    for (const char *c = r->choices, *end; *c; c = *end ? end + 1 : end) {
        end = strchrnul(c, '|');
        if ((size_t)(end - c) == n && !memcmp(c, text, n))
            return 0;
    }
    return err_set(e, ERR_USAGE, "--%s: '%s' is not one of %s", r->name, text, r->choices);
}

static int parse_value(const struct opt *r, const char *text, union value *v, struct err *e)
{
    switch (r->kind) {
    case OPT_FLAG:
        if (!parse_flag(text, &v->i))
            return 0;
        return err_set(e, ERR_USAGE, "--%s: '%s' is neither yes nor no", r->name, text);
    case OPT_INT:
        return parse_int(r, text, &v->i, e);
    case OPT_U64:
        return parse_u64(r, text, &v->u, e);
    case OPT_SIZE:
        return parse_size(r, text, &v->u, e);
    case OPT_NUM:
        return parse_num(r, text, &v->d, e);
    case OPT_CHOICE:
        v->s = text;
        return parse_choice(r, text, e);
    case OPT_STR:
    case OPT_LIST:
        v->s = text;
        return *text || r->may_be_empty ? 0
                                        : err_set(e, ERR_USAGE, "--%s: an empty value", r->name);
    case OPT_HELP:
        break;
    }
    return err_set(e, ERR_USAGE, "--%s takes no value", r->name);
}

int opt_check(const struct opt *row, const char *value, struct err *e)
{
    union value v;
    return parse_value(row, value, &v, e);
}

// Stores TEXT, which must outlive O.
static int store(struct opts *o, int g, const struct opt *r, const char *text, enum opt_from from,
                 struct err *e)
{
    enum opt_from *was = &o->groups[g].from[r - o->groups[g].rows];
    void *at = (char *)o->groups[g].target + r->at;
    union value v;
    int rc = parse_value(r, text, &v, e);
    if (rc || from < *was)
        return rc;
    if (r->kind == OPT_LIST) {
        struct opt_list *l = at;
        if (from > *was)
            l->n = 0;
        if ((rc = MEM_GROW(l->v, l->cap, l->n + 1, e)))
            return rc;
        l->v[l->n++] = v.s;
    } else if (r->kind == OPT_FLAG || r->kind == OPT_INT) {
        memcpy(at, &v.i, sizeof v.i);
    } else if (r->kind == OPT_U64 || r->kind == OPT_SIZE) {
        memcpy(at, &v.u, sizeof v.u);
    } else if (r->kind == OPT_NUM) {
        memcpy(at, &v.d, sizeof v.d);
    } else {
        memcpy(at, &v.s, sizeof v.s);
    }
    *was = from;
    return 0;
}

int opt_add(struct opts *o, const char *title, const struct opt *rows, void *target, struct err *e)
{
    if (o->n_groups == (int)(sizeof o->groups / sizeof *o->groups))
        return err_set(e, ERR_USAGE, "too many groups of options");
    size_t n = 0;
    while (rows[n].name)
        n++;
    struct opt_group *g = &o->groups[o->n_groups];
    if (!(g->from = mem_new(n, sizeof *g->from, e)))
        return ERR_NOMEM;
    g->title = title;
    g->rows = rows;
    g->target = target;
    o->n_groups++;
    for (const struct opt *r = rows; r->name; r++) {
        int rc = r->def ? store(o, o->n_groups - 1, r, r->def, OPT_FROM_DEFAULT, e) : 0;
        if (rc)
            return rc;
    }
    return 0;
}

const struct opt *opt_find(const struct opt *rows, const char *name)
{
    for (; rows->name; rows++)
        if (!strcmp(rows->name, name) || (rows->also && !strcmp(rows->also, name)))
            return rows;
    return NULL;
}

static const struct opt *find_long(const struct opts *o, const char *name, int *group)
{
    for (int g = 0; g < o->n_groups; g++) {
        const struct opt *r = opt_find(o->groups[g].rows, name);
        if (r) {
            *group = g;
            return r;
        }
    }
    return NULL;
}

static const struct opt *find_letter(const struct opts *o, char letter, int *group)
{
    for (int g = 0; g < o->n_groups; g++)
        for (const struct opt *r = o->groups[g].rows; r->name; r++)
            if (r->letter && r->letter == letter) {
                *group = g;
                return r;
            }
    return NULL;
}

enum opt_from opt_from(const struct opts *o, const char *name)
{
    int g;
    const struct opt *r = find_long(o, name, &g);
    return r ? o->groups[g].from[r - o->groups[g].rows] : OPT_FROM_DEFAULT;
}

static int unknown_long(const struct opts *o, const char *name, struct err *e)
{
    struct suggest s = {.word = name};
    for (int g = 0; g < o->n_groups; g++)
        for (const struct opt *r = o->groups[g].rows; r->name; r++)
            suggest_offer(&s, r->name);
    if (s.best)
        return err_set(e, ERR_USAGE, "unknown option '--%s'; did you mean '--%s'?", name, s.best);
    return err_set(e, ERR_USAGE, "unknown option '--%s'; --help lists those there are", name);
}

int opt_set(struct opts *o, const char *name, const char *value, enum opt_from from, struct err *e)
{
    int g;
    const struct opt *r = find_long(o, name, &g);
    if (!r)
        return unknown_long(o, name, e);
    int rc = MEM_GROW(o->owned, o->cap_owned, o->n_owned + 1, e);
    if (rc)
        return rc;
    char *copy = mem_strdup(value, e);
    if (!copy)
        return ERR_NOMEM;
    o->owned[o->n_owned++] = copy;
    return store(o, g, r, copy, from, e);
}

// The walk through ARGV: AT is the word being looked at.
struct walk {
    struct opts *o;
    char **argv;
    int argc, at;
};

static int take_value(struct walk *w, int g, const struct opt *r, const char *attached,
                      const char *shown, struct err *e)
{
    const char *value = attached;
    if (!value) {
        if (w->at + 1 >= w->argc)
            return err_set(e, ERR_USAGE, "option '%s' needs a value: %s", shown,
                           r->metavar ? r->metavar : r->choices);
        value = w->argv[++w->at];
    }
    return store(w->o, g, r, value, OPT_FROM_COMMAND_LINE, e);
}

static int parse_long(struct walk *w, char *word, struct err *e)
{
    char name[64];
    const char *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    if (n >= sizeof name)
        return err_set(e, ERR_USAGE, "unknown option '%s'; --help lists those there are", word - 2);
    memcpy(name, word, n);
    name[n] = 0;

    int g;
    const char *on = "1";
    const struct opt *r = find_long(w->o, name, &g);
    if (!r && !strncmp(name, "no-", 3)) {
        r = find_long(w->o, name + 3, &g);
        if (r && r->kind != OPT_FLAG)
            r = NULL;
        on = "0";
    }
    if (!r)
        return unknown_long(w->o, name, e);
    if (r->kind != OPT_FLAG && r->kind != OPT_HELP)
        return take_value(w, g, r, equals ? equals + 1 : NULL, word - 2, e);
    if (equals)
        return err_set(e, ERR_USAGE, "option '--%s' takes no value", name);
    return r->kind == OPT_HELP ? 1 : store(w->o, g, r, on, OPT_FROM_COMMAND_LINE, e);
}

static int parse_letters(struct walk *w, const char *letters, struct err *e)
{
    for (; *letters; letters++) {
        const char shown[] = {'-', *letters, 0};
        int g;
        const struct opt *r = find_letter(w->o, *letters, &g);
        // -handbook.txt is a name more likely than -h.
        const int is_name = r && r->kind == OPT_HELP && letters[1];
        if (!r || is_name)
            return err_set(e, ERR_USAGE, "unknown option '%s'; --help lists those there are",
                           is_name ? w->argv[w->at] : shown);
        if (r->kind == OPT_HELP)
            return 1;
        if (r->kind != OPT_FLAG)
            return take_value(w, g, r, letters[1] ? letters + 1 : NULL, shown, e);
        int rc = store(w->o, g, r, "1", OPT_FROM_COMMAND_LINE, e);
        if (rc)
            return rc;
    }
    return 0;
}

int opt_parse(struct opts *o, int argc, char **argv, struct err *e)
{
    struct walk w = {.o = o, .argv = argv, .argc = argc};
    int options = 1, rc = 0;
    if (!o->operands && !(o->operands = mem_new((size_t)argc + 1, sizeof *o->operands, e)))
        return ERR_NOMEM;
    for (; w.at < argc && !rc; w.at++) {
        char *word = argv[w.at];
        if (!options || word[0] != '-' || !word[1])
            o->operands[o->n_operands++] = word;
        else if (!strcmp(word, "--"))
            options = 0;
        else if (word[1] == '-')
            rc = parse_long(&w, word + 2, e);
        else
            rc = parse_letters(&w, word + 1, e);
    }
    return rc;
}

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

// Words of TEXT from column AT on, wrapped; returns the column after the last one.
static int wrap(FILE *f, const char *text, int at)
{
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (at > HELP_COLUMN && at + 1 + n > HELP_WIDTH) {
            fprintf(f, "\n%*s", HELP_COLUMN, "");
            at = HELP_COLUMN;
        }
        at += fprintf(f, "%s%.*s", at > HELP_COLUMN ? " " : "", n, text);
        text += n;
        text += strspn(text, " ");
    }
    return at;
}

// "a|b|c" as ": a, b, c", behind what ends at column AT.
static int wrap_choices(FILE *f, const char *choices, int at)
{
    char one[64];
    putc(':', f);
    at++;
    for (const char *c = choices, *end; *c; c = *end ? end + 1 : end) {
        end = strchrnul(c, '|');
        snprintf(one, sizeof one, "%.*s%s", (int)(end - c), c, *end ? "," : "");
        at = wrap(f, one, at);
    }
    return at;
}

static void help_row(const struct opt *r, FILE *f)
{
    const char *arg = r->metavar ? r->metavar : r->choices;
    char left[96];
    if (r->letter)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", r->letter, r->name, arg ? " " : "",
                 arg ? arg : "");
    else
        snprintf(left, sizeof left, "      --%s%s%s", r->name, arg ? " " : "", arg ? arg : "");
    fputs(left, f);
    if (strlen(left) + 2 > HELP_COLUMN)
        fprintf(f, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(f, "%*s", HELP_COLUMN - (int)strlen(left), "");
    int at = wrap(f, r->help, HELP_COLUMN);
    if (r->choices && r->metavar)
        at = wrap_choices(f, r->choices, at);
    if (r->def || r->unset) {
        char def[128];
        snprintf(def, sizeof def, "(default: %s)", r->def ? r->def : r->unset);
        wrap(f, def, at);
    }
    fputc('\n', f);
}

void opt_help(const struct opts *o, FILE *f)
{
    for (int g = 0; g < o->n_groups; g++) {
        fprintf(f, "\n%s:\n", o->groups[g].title);
        for (const struct opt *r = o->groups[g].rows; r->name; r++)
            help_row(r, f);
    }
}
