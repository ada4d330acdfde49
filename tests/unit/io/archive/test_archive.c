// Documents in compressed files and archives.
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
    {"b.txt", "second", 0},
    {"dir/a.html", "<p>x &amp; y", 0},
    {"bad\n\x1b[1m.txt", "third", 0},
};
#define THREE(a)                                                                                   \
    a "/b.txt|text|second;" a "/dir/a.html|html|x & y\n;" a "/bad\\n\\x1b[1m.txt|text|third;"

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
    // A member that is no text is named and passed over.
    put_archive("t.tar", TAR, NULL,
                (struct member[]){{"x.bin", "a\0b", 3},
                                  {"r.ps", "%!PS-2", 0},
                                  {"./ok", "fine", 0},
                                  {"none", "", 0},
                                  {"white", " \n", 0}},
                5);
    expect("t.tar", "t.tar/ok|text|fine;");
    assert_string_equal(notes, "t.tar/x.bin: is not text; passed over\n"
                               "t.tar/r.ps: is PostScript; passed over\n"
                               "t.tar/none: has no text; passed over\n"
                               "t.tar/white: has no text; passed over\n");
    // One in which no text is, likewise, unless it is all there is.
    put_archive("no.tar", TAR, NULL, NULL, 0);
    expect("no.tar", "");
    assert_string_equal(notes, "");
    put_text("a", "text");
    struct err e;
    char *others = read_all((const char *const[]){"no.tar", "a"}, 2, NULL, 9, &e);
    assert_string_equal(others, "a|text|text;");
    assert_string_equal(notes, "no.tar: no text in it; passed over\n");
    free(others);
    // One of nothing is zeros alone, and its name.
    static const char none[10240];
    put_bytes("none.tar", none, sizeof none);
    expect("none.tar", "");
}

// Wraps the file IN into an archive OUT, between two texts.
static void wrap(const char *out, enum format format, const char *filter, const char *in)
{
    size_t n;
    char *p = slurp(in, &n);
    put_archive(out, format, filter,
                (struct member[]){{"a", "before", 0}, {in, p, n}, {"z", "after", 0}}, 3);
    free(p);
}

static void reads_archives_in_archives(void **state)
{
    (void)state;
    static const enum format formats[] = {TAR, ZIP, SEVEN};
    put_archive("in.zip", ZIP, NULL, three, 3);
    put_archive("in.tgz", TAR, "gzip", three, 3);
    for (size_t i = 0; i < 3; i++) {
        wrap("t", formats[i], NULL, "in.zip");
        expect("t", "t/a|text|before;" THREE("t/in.zip") "t/z|text|after;");
        wrap("t", formats[i], NULL, "in.tgz");
        expect("t", "t/a|text|before;" THREE("t/in.tgz") "t/z|text|after;");
    }
    wrap("t", TAR, "xz", "in.tgz");
    expect_stdin("t", "stdin/a|text|before;" THREE("stdin/in.tgz") "stdin/z|text|after;");
    put_packed("log.gz", "gzip", "line", 4);
    wrap("t", ZIP, NULL, "log.gz");
    expect("t", "t/a|text|before;t/log.gz|text|line;t/z|text|after;");
    static const struct member book[] = {
        {"mimetype", "application/epub+zip", 0}, {"b.html", "<p>B", 0}, {"a.html", "<p>A", 0}};
    put_archive("book.epub", ZIP, NULL, book, 3);
    wrap("t", ZIP, NULL, "book.epub");
    expect(
        "t",
        "t/a|text|before;t/book.epub/b.html|html|B\n;t/book.epub/a.html|html|A\n;t/z|text|after;");
    // A book is one although its type is compressed, comes late, or is not there.
    static const struct member late[] = {
        {"META-INF/container.xml", "<x/>", 0}, {"b.html", "<p>B", 0}, {"mimetype", "x", 0}};
    put_archive("late", ZIP, NULL, late, 3);
    expect("late", "late/b.html|html|B\n;");
    put_archive("named.epub", ZIP, NULL, book + 1, 2);
    expect("named.epub", "named.epub/a.html|html|A\n;named.epub/b.html|html|B\n;");
    zip_deflates_all = 1;
    put_archive("packed", ZIP, NULL, book, 3);
    zip_deflates_all = 0;
    expect("packed", "packed/a.html|html|A\n;packed/b.html|html|B\n;");
    static const struct member docx[] = {
        {"[Content_Types].xml", "<Types/>", 0},
        {"word/document.xml", "<w:document><w:p><w:t>Rent</w:t></w:p></w:document>", 0}};
    put_archive("lease.docx", ZIP, NULL, docx, 2);
    wrap("t", ZIP, NULL, "lease.docx");
    expect("t", "t/a|text|before;t/lease.docx|docx|Rent\n;t/z|text|after;");
    assert_string_equal(notes, "");
    put_archive("none.docx", ZIP, NULL, docx, 1);
    wrap("t", ZIP, NULL, "none.docx");
    expect("t", "t/a|text|before;t/z|text|after;");
    assert_string_equal(notes, "t/none.docx: is an Office document without a text; passed over\n");
    put_archive("in.7z", SEVEN, NULL, three, 3);
    wrap("t", TAR, NULL, "in.7z");
    expect("t", "t/a|text|before;t/z|text|after;");
    assert_string_equal(
        notes, "t/in.7z: a 7z archive is read from a plain file only; it is passed over\n");
}

// An archive that contains archives without end is no way to keep a run busy.
static void ends_at_a_depth(void **state)
{
    (void)state;
    static const char *const names[] = {"1", "2", "3", "4", "5", "6"};
    put_archive("1", TAR, NULL, (struct member[]){{"t", "deep", 0}}, 1);
    for (int i = 1; i < 6; i++)
        wrap(names[i], TAR, NULL, names[i - 1]);
    expect("4", "4/a|text|before;4/3/a|text|before;4/3/2/a|text|before;4/3/2/1/t|text|deep;4/3/2/"
                "z|text|after;"
                "4/3/z|text|after;4/z|text|after;");
    assert_string_equal(notes, "");
    expect("5", "5/a|text|before;5/4/a|text|before;5/4/3/a|text|before;5/4/3/2/a|text|before;5/4/3/"
                "2/z|text|after;"
                "5/4/3/z|text|after;5/4/z|text|after;5/z|text|after;");
    assert_string_equal(notes, "5/4/3/2/1: is an archive too deep within archives; passed over\n");
}

// Damage to the head of an archive within costs that one, with a note; once a document of it is
// out, and where it is the file's own, it is an error.
static void damaged_archives_in_archives(void **state)
{
    (void)state;
    size_t n;
    char *big = noise(90000);
    static const char damaged_gz[] =
        "\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    put_bytes("in.gz", damaged_gz, 19);
    wrap("t", TAR, NULL, "in.gz");
    expect("t", "t/a|text|before;t/z|text|after;");
    assert_non_null(strstr(notes, "t/in.gz: damaged gzip data"));
    assert_non_null(strstr(notes, "; it is passed over\n"));
    const struct member m[] = {{"a", "first", 0}, {"b", big, 90000}, {"c", "third", 0}};
    put_archive("in.zip", ZIP, NULL, m, 3);
    char *p = slurp("in.zip", &n);
    p[n / 2] ^= 1;
    put_bytes("in.zip", p, n);
    wrap("t", TAR, NULL, "in.zip");
    expect_error("t", ERR_FORMAT, "t/in.zip: damaged archive");
    free(p);
    put_archive("in.tgz", TAR, "gzip", m, 3);
    wrap("t", TAR, "gzip", "in.tgz");
    p = slurp("t", &n);
    for (size_t len = 100; len < n; len += 1237) {
        put_bytes("cut", p, len);
        struct err e;
        char *text = read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e);
        if (text)
            fail_msg("%zu of %zu bytes are believed", len, n);
    }
    free(p);
    free(big);
}

// In a directory too, what is damaged where it begins costs only itself.
static void damaged_archives_in_directories(void **state)
{
    (void)state;
    static const char damaged_gz[] =
        "\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    static const char damaged_xz[] = "\xfd"
                                     "7zXZ\0\0\4\0\0\0\0\0\0\0\0\0";
    static const char damaged_zip[] = "PK\3\4\x14\0\0\0\0\0";
    const struct member m[] = {{"a", "first", 0}, {"b", "second", 0}};
    size_t n;
    assert_int_equal(mkdir("d", 0777), 0);
    put_bytes("d/a.gz", damaged_gz, 19);
    put_bytes("d/b.zip", damaged_zip, 10);
    put_bytes("d/c.xz", damaged_xz, 17);
    put_bytes("d/d.txt", "whole", 5);
    expect("d", "d/d.txt|text|whole;");
    assert_non_null(strstr(notes, "d/a.gz: damaged gzip data"));
    assert_non_null(strstr(notes, "d/b.zip: damaged archive"));
    assert_non_null(strstr(notes, "d/c.xz: "));
    expect_error("d/a.gz", ERR_FORMAT, "d/a.gz: damaged gzip data");
    expect_error("d/b.zip", ERR_FORMAT, "d/b.zip: damaged archive");
    expect_error("d/c.xz", ERR_FORMAT, "d/c.xz: ");
    // What was read of one already is not taken back.
    put_archive("d/b.zip", ZIP, NULL, m, 2);
    char *p = slurp("d/b.zip", &n), *second = memmem(p + 4, n - 4, "PK\3\4", 4);
    assert_non_null(second);
    *second = 0;
    put_bytes("d/b.zip", p, n);
    expect_error("d", ERR_FORMAT, "d/b.zip: damaged archive");
    free(p);
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

// Names of a zip that says they are UTF-8, as one that does not say so, in the C locale too.
static void keeps_names_of_zips(void **state)
{
    (void)state;
    enum { FLAGS = 7, LIST_FLAGS = 9, UTF8 = 8 }; // bytes, from the start of each entry
    static const char *const names[] = {"\xc3\xbc/\xe6\x96\x87", "\xc3\xbc/\xff"};
    for (int i = 0; i < 4; i++) {
        const struct member m = {names[i / 2], "text", 0};
        size_t n;
        put_archive("z", ZIP, NULL, &m, 1);
        char *p = slurp("z", &n), *list = memmem(p, n, "PK\1\2", 4);
        assert_non_null(list);
        if (i % 2) {
            p[FLAGS] |= UTF8;
            list[LIST_FLAGS] |= UTF8;
        }
        put_bytes("z", p, n);
        expect("z", i < 2    ? "z/\xc3\xbc/\xe6\x96\x87|text|text;"
                    : i == 2 ? "z/\xc3\xbc/\\xff|text|text;"
                             : "z/?|text|text;");
        free(p);
    }
}

static void put_locked(const char *path, const struct member m[3], size_t locked)
{
    put_archive(path, ZIP, NULL, m, 3);
    lock_member(path, locked);
}

// Of a zip in which one member is encrypted, the others are read.
static void passes_over_encrypted_members(void **state)
{
    (void)state;
    // As put_archive() stores members of that name, their length stands before them.
    static const struct member first[] = {
        {"mimetype", "secret", 0}, {"a", "one", 0}, {"b", "two", 0}};
    static const struct member second[] = {
        {"a", "one", 0}, {"mimetype", "secret", 0}, {"b", "two", 0}};
    static const struct member packed[] = {
        {"a", "one", 0}, {"secret", "secret secret", 0}, {"b", "two", 0}};
    static const struct member only[] = {
        {"mimetype", "secret", 0}, {"a.png", "\x89PNG\r\n\0", 7}, {"b.bin", "a\0b", 3}};
    static const struct member docx[] = {
        {"word/document.xml", "<w:document/>", 0}, {"a", "one", 0}, {"b", "two", 0}};
    for (size_t i = 0; i < 2; i++) {
        put_locked("z", i ? second : first, i);
        expect("z", "z/a|text|one;z/b|text|two;");
        assert_string_equal(notes, "z/mimetype: is encrypted; passed over\n");
        expect_stdin("z", "stdin/a|text|one;stdin/b|text|two;");
        wrap("t", TAR, NULL, "z");
        expect("t", "t/a|text|before;t/z/a|text|one;t/z/b|text|two;t/z|text|after;");
        assert_string_equal(notes, "t/z/mimetype: is encrypted; passed over\n");
    }
    // In a stream, only its data would tell where this one ends.
    put_locked("z", packed, 1);
    expect("z", "z/a|text|one;z/b|text|two;");
    wrap("t", TAR, NULL, "z");
    expect("t", "t/a|text|before;t/z/a|text|one;t/z|text|after;");
    assert_string_equal(notes, "t/z/secret: is encrypted; passed over\n"
                               "t/z: the end of its encrypted member 'secret' cannot be found; "
                               "unpack it first; the rest is passed over\n");
    put_locked("z", only, 0);
    expect_error("z", ERR_UNSUPPORTED, "z: is encrypted; unpack it first");
    wrap("t", TAR, NULL, "z");
    expect("t", "t/a|text|before;t/z|text|after;");
    put_locked("z.docx", docx, 0);
    expect_error("z.docx", ERR_UNSUPPORTED,
                 "z.docx: member 'word/document.xml' is encrypted; unpack it first");
}

// Zips by whose ends the list of their members is shorter than it is.
static void refuses_zips_that_lie_of_their_list(void **state)
{
    (void)state;
    enum { END_BYTES = 22, COUNTS = 8, LIST_BYTES = 12, LIST = 16 };
    const struct member m[] = {{"a", "first", 0}, {"b", "second", 0}};
    size_t n;
    put_archive("z", ZIP, NULL, m, 2);
    char *p = slurp("z", &n), *end = p + n - END_BYTES, *second = end - 4;
    while (memcmp(second, "PK\1\2", 4))
        second--;
    assert_memory_equal(end, "PK\5\6\0\0\0\0\2\0\2\0", 12);
    char list[8]; // its length and where it is
    memcpy(list, end + LIST_BYTES, sizeof list);
    memcpy(end + LIST_BYTES, &(uint32_t){(uint32_t)(end - second)}, 4);
    memcpy(end + LIST, &(uint32_t){(uint32_t)(second - p)}, 4);
    put_bytes("z", p, n);
    expect_error("z", ERR_FORMAT, "z: damaged archive (2 members by its end, 1 in its list)");
    memset(end + LIST_BYTES, 0, 4);
    put_bytes("z", p, n);
    expect_error("z", ERR_FORMAT, "z: damaged archive (2 members by its end, 0 in its list)");
    memset(end + COUNTS, 0, 4); // of this volume and of all
    put_bytes("z", p, n);
    expect_error("z", ERR_FORMAT, "z: damaged archive (its list of members is empty)");
    // What is said to be less than it is was read all the same; a zip of nothing has no members.
    memcpy(end + LIST_BYTES, list, sizeof list);
    put_bytes("z", p, n);
    expect("z", "z/a|text|first;z/b|text|second;");
    put_archive("z", ZIP, NULL, m, 0);
    expect("z", "");
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_compressed_files),
        cmocka_unit_test(refuses_damaged_compression),
        cmocka_unit_test(reads_archives),
        cmocka_unit_test(reads_archives_in_archives),
        cmocka_unit_test(ends_at_a_depth),
        cmocka_unit_test(damaged_archives_in_archives),
        cmocka_unit_test(damaged_archives_in_directories),
        cmocka_unit_test(refuses_damaged_archives),
        cmocka_unit_test(keeps_names_of_zips),
        cmocka_unit_test(passes_over_encrypted_members),
        cmocka_unit_test(refuses_zips_that_lie_of_their_list),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
