// The instruction sets that the processor's backend would use here, best first.
#include <stdio.h>

#include "kernels/kernels.h"

int main(void)
{
    const char *isa;
    for (size_t i = 0; (isa = device_cpu_isa(i)); i++)
        printf("%s%s", i ? " " : "", isa);
    puts("");
    return 0;
}
