// What a document passes through, each a stream that reads from the one before it:
//
//     source (a file, decompressed)
//       -> [member of an archive -> source (decompressed)]...       // as often as archives are nested
//       -> [to UTF-8] -> [HTML to text]  or  [PDF | mail | cards | subtitles to text]
//       -> [to UTF-8] -> [Info to text]
//
// io/source/ has sources, what they are, and character sets; io/archive/ what lies in them;
// io/form/ makes text of each form; io/doc/ walks over the inputs and hands the documents out.
#ifndef LCTOOL_IO_SOURCE_STREAM_H
#define LCTOOL_IO_SOURCE_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/err.h"

enum { DOC_HEAD = 4096 }; // what a document is, is decided from this many bytes

typedef ssize_t doc_read_fn(void *self, void *buf, size_t cap, struct err *e); // 0 at the end

// A stream whose first bytes can be looked at before they are read.
struct doc_stream {
    doc_read_fn *read;
    void *self;
    const char *name; // for messages; borrowed
    uint8_t head[DOC_HEAD];
    size_t n_head, at_head;
};

typedef void doc_note_fn(void *arg, const char *msg); // NULL: nobody wants to know

int stream_peek(struct doc_stream *s, struct err *e); // fills head as far as the stream goes
// Passes over the byte order mark that a stream which has been peeked at begins with: it says that
// what follows is UTF-8, and is no text.
void stream_skip_mark(struct doc_stream *s);
// Puts three line feeds in its place, so that offsets of the text count the bytes of its file.
void stream_blank_mark(struct doc_stream *s);
ssize_t stream_read(struct doc_stream *s, void *buf, size_t cap, struct err *e);
// For any read: gives of MADE [n] what is behind byte *AT, up to CAP bytes, and moves *AT on.
// Returns their number.
ssize_t stream_give(void *buf, size_t cap, const void *made, size_t n, size_t *at);

#endif
