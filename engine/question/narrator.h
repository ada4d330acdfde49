// The one who tells what a document is: who mostly speaks in an interview, or is named as narrator
// or author in its head. There the name stands where nothing is told, and what is told has "I".
//
//     int rc = narrator_asked(&as_told, &which, "When did Dot leave the mill?", texts, n, &e);
//     if (!rc && as_told) ...          // "When did I leave the mill?", of texts[which]
//     free(as_told);
#ifndef LCTOOL_ENGINE_QUESTION_NARRATOR_H
#define LCTOOL_ENGINE_QUESTION_NARRATOR_H

#include "engine/question/named.h"
#include "io/err.h"

// *OUT: QUESTION with "I", "me" and "my" in the place of the name of who tells the document *WHICH
// of D [n], whose name no other one has; the caller frees it. NULL: it has no such name, there are
// several such documents, or the question asks for nothing else than who that is. Who speaks is
// seen from the first 256 KiB of a document.
int narrator_asked(char **out, int *which, const char *question, const struct named_text *d, int n,
                   struct err *e);

// *OUT likewise, of a conversation: "What will Esther add?" is "What will I add?", of *WHO,
// "Esther", which is the subject, has or does something; the caller frees both.
int narrator_spoken(char **out, char **who, int *which, const char *question,
                    const struct named_text *d, int n, struct err *e);

#endif
