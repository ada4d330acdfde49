// What a reply, a report or an aside says of what was said before.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/engine/changed/changed_fixture.h"

#define MOORING "The mooring fee is 20 pounds a night. Dogs are welcome.\n\n"

// What is quoted in a reply, and refused there.
static void test_refusals(void **state)
{
    (void)state;
#define SOLD                                                                                       \
    "Then we need no shed, and we can sell the boat.\n\nBo wrote:\n> we can sell the boat\n\n"
    static const char ASKED[] = "What can we sell?";
    finds(SOLD "Please don't. Ada needs it in May for the goats and for all the hay.\n", "Then",
          ASKED, "> we can sell the boat\n\nPlease don't. Ada");
    finds(SOLD "No it cannot, it has no mast yet.\n", "Then", ASKED,
          "> we can sell the boat\n\nNo");
    finds(SOLD "Not any more: it has sunk.\n", "Then", ASKED, "> we can sell the boat\n\nNot any");
    // What is set against a word of it.
    finds(SOLD "It is the hay that we can spare, not the boat.\n", "Then", ASKED,
          "> we can sell the boat\n\nIt is the hay");
    finds(SOLD "Almost. It is not the boat, it is the shed by the brook.\n", "Then", ASKED,
          "> we can sell the boat\n\nAlmost. It is not");
    finds(SOLD "It was not the boat but the shed that I had in mind.\n", "Then", ASKED,
          "> we can sell the boat\n\nIt was not");
    finds(SOLD "It is not the hay, it is the rain. Ask in May.\n", "Then", ASKED, NULL);
    finds(SOLD "It is not the boat that I am afraid for.\n", "Then", ASKED, NULL);
    finds(SOLD "It is old, not cheap. Ask in March, not in May.\n", "Then", ASKED, NULL);
    finds(SOLD "Not sure whether the boat is ours.\n", "Then", ASKED, NULL);
    finds(SOLD "No objection to that. It is old.\n", "Then", ASKED, NULL);
    finds(
        "Then we need no shed. Can we sell the boat?\n\nBo wrote:\n> Can we sell the boat?\n\nNo. "
        "It is new.\n",
        "Can we", "Can the boat be sold?", NULL);
    finds(SOLD "Please don't. Ada needs it.\n", "no shed", "What can we sell?",
          "> we can sell the boat");
    finds_of(SOLD "Please don't. Ada needs it.\n", "no shed", ASKED, "We need no shed.", NULL);
#undef SOLD
    // In a mail, by its subject, which says "Re:".
    static const char reply[] =
        "We agreed that we sell the boat.\n\nFrom: Bo\nSubject: Re: Boat\n\n"
        "> We agreed that we sell the boat.\n\nAda, that is not quite what "
        "was agreed. We sell the shed.\n";
    finds(reply, "We agreed", ASKED,
          "> We agreed that we sell the boat.\n\nAda, that is not quite");
}

// What was said beside a proposal is not taken back where only the proposal is refused.
static void test_refused_beside(void **state)
{
    (void)state;
#define BUY  "I think we should buy nematodes for the slugs. They cost 14 pounds a packet."
#define MAIL BUY "\n\nFrom: Sara\nDate: Wed, 5 Jul 2023\nSubject: Re: Slugs\n\n> " BUY "\n\n"
    static const char *const asked[] = {"How much is a packet?", "What does a packet cost?",
                                        "How much do the nematodes cost?"};
    static const char *const others[] =
        {"No, beer traps do the job and cost nothing. I have twelve of them.\n",
         "No. Beer traps do the job.\n"},
                             *const own[] = {"No, it is 16 pounds a packet.\n",
                                             "No, they are cheaper.\n",
                                             "No, nematodes by the packet are cheaper in May.\n",
                                             "No, Bo asks for 16 pounds.\n",
                                             "No. It is 16 pounds.\n",
                                             "No.\n"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char text[512];
        for (size_t j = 0; j < sizeof others / sizeof *others; j++)
            finds_of(strcat(strcpy(text, MAIL), others[j]), "I think", asked[i], BUY, NULL);
        for (size_t j = 0; j < sizeof own / sizeof *own; j++)
            finds_of(strcat(strcpy(text, MAIL), own[j]), "I think", asked[i], BUY, "> I think");
    }
    // The proposal is.
    finds_of(MAIL "No, beer traps do the job.\n", "I think", "What should we buy for the slugs?",
             BUY, "> I think");
    finds_of(MAIL "No, beer traps do the job.\n", "I think", "What is bought for the slugs?", BUY,
             "> I think");
#undef MAIL
#undef BUY
}

static void test_reports(void **state)
{
    (void)state;
    static const char text[] = "Francis died young, he was four.\n\nAnother thing. I said before "
                               "that Francis was four. I have thought about it. He was five.\n\n"
                               "I also wrote that a candle burned the barracks. There is no "
                               "evidence for this.\n\nI also wrote to my aunt. She was ill.";
    finds(text, "died", "How old was Francis?", "I said before that Francis was four. I have");
    finds(text, "I said", "How old was Francis?", "I have thought about it. He was five.");
    finds(text, "candle", "What burned the barracks?", "There is no evidence");
    finds(text, "aunt", "Who got letters?", NULL);
#define PRINTED "Errata. In the table the fee of the mooring was printed as 20 pounds in the first "
    static const char fee[] = "What is the mooring fee?", written[] = "In the table";
    finds(PRINTED "two issues. 25 pounds is right for all berths.\n", written, fee, "25 pounds is");
    finds(PRINTED "two issues. Mind the rocks. The right figure is 25 pounds.\n", written, fee,
          "Mind the rocks. The right figure is 25");
    finds(PRINTED "two issues. It should read twenty-five pounds.\n", written, fee,
          "It should read");
    finds(PRINTED "two issues. Berth 25 is right behind the pier. Five men should be told.\n",
          written, fee, NULL);
    finds("The mooring fee is 20 pounds.\n\n" PRINTED "issue. 25 pounds is right.\n", "The mooring",
          fee, "In the table");
    finds("The number of the permit was misprinted.\nIt should read AB-12-C.\n", "The number",
          "What is the number of the permit?", "It should read");
    finds("The number of the permit was printed. It should be kept.\n", "The number",
          "What is the number of the permit?", NULL);
    finds("The mooring was given as a present in 1920. 25 pounds is right for it.\n", "mooring",
          fee, NULL);
#undef PRINTED
}

// What a reply refuses in its own words is refused however doubtful it is as an answer.
static void test_unsure(void **state)
{
    (void)state;
    static const char text[] = "Then we can sell the boat for 20 pounds.\n\nBo wrote:\n> we can "
                               "sell the boat\n\nPlease don't. Ada needs it.\n",
                      changed[] = "The boat is 20 m long. It was 20 and is now 25 m long.\n",
                      asked[] = "What can we sell?", longer[] = "How long is the boat?";
    struct changed_said s = {text, sizeof text - 1, {0, 40}, asked, "Sell: we can sell the boat",
                             1};
    struct span_of_text at;
    assert_true(changed_find(&s, &at));
    s = (struct changed_said){changed, sizeof changed - 1, {0, 22}, longer, "20 m", 0};
    assert_true(changed_find(&s, &at));
    s.unsure = 1;
    assert_false(changed_find(&s, &at));
    // But what corrects it and has the question's words.
    static const char rates[] = "Dues\n\n  Joint .. 52.00\n\nThe joint rate is 54.00 and not "
                                "52.00.\n";
    s = (struct changed_said){
        rates, sizeof rates - 1, {8, 22}, "What is the joint rate?", "Joint .. 52.00", 1};
    assert_true(changed_find(&s, &at));
    s.question = "What is the levy of guests?";
    assert_false(changed_find(&s, &at));
}

// A correction that names the mail it is of need not say again what that was about.
static void test_that_mail(void **state)
{
    (void)state;
    static const char text[] = "From: %s\nDate: Thu, 20 Jul 2023 19:15\nSubject: evening\n\nFirst "
                               "evening on Tuesday, same place, 7.30, bring an apron.%s\n\nFrom: "
                               "Ada\nDate: Sat, 2 Sep 2023 20:00\nSubject: more\n\nCorrection to "
                               "my %s at 7.00 and not 7.30, the keeper wants us out.\n";
    static const char *const known[][3] = {
        {"Ada", "", "July mail: it's"},
        {"Ada", "", "August mail: it's"},
        {"Ada", "", "July boat: it's"},
        {"Bo", "", "July mail: it's"},
        {"Ada", "", "July mail: the choir is"},
        {"Ada", " The choir sings at 7.30, too.", "July mail: it's"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char own[500];
        snprintf(own, sizeof own, text, known[i][0], known[i][1], known[i][2]);
        finds(own, "First", "When does it begin?", i ? NULL : "Correction");
    }
}

// What leads in its line may say what a misprint is of; a clause with a list is replaced by what is
// not of its last item; and a successor is named in the next sentence.
static void test_asides(void **state)
{
    (void)state;
    finds("3. Pour in descaler: the tub 0.4 l, the boat 3.2 l.\n\n**B2 - descaling, boat.** The "
          "3.2 l given in 6.1 are a misprint; use 2.3 l.\n",
          "Pour", "How much descaler goes into the boat?", "**B2");
    finds("3. Pour in descaler: the tub 0.4 l, the boat 3.2 l.\n\n**B2 - greasing, mill.** The "
          "3.2 l given in 6.1 are a misprint; use 2.3 l.\n",
          "Pour", "How much descaler goes into the boat?", NULL);
    static const char fees[] = "10.2 The fee of each is as follows:\n\n- Ada: 20 pounds\n- Orrin: "
                               "50 pounds\n- Bo: 15 pounds\n\nA2.4 **Fees.** In clause 10.2 the "
                               "fee for Orrin is replaced by 75 pounds.\n";
    const size_t said = (size_t)(strstr(fees, "\n\nA2") - fees);
    const struct changed_said s = {
        fees, sizeof fees - 1, {0, said}, "What is the fee of Orrin?", "Ada 20, Orrin 50, Bo 15",
        0};
    struct span_of_text at;
    assert_true(changed_find(&s, &at));
    assert_memory_equal(fees + at.from, "A2.4", 4);
    static const char who[] = "Who leads the mill?";
    finds("The mill is led by Yvonne Basset.\n\nYvonne Basset has left us. The mill is now led by "
          "Camille Odell.\n",
          "The mill", who, "Yvonne");
    finds("The mill is led by Yvonne Basset.\n\nYvonne Basset has left us. The boat is now with "
          "Camille Odell.\n",
          "The mill", who, NULL);
    finds("The mill is led by Yvonne Basset.\n\nYvonne Basset has a boat. The mill is now led by "
          "Camille Odell.\n",
          "The mill", who, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_refused_beside),
        cmocka_unit_test(test_reports),   cmocka_unit_test(test_unsure),
        cmocka_unit_test(test_that_mail), cmocka_unit_test(test_asides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
