// Settings that are set in below one another, and records of them: what a line is read with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/company/company.h"
#include "engine/sentences/cut.h"
#include "tests/unit/engine/sentences/cut_fixture.h"

// The largest group that has room, and what it is under.
static void test_nested(void **state)
{
    (void)state;
    char text[4096] = "", *end = text;
    for (int i = 1; i < 9; i++)
        end += sprintf(end,
                       "%s  - id: room%d     # the %d.\n    heating:\n      day: %d\n"
                       "      night: 16\n\n      valve: v%d\n    lights: 2\n",
                       i > 1 ? "" : "rooms:\n", i, i, 20 + i, i);
    sprintf(end, "times:\n  day:\n    from: 08:00\n  night:\n    from: 23:00\nend: yes\n");
    static const char room[] = "- id: room4     # the 4.\n    heating:\n      day: 24\n"
                               "      night: 16\n\n      valve: v4\n    lights: 2";
    says(text, "v4", "rooms:", room);
    says(text, "room4", "rooms:", room);
    says(text, "23:00", "", "times:\n  day:\n    from: 08:00\n  night:\n    from: 23:00");
    static const char json[] =
        "{\n  \"site\": {\n    \"name\": \"Fern\",\n    \"at\": [\n      53,\n"
        "      -6\n    ]\n  },\n  \"alarm\": {\n    \"delay\": 35,\n"
        "    \"zones\": {\n      \"ground\": 4\n    }\n  },\n  \"x\": 1\n}\n";
    says(json, "35", "", "\"alarm\": {\n    \"delay\": 35,\n    \"zones\": {\n      \"ground\": 4");
    says("{\n  \"a\": {\n    \"b\": {\n      \"c\": 3\n    },\n    \"d\": [\n      1,\n      2\n   "
         " ]\n  }\n}\n",
         "3", "",
         "\"a\": {\n    \"b\": {\n      \"c\": 3\n    },\n    \"d\": [\n      1,\n      2");
    // A list that is not set in, under what opens it.
    says("jobs:\n- name: one\n  at: 5\n- name: two\n  at: 6\nlast: 7\n", "two", "",
         "jobs:\n- name: one\n  at: 5\n- name: two\n  at: 6");
    // Prose, and what is no group.
    says("Note:\n  It rains: take a coat.\n", "coat", "", "Note:\n  It rains: take a coat.");
}

// Objects of a list, written for people: the brackets around one are no part of it, nor is the next
// one; the outermost brackets hold no record.
static void test_objects(void **state)
{
    (void)state;
    static const char list[] = "[\n  {\n    \"id\": 7,\n    \"size\": {\n      \"width\": 12\n"
                               "    },\n    \"tags\": [\n      \"new\",\n      \"red\"\n    ]\n"
                               "  },\n  {\n    \"id\": 8,\n    \"at\": \"Dock 4\"\n  }\n]\n",
                      seven[] = "\"id\": 7,\n    \"size\": {\n      \"width\": 12\n    },\n"
                                "    \"tags\": [\n      \"new\",\n      \"red\"",
                      eight[] = "\"id\": 8,\n    \"at\": \"Dock 4\"";
    says(list, "12", NULL, seven);
    says(list, "red", NULL, seven);
    says(list, "{\n    \"id\": 7", NULL, seven);
    says(list, "Dock", NULL, eight);
    says(list, "{\n    \"id\": 8", NULL, eight);
    // Some of a program, and an example in prose.
    says("int main(void)\n{\n  return 0;\n}\n", "return", NULL,
         "int main(void)\n{\n  return 0;\n}");
    says("The answer is this:\n{\n  \"id\": 7\n}\n", "7", NULL,
         "The answer is this:\n{\n  \"id\": 7\n}");
}

// The sentence of TEXT that has WORD, with its company, has FIRST and LAST, too, nearly fills the
// room there is, and is led in by LEAD.
static void fills(const char *text, const char *word, const char *lead, const char *first,
                  const char *last)
{
    struct lines c;
    size_t from, to, head, head_end;
    const char *at = strstr(text, word), *begin = strstr(text, first), *end = strstr(text, last);
    assert_true(at && begin && end);
    lines_of_text(&c, text, strlen(text));
    cut_sentence(&c, (size_t)(at - text), &from, &to);
    company_extend(&c, &from, &to, &head, &head_end);
    assert_in_range(to - from + head_end - head, LONGEST_SENTENCE - 50, LONGEST_SENTENCE);
    assert_in_range(begin - text, from, to - strlen(first));
    assert_in_range(end - text, from, to - strlen(last));
    assert_int_equal(head_end - head, strlen(lead));
    assert_memory_equal(text + head, lead, strlen(lead));
}

// Of an object that is too long, what is around the line, from its beginning on where there is room
// for that, else under its first two settings.
static void test_long_objects(void **state)
{
    (void)state;
    char text[4096] = "", *end = text;
    for (int i = 1; i < 4; i++) {
        end += sprintf(end, "%s  {\n    \"id\": %d,\n    \"name\": \"Wren %d\",\n    \"of\": {\n",
                       i > 1 ? "" : "[\n", i, i);
        for (int j = 10; j < 50; j++)
            end += sprintf(end, "      \"field%d\": \"%d of %d\",\n", j, j, i);
        end += sprintf(end, "      \"last\": 1\n    }\n  }%s\n", i < 3 ? "," : "\n]");
    }
    static const char lead[] = "\"id\": 2,\n    \"name\": \"Wren 2\",";
    fills(text, "12 of 2", "", "\"id\": 2", "20 of 2");
    fills(text, "30 of 2", lead, "25 of 2", "35 of 2");
    fills(text, "49 of 2", lead, "36 of 2", "49 of 2");
    // An object of a list in another one that is too long says which one that is.
    end = text + sprintf(text, "{\n  \"albums\": [\n    {\n      \"title\": \"Wren\",\n"
                               "      \"year\": 1986,\n      \"tracks\": [\n");
    for (int i = 10; i < 40; i++)
        end += sprintf(end,
                       "        {\n          \"name\": \"Song %d\",\n          \"no\": %d\n"
                       "        }%s\n",
                       i, i, i < 39 ? "," : "\n      ]\n    }\n  ]\n}");
    says(text, "Song 30", "\"title\": \"Wren\",\n      \"year\": 1986,",
         "\"name\": \"Song 30\",\n          \"no\": 30");
}

// Elements with their text are settings of the one around them, which says what it is with its tag
// and its first one; a list of elements of one name, and the outermost one, are no records.
static void test_elements(void **state)
{
    (void)state;
    char text[4096], *end = text;
    end += sprintf(end, "<?xml version=\"1.0\"?>\n<!-- ours -->\n<library of=\"Ada\">\n");
    for (int i = 10; i < 14; i++) {
        end += sprintf(end,
                       "  <album id=\"A%d\">\n    <title>Wren %d</title>\n    <lent/>\n"
                       "    <tracks>\n",
                       i, i);
        for (int j = 10; j < 30 && i == 12; j++)
            end += sprintf(end, "      <track number=\"%d\">Song %d</track>\n", j, j);
        end += sprintf(end, "    </tracks>\n    <year>19%d</year>\n  </album>\n", i);
    }
    sprintf(end, "</library>\n");
    static const char ten[] = "<album id=\"A10\">\n    <title>Wren 10</title>\n    <lent/>\n"
                              "    <tracks>\n    </tracks>\n    <year>1910</year>",
                      twelve[] = "<album id=\"A12\">\n    <title>Wren 12</title>";
    says(text, "1910", NULL, ten);
    says(text, "<album id=\"A10", NULL, ten);
    fills(text, "Song 20", twelve, "Song 17", "Song 22");
    fills(text, "Song 12", "", "<album id=\"A12", "Song 17");
    fills(text, "1912", twelve, "Song 22", "1912");
    // What is in brackets in a message is no element.
    says("Ada\n<ada@x.example>\n  <https://x.example/ada>\nBob came later.\n", "x.example/",
         "<ada@x.example>", "<https://x.example/ada>");
}

// Lines with labels between empty lines are a record where the next one begins alike; of a long one
// what is around the line is read, under its first line.
static void test_long_fields(void **state)
{
    (void)state;
    char text[4096], *end = text;
    for (int i = 1; i < 4; i++) {
        end += sprintf(end, "Name: Wren %d\n", i);
        for (char c = 'a'; c <= 'z'; c++)
            end += sprintf(end, "Field (%c): it is %c of %d\n", c, c, i);
        end += sprintf(end, "\n");
    }
    fills(text, "d of 2", "", "Name: Wren 2", "q of 2");
    fills(text, "x of 2", "Name: Wren 2", "j of 2", "z of 2");
    fills(text, "x of 3", "Name: Wren 3", "j of 3", "z of 3");
    // One that has room is read whole, with labels that differ only in their numbers.
    says("Name: Wren\nYear: 1986\nRoom: 7\nSong 1: Hymn\nSong 2: Road\n\nName: Lark\nYear: 1990\n"
         "Room: 8\nSong 1: Rain\n",
         "Road", NULL, "Name: Wren\nYear: 1986\nRoom: 7\nSong 1: Hymn\nSong 2: Road");
    *strstr(text, "\n\n") = 0; // settings without a record like them
    says(text, "x of 1", NULL, "Field (x): it is x of 1");
}

// Text that looks like values of a list, and is none.
static void test_no_values(void **state)
{
    (void)state;
    says("There were, in\n1986, more than in\n2010, of them.\n", "2010", NULL,
         "There were, in\n1986, more than in\n2010, of them.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested),       cmocka_unit_test(test_objects),
        cmocka_unit_test(test_long_objects), cmocka_unit_test(test_elements),
        cmocka_unit_test(test_no_values),    cmocka_unit_test(test_long_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
