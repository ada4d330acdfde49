// Yes and no: whether a text that a model wrote says the opposite of what it read.
#ifndef LCTOOL_ENGINE_ANSWER_VERDICT_H
#define LCTOOL_ENGINE_ANSWER_VERDICT_H

#include <stddef.h>

// Whether the answer TEXT [n] to QUESTION denies what READ [n_read] does not, in any words: READ
// neither denies nor refuses, limits or lacks anything. Whether it begins with a "No." that is not
// so in what follows either ("No. It is supported."), or with a "Yes." before a denial. A question
// that denies something itself may be answered either way.
int verdict_is_other(const char *text, size_t n, const char *read, size_t n_read,
                     const char *question);

#endif
