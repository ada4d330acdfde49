#define _GNU_SOURCE
#include "io/form/mail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/form/html.h"
#include "io/form/mail_file.h"
#include "io/form/mail_head.h"
#include "io/mem.h"
#include "io/source/charset.h"
#include "io/source/decode.h"
#include "io/source/stream.h"

enum {
    IN_BYTES = 1 << 14,
    LINE_BYTES = 1 << 14,
    FIELD_BYTES = 1 << 13,
    LEVELS = 16,
    BOUNDARY_BYTES = 128
};

enum place { HEAD, PART, SKIPPED, END };

// A multipart that is open.
struct level {
    char boundary[BOUNDARY_BYTES];
    int is_choice; // multipart/alternative: one of its parts is enough
    int has_text;
};

struct doc_mail {
    struct doc_stream *from;
    int is_mbox, is_message, ended; // is_message: its head is a message's, not a part's
    enum place at;
    char in[IN_BYTES];
    size_t n_in, at_in;

    char line[LINE_BYTES]; // or a piece of one that is longer
    size_t n_line;
    int pending;       // the line is to be looked at again
    int begins, whole; // it begins where a line does, and ends where it does
    int after_blank, is_blank;

    char field[FIELD_BYTES + 1]; // of the head, unfolded; what is longer is cut
    size_t n_field;
    char type[128], charset[64], boundary[BOUNDARY_BYTES], name[256], encoding;
    struct level level[LEVELS];
    int n_levels;

    struct doc_stream part; // the bytes of the current part, decoded
    struct doc_charset *chars;
    struct doc_form html;
    struct mail_file *file; // instead of both, of what is attached
    char decoded[LINE_BYTES];
    size_t n_decoded, at_decoded;
    unsigned bits;
    int n_bits;

    struct bytes out;
    size_t at_out;
    struct mail_holder holder;
};

// ---- lines

// The next line, with its end: 1, 0 after the last, or an error.
static int next_line(struct doc_mail *m, struct err *e)
{
    if (m->pending) {
        m->pending = 0;
        return 1;
    }
    m->begins = m->whole;
    m->after_blank = m->begins ? m->is_blank : 0;
    m->n_line = 0;
    m->whole = 0;
    while (!m->whole && m->n_line < LINE_BYTES) {
        if (m->at_in == m->n_in) {
            ssize_t n = m->ended ? 0 : stream_read(m->from, m->in, sizeof m->in, e);
            if (n < 0)
                return (int)n;
            m->ended = n == 0;
            m->n_in = (size_t)n;
            m->at_in = 0;
            if (m->ended)
                break;
        }
        size_t n = m->n_in - m->at_in, room = LINE_BYTES - m->n_line;
        n = n < room ? n : room;
        const char *end = memchr(m->in + m->at_in, '\n', n);
        n = end ? (size_t)(end + 1 - m->in) - m->at_in : n;
        memcpy(m->line + m->n_line, m->in + m->at_in, n);
        m->n_line += n;
        m->at_in += n;
        m->whole = end != NULL;
    }
    m->is_blank =
        m->begins && (m->n_line == 1 || (m->n_line == 2 && m->line[0] == '\r')) && m->whole;
    return m->n_line > 0;
}

// "From alice Mon May  6 10:00:00 2024" before each message of an mbox.
static int is_from(const struct doc_mail *m)
{
    if (!m->is_mbox || !m->begins || !m->after_blank || m->n_line < 16 ||
        memcmp(m->line, "From ", 5))
        return 0;
    for (size_t i = 6; i + 2 < m->n_line; i++)
        if (m->line[i] == ':' && isdigit((unsigned char)m->line[i - 1]) &&
            isdigit((unsigned char)m->line[i + 1]))
            return 1;
    return 0;
}

// The level whose boundary the line is, or -1; *CLOSES: it is the last.
static int boundary_level(const struct doc_mail *m, int *closes)
{
    if (!m->begins || m->n_line < 3 || m->line[0] != '-' || m->line[1] != '-')
        return -1;
    for (int i = m->n_levels; i-- > 0;) {
        size_t n = strlen(m->level[i].boundary);
        if (m->n_line < 2 + n || memcmp(m->line + 2, m->level[i].boundary, n))
            continue;
        const char *rest = m->line + 2 + n, *end = m->line + m->n_line;
        *closes = end - rest >= 2 && rest[0] == '-' && rest[1] == '-';
        rest += *closes ? 2 : 0;
        while (rest < end && isspace((unsigned char)*rest))
            rest++;
        if (rest == end)
            return i;
    }
    return -1;
}

static int ends_part(const struct doc_mail *m)
{
    int closes;
    return is_from(m) || boundary_level(m, &closes) >= 0;
}

// ---- the bytes of a part

static void decode_line(struct doc_mail *m)
{
    const char *p = m->line;
    size_t n = m->n_line, more = 0;
    while (m->is_mbox && m->begins && more < n && p[more] == '>')
        more++;
    if (more && n - more >= 5 && !memcmp(p + more, "From ", 5)) { // as mbox quotes it
        p++;
        n--;
    }
    m->at_decoded = 0;
    if (m->encoding == 'b') {
        m->n_decoded = decode_base64(p, n, m->decoded, &m->bits, &m->n_bits);
    } else if (m->encoding == 'q') {
        m->n_decoded = decode_quoted(p, n, m->decoded);
    } else {
        memcpy(m->decoded, p, n);
        m->n_decoded = n;
    }
}

static ssize_t read_part(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_mail *m = self;
    while (m->at_decoded == m->n_decoded) {
        int rc = next_line(m, e);
        if (rc <= 0)
            return rc;
        if (ends_part(m)) {
            m->pending = 1;
            return 0;
        }
        decode_line(m);
    }
    return stream_give(buf, cap, m->decoded, m->n_decoded, &m->at_decoded);
}

static void close_part(struct doc_mail *m)
{
    mail_file_close(m->file);
    form_close(&m->html);
    charset_close(m->chars);
    m->file = NULL;
    m->chars = NULL;
}

static void begin_part(struct doc_mail *m)
{
    m->part = (struct doc_stream){.read = read_part, .self = m, .name = m->from->name};
    m->n_decoded = m->at_decoded = 0;
    m->n_bits = 0;
}

static int open_part(struct doc_mail *m, int is_html, struct err *e)
{
    begin_part(m);
    // A part that is not encoded consists of lines of bytes: it cannot have 16 bits a character,
    // whatever its head says.
    if (!m->encoding &&
        (!strncasecmp(m->charset, "utf-16", 6) || !strncasecmp(m->charset, "utf-32", 6)))
        m->charset[0] = 0;
    int rc = decode_charset_open(&m->chars, &m->part, m->charset, e);
    if (!rc && is_html)
        rc = html_open(&m->html, &(struct form_from){.chars = m->chars}, e);
    m->at = PART;
    return rc;
}

// A plain text, whose lines end in CR LF while it is under way, with the ends that others have.
static ssize_t read_plain(struct doc_mail *m, char *buf, size_t cap, struct err *e)
{
    for (;;) {
        const ssize_t n = charset_read(m->chars, buf, cap, e);
        ssize_t kept = 0;
        for (ssize_t i = 0; i < n; i++)
            if (buf[i] != '\r')
                buf[kept++] = buf[i];
        if (kept || n <= 0)
            return n <= 0 ? n : kept;
    }
}

static ssize_t read_text(struct doc_mail *m, void *buf, size_t cap, struct err *e)
{
    if (m->file)
        return mail_file_read(m->file, buf, cap, e);
    return m->html.self ? m->html.read(m->html.self, buf, cap, e) : read_plain(m, buf, cap, e);
}

// ---- what is attached

// Signatures and keys are no documents, though they may be text; pictures and sounds are no texts.
static int may_have_text(const struct doc_mail *m)
{
    return !strncasecmp(m->type, "application/", 12) && strncasecmp(m->type, "application/pgp", 15);
}

static int open_file(struct doc_mail *m, struct err *e)
{
    struct bytes name = {0};
    begin_part(m);
    int rc = bytes_puts(&name, m->from->name, e);
    if (!rc && !(rc = bytes_puts(&name, "/", e)) &&
        !(rc = mail_put_value(&name, m->name, strlen(m->name), e)))
        rc = bytes_put(&name, "", 1, e);
    if (!rc &&
        !(rc = mail_file_open(&m->file, &m->part, (const char *)name.p, m->charset, &m->holder, e)))
        m->at = PART;
    free(name.p);
    return mail_leaves_out(&m->holder, rc, "", e) ? 0 : rc;
}

// ---- heads

static void begin_head(struct doc_mail *m, int is_message)
{
    m->at = HEAD;
    m->is_message = is_message;
    m->n_field = 0;
    m->type[0] = m->charset[0] = m->boundary[0] = m->name[0] = m->encoding = 0;
}

static int is_field(const struct doc_mail *m, const char *name)
{
    size_t n = strlen(name);
    return m->n_field > n && !strncasecmp(m->field, name, n) && m->field[n] == ':';
}

static void read_type(struct doc_mail *m, const char *value)
{
    size_t n = strcspn(value, "; \t\r\n");
    n = n < sizeof m->type - 1 ? n : sizeof m->type - 1;
    memcpy(m->type, value, n);
    m->type[n] = 0;
    mail_param(value, "charset", m->charset, sizeof m->charset);
    mail_param(value, "boundary", m->boundary, sizeof m->boundary);
    if (!m->name[0])
        mail_param(value, "name", m->name, sizeof m->name);
}

// A field whose last line has been read.
static int end_field(struct doc_mail *m, struct err *e)
{
    static const char *const shown[] = {"From", "To", "Cc", "Date", "Subject"};
    int rc = 0;
    while (m->n_field && isspace((unsigned char)m->field[m->n_field - 1]))
        m->n_field--;
    m->field[m->n_field] = 0;
    const char *colon = memchr(m->field, ':', m->n_field);
    const char *value = colon ? colon + 1 + strspn(colon + 1, " \t\r\n") : "";
    if (is_field(m, "Content-Type"))
        read_type(m, value);
    else if (is_field(m, "Content-Transfer-Encoding"))
        m->encoding = !strncasecmp(value, "base64", 6)              ? 'b'
                      : !strncasecmp(value, "quoted-printable", 16) ? 'q'
                                                                    : 0;
    else if (is_field(m, "Content-Disposition") && strcasestr(value, "filename"))
        mail_param(value, "filename", m->name, sizeof m->name);
    for (size_t i = 0; !rc && m->is_message && i < sizeof shown / sizeof *shown; i++)
        if (is_field(m, shown[i]) && *value && !(rc = bytes_puts(&m->out, shown[i], e)) &&
            !(rc = bytes_puts(&m->out, ": ", e)) &&
            !(rc = mail_put_value(&m->out, value, m->n_field - (size_t)(value - m->field), e)))
            rc = bytes_puts(&m->out, "\n", e);
    m->n_field = 0;
    return rc;
}

static int put_attached(struct doc_mail *m, struct err *e)
{
    int rc = bytes_puts(&m->out, "\n[", e);
    rc = rc ? rc : mail_put_value(&m->out, m->type, strlen(m->type), e);
    if (!rc && *m->name && !(rc = bytes_puts(&m->out, ": ", e)))
        rc = mail_put_value(&m->out, m->name, strlen(m->name), e);
    return rc ? rc : bytes_puts(&m->out, "]\n", e);
}

// Before a text that is read: what it is called, if it is a file.
static int put_before_text(struct doc_mail *m, struct err *e)
{
    return *m->name ? put_attached(m, e) : bytes_puts(&m->out, "\n", e);
}

// What a page that was saved as a mail brings along for a browser.
static int is_for_a_browser(const struct doc_mail *m)
{
    return !*m->name &&
           (!strcasecmp(m->type, "text/css") || !strcasecmp(m->type, "text/javascript"));
}

// What follows a head: parts, a message, a text, or what is attached.
static int end_head(struct doc_mail *m, struct err *e)
{
    int rc = end_field(m, e);
    if (rc)
        return rc;
    m->at = SKIPPED;
    const struct level *in = m->n_levels ? &m->level[m->n_levels - 1] : NULL;
    if (in && in->is_choice && in->has_text)
        return 0;
    int is_multipart = !strncasecmp(m->type, "multipart/", 10);
    if (is_multipart && *m->boundary && m->n_levels < LEVELS) {
        struct level *l = &m->level[m->n_levels++];
        *l = (struct level){.is_choice = !strcasecmp(m->type, "multipart/alternative")};
        memcpy(l->boundary, m->boundary, sizeof l->boundary);
        return 0;
    }
    if (!strcasecmp(m->type, "message/rfc822")) {
        begin_head(m, 1);
        return bytes_puts(&m->out, "\n", e);
    }
    // Invitations, addresses and subtitles are texts that want to be read by their own rules.
    if (!strcasecmp(m->type, "text/calendar") || !strcasecmp(m->type, "text/vtt") ||
        strcasestr(m->type, "vcard"))
        return (rc = put_before_text(m, e)) ? rc : open_file(m, e);
    if (is_for_a_browser(m))
        return 0;
    if (*m->type && !is_multipart && strncasecmp(m->type, "text", 4))
        return (rc = put_attached(m, e)) || !may_have_text(m) ? rc : open_file(m, e);
    for (int i = 0; i < m->n_levels; i++)
        m->level[i].has_text = 1;
    rc = put_before_text(m, e);
    return rc ? rc : open_part(m, !strcasecmp(m->type, "text/html"), e);
}

static int read_head(struct doc_mail *m, struct err *e)
{
    int rc = next_line(m, e);
    if (rc < 0)
        return rc;
    if (rc && m->is_mbox && !m->n_field && m->n_line >= 5 && !memcmp(m->line, "From ", 5))
        return 0; // the line before the first head
    if (!rc || m->is_blank || ends_part(m)) {
        m->pending = rc && !m->is_blank;
        return end_head(m, e);
    }
    int goes_on = !m->begins || m->line[0] == ' ' || m->line[0] == '\t';
    if (!goes_on && (rc = end_field(m, e)))
        return rc;
    size_t n = m->n_line < FIELD_BYTES - m->n_field ? m->n_line : FIELD_BYTES - m->n_field;
    for (size_t i = 0; i < n; i++)
        m->field[m->n_field++] = m->line[i] ? m->line[i] : ' ';
    return 0;
}

// What belongs to no part, up to the next one.
static int skip(struct doc_mail *m, struct err *e)
{
    int closes = 0, rc = next_line(m, e);
    if (rc < 0)
        return rc;
    if (!rc) {
        m->at = END;
        return 0;
    }
    if (is_from(m)) {
        m->n_levels = 0;
        begin_head(m, 1);
        return bytes_puts(&m->out, "\n", e);
    }
    int level = boundary_level(m, &closes);
    if (level >= 0) {
        m->n_levels = closes ? level : level + 1;
        if (!closes)
            begin_head(m, 0);
    }
    return 0;
}

// ---- the whole

static ssize_t mail_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_mail *m = self;
    int rc = 0;
    while (m->at_out == m->out.n) {
        m->at_out = m->out.n = 0;
        if (m->at == END)
            return 0;
        if (m->at == PART) {
            ssize_t n = read_text(m, buf, cap, e);
            if (n > 0 || (n < 0 && !(m->file &&
                                     mail_leaves_out(&m->holder, (int)n, "the rest of it is ", e))))
                return n;
            close_part(m);
            m->at = SKIPPED;
            continue;
        }
        if ((rc = m->at == HEAD ? read_head(m, e) : skip(m, e)))
            return rc;
    }
    return stream_give(buf, cap, m->out.p, m->out.n, &m->at_out);
}

static void mail_close(void *self)
{
    struct doc_mail *m = self;
    close_part(m);
    free(m->out.p);
    free(m);
}

int mail_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    const struct doc_stream *s = from->stream;
    struct doc_mail *m = mem_new(1, sizeof *m, e);
    if (!m)
        return ERR_NOMEM;
    m->from = from->stream;
    m->holder = *from->holder;
    m->is_mbox = s->n_head >= s->at_head + 5 && !memcmp(s->head + s->at_head, "From ", 5);
    m->whole = m->is_blank = 1;
    begin_head(m, 1);
    *out = (struct doc_form){.self = m, .read = mail_read, .close = mail_close};
    return 0;
}
