// One function in several ways, of which each processor can run some.
//
//     // Writes the ways that run here, the best one last, and returns their number.
//     static int find_ways(mix_place_fn **ways) ...
//     WAYS(mix_place, 3) // of find_ways: 3 at most
//
//     best_way()(p);
//
// This defines mix_place_way(i), the way number i, NULL after the last: for tests, to which the
// first one, in plain C, is what the others are compared with.
#ifndef LCTOOL_KERNELS_CODEC_WAYS_H
#define LCTOOL_KERNELS_CODEC_WAYS_H

#include <stddef.h>

#define WAYS(name, most)                                                                           \
    name##_fn *name##_way(int i)                                                                   \
    {                                                                                              \
        name##_fn *ways[most];                                                                     \
        return i < find_ways(ways) ? ways[i] : NULL;                                               \
    }                                                                                              \
                                                                                                   \
    static name##_fn *best_way(void)                                                               \
    {                                                                                              \
        static name##_fn *best; /* looked for once: the processor is asked for what it has */      \
        name##_fn *way = __atomic_load_n(&best, __ATOMIC_RELAXED);                                 \
        if (!way) {                                                                                \
            name##_fn *ways[most];                                                                 \
            way = ways[find_ways(ways) - 1];                                                       \
            __atomic_store_n(&best, way, __ATOMIC_RELAXED);                                        \
        }                                                                                          \
        return way;                                                                                \
    }

#endif
