// What a text that was written joins, and what was read does not.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/lines/line_cells.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/text_span.h"
#include "engine/words/wordlist.h"

static int begins_with_digit(const struct guard_text *p, int i)
{
    return is_digit(p->text[p->at[i]]);
}

// Whether TEXT says of something what READ says but of "what": "The boat was called the Storm." of
// "in what was called the Storm the boat...".
static int names_other(const struct guard_text *own, const struct guard_text *read)
{
    static const char verbs[] = " called named known termed dubbed ", what[] = " what ";
    enum { NEAR = 3 };
    for (int i = 1; i + 1 < own->words; i++) {
        if (guard_is_listed(own, i - 1, what))
            return 0;
        if (!guard_is_listed(own, i, verbs))
            continue;
        for (int r = 1; r + 1 < read->words; r++)
            for (int w = r - 1; guard_same(read->stem[r], own->stem[i], 2) && w >= 0 &&
                                w + NEAR >= r && !guard_is_parted(read, w, r);
                 w--)
                if (guard_is_listed(read, w, what))
                    return 1;
    }
    return 0;
}

// Whether OWN, one line, is counted as the first of several, as READ counts none.
static int counts_one(const struct guard_text *own, const struct guard_text *read)
{
    static const char one[] = "1. ";
    return begins_with(own->text, own->n, one) && !memchr(own->text, '\n', own->n) &&
           guard_next_place(one, 2, read, 0) == read->n;
}

// Whether TEXT goes on behind words of its own with a line of READ that begins with a number, a
// time or a day, which is no sentence's: "The dump was 2025-06-11T02:00:01Z INFO backup".
static int goes_on_as_record(const struct guard_text *own, const struct guard_text *read)
{
    for (int r = 0; r < read->words; r++) {
        const size_t at = read->at[r];
        if (!begins_with_digit(read, r) || (at && read->text[at - 1] != '\n'))
            continue;
        for (int i = 1, k; i < own->words; i++) {
            if (own->text[own->at[i] - 1] != ' ')
                continue;
            for (k = 0; i + k < own->words && r + k < read->words &&
                        guard_same(own->stem[i + k], read->stem[r + k], 1);)
                k++;
            for (k--; k > 1; k--)
                if (!word_has_digit(read->text + read->at[r + k], read->bytes[r + k]) &&
                    read->bytes[r + k] >= GUARD_SHORTEST &&
                    !guard_is_listed(read, r + k, WORDLIST_DATES))
                    return 1;
        }
    }
    return 0;
}

// Whether one of READ's numbers like word I of OWN is what something is: "is", "of" or a colon is
// before it, and few words between.
static int is_said_to_be(const struct guard_text *own, int i, const struct guard_text *read,
                         const char *verbs)
{
    enum { NEAR = 4 };
    int there = 0;
    for (int r = 0; r < read->words; r++) {
        if (!guard_same(read->stem[r], own->stem[i], 1))
            continue;
        there = 1;
        for (int w = r - 1; w >= 0 && w + NEAR >= r; w--)
            if (guard_is_listed(read, w, verbs))
                return 1;
        for (size_t at = read->at[r]; at && read->text[at - 1] != '\n'; at--)
            if (is_one_of(read->text[at - 1], ":=|\t"))
                return 1;
    }
    return !there;
}

// Whether TEXT says that one amount is another, as READ does not: "4.3 million, which is 2.9
// million" of "4.3 million, of which they have paid 2.9 million".
static int equates(const struct guard_text *own, const struct guard_text *read,
                   const char *question)
{
    static const char verbs[] = " is are was were equals means ", few[] = " a an about only just ";
    int amount = 0;
    for (int i = 0; i + 1 < own->words; i++) {
        if (begins_with_digit(own, i))
            amount |= !word_is_in(question, strlen(question), own->stem[i]);
        if (i && guard_is_parted(own, i - 1, i))
            amount = 0;
        if (!amount || !guard_is_listed(own, i, verbs))
            continue;
        const int next = guard_is_listed(own, i + 1, few) && i + 2 < own->words ? i + 2 : i + 1;
        if (begins_with_digit(own, next) && !is_said_to_be(own, next, read, verbs))
            return 1;
    }
    return 0;
}

// Whether OWN says that something is a day, and READ only what is or was done on that: "The fee is
// 30 April." of "The fee is 9 pounds. It is due on 30 April."
static int is_made_day(const struct guard_text *own, const struct guard_text *read)
{
    static const char verbs[] = " is are was were ",
                      days[] = " date day deadline birthday time start end beginning ";
    for (int i = 1; i + 2 < own->words; i++) {
        int there = 0, said = 0;
        if (!guard_is_listed(own, i, verbs) || !begins_with_digit(own, i + 1) ||
            !guard_is_listed(own, i + 2, WORDLIST_MONTHS) || guard_is_listed(own, i - 1, days))
            continue;
        for (int r = 0; r + 1 < read->words; r++) {
            if (!guard_same(read->stem[r], own->stem[i + 1], 2))
                continue;
            there = 1;
            said |= !r || !guard_is_listed(read, r - 1, " on by until before after ");
        }
        if (there && !said)
            return 1;
    }
    return 0;
}

// Whether TEXT [n] has a word of PART [bytes] that says something.
static int has_word_of(const char *text, size_t n, const char *part, size_t bytes)
{
    char stem[WORD_STEM];
    for (size_t at = 0; word_next(part, bytes, &at, stem, NULL);)
        if (!word_is_common(stem) && word_is_in(text, n, stem))
            return 1;
    return 0;
}

// Whether the row TEXT [n] of a table has one cell, but the first one, in G's answer before its
// verb, word VERB, and a later one behind that.
static int says_cells(const struct guarded *g, const char *text, size_t n, int verb)
{
    const struct guard_text *own = &g->own;
    const char *behind = own->text + own->at[verb + 1];
    const size_t before = own->at[verb];
    int said = 0;
    for (size_t from = 1, to, cell = 0; from < n; from = to + 1, cell++) {
        to = line_cell_end(text, n, from, '|');
        const struct span_of_text v = span_trimmed(text, (struct span_of_text){from, to});
        const char *in = text + v.from;
        const size_t bytes = span_bytes(v);
        if (said && words_stand_in(in, bytes, behind, own->bytes[verb + 1]))
            return 1;
        if (!cell && has_word_of(own->text, before, in, bytes))
            return 0;
        said |= cell && words_stand_in(own->text, before, in, bytes) &&
                !words_stand_in(g->question, g->n_question, in, bytes);
    }
    return 0;
}

// Whether G's answer says that what a cell of a row has, which is not asked for, is what a later
// one has, as if it were the row's name: "The fee of 5 pounds is 3 days." of "| Hull | 5 pounds | 3
// days |".
static int equates_cells(const struct guarded *g)
{
    static const char verbs[] = " is are was were ";
    const char *read = g->read.text;
    int verb = 1;
    while (verb < g->own.words && !guard_is_listed(&g->own, verb, verbs))
        verb++;
    if (verb + 1 >= g->own.words)
        return 0;
    for (size_t at = 0, to; at < g->read.n; at = to + 1) {
        const char *end = memchr(read + at, '\n', g->read.n - at);
        to = end ? (size_t)(end - read) : g->read.n;
        if (read[at] == '|' && says_cells(g, read + at, to - at, verb))
            return 1;
    }
    return 0;
}

// Whether the first word of the sentence that READ has at byte AT is all that stands before that.
static int is_behind_first(const struct guard_text *read, size_t at)
{
    const size_t from = word_start_before(read->text, 0, at - 1);
    return from + 1 < at && (!from || read->text[from - 1] == '\n' ||
                             (from > 1 && is_one_of(read->text[from - 2], ".!?")));
}

// Whether OWN says that something is what READ has behind a comma or behind the first word of a
// sentence: "The boat is 10.30 and 2, weather permitting." of "Boat. From the steps, 10.30 and 2,
// weather permitting." That begins with a number or an article: anything may be in something, or
// valid until a day.
static int makes_be(const struct guard_text *own, const struct guard_text *read)
{
    static const char verbs[] = " is are was were ist sind war waren ",
                      articles[] = WORDLIST_ARTICLES " ein eine einen der die das ";
    enum { FEW = 4 }; // words
    const size_t n = guard_without_stop(own->text, own->n);
    for (int i = 1; i + FEW < own->words; i++) {
        const char *rest = own->text + own->at[i + 1];
        const size_t at = guard_next_place(rest, n - own->at[i + 1], read, 0);
        if (guard_is_listed(own, i, verbs) && at < read->n && at > 1 && read->text[at - 1] == ' ' &&
            !guard_count_both(read, own->stem[i - 1]) && !guard_count_both(read, own->stem[i]) &&
            (begins_with_digit(own, i + 1) || guard_is_listed(own, i + 1, articles)) &&
            (read->text[at - 2] == ',' || is_behind_first(read, at)))
            return 1;
    }
    return 0;
}

// How many words OWN has from word I on as READ has them from word R on.
static int count_alike(const struct guard_text *own, int i, const struct guard_text *read, int r)
{
    int n = 0;
    while (i + n < own->words && r + n < read->words &&
           guard_same(own->stem[i + n], read->stem[r + n], 1))
        n++;
    return n;
}

// Whether one of the words of T before word I is a verb that helps others.
static int has_verb_before(const struct guard_text *t, int i)
{
    while (i-- > 0)
        if (guard_is_listed(t, i, GUARD_VERBS))
            return 1;
    return 0;
}

// Whether OWN has behind a preposition what a verb is said of in READ, and goes on with the next
// verb: "The smith of the old mill and is now in Hull." of "The smith left the old mill and is now
// in Hull."
static int swallows_verb(const struct guard_text *own, const struct guard_text *read)
{
    static const char preps[] = " of in at on for with to by from about ", ands[] = " and but und ",
                      others[] = WORDLIST_FUNCTION WORDLIST_BEFORE_ASKING " about and but ";
    for (int i = 1; i < own->words; i++)
        for (int r = 1; guard_is_listed(own, i - 1, preps) && r < read->words; r++) {
            const int alike =
                guard_is_listed(read, r - 1, others) ? 0 : count_alike(own, i, read, r);
            for (int k = 1; k + 1 < alike; k++)
                if (guard_is_listed(own, i + k, ands) &&
                    guard_is_listed(own, i + k + 1, GUARD_VERBS) && !has_verb_before(own, i + k))
                    return 1;
        }
    return 0;
}

// Whether a comma is right behind word R of READ.
static int has_comma(const struct guard_text *read, int r)
{
    const size_t end = read->at[r] + read->bytes[r];
    return end < read->n && read->text[end] == ',';
}

// Whether OWN says of what is in a clause of READ what stands behind that clause: "The stone weighs
// six pounds, and a purse." of "He lost a stone, which weighs six pounds, and a purse."
static int runs_out_of_clause(const struct guard_text *own, const struct guard_text *read)
{
    static const char which[] = " which who ", ands[] = " and or ",
                      articles[] = WORDLIST_ARTICLES " his her its their my our your ";
    for (int r = 1; r + 1 < read->words; r++)
        for (int i = 1; guard_is_listed(read, r, which) && has_comma(read, r - 1) && i < own->words;
             i++) {
            const int alike =
                guard_is_listed(own, i - 1, which) ? 0 : count_alike(own, i, read, r + 1);
            int k = 1;
            while (k < alike && !has_comma(read, r + k))
                k++;
            if (k + 1 < alike && guard_is_listed(own, i + k, ands) &&
                guard_is_listed(own, i + k + 1, articles))
                return 1;
        }
    return 0;
}

// Whether G's answer tells a day that was read but for the end of something, or for its next time,
// where neither the answer nor the question is about that: "It was renewed on 9 May." of "renewed,
// expires 9 May".
static int tells_end(const struct guarded *g)
{
    static const char ends[] = " expire expires expired expiring expiry until till due next valid "
                               "ends deadline ";
    enum { NEAR = 24 }; // bytes
    const char *text = g->own.text, *read = g->read.text;
    struct day d;
    size_t bytes;
    if (words_listed(ends, g->question, g->n_question) || words_listed(ends, text, g->own.n))
        return 0;
    for (size_t at = 0; (bytes = day_find(text, g->own.n, &at, &d)); at += bytes) {
        int told = 0, others = 0;
        for (size_t there = guard_next_place(text + at, bytes, &g->read, 0); there < g->read.n;
             there = guard_next_place(text + at, bytes, &g->read, there + 1)) {
            size_t from = there;
            while (from && there - from < NEAR && !is_one_of(read[from - 1], "\n;"))
                from--;
            told++;
            others += !words_listed(ends, read + from, there - from);
        }
        if (told && !others)
            return 1;
    }
    return 0;
}

// Which day of the week word I of P is, from 1, in full or shortened: "Sunday", "Sun"; 0: none.
static int weekday_at(const struct guard_text *p, int i)
{
    const char *word = p->text + p->at[i];
    return is_upper(*word) ? day_of_week(word, p->bytes[i]) : 0;
}

// The number that word I of P begins with; 0: none, or one of more than four digits.
static int digits_at(const struct guard_text *p, int i)
{
    return day_digits(p->text + p->at[i], p->bytes[i]);
}

// Whether READ has weekday DAY near a number like that of word I of OWN, and no other weekday
// between.
static int has_weekday_near(const struct guard_text *read, int day, const struct guard_text *own,
                            int i)
{
    enum { NEAR = 4 }; // words
    const int number = digits_at(own, i);
    for (int r = 0; r < read->words; r++)
        for (int step = weekday_at(read, r) == day ? -1 : 2; step < 2; step += 2)
            for (int k = 1, w = r + step; k <= NEAR && w >= 0 && w < read->words; k++, w += step) {
                if (weekday_at(read, w))
                    break;
                if (begins_with_digit(read, w) && digits_at(read, w) == number)
                    return 1;
            }
    return 0;
}

// Whether G's answer has a day of the week before the number of another day, or of a year: "on
// Sunday, 07 Apr" of a mail with "Date: Mon, 07 Apr" whose subject ends with "on Sunday".
static int moves_weekday(const struct guarded *g)
{
    const struct guard_text *own = &g->own;
    for (int i = 0, day; i + 1 < own->words; i++)
        if ((day = weekday_at(own, i)) && begins_with_digit(own, i + 1) &&
            !guard_is_parted(own, i, i + 1) &&
            !word_is_in(g->question, g->n_question, own->stem[i]) &&
            !has_weekday_near(&g->read, day, own, i + 1))
            return 1;
    return 0;
}

// Whether the sentence of READ that has word R begins before it with words of which one is STEM.
static int has_before(const struct guard_text *read, int r, const char *stem)
{
    for (int w = r - 1; w >= 0 && !guard_is_parted(read, w, w + 1); w--)
        if (guard_same(read->stem[w], stem, 1))
            return 1;
    return 0;
}

// Whether OWN says of something what READ says of something else: "The mill will be full in May."
// of "The old part will be full in May."
static int moves_subject(const struct guard_text *own, const struct guard_text *read)
{
    enum { SUBJECT = 5, BEHIND = 4 }; // words
    int verb = 1, moves = 0;
    while (verb < own->words && verb <= SUBJECT && !guard_is_listed(own, verb, GUARD_VERBS))
        verb++;
    if (verb > SUBJECT || !guard_is_telling(own->stem[verb - 1]))
        return 0;
    for (int r = 1; r < read->words; r++) {
        int same = 0, telling = 0;
        for (; r + same < read->words && verb + same < own->words &&
               guard_same(read->stem[r + same], own->stem[verb + same], 1);
             same++)
            telling |= same > 0 && guard_is_telling(own->stem[verb + same]);
        if (!telling || (same < BEHIND && verb + same < own->words) ||
            guard_is_parted(read, r - 1, r))
            continue;
        if (!guard_is_telling(read->stem[r - 1]) || has_before(own, verb, read->stem[r - 1]) ||
            has_before(read, r, own->stem[verb - 1]))
            return 0;
        moves = 1;
    }
    return moves;
}

int guard_joins_wrongly(const struct guarded *g)
{
    return counts_one(&g->own, &g->read) || names_other(&g->own, &g->read) ||
           goes_on_as_record(&g->own, &g->read) || equates(&g->own, &g->read, g->question) ||
           equates_cells(g) || makes_be(&g->own, &g->read) || swallows_verb(&g->own, &g->read) ||
           runs_out_of_clause(&g->own, &g->read) || tells_end(g) ||
           is_made_day(&g->own, &g->read) || moves_weekday(g) || moves_subject(&g->own, &g->read);
}
