// What calendars (iCalendar) and address books (vCard) are made of: properties, and what is said of
// them in words.
#ifndef LCTOOL_IO_FORM_CARDS_VALUE_H
#define LCTOOL_IO_FORM_CARDS_VALUE_H

#include <stddef.h>

#include "io/bytes.h"
#include "io/err.h"

// "DTSTART;TZID=Europe/Vienna:20240312T090000": a line without its end, unfolded.
struct cards_property {
    const char *name, *params, *value; // borrowed, of the line
    size_t n_name, n_params, n_value;
};

// Returns 0 where LINE [n], behind which a NUL stands, is none. A group before the name
// ("item1.TEL") is left out.
int cards_property(struct cards_property *p, const char *line, size_t n);
int cards_is(const struct cards_property *p, const char *name);
// The value of the parameter NAME ("TYPE"), its *N bytes, without quotation marks; NULL: it has
// none.
const char *cards_param(const struct cards_property *p, const char *name, size_t *n);
// The value as it was meant: without the backslashes before commas and line ends, of address cards
// decoded.
int cards_put_value(struct bytes *t, const struct cards_property *p, struct err *e);
// The date or time VALUE [n] ("20240312T090000Z", "1985-04-12") in words, after AFTER [n_after]
// where that is of the same day only the time of the day; as it is where it is none.
int cards_put_time(struct bytes *t, const char *value, size_t n, const char *after, size_t n_after,
                   struct err *e);
// Whether VALUE [n] is a date without a time of the day.
int cards_is_day(const char *value, size_t n);
// The day before the date VALUE, 8 digits, to DAY.
void cards_day_before(const char *value, char day[8]);
// When what begins at START and lasts DURATION ("PT1H30M") ends, as calendars write it, to END
// [cap], which has room for 17 bytes and a NUL. Returns 0 where it cannot be told.
int cards_end_of(const char *start, const char *duration, char *end, size_t cap);
// When what happens again does ("FREQ=WEEKLY;BYDAY=MO"), in words; a NUL stands behind VALUE [n].
int cards_put_rule(struct bytes *t, const char *value, size_t n, struct err *e);

#endif
