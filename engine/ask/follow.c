// Answers that begin in the best sentence and go on in those behind it. "A net fouled the
// propeller. Noor cut it loose with a bread knife." Asked how the net was removed, the first
// sentence has the question's words and the second the answer, or the other way round. A small
// model says either as if it were sure, so both are read and said as they stand. A record names its
// subject in one sentence and says the rest in others ("Ship 12 lies in Hull. Her master is Ode
// Marsh."): it is read up to the sentence with the word of the question that the first one lacks,
// with the amount, the time, the reason or the contents asked for, or that says what is so by
// default. A sentence that has no word but the question's answers nothing by itself, as a heading
// does ("THE KEEPERS OF THE RECORDS"): then the next one is read unjudged; so is one that the
// vectors of sentences tell to be about the same.
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/ask/chosen.h"
#include "engine/ask/confidence.h"
#include "engine/ask/focus.h"
#include "engine/ask/follow.h"
#include "engine/ask/judge.h"
#include "engine/ask/near.h"
#include "engine/lines/lines.h"
#include "engine/passage/sentence.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/sentences/stands.h"
#include "engine/words/clock.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

// Nats a token: the second sentence must make the question likelier by GAIN, and the first one
// alone must make it less likely than LIKELY: one that says nearly what is asked holds the answer,
// and another one only leads astray. GAIN_OF_LACKED if the second has a word of the question, or
// the amount or time asked for, that the first one lacks. GAIN_OF_OPEN if the first one gives no
// reason where one is asked for, or only denies something: then the next one of its paragraph is
// read unless it is about something else.
static const double GAIN = 0.15, GAIN_OF_LACKED = 0.05, GAIN_OF_OPEN = -0.3, LIKELY = -3;

// By how much the nearness of the sentences behind the first one may be less than its own where
// nothing but LIKELY speaks for them: of 353 such questions 251 need not be judged so, and 28 of
// these read a sentence less, none of which had the answer.
static const double FARTHER = 0.2;

// The least cosine of the vectors of the first sentence and of one behind it, of its paragraph, for
// which it does not matter what the language model makes of both where there is a reason to go on;
// nothing but LIKELY is one only where the first one answers less plainly than EVEN. Of 420
// questions in other words than their document's 235 instead of 225 are answered so, of 396 in its
// words 356 instead of 353, and fewer passes are run; what is about another thing altogether is
// less alike.
static const double ALIKE = 0.1;
enum {
    FAR = 3, // sentences behind the first one, at most
    NEAR = 2 // the same for an amount or a time, which any sentence may have
};

// Whether more sentences may be read: what was read can be quoted, and nothing else was found to be
// read with it.
static int may_follow(const struct asking *q)
{
    const struct ballot *b = q->votes.ballot;
    return q->how.doubt > 0 && q->o->hops < 2 && !q->chosen.lead.found &&
           q->how.parts.likelihood > 1 && b->n_voters && b->n_blocks && b->score[b->order[0]] > 0 &&
           !question_for_several(q->o->question);
}

// Whether the line TEXT begins an item of a list without numbers, which are no steps.
static int is_item(const char *text)
{
    return !is_digit(*text) && line_is_item(text, strcspn(text, "\n"));
}

// How many paragraphs TEXT has, and entries of a log or, where it is one itself, items of a list
// behind the first one.
static int count_parts(const char *text)
{
    const int items = is_item(text);
    struct clock_span time;
    int n = 1;
    while ((text = strchr(text, '\n'))) {
        const size_t lines = strspn(text, "\n");
        text += lines;
        n += lines > 1 || clock_of_entry(text, strlen(text), &time) || (items && is_item(text));
    }
    return n;
}

// Whether BOTH goes on in another paragraph than that of FIRST, or another entry: it is about
// something else, unless it has a word of the question that FIRST lacks.
static int is_apart(const char *first, const char *both)
{
    return count_parts(both) > count_parts(first);
}

// Whether QUESTION asks for an amount or a time that BOTH has but FIRST lacks.
static int tells(const char *question, const char *first, const char *both)
{
    return asked_lacking(question, first) && !asked_lacking(question, both);
}

// Why a second sentence may be read. UNLIKELY: only where the question is, after the first one.
enum reason { NO_REASON, OPEN, MORE, UNLIKELY };

static enum reason reason_for(const char *question, const char *first, const char *both, int lacked)
{
    const int apart = is_apart(first, both);
    if (!asked_answered(question, first) && !apart)
        return OPEN;
    if (lacked || (!apart && tells(question, first, both)))
        return MORE;
    return apart ? NO_REASON : UNLIKELY;
}

// Whether WHY is a reason where LIKELIHOOD is that of the question after the first sentence.
static int holds(enum reason why, double likelihood)
{
    return why == UNLIKELY ? likelihood < LIKELY : why != NO_REASON;
}

int follow_better(const double *likelihood, const char *question, const char *first,
                  const char *both, int lacked)
{
    const enum reason why = reason_for(question, first, both, lacked);
    const double gain[] = {[OPEN] = GAIN_OF_OPEN, [MORE] = GAIN_OF_LACKED, [UNLIKELY] = GAIN};
    return holds(why, likelihood[0]) && likelihood[1] + asked_fit(question, both) >
                                            likelihood[0] + asked_fit(question, first) + gain[why];
}

// Whether both sentences are worth judging for the reason WHY where LIKELIHOOD is known.
static int worth_judging(const struct asking *q, enum reason why, double likelihood,
                         const struct sentence *first, const struct reach *r)
{
    if (why != UNLIKELY || !q->near || !holds(why, likelihood))
        return holds(why, likelihood);
    return near_bytes(q->near, first->index, first->document, first->end, r->both.end) >
           near_bytes(q->near, first->index, first->document, first->start, first->end) - FARTHER;
}

// Whether FIRST goes on in what R reaches for the reason WHY as far as vectors tell, so that
// nothing need be judged.
static int goes_on(const struct asking *q, enum reason why, const struct sentence *first,
                   const struct reach *r)
{
    return q->near && (why != UNLIKELY || confidence_plain(&q->judged.signs) < EVEN) &&
           !is_apart(first->text, r->both.text) &&
           near_alike(q->near, first->index, first->document, first->start, first->end,
                      r->both.end) > ALIKE;
}

// Judges FIRST and what R reaches, if need be. FIRST has been judged before (likelihood.c) unless
// something else made it the best one.
static int judge_next(struct asking *q, const struct sentence *first, const struct reach *r,
                      int *better, struct err *e)
{
    struct judge *j = &q->judged.judge;
    int rc = j->s ? 0
                  : judge_new(j,
                              &(struct judging){.m = q->m,
                                                .chat = q->how.chat,
                                                .question = q->prompts.ranked.ids,
                                                .n_question = q->prompts.ranked.n,
                                                .texts = FOLLOW_TEXTS,
                                                .prefix = &q->judged.prefix,
                                                .index = q->k[q->chosen.home]},
                              e);
    const char *question = q->o->question;
    const enum reason why = reason_for(question, first->text, r->both.text, r->lacked);
    const int known = rc ? -1 : judge_known(j, first->text);
    if (known >= 0 && !worth_judging(q, why, j->likelihood[known], first, r))
        return 0;
    *better = known >= 0 && goes_on(q, why, first, r);
    if (*better)
        return 0;
    const int alone = rc ? rc : judge_text(j, first->text, e);
    const int both = alone < 0 ? alone : judge_text(j, r->both.text, e);
    if (both < 0 || (rc = judge_end(j, e)))
        return both < 0 ? both : rc;
    const double likelihood[] = {j->likelihood[alone], j->likelihood[both]};
    *better = follow_better(likelihood, question, first->text, r->both.text, r->lacked);
    return judge_keep(j, *better ? both : alone, e);
}

// *DOES: whether an answer may be as long as TEXT.
static int fits(const struct asking *q, const char *text, int *does, struct err *e)
{
    struct prompt p = {0};
    int rc = prompt_text(&p, q->m, text, TOK_PLAIN, e);
    *does = p.n <= q->how.max_tokens;
    prompt_done(&p);
    return rc;
}

// What is looked for behind a sentence.
enum wanted { A_WORD, ITSELF, A_DEFAULT, A_KIND, A_RATE, A_REASON, A_WAY, HOURS, CONTENTS };

// Whether BOTH has what is WANTED and FIRST lacks; of words, WORDS.
static int has_wanted(enum wanted wanted, const char *words, const char *question,
                      const char *first, const char *both)
{
    switch (wanted) {
    case ITSELF:
        return !asked_of_another(question, both);
    case A_DEFAULT:
        return !asked_default_left_out(question, both);
    case HOURS:
        return !asked_hours_left_out(question, both);
    case CONTENTS:
        return !asked_contents_left_out(question, both);
    case A_RATE:
        return !asked_rate_left_out(question, both) && tells(question, first, both);
    case A_REASON:
        return !asked_reason_left_out(question, both) && !is_apart(first, both);
    case A_WAY:
        return !asked_way_left_out(question, both) && !is_apart(first, both);
    case A_KIND:
        return tells(question, first, both);
    default:
        return words_any(words, both, strlen(both));
    }
}

// R: FIRST and the sentences behind it up to the one with what is WANTED, if that is near.
static int reach_wanted(struct reach *r, enum wanted wanted, const char *words,
                        const char *question, const struct sentence *first, const struct kvz *k,
                        uint64_t block, uint32_t token, struct err *e)
{
    int rc = 0;
    for (int on = 1; !rc && on <= (wanted == A_KIND || wanted == A_WAY ? NEAR : FAR) && !r->lacked;
         on++) {
        sentence_done(&r->both);
        r->on = on;
        rc = sentence_and_next(&r->both, k, block, token, on, e);
        r->lacked = !rc && has_wanted(wanted, words, question, first->text, r->both.text);
    }
    return rc;
}

int follow_reach(struct reach *r, const char *question, const struct sentence *first,
                 const struct kvz *k, uint64_t block, uint32_t token, struct err *e)
{
    char *words = mem_new(strlen(question) + 2, 1, e);
    int rc = words ? 0 : ERR_NOMEM;
    *r = (struct reach){0};
    if (!rc && asked_of_another(question, first->text))
        rc = reach_wanted(r, ITSELF, "", question, first, k, block, token, e);
    if (!rc && !r->lacked && asked_hours_left_out(question, first->text))
        rc = reach_wanted(r, HOURS, "", question, first, k, block, token, e);
    const int lacking = !rc && !r->lacked && asked_lacking(question, first->text);
    if (lacking && asked_rate_left_out(question, first->text))
        rc = reach_wanted(r, A_RATE, "", question, first, k, block, token, e);
    if (lacking && !rc && !r->lacked)
        rc = reach_wanted(r, A_KIND, "", question, first, k, block, token, e);
    if (!rc && !r->lacked && !asked_answered(question, first->text) &&
        asked_reason_left_out(question, first->text))
        rc = reach_wanted(r, A_REASON, "", question, first, k, block, token, e);
    if (!rc && !r->lacked && asked_way_left_out(question, first->text))
        rc = reach_wanted(r, A_WAY, "", question, first, k, block, token, e);
    if (!rc && !r->lacked && asked_contents_left_out(question, first->text))
        rc = reach_wanted(r, CONTENTS, "", question, first, k, block, token, e);
    if (!rc && !r->lacked) {
        const int by_default = asked_default_left_out(question, first->text);
        words_lacking(question, first->text, words);
        if (by_default || *words)
            rc = reach_wanted(r, by_default ? A_DEFAULT : A_WORD, words, question, first, k, block,
                              token, e);
    }
    free(words);
    if (rc || r->lacked)
        return rc;
    sentence_done(&r->both);
    r->on = 1;
    return sentence_and_next(&r->both, k, block, token, 1, e);
}

// Whether TEXT says no more than QUESTION, which asks for something.
static int says_nothing(const char *question, const char *text)
{
    static const char function[] = WORDLIST_FUNCTION;
    return asked_what(question) && words_known(text, question, function);
}

int follow_on(struct asking *q, struct err *e)
{
    struct sentence first = {0};
    struct reach r = {0};
    uint64_t block;
    uint32_t token;
    int index, found = 0, whole = 0, better = 0, empty = 0, rc = 0;
    if (!may_follow(q))
        return 0;
    const int64_t best = q->votes.ballot->order[0];
    ballot_locate(q->votes.ballot, best, &index, &block);
    if ((rc = focus_of(q, best, &found, &token, e)) || !found)
        return rc;
    if (!(rc = chosen_sentence(&first, q, best, e)) &&
        ((empty = says_nothing(q->o->question, first.text)) ||
         stands_ended(first.text, strlen(first.text))) &&
        !(rc = follow_reach(&r, q->o->question, &first, q->k[index], block, token, e)) &&
        r.both.end > first.end && (empty || r.lacked || !is_apart(first.text, r.both.text)) &&
        !(rc = sentence_headed(&r.both, q->k[index], block, q->o->question, e)) &&
        !(rc = fits(q, r.both.text, &whole, e)) && whole) {
        better = empty;
        if (!better)
            rc = judge_next(q, &first, &r, &better, e);
    }
    if (!rc && better) {
        focus_go_on(q, best, r.on);
        // A time or a number, that is: a name may be anybody's.
        if (q->judged.signs.lacking && tells(q->o->question, first.text, r.both.text) &&
            (asked_lacks_value(q->o->question, first.text) ||
             asked_fit(q->o->question, r.both.text) > asked_fit(q->o->question, first.text)))
            q->judged.signs.lacking = 0;
    }
    sentence_done(&first);
    sentence_done(&r.both);
    return rc;
}
