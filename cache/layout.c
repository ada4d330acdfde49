// Where the parts of an index are: header, sections and tables, all checked before use.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/codec.h"
#include "cache/format.h"
#include "cache/meta.h"
#include "cache/reader.h"
#include "io/hash.h"
#include "io/mem.h"

static const struct {
    uint32_t tag, flags;
} known[N_SECTIONS] = {
    [S_BLOCKS] = {TAG_BLOCKS, SECTION_REQUIRED | SECTION_SELF},
    [S_DIR] = {TAG_DIR, SECTION_REQUIRED},
    [S_VECTORS] = {TAG_VECTORS, SECTION_REQUIRED | SECTION_SELF},
    [S_CHANNELS] = {TAG_CHANNELS, SECTION_REQUIRED},
    [S_DOCS] = {TAG_DOCS, SECTION_REQUIRED},
    [S_NAMES] = {TAG_NAMES, SECTION_REQUIRED},
    [S_META] = {TAG_META, SECTION_REQUIRED},
    [S_TEXT] = {TAG_TEXT, 0},
    [S_BASE] = {TAG_BASE, SECTION_REQUIRED},
    [S_SUMMARY] = {TAG_SUMMARY, 0},
    [S_SENTENCES] = {TAG_SENTENCES, 0},
    [S_WORDS] = {TAG_WORDS, 0},
};

static void tag_text(uint32_t tag, char text[5])
{
    for (int i = 0; i < 4; i++) {
        text[i] = (char)(tag >> (8 * i));
        if (text[i] < 32 || text[i] > 126)
            text[i] = '?';
    }
    text[4] = 0;
}

static int read_header(struct kvz *k, struct err *e)
{
    struct disk_header *h = &k->head;
    const char *path = k->path;
    if (k->map.bytes < sizeof h->magic || memcmp(k->map.data, disk_magic, sizeof disk_magic))
        return err_set(e, ERR_FORMAT,
                       "%s: not a .kvz index; 'lctool encode' makes one of a document", path);
    if (k->map.bytes < sizeof *h)
        return err_set(e, ERR_FORMAT, "%s: ends in its header", path);
    memcpy(h, k->map.data, sizeof *h);
    if (h->version > DISK_VERSION)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: written by a newer version (format %u; this one "
                       "reads format %u)",
                       path, h->version, DISK_VERSION);
    if (h->check != hash64(h, sizeof *h - sizeof h->check) || h->version < 1)
        return err_set(e, ERR_FORMAT, "%s: its header is damaged", path);
    if (h->file_bytes != k->map.bytes)
        return err_set(e, ERR_FORMAT, "%s: is %zu bytes long instead of %" PRIu64 "; copy it again",
                       path, k->map.bytes, h->file_bytes);
    for (size_t i = 0; i < sizeof h->zero; i++)
        if (h->zero[i])
            return err_set(e, ERR_FORMAT, "%s: its header is damaged", path);
    uint64_t table = (uint64_t)h->n_sections * sizeof(struct disk_section);
    if (h->n_sections > DISK_SECTIONS_MAX || h->table_off < DISK_PAGE || h->table_off % DISK_PAGE ||
        h->table_off > h->file_bytes || table != h->file_bytes - h->table_off)
        return err_set(e, ERR_FORMAT, "%s: its section table is not where it should be", path);
    return 0;
}

static int take_section(struct kvz *k, const struct disk_section *s, struct err *e)
{
    char tag[5];
    tag_text(s->tag, tag);
    for (int i = 0; i < N_SECTIONS; i++) {
        if (known[i].tag != s->tag)
            continue;
        if (k->of[i].tag)
            return err_set(e, ERR_FORMAT, "%s: section %s is there twice", k->path, tag);
        if (s->flags != known[i].flags || (s->flags & SECTION_SELF && s->check))
            return err_set(e, ERR_FORMAT, "%s: section %s has wrong flags", k->path, tag);
        k->of[i] = *s;
        return 0;
    }
    if (s->flags & SECTION_REQUIRED)
        return err_set(e, ERR_UNSUPPORTED, "%s: needs section %s, which this version does not know",
                       k->path, tag);
    return 0;
}

int reader_layout(struct kvz *k, struct err *e)
{
    int rc = read_header(k, e);
    if (rc)
        return rc;
    const struct disk_header *h = &k->head;
    size_t bytes = h->n_sections * sizeof *k->sections;
    if (h->table_check != hash64(k->map.data + h->table_off, bytes))
        return err_set(e, ERR_FORMAT, "%s: its section table is damaged", k->path);
    if (!(k->sections = mem_new(h->n_sections, sizeof *k->sections, e)))
        return ERR_NOMEM;
    memcpy(k->sections, k->map.data + h->table_off, bytes);
    uint64_t end = DISK_PAGE;
    for (uint32_t i = 0; i < h->n_sections; i++) {
        const struct disk_section *s = &k->sections[i];
        char tag[5];
        tag_text(s->tag, tag);
        if (s->off != disk_align(end, DISK_PAGE) || s->off > h->table_off ||
            s->bytes > h->table_off - s->off)
            return err_set(e, ERR_FORMAT, "%s: section %s is not where it should be", k->path, tag);
        end = s->off + s->bytes;
        rc = take_section(k, s, e);
        if (rc)
            return rc;
    }
    if (disk_align(end, DISK_PAGE) != h->table_off)
        return err_set(e, ERR_FORMAT, "%s: its section table is not where it should be", k->path);
    for (int i = 0; i < N_SECTIONS; i++) {
        char tag[5];
        tag_text(known[i].tag, tag);
        if (!k->of[i].tag && i != S_BASE && known[i].flags & SECTION_REQUIRED)
            return err_set(e, ERR_FORMAT, "%s: section %s is missing", k->path, tag);
    }
    const struct disk_section *dir = &k->of[S_DIR], *docs = &k->of[S_DOCS];
    if (dir->bytes % sizeof(struct disk_block) || docs->bytes % sizeof(struct disk_document) ||
        dir->bytes / sizeof(struct disk_block) != h->n_blocks ||
        docs->bytes / sizeof(struct disk_document) != h->n_documents)
        return err_set(e, ERR_FORMAT, "%s: its directory has the wrong length", k->path);
    return 0;
}

int reader_section(const struct kvz *k, const struct disk_section *s, struct err *e)
{
    char tag[5];
    tag_text(s->tag, tag);
    if (!(s->flags & SECTION_SELF) && s->check != hash64(k->map.data + s->off, s->bytes))
        return err_set(e, ERR_FORMAT, "%s: section %s is damaged", k->path, tag);
    return 0;
}

int reader_meta(struct kvz *k, struct err *e)
{
    const struct disk_section *s = &k->of[S_META];
    struct disk_meta d;
    struct err why;
    if (s->bytes != sizeof d)
        return err_set(e, ERR_FORMAT, "%s: section META has the wrong length", k->path);
    int rc = reader_section(k, s, e);
    if (rc)
        return rc;
    memcpy(&d, k->map.data + s->off, sizeof d);
    meta_from_disk(&k->meta, &d);
    rc = meta_check(&k->meta, ERR_FORMAT, &why);
    return rc ? err_set(e, rc, "%s: %s", k->path, why.msg) : 0;
}

static int open_basis(const struct kvz *k, struct basis **basis, struct err *e)
{
    const struct disk_section *s = &k->of[S_BASE];
    const int wanted = codec_is_fitted(k->meta.recipe.codec);
    struct err why;
    if (!s->tag != !wanted)
        return err_set(e, ERR_FORMAT, "%s: section BASE %s", k->path,
                       wanted ? "is missing" : "belongs to another codec");
    int rc = wanted ? reader_section(k, s, e) : 0;
    if (rc || !wanted)
        return rc;
    rc = basis_open(basis, k->map.data + s->off, s->bytes, &k->meta, NULL, &why);
    return rc ? err_set(e, rc, "%s: %s", k->path, why.msg) : 0;
}

int reader_basis(const struct kvz *k, const struct basis **basis, struct err *e)
{
    int rc = 0;
    struct basis *b = atomic_load(&k->fitted->basis);
    if (!b) {
        pthread_mutex_lock(&k->fitted->lock);
        if (!(b = atomic_load(&k->fitted->basis)) && !(rc = open_basis(k, &b, e)))
            atomic_store(&k->fitted->basis, b);
        pthread_mutex_unlock(&k->fitted->lock);
    }
    *basis = b;
    return rc;
}

struct disk_document reader_document(const struct kvz *k, uint64_t i)
{
    struct disk_document d;
    memcpy(&d, k->map.data + k->of[S_DOCS].off + i * sizeof d, sizeof d);
    return d;
}

static int name_ok(const struct kvz *k, uint64_t off, uint32_t bytes)
{
    const struct disk_section *s = &k->of[S_NAMES];
    return off < s->bytes && bytes < s->bytes - off && !k->map.data[s->off + off + bytes];
}

int reader_docs(struct kvz *k, struct err *e)
{
    int rc = reader_section(k, &k->of[S_DOCS], e);
    if (!rc)
        rc = reader_section(k, &k->of[S_NAMES], e);
    if (rc)
        return rc;
    free(k->text_at);
    if (!(k->text_at = mem_new(k->head.n_documents, sizeof *k->text_at, e)))
        return ERR_NOMEM;
    uint64_t block = 0, tokens = 0, text = 0;
    for (uint64_t i = 0; i < k->head.n_documents; i++) {
        struct disk_document d = reader_document(k, i);
        k->text_at[i] = text;
        text = d.bytes < UINT64_MAX - text ? text + d.bytes : UINT64_MAX;
        if (!name_ok(k, d.name_off, d.name_bytes) || !name_ok(k, d.format_off, d.format_bytes))
            return err_set(e, ERR_FORMAT,
                           "%s: the name of document %" PRIu64 " is not where it should be",
                           k->path, i);
        if (d.first_block != block || d.n_blocks > k->head.n_blocks - block ||
            d.n_tokens > k->head.n_tokens - tokens)
            return err_set(e, ERR_FORMAT, "%s: document %" PRIu64 " has blocks of another", k->path,
                           i);
        block += d.n_blocks;
        tokens += d.n_tokens;
    }
    if (block != k->head.n_blocks || tokens != k->head.n_tokens)
        return err_set(e, ERR_FORMAT, "%s: has blocks that belong to no document", k->path);
    k->text_bytes = text;
    k->docs_ok = 1;
    return 0;
}

int reader_channels(struct kvz *k, struct err *e)
{
    const struct disk_section *s = &k->of[S_CHANNELS], *v = &k->of[S_VECTORS];
    uint32_t n = k->meta.n_channels;
    if (s->bytes != n * sizeof *k->channels)
        return err_set(e, ERR_FORMAT, "%s: section CHNL has the wrong length", k->path);
    int rc = reader_section(k, s, e);
    if (rc)
        return rc;
    k->channels = mem_new(n, sizeof *k->channels, e);
    k->runs = mem_new(n, sizeof *k->runs, e);
    if (!k->channels || !k->runs)
        return ERR_NOMEM;
    for (; k->n_runs < n; k->n_runs++)
        pthread_mutex_init(&k->runs[k->n_runs].lock, NULL);
    memcpy(k->channels, k->map.data + s->off, s->bytes);
    uint64_t off = v->off;
    for (uint32_t i = 0; i < n; i++) {
        const struct disk_channel *c = &k->channels[i];
        struct disk_run r;
        const struct kvz_channel as = reader_channel(k, i);
        const int narrow = (c->kind & DISK_NARROW) != 0;
        struct kvz_meta one = {.n_layers = k->meta.n_layers,
                               .n_heads = k->meta.n_heads,
                               .n_kv_heads = k->meta.n_kv_heads,
                               .n_channels = 1};
        if (meta_check_channels(&one, &as, ERR_FORMAT, NULL) ||
            disk_run_layout(&r, k->head.n_blocks, c->n, c->dim, narrow) ||
            (narrow && (as.kind != KVZ_KEYS || c->dim % 2)) || c->bytes != r.bytes ||
            c->off != off || c->bytes > v->bytes - (off - v->off))
            return err_set(e, ERR_FORMAT, "%s: index channel %u is not where it should be", k->path,
                           i);
        off = disk_align(off + c->bytes, DISK_ALIGN);
        if (off - v->off > v->bytes)
            return err_set(e, ERR_FORMAT, "%s: section VECT has the wrong length", k->path);
    }
    if (off - v->off != v->bytes)
        return err_set(e, ERR_FORMAT, "%s: section VECT has the wrong length", k->path);
    return 0;
}

int reader_entry(const struct kvz *k, uint64_t block, struct disk_block *d, struct err *e)
{
    const struct disk_section *s = &k->of[S_BLOCKS];
    if (block >= k->head.n_blocks)
        return err_set(e, ERR_USAGE, "there are only %" PRIu64 " blocks", k->head.n_blocks);
    memcpy(d, k->map.data + k->of[S_DIR].off + block * sizeof *d, sizeof *d);
    if (d->check != hash64(d, sizeof *d - sizeof d->check))
        return err_set(e, ERR_FORMAT, "its entry in the directory is damaged");
    uint64_t at = d->off - s->off;
    int ok = d->off >= s->off && at <= s->bytes && at % DISK_ALIGN == 0 &&
             d->bytes <= s->bytes - at && d->start <= d->end &&
             pack_plausible(d->bytes < PACK_MAX ? d->bytes : PACK_MAX, d->end - d->start) &&
             d->n_tokens >= 1 && d->n_tokens <= k->meta.block && isfinite(d->mass) &&
             d->n_tokens <= k->head.n_tokens && d->token <= k->head.n_tokens - d->n_tokens;
    if (ok && k->docs_ok) {
        ok = d->document < k->head.n_documents;
        if (ok) {
            struct disk_document doc = reader_document(k, d->document);
            ok = block >= doc.first_block && block - doc.first_block < doc.n_blocks &&
                 d->end <= doc.bytes;
        }
    }
    return ok ? 0 : err_set(e, ERR_FORMAT, "its entry in the directory is wrong");
}

int reader_record(const struct kvz *k, uint64_t block, struct record *r, struct err *e)
{
    struct disk_block d;
    int rc = reader_entry(k, block, &d, e);
    return rc ? rc : record_open(r, k->map.data + d.off, &d, block, k->meta.n_layers, e);
}

const char *reader_where(const struct kvz *k, uint64_t block, char *buf, size_t cap)
{
    struct disk_block d;
    if (reader_entry(k, block, &d, NULL))
        snprintf(buf, cap, "place in the document unknown");
    else if (!k->docs_ok)
        snprintf(buf, cap, "bytes %" PRIu64 "-%" PRIu64, d.start, d.end);
    else
        snprintf(buf, cap, "%.500s bytes %" PRIu64 "-%" PRIu64,
                 (const char *)k->map.data + k->of[S_NAMES].off +
                     reader_document(k, d.document).name_off,
                 d.start, d.end);
    return buf;
}
