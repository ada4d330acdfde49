#include "io/form/pdf.h"

#include <string.h>

#include "io/form/mail.h"
#include "io/form/program.h"
#include "io/source/stream.h"

#define TO_TEXT "-enc", "UTF-8", "-eol", "unix", "-", "-", NULL
static const char *const all_pages[] = {"pdftotext", TO_TEXT};
static const char *const first_page[] = {"pdftotext", "-l", "1", TO_TEXT};

// What pdftotext, called by ARGV, makes of FROM, be it nothing.
static int open_text(struct program_text **out, const char *const *argv, struct doc_stream *from,
                     const char *name, const volatile sig_atomic_t *stop, struct err *e)
{
    const struct program p = {argv, "a PDF", "Syntax Warning", 0, NULL};
    char complaint[PROGRAM_LINE];
    const int rc = program_run(out, &p, from, name, stop, complaint, e);
    if (!rc)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: is a PDF, which pdftotext reads; install it first (package "
                       "poppler-utils)",
                       name);
    if (rc == ERR_UNSUPPORTED && strstr(complaint, "ncorrect password"))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: is an encrypted PDF; decrypt it first (qpdf --decrypt --password=... "
                       "%s plain.pdf)",
                       name, name);
    return rc < 0 ? rc : 0;
}

int pdf_begins_with_text(struct doc_stream *from, const char *name,
                         const volatile sig_atomic_t *stop, struct err *e)
{
    struct program_text *t;
    int rc = open_text(&t, first_page, from, name, stop, e);
    if (!rc)
        rc = program_has_text(t);
    program_close(t);
    return rc;
}

int pdf_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    const char *name = from->name;
    struct program_text *t;
    int rc = open_text(&t, all_pages, from->stream, name, from->holder->stop, e);
    // Every page ends with a form feed, also one of which only the picture is there.
    if (!rc && !program_has_text(t))
        rc = err_set(e, ERR_UNSUPPORTED,
                     "%s: is a PDF without text, scanned perhaps; give it one first (ocrmypdf %s "
                     "text.pdf)",
                     name, name);
    if (rc)
        program_close(t);
    else
        program_give(out, t);
    return rc;
}
