// memmem
#define _GNU_SOURCE
#include "engine/question/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/question/anew.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    TITLE = 160,     // bytes; a longer first paragraph is no title,
    TITLE_LINES = 2, // nor one of more lines
    HEAD = 400,      // bytes: title, parties, edition
    BEGINNING = 800, // bytes: what it is about may be told here, as of the first of many entries
};

// Of a question: what a name can follow, what can follow a name, and all others that say nothing of
// what is asked for.
static const char BEFORE[] = " about at by for from in inside of on to under with within ";
static const char ARTICLES[] = " our the this your ";
static const char LITTLE[] =
    WORDLIST_OF_QUESTIONS " but ever might not shall some soon than them those ";

// In other languages more than names have capitals.
static const char ENGLISH[] = WORDLIST_ASKING " are did do does is the were ";
// What a document may be called by, behind one of BEFORE: "in the lease".
static const char KINDS[] =
    WORDLIST_OF_TEXTS " agreement chapter guide handbook letter letters minutes novel thesis ";

struct named {
    struct anew w;              // the question
    const struct named_text *d; // [n]
    int n;
    int which;    // the document, once it is known; -1
    int subjects; // names that became "they"
    int several;  // names of several documents
};

// Whether the I-th word says something of what is asked for.
static int says(const struct named *q, int i)
{
    return !anew_is(&q->w, i, LITTLE) && !anew_is(&q->w, i, BEFORE) && !anew_is(&q->w, i, ARTICLES);
}

// "May", "Mondays"
static int is_date(const struct named *q, int i)
{
    const char *word = q->w.question + q->w.v[i].from;
    const size_t n = q->w.v[i].to - q->w.v[i].from;
    return word_is_listed(WORDLIST_DATES, word, n) ||
           (n > 1 && word[n - 1] == 's' && word_is_listed(WORDLIST_DATES, word, n - 1));
}

static int is_capital(const struct named *q, int i)
{
    return is_upper(q->w.question[q->w.v[i].from]) && says(q, i) && !is_date(q, i);
}

// Whether word I and the next one stand side by side.
static int joined(const struct named *q, int i)
{
    return i + 1 < q->w.n_words && q->w.v[i + 1].from == q->w.v[i].to + 1 &&
           q->w.question[q->w.v[i].to] == ' ';
}

// "in the lease", with no word behind it
static int is_kind(const struct named *q, int i)
{
    return anew_is(&q->w, i, KINDS) && anew_is(&q->w, i - 1, ARTICLES) &&
           anew_is(&q->w, i - 2, BEFORE) && !joined(q, i);
}

// Behind the last word of the name that begins with word I, which is not the question's first one.
static int name_end(const struct named *q, int i)
{
    int end = i;
    if (is_kind(q, i))
        return i + 1;
    if (i < 1 || !is_capital(q, i))
        return i;
    for (end++; joined(q, end - 1); end++)
        if (!is_capital(q, end) && !is_digit(q->w.question[q->w.v[end].from]))
            break;
    return end;
}

// A title is a paragraph of its own of few lines, none of which ends as a sentence does.
static size_t title_of(const char *text, size_t n)
{
    size_t at = 0, lines = 0;
    while (at < n && is_space(text[at]))
        at++;
    for (; at < n && at <= TITLE && text[at] != '\n'; lines++) {
        const char *end = memchr(text + at, '\n', n - at);
        if (!end || end == text + at || lines == TITLE_LINES || is_one_of(end[-1], ".!?"))
            return 0;
        at = (size_t)(end - text) + 1;
    }
    return at <= TITLE ? at : 0;
}

// Whether the first N bytes of TEXT have all words of a name.
static int has_all(const struct named *q, int from, int to, const char *text, size_t n)
{
    for (int i = from; i < to; i++)
        if (!word_form_is_in(text, n, q->w.question + q->w.v[i].from,
                             q->w.v[i].to - q->w.v[i].from))
            return 0;
    return n > 0;
}

// Whether WORDS [n] are in D, from byte AT on, in small letters or capitals.
static int is_in(const struct named_text *d, size_t at, const char *words, size_t n)
{
    for (; at + n <= d->n; at++)
        if ((d->text[at] | 0x20) == (*words | 0x20) && !strncasecmp(d->text + at, words, n) &&
            (!at || !word_has(d->text[at - 1])))
            return 1;
    return 0;
}

static int name_is_in(const struct named *q, int from, int to, const struct named_text *d,
                      size_t at)
{
    const size_t name = q->w.v[from].from;
    return is_in(d, at, q->w.question + name, q->w.v[to - 1].to - name);
}

// Whether the paragraph of D in which words FROM to TO are all met within the first lines is prose:
// its last sentence has a stop. The first of many records is not what all of them are about.
static int are_in_prose(const struct named *q, int from, int to, const struct named_text *d)
{
    const size_t head = d->n < HEAD ? d->n : HEAD;
    for (size_t at = 0, end; at < head; at = end) {
        const char *gap = memmem(d->text + at, d->n - at, "\n\n", 2);
        end = gap ? (size_t)(gap - d->text) + 2 : d->n;
        if (!has_all(q, from, to, d->text + at, (end < head ? end : head) - at))
            continue;
        size_t last = end;
        while (last > at && is_space(d->text[last - 1]))
            last--;
        return last > at && is_one_of(d->text[last - 1], ".!?");
    }
    return 0;
}

static int bears(const struct named *q, int from, int to, const struct named_text *d)
{
    return has_all(q, from, to, d->text, title_of(d->text, d->n)) ||
           (are_in_prose(q, from, to, d) && !name_is_in(q, from, to, d, HEAD));
}

// The document that bears the name of words FROM to TO; -1: none, or others have the name, too.
static int bearer(const struct named *q, int from, int to)
{
    int which = -1;
    for (int i = 0; i < q->n; i++)
        if (bears(q, from, to, &q->d[i])) {
            if (which >= 0)
                return -1;
            which = i;
        }
    for (int i = 0; which >= 0 && i < q->n; i++)
        if (i != which && name_is_in(q, from, to, &q->d[i], 0))
            return -1;
    return which;
}

// Whether the I-th word is a noun in document D: an article is before it somewhere.
static int is_noun(const struct named *q, int i, const struct named_text *d)
{
    static const char *const articles[] = {"the ", "a ", "an ", "this "};
    char with[64];
    const int n = (int)(q->w.v[i].to - q->w.v[i].from);
    for (size_t k = 0; k < sizeof articles / sizeof *articles; k++) {
        int all =
            snprintf(with, sizeof with, "%s%.*s", articles[k], n, q->w.question + q->w.v[i].from);
        if (all < (int)sizeof with && is_in(d, 0, with, (size_t)all))
            return 1;
    }
    return 0;
}

// What takes the place of a name of D, words FROM to TO, and what that is instead of: bytes A to B.
static const char *instead(const struct named *q, int from, int to, const struct named_text *d,
                           size_t *a, size_t *b)
{
    const int article = anew_is(&q->w, from - 1, ARTICLES), first = from - article,
              placed = anew_is(&q->w, first - 1, BEFORE);
    const char *question = q->w.question;
    *a = q->w.v[from].from;
    *b = q->w.v[to - 1].to;
    if (!strncmp(question + *b, "'s ", 3)) { // "the Larkspur's rooms"
        *b += 3;
        return article ? "" : "the ";
    }
    if (article && joined(q, to - 1) && says(q, to) &&
        ((placed && to + 1 < q->w.n_words) || is_noun(q, to, d))) { // "in the Larkspur hotel"
        *b = q->w.v[to].from;
        return "";
    }
    *a = q->w.v[first].from;
    if (!placed)
        return "they";
    const int according = first > 1 && anew_is(&q->w, first - 2, " according ");
    *a = q->w.v[first - 1 - according].from;
    *a -= *a > 0; // the blank before "of the Larkspur"
    return "";
}

// Takes over words FROM to TO: a name, or one word that is none.
static void take(struct named *q, int from, int to)
{
    const int which = to > from ? bearer(q, from, to) : -1;
    if (which < 0)
        return;
    size_t a, b;
    const char *word = instead(q, from, to, &q->d[which], &a, &b);
    a = a > q->w.at ? a : q->w.at; // the blank between two names may be gone already
    anew_put(&q->w, a, b, word);
    q->w.at += q->w.n ? 0 : strspn(q->w.question + b, ", "); // "In the Larkspur, "
    q->subjects += !strcmp(word, "they");
    q->several |= q->which >= 0 && q->which != which;
    q->which = which;
}

// Whether QUESTION, which is without the names of D, asks for something else, of which the
// beginning of D says little: there the name would help.
static int asks_on(const char *question, int subjects, const struct named_text *d)
{
    struct named q = {.w.question = question};
    const size_t n = d->n < BEGINNING ? d->n : BEGINNING;
    int left = 0, there = 0;
    anew_words(&q.w);
    for (int i = 0; i < q.w.n_words; i++)
        if (says(&q, i)) {
            const char *word = question + q.w.v[i].from;
            left++;
            there += word_form_is_in(d->text, n, word, q.w.v[i].to - q.w.v[i].from);
        }
    return left > (subjects > 0) && 2 * there < left;
}

int named_left_out(char **out, int *which, const char *question, const struct named_text *d, int n,
                   struct err *e)
{
    const size_t room = strlen(question) + ANEW_WORDS * sizeof "they";
    struct named q = {
        .w = {.question = question, .text = mem_new(room, 1, e)}, .d = d, .n = n, .which = -1};
    *out = NULL;
    if (!q.w.text)
        return ERR_NOMEM;
    anew_words(&q.w);
    int english = 0;
    for (int i = 0; i < q.w.n_words; i++)
        english |= anew_is(&q.w, i, ENGLISH);
    for (int i = 0, end; english && i<q.w.n_words; i = end> i ? end : i + 1) {
        end = name_end(&q, i);
        take(&q, i, end);
    }
    anew_end(&q.w);
    *which = q.which;
    if (q.which < 0 || q.several || !asks_on(q.w.text, q.subjects, &d[q.which]))
        free(q.w.text);
    else
        *out = q.w.text;
    return 0;
}
