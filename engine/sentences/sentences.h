// The sentences of a stretch of an index, one after the other, each with the heading that it stands
// under.
//
//     struct sentences w;
//     rc = sentences_begin(&w, k, from, to, e);
//     while (!rc && (rc = sentences_next(&w, e)) > 0)
//         look_at(w.text + w.first, w.last - w.first, w.heading);
//     sentences_done(&w);
#ifndef LCTOOL_ENGINE_SENTENCES_SENTENCES_H
#define LCTOOL_ENGINE_SENTENCES_SENTENCES_H

#include "cache/kvz.h"
#include "engine/sentences/heading.h"

// Where sentences are read from instead of an index: documents in pieces, one after the other.
struct sentences_source {
    const char *path; // for messages
    uint64_t n;       // pieces
    // The I-th piece, of which document, start and end are set.
    int (*piece)(void *arg, uint64_t i, struct kvz_block *b, struct err *e);
    // Its text, end - start bytes, to TO.
    int (*read)(void *arg, uint64_t i, char *to, struct err *e);
    void *arg;
};

struct sentences {
    struct kvz *k;                     // NULL with
    const struct sentences_source *of; // whose pieces take the place of blocks
    // [all_n] the texts of all blocks in the map, that of block `next` at byte all_at; NULL for an
    // index of an earlier version, whose texts are read block by block.
    const char *all;
    uint64_t all_n, all_at;
    uint64_t from, to; // blocks, end exclusive: sentences that begin in these
    // The sentence: text[first..last) of what is looked at, a mark of a list before it left out.
    size_t first, last;
    uint64_t start, end; // its bytes of the document,
    uint64_t block;      // and the block that it begins in
    char heading[HEADING_LONGEST + 1];
    uint64_t of_heading;    // number of its heading, counted over all; a document begins one
    int under, of_document; // number of the sentence under its heading, and in the document, from 1
    int in_mail;            // 1: the head of a mail stands above it
    int with_quoted;        // set by the caller: 1: what a mail quotes of another one, too
    int is_quoted;          // 1: the sentence is, at its end, such
    int in_licence;         // 1: the book has ended, and a licence follows

    char *text;        // [n] of some blocks, from byte TEXT_START of their document on
    size_t n, cap, at; // at: byte behind the sentence
    uint64_t text_start, document, next; // next: the next block to be read
    int is_end;                          // 1: TEXT goes to the end of the document, or of TO
    struct lines c;
};

int sentences_begin(struct sentences *w, struct kvz *k, uint64_t from, uint64_t to, struct err *e);
// The same of all pieces of OF from number FROM on, with which a document begins.
void sentences_begin_of(struct sentences *w, const struct sentences_source *of, uint64_t from);
// 1: the next sentence is there, 0: there is none, or an error.
int sentences_next(struct sentences *w, struct err *e);
void sentences_done(struct sentences *w);

#endif
