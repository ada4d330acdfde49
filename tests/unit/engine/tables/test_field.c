// Fields of records that a question names, and questions that no field answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

static struct kvz *K;

static void says(const char *question, const char *answer)
{
    asked(&K, 1, question, answer);
}

static void test_objects(void **state)
{
    (void)state;
    K = index_text(
        "objects.json",
        "{\n  \"shop\": \"Marlow\",\n  \"items\": [\n    {\n      \"sku\": \"WB-13\",\n"
        "      \"name\": \"Wool Basket\",\n      \"price\": {\n        \"amount\": 16.53,\n"
        "        \"currency\": \"EUR\"\n      },\n      \"supplier\": {\n"
        "        \"name\": \"Tessin Import\",\n        \"phone\": \"+41 91\"\n      },\n"
        "      \"parts\": [\n        {\n          \"label\": \"Oak Lid\",\n"
        "          \"weight_kg\": 0.4\n        },\n        {\n          \"label\": \"Felt Pad\",\n"
        "          \"colour\": \"grey\"\n        }\n      ],\n      \"last_counted\": "
        "\"2024-08-11\"\n"
        "    },\n    {\n      \"sku\": \"CT-20\",\n      \"name\": \"Cork Tray\",\n"
        "      \"supplier\": {\n        \"name\": \"Tessin Import\",\n"
        "        \"phone\": \"+41 91\"\n      },\n      \"last_counted\": \"2024-02-06\"\n"
        "    }\n  ]\n}\n");
    says("What is the price amount of the Wool Basket?", "price amount: 16.53 (Wool Basket)");
    says("What is the sku of the wool basket?", "sku: WB-13 (Wool Basket)");
    says("What is the name of the item with sku CT-20?", "name: Cork Tray (CT-20)");
    says("Which supplier name is given for Cork Tray?", "supplier name: Tessin Import (Cork Tray)");
    says("When was the Cork Tray last counted?", "last_counted: 2024-02-06 (Cork Tray)");
    says("What is the weight of the Oak Lid?", "weight_kg: 0.4 (Oak Lid)");
    says("What is the sku of the item with the part Oak Lid?", "sku: WB-13 (Oak Lid)");
    says("What is the colour of the Oak Lid?", NULL); // another part's
    says("What is the colour of the Wool Basket?", NULL);
    says("What is the price of the Wool Basket?", NULL);        // an amount and a currency
    says("What is the phone of Tessin Import?", NULL);          // there are two
    says("What is the sku of the Wool Basket in Osaka?", NULL); // of which nothing is said
    says("What is the sku of the New Wool Basket?", NULL);
    says("What is the SKU of the Wool Basket?", "sku: WB-13 (Wool Basket)");
    says("What is the sku of the Wool Basket Lid and its phone?", NULL);
    says("Is the sku of the Wool Basket known?", NULL);
    kvz_close(K);
}

// Objects that are on one line are looked up as those with a line for each field.
static void test_lines_of_objects(void **state)
{
    (void)state;
    static const char *const texts[] = {
        // JSON Lines
        "{\"id\":7,\"name\":\"Cork Tray\",\"at\":{\"city\":\"Oslo\"},\"tags\":[\"a\",\"b\"]}\n"
        "{\"id\":8,\"name\":\"Wool Basket\",\"at\":{\"city\":\"Rome\"},\"tags\":[]}\n",
        // all on one line
        "[{\"id\":7,\"name\":\"Cork Tray\",\"at\":{\"city\":\"Oslo\"},\"tags\":[\"a\",\"b\"]},"
        "{\"id\":8,\"name\":\"Wool Basket\",\"at\":{\"city\":\"Rome\"},\"tags\":[]}]",
        // a list with a line for each
        "{\n  \"items\": [\n"
        "    {\"id\": 7, \"name\": \"Cork Tray\", \"at\": {\"city\": \"Oslo\"}, \"tags\": "
        "[\"a\"]},\n"
        "    {\"id\": 8, \"name\": \"Wool Basket\", \"at\": {\"city\": \"Rome\"}}\n  ]\n}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        K = index_text("lines.json", texts[i]);
        says("In which city is the Wool Basket?", "at city: Rome (Wool Basket)");
        says("What is the id of the cork tray?", "id: 7 (Cork Tray)");
        says("What is the colour of the Wool Basket?", NULL);
        says("What is the city of the Wool Tray?", NULL);
        kvz_close(K);
    }
    K = index_text("teams.json", "{\"teams\": {\"red\": {\"lead\": \"Ann Holm\", \"size\": 4},"
                                 " \"blue\": {\"lead\": \"Bo \\\"Lind\", \"size\": 7}}}");
    says("What is the size of Ann Holm?", "size: 4 (Ann Holm)");
    kvz_close(K);
    // Such a list is too long to be written out; what is around each of its objects is not.
    enum { OBJECTS = 500 };
    char *all = malloc(64 * OBJECTS), *at = all;
    for (int i = 0; i < OBJECTS; i++)
        at += sprintf(at, "%c{\"name\":\"User%d\",\"balance\":%d}", i ? ',' : '[', i, 3 * i);
    strcpy(at, "]\n");
    K = index_text("long.json", all);
    says("What is the balance of User77?", "balance: 231 (User77)");
    kvz_close(K);
    free(all);
}

// A state is of many records, and names none.
static void test_states(void **state)
{
    (void)state;
    struct kvz *k = index_text("card.json", "{\n  \"id\": \"crd_17\",\n  \"status\": \"blocked\",\n"
                                            "  \"sent\": \"2024-06-18\"\n}\n");
    asked(&k, 1, "When is a blocked card sent?", NULL);
    asked(&k, 1, "When is crd_17 sent?", "sent: 2024-06-18 (crd_17)");
    kvz_close(k);
}

static void test_elements(void **state)
{
    (void)state;
    K = index_text(
        "elements.xml",
        "<?xml version=\"1.0\"?>\n<library owner=\"Ada Weil\">\n  <album id=\"ALB101\">\n"
        "    <title>Silver Letters</title>\n    <year>1986</year>\n    <tracks>\n"
        "      <track number=\"1\" duration=\"4:50\">Golden Bridge</track>\n"
        "      <track number=\"2\" duration=\"3:09\">Broken Hymn</track>\n    </tracks>\n"
        "    <bought date=\"2024-03-14\" price=\"7\"/>\n  </album>\n  <album id=\"ALB102\">\n"
        "    <title>Paper Signals</title>\n    <year>2023</year>\n    <tracks>\n"
        "      <track number=\"1\" duration=\"2:47\">Paper Road</track>\n"
        "      <track number=\"2\" duration=\"6:48\">Paper Blues</track>\n    </tracks>\n"
        "  </album>\n</library>\n");
    says("What is the year of the album Silver Letters?", "year: 1986 (Silver Letters)");
    says("What is the duration of the track Broken Hymn?", "duration: 3:09 (Broken Hymn)");
    says("What is the year of the track Paper Blues?", "year: 2023 (Paper Blues)");
    says("What is the price of Silver Letters?", "bought price: 7 (Silver Letters)");
    says("What is the title of the album with the id ALB102?", "title: Paper Signals (ALB102)");
    says("What is the duration of Silver Letters?", NULL); // of two tracks
    says("What is the price of Paper Signals?", NULL);
    says("What is the year of the album after Silver Letters?", NULL);
    says("What is the title of the library of Ada Weil?", NULL);
    kvz_close(K);
}

static void test_settings(void **state)
{
    (void)state;
    K = index_text("settings.yaml",
                   "database:\n  engine: postgres\n  port: 5433   # not 5432\n  pool:\n    min: 4\n"
                   "hosts:\n  - name: bastion\n    cidr: 203.0.113.40/32\n  - name: office\n"
                   "    cidr: 198.51.100.0/24\n    note: |\n      all of it\n");
    says("Which port does postgres have?", "port: 5433 (postgres)");
    says("What is the cidr of the host bastion?", "cidr: 203.0.113.40/32 (bastion)");
    says("What is the note of office?", NULL);
    says("What is the note of bastion?", NULL);
    kvz_close(K);
}

// An answer has one line, whatever a value has.
static void test_one_line(void **state)
{
    (void)state;
    K = index_text(
        "signs.json",
        "{\n  \"lamps\": [\n    {\n      \"name\": \"Oak Lamp\",\n      \"sign\": \"red,\rthen "
        "blue\",\n      \"room\": \"hall\"\n    },\n    {\n      \"name\": \"Ash Lamp\",\n      "
        "\"sign\": \"green\"\n    }\n  ]\n}\n");
    says("What is the sign of the Oak Lamp?", "sign: red, then blue (Oak Lamp)");
    kvz_close(K);
}

// Lines with labels are a record where others begin alike; the head of a message and prose are
// none.
static void test_labels(void **state)
{
    (void)state;
    K = index_text("labels.txt",
                   "Name: Birgit Bellini\nTitle: Head of Sales\nEmail (home): b@home.example\n"
                   "Email (work): b@work.example\nTelephone: 040 555\n\nName: Daria Drescher\n"
                   "Title: Optician\nEmail (home): d@home.example\nTelephone: 030 777\n\n"
                   "Contact: Edmund Ekberg\nTitle: Dispatcher\nRoom: 7\nDesk: 9\n");
    says("What is the work email of Birgit Bellini?",
         "Email (work): b@work.example (Birgit Bellini)");
    says("What is the title of Daria Drescher?", "Title: Optician (Daria Drescher)");
    says("What is the email of Birgit Bellini?", NULL); // two
    says("What is the home of Birgit Bellini?", NULL);
    says("What is the room of Edmund Ekberg?", NULL);
    kvz_close(K);
    K = index_text(
        "tracks.txt", // labels that differ in their numbers, and turns
        "album id: A1\ntitle: Silver Letters\nyear: 1986\nprice: 7\ntrack 1: Hymn\ntrack 2: "
        "Road\n\n"
        "album id: A2\ntitle: Paper Signals\nyear: 2023\nprice: 9\ntrack 1: Blues\ntrack 2: "
        "Song\n\n"
        "Ada: Hymn\nBob: Lonely Weather\nEva: Road\nUwe: Blues\nAda: Song\n\nAda: Hymn\n");
    says("What is the year of the album Silver Letters?", "year: 1986 (Silver Letters)");
    says("What is the year of Paper Signals?", "year: 2023 (Paper Signals)");
    says("What is Uwe to Lonely Weather?", NULL);
    kvz_close(K);
    K = index_text("mails.txt",
                   "From: Lena Hoffmann\nTo: Marek Novak\nDate: 3 May 2024\nSubject: Cellar\n\n"
                   "The title of it is Lena Hoffmann: a life.\n\nFrom: Marek Novak\nTo: Ada Weil\n"
                   "Date: 4 May 2024\nSubject: Roof\n\nNote: Marek Novak has the key.\n");
    says("What is the date of Lena Hoffmann?", NULL);
    says("What is the subject of Ada Weil?", NULL);
    says("What is the note of Marek Novak?", NULL);
    kvz_close(K);
}

// Of the lines of a log about one thing, the one that tells what is asked.
static void test_told_of(void **state)
{
    (void)state;
    K = index_text("claims.log", "2024-05-01 10:01:00 INFO claim C-17 opened: crate arrived wet\n"
                                 "2024-05-01 10:02:00 INFO claim C-18 opened: crate lost\n"
                                 "2024-05-02 09:00:00 INFO claim C-17 settled: 40 EUR\n"
                                 "2024-05-02 09:30:00 INFO claim C-17 closed\n");
    says("When was claim C-17 opened?",
         "\"2024-05-01 10:01:00 INFO claim C-17 opened: crate arrived wet\"");
    says("When was claim C-17 settled?", "\"2024-05-02 09:00:00 INFO claim C-17 settled: 40 EUR\"");
    says("When was claim C-17 contested?", NULL);
    says("What is claim C-17?", NULL); // all of them tell
    kvz_close(K);
}

// Pairs in a line of a log, where one line has what is named.
static void test_pairs(void **state)
{
    (void)state;
    K = index_text(
        "pairs.log",
        "10:01 manifest M-20931 closed parcels=812 kg=5120.5 driver=lea.moss\n"
        "10:02 manifest M-20932 closed parcels=845 kg=5977.0 driver=sam.okoro\n"
        "10:03 claim C-3319 settled (value=240.00 GBP, payer=\"Ada Weil\", to=none)\n"
        "10:04 manifest M-20940 taken over from M-20941, driver=kim.lo\n"
        "10:05 manifest M-20950 opened driver=ed.fay\n10:06 manifest M-20950 is now Kim's\n"
        "10:07 manifest M-20960 driver=Sam Okoro truck=7 code=\n");
    says("Who is the driver of manifest M-20932?", "driver: sam.okoro (M-20932)");
    says("How many parcels has manifest M-20932?", "parcels: 845 (M-20932)");
    says("What is the value of claim C-3319?", "value: 240.00 GBP (C-3319)");
    says("Who is the driver of manifest M-20960?", "driver: Sam Okoro (M-20960)");
    says("Who is the payer of claim C-3319?", "payer: Ada Weil (C-3319)");
    says("Who is the driver of manifest M-20933?", NULL);
    says("Who is the driver of claim M-20932?", NULL);
    says("Who are the parcels of manifest M-20932?", NULL);
    says("What is the phone of the driver of manifest M-20932?", NULL);
    says("What are the kg and parcels of manifest M-20932?", NULL);
    says("Who is the driver of manifest M-20940?", NULL); // or of M-20941
    says("Who is the driver of manifest M-20950?", NULL); // another line may say otherwise
    says("What is the code of manifest M-20960?", NULL);
    says("Is the driver of manifest M-20932 known?", NULL);
    kvz_close(K);
}

// Pairs of an item of a list, below what it says.
static void test_item_pairs(void **state)
{
    (void)state;
    K = index_text("tasks.txt", "We shall do these, B-3 first of all.\n\nB-2  Oil the gate.\n"
                                "     Owner: Ann Lee. Due: 3 May 2024. Done.\n"
                                "B-3  Paint the gate in green, the\n     wall too. Owner: Ed\n"
                                "     Fay. Due: 9 May 2024.\n"
                                "B-4  Sell it. Due: 10 May 2024.\n");
    says("When is B-3 due?", "Due: 9 May 2024 (B-3)");
    says("Who is the owner of B-3?", "Owner: Ed Fay (B-3)");
    says("Who is the owner of B-2?", "Owner: Ann Lee (B-2)");
    says("When is B-4 due?", NULL); // one line, which is read as a whole
    says("When is B-5 due?", NULL);
    says("Who is the payer of B-3?", NULL);
    kvz_close(K);
}

// A word that asks for another value than its names tell.
static void test_turned(void **state)
{
    (void)state;
    K = index_text("turned.yaml", "articles:\n  - name: Nylon Mortar\n    price: 4.50\n"
                                  "    old_price: 5.00\n    supplier: Castle\n"
                                  "  - name: Fine Sand\n    price: 2.10\n    supplier: Fenland\n");
    says("What is the price of Fine Sand?", "price: 2.10 (Fine Sand)");
    says("What is the old price of Nylon Mortar?", "old_price: 5.00 (Nylon Mortar)");
    says("What is the old price of Fine Sand?", NULL);
    says("What is the price of two Nylon Mortar?", NULL);
    says("What is not the price of Fine Sand?", NULL);
    kvz_close(K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),    cmocka_unit_test(test_lines_of_objects),
        cmocka_unit_test(test_elements),   cmocka_unit_test(test_settings),
        cmocka_unit_test(test_labels),     cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_pairs),      cmocka_unit_test(test_told_of),
        cmocka_unit_test(test_turned),     cmocka_unit_test(test_states),
        cmocka_unit_test(test_item_pairs),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
