// Writing on a device: see device_tests.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/answer/reading.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/ok.h"

static const struct device_ops *watched_of;
static int n_added, n_tokens;

static void count_favour(struct device *d, float *x, const struct bonus *b, int n)
{
    n_added += n;
    watched_of->favour(d, x, b, n);
}

static void count_best(struct device *d, struct best *out, const float *x, int n)
{
    n_tokens++;
    watched_of->best(d, out, x, n);
}

// What a model on D writes where no token may come twice, not even those of the text that it
// favours.
static char *write_on(struct device *d)
{
    enum { CHUNK = 20, MORE = 50 };
    static const char TEXT[] =
        "The river carried 3 small boats under bridge 5; it carried 4 boats under bridge 6.";
    struct model *m;
    struct prompt text = {0};
    struct writing w = {.max_tokens = MORE, .no_repeat = 1};
    OK(model_open(&m, "tests/golden/tiny/llama.gguf", d, e));
    OK(prompt_text(&text, m, TEXT, TOK_PLAIN, e));
    assert_true(text.n > CHUNK); // several chunks
    OK(stream_new(
        &w.s, m,
        &(struct stream_options){.window = text.n + MORE, .chunk = CHUNK, .room = text.n + MORE},
        e));
    w.logits = malloc((size_t)m->info.n_vocab * sizeof *w.logits);
    assert_non_null(w.logits);
    OK(copies_new(&w.copies, 30, text.ids, text.n, text.ids, 3, m->info.n_vocab, e));
    OK(write_prompt(&w, text.ids, text.n, e));
    OK(write_answer(&w, e));
    copies_done(&w.copies);
    bonuses_done(&w.bonuses);
    prompt_done(&text);
    stream_free(w.s);
    free(w.logits);
    model_close(m);
    return w.out;
}

void device_write(void **state)
{
    (void)state;
    struct device *cpu;
    struct device_ops watched = *tested->ops;
    OK(device_open(&cpu, &(struct device_options){.name = "cpu", .threads = 1, .exact = 1}, NULL, 0,
                   e));
    char *here = write_on(cpu);
    watched_of = tested->ops;
    watched.favour = count_favour;
    watched.best = count_best;
    n_added = n_tokens = 0;
    tested->ops = &watched;
    char *there = write_on(tested);
    tested->ops = watched_of;
    assert_string_equal(there, here);
    assert_true(strlen(here) > 50 && n_tokens > 40 && n_added > 20 * n_tokens);
    free(here);
    free(there);
    device_close(cpu);
}
