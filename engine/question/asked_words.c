// The words of a question and of a text, one after the other.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Words before the one that asks: "in which year".
static const char BEFORE[] = WORDLIST_BEFORE_ASKING " until since bis seit ab um ";

int asked_next_word(const char *text, size_t *at, char word[ASKED_LONGEST + 1])
{
    const size_t n = word_small(text, strlen(text), at, word, ASKED_LONGEST);
    word[n] = 0;
    return n > 0;
}

void asked_last_word(const char *text, char word[ASKED_LONGEST + 1])
{
    char next[ASKED_LONGEST + 1];
    *word = 0;
    for (size_t at = 0; asked_next_word(text, &at, next);)
        memcpy(word, next, sizeof next);
}

int asked_is(const char *word, const char *list)
{
    return word_is_listed(list, word, strlen(word));
}

int asked_has_any(const char *text, const char *list)
{
    return words_listed(list, text, strlen(text));
}

int asked_has_pair(const char *text, const char *first, const char *second)
{
    char word[ASKED_LONGEST + 1];
    int behind = 0;
    for (size_t at = 0; asked_next_word(text, &at, word); behind = asked_is(word, first))
        if (behind && asked_is(word, second))
            return 1;
    return 0;
}

int asked_word(const char *question, size_t *at, char word[ASKED_LONGEST + 1])
{
    return asked_next_word(question, at, word) &&
           (!asked_is(word, BEFORE) || asked_next_word(question, at, word));
}

const char *asked_behind(const char *question, const char *const *lists, int n)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    for (int i = 0; i < n; i++)
        if (!(i ? asked_next_word : asked_word)(question, &at, word) || !asked_is(word, lists[i]))
            return NULL;
    return question + at;
}

int asked_has_form(const char *text, const char *word)
{
    return word_form_is_in(text, strlen(text), word, strlen(word));
}
