#include "engine/ask/shortlist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/lines/lines.h"
#include "engine/method/bm25.h"
#include "engine/passage/contents.h"
#include "engine/passage/sentence.h"
#include "engine/question/asked.h"
#include "engine/question/message_asked.h"
#include "engine/sentences/refers.h"
#include "engine/words/words.h"
#include "io/mem.h"

// What a sentence with all numbers of the question counts as, in nats a token, a row of a table one
// of whose cells it names, and a definition of what is asked for.
static const double NUMBERS = 1, ROW = 1, DEFINES = 1;

// What one with all of the question's words counts as, with some of them a part of it by their
// weight, likewise.
static const double WORDED = 0.5;

// What one falls behind by that is about another thing than is asked for (asked_of_another),
// likewise, and the number of words that it counts as lacking.
static const double ANOTHER = 1;
enum { MUCH = 2 };

// What one counts as that says of the thing itself what was done to it (asked_subject), likewise.
static const double SUBJECT = 0.5;

// What one falls behind by that has the question's words in what it quotes or asks, likewise, and
// what only asks, signs or heads a message, or is the title of a document, unless it may be asked
// for.
static const double ASIDE = 0.5, BARE = 1;

// What one falls behind by that has another thing done, likewise (asked_lacks_object).
static const double OBJECT = 0.5;

// What a line of a table of contents or a list of key words, or what only names the columns of a
// table, falls behind by, likewise: more than anything makes up for.
static const double CONTENTS = 20;

// What a nearness of 1 between a sentence's vector and the question's counts as, likewise.
static const double NEARNESS = 2.5;

double shortlist_nearness(double near)
{
    return NEARNESS * fmax(near, 0);
}

int shortlist_new(struct shortlist *l, const struct asking *q, int most, struct err *e)
{
    *l = (struct shortlist){.most = most};
    if (!(l->v = mem_new((size_t)most, sizeof *l->v, e)))
        return ERR_NOMEM;
    return editions_find(&l->others, q->k, q->n_k, asking_ranked(q), e);
}

void shortlist_done(struct shortlist *l)
{
    for (int i = 0; i < l->n; i++)
        free(l->v[i].text);
    free(l->v);
    editions_done(&l->others);
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

// How many words of QUESTION TEXT lacks, numbers included.
static int count_lacking(const char *question, const char *text, int *n, struct err *e)
{
    char *words = mem_new(strlen(question) + 2, 1, e);
    if (!words)
        return ERR_NOMEM;
    *n = asked_numbers_lacking(question, text);
    words_lacking(question, text, words);
    for (const char *w = words; (w = strchr(w, ' ')); w++)
        ++*n;
    free(words);
    return 0;
}

// Whether V replies to a statement that has more of QUESTION's words than the reply: where that
// stands itself is a better place. *ASIDE.
static int find_aside(const struct sentence *v, const char *question, int *aside, struct err *e)
{
    size_t n = v->said;
    int quoted = 0, own = 0, rc = 0;
    while (n && is_space(v->text[n - 1]))
        n--;
    *aside = 0;
    if (!n || line_asks(v->text, n))
        return 0;
    char *before = mem_new(n + 1, 1, e);
    if (!before)
        return ERR_NOMEM;
    memcpy(before, v->text, n);
    before[n] = 0;
    if (!(rc = count_lacking(question, before, &quoted, e)) &&
        !(rc = count_lacking(question, v->text + v->said, &own, e)))
        *aside = quoted < own;
    free(before);
    return rc;
}

// Whether V neither is said by the speaker who is asked of nor names him.
static int is_of_other_speaker(const struct asking *q, const struct sentence *v)
{
    return q->target.speaker && !words_any(q->target.speaker, v->text, strlen(v->text));
}

// Weighs V, the sentence in BLOCK, as it stands and then under its heading, where it is one of
// SOME.
static int weigh(const struct shortlist *l, struct listed *is, struct sentence *v,
                 const struct asking *q, uint64_t block, int some, struct err *e)
{
    const char *question = asking_ranked(q);
    int entry = 0, aside = 0;
    int rc = contents_has(q->k[is->index], v->document, v->start, v->end, &entry, e);
    entry |= v->margin || contents_keywords(v->text, question) ||
             !line_says_something(v->text, strlen(v->text));
    is->of_head = v->heads && message_asked_of_body(question);
    const int asks = asked_only_asks(question, v->text);
    const double fit = asked_fit_alone(question, v->text);
    is->misses = asked_misses(question, v->text, fit);
    is->names_only = entry || asks || v->names_columns || v->signs || v->greets || is->of_head;
    is->fit = fit + ROW * asked_row(question, v->text) +
              DEFINES * ((!is->misses && asked_defines(question, v->text)) ||
                         asked_does(question, v->text) || asked_says_cause(question, v->text)) -
              (entry || v->names_columns ? CONTENTS : 0);
    if (!rc)
        rc = find_aside(v, question, &aside, e);
    if (!rc && some && !v->signs && !v->greets) // whoever wrote it, a name says no more
        rc = sentence_headed(v, q->k[is->index], block, question, e);
    if (!rc)
        rc = count_lacking(question, v->text, &is->lacks, e);
    if (rc)
        return rc;
    is->tells_nothing =
        asks || asked_where_by_numbers(question, v->text) || asked_said_again(question, v->text) ||
        (asked_for_cause(question) && refers_on(v->text, strlen(v->text))) ||
        (v->titles && (asked_for_account(question) || asked_only_named(question, v->text))) ||
        (v->signature && !message_may_sign(question, v->text, strlen(v->text)));
    const int begins_asking = asked_begins_asking(question, v->text);
    const int bare = is->tells_nothing || begins_asking || v->signs || v->greets || is->of_head ||
                     (v->heads && !message_may_tell(question, ""));
    is->of_another = asked_of_another(question, v->text) || message_of_another(question, v->text) ||
                     is_of_other_speaker(q, v) ||
                     editions_are_other(&l->others, is->index, is->document, v->text);
    is->lacks += is->of_another ? MUCH : 0;
    if (q->votes.ballot->counted)
        is->fit += WORDED * bm25_cover(q->votes.ballot->counted, v->text);
    is->fit += NUMBERS * asked_numbers(question, v->text) +
               SUBJECT * (asked_subject(question, v->text) > 0) - (is->of_another ? ANOTHER : 0) -
               (aside || begins_asking ? ASIDE : 0) - (bare ? BARE : 0) -
               (asked_lacks_object(question, v->text) ? OBJECT : 0) -
               (v->greets || (v->titles && is->tells_nothing) ? BARE : 0);
    return 0;
}

int shortlist_add(struct shortlist *l, struct asking *q, int64_t global, const uint32_t *token,
                  int *at, struct err *e)
{
    uint64_t block;
    int index;
    struct sentence v = {0};
    ballot_locate(q->votes.ballot, global, &index, &block);
    int rc = sentence_around(&v, q->k[index], block, token, e);
    *at = rc ? 0 : find(l, index, &v);
    if (!rc && *at == l->n) {
        struct listed is = {.index = index, .document = v.document, .start = v.start, .end = v.end};
        if (l->n == l->most)
            rc = err_set(e, ERR_USAGE, "more than %d sentences to be judged", l->most);
        else if (!(rc = weigh(l, &is, &v, q, block, token != NULL, e))) {
            is.text = v.text;
            v.text = NULL;
            if (q->near)
                is.near = near_bytes(q->near, index, is.document, is.start, is.end);
            is.fit += shortlist_nearness(is.near);
            l->v[l->n++] = is;
        }
    }
    sentence_done(&v);
    return rc;
}

// What another sentence of a block may have that the one listed has not.
enum better { OF_NUMBERS, OF_BODY, OF_KIND };

// Whether the sentence of BLOCK around TOKEN, under its heading, has all numbers asked for;
// OF_BODY, whether it is of a message's body and says something; OF_KIND, whether it has what kind
// of thing is asked for, and a word of the question.
static int has_asked(const struct asking *q, const struct kvz *k, uint64_t block, uint32_t token,
                     enum better by, int *has, struct err *e)
{
    const char *question = q->o->question;
    struct sentence v = {0};
    int rc = sentence_around(&v, k, block, &token, e);
    if (!rc && by == OF_NUMBERS)
        rc = sentence_headed(&v, k, block, question, e);
    if (by == OF_BODY)
        *has = !rc && !v.heads && !v.signs && !v.greets;
    else if (by == OF_KIND)
        *has = !rc && !v.signs &&
               !asked_misses(question, v.text, asked_fit_alone(question, v.text)) &&
               !asked_only_asks(question, v.text) && asked_shares_word(question, v.text);
    else
        *has = !rc && !asked_of_another(question, v.text) && asked_numbers(question, v.text) >= 1;
    sentence_done(&v);
    return rc;
}

int shortlist_add_asked(struct shortlist *l, struct asking *q, int64_t global, uint32_t *token,
                        int *at, struct err *e)
{
    enum { MOST = 16 }; // sentences of a block
    uint32_t tokens[MOST];
    uint64_t block;
    int index, n = 0, has = 0, rc;
    const struct listed *is = &l->v[*at];
    const enum better by = is->of_head ? OF_BODY : is->of_another ? OF_NUMBERS : OF_KIND;
    if (!is->of_another && !is->of_head && !is->misses)
        return 0;
    ballot_locate(q->votes.ballot, global, &index, &block);
    rc = sentence_tokens(q->k[index], block, tokens, MOST, &n, e);
    for (int i = 0; !rc && !has && i < n; i++)
        if (!(rc = has_asked(q, q->k[index], block, tokens[i], by, &has, e)) && has) {
            *token = tokens[i];
            rc = shortlist_add(l, q, global, token, at, e);
        }
    return rc;
}
