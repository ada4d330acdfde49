// Indexes: every checksum is made right after a change, so that what it covers is put to the proof.
#define _GNU_SOURCE
#include "tests/fuzz/kvz.h"

#include <stdlib.h>
#include <string.h>

#include "cache/format.h"
#include "cmd/inspect.h"
#include "io/hash.h"
#include "tests/unit/cache/kvz_make.h"

// ---- checksums

static int inside(size_t n, uint64_t at, uint64_t bytes)
{
    return at <= n && bytes <= n - at;
}

static void seal(uint8_t *p, size_t n, uint64_t at, uint64_t from, uint64_t bytes)
{
    if (!inside(n, at, 8) || !inside(n, from, bytes))
        return;
    uint64_t h = hash64(p + from, bytes);
    memcpy(p + at, &h, sizeof h);
}

// Where the chunk of an entry lies, and where in the record's entry its checksum is.
static void seal_chunk(uint8_t *p, size_t n, uint64_t off, uint32_t form, uint32_t layer,
                       uint64_t *end)
{
    struct disk_chunk c;
    struct disk_short_chunk s;
    uint64_t entry = off + disk_head_bytes(form, layer);
    if (form == FORM_SHORT) {
        memcpy(&s, p + entry, sizeof s);
        c = (struct disk_chunk){.off = disk_align(*end, DISK_PART_ALIGN), .bytes = s.bytes};
        *end = c.off + c.bytes;
        entry += offsetof(struct disk_short_chunk, check);
    } else {
        memcpy(&c, p + entry, sizeof c);
        entry += offsetof(struct disk_chunk, check);
    }
    if (c.off <= n)
        seal(p, n, entry, off + c.off, c.bytes);
}

static void seal_record(uint8_t *p, size_t n, uint64_t off)
{
    struct disk_record r;
    if (!inside(n, off, sizeof r))
        return;
    memcpy(&r, p + off, sizeof r);
    uint64_t head = disk_head_bytes(r.form, r.n_layers);
    if (r.n_layers > DISK_LAYERS_MAX || !inside(n, off, head) || r.tokens_bytes > n)
        return;
    uint64_t mass = disk_align(head + r.tokens_bytes, 8);
    uint64_t mass_bytes = disk_mass_bytes(r.form, r.n_layers, r.n_tokens), end = mass + mass_bytes;
    for (uint32_t l = 0; l < r.n_layers; l++)
        seal_chunk(p, n, off, r.form, l, &end);
    seal(p, n, off + offsetof(struct disk_record, tokens_check), off + head, r.tokens_bytes);
    seal(p, n, off + offsetof(struct disk_record, mass_check), off + mass, mass_bytes);
    seal(p, n, off, off + 8, head - 8);
}

static void seal_dir(uint8_t *p, size_t n, const struct disk_section *s)
{
    for (uint64_t i = 0; i < s->bytes / sizeof(struct disk_block); i++) {
        struct disk_block b;
        uint64_t at = s->off + i * sizeof b;
        if (!inside(n, at, sizeof b))
            return;
        memcpy(&b, p + at, sizeof b);
        seal_record(p, n, b.off);
        seal(p, n, at + offsetof(struct disk_block, check), at, offsetof(struct disk_block, check));
    }
}

static void seal_channels(uint8_t *p, size_t n, const struct disk_section *s, uint64_t n_blocks)
{
    for (uint64_t i = 0; i < s->bytes / sizeof(struct disk_channel); i++) {
        struct disk_channel c;
        struct disk_run r;
        uint64_t at = s->off + i * sizeof c;
        if (!inside(n, at, sizeof c))
            return;
        memcpy(&c, p + at, sizeof c);
        if (disk_run_layout(&r, n_blocks, c.n, c.dim, c.kind & DISK_NARROW) || c.off > n)
            continue;
        seal(p, n, at + offsetof(struct disk_channel, start_check), c.off + r.start, r.start_bytes);
        seal(p, n, at + offsetof(struct disk_channel, scale_check), c.off + r.scale, r.scale_bytes);
        seal(p, n, at + offsetof(struct disk_channel, token_check), c.off + r.token, r.token_bytes);
        seal(p, n, at + offsetof(struct disk_channel, vector_check), c.off + r.vector,
             r.vector_bytes);
    }
}

void fuzz_kvz_seal(uint8_t *p, size_t n)
{
    struct disk_header h;
    if (n < sizeof h)
        return;
    memcpy(&h, p, sizeof h);
    for (uint64_t i = 0; i < h.n_sections && i < DISK_SECTIONS_MAX; i++) {
        struct disk_section s;
        uint64_t at = h.table_off + i * sizeof s;
        if (h.table_off > n || !inside(n, at, sizeof s))
            break;
        memcpy(&s, p + at, sizeof s);
        if (!inside(n, s.off, s.bytes))
            continue;
        if (s.tag == TAG_DIR)
            seal_dir(p, n, &s);
        if (s.tag == TAG_CHANNELS)
            seal_channels(p, n, &s, h.n_blocks);
        if (!(s.flags & SECTION_SELF))
            seal(p, n, at + offsetof(struct disk_section, check), s.off, s.bytes);
    }
    seal(p, n, offsetof(struct disk_header, table_check), h.table_off,
         h.n_sections * sizeof(struct disk_section));
    seal(p, n, offsetof(struct disk_header, check), 0, offsetof(struct disk_header, check));
}

// ---- changes

static void change(struct fuzz_random *r, uint8_t *data, size_t n, uint64_t at, uint64_t bytes)
{
    size_t width = (size_t)1 << fuzz_below(r, 4);
    uint64_t v = 0;
    at += fuzz_below(r, bytes / width + 1) * width;
    if (!inside(n, at, width))
        return;
    memcpy(&v, data + at, width);
    v = fuzz_number(r, v);
    memcpy(data + at, &v, width);
}

// A place where every byte means something: the header, the section table, or in a section; in
// BLKS mostly the head of a record.
static void change_somewhere(struct fuzz_random *r, uint8_t *data, size_t n)
{
    struct disk_header h;
    struct disk_section s, dir = {0};
    memcpy(&h, data, sizeof h);
    uint64_t n_sections = h.n_sections < DISK_SECTIONS_MAX ? h.n_sections : DISK_SECTIONS_MAX;
    uint64_t which = fuzz_below(r, n_sections + 3);
    if (which >= n_sections || !inside(n, h.table_off, n_sections * sizeof s)) {
        if (which == n_sections)
            change(r, data, n, h.table_off, n_sections * sizeof s);
        else
            change(r, data, n, 8, 56);
        return;
    }
    for (uint64_t i = 0; i < n_sections; i++) {
        memcpy(&s, data + h.table_off + i * sizeof s, sizeof s);
        if (s.tag == TAG_DIR)
            dir = s;
    }
    memcpy(&s, data + h.table_off + which * sizeof s, sizeof s);
    uint64_t n_blocks = dir.bytes / sizeof(struct disk_block);
    if (s.tag == TAG_META && fuzz_below(r, 4)) {
        change(r, data, n, s.off + offsetof(struct disk_meta, n_layers), 56);
    } else if (s.tag == TAG_BLOCKS && n_blocks && fuzz_below(r, 4)) {
        struct disk_block b;
        uint64_t at = dir.off + fuzz_below(r, n_blocks) * sizeof b;
        if (!inside(n, at, sizeof b))
            return;
        memcpy(&b, data + at, sizeof b);
        change(r, data, n, b.off, fuzz_below(r, 2) ? disk_head_bytes(FORM_SHORT, 2) : b.bytes);
    } else {
        change(r, data, n, s.off, s.bytes);
    }
}

size_t fuzz_kvz_mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    if (n < sizeof(struct disk_header) || !fuzz_below(r, 32))
        n = fuzz_mutate_bytes(r, data, n, cap, NULL);
    else
        change_somewhere(r, data, n);
    fuzz_kvz_seal(data, n);
    return n;
}

// ---- reading

// What is refused as it is stored is refused as floats, and but for what the device is to find out
// the other way round.
static void read_layer(const struct kvz *k, uint64_t block, uint32_t layer, float *kk, float *vv)
{
    struct kvz_stored x;
    int floats = kvz_read_kv(k, block, layer, kk, vv, kvz_meta(k)->block, NULL);
    int stored = kvz_read_stored(k, block, layer, &x, NULL);
    int is_left = !stored && x.coded.data && floats == ERR_FORMAT;
    if (stored != 1 && stored != floats && !is_left && stored != ERR_NOMEM && floats != ERR_NOMEM)
        abort();
    if (!stored)
        free(x.room);
}

static void read_blocks(const struct kvz *k)
{
    const struct kvz_meta *m = kvz_meta(k);
    size_t row = (size_t)m->block * m->n_kv_heads * m->head_dim;
    float *kv = malloc(2 * row * sizeof *kv), *mass = malloc(m->block * sizeof *mass);
    uint32_t *ids = malloc(2 * (size_t)m->block * sizeof *ids);
    if (!kv || !mass || !ids)
        abort();
    for (uint64_t b = 0; b < kvz_n_blocks(k) && b < 16; b++) {
        kvz_will_need(k, &b, 1);
        kvz_read_tokens(k, b, ids, ids + m->block, NULL);
        kvz_read_mass(k, b, mass, NULL);
        for (uint32_t l = 0; l <= m->n_layers && l < 8; l++)
            read_layer(k, b, l, kv, kv + row);
    }
    for (uint32_t c = 0; c <= m->n_channels && c < 64; c++) {
        struct kvz_run run;
        kvz_run(k, c, &run, NULL);
    }
    free(kv);
    free(mass);
    free(ids);
}

static void read_summary(const struct kvz *k)
{
    const struct kvz_meta *m = kvz_meta(k);
    struct kvz_summary s;
    if (kvz_summary(k, &s, NULL))
        return;
    size_t row = (size_t)s.n * m->n_kv_heads * m->head_dim;
    size_t lanes = (size_t)m->n_layers * m->n_kv_heads * s.n;
    float *kv = malloc(2 * row * sizeof *kv + 1), *score = malloc(lanes * sizeof *score + 1);
    uint32_t *token = malloc(lanes * sizeof *token + 1);
    if (!kv || !score || !token)
        abort();
    kvz_read_summary(k, token, score, NULL);
    for (uint32_t l = 0; l <= m->n_layers && l < 8; l++)
        kvz_read_summary_kv(k, l, kv, kv + row, NULL);
    free(kv);
    free(score);
    free(token);
}

static void read_sentences(const struct kvz *k)
{
    struct kvz_sentences s;
    struct kvz_document d;
    if (kvz_sentences(k, &s, NULL))
        return;
    for (uint64_t i = 0; i < s.n; i++) // what was checked is within its document
        if (kvz_document(k, s.v[i].document, &d, NULL) || s.v[i].start > d.bytes ||
            s.v[i].bytes > d.bytes - s.v[i].start || !(s.scale[i] >= 0) || strlen(s.name) >= 64)
            abort();
    hash64(s.vector, s.n * s.dim);
    struct kvz_words w;
    if (kvz_words(k, &w, NULL) || !w.n)
        return;
    for (uint64_t i = 0; i < w.n_sentences; i++)
        if (w.n_sentences != s.n || w.first[i] > w.first[i + 1] || w.first[i + 1] > w.n)
            abort();
    hash64(w.basis, (size_t)w.dim * w.wide * sizeof *w.basis);
    hash64(w.vector, w.n * w.dim);
}

static int read_index(const uint8_t *data, size_t n)
{
    const char *path = fuzz_file("x.kvz", data, n);
    const struct inspect_options o = {.json = n & 1};
    struct kvz *k;
    int good = 0;
    if (!kvz_open(&k, path, NULL)) {
        read_blocks(k);
        read_summary(k);
        read_sentences(k);
        const int empty = !kvz_n_tokens(k); // heads take no bytes a token then
        kvz_close(k);
        good = inspect_index(path, &o) == EXIT_OK && inspect_spans(path, &o) == EXIT_OK &&
               inspect_text(path) == EXIT_OK;
        good &= inspect_heads(path, &o) == EXIT_OK || empty;
    }
    return inspect_verify(path, &o) == EXIT_OK && good;
}

static const struct {
    uint32_t codec, k_bits, v_bits;
    int first, second;
} kinds[] = {{1, 8, 8, 3, 2}, {0, 16, 16, 2, 1},   {2, 4, 3, 2, 1},
             {2, 3, 2, 2, 2}, {3, 300, 200, 2, 1}, {4, 300, 200, 2, 1},
             {1, 8, 8, 0, 0}, {4, 80, 125, 2, 1},  {5, 300, 200, 2, 1}};

static int seed(int i, struct bytes *out)
{
    struct kvz_writer *w;
    uint64_t bytes;
    if (i >= (int)(sizeof kinds / sizeof *kinds))
        return 0;
    struct kvz_meta m = make_meta(kinds[i].codec);
    m.recipe.k_bits = kinds[i].k_bits;
    m.recipe.v_bits = kinds[i].v_bits;
    const char *path = fuzz_path("seed.kvz");
    OK(kvz_create(&w, path, &m, make_channels, e));
    make_document(w, "book.txt", kinds[i].first);
    make_document(w, "letters/b.txt", kinds[i].second);
    if (kinds[i].second == 2)
        make_summary(w, i % 2);
    if (kinds[i].second == 2) {
        const struct kvz_sentences s = make_sentences();
        OK(kvz_put_sentences(w,
                             &(struct kvz_sentences){.n = 3,
                                                     .dim = s.dim,
                                                     .digest = s.digest,
                                                     .name = s.name,
                                                     .v = s.v,
                                                     .scale = s.scale,
                                                     .vector = s.vector},
                             e));
        struct kvz_words words = make_words();
        words.n_sentences = 3;
        words.n = words.first[3];
        OK(kvz_put_words(w, &words, e));
    }
    OK(kvz_finish(w, &bytes, e));
    kvz_writer_close(w);
    fuzz_slurp(path, out);
    return 1;
}

const struct fuzz_target fuzz_kvz = {
    .name = "kvz", .runs = 8000, .seed = seed, .mutate = fuzz_kvz_mutate, .read = read_index};
