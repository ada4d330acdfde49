// The files in a mail. Used by io/form/mail*.c alone.
#ifndef LCTOOL_IO_FORM_MAIL_FILE_H
#define LCTOOL_IO_FORM_MAIL_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "io/err.h"
#include "io/form/mail.h"
#include "io/source/stream.h"

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
