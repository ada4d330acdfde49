// The second backend, in kernels/cuda*.cu where the CUDA Toolkit is, else in kernels/no_cuda.c.
#ifndef LCTOOL_KERNELS_CUDA_H
#define LCTOOL_KERNELS_CUDA_H

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
