// Dates of days, and which of two is the earlier one.
#ifndef LCTOOL_ENGINE_WORDS_DAY_H
#define LCTOOL_ENGINE_WORDS_DAY_H

#include <stddef.h>
#include <stdint.h>

// A day; its year is 0 where it is not said.
struct day {
    int day, month, year;
};

// The bytes of the date of a day that TEXT [n] begins with, in English or in numbers, with the day
// of the week before it or not: "2 March 1931", "Sun 6 Feb", "May 11, 2022", "the 8th of July",
// "2024-03-04", "4.3.2024", "12/May/2024". 0: it begins with none. Of months "may" and "march" are
// other words.
size_t day_begins(const char *text, size_t n, struct day *d);
// The bytes of the first day that TEXT [n] says, from byte *AT on, and *AT where it begins; besides
// those above one with a short year: "4.3.24". 0: there is none.
size_t day_find(const char *text, size_t n, size_t *at, struct day *d);
// Whether there is one.
int day_of(const char *text, size_t n, struct day *d);
// Whether A and B may be the same: one of them may lack its year.
int day_is_same(const struct day *a, const struct day *b);

// The month, or the day of the week, that WORD [n] names, whole or by its first three or four
// letters, in English, from 1; 0: none. A day of the week may be in the plural: "Mondays".
int day_month(const char *word, size_t n);
int day_of_week(const char *word, size_t n);
// The same of a day of the week that is not shortened: "Sun" and "sat" are other words, too.
int day_of_week_in_full(const char *word, size_t n);
// The number that the digits are that WORD [n] begins with; 0: it has none, or more than four.
int day_digits(const char *word, size_t n);

// A later day has a greater number; 0: it lacks the year.
int64_t day_number(const struct day *d);
// The same of the first day that TEXT [n] tells with its year, and of the time of day behind it;
// 0: there is none.
int64_t day_order(const char *text, size_t n);

#endif
