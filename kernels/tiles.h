// The tiles of AMX: whether they may be used, and what they are told.
#ifndef LCTOOL_KERNELS_TILES_H
#define LCTOOL_KERNELS_TILES_H

#include <stddef.h>
#include <stdint.h>

// What tells the processor of its tiles: its eight have 16 rows of 64 bytes each.
struct tiles {
    uint8_t palette, start, zero[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

static inline struct tiles tiles_whole(void)
{
    struct tiles t = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        t.row_bytes[i] = 64;
        t.rows[i] = 16;
    }
    return t;
}

// gcc 12 takes _tile_loadconfig to read 8 bytes of T only.
static inline void tiles_read_whole(const struct tiles *t)
{
    __asm__ volatile("" : : "r"(t) : "memory");
}

enum { TILES_BF16 = 1 << 22, TILES_INT8 = 1 << 25 }; // bits of edx in leaf 7.0 of CPUID

// Whether the processor has tiles of this kind, and the system lets this process use them. Asks
// both: slow.
int tiles_usable(unsigned kind);

#endif
