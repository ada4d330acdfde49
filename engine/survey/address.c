// The address of somebody's mail, as the heads of mails have it: "What is Bob's email address?"
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Where the name begins that ends before byte TO of TEXT, in a list from byte FROM on: behind the
// last comma that is in no quotation marks.
static size_t name_start(const char *text, size_t from, size_t to)
{
    int quoted = 0;
    for (size_t at = from; at < to; at++) {
        quoted ^= text[at] == '"';
        if (!quoted && is_one_of(text[at], ",;"))
            from = at + 1;
    }
    return from;
}

// The next name of LINE with its address behind it, from byte *AT on: "Bob Stone <bob@x.example>".
// 1, with its NAME and its ADDRESS, or 0 where there is none.
static int next_address(const char *text, struct span_of_text line, size_t *at,
                        struct span_of_text *name, struct span_of_text *address)
{
    const char *open = *at < line.to ? memchr(text + *at, '<', line.to - *at) : NULL;
    const size_t from = open ? (size_t)(open - text) : line.to;
    const char *close = open ? memchr(open, '>', line.to - from) : NULL;
    if (!close || !memchr(open, '@', (size_t)(close - open)))
        return 0;
    *name = (struct span_of_text){name_start(text, *at, from), from};
    *address = (struct span_of_text){from + 1, (size_t)(close - text)};
    *at = address->to + 1;
    return 1;
}

// Keeps in FOUND the addresses of LINE, a field of a head of T, of who has all words of WHOM in
// their name: returns N and 1 more for each that is not FOUND already.
static int look_at(const struct texts *t, struct span_of_text line, const char *whom,
                   struct lookup_found *found, int n)
{
    const char *text = t->text, *colon = memchr(text + line.from, ':', span_bytes(line));
    struct span_of_text name, address;
    size_t at = colon ? (size_t)(colon - text) + 1 : line.to;
    while (next_address(text, line, &at, &name, &address)) {
        if (!words_any(whom, text + name.from, span_bytes(name)) ||
            !words_all(whom, text + name.from, span_bytes(name)) ||
            (n && span_is_alike(found->t.text, found->at, text, address)))
            continue;
        *found = (struct lookup_found){*t, address};
        n++;
    }
    return n;
}

// Looks through the heads of T's mails, likewise.
static int look_through(const struct texts *t, const char *whom, struct lookup_found *found, int n)
{
    const struct lines c = {.text = t->text, .n = t->n};
    size_t from, to;
    for (size_t at = 0; at < c.n; at = line_end(&c, at) + 1) {
        if (!message_head(&c, at, &from, &to))
            continue;
        for (size_t line = from; line < to; line = line_end(&c, line) + 1) {
            const struct span_of_text own = {line, line_end(&c, line)};
            const enum message_field is = message_field_of(c.text + own.from, span_bytes(own));
            if (is == MESSAGE_FROM || is == MESSAGE_OTHER)
                n = look_at(t, own, whom, found, n);
        }
        at = to > at ? to - 1 : at;
    }
    return n;
}

int survey_address(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found found = {0};
    struct texts t;
    int rc, n = 0;
    if (!words_any("mail email e-mail", question, strlen(question)))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        n = look_through(&t, v->w.whom, &found, n);
    if (rc < 0 || n != 1) // of several, it is not said which one is meant
        return rc;
    const struct span_of_text line = texts_line(found.t.text, found.t.n, found.at.from);
    lookup_say(v->out, found.t.text, found.at);
    rc = lookup_add(v, &found.t, line, 0, e);
    return rc ? rc : 1;
}
