// Changes that say only what is new: "Holiday for full-time staff goes up to 27 days."
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "engine/changed/changed_impl.h"
#include "engine/lines/lines.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum { LONGEST_QUESTION = 512 }; // bytes

// Appends the heading above byte AT of S's text to OWN, which has room for LONGEST_SENTENCE bytes
// more: what a change is of may be said in the subject of its mail alone.
static void add_heading(const struct changed_said *s, size_t at, char *own)
{
    enum { ABOVE = 4096 }; // bytes
    const size_t first =
        at > ABOVE ? line_start(&(struct lines){.text = s->text, .n = s->n}, at - ABOVE) : 0;
    const struct lines c = {.text = s->text + first, .n = s->n - first};
    size_t from, to;
    if (!heading_before(&c, at - first, &from, &to) || to - from > LONGEST_SENTENCE)
        return;
    const size_t n = strlen(own);
    own[n] = '\n';
    memcpy(own + n + 1, c.text + from, to - from);
    own[n + 1 + to - from] = 0;
}

// Whether LACKS is but the word with which QUESTION asks how something is: "How long is ...?"
static int word_behind_how(const char *question, const char *lacks)
{
    static const char how[] = "how ";
    const size_t n = strlen(lacks) - 1; // the space behind it
    return !strncasecmp(question, how, strlen(how)) && memchr(lacks, ' ', n) == NULL &&
           !strncasecmp(question + strlen(how), lacks, n + 1);
}

// Whether LACKS is but the word before a later one of QUESTION that OWN has behind "the": "the
// freeze" is the feature freeze that was told of before.
static int word_of_name(const char *question, const char *lacks, const char *own)
{
    enum { SHORTEST = 4 };
    const size_t n = strlen(lacks), asked = strlen(question); // with the space behind it
    const char *p = strstr(question, lacks);
    char stem[WORD_STEM], next[WORD_STEM], word[WORD_LISTED + 1];
    size_t bytes, at = p ? (size_t)(p - question) + n : asked, i = 0;
    int behind_the = 0;
    if (memchr(lacks, ' ', n) != lacks + n - 1 || !word_next(question, asked, &at, stem, &bytes) ||
        bytes < SHORTEST || at != (size_t)(p - question) + n + bytes)
        return 0;
    for (size_t before = 0; word_next(own, strlen(own), &i, next, NULL); before = i) {
        if (behind_the && !memcmp(stem, next, WORD_STEM))
            return 1;
        behind_the = word_small(own, i, &before, word, sizeof word) == 3 && !memcmp(word, "the", 3);
    }
    return 0;
}

// Drops from LACKS the words that ask whether something was changed.
static void drop_changes(char *lacks)
{
    size_t to = 0;
    for (size_t from = 0, n; lacks[from]; from += n) {
        n = strcspn(lacks + from, " ") + 1;
        if (changed_asks(lacks + from, n - 1))
            continue;
        memmove(lacks + to, lacks + from, n);
        to += n;
    }
    lacks[to] = 0;
}

// Whether the answer has the new number V already: where the old one is on a line of a list, that
// line.
static int has_new(const struct changed_looking *l, struct changed_value v)
{
    struct changed_said near = *l->s;
    char line[LONGEST_SENTENCE + 1];
    const size_t n = span_bytes(l->near);
    const char *text = near.text + l->near.from;
    if (!n || n > LONGEST_SENTENCE || is_one_of(text[n - 1], ".!?"))
        return changed_answer_has(l->s, v);
    memcpy(line, text, n);
    line[n] = 0;
    near.answer = line;
    return changed_answer_has(&near, v);
}

// Whether what T says at token I, "AB-12 now ends 30 June", is of what was said: it has this code,
// and the question or the answer has what it does.
static int is_of_code(const struct changed_looking *l, const struct changed_tokens *t, int i)
{
    const struct changed_said *s = l->s;
    if (i < 1 || !changed_is(t, i, " now "))
        return 0;
    const size_t to = t->v[i - 1].at.to;
    size_t from = to;
    while (from > 0 && (word_has(s->text[from - 1]) || is_one_of(s->text[from - 1], "-./")))
        from--;
    const char *code = s->text + from, *verb = s->text + t->v[i + 1].at.from;
    const size_t bytes = span_bytes(t->v[i + 1].at);
    return is_upper(*code) && word_has_digit(code, to - from) &&
           words_stand_in(s->text + l->near.from, span_bytes(l->near), code, to - from) &&
           (word_form_is_in(s->question, strlen(s->question), verb, bytes) ||
            word_form_is_in(s->answer, strlen(s->answer), verb, bytes));
}

// Whether the sentence around byte AT says so of what is asked for.
static int says_new(struct changed_looking *l, size_t at, const struct changed_tokens *old, int i)
{
    const struct changed_said *s = l->s;
    const struct span_of_text v = changed_sentence(s, at);
    const struct changed_value was = changed_value_at(old, i);
    struct changed_tokens t;
    char own[2 * LONGEST_SENTENCE + 2], lacks[LONGEST_QUESTION + 2];
    int new = -1, by = -1, both;
    l->left--;
    if (v.from < l->near.to || span_bytes(v) > LONGEST_SENTENCE)
        return 0;
    changed_tokens(&t, s->text, v.from, v.to);
    while (new < 0 && ++by < t.n)
        new = changed_gets(&t, by);
    if (new < 0 || has_new(l, changed_value_at(&t, new)) ||
        !was.month != !changed_value_at(&t, new).month ||
        (!was.month && !changed_is_same_unit(old, i, &t, new)) || changed_is_quoted(s, v.from))
        return 0;
    // What is named stands before the number, too: "is 20 pounds from".
    if (is_of_code(l, &t, by) || changed_is_of_thing(l, &t, by < new ? by : new - 1))
        return changed_found(l, v);
    if (s->unsure || changed_is_of_other(l, &t))
        return 0;
    memcpy(own, s->text + v.from, span_bytes(v));
    own[span_bytes(v)] = 0;
    add_heading(s, v.from, own);
    words_lacking(s->question, own, lacks);
    drop_changes(lacks);
    if (*lacks && (word_behind_how(s->question, lacks) || word_of_name(s->question, lacks, own)))
        *lacks = 0;
    return !*lacks && changed_is_about(l, v, &both) && both && changed_found(l, v);
}

// Whether the word of TEXT that ends before byte AT, in small letters, is of LIST.
static int is_behind(const char *text, size_t at, const char *list)
{
    size_t from = at;
    while (from > 0 && at - from < WORD_LISTED && is_lower(text[from - 1]))
        from--;
    return word_is_listed(list, text + from, at - from);
}

// Whether a number stands before byte AT of TEXT, with a unit or not.
static int is_behind_number(const char *text, size_t at)
{
    enum { NEAR = 32 }; // bytes: "20 pounds a year with effect"
    const size_t least = at > NEAR ? at - NEAR : 0;
    while (at > least && !is_digit(text[at - 1]))
        at--;
    return at > least;
}

// Whether TEXT [n] begins with a day or a month: "1 January", "May", "the first Monday in".
static int is_before_day(const char *text, size_t n)
{
    char word[WORD_LISTED + 1];
    size_t at = 0, bytes = word_small(text, n, &at, word, sizeof word);
    if (bytes == strlen("the") && word_is_listed(" the ", word, bytes))
        bytes = word_small(text, n, &at, word, sizeof word);
    return bytes && (is_digit(word[0]) || word_is_listed(WORDLIST_MONTHS " first ", word, bytes));
}

// Whether what stands around bytes AT to TO of TEXT [n], one of the words that are looked for, may
// say that something gets another number. Most of them do not, and are left at once.
static int may_be(const char *text, size_t n, size_t at, size_t to)
{
    static const char ways[] = CHANGED_VERBS CHANGED_MOVES CHANGED_WAYS "off slipped rescheduled "
                                                                        "rearranged ",
                      before[] = " is are ", units[] = WORDLIST_SPANS_IN_YEAR " fortnight ";
    const size_t from = to;
    const int is_new = text[at] == 'e' && text[at + 1] == 'w';
    if (text[at] == 'r' && text[at + 1] == 'o') // "from"
        return (is_behind(text, at, " f ") && is_behind_number(text, at)) ||
               is_before_day(text + to, n - to);
    if (text[at] != ' ' && !is_new)
        return 1;
    if (text[at + 1] == 'l' || text[at + 1] == 'e') // "later", "earlier"
        return is_behind(text, at, units);
    if (is_one_of(text[at + 1], "tbu")) // "to", "by", "until", "till", "therefore"
        return is_behind(text, at, to - at > 9 ? before : ways);
    while (to < n && to - from < WORD_LISTED && is_lower(text[to]))
        to++;
    if (is_new)
        return changed_has_amount(text + from, to - from);
    return is_behind(text, at, before) || changed_does(text + from, to - from) ||
           (to - from == 2 && !memcmp(text + from, "be", 2));
}

int changed_new(struct changed_looking *l, const struct changed_tokens *old, int i)
{
    // Few, because each is looked for in all of the text.
    static const char *const WAYS[] = {
        " to ",     " by ",        " now ",     "becomes ",  "should read ", "should have read ",
        "reduce ",  "raise ",      "lower ",    "increase ", "extend ",      "shorten ",
        "change ",  "moves",       "be moved ", "ew ",       "rom ",         " later",
        " earlier", " therefore ", " until ",   " till "};
    const struct changed_said *s = l->s;
    if (strlen(s->question) > LONGEST_QUESTION)
        return 0;
    for (size_t w = 0; w < sizeof WAYS / sizeof *WAYS; w++) {
        const size_t n = strlen(WAYS[w]);
        const char *p = s->text + l->near.to, *end = s->text + s->n;
        for (; l->left > 0 && (p = memmem(p, (size_t)(end - p), WAYS[w], n)); p++) {
            const size_t at = (size_t)(p - s->text);
            if (may_be(s->text, s->n, at, at + n) && says_new(l, at, old, i))
                return 1;
        }
    }
    return 0;
}
