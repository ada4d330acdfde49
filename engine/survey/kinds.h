// Inside of survey(): the kinds of questions, a file each. All return as survey() does.
#ifndef LCTOOL_ENGINE_SURVEY_KINDS_H
#define LCTOOL_ENGINE_SURVEY_KINDS_H

#include "engine/survey/surveying.h"

// How often, and where (count.c).
int survey_count(struct surveying *v, struct err *e);
// The most common (common.c).
int survey_common(struct surveying *v, struct err *e);
// What has a value, what value, what rests on what (chain.c).
int survey_chain(struct surveying *v, struct err *e);
// From line to line (trail.c).
int survey_trail(struct surveying *v, struct err *e);
// What a section says (section.c).
int survey_section(struct surveying *v, struct err *e);
// Who is called so (role.c).
int survey_role(struct surveying *v, struct err *e);
// What an option, a variable, a command of a manual means (term.c).
int survey_term(struct surveying *v, const char *question, struct err *e);
// What a table says of what the question names (cell.c).
int survey_cell(struct surveying *v, const char *question, struct err *e);
// The same where it has the words of a row and of a column, in any order (grid.c).
int survey_grid(struct surveying *v, const char *question, struct err *e);
// The same of a row that it calls by its number (numbered.c).
int survey_numbered(struct surveying *v, const char *question, struct err *e);
// What an entry of a change log says, and which there are (entry.c).
int survey_entry(struct surveying *v, struct err *e);

#endif
