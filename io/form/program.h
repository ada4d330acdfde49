// A document to text by another program, which reads it on its standard input.
#ifndef LCTOOL_IO_FORM_PROGRAM_H
#define LCTOOL_IO_FORM_PROGRAM_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/err.h"
#include "io/form/form.h"
#include "io/source/stream.h"

enum { PROGRAM_LINE = 200 }; // bytes of a message

struct program {
    const char *const *argv; // with a NULL behind them
    const char *kind;        // in messages: what it reads, "a PDF"
    const char *warns;       // what its messages that are no errors begin with
    int harmless;            // the largest exit status with which its text is whole
    const char *directory;   // that it runs in; NULL: lctool's own
};

// What a program made of a document.
struct program_text {
    int text;                     // all of it, in memory that is a file
    uint64_t n, at;               // its bytes
    char note[PROGRAM_LINE + 64]; // what the user should know of it; "": nothing
};

// Reads all of the stream, be it nothing, and has P make a text of it, within limits on its time
// and memory. COMPLAINT is the first error that P told of, fit for a terminal, or "". 1; 0 where P
// is not there: nothing was read; or an error. ERR_UNSUPPORTED: P cannot read it, which E says
// with the complaint; ERR_INTERRUPTED: the signal that ended P was Ctrl-C's, or another that asks
// to end, or STOP, which may be NULL, became non-zero while it ran. Other errors are the stream's
// or the system's.
int program_run(struct program_text **out, const struct program *p, struct doc_stream *from,
                const char *name, const volatile sig_atomic_t *stop, char complaint[PROGRAM_LINE],
                struct err *e);
// Whether the text has more than white space.
int program_has_text(const struct program_text *t);
// Gives T to OUT, which frees it.
void program_give(struct doc_form *out, struct program_text *t);
// Of one that was not given away. SELF is a program_text, or NULL.
void program_close(void *self);

#endif
