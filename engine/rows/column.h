// Which column of a table a question asks for.
#ifndef LCTOOL_ENGINE_ROWS_COLUMN_H
#define LCTOOL_ENGINE_ROWS_COLUMN_H

#include <stddef.h>

#include "engine/words/words.h"

// Names of columns with prices, with what people earn, the day on which they came or were born, and
// what something weighs.
#define COLUMN_PRICE  "price cost costs amount fee rate rent eur usd gbp"
#define COLUMN_PAY    "salary salaries pay wage wages income earnings gross"
#define COLUMN_START  "start started joined joining join hire hired since entry began"
#define COLUMN_BIRTH  "birth born birthday birthdate dob"
#define COLUMN_WEIGHT "weight mass kg"

// How well a column fits that is of the kind alone that is asked for: one of days, for "when".
#define COLUMN_KIND 0.5

// How well NAME [n], the name of a column, matches what QUESTION asks for; 0: not at all.
double column_fits(const char *name, size_t n, const char *question);
// By which way WORD [bytes], of STEM, asks for the column NAME [n], from 1, the surest, on: by its
// stem, by what it means ("costs" a price), by another form of it ("drive" the driver); 0: by none.
int column_way(const char *name, size_t n, const char stem[WORD_STEM], const char *word,
               size_t bytes);
// Whether NAME [n_name] is only what QUESTION asks of, and VALUE [n] below it neither who nor how
// long: "Who watched the evening drill?", "How long did the drill take?" are not told by a column
// "drill". Nor does a number below "order" tell what somebody did order.
int column_is_object(const char *name, size_t n_name, const char *value, size_t n,
                     const char *question);
// Whether VALUE [n] below NAME [n_name] may be what QUESTION asks for: a number tells neither who
// nor where, nor does a measure or a day tell who; only a number tells how many, and no day; one
// alone how long only where the name is about time, when is told by a time or in a column of such,
// not by what somebody is reached by, no cell tells why, and nothing by what is only asked of.
int column_tells(const char *name, size_t n_name, const char *value, size_t n,
                 const char *question);
// Whether VALUE [n] below NAME [n_name] is the type of the values that a row is about: "time" or
// "size" is in many questions, and names no row.
int column_is_type(const char *name, size_t n_name, const char *value, size_t n);
// Whether ASKED, a question without what names a row, asks for more than a column NAMES [n] may
// tell: for what was before something, without it or not so.
int column_falls_short(const char *names, size_t n, const char *asked);

#endif
