// From a GGUF file's metadata and tensors to the sizes and weights of a model.
#ifndef LCTOOL_ENGINE_MODEL_TENSORS_H
#define LCTOOL_ENGINE_MODEL_TENSORS_H

#include "engine/model/arch.h"
#include "engine/model/model.h"

struct hash;

// The sizes that M's file gives, into M->info. ERR_FORMAT where they make no transformer,
// ERR_UNSUPPORTED where they make one that this engine does not compute.
int tensors_sizes(struct model *m, const struct arch *a, struct err *e);

// RoPE, layers and weights, which the device takes over; H, a new one, gets what tells the weights
// from others. ERR_FORMAT for what is missing or has the
// wrong shape, ERR_UNSUPPORTED for what the file says of its mathematics and this engine does not
// do.
int tensors_load(struct model *m, const struct arch *a, struct hash *h, struct err *e);

#endif
