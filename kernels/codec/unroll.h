// Before a loop of at most N turns, a constant number of them, which the compiler is to unroll: it
// keeps what the turns work on in registers only where it has.
#ifndef LCTOOL_KERNELS_CODEC_UNROLL_H
#define LCTOOL_KERNELS_CODEC_UNROLL_H

#ifdef __clang__
#define UNROLL_TO(n) _Pragma("clang loop unroll(full)")
#else
#define UNROLL_TO(n)      UNROLL_PRAGMA(GCC unroll n)
#define UNROLL_PRAGMA(of) _Pragma(#of)
#endif

#endif
