// The CUDA backend from inside: what a device keeps, and how its files report errors. All work goes
// to one stream in order, so scratch memory may be used again by the next operation.
#ifndef LCTOOL_KERNELS_CUDA_CUDA_STATE_CUH
#define LCTOOL_KERNELS_CUDA_CUDA_STATE_CUH

#include "kernels/cuda/cuda_kernel.cuh"

#ifdef __cplusplus
extern "C" {
#endif
#include "io/err.h"
#include "io/mem.h"
#include "kernels/coded.h"
#include "kernels/cuda/cublas.h"
#include "kernels/cuda/cuda.h"
#include "kernels/kernels.h"
#include "kernels/quant.h"
#ifdef __cplusplus
}
#endif

// A page-locked buffer and its like on the device.
struct cuda_stage {
    uint8_t *host, *there;
    size_t bytes;
    cudaEvent_t copied, used; // by the copy stream; by the main stream
};

// Slots on the device; see kernels/cuda/cuda_blocks.cu.
struct cuda_blocks {
    uint8_t *memory; // [n][bytes]
    size_t bytes;    // of a slot
    int n, used;
    struct cuda_slot *slots; // [n]
    int *chains;             // first slot by name
    // [n] what goes first, from NEXT to N_ORDER; NEXT is N_ORDER where it is not known.
    struct cuda_slot **order;
    int next, n_order;
    uint64_t clock;
};

// What codecs 3 to 5 have learnt of a model, see kernels/cuda/cuda_coded.cu.
struct cuda_learnt {
    uint64_t name;
    uint8_t *p; // NULL: nothing
    int in_use; // by the blocks that are being decoded
};

enum { CUDA_LEARNT = 4 }; // of which one for each index that is asked

// A launch that waits for others; see kernels/cuda/cuda_step.cu.
struct cuda_launch {
    const void *kernel; // that takes a pointer to its parameters
    const char *name;
    int grid_x, grid_y, threads;
    size_t floats, at; // of shared memory; its parameters among all
};

struct cuda_step {
    int is_open, is_running;         // launches are listed; the list is being sent off
    struct cuda_launch *list, *last; // [n], [n_last]: under way, and of the last whole step
    size_t n, n_last, cap, cap_last;
    uint8_t *parameters, *host, *there; // [bytes], [room] page-locked and on the device
    size_t bytes, cap_parameters, room;
    cudaEvent_t copied;    // from HOST
    cudaGraphExec_t graph; // of LAST, reading THERE; NULL: not made
    int has_no_graphs;
};

// Blocks that single tokens' attention has read, counted on the device, see
// kernels/cuda/cuda_art.cu.
struct cuda_reads {
    uint32_t *there, *host; // [n] by query head
    int n;
    uint64_t blocks; // that there were
    uint64_t *to;    // what the caller adds them up in; NULL: nothing is counted
};

enum { CUDA_STAGES = 4, CUDA_STAGE_MOST = 4 << 20, CUDA_PINNED_MOST = 64 << 20 };

struct cuda {
    cudaStream_t main;   // given work through cuda_stream()
    cudaStream_t copies; // to stages only
    struct cublas *blas; // NULL: not on this machine, or not wanted because products must be exact
    int index;           // of the device
    int exact;           // device_options.exact
    int n_sms;           // multiprocessors
    uint8_t *scratch;
    size_t scratch_bytes;
    struct cuda_slice *slices; // all memory that was taken of the device
    size_t n_slices, cap_slices;
    size_t total; // bytes of memory that the device has
    size_t held, in_use,
        limit;              // its bytes, those that are not unused, how many there may be (0: all)
    struct cuda_kept *kept; // keys of an index
    size_t n_kept, cap_kept;
    uint64_t kept_in_use; // the name of those that the scan under way reads
    struct cuda_blocks blocks;
    struct cuda_learnt learnt[CUDA_LEARNT];
    unsigned next_learnt;
    struct cuda_reads reads;
    struct cuda_stage stages[CUDA_STAGES];
    unsigned next_stage;
    struct cuda_step step;
    uint8_t *pinned; // page-locked, for downloads
    size_t pinned_bytes;
    const char *first_op, *last_op; // what was put on the stream since the last wait
    struct err err; // first error since the last sync; operations do nothing behind it
};

// What mat_init leaves in struct mat.packed.
struct cuda_mat {
    uint8_t *bytes; // as in the file
    uint16_t *half; // in half precision, made by the first product of many rows; may be NULL
    int half_state; // enum half_state of kernels/cuda/cuda_matmul.cu
    size_t row_bytes;
};

// The current device is a thread's own: for operations that other threads may call, one at a time.
int cuda_here(struct cuda *c, const char *what);

// Records RC as the error of operation WHAT, unless it is cudaSuccess. Returns whether it was one.
int cuda_failed(struct cuda *c, cudaError_t rc, const char *what);

// The stream that all work goes to, in order: what is listed (kernels/cuda/cuda_step.cu) is sent
// off first.
cudaStream_t cuda_stream(struct cuda *c);
void cuda_flush(struct cuda *c);
// Copies a launch and BYTES of its parameters to the list.
int cuda_list(struct cuda *c, const struct cuda_launch *x, const void *parameters, size_t bytes);
void cuda_step(struct device *d, int begins);
void cuda_step_done(struct cuda *c);

// Waits for the device; the code of the first error since the last sync.
int cuda_wait(struct cuda *c);

// BYTES of device memory, 256-byte aligned, contents not defined; for WHAT, of which HELP says how
// less of it would do. NULL with ERR_NOMEM.
void *cuda_take(struct cuda *c, size_t bytes, const char *what, const char *help, struct err *e);
void cuda_give(struct cuda *c, void *p); // accepts NULL
void cuda_memory_done(struct cuda *c);   // releases all of it
void cuda_drop_kept(struct cuda *c);     // gives back what is kept only to be faster
void cuda_scan_done(struct cuda *c);
void cuda_blocks_drop(struct cuda *c);
void cuda_learnt_drop(struct cuda *c);

// See kernels/cuda/cuda_stage.cu.
// Page-locked memory of BYTES for WHAT instead of *P, of which *N is left 0 where there is none.
int cuda_lock_pages(struct cuda *c, uint8_t **p, size_t *n, size_t bytes, const char *what);
struct cuda_stage *cuda_stage_take(struct cuda *c, size_t bytes, const char *what);
int cuda_stage_send(struct cuda *c, struct cuda_stage *s, size_t bytes, const char *what);
void cuda_stage_done(struct cuda *c, struct cuda_stage *s, const char *what);
void cuda_stages_done(struct cuda *c);
// Whether rows are taken care of: not when they are too many for a stage.
int cuda_stage_rows(struct cuda *c, float *dst, const float *host, const struct rows *r);
// Downloads, all waited for at once; 0: they are too many for page-locked memory.
int cuda_get_rows(struct cuda *c, const struct row_copy *x, int n);

// What a wait does before and after: the blocks that were read go to who wants to know.
void cuda_reads_fetch(struct cuda *c);
void cuda_reads_add(struct cuda *c);
void cuda_reads_done(struct cuda *c);

// See kernels/cuda/cuda_art.cu; whether it is taken care of.
int cuda_art_attend(struct cuda *c, const struct attend *a);
struct cuda_attention;
int cuda_attention_of(struct cuda *c, const struct attend *a, struct cuda_attention *out);
// Attention without ART; ROW_MAX and ROW_NORM [n_q * n_heads] are there until scratch memory is
// asked for again.
int cuda_attend_rows(struct cuda *c, const struct attend *a, const float **row_max,
                     const float **row_norm);

// What could be taken now; what could be taken if nothing was.
size_t cuda_room(const struct cuda *c);
size_t cuda_limit(const struct cuda *c);

// N bytes of device memory, 256-byte aligned, contents not defined, valid until the next call. NULL
// when memory is out: sync reports it.
void *cuda_scratch(struct cuda *c, size_t n, const char *what);

// For CUDA_LAUNCH: sends off what is listed; whether a kernel of this size can be launched and
// there is something to do.
int cuda_may_launch(struct cuda *c, const void *kernel, const char *name, int64_t grid_x,
                    int64_t grid_y, size_t floats);
void cuda_launched(struct cuda *c, const char *name);
// For CUDA_LAUNCH_STEP: lists a launch and returns 1; 0 outside of a step, or where there is
// nothing to do.
int cuda_listed(struct cuda *c, int64_t grid_x, int64_t grid_y, const struct cuda_launch *x,
                const void *parameters, size_t bytes);

// Sizes of scratch parts, rounded up so that the next one is aligned.
static inline size_t cuda_align(size_t n)
{
    return (n + 255) / 256 * 256;
}

// Blocks of THREADS for N items, each thread taking several when there are very many.
static inline int cuda_blocks(int64_t n, int threads)
{
    int64_t blocks = (n + threads - 1) / threads;
    return (int)(blocks < 65536 ? blocks : 65536);
}

int cuda_mat_init(struct device *d, struct mat *m, struct err *e);
void cuda_mat_done(struct device *d, struct mat *m);
void cuda_matmul(struct device *d, float *out, const struct mat *w, const float *x,
                 const float *bias, const float *add, int n);
void cuda_embed(struct device *d, float *out, const struct mat *table, const uint32_t *ids, int n,
                float scale);
void cuda_rmsnorm(struct device *d, float *out, const float *x, const float *w, const float *add,
                  int n, int dim, float eps);
void cuda_gate(struct device *d, float *gate, const float *up, size_t n, enum act act);
void cuda_cache_put(struct device *d, float *cache, const float *rows, int n, int n_kv_heads,
                    int head_dim, int stride, int at);
void cuda_keep(struct device *d, uint64_t name, const float *src, const struct rows *r);
int cuda_recall(struct device *d, uint64_t name, float *dst, const struct rows *r);
void cuda_worth(struct device *d, const uint64_t *names, const float *mass, int n);
void cuda_put_stored(struct device *d, const struct stored_put *x, int n);
int cuda_put_coded(struct device *d, const struct coded_put *x, int n, int *bad, struct err *e);
void cuda_attend(struct device *d, const struct attend *a);
void cuda_scan(struct device *d, const struct scan *s);
// The same of several, whose blocks share the softmax, but scan.mass stays on the device: MASS
// [blocks of all].
void cuda_scan_masses(struct cuda *c, const struct scan *parts, int n_parts, float *mass);
void cuda_elect(struct device *d, const struct election *x);
void cuda_similar(struct device *d, const struct similar *x);
void cuda_mean(struct device *d, float *out, const float *x, int n, int width);
void cuda_divide(struct device *d, const struct divide *x);
void cuda_favour(struct device *d, float *x, const struct bonus *b, int n);
void cuda_cost(struct device *d, float *out, const struct best *b, const float *x, int n);
void cuda_best(struct device *d, struct best *out, const float *x, int n);
void cuda_draw(struct device *d, struct best *out, const float *x, int n, const struct draw *how);

#endif
