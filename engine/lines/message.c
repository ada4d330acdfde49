#include "engine/lines/message.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/words.h"

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
static const struct head_field *field_at(const struct lines *c, size_t line)
{
    enum { SET_IN = 2 }; // blanks, at least
    const size_t end = line_end(c, line), first = line_words(c, line, end);
    const struct head_field *field = field_find(c->text + first, end - first);
    const int of_commit = field && (field->of_commit || field->is == MESSAGE_COMMIT);
    return of_commit && first >= line + SET_IN && is_space(c->text[first - SET_IN]) ? NULL : field;
}

struct span_of_text message_line(const struct lines *c, size_t from, size_t to,
                                 enum message_field field)
{
    for (size_t line = from; line < to; line = line_end(c, line) + 1) {
        const size_t end = line_end(c, line), first = line_words(c, line, end);
        if (message_field_of(c->text + first, end - first) == field)
            return (struct span_of_text){first, line_trimmed(c, first, end)};
    }
    return (struct span_of_text){0};
}

int message_is_signed(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), to = line_trimmed(c, line, end);
    return line < c->n && to - line == 2 && !memcmp(c->text + line, "--", 2) && end - to <= 2;
}

int message_head(const struct lines *c, size_t line, size_t *from, size_t *to)
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

// Whether the line TEXT [n] announces a mail: "---------- Forwarded message ---------", "Begin
// forwarded message:", in English or German.
static int announces_mail(const char *text, size_t n)
{
    static const char how[] = " original forwarded urspr\xc3\xbcngliche weitergeleitete "
                              "weitergeleiteten ",
                      what[] = " message mail nachricht ";
    enum { MARKS = 3, WORDS = 5 }; // WORDS: of one without marks, at most
    char stem[WORD_STEM];
    size_t marks = 0, bytes;
    int words = 0, is_how = 0, is_what = 0;
    while (marks < n && text[marks] == '-')
        marks++;
    for (size_t at = marks; word_next(text, n, &at, stem, &bytes); words++) {
        is_how |= word_is_listed(how, text + at - bytes, bytes);
        is_what |= word_is_listed(what, text + at - bytes, bytes);
    }
    return is_how && is_what &&
           (marks >= MARKS ? text[n - 1] == '-' : !marks && words <= WORDS && text[n - 1] == ':');
}

int message_is_forwarded(const struct lines *c, size_t head)
{
    size_t line = head;
    do
        line = line > 0 ? line_start(c, line - 1) : 0;
    while (line > 0 && line_is_empty(c, line));
    const size_t end = line_trimmed(c, line, line_end(c, line));
    return line < head && announces_mail(c->text + line, end - line);
}

// Where the part that LINE, which is not in a head, belongs to begins; *IS: what part it is.
static size_t part_start(const struct lines *c, size_t line, enum message_part *is)
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

enum message_part message_part_of(const struct lines *c, size_t at, size_t *from, size_t *to)
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

size_t message_subject(const struct lines *c, size_t body)
{
    const size_t line = line_past_empty(c, body);
    return line < c->n && field_at(c, line) == NULL ? line_end(c, line) : body;
}

int message_commit(const struct lines *c, size_t at, size_t *from, size_t *to)
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
static int is_trailer(const struct lines *c, size_t line)
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
static size_t trailers_end(const struct lines *c, size_t from, size_t to)
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

int message_trailed(const struct lines *c, size_t at, size_t *from, size_t *to)
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
