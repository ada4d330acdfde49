// syscall
#define _GNU_SOURCE
#include "kernels/tiles.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel saves tiles only for processes that have asked for them (since Linux 5.16).
static int allowed(void)
{
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

int tiles_usable(unsigned kind)
{
    enum { AMX_TILE = 1 << 24 };
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & AMX_TILE) && (d & kind) && allowed();
}
#else
int tiles_usable(unsigned kind)
{
    (void)kind;
    return 0;
}
#endif
