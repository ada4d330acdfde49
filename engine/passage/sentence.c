#define _GNU_SOURCE
// Sentences of a document across its blocks, with what is read with them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/company/company.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lines/page.h"
#include "engine/lines/setting.h"
#include "engine/method/ballot.h"
#include "engine/passage/extent.h"
#include "engine/passage/sentence.h"
#include "engine/passage/verbatim.h"
#include "engine/sentences/courtesy.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/reply.h"
#include "io/mem.h"

void sentence_done(struct sentence *v)
{
    free(v->text);
    *v = (struct sentence){0};
}

// text[FROM..TO) mended; MARK: to be said.
static size_t mend(const struct lines *c, size_t from, size_t to, int mark, char *out)
{
    return mark ? cut_mend(c, from, to, out) : cut_mend_joined(c, from, to, out);
}

// Where the reply begins that text[FROM..TO) is, or has, to what is quoted, in V's text, of which
// BEFORE bytes are of what leads it in, up to LEAD_END, 0 where nothing does, whose last line is
// quoted though the first one may say by whom; 0: it is none.
static size_t reply_in(const struct lines *c, const struct sentence *v, size_t lead_end,
                       size_t before, size_t from, size_t to, int mark)
{
    const size_t reply = reply_start(c, from, to);
    if (reply > from)
        return before + mend(c, from, reply, mark, v->text + before);
    return lead_end &&
                   line_quoted(c, line_start(c, lead_end - 1)) > line_quoted(c, line_start(c, from))
               ? before
               : 0;
}

// Where the turn begins in V's text that answers: the one that byte OWN is of, or, where that asks
// something, the next one. BEFORE bytes of V's text are of what leads in text[FROM..TO). 0: only
// one speaks.
static size_t turn_in(const struct lines *c, const struct sentence *v, size_t before, size_t from,
                      size_t to, size_t own)
{
    size_t turn = line_start(c, own), above = line_start(c, from);
    if (turn <= from) {
        above = turn;
        turn = line_end(c, own) + 1;
        if (turn >= to || !line_asks(c->text + from, line_trimmed(c, from, turn) - from))
            return 0;
    }
    return label_turns(c, above, turn) ? before + cut_mend(c, from, turn, v->text + before) : 0;
}

// Whether the sentence of F is of the title, and what stands beside it, that a document begins
// with: no sentence has ended before its own end.
static int is_title(const struct extent *f)
{
    const struct lines *c = &f->c;
    return !f->near.s.start && !is_one_of(c->text[line_trimmed(c, f->from, f->to) - 1], ".!?:") &&
           !cut_has_stop(c, 0, f->to);
}

// Whether text[FROM..TO) is only the head of a mail, or a part of it.
static int is_head(const struct lines *c, size_t from, size_t to)
{
    size_t first, end;
    return message_head(c, line_start(c, from), &first, &end) && to <= end &&
           !message_is_commit(c->text + first, end - first);
}

// Whether dots belong behind what leads in the sentence of F: it is prose, no heading or setting,
// and more of that is left out behind it; or a part of a line is: "WARNING: It is hot. Mind it."
static int leads_on(const struct extent *f)
{
    const char *text = f->c.text;
    const size_t line = line_end(&f->c, f->lead_end), end = line < f->from ? line : f->from;
    return is_one_of(text[f->lead_end - 1], ".!?:") && f->lead_end < f->from &&
           line_says_something(text + f->lead_end, f->from - f->lead_end) &&
           (f->speaks || setting_at(&f->c, line_start(&f->c, f->lead)).kind == SETTING_NONE ||
            line_says_something(text + f->lead_end, end - f->lead_end));
}

// Writes to V's text what stands above the sentence of F, HEADER or what leads it in, on a line of
// its own, and returns its bytes. MARK: dots say what is left out.
static size_t put_above(struct sentence *v, const struct extent *f, const char *header, int mark)
{
    size_t n = strlen(header);
    memcpy(v->text, header, n);
    if (!n && f->lead < f->lead_end) {
        if (mark && extent_within(f, f->lead))
            n = (size_t)sprintf(v->text, "%s", SENTENCE_DOTS);
        n += mend(&f->c, f->lead, f->lead_end, mark, v->text + n);
    }
    if (n && mark && !*header && leads_on(f))
        n += (size_t)sprintf(v->text + n, " %s", SENTENCE_DOTS);
    if (n)
        v->text[n++] = '\n';
    return n;
}

// V's text: the sentence of F below HEADER, with dots where MARK and something is left out.
static void put(struct sentence *v, const struct extent *f, const char *header, int mark)
{
    const struct lines *c = &f->c;
    size_t n = put_above(v, f, header, mark);
    if (mark && f->cut_before)
        n += (size_t)sprintf(v->text + n, "%s", SENTENCE_DOTS);
    else if (f->refers && (f->from < f->own || n))
        v->own = n + mend(c, f->from, f->own, mark, v->text + n);
    const size_t lead_end = f->lead < f->lead_end ? f->lead_end : 0;
    if (f->is_sentence && !*header &&
        !(v->said = reply_in(c, v, lead_end, n, f->from, f->to, mark)))
        v->said = turn_in(c, v, n, f->from, f->to, f->own);
    n += mend(c, f->from, f->to, mark, v->text + n);
    if (mark && f->cut_behind)
        n += (size_t)sprintf(v->text + n, "%s", SENTENCE_DOTS);
    v->text[n] = 0;
    while (v->said && is_space(v->text[v->said]))
        v->said++;
}

// sentence_around, with the ON sentences behind it. QUESTION: NULL, or what the sentence is read
// for: of a long one what that asks for, with dots for what is left out.
static int around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                  int on, const char *question, struct err *e)
{
    enum { MARKS = 4 * sizeof SENTENCE_DOTS + 1 };
    char header[LONGEST_SENTENCE] = "";
    struct extent f;
    size_t from, to;
    int rc = extent_new(&f, k, block, token, on, question, e);
    const int verbatim = !rc && question && verbatim_find(&f);
    *v = (struct sentence){.document = f.near.document,
                           .start = f.near.s.start + f.from,
                           .end = f.near.s.start + f.to};
    if (!rc && f.is_sentence && f.lead == f.lead_end)
        rc = sentence_above(header, k, block, &f.near.s, f.from, f.to, e);
    const size_t most = strlen(header) + f.lead_end - f.lead + f.to - f.from + MARKS + 2 +
                        (verbatim ? verbatim_most(&f) : 0);
    if (!rc && !(v->text = mem_new(most, 1, e)))
        rc = ERR_NOMEM;
    if (!rc) {
        const int some = f.is_sentence && f.from < f.to;
        v->signs = some && !*header && f.lead == f.lead_end && company_signs(&f.c, f.from, f.to);
        v->greets = some && courtesy_is(&f.c, f.from, f.to);
        v->titles = some && is_title(&f);
        v->margin = some && page_is_margin(&f.c, line_start(&f.c, f.own));
        v->heads = some && is_head(&f.c, f.from, f.to);
        v->signature = some && message_part_of(&f.c, f.own, &from, &to) == MESSAGE_SIGNATURE;
        v->names_columns =
            some && !*header &&
            (extent_head_ends(&f.c, f.from, f.to) || extent_names_columns(&f.c, f.from, f.to));
        if (verbatim && !*header)
            v->text[verbatim_put(&f, v->text)] = 0;
        else
            put(v, &f, header, question != NULL);
    }
    stretch_done(&f.near.s);
    return rc;
}

int sentence_around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                    struct err *e)
{
    return around(v, k, block, token, 0, NULL, e);
}

int sentence_asked(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                   int on, const char *question, struct err *e)
{
    return around(v, k, block, token, on, question, e);
}

int sentence_and_next(struct sentence *v, const struct kvz *k, uint64_t block, uint32_t token,
                      int on, struct err *e)
{
    return around(v, k, block, &token, on, NULL, e);
}

int sentence_tokens(const struct kvz *k, uint64_t block, uint32_t *tokens, int most, int *n,
                    struct err *e)
{
    struct vicinity near = {0};
    uint64_t *starts;
    uint32_t n_tokens;
    size_t from = SIZE_MAX, to = 0; // of the last one
    *n = 0;
    int rc = block_token_starts(k, block, &starts, &n_tokens, e);
    if (!rc)
        rc = vicinity_new(&near, k, block, e);
    struct lines c;
    if (!rc)
        lines_of_text(&c, near.s.text, near.s.n);
    for (uint32_t t = 0; !rc && t < n_tokens && *n < most; t++) {
        if (starts[t] >= near.own_n || starts[t] == starts[t + 1])
            continue;
        const size_t at = near.own + extent_says(&near, (size_t)starts[t]), last = from;
        if (at >= from && at < to)
            continue;
        cut_sentence(&c, at, &from, &to);
        if (from != last)
            tokens[(*n)++] = t;
    }
    free(starts);
    stretch_done(&near.s);
    return rc;
}

int sentences_overlap(const struct sentence *a, const struct sentence *b)
{
    return a->index == b->index && a->document == b->document && a->start < b->end &&
           b->start < a->end;
}
