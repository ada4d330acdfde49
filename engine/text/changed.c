// What a text says later of what it said: where its sentences are, and whether they are about it.
#define _GNU_SOURCE
#include "engine/text/changed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/text/asked.h"
#include "engine/text/changed_impl.h"
#include "engine/text/chars.h"
#include "engine/text/cut.h"
#include "engine/text/dates.h"
#include "engine/text/label.h"
#include "engine/text/lines.h"
#include "engine/text/message.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"
#include "io/utf8.h"

enum {
    MOST_LOOKED_AT = 400, // sentences: a few milliseconds
    MOST_VALUES = 12,
    LONGEST_ANSWER = 1200, // bytes; a longer one is all of a section
    AROUND = 1024,         // bytes before and after a place within which its sentence is looked for
    BEFORE = 1 << 20,      // bytes of the text before what was said that are counted,
    BEHIND = 1 << 22,      // and behind it that are looked through
    RARE = 10              // places of a word that tells by itself what a sentence is about
};

// Of questions about what was: what is now changes nothing of it, but a report may have been wrong.
static const char PAST[] = " was were did had ";
static const char FORMERLY[] = " original originally first initially previously formerly former "
                               "earlier ";
// What sentences about changes and amounts have in common, whatever they are about.
static const char UNITS[] =
    " cent percent euro euros pound pounds dollars kroner days weeks months years hours minutes "
    "year month week date dates number figure word words amount clause article rule section "
    "paragraph schedule changed replaced raised lowered increased reduced instead place effect ";

struct span_of_text changed_sentence(const struct changed_said *s, size_t at)
{
    struct span_of_text v;
    struct cut c;
    const size_t first = at > AROUND ? at - AROUND : 0,
                 last = s->n - at > AROUND ? at + AROUND : s->n;
    cut_text(&c, s->text + first, last - first);
    cut_sentence(&c, at - first, &v.from, &v.to);
    v.from += first;
    v.to += first;
    while (v.from < v.to && is_space(s->text[v.from]))
        v.from++;
    return v;
}

int changed_next(const struct changed_said *s, size_t *at, struct span_of_text *v)
{
    int lines = 0;
    for (; *at < s->n && is_space(s->text[*at]); ++*at)
        lines += s->text[*at] == '\n';
    if (*at >= s->n || lines > 1)
        return 0;
    *v = changed_sentence(s, *at);
    return 1;
}

int changed_is_quoted(const struct changed_said *s, size_t at)
{
    const struct cut c = {.text = s->text, .n = s->n};
    return line_quoted(&c, line_start(&c, at)) > 0;
}

// Whether WORD [n] stands in fewer than RARE places of S's text.
static int is_rare(const struct changed_said *s, const char *word, size_t n)
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

struct span_of_text changed_term(const struct changed_said *s, struct span_of_text v)
{
    size_t behind;
    const struct span_of_text q = changed_quotation(s->text, v.from, v.to, &behind);
    if (!span_bytes(q) || !is_upper(s->text[q.from]))
        return (struct span_of_text){0, 0};
    for (size_t at = v.from; at < q.from; at++) // but for the number of its clause
        if (is_lower(s->text[at]) || is_upper(s->text[at]))
            return (struct span_of_text){0, 0};
    return q;
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
static size_t code_at(const char *text, size_t n, size_t *all)
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
        if (!(bytes = code_at(text + at, n - at, &all)))
            continue;
        if (words_stand_in(s->text + v.from, span_bytes(v), text + at, bytes))
            return 1;
        size_t name = 0;
        while (name < bytes && !is_digit(text[at + name]))
            name++;
        for (size_t i = v.from, own, word; i < v.to; i += word ? word : 1)
            if ((own = code_at(s->text + i, v.to - i, &word)) > name)
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
    enum { LEAST = 4 };
    const struct changed_said *s = l->s;
    char stem[WORD_STEM], known[16][WORD_STEM];
    const char *first = NULL;
    size_t bytes, first_bytes = 0;
    int n = 0;
    *both = 0;
    for (size_t at = v.from; n < 16 && word_next(s->text, v.to, &at, stem, &bytes);) {
        const char *word = s->text + at - bytes;
        int met = bytes < LEAST || word_is_common(stem) || word_has_digit(word, bytes) ||
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
    return term || n > 1 || code || (n && is_rare(s, first, first_bytes));
}

int changed_answer_has(const struct changed_said *s, struct changed_value v)
{
    struct changed_tokens t;
    changed_tokens(&t, s->answer, 0, strlen(s->answer));
    for (int i = 0; !isnan(v.number) && i < t.n; i++) {
        if (t.v[i].is_number && changed_is_same(changed_value_at(&t, i), v))
            return 1;
    }
    return 0;
}

int changed_found(const struct changed_looking *l, struct span_of_text v)
{
    enum { ENOUGH = 40 }; // bytes
    char own[2 * CUT_LONGEST];
    const struct changed_said *s = l->s;
    const struct cut c = {.text = s->text, .n = s->n};
    const size_t most = sizeof own;
    size_t n = cut_mend(&c, v.from, span_bytes(v) < most ? v.to : v.from + most, own);
    n = n < ENOUGH ? n : ENOUGH;
    if (memmem(s->answer, strlen(s->answer), own, n))
        return 0;
    *l->out = v;
    return 1;
}

// Whether T gives another number of the unit of that at token OLD of WAS.
static int has_another(const struct changed_tokens *t, const struct changed_tokens *was, int old)
{
    for (int i = 0; i < t->n; i++)
        if (t->v[i].is_number && t->v[i].number != was->v[old].number &&
            changed_is_same_unit(was, old, t, i))
            return 1;
    return 0;
}

size_t changed_corrected(const struct changed_looking *l, const struct changed_tokens *told,
                         size_t at)
{
    const struct changed_said *s = l->s;
    const int is_report = changed_is_report(told),
              stated = is_report ? -1 : changed_is_stated(told);
    for (int k = 0; k < 3 && (is_report || stated >= 0); k++) {
        struct span_of_text v;
        struct changed_tokens t;
        if (!changed_next(s, &at, &v))
            return 0;
        changed_tokens(&t, s->text, v.from, v.to);
        // What is given for something is mostly right.
        if (changed_corrects(&t) && (stated < 0 || has_another(&t, told, stated)))
            return v.to;
        if (v.to <= at)
            return 0;
        at = v.to;
    }
    return 0;
}

// The sentence behind what was said, TOLD, if it says but what is so now: "It was 20 pounds in May.
// Now 25, but for boats." No bytes: it does not, or the answer has it.
static struct span_of_text now_behind(const struct changed_said *s,
                                      const struct changed_tokens *told)
{
    const struct span_of_text none = {0, 0};
    size_t at = s->said.to;
    struct span_of_text v;
    struct changed_tokens t;
    if (!changed_next(s, &at, &v))
        return none;
    changed_tokens(&t, s->text, v.from, v.to);
    if (v.from != at || !changed_is(&t, 0, " now ") || t.n < 2 || !t.v[1].is_number ||
        changed_answer_has(s, changed_value_at(&t, 1)))
        return none;
    const size_t end = t.v[1].at.to;
    const int is_alone = end >= v.to || is_one_of(s->text[end], ",.;");
    for (int i = 0; i < told->n; i++) {
        // "Born in 1950. Now 73,"
        const int is_year = word_is_year(s->text + told->v[i].at.from, span_bytes(told->v[i].at));
        if (told->v[i].is_number &&
            ((is_alone && !is_year) || changed_is_same_unit(told, i, &t, 1)))
            return v;
    }
    return none;
}

// Sentence V, which says what is to be read for something, with what stands before it in its line
// and tells where: 'A.2 - Kitchen. For "20" read "25".'
static struct span_of_text with_place(const struct changed_said *s, struct span_of_text v)
{
    enum { LONGEST = 80 }; // bytes before it
    const struct cut c = {.text = s->text, .n = s->n};
    size_t from = line_start(&c, v.from);
    while (from < v.from && is_space(s->text[from]))
        from++;
    return (struct span_of_text){v.from - from <= LONGEST ? from : v.from, v.to};
}

// Whether sentence V quotes number and unit around byte AT, "135 N", and S's text has them only in
// what was said, before it.
static int is_quoted_alone(const struct changed_said *s, struct span_of_text v, size_t at)
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

// The head of the mail whose body has byte AT of S's text, *BODY to *END, to HEAD [CUT_LONGEST]; 0:
// it is of none.
static int head_of(const struct changed_said *s, size_t at, size_t *body, size_t *end, char *head)
{
    const struct cut c = {.text = s->text, .n = s->n};
    size_t from, to, head_end;
    if (message_part_of(&c, at, body, end) != MESSAGE_BODY ||
        !(head_end = line_trimmed(&c, 0, *body)) ||
        !message_head(&c, line_start(&c, head_end - 1), &from, &to) || to - from >= CUT_LONGEST)
        return 0;
    memcpy(head, s->text + from, to - from);
    head[to - from] = 0;
    return 1;
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

// Whether sentence V, which takes back the number at bytes OLD, says of which mail it is a
// correction, "to my July mail: it is", and what was said is of one from that month and the same
// sender that has the number once only.
static int is_of_that_mail(const struct changed_said *s, struct span_of_text v,
                           struct span_of_text old)
{
    static const char mails[] = " mail email message post letter ";
    char own[CUT_LONGEST], head[CUT_LONGEST], later[CUT_LONGEST];
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

// Whether sentence V has most of the question's words, at least two.
static int has_question(const struct changed_said *s, struct span_of_text v)
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

// Whether sentence V, whose number at token I is old, is of what is asked for where it may easily
// be of something else: it only denies a number, or gives a day of the week.
static int is_of_question(const struct changed_looking *l, struct span_of_text v,
                          const struct changed_tokens *t, int i)
{
    static const char corrects[] = " correction corrections correct corrected wrong mistaken "
                                   "erratum misprint printed it ";
    enum { LEAST = 3, FEW = 5 }; // bytes; of so many words one may be lacking
    int all;
    if (t->v[i].number >= 0 &&
        (!changed_is_denied(t, i) || words_listed(corrects, l->s->text + v.from, span_bytes(v))))
        return 1;
    if (t->v[i].number < 0 && !asks_for_day(l->s->question))
        return 0;
    const int lacking = count_lacking(l->s, v, LEAST, &all);
    return lacking <= all / FEW && !is_elsewhere(l, t);
}

// Whether sentence V is about another one than the question by its number: "Unit 8" for "Unit 7".
static int is_of_another(const struct changed_said *s, struct span_of_text v)
{
    char own[2 * CUT_LONGEST];
    if (span_bytes(v) >= sizeof own)
        return 0;
    memcpy(own, s->text + v.from, span_bytes(v));
    own[span_bytes(v)] = 0;
    return asked_of_another(s->question, own);
}

// Whether the sentence around byte AT, where number V stands, takes it back.
static int takes_back(struct changed_looking *l, size_t at, struct changed_value v, int is_past)
{
    const struct changed_said *s = l->s;
    struct span_of_text own = changed_sentence(s, at);
    struct changed_tokens t;
    struct changed_value new;
    int i = 0, both = 0;
    l->left--;
    changed_tokens(&t, s->text, own.from, own.to);
    while (i < t.n && !(t.v[i].at.from <= at && at < t.v[i].at.to))
        i++;
    if (i == t.n || !t.v[i].is_number || !changed_is_same(changed_value_at(&t, i), v) ||
        own.from < l->near.to || changed_is_quoted(s, own.from))
        return 0;
    const int is_erratum = changed_for_read(&t, i) >= 0;
    if (is_erratum)
        own = with_place(s, own);
    // A large amount, and a day of one year, are not met by chance.
    const int is_amount = v.number >= 1000 && (v.number < 1900 || v.number > 2100);
    // What leads in its line may say what it is about: "Descaling. The 3.2 l is a misprint".
    const struct span_of_text led = with_place(s, own);
    if (!is_amount && !v.year && !changed_is_about(l, own, &both) && !(is_erratum && both) &&
        !(led.from < own.from && (changed_is_about(l, led, &both) || both)) &&
        !(both && changed_is_misprint(&t, i) && has_another(&t, &t, i)) &&
        !is_quoted_alone(s, own, at) && !is_of_that_mail(s, own, t.v[i].at))
        return 0;
    if ((s->unsure && !has_question(s, own)) || !is_of_question(l, led, &t, i) ||
        is_of_another(s, led))
        return 0;
    if ((!is_past && changed_is_old(&t, i, &new)) || changed_is_wrong(&t, i, &new))
        return !changed_answer_has(s, new) && changed_found(l, own);
    if (changed_is_misprint(&t, i)) // "The 20 pounds are a misprint; ask for 25 pounds."
        return has_another(&t, &t, i) && changed_found(l, own);
    const size_t to = changed_corrected(l, &t, own.to);
    return to && changed_found(l, (struct span_of_text){own.from, to});
}

// The word before byte AT of TEXT, which white space or the point of a short form divides from it.
static struct span_of_text word_before(const char *text, size_t at)
{
    while (at > 0 && (is_space(text[at - 1]) || text[at - 1] == '.'))
        at--;
    const size_t least = at > WORD_LISTED ? at - WORD_LISTED : 0;
    return (struct span_of_text){word_start_before(text, least, at), at};
}

// Whether what stands before byte AT may lead to an old number: most of what has the same number is
// left at once.
static int may_be_old(const char *text, size_t at)
{
    static const char LEADS[] = " from of the not longer previously formerly hitherto was were be "
                                "as figure date number word sum amount on ";
    while (at > 0 && !is_space(text[at - 1]) && !word_has(text[at - 1]))
        if (is_one_of(text[--at], "\"'`")) // its first sign may be that of a currency, too
            return 1;
    for (; at > 0 && (unsigned char)text[at - 1] >= 0x80; at--)
        if (begins_with(text + at - 1, 3, "\xe2"))
            return 1; // a curled mark, or the sign of the euro
    // A mark may stand before the sign of the pound, too.
    if (at > 0 && is_one_of(text[at - 1], "\"'`"))
        return 1;
    struct span_of_text v;
    do // "of GBP 20"
        at = (v = word_before(text, at)).from;
    while (word_is_listed(WORDLIST_CURRENCIES, text + v.from, span_bytes(v)));
    if (word_is_listed(LEADS, text + v.from, span_bytes(v)))
        return 1;
    v = word_before(text, v.from); // "not no. 20"
    return word_is_listed(" not ", text + v.from, span_bytes(v));
}

// Whether what stands from byte AT to TO of S's text is between "for" and "read".
static int is_to_be_read(const struct changed_said *s, size_t at, size_t to)
{
    const struct span_of_text v = word_before(s->text, at);
    return word_is_listed(" for ", s->text + v.from, span_bytes(v)) &&
           begins_with(s->text + to, s->n - to, " read ");
}

// Looks for number V behind what was said as it is WRITTEN.
static int look_for(struct changed_looking *l, const char *written, struct changed_value v,
                    int is_past)
{
    const struct changed_said *s = l->s;
    const size_t n = strlen(written);
    size_t at = l->near.to;
    for (const char *p;
         l->left > 0 && at < s->n && (p = memmem(s->text + at, s->n - at, written, n)); at++) {
        at = (size_t)(p - s->text);
        const size_t end =
            v.number < 0 && at + n < s->n && s->text[at + n] == 's' ? at + n + 1 : at + n;
        const char behind = end < s->n ? s->text[end] : 0;
        if ((at > 0 && (is_digit(s->text[at - 1]) || is_lower(s->text[at - 1]))) ||
            is_digit(behind) || is_lower(behind) ||
            (!may_be_old(s->text, at) && !is_to_be_read(s, at, at + n)))
            continue;
        if (takes_back(l, at, v, is_past))
            return 1;
    }
    return 0;
}

// The same in digits and in words.
static int look_for_both(struct changed_looking *l, const struct changed_tokens *t, int i,
                         int is_past)
{
    const struct changed_value v = changed_value_at(t, i);
    char written[40];
    const size_t n = span_bytes(t->v[i].at);
    snprintf(written, sizeof written, "%.*s", (int)(n < 39 ? n : 39), t->text + t->v[i].at.from);
    if (v.number < 0) { // a day of the week, in whatever number it stands
        written[n && written[n - 1] == 's' ? n - 1 : n] = 0;
        return look_for(l, written, v, is_past);
    }
    for (char *p = written; *p; p++)
        *p = to_small(*p);
    if (look_for(l, written, v, is_past))
        return 1;
    if (!is_digit(*written)) {
        snprintf(written, sizeof written, "%.0f", v.number);
        return look_for(l, written, v, is_past);
    }
    const char *word;
    const size_t bytes = changed_in_words(v.number, &word);
    snprintf(written, sizeof written, "%.*s", (int)bytes, bytes ? word : "");
    return bytes && look_for(l, written, v, is_past);
}

// Where number V stands in what was said, of a day with its month if it does; its end: nowhere.
static size_t said_at(const struct changed_said *s, struct changed_value v)
{
    size_t number = s->said.to;
    for (size_t at = s->said.from; at < s->said.to;) {
        struct changed_tokens t;
        changed_tokens(&t, s->text, at, s->said.to);
        for (int i = 0; i < t.n; i++) {
            if (!t.v[i].is_number || t.v[i].number != v.number)
                continue;
            if (changed_is_same(changed_value_at(&t, i), v))
                return t.v[i].at.from;
            number = number < s->said.to ? number : t.v[i].at.from;
        }
        if (!t.n)
            break;
        at = t.v[t.n - 1].at.to;
    }
    return number;
}

static int has_number(const struct changed_tokens *t, double number)
{
    for (int i = 0; i < t->n; i++)
        if (t->v[i].is_number && t->v[i].number == number)
            return 1;
    return 0;
}

// Whether QUESTION has the label of the line that begins with byte LINE, as it is written.
static int asks_for_row(const struct cut *c, size_t line, const char *question)
{
    size_t n;
    const char *label = label_at(c, line, &n);
    return label && words_stand_in(question, strlen(question), label, n);
}

// Whether byte AT is in a row with a label that is not asked for, and another row of what was said
// is: "Owner: Ada", "Height: 20 m".
static int is_in_other_row(const struct changed_said *s, size_t at)
{
    const struct cut c = {.text = s->text, .n = s->n};
    const size_t own = line_start(&c, at);
    if (!label_is_there(&c, own) || asks_for_row(&c, own, s->question))
        return 0;
    for (size_t line = line_start(&c, s->said.from); line < s->said.to;
         line = line_end(&c, line) + 1)
        if (asks_for_row(&c, line, s->question))
            return 1;
    return 0;
}

// Numbers of the answer.
static int look_for_numbers(struct changed_looking *l, int is_past)
{
    const struct changed_said *s = l->s;
    static const char names[] = " who whom whose where why ";
    struct changed_tokens t, asked;
    int n = 0;
    if (words_listed(names, s->question, strcspn(s->question, " ")))
        return 0;
    changed_tokens(&t, s->answer, 0, strlen(s->answer));
    changed_tokens(&asked, s->question, 0, strlen(s->question));
    for (int i = 0; i < t.n && n < MOST_VALUES; i++) {
        if (!t.v[i].is_number || has_number(&asked, t.v[i].number))
            continue;
        const size_t at = said_at(s, changed_value_at(&t, i));
        if (at == s->said.to || is_in_other_row(s, at))
            continue;
        n++;
        l->near = changed_sentence(s, at);
        const size_t behind = at + span_bytes(t.v[i].at);
        // The number of a heading or of a clause is none that is said.
        if (at == l->near.from && behind < s->n && is_one_of(s->text[behind], ".)"))
            continue;
        if (look_for_both(l, &t, i, is_past) ||
            (!s->unsure &&
             ((!is_past && n == 1 && changed_new(l, &t, i)) || changed_headed(l, &t, i))))
            return 1;
    }
    return 0;
}

// Whether QUESTION [n] is about what was, and not whether that has changed.
static int asks_of_past(const char *question, size_t n)
{
    char word[WORD_LISTED + 1];
    size_t bytes;
    for (size_t at = 0; (bytes = word_small(question, n, &at, word, sizeof word));)
        if (changed_asks(word, bytes))
            return 0;
    return words_listed(PAST, question, n);
}

// Whether QUESTION [n] asks for what was before: "Who had it before?", "before the correction", but
// not "before the lease ends".
static int asks_formerly(const char *question, size_t n)
{
    static const char changes[] = " amendment change correction increase rise reduction that then ";
    enum { NEXT = 3 }; // words behind "before"
    char word[WORD_LISTED + 1];
    size_t bytes;
    int since = -1;
    for (size_t at = 0; (bytes = word_small(question, n, &at, word, sizeof word));) {
        since = word_is_listed(" before ", word, bytes) ? 0 : since < 0 ? since : since + 1;
        if (since > 0 && since <= NEXT &&
            (word_is_listed(changes, word, bytes) || changed_asks(word, bytes)))
            return 1;
    }
    return !since || words_listed(FORMERLY, question, n);
}

int changed_find(const struct changed_said *said, struct span_of_text *at)
{
    struct changed_said near = *said, *s = &near;
    const size_t asked = strlen(s->question);
    struct changed_looking l = {.s = s, .near = s->said, .left = MOST_LOOKED_AT, .out = at};
    if (s->said.to > s->n || s->said.from >= s->said.to || strlen(s->answer) > LONGEST_ANSWER ||
        asks_formerly(s->question, asked))
        return 0;
    if (s->n - s->said.to > BEHIND)
        s->n = utf8_border(s->text, s->said.to + BEHIND);
    const int is_past = asks_of_past(s->question, asked);
    if (s->unsure)
        return !is_past &&
               (look_for_numbers(&l, is_past) || changed_refused(&l) || changed_clause(&l));
    struct changed_tokens t;
    changed_tokens(&t, s->text, s->said.from, s->said.to);
    if (span_bytes(s->said) <= CUT_LONGEST && !changed_corrects(&t)) {
        const size_t to = changed_corrected(&l, &t, s->said.to);
        size_t from = s->said.to;
        while (from < to && is_space(s->text[from]))
            from++;
        if (to && changed_found(&l, (struct span_of_text){from, to}))
            return 1;
    }
    const struct span_of_text now = now_behind(s, &t);
    if (!is_past && span_bytes(now) && changed_found(&l, now))
        return 1;
    if (look_for_numbers(&l, is_past))
        return 1;
    return !is_past &&
           ((words_listed(WORDLIST_WHO, s->question, asked) && changed_names(&l)) ||
            changed_clause(&l) || changed_defined(&l) || changed_quoted(&l) || changed_table(&l) ||
            changed_motion(&l) || changed_refused(&l) || changed_row(&l));
}
