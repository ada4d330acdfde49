// The .kvz index file: writer, mapped reader, verifier. man/kvz.5 is the specification.
//
// Writing (a directory OUT.part/ holds the growing file until kvz_finish renames it to OUT):
//
//     struct kvz_writer *w;
//     if (kvz_create(&w, "book.kvz", &meta, &e)) ...
//     kvz_begin_document(w, "book.txt", "text", &e);
//     kvz_add_block(w, &block, &e);                    // blocks in order of the token stream
//     kvz_checkpoint_begin(&c, w, &e) ... kvz_checkpoint_end(c, &e);  // now and then: from here a killed
//                                                      // run resumes
//     kvz_end_document(w, bytes, digest, &e);
//     kvz_finish(w, &file_bytes, &e);                  // sections, header, fsync, rename
//     kvz_writer_close(w);                             // without finish: OUT.part/ stays, resumable
//
// Reading:
//
//     struct kvz *k;
//     if (kvz_open(&k, "book.kvz", &e)) ...            // maps; reads header and directory only
//     kvz_read_kv(k, block, layer, kbuf, vbuf, stride, &e); // one block of one layer: one short read
//     kvz_close(k);
//
// A block is up to meta.block tokens of ONE document, consecutive in the stream. Blocks tile the
// stream: the first ones, up to meta.sinks tokens, are the sinks (KVZ_SINK; of them the first are
// stored exactly, or nearly so).
#ifndef LCTOOL_CACHE_KVZ_H
#define LCTOOL_CACHE_KVZ_H

#include <stddef.h>
#include <stdint.h>

#include "io/err.h"
#include "kernels/coded.h"
#include "kernels/kernels.h"

enum { KVZ_NAME_MAX = 64, KVZ_PARAMS_MAX = 1024, KVZ_DIM_MAX = 4096 };

// Numbers of kvz(5).
enum codec_id {
    CODEC_FLOAT16 = 0,
    CODEC_INT8 = 1,
    CODEC_ROTATED = 2,
    CODEC_CODED = 3,
    CODEC_CODED_WIDE = 4,
    CODEC_CODED_PAIRED = 5,
};

// How blocks are stored. Recorded in the file; a reader refuses a codec it does not know.
struct kvz_recipe {
    uint32_t codec; // enum codec_id
    // Of an element of keys, and of values: bits, 16 with codec 0, 8 with 1, 2 to 8 with 2; with
    // codecs 3 to 5 hundredths of a bit on average, 10 to 1200.
    uint32_t k_bits, v_bits;
    uint32_t level; // zlib level 1..9
};

// The average number of bits of an element: BITS is k_bits or v_bits.
static inline double kvz_bits(const struct kvz_recipe *r, uint32_t bits)
{
    return r->codec >= CODEC_CODED ? bits / 100. : bits;
}

// All that must be known to use the index. Written once, never changed.
struct kvz_meta {
    char model[KVZ_NAME_MAX]; // general.name of the model, for people
    char model_path[4096];    // where it was, so that query finds it again
    char arch[KVZ_NAME_MAX];
    uint64_t model_digest; // of tensors and the metadata that shapes K and V
    uint64_t tokenizer_digest;
    uint32_t n_layers, n_heads, n_kv_heads, head_dim;
    uint32_t sinks, block, window, chunk, topk; // tokens; topk: blocks retrieved while encoding
    char positions[16];                         // "window", "original", "contiguous"
    char method[32];                            // "ltri", ...
    char template_name[32];                     // chat template, "raw" when none
    char params[KVZ_PARAMS_MAX];                // further method parameters as "key=value\n" lines
    struct kvz_recipe recipe;
    uint32_t n_channels; // index channels, below
};

// An index channel: vectors of one head of one layer for every block. A whole channel is one
// contiguous run of vectors with 8 bits an element, or 4 where the recipe has few bits for keys.
// What the vectors are is the method's business.
struct kvz_channel {
    uint32_t layer, head; // kv head of keys; query head of representatives (the first one
                          // of the kv head, where they are its keys)
    uint32_t kind;        // enum kvz_channel_kind
    uint32_t dim;
};
enum kvz_channel_kind {
    KVZ_KEYS = 1,            // the raw key of every token of the block, in order
    KVZ_REPRESENTATIVES = 2, // one or more representative keys
};

enum kvz_block_flags { KVZ_SINK = 1 };

// What the encoder hands over for one block.
struct kvz_block_in {
    uint32_t n_tokens; // 1..meta.block
    uint32_t flags;
    const uint32_t *tokens; // [n_tokens]
    // [n_tokens] bytes of the document each stands for (0: template head).
    const uint32_t *token_bytes;
    const char *text; // the document's bytes that the tokens cover, sum of token_bytes
    const float *const *k, *const *v; // [n_layers] -> [n_kv_heads][kv_stride][head_dim], raw keys
    uint32_t kv_stride;
    const float *const *mass; // [n_layers] -> [n_tokens] attention received, all heads summed
    // per channel: vectors [n][dim] in float, n may differ from block to block (0 is allowed)
    const float *const *vectors;        // [n_channels]
    const uint32_t *n_vectors;          // [n_channels], each <= 255
    const uint8_t *const *vector_token; // [n_channels] -> [n] token of the block each vector comes
                                        // from; NULL: 0,1,2...
};

struct kvz_writer;
// Begins the index PATH in PATH.part/, whose old contents are lost. ERR_IO when another process
// writes there. An error leaves no PATH.part/, unless it is another's.
int kvz_create(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e);
// Continues PATH.part/ from its last checkpoint: what was written after it is cut off. *STATE (to
// be freed by the caller) is what was given to kvz_checkpoint_put. ERR_MISMATCH names the first
// field of M that differs; ERR_FORMAT when the directory is damaged (the remedy: --force).
int kvz_resume(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, void **state, size_t *state_bytes,
               struct err *e);
// Starts from a finished index at PATH: copies its blocks to PATH.part/ and goes on after them.
// Until the writer is closed no other one puts another index there. Of a failure nothing stays.
// ERR_UNSUPPORTED when another program has laid out the index so that it cannot grow.
int kvz_append(struct kvz_writer **out, const char *path, const struct kvz_meta *m,
               const struct kvz_channel *channels, struct err *e);
// Sets the number of threads that encode blocks; it is 1 at first. The bytes of the index do not
// depend on it.
int kvz_writer_threads(struct kvz_writer *w, int threads, struct err *e);
// These threads, which the caller may use between two calls; valid until kvz_writer_threads or
// kvz_writer_close.
struct pool *kvz_writer_pool(const struct kvz_writer *w);
// Takes the index from those whom READERS, bits for reading of a file's mode, leaves out; but not
// one that replaces another, or grows: that keeps its mode. Returns whether that lets others read.
int kvz_writer_narrow(const struct kvz_writer *w, unsigned readers);
int kvz_part_exists(const char *path); // whether PATH.part/ has a checkpoint
// Removes what is in there, and the directory unless it has files of others, which is ERR_IO.
int kvz_part_remove(const char *path, struct err *e);

// What is known of a model beforehand, for codecs 3 to 5.
struct kvz_fit {
    const float *steps;  // [n_layers][2][n_kv_heads] relative quantisation steps of the keys and of
                         // the values of each kv head; NULL: all alike
    const uint8_t *near; // [n_layers][n_kv_heads] not 0: keys and values are stored in sinks only,
                         // and are their mean in all other blocks; NULL: no such heads
};
// Codecs 3 to 5 are fitted to what they store. Before the first block they must be given a sample:
// keys K and values V of N tokens, laid out as in struct kvz_block_in. IS_ALL: no other tokens will
// come, so that what is learnt has to pay for its room with these alone. FIT may be NULL. The bytes
// of the index depend on the sample.
int kvz_wants_sample(const struct kvz_writer *w);
int kvz_sample(struct kvz_writer *w, const float *const *k, const float *const *v, uint32_t n,
               uint32_t stride, int is_all, const struct kvz_fit *fit, struct err *e);
int kvz_begin_document(struct kvz_writer *w, const char *name, const char *format, struct err *e);
int kvz_add_block(struct kvz_writer *w, const struct kvz_block_in *b, struct err *e);
int kvz_end_document(struct kvz_writer *w, uint64_t bytes, uint64_t digest, struct err *e);
// The summary state: what a cascading cache (engine/stream/cascade.h) holds of the documents so
// far, for summaries and for an index that grows. The last one that is put before kvz_finish is
// kept; an index need not have any.
struct kvz_summary {
    uint32_t n_caches, slots; // sub-caches, and the most tokens of each
    uint32_t n;               // tokens that each kv head of each layer holds; 0: there is no state
    uint64_t seen;            // tokens that the cache was given
    int own_kv; // 1: keys and values are put, too. 0: they are those of the blocks that the tokens
                // lie in, a little less exact, and these blocks are read for them
};
// TOKEN [n_layers][n_kv_heads][n]: index in the stream, oldest first; SCORE likewise, decayed to
// now.
int kvz_put_summary(struct kvz_writer *w, const struct kvz_summary *s, const uint32_t *token,
                    const float *score, struct err *e);
// With own_kv, called for one layer after the other: their raw keys and values,
// [n_kv_heads][n][head_dim].
int kvz_put_summary_kv(struct kvz_writer *w, const float *k, const float *v, struct err *e);

// Vectors of sentences, by an embedder, to find what says in other words what is asked. An index
// need not have any.
struct kvz_sentence {
    uint64_t start; // byte of the document's text
    uint32_t bytes; // 1 or more
    uint32_t document;
};
struct kvz_sentences {
    uint64_t n;
    uint32_t dim;                 // of a vector, 1 to KVZ_DIM_MAX
    uint64_t digest;              // of the embedder
    const char *name;             // of the embedder, for people; less than KVZ_NAME_MAX bytes
    const struct kvz_sentence *v; // [n] in the order of documents, then of starts
    const float *scale;           // [n] finite, 0 or more: vector = vector * scale
    const int8_t *vector;         // [n][dim]
};
// Copies them, to be written by kvz_finish in the place of what was put before; n 0: there will be
// none. A checkpoint does not keep them, nor does an index that grows. ERR_USAGE: they break a
// rule, or are not in the text that was written so far; after an error all is as before.
int kvz_put_sentences(struct kvz_writer *w, const struct kvz_sentences *s, struct err *e);

// Vectors of the words of these sentences, each in its sentence, by the same embedder, but in fewer
// dimensions: those of the sentences' words (tokens of the embedder that are no marks) times BASIS,
// made unit vectors. An index that has sentences need not have them.
enum { KVZ_WORD_MOST = INT8_MAX }; // vector = vector / KVZ_WORD_MOST
struct kvz_words {
    uint64_t n;            // of all sentences, 1 or more
    uint64_t n_sentences;  // that of kvz_sentences
    uint32_t dim;          // of a vector, 1 to wide
    uint32_t wide;         // dim of kvz_sentences
    const int16_t *basis;  // [dim][wide]
    const uint64_t *first; // [n_sentences + 1] numbers of the first words of sentences; then n
    const int8_t *vector;  // [n][dim]
};
// Copies them, as kvz_put_sentences does, which must have been called and takes away those that
// were put before it. ERR_USAGE: they break a rule; after an error all is as before.
int kvz_put_words(struct kvz_writer *w, const struct kvz_words *v, struct err *e);

// A checkpoint with the caller's own state, put piece by piece; nothing else may be written
// meanwhile. At its end everything written so far is on disk (fsync) before the new state file
// replaces the old one. ERR_UNSUPPORTED: a state of more than 64 GiB. That there is no room is
// ERR_IO of _end, with the size that it would have had; the old state file stays. _end and _drop
// free it; _drop accepts NULL.
struct kvz_checkpoint;
int kvz_checkpoint_begin(struct kvz_checkpoint **out, struct kvz_writer *w, struct err *e);
int kvz_checkpoint_put(struct kvz_checkpoint *c, const void *state, size_t bytes, struct err *e);
int kvz_checkpoint_end(struct kvz_checkpoint *c, struct err *e);
void kvz_checkpoint_drop(struct kvz_checkpoint *c);
// The index replaces PATH atomically, but not what others have put there since the writer began,
// which is ERR_IO. *FILE_BYTES, which may be NULL, is its size on success.
// PATH.part/ is removed as kvz_part_remove does, but that it stays is no error.
int kvz_finish(struct kvz_writer *w, uint64_t *file_bytes, struct err *e);
// After that: why PATH.part/ stays, valid until kvz_writer_close; NULL: it is removed.
const char *kvz_writer_stays(const struct kvz_writer *w);
void kvz_writer_close(struct kvz_writer *w); // accepts NULL
// Reads back a block that was added, as kvz_read_kv (retrieval while encoding).
int kvz_writer_read_kv(struct kvz_writer *w, uint64_t block, uint32_t layer, float *k, float *v,
                       uint32_t stride, struct err *e);
// *BYTES: of the text of a document that its blocks hold so far. Those that have ended come first,
// in an index that grows the old ones; number kvz_writer_n_documents is the one that is being
// written. ERR_USAGE: there is no such document.
int kvz_writer_text_bytes(struct kvz_writer *w, uint64_t document, uint64_t *bytes, struct err *e);
// TO = N bytes of that text from FROM on. Takes a block's room, and is quick where a document is
// read from front to back. ERR_USAGE: they are not written yet; ERR_FORMAT: they are damaged.
int kvz_writer_read_text(struct kvz_writer *w, uint64_t document, uint64_t from, size_t n, char *to,
                         struct err *e);
uint64_t kvz_writer_n_documents(const struct kvz_writer *w); // that have ended
uint64_t kvz_writer_n_blocks(const struct kvz_writer *w);
uint64_t kvz_writer_n_tokens(const struct kvz_writer *w);

struct kvz;

struct kvz_document {
    const char *name, *format; // valid until kvz_close
    uint64_t bytes;            // of its text
    uint64_t digest;
    uint64_t first_block, n_blocks, n_tokens;
};

struct kvz_block {
    uint64_t document;
    uint64_t token; // first token's index in the stream
    uint32_t n_tokens, flags;
    uint64_t start, end; // bytes of the document it covers, end exclusive
    float mass;          // attention its tokens received, mean over layers and tokens
};

// One channel of the index, valid until kvz_close: in the map, or unpacked from 4 bits an element
// when it is first asked for.
struct kvz_run {
    struct kvz_channel channel;
    const int8_t *vectors; // [n][dim]
    const float *scale;    // [n]: vector = vectors * scale
    const uint64_t *start; // [n_blocks + 1]: vectors start[b] .. start[b+1] are block b's
    const uint8_t *token;  // [n] token within the block
    uint64_t n, bytes;     // vectors; bytes in the file
    uint64_t name;         // unique to these vectors and scales, see scan.name
};

// Whether the file PATH begins as an index does, damaged or not.
int kvz_begins(const char *path);
// Maps PATH and checks header, META, documents and channels; blocks are checked as they are read.
// ERR_FORMAT: damaged; ERR_UNSUPPORTED: a codec or section that this build does not know.
int kvz_open(struct kvz **out, const char *path, struct err *e);
// The same, but the tables that blocks are decoded with, which take some milliseconds, are made by
// another thread. kvz_opened waits for it and returns its error, which kvz_open would have
// returned.
int kvz_open_beside(struct kvz **out, const char *path, struct err *e);
int kvz_opened(struct kvz *k, struct err *e);
void kvz_close(struct kvz *k);
// Frees the tables that blocks are decoded with, some megabytes; the next block read makes them
// again. No other thread may be reading.
void kvz_rest(struct kvz *k);
const char *kvz_path(const struct kvz *k);
const struct kvz_meta *kvz_meta(const struct kvz *k);
uint64_t kvz_file_bytes(const struct kvz *k);
uint64_t kvz_n_documents(const struct kvz *k);
uint64_t kvz_n_blocks(const struct kvz *k);
uint64_t kvz_n_tokens(const struct kvz *k);
int kvz_document(const struct kvz *k, uint64_t i, struct kvz_document *d, struct err *e);
// Whether K has D, a document of another index, too: one with its name, length and digest. 1, 0, or
// an error. Not to be called by two threads at once.
int kvz_has_document(struct kvz *k, const struct kvz_document *d, struct err *e);
// Whether document number DOCUMENT was read again later, under the same name, when most of it had
// stayed (superseded.h): 1, 0, or an error. Of an index with more than a thousand documents none
// was.
int kvz_is_superseded(struct kvz *k, uint64_t document, struct err *e);
int kvz_block(const struct kvz *k, uint64_t i, struct kvz_block *b, struct err *e);
// The sinks: so many blocks at the beginning, and their tokens. ERR_FORMAT: more than meta.sinks.
int kvz_sinks(const struct kvz *k, uint64_t *n_blocks, uint64_t *n_tokens, struct err *e);
int kvz_run(const struct kvz *k, uint32_t channel, struct kvz_run *r, struct err *e);
// Checks the index channels, where they are few, by another thread: whoever asks for one (kvz_run)
// waits for it there, and has the errors. Once.
void kvz_check_beside(struct kvz *k);

// All that is read below is checked against its checksum; ERR_FORMAT names the block and the place
// in the document.
//
// The tokens of a block: IDS [n_tokens], and TOKEN_BYTES [n_tokens], bytes of the document each
// stands for.
int kvz_read_tokens(const struct kvz *k, uint64_t block, uint32_t *ids, uint32_t *token_bytes,
                    struct err *e);
// The text of a block (end - start bytes), exactly the bytes of the document: those of section TEXT
// once kvz_text has checked it, else its record's.
int kvz_read_text(const struct kvz *k, uint64_t block, char *text, struct err *e);
// The texts of all blocks in their order, one contiguous text: *TEXT [*bytes] lies in the map. NULL
// for an index of an earlier version, which has no such section.
int kvz_text(struct kvz *k, const char **text, uint64_t *bytes, struct err *e);
// The part of it that is one document's. *TEXT is also NULL when the section ends before that does.
int kvz_document_text(struct kvz *k, uint64_t document, const char **text, uint64_t *bytes,
                      struct err *e);
// Raw keys and values of one layer into [n_kv_heads][stride][head_dim], first token at the front.
int kvz_read_kv(const struct kvz *k, uint64_t block, uint32_t layer, float *kk, float *vv,
                uint32_t stride, struct err *e);
// The same for N blocks, up to four of which are decoded together: faster than one at a time.
struct kvz_kv {
    uint64_t block;
    float *k, *v; // [n_kv_heads][stride][head_dim]
    uint32_t stride;
};
int kvz_read_kvs(const struct kvz *k, uint32_t layer, const struct kvz_kv *v, size_t n,
                 struct err *e);
// The same before it is decoded to floats, for a device that decodes itself: as quantised bytes in
// K and V, or, when coded.data is not NULL, as the file has it in CODED, of which only the lengths
// are checked. Returns 1 when the codec has no such form. ROOM is the caller's to free when the
// rest is not needed any more.
struct kvz_stored {
    struct stored k, v; // valid until ROOM is freed or the index is closed
    struct coded coded; // valid until the index is closed
    void *room;
};
int kvz_read_stored(const struct kvz *k, uint64_t block, uint32_t layer, struct kvz_stored *out,
                    struct err *e);
// *NAME: unique to the keys of one layer of a block among all indexes, for device_ops.keep; the
// name of the values is one more.
int kvz_kv_name(const struct kvz *k, uint64_t block, uint32_t layer, uint64_t *name, struct err *e);
// Attention each token received, mean over layers, [n_tokens]; for tests and tools.
int kvz_read_mass(const struct kvz *k, uint64_t block, float *mass, struct err *e);
// The summary state; n is 0 where there is none. ERR_FORMAT when it is damaged: all else may still
// be read.
int kvz_summary(const struct kvz *k, struct kvz_summary *s, struct err *e);
// Its tokens and scores, laid out as for kvz_put_summary; either may be NULL.
int kvz_read_summary(const struct kvz *k, uint32_t *token, float *score, struct err *e);
// Its keys and values of one layer, laid out as for kvz_put_summary_kv.
int kvz_read_summary_kv(const struct kvz *k, uint32_t layer, float *kk, float *vv, struct err *e);
// The vectors of sentences, valid until kvz_close; n is 0 where there are none. They are checked
// when they are first asked for. ERR_FORMAT: damaged; all else may still be read.
int kvz_sentences(const struct kvz *k, struct kvz_sentences *s, struct err *e);
// The vectors of their words, likewise.
int kvz_words(const struct kvz *k, struct kvz_words *v, struct err *e);
// BYTES [n_layers]: what the keys and values of each layer take in the file, over all blocks. Reads
// every record's head.
int kvz_layer_bytes(const struct kvz *k, uint64_t *bytes, struct err *e);
// BYTES [n_layers][n_kv_heads / kvz_heads_together][2]: the same by kv heads, keys and values
// apart. Codecs 3 to 5 code several heads together, so that the bytes of a single one cannot be
// told; codec 5 codes keys and values together, too, and each is given half. Reads all blocks.
int kvz_head_bytes(const struct kvz *k, uint64_t *bytes, struct err *e);
uint32_t kvz_heads_together(const struct kvz *k); // number of heads that are coded together
// Whether keys and values of the kv head are stored in sinks only (kvz_fit.near).
int kvz_head_is_near(const struct kvz *k, uint32_t layer, uint32_t head);
// Tells the kernel (madvise) that these blocks will be read now, in file order; or all that is
// looked at to choose blocks: directory, texts, vectors.
void kvz_will_need(const struct kvz *k, const uint64_t *blocks, size_t n);
void kvz_will_search(const struct kvz *k);

// Sections, for inspect.
struct kvz_section {
    char tag[5];
    uint64_t off, bytes;
};
size_t kvz_n_sections(const struct kvz *k);
struct kvz_section kvz_section_at(const struct kvz *k, size_t i);

// Checks every byte of the file: header, sections, every block, padding; keys and values are
// checked as far as that goes without unpacking them. Calls BAD for each damage found, with a text
// for people that names the block and its bytes of the document where it can, and returns the
// number of damages; or a negative ERR_* when the file cannot be read at all (header damaged).
// Takes a path, because kvz_open may refuse a damaged file.
typedef void kvz_bad_fn(void *arg, const char *what);
int64_t kvz_verify(const char *path, kvz_bad_fn *bad, void *arg, struct err *e);

#endif
