#define _GNU_SOURCE
// The sentences where the votes fall: what of a passage is shown as its focus, and what a small
// model reads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/asking.h"
#include "engine/text/asked.h"
#include "engine/ask/vicinity.h"
#include "engine/text/clause.h"
#include "engine/text/cut.h"
#include "engine/text/label.h"
#include "engine/text/lines.h"
#include "engine/text/message.h"
#include "engine/text/reply.h"
#include "engine/text/setting.h"
#include "io/mem.h"

// The byte of a block's text where TOKEN says something: past the space before a word.
static int byte_of(const struct kvz *k, uint64_t block, uint32_t token, size_t *byte, struct err *e)
{
    uint32_t *ids, *bytes, n_tokens;
    int rc = block_tokens(k, block, &ids, &bytes, &n_tokens, e);
    *byte = 1;
    for (uint32_t t = 0; !rc && t < token && t < n_tokens; t++)
        *byte += bytes[t];
    free(ids);
    return rc;
}

// The sentence of V, around BLOCK, in which TOKEN says something, at byte *AT of the block.
static int cut_at(struct cut *c, const struct vicinity *v, const struct kvz *k, uint64_t block,
                  uint32_t token, size_t *at, size_t *from, size_t *to, struct err *e)
{
    int rc = byte_of(k, block, token, at, e);
    if (!rc) {
        *at = *at < v->own_n ? *at : v->own_n - 1;
        cut_sentence(c, v->own + *at, from, to);
    }
    return rc;
}

// Whether what was said from byte LAST on ends with a stop, and an empty line behind byte TO.
static int ends_paragraph(const struct cut *c, size_t last, size_t to)
{
    const char *gap = c->text + to;
    const size_t n = strspn(gap, " \t\r\n\f");
    const char *line = memchr(gap, '\n', n);
    return to > last && strchr(".!?", c->text[to - 1]) && line &&
           memchr(line + 1, '\n', n - (size_t)(line + 1 - gap));
}

// The end of the sentence behind byte TO, with what that says little without, and of another one
// behind a few words; TO where there is none.
static size_t next_end(const struct cut *c, size_t to)
{
    enum { FEW = 24 };
    const size_t last = to;
    size_t part, part_end;
    if (to)
        message_part_of(c, to - 1, &part, &part_end);
    else
        part_end = c->n;
    while (to < last + FEW && !ends_paragraph(c, last, to)) {
        size_t from = to + strspn(c->text + to, " \t\r\n\f"), end, lead, lead_end;
        if (from >= part_end)
            break;
        cut_sentence(c, from, &from, &end);
        cut_company(c, &from, &end, &lead, &lead_end);
        if (end <= to) // what is behind TO belongs to what is before it
            break;
        to = end;
    }
    return to;
}

// The end of the ON-th one behind byte TO; of the last one where there are fewer.
static size_t end_behind(const struct cut *c, size_t to, int on)
{
    while (on-- > 0)
        to = next_end(c, to);
    return to;
}

// V becomes bytes FROM to TO of S.
static int evidence_widen(struct evidence *v, const struct stretch *s, size_t from, size_t to,
                          struct err *e)
{
    char *text = mem_new(to - from + 1, 1, e);
    if (!text)
        return ERR_NOMEM;
    memcpy(text, s->text + from, to - from);
    free(v->text);
    v->text = text;
    v->text_bytes = to - from;
    v->start = s->start + from;
    v->end = s->start + to;
    return 0;
}

// The focus of V becomes bytes FROM to TO of NEAR, and V is widened to them; nothing where they are
// a neighbour's alone.
static int focus_on(struct evidence *v, const struct vicinity *near, size_t from, size_t to,
                    struct err *e)
{
    const size_t own = near->own, end = own + near->own_n;
    int rc = 0;
    if (from >= to || from >= end || to <= own)
        return 0;
    if (from < own || to > end)
        rc = evidence_widen(v, &near->s, from < own ? from : own, to > end ? to : end, e);
    v->focus_start = near->s.start + from;
    v->focus_end = near->s.start + to;
    return rc;
}

int evidence_focus(struct evidence *v, const struct kvz *k, uint32_t token, int on, struct err *e)
{
    struct vicinity near = {0};
    struct cut c;
    size_t at, from, to, lead, lead_end;
    int rc = vicinity_new(&near, k, v->block, e);
    if (!rc)
        cut_text(&c, near.s.text, near.s.n);
    if (!rc && near.own_n && !(rc = cut_at(&c, &near, k, v->block, token, &at, &from, &to, e))) {
        cut_company(&c, &from, &to, &lead, &lead_end);
        to = end_behind(&c, to, on);
        from += strspn(near.s.text + from, " \t\r\n\f");
        rc = focus_on(v, &near, from, to, e);
    }
    stretch_done(&near.s);
    return rc;
}

int evidence_show(struct evidence *v, const struct kvz *k, uint64_t start, uint64_t end,
                  struct err *e)
{
    struct vicinity near = {0};
    int rc = vicinity_new(&near, k, v->block, e);
    if (!rc) {
        const uint64_t first = near.s.start, last = first + near.s.n;
        rc = focus_on(v, &near, start > first ? (size_t)(start - first) : 0,
                      (size_t)((end < last ? end : last) - first), e);
    }
    stretch_done(&near.s);
    return rc;
}

void sentence_done(struct sentence *v)
{
    free(v->text);
    *v = (struct sentence){0};
}

// Whether text[FROM..TO) ends with the line that names the columns of a table: the next one is a
// row, or a rule between them.
static int ends_with_head(const struct cut *c, size_t from, size_t to)
{
    to = line_trimmed(c, from, to);
    if (to == from)
        return 0;
    const size_t last = line_start(c, to - 1), below = line_end(c, last) + 1;
    size_t head = last;
    if (!line_says_something(c->text + last, line_end(c, last) - last)) { // the rule
        if (last <= from)
            return 0;
        head = line_start(c, last - 1);
    }
    const char *text = c->text + head;
    const size_t n = line_end(c, head) - head;
    if (below >= c->n || !line_says_something(text, n))
        return 0;
    const char *row = c->text + below;
    const size_t n_row = line_end(c, below) - below;
    const int ruled = head < last || (is_one_of(*row, "|-+=") && !line_says_something(row, n_row));
    return ruled ? cut_is_record(text, n) : cut_is_row(text, n, row, n_row);
}

// The end of the table whose head ends text[FROM..TO), where there is room for all of its rows; TO
// where there is none, or no such head. ENDS: the document ends with the text.
static size_t with_rows(const struct cut *c, int ends, size_t from, size_t to)
{
    size_t end = to;
    if (!ends_with_head(c, from, to))
        return to;
    for (size_t line = line_end(c, line_trimmed(c, from, to)) + 1, next; line < c->n;
         line = next + 1) {
        next = line_end(c, line);
        if (next == line)
            break;
        if (next - from > CUT_LONGEST || (next + 1 >= c->n && !ends))
            return to;
        if (cut_is_record(c->text + line, next - line))
            end = next;
        else if (line_says_something(c->text + line, next - line))
            break;
    }
    return end;
}

// Where the reply begins that text[FROM..TO) is, or has, to what is quoted, in V's text, of which
// BEFORE bytes are of what leads it in, LEAD; 0: it is none.
static size_t reply_in(const struct cut *c, const struct sentence *v, size_t lead, size_t before,
                       size_t from, size_t to)
{
    const size_t reply = reply_start(c, from, to);
    if (reply > from)
        return before + cut_mend(c, from, reply, v->text + before);
    return before && line_quoted(c, line_start(c, lead)) > line_quoted(c, line_start(c, from))
               ? before
               : 0;
}

// Where the turn begins in V's text that answers: the one that byte OWN is of, or, where that asks
// something, the next one. BEFORE bytes of V's text are of what leads in text[FROM..TO). 0: only
// one speaks.
static size_t turn_in(const struct cut *c, const struct sentence *v, size_t before, size_t from,
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

// A sentence and what it is read with, as bytes of the text around its block.
struct found {
    struct vicinity near;
    struct cut c; // of near
    size_t from, to;
    size_t own;                 // where the sentence itself begins
    size_t lead, lead_end;      // as of cut_company
    int is_sentence;            // 0: it is all of the block
    int refers;                 // cut_refers
    int cut_before, cut_behind; // whether clauses of it are left out
};

// Whether the sentence of F, around byte AT, may be a part of a longer one: it was cut, or the text
// around the block ends with it, which the document may go on beyond.
static int may_go_on(const struct found *f, size_t at)
{
    size_t first, end;
    cut_whole(&f->c, at, &first, &end);
    return first < f->from || end > f->to || (!f->from && f->near.s.start) ||
           (!f->near.ends && line_trimmed(&f->c, f->to, f->c.n) == f->to);
}

// Whether text[FROM..TO) of NEAR is a sentence of prose, all of it: lines of a program or a log may
// seem to go on for ever.
static int is_whole(const struct vicinity *near, size_t from, size_t to)
{
    const char *text = near->s.text;
    if ((!from && near->s.start) || is_lower(text[from]))
        return 0;
    while (to > from && is_one_of(text[to - 1], "\"')]\x80\x9d\x99\xe2"))
        to--;
    return to > from && is_one_of(text[to - 1], ".!?");
}

// Where the sentence of F, around byte AT of its block, is a part of a longer one: F becomes the
// clauses of that which have what QUESTION asks for.
static int find_whole(struct found *f, size_t at, const struct kvz *k, uint64_t block,
                      const char *question, struct err *e)
{
    struct found w = {0};
    if (!may_go_on(f, f->near.own + at))
        return 0;
    int rc = vicinity_wide(&w.near, k, block, e);
    if (rc || !w.near.own_n) {
        stretch_done(&w.near.s);
        return rc;
    }
    cut_text(&w.c, w.near.s.text, w.near.s.n);
    at += w.near.own;
    cut_whole(&w.c, at, &w.from, &w.to);
    const size_t first = w.from, end = w.to;
    const int longer = is_whole(&w.near, first, end) && end - first > f->to - f->from &&
                       w.near.s.start + first <= f->near.s.start + f->from &&
                       w.near.s.start + end >= f->near.s.start + f->to;
    clause_choose(&w.c, question, at, &w.from, &w.to);
    w.cut_before = w.from > first;
    w.cut_behind = w.to < end;
    stretch_done(longer ? &f->near.s : &w.near.s);
    *f = longer ? w : *f;
    return 0;
}

// Adds to the sentence of F what it says little without.
static void find_company(struct found *f)
{
    const size_t to = f->to;
    f->is_sentence = 1;
    f->own = f->from;
    f->refers = cut_refers(&f->c, f->own);
    cut_company(&f->c, &f->from, &f->to, &f->lead, &f->lead_end);
    f->to = with_rows(&f->c, f->near.ends, f->from, f->to);
    f->cut_before &= f->from == f->own;
    f->cut_behind &= f->to == to;
}

// Where F, around byte AT of its block, is an item of a list that begins further above: what leads
// that in.
static int find_lead(struct found *f, size_t at, const struct kvz *k, uint64_t block, struct err *e)
{
    const struct cut *c = &f->c;
    struct found w = {0};
    if (f->lead < f->lead_end || f->from < f->own || !f->near.s.start || f->cut_before ||
        f->cut_behind || line_words(c, line_start(c, f->own), f->own) < f->own ||
        !line_is_item(c->text + f->own, f->to - f->own))
        return 0;
    int rc = vicinity_wide(&w.near, k, block, e);
    if (!rc && w.near.own_n) {
        cut_text(&w.c, w.near.s.text, w.near.s.n);
        cut_sentence(&w.c, w.near.own + at, &w.from, &w.to);
        find_company(&w);
        if (w.near.s.start + w.own == f->near.s.start + f->own && w.lead < w.lead_end) {
            stretch_done(&f->near.s);
            *f = w;
            return 0;
        }
    }
    stretch_done(&w.near.s);
    return rc;
}

// Where the sentence of F begins with "this" or the like, right below a command or the like that is
// set in on lines of its own: F begins with that, and with the line that leads it in.
static void find_shown(struct found *f)
{
    const struct cut *c = &f->c;
    const size_t own = line_start(c, f->own), in = setting_words(c, own) - own;
    size_t top = own, above = 0, first, end;
    if (!f->refers || f->from < f->own || f->lead < f->lead_end || f->own > own + in)
        return;
    for (size_t line = own; line > 0;) {
        line = line_start(c, line - 1);
        const size_t words = setting_words(c, line);
        if (line_says_something(c->text + line, line_end(c, line) - line)) {
            above = line_trimmed(c, line, line_end(c, line));
            if (words - line <= in)
                break;
            top = line;
            above = 0;
        }
    }
    if (top == own || !above)
        return;
    cut_sentence(c, above - 1, &first, &end);
    if (c->text[above - 1] == ':' && f->to - first <= 2 * CUT_LONGEST)
        f->from = first;
}

// What leads in a list is said from where its sentence begins, not only its last line.
static void find_beginning(struct found *f)
{
    size_t first, end, *from = f->lead < f->lead_end ? &f->lead : &f->from;
    if (*from >= f->own)
        return;
    cut_sentence(&f->c, *from, &first, &end);
    if (first < *from && line_says_something(f->c.text + first, *from - first))
        *from = first;
}

// Whether byte AT of F is within a sentence.
static int is_within(const struct found *f, size_t at)
{
    size_t first, end;
    if (!at) // the text around the block may begin anywhere
        return f->near.s.start && is_lower(*f->c.text);
    cut_whole(&f->c, at, &first, &end);
    return first < at && line_says_something(f->c.text + first, at - first);
}

// Marks F where it begins or ends within a sentence.
static void find_omitted(struct found *f)
{
    const struct cut *c = &f->c;
    size_t first, end;
    if (f->from >= f->to)
        return;
    f->cut_before |= is_within(f, f->from);
    cut_whole(c, f->to - 1, &first, &end);
    f->cut_behind |= end > f->to && line_says_something(c->text + f->to, end - f->to);
}

// Finds the sentence around *TOKEN of BLOCK, with the ON sentences behind it; of a long one, where
// QUESTION is not NULL, what that asks for. F->near is the caller's to release even where it
// failed.
static int find(struct found *f, const struct kvz *k, uint64_t block, const uint32_t *token, int on,
                const char *question, struct err *e)
{
    size_t at;
    *f = (struct found){0};
    int rc = vicinity_new(&f->near, k, block, e);
    if (rc)
        return rc;
    cut_text(&f->c, f->near.s.text, f->near.s.n);
    f->own = f->from = f->near.own;
    f->to = f->near.own + f->near.own_n;
    if (token && f->near.own_n) {
        if ((rc = cut_at(&f->c, &f->near, k, block, *token, &at, &f->from, &f->to, e)) ||
            (question && !on && (rc = find_whole(f, at, k, block, question, e))))
            return rc;
        find_company(f);
        if (question && !on && (rc = find_lead(f, at, k, block, e)))
            return rc;
    }
    f->to = end_behind(&f->c, f->to, on);
    if (question && f->is_sentence) {
        find_shown(f);
        find_beginning(f);
        find_omitted(f);
    }
    return 0;
}

static const char DOTS[] = "\u2026"; // for what is left out

// Writes to V's text what stands above the sentence of F, HEADER or what leads it in, on a line of
// its own, and returns its bytes. MARK: dots say what is left out.
static size_t put_above(struct sentence *v, const struct found *f, const char *header, int mark)
{
    size_t n = strlen(header);
    memcpy(v->text, header, n);
    if (!n && f->lead < f->lead_end) {
        if (mark && is_within(f, f->lead))
            n = (size_t)sprintf(v->text, "%s", DOTS);
        n += cut_mend(&f->c, f->lead, f->lead_end, v->text + n);
    }
    if (n && mark && !*header && f->lead_end < f->from &&
        line_says_something(f->c.text + f->lead_end, f->from - f->lead_end))
        n += (size_t)sprintf(v->text + n, " %s", DOTS);
    if (n)
        v->text[n++] = '\n';
    return n;
}

// V's text: the sentence of F below HEADER, with dots where MARK and something is left out.
static void put(struct sentence *v, const struct found *f, const char *header, int mark)
{
    const struct cut *c = &f->c;
    size_t n = put_above(v, f, header, mark);
    if (mark && f->cut_before)
        n += (size_t)sprintf(v->text + n, "%s", DOTS);
    else if (f->refers && (f->from < f->own || n))
        v->own = n + cut_mend(c, f->from, f->own, v->text + n);
    if (f->is_sentence && !*header && !(v->said = reply_in(c, v, f->lead, n, f->from, f->to)))
        v->said = turn_in(c, v, n, f->from, f->to, f->own);
    n += cut_mend(c, f->from, f->to, v->text + n);
    if (mark && f->cut_behind)
        n += (size_t)sprintf(v->text + n, "%s", DOTS);
    v->text[n] = 0;
    while (v->said && is_space(v->text[v->said]))
        v->said++;
}

// sentence_around, with the ON sentences behind it. QUESTION: NULL, or what the sentence is read
// for: of a long one what that asks for, with dots for what is left out.
static int around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                  int on, const char *question, struct err *e)
{
    enum { MARKS = 4 * sizeof DOTS + 1 };
    char header[CUT_LONGEST] = "";
    struct found f;
    int rc = find(&f, k, block, token, on, question, e);
    *v = (struct sentence){.document = f.near.document,
                           .start = f.near.s.start + f.from,
                           .end = f.near.s.start + f.to};
    if (!rc && f.is_sentence && f.lead == f.lead_end)
        rc = sentence_above(header, k, block, &f.near.s, f.from, f.to, e);
    const size_t most = strlen(header) + f.lead_end - f.lead + f.to - f.from + MARKS + 2;
    if (!rc && !(v->text = mem_new(most, 1, e)))
        rc = ERR_NOMEM;
    if (!rc) {
        v->names_columns =
            f.is_sentence && !*header && f.from < f.to && ends_with_head(&f.c, f.from, f.to);
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
    uint32_t *ids, *bytes, n_tokens;
    size_t at = 0, last = SIZE_MAX;
    *n = 0;
    int rc = block_tokens(k, block, &ids, &bytes, &n_tokens, e);
    if (!rc)
        rc = vicinity_new(&near, k, block, e);
    struct cut c;
    if (!rc)
        cut_text(&c, near.s.text, near.s.n);
    for (uint32_t t = 0; !rc && t < n_tokens && *n < most; at += bytes[t++]) {
        size_t from, to;
        if (at + 1 >= near.own_n || !bytes[t])
            continue;
        cut_sentence(&c, near.own + at + 1, &from, &to); // as byte_of has it
        if (from != last)
            tokens[(*n)++] = t;
        last = from;
    }
    free(ids);
    stretch_done(&near.s);
    return rc;
}

// sentence_new; QUESTION as for around.
static int sentence_of(struct sentence *v, struct asking *q, int64_t global, const char *question,
                       struct err *e)
{
    uint64_t block;
    uint32_t token;
    int found, index;
    ballot_locate(q->ballot, global, &index, &block);
    int rc = focus_of(q, global, &found, &token, e);
    if (!rc)
        rc = around(v, q->k[index], block, found ? &token : NULL, focus_goes_on(q, global),
                    question, e);
    if (!rc && found)
        rc = sentence_headed(v, q->k[index], block, q->o->question, e);
    v->index = index;
    return rc;
}

int sentence_new(struct sentence *v, struct asking *q, int64_t global, struct err *e)
{
    return sentence_of(v, q, global, NULL, e);
}

int sentence_to_say(struct sentence *v, struct asking *q, int64_t global, struct err *e)
{
    return sentence_of(v, q, global, q->o->question, e);
}

int sentences_overlap(const struct sentence *a, const struct sentence *b)
{
    return a->index == b->index && a->document == b->document && a->start < b->end &&
           b->start < a->end;
}

// The one that the best sentence leads on to.
static int lead_sentence(struct sentence *v, struct asking *q, struct err *e)
{
    uint64_t block;
    int index;
    ballot_locate(q->ballot, q->lead.global, &index, &block);
    int rc = sentence_around(v, q->k[index], block, &q->lead.token, e);
    v->index = index;
    return rc;
}

// The sentences that are read, best first: V [n].
struct chosen {
    struct sentence *v;
    int64_t *of; // [n] the block of each
    int n;
};

static void chosen_done(struct chosen *c)
{
    for (int i = 0; c->v && i < c->n; i++)
        sentence_done(&c->v[i]);
    free(c->v);
    free(c->of);
}

// V, which is freed where it is nothing or overlaps with others.
static void chosen_add(struct chosen *c, struct sentence v, int64_t global)
{
    int twice = v.start == v.end;
    for (int i = 0; i < c->n; i++)
        twice |= sentences_overlap(&v, &c->v[i]);
    if (twice) {
        sentence_done(&v);
        return;
    }
    c->of[c->n] = global;
    c->v[c->n++] = v;
}

// What the best sentence leads on to comes before it, for the answer stands there.
static int chosen_new(struct chosen *c, struct asking *q, struct err *e)
{
    const struct answer *a = q->a;
    const size_t most = (size_t)a->n_choices + 1;
    struct sentence v = {0};
    int rc = 0;
    if (!(c->v = mem_new(most, sizeof *c->v, e)) || !(c->of = mem_new(most, sizeof *c->of, e)))
        return ERR_NOMEM;
    if (q->lead.found && a->n_choices && !(rc = lead_sentence(&v, q, e)))
        chosen_add(c, v, q->lead.global);
    for (int i = 0; !rc && i < a->n_choices; i++) {
        int64_t global = q->ballot->base[a->choices[i].index] + (int64_t)a->choices[i].block;
        if (!(rc = sentence_to_say(&v, q, global, e)))
            chosen_add(c, v, global);
    }
    return rc;
}

// Where the best sentence is one that goes on, from byte OWN on, with "it" from what is read before
// it, that made the question no likelier without it, or replies to it: an answer has a word of it.
static int own_news(struct asking *q, const struct sentence *v, size_t own, struct err *e)
{
    char *before = mem_new(own + 1, 1, e);
    if (!before)
        return ERR_NOMEM;
    memcpy(before, v->text, own);
    before[own] = 0;
    int rc = news_new(&q->news, v->text + own, before, q->o->question, e);
    free(before);
    return rc;
}

// Where V, which is about block GLOBAL, is stored, if that is what is read.
static int add_excerpt(struct asking *q, int64_t global, const struct sentence *v, struct err *e)
{
    uint64_t block;
    int index;
    if (q->mode != READ_CACHED_SENTENCES)
        return 0;
    ballot_locate(q->ballot, global, &index, &block);
    return excerpts_add(&q->excerpts, q->k[index], block, v, e);
}

// The tokens of the best sentence, V; a quotation leaves out what it replies to.
static int best_tokens(struct prompt *text, struct asking *q, const struct sentence *v,
                       struct err *e)
{
    if (!v->said || q->lead.found)
        return prompt_text(text, q->m, v->text, TOK_PLAIN, e);
    char *before = strndup(v->text, v->said);
    if (!before)
        return err_set(e, ERR_NOMEM, "out of memory (sentence)");
    int rc = prompt_text(text, q->m, before, TOK_PLAIN, e);
    q->unsaid = text->n;
    free(before);
    return rc ? rc : prompt_text(text, q->m, v->text + v->said, TOK_PLAIN, e);
}

int sentences_new(struct prompt *p, struct asking *q, struct err *e)
{
    struct chosen c = {0};
    int n = 0, tokens = 0, rc = chosen_new(&c, q, e);
    struct prompt *text = rc ? NULL : mem_new((size_t)c.n, sizeof *text, e);
    if (!rc && !text)
        rc = ERR_NOMEM;
    for (; !rc && n < c.n; n++) {
        rc = n ? prompt_text(&text[n], q->m, c.v[n].text, TOK_PLAIN, e)
               : best_tokens(&text[n], q, &c.v[n], e);
        tokens += text[n].n;
        if (n && tokens > q->budget)
            break;
    }
    for (int i = n - 1; !rc && i >= 0; i--) // the best one last, next to the question
        if (!(rc = add_excerpt(q, c.of[i], &c.v[i], e)) &&
            !(rc = shown_add(&q->shown, c.of[i], p->n, text[i].n, e)) &&
            !(rc = prompt_ids(p, text[i].ids, text[i].n, e)) && i)
            rc = prompt_text(p, q->m, "\n\n", TOK_PLAIN, e);
    // The model would name the first of the steps, or what leads them in, of a definition half, and
    // of a commit what was done instead of who did it.
    q->verbatim = !rc && n > 0 && !q->lead.found &&
                  (c.v[0].of_commit || asked_defines(q->o->question, c.v[0].text) ||
                   (asked_for_steps(q->o->question) && strstr(c.v[0].text, ":\n")));
    if (!rc && q->lead.found && n > 1)
        rc = news_new(&q->news, c.v[0].text, c.v[1].text, q->o->question, e);
    else if (!rc && n && (c.v[0].said || c.v[0].own))
        rc = own_news(q, &c.v[0], c.v[0].said ? c.v[0].said : c.v[0].own, e);
    for (int i = 0; text && i < c.n; i++)
        prompt_done(&text[i]);
    free(text);
    chosen_done(&c);
    return rc;
}
