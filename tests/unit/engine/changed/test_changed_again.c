// What is told anew: of the same thing by its name, with "now", with "not", or as it really was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

// Behind the first paragraph of TEXT, whose first sentence answers QUESTION, what is found begins
// with BEGINS; NULL: nothing is.
static void corrected_of(const char *text, const char *question, int unsure, const char *begins)
{
    char answer[300];
    const size_t n = strcspn(text, ".") + 1;
    snprintf(answer, sizeof answer, "%.*s", (int)n, text);
    const struct changed_said s = {.text = text,
                                   .n = strlen(text),
                                   .said = {0, n},
                                   .question = question,
                                   .answer = answer,
                                   .unsure = unsure};
    finds_that(&s, begins);
}

// What is found behind SAID of each of the N sentences CHANGES is that one, or, if not FOUND,
// nothing.
static void find_each(const char *said, const char *question, const char *const *changes, size_t n,
                      int found)
{
    for (size_t i = 0; i < n; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s\n\n%s", said, changes[i]);
        corrected_of(text, question, 0, found ? changes[i] : NULL);
    }
}
#define FIND_EACH(said, question, changes, found)                                                  \
    find_each(said, question, changes, sizeof(changes) / sizeof *(changes), found)

// What costs so much from a day on, and what is no longer to be had.
static void test_from(void **state)
{
    (void)state;
    static const char fee[] = "A second car is £90 a year. It is paid weekly.",
                      asked[] = "What does parking a second car cost now?";
    static const char *const of_fee[] = {
        "The charge for a second car is £120 from the first Monday in April.",
        "A second car is £120 a year with effect from 1 April."};
    FIND_EACH(fee, asked, of_fee, 1);
    static const char *const of_others[] = {
        "The charge for a second boat is £120 from the first Monday in April.",
        "A second car is £120 from the garage.", // not a day
        "A second car is 5 minutes from the garage in April."};
    FIND_EACH(fee, asked, of_others, 0);

    static const char fires[] = "Fires are allowed in the yard. Wood or charcoal.",
                      may[] = "Can I still have a charcoal fire?";
    static const char *const ended[] = {"Charcoal fires are no longer permitted."};
    FIND_EACH(fires, may, ended, 1);
    static const char *const others[] = {"Charcoal stoves are no longer permitted.",
                                         "Charcoal fires are no longer near the hedge.",
                                         "Note it after charcoal fires are no longer permitted."};
    FIND_EACH(fires, may, others, 0);
    // A name that is said three times is one word.
    static const char warden[] = "The Mill Warden is chosen by the Mill Club and the Mill Warden.",
                      who[] = "Who chooses the Mill Warden?";
    static const char *const of_another[] = {"The Mill Warden can now take boats out by night."};
    FIND_EACH(warden, who, of_another, 0);
}

// By how much later or earlier, and why, behind the new day, or what was done to it.
static void test_shifts(void **state)
{
    (void)state;
    static const char dance[] =
        "The barn dance is planned for Friday 22 March. The fair is in May.",
                      asked[] = "When is the barn dance?";
    static const char *const changes[] = {
        "The dance is therefore a week later, Friday 29 March, same place.",
        "The barn dance takes place a fortnight earlier, on 8 March.",
        "The dance will be two days later, on Sunday 24 March.",
        "The dance is therefore on 29 March.",
        "The dance has slipped to Saturday 6 April.",
        "The dance has been put off until 6 April.",
        "The dance is pushed back to 6 April.",
        "The dance is rescheduled to 6 April."};
    FIND_EACH(dance, asked, changes, 1);
    static const char *const others[] = {
        "The fair is therefore a week later, Friday 10 May, same place.",
        "Posters for the dance are up a week earlier, on 15 March.",
        "The choir has slipped to Saturday 6 April.",
        "The bar at the dance opens an hour later, at 9.",
        "We cleared up a week later, 29 March.",
        "The dance is a week later, on 22 March as you know."};
    FIND_EACH(dance, asked, others, 0);
}

// What is resolved.
static void test_resolved(void **state)
{
    (void)state;
    static const char oars[] = "4.5 A Cox may claim 300 pounds for oars.",
                      asked[] = "How much may be claimed for oars?",
                      day[] = "The regatta is held on 15 June.", when[] = "When is the regatta?";
    static const char *const sums[] = {"That in clause 4.5 the figure for oars be 400 pounds.",
                                       "That clause 4.5 be amended to \"400 pounds\"."},
                             *const others[] = {"That in clause 4.6 the figure for oars be 400 "
                                                "pounds.",
                                                "That in clause 4.5 the figure for oars stand."},
                             *const days[] = {"That the regatta be moved back one week, to 22 "
                                              "June."},
                             *const other_days[] = {"That the dance be moved one week, to 22 June.",
                                                    "That the regatta be rowed from 9 to 22 June."};
    FIND_EACH(oars, asked, sums, 1);
    FIND_EACH(oars, asked, others, 0);
    FIND_EACH(day, when, days, 1);
    FIND_EACH(day, when, other_days, 0);
}

// The question has other words than the document.
static void test_of_thing(void **state)
{
    (void)state;
    static const char fee[] = "Split duties carry a supplement of £6 a day. It is paid weekly.",
                      asked[] = "How much extra for a broken shift?";
    static const char *const of_fee[] = {"The supplement for split duties rises to £7.",
                                         "The supplement for split duties has risen to £7.",
                                         "In May the supplement for split duties comes down to £5.",
                                         "Split duties: the new rate is £7.",
                                         "Duties: split supplement reduced to £5."};
    FIND_EACH(fee, asked, of_fee, 1);
    static const char *const of_others[] = {
        "The supplement for night duties rises to £7.", // nothing that was said
        "The supplement for split duties rises to 7 people.",
        "The supplement for split duties had been raised to £7.", "The new rate for parking is £7.",
        "It rises to £7."};
    FIND_EACH(fee, asked, of_others, 0);

    static const char day[] = "The bridge in Mill Lane shuts on 7 March. Take the ferry.",
                      when[] = "When is the road closed?";
    static const char *const of_day[] = {
        "Mill Lane bridge moved to Sat 22 March, same hours.",
        "The bridge in Mill Lane has been put back to 22 March.",
        "The bridge in Mill Lane was late, and will now be from 22 March."};
    FIND_EACH(day, when, of_day, 1);
    static const char *const of_other_days[] = {"The dance in Mill Lane moved to 22 March.",
                                                "The bridge in Mill Lane is now 22 m long.",
                                                "The bridge in Mill Lane had moved to 22 March."};
    FIND_EACH(day, when, of_other_days, 0);

    // Of an answer that may be wrong only where what is so now is asked for.
    static const char both[] = "Split duties carry a supplement of £6 a day.\n\nThe supplement for "
                               "split duties rises to £7.";
    corrected_of(both, "How much extra for a broken shift now?", 1, "The supplement");
    corrected_of(both, asked, 1, NULL);
}

static void test_again(void **state)
{
    (void)state;
    static const char said[] =
        "Ear defenders are worn in the pump hall when two pumps run. Beware.",
                      asked[] = "When do you wear ear defenders?";
    static const char *const again[] = {
        "Ear defenders are now to be worn in the pump hall whenever any of the pumps runs.",
        "Ear defenders are no longer worn in the pump hall."};
    static const char *const others[] = {
        "Ear defenders are worn in the pump hall, now that two pumps run.", // nothing is other
        "Ear protection is now sold at the gate.",
        "> Ear defenders are no longer worn in the pump hall."};
    FIND_EACH(said, asked, again, 1);
    FIND_EACH(said, asked, others, 0);
    FIND_EACH(said, "When is there an inspection?", again, 0);
    FIND_EACH(said, "When were ear defenders worn?", again, 0); // what was before
}

static void test_not(void **state)
{
    (void)state;
    static const char said[] = "Hamish has a shellfish allergy and carries a pen. Beth is vegan.",
                      asked[] = "What is Hamish allergic to?";
    static const char *const rights[] = {"Hamish: it's not shellfish, it's walnuts.",
                                         "Correction: Hamish must not have walnuts, not shellfish.",
                                         "Wrong on Hamish, who bears walnuts and not shellfish."};
    static const char *const others[] = {"Hamish likes sweets and not shellfish.", // no correction
                                         "Correction: Ada likes eggs and not bacon.",
                                         "Correction: Hamish has no shellfish."};
    FIND_EACH(said, asked, rights, 1);
    FIND_EACH(said, asked, others, 0);
    static const char *const seams[] = {"Under it was the seam, not coal but shale."};
    static const char seam[] = "The Dane found a seam of coal. It snowed.";
    FIND_EACH(seam, "Was the seam really coal?", seams, 1);
    FIND_EACH(seam, "Was the seam coal?", seams, 0);
    FIND_EACH(seam, "What did the Dane really find?", seams, 0);
}

static void test_numbers_denied(void **state)
{
    (void)state;
    static const char permit[] = "The permit lapses after three hours. Mind the sump.",
                      asked[] = "How long may one stay in the chamber?";
    static const char *const denied[] = {
        "The confined space permit lapses after two and not three.",
        "The permit lapses after two hours rather than three."};
    FIND_EACH(permit, asked, denied, 1);
    static const char *const others[] = {"The permit has two pages and not three.",
                                         "The permit lapses later rather than sooner."};
    FIND_EACH(permit, asked, others, 0);
    // A number that is not met by chance.
    static const char club[] = "The club noted 212 members, and a mower. It was late.",
                      how_many[] = "How many members has our club?";
    static const char *const large[] = {"And the members in the jottings were 221, not 212."};
    FIND_EACH(club, how_many, large, 1);
    static const char small[] = "The club noted 12 members, and a mower. It was late.";
    static const char *const few[] = {"And the members in the jottings were 21, not 12."};
    FIND_EACH(small, how_many, few, 0);
}

static void test_really(void **state)
{
    (void)state;
    static const char text[] =
        "People supposed that he had lost the fingers in France. He let them. "
        "The fingers had in fact gone into a cutter.",
                      far[] =
                          "People supposed that he had lost the fingers in France. He let them.\n\n"
                          "The fingers had in fact gone into a cutter.";
    corrected_of(text, "How did he really lose his fingers?", 0, "The fingers had in fact");
    corrected_of(text, "How did he lose his fingers?", 0, NULL);
    corrected_of(far, "How did he really lose his fingers?", 0, NULL);
    corrected_of("He lost the fingers in France. The fingers had in fact hurt before.",
                 "How did he really lose his fingers?", 0, NULL); // nobody supposed it
}

static void test_passes(void **state)
{
    (void)state;
    static const char kept[] = "The handbook is kept by Ada Brown in the office. Ask her.";
    static const char *const passes[] = {
        "Ada Brown retires in May. From June the handbook passes to Bo Hill."};
    static const char *const others[] = {
        "Ada Brown retires in May. From June the handbook passes through Bo Hill's hands."};
    FIND_EACH(kept, "Who keeps the handbook?", passes, 1);
    FIND_EACH(kept, "Who keeps the handbook?", others, 0);
}

// The answer was made of another sentence than the one that it is shown with.
static void test_itself(void **state)
{
    (void)state;
    static const char text[] = "The rent is raised from 380 to 420 crowns.";
    struct changed_said s = {.text = text,
                             .n = strlen(text),
                             .said = {0, strlen(text)},
                             .question = "How much is the rent?",
                             .answer = "The rent is 380 crowns."};
    struct span_of_text at;
    assert_true(changed_find(&s, &at));
    assert_int_equal(at.from, 0);
    s.answer = "The rent is 420 crowns.";
    assert_false(changed_find(&s, &at));
    s.answer = "The rent is raised from 380 to 420 crowns.";
    assert_false(changed_find(&s, &at));
    s.answer = "The rent is 380 crowns.";
    s.question = "How much was the rent?";
    assert_false(changed_find(&s, &at));
}

// Of an answer that may be wrong what is about its sentence, or quotes it.
static void test_doubtful(void **state)
{
    (void)state;
    static const char asked[] = "How soon does a man turn up?",
                      depth[] = "There was a hollow one point four metres deep.\n\n";
    corrected_of(
        "A response to an urgent call takes six hours.\n\nThe response to an urgent call is cut "
        "from six hours to four.",
        asked, 1, "The response");
    corrected_of(
        "A response to an urgent call takes six hours.\n\nThe match is cut from six hours to four.",
        asked, 1, NULL);
    char text[300];
    snprintf(text, sizeof text, "%sFor \"one point four metres\" read \"one point one metres\".",
             depth);
    corrected_of(text, "How far down was it?", 1, "For ");
    snprintf(text, sizeof text, "%sFor \"two point four metres\" read \"one point one metres\".",
             depth);
    corrected_of(text, "How far down was it?", 1, NULL);
}

static void test_place(void **state)
{
    (void)state;
    static const char said[] = "5.4 Al Fox signs for the mill. It was late.",
                      who[] = "Who signs for the mill?";
    static const char *const places[] = {"His place in clause 5.4 is taken by Ada Brown."},
                             *const others[] = {"His place in clause 5.5 is taken by Ada Brown.",
                                                "The fee in clause 5.4 is paid by Ada Brown."};
    FIND_EACH(said, who, others, 0);
    FIND_EACH(said, "When does he sign for the mill?", places, 0);
    char text[200];
    snprintf(text, sizeof text, "%s\n\n%s", said, places[0]);
    const struct changed_said s = {.text = text,
                                   .n = strlen(text),
                                   .said = {0, strlen("5.4 Al Fox signs for the mill.")},
                                   .question = who,
                                   .answer = "Al Fox signs for the mill."};
    struct span_of_text at;
    assert_true(changed_find(&s, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_thing), cmocka_unit_test(test_again),
        cmocka_unit_test(test_from),     cmocka_unit_test(test_resolved),
        cmocka_unit_test(test_not),      cmocka_unit_test(test_numbers_denied),
        cmocka_unit_test(test_itself),   cmocka_unit_test(test_doubtful),
        cmocka_unit_test(test_place),    cmocka_unit_test(test_really),
        cmocka_unit_test(test_passes),   cmocka_unit_test(test_shifts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
