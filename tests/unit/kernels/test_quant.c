// Every weight type against the values that another implementation made (tests/golden/quant.py).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/half.h"
#include "kernels/quant.h"

enum { LINE_CAP = 1 << 16 };

static size_t unhex(uint8_t *dst, size_t cap, const char *hex)
{
    size_t n = strlen(hex) / 2;
    assert_true(n <= cap);
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        dst[i] = (uint8_t)byte;
    }
    return n;
}

static const struct quant *find_name(const char *name)
{
    for (size_t i = 0; quant_at(i); i++)
        if (!strcmp(quant_at(i)->name, name))
            return quant_at(i);
    return NULL;
}

static void golden(void **state)
{
    (void)state;
    static char line[LINE_CAP];
    static uint8_t blocks[4096];
    static float want[1024], got[1024];
    FILE *f = fopen("tests/golden/quant.txt", "r");
    assert_non_null(f);
    size_t n_types = 0;
    while (fgets(line, sizeof line, f)) {
        char *name = strtok(line, " "), *in = strtok(NULL, " "), *out = strtok(NULL, " \n");
        const struct quant *q = find_name(name);
        assert_non_null(q);
        assert_ptr_equal(quant_find(q->type), q);
        // odd address: a file's data may start anywhere
        size_t n_bytes = unhex(blocks + 1, sizeof blocks - 1, in);
        size_t n = unhex((uint8_t *)want, sizeof want, out) / sizeof *want;
        assert_int_equal(quant_bytes(q->type, n), n_bytes);
        q->dequantize(blocks + 1, got, n);
        for (size_t i = 0; i < n; i++)
            if (memcmp(&got[i], &want[i], sizeof *got))
                fail_msg("%s: weight %zu is %a, not %a", name, i, (double)got[i], (double)want[i]);
        n_types++;
    }
    fclose(f);
    assert_null(quant_at(n_types));
    assert_non_null(quant_at(n_types - 1));
}

static void sizes(void **state)
{
    (void)state;
    assert_int_equal(quant_bytes(QUANT_Q4_1, 576), 360);
    assert_int_equal(quant_bytes(QUANT_Q4_1, 31), 0);
    assert_int_equal(quant_bytes(QUANT_F32, UINT64_MAX), 0); // overflow
    assert_int_equal(quant_bytes(4, 32), 0);                 // a type that left the format
    assert_null(quant_find(4));
}

// Every half survives the way there and back; halves of the way round to even.
static void half_precision(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        float f = half_to_float((uint16_t)h);
        if ((h & 0x7c00) == 0x7c00 && h & 0x3ff)
            assert_true(isnan(f) && isnan(half_to_float(half_of_float(f))));
        else
            assert_int_equal(half_of_float(f), h);
    }
    for (uint32_t h = 0; h < 0x7c00; h++) {
        float a = half_to_float((uint16_t)h);
        float b = h == 0x7bff ? 65536.0f : half_to_float((uint16_t)(h + 1));
        float middle = (a + b) / 2; // exact: 12 bits
        uint32_t even = h & 1 ? h + 1 : h;
        assert_int_equal(half_of_float(middle), even);
        assert_int_equal(half_of_float(nextafterf(middle, 0)), h);
        assert_int_equal(half_of_float(-nextafterf(middle, INFINITY)), 0x8000 | (h + 1));
    }
    assert_int_equal(half_of_float(1e30f), 0x7c00);
    assert_int_equal(half_of_float(-INFINITY), 0xfc00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(sizes),
        cmocka_unit_test(half_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
