// Groups of fields: lines with labels that are parts of a whole.
#ifndef LCTOOL_ENGINE_SENTENCES_LABEL_GROUP_H
#define LCTOOL_ENGINE_SENTENCES_LABEL_GROUP_H

#include "engine/lines/lines.h"

// Extends FROM to TO over the lines around it that have labels, each a different one, with no other
// line between them (the head of a mail, a section of settings), and over the line that leads them
// in: they are parts of a whole. Returns 0 if there are none.
int label_group(const struct lines *c, size_t *from, size_t *to);

#endif
