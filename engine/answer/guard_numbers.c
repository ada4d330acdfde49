// Numbers of a text that was written: whether they were read, and of what.
#define _GNU_SOURCE // memmem
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/lines/chat_lines.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/text_span.h"
#include "engine/words/wordlist.h"

enum { PARTS = 63, YEAR = 4 }; // parts at most, digits

// Whether G's answer has a number that neither what was read nor its question has, what counts its
// lines aside.
static int invents_number(const struct guarded *g)
{
    const char *text = g->own.text;
    for (size_t at = 0, bytes; (bytes = guard_next_number(text, g->own.n, &at, 0)); at += bytes)
        if (at && text[at - 1] != '\n' &&
            !guard_has_number(g->read.text, g->read.n, text + at, bytes, 0) &&
            !guard_has_number(g->question, g->n_question, text + at, bytes, 0))
            return 1;
    return 0;
}

// What a text tells one by one: parts of a sentence, amounts of one, items of a list, what stands
// behind labels, or sentences.
enum kind { CLAUSES, AMOUNTS, ITEMS, LABELLED, SENTENCES };
struct parts {
    const char *text; // [n]
    size_t n;
    enum kind kind;
    struct span_of_text v[PARTS]; // [count], in their order
    int count;
};

static void add_part(struct parts *p, size_t from, size_t to)
{
    if (p->count < PARTS)
        p->v[p->count++] = (struct span_of_text){from, to};
}

// Whether a sentence of TEXT [n] may end with byte I.
static int is_stop(const char *text, size_t n, size_t i)
{
    return is_one_of(text[i], ".!?") && (i + 1 == n || is_space(text[i + 1]));
}

// The parts of the first sentence of P's text that two semicolons or more divide, without what
// leads them in with a colon.
static void find_clauses(struct parts *p)
{
    const char *text = p->text;
    for (size_t from = 0, i; from < p->n; from = i + 1) {
        int semicolons = 0;
        size_t first = from;
        for (i = from; i < p->n && text[i] != '\n' && !is_stop(text, p->n, i); i++) {
            semicolons += text[i] == ';';
            if (text[i] == ':' && !semicolons && (i + 1 == p->n || is_space(text[i + 1])))
                first = i + 1;
        }
        if (semicolons < 2)
            continue;
        for (size_t at = first, end; at < i; at = end + 1) {
            const char *stop = memchr(text + at, ';', i - at);
            end = stop ? (size_t)(stop - text) : i;
            add_part(p, at, end);
        }
        return;
    }
}

// Whether TEXT [n] begins with a number, but for a sign of money.
static int begins_amount(const char *text, size_t n)
{
    enum { SIGN = 3 }; // bytes
    size_t i = 0;
    while (i < n && i < SIGN && (text[i] == '$' || (unsigned char)text[i] >= 0x80))
        i++;
    return i < n && is_digit(text[i]);
}

// Where the next number begins behind "and", "or" or a comma in TEXT [n] from byte AT on, in the
// same sentence and line; 0: nowhere. *END: where what is before that ends.
static size_t next_joined(const char *text, size_t n, size_t at, size_t *end)
{
    static const char *const joins[] = {", and ", " and ", " or ", ", "};
    size_t next = 0;
    for (; !next && at < n && !is_one_of(text[at], "\n;:") && !is_stop(text, n, at); at++)
        for (size_t j = 0; !next && j < sizeof joins / sizeof *joins; j++)
            if (begins_with(text + at, n - at, joins[j])) {
                const size_t behind = at + strlen(joins[j]);
                next = begins_amount(text + behind, n - behind) ? behind : 0;
            }
    *end = next ? at - 1 : at;
    return next;
}

// Whether TEXT [n] has a word that tells of what something is.
static int has_telling(const char *text, size_t n)
{
    char stem[WORD_STEM];
    for (size_t at = 0; word_next(text, n, &at, stem, NULL);)
        if (!is_digit(*stem) && guard_is_telling(stem))
            return 1;
    return 0;
}

// The amounts that P's text joins first, each with what it is of: "79 for single trips and 70 for
// annual cover".
static void find_amounts(struct parts *p)
{
    const char *text = p->text;
    for (size_t at = 0; at < p->n && p->count < 2; at++) {
        const int begins =
            (!at || is_one_of(text[at - 1], " (\n")) && begins_amount(text + at, p->n - at);
        size_t end;
        p->count = 0;
        for (size_t from = at, next = at; begins && next; from = next) {
            next = next_joined(text, p->n, from, &end);
            if (!has_telling(text + from, end - from))
                break;
            add_part(p, from, end);
        }
    }
}

// Whether the line TEXT [n] is an item of a list, tells of a day or a year ("8 May 1956: ..."), or
// is of a conversation.
static int is_item(const char *text, size_t n)
{
    struct span_of_text when, who;
    struct day d;
    size_t at = 0, bytes;
    while (at < n && is_space(text[at]))
        at++;
    if (chat_line(text + at, n - at, &when, &who))
        return 1;
    if (line_is_item(text + at, n - at))
        return text[n - 1] != ':'; // what heads others is said of them, too
    while (at < n && is_one_of(text[at], "*_ "))
        at++;
    bytes = day_begins(text + at, n - at, &d);
    if (!bytes && n - at > YEAR && word_is_year(text + at, YEAR))
        bytes = YEAR;
    at += bytes;
    while (at < n && is_one_of(text[at], "*_ "))
        at++;
    return bytes && at + 1 < n && text[at] == ':';
}

// The items of lists that P's text has, and the lines of a conversation, of which a reply is one
// with what it replies to.
static void find_items(struct parts *p)
{
    const struct lines c = {.text = p->text, .n = p->n};
    int asks = 0;
    for (struct span_of_text line = {0}; line.from < p->n; line.from = line.to + 1) {
        line = line_at(&c, line.from);
        const char *text = p->text + line.from;
        if (!is_item(text, span_bytes(line)))
            continue;
        if (asks)
            p->v[p->count - 1].to = line.to;
        else
            add_part(p, line.from, line.to);
        asks = p->count < PARTS && line_asks(text, span_bytes(line));
    }
}

// The part of TEXT [n] from byte FROM on that says one thing: up to a semicolon, or to the end of
// its sentence or line.
static size_t thing_end(const char *text, size_t n, size_t from)
{
    while (from < n && !is_one_of(text[from], ";\n") && !is_stop(text, n, from))
        from++;
    return from;
}

// The sentences of P's text; lines that end without a stop go with what is below them.
static void find_sentences(struct parts *p)
{
    struct lines c;
    size_t from = 0;
    lines_of_text(&c, p->text, p->n);
    for (size_t i = 0; i < p->n; i++)
        if (i + 1 == p->n || (is_one_of(p->text[i], ".!?\"')") && cut_ends_at(&c, i))) {
            add_part(p, from, i + 1);
            from = i + 1;
        }
}

// The sentences of P's text that begin with a label: "Heard: 3 May. Decided: 5 June."
static void find_labelled(struct parts *p)
{
    int count = 0;
    find_sentences(p);
    for (int i = 0; i < p->count; i++) {
        struct span_of_text part = p->v[i];
        while (part.from < part.to && is_space(p->text[part.from]))
            part.from++;
        const char *text = p->text + part.from;
        const size_t n = span_bytes(part);
        if (line_label(text, n) && !memchr(text, '\n', n))
            p->v[count++] = part;
    }
    p->count = count;
}

// Whether text[FROM .. TO) has the number, or a word like the word, WORD [bytes].
static int has(const char *text, size_t from, size_t to, const char *word, size_t bytes)
{
    char stem[WORD_STEM];
    size_t at = 0;
    return is_digit(*word) ? guard_has_number(text + from, to - from, word, bytes, 0)
                           : word_next(word, bytes, &at, stem, NULL) &&
                                 word_is_in(text + from, to - from, stem);
}

// Which parts of P have the number or word WORD [bytes], a bit each; all of them where the rest of
// the text has it, or none.
static uint64_t parts_with(const struct parts *p, const char *word, size_t bytes)
{
    uint64_t with = 0;
    size_t before = 0;
    for (int i = 0; i < p->count; before = p->v[i++].to) {
        if (has(p->text, before, p->v[i].from, word, bytes))
            return UINT64_MAX;
        if (has(p->text, p->v[i].from, p->v[i].to, word, bytes))
            with |= UINT64_C(1) << i;
    }
    return !with || has(p->text, before, p->n, word, bytes) ? UINT64_MAX : with;
}

// Which parts of P have all numbers of TEXT [n].
static uint64_t parts_of_numbers(const struct parts *p, const char *text, size_t n)
{
    uint64_t with = UINT64_MAX;
    for (size_t at = 0, bytes; (bytes = guard_next_number(text, n, &at, 0)); at += bytes)
        with &= parts_with(p, text + at, bytes);
    return with;
}

// Which parts of P begin with the ordinals that TEXT [n] has; all of them where it has none, or no
// part begins so.
static uint64_t parts_of_ordinals(const struct parts *p, const char *text, size_t n)
{
    static const char ordinals[] = WORDLIST_ORDINALS "last ";
    uint64_t with = UINT64_MAX;
    char stem[WORD_STEM], first[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        uint64_t begin = 0;
        if (!word_is_listed(ordinals, text + at - bytes, bytes))
            continue;
        for (int i = 0; i < p->count; i++) {
            size_t from = p->v[i].from;
            if (word_next(p->text, p->v[i].to, &from, first, NULL) && guard_same(first, stem, 1))
                begin |= UINT64_C(1) << i;
        }
        with &= begin ? begin : UINT64_MAX;
    }
    return with;
}

// Whether the word of STEM [bytes] tells of which of the parts of P something is said. Of sentences
// short words may, but not those of QUESTION, because one goes on with what another is about.
static int tells_which(const struct parts *p, const char stem[WORD_STEM], size_t bytes,
                       const char *question)
{
    static const char function[] = WORDLIST_FUNCTION;
    if (p->kind != SENTENCES)
        return guard_is_telling(stem);
    return bytes + 1 >= GUARD_SHORTEST && !word_is_common(stem) &&
           !word_is_in(function, sizeof function - 1, stem) &&
           !word_is_in(question, strlen(question), stem);
}

// Whether what TEXT [n] says has the numbers of one of the parts of P, or an ordinal that it begins
// with, and a word that only others have; or the numbers of two items.
static int mixes(const struct parts *p, const char *text, size_t n, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    uint64_t own = parts_of_numbers(p, text, n);
    if (p->kind == SENTENCES)
        own &= parts_of_ordinals(p, text, n);
    if (own == UINT64_MAX || !own)
        return !own && p->kind == ITEMS;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        if (!is_digit(*word) && tells_which(p, stem, bytes, question) &&
            !(parts_with(p, word, bytes) & own))
            return 1;
    }
    return 0;
}

// The sentences of P that TEXT [n] is made of, a bit each: those that it is, as they stand there,
// or else those that have its numbers; 0: it is not known.
static uint64_t parts_said(const struct parts *p, const char *text, size_t n)
{
    uint64_t said = 0;
    const size_t own = guard_without_stop(text, n);
    const char *place = own ? memmem(p->text, p->n, text, own) : NULL;
    const size_t at = place ? (size_t)(place - p->text) : p->n;
    for (int i = 0; own && at < p->n && i < p->count; i++) {
        size_t from = p->v[i].from;
        while (from < p->n && is_space(p->text[from]))
            from++;
        if (at == from || (said && from < at + own))
            said |= UINT64_C(1) << i;
    }
    if (!said)
        said = parts_of_numbers(p, text, n);
    return said == UINT64_MAX ? 0 : said;
}

// Whether TEXT [n] says sentences of P, and lacks a word of QUESTION that only later ones have: "It
// was bought for 90 pounds." of that and "It weighs 4 kg.", to what it weighs.
static int tells_earlier(const struct parts *p, const char *text, size_t n, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    const uint64_t own = parts_said(p, text, n);
    for (size_t at = 0; own && word_next(question, strlen(question), &at, stem, &bytes);) {
        const uint64_t with = parts_with(p, question + at - bytes, bytes);
        // The lowest bit is the first sentence.
        if (guard_is_telling(stem) && with != UINT64_MAX && (with & -with) > own &&
            !word_is_in(text, n, stem))
            return 1;
    }
    return 0;
}

// Whether G's answer has numbers of one of the things that what was read tells one by one, and
// words of others.
static int crosses_parts(const struct guarded *g)
{
    static void (*const find[])(struct parts *) = {[CLAUSES] = find_clauses,
                                                   [AMOUNTS] = find_amounts,
                                                   [ITEMS] = find_items,
                                                   [LABELLED] = find_labelled,
                                                   [SENTENCES] = find_sentences};
    const char *text = g->own.text;
    const size_t n = g->own.n;
    for (enum kind kind = CLAUSES; kind <= SENTENCES; kind++) {
        struct parts p = {.text = g->read.text, .n = g->read.n, .kind = kind};
        find[kind](&p);
        for (size_t at = 0, end; p.count > 1 && at < n; at = end + 1) {
            end = thing_end(text, n, at);
            if (mixes(&p, text + at, end - at, g->question))
                return 1;
        }
        if (kind == SENTENCES && p.count > 1 && tells_earlier(&p, text, n, g->question))
            return 1;
    }
    return 0;
}

// Whether TEXT [n] has what D is made of, with nothing but what makes other days between: "the 2nd
// and the 5th of October 2026".
static int has_day_among(const char *text, size_t n, const struct day *d)
{
    static const char joins[] = " and or to of the until till through und bis ";
    char stem[WORD_STEM];
    size_t bytes, end = 0;
    int day = 0, month = 0, year = 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes); end = at) {
        const char *word = text + at - bytes;
        const size_t between = at - bytes - end;
        const int number = day_digits(word, bytes), m = day_month(word, bytes);
        if ((!number && !m && !word_is_listed(joins, word, bytes)) || (month && m == d->month) ||
            memchr(text + end, '\n', between) || memchr(text + end, ';', between))
            day = month = year = 0;
        day |= number == d->day;
        month |= m == d->month;
        year |= number == d->year;
        if (day && month && (year || !d->year))
            return 1;
    }
    return 0;
}

static int has_day(const char *text, size_t n, const struct day *d)
{
    struct day other;
    size_t bytes;
    for (size_t at = 0; (bytes = day_find(text, n, &at, &other)); at += bytes)
        if (other.day == d->day && other.month == d->month && (!d->year || other.year == d->year))
            return 1;
    return has_day_among(text, n, d);
}

// Whether G's answer says a day that is made of two. A year of its question is as good as one that
// was read.
static int makes_day(const struct guarded *g)
{
    struct day d;
    size_t bytes;
    for (size_t at = 0; (bytes = day_find(g->own.text, g->own.n, &at, &d)); at += bytes) {
        char year[12];
        const int digits = snprintf(year, sizeof year, "%d", d.year);
        if (guard_has_number(g->question, g->n_question, year, (size_t)digits, 0))
            d.year = 0;
        if (!has_day(g->read.text, g->read.n, &d) && !has_day(g->question, g->n_question, &d))
            return 1;
    }
    return 0;
}

// The bytes that the line TEXT [n] begins with and that only say when it was said or sent.
typedef size_t stamp_of(const char *text, size_t n);

static size_t stamp_of_turn(const char *text, size_t n)
{
    struct span_of_text when, who;
    return chat_line(text, n, &when, &who) ? when.to : 0;
}

static size_t stamp_of_mail(const char *text, size_t n)
{
    return word_is_listed(" date sent ", text, line_label(text, n)) ? n : 0;
}

// Whether READ has the number RUN [bytes] in the stamps of its lines and nowhere else.
static int only_stamped(const struct guard_text *read, const char *run, size_t bytes,
                        stamp_of *stamp)
{
    const struct lines c = {.text = read->text, .n = read->n};
    int stamped = 0;
    for (struct span_of_text line = {0}; line.from < read->n; line.from = line.to + 1) {
        line = line_at(&c, line.from);
        const char *text = read->text + line.from;
        const size_t n = span_bytes(line), own = stamp(text, n);
        if (guard_has_number(text + own, n - own, run, bytes, 0))
            return 0;
        stamped |= guard_has_number(text, own, run, bytes, 0);
    }
    return stamped;
}

// Whether G's answer has a number that is but in the time of a line that was read, of a
// conversation, where no time is asked for.
static int tells_stamp(const struct guarded *g)
{
    static const char times[] = " when time times date day hour month year early late clock long "
                                "wann uhr uhrzeit zeit datum tag monat jahr lange sp\u00e4t ";
    const char *text = g->own.text;
    if (words_listed(times, g->question, g->n_question))
        return 0;
    for (size_t at = 0, bytes; (bytes = guard_next_number(text, g->own.n, &at, 0)); at += bytes)
        if (!guard_has_number(g->question, g->n_question, text + at, bytes, 0) &&
            only_stamped(&g->read, text + at, bytes, stamp_of_turn))
            return 1;
    return 0;
}

// Whether the line TEXT [n] defines a name in quotation marks, of which neither G's answer nor its
// question has the first word.
static int defines_other(const char *text, size_t n, const struct guarded *g)
{
    const size_t end = line_quotation(text, n, 0);
    char stem[WORD_STEM];
    size_t at = 0;
    return end && begins_with(text + end + 1, n - end - 1, " means ") &&
           word_next(text, end, &at, stem, NULL) && !word_is_in(g->own.text, g->own.n, stem) &&
           !word_is_in(g->question, g->n_question, stem);
}

// Whether G's answer has a number that was read but in what defines another name: "The deed was
// dated 3 May." of "\"End Date\" means 3 May".
static int tells_defined(const struct guarded *g)
{
    const struct lines c = {.text = g->read.text, .n = g->read.n};
    for (size_t at = 0, bytes; (bytes = guard_next_number(g->own.text, g->own.n, &at, 0));
         at += bytes) {
        int told = 0, others = 0;
        for (struct span_of_text line = {0}; line.from < c.n; line.from = line.to + 1) {
            line = line_at(&c, line.from);
            const char *text = c.text + line.from;
            const size_t n = span_bytes(line);
            if (!guard_has_number(text, n, g->own.text + at, bytes, 0))
                continue;
            told++;
            others += !defines_other(text, n, g);
        }
        if (told && !others)
            return 1;
    }
    return 0;
}

// Whether G's answer has a number that is but of when a mail was sent, where it is not asked when
// somebody wrote: "It expired on 07 Apr 2025 09:30:00" of a subject and a date.
static int tells_sent(const struct guarded *g)
{
    static const char writes[] =
        " mail mails email message messages letter date dated day send sends sent write writes "
        "wrote written reply replies replied answer answered ask asked post posted report reported "
        "say said tell told announce announced confirm confirmed ";
    const char *text = g->own.text;
    if (words_listed(writes, g->question, g->n_question))
        return 0;
    for (size_t at = 0, bytes; (bytes = guard_next_number(text, g->own.n, &at, 0)); at += bytes)
        if (only_stamped(&g->read, text + at, bytes, stamp_of_mail))
            return 1;
    return 0;
}

// Whether OWN has a number right behind a word behind which READ has other ones alone: "spent
// 61,000" of "received 61,000 from the town and spent 58,250".
static int takes_another(const struct guard_text *own, const struct guard_text *read)
{
    for (int i = 0; i + 1 < own->words; i++) {
        int same = 0, other = 0;
        if (own->bytes[i] < GUARD_SHORTEST || !is_lower(own->text[own->at[i]]) ||
            !is_digit(own->text[own->at[i + 1]]) || guard_is_parted(own, i, i + 1))
            continue;
        for (int k = 0; k + 1 < read->words; k++)
            if (guard_same(own->stem[i], read->stem[k], 1) && is_digit(read->text[read->at[k + 1]]))
                *(guard_same(own->stem[i + 1], read->stem[k + 1], 1) ? &same : &other) = 1;
        if (other && !same)
            return 1;
    }
    return 0;
}

// Whether word I of T, a number, stands behind one of what bounds it: "at least 4", "up to 8".
static int is_bound(const struct guard_text *t, int i)
{
    return i > 1 &&
           ((guard_is_listed(t, i - 1, " least most ") && guard_is_listed(t, i - 2, " at ")) ||
            (guard_is_listed(t, i - 1, " to ") && guard_is_listed(t, i - 2, " up ")) ||
            (guard_is_listed(t, i - 1, " than ") &&
             guard_is_listed(t, i - 2, " more fewer less ")));
}

// Whether OWN says of something a number that READ has but behind what bounds it, without that:
// "consists of 4 members" of "up to 8, and should have at least 4 members".
static int drops_bound(const struct guard_text *own, const struct guard_text *read)
{
    for (int i = 0; i < own->words; i++) {
        int bound = 0, others = 0;
        if (!is_digit(own->text[own->at[i]]) || is_bound(own, i))
            continue;
        for (int r = 0; r < read->words; r++)
            if (guard_same(own->stem[i], read->stem[r], 1))
                *(is_bound(read, r) ? &bound : &others) = 1;
        if (bound && !others)
            return 1;
    }
    return 0;
}

int guard_mixes_numbers(const struct guarded *g)
{
    return invents_number(g) || crosses_parts(g) || makes_day(g) || tells_stamp(g) ||
           tells_sent(g) || tells_defined(g) || takes_another(&g->own, &g->read) ||
           drops_bound(&g->own, &g->read);
}
