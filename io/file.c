#define _GNU_SOURCE
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/mem.h"

int file_map(struct file_map *m, const char *path, struct err *e)
{
    int rc = 0;
    *m = (struct file_map){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // no wait for who writes to a FIFO
    if (fd < 0)
        return err_io(e, "%s", path);
    struct stat st;
    if (fstat(fd, &st))
        rc = err_io(e, "%s", path);
    else if (!S_ISREG(st.st_mode))
        rc = err_set(e, ERR_IO, "%s: not a regular file", path);
    else if (st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (p == MAP_FAILED)
            rc = err_io(e, "%s: cannot map", path);
        else
            *m = (struct file_map){.data = p, .bytes = (size_t)st.st_size};
    }
    close(fd);
    return rc;
}

void file_map_advise(const struct file_map *m, int scattered)
{
    if (m->data)
        madvise((void *)(uintptr_t)m->data, m->bytes, scattered ? MADV_RANDOM : MADV_NORMAL);
}

void file_map_forget(const struct file_map *m)
{
    if (m->data) // a shared mapping of a file: what is read again comes from the page cache
        madvise((void *)(uintptr_t)m->data, m->bytes, MADV_DONTNEED);
}

void file_unmap(struct file_map *m)
{
    if (m->data)
        munmap((void *)(uintptr_t)m->data, m->bytes);
    *m = (struct file_map){0};
}

int file_write(int fd, const void *data, size_t bytes, const char *path, struct err *e)
{
    const char *p = data;
    while (bytes) {
        ssize_t n = write(fd, p, bytes < 1u << 30 ? bytes : 1u << 30);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_io(e, "%s: cannot write", path);
        p += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int file_pwrite(int fd, const void *data, size_t bytes, uint64_t off, const char *path,
                struct err *e)
{
    const char *p = data;
    while (bytes) {
        ssize_t n = pwrite(fd, p, bytes < 1u << 30 ? bytes : 1u << 30, (off_t)off);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_io(e, "%s: cannot write", path);
        p += n;
        off += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

int file_pread(int fd, void *data, size_t bytes, uint64_t off, const char *path, struct err *e)
{
    char *p = data;
    while (bytes) {
        ssize_t n = pread(fd, p, bytes < 1u << 30 ? bytes : 1u << 30, (off_t)off);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_io(e, "%s: cannot read", path);
        if (n == 0)
            return err_set(e, ERR_FORMAT, "%s: ends at byte %llu, where more was expected", path,
                           (unsigned long long)off);
        p += n;
        off += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int file_dir(char *dir, size_t cap, const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    size_t n = !slash || slash == path ? 1 : (size_t)(slash - path);
    if (n >= cap)
        return err_set(e, ERR_IO, "%s: path too long", path);
    memcpy(dir, slash ? path : ".", n);
    dir[n] = 0;
    return 0;
}

int file_sync_dir(const char *path, struct err *e)
{
    char dir[PATH_MAX];
    if (file_dir(dir, sizeof dir, path, e))
        return ERR_IO;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_io(e, "%s: cannot open its directory", path);
    // Some file systems cannot sync a directory; the rename itself has been done by then.
    int rc = fsync(fd) && errno != EINVAL ? err_io(e, "%s: cannot sync its directory", path) : 0;
    close(fd);
    return rc;
}

void file_keep_mode(int fd, const char *path)
{
    struct stat st;
    if (!stat(path, &st))
        fchmod(fd, st.st_mode & 0777);
}

static int name_tmp(struct file_new *f, const char *path, const char *end, struct err *e)
{
    f->fd = -1;
    if ((size_t)snprintf(f->tmp, sizeof f->tmp, "%s%s", path, end) < sizeof f->tmp)
        return 0;
    *f->tmp = 0;
    return err_set(e, ERR_IO, "%s: path too long", path);
}

// Creates f->tmp, of PATH's mode, for open(2) with HOW besides. Returns f->fd.
static int create_tmp(struct file_new *f, const char *path, int how)
{
    const mode_t mode = access(path, F_OK) ? 0666 : 0600; // until it has that of PATH
    f->fd = open(f->tmp, O_WRONLY | O_CREAT | O_CLOEXEC | how, mode);
    if (f->fd >= 0)
        file_keep_mode(f->fd, path);
    return f->fd;
}

static int cannot_create(struct file_new *f, struct err *e)
{
    int rc = err_io(e, "%s: cannot create", f->tmp);
    *f->tmp = 0;
    return rc;
}

int file_new_open(struct file_new *f, const char *path, struct err *e)
{
    int rc = name_tmp(f, path, ".tmp", e);
    return rc || create_tmp(f, path, O_TRUNC | O_NOFOLLOW) >= 0 ? rc : cannot_create(f, e);
}

// TMP has the process's number, or the next that is free where threads or processes of other
// machines have the same, or killed ones left theirs.
int file_new_open_own(struct file_new *f, const char *path, struct err *e)
{
    enum { TRIES = 1000 };
    for (int i = 0;; i++) {
        char end[32];
        snprintf(end, sizeof end, ".%ld.tmp", (long)getpid() + i);
        int rc = name_tmp(f, path, end, e);
        if (rc)
            return rc;
        if (create_tmp(f, path, O_EXCL) >= 0)
            return 0;
        if (errno != EEXIST || i == TRIES)
            return cannot_create(f, e);
    }
}

int file_new_commit(struct file_new *f, const char *path, struct err *e)
{
    int rc = fsync(f->fd) ? err_io(e, "%s: cannot sync", f->tmp) : 0;
    if (close(f->fd) && !rc)
        rc = err_io(e, "%s: cannot write", f->tmp);
    f->fd = -1;
    if (!rc && rename(f->tmp, path))
        rc = err_io(e, "%s: cannot rename to %s", f->tmp, path);
    if (!rc)
        *f->tmp = 0;
    file_new_drop(f);
    return rc ? rc : file_sync_dir(path, e);
}

void file_new_drop(struct file_new *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (*f->tmp)
        unlink(f->tmp);
    f->fd = -1;
    *f->tmp = 0;
}

void file_see(struct file_seen *s, const char *path)
{
    if (stat(path, &s->is))
        s->is.st_nlink = 0;
}

int file_as_seen(const struct file_seen *s, const char *path, struct err *e)
{
    const struct stat *was = &s->is;
    struct stat is;
    if (stat(path, &is))
        return 0;
    if (was->st_nlink && was->st_dev == is.st_dev && was->st_ino == is.st_ino &&
        was->st_size == is.st_size && was->st_mtim.tv_sec == is.st_mtim.tv_sec &&
        was->st_mtim.tv_nsec == is.st_mtim.tv_nsec)
        return 0;
    return err_set(e, ERR_IO,
                   "%s: something else has %s this file meanwhile, and it is not replaced; move it "
                   "away first",
                   path, was->st_nlink ? "changed" : "made");
}

int file_replace(const struct file_seen *s, const char *path, const void *data, size_t bytes,
                 struct err *e)
{
    struct file_new f;
    int rc = file_new_open_own(&f, path, e);
    if (rc)
        return rc;
    rc = file_write(f.fd, data, bytes, f.tmp, e);
    if (!rc && s)
        rc = file_as_seen(s, path, e);
    if (!rc)
        return file_new_commit(&f, path, e);
    file_new_drop(&f);
    return rc;
}

int file_readable(const char *path, struct err *e)
{
    return access(path, R_OK) ? err_io(e, "%s: cannot read what is there", path) : 0;
}

int file_slurp(const char *path, size_t limit, char **out, size_t *bytes, struct err *e)
{
    *out = NULL;
    *bytes = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_io(e, "%s", path);
    char *buf = NULL;
    size_t cap = 0, n = 0;
    int rc = 0;
    for (;;) {
        if ((rc = MEM_GROW(buf, cap, n + 4096, e)))
            break;
        ssize_t got = read(fd, buf + n, cap - n - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            rc = err_io(e, "%s: cannot read", path);
        if (got <= 0)
            break;
        n += (size_t)got;
        if (n > limit) {
            rc = err_set(e, ERR_FORMAT, "%s: larger than %zu bytes", path, limit);
            break;
        }
    }
    close(fd);
    if (rc) {
        free(buf);
        return rc;
    }
    buf[n] = 0;
    *out = buf;
    *bytes = n;
    return 0;
}

static int make_dir(const char *p, struct err *e)
{
    struct stat st;
    if (!mkdir(p, 0777))
        return 0;
    if (errno != EEXIST || stat(p, &st))
        return err_io(e, "%s: cannot create", p);
    return S_ISDIR(st.st_mode) ? 0 : err_set(e, ERR_IO, "%s: is not a directory", p);
}

int file_mkdirs(const char *dir, struct err *e)
{
    char p[PATH_MAX];
    size_t n = strlen(dir);
    if (n >= sizeof p)
        return err_set(e, ERR_IO, "%s: path too long", dir);
    memcpy(p, dir, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (p[i] != '/' && p[i] != 0)
            continue;
        char c = p[i];
        p[i] = 0;
        int rc = make_dir(p, e);
        if (rc)
            return rc;
        p[i] = c;
    }
    return 0;
}
