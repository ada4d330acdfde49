// ask() itself: a question is asked plainly and without its slips, and one of two halves as two.
#include "engine/ask/ask.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ask/amended.h"
#include "engine/ask/compound.h"
#include "engine/model/model.h"
#include "engine/question/plainly.h"
#include "engine/question/question.h"
#include "engine/survey/spelling.h"
#include "engine/tok/tok.h"

// Asks O's question, which is a plain one.
static int ask_plain(struct model *m, struct kvz *const *indexes, int n_indexes,
                     const struct ask_options *o, struct answer *a, int write, struct err *e)
{
    enum { FEW = 4 }; // as many threads at most
    for (int i = 0; i < n_indexes && n_indexes <= FEW; i++)
        kvz_check_beside(indexes[i]);
    char *halves[2] = {NULL, NULL};
    int one = o->answer_prefix || o->hops == 1 || question_for_several(o->question);
    int rc = one ? 0 : question_halves(o->question, &halves[0], &halves[1], e), found = 0;
    if (!rc && !one && write && (found = compound_survey(indexes, n_indexes, o, a, e)))
        return found < 0 ? found : 0;
    if (!rc)
        rc = compound_undivided(m, indexes, n_indexes, o, a, write, e);
    else if (rc > 0)
        rc = compound_ask(m, indexes, n_indexes, o, (const char *const *)halves, a, write, e);
    free(halves[0]);
    free(halves[1]);
    return rc;
}

// Whether WORD [n] is a token of model CTX: a word that it has often read.
static int is_token(const void *ctx, const char *word, size_t n)
{
    enum { LONGEST = 64 };
    const struct model *m = ctx;
    char own[LONGEST] = " ";
    struct tok_list l = {0};
    struct err e;
    if (n + 1 >= sizeof own)
        return 0;
    memcpy(own + 1, word, n);
    const int rc = tok_encode(m->tok, own, n + 1, TOK_PLAIN, &l, &e), one = l.n == 1;
    tok_list_free(&l);
    return !rc && one;
}

// Asks O's question as it can be typed, plainly, and with the documents' words where it has slips
// of the keyboard. What is to be continued by a given answer is asked as it stands.
static int ask_as_meant(struct model *m, struct kvz *const *indexes, int n_indexes,
                        const struct ask_options *o, struct answer *a, int write, struct err *e)
{
    struct ask_options own = *o;
    char *typed, *plain = NULL, *mended = NULL;
    int rc = plainly_typed(o->question, &typed, e);
    own.question = typed ? typed : o->question;
    if (!rc)
        rc = plainly_asked(own.question, &plain, e);
    own.question = plain ? plain : own.question;
    if (!rc && !o->answer_prefix)
        rc = spelling_mended(&mended, own.question, indexes, n_indexes, is_token, m, e);
    own.question = mended ? mended : own.question;
    if (!rc)
        rc = ask_plain(m, indexes, n_indexes, &own, a, write, e);
    if (!rc && write && (rc = amended_say(m, indexes, &own, a, e)))
        answer_done(a);
    free(typed);
    free(plain);
    if (rc)
        free(mended);
    else
        a->asked = mended;
    return rc;
}

int ask(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
        struct answer *a, struct err *e)
{
    return ask_as_meant(m, indexes, n_indexes, o, a, 1, e);
}

int ask_choose(struct model *m, struct kvz *const *indexes, int n_indexes,
               const struct ask_options *o, struct answer *a, struct err *e)
{
    return ask_as_meant(m, indexes, n_indexes, o, a, 0, e);
}
