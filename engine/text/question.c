#define _GNU_SOURCE
#include "engine/text/question.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/text/wordlist.h"
#include "engine/text/words.h"

// The length of the word at P if it is one of the list WORDS, else 0.
static size_t is_word(const char *p, const char *words)
{
    const size_t n = strcspn(p, " ,.;:?!'");
    return word_is_listed(words, p, n) ? n : 0;
}

// Whether a question may begin at P: with "who", "in which" and the like.
static int begins_question(const char *p)
{
    const size_t n = is_word(p, WORDLIST_BEFORE_ASKING " under ");
    return is_word(n && p[n] == ' ' ? p + n + 1 : p, WORDLIST_ASKING) > 0;
}

static int count_words(const char *p, size_t n)
{
    int words = 0;
    for (size_t i = 0; i < n; i++)
        words += p[i] != ' ' && (i + 1 == n || p[i + 1] == ' ');
    return words;
}

// Finds "and" between two questions of a few words each: with the comma before it, it is
// QUESTION[*TO .. *FROM).
static int find_and(const char *question, size_t *to, size_t *from)
{
    static const char AND[] = " and ";
    enum { LEAST = 3 };
    for (const char *p = question; (p = strcasestr(p, AND)); p++) {
        const char *next = p + strlen(AND);
        if (!begins_question(next) || count_words(question, (size_t)(p - question)) < LEAST ||
            count_words(next, strlen(next)) < LEAST)
            continue;
        *to = (size_t)(p - question);
        *from = (size_t)(next - question);
        *to -= *to > 0 && question[*to - 1] == ',';
        return 1;
    }
    return 0;
}

static int has_pronoun(const char *p)
{
    static const char words[] = " it its he she his her him they their them there ";
    for (; *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (is_word(p, words))
            return 1;
    return 0;
}

// Where the subject of FIRST [n] begins: at its first article, else at the beginning.
static size_t subject(const char *first, size_t n)
{
    for (size_t at = 0; at < n; at += strcspn(first + at, " "), at += strspn(first + at, " "))
        if (is_word(first + at, WORDLIST_ARTICLES))
            return at;
    return 0;
}

// Where the helping verb of FIRST [n] begins; N: it has none.
static size_t helper(const char *first, size_t n)
{
    static const char words[] = " do does did is are was were has have had can could will would "
                                "shall should may might must ";
    for (size_t at = 0; at < n; at += strcspn(first + at, " "), at += strspn(first + at, " "))
        if (is_word(first + at, words))
            return at;
    return n;
}

// Whether the question NEXT [n] is but what is asked for, and leaves the rest to the one before it:
// "for how much", "in which year".
static int is_bare(const char *next, size_t n)
{
    enum { MOST = 4 }; // words
    return (is_word(next, WORDLIST_BEFORE_ASKING) || is_word(next, " how ")) &&
           count_words(next, n) <= MOST && helper(next, n) == n;
}

int question_halves(const char *question, char **first, char **second, struct err *e)
{
    enum { LONGEST = 1024 }; // or the first half is answered before the second proves too long
    size_t to, from;
    *first = *second = NULL;
    question += strspn(question, " \t\n");
    if (strlen(question) > LONGEST || !begins_question(question) || !find_and(question, &to, &from))
        return 0;
    const char *next = question + from;
    int n = (int)strcspn(next, "?"),
        about = has_pronoun(next) ? (int)subject(question, to) : (int)to;
    const int bare = is_bare(next, (size_t)n);
    const size_t rest = bare ? helper(question, to) : to;
    about = bare && rest == to ? 0 : about;
    int rc = asprintf(first, "%.*s?", (int)to, question);
    *first = rc < 0 ? NULL : *first;
    if (rc >= 0) {
        rc = rest < to ? asprintf(second, "%.*s %.*s?", n, next, (int)(to - rest), question + rest)
             : about < (int)to
                 ? asprintf(second, "%.*s (%.*s)?", n, next, (int)to - about, question + about)
                 : asprintf(second, "%.*s?", n, next);
        *second = rc < 0 ? NULL : *second;
    }
    if (rc < 0)
        return err_set(e, ERR_NOMEM, "out of memory (halves of a question)");
    if (**second >= 'a' && **second <= 'z')
        **second = (char)(**second + ('A' - 'a'));
    return 1;
}

const char *question_itself(const char *question)
{
    const char *itself = question;
    for (const char *p = question; *p; p++)
        if (strchr(".!?", *p) && p[1] == ' ' && begins_question(p + 2))
            itself = p + 2;
    return itself;
}

const char *question_clause(const char *question)
{
    static const char relative[] = WORDLIST_WHO " which ";
    const char *clause = question_itself(question);
    for (const char *p = clause; !begins_question(clause) && *p; p++)
        if (*p == ',' && p[1] == ' ' && begins_question(p + 2) && !is_word(p + 2, relative))
            clause = p + 2;
    return clause;
}

int question_for_several(const char *question)
{
    static const char several[] = " all each every both list ",
                      one[] = " why how when is are does do did can ", what[] = " where what who ",
                      helps[] = " does do did shall should must may can could will would ";
    enum { FIRST = 4 }; // words: "a penny for each sheep" asks for one thing
    int seen = 0, asked = 0;
    for (const char *p = question; *p && seen < FIRST;) {
        size_t n = strcspn(p, " \t\n,.;:?!");
        seen += n > 0;
        if (seen == 1 && p[n] == ' ' && word_is_listed(one, p, n))
            return 0; // "Why is each of them locked?" asks for one reason
        // "What does each hour cost?" and "Where must all visitors sign?" ask for one price and
        // one place, "What does each of them cost?" for several.
        asked += n && ((seen == 1 && word_is_listed(what, p, n)) ||
                       (seen == 2 && word_is_listed(helps, p, n)));
        if (seen == 3 && asked == 2 && word_is_listed(several, p, n))
            return !strncasecmp(p + n, " of ", 4);
        if (word_is_listed(several, p, n))
            return 1;
        p += n + (p[n] != 0);
    }
    return 0;
}

const char *question_behind(const char *question, const char *const *begins)
{
    for (; *begins; begins++)
        if (!strncasecmp(question, *begins, strlen(*begins)))
            return question + strlen(*begins);
    return NULL;
}
