// Statements that give a name its value or its meaning: "LET a = b", "port: 80", "X2 is set to the
// value of X1", "copy X1 to X2", "\"Rent\" means ...".
#ifndef LCTOOL_ENGINE_DEFINITION_H
#define LCTOOL_ENGINE_DEFINITION_H

#include <stddef.h>

struct definition {
    const char *name, *value; // [n_name], [n_value] of the statement
    size_t n_name, n_value;
    const char *keyword; // [n_keyword] the statement's first word ("LET"), which may stand before
                         // the value again and is no part of it
    size_t n_keyword;
    int strict; // what parts name and value is a sign or a verb that only definitions have, not
                // "is"
    int sign;   // it is a sign
    int bare;   // before it stands the name alone, or with one word before it
};

// Whether TEXT [n] is one.
int definition_parse(struct definition *d, const char *text, size_t n);
// Whether it is NAME's.
int definition_is_of(const struct definition *d, const char *name);
// The name or value that D's value is nothing but ("the value of X1"): *P, and its bytes; 0 where
// it is more.
size_t definition_sole(const struct definition *d, const char **p);
// Whether NAME stands in D's value.
int definition_rests_on(const struct definition *d, const char *name);
// The next name in D's value from byte *AT on, which may be of several words with capitals: *P, and
// its bytes; 0: there is none.
size_t definition_next(const struct definition *d, size_t *at, const char **p);

#endif
