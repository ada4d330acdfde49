// Who has what somebody had that has left.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define WARDENS "Wardens: Upper Lock, Mr Hugh Marrow; Lower Lock, Mrs Ida Penn.\n\n"

// Whether each of CHANGES [n] behind WARDENS is found by QUESTION.
static void each(const char *const *changes, size_t n, const char *question, int is_found)
{
    for (size_t i = 0; i < n; i++) {
        char text[300] = WARDENS;
        strcat(text, changes[i]);
        finds(text, "Wardens", question, is_found ? changes[i] : NULL);
    }
}

static void test_having_left(void **state)
{
    (void)state;
    static const char asked[] = "Who is the warden of Upper Lock?";
    static const char *const changes[] = {
        "Mr Hugh Marrow having died in March, the warden of Upper Lock is now Mr Otis Dale.",
        "On the retirement of Mr Marrow, Ms Vera Lund becomes warden of Upper Lock.",
        "Mr Marrow has resigned, and the new warden at Upper Lock is Ms Vera Lund.",
        "Following the death of Mr Marrow, his successor at Upper Lock is Ms Vera Lund.",
        "Mr Marrow having left Upper Lock, Ms Vera Lund has been appointed warden there.",
        "Since Mr Hugh Marrow stepped down, Ms Vera Lund has been the warden of Upper Lock.",
        "Mr Hugh Marrow retired in May; the warden at Upper Lock will be Ms Vera Lund.",
        "Hugh Marrow has left the Upper Lock. His place as warden is filled by Vera Lund.",
        "Ms Vera Lund is the warden of Upper Lock, Mr Marrow having retired.",
        "Mr Marrow gives up Upper Lock in May, and Ms Vera Lund, Hull 25, is appointed warden."};
    each(changes, sizeof changes / sizeof *changes, asked, 1);
    each(changes, sizeof changes / sizeof *changes, "Who was the warden of Upper Lock?", 0);
    static const char *const others[] = {
        // Of no such place.
        "Mr Marrow retired from the navy, and the speaker at the Upper Lock is Ms Vera Lund.",
        "Mr Marrow having left for Upper Lock early, the lamp was lit by Ms Vera Lund.",
        "Mr Marrow left the meeting, and the chairman is Ms Vera Lund of Upper Lock.",
        "Mr Marrow left Upper Lock at noon. Ms Vera Lund was late for the warden.",
        // It may come.
        "If Mr Hugh Marrow retires, the warden of Upper Lock will be Ms Vera Lund.",
        // Nobody has left, or the answer has the name.
        "Mr Marrow gives a prize, and Ms Vera Lund is appointed speaker of Upper Lock.",
        "Mr Marrow having shown the plan, the warden of Upper Lock is praised by Ms Vera Lund.",
        "Mr Marrow having left Lower Lock, the warden of Lower Lock is Mrs Ida Penn."};
    each(others, sizeof others / sizeof *others, asked, 0);
}

// Also of somebody with one name, where something goes from him to another.
static void test_handed(void **state)
{
    (void)state;
    static const char owner[] = "Owner of the till: Callum.", asked[] = "Who owns the till?";
    static const char *const later[] = {
        "29 April. Ownership of the till has gone from Callum to Yusuf.",
        "The till has passed from Callum to Yusuf Demir.",
        "Yusuf has taken over the till from Callum.",
        "The boat has gone from Callum to Yusuf.",
        "A letter about the till came from Callum to Yusuf.",
        "The till has gone from Callum to another room.",
        "Callum has the till from Yusuf."};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s\n\n%s", owner, later[i]);
        finds(text, "Owner", asked, i < 3 ? later[i] : NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_having_left),
                                       cmocka_unit_test(test_handed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
