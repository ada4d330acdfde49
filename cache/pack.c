#include "cache/pack.h"

#include <stdlib.h>
#include <zlib.h>

#include "cache/format.h"
#include "io/mem.h"

struct packer {
    int level;
    z_stream z;
};

int packer_new(struct packer **out, int level, struct err *e)
{
    struct packer *p = mem_new(1, sizeof *p, e);
    if (!p)
        return ERR_NOMEM;
    if (deflateInit2(&p->z, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(p);
        return err_set(e, ERR_NOMEM, "out of memory (deflate)");
    }
    p->level = level;
    *out = p;
    return 0;
}

void packer_free(struct packer *p)
{
    if (!p)
        return;
    deflateEnd(&p->z);
    free(p);
}

size_t pack(struct packer *p, const void *data, size_t bytes, uint8_t *out)
{
    return bytes < 2 ? 0 : pack_parts(p, data, &bytes, 1, out, bytes - 1);
}

size_t pack_parts(struct packer *p, const void *data, const size_t *part, size_t n, uint8_t *out,
                  size_t most)
{
    if (most > PACK_MAX || deflateReset(&p->z) != Z_OK ||
        deflateParams(&p->z, p->level, n > 1 ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    p->z.next_in = (Bytef *)(uintptr_t)data;
    p->z.next_out = out;
    p->z.avail_out = (uInt)most;
    for (size_t i = 0; i < n; i++) {
        if (part[i] > PACK_MAX)
            return 0;
        p->z.avail_in = (uInt)part[i];
        if (i + 1 == n)
            return deflate(&p->z, Z_FINISH) == Z_STREAM_END ? p->z.total_out : 0;
        if (deflate(&p->z, Z_BLOCK) != Z_OK || p->z.avail_in || !p->z.avail_out)
            return 0;
    }
    return 0;
}

size_t pack_worth(size_t bytes)
{
    return bytes - bytes / 16;
}

int pack_unpack(const uint8_t *data, size_t bytes, void *out, size_t raw, struct err *e)
{
    if (bytes > PACK_MAX || raw > PACK_MAX)
        return err_set(e, ERR_FORMAT, "packed data is too large");
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data,
                  .avail_in = (uInt)bytes,
                  .next_out = out,
                  .avail_out = (uInt)raw};
    if (inflateInit2(&z, -15) != Z_OK)
        return err_set(e, ERR_NOMEM, "out of memory (inflate)");
    int rc = inflate(&z, Z_FINISH);
    int whole = rc == Z_STREAM_END && z.total_out == raw && z.avail_in == 0;
    inflateEnd(&z);
    if (rc == Z_MEM_ERROR)
        return err_set(e, ERR_NOMEM, "out of memory (inflate)");
    return whole ? 0 : err_set(e, ERR_FORMAT, "packed data does not unpack to its length");
}

int pack_plausible(uint64_t bytes, uint64_t raw)
{
    return bytes <= PACK_MAX && raw <= PACK_MAX && raw / DISK_DEFLATE_MAX <= bytes;
}
