// The parts of 'lctool inspect', one for each thing that it can show. Each prints it and returns
// the exit status.
#ifndef LCTOOL_CMD_INSPECT_H
#define LCTOOL_CMD_INSPECT_H

#include "cmd/command.h"
#include "engine/engine.h"

struct inspect_options {
    int json, verify, spans, text, heads;
    const char *question;
};

int inspect_model(const struct common *c, const char *path, const struct inspect_options *o);
// Whether the file PATH is a whole embedder.
int inspect_is_embedder(const char *path);
int inspect_embedder(const struct common *c, const char *path, const struct inspect_options *o);
int inspect_index(const char *path, const struct inspect_options *o);
// Whether any byte of an index is damaged.
int inspect_verify(const char *path, const struct inspect_options *o);
// How many bytes each kv head takes.
int inspect_heads(const char *path, const struct inspect_options *o);
// Every block, and the spans in it.
int inspect_spans(const char *path, const struct inspect_options *o);
// The documents' text.
int inspect_text(const char *path);
// Which blocks a question chooses.
int inspect_question(const struct common *c, const char *path, const struct inspect_options *o);

#endif
