// What the files of this room share: a sentence in tokens, the search, and each way in which a text
// takes back what it said, with the file that knows it.
#ifndef LCTOOL_ENGINE_CHANGED_CHANGED_IMPL_H
#define LCTOOL_ENGINE_CHANGED_CHANGED_IMPL_H

#include <stddef.h>

#include "engine/changed/changed.h"
#include "engine/words/text_span.h"

enum {
    CHANGED_TOKENS = 160,
    CHANGED_LARGE = 100 // a number from which on one that is denied is that of a like sentence
};

// What clauses are called; the sign is a token, too.
#define CHANGED_SIGN    "\u00a7"
#define CHANGED_CLAUSES " article clause paragraph regulation rule section " CHANGED_SIGN " "

// What is done to what changes, behind one of the others.
#define CHANGED_VERBS                                                                              \
    " changed raised lowered reduced increased decreased cut extended lengthened shortened moved " \
    "postponed amended altered varied reset "
// What it does or did itself, and which way.
#define CHANGED_MOVES "rises falls drops climbs risen fallen dropped shifted "
#define CHANGED_WAYS  "up down back forward "
#define CHANGED_IS    " is are was were be been "

struct changed_token {
    struct span_of_text at;
    double number; // where it is one, in digits or in words, or the day of a week
    int is_number, is_capital;
};

struct changed_tokens {
    const char *text; // borrowed
    size_t to;        // its tokens are before this byte
    int n;
    struct changed_token v[CHANGED_TOKENS];
};

// A number that an answer says; MONTH: from 1, that of a day ("31 March"); 0: it is none. YEAR:
// of that day; 0: it is not said.
struct changed_value {
    double number;
    int month, year;
};

// The words and numbers of text[FROM .. TO), the first CHANGED_TOKENS of them.
void changed_tokens(struct changed_tokens *t, const char *text, size_t from, size_t to);
// Whether token I is there and of LIST.
int changed_is(const struct changed_tokens *t, int i, const char *list);
// The first of the tokens from FROM on, of at most MOST, that is of LIST; -1: there is none.
int changed_first(const struct changed_tokens *t, int from, int most, const char *list);
// The number that WORD [n] is in words, from two on; 0: none.
int changed_number(const char *word, size_t n);
// The number, below all others, by which the day of the week WORD [n] goes, "Monday" or "Mondays";
// 0: it is none.
int changed_weekday(const char *word, size_t n);
// *WORD: NUMBER in one word; its bytes, 0 where there is none.
size_t changed_in_words(double number, const char **word);
// Token I, a number, as a value.
struct changed_value changed_value_at(const struct changed_tokens *t, int i);
// Whether the numbers at token I of A and at K of B are of one unit: the sign right before them, or
// the word behind them.
int changed_is_same_unit(const struct changed_tokens *a, int i, const struct changed_tokens *b,
                         int k);
// Whether T gives the number at token I as the old one beside a new one, *NEW; NEW's number is NAN
// where it only says that the old one is none any more.
int changed_is_old(const struct changed_tokens *t, int i, struct changed_value *new);
// The number that is to be read for the one at token I of T, 'For "20" read "25"': its token; -1:
// none is.
int changed_for_read(const struct changed_tokens *t, int i);
// Whether T only denies the number at token I, by "not" or "no longer", which it may do of another
// thing than is asked for.
int changed_is_denied(const struct changed_tokens *t, int i);
// Whether T says that number I was never right, "Correction: it was 25, not 20"; *NEW: the right
// one, of what is called by its number none.
int changed_is_wrong(const struct changed_tokens *t, int i, struct changed_value *new);
// Whether T tells what who wrote it has said, or written, before, or that something is misprinted.
int changed_is_report(const struct changed_tokens *t);
// Whether T says that the number at token I is a misprint or the like.
int changed_is_misprint(const struct changed_tokens *t, int i);
// The number that T tells is given for something, which may be right as well: "is given as 20
// pounds", "clause 3 gives the fee as 20 pounds": its token; -1: it tells none.
int changed_is_stated(const struct changed_tokens *t);
// Whether T corrects a sentence like that one: "He was five.", "There is no evidence for this."
int changed_corrects(const struct changed_tokens *t);

// The search.
struct changed_looking {
    const struct changed_said *s;
    struct span_of_text near; // the sentence of what was said that has the value looked for
    int left;                 // sentences that may still be looked at
    int replaced;             // 1: only sentences count by which a clause is replaced
    struct span_of_text *out;
};

// The sentence around byte AT of S's text, without white space before it.
struct span_of_text changed_sentence(const struct changed_said *s, size_t at);
// The sentence behind byte *AT in the same paragraph, *V; *AT moves past the white space before it.
// 0: the paragraph ends there.
int changed_next(const struct changed_said *s, size_t *at, struct span_of_text *v);
// Sentence V with the next one of its paragraph, if there is one.
struct span_of_text changed_with_next(const struct changed_said *s, struct span_of_text v);
// Sentence V with what stands before it in its line, which may be its title, if that is no longer
// than LONGEST bytes: "Kitchen. The fee is now 20 pounds."
struct span_of_text changed_titled(const struct changed_said *s, struct span_of_text v,
                                   size_t longest);
// Moves *LINE of S's text to the line above it: 1, or 0 where that is some kilobytes above byte
// FROM.
int changed_line_above(const struct changed_said *s, size_t from, struct span_of_text *line);
// Whether byte AT of S's text is in a line that is quoted: what a mail answers to.
int changed_is_quoted(const struct changed_said *s, size_t at);
// Whether a word of so many BYTES, with that STEM, says what a sentence is about.
int changed_word_tells(size_t bytes, const char *stem);
// Whether sentence V is about what was said: it has two words of the question or of L's NEAR, or
// one that is rare. *BOTH: how many words it has of both.
int changed_is_about(const struct changed_looking *l, struct span_of_text v, int *both);
// Whether WORD [n] stands in so few places of S's text that it tells what a sentence is about.
int changed_is_rare(const struct changed_said *s, const char *word, size_t n);
// Whether all that T says before token BY, where something gets another number, is of L's sentence
// or asked for.
int changed_is_of_thing(const struct changed_looking *l, const struct changed_tokens *t, int by);
// Whether T has a word of L's sentence that is another one's there, "the rent of the boat" of "the
// rent of the garage", which neither that sentence nor the question names.
int changed_is_of_other(const struct changed_looking *l, const struct changed_tokens *t);
// Whether sentence V quotes number and unit around byte AT, "135 N", and S's text has them only in
// what was said, before it.
int changed_is_quoted_alone(const struct changed_said *s, struct span_of_text v, size_t at);
// Whether sentence V, which takes back the number at bytes OLD, says of which mail it is a
// correction, "to my July mail: it is", and what was said is of one from that month and the same
// sender that has the number once only.
int changed_is_of_mail(const struct changed_said *s, struct span_of_text v,
                       struct span_of_text old);
// Whether T denies the number at token I of what L's sentence calls by it, "case 14", beside the
// right one, and is about another word of it: "the fid was in case 41, not 14".
int changed_is_called(const struct changed_looking *l, const struct changed_tokens *t, int i);
// Whether T denies the number at token I beside another one of the unit that it has in L's
// sentence: "six months and not nine", where nine months were said.
int changed_is_denied_of_unit(const struct changed_looking *l, const struct changed_tokens *t,
                              int i);
// How many words that say something sentence V has of L's NEAR.
int changed_count_near(const struct changed_looking *l, struct span_of_text v);
// Whether sentence V has a word of L's NEAR that says something and, where the answer may be wrong,
// one of the question.
int changed_shares_word(const struct changed_looking *l, struct span_of_text v);
// Whether sentence V has most of the question's words, at least two.
int changed_has_question(const struct changed_said *s, struct span_of_text v);
// Whether sentence V, whose number at token I is old, is of what is asked for: of no other number
// than the question's ("Unit 8" for "Unit 7"), and with its words where it may easily be of
// something else, as it only denies a number or gives a day of the week.
int changed_is_of_question(const struct changed_looking *l, struct span_of_text v,
                           const struct changed_tokens *t, int i);
// The term that V, a sentence of S's text, begins to define: '"End Date" means'; no bytes: none.
struct span_of_text changed_term(const struct changed_said *s, struct span_of_text v);
// Whether A and B are the same number, or the same day.
int changed_is_same(struct changed_value a, struct changed_value b);
// Whether the answer has number V already.
int changed_answer_has(const struct changed_said *s, struct changed_value v);
// Takes text[V) as what is found unless the answer has it.
int changed_found(const struct changed_looking *l, struct span_of_text v);
// Whether T gives another number of the unit of that at token OLD of WAS.
int changed_has_another(const struct changed_tokens *t, const struct changed_tokens *was, int old);
// The end of the sentence, of the next three behind byte AT in its paragraph, that corrects TOLD,
// which is before it; 0: there is none, or TOLD tells nothing that may have been wrong
// (changed_walk.c).
size_t changed_corrected(const struct changed_looking *l, const struct changed_tokens *told,
                         size_t at);
// Looks for a sentence that says who has what somebody named in the answer had (changed_names.c).
int changed_names(struct changed_looking *l);
// Looks for a sentence that says by its number that the clause of what was said is another now
// (changed_clause.c).
int changed_clause(struct changed_looking *l);
// As changed_clause, of one by which all of it is replaced: no number of it counts any more
// (changed_clause.c).
int changed_replaced(struct changed_looking *l);
// As changed_clause, of one that names it by its code alone, "E2" or "6.1" (changed_coded.c).
int changed_coded(struct changed_looking *l);
// Looks for a sentence that says from which day on a term that was defined is another
// (changed_clause.c).
int changed_defined(struct changed_looking *l);
// The next quotation of TEXT from byte AT on that ends before byte END: what is between the marks;
// *BEHIND: the byte behind them. No bytes: there is none (changed_quoted.c).
struct span_of_text changed_quotation(const char *text, size_t at, size_t end, size_t *behind);
// Looks for a sentence that quotes words of the answer and says by which others they are replaced;
// IS_PAST: of what was, by which they are to be read (changed_quoted.c).
int changed_quoted(struct changed_looking *l, int is_past);
// Looks for a row of a table that puts right what was said: below "Printed" and "Correct"
// (changed_table.c).
int changed_table(struct changed_looking *l);
// Looks for a sentence below the table of the row that was said that tells that it is otherwise
// (changed_row.c).
int changed_row(struct changed_looking *l);
// Looks, where it is asked what is really so, behind what people believed for what was so in fact
// (changed_again.c).
int changed_really(struct changed_looking *l);
// Looks for a correction that denies a word of the answer beside the right one (changed_not.c).
int changed_not(struct changed_looking *l);
// Looks for a sentence that begins with "It was not" and names then but what was said; where the
// answer may be wrong, only if that was a guess (changed_not.c).
int changed_not_it(struct changed_looking *l);
// Looks right behind what was said for a case that is asked for, and of which it does not hold
// (changed_case.c).
int changed_case(struct changed_looking *l);
// Looks for a sentence that says most of what was said once more, of now, or that what was said no
// longer does something that is asked for; where the answer may be wrong, only the latter
// (changed_again.c).
int changed_again(struct changed_looking *l);
// Looks below headings such as "Correction" for a sentence about what was said that gives another
// number of the unit of the one at token I of the answer OLD (changed_headed.c).
int changed_headed(const struct changed_looking *looking, const struct changed_tokens *old, int i);
// Looks for the last decision below a title that what was said has (changed_decided.c).
int changed_decided(struct changed_looking *l);
// Looks for the changes with which a motion that was said is accepted (changed_motion.c).
int changed_motion(struct changed_looking *l);
// Looks for a mail that quotes words of the answer and refuses them, with what it replies
// (changed_quoted.c).
int changed_refused(struct changed_looking *l);
// Looks for a sentence with all that is asked for that gives only the new number, of the unit of
// number OLD at token I of the answer (changed_new.c).
int changed_new(struct changed_looking *l, const struct changed_tokens *old, int i);
// Where token I of T says that something is another number now ("goes up to", "is raised to",
// "becomes", "should read", "is now", "now ends", "we have decided to raise it to"), the token of
// that number; -1: it says no such thing (changed_gets.c).
int changed_gets(const struct changed_tokens *t, int i);
// The token behind the day, with its year, that T gives as that from which on something holds, in
// its beginning: "From 1 May 2023", "2. With effect from the first Monday in May"; 0: it gives none
// (changed_gets.c).
int changed_from_day(const struct changed_tokens *t);
// Whether WORD [n] is what something may do at a time, or for an amount: "ends", "costs"
// (changed_gets.c).
int changed_does(const char *word, size_t n);
// Whether WORD [n] is what has a number: "price", "deadline" (changed_gets.c).
int changed_has_amount(const char *word, size_t n);
// Whether WORD [n] of a question asks for a change: "Was it moved?" (changed_value.c).
int changed_asks(const char *word, size_t n);
// Whether QUESTION asks for what is so now, or was so in the end (changed_walk.c).
int changed_asks_now(const char *question);
// Whether T says behind token I, and not more than MOST behind it, that something is changed
// (changed_value.c).
int changed_says_so(const struct changed_tokens *t, int i, int most);
// Whether T says right behind token I, and not only for some cases, that what it names is no more:
// "is waived", "falls away" (changed_value.c).
int changed_is_gone(const struct changed_tokens *t, int i);
// Whether T says that something is to be read as T itself has it: "are to be read that way"
// (changed_value.c).
int changed_reads_so(const struct changed_tokens *t);

#endif
