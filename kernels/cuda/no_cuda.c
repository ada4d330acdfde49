// Linked in place of the .cu files by a build without the CUDA Toolkit.
#include "kernels/cuda/cuda.h"

int cuda_open(struct device *d, int index, const struct device_options *o, struct err *e)
{
    (void)d;
    (void)index;
    (void)o;
    return err_set(e, ERR_UNSUPPORTED,
                   "cuda: this lctool was built without CUDA; build it where nvcc is, "
                   "or use --device cpu");
}
