// Who tells a document, or speaks in it: the one who mostly speaks in an interview, is asked as a
// witness, or is named as narrator or author in its head.
#ifndef LCTOOL_ENGINE_QUESTION_TELLER_H
#define LCTOOL_ENGINE_QUESTION_TELLER_H

#include "engine/question/named.h"
#include "engine/words/text_span.h"

enum {
    TELLER_SPEAKERS = 32, // no conversation has more
    TELLER_NAME = 8       // words of a name
};

// Titles before a name.
#define TELLER_TITLES " dr madam miss mr mrs ms prof professor sir "

struct speaker {
    const char *label; // [n]
    size_t n;
    int turns, asks;
    size_t bytes, own; // of all turns; how many of their words are "I"
};

struct teller {
    const char *text; // [n]
    size_t n;
    struct speaker v[TELLER_SPEAKERS];
    int n_v;
    size_t own;               // how many "I" the whole text has
    struct span_of_text head; // the name in the head; empty: it has none
    int heads;
    struct span_of_text name[TELLER_NAME]; // words of the name, titles aside
    int n_name;                            // 0: nobody tells it
    int in_head;                           // 1: it stands in the head, not before what is said
};

// Finds who tells D, from its first 256 KiB.
void teller_find(struct teller *t, const struct named_text *d);
// Whether T, where nobody tells all of it, is a conversation of several who take turns.
int teller_is_talk(const struct teller *t);
// Takes the name of its speaker I for T's. Returns whether that takes turns, and has one.
int teller_take(struct teller *t, int i);
// Whether NAME [n] has a word that no other speaker than I is called.
int teller_is_only(const struct teller *t, int i, const char *name, size_t n);

#endif
