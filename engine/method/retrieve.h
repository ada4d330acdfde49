// Retrieval while encoding (InfLLM, arXiv:2402.04617, section 3): before a layer attends, the mean
// of the chunk's queries chooses the blocks of the past that the layer sees beside its window.
#ifndef LCTOOL_ENGINE_METHOD_RETRIEVE_H
#define LCTOOL_ENGINE_METHOD_RETRIEVE_H

#include "cache/kvz.h"
#include "engine/method/represent.h"
#include "engine/stream/stream.h"
#include "io/bytes.h"
#include "io/cursor.h"

struct retriever;

// Reads blocks back from W, which must outlive it.
int retriever_new(struct retriever **out, const struct model *m, struct kvz_writer *w,
                  const struct kvz_meta *meta, struct err *e);
void retriever_free(struct retriever *r); // accepts NULL

// Adds a block that has been written, with its representatives in SET (REPRESENT_TOP), to what is
// chosen from. TOKEN: index of its first token in the stream. Not to be called for sinks.
int retriever_add(struct retriever *r, const struct represent_set *set, uint64_t block,
                  int64_t token, uint32_t n_tokens, struct err *e);

// The callback for forward.retrieve, with forward.mean; ARG is the retriever. A device with
// device_ops.similar compares the representatives itself while it has room for them, and may keep
// blocks that were read.
int retriever_choose(void *arg, struct stream *s, int layer, const float *q, struct err *e);

int retriever_save(const struct retriever *r, struct bytes *b, struct err *e);
int retriever_load(struct retriever *r, struct cursor *c, struct err *e);

#endif
