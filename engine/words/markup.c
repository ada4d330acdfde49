#include "engine/words/markup.h"

#include <string.h>

#include "engine/words/chars.h"

enum {
    DEEP = 8,     // nested commands,
    LONGEST = 480 // bytes of one command
};

static int is_word(char c)
{
    return is_lower(c) || is_upper(c) || is_digit(c) || c == '_';
}

// Bytes of the line that begins with byte I of TEXT [n].
static size_t line_bytes(const char *text, size_t n, size_t i)
{
    const char *end = memchr(text + i, '\n', n - i);
    return end ? (size_t)(end - text) - i : n - i;
}

// Bytes of the name of a command at the beginning of TEXT [n].
static size_t name_of(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_lower(text[i]))
        i++;
    return i;
}

// is_silent, for Texinfo and POD.
static int is_command(const char *text, size_t n, size_t *skip)
{
    static const char *const silent[] = {"@node ",   "@c ",      "@comment", "@cindex ", "@findex ",
                                         "@vindex ", "@kindex ", "@menu",    "@end ",    "@example",
                                         "@itemize", "@table",   "=over",    "=back",    "=cut",
                                         "=pod",     "=for ",    "=begin ",  "=end "},
                             *const heads[] = {"@chapter ",    "@section ",
                                               "@subsection ", "@subsubsection ",
                                               "@unnumbered ", "@appendix ",
                                               "@heading ",    "@title ",
                                               "@settitle ",   "@top "},
                             *const led[] = {"=item * ", "=item ", "@itemx ", "@item ", "=item"};
    *skip = 0;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (begins_with(text, n, silent[i]))
            return 1;
    for (size_t i = 0; i < sizeof led / sizeof *led && !*skip; i++)
        if (begins_with(text, n, led[i]))
            *skip = strlen(led[i]);
    if (begins_with(text, n, "=head") && n > 7 && is_digit(text[5]) && text[6] == ' ')
        *skip = 7;
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !*skip; i++)
        if (begins_with(text, n, heads[i]))
            *skip = strlen(heads[i]);
    return *skip && *skip == n;
}

// Bytes up to a word of the line TEXT [n].
static size_t set_in(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && text[at] == ' ')
        at++;
    return at;
}

// Whether the line TEXT [n] is an option of the directive above it (":depth: 2").
static int is_option(const char *text, size_t n)
{
    const size_t name = set_in(text, n) + 1;
    size_t at = name;
    while (at < n && (is_lower(text[at]) || text[at] == '-'))
        at++;
    return name > 1 && at > name && at < n && text[name - 1] == ':' && text[at] == ':' &&
           (at + 1 == n || is_space(text[at + 1]));
}

// Whether the line TEXT [n] is a directive of reStructuredText. *SKIP: how many of its bytes say
// nothing to a reader.
static int is_directive(const char *text, size_t n, size_t *skip)
{
    static const char *const silent[] = {"code::",      "code-block::", "contents::",
                                         "highlight::", "figure::",     "image::",
                                         "include::",   "index::",      "literalinclude::",
                                         "toctree::",   "sourcecode::"},
                             *const led[] = {
                                 "attention::", "caution::", "csv-table::", "danger::",
                                 "important::", "hint::",    "note::",      "list-table::",
                                 "table::",     "tip::",     "warning::"};
    size_t at = set_in(text, n);
    *skip = 0;
    if (!begins_with(text + at, n - at, ".. "))
        return 0;
    at += strlen(".. ");
    for (size_t i = 0; i < sizeof silent / sizeof *silent && !*skip; i++)
        if (begins_with(text + at, n - at, silent[i]))
            *skip = n;
    for (size_t i = 0; i < sizeof led / sizeof *led && !*skip; i++)
        if (begins_with(text + at, n - at, led[i]))
            *skip = at + strlen(led[i]);
    *skip += set_in(text + *skip, n - *skip);
    if (*skip && is_option(text + *skip - 1, n - *skip + 1)) // cut_mend has joined the two
        *skip = n;
    return *skip > 0;
}

// Whether the line TEXT [n] says nothing to a reader. Else *SKIP: how many of its first bytes do
// not. *DIRECTED: whether it is, and the line before it was, of a directive.
static int is_silent(const char *text, size_t n, int *directed, size_t *skip)
{
    if (*directed && is_option(text, n))
        return 1;
    *directed = is_directive(text, n, skip);
    return *directed ? *skip == n : is_command(text, n, skip);
}

int markup_is_entry(const char *text, size_t n)
{
    size_t i = 1, key;
    while (n && is_space(text[n - 1]))
        n--;
    while (i < n && (is_lower(text[i]) || is_upper(text[i])))
        i++;
    if (i == 1 || i >= n || *text != '@' || text[i] != '{')
        return 0;
    for (key = ++i; i < n && !is_space(text[i]) && !is_one_of(text[i], "{},");)
        i++;
    return i > key && i + 1 == n && text[i] == ',';
}

// Bytes that open a command at byte I of TEXT [n], up to the words inside it; *CLOSE ends these.
static size_t opens(const char *text, size_t n, size_t i, char *close)
{
    enum { SHORTEST = 3 }; // of a LaTeX name: "\n{" and "\d{3}" are parts of programs
    const char before = i ? text[i - 1] : ' ';
    if (is_one_of(text[i], "@\\") && !(text[i] == '@' && is_word(before))) {
        const size_t name = name_of(text + i + 1, n - i - 1), end = i + 1 + name;
        *close = '}';
        if ((!i || text[i - 1] == '\n') && markup_is_entry(text + i, line_bytes(text, n, i)))
            return 0;
        return name >= (text[i] == '@' ? 1 : SHORTEST) && end + 1 < n && text[end] == '{' ? name + 2
                                                                                          : 0;
    }
    *close = '>';
    return is_one_of(text[i], "BCEFILS") && i + 2 < n && text[i + 1] == '<' && !is_word(before) &&
                   !is_one_of(text[i + 2], "< =") && before != '<'
               ? 2
               : 0;
}

// Whether CLOSE follows byte FROM of TEXT [n], on the same line or the next ones of its paragraph.
static int is_closed(const char *text, size_t n, size_t from, char close)
{
    const char open = close == '}' ? '{' : '<';
    int deep = 1;
    for (size_t i = from; i < n && i - from < LONGEST && deep; i++) {
        if (text[i] == '\n' && i + 1 < n && text[i + 1] == '\n')
            return 0;
        deep += text[i] == open;
        deep -= text[i] == close;
    }
    return !deep;
}

// How many of the first bytes of the line at byte I of TEXT [n] say nothing to a reader;
// text[0..OUT) is what is left of the lines above it.
static size_t idle_bytes(const char *text, size_t n, size_t i, size_t out, int *directed)
{
    const size_t line = line_bytes(text, n, i), column = set_in(text + i, line);
    const int first = i && !out, apart = out > 1 && !memcmp(text + out - 2, "\n\n", 2);
    size_t skip;
    if ((column == line && (first || (*directed && apart))) ||
        is_silent(text + i, line, directed, &skip))
        return line + (i + line < n);
    return first && !skip ? column : skip;
}

size_t markup_strip(char *text, size_t n)
{
    size_t out = 0;
    struct {
        char close;
        int kept; // open brackets that belong to the words themselves
    } in[DEEP];
    int deep = 0, directed = 0;
    for (size_t i = 0; i < n;) {
        size_t skip = 0;
        if (!i || text[i - 1] == '\n')
            i += skip = idle_bytes(text, n, i, out, &directed);
        if (i >= n || (skip && text[i - 1] == '\n'))
            continue;
        char close;
        skip = deep < DEEP ? opens(text, n, i, &close) : 0;
        if (skip && is_closed(text, n, i + skip, close)) {
            in[deep].close = close;
            in[deep++].kept = 0;
            i += skip;
            continue;
        }
        if (deep && text[i] == (in[deep - 1].close == '}' ? '{' : '<'))
            in[deep - 1].kept++;
        if (deep && text[i] == in[deep - 1].close && !in[deep - 1].kept--) {
            deep--;
            i++;
            continue;
        }
        text[out++] = text[i++];
    }
    return out;
}
