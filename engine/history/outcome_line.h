// How something ended, as one line of a log tells it: "deploy: rollback refused: not reversible".
//
//     if (outcome_read(text, line, level, &o)) // o.how == OUTCOME_BAD
//         say(text, o.line);                   // of the thing in o.subject, or in o.label
#ifndef LCTOOL_ENGINE_HISTORY_OUTCOME_LINE_H
#define LCTOOL_ENGINE_HISTORY_OUTCOME_LINE_H

#include "engine/words/text_span.h"

enum outcome { OUTCOME_NONE, OUTCOME_GOOD, OUTCOME_BAD };

struct outcome_line {
    struct span_of_text line;
    struct span_of_text level;   // its mark, {0} where it has none
    struct span_of_text label;   // the service that it is from: "deploy"; empty: none is set off
    struct span_of_text message; // what is behind these
    struct span_of_text word;    // the first word that says how it ended: "refused"
    enum outcome how;
};

// Reads LINE of TEXT with the mark LEVEL of its level: O, of which WORD is empty and HOW is
// OUTCOME_NONE where it does not say how something ended. Numbers of things ("0 failed"), what may
// be and what is still to be say nothing. Returns whether it says it.
int outcome_read(const char *text, struct span_of_text line, struct span_of_text level,
                 struct outcome_line *o);
// Whether the level of O is one of errors; and, with WARNINGS, of warnings.
int outcome_is_grave(const char *text, const struct outcome_line *o, int warnings);
// Whether O says a reason behind byte FROM of its line: ": disk full", "because of ...".
int outcome_has_reason(const char *text, const struct outcome_line *o, size_t from);
// Whether O says how long something took: "in 17m43s", "25.1 s"; but no two such spans.
int outcome_has_duration(const char *text, const struct outcome_line *o);

#endif
