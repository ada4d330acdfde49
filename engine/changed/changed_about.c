// Whether a sentence that says that something is another now is about what was asked and said: by
// its words, a code, a name, the mail that it is of.
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/question/asked.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    BEFORE = 1 << 20, // bytes of the text before what was said that are counted
    RARE = 10         // places of a word that tells by itself what a sentence is about
};

// What sentences about changes and amounts have in common, whatever they are about.
static const char UNITS[] =
    " cent percent euro euros pound pounds dollars kroner days weeks months years hours minutes "
    "year month week date dates number figure word words amount clause article rule section "
    "paragraph schedule changed replaced raised lowered increased reduced instead place effect ";

int changed_is_rare(const struct changed_said *s, const char *word, size_t n)
{
    const char *p = s->text + (s->said.from > BEFORE ? s->said.from - BEFORE : 0);
    const char *end = s->text + s->n;
    int times = 0;
    // Without its first letter, which may be a capital.
    while (times < RARE && (p = memmem(p, (size_t)(end - p), word + 1, n - 1))) {
        times++;
        p++;
    }
    return times < RARE;
}

// Whether sentence V has the term that L's NEAR begins to define. *ASKED: whether the question has
// it, too.
static int has_term(const struct changed_looking *l, struct span_of_text v, int *asked)
{
    const struct changed_said *s = l->s;
    const struct span_of_text q = changed_term(s, l->near);
    const size_t n = span_bytes(q);
    const char *term = s->text + q.from;
    if (!n)
        return 0;
    *asked = memmem(s->question, strlen(s->question), term, n) != NULL;
    const char *p = memmem(s->text + v.from, span_bytes(v), term, n);
    return p && (p == s->text || !word_has(p[-1])) && (p + n == s->text + s->n || !word_has(p[n]));
}

// The bytes of the code that TEXT [n] begins with, a word or words joined by hyphens, with capitals
// and digits: "INC-2288"; 0: it begins with none. *ALL: the bytes of the word, code or not.
static size_t id_at(const char *text, size_t n, size_t *all)
{
    enum { LEAST = 4 }; // bytes
    int capitals = 0, digits = 0;
    for (*all = 0; *all < n && (word_has(text[*all]) || text[*all] == '-'); ++*all) {
        capitals += is_upper(text[*all]);
        digits += is_digit(text[*all]);
    }
    return *all >= LEAST && capitals && digits ? *all : 0;
}

// Whether sentence V has a code of TEXT [n]: 1; -1: only another one that begins like it; 0: none.
static int has_code_of(const struct changed_said *s, struct span_of_text v, const char *text,
                       size_t n)
{
    int other = 0;
    for (size_t at = 0, bytes, all; at < n; at += all ? all : 1) {
        if (!(bytes = id_at(text + at, n - at, &all)))
            continue;
        if (words_stand_in(s->text + v.from, span_bytes(v), text + at, bytes))
            return 1;
        size_t name = 0;
        while (name < bytes && !is_digit(text[at + name]))
            name++;
        for (size_t i = v.from, own, word; i < v.to; i += word ? word : 1)
            if ((own = id_at(s->text + i, v.to - i, &word)) > name)
                other |= name && !memcmp(s->text + i, text + at, name);
    }
    return -other;
}

// The same of the question or, where that has none, of L's sentence.
static int has_code(const struct changed_looking *l, struct span_of_text v)
{
    const struct changed_said *s = l->s;
    const int asked = has_code_of(s, v, s->question, strlen(s->question));
    return asked ? asked : has_code_of(s, v, s->text + l->near.from, span_bytes(l->near));
}

int changed_is_about(const struct changed_looking *l, struct span_of_text v, int *both)
{
    const struct changed_said *s = l->s;
    char stem[WORD_STEM], known[16][WORD_STEM];
    const char *first = NULL;
    size_t bytes, first_bytes = 0;
    int n = 0;
    *both = 0;
    for (size_t at = v.from; n < 16 && word_next(s->text, v.to, &at, stem, &bytes);) {
        const char *word = s->text + at - bytes;
        int met = !changed_word_tells(bytes, stem) || word_has_digit(word, bytes) ||
                  changed_number(word, bytes) || changed_weekday(word, bytes) ||
                  word_is_listed(UNITS, word, bytes) ||
                  word_is_listed(WORDLIST_MONTHS, word, bytes);
        for (int k = 0; k < n; k++)
            met |= !memcmp(known[k], stem, WORD_STEM);
        if (met)
            continue;
        const int in_question = word_is_in(s->question, strlen(s->question), stem),
                  in_near = word_is_in(s->text + l->near.from, span_bytes(l->near), stem);
        if (!in_question && !in_near)
            continue;
        *both += in_question && in_near;
        first = n ? first : word;
        first_bytes = n ? first_bytes : bytes;
        memcpy(known[n++], stem, WORD_STEM);
    }
    int asked = 0;
    const int term = has_term(l, v, &asked), code = has_code(l, v);
    *both += term && asked;
    if (code < 0) {
        *both = 0;
        return 0;
    }
    return term || n > 1 || code || (n && changed_is_rare(s, first, first_bytes));
}

int changed_is_quoted_alone(const struct changed_said *s, struct span_of_text v, size_t at)
{
    size_t behind = v.from;
    struct span_of_text q;
    do
        q = changed_quotation(s->text, behind, v.to, &behind);
    while (span_bytes(q) && q.to <= at);
    const size_t n = span_bytes(q), first = s->said.from > BEFORE ? s->said.from - BEFORE : 0;
    if (!n || q.from > at || !memchr(s->text + q.from, ' ', n))
        return 0;
    int in_said = 0, others = 0;
    const char *p = s->text + first, *end = s->text + v.from;
    for (; (p = memmem(p, (size_t)(end - p), s->text + q.from, n)); p++) {
        const size_t found = (size_t)(p - s->text);
        const int is_said = found >= s->said.from && found < s->said.to;
        in_said += is_said;
        others += !is_said;
    }
    return in_said == 1 && !others;
}

// Whether sentence V has a word of OTHER [n] that says something.
static int has_word_of(const struct changed_looking *l, struct span_of_text v, const char *other,
                       size_t n)
{
    const char *text = l->s->text;
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = v.from; word_next(text, v.to, &at, stem, &bytes);)
        if (changed_word_tells(bytes, stem) &&
            !word_is_listed(CHANGED_CLAUSES, text + at - bytes, bytes) &&
            word_form_is_in(other, n, text + at - bytes, bytes))
            return 1;
    return 0;
}

int changed_count_near(const struct changed_looking *l, struct span_of_text v)
{
    const char *text = l->s->text;
    char stem[WORD_STEM];
    size_t bytes;
    int n = 0;
    for (size_t at = v.from; word_next(text, v.to, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        n += changed_word_tells(bytes, stem) && !word_is_listed(UNITS, word, bytes) &&
             !word_is_listed(CHANGED_CLAUSES, word, bytes) && !changed_number(word, bytes) &&
             word_form_is_in(text + l->near.from, span_bytes(l->near), word, bytes);
    }
    return n;
}

int changed_shares_word(const struct changed_looking *l, struct span_of_text v)
{
    const struct changed_said *s = l->s;
    return has_word_of(l, v, s->text + l->near.from, span_bytes(l->near)) &&
           (!s->unsure || has_word_of(l, v, s->question, strlen(s->question)));
}

// The head of the mail whose body has byte AT of S's text, *BODY to *END, to HEAD
// [LONGEST_SENTENCE]; 0: it is of none.
static int head_of(const struct changed_said *s, size_t at, size_t *body, size_t *end, char *head)
{
    const struct lines c = {.text = s->text, .n = s->n};
    size_t from, to, head_end;
    if (message_part_of(&c, at, body, end) != MESSAGE_BODY ||
        !(head_end = line_trimmed(&c, 0, *body)) ||
        !message_head(&c, line_start(&c, head_end - 1), &from, &to) ||
        to - from >= LONGEST_SENTENCE)
        return 0;
    memcpy(head, s->text + from, to - from);
    head[to - from] = 0;
    return 1;
}

int changed_is_denied_of_unit(const struct changed_looking *l, const struct changed_tokens *t,
                              int i)
{
    enum { NEAR = 6 }; // tokens
    const struct changed_value v = changed_value_at(t, i);
    struct changed_tokens was;
    if (!changed_is_denied(t, i))
        return 0;
    changed_tokens(&was, l->s->text, l->near.from, l->near.to);
    for (int k = 0; k < was.n; k++)
        for (int j = i > NEAR ? i - NEAR : 0; was.v[k].is_number && j < i; j++)
            if (t->v[j].is_number && changed_is_same(changed_value_at(&was, k), v) &&
                changed_is_same_unit(&was, k, t, j))
                return 1;
    return 0;
}

int changed_is_called(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    enum { LEAST = 3 }; // bytes
    const struct changed_said *s = l->s;
    const int noun = i - 3; // "case 41, not 14"
    struct changed_tokens was;
    char stem[WORD_STEM];
    int is_said = 0;
    if (noun < 0 || !changed_is(t, i - 1, " not ") || !t->v[i - 2].is_number ||
        t->v[noun].is_number || span_bytes(t->v[noun].at) < LEAST)
        return 0;
    changed_tokens(&was, s->text, l->near.from, l->near.to);
    for (int k = 1; k < was.n; k++)
        is_said |= was.v[k].is_number && was.v[k].number == t->v[i].number &&
                   span_is_alike(s->text, was.v[k - 1].at, t->text, t->v[noun].at);
    for (int k = 0; is_said && k < noun; k++) {
        const char *word = t->text + t->v[k].at.from;
        const size_t n = span_bytes(t->v[k].at);
        size_t at = 0;
        if (n >= LEAST && !t->v[k].is_number && word_next(word, n, &at, stem, NULL) &&
            !word_is_common(stem) && !word_is_listed(CHANGED_CLAUSES WORDLIST_FUNCTION, word, n) &&
            word_form_is_in(s->text + l->near.from, span_bytes(l->near), word, n))
            return 1;
    }
    return 0;
}

// Whether the heads A and B are of mails from the same one.
static int is_same_sender(const char *a, const char *b)
{
    const char *p = strstr(a, "From:"), *q = strstr(b, "From:");
    const size_t n = p ? strcspn(p, "\n") : 0;
    return n && q && strcspn(q, "\n") == n && !memcmp(p, q, n);
}

// How often WORD [n] stands between bytes FROM and TO of TEXT.
static int count_of(const char *text, size_t from, size_t to, const char *word, size_t n)
{
    int count = 0;
    for (const char *p = text + from; (p = memmem(p, (size_t)(text + to - p), word, n)); p += n)
        count++;
    return count;
}

int changed_is_of_mail(const struct changed_said *s, struct span_of_text v, struct span_of_text old)
{
    static const char mails[] = " mail email message post letter ";
    char own[LONGEST_SENTENCE], head[LONGEST_SENTENCE], later[LONGEST_SENTENCE];
    struct changed_tokens t;
    size_t body, end, last, last_end;
    int i = 0;
    changed_tokens(&t, s->text, v.from, v.to);
    while (i < t.n && !changed_is(&t, i, mails))
        i++;
    if (span_bytes(v) >= sizeof own || !changed_is(&t, i + 1, " it it's its that this "))
        return 0;
    memcpy(own, s->text + v.from, span_bytes(v));
    own[span_bytes(v)] = 0;
    const unsigned months = dates_named(own);
    return months && head_of(s, s->said.from, &body, &end, head) &&
           head_of(s, v.from, &last, &last_end, later) && is_same_sender(head, later) &&
           (months & (dates_named(head) | dates_numbered(head))) &&
           count_of(s->text, body, end, s->text + old.from, span_bytes(old)) == 1;
}

// How many words of the question that are of LEAST bytes at least, and say what it is about,
// sentence V lacks; *ALL: how many there are.
static int count_lacking(const struct changed_said *s, struct span_of_text v, size_t least,
                         int *all)
{
    static const char asks[] =
        WORDLIST_OF_QUESTIONS " long much many time day days date often end beginning ";
    char stem[WORD_STEM];
    size_t bytes, n = strlen(s->question);
    int lacking = 0;
    *all = 0;
    for (size_t at = 0; word_next(s->question, n, &at, stem, &bytes);) {
        const char *word = s->question + at - bytes;
        if (bytes < least || word_is_common(stem) || word_says_little(word, bytes, stem) ||
            word_has_digit(word, bytes) || word_is_listed(asks, word, bytes) ||
            word_is_listed(WORDLIST_MONTHS, word, bytes) || changed_weekday(word, bytes))
            continue;
        ++*all;
        lacking += !word_is_in(s->text + v.from, span_bytes(v), stem);
    }
    return lacking;
}

int changed_has_question(const struct changed_said *s, struct span_of_text v)
{
    enum { LEAST = 4 }; // bytes
    int all;
    const int lacking = count_lacking(s, v, LEAST, &all), has = all - lacking;
    return has >= 2 && 2 * has >= all;
}

// Whether sentence V is of, in or at something with a name that neither the question nor L's
// sentence has: "the museum in Harrow Hill".
static int is_elsewhere(const struct changed_looking *l, const struct changed_tokens *t)
{
    static const char before[] = " of in at for ",
                      others[] =
                          WORDLIST_MONTHS " article clause paragraph regulation rule section "
                                          "schedule the a an ";
    const struct changed_said *s = l->s;
    for (int i = 1; i < t->n; i++) {
        const char *word = t->text + t->v[i].at.from;
        const size_t n = span_bytes(t->v[i].at);
        if (t->v[i].is_capital && !t->v[i].is_number && changed_is(t, i - 1, before) &&
            !word_is_listed(others, word, n) &&
            !words_stand_in(s->question, strlen(s->question), word, n) &&
            !words_stand_in(s->text + l->near.from, span_bytes(l->near), word, n))
            return 1;
    }
    return 0;
}

// Whether the question asks for a day: "When ...?", "On which days ...?"
static int asks_for_day(const char *question)
{
    static const char days[] =
        " when day days date weekday weekdays often evening evenings morning "
        "mornings afternoon afternoons ";
    return words_listed(days, question, strlen(question));
}

// Whether sentence V is about another one than the question by its number: "Unit 8" for "Unit 7".
static int is_of_another(const struct changed_said *s, struct span_of_text v)
{
    char own[2 * LONGEST_SENTENCE];
    if (span_bytes(v) >= sizeof own)
        return 0;
    memcpy(own, s->text + v.from, span_bytes(v));
    own[span_bytes(v)] = 0;
    return asked_of_another(s->question, own);
}

// Whether days of the week at token I of T, in their stead others, stand so in L's sentence: of
// "Friday to Sunday instead of Thursday to Sunday" the latter.
static int is_range_of_near(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    static const char to[] = " to and ";
    const int from = changed_is(t, i - 1, to) ? i - 2 : i, last = from + 2;
    return from > 0 && last < t->n && changed_is(t, from + 1, to) && t->v[from].is_number &&
           t->v[last].is_number && changed_is(t, from - 1, " of than not ") &&
           words_stand_in(l->s->text + l->near.from, span_bytes(l->near),
                          t->text + t->v[from].at.from, t->v[last].at.to - t->v[from].at.from);
}

int changed_is_of_question(const struct changed_looking *l, struct span_of_text v,
                           const struct changed_tokens *t, int i)
{
    static const char corrects[] = " correction corrections correct corrected wrong mistaken "
                                   "erratum misprint printed it ";
    enum { LEAST = 3, FEW = 5, SAME = 2 }; // bytes; of so many words one may be lacking; words
    int all;
    if (is_of_another(l->s, v))
        return 0;
    if (t->v[i].number >= 0 &&
        (!changed_is_denied(t, i) || words_listed(corrects, l->s->text + v.from, span_bytes(v)) ||
         (t->v[i].number >= CHANGED_LARGE && changed_count_near(l, v)) ||
         (changed_first(t, i - 2, 1, " and ") >= 0 && changed_count_near(l, v) >= SAME)))
        return 1;
    if (t->v[i].number < 0 && !asks_for_day(l->s->question))
        return 0;
    int both = 0;
    if (changed_is_denied_of_unit(l, t, i) && (changed_is_about(l, v, &both) || both))
        return both > 0;
    if (t->v[i].number < 0 && is_range_of_near(l, t, i) && changed_is_about(l, v, &both) && both)
        return 1;
    const int lacking = count_lacking(l->s, v, LEAST, &all);
    return lacking <= all / FEW && !is_elsewhere(l, t);
}
