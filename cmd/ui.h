// The face of the program: messages, progress, signals, and an orderly end of standard output.
//
//     ui_start();
//     ui_command("query", quiet);
//     ui_note("%s: no profile of its heads", model);   // stderr: "lctool: query: ..."; not with --quiet
//     if (ask(..., &e)) return ui_fail(&e);            // prints e and returns the exit status
//     return ui_end(EXIT_OK);                          // a full disk under stdout is a failure
//
// Results go to stdout, which ui_text and ui_line help to write; messages and progress go to
// stderr.
#ifndef LCTOOL_CMD_UI_H
#define LCTOOL_CMD_UI_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "io/err.h"

// First thing in main: makes sure that descriptors 0 to 2 are open, so that no file of ours gets
// one of these numbers and is written over by a message; and that a file which is too large, or cut
// by another program while it is mapped, is an error like others.
void ui_start(void);
void ui_command(const char *name, int quiet); // NAME NULL: none chosen yet

void ui_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void ui_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void ui_note_cb(void *arg, const char *msg); // ui_note as the engine's callback; ARG is not used
int ui_fail(const struct err *e);
// Prints the formatted message and returns EXIT_USAGE.
int ui_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// Text that came from a model, a document or a file's name, fit for a terminal: control characters,
// which might be commands to it, become '?', but for line ends and tabs, and so do those of Unicode
// that make text run the other way against its letters. Those that frame a piece of text with a
// direction, and would turn what follows if the frame stays open, are left out. What is not UTF-8
// becomes U+FFFD.
void ui_text(FILE *f, const char *s, size_t n);
// The same of what has to stay one line, as the name of a file: line ends become '?' too.
void ui_line(FILE *f, const char *s);

// Flushes stdout and returns RC, or EXIT_FAILED when something could not be written (silently when
// the reader of a pipe has gone). When a signal has stopped the command it does not return: the
// process ends by that signal, as a waiting parent expects.
int ui_end(int rc);
// Whether stdout still takes what is written: flushes it.
int ui_stdout_ok(void);

// Becomes non-zero at the first SIGINT, SIGTERM, SIGHUP or SIGXCPU; a second one of its kind kills.
// With RESTART, for long work, at the first SIGPIPE as well, for nobody reads the messages any
// more, and system calls that a signal interrupts go on by themselves.
const volatile sig_atomic_t *ui_catch_stop(int restart);

// Progress of a long work: a bar on a terminal, a line every ten seconds elsewhere and where TERM
// is dumb.
struct ui_progress {
    const char *what; // the document
    uint64_t tokens;
    uint64_t done, total; // bytes; total 0: unknown
    double seconds;       // of this run
    double tokens_per_second;
};
void ui_progress(const struct ui_progress *p);
void ui_progress_end(void); // removes the bar

// $COLUMNS; else those of the terminal behind F; 100 when there is none.
int ui_columns(FILE *f);

enum { UI_BUF = 32 };
const char *ui_bytes(char buf[UI_BUF], uint64_t bytes); // "12.3 MB", powers of 1000
static inline const char *ui_s(uint64_t n)              // "" of 1, else "s": what "token" ends in
{
    return n == 1 ? "" : "s";
}
const char *ui_count(char buf[UI_BUF], uint64_t n);        // "1,234,567"
const char *ui_duration(char buf[UI_BUF], double seconds); // "1:02:03"

#endif
