// A message or an mbox of them to text.
#ifndef LCTOOL_IO_FORM_MAIL_H
#define LCTOOL_IO_FORM_MAIL_H

#include <signal.h>

#include "io/err.h"
#include "io/form/form.h"
#include "io/source/sniff.h"
#include "io/source/stream.h"

// Who is told of what is left out, what stops the reading (or NULL), and how deeply the mail is
// nested in other mails and attached archives.
struct mail_holder {
    doc_note_fn *note;
    void *note_arg;
    const volatile sig_atomic_t *stop;
    int depth;
    // What opens what is attached: form_open.
    int (*open)(struct doc_form *out, enum doc_kind kind, const struct form_from *from,
                struct err *e);
};

// The text, in UTF-8, has of each message From, To, Cc, Date and Subject and its texts, HTML only
// where there is no plain alternative; of each attachment its type and name, and its text where it
// has one, else a note is given.
int mail_open(struct doc_form *out, const struct form_from *from, struct err *e);

#endif
