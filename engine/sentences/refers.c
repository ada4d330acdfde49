#include "engine/sentences/refers.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { TITLE = 4 }; // bytes of one, at least

// The byte of TEXT [n] behind "See" or the like; 0: it is another sentence.
static size_t past_lead(const char *text, size_t n)
{
    static const char *const leads[] = {"see also ",       "see the ",      "see ",
                                        "please see ",     "refer to the ", "refer to ",
                                        "please refer to "},
                             *const within[] = {", see ", ", please see ", ", refer to ",
                                                ", please refer to "};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (begins_alike(text, n, leads[i]))
            return strlen(leads[i]);
    for (size_t at = 0; begins_alike(text, n, "for ") && at < n; at++)
        for (size_t i = 0; text[at] == ',' && i < sizeof within / sizeof *within; i++)
            if (begins_with(text + at, n - at, within[i]))
                return at + strlen(within[i]);
    return 0;
}

// Whether TEXT [n] says nothing of its own behind byte AT: "for the rent.", " below).", unlike ":
// the rent is 40", " or call Ada".
static int says_no_more(const char *text, size_t n, size_t at)
{
    static const char *const behind[] = {" for ", " on ", " below", " above", " of "};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (begins_with(text + at, n - at, behind[i]))
            return !word_has_digit(text + at, n - at);
    while (at < n && is_one_of(text[at], ".) "))
        at++;
    return at == n;
}

// Whether "section 4.2" or the like begins at byte AT of TEXT [n]: *R.
static int has_number(const char *text, size_t n, size_t at, struct reference *r)
{
    static const char kinds[] =
        " section chapter clause article paragraph appendix annex schedule part rule ";
    size_t end = at;
    while (end < n && word_has(text[end]))
        end++;
    if (!word_is_listed(kinds, text + at, end - at) || end == n || text[end] != ' ')
        return 0;
    size_t to = end + 1;
    while (to < n &&
           (word_has(text[to]) || (text[to] == '.' && to + 1 < n && word_has(text[to + 1]))))
        to++;
    *r = (struct reference){.kind = {at, end}, .number = {end + 1, to}};
    return to > end + 1 && (is_digit(text[end + 1]) || is_upper(text[end + 1])) &&
           says_no_more(text, n, to);
}

// The byte where the title that begins at byte AT of TEXT [n] ends.
static size_t title_end(const char *text, size_t n, size_t at)
{
    static const char *const behind[] = {" for ", " on how ", " below", " above", ", ", " (", "; "};
    for (size_t i = at; i < n; i++)
        for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
            if (begins_with(text + i, n - i, behind[k]))
                return i;
    while (n > at && is_one_of(text[n - 1], ".)"))
        n--;
    return n;
}

int refers_only(const char *text, size_t n, struct reference *r)
{
    while (n && is_space(text[n - 1]))
        n--;
    const size_t open = n && *text == '(', lead = past_lead(text + open, n - open);
    size_t at = lead + open, mark;
    *r = (struct reference){0};
    if (!lead || at >= n)
        return 0;
    if (has_number(text, n, at, r))
        return 1;
    size_t end = title_end(text, n, at);
    if ((mark = quotation_mark(text + at, n - at))) {
        at += mark;
        for (end = at; end < n && !quotation_mark(text + end, n - end);)
            end++;
    }
    *r = (struct reference){.title = {at, end}};
    return end >= at + TITLE && (mark || is_upper(text[at]));
}

int refers_on(const char *text, size_t n)
{
    static const char see[] = "see ";
    struct reference r;
    while (n && is_one_of(text[n - 1], " \t\n|.)"))
        n--;
    size_t from = n;
    while (from && (is_digit(text[from - 1]) || text[from - 1] == '.'))
        from--;
    const size_t lead = strlen(see);
    if (from < n && from >= lead && begins_alike(text + from - lead, n, see))
        return is_digit(text[from]) && (from == lead || !word_has(text[from - lead - 1]));
    for (size_t at = from; at-- > lead;)
        if (begins_alike(text + at - lead, n, see) && has_number(text, n, at, &r))
            return r.number.to == n;
    return 0;
}
