// Calendars (iCalendar, RFC 5545) and address books (vCard) to text.
#ifndef LCTOOL_IO_FORM_CARDS_H
#define LCTOOL_IO_FORM_CARDS_H

#include "io/err.h"
#include "io/form/form.h"

// The text has a line each for what, when, where and who of each date, task or person.
int cards_open(struct doc_form *out, const struct form_from *from, struct err *e);

#endif
