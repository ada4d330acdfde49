// What logs tell of: the lines of a level ("errors": those marked ERROR), or with a word
// ("timeouts").
//
//     events_begin(&s, &t, "errors", &w);     // t.text is a log: events_log(&t) > 0
//     while (events_next(&s, &line, &mark))
//         look_at(line);
#ifndef LCTOOL_ENGINE_LOOKUP_EVENTS_H
#define LCTOOL_ENGINE_LOOKUP_EVENTS_H

#include "engine/lookup/texts.h"
#include "engine/lookup/wanted.h"
#include "engine/words/text_span.h"

enum log_kind {
    LOG_NONE,
    LOG_TIMED, // most lines begin with a time
    LOG_LEVELS // a third of the lines, or more, have a level
};

// The kind of log that T's document is.
enum log_kind events_log(const struct texts *t);
// Whether most of its lines are what somebody says in a conversation (chat.h), where a word says
// little.
int events_are_said(const struct texts *t);
// Whether a label that ends before byte AT of TEXT [end] is set off from what follows, as a column
// is: by a tab, two blanks, a dash or a bar.
int events_set_off(const char *text, size_t at, size_t end);
// The byte of LINE in TEXT behind the time that it begins with; line.from: it has none.
size_t events_behind_time(const char *text, struct span_of_text line);
// Whether WORD [n] is one for events: "errors", "warning", "fatal".
int events_are(const char *word, size_t n);
// Whether words A [n_a] and B [n_b] are for the same ones: "failures", "failed".
int events_are_same(const char *a, size_t n_a, const char *b, size_t n_b);

// A search for the lines that have all of some words, one for a level as their level.
struct events {
    const struct texts *t;
    const char *words;       // borrowed
    const struct wanted *w;  // borrowed: TIMES and DAY of the lines, and WHOM they are from
    char from[WANTED_BYTES]; // of these the name, in small letters
    int in_column;           // 1: that is of a column of programs, right behind the levels
    enum log_kind kind;
    size_t at;    // byte where the next line begins
    int any_case; // 1: a word for a level is looked for anywhere in the line, whatever its case
};

// Begins with the events that WORDS name, each of them a word, of the day and the time of day that
// W asks of, and of the program WHOM, if W has one, which is beside the level; "" stands for every
// line with a time or a level. Where no line has the level that one of them is for, the words count
// ("any_case"). The kind is LOG_NONE where W asks of "the day" and there are several.
void events_begin(struct events *s, const struct texts *t, const char *words,
                  const struct wanted *w);
// The next line, and in it the mark of its level, {0} where none was looked for: 1, or 0 at the
// end.
int events_next(struct events *s, struct span_of_text *line, struct span_of_text *mark);

#endif
