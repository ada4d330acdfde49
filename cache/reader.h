// Inside of the reader, shared by read.c (the interface), layout.c (where the parts are) and
// verify.c.
//
// An index is opened in steps: reader_layout, reader_meta, reader_basis, reader_docs,
// reader_channels. Each relies on the ones before it and fails alone, so that verify can continue
// after damage.
#ifndef LCTOOL_CACHE_READER_H
#define LCTOOL_CACHE_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/record.h"
#include "io/err.h"
#include "io/file.h"

enum {
    S_BLOCKS,
    S_DIR,
    S_VECTORS,
    S_CHANNELS,
    S_DOCS,
    S_NAMES,
    S_META,
    S_TEXT,
    S_BASE,
    S_SUMMARY,
    S_SENTENCES,
    S_WORDS,
    N_SECTIONS
};

// The basis, made by the first thread that asks for it.
struct fitted {
    pthread_mutex_t lock;
    _Atomic(struct basis *) basis; // NULL: not made yet
    pthread_t maker;               // the thread of kvz_open_beside
    int is_being_made;             // 1: that thread has not been joined yet
};

// Of what is checked when it is first asked for, 1: this was done.
struct checked {
    atomic_uchar summary;   // R25, R26
    atomic_uchar sentences; // R29 to R31
    atomic_uchar words;     // R32 and R33
};

// An index channel that has been asked for.
struct opened_run {
    pthread_mutex_t lock;
    atomic_uchar ok; // 1: R21 was checked
    int8_t *vectors; // of a narrow run [n][dim]; else NULL, like the others
    float *scale;    // [n]
    uint8_t *token;  // [n]
};

// The arrays of a run as they lie in the map.
struct run_arrays {
    struct disk_run at;
    int narrow;
    const uint64_t *start; // [n_blocks + 1]
    const float *scale;    // [n], or narrow [n_blocks]
    const uint8_t *token;  // [n], or narrow [n_blocks][dim][2] bounds
    const uint8_t *vectors;
};

// A document and its digest, to find it by that (find.c).
struct digest_at {
    uint64_t digest, document;
};

struct kvz {
    char *path;
    struct file_map map;
    struct disk_header head;
    struct disk_section *sections;      // [head.n_sections]
    struct disk_section of[N_SECTIONS]; // the sections that this build knows
    struct kvz_meta meta;
    struct fitted *fitted;         // what a fitted codec has learnt
    struct disk_channel *channels; // [meta.n_channels]
    struct opened_run *runs;       // [n_runs]: meta.n_channels
    uint32_t n_runs;
    pthread_t checker;       // the thread of kvz_check_beside
    int is_being_checked;    // 1: that thread has not been joined
    atomic_uchar is_closing; // 1: it need not go on
    struct checked *checked;
    atomic_uchar text_ok;        // 1: the checksum of TEXT was
    uint64_t *text_at;           // [head.n_documents] where the text of each begins in TEXT
    uint64_t text_bytes;         // of all documents
    struct digest_at *by_digest; // [head.n_documents] in the order of digests; NULL until needed
    unsigned char *superseded;   // [head.n_documents] 1: it is; NULL until needed
    int docs_ok;                 // 1: reader_docs has passed
};

int reader_map(struct kvz **out, const char *path, struct err *e); // kvz_close releases

// R3 to R7: header and section table.
int reader_layout(struct kvz *k, struct err *e);
// Checks the checksum of one section; ERR_FORMAT names it. Does nothing for self-checked ones.
int reader_section(const struct kvz *k, const struct disk_section *s, struct err *e);
int reader_meta(struct kvz *k, struct err *e); // R8
// R7, R23; *BASIS is NULL if the codec is not fitted.
int reader_basis(const struct kvz *k, const struct basis **basis, struct err *e);
int reader_docs(struct kvz *k, struct err *e);     // R9, R10
int reader_channels(struct kvz *k, struct err *e); // R20
// R27: one layer of the state's own keys and values, laid out as for kvz_put_summary_kv.
int reader_summary_own(const struct kvz *k, const struct kvz_summary *s, uint32_t layer, float *kk,
                       float *vv, struct err *e);
// R27, for a state without its own: one layer's keys and values. NULL: only checks that blocks have
// its tokens.
int reader_summary_kv(const struct kvz *k, const struct kvz_summary *s, uint32_t layer, float *kk,
                      float *vv, struct err *e);

// R11. Without docs_ok the document is not checked.
int reader_entry(const struct kvz *k, uint64_t block, struct disk_block *d, struct err *e);
struct disk_document reader_document(const struct kvz *k, uint64_t i);
// The record of a block, with its head checked. Messages lack path and block.
int reader_record(const struct kvz *k, uint64_t block, struct record *r, struct err *e);
// As kvz_read_text, always from the record.
int reader_text(const struct kvz *k, uint64_t block, char *text, struct err *e);
// The channel, without the flag for narrow runs.
static inline struct kvz_channel reader_channel(const struct kvz *k, uint32_t channel)
{
    const struct disk_channel *c = &k->channels[channel];
    return (struct kvz_channel){c->layer, c->head, c->kind & ~(uint32_t)DISK_NARROW, c->dim};
}
int reader_run_arrays(const struct kvz *k, uint32_t channel, struct run_arrays *a, struct err *e);
// R21: checks all of the run.
int reader_run(const struct kvz *k, uint32_t channel, struct kvz_run *r, struct err *e);
void runs_stop(struct kvz *k); // ends what kvz_check_beside began, before the map goes
void runs_close(struct kvz *k);
// "book.txt bytes 7421-7688", as far as these are known. Returns BUF.
const char *reader_where(const struct kvz *k, uint64_t block, char *buf, size_t cap);

#endif
