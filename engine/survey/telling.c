#include "engine/survey/telling.h"

#include <string.h>

int telling_word(const char *word, size_t bytes, const char stem[WORD_STEM], size_t least,
                 const char *idle)
{
    return word_has_digit(word, bytes) ||
           (bytes >= least && !word_is_common(stem) && !word_is_in(idle, strlen(idle), stem));
}
