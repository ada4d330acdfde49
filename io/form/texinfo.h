// Info files, the manuals that makeinfo writes, to text.
#ifndef LCTOOL_IO_FORM_TEXINFO_H
#define LCTOOL_IO_FORM_TEXINFO_H

#include "io/err.h"
#include "io/form/form.h"

// The text of its nodes as it is, without what leads from one to another.
int texinfo_open(struct doc_form *out, const struct form_from *from, struct err *e);

#endif
