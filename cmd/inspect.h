// The parts of 'lctool inspect', one for each thing it can show. Each returns the exit status.
#ifndef LCTOOL_CMD_INSPECT_H
#define LCTOOL_CMD_INSPECT_H

#include "cmd/command.h"
#include "engine/engine.h"

struct inspect_options {
    int json, verify, spans, text, heads;
    const char *question;
};

int inspect_model(const struct common *c, const char *path, const struct inspect_options *o);
int inspect_index(const char *path, const struct inspect_options *o);
int inspect_verify(const char *path, const struct inspect_options *o); // every byte of an index
int inspect_heads(const char *path,
                  const struct inspect_options *o); // what kv heads take of an index
int inspect_spans(const char *path, const struct inspect_options *o); // every block of an index
int inspect_text(const char *path);                                   // what the documents said
int inspect_question(const struct common *c, const char *path, const struct inspect_options *o);

#endif
