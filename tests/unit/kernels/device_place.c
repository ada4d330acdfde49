#define _GNU_SOURCE
#include "tests/unit/kernels/device_place.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/tiny_model.h"

void place_new(struct place *p)
{
    assert_int_equal(own_dir_make(NULL), 0);
    strcpy(p->model, in_dir("tiny.gguf"));
    strcpy(p->text, in_dir("text.txt"));
    OK(tiny_model_write(p->model, &(struct tiny_options){.n_layers = 2}, e));
    p->profile[0] = 0;
    place_text(p, 60);
}

void place_profile(struct place *p)
{
    strcpy(p->profile, in_dir("profile.ini"));
    FILE *f = fopen(p->profile, "w");
    assert_non_null(f);
    fputs("[profile]\nname = tiny\narch = llama\nlayers = 2\nheads = 4\nkv_heads = 2\nembedding = "
          "64\ndistance = 128\n\n"
          "[heads]\n0.1 = 1\n1.2 = 0.7\n1.3 = 0.4\n",
          f);
    assert_int_equal(fclose(f), 0);
}

struct model *place_model(struct device *d, const struct place *p)
{
    struct model *m;
    OK(model_open(&m, p->model, d, e));
    if (*p->profile)
        OK(model_use_profile(m, p->profile, e));
    return m;
}

void place_text(const struct place *p, int lines)
{
    FILE *f = fopen(p->text, "w");
    assert_non_null(f);
    for (int i = 0; i < lines; i++)
        fprintf(f, "The river carried %d small boats under bridge %d.\n", i * 7 % 31, i);
    assert_int_equal(fclose(f), 0);
}

void place_done(void)
{
    assert_int_equal(own_dir_remove(NULL), 0);
}

struct encode_options place_options(const char *const *inputs, int n, const char *index,
                                    const char *represent, struct kvz_recipe recipe)
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
    struct model *m = place_model(d, p);
    struct encode_result r;
    const char *const inputs[] = {p->text};
    const struct encode_options o = place_options(inputs, 1, index, represent, recipe);
    OK(encode_documents(m, &o, &r, e));
    model_close(m);
}

static int by_block(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    return x->index != y->index ? (x->index < y->index ? -1 : 1)
                                : (x->block > y->block) - (x->block < y->block);
}

// Which blocks; only with votes their order, too: of what layers choose each for itself, it is
// nobody's.
static int tell(const struct answer *a, int votes, char *found, size_t cap)
{
    int at = snprintf(found, cap, "%s|%llu of %llu|", a->text, (unsigned long long)a->art_read,
                      (unsigned long long)a->art_blocks);
    for (int i = 0; i < a->n_evidence && at < (int)cap; i++)
        at += snprintf(found + at, cap - (size_t)at, "%llu|",
                       (unsigned long long)a->evidence[i].block);
    if (!votes)
        qsort(a->choices, (size_t)a->n_choices, sizeof *a->choices, by_block);
    for (int i = 0; i < a->n_choices && at < (int)cap; i++) {
        const struct choice *c = &a->choices[i];
        at += snprintf(found + at, cap - (size_t)at, " %d.%llu", c->index,
                       (unsigned long long)c->block);
        for (int v = 0; votes && v < c->n_votes && at < (int)cap; v++)
            at += snprintf(found + at, cap - (size_t)at, " %d.%d:%d", c->votes[v].layer,
                           c->votes[v].head, c->votes[v].rank);
    }
    return at;
}

int place_ask_all(struct device *d, const struct place *p, const char *const *indexes, int n,
                  struct ask_options o, int votes, char *found, size_t cap)
{
    struct model *m;
    struct kvz *k[2];
    struct answer a;
    struct err why;
    int rc = model_open(&m, p->model, d, &why);
    if (rc) {
        snprintf(found, cap, "%s", why.msg);
        return rc;
    }
    if (*p->profile)
        OK(model_use_profile(m, p->profile, e));
    for (int i = 0; i < n; i++)
        OK(kvz_open(&k[i], indexes[i], e));
    o.question = o.question ? o.question : "Who carried the boat?";
    o.max_tokens = 12;
    if ((rc = ask(m, k, n, &o, &a, &why))) {
        snprintf(found, cap, "%s", why.msg);
    } else {
        assert_true(tell(&a, votes, found, cap) < (int)cap);
        answer_done(&a);
    }
    for (int i = 0; i < n; i++)
        kvz_close(k[i]);
    model_close(m);
    return rc;
}

int place_ask(struct device *d, const struct place *p, const char *index, struct ask_options o,
              char *found, size_t cap)
{
    return place_ask_all(d, p, &index, 1, o, 0, found, cap);
}

void place_cpu(struct device **cpu)
{
    OK(device_open(cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0,
                   e));
}
