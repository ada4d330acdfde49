#include "engine/ask/quote.h"

#include <math.h>

void quote_pay(struct quote *q, const float *logits, int n_vocab, uint32_t id)
{
    float most = logits[0];
    double sum = 0;
    if (!q->n)
        return;
    for (int i = 1; i < n_vocab; i++)
        most = logits[i] > most ? logits[i] : most;
    for (int i = 0; i < n_vocab; i++)
        sum += (double)expf(logits[i] - most);
    q->cost += log(sum) - (double)(logits[id] - most);
}

int quote_is_better(const struct quote *q, int n_tokens)
{
    return q->n && q->cost >= (double)q->doubt * n_tokens;
}
