// Passages of documents, printed for people and as JSON.
#ifndef LCTOOL_CMD_PASSAGE_H
#define LCTOOL_CMD_PASSAGE_H

#include <stdio.h>

#include "engine/engine.h"
#include "io/json.h"

// Prints a line for each of N passages, as wide as the terminal of F:
//
//     [1] book.txt:120-480  4.21  …the sentence that was looked at…
//     [1] contract.pdf:120-480, page 3  4.21  …
//     [1] app.ini (version 2):0-80  4.21  …       of two documents of this name
//
// INDEXES are those that evidence.index counts, of N_NAMED; with several each line names its own.
// N_NAMED 0: neither indexes nor pages are printed.
void passage_print(FILE *f, const struct evidence *ev, int n, struct kvz *const *indexes,
                   int n_named);

// Prints TEXT on one line of at most COLUMNS: white space and control characters folded, those
// that turn the direction of text left out, cut with an ellipsis between characters.
void passage_words(FILE *f, const char *text, size_t bytes, int columns);

// Prints an answer or a piece of one, fit for a terminal: where lines are indented deeply, as in
// manuals, each depth of indentation becomes four columns.
void passage_answer(FILE *f, const char *text, size_t bytes);

// Writes an array of {"document", "start", "end", "score", "text", "focus", "read"}, with "version"
// where its index has several documents of the name, "page" of a PDF and "index" when several were
// named.
void passage_json(struct json *j, const struct evidence *ev, int n, struct kvz *const *indexes,
                  int n_named);

#endif
