// Cells of tables: which one a question after a time or a person gets, if any, and which table it
// is of.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// A size, a share or somebody tells no time, whatever the column is called.
static void test_when(void **state)
{
    (void)state;
    struct kvz *k = index_text("hosts.md", "| Host | Disk space | Alert at | Backup | Checked |\n"
                                           "|---|---|---|---|---|\n"
                                           "| db-1 | 400 GB | 75 % | 02:30 | weekly |\n"
                                           "| db-2 | 200 GB | 80 % | on request | by Ann Lee |\n"
                                           "| db-3 | 100 GB | 85 % | 7\u20139 | Mondays |\n");
    asked(&k, 1, "When was the disk space of db-2 freed?", NULL);
    asked(&k, 1, "What is the disk space of db-2?", "Disk space: 200 GB (db-2)");
    asked(&k, 1, "disk space of db-2", "Disk space: 200 GB (db-2)");
    asked(&k, 1, "db-2 has disk space", NULL);
    asked(&k, 1, "When did db-1 alert?", NULL);
    asked(&k, 1, "When is the backup of db-1?", "Backup: 02:30 (db-1)");
    asked(&k, 1, "When is the backup of db-2?", "Backup: on request (db-2)");
    asked(&k, 1, "When is the backup of db-3?", "Backup: 7\u20139 (db-3)");
    asked(&k, 1, "When is db-1 checked?", "Checked: weekly (db-1)");
    asked(&k, 1, "When was db-2 checked?", NULL);
    asked(&k, 1, "When is db-3 checked?", "Checked: Mondays (db-3)");
    asked(&k, 1, "Who filled the disk space of db-2?", NULL);
    kvz_close(k);
    k = index_text("years.md",
                   "| Year | From | Rent |\n|---|---|---|\n| 6 | 3 May | \u00a337,000 |\n"
                   "| 7 | 4 May | \u00a339,250 |\n");
    asked(&k, 1, "What is the rent of year 7?", "Rent: \u00a339,250 (Year: 7)");
    asked(&k, 1, "When is the rent of year 7?", "From: 4 May, Rent: \u00a339,250 (Year: 7)");
    kvz_close(k);
    k = index_text("host.json", "{\n  \"host\": \"web-42x\",\n  \"disk\": \"20 GB\",\n"
                                "  \"reboot\": \"Sunday\"\n}\n");
    asked(&k, 1, "What is the disk of web-42x?", "disk: 20 GB (web-42x)");
    asked(&k, 1, "When is the disk of web-42x?", NULL);
    asked(&k, 1, "When is the reboot of web-42x?", "reboot: Sunday (web-42x)");
    kvz_close(k);
}

// What something costs is told by the price in the row that is called so, whatever is behind a
// comma there; that it is to be a new one says nothing, that it is to be an old one does.
static void test_cost(void **state)
{
    (void)state;
    struct kvz *k = index_text("parts.md", "| Part | Number | Price (euros) |\n|---|---|---|\n"
                                           "| Wall bracket, Plus | 40-222 | 11.00 |\n"
                                           "| Fan, Plus | 40-307 | 14.80 |\n"
                                           "| Rubber feet, set of four | 40-009 | 3.20 |\n"
                                           "| Motor, refurbished | 40-530 | 37.00 |\n");
    asked(&k, 1, "What does a new fan cost?", "Price (euros): 14.80 (Fan, Plus)");
    asked(&k, 1, "How much is a replacement fan?", "Price (euros): 14.80 (Fan, Plus)");
    asked(&k, 1, "What is the price of the fan?", "Price (euros): 14.80 (Fan, Plus)");
    asked(&k, 1, "What do rubber feet cost?", "Price (euros): 3.20 (Rubber feet, set of four)");
    asked(&k, 1, "What does a new motor cost?", NULL);
    asked(&k, 1, "What does a used fan cost?", NULL);
    asked(&k, 1, "What does it cost to mend the fan?", NULL);
    asked(&k, 1, "What does a new blade cost?", NULL);
    kvz_close(k);
    k = index_text("years.md", "| Part | Price 2022 | Price 2023 |\n|---|---|---|\n"
                               "| Fan, Plus | 14.80 | 15.00 |\n| Motor, small | 40.00 | 41.00 |\n");
    asked(&k, 1, "What does a new fan cost?", NULL); // in which year
    asked(&k, 1, "What did the fan cost in 2022?", "Price 2022: 14.80 (Fan, Plus)");
    kvz_close(k);
}

// What a row is called is not what is asked for, an owner only owns, and what is due is not done.
static void test_who(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "actions.md", "| No. | Action | Owner | Inspector | Due | State |\n"
                      "|---|---|---|---|---|---|\n"
                      "| A1 | Paint the gate | Ann Lee | Jo Hale | 3 May | done, 28 Nov |\n"
                      "| A2 | Fix the pump | Bo Ray | Al Dunn | 8 May | rejected |\n"
                      "| A3 | Order hinges | Cy Mills | Ed Fox | 9 May | begun |\n");
    asked(&k, 1, "Who owns action A2?", "Owner: Bo Ray (A2, Fix the pump)");
    asked(&k, 1, "Who inspects action A2?", "Inspector: Al Dunn (A2, Fix the pump)");
    asked(&k, 1, "When is action A3 due?", "Due: 9 May (A3, Order hinges)");
    asked(&k, 1, "What is action A3?", "Action: Order hinges (A3)");
    asked(&k, 1, "Who is responsible for A1?", "Owner: Ann Lee (A1)");
    asked(&k, 1, "Who will fix the pump, A2?", "Owner: Bo Ray (A2, Fix the pump)");
    asked(&k, 1, "Who approved A1?", NULL);
    asked(&k, 1, "Who rejected A2?", NULL);
    asked(&k, 1, "Who is the reviewer of A3?", NULL);
    asked(&k, 1, "When must A3 be done?", "Due: 9 May (A3)"); // not "done, 28 Nov" of A1
    asked(&k, 1, "When was A3 done?", NULL);
    asked(&k, 1, "How much is due for A3?", NULL);
    asked(&k, 1, "Who made A3?", NULL);
    asked(&k, 1, "When was A2 approved?", NULL);
    kvz_close(k);
}

// Numbers that only the heading or the title of the table has.
static void test_told_above(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("catches.md", "## Catches of 7 May (some)\n\n"
                                 "| Haul | Pool | Nets | Weight kg |\n"
                                 "|---|---|---|---|\n"
                                 "| 8 | P1 | 10 | 3.7 |\n| 7 | P2 | 32 | 4.3 |\n\n"
                                 "## Catches of 12 May\n\nFrom the small boat.\n\n"
                                 "| Haul | Pool | Nets | Weight kg |\n"
                                 "|---|---|---|---|\n"
                                 "| 14 | P1 | 11 | 5.1 |\n| 7 | P4 | 17 | 6.2 |\n\n"
                                 "**Trial 3: yield**\n\n"
                                 "| Plot | Grain, kg | Straw, kg |\n|---|---|---|\n"
                                 "| North, wet | 41 | 77 |\n| South, dry | 52 | 80 |\n");
    asked(&k, 1, "what was the weight at P1 on 7 May",
          "Weight kg: 3.7 (P1; Catches of 7 May (some))");
    asked(&k, 1, "What was the weight at P1 on May 12?", "Weight kg: 5.1 (P1; Catches of 12 May)");
    asked(&k, 1, "What was the weight at P2 on 7 May?",
          "Weight kg: 4.3 (P2; Catches of 7 May (some))");
    asked(&k, 1, "What was the weight at P1 on 10 May?", NULL);
    asked(&k, 1, "What was the weight at P4 on 7 May?", NULL);
    asked(&k, 1, "what was the weight at P1 on 7 june", NULL);
    asked(&k, 1, "What was the weight at P1 after 7 hours?", NULL);
    asked(&k, 1, "How much grain did the north plot have in trial 3?",
          "Grain, kg: 41 (North, wet; Trial 3: yield)");
    asked(&k, 1, "How much grain did the north plot have in trial 4?", NULL);
    kvz_close(k);
}

// What another section says right above the heading of a table is not of that.
static void test_other_section(void **state)
{
    (void)state;
    struct kvz *k = index_text("book.md", "# Work for Lund\n\n### 1 June\n\nRain in Hale.\n\n"
                                          "## Catches\n\n| Pool | Nets | Weight kg |\n"
                                          "|---|---|---|\n| P1 | 10 | 3.9 |\n| P2 | 32 | 4.3 |\n");
    asked(&k, 1, "What was the weight at P1?", "Weight kg: 3.9 (P1)");
    asked(&k, 1, "What was the weight at P1 for Lund?", "Weight kg: 3.9 (P1)");
    asked(&k, 1, "What was the weight at P1 in June?", NULL);
    asked(&k, 1, "What was the weight at P1 in june?", NULL);
    asked(&k, 1, "What was the weight at P1 in Hale?", NULL);
    kvz_close(k);
}

// A long word that begins like a common one tells a row from others, and another form of a column's
// name asks for it.
static void test_words(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("plant.md", "| Item | What | Serial no. | Owner |\n|---|---|---|---|\n"
                               "| L1 | lathe, old | W15-07 | Tenant |\n"
                               "| A1 | aftercooler, gas | AB-90 | Landlord |\n");
    asked(&k, 1, "What is the serial no. of the aftercooler?",
          "Serial no.: AB-90 (aftercooler, gas)");
    asked(&k, 1, "What is the serial number of the lathe?", "Serial no.: W15-07 (lathe, old)");
    asked(&k, 1, "Who owns the lathe?", "Owner: Tenant (lathe, old)");
    asked(&k, 1, "Who leases the lathe?", NULL);
    asked(&k, 1, "Who owns the old aftercooler?", NULL);
    kvz_close(k);
}

// A number before a comma is no size: "Pump 2, old" is not what "Pump 1" asks for.
static void test_numbered(void **state)
{
    (void)state;
    struct kvz *k = index_text("pumps.md", "| Pump | Speed | Price |\n|---|---|---|\n"
                                           "| Pump 2, old | 90 | $1.40 |\n"
                                           "| Garden hose 20 m | 30 | $2.50 |\n");
    asked(&k, 1, "What is the price of Pump 2?", "Price: $1.40 (Pump 2, old)");
    asked(&k, 1, "What is the price of a garden hose?", "Price: $2.50 (Garden hose 20 m)");
    asked(&k, 1, "What is the price of Pump 1?", NULL);
    kvz_close(k);
}

// The row of a table is not of the new thing that the text tells of elsewhere.
static void test_told_apart(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("pump.md", "| Pump | Serial no. | Oil |\n|---|---|---|\n"
                              "| Cellar | W15-07 | 2 l |\n| Attic | AB-90 | 3 l |\n\n"
                              "In May the cellar got its new pump, serial no. W16-11.\n");
    asked(&k, 1, "What is the serial number of the cellar pump?", "Serial no.: W15-07 (Cellar)");
    asked(&k, 1, "What is the serial number of the new cellar pump?", NULL);
    asked(&k, 1, "What is the serial number of the new attic?", "Serial no.: AB-90 (Attic)");
    kvz_close(k);
}

// The title of a table may be above a rule.
static void test_title_above_rule(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "toll.txt", "TOLL OF THE BRIDGE, Act 12\n"
                    "==========================================================================\n"
                    "                        now      June 1930   June 1931\n"
                    "   Class 1, to 4 hp     $0.90    $1.10       $1.20\n"
                    "   Class 2, above       $1.40    $1.60       $1.80\n"
                    "   Hand cart, empty     $0.10    $0.10       $0.20\n\n"
                    "The tax is another one, and is paid where the cart is kept.\n");
    asked(&k, 1, "What is the toll for Class 2 from June 1931?",
          "June 1931: $1.80 (Class 2, above)");
    asked(&k, 1, "What is the toll for Class 1 from June 1931?",
          "June 1931: $1.20 (Class 1, to 4 hp)");
    asked(&k, 1, "What is the toll for Class 1 now?", "now: $0.90 (Class 1, to 4 hp)");
    asked(&k, 1, "What is the tax for Class 1 from June 1931?", NULL);
    asked(&k, 1, "What is the toll for Class 3 from June 1931?", NULL);
    asked(&k, 1, "What is the toll for Class 2 from June 1932?", NULL);
    kvz_close(k);
}

// A cell with a label says itself what it tells; other columns of its row are of something else.
static void test_labelled(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("actions.md", "| No. | Action | Owner | Due |\n|---|---|---|---|\n"
                                 "| A1 | Paint the gate | Ann Lee | 3 May |\n"
                                 "| A2 | Retry budget: at most 1 retry | Bo Ray | 8 May |\n"
                                 "| A3 | Due date: move it to 12:30 | Cy Mills | 9 May |\n");
    asked(&k, 1, "What is the retry budget in action A2?",
          "Action: Retry budget: at most 1 retry (A2)");
    asked(&k, 1, "What is the retry budget in action A1?", NULL);
    asked(&k, 1, "What is the yearly retry budget in action A2?", NULL);
    asked(&k, 1, "When is action A2 due?", "Due: 8 May (A2, Retry budget: at most 1 retry)");
    asked(&k, 1, "Who owns action A2?", "Owner: Bo Ray (A2, Retry budget: at most 1 retry)");
    kvz_close(k);
}

// The noun before a code says what has it, and asks for no column of that.
static void test_noun_of_code(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("stones.md", "| Sample | Rock | Height of boulder (m) | Elevation |\n"
                                "|---|---|---|---|\n"
                                "| MO22-05 | granite | 1.5 | 262 |\n"
                                "| MO22-06 | gneiss | 1.1 | 333 |\n");
    asked(&k, 1, "What is the height of boulder MO22-06?", "Height of boulder (m): 1.1 (MO22-06)");
    asked(&k, 1, "What is the elevation of boulder MO22-06?", "Elevation: 333 (MO22-06)");
    asked(&k, 1, "What is the rock of sample MO22-05?", "Rock: granite (MO22-05)");
    asked(&k, 1, "What is the exposure age of boulder MO22-06?", NULL);
    kvz_close(k);
}

// Where something stands is not where one does something to something else called so.
static void test_where(void **state)
{
    (void)state;
    struct kvz *k = index_text("devices.md", "| No. | Type | Place | Rule |\n|---|---|---|---|\n"
                                             "| E1 | water | Drying Shed | |\n"
                                             "| E2 | foam | Print Studio | refill in May |\n");
    asked(&k, 1, "Where is the foam?", "Place: Print Studio (foam)");
    asked(&k, 1, "Where do you keep the water?", "Place: Drying Shed (water)");
    asked(&k, 1, "Where can I refill the foam?", "Place: Print Studio (foam)");
    asked(&k, 1, "Where do you turn the water off?", NULL);
    asked(&k, 1, "Where must we boil the water?", NULL);
    kvz_close(k);
}

// A day is the same in any form, the words beside it tell two rows of it apart, and a drill watches
// nobody and is no time.
static void test_day(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("drills.md", "| Date | Drill | Watched by | Time |\n|---|---|---|---|\n"
                                "| 2025-03-09 | daytime | Al Moor | 3 min 50 s |\n"
                                "| 2025-10-17 | morning, 20 people | Ed Graves | 4 min 05 s |\n"
                                "| 2025-10-17 | evening, 96 people | Fay Harper | 4 min 40 s |\n");
    asked(&k, 1, "Who watched the drill on 9 March 2025?", "Watched by: Al Moor (2025-03-09)");
    asked(&k, 1, "Who watched the evening drill on October 17, 2025?",
          "Watched by: Fay Harper (2025-10-17)");
    asked(&k, 1, "What drill was held on 17 October 2025?",
          "Drill: morning, 20 people (2025-10-17)\nDrill: evening, 96 people (2025-10-17)");
    asked(&k, 1, "Who watched the drill on 18 October 2025?", NULL);
    kvz_close(k);
    k = index_text("incidents.md", "| Code | Minutes | Owner |\n|---|---|---|\n"
                                   "| INC-7 | 41 | Ada |\n| INC-8 | 0 | Bo |\n");
    asked(&k, 1, "How long did INC-8 last?", "Minutes: 0 (INC-8)");
    asked(&k, 1, "How long did the restore test of INC-8 take?", NULL); // it is another time
    kvz_close(k);
    k = index_text("wardens.md", "| Date | Drill | Warden | Time |\n|---|---|---|---|\n"
                                 "| 9 Mar 2025 | daytime, 41 people | Al Moor | 3 min 50 s |\n"
                                 "| 17 Oct 2025 | evening, 96 people | Ed Graves | 4 min |\n");
    asked(&k, 1, "Who watched the drill on 9 Mar 2025?", NULL);
    asked(&k, 1, "How long did the drill on 9 Mar 2025 take?", "Time: 3 min 50 s (9 Mar 2025)");
    asked(&k, 1, "Who was the warden on 9 March 2025?", "Warden: Al Moor (9 Mar 2025)");
    kvz_close(k);
}

// A phrase without a number is not how many of something there are.
static void test_number_asked(void **state)
{
    (void)state;
    struct kvz *k = index_text("pumps.md", "| Pump | Hours done | Spares |\n|---|---|---|\n"
                                           "| BX-1 | ran beside BX-2, then no more | none |\n"
                                           "| BX-2 | 400 | 3 |\n");
    asked(&k, 1, "How many hours has BX-2 done?", "Hours done: 400 (BX-2)");
    asked(&k, 1, "How many hours has BX-1 done?", NULL);
    kvz_close(k);
}

// How long something may be done is told by no number of things, beside a span of time.
static void test_span_asked(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("rates.md", "| Kind | Fee | Tools at one time | Loan |\n|---|---|---|---|\n"
                               "| Guild | 42 | 3 | 4 days |\n| Friend | 36 | 5 | 7 days |\n");
    asked(&k, 1, "How long may a Guild keep the tools?", NULL);
    asked(&k, 1, "How many tools may a Guild have?", "Tools at one time: 3 (Guild)");
    asked(&k, 1, "How long is the loan of a Guild?", "Loan: 4 days (Guild)");
    kvz_close(k);
}

// Quotation marks within a cell are its own; those around all of it are not.
static void test_own_marks(void **state)
{
    (void)state;
    struct kvz *k = index_text("boards.csv", "item,price,comment\n\"Board \"\"Oak\"\"\",12,good\n"
                                             "\"Board \"\"Ash\"\"\",10,\"soft \"\"wood\"\"\"\n"
                                             "\"Board \"\"Elm\"\"\",30,\"hard\"\n");
    asked(&k, 1, "What is the price of Board Oak?", "price: 12 (Board \"Oak\")");
    asked(&k, 1, "What is the comment of Board Ash?", "comment: soft \"wood\" (Board \"Ash\")");
    asked(&k, 1, "What is the comment of Board Elm?", "comment: hard (Board \"Elm\")");
    kvz_close(k);
    k = index_text("screens.tsv", "Name\tSize\tNote\nTV 32\"\t32\tbigger\nTV 24\"\t24\tsmaller\n");
    asked(&k, 1, "What is the note of the TV 32\"?", "Note: bigger (TV 32\")");
    kvz_close(k);
}

// What is printed of a cell in quotation marks has its own ones once.
static void test_quoted(void **state)
{
    (void)state;
    struct kvz *k = index_text("quoted.csv", "name;role;salary;joined\n"
                                             "\"Smith; Jane\";Cook;21000;2015-04-01\n"
                                             "\"Lee \"\"Bo\"\" Wong\";Porter;19500;2019-09-12\n");
    asked(&k, 1, "Who is the porter?", "name: Lee \"Bo\" Wong (Porter)");
    asked(&k, 1, "When did Lee Wong join?", "joined: 2019-09-12 (Lee \"Bo\" Wong)");
    asked(&k, 1, "What is the salary of Jane Smith?", "salary: 21000 (Smith; Jane)");
    kvz_close(k);
}

// Two columns with a tab between them are a table where measures are below a head, not where they
// are of a form or a list of terms.
static void test_two_columns(void **state)
{
    (void)state;
    struct kvz *k = index_text("camps.txt", "They left in May.\n\nCamp\tHeight\nNorth\t412 m\n"
                                            "South\t96 m\n\nThey came back.\n");
    asked(&k, 1, "How high is camp North?", "Height: 412 m (North)");
    asked(&k, 1, "What is the height of camp South?", "Height: 96 m (South)");
    asked(&k, 1, "How wide is camp North?", NULL);
    asked(&k, 1, "How high is camp West?", NULL);
    kvz_close(k);
    k = index_text("form.txt", "Person\tHeight\nAnna\tsmall\nAge\t36\n\nterm\tyears\nlease\t7\n");
    asked(&k, 1, "What are the years of the lease?", "lease: 7");
    asked(&k, 1, "How high is Anna?", NULL);
    kvz_close(k);
}

// So they are with a comma or a semicolon that has no blank behind it, not where it is of prose.
static void test_two_columns_of_marks(void **state)
{
    (void)state;
    struct kvz *k = index_text("menu.csv", "item,price\nTea,2.10\n\"Cocoa, hot\",3.10\nWater,1.20\n"
                                           "Wine,4.50\n");
    asked(&k, 1, "What is the cheapest item?", "price: 1.20 (Water)");
    asked(&k, 1, "What is the most expensive item?", "price: 4.50 (Wine)");
    asked(&k, 1, "What is the sum of the prices?", "price: 10.90 in all (4 rows)");
    asked(&k, 1, "How much is the wine?", "price: 4.50 (Wine)");
    asked(&k, 1, "How much is the milk?", NULL);
    kvz_close(k);
    k = index_text("menu.md", "We opened in May, as planned.\n\nitem;price\nTea;2,10\nWater;1,20\n"
                              "Wine;1.004,50\n\nAfterwards, we closed; all left.\n");
    asked(&k, 1, "What is the cheapest item?", "price: 1,20 (Water)");
    asked(&k, 1, "What is the most expensive item?", "price: 1.004,50 (Wine)");
    kvz_close(k);
    k = index_text("staff.csv", "name,department\nAnna,Sales\nTom,Yard\nEve,Yard\n");
    asked(&k, 1, "Who works in the yard?", "Tom\nEve");
    kvz_close(k);
    k = index_text("letter.txt", "Item,price\nTea,as he said\nWine,dear\nAll of it,gone\n\n"
                                 "It was, they said, a good year.\n");
    asked(&k, 1, "How much is the wine?", NULL);
    kvz_close(k);
    k = index_text("note.txt", "item, price\ntea, 2 euros\nwine, 4 euros\nwater, 1 euro\n");
    asked(&k, 1, "What is the cheapest item?", NULL);
    kvz_close(k);
}

// A row of two things may be asked for by one of them, whatever its number in the table is.
static void test_two_things(void **state)
{
    (void)state;
    static const char golf[] = "Gold: 900 (12 Golf and fishing equipment)";
    struct kvz *k = index_text("cover.txt", "TABLE OF LIMITS\n\n"
                                            "Section                       Silver  Gold\n"
                                            "--------------------------------------------\n"
                                            "7  Delay, per full 12 hours       25    40\n"
                                            "8  Boats and their sails         100   200\n"
                                            "8a   Lost oars                    20    30\n"
                                            "12 Golf and fishing equipment    500   900\n");
    asked(&k, 1, "How much is golf equipment insured for at Gold?", golf);
    asked(&k, 1, "What is the Gold limit for fishing equipment?", golf);
    asked(&k, 1, "What is the Gold limit for golf and fishing equipment?", golf);
    asked(&k, 1, "How much is paid for lost oars at Silver?", "Silver: 20 (8a   Lost oars)");
    asked(&k, 1, "What is the Gold limit for camping equipment?", NULL);
    asked(&k, 1, "What is the Gold limit for golf?", NULL);
    asked(&k, 1, "What is the Gold limit for sails?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_noun_of_code),
        cmocka_unit_test(test_labelled),
        cmocka_unit_test(test_day),
        cmocka_unit_test(test_own_marks),
        cmocka_unit_test(test_two_things),
        cmocka_unit_test(test_when),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_who),
        cmocka_unit_test(test_told_above),
        cmocka_unit_test(test_other_section),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_numbered),
        cmocka_unit_test(test_told_apart),
        cmocka_unit_test(test_title_above_rule),
        cmocka_unit_test(test_number_asked),
        cmocka_unit_test(test_quoted),
        cmocka_unit_test(test_two_columns),
        cmocka_unit_test(test_two_columns_of_marks),
        cmocka_unit_test(test_span_asked),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
