#include "engine/text/company.h"

#include <string.h>

#include "engine/text/company_impl.h"
#include "engine/text/courtesy.h"
#include "engine/text/label.h"
#include "engine/text/leads.h"
#include "engine/text/lines.h"
#include "engine/text/message.h"
#include "engine/text/nested.h"
#include "engine/text/record.h"
#include "engine/text/reply.h"
#include "engine/text/speaker.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

// Whether TEXT [n] ends with a part of speech, as the head of an entry in a dictionary does: the
// stop there does not end a sentence.
static int is_entry(const char *text, size_t n)
{
    static const char *const parts[] = {" n.",    " v.",       " vt.",   " vi.",   " adj.",
                                        " adv.",  " pron.",    " prep.", " conj.", " interj.",
                                        " abbr.", " abbrev.",  " pl.",   " pref.", " suff.",
                                        "pl.n.",  "adj.,adv.", "n.,v.",  "v.,n."};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const size_t own = strlen(parts[p]);
        if (n > own && !memcmp(text + n - own, parts[p], own))
            return 1;
    }
    return 0;
}

// Whether one pair of brackets is around all of TEXT [n].
static int is_in_brackets(const char *text, size_t n)
{
    return n > 1 && text[0] == '(' && memchr(text, ')', n) == text + n - 1;
}

// Whether TEXT [n] ends with a stop. A bracket is one behind a sentence in it, or around all of
// it, but not behind a word of a heading: "Papanasi (curd doughnuts)".
static int ends_with_stop(const char *text, size_t n)
{
    if (n > 1 && text[n - 1] == ')')
        return is_in_brackets(text, n) || is_one_of(text[n - 2], ".!?");
    return n && is_one_of(text[n - 1], ".!?;,");
}

int company_says_little(const struct cut *c, size_t from, size_t to, int *stops)
{
    size_t end = line_trimmed(c, from, to);
    const char *text = c->text + from;
    *stops = ends_with_stop(text, end - from) && !is_entry(text, end - from);
    // "3. Rent" and "(3) Rent" head a section as well.
    const int item = line_is_item(text, end - from) && !is_digit(text[*text == '(']);
    return end - from < (size_t)(*stops ? COMPANY_BARE : COMPANY_SHORT) && !item &&
           !line_has_fields(text, end - from);
}

size_t company_next_after(const struct cut *c, size_t to, int *lines)
{
    *lines = 0;
    for (size_t n; to < c->n && (n = white_space(c->text + to, c->n - to)) > 0; to += n)
        *lines += c->text[to] == '\n';
    return to;
}

// Extends *TO over the list that text[FROM..TO) leads in, as far as there is room. Returns 1 if
// that is all of the list.
static int with_list(const struct cut *c, size_t from, size_t *to)
{
    for (int i = 0, lines;; i++) {
        size_t first = company_next_after(c, *to, &lines), last;
        if (first >= c->n || lines > 2 ||
            (i && lines > 1 && !line_is_item(c->text + first, c->n - first)) ||
            (i && !lines_quoted_alike(c, *to - 1, first)))
            return 1;
        cut_sentence(c, first, &first, &last);
        if (last - from > CUT_LONGEST)
            return 0;
        *to = last;
    }
}

// Extends a few words that end with a stop by the sentence before them in the same paragraph, which
// they continue.
static int with_last_of_few(const struct cut *c, size_t *from, size_t to)
{
    size_t end = line_trimmed(c, 0, *from), last;
    int stops, lines;
    company_next_after(c, end, &lines);
    if (!end || lines || !company_says_little(c, *from, to, &stops) || !stops)
        return 0;
    cut_sentence(c, end - 1, &last, &end);
    *from = last;
    return 1;
}

// Whether the line that begins with byte LINE begins with a time of day, with or without a date
// before it, followed by words: "02/03/2024, 18:42 - Maya: ...", "[18:42] <maya> ...".
static int is_timed(const struct cut *c, size_t line)
{
    const size_t end = line_end(c, line);
    size_t at = line;
    int timed = 0;
    for (; at < end && (is_digit(c->text[at]) || is_one_of(c->text[at], "[]/.:,- T")); at++)
        timed |= c->text[at] == ':' && at > line && is_digit(c->text[at - 1]) && at + 1 < end &&
                 is_digit(c->text[at + 1]);
    return timed && at < end &&
           (is_upper(c->text[at]) || is_lower(c->text[at]) || is_one_of(c->text[at], "<*~") ||
            (unsigned char)c->text[at] >= 0x80);
}

int company_is_remark(const struct cut *c, size_t from, size_t to)
{
    return is_in_brackets(c->text + from, line_trimmed(c, from, to) - from);
}

// Whether byte FIRST begins a line that begins with a time, as the line of byte LAST does: the next
// entry of a log, the next message of a chat.
static int is_next_entry(const struct cut *c, size_t last, size_t first)
{
    const size_t own = line_start(c, last), next = line_start(c, first);
    return next > own && is_timed(c, own) && is_timed(c, next);
}

// Whether text[FROM..TO) has one of WORDS, in small letters.
static int has_one_of(const struct cut *c, size_t from, size_t to, const char *words)
{
    for (size_t end = from; from < to; from = end + 1) {
        while (from < to && !is_lower(c->text[from]) && !is_upper(c->text[from]))
            from++;
        for (end = from; end < to && (is_lower(c->text[end]) || is_upper(c->text[end]));)
            end++;
        if (word_is_listed(words, c->text + from, end - from))
            return 1;
    }
    return 0;
}

// The end of the letters from byte AT on.
static size_t word_end(const struct cut *c, size_t at)
{
    while (at < c->n && (is_lower(c->text[at]) || is_upper(c->text[at])))
        at++;
    return at;
}

// Whether text[FROM..TO) only says that something is asked: "How long it takes is disputed."
static int tells_question(const struct cut *c, size_t from, size_t to)
{
    static const char asking[] = WORDLIST_ASKING " whether ",
                      open[] = " matter question disputed debated unknown unclear uncertain "
                               "mystery puzzle riddle ";
    enum { LONG = 2 * COMPANY_SHORT };
    return to - from < LONG && word_is_listed(asking, c->text + from, word_end(c, from) - from) &&
           has_one_of(c, from, to, open);
}

// Whether the sentence that begins with byte FROM counts up, with one of WORDS: "The first is ...",
// "Second, ...", "And the third ...".
static int counts_up(const struct cut *c, size_t from, const char *words)
{
    size_t end = word_end(c, from);
    while (end < c->n && word_is_listed(" and the ", c->text + from, end - from)) {
        from = end + 1;
        end = word_end(c, from);
    }
    return word_is_listed(words, c->text + from, end - from);
}

// The first byte of what may count up what is said to be several before byte TO: of the next
// sentence or, where a speaker asks for it with that ("Three things went wrong. Which?"), of the
// words of the one who answers. *LINES: the number of line ends before it.
static size_t counted_from(const struct cut *c, size_t to, int *lines)
{
    int between;
    size_t first = company_next_after(c, to, lines), last;
    if (first >= c->n || *lines > 1)
        return first;
    cut_sentence(c, first, &first, &last);
    const size_t turn = line_start(c, company_paragraph(c, to - 1)),
                 next = company_next_after(c, last, &between);
    if (next >= c->n || between != 2 || !line_asks(c->text + first, last - first) ||
        !company_speaks(c, turn) || !company_answers(c, next))
        return first;
    *lines = 0;
    return company_words(c, next);
}

// The sentences of the same paragraph that tell one by one what text[FROM..*TO) says to be several
// ("There are two reasons. The first is ..."), as far as there is room.
static void with_count(const struct cut *c, size_t from, size_t *to)
{
    static const char several[] = " two three four five six seven several different various ",
                      one[] = " first firstly ",
                      others[] = " second secondly third thirdly fourth fifth then next another "
                                 "other finally last lastly ";
    int lines;
    size_t first = counted_from(c, *to, &lines), last = *to;
    if (first >= c->n || lines > 1 || !counts_up(c, first, one) || counts_up(c, from, one) ||
        !has_one_of(c, from, *to, several))
        return;
    for (int begun = 0; first < c->n && lines < 2;
         first = company_next_after(c, last, &lines), begun = 1) {
        cut_sentence(c, first, &first, &last);
        if (last - from > CUT_LONGEST)
            return;
        if (!begun || counts_up(c, first, others))
            *to = last;
    }
}

// Whether byte FIRST begins the line below that of byte LAST, which is set in less: it is no part
// of what that belongs to.
static int is_set_out(const struct cut *c, size_t last, size_t first)
{
    const size_t own = line_start(c, last), next = line_start(c, first);
    return line_end(c, own) + 1 == next && line_indentation(c, next) < line_indentation(c, own);
}

// Whether the line of byte AT and the next one are rows of a table.
static int is_next_row(const struct cut *c, size_t at)
{
    const size_t own = line_start(c, at), end = line_end(c, at), below = end + 1;
    return below < c->n &&
           lines_are_rows(c->text + own, end - own, c->text + below, line_end(c, below) - below);
}

// Whether the line of byte AT is the last row of a table, with three cells at least, as those of
// two are in lists of contents, too; and it has several numbers, or what begins with byte NEXT
// behind it is the next heading.
static int is_last_row(const struct cut *c, size_t at, size_t next)
{
    enum { NUMBERS = 2 };
    const size_t own = line_start(c, at), n = line_end(c, own) - own;
    size_t gaps = 0, width, from, to;
    int stops, numbers = is_digit(c->text[own]);
    for (size_t i = 0, gap; i < n; i += gap ? gap : 1) {
        gap = line_gap(c->text + own, n, i, &width);
        if (i > 0 && i + gap < n && width > 1) {
            gaps++;
            numbers += is_digit(c->text[own + i + gap]);
        }
    }
    if (!own || gaps < 2 || !is_next_row(c, own - 1))
        return 0;
    if (numbers >= NUMBERS)
        return 1;
    cut_sentence(c, next, &from, &to);
    return company_says_little(c, from, to, &stops) && !stops;
}

// Whether the sentence text[FROM..TO) begins a short line of its own that asks something behind it:
// "The watch does not charge. What can I do?"
static int is_asked_below(const struct cut *c, size_t from, size_t to)
{
    enum { LONG = 2 * COMPANY_SHORT };
    const size_t line = line_start(c, from), end = line_end(c, from);
    const size_t said = line_trimmed(c, from, end);
    return line_words(c, line, end) == from && to < said && said - from < LONG &&
           (!line || line_is_empty(c, line_start(c, line - 1))) &&
           line_asks(c->text + from, said - from);
}

// Extends *TO by the few words behind text[FROM..*TO) on the same line, which continue it, or by a
// remark: "The option has been removed. Use --retry instead."
static void with_few(const struct cut *c, size_t from, size_t *to)
{
    int lines, stops;
    size_t first = company_next_after(c, *to, &lines), own, last;
    if (first >= c->n || lines || *to == from || !is_one_of(c->text[*to - 1], ".!?)"))
        return;
    cut_sentence(c, *to - 1, &own, &last);
    if (company_says_little(c, own, last, &stops))
        return;
    cut_sentence(c, first, &first, &last);
    if (last - from <= CUT_LONGEST &&
        ((company_says_little(c, first, last, &stops) && stops) ||
         company_is_remark(c, first, last)) &&
        lines_quoted_alike(c, *to - 1, first) && !line_asks(c->text + first, last - first))
        *to = last;
}

// The first byte behind the rows without words at byte AT, and behind the rule below them: a table
// in Markdown has a head even where its columns have no names.
static size_t past_empty_rows(const struct cut *c, size_t at)
{
    size_t end;
    while (at < c->n && c->text[at] == '|' && (end = line_end(c, at)) < c->n &&
           !line_says_something(c->text + at, end - at))
        at = end + 1;
    return at;
}

// Whether the sentence that begins with byte FROM only says that something is there: "There was a
// note on the door.", "And there was this."
static int says_there(const struct cut *c, size_t from)
{
    size_t end = word_end(c, from);
    if (word_is_listed(" and but then ", c->text + from, end - from)) {
        from = end + 1;
        end = word_end(c, from);
    }
    const size_t next = end + 1;
    return word_is_listed(" there ", c->text + from, end - from) && next < c->n &&
           word_is_listed(" is was are were ", c->text + next, word_end(c, next) - next);
}

// Whether text[FROM..TO) says what should be, not what is: "It should have been every day."
static int says_should(const struct cut *c, size_t from, size_t to)
{
    static const char *const words[] = {"should have", "ought to have", "supposed to", "meant to"};
    for (size_t at = from; at < to; at++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (begins_with(c->text + at, to - at, words[i]))
                return 1;
    return 0;
}

// Extends *TO over the sentence behind it that tells what that is which text[FROM..*TO) says to be
// there, or what was instead of what that says should have been: "It was ...". Behind "There was
// this." another one may stand between them.
static void with_fact(const struct cut *c, size_t from, size_t *to)
{
    enum { MOST = 2, LONG = 2 * COMPANY_SHORT };
    const int there = says_there(c, from), should = says_should(c, from, *to);
    size_t first, last = *to;
    if ((!there && !should) || *to - from >= LONG)
        return;
    const int most = there && has_one_of(c, from, *to, " this ") ? MOST : 1;
    for (int i = 0, lines; i < most; i++) {
        first = company_next_after(c, last, &lines);
        if (first >= c->n || lines > 1)
            return;
        cut_sentence(c, first, &first, &last);
        if (last - from > CUT_LONGEST)
            return;
        const size_t end = word_end(c, first), next = end + 1;
        if (word_is_listed(" it they she he this these ", c->text + first, end - first) &&
            next < c->n &&
            word_is_listed(" is was are were ", c->text + next, word_end(c, next) - next)) {
            *to = last;
            return;
        }
    }
}

// Extends *TO by the items right below text[FROM..*TO), an item of a list that is shown from byte
// FIRST on for its heading, as far as there is room.
static void with_items(const struct cut *c, size_t first, size_t from, size_t *to)
{
    int lines;
    if (!line_is_item(c->text + from, *to - from) || line_is_numbered(c->text + from, *to - from))
        return;
    for (size_t next = company_next_after(c, *to, &lines), last;
         next < c->n && lines == 1 && line_is_item(c->text + next, c->n - next);
         next = company_next_after(c, *to, &lines)) {
        cut_sentence(c, next, &next, &last);
        if (last - first > CUT_LONGEST)
            return;
        *to = last;
    }
}

// Extends *TO by what follows a heading or a few words, and by the list that a line leads in.
static void with_next(const struct cut *c, size_t from, size_t *to)
{
    enum { MOST = 2 }; // a heading and one below it
    size_t last = from;
    int stops, lines;
    if (reply_below(c, from, to) || company_said(c, from, to))
        return;
    // What answers it is only below it.
    if (line_asks(c->text + from, *to - from) || is_asked_below(c, from, *to) ||
        tells_question(c, from, *to)) {
        company_answer(c, from, to);
    } else if (company_answers(c, from)) {
        company_turn(c, from, to);
        return;
    }
    for (int i = 0;
         i < MOST && c->text[*to - 1] != ':' && company_says_little(c, last, *to, &stops); i++) {
        size_t first = past_empty_rows(c, company_next_after(c, *to, &lines));
        if (first >= c->n || (stops && lines > 1) || !lines_quoted_alike(c, *to - 1, first) ||
            lines_begin_alike(c->text + last, *to - last, c->text + first, c->n - first) ||
            is_next_entry(c, last, first) || is_set_out(c, *to - 1, first) ||
            (lines == 1 && is_next_row(c, *to - 1)) ||
            (lines > 1 && is_last_row(c, *to - 1, first)))
            return;
        size_t next, end;
        cut_sentence(c, first, &next, &end);
        if (courtesy_is(c, next, end))
            return;
        last = next;
        *to = end;
        if (line_asks(c->text + last, *to - last)) {
            company_answer(c, last, to);
            break;
        }
    }
    if (c->text[*to - 1] == ':' || leads_below(c, last, *to))
        with_list(c, from, to);
    else
        with_count(c, last, to);
    with_fact(c, from, to);
    if (last > from)
        with_items(c, from, last, to);
}

// Whether text[FROM..TO) is one of WORDS [n].
static int is_word_of(const struct cut *c, size_t from, size_t to, const char *const *words,
                      size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (to >= from && to - from == strlen(words[i]) &&
            !memcmp(c->text + from, words[i], to - from))
            return 1;
    return 0;
}

int company_refers(const struct cut *c, size_t from)
{
    static const char *const words[] = {
        "It", "He",  "She",    "They",  "This",   "These", "Its", "His",   "Her",      "Their",
        "Er", "Sie", "Dieser", "Diese", "Dieses", "Thus",  "So",  "Hence", "Therefore"};
    // "When it is enabled, ..."
    static const char *const before[] = {"When", "If", "While", "Because", "Unless", "Until"},
                             *const behind[] = {"it", "this", "they"};
    const size_t end = word_end(c, from), next = end + 1, next_end = word_end(c, next);
    return is_word_of(c, from, end, words, sizeof words / sizeof *words) ||
           (end < c->n && c->text[end] == ' ' &&
            is_word_of(c, from, end, before, sizeof before / sizeof *before) &&
            is_word_of(c, next, next_end, behind, sizeof behind / sizeof *behind));
}

// Whether FROM to TO are a few words without a stop, on a line of their own, at the end of the
// text.
static int signs_off(const struct cut *c, size_t from, size_t to)
{
    int stops, lines;
    return company_next_after(c, to, &lines) >= c->n && line_end(c, from) >= to &&
           company_says_little(c, from, to, &stops) && !stops && c->text[to - 1] != ')';
}

int company_signs(const struct cut *c, size_t from, size_t to)
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
static void with_last(const struct cut *c, size_t *from, size_t to)
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

// Whether TEXT [n] has a number, or a name behind its first word.
static int names_something(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]) || (i > 0 && text[i - 1] == ' ' && is_upper(text[i])))
            return 1;
    return 0;
}

// Where what is said on the line that begins with byte AT begins, behind the name of who speaks.
static size_t behind_speaker(const struct cut *c, size_t at)
{
    const size_t n = line_start(c, at) == at ? speaker_at(c, at) : 0;
    return n ? at + n + 1 : at;
}

// If the sentence that begins with byte AT begins with "it" or "this": finds the sentence, FROM to
// TO, that names the subject. It is the first one of the paragraph, or of the paragraph above if AT
// is that itself. Returns 0 if it is missing or not short.
static int told_of(const struct cut *c, size_t at, size_t *from, size_t *to)
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
static int done_above(const struct cut *c, size_t at, size_t *from, size_t *to)
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
static int is_item_apart(const struct cut *c, size_t at)
{
    return line_words(c, line_start(c, at), at) == at && !is_digit(c->text[at]) &&
           line_is_item(c->text + at, c->n - at);
}

// Whether text[FROM..TO) ends what one speaker asks another, who speaks on the next line.
static int asks_next(const struct cut *c, size_t from, size_t to)
{
    const size_t line = line_start(c, from), next = line_end(c, from) + 1;
    return next < c->n && line_asks(c->text + from, to - from) &&
           line_trimmed(c, from, to) == line_trimmed(c, from, next) && label_turns(c, line, next);
}

// company_extend, within one part of a message.
static void company(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    if (nested_group(c, from, to, lead, lead_end) || record_of_fields(c, from, to, lead, lead_end))
        return;
    if ((asks_next(c, *from, *to) || !label_group(c, from, to)) &&
        (!with_last_of_few(c, from, *to) || line_asks(c->text + *from, *to - *from))) {
        with_next(c, *from, to);
        with_few(c, *from, to);
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
    const int whole = with_list(c, *lead, &all), part = is_item_apart(c, *from);
    if (all < *to || (!whole && part))
        return;
    *from = *lead_end = *lead;
    *to = all;
}

// Where what is said in the body of a message that ends with byte END ends: without its signature.
static size_t said_end(const struct cut *c, size_t end)
{
    const size_t to = line_trimmed(c, 0, end), line = to ? line_start(c, to - 1) : 0;
    return line < to && company_signs(c, line, to) ? line_trimmed(c, 0, line) : end;
}

void company_extend(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end)
{
    size_t first, end;
    const enum message_part part = message_part_of(c, *from, &first, &end);
    *lead = *lead_end = *from;
    if (part != MESSAGE_BODY && end - first <= CUT_LONGEST) { // its pieces say little
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
    if (message_trailed(c, *from, &all, &all_end) && all_end - all <= CUT_LONGEST) {
        *from = *lead = *lead_end = all;
        *to = all_end;
        return;
    }
    if (company_signs(c, *from, *to) || courtesy_is(c, *from, *to)) // nobody's words
        return;
    end = said_end(c, end);
    end = end > *to ? end : *to;
    const struct cut own = {.text = c->text + first, .n = end - first, .width = c->width};
    *from -= first;
    *to -= first;
    company(&own, from, to, lead, lead_end);
    *from += first;
    *to += first;
    *lead += first;
    *lead_end += first;
}
