#include "engine/passage/verbatim.h"

#include <string.h>

#include "engine/lines/code.h"
#include "engine/lines/lines.h"
#include "engine/lines/setting.h"
#include "engine/passage/sentence.h"

// Lines of a text, and what is known of them.
struct seen {
    int other;    // lines that are neither code nor settings
    int code;     // lines that are code and no comment,
    int settings; // and settings,
    int set_in;   // and those of all that are set in
};

// Adds to S the lines of text[FROM..TO).
static void see(const struct lines *c, size_t from, size_t to, struct seen *s)
{
    for (size_t line = line_start(c, from); line < to; line = line_end(c, line) + 1) {
        const int code = code_at(c, line);
        const enum setting_kind kind = setting_at(c, line).kind;
        s->other += !code && kind == SETTING_NONE;
        s->code += code && !code_comment(c, line);
        s->settings += kind >= SETTING_VALUE;
        s->set_in += setting_words(c, line) > line;
    }
}

// Whether text[FROM..TO) is of whole lines, but for white space around it and a comma behind it.
static int is_of_lines(const struct lines *c, size_t from, size_t to)
{
    const size_t end = line_trimmed(c, to, line_end(c, to - 1));
    return setting_words(c, line_start(c, from)) == from &&
           (end <= to || (end == to + 1 && c->text[to] == ','));
}

// Whether text[FROM..TO) is a part of the comment on the line whose words begin with byte FIRST,
// and code that this switches off: without the sign of the comment it would be live.
static int is_switched_off(const struct lines *c, size_t first, size_t from, size_t to)
{
    return from > first && to <= line_end(c, from) && code_comment(c, line_start(c, from)) &&
           code_is(c, from, to);
}

int verbatim_find(struct extent *f)
{
    const struct lines *c = &f->c;
    const int led = f->lead < f->lead_end;
    struct seen s = {0};
    if (!f->is_sentence || f->from >= f->to)
        return 0;
    see(c, f->from, f->to, &s);
    if (led)
        see(c, f->lead, f->lead_end, &s);
    const size_t first = setting_words(c, line_start(c, f->from)),
                 last = line_trimmed(c, f->from, line_end(c, f->to - 1));
    const int code = s.code || is_switched_off(c, first, f->from, f->to);
    if (s.other || !(code || (s.settings && s.set_in)))
        return 0;
    if (!is_of_lines(c, f->from, f->to) && code && last - first <= LONGEST_SENTENCE) {
        f->from = first;
        f->to = last;
        f->cut_before = f->cut_behind = 0;
    }
    return is_of_lines(c, f->from, f->to) && !f->cut_before && !f->cut_behind &&
           (!led || is_of_lines(c, f->lead, f->lead_end));
}

// Leaves of *N bytes of white space, from byte IN of C on, those that all lines of text[FROM..TO)
// that say anything begin with.
static void share(const struct lines *c, size_t from, size_t to, size_t in, size_t *n)
{
    for (size_t line = line_start(c, from); line < to; line = line_end(c, line) + 1) {
        const size_t own = setting_words(c, line) - line;
        size_t same = 0;
        if (line + own == line_end(c, line))
            continue;
        while (same < *n && same < own && c->text[line + same] == c->text[in + same])
            same++;
        *n = same;
    }
}

// Writes the lines of text[FROM..TO) without their first IN bytes.
static size_t put_lines(const struct lines *c, size_t from, size_t to, size_t in, char *out)
{
    size_t n = 0;
    for (size_t line = line_start(c, from), end; line < to; line = end + 1) {
        end = line_end(c, line);
        const size_t last = line_trimmed(c, line, end < to ? end : to);
        if (line > line_start(c, from))
            out[n++] = '\n';
        for (size_t i = line + in; i < last; i++)
            out[n++] = c->text[i] ? c->text[i] : ' ';
    }
    return n;
}

size_t verbatim_most(const struct extent *f)
{
    const struct lines *c = &f->c;
    return 2 * (f->to - line_start(c, f->from)) + (f->lead_end - line_start(c, f->lead)) +
           sizeof SENTENCE_DOTS + 2;
}

size_t verbatim_put(const struct extent *f, char *out)
{
    const struct lines *c = &f->c;
    const size_t top = line_start(c, f->from), own = setting_words(c, top) - top;
    size_t in = own, n = 0;
    share(c, f->from, f->to, top, &in);
    if (f->lead < f->lead_end) {
        share(c, f->lead, f->lead_end, top, &in);
        n = put_lines(c, f->lead, f->lead_end, in, out);
        out[n++] = '\n';
        if (f->lead_end < top && line_says_something(c->text + f->lead_end, top - f->lead_end)) {
            memcpy(out + n, c->text + top + in, own - in);
            n += own - in;
            memcpy(out + n, SENTENCE_DOTS "\n", sizeof SENTENCE_DOTS);
            n += sizeof SENTENCE_DOTS;
        }
    }
    return n + put_lines(c, f->from, f->to, in, out + n);
}
