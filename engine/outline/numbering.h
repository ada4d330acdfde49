// The numbers with which the sections of a text begin: "4.3 Pets", "## 4. Rent", "§ 2", "Schedule
// B", "CHAPTER TWO", "Part IV".
#ifndef LCTOOL_ENGINE_OUTLINE_NUMBERING_H
#define LCTOOL_ENGINE_OUTLINE_NUMBERING_H

#include <stddef.h>

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

enum { NUMBERING_DEPTH = 6, NUMBERING_LETTERS = 1, NUMBERING_ROMAN = 2 };

// What stands behind all sections, and has letters rather than numbers.
#define NUMBERING_LETTERED " exhibit schedule annex appendix anhang anlage "

struct numbering {
    long v[NUMBERING_DEPTH]; // [n]; a letter is beyond all numbers
    int n;
    int called;       // 1: its line is marked as a head: "## 4.", "Section 4", "Section 4: Pets"
    const char *word; // [word_n] before it, as "Section"; NULL: there is none
    size_t word_n;
    size_t title; // the byte where the words behind it begin; of a line
};

// The number that TEXT [n] is in words, up to twelve, or in Roman numerals of capitals; 0: neither.
long numbering_in_letters(const char *text, size_t n);
// Reads the number that begins TEXT [n]; or, with LETTERS, one in letters or a capital letter, of
// which I, V and X are numbers, too, if it is NUMBERING_ROMAN. Returns its bytes; 0: there is none.
size_t numbering_of(struct numbering *v, const char *text, size_t n, int letters);
// The LETTERS of what WORD [n] calls so: "Chapter V" is a number, "Schedule V" a letter; 0 without
// a word.
int numbering_kind(const char *word, size_t n);
// Reads that of the line at byte AT of C, if it may be a section's: 1, or 0.
int numbering_at(struct numbering *v, const struct lines *c, size_t at);
// The same for a number in brackets, which may be that of a part as well: "(5) Pets".
int numbering_in_brackets(struct numbering *v, const struct lines *c, size_t at);
// Whether the line of byte HEAD of C is in a block that is set in and begins with a quotation mark:
// a clause of a contract in a judgment.
int numbering_is_quoted(const struct lines *c, size_t head);
// Whether V, the number of the line at byte AT, ends the section OF that begins with byte HEAD of
// C, where this is quoted so: it is of what quotes it, or of another clause.
int numbering_ends_quoted(const struct numbering *v, const struct numbering *of,
                          const struct lines *c, size_t head, size_t at);
int numbering_has_letter(const struct numbering *v);
// Whether section V is OF, or is in it.
int numbering_is_under(const struct numbering *v, const struct numbering *of);
// Whether the line with the number V of C only speaks of the section of that number: "Clause 3.1
// shall read:", "Section 4 of the Act".
int numbering_is_spoken_of(const struct lines *c, const struct numbering *v);
// Cuts section AT of C, if that is a clause which an amendment quotes, to what is quoted.
void numbering_cut_quoted(const struct lines *c, struct span_of_text *at);

#endif
