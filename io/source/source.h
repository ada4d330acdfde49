// A file, standard input or a member of an archive, decompressed.
#ifndef LCTOOL_IO_SOURCE_SOURCE_H
#define LCTOOL_IO_SOURCE_SOURCE_H

#include <signal.h>
#include <stdint.h>

#include "io/err.h"
#include "io/source/stream.h"

struct doc_source;

// PATH NULL is standard input. NAME, for messages, is copied. STOP is borrowed and may be NULL:
// once it is non-zero, reading that would wait is ERR_INTERRUPTED.
int source_open(struct doc_source **out, const char *path, const char *name,
                const volatile sig_atomic_t *stop, struct err *e);
// The same over the stream FROM, which is borrowed: a file within a file.
int source_over(struct doc_source **out, struct doc_stream *from, const char *name, struct err *e);
int source_from_failed(const struct doc_source *s); // whether an error of the source was FROM's
void source_close(struct doc_source *s);
struct doc_stream *source_stream(struct doc_source *s);
uint64_t source_size(const struct doc_source *s); // of the file, 0 when unknown
uint64_t source_at(const struct doc_source *s);   // bytes of the file consumed
// Who may read the file, as in struct doc_info.
unsigned source_readers(const struct doc_source *s);
// The source from its first byte again; only where source_can_seek().
int source_can_seek(const struct doc_source *s); // an uncompressed regular file
int source_rewind(struct doc_source *s, struct err *e);
// Moves to an offset counted from WHENCE; the new offset or a negative error.
int64_t source_seek(struct doc_source *s, int64_t off, int whence, struct err *e);

#endif
