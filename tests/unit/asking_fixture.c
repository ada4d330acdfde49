#include "tests/unit/asking_fixture.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tests/unit/ok.h"

void asking_begin(struct asking *q)
{
    const char *question = q->o->question;
    OK(method_of_index(&q->parts, kvz_meta(q->k[0]), q->m, e));
    q->tail_first = calloc((size_t)q->n_k, sizeof *q->tail_first);
    assert_non_null(q->tail_first);
    OK(prompt_text(&q->ranked, q->m, question, TOK_PLAIN, e));
    OK(prompt_probe(&q->probe, q->m, question, 0, e));
    OK(prompt_question(&q->prompt, q->m, q->chat, NULL, question, NULL, e));
}

void asking_vote(struct asking *q)
{
    OK(ballot_new(&q->ballot, q->m, q->k, q->n_k, &q->parts, q->o->question, e));
    OK(cast_votes(q, e));
}
