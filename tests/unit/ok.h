// A call that must not fail, and one that must, in a test: the last argument of either is called e.
//
//     OK(kvz_open(&k, path, e));
//     REFUSED(ERR_FORMAT, "ends early", kvz_open(&k, path, e)); // and its message says so
#ifndef LCTOOL_TESTS_UNIT_OK_H
#define LCTOOL_TESTS_UNIT_OK_H

#include <string.h>

#include "io/err.h"

#define OK(call)                                                                                   \
    do {                                                                                           \
        struct err e_ = {0}, *e = &e_;                                                             \
        if (call)                                                                                  \
            fail_msg("%s: %s", #call, e_.msg);                                                     \
    } while (0)

#define REFUSED(code, text, call)                                                                  \
    do {                                                                                           \
        struct err e_ = {0}, *e = &e_;                                                             \
        assert_int_equal(call, code);                                                              \
        if (!strstr(e_.msg, text))                                                                 \
            fail_msg("%s: '%s' does not say '%s'", #call, e_.msg, text);                           \
    } while (0)

#endif
