#include "engine/lines/speaker.h"

#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// The name of a speaker: text[FROM..TO), with the mark behind it and, where TIMED, a time before.
struct name {
    size_t from, to;
    int timed;
};

// The byte behind the time of day at byte AT, "[00:03:35] " or "14:05 "; AT: there is none.
static size_t past_time(const struct lines *c, size_t at, size_t end)
{
    size_t i = at + (at < end && is_one_of(c->text[at], "[("));
    int colons = 0;
    for (; i + 1 < end && (is_digit(c->text[i]) || is_one_of(c->text[i], ":.")); i++)
        colons += c->text[i] == ':' && is_digit(c->text[i + 1]);
    i += i < end && is_one_of(c->text[i], "])");
    return colons && i < end && c->text[i] == ' ' ? i + 1 : at;
}

// Whether the line that begins with byte LINE begins as that of a speaker: with a few words in
// capitals or, behind a time, with capitals, and a stop or a colon, behind which something is said;
// behind a time in brackets with a nickname, too: "[16:45] ann-yard: ".
static int may_speak(const struct lines *c, size_t line, struct name *name)
{
    enum { LONGEST = 32, WORDS = 4 };
    static const char nobody[] = " warning caution danger attention important note notice notes "
                                 "tip hint example remark todo ";
    const size_t end = line_trimmed(c, line, line_end(c, line)), from = past_time(c, line, end);
    const int nick = from > line && c->text[line] == '[' && from < end && is_lower(c->text[from]);
    size_t to = from, words = 0, capitals = 0;
    *name = (struct name){.from = line, .timed = from > line};
    for (; to < end && to - from < LONGEST; to++) {
        const char at = c->text[to];
        const int begins = to == from || c->text[to - 1] == ' ';
        if (is_one_of(at, ":.") && !(name->timed && at == '.'))
            break;
        if ((nick ? at == ' ' : begins && !is_upper(at) && (unsigned char)at < 0x80) ||
            (is_lower(at) && !name->timed) || (!begins && is_one_of(at, "()[]<>,;!?\"=/")))
            return 0;
        words += begins;
        capitals += is_upper(at);
    }
    name->to = to + 1;
    if (words_listed(nobody, c->text + from, to - from))
        return 0;
    return words && words <= WORDS && (nick || capitals > 1 - (size_t)name->timed) &&
           name->to + 1 < end && is_one_of(c->text[to], name->timed ? ":" : ".:") &&
           c->text[name->to] == ' ';
}

// Whether the next line with a name above byte LINE or, with DOWN, below it, is another one's, in
// the same way.
static int has_other(const struct lines *c, size_t line, const struct name *own, int down)
{
    enum { FAR = 24 }; // lines
    struct name other;
    for (int i = 0; i < FAR && (down ? line_end(c, line) + 1 < c->n : line > 0); i++) {
        line = down ? line_end(c, line) + 1 : line_start(c, line - 1);
        if (!may_speak(c, line, &other) || other.timed != own->timed ||
            c->text[other.to - 1] != c->text[own->to - 1])
            continue;
        const size_t n = own->to - own->from;
        if (other.to - other.from != n || memcmp(c->text + other.from, c->text + own->from, n) != 0)
            return 1;
    }
    return 0;
}

int speaker_enters(const struct lines *c, size_t line)
{
    struct name name;
    return line < c->n && c->text[line] == '[' && may_speak(c, line, &name) && name.timed;
}

size_t speaker_at(const struct lines *c, size_t line)
{
    struct name own;
    return may_speak(c, line, &own) && (has_other(c, line, &own, 0) || has_other(c, line, &own, 1))
               ? own.to - line
               : 0;
}

int speaker_of(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    for (size_t line = line_start(c, at); !line_is_empty(c, line); line = line_start(c, line - 1)) {
        const size_t n = speaker_at(c, line);
        if (n && line + n <= at) {
            *from = line;
            *to = line + n;
            return 1;
        }
        if (n || !line || (c->text[line] == '[' && past_time(c, line, line_end(c, line)) > line))
            return 0; // the line begins another entry
    }
    return 0;
}
