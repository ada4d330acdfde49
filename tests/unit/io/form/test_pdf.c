// PDFs, which pdftotext reads: in files, pipes, directories and archives; those that give no text;
// and a pdftotext that behaves badly, or is not there.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

enum { PAGES_MAX = 8 };

// Writes a PDF by hand: a page for each text, "" being a page without one. TRAILER: more of that
// dictionary.
static void put_pdf(const char *path, const char *const *pages, int n, const char *trailer)
{
    long at[3 + 2 * PAGES_MAX];
    int objects = 3 + 2 * n;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("%PDF-1.4\n", f);
    at[0] = ftell(f);
    fputs("1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n", f);
    at[1] = ftell(f);
    fprintf(f, "2 0 obj\n<</Type/Pages/Count %d/Kids[", n);
    for (int i = 0; i < n; i++)
        fprintf(f, "%d 0 R ", 4 + 2 * i);
    fputs("]>>\nendobj\n", f);
    at[2] = ftell(f);
    fputs("3 0 "
          "obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>\nendobj\n",
          f);
    for (int i = 0; i < n; i++) {
        char content[256];
        int bytes = snprintf(content, sizeof content,
                             *pages[i] ? "BT /F 12 Tf 72 700 Td (%s) Tj ET" : "%s", pages[i]);
        at[3 + 2 * i] = ftell(f);
        fprintf(f,
                "%d 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
                "/Resources<</Font<</F 3 0 R>>>>>>\nendobj\n",
                4 + 2 * i, 5 + 2 * i);
        at[4 + 2 * i] = ftell(f);
        fprintf(f, "%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n", 5 + 2 * i, bytes,
                content);
    }
    long xref = ftell(f);
    fprintf(f, "xref\n0 %d\n0000000000 65535 f \n", objects + 1);
    for (int i = 0; i < objects; i++)
        fprintf(f, "%010ld 00000 n \n", at[i]);
    fprintf(f, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%ld\n%%%%EOF\n", objects + 1,
            trailer, xref);
    assert_int_equal(fclose(f), 0);
}

static const char *const two[] = {"The rent is due.", "Caf\\351 keys."};
#define TWO "The rent is due.\n\n\fCaf\xc3\xa9 keys.\n\n\f"

// A pdftotext of our own stands before the real one; SCRIPT NULL: none can be found.
static void put_tool(const char *script)
{
    char path[512], dir[256];
    assert_non_null(getcwd(dir, sizeof dir));
    mkdir("bin", 0777);
    if (script) {
        put_text("bin/pdftotext", script);
        assert_int_equal(chmod("bin/pdftotext", 0777), 0);
    } else {
        unlink("bin/pdftotext");
    }
    snprintf(path, sizeof path, script ? "%s/bin:/usr/bin:/bin" : "%s/bin", dir);
    setenv("PATH", path, 1);
}

static void reads_pdfs(void **state)
{
    (void)state;
    size_t n;
    put_pdf("a.pdf", two, 2, "");
    expect("a.pdf", "a.pdf|pdf|" TWO ";");
    expect_stdin("a.pdf", "stdin|pdf|" TWO ";");
    char *pdf = slurp("a.pdf", &n);
    put_packed("a.pdf.gz", "gzip", pdf, n);
    expect("a.pdf.gz", "a.pdf.gz|pdf|" TWO ";");
    put_bytes("-odd name;.pdf", pdf, n);
    expect("-odd name;.pdf", "-odd name;.pdf|pdf|" TWO ";");
    put_archive("t.zip", ZIP, NULL, (struct member[]){{"d/a.pdf", pdf, n}, {"b.txt", "b", 0}}, 2);
    expect("t.zip", "t.zip/d/a.pdf|pdf|" TWO ";t.zip/b.txt|text|b;");
    expect_stdin("t.zip", "stdin/d/a.pdf|pdf|" TWO ";stdin/b.txt|text|b;");
    free(pdf);
}

// JUNK [n_junk] before a PDF, in the file NAME.
static void put_behind(const char *name, const char *junk, size_t n_junk)
{
    size_t n;
    put_pdf("plain", two, 2, "");
    char *pdf = slurp("plain", &n), *all = malloc(n_junk + n);
    assert_non_null(all);
    memcpy(all, junk, n_junk);
    memcpy(all + n_junk, pdf, n);
    put_bytes(name, all, n_junk + n);
    free(all);
    free(pdf);
}

// As other readers of PDFs do; a text that speaks of one is a text.
static void reads_pdfs_behind_junk(void **state)
{
    (void)state;
    static const char reply[] = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n",
                      text[] = "A PDF may begin so:\n\n%PDF-1.4\n1 0 obj\n",
                      said[] = "The first line is %PDF-1.4, M\xfchle.\n";
    char junk[1100];
    memset(junk, 'x', sizeof junk);
    put_behind("j.pdf", reply, sizeof reply - 1);
    expect("j.pdf", "j.pdf|pdf|" TWO ";");
    put_behind("b", "\x1b%-12345X\0\n", 11);
    expect("b", "b|pdf|" TWO ";");
    expect_stdin("b", "stdin|pdf|" TWO ";");
    put_behind("j.pdf", junk, 1000);
    expect("j.pdf", "j.pdf|pdf|" TWO ";");
    put_text("t", "Cut: %PDF-1");
    expect("t", "t|text|Cut: %PDF-1;");
    put_behind("j.pdf", junk, 1100);
    struct err e;
    char *got = read_all((const char *const[]){"j.pdf"}, 1, NULL, 1000, &e);
    assert_non_null(got);
    assert_memory_equal(got, "j.pdf|text|xxx", 14);
    free(got);
    put_text("t", text);
    expect("t", "t|text|A PDF may begin so:\n\n%PDF-1.4\n1 0 obj\n;");
    put_text("t", said);
    expect("t", "t|text|The first line is %PDF-1.4, M\xfchle.\n;");
}

static void says_what_a_pdf_lacks(void **state)
{
    (void)state;
    static const char *const scanned[] = {"", "", ""};
    size_t n;
    put_pdf("scan.pdf", scanned, 3, "");
    expect_error("scan.pdf", ERR_UNSUPPORTED,
                 "scan.pdf: is a PDF without text, scanned perhaps; give it one first "
                 "(ocrmypdf scan.pdf text.pdf)");
    put_pdf("locked.pdf", two, 2,
            "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<00000000000000000000000000000000000000000000"
            "00000000000000000000>/"
            "U<0000000000000000000000000000000000000000000000000000000000000000>>>/ID[<00><00>]");
    expect_error("locked.pdf", ERR_UNSUPPORTED,
                 "locked.pdf: is an encrypted PDF; decrypt it first (qpdf --decrypt");
    put_text("broken.pdf", "%PDF-1.4\nThis is none.\n");
    expect_error("broken.pdf", ERR_UNSUPPORTED,
                 "broken.pdf: is a PDF that pdftotext cannot read (Syntax Error");
    // In a directory and in an archive the others are read.
    assert_int_equal(system("mkdir d && cp scan.pdf broken.pdf d && echo hi > d/hi.txt"), 0);
    expect("d", "d/hi.txt|text|hi\n;");
    assert_non_null(
        strstr(notes, "d/broken.pdf: is a PDF that pdftotext cannot read (Syntax Error"));
    assert_non_null(strstr(
        notes, "d/scan.pdf: is a PDF without text, scanned perhaps; give it one first (ocrmypdf "
               "d/scan.pdf text.pdf); passed over\n"));
    char *scan = slurp("scan.pdf", &n);
    put_archive("t.tar", TAR, NULL, (struct member[]){{"s.pdf", scan, n}, {"b", "b", 0}}, 2);
    expect("t.tar", "t.tar/b|text|b;");
    assert_non_null(strstr(notes, "t.tar/s.pdf: is a PDF without text"));
    // The damage of what it is wrapped in stays an error.
    put_packed("cut.pdf.gz", "gzip", scan, n);
    assert_int_equal(truncate("cut.pdf.gz", 200), 0);
    expect_error("cut.pdf.gz", ERR_FORMAT, "cut.pdf.gz: ends within its compressed data");
    free(scan);
}

// The text of NAME, and in CALLS what pdftotext was asked for meanwhile.
static void expect_calls(const char *name, const char *text, const char *calls)
{
    struct err e;
    size_t n;
    char *got = read_all((const char *const[]){name}, 1, NULL, 1000, &e), *log = slurp("calls", &n);
    assert_non_null(got);
    assert_string_equal(got, text);
    assert_string_equal(log, calls);
    free(got);
    free(log);
    unlink("calls");
}

// Before anything is read, what is wrong with a PDF that was named is known from its first page,
// unless that has no text.
static void checks_the_first_page(void **state)
{
    (void)state;
    static const char *const covered[] = {"", "The rent is due."};
#define ALL   "-enc UTF-8 -eol unix - -\n"
#define FIRST "-l 1 " ALL
    char *was = strdup(getenv("PATH"));
    assert_non_null(was);
    put_pdf("two.pdf", two, 2, "");
    put_pdf("covered.pdf", covered, 2, "");
    put_tool("#!/bin/sh\necho \"$@\" >> calls\nexec /usr/bin/pdftotext \"$@\"\n");
    expect_calls("two.pdf", "two.pdf|pdf|" TWO ";", FIRST ALL);
    expect_calls("covered.pdf", "covered.pdf|pdf|\fThe rent is due.\n\n\f;", FIRST ALL ALL);
    setenv("PATH", was, 1);
    free(was);
}

static int open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void survives_its_tool(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    char *was = strdup(getenv("PATH")), *big = malloc(LONG);
    assert_non_null(was);
    assert_non_null(big);
    memset(big, 'x', LONG);
    memcpy(big, "%PDF-1.4\n", 9);
    put_bytes("big.pdf", big, LONG);
    free(big);
    int before = open_files();
    put_tool(NULL);
    expect_error(
        "big.pdf", ERR_UNSUPPORTED,
        "big.pdf: is a PDF, which pdftotext reads; install it first (package poppler-utils)");
    // It says more than a pipe holds, on both sides, before it reads a byte.
    put_tool("#!/bin/sh\nyes error | head -c 300000 >&2\nhead -c 300000 /dev/zero | tr '\\0' "
             "t\ncat > /dev/null\n");
    struct err e;
    char *text = read_all((const char *const[]){"big.pdf"}, 1, NULL, 1 << 16, &e);
    assert_non_null(text);
    assert_int_equal(strspn(text + strlen("big.pdf|pdf|"), "t"), 300000);
    assert_string_equal(notes,
                        "big.pdf: pdftotext found an error (error); some text may be missing\n");
    free(text);
    put_tool("#!/bin/sh\necho fine\n"); // without reading what it gets
    expect("big.pdf", "big.pdf|pdf|fine\n;");
    put_tool("#!/bin/sh\nprintf 'Syntax Warning: x\\nwon\\033[1mt\\n' >&2\nexit 7\n");
    expect_error("big.pdf", ERR_UNSUPPORTED,
                 "big.pdf: is a PDF that pdftotext cannot read (won?[1mt)");
    put_tool("#!/bin/sh\nexit 1\n");
    expect_error("big.pdf", ERR_UNSUPPORTED, "cannot read (it gives no reason)");
    put_tool("#!/bin/sh\necho text\nkill -SEGV $$\n");
    expect_error("big.pdf", ERR_UNSUPPORTED,
                 "big.pdf: is a PDF that ends pdftotext (Segmentation fault)");
    put_tool("#!/bin/sh\nkill -INT $$\n"); // Ctrl-C reaches both
    expect_error("big.pdf", ERR_INTERRUPTED, "big.pdf: pdftotext was stopped");
    put_tool("#!/bin/sh\nkill -HUP $$\n"); // and so does the end of a session
    expect_error("big.pdf", ERR_INTERRUPTED, "big.pdf: pdftotext was stopped");
    put_tool("#!/bin/sh\nkill -XCPU $$\n");
    expect_error("big.pdf", ERR_UNSUPPORTED, "busy for more than 10 minutes");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(open_files(), before);
    setenv("PATH", was, 1);
    free(was);
}

static volatile sig_atomic_t stop;

static void on_alarm(int sig)
{
    stop = sig;
}

// While NAME is read, a moment after that begins, a signal comes that calls go on after.
static void expect_stopped(const char *name)
{
    struct doc_reader *r;
    struct err e;
    stop = 0;
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 50000}}, NULL);
    assert_int_equal(doc_open(&r, &name, 1, &(struct doc_options){.stop = &stop}, &e),
                     ERR_INTERRUPTED);
    assert_non_null(strstr(e.msg, ".pdf: pdftotext was stopped"));
}

// A signal to us alone, while pdftotext takes no more or thinks about what it got.
static void stops_its_tool(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    char *was = strdup(getenv("PATH")), *big = calloc(1, LONG);
    struct sigaction old, alarms = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    assert_non_null(was);
    assert_non_null(big);
    memcpy(big, "%PDF-1.4\n", 9);
    put_bytes("big.pdf", big, LONG);
    put_bytes("small.pdf", big, 100);
    free(big);
    put_tool("#!/bin/sh\nexec sleep 5\n");
    sigaction(SIGALRM, &alarms, &old);
    expect_stopped("big.pdf");
    expect_stopped("small.pdf");
    sigaction(SIGALRM, &old, NULL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    setenv("PATH", was, 1);
    free(was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_pdfs),
        cmocka_unit_test(reads_pdfs_behind_junk),
        cmocka_unit_test(says_what_a_pdf_lacks),
        cmocka_unit_test(checks_the_first_page),
        cmocka_unit_test(survives_its_tool),
        cmocka_unit_test(stops_its_tool),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
