// How often something is in the texts, whether it is, and which lines or sentences have it. A word
// in small letters counts in the singular and in the plural, unless it was quoted.
#include <string.h>

#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum { SHOWN = 50 }; // lines that an answer prints

// The unit around byte AT of T that is counted once.
static struct span_of_text unit_at(const struct lookup *v, const struct texts *t, size_t at,
                                   size_t bytes)
{
    enum wanted_unit unit =
        v->w.want == WANT_LINES && v->w.unit == UNIT_PLACES ? UNIT_SENTENCES : v->w.unit;
    if (unit == UNIT_PLACES)
        return (struct span_of_text){at, at + bytes};
    return unit == UNIT_LINES ? texts_line(t->text, t->n, at) : texts_sentence(t->text, t->n, at);
}

// ----------------------------------------------------------------------------- singular and plural

enum { FORMS = 2 };
struct counted {
    const char *form[FORMS]; // WHAT, and its other form or NULL
    char other[WANTED_BYTES + 2];
    uint64_t n[FORMS]; // how often each stands in the texts
};

static int ends_with(const char *word, size_t n, const char *with)
{
    const size_t bytes = strlen(with);
    return n > bytes + 1 && !memcmp(word + n - bytes, with, bytes);
}

// Whether the English WORD [n] takes "es" in the plural.
static int hisses(const char *word, size_t n)
{
    return ends_with(word, n, "s") || ends_with(word, n, "x") || ends_with(word, n, "ch") ||
           ends_with(word, n, "sh");
}

// The other one of the singular and the plural of the English word WHAT, in small letters alone, to
// OUT; 0: it has none.
static int other_form(const char *what, char out[WANTED_BYTES + 2])
{
    const size_t n = strlen(what);
    if (n < 3)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (!is_lower(what[i]))
            return 0;
    strcpy(out, what);
    if (ends_with(what, n, "ss") || ends_with(what, n, "us") || ends_with(what, n, "is"))
        strcpy(out + n, "es");
    else if (ends_with(what, n, "ies"))
        strcpy(out + n - 3, "y");
    else if (ends_with(what, n, "es") && hisses(what, n - 2))
        out[n - 2] = 0;
    else if (ends_with(what, n, "s"))
        out[n - 1] = 0;
    else if (ends_with(what, n, "y") && !is_one_of(what[n - 2], "aeou"))
        strcpy(out + n - 1, "ies");
    else
        strcpy(out + n, hisses(what, n) ? "es" : "s");
    return 1;
}

// The places of a document, in the order in which they stand.
struct places {
    size_t at[FORMS], bytes[FORMS];
    int found[FORMS]; // of each form: whether a place from AT on is known
};

static void find_place(struct places *p, const struct counted *a, const struct texts *t, int form,
                       size_t from)
{
    p->at[form] = from;
    p->found[form] =
        a->form[form] && name_next(a->form[form], t->text, t->n, &p->at[form], &p->bytes[form]);
}

// Which form stands first from byte FROM on; -1: there is none.
static int next_place(struct places *p, const struct counted *a, const struct texts *t, size_t from)
{
    for (int i = 0; i < FORMS; i++)
        if (p->found[i] && p->at[i] < from)
            find_place(p, a, t, i, from);
    return p->found[0] && (!p->found[1] || p->at[0] <= p->at[1]) ? 0 : p->found[1] ? 1 : -1;
}

static int count_in(struct lookup *v, const struct texts *t, struct counted *a, uint64_t *n,
                    struct err *e)
{
    struct places p;
    size_t from = 0;
    for (int i = 0; i < FORMS; i++)
        find_place(&p, a, t, i, 0);
    for (int form; (form = next_place(&p, a, t, from)) >= 0;) {
        const size_t at = p.at[form], bytes = p.bytes[form];
        struct span_of_text own = unit_at(v, t, at, bytes);
        int shown = v->w.unit == UNIT_PLACES && v->s->n < v->s->most; // a word alone says little
        int rc = lookup_add(v, t, shown ? texts_sentence(t->text, t->n, at) : own, 1, e);
        if (rc)
            return rc;
        if (v->w.want == WANT_LINES && *n < SHOWN)
            lookup_line(v->out, t->text, own);
        ++*n;
        a->n[form]++;
        from = own.to > at ? own.to : at + 1;
    }
    return 0;
}

static void say_count(struct lookup *v, const struct counted *a, uint64_t n)
{
    static const char *const units[][2] = {[UNIT_PLACES] = {"time", "times"},
                                           [UNIT_LINES] = {"line", "lines"},
                                           [UNIT_SENTENCES] = {"sentence", "sentences"}};
    const char *in = v->w.unit == UNIT_PLACES ? "the text " : "";
    if (v->w.want == WANT_MENTION)
        fputs(n ? "Yes: " : "No: ", v->out);
    fprintf(v->out, "\"%s\" ", v->w.what);
    if (a->n[1])
        fprintf(v->out, "or \"%s\" ", a->other);
    if (n)
        fprintf(v->out, "stands in %s%llu %s.", in, (unsigned long long)n, units[v->w.unit][n > 1]);
    else
        fputs("does not stand in the text.", v->out);
}

// Whether the texts have each word of WHAT, in whatever form: 1, 0, or an error.
static int has_words(const struct lookup *v, struct err *e)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(v->w.what, strlen(v->w.what), &at, stem, &bytes);) {
        struct texts t;
        int rc = 0, has = 0;
        texts_begin(&t, v->k, v->n_k);
        while (!has && (rc = texts_next(&t, e)) > 0)
            has = word_form_is_in(t.text, t.n, v->w.what + at - bytes, bytes);
        if (!has)
            return rc;
    }
    return 1;
}

// Whether WHAT, which stands nowhere, may be called otherwise: it is several words, and is asked
// for anywhere, or in lines that may have each of them, as rows "that have the shop York". 1, 0, or
// an error.
static int may_be_called_otherwise(const struct lookup *v, struct err *e)
{
    if (v->w.exact || !strchr(v->w.what, ' '))
        return 0;
    return v->w.want == WANT_MENTION ? 1 : v->w.unit == UNIT_LINES ? has_words(v, e) : 0;
}

int survey_count(struct lookup *v, struct err *e)
{
    struct counted a = {.form = {v->w.what}};
    struct texts t;
    uint64_t n = 0;
    int rc;
    if (!v->w.exact && other_form(v->w.what, a.other))
        a.form[1] = a.other;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if ((rc = count_in(v, &t, &a, &n, e)))
            break;
    if (rc)
        return rc;
    if (!n && (rc = may_be_called_otherwise(v, e)))
        return rc < 0 ? rc : 0;
    if (v->w.want != WANT_LINES || (!n && wanted_is_literal(&v->w)))
        say_count(v, &a, n);
    else if (n > SHOWN)
        fprintf(v->out, "and %llu more", (unsigned long long)(n - SHOWN));
    return v->w.want != WANT_LINES || n > 0 || wanted_is_literal(&v->w);
}
