// Entries of a change log, asked for by their labels: "What changed in release 2026e?", "When was
// version 4.1.2 released?", "What is the newest version?". The heads of entries are lines that are
// alike except for their numbers.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/history/change.h"
#include "engine/history/entry_items.h"
#include "engine/history/history.h"
#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    HEAD = 120,  // bytes of a head, at most
    LABEL = 24,  // bytes of its label
    BEFORE = 40, // bytes before the label
    MANY = 2000, // entries that are looked at
    SAID = 30,   // entries that an answer names
    ENTRY = 2400 // bytes of an entry that it prints
};

struct entry_head {
    struct span_of_text line, label;
    size_t shape_n; // bytes of the line before its first label
};

// The heads of one document that are alike.
struct log {
    struct texts t;
    struct entry_head *v; // [n]
    int n;
};

static int is_version_byte(char c)
{
    return is_digit(c) || is_lower(c) || is_upper(c) || is_one_of(c, ".-+~_");
}

// Whether P [n] is a date ("2026-03-24") rather than a version.
static int is_date(const char *p, size_t n)
{
    return n == 10 && p[4] == '-' && p[7] == '-' && is_digit(p[0]) && is_digit(p[9]);
}

// Reads a label at byte AT of TEXT[.. TO), if there is one: a version number. Its end is in *END in
// any case, that of the word where it is none.
static int label_at(const char *text, size_t at, size_t to, size_t *end, struct span_of_text *label)
{
    for (*end = at; *end < to && is_version_byte(text[*end]);)
        ++*end;
    const size_t first =
        at + (*end - at > 1 && is_one_of(text[at], "vV") && is_digit(text[at + 1]));
    while (*end > first && is_one_of(text[*end - 1], ".-"))
        --*end;
    *label = (struct span_of_text){first, *end};
    return *end > first && *end - first < LABEL && is_digit(text[first]) &&
           !is_date(text + first, *end - first);
}

// The label behind OWN in the line S of TEXT, where the line says what lies between both: "from 1.2
// to 1.3", "between Mill 1.2 and Mill 1.3", "1.2 -> 1.3". The later of them is what is said; OWN:
// there is none.
static struct span_of_text label_behind(const char *text, struct span_of_text s,
                                        struct span_of_text own)
{
    static const char *const joints[] = {" and ", " to ", " -> ", " \u2192 "};
    enum { IN_WORDS = 2 }; // of JOINTS
    struct span_of_text label;
    size_t at = 0, end = 0;
    for (size_t i = 0; i < sizeof joints / sizeof *joints && !at; i++)
        if (begins_with(text + own.to, s.to - own.to, joints[i]) &&
            (i >= IN_WORDS || words_any("between from", text + s.from, own.from - s.from)))
            at = own.to + strlen(joints[i]);
    if (at && label_at(text, at, s.to, &end, &label))
        return label;
    at = end + 1; // behind the name of what has these versions
    return at > 1 && at < s.to && text[end] == ' ' && label_at(text, at, s.to, &end, &label) ? label
                                                                                             : own;
}

// Finds the label of the line S of TEXT: a version number of several parts, or of one part behind a
// word that says what it is. *FIRST is where the line's first one begins. 0: it has none.
static int find_label(const char *text, struct span_of_text s, struct span_of_text *label,
                      size_t *first)
{
    static const char words[] = "release version changes with";
    size_t end;
    for (size_t at = s.from; at < s.to && at - s.from<BEFORE; at = end> at ? end : at + 1) {
        if (!label_at(text, at, s.to, &end, label))
            continue;
        const int parts = memchr(text + label->from, '.', span_bytes(*label)) != NULL;
        *first = label->from;
        *label = label_behind(text, s, *label);
        return parts || words_any(words, text + s.from, *first - s.from);
    }
    return 0;
}

// Where a bold label that runs into the text of its entry ends in TEXT[AT .. TO), with what is in
// brackets behind it: "**3.2** (14 June 2024)"; TO: there is none.
static size_t run_in(const char *text, size_t at, size_t to)
{
    static const char bold[] = "**";
    const size_t n = strlen(bold);
    size_t end = at + n;
    if (!begins_with(text + at, to - at, bold))
        return to;
    while (end < to && end - at < LABEL + n && !begins_with(text + end, to - end, bold))
        end++;
    if (!begins_with(text + end, to - end, bold))
        return to;
    end += n;
    const int opens = end + 1 < to && text[end] == ' ' && text[end + 1] == '(';
    const char *close = opens ? memchr(text + end, ')', to - end) : NULL;
    return close ? (size_t)(close + 1 - text) : end;
}

// Whether the line of C at byte AT may be the head of an entry, or begins with one: it is short,
// has nothing above it, and is neither a sentence nor an item of a list that goes on.
static int head_at(const struct lines *c, size_t at, struct entry_head *h)
{
    const size_t end = run_in(c->text, at, line_trimmed(c, at, line_end(c, at)));
    h->line = (struct span_of_text){at, end};
    if (end == at || end - at > HEAD || is_space(c->text[at]) || is_one_of(c->text[end - 1], ".,;"))
        return 0;
    if (at > 0) {
        const size_t above = line_start(c, at - 1);
        if (line_says_something(c->text + above, at - 1 - above))
            return 0;
    }
    size_t first;
    if (!find_label(c->text, h->line, &h->label, &first))
        return 0;
    h->shape_n = first - at;
    return 1;
}

// Whether two heads are alike before their labels, except for numbers and capitals.
static int are_alike(const char *text, const struct entry_head *a, const struct entry_head *b)
{
    const char *x = text + a->line.from, *y = text + b->line.from;
    size_t i = 0, j = 0;
    while (i < a->shape_n && j < b->shape_n) {
        if (is_digit(x[i]) && is_digit(y[j])) {
            while (i < a->shape_n && is_digit(x[i]))
                i++;
            while (j < b->shape_n && is_digit(y[j]))
                j++;
        } else if (to_small(x[i++]) != to_small(y[j++])) {
            return 0;
        }
    }
    return i == a->shape_n && j == b->shape_n;
}

static void log_done(struct log *l)
{
    free(l->v);
    l->v = NULL;
}

// Fills in L with the largest group of heads of T's document that are alike; it may be empty, and
// is where there are too many to tell which one is the last.
static int log_new(struct log *l, const struct texts *t, struct err *e)
{
    struct lines c;
    struct entry_head *all = mem_new(MANY + 1, sizeof *all, e);
    int n = 0, most = 0, best = 0;
    *l = (struct log){.t = *t};
    if (!all)
        return ERR_NOMEM;
    lines_of_text(&c, t->text, t->n);
    for (size_t at = 0; at < t->n && n <= MANY; at = line_end(&c, at) + 1)
        n += head_at(&c, at, &all[n]);
    n = n > MANY ? 0 : n;
    for (int i = 0; i < n && n - i > most; i++) {
        int like = 0;
        for (int j = i; j < n; j++)
            like += are_alike(t->text, &all[i], &all[j]);
        if (like > most) {
            most = like;
            best = i;
        }
    }
    const struct entry_head first = all[best];
    for (int i = 0; i < n; i++)
        if (are_alike(t->text, &first, &all[i]))
            all[l->n++] = all[i];
    l->v = all;
    l->n = most > 1 ? l->n : 0;
    return 0;
}

// Reads the number at *AT of TEXT.
static long number_at(const char *text, size_t *at, size_t to)
{
    enum { MOST = 100000000 };
    long value = 0;
    for (; *at < to && is_digit(text[*at]); ++*at)
        value = value < MOST ? 10 * value + (text[*at] - '0') : value;
    return value;
}

// Signs between the parts of a label.
static const char BETWEEN[] = "-._~+";

// How late a label with the end S is among those that have another one behind the same beginning:
// 0 before the release itself ("1.1.0-rc1", "1.1.0b2"), 1 for the release, 2 after it ("1.1.0a").
static int lateness(const char *text, struct span_of_text s)
{
    static const char before[] = " alpha beta rc pre preview dev snapshot nightly cr ";
    size_t end, at = s.from;
    if (at == s.to)
        return 1;
    while (at < s.to && is_one_of(text[at], BETWEEN))
        if (text[at++] == '~')
            return 0;
    for (end = at; end < s.to && (is_lower(text[end]) || is_upper(text[end]));)
        end++;
    const int early = end - at == 1 && is_one_of(text[at], "ab") && end < s.to;
    return early || word_is_listed(before, text + at, end - at) ? 0 : 2;
}

// Whether label A of TEXT is later than label B: the first number that differs is larger or, if
// none does, what is behind it makes it later.
static int is_later(const char *text, struct span_of_text a, struct span_of_text b)
{
    while (a.from < a.to && b.from < b.to) {
        if (is_digit(text[a.from]) && is_digit(text[b.from])) {
            const long x = number_at(text, &a.from, a.to), y = number_at(text, &b.from, b.to);
            if (x != y)
                return x > y;
        } else if (text[a.from] != text[b.from]) {
            break;
        } else {
            a.from++;
            b.from++;
        }
    }
    const int x = lateness(text, a), y = lateness(text, b);
    while (!x && a.from < a.to && is_one_of(text[a.from], BETWEEN))
        a.from++;
    while (!y && b.from < b.to && is_one_of(text[b.from], BETWEEN))
        b.from++;
    return x != y ? x > y : a.from < a.to && (b.from == b.to || text[a.from] > text[b.from]);
}

// The rank of the heading that the line of C at byte AT is, by the marks before it ("##" is 2) or
// the line below it ("===" is 1, "---" 2, "~~~" 3); 0: it is none.
static size_t rank_at(const struct lines *c, size_t at)
{
    static const char marks[] = "=-~";
    enum { SHORTEST = 3 }; // bytes of a line below
    size_t n = 0, end = line_end(c, at), below = end + 1;
    while (at + n < end && c->text[at + n] == '#')
        n++;
    if (n)
        return at + n < end && c->text[at + n] == ' ' ? n : 0;
    const char *mark = below < c->n ? strchr(marks, c->text[below]) : NULL;
    if (!mark || !*mark || !line_says_something(c->text + at, end - at))
        return 0;
    while (below + n < c->n && c->text[below + n] == *mark)
        n++;
    return n >= SHORTEST && line_trimmed(c, below, line_end(c, below)) == below + n
               ? (size_t)(mark - marks) + 1
               : 0;
}

// Entry I of L: from its head to the next one or, where it is a heading, to another one that is
// no lower, outside of code.
static struct span_of_text entry_of(const struct log *l, int i)
{
    const struct lines c = {.text = l->t.text, .n = l->t.n};
    struct span_of_text s = {l->v[i].line.from, i + 1 < l->n ? l->v[i + 1].line.from : l->t.n};
    const size_t own = rank_at(&c, s.from);
    int code = 0;
    for (size_t at = line_end(&c, s.from) + 1; own && at < s.to; at = line_end(&c, at) + 1) {
        const size_t rank = rank_at(&c, at);
        code ^= begins_with(c.text + at, s.to - at, "```");
        if (!code && rank && rank <= own)
            s.to = at;
    }
    return s;
}

static int has_label(const struct log *l, int i, const char *label)
{
    const struct span_of_text own = l->v[i].label;
    const size_t n = strlen(label), v = n > 1 && is_one_of(*label, "vV") && is_digit(label[1]);
    return span_bytes(own) == n - v && !strncasecmp(l->t.text + own.from, label + v, n - v);
}

// Whether head I of L has WHAT, a year or a month, as a whole word.
static int head_has(const struct log *l, int i, const char *what)
{
    const struct span_of_text s = l->v[i].line;
    const size_t n = strlen(what);
    for (size_t at = s.from; n && at + n <= s.to; at++)
        if (!strncasecmp(l->t.text + at, what, n) &&
            !(at > s.from && word_has(l->t.text[at - 1])) &&
            !(at + n < s.to && word_has(l->t.text[at + n]) && at != l->v[i].label.from))
            return 1;
    return 0;
}

// Whether head I of L has a year or a date besides its label.
static int has_date(const struct log *l, int i)
{
    const struct span_of_text s = l->v[i].line, own = l->v[i].label;
    int digits = 0;
    for (size_t at = s.from; at < s.to; at++) {
        digits = is_digit(l->t.text[at]) && (at < own.from || at >= own.to) ? digits + 1 : 0;
        if (digits == 4)
            return 1;
    }
    return 0;
}

// Whether head I of L says behind its label who made it.
static int has_author(const struct log *l, int i)
{
    const size_t from = l->v[i].label.to;
    return words_any("by", l->t.text + from, l->v[i].line.to - from);
}

// Head I of L without the beginning of a sentence that ends below it: "**2.1** (4 May). Faster.
// It".
static struct span_of_text head_said(const struct log *l, int i)
{
    struct span_of_text s = l->v[i].line;
    struct lines c;
    size_t from, to;
    lines_of_text(&c, l->t.text, l->t.n);
    cut_whole(&c, s.to - 1, &from, &to);
    if (from > s.from && to > s.to)
        s.to = line_trimmed(&c, s.from, from);
    return s;
}

static int say_head(struct lookup *v, const struct log *l, int i, struct err *e)
{
    const int rc = lookup_quote(v->out, &l->t, head_said(l, i), e);
    return rc ? rc : lookup_add(v, &l->t, l->v[i].line, 0, e);
}

// Prints the labels of the heads that have what is asked for, or of all heads.
static int say_labels(struct lookup *v, const struct log *l, struct err *e)
{
    int said = 0, rc = 0;
    for (int i = 0; !rc && i < l->n; i++) {
        if ((*v->w.what && !head_has(l, i, v->w.what)) || said++ >= SAID)
            continue;
        fputs(said > 1 ? ", " : "", v->out);
        fwrite(l->t.text + l->v[i].label.from, 1, span_bytes(l->v[i].label), v->out);
        rc = lookup_add(v, &l->t, l->v[i].line, 0, e);
    }
    if (said > SAID)
        fprintf(v->out, " and %d more", said - SAID);
    return rc ? rc : said > 0;
}

// Prints the last or the first entry.
static int say_end(struct lookup *v, const struct log *l, int last, struct err *e)
{
    int best = 0;
    for (int i = 1; i < l->n; i++)
        if (is_later(l->t.text, l->v[last ? i : best].label, l->v[last ? best : i].label))
            best = i;
    const int rc = say_head(v, l, best, e);
    return rc ? rc : 1;
}

// Prints the entry with the label that is asked for, those of its items that are, or its head,
// where that says when or by whom it was made.
static int say_entry(struct lookup *v, const struct log *l, struct err *e)
{
    int rc = 0;
    for (int i = 0; i < l->n; i++) {
        if (!has_label(l, i, v->w.what))
            continue;
        struct span_of_text s = entry_of(l, i);
        if (v->w.want == WANT_DATED || v->w.want == WANT_ENTRY_WHO) {
            if (!(v->w.want == WANT_DATED ? has_date(l, i) : has_author(l, i)))
                return 0;
            rc = say_head(v, l, i, e);
        } else if (!(rc = entry_say_items(v, &l->t, l->v[i].line, s, e))) {
            if (*v->w.about)
                return 0;
            if (!(rc = lookup_passage_of(v->out, &l->t, &s, ENTRY, e)))
                rc = lookup_add(v, &l->t, s, 0, e);
        }
        return rc ? rc : 1;
    }
    return 0;
}

// The place of what is asked for in an entry.
struct entry_origin {
    int entry, sure; // sure: 2 where its sentence says what was done, 1 where it says nothing of it
    struct span_of_text sentence;
};

// O becomes the best sentence of entry I of L, whose text C is, that has what is asked for, if it
// is better than O: that says what was done or, where something was added, none that says something
// else. Of equally good ones the earliest release is taken.
static void find_origin(const struct lookup *v, const struct log *l, const struct lines *c, int i,
                        struct entry_origin *o)
{
    const enum change asked = entry_change_asked(v->w.want);
    const struct span_of_text s = entry_of(l, i);
    struct change_above above = {0};
    size_t bytes;
    for (size_t at = s.from; name_next(v->w.what, l->t.text, s.to, &at, &bytes); at += bytes) {
        const struct span_of_text own = texts_sentence(l->t.text, l->t.n, at);
        const enum change what = change_of(c, s.from, own, &above);
        const int sure = what == asked                                      ? 2
                         : what == CHANGE_UNSAID && v->w.want == WANT_ADDED ? 1
                                                                            : 0;
        if (sure && (sure > o->sure ||
                     (sure == o->sure && is_later(l->t.text, l->v[o->entry].label, l->v[i].label))))
            *o = (struct entry_origin){i, sure, own};
    }
}

// Prints the head of the entry that best says what was done with what is asked for, and the
// sentence with it.
static int say_origin(struct lookup *v, const struct log *l, struct err *e)
{
    struct entry_origin o = {0};
    struct lines c;
    lines_of_text(&c, l->t.text, l->t.n);
    for (int i = 0; i < l->n; i++)
        find_origin(v, l, &c, i, &o);
    if (!o.sure)
        return 0;
    int rc = lookup_quote(v->out, &l->t, head_said(l, o.entry), e);
    fputc('\n', v->out);
    if (!rc)
        rc = lookup_quote(v->out, &l->t, o.sentence, e);
    if (!rc)
        rc = lookup_add(v, &l->t, o.sentence, 0, e);
    return rc ? rc : 1;
}

// Whether head I of L is of a release rather than of a section: it has a date or a word for
// releases, or its label is written as a release's: "v1.2", "[1.2]", "Mill 1.2", but not "Table
// 1.2".
static int is_of_release(const struct log *l, int i)
{
    static const char parts[] = " section sections clause article chapter part paragraph table "
                                "figure fig step rule item schedule annex appendix exhibit no nr "
                                "number page question note ";
    const char *text = l->t.text;
    const struct span_of_text line = l->v[i].line, label = l->v[i].label;
    char stem[WORD_STEM];
    size_t bytes = 0, at = line.from, last = line.from;
    if (has_date(l, i) ||
        words_any("release version changes urgency", text + line.from, span_bytes(line)) ||
        text[label.from] == 'v' || (label.from > line.from && text[label.from - 1] == '['))
        return 1;
    while (word_next(text, label.from, &at, stem, &bytes))
        last = at - bytes;
    return bytes && !word_has_digit(text + last, bytes) &&
           !word_is_listed(parts, text + last, bytes);
}

// Whether L is a change log rather than sections with numbers: most heads are of releases, or the
// document is called so.
static int is_of_releases(const struct log *l)
{
    const size_t title = l->t.n < LOOKUP_TITLE ? l->t.n : LOOKUP_TITLE;
    int n = 0;
    for (int i = 0; i < l->n; i++)
        n += is_of_release(l, i);
    return 2 * n >= l->n ||
           words_listed(" changelog changes news releases ", l->t.d.name, strlen(l->t.d.name)) ||
           words_listed(" changelog ", l->t.text, title);
}

// Answers from L what is asked for: 1, 0 if it cannot, or an error.
static int look_into(struct lookup *v, const struct log *l, struct err *e)
{
    switch (v->w.want) {
    case WANT_ADDED:
    case WANT_FIXED:
    case WANT_REMOVED:
    case WANT_CHANGED: // a sentence that says so tells by itself that its head is of a release
        return say_origin(v, l, e);
    default:
        break;
    }
    if (!is_of_releases(l))
        return 0;
    switch (v->w.want) {
    case WANT_NEWEST:
    case WANT_OLDEST:
        return say_end(v, l, v->w.want == WANT_NEWEST, e);
    case WANT_ENTRIES:
        return say_labels(v, l, e);
    default:
        return say_entry(v, l, e);
    }
}

// Whether L is a log of what the question names: a head, the document's name or its beginning has
// that.
static int is_log_of(const struct log *l, const char *kind)
{
    const size_t n = strlen(kind), title = l->t.n < LOOKUP_TITLE ? l->t.n : LOOKUP_TITLE;
    if (!n || word_form_is_in(l->t.d.name, strlen(l->t.d.name), kind, n) ||
        word_form_is_in(l->t.text, title, kind, n))
        return 1;
    for (int i = 0; i < l->n; i++)
        if (head_has(l, i, kind))
            return 1;
    return 0;
}

// Says that the release which the question names stands nowhere in the texts, if that is so.
static int say_absence(struct lookup *v, struct err *e)
{
    struct texts t;
    size_t at = 0;
    if (v->w.want < WANT_ENTRY || v->w.want > WANT_DATED || !word_has_digit(v->w.what, 1) ||
        !strchr(v->w.what, '.'))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    const int rc = texts_find(&t, v->w.what, &at, e);
    if (rc)
        return rc < 0 ? rc : 0;
    fprintf(v->out, "\"%s\" does not stand in the text.", v->w.what);
    return 1;
}

int history_entry(struct lookup *v, struct err *e)
{
    enum { SEVERAL = 3 }; // entries, or sections, of a text that would have the one asked for
    struct texts t;
    int rc, logs = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct log l;
        if ((rc = log_new(&l, &t, e)))
            return rc;
        const int is = l.n && is_log_of(&l, v->w.kind);
        logs += is && l.n >= SEVERAL;
        if (is)
            rc = look_into(v, &l, e);
        log_done(&l);
        if (rc)
            return rc;
    }
    return rc < 0 || !logs ? rc : say_absence(v, e);
}
