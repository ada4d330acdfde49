// What a mail says in its heads, decoded. Used by io/form/mail*.c alone.
#ifndef LCTOOL_IO_FORM_MAIL_HEAD_H
#define LCTOOL_IO_FORM_MAIL_HEAD_H

#include <stddef.h>

#include "io/bytes.h"
#include "io/err.h"

// The value of a field as UTF-8: encoded words (RFC 2047) decoded, what is not UTF-8 taken for
// Latin-1, control characters left out.
int mail_put_value(struct bytes *t, const char *value, size_t n, struct err *e);

// The parameter NAME of a field ("text/plain; charset=utf-8"), without its quotes, also where it
// comes in parts or with bytes as %XX (RFC 2231); "" where it is not there.
void mail_param(const char *value, const char *name, char *out, size_t cap);

#endif
