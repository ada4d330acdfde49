#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/passage.h"
#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/json.h"

struct own {
    const char *from, *quote;
    int words, sections, budget, draft, json;
};

#define AT(field) .at = offsetof(struct own, field)

static const struct opt options[] = {
    {.name = "words",
     .kind = OPT_INT,
     AT(words),
     .min = 10,
     .max = 100000,
     .metavar = "N",
     .unset = "200, or 60 a section",
     .help = "about how many words"},
    {.name = "sections",
     .kind = OPT_FLAG,
     AT(sections),
     .help = "a paragraph for each part of the document, then one of all of them"},
    {.name = "from",
     .kind = OPT_CHOICE,
     AT(from),
     .choices = "state|blocks",
     .def = "blocks",
     .help = "what is read: the summary state, or the blocks that received most attention"},
    {.name = "quote",
     .kind = OPT_CHOICE,
     AT(quote),
     .choices = "never|strays|always",
     .unset = "always, if the model's profile says that it is to be quoted for, else never",
     .help = "when sentences of the document are quoted: never, from where the model has words "
             "that it has not read, or "
             "always, which takes no model's time"},
    {.name = "budget",
     .kind = OPT_INT,
     AT(budget),
     .min = 1,
     .max = 1 << 24,
     .metavar = "TOKENS",
     .def = "512",
     .help = "tokens of document read for each section"},
    {.name = "draft",
     .kind = OPT_INT,
     AT(draft),
     .min = 0,
     .max = DRAFT_MOST,
     .metavar = "N",
     .def = "7",
     .help = "guess N tokens ahead from what was read, which changes the speed and nothing else; "
             "0: none"},
    {.name = "json", .kind = OPT_FLAG, AT(json), .help = "print one JSON object"},
    {0},
};

struct printing {
    const struct session *s;
    int sections;
    int printed;
    int in_line; // statements stand on the current line of the output
};

// Prints a sentence and the number of the passage that it rests on; a quoted one on a line of its
// own, after its heading if that differs from the last one's.
static void on_statement(void *arg, const struct summary_text *t, int i)
{
    const struct summary_statement *v = &t->statements[i];
    struct printing *p = arg;
    p->in_line = 1;
    const char *before = i ? t->statements[i - 1].heading : NULL;
    fputs(!i ? "" : v->quoted ? "\n" : " ", stdout);
    if (v->heading && (!before || strcmp(before, v->heading))) {
        ui_text(stdout, v->heading, strlen(v->heading));
        fputs(": ", stdout);
    }
    if (v->times)
        printf("%" PRId64 " x ", v->times);
    ui_text(stdout, t->text + v->start, v->end - v->start);
    if (v->evidence >= 0)
        printf(" [%d]", v->evidence + 1);
    ui_stdout_ok();
}

static void print_passages(struct printing *p, const struct summary_text *t)
{
    p->in_line = 0;
    fputs(t->n_evidence ? "\n\n" : t->n_statements ? "\n" : "", stdout);
    passage_print(stdout, t->evidence, t->n_evidence, p->s->indexes, 1);
    ui_stdout_ok();
}

static void print_text(struct printing *p, const struct summary_text *t)
{
    for (int i = 0; i < t->n_statements; i++)
        on_statement(p, t, i);
    print_passages(p, t);
}

// Without --sections the text has been printed as it was written; with it, a heading comes first.
static void on_section(void *arg, const struct summary_section *s)
{
    struct printing *p = arg;
    if (!p->sections) {
        print_passages(p, &s->said);
        return;
    }
    printf("%s", p->printed++ ? "\n" : "");
    passage_words(stdout, s->document, strlen(s->document), 1000);
    printf(":%" PRIu64 "-%" PRIu64 "\n", s->start, s->end);
    print_text(p, &s->said);
}

static void json_statements(struct json *j, const struct session *of, const struct summary_text *s,
                            int is_whole)
{
    json_array(json_key(j, "statements"));
    for (int i = 0; i < s->n_statements; i++) {
        const struct summary_statement *t = &s->statements[i];
        json_object(j);
        json_str(json_key(j, "text"), s->text + t->start, t->end - t->start);
        json_bool(json_key(j, "quoted"), t->quoted);
        if (t->heading)
            json_cstr(json_key(j, "heading"), t->heading);
        if (t->times)
            json_int(json_key(j, "times"), t->times);
        if (is_whole) {
            json_int(json_key(j, "section"), t->section);
        }
        json_key(j, "evidence");
        passage_json(j, s->evidence + (t->evidence < 0 ? 0 : t->evidence), t->evidence >= 0,
                     of->indexes, 1);
        json_end(j);
    }
    json_end(j);
}

static void json_section(struct json *j, const struct session *s, const struct summary_section *sec)
{
    json_object(j);
    json_cstr(json_key(j, "document"), sec->document);
    json_uint(json_key(j, "start"), sec->start);
    json_uint(json_key(j, "end"), sec->end);
    json_cstr(json_key(j, "text"), sec->said.text);
    json_statements(j, s, &sec->said, 0);
    json_key(j, "evidence");
    passage_json(j, sec->said.evidence, sec->said.n_evidence, s->indexes, 1);
    json_end(j);
}

// What was read, how long it took, and with which index and model.
static void json_account(struct json *j, const struct session *s, const struct summary *sum)
{
    json_cstr(json_key(j, "from"), sum->from);
    json_object(json_key(j, "tokens"));
    json_uint(json_key(j, "read"), sum->read_tokens);
    json_uint(json_key(j, "document"), kvz_n_tokens(s->indexes[0]));
    json_end(j);
    json_object(json_key(j, "seconds"));
    json_num(json_key(j, "open"), s->open_seconds);
    json_num(json_key(j, "total"), sum->seconds);
    json_end(j);
    json_cstr(json_key(j, "index"), kvz_path(s->indexes[0]));
    json_cstr(json_key(j, "model"), kvz_meta(s->indexes[0])->model);
}

static void print_json(const struct session *s, const struct summary *sum)
{
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_array(json_key(&j, "sections"));
    for (int i = 0; i < sum->n_sections; i++)
        json_section(&j, s, &sum->sections[i]);
    json_end(&j);
    if (sum->whole.text) {
        json_object(json_key(&j, "summary"));
        json_cstr(json_key(&j, "text"), sum->whole.text);
        json_statements(&j, s, &sum->whole, 1);
        json_end(&j);
    }
    json_account(&j, s, sum);
    json_end(&j);
    json_line(&j);
}

static int says_something(const struct summary *sum)
{
    for (int i = 0; i < sum->n_sections; i++)
        if (sum->sections[i].said.n_statements)
            return 1;
    return 0;
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    const struct own *o = own;
    struct session s;
    struct printing p = {.s = &s, .sections = o->sections};
    struct summary sum = {0};
    struct err e;
    if (n_operands != 1)
        return ui_usage("give one index");
    struct summarize_options so = {.words = o->words,
                                   .sections = o->sections,
                                   .budget = o->budget,
                                   .draft = o->draft,
                                   .from = o->from,
                                   .quote = o->quote,
                                   .stop = ui_catch_stop(0)};
    if (!o->json) {
        so.statement = on_statement;
        so.section = on_section;
        so.arg = &p;
    }
    int rc = session_open(&s, c, operands, n_operands, &e);
    if (!rc)
        rc = summarize(s.model, s.indexes[0], &so, &sum, &e);
    if (!rc && sum.whole.text && !o->json) {
        puts("\nall");
        print_text(&p, &sum.whole);
    }
    if (p.in_line) // of a text that an error has cut off
        putchar('\n');
    if (rc)
        rc = ui_fail(&e);
    else if (o->json)
        print_json(&s, &sum);
    if (!rc && *so.stop) {
        ui_note("interrupted");
        rc = EXIT_FAILED;
    } else if (!rc && !says_something(&sum)) {
        ui_note("%s: has no sentence for a summary", kvz_path(s.indexes[0]));
    }
    summary_done(&sum);
    session_close(&s);
    return rc;
}

const struct command command_summarize = {
    .name = "summarize",
    .usage = "[options] INDEX.kvz",
    .summary = "write a summary with citations, from an index alone",
    .options = options,
    .own_bytes = sizeof(struct own),
    .run = run,
};
