// Months, as names and in dates that are numbers alone: a set of them is a bit each, the first for
// January.
#ifndef LCTOOL_ENGINE_WORDS_DATES_H
#define LCTOOL_ENGINE_WORDS_DATES_H

#include <stddef.h>

// Those that TEXT names in English, whole, or cut short beside a day: "in March", "6 Sept."; "may"
// and "march" are other words.
unsigned dates_named(const char *text);
// Those of TEXT's dates in numbers: 2023-03-13, 13.03.2023.
unsigned dates_numbered(const char *text);

// Whether TEXT [n] begins with a date in numbers: "2024-03-04", "4.3.2024".
int dates_begin(const char *text, size_t n);
// Whether TEXT [n] says on which day, in which month or in which year.
int dates_say(const char *text, size_t n);
// Whether it says which day or which year it is about, not only a month: "in March".
int dates_fix(const char *text, size_t n);
// Whether it is nothing but a date, of a month at least, behind a place or none: "8 June 1931",
// "Monday, June 8th", "08.06.1931", "Funchal, 20 March 1931".
int dates_alone(const char *text, size_t n);

#endif
