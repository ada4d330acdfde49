// What kind of answer an English or German question asks for, and whether a text can give one: "how
// many" and "when" want a number or a time, "who" a name, "why" a reason.
#ifndef LCTOOL_ENGINE_ASKED_H
#define LCTOOL_ENGINE_ASKED_H

// What is added to how likely TEXT makes QUESTION, nats a token: 0, or less where TEXT has nothing
// of the kind that is asked for.
double asked_fit(const char *question, const char *text);

// Whether QUESTION asks what, who or where, not whether.
int asked_what(const char *question);

// Whether TEXT may answer QUESTION by itself: it gives a reason where QUESTION asks for one, and
// does not only say what is not so.
int asked_answered(const char *question, const char *text);

// What of QUESTION's numbers, and names with a number ("A53677"), TEXT has, from 0 to 1; 0 where it
// has none: of many records alike the one is asked for that has them. Its month is one of them
// where TEXT has a date in numbers.
double asked_numbers(const char *question, const char *text);

// Whether the last line of TEXT is a row of a table, with the names of its columns above it, one of
// whose cells, a word of four letters at least, QUESTION names.
int asked_row(const char *question, const char *text);

// Whether QUESTION asks what something is or means, and TEXT begins with its definition: "Rent"
// means ...; the term alone on its first line.
int asked_defines(const char *question, const char *text);

// Whether QUESTION asks how something is done ("How do I ...?").
int asked_for_steps(const char *question);

#endif
