// Answers that are made of a line of a log: that line is no sentence, and what a small model makes
// one of it says another thing ("The document B-180 rejected: code 69 needs form N8." of
// "declaration B-180 rejected: ...").
#include "engine/answer/guard_impl.h"
#include "engine/lines/chat_lines.h"
#include "engine/words/clock.h"
#include "engine/words/day.h"
#include "engine/words/text_span.h"

enum {
    NEAR = 12, // bytes between a day and the time of it
    TIME = 8   // bytes of a time of day to the second, "10:02:11"
};

static int begins_with_time(const char *text, size_t n)
{
    struct clock_span s;
    return clock_begins(text, n, &s) >= TIME && text[2] == ':' && text[5] == ':';
}

// The time to the second with which the line TEXT [n] begins, behind its day or not; NULL: with
// none, or it is what somebody says.
static const char *time_of(const char *text, size_t n)
{
    struct span_of_text when, who;
    struct day d;
    const size_t in = n && is_one_of(text[0], "[<");
    if (chat_line(text, n, &when, &who))
        return NULL;
    text += in;
    n -= in;
    size_t at = day_begins(text, n, &d);
    for (const size_t end = !at ? 1 : at + NEAR < n ? at + NEAR : n; at < end; at++)
        if (begins_with_time(text + at, n - at))
            return text + at;
    return NULL;
}

// Whether the words of OWN stand in READ one behind the other.
static int is_part_of(const struct guard_text *own, const struct guard_text *read)
{
    for (int i = 0; i + own->words <= read->words; i++)
        if (guard_same(own->stem[0], read->stem[i], own->words))
            return 1;
    return 0;
}

int guard_rewords_log(const struct guarded *g)
{
    const struct guard_text *read = &g->read;
    size_t end = guard_without_stop(read->text, read->n), line = end;
    while (line > 0 && read->text[line - 1] != '\n')
        line--;
    const char *time = time_of(read->text + line, end - line);
    return time && !is_part_of(&g->own, read) &&
           guard_next_place(time, TIME, &g->own, 0) == g->own.n; // it may tell when
}
