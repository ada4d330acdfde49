#include "engine/company/company.h"
#include "engine/sentences/cut.h"

#include <string.h>

#include "engine/company/company_impl.h"
#include "engine/lines/code.h"
#include "engine/lines/fence.h"
#include "engine/lines/label.h"
#include "engine/lines/leader.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lines/nested.h"
#include "engine/lines/record.h"
#include "engine/lines/speaker.h"
#include "engine/sentences/courtesy.h"
#include "engine/sentences/label_group.h"
#include "engine/sentences/leads.h"
#include "engine/sentences/reply.h"

// Extends a few words that end with a stop by the sentence before them in the same paragraph, which
// they continue.
static int with_last_of_few(const struct lines *c, size_t *from, size_t to)
{
    size_t end = line_trimmed(c, 0, *from), last;
    int stops, lines;
    company_next_after(c, end, &lines);
    if (!end || lines || !company_says_little(c, *from, to, &stops) || !stops ||
        company_counts(c, *from, to))
        return 0;
    cut_sentence(c, end - 1, &last, &end);
    *from = last;
    return 1;
}

// Whether text[FROM..TO) is one of WORDS [n].
static int is_word_of(const struct lines *c, size_t from, size_t to, const char *const *words,
                      size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (to >= from && to - from == strlen(words[i]) &&
            !memcmp(c->text + from, words[i], to - from))
            return 1;
    return 0;
}

int company_refers(const struct lines *c, size_t from)
{
    static const char *const words[] = {
        "It", "He",  "She",    "They",  "This",   "These", "Its", "His",   "Her",      "Their",
        "Er", "Sie", "Dieser", "Diese", "Dieses", "Thus",  "So",  "Hence", "Therefore"};
    // "When it is enabled, ..."
    static const char *const before[] = {"When", "If", "While", "Because", "Unless", "Until"},
                             *const behind[] = {"it", "this", "they"};
    const size_t end = company_word_end(c, from), next = end + 1,
                 next_end = company_word_end(c, next);
    return is_word_of(c, from, end, words, sizeof words / sizeof *words) ||
           (end < c->n && c->text[end] == ' ' &&
            is_word_of(c, from, end, before, sizeof before / sizeof *before) &&
            is_word_of(c, next, next_end, behind, sizeof behind / sizeof *behind));
}

// Whether FROM to TO are a few words without a stop, on a line of their own, at the end of the
// text.
static int signs_off(const struct lines *c, size_t from, size_t to)
{
    int stops, lines;
    return company_next_after(c, to, &lines) >= c->n && line_end(c, from) >= to &&
           company_says_little(c, from, to, &stops) && !stops && c->text[to - 1] != ')';
}

int company_signs(const struct lines *c, size_t from, size_t to)
{
    size_t first, end, last = line_trimmed(c, from, to);
    int lines;
    if (last - from >= COMPANY_SHORT || line_end(c, from) < last || line_start(c, from) != from ||
        is_one_of(last > from ? c->text[last - 1] : 0, ".!?:;,") ||
        message_part_of(c, from, &first, &end) != MESSAGE_BODY || (!first && end == c->n))
        return 0;
    return from > first && line_is_empty(c, line_start(c, from - 1)) &&
           company_next_after(c, last, &lines) >= end;
}

// Extends *FROM to the sentence before, if that has what a pronoun stands for or what is signed.
static void with_last(const struct lines *c, size_t *from, size_t to)
{
    size_t end = line_trimmed(c, 0, *from), last;
    int lines, signature = signs_off(c, *from, to);
    company_next_after(c, end, &lines);
    if (!end || !(signature || (lines <= 1 && company_refers(c, *from))))
        return;
    cut_sentence(c, end - 1, &last, &end);
    if (!signature || !lines_begin_alike(c->text + last, end - last, c->text + *from, to - *from))
        *from = last;
}

// Where the sentence begins that the one at byte AT goes on below lines of code, which stand
// between fences or are set in: "Find it with", "    list --all", "and stop it." AT: it goes on
// none, as the next function of a program does not.
static size_t behind_code(const struct lines *c, size_t at)
{
    const size_t own = line_start(c, at), in = line_indentation(c, own);
    int fences = 0, set_in = 0;
    if (!own || !is_lower(c->text[at]) || line_words(c, own, at) != at ||
        !line_is_empty(c, line_start(c, own - 1)) || code_at(c, own))
        return at;
    for (size_t line = own; line > 0 && at - line < LONGEST_SENTENCE;) {
        const size_t end = line - 1, words = line_words(c, line = line_start(c, end), end);
        if (words == end)
            continue;
        if (!set_in && fence_is(c, line)) {
            fences++;
        } else if (fences == 2 || (set_in && line_indentation(c, line) <= in)) {
            const size_t last = line_trimmed(c, line, end);
            size_t from, to;
            // What is set in may tell of the line above it, as an entry of a list does.
            if (is_one_of(c->text[last - 1], ".!?") || (set_in && c->text[last - 1] != ':') ||
                line_quoted(c, line) != line_quoted(c, own))
                return at;
            cut_sentence(c, last - 1, &from, &to);
            return from;
        } else if (!fences) {
            if (line_indentation(c, line) < in + 2)
                return at;
            set_in = 1;
        }
    }
    return at;
}

// Whether TEXT [n] has a number, or a name behind its first word.
static int names_something(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]) || (i > 0 && text[i - 1] == ' ' && is_upper(text[i])))
            return 1;
    return 0;
}

// Where what is said on the line that begins with byte AT begins, behind the name of who speaks.
static size_t behind_speaker(const struct lines *c, size_t at)
{
    const size_t n = line_start(c, at) == at ? speaker_at(c, at) : 0;
    return n ? at + n + 1 : at;
}

// If the sentence that begins with byte AT begins with "it" or "this": finds the sentence, FROM to
// TO, that names the subject. It is the first one of the paragraph, or of the paragraph above if AT
// is that itself. Returns 0 if it is missing or not short.
static int told_of(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    enum { LONG = 2 * COMPANY_SHORT };
    int lines;
    if (!company_refers(c, at))
        return 0;
    size_t first = company_paragraph(c, at), above = line_trimmed(c, 0, first);
    company_next_after(c, above, &lines);
    if (first == at)
        first = above && lines <= 2 ? company_paragraph(c, above - 1) : 0;
    if (!first)
        return 0;
    cut_sentence(c, first, from, to);
    return *from == first && *to < at && *to - *from < LONG && c->text[*to - 1] == '.' &&
           names_something(c->text + first, *to - first) && !company_refers(c, first);
}

// If what is said in a play, from byte AT on, begins with "he" or the like: finds the sentence,
// FROM to TO, that the remark in brackets above it begins with, and somebody's name in capitals.
static int done_above(const struct lines *c, size_t at, size_t *from, size_t *to)
{
    const size_t said = behind_speaker(c, at), above = said > at ? line_trimmed(c, 0, at) : 0,
                 first = above ? company_paragraph(c, above - 1) : 0;
    if (!first || !company_refers(c, said) || c->text[first] != '(' || c->text[above - 1] != ')' ||
        !is_upper(c->text[first + 1]) || !is_upper(c->text[first + 2]))
        return 0;
    cut_sentence(c, first, from, to);
    if (*from != first || *to >= above || c->text[*to - 1] != '.')
        return 0;
    ++*from;
    return 1;
}

// Whether byte AT begins an item of a list without a number, which can stand without the other
// items.
static int is_item_apart(const struct lines *c, size_t at)
{
    return line_words(c, line_start(c, at), at) == at && !is_digit(c->text[at]) &&
           line_is_item(c->text + at, c->n - at);
}

// Whether text[FROM..TO) ends what one speaker asks another, who speaks on the next line.
static int asks_next(const struct lines *c, size_t from, size_t to)
{
    const size_t line = line_start(c, from), next = line_end(c, from) + 1;
    return next < c->n && line_asks(c->text + from, to - from) &&
           line_trimmed(c, from, to) == line_trimmed(c, from, next) && label_turns(c, line, next);
}

// company_extend, within one part of a message.
static void company(const struct lines *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    if (nested_group(c, from, to, lead, lead_end) || record_of_fields(c, from, to, lead, lead_end))
        return;
    if (record_of_code(c, from, to) || company_block(c, from, to)) {
        *lead = *lead_end = *from;
        return;
    }
    const size_t begin = behind_code(c, *from);
    if (begin < *from) {
        *from = *lead = *lead_end = begin;
        return;
    }
    if (leader_is_among(c, line_start(c, *from))) { // the rows beside it tell nothing of it
        if (!leads_set_in(c, *from, lead, lead_end))
            *lead = *lead_end = *from;
        return;
    }
    if ((asks_next(c, *from, *to) || !label_group(c, from, to)) &&
        (!with_last_of_few(c, from, *to) || line_asks(c->text + *from, *to - *from))) {
        company_next(c, *from, to);
        company_few(c, *from, to);
        label_group(c, from, to);
    } else if (company_asks(c, *from, *to)) {
        company_answer(c, *from, to);
    }
    if (!leads_list(c, *from, lead, lead_end)) {
        if (!leads_set_in(c, *from, lead, lead_end) && !reply_above(c, *from, lead, lead_end)) {
            with_last(c, from, *to);
            if (!told_of(c, *from, lead, lead_end) && !done_above(c, *from, lead, lead_end))
                *lead = *lead_end = *from;
        }
        return;
    }
    size_t all = *lead_end;
    // If the list is too long, an item alone is enough, unless the items are steps.
    const int whole = company_list(c, *lead, &all), part = is_item_apart(c, *from);
    if (all < *to || (!whole && part))
        return;
    *from = *lead_end = *lead;
    *to = all;
    company_rest(c, *from, to);
}

// Where what is said in the body of a message that ends with byte END ends: without its signature.
static size_t said_end(const struct lines *c, size_t end)
{
    const size_t to = line_trimmed(c, 0, end), line = to ? line_start(c, to - 1) : 0;
    return line < to && company_signs(c, line, to) ? line_trimmed(c, 0, line) : end;
}

void company_extend(const struct lines *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    size_t first, end;
    const enum message_part part = message_part_of(c, *from, &first, &end);
    *lead = *lead_end = *from;
    if (part != MESSAGE_BODY && end - first <= LONGEST_SENTENCE) { // its pieces say little
        *from = part == MESSAGE_SIGNATURE ? line_end(c, first) + 1
                                          : line_words(c, first, line_end(c, first));
        *from = *from < end ? *from : first;
        if (message_is_commit(c->text + *from, end - *from))
            end = message_subject(c, end);
        *to = line_trimmed(c, *from, end);
        *lead = *lead_end = *from;
        return;
    }
    size_t all, all_end;
    if (message_trailed(c, *from, &all, &all_end) && all_end - all <= LONGEST_SENTENCE) {
        *from = *lead = *lead_end = all;
        *to = all_end;
        return;
    }
    if (company_signs(c, *from, *to) || courtesy_is(c, *from, *to)) // nobody's words
        return;
    end = said_end(c, end);
    end = end > *to ? end : *to;
    const struct lines own = {.text = c->text + first, .n = end - first, .width = c->width};
    *from -= first;
    *to -= first;
    company(&own, from, to, lead, lead_end);
    *from += first;
    *to += first;
    *lead += first;
    *lead_end += first;
}
