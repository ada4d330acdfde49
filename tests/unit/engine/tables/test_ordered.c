// Questions about rows of what was ordered: how many of a thing, by whom, for how much in all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

// Rows of what was ordered that tell the price of one as well, and of all.
static void test_ordered_for(void **state)
{
    (void)state;
    struct kvz *k = index_text("for.csv", "order,customer,article,qty,unit_price,total\n"
                                          "1001,Huber KG,Drill,3,89.90,269.70\n"
                                          "1002,Meier,Saw,1,49.00,49.00\n"
                                          "1003,Schmid,Drill,2,89.90,179.80\n"
                                          "1004,Huber KG,Hammer,4,12.00,48.00\n");
    asked(&k, 1, "How many drills were ordered?", "qty: 5 in all (2 of 4 rows)");
    asked(&k, 1, "How many hammers did Huber KG order?", "qty: 4 in all (1 of 4 rows)");
    asked(&k, 1, "How many hammers are there?", "qty: 4 (Hammer)"); // at no price
    asked(&k, 1, "What is the price of a hammer?", "unit_price: 12.00 (Hammer)");
    asked(&k, 1, "What is the total of order 1004?", "total: 48.00 (order: 1004)");
    asked(&k, 1, "How many hammers did Meier order?", NULL);
    asked(&k, 1, "What is the total unit price?", NULL);
    kvz_close(k);
    // Of two columns either may be meant.
    k = index_text("two.csv", "order,article,qty,total qty\n1001,Drill,3,3\n1002,Saw,1,4\n"
                              "1003,Drill,2,6\n");
    asked(&k, 1, "How many drills were ordered?", NULL);
    kvz_close(k);
}

// Who ordered the most of a thing is told by the quantities of all rows, not by each row.
static void test_most(void **state)
{
    (void)state;
    struct kvz *k = index_text("most.csv", "order,customer,article,qty\n1001,Huber KG,Drill,3\n"
                                           "1002,Meier,Saw,1\n1003,Schmid,Drill,2\n"
                                           "1004,Meier,Drill,5\n1005,Huber KG,Saw,4\n");
    asked(&k, 1, "Which customer ordered the most drills?",
          "customer: Meier (qty: 5 in all, 1 of 5 rows)");
    asked(&k, 1, "Who bought the most saws?", "customer: Huber KG (qty: 4 in all, 1 of 5 rows)");
    asked(&k, 1, "Which customer ordered the most articles?",
          "customer: Huber KG (qty: 7 in all, 2 of 5 rows)");
    asked(&k, 1, "Which article was ordered the most?",
          "article: Drill (qty: 10 in all, 3 of 5 rows)");
    asked(&k, 1, "Which customer sold the most drills?", NULL);
    asked(&k, 1, "Which customer ordered the most hammers?", NULL);
    asked(&k, 1, "Which customer ordered the most drills in Leeds?", NULL);
    asked(&k, 1, "Which supplier ordered the most drills?", NULL);
    kvz_close(k);
    k = index_text("each.csv", "order,customer,article\n1001,Huber KG,Drill\n1002,Meier,Saw\n"
                               "1003,Schmid,Drill\n1004,Meier,Drill\n");
    asked(&k, 1, "Which customer ordered the most drills?", NULL); // nothing says how many
    kvz_close(k);
}

// What was sold is the sum of the rows of it, whatever has become of it since, and who sold it has
// several names. What a row comes to is how many there are at the price of one.
static void test_sold(void **state)
{
    (void)state;
    static const char rows[] = "order_id,branch,salesperson,product,quantity,unit_price,status\n"
                               "1001,Leeds,Joel Abara,Desk lamp,3,34.90,open\n"
                               "1002,Derby,Joel Abara,Desk lamp,8,34.90,returned\n"
                               "1003,Derby,Nina Falk,Whiteboard,6,78.25,paid\n"
                               "1004,Hull,Nina Falk,Whiteboard,4,78.25,paid\n"
                               "1005,Derby,Uma Dass,Whiteboard,3,78.25,open\n"
                               "1006,Hull,Uma Dass,Whiteboard,1,78.25,open\n";
    struct kvz *k = index_text("sold.csv", rows);
    asked(&k, 1, "How many desk lamps did Joel Abara sell?", "quantity: 11 in all (2 of 6 rows)");
    asked(&k, 1, "How many whiteboards did the Derby branch sell?",
          "quantity: 9 in all (2 of 6 rows)");
    asked(&k, 1, "How many units did Nina Falk sell?", "quantity: 10 in all (2 of 6 rows)");
    asked(&k, 1, "Who sold the most whiteboards?",
          "salesperson: Nina Falk (quantity: 10 in all, 2 of 6 rows)");
    asked(&k, 1, "How many desk lamps were delivered?", NULL); // some are open
    asked(&k, 1, "How many customers bought whiteboards?", NULL);
    asked(&k, 1, "What is the total revenue?", "quantity x unit_price: 1479.40 in all (6 rows)");
    asked(&k, 1, "What is the total of all orders of Nina Falk?",
          "quantity x unit_price: 782.50 in all (2 of 6 rows)");
    asked(&k, 1, "What is the total profit?", NULL);
    asked(&k, 1, "What is the total unit price?", NULL);
    // Of more rows than are listed one article is told, and the number that they share.
    asked(&k, 1, "What is the highest unit price?", "unit_price: 78.25 (4 of 6 rows)");
    asked(&k, 1, "What is the most expensive article?",
          "unit_price: 78.25 (Whiteboard, 4 of 6 rows)");
    asked(&k, 1, "How many products are there?", "2 different: Desk lamp; Whiteboard");
    asked(&k, 1, "How many different branches are there?", "3 different: Derby; Hull; Leeds");
    asked(&k, 1, "How many branches are closed?", NULL);
    asked(&k, 1, "How many shops are there?", NULL);
    kvz_close(k);
    // Not all of these are sold, and a line's price need not be that of one.
    k = index_text("cars.csv", "no,seller,model,quantity,price,state\n1,Orth,Panda,1,4000,sold\n"
                               "2,Orth,Panda,1,4100,offered\n3,Pell,Punto,2,5000,sold\n"
                               "4,Orth,Uno,2,5000,sold\n5,Pell,Uno,2,5000,sold\n");
    asked(&k, 1, "How many Pandas did Orth sell?", NULL);
    asked(&k, 1, "How many Pandas were sold?", "quantity: 1 in all (1 of 5 rows)");
    asked(&k, 1, "What is the total revenue?", NULL);
    asked(&k, 1, "Which model is the most expensive?",
          "price: 5000 (3, Punto)\nprice: 5000 (4, Uno)\nprice: 5000 (5, Uno)");
    kvz_close(k);
}

// Rows are what their first column is called by, where each has another one.
static void test_key(void **state)
{
    (void)state;
    struct kvz *k =
        index_text("key.csv", "order no,customer,total\n1001,Huber KG,30\n1002,Meier,10\n"
                              "1003,Schmid,20\n1004,Meier,50\n");
    asked(&k, 1, "How many orders are there?",
          "4 rows: 1001, Huber KG; 1002, Meier; 1003, Schmid; 1004, Meier");
    asked(&k, 1, "How many orders did Meier place?", "2 of 4 rows: 1002, Meier; 1004, Meier");
    asked(&k, 1, "Which customer placed the most orders?", "customer: Meier (2 of 4 rows)");
    asked(&k, 1, "How many orders did Meier cancel?", NULL);
    asked(&k, 1, "How many orders were delivered?", NULL);
    asked(&k, 1, "How many orders did Brandt place?", NULL);
    asked(&k, 1, "How many customers are there?", "3 different: Huber KG; Meier; Schmid");
    asked(&k, 1, "How many customers pay late?", NULL);
    kvz_close(k);
    // An order of two rows.
    k = index_text("two.csv", "order,customer,article\n1001,Huber KG,Drill\n1002,Meier,Saw\n"
                              "1002,Meier,Drill\n");
    asked(&k, 1, "How many orders are there?", NULL);
    asked(&k, 1, "How many orders did Meier place?", NULL);
    kvz_close(k);
    k = index_text("cities.tsv", "city\tcountry\tpopulation\nOslo\tNorway\t700000\n"
                                 "Leeds\tEngland\t800000\nGhent\tBelgium\t260000\n");
    asked(&k, 1, "How many cities are there?", "3 rows: Oslo; Leeds; Ghent");
    asked(&k, 1, "How many towns are there?", NULL);
    asked(&k, 1, "How many cities have a port?", NULL);
    kvz_close(k);
}

// What all rows come to is the sum of the column that tells what each of them does.
static void test_total(void **state)
{
    (void)state;
    static const char rows[] = "order;customer;article;qty;unit_price;total;paid\n"
                               "1001;Huber KG;Drill;3;89.90;269.70;yes\n"
                               "1002;Meier;Saw;1;49.00;49.00;no\n"
                               "1003;Schmid;Drill;2;89.90;179.80;yes\n"
                               "1004;Meier;Hammer;4;12.00;48.00;no\n";
    struct kvz *k = index_text("total.csv", rows);
    asked(&k, 1, "What is the total of all orders?", "total: 546.50 in all (4 rows)");
    asked(&k, 1, "What is the total of Meier?", "total: 97.00 in all (2 of 4 rows)");
    asked(&k, 1, "What is the total of all paid orders?", "total: 449.50 in all (2 of 4 rows)");
    asked(&k, 1, "What is the total of order 1002?", "total: 49.00 (order: 1002)");
    asked(&k, 1, "What is the total quantity?", "qty: 10 in all (4 rows)");
    asked(&k, 1, "What is the total of all invoices?", NULL);
    asked(&k, 1, "What is the total unit price?", NULL);
    asked(&k, 1, "How many orders are paid?", "2 of 4 rows: 1001, Drill; 1003, Drill");
    asked(&k, 1, "How many orders are not paid?", "2 of 4 rows: 1002, Saw; 1004, Hammer");
    asked(&k, 1, "Which orders are unpaid?", "1002, Saw\n1004, Hammer");
    asked(&k, 1, "How many orders are unpaid or from Meier?", NULL); // two columns
    asked(&k, 1, "How many orders of Meier are not paid?", "2 of 4 rows: 1002, Saw; 1004, Hammer");
    asked(&k, 1, "How many orders are paid late?", NULL);
    asked(&k, 1, "How many orders are shipped?", NULL);
    kvz_close(k);
    // The day of a row is not when it was paid.
    k = index_text("days.csv", "invoice,client,date,paid\nF-1,Orth,2024-01-05,yes\n"
                               "F-2,Lind,2024-01-15,no\nF-3,Orth,2024-03-05,no\n");
    asked(&k, 1, "Which invoices of Orth are not paid?", "F-3");
    asked(&k, 1, "Which invoices were paid in January?", NULL);
    kvz_close(k);
    // A column that says more than yes and no.
    char more[sizeof rows + 60];
    strcat(strcpy(more, rows), "1005;Meier;Hammer;4;12.00;48.00;in part\n");
    k = index_text("part.csv", more);
    asked(&k, 1, "How many orders are paid?", NULL);
    kvz_close(k);
    // A total that goes on adding up.
    k = index_text("account.csv", "date,in,out,total\n2024-01-05,10,0,10\n2024-01-06,20,5,25\n"
                                  "2024-01-08,0,5,20\n");
    asked(&k, 1, "What is the total?", NULL);
    kvz_close(k);
}

// A column of days tells by a cell without one what is not so yet.
static void test_day_or_none(void **state)
{
    (void)state;
    struct kvz *k = index_text("due.csv", "Invoice,Customer,Amount,Due,Paid\n"
                                          "I-101,Acme,120.00,2024-03-01,2024-02-27\n"
                                          "I-102,Bolt,80.50,2024-03-05,\n"
                                          "I-103,Cone,240.00,2024-03-09,2024-03-08\n"
                                          "I-104,Dune,60.25,2024-03-12,\n");
    asked(&k, 1, "Which invoices are unpaid?", "I-102\nI-104");
    asked(&k, 1, "Which invoices have not been paid?", "I-102\nI-104");
    asked(&k, 1, "Which invoices are paid?", "I-101 (2024-02-27)\nI-103 (2024-03-08)");
    asked(&k, 1, "How many invoices are unpaid?", "2 of 4 rows: I-102; I-104");
    asked(&k, 1, "What is the sum of the unpaid invoices?", "Amount: 140.75 in all (2 of 4 rows)");
    asked(&k, 1, "What is the total of all invoices?", "Amount: 500.75 in all (4 rows)");
    asked(&k, 1, "When was I-101 paid?", "Paid: 2024-02-27 (I-101)");
    asked(&k, 1, "Which invoices are undue?", NULL);
    asked(&k, 1, "Which invoices are unsent?", NULL);
    asked(&k, 1, "What is the sum of the customers?", NULL);
    kvz_close(k);
    // Words tell more than that, and so do cells without a day where others have a number.
    k = index_text("loan.md", "| Book | Reader | Returned on |\n|---|---|---|\n"
                              "| Emma | Orth | 2024-03-01 |\n| Ivanhoe | Lind | - |\n"
                              "| Rob Roy | Pell | |\n");
    asked(&k, 1, "Which books are not returned yet?", "Ivanhoe\nRob Roy");
    kvz_close(k);
    k = index_text("loan.csv", "Book,Reader,Returned\nEmma,Orth,2024-03-01\nIvanhoe,Lind,lost\n"
                               "Rob Roy,Pell,\n");
    asked(&k, 1, "Which books are not returned?", NULL);
    kvz_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordered_for), cmocka_unit_test(test_most),
        cmocka_unit_test(test_key),         cmocka_unit_test(test_sold),
        cmocka_unit_test(test_total),       cmocka_unit_test(test_day_or_none),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
