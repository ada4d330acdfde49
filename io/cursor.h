// A bounded reader over bytes that nobody vouches for.
//
//     struct cursor c = {data, bytes};
//     uint32_t n = cursor_u32(&c);
//     const uint8_t *name = cursor_bytes(&c, n);
//     if (c.bad)
//         return err_set(e, ERR_FORMAT, "%s: ends in the middle of a header", path);
//
// Reading past the end sets `bad` and yields zeros, so that a parser checks once per record and
// not once per field. Integers are little-endian whatever the machine.
#ifndef LCTOOL_IO_CURSOR_H
#define LCTOOL_IO_CURSOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
    const uint8_t *p;
    size_t left; // bytes from p to the end
    int bad;     // something was asked for that is not there
};

// N bytes in place, or NULL.
static inline const uint8_t *cursor_bytes(struct cursor *c, size_t n)
{
    if (c->bad || n > c->left) {
        c->bad = 1;
        return NULL;
    }
    const uint8_t *p = c->p;
    c->p += n;
    c->left -= n;
    return p;
}

static inline uint64_t cursor_uint(struct cursor *c, size_t bytes)
{
    const uint8_t *p = cursor_bytes(c, bytes);
    uint64_t v = 0;
    for (size_t i = 0; p && i < bytes; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
    return (uint8_t)cursor_uint(c, 1);
}

static inline uint16_t cursor_u16(struct cursor *c)
{
    return (uint16_t)cursor_uint(c, 2);
}

static inline uint32_t cursor_u32(struct cursor *c)
{
    return (uint32_t)cursor_uint(c, 4);
}

static inline uint64_t cursor_u64(struct cursor *c)
{
    return cursor_uint(c, 8);
}

static inline float cursor_f32(struct cursor *c)
{
    uint32_t u = cursor_u32(c);
    float f;
    memcpy(&f, &u, 4);
    return f;
}

// Reads the upper half of a float32, which has its range and eight bits of its precision.
static inline float cursor_half(struct cursor *c)
{
    uint32_t u = (uint32_t)cursor_u16(c) << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static inline double cursor_f64(struct cursor *c)
{
    uint64_t u = cursor_u64(c);
    double f;
    memcpy(&f, &u, 8);
    return f;
}

#endif
