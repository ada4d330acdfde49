#include "tests/unit/cache/damage.h"

#include "io/hash.h"

struct damage damage;

int damage_read(const char *path, uint64_t items[ITEMS])
{
    struct kvz *k;
    int rc = kvz_open(&k, path, NULL), n = 0;
    if (rc)
        return rc;
    const struct kvz_meta *m = kvz_meta(k);
    kvz_check_beside(k);
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
    struct kvz_sentences t;
    items[n++] = kvz_sentences(k, &t, NULL) || !t.n
                     ? 0
                     : t.n + t.dim + t.digest + hash64(t.name, strlen(t.name)) +
                           hash64(t.v, t.n * sizeof *t.v) + hash64(t.scale, t.n * sizeof *t.scale) +
                           hash64(t.vector, t.n * t.dim);
    struct kvz_words words;
    items[n++] = kvz_words(k, &words, NULL) || !words.n
                     ? 0
                     : words.n + words.n_sentences +
                           hash64(words.basis, (size_t)words.dim * words.wide * 2) +
                           hash64(words.first, (words.n_sentences + 1) * sizeof *words.first) +
                           hash64(words.vector, words.n * words.dim);
    free(kv);
    free(ids);
    kvz_close(k);
    return n;
}

static int init(void **state, uint32_t codec, enum make_summary summary)
{
    if (own_dir_make_quick(state))
        return -1;
    make_path(damage.path, "damage.kvz");
    make_index_and(damage.path, codec, 3, 2, summary);
    damage.good = (uint8_t *)make_slurp(damage.path, &damage.n);
    damage.bad = malloc(damage.n);
    memcpy(damage.bad, damage.good, damage.n);
    damage.n_items = damage_read(damage.path, damage.items);
    assert_true(damage.n_items > 0);
    return 0;
}

int damage_init_1(void **state)
{
    return init(state, 1, OWN_SUMMARY);
}

int damage_init_2(void **state)
{
    return init(state, 2, SHORT_SUMMARY);
}

int damage_init_3(void **state)
{
    return init(state, 3, SHORT_SUMMARY);
}

int damage_init_5(void **state)
{
    return init(state, 5, SHORT_SUMMARY);
}

int damage_init_narrow(void **state)
{
    return init(state, MAKE_NARROW, SHORT_SUMMARY);
}

int damage_init_short(void **state)
{
    return init(state, 1, SHORT_SUMMARY);
}

int damage_done(void **state)
{
    free(damage.good);
    free(damage.bad);
    return own_dir_remove(state);
}

void damage_put(const uint8_t *data, size_t n)
{
    FILE *f = fopen(damage.path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    fclose(f);
}

void damage_put_byte(size_t at, uint8_t byte)
{
    FILE *f = fopen(damage.path, "r+b");
    assert_non_null(f);
    fseek(f, (long)at, SEEK_SET);
    fputc(byte, f);
    fclose(f);
}

void damage_undo(void)
{
    memcpy(damage.bad, damage.good, damage.n);
    damage_put(damage.good, damage.n);
}

const struct disk_header *damage_header(void)
{
    return (const void *)damage.good;
}

struct disk_section damage_section(uint32_t tag)
{
    struct disk_section s;
    for (uint32_t i = 0; i < damage_header()->n_sections; i++) {
        memcpy(&s, damage.good + damage_header()->table_off + i * sizeof s, sizeof s);
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

void damage_seal(void)
{
    uint8_t *p = damage.bad;
    struct disk_section dir = damage_section(TAG_DIR), channels = damage_section(TAG_CHANNELS);
    for (uint64_t i = 0; i < damage_header()->n_blocks; i++) {
        struct disk_block b;
        struct disk_record r;
        size_t at = dir.off + i * sizeof b;
        memcpy(&b, damage.good + at, sizeof b);
        memcpy(&r, damage.good + b.off, sizeof r);
        size_t head = disk_head_bytes(FORM_SHORT, r.n_layers);
        size_t mass = disk_align(head + r.tokens_bytes, 8), end = mass + r.n_tokens;
        for (uint32_t l = 0; l < r.n_layers; l++) {
            struct disk_short_chunk c;
            size_t entry = b.off + disk_head_bytes(FORM_SHORT, l), chunk = disk_align(end, 8);
            memcpy(&c, damage.good + entry, sizeof c);
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
        memcpy(&c, damage.good + at, sizeof c);
        assert_int_equal(
            disk_run_layout(&r, damage_header()->n_blocks, c.n, c.dim, c.kind & DISK_NARROW), 0);
        seal(p, at + offsetof(struct disk_channel, start_check), c.off + r.start, r.start_bytes);
        seal(p, at + offsetof(struct disk_channel, scale_check), c.off + r.scale, r.scale_bytes);
        seal(p, at + offsetof(struct disk_channel, token_check), c.off + r.token, r.token_bytes);
        seal(p, at + offsetof(struct disk_channel, vector_check), c.off + r.vector, r.vector_bytes);
    }
    for (uint32_t i = 0; i < damage_header()->n_sections; i++) {
        struct disk_section s;
        size_t at = damage_header()->table_off + i * sizeof s;
        memcpy(&s, damage.good + at, sizeof s);
        if (!(s.flags & SECTION_SELF))
            seal(p, at + offsetof(struct disk_section, check), s.off, s.bytes);
    }
    seal(p, offsetof(struct disk_header, table_check), damage_header()->table_off,
         damage_header()->n_sections * sizeof(struct disk_section));
    seal(p, offsetof(struct disk_header, check), 0, offsetof(struct disk_header, check));
}

static void heard(void *arg, const char *what)
{
    (void)arg;
    size_t n = strlen(damage.said);
    snprintf(damage.said + n, sizeof damage.said - n, "%s\n", what);
}

int64_t damage_complain(void)
{
    uint64_t items[ITEMS];
    struct err why = {0};
    damage.said[0] = 0;
    damage_read(damage.path, items);
    int64_t n = kvz_verify(damage.path, heard, NULL, &why);
    if (n < 0)
        strcpy(damage.said, why.msg);
    return n;
}
