// The lines of a text, by what they look like: for cut.c (where sentences begin and end), company.c
// (what they are read with), and whoever wants the line around a byte.
#ifndef LCTOOL_ENGINE_LINES_H
#define LCTOOL_ENGINE_LINES_H

#include "engine/text/chars.h"
#include "engine/text/cut.h"

// Columns of a gap between words of prose that is spread to its margin, at most.
enum { LINE_SPREAD = 3 };

// The first byte of the line of byte AT, and the byte after its last one.
size_t line_start(const struct cut *c, size_t at);
size_t line_end(const struct cut *c, size_t at);
// Columns that a line TEXT [n] takes, characters of UTF-8 and tabs to the next eighth one.
size_t line_width(const char *text, size_t n);
// Past what stands before the words of a line: indentation, the mark of a quotation or a comment. A
// path begins with no mark, nor does an emphasized word.
size_t line_words(const struct cut *c, size_t at, size_t end);
// How often what is on the line that begins with byte AT has been quoted, by its marks: "> > I
// see".
size_t line_quoted(const struct cut *c, size_t at);
// Whether two lines begin alike, and not as any two lines of prose do.
int lines_begin_alike(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether text[0..n) has a letter or a digit: a line of dashes under a heading, a bracket, has
// none.
int line_says_something(const char *text, size_t n);
// Whether TEXT [n] ends with a question mark, a wide one of East Asian texts or any other.
int line_asks(const char *text, size_t n);
// Bytes of the label before the value of the line TEXT [n]: "Subject: ...", "port = ...", "\"url\":
// ..."; 0: it has none.
size_t line_label(const char *text, size_t n);
// Whether the lines A and B, from their beginnings on, are rows of a table: their second columns
// lie below one another. Behind the longest word of the first one there may be a single space.
int lines_are_rows(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether line B is set in to where the second column of A begins: what hangs there goes on with
// it.
int lines_hang(const char *a, size_t n_a, const char *b, size_t n_b);
// cut_is_record of a whole line: one that is set in, and spread to its margin by tabs, is none.
int line_is_record(const char *text, size_t n);
// Bytes of the hyphen that TEXT [n] ends with where its last word was broken: one that no word has
// otherwise, or a minus sign behind a letter; 0: there is none.
size_t line_hyphen(const char *text, size_t n);
// Bytes of the spaces and tabs that TEXT [n] has from byte AT on; *WIDTH: the columns they take.
size_t line_gap(const char *text, size_t n, size_t at, size_t *width);
// Whether the line TEXT [n] begins with the mark of a list: a dash, a number, a letter in brackets.
int line_is_item(const char *text, size_t n);
// The byte after the last one of text[FROM..TO) that is no white space.
size_t line_trimmed(const struct cut *c, size_t from, size_t to);
// Whether a sentence ends with byte I; white space that follows is the next one's.
int cut_ends_at(const struct cut *c, size_t i);

#endif
