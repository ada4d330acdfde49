// Numbers as tables have them.
#ifndef LCTOOL_ENGINE_ROWS_NUMBER_H
#define LCTOOL_ENGINE_ROWS_NUMBER_H

#include <stddef.h>

// Reads the number that TEXT [n] begins with, behind a sign or that of a currency, into *VALUE:
// "1,285.50", "1.285,50", "-3", "0,99", "£40 a month"; *DECIMALS: how many it has, at most 15.
// Returns its bytes, 0 if there is none or one that may be read in two ways: "1.285".
size_t number_of(const char *text, size_t n, double *value, int *decimals);
// Bytes of the sign of a currency that TEXT [n] begins with; 0: it begins with none.
size_t number_currency(const char *text, size_t n);
// Whether TEXT [n] has the sign of one, or a word for one.
int number_has_currency(const char *text, size_t n);
// Which currency TEXT [n] begins with the sign of, or is a word for, from 1; 0: none.
int number_currency_named(const char *text, size_t n);

#endif
