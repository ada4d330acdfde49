// An answer as one line of JSON on standard output.
#ifndef LCTOOL_CMD_ANSWER_JSON_H
#define LCTOOL_CMD_ANSWER_JSON_H

#include "cmd/session.h"
#include "engine/engine.h"

// Whether A says that nothing answers the question (--min-score).
int answer_is_none(const struct answer *a);
// Prints A as one object. ART 1: also how many blocks --art-scale left unread.
void answer_json(const char *question, const struct answer *a, const struct session *s, int art);
// Prints an object that says why QUESTION has no answer.
void answer_json_error(const char *question, const char *msg);

#endif
