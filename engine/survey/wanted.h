// What a question asks of all of a text, told from the question alone, in English: how often
// something is mentioned, in which lines, which words are the most common, what a name leads to
// through other names, what a section of a number says, who is called something. Most questions ask
// for nothing of the kind.
//
//     struct wanted w;
//     if (wanted_parse(&w, "How often is the rent mentioned in the lease?")) ... // w.want WANT_COUNT, w.what "rent"
#ifndef LCTOOL_ENGINE_WANTED_H
#define LCTOOL_ENGINE_WANTED_H

enum want {
    WANT_NOTHING,
    WANT_COUNT,    // how often WHAT stands in the text, or in how many lines or sentences
    WANT_LINES,    // the lines or sentences that have WHAT
    WANT_COMMON,   // the N words, or numbers, that stand there most often
    WANT_HOLDERS,  // the names whose value is WHAT, by way of others
    WANT_VALUE,    // the value of the name WHAT, by way of others
    WANT_RESTS_ON, // the names by which WHAT is defined, and by which these are
    WANT_RESTING,  // the names that are defined by WHAT, and by these
    WANT_LED_TO,   // the KIND of thing that the name WHAT leads to, from line to line
    WANT_SECTION,  // what the section of the number WHAT says
    WANT_ROLE,     // who is called WHAT
    WANT_ENTRY,    // what the entry of a change log says that has the label WHAT,
    WANT_DATED,    // and when it was made
    WANT_ENTRIES,  // which entries there are, or are of WHAT, a year
    WANT_NEWEST,   // the entry with the highest label
    WANT_OLDEST,   // and with the lowest
    WANT_ORIGIN,   // the lowest one that has WHAT
};
enum wanted_unit { UNIT_PLACES, UNIT_LINES, UNIT_SENTENCES };

enum { WANTED_BYTES = 128 };

struct wanted {
    enum want want;
    enum wanted_unit unit;
    char what[WANTED_BYTES],
        kind[WANTED_BYTES]; // as the question has them, quotation marks left out
    int n;                  // WANT_COMMON: how many, at most 999 (form_number)
    int numbers;            // WANT_COMMON: of numbers, not of words
};

// Whether QUESTION asks for such a thing; *W says for which.
int wanted_parse(struct wanted *w, const char *question);

#endif
