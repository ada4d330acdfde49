#include "tests/unit/engine/tok/tok_fixture.h"

char *gunzip(const char *path, size_t *n)
{
    size_t cap = 1 << 22;
    char *p = malloc(cap);
    gzFile f = gzopen(path, "rb");
    if (!f)
        fail_msg("%s: cannot be opened", path);
    int got = gzread(f, p, (unsigned)cap);
    assert_true(got >= 0 && (size_t)got < cap);
    gzclose(f);
    *n = (size_t)got;
    return p;
}

int open_gguf_bytes(struct gguf **g, const char *p, size_t n, struct err *e)
{
    char path[] = "/tmp/lctool-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, p, n) == (ssize_t)n);
    close(fd);
    int rc = gguf_open(g, path, quant_bytes, e);
    unlink(path);
    return rc;
}

char *with_pre(const char *p, size_t n, const char *pre, size_t *out_n)
{
    static const char key[] = "tokenizer.ggml.pre";
    const char *at = memmem(p, n, key, sizeof key - 1);
    assert_non_null(at);
    size_t head = (size_t)(at - p) + sizeof key - 1 + 4;
    uint64_t len = strlen(pre);
    char *q = calloc(head + 8 + len + 32, 1);
    memcpy(q, p, head);
    memcpy(q + head, &len, 8);
    memcpy(q + head + 8, pre, len);
    *out_n = (head + 8 + len + 31) / 32 * 32;
    return q;
}

struct vocabulary open_vocabulary(const char *file, const char *pre)
{
    struct vocabulary v = {0};
    struct err e = {0};
    char path[128];
    size_t n;
    snprintf(path, sizeof path, GOLDEN "%s", file);
    char *p = gunzip(path, &n);
    if (pre) {
        char *q = with_pre(p, n, pre, &n);
        free(p);
        p = q;
    }
    if (open_gguf_bytes(&v.g, p, n, &e) || tok_open(&v.t, v.g, &e))
        fail_msg("%s (%s): %s", file, pre ? pre : "", e.msg);
    free(p);
    return v;
}

void close_vocabulary(struct vocabulary *v)
{
    tok_close(v->t);
    gguf_close(v->g);
}

struct tok_list encode_tokens(const struct tok *t, const char *p, size_t n, int flags)
{
    struct tok_list l = {0};
    struct err e = {0};
    if (tok_encode(t, p, n, flags, &l, &e))
        fail_msg("%s", e.msg);
    return l;
}

void feed_tokens(struct tok_stream *s, const char *p, size_t n, int final, struct tok_list *l)
{
    struct err e = {0};
    if (tok_stream_feed(s, p, n, final, l, &e))
        fail_msg("%s", e.msg);
}

void assert_same_tokens(const struct tok_list *a, const struct tok_list *b, size_t cut)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (a->v[i].id != b->v[i].id || a->v[i].bytes != b->v[i].bytes)
            fail_msg("cut at %zu: token %zu is %u (%u bytes), not %u (%u bytes)", cut, i,
                     b->v[i].id, b->v[i].bytes, a->v[i].id, a->v[i].bytes);
    assert_int_equal(a->n, b->n);
}

size_t sum_bytes(const struct tok_list *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->v[i].bytes;
    return n;
}

uint32_t random_step(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*x >> 33);
}
