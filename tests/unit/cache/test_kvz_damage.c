// Damaged and hostile indexes: verify sees every flipped bit, and reading never believes a lie
// that a checksum covers.
#include "tests/unit/cache/kvz_make.h"

#include "cache/format.h"
#include "io/hash.h"

enum { ITEMS = 512 };

// All that can be read, as one hash an item; 0: refused. Returns their number, or the error of
// kvz_open.
static int read_all(const char *path, uint64_t items[ITEMS])
{
    struct kvz *k;
    int rc = kvz_open(&k, path, NULL), n = 0;
    if (rc)
        return rc;
    const struct kvz_meta *m = kvz_meta(k);
    for (uint64_t i = 0; i < kvz_n_documents(k) && n < ITEMS; i++) {
        struct kvz_document d;
        OK(kvz_document(k, i, &d, e));
        items[n++] = hash64(d.name, strlen(d.name)) + hash64(d.format, strlen(d.format)) + d.bytes +
                     d.digest + d.first_block + d.n_blocks + d.n_tokens;
    }
    uint32_t dim = m->n_kv_heads * m->head_dim;
    float *kv = calloc(2 * (size_t)m->block * dim, sizeof *kv);
    uint32_t *ids = calloc(2 * (size_t)m->block, sizeof *ids);
    assert_true(kv && ids);
    for (uint64_t b = 0; b < kvz_n_blocks(k) && n < ITEMS - 64; b++) {
        struct kvz_block info;
        memset(&info, 0, sizeof info);
        items[n++] = kvz_block(k, b, &info, NULL) ? 0 : hash64(&info, sizeof info);
        if (!items[n - 1]) {
            for (uint32_t i = 0; i < 2 + 2 * (m->n_layers < 4 ? m->n_layers : 4); i++)
                items[n++] = 0;
            continue;
        }
        size_t t = info.n_tokens;
        items[n++] = kvz_read_tokens(k, b, ids, ids + m->block, NULL)
                         ? 0
                         : hash64(ids, t * 4) + hash64(ids + m->block, t * 4);
        char *text = malloc(info.end - info.start + 1);
        items[n++] = kvz_read_text(k, b, text, NULL) ? 0 : hash64(text, info.end - info.start);
        free(text);
        for (uint32_t l = 0; l < m->n_layers && l < 4; l++) {
            memset(kv, 0, 2 * (size_t)m->block * dim * sizeof *kv);
            items[n++] = kvz_read_kv(k, b, l, kv, kv + (size_t)m->block * dim, m->block, NULL)
                             ? 0
                             : hash64(kv, 2 * (size_t)m->block * dim * sizeof *kv);
            items[n++] = kvz_read_mass(k, b, kv, NULL) ? 0 : hash64(kv, t * sizeof *kv);
        }
    }
    for (uint32_t c = 0; c < m->n_channels && c < 8; c++) {
        struct kvz_run r;
        items[n++] = kvz_run(k, c, &r, NULL) ? 0
                                             : hash64(r.vectors, r.n * r.channel.dim) +
                                                   hash64(r.token, r.n) + hash64(r.scale, r.n * 4) +
                                                   hash64(r.start, (kvz_n_blocks(k) + 1) * 8);
    }
    struct kvz_summary s = {0};
    int whole = !kvz_summary(k, &s, NULL) && s.n;
    for (uint32_t l = 0; l <= m->n_layers && l < 5; l++) {
        uint32_t lanes = m->n_layers * m->n_kv_heads, *token = calloc(2 * lanes, (s.n + 1) * 4);
        float *rows = calloc(2 * (size_t)dim, (s.n + 1) * sizeof *rows);
        items[n++] = !whole            ? 0
                     : l < m->n_layers ? kvz_read_summary_kv(k, l, rows, rows + s.n * dim, NULL)
                                             ? 0
                                             : hash64(rows, 2 * s.n * dim * sizeof *rows)
                     : kvz_read_summary(k, token, (float *)(void *)(token + lanes * s.n), NULL)
                         ? 0
                         : hash64(token, 2 * lanes * s.n * 4) + s.seen;
        free(token);
        free(rows);
    }
    free(kv);
    free(ids);
    kvz_close(k);
    return n;
}

struct damage {
    char path[128];
    uint8_t *good, *bad; // the file, and a copy to spoil
    size_t n;
    uint64_t items[ITEMS];
    int n_items;
    char said[16384]; // what verify found, a line each
};

static struct damage d;

static void heard(void *arg, const char *what)
{
    (void)arg;
    size_t n = strlen(d.said);
    snprintf(d.said + n, sizeof d.said - n, "%s\n", what);
}

static int init(void **state, uint32_t codec, enum make_summary summary)
{
    if (own_dir_make_quick(state))
        return -1;
    make_path(d.path, "damage.kvz");
    make_index_and(d.path, codec, 3, 2, summary);
    d.good = (uint8_t *)make_slurp(d.path, &d.n);
    d.bad = malloc(d.n);
    memcpy(d.bad, d.good, d.n);
    d.n_items = read_all(d.path, d.items);
    assert_true(d.n_items > 0);
    return 0;
}

static int init_1(void **state)
{
    return init(state, 1, OWN_SUMMARY);
}

static int init_3(void **state)
{
    return init(state, 3, SHORT_SUMMARY);
}

static int init_5(void **state)
{
    return init(state, 5, SHORT_SUMMARY);
}

static int init_narrow(void **state)
{
    return init(state, MAKE_NARROW, SHORT_SUMMARY);
}

static int init_short(void **state)
{
    return init(state, 1, SHORT_SUMMARY);
}

static int done(void **state)
{
    free(d.good);
    free(d.bad);
    return own_dir_remove(state);
}

// Puts N bytes on the disk without waiting for it.
static void put(const uint8_t *data, size_t n)
{
    FILE *f = fopen(d.path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    fclose(f);
}

static void put_byte(size_t at, uint8_t byte)
{
    FILE *f = fopen(d.path, "r+b");
    assert_non_null(f);
    fseek(f, (long)at, SEEK_SET);
    fputc(byte, f);
    fclose(f);
}

static void restore(void)
{
    memcpy(d.bad, d.good, d.n);
    put(d.good, d.n);
}

// What is read from the file is what was written or is refused. Returns how much is refused.
static int believe_no_lie(size_t at)
{
    uint64_t items[ITEMS];
    int n = read_all(d.path, items), refused_items = 0;
    if (n < 0)
        return 1;
    assert_int_equal(n, d.n_items);
    for (int i = 0; i < n; i++) {
        if (items[i] && items[i] != d.items[i])
            fail_msg("byte %zu flipped: item %d is read and wrong", at, i);
        refused_items += !items[i];
    }
    return refused_items;
}

static void every_flipped_byte_is_found(void **state)
{
    (void)state;
    size_t n_read = 0;
    restore();
    for (size_t i = 0; i < d.n; i++) {
        put_byte(i, d.good[i] ^ (uint8_t)(1 << i % 8));
        if (kvz_verify(d.path, NULL, NULL, NULL) == 0)
            fail_msg("verify does not see a flipped bit in byte %zu", i);
        // Padding is only looked at by verify.
        if (i < 4096 || d.good[i] || i % 16 == 0)
            n_read += believe_no_lie(i) > 0;
        put_byte(i, d.good[i]);
    }
    assert_int_equal(kvz_verify(d.path, NULL, NULL, NULL), 0);
    assert_true(n_read > 4096);
}

static void a_cut_file_is_refused(void **state)
{
    (void)state;
    struct kvz *k;
    for (size_t i = 0; i < 300; i++) {
        size_t border = i < 3 * (d.n / 4096 + 1) ? i / 3 * 4096 + i % 3 - (i > 2)
                                                 : (size_t)(fabsf(make_noise(i)) * (float)d.n);
        size_t n = border < d.n ? border : d.n - 1;
        put(d.good, n);
        REFUSED(ERR_FORMAT, "damage.kvz: ", kvz_open(&k, d.path, e));
        REFUSED(ERR_FORMAT, "damage.kvz: ", (int)kvz_verify(d.path, NULL, NULL, e));
    }
    uint8_t *more = calloc(d.n + 1, 1);
    memcpy(more, d.good, d.n);
    put(more, d.n + 1);
    free(more);
    REFUSED(ERR_FORMAT, "bytes long instead of", kvz_open(&k, d.path, e));
    put((const uint8_t *)"GGUF", 4);
    REFUSED(ERR_FORMAT, "not a .kvz index", kvz_open(&k, d.path, e));
    put(d.good, 0);
    REFUSED(ERR_FORMAT, "not a .kvz index", kvz_open(&k, d.path, e));
    unlink(d.path);
    REFUSED(ERR_IO, "damage.kvz", kvz_open(&k, d.path, e));
    REFUSED(ERR_IO, "damage.kvz", (int)kvz_verify(d.path, NULL, NULL, e));
    restore();
}

static const struct disk_header *header(void)
{
    return (const void *)d.good;
}

static struct disk_section section(uint32_t tag)
{
    struct disk_section s;
    for (uint32_t i = 0; i < header()->n_sections; i++) {
        memcpy(&s, d.good + header()->table_off + i * sizeof s, sizeof s);
        if (s.tag == tag)
            return s;
    }
    fail_msg("no such section");
    return s;
}

static void seal(uint8_t *p, size_t at, size_t from, size_t n)
{
    uint64_t h = hash64(p + from, n);
    memcpy(p + at, &h, sizeof h);
}

// Makes all checksums of d.bad right again, taking lengths and positions from the good file.
static void seal_all(void)
{
    uint8_t *p = d.bad;
    struct disk_section dir = section(TAG_DIR), channels = section(TAG_CHANNELS);
    for (uint64_t i = 0; i < header()->n_blocks; i++) {
        struct disk_block b;
        struct disk_record r;
        size_t at = dir.off + i * sizeof b;
        memcpy(&b, d.good + at, sizeof b);
        memcpy(&r, d.good + b.off, sizeof r);
        size_t head = disk_head_bytes(FORM_SHORT, r.n_layers);
        size_t mass = disk_align(head + r.tokens_bytes, 8), end = mass + r.n_tokens;
        for (uint32_t l = 0; l < r.n_layers; l++) {
            struct disk_short_chunk c;
            size_t entry = b.off + disk_head_bytes(FORM_SHORT, l), chunk = disk_align(end, 8);
            memcpy(&c, d.good + entry, sizeof c);
            seal(p, entry + offsetof(struct disk_short_chunk, check), b.off + chunk, c.bytes);
            end = chunk + c.bytes;
        }
        seal(p, b.off + offsetof(struct disk_record, tokens_check), b.off + head, r.tokens_bytes);
        seal(p, b.off + offsetof(struct disk_record, mass_check), b.off + mass, r.n_tokens);
        seal(p, b.off, b.off + 8, head - 8);
        seal(p, at + offsetof(struct disk_block, check), at, offsetof(struct disk_block, check));
    }
    for (size_t i = 0; i < CHANNELS; i++) {
        struct disk_channel c;
        struct disk_run r;
        size_t at = channels.off + i * sizeof c;
        memcpy(&c, d.good + at, sizeof c);
        assert_int_equal(disk_run_layout(&r, header()->n_blocks, c.n, c.dim, c.kind & DISK_NARROW),
                         0);
        seal(p, at + offsetof(struct disk_channel, start_check), c.off + r.start, r.start_bytes);
        seal(p, at + offsetof(struct disk_channel, scale_check), c.off + r.scale, r.scale_bytes);
        seal(p, at + offsetof(struct disk_channel, token_check), c.off + r.token, r.token_bytes);
        seal(p, at + offsetof(struct disk_channel, vector_check), c.off + r.vector, r.vector_bytes);
    }
    for (uint32_t i = 0; i < header()->n_sections; i++) {
        struct disk_section s;
        size_t at = header()->table_off + i * sizeof s;
        memcpy(&s, d.good + at, sizeof s);
        if (!(s.flags & SECTION_SELF))
            seal(p, at + offsetof(struct disk_section, check), s.off, s.bytes);
    }
    seal(p, offsetof(struct disk_header, table_check), header()->table_off,
         header()->n_sections * sizeof(struct disk_section));
    seal(p, offsetof(struct disk_header, check), 0, offsetof(struct disk_header, check));
}

// Where the parts of SUMM begin.
enum {
    SUMM_TOKENS = sizeof(struct disk_summary),
    SUMM_SCORES = SUMM_TOKENS + LAYERS * HEADS * HELD * 4,
    SUMM_LENGTHS = SUMM_SCORES + LAYERS * HEADS * HELD * 4,
    SUMM_CHUNKS = SUMM_LENGTHS + LAYERS * (HELD + SLOTS - 1) / SLOTS * 4,
};

// Every checksum right, but one field is a lie. AT counts from the section (0: from the file).
static const struct lie {
    const char *rule;
    uint32_t tag;
    size_t at, bytes;
    uint64_t value;
    const char *says;
} lies[] = {
#define OF(s, f) offsetof(struct s, f), sizeof(((struct s *)0)->f)
    {"R1", 0, 1000, 1, 1, "header is damaged"},
    {"R5", 0, OF(disk_header, version), 5, "newer version (format 5"},
    {"R4", 0, OF(disk_header, version), 0, "header is damaged"},
    {"R4", 0, OF(disk_header, file_bytes), 99999, "instead of 99999"},
    {"R3", 0, OF(disk_header, table_off), 4096, "section table"},
    {"R3", 0, OF(disk_header, table_off), UINT64_MAX - 4095, "section table"},
    {"R3", 0, OF(disk_header, n_sections), 6, "section table"},
    {"R3", 0, OF(disk_header, n_sections), UINT32_MAX, "section table"},
    {"R9", 0, OF(disk_header, n_documents), 1, "wrong length"},
    {"R11", 0, OF(disk_header, n_blocks), UINT64_MAX / 64, "wrong length"},
    {"R9", 0, OF(disk_header, n_tokens), 5, "blocks of another"},
    {"R9", 0, OF(disk_header, n_tokens), 500, "no document"},
    {"R8", TAG_META, OF(disk_meta, n_layers), 0, "layers: 0 is not between"},
    {"R8", TAG_META, OF(disk_meta, n_layers), 1 << 30, "layers"},
    {"R8", TAG_META, OF(disk_meta, block), 4097, "block: 4097"},
    {"R8", TAG_META, OF(disk_meta, head_dim), 70000, "head dimensions"},
    {"R8", TAG_META, OF(disk_meta, sinks), 1 << 30, "sinks: 1073741824 is not between 0 and"},
    {"R8", TAG_META, OF(disk_meta, window), UINT32_MAX, "window"},
    {"R8", TAG_META, OF(disk_meta, chunk), (1 << 20) + 1, "chunk: 1048577"},
    {"R8", TAG_META, OF(disk_meta, topk), 4097, "topk: 4097"},
    {"R8", TAG_META, OF(disk_meta, codec), 6, "codec 6 is unknown"},
    {"R8", TAG_META, OF(disk_meta, k_bits), 4, "4 bits"},
    {"R8", TAG_META, OF(disk_meta, n_channels), 1, "CHNL has the wrong length"},
    {"R8", TAG_META, OF(disk_meta, n_channels), 1 << 20, "index channels"},
    {"R10", TAG_DOCS, OF(disk_document, name_off), 40, "name of document 0"},
    {"R10", TAG_DOCS, OF(disk_document, name_bytes), 3, "name of document 0"},
    {"R10", TAG_DOCS, OF(disk_document, format_off), UINT64_MAX, "name of document 0"},
    {"R9", TAG_DOCS, OF(disk_document, first_block), 1, "blocks of another"},
    {"R9", TAG_DOCS, OF(disk_document, n_blocks), UINT64_MAX, "blocks of another"},
    {"R9", TAG_DOCS, OF(disk_document, n_blocks), 2, "blocks of another"},
    {"R11", TAG_DOCS, OF(disk_document, bytes), 3, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, off), 64, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, off), UINT64_MAX - 63, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, off), 4097, "directory is wrong"},
    {"R12", TAG_DIR, OF(disk_block, off), 4096 + 64, "not where it should be"},
    {"R11", TAG_DIR, OF(disk_block, bytes), UINT64_MAX, "directory is wrong"},
    {"R13", TAG_DIR, OF(disk_block, bytes), 8, "too short"},
    {"R11", TAG_DIR, OF(disk_block, token), UINT64_MAX, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, document), 1, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, document), UINT64_MAX, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, n_tokens), 0, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, n_tokens), BLOCK + 1, "directory is wrong"},
    {"R13", TAG_DIR, OF(disk_block, n_tokens), BLOCK - 1, "that of another block"},
    {"R11", TAG_DIR, OF(disk_block, end), UINT64_MAX, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, mass), 0x7fc00000, "directory is wrong"},
    {"R13", TAG_BLOCKS, OF(disk_record, tag), 0, "that of another block"},
    {"R13", TAG_BLOCKS, OF(disk_record, block), 1, "that of another block"},
    {"R13", TAG_BLOCKS, OF(disk_record, n_layers), 3, "that of another block"},
    {"R13", TAG_BLOCKS, OF(disk_record, form), 3, "head is damaged"},
    {"R14", TAG_BLOCKS, OF(disk_record, tokens_bytes), UINT64_MAX, "parts are not where"},
    {"R14", TAG_BLOCKS, OF(disk_record, tokens_bytes), 1, "parts are not where"},
    {"R16", TAG_BLOCKS, OF(disk_record, tokens_raw), UINT64_MAX, "parts are not where"},
    {"R16", TAG_BLOCKS, OF(disk_record, tokens_raw), 70, "unpack"},
    {"R14", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, bytes), UINT32_MAX,
     "parts are not"},
    {"R17", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, codec), 7, "codec 7"},
    {"R17", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, codec), 3, "codec 3"},
    {"R20", TAG_CHANNELS, OF(disk_channel, off), 0, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, n), UINT64_MAX, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, bytes), 1, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, dim), 0, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, layer), 2, "index channel 0 is not where"},
    {"R21", TAG_VECTORS, 0, 8, 1, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 8, 8, UINT64_MAX, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64, 4, 0x7f800000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64, 4, 0xbf800000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 2, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n_caches), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n_caches), 2, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n_caches), 65, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, slots), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, slots), 5, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, slots), UINT32_MAX, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, seen), HELD - 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, seen), 1000, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), HELD - 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), UINT32_MAX, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_TOKENS, 4, 4, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_TOKENS + (HELD - 1) * 4, 4, 1000, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_SCORES, 4, 0xbf800000, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_SCORES, 4, 0x7fc00000, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, SUMM_LENGTHS, 4, 1, "section SUMM is wrong"},
    {"R27", TAG_SUMMARY, SUMM_CHUNKS, 1, 0xff, "summary state, layer 0"},
    {"R27", TAG_SUMMARY, SUMM_CHUNKS + 1, 1, 5, "summary state, layer 0"},
    {"R28", TAG_TEXT, 0, 1, 0, "section TEXT differs from block"},
};

// Reads all of the file and verifies it; what was said is in d.said.
static int64_t complain(void)
{
    uint64_t items[ITEMS];
    struct err why = {0};
    d.said[0] = 0;
    read_all(d.path, items);
    int64_t n = kvz_verify(d.path, heard, NULL, &why);
    if (n < 0)
        strcpy(d.said, why.msg);
    return n;
}

static void tell(const struct lie *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct lie *l = &of[i];
        memcpy(d.bad, d.good, d.n);
        memcpy(d.bad + (l->tag ? section(l->tag).off : 0) + l->at, &l->value, l->bytes);
        seal_all();
        put(d.bad, d.n);
        if (complain() == 0 || !strstr(d.said, l->says))
            fail_msg("lie %zu against %s: '%s' does not say '%s'", i, l->rule, d.said, l->says);
    }
    restore();
}

static void no_rule_is_broken_unseen(void **state)
{
    (void)state;
    tell(lies, sizeof lies / sizeof *lies);
}

// The same of section BASE: of an index with codec 3.
static const struct lie base_lies[] = {
    {"R8", TAG_META, OF(disk_meta, k_bits), 9, "0.09 bits"},
    {"R8", TAG_META, OF(disk_meta, codec), 1, "600 bits"},
    {"R23", TAG_BASE, 0, 4, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 0, 4, 3, "BASE is wrong"},
    {"R23", TAG_BASE, 4, 4, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 4, 4, 129, "BASE is wrong"},
    {"R23", TAG_BASE, 8, 4, 2, "BASE is damaged"}, // packed, and of no length
    {"R23", TAG_BASE, 8, 4, 4, "BASE is wrong"},
    {"R23", TAG_BASE, 12, 4, 1, "BASE is wrong"},
    {"R23", TAG_BASE, 16, 1, 3, "BASE is wrong"},
    {"R23", TAG_BASE, 17, 1, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 17, 1, 128, "BASE is wrong"},
    {"R23", TAG_BASE, 18, 1, 13, "BASE is wrong"},
    {"R23", TAG_BASE, 20, 2, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 20, 2, 4000, "BASE is wrong"},
    {"R17", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, codec), 1, "codec 1"},
};

static void no_rule_of_codec_3_is_broken_unseen(void **state)
{
    (void)state;
    tell(base_lies, sizeof base_lies / sizeof *base_lies);
}

// Where another thread looks at BASE, kvz_opened says what is wrong with it, and so does every
// block that is read.
static void a_base_that_another_thread_makes_is_checked(void **state)
{
    (void)state;
    static float x[LAYERS * HEADS * DIM * 64];
    struct kvz *k;
    memcpy(d.bad, d.good, d.n);
    d.bad[section(TAG_BASE).off + 4] = 0;
    seal_all();
    put(d.bad, d.n);
    REFUSED(ERR_FORMAT, "BASE is wrong", kvz_open(&k, d.path, e));
    OK(kvz_open_beside(&k, d.path, e));
    REFUSED(ERR_FORMAT, "BASE is wrong", kvz_opened(k, e));
    REFUSED(ERR_FORMAT, "BASE is wrong", kvz_read_kv(k, 0, 0, x, x, 64, e));
    kvz_close(k);
    restore();
}

// The same of a narrow run, channel 0: scales of five blocks at 64, bounds at 128.
static const struct lie narrow_lies[] = {
    {"R20", TAG_CHANNELS, OF(disk_channel, kind), 1, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, kind), DISK_NARROW + 2, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, dim), DIM - 1, "index channel 0 is not where"},
    {"R21", TAG_VECTORS, 0, 8, 1, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 8, 8, UINT64_MAX, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 16, 8, BLOCK + 7, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64 + 16, 4, 0x7fc00000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64 + 16, 4, 0xbf800000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 128, 2, 0x80, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 128, 2, 0xff81, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 128 + 79, 1, 0xff, "index channel 0 (layer 0 head 1) is wrong"},
};

static void no_rule_of_a_narrow_run_is_broken_unseen(void **state)
{
    (void)state;
    assert_int_equal(section(TAG_CHANNELS).bytes, CHANNELS * sizeof(struct disk_channel));
    tell(narrow_lies, sizeof narrow_lies / sizeof *narrow_lies);
}

// The same of section SUMM in its short form.
static const struct lie short_lies[] = {
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 2, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), HELD - 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), HELD + 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, sizeof(struct disk_summary), 1, 0xff, "section SUMM is wrong"},
    {"R27", TAG_DIR, OF(disk_block, token), 15, "no block has token"},
};

static void no_rule_of_a_short_state_is_broken_unseen(void **state)
{
    (void)state;
    tell(short_lies, sizeof short_lies / sizeof *short_lies);
}

static void random_lies_do_no_harm(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        memcpy(d.bad, d.good, d.n);
        for (uint64_t j = 0; j <= i % 3; j++) {
            float a = fabsf(make_noise(i * 9 + j)), b = fabsf(make_noise(i * 9 + j + 4));
            struct disk_section s = {.bytes = 64}; // the header
            uint32_t which = (uint32_t)(a * (float)(header()->n_sections + 0.999f));
            if (which < header()->n_sections)
                memcpy(&s, d.good + header()->table_off + which * sizeof s, sizeof s);
            size_t at = s.off + (size_t)(b * 0.999f * (float)s.bytes);
            d.bad[at] = i % 2 ? (uint8_t)(a * 1e6f) : (uint8_t)(d.bad[at] + 1 - i % 5);
        }
        seal_all();
        put(d.bad, d.n);
        complain();
    }
    restore();
}

static void damage_is_named(void **state)
{
    (void)state;
    struct disk_section dir = section(TAG_DIR);
    struct disk_block b;
    struct disk_short_chunk c;
    char want[200];
    memcpy(&b, d.good + dir.off + 4 * sizeof b, sizeof b);
    memcpy(&c, d.good + b.off + disk_head_bytes(FORM_SHORT, 1), sizeof c);
    // The chunk of the last layer ends where the record does.
    size_t at = b.off + b.bytes - c.bytes / 2;
    put_byte(at, (uint8_t)~d.good[at]);
    assert_int_equal(complain(), 1);
    snprintf(want, sizeof want, "block 4 layer 1 damaged: letters/b.txt bytes %d-%d (",
             (int)b.start, (int)b.end);
    assert_memory_equal(d.said, want, strlen(want));
    struct kvz *k;
    float x[2 * HEADS * BLOCK * DIM];
    const struct kvz_kv side[] = {{3, x, x + HEADS * BLOCK * DIM, BLOCK},
                                  {4, x, x + HEADS * BLOCK * DIM, BLOCK}};
    OK(kvz_open(&k, d.path, e));
    snprintf(want, sizeof want, "block 4 layer 1 (letters/b.txt bytes %d-%d)", (int)b.start,
             (int)b.end);
    REFUSED(ERR_FORMAT, want, kvz_read_kv(k, 4, 1, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    REFUSED(ERR_FORMAT, want, kvz_read_kvs(k, 1, side, 2, e));
    OK(kvz_read_kvs(k, 0, side, 2, e));
    OK(kvz_read_kv(k, 4, 0, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    OK(kvz_read_kv(k, 3, 1, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    kvz_close(k);
    restore();
}

// A section from the future: refused when it must be understood, passed over when it need not be.
static void unknown_sections(void **state)
{
    (void)state;
    struct disk_header h;
    memcpy(&h, d.good, sizeof h);
    size_t table = h.n_sections * sizeof(struct disk_section), n = h.table_off + 4096 + table + 32;
    for (uint32_t required = 0; required < 2; required++) {
        uint8_t *p = calloc(n, 1);
        memcpy(p, d.good, h.table_off);
        struct disk_section s = {DISK_TAG('X', 'T', 'R', 'A'), required, h.table_off, 10, 0};
        memset(p + s.off, 'x', 10);
        s.check = hash64(p + s.off, 10);
        struct disk_header more = h;
        more.n_sections++;
        more.file_bytes = n;
        more.table_off += 4096;
        memcpy(p + more.table_off, d.good + h.table_off, table);
        memcpy(p + more.table_off + table, &s, sizeof s);
        more.table_check = hash64(p + more.table_off, table + 32);
        more.check = hash64(&more, offsetof(struct disk_header, check));
        memcpy(p, &more, sizeof more);
        put(p, n);
        struct kvz *k;
        if (required) {
            REFUSED(ERR_UNSUPPORTED, "needs section XTRA", kvz_open(&k, d.path, e));
        } else {
            assert_int_equal(complain(), 0);
            assert_int_equal(believe_no_lie(0), 0);
            put_byte(s.off + 3, 'y');
            assert_int_equal(complain(), 1);
            assert_non_null(strstr(d.said, "section XTRA is damaged"));
            assert_int_equal(believe_no_lie(0), 0);
        }
        free(p);
    }
    restore();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(no_rule_is_broken_unseen),
        cmocka_unit_test(random_lies_do_no_harm),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(unknown_sections),
    };
    const struct CMUnitTest codec_3[] = {
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(no_rule_of_codec_3_is_broken_unseen),
        cmocka_unit_test(a_base_that_another_thread_makes_is_checked),
        cmocka_unit_test(random_lies_do_no_harm),
        cmocka_unit_test(damage_is_named),
    };
    const struct CMUnitTest codec_5[] = {
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(a_base_that_another_thread_makes_is_checked),
        cmocka_unit_test(random_lies_do_no_harm),
        cmocka_unit_test(damage_is_named),
    };
    const struct CMUnitTest short_state[] = {
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(no_rule_of_a_short_state_is_broken_unseen),
    };
    const struct CMUnitTest narrow[] = {
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(no_rule_of_a_narrow_run_is_broken_unseen),
        cmocka_unit_test(random_lies_do_no_harm),
    };
    int failed = cmocka_run_group_tests(tests, init_1, done);
    failed += cmocka_run_group_tests(narrow, init_narrow, done);
    failed += cmocka_run_group_tests(codec_3, init_3, done);
    failed += cmocka_run_group_tests(codec_5, init_5, done);
    return failed + cmocka_run_group_tests(short_state, init_short, done);
}
