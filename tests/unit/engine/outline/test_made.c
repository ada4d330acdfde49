// How what a heading names is made, of what, and of how much.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static struct kvz *K;

static void says(const char *question, const char *answer)
{
    asked(&K, 1, question, answer);
}

static void test_made(void **state)
{
    (void)state;
    K = index_text("made.md",
                   "# Our kitchen\n\n## Ilse's poppy-seed roll\n\n### Ingredients\n\n"
                   "- 500 g flour\n- 42 g yeast\n\n### Method\n\n1. Grind the seed.\n"
                   "2. Bake it.\n\n"
                   "## Quince jelly\n\nBoil it with sugar. Strain it.\n\n"
                   "## Cold soup, Agnes's way\n\nStir it.\n\n## Cold soup, Hamid's way\n\n"
                   "Shake it.\n\n## Can I bake bread?\n\nYes.\n\n"
                   "Somebody asked for tarts.\n\ntarts\n\nThere were none.\n");
    static const char roll[] = "## Ilse's poppy-seed roll\n\n\"### Ingredients\n\n"
                               "- 500 g flour\n- 42 g yeast\n\n### Method\n\n"
                               "1. Grind the seed.\n2. Bake it.\"",
                      list[] = "## Ilse's poppy-seed roll\n\n\"- 500 g flour\n- 42 g yeast\"",
                      jelly[] = "## Quince jelly\n\n\"Boil it with sugar. Strain it.\"";
    says("How do I make the poppy-seed roll?", roll);
    says("How is the seed roll baked?", roll);
    says("how to prepare a poppy-seed roll", roll);
    says("What are the ingredients of the poppy-seed roll?", list);
    says("What do I need for the seed roll?", list);
    says("How do I make quince jelly?", jelly);
    says("What goes into the quince jelly?", jelly);
    says("What goes in first?", NULL);
    // Several, a question, no heading, another thing, something else than making it.
    says("How do I make cold soup?", NULL);
    says("How do I bake bread?", NULL);
    says("How do I make tarts?", NULL);
    says("How do I make apple jelly?", NULL);
    says("How do I store quince jelly?", NULL);
    says("How is the quince jelly stored?", NULL);
    says("How do I make it?", NULL);
    kvz_close(K);
}

static void test_amounts(void **state)
{
    (void)state;
    K = index_text("amounts.md", "# Our kitchen\n\n## Plum crumble\n\nServes 6.\n\nIngredients:\n"
                                 "- 900 g plums\n- 80 g brown sugar\n- 20 g white sugar\n- salt\n"
                                 "- oats, of which\n  60 g are fine\n\n"
                                 "Method:\n1. Halve the plums.\n2. Add the butter.\n\n"
                                 "## Ham\n\nWhat it takes:\n* two cloves of garlic\n* 2 kg ham\n\n"
                                 "## Seats\n\n1. 40 chairs\n2. 20 stools\n");
    static const char plums[] = "## Plum crumble\n\n\"- 900 g plums\"",
                      brown[] = "## Plum crumble\n\n\"- 80 g brown sugar\"",
                      garlic[] = "## Ham\n\n\"* two cloves of garlic\"";
    says("How many plums do I need for the crumble?", plums);
    says("How many plums go into the plum crumble?", plums);
    says("how much brown sugar is needed for plum crumble", brown);
    says("How much brown sugar does the crumble take?", brown);
    says("How many cloves of garlic are there in the ham?", garlic);
    // Two of a kind, no amount, in two lines, only done with, another thing, of numbered lines,
    // not in what.
    says("How much sugar goes into the crumble?", NULL);
    says("How much salt goes into the crumble?", NULL);
    says("How many oats go into the crumble?", NULL);
    says("How much butter is in the crumble?", NULL);
    says("How many plums go into the ham?", NULL);
    says("How many stools are in the seats?", NULL);
    says("How many plums do I need?", NULL);
    says("How much does the crumble need?", NULL);
    kvz_close(K);
}

// Items that have no marks, but amounts.
static void test_bare_amounts(void **state)
{
    (void)state;
    K = index_text("bare.txt",
                   "OUR KITCHEN\n\nHAY SOUP\n\nServes 2       Cooking 9 minutes\n\n"
                   "  90 g hay\n  2 onions, sliced\n  1-2 spoons of oil\n  a pinch of "
                   "salt\n\n1. Cut the hay.\n2. Add 90 g of salt.\n\n"
                   "MOSS PIE\n\nIngredients\n\nFor the crust\n  80 g bran\n  4 spoons of "
                   "milk\n  1 egg\n\nFor the inside\n  1 kg moss\n  2 eggs\n  3 figs\n\n"
                   "1. Soak the moss.\n2. Bake it.\n\nWARM SAND\n\n3 spoons do.\n");
    says("What are the ingredients of the hay soup?",
         "HAY SOUP\n\n\"90 g hay\n2 onions, sliced\n1-2 spoons of oil\na pinch of salt\"");
    says("What do I need for the moss pie?",
         "MOSS PIE\n\n\"For the crust\n80 g bran\n4 spoons of milk\n1 egg\n\nFor the inside\n1 kg "
         "moss\n2 eggs\n3 figs\"");
    says("How many onions go into the hay soup?", "HAY SOUP\n\n\"2 onions, sliced\"");
    says("How much bran does the moss pie need?", "MOSS PIE\n\n\"80 g bran\"");
    says("How many eggs does the moss pie need?", NULL); // of both lists
    kvz_close(K);
    // What nothing is called needs no name, and what is made of a thing is another one.
    K = index_text("stew.txt",
                   "Lamb stew\nServes 6.\n\nIngredients\n1.2 kg lamb shoulder, in cubes\n"
                   "2 onions, sliced\n500 ml lamb stock\n2 tbsp honey\n\nMethod\n"
                   "1. Brown the meat with 1 spoon of fat.\n2. Add the stock.\n");
    says("What are the ingredients?",
         "Ingredients\n\n\"1.2 kg lamb shoulder, in cubes\n2 onions, sliced\n500 ml lamb stock\n"
         "2 tbsp honey\"");
    says("How much lamb do I need?", "Ingredients\n\n\"1.2 kg lamb shoulder, in cubes\"");
    says("How much lamb stock is needed?", "Ingredients\n\n\"500 ml lamb stock\"");
    says("How much fat do I need?", NULL);
    says("How much time do I need?", NULL);
    says("What are the ingredients of the soup?", NULL);
    kvz_close(K);
    K = index_text("two.txt", "SOUP\n\nIngredients\n90 g hay\n2 onions\n3 figs\n\n"
                              "PIE\n\nIngredients\n80 g bran\n1 egg\n4 figs\n\nThe end of it.\n");
    says("What are the ingredients?", NULL);
    says("How many eggs do I need?", NULL);
    kvz_close(K);
    // A list of other things.
    K = index_text("salve.txt",
                   "WHAT MOSSAL IS FOR\n\nIt is rubbed on:\n- sore feet\n- sore hands\n\n"
                   "THE END\n\nNo more is known.\n");
    says("What are the ingredients of Mossal?", NULL);
    kvz_close(K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made), cmocka_unit_test(test_amounts),
                                       cmocka_unit_test(test_bare_amounts)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
