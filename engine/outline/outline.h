// Inside of survey(): what looks answers up by how a text is laid out, in its parts, its sections
// and its lists, a file each. All return as survey() does.
#ifndef LCTOOL_ENGINE_OUTLINE_OUTLINE_H
#define LCTOOL_ENGINE_OUTLINE_OUTLINE_H

#include "engine/lookup/lookup.h"

// How many parts of a kind there are, and which; who wrote messages, and about what (kinds.c).
int outline_kinds(struct lookup *v, struct err *e);
// The first, the last, the third line, message or part (ends.c).
int outline_ends(struct lookup *v, struct err *e);
// Who was at a meeting, who was not, and when the next one is (attended.c).
int outline_attended(struct lookup *v, struct err *e);
// What a section says (section.c).
int outline_section(struct lookup *v, struct err *e);
// The same, or that there is no such section, where others have numbers (section.c).
int outline_no_section(struct lookup *v, struct err *e);
// The list of what is asked for (items.c).
int outline_items(struct lookup *v, const char *question, struct err *e);
// What is below a heading that asks the same, or tells how to do what is asked (faq.c).
int outline_faq(struct lookup *v, const char *question, struct err *e);
// How what a heading names is made, of what, and of how much of it (made.c).
int outline_made(struct lookup *v, const char *question, struct err *e);
// The line that tells when something is open on a day of the week (opening.c).
int outline_opening(struct lookup *v, const char *question, struct err *e);
// How long a meeting took, by when it began and ended (lasted.c).
int outline_lasted(struct lookup *v, const char *question, struct err *e);

#endif
