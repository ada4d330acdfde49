// Headings that turn what is listed below them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/turned.h"

// The line of WORD in TEXT is turned by HEADING, in the part VERSION; NULL: by none.
static void turns(const char *text, const char *word, const char *heading, const char *version)
{
    struct lines c;
    size_t from, to, above, end;
    lines_of_text(&c, text, strlen(text));
    const size_t at = (size_t)(strstr(text, word) - text);
    assert_int_equal(turned_above(&c, at, &from, &to), heading != NULL);
    if (!heading)
        return;
    assert_int_equal(to - from, strlen(heading));
    assert_memory_equal(text + from, heading, to - from);
    assert_int_equal(turned_version(&c, from, &above, &end), version != NULL);
    if (version) {
        assert_int_equal(end - above, strlen(version));
        assert_memory_equal(text + above, version, end - above);
    }
}

static void test_turned(void **state)
{
    (void)state;
    static const char log[] =
        "# Log of Quill\n\n## 3.1 - 2 May\n### Added\n- Tables\n### Removed\n"
        "- Import of notes\n  and of tags\n- Export\n\n## 3.0 - 1 May\n- Sync\n";
    turns(log, "Import", "### Removed", "## 3.1 - 2 May");
    turns(log, "and of", "### Removed", "## 3.1 - 2 May");
    turns(log, "Export", "### Removed", "## 3.1 - 2 May");
    turns(log, "Tables", NULL, NULL);
    turns(log, "Sync", NULL, NULL);
    turns("Cover\n\nNot covered\n\n* Bees\n* Hail\n", "Hail", "Not covered", NULL);
    turns("Exclusions:\n1. Bees\n2. Hail\n", "Hail", "Exclusions:", NULL);
    turns("# Tool\n\n## Planned features\n\n- Sync\n", "Sync", "## Planned features", NULL);
}

// Prose above a list, a heading of something else, what is below the heading but in no list.
static void test_others(void **state)
{
    (void)state;
    turns("### Removed\nImport of notes is gone.\n", "Import", NULL, NULL);
    turns("### Removed\n- Import\nNow there is more.\n- Export\n", "Export", NULL, NULL);
    turns("It is not here. We do not\nForget the rest\n- Export\n", "Export", NULL, NULL);
    turns("It was removed.\n\n- Export\n", "Export", NULL, NULL);
    turns("Why is it not there?\n\n- Export\n", "Export", NULL, NULL);
    turns("Notes\n- Export\n", "Export", NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turned),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
