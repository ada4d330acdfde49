#include "io/form/form.h"

#include <string.h>

#include "io/form/cards.h"
#include "io/form/html.h"
#include "io/form/mail.h"
#include "io/form/manual.h"
#include "io/form/pdf.h"
#include "io/form/subtitles.h"
#include "io/form/texinfo.h"
#include "io/source/charset.h"
#include "io/source/stream.h"

static ssize_t read_stream(void *self, void *buf, size_t cap, struct err *e)
{
    return stream_read(self, buf, cap, e);
}

// What was read by READ with line feeds for carriage returns: as many bytes.
static ssize_t read_returns(doc_read_fn *read, void *self, char *buf, size_t cap, struct err *e)
{
    const ssize_t n = read(self, buf, cap, e);
    for (ssize_t i = 0; i < n; i++)
        if (buf[i] == '\r')
            buf[i] = '\n';
    return n;
}

static ssize_t read_stream_returns(void *self, void *buf, size_t cap, struct err *e)
{
    return read_returns(read_stream, self, buf, cap, e);
}

static ssize_t read_chars_returns(void *self, void *buf, size_t cap, struct err *e)
{
    return read_returns(charset_read, self, buf, cap, e);
}

static int bytes_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    (void)e;
    *out = from->chars ? (struct doc_form){.self = from->chars, .read = charset_read}
                       : (struct doc_form){.self = from->stream, .read = read_stream};
    return 0;
}

// A text that begins with lines that end with a carriage return alone, as far as it was peeked at,
// has line feeds instead.
static int text_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    const uint8_t *head = from->stream->head;
    const size_t n = from->stream->n_head;
    const int rc = bytes_open(out, from, e);
    if (n && memchr(head, '\r', n) && !memchr(head, '\n', n))
        out->read = from->chars ? read_chars_returns : read_stream_returns;
    return rc;
}

// A page of a manual where nothing makes a text of it: as it is written.
static int manual_or_text_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    int rc = manual_open(out, from, e);
    if (rc)
        return rc < 0 ? rc : 0;
    if ((rc = text_open(out, from, e)))
        return rc;
    out->complaint = "is a page of a manual, which is read as it is written; with mandoc (package "
                     "mandoc) it is read as it is shown";
    return 0;
}

// Archives have none: their members do.
static const struct {
    const char *format;
    int (*open)(struct doc_form *out, const struct form_from *from, struct err *e);
} forms[] = {
    [DOC_TEXT] = {"text", text_open},
    [DOC_BINARY] = {"text", bytes_open},
    [DOC_WIDE] = {"text", text_open},
    [DOC_HTML] = {"html", html_open},
    [DOC_PDF] = {"pdf", pdf_open},
    [DOC_MAIL] = {"mail", mail_open},
    [DOC_CALENDAR] = {"calendar", cards_open},
    [DOC_VCARD] = {"vcard", cards_open},
    [DOC_SUBTITLES] = {"subtitles", subtitles_open},
    [DOC_TEXINFO] = {"info", texinfo_open},
    [DOC_MANUAL] = {"man", manual_or_text_open},
};

int form_open(struct doc_form *out, enum doc_kind kind, const struct form_from *from, struct err *e)
{
    const int rc = forms[kind].open(out, from, e);
    if (!rc)
        out->format = forms[kind].format;
    return rc;
}
