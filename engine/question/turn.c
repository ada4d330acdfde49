#include "engine/question/turn.h"

#include <string.h>

#include "engine/question/asked.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

static const char TURNS[] = " without except excluding exclude instead before after half twice "
                            "double triple thrice per old former formerly previous same similar "
                            "different ohne ausser halb doppelt alte alten ";

// Whether WORD [n], behind which is REST [n_rest], denies something.
static int denies(const char *word, size_t n, const char *rest, size_t n_rest)
{
    static const char words[] = " not never neither nor cannot nicht nie niemals kein keine keinen "
                                "keiner ";
    return word_is_listed(words, word, n) || word_is_short_not(word, n) ||
           (n > 2 && word[n - 1] == 'n' && begins_with(rest, n_rest, "'t"));
}

int turn_denies(const char *text, size_t n)
{
    char word[WORD_LISTED];
    size_t bytes;
    for (size_t at = 0; (bytes = word_small(text, n, &at, word, sizeof word));)
        if (denies(word, bytes, text + at, n - at))
            return 1;
    return 0;
}

// What the number WORD [n] is, in digits or as a word from "two" on; 0: none, or one, which says
// little.
static int number_of(const char *word, size_t n)
{
    enum { DIGITS = 9 };
    size_t digits = 0;
    int value = 0;
    for (; digits < n && digits < DIGITS && is_digit(word[digits]); digits++)
        value = 10 * value + word[digits] - '0';
    value = digits < n ? word_place(WORDLIST_ONE_TO_TWELVE, word, n) : value;
    return value > 1 ? value : 0;
}

// How many digits of TEXT [n] are from byte AT on.
static size_t digits_at(const char *text, size_t n, size_t at)
{
    size_t i = at;
    while (i < n && is_digit(text[i]))
        i++;
    return i - at;
}

// Whether the number TEXT[FROM .. TO) is only one side of the point of another one: "4" of "4.7",
// but not of "4.00", of "4.5.2024" or of "4,500".
static int is_side(const char *text, size_t n, size_t from, size_t to)
{
    size_t first = from;
    if (from > 1 && text[from - 1] == '.' && is_digit(text[from - 2])) {
        for (first = from - 1; first > 0 && is_digit(text[first - 1]);)
            first--;
        to = from - 1;
    }
    const size_t behind = to < n && text[to] == '.' ? digits_at(text, n, to + 1) : 0,
                 end = to + 1 + behind;
    if (!behind || (first > 1 && text[first - 1] == '.' && is_digit(text[first - 2])) ||
        (end + 1 < n && text[end] == '.' && is_digit(text[end + 1])))
        return 0;
    for (size_t i = to + 1; i < end; i++)
        if (text[i] != '0')
            return 1;
    return first < from;
}

// Whether SAID [n] has WORD [own], as "per" is a slash, or the number VALUE where that is not 0;
// WHOLE: not as a side of another one.
static int has(const char *said, size_t n, const char *word, size_t own, int value, int whole)
{
    char other[WORD_LISTED];
    size_t bytes;
    if (word_is_listed(" per ", word, own) && memchr(said, '/', n))
        return 1;
    for (size_t at = 0; (bytes = word_small(said, n, &at, other, sizeof other));)
        if (value ? number_of(other, bytes) == value && !(whole && is_side(said, n, at - bytes, at))
                  : bytes == own && !memcmp(other, word, own))
            return 1;
    return 0;
}

int turn_left_over(const char *question, const char *said, size_t n)
{
    char word[WORD_LISTED];
    const size_t n_question = strlen(question);
    size_t bytes;
    for (size_t at = 0; (bytes = word_small(question, n_question, &at, word, sizeof word));) {
        const int value = number_of(word, bytes);
        if (denies(word, bytes, question + at, n_question - at)) {
            if (!turn_denies(said, n))
                return 1;
        } else if ((value || word_is_listed(TURNS, word, bytes)) &&
                   !has(said, n, word, bytes, value,
                        !is_side(question, n_question, at - bytes, at))) {
            return 1;
        }
    }
    return 0;
}

// Whether the word right behind byte AT of TEXT [n], behind white space, is the first or the second
// one of BEHIND [n_behind], which a small word ends.
static int is_of(const char *text, size_t n, size_t at, const char *behind, size_t n_behind)
{
    enum { WORDS = 2, SHORTEST = 3 };
    char own[WORD_LISTED], word[WORD_LISTED];
    size_t bytes, next = at, to = 0;
    if (at >= n || !is_space(text[at]) || !word_small(text, n, &next, own, sizeof own))
        return 0;
    while (at < next && !word_has(text[at]))
        at++;
    for (int i = 0; i < WORDS; i++) {
        bytes = word_small(behind, n_behind, &to, word, sizeof word);
        if (bytes < SHORTEST || word_is_listed(WORDLIST_OF_QUESTIONS, word, bytes))
            return 0;
        if (word_form_is_in(text + at, next - at, word, bytes))
            return 1;
    }
    return 0;
}

// The next word of QUESTION [n_question] from byte *AT on that calls something new or another one,
// and that SAID [n] lacks, to WORD [WORD_LISTED] in small letters: its bytes, 0 at the end. *AT is
// behind it then.
static size_t next_apart(const char *question, size_t n_question, size_t *at, const char *said,
                         size_t n, char *word)
{
    static const char apart[] = " new newer current present second third other neu neue neuen "
                                "neuer neues zweite zweiten zweiter zweites ";
    size_t bytes;
    while ((bytes = word_small(question, n_question, at, word, WORD_LISTED)))
        if (word_is_listed(apart, word, bytes) && !has(said, n, word, bytes, 0, 0))
            return bytes;
    return 0;
}

int turn_calls_apart(const char *question, const char *said, size_t n)
{
    char word[WORD_LISTED];
    size_t at = 0;
    return next_apart(question, strlen(question), &at, said, n, word) > 0;
}

int turn_tells_apart(const char *question, const char *said, size_t n, const char *text,
                     size_t n_text)
{
    char word[WORD_LISTED], other[WORD_LISTED];
    const size_t n_question = strlen(question);
    size_t bytes, own;
    for (size_t at = 0; (bytes = next_apart(question, n_question, &at, said, n, word));)
        for (size_t to = 0; (own = word_small(text, n_text, &to, other, sizeof other));)
            if (own == bytes && !memcmp(other, word, own) &&
                is_of(text, n_text, to, question + at, n_question - at))
                return 1;
    return 0;
}

int turn_asks_of_change(const char *question, const char *said, size_t n)
{
    static const char changes[] =
        " changed change altered raised raise lowered lower increased increase decreased decrease "
        "reduced reduce doubled halved added add introduced introduce removed remove dropped drop "
        "deprecated renamed rename replaced replace ";
    static const char asks[] = " when who why since until ";
    char word[WORD_LISTED];
    const size_t n_question = strlen(question);
    size_t bytes;
    int of = asked_for_version(question), left = 0;
    for (size_t at = 0; (bytes = word_small(question, n_question, &at, word, sizeof word));) {
        of |= word_is_listed(asks, word, bytes);
        left |= word_is_listed(changes, word, bytes) && !has(said, n, word, bytes, 0, 0);
    }
    return of && left;
}
