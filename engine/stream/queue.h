// What has been read but not yet written: blocks whose tokens are still in the window, and the
// beginnings and ends of documents between them, in order.
#ifndef LCTOOL_ENGINE_STREAM_QUEUE_H
#define LCTOOL_ENGINE_STREAM_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "io/bytes.h"
#include "io/cursor.h"
#include "io/err.h"

enum item_kind { ITEM_BEGIN, ITEM_BLOCK, ITEM_END };

struct item {
    enum item_kind kind;
    char *name, *format;    // BEGIN
    uint64_t bytes, digest; // END
    size_t before; // BEGIN, END: while it is among waiting tokens, how many of these precede it
    uint32_t n_tokens, flags; // BLOCK: enum kvz_block_flags
    uint32_t written;         // BLOCK: 1: it is in the file already (an index that grows)
    uint32_t text_bytes;
    uint32_t *tokens, *token_bytes; // [n_tokens]
    char *text;
    uint8_t *picks; // [picks_bytes] what was chosen to represent the block, see represent.h
    uint32_t picks_bytes;
};

struct queue {
    struct item *v;
    size_t n, cap; // v[0] is the oldest
};

// Appends a zeroed item; NULL when memory is out. Valid until the next push or pop.
struct item *queue_push(struct queue *q, enum item_kind kind, struct err *e);
void queue_pop(struct queue *q); // drops the oldest
void queue_done(struct queue *q);
void queue_item_done(struct item *it); // what it owns; it owns nothing then

int queue_save(const struct queue *q, struct bytes *b, struct err *e);
// Appends the items saved to Q. ERR_FORMAT when they make no sense.
int queue_load(struct queue *q, struct cursor *c, struct err *e);

#endif
