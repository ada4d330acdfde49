// Inside of survey(): what looks up the answer to each kind of question, a file each. All return as
// survey() does.
#ifndef LCTOOL_ENGINE_SURVEY_SURVEYS_H
#define LCTOOL_ENGINE_SURVEY_SURVEYS_H

#include "engine/lookup/lookup.h"

// How often something stands in the text, and where (count.c).
int survey_count(struct lookup *v, struct err *e);
// How many errors, warnings and the like a log has, and which (logged.c).
int survey_logged(struct lookup *v, struct err *e);
// The same by words of the log's own: vessels departed (told.c).
int survey_told(struct lookup *v, struct err *e);
// The lines of a log of a time of day (happened.c).
int survey_happened(struct lookup *v, struct err *e);
// How something in it ended, when, why, and how long it took (outcome.c).
int survey_outcome(struct lookup *v, struct err *e);
// Its line with the highest or the lowest number behind a word (highest.c).
int survey_highest(struct lookup *v, struct err *e);
// How many parts of a kind there are, and which; who wrote messages, and about what (kinds.c).
int survey_kinds(struct lookup *v, struct err *e);
// The first, the last, the third line, message or part (ends.c).
int survey_ends(struct lookup *v, struct err *e);
// The same of the lines of logs (ends_log.c).
int survey_ends_of_log(struct lookup *v, struct err *e);
// Who was at a meeting, who was not, and when the next one is (attended.c).
int survey_attended(struct lookup *v, struct err *e);
// The most frequent words or numbers (common.c).
int survey_common(struct lookup *v, struct err *e);
// Which names have a value, which value a name has, which names rest on which (chain.c).
int survey_chain(struct lookup *v, struct err *e);
// What one name leads to from line to line (trail.c).
int survey_trail(struct lookup *v, struct err *e);
// What a section says (section.c).
int survey_section(struct lookup *v, struct err *e);
// The same, or that there is no such section, where others have numbers (section.c).
int survey_no_section(struct lookup *v, struct err *e);
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
// The list of what is asked for (items.c).
int survey_items(struct lookup *v, const char *question, struct err *e);
// What is below a heading that asks the same, or tells how to do what is asked (faq.c).
int survey_faq(struct lookup *v, const char *question, struct err *e);
// How what a heading names is made, of what, and of how much of it (made.c).
int survey_made(struct lookup *v, const char *question, struct err *e);
// Mails by who wrote them, when and about what (mail.c).
int survey_mail(struct lookup *v, const char *question, struct err *e);
// What a diff says of what was before, and is now (diffed.c).
int survey_diffed(struct lookup *v, const char *question, struct err *e);
// What an entry of a change log says, and which entries there are (entry.c).
int survey_entry(struct lookup *v, struct err *e);

#endif
