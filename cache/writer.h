// Inside of the writer, shared by write.c (documents and blocks), part.c (the directory OUT.part/,
// also resumed), part_check.c (what is found there), checkpoint.c (its state file), append.c (an
// index that grows), readback.c (blocks and texts that are read while others are written) and
// finish.c (from the directory to the index).
#ifndef LCTOOL_CACHE_WRITER_H
#define LCTOOL_CACHE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/record.h"
#include "io/err.h"
#include "io/file.h"

// Everything that grows with the input is in files: "data" is the index up to the end of BLKS,
// "spool" has an entry for each block and each finished document, in order.
enum spool_tag { SPOOL_BLOCK = 1, SPOOL_DOCUMENT = 2 };

struct spool_head {
    uint32_t tag;
    uint32_t zero;
    uint64_t bytes; // of the entry behind this head
    uint64_t check; // of the entry
};

// A block's entry: its disk_block; then for each channel the number of vectors u32, their scales
// f32, tokens u8, and the vectors, or in a narrow channel its scale, bounds and symbols; then the
// text. A document's entry: its disk_document, name, NUL, format, NUL.

// Everything that a checkpoint must restore, as it is in the state file.
struct writer_counts {
    uint64_t data_bytes, spool_bytes;
    uint64_t n_documents, n_blocks, n_tokens;
    uint64_t names_bytes;
    uint64_t in_document;              // 1: a document was begun and not ended
    uint64_t first_block, first_token; // of the document
    uint64_t covered;                  // its bytes so far
    uint64_t name_bytes, format_bytes; // of its name and format, when in_document
    uint64_t base_bytes;               // of section BASE
    uint64_t text_bytes;               // of section TEXT so far
};

// The state file: this head; META; the channels; vectors so far, u64 a channel; name and format of
// the document being written, each with its NUL; section BASE; the caller's state.
#define STATE_MAGIC "kvzstat5"
struct state_head {
    uint8_t magic[8];
    uint64_t check;        // of everything behind caller_bytes
    uint64_t caller_bytes; // bytes of the caller's state; they give the length of the file
    struct writer_counts at;
};

enum {
    STATE_CHECKED = offsetof(struct state_head, at), // the checksum covers everything from here on
};

// A window of 4096 tokens takes 1.1 GB with Llama-3-8B, and 6.9 GB with Llama-2-13B.
#define STATE_MAX ((uint64_t)1 << 36)

// A document in the spool.
struct placed_text {
    uint64_t at;    // of its first entry
    uint64_t bytes; // of its text so far
};

// Where texts are in the spool, for reading back; nothing until that is asked for.
struct placed_texts {
    struct placed_text *v; // [n] the last one may not have ended
    size_t n, n_ended, cap;
    uint64_t to; // bytes of the spool that have been gone through
    // The block that was read last: texts are mostly read from front to back.
    uint64_t document, block_at, block_start;
};

struct kvz_writer {
    char *path, *part, *data_path, *spool_path, *state_path;
    int dir_fd, data_fd, spool_fd; // -1: not open; dir_fd holds the lock
    int wiped;                     // 1: what the directory holds is new
    struct file_seen was;          // at PATH when this writer began
    struct kvz_meta meta;
    struct kvz_channel *channels; // [meta.n_channels]
    uint64_t *n_vectors;          // [meta.n_channels] so far
    struct writer_counts at;
    char *name, *format; // of the document being written
    struct packer *packer;
    struct record_maker *maker;
    struct bytes base;             // section BASE, of a fitted codec; n is 0 until it is known
    struct basis *basis;           // made from it
    struct bytes summary;          // section SUMM; n is 0 until there is one
    struct kvz_summary summary_is; // its shape
    uint32_t summary_layers;       // of it so far
    struct bytes sentences;        // section SENT; n is 0 until there is one
    struct bytes words;            // section WORD, likewise
    struct bytes record, entry;    // reused from block to block
    struct disk_block *placed;     // [n_placed] blocks found in the spool, for reading back;
    size_t n_placed, placed_cap;   // nothing until kvz_writer_read_kv is called
    uint64_t placed_to;            // bytes of the spool that have been gone through
    struct placed_texts texts;
    struct err stays; // why the directory is there although the index is whole
};

// A writer without files. M and CHANNELS are copied and checked.
int writer_new(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e);

// Whether a channel's vectors have four bits: if they are keys of every token, and keys and values
// have few bits.
int writer_is_narrow(const struct kvz_writer *w, uint32_t channel);
// Room for the vectors of a block's entry, to be filled in, laid out as *AT, the scales first.
// NULL: no memory.
uint8_t *spool_vectors(struct kvz_writer *w, uint32_t channel, uint32_t n, struct disk_run *at,
                       struct err *e);

// Opens the directory, creates it if needed, and locks it; ERR_IO when another process writes
// there. WIPE: what an earlier run left is removed, and data begins with room for the header.
int part_open(struct kvz_writer *w, int wipe, struct err *e);
// Closes a writer that failed before its caller had it, and takes away a directory that it wiped,
// which holds nothing to resume from: half a copy would fill the disk. W NULL: nothing.
void part_give_up(struct kvz_writer *w);
// Takes over section BASE as an earlier run made it; DATA NULL: there is none, which is ERR_FORMAT.
int part_take_base(struct kvz_writer *w, const uint8_t *data, uint64_t bytes, struct err *e);

// An entry of the spool: begun in w->entry with BYTES of data behind its head, extended there with
// bytes_add, and appended to the file. If appending fails, the spool is as it was.
int spool_begin(struct kvz_writer *w, const void *data, size_t bytes, struct err *e);
int spool_put(struct kvz_writer *w, enum spool_tag tag, struct err *e);
// Reads the entry at *AT, which is not the end of the spool, into w->entry, and moves *AT behind
// it. ERR_FORMAT: damaged.
int spool_next(struct kvz_writer *w, uint64_t *at, uint32_t *tag, struct err *e);

// Checks what an earlier run has left up to its checkpoint: every entry of the spool, and the
// record of every block. ERR_FORMAT: damaged.
int part_check(struct kvz_writer *w, struct err *e);

#endif
