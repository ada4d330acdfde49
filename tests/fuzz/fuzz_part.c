// Interrupted encodes: the three files of OUT.part, as the writer that resumes them reads them. An
// input is "state", "spool" and "data", packed.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache/format.h"
#include "cache/writer.h"
#include "io/hash.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/cache/kvz_make.h"

enum { STATE, SPOOL, DATA, N_FILES };
static const char *const files[N_FILES] = {"state", "spool", "data"};

enum { STATE_CHECK = offsetof(struct state_head, check) };

static void seal(struct bytes *f)
{
    uint8_t *p = f[SPOOL].p;
    uint64_t h;
    for (size_t at = 0, n = f[SPOOL].n; n - at >= sizeof(struct spool_head);) {
        struct spool_head s;
        memcpy(&s, p + at, sizeof s);
        if (s.bytes > n - at - sizeof s)
            break;
        s.check = hash64(p + at + sizeof s, s.bytes);
        memcpy(p + at, &s, sizeof s);
        at += sizeof s + s.bytes;
    }
    if (f[STATE].n > STATE_CHECKED) {
        h = hash64(f[STATE].p + STATE_CHECKED, f[STATE].n - STATE_CHECKED);
        memcpy(f[STATE].p + STATE_CHECK, &h, sizeof h);
    }
}

static size_t mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    const uint8_t *part[N_FILES];
    size_t part_n[N_FILES];
    struct bytes f[N_FILES] = {{0}}, out = {0};
    fuzz_unpack(data, n, part, part_n, N_FILES);
    for (int i = 0; i < N_FILES; i++)
        fuzz_add(&f[i], part[i], part_n[i]);
    int which = (int)fuzz_below(r, N_FILES);
    uint8_t *room = malloc(cap);
    if (!room)
        abort();
    if (f[which].n)
        memcpy(room, f[which].p, f[which].n);
    if (which == STATE && f[STATE].n > sizeof(struct state_head) && fuzz_below(r, 4)) {
        size_t at = 16 + 8 * fuzz_below(r, (sizeof(struct state_head) - 16) / 8);
        uint64_t v;
        memcpy(&v, room + at, 8);
        v = fuzz_number(r, v);
        memcpy(room + at, &v, 8);
    } else {
        size_t others = n - f[which].n;
        f[which].n =
            fuzz_mutate_bytes(r, room, f[which].n, cap > others + 16 ? cap - others - 16 : 0, NULL);
    }
    size_t now = f[which].n;
    f[which].n = 0;
    fuzz_add(&f[which], room, now);
    seal(f);
    fuzz_pack(&out, f, N_FILES);
    if (out.n <= cap) {
        memcpy(data, out.p, out.n);
        n = out.n;
    }
    free(room);
    free(out.p);
    for (int i = 0; i < N_FILES; i++)
        free(f[i].p);
    return n;
}

static const char caller[] = "what the encoder remembers";

static int seed(int i, struct bytes *out)
{
    struct kvz_writer *w;
    uint64_t bytes = 0;
    if (i >= 2)
        return 0;
    struct kvz_meta m = make_meta(1);
    const char *path = fuzz_path("p.kvz");
    OK(kvz_part_remove(path, e));
    OK(kvz_create(&w, path, &m, make_channels, e));
    make_document(w, "book.txt", 2);
    if (i) {
        OK(kvz_begin_document(w, "letters/b.txt", "text", e));
        OK(make_block(w, &bytes, e));
    }
    make_checkpoint(w, caller, sizeof caller);
    kvz_writer_close(w);
    struct bytes f[N_FILES] = {{0}};
    for (int k = 0; k < N_FILES; k++) {
        char name[32];
        snprintf(name, sizeof name, "p.kvz.part/%s", files[k]);
        fuzz_slurp(fuzz_path(name), &f[k]);
    }
    fuzz_pack(out, f, N_FILES);
    for (int k = 0; k < N_FILES; k++)
        free(f[k].p);
    return 1;
}

static void go_on(struct kvz_writer *w)
{
    static float kv[2 * BLOCK * HEADS * DIM];
    uint64_t bytes = 0, n_blocks = kvz_writer_n_blocks(w);
    struct err e;
    for (uint64_t b = 0; b < n_blocks && b < 8; b++)
        kvz_writer_read_kv(w, b, 1, kv, kv + BLOCK * HEADS * DIM, BLOCK, &e);
    for (uint64_t d = 0, n; d < 8 && !kvz_writer_text_bytes(w, d, &n, &e); d++) {
        char text[64];
        kvz_writer_read_text(w, d, n / 2, n - n / 2 < sizeof text ? n - n / 2 : sizeof text, text,
                             &e);
    }
    if (!w->at.in_document)
        kvz_begin_document(w, "c.txt", "text", &e);
    if (!make_block(w, &bytes, &e))
        kvz_end_document(w, w->at.covered, 1, &e);
    kvz_finish(w, &bytes, &e);
}

static int read_part(const uint8_t *data, size_t n)
{
    const uint8_t *part[N_FILES];
    size_t part_n[N_FILES];
    const char *path = fuzz_path("p.kvz");
    fuzz_unpack(data, n, part, part_n, N_FILES);
    mkdir(fuzz_path("p.kvz.part"), 0777);
    for (int k = 0; k < N_FILES; k++) {
        char name[32];
        snprintf(name, sizeof name, "p.kvz.part/%s", files[k]);
        fuzz_file(name, part[k], part_n[k]);
    }
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(1);
    void *state;
    size_t bytes;
    if (!kvz_resume(&w, path, &m, make_channels, &state, &bytes, NULL)) {
        free(state);
        go_on(w);
        kvz_writer_close(w);
    }
    struct kvz *k;
    int good = !kvz_open(&k, path, NULL);
    if (good) {
        kvz_close(k);
        remove(path);
    }
    return good;
}

const struct fuzz_target fuzz_part = {
    .name = "part", .runs = 3000, .seed = seed, .mutate = mutate, .read = read_part};
