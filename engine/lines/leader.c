#define _GNU_SOURCE
#include "engine/lines/leader.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/chars.h"

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

// Whether dots lead to what begins with C, though they are few or no blank is behind them: "Rent
// .........1,200". With a letter a sentence may go on: "Well.....then he left".
static int is_led_to(char c)
{
    return is_digit(c) || c == '$' || (unsigned char)c >= 0x80;
}

int leader_split(const char *text, size_t n, size_t *label, size_t *value)
{
    for (size_t at = 0, end = 0; n <= WIDE && at < n; at = end + 1) {
        const char *dot = memmem(text + at, n - at, "....", FEW);
        if (!dot)
            return 0;
        for (end = (size_t)(dot - text); end < n && text[end] == '.';)
            end++;
        const size_t dots = end - (size_t)(dot - text);
        *label = leader_label(text, end);
        // Four may be an ellipsis with its stop: "He waited .... Then he left."
        if (*label == end || end + 1 >= n || !line_says_something(text, *label) ||
            (dots > FEW ? text[end] != ' ' && !is_led_to(text[end])
                        : text[end] != ' ' || (text[end + 1] != ' ' && !is_led_to(text[end + 1]))))
            continue;
        for (*value = end; *value < n && is_one_of(text[*value], ". \t");)
            ++*value;
        return line_says_something(text + *value, n - *value);
    }
    return 0;
}

int leader_is_row(const char *text, size_t n)
{
    size_t label, value;
    return leader_split(text, n, &label, &value);
}

// leader_is_row, for the line of C at byte LINE.
static int is_row(const struct lines *c, size_t line)
{
    return leader_is_row(c->text + line, line_end(c, line) - line);
}

// Whether the line of C at byte LINE has two or three dots before a number, for want of room:
// "Boats of guests.. 12". Alone it may be a sentence.
static int is_short_row(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line);
    const char *dots = end - line <= WIDE ? memmem(c->text + line, end - line, "..", 2) : NULL;
    size_t at = dots ? (size_t)(dots - c->text) : end;
    if (!dots || !line_says_something(c->text + line, at - line))
        return 0;
    while (at < end && c->text[at] == '.')
        at++;
    const size_t dots_end = at;
    while (at < end && c->text[at] == ' ')
        at++;
    return at > dots_end && at < end && (is_led_to(c->text[at]) || c->text[at] == '+');
}

int leader_is_among(const struct lines *c, size_t line)
{
    enum { NEAR = 4 }; // lines
    if (!is_row(c, line) && !is_short_row(c, line))
        return 0;
    int n = is_row(c, line);
    for (size_t at = line, i = 0; at && n < 2 && i < NEAR; i++) {
        at = line_start(c, at - 1);
        if (!is_row(c, at) && !is_short_row(c, at))
            break;
        n += is_row(c, at);
    }
    for (size_t at = line_end(c, line) + 1, i = 0; at < c->n && n < 2 && i < NEAR; i++) {
        if (!is_row(c, at) && !is_short_row(c, at))
            break;
        n += is_row(c, at);
        at = line_end(c, at) + 1;
    }
    return n > 1;
}
