// A document that was read again later, under its name, is the one that is asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cache/superseded.h"

static int is_by(const char *earlier, const char *later)
{
    struct err why;
    const int is = superseded_by(earlier, strlen(earlier), later, strlen(later), &why);
    assert_in_range(is, 0, 1);
    return is;
}

static void test_texts(void **state)
{
    (void)state;
    static const char first[] = "port = 1\n\nhost = a\nlevel = info\n";
    assert_true(is_by(first, "# new\nport = 2\nhost = a\n  level = info\nuser = b\n"));
    assert_true(is_by(first, first));
    assert_false(is_by(first, "port = 2\nhost = b\nlevel = info\n")); // one line of three
    assert_false(is_by(first, "") || is_by("", first) || is_by("\n\n", "\n\n"));
    assert_false(is_by("a\na\na\nb\nc\n", "a\n")); // a line counts once
    // Paragraphs by their words, entries not.
    static const char club[] = "The club meets on Monday at 18:00 in the Mill Hall. The fee is 12 "
                               "euro a month. The chair is Rosa Timm.\n",
                      now[] = "The club meets on Thursday at 19:30 in the Mill Hall. The fee is 15 "
                              "euro a month. The chair is Olaf Berg.\n",
                      other[] = "The goats were sold in May. The fee of the vet is due.\n",
                      monday[] = "10:00 INFO the disk of host a is full.\n",
                      tuesday[] = "11:00 INFO the disk of host a is full.\n";
    assert_true(is_by(club, now));
    assert_false(is_by(club, other) || is_by(other, club) || is_by(monday, tuesday));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
