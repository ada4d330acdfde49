// Which model file is meant.
#ifndef LCTOOL_CMD_MODELS_H
#define LCTOOL_CMD_MODELS_H

#include <stddef.h>

#include "cmd/command.h"
#include "io/err.h"

// Writes the path of the model to BUF: NAME when it is a file; else the one file of the models
// directory called NAME, NAME.gguf, or beginning with NAME. NAME NULL: the only .gguf there.
// ERR_IO when there is none, ERR_USAGE with the list when there are several.
int models_find(char *buf, size_t cap, const char *name, struct err *e);

// Writes the path of the embedder to BUF: that called NAME, as a model, "" for "none". NAME NULL:
// the one of the embedders directory whose name begins with MADE_BY, which made an index's vectors,
// else the only one there, whatever its name, "" where there are none or several; MADE_BY NULL: the
// only one there, "" where there is none, ERR_USAGE where there are several.
int models_find_embedder(char *buf, size_t cap, const char *name, const char *made_by,
                         struct err *e);

// Writes the path of the embedder of that DIGEST to BUF, where it is one of several in the
// embedders directory, whatever its name; else "", as where there is only one, which need not be
// looked into. ERR_USAGE: a path is too long.
int models_find_embedder_of(char *buf, size_t cap, uint64_t digest, struct err *e);

// Writes the path of an index's model to BUF; the index was made with the file PATH: that file,
// else the one of the same name in the models directory, else models_find(FALLBACK).
int models_find_for_index(char *buf, size_t cap, const char *path, const char *fallback,
                          struct err *e);

#endif
