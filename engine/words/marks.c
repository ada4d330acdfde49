#define _GNU_SOURCE
#include "engine/words/marks.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/words.h"

enum mark { NO_MARK, OPENS, CLOSES, MAY_CLOSE, EITHER };

// Two halves: plain quotation marks are told apart by what stands beside them.
struct pair {
    const char *opens, *closes;
};

static const struct pair PAIRS[] = {{"(", ")"}, {"[", "]"}, {"\u201c", "\u201d"}, {"\"", "\""}},
                         *const PLAIN = &PAIRS[3];

// Whether the plain quotation mark at byte AT of TEXT [n] is right behind the letters that say what
// a text of a program is, as Python has them, with that behind it: f"{n} s", rb"\d", unlike 'plan
// b".'
static int is_prefixed(const char *text, size_t n, size_t at)
{
    enum { LETTERS = 2 };
    size_t from = at;
    while (from > 0 && at - from < LETTERS && is_one_of(to_small(text[from - 1]), "fbru"))
        from--;
    return from < at && (!from || !word_has(text[from - 1])) && at + 1 < n &&
           !is_space(text[at + 1]) && !is_one_of(text[at + 1], ".,;:!?)]}'");
}

static int is_escaped(const char *text, size_t at)
{
    return at > 0 && text[at - 1] == '\\';
}

// What the plain quotation mark at byte AT of TEXT [n] does; that in a text of a program does
// nothing, nor do several together, which a cell of CSV has for one of its own and Python around a
// text, nor one behind a backslash, and one behind a digit may be of inches.
static enum mark plain_at(const char *text, size_t n, size_t at)
{
    const char next = at + 1 < n ? text[at + 1] : 0;
    if (next == '"' || is_escaped(text, at) ||
        (at && text[at - 1] == '"' && !is_escaped(text, at - 1)))
        return NO_MARK;
    // As records of JSON and cells of CSV have them: {"id":"a17","of":"b"}
    const int records = at && is_one_of(text[at - 1], "{:,;|=") &&
                        (is_lower(next) || is_upper(next) || is_digit(next));
    const int begins = !at || is_space(text[at - 1]) || is_one_of(text[at - 1], "([") || records ||
                       is_prefixed(text, n, at);
    const int ends = at + 1 == n || !(word_has(text[at + 1]) || text[at + 1] == '\\');
    if (begins)
        return at + 1 < n && is_space(text[at + 1]) ? EITHER : OPENS;
    return !ends ? NO_MARK : is_digit(text[at - 1]) ? MAY_CLOSE : CLOSES;
}

static enum mark mark_at(const struct pair *p, const char *text, size_t n, size_t at)
{
    if (!begins_with(text + at, n - at, p->opens))
        return begins_with(text + at, n - at, p->closes) ? CLOSES : NO_MARK;
    return p == PLAIN ? plain_at(text, n, at) : OPENS;
}

// How many halves of P TEXT [n] opens that it does not close; *LONE: the first one that it closes
// and did not open, N if there is none. It may close the first one that it opens before its end:
// *CLOSED.
static size_t count_open(const struct pair *p, const char *text, size_t n, size_t *lone,
                         int *closed)
{
    size_t open = 0;
    *lone = n;
    *closed = 0;
    for (size_t at = 0; at < n; at++) {
        enum mark mark = mark_at(p, text, n, at);
        if (mark == MAY_CLOSE)
            mark = open ? CLOSES : NO_MARK;
        if (mark == EITHER)
            mark = open ? CLOSES : OPENS;
        if (mark == CLOSES && !open && *lone == n)
            *lone = at;
        if (mark == CLOSES && open && !--open)
            *closed = 1;
        if (mark == OPENS)
            open = p == PLAIN ? 1 : open + 1; // a speech opens each paragraph
    }
    return open;
}

// Whether the bracket that closes at byte AT of TEXT is but a smile.
static int smiles(const char *text, size_t at)
{
    return text[at] == ')' && at && is_one_of(text[at - 1], ":;-");
}

const char *marks_whole(const char *text, size_t *n)
{
    const char *own = text;
    for (size_t at = 0; at < *n && is_space(text[at]); at++)
        own = text[at] == '\n' ? text + at + 1 : own;
    *n -= (size_t)(own - text);
    text = own;
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        const struct pair *p = &PAIRS[i];
        const size_t opens = strlen(p->opens), closes = strlen(p->closes);
        size_t lone;
        int closed;
        const size_t open = count_open(p, text, *n, &lone, &closed);
        if (*n > opens && ((open && !closed && begins_with(text, *n, p->opens)) || !lone)) {
            const size_t skip = lone ? opens : closes;
            text += skip;
            *n -= skip;
        } else if (lone && lone < *n && lone + closes == *n && !smiles(text, lone)) {
            *n -= closes;
        }
    }
    return text;
}

size_t marks_drop_bold_end(char *text, size_t n)
{
    static const char mark[] = "**";
    const size_t bytes = strlen(mark);
    char *p = memmem(text, n, mark, bytes), *behind = p ? p + bytes : text;
    const size_t left = (size_t)(text + n - behind);
    if (!p || p == text || !is_one_of(p[-1], ".:!?)") || (left && !is_space(*behind)))
        return n;
    memmove(p, behind, left);
    return n - bytes;
}

int marks_lack_opening(const char *text, size_t n)
{
    size_t lone;
    int closed;
    count_open(PLAIN, text, n, &lone, &closed);
    return lone && lone < n;
}

int marks_lack_closing(const char *text, size_t n)
{
    size_t lone;
    int closed;
    return count_open(PLAIN, text, n, &lone, &closed) > 0 && memrchr(text, '"', n) != text;
}
