// What the machine can do at most, one line of CSV a figure: what the figures of ops and passes are
// shares of.
//
//     peaks [THREADS [SECONDS [FILE [NEW]]]]
//
// Multiply-adds of float32, products of bytes (VNNI, of 512 bits and of 256) and of bfloat16 (AMX)
// from registers, without AVX-512 AVX2's pairs of bytes and of 16 bits; exponentials as
// kernels/cpu/simd_rows.h has them; reading of memory in large pages; reading of FILE past the page
// cache; writing of NEW, which is made and taken away again, until the disk has it.
#define _GNU_SOURCE // clock_gettime, posix_fadvise
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "kernels/kernels.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

static double budget = 0.3;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { LANES = 16, CHAINS = 12, ROUNDS = 100000 };

typedef double probe(void *arg); // does some work, returns how many units it was

#if defined __x86_64__
#define TARGET(what) __attribute__((target(what)))

TARGET("avx2,fma") static double fma_avx2(void *arg)
{
    __m256 s[CHAINS], x = _mm256_set1_ps(*(float *)arg);
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++)
        s[i] = _mm256_set1_ps((float)i);
    for (int r = 0; r < ROUNDS; r++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            __asm__("vfmadd231ps %1, %1, %0" : "+x"(s[i]) : "x"(x));
    }
#pragma GCC unroll 12
    for (int i = 1; i < CHAINS; i++)
        s[0] = _mm256_add_ps(s[0], s[i]);
    *(float *)arg = _mm256_cvtss_f32(s[0]) > 0 ? 1e-9f : 2e-9f;
    return 2.0 * 8 * CHAINS * ROUNDS;
}

enum whole { PAIRS_OF_BYTES, PAIRS_OF_WORDS, FOURS_OF_BYTES };

// Whole numbers multiplied and added up: pairs by two instructions, fours by one (VNNI).
TARGET("avx2") static double whole_avx2(enum whole what, float *arg)
{
    __m256i s[CHAINS], x = _mm256_set1_epi8(3), pairs;
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++)
        s[i] = _mm256_set1_epi32(i);
    for (int r = 0; r < ROUNDS && what == PAIRS_OF_WORDS; r++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            __asm__("vpmaddwd %2, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(s[i]), "=&x"(pairs) : "x"(x));
    }
    for (int r = 0; r < ROUNDS && what == PAIRS_OF_BYTES; r++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            __asm__("vpmaddubsw %2, %2, %1\n\tvpaddw %1, %0, %0"
                    : "+x"(s[i]), "=&x"(pairs)
                    : "x"(x));
    }
    for (int r = 0; r < ROUNDS && what == FOURS_OF_BYTES; r++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++) // {vex}: or the assembler takes the form of AVX-512
            __asm__("%{vex%} vpdpbusd %1, %1, %0" : "+x"(s[i]) : "x"(x));
    }
#pragma GCC unroll 12
    for (int i = 1; i < CHAINS; i++)
        s[0] = _mm256_add_epi32(s[0], s[i]);
    *arg = _mm256_cvtsi256_si32(s[0]) > 0 ? 1e-9f : 2e-9f;
    return 2.0 * (what == PAIRS_OF_WORDS ? 16 : 32) * CHAINS * ROUNDS;
}

static double bytes_avx2(void *arg)
{
    return whole_avx2(PAIRS_OF_BYTES, arg);
}

static double words_avx2(void *arg)
{
    return whole_avx2(PAIRS_OF_WORDS, arg);
}

static double vnni_avx2(void *arg)
{
    return whole_avx2(FOURS_OF_BYTES, arg);
}

TARGET("avx512f") static double fma_avx512(void *arg)
{
    __m512 s[CHAINS], x = _mm512_set1_ps(*(float *)arg);
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++)
        s[i] = _mm512_set1_ps((float)i);
    for (int r = 0; r < ROUNDS; r++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            __asm__("vfmadd231ps %1, %1, %0" : "+v"(s[i]) : "v"(x));
    }
#pragma GCC unroll 12
    for (int i = 1; i < CHAINS; i++)
        s[0] = _mm512_add_ps(s[0], s[i]);
    *(float *)arg = _mm512_cvtss_f32(s[0]) > 0 ? 1e-9f : 2e-9f;
    return 2.0 * 16 * CHAINS * ROUNDS;
}

TARGET("avx512f,avx512vnni") static double vnni(void *arg)
{
    __m512i s[CHAINS], x = _mm512_set1_epi8(3);
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++)
        s[i] = _mm512_set1_epi32(i);
    for (int r = 0; r < ROUNDS; r++) {
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            __asm__("vpdpbusd %1, %1, %0" : "+v"(s[i]) : "v"(x));
    }
#pragma GCC unroll 12
    for (int i = 1; i < CHAINS; i++)
        s[0] = _mm512_add_epi32(s[0], s[i]);
    *(float *)arg = _mm512_cvtsi512_si32(s[0]) > 0 ? 1e-9f : 2e-9f;
    return 2.0 * 64 * CHAINS * ROUNDS;
}

TARGET("amx-tile") static void tiles_begin(void)
{
    struct {
        uint8_t palette, start, zero[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = 16;
    }
    __asm__ volatile(""
                     :
                     : "r"(&config)
                     : "memory"); // gcc 12 takes the next line to read 8 bytes only
    _tile_loadconfig(&config);
}

TARGET("amx-tile,amx-bf16") static double amx(void *arg)
{
    (void)arg;
    tiles_begin();
    for (int r = 0; r < ROUNDS; r++) {
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_release();
    return 2.0 * 4 * 16 * 16 * 32 * ROUNDS;
}

// As a product has them: each tile comes from the first-level cache, and its numbers are not zero,
// which costs power and so clock.
TARGET("amx-tile,amx-bf16") static double amx_loaded(void *arg)
{
    _Alignas(64) uint16_t x[4][16 * 32];
    uint32_t seed = 1;
    (void)arg;
    for (int i = 0; i < 4 * 16 * 32; i++) { // 0.5 .. 2, either sign
        seed = seed * 1664525u + 1013904223u;
        x[i / 512][i % 512] = (uint16_t)(0x3f00 | seed >> 24 | (seed & 0x8000));
    }
    tiles_begin();
    for (int r = 0; r < ROUNDS; r++) {
        _tile_loadd(4, x[0], 64);
        _tile_loadd(6, x[1], 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_loadd(7, x[2], 64);
        _tile_dpbf16ps(1, 4, 7);
        _tile_loadd(5, x[3], 64);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_release();
    return 2.0 * 4 * 16 * 16 * 32 * ROUNDS;
}

static int has_isa(const char *name)
{
    const char *isa;
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++) // asks the kernel for the tiles, too
        if (!strcmp(isa, name))
            return 1;
    return 0;
}
#endif

// Of a gate: an exponential and four other operations a number.
struct exponentials {
    struct device *d;
    float *x, *up;
};

enum { EXPS = 1 << 14 };

static double exponentials(void *arg)
{
    struct exponentials *e = arg;
    for (int i = 0; i < 20; i++)
        e->d->ops->gate(e->d, e->x, e->up, EXPS, ACT_SILU);
    return 20.0 * EXPS;
}

struct memory {
    const uint64_t *p;
    size_t n;
    uint64_t sum;
};

static double read_memory(void *arg)
{
    struct memory *m = arg;
    uint64_t a = 0, b = 0, c = 0, d = 0;
    for (size_t i = 0; i < m->n; i += 32) { // one number of each line: the whole line comes
        a += m->p[i];
        b += m->p[i + 8];
        c += m->p[i + 16];
        d += m->p[i + 24];
    }
    m->sum += a + b + c + d;
    return (double)m->n * sizeof *m->p;
}

// ---- Threads

struct worker {
    pthread_t id;
    probe *fn;
    void *arg;
    double units, seconds;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    w->fn(w->arg);
    double began = now();
    do {
        w->units += w->fn(w->arg);
        w->seconds = now() - began;
    } while (w->seconds < budget);
    return NULL;
}

// Units a second of all threads together; ARGS [threads], each SIZE bytes.
static void peak(const char *what, const char *unit, double scale, int threads, probe *fn,
                 void *args, size_t size)
{
    struct worker *w = calloc((size_t)threads, sizeof *w);
    double sum = 0;
    if (!w)
        exit(1);
    for (int i = 0; i < threads; i++) {
        w[i].fn = fn;
        w[i].arg = (char *)args + (size_t)i * size;
        if (pthread_create(&w[i].id, NULL, work, &w[i]))
            exit(1);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(w[i].id, NULL);
        sum += w[i].units / w[i].seconds;
    }
    printf("peak,%d,%s,%.2f,%s\n", threads, what, sum / scale, unit);
    fflush(stdout);
    free(w);
}

static void arithmetic(int threads)
{
    float *seeds = malloc((size_t)threads * sizeof *seeds);
    if (!seeds)
        exit(1);
    for (int i = 0; i < threads; i++)
        seeds[i] = 1e-9f;
#if defined __x86_64__
    if (has_isa("avx512"))
        peak("float32 multiply-add", "GFLOP/s", 1e9, threads, fma_avx512, seeds, sizeof *seeds);
    else if (has_isa("avx2")) {
        peak("float32 multiply-add", "GFLOP/s", 1e9, threads, fma_avx2, seeds, sizeof *seeds);
        peak("pairs of bytes", "GOP/s", 1e9, threads, bytes_avx2, seeds, sizeof *seeds);
        peak("pairs of 16 bits", "GOP/s", 1e9, threads, words_avx2, seeds, sizeof *seeds);
    }
    if (has_isa("avx512vnni"))
        peak("byte products", "GOP/s", 1e9, threads, vnni, seeds, sizeof *seeds);
    if (has_isa("avxvnni"))
        peak("byte products of 256 bits", "GOP/s", 1e9, threads, vnni_avx2, seeds, sizeof *seeds);
    if (has_isa("amx"))
        peak("bfloat16 tiles", "GFLOP/s", 1e9, threads, amx, seeds, sizeof *seeds);
    if (has_isa("amx"))
        peak("bfloat16 tiles loaded", "GFLOP/s", 1e9, threads, amx_loaded, seeds, sizeof *seeds);
#endif
    free(seeds);
}

static void rates(int threads)
{
    struct exponentials *e = calloc((size_t)threads, sizeof *e);
    struct memory *m = calloc((size_t)threads, sizeof *m);
    struct err why;
    enum { BYTES = 128 << 20 };
    if (!e || !m)
        exit(1);
    for (int i = 0; i < threads; i++) {
        struct device_options o = {.name = "cpu", .threads = 1};
        if (device_open(&e[i].d, &o, NULL, 0, &why) ||
            !(e[i].x = e[i].d->ops->alloc(e[i].d, EXPS * sizeof(float), &why)) ||
            !(e[i].up = e[i].d->ops->alloc(e[i].d, EXPS * sizeof(float), &why)) ||
            !(m[i].p = e[i].d->ops->alloc(e[i].d, BYTES, &why)))
            exit(1);
        m[i].n = BYTES / sizeof *m->p;
        memset((void *)(uintptr_t)m[i].p, 1,
               BYTES); // until it is written to there is no memory to be read
    }
    peak("exponentials", "G/s", 1e9, threads, exponentials, e, sizeof *e);
    peak("memory read", "GB/s", 1e9, threads, read_memory, m, sizeof *m);
    for (int i = 0; i < threads; i++) {
        e[i].d->ops->free(e[i].d, e[i].x);
        e[i].d->ops->free(e[i].d, e[i].up);
        e[i].d->ops->free(e[i].d, (void *)(uintptr_t)m[i].p);
        device_close(e[i].d);
    }
    free(e);
    free(m);
}

enum { PART = 1 << 20 }; // bytes read or written at once

static void disk_read(const char *path)
{
    int fd = open(path, O_RDONLY);
    char *buf = malloc(PART);
    if (fd < 0 || !buf || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
        exit(1);
    double began = now(), bytes = 0;
    for (ssize_t n; (n = read(fd, buf, PART)) > 0;)
        bytes += (double)n;
    printf("peak,1,disk read,%.2f,GB/s\n", bytes / (now() - began) / 1e9);
    close(fd);
    free(buf);
}

static void disk_write(const char *path)
{
    enum { PARTS = 128 };
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    char *buf = malloc(PART);
    if (fd < 0 || !buf)
        exit(1);
    memset(buf, 1, PART);
    double began = now();
    for (int i = 0; i < PARTS; i++)
        if (write(fd, buf, PART) != PART)
            exit(1);
    if (fsync(fd))
        exit(1);
    printf("peak,1,disk write,%.2f,GB/s\n", (double)PARTS * PART / (now() - began) / 1e9);
    close(fd);
    unlink(path);
    free(buf);
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    if (argc > 2)
        budget = atof(argv[2]);
    printf("isa,threads,what,figure,unit\n");
    if (threads < 1)
        return 2;
    arithmetic(threads);
    rates(threads);
    if (argc > 3)
        disk_read(argv[3]);
    if (argc > 4)
        disk_write(argv[4]);
    return 0;
}
