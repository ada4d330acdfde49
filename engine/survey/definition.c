#include "engine/survey/definition.h"

#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

struct piece {
    const char *p;
    size_t n;
};

static struct piece trimmed(const char *p, size_t n)
{
    while (n && is_one_of(p[n - 1], " \t\r\n.,;"))
        n--;
    while (n && is_one_of(*p, " \t\r\n,;")) {
        p++;
        n--;
    }
    return (struct piece){p, n};
}

// The N bytes of OF at *AT without the mark of a variable; *AT moves behind them.
static struct piece unmarked(struct piece of, size_t *at, size_t n)
{
    struct piece t = {of.p + *at, n};
    *at += n;
    while (t.n && is_one_of(*t.p, "$@%&")) {
        t.p++;
        t.n--;
    }
    return t;
}

static struct piece next_token(struct piece of, size_t *at)
{
    return unmarked(of, at, name_token(of.p, of.n, at));
}

static struct piece next_name(struct piece of, size_t *at)
{
    return unmarked(of, at, name_phrase(of.p, of.n, at));
}

// -------------------------------------------------------------- what parts a name and its value

// Finds the first of MARKS, in their order, that is in S behind something: *AT. Returns its bytes.
static size_t find_mark(struct piece s, const char *const *marks, size_t *at)
{
    for (; *marks; marks++) {
        size_t n = strlen(*marks);
        for (size_t i = 1; i + n <= s.n; i++)
            if (begins_alike(s.p + i, s.n - i, *marks)) {
                // "==", ">=" and the like compare
                if (**marks == '=' && (is_one_of(s.p[i - 1], "=!<>~") ||
                                       (i + 1 < s.n && is_one_of(s.p[i + 1], "=~"))))
                    continue;
                *at = i;
                return n;
            }
    }
    return 0;
}

// The last name of S, which may have several capitalised words or be in quotation marks.
static struct piece last_name(struct piece s)
{
    struct piece name = {s.p, 0}, next;
    s = trimmed(s.p, s.n);
    for (const char *quote = "\"'`"; s.n > 2 && *quote; quote++)
        if (s.p[s.n - 1] == *quote) {
            size_t from = s.n - 1;
            while (from > 0 && s.p[from - 1] != *quote)
                from--;
            return (struct piece){s.p + from, from ? s.n - 1 - from : 0};
        }
    for (size_t at = 0; (next = next_name(s, &at)).n;)
        name = next;
    return name;
}

// Whether at most one word of S is before NAME.
static int is_bare(struct piece s, struct piece name)
{
    int words = 0;
    for (size_t at = 0; next_token(s, &at).n && s.p + at <= name.p;)
        words++;
    return words <= 1;
}

// Whether S is prose: a colon behind it does not assign a value.
static int is_prose(struct piece s)
{
    static const char words[] = " the a an is are of to and in that for with this you it have has ";
    for (size_t at = 0; at < s.n;) {
        const struct piece t = next_token(s, &at);
        if (word_is_listed(words, t.p, t.n))
            return 1;
    }
    return 0;
}

// "Copy X1 to X2."
static int parse_order(struct definition *d, struct piece s)
{
    static const char *const verbs[] = {"assign ", "copy ", "store ", "move ",
                                        "write ",  "put ",  "save "},
                             *const to[] = {" into ", " to ", " in ", NULL};
    size_t at;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (!begins_alike(s.p, s.n, verbs[i]))
            continue;
        // "Write to 5 Mill Lane" has nothing before "to".
        const size_t verb = strlen(verbs[i]);
        const struct piece order = {s.p + verb, s.n - verb};
        const size_t mark = find_mark(order, to, &at);
        if (!mark)
            return 0;
        struct piece name = last_name((struct piece){order.p + at + mark, order.n - at - mark});
        struct piece value = trimmed(order.p, at);
        *d = (struct definition){
            .name = name.p, .n_name = name.n, .value = value.p, .n_value = value.n, .strict = 1};
        return name.n && value.n;
    }
    return 0;
}

// The bytes of a line's value up to a comment.
static size_t without_comment(struct piece s)
{
    for (size_t i = 1; i + 1 < s.n; i++)
        if (is_space(s.p[i - 1]) && (s.p[i] == '#' || begins_alike(s.p + i, s.n - i, "//") ||
                                     begins_alike(s.p + i, s.n - i, "/*")))
            return i;
    return s.n;
}

// Signs between a name and its value, in the order in which they are looked for. With those of
// TURNED the value comes first.
static const char *const TURNED[] = {" is assigned to ", " is copied to ", " is copied into ",
                                     " is stored in ",   " is passed to ", " is passed on to ",
                                     " is written to ",  " is given to ",  NULL},
                         *const SIGNS[] = {":=", "<-", "\u2190", "->", "\u2192", "=>", "=", NULL},
                         *const VERBS[] = {" has the same value as ",
                                           " has the value ",
                                           " takes the value ",
                                           " gets the value ",
                                           " takes its value from ",
                                           " gets its value from ",
                                           " is assigned ",
                                           " is set to ",
                                           " is the same as ",
                                           " is equal to ",
                                           " is an alias for ",
                                           " is an alias of ",
                                           " is defined as ",
                                           " shall mean ",
                                           " means ",
                                           " equals ",
                                           " inherits ",
                                           " receives ",
                                           " becomes ",
                                           " copies ",
                                           " gets ",
                                           " takes ",
                                           " holds ",
                                           NULL},
                         *const COLONS[] = {": ", ":", NULL}, *const IS[] = {" is ", NULL};

enum parting_kind {
    PARTING_TURNED,
    PARTING_SIGN,
    PARTING_VERB,
    PARTING_COLON,
    PARTING_IS,
    PARTINGS
};

// Where S is divided: bytes AT .. AT + n.
struct parting {
    enum parting_kind kind;
    size_t at, n; // n 0: nowhere
};

static struct parting find_parting(struct piece s)
{
    static const char *const *const marks[PARTINGS] = {TURNED, SIGNS, VERBS, COLONS, IS};
    struct parting p = {PARTING_TURNED, 0, 0};
    for (int kind = 0; !p.n && kind < PARTINGS; kind++) {
        p.kind = (enum parting_kind)kind;
        p.n = find_mark(s, marks[kind], &p.at);
    }
    return p;
}

int definition_parse(struct definition *d, const char *text, size_t n)
{
    static const char pronouns[] =
        " it this that these those they which what who here there he she ";
    struct piece s = trimmed(text, n);
    size_t to_first = 0;
    if (parse_order(d, s))
        return 1;
    const struct parting p = find_parting(s);
    if (!p.n)
        return 0;
    const int turned = p.kind == PARTING_TURNED;
    struct piece before = {s.p, p.at}, after = {s.p + p.at + p.n, s.n - p.at - p.n};
    after.n = without_comment(after);
    struct piece name = last_name(turned ? after : before), value = turned ? before : after;
    struct piece first = next_token(s, &to_first);
    value = trimmed(value.p, value.n);
    if (word_is_listed(pronouns, name.p, name.n))
        return 0;
    const int sign = p.kind == PARTING_SIGN || (p.kind == PARTING_COLON && !is_prose(value));
    *d = (struct definition){.name = name.p,
                             .n_name = name.n,
                             .value = value.p,
                             .n_value = value.n,
                             .keyword = first.p,
                             .n_keyword = first.n,
                             .strict = sign || turned || p.kind == PARTING_VERB,
                             .sign = sign,
                             .bare = !turned && is_bare(before, name)};
    return name.n && (value.n || sign);
}

// ------------------------------------------------------------------------------ what they say

int definition_is_of(const struct definition *d, const char *name)
{
    return d->n_name == strlen(name) && !memcmp(d->name, name, d->n_name);
}

size_t definition_sole(const struct definition *d, const char **p)
{
    static const char filling[] = " the value of variable a an same as to that constant parameter "
                                  "number now also which in is whatever from ";
    struct piece value = {d->value, d->n_value}, sole = {d->value, 0};
    for (size_t at = 0; at < value.n;) {
        struct piece t = next_token(value, &at);
        int keyword = d->n_keyword && t.n == d->n_keyword && !memcmp(t.p, d->keyword, t.n);
        if (!t.n || keyword || word_is_listed(filling, t.p, t.n))
            continue;
        int changed = t.p > value.p && is_one_of(t.p[-1], "-+!*"); // "-x" is not x
        if (sole.n || changed)
            return 0;
        sole = t;
    }
    for (const char *c = value.p; c < value.p + value.n; c++)
        if ((is_one_of(*c, "+*/|<>?") && !(c >= sole.p && c < sole.p + sole.n)) ||
            (*c == '(' && c > value.p && word_has(c[-1])))
            return 0;
    *p = sole.p;
    return sole.n;
}

int definition_rests_on(const struct definition *d, const char *name)
{
    size_t bytes;
    for (size_t at = 0; name_next(name, d->value, d->n_value, &at, &bytes); at++)
        if (name_is_whole(d->value, d->n_value, at, bytes))
            return 1;
    return 0;
}

size_t definition_next(const struct definition *d, size_t *at, const char **p)
{
    struct piece name = next_name((struct piece){d->value, d->n_value}, at);
    *p = name.p;
    return name.n;
}
