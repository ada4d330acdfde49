// Writing an answer: what is said where a quotation takes its place.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/answer/writing.h"
#include "engine/model/prompt.h"
#include "tests/unit/ok.h"

enum { MORE = 64 };

static struct device *device;
static struct model *model;

// A stream and memory for an answer after P, which may give way to P.
static struct writing begin(const struct prompt *p)
{
    struct writing w = {.max_tokens = MORE,
                        .quote = {.ids = p->ids, .n = p->n, .doubt = 1, .always = 1}};
    OK(stream_new(
        &w.s, model,
        &(struct stream_options){.window = p->n + MORE, .chunk = p->n, .room = p->n + MORE}, e));
    w.logits = malloc((size_t)model->info.n_vocab * sizeof *w.logits);
    assert_non_null(w.logits);
    return w;
}

static void end(struct writing *w)
{
    copies_done(&w->copies);
    bonuses_done(&w->bonuses);
    stream_free(w->s);
    free(w->logits);
    free(w->out);
}

static void note(void *arg, const char *s, size_t n)
{
    assert_true(strlen(arg) + n < 256);
    strncat(arg, s, n);
}

// A quotation that is said whatever the model would is the same without asking it.
static void test_quotation(void **state)
{
    (void)state;
    struct prompt text = {0};
    char told[2][256] = {"", ""};
    OK(prompt_text(&text, model, "The mill stands by the river.", TOK_PLAIN, e));
    struct writing asked = begin(&text), unasked = begin(&text);
    asked.text = unasked.text = note;
    asked.arg = told[0];
    unasked.arg = told[1];
    OK(write_prompt(&asked, text.ids, text.n, e));
    OK(write_answer(&asked, e));
    OK(write_quotation(&unasked, e));
    assert_string_equal(unasked.out, "\"The mill stands by the river.\"");
    assert_string_equal(asked.out, unasked.out);
    assert_string_equal(told[0], unasked.out);
    assert_string_equal(told[1], unasked.out);
    assert_string_equal(asked.finish, "quoted");
    assert_string_equal(unasked.finish, "quoted");
    assert_int_equal(asked.n_tokens, unasked.n_tokens);
    assert_int_equal(unasked.s->n_seen, 0);
    end(&asked);
    end(&unasked);
    prompt_done(&text);
}

// Whoever interrupts an answer gets none, not a quotation.
static void test_interrupted(void **state)
{
    (void)state;
    const volatile sig_atomic_t stop = 1;
    struct prompt text = {0};
    OK(prompt_text(&text, model, "The mill stands by the river.", TOK_PLAIN, e));
    struct writing w = begin(&text);
    w.stop = &stop;
    OK(write_quotation(&w, e));
    assert_string_equal(w.finish, "interrupted");
    assert_string_equal(w.out, "");
    end(&w);
    prompt_done(&text);
}

int main(void)
{
    struct err e = {0};
    if (device_open(&device, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e) ||
        model_open(&model, "tests/golden/tiny/llama.gguf", device, &e))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quotation),
                                       cmocka_unit_test(test_interrupted)};
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    model_close(model);
    device_close(device);
    return rc;
}
