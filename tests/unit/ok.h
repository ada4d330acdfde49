// A call that must not fail, in a test: its last argument is called e.
//
//     OK(kvz_open(&k, path, e));
#ifndef LCTOOL_TESTS_OK_H
#define LCTOOL_TESTS_OK_H

#include "io/err.h"

#define OK(call)                                                                                   \
    do {                                                                                           \
        struct err e_ = {0}, *e = &e_;                                                             \
        if ((call) < 0)                                                                            \
            fail_msg("%s: %s", #call, e_.msg);                                                     \
    } while (0)

#endif
