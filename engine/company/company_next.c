// What stands behind a sentence and is read with it.
#include "engine/company/company_impl.h"
#include "engine/lines/lines.h"
#include "engine/sentences/courtesy.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/heading.h"
#include "engine/sentences/leads.h"
#include "engine/sentences/reply.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Whether the line that begins with byte LINE begins with a time of day, with or without a date
// before it, followed by words: "02/03/2024, 18:42 - Maya: ...", "[18:42] <maya> ...".
static int is_timed(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line);
    size_t at = line;
    int timed = 0;
    for (; at < end && (is_digit(c->text[at]) || is_one_of(c->text[at], "[]/.:,- T")); at++)
        timed |= c->text[at] == ':' && at > line && is_digit(c->text[at - 1]) && at + 1 < end &&
                 is_digit(c->text[at + 1]);
    if (line_is_stamped(c->text + line, end - line))
        return 1;
    return timed && at < end &&
           (is_upper(c->text[at]) || is_lower(c->text[at]) || is_one_of(c->text[at], "<*~") ||
            (unsigned char)c->text[at] >= 0x80);
}

// Extends *TO, which ends words of somebody else that are quoted below byte FROM, by the paragraph
// behind them, as far as there is room.
static void with_own_words(const struct lines *c, size_t from, size_t *to)
{
    int lines;
    for (size_t first = company_next_after(c, *to, &lines), last, own = first;
         first < c->n && (first == own ? lines == 2 : lines < 2) &&
         lines_quoted_alike(c, from, first);
         first = company_next_after(c, *to, &lines)) {
        cut_sentence(c, first, &first, &last);
        if (last - from > LONGEST_SENTENCE)
            return;
        *to = last;
    }
}

// Whether what begins with bytes A and B has marks of one kind: "(a)" and "(b)", but not "(a)" and
// "4.", which is another list or the next heading.
static int are_marked_alike(const struct lines *c, size_t a, size_t b)
{
    return is_digit(c->text[a]) ? is_digit(c->text[b]) : c->text[a] == c->text[b];
}

int company_list(const struct lines *c, size_t from, size_t *to)
{
    size_t item = 0; // the first one
    int quotes = 0;  // it leads in what somebody else wrote, and with that one's own words
    for (int i = 0, lines;; i++) {
        size_t first = company_next_after(c, *to, &lines), last;
        if (first >= c->n || lines > 2 ||
            (i && lines > 1 &&
             !(line_is_item(c->text + first, c->n - first) &&
               (!line_is_item(c->text + item, c->n - item) || are_marked_alike(c, item, first)))) ||
            (i && !lines_quoted_alike(c, *to - 1, first))) {
            if (quotes)
                with_own_words(c, from, to);
            return 1;
        }
        item = i ? item : first;
        cut_sentence(c, first, &first, &last);
        if (last - from > LONGEST_SENTENCE)
            return 0;
        quotes |=
            !i && lines_quoted_alike(c, from, first) && !lines_quoted_alike(c, from, last - 1);
        *to = last;
    }
}

// Whether byte FIRST begins a line that begins with a time, as the line of byte LAST does: the next
// entry of a log, the next message of a chat.
static int is_next_entry(const struct lines *c, size_t last, size_t first)
{
    const size_t own = line_start(c, last), next = line_start(c, first);
    return next > own && is_timed(c, own) && is_timed(c, next);
}

// Whether text[FROM..TO) has one of WORDS, in small letters. To words_listed a dash is a part of
// the words beside it: "three—no, four"
static int has_one_of(const struct lines *c, size_t from, size_t to, const char *words)
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

// Whether text[FROM..TO) only says that something is asked: "How long it takes is disputed."
static int tells_question(const struct lines *c, size_t from, size_t to)
{
    static const char asking[] = WORDLIST_ASKING " whether ",
                      open[] = " matter question disputed debated unknown unclear uncertain "
                               "mystery puzzle riddle ";
    enum { LONG = 2 * COMPANY_SHORT };
    return to - from < LONG &&
           word_is_listed(asking, c->text + from, company_word_end(c, from) - from) &&
           has_one_of(c, from, to, open);
}

// Whether the sentence that begins with byte FROM counts up, with one of WORDS: "The first is ...",
// "Second, ...", "And the third ...".
static int counts_up(const struct lines *c, size_t from, const char *words)
{
    size_t end = company_word_end(c, from);
    while (end < c->n && word_is_listed(" and the ", c->text + from, end - from)) {
        from = end + 1;
        end = company_word_end(c, from);
    }
    return word_is_listed(words, c->text + from, end - from);
}

// The first byte of what may count up what is said to be several before byte TO: of the next
// sentence or, where a speaker asks for it with that ("Three things went wrong. Which?"), of the
// words of the one who answers. *LINES: the number of line ends before it.
static size_t counted_from(const struct lines *c, size_t to, int *lines)
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
static void with_count(const struct lines *c, size_t from, size_t *to)
{
    static const char several[] = " two three four five six seven several different various ",
                      one[] = " first firstly ",
                      others[] = " second secondly third thirdly fourth fifth then next another "
                                 "other finally last lastly ";
    if (counts_up(c, from, one) || !has_one_of(c, from, *to, several))
        return;
    int lines;
    size_t first = counted_from(c, *to, &lines), last = *to;
    if (first >= c->n || lines > 1 || !counts_up(c, first, one))
        return;
    for (int begun = 0; first < c->n && lines < 2;
         first = company_next_after(c, last, &lines), begun = 1) {
        cut_sentence(c, first, &first, &last);
        if (last - from > LONGEST_SENTENCE)
            return;
        if (!begun || counts_up(c, first, others))
            *to = last;
    }
}

// Whether byte FIRST begins the line below that of byte LAST, which is set in less: it is no part
// of what that belongs to.
static int is_set_out(const struct lines *c, size_t last, size_t first)
{
    const size_t own = line_start(c, last), next = line_start(c, first);
    return line_end(c, own) + 1 == next && line_indentation(c, next) < line_indentation(c, own);
}

// Whether the lines of bytes A and B are rows of a table.
static int are_rows(const struct lines *c, size_t a, size_t b)
{
    const struct span_of_text own = line_at(c, a), other = line_at(c, b);
    return lines_are_rows(c->text + own.from, span_bytes(own), c->text + other.from,
                          span_bytes(other));
}

// Whether the line of byte AT and the next one are.
static int is_next_row(const struct lines *c, size_t at)
{
    const size_t below = line_end(c, at) + 1;
    return below < c->n && are_rows(c, at, below);
}

// Whether the line of byte AT is one of a list of contents, or the last row of whole numbers: what
// is below a sum of money tells of that.
static int is_listed(const struct lines *c, size_t at)
{
    const size_t line = line_start(c, at);
    size_t to = line_trimmed(c, line, line_end(c, at));
    while (to > line && is_digit(c->text[to - 1]))
        to--;
    return to > line && is_space(c->text[to - 1]) && line_is_summed(c, line);
}

static int begins_with_day(const struct lines *c, size_t line)
{
    struct day d;
    return day_begins(c->text + line, line_end(c, line) - line, &d) > 0;
}

// Whether the line of byte AT is the last row of a table that a line above leads in ("The plan:"),
// that an item of a list is below, or of one with three cells at least, as those of two are in
// lists of contents, too; and it has several numbers, or what begins with byte NEXT behind it is
// the next heading; or of a list of days.
static int is_last_row(const struct lines *c, size_t at, size_t next)
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
    if (own && gaps && begins_with_day(c, own) && begins_with_day(c, line_start(c, own - 1)))
        return 1;
    if (!own || !gaps || !is_next_row(c, own - 1))
        return 0;
    if (leads_list(c, own, &from, &to) || line_is_item(c->text + next, c->n - next))
        return 1;
    if (gaps < 2)
        return 0;
    if (numbers >= NUMBERS)
        return 1;
    cut_sentence(c, next, &from, &to);
    return company_says_little(c, from, to, &stops) && !stops;
}

// Whether the sentence text[FROM..TO) begins a short line of its own that asks something behind it:
// "The watch does not charge. What can I do?"
static int is_asked_below(const struct lines *c, size_t from, size_t to)
{
    enum { LONG = 2 * COMPANY_SHORT };
    const size_t line = line_start(c, from), end = line_end(c, from);
    const size_t said = line_trimmed(c, from, end);
    return line_words(c, line, end) == from && to < said && said - from < LONG &&
           (!line || line_is_empty(c, line_start(c, line - 1))) &&
           line_asks(c->text + from, said - from);
}

void company_few(const struct lines *c, size_t from, size_t *to)
{
    int lines, stops;
    size_t first = company_next_after(c, *to, &lines), own, last;
    if (first >= c->n || lines || *to == from || !is_one_of(c->text[*to - 1], ".!?)"))
        return;
    cut_sentence(c, *to - 1, &own, &last);
    if (company_says_little(c, own, last, &stops))
        return;
    cut_sentence(c, first, &first, &last);
    if (last - from <= LONGEST_SENTENCE && !company_counts(c, first, last) &&
        ((company_says_little(c, first, last, &stops) && stops) ||
         company_is_remark(c, first, last)) &&
        lines_quoted_alike(c, *to - 1, first) && !line_asks(c->text + first, last - first))
        *to = last;
}

// The first byte behind the rows without words at byte AT, and behind the rule below them: a table
// in Markdown has a head even where its columns have no names.
static size_t past_empty_rows(const struct lines *c, size_t at)
{
    size_t end;
    while (at < c->n && c->text[at] == '|' && (end = line_end(c, at)) < c->n &&
           !line_says_something(c->text + at, end - at))
        at = end + 1;
    return at;
}

// Whether the sentence that begins with byte FROM only says that something is there: "There was a
// note on the door.", "And there was this."
static int says_there(const struct lines *c, size_t from)
{
    size_t end = company_word_end(c, from);
    if (word_is_listed(" and but then ", c->text + from, end - from)) {
        from = end + 1;
        end = company_word_end(c, from);
    }
    const size_t next = end + 1;
    return word_is_listed(" there ", c->text + from, end - from) && next < c->n &&
           word_is_listed(" is was are were ", c->text + next, company_word_end(c, next) - next);
}

// Whether text[FROM..TO) says what should be, not what is: "It should have been weekly."
static int says_should(const struct lines *c, size_t from, size_t to)
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
static void with_fact(const struct lines *c, size_t from, size_t *to)
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
        if (last - from > LONGEST_SENTENCE)
            return;
        const size_t end = company_word_end(c, first), next = end + 1;
        if (word_is_listed(" it they she he this these ", c->text + first, end - first) &&
            next < c->n &&
            word_is_listed(" is was are were ", c->text + next, company_word_end(c, next) - next)) {
            *to = last;
            return;
        }
    }
}

// Extends *TO over the sentence behind it in its paragraph that gives another name to what
// text[FROM..*TO) says to be called something: "In Ham, they are called hulks."
static void with_name(const struct lines *c, size_t from, size_t *to)
{
    enum { NEAR = 48 }; // bytes before its verb
    static const char *const begins[] = {"it is ", "It is ", "they are ", "They are "},
                             *const calls[] = {"called ", "also called ", "known as ",
                                               "also known as "};
    size_t first, last;
    int lines;
    if (!has_one_of(c, from, *to, " call calls called ") ||
        (first = company_next_after(c, *to, &lines)) >= c->n || lines > 1)
        return;
    cut_sentence(c, first, &first, &last);
    if (last - from > LONGEST_SENTENCE)
        return;
    for (size_t at = first; at < last && at - first <= NEAR; at++)
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
            if (!begins_with(c->text + at, last - at, begins[i]))
                continue;
            const size_t verb = at + strlen(begins[i]);
            for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
                if (begins_with(c->text + verb, last - verb, calls[k]))
                    *to = last;
            return;
        }
}

// Whether text[FROM..TO) begins with who thinks otherwise now: "But I have changed my mind", "We no
// longer think so.", "That was wrong." Somebody may be wrong about something else.
static int takes_back(const struct lines *c, size_t from, size_t to)
{
    enum { NEAR = 32 }; // bytes before what tells it
    static const char about[] = " about ";
    static const char *const tells[] = {"changed my mind", "changed our mind", "no longer ",
                                        "was wrong",       "were wrong",       "was mistaken"};
    size_t end = company_word_end(c, from);
    if (word_is_listed(" but yet since now ", c->text + from, end - from) && end + 1 < to) {
        from = end + 1;
        end = company_word_end(c, from);
    }
    if (!word_is_listed(" i i've we we've that this it ", c->text + from, end - from))
        return 0;
    for (size_t at = end; at < to && at - end <= NEAR && !is_one_of(c->text[at], ",;:"); at++)
        for (size_t i = 0; i < sizeof tells / sizeof *tells; i++)
            if (begins_with(c->text + at, to - at, tells[i]) &&
                !begins_with(c->text + at + strlen(tells[i]), to - at - strlen(tells[i]), about))
                return 1;
    return 0;
}

// Extends *TO over the sentence behind it in its paragraph that takes text[FROM..*TO) back.
static void with_second_thought(const struct lines *c, size_t from, size_t *to)
{
    size_t first, last;
    int lines;
    if ((first = company_next_after(c, *to, &lines)) >= c->n || lines > 1 ||
        !lines_quoted_alike(c, *to - 1, first))
        return;
    cut_sentence(c, first, &first, &last);
    if (last - from <= LONGEST_SENTENCE && takes_back(c, first, last))
        *to = last;
}

// Whether text[FROM..TO) tells what who wrote it has said before, to put it right: "3. I said I had
// driven for two years.", "We said last year that she would be afloat by May."
static int tells_own_words(const struct lines *c, size_t from, size_t to)
{
    static const char who[] = " i we ", said[] = " said wrote gave stated told reported announced ",
                      before[] = " last earlier before previously previous page then ";
    const int numbered = line_is_numbered(c->text + from, to - from);
    while (numbered && from < to && (is_digit(c->text[from]) || is_one_of(c->text[from], ".) ")))
        from++;
    const size_t end = company_word_end(c, from), verb = end + 1;
    if (!word_is_listed(who, c->text + from, end - from) || verb >= to)
        return 0;
    const size_t verb_end = company_word_end(c, verb);
    return word_is_listed(said, c->text + verb, verb_end - verb) &&
           (numbered || has_one_of(c, verb_end, to, before));
}

// Extends *TO, where text[FROM..*TO) tells that, by the sentence behind it in its paragraph, and
// where that is only a remark ("That was optimistic.") by another one.
static void with_right_words(const struct lines *c, size_t from, size_t *to)
{
    enum { MOST = 2, REMARK = 40 }; // sentences; bytes
    if (!tells_own_words(c, from, *to))
        return;
    for (size_t i = 0, first = from, last; i < MOST && (!i || *to - first <= REMARK); i++) {
        int lines;
        if ((first = company_next_after(c, *to, &lines)) >= c->n || lines > 1)
            return;
        cut_sentence(c, first, &first, &last);
        if (last - from > LONGEST_SENTENCE)
            return;
        *to = last;
    }
}

void company_rest(const struct lines *c, size_t from, size_t *to)
{
    const size_t last = line_start(c, line_trimmed(c, from, *to) - 1);
    size_t first, end;
    int lines;
    if ((first = company_next_after(c, *to, &lines)) >= c->n || lines < 2)
        return;
    const size_t own = line_start(c, first);
    if (!is_lower(c->text[first]) || line_words(c, own, first) != first ||
        line_indentation(c, last) < line_indentation(c, own) + 2 ||
        is_one_of(c->text[*to - 1], ".!?") || !lines_quoted_alike(c, *to - 1, first))
        return;
    cut_sentence(c, first, &first, &end);
    if (end - from <= LONGEST_SENTENCE && is_one_of(c->text[end - 1], ".!?:"))
        *to = end;
}

// Extends *TO, behind what is shown from byte FIRST on, by the items right below it that are set in
// by LEAST columns or more, those without a number unless NUMBERED, as far as there is room.
static void add_items(const struct lines *c, size_t first, size_t least, int numbered, size_t *to)
{
    int lines;
    for (size_t next = company_next_after(c, *to, &lines), last;
         next < c->n && lines == 1 && line_indentation(c, line_start(c, next)) >= least &&
         line_is_item(c->text + next, c->n - next) && (numbered || !is_digit(c->text[next]));
         next = company_next_after(c, *to, &lines)) {
        cut_sentence(c, next, &next, &last);
        if (last - first > LONGEST_SENTENCE)
            return;
        *to = last;
    }
}

// Extends *TO by the items right below text[FROM..*TO), an item of a list that is shown from byte
// FIRST on for its heading.
static void with_items(const struct lines *c, size_t first, size_t from, size_t *to)
{
    if (line_is_item(c->text + from, *to - from) && !line_is_numbered(c->text + from, *to - from))
        add_items(c, first, 0, 1, to);
}

// Whether the few words that begin with byte FROM, with so many LINES ends behind them, go on with
// a title ("told by Ada Lane"): a small letter begins their line, and two empty lines are below it.
static int ends_title_page(const struct lines *c, size_t from, int lines)
{
    enum { APART = 3 };
    return lines >= APART && is_lower(c->text[from]) &&
           line_words(c, line_start(c, from), from) == from;
}

// Extends *TO by the items set in right below the line that text[FROM..*TO) ends with, where that
// says little without them: "but not", "  - frost,", "  - damp."
static void with_rest_of_open(const struct lines *c, size_t from, size_t *to)
{
    const size_t line = line_start(c, *to - 1);
    if (*to >= line_trimmed(c, line, line_end(c, line)) && line_is_open(c->text + line, *to - line))
        add_items(c, from, line_indentation(c, line) + 1, 0, to);
}

void company_next(const struct lines *c, size_t from, size_t *to)
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
        if (first >= c->n || (stops && lines > 1) || ends_title_page(c, last, lines) ||
            !lines_quoted_alike(c, *to - 1, first) ||
            lines_begin_alike(c->text + last, *to - last, c->text + first, c->n - first) ||
            is_next_entry(c, last, first) || is_set_out(c, *to - 1, first) ||
            (lines == 1 && (is_next_row(c, *to - 1) || are_rows(c, last, first))) ||
            (lines > 1 && (is_last_row(c, *to - 1, first) || is_listed(c, *to - 1) ||
                           heading_never(c, line_start(c, *to - 1)))))
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
        company_list(c, from, to);
    else
        with_count(c, last, to);
    with_rest_of_open(c, from, to);
    with_fact(c, from, to);
    with_name(c, from, to);
    with_second_thought(c, from, to);
    with_right_words(c, from, to);
    company_rest(c, from, to);
    if (last > from)
        with_items(c, from, last, to);
}
