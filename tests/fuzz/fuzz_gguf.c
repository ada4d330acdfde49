// Models: opened, shown and used as 'lctool inspect' and the tokenizers do. An input is one file,
// or the two parts of a split one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/inspect.h"
#include "engine/embed/wordpiece.h"
#include "engine/engine.h"
#include "engine/model/chat.h"
#include "engine/model/model.h"
#include "kernels/quant.h"
#include "tests/fuzz/gguf.h"

#define FIRST  "m-00001-of-00002.gguf"
#define SECOND "m-00002-of-00002.gguf"

static void use(const struct model *m)
{
    static const char text[] = "A bab \xff\0  ab<s><|end|>\n\xe2\x82\xac";
    struct tok_list l = {0};
    struct tok_text *x;
    char buf[2048];
    struct err e;
    for (int flags = 0; flags < 4; flags++)
        tok_encode(m->tok, text, sizeof text - 1, flags, &l, &e);
    if (!tok_text_new(&x, m->tok, 1, &e)) {
        size_t n;
        for (size_t i = 0; i < l.n; i++)
            tok_text_push(x, l.v[i].id, &n);
        tok_text_end(x, &n);
        tok_text_free(x);
    }
    tok_list_free(&l);
    if (m->chat) {
        chat_head(m->chat, m->system, buf, sizeof buf);
        chat_tail(m->chat, buf, sizeof buf);
    }
}

// 1: the file has a vocabulary of WordPiece's.
static int read_words(const char *path)
{
    static const char text[] = "A bab\xff abba\xe4\xb8\xad, \xc3\xa4 x\n";
    struct wordpiece *w = NULL;
    struct gguf *g;
    struct err e;
    uint32_t ids[12];
    if (gguf_open(&g, path, quant_bytes, &e))
        return 0;
    const int read = !wordpiece_new(&w, g, &e);
    const int n = read ? wordpiece_encode(w, text, sizeof text - 1, ids, 12) : 0;
    for (int i = 0; i < n; i++)
        if (ids[i] >= (uint32_t)wordpiece_size(w))
            abort();
    wordpiece_free(w);
    gguf_close(g);
    return read;
}

static int read_model(const uint8_t *data, size_t n)
{
    const uint8_t *part[2];
    size_t part_n[2];
    fuzz_unpack(data, n, part, part_n, 2);
    const char *path = fuzz_file(FIRST, part[0], part_n[0]);
    fuzz_file(SECOND, part[1], part_n[1]);
    static struct device *d;
    struct model *m;
    struct err e;
    if (!d && device_open(&d, &(struct device_options){.name = "cpu", .threads = 1}, NULL, 0, &e))
        abort();
    const int words = read_words(path);
    if (model_open(&m, path, d, &e))
        return words;
    use(m);
    model_close(m);
    const struct common c = {.device = "cpu", .threads = 1};
    const struct inspect_options o = {.json = n & 1};
    return inspect_model(&c, path, &o) == EXIT_OK;
}

const struct fuzz_target fuzz_gguf = {
    .name = "gguf", .runs = 6000, .seed = gguf_seed, .mutate = gguf_change, .read = read_model};
