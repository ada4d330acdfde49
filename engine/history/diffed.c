// What a diff says of a value that it changes: "What was MAX_CLIENTS before?", "What is it now?"
// The two lines that tell it differ but in the value and in their signs.
#define _GNU_SOURCE
#include <string.h>

#include "engine/history/history.h"
#include "engine/lines/hunk.h"
#include "engine/lookup/telling.h"
#include "engine/question/question.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

#define BEFORE " before previously previous earlier formerly former old original originally "
#define NOW    " now new currently current after nowadays "
#define CHANGE " change changed changes "

enum {
    FEW = 3,  // lines that say it, at most
    LEAST = 3 // bytes of a word that tells which line is meant
};

// What a question asks of a diff.
struct diff_question {
    const char *text;
    size_t n;
    int before, now, change; // 1: it has words for these
    int alone;               // 1: only "is" or "was" says which, for a diff that is the only text
    int of_change;           // 1: it asks for a change, or of a diff
    struct telling words;
};

// Lines of a diff that have what is asked for.
struct diff_lines {
    struct lookup_found v[FEW]; // [n]
    int n;
};

// Reads QUESTION: 1, or 0 where it asks for nothing that a diff tells.
static int parse(struct diff_question *q, const char *question)
{
    static const char asks[] = " what whats which how ",
                      idle[] = TELLING_NOTHING BEFORE NOW CHANGE
                      "what which were being been value line diff patch commit used from";
    char stem[WORD_STEM];
    size_t bytes, last = 0;
    *q = (struct diff_question){.text = question, .n = strcspn(question, "?")};
    for (size_t at = 0; word_next(question, q->n, &at, stem, &bytes); last = at - bytes) {
        const char *word = question + at - bytes;
        if (!last && at == bytes && !word_is_listed(asks, word, bytes))
            return 0;
        q->before |= word_is_listed(BEFORE, word, bytes);
        q->now |= word_is_listed(NOW, word, bytes);
        q->change |= word_is_listed(CHANGE, word, bytes);
    }
    if (q->change && word_is_listed(" from ", question + last, q->n - last))
        q->before = 1;
    if (q->change && word_is_listed(" to ", question + last, q->n - last))
        q->now = 1;
    q->of_change = q->change || words_any("diff patch commit hunk", question, q->n);
    q->alone = !(q->before || q->now || q->change);
    if (q->alone) {
        q->now = words_any("is are", question, q->n);
        q->change = words_any("was were", question, q->n);
    }
    telling_add(&q->words, question, q->n, LEAST, idle, 0);
    return q->words.n > 0 && (q->before || q->now || q->change);
}

// Whether LINE, or the line that names its FILE, has the name NAME [bytes] as a whole.
static int has_name(const struct lines *c, struct span_of_text line, struct span_of_text file,
                    const char *name, size_t bytes)
{
    const struct span_of_text in[] = {line, file};
    for (int i = 0; i < 2; i++)
        for (size_t at = in[i].from; at + bytes <= in[i].to; at++)
            if (!memcmp(c->text + at, name, bytes) && name_is_whole(c->text, in[i].to, at, bytes))
                return 1;
    return 0;
}

// Whether LINE has what Q asks for; some of it may be in the name of its FILE.
static int is_meant(const struct diff_question *q, const struct lines *c, struct span_of_text line,
                    struct span_of_text file)
{
    int in_line = 0;
    for (int i = 0; i < q->words.n; i++) {
        const int has = word_is_in(c->text + line.from, span_bytes(line), q->words.stem[i]);
        if (!has && !word_is_in(c->text + file.from, span_bytes(file), q->words.stem[i]))
            return 0;
        in_line |= has;
    }
    for (size_t at = 0, bytes; in_line && (bytes = name_token(q->text, q->n, &at)); at += bytes)
        if (name_has_shape(q->text + at, bytes) && !has_name(c, line, file, q->text + at, bytes))
            return 0;
    return in_line;
}

static void keep(struct diff_lines *l, const struct texts *t, struct span_of_text line)
{
    if (l->n < FEW)
        l->v[l->n] = (struct lookup_found){*t, line};
    l->n++;
}

// Finds the lines that Q asks for among V's texts: those that are GONE, NEW, or have STAYED.
static int find(const struct lookup *v, const struct diff_question *q, struct diff_lines *gone,
                struct diff_lines *new, struct diff_lines *stayed, struct err *e)
{
    struct span_of_text line, file;
    struct texts t;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        struct hunks h = {.c = &c};
        if (!memmem(t.text, t.n, HUNK_HEADER, strlen(HUNK_HEADER)))
            continue;
        while (hunk_next(&h, &line, &file)) {
            const char sign = t.text[line.from];
            if (is_meant(q, &c, line, file))
                keep(sign == '-' ? gone : sign == '+' ? new : stayed, &t, line);
        }
    }
    return rc;
}

static int say_lines(struct lookup *v, const struct diff_lines *l, struct err *e)
{
    int rc = 0;
    for (int i = 0; !rc && i < l->n; i++) {
        fflush(v->out);
        fputs(v->s->bytes ? "\n" : "", v->out);
        lookup_words(v->out, l->v[i].t.text, l->v[i].at);
        rc = lookup_add(v, &l->v[i].t, l->v[i].at, 0, e);
    }
    return rc;
}

int history_diffed(struct lookup *v, const char *question, struct err *e)
{
    struct diff_question q;
    struct diff_lines gone = {.n = 0}, new = {.n = 0}, stayed = {.n = 0};
    if (!parse(&q, question_itself(question)))
        return 0;
    const int is_only = v->n_k == 1 && kvz_n_documents(v->k[0]) == 1;
    if (q.alone && !is_only)
        return 0;
    int rc = find(v, &q, &gone, &new, &stayed, e);
    const int both = q.before == q.now; // what is asked for is the change
    if (rc < 0 || gone.n > FEW || new.n > FEW || stayed.n > FEW)
        return rc < 0 ? rc : 0;
    // "What is the current version?" may be told by any text, unless a diff changes it.
    if (!is_only && !q.of_change && !(gone.n && new.n))
        return 0;
    if (both && gone.n + new.n) {
        rc = say_lines(v, &gone, e);
        rc = rc ? rc : say_lines(v, &new, e);
        return rc ? rc : 1;
    }
    // A line that is gone, or is new, has no other one: its sign tells so.
    const struct diff_lines *own = q.before ? &gone : &new, *other = q.before ? &new : &gone;
    own = own->n ? own : stayed.n ? &stayed : other;
    rc = both ? 0 : say_lines(v, own, e);
    return rc ? rc : !both && own->n > 0;
}
