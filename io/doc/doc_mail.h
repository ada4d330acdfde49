// What a mail says in its heads, decoded, and the files in it. Used by io/doc/doc_mail*.c alone.
#ifndef LCTOOL_IO_DOC_DOC_MAIL_H
#define LCTOOL_IO_DOC_DOC_MAIL_H

#include <stddef.h>

#include "io/bytes.h"
#include "io/doc/doc_impl.h"

// The value of a field as UTF-8: encoded words (RFC 2047) decoded, what is not UTF-8 taken for
// Latin-1, control characters left out.
int mail_put_value(struct bytes *t, const char *value, size_t n, struct err *e);

// The parameter NAME of a field ("text/plain; charset=utf-8"), without its quotes, also where it
// comes in parts or with bytes as %XX (RFC 2231); "" where it is not there.
void mail_param(const char *value, const char *name, char *out, size_t cap);

// Whether the error RC is one of a file, which spoils no more than what is left of it: then there
// is a note, in which HOW_MUCH stands before "left out".
int mail_leaves_out(const struct mail_holder *holder, int rc, const char *how_much,
                    const struct err *e);

// A file that is attached, FROM its decoded bytes: its text, of a PDF, a word processor's, an HTML
// one or a mail, or of one that is text, in CHARSET if it does not say; of an archive the names of
// its files, each with its text. NAME stands in messages. ERR_UNSUPPORTED: this one gives no text.
struct mail_file;

int mail_file_open(struct mail_file **out, struct doc_stream *from, const char *name,
                   const char *charset, const struct mail_holder *holder, struct err *e);
void mail_file_close(struct mail_file *a); // accepts NULL
ssize_t mail_file_read(struct mail_file *a, void *buf, size_t cap, struct err *e);

#endif
