#include "engine/text/message.h"

#include <limits.h>
#include <string.h>

#include "engine/text/asked.h"
#include "engine/text/dates.h"
#include "engine/text/heading.h"
#include "engine/text/lines.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"
#include "io/utf8.h"

enum {
    FAR = 1 << 14, // bytes, up and down, within which a part is looked for
    FIELDS = 16    // lines of a head, in each direction
};

// Whether TEXT [n], behind the word "commit", is a commit's name and what is said of it in
// brackets: " 858e8ab", " c27e881 (tag: v3.2.0)".
static int names_commit(const char *text, size_t n)
{
    enum { LEAST = 7 }; // digits
    size_t at = 1;
    while (at < n && (is_digit(text[at]) || (text[at] >= 'a' && text[at] <= 'f')))
        at++;
    const size_t digits = at - 1;
    at += at < n && text[at] == ' ';
    return text[0] == ' ' && digits >= LEAST && (at >= n || is_one_of(text[at], "(\r"));
}

// Whether the line TEXT [n] divides the mails of a mailbox: "From ann@x.example Mon May  6 10:00:00
// 2024".
static int is_divider(const char *text, size_t n)
{
    static const char from[] = "From ";
    enum { FROM = sizeof from - 1, YEAR = 4 };
    size_t at = FROM;
    n -= n && text[n - 1] == '\r';
    if (n < FROM + YEAR + 1 || memcmp(text, from, FROM) != 0)
        return 0;
    while (at + 2 < n && !(text[at] == ':' && is_digit(text[at + 1]) && is_digit(text[at + 2])))
        at++;
    return at + 2 < n && text[n - YEAR - 1] == ' ' && word_is_year(text + n - YEAR, YEAR);
}

struct head_field {
    const char *name;
    enum message_field is;
    int of_commit; // only below the line that names a commit
};

// The field of a head that the line TEXT [n] is; NULL: none.
static const struct head_field *field_find(const char *text, size_t n)
{
    static const struct head_field fields[] = {
        {"From", MESSAGE_FROM, 0},        {"Von", MESSAGE_FROM, 0},
        {"De", MESSAGE_FROM, 0},          {"Author", MESSAGE_FROM, 1},
        {"Date", MESSAGE_DATE, 0},        {"Sent", MESSAGE_DATE, 0},
        {"Datum", MESSAGE_DATE, 0},       {"Gesendet", MESSAGE_DATE, 0},
        {"AuthorDate", MESSAGE_DATE, 1},  {"Subject", MESSAGE_SUBJECT, 0},
        {"Betreff", MESSAGE_SUBJECT, 0},  {"Objet", MESSAGE_SUBJECT, 0},
        {"To", MESSAGE_OTHER, 0},         {"Cc", MESSAGE_OTHER, 0},
        {"An", MESSAGE_OTHER, 0},         {"Kopie", MESSAGE_OTHER, 0},
        {"Bcc", MESSAGE_OTHER, 0},        {"Reply-To", MESSAGE_OTHER, 0},
        {"Message-ID", MESSAGE_OTHER, 0}, {"In-Reply-To", MESSAGE_OTHER, 0},
        {"Merge", MESSAGE_OTHER, 1},      {"Commit", MESSAGE_OTHER, 1},
        {"CommitDate", MESSAGE_OTHER, 1}, {"commit", MESSAGE_COMMIT, 0}};
    static const struct head_field divider = {"From ", MESSAGE_OTHER, 0};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const size_t len = strlen(fields[i].name);
        if (n <= len + 2 || memcmp(text, fields[i].name, len) != 0)
            continue;
        if (fields[i].is == MESSAGE_COMMIT ? names_commit(text + len, n - len)
                                           : text[len] == ':' && text[len + 1] == ' ')
            return &fields[i];
    }
    return is_divider(text, n) ? &divider : NULL;
}

enum message_field message_field_of(const char *text, size_t n)
{
    const struct head_field *f = field_find(text, n);
    return f ? f->is : MESSAGE_NONE;
}

// The field that the line of C that begins with byte LINE is, behind the marks of a quotation. A
// commit that is set in is mentioned in what somebody writes; it begins no message.
static const struct head_field *field_at(const struct cut *c, size_t line)
{
    enum { SET_IN = 2 }; // blanks, at least
    const size_t end = line_end(c, line), first = line_words(c, line, end);
    const struct head_field *field = field_find(c->text + first, end - first);
    const int of_commit = field && (field->of_commit || field->is == MESSAGE_COMMIT);
    return of_commit && first >= line + SET_IN && is_space(c->text[first - SET_IN]) ? NULL : field;
}

struct span_of_text message_line(const struct cut *c, size_t from, size_t to,
                                 enum message_field field)
{
    for (size_t line = from; line < to; line = line_end(c, line) + 1) {
        const size_t end = line_end(c, line), first = line_words(c, line, end);
        if (message_field_of(c->text + first, end - first) == field)
            return (struct span_of_text){first, line_trimmed(c, first, end)};
    }
    return (struct span_of_text){0};
}

int message_is_signed(const struct cut *c, size_t line)
{
    const size_t end = line_end(c, line), to = line_trimmed(c, line, end);
    return line < c->n && to - line == 2 && !memcmp(c->text + line, "--", 2) && end - to <= 2;
}

int message_head(const struct cut *c, size_t line, size_t *from, size_t *to)
{
    int has[MESSAGE_NONE] = {0}, fields = 0, bare = 0; // bare: it lacks the line above it
    const struct head_field *field;
    if (line >= c->n || !field_at(c, line))
        return 0;
    *from = line;
    for (int up = 0; *from > 0 && up < FIELDS; up++) {
        const size_t above = line_start(c, *from - 1);
        if (!field_at(c, above))
            break;
        *from = above;
    }
    for (*to = *from; *to < c->n && fields < 2 * FIELDS && (field = field_at(c, *to));
         *to = line_end(c, *to) + 1) {
        bare |= field->of_commit && !has[MESSAGE_COMMIT];
        has[field->is] = 1;
        fields++;
    }
    *to = *to < c->n ? *to : c->n;
    // A head that began above the text is recognised by the empty line below it, one that ends
    // below the text by the name of a commit.
    return (*to == c->n && has[MESSAGE_COMMIT]) || (!bare && has[MESSAGE_FROM] && fields > 1) ||
           (!*from && (!bare || fields > 1) && *to < c->n && line_is_empty(c, *to));
}

// Where the part that LINE, which is not in a head, belongs to begins; *IS: what part it is.
static size_t part_start(const struct cut *c, size_t line, enum message_part *is)
{
    const size_t own = line;
    size_t below = line, empty = own + 1, from, to; // empty: the topmost empty line so far
    *is = MESSAGE_BODY;
    if (message_is_signed(c, line)) {
        *is = MESSAGE_SIGNATURE;
        return line;
    }
    for (; line > 0 && own - line < FAR; below = line) {
        line = line_start(c, line - 1);
        if (line_is_empty(c, line)) {
            empty = line;
        } else if (message_is_signed(c, line)) {
            *is = empty > own ? MESSAGE_SIGNATURE : MESSAGE_BODY;
            return empty > own ? line : empty;
        } else if (message_head(c, line, &from, &to)) {
            return below;
        }
    }
    return line;
}

enum message_part message_part_of(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    const size_t own = line_start(c, at);
    size_t first, last;
    enum message_part is = MESSAGE_HEAD;
    if (message_head(c, own, from, to))
        return is;
    *from = part_start(c, own, &is);
    for (*to = own; *to < c->n && *to - own < FAR; *to = line_end(c, *to) + 1)
        if (*to > own && ((is == MESSAGE_SIGNATURE && line_is_empty(c, *to)) ||
                          message_is_signed(c, *to) || message_head(c, *to, &first, &last)))
            break;
    *to = *to < c->n ? *to : c->n;
    return is;
}

int message_is_commit(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    return message_field_of(text, end ? (size_t)(end - text) : n) == MESSAGE_COMMIT;
}

size_t message_subject(const struct cut *c, size_t body)
{
    const size_t line = line_past_empty(c, body);
    return line < c->n && field_at(c, line) == NULL ? line_end(c, line) : body;
}

int message_commit(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    size_t body, end;
    if (message_part_of(c, at, &body, &end) != MESSAGE_BODY || !body ||
        !message_head(c, line_start(c, body - 1), from, to) ||
        !message_is_commit(c->text + *from, *to - *from))
        return 0;
    end = message_subject(c, body);
    *to = line_trimmed(c, *from, end < at ? end : body);
    return 1;
}

// Whether the line of C that begins with byte LINE is like "Reviewed-by: Bashir Odeh".
static int is_trailer(const struct cut *c, size_t line)
{
    const size_t end = line_end(c, line), first = line_words(c, line, end);
    size_t at = first;
    while (at < end && (is_lower(c->text[at]) || is_upper(c->text[at]) || c->text[at] == '-'))
        at++;
    return at > first && at + 2 < end && is_upper(c->text[first]) && c->text[at] == ':' &&
           c->text[at + 1] == ' ';
}

// Where the last trailer of the body FROM to TO ends: all lines of its paragraph are some, and it
// is not the first one. FROM: there is none.
static size_t trailers_end(const struct cut *c, size_t from, size_t to)
{
    size_t last = from, before = from; // before: without those of this paragraph
    int said = 0, only = 0;            // only: this paragraph has no other lines so far
    for (size_t line = from; line < to; line = line_end(c, line) + 1) {
        if (line_is_empty(c, line)) {
            only = said;
            before = last;
            continue;
        }
        only = only && is_trailer(c, line);
        last = only ? line_end(c, line) : before;
        said = 1;
    }
    return last;
}

int message_trailed(const struct cut *c, size_t at, size_t *from, size_t *to)
{
    size_t head, body, end;
    const int headed = message_commit(c, at, &head, &end);
    if (message_part_of(c, at, &body, &end) != MESSAGE_BODY ||
        (!headed && (body || !message_is_commit(c->text + end, c->n - end))))
        return 0;
    *to = trailers_end(c, body, end);
    for (*from = headed ? body : at; *from < *to && is_space(c->text[*from]);)
        ++*from;
    return at < *to;
}

static const char ASKS_WHO[] = WORDLIST_WHO WORDLIST_WHO_GERMAN,
                  ASKS_WHEN[] = " when " WORDLIST_WHEN_GERMAN;

// Whether one of the words FROM to TO - 1 of QUESTION, from 0, is one of WORDS.
static int has_one(const char *question, const char *words, int from, int to)
{
    char word[WORD_LISTED + 1];
    size_t at = 0, n;
    for (int i = 0; i < to; i++) {
        if (!(n = word_small(question, strlen(question), &at, word, WORD_LISTED)))
            return 0;
        if (i >= from && word_is_listed(words, word, n))
            return 1;
    }
    return 0;
}

static const char SAYS[] = " write writes wrote written send sends sent say says said ask asks "
                           "asked tell tells told mail mails mailed reply replied replies "
                           "answer answered report reported reports announce announced schrieb "
                           "geschrieben schreibt schickte geschickt sagte gesagt fragte ";

// Whether QUESTION asks who wrote something or when.
static int asks_for_writer(const char *question)
{
    return (has_one(question, ASKS_WHO, 0, 1) || has_one(question, ASKS_WHEN, 0, 1)) &&
           has_one(question, SAYS, 1, INT_MAX);
}

// Whether QUESTION asks who, and SENTENCE is of one who speaks of himself: who wrote it is asked
// for.
static int asks_who_speaks(const char *question, const char *sentence)
{
    static const char self[] = " my myself mine me ich mich mir mein meine ";
    char word[WORD_LISTED + 1];
    size_t n;
    if (!has_one(question, ASKS_WHO, 0, 2))
        return 0;
    for (size_t at = 0; (n = word_small(sentence, strlen(sentence), &at, word, WORD_LISTED));)
        if (word_is_listed(self, word, n) || (n == 1 && sentence[at - 1] == 'I'))
            return 1;
    return 0;
}

// Whether QUESTION asks for the FIELD of a commit, whatever was done in it. Who is, does or will do
// something, or when, is told by what the commit says.
static int asks_of_commit(const char *question, enum message_field field)
{
    static const char today[] = " is are does do will can may must should ";
    const int done = !has_one(question, today, 1, 2);
    return (field == MESSAGE_FROM && done && has_one(question, ASKS_WHO, 0, 2)) ||
           (field == MESSAGE_DATE && done && has_one(question, ASKS_WHEN, 0, 2)) ||
           (field == MESSAGE_COMMIT && has_one(question, " commit ", 0, INT_MAX) &&
            has_one(question, WORDLIST_WHO " which what when ", 0, 2));
}

int message_asked_of_commit(const char *question)
{
    return asks_of_commit(question, MESSAGE_FROM) || asks_of_commit(question, MESSAGE_DATE) ||
           asks_of_commit(question, MESSAGE_COMMIT);
}

// Whether TEXT [n] has a capitalised word of QUESTION, other than its first one, that SENTENCE
// lacks.
static int names_writer(const char *text, size_t n, const char *question, const char *sentence)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        if (at > bytes && is_upper(question[at - bytes]) && word_is_in(text, n, stem) &&
            !word_is_in(sentence, strlen(sentence), stem))
            return 1;
    return 0;
}

// Whether QUESTION asks what somebody said: "What does Ada propose?"; *NAME: where the name begins.
static int asks_what_is_said(const char *question, size_t *name)
{
    static const char others[] = " recommend propose suggest advise offer promise think complain "
                                 "want warn mention recommended proposed suggested explain ";
    char word[WORD_LISTED + 1];
    size_t at = 0, n = strlen(question);
    if (!has_one(question, " what ", 0, 1) || !has_one(question, " did does do has had ", 1, 2))
        return 0;
    for (int i = 0; i < 2; i++)
        word_small(question, n, &at, word, WORD_LISTED);
    for (*name = at; *name < n && is_space(question[*name]);)
        ++*name;
    return is_upper(question[*name]) &&
           (has_one(question, SAYS, 3, INT_MAX) || has_one(question, others, 3, INT_MAX));
}

int message_asked_of_body(const char *question)
{
    static const char asks[] =
        " what which how where why when wann wo wie welche welcher welches " WORDLIST_WHY_GERMAN,
                      of_head[] = " mail mails email emails message messages letter subject title "
                                  "thread topic sender recipient recipients list address addresses "
                                  "cc day date time betreff adresse tag datum uhrzeit ";
    size_t name;
    return asks_what_is_said(question, &name) ||
           (has_one(question, asks, 0, 2) && !has_one(question, of_head, 0, INT_MAX) &&
            !has_one(question, SAYS, 0, INT_MAX));
}

int message_may_sign(const char *question, const char *text, size_t n)
{
    static const char reached[] =
        " phone phones telephone mobile tel fax number numbers call reach contact address mail "
        "email website web homepage url company firm work works job post position role title key "
        "fingerprint motto signature sign signs signed telefon telefonnummer nummer adresse ";
    return has_one(question, ASKS_WHO, 0, 2) || has_one(question, reached, 1, INT_MAX) ||
           (!has_one(question, " did ", 1, 2) && names_writer(text, n, question, ""));
}

int message_of_another(const char *question, const char *sentence)
{
    const char *end = strchr(sentence, '\n');
    char stem[WORD_STEM];
    size_t name, bytes;
    if (!end || message_field_of(sentence, (size_t)(end - sentence)) != MESSAGE_FROM ||
        !asks_what_is_said(question, &name))
        return 0;
    // "Dr. Ada Pell" may write as "Ada".
    for (size_t at = name; word_next(question, strlen(question), &at, stem, &bytes);) {
        if (!is_upper(question[at - bytes]))
            break;
        if (word_is_in(sentence, (size_t)(end - sentence), stem))
            return 0;
    }
    return 1;
}

int message_may_tell(const char *question, const char *sentence)
{
    return asks_for_writer(question) || asks_who_speaks(question, sentence) ||
           message_asked_of_commit(question) ||
           names_writer(question, strlen(question), question, sentence);
}

// Finds the line, FROM to TO, of the head TEXT [n] that is FIELD. The subject of a commit is the
// last one, behind the fields.
static int line_of(const char *text, size_t n, enum message_field field, size_t *from, size_t *to)
{
    const int subject = field == MESSAGE_SUBJECT && message_is_commit(text, n);
    for (size_t at = 0, end; at < n; at = end + 1) {
        const char *stop = memchr(text + at, '\n', n - at);
        end = stop ? (size_t)(stop - text) : n;
        while (at < end && is_one_of(text[at], "> "))
            at++;
        const enum message_field is = message_field_of(text + at, end - at);
        *from = at;
        *to = end;
        if (subject ? is == MESSAGE_NONE && end == n : is == field)
            return 1;
    }
    return 0;
}

size_t message_told(const char *text, size_t n, const char *question, const char *sentence,
                    char *out)
{
    enum { FIELD = (MESSAGE_TOLD - 1) / MESSAGE_OTHER - 1 };
    const int commit = message_is_commit(text, n);
    int tells = !commit && (asks_for_writer(question) || asks_who_speaks(question, sentence) ||
                            (asked_for_date(question) && !dates_fix(sentence, strlen(sentence))));
    size_t bytes = 0, from, to;
    for (int field = 0; field < MESSAGE_OTHER; field++) {
        if (!line_of(text, n, field, &from, &to))
            continue;
        const size_t own = utf8_fit(text + from, to - from, FIELD);
        const int told = (commit && asks_of_commit(question, field)) ||
                         names_writer(text + from, own, question, sentence) ||
                         heading_tells(text + from, own, 1, question, sentence);
        tells |= told;
        if (commit && !told && field != MESSAGE_SUBJECT)
            continue;
        for (int gap = 0; bytes && gap < 1 + (commit && field == MESSAGE_SUBJECT); gap++)
            out[bytes++] = '\n';
        memcpy(out + bytes, text + from, own);
        bytes += own;
    }
    return tells ? bytes : 0;
}
