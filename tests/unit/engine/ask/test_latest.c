// A document that was read again later, under its name, is the one that is asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/ask/latest.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/ok.h"

static void write(const char *name, const char *text)
{
    FILE *f = begin_file(name);
    fputs(text, f);
    end_file(f);
}

// Its blocks are the last ones; those of a log of which the later day has another text stay.
static void test_blocks(void **state)
{
    (void)state;
    const char *const in[] = {in_dir("a.ini"), in_dir("b.log")}, *const out = in_dir("own.kvz");
    write("a.ini", "[server]\nport = 1\nhost = a\n");
    write("b.log", "One came.\nTwo came.\n");
    struct encode_options o = small(in, 2, out);
    encode_ok(o, NULL);
    write("a.ini", "[server]\nport = 2\nhost = a\n");
    write("b.log", "One left.\nTwo left.\n");
    o.append = 1;
    encode_ok(o, NULL);
    struct kvz *k = open_ok(out);
    assert_int_equal(kvz_n_documents(k), 4);
    struct ballot *b;
    struct method parts;
    OK(method_find(&parts, kvz_meta(k)->method, F.m, e));
    OK(ballot_new(&b, F.m, &k, 1, &parts, "What is the port?", e));
    struct kvz_document first;
    OK(kvz_document(k, 0, &first, e));
    const int64_t own = (int64_t)first.n_blocks, n = b->n_blocks;
    for (int64_t i = 0; i < n; i++) {
        b->order[i] = i;
        b->score[i] = (double)(n - i);
    }
    OK(latest_first(b, e));
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(b->order[i], (i + own) % n);
    assert_true(b->score[0] < b->score[n - 1]);
    ballot_free(b);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
