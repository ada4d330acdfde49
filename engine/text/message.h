// Messages in a text: a mailbox as io/doc writes it, mails forwarded within another, commits as git
// log writes them. What one of them says is not about the next.
#ifndef LCTOOL_ENGINE_MESSAGE_H
#define LCTOOL_ENGINE_MESSAGE_H

#include <stddef.h>

#include "engine/text/cut.h"
#include "engine/text/span.h"

enum message_field {
    MESSAGE_FROM,
    MESSAGE_DATE,
    MESSAGE_COMMIT, // its name
    MESSAGE_SUBJECT,
    MESSAGE_OTHER, // to whom it went
    MESSAGE_NONE
};

enum message_part { MESSAGE_BODY, MESSAGE_HEAD, MESSAGE_SIGNATURE };

// Which field of a head the line TEXT [n] is, by its English, German or French name.
enum message_field message_field_of(const char *text, size_t n);
// The line of bytes FROM to TO of C, a head, that is FIELD, without marks of a quotation; {0}:
// there is none.
struct span_of_text message_line(const struct cut *c, size_t from, size_t to,
                                 enum message_field field);
// Whether the line that begins with byte LINE is one of a head, the fields FROM to TO.
int message_head(const struct cut *c, size_t line, size_t *from, size_t *to);
// Whether it divides a signature from what is signed: "-- ".
int message_is_signed(const struct cut *c, size_t line);
// The part of a message that byte AT of C is in, FROM to TO: its head, its signature from "-- " on,
// or the body between them; all of C when there is neither head nor signature. Sentences do not
// cross from one part into another.
enum message_part message_part_of(const struct cut *c, size_t at, size_t *from, size_t *to);

// Whether the head TEXT [n] is a commit's.
int message_is_commit(const char *text, size_t n);
// Where the subject ends, the first line of the body that begins with byte BODY; BODY: it has none.
size_t message_subject(const struct cut *c, size_t body);
// Whether byte AT of C is in the body of a commit: FROM to TO is its head, with its subject where
// that is above AT.
int message_commit(const struct cut *c, size_t at, size_t *from, size_t *to);
// Whether byte AT of C is in the body of a commit that ends with trailers ("Fixes: #12"), FROM to
// TO; from AT on where it began above the text.
int message_trailed(const struct cut *c, size_t at, size_t *from, size_t *to);

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
