// What is asked of the parts that were found: the fields of messages, words, which one is the last.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/outline/parts.h"
#include "engine/outline/parts_lines.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

struct span_of_text parts_field(const struct part *m, int field)
{
    const struct lines c = {.text = m->t.text, .n = m->t.n};
    if (m->who.to) // of a conversation
        return field == MESSAGE_FROM   ? m->who
               : field == MESSAGE_DATE ? m->when
                                       : (struct span_of_text){0};
    if (field == MESSAGE_SUBJECT &&
        message_is_commit(c.text + m->head.from, span_bytes(m->head))) { // below its head
        const size_t line = line_past_empty(&c, m->head.to), to = message_subject(&c, m->head.to);
        return span_trimmed(c.text, (struct span_of_text){line < to ? line : to, to});
    }
    struct span_of_text v = message_line(&c, m->head.from, m->head.to, (enum message_field)field);
    const char *colon = span_bytes(v) ? memchr(c.text + v.from, ':', span_bytes(v)) : NULL;
    if (!colon)
        return (struct span_of_text){0};
    for (v.from = (size_t)(colon - c.text) + 1; v.from < v.to && is_space(c.text[v.from]);)
        v.from++;
    return v;
}

int parts_have(const struct part *m, struct span_of_text s, const char *words)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(words, strlen(words), &at, stem, &bytes);)
        if (!word_form_is_in(m->t.text + s.from, span_bytes(s), words + at - bytes, bytes))
            return 0;
    return 1;
}

struct span_of_text parts_body(const struct part *m)
{
    return span_trimmed(m->t.text, (struct span_of_text){m->head.to, m->end});
}

// Whether place I counts where number NTH is asked for: "3 and a half" is not the fourth one.
static int counts(const struct parts *p, int i, int nth)
{
    return nth < 0 || !parts_is_half(&p->v[i]);
}

// Whether P are commits, of which a log tells the newest one first.
static int are_commits(const struct parts *p)
{
    const struct part *m = &p->v[0];
    return p->are == PARTS_MESSAGES && p->n &&
           message_is_commit(m->t.text + m->head.from, span_bytes(m->head));
}

// How many that count come before place I: by their dates, and where these do not tell, as they
// stand.
static int rank(const struct parts *p, int i, int nth)
{
    const int up = are_commits(p);
    int n = 0;
    for (int j = 0; j < p->n; j++) {
        const int above = up ? j > i : j < i;
        n += counts(p, j, nth) &&
             (p->dated ? p->v[j].order < p->v[i].order || (p->v[j].order == p->v[i].order && above)
                       : above);
    }
    return n;
}

int parts_nth(const struct parts *p, int nth)
{
    const int place = nth < 0 ? p->n + nth : nth - 1;
    for (int i = 0; i < p->n; i++)
        if (counts(p, i, nth) && rank(p, i, nth) == place)
            return i;
    return -1;
}

int parts_is_half(const struct part *m)
{
    static const char half[] = "and a half";
    return span_bytes(m->label) && span_bytes(m->title) >= strlen(half) &&
           !strncasecmp(m->t.text + m->title.from, half, strlen(half));
}
