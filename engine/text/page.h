// Where a page ends within a sentence: its footer, a form feed and the header of the next page.
#ifndef LCTOOL_ENGINE_PAGE_H
#define LCTOOL_ENGINE_PAGE_H

#include "engine/text/cut.h"

// Whether byte I stands in what divides a sentence at the end of a page: FROM, behind the last word
// of the one page, to TO, the first word of the next one.
int page_divides(const struct cut *c, size_t i, size_t *from, size_t *to);

#endif
