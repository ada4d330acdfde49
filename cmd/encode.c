#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmd/calibrate.h"
#include "cmd/command.h"
#include "cmd/inputs.h"
#include "cmd/output.h"
#include "cmd/recipe.h"
#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/file.h"
#include "io/json.h"

struct own {
    const char *out, *format, *charset, *stdin_name, *positions, *method, *represent, *voters,
        *window_kind, *kv, *kv_bits, *far_heads, *template_name;
    struct opt_list files_from;
    int force, append, null, calibrate, raw, json;
    int window, sinks, block, chunk, topk, representatives;
    double checkpoint;
};

#define AT(field)    .at = offsetof(struct own, field)
#define DIGITS(n)    DIGITS_OF(n)
#define DIGITS_OF(n) #n

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
     .help = "replace an index that exists, and begin an interrupted one again; with --append "
             "only the latter"},
    {.name = "append",
     .kind = OPT_FLAG,
     AT(append),
     .not_config = 1,
     .help = "add the inputs to an index that exists, without reading its documents again"},
    {.name = "files-from",
     .kind = OPT_LIST,
     AT(files_from),
     .metavar = "FILE",
     .not_config = 1,
     .help = "read the names of more inputs from FILE, one a line, - for standard input; may be "
             "given several times"},
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
     .unset = DIGITS(ENCODE_WINDOW) ", of a large model " DIGITS(ENCODE_WINDOW_WIDE),
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
     .unset = DIGITS(ENCODE_SINKS),
     .help = "first tokens, always in sight"},
    {.name = "block",
     .kind = OPT_INT,
     AT(block),
     .min = 8,
     .max = ENCODE_BLOCK_MAX,
     .metavar = "TOKENS",
     .unset = DIGITS(ENCODE_BLOCK),
     .help = "tokens stored and retrieved together",
     .also = "block_size"},
    {.name = "chunk",
     .kind = OPT_INT,
     AT(chunk),
     .min = 1,
     .max = 1 << 16,
     .metavar = "TOKENS",
     .unset = DIGITS(ENCODE_CHUNK),
     .help = "tokens computed together, a multiple of --block"},
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
     .kind = OPT_CHOICE,
     AT(method),
     .choices = METHOD_NAMES,
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
     .help = "whose keys stand for a block: the retrieval heads', or every head's"},
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
         "where it is not known which layers need most, small 0.75"},
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
     .kind = OPT_CHOICE,
     AT(template_name),
     .choices = TEMPLATE_NAMES,
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

// Calibrates for the model's retrieval heads if they are not known but wanted: not for an index
// that grows, which has its method, nor for a method that needs no profile.
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
        ui_note("no retrieval heads of %s are known: all heads are asked alike",
                file_name(f->path));
    return rc;
}

static int encode_with(const struct common *c, int calibrate, struct encode_options *eo,
                       struct encode_result *r, struct err *e)
{
    struct session s;
    int rc = session_open(&s, c, NULL, 0, e);
    if (!rc && !(rc = session_embed(&s, c, eo->append ? eo->out : NULL, e)))
        eo->embedder = s.embedder;
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
    const struct opt_list *lists = &o->files_from;
    int rc = 0, from_stdin = 0;
    for (size_t i = 0; i < lists->n; i++)
        from_stdin += !strcmp(lists->v[i], "-");
    for (int i = 0; i < n_operands && !rc; i++)
        rc = !strcmp(operands[i], "-") && from_stdin
                 ? err_set(e, ERR_USAGE,
                           "standard input is either a document or the list of --files-from")
                 : inputs_add(in, operands[i], e);
    for (size_t i = 0; i < lists->n && !rc; i++)
        rc = inputs_read(in, lists->v[i], o->null, e);
    return rc;
}

static int fail(const char *out, int force, const struct encode_result *r, const struct err *e)
{
    const char *without = force ? " without --force" : "";
    if (e->code == ERR_INTERRUPTED) {
        ui_error("%s: stopped; run the same command again%s to go on from here", out, without);
        return EXIT_FAILED;
    }
    int rc = ui_fail(e);
    // What else fails, such as an input that is damaged, fails there again.
    if (r->kept && (e->code == ERR_IO || e->code == ERR_NOMEM || e->code == ERR_DEVICE))
        ui_note("%s: what was read is kept; the same command%s goes on from there", out, without);
    return rc;
}

// N_LISTED: the last so many inputs come from a list.
static int encode_inputs(const struct common *c, const struct own *o, const struct inputs *in,
                         int n_listed)
{
    struct err e;
    char buf[PATH_MAX], place[PATH_MAX];
    struct encode_options eo = {.inputs = (const char *const *)in->v,
                                .n_inputs = (int)in->n,
                                .n_listed = n_listed,
                                .format = o->format,
                                .charset = o->charset,
                                .stdin_name = o->stdin_name,
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
    if (recipe_parse(o->kv, o->kv_bits, &eo.recipe, &e))
        return ui_usage("%s", e.msg);
    if (!o->out && output_name(buf, sizeof buf, in->v[0], &e))
        return ui_fail(&e);
    const char *out = o->out ? o->out : buf;
    eo.out = output_place(out, place);
    enum output_use use = o->append ? OUTPUT_APPEND : o->force ? OUTPUT_FORCE : OUTPUT_NEW;
    const struct output_read reads[] = {{"the model", c->model},
                                        {"the profile", c->profile},
                                        {"the configuration file", c->config}};
    if (output_apart(eo.out, reads, sizeof reads / sizeof *reads, &e))
        return ui_fail(&e);
    for (size_t i = 0; i < o->files_from.n; i++)
        if (output_apart(eo.out, &(struct output_read){"the list of inputs", o->files_from.v[i]}, 1,
                         &e))
            return ui_fail(&e);
    if (output_check(eo.out, use, in, &e))
        return ui_fail(&e);
    eo.stop = ui_catch_stop(1);
    struct encode_result r = {0};
    if (encode_with(c, o->calibrate, &eo, &r, &e))
        return fail(out, o->force, &r, &e);
    print_note(out, &r);
    if (o->json)
        print_json(out, &r);
    return EXIT_OK;
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    const struct own *o = own;
    struct inputs in = {0};
    struct err e;
    if (!n_operands && !o->files_from.n)
        return ui_usage(
            "nothing to encode; give a file, a directory, an archive, or - for standard input");
    if (o->null && !o->files_from.n)
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
