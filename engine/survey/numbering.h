// The numbers with which the sections of a text begin: "4.3 Pets", "## 4. Rent", "§ 2", "Schedule
// B".
#ifndef LCTOOL_ENGINE_NUMBERING_H
#define LCTOOL_ENGINE_NUMBERING_H

#include <stddef.h>

#include "engine/text/cut.h"

enum { NUMBERING_DEPTH = 6 };

struct numbering {
    long v[NUMBERING_DEPTH]; // [n]; a letter is beyond all numbers
    int n;
    int called;       // 1: its line is marked as a head: "## 4.", "Section 4", "Section 4: Pets"
    const char *word; // [word_n] before it, as "Section"; NULL: there is none
    size_t word_n;
    size_t title; // the byte where the words behind it begin; of a line
};

// Reads the number, or the capital letter with LETTERS, that begins TEXT [n]. Returns its bytes; 0:
// there is none.
size_t numbering_of(struct numbering *v, const char *text, size_t n, int letters);
// Reads that of the line at byte AT of C, if it may be a section's: 1, or 0.
int numbering_at(struct numbering *v, const struct cut *c, size_t at);
// The same for a number in brackets, which may be that of a part as well: "(5) Pets".
int numbering_in_brackets(struct numbering *v, const struct cut *c, size_t at);
int numbering_has_letter(const struct numbering *v);
// Whether section V is OF, or is in it.
int numbering_is_under(const struct numbering *v, const struct numbering *of);

#endif
