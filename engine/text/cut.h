// Where text falls into sentences: prose, whatever its lines are, and lines that are records of a
// kind (of a log, a table, a program), which have no stops.
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
    size_t width; // columns that a line has room for where prose is broken into lines; 0: it is not
};

// Bytes of the longest sentence: what goes on longer is cut where it is best cut.
enum { CUT_LONGEST = 480 };

void cut_text(struct cut *c, const char *text, size_t n);
// The sentence around byte AT < n: FROM to the byte after its end.
void cut_sentence(const struct cut *c, size_t at, size_t *from, size_t *to);
// A sentence, FROM to TO, grows by what it says little without: what follows a heading or a label,
// what a first "it" stands for, the list it is a part of. Of a long list it gets the line that
// leads it in ("These are needed:"), LEAD to LEAD_END; these are equal where there is none.
void cut_company(const struct cut *c, size_t *from, size_t *to, size_t *lead, size_t *lead_end);
// Whether the sentence that begins with byte AT begins with "it" or the like.
int cut_refers(const struct cut *c, size_t at);

// Whether the line TEXT [n] is one of a table or of settings: no prose has its first word, but the
// name of an option.
int cut_is_record(const char *text, size_t n);
// Whether lines A [n_a] and B [n_b] are rows of one table: three fields or more, and as many.
int cut_rows_match(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether ROW [n_row] is a line of the table whose columns HEAD [n_head] names: as many fields, and
// no name is a number but for years.
int cut_is_row(const char *head, size_t n_head, const char *row, size_t n_row);

// text[FROM..TO) as it is best read, into OUT [TO - FROM]: a sentence that goes on in the next line
// does so after a space, a line that only underlines is left out, and so are commands of markup
// (markup.h). Returns its bytes.
size_t cut_mend(const struct cut *c, size_t from, size_t to, char *out);

#endif
