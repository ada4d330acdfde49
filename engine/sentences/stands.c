#include "engine/sentences/stands.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    LOOK = 3,        // number of first words that are looked up
    IN_SENTENCE = 2, // words that say something, at least, in a sentence
    IN_LINE = 3      // and in what is not a sentence
};
static const double SIGNS = 0.02;

// Lists of words. The first has words that begin a continuation of what
// was said before,
static const char GOES_ON[] =
    " it its they them their he she his her him such however but and or so thus therefore hence "
    "then also otherwise moreover furthermore nevertheless nonetheless instead similarly likewise "
    "consequently accordingly additionally besides conversely finally both another others here "
    "yet still again neither nor which who because see ";
// the second words of phrases that do, by the first one,
static const struct {
    const char *first, *second;
} LINKS[] = {{"for", " example instance "},
             {"in", " fact addition contrast turn particular "},
             {"as", " such before above "},
             {"the", " following same above "}};
// the next words that refer to what was said before, near the beginning,
static const char POINTS[] = " this these those such latter former that ";
// and this one what a text calls itself.
static const char ITSELF[] = WORDLIST_OF_TEXTS
    " act agreement appendix chapter directory file guide handbook library licence license memo "
    "package page part program project release section software specification standard tool "
    "version volume ";

size_t stands_closed(const char *text, size_t n)
{
    for (;;) {
        if (n && (is_space(text[n - 1]) || is_one_of(text[n - 1], "\"')]*_")))
            n--;
        else if (n >= 3 &&
                 (!memcmp(text + n - 3, "\u201d", 3) || !memcmp(text + n - 3, "\u2019", 3)))
            n -= 3;
        else
            return n;
    }
}

int stands_ended(const char *text, size_t n)
{
    n = stands_closed(text, n);
    if (n && is_one_of(text[n - 1], ".!?"))
        return 1;
    return n >= 3 && (!memcmp(text + n - 3, "\u3002", 3) || !memcmp(text + n - 3, "\uff01", 3) ||
                      !memcmp(text + n - 3, "\uff1f", 3));
}

// Whether TEXT [n] begins as a sentence of prose does: not with a small letter, an arrow or a
// bracket, but with any word that is marked as code: "`tar` makes archives."
static int has_beginning(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_one_of(text[i], "\"'*_"))
        i++;
    if (i + 1 < n && text[i] == '`' && text[i + 1] != '`')
        return memchr(text + i + 1, '`', n - i - 1) != NULL;
    if (i + 1 < n && (unsigned char)text[i] == 0xe2) // punctuation and symbols, not letters
        return !memcmp(text + i, "\u201c", 2);
    return i < n && (is_upper(text[i]) || is_digit(text[i]) || (unsigned char)text[i] >= 0x80);
}

// Whether TEXT [n] has signs of a program, a table or an address. A line may be set in.
static int has_signs(const char *text, size_t n)
{
    enum { GAP = 3 };
    size_t signs = 0, letters = 0, blanks = 0, set_in = 0;
    for (size_t i = 0; i < n; i++) {
        blanks = text[i] == ' ' ? blanks + 1 : 0;
        set_in = text[i] == '\n' || (set_in && blanks);
        if (blanks == GAP && !set_in)
            return 1;
        signs += is_one_of(text[i], "{}<>|=_\\[]$~^") || (i > 1 && !memcmp(text + i - 2, "://", 3));
        letters += is_lower(text[i]) || is_upper(text[i]) || is_space(text[i]) ||
                   (unsigned char)text[i] >= 0x80;
    }
    return 30 * signs > n || 4 * letters < 3 * n;
}

// Whether the first words of a sentence are WORD, and what follows it in TEXT [n] from AT on, and
// go on with what was said before.
static int links(const char *word, size_t bytes, const char *text, size_t n, size_t at)
{
    char next[WORD_LISTED + 1];
    for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++)
        if (strlen(LINKS[i].first) == bytes && !memcmp(LINKS[i].first, word, bytes)) {
            bytes = word_small(text, n, &at, next, sizeof next);
            return word_is_listed(LINKS[i].second, next, bytes);
        }
    return 0;
}

// Whether one of the first words of TEXT [n] refers to something said before.
static int leans(const char *text, size_t n)
{
    char word[WORD_LISTED + 1], next[WORD_LISTED + 1];
    size_t at = 0, bytes, words = 0;
    while (words < LOOK && (bytes = word_small(text, n, &at, word, sizeof word))) {
        size_t behind = at, first;
        if (word_has_digit(word, bytes))
            continue;
        if (!words++ && (word_is_listed(GOES_ON, word, bytes) || links(word, bytes, text, n, at)))
            return 1;
        if (!word_is_listed(POINTS, word, bytes) ||
            (words > 1 && word_is_listed(" that ", word, bytes)))
            continue;
        while (behind < n && is_space(text[behind]))
            behind++;
        first = behind;
        bytes = word_small(text, n, &behind, next, sizeof next);
        if (!is_upper(first < n ? text[first] : ' ') && !word_is_listed(ITSELF, next, bytes))
            return 1;
    }
    return 0;
}

// Whether the short sentence TEXT [n] ends with what another one names: "The Supplier assigns
// them."
static int ends_with_it(const char *text, size_t n)
{
    enum { SHORT = 8 }; // words
    char word[WORD_LISTED + 1];
    size_t at = 0, bytes, words = 0, last = 0;
    for (; (bytes = word_small(text, n, &at, word, sizeof word)) > 0; words++)
        last = bytes;
    return words <= SHORT && word_is_listed(" it them him those these ", word, last);
}

// Whether TEXT [n] ends in announcing what stands behind it, with "here" first in its clause: "and
// here is the outcome", "are as follows".
static int announces(const char *text, size_t n)
{
    enum { FEW = 4 }; // words of what is announced, at most
    char word[WORD_LISTED + 1];
    size_t bytes, behind = 0; // words behind "here", from 1 on, and the verb; 0: there is none
    int begins = 0, joins = 0, is_here = 0, as = 0, follows = 0;
    for (size_t at = 0, before = 0; (bytes = word_small(text, n, &at, word, sizeof word));
         before = at) {
        const int verb =
            is_here && word_is_listed(" is are come comes follow follows ", word, bytes);
        behind = verb ? 1 : behind + (behind > 0);
        begins = !before || is_one_of(text[before], ",;:.") || (begins && joins);
        joins = word_is_listed(" so and but now well then ", word, bytes);
        is_here = begins && word_is_listed(" here ", word, bytes);
        follows = as && word_is_listed(" follows ", word, bytes);
        as = word_is_listed(" as ", word, bytes);
    }
    return follows || (behind && behind <= 1 + FEW);
}

// Whether TEXT [n] is direct speech, or a part of it.
static int is_speech(const char *text, size_t n)
{
    size_t marks = 0;
    for (size_t i = 0; i < n; i++)
        marks += text[i] == '"';
    return marks % 2 || text[0] == '"' || (n >= 3 && !memcmp(text, "\u201c", 3));
}

// Whether TEXT [n] has enough words to say something, at least LEAST of them meaningful.
static int says_enough(const char *text, size_t n, size_t least)
{
    enum { WORDS = 5, SHORTEST = 4 };
    char stem[WORD_STEM];
    size_t words = 0, telling = 0, bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes); words++)
        telling +=
            bytes >= SHORTEST && !word_is_common(stem) && !word_has_digit(text + at - bytes, bytes);
    return words >= WORDS && telling >= least;
}

// Whether TEXT [n] is in an East Asian script, which does not separate words.
static int is_wide(const char *text, size_t n)
{
    size_t wide = 0;
    for (size_t i = 0; i < n; i++)
        wide += (unsigned char)text[i] >= 0xe3 && (unsigned char)text[i] < 0xf0;
    return 6 * wide > n;
}

// Bytes of the time in brackets with which TEXT [n], a line of a chat, begins.
static size_t stamp(const char *text, size_t n)
{
    enum { LONG = 32 };
    size_t i = 0, digits = 0;
    if (!n || text[0] != '[')
        return 0;
    while (i < n && i < LONG && text[i] != ']')
        digits += is_digit(text[i++]);
    return i + 1 < n && text[i] == ']' && 2 * digits > i ? i + 1 + (text[i + 1] == ' ') : 0;
}

double stands_alone(const char *text, size_t n)
{
    const size_t past = stamp(text, n);
    text += past;
    n -= past;
    if (has_signs(text, n) || !has_beginning(text, n))
        return SIGNS;
    const int wide = is_wide(text, n),
              prose = stands_ended(text, n) && (wide || !line_has_fields(text, n));
    if (!wide && !says_enough(text, n, prose ? IN_SENTENCE : IN_LINE))
        return SIGNS;
    if (!prose || announces(text, n))
        return STANDS_IN_LINE;
    return line_asks(text, stands_closed(text, n)) || leans(text, n) || ends_with_it(text, n) ||
                   is_speech(text, n)
               ? STANDS_LEANING
               : 1;
}
