#include "engine/tables/short_name.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

int short_name_is(const char *text, size_t n)
{
    enum { LETTERS = 3 };
    int digits;
    return n == LETTERS && name_letters(text, n, &digits) == LETTERS;
}

// Whether no other word is right behind P that a word before it may belong to: "the max size", "the
// saw-blade".
static int ends(const char *p)
{
    if (is_one_of(*p, "-/_") && *p && word_has(p[1]))
        return 0;
    return !is_space(*p) || word_is_listed(WORDLIST_FUNCTION, p + 1, strcspn(p + 1, " ?.,;!"));
}

// The word of QUESTION right before byte TO, *N bytes long, behind a blank.
static size_t word_before(const char *question, size_t to, size_t *n)
{
    to -= to > 0;
    const size_t from = word_start_before(question, 0, to);
    *n = to - from;
    return from;
}

int short_name_stands(const char *question, const char *at, const char *name, size_t n)
{
    static const char before[] =
        " of for by with to from is was are were does did do has had and or ";
    size_t bytes, from = word_before(question, (size_t)(at - question), &bytes);
    if ((is_upper(*name) && at > question && !memcmp(name, at, n)) || !strncmp(at + n, "'s", 2))
        return 1;
    if (!word_is_listed(WORDLIST_ARTICLES, question + from, bytes))
        return ends(at + n) && word_is_listed(before, question + from, bytes);
    if (ends(at + n))
        return 1;
    from = word_before(question, from, &bytes); // "What does the saw cost?"
    return word_is_listed(" does did do ", question + from, bytes);
}
