// What is in something: the sentence that has its name, and the one that tells.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"

// HOLDER: the last word of QUESTION, of what it asks the contents of: "What was in the tin?". 0: it
// asks for something else.
static int holder_of(const char *question, char holder[ASKED_LONGEST + 1])
{
    static const char *const words[] = {" what was ", " is are was were lay ist war ",
                                        " in inside im "};
    const char *rest = asked_behind(question, words, 3);
    asked_last_word(rest ? rest : "", holder);
    return *holder != 0;
}

static int has_word(const char *text, const char *word)
{
    char own[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, own);)
        if (!strcmp(own, word))
            return 1;
    return 0;
}

// Whether TEXT says what is in HOLDER beside its name: "into the tin", "a tin of", "the tin held".
static int tells_beside(const char *text, const char *holder)
{
    enum { BEFORE = 4 }; // words
    static const char in[] = " in into inside within from of im aus ",
                      behind[] = " of with full filled had has held holds holding contained "
                                 "contains containing mit voll hatte enthielt ";
    char word[ASKED_LONGEST + 1];
    int since = BEFORE; // words since one of IN
    for (size_t at = 0, last = 0, next; asked_next_word(text, &at, word); last = at) {
        for (size_t i = last; i < at - strlen(word); i++)
            if (is_one_of(text[i], ".!?;:"))
                since = BEFORE;
        next = at;
        if (!strcmp(word, holder) &&
            (since < BEFORE || is_one_of(text[at], ":(") ||
             (asked_next_word(text, &next, word) && asked_is(word, behind))))
            return 1;
        since = asked_is(word, in) ? 0 : since + 1;
    }
    return 0;
}

// Whether TEXT says what is in something that was named before: "In it was a key."
static int tells_of_it(const char *text)
{
    static const char holds[] = " contained contains held holds ";
    return asked_has_any(text, " inside contents darin drin inhalt ") ||
           asked_has_pair(text, " in ", " it them ") ||
           asked_has_pair(text, " it they which that ", holds);
}

int asked_contents_left_out(const char *question, const char *text)
{
    char holder[ASKED_LONGEST + 1];
    return holder_of(question, holder) && has_word(text, holder) && !tells_beside(text, holder) &&
           !tells_of_it(text);
}

int asked_ends_with_holder(const char *question, const char *text)
{
    char holder[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1];
    asked_last_word(text, last);
    return holder_of(question, holder) && !strcmp(holder, last);
}
