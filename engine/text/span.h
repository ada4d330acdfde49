// Where in a text.
#ifndef LCTOOL_ENGINE_SPAN_H
#define LCTOOL_ENGINE_SPAN_H

#include <stddef.h>

struct span_of_text {
    size_t from, to;
};

static inline size_t span_bytes(struct span_of_text s)
{
    return s.to - s.from;
}

#endif
