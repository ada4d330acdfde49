#define _GNU_SOURCE
#include "io/doc/doc_mail.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

struct mail_file {
    struct doc_level level; // the source of its bytes; of a word processor's text the archive
    struct doc_charset *chars;
    struct doc_html *html;
    struct doc_pdf *pdf;
};

// The text of a word processor.
static int open_word(struct mail_file *a, enum doc_kind kind, struct err *e)
{
    struct doc_member m;
    int rc = level_unpack(&a->level, kind, e);
    if (!rc && (rc = level_next(&a->level, &m, e)) == 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: is an Office document without a text", a->level.name);
    if (rc < 0)
        return rc;
    struct doc_stream *s = members_stream(a->level.members);
    if (!(rc = stream_peek(s, e)))
        rc = charset_open_html(&a->chars, s, NULL, e);
    return rc ? rc : html_open(&a->html, a->chars, e);
}

static int open_kind(struct mail_file *a, const char *charset, struct err *e)
{
    struct doc_stream *s = source_stream(a->level.source);
    const char *name = a->level.name;
    int rc = stream_peek(s, e);
    if (rc)
        return rc;
    struct doc_sniffed is = sniff(s->head, s->n_head, name);
    switch (is.kind) {
    case DOC_PDF:
        return pdf_open(&a->pdf, s, name, e);
    case DOC_DOCX:
    case DOC_ODT:
        return open_word(a, is.kind, e);
    case DOC_HTML:
        rc = mail_charset_open(&a->chars, s, charset, e);
        return rc ? rc : html_open(&a->html, a->chars, e);
    case DOC_UTF16:
        return charset_open(&a->chars, s, "UTF-16", CHARSET_NO_NUL, e);
    case DOC_TEXT:
        return mail_charset_open(&a->chars, s, charset, e);
    default:
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s", name,
                       is_archive(is.kind) ? "an archive in a mail" : is.what ? is.what : "not text");
    }
}

int mail_file_open(struct mail_file **out, struct doc_stream *from, const char *name, const char *charset,
                    struct err *e)
{
    *out = NULL;
    struct mail_file *a = mem_new(1, sizeof *a, e);
    if (!a)
        return ERR_NOMEM;
    int rc = (a->level.name = mem_strdup(name, e)) ? source_over(&a->level.source, from, name, e) : ERR_NOMEM;
    if (!rc)
        rc = open_kind(a, charset, e);
    if (rc)
        mail_file_close(a);
    else
        *out = a;
    return rc;
}

void mail_file_close(struct mail_file *a)
{
    if (!a)
        return;
    pdf_close(a->pdf);
    html_close(a->html);
    charset_close(a->chars);
    level_close(&a->level);
    free(a);
}

ssize_t mail_file_read(struct mail_file *a, void *buf, size_t cap, struct err *e)
{
    if (a->pdf)
        return pdf_read(a->pdf, buf, cap, e);
    return a->html ? html_read(a->html, buf, cap, e) : charset_read(a->chars, buf, cap, e);
}
