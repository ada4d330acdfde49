#include "engine/text/comment.h"

#include "engine/text/lines.h"
#include "engine/text/words.h"

// Whether the line of bytes LINE to END ends with a comment; *ALONE: that has no code before it.
static int ends_with_comment(const struct cut *c, size_t line, size_t end, int *alone)
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

static int is_code(const struct cut *c, size_t line)
{
    const size_t end = line_end(c, line);
    while (line < end && is_space(c->text[line]))
        line++;
    return !is_one_of(line < end ? c->text[line] : '/', "/*") &&
           line_says_something(c->text + line, end - line);
}

// Whether a comment alone on its lines ends with the line of bytes LINE to END and is about the
// next one.
static int is_about_next(const struct cut *c, size_t line, size_t end)
{
    int alone;
    return ends_with_comment(c, line, end, &alone) && alone && is_code(c, end + 1) &&
           line_says_something(c->text + line, end - line);
}

enum comment_line comment_line_end(const struct cut *c, size_t i)
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

int comment_closes(const struct cut *c, size_t at)
{
    while (at < c->n && is_one_of(c->text[at], " \t"))
        at++;
    return c->n - at > 1 && !memcmp(c->text + at, "*/", 2) &&
           (c->n - at == 2 || is_space(c->text[at + 2]));
}

int comment_is_directive(const char *text, size_t n)
{
    static const char words[] = " define undef include if ifdef ifndef elif else endif pragma ";
    size_t end = 1;
    while (end < n && is_lower(text[end]))
        end++;
    return n && *text == '#' && end > 1 && (end == n || is_space(text[end])) &&
           word_is_listed(words, text + 1, end - 1);
}
