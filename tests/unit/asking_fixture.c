#include "tests/unit/asking_fixture.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

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
