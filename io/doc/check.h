// What a file is, and whether it can be read.
#ifndef LCTOOL_IO_DOC_CHECK_H
#define LCTOOL_IO_DOC_CHECK_H

#include <signal.h>
#include <stdint.h>

#include "io/err.h"
#include "io/source/sniff.h"
#include "io/source/stream.h"

// The kind of all documents, archives aside, if the user has said it (doc_options.format).
struct doc_said {
    int is_said;
    enum doc_kind kind;
};

// S has been peeked at.
struct doc_sniffed check_kind(const struct doc_said *said, const struct doc_stream *s,
                              const char *name);
int check_refuse(const struct doc_sniffed *is, const char *name,
                 struct err *e);                    // ERR_UNSUPPORTED, with what helps
int check_is_no_text(const struct doc_sniffed *is); // passed over in directories and archives
// Checks INPUT, a file or a directory, so that what is wrong with it is known before others are
// read for hours; IS_LISTED: it comes from a list (doc_options.n_listed); STOP as
// pdf_begins_with_text has it. Adds the sizes of the files that will be read to *BYTES, and sets
// *UNKNOWN to 1 when some have no size.
int check_input(const struct doc_said *said, const char *input, int is_listed,
                const volatile sig_atomic_t *stop, uint64_t *bytes, int *unknown, struct err *e);

#endif
