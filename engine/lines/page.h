// Where a page ends: its footer, a form feed and the header of the next page, which may divide a
// sentence.
#ifndef LCTOOL_ENGINE_LINES_PAGE_H
#define LCTOOL_ENGINE_LINES_PAGE_H

#include "engine/lines/lines.h"

// Whether byte I stands in what divides a sentence at the end of a page: FROM, behind the last word
// of the one page, to TO, the first word of the next one.
int page_divides(const struct lines *c, size_t i, size_t *from, size_t *to);

// Whether the line that begins with byte LINE is a margin of its page, no text: the number of that
// beside a form feed, or a header or footer that another page has, too.
int page_is_margin(const struct lines *c, size_t line);

#endif
