// Documents that are archives within: EPUBs and what word processors write.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

static void reads_epubs(void **state)
{
    (void)state;
    static const struct member book[] = {
        {"mimetype", "application/epub+zip", 0},
        {"c.css", "p{}", 0},
        {"b.xhtml", "<?xml version=\"1.0\"?><html><body><p>B</p></body></html>", 0},
        {"a.html", "<p>A", 0},
        {"pic.png", "\x89PNG\r\n\0", 7},
        {"0.html", "<img src=\"pic.png\">", 0},
    };
    put_archive("book.epub", ZIP, NULL, book, 6);
    expect("book.epub", "book.epub/a.html|html|A\n;book.epub/b.xhtml|html|B\n;");
    assert_string_equal(notes, "");
    expect_stdin("book.epub", "stdin/b.xhtml|html|B\n;stdin/a.html|html|A\n;");
    put_archive("none.epub", ZIP, NULL, book, 2);
    expect("none.epub", "");
}

// A book says itself in which order it is read; what it does not name follows.
static void reads_a_spine(void **state)
{
    (void)state;
    static const char container[] = "<container xmlns=\"c\"><rootfiles><rootfile "
                                    "full-path=\"OPS/x/book.opf\"/></rootfiles></container>";
    static const char package[] =
        "<?xml version=\"1.0\"?><package xmlns=\"p\" xmlns:opf=\"o\"><manifest><item id=\"n\" "
        "href=\"nav.xhtml\"/>"
        "<opf:item id=\"i1\" href=\"../ch%201.html#top\"/><item id=\"i2\" "
        "href=\"ch10.html\"/><item id=\"i3\" href=\"ch9.html\"/>"
        "<item href=\"odd\"/><item id=\"gone\" href=\"gone.html\"/></manifest><spine><itemref "
        "idref=\"i1\"/><itemref/>"
        "<itemref idref=\"i3\"/><itemref idref=\"gone\"/><itemref idref=\"i2\"/><itemref "
        "idref=\"i1\"/></spine></package>";
    struct member book[] = {
        {"mimetype", "application/epub+zip", 0}, {"META-INF/container.xml", container, 0},
        {"OPS/x/book.opf", package, 0},          {"OPS/x/ch10.html", "<p>ten", 0},
        {"OPS/x/ch9.html", "<p>nine", 0},        {"OPS/x/nav.xhtml", "<p>nav", 0},
        {"OPS/ch 1.html", "<p>one", 0},
    };
    put_archive("s.epub", ZIP, NULL, book, 7);
    expect("s.epub",
           "s.epub/OPS/ch "
           "1.html|html|one\n;s.epub/OPS/x/ch9.html|html|nine\n;s.epub/OPS/x/ch10.html|html|ten\n;"
           "s.epub/OPS/x/nav.xhtml|html|nav\n;");
    assert_string_equal(notes, "s.epub: its spine names OPS/x/gone.html, which is missing\n");
    static const char by_name[] =
        "s.epub/OPS/ch 1.html|html|one\n;s.epub/OPS/x/ch10.html|html|ten\n;"
        "s.epub/OPS/x/ch9.html|html|nine\n;s.epub/OPS/x/nav.xhtml|html|nav\n;";
    const char *const none[] = {"", "<package><spine><itemref idref=\"i1\"/></spine></package>",
                                "\xff<<"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        book[2].text = none[i];
        put_archive("s.epub", ZIP, NULL, book, 7);
        expect("s.epub", by_name);
        assert_string_equal(notes, "");
    }
    book[1].text = "<container><rootfile full-path=\"elsewhere.opf\"/></container>";
    put_archive("s.epub", ZIP, NULL, book, 7);
    expect("s.epub", by_name);
    assert_string_equal(
        notes, "s.epub: its META-INF/container.xml names elsewhere.opf, which is missing\n");
}

// What is there and no chapter, like a picture, is not missing; a name is shown fit for a terminal.
static void says_what_a_spine_names_in_vain(void **state)
{
    (void)state;
    static const struct member book[] = {
        {"mimetype", "application/epub+zip", 0},
        {"META-INF/container.xml",
         "<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>", 0},
        {"b.opf",
         "<package><manifest><item id=\"a\" href=\"a.html\"/><item id=\"p\" href=\"p.svg\"/>"
         "<item id=\"x\" href=\"%1bx.html\"/><item id=\"q\" href=\"q.html\"/><item id=\"y\" "
         "href=\"y.html\"/><item id=\"z\" "
         "href=\"z.html\"/></manifest><spine><itemref idref=\"p\"/><itemref idref=\"a\"/><itemref "
         "idref=\"x\"/><itemref idref=\"y\"/><itemref idref=\"x\"/><itemref "
         "idref=\"none\"/><itemref idref=\"q\"/></spine></package>",
         0},
        {"p.svg", "<svg/>", 0},
        {"a.html", "<p>A", 0},
        {"./q.html", "<p>Q", 0},
    };
    put_archive("v.epub", ZIP, NULL, book, 6);
    expect("v.epub", "v.epub/a.html|html|A\n;v.epub/q.html|html|Q\n;");
    assert_string_equal(notes, "v.epub: its spine names 2 files that are missing, ?x.html first\n");
}

// Each chapter before the one that is read before it: the file would be read a thousand times.
static void reads_a_hostile_spine_soon(void **state)
{
    (void)state;
    enum { N = 2400 };
    static struct member book[N + 1] = {{"mimetype", "application/epub+zip", 0}};
    static char names[N + 1][16];
    char *expected;
    size_t n;
    FILE *f = open_memstream(&expected, &n);
    assert_true(f);
    for (int i = 1; i <= N; i++) {
        snprintf(names[i], sizeof names[i], "%04d.html", N - i);
        book[i] = (struct member){names[i], "<p>x", 0};
        fprintf(f, "s.epub/%s|html|x\n;", names[i]);
    }
    fclose(f);
    put_archive("s.epub", ZIP, NULL, book, N + 1);
    expect("s.epub", expected);
    free(expected);
}

static void reads_word_processors(void **state)
{
    (void)state;
    static const struct member docx[] = {
        {"[Content_Types].xml", "<Types/>", 0},
        {"word/styles.xml", "<w:styles><w:t>no</w:t></w:styles>", 0},
        {"word/document.xml",
         "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document "
         "xmlns:w=\"w\"><w:body>\n"
         "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Rent &amp; "
         "term</w:t></w:r></w:p>\n"
         "<w:p><w:r><w:t xml:space=\"preserve\">The land</w:t></w:r><w:r><w:t>lord "
         "</w:t><w:t>p\xc3\xa4ys.</w:t><w:br/>"
         "<w:t>Twice</w:t><w:tab/><w:t>a "
         "year.</w:t></w:r><w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText></w:r>"
         "<wp:posOffset>12345</wp:posOffset></w:p><w:p/>"
         "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Rent</w:t></w:r></w:p></"
         "w:tc><w:tc><w:p><w:r><w:t>1,150</w:t></w:r></w:p>"
         "<w:p><w:r><w:t>pounds</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Rates</"
         "w:t></w:r></w:p></w:tc>"
         "<w:tc><w:p><w:r><w:t>80</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p/></"
         "w:tc><w:tc><w:p>"
         "<w:r><w:t>7</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
         "<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>"
         "<w:p><w:r><w:t>Paid</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Due</w:t></w:r></w:p>"
         "</w:tc></w:tr></w:tbl><w:p><w:r><w:t>End</"
         "w:t><w:noBreakHyphen/><w:t>rhyme</w:t></w:r></w:p>"
         "</w:body></w:document>",
         0},
    };
    static const char text[] =
        "Rent & term\n\nThe landlord p\xc3\xa4ys.\nTwice\ta "
        "year.\n\nRent\t1,150 pounds\nRates\t80\n\t7\n\n\tPaid\t\tDue\n\nEnd-rhyme\n";
    char want[300];
    put_archive("lease.docx", ZIP, NULL, docx, 3);
    snprintf(want, sizeof want, "lease.docx|docx|%s;", text);
    expect("lease.docx", want);
    snprintf(want, sizeof want, "stdin|docx|%s;", text);
    expect_stdin("lease.docx", want);
    static const struct member odt[] = {
        {"mimetype", "application/vnd.oasis.opendocument.text", 0},
        {"content.xml",
         "<?xml version=\"1.0\"?><office:document-content "
         "xmlns:text=\"t\"><office:body><office:text>"
         "<text:tracked-changes><text:p>was</text:p></text:tracked-changes>"
         "<text:h>Rent</text:h><text:p>The "
         "<text:span>land</text:span>lord<text:note><text:note-citation>1</"
         "text:note-citation><text:note-body>"
         "<text:p>no</text:p></text:note-body></text:note><text:s/"
         ">pays. <text:s/>Rent<text:s text:c=\"4\"/>80<office:annotation><text:p>why?"
         "</text:p></office:annotation></text:p><text:list><text:list-item><text:p>One</text:p></"
         "text:list-item></text:list>"
         "<table:table><table:table-row><table:table-cell><text:p>a</text:p></"
         "table:table-cell><table:table-cell><text:p>b"
         "</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell "
         "table:number-columns-repeated=\"2\"/><table:table-cell><text:p>c</text:p></"
         "table:table-cell><table:covered-table-cell/></table:table-row></table:table></"
         "office:text></"
         "office:body></office:document-content>",
         0},
    };
    put_archive("lease.odt", ZIP, NULL, odt, 2);
    static const char odt_text[] = "Rent\n\nThe landlord pays. Rent\t80\n\nOne\n\na\tb\n\t\tc\t\n";
    snprintf(want, sizeof want, "lease.odt|odt|%s;", odt_text);
    expect("lease.odt", want);
    // Zipped by hand: only its name tells what it is.
    static const struct member late[] = {{"Pictures/", "", 0},
                                         {"META-INF/manifest.xml", "<m/>", 0},
                                         {"content.xml", NULL, 0},
                                         {"mimetype", NULL, 0}};
    struct member by_hand[4];
    memcpy(by_hand, late, sizeof late);
    by_hand[2] = odt[1];
    by_hand[3] = odt[0];
    put_archive("late.odt", ZIP, NULL, by_hand, 4);
    snprintf(want, sizeof want, "late.odt|odt|%s;", odt_text);
    expect("late.odt", want);
    by_hand[2] = docx[2];
    put_archive("late.docx", ZIP, NULL, by_hand, 3);
    snprintf(want, sizeof want, "late.docx|docx|%s;", text);
    expect("late.docx", want);
    put_archive("sheet.xlsx", ZIP, NULL, docx, 1);
    expect_error("sheet.xlsx", ERR_UNSUPPORTED, "sheet.xlsx: is a spreadsheet");
    put_archive("sheet.xlsm", ZIP, NULL, docx, 1);
    expect_error("sheet.xlsm", ERR_UNSUPPORTED, "sheet.xlsm: is a spreadsheet");
    put_archive("show.ppsx", ZIP, NULL, docx, 1);
    expect_error("show.ppsx", ERR_UNSUPPORTED, "show.ppsx: is a presentation");
    put_archive("none.docx", ZIP, NULL, docx, 2);
    expect_error("none.docx", ERR_UNSUPPORTED, "none.docx: is an Office document without a text");
}

// What there is of a text whose program has not finished it, which is said.
static void reads_word_processors_that_are_cut(void **state)
{
    (void)state;
    enum { BLANKS = 40000 };
    static const char said[] = "c: its XML is cut short; the rest is missing\n";
    char *blanks = malloc(BLANKS);
    assert_non_null(blanks);
    static const char whole[] = "<w:document><w:p><w:t>Rent is due.</w:t></w:p></w:document>";
    struct member docx[] = {{"[Content_Types].xml", "<Types/>", 0},
                            {"word/document.xml", whole, sizeof whole - 1}};
    for (size_t n = sizeof whole - 2; n > sizeof "<w:document><w:p><w:t>Rent"; n--) {
        docx[1].n = n;
        put_archive("c", ZIP, NULL, docx, 2);
        struct err e;
        char *text = read_all((const char *const[]){"c"}, 1, NULL, 5, &e);
        assert_non_null(text);
        assert_memory_equal(text, "c|docx|Rent", 11);
        assert_string_equal(notes, said);
        free(text);
    }
    memset(blanks, '\n', BLANKS);
    memcpy(blanks, whole, sizeof whole - 1);
    docx[1] = (struct member){"word/document.xml", blanks, BLANKS};
    put_archive("c", ZIP, NULL, docx, 2);
    expect("c", "c|docx|Rent is due.\n;");
    assert_string_equal(notes, "");
    const struct member odt[] = {
        {"mimetype", "application/vnd.oasis.opendocument.text", 0},
        {"content.xml", "<office:document-content><text:p>Rent</text:p></office:doc", 0}};
    put_archive("c", ZIP, NULL, odt, 2);
    expect("c", "c|odt|Rent\n;");
    assert_string_equal(notes, said);
    free(blanks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_epubs),
                                       cmocka_unit_test(reads_a_spine),
                                       cmocka_unit_test(says_what_a_spine_names_in_vain),
                                       cmocka_unit_test(reads_a_hostile_spine_soon),
                                       cmocka_unit_test(reads_word_processors),
                                       cmocka_unit_test(reads_word_processors_that_are_cut)};
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
