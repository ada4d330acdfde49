// Lists of words that several rules share, each with what is common to these rules; a rule that
// needs more adds it where it is: WORDLIST_DENIALS " without ". Each is a list of words.h, but
// also a text whose stems may be looked for (word_is_in). A list that one rule alone needs stands
// beside that rule.
#ifndef LCTOOL_ENGINE_WORDS_WORDLIST_H
#define LCTOOL_ENGINE_WORDS_WORDLIST_H

// ---- Words that ask

// For somebody:
#define WORDLIST_WHO        " who whom whose "
#define WORDLIST_WHO_GERMAN " wer wem wen "
// For a time:
#define WORDLIST_WHEN_GERMAN " wann "
// For a reason:
#define WORDLIST_WHY_GERMAN " warum weshalb wieso "
// For anything, alone; what "how" asks for is said by the word behind it ("how many").
#define WORDLIST_ASKING_ALONE WORDLIST_WHO " what which when where why "
// For anything. "Was" is no such word of German here, because it is one of English, too.
#define WORDLIST_ASKING WORDLIST_ASKING_ALONE " how "
#define WORDLIST_ASKING_GERMAN                                                                     \
    WORDLIST_WHO_GERMAN WORDLIST_WHEN_GERMAN WORDLIST_WHY_GERMAN                                   \
        " wo wie wieviel wieviele welche welcher welches welchen "
// What may stand before such a word at the beginning of a question: "In which ...?"
#define WORDLIST_BEFORE_ASKING " in on at to by from for with of "

// ---- Words that say little

#define WORDLIST_ARTICLES " the a an "
// Verbs that help others.
#define WORDLIST_HELPING                                                                           \
    " do does did is are was were has have had can could will would shall should may might must "
// Places in an order, in words.
#define WORDLIST_ORDINALS " first second third fourth fifth sixth seventh eighth ninth tenth "
// What every sentence may have, whatever it says.
#define WORDLIST_FUNCTION                                                                          \
    WORDLIST_ARTICLES                                                                              \
    " and are as at be been by for from had has have he her his in is it its of on or she so "     \
    "that their there these they this to was were which who will with would "
// The same for questions, which have more such words: they say nothing of what is asked for.
#define WORDLIST_OF_QUESTIONS                                                                      \
    WORDLIST_FUNCTION WORDLIST_ASKING                                                              \
        " any can could did do does i if long many may me much must my our should us we you your "
// What questions after a record, or after a line with its values, call these, and how they ask for
// one of the values.
#define WORDLIST_OF_RECORDS " item entry record given listed called named much many long have "

#define WORDLIST_DENIALS " no not never neither nor kein keine keinen nicht nie "

// ---- What things are called

// In their order (word_place).
#define WORDLIST_MONTHS                                                                            \
    " january february march april may june july august september october november december "
// As they are written for short.
#define WORDLIST_MONTHS_SHORT " jan feb mar apr jun jul aug sep sept oct nov dec "
#define WORDLIST_DAYS         " monday tuesday wednesday thursday friday saturday sunday "
#define WORDLIST_EACH_DAY     " mondays tuesdays wednesdays thursdays fridays saturdays sundays "
#define WORDLIST_DATES        WORDLIST_MONTHS WORDLIST_DAYS
// Those that are not also English ones; without those that are other words, or beyond ASCII.
#define WORDLIST_MONTHS_GERMAN " januar februar juni juli oktober dezember "
// In their order, from one on (word_place).
#define WORDLIST_ONE_TO_TWELVE " one two three four five six seven eight nine ten eleven twelve "
// Lengths of time: parts of a day, days and parts of a year, whole days, all of these.
#define WORDLIST_SPANS_IN_DAY  " minute minutes hour hours "
#define WORDLIST_SPANS_IN_YEAR " day days week weeks month months "
#define WORDLIST_SPANS_OF_DAYS WORDLIST_SPANS_IN_YEAR " year years "
#define WORDLIST_SPANS         WORDLIST_SPANS_IN_DAY WORDLIST_SPANS_OF_DAYS
// Of money, with what stands for them beside an amount.
#define WORDLIST_DOLLARS    " dollar dollars usd "
#define WORDLIST_EUROS      " euro euros eur "
#define WORDLIST_POUNDS     " pound pounds gbp "
#define WORDLIST_CURRENCIES WORDLIST_DOLLARS WORDLIST_EUROS WORDLIST_POUNDS
// What a text may be called, by itself and by who asks about it.
#define WORDLIST_OF_TEXTS                                                                          \
    " article book contract document lease manual paper policy report story text "

#endif
