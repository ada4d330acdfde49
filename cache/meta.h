// META of an index: checking, comparing, reading and writing it. One table row per field.
#ifndef LCTOOL_CACHE_META_H
#define LCTOOL_CACHE_META_H

#include "cache/format.h"
#include "cache/kvz.h"
#include "io/err.h"

// Whether M is within the limits of kvz.5 (R8). CODE is the error's: ERR_USAGE for what a caller
// gives, ERR_FORMAT for what a file says; an unknown codec is ERR_UNSUPPORTED.
int meta_check(const struct kvz_meta *m, int code, struct err *e);
int meta_check_channels(const struct kvz_meta *m, const struct kvz_channel *channels, int code,
                        struct err *e);

void meta_to_disk(struct disk_meta *d, const struct kvz_meta *m);
void meta_from_disk(struct kvz_meta *m, const struct disk_meta *d);

// 0, or ERR_MISMATCH with the first field in which the index at PATH differs from ASKED. The
// model's name and path are for people and may differ.
int meta_same(const char *path, const struct kvz_meta *file,
              const struct kvz_channel *file_channels, const struct kvz_meta *asked,
              const struct kvz_channel *channels, struct err *e);

#endif
