// What lists of a text look like: items with marks ("- ", "(a)", "3."), items that begin with one
// word and a number ("Recommendation 2. ..."), terms with what they mean beside or below them, as
// in manuals, and lines that begin alike.
//
//     struct list l;
//     if (list_at(&l, &c, line, NULL))              // its first item begins with that line
//         while (list_next(&l, &c, &item))
//             say(item);                            // l.n of them
#ifndef LCTOOL_ENGINE_OUTLINE_LIST_H
#define LCTOOL_ENGINE_OUTLINE_LIST_H

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

enum list_kind {
    LIST_MARKED,   // "- soap"
    LIST_LABELLED, // "Recommendation 2. ..."
    LIST_TERMS,    // "-v      Say more.", or the term alone and its meaning set in below it
    LIST_OPTIONS,  // "--verbose" alone, and its meaning below it without being set in
    LIST_LINES,    // "git bisect start", "git bisect log"
    LIST_SET_IN    // lines that are set in below a heading in capitals, as the persons of a play
};

struct list {
    enum list_kind kind;
    struct span_of_text at; // of all of it
    size_t in;              // columns before its items
    int n;                  // how many items it has
    char stem[WORD_STEM];   // LIST_LABELLED: the word
    size_t next;            // where the next item begins (list_next)
};

// Whether LINE of C is an item of a list or a row of a table; and a row of a table.
int list_is_item(const struct lines *c, struct span_of_text line);
int list_is_row(const struct lines *c, struct span_of_text line);
// Whether LINE is short and stands alone, without a stop: "4. Side effects". Unlike heading_is, one
// without a number may have what it heads right below it, and may begin with any letter.
int list_is_heading(const struct lines *c, struct span_of_text line);
// The byte of LINE behind its indentation.
size_t list_said_at(const struct lines *c, struct span_of_text line);
// The next line with words, from byte AT on; {n, n}: there is none.
struct span_of_text list_next_said(const struct lines *c, size_t at);

// The list of two items or more whose first one begins with LINE: 1, or 0. STEM: its items may be
// labelled with that word.
int list_at(struct list *l, const struct lines *c, struct span_of_text line,
            const char stem[WORD_STEM]);
// The next item of L: 1, or 0 behind the last one.
int list_next(struct list *l, const struct lines *c, struct span_of_text *item);
// ITEM of L without its mark, or only its term.
struct span_of_text list_named(const struct list *l, const struct lines *c,
                               struct span_of_text item);
// Whether it is sure that L's items are all of them: their numbers or letters have no gap, and
// behind L no other one follows.
int list_is_whole(const struct list *l, const struct lines *c);
// Whether L's items have numbers or letters.
int list_is_numbered(const struct list *l, const struct lines *c);
// Whether L's first item has a box to tick it off, as what is to be done has: "- [ ] Stop the
// mill".
int list_is_ticked(const struct list *l, const struct lines *c);

#endif
