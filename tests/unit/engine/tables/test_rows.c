// Questions about all rows of a table, and the numbers that these have.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/rows/number.h"
#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// Rows are counted by what they have in a column.
static void test_groups(void **state)
{
    (void)state;
    static const char visits[] =
        "# The practice\n\nThe visits are kept here. The vets see cats and dogs. There was a "
        "visit of the inspector in May, and one before, of which nothing is written down here.\n\n"
        "## Visits\n\n| No | Date | Animal | Vet | Fee |\n|---|---|---|---|---|\n"
        "| 1 | 2024-01-03 | Nelson | Osei | 5 |\n| 2 | 2024-01-03 | Rolo | osei | 7 |\n"
        "| 3 | 2024-02-05 | Luna | Ray | 5 |\n| 4 | 2024-02-06 | Nelson | Osei | 9 |\n"
        "| 5 | 2024-02-06 | Rolo | | 4 |\n";
    struct kvz *k = index_text("visits.md", visits);
    asked(&k, 1, "Which vet has the most visits?", "Vet: Osei (3 of 5 rows)");
    asked(&k, 1, "Which vet had the fewest visits?", "Vet: Ray (1 of 5 rows)");
    asked(&k, 1, "Which animal had the most visits?",
          "Animal: Nelson (2 of 5 rows)\nAnimal: Rolo (2 of 5 rows)");
    asked(&k, 1, "Which vet had the most visits in February?", NULL); // one each
    asked(&k, 1, "Which animal had the most visits with Osei?", "Animal: Nelson (2 of 5 rows)");
    asked(&k, 1, "Which vet has the most animals?", NULL);
    asked(&k, 1, "Which vet has the most visits of cats?", NULL);
    asked(&k, 1, "Which owner has the most visits?", NULL);
    asked(&k, 1, "Which vet paid for the most visits?", NULL);
    kvz_close(k);
    char more[sizeof visits + 60];
    strcat(strcpy(more, visits), "| 6 | 2024-02-07 | Rolo | Ray / Osei | 4 |\n");
    k = index_text("visits.md", more);
    asked(&k, 1, "Which vet has the most visits?", NULL);
    kvz_close(k);
    k = index_text("staff.csv", "Name,Department,Salary\nAda Orth,Sales,300\nBo Lind,Yard,200\n"
                                "Cy Pell,Yard,250\nDee Roe,Office,210\n");
    asked(&k, 1, "Which department has the most employees?", "Department: Yard (2 of 4 rows)");
    asked(&k, 1, "Which employee has the most salary?", "Salary: 300 (Ada Orth)");
    kvz_close(k);
}

// The title of a table may say what each row is.
static void test_title_of_rows(void **state)
{
    (void)state;
    static const char visits[] =
        "# The practice\n\nThe visits are kept here. The vets see cats and dogs. There was a "
        "visit of the inspector in May, and one before, of which nothing is written down here.\n\n"
        "## Visits 2024\n\n| No | Date | Animal | Vet | Reason |\n|---|---|---|---|---|\n"
        "| 1 | 2024-01-03 | Nelson | Osei | cough |\n| 2 | 2024-01-03 | Rolo | Osei | limping |\n"
        "| 3 | 2024-02-05 | Luna | Ray | cough |\n| 4 | 2024-02-06 | Nelson | Osei | check |\n";
    struct kvz *k = index_text("visits.md", visits);
    asked(&k, 1, "How many visits are there?",
          "4 rows: 1, 2024-01-03; 2, 2024-01-03; 3, 2024-02-05; 4, 2024-02-06");
    asked(&k, 1, "How many visits in February?", "2 of 4 rows: 3, 2024-02-05; 4, 2024-02-06");
    asked(&k, 1, "What was the reason of the last visit?", "Reason: check (4, 2024-02-06)");
    asked(&k, 1, "Who was the vet of the third visit?", "Vet: Ray (3, 2024-02-05)");
    asked(&k, 1, "Which visits were on 2024-02-05?",
          "3, 2024-02-05: | 3 | 2024-02-05 | Luna | Ray | cough |");
    asked(&k, 1, "visits on 5 February", "3, 2024-02-05: | 3 | 2024-02-05 | Luna | Ray | cough |");
    asked(&k, 1, "What happened on 5 February?", NULL); // the text may tell more
    asked(&k, 1, "How many visits were there on 3 January?",
          "2 of 4 rows: 1, 2024-01-03; 2, 2024-01-03");
    asked(&k, 1, "Which animals came on 6 February?", "Animal: Nelson (4, 2024-02-06)");
    asked(&k, 1, "Which visits were on 2023-02-05?", NULL);
    asked(&k, 1, "Which visits were paid on 2024-02-05?", NULL);
    asked(&k, 1, "Which visits were before 2024-02-05?", NULL);
    asked(&k, 1, "Why was there a visit on 2024-02-05?", NULL);
    asked(&k, 1, "How many vets are there?", NULL);
    asked(&k, 1, "How many inspectors are there?", NULL);
    kvz_close(k);
    // The last row is not of the last day.
    char more[sizeof visits + 60];
    strcat(strcpy(more, visits), "| 5 | 2024-01-01 | Rolo | Ray | cough |\n");
    k = index_text("visits.md", more);
    asked(&k, 1, "What was the reason of the last visit?", NULL);
    kvz_close(k);
    // A row of a month is not one visit.
    k = index_text("sums.md", "# The practice\n\nThe visits are counted here, of cats and of dogs "
                              "alone, for nobody has asked for others.\n\n## Visits\n\n"
                              "| Month | Cats | Dogs |\n|---|---|---|\n| January | 5 | 7 |\n"
                              "| February | 8 | 2 |\n| March | 3 | 9 |\n");
    asked(&k, 1, "How many visits are there?", NULL);
    kvz_close(k);
}

// A title of several words says it though a column is called by one of them; rows have codes.
static void test_codes_of_rows(void **state)
{
    (void)state;
    struct kvz *k = index_text(
        "audit.md",
        "# Audit of the bakery\n\nIt was made in May by two people who had not been there before, "
        "and who will come again.\n\n## Work orders\n\n"
        "| No. | Work | Keeper | Rank | Until | State |\n|---|---|---|---|---|---|\n"
        "| W1 | Mend the oven | Ada Lind | R0 | 2024-05-07 | done |\n"
        "| W2 | Paint the door | Bo Orth | R1 | 2024-06-07 | open |\n"
        "| W3 | Buy a scale | Ada Lind | R0 | 2024-07-07 | open |\n"
        "| W4 | Sweep the yard | Cy Pell | R2 | 2024-08-07 | open |\n");
    asked(&k, 1, "Who is the keeper of work order W2?", "Keeper: Bo Orth (W2)");
    asked(&k, 1, "What is the state of the work order W1?", "State: done (W1)");
    asked(&k, 1, "How many work orders are there?",
          "4 rows: W1, Mend the oven; W2, Paint the door; W3, Buy a scale; W4, Sweep the yard");
    asked(&k, 1, "Which work orders are still open?",
          "W2, Paint the door\nW3, Buy a scale\nW4, Sweep the yard");
    asked(&k, 1, "Which work orders have rank R0?", "W1, Mend the oven\nW3, Buy a scale");
    asked(&k, 1, "Which work orders are late?", NULL);
    kvz_close(k);
}

static void test_rows(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("stock.csv", "Article,Name,Category,Price EUR,Stock,Supplier,Warranty months\n"
                                "G-1,Garden hose 20 m,Garden,24.90,112,Hydro,24\n"
                                "G-2,Garden hose 50 m,Garden,49.50,38,Hydro,24\n"
                                "G-3,Hose reel,Garden,9.90,27,Hydro,36\n"
                                "T-1,Cordless drill 18 V,Tools,119.00,18,Nordkraft,36\n"
                                "T-2,Impact drill,Tools,74.50,0,Nordkraft,24\n"
                                "T-3,Hex key set,Tools,11.40,70,Wiking,120\n"
                                "Total,,,289.20,265,,\n");
    asked(&k, 1, "What is the most expensive article?",
          "Price EUR: 119.00 (T-1, Cordless drill 18 V)");
    asked(&k, 1, "Which is the cheapest article from Nordkraft?",
          "Price EUR: 74.50 (T-2, Impact drill)");
    asked(&k, 1, "What is the cheapest garden hose?", "Price EUR: 24.90 (G-1, Garden hose 20 m)");
    asked(&k, 1, "Which article has the longest warranty?",
          "Warranty months: 120 (T-3, Hex key set)");
    asked(&k, 1, "What is the lowest stock?", "Stock: 0 (T-2, Impact drill)");
    asked(&k, 1, "Which is cheaper, the cordless drill or the impact drill?",
          "Price EUR: 74.50 (T-2, Impact drill)\nPrice EUR: 119.00 (T-1, Cordless drill 18 V)");
    asked(&k, 1, "which drill costs more", "Price EUR: 119.00 (T-1, Cordless drill 18 V)");
    asked(&k, 1, "Which articles cost more than 70 euros?",
          "Price EUR: 119.00 (T-1, Cordless drill 18 V)\nPrice EUR: 74.50 (T-2, Impact drill)");
    asked(
        &k, 1, "Which tools have a warranty of at least 36 months?",
        "Warranty months: 36 (T-1, Cordless drill 18 V)\nWarranty months: 120 (T-3, Hex key set)");
    asked(&k, 1, "Which articles are out of stock?", "Stock: 0 (T-2, Impact drill)");
    asked(&k, 1, "List all articles from Nordkraft and Wiking.",
          "T-1, Cordless drill 18 V\nT-2, Impact drill\nT-3, Hex key set");
    asked(&k, 1, "How many articles does Hydro supply?",
          "3 of 6 rows: G-1, Garden hose 20 m; G-2, Garden hose 50 m; G-3, Hose reel");
    asked(&k, 1, "What does Wiking supply?", "T-3, Hex key set");
    asked(&k, 1, "What are the articles from Wiking?", "T-3, Hex key set");
    // These ask for more than the rows tell, or are about others.
    asked(&k, 1, "Which articles cost more than 70 dollars?", NULL);
    asked(&k, 1, "Which supplier is the cheapest in winter?", NULL);
    asked(&k, 1, "Which supplier supplies the most articles?", NULL);
    asked(&k, 1, "Which articles from Felder are out of stock?", NULL);
    asked(&k, 1, "Which articles are not from Hydro?", NULL);
    asked(&k, 1, "Which is cheaper, the drill or the hose?", NULL);
    asked(&k, 1, "Which articles cost more than the impact drill?", NULL);
    asked(&k, 1, "What is the heaviest article?", NULL);
    asked(&k, 1, "How many articles are in stock?", NULL);
    kvz_close(k);
}

// People with a first and a last name, who are asked for by what they are, do and earn.
static void test_people(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("staff.csv", "no,surname,first_name,dept,job_title,site,start_date,salary,boss\n"
                                "1,Ward,Tom,Works,Fitter,York,2012-05-03,28000,Osei\n"
                                "2,Osei,Ama,Works,Works Manager,Leeds,2009-06-12,41500,Lund\n"
                                "3,Petrov,Ivan,Works,Night Fitter,Leeds,2020-02-01,27250,Osei\n"
                                "4,Lund,Eva,IT,IT Manager,York,2015-09-30,47100,\n"
                                "5,Reid,Ann,Stores,Storeman,Leeds,2020-11-02,26100,Lund\n");
    asked(&k, 1, "How many people work in Leeds?", "3 of 5 rows: Ama Osei; Ivan Petrov; Ann Reid");
    asked(&k, 1, "how many fitters are there", "2 of 5 rows: Tom Ward; Ivan Petrov (Night Fitter)");
    asked(&k, 1, "list the storemen", "Ann Reid");
    asked(&k, 1, "who works in IT", "Eva Lund");
    asked(&k, 1, "who reports to Osei", "Tom Ward\nIvan Petrov");
    asked(&k, 1, "who earns the most", "salary: 47100 (Eva Lund)");
    asked(&k, 1, "which fitter earns the most?", "salary: 28000 (Tom Ward)");
    asked(&k, 1, "who earns at least 41.5k?", "salary: 41500 (Ama Osei)\nsalary: 47100 (Eva Lund)");
    asked(&k, 1, "who earns more, Ward or Ivan Petrov?",
          "salary: 28000 (Tom Ward)\nsalary: 27250 (Ivan Petrov)");
    asked(&k, 1, "who has worked here the longest", "start_date: 2009-06-12 (Ama Osei)");
    asked(&k, 1, "who was the second to join the company", "start_date: 2012-05-03 (Tom Ward)");
    asked(&k, 1, "who joined in 2020",
          "start_date: 2020-02-01 (Ivan Petrov)\nstart_date: 2020-11-02 (Ann Reid)");
    asked(&k, 1, "how many people started before 2015", "2 of 5 rows: Tom Ward; Ama Osei");
    asked(&k, 1, "how many employees are there",
          "5 rows: Tom Ward; Ama Osei; Ivan Petrov; Eva "
          "Lund; Ann Reid");
    asked(&k, 1, "who is the last person on the list",
          "Ann Reid: 5,Reid,Ann,Stores,Storeman,Leeds,2020-11-02,26100,Lund");
    asked(&k, 1, "what is the average salary", "salary: 33990.00 on average (5 rows)");
    asked(&k, 1, "what is the total salary of the managers", "salary: 88600 in all (2 of 5 rows)");
    asked(&k, 1, "what are the salaries of the managers",
          "salary: 41500 (Ama Osei) (Works Manager)\nsalary: 47100 (Eva Lund) (IT Manager)");
    asked(&k, 1, "who lives in Leeds", NULL);
    asked(&k, 1, "who is the oldest", NULL); // no column tells
    asked(&k, 1, "who does not work in Leeds", NULL);
    asked(&k, 1, "how many people work in Leeds on Sundays?", NULL);
    asked(&k, 1, "how many departments are there", NULL);
    asked(&k, 1, "who works in it?", "Eva Lund");
    asked(&k, 1, "does it work for many people", NULL);
    asked(&k, 1, "what is the total start date", NULL);
    kvz_close(k);
}

// A table with its title, in Markdown, within a longer text.
// A statement of an account, whose balances are no transactions.
static void test_transactions(void **state)
{
    (void)state;
    struct kvz *k = index_text("bank.csv", "Date,Description,Category,Debit,Credit\n"
                                           "2024-01-02,Opening balance,,,\n"
                                           "2024-01-03,Rent Corve,Housing,925.00,\n"
                                           "2024-01-05,Salary,Income,,2310.40\n"
                                           "2024-01-22,Inn,Leisure,65.00,\n"
                                           "2024-01-31,Closing balance,,,\n");
    asked(&k, 1, "How many transactions are there?",
          "3 rows: 2024-01-03, Rent Corve; 2024-01-05, Salary; 2024-01-22, Inn");
    asked(&k, 1, "What is the total of debits?", "Debit: 990.00 in all (2 of 3 rows)");
    asked(&k, 1, "Which transactions are in the category Leisure?", "2024-01-22, Inn");
    asked(&k, 1, "What is the last transaction?", "2024-01-22, Inn: 2024-01-22,Inn,Leisure,65.00,");
    kvz_close(k);
    k = index_text("spent.csv", "Date,Shop,Category,Debit\n2024-01-03,Corn Market,Groceries,10.00\n"
                                "2024-01-05,Baker,Groceries,2.50\n2024-02-05,Baker,Groceries,4\n"
                                "2025-02-11,Inn,Leisure,31\n");
    asked(&k, 1, "How much did I spend on groceries?", "Debit: 16.50 in all (3 of 4 rows)");
    asked(&k, 1, "How much did we spend at the corn market in total?",
          "Debit: 10.00 in all (1 of 4 rows)");
    asked(&k, 1, "how much was spent in January", "Debit: 12.50 in all (2 of 4 rows)");
    asked(&k, 1, "What was the highest debit in February 2024?", "Debit: 4 (2024-02-05, Baker)");
    asked(&k, 1, "Which transactions were in February?", "2024-02-05, Baker\n2025-02-11, Inn");
    asked(&k, 1, "How much did I spend on the car?", NULL);
    asked(&k, 1, "How much did I spend in March?", NULL);
    asked(&k, 1, "How much did I spend on 3 January?", "Debit: 10.00 in all (1 of 4 rows)");
    asked(&k, 1, "What happened on 11 February?", "2025-02-11, Inn: 2025-02-11,Inn,Leisure,31");
    kvz_close(k);
    // Of two days it is not plain which is meant.
    k = index_text("jobs.csv", "Job,Begun,Ended,Cost\nRoof,2024-01-03,2024-02-03,10\n"
                               "Wall,2024-01-04,2024-01-09,12\nGate,2024-02-04,2024-03-09,12\n");
    asked(&k, 1, "What did I spend in total in January?", NULL);
    asked(&k, 1, "How much did I spend in total?", "Cost: 34 in all (3 rows)");
    kvz_close(k);
}

// Names of two columns, of which "first" and "last" are words, and years that count themselves.
static void test_first_names(void **state)
{
    (void)state;
    struct kvz *k = index_text("staff.csv", "First name,Last name,Role,Start date,Pay\n"
                                            "Ana,Reyes,Manager,2012-03-01,\u00a354000\n"
                                            "Ben,Okafor,Driver,2019-07-15,\u00a331500\n"
                                            "Cora,Lind,Driver,2021-01-11,\u00a329800\n"
                                            "Dev,Patel,Accountant,2016-09-05,\u00a342000\n");
    asked(&k, 1, "Who joined before 2016?", "Start date: 2012-03-01 (Ana Reyes)");
    asked(&k, 1, "Who joined in or before 2016?",
          "Start date: 2012-03-01 (Ana Reyes)\nStart date: 2016-09-05 (Dev Patel)");
    asked(&k, 1, "Who is the last driver?", "Cora Lind: Cora,Lind,Driver,2021-01-11,\u00a329800");
    asked(&k, 1, "Who is the first driver?",
          "Ben Okafor: Ben,Okafor,Driver,2019-07-15,\u00a331500");
    asked(&k, 1, "What is the last name of Ana?", "Last name: Reyes (Ana Reyes)");
    asked(&k, 1, "Who earns more than 50k pounds?", "Pay: \u00a354000 (Ana Reyes)");
    asked(&k, 1, "Who earns more than \u00a350k?", "Pay: \u00a354000 (Ana Reyes)");
    asked(&k, 1, "Who earns more than 50000 pounds?", "Pay: \u00a354000 (Ana Reyes)");
    asked(&k, 1, "Who earns more than 50000 euros?", NULL);
    kvz_close(k);
}

static void test_titled(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("shop.md", "# Workshop\n\nOrders go to the storeman, who is there from "
                              "eight to four, and to nobody else at any time.\n\n"
                              "## Spare parts\n\n"
                              "| Part no | Name | Price | Qty | Origin |\n|---|---|---|---|---|\n"
                              "| P-1 | Bearing | 4.80 EUR | 40 | Sweden |\n"
                              "| P-2 | Pump | 148.00 EUR | 2 | Italy |\n"
                              "| Q-3 | Seal | 37.90 EUR | 9 | Italy |\n");
    asked(&k, 1, "what is the most expensive spare part", "Price: 148.00 EUR (P-2, Pump)");
    asked(&k, 1, "what is the second most expensive part?", "Price: 37.90 EUR (Q-3, Seal)");
    asked(&k, 1, "how many parts cost more than 20 euros?", "2 of 3 rows: P-2, Pump; Q-3, Seal");
    asked(&k, 1, "how many parts come from Italy", "2 of 3 rows: P-2, Pump; Q-3, Seal");
    asked(&k, 1, "how many part numbers start with P?", "2 of 3 rows: P-1, Bearing; P-2, Pump");
    asked(&k, 1, "what is the average price", "Price: 63.57 EUR on average (3 rows)");
    asked(&k, 1, "who is the last person in the list", NULL);
    // There are several of each, and perhaps other parts than these.
    asked(&k, 1, "what do all parts cost together?", NULL);
    asked(&k, 1, "how many parts are there", NULL);
    kvz_close(k);
}

// Rows that begin with a day or a place, of the same people more than once.
static void test_bookings(void **state)
{
    (void)state;
    struct kvz *k = index_text("bookings.csv", "Date,Guest,Room,Nights,Price GBP,Country\n"
                                               "2024-05-01,Mr Adams,12,3,270,UK\n"
                                               "2024-05-02,Ms Bianchi,14,1,95,Italy\n"
                                               "2024-05-04,Ms Bianchi,12,4,360,Italy\n"
                                               "2024-05-07,Mr Dietz,15,7,590,Germany\n"
                                               "2024-05-09,Dr Evans,14,2,190,UK\n");
    asked(&k, 1, "who paid the most", "Guest: Mr Dietz (Price GBP: 590 in all, 1 of 5 rows)");
    asked(&k, 1, "how many people are from the UK",
          "2 of 5 rows: 2024-05-01, Mr Adams; 2024-05-09, Dr Evans");
    asked(&k, 1, "what is the total price", "Price GBP: 1505 in all (5 rows)");
    asked(&k, 1, "what is the average number of nights", "Nights: 3.40 on average (5 rows)");
    asked(&k, 1, "how many people are from Italy", NULL);
    asked(&k, 1, "which room is the most expensive", NULL); // nor the one of the highest number
    asked(&k, 1, "how many rooms are there", NULL);
    kvz_close(k);
}

// Rows of what was sold: how many rows there are, how many units, and what came in for them.
static void test_sold(void **state)
{
    (void)state;
    struct kvz *k = index_text("sold.csv", "date,shop,product,units,revenue\n"
                                           "2024-01-05,Leeds,tea,12,\"4,595.50\"\n"
                                           "2024-02-07,York,cocoa,7,\"1,501.50\"\n"
                                           "2024-03-03,Hull,coffee,37,\"3,456.50\"\n"
                                           "2024-03-18,York,coffee,13,\"3,322.50\"\n"
                                           "2024-04-22,Leeds,tea,4,\"8,658.50\"\n");
    asked(&k, 1, "How many rows have the shop York?",
          "2 of 5 rows: 2024-02-07, cocoa; 2024-03-18, coffee");
    asked(&k, 1, "How many rows have the product tea?",
          "2 of 5 rows: 2024-01-05, tea; 2024-04-22, tea");
    asked(&k, 1, "How many lines contain the shop York?", NULL);
    asked(&k, 1, "How many rows have the shop Paris?",
          "\"shop Paris\" does not stand in the text.");
    asked(&k, 1, "What is the total revenue?", "revenue: 21534.50 in all (5 rows)");
    asked(&k, 1, "What is the total revenue of York?", "revenue: 4824.00 in all (2 of 5 rows)");
    asked(&k, 1, "What is the sum of units?", "units: 73 in all (5 rows)");
    asked(&k, 1, "How many units of tea were sold in Leeds?", "units: 16 in all (2 of 5 rows)");
    asked(&k, 1, "How many units did York sell?", "units: 20 in all (2 of 5 rows)");
    asked(&k, 1, "How many units were sold in March?", "units: 50 in all (2 of 5 rows)");
    asked(&k, 1, "How many units of tea were not sold in Leeds?", NULL);
    asked(&k, 1, "How many units of tea were sold in Paris?", NULL);
    asked(&k, 1, "How many shops sold tea?", NULL);
    kvz_close(k);
}

// Rows of what was ordered, which have numbers: neither these nor how many rows there are is how
// many things somebody ordered.
static void test_ordered(void **state)
{
    (void)state;
    struct kvz *k = index_text("orders.csv", "Order;Customer;Item;Quantity;Unit price\n"
                                             "1001;Brandt;Oak table;2;249,50\n"
                                             "1002;Celik GmbH;Office chair;12;89,90\n"
                                             "1003;Dorn;Shelf;4;120,00\n"
                                             "1004;Celik GmbH;Carpet;1;310,00\n");
    asked(&k, 1, "How many items did Dorn order?", "Quantity: 4 in all (1 of 4 rows)");
    asked(&k, 1, "How many items did Celik GmbH order?", "Quantity: 13 in all (2 of 4 rows)");
    asked(&k, 1, "How many office chairs did Celik GmbH order?",
          "Quantity: 12 in all (1 of 4 rows)");
    asked(&k, 1, "How many shelves did Dorn order?", "Quantity: 4 in all (1 of 4 rows)");
    asked(&k, 1, "How many chairs were ordered?", "Quantity: 12 in all (1 of 4 rows)");
    asked(&k, 1, "What is the total quantity?", "Quantity: 19 in all (4 rows)");
    asked(&k, 1, "Who ordered the carpet?", "Customer: Celik GmbH (Carpet)");
    asked(&k, 1, "Which order did Dorn place?", "Order: 1003 (Dorn)");
    asked(&k, 1, "How many orders did Celik GmbH place?",
          "2 of 4 rows: 1002, Office chair; 1004, Carpet");
    asked(&k, 1, "How many orders did Celik GmbH cancel?", NULL);
    asked(&k, 1, "What is the order number of Brandt?", "Order: 1001 (Brandt)");
    asked(&k, 1, "What did Brandt order?", NULL);
    asked(&k, 1, "What did Brandt order in May?", NULL);
    asked(&k, 1, "How many oak chairs did Brandt order?", NULL);
    asked(&k, 1, "How many items did Dorn sell?", NULL);
    asked(&k, 1, "How many people ordered carpets?", NULL);
    asked(&k, 1, "How many customers ordered a carpet?", NULL);
    asked(&k, 1, "What is the total unit price?", NULL);
    kvz_close(k);
    k = index_text("sent.csv", "Date,Supplier,Item,Quantity,Status\n"
                               "2024-01-05,Hydro,Garden hose,12,delivered\n"
                               "2024-02-07,Nordkraft,Drill,7,pending\n"
                               "2024-03-03,Hydro,Drill,30,delivered\n");
    asked(&k, 1, "How many drills were delivered?", "Quantity: 30 in all (1 of 3 rows)");
    asked(&k, 1, "How many rows have the status delivered?",
          "2 of 3 rows: 2024-01-05, Garden hose; 2024-03-03, Drill");
    asked(&k, 1, "How many items are pending?", "1 of 3 rows: 2024-02-07, Drill");
    asked(&k, 1, "How many items were shipped?", NULL); // some are pending
    asked(&k, 1, "How many drills did Hydro order?", NULL);
    kvz_close(k);
}

// Tables of which some rows are not read as such.
static void test_parts_of_tables(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Part,Name,Price\nA-1,Bearing,4.80\nA-2,Pump housing,14.20\nA-3,Seal,3.10\n"
        "A-4,Mechanical seal, small,37.90\nA-5,Impeller,62.50\n",
        "Part,Name,Price\nA-1,Bearing,4.80\nA-2,Pump housing,14.20\nA-3,Seal,3.10\n\n"
        "A-4,Mechanical seal,37.90\nA-5,Impeller,62.50\n",
        "| Part | Name | Price |\n|---|---|---|\n| A-1 | Bearing | 4.80 |\n| A-2 | Pump | 14.20 |\n"
        "| A-3 | Seal | 3.10 |\n\nMore of them:\n\n| A-5 | Gasket set | 8.40 |\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct kvz *k = index_text("parts.txt", texts[i]);
        asked(&k, 1, "what is the cheapest part", NULL);
        asked(&k, 1, "how many parts cost more than 4 euros?", NULL);
        asked(&k, 1, "what is the average price", NULL);
        kvz_close(k);
    }
}

// A row that goes on in the line below it is one of the table's.
static void test_broken_rows(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("parts.txt", "Part   Name              Price\n------ ----------------  ------\n"
                                "A-1    Bearing           4.80\nA-2    Pump housing      14.20\n"
                                "A-3    Seal              3.10\n"
                                "A-4    Mechanical seal   37.90\n       with springs\n"
                                "A-5    Impeller          62.50\n");
    asked(&k, 1, "what is the cheapest part", "Price: 3.10 (A-3, Seal)");
    kvz_close(k);
}

// Lists of prices, whose columns have no names.
static void test_priced(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("menu.txt", "Starters\n\nSoup of the day      \u00a34.50\n"
                               "Smoked mackerel      \u00a36.25\nGarlic bread      \u00a33.75\n\n"
                               "Main courses\nPie .... \u00a310.50\nSteak .... \u00a318\n"
                               "\nHaggis .... \u00a311.25\n\n"
                               "Desserts\nToffee pudding   \u00a35.95\nIce cream   \u00a34.00\n"
                               "Sorbet   \u00a33.00\n(two scoops)\nCheese   \u00a37.50\n\n"
                               "Spare parts that can be ordered:\n\n"
                               "- 77-1 filter, 14.90 euros\n- 77-2 tank, 34.00 euros\n"
                               "- 77-3 hose, 2 m, 9.80 euros\n");
    asked(&k, 1, "What is the most expensive main course?", "\"Steak .... \u00a318\"");
    asked(&k, 1, "which starter is the cheapest", "\"Garlic bread      \u00a33.75\"");
    asked(&k, 1, "Which starters cost less than 5 pounds?",
          "\"Soup of the day      \u00a34.50\"\n\"Garlic bread      \u00a33.75\"");
    asked(&k, 1, "how many main courses cost more than 11 pounds?",
          "2 of 3 lines: Steak .... \u00a318; Haggis .... \u00a311.25");
    asked(&k, 1, "what is the most expensive spare part", "\"- 77-2 tank, 34.00 euros\"");
    asked(&k, 1, "What is the cheapest dessert?", NULL); // the list may go on below the brackets
    asked(&k, 1, "What is the cheapest starter for children?", NULL);
    asked(&k, 1, "What is the most expensive dish?", NULL);
    kvz_close(k);
}

// A list may end with the text, and has no sum in any of its lines.
static void test_priced_ends(void **state)
{
    (void)state;
    struct kvz *k = index_text("parts.txt", "Spare parts:\n\nPump 5 pounds\nValve 7 pounds\n"
                                            "Hose 9 pounds");
    asked(&k, 1, "What is the most expensive spare part?", "\"Hose 9 pounds\"");
    kvz_close(k);
    k = index_text("sum.txt", "Spare parts:\n\nTotal 21 pounds\nPump 5 pounds\nValve 7 pounds\n"
                              "Hose 9 pounds\n");
    asked(&k, 1, "What is the most expensive spare part?", NULL);
    kvz_close(k);
}

// Sums have the decimals of their numbers, and none is less than nothing by a rounding.
static void test_decimals(void **state)
{
    (void)state;
    struct kvz *k = index_text("loads.csv", "Lot,Load t,Balance\nA-1,0.755,0.30\nA-2,0.125,-0.10\n"
                                            "A-3,1.250,-0.20\n");
    asked(&k, 1, "What is the total load?", NULL); // "1.250" may be 1250
    asked(&k, 1, "What is the total balance?", "Balance: 0.00 in all (3 rows)");
    kvz_close(k);
    k = index_text("loads.csv", "Lot,Load t,Town\nA-1,0.755,Graz\nA-2,0.125,Linz\n"
                                "A-3,0.250,Linz\n");
    asked(&k, 1, "What is the total load?", "Load t: 1.130 in all (3 rows)");
    kvz_close(k);
}

// Lines that are divided as the last row is, but not as the head, are no rows.
static void test_other_marks(void **state)
{
    (void)state;
    struct kvz *k = index_text("towns.csv", "Name;Town;Note\nAda;Graz;x\nBob;Linz;y\n"
                                            "Cy;Graz;z,a,b\nu,v,w\nk,l,m\n");
    asked(&k, 1, "How many people are from Graz?", "2 of 3 rows: Ada; Cy");
    kvz_close(k);
}

// The last cell of a row in a list may be empty.
static void test_empty_item(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("clubs.rst", ".. list-table::\n   :header-rows: 1\n\n"
                                "   * - City\n     - Club\n   * - Leith\n     - Rovers\n"
                                "   * - Perth\n     - Stars\n   * - Dover\n     - \n");
    asked(&k, 1, "What is the last row of the list?", "Dover: * - Dover -");
    kvz_close(k);
}

// A column of other things than numbers of one unit has no most.
static void test_no_numbers(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("trips.csv", "Trip;Price;Length;Date\nA Lindau;12 EUR;3 km;1.2.2023\n"
                                "B Bregenz;14 EUR;900 m;2.3.2024\nC Chur;n/a;2 km;4.5.2024\n"
                                "D Davos;1,210 EUR;-;1.1.2025\n");
    asked(&k, 1, "Which is the most expensive trip?", "Price: 1,210 EUR (D Davos)");
    asked(&k, 1, "Which is the longest trip?", NULL);
    kvz_close(k);
}

static void test_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        double value;
        int decimals;
    } cases[] = {
        {"17", 2, 17, 0},
        {"24.90", 5, 24.9, 2},
        {"-3 C", 2, -3, 0},
        {"0,99", 4, 0.99, 2},
        {"1,285.50", 8, 1285.5, 2},
        {"7,400", 5, 7400, 0},
        {"$40 a", 3, 40, 0},
        {"0.755", 5, 0.755, 3},
        {"12.", 2, 12, 0},
        {"1.285", 0, 0, 0},
        {"10.11.2023", 0, 0, 0},
        {"2024-09-19", 0, 0, 0},
        {"8:30", 0, 0, 0},
        {"x", 0, 0, 0},
        {"", 0, 0, 0},
        {"1,285,300", 9, 1285300, 0},
        {"1,285.500", 9, 1285.5, 3},
        {"1.285,50", 8, 1285.5, 2},
        {"1.285.300,25 EUR", 12, 1285300.25, 2},
        {"1.285,500", 0, 0, 0},
        {"0.285,50", 0, 0, 0},
        {"1.285,50,00", 0, 0, 0},
        {"0.1234567890123456", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 0;
        int decimals;
        const size_t n = number_of(cases[i].text, strlen(cases[i].text), &value, &decimals);
        if (n != cases[i].n || (n && decimals != cases[i].decimals) ||
            (n && (value > cases[i].value + 1e-9 || value < cases[i].value - 1e-9)))
            fail_msg("%s: %zu %g", cases[i].text, n, value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_title_of_rows),
        cmocka_unit_test(test_codes_of_rows),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_first_names),
        cmocka_unit_test(test_transactions),
        cmocka_unit_test(test_titled),
        cmocka_unit_test(test_priced),
        cmocka_unit_test(test_bookings),
        cmocka_unit_test(test_sold),
        cmocka_unit_test(test_ordered),
        cmocka_unit_test(test_parts_of_tables),
        cmocka_unit_test(test_broken_rows),
        cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_priced_ends),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_empty_item),
        cmocka_unit_test(test_other_marks),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
