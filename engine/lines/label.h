// Labels at the beginning of lines ("Name: ..."): those of a record's fields, which belong
// together, and those of speakers in a conversation, who take turns.
#ifndef LCTOOL_ENGINE_LINES_LABEL_H
#define LCTOOL_ENGINE_LINES_LABEL_H

#include "engine/lines/lines.h"

// The label of the line that begins with byte AT, *N bytes long; NULL: the line has none.
const char *label_at(const struct lines *c, size_t at, size_t *n);
int label_is_there(const struct lines *c, size_t at);
// Where the value of TEXT [n] begins, a line or a few, behind the gap by which a form sets it apart
// from its label ("Rent:        400 a year"); 0: it is no row of a form.
size_t label_row(const char *text, size_t n);
// Whether the label of a row of a form, whose values stand below one another, is broken by the line
// end at byte I: "First Payment", "Date:         24 June".
int label_goes_on(const struct lines *c, size_t i);
// Where the value begins of the row of such a form that has its first words on the line that begins
// with byte LINE; 0: it is none. *LABEL is where its label begins, which may be on the line above,
// *END where the value ends, which may be in lines below.
size_t label_of_form(const struct lines *c, size_t line, size_t *label, size_t *end);
// Whether the line that begins with byte AT has a label that no line of text[FROM..TO) has, numbers
// in labels aside, and is quoted as deeply as the line at FROM (line_quoted): another field of the
// same record.
int label_is_other(const struct lines *c, size_t at, size_t from, size_t to);
// Finds the lines around the one of byte AT that have labels, each a different one, with no other
// line between them: TOP to END, without the last line end; with APART no farther than a record in
// a list goes. Returns their number, 0 if the line has no label.
int label_run(const struct lines *c, size_t at, size_t *top, size_t *end, int apart);
// Whether the line that begins with byte LINE is the first of a record in a list: a dash before its
// label, and its next field set in to that.
int label_begins_record(const struct lines *c, size_t line);
// Whether the line that begins with byte AT and the one right above it, which begins with byte
// ABOVE, are turns of a conversation: one of the two labels comes again above or below them.
int label_turns(const struct lines *c, size_t above, size_t at);

#endif
