#include "engine/lines/chat_lines.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/clock.h"
#include "engine/words/words.h"

// The byte behind the time that the line TEXT [n] begins with, behind a day or not; 0: there is
// none.
static size_t time_end(const char *text, size_t n)
{
    enum { DAY = 16 }; // bytes of a day in numbers, and of what divides it from the time
    struct clock_span time;
    size_t bytes;
    for (size_t at = 0; at < n && at < DAY; at++) {
        if ((!at || !is_digit(text[at - 1])) && (bytes = clock_begins(text + at, n - at, &time)))
            return at + bytes;
        if (!is_digit(text[at]) && !is_one_of(text[at], "[(/.-, T"))
            return 0;
    }
    return 0;
}

size_t chat_name(const char *text, size_t n)
{
    enum { LONGEST = 40 };
    int begins = 1;
    size_t at = 0;
    for (; at < n && at < LONGEST && text[at] != ':'; at++) {
        if (begins && !is_upper(text[at]) && (unsigned char)text[at] < 0x80)
            return 0;
        begins = text[at] == ' ';
        if (!begins && !word_has(text[at]) && !is_one_of(text[at], ".'-"))
            return 0;
    }
    return at + 1 < n && text[at] == ':' && text[at + 1] == ' ' ? at : 0;
}

int chat_line(const char *text, size_t n, struct span_of_text *when, struct span_of_text *who)
{
    enum { LONGEST = 40 };
    size_t at = time_end(text, n);
    *when = (struct span_of_text){n > 0 && is_one_of(text[0], "[("), at};
    if (!at)
        return 0;
    while (at < n && is_one_of(text[at], "]) -\t"))
        at++;
    if (at < n && text[at] == '<') {
        const char *close = memchr(text + at, '>', n - at < LONGEST ? n - at : LONGEST);
        *who = (struct span_of_text){at + 1, close ? (size_t)(close - text) : 0};
        return close && who->to > who->from;
    }
    *who = (struct span_of_text){at, at + chat_name(text + at, n - at)};
    return who->to > who->from;
}
