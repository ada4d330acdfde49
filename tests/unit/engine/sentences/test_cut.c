// Where sentences begin and end, for text of several kinds. A bar marks each cut.
#include "engine/sentences/cut.h"
#include "engine/words/shortened.h"
#include "tests/unit/engine/sentences/cut_fixture.h"

// Cells that go on in the next line end with their row, and stay below one another.
static void test_broken_cells(void **state)
{
    (void)state;
    falls_into("Oil leaks       Seal worn,       Renew; suck\n"
               "                or cut           it out\n"
               "|Belt slips      Belt is wet      Dry it with\n"
               "in the rain                      a cloth\n"
               "|Lamp glows      Switch faulty    Renew it\n");
    mends_to("Oil leaks       Seal worn,       Renew; suck\n"
             "                or cut           it out\n",
             "Oil leaks       Seal worn,       Renew; suck\n"
             "                or cut           it out\n");
    mends_to("Belt slips      Belt is wet      Dry it\nin the rain\n",
             "Belt slips      Belt is wet      Dry it\nin the rain\n");
    // The last cell alone is joined.
    mends_to(
        "Belt slips      Belt is wet      Dry it\n                                 with care\n",
        "Belt slips      Belt is wet      Dry it with care\n");
    // The blanks before the row are not said.
    static const char row[] = "  Oil leaks       Seal worn,       Renew; suck\n"
                              "                  or cut           it out";
    char out[sizeof row];
    struct lines c;
    lines_of_text(&c, row, strlen(row));
    out[cut_mend(&c, 2, strlen(row), out)] = 0;
    assert_string_equal(out, "Oil leaks       Seal worn,       Renew; suck\n"
                             "                or cut           it out");
}

static void test_prose(void **state)
{
    (void)state;
    falls_into("It has been sent in, ref. 25/AWD/3318; an answer is due. |Call ext. 12.");
    falls_into("The rent is due. |Who pays it? |Nobody!");
    falls_into("It holds, e.g. in May, i.e. always, and vs. all. |So it does.");
    falls_into(
        "It runs every day (week, etc.). |atd runs a job once. |cron does not, approx. speaking.");
    falls_into(
        "Ask Col. (ret.) Ada Holm. |Holm Bros. (est. 1888) made it. |Walk 3 km. (2 miles) on.");
    falls_into(
        "It is by Dr. (hon.) Eva Lind of Lind Corp. (Oslo) and others. |It ends (etc.) |She went.");
    falls_into(
        "Pay the rent. |(a) in time, (iii) whole. |(It is due.) |We met him. |(He was late.)");
    falls_into("Dr. Weiss and J. Orth met in 1996. |They left at 4.30 p.m. and came back.");
    falls_into("Cllr. Osei and Sgt. Brandt met Hr. Wolf. |Cllr. M. Tallis, Cllr.\nJ. Orth left. "
               "|Fly. |Go.");
    falls_into("It [speeds it\nup](https://ci.example.org/performance.html) by caching\nwhat it "
               "did. |So!");
    falls_into("\"He left.\" |She said (to all.) |Nobody \xe2\x80\x9cmoved.\xe2\x80\x9d |Then it "
               "was over.");
    falls_into("\xe4\xbb\x96\xe6\x9d\xa5\xe3\x80\x82|\xe5\xa5\xbd\xef\xbc\x81|\xe8\xb5\xb0");
    falls_into("Adler, Berta, Seeweg 6 ....... 026 651\n|Baum, Carl, Dorfstr. 33 ........ 022 952");
    falls_into("1 Rent . . . . . . . 12\n|2 Term . . . . . . . 14");
    falls_into("It is of Cllr. Osei and of Halberd Mutual Ltd. |The address is known.");
    falls_into("- A key to search all of the notes\n|### Changed\n|- It is now 9 (was 7)");
    falls_into("Er ist Dipl.-Ing. Wolff, z. B. am 3. Oktober im 2. Stock der Dorfstr. 7. |Er kam "
               "um 12. |Hier war es.");
    falls_into(
        "It has 256 colors at most.[6] |Then \"more.\"[12] |See [4] of [5] and n.[1] of it.");
    falls_into("Sat 3 Sept. Rain. |Ole came on 3 Sept. |It rained.\n\n|9 June 1901. A fine day.");
    falls_into("Ada (b. 1801), Ole (d. 1822, m. 1820) and Una (m. Karl Ost) left. |It is item b. "
               "|3 of them, and plan d. |12345 was the number. |Una, bapt. 1799, fl. 1830.");
    assert_true(shortened_word("no", 2, "| Part", 6)); // "Part no. | Part"
    assert_false(shortened_word("no", 2, "Part", 4));
    assert_true(shortened_stop("ref.", 4, "K", 1)); // "L-7" is still to come
    falls_into("It has the ref. KL-7 and the no. OB-Q 12 on it. |He said no. |NATO-led men came.");
    falls_into("Odo wrote down what the carter had painted on it, plate no.\n"
               "OB-Q 12. |Una paid for the cart when it came back.\n");
    falls_into("See p. 12 and Nr. 7 in vol. 3. |He waited .... |Then he left. |30 came.");
    falls_into(
        "It holds min. 12 litres, max. 20 of them. |It took 40 min. |6 came. |Send max. |Ann "
        "waits.");
    falls_into("A heading\n\n|The first sentence. |The second one");
    falls_into("9.10.1. Backing up with cp\n\n|It is a program.\n|2.1. Clause\n|3. The tenant "
               "pays. |He does.");
    falls_into(
        "Section 3.1. Annual meeting. The meeting is held in May. |It is open.\n\n|7.2 Approval of "
        "plans. No fence is put up.\n|4. Hearing. She hears.\n|4.1  Noise and smell. To keep it "
        "low.");
    falls_into("The page ends here.\n\n\f|Mill Lease\n\n|Page 2\n\n|The next begins.\n\n\f");
    falls_into("119;Rent;Mr. Orth. Paid;12,500\n|120;Loans;C. Abbadie;9 May\n|He went. |It did.");
    falls_into("These are needed:\na boat;\na rope;\nan oar.\n|Nothing else is.");
    // A reference in brackets belongs to the sentence whose stop it is behind; a remark does not.
    falls_into("She wrote that \"the mill is ours.\" [Ada Lind, Op. Cit., vol. 2, p. 27] |They "
               "bought it on Nov. 18, 1905. |[It was cold.] |He says \"yes\" [The Mill, p. 7] and "
               "goes.\n");
}

// Lines that are broken where they are full go on; those that are not do not.
static void test_broken_lines(void **state)
{
    (void)state;
    falls_into("The tenant shall pay the rent on the first working day of every\nMay or June, "
               "whichever of the two comes to them "
               "first in\nthat year. |The landlord keeps the roof in good repair and\nthe tenant "
               "the windows.\n\n|It is so.");
    falls_into("Present: Ada Pell, Ole Lund, Una Berg, Karl Ost, Ann Moe, and all of the\nothers. "
               "|Absent: none\n|Guests: Bo");
    falls_into("Present: Ada Pell, Ole Lund, Una Berg, Karl Ost, Ann Moe, Ben Rose, Cy,\nWeiss. "
               "|Absent: none\n|Guests: Bo");
    // No sentence ends with "for" or "the", however short its line, but with a number one may well
    // begin.
    falls_into("Koptein started the first port for\nDebian. |It was for the\n1.0 release.\n|Sizes "
               "it fits\n|2.0 inches, which is what the "
               "makers of such things call small\n");
    falls_into("Keep the fish in a chamber of its own, at between\n0 and 2 degrees.\n");
    falls_into("Never stop more than two wheels at once, since each stop lasts for about\n40 "
               "seconds. |Turn them.\n");
    falls_into("What it is about\n|2. The tide\n");
    falls_into("Defects are told to the agent, Messrs Lyddon and Crewe,\non 01632 960 417; at "
               "night to the caretaker, Mr Bielski,\non 01632 960 883. |So be it.");
    falls_into("> I have looked at the machine in the cellar that the old\n> Schmidt sold us and "
               "it does run.\n|Good news!\n"
               "|Yours, Ada");
    falls_into("DESCRIPTION\n       |Lists information about the files (the current directory by\n "
               "      default). |Entries "
               "are sorted.\n\n       |-a, --all\n              do not ignore entries starting "
               "with a dot");
    falls_into("The lifetime of a star depends on its mass, and small ones go on for\n"
               "<emphasis>trillions</emphasis> of years. |Nothing else does.\n");
    // The gap behind the sign of a comment divides no cells, one behind that does.
    falls_into("#      A proxy opens so many connections, and no more of them, to\n#      one "
               "host at a time. |Others wait for one that has come to\n#      its end.\n|#\n"
               "|#      near     1 km\n|#      far      9 km\n");
    // An address may be a long word.
    falls_into("What was found is told by mail to\nlost.property@harbour.example, for\nthe ferry. "
               "|So be it.");
    // Short amounts that are set in are a list.
    falls_into(
        "A soup for those who have been out in the rain for longer than they like.\n\n  |90 g "
        "hay\n  |2 spoons of oil\n  |a pinch of salt\n");
    // Full lines of prose may begin alike, those of a list are not full.
    falls_into("The rights granted then from a particular and willing old\nContributor are "
               "reinstated for a time, unless and until that\nContributor explicitly ends Your "
               "grants and tells of that.\n\n|Contributor one pays for the bread\n"
               "|Contributor two pays for the wine\n");
    falls_into("Grants of a willing one are given until that one ends such\nGrants.\n");
    // Lines broken by hand may have had room for the next word.
    falls_into("We trod grapes in the old vats of a farm of a certain\nZurab, who told us all "
               "that had to be known of wine and of the\njars that it is kept in, and they are as "
               "large as a cow, and\nlie in the ground.\n\n"
               "|This is a wider paragraph, whose lines have been broken by a program, and\nno "
               "line of it is broken early.\n");
    // Lines broken by their width on paper have more or fewer letters; what has lines of that
    // length is broken there although another line is short.
    static const char paper[] =
        "Tip\nBe sure to set the gate before the millstones are lowered, as is told of the Upper\n"
        "Mill in winter ( Gate > Winter ) when the wheel stands in ice. Some millers will\n"
        "open it with a small iron lever, which is kept for that below the stairs of the\n"
        "house, and close it again.\n\nA line that is wider than any that is broken tells that "
        "lines beside it are not broken where the widest ones end, as in this one here.\n";
    says(paper, "gate", NULL,
         "Be sure to set the gate before the millstones are lowered, as is told of the Upper\n"
         "Mill in winter ( Gate > Winter ) when the wheel stands in ice.");
}

// An amount, a day and a name may be broken anywhere, and so may what is said aloud.
static void test_broken_anywhere(void **state)
{
    (void)state;
    falls_into("A flat may be let for four months, at not more than\n1,450 pounds a month, or\n"
               "\xc2\xa3"
               "1,450 plus rates.\n");
    falls_into("The miller shall insure the mill against fire for pounds\n2,000,000 and its wheel "
               "for half of that, and\nshall show the paper each year.\n");
    falls_into(
        "When all had been counted the wheel was found to have cost\n\u00a312,345, being more "
        "than anybody had said before.\n");
    falls_into("Nobody is paid for the loss of a boat, which is limited to\n\xc2\xa3"
               "2,500.\n");
    falls_into("Who has found a boat calls the keeper of them on 01632 960\n231. He comes.\n");
    falls_into("A list of all boats is opened by whoever has the keys by the menu Boats\n\u2192 "
               "List.\n|\u2192 New: one more\n|\u2192 Old: another one\n\n|This is a line that is "
               "wider than those above it, as they are not so very wide.\n");
    falls_into("One is added by the menu Boats \u2192\nNew.\n\n|This is a line that is wider than "
               "those above it, as they are not so very wide.\n");
    falls_into(
        "The society lends its boats from The Old Mill, Water Lane, Upton\n(the \"House\").\n");
    falls_into("It was lowered on 5\nSeptember and stripped at the works between 16 and 20\n"
               "September, which Mrs\nKowalczyk saw.\n\n|Team A 20\n|Team B 30\n");
    // A line may have had room for the one word that is left of its sentence.
    falls_into("1 The men of Israel fled from them, and fell down in mount\nGilboa.\n|2 And "
               "they followed hard upon Saul, and they slew Jonathan and all\nhis sons. |That is "
               "so\n|Yes.\n|Nobody else was there\n|He did not see them.\n");
    // What is wider than the paragraph does not say how wide that is.
    falls_into("+------+---------------------------------------------------------------+\n\n"
               "|A relay remembers the digests of the last parcels of each\nsession. |If one of "
               "them arrives again, and so late, the relay\nSTORED it, and sends that again. |The "
               "digest is sixteen or so\noctets of the hash.\n");
    // What is said aloud is no row of fields, though a comma stands before the mark that closes it.
    falls_into(
        "She looked at the gate again. |\"That was cut by old\nHalm,\" she said, \"the sexton, "
        "who was\nill in May.\" |He left.\n");
    falls_into("They looked at it for forty years. |\u201cIt is a\nshame,\u201d he said.\n");
    // Nor does an initial end a sentence where it ends a line.
    falls_into("It is said that the fair began at noon, and that old Mrs P.\nHalm had her "
               "fall before that. |It did not. |We are sorry\nfor it.\n");
}

// A line that is set in below one that is long and does not stop goes on with it, even where this
// had room for its first word.
static void test_hanging_lines(void **state)
{
    (void)state;
    static const char wide[] =
        "No boat is lent to anybody who has not rowed one on the lake before, "
        "with a guide.\n\n";
    char text[512];
    snprintf(text, sizeof text,
             "%s|\"Safe Place\" means any of the places that the map shows between the North\n"
             "    Bay and the mill.\n",
             wide);
    falls_into(text);
    snprintf(text, sizeof text, "%s|The Boats and Their Keepers\n    |Una Berg keeps the oars.\n",
             wide);
    falls_into(text);
}

// So is each row of a schedule, whose dots lead from a label to its value, whatever that is.
static void test_led_rows(void **state)
{
    (void)state;
    falls_into("It is the tenant of the mill who pays for all of these from the day on which:\n"
               "|Landlord ........... Lind and Daughters, ref. MILL/7\n"
               "|Term of it ......... 1 May 2021 to 30 April 2031, noon. Then it ends\n"
               "|Agent .............. Ada Pell, who may sign whatever the landlord does\n"
               "                     here\n"
               "|What is paid for water, by the quarter ....     120\n"
               "|Rent (see 2 (b)) ..........................     500\n"
               "|Insurance of the mill and of what is in it.\n");
    falls_into("The tenant of the mill pays for all of this in every single year of it.\n"
               "|Water from the brook and whatever is needed to lead it in        120\n"
               "|Rent       \u00a3500\n|The upkeep of the road             75\n");
    falls_into("He waited .... |Then he left. |So did she.");
}

// An amount, or a number that ends a sentence, at the beginning of a line is no record or item.
static void test_numbers_first(void **state)
{
    (void)state;
    falls_into("The council has set aside for the new pavilion by the river, that is,\n"
               "\u00a312,400. |The rest comes from the lottery and from the members.\n");
    falls_into("At the end of May the club had in its account and in rents that are due\n"
               "\u00a32,310.45. |Ms Orth will write to those who have not paid any of it.\n");
    falls_into("31. They have asked us to hear them once more on the meaning of clause\n"
               "    14. We refuse that, as nothing that they say about it is of any use.\n\n"
               "|32. The mill pays.\n");
    falls_into("The amendment of the miller was lost with 2 votes against 4 and with 1\n"
               "abstention. |Then the whole was carried with 5 votes against 1 and with 1\n"
               "abstention. |That was all.\n");
    falls_into("The board asks whoever wants a mooring in the new harbour for all this,\n"
               "|2. a letter with the name of the boat,\n|3. a drawing of its keel.\n");
}

static void test_table_below(void **state)
{
    (void)state;
    falls_into("These are the classes that armor gives to those who wear any\nof it:\n"
               "          |scale mail       1\n          |plate mail       3\n"
               "          |leather armor   10\n          |no armor        12\n");
    falls_into("These  are  the classes that armor gives to whoever wears it:\n"
               "scale mail  gives one, and\nplate mail three. |No armor gives 3.\n");
    // The last row is not read with the next chapter.
    says("Code   Meaning          To do\nE4     No water         Fill the tank\n"
         "E7     Sensor broken    Call service\n\nChapter 7  Data\n\nVoltage: 220 V\n",
         "Sensor", NULL, "E7     Sensor broken    Call service");
    says("6  Troubles\n7  Technical data\n8  Warranty\n\nChapter 1  Safety\n\nRead this.\n",
         "Warranty", NULL, "8  Warranty\n\nChapter 1  Safety\n\nRead this.");
}

// Between fences lines stay lines; what stands behind them does not.
static void test_code(void **state)
{
    (void)state;
    mends_to("Put this into the file of the mill:\n\n```\nwheel north\nspeed slow\nend\n```\n\n"
             "It must be read\nagain.\n",
             "Put this into the file of the mill:\n\n```\nwheel north\nspeed slow\nend\n```\n\n"
             "It must be read again.\n");
    mends_to("```sh\nmill start\nmill stop\n```\nThat is\nall.",
             "```sh\nmill start\nmill stop\n```\nThat is all.");
}

static void test_mended_lines(void **state)
{
    (void)state;
    mends_to("alarm:\n  siren: 180\n  zones:\n    ground: 4\nWe ask this:\nplease come.\n",
             "alarm:\n  siren: 180\n  zones:\n    ground: 4\nWe ask this: please come.\n");
    // A paragraph that is broken into lines beside one that is not; a poem, which is none.
    static const char rest[] =
        "\n\nThis line is as long as it likes to be, for it comes from a program that leaves it to "
        "others to break what is too long for them, and goes on to say so.";
    char text[600];
    snprintf(text, sizeof text, "%s%s",
             "I have asked three firms for offers: Miller and Sons, Roofers\nNorth and the two who "
             "did number 14. The whole reserve fund at\nAlder can pay for it.",
             rest);
    char want[600];
    snprintf(want, sizeof want, "%s%s",
             "I have asked three firms for offers: Miller and Sons, Roofers North and the two who "
             "did number 14. The whole reserve fund at Alder can pay for it.",
             rest);
    mends_to(text, want);
    snprintf(text, sizeof text, "%s%s",
             "Pruning of the forty apple trees behind the mill (Karl)\nPainting of the gate and of "
             "the fence by the road (Ida)\nPolishing of the brass plates in the hall (Mother)",
             rest);
    mends_to(text, text); // a list
    snprintf(text, sizeof text, "%s%s",
             "The river is wide and the night is long, and cold is the sea\nNo lamp burns\nNobody "
             "knows the way that the ferryman took",
             rest);
    mends_to(text, text);
    mends_to("Boat\n\n| | |\n|---|---|\n| Builder | Ada |\n", "Boat\n\n| Builder | Ada |\n");
    mends_to("It is:\r\n\r\n- one\r\n- two\r\n", "It is:\n\n- one\n- two\n");
    mends_to("The caretaker wants the key\nback before ten.\n\nThe baker is paid.",
             "The caretaker wants the key back before ten.\n\nThe baker is paid.");
    mends_to("> and the key must be given  \n>   back to him",
             "> and the key must be given back to him");
    mends_to("Ada wrote:\n> and the key must be given\n> back to him\nbut I have it",
             "Ada wrote:\n> and the key must be given back to him\nbut I have it");
    // Items of one list, whatever they end and begin with.
    mends_to("- the lamp, which the switch turns on\n- 4.2 volts",
             "- the lamp, which the switch turns on\n- 4.2 volts");
    mends_to("the lamp, which the switch turns on\n- 4.2 volts",
             "the lamp, which the switch turns on - 4.2 volts");
    mends_to("The data of all the services must lie in the directory\n/srv of the host that serves "
             "them, and must be there at\n*any* time.",
             "The data of all the services must lie in the directory /srv of the host that serves "
             "them, and must be there at *any* time.");
    mends_to("--track=yes is the option, which gives\nthe rest.",
             "--track=yes is the option, which gives the rest.");
    mends_to(
        "It can be checked at any time with the\n#conduct command of the game, and with\n"
        "# or so.",
        "It can be checked at any time with the #conduct command of the game, and with or so.");
    mends_to("#It can be checked at any time with the\n#command of the game.",
             "#It can be checked at any time with the command of the game.");
    mends_to("/* It is kept\n * for ever. */", "/* It is kept for ever. */");
    // Items, not a comment, whatever letter they begin with.
    mends_to("  * the boat is kept at the old pier, if it is free\n  * we have 300 left\n",
             "  * the boat is kept at the old pier, if it is free\n  * we have 300 left\n");
    // A label that is broken above the column of values.
    mends_to("First Payment\nDate:            24 June\n\nRent:            400 a year\n",
             "First Payment Date:            24 June\n\nRent:            400 a year\n");
    mends_to("Mill Lease\nDate:            24 June\n\nRent:    400 a year\n",
             "Mill Lease\nDate:            24 June\n\nRent:    400 a year\n");
    mends_to(
        "When he left the project he appointed the next one, the\n\u00a0\u00a0\u00a0 leader of it.",
        "When he left the project he appointed the next one, the leader of it.");
    mends_to("a = 1\nb = 2\n", "a = 1\nb = 2\n");
    // Names of columns, and rows whose numbers end below one another.
    mends_to("Item       Note   2023\n----------------------\nGoodwill             120\n"
             "Plant          4      65\n                    ----\nLand and buildings   310\n",
             "Item       Note   2023\nGoodwill             120\nPlant          4      65\n"
             "Land and buildings   310\n");
    mends_to("It packs:\n\n           ratio   speed\nzip          3.1     612\nzip -2       4.3    "
             " 390\n"
             "zip -3       5.4     271\n",
             "It packs:\n\n           ratio   speed\nzip          3.1     612\nzip -2       4.3    "
             " 390\n"
             "zip -3       5.4     271\n");
    // Words that were broken, and lines that were spread to their margin.
    mends_to("The  gate   is  shut  at  dusk  by  the  care\u2010\ntaker,  who  keeps  its key.",
             "The gate is shut at dusk by the caretaker, who keeps its key.");
    mends_to("       Listed\tinformation  about the files in\ta di\u00ad\n       rectory, and no "
             "others.",
             "       Listed information about the files in a directory, and no others.");
    mends_to("It is a well-\nknown gate, for the pre-\nand the post-war mill",
             "It is a well-known gate, for the pre- and the post-war mill");
    // With the hyphen of compounds it is what stands there otherwise that tells.
    mends_to("Mind that slots are empty. If it is emp-\nty, go on.",
             "Mind that slots are empty. If it is empty, go on.");
    mends_to("Empty it. An emp-\nty slot is half-emp-\nty.",
             "Empty it. An empty slot is half-emp-ty.");
    mends_to("A two-handed sword and the two-\nhanded axe twohanded",
             "A two-handed sword and the two-handed axe twohanded");
    mends_to("The window-\nsill is blue.", "The window-sill is blue.");
    mends_to("Cup    2\nPan     1", "Cup    2\nPan     1"); // a table
    mends_to("One  line  of  it.", "One  line  of  it.");
    mends_to("2.1. Clause one\n2.2. Clause two", "2.1. Clause one\n2.2. Clause two");
    mends_to("goes on\n", "goes on\n");
    mends_to("Retention\n---------\nOne version a day.\n",
             "Retention One version a day.\n"); // a rule says nothing
    mends_to("Retention\n---------", "Retention");
    mends_to("It has:\n\n  0 1 2 3\n  +-+-+-+-+\n  |  Ver  |\n  +-+-+-+-+\n  | Sum   |\n",
             "It has:\n\n  0 1 2 3\n  |  Ver  |\n  | Sum   |\n");
    mends_to("  Tag   Name\n  ----  --------\n  0x01  Position\n",
             "  Tag   Name\n  0x01  Position\n");
    mends_to("B  Late departure   $5,000    $10,000   $100\n   - by ferry        $250      $500\n",
             "B  Late departure   $5,000    $10,000   $100\n   - by ferry        $250      $500\n");
    mends_to("", "");
}

// A text that divides words divides those that are nowhere else, too, unless both parts are words.
static void test_divided(void **state)
{
    (void)state;
    mends_to(
        "The gates are for-\ntified, the mo-\nat is deep, and the bridge is strength-\nened; the "
        "well-\nknown smith has a for-\nge by the window-\nsill, where the sill of the window is.",
        "The gates are fortified, the moat is deep, and the bridge is strengthened; the "
        "well-known smith has a forge by the window-sill, where the sill of the window is.");
}

// Objects on a line that is too long for a sentence are cut between each other, not in lists of
// numbers; those of a short one stay together.
static void test_objects(void **state)
{
    (void)state;
    enum { OBJECTS = 12 };
    static const char one[] = "{\"name\":\"Ada Weil\",\"at\":[[1,2],[3,4]],\"city\":\"Graz\"}";
    char line[OBJECTS * (sizeof one + 2) + 4] = "[";
    for (int i = 0; i < OBJECTS; i++)
        strcat(strcat(line, i ? ",|" : ""), one);
    falls_into(strcat(line, "]\n"));
    falls_into("[{\"name\":\"Ada\",\"city\":\"Graz\"},{\"name\":\"Bob\",\"city\":\"Oslo\"}]\n");
    falls_into("\"city\":\"Graz\"},|{\"name\":\"Bob\",\"city\":\"Oslo\"}, |{\"na"); // a piece
}

static void test_records(void **state)
{
    (void)state;
    falls_into("Jan 12 10:22:33 host sshd[12]: Accepted key for ada from 10.0.0.7 port 4242\n"
               "|Jan 12 10:22:35 host sshd[12]: session opened for user ada by uid 0 (it is)\n"
               "|Jan 12 10:23:01 host cron[90]: job started");
    falls_into("2024-05-01T10:00:00Z warn disk /dev/sda1 is at 91 percent of its capacity\n"
               "|2024-05-01T10:00:01Z error mail queue is stuck since the upgrade of yesterday\n");
    // Somebody's note in a log is none of the line above.
    falls_into(
        "2024-09-17T14:09:00Z WARN queue: 9 messages in topic mail\n|# note by ada: they throttle "
        "us.\n|2024-09-17T15:47:22Z INFO queue: drained\n|2024-09-17T15:48:22Z INFO queue: "
        "stored");
    // What a log names as thrown belongs to the line above.
    falls_into(
        "2024-05-01T10:00:00Z ERROR no label for KP-55\njava.net.SocketTimeoutException: timed "
        "out: dock4\n    |at java.net.Socket.connect(Socket.java:12)");
    falls_into("[12/May/2026:10:00:09] ERROR job 17 crashed\nTraceback (most recent call last):\n"
               "  File \"x.py\", line 3, in run\n    load()\nFileNotFoundError: /data/in.csv\n"
               "|[12/May/2026:10:01:00] INFO job 18 started by dave\n"
               "|[12/May/2026:10:02:00] INFO job 18 done");
    // The lines of a diff with different signs are not of one sentence.
    falls_into("@@ -1,3 +1,3 @@\n|-#define CLIENTS 64\n|+#define CLIENTS 256\n |#define PORT 7000");
    falls_into("It was looked at twice\n|Mistakes: none");
    falls_into("name,age,town\n|ada,36,London\n|bob,25,Split");
    falls_into("town\tpeople\n|Split\t160000\n|Ancona\t100000");
    falls_into("port = 8080\n|host = example.org\n|timeout = 30");
    falls_into(
        "   Command  What it does\n   |df       reports the space on the disks that are mounted\n"
        "   |fastboot starts the system without a look at its disks\n   |dmesg    prints the "
        "messages of the kernel");
    // Lines that begin alike are of a list, unless the first one is open.
    falls_into("the time find reads it, and\nthe time it is read");
    falls_into("the time find reads it\n|the time it is read");
    // What hangs below the second column goes on; what begins in the first one does not.
    falls_into("   -e      Exit at once if a command (of one or of\n           More words) fails. "
               "|Else go "
               "on.\n   |-f      Be quiet");
    falls_into("\u2022      The first  of  the things that hang\n       Below it");
    falls_into("Monday    Maths\n          Physics\n|Tuesday   Art");
    falls_into("  The old gate\tthat tabs bring it to\tthe margin of\n  this line goes on here.");
    falls_into("- a boat\n|- a rope\n|- an oar, not new");
    falls_into("(a) the rent\n|(b) the water\n|(c) the heating");
    falls_into("@book{winter,\n  |author = {Winter, Helga},\n  |title  = {The Salt Roads},\n}\n");
    falls_into("From: Ada\n|To: Bob\n|Subject: The engine\n\n|Does it run?");
    falls_into("commit 858e8ab6b719212db6a6ab8a7132f32d19804f4c\n|Author: Tomek Zielonka <tomek@x."
               "example>\n|Date:   Mon Nov 18 11:24:47 2024\n\n    |Use zstd");
}

// What has no end is cut at the best place, into pieces that hold it whole.
// A line that begins with a time is an entry; prose may have one there.
static void test_timed(void **state)
{
    (void)state;
    falls_into("10:00:01 INFO user nina logged in\n|10:08:03 WARN memory at 81 percent\n"
               "|10:20:44 INFO user otto logged in");
    falls_into("10:00 the server was started,\n|10:05 nina logged in\n|10:07 otto logged out");
    falls_into("log of the night\n|[10:00:01] the server was started\n|[10:02:00] all slept");
    falls_into("2026-05-12 10:00 nina logged in\n|2026-05-12 10:05 otto logged in");
    falls_into(
        "02/03/2024, 18:42 - Maya: shall we go on\nas we began\n|02/03/2024, 18:45 - Ned: yes");
    falls_into("the trains leave for the coast at\n10:15 and for the hills a\nlittle later");
    falls_into("they leave at nine,\n10:15:00 or later");
}

static void test_endless(void **state)
{
    (void)state;
    char text[4001] = "";
    for (int i = 0; i < 400; i++)
        snprintf(text + 10 * i, 11, i % 13 ? "word %4d " : "w;rd %4d;", i);
    struct lines c;
    lines_of_text(&c, text, sizeof text - 1);
    size_t from, to, at = 0;
    for (; at + 1 < c.n; at = to) {
        cut_sentence(&c, at, &from, &to);
        assert_in_range(from, at, at + 1);
        assert_in_range(to - from, 1, LONGEST_SENTENCE);
        assert_true(to + 1 == c.n || text[to - 1] == ';');
        size_t f, t;
        cut_sentence(&c, to - 1, &f, &t);
        assert_true(f == from && t == to);
    }
    memset(text, 'x', sizeof text - 1);
    cut_sentence(&c, 2000, &from, &to);
    assert_true(from <= 2000 && to > 2000 && to - from <= LONGEST_SENTENCE);
}

// A sentence without spaces is not cut within a letter.
static void test_letters(void **state)
{
    (void)state;
    enum { LETTERS = 1000, BYTES = 3 };
    char text[1 + LETTERS * BYTES] = "A";
    struct lines c;
    for (int i = 0; i < LETTERS; i++)
        memcpy(text + 1 + i * BYTES, "\u6f22", BYTES);
    lines_of_text(&c, text, sizeof text);
    for (size_t at = 0, from, to; at < sizeof text; at = to) {
        cut_sentence(&c, at, &from, &to);
        assert_true(from == at && to > at && to % BYTES == 1);
    }
}

// Nor within a number, where there is a space: of words without a stop.
static void test_numbers(void **state)
{
    (void)state;
    char text[4000] = "so";
    size_t n = strlen(text);
    while (n < sizeof text - 100)
        n += (size_t)sprintf(text + n, " and then they paid 75,900 for %zu more", n);
    struct lines c;
    lines_of_text(&c, text, n);
    for (size_t at = 0, from, to; at + 1 < n; at = to) {
        cut_sentence(&c, at, &from, &to);
        assert_true(to > at && (to == n || text[to] == ' '));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prose),         cmocka_unit_test(test_broken_cells),
        cmocka_unit_test(test_broken_lines),  cmocka_unit_test(test_broken_anywhere),
        cmocka_unit_test(test_hanging_lines), cmocka_unit_test(test_code),
        cmocka_unit_test(test_led_rows),      cmocka_unit_test(test_numbers_first),
        cmocka_unit_test(test_table_below),   cmocka_unit_test(test_mended_lines),
        cmocka_unit_test(test_records),       cmocka_unit_test(test_timed),
        cmocka_unit_test(test_endless),       cmocka_unit_test(test_letters),
        cmocka_unit_test(test_numbers),       cmocka_unit_test(test_divided),
        cmocka_unit_test(test_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
