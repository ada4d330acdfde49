// A document to text, whatever its form.
#ifndef LCTOOL_IO_FORM_FORM_H
#define LCTOOL_IO_FORM_FORM_H

#include "io/err.h"
#include "io/source/charset.h"
#include "io/source/sniff.h"
#include "io/source/stream.h"

// A document that is open. Each form has a function that makes it, and a row in form.c.
struct doc_form {
    void *self;
    doc_read_fn *read;
    void (*close)(void *self); // NULL: nothing is to be freed
    const char *format;        // as struct doc_info has it
    const char *complaint;     // what the user should know of it, although it gives a text; or NULL
    double (*part)(const void *self); // how much was read, 0 to 1; NULL: what was of its bytes
};

struct mail_holder;

// What it is made from. All is borrowed.
struct form_from {
    struct doc_stream *stream; // has been peeked at
    struct doc_charset *chars; // in UTF-8, of HTML and Info; of a text, NULL: its bytes as they are
    const char *name;          // stands in messages
    const struct mail_holder *holder;
};

// KIND is no archive and not DOC_UNSUPPORTED. After an error OUT is as it was.
int form_open(struct doc_form *out, enum doc_kind kind, const struct form_from *from,
              struct err *e);

// Accepts one that is not open, all zero.
static inline void form_close(struct doc_form *f)
{
    if (f->close)
        f->close(f->self);
    *f = (struct doc_form){0};
}

#endif
