// Who wrote a text, as its title page has it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/engine_fixture.h"
#include "tests/unit/survey_fixture.h"

#define TEXT                                                                                       \
    "The mill was built by Bert Cole in the year of the flood, and he wrote a book on it,\n"       \
    "of which nothing is left.\n\nby Bert Cole and his sons the mill was sold.\n"

static void has(const char *text, const char *question, const char *said)
{
    struct kvz *k = index_text("book.txt", text);
    asked(&k, 1, question, said);
    kvz_close(k);
}

static void test_author(void **state)
{
    (void)state;
    static const char labelled[] = "Title: The Mill\n\nAuthor: Ada Moss\n\n" TEXT,
                      by[] = "THE MILL\n\n_by Ada Moss_\n\n" TEXT,
                      below[] = "     THE MILL\n\n        BY\n     ADA MOSS\n\n" TEXT;
    static const char list[] = "Title: The Mill\nAuthor: Ada Moss\n\n"
                               "Title: The Weir\nAuthor: Ann Reed\n\n" TEXT;
    static const char dated[] = "# The Mill\n\nBy Ada Moss, 3 May 2024\n\n" TEXT,
                      posted[] = "# The Mill\n\nPosted by Ada Moss on 3 May 2024\n\n" TEXT,
                      label[] = "# The Mill\n\nAuthor: Ada Moss | 3 May 2024\n\n" TEXT,
                      river[] = "# The Mill\n\nBy the river, 3 May 2024\n\n" TEXT;
    has(dated, "Who wrote the page?", "\"By Ada Moss, 3 May 2024\"");
    has(dated, "Who is the author?", "\"By Ada Moss, 3 May 2024\"");
    has(dated, "Who wrote this?", "\"By Ada Moss, 3 May 2024\"");
    has(dated, "Who wrote this letter?", NULL);
    has(posted, "Who wrote this post?", "\"Posted by Ada Moss on 3 May 2024\"");
    has(label, "Who wrote the article?", "\"Author: Ada Moss | 3 May 2024\"");
    has(river, "Who wrote the article?", NULL);
    has(dated, "When was the article written?", "\"By Ada Moss, 3 May 2024\"");
    has(posted, "When was this page published?", "\"Posted by Ada Moss on 3 May 2024\"");
    has("# The Mill\n\nPublished: 3 May 2024\n\n" TEXT, "When was the page published?",
        "\"Published: 3 May 2024\"");
    has(labelled, "When was the page published?", NULL);
    has(dated, "When was the mill written?", NULL);
    has(dated, "When was the book on mills written?", NULL);
    has(list, "Who wrote this book?", NULL);
    has("by Ada Moss", "Who wrote this book?", "\"by Ada Moss\"");
    has("by", "Who wrote this book?", NULL);
    has("Author:   ", "Who wrote this book?", NULL);
    has(labelled, "Who wrote this book?", "\"Author: Ada Moss\"");
    has(labelled, "Who is the author of the text?", "\"Author: Ada Moss\"");
    has(labelled, "By whom was this book written?", "\"Author: Ada Moss\"");
    has(labelled, "Who wrote the book on mills?", NULL);
    has(by, "Who wrote this book?", "\"by Ada Moss\"");
    has(below, "Who was the book written by?", "\"BY\n     ADA MOSS\"");
    has(TEXT, "Who wrote this book?", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_author)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
