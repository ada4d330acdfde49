#define _GNU_SOURCE // asprintf, strcasestr
#include "engine/question/apart.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 200 }; // bytes of a question

// A part of the question.
struct piece {
    const char *p;
    int n;
};

static struct piece piece(const char *from, const char *to)
{
    while (from < to && *from == ' ')
        from++;
    while (to > from && strchr(" ?.,", to[-1]))
        to--;
    return (struct piece){from, (int)(to - from)};
}

// The length of the first of WORDS [n] that P begins with, 0: with none.
static size_t begins(const char *p, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strncasecmp(p, words[i], strlen(words[i])))
            return strlen(words[i]);
    return 0;
}

// Divides TEXT at BETWEEN, where that stands once. 0: it does not.
static int divide(const char *text, const char *between, struct piece *a, struct piece *b)
{
    const char *at = strcasestr(text, between), *end = text + strlen(text);
    if (!at || strcasestr(at + 1, between))
        return 0;
    *a = piece(text, at);
    *b = piece(at + strlen(between), end);
    return a->n && b->n;
}

// What QUESTION wants the difference of.
static int differ(const char *question, struct piece *a, struct piece *b)
{
    static const char *const between[] = {"what is the difference between ",
                                          "what are the differences between ",
                                          "what's the difference between ", "difference between ",
                                          "compare "},
                             *const differs[] = {"how does ", "how do "};
    size_t n = begins(question, between, sizeof between / sizeof *between);
    if (n)
        return divide(question + n, " and ", a, b) || divide(question + n, " with ", a, b);
    n = begins(question, differs, sizeof differs / sizeof *differs);
    if (n && divide(question + n, " differ from ", a, b))
        return 1;
    return divide(question, " versus ", a, b) || divide(question, " vs ", a, b) ||
           divide(question, " vs. ", a, b);
}

// Whether A is a word or two of a thing that something has, without "of".
static int is_of_few_words(struct piece a)
{
    enum { FEW = 3 };
    int words = 1;
    for (int i = 0; i < a.n; i++) {
        words += a.p[i] == ' ';
        if (strchr("\"'(),;:", a.p[i]))
            return 0;
    }
    return words <= FEW;
}

// The words of QUESTION before two things that OF something are asked for, BE; these and it.
static int two_of(const char *question, struct piece *be, struct piece *a, struct piece *b,
                  struct piece *of)
{
    static const char *const starts[] = {"what is ", "what are ", "what was ", "what were "},
                             *const joins[] = {" of ", " for "};
    const size_t n = begins(question, starts, sizeof starts / sizeof *starts);
    const char *end = NULL;
    char both[LONGEST];
    if (!n)
        return 0;
    *be = (struct piece){question, (int)n};
    const char *join = strcasestr(question + n, " and ");
    for (size_t i = 0; join && !end && i < sizeof joins / sizeof *joins; i++)
        if ((end = strcasestr(join + 1, joins[i])))
            *of = piece(end, question + strlen(question));
    if (!end || strcasestr(end, " and "))
        return 0;
    memcpy(both, question + n, (size_t)(end - question) - n);
    both[(size_t)(end - question) - n] = 0;
    if (!divide(both, " and ", a, b) || !is_of_few_words(*a) || !is_of_few_words(*b))
        return 0;
    *a = (struct piece){question + n + (a->p - both), a->n};
    *b = (struct piece){question + n + (b->p - both), b->n};
    return 1;
}

int apart_divide(const char *question, char **first, char **second, struct err *e)
{
    struct piece a, b, be, of;
    int n = 0, m = 0;
    *first = *second = NULL;
    if (strlen(question) >= LONGEST)
        return 0;
    if (differ(question, &a, &b)) {
        n = asprintf(first, "What is %.*s?", a.n, a.p);
        m = asprintf(second, "What is %.*s?", b.n, b.p);
    } else if (two_of(question, &be, &a, &b, &of)) {
        const int the = b.n > 4 && !strncasecmp(b.p, "the ", 4);
        const char *article = !the && !strncasecmp(a.p, "the ", 4) ? "the " : "";
        n = asprintf(first, "%.*s%.*s %.*s?", be.n, be.p, a.n, a.p, of.n, of.p);
        m = asprintf(second, "%.*s%s%.*s %.*s?", be.n, be.p, article, b.n, b.p, of.n, of.p);
    } else {
        return 0;
    }
    *first = n < 0 ? NULL : *first;
    *second = m < 0 ? NULL : *second;
    return n < 0 || m < 0 ? err_set(e, ERR_NOMEM, "out of memory (two things asked for)") : 1;
}
