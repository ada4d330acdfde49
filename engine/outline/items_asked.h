// Questions after a list: all of it, how many items it has, or one of them.
//
//     struct items_asked a;
//     if (items_asked_read(&a, "What is the second rule of the house?")) ... // a.what "rule ", a.nth 2
#ifndef LCTOOL_ENGINE_OUTLINE_ITEMS_ASKED_H
#define LCTOOL_ENGINE_OUTLINE_ITEMS_ASKED_H

#include "engine/lookup/wanted.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

enum items_wanted { ITEMS_ALL, ITEMS_NUMBER, ITEMS_NTH };

struct items_asked {
    enum items_wanted wants;
    char what[WANTED_BYTES];   // what is listed, a space behind each word
    char called[WANTED_BYTES]; // the same for reading
    char of[WANTED_BYTES];     // what else is asked, likewise
    int named;                 // words of WHAT
    char last[WORD_STEM];      // of these the last one
    int is_list;               // 1: the question says that it wants a list
    int strict; // 1: it may be answered by something else than a list, so that what leads that in
                // has to name the things as what it lists
    int nth;    // ITEMS_NTH: which one, from 1, or from -1 for the last one
    int below;  // 1: whatever stands in a list below a heading that OF is: "What is in the study?"
    int steps;  // 1: steps are asked for, of what OF says: a list that says what is
                // done need not call them so
};

// Fills in what QUESTION asks for: 1, or 0 when it asks for no list.
int items_asked_read(struct items_asked *a, const char *question);
// Names the things of A otherwise, if they are something that has the TURN-th, from 0, other name:
// "exit codes" are an "exit status", too. 1, or 0 when there is none.
int items_asked_otherwise(struct items_asked *a, const struct items_asked *from, int turn);
// Whether TEXT's S, a heading or what leads in a list, names what A asks for as what is listed, N
// things, which are all of them: "The methods available are:", "one of the following ways:", but
// not "The guests must bring:" or "Rules for guests:" where guests are asked for, nor "Rules
// include:".
int items_asked_names(const struct items_asked *a, const char *text, struct span_of_text s, int n);

#endif
