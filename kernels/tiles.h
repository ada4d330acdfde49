// Whether the tiles of AMX may be used.
#ifndef LCTOOL_KERNELS_TILES_H
#define LCTOOL_KERNELS_TILES_H

enum { TILES_BF16 = 1 << 22, TILES_INT8 = 1 << 25 }; // bits of edx in leaf 7.0 of CPUID

// Whether the processor has tiles of this kind, and the system lets this process use them. Asks
// both: slow.
int tiles_usable(unsigned kind);

#endif
