// Answers, what was read for them, and whether they say another thing (guard_garbled).
#ifndef LCTOOL_TESTS_UNIT_ENGINE_ANSWER_GUARD_FIXTURE_H
#define LCTOOL_TESTS_UNIT_ENGINE_ANSWER_GUARD_FIXTURE_H

#include <string.h>

#include <cmocka.h>

#include "engine/answer/guard.h"

struct garbled {
    const char *text, *read, *question;
    int garbled;
};

static inline void check_garbled(const struct garbled *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (guard_garbled(cases[i].text, strlen(cases[i].text), cases[i].read,
                          strlen(cases[i].read), cases[i].question) != cases[i].garbled)
            fail_msg("%s: not %d", cases[i].text, cases[i].garbled);
}

#endif
