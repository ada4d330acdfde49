#include "engine/text/asked.h"

#include <string.h>

#include "engine/text/halves.h"
#include "engine/text/words.h"

enum kind { ANYTHING, NUMBER, TIME, NAME };

enum { LONGEST = 16 };

// What a text falls behind by that has nothing of the kind asked for.
static const double MISSES = 0.5;

// Lists of words, a space before and behind each.
static const char BEFORE[] = " in at on by from for to of with until since ";
static const char VERBS[] = " do does did is are was were am be can could should would shall will "
                            "to may might must has have had ";
static const char TIMES[] = " time year date day month hour ";
static const char AMOUNTS[] =
    " cost costs price charge charged fee fine rent number limit maximum minimum amount "
    "rate temperature percentage age discount deposit salary distance length width "
    "height speed weight size budget port pay paid ";
static const char NUMBERS[] =
    " one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million dozen half once twice first second third "
    "fourth fifth sixth seventh eighth ninth tenth twentieth thirtieth daily weekly "
    "monthly yearly annually hourly quarter ";
static const char WHEN[] =
    " january february march april may june july august september october november "
    "december monday tuesday wednesday thursday friday saturday sunday christmas easter "
    "morning evening noon midnight night before after until once when soon day days week "
    "weeks month months year years immediately always never every ";

// The next word of TEXT from *AT on in small letters, one that is too long as none of the lists has
// it; 0 at the end.
static int next_word(const char *text, size_t *at, char word[LONGEST + 3])
{
    const size_t n = word_small(text, strlen(text), at, word + 1, LONGEST);
    word[0] = word[n + 1] = ' ';
    word[n + 2] = 0;
    return n > 0;
}

static int has_any(const char *text, const char *list)
{
    char word[LONGEST + 3];
    for (size_t at = 0; next_word(text, &at, word);)
        if (strstr(list, word))
            return 1;
    return 0;
}

static int is(const char *word, const char *list)
{
    return strstr(list, word) != NULL;
}

static enum kind asked_for(const char *question)
{
    char word[LONGEST + 3];
    size_t at = 0;
    question = question_itself(question);
    if (!next_word(question, &at, word) || (is(word, BEFORE) && !next_word(question, &at, word)))
        return ANYTHING;
    if (is(word, " who whom whose "))
        return NAME;
    if (is(word, " when "))
        return TIME;
    const int how = is(word, " how ");
    if ((!how && !is(word, " what which ")) || !next_word(question, &at, word))
        return ANYTHING;
    if (how)
        return is(word, VERBS) ? ANYTHING : NUMBER;
    return is(word, TIMES) ? TIME : has_any(question, AMOUNTS) ? NUMBER : ANYTHING;
}

static int has_number(const char *text)
{
    return strpbrk(text, "0123456789") || has_any(text, NUMBERS);
}

// Whether a word with a capital is in the midst of a sentence.
static int has_name(const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p >= 'A' && *p <= 'Z' && p - text > 1 && p[1] >= 'a' && p[1] <= 'z' &&
            strchr(" (", p[-1]) && !strchr(".!?:\n\"", p[-2]))
            return 1;
    return 0;
}

static int tells(enum kind asked, const char *text)
{
    switch (asked) {
    case NUMBER:
        return has_number(text);
    case TIME:
        return has_number(text) || has_any(text, WHEN);
    case NAME:
        return has_name(text);
    default:
        return 1;
    }
}

double asked_fit(const char *question, const char *text)
{
    return tells(asked_for(question), text) ? 0 : -MISSES;
}

double asked_numbers(const char *question, const char *text)
{
    char stem[WORD_STEM];
    size_t bytes;
    int all = 0, own = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        if (!word_has_digit(question + at - bytes, bytes))
            continue;
        all++;
        own += word_is_in(text, strlen(text), stem);
    }
    return all ? (double)own / all : 0;
}
