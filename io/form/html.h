// HTML, and the XML of word processors, in UTF-8 to text.
#ifndef LCTOOL_IO_FORM_HTML_H
#define LCTOOL_IO_FORM_HTML_H

#include "io/err.h"
#include "io/form/form.h"
#include "io/source/sniff.h"

int html_open(struct doc_form *out, const struct form_from *from, struct err *e);
// After the last byte: whether it is the XML of a word processor's BOOK, DOC_DOCX or DOC_ODT, and
// lacks its end.
int html_is_cut(const struct doc_form *f, enum doc_kind book);

#endif
