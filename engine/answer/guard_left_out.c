// What a text that was written leaves out of what was read.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/text/chars.h"
#include "engine/text/wordlist.h"

enum { WORDS = 256 }; // of a text
// Where in an answer.
enum side { AT_BEGINNING, WITHIN, AT_END };

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

// Whether one of WORDS [n] is of those that QUESTION asks for something with.
static int are_asked(const char words[][WORD_STEM], int n, const char *question)
{
    for (int i = 0; i < n; i++)
        if (guard_is_telling(words[i]) && word_is_in(question, strlen(question), words[i]))
            return 1;
    return 0;
}

// The first words of a text, and which of them are names.
struct words {
    char v[WORDS][WORD_STEM];
    unsigned char name[WORDS];
    int n;
};

// Whether the word at byte AT of TEXT, BYTES long, is a name: it has a capital within a
// sentence, and is no month.
static int is_name(const char *text, size_t at, size_t bytes)
{
    size_t before = at;
    while (before && is_one_of(text[before - 1], " \t(\"'"))
        before--;
    return is_upper(text[at]) && bytes > 1 && before && !is_one_of(text[before - 1], ".!?:\n") &&
           !word_is_listed(WORDLIST_DATES, text + at, bytes);
}

static void words_of(struct words *w, const char *text, size_t n)
{
    size_t at = 0, bytes;
    for (w->n = 0; w->n < WORDS && word_next(text, n, &at, w->v[w->n], &bytes); w->n++)
        w->name[w->n] = (unsigned char)is_name(text, at - bytes, bytes);
}

// Whether an answer to QUESTION says too little without the SKIP words of READ from R on. Where a
// SIDE of them is an end of the answer, but one word of it tells that they belong there.
static int are_missed(const struct words *read, int r, int skip, enum side side,
                      const char *question)
{
    enum { MOST = 3 };
    if (are_asked(read->v + r, skip, question))
        return 1;
    if (side == AT_END || skip > MOST)
        return side != AT_BEGINNING && memchr(read->name + r, 1, (size_t)skip) != NULL;
    return side == WITHIN && say_something(read->v + r, skip);
}

// Whether OWN goes on between two of its words as READ does, but for some words between them which
// an answer should have (are_missed).
static int skips(const struct words *own, const struct words *read, const char *question)
{
    enum { LONGEST = 8, FEW = 3 };
    for (int i = 1; own->n > 2 && i < own->n; i++) {
        const int name = i > 1 && own->name[i - 1], before = i > 1 && !name ? 2 : 1,
                  behind = i + 1 < own->n ? 2 : 1;
        const enum side side = i < 2 ? AT_BEGINNING : behind < 2 ? AT_END : WITHIN;
        if (guard_count_both(read->v, read->n, own->v[i - 1]) ||
            (side == AT_BEGINNING && !guard_is_telling(own->v[0])))
            continue;
        for (int r = before; r + behind < read->n; r++) {
            if (!guard_same(read->v[r - before], own->v[i - before], before))
                continue;
            const int both = i > 1 && r > 1 && guard_same(read->v[r - 2], own->v[i - 2], 2),
                      most = name && !both ? FEW : LONGEST;
            for (int skip = 1; skip <= most && r + skip + behind <= read->n; skip++)
                if (guard_same(read->v[r + skip], own->v[i], behind) &&
                    are_missed(read, r, skip, side, question))
                    return 1;
        }
    }
    return 0;
}

// Whether OWN is READ from one of its words on but for words here and there, some of which an
// answer should have: "the wing, which had been built" of "the wing, of which the ground floor had
// been built".
static int thins_out(const struct words *own, const struct words *read, const char *question)
{
    enum { FEW = 8, LONGEST = 3 };
    int thinned = 0;
    for (int from = 0; own->n > FEW && from + own->n <= read->n; from++) {
        int i = 0, r = from, missed = 0;
        for (; i < own->n; i++, r++) {
            const int gap = r, most = i < 2 ? 0 : LONGEST;
            while (r < read->n && r - gap <= most && !guard_same(read->v[r], own->v[i], 1))
                r++;
            if (r == read->n || r - gap > most)
                break;
            missed |= r > gap && are_missed(read, gap, r - gap, WITHIN, question);
        }
        if (i == own->n && !missed)
            return 0;
        thinned |= i == own->n;
    }
    return thinned;
}

// Whether TEXT [n], of which READ [n_read] is the answer to the question who, names nobody.
static int names_nobody(const char *text, size_t n, const char *read, size_t n_read,
                        const char *question)
{
    static const char who[] = WORDLIST_WHO WORDLIST_WHO_GERMAN,
                      others[] = WORDLIST_FUNCTION WORDLIST_DATES;
    const size_t n_question = strlen(question);
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    int named = 0;
    if (!word_next(question, n_question, &at, stem, &bytes) ||
        !word_is_listed(who, question + at - bytes, bytes))
        return 0;
    for (at = 0; !named && word_next(read, n_read, &at, stem, &bytes);)
        named = is_name(read, at - bytes, bytes) && !word_is_in(question, n_question, stem) &&
                !word_is_in(others, sizeof others - 1, stem);
    for (at = 0; named && word_next(text, n, &at, stem, &bytes);)
        named = !is_upper(text[at - bytes]) || word_is_in(question, n_question, stem) ||
                word_is_in(others, sizeof others - 1, stem);
    return named;
}

// Where READ [n_read] has the end of TEXT [n], as much of it as READ has, with a comma in it; 0:
// nowhere, or at its beginning.
static size_t place_of_list(const char *text, size_t n, const char *read, size_t n_read)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const size_t from = at - bytes;
        if (guard_next_place(", ", 2, text + from, n - from, 0) == n - from)
            return 0;
        const size_t there = guard_next_place(text + from, n - from, read, n_read, 0);
        if (there < n_read)
            return there;
    }
    return 0;
}

// Whether TEXT [n] ends with a list, or an address, of READ [n_read], but lacks its first part:
// "27 Mill Street, Hull" of "Flat 3, 27 Mill Street, Hull".
static int drops_first(const char *text, size_t n, const char *read, size_t n_read)
{
    static const char leads[] = " is are was were at ",
                      others[] = WORDLIST_FUNCTION WORDLIST_BEFORE_ASKING;
    enum { MOST = 3 }; // words of the part
    const size_t at = place_of_list(text, guard_without_stop(text, n), read, n_read);
    const size_t end = at < 2 || memcmp(read + at - 2, ", ", 2) ? 0 : at - 2;
    char stem[WORD_STEM];
    size_t first = end, from = end;
    for (int words = 0; from && read[from] != '\n'; from--) {
        const size_t to = from;
        while (from && !is_space(read[from - 1]))
            from--;
        if (from == to || is_one_of(read[to - 1], ".!?:;,") ||
            word_is_listed(leads, read + from, to - from))
            break;
        if (words++ == MOST || word_is_listed(others, read + from, to - from))
            return 0;
        first = from;
        if (!from || read[from] == '(')
            break;
    }
    return first < end && word_next(read, end, &first, stem, NULL) && !word_is_in(text, n, stem);
}

int guard_leaves_out(const char *text, size_t n, const char *read, size_t n_read,
                     const char *question)
{
    struct words own, there;
    words_of(&own, text, n);
    words_of(&there, read, n_read);
    return skips(&own, &there, question) || thins_out(&own, &there, question) ||
           names_nobody(text, n, read, n_read, question) || drops_first(text, n, read, n_read);
}
