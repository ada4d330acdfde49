// Objects of JSON that are on one line (object.h), as fields.h reads them: with a line for each
// field, as people write them.
//
//     if ((rc = unpacked_init(&u, &c, at, e)) > 0)
//         look_at(u.text, u.bytes);
//     unpacked_done(&u);
#ifndef LCTOOL_ENGINE_TABLES_UNPACKED_H
#define LCTOOL_ENGINE_TABLES_UNPACKED_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"
#include "io/err.h"

struct unpacked {
    char *text; // [bytes]
    size_t bytes;
    size_t at;               // where the value is that was asked for
    struct span_of_text own; // the object that it is of, where that is on one line
};

// Unpacks what is around the value at byte AT of C: the largest object, or list of them, of some
// kilobytes, and the brackets and labels that it is in. 1, 0 where there is none, or an error. U is
// the caller's to release in any case.
int unpacked_init(struct unpacked *u, const struct lines *c, size_t at, struct err *e);
void unpacked_done(struct unpacked *u);

#endif
