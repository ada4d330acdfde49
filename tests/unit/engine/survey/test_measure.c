// What something measures, by a line of technical data.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void test_lines_of_data(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("pump.txt", "The Brockwell garden pump\n\nThe pump is quiet. Load weight: 9 kg "
                               "of sand.\n\n8  TECHNICAL DATA\n\n"
                               "  Dimensions (H x W x D)   300 x 210 x 190 mm\n"
                               "  Weight (empty)           7.5 kg\n"
                               "  Cable length             10 m\n"
                               "  Maximum speed            2,900 rpm\n"
                               "  Maximum height           40 m\n"
                               "  Noise                    low\n"
                               "  Thickness                2 in all\n\n"
                               "Height of the crates is told elsewhere.\n");
    asked(&k, 1, "How heavy is the pump?", "\"Weight (empty)           7.5 kg\"");
    asked(&k, 1, "What does the device weigh?", "\"Weight (empty)           7.5 kg\"");
    asked(&k, 1, "How much does it weigh?", "\"Weight (empty)           7.5 kg\"");
    asked(&k, 1, "How wide is the Brockwell pump?",
          "\"Dimensions (H x W x D)   300 x 210 x 190 mm\"");
    asked(&k, 1, "How high is it?", "\"Dimensions (H x W x D)   300 x 210 x 190 mm\"");
    asked(&k, 1, "How long is the cable?", "\"Cable length             10 m\"");
    asked(&k, 1, "How fast is the pump?", "\"Maximum speed            2,900 rpm\"");
    asked(&k, 1, "How loud is the pump?", NULL); // no measure
    asked(&k, 1, "How thick is the pump?", "\"Dimensions (H x W x D)   300 x 210 x 190 mm\"");
    asked(&k, 1, "How heavy is the sand?", NULL);
    asked(&k, 1, "How heavy are the crates?", NULL);
    kvz_close(k);
}

// Of two things with a weight each, the one whose heading names it.
static void test_headings(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("scooters.md", "# Scooters\n\n## Swift\n\n| Item | Value |\n|---|---|\n"
                                  "| Mass | 12 kg |\n\n## Heron\n\n- Mass: 17 kg\n");
    asked(&k, 1, "How heavy is the Heron?", "\"Mass: 17 kg\"");
    asked(&k, 1, "How heavy is the unit?", NULL); // which one?
    kvz_close(k);
}

// Data that stand one behind the other, and what is asked for by its name.
static void test_pieces(void **state)
{
    (void)state;
    struct kvz *k = index_text("kiln.txt", "The kiln\n\nTechnical data\n\nPower: 1,350 W. Weight: "
                                           "7.2 kg. Cable length: 1.1 m. Noise: low.\n\n"
                                           "The kiln is heavy. It is not to be moved.\n");
    asked(&k, 1, "How heavy is the kiln?", "\"Weight: 7.2 kg.\"");
    asked(&k, 1, "Tell me the weight of the kiln", "\"Weight: 7.2 kg.\"");
    asked(&k, 1, "What is the length of the cable?", "\"Cable length: 1.1 m.\"");
    asked(&k, 1, "What is the width of the kiln?", NULL);
    asked(&k, 1, "What is the weight of the cable?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_data),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_headings),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
