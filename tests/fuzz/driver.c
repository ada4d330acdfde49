// The short run of the fuzzer: the same changes each time, under cmocka.
//
//     test_fuzz                     every target, as often as it says
//     test_fuzz TARGET FIRST N      N runs of one target from the FIRST on: what a failure names
//     test_fuzz TARGET --seeds DIR  the good files, for libFuzzer
//     test_fuzz TARGET FILE         reads a file that libFuzzer found
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/fuzz/fuzz.h"

// With the sanitizers: where reports go, and what is called before they end the program.
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static const struct fuzz_target *const targets[] = {
    &fuzz_gguf,   &fuzz_kvz,     &fuzz_part, &fuzz_ask,    &fuzz_doc,
    &fuzz_config, &fuzz_profile, &fuzz_text, &fuzz_survey, &fuzz_embedder};
enum { N_TARGETS = sizeof targets / sizeof *targets, N_SEEDS = 64 };

static const struct fuzz_target *running;
static int run_no, out_fd, err_fd; // the true standard output and error

static void say_where(void)
{
    if (running)
        dprintf(err_fd, "fuzz: in run %d; to see it again: test_fuzz %s %d 1\n", run_no,
                running->name, run_no);
}

// cmocka catches the other signals of a crash.
static void on_abort(int sig)
{
    (void)sig;
    say_where();
}

static void quiet(int on)
{
    fflush(stdout);
    fflush(stderr);
    int null = open("/dev/null", O_WRONLY);
    dup2(on ? null : out_fd, STDOUT_FILENO);
    dup2(on ? null : err_fd, STDERR_FILENO);
    close(null);
}

// Returns how many seeds were refused.
static int run(const struct fuzz_target *t, int first, int n)
{
    struct bytes seeds[N_SEEDS] = {{0}};
    static uint8_t data[FUZZ_MAX];
    int n_seeds = 0, refused = 0;
    while (n_seeds < N_SEEDS && t->seed(n_seeds, &seeds[n_seeds]))
        n_seeds++;
    running = t;
    quiet(1);
    for (run_no = first; run_no < first + n; run_no++) {
        struct fuzz_random r = {(uint64_t)run_no * 0x2545f4914f6cdd1du};
        // The first runs are the seeds as they are.
        int whole = run_no < n_seeds;
        const struct bytes *seed =
            &seeds[whole ? (uint64_t)run_no : fuzz_below(&r, (uint64_t)n_seeds)];
        size_t bytes = seed->n;
        memcpy(data, seed->p, bytes);
        for (uint64_t k = whole ? 0 : 1 + fuzz_below(&r, 4); k; k--)
            bytes = t->mutate(&r, data, bytes, sizeof data);
        // As exact as malloc, so that one byte too far is seen.
        uint8_t *copy = malloc(bytes);
        if (!copy && bytes)
            abort();
        if (bytes)
            memcpy(copy, data, bytes);
        refused += !t->read(copy, bytes) && whole;
        free(copy);
    }
    quiet(0);
    running = NULL;
    for (int i = 0; i < n_seeds; i++)
        free(seeds[i].p);
    return refused;
}

static void no_input_does_harm(void **state)
{
    const struct fuzz_target *t = *state;
    assert_int_equal(run(t, 0, t->runs), 0);
}

// After a crash that cmocka caught.
static int after(void **state)
{
    (void)state;
    if (running) {
        quiet(0);
        say_where();
        running = NULL;
    }
    return 0;
}

static int write_seeds(const struct fuzz_target *t, const char *to)
{
    struct bytes b = {0};
    char path[4096];
    for (int i = 0; t->seed(i, &b); i++) {
        snprintf(path, sizeof path, "%s/%s-%d", to, t->name, i);
        FILE *f = fopen(path, "wb");
        if (!f || fwrite(b.p, 1, b.n, f) != b.n || fclose(f)) {
            perror(path);
            return 1;
        }
        b.n = 0;
    }
    free(b.p);
    return 0;
}

static int read_file(const struct fuzz_target *t, const char *path)
{
    struct bytes b = {0};
    fuzz_slurp(path, &b);
    t->read(b.p, b.n);
    free(b.p);
    return 0;
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[N_TARGETS];
    out_fd = dup(STDOUT_FILENO);
    err_fd = dup(STDERR_FILENO);
    signal(SIGABRT, on_abort);
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)err_fd);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_where);
    for (int i = 0; i < N_TARGETS; i++) {
        const struct fuzz_target *t = targets[i];
        tests[i] =
            (struct CMUnitTest){t->name, no_input_does_harm, NULL, after, (void *)(uintptr_t)t};
        if (argc < 3 || strcmp(argv[1], t->name))
            continue;
        if (argc == 4 && !strcmp(argv[2], "--seeds"))
            return write_seeds(t, argv[3]);
        if (argc == 3)
            return read_file(t, argv[2]);
        return run(t, atoi(argv[2]), atoi(argv[3])) > 0;
    }
    if (argc > 1) {
        fprintf(stderr, "test_fuzz: no such target\n");
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
