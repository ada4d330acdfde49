// Documents in compressed files and archives.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/doc_fixture.h"
#include "tests/unit/own_dir.h"

// Text that does not compress away, so that every block of a compressor is used.
static char *noise(size_t n)
{
    char *p = malloc(n + 1);
    assert_non_null(p);
    uint64_t x = 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        p[i] = (char)('a' + (x >> 60));
    }
    p[n] = 0;
    return p;
}

static const char *const filters[] = {"gzip", "xz", "zstd", "bzip2", "lz4"};

static void reads_compressed_files(void **state)
{
    (void)state;
    char *big = noise(300000), *expected, *piped;
    assert_true(asprintf(&expected, "packed|text|%s;", big) > 0);
    assert_true(asprintf(&piped, "stdin|text|%s;", big) > 0);
    for (size_t i = 0; i < 5; i++) {
        put_packed("packed", filters[i], big, 300000);
        struct err e;
        char *text = read_all((const char *const[]){"packed"}, 1, NULL, 5000, &e);
        if (!text)
            fail_msg("%s", e.msg);
        assert_string_equal(text, expected);
        free(text);
        expect_stdin("packed", piped);
    }
    // An empty file inside, and two members in a row.
    static const char empty_gz[] = "\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0";
    put_bytes("empty.gz", empty_gz, 20);
    expect("empty.gz", "empty.gz|text|;");
    size_t n;
    put_packed("one.gz", "gzip", "hello ", 6);
    char *one = slurp("one.gz", &n);
    char two[200] = {0};
    assert_true(2 * n + 10 < sizeof two);
    memcpy(two, one, n);
    memcpy(two + n, one, n);
    put_bytes("two.gz", two, 2 * n + 10); // padded with zeros
    expect("two.gz", "two.gz|text|hello hello ;");
    memcpy(two + n, "junk", 4);
    put_bytes("two.gz", two, n + 4);
    expect_error("two.gz", ERR_FORMAT, "two.gz: something that is not gzip follows");
    free(one);
    free(big);
    free(expected);
    free(piped);
}

static void refuses_damaged_compression(void **state)
{
    (void)state;
    char *text = noise(2000), *expected;
    assert_true(asprintf(&expected, "cut|text|%s;", text) > 0);
    for (size_t i = 0; i < 5; i++) {
        size_t n;
        put_packed("whole", filters[i], text, 2000);
        char *p = slurp("whole", &n);
        for (size_t len = 16; len < n; len += len < 64 || n - len < 64 ? 1 : 97) {
            put_bytes("cut", p, len);
            // lz4 may end without its end mark; what has come then is all there was.
            if (!fails("cut", expected))
                fail_msg("%s cut to %zu of %zu bytes is believed", filters[i], len, n);
        }
        for (size_t at = 0; at < n; at += 53) {
            p[at] ^= 0x10;
            put_bytes("cut", p, n);
            struct err e;
            free(read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e));
            p[at] ^= 0x10;
        }
        if (!i) {
            p[n - 6] ^= 1; // the checksum of gzip
            put_bytes("cut", p, n);
            expect_error("cut", ERR_FORMAT, "damaged gzip data (incorrect data check)");
        }
        free(p);
    }
    free(text);
    free(expected);
}

static const struct member three[] = {
    {"b.txt", "second", 0}, {"dir/a.html", "<p>x &amp; y", 0}, {"bad\n\x1b[1m.txt", "third", 0},
};
#define THREE(a) a "/b.txt|text|second;" a "/dir/a.html|html|x & y\n;" a "/bad\\n\\x1b[1m.txt|text|third;"

static void reads_archives(void **state)
{
    (void)state;
    put_archive("t", TAR, NULL, three, 3);
    expect("t", THREE("t"));
    expect_stdin("t", THREE("stdin"));
    for (size_t i = 0; i < 5; i++) {
        put_archive("t", TAR, filters[i], three, 3);
        expect("t", THREE("t"));
    }
    put_archive("t", ZIP, NULL, three, 3);
    expect("t", THREE("t"));
    expect_stdin("t", THREE("stdin"));
    put_archive("t", SEVEN, NULL, three, 3);
    expect("t", THREE("t"));
    expect_error("missing.zip", ERR_IO, "missing.zip");
    // A member that is no text, or an archive itself, is named and passed over.
    size_t n;
    put_archive("in.zip", ZIP, NULL, three, 3);
    char *zip = slurp("in.zip", &n);
    put_archive("t.tar", TAR, NULL,
                  (struct member[]){{"x.bin", "a\0b", 3}, {"in.zip", zip, n},
                                    {"r.ps", "%!PS-2", 0}, {"./ok", "fine", 0},
                                    {"none", "", 0}}, 5);
    expect("t.tar", "t.tar/ok|text|fine;t.tar/none|text|;");
    assert_string_equal(notes, "t.tar/x.bin: is not text; passed over\n"
                               "t.tar/in.zip: is an archive within an archive; passed over\n"
                               "t.tar/r.ps: is PostScript; passed over\n");
    free(zip);
}

static void refuses_damaged_archives(void **state)
{
    (void)state;
    static const struct {
        enum format format;
        const char *filter;
    } kinds[] = {{TAR, NULL}, {TAR, "gzip"}, {TAR, "zstd"}, {ZIP, NULL}, {SEVEN, NULL}};
    char *big = noise(3000);
    const struct member m[] = {{"a", "first", 0}, {"b", big, 3000}, {"c", "third", 0}};
    for (size_t i = 0; i < 5; i++) {
        size_t n, n_whole;
        put_archive("cut", kinds[i].format, kinds[i].filter, m, 3);
        char *p = slurp("cut", &n);
        struct err e;
        char *whole = read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e);
        assert_non_null(whole);
        n_whole = strlen(whole);
        assert_true(n_whole > 3000);
        // Either all members are there or it is an error (the end of the padding may be missing).
        int plain_tar = kinds[i].format == TAR && !kinds[i].filter;
        for (size_t len = 512; len < n; len += plain_tar ? 256 : 37) {
            put_bytes("cut", p, len);
            int failed = fails("cut", whole);
            if ((plain_tar && len < 512 * 11) || kinds[i].filter || kinds[i].format == SEVEN)
                assert_true(failed);
        }
        for (size_t at = 0; at < n; at += 29) {
            p[at] ^= 0x10;
            put_bytes("cut", p, n);
            free(read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e));
            p[at] ^= 0x10;
        }
        free(whole);
        free(p);
    }
    // A flipped bit in the data of a zip is noticed by its checksum.
    size_t n;
    put_archive("cut", ZIP, NULL, m, 3);
    char *p = slurp("cut", &n);
    p[n / 2] ^= 1;
    put_bytes("cut", p, n);
    expect_error("cut", ERR_FORMAT, "cut: damaged archive");
    free(p);
    free(big);
}

static void reads_epubs(void **state)
{
    (void)state;
    static const struct member book[] = {
        {"mimetype", "application/epub+zip", 0}, {"c.css", "p{}", 0},
        {"b.xhtml", "<?xml version=\"1.0\"?><html><body><p>B</p></body></html>", 0},
        {"a.html", "<p>A", 0}, {"pic.png", "\x89PNG\r\n\0", 7},
    };
    put_archive("book.epub", ZIP, NULL, book, 5);
    expect("book.epub", "book.epub/a.html|html|A\n;book.epub/b.xhtml|html|B\n;");
    assert_string_equal(notes, "");
    expect_stdin("book.epub", "stdin/b.xhtml|html|B\n;stdin/a.html|html|A\n;");
    put_archive("none.epub", ZIP, NULL, book, 2);
    expect("none.epub", "");
}

static void reads_word_processors(void **state)
{
    (void)state;
    static const struct member docx[] = {
        {"[Content_Types].xml", "<Types/>", 0},
        {"word/styles.xml", "<w:styles><w:t>no</w:t></w:styles>", 0},
        {"word/document.xml",
         "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document xmlns:w=\"w\"><w:body>\n"
         "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Rent &amp; term</w:t></w:r></w:p>\n"
         "<w:p><w:r><w:t xml:space=\"preserve\">The land</w:t></w:r><w:r><w:t>lord </w:t><w:t>p\xc3\xa4ys.</w:t><w:br/>"
         "<w:t>Twice</w:t><w:tab/><w:t>a year.</w:t></w:r><w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText></w:r>"
         "<wp:posOffset>12345</wp:posOffset></w:p><w:p/>"
         "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Rent</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>1,150</w:t></w:r></w:p>"
         "<w:p><w:r><w:t>pounds</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Rates</w:t></w:r></w:p></w:tc>"
         "<w:tc><w:p><w:r><w:t>80</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>End</w:t></w:r></w:p>"
         "</w:body></w:document>", 0},
    };
    static const char text[] = "Rent & term\n\nThe landlord p\xc3\xa4ys.\nTwice\ta year.\n\nRent\t1,150 pounds\nRates\t80\n\nEnd\n";
    char want[300];
    put_archive("lease.docx", ZIP, NULL, docx, 3);
    snprintf(want, sizeof want, "lease.docx|docx|%s;", text);
    expect("lease.docx", want);
    snprintf(want, sizeof want, "stdin|docx|%s;", text);
    expect_stdin("lease.docx", want);
    static const struct member odt[] = {
        {"mimetype", "application/vnd.oasis.opendocument.text", 0},
        {"content.xml",
         "<?xml version=\"1.0\"?><office:document-content xmlns:text=\"t\"><office:body><office:text>"
         "<text:tracked-changes><text:p>was</text:p></text:tracked-changes>"
         "<text:h>Rent</text:h><text:p>The <text:span>land</text:span>lord<text:s/>pays.<office:annotation><text:p>why?"
         "</text:p></office:annotation></text:p><text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>"
         "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b"
         "</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document-content>", 0},
    };
    put_archive("lease.odt", ZIP, NULL, odt, 2);
    expect("lease.odt", "lease.odt|odt|Rent\n\nThe landlord\tpays.\n\nOne\n\na\tb\n;");
    put_archive("sheet.xlsx", ZIP, NULL, docx, 1);
    expect_error("sheet.xlsx", ERR_UNSUPPORTED, "sheet.xlsx: is a spreadsheet");
    put_archive("none.docx", ZIP, NULL, docx, 2);
    expect_error("none.docx", ERR_UNSUPPORTED, "none.docx: is an Office document without a text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_compressed_files),
        cmocka_unit_test(refuses_damaged_compression),
        cmocka_unit_test(reads_archives),
        cmocka_unit_test(refuses_damaged_archives),
        cmocka_unit_test(reads_epubs),
        cmocka_unit_test(reads_word_processors),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
