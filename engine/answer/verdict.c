#include "engine/answer/verdict.h"

#include <string.h>

#include "engine/words/wordlist.h"
#include "engine/words/words.h"

static const char DENIES[] =
    WORDLIST_DENIALS " none nobody nothing nowhere cannot without neither t doesn don isn aren "
                     "wasn weren won wouldn couldn shouldn mustn hasn haven hadn didn needn ohne "
                     "keiner keines keinem nichts niemand ";

// Words of what is so, but not everywhere or always, and those behind which stands where it is not.
static const char LIMITS[] = " only except unless nur ausser ", EXCEPTS[] = " except ausser ";

// Words of what is not so, or not quite, although nothing is denied.
static const char REFUSES[] =
    " but however although instead rather against hardly barely rarely seldom "
    "too less few fewer until "
    "refuse refuses refused reject rejects rejected decline declined deny denies denied forbid "
    "forbids forbidden prohibit prohibits prohibited ban bans banned exclude excludes excluded "
    "excluding exempt lack lacks lacked lacking fail fails failed miss missing prevent prevents "
    "prevented avoid avoids stop stops stopped remove removed drop dropped disable "
    "disabled off absent gone unable impossible illegal invalid unknown unsupported unsafe "
    "deprecated obsolete withdrawn cancelled void lost "
    "aber verboten untersagt abgelehnt statt sondern ";

// Whether WORD [n] denies something: one that is listed, or "isn't" with a curled apostrophe.
static int denies(const char *word, size_t n)
{
    return word_is_listed(DENIES, word, n) || word_is_short_not(word, n);
}

// Whether TEXT [n] denies something or, where REFUSALS, says that something is not so otherwise.
static int has_denial(const char *text, size_t n, int refusals)
{
    char word[WORD_LISTED];
    size_t bytes;
    for (size_t at = 0; (bytes = word_small(text, n, &at, word, sizeof word));)
        if (denies(word, bytes) || (refusals && word_is_listed(REFUSES, word, bytes)))
            return 1;
    return 0;
}

// Whether the word of STEM, WORD [n], says what is asked for or told.
static int says(const char *word, size_t n, const char stem[WORD_STEM])
{
    return (n > 3 || word_has_digit(word, n)) && !word_is_common(stem);
}

// Whether QUESTION is about what READ [n] excepts: it has a word that stands behind "except" there.
static int asks_of_excepted(const char *question, const char *read, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    int excepted = 0;
    for (size_t at = 0; word_next(read, n, &at, stem, &bytes);) {
        if (excepted && says(read + at - bytes, bytes, stem) &&
            word_is_in(question, strlen(question), stem))
            return 1;
        excepted |= word_is_listed(EXCEPTS, read + at - bytes, bytes);
    }
    return 0;
}

// Whether READ [n_read] has all names, numbers and words of QUESTION that say what is asked for,
// none of them as an exception.
static int has_asked(const char *question, const char *read, size_t n_read)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        if (says(question + at - bytes, bytes, stem) && !word_is_in(read, n_read, stem))
            return 0;
    return !asks_of_excepted(question, read, n_read);
}

int verdict_is_other(const char *text, size_t n, const char *read, size_t n_read,
                     const char *question)
{
    char word[WORD_LISTED];
    size_t at = 0;
    const size_t bytes = word_small(text, n, &at, word, sizeof word);
    const int led = at == n || strchr(".,:;!\n", text[at]) != NULL,
              no = led && word_is_listed(" no nein ", word, bytes),
              yes = led && word_is_listed(" yes ja ", word, bytes);
    const char *rest = text + at;
    const size_t n_rest = n - at;
    size_t more = at;
    const int alone = !word_small(text, n, &more, word, sizeof word);
    if (has_denial(question, strlen(question), 0))
        return 0;
    if (yes)
        return alone ? has_denial(read, n_read, 0) : has_denial(rest, n_rest, 0);
    // "No, in May" is said of what the question has wrong, and "No, only in May".
    if (no && !alone && !has_denial(rest, n_rest, 1))
        return has_asked(question, read, n_read);
    if (!has_denial(text, n, 0) || has_denial(read, n_read, 1))
        return 0;
    return !words_listed(LIMITS, read, n_read) || has_asked(question, read, n_read);
}
