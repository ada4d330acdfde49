// What a word of a text is read with.
#ifndef LCTOOL_TESTS_CUT_SAYS_H
#define LCTOOL_TESTS_CUT_SAYS_H

// The sentence of TEXT that has WORD, with its company, is ALL, and what leads it in WANT_LEAD;
// NULL: nothing does.
void says(const char *text, const char *word, const char *want_lead, const char *all);

#endif
