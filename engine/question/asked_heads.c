// Whether a heading tells what a text below it is asked for.
#include <string.h>

#include "engine/question/asked.h"
#include "engine/words/words.h"

int asked_heads(const char *heading, size_t n, int numbers, const char *question, const char *text)
{
    enum { SHORTEST = 4 }; // bytes of a word that counts, unless it is a number
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(heading, n, &at, stem, &bytes);) {
        const int number = word_has_digit(heading + at - bytes, bytes);
        const int telling = number ? numbers : bytes >= SHORTEST && !word_is_common(stem);
        if (telling && word_is_in(question, strlen(question), stem) &&
            !word_is_in(text, strlen(text), stem))
            return 1;
    }
    return 0;
}
