#include "engine/question/order.h"

#include <string.h>
#include <strings.h>

#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum { WORDS = 64, VERB = 24 };

// Lists of words (words.h).
static const char WHETHER[] = " whether if ";
// Verbs that change places with what they are said of.
static const char HELPING[] =
    " is are was were am can could will would shall should may might must ";
static const char HAVING[] = " has have had ";
// Verbs that ask with "does"; in the third person with an "s" more, as is what is beyond them.
static const char VERBS[] =
    " say state mean cost end start begin need contain include cover last take require allow live "
    "work pay give get come go use stand apply expire open close run keep hold belong refer want "
    "make know own weigh recommend do happen charge provide receive ";
// Their past where it does not end with "ed", each before the verb itself.
static const char *const PAST[][2] = {
    {"said", "say"},   {"meant", "mean"},    {"began", "begin"}, {"went", "go"},
    {"came", "come"},  {"took", "take"},     {"paid", "pay"},    {"got", "get"},
    {"gave", "give"},  {"made", "make"},     {"wrote", "write"}, {"bought", "buy"},
    {"found", "find"}, {"left", "leave"},    {"met", "meet"},    {"won", "win"},
    {"held", "hold"},  {"became", "become"}, {"did", "do"},      {"had", "have"}};
// What a thing that something is said of begins with.
static const char BEGINS[] = WORDLIST_ARTICLES
    " my our your his her its their this that these those each every all any no it he she they we "
    "i you there ";
static const char SEVERAL[] = " i you we they these those ";
// Behind these words another statement begins.
static const char ANEW[] = WORDLIST_WHO " which that if when where because while whether as so ";
static const char BEFORE[] = WORDLIST_BEFORE_ASKING " under about into per between ";
// Behind "how", what is asked for.
static const char MEASURES[] = " long often old far big large high heavy tall wide deep soon fast "
                               "late early quickly strong thick hot loud ";

struct question {
    struct {
        const char *p;
        size_t n; // without the marks behind it
        int ends; // 1: a mark is behind it
    } v[WORDS];
    int n;
};

struct order {
    int subject, verb; // of the question's words
    char with[VERB];   // "does", "do" or "did" before the subject; empty: the verb itself,
    char base[VERB];   // and the verb as it is then
};

static int split(struct question *q, const char *p, size_t n)
{
    const char *end = p + n;
    for (q->n = 0;;) {
        while (p < end && is_space(*p))
            p++;
        if (p == end)
            return 1;
        if (q->n == WORDS)
            return 0;
        const char *from = p;
        while (p < end && !is_space(*p))
            p++;
        n = (size_t)(p - from);
        while (n && is_one_of(from[n - 1], ",.;:?!"))
            n--;
        q->v[q->n].p = from;
        q->v[q->n].n = n;
        q->v[q->n++].ends = n < (size_t)(p - from);
    }
}

static int is_in(const struct question *q, int i, const char *list)
{
    return i < q->n && word_is_listed(list, q->v[i].p, q->v[i].n);
}

// Whether word I begins what something is said of: "the", a name, a number, or a word before a
// number ("section 6.5").
static int begins(const struct question *q, int i)
{
    const char c = i < q->n && q->v[i].n ? q->v[i].p[0] : 0;
    return is_in(q, i, BEGINS) || is_upper(c) || is_digit(c) || is_one_of(c, "\"'`-") ||
           (unsigned char)c >= 0x80 ||
           (i + 1 < q->n && word_has_digit(q->v[i + 1].p, q->v[i + 1].n) && !is_in(q, i, BEFORE));
}

// Writes the verb of which P [n] is the third person to BASE; 0: it is too long, or none.
static int third_person(const char *p, size_t n, char base[VERB])
{
    if (n < 4 || n >= VERB || p[n - 1] != 's' || is_one_of(p[n - 2], "sui'"))
        return 0;
    size_t m = n - 1;
    if (m > 3 && !strncmp(p + m - 2, "ie", 2)) {
        memcpy(base, p, m);
        strcpy(base + m - 2, "y");
        return 1;
    }
    const char before = p[m - 2];
    if (p[m - 1] == 'e' &&
        (is_one_of(before, "sxo") || (before == 'h' && is_one_of(p[m - 3], "sc"))) &&
        strncmp(p, "close", 5) != 0 && strncmp(p, "use", 3) != 0)
        m--;
    memcpy(base, p, m);
    base[m] = 0;
    return 1;
}

static int has(const struct question *q, int i, const char *word)
{
    return q->v[i].n == strlen(word) && !strncasecmp(q->v[i].p, word, q->v[i].n);
}

// Whether word I is a verb that asks with "does", "do" or "did", where that is said of the words
// from SUBJECT on; at the END of the statement any word with an "s" may be one.
static int asks_with(const struct question *q, int subject, int i, int end, struct order *o)
{
    const char *p = q->v[i].p;
    const size_t n = q->v[i].n, before = q->v[i - 1].n;
    const int several =
        is_in(q, i - 1, SEVERAL) || (before > 2 && q->v[i - 1].p[before - 1] == 's');
    const int one = i - 1 == subject && begins(q, subject);
    o->with[0] = 0;
    if (has(q, i, "has") || has(q, i, "have")) {
        strcpy(o->with, has(q, i, "has") ? "does" : "do");
        strcpy(o->base, "have");
        return 1;
    }
    for (size_t k = 0; k < sizeof PAST / sizeof *PAST; k++)
        if (has(q, i, PAST[k][0]) && (one || end || has(q, i, "had"))) {
            strcpy(o->with, "did");
            strcpy(o->base, PAST[k][1]);
            return 1;
        }
    if (several && n < VERB && word_is_listed(VERBS, p, n)) {
        strcpy(o->with, "do");
        memcpy(o->base, p, n);
        o->base[n] = 0;
        return 1;
    }
    if (third_person(p, n, o->base) && (end || word_is_listed(VERBS, o->base, strlen(o->base)))) {
        strcpy(o->with, "does");
        return 1;
    }
    for (size_t cut = 1; cut <= 2 && n > 4 && n < VERB && (one || end); cut++)
        if (!strncasecmp(p + n - 2, "ed", 2) && word_is_listed(VERBS, p, n - cut)) {
            strcpy(o->with, "did");
            memcpy(o->base, p, n - cut);
            o->base[n - cut] = 0;
            return 1;
        }
    return 0;
}

// Whether word I, one of HAVING, helps another verb: "has been", "had not paid".
static int helps(const struct question *q, int i)
{
    static const char others[] = " been not ever already become got gone done had made paid ";
    const size_t n = i + 1 < q->n ? q->v[i + 1].n : 0;
    return is_in(q, i + 1, others) || (n > 4 && (!strncasecmp(q->v[i + 1].p + n - 2, "ed", 2) ||
                                                 !strncasecmp(q->v[i + 1].p + n - 2, "en", 2)));
}

// Whether word I may be a verb, with nothing before it that it is said of.
static int is_verb(const struct question *q, int i)
{
    struct order o;
    const size_t n = i < q->n ? q->v[i].n : 0;
    if (!n || is_in(q, i, HELPING) || is_in(q, i, HAVING) || is_in(q, i, " does do did to "))
        return 1;
    for (size_t k = 0; k < sizeof PAST / sizeof *PAST; k++)
        if (has(q, i, PAST[k][0]))
            return 1;
    return (n > 4 && !strncasecmp(q->v[i].p + n - 2, "ed", 2)) ||
           (third_person(q->v[i].p, n, o.base) && word_is_listed(VERBS, o.base, strlen(o.base)));
}

// The word "to" that Q has right behind its asking words ("how to clean it"); 0: it has none.
static int find_to(const struct question *q)
{
    const int at = 1 + is_in(q, 0, QUESTION_LEADS);
    return at + 1 < q->n && is_in(q, at, " to ") ? at : 0;
}

// The word that O's subject begins with, behind the asking words of Q; 0: the order is that of a
// question, or it is not plain.
static int find_subject(const struct question *q)
{
    int at = is_in(q, 0, QUESTION_LEADS), thing = is_in(q, at, " what which whose ");
    const int how = is_in(q, at, " how "), who = is_in(q, at, " who whom ");
    at++;
    if (how && is_in(q, at, " many much ")) {
        thing = 1;
        at++;
    } else if (how && is_in(q, at, MEASURES)) {
        at += 1 + is_in(q, at + 1, " ahead back away apart "); // "how far ahead"
    }
    if (at >= q->n || is_verb(q, at) || (who && !begins(q, at)))
        return 0;
    if (!thing || begins(q, at))
        return at;
    for (int i = at + 1; i < q->n && !q->v[i - 1].ends && !is_verb(q, i) && !is_in(q, i, ANEW); i++)
        if (begins(q, i))
            return is_in(q, i - 1, BEFORE) ? 0 : i;
    if (how && at + 2 < q->n && !is_verb(q, at + 1))
        return at + 1; // "how many times rent is mentioned"
    // "what wear and tear means"
    const int last = q->n - 1;
    return last > at && is_verb(q, last) && !is_in(q, last, " to ") ? at : 0;
}

static int find_order(const struct question *q, struct order *o)
{
    const int subject = o->subject = find_subject(q);
    int end = subject + 1;
    if (!subject)
        return 0;
    while (end < q->n && !q->v[end - 1].ends && !is_in(q, end, ANEW))
        end++;
    o->with[0] = 0;
    for (o->verb = subject + 1; o->verb < end; o->verb++)
        if ((is_in(q, o->verb, HELPING) || (is_in(q, o->verb, HAVING) && helps(q, o->verb))) &&
            !is_in(q, o->verb - 1, " to "))
            return 1;
    for (o->verb = subject + 1; o->verb < end; o->verb++)
        if (!is_in(q, o->verb - 1, " to " WORDLIST_ARTICLES) &&
            asks_with(q, subject, o->verb, o->verb + 1 == end, o))
            return 1;
    return 0;
}

// Writes the words FROM to TO of Q as they stand, with a space before them unless they are first.
static void write_words(FILE *out, const struct question *q, int from, int to, int *first)
{
    if (from >= to)
        return;
    const char *end = q->v[to - 1].p + q->v[to - 1].n;
    if (q->v[to - 1].ends && to < q->n)
        end = q->v[to].p;
    while (is_space(end[-1]))
        end--;
    fputs(*first ? "" : " ", out);
    fwrite(q->v[from].p, 1, (size_t)(end - q->v[from].p), out);
    *first = 0;
}

int order_asks(const char *p, size_t n)
{
    return word_is_listed(WORDLIST_ASKING, p, n) || word_is_listed(WHETHER, p, n);
}

int order_write(FILE *out, const char *p, size_t n)
{
    struct question q;
    struct order o;
    int first = 1;
    if (!split(&q, p, n))
        return fwrite(p, 1, n, out), 0;
    const int from = is_in(&q, 0, WHETHER);
    const int to = find_to(&q);
    if (to) {
        write_words(out, &q, from, to, &first);
        fputs(" do I", out);
        write_words(out, &q, to + 1, q.n, &first);
        return 1;
    }
    if (!find_order(&q, &o)) {
        write_words(out, &q, from, q.n, &first);
        return 0;
    }
    write_words(out, &q, from, o.subject, &first);
    if (o.with[0])
        fprintf(out, "%s%s", first ? "" : " ", o.with);
    else
        write_words(out, &q, o.verb, o.verb + 1, &first);
    first = 0;
    write_words(out, &q, o.subject, o.verb, &first);
    if (o.with[0])
        fprintf(out, " %s", o.base);
    write_words(out, &q, o.verb + 1, q.n, &first);
    return 1;
}
