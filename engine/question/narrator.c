// memmem
#define _GNU_SOURCE
#include "engine/question/narrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/question/anew.h"
#include "engine/question/teller.h"
#include "engine/words/chars.h"
#include "engine/words/text_span.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

// Who tells it, without a name.
static const char ROLES[] = " diarist interviewee narrator witness ";

// Whether the question has no capitals but the first.
static int is_small(const struct anew *q)
{
    for (int i = 1; i < q->n_words; i++)
        if (is_upper(q->question[q->v[i].from]))
            return 0;
    return 1;
}

// Bytes of the I-th word without a curled "'s".
static size_t bare(const struct anew *q, int i)
{
    const size_t n = q->v[i].to - q->v[i].from;
    return n > 4 && !memcmp(q->question + q->v[i].to - 4, "\xe2\x80\x99s", 4) ? n - 4 : n;
}

// Whether the I-th word is one of T's name.
static int is_of_name(const struct teller *t, const struct anew *q, int i)
{
    if (i >= q->n_words)
        return 0;
    const char *word = q->question + q->v[i].from;
    const size_t n = bare(q, i);
    const int may_be = is_upper(*word) || is_small(q);
    for (int k = 0; may_be && k < t->n_name; k++)
        if (t->name[k].to - t->name[k].from == n &&
            !strncasecmp(t->text + t->name[k].from, word, n))
            return !word_is_listed(WORDLIST_OF_QUESTIONS, word, n);
    return 0;
}

// Whether no more than a blank and MARKS are between word I and the one before it.
static int is_behind(const struct anew *q, int i, const char *marks)
{
    return i > 0 && i < q->n_words &&
           q->v[i - 1].to + strspn(q->question + q->v[i - 1].to, marks) == q->v[i].from;
}

static int is_joined(const struct anew *q, int i)
{
    return is_behind(q, i, " -\"");
}

// Whether the I-th word, one of T's name, is of another speaker's name, too: "Kowalczyk" of Stan.
static int is_shared(const struct teller *t, const struct anew *q, int i)
{
    for (int k = 0; k < t->n_v; k++) {
        const struct speaker *s = &t->v[k];
        char stem[WORD_STEM];
        size_t bytes, at = 0;
        int others = 0;
        while (word_next(s->label, s->n, &at, stem, &bytes)) {
            int own = word_is_listed(TELLER_TITLES, s->label + at - bytes, bytes);
            for (int j = 0; j < t->n_name; j++)
                own |= t->name[j].to - t->name[j].from == bytes &&
                       !strncasecmp(t->text + t->name[j].from, s->label + at - bytes, bytes);
            others += !own;
        }
        if (others && word_form_is_in(s->label, s->n, q->question + q->v[i].from, bare(q, i)))
            return 1;
    }
    return 0;
}

// Whether the I-th word belongs to a name beside it without being of it: "Stan" of "Stan
// Kowalczyk".
static int is_capital(const struct anew *q, int i)
{
    return i > 0 && i < q->n_words && is_upper(q->question[q->v[i].from]);
}

// Behind the name of T that begins with word I, at *FIRST with its title or article; I: none does.
static int name_end(const struct teller *t, const struct anew *q, int i, int *first)
{
    int end = i;
    *first = i;
    if (anew_is(q, i, ROLES) && anew_is(q, i - 1, " the ")) {
        *first = i - 1;
        return i + 1;
    }
    while (is_of_name(t, q, end) && (end == i || is_joined(q, end)))
        end++;
    if (end == i)
        return i;
    const int titled = is_behind(q, i, " .") && anew_is(q, i - 1, TELLER_TITLES);
    *first = i - titled;
    const int more = is_joined(q, end) && is_capital(q, end),
              less = titled ? end == i + 1 && is_shared(t, q, i)
                            : is_joined(q, i) && is_capital(q, i - 1);
    return more || less ? i : end;
}

// A question as it is written anew: how many names are replaced, how many of these have or do
// something, alone, and the last one of them.
struct told {
    struct anew w;
    int names, alone;
    struct span_of_text name;
};

// Behind the name of another one that "and" joins to the name of T before word I; I: none is.
static int partner_end(const struct teller *t, const struct anew *q, int i)
{
    enum { NAMED = 64 };
    int end = i + 1;
    if (!anew_is(q, i, " and ") || !is_capital(q, end))
        return i;
    // Whose name T says with his own is named.
    char named[NAMED];
    const int n = snprintf(named, sizeof named, "%.*s and I ", (int)bare(q, end),
                           q->question + q->v[end].from);
    if (n < (int)sizeof named && memmem(t->text, t->n, named, (size_t)n))
        return i;
    for (end++; is_joined(q, end) && is_capital(q, end); end++)
        ;
    return end;
}

// Writes the verb that is word I as it is before "I". Returns whether it is another form.
static int put_verb(struct anew *q, int i)
{
    static const char *const verbs[][2] = {{" does ", "do "}, {" is ", "am "}, {" has ", "have "}};
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++)
        if (anew_is(q, i, verbs[k][0])) {
            anew_put(q, q->v[i].from, q->v[i].to + 1, verbs[k][1]);
            return 1;
        }
    return 0;
}

// Takes over the name of words FIRST to *END, with a partner's. Returns whether it was the subject
// or the object.
static int take_name_of(struct told *a, const struct teller *t, int first, int *end)
{
    static const char before[] = " about at by for from of on than to with ";
    const struct anew *q = &a->w;
    const int last = *end - 1, both = partner_end(t, q, *end);
    const size_t to = q->v[last].to;
    const int curled = bare(q, last) < to - q->v[last].from,
              straight = !strncmp(q->question + to, "'s", 2) && !word_has(q->question[to + 2]),
              owns = curled || straight || !strncmp(q->question + to, "' ", 2),
              object = anew_is(q, first - 1, before) ||
                       (*end == q->n_words && !anew_is(q, first - 1, WORDLIST_HELPING));
    const size_t behind = both > *end ? q->v[both - 1].to : to + (straight ? 2 : owns && !curled);
    a->names++;
    a->alone += both == *end && (owns || !object);
    a->name = (struct span_of_text){q->v[first].from, to};
    const char *now = both > *end ? "we" : owns ? "my" : object ? "me" : "I";
    const int alone = both == *end && !owns && !object && put_verb(&a->w, first - 1);
    anew_put(&a->w, alone ? a->w.at : q->v[first].from, behind, now);
    *end = both;
    return !owns;
}

// Whether WORD [n] stands on the line of T's head that has the name.
static int is_beside_name(const struct teller *t, const char *word, size_t n)
{
    if (!t->in_head)
        return 0;
    size_t from = t->name[0].from;
    while (from && t->text[from - 1] != '\n')
        from--;
    const char *end = memchr(t->text + from, '\n', t->n - from);
    const size_t to = end ? (size_t)(end - t->text) : t->n;
    return word_form_is_in(t->text + from, to - from, word, n);
}

// Whether QUESTION asks for something else than who T is, and than what stands beside the name: it
// has another word that says something.
static int asks_on(const struct teller *t, const char *question)
{
    static const char little[] = WORDLIST_OF_QUESTIONS " about am describe full held interview "
                                                       "interviewed interviewer name names "
                                                       "recorded recording tell ";
    struct anew q = {.question = question};
    int left = 0;
    anew_words(&q);
    for (int i = 0; i < q.n_words; i++)
        left += !anew_is(&q, i, little) && !anew_is(&q, i, ROLES) &&
                !is_beside_name(t, question + q.v[i].from, q.v[i].to - q.v[i].from);
    return left > 0;
}

// QUESTION as T tells it, to OUT; 0: his name is not in it.
static int as_told(struct told *a, const struct teller *t, const char *question, char *out)
{
    *a = (struct told){.w = {.question = question, .text = out}};
    struct anew *q = &a->w;
    int named = 0; // and nobody else since then
    anew_words(q);
    for (int i = 0, end, first; i<q->n_words; i = end> i ? end : i + 1) {
        end = name_end(t, q, i, &first);
        if (end > i)
            named = take_name_of(a, t, first, &end);
        else if (named && anew_is(q, i, " he she "))
            anew_put(q, q->v[i].from, q->v[i].to, "I");
        else
            named &= !is_capital(q, i);
    }
    anew_end(q);
    return a->names > 0 && asks_on(t, out);
}

// Whether another document than WHICH of D [n] has NAME [bytes].
static int others_have(const struct named_text *d, int n, int which, const char *name, size_t bytes)
{
    for (int i = 0; i < n; i++)
        if (i != which && memmem(d[i].text, d[i].n, name, bytes))
            return 1;
    return 0;
}

int narrator_asked(char **out, int *which, const char *question, const struct named_text *d, int n,
                   struct err *e)
{
    struct teller t;
    *out = NULL;
    *which = -1;
    // No name is shorter than what takes its place.
    char *text = mem_new(strlen(question) + 1, 1, e);
    if (!text)
        return ERR_NOMEM;
    struct told a = {.names = 0};
    for (int i = 0; i < n && *which < 0; i++) {
        teller_find(&t, &d[i]);
        if (t.n_name && as_told(&a, &t, question, text))
            *which = i;
    }
    if (*which < 0 || others_have(d, n, *which, question + a.name.from, span_bytes(a.name)))
        free(text);
    else
        *out = text;
    return 0;
}

// QUESTION as the one of D's speakers would ask it who has or does something there, to OUT and A.
static int as_spoken(struct told *a, const struct named_text *d, const char *question, char *out)
{
    struct teller t;
    teller_find(&t, d);
    for (int i = 0, talk = teller_is_talk(&t); talk && i < t.n_v; i++)
        if (teller_take(&t, i) && as_told(a, &t, question, out) &&
            teller_is_only(&t, i, question + a->name.from, span_bytes(a->name)))
            return a->alone == a->names;
    return 0;
}

int narrator_spoken(char **out, char **who, int *which, const char *question,
                    const struct named_text *d, int n, struct err *e)
{
    struct told a;
    *out = *who = NULL;
    *which = -1;
    char *text = mem_new(strlen(question) + 1, 1, e);
    if (!text)
        return ERR_NOMEM;
    for (int i = 0; i < n && *which < 0; i++)
        if (as_spoken(&a, &d[i], question, text))
            *which = i;
    const char *name = *which < 0 ? NULL : question + a.name.from;
    if (!name || others_have(d, n, *which, name, span_bytes(a.name))) {
        free(text);
        return 0;
    }
    *out = text;
    if ((*who = mem_new(span_bytes(a.name) + 1, 1, e)))
        memcpy(*who, name, span_bytes(a.name));
    return *who ? 0 : ERR_NOMEM;
}
