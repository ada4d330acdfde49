// What rows of a table say about options.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_options(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "mill.md", "# The mill command\n\n## Options of grind\n\n"
                   "| Option | Default | Meaning |\n|---|---|---|\n"
                   "| `-s`, `--stones N` | `2` | Stones that turn. |\n"
                   "| `--wait SEC` | `30` | How long to wait for `--water`. |\n"
                   "| `--force` | | Grind stones, too. |\n\n"
                   "## Variables\n\n| Variable | Meaning |\n|---|---|\n"
                   "| `MILL_DIR` | Where the flour goes. |\n\nThe mill looks at `--wait`.\n");
    asked(&k, 1, "What is the default of --wait?", "Default: 30 (--wait SEC)");
    asked(&k, 1, "What does --stones do?",
          "Option: `-s`, `--stones N`; Default: 2; Meaning: Stones that turn.");
    asked(&k, 1, "What does mill -s do?",
          "Option: `-s`, `--stones N`; Default: 2; Meaning: Stones that turn.");
    asked(&k, 1, "What does the --force of grind do?",
          "Option: --force; Meaning: Grind stones, too.");
    asked(&k, 1, "What is the default of --force?", NULL);
    asked(&k, 1, "What does bake -s do?", NULL);
    asked(&k, 1, "What does --water do?", NULL);
    asked(&k, 1, "What does -N do?", NULL);
    kvz_close(k);
    // What is a word of prose as well
    k = index_text("mill.md", "# Mill\n\n| Command | What it does |\n|---|---|\n"
                              "| `grind` | Turn the stones. |\n| `stop` | Let them rest. |\n"
                              "| sweep | Clean. |\n| `rake` | Level the |\n|  | grain. |\n\nTo "
                              "grind, or to stop, takes a while.\n");
    asked(&k, 1, "What does grind do?", "Command: grind; What it does: Turn the stones.");
    asked(&k, 1, "What does the stop command do?", "Command: stop; What it does: Let them rest.");
    asked(&k, 1, "What does rake do?", NULL); // it goes on in the next row
    asked(&k, 1, "What does sweep do?", NULL);
    asked(&k, 1, "What does the command do?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
