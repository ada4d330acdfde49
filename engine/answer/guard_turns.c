// Answers that are made of a conversation: who says something belongs to it, and what one of them
// says is no other one's.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/lines/chat_lines.h"
#include "engine/words/text_span.h"

// A turn of a conversation: who speaks, and what is said, as the line ends.
struct turn {
    struct span_of_text who, said;
    int timed; // 1: the time is before it
};

// Whether the line text[FROM..TO) begins a turn, "[10:02] Ann Mill: so" or "Ann Mill: so".
static int begins_turn(const char *text, size_t from, size_t to, struct turn *t)
{
    struct span_of_text when, who;
    const size_t n = to - from;
    t->timed = chat_line(text + from, n, &when, &who);
    if (!t->timed)
        who = (struct span_of_text){0, chat_name(text + from, n)};
    if (who.to <= who.from)
        return 0;
    size_t said = who.to + 1;
    while (said < n && is_gap(text[from + said]))
        said++;
    t->who = (struct span_of_text){from + who.from, from + who.to};
    t->said = (struct span_of_text){from + said, to};
    return 1;
}

static size_t line_end_of(const char *text, size_t n, size_t from)
{
    const char *end = memchr(text + from, '\n', n - from);
    return end ? (size_t)(end - text) : n;
}

// Finds the next turn of T from byte *AT on, with all lines of it, and sets *AT behind it. Returns
// 0 if there is none.
static int next_turn(const struct guard_text *t, size_t *at, struct turn *turn)
{
    struct turn next;
    int found = 0;
    size_t end;
    for (; *at < t->n; *at = end + 1) {
        end = line_end_of(t->text, t->n, *at);
        if (!begins_turn(t->text, *at, end, found ? &next : turn)) {
            turn->said.to = found ? end : turn->said.to;
            continue;
        }
        if (found)
            return 1;
        found = 1;
    }
    *at = t->n;
    return found;
}

// Whether OWN, who says something and what, is what that one says in TURN of READ, no less.
static int is_said_in(const struct guard_text *own, const struct turn *turn,
                      const struct guard_text *read, const struct turn *there)
{
    const size_t who = span_bytes(turn->who), said = turn->said.from,
                 n = guard_without_stop(own->text + said, turn->said.to - said),
                 from = there->said.from,
                 all = guard_without_stop(read->text + from, there->said.to - from);
    return who <= span_bytes(there->who) && n == all &&
           !memcmp(read->text + there->who.to - who, own->text + turn->who.from, who) &&
           !memcmp(read->text + from, own->text + said, n);
}

int guard_mixes_turns(const struct guarded *g)
{
    static const char me[] = " i me my mine myself ";
    struct turn own, there;
    size_t first = 0, at = 0;
    const int has = next_turn(&g->own, &first, &own);
    int turns = 0, timed = 0;
    while (next_turn(&g->read, &at, &there)) {
        if (has && is_said_in(&g->own, &own, &g->read, &there))
            return 0;
        turns++;
        timed |= there.timed;
    }
    // One alone may be a field of a form.
    return (has && (timed || turns > 1)) || (turns && words_listed(me, g->own.text, g->own.n));
}
