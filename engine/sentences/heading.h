// Headings of plain text: short lines that stand alone above the text that they are about.
#ifndef LCTOOL_ENGINE_SENTENCES_HEADING_H
#define LCTOOL_ENGINE_SENTENCES_HEADING_H

#include <stddef.h>

#include "engine/sentences/cut.h"

enum { HEADING_LONGEST = 80 }; // bytes; a longer line heads nothing

// Whether the line of C that begins with byte LINE is a heading, FROM to TO, and no row of a table;
// of one between signs, "=== MON 2 OCT ===", its words.
int heading_is(const struct lines *c, size_t line, size_t *from, size_t *to);
// Whether the line of C that begins with byte LINE surely heads nothing below an empty line: code,
// an amount, as of the ingredients of a recipe ("50 g flaked almonds"), a line of a log.
int heading_never(const struct lines *c, size_t line);
// Whether it is one in capitals alone, without a number, below an empty line.
int heading_in_capitals(const struct lines *c, size_t line);
// Whether the line of C that begins with byte LINE is in brackets, with none below it: a remark to
// the heading above it, if there is one.
int heading_remarks(const struct lines *c, size_t line);
// The last heading, FROM to TO, that ends before byte AT of C, whose text begins where a line does:
// 1, or 0 when there is none. In a mail it is the whole head, and nothing above that counts.
int heading_before(const struct lines *c, size_t at, size_t *from, size_t *to);
// The last line, FROM to TO, between bytes AFTER and AT of C that has a date and heads a record
// whose fields follow: "Meeting of 15 March 2023" above "Place: Hall".
int heading_of_record(const struct lines *c, size_t after, size_t at, size_t *from, size_t *to);
// The title with which the paragraph of byte AT of C begins on the line of its text, FROM to TO,
// before that byte: "**Field school.** Cost ..." or, of a numbered one (cut_runs_in), "4.2 Rent.
// The tenant pays ...". 1, or 0 when there is none.
int heading_runs_in(const struct lines *c, size_t at, size_t *from, size_t *to);
// Whether TEXT [n] begins with LABEL [n_label] and a number with a stop or a colon behind it, as a
// record among others does: "Day 12. It rained."; returns the bytes before that stop, or 0.
size_t heading_counts(const char *text, size_t n, const char *label, size_t n_label);
// The last one of LABEL [n_label] before byte AT of C in its paragraph, FROM to TO, that begins a
// sentence: what stands below "Day 12." is of no other day. 1, or 0 when there is none.
int heading_counted(const struct lines *c, size_t at, const char *label, size_t n_label,
                    size_t *from, size_t *to);
// The depth of the heading TEXT [n], by its number ("2.10.3" is 3) or its marks ("## Rent" is 2);
// 0: it does not tell.
int heading_level(const char *text, size_t n);

#endif
