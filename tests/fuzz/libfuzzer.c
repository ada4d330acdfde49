// One target under libFuzzer: FUZZ_TARGET is set by the Makefile.
#include <stdint.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t cap, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    FUZZ_TARGET.read(data, n);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t cap, unsigned seed)
{
    struct fuzz_random r = {seed};
    for (uint64_t k = 1 + fuzz_below(&r, 3); k; k--)
        n = FUZZ_TARGET.mutate(&r, data, n, cap);
    return n;
}
