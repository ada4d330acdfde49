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

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>

#include "io/doc.h"
#include "io/file.h"

static char dir[] = "/tmp/lctool-doc-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(dir) && !chdir(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char cmd[64];
    snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
    return chdir("/") || system(cmd);
}

// ---- making inputs

static void write_bytes(const char *path, const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_text(const char *path, const char *s)
{
    write_bytes(path, s, strlen(s));
}

static char *slurp(const char *path, size_t *n)
{
    char *p;
    struct err e;
    assert_int_equal(file_slurp(path, 1 << 28, &p, n, &e), 0);
    return p;
}

struct member {
    const char *name, *text;
    size_t n; // 0: strlen
};

enum format { RAW, TAR, ZIP, SEVEN };

static void write_archive(const char *path, enum format format, const char *filter,
                          const struct member *m, size_t n)
{
    struct archive *a = archive_write_new();
    if (format == RAW)
        archive_write_set_format_raw(a);
    else if (format == TAR)
        archive_write_set_format_pax_restricted(a);
    else if (format == ZIP)
        archive_write_set_format_zip(a);
    else
        archive_write_set_format_7zip(a);
    if (filter)
        assert_int_equal(archive_write_add_filter_by_name(a, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        size_t bytes = m[i].n ? m[i].n : strlen(m[i].text);
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, m[i].name);
        archive_entry_set_size(e, (int64_t)bytes);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        if (format == ZIP && !strcmp(m[i].name, "mimetype"))
            archive_write_zip_set_compression_store(a);
        assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
        assert_int_equal(archive_write_data(a, m[i].text, bytes), bytes);
        archive_entry_free(e);
        if (format == ZIP)
            archive_write_zip_set_compression_deflate(a);
    }
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

static void pack(const char *path, const char *filter, const void *p, size_t n)
{
    write_archive(path, RAW, filter, &(struct member){"x", p, n}, 1);
}

// ---- reading them

static char notes[4096];

static void on_note(void *arg, const char *msg)
{
    (void)arg;
    size_t n = strlen(notes);
    snprintf(notes + n, sizeof notes - n, "%s\n", msg);
}

// All documents as "name|format|text;", read in pieces of STEP bytes; NULL with ERR filled in.
static char *read_all(const char *const *inputs, int n, const char *format, size_t step,
                      struct err *e)
{
    struct doc_reader *r;
    struct doc_info info;
    char *text = NULL, *buf = malloc(step);
    size_t bytes;
    int rc;
    ssize_t got = 0;
    assert_non_null(buf);
    notes[0] = 0;
    *e = (struct err){0};
    struct doc_options o = {.format = format, .note = on_note};
    if ((rc = doc_open(&r, inputs, n, &o, e))) {
        assert_true(rc == e->code && e->msg[0] && !r);
        free(buf);
        return NULL;
    }
    FILE *f = open_memstream(&text, &bytes);
    assert_non_null(f);
    while ((rc = doc_next(r, &info, e)) == 1) {
        fprintf(f, "%s|%s|", info.name, info.format);
        while ((got = doc_read(r, buf, step, e)) > 0)
            fwrite(buf, 1, (size_t)got, f);
        fputc(';', f);
        if (got < 0)
            break;
    }
    rc = got < 0 ? (int)got : rc;
    if (!rc) {
        uint64_t done, total;
        doc_progress(r, &done, &total);
        assert_true(total == 0 || done == total);
    }
    doc_close(r);
    fclose(f);
    free(buf);
    if (rc) {
        assert_true(rc == e->code && e->msg[0]);
        free(text);
        return NULL;
    }
    return text;
}

static void expect_as(const char *input, const char *format, const char *expected)
{
    static const size_t steps[] = {1, 7, 1 << 16};
    for (size_t i = 0; i < 3; i++) {
        struct err e;
        char *text = read_all(&input, 1, format, steps[i], &e);
        if (!text)
            fail_msg("%s: %s", input, e.msg);
        assert_string_equal(text, expected);
        free(text);
    }
}

static void expect(const char *input, const char *expected)
{
    expect_as(input, NULL, expected);
}

static void expect_error(const char *input, int code, const char *why)
{
    struct err e;
    char *text = read_all(&input, 1, NULL, 1000, &e);
    if (text || e.code != code || !strstr(e.msg, why))
        fail_msg("%s: expected %d '%s', got %d '%s' (%s)", input, code, why, e.code, e.msg,
                 text ? text : "");
}

// Whether reading INPUT fails; if it does not, its text is TEXT.
static int fails(const char *input, const char *text)
{
    struct err e;
    char *got = read_all(&input, 1, NULL, 1000, &e);
    if (got)
        assert_string_equal(got, text);
    free(got);
    return !got;
}

// Standard input from a file, through a pipe.
static void expect_stdin(const char *path, const char *expected)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "cat %s", path);
    int keep = dup(STDIN_FILENO);
    FILE *p = popen(cmd, "r");
    assert_non_null(p);
    dup2(fileno(p), STDIN_FILENO);
    struct err e;
    char *text = read_all((const char *const[]){"-"}, 1, NULL, 999, &e);
    dup2(keep, STDIN_FILENO);
    close(keep);
    pclose(p);
    if (!text)
        fail_msg("%s: %s", path, e.msg);
    assert_string_equal(text, expected);
    free(text);
}

// ---- plain files

static void reads_plain_files(void **state)
{
    (void)state;
    struct err e;
    struct doc_reader *r;
    struct doc_info info;
    char buf[64];
    write_text("a.txt", "hello\r\nworld");
    expect("a.txt", "a.txt|text|hello\r\nworld;");
    expect_stdin("a.txt", "stdin|text|hello\r\nworld;");
    write_text("empty", "");
    expect("empty", "empty|text|;");
    expect_stdin("empty", "stdin|text|;");
    // Bytes that are no text pass through where the user named the file.
    static const char odd[] = "a\0b\xff\xfe\x80\0";
    write_bytes("odd", odd, 7);
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
    write_text("bom.txt", "\xef\xbb\xbfhi");
    expect("bom.txt", "bom.txt|text|\xef\xbb\xbfhi;");
    // Texts that begin as something else might.
    write_text("bzh", "BZhello");
    expect("bzh", "bzh|text|BZhello;");
    write_text("begin", "begin 644 x\n#0V%T\n`\nend\n");
    expect("begin", "begin|text|begin 644 x\n#0V%T\n`\nend\n;");
    char *zeros = calloc(1, 20000);
    write_bytes("zeros", zeros, 20000);
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

static void reads_a_list(void **state)
{
    (void)state;
    struct err e;
    write_text("1", "one");
    write_text("2", "two");
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
    // What is left unread is skipped.
    struct doc_reader *r;
    struct doc_info info;
    char c;
    write_archive("skip.tar", TAR, "gzip", (struct member[]){{"a", "abc", 0}, {"b", "def", 0}}, 2);
    assert_int_equal(doc_open(&r, (const char *const[]){"1", "skip.tar", "2"}, 3,
                              &(struct doc_options){0}, &e), 0);
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
    write_bytes("le", le, 12);
    expect("le", "le|utf-16|h\xc3\xa9\xf0\x9f\x98\x80.;");
    write_bytes("be", be, 8);
    expect("be", "be|utf-16|h\xc3\xa9.;");
    expect_stdin("be", "stdin|utf-16|h\xc3\xa9.;");
    write_bytes("half", le, 9); // ends within a surrogate pair
    expect("half", "half|utf-16|h\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd;");
    write_bytes("lone", "\xff\xfe\x00\xdeh\0", 6);
    expect("lone", "lone|utf-16|\xef\xbf\xbdh;");
    write_bytes("only-bom", le, 2);
    expect("only-bom", "only-bom|utf-16|;");
}

// ---- compressed files and archives

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
        pack("packed", filters[i], big, 300000);
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
    write_bytes("empty.gz", empty_gz, 20);
    expect("empty.gz", "empty.gz|text|;");
    size_t n;
    pack("one.gz", "gzip", "hello ", 6);
    char *one = slurp("one.gz", &n);
    char two[200] = {0};
    assert_true(2 * n + 10 < sizeof two);
    memcpy(two, one, n);
    memcpy(two + n, one, n);
    write_bytes("two.gz", two, 2 * n + 10); // padded with zeros
    expect("two.gz", "two.gz|text|hello hello ;");
    memcpy(two + n, "junk", 4);
    write_bytes("two.gz", two, n + 4);
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
        pack("whole", filters[i], text, 2000);
        char *p = slurp("whole", &n);
        for (size_t len = 16; len < n; len += len < 64 || n - len < 64 ? 1 : 97) {
            write_bytes("cut", p, len);
            // lz4 may end without its end mark; what has come then is all there was.
            if (!fails("cut", expected))
                fail_msg("%s cut to %zu of %zu bytes is believed", filters[i], len, n);
        }
        for (size_t at = 0; at < n; at += 53) {
            p[at] ^= 0x10;
            write_bytes("cut", p, n);
            struct err e;
            free(read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e));
            p[at] ^= 0x10;
        }
        if (!i) {
            p[n - 6] ^= 1; // the checksum of gzip
            write_bytes("cut", p, n);
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
    write_archive("t", TAR, NULL, three, 3);
    expect("t", THREE("t"));
    expect_stdin("t", THREE("stdin"));
    for (size_t i = 0; i < 5; i++) {
        write_archive("t", TAR, filters[i], three, 3);
        expect("t", THREE("t"));
    }
    write_archive("t", ZIP, NULL, three, 3);
    expect("t", THREE("t"));
    expect_stdin("t", THREE("stdin"));
    write_archive("t", SEVEN, NULL, three, 3);
    expect("t", THREE("t"));
    expect_error("missing.zip", ERR_IO, "missing.zip");
    // A member that is no text, or an archive itself, is named and passed over.
    size_t n;
    write_archive("in.zip", ZIP, NULL, three, 3);
    char *zip = slurp("in.zip", &n);
    write_archive("t.tar", TAR, NULL,
                  (struct member[]){{"x.bin", "a\0b", 3}, {"in.zip", zip, n},
                                    {"r.pdf", "%PDF-1.4", 0}, {"./ok", "fine", 0},
                                    {"none", "", 0}}, 5);
    expect("t.tar", "t.tar/ok|text|fine;t.tar/none|text|;");
    assert_string_equal(notes, "t.tar/x.bin: is not text; passed over\n"
                               "t.tar/in.zip: is an archive within an archive; passed over\n"
                               "t.tar/r.pdf: is a PDF; passed over\n");
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
        write_archive("cut", kinds[i].format, kinds[i].filter, m, 3);
        char *p = slurp("cut", &n);
        struct err e;
        char *whole = read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e);
        assert_non_null(whole);
        n_whole = strlen(whole);
        assert_true(n_whole > 3000);
        // Either all members are there or it is an error (the end of the padding may be missing).
        int plain_tar = kinds[i].format == TAR && !kinds[i].filter;
        for (size_t len = 512; len < n; len += plain_tar ? 256 : 37) {
            write_bytes("cut", p, len);
            int failed = fails("cut", whole);
            if ((plain_tar && len < 512 * 11) || kinds[i].filter || kinds[i].format == SEVEN)
                assert_true(failed);
        }
        for (size_t at = 0; at < n; at += 29) {
            p[at] ^= 0x10;
            write_bytes("cut", p, n);
            free(read_all((const char *const[]){"cut"}, 1, NULL, 1000, &e));
            p[at] ^= 0x10;
        }
        free(whole);
        free(p);
    }
    // A flipped bit in the data of a zip is noticed by its checksum.
    size_t n;
    write_archive("cut", ZIP, NULL, m, 3);
    char *p = slurp("cut", &n);
    p[n / 2] ^= 1;
    write_bytes("cut", p, n);
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
    write_archive("book.epub", ZIP, NULL, book, 5);
    expect("book.epub", "book.epub/a.html|html|A\n;book.epub/b.xhtml|html|B\n;");
    assert_string_equal(notes, "");
    expect_stdin("book.epub", "stdin/b.xhtml|html|B\n;stdin/a.html|html|A\n;");
}

// ---- what is no text

static void refuses_other_formats(void **state)
{
    (void)state;
    write_text("report.pdf", "%PDF-1.4\n...");
    expect_error("report.pdf", ERR_UNSUPPORTED,
                 "report.pdf: is a PDF; convert it first (pdftotext report.pdf)");
    write_text("x.rtf", "{\\rtf1 hello}");
    expect_error("x.rtf", ERR_UNSUPPORTED, "x.rtf: is RTF");
    write_bytes("prog", "\x7f" "ELF\2\1\1\0", 8);
    expect_error("prog", ERR_UNSUPPORTED, "prog: is a program, not a text");
    write_archive("x.docx", ZIP, NULL, (struct member[]){{"[Content_Types].xml", "<x/>", 0}}, 1);
    expect_error("x.docx", ERR_UNSUPPORTED, "x.docx: is an Office document");
    pack("x.pdf.gz", "gzip", "%PDF-1.4\n...", 12);
    expect_error("x.pdf.gz", ERR_UNSUPPORTED, "x.pdf.gz: is a PDF");
    write_bytes("wide", "\xff\xfe\0\0h\0\0\0", 8);
    expect_error("wide", ERR_UNSUPPORTED, "wide: is UTF-32");
    // Unless the user knows better.
    expect_as("report.pdf", "text", "report.pdf|text|%PDF-1.4\n...;");
    expect_as("x.rtf", "html", "x.rtf|html|{\\rtf1 hello}\n;");
}

// ---- directories

static void walks_directories(void **state)
{
    (void)state;
    assert_int_equal(system("mkdir -p d/sub/deep d/B d/.git && echo -n no >d/.git/x && "
                            "echo -n 1 >d/a.txt && echo -n 2 >d/B/z && echo -n 3 >d/sub/deep/q && "
                            "printf 'a\\0b' >d/sub/bin && echo -n hid >d/.hidden && "
                            "echo %PDF-1 >d/x.pdf && ln -s .. d/sub/up && ln -s d d/self && "
                            "ln -s loop d/loop && ln -s a.txt d/z-link && mkfifo d/pipe && "
                            "printf x >\"d/new\nline\" && : >d/void && "
                            "mkdir d/b.kvz.part && echo spool >d/b.kvz.part/spool"), 0);
    write_archive("d/t.tar", TAR, "xz", (struct member[]){{"in", "4", 0}}, 1);
    expect("d", "d/B/z|text|2;d/a.txt|text|1;d/new\\nline|text|x;d/sub/deep/q|text|3;"
                "d/t.tar/in|text|4;d/void|text|;");
    assert_string_equal(notes, "d/.git: is hidden; passed over\n"
                               "d/.hidden: is hidden; passed over\n"
                               "d/b.kvz.part: is an index that is not finished; passed over\n"
                               "d/loop: is a link that leads nowhere; passed over\n"
                               "d/pipe: is not a regular file; passed over\n"
                               "d/self: is a link that leads nowhere; passed over\n"
                               "d/sub/bin: is not text; passed over\n"
                               "d/sub/up: is a link to a directory; passed over\n"
                               "d/x.pdf: is a PDF; passed over\n"
                               "d/z-link: was there before under this name or another; passed over\n");
    assert_int_equal(system("mkdir none"), 0);
    expect("none", "");
    expect("none/", "");
    // Deep enough that neither recursion nor open descriptors would do.
    char path[3000] = "deep";
    for (int i = 0; i < 700; i++) {
        assert_int_equal(mkdir(path, 0777), 0);
        strcat(path, "/d");
    }
    write_text(path, "bottom");
    struct rlimit old, few = {20, 20};
    getrlimit(RLIMIT_NOFILE, &old);
    few.rlim_max = old.rlim_max;
    setrlimit(RLIMIT_NOFILE, &few);
    struct err e;
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

// ---- HTML

static void expect_html(const char *html, const char *text)
{
    char expected[4096];
    write_text("x.html", html);
    snprintf(expected, sizeof expected, "x.html|html|%s;", text);
    expect("x.html", expected);
}

static void reduces_html(void **state)
{
    (void)state;
    static const struct {
        const char *html, *text;
    } rows[] = {
        {"", ""},
        {"plain  text\n here", "plain text here\n"},
        {"<html><head><title>T &lt; U</title><style>p{}</style><meta name=x content=y>"
         "<script>var a = '<p>no</p>';</script></head><body><h1>H</h1><p>one</p><p>two</p></body>"
         "</html>", "T < U\n\nH\n\none\n\ntwo\n"},
        {"<p>a<br>b<br/>c<br><br>d", "a\nb\nc\n\nd\n"},
        {"<ul><li>a<li>b<ol><li>c</ol></ul>d", "a\nb\nc\nd\n"},
        {"<table><tr><td>1</td> <td> 2</td></tr><tr><th>3<th>4</table>", "1\t2\n3\t4\n"},
        {"a<pre>\n  x\n\n\n\ty\r\n</pre>b", "a\n\n  x\n\n\n\ty\n\nb\n"},
        {"<b>bo</b>ld<i> it</i> <a href='x'>li</a>nk", "bold it link\n"},
        {"&eacute;&#8364;&nbsp;&nbsp;x &bogus; &amp;amp;",
         "\xc3\xa9\xe2\x82\xac x &bogus; &amp;\n"},
        {"<div>a<div>b</div>c</div>", "a\nb\nc\n"},
        {"<p>a<!-- <p>no --><script>document.write('</p>')</script>b", "ab\n"},
        {"<body><p>in</p></body></html>\n<p>after</p> more", "in\n\nafter\n\nmore\n"},
        {"<p>broken <b>tags</i> <p <p>x</p", "broken tags\n\nx\n"},
        {"<P>UPPER</P><BR><SCRIPT>no</SCRIPT>", "UPPER\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_html(rows[i].html, rows[i].text);
    // By content, and only where it is.
    write_text("page", "\n<!-- c --><!DOCTYPE html><p>x");
    expect("page", "page|html|x\n;");
    write_text("page", "we write <html> here");
    expect("page", "page|text|we write <html> here;");
    write_text("x.HTM", "<p>x");
    expect("x.HTM", "x.HTM|html|x\n;");
    expect_as("x.HTM", "text", "x.HTM|text|<p>x;");
    pack("x.html.gz", "gzip", "<p>x", 4);
    expect("x.html.gz", "x.html.gz|html|x\n;");
}

static void knows_charsets(void **state)
{
    (void)state;
    expect_html("<p>caf\xe9 \x80", "caf\xc3\xa9 \xe2\x82\xac\n");
    expect_html("<p>caf\xc3\xa9", "caf\xc3\xa9\n");
    expect_html("<meta charset=utf-8><p>caf\xe9!", "caf\xef\xbf\xbd!\n");
    expect_html("<meta charset='iso-8859-1'><p>caf\xe9", "caf\xc3\xa9\n");
    expect_html("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'><p>\xc1",
                "\xd0\xb0\n");
    expect_html("<?xml version='1.0' encoding='iso-8859-2'?><html><p>\xb1", "\xc4\x85\n");
    expect_html("\xef\xbb\xbf<html><head><title>t</title></head><p>\xc3\xa9", "t\n\n\xc3\xa9\n");
    write_bytes("x.html", "\xff\xfe<\0p\0>\0\xe9\0", 10);
    expect("x.html", "x.html|html|\xc3\xa9\n;");
    write_bytes("x.html", "<p>a\0b</p><p>c", 14);
    expect("x.html", "x.html|html|a b\n\nc\n;");
    // The first byte that is not UTF-8 comes after the part that the guess is made from.
    char late[6000];
    memset(late, ' ', sizeof late);
    memcpy(late, "<p>a", 4);
    memcpy(late + 5990, "\xc3\xa9 caf\xe9 !", 10);
    write_bytes("x.html", late, sizeof late);
    expect("x.html", "x.html|html|a \xc3\xa9 caf\xc3\xa9 !\n;");
    write_text("x.html", "<meta charset=klingon><p>x");
    expect_error("x.html", ERR_UNSUPPORTED, "x.html: is in the character set 'klingon'");
}

// A page much longer than a block of the parser, with everything that can be cut at its end.
static void reads_long_html(void **state)
{
    (void)state;
    char *html, *text;
    size_t n_html, n_text;
    FILE *h = open_memstream(&html, &n_html), *t = open_memstream(&text, &n_text);
    assert_true(h && t);
    fprintf(t, "long.html|html|");
    for (int i = 0; i < 20000; i++) {
        fprintf(h, "<p class=\"c%d\">w\xc3\xa9%d &amp; x&#%d;<!-- c --></p></body></html>"
                   "<script>a<b</script>", i, i, 65 + i % 26);
        fprintf(t, "%sw\xc3\xa9%d & x%c", i ? "\n\n" : "", i, 65 + i % 26);
    }
    fprintf(t, "\n;");
    fclose(h);
    fclose(t);
    write_bytes("long.html", html, n_html);
    struct err e;
    for (size_t step = 1000; step < 100000; step *= 77) {
        char *got = read_all((const char *const[]){"long.html"}, 1, NULL, step, &e);
        assert_non_null(got);
        assert_string_equal(got, text);
        free(got);
    }
    free(html);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_plain_files),
        cmocka_unit_test(reads_a_list),
        cmocka_unit_test(converts_utf16),
        cmocka_unit_test(reads_compressed_files),
        cmocka_unit_test(refuses_damaged_compression),
        cmocka_unit_test(reads_archives),
        cmocka_unit_test(refuses_damaged_archives),
        cmocka_unit_test(reads_epubs),
        cmocka_unit_test(refuses_other_formats),
        cmocka_unit_test(walks_directories),
        cmocka_unit_test(reduces_html),
        cmocka_unit_test(knows_charsets),
        cmocka_unit_test(reads_long_html),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
