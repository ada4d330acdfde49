// Inside of parts_find: what lines begin a part, and where its heading is. Each looks at LINE of C,
// the text of T, and keeps in P, which has room for PARTS_MOST, the part that it begins, if it
// does. They return 0 where these cannot be all parts of the kind: there are too many, or one has
// no heading; else 1.
#ifndef LCTOOL_ENGINE_OUTLINE_PARTS_LINES_H
#define LCTOOL_ENGINE_OUTLINE_PARTS_LINES_H

#include "engine/lines/lines.h"
#include "engine/outline/parts.h"

enum { PARTS_MOST = 2000 };

// Words for meetings and for questions.
extern const char PARTS_MEETINGS[], PARTS_QUESTIONS[];

typedef int parts_line(struct parts *p, const struct texts *t, const struct lines *c,
                       struct span_of_text line);

// Headings: with the word that P->word is, with a number, of the second rank ("##"), with a date.
parts_line parts_called, parts_numbered, parts_marked, parts_dated;
// A recipe, by its line of ingredients, or by a list of amounts and what is done with them; a
// letter, by its greeting; minutes, by the rule above them.
parts_line parts_recipe, parts_dish, parts_letter, parts_minutes;
// A mail, and what somebody says in a conversation.
parts_line parts_message, parts_commit, parts_saying;
// Whether M is one between two numbers: "Chapter 3 and a half".
int parts_is_half(const struct part *m);

#endif
