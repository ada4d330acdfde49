// Files: mapped for reading, written whole.
#ifndef LCTOOL_IO_FILE_H
#define LCTOOL_IO_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "io/err.h"

// A read-only mapping of a whole regular file. An empty file maps to data NULL, bytes 0.
struct file_map {
    const uint8_t *data;
    size_t bytes;
};

// Maps PATH. The mapping outlives the descriptor and is valid until file_unmap(). ERR_IO when the
// file cannot be opened or is not a regular file.
int file_map(struct file_map *m, const char *path, struct err *e);
void file_unmap(struct file_map *m);
// SCATTERED 1: a few bytes will be read here and there, the kernel should not read ahead of them
// (which may be megabytes a time); 0: as usual. Advice only.
void file_map_advise(const struct file_map *m, int scattered);
// The process lets go of the pages it has touched; all data stay readable.
void file_map_forget(const struct file_map *m);

// All BYTES, retrying short writes and EINTR. PATH only names the file in the message.
int file_write(int fd, const void *data, size_t bytes, const char *path, struct err *e);
int file_pwrite(int fd, const void *data, size_t bytes, uint64_t off, const char *path,
                struct err *e);

// Exactly BYTES at OFF; a file that ends before is ERR_FORMAT.
int file_pread(int fd, void *data, size_t bytes, uint64_t off, const char *path, struct err *e);

// Gives FD, which takes PATH's place or has the same to hide, the mode of PATH, if that is there. A
// file system without modes keeps its own.
void file_keep_mode(int fd, const char *path);

// A file that takes PATH's place once it is whole, so that a reader or a crash sees the old file or
// the new one, never a mixture: a temporary file beside it, TMP, to which FD writes, of the same
// mode; fsync, rename, fsync of the directory. Committed, also in vain, or dropped, once or twice,
// it is gone. TMP is PATH.tmp, whatever is there, unless that is a link, which is ERR_IO: one
// writer at a time is the caller's care.
struct file_new {
    int fd;
    char tmp[4096]; // Linux's PATH_MAX
};
int file_new_open(struct file_new *f, const char *path, struct err *e);
// As file_new_open, but nobody else, also of several processes, writes to the same TMP, which is
// PATH.NUMBER.tmp.
int file_new_open_own(struct file_new *f, const char *path, struct err *e);
int file_new_commit(struct file_new *f, const char *path, struct err *e);
void file_new_drop(struct file_new *f);

// What is written for hours, and is to go on where it broke off, grows in a directory PATH.part
// that is named by this.
#define FILE_PART ".part"

// What has a name at a moment. Who is about to write there for minutes looks before, and again at
// the end: other programs know of no lock.
struct file_seen {
    struct stat is; // st_nlink 0: nothing was there
};
void file_see(struct file_seen *s, const char *path);
// ERR_IO where PATH has something else now; that it has nothing is fine.
int file_as_seen(const struct file_seen *s, const char *path, struct err *e);

// Replaces PATH with DATA, as struct file_new does, but with a temporary file of the call's own: of
// several at once, also of several processes, each writes all of its data, and the last one stays.
// ERR_IO where PATH has something else than S saw there; S NULL: whatever is there.
int file_replace(const struct file_seen *s, const char *path, const void *data, size_t bytes,
                 struct err *e);

// Whether PATH, which something is to replace, can be read, to see what it is: 0 or ERR_IO.
int file_readable(const char *path, struct err *e);

// Reads a whole file of any kind (also a pipe) into *OUT, which the caller frees; a NUL follows
// the last byte. ERR_FORMAT past LIMIT bytes.
int file_slurp(const char *path, size_t limit, char **out, size_t *bytes, struct err *e);

// PATH without its directory, within PATH.
const char *file_name(const char *path);
// The directory that holds PATH: "." of a bare name.
int file_dir(char *dir, size_t cap, const char *path, struct err *e);
// Creates DIR and its missing parents. 0 when it is there already; ERR_IO where something else is.
int file_mkdirs(const char *dir, struct err *e);

// fsync of the directory that holds PATH: makes a rename survive a power cut.
int file_sync_dir(const char *path, struct err *e);

#endif
