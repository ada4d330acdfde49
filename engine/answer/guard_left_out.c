// What a text that was written leaves out of what was read.
#define _GNU_SOURCE // memmem
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"

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

// Whether one of SKIP words of T from word I on is a name.
static int have_name(const struct guard_text *t, int i, int skip)
{
    for (int end = i + skip; i < end; i++)
        if (is_name(t->text, t->at[i], t->bytes[i]))
            return 1;
    return 0;
}

// Whether an answer to QUESTION says too little without the SKIP words of READ from R on. Where a
// SIDE of them is an end of the answer, but one word of it tells that they belong there.
static int are_missed(const struct guard_text *read, int r, int skip, enum side side,
                      const char *question)
{
    enum { MOST = 3 };
    if (are_asked(read->stem + r, skip, question))
        return 1;
    if (side == AT_END || skip > MOST)
        return side != AT_BEGINNING && have_name(read, r, skip);
    return side == WITHIN && say_something(read->stem + r, skip);
}

// Whether OWN goes on between two of its words as READ does, but for some words between them which
// an answer should have (are_missed).
static int skips(const struct guard_text *own, const struct guard_text *read, const char *question)
{
    enum { LONGEST = 8, FEW = 3 };
    for (int i = 1; own->words > 2 && i < own->words; i++) {
        const int name = i > 1 && have_name(own, i - 1, 1), before = i > 1 && !name ? 2 : 1,
                  behind = i + 1 < own->words ? 2 : 1;
        const enum side side = i < 2 ? AT_BEGINNING : behind < 2 ? AT_END : WITHIN;
        if (guard_count_both(read, own->stem[i - 1]) ||
            (side == AT_BEGINNING && !guard_is_telling(own->stem[0])))
            continue;
        for (int r = before; r + behind < read->words; r++) {
            if (!guard_same(read->stem[r - before], own->stem[i - before], before))
                continue;
            const int both = i > 1 && r > 1 && guard_same(read->stem[r - 2], own->stem[i - 2], 2),
                      most = name && !both ? FEW : LONGEST;
            for (int skip = 1; skip <= most && r + skip + behind <= read->words; skip++)
                if (guard_same(read->stem[r + skip], own->stem[i], behind) &&
                    are_missed(read, r, skip, side, question))
                    return 1;
        }
    }
    return 0;
}

// Whether OWN is an article, a word and the end of a sentence of READ, which says something between
// these two: "The fire at the mill." of "Fire broke out at the mill."
static int skips_verb(const struct guard_text *own, const struct guard_text *read)
{
    enum { FEW = 4, LONGEST = 3 };
    if (own->words < FEW || !guard_is_listed(own, 0, WORDLIST_ARTICLES))
        return 0;
    for (int r = 0; r < read->words; r++)
        for (int skip = 1; skip <= LONGEST && r + skip + own->words - 1 <= read->words; skip++)
            if (guard_same(read->stem[r], own->stem[1], 1) &&
                guard_same(read->stem[r + 1 + skip], own->stem[2], own->words - 2) &&
                say_something(read->stem + r + 1, skip) && !guard_is_parted(read, r, r + 1 + skip))
                return 1;
    return 0;
}

// Where T has WORDS stems from word FROM on; t->words: nowhere.
static int next_words(const struct guard_text *t, int from, const char *stems, int words)
{
    for (; from + words <= t->words; from++)
        if (guard_same(t->stem[from], stems, words))
            return from;
    return t->words;
}

static int has_telling(const char words[][WORD_STEM], int n)
{
    int telling = 0;
    for (int i = 0; i < n; i++)
        telling |= guard_is_telling(words[i]);
    return telling;
}

// Whether OWN goes on between two of its words with what READ has only far behind the first one:
// "The form is kept in a box." of "The form is a sheet which by custom is yellow, and which is kept
// in a box." Both say something, or each of the two is what READ has a verb for.
static int leaps(const struct guard_text *own, const struct guard_text *read)
{
    enum { BEFORE = 2, BEHIND = 3, FAR = 8 }; // words
    for (int i = BEFORE; i + BEHIND <= own->words; i++) {
        const char(*before)[WORD_STEM] = own->stem + i - BEFORE,
              (*behind)[WORD_STEM] = own->stem + i;
        const int end = next_words(read, 0, before[0], BEFORE) + BEFORE,
                  there = next_words(read, 0, behind[0], BEHIND);
        if (there > end + FAR && there < read->words && has_telling(before, BEFORE) &&
            (has_telling(behind, BEHIND) ||
             (guard_is_listed(own, i, GUARD_VERBS) && guard_is_listed(read, end, GUARD_VERBS))) &&
            next_words(read, 0, before[0], BEFORE + 1) == read->words)
            return 1;
    }
    return 0;
}

// Whether OWN is READ from one of its words on but for words here and there, some of which an
// answer should have: "the wing, which had been built" of "the wing, of which the ground floor had
// been built".
static int thins_out(const struct guard_text *own, const struct guard_text *read,
                     const char *question)
{
    enum { FEW = 8, LONGEST = 3 };
    int thinned = 0;
    for (int from = 0; own->words > FEW && from + own->words <= read->words; from++) {
        int i = 0, r = from, missed = 0;
        for (; i < own->words; i++, r++) {
            const int gap = r, most = i < 2 ? 0 : LONGEST;
            while (r < read->words && r - gap <= most &&
                   !guard_same(read->stem[r], own->stem[i], 1))
                r++;
            if (r == read->words || r - gap > most)
                break;
            missed |= r > gap && are_missed(read, gap, r - gap, WITHIN, question);
        }
        if (i == own->words && !missed)
            return 0;
        thinned |= i == own->words;
    }
    return thinned;
}

// Whether WORD [n] of a question may be a participle: "pinned", "made".
static int is_participle(const char *word, size_t n)
{
    static const char others[] =
        " born bought brought built caught cut drawn found given held hung "
        "kept known laid led left lost made met paid put read said seen "
        "sent set shown sold spent spoken stolen struck sung taken taught "
        "thrown told won worn written ";
    return (n > 4 && !memcmp(word + n - 2, "ed", 2)) || word_is_listed(others, word, n);
}

// Whether G's answer begins with words of its question that a verb is before there, which it lacks:
// "The roll brushed with jam." to "What is the roll brushed with?"
static int lacks_verb(const struct guarded *g, const struct guard_text *asked)
{
    static const char verbs[] = " is are was were has have had be been ";
    const struct guard_text *own = &g->own;
    for (int q = 0; q + 2 < asked->words; q++) {
        int same = 0, last;
        while (guard_is_listed(asked, q, verbs) && q + 1 + same < asked->words &&
               same < own->words && guard_same(asked->stem[q + 1 + same], own->stem[same], 1))
            same++;
        last = same - 1;
        if (last > 1 && guard_is_listed(own, last, WORDLIST_BEFORE_ASKING))
            last--; // "brushed with"
        if (last > 0 && is_participle(own->text + own->at[last], own->bytes[last]) &&
            !guard_is_listed(own, last - 1, WORDLIST_ARTICLES) && // "a stolen boat"
            (same == own->words || !guard_is_listed(own, same, verbs)))
            return 1;
    }
    return 0;
}

// Whether OWN says four words of ASKED but for a "who" or the like between them: "the veil of the
// lady got down from" of "the veil of the lady who got down from".
static int lacks_relative(const struct guard_text *own, const struct guard_text *asked)
{
    static const char relatives[] = " who which that whom whose ";
    enum { SIDE = 2 };
    for (int q = SIDE; q + SIDE < asked->words; q++)
        for (int i = SIDE; guard_is_listed(asked, q, relatives) && i + SIDE <= own->words; i++)
            if (guard_same(asked->stem[q - SIDE], own->stem[i - SIDE], SIDE) &&
                guard_same(asked->stem[q + 1], own->stem[i], SIDE))
                return 1;
    return 0;
}

// Whether G's answer repeats its question, but for a word that makes a sentence of it.
static int garbles_question(const struct guarded *g)
{
    struct guard_text asked;
    guard_look_at(&asked, g->question, g->n_question);
    return lacks_verb(g, &asked) || lacks_relative(&g->own, &asked);
}

static int asks_who(const struct guarded *g)
{
    static const char who[] = WORDLIST_WHO WORDLIST_WHO_GERMAN;
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    return word_next(g->question, g->n_question, &at, stem, &bytes) &&
           word_is_listed(who, g->question + at - bytes, bytes);
}

// Whether G's answer to the question who names nobody, where names were read.
static int names_nobody(const struct guarded *g)
{
    static const char others[] = WORDLIST_FUNCTION WORDLIST_DATES;
    const char *read = g->read.text, *text = g->own.text;
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    int named = 0;
    if (!asks_who(g))
        return 0;
    for (; !named && word_next(read, g->read.n, &at, stem, &bytes);)
        named = is_name(read, at - bytes, bytes) && !word_is_in(g->question, g->n_question, stem) &&
                !word_is_in(others, sizeof others - 1, stem);
    for (at = 0; named && word_next(text, g->own.n, &at, stem, &bytes);)
        named = !is_upper(text[at - bytes]) || word_is_in(g->question, g->n_question, stem) ||
                word_is_in(others, sizeof others - 1, stem);
    return named;
}

// The word behind the name that begins with word I of T; I: none does.
static int behind_name(const struct guard_text *t, int i)
{
    while (i < t->words && have_name(t, i, 1) && (!i || !guard_is_parted(t, i - 1, i)))
        i++;
    return i;
}

// Whether READ has a second name behind the one that ends with word R, on its own or, as the first
// one, with when or where: "Ada Falk on odd days and Max Orr on even ones", "Ada Falk and Max Orr."
static int second_name(const struct guard_text *read, int r)
{
    static const char ands[] = " and und ", when[] = " on at in of for from during until since ";
    enum { FAR = 6 }; // words
    int at = r + 1;
    const int apart = at < read->words && guard_is_listed(read, at, when);
    while (apart && at < read->words && at <= r + FAR && !guard_is_listed(read, at, ands))
        at++;
    if (at >= read->words || !guard_is_listed(read, at, ands) || guard_is_parted(read, r, at))
        return 0;
    const int next = behind_name(read, at + 1);
    if (next == at + 1)
        return 0;
    if (next < read->words && guard_is_listed(read, next, when))
        return at + 1;
    const size_t end = read->at[next - 1] + read->bytes[next - 1];
    return !apart && (end == read->n || is_one_of(read->text[end], ".,;\n")) ? at + 1 : 0;
}

// Whether G's answer to the question who ends with a name behind which there is a second one.
static int drops_second_name(const struct guarded *g)
{
    const struct guard_text *own = &g->own, *read = &g->read;
    const int last = own->words - 1;
    if (last < 1 || !asks_who(g) || !have_name(own, last, 1))
        return 0;
    for (int r = 1; r < read->words; r++) {
        const int second =
            guard_same(read->stem[r - 1], own->stem[last - 1], 2) && have_name(read, r, 1)
                ? second_name(read, r)
                : 0;
        if (second && !word_is_in(own->text, own->n, read->stem[second]) &&
            !word_is_in(g->question, g->n_question, read->stem[second]))
            return 1;
    }
    return 0;
}

// Where READ has the end of OWN, as much of it as READ has, with a comma in it; 0: nowhere, or at
// its beginning.
static size_t place_of_list(const struct guard_text *own, const struct guard_text *read)
{
    const size_t n = guard_without_stop(own->text, own->n);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(own->text, n, &at, stem, &bytes);) {
        const char *end = own->text + at - bytes;
        const size_t own_bytes = n - (at - bytes);
        if (!memmem(end, own_bytes, ", ", 2))
            return 0;
        const size_t there = guard_next_place(end, own_bytes, read, 0);
        if (there < read->n)
            return there;
    }
    return 0;
}

// Whether G's answer ends with a list, or an address, that was read, but lacks its first part: "27
// Mill Street, Hull" of "Flat 3, 27 Mill Street, Hull".
static int drops_first(const struct guarded *g)
{
    static const char leads[] = " is are was were at ",
                      others[] = WORDLIST_FUNCTION WORDLIST_BEFORE_ASKING;
    enum { MOST = 3 }; // words of the part
    const char *read = g->read.text;
    const size_t at = place_of_list(&g->own, &g->read);
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
    return first < end && word_next(read, end, &first, stem, NULL) &&
           !word_is_in(g->own.text, g->own.n, stem);
}

// Whether the question is how many of something there are, and G's answer lacks the number right
// before that in READ: "They made 40 pounds of jam." of "12 jars filled, 40 pounds of jam."
static int drops_count(const struct guarded *g)
{
    struct guard_text asked;
    guard_look_at(&asked, g->question, g->n_question);
    if (asked.words < 3 || !guard_is_listed(&asked, 0, " how ") ||
        !guard_is_listed(&asked, 1, " many "))
        return 0;
    for (int r = 1; r < g->read.words; r++) {
        const struct guard_text *read = &g->read;
        const char *number = read->text + read->at[r - 1];
        if (guard_same(read->stem[r], asked.stem[2], 1) && is_digit(*number))
            return !words_stand_in(g->own.text, g->own.n, number, read->bytes[r - 1]);
    }
    return 0;
}

int guard_leaves_out(const struct guarded *g)
{
    return skips(&g->own, &g->read, g->question) || skips_verb(&g->own, &g->read) ||
           leaps(&g->own, &g->read) || thins_out(&g->own, &g->read, g->question) ||
           garbles_question(g) || names_nobody(g) || drops_second_name(g) || drops_first(g) ||
           drops_count(g);
}
