// Amendments that name a clause: "In Rule 6 the number of hens is lowered to four."
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

static const char NOUNS[] = CHANGED_CLAUSES;

// What a clause is called: NUMBER of its text ("12.1"), and before it the noun, which may be
// missing.
struct label {
    struct span_of_text noun, number;
    int is_paragraph; // 1: the number of a paragraph of prose, which may be an item's
};

// The label that text[FROM .. TO), a line, begins with, if that is one of a clause: "12.1 The",
// "Rule 6. Animals", "## 3. Rent", but not "1. To pass", which may be an item, nor "2      Hall
// 30", a row.
static int label_of(const char *text, size_t from, size_t to, struct label *l)
{
    enum { SHORT = 80 }; // bytes of a heading
    size_t at = from;
    while (at < to && (is_space(text[at]) || is_one_of(text[at], "#*>\"(")))
        at++;
    *l = (struct label){.noun = {at, at}};
    if (begins_with(text + at, to - at, CHANGED_SIGN))
        at += strlen(CHANGED_SIGN);
    while (at < to && word_has(text[at]) && !is_digit(text[at]))
        at++;
    l->noun.to = at;
    const int has_noun = word_is_listed(NOUNS, text + l->noun.from, span_bytes(l->noun));
    if (at > l->noun.from && !has_noun)
        return 0;
    while (has_noun && at < to && text[at] == ' ')
        at++;
    l->number = (struct span_of_text){at, at};
    while (at < to &&
           (is_digit(text[at]) || (text[at] == '.' && at + 1 < to && is_digit(text[at + 1]))))
        at++;
    l->number.to = at;
    if (!span_bytes(l->number) || !is_digit(text[l->number.from]))
        return 0;
    const int is_sign = begins_with(text + l->noun.from, span_bytes(l->noun), CHANGED_SIGN);
    if (has_noun)
        return at == to || is_one_of(text[at], ".:)\r") ||
               (is_sign && at + 1 < to && text[at] == ' ' && is_upper(text[at + 1]));
    if (memchr(text + l->number.from, '.', span_bytes(l->number)))
        return at < to && is_one_of(text[at], ". )");
    while (to > at && is_space(text[to - 1]))
        to--;
    return to - from <= SHORT && to > at + 1 && is_one_of(text[at], ". )") &&
           !is_one_of(text[to - 1], ".;,:") && !memmem(text + at, to - at, "   ", LINE_SPREAD);
}

// The label of the clause that L's sentence is in: of its line, or of one above.
static int label_above(const struct changed_looking *l, struct label *label)
{
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text line = line_at(&c, l->near.from);
    do // what is said may begin with a heading above it
        if (label_of(s->text, line.from, line.to, label))
            return 1;
    while (changed_line_above(s, s->said.from, &line));
    return 0;
}

// Whether token I of T leads in what was agreed: "The parties agree that", "and that".
static int is_agreed(const struct changed_tokens *t, int i)
{
    return changed_is(t, i, " that ") &&
           changed_first(t, 0, i, " agree agrees agreed resolve resolved decided ") >= 0;
}

// Whether token I of T is the noun of a clause at the beginning of its sentence: "Rule 4 is", "D.
// In clause 12.1 the", "Fourthly, in Rule 6", or of what is agreed.
static int begins_with_clause(const struct changed_tokens *t, int i)
{
    if (!changed_is(t, i, NOUNS))
        return 0;
    if (changed_is(t, i - 1, " and ")) // "and clause 5.3 is varied"
        return 1;
    if (changed_is(t, i - 1, " in the ") || i == 0)
        return i < 4 || t->v[i - 1].is_capital || // "A2.4 **Fees.** In clause 10.2"
               is_agreed(t, i - 2);
    if (is_agreed(t, i - 1))
        return 1;
    if (i == 1 && changed_is(t, 0, " that ")) // "That clause 6.3 be amended"
        return 1;
    const struct span_of_text first = t->v[0].at;
    return i == 1 && (t->v[0].is_number || span_bytes(first) == 1 || t->text[first.to - 1] == 'y');
}

// Whether byte AT of TEXT is right behind a mark that a defined term begins with.
static int is_marked(const char *text, size_t at)
{
    return at > 0 &&
           (is_one_of(text[at - 1], "\"'*") || (at > 2 && begins_with(text + at - 3, 3, "\u201c")));
}

// Whether a defined term ends before byte AT of L's text, because of its mark or the sentence.
static int ends_term(const struct changed_looking *l, size_t at)
{
    const char *text = l->s->text + at;
    return at >= l->near.to || is_one_of(*text, "\"'*") ||
           begins_with(text, l->near.to - at, "\u201d");
}

// The quoted term whose definition T says that it is about: "Rent" of 'In clause 1, for the
// definition of "Rent" there is substituted'; no bytes: it says none.
static struct span_of_text defined_term(const struct changed_tokens *t)
{
    int i = 0;
    while (i < t->n && !(changed_is(t, i, " definition ") && changed_is(t, i + 1, " of ")))
        i++;
    i += changed_is(t, i + 2, " the ") ? 3 : 2;
    if (i >= t->n || !is_marked(t->text, t->v[i].at.from))
        return (struct span_of_text){0, 0};
    struct span_of_text term = t->v[i].at;
    while (++i < t->n && t->v[i].at.from == term.to + 1 && t->text[term.to] == ' ')
        term.to = t->v[i].at.to;
    return term;
}

// Whether T is about the definition of a term that is not the one of L's sentence.
static int is_of_another_term(const struct changed_looking *l, const struct changed_tokens *t)
{
    const char *text = l->s->text;
    const struct span_of_text term = defined_term(t);
    const size_t n = span_bytes(term);
    for (size_t at = l->near.from; n && at + n <= l->near.to; at++)
        if (!memcmp(text + at, text + term.from, n) && is_marked(text, at) && ends_term(l, at + n))
            return 0;
    return n > 0;
}

// Whether sentence V puts words that it quotes first, and that what was said and the answer have,
// in place of others: '"the 3rd" becomes "the 6th"'.
static int rewords(const struct changed_looking *l, struct span_of_text v)
{
    static const char VERBS[] = " becomes read replaced substituted substitute changed ";
    const struct changed_said *s = l->s;
    size_t behind, end;
    const struct span_of_text old = changed_quotation(s->text, v.from, v.to, &behind);
    const char *words = s->text + old.from;
    return span_bytes(old) && span_bytes(changed_quotation(s->text, behind, v.to, &end)) &&
           words_listed(VERBS, s->text + v.from, span_bytes(v)) &&
           words_stand_in(s->text + s->said.from, span_bytes(s->said), words, span_bytes(old)) &&
           words_stand_in(s->answer, strlen(s->answer), words, span_bytes(old));
}

// Whether T names behind what L's sentence is about, too, the clause of token I that has it: "the
// fee under clause 3.2".
static int is_thing_of(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    const char *text = l->s->text;
    return i >= 3 && changed_is(t, i - 2, " in of under ") &&
           word_form_is_in(text + l->near.from, span_bytes(l->near), text + t->v[i - 3].at.from,
                           span_bytes(t->v[i - 3].at));
}

// Whether T says right behind such a clause that it is brought to another number: "The fee under
// clause 3.2 is reduced to 20 pounds".
static int brings(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    int new = -1;
    if (!changed_says_so(t, i, 1))
        return 0;
    if (changed_is(t, i + 2, " extended ") && changed_is(t, i + 3, " by "))
        return 1;
    for (int k = i + 2; new < 0 && k <= i + 5; k++)
        new = changed_gets(t, k);
    return new >= 0 && !changed_answer_has(l->s, changed_value_at(t, new));
}

// The verb of what T says behind token I should be said: "should read", "ought to be"; -1: none.
static int should_be(const struct changed_tokens *t, int i)
{
    enum { FAR = 20 }; // tokens
    const int should = changed_first(t, i + 1, FAR, " should ought "), verb = should + 1;
    if (should < 0)
        return -1;
    const int to = changed_is(t, should, " ought ") && changed_is(t, verb, " to ");
    return changed_is(t, verb + to, " be read have ") ? verb + to : -1;
}

// Whether T begins with "In", "Under" or the like and the clause of token I, which is called by its
// number alone: "E4. In 14.1 the".
static int begins_with_number(const struct changed_tokens *t, int i)
{
    return i > 0 && i < 4 && changed_is(t, i - 1, " at in under ") && t->v[i - 1].is_capital;
}

// The token before the number that T, which begins with such a clause, brings something in it to:
// "In 14.1 the time for this is lengthened to 60 days"; -1: it does not.
static int brings_in(const struct changed_tokens *t, int i)
{
    int new = -1;
    for (int k = i + 1; new < 0 && k < t->n; k++)
        new = changed_gets(t, k);
    return new > i + 1 ? new - 1 : -1;
}

// The verb with which T gives, behind such a clause, what something in it is: "the rate in clause
// 4.1 is", "should read", of what is resolved "That in clause 4.1 the rate be"; -1: there is none.
static int gives(const struct changed_tokens *t, int i)
{
    enum { FAR = 8 }; // tokens
    const int should = should_be(t, i);
    if (begins_with_number(t, i))
        return should >= 0 ? should : brings_in(t, i);
    if (i < 2 || !changed_is(t, i - 2, " in of under "))
        return begins_with_clause(t, i - 1) ? should : -1;
    if (changed_is(t, i + 1, " is are becomes become "))
        return i + 1;
    return should >= 0                  ? should
           : changed_is(t, 0, " that ") ? changed_first(t, i + 1, FAR, " be ")
                                        : -1;
}

// Whether T says behind such a clause that a number of WAS is none: "In clause 4 it is 25, not 20."
static int denies_one(const struct changed_tokens *was, const struct changed_tokens *t, int i)
{
    for (int k = i + 2; k < t->n; k++)
        for (int o = 0; t->v[k].is_number && changed_is(t, k - 1, " not ") && o < was->n; o++)
            if (was->v[o].is_number && was->v[o].number == t->v[k].number)
                return 1;
    return 0;
}

// Whether T says behind such a clause that something is another number than WAS, L's sentence, has
// of that unit: "From 1 May the rate in clause 4.1 is 5 %".
static int sets_other(const struct changed_looking *l, const struct changed_tokens *was,
                      const struct changed_tokens *t, int i)
{
    enum { NEAR = 3 }; // tokens
    const int verb = gives(t, i);
    if (changed_is(t, i - 2, " in under ") && denies_one(was, t, i))
        return 1;
    if (verb < 0)
        return 0;
    for (int k = verb + 1; k < t->n && k <= verb + NEAR; k++) {
        int same = 0, other = 0;
        for (int o = 0; t->v[k].is_number && o < was->n; o++)
            if (was->v[o].is_number && changed_is_same_unit(was, o, t, k)) {
                same |= was->v[o].number == t->v[k].number;
                other |= was->v[o].number != t->v[k].number;
            }
        if (other && !same)
            return !changed_answer_has(l->s, changed_value_at(t, k));
    }
    return 0;
}

// Whether T, which names a clause at token I, gives behind it a number of WAS, L's sentence, as the
// old one beside a new one: "In article 21, the limit of 40 pounds is struck out and 65 put in its
// place."
static int takes_back(const struct changed_looking *l, const struct changed_tokens *was,
                      const struct changed_tokens *t, int i)
{
    struct changed_value new;
    for (int k = i + 1; k < t->n; k++)
        for (int o = 0; t->v[k].is_number && o < was->n; o++)
            if (was->v[o].is_number && changed_is_same_unit(was, o, t, k) &&
                changed_is_same(changed_value_at(was, o), changed_value_at(t, k)) &&
                changed_answer_has(l->s, changed_value_at(t, k)) && changed_is_old(t, k, &new) &&
                !isnan(new.number) && !changed_answer_has(l->s, new))
                return 1;
    return 0;
}

// Whether it is asked who somebody is, and T says right behind such a clause that a place there is
// another one's: "His place in clause 5.4 is taken by Ada Brown".
static int replaces_somebody(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    return changed_is(t, i - 2, " in of under ") && changed_is(t, i + 1, " is will ") &&
           changed_first(t, i + 2, 2, " taken filled replaced ") >= 0 &&
           changed_first(t, i + 3, 2, " by ") >= 0 &&
           words_listed(WORDLIST_WHO, l->s->question, strlen(l->s->question));
}

// Whether T denies behind such a clause a word that was said there, beside what holds in its stead:
// "In paragraph 9 the sum is payable by the fund and not by the tenant."
static int denies_word(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    static const char before[] = " a an at by for from in of on our the their to with ";
    const struct changed_said *s = l->s;
    for (int k = i + 2; k + 1 < t->n; k++) {
        const int behind = t->text[t->v[k - 1].at.to] == ',' || changed_is(t, k - 1, " and but "),
                  pair = (changed_is(t, k, " instead ") && changed_is(t, k + 1, " of ")) ||
                         (changed_is(t, k, " rather ") && changed_is(t, k + 1, " than "));
        int word = k + 1 + pair;
        if (!pair && !(changed_is(t, k, " not ") && behind))
            continue;
        while (changed_is(t, word, before))
            word++;
        if (word >= t->n || t->v[word].is_number)
            continue;
        const char *own = t->text + t->v[word].at.from;
        const size_t n = span_bytes(t->v[word].at);
        char stem[WORD_STEM];
        size_t at = 0;
        if (word_next(own, n, &at, stem, NULL) && changed_word_tells(n, stem) &&
            word_form_is_in(s->text + l->near.from, span_bytes(l->near), own, n) &&
            word_form_is_in(s->answer, strlen(s->answer), own, n))
            return 1;
    }
    return 0;
}

// Sentence V, which takes a clause away, with the next one if that says what stands in its place:
// "Clause 4 is replaced. Dogs may be kept.", "Clause 7 is deleted. The tenant may sublet."
static struct span_of_text with_new(const struct changed_looking *l, struct span_of_text v)
{
    static const char *const begins[] = {"In its place", "In its stead", "Instead",
                                         "It is replaced", "The following"};
    const struct changed_said *s = l->s;
    struct span_of_text next;
    size_t at = v.to, last = v.to;
    while (last > v.from && !word_has(s->text[last - 1]))
        last--;
    const size_t from = word_start_before(s->text, v.from, last);
    if (changed_next(s, &at, &next)) {
        const int is_gone = word_is_listed(" deleted removed ", s->text + from, last - from);
        if (word_is_listed(" replaced substituted ", s->text + from, last - from) ||
            (is_gone && changed_count_near(l, next) > 0))
            return (struct span_of_text){v.from, next.to};
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
            if (begins_with(s->text + next.from, span_bytes(next), begins[i]))
                return (struct span_of_text){v.from, next.to};
    }
    return v;
}

// Whether T names the clause at token I by what it is of, "The break clause at 9.1".
static int is_placed(const struct changed_tokens *t, int i)
{
    return i >= 2 && changed_is(t, i - 1, " at in under ");
}

// Whether T says at once that the clause at token I, which is named in either way, is replaced.
static int is_replaced(const struct changed_tokens *t, int i)
{
    return (is_placed(t, i) || begins_with_clause(t, i - 1)) &&
           changed_is(t, i + 1, " is are shall ") &&
           changed_first(t, i + 2, 3, " replaced substituted deleted ") >= 0;
}

// Whether the clause of token I of T is one of a part of the text or of another one: "clause 3 of
// Schedule 2", but not "of the lease".
static int is_elsewhere(const struct changed_tokens *t, int i)
{
    static const char wholes[] = " lease agreement contract deed rules policy constitution charter "
                                 "licence license byelaws bylaws articles terms regulations act ";
    enum { NEAR = 2 }; // tokens
    return changed_is(t, i + 1, " of ") && !(changed_is(t, i + 2, " the this our said ") &&
                                             changed_first(t, i + 3, NEAR, wholes) >= 0);
}

// Whether the sentence around byte AT, where a clause is named, says that it is another now.
static int amends(struct changed_looking *l, size_t at, int is_own)
{
    enum { TITLE = 80 }; // bytes
    const struct changed_said *s = l->s;
    const struct span_of_text v = changed_sentence(s, at);
    struct changed_tokens t, was;
    int i = 0, both;
    l->left--;
    changed_tokens(&t, s->text, v.from, v.to);
    while (i < t.n && t.v[i].at.from != at)
        i++;
    if (v.from < s->said.to || i == t.n || is_elsewhere(&t, i))
        return 0;
    const int names_it = begins_with_clause(&t, i - 1); // nothing else need be said of it
    if (is_own && !s->unsure && is_replaced(&t, i) && (names_it || changed_shares_word(l, v)))
        return changed_found(l, with_new(l, v));
    if (l->replaced)
        return 0;
    const struct span_of_text titled = changed_titled(s, v, TITLE);
    changed_tokens(&was, s->text, l->near.from, l->near.to);
    if (is_own && sets_other(l, &was, &t, i) &&
        (names_it || changed_shares_word(l, titled) ||
         (begins_with_number(&t, i) && changed_count_near(l, v) > 0)))
        return changed_found(l, titled);
    if (is_own && (replaces_somebody(l, &t, i) ||
                   (names_it && (denies_word(l, &t, i) || takes_back(l, &was, &t, i)))))
        return changed_found(l, titled);
    if (s->unsure)
        return is_own && begins_with_clause(&t, i - 1) &&
               (rewords(l, v) || changed_says_so(&t, i, 1)) && changed_found(l, with_new(l, v));
    // "The fee in clause 3.2 is waived."
    if (is_own && changed_is_gone(&t, i))
        return changed_shares_word(l, v) && changed_found(l, v);
    if (is_own && begins_with_clause(&t, i - 1) && rewords(l, v))
        return changed_found(l, v);
    if (is_own && is_thing_of(l, &t, i)) {
        // "The number in clause 4.1 was misprinted. It should read"
        const size_t to = changed_is_report(&t) ? changed_corrected(l, &t, v.to) : 0;
        if (to || brings(l, &t, i))
            return changed_found(l, (struct span_of_text){v.from, to ? to : v.to});
    }
    const int says =
        changed_reads_so(&t) || (begins_with_clause(&t, i - 1) && changed_says_so(&t, i, 14));
    if (!says || is_of_another_term(l, &t))
        return 0;
    // Of a clause that is replaced as a whole nothing holds any more.
    const int is_whole = is_own && changed_says_so(&t, i, 1);
    return (is_whole || (changed_is_about(l, v, &both) && both)) &&
           changed_found(l, with_new(l, v));
}

// The number with which the paragraph of L's sentence begins, "33. The fence must": 1, or 0 where
// it has none.
static int numbers_paragraph(const struct changed_looking *l, struct label *label)
{
    const struct changed_said *s = l->s;
    const struct lines c = {.text = s->text, .n = s->n};
    struct span_of_text line = line_at(&c, l->near.from);
    while (line.from > 0 && !is_digit(s->text[line.from]) &&
           !line_is_empty(&c, line_start(&c, line.from - 1)) &&
           changed_line_above(s, s->said.from, &line))
        ;
    size_t at = line.from;
    while (at < line.to && is_digit(s->text[at]))
        at++;
    *label = (struct label){.number = {line.from, at}, .is_paragraph = 1};
    return at > line.from && at + 2 < line.to && s->text[at] == '.' && s->text[at + 1] == ' ' &&
           is_upper(s->text[at + 2]);
}

// Whether no other paragraph of S's text, some kilobytes around byte AT, has the number that LABEL
// has, so that "Clause 7" can be no item of another list.
static int is_alone(const struct changed_said *s, const struct label *label, size_t at)
{
    enum { AROUND = 1 << 16 }; // bytes
    const struct lines c = {.text = s->text, .n = s->n};
    const char *number = s->text + label->number.from;
    const size_t n = span_bytes(label->number), own = label->number.from,
                 from = own > AROUND ? own - AROUND : 0, to = at > own ? at : own;
    for (const char *p = s->text + from, *end = s->text + to;
         (p = memmem(p, (size_t)(end - p), number, n)); p++) {
        const size_t i = (size_t)(p - s->text);
        if (i != own && i == line_words(&c, line_start(&c, i), line_end(&c, i)) && p[n] == '.')
            return 0;
    }
    return 1;
}

// Whether NOUN of S's text, which stands before its number, may be what LABEL is called.
static int may_be_called(const struct changed_said *s, struct span_of_text noun,
                         const struct label *label)
{
    const char *word = s->text + noun.from;
    const size_t n = span_bytes(noun);
    if (label->is_paragraph)
        return word_is_listed(" paragraph para ", word, n) ||
               (word_is_listed(NOUNS, word, n) && is_alone(s, label, noun.from));
    if (word_is_listed(NOUNS, word, n))
        return !span_bytes(label->noun) || span_is_alike(s->text, noun, s->text, label->noun);
    return memchr(s->text + label->number.from, '.', span_bytes(label->number)) &&
           word_is_listed(" at in under ", word, n);
}

// As changed_clause, of what is called by LABEL.
static int look_for_label(struct changed_looking *l, struct label label)
{
    const struct changed_said *s = l->s;
    const char *number = s->text + label.number.from;
    const size_t whole = span_bytes(label.number);
    for (size_t n = whole; n;) {
        label.number.to = label.number.from + n;
        const int is_own =
            n == whole && (label.is_paragraph || memchr(number, '.', n) || span_bytes(label.noun));
        size_t at = s->said.to;
        for (const char *p; l->left > 0 && (p = memmem(s->text + at, s->n - at, number, n)); at++) {
            at = (size_t)(p - s->text);
            size_t to = at;
            while (to > s->said.to && is_space(s->text[to - 1]))
                to--;
            const size_t least = to - s->said.to > WORD_LISTED ? to - WORD_LISTED : s->said.to,
                         sign = strlen(CHANGED_SIGN);
            struct span_of_text noun = {word_start_before(s->text, least, to), to};
            if (to - least >= sign && !memcmp(s->text + to - sign, CHANGED_SIGN, sign))
                noun.from = to - sign;
            const char *behind = s->text + at + n;
            const size_t left = s->n - at - n;
            if ((left && is_digit(*behind)) ||
                (left > 1 && *behind == '.' && is_digit(behind[1])) || to == at ||
                !may_be_called(s, noun, &label))
                continue;
            if (amends(l, at, is_own))
                return 1;
        }
        while (n && number[n - 1] != '.') // clause 12 has 12.1
            n--;
        n -= n > 0;
    }
    return 0;
}

// As changed_clause, of what L's sentence is.
static int look_for_clause(struct changed_looking *l)
{
    struct label label;
    return (label_above(l, &label) && look_for_label(l, label)) ||
           (numbers_paragraph(l, &label) && look_for_label(l, label));
}

int changed_replaced(struct changed_looking *l)
{
    const struct span_of_text near = l->near;
    l->near = (struct span_of_text){changed_sentence(l->s, l->s->said.from).from, l->s->said.to};
    l->replaced = 1;
    const int found = look_for_clause(l);
    l->replaced = 0;
    l->near = near;
    return found;
}

int changed_clause(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    l->near = changed_sentence(s, s->said.to - 1);
    if (look_for_clause(l) || changed_coded(l))
        return 1;
    // Of a list any item.
    const size_t from = changed_sentence(s, s->said.from).from;
    if (from == l->near.from)
        return 0;
    l->near = (struct span_of_text){from, s->said.to};
    return look_for_clause(l) || changed_coded(l);
}

int changed_defined(struct changed_looking *l)
{
    const struct changed_said *s = l->s;
    l->near = changed_sentence(s, s->said.from);
    const struct span_of_text term = changed_term(s, l->near);
    const size_t n = span_bytes(term);
    size_t at = l->near.to;
    for (const char *p;
         n && l->left > 0 && (p = memmem(s->text + at, s->n - at, s->text + term.from, n)); at++) {
        at = (size_t)(p - s->text);
        const struct span_of_text v = changed_sentence(s, at);
        struct changed_tokens t;
        l->left--;
        changed_tokens(&t, s->text, v.from, v.to);
        int i = changed_from_day(&t);
        i += changed_is(&t, i, " the ");
        if (i > 0 && i < t.n && t.v[i].at.from == at && !changed_is_quoted(s, v.from) &&
            changed_found(l, v))
            return 1;
    }
    return 0;
}
