// Inside of survey(): what looks up the answer to each kind of question, a file each. All return as
// survey() does.
#ifndef LCTOOL_ENGINE_SURVEY_SURVEYS_H
#define LCTOOL_ENGINE_SURVEY_SURVEYS_H

#include "engine/lookup/lookup.h"

// How often something stands in the text, and where (count.c).
int survey_count(struct lookup *v, struct err *e);
// The most frequent words or numbers (common.c).
int survey_common(struct lookup *v, struct err *e);
// Which names have a value, which value a name has, which names rest on which (chain.c).
int survey_chain(struct lookup *v, struct err *e);
// What one name leads to from line to line (trail.c).
int survey_trail(struct lookup *v, struct err *e);
// Who is called something (role.c).
int survey_role(struct lookup *v, struct err *e);
// Who wrote a letter, or signed it as what (closing.c).
int survey_closing(struct lookup *v, const char *question, struct err *e);
// Who wrote the text, as its title page has it (author.c).
int survey_author(struct lookup *v, const char *question, struct err *e);
// How somebody is reached, as QUESTION asks (reached.c).
int survey_reached(struct lookup *v, const char *question, struct err *e);
// The address that heads of mails have beside somebody's name (address.c).
int survey_address(struct lookup *v, const char *question, struct err *e);
// What a term means that the text defines, in quotation marks (meaning.c): asked by QUESTION, or
// WHAT itself.
int survey_meaning(struct lookup *v, const char *question, struct err *e);
int survey_meaning_of(struct lookup *v, const char *what, struct err *e);
// What a sentence says that something is (defined.c).
int survey_defined(struct lookup *v, const char *question, struct err *e);
// What an option, a variable or a command of a manual means (term.c).
int survey_term(struct lookup *v, const char *question, struct err *e);
// The day alone in a line below a title that announces what is asked for (event_day.c).
int survey_event_day(struct lookup *v, const char *question, struct err *e);
// What a line says behind a label that is another word for what is asked for (labelled.c).
int survey_labelled(struct lookup *v, const char *question, struct err *e);
// Who signed, and as what, where two parties did so side by side (signed.c).
int survey_signed(struct lookup *v, const char *question, struct err *e);
// What a short code means that a line begins with (code.c).
int survey_code(struct lookup *v, const char *question, struct err *e);
// The line of technical data that tells how heavy, how high something is (measure.c).
int survey_measure(struct lookup *v, const char *question, struct err *e);

#endif
