// Definitions: statements that give a name its value or its meaning, such as "LET a = b", "port:
// 80", "X2 is set to the value of X1", "copy X1 to X2", "\"Rent\" means ...".
#ifndef LCTOOL_ENGINE_SURVEY_DEFINITION_H
#define LCTOOL_ENGINE_SURVEY_DEFINITION_H

#include <stddef.h>

struct definition {
    const char *name, *value; // [n_name], [n_value] of the statement
    size_t n_name, n_value;
    const char *keyword; // [n_keyword] the statement's first word ("LET"), which may stand before
                         // the value again and is not part of it
    size_t n_keyword;
    int strict; // 1: name and value are joined by a sign, or a verb that only definitions have; 0:
                // by "is"
    int sign;   // 1: by a sign
    int bare;   // 1: before that stands only the name, or the name after one word
};

// Fills in D from the statement TEXT [n]: 1, or 0 when it is no definition.
int definition_parse(struct definition *d, const char *text, size_t n);
// Whether D defines NAME.
int definition_is_of(const struct definition *d, const char *name);
// When D's value is nothing but one name or value ("the value of X1"): *P points to it, and its
// length is returned; else 0.
size_t definition_sole(const struct definition *d, const char **p);
// Whether NAME stands in D's value.
int definition_rests_on(const struct definition *d, const char *name);
// The next name in D's value from byte *AT on, which may have several capitalised words: *P points
// to it, and its length is returned; 0: there is none.
size_t definition_next(const struct definition *d, size_t *at, const char **p);

#endif
