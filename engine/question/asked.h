// What kind of answer an English or German question asks for, and whether a text can give one: "how
// many" and "when" want a number or a time, "who" a name, "why" a reason.
#ifndef LCTOOL_ENGINE_QUESTION_ASKED_H
#define LCTOOL_ENGINE_QUESTION_ASKED_H

#include <stddef.h>

// A correction of how likely TEXT makes QUESTION, nats a token: 0, negative when TEXT has nothing
// of the kind that is asked for, or positive when it has the day of the month that may be.
double asked_fit(const char *question, const char *text);

// That of a sentence by itself, whatever follows it: more where it has a number of what is counted,
// "28 hours", less where it has none of an amount of money.
double asked_fit_alone(const char *question, const char *text);
// Whether QUESTION asks for a sum, a time of day, where one meets or what somebody died of, and
// TEXT has none.
int asked_lacks_value(const char *question, const char *text);
// Whether TEXT has nothing of what is asked for, so that another place may well have it: by FIT,
// which is asked_fit_alone of both, but for who somebody is, who may be called by no name.
int asked_misses(const char *question, const char *text, double fit);
// Whether QUESTION asks for a number, a time, a reason or where somebody is reached, and SENTENCE
// has one, but not ANSWER, which was made of it.
int asked_left_out(const char *question, const char *answer, const char *sentence);

// Whether QUESTION asks when something is or was, and TEXT has no time, nor a condition; of what
// was, numbers in words are none: "elected with five votes".
int asked_no_time(const char *question, const char *text);
// Whether VALUE, all that a cell or a field has, may say when something is: a time, a condition, or
// a number that is of no unit.
int asked_may_be_time(const char *value);

// Whether QUESTION asks for an amount, a span, a telephone number, an address of mail, a time, a
// name or a place, and TEXT has none: a number of a date or of a section is no amount, one of
// something else is no sum of money, and how often something is tells not when it was last so.
int asked_lacking(const char *question, const char *text);

// Whether QUESTION asks how much something is in each hour, day or the like, "a year", and TEXT
// does not say it of that.
int asked_rate_left_out(const char *question, const char *text);

// Whether QUESTION asks why or how something is done, was or came about: no title tells that.
int asked_for_account(const char *question);
// Whether it does, or asks what causes something.
int asked_for_cause(const char *question);
// Whether it asks the latter, and TEXT tells of a cause.
int asked_says_cause(const char *question, const char *text);
// Whether QUESTION asks what something is by default, and TEXT, which may be about that, does not
// say it: "Sets the default size of windows."
int asked_default_left_out(const char *question, const char *text);
// Whether QUESTION asks when something is open or closed, and TEXT, which may be about that, does
// not say it: "Open Tuesday to Sunday", "closed on Mondays".
int asked_hours_left_out(const char *question, const char *text);
// Whether QUESTION asks what is in something, and TEXT, which names that, does not say it: "She
// gave me a tin. I had not known of it."
int asked_contents_left_out(const char *question, const char *text);
// Whether QUESTION asks for something (what, who, where), not whether something is so.
int asked_what(const char *question);

// Whether QUESTION asks who, where or when, and the last line of TEXT only denies that: "He did not
// open it." does not tell who opened it.
int asked_only_denied(const char *question, const char *text);
// Whether TEXT only asks, by somebody or not ('"Where is he?" said Agnes.'), where QUESTION is not
// about what was asked, said or proposed.
int asked_only_asks(const char *question, const char *text);
// Whether TEXT has a word of QUESTION that says what is asked for.
int asked_shares_word(const char *question, const char *text);
// Whether TEXT begins with another question, with words of QUESTION that the rest of it lacks: "Who
// has the shed key? The hook is empty." does not tell where that is.
int asked_begins_asking(const char *question, const char *text);
// Whether TEXT only tells that somebody asks what QUESTION, which is not about asking, asks: "She
// asked when the boiler would be mended."
int asked_reports(const char *question, const char *text);
// Whether TEXT only has one of the names in QUESTION, behind the first word of that, of the words
// that say what is asked for: "by Agnes Lane" of "What did Agnes sell in the market?"
int asked_only_named(const char *question, const char *text);
// Whether QUESTION does not ask for yes or no, and TEXT has no word but the question's: "3.
// Proposing a resolution." does not tell who may propose one.
int asked_said_again(const char *question, const char *text);
// Whether QUESTION asks where something is, and TEXT is a row that tells a number: "Final
// examination  15%".
int asked_where_by_numbers(const char *question, const char *text);

// Whether QUESTION asks for a reason and TEXT has no word that only reasons have.
int asked_reason_left_out(const char *question, const char *text);
// Whether QUESTION asks how to do something, and no sentence of TEXT begins with what it is for, as
// those do that tell how: "To open it, press both keys."
int asked_way_left_out(const char *question, const char *text);

// Whether TEXT may answer QUESTION by itself: it gives a reason or an owner if QUESTION asks for
// one, does not end with that of which the contents are asked for, and does not merely deny
// something.
int asked_answered(const char *question, const char *text);

// The share, 0 to 1, of QUESTION's numbers and names with a number ("A53677") that TEXT has; 0 when
// QUESTION has none. Among many similar records the one that has them is asked for. A month counts
// as a number when TEXT has a date in numbers, or the name of another month. "Priority 2" is not
// there where "Priority" stands before other numbers only.
double asked_numbers(const char *question, const char *text);
// Whether TEXT is about another one of what QUESTION calls by its number, letter or month: it has
// "Priority 1" where "Priority 2" is asked for, or no month but January where October is; or it
// tells of what is "with brakes" where what is without them is asked for, or "with three players"
// where what is so with two.
int asked_of_another(const char *question, const char *text);
// Where QUESTION asks when, where or why something was done to a thing, "When was the weir
// repaired?", or who does it, and TEXT has the word for that thing: 1, where it says that this was
// done to it, -1, where only to another one, or by it; else 0.
int asked_subject(const char *question, const char *text);
// Whether QUESTION asks how to do something, "How do I skip a file?", and TEXT has the word for
// that only behind a denial: "don't skip files".
int asked_only_undone(const char *question, const char *text);
// What QUESTION calls by a number behind it, one of N bytes: "day" of "on day 12"; NULL: nothing.
const char *asked_for_counted(const char *question, size_t *n);
// How many of asked_numbers' numbers TEXT lacks.
int asked_numbers_lacking(const char *question, const char *text);

// Whether the last line of TEXT is a row of a table below the names of its columns, and QUESTION
// has the word, of four letters at least, that is in one of the row's cells.
int asked_row(const char *question, const char *text);

// Whether QUESTION asks what something is or means and TEXT begins with its definition: "Rent"
// means ..., or the term alone on its first line.
int asked_defines(const char *question, const char *text);

// Whether QUESTION asks for the version of something: "In which release was it added?"
int asked_for_version(const char *question);

// Whether QUESTION asks who did something: "Who drew the map?"
int asked_for_doer(const char *question);

// Whether QUESTION asks who does something with one thing, "Who pays the rent?", and TEXT does not
// name that: "The tenant pays the deposit."
int asked_lacks_object(const char *question, const char *text);
// Whether QUESTION asks for the day of something that was: "When did it end?", "On which date was
// it?"
int asked_for_date(const char *question);

// Whether QUESTION asks what something does, and TEXT, or what is below its heading, begins with
// that: "The at command executes ...".
int asked_does(const char *question, const char *text);

// Whether QUESTION asks how something is done, by whoever asks or by anyone: "How do I ...?", "How
// to ...", "Wie kann man ...?". "How does the valve close?" asks for no steps.
int asked_for_steps(const char *question);
// The bytes of the words with which TEXT [n] begins as such a question does, behind what is said
// before it: "how to", "How do I"; 0: it does not.
size_t asked_how(const char *text, size_t n);
// Whether HEADING [n] has a word of QUESTION that says what is asked for and that TEXT lacks; with
// NUMBERS non-zero a number may be that word.
int asked_heads(const char *heading, size_t n, int numbers, const char *question, const char *text);

#endif
