// The parts of the texts that are of one kind, by what they are called or look like: "Chapter 3
// Ironing", "Meeting of 12 January 2022", messages of mail, recipes, dated entries of a diary.
//
//     if ((rc = parts_find(&p, k, n_k, "chapters", e)) > 0) ...   // p.v [p.n]: all of them
//     parts_done(&p);
#ifndef LCTOOL_ENGINE_OUTLINE_PARTS_H
#define LCTOOL_ENGINE_OUTLINE_PARTS_H

#include <stdint.h>

#include "engine/lookup/texts.h"
#include "engine/words/text_span.h"

enum parts_are { PARTS_HEADED, PARTS_MESSAGES, PARTS_DATED };

struct part {
    struct texts t;                   // the document that it is in
    struct span_of_text head;         // its heading; of a message all lines of its head
    struct span_of_text label, title; // in the heading: its number, and what is behind that
    struct span_of_text place;        // of a letter: where it was written
    struct span_of_text when, who;    // of what is said in a conversation
    size_t end;                       // where the next one begins, or the end of the text
    int quoted;                       // 1: of a mail that stands below the words of another one
    int seen;      // how often its heading stands there: in a table of contents, too
    int64_t order; // of its date (day.h); 0: the heading tells none
};

struct parts {
    struct part *v; // [n] in the order in which they stand
    int n;
    const char *word; // borrowed: what they are called, where they are looked for by it
    enum parts_are are;
    int dated; // 1: each has a date, so that these tell which one is the last
};

// Finds those that WORD names, in the singular or plural. Returns 1 if it is sure that these are
// all of them, of which there are several: numbers without a gap, headings that begin alike; else
// 0, or an error. P is the caller's to release in any case.
int parts_find(struct parts *p, struct kvz *const *k, int n_k, const char *word, struct err *e);
void parts_done(struct parts *p);

// The value of the FIELD (message.h) of a message's head, an int so that no header more is needed;
// {0}: it has none.
struct span_of_text parts_field(const struct part *m, int field);
// Whether text S of M's document has all of WORDS, in one of their forms.
int parts_have(const struct part *m, struct span_of_text s, const char *words);
// The words of a part behind its heading.
struct span_of_text parts_body(const struct part *m);
// The place in P->v of number NTH in their order, from 1, or from -1 for the last one; -1: there is
// none, or dates do not tell it.
int parts_nth(const struct parts *p, int nth);

#endif
