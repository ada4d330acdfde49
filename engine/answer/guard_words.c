// The words of a text that is guarded.
#include "engine/answer/guard_impl.h"

void guard_look_at(struct guard_text *t, const char *text, size_t n)
{
    size_t at = 0;
    int i = 0;
    t->text = text;
    t->n = n;
    for (; i < GUARD_WORDS && word_next(text, n, &at, t->stem[i], &t->bytes[i]); i++)
        t->at[i] = at - t->bytes[i];
    t->words = i;
}
