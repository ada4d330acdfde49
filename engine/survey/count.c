// How often something is in the texts, and which lines or sentences have it.
#include "engine/survey/lookups.h"
#include "engine/survey/names.h"
#include "engine/text/chars.h"

enum {
    SHOWN = 50, // lines that an answer prints
    LONG = 400  // bytes of a line that are printed
};

// The unit around byte AT of T that is counted once.
static struct span_of_text unit_at(const struct surveying *v, const struct texts *t, size_t at,
                                   size_t bytes)
{
    enum wanted_unit unit =
        v->w.want == WANT_LINES && v->w.unit == UNIT_PLACES ? UNIT_SENTENCES : v->w.unit;
    if (unit == UNIT_PLACES)
        return (struct span_of_text){at, at + bytes};
    return unit == UNIT_LINES ? texts_line(t->text, t->n, at) : texts_sentence(t->text, t->n, at);
}

// Prints a line of the answer: the words of a line or a sentence, with white space between them as
// one space.
static void say_line(FILE *out, const char *text, struct span_of_text s)
{
    size_t said = 0;
    int space = 0;
    while (s.from < s.to && is_space(text[s.from]))
        s.from++;
    for (size_t i = s.from; i < s.to; i++) {
        if (is_space(text[i])) {
            space = 1;
            continue;
        }
        if (said >= LONG && ((unsigned char)text[i] & 0xc0) != 0x80) {
            fputs("\u2026", out);
            break;
        }
        if (space)
            fputc(' ', out);
        space = 0;
        fputc(text[i], out);
        said++;
    }
    fputc('\n', out);
}

static int count_in(struct surveying *v, const struct texts *t, uint64_t *n, struct err *e)
{
    size_t bytes;
    for (size_t at = 0; name_next(v->w.what, t->text, t->n, &at, &bytes);) {
        struct span_of_text own = unit_at(v, t, at, bytes);
        int shown = v->w.unit == UNIT_PLACES && v->s->n < v->s->most; // a word alone says little
        int rc = survey_add(v, t, shown ? texts_sentence(t->text, t->n, at) : own, 1, e);
        if (rc)
            return rc;
        if (v->w.want == WANT_LINES && *n < SHOWN)
            say_line(v->out, t->text, own);
        ++*n;
        at = own.to > at ? own.to : at + 1;
    }
    return 0;
}

static void say_count(struct surveying *v, uint64_t n)
{
    static const char *const units[][2] = {[UNIT_PLACES] = {"time", "times"},
                                           [UNIT_LINES] = {"line", "lines"},
                                           [UNIT_SENTENCES] = {"sentence", "sentences"}};
    const char *in = v->w.unit == UNIT_PLACES ? "the text " : "";
    if (n)
        fprintf(v->out, "\"%s\" stands in %s%llu %s.", v->w.what, in, (unsigned long long)n,
                units[v->w.unit][n > 1]);
    else
        fprintf(v->out, "\"%s\" does not stand in the text.", v->w.what);
}

int survey_count(struct surveying *v, struct err *e)
{
    struct texts t;
    uint64_t n = 0;
    int rc;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if ((rc = count_in(v, &t, &n, e)))
            break;
    if (rc)
        return rc;
    if (v->w.want == WANT_COUNT)
        say_count(v, n);
    else if (n > SHOWN)
        fprintf(v->out, "and %llu more", (unsigned long long)(n - SHOWN));
    return v->w.want == WANT_COUNT || n > 0;
}
