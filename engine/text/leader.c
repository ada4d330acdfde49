#define _GNU_SOURCE
#include "engine/text/leader.h"

#include <string.h>

#include "engine/text/chars.h"
#include "engine/text/lines.h"

enum {
    DOTS = 5,  // more than an ellipsis behind a stop
    FEW = 4,   // are enough between spaces
    WIDE = 160 // bytes of a row, at most
};

size_t leader_label(const char *text, size_t n)
{
    size_t dots = 0, to;
    while (dots < n && text[n - dots - 1] == '.')
        dots++;
    for (to = n - dots; to > 0 && is_space(text[to - 1]);)
        to--;
    return to && (dots >= DOTS || (dots == FEW && to < n - dots)) ? to : n;
}

int leader_is_row(const char *text, size_t n)
{
    for (size_t at = 0, end = 0; n <= WIDE && at < n; at = end + 1) {
        const char *dot = memmem(text + at, n - at, "....", FEW);
        if (!dot)
            return 0;
        for (end = (size_t)(dot - text); end < n && text[end] == '.';)
            end++;
        const size_t label = leader_label(text, end), gap = end + 1;
        // Four may be an ellipsis with its stop: "He waited .... Then he left."
        if (label < end && gap < n && text[end] == ' ' && line_says_something(text, label) &&
            (end - (size_t)(dot - text) > FEW || text[gap] == ' '))
            return line_says_something(text + gap, n - gap);
    }
    return 0;
}

// leader_is_row, for the line of C at byte LINE.
static int is_row(const struct cut *c, size_t line)
{
    return leader_is_row(c->text + line, line_end(c, line) - line);
}

int leader_is_among(const struct cut *c, size_t line)
{
    const size_t below = line_end(c, line) + 1;
    return is_row(c, line) &&
           ((line && is_row(c, line_start(c, line - 1))) || (below < c->n && is_row(c, below)));
}
