// What of a sentence has been said beside it.
#define _GNU_SOURCE
#include <string.h>

#include "engine/passage/sentence.h"
#include "engine/words/chars.h"

// Bytes of the first line of TEXT, with what is quoted below it, whoever wrote that.
static size_t first_line(const char *text)
{
    size_t n = strcspn(text, "\n");
    while (text[n] && text[n + 1] == '>')
        n += 1 + strcspn(text + n + 1, "\n");
    return n;
}

int sentence_leave_out(struct sentence *v, const char *said, size_t n_said)
{
    enum { FEW = 24 }; // bytes of what may be said twice by chance
    const size_t line = first_line(v->text), dots = strlen(SENTENCE_DOTS);
    const int led = line > dots && begins_with(v->text + line - dots, dots, SENTENCE_DOTS);
    size_t n = led ? line - dots : line, next = line;
    while (n > 0 && is_space(v->text[n - 1]))
        n--;
    while (is_space(v->text[next]))
        next++;
    if (!n || !v->text[next] || !(led || (n >= FEW && is_one_of(v->text[n - 1], ".!?"))) ||
        !memmem(said, n_said, v->text, n))
        return 0;
    memmove(v->text, v->text + next, strlen(v->text + next) + 1);
    v->own = v->own > next ? v->own - next : 0;
    v->said = v->said > next ? v->said - next : 0;
    return 1;
}
