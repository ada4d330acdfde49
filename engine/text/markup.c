#include "engine/text/markup.h"

#include <string.h>

#include "engine/text/chars.h"

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

static int begins_with(const char *text, size_t n, const char *word)
{
    const size_t len = strlen(word);
    return n >= len && !memcmp(text, word, len);
}

// Whether the line TEXT [n] says nothing to a reader. Else *SKIP: how many of its first bytes do
// not.
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

size_t markup_strip(char *text, size_t n)
{
    size_t out = 0;
    struct {
        char close;
        int kept; // open brackets that belong to the words themselves
    } in[DEEP];
    int deep = 0;
    for (size_t i = 0; i < n;) {
        size_t skip;
        if (!i || text[i - 1] == '\n') {
            const size_t line = line_bytes(text, n, i);
            if (is_command(text + i, line, &skip)) {
                i += line + (i + line < n);
                continue;
            }
            i += skip;
            if (i >= n)
                break;
        }
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
