// What kind of answer a question wants, and which texts have nothing of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/question/asked.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"

// A text that can answer each question, and one that cannot.
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *question, *can, *cannot;
    } cases[] = {
        {"How many tickets were sold?", "287 tickets.", "Tickets are sold at the door."},
        {"For how long may I stay?", "No longer than eighteen months.", "You may stay with us."},
        {"How long does it bake?", "90min at 180.", "Serves 6."},
        {"How long is the hose?", "The hose: 4 m.", "The hose of model 4 is grey."},
        {"How long is it open?", "From 9:30 on.", "Open for 6 people, say."},
        {"How long is my pass good?", "Until May.", "It is good."},
        {"How long is the tag?", "It takes eight octets.", "Each parcel has a tag."},
        {"How long is pay data kept?", "HR: 6 hr a day.", "Pay data is kept by HR."},
        {"Wie lange gilt es?", "Einen Tag.", "Es gilt."},
        {"Wie lange gilt er?", "Zwei Jahre.", "Er gilt f\u00fcr 2 Personen."},
        {"How much is a base?", "One base costs more.",
         "The old one is swollen, as one of us saw."},
        {"How much is the salary?", "6.1 The Company pays 68,400 a year.",
         "16.3 The Company may pay the salary, as in Schedule 3.1, at once, once it is due."},
        {"How much is left?", "2.5 GB of it.", "16. NOTICE AND PAY\n\nPay is due."},
        {"How much do they charge?", "2 pounds each.", "2. Charges are in No. 7, clause 4."},
        {"Answer in a few words. How often is it swept?", "It is swept Once a year.",
         "It is swept."},
        {"what does the certificate cost?", "Issued on payment of 3,500 kronur.",
         "A certificate was required."},
        {"At what time do we leave?", "In the morning.", "We leave by coach."},
        {"When is the rent due?", "On Lady Day, before noon.", "The rent is due."},
        {"When does the feast begin?", "It begins at dusk.", "It begins by itself."},
        {"Which year was it built?", "1889", "It was built of stone."},
        {"Who stitched the hand?", "Three stitches by Dr Osei.",
         "The hand was stitched. It healed."},
        {"Who won?", "It closed in May; Ada won.", "It closes on 3 August and on Friday."},
        {"To whom was it sent?", "It went to (Marguerite) first.", "It was sent away: The end."},
        {"Why is the post closed?", "It is closed because of the flood.", "The post is closed."},
        {"Why is it closed?", "It is closed since 20 men fell ill.", "It is closed since cast 31."},
        {"Why is it closed?", "It is closed since the men fell ill.", "It is closed ever since."},
        {"Why is it closed?", "It is closed, since it leaks.", "Closed since 1931, since 2 May."},
        {"Why is it closed?", "Closed, since the boat sank.", "It is closed since the war."},
        {"Wann wird geleert?", "Donnerstags wird geleert.", "Die Tonne wird geleert."},
        {"Seit wann gilt sie?", "Seit dem Beschluss.", "Die Ordnung gilt."},
        {"Wie viele Katzen sind erlaubt?", "Zwei Katzen.", "Katzen sind erlaubt."},
        {"Was kostet der Platz?", "Er kostet 62 Euro.", "Der Platz ist im Hof."},
        {"What is Tom's phone number?", "Flat 7, 0171/555-0142",
         "Flat 7, since 8 Jan 2024 at 19:02"},
        {"What is Tom's phone number?", "On 11 Feb 2023 10:18: 2012 3456",
         "On Sat, 11 Feb 2023 10:18 +0000, in 11/2023 and 2019-2023; 2023-02-11 19:42:10 2023"},
        {"What is Tom's phone number?", "Policy no. 5550142, call (0171) 555 0142",
         "Kiln Ltd (company number 04417723), Kundennummer: 5550142, account no. 2012 3456"},
        {"What is her e-mail address?", "Ada <a.b@x.example>", "She mails him @ home @"},
        {"Wie lautet seine Telefonnummer?", "(0171) 555 0142", "Sie hat 7 Ziffern."},
        {"Warum ist zu?", "Weil gebaut wird.", "Die Halle ist zu."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (asked_fit(cases[i].question, cases[i].can) < 0)
            print_error("%s\n", cases[i].question);
        assert_true(asked_fit(cases[i].question, cases[i].can) >= 0);
        assert_true(asked_fit(cases[i].question, cases[i].cannot) < 0);
    }
}

// An answer that lacks what its sentence has of the kind asked for; of names nothing is known.
static void test_left_out(void **state)
{
    (void)state;
    static const char why[] = "Why did the bridge stay closed?", how[] = "How big is the disk?",
                      closed[] = "Because of a heron, the bridge stayed closed until June.";
    assert_true(asked_left_out(why, "The bridge stayed closed until June.", closed));
    assert_false(asked_left_out(why, "Because of a heron.", closed));
    assert_false(asked_left_out(why, "It stayed closed.", "The bridge stayed closed."));
    assert_true(asked_left_out(how, "It holds all that is needed.", "It holds 600 MB of it."));
    assert_false(asked_left_out(how, "600 MB", "It holds 600 MB of it."));
    assert_false(asked_left_out("Who saw it?", "Marcus", "It was seen by Marcus."));
    assert_false(asked_left_out("Was it closed?", "Yes.", closed));
}

static void test_any_text_may_do(void **state)
{
    (void)state;
    static const char *const questions[] = {"How did he die?",
                                            "How",
                                            "What",
                                            "What is it called?",
                                            "Which phone was lost?",
                                            "What address did he mean?",
                                            "Was steht dort?",
                                            "Wie geht es?",
                                            "Where is the key?",
                                            "the rent",
                                            "",
                                            "Is it paid when he leaves, or how much is it?"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        assert_true(asked_fit(questions[i], "he fell.") == 0);
}

static void test_answered(void **state)
{
    (void)state;
    assert_true(asked_answered("What was in the chest?", "In the chest there was a key."));
    assert_false(asked_answered("What was in the chest?", "In the chest there was no gold."));
    assert_false(asked_answered("What was in the chest?", "They dug up an iron chest."));
    assert_true(asked_answered("What was in the chest?", "They dug up a chest of gold."));
    assert_true(asked_answered("Who dug up the chest?", "They dug up an iron chest."));
    assert_false(asked_answered("Whose boat sank?", "A boat sank off the mole."));
    assert_true(asked_answered("Whose boat sank?", "Ruth's boat sank off the mole."));
    assert_true(asked_answered("Whose boat sank?", "The boat that sank belonged to Ruth."));
    assert_false(asked_answered("Wer wohnt dort?", "Dort wohnt niemand."));
    assert_true(asked_answered("Was there gold in the chest?", "In the chest there was no gold."));
    assert_true(asked_answered("What is not allowed?", "Dogs are not allowed."));
    assert_false(asked_answered("Why is it closed?", "It is closed."));
    assert_true(asked_answered("Why is it closed?", "It is closed because of the flood."));
    assert_true(
        asked_answered("When is it closed?", "It is closed.")); // that may be said otherwise
    static const char boiler[] = "What became of the boiler?";
    assert_false(asked_answered(boiler, "She asked him when it would be mended."));
    assert_false(asked_answered("Was wurde aus dem Kessel?", "Sie fragte, ob er repariert sei."));
    assert_true(asked_answered("What did she ask about?", "She asked when it would be mended."));
    assert_true(
        asked_answered(boiler, "The council asked for it, and a smith took what was left."));
    assert_false(asked_answered("How do I stop the buzzer?", "The buzzer can be silenced."));
    assert_false(asked_answered("It smells, what can I do about it?", "That can be cured."));
    assert_true(asked_answered("How do I stop the buzzer?", "It can be silenced with a key."));
    assert_true(asked_answered("How do I stop the buzzer?", "Press any key."));
    assert_true(asked_answered("How does the buzzer work?", "The buzzer is a bell."));
    assert_false(asked_what("Is it closed?"));
    assert_true(asked_what("On which day is it closed?"));
}

static void test_rows(void **state)
{
    (void)state;
    static const char question[] = "How long does the programme Wool take?";
    assert_true(asked_row(question, "Programme\tLoad\tTime\nWool\t1.5 kg\t39 min"));
    assert_true(asked_row(question, "Name | Load | Time\nFull | Wool | 39"));
    assert_false(asked_row(question, "Name\tLoad\tTime\nWoollen\t1.5 kg\t39 min"));
    assert_false(asked_row(question, "Name\tLoad\tTime\nfor\tthe\t39 min"));
    assert_false(asked_row(question, "Wool\tLoad\tTime")); // names columns, or nothing
    assert_false(asked_row(question, "A heading\nWool is soft."));
}

static void test_numbers(void **state)
{
    (void)state;
    assert_true(asked_numbers("Who has the id 1130?", "1130,Ida Falk") == 1);
    assert_true(asked_numbers("Who has the id 1130?", "11301,Ida Falk") == 0);
    assert_true(asked_numbers("On 2020-09-29?", "2020-09-01") > 0.6 &&
                asked_numbers("On 2020-09-29?", "2020-09-01") < 0.7);
    assert_true(asked_numbers("Who?", "1130") == 0);
    // A version is one number.
    assert_true(asked_numbers("When did version 1.1 come?", "Version 2.1 came") == 0);
    assert_true(asked_numbers("When did version 1.1 come?", "2.1.1 and 11.1, 1.12") == 0);
    assert_true(asked_numbers("When did version 1.1 come?", "It was v1.1.3.") == 1);
    assert_true(asked_numbers("Is 1.1 before 1.2?", "1.1 was the first") == 0.5);
    assert_true(asked_numbers("Who came at 7.30?", "Ida came at 7:30.") == 1);
    assert_true(asked_numbers("What was paid in March?", "2023-03-13,power,91.20") == 1);
    assert_true(asked_numbers("What was paid in March?", "13.03.2023 power 91.20") == 1);
    assert_true(asked_numbers("What was paid in March?", "2023-02-13,power,78.40") == 0);
    assert_true(asked_numbers("What was paid in december?", "2023-12-13,power,78.40") == 1);
    assert_true(asked_numbers("What was paid for May?", "2023-06-01,rent of May,900") == 1);
    assert_true(asked_numbers("What may be paid in 2023?", "2023-06-01,rent,900") == 1);
    assert_true(asked_numbers("On 5 March?", "On 5 April") == 0.5);
    assert_true(asked_numbers("In March?", "In March") == 0); // its name tells by itself
    assert_true(asked_numbers("On 5 March?", "5, from May to June") == 1);
    assert_true(asked_numbers("On 5 March?", "5 of them") == 1);
    assert_true(asked_numbers("In March?", "part 0003-13-99 of 2.3.4 and 10.0.3.250") == 0);
}

// A label before a number is a part of its name.
static void test_labels(void **state)
{
    (void)state;
    static const char two[] = "How soon is Priority 2 dealt with?", part[] = "What is in part 3?";
    assert_true(asked_numbers(two, "Priority 2: in 4 hours") == 1);
    assert_true(asked_numbers(two, "Priority 1: in 2 hours") == 0);
    assert_true(asked_numbers(two, "in 2 hours") == 1);
    assert_true(asked_numbers(two, "Priority 1: at once. Priority 2: soon") == 1);
    assert_true(asked_numbers(part, "3.4 Tin") == 0 && asked_numbers(part, "4.3 Tin") == 0);
    assert_true(asked_numbers("What is in 3.4?", "3.4 Tin") == 1);
    assert_int_equal(asked_numbers_lacking(two, "Priority 1: in 2 hours"), 1);
    assert_int_equal(asked_numbers_lacking(two, "Priority 2"), 0);
    assert_int_equal(asked_numbers_lacking("On 5 March 2024?", "On 6 April 2024"), 2);
    assert_int_equal(asked_numbers_lacking("Who?", "In 2024"), 0);
}

// What is about another thing of the same kind than is asked for.
static void test_of_another(void **state)
{
    (void)state;
    static const struct {
        const char *question, *another, *own;
    } cases[] = {
        {"How soon is Priority 2 dealt with?", "Priority 1: in 2 hours", "in 2 hours"},
        {"Who has plot 38?", "plots 14 and 72 are free", "plots 14 and 72, but not plot 38"},
        {"Who pays in row 7?", "Row 8: Ada", "Row 7: Ada"},
        {"What was paid in October 2024?", "Meeting of 17 January 2024", "Meeting of 2 October"},
        {"What was paid in March?", "2023-02-13,power,78.40", "2023-03-13,power,91.20"},
        {"What was paid in March?", "April: 9", "9 from January to May"}, // several are a time
        {"What was paid in March?", "April: 9", "9"},
        {"Who left on 3 October?", "Sat 3 Sept. Ada left.", "Mon 3 Oct. Ada left."},
        {"Who left on 3 October?", "Sept. 3: Ada left.", "Jan and 3 others left."},
        {"Who left on 3 October?", "September and October\n\n3 Sept. Ada", "3 Sept. to 3 Oct."},
        {"What did 30 of them cost?", "", "20 of them cost 9"},
        {"Who was there at 5 and 7?", "", "At 4 and 6 he was there."},
        {"Who mends a fault of class B?", "one of class A is mended", "Class A: Ada; class B: Bo"},
        {"Who mends a fault of class B?", "", "a class I mend"},
        {"What may a trailer without brakes weigh?", "trailer with brakes: 900 kg",
         "with brakes 900 kg, without brakes 500 kg"},
        {"What may a trailer with brakes weigh?", "Without brakes: 500 kg", "trailer: 900 kg"},
        {"What was the build of mill 4.18.0?", "mill 3.17.3 is up", "mill-5f7c, version 4.18.0"},
        {"Which version of the gate was tried?", "rollout of mill 4.18.0", "rollout of gate 4.1"},
        {"Which version of the gate was tried?", "", "half of 4.1 was rolled out"},
        {"With two rowers, how many oars are taken?", "With three rowers, take six oars.",
         "With two or three rowers, take four."},
        {"What is it for two rowers?", "For three rowers it is 6 pounds.", "With three, it is 6."},
        {"With 2 rowers, how many oars are taken?", "With three rowers, take six oars.",
         "It takes six with three rowers, four with two rowers."},
        {"With two rowers, how many oars are taken?", "With 3 rowers, take six oars.",
         "Six with three rowers, four with 2 rowers."},
        {"With two rowers, who steers?", "", "The one with three oars steers."},
        {"Who lives in Block C?", "Block A 4 has rats", "Blocks have a door each"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(asked_of_another(cases[i].question, cases[i].another),
                         *cases[i].another != 0);
        assert_false(asked_of_another(cases[i].question, cases[i].own));
    }
}

// What a question asks for, and a text has nothing of: the score is less.
static void test_lacking(void **state)
{
    (void)state;
    static const char much[] = "How much did the railway cost?",
                      number[] = "What is Ada's phone number?";
    assert_true(asked_lacking(much, "It took its first train on 6 May 1901."));
    assert_true(asked_lacking(much, "It was opened in 1901, or in May of 1902."));
    assert_true(asked_lacking(much, "8.1 The railway had its licence."));
    assert_true(asked_lacking("How many bees were there?", "Bees came in the second week of May."));
    assert_true(asked_lacking("How many bees were there?", "They came on the 7th of May, 1954."));
    assert_true(asked_lacking("How many bees were there?", "They came about four in the morning."));
    assert_false(asked_lacking("How many bees were there?", "About four came in the morning."));
    assert_false(asked_lacking("How many bees came in March?", "In March, 12 bees came."));
    assert_false(asked_lacking("How many bees came in May?", "In May, 40 bees came."));
    assert_false(asked_lacking(much, "It cost 1901 pounds."));
    assert_false(asked_lacking(much, "It cost twelve pounds."));
    assert_false(asked_lacking(much, "It cost none of us anything."));
    assert_true(asked_lacking("How long did it run?", "It ran to the sea."));
    assert_false(asked_lacking("How long did it run?", "It ran for years."));
    assert_true(asked_lacking("How long is the dam?", "The dam took two years."));
    assert_false(asked_lacking("How long is the dam?", "It took two years and is 90 yards long."));
    assert_false(asked_lacking("How long is the trip?", "The trip took two hours."));
    assert_true(asked_lacking("How long is the lease?", "It ends by two months' written notice."));
    assert_false(
        asked_lacking("How long is the lease?", "It is for a year, with a month's notice."));
    assert_false(asked_lacking("How long is the notice?", "It ends by two months' notice."));
    assert_true(asked_fit("How long is the lease?", "The owner lets the barn for some 21 years.") >
                asked_fit("How long is the lease?", "It is let to him; it stood for years."));
    assert_true(asked_fit("How long is the trip?", "The trip took two hours.") >= 0);
    assert_false(asked_lacking("How long was the trip?", "It took two years."));
    assert_true(asked_lacking("When did the mill burn?", "When it was sold it had two wheels."));
    assert_true(
        asked_lacking("When did the mill burn?", "I was there before it burned, in the attic."));
    assert_false(asked_lacking("When did the mill burn?", "It burned before the war."));
    assert_false(asked_lacking("When did the mill burn?", "I was there until it burned in 1901."));
    assert_false(asked_lacking("When did the mill burn?", "When it burned it had two wheels."));
    assert_false(asked_lacking("When did the mill burn?", "When spring came, in March."));
    assert_true(asked_fit("How long is the dam?", "The dam took two years.") < 0);
    assert_true(asked_for_doer("Who drew the map?") && !asked_for_doer("Who is the warden?"));
    assert_true(asked_lacking(number, "Ada is the company's secretary."));
    assert_false(asked_lacking(number, "Ada is at 01632 960 417."));
    assert_true(asked_lacking("When does it open?", "It opens in the wall."));
    assert_false(asked_lacking("Who built it?", "They did."));
    assert_true(asked_lacking("How high is the mill?", "Thu 8 Sept. Up to the mill."));
    assert_true(asked_lacking("How much is paid for the lid?", "It has a lid and a crown."));
    static const char rent[] = "What is the rent of the shop?", old[] = "How old is Ada?",
                      *const who[] = {"Who is the treasurer?",
                                      "What is the name of the treasurer's wife?"};
    assert_true(asked_lacking(rent, "The shop has 3 rooms and a yard."));
    assert_false(asked_lacking(rent, "The shop is 12.50 a day."));
    assert_false(asked_lacking(rent, "The shop is let for \u00a3 300."));
    assert_false(asked_lacking(rent, "The shop is let for 300 euros."));
    assert_false(asked_lacking("How much does it weigh?", "It weighs 3 kg."));
    assert_true(asked_lacking(old, "Ada was in the water for ten minutes."));
    assert_false(asked_lacking(old, "Ada is 71 years old."));
    for (int i = 0; i < 2; i++) {
        assert_true(asked_lacking(who[i], "The committee has a treasurer, who has a wife."));
        assert_false(asked_lacking(who[i], "The treasurer's wife is called Ada."));
        assert_false(asked_lacking(who[i], "Ada Pell keeps the accounts."));
    }
    static const char first[] = "What is Mrs Pell's first name?";
    assert_true(asked_lacking(first, "Rooms. They do not suit Mrs Pell."));
    assert_false(asked_lacking(first, "Rooms. They do not suit Ada Pell."));
    assert_false(asked_lacking(first, "She is called Ada."));
    assert_true(asked_lacking(first, "She is called so."));
    assert_false(asked_lacking(first, "Mrs Pell came. Ada Pell left."));
    assert_true(asked_lacking("What is Nurse Pell's first name?", "At nine Nurse Pell came."));
    assert_false(asked_lacking("What is Nurse Pell's first name?", "At nine Ada Pell came."));
    assert_true(asked_lacking("How many sons has she?", "Told to her son, Hale, 1994-95"));
    assert_false(asked_lacking("How many sons has she?", "Told to her 3 sons, Hale, 1994-95"));
    assert_false(asked_lacking("Who is the guide for?", "It is for all of us."));
    assert_false(asked_lacking("By whom is the house let?", "It is let by the agent."));
    assert_false(asked_lacking("What is the name of the option?", "The option is called -x."));
}

// A sentence about the same things that has not the word for what is asked of them.
static void test_lacking_words(void **state)
{
    (void)state;
    static const struct {
        const char *question, *text;
        int lacking;
    } cases[] = {
        {"Who drew the map of Hale?", "I was the keeper at Hale.", 1},
        {"Who drew the map of Hale?", "I drew it when I was the keeper at Hale.", 0},
        {"Who drew the map of Hale?", "The map of Hale is by Ada Pell.", 0},
        {"Who was it that came?", "The keeper did.", 0},
        {"Who is the warden of Hale?", "Constable Orth told of a theft at Hale.", 1},
        {"Who is the warden of Hale?", "The warden of Hale, Ada Pell, was there.", 0},
        {"Who is the author of Hale?", "Hale is by Ada Pell.", 0},
        {"Who was the wife of Bo?", "Bo was married to Ada Pell.", 0},
        {"How many of the boats are blue?", "The harbour has 30 boats.", 1},
        {"How many of the boats are blue?", "There are 30 boats, of which 4 are blue.", 0},
        {"How many of the boats sank?", "Four went down.", 0},
        {"How many boats are in the lake?", "The lake has a pier upon one side.", 1},
        {"How many boats are in the lake?", "The lake has one boat.", 0},
        {"How much does it cost to cross the lake?", "The lake's dam cost 900 pounds.", 1},
        {"How much does it cost to cross the lake?", "Crossing it is 9 pounds.", 0},
        {"How much does it cost to get in?", "Children are 2 pounds.", 0},
        {"What did it cost to mend it?", "It is repaired for 90 pounds.", 0},
        {"When was Ada born?", "The life of Ada Pell, told in 1994", 1},
        {"When was Ada born?", "I was born in 1913.", 0},
        {"When was Ada born?", "I was born in this street, number 4. That was in the war.", 1},
        {"When was Ada born?", "Ada, born 9.2.1934, is here.", 0},
        {"When was Ada born?", "It was the 17th. Ada born 3.22, at home.", 0},
        {"When was Ada born?", "Ada was born before the war.", 0},
        {"When was Ada born?", "Ada Pell (1913-1996) kept the mill.", 0},
        {"When was Ada born?", "Ada Pell (b. 1913) keeps the mill.", 0},
        {"Who was born when it burnt?", "It burnt in 1913, and Ada cried.", 0},
        {"What colour was the roof?", "The roof was stripped in May.", 1},
        {"What colour was the roof?", "The roof was of a reddish clay.", 0},
        {"What colour was the roof?", "It was greyish.", 0},
        {"What colour was the roof?", "It was of grey slate.", 0},
        {"When does the valve open?", "The valve may be open: press the key.", 1},
        {"When does the valve open?", "The valve opens in May.", 0},
        {"How often is the duct cleaned?", "The duct needs 5 cm of wool.", 1},
        {"How often is the duct cleaned?", "The duct is cleaned yearly.", 0},
        {"How often is the duct cleaned?", "The duct is cleaned on Mondays.", 0},
        {"How many days of leave are left?", "Ada has one day left.", 0},
        {"How many days of leave are left?", "One day.", 0},
        {"How many days of leave are left?", "One day Ada left.", 1},
        {"How often is the duct cleaned?", "Clean it after 90 hours.", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (asked_lacking(cases[i].question, cases[i].text) != cases[i].lacking)
            fail_msg("%s %s", cases[i].question, cases[i].text);
}

// What only tells that somebody asks does not tell that.
static void test_reports(void **state)
{
    (void)state;
    static const char when[] = "When was the boiler mended?";
    static const char *const only[] = {"Is it mended?", "\"Where is he?\" said Agnes.",
                                       "\u201cIs it true of Mr Pruett?\u201d asked Miss Hale.",
                                       "> *Is it mended?*"},
                             *const others[] = {
                                 "\"Where is he?\" said Agnes. \"In the boat.\"",
                                 "\"Where is he?\" He was in the boat.", "It is mended.",
                                 "\"Is it?\" said Agnes, who had seen him in the boat "
                                 "with the others on Monday."};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        assert_true(asked_only_asks("Where is the mate?", only[i]));
        assert_false(asked_only_asks("What did Agnes ask?", only[i]));
        assert_false(asked_only_asks("Where is the mate?", others[i]));
    }
    assert_true(asked_reports(when, "She asked when the boiler was mended."));
    assert_true(asked_reports(when, "I would like to ask Ole when that was."));
    assert_false(asked_reports(when, "She asked when it was mended. It was in May."));
    assert_false(asked_reports("Who asked for the boiler?", "She asked when it was mended."));
    assert_false(asked_reports(when, "She asked for it in May."));
}

// A title that has but the name of whom something is asked about.
static void test_only_named(void **state)
{
    (void)state;
    static const char title[] = "written down by Agnes Lane, and printed at Ham";
    assert_true(asked_only_named("What did Agnes sell in the market?", title));
    assert_false(asked_only_named("Who is Agnes Lane?", title));
    assert_false(asked_only_named("Where does Agnes Lane work?", title));
    assert_false(asked_only_named("Where was the diary of Agnes printed?", title));
    assert_false(asked_only_named("What did Ole sell in the market?", title));
    assert_false(asked_only_named("Seit wann gilt die Satzung?", "Satzung vom 3. Mai"));
}

// A denial does not tell who, where or when, unless that is asked for or it tells some of it.
static void test_only_denied(void **state)
{
    (void)state;
    static const char who[] = "Who opened the dish?", where[] = "Where was the dish found?";
    static const struct {
        const char *question, *text;
        int denied;
    } cases[] = {
        {who, "But Ada did not open the dish.", 1},
        {where, "Kitchen\n\nThey did not see the dish.", 1},
        {where, "They did not see the dish, but Ole did.", 0},
        {where, "They saw the dish in the sink.", 0},
        {where, "They did not see it. It was in the sink.", 0},
        {who, "Ada did not answer.", 0},
        {who, "Ada opened the dish.", 0},
        {"Who did not open the dish?", "Ada did not open the dish.", 0},
        {"When is the dish broken?", "It is not broken before May.", 0},
        {"Is the dish broken?", "It is not broken.", 0},
        {"Why was the dish broken?", "It was not broken.", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (asked_only_denied(cases[i].question, cases[i].text) != cases[i].denied)
            fail_msg("case %zu", i);
    assert_true(asked_said_again("Who may propose a sale?", "3. Proposing a sale."));
    assert_false(asked_said_again("Who may propose a sale?", "Ann may propose a sale."));
    assert_false(asked_said_again("How many sales are there?", "There are two sales."));
    assert_false(asked_said_again("May I propose a sale?", "3. Proposing a sale."));
    assert_false(asked_said_again("Who may propose a sale?", ""));
    assert_true(asked_fit("Where is the dish sale?", "Dish sale    15%") < 0);
    assert_true(asked_lacking("Where is the dish sale?", "Dish sale    15%"));
    assert_false(asked_fit("Where is the dish sale?", "3 May    Dish sale, Hall 4") < 0);
    assert_true(asked_fit(where, "Then they did not see Ada.") < 0);
    assert_true(asked_lacking(where, "Then they did not see Ada."));
}

static void test_not_reached(void **state)
{
    (void)state;
    assert_true(asked_lacking("What is Tom's phone number?", "Kiln Ltd (company no. 04417723)"));
    assert_false(asked_lacking("What is Tom's phone number?", "Ring 0171 555 0142."));
    assert_true(asked_lacking("What is Tom's e-mail address?", "He lives in Mill Lane."));
    assert_false(asked_lacking("What is Tom's address?", "He lives in Mill Lane."));
    assert_true(asked_lacking("Which release has biscuits?", "Ulla wants biscuits."));
    assert_false(asked_lacking("Which release has biscuits?", "Biscuits are new in 1.1."));
    assert_false(asked_lacking("Which release has biscuits?", "The next release has."));
    assert_false(asked_lacking("Who has biscuits?", "Ulla wants biscuits."));
}

static void test_steps(void **state)
{
    (void)state;
    assert_true(asked_for_steps("How do I close the valve?"));
    assert_true(asked_for_steps("Be brief. How can one close it?"));
    assert_true(asked_for_steps("How to close it"));
    assert_false(asked_for_steps("How does the valve close?"));
    assert_false(asked_for_steps("How can the valve close?"));
    assert_false(asked_for_steps("How many valves do I close?"));
    assert_false(asked_for_steps("What do I close?"));
    assert_false(asked_for_steps("How"));
}

static void test_definitions(void **state)
{
    (void)state;
    static const struct {
        const char *question, *does, *not ;
    } cases[] = {
        {"What is a Net Rent?", "1.7. \"Net Rent\" means the rent less tax.",
         "The Net Rent may be paid in May."},
        {"What does RPM mean?", "RPM: n.\nTurns in a minute.", "RPMX: n.\nNothing."},
        {"What does \"RPM\" stand for?", "RPM stands for turns.", "Turns are called RPM."},
        {"Who are the Keepers?", "Keepers are those who keep.", "Keepers came by."},
        {"what are valves?", "A valve is a door.", "The valves of 1901 leaked."},
        {"What is the default of port?", "Port is a wine.", "The default."},
        {"What does the captain do?", "Captain is a rank.", "The captain: n.\nA rank."},
        {"Define slip.", "Slip:\nWhat is lost.", "Slip, as was said, is bad."},
        {"What is the quorum of the meeting?", "A quorum is ten.", "Ten count as the quorum."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int asked = i != 5 && i != 6;
        assert_int_equal(asked_defines(cases[i].question, cases[i].does), asked);
        assert_false(asked_defines(cases[i].question, cases[i].not ));
    }
}

// What something does is said by what begins with it and a verb.
static void test_doings(void **state)
{
    (void)state;
    static const char at[] = "What does the at command do?";
    assert_true(asked_does(at, "The at executes a command."));
    assert_true(asked_does(at, "The at command executes another one."));
    assert_true(asked_does(at, "9.7.2. Using at\n\nThe at executes a command."));
    assert_true(asked_does("What does tar do?", "tar packs files."));
    assert_false(asked_does(at, "The task is told by the at command."));
    assert_false(asked_does(at, "The attic holds a command."));
    assert_false(asked_does(at, "The at command is old."));
    assert_false(asked_does(at, "At"));
    assert_false(asked_does("What does the at command mean?", "The at executes a command."));
    assert_false(asked_does("What does do?", "It executes a command."));
}

static int misses(const char *question, const char *text)
{
    return asked_misses(question, text, asked_fit_alone(question, text));
}

// What has a number of what is counted, or the sum that is asked for, and what is only to be done.
static void test_fits(void **state)
{
    (void)state;
    static const char hours[] = "How many hours were charged?", sum[] = "What is the salary?",
                      notes[] = "Who took the notes?", how[] = "How do I clean the pot?";
    assert_true(asked_fit_alone(hours, "Garden labour, 28 hours, at 32 pounds") > 0);
    assert_true(asked_fit_alone(hours, "It took two whole hours.") > 0);
    assert_true(asked_fit_alone(hours, "It is 24 pounds for labour hours.") <= 0);
    assert_true(asked_fit_alone(hours, "Charged: 3 gardeners.") <= 0);
    assert_true(asked_fit_alone(sum, "He has a salary of \u00a334,200.") == 0);
    assert_true(asked_fit_alone(sum, "Salary is reviewed every January.") < 0);
    assert_true(asked_fit_alone("What did they get for the van?", "The van was sold.") < 0);
    assert_true(asked_fit_alone("What do I get for working late?", "You get time off.") == 0);
    assert_true(asked_fit("When is the salary paid?", "On the 25th of May.") >= 0);
    assert_true(asked_fit(notes, "Lewis will take the notes.") < 0);
    assert_true(asked_fit(notes, "The notes were taken by Ruth Adey.") == 0);
    assert_true(asked_fit("Who opened it?", "Lewis will open it.") < 0);
    assert_true(asked_fit("Who takes the notes?", "Then Ann Lewis will take the notes.") == 0);
    assert_true(asked_fit(how, "The pot must be cleaned each month.") < 0);
    assert_true(asked_fit(how, "The pot must be cleaned with vinegar.") == 0);
    assert_true(asked_fit(how, "The pot should be cleaned under the tap.") == 0);
    assert_true(misses(notes, "Then Ann Lewis will take the notes."));
    assert_true(misses(sum, "Salary is reviewed every January."));
    assert_false(misses(sum, "He has a salary of \u00a334,200."));
    assert_false(misses("Who has to be asked?", "Book it with the purser."));
    static const char what[] = "What do I do if the map opens on the wrong screen?",
                      ride[] = "What does a ride cost?";
    assert_false(asked_answered(what, "The map may open on the wrong screen."));
    assert_false(asked_answered(what, "Use of the map is free. Nothing helps."));
    assert_true(asked_answered(what, "Open the map on the other screen."));
    assert_true(asked_answered(what, "If the map is wrong, start it again."));
    assert_true(asked_answered(what, "You should close the map first."));
    assert_true(asked_lacks_value(ride, "Book it by noon on the day before."));
    assert_false(asked_lacks_value(ride, "The fare is \u00a32.50."));
    assert_false(asked_lacks_value("Who drives?", "Book it by noon on the day before."));
    assert_true(asked_shares_word("When was Ada born?", "Born on 17 June 1988 in Halm"));
    assert_false(asked_shares_word("When was Ada born?", "It was on 17 June 1988."));
}

// Who does something with one thing, and a question that asks for another thing of it.
static void test_object(void **state)
{
    (void)state;
    static const char pays[] = "Who pays the rent?", where[] = "Where is the shed key?";
    assert_true(asked_lacks_object(pays, "The tenant pays the deposit."));
    assert_false(asked_lacks_object(pays, "The rent is paid by the tenant."));
    assert_false(asked_lacks_object("Who pays?", "The tenant does."));
    assert_false(asked_lacks_object("What pays the rent?", "The deposit does."));
    assert_false(asked_lacks_object("Who pays the rent of the barn?", "Ada does."));
    assert_true(asked_begins_asking(where, "Who has the shed key? The hook is empty."));
    assert_true(asked_begins_asking(where, "Could somebody take the shed key? Ben has moved."));
    assert_false(asked_begins_asking(where, "Who has the shed key? The key is with Ben."));
    assert_false(asked_begins_asking(where, "Where is the shed key? Below the pot."));
    assert_false(asked_begins_asking(where, "Who has the boat? It is empty."));
    assert_false(asked_begins_asking(where, "Ben has the shed key. Who else?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_doings),
                                       cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_any_text_may_do),
                                       cmocka_unit_test(test_answered),
                                       cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_labels),
                                       cmocka_unit_test(test_of_another),
                                       cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_reports),
                                       cmocka_unit_test(test_only_named),
                                       cmocka_unit_test(test_only_denied),
                                       cmocka_unit_test(test_not_reached),
                                       cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_definitions),
                                       cmocka_unit_test(test_left_out),
                                       cmocka_unit_test(test_lacking),
                                       cmocka_unit_test(test_fits),
                                       cmocka_unit_test(test_object),
                                       cmocka_unit_test(test_lacking_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
