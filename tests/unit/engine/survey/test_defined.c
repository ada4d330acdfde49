// What a sentence says that something is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_defined(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mills.txt",
        "Mills have a lade. Is a lade a ditch? What the lade is not is known. The weir is a bad "
        "one.\n\n"
        "1 Words\nA lade is the channel that feeds a mill. The lade is a wet place to work in.\n\n"
        "The Great Edge Runner (GER) is a stone that rolls. GERs are heavy.\n\n"
        "- *Damsels* are those rods that shake grain down.\n\n"
        "Nobody knows which hopper is a good one for the mill. The tun, a casing, is round.\n");
    asked(&k, 1, "What is a lade?", "\"A lade is the channel that feeds a mill.\"");
    asked(&k, 1, "What does lade mean?", "\"A lade is the channel that feeds a mill.\"");
    asked(&k, 1, "What is GER?", "\"The Great Edge Runner (GER) is a stone that rolls.\"");
    asked(&k, 1, "What's a Great Edge Runner?",
          "\"The Great Edge Runner (GER) is a stone that rolls.\"");
    asked(&k, 1, "What are damsels?", "\"- *Damsels* are those rods that shake grain down.\"");
    asked(&k, 1, "What is the lade?", NULL);
    asked(&k, 1, "What is a hopper?", NULL);
    asked(&k, 1, "What is a tun?", NULL);
    asked(&k, 1, "What is a weir in May?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defined)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
