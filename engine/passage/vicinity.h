// The text around a block, of which sentences are cut.
//
//     struct vicinity v;
//     rc = vicinity_new(&v, k, block, e);  // v.s.text [v.s.n]
//     stretch_done(&v.s);                  // even where it failed
#ifndef LCTOOL_ENGINE_PASSAGE_VICINITY_H
#define LCTOOL_ENGINE_PASSAGE_VICINITY_H

#include "engine/passage/stretch.h"

// A block with those before and after it, for sentences do not end where blocks do: whole lines,
// where these are not longer than a few blocks.
struct vicinity {
    struct stretch s;
    size_t own, own_n; // the block itself: OWN_N bytes of s.text from OWN on
    uint32_t document;
    int ends; // whether the document ends with it
    // Whether it begins, and ends, within a sentence whose line is longer than that.
    int within, goes_on;
};

int vicinity_new(struct vicinity *v, const struct kvz *k, uint64_t block, struct err *e);
// The same with more around it, for what is longer than a sentence should be.
int vicinity_wide(struct vicinity *v, const struct kvz *k, uint64_t block, struct err *e);

// Whether text[FROM..TO) of NEAR is a sentence of prose, all of it: lines of a program or a log may
// seem to go on for ever.
int vicinity_is_whole(const struct vicinity *near, size_t from, size_t to);

#endif
