#define _GNU_SOURCE
#include "engine/ask/compound.h"

#include <stdlib.h>
#include <string.h>

#include "engine/answer/quote.h"
#include "engine/ask/ask.h"
#include "engine/ask/evidence.h"
#include "engine/question/apart.h"
#include "engine/words/chars.h"
#include "io/mem.h"

// Appends B's text to A's, with BETWEEN before it.
static int join_text(struct answer *a, const struct answer *b, char between, struct err *e)
{
    size_t apart = a->text_bytes && b->text_bytes;
    char *text = mem_new(a->text_bytes + apart + b->text_bytes + 1, 1, e);
    if (!text)
        return ERR_NOMEM;
    memcpy(text, a->text, a->text_bytes);
    memcpy(text + a->text_bytes, &between, apart);
    memcpy(text + a->text_bytes + apart, b->text, b->text_bytes);
    free(a->text);
    a->text = text;
    a->text_bytes += apart + b->text_bytes;
    return 0;
}

// Merges the passages of A and B by turns into A's, at most MOST, cutting from each what those
// before it have.
static int join_evidence(struct answer *a, struct answer *b, int most, struct err *e)
{
    struct evidence *v = mem_new((size_t)(a->n_evidence + b->n_evidence), sizeof *v, e), none = {0};
    int n = 0;
    if (!v)
        return ERR_NOMEM;
    for (int i = 0; i < a->n_evidence || i < b->n_evidence; i++)
        for (int half = 0; half < 2; half++) {
            struct answer *from = half ? b : a;
            if (i >= from->n_evidence || n == most || !evidence_apart(&from->evidence[i], v, n))
                continue;
            v[n++] = from->evidence[i];
            from->evidence[i] = none;
        }
    for (int i = 0; i < a->n_evidence; i++)
        free(a->evidence[i].text);
    free(a->evidence);
    a->evidence = v;
    a->n_evidence = n;
    return 0;
}

// Merges the blocks that A and B have read into A's choices, each once.
static int join_choices(struct answer *a, struct answer *b, struct err *e)
{
    struct choice *v = mem_new((size_t)(a->n_choices + b->n_choices), sizeof *v, e);
    int n = a->n_choices;
    if (!v)
        return ERR_NOMEM;
    if (n)
        memcpy(v, a->choices, (size_t)n * sizeof *v);
    for (int i = 0; i < b->n_choices; i++) {
        int known = 0;
        for (int j = 0; j < a->n_choices; j++)
            known |= v[j].index == b->choices[i].index && v[j].block == b->choices[i].block;
        if (known)
            continue;
        v[n++] = b->choices[i];
        b->choices[i].votes = NULL;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < a->n_evidence; j++)
            a->evidence[j].was_read |=
                v[i].index == a->evidence[j].index && v[i].block == a->evidence[j].block;
    free(a->choices);
    a->choices = v;
    a->n_choices = n;
    return 0;
}

// Whether TEXT contains what SAME says below its heading, which may be in quotation marks and be
// cut off; what a mark of omission parts from it says only where it stands ("[10:02] MR FELL:
// \u2026").
static int says(const char *text, const char *same)
{
    static const char dots[] = "\u2026", omitted[] = "\u2026\n";
    const size_t cut = sizeof dots - 1;
    size_t n;
    same = quote_inside(same + quote_heading(same), &n);
    n -= n > cut && !memcmp(same + n - cut, dots, cut) ? cut : 0;
    const char *behind = memmem(same, n, omitted, sizeof omitted - 1);
    if (behind) {
        behind += sizeof omitted - 1;
        n -= (size_t)(behind - same);
        same = behind;
    }
    return memmem(text, strlen(text), same, n) != NULL;
}

// Joins B's answer to A's, BETWEEN them, unless A says the same; B stays the caller's to release.
static int join(struct answer *a, struct answer *b, int most, char between, struct err *e)
{
    int rc = 0;
    if (a->text && b->text && !says(a->text, b->text)) {
        b->text_bytes -= quote_drop(b->text, a->text);
        rc = join_text(a, b, quote_heading(b->text) ? '\n' : between, e);
    }
    if (rc || (rc = join_evidence(a, b, most, e)) || (rc = join_choices(a, b, e)))
        return rc;
    if (a->finish && b->finish && strcmp(b->finish, "unanswered") != 0)
        a->finish = b->finish;
    a->score = b->score < a->score ? b->score : a->score;
    a->unsure |= b->unsure;
    a->doubtful |= b->doubtful;
    a->question_tokens += b->question_tokens;
    a->answer_tokens += b->answer_tokens;
    a->read_tokens += b->read_tokens;
    a->art_read += b->art_read;
    a->art_blocks += b->art_blocks;
    a->total_seconds += b->total_seconds;
    return 0;
}

int compound_undivided(struct model *m, struct kvz *const *indexes, int n_indexes,
                       const struct ask_options *o, struct answer *a, int write, struct err *e)
{
    int rc = write ? ask_survey(indexes, n_indexes, o, a, e) : 0;
    return rc ? (rc < 0 ? rc : 0) : ask_one(m, indexes, n_indexes, o, a, write, e);
}

int compound_ask(struct model *m, struct kvz *const *indexes, int n_indexes,
                 const struct ask_options *o, const char *const *halves, struct answer *a,
                 int write, struct err *e)
{
    struct ask_options own = *o;
    struct answer second = {0}; // held back until it is known whether it says more than the first
    own.question = halves[0];
    own.alternative = -1; // or it is not plain which half has it
    int rc = compound_undivided(m, indexes, n_indexes, &own, a, write, e);
    if (rc)
        return rc;
    int left = o->max_tokens ? o->max_tokens - a->answer_tokens : 0;
    int stopped = write && ((o->max_tokens && left <= 0) || (o->stop && *o->stop));
    own.question = halves[1];
    own.max_tokens = left;
    own.text = NULL;
    if (!stopped)
        rc = compound_undivided(m, indexes, n_indexes, &own, &second, write, e);
    if (!rc && !stopped) {
        size_t before = a->text_bytes;
        int most = a->n_evidence > second.n_evidence ? a->n_evidence : second.n_evidence;
        rc = join(a, &second, most, ' ', e);
        if (!rc && o->text && a->text_bytes > before)
            o->text(o->arg, a->text + before, a->text_bytes - before);
    }
    answer_done(&second);
    if (rc)
        answer_done(a);
    return rc;
}

int compound_survey(struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
                    struct answer *a, struct err *e)
{
    struct ask_options own = *o;
    struct answer second = {0};
    char *things[2];
    int rc = apart_divide(o->question, &things[0], &things[1], e);
    own.text = NULL;
    own.question = things[0];
    if (rc > 0)
        rc = ask_survey(indexes, n_indexes, &own, a, e);
    own.question = things[1];
    if (rc > 0 && (rc = ask_survey(indexes, n_indexes, &own, &second, e)) <= 0)
        answer_done(a);
    if (rc > 0) {
        const int failed = join(a, &second, a->n_evidence + second.n_evidence, '\n', e);
        answer_done(&second);
        if (failed)
            answer_done(a);
        else if (o->text)
            o->text(o->arg, a->text, a->text_bytes);
        rc = failed ? failed : 1;
    }
    free(things[0]);
    free(things[1]);
    return rc;
}
