// How mails, and address cards of their time, write bytes as plain text, and what they call the
// character sets; links write bytes with the same digits.
#ifndef LCTOOL_IO_SOURCE_DECODE_H
#define LCTOOL_IO_SOURCE_DECODE_H

#include <stddef.h>

#include "io/bytes.h"
#include "io/err.h"
#include "io/source/charset.h"
#include "io/source/stream.h"

// Decodes base64 from IN, keeping in *BITS and *N_BITS what is not yet a byte; quoted-printable, of
// one line or a part of it. OUT has room for N bytes; returns how many there are.
size_t decode_base64(const char *in, size_t n, char *out, unsigned *bits, int *n_bits);
size_t decode_quoted(const char *in, size_t n, char *out);
// The value of a hexadecimal digit, or -1.
int decode_hex(char c);

// FROM, in what a mail calls CHARSET: mails name some in their own way, and one that is not known
// does not spoil the others. UTF-8 where none is named, or none that is known.
int decode_charset_open(struct doc_charset **out, struct doc_stream *from, const char *charset,
                        struct err *e);
// TEXT [n] in CHARSET as UTF-8; what is not UTF-8 is taken for Latin-1, control characters are left
// out.
int decode_text(struct bytes *t, const char *text, size_t n, const char *charset, struct err *e);

#endif
