// What a text that was written joins, or cuts in two, that was read otherwise.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/text/chars.h"
#include "engine/text/day.h"
#include "engine/text/lines.h"
#include "engine/text/wordlist.h"

enum { WORDS = 256 }; // of a text

// The first words of a text, and where they stand in it.
struct placed {
    const char *text;
    char stem[WORDS][WORD_STEM];
    size_t at[WORDS], bytes[WORDS];
    int n;
};

static void place_words(struct placed *p, const char *text, size_t n)
{
    size_t at = 0;
    p->text = text;
    for (p->n = 0; p->n < WORDS && word_next(text, n, &at, p->stem[p->n], &p->bytes[p->n]); p->n++)
        p->at[p->n] = at - p->bytes[p->n];
}

// Whether word I of P is one of LIST.
static int is_listed(const struct placed *p, int i, const char *list)
{
    return word_is_listed(list, p->text + p->at[i], p->bytes[i]);
}

static int begins_with_digit(const struct placed *p, int i)
{
    return is_digit(p->text[p->at[i]]);
}

// Whether a sentence or line may end between the words A and B of P.
static int is_parted(const struct placed *p, int a, int b)
{
    for (size_t i = p->at[a] + p->bytes[a]; i < p->at[b]; i++)
        if (is_one_of(p->text[i], "!?;\n") || (p->text[i] == '.' && is_space(p->text[i + 1])))
            return 1;
    return 0;
}

// Whether the words of TEXT [n] before its first comma or semicolon are QUESTION's: "The arles,".
static int opens_as_asked(const char *text, size_t n, const char *question)
{
    size_t end = 0;
    while (end < n && !is_one_of(text[end], ",;"))
        end++;
    return end < n && !words_beyond(text, end, question);
}

// Whether TEXT [n] begins, but for an article, with a word of QUESTION that says something, and
// goes on.
static int begins_as_asked(const char *text, size_t n, const char *question)
{
    size_t at = 0, bytes;
    char stem[WORD_STEM];
    int there = word_next(text, n, &at, stem, &bytes);
    if (there && word_is_listed(WORDLIST_ARTICLES, text + at - bytes, bytes))
        there = word_next(text, n, &at, stem, &bytes);
    return there && !word_is_listed(WORDLIST_OF_QUESTIONS, text + at - bytes, bytes) &&
           word_is_in(question, strlen(question), stem) && word_next(text, n, &at, stem, NULL);
}

// Whether QUESTION has a word that says what it is about, and READ [n_read] does not. One behind
// "did" may be a verb in another form there.
static int asks_of_other(const char *question, const char *read, size_t n_read)
{
    static const char verbs[] = " do does did ";
    char stem[WORD_STEM];
    size_t bytes;
    int lacking = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        lacking += guard_is_telling(stem) &&
                   !word_is_listed(WORDLIST_OF_QUESTIONS, question + at - bytes, bytes) &&
                   !word_is_in(read, n_read, stem);
    return lacking > words_listed(verbs, question, strlen(question));
}

// Whether TEXT [n] is the end of a sentence of READ [n_read] from its midst on, and is no answer
// without what is before it: QUESTION is about something that READ has not; TEXT is long; or it
// begins with what is asked for, of which the sentence says something else. "The arles, ten
// shillings as a rule, and once a woman had it..." of "with a coin called the arles, ten...".
static int lacks_beginning(const char *text, size_t n, const char *read, size_t n_read,
                           const char *question)
{
    static const char joins[] = " and that but because so as while since or for ", // a clause
        objects[] = " had have has is was are were be called named by with of to from in for about "
                    "like at on ";
    enum { LONG = 10 }; // words
    const size_t own = guard_without_stop(text, n);
    size_t word;
    if (own < 2)
        return 0;
    const size_t rest = guard_next_place(text + 1, own - 1, read, n_read, 1), from = rest - 1;
    if (rest == n_read || word_same(text, 1, read + from, 1) != 1 || from < 2 ||
        read[from - 1] != ' ' || !word_has(read[from - 2]))
        return 0;
    for (word = from - 1; word && word_has(read[word - 1]);)
        word--;
    if (word_has_digit(read + word, from - 1 - word)) // "3.1 The rent"
        return 0;
    if (asks_of_other(question, read, n_read))
        return 1;
    if (word_is_listed(joins, read + word, from - 1 - word))
        return 0;
    return words_beyond(text, own, "") >= LONG || opens_as_asked(text, own, question) ||
           (word_is_listed(objects, read + word, from - 1 - word) &&
            begins_as_asked(text, own, question));
}

// Whether TEXT [n] is a turn of a conversation that READ [n_read] begins with, with who says it,
// but not all that is said there.
static int cuts_turn(const char *text, size_t n, const char *read, size_t n_read)
{
    const size_t label = line_label(read, n_read), own = guard_without_stop(text, n);
    const char *said = label && own > label ? memchr(text, ':', own) : NULL;
    if (!said || !is_upper(*read) || words_beyond(text, (size_t)(said - text), read) > 1)
        return 0;
    const size_t from = (size_t)(said - text),
                 at = guard_next_place(said, own - from, read, n_read, 0), end = at + own - from;
    return at < n_read && at <= label + 2 && end + 2 < n_read && is_one_of(read[end], ".!?");
}

// Whether TEXT says of something what READ says but of "what": "The boat was called the Storm." of
// "in what was called the Storm the boat...".
static int names_other(const struct placed *own, const struct placed *read)
{
    static const char verbs[] = " called named known termed dubbed ", what[] = " what ";
    enum { NEAR = 3 };
    for (int i = 1; i + 1 < own->n; i++) {
        if (is_listed(own, i - 1, what))
            return 0;
        if (!is_listed(own, i, verbs))
            continue;
        for (int r = 1; r + 1 < read->n; r++)
            for (int w = r - 1; guard_same(read->stem[r], own->stem[i], 2) && w >= 0 &&
                                w + NEAR >= r && !is_parted(read, w, r);
                 w--)
                if (is_listed(read, w, what))
                    return 1;
    }
    return 0;
}

// Whether the one line TEXT [n] is counted as the first of several, as READ [n_read] counts none.
static int counts_one(const char *text, size_t n, const char *read, size_t n_read)
{
    static const char one[] = "1. ";
    return begins_with(text, n, one) && !memchr(text, '\n', n) &&
           guard_next_place(one, 2, read, n_read, 0) == n_read;
}

// Whether TEXT goes on behind words of its own with a line of READ that begins with a number, a
// time or a day, which is no sentence's: "The dump was 2025-06-11T02:00:01Z INFO backup".
static int goes_on_as_record(const struct placed *own, const struct placed *read)
{
    for (int r = 0; r < read->n; r++) {
        const size_t at = read->at[r];
        if (!begins_with_digit(read, r) || (at && read->text[at - 1] != '\n'))
            continue;
        for (int i = 1, k; i < own->n; i++) {
            if (own->text[own->at[i] - 1] != ' ')
                continue;
            for (k = 0; i + k < own->n && r + k < read->n &&
                        guard_same(own->stem[i + k], read->stem[r + k], 1);)
                k++;
            for (k--; k > 1; k--)
                if (!word_has_digit(read->text + read->at[r + k], read->bytes[r + k]) &&
                    read->bytes[r + k] >= GUARD_SHORTEST && !is_listed(read, r + k, WORDLIST_DATES))
                    return 1;
        }
    }
    return 0;
}

// Whether one of READ's numbers like word I of OWN is what something is: "is", "of" or a colon is
// before it, and few words between.
static int is_said_to_be(const struct placed *own, int i, const struct placed *read,
                         const char *verbs)
{
    enum { NEAR = 4 };
    int there = 0;
    for (int r = 0; r < read->n; r++) {
        if (!guard_same(read->stem[r], own->stem[i], 1))
            continue;
        there = 1;
        for (int w = r - 1; w >= 0 && w + NEAR >= r; w--)
            if (is_listed(read, w, verbs))
                return 1;
        for (size_t at = read->at[r]; at && read->text[at - 1] != '\n'; at--)
            if (is_one_of(read->text[at - 1], ":=|\t"))
                return 1;
    }
    return !there;
}

// Whether TEXT says that one amount is another, as READ does not: "4.3 million, which is 2.9
// million" of "4.3 million, of which they have paid 2.9 million".
static int equates(const struct placed *own, const struct placed *read, const char *question)
{
    static const char verbs[] = " is are was were equals means ", few[] = " a an about only just ";
    int amount = 0;
    for (int i = 0; i + 1 < own->n; i++) {
        if (begins_with_digit(own, i))
            amount |= !word_is_in(question, strlen(question), own->stem[i]);
        if (i && is_parted(own, i - 1, i))
            amount = 0;
        if (!amount || !is_listed(own, i, verbs))
            continue;
        const int next = is_listed(own, i + 1, few) && i + 2 < own->n ? i + 2 : i + 1;
        if (begins_with_digit(own, next) && !is_said_to_be(own, next, read, verbs))
            return 1;
    }
    return 0;
}

// Whether TEXT tells a day that READ has but for the end of something, or for its next time, where
// neither TEXT nor QUESTION is about that: "It was renewed on 9 May." of "renewed, expires 9 May".
static int tells_end(const char *text, size_t n, const char *read, size_t n_read,
                     const char *question)
{
    static const char ends[] = " expire expires expired expiring expiry until till due next valid "
                               "ends deadline ";
    enum { NEAR = 24 }; // bytes
    struct day d;
    size_t bytes;
    if (words_listed(ends, question, strlen(question)) || words_listed(ends, text, n))
        return 0;
    for (size_t at = 0; (bytes = day_find(text, n, &at, &d)); at += bytes) {
        int told = 0, others = 0;
        for (size_t there = guard_next_place(text + at, bytes, read, n_read, 0); there < n_read;
             there = guard_next_place(text + at, bytes, read, n_read, there + 1)) {
            size_t from = there;
            while (from && there - from < NEAR && !is_one_of(read[from - 1], "\n;"))
                from--;
            told++;
            others += !words_listed(ends, read + from, there - from);
        }
        if (told && !others)
            return 1;
    }
    return 0;
}

int guard_joins_wrongly(const char *text, size_t n, const char *read, size_t n_read,
                        const char *question)
{
    struct placed own, there;
    place_words(&own, text, n);
    place_words(&there, read, n_read);
    return lacks_beginning(text, n, read, n_read, question) || cuts_turn(text, n, read, n_read) ||
           counts_one(text, n, read, n_read) || names_other(&own, &there) ||
           goes_on_as_record(&own, &there) || equates(&own, &there, question) ||
           tells_end(text, n, read, n_read, question);
}
