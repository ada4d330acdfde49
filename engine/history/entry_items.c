#include "engine/history/entry_items.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/record.h"
#include "engine/words/words.h"

enum change entry_change_asked(enum want want)
{
    static const enum change changes[] = {
        [WANT_ADDED] = CHANGE_ADDED,       [WANT_FIXED] = CHANGE_FIXED,
        [WANT_REMOVED] = CHANGE_REMOVED,   [WANT_CHANGED] = CHANGE_OTHER,
        [WANT_ENTRY_FIXED] = CHANGE_FIXED, [WANT_ENTRY_REMOVED] = CHANGE_REMOVED};
    return want < sizeof changes / sizeof *changes ? changes[want] : CHANGE_UNSAID;
}

// The item of C that the line at byte AT begins, with the lines below it that are set in further.
static struct span_of_text item_at(const struct lines *c, size_t at, size_t to)
{
    const size_t end = record_item_end(c, at, to);
    while (at < end && is_space(c->text[at]))
        at++;
    return (struct span_of_text){at, line_trimmed(c, at, end)};
}

static int is_item_at(const struct lines *c, size_t at)
{
    const size_t end = line_end(c, at);
    while (at < end && is_space(c->text[at]))
        at++;
    return line_is_item(c->text + at, end - at);
}

// Whether S of C has the words that the question asks about, in any form.
static int has_words(const struct lookup *v, const struct lines *c, struct span_of_text s)
{
    const char *about = v->w.about;
    char stem[WORD_STEM];
    size_t bytes;
    int all = 0;
    for (size_t at = 0; word_next(about, strlen(about), &at, stem, &bytes); all++)
        if (!word_is_in(c->text + s.from, span_bytes(s), stem))
            return 0;
    return all > 0;
}

// Whether the ITEM of the ENTRY of C is asked for; BELOW: its heading has the words asked about.
static int is_asked(const struct lookup *v, const struct lines *c, struct span_of_text entry,
                    struct span_of_text item, int below, struct change_above *above)
{
    if (v->w.want == WANT_ENTRY_BELOW)
        return below;
    return change_of(c, entry.from, item, above) == entry_change_asked(v->w.want) &&
           (!*v->w.about || has_words(v, c, item));
}

int entry_say_items(struct lookup *v, const struct texts *t, struct span_of_text head,
                    struct span_of_text entry, struct err *e)
{
    const struct lines c = {.text = t->text, .n = t->n};
    struct change_above above = {0};
    int rc = 0, said = 0, below = 0;
    if (v->w.want == WANT_ENTRY)
        return 0;
    for (size_t at = line_end(&c, entry.from) + 1; !rc && at < entry.to;) {
        struct span_of_text item = {at, line_trimmed(&c, at, line_end(&c, at))};
        if (!is_item_at(&c, at)) {
            below = change_is_heading(&c, item) ? has_words(v, &c, item) : below;
            at = line_end(&c, at) + 1;
            continue;
        }
        item = item_at(&c, at, entry.to);
        at = line_end(&c, item.to) + 1;
        if (!is_asked(v, &c, entry, item, below, &above))
            continue;
        if (!said++ && (rc = lookup_quote(v->out, t, head, e)))
            break;
        fputc('\n', v->out);
        if (!(rc = lookup_passage(v->out, t, &item, e)))
            rc = lookup_add(v, t, item, 0, e);
    }
    return rc ? rc : said > 0;
}
