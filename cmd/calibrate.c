#define _GNU_SOURCE
#include "cmd/calibrate.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/output.h"
#include "cmd/profiles.h"
#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/file.h"
#include "io/json.h"

struct own {
    const char *out, *text;
    int force, documents, tokens, json;
    double kv_bits;
    uint64_t seed;
};

#define AT(field) .at = offsetof(struct own, field)

static const struct opt options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPT_STR,
     AT(out),
     .metavar = "PROFILE.ini",
     .unset = "where other commands look for it",
     .help = "the profile to write",
     .not_config = 1},
    {.name = "force",
     .letter = 'f',
     .kind = OPT_FLAG,
     AT(force),
     .help = "with --output: replace a profile that exists",
     .not_config = 1},
    {.name = "text",
     .kind = OPT_STR,
     AT(text),
     .metavar = "FILE",
     .unset = "text made for it",
     .help = "hide the sentences in this text",
     .not_config = 1},
    {.name = "documents",
     .kind = OPT_INT,
     AT(documents),
     .min = 1,
     .max = 1000,
     .metavar = "N",
     .def = "3",
     .help = "texts to hide sentences in; eight in each"},
    {.name = "tokens",
     .kind = OPT_INT,
     AT(tokens),
     .min = 1024,
     .max = 1 << 17,
     .metavar = "TOKENS",
     .def = "4096",
     .help = "length of each text"},
    {.name = "kv-bits",
     .kind = OPT_NUM,
     AT(kv_bits),
     .min = 0.1,
     .max = 12,
     .metavar = "BITS",
     .def = "2.1",
     .help = "bits of a stored key or value on average, of which each layer gets its share",
     .not_config = 1},
    {.name = "seed",
     .kind = OPT_U64,
     AT(seed),
     .metavar = "N",
     .def = "0",
     .help = "seed of the sentences and the text"},
    {.name = "json",
     .kind = OPT_FLAG,
     AT(json),
     .help = "print what was measured of every head as one JSON object"},
    {0},
};

static void on_progress(void *arg, const struct calibrate_progress *p)
{
    (void)arg;
    ui_progress(&(struct ui_progress){.what = "calibration",
                                      .tokens = p->tokens,
                                      .done = (uint64_t)p->done,
                                      .total = (uint64_t)p->total,
                                      .seconds = p->seconds,
                                      .tokens_per_second =
                                          p->seconds > 0 ? (double)p->tokens / p->seconds : 0});
}

static void note_result(const char *path, const struct calibrate_result *r)
{
    char time[UI_BUF], tokens[UI_BUF];
    if (r->chosen)
        ui_note("%s: %d of %d heads find needles; %d questions, %s tokens, %s", path, r->chosen,
                r->n, r->questions, ui_count(tokens, r->tokens), ui_duration(time, r->seconds));
    else
        ui_note("%s: none of %d heads finds needles; %d questions, %s tokens, %s", path, r->n,
                r->questions, ui_count(tokens, r->tokens), ui_duration(time, r->seconds));
}

static void print_text(const struct calibrate_result *r)
{
    printf("head     weight   rank  others  words   copy  theta    phi  lambda\n");
    for (int i = 0; i < r->chosen; i++) {
        const struct calibrate_head *h = &r->v[i];
        char name[32];
        snprintf(name, sizeof name, "%d.%d", h->layer, h->head);
        const struct calibrate_layer *l = &r->layers[h->layer];
        printf("%-7s %7.3f %6.2f %7.2f %6.2f %6.2f %6.2f %6.2f ", name, h->weight, h->rank,
               h->others, h->words, h->copy, l->theta, l->phi);
        if (l->lambda > 0)
            printf("%7.2f\n", l->lambda);
        else
            printf("%7s\n", "usual");
    }
}

// The sum of the losses of a layer's kv heads, and the largest of them.
static void print_losses(const double *loss, int n)
{
    double sum = 0, most = 0;
    for (int i = 0; i < n; i++) {
        sum += loss[i];
        most = fmax(most, loss[i]);
    }
    printf(" %7.3f %7.3f", 1e3 * sum, 1e3 * most);
}

// What storing loses, in thousandths of a nat.
static void print_storing(const struct calibrate_storing *s, int n_layers, int heads)
{
    int n = 0;
    if (!s->part)
        return;
    for (int i = 0; i < n_layers * heads; i++)
        n += s->near[i];
    printf("\nlayer    keys    most  values    most  near\n");
    for (int l = 0; l < n_layers; l++) {
        printf("%-5d", l);
        print_losses(s->part + 2 * l * heads, heads);
        print_losses(s->part + (2 * l + 1) * heads, heads);
        for (int h = 0; h < heads; h++)
            if (s->near[l * heads + h])
                printf(" %d", h);
        printf("\n");
    }
    printf("all alike %.2f, with these steps %.2f", 1e3 * s->alike, 1e3 * s->best);
    if (n)
        printf(", without the %d near kv heads of %d %.2f", n, n_layers * heads, 1e3 * s->without);
    printf("\n");
}

static void json_losses(struct json *j, const char *key, const double *loss, int n)
{
    json_array(json_key(j, key));
    for (int i = 0; i < n; i++)
        json_num(j, loss[i]);
    json_end(j);
}

struct number {
    const char *key;
    double v;
};

static void json_numbers(struct json *j, const struct number *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        json_num(json_key(j, v[i].key), v[i].v);
    }
}

static void json_storing(struct json *j, const struct calibrate_storing *s, int n_layers, int heads)
{
    const struct number losses[] = {
        {"loss_alike", s->alike}, {"loss", s->best}, {"loss_without_near", s->without}};
    if (!s->part)
        return;
    json_numbers(j, losses, sizeof losses / sizeof *losses);
    json_array(json_key(j, "storing"));
    for (int l = 0; l < n_layers; l++) {
        json_object(j);
        json_losses(j, "keys", s->part + 2 * l * heads, heads);
        json_losses(j, "values", s->part + (2 * l + 1) * heads, heads);
        json_losses(j, "heads", s->head + l * heads, heads);
        json_array(json_key(j, "near"));
        for (int h = 0; h < heads; h++)
            if (s->near[l * heads + h])
                json_uint(j, (uint64_t)h);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void json_heads(struct json *j, const struct calibrate_result *r)
{
    json_array(json_key(j, "heads"));
    for (int i = 0; i < r->n; i++) {
        const struct calibrate_head *h = &r->v[i];
        const struct number numbers[] = {
            {"layer", h->layer},   {"head", h->head},   {"weight", h->weight}, {"rank", h->rank},
            {"others", h->others}, {"words", h->words}, {"copy", h->copy}};
        json_object(j);
        json_numbers(j, numbers, sizeof numbers / sizeof *numbers);
        json_end(j);
    }
    json_end(j);
}

// Numbers that are 0 are not known, and left out.
static void json_layers(struct json *j, const struct calibrate_result *r)
{
    json_array(json_key(j, "layers"));
    for (int i = 0; i < r->n_layers; i++) {
        const struct calibrate_layer *l = &r->layers[i];
        const struct number spans[] = {{"theta", l->theta}, {"phi", l->phi}};
        json_object(j);
        json_numbers(j, &(struct number){"entropy", l->entropy}, 1);
        if (l->theta > 0)
            json_numbers(j, spans, sizeof spans / sizeof *spans);
        if (l->lambda > 0)
            json_numbers(j, &(struct number){"lambda", l->lambda}, 1);
        json_end(j);
    }
    json_end(j);
}

static void print_json(const char *path, const struct calibrate_result *r, int kv_heads)
{
    const struct number numbers[] = {{"questions", r->questions},
                                     {"copied", r->copied},
                                     {"steps", r->copyable},
                                     {"asked", r->asked},
                                     {"right_cached", r->right[READ_CACHED]},
                                     {"right_fresh", r->right[READ_FRESH]},
                                     {"right_both", r->right[READ_BOTH]},
                                     {"right_sentences", r->right[READ_SENTENCES]},
                                     {"right_cached_sentences", r->right[READ_CACHED_SENTENCES]},
                                     {"sharpen", (double)r->sharpen},
                                     {"chosen", r->chosen},
                                     {"tokens", (double)r->tokens},
                                     {"seconds", r->seconds}};
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "profile"), path);
    json_numbers(&j, numbers, sizeof numbers / sizeof *numbers);
    json_heads(&j, r);
    json_layers(&j, r);
    json_storing(&j, &r->storing, r->n_layers, kv_heads);
    json_end(&j);
    json_line(&j);
}

static int make_dir(const char *path, struct err *e)
{
    char dir[PATH_MAX];
    int rc = file_dir(dir, sizeof dir, path, e);
    return rc ? rc : file_mkdirs(dir, e);
}

// When S computes on the processor, the model is opened once more on an exact one, for what storing
// loses (calibrate_options.exact).
static int calibrate_with(const struct common *c, struct session *s, const char *out,
                          struct calibrate_options *o, struct calibrate_result *r, struct err *e)
{
    struct common same = *c;
    struct session exact = {0};
    int rc = 0;
    same.exact = same.no_profile = 1;
    if (!s->device->is_apart && !(rc = session_open(&exact, &same, NULL, 0, e)))
        o->exact = exact.model;
    o->progress = on_progress;
    if (!rc)
        rc = calibrate(s->model, out, o, r, e);
    ui_progress_end();
    session_close(&exact);
    return rc;
}

int calibrate_first(const struct common *c, struct session *s, const volatile sig_atomic_t *stop,
                    struct err *e)
{
    enum { SECONDS = 300 };
    const struct model_info *f = model_info(s->model);
    char path[PATH_MAX];
    struct calibrate_result r;
    int rc = profiles_path(path, sizeof path, f, e);
    if (rc)
        return rc;
    if (!*path || make_dir(path, e)) {
        ui_note("%s has no profile, and there is no place to keep one: going on without",
                file_name(f->path));
        return 0;
    }
    ui_note("%s has no profile of its retrieval heads: calibrating first (--no-calibrate goes on "
            "without)",
            file_name(f->path));
    struct calibrate_options o = {.seconds = SECONDS, .stop = stop};
    rc = calibrate_with(c, s, path, &o, &r, e);
    if (rc)
        return rc;
    note_result(path, &r);
    calibrate_result_done(&r);
    return model_use_profile(s->model, path, e);
}

// Whether the profile can be written to OUT, which the user named.
static int check_output(const struct common *c, const struct own *o, const char *out, struct err *e)
{
    const struct output_read reads[] = {
        {"the model", c->model}, {"the configuration file", c->config}, {"the text", o->text}};
    struct stat st;
    int rc = output_apart(out, reads, sizeof reads / sizeof *reads, e);
    if (rc || (rc = output_writable(out, e)) || stat(out, &st) || (rc = file_readable(out, e)))
        return rc;
    if (st.st_size && !profiles_is_one(out))
        return err_set(e, ERR_IO, "%s exists and is no profile; not even --force replaces that",
                       out);
    return o->force ? 0 : err_set(e, ERR_IO, "%s exists; --force replaces it", out);
}

static int run_with(const struct common *c, struct session *s, const struct own *o, struct err *e)
{
    char path[PATH_MAX];
    struct calibrate_result r;
    const char *out = o->out;
    struct file_seen was;
    int rc = 0;
    if (out) {
        out = output_place(out, path);
        file_see(&was, out);
        rc = check_output(c, o, out, e);
    } else if (!(rc = calibrate_check(&(struct calibrate_options){.text = o->text}, e)) &&
               !(rc = profiles_path(path, sizeof path, model_info(s->model), e))) {
        if (!*path)
            rc = err_set(e, ERR_USAGE,
                         "there is no home directory to keep the profile in; give --output");
        else
            rc = make_dir(path, e);
        out = path;
        if (!rc)
            ui_note("%s: other commands will read it for this model; --output keeps it elsewhere",
                    out);
    }
    if (rc)
        return rc;
    struct calibrate_options how = {.text = o->text,
                                    .documents = o->documents,
                                    .tokens = o->tokens,
                                    .seed = o->seed,
                                    .kv_bits = o->kv_bits,
                                    .was = o->out ? &was : NULL,
                                    .stop = ui_catch_stop(1)};
    rc = calibrate_with(c, s, out, &how, &r, e);
    if (rc)
        return rc;
    note_result(out, &r);
    const int heads = model_info(s->model)->n_kv_heads;
    if (o->json) {
        print_json(out, &r, heads);
    } else {
        if (r.chosen)
            print_text(&r);
        print_storing(&r.storing, r.n_layers, heads);
    }
    calibrate_result_done(&r);
    return 0;
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    struct common common = *c;
    struct session s;
    struct err e;
    if (n_operands > 1 || (n_operands && c->model_given))
        return ui_usage("give one model");
    if (c->profile)
        return ui_usage(
            "calibrate makes a profile and reads none; --profile is for the other commands");
    const char *out = ((const struct own *)own)->out;
    if (out && !strcmp(out, "-"))
        return ui_usage("what was measured goes to standard output, the profile to a file: "
                        "--output FILE");
    if (n_operands)
        common.model = operands[0];
    common.no_profile = 1;
    int rc = session_open(&s, &common, NULL, 0, &e);
    if (!rc)
        rc = run_with(&common, &s, own, &e);
    if (rc)
        rc = ui_fail(&e);
    session_close(&s);
    return rc;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .usage = "[options] [MODEL.gguf]",
    .summary = "find the retrieval heads of a model and write its profile",
    .options = options,
    .own_bytes = sizeof(struct own),
    .run = run,
};
