// Packed weights kept in a file between runs: mapped, they need neither to be made again nor memory
// that the system has to clear first.
//
//     packed_file_new(&c->file, "/home/i/.cache/lctool", &e);
//     if (!packed_file_take(c, key)) pack_all(c);         // behind the last mat_init
//     ...
//     packed_file_keep(c);                                // before the first mat_done
//
// The file is DIR/KEY-ISA.weights: a header (magic, version, KEY, a digest of all matrices' types
// and shapes, bytes of each piece of the arena, XXH3-64 of each MiB, and of the header), and from
// 2 MiB on the pieces as they lie in memory, each beginning at a multiple of that. It is of use
// only on the machine that wrote it, and only as long as every bit is as it was: each MiB is
// checked, and the first panel of each matrix made again and compared, whenever it is taken.
#ifndef LCTOOL_KERNELS_CPU_PACKED_FILE_H
#define LCTOOL_KERNELS_CPU_PACKED_FILE_H

#include <stdint.h>

#include "io/err.h"

struct cpu;
struct packed_file;

// DIR need not be there yet.
int packed_file_new(struct packed_file **out, const char *dir, struct err *e);
// Accepts NULL.
void packed_file_free(struct packed_file *f);

// 1: all that waits to be packed is in place, from the file of KEY, which tells the weights from
// other models'. 0: it still waits.
int packed_file_take(struct cpu *c, uint64_t key);

// Writes the file, where there is none that could be taken, the weights are many enough and the
// file system has 20 times the room; of all files in DIR the 4 used last stay. Says nothing: what
// cannot be kept is made again.
void packed_file_keep(struct cpu *c);

#endif
