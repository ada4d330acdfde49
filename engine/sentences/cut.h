// Dividing text into sentences: of prose, however it is broken into lines, and of lines that are
// records (of a log, a table, a program), which have no full stops.
//
//     struct lines c;
//     lines_of_text(&c, text, n);
//     cut_sentence(&c, at, &from, &to);   // text[from..to) is the sentence around byte `at`
#ifndef LCTOOL_ENGINE_SENTENCES_CUT_H
#define LCTOOL_ENGINE_SENTENCES_CUT_H

#include "engine/lines/lines.h"

// The sentence around byte AT < n: FROM to the byte after its end.
void cut_sentence(const struct lines *c, size_t at, size_t *from, size_t *to);
// The same, however long it is.
void cut_whole(const struct lines *c, size_t at, size_t *from, size_t *to);
// Whether byte I is the last one of a sentence; white space behind it belongs to the next one.
int cut_ends_at(const struct lines *c, size_t i);
// Whether a sentence ends with a stop within bytes FROM to TO, before the last one of them.
int cut_has_stop(const struct lines *c, size_t from, size_t to);
// Whether the stop at byte I, with NEXT behind it, ends a heading, or its number, that stands
// before its text on the line: "Section 3.1. Annual meeting. The annual meeting is held in May."
int cut_runs_in(const struct lines *c, size_t i, size_t next);

// Writes text[FROM..TO) for reading to OUT [TO - FROM] and returns its bytes: line breaks within a
// sentence become spaces, as NULs do; lines that only underline, and commands of markup (markup.h),
// are left out. Lines that are quoted keep their mark beside others.
size_t cut_mend(const struct lines *c, size_t from, size_t to, char *out);
// The same with "Ada wrote:" and what is quoted below it as one sentence, by which a model judges.
size_t cut_mend_joined(const struct lines *c, size_t from, size_t to, char *out);

// Whether what was said from byte LAST on ends with a stop, and an empty line behind byte TO.
int cut_ends_paragraph(const struct lines *c, size_t last, size_t to);

#endif
