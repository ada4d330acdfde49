// Documents that are plain files, lists of them, directories, and what is no text.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

// ---- plain files

static void reads_plain_files(void **state)
{
    (void)state;
    struct err e;
    struct doc_reader *r;
    struct doc_info info;
    char buf[64];
    put_text("a.txt", "hello\r\nworld");
    expect("a.txt", "a.txt|text|hello\r\nworld;");
    expect_stdin("a.txt", "stdin|text|hello\r\nworld;");
    put_text("empty", "");
    expect("empty", "empty|text|;");
    expect_stdin("empty", "stdin|text|;");
    put_text("blank", " \t\r\n\v\f\n");
    expect("blank", "blank|text|;");
    put_bytes("hole", "\0\0\0\n\0\0", 6);
    expect("hole", "hole|text|;");
    expect_stdin("blank", "stdin|text|;");
    put_text("late", " \r\n\n a\n");
    expect("late", "late|text| \r\n\n a\n;");
    // Bytes that are no text pass through where the user named the file.
    static const char odd[] = "a\0b\xff\xfe\x80\0";
    put_bytes("odd", odd, 7);
    const char *odd_name = "odd";
    assert_int_equal(doc_open(&r, &odd_name, 1, &(struct doc_options){0}, &e), 0);
    assert_int_equal(doc_read(r, buf, sizeof buf, &e), 0);
    assert_int_equal(doc_next(r, &info, &e), 1);
    assert_int_equal(info.source_bytes, 7);
    assert_int_equal(doc_read(r, buf, sizeof buf, &e), 7);
    assert_memory_equal(buf, odd, 7);
    assert_int_equal(doc_next(r, &info, &e), 0);
    assert_int_equal(doc_next(r, &info, &e), 0);
    doc_close(r);
    put_text("bom.txt", "\xef\xbb\xbfhi");
    expect("bom.txt", "bom.txt|text|\n\n\nhi;");
    put_text("bom.txt", "\xef\xbb\xbf \n");
    expect("bom.txt", "bom.txt|text|;");
    put_text("bom.txt", "hi\xef\xbb\xbf");
    expect("bom.txt", "bom.txt|text|hi\xef\xbb\xbf;");
    // Carriage returns alone end lines, unless the others end with line feeds.
    put_text("cr.txt", "one\rtwo\r\rthree");
    expect("cr.txt", "cr.txt|text|one\ntwo\n\nthree;");
    put_text("cr.txt", "one\r\ntwo\r50%\r\n");
    expect("cr.txt", "cr.txt|text|one\r\ntwo\r50%\r\n;");
    put_utf16("cr.txt", "one\rtwo", 1);
    expect("cr.txt", "cr.txt|utf-16|one\ntwo;");
    // Texts that begin as something else might.
    put_text("bzh", "BZhello");
    expect("bzh", "bzh|text|BZhello;");
    put_text("begin", "begin 644 x\n#0V%T\n`\nend\n");
    expect("begin", "begin|text|begin 644 x\n#0V%T\n`\nend\n;");
    char *zeros = calloc(1, 20000);
    zeros[19999] = 'a'; // else it would have no text
    put_bytes("zeros", zeros, 20000);
    assert_int_equal(doc_open(&r, (const char *const[]){"zeros"}, 1, &(struct doc_options){0}, &e),
                     0);
    assert_int_equal(doc_next(r, &info, &e), 1);
    size_t n = 0;
    for (ssize_t got; (got = doc_read(r, zeros, 20000, &e)) > 0;)
        n += (size_t)got;
    assert_int_equal(n, 20000);
    doc_close(r);
    free(zeros);
}

// How many bytes of text PATH has, alone.
static size_t bytes_of(const char *path)
{
    char buf[4096];
    struct doc_reader *r;
    struct doc_info info;
    struct err e;
    size_t bytes = 0;
    assert_int_equal(doc_open(&r, &path, 1, &(struct doc_options){0}, &e), 0);
    assert_int_equal(doc_next(r, &info, &e), 1);
    for (ssize_t got; (got = doc_read(r, buf, sizeof buf, &e)) > 0;)
        bytes += (size_t)got;
    doc_close(r);
    return bytes;
}

// A log that was cut while it was written begins with a hole, which is left out; behind that of the
// picture of a disk there is no text.
static void leaves_out_holes(void **state)
{
    (void)state;
    enum { MOST = 1 << 16, HOLE = 5 * MOST / 2 };
    static const char line[] = "10:00:01 ERROR disk full\n";
    char *text = calloc(1, HOLE + 4096);
    assert_non_null(text);
    put_bytes("hole", text, HOLE);
    assert_int_equal(bytes_of("hole"), 0);
    put_bytes("hole", text, MOST);
    assert_int_equal(bytes_of("hole"), 0);
    memcpy(text + HOLE, line, sizeof line - 1);
    put_bytes("log", text, HOLE + sizeof line - 1);
    expect("log", "log|text|10:00:01 ERROR disk full\n;");
    put_bytes("log", text + HOLE - MOST, MOST + sizeof line - 1);
    expect("log", "log|text|10:00:01 ERROR disk full\n;");
    put_bytes("log", text + HOLE - MOST + 1, MOST - 1 + sizeof line - 1); // a shorter one is text
    assert_int_equal(bytes_of("log"), MOST - 1 + sizeof line - 1);
    for (size_t i = 0; i < 4096; i++)
        text[HOLE + i] = (char)(i % 19 + 1);
    put_bytes("disk", text, HOLE + 4096);
    assert_int_equal(bytes_of("disk"), 0);
    free(text);
}

// So much white space is looked at before it is taken for text.
static void reads_white_space(void **state)
{
    (void)state;
    enum { MOST = 1 << 16 };
    char *text = malloc(MOST + 2);
    assert_non_null(text);
    memset(text, ' ', MOST);
    memcpy(text + MOST, "a", 2);
    for (size_t n = MOST - 2; n <= MOST + 1; n++) {
        char *want;
        put_bytes("white", text, n);
        assert_true(asprintf(&want, "white|text|%.*s;", n < MOST ? 0 : (int)n, text) > 0);
        expect("white", want);
        free(want);
    }
    free(text);
}

static void keep_note(void *arg, const char *msg)
{
    snprintf(arg, 256, "%s", msg);
}

// What is cut while it is read is read as far as it goes, and that is said; what is not cut, as
// text or HTML, is read without a word.
static void files_that_become_shorter(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20, LEFT = 1 << 19 };
    static const char *const names[] = {"cut.txt", "cut.html"};
    char *text = malloc(BYTES), buf[1000];
    assert_non_null(text);
    for (size_t i = 0; i < BYTES; i++)
        text[i] = "<br>and so on, \n"[i % 16];
    for (int i = 0; i < 4; i++) {
        struct err e;
        struct doc_reader *r;
        struct doc_info info;
        char said[256] = "";
        const char *name = names[i / 2];
        size_t n = 0;
        memcpy(text, i < 2 ? "a text..." : "<html><p>", 9);
        put_bytes(name, text, BYTES);
        const struct doc_options o = {.note = keep_note, .note_arg = said};
        assert_int_equal(doc_open(&r, &name, 1, &o, &e), 0);
        assert_int_equal(doc_next(r, &info, &e), 1);
        for (ssize_t got; (got = doc_read(r, buf, sizeof buf, &e)) > 0; n += (size_t)got)
            if (i % 2 && !n)
                assert_int_equal(truncate(name, LEFT), 0);
        assert_int_equal(doc_read(r, buf, sizeof buf, &e), 0);
        doc_close(r);
        assert_true(i % 2 ? n <= LEFT : n > LEFT);
        assert_int_equal(strstr(said, "became shorter") != NULL, i % 2);
    }
    free(text);
}

static void reads_a_list(void **state)
{
    (void)state;
    struct err e;
    put_text("1", "one");
    put_text("2", "two");
    char *text = read_all((const char *const[]){"2", "1"}, 2, NULL, 2, &e);
    assert_string_equal(text, "2|text|two;1|text|one;");
    free(text);
    // A file that was there before is not read again, whatever it is called.
    assert_int_equal(link("1", "hard"), 0);
    assert_int_equal(symlink("2", "soft"), 0);
    text = read_all((const char *const[]){"2", "soft", "1", "2", "hard"}, 5, NULL, 2, &e);
    assert_string_equal(text, "2|text|two;1|text|one;");
    free(text);
    assert_null(read_all((const char *const[]){"1", "missing"}, 2, NULL, 2, &e));
    assert_string_equal(e.msg, "missing: No such file or directory");
    assert_null(read_all((const char *const[]){"-", "-"}, 2, NULL, 2, &e));
    assert_int_equal(e.code, ERR_USAGE);
    assert_null(read_all((const char *const[]){"1"}, 1, "docx", 2, &e));
    assert_int_equal(e.code, ERR_USAGE);
    // Nor is one without text beside others.
    put_text("blank", " \n");
    put_text("void.html", "<p>");
    text = read_all((const char *const[]){"blank", "1", "void.html"}, 3, NULL, 2, &e);
    assert_string_equal(text, "1|text|one;");
    assert_string_equal(notes, "blank: has no text; passed over\n"
                               "void.html: has no text; passed over\n");
    free(text);
    // What is left unread is skipped.
    struct doc_reader *r;
    struct doc_info info;
    char c;
    put_archive("skip.tar", TAR, "gzip", (struct member[]){{"a", "abc", 0}, {"b", "def", 0}}, 2);
    assert_int_equal(
        doc_open(&r, (const char *const[]){"1", "skip.tar", "2"}, 3, &(struct doc_options){0}, &e),
        0);
    for (const char *p = "oadt"; *p; p++) {
        assert_int_equal(doc_next(r, &info, &e), 1);
        assert_int_equal(doc_read(r, &c, 1, &e), 1);
        assert_int_equal(c, *p);
    }
    assert_int_equal(doc_next(r, &info, &e), 0);
    doc_close(r);
}

static void converts_utf16(void **state)
{
    (void)state;
    static const char le[] = "\xff\xfeh\0\xe9\0\x3d\xd8\x00\xde.\0", be[] = "\xfe\xff\0h\0\xe9\0.";
    put_bytes("le", le, 12);
    expect("le", "le|utf-16|h\xc3\xa9\xf0\x9f\x98\x80.;");
    put_bytes("be", be, 8);
    expect("be", "be|utf-16|h\xc3\xa9.;");
    expect_stdin("be", "stdin|utf-16|h\xc3\xa9.;");
    put_bytes("half", le, 9); // ends within a surrogate pair
    expect("half", "half|utf-16|h\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd;");
    put_bytes("lone", "\xff\xfe\x00\xdeh\0", 6);
    expect("lone", "lone|utf-16|\xef\xbf\xbdh;");
    put_utf16("page", "<!DOCTYPE html><p>hi", 0);
    expect("page", "page|html|hi\n;");
    put_bytes("only-bom", le, 2);
    expect("only-bom", "only-bom|utf-16|;");
}

// Whether the user says so, or not.
static void converts_utf32(void **state)
{
    (void)state;
    static const char le[] = "\xff\xfe\0\0h\0\0\0\0\xf6\1\0",
                      be[] = "\0\0\xfe\xff\0\0\0h\0\x11\0\0\0\0\0.";
    struct err e;
    struct doc_reader *r;
    struct doc_info info;
    char buf[64];
    put_bytes("le", le, 12);
    expect("le", "le|utf-32|h\xf0\x9f\x98\x80;");
    put_bytes("be", be, 16); // with what is no character
    expect("be", "be|utf-32|h\xef\xbf\xbd.;");
    put_bytes("le.html", le, 12);
    expect("le.html", "le.html|html|h\xf0\x9f\x98\x80\n;");
    assert_int_equal(doc_open(&r, (const char *const[]){"le"}, 1,
                              &(struct doc_options){.charset = "UTF-32"}, &e),
                     0);
    assert_int_equal(doc_next(r, &info, &e), 1);
    assert_int_equal(doc_read(r, buf, sizeof buf, &e), 5);
    assert_memory_equal(buf, "h\xf0\x9f\x98\x80", 5);
    doc_close(r);
}

static void on_note(void *arg, const char *msg)
{
    snprintf(arg, 128, "%s", msg);
}

// Without a character set the bytes stay what they are, and that is said once; with one, that some
// are not of it.
static void converts_charsets(void **state)
{
    (void)state;
    struct err e;
    struct doc_reader *r;
    struct doc_info info;
    char buf[64];
    const char *name = "latin.txt";
    put_text(name, "M\xfchle");
    expect(name, "latin.txt|text|M\xfchle;");
    assert_string_equal(
        notes, "latin.txt: is not UTF-8; its bytes are taken as they are; if it is Latin-1, give "
               "--charset latin1\n");
    put_bytes("nul.txt", "a\0b", 3);
    free(read_all((const char *const[]){"nul.txt"}, 1, NULL, 9, &e));
    assert_string_equal(notes, "nul.txt: is not text; its bytes are taken as they are\n");
    uint8_t noise[600] = {0};
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)(i * 37);
    put_bytes("noise.bin", noise, sizeof noise);
    expect_error("noise.bin", ERR_UNSUPPORTED, "noise.bin: is binary data, not a text");
    char *as_text = read_all((const char *const[]){"noise.bin"}, 1, "text", 9, &e);
    assert_non_null(as_text);
    free(as_text);
    put_bytes("wide.txt", "\0M\0\xfc\0h\0l\0e", 10);
    free(read_all((const char *const[]){"wide.txt"}, 1, NULL, 9, &e));
    assert_string_equal(
        notes, "wide.txt: is not UTF-8; its bytes are taken as they are; it looks like --charset "
               "utf-16be\n");
    static const struct {
        const char *charset, *text;
    } as[] = {
        {"latin1", "M\xc3\xbchle"},
        {"koi8-r", "M\xd0\xadhle"},
        {"utf-8", "M\xef\xbf\xbdhle"},
        {"windows-1258", "M\xc3\xbchle"}}; // an accent may follow its letter, the last one too
    for (size_t i = 0; i < sizeof as / sizeof *as; i++) {
        char note[128] = "";
        assert_int_equal(doc_open(&r, &name, 1,
                                  &(struct doc_options){
                                      .charset = as[i].charset, .note = on_note, .note_arg = note},
                                  &e),
                         0);
        assert_int_equal(doc_next(r, &info, &e), 1);
        ssize_t n = 0, got;
        while ((got = doc_read(r, buf + n, sizeof buf - (size_t)n, &e)) > 0)
            n += got;
        assert_int_equal(n, strlen(as[i].text));
        assert_memory_equal(buf, as[i].text, strlen(as[i].text));
        doc_close(r);
        assert_string_equal(
            note, strstr(as[i].text, "\xef\xbf\xbd")
                      ? "latin.txt: is not all in its character set; U+FFFD stands for 1 byte"
                      : "");
    }
    put_bytes(name, "h\0i\0", 4); // UTF-16 without its mark
    assert_int_equal(doc_open(&r, &name, 1, &(struct doc_options){.charset = "utf-16le"}, &e), 0);
    assert_int_equal(doc_next(r, &info, &e), 1);
    assert_int_equal(doc_read(r, buf, sizeof buf, &e), 2);
    assert_memory_equal(buf, "hi", 2);
    doc_close(r);
    assert_int_equal(doc_open(&r, &name, 1, &(struct doc_options){.charset = "latin-none"}, &e),
                     ERR_USAGE);
    assert_string_equal(
        e.msg, "the character set 'latin-none' is not known here; 'iconv -l' lists those that are");
}

// What is said of TEXT [n], read as CHARSET; NULL: as it is.
static void expect_notes(const void *text, size_t n, const char *charset, const char *said)
{
    struct err e;
    struct doc_reader *r;
    struct doc_info info;
    char buf[700], note[128] = "";
    const char *name = "t.txt";
    put_bytes(name, text, n);
    assert_int_equal(
        doc_open(&r, &name, 1,
                 &(struct doc_options){.charset = charset, .note = on_note, .note_arg = note}, &e),
        0);
    assert_int_equal(doc_next(r, &info, &e), 1);
    while (doc_read(r, buf, sizeof buf, &e) > 0)
        ;
    doc_close(r);
    assert_string_equal(note, said);
}

// The character set that a note names is the one that the bytes speak for.
static void tells_charsets(void **state)
{
    (void)state;
#define SAYS_NOT "t.txt: is not UTF-8; its bytes are taken as they are; "
    static const struct {
        const char *text, *charset, *says;
    } as[] = {
        {"caf\xe9", NULL, SAYS_NOT "if it is Latin-1, give --charset latin1"},
        {"M\xfchle, 5 \x80", NULL, SAYS_NOT "if it comes from Windows, give --charset cp1252"},
        {"\xe9\x80 \x93so\x94", NULL, SAYS_NOT "if it comes from Windows, give --charset cp1252"},
        {"M\x81hle, f\x81r", NULL, SAYS_NOT "give its --charset"}, // that of DOS
        {"M\xc3\xbchle, f\xc3\xbcr \x80", NULL,
         "t.txt: is not all UTF-8; 1 byte is taken as it is"},
        {"\xe2\x82\xac \xed\xa0\x80 \xf0\x9f\x98\x80 \xc3\xbc \xc3\xbc", NULL,
         "t.txt: is not all UTF-8; 3 bytes are taken as they are"}, // half of a pair
        {"\xef\xbb\xbfM\xfchle", NULL, SAYS_NOT "if it is Latin-1, give --charset latin1"},
        {"M\xfchle, 5 \x80", "cp1252", ""},
        {"M\xfchle", "ISO-8859-1", ""},
        {"M\xfchle, 5 \x80", "latin1",
         "t.txt: 1 byte of it is a control in its character set; if it comes from Windows, give "
         "--charset cp1252 or the like"},
        {"\x84M\xfchle\x93", "iso8859-2",
         "t.txt: 2 bytes of it are controls in its character set; if it comes from Windows, give "
         "--charset cp1252 or the like"},
        {"\x93\xa1", "cp037", ""},
        {"\x93\xfa\x96{", "shift-jis", ""},
        {"\xc2\x93", "utf-8", ""},
    };
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        expect_notes(as[i].text, strlen(as[i].text), as[i].charset, as[i].says);
    // Whatever the first bytes say, and wherever a character is cut while it is read.
    char text[9000], *end = text;
    while (end < text + 4999)
        *end++ = 'a';
    expect_notes(text, stpcpy(end, "f\xfcr 5 \x80") - text, NULL,
                 SAYS_NOT "if it comes from Windows, give --charset cp1252");
    for (end = text + 1; end + 2 < text + sizeof text; end += 2)
        memcpy(end, "\xc3\xbc", 2);
    expect_notes(text, (size_t)(end - text), NULL, "");
    expect_notes(text, (size_t)(end - text) - 1, NULL,
                 "t.txt: is not all UTF-8; 1 byte is taken as it is");
    text[0] = '\xfc';
    expect_notes(text, (size_t)(end - text), NULL,
                 "t.txt: is not all UTF-8; 1 byte is taken as it is");
}

// ---- what is no text

static void refuses_other_formats(void **state)
{
    (void)state;
    put_text("x.rtf", "{\\rtf1 hello}");
    expect_error("x.rtf", ERR_UNSUPPORTED,
                 "x.rtf: is RTF; convert it first (libreoffice --convert-to txt x.rtf)");
    put_bytes("x.heic",
              "\0\0\0\x18"
              "ftypheic\0\0\0\0mif1",
              20);
    expect_error("x.heic", ERR_UNSUPPORTED,
                 "x.heic: is an image; convert it first (heif-convert x.heic image.png)");
    put_bytes("x.png", "\x89PNG\r\n\x1a\n", 8);
    expect_error("x.png", ERR_UNSUPPORTED,
                 "x.png: is an image; convert it first (tesseract x.png -)");
    put_bytes("prog",
              "\x7f"
              "ELF\2\1\1\0",
              8);
    expect_error("prog", ERR_UNSUPPORTED, "prog: is a program, not a text");
    put_archive("x.docx", ZIP, NULL, (struct member[]){{"[Content_Types].xml", "<x/>", 0}}, 1);
    expect_error("x.docx", ERR_UNSUPPORTED, "x.docx: is an Office document");
    put_packed("x.ps.gz", "gzip", "%!PS-Adobe-3.0", 14);
    expect_error("x.ps.gz", ERR_UNSUPPORTED, "x.ps.gz: is PostScript");
    // Unless the user knows better.
    put_text("report.pdf", "%PDF-1.4\n...");
    expect_as("report.pdf", "text", "report.pdf|text|%PDF-1.4\n...;");
    expect_as("x.rtf", "html", "x.rtf|html|{\\rtf1 hello}\n;");
}

// ---- directories

// Root may read everything: 65534 is nobody.
static void passes_over_what_it_may_not_read(void **state)
{
    (void)state;
    const int is_root = !geteuid();
    assert_int_equal(system("mkdir -p closed/shut && echo -n 1 >closed/a && echo -n 2 >closed/b && "
                            "echo -n 3 >closed/c && echo -n 4 >closed/shut/d && "
                            "chmod 0 closed/b closed/shut && chmod 0755 ."),
                     0);
    if (is_root)
        assert_int_equal(setresuid(65534, 65534, 0), 0);
    expect("closed", "closed/a|text|1;closed/c|text|3;");
    assert_string_equal(notes, "closed/b: Permission denied; passed over\n"
                               "closed/shut: Permission denied; passed over\n");
    expect_error("closed/b", ERR_IO, "closed/b: Permission denied");
    expect_error("closed/shut", ERR_IO, "closed/shut: Permission denied");
    if (is_root)
        assert_int_equal(setresuid(0, 0, 0), 0);
    assert_int_equal(system("chmod 0700 closed/b closed/shut"), 0);
}

static void walks_directories(void **state)
{
    (void)state;
    assert_int_equal(system("mkdir -p d/sub/deep d/B d/.git && echo -n no >d/.git/x && "
                            "echo -n 1 >d/a.txt && echo -n 2 >d/B/z && echo -n 3 >d/sub/deep/q && "
                            "printf 'a\\0b' >d/sub/bin && echo -n hid >d/.hidden && "
                            "echo %!PS >d/x.ps && ln -s .. d/sub/up && ln -s d d/self && "
                            "ln -s loop d/loop && ln -s a.txt d/z-link && mkfifo d/pipe && "
                            "printf x >\"d/new\nline\" && : >d/void && "
                            "mkdir d/b.kvz.part && echo spool >d/b.kvz.part/spool"),
                     0);
    put_archive("d/t.tar", TAR, "xz", (struct member[]){{"in", "4", 0}}, 1);
    expect("d", "d/B/z|text|2;d/a.txt|text|1;d/new\\nline|text|x;d/sub/deep/q|text|3;"
                "d/t.tar/in|text|4;");
    assert_string_equal(notes,
                        "d/.git: is hidden; passed over\n"
                        "d/.hidden: is hidden; passed over\n"
                        "d/b.kvz.part: is an index that is not finished; passed over\n"
                        "d/loop: is a link that leads nowhere; passed over\n"
                        "d/pipe: is not a regular file; passed over\n"
                        "d/self: is a link that leads nowhere; passed over\n"
                        "d/sub/bin: is not text; passed over\n"
                        "d/sub/up: is a link to a directory; passed over\n"
                        "d/void: has no text; passed over\n"
                        "d/x.ps: is PostScript; passed over\n"
                        "d/z-link: was there before under this name or another; passed over\n");
    assert_int_equal(system("mkdir none"), 0);
    expect("none", "");
    expect("none/", "");
    assert_string_equal(notes, ""); // an error says so
    struct err e;
    assert_int_equal(system("mkdir -p e/deep only && : >only/void"), 0);
    char *others = read_all((const char *const[]){"e/", "d/B", "only", "d/B"}, 4, NULL, 100, &e);
    assert_string_equal(others, "d/B/z|text|2;");
    assert_string_equal(notes, "e/: no text in it; passed over\n"
                               "only/void: has no text; passed over\n"
                               "only: no text in it; passed over\n"
                               "d/B/z: was there before under this name or another; passed over\n");
    free(others);
    // Deep enough that neither recursion nor open descriptors would do.
    char path[3000] = "deep";
    for (int i = 0; i < 700; i++) {
        assert_int_equal(mkdir(path, 0777), 0);
        strcat(path, "/d");
    }
    put_text(path, "bottom");
    struct rlimit old, few = {20, 20};
    getrlimit(RLIMIT_NOFILE, &old);
    few.rlim_max = old.rlim_max;
    setrlimit(RLIMIT_NOFILE, &few);
    char *text = read_all((const char *const[]){"deep"}, 1, NULL, 100, &e);
    setrlimit(RLIMIT_NOFILE, &old);
    assert_non_null(text);
    assert_non_null(strstr(text, "/d/d|text|bottom;"));
    free(text);
    // Root may read everything, so that nothing is unreadable to it.
    if (geteuid()) {
        assert_int_equal(chmod("d/a.txt", 0), 0);
        expect_error("d", ERR_IO, "d/a.txt: Permission denied");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_plain_files),
        cmocka_unit_test(files_that_become_shorter),
        cmocka_unit_test(reads_a_list),
        cmocka_unit_test(converts_utf16),
        cmocka_unit_test(converts_utf32),
        cmocka_unit_test(converts_charsets),
        cmocka_unit_test(tells_charsets),
        cmocka_unit_test(refuses_other_formats),
        cmocka_unit_test(passes_over_what_it_may_not_read),
        cmocka_unit_test(walks_directories),
        cmocka_unit_test(leaves_out_holes),
        cmocka_unit_test(reads_white_space),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
