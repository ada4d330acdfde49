// Cases that what was said leaves out, told right behind it: "Your settings survive an update from
// 3.x. From 2.x they do not."
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// The token of T at which it denies of a case that it names first what was said before it: "they"
// of "From 2.x they do not"; -1: it does no such thing.
static int denied_case(const struct changed_tokens *t)
{
    enum { LONGEST = 8 }; // tokens of a case
    static const char leads[] = " at by for from if in on to under when where with without ",
                      it[] = " he it she that these they this those ",
                      verbs[] =
                          " are can cannot did do does had has have is may must shall was were "
                          "will ";
    if (!changed_is(t, 0, leads))
        return -1;
    for (int i = 1; i <= LONGEST; i++)
        if (changed_is(t, i, it) && changed_is(t, i + 1, verbs) && changed_is(t, i + 2, " not "))
            return i;
    return -1;
}

int changed_case(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    const size_t asked = strlen(s->question);
    struct span_of_text v;
    struct changed_tokens t, question;
    size_t at = s->said.to;
    l->near = s->said;
    if (!changed_next(s, &at, &v) || v.from != at)
        return 0;
    changed_tokens(&t, s->text, v.from, v.to);
    changed_tokens(&question, s->question, 0, asked);
    const int to = denied_case(&t);
    for (int i = 1; i < to; i++) {
        const char *word = s->text + t.v[i].at.from;
        const size_t n = span_bytes(t.v[i].at);
        char stem[WORD_STEM];
        size_t from = 0;
        int is_asked = 0;
        for (int k = 0; t.v[i].is_number && k < question.n; k++)
            is_asked |= question.v[k].is_number && question.v[k].number == t.v[i].number;
        if (!t.v[i].is_number)
            is_asked = word_next(word, n, &from, stem, NULL) && changed_word_tells(n, stem) &&
                       word_form_is_in(s->question, asked, word, n);
        if (is_asked && !words_stand_in(s->text + s->said.from, span_bytes(s->said), word, n))
            return changed_found(l, v);
    }
    return 0;
}
