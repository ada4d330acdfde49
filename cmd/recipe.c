#include "cmd/recipe.h"

#include <stdlib.h>
#include <string.h>

static const struct level {
    const char *name;
    uint32_t codec, k_bits, v_bits;
} levels[] = {
    {"exact", CODEC_ROTATED, 7, 7},
    {"balanced", 0, 0, 0}, // the engine knows
    {"small", CODEC_CODED_PAIRED, 72, 76},
};

// A number of bits that a codec has; 0 when it is none. *P goes on after it.
static uint32_t parse_number(const char **p)
{
    char *end;
    if (**p < '0' || **p > '9')
        return 0;
    unsigned long n = strtoul(*p, &end, 10);
    *p = end;
    return (n >= 2 && n <= 8) || n == 16 ? (uint32_t)n : 0;
}

// Hundredths, from "2.5"; 0 when it is none or out of range.
static uint32_t parse_average(const char **p)
{
    char *end;
    if (**p < '0' || **p > '9')
        return 0;
    const size_t n = strspn(*p, "0123456789."); // strtod reads more, like 0x2.8
    double x = strtod(*p, &end) * 100;
    if (end != *p + n)
        return 0;
    *p = end;
    return x >= 10 && x <= 1200 ? (uint32_t)(x + 0.5) : 0;
}

// "3,2": keys, values; "8": both. With a point, "2.5,1.75", they are averages, and coded.
static int parse_bits(const char *s, struct kvz_recipe *r, struct err *e)
{
    const char *p = s;
    uint32_t (*parse)(const char **) = strchr(s, '.') ? parse_average : parse_number;
    uint32_t k = parse(&p), v = k;
    if (*p == ',') {
        p++;
        v = parse(&p);
    }
    if (*p || !k || !v || (parse == parse_number && (k == 16) != (v == 16)))
        return err_set(e, ERR_USAGE,
                       "--kv-bits: '%s' is not 16, nor 2 to 8, nor an average like 2.5 from 0.1 "
                       "to 12, for keys and, after a comma, for values",
                       s);
    r->codec = parse == parse_average ? CODEC_CODED_WIDE
               : k == 16              ? CODEC_FLOAT16
               : k == 8 && v == 8     ? CODEC_INT8
                                      : CODEC_ROTATED;
    r->k_bits = k;
    r->v_bits = v;
    return 0;
}

int recipe_parse(const char *kv, const char *bits, struct kvz_recipe *r, struct err *e)
{
    *r = (struct kvz_recipe){0};
    for (size_t i = 0; kv && i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(kv, levels[i].name))
            *r = (struct kvz_recipe){levels[i].codec, levels[i].k_bits, levels[i].v_bits,
                                     .level = 1};
    if (bits)
        r->level = 1;
    return bits ? parse_bits(bits, r, e) : 0;
}
