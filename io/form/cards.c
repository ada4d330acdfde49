// Turns calendars and address books into text: a line for each property of a date or a person, and
// an empty line between two dates or persons.
#define _GNU_SOURCE
#include "io/form/cards.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/form/cards_value.h"
#include "io/mem.h"
#include "io/source/charset.h"
#include "io/source/stream.h"

enum {
    LINE_BYTES = 1 << 16,  // of a property; what is longer is cut, as pictures are
    FIELD_BYTES = 1 << 16, // of what is said under one label
    ONE_LINE = 240         // of a value that is a line, whatever lines it has
};

// What is said of one date or person, in this order.
enum field {
    NAME,
    WHEN,
    DUE,
    REPEATS,
    WHERE,
    ORG,
    TITLE,
    PHONE,
    MAIL,
    ADDRESS,
    BORN,
    WHO,
    STATUS,
    URL,
    NOTE,
    FIELDS
};

static const struct {
    const char *property, *label;
    enum field field;
} known[] = {
    {"SUMMARY", "Event: ", NAME},
    {"FN", "Name: ", NAME},
    {"LOCATION", "Where: ", WHERE},
    {"ORG", "Organization: ", ORG},
    {"TITLE", "Title: ", TITLE},
    {"ROLE", "Role: ", TITLE},
    {"NICKNAME", "Nickname: ", TITLE},
    {"TEL", "Telephone", PHONE},
    {"EMAIL", "Email", MAIL},
    {"ADR", "Address", ADDRESS},
    {"BDAY", "Birthday: ", BORN},
    {"DUE", "Due: ", DUE},
    {"RRULE", "Repeats: ", REPEATS},
    {"ORGANIZER", "Organizer: ", WHO},
    {"ATTENDEE", "Attendee: ", WHO},
    {"STATUS", "Status: ", STATUS},
    {"URL", "Web: ", URL},
    {"DESCRIPTION", "Description: ", NOTE},
    {"NOTE", "Note: ", NOTE},
    {"COMMENT", "Comment: ", NOTE},
};

struct doc_cards {
    struct doc_charset *chars;
    struct charset_bytes in;
    struct bytes line; // unfolded, and a NUL
    int deep;          // components that are open in the one that is read, itself included
    struct bytes field[FIELDS];
    char start[32], end[32], duration[32]; // of a date; it has an end or a duration
    struct bytes out;
    size_t at_out;
};

// ---- lines

// Whether the line goes on in the next one although that does not begin with a blank, as lines of
// coded values do.
static int is_soft(const struct doc_cards *c)
{
    static const char coded[] = ";ENCODING=QUOTED-PRINTABLE";
    const char *colon = c->line.n ? memchr(c->line.p, ':', c->line.n) : NULL;
    return colon && c->line.p[c->line.n - 1] == '=' &&
           memmem(c->line.p, (size_t)(colon - (const char *)c->line.p), coded, sizeof coded - 1);
}

// The next property: 1, 0 after the last one, or an error.
static int next_line(struct doc_cards *c, struct err *e)
{
    int byte, rc = 0, any = 0;
    c->line.n = 0;
    while (!rc && (byte = charset_byte(c->chars, &c->in, e)) >= 0) {
        any = 1;
        c->in.at++;
        if (byte != '\n') {
            const char one = byte ? (char)byte : ' ';
            if (byte != '\r' && c->line.n < LINE_BYTES)
                rc = bytes_put(&c->line, &one, 1, e);
            continue;
        }
        if (is_soft(c)) {
            c->line.n--;
            continue;
        }
        const int next = charset_byte(c->chars, &c->in, e);
        if (next < -1)
            return next + 1;
        if (next != ' ' && next != '\t')
            break;
        c->in.at++;
    }
    if (!rc && byte < -1)
        return byte + 1;
    if (!rc)
        rc = bytes_put(&c->line, "", 1, e);
    return rc ? rc : any;
}

// ---- what is said

// " (home): ", where the property says which one it is.
static int put_kind(struct bytes *t, const struct cards_property *p, struct err *e)
{
    static const char *const kinds[] = {"CELL", "HOME", "WORK", "FAX"};
    size_t n;
    const char *type = cards_param(p, "TYPE", &n);
    type = type ? type : p->params; // as older cards have it: "TEL;CELL"
    n = type == p->params ? p->n_params : n;
    int rc = 0, any = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !rc; i++) {
        const size_t len = strlen(kinds[i]);
        size_t at = 0;
        while (at + len <= n && strncasecmp(type + at, kinds[i], len) != 0)
            at++;
        if (at + len <= n && !(rc = bytes_puts(t, any++ ? ", " : " (", e)))
            for (const char *k = kinds[i]; *k && !rc; k++)
                rc = bytes_put(t, &(char){(char)tolower(*k)}, 1, e);
    }
    return rc ? rc : bytes_puts(t, any ? "): " : ": ", e);
}

// The parts of an address or an organization that are there, which semicolons divide.
static int put_parts(struct bytes *t, const struct cards_property *p, struct err *e)
{
    struct cards_property part = *p;
    int rc = 0, any = 0;
    for (size_t at = 0; at <= p->n_value && !rc; at++) {
        const size_t from = at;
        while (at < p->n_value && p->value[at] != ';')
            at += p->value[at] == '\\' && at + 1 < p->n_value ? 2 : 1;
        at = at < p->n_value ? at : p->n_value;
        part.value = p->value + from;
        part.n_value = at - from;
        if (part.n_value && (!any++ || !(rc = bytes_puts(t, ", ", e))))
            rc = cards_put_value(t, &part, e);
    }
    return rc;
}

// "Ann Reed <ann@x.example>" of an attendee.
static int put_person(struct bytes *t, const struct cards_property *p, struct err *e)
{
    static const char mail[] = "mailto:";
    const size_t skip = sizeof mail - 1;
    size_t n;
    const char *name = cards_param(p, "CN", &n);
    if (p->n_value <= skip || strncasecmp(p->value, mail, skip) != 0)
        return name ? bytes_put(t, name, n, e) : cards_put_value(t, p, e);
    int rc = name ? bytes_put(t, name, n, e) : 0;
    if (!rc && name)
        rc = bytes_puts(t, " <", e);
    if (!rc)
        rc = bytes_put(t, p->value + skip, p->n_value - skip, e);
    return rc || !name ? rc : bytes_puts(t, ">", e);
}

static int put_field(struct bytes *t, enum field field, const struct cards_property *p,
                     struct err *e)
{
    int rc = 0;
    switch (field) {
    case PHONE:
    case MAIL:
    case ADDRESS:
        if ((rc = put_kind(t, p, e)) || field != ADDRESS)
            return rc ? rc : cards_put_value(t, p, e);
        return put_parts(t, p, e);
    case ORG:
        return put_parts(t, p, e);
    case WHO:
        return put_person(t, p, e);
    case DUE:
    case BORN:
        return cards_put_time(t, p->value, p->n_value, NULL, 0, e);
    case REPEATS:
        return cards_put_rule(t, p->value, p->n_value, e);
    default:
        return cards_put_value(t, p, e);
    }
}

static void keep(char *to, size_t cap, const struct cards_property *p)
{
    const size_t n = p->n_value < cap - 1 ? p->n_value : cap - 1;
    memcpy(to, p->value, n);
    to[n] = 0;
}

// A value from byte FROM of T on: without empty lines, so that nothing divides what is said of one
// date or person, or as one line.
static void join_lines(struct bytes *t, size_t from)
{
    const char end = t->n - from <= ONE_LINE ? ' ' : '\n';
    size_t to = from;
    for (size_t i = from; i < t->n; i++) {
        if (t->p[i] == '\n')
            while (to > from && (t->p[to - 1] == ' ' || t->p[to - 1] == end))
                to--;
        if (t->p[i] != '\n' || to > from)
            t->p[to++] = t->p[i] == '\n' ? (uint8_t)end : t->p[i];
    }
    while (to > from && (t->p[to - 1] == ' ' || t->p[to - 1] == end))
        to--;
    t->n = to;
}

// LABEL, or, where the line before is of another one of the attendees, what goes on in that.
static int put_label(struct bytes *t, const char *label, enum field field, struct err *e)
{
    const uint8_t *before = t->n ? memrchr(t->p, '\n', t->n - 1) : NULL;
    const size_t last = before ? (size_t)(before + 1 - t->p) : 0, n = strlen(label);
    if (field != WHO || t->n - last < n || memcmp(t->p + last, label, n) != 0)
        return bytes_puts(t, label, e);
    t->n--;
    return bytes_puts(t, ", ", e);
}

static int add_property(struct doc_cards *c, const struct cards_property *p, struct err *e)
{
    if (cards_is(p, "DTSTART"))
        keep(c->start, sizeof c->start, p);
    if (cards_is(p, "DTEND"))
        keep(c->end, sizeof c->end, p);
    if (cards_is(p, "DURATION"))
        keep(c->duration, sizeof c->duration, p);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct bytes *t = &c->field[known[i].field];
        if (!cards_is(p, known[i].property) || !p->n_value || t->n > FIELD_BYTES)
            continue;
        if (known[i].field == STATUS && !strncasecmp(p->value, "CONFIRMED", 9))
            return 0;
        int rc = put_label(t, known[i].label, known[i].field, e);
        const size_t from = t->n;
        if (!rc && !(rc = put_field(t, known[i].field, p, e)))
            join_lines(t, from);
        return rc ? rc : bytes_puts(t, "\n", e);
    }
    return 0;
}

// When a date begins and ends; where it takes whole days, its end is the day after the last one.
static int put_when(struct doc_cards *c, struct bytes *t, struct err *e)
{
    char last[9] = "";
    const char *end = c->end;
    if (!*c->start)
        return 0;
    if (!*end)
        cards_end_of(c->start, c->duration, c->end, sizeof c->end);
    if (cards_is_day(end, strlen(end)) && strlen(end) == 8) {
        cards_day_before(end, last);
        end = strcmp(last, c->start) > 0 ? last : "";
    }
    int rc = bytes_puts(t, "When: ", e);
    if (!rc)
        rc = cards_put_time(t, c->start, strlen(c->start), NULL, 0, e);
    if (!rc && *end && strcmp(end, c->start) != 0 && !(rc = bytes_puts(t, " to ", e)))
        rc = cards_put_time(t, end, strlen(end), c->start, strlen(c->start), e);
    return rc ? rc : bytes_puts(t, "\n", e);
}

static int put_card(struct doc_cards *c, struct err *e)
{
    int rc = put_when(c, &c->field[WHEN], e);
    for (int f = 0; f < FIELDS && !rc; f++) {
        rc = bytes_put(&c->out, c->field[f].p, c->field[f].n, e);
        c->field[f].n = 0;
    }
    *c->start = *c->end = *c->duration = 0;
    return rc ? rc : bytes_puts(&c->out, "\n", e);
}

// Whether what the component P begins is one of those that are told of: others stand around them.
static int is_told(const struct cards_property *p)
{
    static const char *const kinds[] = {"VEVENT", "VTODO", "VJOURNAL", "VCARD"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (p->n_value == strlen(kinds[i]) && !strncasecmp(p->value, kinds[i], p->n_value))
            return 1;
    return 0;
}

static int take(struct doc_cards *c, struct err *e)
{
    static const char mark[] = "\xef\xbb\xbf"; // of the order of bytes, before the first line
    struct cards_property p;
    const char *line = (const char *)c->line.p;
    const size_t skip = strncmp(line, mark, 3) ? 0 : 3;
    if (!cards_property(&p, line + skip, c->line.n - 1 - skip))
        return 0;
    if (cards_is(&p, "BEGIN")) {
        c->deep += c->deep > 0 || is_told(&p);
        return 0;
    }
    if (cards_is(&p, "END"))
        return c->deep > 0 && --c->deep == 0 ? put_card(c, e) : 0;
    return c->deep == 1 ? add_property(c, &p, e) : 0;
}

// ---- the whole

static ssize_t cards_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_cards *c = self;
    while (c->at_out == c->out.n) {
        c->at_out = c->out.n = 0;
        int rc = next_line(c, e);
        if (rc < 0)
            return rc;
        if (!rc && !c->deep)
            return 0;
        if (!rc) { // it ends within a card
            c->deep = 0;
            rc = put_card(c, e);
        } else {
            rc = take(c, e);
        }
        if (rc)
            return rc;
    }
    return stream_give(buf, cap, c->out.p, c->out.n, &c->at_out);
}

static void cards_close(void *self)
{
    struct doc_cards *c = self;
    charset_close(c->chars);
    for (int f = 0; f < FIELDS; f++)
        free(c->field[f].p);
    free(c->line.p);
    free(c->out.p);
    free(c);
}

int cards_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    struct doc_cards *c = mem_new(1, sizeof *c, e);
    if (!c)
        return ERR_NOMEM;
    const int rc = charset_open_marked(&c->chars, from->stream, e);
    if (rc)
        cards_close(c);
    else
        *out = (struct doc_form){.self = c, .read = cards_read, .close = cards_close};
    return rc;
}
