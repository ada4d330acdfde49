// Telephone numbers.
#ifndef LCTOOL_ENGINE_WORDS_PHONE_H
#define LCTOOL_ENGINE_WORDS_PHONE_H

// Whether TEXT has enough digits in a row for a telephone number, with no more between two of them
// than what divides such a number: "(0)171 / 555-0142". Dates, times and years are none: "11/2023".
int phone_is_there(const char *text);

#endif
