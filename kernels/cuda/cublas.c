// cuBLAS by dlopen. The few declarations below are its public interface, unchanged since
// version 11.
#include "kernels/cuda/cublas.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

enum { OP_N = 0, OP_T = 1 };                  // cublasOperation_t
enum { TYPE_F32 = 0, TYPE_F16 = 2 };          // cudaDataType_t
enum { COMPUTE_32F = 68, ALGO_DEFAULT = -1 }; // cublasComputeType_t, cublasGemmAlgo_t

struct cublas {
    void *library, *handle; // the handle is made with the first product: it takes device memory
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*gemm)(void *handle, int trans_a, int trans_b, int m, int n, int k, const void *alpha,
                const void *a, int a_type, int lda, const void *b, int b_type, int ldb,
                const void *beta, void *c, int c_type, int ldc, int compute, int algo);
};

static void *open_library(void)
{
    // The last is where the CUDA Toolkit installs itself: not every system's loader looks there.
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        // It has kernels registered with the driver, so it is never unloaded.
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (library)
            return library;
    }
    return NULL;
}

// ISO C has no conversion from an object's address to a function's; POSIX promises that it works.
static int find(struct cublas *b, const char *name, void *function, struct err *e)
{
    void *symbol = dlsym(b->library, name);
    if (!symbol)
        return err_set(e, ERR_DEVICE, "cuda: libcublas has no %s", name);
    memcpy(function, &symbol, sizeof symbol);
    return 0;
}

struct cublas *cublas_open(struct err *e)
{
    struct cublas *b = mem_new(1, sizeof *b, e);
    if (!b)
        return NULL;
    if (!(b->library = open_library())) {
        err_set(e, ERR_DEVICE, "cuda: libcublas is not installed");
        free(b);
        return NULL;
    }
    if (find(b, "cublasCreate_v2", &b->create, e) || find(b, "cublasDestroy_v2", &b->destroy, e) ||
        find(b, "cublasSetStream_v2", &b->set_stream, e) || find(b, "cublasGemmEx", &b->gemm, e)) {
        cublas_close(b);
        return NULL;
    }
    return b;
}

void cublas_close(struct cublas *b)
{
    if (!b)
        return;
    if (b->handle)
        b->destroy(b->handle);
    dlclose(b->library);
    free(b);
}

int cublas_product(struct cublas *b, void *stream, const struct cublas_product *p, struct err *e)
{
    int status = 0;
    if (!b->handle &&
        ((status = b->create(&b->handle)) || (status = b->set_stream(b->handle, stream))))
        return err_set(e, ERR_DEVICE, "cuda: cuBLAS did not start: status %d", status);
    // It counts columns first: w is cols x rows there, x is cols x n, and out rows x n.
    const float one = 1, beta = p->add ? 1 : 0;
    status =
        b->gemm(b->handle, OP_T, OP_N, p->rows, p->n, p->cols, &one, p->w, TYPE_F16, p->cols, p->x,
                TYPE_F16, p->cols, &beta, p->out, TYPE_F32, p->rows, COMPUTE_32F, ALGO_DEFAULT);
    if (status)
        return err_set(e, ERR_DEVICE, "cuda: cublasGemmEx of %d x %d x %d: status %d", p->n,
                       p->rows, p->cols, status);
    return 0;
}
