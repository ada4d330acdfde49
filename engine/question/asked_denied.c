// Whether a text only denies what is asked for.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/wordlist.h"

// Whether the line TEXT is one sentence that denies something, and what is denied, by the word
// behind "not", is of QUESTION or, for QUESTION NULL, anything. "Not before May" and the like tell
// something.
static int denies(const char *question, const char *text)
{
    static const char tells[] =
        " until till before after unless except only later more less than because since if when "
        "while longer yet any anyone anything but ";
    char word[ASKED_LONGEST + 1];
    const char *stop = strchr(text, '.');
    int place = 0, denied = 0, behind = 0;
    if (strpbrk(text, ",;:()\"!?0123456789") || (stop && stop[1]))
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word); place++) {
        if (place && asked_is(word, tells)) // "But he did not": the first word only joins
            return 0;
        denied |= behind &&
                  (!question || word_form_is_in(question, strlen(question), word, strlen(word)));
        behind = asked_is(word, " not never nicht nie ");
    }
    return denied;
}

int asked_only_denied(const char *question, const char *text)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    const char *clause = question_clause(question), *line = strrchr(text, '\n');
    if (!asked_word(clause, &at, word) || asked_has_any(question, WORDLIST_DENIALS))
        return 0;
    line = line ? line + 1 : text;
    return asked_is(word, " where wo ")
               ? denies(NULL, line)
               : asked_is(word, " who whom wer wen wem when wann ") && denies(question, line);
}
