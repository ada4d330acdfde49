#include "engine/question/anew.h"

#include <string.h>

#include "engine/words/words.h"

void anew_words(struct anew *w)
{
    char stem[WORD_STEM];
    size_t bytes;
    const size_t n = strlen(w->question);
    for (size_t at = 0; w->n_words < ANEW_WORDS && word_next(w->question, n, &at, stem, &bytes);)
        w->v[w->n_words++] = (struct span_of_text){at - bytes, at};
}

int anew_is(const struct anew *w, int i, const char *list)
{
    return i >= 0 && i < w->n_words &&
           word_is_listed(list, w->question + w->v[i].from, span_bytes(w->v[i]));
}

static void take(struct anew *w, const char *text, size_t n)
{
    memcpy(w->text + w->n, text, n);
    w->n += n;
}

void anew_put(struct anew *w, size_t from, size_t to, const char *words)
{
    take(w, w->question + w->at, from - w->at);
    take(w, words, strlen(words));
    w->at = to;
}

void anew_end(struct anew *w)
{
    take(w, w->question + w->at, strlen(w->question + w->at) + 1);
    w->n--;
}
