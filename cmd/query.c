#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/answer_json.h"
#include "cmd/command.h"
#include "cmd/passage.h"
#include "cmd/questions.h"
#include "cmd/session.h"
#include "cmd/ui.h"

struct own {
    struct opt_list questions;
    const char *questions_file, *positions, *method, *select, *probe, *reduce, *voters, *scope,
        *allot, *traverse, *share, *read, *lead, *answer_prefix, *template_name;
    int max_tokens, draft, sentences, evidence, budget, blocks, token_step, preselect, window, hops,
        likelihood, rerank, dense, layer_step, echo, art_patience, survey, raw, json;
    double art_scale, art_dir, copy, quote, min_score, temp, top_p;
    uint64_t seed;
};

#define AT(field) .at = offsetof(struct own, field)

static const struct opt options[] = {
    {.name = "question",
     .letter = 'q',
     .kind = OPT_LIST,
     AT(questions),
     .metavar = "QUESTION",
     .help = "a question; may be given several times. Then every operand is an index",
     .not_config = 1},
    {.name = "questions",
     .kind = OPT_STR,
     AT(questions_file),
     .metavar = "FILE",
     .help = "questions from FILE, one a line, - for standard input",
     .not_config = 1},
    {.name = "max-tokens",
     .letter = 'n',
     .kind = OPT_INT,
     AT(max_tokens),
     .min = 1,
     .max = 1 << 20,
     .metavar = "N",
     .def = "256",
     .help = "end the answer after N tokens"},
    {.name = "sentences",
     .kind = OPT_INT,
     AT(sentences),
     .min = -1,
     .max = 1 << 20,
     .metavar = "N",
     .def = "-1",
     .help = "end the answer after N sentences; 0: no limit, -1: as the model's profile says"},
    {.name = "evidence",
     .kind = OPT_INT,
     AT(evidence),
     .min = 0,
     .max = 1000,
     .metavar = "N",
     .def = "4",
     .help = "print at most N passages; 0: none"},
    {.name = "budget",
     .kind = OPT_INT,
     AT(budget),
     .min = 1,
     .max = 1 << 24,
     .metavar = "TOKENS",
     .def = "512",
     .help = "tokens of document read at most, beside sinks and window"},
    {.name = "blocks",
     .kind = OPT_INT,
     AT(blocks),
     .min = 1,
     .max = 1 << 18,
     .metavar = "N",
     .unset = "as --budget says",
     .help = "blocks read at most, instead of --budget",
     .also = "second_block_count"},
    {.name = "window",
     .kind = OPT_INT,
     AT(window),
     .min = 0,
     .max = 1 << 20,
     .metavar = "TOKENS",
     .def = "128",
     .help = "last tokens of the document in sight while reading; 0: none",
     .also = "local_windows_len"},
    {.name = "method",
     .kind = OPT_CHOICE,
     AT(method),
     .choices = "votes|ltri|infllm|actqkv|quest|kt|snapkv|streaming|cascade|full",
     .unset = "the index's",
     .help = "how blocks are chosen; the options from --select to --dense change parts of it"},
    {.name = "select",
     .kind = OPT_CHOICE,
     AT(select),
     .choices = "vote|similarity|exact|bm25|hybrid|none",
     .unset = "the method's",
     .help = "who chooses the blocks: attention heads, words, or both"},
    {.name = "probe",
     .kind = OPT_CHOICE,
     AT(probe),
     .choices = "tokens|mean|bias",
     .unset = "the method's",
     .help = "what stands for the question"},
    {.name = "reduce",
     .kind = OPT_CHOICE,
     AT(reduce),
     .choices = "lse|max|sum|cosine|pool",
     .unset = "the method's",
     .help = "how similarities become one score of a block"},
    {.name = "echo",
     .kind = OPT_INT,
     AT(echo),
     .min = -1,
     .max = 16,
     .metavar = "N",
     .def = "-1",
     .help = "say the question N times before the saying that probes; -1: as the method says"},
    {.name = "voters",
     .kind = OPT_CHOICE,
     AT(voters),
     .choices = "profile|all",
     .unset = "the method's",
     .help = "which heads vote: the model's retrieval heads, or every one"},
    {.name = "scope",
     .kind = OPT_CHOICE,
     AT(scope),
     .choices = "question|layer",
     .unset = "the method's",
     .help = "one choice of blocks for all layers, or each layer its own"},
    {.name = "allot",
     .kind = OPT_CHOICE,
     AT(allot),
     .choices = "sharp|fixed|entropy|all",
     .unset = "the method's",
     .help = "how much of the budget is spent: as the votes are sharp, all of it, undecided layers "
             "more, or no limit"},
    {.name = "dense",
     .kind = OPT_INT,
     AT(dense),
     .min = -1,
     .max = 1 << 10,
     .metavar = "N",
     .def = "-1",
     .help = "the first N layers read every block; -1: as the method says",
     .also = "dense_layer_num"},
    {.name = "layer-step",
     .kind = OPT_INT,
     AT(layer_step),
     .min = 1,
     .max = 1 << 10,
     .metavar = "N",
     .unset = "the method's",
     .help = "with --scope layer every N-th layer chooses, and those that follow it read the same",
     .also = "layer_step"},
    {.name = "token-step",
     .kind = OPT_INT,
     AT(token_step),
     .min = -1,
     .max = 1 << 20,
     .metavar = "N",
     .def = "-1",
     .help = "with --scope layer every N-th token of the answer chooses anew; 0: none; -1: as the "
             "method says",
     .also = "token_step"},
    {.name = "head-select-mode",
     .kind = OPT_CHOICE,
     AT(share),
     .choices = "shared|separate",
     .unset = "the method's",
     .help = "with --scope layer one choice for all kv heads of a layer, or each its own",
     .also = "head_select_mode"},
    {.name = "preselect",
     .kind = OPT_INT,
     AT(preselect),
     .min = -1,
     .max = 1 << 24,
     .metavar = "N",
     .def = "-1",
     .help = "choose from the N blocks where the question's attention falls, over all keys; 0: "
             "from all; -1: as the "
             "method says",
     .also = "preselect_block_count"},
    {.name = "traverse",
     .kind = OPT_CHOICE,
     AT(traverse),
     .choices = "document|importance|recency",
     .unset = "the method's",
     .help = "order in which the chosen blocks are read"},
    {.name = "art-scale",
     .kind = OPT_NUM,
     AT(art_scale),
     .min = 0,
     .max = 100,
     .metavar = "EPS",
     .def = "0",
     .help = "leave blocks unread once one changes the output's size by less than this share; 0: "
             "never"},
    {.name = "art-dir",
     .kind = OPT_NUM,
     AT(art_dir),
     .min = 0,
     .max = 2,
     .metavar = "EPS",
     .unset = "0.001",
     .help = "with --art-scale: and its direction by less, as one minus the cosine"},
    {.name = "art-patience",
     .kind = OPT_INT,
     AT(art_patience),
     .min = 1,
     .max = 1 << 20,
     .metavar = "N",
     .unset = "8",
     .help = "with --art-scale: that many blocks in a row"},
    {.name = "hops",
     .kind = OPT_INT,
     AT(hops),
     .min = 1,
     .max = 16,
     .metavar = "N",
     .help = "places that lead from one to the next: the question is asked again after the best "
             "sentence"},
    {.name = "likelihood",
     .kind = OPT_INT,
     AT(likelihood),
     .min = 1,
     .max = 1 << 10,
     .metavar = "N",
     .unset = "the method's",
     .help = "where the votes are flat, the best N blocks are ranked by how likely their sentences "
             "make the question; "
             "1: none"},
    {.name = "rerank",
     .kind = OPT_INT,
     AT(rerank),
     .min = 1,
     .max = 1 << 24,
     .metavar = "N",
     .unset = "the method's",
     .help = "the best N blocks are voted on again with the keys of all their tokens; 1: none"},
    {.name = "read",
     .kind = OPT_CHOICE,
     AT(read),
     .choices = "cached|fresh|both|sentences",
     .unset = "as the model's profile says, else cached",
     .help = "stored keys and values of the chosen blocks, their text read again, both, or the "
             "sentences "
             "that the votes fall on"},
    {.name = "positions",
     .kind = OPT_CHOICE,
     AT(positions),
     .choices = "window|original|contiguous",
     .unset = "as the index was encoded",
     .help = "distance at which the chosen blocks are seen"},
    {.name = "lead",
     .kind = OPT_STR,
     AT(lead),
     .metavar = "TEXT",
     .unset = "'According to the text above: ' in a chat template",
     .help = "said before the question where it is read"},
    {.name = "answer-prefix",
     .kind = OPT_STR,
     AT(answer_prefix),
     .metavar = "TEXT",
     .help = "first words of the answer, given to the model"},
    {.name = "copy",
     .kind = OPT_NUM,
     AT(copy),
     .min = -1,
     .max = 10,
     .metavar = "A",
     .def = "-1",
     .help = "add A to the log probability of what goes on with the text that was read word by "
             "word; 0: nothing, "
             "-1: as the model's profile says"},
    {.name = "quote",
     .kind = OPT_NUM,
     AT(quote),
     .min = -1,
     .max = 10,
     .metavar = "D",
     .def = "-1",
     .help = "say the sentence that was read instead of an answer whose tokens the model doubts by "
             "more than D on "
             "average; 0: never, -1: as the model's profile says"},
    {.name = "draft",
     .kind = OPT_INT,
     AT(draft),
     .min = 0,
     .max = DRAFT_MOST,
     .metavar = "N",
     .def = "7",
     .help = "guess N tokens ahead from what was read, which changes the speed and nothing else; "
             "0: none"},
    {.name = "survey",
     .kind = OPT_FLAG,
     AT(survey),
     .def = "yes",
     .help = "look through all of the text where the question asks how often something is said, "
             "which words are the most "
             "common or what names lead to; --no-survey asks the model"},
    {.name = "min-score",
     .kind = OPT_NUM,
     AT(min_score),
     .min = -1,
     .max = 1e6,
     .metavar = "S",
     .def = "-1",
     .help = "say that nothing answers the question where that is less sure than S, 0 to 1; 0: "
             "answer always, -1: as the model's profile says"},
    {.name = "temp",
     .kind = OPT_NUM,
     AT(temp),
     .min = 0,
     .max = 10,
     .metavar = "T",
     .def = "0",
     .help = "temperature of the choice of words; 0: always the likeliest"},
    {.name = "top-p",
     .kind = OPT_NUM,
     AT(top_p),
     .min = 0.001,
     .max = 1,
     .metavar = "P",
     .def = "1",
     .help = "choose among the likeliest words that make up this share"},
    {.name = "seed",
     .kind = OPT_U64,
     AT(seed),
     .metavar = "N",
     .def = "0",
     .help = "of the random choice of words"},
    {.name = "template",
     .kind = OPT_STR,
     AT(template_name),
     .metavar = "NAME",
     .unset = "the index's",
     .help = "chat template around document and question"},
    {.name = "raw",
     .kind = OPT_FLAG,
     AT(raw),
     .help = "no chat template, whatever --template says"},
    {.name = "json", .kind = OPT_FLAG, AT(json), .help = "print one JSON object for each question"},
    {0},
};

struct asking {
    const struct own *o;
    struct session s;
    struct ask_options ask;
    int several; // questions are announced by "> question"
    int asked;
    int failed;
    int misused;   // the options do not go together: no question can be asked with them
    int ends_line; // nothing stands on the current line of the output
};

static enum read_mode read_mode(const char *name)
{
    static const char *const NAMES[] = {[READ_CACHED] = "cached",
                                        [READ_FRESH] = "fresh",
                                        [READ_BOTH] = "both",
                                        [READ_SENTENCES] = "sentences"};
    for (int i = READ_CACHED; name && i < N_READ_MODES; i++)
        if (!strcmp(name, NAMES[i]))
            return (enum read_mode)i;
    return READ_DEFAULT;
}

static void on_text(void *arg, const char *s, size_t n)
{
    struct asking *q = arg;
    if (!n)
        return;
    ui_text(stdout, s, n);
    ui_stdout_ok();
    q->ends_line = s[n - 1] == '\n';
}

// "nothing in book.kvz answers this"
static void print_nothing(const struct session *s)
{
    fputs("nothing in ", stdout);
    for (int i = 0; i < s->n_indexes; i++)
        printf("%s%s", i ? (i + 1 < s->n_indexes ? ", " : " or ") : "", kvz_path(s->indexes[i]));
    fputs(" answers this\n", stdout);
}

// What else there is to say, not in the results, of an answer that may be none.
static void note_unsure(const struct answer *a, const struct own *o)
{
    if (answer_is_none(a) && o->min_score < 0)
        ui_note("--min-score 0 answers from the closest place");
    else if (a->unsure && !answer_is_none(a) && a->n_evidence)
        ui_note("the document may not answer this (score %.2f); the closest place is %s:%llu-%llu",
                a->score, a->evidence[0].document, (unsigned long long)a->evidence[0].focus_start,
                (unsigned long long)a->evidence[0].focus_end);
    else if (a->unsure && !answer_is_none(a))
        ui_note("the document may not answer this (score %.2f)", a->score);
}

// Asks one question and prints what came; called for each in turn. Non-zero: ask no more.
static int on_question(void *arg, const char *question)
{
    struct asking *q = arg;
    struct answer a = {0};
    struct err e;
    if (!q->o->json && q->several) {
        fputs(q->asked ? "\n> " : "> ", stdout);
        ui_text(stdout, question, strlen(question));
        putchar('\n');
    }
    q->asked++;
    q->ends_line = 1;
    q->ask.question = question;
    if (ask(q->s.model, q->s.indexes, q->s.n_indexes, &q->ask, &a, &e)) {
        if (!q->o->json && !q->ends_line)
            putchar('\n');
        q->misused = ui_fail(&e) == EXIT_USAGE;
        if (q->o->json && !q->misused)
            answer_json_error(question, e.msg);
        q->failed = 1;
    } else if (q->o->json) {
        answer_json(question, &a, &q->s, q->o->art_scale > 0);
    } else if (answer_is_none(&a)) {
        print_nothing(&q->s);
        note_unsure(&a, q->o);
    } else {
        if (!q->ends_line || !a.text_bytes)
            putchar('\n');
        fflush(stdout);
        note_unsure(&a, q->o);
        if (a.n_evidence)
            putchar('\n');
        passage_print(stdout, a.evidence, a.n_evidence, q->s.indexes, q->s.n_indexes);
    }
    if (a.finish && !strcmp(a.finish, "interrupted")) {
        ui_note("interrupted");
        q->failed = 1;
    }
    answer_done(&a);
    return !ui_stdout_ok() || *q->ask.stop || q->misused;
}

static int ask_all(struct asking *q, const char *last, struct err *e)
{
    const struct own *o = q->o;
    if (last && on_question(q, last))
        return 0;
    for (size_t i = 0; i < o->questions.n; i++)
        if (on_question(q, o->questions.v[i]))
            return 0;
    return o->questions_file ? questions_each(o->questions_file, q->ask.stop, on_question, q, e)
                             : 0;
}

static int is_blank(const char *s)
{
    return !s[strspn(s, " \t\r\n\v\f")];
}

static int names_index(const char *s)
{
    size_t n = strlen(s);
    return n > 4 && !strcmp(s + n - 4, ".kvz");
}

// Of what is no file: its name without .kvz, or a question in words.
static int no_such_index(const char *name)
{
    char index[PATH_MAX];
    if (snprintf(index, sizeof index, "%s.kvz", name) < (int)sizeof index && !access(index, F_OK))
        return ui_usage("%s: no such index; did you mean '%s'?", name, index);
    return ui_usage("%s: no such index; a question of several words stands in quotes", name);
}

// Operands whose last one is the question: a question that was forgotten, or not put in quotes,
// must not be answered as something else.
static int check_operands(char *const *operands, int n)
{
    const char *question = operands[n - 1];
    if (is_blank(question))
        return ui_usage("the question is empty");
    if (names_index(question) || !access(question, F_OK))
        return ui_usage(
            "%s names a file, and the question comes last; --question asks whatever it is given",
            question);
    for (int i = 0; i < n - 1; i++)
        if (!names_index(operands[i]) && access(operands[i], F_OK))
            return no_such_index(operands[i]);
    return EXIT_OK;
}

// Whether what --question gives can be asked, and the operand that is a question without it.
static int check_questions(const struct own *o, char *const *operands, int n)
{
    int from_operand = !o->questions.n && !o->questions_file;
    if (n - from_operand < 1)
        return ui_usage("give %s", from_operand ? "an index and then a question" : "an index");
    for (size_t i = 0; i < o->questions.n; i++)
        if (is_blank(o->questions.v[i]))
            return ui_usage("--question: the question is empty");
    return from_operand ? check_operands(operands, n) : EXIT_OK;
}

// A number of struct ask_options, where none is -1 and the default 0; here they are 0 and below.
static int engine_number(int n)
{
    return n < 0 ? 0 : n ? n : -1;
}

static float engine_real(double x)
{
    return (float)(x < 0 ? 0 : x > 0 ? x : -1);
}

static struct ask_options ask_options_of(const struct own *o)
{
    return (struct ask_options){.max_tokens = o->max_tokens,
                                .draft = o->draft,
                                .sentences = engine_number(o->sentences),
                                .n_evidence = engine_number(o->evidence),
                                .budget = o->budget,
                                .blocks = o->blocks,
                                .window = engine_number(o->window),
                                .positions = o->positions,
                                .select = o->select,
                                .probe = o->probe,
                                .reduce = o->reduce,
                                .hops = o->hops,
                                .likelihood = o->likelihood,
                                .rerank = o->rerank,
                                .read = read_mode(o->read),
                                .method = o->method,
                                .voters = o->voters,
                                .scope = o->scope,
                                .allot = o->allot,
                                .traverse = o->traverse,
                                .art_scale = o->art_scale,
                                .art_dir = o->art_dir,
                                .art_patience = o->art_patience,
                                .dense = engine_number(o->dense),
                                .layer_step = o->layer_step,
                                .token_step = engine_number(o->token_step),
                                .preselect = engine_number(o->preselect),
                                .share = o->share,
                                .echo = engine_number(o->echo),
                                .survey = engine_number(o->survey),
                                .quote = engine_real(o->quote),
                                .copy = engine_real(o->copy),
                                .temp = (float)o->temp,
                                .top_p = (float)o->top_p,
                                .min_score = o->min_score < 0   ? 0
                                             : o->min_score > 0 ? o->min_score
                                                                : -1,
                                .seed = o->seed,
                                .lead = o->lead,
                                .answer_prefix = o->answer_prefix,
                                .template_name = o->raw ? "raw" : o->template_name,
                                .note = ui_note_cb};
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    const struct own *o = own;
    struct err e;
    int from_operand = !o->questions.n && !o->questions_file;
    int rc = check_questions(o, operands, n_operands), n_indexes = n_operands - from_operand;
    if (rc)
        return rc;
    struct asking q = {
        .o = o, .several = o->questions.n > 1 || o->questions_file, .ask = ask_options_of(o)};
    q.ask.stop = ui_catch_stop(0);
    if (!o->json) {
        q.ask.text = on_text;
        q.ask.arg = &q;
    }
    rc = session_open(&q.s, c, operands, n_indexes, &e);
    if (!rc)
        rc = ask_all(&q, from_operand ? operands[n_operands - 1] : NULL, &e);
    if (rc)
        rc = ui_fail(&e);
    else if (q.misused)
        rc = EXIT_USAGE;
    else if (!q.asked && !*q.ask.stop)
        rc = ui_usage("%s: no questions", o->questions_file);
    else
        rc = q.failed || q.s.n_failed || *q.ask.stop ? EXIT_FAILED : EXIT_OK;
    session_close(&q.s);
    return rc;
}

const struct command command_query = {
    .name = "query",
    .usage = "[options] INDEX.kvz... QUESTION\n"
             "[options] INDEX.kvz... -q QUESTION [-q QUESTION]...\n"
             "[options] INDEX.kvz... --questions FILE",
    .summary = "answer questions from indexes, with the passages they rest on",
    .options = options,
    .own_bytes = sizeof(struct own),
    .run = run,
};
