#include "engine/answer/said.h"

#include <string.h>

#include "engine/text/chars.h"
#include "engine/text/words.h"

enum { SHORTEST = 4 }; // bytes of a word that counts

int said_before(const char *text, size_t told, size_t n)
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

int said_in_circles(const char *text, size_t n)
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

int said_strays(const char *text, size_t n, const char *read)
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

int said_in_disorder(const char *text, size_t n, const char *read, size_t n_read)
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

// The stems of TEXT [n]'s words, MOST at most, to WORDS; how many these are.
static int stems_of(const char *text, size_t n, char words[][WORD_STEM], int most)
{
    int count = 0;
    for (size_t at = 0; count < most && word_next(text, n, &at, words[count], NULL);)
        count++;
    return count;
}

static int same(const char *a, const char *b, int words)
{
    return !memcmp(a, b, (size_t)words * WORD_STEM);
}

// Whether WORDS [n] has PART [2] one right behind the other.
static int has_both(const char words[][WORD_STEM], int n, const char *part)
{
    for (int i = 0; i + 2 <= n; i++)
        if (same(words[i], part, 2))
            return 1;
    return 0;
}

// Whether WORDS [n] say something: a small model may well leave out others.
static int say_something(const char words[][WORD_STEM], int n)
{
    static const char others[] =
        "a an the that which and with of to in on at by for as it is are was were be been";
    for (int i = 0; i < n; i++)
        if (!word_is_in(others, sizeof others - 1, words[i]))
            return 1;
    return 0;
}

// Whether OWN [n], which has two words as READ [n_read] has them and two more, goes on between them
// where READ has up to MOST words more, which say something.
static int leaves_out(const char own[][WORD_STEM], int n, const char read[][WORD_STEM], int n_read)
{
    enum { MOST = 3 };
    for (int i = 2; i + 2 <= n; i++) {
        if (has_both(read, n_read, own[i - 1]))
            continue;
        for (int r = 2; r + 2 < n_read; r++)
            for (int skip = 1; same(read[r - 2], own[i - 2], 2) && skip <= MOST; skip++)
                if (r + skip + 2 <= n_read && same(read[r + skip], own[i], 2) &&
                    say_something(read + r, skip))
                    return 1;
    }
    return 0;
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
            if (is_digit(read[r][0]) && same(read[r + 1], own[i + 1], 2)) {
                own_ones += same(read[r], own[i], 1);
                others++;
            }
        if (others && !own_ones)
            return 1;
    }
    return 0;
}

int said_garbled(const char *text, size_t n, const char *read, size_t n_read, const char *question)
{
    enum { OWN = 96, READ = 256 };
    char own[OWN][WORD_STEM], there[READ][WORD_STEM];
    const int n_own = stems_of(text, n, own, OWN), n_there = stems_of(read, n_read, there, READ);
    return leaves_out(own, n_own, there, n_there) ||
           changes_number(own, n_own, there, n_there, question) ||
           says_twice(text, n, read, n_read, question);
}

int said_enough(const char *text, size_t n, int words)
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

size_t said_lead(const char *text)
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
