#include "engine/ask/confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/lookup/texts.h"
#include "engine/method/bm25.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

// Weights of the signs, in log odds: of a logistic regression over questions that documents of many
// kinds answer and as many that they do not: about other things, about the same things, and with
// one name or number changed.
static const double EXPLAINED = 2.8, APART = 1.4, SAID = 3.3, NOWHERE = -2.2, UNKNOWN = -4.5,
                    NEITHER = -3.25;

// What nearness adds, likewise, by how much it is more than what is usual between a question and a
// sentence that may answer it as well as not. Of 445 right answers 311 instead of 306 get one half,
// of 119 questions without an answer 94 instead of 89 get less.
static const double NEAR = 6, USUAL = 0.5;

// What is left of the chance that a sentence without a time tells when something was, or one
// without a number how much something is: it may be the right one. Of 27 to which that happened, of
// 891 questions, 7 were answered right, at a mean score of 0.7.
static const double LACKING = 0.4;

// Words that say nothing of what is asked for.
static const char FUNCTION[] = WORDLIST_OF_QUESTIONS;

// Words of German (a list, words.h), where all nouns have a capital.
static const char GERMAN[] = " der das den dem des ein eine einen einem wer wen wem wie wo wann "
                             "warum ist sind ";

// Weights where it is known how near the question's words are to the sentence's: of a regression
// over 2,241 questions, beside which the signs above tell nothing more.
// Of 203 right answers in other words than the question's 70 instead of 10 get one half, of 185
// near misses 124 instead of 103 get less.
static const double FARTHEST = 7.6, NEARNESS = 1.6, NOT_THERE = -2.7, BASE = -3.5;

static double chance(const struct signs *s, double odds)
{
    return (s->lacking ? LACKING : 1) / (1 + exp(-odds));
}

double confidence_of(const struct signs *s)
{
    if (s->near <= 0 || s->least <= NOT_KNOWN)
        return confidence_plain(s);
    return chance(s,
                  BASE + FARTHEST * s->least + NEARNESS * s->near + (s->unknown ? NOT_THERE : 0));
}

double confidence_plain(const struct signs *s)
{
    const double odds = NEITHER + EXPLAINED * s->explained + APART * s->apart + SAID * s->said +
                        NOWHERE * s->nowhere + (s->unknown ? UNKNOWN : 0) +
                        (s->near > 0 ? NEAR * (s->near - USUAL) : 0);
    return chance(s, odds);
}

double confidence_explained(const double *before, const double *after, int n)
{
    double all = 0, saved = 0;
    for (int i = 0; i < n; i++) {
        all -= before[i];
        saved += fmax(after[i] - before[i], 0);
    }
    return all > 0 ? saved / all : 0;
}

double confidence_apart(double own, const double *all, int n)
{
    static const double LEAST = 0.1; // nats a token that sentences differ by for nothing
    double mean = 0, squares = 0;
    for (int i = 0; i < n; i++)
        mean += all[i] / n;
    for (int i = 0; i < n; i++)
        squares += (all[i] - mean) * (all[i] - mean) / n;
    return n ? (own - mean) / (sqrt(squares) + LEAST) : 0;
}

// Whether WORD [n] is one that English writes with a capital although it is no name, such as a
// month.
static int has_capital_anyway(const char *word, size_t n)
{
    return word_is_listed(" i ", word, n) || word_is_listed(WORDLIST_DATES, word, n);
}

// Whether only names begin with capitals in QUESTION, not every word or, as in German, every noun.
static int names_have_capitals(const char *question)
{
    char stem[WORD_STEM];
    size_t bytes, n = strlen(question);
    int first = 1;
    for (size_t at = 0; word_next(question, n, &at, stem, &bytes); first = 0) {
        const char *word = question + at - bytes;
        if (word_is_listed(GERMAN, word, bytes))
            return 0;
        if (!first && is_upper(*word) && word_is_in(FUNCTION, sizeof FUNCTION - 1, stem) &&
            !has_capital_anyway(word, bytes))
            return 0;
    }
    return 1;
}

int confidence_is_name(const char *question, size_t from, size_t n)
{
    const char *word = question + from;
    if (word_has_digit(word, n))
        return 1;
    size_t at = 0;
    char stem[WORD_STEM];
    const int first = word_next(question, from, &at, stem, NULL) == 0;
    return !first && n > 1 && is_upper(word[0]) && !is_upper(word[1]) &&
           !has_capital_anyway(word, n) && names_have_capitals(question);
}

// The names and numbers of QUESTION, a space behind each, to OUT [strlen(question) + 2].
static void names_of(const char *question, char *out)
{
    char stem[WORD_STEM];
    size_t bytes, to = 0, n = strlen(question);
    for (size_t at = 0; word_next(question, n, &at, stem, &bytes);)
        if (confidence_is_name(question, at - bytes, bytes)) {
            memcpy(out + to, question + at - bytes, bytes);
            to += bytes;
            out[to++] = ' ';
        }
    out[to] = 0;
}

// Copies WORD [n] to OUT [TERM] in small letters, joined by underscores, if it is written as a
// program writes a term that is no prose, with an underscore or a capital behind a small letter:
// "RestartSec". The stem of such a word is that of many. 0: it is not.
enum { TERM = 64 };
static int term_of(const char *word, size_t n, char *out)
{
    enum { LEAST = 5 };
    int is = 0;
    for (size_t i = 1; i < n; i++)
        is |= word[i] == '_' || (is_lower(word[i - 1]) && is_upper(word[i]));
    if (!is || n < LEAST || n >= TERM)
        return 0;
    size_t to = 0;
    for (size_t i = 0; i < n && to + 2 < TERM; i++) {
        if (i && is_lower(word[i - 1]) && is_upper(word[i]))
            out[to++] = '_';
        out[to++] = to_small(word[i]);
    }
    out[to] = 0;
    return 1;
}

// Whether TEXT [n] has TERM, or the same joined otherwise: max_size, max-size, maxsize, "max size".
static int has_term(const char *text, size_t n, const char *term)
{
    static const char joints[] = "_- ";
    char other[TERM];
    for (size_t i = 0; i < sizeof joints; i++) { // and none
        size_t to = 0, from = 0, bytes;
        for (const char *p = term; *p; p++)
            if (*p != '_' || joints[i])
                other[to++] = *p == '_' ? joints[i] : *p;
        other[to] = 0;
        if (name_next(other, text, n, &from, &bytes))
            return 1;
    }
    return 0;
}

// Whether QUESTION has a term of programs that stands nowhere in the texts: *LACKS.
static int lacks_term(const struct asking *q, const char *question, int *lacks, struct err *e)
{
    const size_t n = strlen(question);
    int rc = 0;
    *lacks = 0;
    for (size_t at = 0, bytes; rc >= 0 && !*lacks && (bytes = name_token(question, n, &at)) > 0;
         at += bytes) {
        char term[TERM];
        struct texts t;
        int found = 0;
        if (question[at] == '$') // of a shell's variable
            at++, bytes--;
        if (!term_of(question + at, bytes, term))
            continue;
        if ((rc = texts_are_there(q->k, q->n_k, e)) <= 0)
            return rc;
        texts_begin(&t, q->k, q->n_k);
        while (!found && (rc = texts_next(&t, e)) > 0)
            found = has_term(t.text, t.n, term);
        *lacks = !found;
    }
    return rc < 0 ? rc : 0;
}

int confidence_words(struct signs *s, const struct asking *q, const char *text, struct err *e)
{
    const char *question = question_itself(asking_told(q));
    const size_t room = strlen(question) + 2;
    struct bm25 *counts = NULL;
    int no_term = 0;
    char *words = mem_new(room, 1, e), *names = mem_new(room, 1, e);
    int rc = words && names ? 0 : ERR_NOMEM;
    if (!rc) {
        words_new(question, FUNCTION, words);
        names_of(question, names);
        rc = bm25_of(&counts, q->votes.ballot->counted, words, names, e);
    }
    if (!rc && !counts)
        rc = bm25_new(&counts, q->k, q->n_k, words, names, q->m->device->threads, e);
    if (!rc) {
        s->said = bm25_said(counts, text);
        s->nowhere = bm25_nowhere(counts);
        s->unknown = bm25_lacks(counts, names);
        s->lacking = asked_lacking(q->o->question, text);
        rc = lacks_term(q, question, &no_term, e);
        s->unknown |= no_term;
    }
    bm25_free(counts);
    free(words);
    free(names);
    return rc;
}
