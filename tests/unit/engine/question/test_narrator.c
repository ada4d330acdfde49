// Who tells a document, and questions about them as they would ask them.
#include "engine/question/narrator.h"
#include "tests/unit/engine/question/anew_fixture.h"

#define TALK(q, a)                                                                                 \
    q " Where was that?\n" a " I was at the ferry then.\n" q " How long?\n" a                      \
      " I stayed for two years and I did not like it.\n" q " And why did you go?\n" a              \
      " I had a boat of my own by then, and my brother had none.\n" q " Was he glad?\n" a          \
      " I think so.\n" q " Thank you.\n" a " I thank you.\n"

static const char headed[] =
    "Narrator: Agnes \"Nan\" Fairweather, née Lunn\nDate: 3 May 2001\n\n" //
    TALK("Q.", "A.");
static const char labelled[] = "HAL MORROW: Welcome!\nMRS. NAN FAIRWEATHER: I am glad.\n"
                               "JOE FAIRWEATHER: So am I.\n" TALK("MORROW:", "FAIRWEATHER:") //
    "JOE: I rowed.\n";
static const char initials[] =
    "A talk with Agnes Fairweather about the ferry\n\n" TALK("HM:", "AF:");
static const char middle[] = "Agnes May Fairweather: a talk\n\n" TALK("HM:", "AF:");
static const char spoken[] =
    "Speaker: Agnes Fairweather (n\u00e9e Lunn), born 1934\n\n" TALK("X:", "Y:");
static const char marked[] = "# A talk\n\n" TALK("**Hal Morrow:**", "**[00:10] Nan Fairweather:**");
static const char sworn[] =
    "DEPOSITION OF MRS. AGNES MAY FAIRWEATHER\nTaken at Hull by Joe Lunn\n\n" //
    TALK("Q.", "A.");
static const char called[] = "In the matter of Lunn\n\nMrs. Agnes Fairweather, having been duly "
                             "sworn, testified as follows:\n\nBY MR. LUNN\n" //
    TALK("Q.", "A.");
static const char diary[] =
    "Author: Agnes Fairweather\n\n3 May. I rowed. I slept. I wrote to Joe.\n";

static char *told(const char *question, const char *const *texts, int n, int *which)
{
    return anew_of(narrator_asked, question, texts, n, which);
}

static void check(const char *question, const char *text, const char *want)
{
    anew_check(narrator_asked, question, text, want);
}

static void who_tells_it(void **state)
{
    (void)state;
    const char *const texts[] = {headed, initials, middle, spoken, diary, sworn, called};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check("When did Agnes leave the ferry?", texts[i], "When did I leave the ferry?");
        check("When did Agnes Fairweather leave?", texts[i], "When did I leave?");
        check("When did Joe Fairweather leave?", texts[i], NULL);
    }
    check("When did Nan leave the ferry?", headed, "When did I leave the ferry?");
    check("When did Agnes \"Nan\" Fairweather leave?", headed, "When did I leave?");
    check("When did Nan leave the ferry?", labelled, "When did I leave the ferry?");
    check("When did Nan Fairweather leave?", marked, "When did I leave?");
    check("when did nan leave the ferry?", marked, "when did I leave the ferry?");
    check("Why did the narrator leave?", headed, "Why did I leave?");
    check("Why did the witness leave?", called, "Why did I leave?");
    check("When was Agnes born?", spoken, NULL); // beside the name
    check("When was Agnes born?", headed, "When was I born?");
    check("When did Lunn leave?", sworn, NULL);
    check("When did Lunn leave?", called, NULL);
    check("When did Hal Morrow leave?", marked, NULL);
    check("When did Morrow leave?", labelled, NULL);
}

static void nobody_tells_it(void **state)
{
    (void)state;
    const char *const question = "When did Nan leave the ferry?";
    check(question, "", NULL);
    check(question, "Nan: see Agnes.\n", NULL);
    check(question, "Narrator: Nan Lunn\n\nThe ferry is blue.\n", NULL); // says nothing of herself
    check(question, "Narrator: Nan and Joe Lunn\n\nI rowed. I slept.\n", NULL);
    check(question, "Witness: Nan Lunn\nI rowed.\nWitness: Joe Lunn\nI slept.\n", NULL);
    // A talk of two equals: neither is asked by the other.
    check(question,
          "Nan: I row.\nJoe: I sleep.\nNan: I row on.\nJoe: I do.\nNan: I see.\nJoe: I do.\n"
          "Nan: I row.\nJoe: I sleep.\nNan: I row on and on.\nJoe: I do.\n",
          NULL);
    check("What does the Answer say?", TALK("Question:", "Answer:"), NULL);
}

static void how_it_is_put(void **state)
{
    (void)state;
    check("Who was Nan's brother?", headed, "Who was my brother?");
    check("Who was Nan\xe2\x80\x99s brother?", headed, "Who was my brother?");
    check("Who was Agnes' brother?", headed, "Who was my brother?");
    check("What did her brother give to Nan?", headed, "What did her brother give to me?");
    check("What did her brother pay Nan?", headed, "What did her brother pay me?");
    check("How old was Nan when she left?", headed, "How old was I when I left?");
    check("How old was Nan when Rita said she left?", headed,
          "How old was I when Rita said she left?");
    check("When did Nan and Joe Fairweather marry?", labelled, "When did we marry?");
    check("When did Nan and Rita marry?", labelled, "When did we marry?");
    check("When did Agnes and Rita marry?", "Author: Agnes Lunn\n\nI slept. Rita and I married.\n",
          "When did I and Rita marry?");
    check("When did Mrs. Nan Fairweather leave?", labelled, "When did I leave?");
    check("When did Mr Fairweather leave?", labelled, NULL); // may be Joe
}

static void questions_that_need_the_name(void **state)
{
    (void)state;
    check("Who is Nan?", headed, NULL);
    check("What is Nan's full name?", headed, NULL);
    check("Who was Nan's interviewer?", headed, NULL);
    check("When did the ferry sink?", headed, NULL);
    check("Nan", headed, NULL);
    check("", headed, NULL);
}

static void which_of_several(void **state)
{
    (void)state;
    const char *const texts[] = {"The ferry is blue.\n", headed, diary};
    int which;
    char *out = told("When did Nan leave?", texts, 3, &which);
    assert_non_null(out);
    assert_string_equal(out, "When did I leave?");
    assert_int_equal(which, 1);
    free(out);
    assert_null(told("When did Agnes leave?", texts, 3, &which)); // she is in the diary, too
}

#define TURNS                                                                                      \
    "[00:01] Ann Moor: I have a boat. Who comes?\n\n[00:02] Ben Moor: I do. My sister rows.\n\n"
static const char talk[] = "Date: 3 May\nPlace: Hull\n\n" TURNS TURNS TURNS TURNS;

#define CHAT                                                                                       \
    "12/03/2023, 10:02 - Ann: I have a boat.\n12/03/2023, 10:03 - Ben: I have none. Who comes?\n"
static const char chat[] = CHAT CHAT CHAT CHAT;

static void check_spoken(const char *question, const char *text, const char *want, const char *of)
{
    const struct named_text d = {text, strlen(text)};
    char *out, *who;
    int which;
    assert_int_equal(narrator_spoken(&out, &who, &which, question, &d, 1, NULL), 0);
    if (want) {
        assert_non_null(out);
        assert_string_equal(out, want);
        assert_string_equal(who, of);
        assert_int_equal(which, 0);
    } else if (out) {
        fail_msg("%s: is '%s'", question, out);
    }
    free(out);
    free(who);
}

static void one_of_several_speaks(void **state)
{
    (void)state;
    check_spoken("What does Ann row?", talk, "What do I row?", "Ann");
    check_spoken("When is Ben off?", talk, "When am I off?", "Ben");
    check_spoken("Has Ben rowed?", talk, "have I rowed?", "Ben");
    check_spoken("Why does Ben's sister row?", talk, "Why does my sister row?", "Ben");
    check_spoken("What did Ann Moor row?", talk, "What did I row?", "Ann Moor");
    check_spoken("What did Moor row?", talk, NULL, NULL);        // of two
    check_spoken("What was given to Ann?", talk, NULL, NULL);    // she does nothing
    check_spoken("What did Ann and Ben row?", talk, NULL, NULL); // nor alone
    check_spoken("Who is Ann?", talk, NULL, NULL);
    check_spoken("What did Place cost?", talk, NULL, NULL); // no one speaks so
    check_spoken("What does Ann lend?", chat, "What do I lend?", "Ann");
    check_spoken("What does Ann row?", diary, NULL, NULL);
    check_spoken("What does Ann row?", "", NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_tells_it),     cmocka_unit_test(nobody_tells_it),
        cmocka_unit_test(how_it_is_put),    cmocka_unit_test(questions_that_need_the_name),
        cmocka_unit_test(which_of_several), cmocka_unit_test(one_of_several_speaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
