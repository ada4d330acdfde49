#define _GNU_SOURCE
#include "engine/question/question.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// The length of the word at P if it is one of the list WORDS, else 0.
static size_t is_word(const char *p, const char *words)
{
    const size_t n = strcspn(p, " ,.;:?!'");
    return word_is_listed(words, p, n) ? n : 0;
}

int question_begins(const char *p)
{
    const size_t n = is_word(p, QUESTION_LEADS);
    return is_word(n && p[n] == ' ' ? p + n + 1 : p, WORDLIST_ASKING) > 0;
}

static int count_words(const char *p, size_t n)
{
    int words = 0;
    for (size_t i = 0; i < n; i++)
        words += p[i] != ' ' && (i + 1 == n || p[i + 1] == ' ');
    return words;
}

// The length of "how many " or "how much " at P, else 0.
static size_t is_amount(const char *p)
{
    static const char *const amounts[] = {"how many ", "how much ", NULL};
    const char *behind = question_behind(p, amounts);
    return behind ? (size_t)(behind - p) : 0;
}

// Whether P is nothing but the word that asks for a place, a time, a reason or a way, and the
// question FIRST asks for another of them, so that what it says is whole without that word: "When
// is the fair and where?"
static int is_place_or_time(const char *first, const char *p)
{
    static const char words[] = " where when why how ";
    const size_t n = is_word(p, words), asked = is_word(first, words);
    return n && !p[n + strspn(p + n, " ?")] && asked && !is_amount(first) &&
           (asked != n || strncasecmp(first, p, n) != 0);
}

// Finds "and" between two questions of a few words each, or of which the second one is short of all
// but its first word: with the comma before it, it is QUESTION[*TO .. *FROM).
static int find_and(const char *question, size_t *to, size_t *from)
{
    static const char AND[] = " and ";
    enum { LEAST = 3 };
    for (const char *p = question; (p = strcasestr(p, AND)); p++) {
        const char *next = p + strlen(AND);
        if (!question_begins(next) || count_words(question, (size_t)(p - question)) < LEAST ||
            (count_words(next, strlen(next)) < LEAST && !is_place_or_time(question, next)))
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
    for (size_t at = 0; at < n; at += strcspn(first + at, " "), at += strspn(first + at, " "))
        if (is_word(first + at, WORDLIST_HELPING))
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

// A part of a question.
struct part {
    const char *p;
    int n;
};

// What is counted in FIRST [n], which NEXT counts on without naming it: "How many lamps are there
// and how many are lit?", "... and how many failed?" {0}: nothing.
static struct part counted(const char *first, size_t n, const char *next, size_t n_next)
{
    const size_t begin = is_amount(first), end = helper(first, n), same = is_amount(next),
                 word = strcspn(next + same, " ?");
    if (!begin || end == n || end <= begin + 1 || same != begin ||
        strncasecmp(first, next, same) != 0 || same >= n_next)
        return (struct part){0};
    const int last = same + word == n_next && word > 3 && !strncasecmp(next + n_next - 2, "ed", 2);
    return last || helper(next + same, word) == 0
               ? (struct part){first + begin, (int)(end - begin - 1)}
               : (struct part){0};
}

// What FIRST [n] asks about, where it is told by what was done to it: "When was the old mill sold";
// {0}: it is not plain where that ends.
static struct part done_to(const char *first, size_t n)
{
    static const char be[] = " is are was were ",
                      done[] = " built bought sold made found seen known held kept laid lost born "
                               "stolen written taken given drawn shown sunk begun broken shot "
                               "spent cut put won left met read sent brought caught ";
    const size_t be_at = helper(first, n), was = be_at < n ? is_word(first + be_at, be) : 0,
                 from = be_at + was + 1;
    size_t to = n;
    while (to > from && first[to - 1] != ' ')
        to--;
    const size_t last = n - to;
    if (!was || to <= from + 1 || !is_word(first + from, WORDLIST_ARTICLES) ||
        !(word_is_listed(done, first + to, last) ||
          (last > 3 && !strncasecmp(first + n - 2, "ed", 2))))
        return (struct part){0};
    return (struct part){first + from, (int)(to - from - 1)};
}

// The word of NEXT [n] that stands for what the question before it is about; {0}: there is none, or
// it stands for nothing, as in "how long did it take?"
static struct part stand_in(const char *next, size_t n)
{
    static const char words[] = " it he she him they them ", nothing[] = " it take takes ";
    for (size_t at = 0, w; at < n; at += w, at += strspn(next + at, " ")) {
        const char *p = next + at;
        w = strcspn(p, " ?");
        const char *behind = p + w + (p[w] == ' ');
        if (word_is_listed(words, p, w))
            return is_word(behind, nothing) ? (struct part){0} : (struct part){p, (int)w};
    }
    return (struct part){0};
}

// Whether NEXT [n] asks for something of what FIRST is about, and does not say of what: for how to
// reach somebody, or the price of something.
static int is_of_same(const char *first, const char *next, size_t n)
{
    static const char *const what[] = {"what is the ", "what's the ", "what are the ", NULL};
    static const char reaching[] = " phone telephone mobile number extension e-mail email mail "
                                   "address ",
                      others[] = " price prices cost costs fee fees deadline duration venue "
                                 "location capacity ";
    const char *p = question_behind(next, what),
               *words = is_word(first, WORDLIST_WHO) ? reaching : others;
    if (!p)
        return 0;
    for (size_t w; p < next + n; p += w, p += strspn(p, " "))
        if (!(w = is_word(p, words)))
            return 0;
    return 1;
}

// *SECOND: the question NEXT [n] behind FIRST [n_first], with what it leaves to that one.
static int second_half(char **second, const char *first, size_t n_first, const char *next, size_t n)
{
    const int length = (int)n, bare = is_bare(next, n) || is_place_or_time(first, next);
    const size_t rest = helper(first, n_first);
    const struct part things = counted(first, n_first, next, n), it = stand_in(next, n),
                      own = it.n ? done_to(first, n_first) : it;
    if (things.n) {
        const int amount = (int)is_amount(next);
        return asprintf(second, "%.*s%.*s %.*s?", amount, next, things.n, things.p, length - amount,
                        next + amount);
    }
    if (bare && rest < n_first)
        return asprintf(second, "%.*s %.*s?", length, next, (int)(n_first - rest), first + rest);
    if (own.n) {
        const int before = (int)(it.p - next);
        return asprintf(second, "%.*s%.*s%.*s?", before, next, own.n, own.p, length - before - it.n,
                        it.p + it.n);
    }
    if (!bare && !has_pronoun(next) && !is_of_same(first, next, n))
        return asprintf(second, "%.*s?", length, next);
    const size_t about = bare ? 0 : subject(first, n_first);
    return asprintf(second, "%.*s (%.*s)?", length, next, (int)(n_first - about), first + about);
}

int question_halves(const char *question, char **first, char **second, struct err *e)
{
    enum { LONGEST = 1024 }; // or the first half is answered before the second proves too long
    size_t to, from;
    *first = *second = NULL;
    question += strspn(question, " \t\n");
    if (strlen(question) > LONGEST || !question_begins(question) || !find_and(question, &to, &from))
        return 0;
    int rc = asprintf(first, "%.*s?", (int)to, question);
    *first = rc < 0 ? NULL : *first;
    if (rc >= 0) {
        rc = second_half(second, question, to, question + from, strcspn(question + from, "?"));
        *second = rc < 0 ? NULL : *second;
    }
    if (rc < 0)
        return err_set(e, ERR_NOMEM, "out of memory (halves of a question)");
    if (**second >= 'a' && **second <= 'z')
        **second = (char)(**second + ('A' - 'a'));
    return 1;
}

// What QUESTION asks behind "Do we know", "Can you tell me", "Was it ever said" and the like;
// QUESTION: nothing.
static const char *told_of(const char *question)
{
    static const char leads[] = " any anyone can could did do does has have i i'd is let please "
                                "remind tell was will would ",
                      tells[] = " know known me us mention mentioned recall remember said say says "
                                "state stated told wonder wondering ";
    enum { MOST = 8 }; // words
    const char *p = question;
    if (!word_is_listed(leads, p, strcspn(p, " ")))
        return question;
    for (int i = 0; i < MOST && *p; i++) {
        const size_t n = strcspn(p, " ");
        const char *next = p + n + strspn(p + n, " ");
        if (word_is_listed(tells, p, n) && question_begins(next))
            return next;
        p = next;
    }
    return question;
}

const char *question_last(const char *question, int (*is)(const char *sentence))
{
    const char *last = question;
    for (const char *p = question; *p; p++)
        if (strchr(".!?", *p) && p[1] == ' ' && is(p + 2))
            last = p + 2;
    return last;
}

static int is_asking(const char *sentence)
{
    return question_begins(sentence) || told_of(sentence) != sentence;
}

const char *question_itself(const char *question)
{
    return told_of(question_last(question, is_asking));
}

const char *question_clause(const char *question)
{
    static const char relative[] = WORDLIST_WHO " which ";
    const char *clause = question_itself(question);
    for (const char *p = clause; !question_begins(clause) && *p; p++)
        if (*p == ',' && p[1] == ' ' && question_begins(p + 2) && !is_word(p + 2, relative))
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

int question_is_phrase(const char *question)
{
    enum { FEWEST = 2, MOST = 9 }; // words
    static const char asks[] = WORDLIST_ASKING WORDLIST_ASKING_GERMAN
        " is are was were be been do does did has have had can could will would shall should may "
        "might must tell show give name find explain describe summarize summarise count compare "
        "print please if whether i we you he she they it there und der die das ist sind ";
    char word[WORD_LISTED + 1];
    size_t bytes, last = 0, n = strlen(question);
    int words = 0;
    for (size_t at = 0; (bytes = word_small(question, n, &at, word, sizeof word)); words++) {
        if (word_is_listed(asks, word, bytes) || words == MOST)
            return 0;
        if (words == 1 && word_is_listed(" all each every the my of ", word, bytes) && last == 4 &&
            !strncasecmp(question, "list", 4)) // "List all fees"
            return 0;
        last = bytes;
    }
    return words >= FEWEST && !strpbrk(question, ".!;:\n");
}

int question_things(const char *rest, const char *things, const char *beside)
{
    char word[WORD_LISTED];
    const size_t n = strlen(rest);
    size_t at = 0;
    int own = 0;
    for (size_t bytes; (bytes = word_small(rest, n, &at, word, sizeof word));) {
        if (word_is_listed(things, word, bytes))
            own++;
        else if (!word_is_listed(beside, word, bytes))
            return -1;
    }
    return own;
}
