// Passages of documents, printed for people and as JSON.
#ifndef LCTOOL_CMD_PASSAGE_H
#define LCTOOL_CMD_PASSAGE_H

#include <stdio.h>

#include "engine/engine.h"
#include "io/json.h"

// "[1] book.txt:120-480  4.21  …the sentence that was looked at…" for each, as wide as the terminal
// of F; of a PDF
// "[1] contract.pdf:120-480, page 3  4.21  …". INDEXES are those that the evidence counts; several
// are named. With none, neither they nor pages are.
void passage_print(FILE *f, const struct evidence *ev, int n, struct kvz *const *indexes,
                   int n_indexes);

// TEXT on one line of at most COLUMNS: white space folded, control characters left out, cut with
// an ellipsis between characters.
void passage_words(FILE *f, const char *text, size_t bytes, int columns);

// An answer or a piece of one, fit for a terminal: lines that are set in deeply, as manuals are, by
// four columns for each depth that there is.
void passage_answer(FILE *f, const char *text, size_t bytes);

// An array of {"document", "start", "end", "score", "text", "focus", "read"}; of a PDF also "page";
// and "index" where there are several.
void passage_json(struct json *j, const struct evidence *ev, int n, struct kvz *const *indexes,
                  int n_indexes);

#endif
