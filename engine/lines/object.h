// Objects of JSON that are on one line: alone, as in JSON Lines, or one behind the other, as
// programs write them.
//
//     object_begin(&w, text, from, to);
//     while (object_next(&w, &label, &value))   // "city":"Oslo"
//         look_at(w.in[w.depth - 1].at);        // the bracket of the object that it is of
#ifndef LCTOOL_ENGINE_LINES_OBJECT_H
#define LCTOOL_ENGINE_LINES_OBJECT_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

enum { OBJECT_DEPTH = 16 }; // brackets in one another; what is in more of them is passed over

// A bracket that has been opened, and the label before it; {0}: it has none.
struct object_open {
    size_t at;
    struct span_of_text label;
};

struct object_walk {
    const char *text;
    size_t at, end;
    struct object_open in[OBJECT_DEPTH]; // [depth] the brackets that byte AT is in
    int depth;
    struct span_of_text label; // of the value that is next
};

// Whether the line TEXT [n] is an object or a list of objects, or has one behind a label, from its
// first word to its last one.
int object_is_line(const char *text, size_t n);
// Walks text[FROM..TO), from its first bracket to where that one is closed.
void object_begin(struct object_walk *w, const char *text, size_t from, size_t to);
// The next value of an object that is a string or a number, without quotation marks, and its LABEL;
// 0: there is none.
int object_next(struct object_walk *w, struct span_of_text *label, struct span_of_text *value);
// The byte behind the string, or the object or list, that begins with byte FROM of TEXT and ends
// before byte TO; 0: none does.
size_t object_end(const char *text, size_t from, size_t to);
// Whether byte I of C is a comma between two objects of a line that is too long for a sentence, or
// of a piece of such a line.
int object_divides(const struct lines *c, size_t i);

#endif
