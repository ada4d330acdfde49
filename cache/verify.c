// kvz_verify: checks every byte of an index, and reports every damage, not only the first.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/format.h"
#include "cache/kvz.h"
#include "cache/reader.h"
#include "cache/record.h"
#include "io/mem.h"

struct verify {
    struct kvz *k;
    kvz_bad_fn *bad;
    void *arg;
    int64_t n;
};

static void __attribute__((format(printf, 2, 3))) found(struct verify *v, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    v->n++;
    if (v->bad)
        v->bad(v->arg, text);
}

// Reports an error of a step of opening, without the path in front of it.
static void found_in(struct verify *v, const struct err *why)
{
    size_t n = strlen(v->k->path);
    int named = !strncmp(why->msg, v->k->path, n) && !strncmp(why->msg + n, ": ", 2);
    found(v, "%s", named ? why->msg + n + 2 : why->msg);
}

static int zeros(const struct kvz *k, uint64_t from, uint64_t to)
{
    return record_zeros(k->map.data + from, to - from);
}

static void check_sections(struct verify *v)
{
    const struct kvz *k = v->k;
    struct err why;
    for (uint32_t i = 0; i < k->head.n_sections; i++) {
        const struct disk_section *s = &k->sections[i];
        uint64_t next = i + 1 < k->head.n_sections ? s[1].off : k->head.table_off;
        if (!zeros(k, s->off + s->bytes, next))
            found(v, "padding after section %.4s is not zero", (const char *)&s->tag);
        // These have steps of their own.
        if (s->tag != TAG_META && s->tag != TAG_DOCS && s->tag != TAG_NAMES &&
            s->tag != TAG_CHANNELS && s->tag != TAG_BASE && s->tag != TAG_SUMMARY &&
            s->tag != TAG_SENTENCES && s->tag != TAG_WORDS && reader_section(k, s, &why))
            found_in(v, &why);
    }
}

static void check_record(struct verify *v, const struct basis *basis, uint64_t block,
                         const struct disk_block *d, uint64_t next, const char *where)
{
    const struct kvz *k = v->k;
    struct record r;
    struct err why;
    if (record_open(&r, k->map.data + d->off, d, block, k->meta.n_layers, &why)) {
        found(v, "block %" PRIu64 " damaged: %s (%s)", block, where, why.msg);
        return;
    }
    if (record_tokens(&r, NULL, NULL, NULL, &why))
        found(v, "block %" PRIu64 " damaged: %s (%s)", block, where, why.msg);
    if (record_mass(&r, NULL, &why))
        found(v, "block %" PRIu64 " damaged: %s (%s)", block, where, why.msg);
    for (uint32_t l = 0; l < k->meta.n_layers; l++) {
        struct record_layer y;
        if (record_check_layer(&r, &k->meta, basis, l, &y, &why))
            found(v, "block %" PRIu64 " layer %u damaged: %s (%s)", block, l, where, why.msg);
    }
    if (record_padding(&r, next - d->off, &why))
        found(v, "block %" PRIu64 " damaged: %s (%s)", block, where, why.msg);
}

// BASIS NULL: there is none, or it is damaged, which has been reported.
static void check_blocks(struct verify *v, const struct basis *basis)
{
    const struct kvz *k = v->k;
    const struct disk_section *s = &k->of[S_BLOCKS];
    uint64_t at = s->off; // where the record must begin; 0: unknown, the one before is damaged
    for (uint64_t i = 0; i < k->head.n_blocks; i++) {
        struct disk_block d;
        struct err why;
        char where[640];
        if (reader_entry(k, i, &d, &why)) {
            found(v, "block %" PRIu64 " damaged: %s", i, why.msg);
            at = 0;
            continue;
        }
        reader_where(k, i, where, sizeof where);
        if (at && d.off != at) {
            found(v, "block %" PRIu64 " damaged: %s (it is not where it should be)", i, where);
            at = 0;
            continue;
        }
        at = disk_align(d.off + d.bytes, DISK_ALIGN);
        if (at - s->off > s->bytes) {
            found(v, "block %" PRIu64 " damaged: %s (its record ends too late)", i, where);
            at = 0;
            continue;
        }
        check_record(v, basis, i, &d, at, where);
    }
    if (at && at - s->off != s->bytes)
        found(v, "section BLKS has the wrong length");
}

// R28. Damage to the section itself, or to a record, is reported elsewhere.
static void check_text(struct verify *v)
{
    struct kvz *k = v->k;
    const char *all;
    uint64_t bytes, at = 0;
    struct err why;
    if (kvz_text(k, &all, &bytes, &why) || !all)
        return;
    for (uint64_t i = 0; i < k->head.n_blocks; i++) {
        struct disk_block d;
        char *text;
        if (reader_entry(k, i, &d, &why) || !(text = mem_new(d.end - d.start + 1, 1, &why)))
            return;
        uint64_t n = d.end - d.start;
        int damaged = reader_text(k, i, text, &why),
            same = n <= bytes - at && !memcmp(all + at, text, n);
        free(text);
        if (damaged)
            return;
        if (!same) {
            found(v, "section TEXT differs from block %" PRIu64, i);
            return;
        }
        at += n;
    }
    if (at != bytes)
        found(v, "section TEXT has the wrong length");
}

static void check_runs(struct verify *v)
{
    const struct kvz *k = v->k;
    for (uint32_t i = 0; i < k->meta.n_channels; i++) {
        const struct disk_channel *c = &k->channels[i];
        struct kvz_run r;
        struct disk_run at;
        struct err why;
        if (reader_run(k, i, &r, &why)) {
            found_in(v, &why);
            continue;
        }
        disk_run_layout(&at, k->head.n_blocks, c->n, c->dim, (c->kind & DISK_NARROW) != 0);
        if (!zeros(k, c->off + at.start_bytes, c->off + at.scale) ||
            !zeros(k, c->off + at.scale + at.scale_bytes, c->off + at.token) ||
            !zeros(k, c->off + at.token + at.token_bytes, c->off + at.vector) ||
            !zeros(k, c->off + c->bytes, disk_align(c->off + c->bytes, DISK_ALIGN)))
            found(v, "index channel %u (layer %u head %u): its padding is not zero", i, c->layer,
                  c->head);
    }
}

static void check_summary(struct verify *v)
{
    const struct kvz *k = v->k;
    const size_t wide = (size_t)k->meta.n_kv_heads * k->meta.head_dim;
    struct kvz_summary s;
    struct err why;
    if (kvz_summary(k, &s, &why)) {
        found_in(v, &why);
        return;
    }
    if (s.n && !s.own_kv) { // damage to the blocks has been reported
        for (uint32_t l = 0; !v->n && l < k->meta.n_layers; l++)
            if (reader_summary_kv(k, &s, l, NULL, NULL, &why))
                found_in(v, &why);
        return;
    }
    float *kv = s.n ? mem_new(2 * s.n * wide, sizeof *kv, &why) : NULL;
    if (s.n && !kv)
        found_in(v, &why);
    for (uint32_t l = 0; kv && l < k->meta.n_layers; l++)
        if (kvz_read_summary_kv(k, l, kv, kv + s.n * wide, &why))
            found_in(v, &why);
    free(kv);
}

// SENT and WORD; of words whose sentences are damaged no more than their checksum can be checked.
static void check_sentences(struct verify *v)
{
    const struct kvz *k = v->k;
    struct kvz_sentences sentences;
    struct kvz_words words;
    struct err why;
    const int bad = kvz_sentences(k, &sentences, &why);
    if (bad)
        found_in(v, &why);
    if (k->of[S_WORDS].tag &&
        (bad ? reader_section(k, &k->of[S_WORDS], &why) : kvz_words(k, &words, &why)))
        found_in(v, &why);
}

int64_t kvz_verify(const char *path, kvz_bad_fn *bad, void *arg, struct err *e)
{
    struct verify v = {.bad = bad, .arg = arg};
    struct err why;
    const struct basis *basis;
    int rc = reader_map(&v.k, path, e);
    if (rc)
        return rc;
    rc = reader_layout(v.k, e);
    if (!rc) {
        check_sections(&v);
        if (reader_docs(v.k, &why))
            found_in(&v, &why);
        check_sentences(&v);
        if (reader_meta(v.k, &why)) {
            found_in(&v, &why);
            found(&v, "without section META no block can be checked");
        } else {
            if (reader_basis(v.k, &basis, &why)) {
                found_in(&v, &why);
                basis = NULL;
            }
            check_blocks(&v, basis);
            check_summary(&v);
            check_text(&v);
            if (reader_channels(v.k, &why))
                found_in(&v, &why);
            else
                check_runs(&v);
        }
    }
    kvz_close(v.k);
    return rc ? rc : v.n;
}
