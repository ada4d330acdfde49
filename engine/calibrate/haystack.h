// Text to calibrate on: sentences that can be asked for (needles) in text that says nothing of
// them.
//
//     struct haystack h;
//     if (haystack_make(&h, &(struct haystack_options){.seed = 1, .bytes = 12000, .needles = 8}, &e)) ...
//     h.text[h.v[i].from .. h.v[i].to)               // "The password of Tosmir is grey lantern 4071"
//     h.v[i].question, h.v[i].paraphrase             // two ways to ask for it
//     haystack_done(&h);
//
// The same options give the same bytes on every machine.
#ifndef LCTOOL_ENGINE_CALIBRATE_HAYSTACK_H
#define LCTOOL_ENGINE_CALIBRATE_HAYSTACK_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"

enum { HAYSTACK_NEEDLES = 12 }; // of one text at most: each needle is of another kind

struct needle {
    size_t from, value, to; // bytes of the text: its sentence without the full stop; where the
                            // answer begins, with the space before it
    char *question;         // in the sentence's own words
    char *paraphrase;       // in other words
    char *prefix;           // first words of the answer: the sentence up to the value
};

struct haystack_options {
    uint64_t seed;
    size_t bytes;       // of the text without its needles, about
    int needles;        // 1 .. HAYSTACK_NEEDLES
    const char *filler; // [bytes] the text to hide them in; NULL: made of a small grammar
};

struct haystack {
    char *text; // NUL-terminated
    size_t bytes;
    int n;
    struct needle v[HAYSTACK_NEEDLES]; // in order of the text
};

// The needles lie at even distances, none in the last tenth, each after the end of a sentence where
// one is near. ERR_USAGE for options outside their range.
int haystack_make(struct haystack *h, const struct haystack_options *o, struct err *e);
void haystack_done(struct haystack *h);

#endif
