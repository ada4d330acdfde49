#include "io/utf8.h"

enum { LONGEST = 4 }; // bytes of a character

static int goes_on(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

size_t utf8_border(const char *text, size_t at)
{
    size_t from = at;
    while (from > 0 && at - from < LONGEST && goes_on(text[from]))
        from--;
    return goes_on(text[from]) ? at : from;
}

size_t utf8_fit(const char *text, size_t n, size_t most)
{
    return n <= most ? n : utf8_border(text, most);
}
