#include "engine/lines/setting.h"

#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"

static int is_of_name(char c)
{
    return is_digit(c) || is_lower(c) || is_upper(c) || is_one_of(c, "_-./\"'");
}

static int begins_comment(const char *text, size_t n)
{
    return n && (*text == '#' || (n > 1 && text[0] == '/' && text[1] == '/'));
}

// What kind of line has the value TEXT [n] behind a name. If there is only a comment or an opening
// bracket, the value is on the lines below.
static enum setting_kind kind_of_value(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && is_space(text[at]))
        at++;
    if (at == n || begins_comment(text + at, n - at))
        return SETTING_OPENS;
    if (!at)
        return SETTING_NONE; // "12:30", "std::size_t"
    if (is_one_of(text[at], "{[") && !line_says_something(text + at, n - at) && n - at < 3)
        return SETTING_OPENS;
    return SETTING_VALUE;
}

int setting_is_bracket(const char *text, size_t n)
{
    return n == 1 && is_one_of(*text, "{[");
}

// Whether TEXT [n] is a string in quotation marks or a number, with or without a comma behind it.
static int is_value(const char *text, size_t n)
{
    size_t at = 0;
    n -= n > 1 && text[n - 1] == ',';
    if (n > 1 && *text == '"')
        return line_quotation(text, n, 0) == n - 1;
    while (at < n && (is_digit(text[at]) || is_one_of(text[at], "+-.eE")))
        at++;
    return n > 0 && at == n && (is_digit(*text) || *text == '-');
}

size_t setting_tag(const char *text, size_t n)
{
    size_t at = 1 + (n > 1 && text[1] == '/');
    if (at >= n || *text != '<' || !(is_lower(text[at]) || is_upper(text[at])))
        return 0;
    while (at < n && (is_of_name(text[at]) || text[at] == ':') && !is_one_of(text[at], "/\"'"))
        at++;
    return at < n && (is_one_of(text[at], " >") ||
                      (text[at] == '/' && at + 1 < n && text[at + 1] == '>'))
               ? at
               : 0;
}

// What kind of line TEXT [n] is, which begins with "<".
static enum setting_kind kind_of_markup(const char *text, size_t n)
{
    size_t last = n;
    if (n > 2 && text[n - 1] == '>' && is_one_of(text[1], "!?"))
        return SETTING_EMPTY;
    if (!setting_tag(text, n) || text[n - 1] != '>')
        return SETTING_NONE;
    if (text[1] == '/')
        return SETTING_EMPTY;
    while (text[last - 1] != '<')
        last--;
    if (text[n - 2] == '/' || text[last] == '/')
        return SETTING_VALUE;
    return last == 1 ? SETTING_OPENS : SETTING_NONE;
}

size_t setting_words(const struct lines *c, size_t start)
{
    const size_t end = line_end(c, start);
    while (start < end && is_space(c->text[start]))
        start++;
    return start;
}

struct setting setting_at(const struct lines *c, size_t start)
{
    enum { LONGEST = 48 };
    size_t at = setting_words(c, start);
    const size_t end = line_trimmed(c, at, line_end(c, start));
    struct setting own = {.in = line_width(c->text + start, at - start)};
    if (setting_is_bracket(c->text + at, end - at)) {
        own.kind = SETTING_OPENS;
        return own;
    }
    if (!line_says_something(c->text + at, end - at) || begins_comment(c->text + at, end - at)) {
        own.kind = SETTING_EMPTY;
        return own;
    }
    if (c->text[at] == '<' || (own.in && is_value(c->text + at, end - at))) {
        own.kind = c->text[at] == '<' ? kind_of_markup(c->text + at, end - at) : SETTING_VALUE;
        return own;
    }
    own.item = at + 1 < end && c->text[at] == '-' && c->text[at + 1] == ' ';
    for (at += own.item ? 2 : 0; at < end && is_space(c->text[at]);)
        at++;
    if (own.item && is_value(c->text + at, end - at)) { // "8081:80"
        own.kind = SETTING_VALUE;
        return own;
    }
    const size_t name = at;
    while (at < end && is_of_name(c->text[at]) && at - name < LONGEST)
        at++;
    if (at > name && at < end && c->text[at] == ':')
        own.kind = kind_of_value(c->text + at + 1, end - at - 1);
    else // a list of single words
        own.kind = own.item && at == line_trimmed(c, name, end) ? SETTING_VALUE : SETTING_NONE;
    return own;
}
