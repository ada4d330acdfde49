// Checks on a text that a model is writing: does it repeat itself, stray from what was read, mix up
// numbers, begin with words that say nothing, is it long enough?
#ifndef LCTOOL_ENGINE_ANSWER_GUARD_H
#define LCTOOL_ENGINE_ANSWER_GUARD_H

#include <stddef.h>

// Whether the sentence text[TOLD .. n) repeats what text[0 .. TOLD) said: six in ten of its words
// of four letters or more are there, compared by their first five bytes. A small model that has
// nothing new to say goes on in other words.
int guard_repeats(const char *text, size_t told, size_t n);
// Whether the last three lines of TEXT [n], the last of which ends there, are the same but for
// their numbers in a list: a small model would go on like that for ever.
int guard_circles(const char *text, size_t n);
// Whether the sentence TEXT [n] strays from what was READ: it has a number, or after its first word
// a name, that is not there; or two words at least, and a quarter of all, that are not. Words of
// four letters or more count, by their first five bytes, without those that any summary uses.
int guard_strays(const char *text, size_t n, const char *read);
// How many first bytes of TEXT are "The text states that" or the like, if it says more than that; a
// quotation mark that opens what it says is one of them.
size_t guard_lead(const char *text);
// Whether TEXT [n] has at least three quarters of WORDS words.
int guard_enough(const char *text, size_t n, int words);
// Whether two numbers of TEXT [n], each of which READ [n_read] has once, stand in the other order
// in READ. A number's second and later places in TEXT do not count.
int guard_disorder(const char *text, size_t n, const char *read, size_t n_read);
// Whether TEXT [n] ends with the dots with which READ [n_read] ends: it goes on no further than
// what can be quoted.
int guard_cut_off(const char *text, size_t n, const char *read, size_t n_read);
// Whether TEXT [n] is only the heading of READ [n_read]: its first line with an empty one below it,
// or the end of that, or what stands before its text on the line (cut_runs_in).
int guard_heading(const char *text, size_t n, const char *read, size_t n_read);
// Whether TEXT [n] says another thing than the string READ [n_read], of which it was made to answer
// QUESTION. It
// - follows READ word by word but leaves out some few words in the midst of that ("had buried a
//   pear tree" of "had buried them beneath a pear tree"), some more with a name or a word of
//   QUESTION, or what an article and a word go on with ("The fire at the mill." of "Fire broke out
//   at the mill."), or any number of words between two and three ("The form is kept here." of "The
//   form is a sheet which by custom is yellow, and which is kept here."); ends as a list there,
//   without its first part; lacks the verb, or the "who", between words of QUESTION; or names
//   nobody where READ does and QUESTION asks who,
// - has another number before the same two words, one that is not in QUESTION ("30 euros a month"
//   of "60 euros a month"), or a number that neither READ nor QUESTION has,
// - says of one of the parts of READ what another part's number is: between two semicolons or more
//   of a sentence, amounts that it joins ("79 for single trips and 70 for a year"), an item of a
//   list (words before a colon, and elsewhere, are of all parts), or a sentence with a label;
//   has the number of one sentence, or an ordinal that it begins with, and a word of another that
//   QUESTION has not, or is of a sentence before the one that QUESTION is about,
// - says a day that is made of two, the time of a message for what it tells, or a number of
//   another name that READ defines ("\"End Date\" means 3 May"),
// - says twice a word of READ that is there but once and not in QUESTION ("the law of Norway is
//   governed by the law of Norway"), or two words in a row that are not there twice,
// - has a word of four letters or more that READ lacks (by its first five bytes, of long ones by
//   more, common ones aside), a shorter name behind its first word, a code such as E7, or any words
//   where READ is about another number or month than QUESTION (asked_of_another),
// - is a part of a row of a table, without its other cells,
// - begins in the midst of a sentence of READ, so that what it is said of is lost ("The arles, ten
//   shillings" of "a coin called the arles, ten shillings"), with an article, "No." or "Yes" before
//   or without; is a name with a clause that tells which, which READ has behind a comma ("The
//   smith, who made it."), or is but a part of what somebody says,
// - joins what READ does not (guard_joins.c): one amount with another, words with a whole record,
//   with "is" what stands behind a comma or a day on which something is done, what happened with
//   the day when it ends, or one line with a number in a list,
// - has a line that begins with the mark of a quotation,
// - ends within one of READ's words ("set meter." of "set meter.target"),
// - is the rest of a sentence behind a word that limits it ("103 and 109" of "all trains but 103
//   and 109"),
// - is no part, as it stands, of the line of a log that was read (guard_logged.c),
// - says of one thing what another sentence says of another one ("Anna lives in Oslo." of "Anna
//   lives in Bern. Ben lives in Oslo."), or is one of these where the question has more of another,
//   or
// - has nothing of the value of the one label in READ that is asked for ("731" of "volume = {5}").
int guard_garbled(const char *text, size_t n, const char *read, size_t n_read,
                  const char *question);

#endif
