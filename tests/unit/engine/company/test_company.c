// What a sentence is read with.
#include "engine/company/company.h"
#include "tests/unit/engine/sentences/cut_fixture.h"

static void test_company(void **state)
{
    (void)state;
    static const char book[] =
        "9.1. Backing up with cp\n\nThe program copies files. It is old.\n\nNOTE\nUse it with care "
        "on every machine. Yes. It may overwrite.";
    says(book, "Backing", NULL, "9.1. Backing up with cp\n\nThe program copies files. It is old.");
    says(book, "It is", NULL, "The program copies files. It is old."); // the last of its paragraph
    says(book, "NOTE", NULL, "NOTE\nUse it with care on every machine. Yes.");
    says(book, "Use", NULL, "Use it with care on every machine. Yes.");
    says(book, "Yes", NULL, "Use it with care on every machine. Yes.");
    says(book, "overwrite", NULL, "Yes. It may overwrite.");
    // a few words go on with the sentence before them, not with the next paragraph
    static const char key[] = "The lake is deep.\nThe password is 48336. Keep it in mind. 48336 is "
                              "the password.\nThe hill is high.";
    says(key, "48336 is", NULL, "Keep it in mind. 48336 is the password.");
    says(key, "password is", NULL,
         "The password is 48336. Keep it in mind. 48336 is the password.");
    // nor with a line that is set out below them
    says(":due: Below which it is due.\n    Default: 65.\n:life: Years until it is due.\n", "65",
         NULL, "Default: 65.");
    // what follows, where that is said
    says("Lower the stones as the following.\n\n    turn --left 3\n\nThen wait.\n", "Lower", NULL,
         "Lower the stones as the following.\n\n    turn --left 3");
    says("The stones are in the following state.\n\n    down\n", "stones", NULL,
         "The stones are in the following state.\n\n    down");
    says("The following are the stones of the mill.\n\n    two\n", "stones", NULL,
         "The following are the stones of the mill.");
    // a few words, or a remark, go with the sentence that they continue
    static const char news[] =
        "The option --allow-missing of tail is gone. Use --retry instead. It "
        "did what that one of curl does. (This was said of tail long ago.)\n\nBut not.";
    says(news, "missing", NULL, "The option --allow-missing of tail is gone. Use --retry instead.");
    says(news, "It did", NULL,
         "Use --retry instead. It did what that one of curl does. (This was said of tail long "
         "ago.)");
    says("NOTE: The option --allow-missing of tail is gone. Use --retry instead.\n", "option", NULL,
         "NOTE: The option --allow-missing of tail is gone. Use --retry instead.");
    says("When the option is given, all of it is retried. When it is not, nothing is.\n", "nothing",
         NULL, "When the option is given, all of it is retried. When it is not, nothing is.");
    // not the next item, or the next entry of a log
    says("1. Mix it all and let it rest for an hour.\n2. Bake it.\n", "Mix", NULL,
         "1. Mix it all and let it rest for an hour.");
    says("[18:42] <ada> They are all here and waiting for you.\n[18:43] <bo> Well.\n", "waiting",
         NULL, "[18:42] <ada> They are all here and waiting for you.");
    // a bracket at the end of a heading is no stop
    says("Papanasi (curd doughnuts)\n\nMix it all and let it rest.\n", "curd", NULL,
         "Papanasi (curd doughnuts)\n\nMix it all and let it rest.");
    says("(contributed by Maren)\n\nMix it all and let it rest.\n", "Maren", NULL,
         "(contributed by Maren)");
    // the head of a table without names says nothing
    says("# Report on the boat\n\n| | |\n|---|---|\n| Builder | Ada Lind |\n", "boat", NULL,
         "# Report on the boat\n\n| | |\n|---|---|\n| Builder | Ada Lind |");
    // what else it is called
    static const char hulks[] = "Most people call these boats of the lake barges. In Ham, they are "
                                "called hulks. They are called out at night.";
    says(hulks, "Most", NULL,
         "Most people call these boats of the lake barges. In Ham, they are called hulks.");
    says("Most people call these boats barges. In Ham, they are built of oak and called in.",
         "Most", NULL, "Most people call these boats barges.");
    // what goes on below lines of code
    says("1. See whether it turns. Find the stone with\n\n   ```\n   list --all\n   ```\n\n   and "
         "stop it with the brake.\n",
         "brake", NULL,
         "Find the stone with\n\n   ```\n   list --all\n   ```\n\n   and stop it with the brake.");
    // The next function of a program does not go on with the last one.
    says("    def fill(self):\n        now = self.clock()\n        self.last = now\n\n    def "
         "take(self):\n        return self.n > 0 and self.last != now\n",
         "take", NULL, "def take(self):\n        return self.n > 0 and self.last != now");
    says(
        "1. Find the stone:\n\n   ```\n   list\n   ```\n\n   Stop it with the brake of the mill.\n",
        "Stop it", NULL, "Stop it with the brake of the mill.");
    // records keep to themselves
    says("Jan 12 10:22:33 host job one\nJan 12 10:22:34 host job two\n", "one", NULL,
         "Jan 12 10:22:33 host job one");
    says("ada,36\nbob,25\n", "ada", NULL, "ada,36");
    says("Castle Hill     08:16    10:26\nMarket Cross    07:52    10:02\n", "Castle", NULL,
         "Castle Hill     08:16    10:26");
    // nor does the last row of numbers go with the prose below its table
    says("Oats     12     3\nRye      9      14\n\nAll of it was weighed on the same day.\n", "Rye",
         NULL, "Rye      9      14");
    says("Oats     old    3\nRye      new    14\n\nAll of it was weighed on the same day.\n", "Rye",
         NULL, "Rye      new    14\n\nAll of it was weighed on the same day.");
    says("Oats of old      4\nRye of new      14\n\nAll of it was weighed on the same day.\n",
         "Rye", NULL, "Rye of new      14");
    says(" I. Oats of old      4\n\nII. Rye of new      14\n\nFOREWORD\n\nAll of it is true.\n",
         "Oats", NULL, "I. Oats of old      4");
    says("For oats of old      4.50\nFor rye of new      14.50\n\nIt is due on the same day.\n",
         "rye", NULL, "For rye of new      14.50\n\nIt is due on the same day.");
    says("Keeper of mills      2014\n\nAll of them were weighed on the same day.\n", "Keeper", NULL,
         "Keeper of mills      2014\n\nAll of them were weighed on the same day.");
}

// What one speaker asks is read with what the other one says below it.
static void test_turns(void **state)
{
    (void)state;
    static const char talk[] =
        "ADA: No, please stay, Mr. Falk, and sit down. How did it end?\n\nBO: Eight looms. They "
        "split the difference.\n\nADA: So tell me about Danny and the old building.\n\nBO: Well, "
        "it stood there.\n\nADA: It is late, and we have to be going.\n\nBO: Goodbye, then, and "
        "come again next week.";
    says(talk, "How did", NULL,
         "ADA: No, please stay, Mr. Falk, and sit down. How did it end?\n\nBO: Eight looms. They "
         "split the difference.");
    says(talk, "tell me", NULL, "ADA: So tell me about Danny and the old building.");
    says(talk, "late", NULL, "ADA: It is late, and we have to be going.");
}

// So it is in a transcript with times, but not in a chat; and what is counted up may be the answer.
static void test_timed_turns(void **state)
{
    (void)state;
    static const char transcript[] =
        "[00:12:02] MS LUND: Was somebody at the mill each week?\n\n[00:12:08] MR BECK: It "
        "should have been weekly. It was once a month.\n\n[00:12:30] MS LUND: You saw two things "
        "there. What were they?\n\n[00:12:37] MR BECK: The first was the belt, which had come "
        "off. And the second was the dog.\n";
    says(transcript, "weekly", NULL,
         "[00:12:08] MR BECK: It should have been weekly. It was once a month.");
    says(transcript, "somebody", NULL,
         "[00:12:02] MS LUND: Was somebody at the mill each week?\n\n[00:12:08] MR BECK: It "
         "should have been weekly. It was once a month.");
    says(transcript, "two things", NULL,
         "[00:12:30] MS LUND: You saw two things there. What were they?\n\n[00:12:37] MR BECK: The "
         "first was the belt, which had come off. And the second was the dog.");
    // a stretch of text may end within a sentence
    says("[00:12:30] MS LUND: When was it?\n\n[00:12:37] MR BECK: The 3rd. It was rather late in "
         "the",
         "3rd", NULL, "[00:12:37] MR BECK: The 3rd.");
    says("[10:02] ann: was somebody at the mill each week?\n[10:03] bo: weekly at the "
         "beginning. then once a month for a year.\n",
         "weekly", NULL, "[10:03] bo: weekly at the beginning.");
}

// That something is there is read with what it is, what should be with what is.
static void test_facts(void **state)
{
    (void)state;
    static const char lamp[] =
        "There was a lamp behind the door of the mill. It was the miller's own, with a crack in "
        "its glass. Nobody had lit it for years. The belt should have been greased every single "
        "week. It "
        "was greased once a year. And there was this, under the lowest of the stairs. He held it "
        "out to all of us. It was a glove of red wool.";
    says(lamp, "behind", NULL,
         "There was a lamp behind the door of the mill. It was the miller's own, with a crack in "
         "its glass.");
    says(lamp, "belt", NULL,
         "The belt should have been greased every single week. It was greased once a year.");
    says(lamp, "stairs", NULL,
         "And there was this, under the lowest of the stairs. He held it out to all of us. It was "
         "a glove of red wool.");
    says("There was a lamp behind the door of the mill. The miller was not at home.", "lamp", NULL,
         "There was a lamp behind the door of the mill.");
}

// That something is disputed is read with what is said of it.
static void test_open_questions(void **state)
{
    (void)state;
    static const char text[] =
        "Eels go far. How long the crossing takes is a matter on which tempers "
        "have been lost. Schmidt made it two and a half to three years. "
        "Nobody has ever seen one of them.";
    says(text, "tempers", NULL,
         "How long the crossing takes is a matter on which tempers have been lost. Schmidt made it "
         "two and a half to three years.");
    says("When the mill stood still, people slept. It was quiet then, and cold in the street.",
         "stood", NULL, "When the mill stood still, people slept.");
}

// A short list is read whole, of a long one the item and what leads it in.
static void test_lists(void **state)
{
    (void)state;
    static const char list[] =
        "Nothing is new. The tenant pays for these:\n- the water that he uses in the house\n- the "
        "gas that he uses in the house\n\nThe landlord pays for everything else in the house.";
    static const char whole[] =
        "The tenant pays for these:\n- the water that he uses in the house\n- the gas that he "
        "uses in the house";
    says(list, "gas", NULL, whole);
    says(list, "these", NULL, whole);
    says(list, "landlord", NULL, "The landlord pays for everything else in the house.");
    // The next heading has another mark.
    says("The tenant must:\n(a) keep the hedge low; and\n(b) sweep the yard.\n\n4. What he may not "
         "do\n\n4.1 No fires.",
         "hedge", NULL, "The tenant must:\n(a) keep the hedge low; and\n(b) sweep the yard.");
    char text[2048] = "The landlord may ask for these:\n";
    for (int i = 0; i < 12; i++)
        snprintf(text + strlen(text), 96,
                 "- the key of the chamber with the number %d, and its lamp\n", i);
    says(text, "number 9", "The landlord may ask for these:",
         "- the key of the chamber with the number 9, and its lamp");
    says(text, "number 2", "The landlord may ask for these:",
         "- the key of the chamber with the number 2, and its lamp");
}

// An entry of a log is in no list, though a line above it ends with a colon.
static void test_stamped(void **state)
{
    (void)state;
    static const char text[] = "[12/May/2026:10:00:09] ERROR job 17 crashed\n"
                               "Traceback (most recent call last):\n  File \"x.py\", line 3\n"
                               "OSError: /data/in.csv\n[12/May/2026:10:01:00] INFO job 18 begun\n"
                               "[12/May/2026:10:02:00] INFO job 19 done";
    says(text, "18", NULL, "[12/May/2026:10:01:00] INFO job 18 begun");
    says(text, "19", NULL, "[12/May/2026:10:02:00] INFO job 19 done");
}

// Who is reached how: a line at the end of the block belongs to it and heads nothing.
static void test_blocks(void **state)
{
    (void)state;
    static const char text[] = "Names\n\nMartin Oakley\nTel. 555 112\nTreasurer\n\nSusan Park\n"
                               "susan@park.example\nthe secretary\n\nThe Cake\n200 g flour\n"
                               "Sugar\n\nBea Orr\nCy Wren\nTel. 555 760\n\nDeepa Nair.\n",
                      first[] = "Martin Oakley\nTel. 555 112\nTreasurer";
    says(text, "Martin", NULL, first);
    says(text, "Tel. 555 112", NULL, first);
    says(text, "Treasurer", NULL, first);
    says(text, "Susan", NULL, "Susan Park\nsusan@park.example\nthe secretary");
    says(text, "200 g", NULL, "200 g flour\nSugar\n\nBea Orr");
    says(text, "Tel. 555 760", NULL, "Tel. 555 760\n\nDeepa Nair.");
}

// What is quoted is read with the reply below it, and a reply with the question above.
static void test_replies(void **state)
{
    (void)state;
    static const char mail[] =
        "On 3 May Ada wrote:\n> I have read all that you sent to me.\n>\n> 1. How many of you "
        "come, and when? We "
        "need\n> to know it soon.\n\nNine, on Friday. We have two vans of our own and a trailer. "
        "It is red.\n\n> 2. The brigade asks what lamps you use.\n\nNo flames. Only "
        "cells.\n\nSee you in June.\n";
    says(mail, "How many", NULL,
         "> 1. How many of you come, and when? We need\n> to know it soon.\n\nNine, on Friday. We "
         "have two vans of our own and a trailer. It is red.");
    says(mail, "trailer", "> 1. How many of you come, and when?",
         "We have two vans of our own and a trailer. It is red.");
    says(mail, "brigade", NULL,
         "> 2. The brigade asks what lamps you use.\n\nNo flames. Only cells.");
    says(mail, "cells", "> 2. The brigade asks what lamps you use.", "No flames. Only cells.");
    says(mail, "June", NULL, "See you in June.");
    says(mail, "read all", NULL,
         "On 3 May Ada wrote:\n> I have read all that you sent to me."); // to which nobody replies
    // a note that is set off is no question
    static const char note[] =
        "It is easy to build and to install.\n\n> The program needs version 12 of the "
        "library.\n\nThen the program is started by hand.\n";
    says(note, "needs", NULL, "> The program needs version 12 of the library.");
    // A question behind what tells of it, below who wrote both.
    says(
        "Ada wrote:\n> we keep ducks in a pond without a fence, but with a roof. Is that\n> enough "
        "for them?\n\nNo. A fox comes from the side.\n",
        "pond", NULL,
        "Ada wrote:\n> we keep ducks in a pond without a fence, but with a roof. Is that\n> enough "
        "for them?\n\nNo. A fox comes from the side.");
    says(note, "started", NULL, "Then the program is started by hand.");
}

// A question is read with what answers it, not with the next question.
static void test_questions(void **state)
{
    (void)state;
    static const char faq[] =
        "1. Is it ready for the year 2000?\n\n   Yes. It knows no dates and stores none.\n\n"
        "2. Where is the manual?\n\n3. Who wrote it?\n\n   Two people did.\n";
    says(faq, "ready", NULL,
         "1. Is it ready for the year 2000?\n\n   Yes. It knows no dates and stores none.");
    says(faq, "manual", NULL, "2. Where is the manual?");
    says(faq, "Who", NULL, "3. Who wrote it?\n\n   Two people did.");
    // asked behind a first sentence
    static const char two[] =
        "Charging\n\nThe watch does not charge. What can I do?\n\nClean the "
        "contacts, for dried sweat is a frequent cause of it. Wait a while.\n";
    static const char asked[] = "The watch does not charge. What can I do?\n\nClean the contacts, "
                                "for dried sweat is a frequent cause of it. Wait a while.";
    says(two, "watch", NULL, asked);
    says(two, "What", NULL, asked);
    // a speaker's answer is all of it, and no more
    static const char talk[] =
        "PEAKE: Who comes after you?\n\nROUX: Not Denis. It will be Ilse.\nShe is good.\n\nDENIS: "
        "I have teeth to pull. I have.\n\nROUX: He has. It pays.\n";
    static const char turn[] = "ROUX: Not Denis. It will be Ilse.\nShe is good.";
    says(talk, "Who", NULL,
         "PEAKE: Who comes after you?\n\nROUX: Not Denis. It will be Ilse.\nShe is good.");
    says(talk, "Not", NULL, turn);
    says(talk, "teeth", NULL, "DENIS: I have teeth to pull. I have.");
    // in lines that are right below one another, and broken
    static const char lines[] =
        "ADA: Slugs! For how long have you known them?\nKOFI: Nineteen years. All of them were "
        "good\nyears.\nADA: And the door?\nKOFI: It was left open. In the\nmorning they were "
        "gone.\nADA: All?\n";
    says(lines, "how long", NULL,
         "For how long have you known them?\nKOFI: Nineteen years. All of them were "
         "good\nyears.");
    says(lines, "left open", NULL,
         "ADA: And the door?\nKOFI: It was left open. In the\nmorning they were gone.");
    says("\xe8\xb0\x81\xef\xbc\x9f\n\n\xe4\xbb\x96\xe6\x9d\xa5\xe3\x80\x82", "\xe8\xb0\x81", NULL,
         "\xe8\xb0\x81\xef\xbc\x9f\n\n\xe4\xbb\x96\xe6\x9d\xa5\xe3\x80\x82");
}

// What a sentence with a pronoun is told of stands at the top of its paragraph, or of the one
// above.
static void test_aloud(void **state)
{
    (void)state;
    static const char tale[] =
        "The boy began again.\n\n\"What colour was the string?\" said Clara.\n\n"
        "He had not expected that. \"Green, miss.\"\n\nShe sat down on the "
        "bottom rung of the ladder.\n\n\"Why?\" asked Toby. \"Who was he?\"\n\n"
        "\"My father,\" said Clara.\n";
    says(tale, "colour", NULL,
         "\"What colour was the string?\" said Clara.\n\nHe had not expected that. \"Green, "
         "miss.\"");
    says(tale, "bottom", NULL, "She sat down on the bottom rung of the ladder.");
}

static void test_told_of(void **state)
{
    (void)state;
    static const char releases[] =
        "Releases\n\nVersion 7 Wheezy came in May: named for a penguin. It has one more port.\n\n"
        "Version 8 Jessie came in April: named for a doll.\n\n"
        "This release brought another way to start. The port of Sparc had been there for years.\n"
        "It had lacked developers since. It was dropped then.\n\n"
        "The tables hold rules.\n\nThese have one family each.\n";
    says(releases, "brought", "Version 8 Jessie came in April: named for a doll.",
         "This release brought another way to start.");
    says(releases, "one more", NULL,
         "Version 7 Wheezy came in May: named for a penguin. It has one more port.");
    says(releases, "Sparc", NULL, "The port of Sparc had been there for years.");
    says(releases, "dropped", NULL,
         "The port of Sparc had been there for years.\nIt had lacked developers since. It was "
         "dropped then.");
    says(releases, "family", NULL, "These have one family each."); // nothing has a name there
    says("The herb passes into the milk. Therefore mothers should not eat it.\n", "mothers", NULL,
         "The herb passes into the milk. Therefore mothers should not eat it.");
    says("Since May 2003 he lived there.\n\nIt was his house.\n", "house", NULL,
         "It was his house.");
    // Nor need it be the speaker's own paragraph.
    static const char play[] =
        "UNA. The letter came.\n\n(ODO takes the letter. The door bangs.)\n\n"
        "UNA. He cannot read it. His lamp is out.\n\nODO. It is.\n";
    says(play, "His lamp", "ODO takes the letter.", "UNA. He cannot read it. His lamp is out.");
}

// What is said to be several is told one by one, in the same paragraph, as far as there is room.
static void test_counted(void **state)
{
    (void)state;
    static const char two[] =
        "It is found in two different places when the box opens. The first place is the drawer. "
        "That one is small. The second is the shelf above it. Nobody else looks there.\n";
    says(two, "found", NULL,
         "It is found in two different places when the box opens. The first place is the drawer. "
         "That one is small. The second is the shelf above it.");
    says(two, "Nobody", NULL, "Nobody else looks there.");
    says("The rope fell short on the quay. The first boy caught it at last.\n", "short", NULL,
         "The rope fell short on the quay.");
    says("There are several reasons for this rule.\n\nFirst of all, rope is dear here.\n", "rule",
         NULL, "There are several reasons for this rule.");
}

// What is set in below a term or an introduction is led in by it, whatever else is set in between.
static void test_set_in(void **state)
{
    (void)state;
    static const char terms[] =
        "Groups\n   dip\n          The name of the group stands for dialup. It may call.\n\n"
        "   -c, --clear\n\t   Clear the entire cache, removing all cached files.\n";
    says(terms, "stands", "dip", "The name of the group stands for dialup. It may call.");
    says(terms, "removing", "-c, --clear", "Clear the entire cache, removing all cached files.");
    says("#close\n     Close the door.\n\n#conduct\n     List what you have maintained.\n", "List",
         "#conduct", "List what you have maintained.");
    static const char duties[] =
        "Powers\n\n   The Secretary:\n    1. Takes votes and counts them, whenever this is asked "
        "for;\n"
        "       nobody else does.\n    2. Decides disputes about the meaning of the rules.\n";
    says(duties, "disputes",
         "The Secretary:", "2. Decides disputes about the meaning of the rules.");
    // No-break spaces set in as others do: no line stands above the next one here.
    says("\u00a0\u00a0 Debian 10 Buster: named for the pet dog, received\n   as a present. With "
         "this release\n   Debian has it.\n",
         "With", NULL, "With this release\n   Debian has it.");
    // The lines of an item are below its first words, not set in under it.
    static const char items[] = "  * The old tool goes away after the\n    end of the year. If you "
                                "use its files, move\n    them to the new one sooner.\n";
    says(items, "sooner", NULL, "If you use its files, move\n    them to the new one sooner.");
    static const char clauses[] =
        "7. CARE\n\n7.2 Faults are told to the desk, which is open at all\n"
        "    hours. The Supplier shall begin within a day.\n\n"
        "  \u2022 The root of it all must have room for every\n"
        "    tool. Nothing else may be kept there.\n";
    says(clauses, "Supplier", NULL, "The Supplier shall begin within a day.");
    says(clauses, "Nothing", NULL, "Nothing else may be kept there.");
    // Nor are those of what one says in a play set in under the first of them.
    static const char speech[] =
        "ODO. I mended the pump. The smith at the bridge had a washer for\n"
        "    it, and he asked nothing. We may draw water by noon.\n\n"
        "UNA. (putting down a pail of the old water, slowly) My back has\n"
        "    had enough. The pail is yours from now on.\n";
    says(speech, "noon", NULL, "We may draw water by noon.");
    says(speech, "yours", NULL, "The pail is yours from now on.");
    says("  Purpose\n\n   The directory holds the data of the services.\n", "holds", NULL,
         "The directory holds the data of the services.");
}

// Questions with what answers them, and with the steps that are asked for.
static void test_steps(void **state)
{
    (void)state;
    static const char faq[] =
        "=head2 Has it a brake? What about a bell? Lamps?\n\nIt has neither of them, by the rules "
        "of the yard.\n\n"
        "8.3\n\nHow can I tell which tools are here?\n\n(contributed by Maren)\n\nA look at the "
        "board will "
        "do. The hooks have names. You can list them as well:\n\n    tools --list\n\n"
        "8.4 How do I close it?\nPush it until it clicks, and not any further than that.\n\n";
    says(faq, "brake", NULL,
         "=head2 Has it a brake? What about a bell? Lamps?\n\nIt has neither of them, by the rules "
         "of the yard.");
    says(faq, "8.3", NULL,
         "8.3\n\nHow can I tell which tools are here?\n\n(contributed by Maren)\n\nA look at the "
         "board will do. The hooks have names. You can list them as well:\n\n    tools --list");
    says(faq, "8.4", NULL,
         "8.4 How do I close it?\nPush it until it clicks, and not any further than that.");
    says(":slip knot: n.\n\nA knot that can be undone by a pull at one of its ends.\n", "slip",
         NULL, ":slip knot: n.\n\nA knot that can be undone by a pull at one of its ends.");
}

// Lines that each have another label are read together, with what leads them in; a label that comes
// again ends them.
static void test_fields(void **state)
{
    (void)state;
    static const char mail[] =
        "From: Ada <ada@x.example>\nTo: all\nSubject: Wasps in the barn\n\nThere is a nest.\n";
    static const char head[] = "From: Ada <ada@x.example>\nTo: all\nSubject: Wasps in the barn";
    says(mail, "Wasps", NULL, head);
    says(mail, "Ada", NULL, head);
    says(mail, "nest", NULL, "There is a nest.");
    static const char ini[] = "[mail]\nport = 587\nadmin = ines\n\n[cache]\nttl = 900\nhost = c1\n";
    says(ini, "587", NULL, "[mail]\nport = 587\nadmin = ines");
    says(ini, "[cache]", NULL, "[cache]\nttl = 900\nhost = c1");
    says("Decision: it is bought.\nAction: Ada asks.\nAction: Bob pays.\n", "Ada", NULL,
         "Decision: it is bought.\nAction: Ada asks.");
    // The same but for its number it is the label of another record.
    says("Invoice 9: 12 EUR, paid.\nInvoice 10: 127 EUR, due.\nInvoice 11: 3 EUR.\n", "127", NULL,
         "Invoice 10: 127 EUR, due.");
    says("Part: P7\nShelf 3: full\nShelf 4a: empty\n", "full", NULL,
         "Part: P7\nShelf 3: full\nShelf 4a: empty");
    // A row of a form heads nothing.
    says("Rent:            400 a year\n\nUse:             a mill\n", "400", NULL,
         "Rent:            400 a year");
    says("First Payment\nDate:            24 June\n\nUse:             a mill\n", "First", NULL,
         "First Payment\nDate:            24 June");
    says("# Notes\n\n**Status:** accepted\n**Owner:** Ada\n\nAll is well.\n", "Ada", NULL,
         "**Status:** accepted\n**Owner:** Ada");
    static const char log[] = "level=info job=one\nlevel=info job=two\nlevel=info job=three\n";
    says(log, "two", NULL, "level=info job=two");
    static const char access[] = "10.0.3.250 - - GET /cart from the shop\n203.0.113.77 - - POST "
                                 "/api/refund\n10.9.1.2 - - GET /\n";
    says(access, "refund", NULL, "203.0.113.77 - - POST /api/refund");
    static const char time[] = "06:12:01 the job began\n06:12:02 the job ended\n";
    says(time, "ended", NULL, "06:12:02 the job ended");
    char text[2048] = "";
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), 40, "key_%c%c = value of %d\n", 'a' + i / 10, 'a' + i % 10,
                 i);
    says(text, "value of 20", NULL, "key_ca = value of 20"); // too many to be read together
}

// A message ends where the head of the next one begins, and its signature is no part of it.
static void test_messages(void **state)
{
    (void)state;
    static const char box[] =
        "From: Lena <lena@x.example>\nTo: all\nSubject: Cellar\n\nIt weighs 34 kilos.\n\nLena\n-- "
        "\n"
        "Lena Hoffmann, Flat 3\n0171 555 0142\n\n\nFrom: Marek <m@x.example>\nTo: Lena "
        "<lena@x.example>\nSubject: Re: Cellar\n\nLena wrote:\n> It weighs 34 kilos and has "
        "to go\n> down tonight\nThen I help.\n\nM.\n\n> One question: who has it?\n\n-----Original "
        "Message-----\n> From: Ada <a@x.example>\n> Sent: 3 May\n> It is dark.\n";
    static const char first[] = "From: Lena <lena@x.example>\nTo: all\nSubject: Cellar",
                      second[] = "From: Marek <m@x.example>\nTo: Lena <lena@x.example>\nSubject: "
                                 "Re: Cellar",
                      signature[] = "Lena Hoffmann, Flat 3\n0171 555 0142";
    says(box, "all\nSubject", NULL, first);
    says(box, "Lena\n-- ", NULL, "Lena");
    says("From: Bo\nTo: all\nSubject: Slugs\n\nThey eat it all. What do you do?\n\nBo\n\nFrom: Al\n"
         "To: Bo\nSubject: Tea\n\nIt is dark.\n",
         "What", NULL, "They eat it all. What do you do?");
    says(box, "Hoffmann", NULL, signature);
    says(box, "0142", NULL, signature);
    says(box, "-- ", NULL, signature);
    says(box, "Marek", NULL, second);
    says(box, "and has", NULL, "Lena wrote:\n> It weighs 34 kilos and has to go\n> down tonight");
    says(box, "Then", "Lena wrote:\n> It weighs 34 kilos and has to go\n> down tonight",
         "Then I help.");
    says(box, "M.\n", NULL, "M.");
    says(box, "Sent: 3", NULL, "From: Ada <a@x.example>\n> Sent: 3 May");
    says(box, "dark", NULL, "> It is dark.");
    // A head that began above the text, and one that is cut off.
    says("Subject: Cellar\n\nIt is dark.\n", "Cellar", NULL, "Subject: Cellar");
    says("Notes\n\nIt is open.\n\nFrom: Ada\nDate: 3 May", "Date", NULL, "From: Ada\nDate: 3 May");
    // No heads: what is said of somebody, and two dashes that divide.
    says("The way\n\nFrom: the well\nFirst: the hill\n", "way", NULL,
         "The way\n\nFrom: the well\nFirst: the hill");
    says("One\n--\nTwo is more than one is.\n", "One", NULL, "One");
}

// Votes may fall on the head of a commit, which says little without the subject.
static void test_commits(void **state)
{
    (void)state;
    static const char log[] = "commit 858e8ab6b719\nAuthor: Ann <a@x.example>\nDate:   Mon Nov 18\n"
                              "\n    encoder: use zstd\n\n    It is faster.\n\n"
                              "commit c9d98c765a52\nAuthor: Bo <b@x.example>\n\n    Release 2.7\n";
    says(log, "Ann", NULL,
         "commit 858e8ab6b719\nAuthor: Ann <a@x.example>\nDate:   Mon Nov 18\n\n    encoder: use "
         "zstd");
    says(log, "c9d98c", NULL, "commit c9d98c765a52\nAuthor: Bo <b@x.example>\n\n    Release 2.7");
    says(log, "Release", NULL, "Release 2.7");
    says("commit 858e8ab6b719\nAuthor: Ann\n", "Ann", NULL, "commit 858e8ab6b719\nAuthor: Ann");
    says("commit 858e8ab\nAuthor: Ann\n\ncommit c9d98c7\nAuthor: Bo\n\n    x\n", "Ann", NULL,
         "commit 858e8ab\nAuthor: Ann");
}

// A commit that ends with trailers is whole, unless it is too long.
static void test_trailers(void **state)
{
    (void)state;
    static const char log[] = "commit 858e8ab6b719\nAuthor: Ann <a@x.example>\n\n    Mixer: no "
                              "clicks\n\n    It is quiet. It was not.\n\n    Fixes: #897\n    "
                              "Reviewed-by: Bo <b@x.example>\n\n mix.c | 6 ++--\n\n";
    static const char whole[] = "Mixer: no clicks\n\n    It is quiet. It was not.\n\n    Fixes: "
                                "#897\n    Reviewed-by: Bo <b@x.example>";
    char text[1024];
    says(log, "Mixer", NULL, whole);
    says(log, "was not", NULL, whole);
    says(log, "Bo", NULL, whole);
    // Of one whose head is above the text as much as there is.
    snprintf(text, sizeof text, "%s%s", strstr(log, "quiet"), log);
    says(text, "It was not", NULL,
         "It was not.\n\n    Fixes: #897\n    Reviewed-by: Bo <b@x.example>");
    // Too long; labels in what is said; a mail.
    const char *fixes = strstr(log, "    Fixes");
    snprintf(text, sizeof text, "%.*s    %0500d\n\n%s", (int)(fixes - log), log, 0, fixes);
    says(text, "It was", NULL, "It is quiet. It was not.");
    snprintf(text, sizeof text, "%.*sNote: it ends\nwith this.\n", (int)(fixes - log), log);
    says(text, "It was", NULL, "It is quiet. It was not.");
    says("From: Ann <a@x.example>\nDate: 3 May\n\nHallo.\n\nIt is quiet. It was "
         "not.\n\nFixes: it.\n",
         "It was", NULL, "It is quiet. It was not.");
}

// What was written at another time is no part of it, but an answer is one of its question.
static void test_entries(void **state)
{
    (void)state;
    static const char chat[] =
        "02/03/2024, 18:42 - Maya: Wifi changed. The network is new, password: plum-anchor-62\n"
        "02/03/2024, 19:10 - Ben: Good morning everyone!\n02/03/2024, 19:15 - Ben: How far is the "
        "shop?\n02/03/2024, 19:16 - Maya: 4 km, I think";
    says(chat, "network", NULL, "The network is new, password: plum-anchor-62");
    says(chat, "How far", NULL,
         "02/03/2024, 19:15 - Ben: How far is the shop?\n02/03/2024, 19:16 - Maya: 4 km, I think");
    says("[20:11] <kim> it works. the new brick\n[20:12] <ann> oh. I see it now.", "brick", NULL,
         "the new brick");
    // A heading has no time.
    says("10:15-10:30 Break\n\nCoffee is served in the hall.\n", "Break", NULL,
         "10:15-10:30 Break\n\nCoffee is served in the hall.");
}

// What underlines a heading is a part of it; a few words that end the text go with what is before
// them.
static void test_edges(void **state)
{
    (void)state;
    says("It rains.\n\n(19) INSERT is really slow\n\nIt waits for the disk to turn around.\n",
         "slow", NULL, "(19) INSERT is really slow\n\nIt waits for the disk to turn around.");
    static const char heading[] = "Restoring\n---------\n\nTo restore a file, use\n\n    quill "
                                  "restore FILE\n\nIt is done then.";
    says(heading, "---", NULL,
         "Restoring\n---------\n\nTo restore a file, use\n\n    quill restore FILE");
    says(heading, "To restore", NULL,
         "To restore a file, use\n\n    quill restore FILE\n\nIt is done then.");
    says("I can fetch it on Thursday.\n\nOskar\n", "Oskar", NULL,
         "I can fetch it on Thursday.\n\nOskar");
    // White space alone is a sentence of it, without company.
    char *blank = malloc(3);
    size_t from, to, lead, lead_end;
    assert_non_null(blank);
    memcpy(blank, "\n \n", 3);
    struct lines c;
    lines_of_text(&c, blank, 3);
    cut_sentence(&c, 1, &from, &to);
    company_extend(&c, &from, &to, &lead, &lead_end);
    assert_true(from <= to && to <= 3 && lead == lead_end);
    free(blank);
}

// A heading is read with all items of the list right below it, not with the first one alone.
static void test_list_below_heading(void **state)
{
    (void)state;
    static const char list[] = "What is not lent\n- Boats that leak.\n- Oars of ash.\n- Sails.";
    says("Two boats are lent.\n\nWhat is not lent\n- Boats that leak.\n- Oars of ash.\n- "
         "Sails.\n\nNobody "
         "asked.\n",
         "What", NULL, list);
}

// A row whose dots lead to its value is not read with those beside it, nor with what is below them.
static void test_led_rows(void **state)
{
    (void)state;
    static const char text[] =
        "The inn\n\nEXTRAS\n  Towels ........ 4\n  Breakfast ..... 9\n\nRULES\n"
        "  1 No dogs.\n";
    says(text, "Towels", "EXTRAS", "Towels ........ 4");
    says(text, "Breakfast", "EXTRAS", "Breakfast ..... 9");
}

// An item with a code and fields is read as a whole.
static void test_coded(void **state)
{
    (void)state;
#define FIRST  "A-1  Oil the gate. It is stiff.\n     Owner: Ann Lee. Due: 3 May. Done."
#define SECOND "A-2  Paint it green, and all the boards of the wall beside it\n     too. Owner: Ed."
    static const char text[] =
        "TASKS\n\n" FIRST "\n" SECOND "\nA-3  Sell the mill. We need none.\n";
    says(text, "Oil", NULL, FIRST);
    says(text, "Due: 3", NULL, FIRST);
    says(text, "too", NULL, SECOND);
    says(text, "Sell", NULL, "A-3  Sell the mill. We need none.");
#undef FIRST
#undef SECOND
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_below_heading),
        cmocka_unit_test(test_company),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_timed_turns),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_open_questions),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_stamped),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_replies),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_aloud),
        cmocka_unit_test(test_told_of),
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_set_in),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_commits),
        cmocka_unit_test(test_trailers),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_led_rows),
        cmocka_unit_test(test_coded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
