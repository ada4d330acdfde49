#define _GNU_SOURCE // mkdtemp
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/kernels/kernel_cases.h"
#include "kernels/kernels.h"

// More than a piece of the arena holds, so that there are two of them, and ends within panels. The
// last one is of a type that AVX-512 alone does not pack.
static const struct {
    uint32_t type;
    int rows, cols;
} shapes[] = {{QUANT_Q4_1, 50001, 1024},
              {QUANT_Q4_0, 333, 96},
              {QUANT_Q4_1, 60000, 1024},
              {QUANT_Q8_0, 99, 64}};
enum { N = sizeof shapes / sizeof *shapes, COLS = 1024, ROWS = 60001 };

static const uint64_t FREE = (uint64_t)2 << 30; // 20 files

static uint8_t *data[N];
static float *x, *want[N], *got;
static char dir[64];
static struct err e;

static size_t row_bytes(int i)
{
    return (size_t)quant_bytes(shapes[i].type, (uint64_t)shapes[i].cols);
}

static struct mat mat_of(int i)
{
    return (struct mat){
        .data = data[i], .type = shapes[i].type, .rows = shapes[i].rows, .cols = shapes[i].cols};
}

// Opens a model of the first N_MATS matrices under KEY, compares its products with WANT (or writes
// them there) and closes it.
static void use(const char *isa, uint64_t key, int n_mats, int compare)
{
    struct device *d;
    struct mat w[N];
    const struct device_options o = {.name = "cpu", .threads = 2, .isa = isa, .kept = dir};
    assert_int_equal(device_open(&d, &o, NULL, 0, &e), 0);
    for (int i = 0; i < n_mats; i++) {
        w[i] = mat_of(i);
        assert_int_equal(d->ops->mat_init(d, &w[i], &e), 0);
    }
    d->ops->weights_ready(d, key);
    for (int i = 0; i < n_mats; i++) {
        d->ops->matmul(d, compare ? got : want[i], &w[i], x, NULL, NULL, 1);
        assert_int_equal(d->ops->sync(d, &e), 0);
        if (compare)
            assert_memory_equal(got, want[i], (size_t)shapes[i].rows * sizeof *got);
    }
    d->ops->weights_keep(d);
    for (int i = 0; i < n_mats; i++)
        d->ops->mat_done(d, &w[i]);
    device_close(d);
}

// How many files there are; the path of one of them.
static int files(char *path, size_t cap)
{
    DIR *d = opendir(dir);
    int n = 0;
    for (struct dirent *one; d && (one = readdir(d));)
        if (*one->d_name != '.') {
            snprintf(path, cap, "%s/%s", dir, one->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}

static ino_t inode(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_ino;
}

static void clear(void)
{
    char path[512];
    while (files(path, sizeof path))
        assert_int_equal(unlink(path), 0);
}

static void flip(const char *path, off_t at)
{
    uint8_t byte;
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static off_t size_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

// Writes the file, and uses it: it stays the one that it was.
static void kept(const char *isa)
{
    char path[512];
    use(isa, 7, N, 0);
    assert_int_equal(files(path, sizeof path), 1);
    const ino_t first = inode(path);
    use(isa, 7, N, 1);
    assert_int_equal(files(path, sizeof path), 1);
    assert_int_equal(inode(path), first);
    assert_non_null(strstr(path, isa));
}

// Whatever has happened to it, the products are right and a whole file is there again.
static void damaged(const char *isa)
{
    char path[512];
    files(path, sizeof path);
    const off_t bytes = size_of(path);
    const off_t at[] = {0, 20, 100, (2 << 20) + 5, bytes / 2, bytes - 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const ino_t before = inode(path);
        flip(path, at[i]);
        use(isa, 7, N, 1);
        assert_int_not_equal(inode(path), before);
    }
    const off_t cut[] = {0, 1, 4096, bytes / 2, bytes - 1, bytes + 1};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        const ino_t before = inode(path);
        assert_int_equal(truncate(path, cut[i]), 0);
        use(isa, 7, N, 1);
        assert_int_not_equal(inode(path), before);
        assert_int_equal(size_of(path), bytes);
    }
}

// Another model under the same key: told by its shapes, or by a first panel.
static void another(const char *isa)
{
    char path[512];
    files(path, sizeof path);
    ino_t before = inode(path);
    use(isa, 7, 2, 1);
    assert_int_not_equal(inode(path), before);
    use(isa, 7, N, 1);
    before = inode(path);
    data[1][3 * row_bytes(1) + 9] ^= 1; // a weight of the fourth row
    use(isa, 7, N, 0);
    assert_int_not_equal(inode(path), before);
}

// Files that were not used for longest go; so does what a killed writer left.
static void few(const char *isa)
{
    char path[512], left[600];
    clear();
    snprintf(left, sizeof left, "%s/0-%s.weights.17.tmp", dir, isa);
    int fd = open(left, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
    for (uint64_t key = 1; key <= 3; key++)
        use(isa, key, 1, 1);
    assert_int_equal(files(path, sizeof path), 4);
    use(isa, 4, 1, 1);
    assert_int_equal(files(path, sizeof path), 4);
    assert_int_equal(access(left, F_OK), -1);
    use(isa, 1, 1, 1); // used later than the second
    use(isa, 5, 1, 1);
    assert_int_equal(files(path, sizeof path), 4);
    snprintf(left, sizeof left, "%s/%016x-%s.weights", dir, 1, isa);
    assert_int_equal(access(left, F_OK), 0);
    snprintf(left, sizeof left, "%s/%016x-%s.weights", dir, 2, isa);
    assert_int_equal(access(left, F_OK), -1);
    clear();
}

// The file has the mode that the mask leaves, like any other.
static void mode(const char *isa)
{
    char path[512];
    struct stat st;
    clear();
    const mode_t was = umask(027);
    use(isa, 7, N, 1);
    umask(was);
    assert_int_equal(files(path, sizeof path), 1);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    clear();
}

// Instruction sets that take weights as they are, few weights, and a place that cannot be written
// to leave no file and the right products.
static void none(const char *isa, int packs)
{
    char path[512], own[sizeof dir];
    clear();
    if (!packs) {
        use(isa, 7, 2, 0);
        assert_int_equal(files(path, sizeof path), 0);
        return;
    }
    memcpy(own, dir, sizeof own);
    snprintf(dir, sizeof dir, "/proc/self/lctool");
    use(isa, 7, N, 1);
    memcpy(dir, own, sizeof dir);
    assert_int_equal(files(path, sizeof path), 0);
}

static int packs(const char *isa)
{
    return strcmp(isa, "ref") != 0 && strncmp(isa, "neon", 4) != 0;
}

static void weights_are_kept(void **state)
{
    (void)state;
    const char *isa;
    struct statvfs v;
    if (statvfs(dir, &v) || v.f_bavail * v.f_frsize < FREE) {
        print_message("%s has not the room that a file is kept for\n", dir);
        skip();
    }
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++) {
        if (packs(isa)) {
            kept(isa);
            damaged(isa);
            another(isa);
            few(isa);
            mode(isa);
        }
        none(isa, packs(isa));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weights_are_kept)};
    snprintf(dir, sizeof dir, "/tmp/lctool-packed-XXXXXX");
    if (!mkdtemp(dir))
        return 1;
    random_from(3);
    for (int i = 0; i < N; i++) {
        const struct quant *q = quant_find(shapes[i].type);
        data[i] = new ((size_t)shapes[i].rows, row_bytes(i));
        random_weights(q, data[i], (size_t)shapes[i].rows * row_bytes(i) / (size_t)q->bytes);
        want[i] = new ((size_t)shapes[i].rows, sizeof **want);
    }
    got = new (ROWS, sizeof *got);
    x = new (COLS, sizeof *x);
    for (int i = 0; i < COLS; i++)
        x[i] = uniform();
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    clear();
    rmdir(dir);
    for (int i = 0; i < N; i++) {
        free(data[i]);
        free(want[i]);
    }
    free(got);
    free(x);
    return rc;
}
