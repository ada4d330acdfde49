// Who wrote a letter, and as what, by what stands below its closing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void has(const char *text, const char *question, const char *said)
{
    struct kvz *k = index_text("letter.txt", text);
    asked(&k, 1, question, said);
    kvz_close(k);
}

#define LETTER "Dear Ms Moss,\n\nThe mill needs a wheel.\n\nWith kind regards,\n\n"

static void test_closing(void **state)
{
    (void)state;
    static const char letter[] = LETTER "Bert Cole\n\nEnc.: a drawing\n",
                      as_what[] = LETTER "Bert Cole\nHead miller\n\nOpen from 8 to 5\n";
    has(letter, "Who wrote the letter?", "\"Bert Cole\"");
    has(letter, "Who signed this?", "\"Bert Cole\"");
    has(as_what, "Who wrote it?", "\"Bert Cole\"");
    has(as_what, "Who is the head miller?", "\"Bert Cole\nHead miller\"");
    has(as_what, "Who is the miller?", NULL);
    has(letter, "Who is the head miller?", NULL);
    has(letter, "Who wrote the book?", NULL);
    has(letter, "Who wrote the letter about the weir?", NULL);
    has(LETTER "Bert Cole\n\n" LETTER "Ann Reed\n", "Who wrote the letter?", NULL); // which?
    has(LETTER "the mill at 9 Weir Lane\n", "Who wrote the letter?", NULL);
    has("Bert Cole wrote.\n\nThe mill needs a wheel.\n", "Who wrote the letter?", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closing)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
