// What a summary has said already, and whether it is enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/answer/guard.h"
#include "tests/unit/engine/answer/guard_fixture.h"

// The sentence after the bar, and whether the text before it has said that.
static void tells_news(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int said;
    } cases[] = {
        {"The text is about the lease of a mill.|The text is about the Leases of mills.", 1},
        {"The text is about the lease of a mill.|The rent is nine hundred crowns.", 0},
        {"The tenant pays the rent.|The tenant keeps two geese, and pays nothing.",
         0}, // two words in five
        {"The tenant keeps geese and pays.|The tenant keeps more than two geese.",
         1},                               // three in five
        {"The tenant pays.|It is so.", 0}, // no word that counts
        {"|The tenant pays.", 0},
        {"Le café ferme.|Le café ferme.", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        size_t told = strcspn(text, "|");
        if (guard_repeats(text, told, strlen(text)) != cases[i].said)
            fail_msg("%s: not %d", text, cases[i].said);
    }
}

static void goes_in_circles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int circles;
    } cases[] = {
        {"There are:\n1. `ls`\n2. `ls`\n3. `ls`\n", 1},
        {"a\n\na\n\na", 1},
        {"9. x\n10. x\n11. x", 1},
        {"1. `ls`\n2. `ls`\n3. `l", 0}, // not yet
        {"1. `ls`\n2. `cp`\n3. `ls`\n", 0},
        {"port 80\nport 81\nport 82", 0}, // these are different things
        {"1. x\n2. x", 0},
        {"1.\n2.\n3.\n", 0},
        {"\n\n\n", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (guard_circles(cases[i].text, strlen(cases[i].text)) != cases[i].circles)
            fail_msg("%s: not %d", cases[i].text, cases[i].circles);
}

static void leads_in(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t lead;
    } cases[] = {
        {"The text states that it rained.", 21},
        {"The document says that it rained.", 23},
        {"The text suggests that it rained.", 23},
        {"According to the text, it rained.", 23},
        {"According to the text above, no.", 29},
        {"The text states: it rained.", 17},
        {"The text states: \"It rained.\"", 18},
        {"The text states that ", 0}, // and no more
        {"The text states: \"", 0},   // nor than a mark
        {"The text is long.", 0},
        {"The tenant states that it rained.", 0},
        {"According to the tenant, it rained.", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(guard_lead(cases[i].text), cases[i].lead);
}

static void keeps_to_what_was_read(void **state)
{
    (void)state;
    static const char READ[] = "The tenant, Mrs Abernathy, pays 900 crowns for the old mill.";
    static const struct {
        const char *text;
        int strays;
    } cases[] = {
        {"The text is about a tenant who pays for a mill.", 0},
        {"Tenants pay crowns.", 0},
        {"The document describes the history of the mill.", 0},      // one strange word
        {"It describes the history and the future of the mill.", 1}, // two of three
        {"The tenant, Abernathy, pays crowns, old crowns for a tenant and a mill, by history and "
         "future.",
         0}, // two of nine
        {"The tenant pays 800 crowns.", 1},
        {"The tenant lives in Bristol.", 1},
        {"Bristol is where the tenant pays.", 0}, // any sentence begins with a capital letter
        {"It is so.", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (guard_strays(cases[i].text, strlen(cases[i].text), READ) != cases[i].strays)
            fail_msg("%s: not %d", cases[i].text, cases[i].strays);
}

// Three quarters of the words; what is not whole counts.
static void has_an_end(void **state)
{
    (void)state;
    assert_false(guard_enough("one two", 7, 4));
    assert_true(guard_enough("one two\nthree", 13, 4));
    assert_false(guard_enough("", 0, 4));
}

static void keeps_numbers_in_order(void **state)
{
    (void)state;
    static const char READ[] = "4.1 No more than 150 persons may be in the hall at a time, and no "
                               "more than 60 in the Orangery, as of 12 May and 12 June.";
    static const struct {
        const char *text;
        int moved;
    } cases[] = {
        {"No more than 60 may be in the hall and 150 in the Orangery.", 1},
        {"At most 150 in the hall and 60 in the Orangery.", 0},
        {"At most 150, and 60 in the Orangery, so 150.", 0}, // said again
        {"60, not 70, and 80.", 0},                          // one number of the text
        {"12 and 60.", 0},                                   // of which there are two
        {"60.", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (guard_disorder(cases[i].text, strlen(cases[i].text), READ, strlen(READ)) !=
            cases[i].moved)
            fail_msg("%s: not %d", cases[i].text, cases[i].moved);
}

static void follows_word_by_word(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"Fenn had buried a pear tree.", "Fenn had buried them beneath a pear tree.", "Where?", 1},
        {"He may enter the hall.", "He may not enter the hall.", "May he enter?", 1},
        {"A pear tree.", "Fenn had buried them beneath a pear tree.", "Where?", 0},
        {"Fenn had buried them.", "Fenn had buried them beneath a pear tree.", "What?", 0},
        {"It is used for boats and oars.", "It is used for boats and with the oars.", "What?", 0},
        // There are more words between, or it stands there so, too.
        {"The Mayor had won.", "The Mayor, who gave it to his wife, had won.", "Who?", 0},
        {"It is the law of Rome.", "It is the old law of Rome. So is the law.", "Which?", 0},
        {"The law of Norway is governed by the law of Norway.",
         "This lease is governed by the law of Norway.", "Whose law?", 1},
        {"Norway's law.", "This lease is governed by the law of Norway.", "Whose law?", 0},
        {"The law is Norway's law.", "This lease is governed by the law of Norway.", "Whose law?",
         0}, // as it was asked
        {"The fee is 30 euros a month.", "It is 60 euros a month.", "What is the fee?", 1},
        {"1.1 No more than 60.", "4.1 No more than 60 in the Orangery.", "How many?", 1},
        {"Since 1912345 steps were taken.", "Since 1912346 steps were taken.", "When?", 1},
        {"The fee is 60 euros a month.", "It is 60 euros a month.", "What is the fee?", 0},
        {"It was 60 euros a year.", "30 euros a year, then 60 euros a year.", "What was it?", 0},
        {"Not 30 euros a month.", "It is 60 euros a month.", "Is it 30?", 0},
        {"It is 30.", "It is 60 euros a month.", "How much?", 1}, // 30 is nowhere
        {"It is 1,200.", "It is 1,200 euros.", "How much?", 0},
        {"1. Ada\n2. Bob", "Ada and Bob.", "Who are the 2?", 0}, // what counts lines
        {"Of 12 none came.", "None came.", "Did 12 come?", 0},
        {"They may set meter.", "They may set meter.target to -16.", "How loud?", 1},
        {"They may set meter.", "They set meter.target. They may set meter.", "How?", 0},
        {"They may set it to 16.", "They may set it to 16.", "How?", 0},
        {"Trains 103 and 109.", "Bicycles go on trains 103 and 109.", "Which?", 0},
        {"The fence or wall may be put up.", "No fence or wall may be put up.", "What?", 1},
        {"No fence or wall may be put up.", "No fence or wall may be put up.", "What?", 0},
        {"A wall may be put up.", "A wall may be put up. It may not be high.", "What?", 0},
        {"trains 103 and 109, for 2 crowns.",
         "Bicycles go on all but trains 103 and 109, for 2 crowns.", "Which?", 1},
        {"Dogs may enter.", "Nothing is sold. Dogs may enter.", "May dogs enter?", 0},
        {"The volume is 731.", "volume = {5},\npages = {731--740},", "Which volume?", 1},
        {"The volume is 5.", "volume = {5},\npages = {731--740},", "Which volume?", 0},
        {"It is 731.", "volume = {5},\npages = {731--740},", "Which issue?", 0},
        {"The Salt Orchard.", "Event: Club\nWhere: Ada's flat\nNote: The Salt Orchard.",
         "Where is the club?", 1},
        {"At Ada's.", "Event: Club\nWhere: Ada's flat", "Where is the club?", 0},
        {"No, it is not.", "size = 5\nlocked = false", "Is it locked?", 0},
        {"Bob.", "Note: Bob came late, to the club.", "Who came, by the note?", 0}, // alone
        {"enter the hall.", "Dogs may not enter the hall.", "May dogs enter?", 1},
        {"When you break your wand, you may go on and break your wand.",
         "In despair you may go on and break your wand.", "What if you break your wand?", 1},
        {"", "So it is.", "Is it?", 0},
        {"It is.", "", "", 0},
        {"Oak 40: 2 hours, 14 euros.", "Oak 40: largest load 8 kg, 2 hours, 14 euros.",
         "What is the largest load?", 1},
        {"Oak 40: 2 hours, 14 euros.", "Oak 40: on the left behind it, 2 hours, 14 euros.",
         "How long?", 0},
        {"60 go to the kitchen and 30 to the kitchen.", "60 go to the hall, 30 to the kitchen.",
         "How many go to the kitchen?", 1},
        {"Ada Falk had 300 crowns, Ada Falk 550.", "She had 300 crowns, Ada Falk 550.",
         "What did Ada Falk have?", 1},
        {"The rent is due, and the rent is 5.", "A rent of 5 is due.", "What is the rent?", 1},
        {"14, 9, 18: 14, 9, 18:", "keep: {daily: 14, weekly: 9, monthly: 18}", "How many?", 1},
        {"He is at home and at work.", "He is at home, at work.", "Where is he?", 0},
        {"The load of Wool is 8 kg.", "Oak 40: load 8 kg.", "What is the load of Wool?", 1},
        {"Wool: load 8 kg.", "Oak 40: load 8 kg.", "What is the load of Wool?", 1},
        {"The load of wool is 8 kg.", "Oak 40: load 8 kg.", "What is the load of wool?", 1},
        {"To report it to the agent is a legal requirement.", "Report it to the agent.",
         "Who do I report it to?", 1},
        {"You must report it to the agent.", "The tenant shall report it to the agent.",
         "Who do I report it to?", 0},
        {"Ada,Riga,Paid", "Who,Where,Fare,State\nAda,Riga,5.20,Paid", "Where was Ada?", 1},
        {"Riga,5.20,Paid.", "Who,Where,Fare,State\nAda,Riga,5.20,Paid", "Where was Ada?", 1},
        {"Ada,Riga,5.20,Paid.", "Who,Where,Fare,State\nAda,Riga,5.20,Paid", "Where was Ada?", 0},
        {"The load of Wool is 8 kg.", "Its load is 8 kg.", "What is the load of Wool?", 1},
        {"Its load is 8 kg.", "The load of it is 8 kg.", "What is the load of Wool?", 0},
        {"The load of Wool is 8 kg.", "Wool: load 8 kg.", "What is the load of Wool?", 0},
        {"Within an hour.", "Class 1: within an hour.", "When is class 2 due?", 1},
        {"Within an hour.", "Class 1: within an hour.", "When is class 1 due?", 0},
        {"The copper holds 4.5 litres.", "What fits: the pot holds 4.5 litres; jugs 6; copper 18.",
         "How much does the copper hold?", 1},
        {"The pot holds 4.5 litres.", "What fits: the pot holds 4.5 litres; jugs 6; copper 18.",
         "How much does the pot hold?", 0},
        {"What fits into jugs is 6.", "What fits: the pot holds 4.5 litres; jugs 6; copper 18.",
         "What fits into jugs?", 0},
        {"Jugs 6; copper 18.", "What fits: the pot holds 4.5 litres; jugs 6; copper 18.",
         "What fits?", 0},
        {"The copper holds 4.5 litres.", "The pot holds 4.5 litres; jugs 6; copper at 8:30 is 18.",
         "How much does the copper hold?", 1},
        {"Tickets are sold by 4.", "Adults pay 4; children 2; dogs 0. All tickets are sold here.",
         "How are tickets sold?", 0},
        {"The mill, which Marta runs, opened in 1902.",
         "Marta runs the mill; her son helps. The mill opened in 1902; it burned down.",
         "When did what Marta runs open?", 0},
        {"The copper holds 4.5 litres.", "The pot holds 4.5 litres; the copper likewise.",
         "How much does the copper hold?", 0},
        {"E7: the pump is blocked.", "E3: the pump is blocked.", "E7?", 1},
        {"E3: the pump is blocked.", "E3: the pump is blocked.", "E3?", 0},
        {"The pump is blocked (E7).", "The pump is blocked.", "E7?", 1},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void says_no_contrary(void **state)
{
    (void)state;
    static const char read[] = "The mill closes for three weeks in summer.",
                      question[] = "When does the mill open?";
    static const struct garbled cases[] = {
        {"The mill opens for three weeks in summer.", read, question, 1},
        {"The mill closes for three weeks in summer.", read, question, 0},
        {"The mill opens and closes in summer.", "The mill opens and closes in summer.", question,
         0},
        {"The mill opens in May.", "The mill opens in May and closes in June.", question, 0},
        {"Boats leave before noon.", "Boats leave after noon.", "When?", 1},
        {"The lease begins on 3 May.", "The lease ends on 3 May.", "When does it begin?", 1},
        // Nor does anybody give themselves what another one gave.
        {"Lisa gave four to Lisa.", "Gave four to Lisa.", "What did Lisa do?", 1},
        {"Lisa got four. Lisa lent ducks.", "Gave Lisa four. She lent ducks.", "And Lisa?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void leaves_nothing_out(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"Signed by Ada Falk, and by Ina Tait, witness.",
         "Signed by Ada Falk, and by Ina Tait in the presence of Callum Birrell, witness.",
         "Who signed?", 1},
        {"The Mayor had won.", "The Mayor, who gave it to Ada Falk, had won.", "Who?", 1},
        {"The new wing, which had been built, stood open to the rain.",
         "The new wing, of which the ground floor had been built, stood open to the rain.",
         "What stood open?", 1},
        {"The first stage to run is the one that boots the rest.",
         "Stages of the build\n\nThe first stage to run is the one that boots the rest.",
         "Which is the first stage?", 0},
        {"The fish Kaup put into a jar a small fish.",
         "Then Kaup, working in Rome, put into a jar a "
         "small fish.",
         "What was the fish called?", 1},
        {"The mill is his now.", "The mill is his, as the old people tell, now.", "Whose is it?",
         0},
        {"He is a witness.", "He is a most unwilling witness.", "What is he?", 0},
        {"Spent: 211.35, pub 148.20.", "Spent: groceries 211.35, pub 148.20.",
         "How much did the groceries cost?", 1},
        {"The code is 4060.", "The factory code is 4060.", "What is the factory code?",
         0}, // "the" is anywhere
        {"Spent: groceries 211.35.", "Spent: groceries 211.35, pub 148.20.",
         "How much did the groceries cost?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void names_somebody(void **state)
{
    (void)state;
    static const char READ[] =
        "MOTION (de Vos, seconded Brandt): that the Bittern be sold for not less than 900.";
    static const struct garbled cases[] = {
        {"The Bittern be sold for not less than 900.", READ,
         "Who seconded that the Bittern be sold?", 1},
        {"The Bittern be sold on Fridays.",
         "Brandt moved that the Bittern be sold on Fridays. So did Ada.",
         "Who moved that the Bittern be sold?", 1},
        {"Brandt seconded it.", READ, "Who seconded that the Bittern be sold?", 0},
        {"For not less than 900.", READ, "For how much is the Bittern sold?", 0},
        {"The Bittern is sold.", "It is moved that the Bittern be sold.", "Who sold the Bittern?",
         0}, // nobody is named
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

// The day that an entry begins with answers nothing but when it was.
static void says_more_than_a_day(void **state)
{
    (void)state;
    static const char READ[] = "- *3 June.* Maps are copied twice a week, on Sundays and Mondays.";
    static const struct garbled cases[] = {
        {"- *3 June.*", READ, "How often are maps copied?", 1},
        {"3 June.", READ, "How often are maps copied?", 1},
        {"3 June.", READ, "When are maps copied?", 0},
        {"- *3 June.* Maps are copied twice a week, on Sundays and Mondays.", READ,
         "How often are maps copied?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_lists_whole(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"Dan's address is 27 Mill Street, Hull HR4.", "Dan: Flat 3, 27 Mill Street, Hull HR4",
         "What is Dan's address?", 1},
        {"27 Mill Street, Hull.", "He lives at Flat 3, 27 Mill Street, Hull.",
         "Where does he live?", 1},
        {"Sugar, butter, salt.", "Buy: flour, Sugar, butter, salt.", "What is to be bought?", 1},
        {"Flat 3, 27 Mill Street, Hull.", "Dan: Flat 3, 27 Mill Street, Hull",
         "Where does he live?", 0},
        {"27 Mill Street.", "Dan: Flat 3, 27 Mill Street", "Where does he live?", 0}, // no list
        {"The mill burned, and the barn fell.",
         "In the heavy storm of that night, The mill burned, and the barn fell.", "What burned?",
         0},
        {"27 Mill Street, Hull, is Dan's.", "Dan: Flat 3, 27 Mill Street, Hull",
         "Where does he live?", 0}, // does not end so
        {"a, b, ", ", a, b", "What?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void mixes_no_items(void **state)
{
    (void)state;
    static const char LIST[] = "- 3 May 1955: the first trees are planted\n- 8 September 1956: the "
                               "shed burns down\n- 12 October 1957: the press is delivered";
    static const struct garbled cases[] = {
        {"The shed burns down on 12 October 1957.", LIST, "When did the shed burn down?", 1},
        {"The shed burns down on 8 September 1956.", LIST, "When did the shed burn down?", 0},
        {"The press is delivered on 12 October 1957; a shed burns down on 8 September 1956.", LIST,
         "What happened?", 0},
        {"The shed burns in 1956, at drain 1.", "- 1956: the shed burns\n- 1957: a pit at drain 1",
         "When did the shed burn?", 1},                                           // of two
        {"Tea is 5.", "Prices:\n1956: tea 4\n1957: coffee 5", "What is tea?", 0}, // short words
        {"Coal costs 5.", "1956: Coal costs 4\n1957: Peat costs 5\n", "What does coal cost?", 1},
        {"Fees for adults are 5.", "- Fees:\n- adults 5\n- children 3",
         "What is the fee for adults?", 0},
        {"His new address is 64.",
         "[03/05/25, 09:15] Ada: What's your address?\n[03/05/25, 09:16] Bob: 8 Mill "
         "Lane\n[03/05/25, 09:20] Ina: I paid 64",
         "What is Bob's new address?", 1},
        {"His address is 8 Mill Lane.",
         "[03/05/25, 09:15] Ada: What's your address?\n[03/05/25, 09:16] Bob: 8 Mill "
         "Lane\n[03/05/25, 09:20] Ina: I paid 64",
         "What is Bob's address?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void mixes_no_sentences(void **state)
{
    (void)state;
    static const char READ[] =
        "Ulugh Beg built it. He found it in 1437. His own son had him beheaded.";
    static const struct garbled cases[] = {
        {"Ulugh Beg's son, in 1437.", READ, "Who beheaded Ulugh Beg?", 1},
        {"In 1437.", READ, "When did he find it?", 0},
        {"Who found it in 1437 is Ulugh Beg.", READ, "When did Ulugh Beg find it?",
         0}, // as it was asked
        {"Tickets are sold by 4.", "Adults pay 4. All tickets are sold here.", "What is sold?", 1},
        {"The rent is 4.", "The rent is due\nin advance and is 4.", "What is the rent?",
         0}, // one sentence
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void tells_what_is_asked(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"It was bought for 90 pounds.", "It was bought for 90 pounds. It weighs 4 kg.",
         "What does it weigh?", 1},
        {"It weighs 4 kg.", "It was bought for 90 pounds. It weighs 4 kg.", "What does it weigh?",
         0},
        {"It was bought in 1902.", "The mill is Ada's. It was bought in 1902.",
         "When was the mill bought?", 0},
        {"90 pounds.", "It was bought for 90 pounds. It weighs 4 kg.", "What was it bought for?",
         0},
        {"A is the major number.", "A is the major number. B is the minor number.",
         "What is the minor one?", 1},
        {"B is the minor number.", "A is the major number. B is the minor number.",
         "What is the major one?", 1},
        {"Ada's.", "The mill is Ada's. She bought it.", "Who bought it?", 0}, // part of a sentence
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void begins_where_it_does(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The arles, ten shillings, and whoever took it was bound.",
         "They were hired with a coin called the arles, ten shillings, and whoever took it was "
         "bound.",
         "What was the arles?", 1},
        {"Ada not two years old.", "I had Ada not two years old.", "Who is Ada?", 1},
        {"Not two years old.", "I had Ada not two years old.", "How old was Ada?", 0},
        {"No. 2031 (that is after the war), the town would have a ferry without any keeper of it.",
         "If we stop the ferry in 2031 (that is after the war), the town would have a ferry "
         "without "
         "any keeper of it.",
         "Does the ferry stop in 2031?", 1},
        {"No, the town would have a ferry without any keeper of it that sails on Sunday at noon.",
         "If we stop it, the town would have a ferry without any keeper of it that sails on Sunday "
         "at noon.",
         "Does the ferry stop in 2031?", 0},
        {"Yes, 30 crowns.", "It is sold at 30 crowns.", "Is the ferry sold?", 0},
        {"Hull came to see the larvae, 22 of them and a teacher.",
         "A class from Hull came to see the larvae, 22 of them and a teacher.", "Who came?", 1},
        {"The rent is 5 crowns.", "3.1 The rent is 5 crowns.", "What is the rent?", 0},
        {"The rent is 5 crowns.", "They say that the rent is 5 crowns.", "What is the rent?", 0},
        // The row is about something else.
        {"17 minutes at 210 degrees.", "Frozen chips need 17 minutes at 210 degrees.",
         "How long do I bake frozen pizza?", 1},
        {"17 minutes at 210 degrees.", "Frozen chips need 17 minutes at 210 degrees.",
         "How long do frozen chips need?", 0},
        {"1. Dry, is meant for herbs.", "A programme, Dry, is meant for herbs.",
         "How do I dry herbs?", 1},
        {"1. Dry the herbs.", "1. Dry the herbs.", "How do I dry herbs?", 0},
        {"Ada wrote:\n> The mill runs.", "Ada wrote:\n> The mill runs.\n\nNot any more.",
         "What runs?", 1},
        {"ADA: No, stay.", "ADA: No, stay. How did it end?", "How did it end?", 1},
        {"ADA: No, stay.", "ADA: No, stay.", "What did Ada say?", 0},
        {"Spent for travel, and diesel.", "Costs 9,300 crowns (medals, travel, and diesel).",
         "What was it spent for?", 1},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void joins_what_was_joined(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The boat was called the Storm.", "In what was later called the Storm the boat sank.",
         "What was the boat called?", 1},
        {"The boat was called the Storm.", "A boat which was called the Storm sank.",
         "What was the boat called?", 0},
        {"The dump was 2025-06-11T02:00:01Z INFO dumping shopdb.",
         "2025-06-11T02:00:01Z INFO dumping shopdb", "How large was the dump?", 1},
        {"It was at 2025-06-11T02:00:01Z.", "2025-06-11T02:00:01Z INFO dumping shopdb",
         "When did it begin?", 0},
        {"2025-06-11T02:00:01Z INFO dumping shopdb.", "2025-06-11T02:00:01Z INFO dumping shopdb",
         "What was dumped?", 0},
        {"The cost is 4.3 million, which is 2.9 million.",
         "The cost is 4.3 million, of which they have paid 2.9 million.", "What have they paid?",
         1},
        {"The cost is 4.3 million, and 2.9 million is paid.",
         "The cost is 4.3 million, of which they have paid 2.9 million.", "What have they paid?",
         0},
        {"1.82 TiB of 2.00 is 1.82 TiB of 2.00.", "The volume is full (1.82 TiB of 2.00).",
         "How full is it?", 1},
        {"It cost 5 in May and was 6 in June.", "It cost 5 in May and it was 6 in June.",
         "What did it cost?", 0},
        {"The boat sank on Friday, 04 May 2020.",
         "Date: Mon, 04 May 2020 09:30:00 +0000\nSubject: The boat sank on Friday",
         "When did the boat sink?", 1},
        {"The boat sank on Friday, 2020.", "The boat sank on Friday. It was built in 2020.",
         "When did the boat sink?", 1},
        {"The boat sank on Friday, 1 May.", "The boat sank on Friday, 1 May 2020, at night.",
         "When did the boat sink?", 0},
        {"In 2021 the rent was 6.", "Rent: 5 in 2020, 6 in 2021.", "What was the rent in 2021?", 0},
        {"It was renewed on 2025-09-09.", "2025-06-11 certificate renewed, valid until 2025-09-09",
         "When was it renewed?", 1},
        {"It was renewed on 2025-06-11.", "2025-06-11 certificate renewed, valid until 2025-09-09",
         "When was it renewed?", 0},
        {"It is valid until 2025-09-09.", "2025-06-11 certificate renewed, valid until 2025-09-09",
         "How long is it valid?", 0},
        {"The accountant is Ada Falk.", "The account is held by Ada Falk.",
         "Who is the accountant?", 1},
        {"The delivery is by Ada Falk.", "It was delivered by Ada Falk.", "Whose is the delivery?",
         0},
        {"The mill will be full in May.", "Mill\n\nAt this rate the old part will be full in May.",
         "When will the mill be full?", 1},
        {"The mill will be full in May.", "Of the mill: it will be full in May.",
         "When will the mill be full?", 0},
        {"The chair is responsible for oil.", "Ada Falk (chair) is responsible for oil.",
         "What is the chair responsible for?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void makes_no_days(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"It was serviced on 2 October 2026.",
         "It was serviced on 2 October; the next service is due in October 2026.",
         "When was it serviced?", 1},
        {"It was serviced on 2 October.",
         "It was serviced on 2 October; the next service is due in October 2026.",
         "When was it serviced?", 0},
        {"On 2 June 2026.", "On 2 June and 5 July 2026.", "When?", 0},
        {"On 2 June 2026.", "It was on 2 June, the next one in June 2026.", "When?", 1},
        {"On 2 October 2026.", "On the 2nd and the 5th of October 2026.", "When?", 0},
        {"On October 2, 2026.", "On 2 October 2026.", "When?", 0},
        {"On 12 May.", "On 12 June or on 8 May at nine o'clock.", "When?", 1},
        {"In October 2026.", "On 2 October it was done, as in 2026.", "When?", 0}, // no day
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void keeps_lines_of_logs(void **state)
{
    (void)state;
#define REJECTED "2024-05-01T10:02:11Z ERROR claim B-180 rejected: code 69 needs form N8"
    static const struct garbled cases[] = {
        {"The form B-180 rejected: code 69 needs form N8.", REJECTED, "Which form does it need?",
         1},
        {"code 69 needs form N8.", REJECTED, "Which form does code 69 need?", 0},
        {"May 3 10:02:11 gate: open.", "May 3 10:02:11 gate: open", "When did it open?", 0},
        {"The gate was open.", "At 10:02 it rained: The gate was open then", "Was it open?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void tells_no_stamps(void **state)
{
    (void)state;
    static const struct garbled cases[] = {
        {"The result was 23:48:17.", "[17/06/24, 23:48:17] Nadia: Quiz result: second.",
         "What was the result?", 1},
        {"At 23:48:17.", "[17/06/24, 23:48:17] Nadia: Quiz result: second.",
         "When was the result known?", 0},
        {"They had 17 points.", "[17/06/24, 23:48:17] Nadia: 17 points.",
         "How many points had they?", 0},
        {"The result was second.", "[17/06/24, 23:48:17] Nadia: Quiz result: second.",
         "What was the result?", 0},
        {"The lease ran out on 7 April 2025 09:30:00.",
         "From: Ada Lind\nDate: Mon, 7 April 2025 09:30:00 +0000\nSubject: Lease ran out on Sunday",
         "When did the lease run out?", 1},
        {"On 7 April 2025 09:30:00.",
         "From: Ada Lind\nDate: Mon, 7 April 2025 09:30:00 +0000\nSubject: Lease ran out on Sunday",
         "When did Ada write of the lease?", 0},
        {"The lease ran out on 7 April 2025.",
         "Date: Mon, 7 April 2025 09:30:00 +0000\n\nThe lease ran out on 7 April 2025.",
         "When did the lease run out?", 0},
    };
    check_garbled(cases, sizeof cases / sizeof *cases);
}

static void says_more_than_is_above_and_below(void **state)
{
    (void)state;
    static const char READ[] = "The 8.x Releases\n\nThe new one starts services anew,\u2026";
    static const struct {
        const char *text;
        int heading, cut_off;
    } cases[] = {
        {"The 8.x Releases.", 1, 0},
        {"The 8.x Releases start services.", 0, 0},
        {"The 8.x", 0, 0},
        {"8.X releases.", 1, 0},
        {"eases", 0, 0},
        {"It starts services anew,\u2026\".", 0, 1},
        {"It \u2026 starts.", 0, 0},
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        const size_t n = strlen(text);
        assert_int_equal(guard_heading(text, n, READ, strlen(READ)), cases[i].heading);
        assert_int_equal(guard_cut_off(text, n, READ, strlen(READ)), cases[i].cut_off);
        assert_false(guard_cut_off(text, n, READ, strlen(READ) - 4));
    }
    assert_false(guard_heading("One line", 8, "One line\nand another", 20));
    static const char pool[] = "Section 8.4. Pool. The pool is open.";
    assert_true(guard_heading("Section 8.4. Pool.", 18, pool, strlen(pool)));
    assert_false(guard_heading("The pool is open.", 17, pool, strlen(pool)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_news),
        cmocka_unit_test(goes_in_circles),
        cmocka_unit_test(leads_in),
        cmocka_unit_test(keeps_to_what_was_read),
        cmocka_unit_test(has_an_end),
        cmocka_unit_test(keeps_numbers_in_order),
        cmocka_unit_test(follows_word_by_word),
        cmocka_unit_test(leaves_nothing_out),
        cmocka_unit_test(says_no_contrary),
        cmocka_unit_test(names_somebody),
        cmocka_unit_test(says_more_than_a_day),
        cmocka_unit_test(keeps_lists_whole),
        cmocka_unit_test(keeps_lines_of_logs),
        cmocka_unit_test(mixes_no_items),
        cmocka_unit_test(mixes_no_sentences),
        cmocka_unit_test(tells_what_is_asked),
        cmocka_unit_test(begins_where_it_does),
        cmocka_unit_test(joins_what_was_joined),
        cmocka_unit_test(makes_no_days),
        cmocka_unit_test(tells_no_stamps),
        cmocka_unit_test(says_more_than_is_above_and_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
