// A page of a manual in the language of man, as /usr/share/man has them, to the text that it is
// shown as, by mandoc.
#ifndef LCTOOL_IO_FORM_MANUAL_H
#define LCTOOL_IO_FORM_MANUAL_H

#include "io/err.h"
#include "io/form/form.h"

// Has mandoc make a text of the page, in UTF-8, without the letters struck over that make words
// bold or underlined on a terminal. 1; 0 where mandoc is not there: OUT is as it was, and nothing
// was read; or an error as program_run's.
int manual_open(struct doc_form *out, const struct form_from *from, struct err *e);

#endif
