// The lines of a text, and what they look like.
//
//     struct lines c;
//     lines_of_text(&c, text, n);
//     line_at(&c, at);            // the line around byte `at`
#ifndef LCTOOL_ENGINE_LINES_LINES_H
#define LCTOOL_ENGINE_LINES_LINES_H

#include "engine/words/chars.h"
#include "engine/words/text_span.h"

struct lines {
    const char *text; // [n] borrowed
    size_t n;
    size_t width; // columns of a full line, where prose is broken into lines; 0: it is not broken
};

enum {
    LINE_NARROW = 48, // columns that lines of broken prose have room for, at least,
    LINE_WIDE = 120   // and at most
};

// Bytes of the longest sentence, and of what is read as one: a longer one is cut where that does
// least harm.
enum { LONGEST_SENTENCE = 480 };

// The widest gap, in columns, between words of prose that is justified to its margin.
enum { LINE_SPREAD = 3 };

void lines_of_text(struct lines *c, const char *text, size_t n);
// The first byte of the line of byte AT, and the byte after its last one.
size_t line_start(const struct lines *c, size_t at);
size_t line_end(const struct lines *c, size_t at);
// Both; an empty line at the end of the text where AT is beyond it.
struct span_of_text line_at(const struct lines *c, size_t at);
// The width of the line TEXT [n] in columns: one for each UTF-8 character, tab stops at every
// eighth.
size_t line_width(const char *text, size_t n);
// Columns before the words of the line that begins with byte LINE; 0: it has no words.
size_t line_indentation(const struct lines *c, size_t line);
// The byte where the words of the line from AT to END begin, behind indentation and marks of a
// quotation or a comment. The first sign of a path, an emphasised word or a directive is no
// mark.
size_t line_words(const struct lines *c, size_t at, size_t end);
// The same with the sign that the first word has itself ("#conduct"), unless the line above begins
// with the same sign: then it marks comments.
size_t line_said(const struct lines *c, size_t at, size_t end);
// Whether the line that begins with byte LINE has no words.
int line_is_empty(const struct lines *c, size_t line);
// The first line with words from the one that begins with byte LINE on; c->n or more: there is
// none.
size_t line_past_empty(const struct lines *c, size_t line);
// line_is_empty, of one that only underlines or divides, too, and where the text has no such line.
int line_is_bare(const struct lines *c, size_t line);
// Whether one of these is above the line that begins with byte LINE, or none at all.
int line_is_bare_above(const struct lines *c, size_t line);
// Whether it is in the same paragraph as a line beside it that is quoted QUOTED times.
int line_is_of_paragraph(const struct lines *c, size_t line, size_t quoted);
// How many times the line that begins with byte AT has been quoted, by its marks: 2 for "> > I
// see".
size_t line_quoted(const struct lines *c, size_t at);
// Whether the lines of bytes A and B are quoted alike: a signature above a quotation does not head
// it.
int lines_quoted_alike(const struct lines *c, size_t a, size_t b);
// Whether two lines begin alike, in a way that two lines of prose do not.
int lines_begin_alike(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether TEXT [n] has a letter or a digit, unlike a line of dashes under a heading or a bracket.
int line_says_something(const char *text, size_t n);
// Whether TEXT [n] ends with an English word that cannot end a sentence, or a title before a name
// ("Mrs"), so that more than its line is to come.
int line_is_open(const char *text, size_t n);
// Whether TEXT [n] ends with a question mark, ASCII or full-width.
int line_asks(const char *text, size_t n);
// The length in bytes of the label before the value of the line TEXT [n] ("Subject: ...",
// "port = ...", "\"url\": ..."); 0: it has none.
size_t line_label(const char *text, size_t n);
// Whether the line TEXT [n] is a record of a table or of settings: its first word is one that no
// prose has, such as the name of an option.
int line_has_fields(const char *text, size_t n);
// Whether the whole lines A and B are rows of a table: their second columns begin below one
// another. Before the column there may be a single space in the row with the longest first cell.
int lines_are_rows(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether they have numbers at their ends, behind wide gaps, that end below one another.
int lines_end_alike(const char *a, size_t n_a, const char *b, size_t n_b);
// Whether the line that begins with byte LINE does as the line with words above it or below it: one
// of a list of contents, or of sums.
int line_is_summed(const struct lines *c, size_t line);
// Whether line B is indented to where the second column of A begins, and so continues that cell; an
// item with a cell of its own ("- by ferry    $20") is a row.
int lines_hang(const char *a, size_t n_a, const char *b, size_t n_b);
// As line_has_fields, for a whole line: an indented one that tabs justify to its margin is none.
int line_is_record(const char *text, size_t n);
// Whether the line TEXT [n] of a log begins with the name of an error that the line above tells of:
// "java.net.SocketTimeoutException: connect timed out".
int line_is_thrown(const char *text, size_t n);
// Whether the line TEXT [n] begins with a day and a time with its seconds, in brackets or not, as
// the lines of a log do: "[12/May/2026:10:00:09] ", "2026-05-12T10:00:09Z ".
int line_is_stamped(const char *text, size_t n);
// Whether it begins with a time of day in digits, with or without a day before it and seconds:
// "10:00:01 INFO", "[18:42] <maya>", "2024-03-04 18:42 ". 2: it has seconds.
int line_is_timed(const char *text, size_t n);
// The length in bytes of the hyphen at which the last word of TEXT [n] was broken: a hyphen that no
// unbroken word has, or a minus sign behind a letter; 0: there is none.
size_t line_hyphen(const char *text, size_t n);
// Bytes of the spaces and tabs that TEXT [n] has from byte AT on; *WIDTH: the columns they take.
size_t line_gap(const char *text, size_t n, size_t at, size_t *width);
// Whether the line TEXT [n] begins with a directive of the preprocessor ("#define").
int line_is_directive(const char *text, size_t n);
// Whether the line TEXT [n] begins with the mark of a list: a dash, a number, a letter in brackets.
int line_is_item(const char *text, size_t n);
// Whether it is one of a numbered list: "3. ", "12) ".
int line_is_numbered(const char *text, size_t n);
// The byte after the last one of text[FROM..TO) that is no white space.
size_t line_trimmed(const struct lines *c, size_t from, size_t to);

#endif
