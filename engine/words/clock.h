// Times of day.
#ifndef LCTOOL_ENGINE_WORDS_CLOCK_H
#define LCTOOL_ENGINE_WORDS_CLOCK_H

#include <stddef.h>

// Seconds of a day, both inclusive.
struct clock_span {
    int from, to;
};

// The bytes of the time of day that TEXT [n] begins with: "14:16", "14:16:29", "2:16 pm", "2 p.m.",
// "noon"; 0: it begins with none. *S: the seconds that it may mean, a minute of them where it lacks
// them.
size_t clock_begins(const char *text, size_t n, struct clock_span *s);

// The same for the time that an entry of a log begins with, which may lack its colon where two
// blanks are behind it: "0612  Engines started".
size_t clock_of_entry(const char *text, size_t n, struct clock_span *s);

#endif
