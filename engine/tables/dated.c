// Looks up the row of a table without a head, or of a list, that begins with the day in the
// question: "What was the result of the drill on 17 Oct 2024?", "17 Oct 2024   evening   4 min".
// Rows that begin alike say most of what they are about above all of them, so that neither votes
// nor words find the right one.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/words.h"

enum {
    ABOVE = 240, // bytes above the first of the rows that may say what they are about
    ROW = 400,   // bytes of a row, at most
    ASKED = 400, // bytes of the question
};

// Words of questions that a row need not have.
static const char ASKS[] = "result results outcome happened happen happens entry entries "
                           "recorded record records value reading figure came come arrived "
                           "delivered received paid sold bought done made given taken sent";

// What is looked for.
struct dated {
    struct day day;
    char words[ASKED]; // the question without its day
    const char *question;
};

// Splits QUESTION; 0: it has no day, or several.
static int dated_parse(struct dated *d, const char *question)
{
    struct day other;
    size_t at = 0, n = strlen(question);
    if (n >= ASKED)
        return 0;
    const size_t bytes = day_find(question, n, &at, &d->day);
    if (!bytes || day_of(question + at + bytes, n - at - bytes, &other))
        return 0;
    memcpy(d->words, question, n + 1);
    memset(d->words + at, ' ', bytes);
    d->question = question;
    return 1;
}

// Whether the line of C at byte LINE begins with a day, *DAY, and columns behind it: *BEHIND
// is where these begin.
static int begins_row(const struct lines *c, size_t line, struct day *day, size_t *behind)
{
    const char *text = c->text;
    const size_t end = line_end(c, line);
    size_t at = line;
    while (at < end && is_one_of(text[at], " \t|*-"))
        at++;
    const size_t bytes = day_begins(text + at, end - at, day);
    if (!bytes || end - line > ROW)
        return 0;
    *behind = at + bytes;
    size_t gap = *behind;
    while (gap < end && is_one_of(text[gap], " \t|"))
        gap++;
    return gap < end && (gap - *behind > 1 || text[*behind] == '\t');
}

// Where the rows begin that the one at byte LINE of C is among, and have a day first, too.
static size_t rows_begin(const struct lines *c, size_t line)
{
    struct day day;
    size_t behind;
    while (line > 0) {
        const size_t above = line_start(c, line - 1);
        if (!begins_row(c, above, &day, &behind))
            break;
        line = above;
    }
    return line;
}

// Whether each word of D that counts is in ROW of C or above the rows; one of them in either.
static int says_all(const struct lines *c, struct span_of_text row, const struct dated *d)
{
    const size_t first = rows_begin(c, row.from), from = first > ABOVE ? first - ABOVE : 0;
    char stem[WORD_STEM];
    size_t bytes;
    int some = 0;
    for (size_t at = 0; word_next(d->words, strlen(d->words), &at, stem, &bytes);) {
        const char *word = d->words + at - bytes;
        if (!telling_word(word, bytes, stem, TELLING_BYTES, ASKS))
            continue;
        if (!word_form_is_in(c->text + row.from, span_bytes(row), word, bytes) &&
            !word_form_is_in(c->text + from, first - from, word, bytes))
            return 0;
        some = 1;
    }
    return some;
}

// Whether ROW of TEXT has what kind of thing is asked for.
static int tells_asked(const char *text, struct span_of_text row, const struct dated *d)
{
    char own[ROW + 1];
    memcpy(own, text + row.from, span_bytes(row));
    own[span_bytes(row)] = 0;
    return !asked_lacking(d->words, own);
}

int tables_dated(struct lookup *v, const char *question, struct err *e)
{
    struct dated d;
    struct lookup_found found[2];
    struct texts t;
    int n = 0, rc = 0;
    if (!dated_parse(&d, question_itself(question)) || asked_for_date(question))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while (n < 2 && (rc = texts_next(&t, e)) > 0) {
        struct lines c;
        lines_of_text(&c, t.text, t.n);
        for (size_t line = 0, end; n < 2 && line < t.n; line = end + 1) {
            struct day day;
            size_t behind;
            end = line_end(&c, line);
            const struct span_of_text row = {line, line_trimmed(&c, line, end)};
            if (begins_row(&c, line, &day, &behind) && day_is_same(&day, &d.day) &&
                says_all(&c, row, &d) &&
                tells_asked(t.text, (struct span_of_text){behind, row.to}, &d))
                found[n++] = (struct lookup_found){t, row};
        }
    }
    return rc < 0 ? rc : lookup_say_found(v, found, n, 1, e);
}
