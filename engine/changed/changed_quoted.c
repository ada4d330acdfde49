// Changes of what is quoted: of wording, 'In clause 4, "before the first frost" is replaced by "in
// October"', 'for "five to four" read "six to four"', and in replies: "> We can sell the boat",
// "Please don't."
#define _GNU_SOURCE
#include <string.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/sentences/reply.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

struct span_of_text changed_quotation(const char *text, size_t at, size_t end, size_t *behind)
{
    size_t n = 0, to;
    while (at < end && !(n = quotation_mark(text + at, end - at)))
        at++;
    for (to = at += n; n && to < end; to++) {
        const size_t closes = quotation_mark(text + to, end - to);
        *behind = to + closes;
        if (closes)
            return (struct span_of_text){at, to};
    }
    return (struct span_of_text){0, 0};
}

// Whether ANSWER has the words of text[Q), whatever white space divides them: several of them, for
// a single one may be used of other things.
static int answer_has(const char *answer, const char *text, struct span_of_text q)
{
    enum { LEAST = 12 }; // bytes
    if (span_bytes(q) < LEAST || !memchr(text + q.from, ' ', span_bytes(q)))
        return 0;
    for (const char *from = answer; *from; from++) {
        const char *p = from;
        size_t at = q.from;
        while (at < q.to && *p && (*p == text[at] || (is_space(*p) && is_space(text[at])))) {
            const int space = is_space(*p);
            for (p++, at++; space && is_space(*p);)
                p++;
            while (space && at < q.to && is_space(text[at]))
                at++;
        }
        if (at == q.to)
            return 1;
    }
    return 0;
}

// Whether the sentence V replaces words of the answer, which it quotes before byte VERB, by others.
static int replaces(const struct changed_looking *l, struct span_of_text v, size_t verb)
{
    static const char definition[] = "definition of ";
    const struct changed_said *s = l->s;
    struct span_of_text old = {0, 0}, next;
    size_t behind, at = v.from;
    while (span_bytes(next = changed_quotation(s->text, at, verb, &behind))) {
        old = next;
        at = behind;
    }
    const size_t most = sizeof definition - 1 + strlen("\u201c"),
                 before = old.from - v.from > most ? most : 0;
    return span_bytes(old) && span_bytes(changed_quotation(s->text, verb, v.to, &behind)) &&
           !memmem(s->text + old.from - before, before, definition, sizeof definition - 1) &&
           answer_has(s->answer, s->text, old);
}

int changed_quoted(struct changed_looking *l, int is_past)
{
    enum { OF_NOW = 3 }; // what puts right what was written counts of what was, too
    static const char *const VERBS[] = {"replace", "substitut", "to be read as", "\" read ",
                                        "\u201d read "};
    const struct changed_said *s = l->s;
    for (size_t i = is_past ? OF_NOW : 0; i < sizeof VERBS / sizeof *VERBS; i++) {
        const char *p = s->text + s->said.to, *end = s->text + s->n;
        for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), VERBS[i], strlen(VERBS[i]))); p++) {
            const size_t mark = (size_t)(p - s->text),
                         at = mark + quotation_mark(p, (size_t)(end - p));
            const struct span_of_text v = changed_sentence(s, at);
            l->left--;
            if (v.from >= s->said.to && v.from < at && !changed_is_quoted(s, v.from) &&
                replaces(l, v, at) && changed_found(l, v))
                return 1;
        }
    }
    return 0;
}

// Whether the first sentence of TEXT [n] says that what it replies to is not so: "Ada, that is not
// quite what was agreed."
static int denies(const char *text, size_t n)
{
    static const char *const ways[] = {" not quite what ", " not what was ",  " not what we ",
                                       " not quite right", " is not right",   " not correct",
                                       " is incorrect",    " was not agreed", " is not so"};
    const char *stop = memchr(text, '.', n);
    const size_t first = stop ? (size_t)(stop - text) + 1 : n;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (memmem(text, first, ways[i], strlen(ways[i])))
            return 1;
    return 0;
}

// Whether TEXT [n] begins as what refuses a proposal or denies a statement does.
static int refuses(const char *text, size_t n)
{
    static const char *const begins[] = {
        "No.",      "No, ",         "No! ",          "Nope",          "No it ",       "No they ",
        "No he ",   "No she ",      "No we ",        "No you ",       "Don't ",       "Don't.",
        "Do not ",  "Please don",   "Please do not", "Please not",    "NAK",          "NACK",
        "I object", "I disagree",   "Wrong",         "That is wrong", "That's wrong", "Not so",
        "Not true", "Not any more", "Not anymore",   "No longer"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (begins_with(text, n, begins[i]))
            return 1;
    return 0;
}

// Whether T says behind token I, what is denied, what is so instead: "not the sail, it is the
// mast".
static int says_another(const struct changed_tokens *t, int i)
{
    enum { FAR = 3 }; // tokens
    for (int k = i + 1; k <= i + FAR; k++)
        if (changed_is(t, k, " but ") ||
            (changed_is(t, k, " it he she they ") && changed_is(t, k + 1, " is are was were ")))
            return 1;
    return 0;
}

// Whether reply TEXT [n] sets something else against a word of what it answers to, QUOTED [bytes]:
// "She is my aunt, not my sister.", "It is not the sail, it is the mast."
static int corrects(const char *text, size_t n, const char *quoted, size_t bytes)
{
    static const char SKIPPED[] = WORDLIST_ARTICLES " my our your his her its their at by for from "
                                                    "in of on to with ";
    enum { SHORTEST = 4 }; // bytes of a word that is none of a number
    struct changed_tokens t;
    changed_tokens(&t, text, 0, n);
    for (int i = 1; i < t.n; i++) {
        const size_t before = t.v[i].at.from;
        if (!changed_is(&t, i, " not ") || before < 2)
            continue;
        const int against = text[before - 2] == ',' || changed_is(&t, i - 1, " and "),
                  denied = changed_is(&t, i - 1, " is are was were ");
        while (changed_is(&t, i + 1, SKIPPED))
            i++;
        if (i + 1 >= t.n)
            return 0;
        if (!against && !(denied && says_another(&t, i + 1)))
            continue;
        const char *word = text + t.v[i + 1].at.from;
        const size_t size = span_bytes(t.v[i + 1].at);
        if ((size >= SHORTEST || t.v[i + 1].is_number) &&
            word_form_is_in(quoted, bytes, word, size))
            return 1;
    }
    return 0;
}

// Words of a sentence that proposes something, or asks for a proposal.
static const char PROPOSING[] =
    " should shall could can would might must let lets propose suggest recommend want ";

// Whether S's question is about what was said beside a proposal: a word of it stands there, and
// none that it has stands in the proposal alone: "We should buy a bell. It costs 9 pounds."
static int asks_beside(const struct changed_said *s)
{
    const size_t n = strlen(s->question);
    char stem[WORD_STEM];
    size_t bytes;
    int proposed = 0, beside = 0;
    if (words_listed(PROPOSING, s->question, n))
        return 0;
    for (size_t q = 0; word_next(s->question, n, &q, stem, &bytes);) {
        int in[2] = {0}; // what is beside proposals, and those
        struct span_of_text v = changed_sentence(s, s->said.from);
        for (size_t at; v.from < s->said.to || answer_has(s->answer, s->text, v);) {
            const int proposes = words_listed(PROPOSING, s->text + v.from, span_bytes(v));
            proposed |= proposes;
            in[proposes] |=
                word_form_is_in(s->text + v.from, span_bytes(v), s->question + q - bytes, bytes);
            at = v.to;
            if (!changed_next(s, &at, &v))
                break;
        }
        beside |= changed_word_tells(bytes, stem) && in[0] && !in[1];
    }
    return proposed && beside;
}

// Whether the reply of S's text from byte AT on speaks of what is asked for: behind its first
// words, if these are no more than "No.", it has a number, begins with "it" or the like, or has a
// word of the question other than those by which an amount is asked for.
static int speaks_of_asked(const struct changed_said *s, size_t at)
{
    static const char amounts[] =
        " cost costs price prices pay pays charge charges worth much many ";
    enum { BARE = 2, LEADS = 3 }; // words
    const size_t n = strlen(s->question);
    struct span_of_text v = changed_sentence(s, at);
    struct changed_tokens t;
    char stem[WORD_STEM];
    size_t bytes;
    v.from = at;
    changed_tokens(&t, s->text, v.from, v.to);
    at = v.to;
    if (t.n <= BARE && changed_next(s, &at, &v))
        changed_tokens(&t, s->text, v.from, v.to);
    if (t.n <= BARE)
        return 1;
    for (int i = 0; i < t.n; i++)
        if (t.v[i].is_number || (i < LEADS && changed_is(&t, i,
                                                         " it its it's they he she that "
                                                         "that's this these those ")))
            return 1;
    for (size_t q = 0; word_next(s->question, n, &q, stem, &bytes);) {
        const char *word = s->question + q - bytes;
        if (changed_word_tells(bytes, stem) && !word_is_listed(amounts, word, bytes) &&
            word_form_is_in(s->text + v.from, span_bytes(v), word, bytes))
            return 1;
    }
    return 0;
}

// Whether another quoted line begins between bytes FROM, where one ends, and REPLY: what is refused
// may be that alone.
static int is_followed(const struct lines *c, size_t from, size_t reply)
{
    if (from > 0 && !is_one_of(c->text[from - 1], ".!"))
        return 0;
    for (size_t line = from + 1; line < reply; line = line_end(c, line) + 1)
        if (line_quoted(c, line) && line_words(c, line, line_end(c, line)) < line_end(c, line))
            return 1;
    return 0;
}

int changed_refused(struct changed_looking *l)
{
    enum { AROUND = 4096 }; // bytes in which who is quoted, and the reply, are looked for
    static const char mark[] = "\n>";
    const struct changed_said *s = l->s;
    const char *p = s->text + s->said.to, *end = s->text + s->n;
    for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1)); p++) {
        const size_t at = (size_t)(p - s->text) + 1, first = at > AROUND ? at - AROUND : 0;
        struct lines c = {.text = s->text + first,
                          .n = (s->n - at > AROUND ? at + AROUND : s->n) - first};
        const size_t line = at - first, stop = line_end(&c, line),
                     from = line_words(&c, line, stop);
        size_t to = line_trimmed(&c, from, stop);
        const struct span_of_text quoted = {from, to - (to > from && c.text[to - 1] == '.')};
        if (line_asks(c.text + from, to - from) || !answer_has(s->answer, c.text, quoted))
            continue;
        l->left--;
        lines_of_text(&c, c.text, c.n);
        if (!reply_below(&c, from, &to))
            continue;
        const size_t reply = reply_start(&c, from, to);
        if (reply > from && !is_followed(&c, stop, reply) &&
            (!asks_beside(s) || speaks_of_asked(s, first + reply)) &&
            (refuses(c.text + reply, to - reply) || denies(c.text + reply, to - reply) ||
             corrects(c.text + reply, to - reply, c.text + from, span_bytes(quoted))) &&
            changed_found(l, (struct span_of_text){first + line, first + to}))
            return 1;
    }
    return 0;
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
