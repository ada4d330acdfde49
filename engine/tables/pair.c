#define _GNU_SOURCE
// Looks up what a line says of a thing that the question calls by an id. A value that stands behind
// its key: "Who is the driver of manifest M-20932?", where a log has "manifest M-20932 closed
// parcels=845 kg=5977.0 driver=sam.okoro", or "When is A-3 due?", where an item of a list has "A-3
// Paint the gate.", and below it "Owner: Ann. Due: 3 May."; or the line of a log that has what came
// to pass: "When was claim C-17 opened?", where another one tells that it was settled. A small
// model mistakes one of such pairs, or lines, for another.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/events.h"
#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/rows/column.h"
#include "engine/tables/tables.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    NAME = 64,     // bytes of a name with a NUL
    LONGEST = 1000 // bytes of a line
};

// Words of questions that a line need not have.
static const char ASKS[] = WORDLIST_OF_RECORDS "line";

struct pair {
    struct span_of_text key, value; // the text
};

// Whether P [n] is a name that hardly two things have: of letters and digits.
static int is_id(const char *p, size_t n)
{
    enum { SHORTEST = 3 };
    int letters = 0, digits = 0;
    for (size_t i = 0; i < n; i++) {
        letters |= is_lower(p[i]) || is_upper(p[i]);
        digits |= is_digit(p[i]);
    }
    return n >= SHORTEST && n < NAME && letters && digits;
}

static int is_of_key(char c)
{
    return is_lower(c) || is_upper(c) || is_digit(c) || is_one_of(c, "_-.");
}

// Whether the line of C at byte AT begins an item with ID, and lines set in below it: *ITEM.
static int item_begins(const struct lines *c, size_t at, const char *id, struct span_of_text *item)
{
    const size_t first = line_words(c, at, line_end(c, at)), own = line_indentation(c, at);
    size_t end = line_end(c, at), token = first, below;
    if (name_token(c->text, end, &token) != strlen(id) || token != first ||
        memcmp(c->text + first, id, strlen(id)) != 0)
        return 0;
    while ((below = end + 1) < c->n && !line_is_bare(c, below) && line_indentation(c, below) > own)
        end = line_end(c, below);
    *item = (struct span_of_text){first, line_trimmed(c, first, end)};
    return end > line_end(c, at) && span_bytes(*item) <= LONGEST;
}

// The only item that begins with ID: 1, 0, or an error.
static int find_item(const struct lookup *s, const char *id, struct texts *in,
                     struct span_of_text *item, struct err *e)
{
    struct texts t;
    struct span_of_text own;
    size_t at = 0;
    int rc, n = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_find(&t, id, &at, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        const size_t line = line_start(&c, at);
        at = line_end(&c, at);
        if (!item_begins(&c, line, id, &own))
            continue;
        *item = own;
        *in = t;
        n++;
    }
    return rc < 0 ? rc : n == 1;
}

// The next pair of ITEM from byte *AT on, whose key begins a sentence, "Due: 3 May."; *AT moves
// behind its value. 0: there is none.
static int next_field(const char *text, struct span_of_text item, size_t *at, struct pair *p)
{
    for (; *at < item.to; ++*at) {
        size_t before = *at, end = *at;
        while (before > item.from && is_space(text[before - 1]))
            before--;
        if (before == *at || !is_one_of(text[before - 1], ".;") || !is_upper(text[*at]))
            continue;
        while (end < item.to && (is_of_key(text[end]) || text[end] == ' '))
            end++;
        if (end + 2 >= item.to || text[end] != ':' || text[end + 1] != ' ' ||
            memchr(text + *at, '.', end - *at))
            continue;
        const size_t from = end + 2;
        for (end = from; end < item.to && text[end] != ';';)
            if (text[end++] == '.' && (end == item.to || is_space(text[end]))) {
                end--;
                break;
            }
        *p = (struct pair){{*at, from - 2}, {from, end}};
        *at = end;
        return 1;
    }
    return 0;
}

// Copies the only id of QUESTION to ID [NAME]; 0: it has none, or several.
static int find_id(const char *question, char id[NAME])
{
    const size_t len = strlen(question);
    int ids = 0;
    for (size_t n, at = 0; (n = name_token(question, len, &at)); at += n)
        if (is_id(question + at, n) && !ids++) {
            memcpy(id, question + at, n);
            id[n] = 0;
        }
    return ids == 1;
}

// The line with ID, where the texts have one such line: 1, 0, or an error.
static int find_line(const struct lookup *s, const char *id, struct texts *in,
                     struct span_of_text *line, struct err *e)
{
    struct texts t;
    size_t at = 0;
    int rc, n = 0;
    texts_begin(&t, s->k, s->n_k);
    for (; n < 2 && (rc = texts_find(&t, id, &at, e)) > 0; n++, at = line->to) {
        *line = texts_line(t.text, t.n, at);
        *in = t;
    }
    return n == 2 ? 0 : rc < 0 ? rc : n == 1 && span_bytes(*line) <= LONGEST;
}

// Whether LINE is about another thing of ID's kind, too: its names begin alike up to a digit.
static int has_others(const char *text, struct span_of_text line, const char *id)
{
    const size_t kind = strcspn(id, "0123456789");
    for (size_t n, at = line.from; (n = name_token(text, line.to, &at)); at += n)
        if (kind && n > kind && !memcmp(text + at, id, kind) && is_digit(text[at + kind]) &&
            !(n == strlen(id) && !memcmp(text + at, id, n)))
            return 1;
    return 0;
}

// The bytes of the key and its sign that LINE has at byte AT, where a word begins; 0: none.
static size_t key_at(const char *text, struct span_of_text line, size_t at)
{
    size_t end = at;
    while (end < line.to && is_of_key(text[end]))
        end++;
    return end > at && end + 1 < line.to && text[end] == '=' && !is_space(text[end + 1]) &&
                   text[end + 1] != '='
               ? end + 1 - at
               : 0;
}

// The value at byte AT of LINE: what is in quotation marks, or a word and those with capitals, such
// as a unit or a surname, that go on behind it.
static struct span_of_text value_at(const char *text, struct span_of_text line, size_t at)
{
    const char *close =
        is_one_of(text[at], "\"'") ? memchr(text + at + 1, text[at], line.to - at - 1) : NULL;
    size_t to = at;
    if (close)
        return (struct span_of_text){at + 1, (size_t)(close - text)};
    for (;;) {
        while (to < line.to && !is_space(text[to]) && !is_one_of(text[to], ",;|"))
            to++;
        if (to + 1 >= line.to || text[to] != ' ' || !is_upper(text[to + 1]) ||
            key_at(text, line, to + 1))
            break;
        to++;
    }
    while (to > at && is_one_of(text[to - 1], ".)]}>\"'"))
        to--;
    return (struct span_of_text){at, to};
}

// The next pair of LINE from byte *AT on; *AT moves behind its sign. 0: there is none.
static int next_pair(const char *text, struct span_of_text line, size_t *at, struct pair *p)
{
    for (; *at < line.to; ++*at) {
        const int begins =
            *at == line.from || is_space(text[*at - 1]) || is_one_of(text[*at - 1], ",;|([{<");
        const size_t n = begins ? key_at(text, line, *at) : 0;
        if (!n)
            continue;
        *p = (struct pair){{*at, *at + n - 1}, value_at(text, line, *at + n)};
        *at += n;
        return 1;
    }
    return 0;
}

// Whether QUESTION has all words of the key S.
static int asks_for_key(const char *text, struct span_of_text s, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    int had = 0;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes); had++)
        if (bytes < 2 || !word_form_is_in(question, strlen(question), text + at - bytes, bytes))
            return 0;
    return had > 0;
}

// Whether LINE has each word of QUESTION that tells something.
static int line_says_all(const char *text, struct span_of_text line, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (telling_word(word, bytes, stem, TELLING_BYTES, ASKS) &&
            !word_form_is_in(text + line.from, span_bytes(line), word, bytes))
            return 0;
    }
    return 1;
}

typedef int pair_next(const char *text, struct span_of_text in, size_t *at, struct pair *p);

// The only pair of LINE, of those of NEXT, that QUESTION asks for: OUT; 0: there is none, or
// several.
static int find_pair(const char *text, struct span_of_text line, pair_next *next,
                     const char *question, struct pair *out)
{
    struct pair p;
    int n = 0;
    for (size_t at = line.from; next(text, line, &at, &p);)
        if (asks_for_key(text, p.key, question)) {
            *out = p;
            n++;
        }
    return n == 1 && span_bytes(out->value) > 0 &&
           column_tells(text + out->key.from, span_bytes(out->key), text + out->value.from,
                        span_bytes(out->value), question);
}

int tables_pair(struct lookup *s, const char *question, struct err *e)
{
    struct texts t;
    struct span_of_text line;
    struct pair p;
    char id[NAME];
    if (!asked_what(question) || column_falls_short("", 0, question) || !find_id(question, id))
        return 0;
    int rc = find_line(s, id, &t, &line, e);
    int found = rc > 0 && !has_others(t.text, line, id) && line_says_all(t.text, line, question) &&
                find_pair(t.text, line, next_pair, question, &p);
    if (rc >= 0 && !found) {
        rc = find_item(s, id, &t, &line, e);
        found = rc > 0 && line_says_all(t.text, line, question) &&
                find_pair(t.text, line, next_field, question, &p);
    }
    if (!found)
        return rc < 0 ? rc : 0;
    lookup_say(s->out, t.text, p.key);
    fputs(": ", s->out);
    lookup_say(s->out, t.text, p.value);
    fprintf(s->out, " (%s)", id);
    rc = lookup_add(s, &t, line, 0, e);
    return rc ? rc : 1;
}

// Whether TEXT[LINE) has ID as a whole.
static int line_has_id(const char *text, struct span_of_text line, const char *id)
{
    const size_t bytes = strlen(id);
    for (size_t n, at = line.from; (n = name_token(text, line.to, &at)); at += n)
        if (n == bytes && !memcmp(text + at, id, n))
            return 1;
    return 0;
}

int tables_told_of(struct lookup *s, const char *question, struct err *e)
{
    struct texts t;
    struct lookup_found line;
    char id[NAME];
    int rc, with_id = 0, n = 0;
    if (!asked_what(question) || !find_id(question, id))
        return 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct span_of_text at;
        if (!memmem(t.text, t.n, id, strlen(id)) || !events_log(&t) || events_are_said(&t))
            continue;
        for (size_t from = 0; from < t.n; from = at.to + 1) {
            at = texts_line(t.text, t.n, from);
            if (!line_has_id(t.text, at, id))
                continue;
            with_id++;
            if (!line_says_all(t.text, at, question))
                continue;
            line = (struct lookup_found){t, at};
            n++;
        }
    }
    return rc < 0 ? rc : n == 1 && with_id > 1 ? lookup_say_found(s, &line, 1, 1, e) : 0;
}
