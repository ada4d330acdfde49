#define _GNU_SOURCE
#include "io/source/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/mem.h"

enum { RAW_BYTES = 1 << 16 };

struct doc_source {
    struct doc_stream stream;
    char *name;
    struct doc_stream *from; // instead of the descriptor
    int from_failed;
    int fd, owns_fd, is_regular;
    unsigned readers;
    const volatile sig_atomic_t *stop;
    uint64_t size, at; // at: offset of the descriptor
    uint8_t raw[RAW_BYTES];
    size_t n_raw, at_raw;
    int inflating; // gzip, with the state in z
    int between;   // inside of no gzip member
    z_stream z;
    struct archive *unpack; // xz, zstd, bzip2, lz4, compress
    struct err failed;      // what the callback of unpack ran into
};

// Until a pipe or a terminal has bytes, or has ended. A signal may come when nobody waits yet, so
// that it is looked for now and then.
static int wait_for_bytes(const struct doc_source *s, struct err *e)
{
    enum { LOOK_MS = 100 };
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    while (!*s->stop)
        if (poll(&p, 1, LOOK_MS) > 0)
            return 0;
    return err_set(e, ERR_INTERRUPTED, "%s: stopped", s->name);
}

// Raw bytes behind those that are there: how many came, 0 at the end, or an error.
static ssize_t take_raw(struct doc_source *s, struct err *e)
{
    uint8_t *to = s->raw + s->n_raw;
    const size_t room = sizeof s->raw - s->n_raw;
    ssize_t n;
    if (s->from) {
        n = stream_read(s->from, to, room, e);
        s->from_failed |= n < 0;
    } else {
        do {
            int rc = s->is_regular || !s->stop ? 0 : wait_for_bytes(s, e);
            if (rc)
                return rc;
            n = read(s->fd, to, room);
        } while (n < 0 && (errno == EINTR || (errno == EAGAIN && s->stop)));
        if (n < 0)
            return err_io(e, "%s: cannot read", s->name);
    }
    s->n_raw += n > 0 ? (size_t)n : 0;
    s->at += n > 0 ? (uint64_t)n : 0;
    return n;
}

// More raw bytes when there are none: 1, 0 at the end, or an error.
static int fill_raw(struct doc_source *s, struct err *e)
{
    if (s->at_raw < s->n_raw)
        return 1;
    s->at_raw = s->n_raw = 0;
    ssize_t n = take_raw(s, e);
    return n < 0 ? (int)n : n > 0;
}

static ssize_t read_raw(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_source *s = self;
    int rc = fill_raw(s, e);
    if (rc <= 0)
        return rc;
    return stream_give(buf, cap, s->raw, s->n_raw, &s->at_raw);
}

// ---- gzip: by zlib itself, because libarchive does not look at the checksum of a member

// Between members: 1 when another begins, 0 at the end of the file.
static int next_member(struct doc_source *s, struct err *e)
{
    int rc;
    // Tapes are padded with zeros.
    while ((rc = fill_raw(s, e)) > 0 && !s->raw[s->at_raw])
        s->at_raw++;
    if (rc <= 0)
        return rc;
    if (s->raw[s->at_raw] != 0x1f)
        return err_set(e, ERR_FORMAT, "%s: something that is not gzip follows the compressed data",
                       s->name);
    inflateReset(&s->z);
    s->between = 0;
    return 1;
}

static ssize_t read_gzip(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_source *s = self;
    cap = cap < 1u << 30 ? cap : 1u << 30;
    s->z.next_out = buf;
    s->z.avail_out = (uInt)cap;
    while (s->z.avail_out == cap) {
        int rc = s->between ? next_member(s, e) : fill_raw(s, e);
        if (rc < 0 || (rc == 0 && s->between))
            return rc;
        if (rc == 0)
            return err_set(e, ERR_FORMAT, "%s: ends within its compressed data", s->name);
        s->z.next_in = s->raw + s->at_raw;
        s->z.avail_in = (uInt)(s->n_raw - s->at_raw);
        rc = inflate(&s->z, Z_NO_FLUSH);
        s->at_raw = s->n_raw - s->z.avail_in;
        if (rc == Z_STREAM_END)
            s->between = 1;
        else if (rc == Z_MEM_ERROR)
            return err_set(e, ERR_NOMEM, "out of memory (gzip)");
        else if (rc != Z_OK && rc != Z_BUF_ERROR)
            return err_set(e, ERR_FORMAT, "%s: damaged gzip data (%s)", s->name,
                           s->z.msg ? s->z.msg : "no reason given");
    }
    return (ssize_t)(cap - s->z.avail_out);
}

// ---- the other compressions: by libarchive

static la_ssize_t give_raw(struct archive *a, void *self, const void **buf)
{
    struct doc_source *s = self;
    int rc = fill_raw(s, &s->failed);
    if (rc < 0) {
        archive_set_error(a, EIO, "%s", s->failed.msg);
        return ARCHIVE_FATAL;
    }
    *buf = s->raw + s->at_raw;
    size_t n = s->n_raw - s->at_raw;
    s->at_raw = s->n_raw;
    return (la_ssize_t)n;
}

static int unpack_failed(struct doc_source *s, struct err *e)
{
    if (s->failed.code)
        return err_set(e, s->failed.code, "%s", s->failed.msg);
    const char *why = archive_error_string(s->unpack);
    return err_set(e, ERR_FORMAT, "%s: damaged compressed data (%s)", s->name,
                   why ? why : "it ends early");
}

static ssize_t read_unpacked(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_source *s = self;
    la_ssize_t n = archive_read_data(s->unpack, buf, cap);
    return n < 0 ? unpack_failed(s, e) : (ssize_t)n;
}

static ssize_t read_nothing(void *self, void *buf, size_t cap, struct err *e)
{
    (void)self, (void)buf, (void)cap, (void)e;
    return 0;
}

static int start_unpack(struct doc_source *s, int (*filter)(struct archive *), struct err *e)
{
    struct archive *a = s->unpack = archive_read_new();
    if (!a)
        return err_set(e, ERR_NOMEM, "out of memory (libarchive)");
    filter(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    struct archive_entry *entry;
    if (archive_read_open(a, s, NULL, give_raw, NULL) != ARCHIVE_OK)
        return unpack_failed(s, e);
    int rc = archive_read_next_header(a, &entry);
    // Where the data is cut too short for libarchive to know it, it would be passed on as it is.
    if (rc < ARCHIVE_WARN || archive_filter_count(a) < 2)
        return unpack_failed(s, e);
    s->stream.read = rc == ARCHIVE_EOF ? read_nothing : read_unpacked;
    return 0;
}

static int start_gzip(struct doc_source *s, struct err *e)
{
    if (inflateInit2(&s->z, 15 + 16) != Z_OK)
        return err_set(e, ERR_NOMEM, "out of memory (gzip)");
    s->inflating = 1;
    s->stream.read = read_gzip;
    return 0;
}

static int start(struct doc_source *s, struct err *e)
{
    static const struct {
        const char *magic;
        size_t n;
        int (*filter)(struct archive *); // NULL: gzip
    } packed[] = {
        {"\x1f\x8b", 2, NULL},
        {"\xfd"
         "7zXZ\0",
         6, archive_read_support_filter_xz},
        {"\x28\xb5\x2f\xfd", 4, archive_read_support_filter_zstd},
        {"BZh", 3, archive_read_support_filter_bzip2},
        {"\x04\x22\x4d\x18", 4, archive_read_support_filter_lz4},
        {"\x1f\x9d", 2, archive_read_support_filter_compress},
    };
    // A pipe may deliver its first bytes one by one.
    while (s->n_raw < 16) {
        ssize_t n = take_raw(s, e);
        if (n < 0)
            return (int)n;
        if (n == 0)
            break;
    }
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        if (s->n_raw < packed[i].n || memcmp(s->raw, packed[i].magic, packed[i].n))
            continue;
        // "BZh" may begin a text; the digit and the magic of a block do not.
        if (packed[i].magic[0] == 'B' &&
            (s->n_raw < 10 || (memcmp(s->raw + 4, "1AY&SY", 6) &&
                               memcmp(s->raw + 4, "\x17\x72\x45\x38\x50\x90", 6))))
            continue;
        return packed[i].filter ? start_unpack(s, packed[i].filter, e) : start_gzip(s, e);
    }
    return 0;
}

static int open_fd(struct doc_source *s, const char *path, struct err *e)
{
    struct stat st;
    s->fd = STDIN_FILENO;
    if (path) {
        do
            s->fd = open(path, O_RDONLY | O_CLOEXEC | (s->stop ? O_NONBLOCK : 0)); // of a FIFO
        while (s->fd < 0 && errno == EINTR);
        if (s->fd < 0)
            return err_io(e, "%s", s->name);
        s->owns_fd = 1;
    }
    if (fstat(s->fd, &st))
        return err_io(e, "%s", s->name);
    s->readers = S_ISREG(st.st_mode) ? st.st_mode & 0444 : 0444;
    if (st.st_gid != getegid() && !(s->readers & 04)) // its group is not that of what is made here
        s->readers &= ~040U;
    s->is_regular = S_ISREG(st.st_mode) && path;
    s->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    return 0;
}

// From the descriptor of PATH, or FROM where that is not NULL.
static int open_source(struct doc_source **out, struct doc_stream *from, const char *path,
                       const char *name, const volatile sig_atomic_t *stop, struct err *e)
{
    *out = NULL;
    struct doc_source *s = mem_new(1, sizeof *s, e);
    if (!s)
        return ERR_NOMEM;
    s->from = from;
    s->stop = stop;
    s->name = mem_strdup(name, e);
    int rc = !s->name ? ERR_NOMEM : from ? 0 : open_fd(s, path, e);
    s->stream = (struct doc_stream){.read = read_raw, .self = s, .name = s->name};
    if (!rc)
        rc = start(s, e);
    if (rc)
        source_close(s);
    else
        *out = s;
    return rc;
}

int source_open(struct doc_source **out, const char *path, const char *name,
                const volatile sig_atomic_t *stop, struct err *e)
{
    return open_source(out, NULL, path, name, stop, e);
}

int source_over(struct doc_source **out, struct doc_stream *from, const char *name, struct err *e)
{
    return open_source(out, from, NULL, name, NULL, e);
}

int source_from_failed(const struct doc_source *s)
{
    return s->from_failed;
}

void source_close(struct doc_source *s)
{
    if (!s)
        return;
    if (s->unpack)
        archive_read_free(s->unpack);
    if (s->inflating)
        inflateEnd(&s->z);
    if (s->owns_fd)
        close(s->fd);
    free(s->name);
    free(s);
}

struct doc_stream *source_stream(struct doc_source *s)
{
    return &s->stream;
}

uint64_t source_size(const struct doc_source *s)
{
    return s->size;
}

unsigned source_readers(const struct doc_source *s)
{
    return s->readers;
}

uint64_t source_at(const struct doc_source *s)
{
    return s->at - (s->n_raw - s->at_raw);
}

int source_can_seek(const struct doc_source *s)
{
    return s->is_regular && s->stream.read == read_raw;
}

int64_t source_seek(struct doc_source *s, int64_t off, int whence, struct err *e)
{
    if (whence == SEEK_CUR)
        off -= (int64_t)(s->n_raw - s->at_raw);
    off_t to = lseek(s->fd, off, whence);
    if (to < 0)
        return err_io(e, "%s: cannot seek", s->name);
    s->n_raw = s->at_raw = 0;
    s->stream.n_head = s->stream.at_head = 0;
    s->at = (uint64_t)to;
    return to;
}

int source_rewind(struct doc_source *s, struct err *e)
{
    int64_t rc = source_seek(s, 0, SEEK_SET, e);
    return rc < 0 ? (int)rc : 0;
}
