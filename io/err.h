// The one error convention of the project.
//
//     int f(..., struct err *e)          returns 0, or a negative ERR_* with e filled in
//
//     if (size < 8)
//         return err_set(e, ERR_FORMAT, "%s: too short for a header", path);
//
// The message is written once, where the fact is known: lower case, object first, hint last, no
// newline. Callers pass it up unchanged; only cmd/ and main.c print it and exit.
#ifndef LCTOOL_IO_ERR_H
#define LCTOOL_IO_ERR_H

enum {
    ERR_IO = -1,          // the operating system refused: open, read, write, rename
    ERR_FORMAT = -2,      // a file is not what it claims to be
    ERR_NOMEM = -3,       // an allocation failed, or its size overflowed
    ERR_UNSUPPORTED = -4, // well formed, but not something this build can do
    ERR_MISMATCH = -5,    // two inputs do not belong together (index and model, state and input)
    ERR_USAGE = -6,       // the caller's options contradict each other
    ERR_INTERRUPTED = -7, // a signal asked to stop; what was written can be resumed
    ERR_DEVICE = -8,      // an accelerator reported an error
};

struct err {
    int code;
    char msg[1024];
};

// Formats the message and returns CODE, so that `return err_set(...)` reads as one thought. E may
// be NULL when the caller does not care why.
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

// As err_set with ERR_IO, followed by ": " and strerror(errno).
int err_io(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
