#define _GNU_SOURCE
#include "tests/unit/device_place.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/ok.h"
#include "tests/unit/tiny_model.h"

void place_new(struct place *p)
{
    snprintf(p->dir, sizeof p->dir, "/tmp/lctool-test-XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    snprintf(p->model, sizeof p->model, "%s/tiny.gguf", p->dir);
    snprintf(p->text, sizeof p->text, "%s/text.txt", p->dir);
    OK(tiny_model_write(p->model, &(struct tiny_options){.n_layers = 2}, e));
    FILE *f = fopen(p->text, "w");
    assert_non_null(f);
    for (int i = 0; i < 60; i++)
        fprintf(f, "The river carried %d small boats under bridge %d.\n", i * 7 % 31, i);
    assert_int_equal(fclose(f), 0);
}

void place_done(const struct place *p)
{
    unlink(p->model);
    unlink(p->text);
    rmdir(p->dir);
}

struct encode_options place_options(const char *const *inputs, int n, const char *index, const char *represent,
                                    struct kvz_recipe recipe)
{
    return (struct encode_options){.inputs = inputs,
                                   .n_inputs = n,
                                   .out = index,
                                   .window = 128,
                                   .sinks = 32,
                                   .block = 16,
                                   .chunk = 64,
                                   .represent = represent,
                                   .recipe = recipe};
}

void place_encode(struct device *d, const struct place *p, const char *index, const char *represent,
                        struct kvz_recipe recipe)
{
    struct model *m;
    struct encode_result r;
    const char *const inputs[] = {p->text};
    OK(model_open(&m, p->model, d, e));
    const struct encode_options o = place_options(inputs, 1, index, represent, recipe);
    OK(encode_documents(m, &o, &r, e));
    model_close(m);
}

void place_cpu(struct device **cpu)
{
    OK(device_open(cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0, e));
}
