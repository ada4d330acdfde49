#include "engine/answer/guard.h"

#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

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

int guard_heading(const char *text, size_t n, const char *read, size_t n_read)
{
    const char *end = memchr(read, '\n', n_read);
    const size_t line = end ? (size_t)(end - read) : 0, own = guard_without_stop(text, n),
                 heading = guard_without_stop(read, line);
    const struct lines c = {.text = read, .n = n_read};
    if (!own || own >= n_read)
        return 0;
    if (line + 1 < n_read && read[line + 1] == '\n' && own <= heading &&
        (own == heading || !word_has(read[heading - own - 1])) &&
        word_same(text, own, read + heading - own, own) == own)
        return 1;
    return !memcmp(text, read, own) && own + 2 < n_read && read[own] == '.' &&
           cut_runs_in(&c, own, own + 2);
}

int guard_garbled(const char *text, size_t n, const char *read, size_t n_read, const char *question)
{
    static int (*const rules[])(const struct guarded *) = {
        guard_leaves_out,     guard_joins_wrongly, guard_cuts_short,
        guard_says_otherwise, guard_mixes_numbers, guard_crosses_columns,
        guard_rewords_log,    guard_mixes_turns,   guard_mixes_sentences};
    struct guarded g = {.question = question, .n_question = strlen(question)};
    guard_look_at(&g.own, text, n);
    guard_look_at(&g.read, read, n_read);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i](&g))
            return 1;
    return 0;
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
