// futimens
#define _GNU_SOURCE
#include "kernels/cpu/packed_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "io/clock.h"
#include "io/file.h"
#include "io/hash.h"
#include "io/mem.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/pack.h"

enum {
    VERSION = 1,
    PIECE = 2 << 20,  // where a piece may begin, and the most that the header may have
    CHUNK = 1 << 20,  // bytes that have a checksum
    LEAST = 16 << 20, // fewer bytes are packed as fast as they are checked
    ROOM = 20,        // times the file's bytes that the file system must have
    FILES = 4,
    PROBE = 4, // chunks that are read to see how fast the mapping is,
    SLOW = 1,  // and the GB/s below which it is of no use
};
static const char ending[] = ".weights";

struct packed_file {
    char dir[PATH_MAX], path[PATH_MAX];
    struct header *made; // what the file has to begin with, without checksums; NULL: not to be kept
};

struct header {
    char magic[8], isa[16];
    uint64_t version, key, shapes, n_pieces;
    uint64_t bytes[]; // [n_pieces]
};

int packed_file_new(struct packed_file **out, const char *dir, struct err *e)
{
    struct packed_file *f = *out = mem_new(1, sizeof *f, e);
    if (!f)
        return ERR_NOMEM;
    if ((size_t)snprintf(f->dir, sizeof f->dir, "%s", dir) < sizeof f->dir)
        return 0;
    packed_file_free(f);
    *out = NULL;
    return err_set(e, ERR_USAGE, "%s: path too long", dir);
}

void packed_file_free(struct packed_file *f)
{
    if (!f)
        return;
    free(f->made);
    free(f);
}

// Nothing is to be kept.
static void forget(struct packed_file *f)
{
    free(f->made);
    f->made = NULL;
}

static size_t header_bytes(const struct header *h)
{
    return sizeof *h + (size_t)h->n_pieces * sizeof *h->bytes;
}

static size_t up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t chunks_of(const struct header *h)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n_pieces; i++)
        n += up(h->bytes[i], CHUNK) / CHUNK;
    return n;
}

static uint64_t all_bytes(const struct header *h)
{
    uint64_t n = 0;
    for (size_t i = 0; i < h->n_pieces; i++)
        n += h->bytes[i];
    return n;
}

// Types and shapes of the matrices W [n], in order.
static uint64_t shapes_of(const struct mat *w, size_t n)
{
    uint64_t d = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t one[] = {d, w[i].type, (uint64_t)w[i].rows, (uint64_t)w[i].cols};
        d = hash64(one, sizeof one);
    }
    return d;
}

static size_t pieces_of(const struct cpu *c)
{
    size_t n = 0, bytes;
    while (arena_piece(c->arena, n, &bytes))
        n++;
    return n;
}

// The header of what is in the arena now.
static struct header *header_of(const struct cpu *c, uint64_t key, uint64_t shapes)
{
    const size_t n = pieces_of(c);
    struct header *h = mem_new(1, sizeof *h + n * sizeof *h->bytes, NULL);
    if (!h)
        return NULL;
    memcpy(h->magic, "lctoolpw", sizeof h->magic);
    snprintf(h->isa, sizeof h->isa, "%s", c->isa->name);
    h->version = VERSION;
    h->key = key;
    h->shapes = shapes;
    h->n_pieces = n;
    for (size_t i = 0; i < n; i++) {
        size_t bytes;
        arena_piece(c->arena, i, &bytes);
        h->bytes[i] = bytes;
    }
    return h;
}

// Room for what the file begins with: header, checksums and, in the last SUM of the *BYTES, theirs.
// NULL when there is no memory or they are too many.
enum { SUM = sizeof(uint64_t) };
static uint8_t *front_new(const struct header *h, size_t *bytes)
{
    *bytes = header_bytes(h) + (chunks_of(h) + 1) * SUM;
    return *bytes <= PIECE ? mem_new(1, *bytes, NULL) : NULL;
}

// --- checksums and comparisons, by all threads ---

struct checking {
    struct cpu *c;
    const struct header *h;
    uint64_t *sums;      // [n_chunks] made, or compared with
    const struct mat *w; // [n_mats] whose first panels are compared
    size_t n_chunks, n_mats;
    int compare;
    atomic_int wrong;
};

// The I-th chunk.
static const uint8_t *chunk_at(const struct checking *k, size_t i, size_t *bytes)
{
    for (size_t p = 0; p < k->h->n_pieces; p++) {
        size_t all = k->h->bytes[p], n = up(all, CHUNK) / CHUNK, used;
        if (i >= n) {
            i -= n;
            continue;
        }
        *bytes = all - i * CHUNK < CHUNK ? all - i * CHUNK : CHUNK;
        return arena_piece(k->c->arena, p, &used) + i * CHUNK;
    }
    *bytes = 0;
    return NULL;
}

static int same_panel(const struct cpu *c, const struct mat *w)
{
    const size_t bytes = c->isa->panel_bytes(w);
    struct mat copy = *w;
    if (!(copy.packed = mem_new_aligned(bytes, 1, NULL)))
        return 0;
    c->isa->pack_panels(&copy, 0, 1);
    const int same = !memcmp(copy.packed, w->packed, bytes);
    free(copy.packed);
    return same;
}

static void check_task(void *ctx, int task, int thread)
{
    struct checking *k = ctx;
    const size_t i = (size_t)task;
    size_t bytes;
    (void)thread;
    if (atomic_load_explicit(&k->wrong, memory_order_relaxed))
        return;
    if (i >= k->n_chunks) {
        if (!same_panel(k->c, &k->w[i - k->n_chunks]))
            atomic_store(&k->wrong, 1);
        return;
    }
    const uint8_t *p = chunk_at(k, i, &bytes);
    const uint64_t sum = hash64(p, bytes);
    if (!k->compare)
        k->sums[i] = sum;
    else if (sum != k->sums[i])
        atomic_store(&k->wrong, 1);
}

// --- taking ---

// Reads the checksums of a file that begins as it has to, to SUMS [chunks_of].
static int read_front(const struct packed_file *f, int fd, uint64_t *sums)
{
    const struct header *h = f->made;
    const size_t own = header_bytes(h);
    size_t all;
    uint8_t *p = front_new(h, &all);
    uint64_t sum;
    int good = p && !file_pread(fd, p, all, 0, f->path, NULL) && !memcmp(p, h, own);
    if (good) {
        memcpy(&sum, p + all - SUM, SUM);
        good = sum == hash64(p, all - SUM);
        memcpy(sums, p + own, all - SUM - own);
    }
    free(p);
    return good;
}

// Where the I-th piece begins in the file.
static uint64_t piece_begin(const struct header *h, size_t i)
{
    uint64_t at = PIECE;
    for (size_t k = 0; k < i; k++)
        at += up(h->bytes[k], PIECE);
    return at;
}

static int long_enough(const struct header *h, int fd)
{
    struct stat st;
    const size_t last = (size_t)h->n_pieces - 1;
    return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
           (uint64_t)st.st_size == piece_begin(h, last) + h->bytes[last];
}

// The file instead of the arena's memory, N pieces of it, or memory again.
static int map_pieces(struct cpu *c, size_t n, int fd)
{
    int rc = 0;
    for (size_t i = 0; i < n; i++)
        rc |= arena_map(c->arena, i, fd, fd < 0 ? 0 : piece_begin(c->file->made, i));
    return rc;
}

// Whether the mapping, whose pages are small ones, is slow to read although all of it has just
// been: in some virtual machines such pages take ten times as long as large ones. The fastest chunk
// counts: the others may have waited for other work.
static int slow(const struct checking *k)
{
    double most = 0;
    for (size_t i = 0; i < k->n_chunks && i < PROBE; i++) {
        size_t bytes;
        const uint8_t *p = chunk_at(k, i, &bytes);
        const double began = clock_seconds();
        if (hash64(p, bytes) != k->sums[i])
            return 1;
        most = fmax(most, (double)bytes / (clock_seconds() - began));
    }
    return most < SLOW * 1e9;
}

static int take(struct cpu *c, int fd, const struct mat *w, size_t n_mats)
{
    const struct header *h = c->file->made;
    struct checking k = {
        .c = c, .h = h, .w = w, .n_chunks = chunks_of(h), .n_mats = n_mats, .compare = 1};
    int good = long_enough(h, fd) && (k.sums = mem_new(k.n_chunks, sizeof *k.sums, NULL)) &&
               read_front(c->file, fd, k.sums);
    if (good) {
        if ((good = !map_pieces(c, (size_t)h->n_pieces, fd))) {
            pool_run(c->pool, (int)(k.n_chunks + k.n_mats), check_task, &k);
            good = !atomic_load(&k.wrong) && !slow(&k);
        }
        if (!good)
            map_pieces(c, (size_t)h->n_pieces, -1);
    }
    free(k.sums);
    return good;
}

int packed_file_take(struct cpu *c, uint64_t key)
{
    struct packed_file *f = c->file;
    const size_t n = pack_waiting(c, NULL);
    struct mat *w = f && n ? mem_new(n, sizeof *w, NULL) : NULL;
    int taken = 0;
    if (!w || f->made) // one model alone
        goto out;
    pack_waiting(c, w);
    f->made = header_of(c, key, shapes_of(w, n));
    if (!f->made || all_bytes(f->made) < LEAST || chunks_of(f->made) + n > INT_MAX ||
        (size_t)snprintf(f->path, sizeof f->path, "%s/%016" PRIx64 "-%s%s", f->dir, key,
                         c->isa->name, ending) >= sizeof f->path) {
        forget(f);
        goto out;
    }
    int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        goto out;
    if ((taken = take(c, fd, w, n))) {
        futimens(fd, NULL); // used now
        pack_have(c);
        forget(f);
    }
    close(fd);
out:
    free(w);
    return taken;
}

// --- keeping ---

// Removes all but the files used last, and what writers that were killed have left.
static void tidy(const char *dir)
{
    for (;;) {
        DIR *d = opendir(dir);
        struct dirent *one;
        char path[PATH_MAX], oldest[PATH_MAX] = "";
        struct timespec then = {0};
        int n = 0;
        while (d && (one = readdir(d))) {
            struct stat st;
            if (!strstr(one->d_name, ending) ||
                (size_t)snprintf(path, sizeof path, "%s/%s", dir, one->d_name) >= sizeof path ||
                lstat(path, &st) || !S_ISREG(st.st_mode))
                continue;
            if (!n++ || st.st_mtim.tv_sec < then.tv_sec ||
                (st.st_mtim.tv_sec == then.tv_sec && st.st_mtim.tv_nsec < then.tv_nsec)) {
                then = st.st_mtim;
                strcpy(oldest, path);
            }
        }
        if (d)
            closedir(d);
        if (n <= FILES || unlink(oldest))
            return;
    }
}

static int write_all(const struct cpu *c, int fd, const uint64_t *sums)
{
    const struct header *h = c->file->made;
    const char *path = c->file->path;
    const size_t own = header_bytes(h);
    size_t bytes;
    uint8_t *front = front_new(h, &bytes);
    if (!front)
        return ERR_NOMEM;
    memcpy(front, h, own);
    memcpy(front + own, sums, bytes - SUM - own);
    const uint64_t sum = hash64(front, bytes - SUM);
    memcpy(front + bytes - SUM, &sum, SUM);
    int rc = file_pwrite(fd, front, bytes, 0, path, NULL);
    free(front);
    for (size_t i = 0; i < h->n_pieces && !rc; i++) {
        const uint8_t *p = arena_piece(c->arena, i, &bytes);
        rc = file_pwrite(fd, p, bytes, piece_begin(h, i), path, NULL);
    }
    return rc;
}

static int has_room(const char *dir, uint64_t bytes)
{
    struct statvfs v;
    return !statvfs(dir, &v) && (uint64_t)v.f_bavail * v.f_frsize / ROOM >= bytes;
}

// Whether the arena holds what it held when the header was made.
static int unchanged(const struct cpu *c)
{
    const struct header *h = c->file->made;
    struct header *now = header_of(c, h->key, h->shapes);
    const int same = now && now->n_pieces == h->n_pieces && !memcmp(now, h, header_bytes(h));
    free(now);
    return same;
}

void packed_file_keep(struct cpu *c)
{
    struct packed_file *f = c->file;
    if (!f || !f->made || c->n_packing || !unchanged(c) || file_mkdirs(f->dir, NULL) ||
        !has_room(f->dir, all_bytes(f->made)))
        return;
    struct checking k = {.c = c, .h = f->made, .n_chunks = chunks_of(f->made)};
    if (!(k.sums = mem_new(k.n_chunks, sizeof *k.sums, NULL)))
        return;
    struct file_new own;
    if (!file_new_open_own(&own, f->path, NULL)) {
        pool_run(c->pool, (int)k.n_chunks, check_task, &k);
        // Without fsync: what a crash leaves of it is not taken.
        int rc = write_all(c, own.fd, k.sums);
        rc |= close(own.fd);
        own.fd = -1;
        if (!rc && !rename(own.tmp, f->path))
            *own.tmp = 0;
        file_new_drop(&own);
        tidy(f->dir);
    }
    free(k.sums);
    forget(f);
}
