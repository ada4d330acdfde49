// Looks up by how much two prices of a table differ: "How much more does the family ticket cost
// than the adult one?", each of them as what "How much does the family ticket cost?" asks for.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/question/question.h"
#include "engine/rows/number.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { QUESTION = 256 }; // bytes of a question that is made

// What is said of one of the two, and its number there.
struct side {
    char *text;                     // owned
    size_t bytes;                   // of it
    struct span_of_text sign, unit; // what is before and behind the number
    double number;
    int decimals;
};

// The bytes of SECOND, "the adult one costs?", before its verb or its end.
static size_t before_verb(const char *second)
{
    static const char *const verbs[] = {" costs", " cost", " does", " do", " did"};
    const size_t n = strcspn(second, "?");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const size_t bytes = strlen(verbs[i]);
        if (n > bytes && !strncasecmp(second + n - bytes, verbs[i], bytes))
            return n - bytes;
    }
    return n;
}

// The two questions that QUESTION asks in one, to ONE and OTHER; 0: it is no such one.
static int divide(const char *question, char one[QUESTION], char other[QUESTION])
{
    static const char *const does[] = {"how much more does ", "how much less does ",
                                       "how much more do ",   "how much less do ",
                                       "how much more did ",  NULL},
                             *const is[] = {"how much cheaper is ",
                                            "how much cheaper are ",
                                            "how much dearer is ",
                                            "how much dearer are ",
                                            "how much more expensive is ",
                                            "how much more expensive are ",
                                            NULL};
    const char *costs = question_behind(question, does), *cheaper = question_behind(question, is);
    const char *first = costs ? costs : cheaper, *than = first ? strcasestr(first, " than ") : NULL,
               *end = costs ? strcasestr(first, " cost ") : than;
    if (!than || !end || end > than)
        return 0;
    const char *second = than + strlen(" than ");
    static const char form[] = "How much does %.*s cost?";
    return snprintf(one, QUESTION, form, (int)(end - first), first) < QUESTION &&
           snprintf(other, QUESTION, form, (int)before_verb(second), second) < QUESTION;
}

// Reads the number of S, "Price: \u00a34 (adult)": 1, or 0 where it has several or none.
static int read_side(struct side *s)
{
    char *colon = strstr(s->text, ": ");
    if (!colon || strchr(s->text, '\n'))
        return 0;
    const size_t from = (size_t)(colon - s->text) + 2, to = from + strcspn(colon + 2, "(");
    const size_t n = number_of(s->text + from, to - from, &s->number, &s->decimals);
    s->sign = (struct span_of_text){from, from + number_currency(s->text + from, to - from)};
    s->unit = span_trimmed(s->text, (struct span_of_text){from + n, to});
    return n && !word_has_digit(s->text + s->unit.from, span_bytes(s->unit));
}

// Looks up what QUESTION asks of one of the two, to S: 1, 0 or an error.
static int look_up(const struct lookup *v, const char *question, struct side *s, struct err *e)
{
    struct lookup own = *v;
    if (!(own.out = open_memstream(&s->text, &s->bytes)))
        return err_set(e, ERR_NOMEM, "out of memory (difference)");
    int rc = tables_grid(&own, question, e);
    rc = rc ? rc : tables_cell(&own, question, e);
    if (fclose(own.out))
        return err_set(e, ERR_NOMEM, "out of memory (difference)");
    return rc > 0 ? read_side(s) : rc;
}

// Whether spans A and B of the texts of ONE and OTHER have the same letters.
static int is_same(const struct side *one, struct span_of_text a, const struct side *other,
                   struct span_of_text b)
{
    return span_bytes(a) == span_bytes(b) &&
           !memcmp(one->text + a.from, other->text + b.from, span_bytes(a));
}

static void say(FILE *out, const struct side *one, const struct side *other)
{
    const int decimals = one->decimals > other->decimals ? one->decimals : other->decimals,
              more = one->number >= other->number;
    const char *text = one->text;
    lookup_say(out, text, one->sign);
    fprintf(out, "%.*f%s", decimals, fabs(one->number - other->number),
            span_bytes(one->unit) ? " " : "");
    lookup_say(out, text, one->unit);
    fprintf(out, " %s: %s; %s", more ? "more" : "less", text, other->text);
}

int tables_difference(struct lookup *v, const char *question, struct err *e)
{
    char first[QUESTION], second[QUESTION];
    struct side one = {.text = NULL}, other = {.text = NULL};
    if (!divide(question, first, second))
        return 0;
    int rc = look_up(v, first, &one, e);
    rc = rc > 0 ? look_up(v, second, &other, e) : rc;
    if (rc > 0 && (rc = is_same(&one, one.sign, &other, other.sign) &&
                        is_same(&one, one.unit, &other, other.unit) && one.number != other.number))
        say(v->out, &one, &other);
    free(one.text);
    free(other.text);
    return rc;
}
