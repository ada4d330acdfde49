// The perplexity of a text beside what transformers said of it, exact and with rounded activations.
#include <math.h>
#include <stdio.h>

#include "tests/unit/perplexity.h"

static const struct {
    const char *what;
    int exact;
    double most; // relative difference
} WAYS[] = {{"exact", 1, 1e-3}, {"as users run it", 0, 1e-2}};

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: perplexity MODEL.gguf GOLDEN.bin\n", stderr);
        return 2;
    }
    struct err e = {0};
    struct perplexity p;
    int rc = perplexity_open(&p, argv[2], &e), bad = 0;
    for (int i = 0; !rc && i < 2; i++) {
        const struct device_options o = {.name = "cpu", .exact = WAYS[i].exact};
        struct device *d = NULL;
        struct model *m = NULL;
        double own, golden;
        uint32_t n;
        rc = device_open(&d, &o, NULL, 0, &e);
        if (!rc && !(rc = model_open(&m, argv[1], d, &e)) &&
            !(rc = perplexity_run(m, &p, p.n_tokens, 0, 0, &own, &golden, &n, &e))) {
            double off = own / golden - 1;
            printf("%s, %s: %u tokens, perplexity %.4f, transformers %.4f: %+.4f %%\n", d->label,
                   WAYS[i].what, n, own, golden, 100 * off);
            bad += !(fabs(off) <= WAYS[i].most);
        }
        model_close(m);
        device_close(d);
    }
    perplexity_close(&p);
    if (rc)
        fprintf(stderr, "perplexity: %s\n", e.msg);
    return rc || bad;
}
