#include "engine/outline/items_asked.h"

#include <string.h>
#include <strings.h>

#include "engine/lookup/form.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"

enum { NAMED = 5 }; // words of what is listed

static const char PASSED[] = " me us a an all of the both each every list please its their your my "
                             "our different various possible main " WORDLIST_ONE_TO_TWELVE;
static const char BEHIND[] = " of for in on to that which who from with by at under before after "
                             "is are was were should must can do does did may we i you if when has "
                             "have had exist exists ";
// What questions after some things say of them without asking for more: those that ask for a list,
// and others.
#define PLAIN_WORDS WORDLIST_OF_QUESTIONS WORDLIST_OF_TEXTS " please "
static const char PLAIN[] = PLAIN_WORDS;
static const char IDLE[] = PLAIN_WORDS " there available supported possible listed "
                                       "mentioned given defined described named called "
                                       "following section list total altogether exist exists ";
static const char HAVE[] = " have support accept take offer provide know allow understand ";
#define WORDS_JOIN " for to in on by with of from at about without per under "
static const char STEPS[] = " step steps stage stages instruction instructions ";

static size_t word_bytes(const char *p)
{
    return strcspn(p, " \t\n,.;:?!\"");
}

static const char *next_word(const char *p)
{
    return p + strspn(p, " \t\n,.;:?!\"");
}

// Wants a list; may be answered by one; if it is for several things; if it says so later; if it
// says that there are such things.
enum form_wants { LIST, MAY_BE, SEVERAL, SAYS_SO, THERE, NUMBER, NTH };

// The form of the question at *P, which is moved behind the words that tell it; -1: none.
static int form_of(const char **p)
{
    static const struct {
        const char *begins;
        enum form_wants wants;
    } forms[] = {{"list ", LIST},       {"name ", SEVERAL},     {"enumerate ", LIST},
                 {"what are ", MAY_BE}, {"which are ", MAY_BE}, {"give ", SAYS_SO},
                 {"tell ", SAYS_SO},    {"show ", SAYS_SO},     {"how many ", NUMBER},
                 {"what is the ", NTH}, {"what was the ", NTH}, {"which is the ", NTH},
                 {"what's the ", NTH},  {"what ", THERE},       {"which ", THERE}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (!strncasecmp(*p, forms[f].begins, strlen(forms[f].begins))) {
            *p = next_word(*p + strlen(forms[f].begins));
            return (int)forms[f].wants;
        }
    return -1;
}

// Reads which one the words at *P ask for and moves behind them; 0: they do not say.
static int read_nth(const char **p)
{
    struct form_match m;
    int words, nth;
    if (!form_split(&m, *p) || !(nth = form_nth(&m, 0, &words)) || words >= m.n)
        return 0;
    *p = m.v[words].p;
    return nth;
}

// Takes the word for steps out of A's things: what else is said of them is what they lead to.
static void find_steps(struct items_asked *a)
{
    char rest[WANTED_BYTES] = "";
    for (const char *p = a->what; *p; p = next_word(p + word_bytes(p))) {
        const size_t n = word_bytes(p);
        if (word_is_listed(STEPS, p, n))
            a->steps = 1;
        else
            wanted_keep_word(rest, p, n);
    }
    if (a->steps)
        for (const char *p = rest; *p; p = next_word(p + word_bytes(p)))
            wanted_keep_word(a->of, p, word_bytes(p));
}

// Puts the last of A's things in the plural, as lists name them, where that has another stem:
// "duty", "duties".
static void in_plural(struct items_asked *a)
{
    const size_t n = strlen(a->what);
    if (n < 4 || n + 3 > WANTED_BYTES || a->what[n - 2] != 'y' ||
        is_one_of(a->what[n - 3], "aeiou"))
        return;
    strcpy(a->what + n - 2, "ies ");
}

static void find_last(struct items_asked *a)
{
    for (size_t at = 0; word_next(a->what, strlen(a->what), &at, a->last, NULL);)
        ;
}

// What is behind "in Annex B", where P begins so; P: it does not.
static const char *past_section(const char *p)
{
    enum { LABEL = 4 }; // bytes of what it is called
    size_t n = word_bytes(p);
    if (!word_is_listed(" in under ", p, n))
        return p;
    const char *at = next_word(p + n);
    if (word_is_listed(WORDLIST_ARTICLES, at, n = word_bytes(at)))
        at = next_word(at + n);
    if (!word_is_listed(FORM_SECTIONS, at, word_bytes(at)))
        return p;
    at = next_word(at + word_bytes(at));
    n = word_bytes(at);
    return n == 1 || (n <= LABEL && word_has_digit(at, n)) ? next_word(at + n) : p;
}

// Whether the words P say only that there are things: "are there", "does it have", "does mill
// accept"; *SECTION: 1 if they say in which section.
static int says_there(const char *p, int *section)
{
    static const char words[] =
        " are is were was there available supported possible listed defined "
        "it this exist exists here given in the document text file manual "
        "page can i use choose ";
    const int does = word_is_listed(" do does ", p, word_bytes(p));
    int there = 1, has = 0;
    for (size_t n; (n = word_bytes(p)); p = next_word(p + n)) {
        const char *behind = past_section(p);
        if (behind != p) {
            *section = 1;
            if (!*(p = behind))
                break;
            n = word_bytes(p);
        }
        there &= word_is_listed(words, p, n);
        has = word_is_listed(HAVE, p, n);
    }
    return does ? has : there;
}

// Whether QUESTION asks what is in a list below a heading, whatever that is: "What is in the
// study?", "Which items are kept in the study?"; A.of.
static int reads_below(struct items_asked *a, const char *question)
{
    static const char *const in_it[] = {"what is in ", "what's in ", NULL},
                             *const items[] = {
                                 "which items are ",    "what items are ",  "which things are ",
                                 "what things are ",    "list the items ",  "list all items ",
                                 "list all the items ", "list the things ", NULL};
    static const char passed[] = " there kept listed stored found held in under ";
    const char *p = question_behind(question, in_it);
    int in = p != NULL;
    size_t n;
    if (!p && !(p = question_behind(question, items)))
        return 0;
    for (; (n = word_bytes(p)) && word_is_listed(passed, p, n); p = next_word(p + n))
        in |= word_is_listed(" in under ", p, n);
    if (!in)
        return 0;
    for (; (n = word_bytes(p)); p = next_word(p + n))
        if (!word_is_listed(PASSED, p, n))
            wanted_keep_word(a->of, p, n);
    a->wants = ITEMS_ALL;
    return a->below = *a->of != 0;
}

int items_asked_read(struct items_asked *a, const char *question)
{
    const char *p = question_itself(question);
    size_t n;
    *a = (struct items_asked){0};
    if (reads_below(a, p))
        return 1;
    const int form = form_of(&p);
    if (form < 0 || (form == NTH && !(a->nth = read_nth(&p))))
        return 0;
    a->wants = form == NUMBER ? ITEMS_NUMBER : form == NTH ? ITEMS_NTH : ITEMS_ALL;
    a->is_list = form == LIST;
    a->strict = form == NUMBER || form == NTH || form == THERE;
    for (; (n = word_bytes(p)) && word_is_listed(PASSED, p, n); p = next_word(p + n)) {
        if (a->wants != ITEMS_ALL && word_is_listed(" main ", p, n))
            break; // there may be others, too
        a->is_list |= a->wants == ITEMS_ALL && word_is_listed(" list all each every ", p, n);
    }
    if (!a->is_list && form == SAYS_SO)
        return 0; // "Tell me what it costs."
    for (; (n = word_bytes(p)) && !word_is_listed(BEHIND, p, n); p = next_word(p + n)) {
        if (word_is_listed(" and or ", p, n))
            continue;
        wanted_keep_word(a->what, p, n);
        a->named++;
    }
    int section = 0;
    if (form == THERE && (!n || !says_there(p, &section)))
        return 0;          // "Which pump is the spare one?"
    a->strict &= !section; // its heading is named
    const int is_plain = form == LIST || form == MAY_BE || form == SEVERAL;
    for (; (n = word_bytes(p)); p = next_word(p + n))
        if (!word_is_listed(is_plain ? PLAIN : IDLE, p, n) && !word_is_listed(BEHIND, p, n) &&
            (is_plain || !word_is_listed(HAVE, p, n)))
            wanted_keep_word(a->of, p, n);
    const size_t end = strlen(a->what);
    if (((form == SEVERAL && !a->is_list) || form == THERE) && (end < 2 || a->what[end - 2] != 's'))
        return 0; // "Name the treasurer."
    memcpy(a->called, a->what, sizeof a->called);
    a->called[end ? end - 1 : 0] = 0;
    if (form == NTH)
        in_plural(a);
    find_steps(a);
    find_last(a);
    return a->named > 0 && a->named <= NAMED && (!a->steps || *a->of);
}

// Whether WORD joins what is behind it to what was said before: "rules for guests", "keywords
// controlling an operation". FIRST: it is the first one.
static int joins(const char *word, size_t n, int first)
{
    return word_is_listed(WORDS_JOIN, word, n) ||
           (!first && n > 5 && !strncasecmp(word + n - 3, "ing", 3));
}

int items_asked_names(const struct items_asked *a, const char *text, struct span_of_text s, int n)
{
    static const char partly[] = " include includes including example examples such some among "
                                 "other others further additional more not no ",
                      points[] = " following these below ",
                      closing[] = " are is were was the these following as follows listed below "
                                  "here given in order ",
                      may_follow[] = WORDS_JOIN "available supported possible provided that which "
                                                "defined as ",
                      verbs[] = " must shall may can should will have has had is are was were do "
                                "does need needs ";
    const size_t named = strlen(a->what) - 1;
    size_t last = named, behind = 0, first_behind = 0, unclosed = 0, bytes;
    char stem[WORD_STEM];
    int joined = 0, found = 0, number = 0, first = 1, picks = 0;
    while (last > 0 && a->what[last - 1] != ' ')
        last--;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes); first = 0) {
        const char *word = text + at - bytes;
        const struct form_token token = {word, bytes, 0};
        if (a->wants != ITEMS_ALL && word_is_listed(partly, word, bytes))
            return 0;
        if (found) {
            first_behind = first_behind ? first_behind : at - bytes;
            unclosed = word_is_listed(closing, word, bytes) ? unclosed : at;
            continue;
        }
        const int joining = joins(word, bytes, first), own = form_number(&token);
        const int one_of = picks && word_is_listed(" of ", word, bytes);
        picks = word_is_listed(" one any either each ", word, bytes);
        joined = word_is_listed(points, word, bytes) || one_of ? 0 : joined | joining;
        number = own ? own : joining ? 0 : number; // "one of these"
        found = !joined && word_form_is_in(word, bytes, a->what + last, named - last);
        behind = at;
    }
    if (!found || (number && n && number != n))
        return 0;
    if (!unclosed || (a->wants == ITEMS_ALL && begins_with(text + behind, s.to - behind, ", and ")))
        return 1;
    // What is said of them: "(by default) are:", "of payment", "that are supported are:".
    for (size_t at = behind; word_next(text, unclosed, &at, stem, &bytes);)
        if (word_is_listed(verbs, text + at - bytes, bytes))
            return 0;
    const char *next = text + first_behind;
    return next[-1] == '(' || word_is_listed(may_follow, next, strcspn(next, " \t\n:"));
}

int items_asked_otherwise(struct items_asked *a, const struct items_asked *from, int turn)
{
    static const char *const names[][2] = {{"exit codes ", "exit status "},
                                           {"exit codes ", "exit values "},
                                           {"exit statuses ", "exit status "},
                                           {"return codes ", "exit status "},
                                           {"return codes ", "return values "},
                                           {"subcommands ", "commands "},
                                           {"flags ", "options "},
                                           {"switches ", "options "},
                                           {"environment variables ", "environment "}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(from->what, names[i][0]) != 0 || turn--)
            continue;
        *a = *from;
        a->strict = 1;
        strcpy(a->what, names[i][1]);
        find_last(a);
        return 1;
    }
    return 0;
}
