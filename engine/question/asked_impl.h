// What the files of asked share: words of questions, and what kind of answer they ask for.
#ifndef LCTOOL_ENGINE_QUESTION_ASKED_IMPL_H
#define LCTOOL_ENGINE_QUESTION_ASKED_IMPL_H

#include <stddef.h>

#include "engine/words/words.h"

// What a question asks for.
enum asked_kind {
    ASKED_ANYTHING,
    ASKED_NUMBER,
    ASKED_SPAN,
    ASKED_PHONE,
    ASKED_MAIL,
    ASKED_TIME,
    ASKED_NAME,
    ASKED_REASON
};

// Verbs that a question has right behind the word that asks.
#define ASKED_VERBS                                                                                \
    " do does did is are was were am be can could should would shall will to may might must has "  \
    "have had "

// Units of weight.
#define ASKED_WEIGHTS                                                                              \
    " kilo kilos kg kilogram kilograms kilogramme kilogrammes gram grams gramme grammes g mg t "   \
    "ton tons tonne tonnes ounce ounces oz pound pounds lb lbs stone cwt hundredweight "

enum { ASKED_LONGEST = WORD_LISTED + 1 };

// Copies the next word of TEXT from *AT on to WORD, in small letters; a word that is too long for
// any of the lists becomes one that none of them has. Returns 0 at the end.
int asked_next_word(const char *text, size_t *at, char word[ASKED_LONGEST + 1]);
// The last one; "" where there is none.
void asked_last_word(const char *text, char word[ASKED_LONGEST + 1]);
// Whether WORD is in LIST (words.h), and whether TEXT has any word that is.
int asked_is(const char *word, const char *list);
int asked_has_any(const char *text, const char *list);
// Whether TEXT has a word of FIRST right before one of SECOND.
int asked_has_pair(const char *text, const char *first, const char *second);
// The first word of QUESTION, from byte *AT 0 on, or the next one behind "in" or the like. Returns
// 0 if it has none.
int asked_word(const char *question, size_t *at, char word[ASKED_LONGEST + 1]);
// What stands behind the first N words of QUESTION's clause, where the first (asked_word) is in the
// first of LISTS, and so on: "How many of"; NULL: they are others.
const char *asked_behind(const char *question, const char *const *lists, int n);
enum asked_kind asked_kind(const char *question);
// Whether TEXT has something of KIND.
int asked_tells(enum asked_kind kind, const char *text);
// Whether TEXT has a number in digits that says how much something is; with DATES, or is of a date.
int asked_has_digits(const char *text, int dates);
// Whether it has a number in words that says how much something is.
int asked_has_number_word(const char *text);
// Whether it has a number, in words or in digits, that is of no date.
int asked_has_amount(const char *text);
// The same but for what only tells the order: "7th", "the second week", how often, "daily", or an
// hour, "four in the morning".
int asked_has_count(const char *text);
// Whether it has no numbers but of what things are called, "BX-6", of the time of day and, with
// SUMS, of money and shares.
int asked_has_only_labels(const char *text, int sums);
// Whether it has a word that tells when: a month, "tomorrow", "before".
int asked_has_when(const char *text);
// Whether QUESTION asks how old something is, and whether TEXT does not tell that.
int asked_for_age(const char *question);
int asked_lacks_age(const char *text);
// Whether QUESTION asks for one of a kind, "Which newspaper printed it?", "What is the name of his
// spaniel?", and TEXT only says that there was one, "by a newspaper", "by a local newspaper",
// without its name.
int asked_leaves_unnamed(const char *question, const char *text);
// Whether QUESTION asks what was bought, "Which gift was bought?", and TEXT only says that one is
// to be: "that a gift be bought".
int asked_only_to_be(const char *question, const char *text);
// Whether QUESTION asks for the name of somebody's relative or animal and TEXT has not the word for
// that, or QUESTION is about one whom it names by whose relative somebody is, "Ida's wife", and
// TEXT, which has that name, tells of no such.
int asked_lacks_relative(const char *question, const char *text);
// Whether QUESTION asks what somebody died of, and TEXT has no word for that nor an illness.
int asked_lacks_death(const char *question, const char *text);
// Whether QUESTION asks when somebody was born, and TEXT, which may have other times, tells of no
// birth.
int asked_no_birth(const char *question, const char *text);
// Whether QUESTION asks when something ends, and TEXT only tells of another thing when it is by
// that, "six months before the end of the term", or how it may be ended, "may end it by notice".
int asked_only_by_end(const char *question, const char *text);
// Whether QUESTION asks when something is, and TEXT only tells how long before it something else is
// to be done: "must be booked two weeks ahead".
int asked_only_ahead(const char *question, const char *text);
// Whether QUESTION asks when something begins or ends, and whether TEXT tells the day on which
// something does: "It ends on 31 March 2026."
int asked_for_bound(const char *question);
int asked_says_when(const char *question, const char *text);
// Whether QUESTION asks how long a contract holds, and TEXT tells a term: "The term is five years."
int asked_says_term(const char *question, const char *text);
// Whether QUESTION asks how long something is that has a length, and TEXT tells only how long it
// took: "The dam took three years."
int asked_only_took(const char *question, const char *text);
// Whether QUESTION asks how long a contract is, and all spans of TEXT are of a notice: "ended by
// twelve months' notice".
int asked_only_notice(const char *question, const char *text);
// Whether QUESTION asks what is in something, and TEXT ends with that: what it holds is told next.
// "He took out a tin."
int asked_ends_with_holder(const char *question, const char *text);
// Whether TEXT has WORD or another form of it.
int asked_has_form(const char *text, const char *word);
// Whether QUESTION asks who did something, "Who drew the map?", or is doing it, and TEXT has
// neither the word for that nor, by NAMED, anybody's name, nor says by whom, or only that somebody
// did. A few words may be all of an answer.
int asked_lacks_doer(const char *question, const char *text, int named);
// Whether QUESTION asks for somebody's address, and TEXT has nothing that may be one.
int asked_lacks_address(const char *question, const char *text);
// Whether QUESTION asks which ones of a kind are so, "Which flats are let?", and TEXT only says how
// many: "Three flats are let."
int asked_only_counts(const char *question, const char *text);
// Whether QUESTION asks how many there are of what TEXT has, and each number of that is of other
// things: "How many cows?" of "two herds of cows".
int asked_counts_others(const char *question, const char *text);
// Whether QUESTION asks for the time of day, "What time does it begin?", and TEXT tells none; and
// whether QUESTION asks for what is of every month or the like, "monthly fee", and TEXT tells it of
// another period alone, "weekly fee".
int asked_lacks_clock(const char *question, const char *text);
int asked_of_other_period(const char *question, const char *text);
// Whether QUESTION asks for the year: "In which year did it freeze?", and whether TEXT has one in
// four digits, of any age.
int asked_for_year(const char *question);
int asked_has_year(const char *text);
// Whether TEXT has a sign or a name of money, an amount to two places, or says that something is
// free.
int asked_has_money(const char *text);
// Whether QUESTION asks how much money something is ("How much is the fee?"), and TEXT has neither
// money nor a share of any.
int asked_lacks_money(const char *question, const char *text);
// Whether QUESTION asks how many of something there are, and TEXT has a number right before the
// word for that, or two words between: "28 hours" of "How many hours were charged?"
int asked_counts(const char *question, const char *text);
// Whether QUESTION asks who did something, and TEXT tells who is to do it: "Ben will take notes."
int asked_is_to_do(const char *question, const char *text);
// Whether QUESTION asks how many of a unit of measure something has ("How many kilos ...?"), and
// TEXT has none of the kind.
int asked_lacks_unit(const char *question, const char *text);
// Whether QUESTION asks what somebody or something is called that has a name of its own, or which
// company does something, and TEXT, where names have capitals, has none.
int asked_lacks_name(const char *question, const char *text);
// Whether QUESTION asks how warm something is, and TEXT has neither a number nor a word for that.
int asked_lacks_degrees(const char *question, const char *text);
// Whether QUESTION asks for a measure, "What weight can it bear?", "To what pH ...?", and TEXT has
// no number, or none of the kind; and whether it asks for what was "from July to September", and
// TEXT tells it of other months, or of a year.
int asked_lacks_measure(const char *question, const char *text);
int asked_lacks_months(const char *question, const char *text);
// Whether QUESTION asks for the code of a lock or of an alarm, and TEXT neither speaks of one nor
// has a number that is long enough.
int asked_lacks_code(const char *question, const char *text);
// Whether QUESTION asks where somebody was married, something was held or one meets, and TEXT,
// which is prose, names no place by a word such as "at". NAMED: it has a name, which may be that of
// the place.
int asked_lacks_place(const char *question, const char *text, int named);

#endif
