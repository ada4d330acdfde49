// The GPU backend: kernels/cuda/*.cu where the CUDA Toolkit is there to build it, else
// kernels/cuda/no_cuda.c, which says that there is none.
//
// The device does
//   - products with quantised weights (cuBLAS for many rows), norms, RoPE and activations;
//   - attention: on tensor cores for chunks; for single tokens with the keys split and the parts
//     merged, where it may end early (ART); and attention masses;
//   - scores of index vectors, and where heads vote on what a question reads in all layers (the
//     default) the choice itself: it counts the votes, adds what the question's words say, and
//     finds the best blocks of one index or several;
//   - the choice of blocks that a chunk retrieves (--topk);
//   - the division of attention maps into spans;
//   - the decoding of codecs 3 to 5 from the bytes of the file, with the processor's very bits; of
//     codecs 0 to 2 what follows inflate, for all blocks of a question together;
//   - what is added to logits (copies made likelier, repetitions ruled out), the likeliest token, a
//     token drawn with a temperature, and what a token costs;
//   - a cache of decoded blocks, from which those that received the least attention leave first.
//
// The processor does
//   - all other choices of blocks: those of each layer, by similarity, by sums, maxima or cosines,
//     with hops, and those among more than ELECT_MOST blocks. The device makes the products for
//     their scores, except for bounds, sums and cosines;
//   - BM25 and inflate.
//
// A pass over one token is a CUDA graph. It is made when its launches are those of the token
// before, and launched again as long as that holds: what changes from token to token lies in device
// memory. No tokens are guessed ahead and verified together (query --draft), because products of
// several rows have other bits than those of one.
//
// Encoding takes several chunks in one pass (2,048 tokens with 14 GiB of memory, 4,096 with 32), in
// which each attends to what it would see alone, while a thread writes the blocks of the pass
// before. With --topk it takes one chunk, and blocks are written before the next one, which may
// read them.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_H
#define LCTOOL_KERNELS_CUDA_CUDA_H

#include "io/err.h"
#include "kernels/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fills D for the INDEX-th GPU. ERR_DEVICE, with the reason, where there is none; ERR_UNSUPPORTED
// where the program was built without CUDA.
int cuda_open(struct device *d, int index, const struct device_options *o, struct err *e);

#ifdef __cplusplus
}
#endif

#endif
