// What a text says later of what it said: where its sentences are, and whether they are about it.
#define _GNU_SOURCE
#include "engine/changed/changed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/utf8.h"

enum {
    MOST_LOOKED_AT = 400, // sentences: a few milliseconds
    MOST_VALUES = 12,
    MOST_NEW = 4,          // of these, of which a new one alone is looked for
    LONGEST_ANSWER = 1200, // bytes; a longer one is all of a section
    WORDS_NEAR = 2,        // of what was said, where the answer may be wrong
    PLACE = 80,            // bytes of where a correction is made, before it in its line
    BEHIND = 1 << 22       // bytes of the text behind what was said that are looked through
};

// Of questions about what was: what is now changes nothing of it, but a report may have been wrong.
static const char PAST[] = " was were did had ";
static const char FORMERLY[] = " original originally initially previously formerly former "
                               "earlier ";
// What is asked for of somebody who may have a successor, beside who that is.
#define FIRMS " company firm agency number telephone phone ring call "
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

// Whether sentence V, which takes back the number at token I of T, counts of an answer that may be
// wrong: it has the question's words, or enough of what was said.
static int counts_unsure(const struct changed_looking *l, struct span_of_text v,
                         const struct changed_tokens *t, int i)
{
    int both;
    return changed_has_question(l->s, v) ||
           (changed_is_about(l, v, &both) &&
            ((both && changed_is_denied(t, i)) || changed_count_near(l, v) >= WORDS_NEAR));
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
        own.from < l->near.to || changed_is_quoted(s, own.from) || changed_is_of_other(l, &t))
        return 0;
    // "It was in case 41, not 14": nor was it.
    if (!s->unsure && changed_is_called(l, &t, i) &&
        !changed_answer_has(s, changed_value_at(&t, i - 2)))
        return changed_found(l, own);
    const int is_erratum = changed_for_read(&t, i) >= 0;
    if (is_erratum)
        own = changed_titled(s, own, PLACE);
    // A large amount, and a day of one year, are not met by chance.
    const int is_amount = v.number >= 1000 && (v.number < 1900 || v.number > 2100),
              is_denied = v.number >= CHANGED_LARGE && changed_is_denied(&t, i);
    // What leads in its line may say what it is about: "Descaling. The 3.2 l is a misprint".
    const struct span_of_text led = changed_titled(s, own, PLACE);
    if (!is_amount && !v.year && !changed_is_about(l, own, &both) && !(is_erratum && both) &&
        !(led.from < own.from && (changed_is_about(l, led, &both) || both)) &&
        !(both && (is_denied || changed_is_denied_of_unit(l, &t, i))) &&
        !(both && changed_is_misprint(&t, i) && changed_has_another(&t, &t, i)) &&
        !changed_is_quoted_alone(s, own, at) && !changed_is_of_mail(s, own, t.v[i].at))
        return 0;
    const int is_exact = is_erratum && (is_amount || v.year);
    if (!changed_is_of_question(l, led, &t, i) ||
        (s->unsure && !is_exact && (is_past || !counts_unsure(l, own, &t, i))))
        return 0;
    // "The count of those who were paid twice is 25, not 20": nor was it.
    const int is_right = changed_is(&t, i - 1, " not ") && changed_count_near(l, own) >= WORDS_NEAR;
    if (((!is_past || is_right || is_erratum) && changed_is_old(&t, i, &new)) ||
        changed_is_wrong(&t, i, &new))
        return !changed_answer_has(s, new) && changed_found(l, own);
    if (changed_is_misprint(&t, i)) // "The 20 pounds are a misprint; ask for 25 pounds."
        return changed_has_another(&t, &t, i) && changed_found(l, own);
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
    static const char LEADS[] =
        " from of than the not longer previously formerly hitherto was were be "
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

// Whether QUESTION has all words of the label of the line that begins with byte LINE.
static int asks_for_row(const struct lines *c, size_t line, const char *question)
{
    char stem[WORD_STEM];
    size_t n = 0, bytes;
    const char *label = label_at(c, line, &n);
    int some = 0;
    for (size_t at = 0; label && word_next(label, n, &at, stem, &bytes); some = 1)
        if (!word_form_is_in(question, strlen(question), label + at - bytes, bytes))
            return 0;
    return some;
}

// Whether byte AT is in a row with a label that is not asked for, and another row of what was said
// is: "Owner: Ada", "Height: 20 m".
static int is_in_other_row(const struct changed_said *s, size_t at)
{
    const struct lines c = {.text = s->text, .n = s->n};
    const size_t own = line_start(&c, at);
    if (!label_is_there(&c, own) || asks_for_row(&c, own, s->question))
        return 0;
    for (size_t line = line_start(&c, s->said.from); line < s->said.to;
         line = line_end(&c, line) + 1)
        if (asks_for_row(&c, line, s->question))
            return 1;
    return 0;
}

// Whether L's sentence gives the number at byte AT itself as the old one beside one of the answer:
// "reduced from six to four".
static int is_old_there(const struct changed_looking *l, size_t at)
{
    struct changed_tokens t;
    struct changed_value new;
    int i = 0;
    changed_tokens(&t, l->s->text, l->near.from, l->near.to);
    while (i < t.n && t.v[i].at.from < at)
        i++;
    return i < t.n && t.v[i].is_number && changed_is_old(&t, i, &new) && !isnan(new.number) &&
           changed_answer_has(l->s, new);
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
    const int asks_now = changed_asks_now(s->question);
    for (int i = 0; i < t.n && n < MOST_VALUES; i++) {
        if (!t.v[i].is_number || has_number(&asked, t.v[i].number))
            continue;
        const size_t at = said_at(s, changed_value_at(&t, i));
        if (at == s->said.to || is_in_other_row(s, at))
            continue;
        l->near = changed_sentence(s, at);
        const size_t behind = at + span_bytes(t.v[i].at);
        // The number of a heading or of a clause is none that is said.
        if ((at == l->near.from && behind < s->n && is_one_of(s->text[behind], ".)")) ||
            is_old_there(l, at))
            continue;
        n++;
        if (look_for_both(l, &t, i, is_past) ||
            (!is_past && n <= MOST_NEW && (!s->unsure || asks_now) && changed_new(l, &t, i)) ||
            (!s->unsure && changed_headed(l, &t, i)))
            return 1;
    }
    return 0;
}

// Whether what was said, T, gives a number of the answer, which was made of another sentence, as
// the old one beside a new one.
static int says_itself(const struct changed_looking *l, const struct changed_tokens *t)
{
    struct changed_value new;
    for (int i = 0; i < t->n; i++)
        if (t->v[i].is_number && changed_answer_has(l->s, changed_value_at(t, i)) &&
            changed_is_old(t, i, &new) && !isnan(new.number) && !changed_answer_has(l->s, new))
            return changed_found(l, l->s->said);
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
    // "What was it at first?", but not "May I paint without asking first?"
    const int first =
        words_listed(" first ", question, n) && words_listed(" was were did had ", question, n);
    return !since || first || words_listed(FORMERLY, question, n);
}

// Looks for whatever changes what an answer said that is right as far as was known then.
static int find_change(struct changed_looking *l, int is_past)
{
    const struct changed_said *s = l->s;
    const size_t asked = strlen(s->question);
    struct changed_tokens t;
    changed_tokens(&t, s->text, s->said.from, s->said.to);
    if (span_bytes(s->said) <= LONGEST_SENTENCE && !changed_corrects(&t)) {
        const size_t to = changed_corrected(l, &t, s->said.to);
        size_t from = s->said.to;
        while (from < to && is_space(s->text[from]))
            from++;
        if (to && changed_found(l, (struct span_of_text){from, to}))
            return 1;
    }
    if (!is_past && span_bytes(s->said) <= LONGEST_SENTENCE && says_itself(l, &t))
        return 1;
    if (changed_really(l)) // of what was as well
        return 1;
    const struct span_of_text now = now_behind(s, &t);
    if (!is_past && span_bytes(now) && changed_found(l, now))
        return 1;
    if ((!is_past && changed_replaced(l)) || look_for_numbers(l, is_past))
        return 1;
    if (!is_past &&
        ((words_listed(WORDLIST_WHO FIRMS, s->question, asked) && changed_names(l)) ||
         changed_clause(l) || changed_defined(l) || changed_table(l) || changed_motion(l) ||
         changed_refused(l) || changed_row(l) || changed_decided(l) || changed_again(l)))
        return 1;
    return changed_quoted(l, is_past) || changed_not(l) || changed_not_it(l);
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
    const int is_found =
        s->unsure
            ? look_for_numbers(&l, is_past) ||
                  (!is_past && (changed_refused(&l) || changed_clause(&l) || changed_again(&l))) ||
                  changed_quoted(&l, is_past) || changed_not_it(&l)
            : find_change(&l, is_past);
    return is_found || changed_case(&l);
}
