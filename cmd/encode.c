#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/kvz.h"
#include "cmd/calibrate.h"
#include "cmd/command.h"
#include "cmd/inputs.h"
#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/json.h"
#include "io/mem.h"

struct own {
    const char *out, *format, *charset, *stdin_name, *positions, *method, *represent, *voters,
        *window_kind, *kv, *kv_bits, *far_heads, *template_name, *files_from;
    int force, append, null, calibrate, raw, json;
    int window, sinks, block, chunk, topk, representatives;
    double checkpoint;
};

#define BY_MODEL  "by the size of the model"
#define AT(field) .at = offsetof(struct own, field)

static const struct opt options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPT_STR,
     AT(out),
     .metavar = "OUT.kvz",
     .unset = "the first input's name, ending in .kvz",
     .help = "index to write",
     .not_config = 1},
    {.name = "force",
     .letter = 'f',
     .kind = OPT_FLAG,
     AT(force),
     .not_config = 1,
     .help = "replace an index that exists, and begin an interrupted one again"},
    {.name = "append",
     .kind = OPT_FLAG,
     AT(append),
     .not_config = 1,
     .help = "add the inputs to an index that exists, without reading its documents again"},
    {.name = "files-from",
     .kind = OPT_STR,
     AT(files_from),
     .metavar = "FILE",
     .not_config = 1,
     .help = "read the names of more inputs from FILE, one a line; -: standard input"},
    {.name = "null",
     .letter = '0',
     .kind = OPT_FLAG,
     AT(null),
     .not_config = 1,
     .help = "with --files-from: each name ends in a NUL, as find -print0 writes them"},
    {.name = "format",
     .kind = OPT_CHOICE,
     AT(format),
     .choices = "text|html",
     .unset = "by name and content",
     .help = "take every input as this"},
    {.name = "charset",
     .kind = OPT_STR,
     AT(charset),
     .metavar = "NAME",
     .unset = "UTF-8, other bytes as they are",
     .help = "character set of plain texts, as iconv names it"},
    {.name = "stdin-name",
     .kind = OPT_STR,
     AT(stdin_name),
     .metavar = "NAME",
     .def = "stdin",
     .help = "what evidence calls a document from standard input"},
    {.name = "window",
     .kind = OPT_INT,
     AT(window),
     .min = 16,
     .max = 1 << 20,
     .metavar = "TOKENS",
     .unset = BY_MODEL,
     .help = "last tokens in sight of each new one",
     .also = "local_windows_len"},
    {.name = "window-kind",
     .kind = OPT_CHOICE,
     AT(window_kind),
     .choices = "plain|cascade",
     .unset = "the method's",
     .help = "the last tokens, or three quarters of them sparser with age"},
    {.name = "sinks",
     .kind = OPT_INT,
     AT(sinks),
     .min = 1,
     .max = 1 << 16,
     .metavar = "TOKENS",
     .unset = BY_MODEL,
     .help = "first tokens, always in sight"},
    {.name = "block",
     .kind = OPT_INT,
     AT(block),
     .min = 8,
     .max = 4096,
     .metavar = "TOKENS",
     .unset = BY_MODEL,
     .help = "tokens stored and retrieved together",
     .also = "block_size"},
    {.name = "chunk",
     .kind = OPT_INT,
     AT(chunk),
     .min = 1,
     .max = 1 << 16,
     .metavar = "TOKENS",
     .unset = BY_MODEL,
     .help = "tokens computed together"},
    {.name = "topk",
     .kind = OPT_INT,
     AT(topk),
     .min = -1,
     .max = 4096,
     .metavar = "K",
     .def = "-1",
     .help = "blocks retrieved for each chunk while encoding; 0: none, plain streaming; -1: as the "
             "index that grows, "
             "else none"},
    {.name = "positions",
     .kind = OPT_CHOICE,
     AT(positions),
     .choices = "window|original|contiguous",
     .unset = "window, with a cascading one contiguous",
     .help = "distance at which far tokens are seen"},
    {.name = "method",
     .kind = OPT_STR,
     AT(method),
     .metavar = "NAME",
     .unset = "votes where the model's retrieval heads are known, else infllm",
     .help = "how blocks are represented and chosen"},
    {.name = "represent",
     .kind = OPT_CHOICE,
     AT(represent),
     .choices = "keys|top|dynamic|spans|mean|max|quest|fixed",
     .unset = "the method's",
     .help = "what stands for a block in the index",
     .also = "representative_type"},
    {.name = "representative-num",
     .kind = OPT_INT,
     AT(representatives),
     .min = 1,
     .max = 32,
     .metavar = "N",
     .unset = "4",
     .help = "tokens that stand for a block, with --represent top and fixed",
     .also = "representative_num"},
    {.name = "voters",
     .kind = OPT_CHOICE,
     AT(voters),
     .choices = "profile|all",
     .unset = "the method's",
     .help = "whose keys that is: the retrieval heads', or every head's"},
    {.name = "calibrate",
     .kind = OPT_FLAG,
     AT(calibrate),
     .def = "yes",
     .help =
         "find the retrieval heads of a model of which nothing is known; --no-calibrate goes on "
         "without them"},
    {.name = "kv",
     .kind = OPT_CHOICE,
     AT(kv),
     .choices = "exact|balanced|small",
     .unset = "balanced",
     .help =
         "stored keys and values: exact 7 bits, where no answer changes, balanced about 2, or 2.8 "
         "where it is not known which layers need most, small 1"},
    {.name = "kv-bits",
     .kind = OPT_STR,
     AT(kv_bits),
     .metavar = "K,V",
     .unset = "as --kv says",
     .help = "bits of a stored key and of a value, whatever --kv says: 16, or each from 2 to 8; "
             "2.5,1.75: averages",
     .not_config = 1},
    {.name = "far-heads",
     .kind = OPT_CHOICE,
     AT(far_heads),
     .choices = "all|needed",
     .def = "all",
     .help = "stored keys and values: of all kv heads, or, but for the first tokens, only of those "
             "that look further "
             "than the window"},
    {.name = "template",
     .kind = OPT_STR,
     AT(template_name),
     .metavar = "NAME",
     .unset = "the model's own",
     .help = "chat template around document and question"},
    {.name = "raw",
     .kind = OPT_FLAG,
     AT(raw),
     .help = "no chat template, whatever --template says"},
    {.name = "checkpoint",
     .kind = OPT_NUM,
     AT(checkpoint),
     .min = 0.01,
     .max = 86400,
     .metavar = "SECONDS",
     .def = "30",
     .help = "work lost at most when the machine stops"},
    {.name = "json", .kind = OPT_FLAG, AT(json), .help = "print the result as one JSON object"},
    {0},
};

static int ends_with(const char *s, size_t n, const char *tail)
{
    size_t m = strlen(tail);
    return n > m && !strncasecmp(s + n - m, tail, m);
}

// Length of NAME without what the default OUT replaces: ".gz" and the like, then one extension.
static size_t stem(const char *name)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2", ".lz4"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends_with(name, n, packed[i])) {
            n -= strlen(packed[i]);
            break;
        }
    for (size_t i = n; i-- > 1;)
        if (name[i] == '.')
            return i;
    return n;
}

// The index's name for an input: "dir/book.txt.gz" gives "book.kvz", a directory "docs/"
// "docs.kvz".
static int default_out(char *buf, size_t cap, const char *input, struct err *e)
{
    if (!strcmp(input, "-"))
        return err_set(e, ERR_USAGE,
                       "standard input has no name to make one from; give --output OUT.kvz");
    struct stat st;
    int directory = !stat(input, &st) && S_ISDIR(st.st_mode);
    char path[PATH_MAX];
    // "." and ".." have a name too, elsewhere.
    if (!directory || !realpath(input, path))
        snprintf(path, sizeof path, "%s", input);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!*name)
        return err_set(e, ERR_USAGE, "%s has no name to make one from; give --output OUT.kvz",
                       input);
    int n = (int)(directory ? strlen(name) : stem(name));
    if (snprintf(buf, cap, "%.*s.kvz", n, name) >= (int)cap)
        return err_set(e, ERR_USAGE, "%s: the name is too long", input);
    return 0;
}

static const struct kv {
    const char *name;
    uint32_t codec, k_bits, v_bits;
} kvs[] = {
    {"exact", 2, 7, 7}, {"balanced", 0, 0, 0}, {"small", 4, 80, 125}}; // balanced: the engine knows

// A number of bits that a codec has; 0 when it is none. *P goes on after it.
static uint32_t parse_number(const char **p)
{
    char *end;
    if (**p < '0' || **p > '9')
        return 0;
    unsigned long n = strtoul(*p, &end, 10);
    *p = end;
    return (n >= 2 && n <= 8) || n == 16 ? (uint32_t)n : 0;
}

// Hundredths, from "2.5"; 0 when it is none or out of range.
static uint32_t parse_average(const char **p)
{
    char *end;
    if (**p < '0' || **p > '9')
        return 0;
    double x = strtod(*p, &end) * 100;
    *p = end;
    return x >= 10 && x <= 1200 ? (uint32_t)(x + 0.5) : 0;
}

// "3,2": keys, values; "8": both. With a point, "2.5,1.75", they are averages, and coded.
static int parse_bits(const char *s, struct kvz_recipe *r, struct err *e)
{
    const char *p = s;
    uint32_t (*parse)(const char **) = strchr(s, '.') ? parse_average : parse_number;
    uint32_t k = parse(&p), v = k;
    if (*p == ',') {
        p++;
        v = parse(&p);
    }
    if (*p || !k || !v || (parse == parse_number && (k == 16) != (v == 16)))
        return err_set(e, ERR_USAGE,
                       "--kv-bits: '%s' is not 16, nor 2 to 8, nor an average like 2.5 from 0.1 "
                       "to 12, for keys and, after a comma, for values",
                       s);
    r->codec = parse == parse_average ? 4 : k == 16 ? 0 : k == 8 && v == 8 ? 1 : 2;
    r->k_bits = k;
    r->v_bits = v;
    return 0;
}

// All zero when nothing was asked for: an index that grows keeps its own. A level without bits is
// the engine's choice.
static int recipe(const struct own *o, struct kvz_recipe *r, struct err *e)
{
    *r = (struct kvz_recipe){0};
    for (size_t i = 0; o->kv && i < sizeof kvs / sizeof *kvs; i++)
        if (!strcmp(o->kv, kvs[i].name))
            *r = (struct kvz_recipe){kvs[i].codec, kvs[i].k_bits, kvs[i].v_bits, .level = 1};
    if (o->kv_bits)
        r->level = 1;
    return o->kv_bits ? parse_bits(o->kv_bits, r, e) : 0;
}

// What could only fail after the model has been opened, or hours later.
static int check_directory(const char *out, struct err *e)
{
    char dir[PATH_MAX];
    const char *slash = strrchr(out, '/');
    int n = slash == out ? 1 : slash ? (int)(slash - out) : 0;
    if (snprintf(dir, sizeof dir, "%.*s", n ? n : 1, n ? out : ".") >= (int)sizeof dir)
        return err_set(e, ERR_USAGE, "%s: the path is too long", out);
    if (slash && !slash[1])
        return err_set(e, ERR_USAGE, "%s: names a directory, not a file", out);
    struct stat st;
    if (stat(dir, &st))
        return err_io(e, "%s: cannot write to %s", out, dir);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_IO, "%s: %s is not a directory", out, dir);
    if (access(dir, W_OK | X_OK))
        return err_io(e, "%s: cannot write to %s", out, dir);
    return 0;
}

static int check_out(const struct own *o, const char *out, const struct inputs *in, struct err *e)
{
    struct stat is, other;
    int exists = !stat(out, &is);
    if (!strcmp(out, "-"))
        return err_set(e, ERR_USAGE, "an index is no stream: it cannot go to standard output");
    if (o->append && !exists)
        return err_set(e, ERR_IO, "%s: no index to append to", out);
    if (exists && !S_ISREG(is.st_mode))
        return err_set(e, ERR_USAGE, "%s: not a file", out);
    for (size_t i = 0; i < in->n && exists; i++)
        if (!stat(in->v[i], &other) && other.st_dev == is.st_dev && other.st_ino == is.st_ino)
            return err_set(e, ERR_USAGE, "%s: is an input and the output", out);
    if (!exists || o->append || o->force)
        return check_directory(out, e);
    if (!kvz_part_exists(out))
        kvz_part_remove(out, NULL); // what is left of a run that was killed behind its last step
    return err_set(e, ERR_IO, "%s exists; --force replaces it, --append adds to it", out);
}

static void on_progress(void *arg, const struct encode_progress *p)
{
    (void)arg;
    ui_progress(&(struct ui_progress){.what = p->document ? p->document : "",
                                      .tokens = p->tokens,
                                      .done = p->source_done,
                                      .total = p->source_total,
                                      .seconds = p->seconds,
                                      .tokens_per_second = p->tokens_per_second});
}

static void print_json(const char *out, const struct encode_result *r)
{
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "out"), out);
    const struct {
        const char *key;
        uint64_t v;
    } counts[] = {{"documents", r->documents},
                  {"added_documents", r->added_documents},
                  {"tokens", r->tokens},
                  {"blocks", r->blocks},
                  {"bytes", r->file_bytes},
                  {"text_bytes", r->text_bytes},
                  {"resumed_tokens", r->resumed_tokens}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_uint(json_key(&j, counts[i].key), counts[i].v);
    json_num(json_key(&j, "seconds"), r->seconds);
    json_num(json_key(&j, "tokens_per_second"), r->tokens_per_second);
    json_end(&j);
    json_line(&j);
}

static void print_note(const char *out, const struct encode_result *r)
{
    char documents[UI_BUF], tokens[UI_BUF], bytes[UI_BUF], resumed[UI_BUF], time[UI_BUF],
        added[UI_BUF];
    const int has_grown = r->added_documents < r->documents;
    ui_note("%s: %s document%s%s%s%s, %s token%s, %s; %s, %.0f tokens/s%s%s%s", out,
            ui_count(documents, r->documents), ui_s(r->documents), has_grown ? ", " : "",
            has_grown ? ui_count(added, r->added_documents) : "", has_grown ? " of them new" : "",
            ui_count(tokens, r->tokens), ui_s(r->tokens), ui_bytes(bytes, r->file_bytes),
            ui_duration(time, r->seconds), r->tokens_per_second, r->resumed_tokens ? "; " : "",
            r->resumed_tokens ? ui_count(resumed, r->resumed_tokens) : "",
            r->resumed_tokens ? " tokens were there from an earlier run" : "");
}

// Sees to it that the model's retrieval heads are known where that can be. An index that grows has
// its method, and so has who names one that needs no profile.
static int find_heads(const struct common *c, struct session *s, const struct encode_options *eo,
                      int calibrate, struct err *e)
{
    const struct model_info *f = model_info(s->model);
    int rc = 0;
    if (eo->append || !method_needs_profile(eo->method))
        return 0;
    if (calibrate && !f->profile && !(rc = encode_check(eo, e))) // it may take long
        rc = calibrate_first(c, s, eo->stop, e);
    if (rc == ERR_INTERRUPTED)
        return err_set(e, ERR_IO, "stopped while calibrating; nothing was encoded");
    if (!rc && !f->profile_heads && !eo->method)
        ui_note("no retrieval heads of '%s' are known: all heads are asked alike", f->name);
    return rc;
}

static int encode_with(const struct common *c, int calibrate, struct encode_options *eo,
                       struct encode_result *r, struct err *e)
{
    struct session s;
    int rc = session_open(&s, c, NULL, 0, e);
    if (!rc)
        rc = find_heads(c, &s, eo, calibrate, e);
    if (!rc)
        rc = encode_documents(s.model, eo, r, e);
    ui_progress_end();
    session_close(&s);
    return rc;
}

static int take_inputs(const struct own *o, char *const *operands, int n_operands,
                       struct inputs *in, struct err *e)
{
    int rc = 0;
    for (int i = 0; i < n_operands && !rc; i++)
        rc = !strcmp(operands[i], "-") && o->files_from && !strcmp(o->files_from, "-")
                 ? err_set(e, ERR_USAGE,
                           "standard input is either a document or the list of --files-from")
                 : inputs_add(in, operands[i], e);
    return !rc && o->files_from ? inputs_read(in, o->files_from, o->null, e) : rc;
}

static int fail(const char *out, const struct encode_result *r, const struct err *e)
{
    if (e->code == ERR_INTERRUPTED) {
        ui_error("%s: stopped; run the same command again to go on from here", out);
        return EXIT_FAILED;
    }
    int rc = ui_fail(e);
    // What else fails, such as an input that is damaged, fails there again.
    if (r->kept && (e->code == ERR_IO || e->code == ERR_NOMEM || e->code == ERR_DEVICE))
        ui_note("%s: what was read is kept; the same command goes on from there", out);
    return rc;
}

// The last N_LISTED of them come from a list.
static int encode_inputs(const struct common *c, const struct own *o, const struct inputs *in,
                         int n_listed)
{
    struct err e;
    char buf[PATH_MAX];
    struct encode_options eo = {.inputs = (const char *const *)in->v,
                                .n_inputs = (int)in->n,
                                .n_listed = n_listed,
                                .format = o->format,
                                .charset = o->charset,
                                .stdin_name = o->stdin_name,
                                .out = o->out,
                                .force = o->force,
                                .append = o->append,
                                .window = o->window,
                                .window_kind = o->window_kind,
                                .sinks = o->sinks,
                                .block = o->block,
                                .chunk = o->chunk,
                                .topk = o->topk ? o->topk < 0 ? 0 : o->topk : -1,
                                .positions = o->positions,
                                .method = o->method,
                                .represent = o->represent,
                                .representatives = o->representatives,
                                .voters = o->voters,
                                .needed_heads = !strcmp(o->far_heads, "needed"),
                                .template_name = o->raw ? "raw" : o->template_name,
                                .checkpoint_seconds = o->checkpoint,
                                .progress = on_progress,
                                .note = ui_note_cb};
    if (recipe(o, &eo.recipe, &e))
        return ui_usage("%s", e.msg);
    if (!eo.out) {
        if (default_out(buf, sizeof buf, in->v[0], &e))
            return ui_fail(&e);
        eo.out = buf;
    }
    if (check_out(o, eo.out, in, &e))
        return ui_fail(&e);
    eo.stop = ui_catch_stop(1);
    struct encode_result r = {0};
    if (encode_with(c, o->calibrate, &eo, &r, &e))
        return fail(eo.out, &r, &e);
    print_note(eo.out, &r);
    if (o->json)
        print_json(eo.out, &r);
    return EXIT_OK;
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    const struct own *o = own;
    struct inputs in = {0};
    struct err e;
    if (!n_operands && !o->files_from)
        return ui_usage(
            "nothing to encode; give a file, a directory, an archive, or - for standard input");
    if (o->append && o->force)
        return ui_usage("--append and --force exclude each other");
    if (o->null && !o->files_from)
        return ui_usage("--null is about the names that --files-from reads");
    int rc = take_inputs(o, operands, n_operands, &in, &e)
                 ? ui_fail(&e)
                 : encode_inputs(c, o, &in, (int)in.n - n_operands);
    inputs_done(&in);
    return rc;
}

const struct command command_encode = {
    .name = "encode",
    .usage = "[options] INPUT...\n"
             "[options] --files-from FILE",
    .summary = "read documents with the model and write their index",
    .options = options,
    .own_bytes = sizeof(struct own),
    .run = run,
};
