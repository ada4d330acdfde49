#include "engine/ask/quote.h"

#include <math.h>

#include "engine/ask/lines.h"

double quote_cost(const float *logits, int n_vocab, uint32_t id)
{
    float most = logits[0];
    double sum = 0;
    for (int i = 1; i < n_vocab; i++)
        most = logits[i] > most ? logits[i] : most;
    for (int i = 0; i < n_vocab; i++)
        sum += (double)expf(logits[i] - most);
    return log(sum) - (double)(logits[id] - most);
}

int quote_is_better(const struct quote *q, const char *text, size_t n, int n_tokens)
{
    return q->n && (q->cost >= (double)q->doubt * n_tokens || line_asks(text, n));
}
