// Comments in programs in C. A bar marks each cut.
#include "tests/unit/engine/sentences/cut_fixture.h"

static void test_before_code(void **state)
{
    (void)state;
    falls_into("/* The root. */\n#define ROOT      \"/srv\"\n\n|/* The socket where they call. */\n"
               "#define SOCKET    \"/run/queue.sock\"\n|#define ROOM      9\n");
    falls_into("/* Jobs that may wait.  |More than this are\n * refused. */\n#define JOBS 65\n");
    falls_into("/* Jobs that wait, and that\n   nobody has asked for */\nstatic int jobs = 7;\n"
               "|int n;\n");
    falls_into("    /* What it holds. */\n    enum state {\n        |READY,\n");
    // no code is below it, or it is behind code itself
    falls_into("/* The root. */\n\n|int n;\n");
    falls_into("/* The root. */\n|/* The socket. */\n|// Jobs\n");
    falls_into("/* The queue, and\n |*/\n|int n;\n");
    falls_into("int jobs; /* that may wait, and */\n|int room; /* for more */\n|int n;\n");
    falls_into("int jobs; /* that may\n             wait */\n|int room;\n");
    falls_into("#define ROOM 9 /* for more. */\n|#define SLOW 1\n");
    mends_to("/* The root. */\n#define ROOT \"/srv\"\n",
             "/* The root. */\n#define ROOT \"/srv\"\n");
}

// Comments of one line, as of Python, Go, Rust and settings, above what they give a value.
static void test_before_values(void **state)
{
    (void)state;
    falls_into(
        "# The port there.\nPORT = \"/dev/tty\"\n|LIMIT = 9\n\n|# How long it waits\nWAIT=25\n");
    falls_into("// Ferries have\n// many seats.\nconst Seats int = 148\n");
    falls_into("// Ferries have\n// seats. |The small one\n// has less.\n|Seats int = 148\n");
    falls_into("// Ferries have seats. |Or none.\n|Seats int = 148\n");
    falls_into("    /// How long it waits. \n    pub const WAIT: u64 = 25;\n    |pub const ROOM: "
               "u8 = 9;\n");
    falls_into("# The kiln in the yard\n|port = 7\n|room = 9\n"); // of both
    falls_into("# The port there.\n|port(7)\n");
    falls_into("# The port there.\n|PORT = open(7)\n");
    falls_into("# The port there.\n|if PORT == 7:\n");
    falls_into("# The port there.\n|f(port=7)\n");
    falls_into("# The port there.\n\n|PORT = 7\n");
    falls_into("# The port there.\n    |PORT = 7\n");
    falls_into("# port = 6\n|port = 7\n");
    falls_into("//\n|port = 7\n");
    falls_into("# The port there.");
    mends_to("# The port there.\nPORT = 7\n", "# The port there.\nPORT = 7\n");
}

static void test_no_comments(void **state)
{
    (void)state;
    falls_into("All of them lie below the directory /srv/*/\nand are kept there.\n");
    falls_into("This is *so* and that is **so**. |*/*\n");
    falls_into("*/\n|and");
    falls_into("/*/\n|int n;");
    falls_into("/**/\n|int n;");
}

static void test_directives(void **state)
{
    (void)state;
    says("#define ROOM 9\n#define SLOW 1\n", "ROOM", NULL, "#define ROOM 9");
    says("#include <queue.h>\n#include <room.h>\n", "room", NULL, "#include <room.h>");
    mends_to("# the room is\n# for more", "# the room is for more");
    mends_to("#iffy is it\n#and more", "#iffy is it and more");
    mends_to("a room\nof\n#if 1", "a room of #if 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_code), cmocka_unit_test(test_before_values),
        cmocka_unit_test(test_no_comments), cmocka_unit_test(test_directives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
