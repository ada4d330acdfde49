#define _GNU_SOURCE
#include "io/archive/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"
#include "io/show.h"
#include "io/source/sniff.h"
#include "io/source/source.h"
#include "io/source/stream.h"

enum { BLOCK = 1 << 16, TAR_BLOCK = 512 };

struct doc_archive {
    struct doc_source *source;
    struct doc_stream stream;
    enum doc_kind kind;
    struct archive *a;
    char *name; // of the member
    uint8_t buf[BLOCK];
    uint64_t n_zero;    // bytes of zero that end what has been read so far
    uint64_t n_members; // so far
    int ended;          // the source has
    int is_locked;      // the member is encrypted
    struct err failed;  // what the callbacks ran into
};

static ssize_t read_member(void *self, void *buf, size_t cap, struct err *e);

static int give(struct doc_archive *d, struct err *e)
{
    ssize_t n = stream_read(source_stream(d->source), d->buf, sizeof d->buf, e);
    if (n < 0)
        return (int)n;
    d->ended = n == 0;
    ssize_t zeros = 0;
    while (zeros < n && !d->buf[n - 1 - zeros])
        zeros++;
    d->n_zero = zeros == n ? d->n_zero + (uint64_t)n : (uint64_t)zeros;
    return (int)n;
}

static la_ssize_t on_read(struct archive *a, void *self, const void **buf)
{
    struct doc_archive *d = self;
    int n = give(d, &d->failed);
    if (n < 0) {
        archive_set_error(a, EIO, "%s", d->failed.msg);
        return ARCHIVE_FATAL;
    }
    *buf = d->buf;
    return n;
}

static la_int64_t on_seek(struct archive *a, void *self, la_int64_t off, int whence)
{
    struct doc_archive *d = self;
    int64_t to = source_seek(d->source, off, whence, &d->failed);
    if (to < 0) {
        archive_set_error(a, EIO, "%s", d->failed.msg);
        return ARCHIVE_FATAL;
    }
    d->ended = 0;
    return to;
}

static int failed(struct doc_archive *d, struct err *e)
{
    if (d->failed.code)
        return err_set(e, d->failed.code, "%s", d->failed.msg);
    const char *why = archive_error_string(d->a);
    char shown[200];
    return err_set(e, ERR_FORMAT, "%s: damaged archive (%s)", source_stream(d->source)->name,
                   why ? show_bytes(why, strlen(why), shown, sizeof shown) : "it ends early");
}

int members_open(struct doc_archive **out, struct doc_source *s, enum doc_kind kind, struct err *e)
{
    *out = NULL;
    struct doc_archive *d = mem_new(1, sizeof *d, e);
    if (!d)
        return ERR_NOMEM;
    d->source = s;
    d->kind = kind;
    d->stream = (struct doc_stream){.read = read_member, .self = d};
    struct archive *a = d->a = archive_read_new();
    if (!a) {
        members_close(d);
        return err_set(e, ERR_NOMEM, "out of memory (libarchive)");
    }
    if (kind == DOC_TAR)
        archive_read_support_format_tar(a);
    else if (kind == DOC_7ZIP)
        archive_read_support_format_7zip(a);
    else
        archive_read_support_format_zip(a);
    int rc = 0;
    if (kind != DOC_TAR && source_can_seek(s)) {
        archive_read_set_seek_callback(a, on_seek);
        rc = source_rewind(s, e);
    } else if (kind == DOC_7ZIP) {
        rc = err_set(e, ERR_UNSUPPORTED, "%s: a 7z archive is read from a plain file only",
                     source_stream(s)->name);
    }
    archive_read_set_read_callback(a, on_read);
    archive_read_set_callback_data(a, d);
    if (!rc && archive_read_open1(a) != ARCHIVE_OK)
        rc = failed(d, e);
    if (rc) {
        members_close(d);
        return rc;
    }
    *out = d;
    return 0;
}

void members_close(struct doc_archive *d)
{
    if (!d)
        return;
    if (d->a)
        archive_read_free(d->a);
    free(d->name);
    free(d);
}

// The bytes at the end of the source, at most those that BUF holds.
static ssize_t read_tail(struct doc_archive *d, struct err *e)
{
    int64_t bytes = source_seek(d->source, 0, SEEK_END, e);
    int64_t from = bytes > BLOCK ? bytes - BLOCK : 0;
    size_t at = 0;
    ssize_t n = 1;
    if (bytes < 0 || source_seek(d->source, from, SEEK_SET, e) < 0)
        return ERR_IO;
    while (at < sizeof d->buf && n > 0)
        if ((n = stream_read(source_stream(d->source), d->buf + at, sizeof d->buf - at, e)) > 0)
            at += (size_t)n;
    return n < 0 ? n : (ssize_t)at;
}

// A zip whose list of members is shorter than its end says, or empty though it begins with a
// member, has lost some: libarchive believes how many bytes the list is said to take.
static int check_list(struct doc_archive *d, struct err *e)
{
    enum { END_BYTES = 22, COUNT = 10, UNTOLD = 0xffff };
    const char *name = source_stream(d->source)->name;
    uint64_t count = 0;
    ssize_t n = read_tail(d, e);
    if (n < 0)
        return (int)n;
    for (ssize_t at = n - END_BYTES; at >= 0; at--)
        if (!memcmp(d->buf + at, "PK\5\6", 4)) {
            count = (uint64_t)d->buf[at + COUNT] | (uint64_t)d->buf[at + COUNT + 1] << 8;
            break;
        }
    if (count > d->n_members && count != UNTOLD)
        return err_set(e, ERR_FORMAT,
                       "%s: damaged archive (%llu members by its end, %llu in its list)", name,
                       (unsigned long long)count, (unsigned long long)d->n_members);
    int rc = d->n_members ? 0 : source_rewind(d->source, e);
    if (rc || d->n_members)
        return rc;
    n = stream_read(source_stream(d->source), d->buf, sizeof d->buf, e);
    if (n >= 4 && !memcmp(d->buf, "PK\3\4", 4))
        return err_set(e, ERR_FORMAT, "%s: damaged archive (its list of members is empty)", name);
    return n < 0 ? (int)n : 0;
}

// After the last member: what is left of a compressed source is read for its checksum, and a tar
// that stops without its end mark has lost members.
static int finish(struct doc_archive *d, struct err *e)
{
    if (d->kind == DOC_TAR && d->ended && d->n_zero < TAR_BLOCK)
        return err_set(e, ERR_FORMAT, "%s: the archive ends without its end mark; is it complete?",
                       source_stream(d->source)->name);
    if (d->kind != DOC_TAR && d->kind != DOC_7ZIP && source_can_seek(d->source))
        return check_list(d, e);
    while (!d->ended && !source_can_seek(d->source)) {
        int n = give(d, e);
        if (n < 0)
            return n;
    }
    return 0;
}

static locale_t utf8;

static void make_utf8(void)
{
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

// The next entry and its name, NULL where there is none. libarchive turns names that are said to be
// UTF-8 into the characters of the locale: in the one that the program runs in nothing but ASCII
// would come through.
static int next_entry(struct doc_archive *d, struct archive_entry **entry, const char **name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_utf8);
    const locale_t was = utf8 ? uselocale(utf8) : (locale_t)0;
    int rc = archive_read_next_header(d->a, entry);
    *name = NULL;
    if (rc == ARCHIVE_OK || rc == ARCHIVE_WARN) {
        *name = archive_entry_pathname(*entry);
        if (!*name)
            *name = archive_entry_pathname_utf8(*entry);
    }
    if (utf8)
        uselocale(was);
    return rc;
}

// No member comes. In a stream, where the end of an encrypted one is only told by its data, that is
// no damage.
static int next_failed(struct doc_archive *d, struct err *e)
{
    if (!d->is_locked || d->failed.code)
        return failed(d, e);
    return err_set(e, ERR_UNSUPPORTED,
                   "%s: the end of its encrypted member '%s' cannot be found; unpack it first",
                   source_stream(d->source)->name, d->name);
}

int members_next(struct doc_archive *d, struct doc_member *m, struct err *e)
{
    struct archive_entry *entry;
    const char *name;
    int rc = next_entry(d, &entry, &name);
    if (rc == ARCHIVE_EOF)
        return finish(d, e);
    // ARCHIVE_WARN says only that the locale cannot show a name.
    if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
        return next_failed(d, e);
    d->n_members++;
    name = name ? name : "?";
    free(d->name);
    if (!(d->name = show_name(name, e)))
        return ERR_NOMEM;
    d->stream.name = d->name;
    d->stream.n_head = d->stream.at_head = 0;
    // A hard or symbolic link has no bytes of its own.
    int is_file = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
    d->is_locked = is_file && archive_entry_is_encrypted(entry);
    if (d->is_locked && sniff_is_book(d->kind))
        return err_set(e, ERR_UNSUPPORTED, "%s: member '%s' is encrypted; unpack it first",
                       source_stream(d->source)->name, d->name);
    int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
    *m = (struct doc_member){d->name, size > 0 ? (uint64_t)size : 0, is_file, d->is_locked};
    return 1;
}

struct doc_stream *members_stream(struct doc_archive *d)
{
    return &d->stream;
}

static ssize_t read_member(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_archive *d = self;
    la_ssize_t n = archive_read_data(d->a, buf, cap);
    return n < 0 ? failed(d, e) : (ssize_t)n;
}
