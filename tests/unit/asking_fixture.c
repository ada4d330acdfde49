#include "tests/unit/asking_fixture.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "engine/ask/chosen.h"
#include "engine/ask/focus.h"
#include "engine/ask/follow.h"
#include "engine/ask/judge.h"
#include "engine/passage/sentence.h"
#include "engine/ask/votes.h"
#include "tests/unit/ok.h"

void asking_begin(struct asking *q)
{
    const char *question = q->o->question;
    OK(method_of_index(&q->how.parts, kvz_meta(q->k[0]), q->m, e));
    OK(prompt_text(&q->prompts.ranked, q->m, question, TOK_PLAIN, e));
    OK(prompt_probe(&q->prompts.probe, q->m, question, 0, e));
    OK(prompt_question(&q->prompts.read, q->m, q->how.chat, NULL, question, NULL, e));
}

void asking_vote(struct asking *q)
{
    OK(ballot_new(&q->votes.ballot, q->m, q->k, q->n_k, &q->how.parts, q->o->question, e));
    OK(votes_cast(q, e));
}

void asking_judge(struct asking *q, uint64_t block, uint32_t token, double likelihood)
{
    const struct prompt *p = &q->prompts.read;
    struct sentence v;
    q->votes.ballot->order[0] = (int64_t)block;
    OK(focus_at(q, (int64_t)block, token, e));
    OK(chosen_sentence(&v, q, (int64_t)block, e));
    OK(judge_new(&q->judged.judge,
                 &(struct judging){.m = q->m,
                                   .chat = q->how.chat,
                                   .question = p->ids + p->question_from,
                                   .n_question = p->question_to - p->question_from,
                                   .texts = 1 + FOLLOW_TEXTS},
                 e));
    OK(judge_text(&q->judged.judge, v.text, e));
    OK(judge_end(&q->judged.judge, e));
    q->judged.judge.likelihood[0] = likelihood;
    sentence_done(&v);
}
