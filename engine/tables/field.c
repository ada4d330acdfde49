#define _GNU_SOURCE
// Looks up a field of a record that the question names: "What is the price of the Nylon Mortar?",
// where an object has "name": "Nylon Mortar" and "price": 50.21. Records are too alike for votes,
// and a small model takes the value of another field.
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/object.h"
#include "engine/lines/setting.h"
#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/rows/column.h"
#include "engine/rows/table.h"
#include "engine/tables/fields.h"
#include "engine/tables/short_name.h"
#include "engine/tables/spread.h"
#include "engine/tables/tables.h"
#include "engine/tables/unpacked.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    DEPTH = 6,    // groups in one another that a label is in, at most
    KNOWN = 256,  // bytes of what names the record
    LONGEST = 80, // bytes of a value that may name a record
    FEWEST = 2    // fields of a record
};

// Words of questions that no label need have.
static const char ASKS[] = WORDLIST_OF_RECORDS "kept";

// Words that are no labels, looked up for those of two letters.
static const char SMALL[] = WORDLIST_OF_QUESTIONS " no up ";

// Where the question names a record.
struct record_name {
    struct span_of_text in; // the question
    struct texts t;
    struct span_of_text object;  // of a line of T, that has the name; {0}: it has lines of its own
    struct lines c;              // T's text, or the object or XML with a line for each field
    size_t line;                 // of C,
    struct field f;              // and its field that has the name
    int n;                       // how many there are of the same length
    int is_spread;               // 1: C is T's XML with a line for each field,
    const struct spread *spread; // which is this, while it is looked at
};

// A search for the longest value that QUESTION has.
struct name_search {
    const char *question;
    struct record_name best;
};

// A field that may answer.
struct asked_field {
    struct field path[DEPTH]; // labels of the groups that it is in, and its own
    int depth;
    size_t line;
    int score, n;
};

// Whether VALUE [n] may name a record: some letters, or letters and digits.
static int may_name_record(const char *value, size_t n)
{
    enum { LETTERS = 4 };
    int digits;
    const int letters = name_letters(value, n, &digits);
    return n <= LONGEST && letters + digits >= LETTERS &&
           (letters >= LETTERS || (letters && digits));
}

// Whether the line of V is of a record with other fields.
static int is_of_record(const struct lines *c, size_t line)
{
    struct fields_scope s;
    struct field v[FIELDS_MOST];
    int n = 0;
    if (!fields_scope_begin(&s, c, line))
        return 0;
    for (size_t at = s.top; at < s.end && n < FEWEST; at = line_end(c, at) + 1)
        n += fields_of_line(c, at, v);
    return n >= FEWEST;
}

// Whether the value of F in TEXT is a state or a kind, and QUESTION has it at AT for any one of it:
// "When is a blocked card sent?"
static int names_any(const char *text, const struct field *f, const char *question, const char *at)
{
    static const char kinds[] = "status state type kind mode level category class phase stage",
                      any[] = " a an any each every ";
    const char *end = at > question ? at - 1 : at, *from = end;
    while (from > question && word_has(from[-1]))
        from--;
    return words_any(kinds, text + f->label.from, span_bytes(f->label)) &&
           word_is_listed(any, from, (size_t)(end - from));
}

// Whether field F of TEXT is the name, of three letters, of a record, and QUESTION has it as a name
// at AT.
static int names_shortly(const char *text, const struct field *f, const char *question,
                         const char *at)
{
    static const char names[] = "name title id key login user username nick host hostname article "
                                "item product code label";
    return short_name_is(text + f->value.from, span_bytes(f->value)) &&
           words_any(names, text + f->label.from, span_bytes(f->label)) &&
           short_name_stands(question, at, text + f->value.from, span_bytes(f->value));
}

// Whether field F of the line at byte LINE of T may be what S is searched for: the question has its
// value, which is no shorter than the best one.
static int may_be_best(const struct name_search *s, const struct texts *t, const struct field *f,
                       const char **at)
{
    const size_t bytes = span_bytes(f->value), most = span_bytes(s->best.in);
    const char *value = t->text + f->value.from;
    return bytes && bytes >= most && !(bytes == most && s->best.n > 1) &&
           (may_name_record(value, bytes) || short_name_is(value, bytes)) &&
           (*at = name_stands(s->question, s->question, value, bytes)) != NULL &&
           (may_name_record(value, bytes) || names_shortly(t->text, f, s->question, *at)) &&
           !names_any(t->text, f, s->question, *at);
}

// The field F of the line at byte LINE of T, or of an OBJECT in it, is the best one; AT: where the
// question has it.
static void take_name(struct name_search *s, const struct texts *t, struct span_of_text object,
                      size_t line, const struct field *f, const char *at)
{
    const size_t bytes = span_bytes(f->value), from = (size_t)(at - s->question);
    const int more = bytes == span_bytes(s->best.in) ? s->best.n : 0;
    s->best = (struct record_name){{from, from + bytes},
                                   *t,
                                   object,
                                   {.text = t->text, .n = t->n},
                                   line,
                                   *f,
                                   more + 1,
                                   0,
                                   NULL};
}

// Looks for it among the fields of the line at byte LINE of T.
static void search_line(struct name_search *s, const struct texts *t, size_t line)
{
    const struct lines c = {.text = t->text, .n = t->n};
    const struct span_of_text none = {0};
    struct field v[FIELDS_MOST];
    const char *at;
    const int n = fields_of_line(&c, line, v);
    for (int i = 0; i < n; i++)
        if (may_be_best(s, t, &v[i], &at) && is_of_record(&c, line))
            take_name(s, t, none, line, &v[i], at);
}

// Whether the object that begins with the first byte of S has as many fields as a record.
static int has_fields(const char *text, struct span_of_text s)
{
    struct object_walk w;
    struct field f;
    int n = 0;
    object_begin(&w, text, s.from, s.to);
    while (n < FEWEST && object_next(&w, &f.label, &f.value))
        n++;
    return n == FEWEST;
}

// The same for the objects of that line, which ends before byte END.
static void search_objects(struct name_search *s, const struct texts *t, size_t line, size_t end)
{
    struct object_walk w;
    struct field f;
    const char *at;
    for (object_begin(&w, t->text, line, end); object_next(&w, &f.label, &f.value);) {
        if (!may_be_best(s, t, &f, &at))
            continue;
        const struct span_of_text object = {w.in[w.depth - 1].at, end};
        if (has_fields(t->text, object))
            take_name(s, t, object, line, &f, at);
    }
}

// The same for the lines of T's XML, where these have to be spread first: 1, 0 where they have not,
// or an error.
static int search_spread(struct name_search *s, const struct texts *t, struct err *e)
{
    const struct lines c = {.text = t->text, .n = t->n};
    struct texts own = *t;
    struct spread x;
    const int rc = spread_init(&x, &c, e);
    own.text = x.text;
    own.n = x.bytes;
    for (int i = 0; rc > 0 && i < x.n; i++)
        search_line(s, &own, x.lines[i].at);
    if (rc > 0 && s->best.t.text == x.text) {
        s->best.t = *t;
        s->best.is_spread = 1;
    }
    spread_done(&x);
    return rc;
}

// Finds the record that QUESTION names by the longest value. Returns 1, 0 where there is none or
// several, or an error.
static int find_name(const struct lookup *v, const char *question, struct record_name *best,
                     struct err *e)
{
    struct name_search s = {.question = question};
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        if ((rc = search_spread(&s, &t, e)) < 0)
            return rc;
        if (rc)
            continue;
        for (size_t line = 0, end; line < c.n; line = end + 1) {
            end = line_end(&c, line);
            if (object_is_line(t.text + line, end - line))
                search_objects(&s, &t, line, end);
            else
                search_line(&s, &t, line);
        }
    }
    *best = s.best;
    return rc < 0 ? rc : best->n == 1;
}

// Whether a word of BYTES bytes with STEM says something.
static int counts(const char *word, size_t bytes, const char stem[WORD_STEM])
{
    return bytes > 2 ? !word_is_common(stem) : bytes == 2 && !word_is_listed(SMALL, word, bytes);
}

// How many words of TEXT[from..to) count, and how many of these are in QUESTION.
static int words_had(const char *text, struct span_of_text s, const char *question, int *all)
{
    char stem[WORD_STEM];
    size_t bytes;
    int had = 0;
    for (size_t at = 0; word_next(text + s.from, span_bytes(s), &at, stem, &bytes);) {
        if (!counts(text + s.from + at - bytes, bytes, stem))
            continue;
        had += word_is_in(question, strlen(question), stem);
        ++*all;
    }
    return had;
}

// The label S without what is in brackets behind it: "Email" of "Email (work)".
static struct span_of_text main_part(const char *text, struct span_of_text s)
{
    for (size_t i = s.from; i < s.to; i++)
        if (text[i] == '(')
            return (struct span_of_text){s.from, i};
    return s;
}

// How well the labels of F are what is ASKED; 0: they are not.
static int score(const char *text, const struct asked_field *f, const char *asked)
{
    enum { EACH = 64 };
    int had = 0, all = 0, unused = 0;
    const struct span_of_text own = main_part(text, f->path[f->depth - 1].label);
    if (!words_had(text, own, asked, &unused))
        return 0;
    for (int i = 0; i < f->depth; i++)
        had += words_had(text, f->path[i].label, asked, &all);
    return EACH * had - (all - had);
}

// A walk over the lines of a record.
struct walk {
    const struct lines *c;
    const struct record_name *name;
    const char *asked;
    struct field in[DEPTH]; // the groups that the line is in
    size_t column[DEPTH];   // of each
    int depth;
};

// F becomes field V of the line at byte LINE, or of the element OF in it, if its labels are what is
// asked better than those of F.
static void consider(const struct walk *w, const struct field *of, const struct field *v,
                     size_t line, struct asked_field *f)
{
    struct asked_field one = {.depth = w->depth, .line = line, .n = 1};
    if (v->value.from == w->name->f.value.from || w->depth + 2 > DEPTH ||
        !line_says_something(w->c->text + v->value.from, span_bytes(v->value)))
        return;
    memcpy(one.path, w->in, (size_t)w->depth * sizeof *w->in);
    if (of)
        one.path[one.depth++] = *of;
    one.path[one.depth++] = *v;
    one.score = score(w->c->text, &one, w->asked);
    if (!one.score || one.score < f->score)
        return;
    one.n += one.score == f->score ? f->n : 0;
    *f = one;
}

// The fields of the line at byte LINE of W; what it opens is what the lines below it are in.
static void walk_line(struct walk *w, size_t line, int inside, struct asked_field *f)
{
    struct field v[FIELDS_MOST];
    const int n = fields_of_line(w->c, line, v);
    const size_t column = fields_column(w->c, line);
    while (n && w->depth && w->column[w->depth - 1] >= column)
        w->depth--;
    for (int i = 0; i < n; i++)
        consider(w, i < n - 1 && inside ? &v[n - 1] : NULL, &v[i], line, f);
    if (n && inside && w->depth < DEPTH && setting_at(w->c, line).kind == SETTING_OPENS) {
        w->column[w->depth] = column;
        w->in[w->depth++] = v[n - 1];
    }
}

// Finds the field of S whose labels are ASKED: F. One that is a part of a list in S is none.
static void find_field(const struct fields_scope *s, const struct lines *c,
                       const struct record_name *name, const char *asked, struct asked_field *f)
{
    struct walk w = {.c = c, .name = name, .asked = asked};
    size_t list = 0; // column of the items or objects that are left out
    for (size_t at = s->top; at < s->end; at = line_end(c, at) + 1) {
        const struct setting own = setting_at(c, at);
        if ((at >= s->skip && at < s->skip_end) || own.kind == SETTING_EMPTY)
            continue;
        list = own.in < list ? 0 : list;
        if (at > s->top &&
            (own.item || (own.kind == SETTING_OPENS && c->text[setting_words(c, at)] == '{')))
            list = list ? list : own.in;
        if (!list)
            walk_line(&w, at, own.in >= s->column, f);
    }
}

static void know(char known[KNOWN], const char *text, struct span_of_text s)
{
    const size_t n = strlen(known), bytes = span_bytes(s);
    if (n + bytes + 2 > KNOWN)
        return;
    memcpy(known + n, text + s.from, bytes);
    memcpy(known + n + bytes, " ", 2);
}

// The labels of the line at byte LINE are what a record is called.
static void know_labels(char known[KNOWN], const struct lines *c, size_t line)
{
    struct field v[FIELDS_MOST];
    const int n = fields_of_line(c, line, v);
    for (int i = 0; i < n; i++)
        know(known, c->text, v[i].label);
}

// Whether each word of ASKED that counts is in the labels of F or in what is KNOWN of the record.
static int explains(const char *text, const struct asked_field *f, const char *known,
                    const char *asked)
{
    char stem[WORD_STEM];
    size_t bytes, n, to = 0;
    const char *name = table_next_name(asked, &to, &n);
    for (size_t at = 0; word_next(asked, strlen(asked), &at, stem, &bytes);) {
        const int is_name = name == asked + at - bytes;
        name = is_name ? table_next_name(asked, &to, &n) : name;
        int has =
            !telling_word(asked + at - bytes, bytes, stem, is_name ? 1 : TELLING_BYTES, ASKS) ||
            word_is_in(known, strlen(known), stem);
        for (int i = 0; !has && i < f->depth; i++)
            has = word_is_in(text + f->path[i].label.from, span_bytes(f->path[i].label), stem);
        if (!has)
            return 0;
    }
    return 1;
}

// What the lines A and B of X are of, and what is between them.
static struct span_of_text place_of(const struct spread *x, size_t a, size_t b)
{
    const struct span_of_text first = spread_source(x, a < b ? a : b),
                              last = spread_source(x, a < b ? b : a);
    return (struct span_of_text){first.from, last.to};
}

static int say(struct lookup *s, const struct record_name *name, const struct asked_field *f,
               struct err *e)
{
    const char *text = name->c.text;
    for (int i = 0; i < f->depth; i++) {
        fputs(i ? " " : "", s->out);
        lookup_say(s->out, text, f->path[i].label);
    }
    fputs(": ", s->out);
    lookup_say(s->out, text, f->path[f->depth - 1].value);
    fputs(" (", s->out);
    lookup_say(s->out, text, name->f.value);
    fputc(')', s->out);
    const struct span_of_text place = span_bytes(name->object) ? name->object
                                      : name->spread ? place_of(name->spread, name->line, f->line)
                                                     : texts_line(text, name->c.n, f->line);
    const int rc = lookup_add(s, &name->t, place, 0, e);
    return rc ? rc : 1;
}

// The labels of S that say what kind of thing it is: those of what it is in, and those with the
// word of the question right before the name ("the album Silver Letters").
static void know_scope(char known[KNOWN], const struct lines *c, const struct fields_scope *s,
                       const char *before)
{
    struct field v[FIELDS_MOST];
    size_t up = fields_opener(c, s->top);
    int all = 0;
    if (up < c->n && !fields_of_line(c, up, v)) // of a list
        up = fields_opener(c, up);
    if (up < c->n)
        know_labels(known, c, up);
    if (setting_at(c, s->top).kind == SETTING_OPENS)
        know_labels(known, c, s->top);
    for (size_t at = s->top; *before && at < s->end; at = line_end(c, at) + 1)
        for (int n = fields_of_line(c, at, v), i = 0; i < n; i++)
            if (words_had(c->text, v[i].label, before, &all))
                know(known, c->text, v[i].label);
}

// Takes the word right before NAME out of ASKED, the question without NAME: BEFORE [KNOWN].
static void take_before(char *asked, const struct record_name *name, char before[KNOWN])
{
    const size_t end = name->in.from - (name->in.from > 0), from = word_start_before(asked, 0, end);
    if (end - from >= KNOWN)
        return;
    memcpy(before, asked + from, end - from);
    before[end - from] = 0;
    memset(asked + from, ' ', end - from);
}

// Looks for what ASKED, the question without NAME, asks in the records of that name, the smallest
// one first; OTHERS is ASKED again, which this changes.
static int look(struct lookup *s, const struct record_name *name, const char *asked, char *others,
                struct err *e)
{
    const struct lines c = name->c;
    char known[KNOWN] = "", before[KNOWN] = "";
    struct asked_field f = {0};
    struct fields_scope in;
    take_before(others, name, before);
    know_labels(known, &c, name->line);
    for (int on = fields_scope_begin(&in, &c, name->line); on && !f.score;
         on = fields_scope_widen(&in, &c)) {
        know_scope(known, &c, &in, before);
        find_field(&in, &c, name, others, &f);
    }
    const struct field *own = &f.path[f.depth ? f.depth - 1 : 0];
    const int says = f.score && f.n == 1 && explains(c.text, &f, known, asked) &&
                     !column_falls_short("", 0, asked) &&
                     column_tells(c.text + own->label.from, span_bytes(own->label),
                                  c.text + own->value.from, span_bytes(own->value), asked);
    return says ? say(s, name, &f, e) : 0;
}

// Looks for what QUESTION asks in the records of NAME.
static int look_for(struct lookup *s, const char *question, const struct record_name *name,
                    struct err *e)
{
    char *asked = strdup(question), *others = NULL;
    if (asked) {
        memset(asked + name->in.from, ' ', span_bytes(name->in));
        others = strdup(asked);
    }
    const int rc =
        others ? look(s, name, asked, others, e) : err_set(e, ERR_NOMEM, "out of memory (field)");
    free(others);
    free(asked);
    return rc;
}

// The same where NAME's record is an object of a line, which is written with its fields a line each
// for that.
static int look_in_object(struct lookup *s, const char *question, struct record_name *name,
                          struct err *e)
{
    struct unpacked u;
    struct field v[FIELDS_MOST];
    int rc = unpacked_init(&u, &name->c, name->f.value.from, e);
    if (rc > 0) {
        name->c = (struct lines){.text = u.text, .n = u.bytes};
        name->line = line_start(&name->c, u.at);
        name->object = u.own;
        rc = fields_of_line(&name->c, name->line, v) > 0;
        name->f = v[0];
    }
    rc = rc > 0 ? look_for(s, question, name, e) : rc;
    unpacked_done(&u);
    return rc;
}

// The same where the lines of NAME's record are spread.
static int look_in_spread(struct lookup *s, const char *question, struct record_name *name,
                          struct err *e)
{
    const struct lines c = {.text = name->t.text, .n = name->t.n};
    struct spread x;
    int rc = spread_init(&x, &c, e);
    if (rc > 0) {
        name->c = (struct lines){.text = x.text, .n = x.bytes};
        name->spread = &x;
        rc = look_for(s, question, name, e);
    }
    spread_done(&x);
    return rc;
}

int tables_field(struct lookup *s, const char *question, struct err *e)
{
    struct record_name name;
    const int rc = asked_what(question) ? find_name(s, question, &name, e) : 0;
    if (rc <= 0)
        return rc;
    return span_bytes(name.object) ? look_in_object(s, question, &name, e)
           : name.is_spread        ? look_in_spread(s, question, &name, e)
                                   : look_for(s, question, &name, e);
}
