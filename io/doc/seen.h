// Which files there have been.
#ifndef LCTOOL_IO_DOC_SEEN_H
#define LCTOOL_IO_DOC_SEEN_H

#include <stdint.h>

#include "io/err.h"

struct file_set;

int file_set_new(struct file_set **out, struct err *e);
void file_set_free(struct file_set *s);
int file_set_add(struct file_set *s, uint64_t dev, uint64_t ino, struct err *e); // 1: was there

#endif
