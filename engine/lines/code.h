// Lines of programs, of settings with braces, of commands and of diffs: each is said as it stands.
#ifndef LCTOOL_ENGINE_LINES_CODE_H
#define LCTOOL_ENGINE_LINES_CODE_H

#include "engine/lines/lines.h"

// Whether the line that begins with byte LINE is one of them, by the lines around it that no empty
// one and no fence divides from it: prose beside a single command is none.
int code_at(const struct lines *c, size_t line);
// Whether text[FROM..TO), of one line, surely is code by itself.
int code_is(const struct lines *c, size_t from, size_t to);
// Bytes of the sign of a comment that the line which begins with byte LINE begins with, behind its
// indentation ("# ", "//", "/*", the "*" of the lines below that); 0: it begins with none.
size_t code_comment(const struct lines *c, size_t line);
// Whether the line end at byte I stays one: code or a comment begins or ends there. Lines of one
// comment that is prose may be joined.
int code_keeps(const struct lines *c, size_t i);

#endif
