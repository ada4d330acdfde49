// Sentences of a text that take back what it said before them: amendments, corrections, successors.
//
//     struct changed_said s = {text, n, said, question, answer};
//     if (changed_find(&s, &at))
//         ...     // text[at.from .. at.to): "The fee is raised from 20 to 25 pounds."
#ifndef LCTOOL_ENGINE_CHANGED_CHANGED_H
#define LCTOOL_ENGINE_CHANGED_CHANGED_H

#include <stddef.h>

#include "engine/words/text_span.h"

// What was said, all of it borrowed: an answer from bytes SAID of TEXT [n].
struct changed_said {
    const char *text;
    size_t n;
    struct span_of_text said;
    const char *question, *answer;
    int unsure; // the answer may be wrong: only a reply that quotes it counts, what changes the
                // clause that it is of, or words of it there, what corrects a number of it and has
                // words of the question, or gives what is to be read for a large one, what denies
                // a guess, and, where it is asked what is so now, a new number
};

// Finds the first sentence behind what was said, *AT, that changes it: that gives a number, a day
// or a name of the answer as the old one beside a new one, quotes words of it that others replace,
// or says that the clause of SAID, which is told by its number, is another now, or what it is of;
// and that has a further word in common with what was said, or quotes what stands there alone; or
// the row of a table that has it below what was printed, beside what is right; or that says that
// the table which has it says it wrongly; or that gives another number of its unit below a heading
// that announces corrections; or that changes of a motion are accepted, or something is decided, in
// minutes, below a title that what was said has; or that quotes words of the answer in a mail, with
// a reply that refuses them; or that gives another number for what it names as what was said does,
// says most of that once more with "now", or denies a word of it beside the right one, or nothing
// but that ("It was not the seal."). Of a sentence that says itself that it was wrong, or what was
// once printed or is given for something, *AT is those behind it that correct it, or the next one
// that gives only what is so now, or denies it of a case that is asked for. 0: there is none, the
// answer has it already, or the question is about what was before.
int changed_find(const struct changed_said *s, struct span_of_text *at);

#endif
