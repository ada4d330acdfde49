// The tokens of standard input, for comparing with other tokenizers and for taking the time.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/tok/tok.h"
#include "io/gguf.h"
#include "kernels/quant.h"

static const char USAGE[] = "usage: tokens [options] MODEL.gguf < TEXT\n"
                            "  -s    recognise control tokens\n"
                            "  -b    as the start of a sequence\n"
                            "  -t    print the processor time instead of the tokens\n";

static char *read_all(size_t *n)
{
    size_t cap = 1 << 20;
    char *p = malloc(cap);
    *n = 0;
    for (size_t got; p && (got = fread(p + *n, 1, cap - *n, stdin)); *n += got)
        if (*n + got == cap)
            p = realloc(p, cap *= 2);
    return p;
}

int main(int argc, char **argv)
{
    int flags = TOK_PLAIN, timed = 0, c;
    while ((c = getopt(argc, argv, "sbt")) != -1)
        if (c == 's')
            flags |= TOK_SPECIAL;
        else if (c == 'b')
            flags |= TOK_START;
        else if (c == 't')
            timed = 1;
        else
            optind = argc;
    if (optind + 1 != argc) {
        fputs(USAGE, stderr);
        return 2;
    }
    struct err e = {0};
    struct gguf *g = NULL;
    struct tok *t = NULL;
    struct tok_list l = {0};
    size_t n;
    char *text = read_all(&n);
    int rc = text ? gguf_open(&g, argv[optind], quant_bytes, &e) : ERR_NOMEM;
    if (!rc)
        rc = tok_open(&t, g, &e);
    clock_t start = clock();
    if (!rc)
        rc = tok_encode(t, text, n, flags, &l, &e);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (rc)
        fprintf(stderr, "tokens: %s\n", e.msg);
    else if (timed)
        printf("%zu bytes, %zu tokens, %.3f s, %.1f MB/s\n", n, l.n, seconds,
               (double)n / 1e6 / seconds);
    for (size_t i = 0; !rc && !timed && i < l.n; i++)
        printf("%u\n", l.v[i].id);
    tok_list_free(&l);
    tok_close(t);
    gguf_close(g);
    free(text);
    return rc ? 1 : 0;
}
