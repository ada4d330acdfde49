#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "tests/unit/own_dir.h"

// splitmix64
uint64_t fuzz_next(struct fuzz_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t fuzz_below(struct fuzz_random *r, uint64_t n)
{
    return n ? fuzz_next(r) % n : 0;
}

uint64_t fuzz_number(struct fuzz_random *r, uint64_t was)
{
    uint64_t power = UINT64_C(1) << fuzz_below(r, 64);
    switch (fuzz_below(r, 8)) {
    case 0:
        return fuzz_below(r, 4);
    case 1:
        return was + 1;
    case 2:
        return was - 1;
    case 3:
        return was * 2;
    case 4:
        return power;
    case 5:
        return power - 1;
    case 6:
        return UINT64_MAX - fuzz_below(r, 64);
    default:
        return fuzz_next(r) >> fuzz_below(r, 64);
    }
}

void fuzz_add(struct bytes *b, const void *p, size_t n)
{
    if (bytes_put(b, p, n, NULL))
        abort();
}

// Replaces N_OLD bytes at AT by N_NEW others, where there is room.
static size_t replace(uint8_t *data, size_t n, size_t cap, size_t at, size_t n_old, const void *by,
                      size_t n_new)
{
    if (n - n_old + n_new > cap)
        return n;
    memmove(data + at + n_new, data + at + n_old, n - at - n_old);
    memcpy(data + at, by, n_new);
    return n - n_old + n_new;
}

size_t fuzz_mutate_bytes(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap,
                         const char *const *words)
{
    uint8_t piece[512];
    size_t at = fuzz_below(r, n + 1), left = n - at, n_words = 0;
    size_t len = fuzz_below(r, (left < sizeof piece ? left : sizeof piece) + 1);
    while (words && words[n_words])
        n_words++;
    switch (fuzz_below(r, n_words ? 10 : 8)) {
    case 0: // cut the end
        return fuzz_below(r, 4) ? n - (n - at) % 64 : at;
    case 1: // remove
        return replace(data, n, cap, at, len, piece, 0);
    case 2: // repeat
        memcpy(piece, data + at, len);
        return replace(data, n, cap, fuzz_below(r, n + 1), 0, piece, len);
    case 3: // insert
        len = fuzz_below(r, 16);
        for (size_t i = 0; i < len; i++)
            piece[i] = (uint8_t)(fuzz_below(r, 2) ? fuzz_next(r) : 0);
        return replace(data, n, cap, at, 0, piece, len);
    case 4: { // a number of some width
        size_t width = (size_t)1 << fuzz_below(r, 4);
        uint64_t v = 0;
        if (left >= width) {
            memcpy(&v, data + at, width);
            v = fuzz_number(r, v);
            memcpy(data + at, &v, width);
        }
        return n;
    }
    case 5: // a bit
        if (left)
            data[at] ^= (uint8_t)(1 << fuzz_below(r, 8));
        return n;
    case 6:
    case 7: // a byte
        if (left)
            data[at] = (uint8_t)fuzz_next(r);
        return n;
    default: {
        const char *word = words[fuzz_below(r, n_words)];
        return replace(data, n, cap, at, fuzz_below(r, 2) ? 0 : len, word, strlen(word));
    }
    }
}

// ---- files

static void remove_dir(void)
{
    own_dir_remove(NULL);
}

const char *fuzz_path(const char *name)
{
    if (!*own_dir()) {
        if (own_dir_make_quick(NULL))
            abort();
        atexit(remove_dir);
    }
    return in_dir(name);
}

const char *fuzz_file(const char *name, const void *data, size_t n)
{
    const char *path = fuzz_path(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, n, f) != n || fclose(f)) {
        perror(path);
        abort();
    }
    return path;
}

void fuzz_slurp(const char *path, struct bytes *out)
{
    char *p;
    size_t n;
    struct err e;
    if (file_slurp(path, FUZZ_MAX, &p, &n, &e)) {
        fprintf(stderr, "%s\n", e.msg);
        abort();
    }
    fuzz_add(out, p, n);
    free(p);
}

// A pack is the length of each file but the last, u32, and then the files.
void fuzz_pack(struct bytes *out, const struct bytes *parts, int n_parts)
{
    for (int i = 0; i + 1 < n_parts; i++) {
        uint32_t n = (uint32_t)parts[i].n;
        fuzz_add(out, &n, 4);
    }
    for (int i = 0; i < n_parts; i++)
        fuzz_add(out, parts[i].p, parts[i].n);
}

void fuzz_unpack(const uint8_t *data, size_t n, const uint8_t **part, size_t *part_n, int n_parts)
{
    size_t head = 4 * (size_t)(n_parts - 1), at = head < n ? head : n;
    for (int i = 0; i < n_parts; i++) {
        uint32_t len = UINT32_MAX;
        if (i + 1 < n_parts && n >= head)
            memcpy(&len, data + 4 * i, 4);
        part[i] = data + at;
        part_n[i] = len < n - at ? len : n - at;
        at += part_n[i];
    }
}
