#define _GNU_SOURCE
#include "engine/answer/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text/lines.h"
#include "engine/text/words.h"
#include "io/mem.h"

// Words that every sentence may have, whatever it says.
static const char FUNCTION[] =
    "a an and are as at be been by for from had has have he her his in is it its not of on or she "
    "so that the their there these they this to was were which who will with would";

static int says_nothing(const struct quote *q, const char *text)
{
    return (q->asked && words_known(text, q->asked, FUNCTION)) ||
           (q->news && *q->news && !words_any(q->news, text, strlen(text)));
}

int quote_is_better(const struct quote *q, const char *text, size_t n, int n_tokens)
{
    return q->n && (q->always || q->cost >= (double)q->doubt * n_tokens || line_asks(text, n) ||
                    says_nothing(q, n ? text : ""));
}

int news_new(char **out, const char *sentence, const char *led, const char *question, struct err *e)
{
    char *known;
    if (asprintf(&known, "%s %s %s", FUNCTION, question, led) < 0)
        return err_set(e, ERR_NOMEM, "out of memory (words of a question)");
    int rc = (*out = mem_new(strlen(sentence) + 2, 1, e)) ? 0 : ERR_NOMEM;
    if (!rc)
        words_new(sentence, known, *out);
    free(known);
    return rc;
}
