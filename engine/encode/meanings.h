// The vectors of sentences (kvz_put_sentences), which an embedder makes once the documents have
// been read.
#ifndef LCTOOL_ENGINE_ENCODE_MEANINGS_H
#define LCTOOL_ENGINE_ENCODE_MEANINGS_H

#include "io/err.h"

struct encoder;

// Embeds the sentences of all documents written, those of an index that grows only where it has no
// vectors of theirs, or of any document behind them, by the same embedder, and puts them. Without
// an embedder an index that grows keeps those that it has. *CHANGED: whether they are others than
// it has. Reports progress; ERR_INTERRUPTED when the options' STOP is set.
int meanings_put(struct encoder *x, int *changed, struct err *e);

#endif
