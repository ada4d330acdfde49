// The structure of a .kvz file, byte for byte. man/kvz.5 is the specification: every struct here is
// one of its tables, row by row, and rule numbers in comments are those of its rules.
//
// Structs are copied to and from the file as they are: the machines we run on are little-endian,
// and every field has its natural alignment, so that there is no padding between fields.
#ifndef LCTOOL_CACHE_FORMAT_H
#define LCTOOL_CACHE_FORMAT_H

#include <stdint.h>

#include "cache/kvz.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are copied from the file");

enum {
    DISK_PAGE = 4096,    // sections start at multiples of it
    DISK_ALIGN = 64,     // block records and index arrays start at multiples of it
    DISK_PART_ALIGN = 8, // parts of a block record start at multiples of it
    DISK_VERSION = 4,
    DISK_BLOCK_MAX = 4096, // tokens
    DISK_LAYERS_MAX = 4096,
    DISK_HEADS_MAX = 4096,
    DISK_DIM_MAX = KVZ_DIM_MAX,
    DISK_CHANNELS_MAX = 1 << 16,
    DISK_FRAME_MAX = 1 << 20, // tokens of sinks, window and chunk
    DISK_TOPK_MAX = 4096,
    DISK_CACHES_MAX = 64,
    DISK_SLOTS_MAX = 4096,
    DISK_SECTIONS_MAX = 1024,
    DISK_DEFLATE_MAX = 1032, // bytes that one byte of deflate expands to, at most
};

// Includes bytes that text-mode transfers would change.
static const uint8_t disk_magic[8] = {0x89, 'k', 'v', 'z', '\r', '\n', 0x1a, '\n'};

#define DISK_TAG(a, b, c, d)                                                                       \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define TAG_BLOCKS    DISK_TAG('B', 'L', 'K', 'S')
#define TAG_DIR       DISK_TAG('B', 'D', 'I', 'R')
#define TAG_VECTORS   DISK_TAG('V', 'E', 'C', 'T')
#define TAG_CHANNELS  DISK_TAG('C', 'H', 'N', 'L')
#define TAG_DOCS      DISK_TAG('D', 'O', 'C', 'S')
#define TAG_NAMES     DISK_TAG('N', 'A', 'M', 'E')
#define TAG_META      DISK_TAG('M', 'E', 'T', 'A')
#define TAG_TEXT      DISK_TAG('T', 'E', 'X', 'T')
#define TAG_BASE      DISK_TAG('B', 'A', 'S', 'E')
#define TAG_SUMMARY   DISK_TAG('S', 'U', 'M', 'M')
#define TAG_SENTENCES DISK_TAG('S', 'E', 'N', 'T')
#define TAG_WORDS     DISK_TAG('W', 'O', 'R', 'D')
#define TAG_RECORD    DISK_TAG('B', 'L', 'O', 'K')

enum disk_section_flags {
    SECTION_REQUIRED = 1, // a reader that does not know the tag must refuse the file
    SECTION_SELF = 2,     // the contents carry checksums; the one in the table is 0
};

struct disk_header {
    uint8_t magic[8];
    uint32_t version;
    uint32_t n_sections;
    uint64_t file_bytes;
    uint64_t table_off;
    uint64_t table_check; // of the section table
    uint64_t n_documents;
    uint64_t n_blocks;
    uint64_t n_tokens;
    uint8_t zero[4024];
    uint64_t check; // of the bytes before it
};
_Static_assert(sizeof(struct disk_header) == DISK_PAGE, "kvz.5: header");

struct disk_section {
    uint32_t tag;
    uint32_t flags;
    uint64_t off;
    uint64_t bytes;
    uint64_t check;
};
_Static_assert(sizeof(struct disk_section) == 32, "kvz.5: section table");

struct disk_meta {
    char model[KVZ_NAME_MAX];
    char arch[KVZ_NAME_MAX];
    char positions[16];
    char method[32];
    char template_name[32];
    char model_path[4096];
    char params[KVZ_PARAMS_MAX];
    uint64_t model_digest;
    uint64_t tokenizer_digest;
    uint32_t n_layers;
    uint32_t n_heads;
    uint32_t n_kv_heads;
    uint32_t head_dim;
    uint32_t sinks;
    uint32_t block;
    uint32_t window;
    uint32_t chunk;
    uint32_t topk;
    uint32_t codec;
    uint32_t k_bits;
    uint32_t v_bits;
    uint32_t level;
    uint32_t n_channels;
};
_Static_assert(sizeof(struct disk_meta) == 5400, "kvz.5: META");

struct disk_document {
    uint64_t name_off;   // in NAME
    uint64_t format_off; // in NAME
    uint32_t name_bytes; // without the NUL
    uint32_t format_bytes;
    uint64_t bytes;
    uint64_t digest;
    uint64_t first_block;
    uint64_t n_blocks;
    uint64_t n_tokens;
};
_Static_assert(sizeof(struct disk_document) == 64, "kvz.5: DOCS");

struct disk_block {
    uint64_t off;   // of the record in the file
    uint64_t bytes; // of the record, without the padding after it
    uint64_t token;
    uint64_t start;
    uint64_t end;
    uint64_t document;
    uint16_t n_tokens;
    uint16_t flags;
    float mass;
    uint64_t check; // of the bytes before it
};
_Static_assert(sizeof(struct disk_block) == 64, "kvz.5: BDIR");

struct disk_channel {
    uint32_t layer;
    uint32_t head;
    uint32_t kind; // enum kvz_channel_kind; DISK_NARROW added to it: the run is narrow
    uint32_t dim;
    uint64_t n;           // vectors
    uint64_t off;         // of the run in the file
    uint64_t bytes;       // of the run, without the padding after it
    uint64_t start_check; // of each of the four arrays
    uint64_t scale_check;
    uint64_t token_check; // of the bounds in a narrow run
    uint64_t vector_check;
};
_Static_assert(sizeof(struct disk_channel) == 72, "kvz.5: CHNL");

// The head of SUMM. In the long form tokens, scores, lengths of chunks and the chunks follow; in
// the short form tokens and scores, packed.
struct disk_summary {
    uint32_t n_caches;
    uint32_t slots;
    uint64_t seen;
    uint32_t n;
    uint32_t form; // enum disk_form
};
_Static_assert(sizeof(struct disk_summary) == 24, "kvz.5: SUMM");

// The head of SENT. Entries, scales and vectors follow, each at the next multiple of DISK_ALIGN.
struct disk_sentences {
    uint64_t n;
    uint32_t dim;
    uint32_t zero;
    uint64_t digest; // of the embedder
    char name[KVZ_NAME_MAX];
};
_Static_assert(sizeof(struct disk_sentences) == 88, "kvz.5: SENT");
_Static_assert(sizeof(struct kvz_sentence) == 16, "kvz.5: SENT, entries");

// The head of WORD. The basis, the numbers of words before each sentence, and the vectors follow,
// each at the next multiple of DISK_ALIGN.
struct disk_words {
    uint64_t n;
    uint64_t n_sentences;
    uint32_t dim;
    uint32_t wide;
};
_Static_assert(sizeof(struct disk_words) == 24, "kvz.5: WORD");

enum { DISK_NARROW = 0x100 };

// Where the four arrays of a run begin, from its start, and how long they are. In a narrow run
// scales are per block, bounds take the place of tokens, and elements have four bits.
struct disk_run {
    uint64_t start, scale, token, vector, bytes;
    uint64_t start_bytes, scale_bytes, token_bytes, vector_bytes;
};

// The head of a block record; n_layers disk_chunks follow it.
struct disk_record {
    uint64_t check; // of the rest of the head and the chunk table
    uint32_t tag;
    uint16_t n_tokens;
    uint16_t flags;
    uint64_t block;
    uint64_t text_bytes;   // of the document
    uint64_t tokens_bytes; // of the token part as stored
    uint64_t tokens_raw;   // unpacked; equal if it is not packed
    uint64_t tokens_check;
    uint64_t mass_check;
    uint32_t n_layers;
    uint32_t form; // enum disk_form
};
_Static_assert(sizeof(struct disk_record) == 72, "kvz.5: block record");

enum disk_form {
    FORM_LONG = 0, // disk_chunk; the mass of each layer, f16. SUMM: with keys and values of its own
    FORM_SHORT = 1, // disk_short_chunk; the mean mass, u8. SUMM: those of the blocks
};

struct disk_chunk {
    uint64_t off; // from the start of the record
    uint64_t bytes;
    uint64_t check;
    uint32_t codec;
    uint32_t zero;
};
_Static_assert(sizeof(struct disk_chunk) == 32, "kvz.5: chunk table");

struct disk_short_chunk {
    uint64_t check;
    uint32_t bytes;
    uint32_t codec;
};
_Static_assert(sizeof(struct disk_short_chunk) == 16, "kvz.5: short chunk table");

static inline uint64_t disk_align(uint64_t off, uint64_t to)
{
    return (off + to - 1) / to * to;
}

static inline uint64_t disk_chunk_bytes(uint32_t form)
{
    return form == FORM_SHORT ? sizeof(struct disk_short_chunk) : sizeof(struct disk_chunk);
}

static inline uint64_t disk_head_bytes(uint32_t form, uint64_t n_layers)
{
    return sizeof(struct disk_record) + n_layers * disk_chunk_bytes(form);
}

static inline uint64_t disk_mass_bytes(uint32_t form, uint64_t n_layers, uint64_t n_tokens)
{
    return form == FORM_SHORT ? n_tokens : n_layers * n_tokens * 2;
}

// Lays out N vectors of DIM elements over N_BLOCKS blocks. 0, or -1 if no file could hold them.
static inline int disk_run_layout(struct disk_run *r, uint64_t n_blocks, uint64_t n, uint32_t dim,
                                  int narrow)
{
    *r = (struct disk_run){0};
    if (n_blocks > UINT64_C(1) << 40 || n > UINT64_C(1) << 48 || dim > DISK_DIM_MAX)
        return -1;
    r->start_bytes = (n_blocks + 1) * 8;
    r->scale_bytes = (narrow ? n_blocks : n) * 4;
    r->token_bytes = narrow ? n_blocks * dim * 2 : n;
    r->vector_bytes = narrow ? n * (dim / 2) : n * dim;
    r->scale = disk_align(r->start_bytes, DISK_ALIGN);
    r->token = disk_align(r->scale + r->scale_bytes, DISK_ALIGN);
    r->vector = disk_align(r->token + r->token_bytes, DISK_ALIGN);
    r->bytes = r->vector + r->vector_bytes;
    return 0;
}

#endif
