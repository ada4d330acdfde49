#define _GNU_SOURCE
#include "engine/model/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/inifile.h"
#include "io/mem.h"

enum { SIZE_MAX_OF_A_MODEL = 1 << 28 };

enum { REQUIRED = 5 };
// The whole numbers of [profile]; the first REQUIRED of them must be there.
static const struct number {
    const char *key;
    size_t at;
} NUMBERS[] = {
    {"layers", offsetof(struct heads, n_layers)},
    {"heads", offsetof(struct heads, n_heads)},
    {"kv_heads", offsetof(struct heads, n_kv_heads)},
    {"embedding", offsetof(struct heads, n_embd)},
    {"distance", offsetof(struct heads, distance)},
    {"vocabulary", offsetof(struct heads, n_vocab)},
    {"context", offsetof(struct heads, n_ctx_train)},
    {"answer_sentences", offsetof(struct heads, answer_sentences)},
};
enum { N_NUMBERS = sizeof NUMBERS / sizeof *NUMBERS };

// A number above 0, of which a profile says how large it may be.
struct amount {
    const char *key;
    size_t at; // where its float is
    double max;
};

// The other numbers of [profile].
static const struct amount AMOUNTS[] = {
    {"copy", offsetof(struct heads, copy), HEADS_COPY_MAX},
    {"quote", offsetof(struct heads, quote), HEADS_QUOTE_MAX},
    {"min_score", offsetof(struct heads, min_score), HEADS_SCORE_MAX},
    {"sharpen", offsetof(struct heads, sharpen), HEADS_SHARPEN_MAX},
};
enum { N_AMOUNTS = sizeof AMOUNTS / sizeof *AMOUNTS };

// The numbers of a division into spans, of [profile] and of each [layer N].
static const struct amount SPANS[] = {
    {"theta", offsetof(struct heads_spans, theta), 1},
    {"phi", offsetof(struct heads_spans, phi), 1},
    {"lambda", offsetof(struct heads_spans, lambda), 1000},
};
enum { N_SPANS = sizeof SPANS / sizeof *SPANS };

// How coarsely the kv heads of a layer are stored, of each [layer N]: a number for all of them, or
// one for each; or "keys.16", one for each from kv head 16 on.
static const char *const STEPS[] = {"keys", "values"};
enum { N_STEPS = sizeof STEPS / sizeof *STEPS };

// How many of a layer's kv heads a line names that is written, which has to be one that is read
// (inifile.h): steps are the longest, "1.23457e-05 ".
enum { STEPS_A_LINE = 14, NEAR_A_LINE = 32 };

// A profile that owns what it points to.
struct owned {
    struct heads h; // first: profile_free has its address
    char *name, *arch;
    struct heads_spans *layers;
    float *steps;
    uint8_t *near;
    float *entropy;
    struct head *v;
    size_t cap;
};

static const int *number(const struct heads *h, int i)
{
    return (const int *)(const void *)((const char *)h + NUMBERS[i].at);
}

static int parse_int(const char *text, int *out)
{
    char *end;
    long n = strtol(text, &end, 10);
    *out = (int)n;
    return end != text && !*end && n >= 0 && n <= SIZE_MAX_OF_A_MODEL ? 0 : -1;
}

// More than 0, at most HIGH.
static int parse_num(const char *text, double high, float *out)
{
    char *end;
    double x = strtod(text, &end);
    *out = (float)x;
    return end != text && !*end && x > 0 && x <= high ? 0 : -1;
}

// The functions below that take a key return 0 when it was theirs, 1 when it is another's, or an
// error.

// OF has the floats of TABLE [n].
static int amount_key(const struct amount *table, int n, void *of, const char *key,
                      const char *value, struct err *e)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(key, table[i].key))
            continue;
        if (parse_num(value, table[i].max, (float *)(void *)((char *)of + table[i].at)))
            return err_set(e, ERR_USAGE, "%s '%s' is not above 0 and at most %g", key, value,
                           table[i].max);
        return 0;
    }
    return 1;
}

static int text_key(char **out, const char **shown, const char *key, const char *value,
                    struct err *e)
{
    if (!*value || strlen(value) >= HEADS_NAME_MAX)
        return err_set(e, ERR_USAGE, "%s has 1 to %d bytes", key, HEADS_NAME_MAX - 1);
    free(*out);
    *shown = *out = mem_strdup(value, e);
    return *out ? 0 : ERR_NOMEM;
}

static int read_key(struct heads *h, const char *key, const char *value, struct err *e)
{
    return strcmp(key, "read") ? 1 : read_mode_parse(value, &h->read, e);
}

static int model_key(struct heads *h, const char *key, const char *value, struct err *e)
{
    char *end;
    if (strcmp(key, "model"))
        return 1;
    h->model = strtoull(value, &end, 16);
    return *value && !*end ? 0 : err_set(e, ERR_USAGE, "model '%s' is not hexadecimal", value);
}

static int number_key(struct owned *p, const char *key, const char *value, struct err *e)
{
    for (int i = 0; i < N_NUMBERS; i++) {
        int n;
        if (strcmp(key, NUMBERS[i].key))
            continue;
        if (p->v || p->layers || p->steps || p->near || p->entropy)
            return err_set(e, ERR_USAGE, "%s comes after the heads or a layer", key);
        if (parse_int(value, &n) || (i < REQUIRED && !n))
            return err_set(e, ERR_USAGE, "%s '%s' is not a whole number%s", key, value,
                           i < REQUIRED ? " above 0" : "");
        *(int *)(void *)((char *)&p->h + NUMBERS[i].at) = n;
        return 0;
    }
    return 1;
}

static int profile_key(struct owned *p, const char *key, const char *value, struct err *e)
{
    struct heads *h = &p->h;
    int rc;
    if (!strcmp(key, "name"))
        return text_key(&p->name, &h->name, key, value, e);
    if (!strcmp(key, "arch"))
        return text_key(&p->arch, &h->arch, key, value, e);
    if ((rc = amount_key(SPANS, N_SPANS, &h->spans, key, value, e)) <= 0 ||
        (rc = model_key(h, key, value, e)) <= 0 || (rc = read_key(h, key, value, e)) <= 0 ||
        (rc = amount_key(AMOUNTS, N_AMOUNTS, h, key, value, e)) <= 0 ||
        (rc = number_key(p, key, value, e)) <= 0)
        return rc;
    return err_set(e, ERR_USAGE, "unknown key '%s' in [profile]", key);
}

// Whether [profile] has said what layers and heads there are.
static int shape_known(const struct owned *p, struct err *e)
{
    const struct heads *h = &p->h;
    if (!h->n_layers || !h->n_heads || !h->n_kv_heads)
        return err_set(e, ERR_USAGE, "layers, heads and kv_heads of [profile] have to come before");
    if (h->n_layers > 1024 || h->n_heads > 1024 || h->n_heads % h->n_kv_heads)
        return err_set(e, ERR_USAGE, "%d layers with %d heads over %d make no transformer",
                       h->n_layers, h->n_heads, h->n_kv_heads);
    return 0;
}

// "18.6 = 0.9": head 6 of layer 18 and the weight of its vote.
static int head_key(struct owned *p, const char *key, const char *value, struct err *e)
{
    struct heads *h = &p->h;
    struct head at = {0};
    char layer[16];
    const char *dot = strchr(key, '.');
    int rc = shape_known(p, e);
    if (rc)
        return rc;
    if (!dot || dot - key >= (int)sizeof layer)
        return err_set(e, ERR_USAGE, "'%s' is not LAYER.HEAD", key);
    snprintf(layer, sizeof layer, "%.*s", (int)(dot - key), key);
    if (parse_int(layer, &at.layer) || parse_int(dot + 1, &at.head))
        return err_set(e, ERR_USAGE, "'%s' is not LAYER.HEAD", key);
    if (at.layer >= h->n_layers || at.head >= h->n_heads)
        return err_set(e, ERR_USAGE, "head %s: the model has %d layers of %d heads, from 0 on", key,
                       h->n_layers, h->n_heads);
    if (parse_num(value, 1000, &at.weight))
        return err_set(e, ERR_USAGE, "the weight '%s' is not above 0 and at most 1000", value);
    for (int i = 0; i < h->n; i++)
        if (p->v[i].layer == at.layer && p->v[i].head == at.head)
            return err_set(e, ERR_USAGE, "head %s is there twice", key);
    rc = MEM_GROW(p->v, p->cap, (size_t)h->n + 1, e);
    h->v = p->v;
    if (!rc)
        p->v[h->n++] = at;
    return rc;
}

// "0.5 1 0.25" to OUT; returns how many, or -1: it is not 1 to MOST of them.
static int parse_steps(const char *value, int most, float *out)
{
    int n = 0;
    for (const char *at = value; *at; n++) {
        char one[32];
        const size_t bytes = strcspn(at, " ");
        snprintf(one, sizeof one, "%.*s", (int)bytes, at);
        if (n == most || bytes >= sizeof one || parse_num(one, 1000, &out[n]))
            return -1;
        at += bytes + strspn(at + bytes, " ");
    }
    return n ? n : -1;
}

// The kv head of "keys.16" after "keys": 0 of "keys" itself; -1: there is no such head.
static int first_head(const char *dot, int n_heads)
{
    int head = 0;
    return *dot && (parse_int(dot + 1, &head) || head >= n_heads) ? -1 : head;
}

static int step_key(struct owned *p, int layer, const char *key, const char *value, struct err *e)
{
    for (int i = 0; i < N_STEPS; i++) {
        const size_t name = strlen(STEPS[i]);
        if (strncmp(key, STEPS[i], name) || (key[name] && key[name] != '.'))
            continue;
        const int heads = p->h.n_kv_heads, first = first_head(key + name, heads);
        if (first < 0)
            return err_set(e, ERR_USAGE, "'%s' is not %s.HEAD of %d kv heads, from 0 on", key,
                           STEPS[i], heads);
        if (!p->steps && !(p->steps = mem_new((size_t)p->h.n_layers * N_STEPS,
                                              (size_t)heads * sizeof *p->steps, e)))
            return ERR_NOMEM;
        p->h.steps = p->steps;
        float *out = p->steps + (size_t)(N_STEPS * layer + i) * (size_t)heads;
        const int n = parse_steps(value, heads - first, out + first);
        if (key[name] && n < 0)
            return err_set(e, ERR_USAGE, "%s '%s' is not 1 to %d numbers above 0 and at most 1000",
                           key, value, heads - first);
        if (!key[name] && n != 1 && n != heads)
            return err_set(e, ERR_USAGE,
                           "%s '%s' is neither a number above 0 and at most 1000 nor %d of them",
                           key, value, heads);
        for (int j = 1; !key[name] && n == 1 && j < heads; j++)
            out[j] = out[0];
        return 0;
    }
    return 1;
}

// "near = 0 2": kv heads of the layer.
static int near_key(struct owned *p, int layer, const char *key, const char *value, struct err *e)
{
    const struct heads *h = &p->h;
    if (strcmp(key, "near"))
        return 1;
    if (!p->near && !(p->near = mem_new((size_t)h->n_layers * (size_t)h->n_kv_heads, 1, e)))
        return ERR_NOMEM;
    p->h.near = p->near;
    for (const char *at = value; *at;) {
        char *end;
        long head = strtol(at, &end, 10);
        if (end == at || (*end && *end != ' ') || head < 0 || head >= h->n_kv_heads)
            return err_set(e, ERR_USAGE,
                           "near '%s' is not kv heads of a layer, which has %d, from 0 on", value,
                           h->n_kv_heads);
        p->near[layer * h->n_kv_heads + (int)head] = 1;
        at = end + strspn(end, " ");
    }
    return 0;
}

static int entropy_key(struct owned *p, int layer, const char *key, const char *value,
                       struct err *e)
{
    if (strcmp(key, "entropy"))
        return 1;
    if (!p->entropy && !(p->entropy = mem_new((size_t)p->h.n_layers, sizeof *p->entropy, e)))
        return ERR_NOMEM;
    p->h.entropy = p->entropy;
    if (parse_num(value, 1, &p->entropy[layer]))
        return err_set(e, ERR_USAGE, "entropy '%s' is not above 0 and at most 1", value);
    return 0;
}

static int layer_key(struct owned *p, const char *layer, const char *key, const char *value,
                     struct err *e)
{
    int i, rc = shape_known(p, e);
    if (rc)
        return rc;
    if (parse_int(layer, &i) || i >= p->h.n_layers)
        return err_set(e, ERR_USAGE, "[layer %s]: the model has %d layers, from 0 on", layer,
                       p->h.n_layers);
    if ((rc = step_key(p, i, key, value, e)) <= 0 || (rc = near_key(p, i, key, value, e)) <= 0 ||
        (rc = entropy_key(p, i, key, value, e)) <= 0)
        return rc;
    if (!p->layers && !(p->layers = mem_new((size_t)p->h.n_layers, sizeof *p->layers, e)))
        return ERR_NOMEM;
    p->h.layers = p->layers;
    rc = amount_key(SPANS, N_SPANS, &p->layers[i], key, value, e);
    return rc <= 0 ? rc : err_set(e, ERR_USAGE, "unknown key '%s' in [layer %s]", key, layer);
}

static int on_key(void *arg, const char *section, const char *key, const char *value, struct err *e)
{
    static const char layer[] = "layer ";
    if (!strcmp(section, "profile"))
        return profile_key(arg, key, value, e);
    if (!strcmp(section, "heads"))
        return head_key(arg, key, value, e);
    if (!strncmp(section, layer, sizeof layer - 1))
        return layer_key(arg, section + sizeof layer - 1, key, value, e);
    return err_set(e, ERR_USAGE,
                   *section ? "unknown section [%s]" : "a key before the first [section]", section);
}

int profile_read(struct heads **out, const char *path, struct err *e)
{
    *out = NULL;
    struct owned *p = mem_new(1, sizeof *p, e);
    if (!p)
        return ERR_NOMEM;
    int rc = inifile_read(path, on_key, p, e);
    const char *missing = !p->h.name ? "name" : !p->h.arch ? "arch" : NULL;
    for (int i = 0; !missing && i < REQUIRED; i++)
        if (!*number(&p->h, i))
            missing = NUMBERS[i].key;
    if (!rc && missing)
        rc = err_set(e, ERR_USAGE, "%s: [profile] has no %s", path, missing);
    if (!rc)
        rc = shape_known(p, e);
    if (rc) {
        profile_free(&p->h);
        return rc;
    }
    *out = &p->h;
    return 0;
}

void profile_free(struct heads *h)
{
    struct owned *p = (struct owned *)(void *)h;
    if (!p)
        return;
    free(p->name);
    free(p->arch);
    free(p->layers);
    free(p->steps);
    free(p->near);
    free(p->entropy);
    free(p->v);
    free(p);
}

static void write_amounts(FILE *f, const struct amount *table, int n, const void *of)
{
    for (int i = 0; i < n; i++) {
        const float x = *(const float *)(const void *)((const char *)of + table[i].at);
        if (x > 0)
            fprintf(f, "%s = %.6g\n", table[i].key, (double)x);
    }
}

// Whether layer L has one.
static int any_near(const struct heads *h, int l)
{
    return h->near && memchr(h->near + l * h->n_kv_heads, 1, (size_t)h->n_kv_heads);
}

static void write_near(FILE *f, const struct heads *h, int l)
{
    if (!any_near(h, l))
        return;
    int n = 0;
    for (int i = 0; i < h->n_kv_heads; i++) {
        if (!h->near[l * h->n_kv_heads + i])
            continue;
        if (n % NEAR_A_LINE == 0)
            fputs(n ? "\nnear =" : "near =", f);
        fprintf(f, " %d", i);
        n++;
    }
    fputs("\n", f);
}

// Those of layer L, one number where its heads are alike.
static void write_steps(FILE *f, const struct heads *h, int l)
{
    const int heads = h->n_kv_heads;
    for (int i = 0; h->steps && i < N_STEPS; i++) {
        const float *x = h->steps + (N_STEPS * l + i) * heads;
        int n = 1, any = x[0] > 0;
        for (int j = 1; j < heads; j++) {
            n = x[j] != x[0] ? heads : n;
            any |= x[j] > 0;
        }
        for (int j = 0; any && j < n; j++) {
            if (!j && n <= STEPS_A_LINE)
                fprintf(f, "%s =", STEPS[i]);
            else if (j % STEPS_A_LINE == 0)
                fprintf(f, "%s%s.%d =", j ? "\n" : "", STEPS[i], j);
            fprintf(f, " %.6g", x[j] > 0 ? (double)x[j] : 1);
        }
        fputs(any ? "\n" : "", f);
    }
}

// Whether layer L has one.
static int any_step(const struct heads *h, int l)
{
    const int each = N_STEPS * h->n_kv_heads;
    for (int i = 0; h->steps && i < each; i++)
        if (h->steps[l * each + i] > 0)
            return 1;
    return 0;
}

// Nothing where nothing is known of layer L.
static void write_layer(FILE *f, const struct heads *h, int l)
{
    static const struct heads_spans none;
    const struct heads_spans *spans = h->layers ? &h->layers[l] : &none;
    float entropy = h->entropy ? h->entropy[l] : 0;
    if (!memcmp(spans, &none, sizeof none) && !any_step(h, l) && !any_near(h, l) && entropy <= 0)
        return;
    fprintf(f, "\n[layer %d]\n", l);
    write_amounts(f, SPANS, N_SPANS, spans);
    write_steps(f, h, l);
    write_near(f, h, l);
    if (entropy > 0)
        fprintf(f, "entropy = %.6g\n", (double)entropy);
}

static void write_text(FILE *f, const struct heads *h, const char *about, const char *const *notes)
{
    if (about)
        fprintf(f, "; %s\n", about);
    fprintf(f, "[profile]\nname = %s\narch = %s\n", h->name, h->arch);
    for (int i = 0; i < N_NUMBERS; i++)
        if (*number(h, i))
            fprintf(f, "%s = %d\n", NUMBERS[i].key, *number(h, i));
    if (h->model)
        fprintf(f, "model = %016" PRIx64 "\n", h->model);
    if (h->read)
        fprintf(f, "read = %s\n", read_mode_name(h->read));
    write_amounts(f, AMOUNTS, N_AMOUNTS, h);
    write_amounts(f, SPANS, N_SPANS, &h->spans);
    fputs("\n[heads]\n", f);
    for (int i = 0; i < h->n; i++)
        fprintf(f, "%d.%d = %.6g%s%s\n", h->v[i].layer, h->v[i].head, (double)h->v[i].weight,
                notes ? " ; " : "", notes ? notes[i] : "");
    for (int l = 0; l < h->n_layers; l++)
        write_layer(f, h, l);
}

int profile_write(const char *path, const struct file_seen *was, const struct heads *h,
                  const char *about, const char *const *notes, struct err *e)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    if (!f)
        return err_set(e, ERR_NOMEM, "%s: no memory for a profile", path);
    write_text(f, h, about, notes);
    int rc = fclose(f) ? err_set(e, ERR_NOMEM, "%s: no memory for a profile", path) : 0;
    if (!rc)
        rc = file_replace(was, path, text, bytes, e);
    free(text);
    return rc;
}
