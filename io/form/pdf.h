// A PDF to text, by pdftotext.
#ifndef LCTOOL_IO_FORM_PDF_H
#define LCTOOL_IO_FORM_PDF_H

#include <signal.h>

#include "io/err.h"
#include "io/form/form.h"
#include "io/source/stream.h"

// Reads all of the stream and has pdftotext, of poppler-utils, make a text of it, which is kept in
// memory: so what is wrong is known before the first byte. The text is UTF-8 in which every page
// ends with a form feed. ERR_UNSUPPORTED: this PDF gives no text (encrypted, damaged, only
// pictures), or pdftotext is not there; ERR_INTERRUPTED: the signal that ended pdftotext was
// Ctrl-C's, or another that asks to end, or the holder's stop, which may be NULL, became non-zero
// while it ran. Other errors are the stream's or the system's.
int pdf_open(struct doc_form *out, const struct form_from *from, struct err *e);
// 1 when the first page has text, 0 when pdftotext can read it and it has none, or an error as
// pdf_open's: the rest of the document costs no time.
int pdf_begins_with_text(struct doc_stream *from, const char *name,
                         const volatile sig_atomic_t *stop, struct err *e);

#endif
