// The sentences of a text behind what was said: where they are, and what of them the answer has.
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/marks.h"
#include "engine/words/words.h"

enum { AROUND = 1024 }; // bytes before and after a place within which its sentence is looked for

struct span_of_text changed_sentence(const struct changed_said *s, size_t at)
{
    struct span_of_text v;
    struct lines c;
    const size_t first = at > AROUND ? at - AROUND : 0,
                 last = s->n - at > AROUND ? at + AROUND : s->n;
    lines_of_text(&c, s->text + first, last - first);
    cut_sentence(&c, at - first, &v.from, &v.to);
    v.from += first;
    v.to += first;
    while (v.from < v.to && is_space(s->text[v.from]))
        v.from++;
    return v;
}

struct span_of_text changed_titled(const struct changed_said *s, struct span_of_text v,
                                   size_t longest)
{
    const struct lines c = {.text = s->text, .n = s->n};
    size_t from = line_start(&c, v.from);
    while (from < v.from && is_space(s->text[from]))
        from++;
    return (struct span_of_text){v.from - from <= longest ? from : v.from, v.to};
}

int changed_next(const struct changed_said *s, size_t *at, struct span_of_text *v)
{
    int lines = 0;
    for (; *at < s->n && is_space(s->text[*at]); ++*at)
        lines += s->text[*at] == '\n';
    if (*at >= s->n || lines > 1)
        return 0;
    *v = changed_sentence(s, *at);
    return 1;
}

struct span_of_text changed_with_next(const struct changed_said *s, struct span_of_text v)
{
    struct span_of_text next;
    size_t at = v.to;
    return changed_next(s, &at, &next) ? (struct span_of_text){v.from, next.to} : v;
}

int changed_line_above(const struct changed_said *s, size_t from, struct span_of_text *line)
{
    enum { ABOVE = 8192 }; // bytes
    const struct lines c = {.text = s->text, .n = s->n};
    if (line->from <= (from > ABOVE ? from - ABOVE : 0))
        return 0;
    *line = line_at(&c, line->from - 1);
    return 1;
}

int changed_is_quoted(const struct changed_said *s, size_t at)
{
    const struct lines c = {.text = s->text, .n = s->n};
    return line_quoted(&c, line_start(&c, at)) > 0;
}

int changed_answer_has(const struct changed_said *s, struct changed_value v)
{
    struct changed_tokens t;
    changed_tokens(&t, s->answer, 0, strlen(s->answer));
    for (int i = 0; !isnan(v.number) && i < t.n; i++) {
        if (t.v[i].is_number && changed_is_same(changed_value_at(&t, i), v))
            return 1;
    }
    return 0;
}

// The day, with its year, of the nearest line above byte AT of S's text that heads what is below it
// and tells one: "Version 2.1 (9 July 2023)", "Date: Mon, 3 Jul 2023"; 0: there is none near.
static int64_t day_above(const struct changed_said *s, size_t at)
{
    enum { LONGEST = 100 }; // bytes
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text line = line_at(&c, at);
    while (changed_line_above(s, at, &line)) {
        const char *text = s->text + line.from;
        const size_t n = line_trimmed(&c, line.from, line.to) - line.from;
        const int heads =
            n && n <= LONGEST && !is_one_of(text[n - 1], ".,;") && !line_is_item(text, n);
        const int64_t day = heads ? day_order(text, n) : 0;
        if (day)
            return day;
    }
    return 0;
}

// Whether what stands at byte AT is of an earlier day than what was said, although it is below: of
// a change log, or a mailbox, that begins with the newest.
static int is_earlier(const struct changed_said *s, size_t at)
{
    const int64_t said = day_above(s, s->said.from), own = said ? day_above(s, at) : 0;
    return own && own < said;
}

int changed_found(const struct changed_looking *l, struct span_of_text v)
{
    enum { ENOUGH = 40 }; // bytes
    char own[2 * LONGEST_SENTENCE];
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    const size_t most = sizeof own;
    size_t n = cut_mend(&c, v.from, span_bytes(v) < most ? v.to : v.from + most, own);
    n = marks_drop_bold_end(own, n < ENOUGH ? n : ENOUGH); // as it is quoted
    if (memmem(s->answer, strlen(s->answer), own, n) || is_earlier(s, v.from))
        return 0;
    *l->out = v;
    return 1;
}

int changed_has_another(const struct changed_tokens *t, const struct changed_tokens *was, int old)
{
    for (int i = 0; i < t->n; i++)
        if (t->v[i].is_number && t->v[i].number != was->v[old].number &&
            changed_is_same_unit(was, old, t, i))
            return 1;
    return 0;
}

size_t changed_corrected(const struct changed_looking *l, const struct changed_tokens *told,
                         size_t at)
{
    const struct changed_said *s = l->s;
    const int is_report = changed_is_report(told),
              stated = is_report ? -1 : changed_is_stated(told);
    for (int k = 0; k < 3 && (is_report || stated >= 0); k++) {
        struct span_of_text v;
        struct changed_tokens t;
        if (!changed_next(s, &at, &v))
            return 0;
        changed_tokens(&t, s->text, v.from, v.to);
        // What is given for something is mostly right.
        if (changed_corrects(&t) && (stated < 0 || changed_has_another(&t, told, stated)))
            return v.to;
        if (v.to <= at)
            return 0;
        at = v.to;
    }
    return 0;
}

int changed_asks_now(const char *question)
{
    static const char words[] = " now currently today nowadays presently eventually finally "
                                "actually really ultimately latest anymore still ";
    static const char *const phrases[] = {"in the end",    "these days", "at present",
                                          "at the moment", "any more",   "as things stand"};
    if (words_listed(words, question, strlen(question)))
        return 1;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (strcasestr(question, phrases[i]))
            return 1;
    return 0;
}

int changed_word_tells(size_t bytes, const char *stem)
{
    enum { LEAST = 4 };
    return bytes >= LEAST && !word_is_common(stem);
}
