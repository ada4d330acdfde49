// Who speaks, in plays and in what was taken down.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/lines/speaker.h"
#include "tests/unit/engine/sentences/cut_fixture.h"

// NAME, with its mark, is said to speak at WORD of TEXT; NULL: nobody is.
static void speaks(const char *text, const char *word, const char *name)
{
    struct lines c;
    size_t from, to;
    const char *at = strstr(text, word);
    assert_non_null(at);
    lines_of_text(&c, text, strlen(text));
    assert_int_equal(speaker_of(&c, (size_t)(at - text), &from, &to), name != NULL);
    if (!name)
        return;
    assert_int_equal(to - from, strlen(name));
    assert_memory_equal(text + from, name, to - from);
}

static const char PLAY[] = "ACT TWO\n\nODO. Is the pump mended? I have carried water\n"
                           "    since dawn.\n\n(UNA looks at the pump. The lamp goes out.)\n\n"
                           "AUNT UNA. It is not. Ask the smith.\n";

static void test_plays(void **state)
{
    (void)state;
    speaks(PLAY, "since", "ODO.");
    speaks(PLAY, "Ask", "AUNT UNA.");
    speaks(PLAY, "The lamp", NULL);
    speaks(PLAY, "ODO.", NULL);
    // Nobody else speaks in such a way.
    speaks("ODO. Is it mended? Say so.\n\nIt was not.\n", "Say", NULL);
    speaks("WARNING: Do not open it. It is hot.\n\nDANGER: Nor this one.\n", "It is", NULL);
    speaks("See RFC 822. It is old.\n\nAsk the BBC. It has all.\n", "It is", NULL);
}

static void test_times(void **state)
{
    (void)state;
    static const char hearing[] = "[00:01:02] MR HALE: Where was it? Take your time.\n\n"
                                  "[00:01:09] Dr. Oona Pike: In the shed. I had the key of\n"
                                  "it that day.\n\n10:15-10:30 Break\n";
    speaks(hearing, "I had", "[00:01:09] Dr. Oona Pike:");
    speaks(hearing, "it that", "[00:01:09] Dr. Oona Pike:");
    speaks(hearing, "Take", "[00:01:02] MR HALE:");
    speaks(hearing, "Break", NULL);
}

// A nickname behind a time in brackets: what is below it is not said by one further above.
static void test_nicknames(void **state)
{
    (void)state;
    static const char chat[] = "[08:10] Una: the boat is in.\n[08:12] pit.k-7: oil is low in\n"
                               "        can 4. Fill it.\n[08:15] two words: no name.\n"
                               "        Nobody fills it.\n";
    speaks(chat, "Fill it", "[08:12] pit.k-7:");
    speaks(chat, "Nobody", NULL);
}

// An entry begins a sentence, whatever is above it.
static void test_entries_begin_sentences(void **state)
{
    (void)state;
    falls_into("[08:10] una: The harbour is shut until noon, all boats leave by pier B.\n|"
               "[08:12] Odo: Not so, the ferry has to leave by pier A at eleven, they\n"
               "say, and it has come in late.\n");
}

// The name is a part of the first sentence.
static void test_names_end_no_sentence(void **state)
{
    (void)state;
    falls_into("ODO. Is it mended? |Say so.\n\n|UNA. (rising) It is not.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plays),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_nicknames),
        cmocka_unit_test(test_entries_begin_sentences),
        cmocka_unit_test(test_names_end_no_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
