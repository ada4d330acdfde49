#include "engine/lines/comment.h"

#include "engine/lines/lines.h"
#include "engine/lines/setting.h"
#include "engine/words/text_span.h"

// Whether the line of bytes LINE to END ends with a comment; *ALONE: that has no code before it.
static int ends_with_comment(const struct lines *c, size_t line, size_t end, int *alone)
{
    enum { LONGEST = 2000 }; // bytes of a comment
    const char *text = c->text;
    end = line_trimmed(c, line, end);
    *alone = 0;
    if (end < line + 2 || memcmp(text + end - 2, "*/", 2) != 0)
        return 0;
    for (size_t at = end - 2; at > 1 && end - at < LONGEST; at--) {
        if (!memcmp(text + at - 2, "*/", 2))
            return 0;
        if (memcmp(text + at - 2, "/*", 2) != 0)
            continue;
        size_t first = line_start(c, at - 2);
        while (is_space(text[first]))
            first++;
        *alone = first == at - 2;
        return 1;
    }
    return 0;
}

static int is_code(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line);
    while (line < end && is_space(c->text[line]))
        line++;
    return !is_one_of(line < end ? c->text[line] : '/', "/*") &&
           line_says_something(c->text + line, end - line);
}

// The line around byte AT, without the white space around it; an empty one beyond the text.
static struct span_of_text bare_line(const struct lines *c, size_t at)
{
    struct span_of_text l = line_at(c, at);
    l.to = line_trimmed(c, l.from, l.to);
    while (l.from < l.to && is_space(c->text[l.from]))
        l.from++;
    return l;
}

// Whether the line L is a comment of a line of its own, of two words or more: "# The port",
// "/// The port".
static int is_line_comment(const struct lines *c, struct span_of_text l)
{
    size_t at = l.from;
    while (at < l.to && c->text[at] == '/')
        at++;
    if (at == l.from && at < l.to && c->text[at] == '#')
        at++;
    else if (at < l.from + 2)
        return 0;
    return l.to - at > 2 && c->text[at] == ' ' &&
           (is_upper(c->text[at + 1]) || is_lower(c->text[at + 1])) &&
           memchr(c->text + at + 1, ' ', l.to - at - 1) && !memchr(c->text + at, '=', l.to - at);
}

// Whether the comment whose last line is OWN is no more than one sentence.
static int is_one_sentence(const struct lines *c, struct span_of_text own)
{
    const char *text = c->text;
    for (struct span_of_text l = own;; l = bare_line(c, line_start(c, l.from) - 1)) {
        if (l.from == l.to || text[l.from] != text[own.from])
            return 1;
        for (size_t i = l.from; i < l.to && i + 1 != own.to; i++)
            if (is_one_of(text[i], ".!?") && (i + 1 == l.to || text[i + 1] == ' '))
                return 0;
        if (!line_start(c, l.from))
            return 1;
    }
}

// Whether the line L gives a name a value: "PORT = 7", "pub const PORT: u16 = 7;".
static int is_definition(const struct lines *c, struct span_of_text l)
{
    const char *text = c->text, *equals = memchr(text + l.from, '=', l.to - l.from);
    if (!equals || !(is_upper(text[l.from]) || is_lower(text[l.from]) || text[l.from] == '_'))
        return 0;
    size_t name = l.from, value = (size_t)(equals - text) + 1;
    while (!is_one_of(text[name], "=(!<>+-*/|\"'."))
        name++;
    while (value < l.to && text[value] == ' ')
        value++;
    return text + name == equals && value < l.to && text[value] != '=' &&
           (is_digit(text[value]) || is_one_of(text[value], "\"'[-.") ||
            !memchr(text + value, '(', l.to - value));
}

// Whether a comment alone on its lines ends with the line of bytes LINE to END and is about the
// next one. Without a stop, a comment of one line may be about all of several definitions.
static int is_about_next(const struct lines *c, size_t line, size_t end)
{
    const struct span_of_text own = bare_line(c, line), next = bare_line(c, end + 1);
    int alone;
    if (ends_with_comment(c, line, end, &alone))
        return alone && is_code(c, end + 1) && line_says_something(c->text + line, end - line);
    return is_line_comment(c, own) && own.from - line == next.from - end - 1 &&
           is_definition(c, next) && is_one_sentence(c, own) &&
           (c->text[own.to - 1] == '.' ||
            !is_definition(c, bare_line(c, line_end(c, next.to) + 1)));
}

enum comment_line comment_line_end(const struct lines *c, size_t i)
{
    const size_t line = line_start(c, i);
    int alone;
    if (is_about_next(c, line, i))
        return COMMENT_GOES_ON;
    if (ends_with_comment(c, line, i, &alone) ||
        (line && is_about_next(c, line_start(c, line - 1), line - 1)))
        return COMMENT_ENDS;
    return COMMENT_NONE;
}

int comment_goes_on(const struct lines *c, size_t at)
{
    while (at < c->n && is_one_of(c->text[at], " \t\r"))
        at++;
    return at < c->n && c->text[at] == '\n' && comment_line_end(c, at) == COMMENT_GOES_ON;
}

int comment_closes(const struct lines *c, size_t at)
{
    while (at < c->n && is_gap(c->text[at]))
        at++;
    return c->n - at > 1 && !memcmp(c->text + at, "*/", 2) &&
           (c->n - at == 2 || is_space(c->text[at + 2]));
}

// Whether a comment that goes on to the end of the line begins within bytes FROM to TO of TEXT [n],
// FROM being where its words begin. Behind words only two marks are sure.
static int line_has_comment(const char *text, size_t n, size_t from, size_t to)
{
    static const char *const marks[] = {"#", "//", ";", "-- ", "% ", "! "};
    enum { SURE = 2, MARKS = sizeof marks / sizeof *marks };
    for (size_t i = from; i <= to; i++)
        for (int m = 0; m < (i == from ? MARKS : is_space(text[i - 1]) ? SURE : 0); m++)
            if (begins_with(text + i, n - i, marks[m]))
                return 1;
    return 0;
}

// Whether byte AT is behind the mark OPEN, which begins a line, without CLOSE in between.
static int is_between(const char *text, size_t n, size_t at, const char *open, const char *close)
{
    enum { LONGEST = 4000 }; // bytes of a comment
    const struct lines c = {.text = text, .n = n};
    for (size_t i = at + 1; i-- > 0 && at - i < LONGEST;) {
        if (begins_with(text + i, at - i, close))
            return 0;
        if (begins_with(text + i, n - i, open) && setting_words(&c, line_start(&c, i)) == i)
            return 1;
    }
    return 0;
}

int comment_has(const char *text, size_t n, size_t at)
{
    const struct lines c = {.text = text, .n = n};
    return line_has_comment(text, n, setting_words(&c, line_start(&c, at)), at) ||
           is_between(text, n, at, "/*", "*/") || is_between(text, n, at, "<!--", "-->");
}
