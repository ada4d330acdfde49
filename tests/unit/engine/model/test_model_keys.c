// A key of the model file that is there in another kind than it has to be is an error that names
// it, never as good as absent.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/model.h"
#include "io/bytes.h"
#include "io/file.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

static struct device *device;
static char golden[4096]; // tests/golden/tiny

// The record of a key: its name, kind and value.
static void put_key(struct bytes *b, const char *name, enum gguf_kind kind, const void *v, size_t n)
{
    const uint32_t k = kind;
    OK(bytes_put_u64(b, strlen(name), e));
    OK(bytes_puts(b, name, e));
    OK(bytes_put(b, &k, sizeof k, e));
    OK(bytes_put(b, v, n, e));
}

// m.gguf: the model NAME with one key more, and another that brings its tensors to a place of the
// same alignment. A key of that name which it has already goes by another.
static void write_model(const char *name, const char *key, enum gguf_kind kind, const void *v,
                        size_t n)
{
    enum { ALIGN = 32, COUNT = 16, KEYS = 24 };
    char path[sizeof golden + 64], *p, *old;
    size_t n_file;
    struct bytes more = {0}, out = {0};
    uint64_t n_keys;
    snprintf(path, sizeof path, "%s/%s.gguf", golden, name);
    OK(file_slurp(path, 1 << 20, &p, &n_file, e));
    if ((old = memmem(p, n_file, key, strlen(key))))
        *old = '!';
    put_key(&more, key, kind, v, n);
    char filler[4 + ALIGN] = "fill";
    const size_t record = 8 + 4 + 1, pad = (ALIGN - (more.n + 4 + record) % ALIGN) % ALIGN;
    memset(filler + 4, '.', pad);
    filler[4 + pad] = 0;
    put_key(&more, filler, GGUF_U8, "", 1);
    assert_int_equal(more.n % ALIGN, 0);
    memcpy(&n_keys, p + COUNT, 8);
    n_keys += 2;
    memcpy(p + COUNT, &n_keys, 8);
    OK(bytes_put(&out, p, KEYS, e));
    OK(bytes_put(&out, more.p, more.n, e));
    OK(bytes_put(&out, p + KEYS, n_file - KEYS, e));
    OK(file_replace(NULL, "m.gguf", out.p, out.n, e));
    free(p);
    free(more.p);
    free(out.p);
}

static int open_model(struct err *e)
{
    struct model *m;
    int rc = model_open(&m, "m.gguf", device, e);
    if (!rc)
        model_close(m);
    return rc;
}

static void other_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *model, *key;
        enum gguf_kind kind;
        const char *is;
    } rows[] = {
        {"llama", "general.name", GGUF_U8, "u8, not a string"},
        {"llama", "llama.context_length", GGUF_F32, "f32, not an integer from 0 on"},
        {"llama", "llama.attention.key_length", GGUF_BOOL, "bool, not an integer from 0 on"},
        {"llama", "llama.attention.layer_norm_rms_epsilon", GGUF_STR, "string, not a number"},
        {"llama", "llama.attn_logit_softcapping", GGUF_BOOL, "bool, not a number"},
        {"llama", "llama.rope.dimension_count", GGUF_STR, "string, not a number"},
        {"llama", "llama.rope.freq_base", GGUF_BOOL, "bool, not a number"},
        {"llama", "llama.rope.scale_linear", GGUF_STR, "string, not a number"},
        {"llama", "llama.rope.scaling.factor", GGUF_STR, "string, not a number"},
        {"llama", "llama.rope.scaling.type", GGUF_F32, "f32, not a string"},
        {"llama", "tokenizer.ggml.pre", GGUF_U32, "u32, not a string"},
        {"llama", "tokenizer.ggml.bos_token_id", GGUF_STR, "string, not an integer from 0 on"},
        {"llama", "tokenizer.ggml.eos_token_id", GGUF_F32, "f32, not an integer from 0 on"},
        {"llama", "tokenizer.ggml.eot_token_id", GGUF_STR, "string, not an integer from 0 on"},
        {"llama", "tokenizer.ggml.add_bos_token", GGUF_U8, "u8, not a boolean"},
        {"llama", "tokenizer.ggml.add_space_prefix", GGUF_U32, "u32, not a boolean"},
        {"llama", "tokenizer.chat_template", GGUF_U32, "u32, not a string"},
        {"gemma3", "gemma3.rope.freq_base_swa", GGUF_STR, "string, not a number"},
        {"qwen2-yarn", "qwen2.rope.scaling.original_context_length", GGUF_STR,
         "string, not a number"},
        {"qwen2-yarn", "qwen2.rope.scaling.yarn_beta_fast", GGUF_BOOL, "bool, not a number"},
        {"qwen2-yarn", "qwen2.rope.scaling.yarn_beta_slow", GGUF_STR, "string, not a number"},
        {"qwen2-yarn", "qwen2.rope.scaling.attn_factor", GGUF_STR, "string, not a number"},
        {"phi3-long", "phi3.rope.scaling.original_context_length", GGUF_STR,
         "string, not a number"},
        {"phi3-long", "phi3.rope.scaling.attn_factor", GGUF_BOOL, "bool, not a number"},
        {"internlm2-dynamic", "internlm2.rope.scaling.original_context_length", GGUF_STR,
         "string, not a number"},
    };
    static const uint8_t value[9] = {1}; // 1 as an integer, true, a string of a NUL
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const uint8_t bytes[] = {
            [GGUF_U8] = 1, [GGUF_U32] = 4, [GGUF_F32] = 4, [GGUF_BOOL] = 1, [GGUF_STR] = 9};
        char want[256];
        struct err err = {0};
        write_model(rows[i].model, "another.key", rows[i].kind, value, bytes[rows[i].kind]);
        OK(open_model(e));
        write_model(rows[i].model, rows[i].key, rows[i].kind, value, bytes[rows[i].kind]);
        assert_int_equal(open_model(&err), ERR_FORMAT);
        snprintf(want, sizeof want, "m.gguf: key '%s' is %s", rows[i].key, rows[i].is);
        assert_string_equal(err.msg, want);
    }
}

// A piece that is not there does not begin or end a text; all ones say that there is none.
static void pieces(void **state)
{
    (void)state;
    static const char *const keys[] = {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id",
                                       "tokenizer.ggml.eom_token_id"};
    for (size_t i = 0; i < 3; i++) {
        struct err err = {0};
        const uint32_t last = 259, none = UINT32_MAX, wrong = 260;
        write_model("llama", keys[i], GGUF_U32, &last, 4);
        OK(open_model(e));
        write_model("llama", keys[i], GGUF_U32, &none, 4);
        OK(open_model(e));
        write_model("llama", keys[i], GGUF_U32, &wrong, 4);
        assert_int_equal(open_model(&err), ERR_FORMAT);
        assert_non_null(strstr(err.msg, keys[i]));
        assert_non_null(strstr(err.msg, "is 260, but there are only 260 pieces"));
    }
}

// What is wrong with the tokenizer is said of the file that it is in.
static void names_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *key, *is;
    } rows[] = {
        {"tokenizer.ggml.model", "m.gguf: tokenizer model '?' is not supported"},
        {"tokenizer.ggml.pre", "m.gguf: pre-tokeniser '?' is not supported"},
    };
    static const uint8_t value[9] = {1};
    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};
        write_model("llama", rows[i].key, GGUF_STR, value, 9);
        assert_int_equal(open_model(&err), ERR_UNSUPPORTED);
        assert_non_null(strstr(err.msg, rows[i].is));
    }
}

static void turns_of_yarn(void **state)
{
    (void)state;
    static const char *const keys[] = {"qwen2.rope.scaling.yarn_beta_fast",
                                       "qwen2.rope.scaling.yarn_beta_slow"};
    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};
        const float good = 8, bad = -1;
        write_model("qwen2-yarn", keys[i], GGUF_F32, &good, 4);
        OK(open_model(e));
        write_model("qwen2-yarn", keys[i], GGUF_F32, &bad, 4);
        assert_int_equal(open_model(&err), ERR_FORMAT);
        assert_non_null(strstr(err.msg, i ? "from 32 to -1 turns" : "from -1 to 1 turns"));
    }
}

static int n_kept;

static void count_kept(struct device *d)
{
    (void)d;
    n_kept++;
}

// What the device made of the weights stays for the next time, if there can be one.
static void only_weights_of_a_good_model_are_kept(void **state)
{
    (void)state;
    const char *key = "llama.attention.layer_norm_rms_epsilon";
    const float good = 1e-5f, bad = 5;
    const struct device_ops *was = device->ops;
    struct device_ops ops = *was;
    struct err err = {0};
    ops.weights_keep = count_kept;
    device->ops = &ops;
    write_model("llama", key, GGUF_F32, &bad, 4);
    assert_int_equal(open_model(&err), ERR_FORMAT);
    assert_non_null(strstr(err.msg, "epsilon is 5"));
    assert_int_equal(n_kept, 0);
    write_model("llama", key, GGUF_F32, &good, 4);
    OK(open_model(e));
    assert_int_equal(n_kept, 1);
    device->ops = was;
}

static int enter(void **state)
{
    const struct device_options o = {.name = "cpu", .threads = 1};
    if (device_open(&device, &o, NULL, 0, NULL) || !realpath("tests/golden/tiny", golden))
        return 1;
    return own_dir_enter(state);
}

static int leave(void **state)
{
    device_close(device);
    return own_dir_leave(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(pieces),
        cmocka_unit_test(names_the_file),
        cmocka_unit_test(turns_of_yarn),
        cmocka_unit_test(only_weights_of_a_good_model_are_kept),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
