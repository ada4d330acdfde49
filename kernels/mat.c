// The checks of a weight matrix that every backend makes first.
#include "kernels/kernels.h"
#include "kernels/quant.h"

int mat_check(const struct mat *m, struct err *e)
{
    const struct quant *q = quant_find(m->type);
    if (!q)
        return err_set(e, ERR_UNSUPPORTED, "weight type %u is not known", (unsigned)m->type);
    if (m->rows < 1 || m->cols < 1 || m->cols % q->block)
        return err_set(e, ERR_FORMAT, "a %d x %d matrix cannot have weights of type %s", m->rows,
                       m->cols, q->name);
    return 0;
}
