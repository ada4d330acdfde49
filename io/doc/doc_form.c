#include "io/doc/doc_impl.h"

static ssize_t read_stream(void *self, void *buf, size_t cap, struct err *e)
{
    return stream_read(self, buf, cap, e);
}

static int text_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    (void)e;
    *out = from->chars ? (struct doc_form){.self = from->chars, .read = charset_read}
                       : (struct doc_form){.self = from->stream, .read = read_stream};
    return 0;
}

// Archives have none: their members do.
static const struct {
    const char *format;
    int (*open)(struct doc_form *out, const struct form_from *from, struct err *e);
} forms[] = {
    [DOC_TEXT] = {"text", text_open},
    [DOC_BINARY] = {"text", text_open},
    [DOC_WIDE] = {"text", text_open},
    [DOC_HTML] = {"html", html_open},
    [DOC_PDF] = {"pdf", pdf_open},
    [DOC_MAIL] = {"mail", mail_open},
    [DOC_CALENDAR] = {"calendar", cards_open},
    [DOC_VCARD] = {"vcard", cards_open},
    [DOC_SUBTITLES] = {"subtitles", subtitles_open},
    [DOC_TEXINFO] = {"info", texinfo_open},
};

int form_open(struct doc_form *out, enum doc_kind kind, const struct form_from *from, struct err *e)
{
    const int rc = forms[kind].open(out, from, e);
    if (!rc)
        out->format = forms[kind].format;
    return rc;
}

void form_close(struct doc_form *f)
{
    if (f->close)
        f->close(f->self);
    *f = (struct doc_form){0};
}
