// Lines that set something, in YAML, and in JSON and XML written for people.
#ifndef LCTOOL_ENGINE_LINES_SETTING_H
#define LCTOOL_ENGINE_LINES_SETTING_H

#include "engine/lines/lines.h"

enum setting_kind {
    SETTING_NONE,  // not a setting: prose, code
    SETTING_EMPTY, // empty, a closing bracket or tag, a comment
    SETTING_VALUE, // a name and its value, an element with its text, a value in a list
    SETTING_OPENS  // a name whose value is below it, an opening tag, a bracket that opens a record
};

struct setting {
    enum setting_kind kind;
    size_t in; // columns of indentation
    int item;  // 1: it begins with a dash
};

// What kind of line begins with byte START.
struct setting setting_at(const struct lines *c, size_t start);
// The first byte of the line at byte START that is no white space, or its end.
size_t setting_words(const struct lines *c, size_t start);
// Whether TEXT [n] is an opening bracket and nothing else.
int setting_is_bracket(const char *text, size_t n);
// Bytes of the name of the tag that TEXT [n] begins with, with "<" or "</"; 0: it begins with none
// ("<lena@x.example>", "<https://x.example>").
size_t setting_tag(const char *text, size_t n);

#endif
