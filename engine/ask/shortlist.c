#include "engine/ask/shortlist.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/contents.h"
#include "engine/text/asked.h"
#include "engine/text/words.h"
#include "io/mem.h"

// What a sentence with all numbers of the question counts as, in nats a token, a row of a table one
// of whose cells it names, and a definition of what is asked for.
static const double NUMBERS = 1, ROW = 1, DEFINES = 1;

// What a line of a table of contents, or what only names the columns of a table, falls behind by,
// likewise: more than anything makes up for.
static const double CONTENTS = 20;

int shortlist_new(struct shortlist *l, int most, struct err *e)
{
    *l = (struct shortlist){.most = most};
    return (l->v = mem_new((size_t)most, sizeof *l->v, e)) ? 0 : ERR_NOMEM;
}

void shortlist_done(struct shortlist *l)
{
    for (int i = 0; i < l->n; i++)
        free(l->v[i].text);
    free(l->v);
}

// Which of the sentences it is, or L->n.
static int find(const struct shortlist *l, int index, const struct sentence *v)
{
    for (int i = 0; i < l->n; i++)
        if (l->v[i].index == index && l->v[i].document == v->document &&
            l->v[i].start == v->start && l->v[i].end == v->end)
            return i;
    return l->n;
}

// How many words of QUESTION TEXT lacks.
static int count_lacking(const char *question, const char *text, int *n, struct err *e)
{
    char *words = mem_new(strlen(question) + 2, 1, e);
    *n = 0;
    if (!words)
        return ERR_NOMEM;
    words_lacking(question, text, words);
    for (const char *w = words; (w = strchr(w, ' ')); w++)
        ++*n;
    free(words);
    return 0;
}

// Weighs V, the sentence in BLOCK, as it stands and then under its heading, where it is one of
// SOME.
static int weigh(struct listed *is, struct sentence *v, const struct asking *q, uint64_t block,
                 int some, struct err *e)
{
    const char *question = asking_ranked(q);
    int entry = 0, rc = contents_has(q->k[is->index], v->document, v->start, &entry, e);
    is->fit = asked_fit(question, v->text) + ROW * asked_row(question, v->text) +
              DEFINES * asked_defines(question, v->text) -
              (entry || v->names_columns ? CONTENTS : 0);
    if (!rc && some)
        rc = sentence_headed(v, q->k[is->index], block, question, e);
    if (!rc)
        rc = count_lacking(question, v->text, &is->lacks, e);
    is->fit += rc ? 0 : NUMBERS * asked_numbers(question, v->text);
    return rc;
}

int shortlist_add(struct shortlist *l, struct asking *q, int64_t global, const uint32_t *token,
                  int *at, struct err *e)
{
    uint64_t block;
    int index;
    struct sentence v = {0};
    ballot_locate(q->ballot, global, &index, &block);
    int rc = sentence_around(&v, q->k[index], block, token, e);
    *at = rc ? 0 : find(l, index, &v);
    if (!rc && *at == l->n) {
        struct listed is = {.index = index, .document = v.document, .start = v.start, .end = v.end};
        if (l->n == l->most)
            rc = err_set(e, ERR_USAGE, "more than %d sentences to be judged", l->most);
        else if (!(rc = weigh(&is, &v, q, block, token != NULL, e))) {
            is.text = v.text;
            v.text = NULL;
            l->v[l->n++] = is;
        }
    }
    sentence_done(&v);
    return rc;
}
