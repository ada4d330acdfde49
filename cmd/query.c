#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/answer_json.h"
#include "cmd/command.h"
#include "cmd/passage.h"
#include "cmd/query_options.h"
#include "cmd/questions.h"
#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/utf8.h"

struct query_run {
    const struct query_options *o;
    struct session s;
    struct ask_options ask;
    int several; // questions are announced by "> question"
    int asked;
    int failed;
    int misused;   // the options do not go together: no question can be asked with them
    int ends;      // no more questions are asked
    int ends_line; // nothing stands on the current line of the output
};

static void on_text(void *arg, const char *s, size_t n)
{
    struct query_run *q = arg;
    if (!n)
        return;
    passage_answer(stdout, s, n);
    ui_stdout_ok();
    q->ends_line = s[n - 1] == '\n';
}

// "nothing in book.kvz answers this"
static void print_nothing(const struct session *s)
{
    fputs("nothing in ", stdout);
    for (int i = 0; i < s->n_indexes; i++) {
        fputs(i ? (i + 1 < s->n_indexes ? ", " : " or ") : "", stdout);
        ui_line(stdout, kvz_path(s->indexes[i]));
    }
    fputs(" answers this\n", stdout);
}

// Notes, outside of the results, what was asked if not the question, and that an answer may be
// none. Of several questions they say which one is meant.
static void note_doubts(const struct answer *a, const struct query_run *q)
{
    char which[sizeof "question 2147483647: "] = "";
    if (q->several)
        snprintf(which, sizeof which, "question %d: ", q->asked);
    if (a->asked)
        ui_note("%sasked as \"%s\"", which, a->asked);
    if (answer_is_none(a) && q->o->min_score < 0)
        ui_note("%s--min-score 0 answers from the closest place", which);
    else if (a->doubtful && !answer_is_none(a) && a->n_evidence)
        ui_note(
            "%sthe document may not answer this (score %.2f); the closest place is %s:%llu-%llu",
            which, a->score, a->evidence[0].document,
            (unsigned long long)a->evidence[0].focus_start,
            (unsigned long long)a->evidence[0].focus_end);
    else if (a->doubtful && !answer_is_none(a))
        ui_note("%sthe document may not answer this (score %.2f)", which, a->score);
}

// "> Who pays?", of a question that is no page or more.
static void announce(const char *question, int is_first)
{
    enum { SHOWN = 2000 };
    const size_t n = strlen(question), shown = utf8_fit(question, n, SHOWN);
    fputs(is_first ? "> " : "\n> ", stdout);
    ui_text(stdout, question, shown);
    puts(shown < n ? "..." : "");
}

// Asks one question and prints what came; called for each in turn. Non-zero: ask no more.
static int on_question(void *arg, const char *question)
{
    struct query_run *q = arg;
    struct answer a = {0};
    struct err e;
    if (!q->o->json && q->several)
        announce(question, !q->asked);
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
        note_doubts(&a, q);
    } else {
        if (!q->ends_line || !a.text_bytes)
            putchar('\n');
        fflush(stdout);
        note_doubts(&a, q);
        if (a.n_evidence)
            putchar('\n');
        passage_print(stdout, a.evidence, a.n_evidence, q->s.indexes, q->s.n_named);
    }
    if (a.finish && !strcmp(a.finish, "interrupted")) {
        ui_note("interrupted");
        q->failed = 1;
    }
    answer_done(&a);
    q->ends = !ui_stdout_ok() || *q->ask.stop || q->misused;
    return q->ends;
}

// Whether the operand LAST, or NULL, stands for the questions on standard input.
static int is_stdin(const char *last)
{
    return last && !strcmp(last, "-");
}

// LAST: the operand that is the question, or NULL.
static int ask_all(struct query_run *q, const char *last, struct err *e)
{
    const struct query_options *o = q->o;
    const struct opt_list *files = &o->questions_files;
    int rc = 0;
    if (is_stdin(last))
        rc = questions_each(last, q->ask.stop, on_question, q, e);
    else if (last)
        on_question(q, last);
    for (size_t i = 0; i < o->questions.n && !q->ends; i++)
        on_question(q, o->questions.v[i]);
    for (size_t i = 0; i < files->n && !q->ends && !rc; i++)
        rc = questions_each(files->v[i], q->ask.stop, on_question, q, e);
    return rc;
}

static int names_index(const char *s)
{
    size_t n = strlen(s);
    return n > 4 && !strcmp(s + n - 4, ".kvz");
}

// Refuses an operand that is no file: an index without its .kvz, or words of a question that is not
// in quotes.
static int no_such_index(const char *name)
{
    char index[PATH_MAX];
    if (snprintf(index, sizeof index, "%s.kvz", name) < (int)sizeof index && !access(index, F_OK))
        return ui_usage("%s: no such index; did you mean '%s'?", name, index);
    return ui_usage("%s: no such index; a question of several words stands in quotes", name);
}

// Checks operands of which the last one is the question: one that was forgotten, or not put in
// quotes, must not be answered as something else.
static int check_operands(char *const *operands, int n)
{
    const char *question = operands[n - 1];
    if (!is_stdin(question) && ask_is_blank(question))
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

// Checks the questions of --question or, without it, the operands that end with one.
static int check_questions(const struct query_options *o, char *const *operands, int n)
{
    int from_operand = !o->questions.n && !o->questions_files.n;
    if (n - from_operand < 1)
        return ui_usage("give %s", from_operand ? "an index and then a question" : "an index");
    for (size_t i = 0; i < o->questions.n; i++)
        if (ask_is_blank(o->questions.v[i]))
            return ui_usage("--question: the question is empty");
    if (o->min_score < 0 && o->min_score > -1)
        return ui_usage("--min-score: %g is neither from 0 to 1 nor -1", o->min_score);
    if (from_operand)
        return check_operands(operands, n);
    for (int i = 0; i < n; i++)
        if (!names_index(operands[i]) && access(operands[i], F_OK))
            return ui_usage("%s: no such index; with --question every operand is one", operands[i]);
    return EXIT_OK;
}

static int run(const struct common *c, const void *own, char **operands, int n_operands)
{
    const struct query_options *o = own;
    struct err e;
    int from_operand = !o->questions.n && !o->questions_files.n;
    int rc = check_questions(o, operands, n_operands), n_indexes = n_operands - from_operand;
    if (rc)
        return rc;
    const char *last = from_operand ? operands[n_operands - 1] : NULL;
    struct query_run q = {.o = o,
                          .several = o->questions.n > 1 || o->questions_files.n || is_stdin(last),
                          .ask = query_ask_options(o)};
    q.ask.stop = ui_catch_stop(0);
    if (!o->json) {
        q.ask.text = on_text;
        q.ask.arg = &q;
    }
    rc = session_open(&q.s, c, operands, n_indexes, &e);
    if (!rc && !(rc = session_embed(&q.s, c, NULL, &e)))
        q.ask.embedder = q.s.embedder;
    if (!rc)
        rc = ask_all(&q, last, &e);
    if (rc)
        rc = ui_fail(&e);
    else if (q.misused)
        rc = EXIT_USAGE;
    else if (!q.asked && !*q.ask.stop)
        rc = ui_usage("%s: no questions", last ? last : o->questions_files.v[0]);
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
    .options = query_options,
    .own_bytes = sizeof(struct query_options),
    .run = run,
};
