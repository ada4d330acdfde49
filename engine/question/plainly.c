#define _GNU_SOURCE
#include "engine/question/plainly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "engine/question/order.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"
#include "io/show.h"

// What is said of a question and not asked. A word may be one of several ("can|could") and, with a
// question mark, may be missing ("please?"); a comma stands for a mark behind the words before it.
static const char *const GREETINGS[] = {
    "hi|hello|hey|hiya there|all|everyone|everybody|team|folks? ,",
    "good morning|afternoon|evening|day everyone|all? ,",
    "dear sir|madam|all|team|colleagues or? sir|madam? ,",
    "excuse me ,",
    "sorry to trouble|bother|disturb you but?",
    "i? hope you are well|fine ,",
    "i? hope you're|you\u2019re well|fine ,",
    "a? quick? question ,",
    "sorry|pardon|well|so|ok|okay|thanks ,",
};
static const char *const PLEASE[] = {"please", "kindly"};
#define COULD_YOU "could|can|would|will you please|kindly|perhaps|possibly|just? "

// Who asks so may go on with a verb ("list all fees"), with what is asked, or with a thing.
static const char *const ORDERS[] = {
    "could|can|would|will you please|kindly",
    "i would like you to",
    "i'd|i\u2019d like you to",
};
static const char *const REQUESTS[] = {
    COULD_YOU "tell|remind|inform me|us please?",
    COULD_YOU "let me|us know please?",
    "could|can|would i|we please? know|ask|have",
    "may|might i|we please? know|ask",
    "tell|remind me|us please?",
    "give me|us please?",
    "let me|us know please?",
    "i would|should like|love to know",
    "i'd|i\u2019d like|love to know",
    "i want|need|wanted|wish to know",
    "i would|should be very|most? glad|happy|pleased|grateful to know|learn|hear",
    "i would|should be very|most? glad|happy|pleased|grateful if you could|can|would tell me|us",
    "i would|should really? appreciate it if you could|can|would tell me|us",
    "whether|if you might|may|could|can|would be? able? to? tell me|us",
    "could|would you be able to tell me|us",
    "could|can|would|might somebody|someone|anybody|anyone please? tell me|us",
};
// Who asks so goes on with what is asked.
static const char *const WONDERS[] = {
    COULD_YOU "show|give|explain|say|clarify|check to? me|us? please?",
    "could|can|would|will you help me|us to? find|see|understand out?",
    "show|explain to? me|us? please?",
    "i would|should like to ask|see|find|learn|understand out?",
    "i'd|i\u2019d like to ask|see|find|learn|understand out?",
    "i want|need|wanted to ask|find|learn|understand|see out?",
    "i wonder",
    "i am|was just? wondering",
    "i'm|i\u2019m just? wondering",
    "i would|should really? appreciate it if you could|can|would explain|show|say to? me|us?",
    "do|would you happen? to? know",
    "does anyone|anybody know",
    "do you have any idea",
    "any idea",
};
static const char *const THANKS[] = {
    "please",
    "thanks|thx ever? very|so? much|a? lot|million? in? advance?",
    "thank you very|so? much? in? advance?",
    "many thanks in? advance?",
    "yours faithfully|sincerely|truly",
    "best|kind|warm regards|wishes",
};
enum { LONGEST_THANKS = 48 }; // bytes
static const char SEPARATE[] = " \t\n,.;:?!";

// The byte behind the words of PATTERN at the beginning of P, and behind what separates them from
// the next one; NULL: they are not there.
static const char *past(const char *p, const char *pattern)
{
    for (;;) {
        pattern += strspn(pattern, " ");
        const size_t bytes = strcspn(pattern, " ");
        const int missing = bytes && pattern[bytes - 1] == '?';
        if (!bytes)
            return p + strspn(p, " \t\n,");
        if (*pattern == ',') {
            const size_t marks = strspn(p, ",.;:!-");
            return marks && (p[marks] == ' ' || !p[marks]) ? p + marks + strspn(p + marks, " ")
                                                           : NULL;
        }
        const char *next = p + strspn(p, " \t\n,");
        const size_t n = strcspn(next, SEPARATE);
        int found = 0;
        for (const char *word = pattern; n && !found && word < pattern + bytes - missing;) {
            const size_t own = strcspn(word, "|? ");
            found = own == n && !strncasecmp(word, next, n);
            word += own + 1;
        }
        if (!found && !missing)
            return NULL;
        p = found ? next + n : p;
        pattern += bytes;
    }
}

// The same for the first of PATTERNS [n] that is there.
static const char *past_any(const char *p, const char *const *patterns, size_t n)
{
    const char *next = NULL;
    for (size_t i = 0; i < n && !next; i++)
        next = past(p, patterns[i]);
    return next;
}

#define PAST(p, patterns) past_any(p, patterns, sizeof(patterns) / sizeof *(patterns))

static int asks(const char *p)
{
    return question_begins(p) || order_asks(p, strcspn(p, SEPARATE));
}

// A greeting has a mark behind it, or what asks.
static const char *past_greeting(const char *p)
{
    const char *next = PAST(p, GREETINGS);
    if (next || !(next = past(p, "hi|hello|hey|hiya there?")))
        return next;
    return asks(next) || PAST(next, WONDERS) || PAST(next, REQUESTS) || PAST(next, ORDERS) ? next
                                                                                           : NULL;
}

// ----------------------------------------------------------------------------- its beginning

// How a question goes on behind what is stripped of it.
enum going { GOING_ON, GOING_ASKED, GOING_THING };

// Strips what *P begins with that asks nothing.
static enum going strip_beginning(const char **p)
{
    enum going how = GOING_ON;
    for (const char *next, *from = NULL; from != *p;) {
        from = *p;
        if ((next = past_greeting(*p)) && *next)
            *p = next;
        if ((next = PAST(*p, WONDERS)) && asks(next)) {
            *p = next;
            how = GOING_ASKED;
        } else if ((next = PAST(*p, REQUESTS)) && *next) {
            const size_t n = strcspn(next, SEPARATE);
            const int thing = word_is_listed(" the my our your his her its their ", next, n);
            if (asks(next) || thing) {
                *p = next;
                how = thing ? GOING_THING : GOING_ASKED;
            }
        } else if ((next = PAST(*p, ORDERS)) && *next) {
            *p = next;
        }
        if ((next = PAST(*p, PLEASE)) && *next)
            *p = next;
    }
    return how;
}

// Whether P begins with a courtesy.
static int is_courteous(const char *p)
{
    const char *next = p;
    strip_beginning(&next);
    return next > p;
}

// ----------------------------------------------------------------------------------- its end

// Whether what stands behind the first N bytes of P is what they say something of: "the word".
static int is_object(const char *p, size_t n)
{
    static const char before[] = " say says said word words " WORDLIST_ARTICLES;
    size_t from = n;
    while (from && !is_one_of(p[from - 1], SEPARATE))
        from--;
    return word_is_listed(before, p + from, n - from);
}

// Bytes of P up to its last question mark, if what is behind that only tells of who asks: "I am
// rather worried."
static size_t before_own(const char *p)
{
    const char *mark = strrchr(p, '?'), *behind = mark ? mark + 1 + strspn(mark + 1, " ") : NULL;
    return behind && past(behind, "i|we|i'm|i\u2019m|we're|we\u2019re") ? (size_t)(mark - p)
                                                                        : strlen(p);
}

// Bytes of P without marks, blanks, "please" and thanks at its end.
static size_t strip_end(const char *p)
{
    size_t n = before_own(p), kept = n + 1;
    while (n < kept) {
        kept = n;
        while (n && is_one_of(p[n - 1], SEPARATE))
            n--;
        size_t first = n; // of "many thanks" not the last word alone
        for (size_t at = n; at > 0 && n - at < LONGEST_THANKS; at--) {
            const char *end;
            if (!is_one_of(p[at - 1], SEPARATE) || !(end = PAST(p + at, THANKS)) ||
                is_object(p, at - 1))
                continue;
            if (end >= p + n && end <= p + n + strspn(p + n, SEPARATE))
                first = at;
        }
        n = first;
    }
    return n;
}

// ---------------------------------------------------------------------------------- its words

// "What is" for "what's".
static const char *spelt_out(const char *p, size_t *n)
{
    static const struct {
        const char *word, *out;
    } words[] = {{"what's", "what is"},  {"whats", "what is"},         {"what\u2019s", "what is"},
                 {"who's", "who is"},    {"who\u2019s", "who is"},     {"where's", "where is"},
                 {"wheres", "where is"}, {"where\u2019s", "where is"}, {"when's", "when is"},
                 {"whens", "when is"},   {"when\u2019s", "when is"},   {"what're", "what are"}};
    const size_t own = strcspn(p, SEPARATE), next = own + strspn(p + own, " ");
    if (word_is_listed(" got been ", p + next, strcspn(p + next, SEPARATE)))
        return NULL; // "has"
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (own == strlen(words[i].word) && !strncasecmp(p, words[i].word, own)) {
            *n = own;
            return words[i].out;
        }
    return NULL;
}

// Whether QUESTION is shouted: it has several words, and no small letter.
static int is_shouted(const char *question)
{
    enum { LEAST = 3 };
    int words = 0, letters = 0;
    for (const char *p = question; *p; p++) {
        if (is_lower(*p))
            return 0;
        letters = is_upper(*p) ? letters + 1 : 0;
        words += letters == 2;
    }
    return words >= LEAST;
}

// Puts the words of QUESTION in small letters, but for codes ("E7", "--LIST", "X_Y"), what is in
// quotation marks, and letters that stand alone.
static void calm(char *question)
{
    for (char *p = question; *p;) {
        if (*p == '"') {
            const char *close = strchr(p + 1, '"');
            p = close ? question + (close - question) + 1 : p + 1;
            continue;
        }
        const size_t n = strcspn(p, " \t\n,;?!\"");
        const int code =
            word_has_digit(p, n) || memchr(p, '_', n) || *p == '-' || (n == 1 && *p != 'A');
        for (size_t i = 0; i < n && !code; i++)
            p[i] = to_small(p[i]);
        p += n ? n : 1;
    }
}

// ----------------------------------------------------------------------------- its meaning

// Other words for what documents and lookups call otherwise: what such a question begins with, and
// what it then begins with.
static const struct {
    const char *said, *meant;
} MEANINGS[] = {
    {"what is|are the command|commands to", "How do I"},
    {"what command|commands do|must|should|can I|we|you use|run|type|enter|need to", "How do I"},
    {"what do|must|should I|we|you have? to? type|run|enter|execute to", "How do I"},
};

// Writes QUESTION by its other name to *PLAIN, behind the FIRST bytes of it, in their place.
// Returns -1 when there is no memory.
static int rename_asked(char **plain, size_t first)
{
    const char *question = *plain + first;
    for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; i++) {
        const char *rest = past(question, MEANINGS[i].said);
        char *renamed;
        if (!rest)
            continue;
        if (!rest[strspn(rest, SEPARATE)])
            return 0;
        if (asprintf(&renamed, "%.*s%s %s", (int)first, *plain, MEANINGS[i].meant, rest) < 0)
            return -1;
        free(*plain);
        *plain = renamed;
        return 0;
    }
    return 0;
}

// ------------------------------------------------------------------------------- all of it

// What may stand before the name of a thing.
#define OWN_ARTICLES WORDLIST_ARTICLES " my our your "

// What is looked for by its name alone, where that stands last, or before what it is of.
static const char PROPERTIES[] =
    " address amount budget capacity charge charges cost costs date deadline deposit duration "
    "email "
    "fee fees fine fines height hours length limit number password period phone port postcode "
    "price prices rate rates rent salary size speed telephone temperature term total wage wages "
    "weight width ";

// Bytes of P [n] that name a thing, without "of" or the like and what it is of.
static size_t thing_bytes(const char *p, size_t n)
{
    static const char of[] = " at for in of on ";
    for (size_t at = strcspn(p, " "); at < n; at += 1 + strcspn(p + at + 1, " "))
        if (word_is_listed(of, p + at + 1, strcspn(p + at + 1, SEPARATE)))
            return at;
    return n;
}

// Where the last word of P [n] begins.
static size_t last_word(const char *p, size_t n)
{
    while (n && p[n - 1] != ' ')
        n--;
    return n;
}

// "Are" where the thing that P [n] names is several, "the names of the two cities".
static const char *is_or_are(const char *p, size_t n)
{
    const size_t thing = thing_bytes(p, n), head = last_word(p, thing);
    return word_is_plural(p + head, thing - head) ? "are" : "is";
}

// Whether P [n] is a few words with a blank between two, and no marks.
static int are_few_words(const char *p, size_t n)
{
    enum { MOST = 6 };
    int words = 1;
    for (size_t i = 0; i < n; i++) {
        if (is_one_of(p[i], "\t\n,.;:?!\"()") || (p[i] == ' ' && (!i || p[i - 1] == ' ')))
            return 0;
        words += p[i] == ' ';
    }
    return n && words <= MOST;
}

// Whether P [n] is a thing by its name alone, and not what is to be done with it, "list all fees",
// "open the port".
static int is_only_named(const char *p, size_t n)
{
    enum { MOST = 3 }; // words
    static const char articles[] = OWN_ARTICLES,
                      told[] = " add all any change check compare each every explain find get give "
                               "list name set show sum tell which ";
    int words = 0;
    for (size_t at = 0, bytes; at < n; at += bytes + 1) {
        const size_t own = strcspn(p + at, " ");
        bytes = own < n - at ? own : n - at;
        const int is_article = word_is_listed(articles, p + at, bytes);
        if (word_is_listed(told, p + at, bytes) || (at && (is_article || is_upper(p[at]))))
            return 0;
        words += !is_article;
    }
    return words <= MOST;
}

// Whether P [n] only names what is looked for so, "monthly charge", "Price of the pump".
static int names_property(const char *p, size_t n)
{
    const size_t thing = thing_bytes(p, n), head = last_word(p, thing);
    return are_few_words(p, n) && is_only_named(p, thing) && !order_asks(p, strcspn(p, " ")) &&
           word_is_listed(PROPERTIES, p + head, thing - head);
}

// Writes P, a sentence that asks, to OUT.
static void write_asked(FILE *out, const char *p)
{
    const char *from = p;
    const enum going how = strip_beginning(&from);
    size_t n = strip_end(from), word = 0;
    const char *spelt = spelt_out(from, &word), *end = from + n,
               *last = end + strspn(end, SEPARATE);
    if (how == GOING_THING) {
        fprintf(out, "what %s %.*s?", is_or_are(from, n), (int)n, from);
    } else if (spelt) {
        fprintf(out, "%s%.*s?", spelt, (int)(n - word), from + word);
    } else if (how == GOING_ASKED) {
        order_write(out, from, n);
        fputc('?', out);
    } else if (from == p && !*last && names_property(p, n)) {
        const int has_article = word_is_listed(OWN_ARTICLES, p, strcspn(p, " "));
        fprintf(out, "what %s %s%c%.*s?", is_or_are(p, n), has_article ? "" : "the ", to_small(*p),
                (int)n - 1, p + 1);
    } else if (from == p && !*last && !(asks(p) && is_one_of(*end, ".!") && end[1] == 0)) {
        fputs(p, out); // it is plain
    } else {
        fprintf(out, "%.*s%s", (int)n, from, asks(from) || strchr(end, '?') ? "?" : "");
    }
}

int plainly_asked(const char *question, char **plain, struct err *e)
{
    size_t bytes = 0;
    char *calmed = strdup(question);
    *plain = NULL;
    FILE *out = calmed ? open_memstream(plain, &bytes) : NULL;
    size_t first = 0;
    if (out) {
        if (is_shouted(question))
            calm(calmed);
        const char *p = calmed + strspn(calmed, " \t\n"), *last = question_last(p, is_courteous),
                   *begin;
        while ((begin = past_greeting(p)) && begin <= last && begin > p)
            p = begin;
        first = (size_t)(last - p);
        fwrite(p, 1, first, out);
        write_asked(out, last);
    }
    const int failed = !out || fclose(out);
    free(calmed);
    if (failed)
        return err_set(e, ERR_NOMEM, "out of memory (question)");
    if (rename_asked(plain, first) < 0) {
        free(*plain);
        *plain = NULL;
        return err_set(e, ERR_NOMEM, "out of memory (question)");
    }
    const char *same = question + strspn(question, " \t\n");
    if (!strcmp(*plain, same)) {
        free(*plain);
        *plain = NULL;
        return 0;
    }
    char *letters[] = {*plain, *plain + first};
    for (int i = 0; i < 2; i++)
        if (is_lower(*letters[i]))
            *letters[i] = (char)(*letters[i] - ('a' - 'A'));
    return 0;
}

// How many bytes at P are a sequence that commands a terminal ("\033[31m"), or one character, *C.
static size_t one_typed(const char *p, int32_t *c)
{
    const char *end = p + 2;
    if (!strncmp(p, "\033[", 2)) {
        while (*end >= ' ' && *end < '@')
            end++;
        *c = '\033';
        return (size_t)(end - p) + (*end >= '@' && *end <= '~');
    }
    const size_t left = strnlen(p, 4);
    const utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)p, (utf8proc_ssize_t)left, c);
    if (n > 0)
        return (size_t)n;
    *c = 0xfffd; // no UTF-8: left as it is
    return 1;
}

static int is_white(int32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

int plainly_typed(const char *question, char **typed, struct err *e)
{
    size_t at = 0, bytes, blanks = 0;
    int32_t c;
    int breaks = 0; // not all of the white space is blanks
    *typed = NULL;
    char *out = mem_new(strlen(question) + 1, 1, e);
    if (!out)
        return ERR_NOMEM;
    for (const char *p = question;; p += bytes) {
        bytes = one_typed(p, &c);
        if (*p && is_white(c)) {
            blanks++;
            breaks |= c != ' ';
            continue;
        }
        if (*p && show_class(c) != SHOW_TEXT)
            continue;
        blanks = !breaks ? blanks : at && *p;
        memset(out + at, ' ', blanks);
        at += blanks;
        blanks = 0;
        breaks = 0;
        if (!*p)
            break;
        memcpy(out + at, p, bytes);
        at += bytes;
    }
    if (strcmp(out, question))
        *typed = out;
    else
        free(out);
    return 0;
}
