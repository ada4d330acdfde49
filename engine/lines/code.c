#define _GNU_SOURCE
#include "engine/lines/code.h"

#include <string.h>

#include "engine/lines/fence.h"
#include "engine/lines/hunk.h"
#include "engine/lines/lines.h"
#include "engine/lines/setting.h"
#include "engine/words/chars.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

enum look { LOOKS_OTHER, LOOKS_LIKE_CODE, LOOKS_SURE };

static int is_of_identifier(char c)
{
    return is_lower(c) || is_upper(c) || is_digit(c) || c == '_';
}

// The line at byte LINE, without the white space around it.
static struct span_of_text words_of(const struct lines *c, size_t line)
{
    return span_trimmed(c->text, (struct span_of_text){line, line_end(c, line)});
}

// Whether TEXT [n] begins with a name, or the words before one, that is given a value:
// "KEEP=7", "total = 0", "static int n = 3;".
static int assigns(const char *text, size_t n)
{
    const char *equals = memchr(text, '=', n);
    size_t at = 0;
    if (!equals || equals == text || equals + 1 == text + n || is_one_of(equals[1], "=>~"))
        return 0;
    for (const size_t end = (size_t)(equals - text); at < end; at++)
        if (!is_of_identifier(text[at]) && !is_one_of(text[at], ".-[]*$:+|") &&
            !(text[at] == ' ' && (at + 1 == end || text[n - 1] == ';' ||
                                  (at + 2 == end && is_one_of(text[at + 1], ":+-*|")))))
            return 0;
    return is_of_identifier(*text) || *text == '$';
}

// Whether TEXT [n] is nothing but what calls something, or says what is called, which prose does
// behind other words: "queue.stop();", "static int stop(int all)", but not "as with stop()".
static int calls(const char *text, size_t n)
{
    enum { WORDS = 2 }; // before the name that is called
    const size_t end = n - (n && is_one_of(text[n - 1], ";:"));
    int words = 0;
    if (end < 3 || text[end - 1] != ')')
        return 0;
    for (size_t at = 0; at < end; at++) {
        words += text[at] == ' ';
        if (text[at] == '(' && at && is_of_identifier(text[at - 1]))
            return !(to_small(text[at + 1]) == 's' && text[at + 2] == ')') &&
                   (end < n || words <= WORDS);
    }
    return 0;
}

// Whether TEXT [n] is a command with an option, or one that others follow, and no prose about one:
// "cp -r a b", "a && b".
static int commands(const char *text, size_t n)
{
    static const char words[] = " the a an of with and or when is are was would can may must ";
    size_t at = 0;
    while (at < n && (is_lower(text[at]) || is_digit(text[at]) || is_one_of(text[at], "-_./")))
        at++;
    const int option = at + 2 < n && text[at] == ' ' && text[at + 1] == '-' &&
                       (is_lower(text[at + 2]) || is_upper(text[at + 2]) || text[at + 2] == '-');
    size_t behind = at + (option ? 2 : 0); // "-a" is no word
    while (option && behind < n && text[behind] != ' ')
        behind++;
    return at && !words_listed(words, text, at) &&
           !words_listed(words, text + behind, n - behind) &&
           (option || memmem(text, n, " && ", 4) || memmem(text, n, " || ", 4));
}

// The first byte of TEXT [n] that is one of SIGNS; N: none is.
static size_t first_of(const char *text, size_t n, const char *signs)
{
    size_t at = 0;
    while (at < n && !is_one_of(text[at], signs))
        at++;
    return at;
}

// Whether TEXT [n] opens a block of Python: a word alone ("else:"), or one with what no prose has.
static int opens_block(const char *text, size_t n)
{
    static const char words[] = " def class if elif for while except with async match case ",
                      alone[] = " else try finally ";
    size_t word = 0;
    while (word < n && is_lower(text[word]))
        word++;
    if (!n || !word || text[n - 1] != ':')
        return 0;
    if (word + 1 == n)
        return word_is_listed(alone, text, word);
    return word_is_listed(words, text, word) &&
           (word_is_listed(" def class ", text, word) || memmem(text, n, " in ", 4) ||
            first_of(text, n, "()[]=<>!_\"'") < n);
}

// Whether TEXT [n] is what a shell decides by: "if [ ! -d build ]; then", "for f in a b; do".
static int decides(const char *text, size_t n)
{
    static const char *const ends[] = {"; then", "; do"}, *const tests[] = {"[ ", "[[ "};
    static const char words[] = " if elif while until for ";
    size_t word = 0;
    while (word < n && is_lower(text[word]))
        word++;
    if (!word || !word_is_listed(words, text, word) || word + 1 >= n || text[word] != ' ')
        return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if ((n > strlen(ends[i]) &&
             !memcmp(text + n - strlen(ends[i]), ends[i], strlen(ends[i]))) ||
            begins_with(text + word + 1, n - word - 1, tests[i]))
            return 1;
    return 0;
}

// Whether TEXT [n] begins with a name of several words and ends as a statement does:
// "worker_processes 4;".
static int sets(const char *text, size_t n)
{
    size_t at = 0;
    while (at < n && is_of_identifier(text[at]))
        at++;
    return at < n && text[n - 1] == ';' && memchr(text, '_', at);
}

// Whether TEXT [n] ends with the bracket of what is called or made: "put(", "CREATE TABLE orders
// (".
static int opens_list(const char *text, size_t n)
{
    return n > 2 && text[n - 1] == '(' &&
           (is_of_identifier(text[n - 2]) || (is_upper(text[0]) && is_upper(text[1])));
}

// What the words of a line, TEXT [n], look like.
static enum look look_of(const char *text, size_t n)
{
    static const char words[] = " return break continue pass import from raise yield else fi done "
                                "esac then do end endif exit ";
    size_t word = 0;
    if (!n)
        return LOOKS_OTHER;
    while (word < n && is_lower(text[word]))
        word++;
    if (begins_with(text, n, "#!") || line_is_directive(text, n) || text[n - 1] == '{' ||
        opens_list(text, n) || *text == '}' || assigns(text, n) || calls(text, n) ||
        commands(text, n) || opens_block(text, n) || decides(text, n) || sets(text, n))
        return LOOKS_SURE;
    return is_one_of(text[n - 1], ";,") || !line_says_something(text, n) ||
                   (word && word_is_listed(words, text, word))
               ? LOOKS_LIKE_CODE
               : LOOKS_OTHER;
}

// Whether the lines from the one that begins with byte LINE up begin with stars down to that of the
// comment which they are in: items of a list may begin so, too.
static int is_starred(const struct lines *c, size_t line)
{
    enum { MOST = 128 }; // lines of a comment
    for (int i = 0; i < MOST && line > 0; i++) {
        line = line_start(c, line - 1);
        const struct span_of_text own = words_of(c, line);
        if (begins_with(c->text + own.from, span_bytes(own), "/*"))
            return 1;
        if (c->text[own.from] != '*' || !span_bytes(own))
            return 0;
    }
    return 0;
}

size_t code_comment(const struct lines *c, size_t line)
{
    static const char *const signs[] = {"//", "/*", "*/", "<!--", "-- ", "; "};
    const struct span_of_text own = words_of(c, line);
    const char *text = c->text + own.from;
    const size_t n = span_bytes(own);
    size_t hashes = 0;
    while (hashes < n && text[hashes] == '#')
        hashes++;
    if (hashes)
        return hashes == n || is_gap(text[hashes]) ? hashes : 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins_with(text, n, signs[i]))
            return strlen(signs[i]);
    return n && *text == '*' && (n == 1 || text[1] == ' ') && is_starred(c, line);
}

// Whether TEXT [n] says where something was thrown, as Java and JavaScript do: "at
// com.x.Store.get(Store.java:7)", "at run (/srv/run.js:3:14)". Prose has no such last word.
static int is_place(const char *text, size_t n)
{
    static const char at[] = "at ";
    size_t word = n, end = n - (n && text[n - 1] == ')');
    const size_t number = end;
    while (word > 0 && text[word - 1] != ' ')
        word--;
    while (end > word && is_digit(text[end - 1]))
        end--;
    return begins_with(text, n, at) && end > word && end < number && text[end - 1] == ':' &&
           (memchr(text + word, '.', n - word) || memchr(text + word, '/', n - word));
}

// Whether the line that begins with byte LINE is such a one, or is below "Traceback (most recent
// call last):".
static int is_traced(const struct lines *c, size_t line)
{
    enum { MOST = 64 }; // lines
    static const char begins[] = "Traceback (";
    const struct span_of_text own = words_of(c, line);
    if (own.from > line && is_place(c->text + own.from, span_bytes(own)))
        return 1;
    for (int l = 0; l < MOST && line && (!l || is_gap(c->text[line])); l++)
        line = line_start(c, line - 1);
    return begins_with(c->text + line, c->n - line, begins);
}

static int is_blank(const struct lines *c, size_t line)
{
    return !span_bytes(words_of(c, line));
}

// Whether the line that begins with byte LINE divides those above it from those below.
static int divides(const struct lines *c, size_t line)
{
    return is_blank(c, line) || fence_is(c, line);
}

// The columns of the first word of the line that begins with byte LINE.
static size_t first_word(const struct lines *c, size_t line)
{
    const struct span_of_text own = words_of(c, line);
    size_t to = own.from;
    while (to < own.to && !is_space(c->text[to]))
        to++;
    return line_width(c->text + own.from, to - own.from);
}

// Whether most lines from byte TOP to END leave no room for the first word of the next one, as
// those of prose do that is broken by its width, and do not end as code does.
static int is_filled(const struct lines *c, size_t top, size_t end)
{
    enum { NARROW = 48, EARLY = 4 }; // columns
    size_t longest = 0;
    int lines = 0, full = 0;
    for (size_t line = top; line < end; line = line_end(c, line) + 1) {
        const size_t width = line_width(c->text + line, line_end(c, line) - line);
        longest = width > longest ? width : longest;
    }
    for (size_t line = top, next; (next = line_end(c, line) + 1) < end; line = next, lines++) {
        const struct span_of_text own = words_of(c, line);
        full +=
            !is_one_of(c->text[own.to - 1], "{};") &&
            line_width(c->text + line, own.to - line) + 1 + first_word(c, next) + EARLY > longest;
    }
    return longest >= NARROW && 2 * full > lines;
}

int code_at(const struct lines *c, size_t line)
{
    enum { MOST = 32 }; // lines on either side
    size_t top = line, end;
    int lines = 0, sure = 0, like = 0;
    if (line >= c->n || divides(c, line))
        return 0;
    for (int l = 0; l < MOST && top && !divides(c, line_start(c, top - 1)); l++)
        top = line_start(c, top - 1);
    for (end = top; lines < 2 * MOST && end < c->n && !divides(c, end); lines++) {
        const struct span_of_text own = words_of(c, end);
        const enum look look = look_of(c->text + own.from, span_bytes(own));
        sure += look == LOOKS_SURE;
        like += look != LOOKS_OTHER || code_comment(c, end);
        end = line_end(c, end) + 1;
    }
    return (sure && 2 * like >= lines && !is_filled(c, top, end)) || hunk_holds(c, line);
}

int code_is(const struct lines *c, size_t from, size_t to)
{
    const struct span_of_text own = span_trimmed(c->text, (struct span_of_text){from, to});
    return look_of(c->text + own.from, span_bytes(own)) == LOOKS_SURE;
}

// Whether the comment on the line that begins with byte LINE, whose sign has SIGN bytes, is no
// prose: it says nothing, or is code that is switched off.
static int is_no_prose(const struct lines *c, size_t line, size_t sign)
{
    const struct span_of_text all = words_of(c, line);
    const size_t from = all.from + sign;
    const struct span_of_text own = span_trimmed(c->text, (struct span_of_text){from, all.to});
    return !line_says_something(c->text + own.from, span_bytes(own)) ||
           look_of(c->text + own.from, span_bytes(own)) != LOOKS_OTHER;
}

// Whether the line that begins with byte LINE ends with what closes a comment of C or of XML.
static int closes_comment(const struct lines *c, size_t line)
{
    const struct span_of_text own = words_of(c, line);
    const size_t n = span_bytes(own);
    const char *end = c->text + own.to;
    return (n >= 2 && !memcmp(end - 2, "*/", 2)) || (n >= 3 && !memcmp(end - 3, "-->", 3));
}

// Whether a text within a program, as Python has it, begins below the line that begins with byte
// LINE, or ends with it: """ is at the beginning of the line of byte NEXT, or at this one's end.
static int is_docstring(const struct lines *c, size_t line, size_t next)
{
    static const char mark[] = "\"\"\"", other[] = "'''";
    const size_t n = sizeof mark - 1;
    const struct span_of_text own = words_of(c, line), below = words_of(c, next);
    const char *text = c->text + own.from, *y = c->text + below.from;
    return begins_with(y, span_bytes(below), mark) ||
           (span_bytes(own) >= n && !memcmp(text + span_bytes(own) - n, mark, n)) ||
           (begins_with(y, span_bytes(below), other) && opens_block(text, span_bytes(own)));
}

int code_keeps(const struct lines *c, size_t i)
{
    const size_t line = line_start(c, i), next = i + 1, own = code_comment(c, line),
                 below = code_comment(c, next);
    if (next >= c->n || is_blank(c, line) || is_blank(c, next))
        return 0;
    const char first = c->text[setting_words(c, line)], second = c->text[setting_words(c, next)];
    const int starred = (first == '*' || first == '/') && second == '*';
    if ((own && closes_comment(c, line)) || is_docstring(c, line, next) || is_traced(c, next) ||
        line_is_thrown(c->text + next, c->n - next))
        return 1;
    if (own && below && (first == second || starred))
        return code_at(c, line) && (is_no_prose(c, line, own) || is_no_prose(c, next, below));
    if (own && (begins_with(c->text + setting_words(c, line), own, "//") ||
                (first == '#' && setting_at(c, next).kind >= SETTING_VALUE)))
        return 1;
    if (below && begins_with(c->text + setting_words(c, next), below, "//"))
        return 1;
    return code_at(c, line) || code_at(c, next);
}
