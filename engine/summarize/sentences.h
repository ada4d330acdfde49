// The sentences of a stretch of an index, one after the other, each with the heading that it stands
// under.
//
//     struct sentences w;
//     rc = sentences_begin(&w, k, from, to, e);
//     while (!rc && (rc = sentences_next(&w, e)) > 0)
//         look_at(w.sentence.text, w.heading);
//     sentences_done(&w);
#ifndef LCTOOL_ENGINE_SENTENCES_H
#define LCTOOL_ENGINE_SENTENCES_H

#include "cache/kvz.h"
#include "engine/text/heading.h"

struct sentences {
    struct kvz *k;
    const char *all; // [all_n] the texts of all blocks where they lie in the map; NULL: an earlier
    uint64_t all_n, all_at; // version's index, whose blocks have them; all_at: that of block NEXT
    uint64_t from, to;      // blocks: sentences that begin in these
    // The sentence: text[first..last) of what is looked at, a mark of a list before it left out.
    size_t first, last;
    uint64_t start, end; // its bytes of the document,
    uint64_t block;      // and the block that it begins in
    char heading[HEADING_LONGEST + 1];
    uint64_t of_heading;    // number of the heading, of all so far; a document begins with one
    int under, of_document; // number of the sentence under it, from 1, and of the document

    char *text;        // [n] some blocks, whose first byte is byte TEXT_START of their document
    size_t n, cap, at; // at: past the sentence
    uint64_t text_start, document, next; // next: block to be read
    int is_end;                          // of the document, or of what must be looked at
    struct cut c;
};

int sentences_begin(struct sentences *w, struct kvz *k, uint64_t from, uint64_t to, struct err *e);
// 1: the next sentence is there, 0: there is none, or an error.
int sentences_next(struct sentences *w, struct err *e);
void sentences_done(struct sentences *w);

#endif
