// One summary of the summaries of a document's parts.
#ifndef LCTOOL_ENGINE_SUMMARIZE_REDUCE_H
#define LCTOOL_ENGINE_SUMMARIZE_REDUCE_H

#include "engine/summarize/summarizing.h"

// The whole's text from the sections', of which there are two at least.
int summarize_reduce(struct summarizing *z, struct err *e);

#endif
