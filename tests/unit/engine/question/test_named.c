// Names of the whole document that a question can do without.
#include "engine/question/named.h"
#include "tests/unit/engine/question/anew_fixture.h"

// What is asked for stands further on than a document's beginning.
#define LINE "----------------------------------------------------------------------------------\n"
#define FILL "\n" LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE "\n"

static const char handbook[] =
    "STAFF HANDBOOK\nThe Larkspur Hotel, Portwick\n\nThe Larkspur has 84 rooms.\n" FILL
    "A hot meal is served in the canteen. The hotel pays for it. The waiting list is long.\n";
static const char contract[] =
    "CONTRACT OF EMPLOYMENT\n\nbetween Brandywell Instruments Limited, registered in Leith, and "
    "Dr Oyelaran.\nDated 8 May 2024.\n" FILL
    "The salary is paid on the 27th of each month. The Company pays it.\n";
static const char records[] =
    "@book{bergstrom,\n  author = {Bergstrom, Olle},\n  title = {Knots for "
    "Working Boats},\n}\n" FILL "@book{reuter,\n}\n";
static const char recipes[] =
    "Rye Bread\n\nIt is baked for an hour.\n" FILL "Scones\n\nBake them.\n";

static char *unnamed(const char *question, const char *const *texts, int n, int *which)
{
    return anew_of(named_left_out, question, texts, n, which);
}

static void check(const char *question, const char *text, const char *want)
{
    anew_check(named_left_out, question, text, want);
}

static void names_of_the_title(void **state)
{
    (void)state;
    check("How much does lunch at work in the Larkspur cost?", handbook,
          "How much does lunch at work cost?");
    check("Where do we meet when the Larkspur hotel has to be left?", handbook,
          "Where do we meet when the hotel has to be left?");
    check("How many names are on the Larkspur waiting list today?", handbook,
          "How many names are on the waiting list today?");
    check("Who washes the Larkspur's towels?", handbook, "Who washes the towels?");
    check("What does the Larkspur pay for a meal?", handbook, "What does they pay for a meal?");
    check("In the Larkspur, who pays for lunch?", handbook, "who pays for lunch?");
    check("In the Larkspur, in Portwick, who pays for lunch?", handbook, "who pays for lunch?");
    check("Who folds the Larkspur's at Portwick, and irons?", handbook,
          "Who folds the , and irons?");
}

static void names_of_the_first_lines(void **state)
{
    (void)state;
    check("When is payday at Brandywell Instruments?", contract, "When is payday?");
    check("Who is paid by Brandywell Instruments on the 27th?", contract,
          "Who is paid on the 27th?");
    // Found further on, too: it may tell one place from another.
    char text[2048];
    snprintf(text, sizeof text, "Notes\n\nAgatha Penrose opened.\n%900sAGATHA PENROSE slept.\n",
             "");
    check("Which meal did Agatha Penrose serve?", text, NULL);
    strcpy(strstr(text, "AGATHA"), "She slept.\n");
    check("Which meal did Agatha Penrose serve at night?", text,
          "Which meal did they serve at night?");
}

static void what_the_document_is(void **state)
{
    (void)state;
    check("How much notice is due according to the contract?", contract, "How much notice is due?");
    check("Under the contract, when is the salary paid?", contract, "when is the salary paid?");
    check("What does the contract period end with?", contract, NULL); // not of the contract
    check("How much notice is due under the lease?", contract, NULL);
}

static void questions_that_need_the_name(void **state)
{
    (void)state;
    check("Who is Brandywell Instruments?", contract, NULL);
    check("Where is the Larkspur?", handbook, NULL);
    check("Who is the author of Working Boats?", records, NULL); // the first of many
    check("How long is Rye Bread baked?", recipes, NULL);
    check("Larkspur?", handbook, NULL);
    check("", handbook, NULL);
    check("When was the first of May?", "MAY\n\nText.\n", NULL); // a date
    check("Who came in May with a hat?", "MAY\n\nText.\n", NULL);
    check("Seit wann gilt die Hausordnung der Wohnanlage Lindenhof?",
          "Hausordnung der Wohnanlage Lindenhof\n\nRuhe.\n", NULL); // all nouns have capitals there
    char text[2048];                                                // prose is no title
    snprintf(text, sizeof text, "Ottilie Brandt came down to the harbour.\n%500s\nOttilie slept.\n",
             "");
    check("What did Ottilie see at the harbour?", text, NULL);
}

static void which_of_several(void **state)
{
    (void)state;
    const char *const texts[] = {contract, handbook, "Letters\n\nI slept well in Leith.\n"};
    int which;
    char *out = unnamed("How much is lunch in the Larkspur?", texts, 3, &which);
    assert_non_null(out);
    assert_string_equal(out, "How much is lunch?");
    assert_int_equal(which, 1);
    free(out);
    // Leith is in the letters, too; two names mean two documents.
    assert_null(unnamed("Who pays a salary in Leith?", texts, 3, &which));
    assert_null(
        unnamed("Who pays more, Brandywell Instruments or the Larkspur?", texts, 3, &which));
    assert_null(unnamed("How much is lunch?", texts, 0, &which));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_title),   cmocka_unit_test(names_of_the_first_lines),
        cmocka_unit_test(what_the_document_is), cmocka_unit_test(questions_that_need_the_name),
        cmocka_unit_test(which_of_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
