// When somebody came into a system, and left it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

#define IN    "Mar 12 07:58:41 mill sshd[1]: Accepted publickey for jonas from 10.0.0.4 port 5"
#define IN_2  "Mar 12 11:58:41 mill sshd[3]: Accepted publickey for jonas from 10.0.0.4 port 5"
#define OPEN  "Mar 12 07:58:41 mill sshd[1]: session opened for user jonas by (uid=0)"
#define OUT   "Mar 12 09:31:48 mill sshd[1]: session closed for user jonas"
#define SUDO  "Mar 12 09:05:17 mill sudo: pam_unix(sudo:session): session closed for user root"
#define OTHER "Mar 12 09:40:02 mill cron[2]: pam_unix(cron:session): session closed for user root"
#define LEFT  "Mar 12 10:00:00 mill sshd[1]: Disconnected from user jonas-b 10.0.0.4 port 5"
#define MARY  "Mar 12 10:00:30 mill shop: mary-jonas logged out"
#define PLAIN "Mar 12 10:01:00 mill shop: Ada logged out"

static void test_log(void **state)
{
    (void)state;
    struct kvz *k = index_text("auth.log", IN "\n" OPEN "\n" SUDO "\n" OUT "\n" OTHER "\n" LEFT
                                              "\n" PLAIN "\n" IN_2 "\n");
    asked(&k, 1, "When did Jonas log out?", "\"" OUT "\"");
    asked(&k, 1, "When did jonas-b disconnect?", "\"" LEFT "\"");
    asked(&k, 1, "When did Jonas log in?", "\"" IN "\"\n\"" IN_2 "\"");
    asked(&k, 1, "When did Jonas first log in?", "\"" IN "\"");
    asked(&k, 1, "When did Jonas last log on?", "\"" IN_2 "\"");
    asked(&k, 1, "When was Ada logged out?", "\"" PLAIN "\"");
    asked(&k, 1, "When did root log out?", NULL);
    asked(&k, 1, "When did Bo log out?", NULL);
    asked(&k, 1, "When did Jonas Lind log out?", NULL);
    kvz_close(k);
    k = index_text("shop.log", MARY "\n" PLAIN "\n" MARY "\n");
    asked(&k, 1, "When did Jonas log out?", NULL);
    asked(&k, 1, "When did Ada log out?", "\"" PLAIN "\"");
    kvz_close(k);
    k = index_text("day.txt", "Ada logged out at noon and went home.\n");
    asked(&k, 1, "When did Ada log out?", NULL); // no log
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_log)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
