// What all lookups share: the question under way, and how its answer is said and quoted. What looks
// each kind of question up is in engine/survey/surveys.h, engine/outline/outline.h,
// engine/history/history.h and engine/tables/tables.h.
#ifndef LCTOOL_ENGINE_LOOKUP_LOOKUP_H
#define LCTOOL_ENGINE_LOOKUP_LOOKUP_H

#include <stdio.h>

#include "engine/lookup/answer.h"
#include "engine/lookup/texts.h"
#include "engine/lookup/wanted.h"
#include "engine/sentences/cut.h"

enum {
    LOOKUP_SAID = 600,  // bytes of a passage that an answer prints, up to the end of a sentence
    LOOKUP_TITLE = 400, // first bytes of a document, which may say what all of it is about
};

// A question under way.
struct lookup {
    struct kvz *const *k; // [n_k]
    int n_k;
    struct wanted w;
    struct lookup_answer *s;
    FILE *out; // the answer's words
};

// A passage that answers the question, and the document that it is in.
struct lookup_found {
    struct texts t;
    struct span_of_text at;
};

// Adds bytes AT of T's document to the places that the answer rests on. TOGETHER 1: joined with the
// last place when that is in the same block.
int lookup_add(struct lookup *v, const struct texts *t, struct span_of_text at, int together,
               struct err *e);
// The sentence of C around byte AT, FROM to TO, as cut_sentence has it: of one that goes on and on,
// what is within some kilobytes of AT.
void lookup_sentence(const struct lines *c, size_t at, size_t *from, size_t *to);
// Prints bytes S of TEXT as they are, but on one line, and within quotation marks one instead of
// two.
void lookup_say(FILE *out, const char *text, struct span_of_text s);
// Prints a cell of a table, "Price: 4 EUR"; without NAME where this is empty.
void lookup_say_cell(FILE *out, const char *text, struct span_of_text name,
                     struct span_of_text value);
// Prints the words of S, a line or a sentence, with white space between them as one space; and with
// a line end.
void lookup_words(FILE *out, const char *text, struct span_of_text s);
void lookup_line(FILE *out, const char *text, struct span_of_text s);
// Prints the place S of T's document for reading (cut_mend); and in quotation marks.
int lookup_mended(FILE *out, const struct texts *t, struct span_of_text s, struct err *e);
int lookup_quote(FILE *out, const struct texts *t, struct span_of_text s, struct err *e);
// The same for as many of S's sentences as LOOKUP_SAID bytes have room for; S is cut to these.
int lookup_passage(FILE *out, const struct texts *t, struct span_of_text *s, struct err *e);
// The same for MOST bytes.
int lookup_passage_of(FILE *out, const struct texts *t, struct span_of_text *s, size_t most,
                      struct err *e);
// How many places C, all of a text, has of what ARG tells; *S: the last of them.
typedef int lookup_find_fn(const struct lines *c, const void *arg, struct span_of_text *s);
// The only place that FIND finds in V's texts, *FOUND: 1, or 0 where there is none, 2 or more where
// there are several, or an error.
int lookup_find_only(const struct lookup *v, lookup_find_fn *find, const void *arg,
                     struct lookup_found *found, struct err *e);
// Whether what C, the lines of T, has at S, a name that is looked for, answers what ARG asks: then
// S is what does.
typedef int lookup_named_fn(const struct texts *t, const struct lines *c, const void *arg,
                            struct span_of_text *s);
// The places of NAME, in small letters, in V's texts that TELLS takes: FOUND [most] of them.
// Returns how many there are, or an error.
int lookup_find_named(const struct lookup *v, const char *name, lookup_named_fn *tells,
                      const void *arg, struct lookup_found *found, int most, struct err *e);
// Prints the place FOUND in quotation marks and adds it to the places. Returns as survey() does.
int lookup_say_quoted(struct lookup *v, const struct lookup_found *found, struct err *e);
// Prints the passages FOUND [n], one below the other, and adds them to the places; of more than
// MOST none, for they do not tell which is meant. Returns as survey() does, N where that is an
// error.
int lookup_say_found(struct lookup *v, struct lookup_found *found, int n, int most, struct err *e);

#endif
