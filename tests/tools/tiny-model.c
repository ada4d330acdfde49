// Writes a tiny random model for the command line's tests.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tiny_model.h"

static const char USAGE[] = "usage: tiny-model [options] OUT.gguf\n"
                            "  -a ARCH    llama, qwen2 or qwen3 (default llama)\n"
                            "  -l N       layers (2)\n"
                            "  -e N       embedding length (64)\n"
                            "  -f N       feed-forward length (96)\n"
                            "  -q N       query heads (4)\n"
                            "  -k N       key/value heads (2)\n"
                            "  -d N       head dimension (16)\n"
                            "  -c N       trained context length (8192)\n"
                            "  -b BASE    rope base (10000)\n"
                            "  -t TYPE    F32, F16, Q8_0 or Q4_1 (F32)\n"
                            "  -s SEED    of the weights (1)\n"
                            "  -n         no chat template\n";

int main(int argc, char **argv)
{
    struct tiny_options o = {0};
    int c;
    while ((c = getopt(argc, argv, "a:l:e:f:q:k:d:c:b:t:s:n")) != -1) {
        switch (c) {
        case 'a':
            o.arch = optarg;
            break;
        case 'l':
            o.n_layers = atoi(optarg);
            break;
        case 'e':
            o.n_embd = atoi(optarg);
            break;
        case 'f':
            o.n_ff = atoi(optarg);
            break;
        case 'q':
            o.n_heads = atoi(optarg);
            break;
        case 'k':
            o.n_kv_heads = atoi(optarg);
            break;
        case 'd':
            o.head_dim = atoi(optarg);
            break;
        case 'c':
            o.n_ctx = atoi(optarg);
            break;
        case 'b':
            o.rope_base = atof(optarg);
            break;
        case 't':
            o.type = optarg;
            break;
        case 's':
            o.seed = strtoull(optarg, NULL, 10);
            break;
        case 'n':
            o.no_template = 1;
            break;
        default:
            fputs(USAGE, stderr);
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fputs(USAGE, stderr);
        return 2;
    }
    struct err e = {0};
    if (tiny_model_write(argv[optind], &o, &e)) {
        fprintf(stderr, "tiny-model: %s\n", e.msg);
        return 1;
    }
    return 0;
}
