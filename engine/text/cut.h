// Dividing text into sentences: of prose, however it is broken into lines, and of lines that are
// records (of a log, a table, a program), which have no full stops.
//
//     struct cut c;
//     cut_text(&c, text, n);
//     cut_sentence(&c, at, &from, &to);   // text[from..to) is the sentence around byte `at`
//     cut_company(&c, &from, &to, &lead, &lead_end); // with what it says little without
#ifndef LCTOOL_ENGINE_CUT_H
#define LCTOOL_ENGINE_CUT_H

#include <stddef.h>

struct cut {
    const char *text; // [n] borrowed
    size_t n;
    size_t width; // columns of a full line, where prose is broken into lines; 0: it is not broken
};

// Bytes of the longest sentence; a longer one is cut where that does least harm.
enum { CUT_LONGEST = 480 };

void cut_text(struct cut *c, const char *text, size_t n);
// The sentence around byte AT < n: FROM to the byte after its end.
void cut_sentence(const struct cut *c, size_t at, size_t *from, size_t *to);
// The same, however long it is.
void cut_whole(const struct cut *c, size_t at, size_t *from, size_t *to);
// Extends a sentence, FROM to TO, by what it says little without: what follows a heading or a
// label, what a first "it" refers to, the list that it is a part of. Of a list that is too long it
// gets only the line that leads the list in ("These are needed:"), LEAD to LEAD_END; else these are
// equal.
void cut_company(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end);
// Whether text[FROM..TO) only signs a message: a few words without a stop on the last line of its
// body ("Ada (alto 2)").
int cut_signs(const struct cut *c, size_t from, size_t to);
// Whether the stop at byte I, with NEXT behind it, ends a heading, or its number, that stands
// before its text on the line: "Section 3.1. Annual meeting. The annual meeting is held in May."
int cut_runs_in(const struct cut *c, size_t i, size_t next);
// Whether the sentence that begins with byte AT begins with "it" or the like.
int cut_refers(const struct cut *c, size_t at);

// Whether the line TEXT [n] is a record of a table or of settings: its first word is one that no
// prose has, such as the name of an option.
int cut_is_record(const char *text, size_t n);
// Whether lines A [n_a] and B [n_b] are rows of one table: the same number of fields, at least
// three.
int cut_rows_match(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether ROW [n_row] is a row of the table whose columns the line HEAD [n_head] names: it has as
// many fields, and no name is a number, except for years.
int cut_is_row(const char *head, size_t n_head, const char *row, size_t n_row);

// Writes text[FROM..TO) for reading to OUT [TO - FROM] and returns its bytes: line breaks within a
// sentence become spaces; lines that only underline, and commands of markup (markup.h), are left
// out.
size_t cut_mend(const struct cut *c, size_t from, size_t to, char *out);

#endif
