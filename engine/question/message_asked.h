// What a question asks of a message: of its head, of who signs it, or of what it says.
#ifndef LCTOOL_ENGINE_QUESTION_MESSAGE_ASKED_H
#define LCTOOL_ENGINE_QUESTION_MESSAGE_ASKED_H

#include <stddef.h>

// Whether a head may tell what QUESTION asks for and SENTENCE lacks: who wrote something, or when,
// who it is that says "I" there, or somebody's name; of a commit who made it, when, and which one
// it is.
int message_may_tell(const char *question, const char *sentence);
// Whether QUESTION is answered by what a message says, not by its head: it asks what somebody said,
// or what, which, how, where, why or when something is that no head has.
int message_asked_of_body(const char *question);
// Whether what a message is signed with, TEXT [n], may answer QUESTION: it asks who somebody is or
// how one is reached, or names who signs, but not what that one did.
int message_may_sign(const char *question, const char *text, size_t n);
// Whether it asks what somebody said whose name the sender on the first line of SENTENCE has not.
int message_of_another(const char *question, const char *sentence);
// Whether QUESTION asks that of a commit.
int message_asked_of_commit(const char *question);
// Writes who wrote the head TEXT [n], when and about what, each on a line, to OUT [MESSAGE_TOLD]
// and returns the number of bytes; of a commit the subject and what else tells. 0: it does not tell
// that, nor has another word of QUESTION that SENTENCE lacks.
enum { MESSAGE_TOLD = 513 };
size_t message_told(const char *text, size_t n, const char *question, const char *sentence,
                    char *out);

#endif
