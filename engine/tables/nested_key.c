// Looks up a setting by the names of the groups that it is in: "What is the database port?", where
// "port" stands below "database", and another one below a group of that, "replica".
#define _GNU_SOURCE
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lines/setting.h"
#include "engine/lookup/telling.h"
#include "engine/question/question.h"
#include "engine/tables/fields.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    DEPTH = 6,  // groups in one another, at most, with the setting itself
    ASKED = 200 // bytes of a question
};

// A setting with the groups that it is in.
struct nested_key {
    struct texts t;
    struct field path[DEPTH]; // [depth]
    int depth;
    size_t line;
    int more, n; // words of its path that the question lacks, and how many such settings there are
};

// A walk over the lines of a text.
struct key_walk {
    struct field in[DEPTH]; // the groups that the line is in
    size_t column[DEPTH];   // of each
    int depth;
};

// Words that say nothing of which setting is asked for.
static const char IDLE[] = TELLING_NOTHING "value setting set configured current of in at on to ";

// The words of TEXT [n], each of a name with an underscore, too.
static void take_words(struct telling *a, const char *text, size_t n)
{
    enum { LEAST = 2 };
    char own[ASKED];
    n = n < ASKED ? n : ASKED;
    for (size_t i = 0; i < n; i++)
        own[i] = is_one_of(text[i], "_-.") ? ' ' : text[i];
    telling_add(a, own, n, LEAST, IDLE, 0);
}

// How many words the path of K has beside those ASKED; -1: it lacks one, or its own name has none.
static int words_more(const struct nested_key *k, const struct telling *asked)
{
    struct telling all = {.n = 0}, own = {.n = 0};
    const struct span_of_text label = k->path[k->depth - 1].label;
    int has = 0;
    for (int i = 0; i < k->depth; i++)
        take_words(&all, k->t.text + k->path[i].label.from, span_bytes(k->path[i].label));
    take_words(&own, k->t.text + label.from, span_bytes(label));
    for (int i = 0; i < own.n; i++)
        for (int j = 0; j < asked->n; j++)
            has |= !memcmp(own.stem[i], asked->stem[j], WORD_STEM);
    return has && telling_has_all(&all, asked) ? all.n - asked->n : -1;
}

// The setting of the line at byte LINE of C becomes BEST, if fewer words of its path are not ASKED.
static void look_at(struct key_walk *w, const struct texts *t, const struct lines *c, size_t line,
                    const struct telling *asked, struct nested_key *best)
{
    struct field v[FIELDS_MOST];
    const int n = fields_of_line(c, line, v);
    const size_t column = fields_column(c, line);
    while (n && w->depth && w->column[w->depth - 1] >= column)
        w->depth--;
    if (n != 1 || w->depth + 1 > DEPTH)
        return;
    if (setting_at(c, line).kind == SETTING_OPENS) {
        if (w->depth + 1 < DEPTH) {
            w->column[w->depth] = column;
            w->in[w->depth++] = *v;
        }
        return;
    }
    struct nested_key k = {.t = *t, .depth = w->depth + 1, .line = line, .n = 1};
    memcpy(k.path, w->in, (size_t)w->depth * sizeof *w->in);
    k.path[w->depth] = *v;
    k.more = w->depth && line_says_something(c->text + v->value.from, span_bytes(v->value))
                 ? words_more(&k, asked)
                 : -1;
    if (k.more < 0 || (best->n && k.more > best->more))
        return;
    k.n += best->n && k.more == best->more ? best->n : 0;
    *best = k;
}

// Reads what setting QUESTION asks for, by two words or more.
static int read_question(struct telling *asked, const char *question)
{
    static const char *const begins[] = {"what is the ", "what's the ", "what is our ",
                                         "which is the ", NULL};
    const char *rest = question_behind(question, begins);
    if (!rest || strlen(rest) >= ASKED)
        return 0;
    take_words(asked, rest, strlen(rest));
    return asked->n > 1;
}

int tables_nested_key(struct lookup *v, const char *question, struct err *e)
{
    struct telling asked = {.n = 0};
    struct nested_key k = {.n = 0};
    struct texts t;
    int rc;
    if (!read_question(&asked, question))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        struct key_walk w = {.depth = 0};
        for (size_t at = 0; at < c.n; at = line_end(&c, at) + 1)
            look_at(&w, &t, &c, at, &asked, &k);
    }
    if (rc < 0 || k.n != 1)
        return rc;
    lookup_say_cell(v->out, k.t.text, k.path[k.depth - 1].label, k.path[k.depth - 1].value);
    fputs(" (", v->out);
    for (int i = 0; i + 1 < k.depth; i++) {
        fputs(i ? "." : "", v->out);
        lookup_say(v->out, k.t.text, k.path[i].label);
    }
    fputs(")", v->out);
    const struct lines c = {.text = k.t.text, .n = k.t.n};
    rc = lookup_add(v, &k.t, (struct span_of_text){k.line, line_end(&c, k.line)}, 0, e);
    return rc ? rc : 1;
}
