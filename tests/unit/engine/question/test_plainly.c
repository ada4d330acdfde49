// Questions that are asked politely, in the order of a statement, in capitals, and those that are
// asked plainly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/question/plainly.h"

struct plain_case {
    const char *question, *plain;
};

static void check(const struct plain_case *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err e;
        char *plain;
        assert_int_equal(plainly_asked(v[i].question, &plain, &e), 0);
        if (v[i].plain) {
            assert_non_null(plain);
            assert_string_equal(plain, v[i].plain);
        } else {
            assert_null(plain);
        }
        free(plain);
    }
}

#define CHECK(v) check(v, sizeof(v) / sizeof *(v))

static void test_polite(void **state)
{
    (void)state;
    static const struct plain_case cases[] = {
        {"Could you please tell me what section 6.5 says?", "What does section 6.5 say?"},
        {"Tell me what section 6.5 says", "What does section 6.5 say?"},
        {"Please tell me what E7 means.", "What does E7 mean?"},
        {"Could you please tell me how many times Norgas is mentioned?",
         "How many times is Norgas mentioned?"},
        {"Tell me the price of the smoke alarm.", "What is the price of the smoke alarm?"},
        {"Please give me the price of the alarm.", "What is the price of the alarm?"},
        {"Tell me the names of the house tortoises.", "What are the names of the house tortoises?"},
        {"Tell me the price for the rooms.", "What is the price for the rooms?"},
        {"Tell me the status", "What is the status?"},
        {"Hi, tell me under what name it is sold", "Under what name is it sold?"},
        {"Hello, I would like to know who the landlord is, please.", "Who is the landlord?"},
        {"Hi there! Do you know where the fuse box is? Thank you very much!",
         "Where is the fuse box?"},
        {"I wonder if pets are allowed.", "Are pets allowed?"},
        {"Hi, I was wondering whether I am allowed to have a barbecue on the balcony, thanks!",
         "Am I allowed to have a barbecue on the balcony?"},
        {"Excuse me, could you tell me what the orange lamp means please?",
         "What does the orange lamp mean?"},
        {"Can you tell me please what the insurance premium is now?",
         "What is the insurance premium now?"},
        {"Could you please list all fees?", "List all fees?"},
        {"Please list all fees.", "List all fees"},
        {"Please, who signed?", "Who signed?"},
        {"I lost a key. Could you tell me what the new lock costs?",
         "I lost a key. What does the new lock cost?"},
        {"Hello. I lost a key. Could you tell me what the new lock costs?",
         "I lost a key. What does the new lock cost?"},
        {"I'd like to know how long guests can stay", "How long can guests stay?"},
        {"Hi can you tell me when 3.0.17 was released", "When was 3.0.17 released?"},
        {"Hello, sorry to bother you, but could you kindly tell me what E5 means? I'm rather "
         "worried.",
         "What does E5 mean?"},
        {"Hi there, hope you're well! I was just wondering whether you might be able to tell me "
         "how "
         "far ahead I am able to book? Thanks ever so much.",
         "How far ahead am I able to book?"},
        {"Excuse me, I would really appreciate it if you could explain who chooses the chairman. "
         "Many thanks in advance.",
         "Who chooses the chairman?"},
        {"Dear Sir or Madam, I should be glad to learn what the fee is. Yours faithfully.",
         "What is the fee?"},
    };
    CHECK(cases);
}

static void test_order(void **state)
{
    (void)state;
    static const struct plain_case cases[] = {
        {"Tell me what licensable means", "What does licensable mean?"},
        {"Tell me what fair wear and tear is", "What is fair wear and tear?"},
        {"Tell me how many bedrooms the flat has", "How many bedrooms does the flat have?"},
        {"Tell me how much notice the landlord must give before an inspection",
         "How much notice must the landlord give before an inspection?"},
        {"Tell me what time the meeting starts", "What time does the meeting start?"},
        {"Tell me what I have to do when the alarm rings",
         "What do I have to do when the alarm rings?"},
        {"Tell me how many keys there are", "How many keys are there?"},
        {"Tell me why guests need permission", "Why do guests need permission?"},
        {"Tell me in which year the bridge was built", "In which year was the bridge built?"},
        {"Tell me when the tenancy ended", "When did the tenancy end?"},
        {"Tell me what Tom said about the shed", "What did Tom say about the shed?"},
        {"Tell me whether the rent includes water", "Does the rent include water?"},
        {"Tell me what section 6.5 says about repairs", "What does section 6.5 say about repairs?"},
        // The order of a question, and what is not plain.
        {"Tell me who began the stone bridge of five arches",
         "Who began the stone bridge of five arches?"},
        {"Tell me what became of the money", "What became of the money?"},
        {"Tell me what happens if the rent is late", "What happens if the rent is late?"},
        {"Tell me how many people in the house have keys",
         "How many people in the house have keys?"},
        {"Tell me how many people attended the meeting that was in May",
         "How many people attended the meeting that was in May?"},
        {"Tell me who the people that were there are", "Who the people that were there are?"},
        {"Tell me how to clean the plate", "How do I clean the plate?"},
        {"Tell me what is in section 4", "What is in section 4?"},
        {"Tell me which of the rooms is the largest", "Which of the rooms is the largest?"},
        {"Tell me who pays for the light that is broken", "Who pays for the light that is broken?"},
    };
    CHECK(cases);
}

static void test_words(void **state)
{
    (void)state;
    static const struct plain_case cases[] = {
        {"what's the deposit", "What is the deposit?"},
        {"Whats the deposit?", "What is the deposit?"},
        {"Who\u2019s the landlord?", "Who is the landlord?"},
        {"WHAT DOES E7 MEAN?", "What does E7 mean?"},
        {"HOW MUCH IS THE SMOKE ALARM", "How much is the smoke alarm"},
        {"COULD YOU TELL ME WHAT -C SAYS OF \"THE X\"?", "What does -C say of \"THE X\"?"},
        {"What does E7 mean.", "What does E7 mean?"},
        {"What's the command to install it?", "How do I install it?"},
        {"What do I have to type to start it?", "How do I start it?"},
    };
    CHECK(cases);
}

static void test_plain(void **state)
{
    (void)state;
    static const struct plain_case cases[] = {
        {"What does section 6.5 say?", NULL},
        {" What is \"please tell me\"? ", NULL},
        {"List all fees.", NULL},
        {"Tell me about pets", NULL},
        {"Can you give notice by e-mail?", NULL},
        {"Can you show visitors round?", NULL},
        {"Which sign says please?", NULL},
        {"When do we meet again?", NULL},
        {"What is the command?", NULL},
        {"What do you run?", NULL},
        {"Who's got the key?", NULL},
        {"monthly charge", "What is the monthly charge?"},
        {"Minimum term", "What is the minimum term?"},
        {"opening hours", "What are the opening hours?"},
        {"the rent of the barn", "What is the rent of the barn?"},
        {"Address of the shop", "What is the address of the shop?"},
        {"price of the Nylon Mortar", "What is the price of the Nylon Mortar?"},
        {"Deposit?", "What is the deposit?"},
        {"and the deposit?", NULL},
        {"barn in the rain", NULL},
        {"which port", NULL},
        {"Ada Price", NULL},
        {"the old mill and its rent, date", NULL},
        {"open the port", NULL},
        {"E7", NULL},
        {"USB", NULL},
        {"HTTP 502", NULL},
        {"The MOT is due. When?", NULL},
        {"I need to know.", NULL},
        {"Thanks!", NULL},
        {"Please", NULL},
        {"", NULL},
    };
    CHECK(cases);
}

static void test_typed(void **state)
{
    (void)state;
    static const struct plain_case cases[] = {
        {"Who pays the rent?", NULL},
        {" Who  pays?  ", NULL},
        {"Qui paie \u00e9t\u00e9 et hiver?", NULL},
        {"no \xff UTF-8 \xe2\x80", NULL},
        {"", NULL},
        {"\033[31;1mWho\033[0m pays?\033[K", "Who pays?"},
        {"Who pays\033", "Who pays"},
        {"Who pays\033[", "Who pays"},
        {"Who pays\033[3", "Who pays"},
        {"\x01Wh\x7fo\xc2\x9b pays\x01?", "Who pays?"},
        {"Who\u202e pays\u2066?", "Who pays?"},
        {"Who\tpays \r\n  the\x01\n rent?", "Who pays the rent?"},
        {"Who \x01 pays?", "Who  pays?"},
        {"\n\tWho pays?\n\n", "Who pays?"},
        {"\x01\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e;
        char *typed;
        assert_int_equal(plainly_typed(cases[i].question, &typed, &e), 0);
        if (cases[i].plain)
            assert_string_equal(typed ? typed : "as it was", cases[i].plain);
        else
            assert_null(typed);
        free(typed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_typed), cmocka_unit_test(test_polite),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
