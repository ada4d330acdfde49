// What is asked of logs: how many errors there are, and which.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// By the level of their lines.
static void test_levels(void **state)
{
    (void)state;
    struct kvz *k = index_text("mill.log", "2024-05-06 22:41:32 INFO  [main] mill starting\n"
                                           "2024-05-06 22:41:40 WARN  [wheel] no ERROR yet\n"
                                           "2024-05-06 22:42:02 ERROR [wheel] stuck\n"
                                           "    at Wheel.turn\n"
                                           "2024-05-06 22:42:03 WARNING [gate] login failed\n"
                                           "2024-05-06 22:43:00 FATAL [main] error, stopping\n");
    asked(&k, 1, "How many errors are there in the log?", "1 line has the level ERROR.");
    asked(&k, 1, "how many warnings", "2 lines have the level WARN or WARNING.");
    asked(&k, 1, "How many WARN lines are there?", "\"WARN\" stands in 1 line.");
    asked(&k, 1, "How many fatal errors were logged?", "1 line has the level FATAL.");
    asked(&k, 1, "How many failures are there?",
          "1 line has the word \"failures\" or a form of it.");
    asked(&k, 1, "count all critical errors", "No line has the word \"critical\" or a form of it.");
    asked(&k, 1, "List all errors", "2024-05-06 22:42:02 ERROR [wheel] stuck\n");
    asked(&k, 1, "Show me every line containing FATAL",
          "2024-05-06 22:43:00 FATAL [main] error, stopping\n");
    asked(
        &k, 1, "List all ERROR lines",
        "2024-05-06 22:41:40 WARN [wheel] no ERROR yet\n2024-05-06 22:42:02 ERROR [wheel] stuck\n");
    asked(&k, 1, "List all timeouts", NULL);
    asked(&k, 1, "How many lines have the level ERROR?", "1 line has the level ERROR.");
    asked(&k, 1, "How many lines with level ERROR are there?", "1 line has the level ERROR.");
    asked(&k, 1, "How many warnings did the Wheel log?", "1 line of Wheel has the level WARN.");
    asked(&k, 1, "How many warnings did main write?",
          "No line of main has the level of \"warnings\".");
    asked(&k, 1, "How many warnings did login write?", NULL);
    asked(&k, 1, "Which errors came from the wheel?", NULL);
    asked(&k, 1, "Which errors were logged by the wheel service?",
          "2024-05-06 22:42:02 ERROR [wheel] stuck\n");
    asked(&k, 1, "What was the last warning from the gate?",
          "2024-05-06 22:42:03 WARNING [gate] login failed");
    kvz_close(k);
    k = index_text("set.log",
                   "level=error msg=stuck\nlevel=info msg=\"no error\"\n"
                   "{\"level\":\"error\",\"msg\":\"stuck\"}\n[error] stuck\n[info ] up\n");
    asked(&k, 1, "How many errors are there?", "3 lines have the level error.");
    kvz_close(k);
    k = index_text("shop.log",
                   "10:00 ERROR shop-web: order A-1 lost\n10:01 shop-web[12]: ERROR mail "
                   "rejected\n10:02 INFO till order A-2 placed\n10:03 INFO till order "
                   "mail sent\n10:04 level=error app=till order mail lost\n");
    asked(&k, 1, "How many errors did shop-web log?", "2 lines of shop-web have the level ERROR.");
    asked(&k, 1, "How many errors from till?", "1 line of till has the level error.");
    asked(&k, 1, "How many errors from mail?", NULL);
    asked(&k, 1, "What was the last order?", "10:02 INFO till order A-2 placed");
    asked(&k, 1, "What was the last mail?", "10:04 level=error app=till order mail lost");
    kvz_close(k);
}

// A system's log is of many programs, of which one may have levels alone.
static void test_system(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "sys.log", "Mar 12 02:14:07 web01 systemd[1]: Starting nginx.service\n"
                   "Mar 12 02:14:08 web01 systemd[1]: Started nginx.service\n"
                   "Mar 12 02:31:55 web01 sshd[2210]: Failed password for root, error 3\n"
                   "Mar 12 03:00:01 web01 CRON[2301]: (root) CMD (backup.sh)\n"
                   "Mar 12 03:17:44 web01 backup[2302]: error: connection closed by nginx\n"
                   "Mar 12 09:20:41 web01 nginx[812]: [warn] 812#812: buffered\n"
                   "Mar 12 09:21:02 web01 nginx[812]: [error] 812#812: connect() failed\n"
                   "Mar 12 09:21:03 web01 nginx[812]: [error] 812#812: connect() failed\n"
                   "Mar 12 11:05:17 web01 certbot[3020]: Certificate renewed\n"
                   "Mar 12 13:40:00 web01 smartd[611]: Device: /dev/sdb\n"
                   "Mar 12 17:15:22 web01 sshd[4102]: Accepted password for jonas\n"
                   "Mar 12 17:48:09 web01 sshd[4102]: Disconnected from user jonas\n");
    asked(&k, 1, "How many errors did nginx log?", "2 lines of nginx have the level error.");
    asked(&k, 1, "How many warnings did nginx log?", "1 line of nginx has the level warn.");
    asked(&k, 1, "How many errors did sshd log?", NULL); // it has no levels
    asked(&k, 1, "How many errors did certbot log?", NULL);
    asked(&k, 1, "How many errors did apache log?", NULL);
    kvz_close(k);
}

// Of a program that is the first word behind the level, as in a column of programs.
static void test_programs(void **state)
{
    (void)state;
    struct kvz *k = index_text("app.log", "2024-05-01 10:00:00 INFO gateway request served\n"
                                          "2024-05-01 10:01:00 ERROR gateway cannot reach db-1\n"
                                          "2024-05-01 10:02:00 WARN db-1 slow query 20 ms\n"
                                          "2024-05-01 10:03:00 ERROR db-1 disk full\n"
                                          "2024-05-01 10:04:00 ERROR disk of mailer is full\n"
                                          "2024-05-01 10:05:00 INFO mailer gateway is up\n");
    asked(&k, 1, "How many errors did gateway log?", "1 line of gateway has the level ERROR.");
    asked(&k, 1, "How many warnings did db-1 log?", "1 line of db-1 has the level WARN.");
    asked(&k, 1, "How many errors were logged by the db-1 service?",
          "1 line of db-1 service has the level ERROR.");
    asked(&k, 1, "How many warnings did gateway log?",
          "No line of gateway has the level of \"warnings\".");
    asked(&k, 1, "Which errors were logged by db-1?", "2024-05-01 10:03:00 ERROR db-1 disk full\n");
    asked(&k, 1, "How many errors did mailer log?", NULL); // once alone, so it may be no program
    asked(&k, 1, "How many errors did db log?", NULL);
    kvz_close(k);
    k = index_text("shop.log", "10:00 shop: ERROR mail rejected\n10:01 shop: ERROR mail lost\n"
                               "10:02 ERROR: mail lost\n10:03 ERROR: mail late\n");
    asked(&k, 1, "How many errors from mail?", NULL);
    kvz_close(k);
}

// By the word in logs that have none, and not at all in other texts.
static void test_no_levels(void **state)
{
    (void)state;
    struct kvz *k = index_text("door.log", "10:00:01 door: error 7\n10:00:02 door: shut\n"
                                           "10:00:05 java.net.SocketTimeoutException: late\n"
                                           "10:00:09 door: two errors, 1 Error\n");
    asked(&k, 1, "How many errors are there in the log?",
          "2 lines have the word \"errors\" or a form of it.");
    asked(&k, 1, "How many exceptions does the log have?",
          "1 line has the word \"exceptions\" or a form of it.");
    kvz_close(k);
    k = index_text("errors.txt", "Every error is mended.\nWarning: the wheel turns.\n");
    asked(&k, 1, "How many errors are there?", NULL);
    asked(&k, 1, "How many warnings are there in the text?", NULL);
    kvz_close(k);
}

#define GATE_1 "Mar 14 05:58:02 gw gate[11]: gate 2 opened, load 37.2 kW\n"
#define GATE_2 "Mar 14 07:41:26 gw web[12]: login failed user=root (no such user)\n"
#define GATE_3 "Mar 14 07:41:30 gw web[12]: login failed user=ann\n"
#define GATE_4 "Mar 14 10:00:00 gw gate[11]: alarm A-7 raised, load 61.4 kW\n"
#define GATE_5 "Mar 14 10:20:00 gw gate[11]: error: gate 3 opened, load 41.8 kW\n"
#define GATE_6 "Mar 14 11:00:00 gw gate[11]: poll 9: 4 ok, 0 failed, sent 7 letters\n"
#define GATE_7 "Mar 14 11:10:00 gw bill[13]: letter 4 not sent\n"
static const char GATE[] = GATE_1 GATE_2 GATE_3 GATE_4 GATE_5 GATE_6 GATE_7;

// In words of the log's own.
static void test_told(void **state)
{
    (void)state;
    struct kvz *k = index_text("gate.log", GATE);
    asked(&k, 1, "how many failed logins",
          "2 lines have the words \"failed\" and \"logins\" or forms of them.");
    asked(&k, 1, "How many alarms were raised?",
          "1 line has the words \"alarms\" and \"raised\" or forms of them.");
    asked(&k, 1, "How many gates have been opened before 10:15?",
          "1 line has the words \"gates\" and \"opened\" or forms of them.");
    asked(&k, 1, "How often was the alarm raised?",
          "1 line has the words \"alarm\" and \"raised\" or forms of them.");
    asked(&k, 1, "which alarms were raised",
          "Mar 14 10:00:00 gw gate[11]: alarm A-7 raised, load 61.4 kW\n");
    asked(&k, 1, "list all failed logins", GATE_2 GATE_3);
    // None of these is one a line.
    asked(&k, 1, "how many polls failed", NULL);
    asked(&k, 1, "how many letters were sent", NULL);
    asked(&k, 1, "how many gates were closed", NULL);
    kvz_close(k);
    k = index_text("chat.txt", "10:00 <ann> one cake was ordered\n10:01 <bob> why\n"
                               "10:02 <ann> so\n");
    asked(&k, 1, "how many cakes were ordered", NULL);
    kvz_close(k);
    k = index_text("jobs.log", "10:00:01 jobs: job 7 finished\n10:00:02 jobs: job 8 finished\n"
                               "10:00:03 bill: bill sent for customer 3\n"
                               "10:00:05 auth: user ann logged in\n"
                               "10:00:09 auth: user ann logged out in 3 s\n");
    asked(&k, 1, "how many jobs finished",
          "2 lines have the words \"jobs\" and \"finished\" or forms of them.");
    asked(&k, 1, "how many users logged in",
          "1 line has the words \"users\", \"logged\" and "
          "\"in\" or forms of them.");
    asked(&k, 1, "how many customers were sent", NULL);
    asked(&k, 1, "which users have logged out", "10:00:09 auth: user ann logged out in 3 s\n");
    kvz_close(k);
}

// Of a time of day, of a day, and the highest number.
static void test_times(void **state)
{
    (void)state;
    struct kvz *k = index_text("gate.log", GATE);
    asked(&k, 1, "what happened at 7:41 am", GATE_2 GATE_3);
    asked(&k, 1, "What happened at 07:41:30?", GATE_3);
    asked(&k, 1, "What happened at 07:41:30 UTC?", GATE_3);
    asked(&k, 1, "What happened between 10:00 and 10:30 on 14 March?", GATE_4 GATE_5);
    asked(&k, 1, "show me all events after 10:20", GATE_6 GATE_7);
    asked(&k, 1, "what happened before 6 am", GATE_1);
    asked(&k, 1, "What happened at 07:41 on 15 March?", NULL);
    asked(&k, 1, "What happened at 08:41?", NULL);
    asked(&k, 1, "what was the first error of the day",
          "Mar 14 10:20:00 gw gate[11]: error: gate 3 opened, load 41.8 kW");
    asked(&k, 1, "what was the first error before noon on 13 March", NULL);
    asked(&k, 1, "how many errors were there after 10:00",
          "1 line has the word \"errors\" or a form of it.");
    asked(&k, 1, "how many errors were there before 10:00", NULL);
    asked(&k, 1, "what was the highest load", GATE_4);
    asked(&k, 1, "When was the load highest?", GATE_4);
    asked(&k, 1, "the lowest load of the day", GATE_1);
    asked(&k, 1, "what was the lowest load after 9:00", NULL); // of two alone
    asked(&k, 1, "what is the highest gate", NULL);            // a name
    kvz_close(k);
    k = index_text("two.log", "10:00:01 queue: load 5, load 7\n10:00:02 queue: load 6, load 3\n"
                              "10:00:03 queue: load 4, load 2\n");
    asked(&k, 1, "what was the highest load", NULL); // a line has two of them
    kvz_close(k);
    k = index_text("access.log", "10.0.0.1 - - [14/Mar/2024:05:58:02 +0000] \"GET /a\" 200\n"
                                 "10.0.0.1 - - [14/Mar/2024:06:58:02 +0000] \"GET /b\" 200\n"
                                 "10.0.0.1 - - [14/Mar/2024:07:58:02 +0000] \"GET /c\" 200\n");
    asked(&k, 1, "What happened between 6:00 and 7:00?",
          "10.0.0.1 - - [14/Mar/2024:06:58:02 +0000] \"GET /b\" 200\n");
    kvz_close(k);
    k = index_text("two.log", "2024-03-14 23:10:00 error 1\n2024-03-15 00:10:00 error 2\n"
                              "2024-03-15 00:11:00 up\n");
    asked(&k, 1, "what was the first error of the day", NULL);
    asked(&k, 1, "what was the first error of 15 March", "2024-03-15 00:10:00 error 2");
    asked(&k, 1, "What happened on 15 March?",
          "2024-03-15 00:10:00 error 2\n2024-03-15 00:11:00 up\n");
    asked(&k, 1, "What happened on 16 March?", NULL);
    kvz_close(k);
    // Their times are not in order.
    k = index_text("late.log", "2024-03-14 23:10:00 error 1\n2024-03-15 00:10:00 error 2\n"
                               "2024-03-14 23:00:00 error 3\n");
    asked(&k, 1, "what was the first error", NULL);
    asked(&k, 1, "what was the last error", NULL);
    kvz_close(k);
    // A conversation is not said as a whole.
    k = index_text("chat.txt", "14/03/2024, 23:10 - Ann: Hello.\n14/03/2024, 23:11 - Ed: Hi.\n"
                               "15/03/2024, 00:10 - Ann: Bye.\n");
    asked(&k, 1, "What happened on 15 March?", NULL);
    kvz_close(k);
}

// The longest of what a log tells the time that it took.
static void test_longest(void **state)
{
    (void)state;
#define SLOW   "2024-03-14 06:00:30 WARN db-1 slow query 6642 ms\n"
#define SLOWER "2024-03-14 06:04:28 WARN auth slow query 8126 ms\n"
#define FAST   "2024-03-14 06:04:29 INFO auth query 26 ms\n"
#define SERVED "2024-03-14 06:05:51 INFO auth request r-90d2 served in 42 ms\n"
#define LATER  "2024-03-14 06:06:38 INFO auth request r-9af7 served in 285 ms\n"
#define LAST   "2024-03-14 06:06:56 INFO mail request r-6425 served in 83 ms\n"
#define LOST   "2024-03-14 06:07:56 INFO mail request r-6426 lost, mail down\n"
    struct kvz *k = index_text("app.log", SLOW SLOWER FAST SERVED LATER LAST LOST);
    asked(&k, 1, "What was the slowest query?", SLOWER);
    asked(&k, 1, "Which query took the longest?", SLOWER);
    asked(&k, 1, "What was the fastest query?", FAST);
    asked(&k, 1, "Which was the longest slow query?", NULL); // there are but two
    asked(&k, 1, "How long did the slowest request take?", LATER);
    asked(&k, 1, "What was the slowest request after 6:06?", NULL); // but two
    asked(&k, 1, "Which request was the fastest?", SERVED);
    asked(&k, 1, "What was the longest mail?", NULL);
    asked(&k, 1, "What was the slowest reply?", NULL);
    kvz_close(k);
    // Not all of them are the time that it took.
    k = index_text("app.log", SERVED LATER LAST
                   "2024-03-14 06:07:56 INFO mail request r-6426 put off for 600 ms\n");
    asked(&k, 1, "What was the slowest request?", NULL);
    kvz_close(k);
    k = index_text("app.log", SERVED LATER LAST
                   "2024-03-14 06:07:56 INFO mail request r-6426 served in 1.2 s\n");
    asked(&k, 1, "What was the slowest request?", NULL);
    kvz_close(k);
    k = index_text("app.log", SERVED LATER LAST
                   "2024-03-14 06:07:56 INFO mail request r-6426 served in 8 ms, 9 ms queued\n");
    asked(&k, 1, "What was the slowest request?", NULL);
    kvz_close(k);
}

// A program may be the value of a key, and what is written as it stands in a log, or nowhere, is
// not looked for in other words.
static void test_keys(void **state)
{
    (void)state;
    struct kvz *k = index_text("keys.log", "2024-03-01T00:07:00Z level=error svc=gate id=r-7\n"
                                           "2024-03-01T00:08:00Z level=info svc=gate id=r-8\n"
                                           "2024-03-01T00:09:00Z level=error svc=db id=r-9\n"
                                           "2024-03-01T00:10:00Z level=error svc=gate id=r-10\n");
    asked(&k, 1, "How many errors did gate log?", "2 lines of gate have the level error.");
    asked(&k, 1, "How many errors did db log?", "1 line of db has the level error.");
    asked(&k, 1, "Which lines mention FATAL?", "\"FATAL\" does not stand in the text.");
    asked(&k, 1, "Which lines mention \"zebra\"?", "\"zebra\" does not stand in the text.");
    asked(&k, 1, "Which lines mention zebras?", NULL);
    kvz_close(k);
}

// A text that is no log has a table of what happened when.
static void test_timetable(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "report.txt",
        "The gate stood open.\n\nNobody saw it.\n\nAt 07:41 all slept.\n\nIt rained.\n\nNo "
        "dog barked.\n\nNo cow came.\n\nThat is all.\n\nThe night\n\n"
        "2024-03-14 05:10  The gate is opened.\n2024-03-14 07:41  Ann shuts it: the\n"
        "                  bolt was bent.\n2024-03-15 07:50  Ed mends it.\n\nWe thank "
        "Ann.\n\n12:30 was the time.\n\n07:50  Ed has tea.\n08:00  Ed sleeps.");
    asked(&k, 1, "What happened at 07:41?",
          "\"2024-03-14 07:41 Ann shuts it: the bolt was bent.\"");
    asked(&k, 1, "What happened at 07:50?",
          "\"2024-03-15 07:50  Ed mends it.\"\n\"07:50  Ed has tea.\"");
    asked(&k, 1, "What happened at 07:50 on 15 March?", "\"2024-03-15 07:50  Ed mends it.\"");
    asked(
        &k, 1, "What happened between 05:00 and 07:55 UTC?",
        "\"2024-03-14 05:10  The gate is opened.\"\n\"2024-03-14 07:41 Ann shuts it: the bolt was "
        "bent.\"\n\"2024-03-15 07:50  Ed mends it.\"\n\"07:50  Ed has tea.\"");
    asked(&k, 1, "What happened at 08:00?", "\"08:00  Ed sleeps.\"");
    asked(&k, 1, "What happened at 12:30?", NULL); // it stands alone
    asked(&k, 1, "What happened at 07:42?", NULL);
    kvz_close(k);
}

// A diary has entries of days.
static void test_diary(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "diary.txt",
        "Diary of the Gull\n\nMonday 9 June\nWe lost the grab.\n\nDragged for it.\n\n"
        "Tuesday 10 June\nNo wind.\n\n\nKITCHEN NOTES\n\n12 June. Soup for all. On 10 June there "
        "was none.\n\n13 June 2024: cake.\n\nMore\n\nPlans.\n\n13 June 2025: tea.\n");
    asked(&k, 1, "What happened on 9 June?",
          "\"Monday 9 June\nWe lost the grab.\n\nDragged for it.\"");
    asked(&k, 1, "What happened on Tuesday, 10 June?", "\"Tuesday 10 June\nNo wind.\"");
    asked(&k, 1, "What happened on 12 June?",
          "\"12 June. Soup for all. On 10 June there was none.\"");
    asked(&k, 1, "What happened on 13 June 2024?", "\"13 June 2024: cake.\"");
    asked(&k, 1, "What happened on 13 June?", "\"13 June 2024: cake.\"\n\"13 June 2025: tea.\"");
    asked(&k, 1, "What happened on 14 June?", NULL);
    kvz_close(k);
}

// So has a ship's log, whose times have no colon and are of the day above them.
static void test_ships_log(void **state)
{
    (void)state;
    struct kvz *k = index_text("ship.txt", "Log of the Gull\n\n=== MON 2 OCT ===\n"
                                           "0610  Engines started.\n0950  Arrived.\n\n"
                                           "=== TUE 3 OCT ===\n0605  Fog.\n0950  Dog aboard.\n"
                                           "2561  None.\n");
    asked(&k, 1, "What happened at 09:50?", "\"0950  Arrived.\"\n\"0950  Dog aboard.\"");
    asked(&k, 1, "What happened at 09:50 on 3 October?", "\"0950  Dog aboard.\"");
    asked(&k, 1, "What happened on 2 October between 6:00 and 10:00?",
          "\"0610  Engines started.\"\n\"0950  Arrived.\"");
    asked(&k, 1, "What happened at 09:50 on 4 October?", NULL);
    asked(&k, 1, "What happened on 2 October?",
          "\"=== MON 2 OCT ===\n0610  Engines started.\n0950  Arrived.\"");
    kvz_close(k);
}

// Of several logs, of which one has few lines, among texts of other kinds: the first and the last
// by their times, or of each log where these lack their days.
static void test_several(void **state)
{
    (void)state;
#define FULL "2026-05-01 10:05:00 ERROR disk sda full"
#define FAN  "2026-05-02 10:05:00 ERROR fan stopped"
    struct kvz *k[] = {
        index_text("l2.log", "2026-05-02 10:00:00 INFO started\n" FAN "\n"
                             "2026-05-02 11:00:00 INFO ok\n"),
        index_text("times.csv", "at;what\n10:00;an error\n10:01;errors\n10:02;start\n10:03;stop\n"),
        index_text("l1.log", "2026-05-01 10:00:00 INFO started\n" FULL "\n"),
    };
    asked(k, 3, "What was the first error?", FULL);
    asked(k, 3, "What was the last error?", FAN);
    asked(k, 3, "What was the second error?", FAN);
    asked(k, 3, "What was the third error?", NULL);
    asked(k, 1, "What was the first error?", FAN);
    asked(k + 2, 1, "What was the last line?", FULL);
    for (int i = 0; i < 3; i++)
        kvz_close(k[i]);
    struct kvz *own[] = {
        index_text("u1.log", "10:00:00 INFO started\n10:05:00 ERROR disk sda full\n"),
        index_text("u2.log", "11:00:00 INFO started\n11:05:00 ERROR fan stopped\n"),
        index_text("few.txt", "Since 10:00:00 the ERROR lamp is lit\n"), // no log
    };
    char both[256];
    snprintf(both, sizeof both, "%s: 10:05:00 ERROR disk sda full\n%s: 11:05:00 ERROR fan stopped",
             in_dir("u1.log"), in_dir("u2.log"));
    asked(own, 3, "What was the last error?", both);
    for (int i = 0; i < 3; i++)
        kvz_close(own[i]);
    struct kvz *web[] = {index_text("w2.log", "[12/Jun/2026:10:00:00] ERROR late\n"),
                         index_text("w1.log", "[12/May/2026:10:00:00] ERROR early\n")};
    asked(web, 2, "What was the last error?", "[12/Jun/2026:10:00:00] ERROR late");
    kvz_close(web[0]);
    kvz_close(web[1]);
    // Of different zones the digits do not tell which one was first.
    struct kvz *zones[] = {index_text("z1.log", "2024-05-12T10:00:00+02:00 INFO up\n"
                                                "2024-05-12T10:00:01+02:00 ERROR disk\n"),
                           index_text("z2.log", "2024-05-12T09:00:00Z INFO up\n"
                                                "2024-05-12T09:00:01Z ERROR net\n")};
    snprintf(both, sizeof both,
             "%s: 2024-05-12T10:00:01+02:00 ERROR disk\n%s: 2024-05-12T09:00:01Z ERROR net",
             in_dir("z1.log"), in_dir("z2.log"));
    asked(zones, 2, "What was the first error?", both);
    kvz_close(zones[0]);
    kvz_close(zones[1]);
}

// A document of several indexes counts once; another one of its name does not.
static void test_repeated(void **state)
{
    (void)state;
#define TWICE "2026-05-01 10:05:00 ERROR disk full\n2026-05-01 10:06:00 ERROR fan stopped\n"
    struct kvz *first = index_text("same.log", TWICE);
    const char *in[] = {in_dir("other.txt"), in_dir("same.log")};
    end_file(begin_file("other.txt"));
    encode_ok(small(in, 2, in_dir("both.kvz")), NULL);
    struct kvz *k[] = {first, open_ok(in_dir("both.kvz")), NULL};
    FILE *f = begin_file("same.log");
    fputs("2026-05-01 10:07:00 ERROR mail lost\n", f);
    end_file(f);
    encode_ok(small(in + 1, 1, in_dir("new.kvz")), NULL);
    k[2] = open_ok(in_dir("new.kvz"));
    asked(k, 2, "How many errors are there?", "2 lines have the level ERROR.");
    asked(k + 1, 1, "How many errors are there?", "2 lines have the level ERROR.");
    asked(k, 3, "How many errors are there?", "3 lines have the level ERROR.");
    for (int i = 0; i < 3; i++)
        kvz_close(k[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system),    cmocka_unit_test(test_levels),
        cmocka_unit_test(test_programs),  cmocka_unit_test(test_no_levels),
        cmocka_unit_test(test_timetable), cmocka_unit_test(test_diary),
        cmocka_unit_test(test_ships_log), cmocka_unit_test(test_keys),
        cmocka_unit_test(test_told),      cmocka_unit_test(test_times),
        cmocka_unit_test(test_longest),   cmocka_unit_test(test_several),
        cmocka_unit_test(test_repeated),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
