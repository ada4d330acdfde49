// Plain text: all that engine/words, engine/lines and engine/sentences say of the places and lines
// of a document, and of a question.
// and lines, and of a question.
#include <stdlib.h>
#include <string.h>

#include "engine/company/company.h"
#include "engine/lines/columns.h"
#include "engine/lines/comment.h"
#include "engine/lines/fence.h"
#include "engine/lines/label.h"
#include "engine/lines/leader.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lines/nested.h"
#include "engine/lines/page.h"
#include "engine/lines/record.h"
#include "engine/lines/setting.h"
#include "engine/passage/clause.h"
#include "engine/question/apart.h"
#include "engine/question/asked.h"
#include "engine/question/message_asked.h"
#include "engine/question/named.h"
#include "engine/question/question.h"
#include "engine/sentences/cut.h"
#include "engine/sentences/heading.h"
#include "engine/sentences/label_group.h"
#include "engine/sentences/reply.h"
#include "engine/sentences/stands.h"
#include "engine/words/dates.h"
#include "engine/words/letter.h"
#include "engine/words/markup.h"
#include "engine/words/shortened.h"
#include "engine/words/statement.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "tests/fuzz/text.h"

// Of each document, spread over it.
enum { PLACES = 24, LINES = 32, LONGEST = 4096 };

static void must_be_in(const struct lines *c, size_t from, size_t to)
{
    must(from <= to && to <= c->n);
}

static void read_asked(const char *question, const char *text)
{
    asked_fit(question, text);
    asked_left_out(question, text, question);
    asked_answered(question, text);
    asked_contents_left_out(question, text);
    asked_rate_left_out(question, text);
    asked_numbers(question, text);
    asked_of_another(question, text);
    asked_numbers_lacking(question, text);
    asked_row(question, text);
    asked_defines(question, text);
    asked_does(question, text);
    message_may_tell(question, text);
    statement_best(question, strlen(question), (const char *const[]){text, question}, 2);
    dates_named(text);
    dates_numbered(text);
    words_known(text, question, text);
    char *out = malloc(strlen(question) + strlen(text) + 2);
    must(out != NULL);
    words_new(text, question, out);
    words_lacking(question, text, out);
    words_shared(text, question, out);
    free(out);
}

static void read_question(const char *question, const char *text, size_t n)
{
    char *first, *second, *out;
    int which;
    asked_what(question);
    asked_for_version(question);
    asked_for_date(question);
    asked_for_steps(question);
    question_clause(question_itself(question));
    question_for_several(question);
    message_asked_of_commit(question);
    if (question_halves(question, &first, &second, NULL) > 0) {
        free(first);
        free(second);
    }
    if (apart_divide(question, &first, &second, NULL) > 0) {
        free(first);
        free(second);
    }
    const struct named_text d[] = {{text, n}, {text + n / 2, n - n / 2}};
    for (int i = 1; i <= 2; i++)
        if (!named_left_out(&out, &which, question, d, i, NULL))
            free(out);
}

// What is said for reading, FROM to TO of C, and what is asked of that.
static void read_said(const struct lines *c, const char *question, size_t from, size_t to)
{
    char *out = malloc(to - from);
    must(out || to == from);
    const size_t n = cut_mend(c, from, to, out);
    must(n <= to - from);
    stands_alone(out, n);
    char *said = fuzz_text_string(out, n);
    read_asked(question, said);
    free(said);
    free(out);
}

static void read_sentence(const struct lines *c, const char *question, size_t at)
{
    size_t from, to, lead, lead_end, own, end;
    cut_whole(c, at, &from, &to);
    must_be_in(c, from, to);
    clause_choose(c, question, at, &from, &to);
    must_be_in(c, from, to);
    cut_sentence(c, at, &from, &to);
    must_be_in(c, from, to);
    must(from < to);
    read_said(c, question, from, to);
    own = from;
    end = to;
    company_signs(c, from, to);
    company_refers(c, from);
    company_extend(c, &from, &to, &lead, &lead_end);
    must_be_in(c, from, to);
    must_be_in(c, lead, lead_end);
    read_said(c, question, from, to);
    must(reply_start(c, own, end) <= end);
    if (reply_below(c, own, &end))
        must_be_in(c, own, end);
    if (reply_above(c, at, &from, &to))
        must_be_in(c, from, to);
}

// What byte AT of C is a part of.
static void read_parts(const struct lines *c, const char *question, size_t at)
{
    static char told[MESSAGE_TOLD];
    size_t from = at, to = at + 1, lead, lead_end;
    if (heading_before(c, at, &from, &to))
        must_be_in(c, from, to);
    const enum message_part part = message_part_of(c, at, &from, &to);
    must_be_in(c, from, to);
    must(message_subject(c, to) <= c->n);
    if (part == MESSAGE_HEAD) {
        char *head = fuzz_text_copy(c->text + from, to - from);
        must(message_told(head, to - from, question, "I do.", told) < MESSAGE_TOLD);
        message_is_commit(head, to - from);
        free(head);
    }
    if (message_commit(c, at, &from, &to))
        must_be_in(c, from, to);
    if (message_trailed(c, at, &from, &to))
        must_be_in(c, from, to);
    if (record_run(c, at, &from, &to))
        must_be_in(c, from, to);
    if (label_run(c, at, &from, &to, 0))
        must_be_in(c, from, to);
    if (page_divides(c, at, &from, &to))
        must_be_in(c, from, to);
    nested_from_above(c, at);
    nested_goes_on(c, at);
    for (int i = 0; i < 3; i++) {
        from = at;
        to = at + 1;
        if (i == 0   ? !nested_group(c, &from, &to, &lead, &lead_end)
            : i == 1 ? !record_of_fields(c, &from, &to, &lead, &lead_end)
                     : !label_group(c, &from, &to))
            continue;
        must_be_in(c, from, to);
        if (i < 2)
            must_be_in(c, lead, lead_end);
    }
}

static void read_byte(const struct lines *c, size_t at)
{
    const char *text = c->text;
    cut_ends_at(c, at);
    comment_goes_on(c, at);
    comment_closes(c, at);
    comment_has(text, c->n, at);
    line_is_mark(text, at, text[at]);
    letter_ends(text, at);
    if (at + 1 < c->n && is_one_of(text[at], ".!?"))
        cut_runs_in(c, at, at + 1);
}

static void read_columns(const struct lines *c, size_t line)
{
    struct columns t;
    struct span_of_text head[COLUMNS_MOST], row[COLUMNS_MOST];
    columns_rule(c, line);
    if (!columns_begin(&t, c, line))
        return;
    for (int i = 0; i < LINES && columns_next(&t, c); i++) {
        must_be_in(c, t.head.from, t.head.to);
        must_be_in(c, t.row.from, t.row.to);
        for (int j = columns_cells(c->text, t.head, t.row, head, row); j-- > 0;) {
            must_be_in(c, head[j].from, head[j].to);
            must_be_in(c, row[j].from, row[j].to);
        }
    }
}

// The line of C at byte LINE, where it stands.
static void read_line(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), next = end + 1;
    size_t from, to, n;
    must_be_in(c, line_words(c, line, end), end);
    must_be_in(c, line_said(c, line, end), end);
    must_be_in(c, line_trimmed(c, line, end), end);
    line_is_empty(c, line);
    line_quoted(c, line);
    leader_is_among(c, line);
    must(!fence_is(c, line) || fence_holds(c, line));
    if (heading_is(c, line, &from, &to))
        must_be_in(c, from, to);
    if (message_head(c, line, &from, &to))
        must_be_in(c, from, to);
    message_is_signed(c, line);
    const char *label = label_at(c, line, &n);
    must(!label || (label >= c->text && n <= c->n - (size_t)(label - c->text)));
    must(setting_words(c, line) <= c->n);
    setting_at(c, line);
    nested_is_list(c, line);
    read_columns(c, line);
    if (end < c->n)
        comment_line_end(c, end);
    if (next >= c->n)
        return;
    label_turns(c, line, next);
    label_is_other(c, next, line, end);
    nested_apart(c, line, next);
}

// A line by itself.
static void read_alone(const char *text, size_t n, const char *question)
{
    char stem[WORD_STEM], small[LETTER_BYTES], word[WORD_LISTED];
    size_t width, bytes, n_want;
    must(line_label(text, n) <= n);
    must(line_hyphen(text, n) <= n);
    must(leader_label(text, n) <= n);
    if (leader_split(text, n, &width, &bytes))
        must(width < bytes && bytes < n);
    must(setting_tag(text, n) <= n);
    must(letter_at(text, n) <= n);
    must(white_space(text, n) <= n);
    line_width(text, n);
    line_says_something(text, n);
    line_is_open(text, n);
    line_asks(text, n);
    line_is_record(text, n);
    line_is_thrown(text, n);
    line_is_item(text, n);
    line_marks(text, n, ',');
    line_marks(text, n, '|');
    line_has_fields(text, n);
    columns_are_in(text, n);
    line_is_directive(text, n);
    dates_begin(text, n);
    dates_say(text, n);
    heading_level(text, n);
    asked_heads(text, n, 1, question, "The mill.");
    markup_is_entry(text, n);
    message_field_of(text, n);
    setting_is_bracket(text, n);
    stands_alone(text, n);
    letter_is_small(text, n);
    letter_is(question, &n_want, text, n);
    words_any(question, text, n);
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *own = text + at - bytes;
        must(at <= n && bytes <= at);
        word_has_digit(own, bytes);
        word_is_year(own, bytes);
        word_is_in(text, n, stem);
        word_is_common(stem);
        word_is_listed(WORDLIST_DATES, own, bytes);
        shortened_word(own, bytes, text + at, n - at);
        shortened_stop(text, at, text + at, n - at);
        word_form_is_in(question, strlen(question), own, bytes);
        must(letter_small(own, n - at + bytes, small) <= LETTER_BYTES);
    }
    for (size_t at = 0; word_small(text, n, &at, word, sizeof word);)
        must(at <= n);
    for (size_t at = 0; at < n; at++) {
        must(line_quotation(text, n, at) <= n);
        must(line_gap(text, n, at, &width) <= n - at);
    }
}

static void read_pair(const char *a, size_t n_a, const char *b, size_t n_b)
{
    lines_begin_alike(a, n_a, b, n_b);
    lines_are_rows(a, n_a, b, n_b);
    lines_end_alike(a, n_a, b, n_b);
    lines_hang(a, n_a, b, n_b);
    lines_divide_alike(a, n_a, b, n_b);
    line_is_headed(a, n_a, b, n_b);
}

static void read_lines(const struct lines *c, const char *question)
{
    size_t n_above = 0, line = 0;
    char *above = fuzz_text_copy(NULL, 0);
    for (int i = 0; i < LINES && line < c->n; i++) {
        const size_t end = line_end(c, line), n = end - line < LONGEST ? end - line : LONGEST;
        char *own = fuzz_text_copy(c->text + line, n);
        read_line(c, line);
        read_alone(own, n, question);
        read_pair(above, n_above, own, n);
        free(above);
        above = own;
        n_above = n;
        line = end + 1;
    }
    must(markup_strip(above, n_above) <= n_above);
    free(above);
}

static int read_text(const uint8_t *data, size_t bytes)
{
    const uint8_t *p;
    size_t n;
    const size_t first = fuzz_text_question(data, bytes, &p, &n);
    char *question = fuzz_text_string(data, first), *text = fuzz_text_copy(p, n);
    struct lines c;
    lines_of_text(&c, text, n);
    read_question(question, text, n);
    read_lines(&c, question);
    for (size_t i = 0; n && i <= PLACES; i++) {
        const size_t at = (n - 1) / PLACES * i + (n - 1) % PLACES * i / PLACES;
        read_byte(&c, at);
        read_sentence(&c, question, at);
        read_parts(&c, question, at);
    }
    char *whole = fuzz_text_string(text, n < LONGEST ? n : LONGEST);
    read_asked(question, whole);
    free(whole);
    if (n)
        must(markup_strip(text, n) <= n);
    free(text);
    free(question);
    return 1;
}

const struct fuzz_target fuzz_text = {.name = "text",
                                      .runs = 2000,
                                      .seed = fuzz_text_seed,
                                      .mutate = fuzz_text_mutate,
                                      .read = read_text};
