// Subtitles (.srt, .vtt) to text.
#ifndef LCTOOL_IO_FORM_SUBTITLES_H
#define LCTOOL_IO_FORM_SUBTITLES_H

#include "io/err.h"
#include "io/form/form.h"

// The text has a line for each speaker's turn, and a time now and then.
int subtitles_open(struct doc_form *out, const struct form_from *from, struct err *e);

#endif
