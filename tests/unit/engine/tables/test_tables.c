// Questions about a row and a column of a table: what is a table, and which cell answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/rows/table.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// Rows by their cells, columns by their names or by the kind that is asked for.
static void test_cells(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "cells.txt",
        "article;pack;price EUR;stock;warehouse;last delivery\n"
        "hinge pin 60 mm;46 pcs;74.97;528;Dunwick;7.1.2023\n"
        "hinge pin 80 mm;36 pcs;126.41;259;Hexley;10.11.2023\n"
        "hinge pin;12 pcs;9.10;17;Dunwick;8.3.2023\n"
        "\"bolt M8\";10 pcs;0.99;40;Dunwick;9.4.2023\n\n"
        "The hinge pin 60 mm, of brass, is the oldest, and Dunwick, they say, the best, of all.\n\n"
        "| Tower | 2016 | 2020 |\n|---|---|---|\n| Granary | 14 | 16 |\n| Water Gate | 19 | 7 |\n\n"
        "Programme;Temp;Duration\nCottons;90 C;2 h 25\nWool;30 C;0 h 41\n\n"
        "Display;Meaning;What to do\nE02;The grinder is blocked.;Empty the hopper\n"
        "E07;Pump fault;Call the service\n");
    asked(&k, 1, "What do I do when it says E07?", "What to do: Call the service (E07)");
    asked(&k, 1, "What does E07 mean?", "Meaning: Pump fault (E07)");
    asked(&k, 1, "How long does the Wool programme take?", "Duration: 0 h 41 (Wool)");
    asked(&k, 1, "How hot is Cottons washed?", "Temp: 90 C (Cottons)");
    asked(&k, 1, "What is the price of hinge pin 80 mm?", "price EUR: 126.41 (hinge pin 80 mm)");
    asked(&k, 1, "How much is the hinge pin?", "price EUR: 9.10 (hinge pin)");
    asked(&k, 1, "What does the bolt M8 cost?", "price EUR: 0.99 (bolt M8)");
    asked(&k, 1, "When was the hinge pin 60 mm delivered last?",
          "last delivery: 7.1.2023 (hinge pin 60 mm)");
    asked(&k, 1, "Which article is priced 126.41?", "article: hinge pin 80 mm (126.41)");
    asked(&k, 1, "Which had more in 2020, Granary or Water Gate?",
          "2020: 16 (Granary)\n2020: 7 (Water Gate)");
    asked(&k, 1, "What colour has the hinge pin 80 mm?", NULL); // no column says so
    asked(&k, 1, "Is the price of the hinge pin 80 mm high?", NULL);
    asked(&k, 1, "What is the price of hinge pin 70?", NULL); // which is not there
    asked(&k, 1, "What is the price of a nail?", NULL);
    kvz_close(k);
}

// "The" names no column, and a time of day is not how long something lasts.
static void test_how_long(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("long.txt", "| What | Closed | Open, in the larder |\n|---|---|---|\n"
                               "| Plum syrup | 9 months | 5 weeks |\n"
                               "| Quark | 12 days | 4 days |\n\n"
                               "| Time | Step | Who |\n|---|---|---|\n"
                               "| 07:30 | scones | Ada |\n| 08:10 | rolls | Bo |\n\n"
                               "| Film | Time |\n|---|---|\n| Tidewater | 95 min |\n"
                               "| Harrow | 1:40 |\n");
    asked(&k, 1, "How long does the plum syrup boil in the pan?", NULL);
    asked(&k, 1, "How long does the plum syrup keep in the larder?",
          "Open, in the larder: 5 weeks (Plum syrup)");
    asked(&k, 1, "How long do scones keep?", NULL);
    asked(&k, 1, "When are the scones made?", "Time: 07:30 (scones)");
    asked(&k, 1, "How long is Tidewater?", "Time: 95 min (Tidewater)");
    asked(&k, 1, "How long is Harrow?", "Time: 1:40 (Harrow)");
    kvz_close(k);
}

// Cells without the sizes that they have, and in the plural.
static void test_sizes(void **state)
{
    (void)state;
    struct kvz *k = index_text("sizes.csv", "Name,Price EUR,Stock,Warehouse\n"
                                            "Angle grinder 125 mm,58.00,14,Hall 3\n"
                                            "Garden hose 20 m,24.90,112,Hall 4\n"
                                            "Garden hose 50 m,49.50,38,Hall 4\n"
                                            "Wheelbarrow 80 l,64.90,15,Hall 5\n");
    asked(&k, 1, "How much does the angle grinder cost?",
          "Price EUR: 58.00 (Angle grinder 125 mm)");
    asked(&k, 1, "How many wheelbarrows are in stock?", "Stock: 15 (Wheelbarrow 80 l)");
    asked(&k, 1, "What is the price of a garden hose?",
          "Price EUR: 24.90 (Garden hose 20 m)\nPrice EUR: 49.50 (Garden hose 50 m)");
    asked(&k, 1, "What is the price of the garden hose 30 m?", NULL);
    asked(&k, 1, "What does the angle grinder of the neighbour cost?", NULL);
    asked(&k, 1, "What is the price of a hall?", NULL);
    kvz_close(k);
}

// Rows and columns by their words, in any order.
static void test_grid(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "grid.txt",
        "All prices are in pounds, and the evening, of course, is the best.\n\n"
        "Ticket\t2021\t2022\t2023\n"
        "Adult, day\t5.00\t5.20\t5.80\nChild (4 to 15), day\t2.50\t2.60\t2.80\n"
        "Season, adult\t95.00\t98.00\t110.00\nSeason, family\t210.00\t215.00\t240.00\n"
        "Evening (from 17.30)\t3.00\t3.10\t3.40\n\n"
        "| Time | Reception and Year 1 | Years 2 to 6 |\n|---|---|---|\n| Gates open | 8.35 | 8.30 "
        "|\n| Lunch | 11.50 | 12.20 |\n\n"
        "| Term | Begins | Half-term break |\n|---|---|---|\n| Autumn 2024 | 4 September | 28 "
        "October |\n| Spring 2025 | 6 January | 17 February |\n| Spring 2026 | 5 January | 16 "
        "February |\n\n"
        "Product,Supplier,\"Price, EUR\"\n\"Bolt, hex M8\",Wheel and Mill,0.12\n"
        "Cordless drill X4,Ferry East,129.00\n\"Hinge, brass\",Mill North,4.75\n");
    asked(&k, 1, "What did a day ticket for an adult cost in 2022?", "2022: 5.20 (Adult, day)");
    asked(&k, 1, "How much was the season ticket for a family in 2023?",
          "2023: 240.00 (Season, family)");
    asked(&k, 1, "What was the price of an evening in 2021?", "2021: 3.00 (Evening (from 17.30))");
    asked(&k, 1, "When does lunch start for Year 1?", "Reception and Year 1: 11.50 (Lunch)");
    asked(&k, 1, "When is the half-term break in autumn?",
          "Half-term break: 28 October (Autumn 2024)");
    asked(&k, 1, "When is the half-term break in spring 2026?",
          "Half-term break: 16 February (Spring 2026)");
    asked(&k, 1, "When is the half-term break in spring?",
          "Half-term break: 17 February (Spring 2025)\nHalf-term break: 16 February (Spring 2026)");
    asked(&k, 1, "What is the price of the cordless drill X4?",
          "Price, EUR: 129.00 (Cordless drill X4)");
    asked(&k, 1, "Who supplies the brass hinge?", "Supplier: Mill North (Hinge, brass)");
    asked(&k, 1, "When is the half-term break in spring 2027?", NULL); // a number that is nowhere
    asked(&k, 1, "What did an adult pay in 2019?", NULL);
    asked(&k, 1, "When does lunch start for Year 4?", NULL); // of which no column is called
    asked(&k, 1, "Who sold a broken season ticket to another family in the dark in 2022?", NULL);
    asked(&k, 1, "Which tickets cost more than 3.40 in 2022?", NULL); // what is compared is no cell
    asked(&k, 1, "Was an evening cheap in 2021?", NULL);
    asked(&k, 1, "What did a season ticket for a child cost in 2022?", NULL); // no row has both
    asked(&k, 1, "What did a season ticket and one for a child cost in 2022?",
          "2022: 2.60 (Child (4 to 15), day)\n2022: 98.00 (Season, adult)\n"
          "2022: 215.00 (Season, family)");
    kvz_close(k);
}

// A name that a hyphen makes longer is another one: the P40-L is not the P40.
static void test_grid_hyphen(void **state)
{
    (void)state;
    struct kvz *k = index_text("pumps.txt", "                     P40        P40-L\n"
                                            "   ---------------   --------   --------\n"
                                            "   Weight, kg        61         74\n"
                                            "   Hose length, m    12         20\n");
    asked(&k, 1, "What is the weight of the P40?", "P40: 61 (Weight, kg)");
    asked(&k, 1, "What is the weight of the P40-L?", "P40-L: 74 (Weight, kg)");
    asked(&k, 1, "What is the weight of the P40-M?", NULL);
    kvz_close(k);
}

// Columns whose names have a number, or are parts of one another.
static void test_parts_of_names(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "watch.txt",
        "How long does the battery last?\n\nMode\tTrail 3\tTrail 3 Solar\n"
        "GPS, standard\t38 hours\t52 hours\nGPS, dual band\t22 hours\t27 hours\n"
        "Expedition\t40 days\t65 days\n\nThe figures are those of a new one at 20 degrees.\n\n"
        "| Option | Default | Meaning |\n|---|---|---|\n| `--retries N` | 6 | attempts |\n"
        "| `--limit N` | none | KiB a second |\n\n"
        "Date,Who,Kind,Vendor,City\n2024-09-19,Carla Monteiro,Bed,House Azinheira,Lisbon\n"
        "2024-10-17,Yusuf Brandt,Bed,House Hafenkante,Kiel\n");
    asked(&k, 1, "How long does the battery of the Solar model last in dual band GPS mode?",
          "Trail 3 Solar: 27 hours (GPS, dual band)");
    asked(&k, 1, "How long does the Trail 3 last with standard GPS?",
          "Trail 3: 38 hours (GPS, standard)");
    asked(&k, 1, "How long does the Trail 3 Solar last in Expedition mode?",
          "Trail 3 Solar: 65 days (Expedition)");
    asked(&k, 1, "What is the default of --retries?", "Default: 6 (--retries N)");
    asked(&k, 1, "Which version changed the default of --retries?", NULL);
    asked(&k, 1, "When was Carla Monteiro in Lisbon?", "Date: 2024-09-19 (Carla Monteiro, Lisbon)");
    asked(&k, 1, "Which bed did the head sleep in when she was in Lisbon?", NULL); // not the date
    kvz_close(k);
}

// Rows that the question calls by more than they have are other ones.
static void test_other_rows(void **state)
{
    (void)state;
    struct kvz *k = index_text("rows.csv", "name,role,salary\n\"Smith, Ann\",clerk,1000\n"
                                           "\"Smith, Bob\",boss,9000\n\"Jones, Ann\",clerk,2000\n"
                                           "Tom Hale,smith,3000\n");
    asked(&k, 1, "What is the salary of \"Jones, Ann\"?", "salary: 2000 (Jones, Ann)");
    asked(&k, 1, "What is the salary of Ann Jones?", "salary: 2000 (Jones, Ann)");
    asked(&k, 1, "What is the salary of \"Jones, Bob\"?", NULL);
    asked(&k, 1, "What is the salary of Eve Jones?", NULL);
    asked(&k, 1, "What is the salary of eve jones?", NULL);
    asked(&k, 1, "What is the salary of the smith Tom Hale?", "salary: 3000 (Tom Hale, smith)");
    asked(&k, 1, "What is the salary of the smith Tom Hale of Ely?", NULL);
    kvz_close(k);
    k = index_text("names.tsv", "First\tLast\tSalary\nMary\tSmith\t10\nPaul\tJones\t20\n"
                                "Paul\tSmith\t30\n");
    asked(&k, 1, "What is the salary of Paul Smith?", "Salary: 30 (Paul, Smith)");
    asked(&k, 1, "What is the salary of Mary Jones?", NULL);
    kvz_close(k);
    k = index_text("rows.tsv", "City\tPopulation\tArea\nSpringfield\t1000\t20\nOgden\t2000\t30\n"
                               "Dale\t300\t40\n");
    asked(&k, 1, "Be brief. What is the area of the City of Ogden?", "Area: 30 (Ogden)");
    asked(&k, 1, "What is the area of Springfield South?", NULL);
    asked(&k, 1, "What is the area of New Springfield?", NULL);
    asked(&k, 1, "What is the area of West Ogden?", NULL);
    kvz_close(k);
    k = index_text("rows.md", "| Plan | 2021 | 2022 |\n|---|---|---|\n| Basic, yearly | 9 | 10 |\n"
                              "| Pro, monthly | 20 | 22 |\n| Adult, day | 10 | 12 |\n"
                              "| Adult \\| VIP | 100 | 120 |\n| Child, day | 5 | 6 |\n");
    asked(&k, 1, "What did the pro plan cost in 2022?", "2022: 22 (Pro, monthly)");
    asked(&k, 1, "What did the pro yearly plan cost in 2022?", NULL);
    asked(&k, 1, "What did an adult VIP plan cost in 2022?", "2022: 120 (Adult \\| VIP)");
    asked(&k, 1, "What did the child day plan cost in 2021?", "2021: 5 (Child, day)");
    kvz_close(k);
}

// Cells in quotation marks may have several lines.
static void test_lines(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("lines.csv", "name,phone,address\nAnna Lee,555,\"12 High St\nLondon\"\n"
                                "Bob Ray,556,\"1 Low St\"\n"
                                "Cid Moe,\"557, or\n\n558\",\"9 \"\"Mid\"\" St\nHull\"\n"
                                "Dan Orr,559,\"5 New St, of which\nnothing is known.\n");
    asked(&k, 1, "What is the address of Anna Lee?", "address: 12 High St London (Anna Lee)");
    asked(&k, 1, "What is the address of Bob Ray?", "address: 1 Low St (Bob Ray)");
    asked(&k, 1, "What is the phone of Cid Moe?", "phone: 557, or  558 (Cid Moe)");
    asked(&k, 1, "What is the address of Cid Moe?", "address: 9 \"Mid\" St Hull (Cid Moe)");
    asked(&k, 1, "What is the phone of Dan Orr?", NULL);
    kvz_close(k);
}

// Rows by their numbers, of tables that are set in and ruled as texts are that have no other lines.
static void test_numbered(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("numbered.txt", "6.  Error Codes\n\n"
                                   "      +------+-----------+--------------------+\n"
                                   "      | Code | Name      | What is done       |\n"
                                   "      +------+-----------+--------------------+\n"
                                   "      | 2    | ERROR     | nothing            |\n"
                                   "      | 3    | TOO_LARGE | splits the reading |\n"
                                   "      +------+-----------+--------------------+\n\n"
                                   "It rained for 3 days, and code 7, of all, was met, as ever.\n\n"
                                   "Room\tSeats\tFloor\n3\t40\tfirst\n12\t18\tsecond\n\n"
                                   "Visit,Room,Guest\n1,5,Ann\n2,5,Bo\n3,5,Cy\n4,5,Di\n");
    asked(&k, 1, "What does error code 3 mean?",
          "Name: TOO_LARGE, What is done: splits the reading (Code: 3)");
    asked(&k, 1, "Which is code number 2?", "Name: ERROR, What is done: nothing (Code: 2)");
    asked(&k, 1, "How many seats are in room 12?", "Seats: 18 (Room: 12)");
    asked(&k, 1, "How many seats are in room 12 of Ely?", NULL);
    asked(&k, 1, "What does error code 7 mean?", NULL);
    asked(&k, 1, "What happened on floor 3?", NULL);    // no floor is called so
    asked(&k, 1, "Why was room 12 flooded?", NULL);     // of which the table says nothing
    asked(&k, 1, "Who was the guest of room 5?", NULL); // too many
    asked(&k, 1, "Is error code 3 there?", NULL);
    kvz_close(k);
    k = index_text("alarms.csv", "Alarm,Sign,Cause\n1,red,door\n2,\"blue,\nthen red\",heat\n");
    asked(&k, 1, "What does alarm 2 mean?", "Sign: blue, then red, Cause: heat (Alarm: 2)");
    kvz_close(k);
    // A letter may stand for a number.
    k = index_text("gates.csv", "Gate,Colour,Leads to\n7,red,yard\nK,green,mill\nI,blue,barn\n");
    asked(&k, 1, "What colour is gate K?", "Colour: green (Gate: K)");
    asked(&k, 1, "What colour is gate B?", NULL);
    asked(&k, 1, "What colour is the gate I want?", NULL);
    kvz_close(k);
}

// What is above a table may say what its numbers are of.
static void test_numbers_of_the_title(void **state)
{
    (void)state;
    struct kvz *k = index_text("visits.md", "Fees are in pounds. A visit is paid at once.\n\n"
                                            "## Visits\n\n| No | Animal | Fee |\n|---|---|---|\n"
                                            "| 3001 | Nelson | 47.20 |\n| 3002 | Rolo | 14.00 |\n"
                                            "| 3003 | Luna | 14.00 |\n");
    asked(&k, 1, "What was the fee of visit 3002?", "Fee: 14.00 (3002)");
    asked(&k, 1, "What was the fee for visit number 3001?", "Fee: 47.20 (3001)");
    asked(&k, 1, "What was the fee of order 3001?", NULL);
    asked(&k, 1, "What was the fee of visit 3004?", NULL);
    kvz_close(k);
}

// A text may end behind the names of columns, where their rows would begin.
static void test_ends(void **state)
{
    (void)state;
    static const char *const ends[] = {
        ".. list-table::\n   :header-rows: 1\n\n   * - Hook\n     - When it is run",
        "Club        Points      Ground\n------      ------      ------"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = strlen(ends[i]);
        char *text = malloc(n); // nothing may be read behind it
        assert_non_null(text);
        memcpy(text, ends[i], n);
        struct table b;
        struct err e;
        table_begin(&b, &(struct texts){.text = text, .n = n});
        assert_false(table_next(&b, &e));
        free(text);
    }
}

// A year is in many tables, so that it alone names a row only of the one that the question is
// about.
static void test_years(void **state)
{
    (void)state;
    struct kvz *k = index_text("years.txt", "Year;Revenue;Share price\n2021;160245;13.40\n"
                                            "2022;173830;15.75\n");
    asked(&k, 1, "What was the share price in 2022?", "Share price: 15.75 (2022)");
    asked(&k, 1, "What was the revenue in the year 2021?", "Revenue: 160245 (Year: 2021)");
    asked(&k, 1, "How much did the office in Asia cost in 2022?", NULL);
    kvz_close(k);
    k = index_text("noted.txt", "Year;Eels;Pikes\n2020;912;40\n2021*;184;31\n\n* in May alone\n");
    asked(&k, 1, "How many eels were caught in 2021?", "Eels: 184 (2021*)");
    kvz_close(k);
}

// The case of letters beyond ASCII.
static void test_letters(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("letters.txt", "Article;Pack;Price\n\u00d6l f\u00fcr T\u00fcren;3;4.50\n"
                                  "Nail, long;10;0.70\n");
    asked(&k, 1, "What is the price of \u201c\u00f6l f\u00fcr t\u00fcren\u201d?",
          "Price: 4.50 (\u00d6l f\u00fcr T\u00fcren)");
    kvz_close(k);
}

// Rows of tables where nothing is asked for do not make a name too frequent.
static void test_other_tables(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("tables.txt", "Day;Home;Away\nMonday;Rovers;Town\nTuesday;Town;Rovers\n"
                                 "Friday;Rovers;United\nSunday;United;Rovers\n\n"
                                 "Club;Capacity;Surface\nRovers;2400;grass\nTown;900;clay\n");
    asked(&k, 1, "What is the capacity of the Rovers?", "Capacity: 2400 (Rovers)");
    kvz_close(k);
}

// A cell answers only what it can tell, and none where the question has a name that is not there.
static void test_cell_tells(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("tells.txt", "Club;Played;Won;Ground;Pts\nCrowle;9;2;Weir Meadow;29\n"
                                "Dunmere;10;5;Peat Road;66\n");
    asked(&k, 1, "What is the ground of Crowle?", "Ground: Weir Meadow (Crowle)");
    asked(&k, 1, "How many points does Dunmere have?", "Pts: 66 (Dunmere)");
    asked(&k, 1, "Who won first prize at Crowle?", NULL);
    asked(&k, 1, "How many games has Hollis won at Crowle?", NULL);
    asked(&k, 1, "Why was the ground of Crowle closed?", NULL);
    asked(&k, 1, "How many grounds does Crowle have?", NULL);
    kvz_close(k);
}

// The type of a value names no row, nor does a row tell of an option that it lacks; what is default
// may be said in a cell of another column.
static void test_options(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("options.md", "| Option | Type | Default | About |\n|---|---|---|---|\n"
                                 "| `wind_max` | size | 40 | Strongest wind |\n"
                                 "| `rest_span` | time | 6h | Between two runs |\n\n"
                                 "| Field | Type | About |\n|---|---|---|\n"
                                 "| `pace` | string | `fast` (default) or `safe` |\n"
                                 "| `grain` | string | Default `rye` in the north. |\n"
                                 "| `sail` | string | Its cloth. |\n");
    asked(&k, 1, "What is the default of rest_span?", "Default: 6h (rest_span)");
    asked(&k, 1, "How long does halt_time last by default?", NULL);
    asked(&k, 1, "What size is load_max by default?", NULL);
    asked(&k, 1, "What size is the sack by default?", NULL);
    asked(&k, 1, "What is the default of pace?", "About: `fast` (default) or `safe` (pace)");
    asked(&k, 1, "What is the default of grain?", "About: Default `rye` in the north. (grain)");
    asked(&k, 1, "What is the default of sail?", NULL);
    kvz_close(k);
    k = index_text("call.md",
                   "| Role | Name | Phone |\n|---|---|---|\n"
                   "| Miller | Ulla Berg | 555 0117 |\n| Smith | Jo Falk | 555 0118 |\n");
    asked(&k, 1, "When must I call the miller?", NULL);
    asked(&k, 1, "What is the phone number of the miller?", "Phone: 555 0117 (Miller)");
    kvz_close(k);
}

// Rows that are for ranges of numbers, which the question has one of.
static void test_ranges(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "ranges.txt", "Parcels\n\nWeight,Postage,Days\nup to 100 g,1.20,1\nup to 500 g,2.40,1\n"
                      "more than 500 g,6.00,2\n\n"
                      "Tickets of the ferry, which sails at 8, and at noon, of course.\n\n"
                      "| Age | Ticket |\n|---|---|\n| under 5 | free |\n| 5-15 | 3.50 |\n"
                      "| 16 to 64 | 7.00 |\n| 65 and over | 4.00 |\n\n"
                      "Pressure         Grade   Fee\n---------------------------\n"
                      "20.5 or more     A       10\n18.00 to 19.49   B       20\n"
                      "below 18         C       30\n\n"
                      "| Frost | Salt |\n|---|---|\n| -9 to 9 | 4 kg |\n| 10 to 20 | 8 kg |\n"
                      "| below -9 | 2 kg |\n\n"
                      "| Load | Toll |\n|---|---|\n| to 300 kg | 2 |\n| 300 to 900 kg | 4 |\n");
    asked(&k, 1, "What is the salt for a frost of 9.5?", NULL); // not below -9
    asked(&k, 1, "What is the salt for a frost of 12?", "Salt: 8 kg (10 to 20)");
    asked(&k, 1, "What is the toll for a load of 200 kg?", "Toll: 2 (to 300 kg)");
    asked(&k, 1, "What is the toll for a load of 800 kg?", "Toll: 4 (300 to 900 kg)");
    asked(&k, 1, "What is the postage for a weight of 350 g?", "Postage: 2.40 (up to 500 g)");
    asked(&k, 1, "What is the postage for a weight of 500 g?", "Postage: 2.40 (up to 500 g)");
    asked(&k, 1, "What is the postage for a weight of 501 g?", "Postage: 6.00 (more than 500 g)");
    asked(&k, 1, "What does a ticket at the age of 15 cost?", "Ticket: 3.50 (5-15)");
    asked(&k, 1, "What does a ticket at the age of 70 cost?", "Ticket: 4.00 (65 and over)");
    asked(&k, 1, "What is the grade if the pressure is 19.2?", "Grade: B (18.00 to 19.49)");
    asked(&k, 1, "What is the fee for a pressure of 18?", "Fee: 20 (18.00 to 19.49)");
    asked(&k, 1, "What is the grade if the pressure is 19.9?", NULL); // between two rows
    asked(&k, 1, "What is the grade if the pressure is not 19.2?", NULL);
    asked(&k, 1, "What is the grade of 3 valves at a pressure of 19.2?", NULL);
    asked(&k, 1, "What is the grade of the valve at a pressure of 19.2?", NULL);
    kvz_close(k);
    // Where the range is of one of several like things, another one is not asked for.
    k = index_text("pools.md",
                   "| Chlorine | Main pool | Toddlers' pool | Fee |\n|---|---|---|---|\n"
                   "| low | 1.0 to 1.5 | 1.2 to 1.8 | 5 |\n"
                   "| high | 1.6 to 2.5 | 1.9 to 2.8 | 9 |\n");
    asked(&k, 1, "What is the fee for a main pool of 1.3?", "Fee: 5 (1.0 to 1.5)");
    asked(&k, 1, "What does the main pool get at 1.3?", NULL);
    kvz_close(k);
}

// Columns divided by blanks: a rule below their names, a column of labels without a name, titles
// between rows, cells that begin left of their names, an empty line, two tables in a row.
static void test_blanks(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("blanks.txt", "Income statement\n\n"
                                 "                       Note      2023      2022\n"
                                 "-----------------------------------------------\n"
                                 "Revenue                   3   184,610   173,830\n"
                                 "Cost of sales                (109,420) (101,960)\n"
                                 "                             ------------------\n"
                                 "Gross profit                   75,190    71,870\n"
                                 "Other items\n"
                                 "  Research                4   (18,340)  (17,150)\n\n"
                                 "Dividend per share               0.42      0.45\n\n"
                                 "Train number          101     103\n"
                                 "---------------------------------\n"
                                 "Alderby        dep   05:42   07:10\n"
                                 "Brannoch       arr   06:03   07:33\n"
                                 "Port Luna      arr   07:02   08:27\n\n"
                                 "      Tag   Name         Length  Meaning\n"
                                 "      ----  -----------  ------  ---------------------\n"
                                 "      0x01  Position     8       Where the buoy floats\n"
                                 "      0x02  Clock        6       Time of the\n"
                                 "                                 observation\n"
                                 "      0x03  Battery      2       Volts\n"
                                 "            voltage\n"
                                 "      0x82  Nonce        12      Value used once\n"
                                 "      ----  -----------  ------  ---------------------\n\n"
                                 "Year    Revenue    Share price at year end\n"
                                 "        (euros)    (euros)\n"
                                 "------------------------------------------\n"
                                 "2019    148,900                      11.20\n"
                                 "2020    139,310                       8.95\n");
    asked(&k, 1, "What was the revenue in 2023?", "2023: 184,610 (Revenue)");
    asked(&k, 1, "What was the gross profit in 2022?", "2022: 71,870 (Gross profit)");
    asked(&k, 1, "What was spent on research in 2022?", "2022: (17,150) (Research)");
    asked(&k, 1, "What was the dividend per share in 2022?", "2022: 0.45 (Dividend per share)");
    asked(&k, 1, "When does train 103 leave Alderby?", "103: 07:10 (Alderby        dep)");
    asked(&k, 1, "What is the length of the nonce?", "Length: 12 (Nonce)");
    asked(&k, 1, "What is the meaning of the nonce?", "Meaning: Value used once (Nonce)");
    asked(&k, 1, "What is the meaning of the clock?", "Meaning: Time of the observation (Clock)");
    asked(&k, 1, "What is the length of 0x03?", "Length: 2 (0x03)");
    asked(&k, 1, "What is the name of 0x03?", NULL); // a line is not all of it
    asked(&k, 1, "What was the share price in 2020?", "Share price at year end: 8.95 (2020)");
    kvz_close(k);
}

// A letter and a gap before the label of a row belong to it.
static void test_lettered_labels(void **state)
{
    (void)state;
    struct kvz *k = index_text("letters.txt", "Part                 Basic     Full\n"
                                              "-----------------------------------\n"
                                              "A  Late departure    $250      $500\n"
                                              "   - every hour      $20       $40\n"
                                              "B  Own money         $300      $600\n");
    asked(&k, 1, "What is the limit for own money under Full?", "Full: $600 (B  Own money)");
    asked(&k, 1, "What is the Basic limit for late departure?", "Basic: $250 (A  Late departure)");
    kvz_close(k);
}

// Without a rule there must be words above numbers.
static void test_blanks_without_rule(void **state)
{
    (void)state;
    struct kvz *k = index_text("unruled.txt", "Shop list of May\n\n"
                                              "Item       Colour    Stock\n"
                                              "Lamp       green        14\n"
                                              "Door mat   brown         3\n"
                                              "Candle     white       120\n");
    asked(&k, 1, "What is the colour of the door mat?", "Colour: brown (Door mat)");
    asked(&k, 1, "How many candles are in stock?", "Stock: 120 (Candle)");
    kvz_close(k);
    // an empty line below the names
    k = index_text("apart.txt", "What each race has is in the table.\n\n\n"
                                "                Str  Int  Hit Dice  Rqd Exp/level\n\n"
                                "    Human        0    0      10          +0%\n"
                                "    Half-Elf    -1   +1       9         +10%\n"
                                "    Gnome       -1   +2       7         +25%\n");
    asked(&k, 1, "What is the Hit Dice of a Gnome?", "Hit Dice: 7 (Gnome)");
    asked(&k, 1, "What Rqd Exp/level does the Half-Elf have?", "Rqd Exp/level: +10% (Half-Elf)");
    kvz_close(k);
}

// Lists of lists, as in reStructuredText.
static void test_lists(void **state)
{
    (void)state;
    struct kvz *k = index_text("hooks.rst", ".. list-table::\n   :header-rows: 1\n\n"
                                            "   * - Hook\n     - When it is run\n"
                                            "     - If it fails\n"
                                            "   * - pre-export\n     - before the file\n"
                                            "     - nothing is exported\n"
                                            "   * - nightly\n     - by ``cron`` at 02:45\n"
                                            "     - a mail is sent to\n       the keeper\n\n"
                                            "* - pre-add\n  - When it rains\n* - post-add\n"
                                            "  - nothing\n\nThat is all.\n");
    asked(&k, 1, "When is the nightly hook run?", "When it is run: by ``cron`` at 02:45 (nightly)");
    asked(&k, 1, "What happens if the pre-export hook fails?",
          "If it fails: nothing is exported (pre-export)");
    asked(&k, 1, "What happens if the nightly hook fails?", NULL); // it has two lines
    asked(&k, 1, "What happens when post-add rains?", NULL);
    kvz_close(k);
}

// Blanks that divide no table.
static void test_no_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *question;
    } cases[] = {
        {"The lamp  stood by the  wall.  It was  green.\nBut the stock  of 14 lamps  was gone,\n"
         "so that 3 mats  and 2 lamps  were left.\n",
         "What is the stock of the lamps?"},
        {"Lamps were sold.  Stock was low.  Mats too.\nLamp one was green.  14 stood there.  Mats "
         "3.\nLamp two was brown.  15 stood there.  Mats 4.\n",
         "What is the stock of lamp two?"},
        {"int lamp;     // stock      of lamps\nlamp = 14;    // 14         green\n"
         "mats = 3;     // 3          brown\n",
         "What is the stock of the mats?"},
        {"total 24\n-rw-r--r--  1 ed  users   4096  Jun  8 09:14  letters.txt\n"
         "-rw-r--r--  1 ed  users  18220  Jun  7 17:40  cricket.txt\n",
         "How many users has cricket.txt?"},
        {"anna   hello there   how is the stock\nbob    14 lamps      are left\n"
         "carl   3 mats        are left\n",
         "How many mats are there, carl?"},
        {"09:14  petra  is there any stock?\n09:15  kevin  3 left\n09:17  petra  then 3\n",
         "How many did kevin have?"},
        {"Our   yard    is    closed   on   12   of   August\n"
         "and   14   lamps   are   left   in   the   stock,\n"
         "but   3   mats   are   not   to   be   had   now.\n",
         "How many lamps are left in the yard?"},
        {"Path Browser     # open_path_browser, users\n---\nSave             # save\n"
         "Print Window     # print_window\n",
         "Who are the users of Save?"},
        {"Lamps   Mats   Stock\n14      3      green\n", "What is the stock of 14 lamps?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct texts t;
        struct table b;
        struct kvz *k = index_text("none.txt", cases[i].text);
        struct err e;
        texts_begin(&t, &k, 1);
        table_begin(&b, &t);
        if (table_next(&b, &e))
            fail_msg("%s", cases[i].text);
        asked(&k, 1, cases[i].question, NULL);
        kvz_close(k);
    }
}

// Two columns at once, people with two names, and days of something else than is asked for.
static void test_people(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("staff.csv", "no,surname,first_name,dept,phone_ext,start_date,car,salary\n"
                                "11,Ward,Tom,Works,222,2012-05-03,MQ1,28000\n"
                                "12,Osei,Ama,Office,310,2009-06-12,FA7,41500\n"
                                "13,Petrov,Ivan,Works,333,2020-02-01,,27250\n");
    asked(&k, 1, "What is the extension and the department of Ama Osei?",
          "phone_ext: 310; dept: Office (Ama Osei)");
    asked(&k, 1, "What is Tom Ward's salary and start date?",
          "salary: 28000; start_date: 2012-05-03 (Tom Ward)");
    asked(&k, 1, "What does Ivan Petrov earn?", "salary: 27250 (Ivan Petrov)");
    asked(&k, 1, "Who drives the car MQ1?", "Tom Ward (MQ1)");
    asked(&k, 1, "When did Tom Ward join?", "start_date: 2012-05-03 (Tom Ward)");
    asked(&k, 1, "When does Tom Ward retire?", NULL);
    asked(&k, 1, "When does Tom Osei start?", NULL);
    kvz_close(k);
}

// A quoted cell is longer than any row, and where that is given up stands the first of two marks:
// they do not close it, nor is it looked at for ever.
static void test_long_quotation(void **state)
{
    (void)state;
    enum { LONGEST = 2000 };
    for (int marks = 1; marks < 4; marks++) {
        char text[2 * LONGEST] = "id,name,town\n7,Ada,Graz\n8,\"", *at = strchr(text, '8');
        memset(at + 3, 'x', LONGEST - 4);
        memset(at + LONGEST - 1, '"', (size_t)marks);
        strcpy(at + LONGEST - 1 + marks, "\n9,Bob,Oslo\n");
        struct kvz *k = index_text("long.txt", text);
        asked(&k, 1, "What is the town of Ada?", "town: Graz (Ada)");
        asked(&k, 1, "What is the town of Eve?", NULL);
        kvz_close(k);
    }
}

// Of cells that overlap in the question the longest counts, whatever their order; a pound is money.
static void test_overlapping(void **state)
{
    (void)state;
    struct kvz *k = index_text("parts.csv", "Colour,Item,GBP\nblue,hinge pin 80 mm,4\n"
                                            "red,hinge pin 80 mm,5\ngrey,blue hinge,6\n");
    asked(&k, 1, "What is the price of the blue hinge pin 80 mm?",
          "GBP: 4 (blue, hinge pin 80 mm)");
    kvz_close(k);
}

// A line that is longer than names of columns is none of them: it would be read with each row.
static void test_long_head(void **state)
{
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        char text[COLUMNS_HEAD + 200];
        int n = sprintf(text, "Name;Town;");
        memset(text + n, 'x', (size_t)(COLUMNS_HEAD + longer - n));
        strcpy(text + COLUMNS_HEAD + longer, "\nAda;Graz;x\nBob;Linz;y\nCy;Wien;z\n");
        struct kvz *k = index_text("head.csv", text);
        asked(&k, 1, "What is the town of Ada?", longer ? NULL : "Town: Graz (Ada)");
        asked(&k, 1, "What is the Graz of Bob?", NULL); // nor is the line below it
        kvz_close(k);
    }
}

// How often something is done is in a column that is not called so.
static void test_intervals(void **state)
{
    (void)state;
    struct kvz *k = index_text("care.md", "# Care\n\n| Interval | Work | By |\n|---|---|---|\n"
                                          "| 6 weeks | Oil the hinges | owner |\n"
                                          "| 3 years | Paint the gate | painter |\n");
    asked(&k, 1, "How often should the gate be painted?", "Interval: 3 years (Paint the gate)");
    asked(&k, 1, "How often do I oil the hinges?", "Interval: 6 weeks (Oil the hinges)");
    asked(&k, 1, "How often should the wall be painted?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_grid_hyphen),
        cmocka_unit_test(test_parts_of_names),
        cmocka_unit_test(test_other_rows),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_numbered),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_numbers_of_the_title),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_years),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_other_tables),
        cmocka_unit_test(test_cell_tells),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_blanks),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_lettered_labels),
        cmocka_unit_test(test_blanks_without_rule),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_no_tables),
        cmocka_unit_test(test_long_quotation),
        cmocka_unit_test(test_how_long),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_overlapping),
        cmocka_unit_test(test_long_head),
        cmocka_unit_test(test_intervals),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
