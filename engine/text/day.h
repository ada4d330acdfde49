// Dates of days, and which of two is the earlier one.
#ifndef LCTOOL_ENGINE_DAY_H
#define LCTOOL_ENGINE_DAY_H

#include <stddef.h>
#include <stdint.h>

// The bytes of the date of a day that TEXT [n] begins with, in English or in numbers, with the day
// of the week before it or not: "2 March 1931", "Sun 6 Feb", "May 11, 2022", "2024-03-04",
// "4.3.2024". 0: it begins with none. *ORDER: a later day has a greater one; 0: it lacks the year.
size_t day_begins(const char *text, size_t n, int64_t *order);
// The order of the first day that TEXT [n] tells with its year, and of the time of day behind it;
// 0: there is none.
int64_t day_order(const char *text, size_t n);

#endif
