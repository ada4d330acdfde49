// What lines say behind labels that are other words for what is asked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static void has(const char *text, const char *question, const char *said)
{
    struct kvz *k = index_text("leaflet.txt", text);
    asked(&k, 1, question, said);
    kvz_close(k);
}

static void test_labelled(void **state)
{
    (void)state;
    static const char leaflet[] = "Take one tablet with water. The maker pays no fees.\n\n"
                                  "**Manufacturer:** Lark Ltd, Hull\n\nKeep it dry.\n",
                      invoice[] = "INVOICE\n\nBill to:\nMr Bo Grey\nHull\n\n"
                                  "2 lamps          40.00\nTOTAL            40.00\n"
                                  "AMOUNT DUE       15.00\n\nPay within 14 days.\n",
                      cover[] = "Policyholder: Ada Moss\nVehicle: Lark Estate, blue\n",
                      claim[] = "Vehicle: Lark, black (third party)\nInsured vehicle: Wren, red\n",
                      bike[] = "Vehicle: Urban cargo bike\n\nThe bike is insured.\n";
    has(leaflet, "Who makes this medicine?", "\"**Manufacturer:** Lark Ltd, Hull\"");
    has(leaflet, "Who made the tablets?", "\"**Manufacturer:** Lark Ltd, Hull\"");
    has(leaflet, "Who makes the tea?", NULL);
    has(invoice, "Who is the customer?", "\"Bill to: Mr Bo Grey\"");
    has(invoice, "How much is still to be paid?", "\"AMOUNT DUE       15.00\"");
    has(invoice, "What did we pay altogether?", "\"TOTAL            40.00\"");
    has(invoice, "What did we pay for the lamps in total?", NULL);
    has(invoice, "What do I still owe?", "\"AMOUNT DUE       15.00\"");
    has(invoice, "How much do I have to pay in total?", "\"AMOUNT DUE       15.00\"");
    has(invoice, "What do I have?", NULL);
    has(invoice, "What is the total of the invoice?", "\"TOTAL            40.00\"");
    has(invoice, "What is the invoice total?", "\"TOTAL            40.00\"");
    has(invoice, "What is the total of the lamps?", NULL);
    has(invoice, "What is the total of the invoice for the lamps?", NULL);
    has(invoice, "How much do I pay for lamps?", NULL);
    has(invoice, "Who made it?", NULL);
    has(cover, "Which car is insured?", "\"Vehicle: Lark Estate, blue\"");
    has(cover, "Who is covered by the policy?", "\"Policyholder: Ada Moss\"");
    has(cover, "Which car is the fastest?", NULL);
    has(cover, "Which car is it?", NULL);
    has(claim, "Which car is insured?", "\"Insured vehicle: Wren, red\"");
    has(bike, "Which car is insured?", NULL);
    has(bike, "Which vehicle is insured?", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_labelled)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
