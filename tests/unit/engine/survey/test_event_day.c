// When something is that a document announces, by the line of its day.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void has(const char *text, const char *question, const char *said)
{
    struct kvz *k = index_text("flyer.txt", text);
    asked(&k, 1, question, said);
    kvz_close(k);
}

static void test_event_day(void **state)
{
    (void)state;
    static const char forum[] =
        "# Northern Soils Forum\n\n**Thursday 12 and Friday 13 June 2025**\n"
        "Lark Hall, Hull\n\n## Thursday 12 June\n\n9 am: coffee\n",
                      invited[] = "  ADA & BO\n\n  invite you to their wedding\n"
                                  "  Friday 21 to Sunday 23 June\n  at the mill\n\n"
                                  "Dear friends,\n\nbring a tent.\n",
                      news[] = "SCHOOL NEWS\nFriday 3 May 2024\n\nThe trip goes to Hull.\n",
                      minutes[] = "Minutes of the council meeting\n\nTuesday, 11 February 2025\n\n"
                                  "The annual show is in August; it is the next thing to do.\n",
                      paper[] = "Conference News\n\n1 October 2024\n\nDear members,\n\n"
                                "the conference will be at the mill again.\n",
                      walks[] = "# Walks\n\n1 May\nTo Hull.\n\n8 May\nTo Goole.\n";
    has(forum, "When is the conference?", "Thursday 12 and Friday 13 June 2025");
    has(forum, "When does the forum take place?", "Thursday 12 and Friday 13 June 2025");
    has(forum, "What date is the soils forum?", "Thursday 12 and Friday 13 June 2025");
    has(forum, "When is the dinner?", NULL);
    has(forum, "When is coffee served?", NULL);
    has(invited, "When is the wedding?", "Friday 21 to Sunday 23 June");
    has(invited, "When is Ada's wedding?", NULL);
    has(news, "When is the trip?", NULL); // the day is that of the news
    has(paper, "When is the conference?", NULL);
    has(walks, "When is the walk?", NULL);
    has(minutes, "When is the meeting?", "Tuesday, 11 February 2025");
    has(minutes, "When is the council meeting?", "Tuesday, 11 February 2025");
    has(minutes, "When is the next meeting?", NULL);
    has(minutes, "When is the annual meeting?", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_event_day)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
