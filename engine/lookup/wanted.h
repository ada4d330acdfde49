// What a question asks of all of a text, told from the question alone, in English and, of sections
// and of who is called something, in German: how often something is mentioned, in which lines,
// which words are the most common, what a name leads to through other names, what a section of a
// number says, which parts there are and which is the last, who is called something, what is said
// in a change log. Most questions ask for nothing of the kind; cells, fields and terms are
// recognised by what the text has.
//
//     struct wanted w;
//     if (wanted_parse(&w, "How often is the rent mentioned in the lease?")) ... // w.want WANT_COUNT, w.what "rent"
#ifndef LCTOOL_ENGINE_LOOKUP_WANTED_H
#define LCTOOL_ENGINE_LOOKUP_WANTED_H

#include <stddef.h>

#include "engine/words/clock.h"

enum want {
    WANT_NOTHING,
    WANT_COUNT,    // how often WHAT stands in the text, or in how many lines or sentences
    WANT_MENTION,  // whether it does
    WANT_LINES,    // the lines or sentences that have WHAT
    WANT_COMMON,   // the N most frequent words, or numbers
    WANT_HOLDERS,  // the names whose value is WHAT, directly or by way of other names
    WANT_VALUE,    // the value of the name WHAT, likewise
    WANT_RESTS_ON, // the names by which WHAT is defined, and those by which these are
    WANT_RESTING,  // the names that are defined by WHAT, and those that are by these
    WANT_LED_TO,   // the thing of a KIND that the name WHAT leads to, from line to line
    WANT_SECTION,  // what the section with the number WHAT says, of ABOUT if there is that; or the
                   // one about ABOUT
    WANT_TITLE,    // what it is called
    WANT_ROLE,     // who is called WHAT,
    WANT_CHAIR,    // and who was in the chair
    WANT_REACHED,  // the telephone number or the address of WHOM
    // Of lines, messages and parts that are called by one word (parts.h):
    WANT_NUMBER,       // how many of KIND there are, with WHAT or from WHOM if it says so
    WANT_LIST,         // which
    WANT_SENDERS,      // who wrote messages, about ABOUT if it says so,
    WANT_N_SENDERS,    // how many these are,
    WANT_SUBJECTS,     // and about what
    WANT_PART,         // number N of WHAT, from WHOM or about ABOUT
    WANT_PART_WHO,     // who wrote it,
    WANT_PART_WHEN,    // when,
    WANT_PART_WHERE,   // where,
    WANT_PART_SUBJECT, // with which subject
    WANT_PART_SAYS,    // what it says
    WANT_ATTENDED,     // who was at a meeting, number N or the one of WHAT,
    WANT_ABSENT,       // who was not,
    WANT_N_ATTENDED,   // how many were there,
    WANT_N_ABSENT,     // and how many were not,
    WANT_NEXT_MEETING, // and when the one after it is

    // Of a log:
    WANT_N_TOLD,     // how many of WHAT it tells of that had KIND done to them: vessels departed
    WANT_OFTEN_TOLD, // how often it tells that something happened to WHAT
    WANT_TOLD,       // the lines that tell it
    WANT_HAPPENED,   // its lines of TIMES and DAY
    WANT_HIGHEST,    // its line with the highest number behind WHAT,
    WANT_LOWEST,     // with the lowest,
    WANT_LONGEST,    // of the WHAT that took the longest,
    WANT_SHORTEST,   // and the shortest
    WANT_ENDED,      // how WHAT ended,
    WANT_ENDED_WHEN, // when,
    WANT_SUCCEEDED_WHEN, // when it did well,
    WANT_FAILED_WHEN,    // when it did not,
    WANT_FAILED_WHY,     // and why,
    WANT_VERSION_OUT,    // which version of WHAT was KIND: "rolled"
    WANT_TOOK,           // and how long it took

    // Of a change log, that of a KIND if the question names it:
    WANT_ENTRY,         // what the entry with the label WHAT says,
    WANT_ENTRY_FIXED,   // of what was mended,
    WANT_ENTRY_REMOVED, // or of what is gone, of such ABOUT alone where the question says that,
    WANT_ENTRY_BELOW,   // or below its heading ABOUT,
    WANT_ENTRY_WHO,     // who made it
    WANT_DATED,         // when it was made
    WANT_ENTRIES,       // which entries there are, or are of the year WHAT
    WANT_NEWEST,        // the entry with the highest label
    WANT_OLDEST,        // the entry with the lowest label
    WANT_ADDED,         // the lowest one that has WHAT as an addition,
    WANT_FIXED,         // as something mended,
    WANT_REMOVED,       // as gone,
    WANT_CHANGED,       // or as changed otherwise
};
enum wanted_unit { UNIT_PLACES, UNIT_LINES, UNIT_SENTENCES, UNIT_EVENTS };

enum { WANTED_BYTES = 128 };

struct wanted {
    enum want want;
    enum wanted_unit unit;
    // As the question has them, without quotation marks.
    char what[WANTED_BYTES], kind[WANTED_BYTES], whom[WANTED_BYTES], about[WANTED_BYTES];
    char section[WANTED_BYTES]; // WANT_SECTION: "clause"
    int exact;                  // 1: WHAT was quoted, or called a word
    int n;   // WANT_COMMON: how many, at most 999 (form_number); WANT_PART: which one, from 1,
             // or from -1 for the last one
    int nth; // the same where the question says which one; 0: it does not
    char day[WANTED_BYTES]; // of a log: the day that is asked of, or "the day"; ""
    int timed;              // 1: lines of TIMES are asked of
    struct clock_span times;
    int thread;  // 1: it asks of one row of messages, those about ABOUT or all of the text
    int numbers; // WANT_COMMON: 1: of numbers, 0: of words
};

// Adds WORD [n] and a space to WORDS, unless there is no room.
void wanted_keep_word(char words[WANTED_BYTES], const char *word, size_t n);

// Fills in what QUESTION asks for: 1, or 0 with WANT_NOTHING.
int wanted_parse(struct wanted *w, const char *question);

// Whether W names what it asks for as it is written: in quotation marks, or one word with more than
// small letters, "FATAL", "E17". Where that stands nowhere, nothing else is meant.
int wanted_is_literal(const struct wanted *w);

#endif
