// How something in a log ended.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

#define SYNC_1 "2024-03-14 02:00:00 INFO  [cron] mirror-sync started (run 71)\n"
#define SYNC_2 "2024-03-14 02:17:20 INFO  [cron] mirror-sync finished (run 71) status=ok\n"
#define ROLL_1 "2024-03-14 03:00:00 INFO  [deploy] user ann started rollback of mill to 4.1\n"
#define ROLL_2                                                                                     \
    "2024-03-14 03:00:17 ERROR [deploy] rollback refused: migration 9 is not reversible\n"
#define CERT_1   "2024-03-14 04:00:00 ERROR [gate] certificate renewal failed: no such name\n"
#define CERT_2   "2024-03-14 05:00:00 INFO  [gate] certificate renewal succeeded\n"
#define REPORT_1 "2024-03-14 06:00:00 INFO  [cron] job report-daily started (run 72)\n"
#define REPORT_2                                                                                   \
    "2024-03-14 06:00:40 ERROR [report] cannot send daily report to ann: mailbox full\n"
#define REPORT_3                                                                                   \
    "2024-03-14 06:00:41 INFO  [cron] job report-daily finished (run 72) status=failed\n"
#define DUMP "2024-03-14 07:00:00 INFO  [backup] dump finished: 38.4 GiB, 14m36s\n"
#define MILL "2024-03-14 08:00:00 INFO  [deploy] rollout of mill 4.2 complete, 3/3 pods ready\n"
#define GATE "2024-03-14 08:10:00 INFO  [deploy] rollout of gate 1.9 complete, 3/3 pods ready\n"
#define FEED "2024-03-14 09:00:00 ERROR [importer] supplier feed halden: 401 Unauthorized\n"
#define OTHERS                                                                                     \
    "2024-03-14 09:10:00 INFO  [gate] poll of wheels: 4 ok, 0 failed\n"                            \
    "2024-03-14 09:11:00 INFO  [gate] poll of wheels will be done by noon\n"                       \
    "2024-03-14 09:12:00 INFO  [wheel] turn 50% complete\n"                                        \
    "2024-03-14 09:13:00 WARN  [db] vacuum of table 7 not completed\n"

static const char LOG[] =
    SYNC_1 SYNC_2 ROLL_1 ROLL_2 CERT_1 CERT_2 REPORT_1 REPORT_2 REPORT_3 DUMP MILL GATE FEED OTHERS;

// One line, without the spaces of its columns.
#define SAID_ROLL                                                                                  \
    "2024-03-14 03:00:17 ERROR [deploy] rollback refused: migration 9 is not reversible"
#define SAID_REPORT                                                                                \
    "2024-03-14 06:00:41 INFO [cron] job report-daily finished (run 72) status=failed"
#define SAID_CERT_1 "2024-03-14 04:00:00 ERROR [gate] certificate renewal failed: no such name"
#define SAID_CERT_2 "2024-03-14 05:00:00 INFO [gate] certificate renewal succeeded"
#define SAID_SYNC   "2024-03-14 02:17:20 INFO [cron] mirror-sync finished (run 71) status=ok"
#define SAID_MILL   "2024-03-14 08:00:00 INFO [deploy] rollout of mill 4.2 complete, 3/3 pods ready"

// What is asked of one thing, by the line that says how it ended and not by the one that says that
// it began.
static void test_ended(void **state)
{
    (void)state;
    struct kvz *k = index_text("mill.log", LOG);
    asked(&k, 1, "Did the rollback work?", SAID_ROLL);
    asked(&k, 1, "Was the rollback successful?", SAID_ROLL);
    asked(&k, 1, "Was the rollback refused?", SAID_ROLL);
    asked(&k, 1, "Did the mirror sync work?", SAID_SYNC);
    asked(&k, 1, "How did job mirror-sync end?", SAID_SYNC);
    asked(&k, 1, "Did report-daily succeed?", SAID_REPORT);
    asked(&k, 1, "What was the status of report-daily?", SAID_REPORT);
    asked(&k, 1, "Has the report-daily job finished?", SAID_REPORT);
    // The attempt that failed, and the one that did not.
    asked(&k, 1, "Did the certificate renewal work?", SAID_CERT_1 "\n" SAID_CERT_2);
    asked(&k, 1, "Did the rollout of mill work?", SAID_MILL);
    asked(&k, 1, "Did the rollout of mill 4.2 succeed on 14 March?", SAID_MILL);
    // What failed to be done.
    asked(&k, 1, "Did the vacuum of table 7 complete?",
          "2024-03-14 09:13:00 WARN [db] vacuum of table 7 not completed");
    kvz_close(k);
}

static void test_when_and_why(void **state)
{
    (void)state;
    struct kvz *k = index_text("mill.log", LOG);
    asked(&k, 1, "When did the mirror sync finish?", SAID_SYNC);
    asked(&k, 1, "At what time did the mirror sync finish?", SAID_SYNC);
    asked(&k, 1, "When did report-daily fail?", SAID_REPORT);
    asked(&k, 1, "When did the certificate renewal succeed?", SAID_CERT_2);
    asked(&k, 1, "When did the certificate renewal fail?", SAID_CERT_1);
    asked(&k, 1, "When did the mirror sync fail?", NULL);
    asked(&k, 1, "Why was the rollback refused?", SAID_ROLL);
    asked(&k, 1, "Why did the certificate renewal not work?", SAID_CERT_1);
    // The line that says that it failed does not say why.
    asked(&k, 1, "Why did report-daily fail?",
          "2024-03-14 06:00:40 ERROR [report] cannot send daily report to ann: mailbox "
          "full\n" SAID_REPORT);
    asked(&k, 1, "Why did the import of the halden feed fail?",
          "2024-03-14 09:00:00 ERROR [importer] supplier feed halden: 401 Unauthorized");
    asked(&k, 1, "How long did the dump take?",
          "2024-03-14 07:00:00 INFO [backup] dump finished: 38.4 GiB, 14m36s");
    asked(&k, 1, "How long did the mirror sync take?",
          "2024-03-14 02:00:00 INFO [cron] mirror-sync started (run 71)\n" SAID_SYNC);
    asked(&k, 1, "How long did the rollout of mill take?", NULL);
    asked(&k, 1, "Which version of mill was rolled out?", SAID_MILL);
    asked(&k, 1, "Which version of the mill was deployed?", SAID_MILL);
    asked(&k, 1, "Which version of the wheel was rolled out?", NULL);
    asked(&k, 1, "Which version of mill was rolled back?", NULL);
    kvz_close(k);
}

static void test_nothing(void **state)
{
    (void)state;
    struct kvz *k = index_text("mill.log", LOG);
    asked(&k, 1, "Did the rollout work?", NULL);              // which of the two?
    asked(&k, 1, "Did the mill work?", NULL);                 // its rollout did
    asked(&k, 1, "Did the certificate work?", NULL);          // its renewal did
    asked(&k, 1, "Did the rollback work on 15 March?", NULL); // none is of that day
    asked(&k, 1, "Did the second rollback work?", NULL);      // no line has the word
    asked(&k, 1, "Did the poll of the wheels work?", NULL);   // numbers, and what is to be
    asked(&k, 1, "Did the turn finish?", NULL);               // half of it
    asked(&k, 1, "Did the migration work?", NULL);            // what is behind the outcome
    asked(&k, 1, "Did the rollback of the gate work?", NULL);
    kvz_close(k);
    // Not in a text that has some times.
    k = index_text("day.txt", "08:00 Breakfast finished\n09:00 The ferry failed\nThe rollback was "
                              "refused.\nThe backup failed.\nWe went home.\n");
    asked(&k, 1, "Did the rollback work?", NULL);
    asked(&k, 1, "Did the ferry fail?", NULL);
    kvz_close(k);
}

// Logs of other forms.
static void test_forms(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "sys.log", "Mar 14 02:00:01 gw systemd[1]: Starting nightly-backup.service...\n"
                   "Mar 14 02:10:03 gw systemd[1]: Failed to start nightly-backup.service.\n"
                   "Mar 14 03:00:00 gw cron[7]: job 17 started\n"
                   "Mar 14 03:04:00 gw cron[7]: job 17 finished in 4 min\n"
                   "Mar 14 03:05:00 gw cron[7]: job 18 exited with status 3\n"
                   "{\"ts\":\"2024-03-15T04:00:00Z\",\"level\":\"info\",\"msg\":\"indexing "
                   "finished\"}\n"
                   "{\"ts\":\"2024-03-15T04:01:00Z\",\"level\":\"error\",\"msg\":\"indexing "
                   "failed: disk is full\"}\n");
    asked(&k, 1, "Did the nightly backup work?",
          "Mar 14 02:10:03 gw systemd[1]: Failed to start nightly-backup.service.");
    asked(&k, 1, "How did job 17 end?", "Mar 14 03:04:00 gw cron[7]: job 17 finished in 4 min");
    asked(&k, 1, "How long did job 17 take?",
          "Mar 14 03:04:00 gw cron[7]: job 17 finished in 4 min");
    asked(&k, 1, "Did job 18 succeed?", "Mar 14 03:05:00 gw cron[7]: job 18 exited with status 3");
    asked(&k, 1, "When did job 18 fail?",
          "Mar 14 03:05:00 gw cron[7]: job 18 exited with status 3");
    asked(&k, 1, "Did job 1 succeed?", NULL);
    asked(&k, 1, "Did the job succeed?", NULL);
    asked(&k, 1, "Why did the indexing fail?",
          "{\"ts\":\"2024-03-15T04:01:00Z\",\"level\":\"error\",\"msg\":\"indexing failed: disk is "
          "full\"}");
    kvz_close(k);
}

// What the lines around it have to do with it.
static void test_around(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("java.log",
                   "2024-03-14 02:11:00,000 [main] WARN  com.mill.Mail - Letter lost\n"
                   "2024-03-14 02:13:00,000 [main] INFO  com.mill.Build - Build #119 failed\n"
                   "2024-03-14 02:13:01,000 [main] INFO  com.mill.Wash - If the sweep is done, the "
                   "wash is started\n"
                   "2024-03-14 02:14:00,000 [main] ERROR com.mill.Pump - Pressure is gone\n"
                   "2024-03-14 02:14:01,000 [main] INFO  com.mill.Pump - Test 7 failed\n");
    asked(&k, 1, "Did build 119 succeed?",
          "2024-03-14 02:13:00,000 [main] INFO com.mill.Build - Build #119 failed");
    asked(&k, 1, "Why did build 119 fail?", NULL); // the letter has nothing to do with it
    asked(&k, 1, "Did the sweep work?", NULL);     // it may be
    asked(&k, 1, "Why did test 7 fail?",
          "2024-03-14 02:14:00,000 [main] ERROR com.mill.Pump - Pressure is gone\n"
          "2024-03-14 02:14:01,000 [main] INFO com.mill.Pump - Test 7 failed");
    kvz_close(k);
}

// A line that says in words that it is an error tells why, and the day may stand within a question.
static void test_error_in_words(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("copy.log", "Nov 12 04:20:00 db1 dump[21]: copy of all tables begins\n"
                               "Nov 12 04:31:10 db1 dump[21]: copy complete\n"
                               "Nov 13 04:20:00 db1 dump[24]: copy of all tables begins\n"
                               "Nov 13 04:26:41 db1 dump[24]: tables: error: disk full\n"
                               "Nov 13 04:26:41 db1 dump[24]: copy failed, mail sent\n"
                               "Nov 13 04:27:00 db1 gate[5]: all is well\n"
                               "Nov 13 04:28:00 db1 lamp[6]: on\n"
                               "Nov 13 04:29:00 db1 gate[5]: shut\n"
                               "Nov 13 04:30:00 db1 lamp[6]: off\n");
    static const char why[] = "Nov 13 04:26:41 db1 dump[24]: tables: error: disk full\n"
                              "Nov 13 04:26:41 db1 dump[24]: copy failed, mail sent";
    asked(&k, 1, "Why did the copy fail?", why);
    asked(&k, 1, "Why did the copy on 13 November fail?", why);
    asked(&k, 1, "Why did the copy on 12 November fail?", NULL);
    kvz_close(k);
}

// "successfully" behind what was done is a success of what is before that.
static void test_done_successfully(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "unit.log", "Jun 03 22:00:00 gw systemd[1]: Starting backup.service...\n"
                    "Jun 03 22:00:10 gw systemd[1]: backup.service: Failed with result exit-code.\n"
                    "Jun 04 06:00:00 gw systemd[1]: Starting backup.service...\n"
                    "Jun 04 06:12:40 gw backup[933]: copied 815 files\n"
                    "Jun 04 06:12:41 gw systemd[1]: backup.service: Deactivated successfully.\n"
                    "Jun 04 07:00:00 gw sync[4]: mirror was not copied successfully\n"
                    "Jun 04 07:01:00 gw gate[5]: bridge started successfully\n"
                    "Jun 04 07:02:00 gw gate[5]: lock will be turned successfully\n"
                    "Jun 04 07:03:00 gw lamp[6]: wick of lantern replaced successfully\n");
    static const char both[] =
        "Jun 03 22:00:10 gw systemd[1]: backup.service: Failed with result exit-code.\n"
        "Jun 04 06:12:41 gw systemd[1]: backup.service: Deactivated successfully.";
    asked(&k, 1, "Did the backup work?", both);
    asked(&k, 1, "How did the backup end?", both);
    asked(&k, 1, "Did the backup fail on 3 June?",
          "Jun 03 22:00:10 gw systemd[1]: backup.service: Failed with result exit-code.");
    asked(&k, 1, "When did the backup succeed?",
          "Jun 04 06:12:41 gw systemd[1]: backup.service: Deactivated successfully.");
    asked(&k, 1, "When did the mirror fail?",
          "Jun 04 07:00:00 gw sync[4]: mirror was not copied successfully");
    asked(&k, 1, "When did the mirror succeed?", NULL);
    asked(&k, 1, "Did the bridge work?", NULL);  // it began
    asked(&k, 1, "Did the lock work?", NULL);    // it is to be
    asked(&k, 1, "Did the lantern work?", NULL); // its wick
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_when_and_why),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_around),
        cmocka_unit_test(test_error_in_words),
        cmocka_unit_test(test_done_successfully),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
