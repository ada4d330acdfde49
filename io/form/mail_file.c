#define _GNU_SOURCE
#include "io/form/mail_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/archive/archive.h"
#include "io/archive/level.h"
#include "io/form/html.h"
#include "io/mem.h"
#include "io/source/charset.h"
#include "io/source/decode.h"
#include "io/source/sniff.h"
#include "io/source/sniff_charset.h"
#include "io/source/source.h"
#include "io/source/stream.h"

// Deeper than that are mails and archives within each other only in a trap.
enum { DEPTH = 4 };

struct mail_file {
    struct mail_holder holder;
    struct doc_level level; // the source of its bytes; of a word processor's text, or of other
                            // files, the archive
    struct doc_charset *chars;
    struct doc_form form;
    int is_archive;
    struct mail_file *member; // of the archive, that is read
    struct bytes out;         // its name, to be given first
    size_t at_out;
};

int mail_leaves_out(const struct mail_holder *holder, int rc, const char *how_much,
                    const struct err *e)
{
    char msg[sizeof e->msg + 32];
    if (rc != ERR_FORMAT && rc != ERR_UNSUPPORTED)
        return 0;
    snprintf(msg, sizeof msg, "%s; %sleft out", e->msg, how_much);
    if (holder->note)
        holder->note(holder->note_arg, msg);
    return 1;
}

// The text of a word processor.
static int open_word(struct mail_file *a, enum doc_kind kind, struct err *e)
{
    struct doc_member m;
    int rc = level_unpack(&a->level, kind, e);
    if (!rc && (rc = level_next(&a->level, &m, e)) == 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: is an Office document without a text",
                       a->level.name);
    if (rc < 0)
        return rc;
    struct doc_stream *s = members_stream(a->level.members);
    if (!(rc = stream_peek(s, e)))
        rc = charset_open_html(&a->chars, s, NULL, e);
    return rc ? rc : html_open(&a->form, &(struct form_from){.chars = a->chars}, e);
}

static int open_archive(struct mail_file *a, enum doc_kind kind, struct err *e)
{
    if (a->holder.depth >= DEPTH)
        return err_set(e, ERR_UNSUPPORTED, "%s: is an archive too deep within a mail",
                       a->level.name);
    a->is_archive = 1;
    return level_unpack(&a->level, kind, e);
}

static int open_kind(struct mail_file *a, const char *charset, struct err *e)
{
    struct doc_stream *s = source_stream(a->level.source);
    const char *name = a->level.name;
    int rc = stream_peek(s, e);
    if (rc)
        return rc;
    struct doc_sniffed is = sniff_document(s->head, s->n_head, name);
    const char *mark = sniff_mark(s->head, s->n_head);
    if (is.kind == DOC_MAIL || is.kind == DOC_TEXT)
        stream_skip_mark(s);
    switch (is.kind) {
    case DOC_DOCX:
    case DOC_ODT:
        return open_word(a, is.kind, e);
    case DOC_TAR:
    case DOC_ZIP:
    case DOC_7ZIP:
    case DOC_EPUB:
        return open_archive(a, is.kind, e);
    case DOC_BINARY:
    case DOC_UNSUPPORTED:
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s", name, is.what ? is.what : "not text");
    case DOC_MAIL:
        if (a->holder.depth >= DEPTH)
            return err_set(e, ERR_UNSUPPORTED, "%s: is a mail too deep within another", name);
        break;
    case DOC_HTML:
        rc = decode_charset_open(&a->chars, s, mark ? mark : charset, e);
        break;
    case DOC_WIDE:
        rc = charset_open(&a->chars, s, mark, CHARSET_NO_NUL, e);
        break;
    case DOC_TEXT:
    case DOC_TEXINFO:
        rc = decode_charset_open(&a->chars, s, charset, e);
        break;
    default:
        break;
    }
    struct mail_holder deeper = a->holder;
    deeper.depth++;
    const struct form_from from = {s, a->chars, name, &deeper};
    return rc ? rc : a->holder.open(&a->form, is.kind, &from, e);
}

int mail_file_open(struct mail_file **out, struct doc_stream *from, const char *name,
                   const char *charset, const struct mail_holder *holder, struct err *e)
{
    *out = NULL;
    struct mail_file *a = mem_new(1, sizeof *a, e);
    if (!a)
        return ERR_NOMEM;
    a->holder = *holder;
    int rc = (a->level.name = mem_strdup(name, e)) ? source_over(&a->level.source, from, name, e)
                                                   : ERR_NOMEM;
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
    mail_file_close(a->member);
    form_close(&a->form);
    charset_close(a->chars);
    level_close(&a->level);
    free(a->out.p);
    free(a);
}

// ---- the files of an archive

// The next one, behind its name: 1, 0 after the last, or an error. One that gives no text has its
// name alone.
static int next_member(struct mail_file *a, struct err *e)
{
    struct doc_member m;
    char *name;
    int rc = level_next(&a->level, &m, e);
    if (rc <= 0)
        return rc;
    a->at_out = a->out.n = 0;
    if ((rc = bytes_puts(&a->out, "\n[", e)) || (rc = bytes_puts(&a->out, m.name, e)) ||
        (rc = bytes_puts(&a->out, "]\n", e)))
        return rc;
    if (asprintf(&name, "%s/%s", a->level.name, m.name) < 0)
        return err_set(e, ERR_NOMEM, "out of memory (name of a file in a mail)");
    struct mail_holder deeper = a->holder;
    deeper.depth++;
    if (m.is_encrypted)
        rc = err_set(e, ERR_UNSUPPORTED, "%s: is encrypted", name);
    else
        rc = mail_file_open(&a->member, members_stream(a->level.members), name, "", &deeper, e);
    free(name);
    return !rc || mail_leaves_out(&a->holder, rc, "", e) ? 1 : rc;
}

static ssize_t read_archive(struct mail_file *a, void *buf, size_t cap, struct err *e)
{
    for (;;) {
        if (a->at_out < a->out.n)
            return stream_give(buf, cap, a->out.p, a->out.n, &a->at_out);
        ssize_t got = a->member ? mail_file_read(a->member, buf, cap, e) : 0;
        if (got > 0 || (got < 0 && !mail_leaves_out(&a->holder, (int)got, "the rest of it is ", e)))
            return got;
        mail_file_close(a->member);
        a->member = NULL;
        int rc = next_member(a, e);
        if (rc <= 0)
            return rc;
    }
}

ssize_t mail_file_read(struct mail_file *a, void *buf, size_t cap, struct err *e)
{
    if (a->is_archive)
        return read_archive(a, buf, cap, e);
    const ssize_t n = a->form.read(a->form.self, buf, cap, e);
    if (!n && html_is_cut(&a->form, a->level.book) && a->holder.note) {
        char msg[sizeof e->msg];
        snprintf(msg, sizeof msg, "%s: its XML is cut short; the rest is missing", a->level.name);
        a->holder.note(a->holder.note_arg, msg);
    }
    return n;
}
