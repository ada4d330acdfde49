// Any character set to UTF-8.
#ifndef LCTOOL_IO_SOURCE_CHARSET_H
#define LCTOOL_IO_SOURCE_CHARSET_H

#include <stddef.h>
#include <sys/types.h>

#include "io/err.h"
#include "io/source/stream.h"

struct doc_charset;

enum {
    CHARSET_NO_NUL = 1,  // NUL becomes a blank
    CHARSET_GUESSED = 2, // what is no character is taken to be Latin-1 instead of U+FFFD
};
int charset_open(struct doc_charset **out, struct doc_stream *from, const char *charset, int flags,
                 struct err *e);
// The same for HTML, or the XML of word processors, that has been peeked at: the character set is
// the one that it declares, else UNSAID or, when that is NULL, what its bytes allow.
int charset_open_html(struct doc_charset **out, struct doc_stream *from, const char *unsaid,
                      struct err *e);
// The same for a plain text that has been peeked at: UTF-8 where no byte order mark says something
// else.
int charset_open_marked(struct doc_charset **out, struct doc_stream *from, struct err *e);
int charset_known(const char *charset);
void charset_close(struct doc_charset *c);
ssize_t charset_read(void *c, void *buf, size_t cap, struct err *e);
// What was read of one and not taken yet; all zero before the first byte.
struct charset_bytes {
    char in[1 << 13];
    size_t n, at;
    int ended;
};
// The next byte of C, not taken yet (B->at): 0 to 255, -1 at the end, or an error below that.
int charset_byte(struct doc_charset *c, struct charset_bytes *b, struct err *e);
// What a note says of bytes that it has read so far and that are not of its character set, U+FFFD
// stands for them; or else are controls (U+0080 to U+009F) in a set such as Latin-1, where those of
// Windows have letters and marks. In BUF [cap]; NULL: there are none.
const char *charset_says(const struct doc_charset *c, char *buf, size_t cap);

#endif
