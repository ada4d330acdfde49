// Comments in programs and settings, and the code they are about.
#ifndef LCTOOL_ENGINE_LINES_COMMENT_H
#define LCTOOL_ENGINE_LINES_COMMENT_H

#include "engine/lines/lines.h"

enum comment_line {
    COMMENT_NONE, // no comment tells
    COMMENT_ENDS, // what is said ends with the line
    COMMENT_GOES_ON
};

// What the line end at byte I is, by the comments beside it: one that is alone on its lines goes on
// with the next line if that is code, and with no more than that.
enum comment_line comment_line_end(const struct lines *c, size_t i);
// Whether the stop before byte AT is the last one of such a comment, where no sign closes that.
int comment_goes_on(const struct lines *c, size_t at);
// Whether the sign of C that closes a comment follows byte AT on its line, with spaces between.
int comment_closes(const struct lines *c, size_t at);
// Whether byte AT of TEXT [n] is in a comment: of its line, as a setting that is switched off, or
// between marks of C or of XML that begin a line.
int comment_has(const char *text, size_t n, size_t at);

#endif
