#include "engine/answer/guard.h"

#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/text/asked.h"
#include "engine/text/chars.h"
#include "engine/text/cut.h"
#include "engine/text/lines.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum { SHORTEST = GUARD_SHORTEST };

int guard_repeats(const char *text, size_t told, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    int words = 0, old = 0;
    for (size_t at = told; word_next(text, n, &at, stem, &bytes);) {
        if (bytes < SHORTEST)
            continue;
        words++;
        old += word_is_in(text, told, stem);
    }
    return words && 10 * old >= 6 * words;
}

// The last line of TEXT [*N] without its number in a list, *BYTES long; *N becomes what is before
// it. NULL: there is none.
static const char *last_line(const char *text, size_t *n, size_t *bytes)
{
    size_t end = *n, from, mark;
    while (end > 0 && is_space(text[end - 1]))
        end--;
    for (from = end; from > 0 && text[from - 1] != '\n';)
        from--;
    *n = from;
    for (mark = from; mark < end && (is_space(text[mark]) || is_digit(text[mark]));)
        mark++;
    if (mark > from && mark < end && is_one_of(text[mark], ".)"))
        from = mark + 1;
    *bytes = end - from;
    return end > from ? text + from : NULL;
}

int guard_circles(const char *text, size_t n)
{
    enum { LINES = 3 };
    size_t own, bytes;
    const char *last = last_line(text, &n, &own), *line;
    for (int i = 1; last && i < LINES; i++) {
        line = last_line(text, &n, &bytes);
        if (!line || bytes != own || memcmp(line, last, own) != 0)
            return 0;
    }
    return last != NULL;
}

// Words that a summary may use of any text.
static const char OF_TEXTS[] = "addresses aims article author begins called chapter concerns "
                               "concludes consists contains content covers deals describes detail "
                               "discusses document emphasizes ends explains explores first focuses "
                               "following gives highlights idea importance includes "
                               "information introduces list main mentions notes outlines overall "
                               "overview page part people piece point presents process "
                               "provides reader refers second section several shows specific "
                               "states story subject suggests summary tells text "
                               "thing third topic various ways works writes written";

int guard_strays(const char *text, size_t n, const char *read)
{
    const size_t n_read = strlen(read);
    char stem[WORD_STEM];
    size_t bytes;
    int words = 0, strange = 0, first = 1;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes); first = 0) {
        const char *word = text + at - bytes;
        // "7" and "v2" are numbers, "Riga" is a name.
        const int number = word_has_digit(word, bytes),
                  name = !first && *word >= 'A' && *word <= 'Z';
        if ((bytes < SHORTEST && !number) || word_is_common(stem) ||
            word_is_in(OF_TEXTS, sizeof OF_TEXTS - 1, stem))
            continue;
        words++;
        if (word_is_in(read, n_read, stem))
            continue;
        if (number || name)
            return 1;
        strange++;
    }
    return strange > 1 && 4 * strange >= words;
}

// The byte where the only word like WORD [bytes] ends in TEXT [n]; 0: it has none, or several.
static size_t only_one(const char *text, size_t n, const char *word, size_t bytes)
{
    char stem[WORD_STEM];
    size_t own, found = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &own);) {
        if (own != bytes || memcmp(text + at - own, word, bytes) != 0)
            continue;
        if (found)
            return 0;
        found = at;
    }
    return found;
}

int guard_disorder(const char *text, size_t n, const char *read, size_t n_read)
{
    char stem[WORD_STEM];
    size_t bytes, last = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (!word_has_digit(word, bytes) || word_is_in(text, at - bytes, stem))
            continue;
        const size_t there = only_one(read, n_read, word, bytes);
        if (there && there < last)
            return 1;
        last = there > last ? there : last;
    }
    return 0;
}

static int ends_with_dots(const char *text, size_t n)
{
    static const char dots[] = "\u2026";
    const size_t own = sizeof dots - 1;
    while (n && is_one_of(text[n - 1], "\". \n"))
        n--;
    return n >= own && !memcmp(text + n - own, dots, own);
}

int guard_cut_off(const char *text, size_t n, const char *read, size_t n_read)
{
    return ends_with_dots(text, n) && ends_with_dots(read, n_read);
}

// The stems of TEXT [n]'s words, MOST at most, to WORDS; how many these are.
static int stems_of(const char *text, size_t n, char words[][WORD_STEM], int most)
{
    int count = 0;
    for (size_t at = 0; count < most && word_next(text, n, &at, words[count], NULL);)
        count++;
    return count;
}

static int count_of(const char *text, size_t n, const char stem[WORD_STEM])
{
    char other[WORD_STEM];
    int count = 0;
    for (size_t at = 0; word_next(text, n, &at, other, NULL);)
        count += !memcmp(stem, other, WORD_STEM);
    return count;
}

static int says_twice(const char *text, size_t n, const char *read, size_t n_read,
                      const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);)
        if (bytes >= SHORTEST && !word_is_common(stem) &&
            !word_is_in(question, strlen(question), stem) && count_of(read, n_read, stem) == 1 &&
            count_of(text, n, stem) > 1)
            return 1;
    return 0;
}

// Whether OWN [n] says two words, one of which says something, twice and oftener than READ
// [n_read]: "60 per cent go to the kitchen and 30 to the kitchen"; or two numbers.
static int repeats(const char own[][WORD_STEM], int n, const char read[][WORD_STEM], int n_read)
{
    for (int i = 0; i + 2 <= n; i++) {
        const int says = guard_is_telling(own[i]) || guard_is_telling(own[i + 1]) ||
                         (is_digit(own[i][0]) && is_digit(own[i + 1][0]));
        const int count = says ? guard_count_both(own, n, own[i]) : 0;
        if (count > 1 && count > guard_count_both(read, n_read, own[i]))
            return 1;
    }
    return 0;
}

// Whether OWN [n] says what READ [n_read] denies: two words, one of which says something, that READ
// has behind "no" or "not", while OWN denies nothing.
static int drops_denial(const char own[][WORD_STEM], int n, const char read[][WORD_STEM],
                        int n_read)
{
    static const char denials[] = WORDLIST_DENIALS "without cannot ohne";
    for (int i = 0; i < n; i++)
        if (word_is_in(denials, sizeof denials - 1, own[i]))
            return 0;
    for (int r = 0; r + 2 < n_read; r++)
        if (word_is_in(denials, sizeof denials - 1, read[r]) &&
            (guard_is_telling(read[r + 1]) || guard_is_telling(read[r + 2])) &&
            guard_count_both(own, n, read[r + 1]))
            return 1;
    return 0;
}

// Whether OWN [n] has a number that is not in QUESTION where READ [n_read] has another one before
// the same two words.
static int changes_number(const char own[][WORD_STEM], int n, const char read[][WORD_STEM],
                          int n_read, const char *question)
{
    for (int i = 0; i + 2 < n; i++) {
        int others = 0, own_ones = 0;
        if (!is_digit(own[i][0]) || word_is_in(question, strlen(question), own[i]))
            continue;
        for (int r = 0; r + 2 < n_read; r++)
            if (is_digit(read[r][0]) && guard_same(read[r + 1], own[i + 1], 2)) {
                own_ones += guard_same(read[r], own[i], 1);
                others++;
            }
        if (others && !own_ones)
            return 1;
    }
    return 0;
}

int guard_heading(const char *text, size_t n, const char *read, size_t n_read)
{
    const char *end = memchr(read, '\n', n_read);
    const size_t line = end ? (size_t)(end - read) : 0, own = guard_without_stop(text, n),
                 heading = guard_without_stop(read, line);
    const struct cut c = {.text = read, .n = n_read};
    if (!own || own >= n_read)
        return 0;
    if (line + 1 < n_read && read[line + 1] == '\n' && own <= heading &&
        (own == heading || !word_has(read[heading - own - 1])) &&
        word_same(text, own, read + heading - own, own) == own)
        return 1;
    return !memcmp(text, read, own) && own + 2 < n_read && read[own] == '.' &&
           cut_runs_in(&c, own, own + 2);
}

// Whether the last word of TEXT [n], with the stop behind it, is in READ [n_read] but a part of
// another: "set meter." of "set meter.target to -16".
static int ends_within_a_word(const char *text, size_t n, const char *read, size_t n_read)
{
    const size_t end = guard_without_stop(text, n);
    size_t word = end;
    while (word && !is_space(text[word - 1]))
        word--;
    if (end == word || end == n || text[end] != '.')
        return 0;
    size_t bytes = end + 1 - word, at = guard_next_place(text + word, bytes, read, n_read, 0);
    const int there = at < n_read;
    for (; at < n_read; at = guard_next_place(text + word, bytes, read, n_read, at + 1))
        if (at + bytes == n_read || !word_has(read[at + bytes]))
            return 0;
    return there;
}

// Whether TEXT [n] is the rest of a sentence of READ [n_read] behind a word that limits or denies
// it: "103 and 109" of "all trains but 103 and 109".
static int lacks_limit(const char *text, size_t n, const char *read, size_t n_read)
{
    static const char limits[] = WORDLIST_DENIALS "none but except without unless only ohne nur";
    enum { BEFORE = 3 }; // words
    char stem[WORD_STEM];
    const size_t own = guard_without_stop(text, n),
                 at = guard_next_place(text, own, read, n_read, 0);
    size_t from = at;
    if (!own || !at || at == n_read || !is_space(read[at - 1]))
        return 0;
    for (int words = 0; from && words <= BEFORE && !is_one_of(read[from - 1], ".!?:;\n"); from--)
        words += is_space(read[from - 1]) && from < at;
    while (word_next(read, at, &from, stem, NULL))
        if (word_is_in(limits, sizeof limits - 1, stem))
            return 1;
    return 0;
}

// Whether all words of the label TEXT [n] are in QUESTION, and it has one of four letters or more.
static int is_asked(const char *text, size_t n, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    int long_one = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        if (!word_form_is_in(question, strlen(question), text + at - bytes, bytes))
            return 0;
        long_one |= bytes >= SHORTEST;
    }
    return long_one;
}

// Whether TEXT [n] has nothing of the value of the one line of READ [n_read] whose label is asked
// for: "The volume is 731." of "volume = {5}", "pages = {731--740}".
static int tells_other_field(const char *text, size_t n, const char *read, size_t n_read,
                             const char *question)
{
    char stem[WORD_STEM];
    size_t value = 0, end = 0, to;
    int labels = 0, asked = 0;
    if (!asked_what(question))
        return 0;
    for (size_t at = 0; at < n_read; at = to + 1) {
        const char *stop = memchr(read + at, '\n', n_read - at);
        to = stop ? (size_t)(stop - read) : n_read;
        while (at < to && is_space(read[at]))
            at++;
        const size_t label = line_label(read + at, to - at);
        labels += label > 0;
        if (!label || !is_asked(read + at, label, question))
            continue;
        asked++;
        value = at + label;
        end = to;
    }
    if (asked != 1 || labels < 2)
        return 0;
    for (size_t at = value; word_next(read, end, &at, stem, NULL);)
        if (word_is_in(text, n, stem))
            return 0;
    return 1;
}

// Whether READ [n_read] has a word like WORD [bytes]: a long one, of which the stem is but a part,
// in another form ("accountant" is not like "account", "delivery" is like "delivered").
static int has_like(const char *word, size_t bytes, const char *read, size_t n_read)
{
    enum { LONG = 9, MORE = 2 }; // bytes
    char stem[WORD_STEM], other[WORD_STEM];
    size_t own = 0, n_other;
    word_next(word, bytes, &own, stem, NULL);
    for (size_t at = 0; word_next(read, n_read, &at, other, &n_other);)
        if (guard_same(stem, other, 1) &&
            (bytes < LONG || n_other + MORE >= bytes ||
             word_same(word, bytes, read + at - n_other, n_other) < n_other))
            return 1;
    return 0;
}

// Whether TEXT [n] has a word that says something, a code such as E7, or behind its first word a
// name, that READ [n_read] lacks: a small model makes up what is not there, and says of one thing
// what READ says of another.
static int adds_words(const char *text, size_t n, const char *read, size_t n_read)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const int code = word_has_digit(text + at - bytes, bytes),
                  name = bytes > 1 && is_upper(text[at - bytes]) && (at > bytes || code);
        if ((name || bytes >= SHORTEST) && !word_is_common(stem) &&
            !has_like(text + at - bytes, bytes, read, n_read))
            return 1;
    }
    return 0;
}

// Whether TEXT [n] is a part of a row of the table that READ [n_read] has it from, divided as that.
static int is_of_row(const char *text, size_t n, const char *read, size_t n_read)
{
    const size_t own = guard_without_stop(text, n);
    if (!line_has_fields(text, own))
        return 0;
    const size_t at = guard_next_place(text, own, read, n_read, 0);
    return at == n_read || (at && read[at - 1] != '\n') ||
           (at + own < n_read && read[at + own] != '\n');
}

int guard_garbled(const char *text, size_t n, const char *read, size_t n_read, const char *question)
{
    enum { OWN = 96, READ = 256 };
    char own[OWN][WORD_STEM], there[READ][WORD_STEM];
    const int n_own = stems_of(text, n, own, OWN), n_there = stems_of(read, n_read, there, READ);
    return guard_leaves_out(text, n, read, n_read, question) ||
           guard_joins_wrongly(text, n, read, n_read, question) ||
           repeats(own, n_own, there, n_there) || asked_of_another(question, read) ||
           drops_denial(own, n_own, there, n_there) ||
           changes_number(own, n_own, there, n_there, question) ||
           says_twice(text, n, read, n_read, question) ||
           guard_invents_number(text, n, read, n_read, question) ||
           ends_within_a_word(text, n, read, n_read) || lacks_limit(text, n, read, n_read) ||
           tells_other_field(text, n, read, n_read, question) ||
           guard_crosses_parts(text, n, read, n_read, question) ||
           guard_makes_day(text, n, read, n_read, question) ||
           guard_tells_stamp(text, n, read, n_read, question) ||
           adds_words(text, n, read, n_read) || is_of_row(text, n, read, n_read);
}

int guard_enough(const char *text, size_t n, int words)
{
    int said = 0;
    for (size_t i = 0; i < n; i++)
        said += text[i] == ' ' || text[i] == '\n' || i + 1 == n;
    return 4 * said >= 3 * words;
}

// The rest of TEXT behind one of WORDS, with which it begins; NULL: it begins with none of them.
static const char *behind_any(const char *text, const char *const *words)
{
    for (; text && *words; words++)
        if (!strncmp(text, *words, strlen(*words)))
            return text + strlen(*words);
    return NULL;
}

size_t guard_lead(const char *text)
{
    static const char *const the[] = {"The ", NULL}, *const that[] = {" that ", ": \"", ": ", NULL},
                             *const according[] = {"According to the ", NULL},
                             *const comma[] = {", ", NULL},
                             *const nouns[] = {"text above", "text", "passage", "document", NULL},
                             *const verbs[] = {" states",   " says",      " mentions",
                                               " notes",    " indicates", " specifies",
                                               " suggests", " implies",   NULL};
    const char *end = behind_any(behind_any(behind_any(behind_any(text, the), nouns), verbs), that);
    if (!end)
        end = behind_any(behind_any(behind_any(text, according), nouns), comma);
    return end && *end ? (size_t)(end - text) : 0;
}
