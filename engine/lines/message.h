// Messages in a text: a mailbox as io/form/mail.c writes it, mails forwarded within another, and
// commits as git log writes them. What one of them says is not about the next.
#ifndef LCTOOL_ENGINE_LINES_MESSAGE_H
#define LCTOOL_ENGINE_LINES_MESSAGE_H

#include <stddef.h>

#include "engine/lines/lines.h"
#include "engine/words/text_span.h"

enum message_field {
    MESSAGE_COMMIT, // its name
    MESSAGE_FROM,
    MESSAGE_DATE,
    MESSAGE_SUBJECT,
    MESSAGE_OTHER, // to whom it went
    MESSAGE_NONE
};

enum message_part { MESSAGE_BODY, MESSAGE_HEAD, MESSAGE_SIGNATURE };

// Which field of a head the line TEXT [n] is, by its English, German or French name.
enum message_field message_field_of(const char *text, size_t n);
// The line of bytes FROM to TO of C, a head, that is FIELD, without marks of a quotation; {0}:
// there is none.
struct span_of_text message_line(const struct lines *c, size_t from, size_t to,
                                 enum message_field field);
// Whether the line that begins with byte LINE is one of a head, the fields FROM to TO.
int message_head(const struct lines *c, size_t line, size_t *from, size_t *to);
// Whether the head that begins with byte HEAD is that of a mail which the one above it has below
// its own words: the line above says so, "-----Original Message-----".
int message_is_forwarded(const struct lines *c, size_t head);
// Whether it divides a signature from what is signed: "-- ".
int message_is_signed(const struct lines *c, size_t line);
// The part of a message that byte AT of C is in, FROM to TO: its head, its signature from "-- " on,
// or the body between them; all of C when there is neither head nor signature. Sentences do not
// cross from one part into another.
enum message_part message_part_of(const struct lines *c, size_t at, size_t *from, size_t *to);

// Whether the head TEXT [n] is a commit's.
int message_is_commit(const char *text, size_t n);
// Where the subject ends, the first line of the body that begins with byte BODY; BODY: it has none.
size_t message_subject(const struct lines *c, size_t body);
// Whether byte AT of C is in the body of a commit: FROM to TO is its head, with its subject where
// that is above AT.
int message_commit(const struct lines *c, size_t at, size_t *from, size_t *to);
// Whether byte AT of C is in the body of a commit that ends with trailers ("Fixes: #12"), FROM to
// TO; from AT on where it began above the text.
int message_trailed(const struct lines *c, size_t at, size_t *from, size_t *to);

#endif
