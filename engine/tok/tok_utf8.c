// One character of UTF-8, or how much of the text is none (Unicode, table 3-7).
#include "engine/tok/tok_impl.h"

int tok_utf8(const uint8_t *s, size_t n, uint32_t *code)
{
    uint8_t c = s[0], lo = 0x80, hi = 0xbf;
    int need = c < 0x80 ? 0 : c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
    if (need < 0)
        return -1;
    // The second byte's range keeps out overlong forms, surrogates and what is past U+10FFFF.
    lo = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : lo;
    hi = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : hi;
    *code = need ? c & (0x3f >> need) : c;
    for (int i = 1; i <= need; i++) {
        if ((size_t)i >= n)
            return 0;
        if (s[i] < lo || s[i] > hi)
            return -i;
        *code = *code << 6 | (s[i] & 0x3f);
        lo = 0x80;
        hi = 0xbf;
    }
    return need + 1;
}
