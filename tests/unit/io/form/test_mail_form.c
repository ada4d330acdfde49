// Mails: one message, many in an mbox, their parts and encodings; what is broken, and what is none.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/doc/doc.h"
#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

#define HEAD "From: Ann <ann@mill.example>\nDate: Mon, 6 May 2024 10:00:00 +0200\n"

// MAIL, as a file, becomes TEXT; its lines may end in CRLF, too.
static void becomes(const char *mail, const char *text)
{
    char *expected = NULL, *crlf = malloc(2 * strlen(mail) + 1), *to = crlf;
    size_t n;
    FILE *f = open_memstream(&expected, &n);
    fprintf(f, "m.eml|mail|%s;", text);
    fclose(f);
    put_text("m.eml", mail);
    expect("m.eml", expected);
    assert_non_null(crlf);
    for (const char *p = mail; *p; p++) {
        if (*p == '\n')
            *to++ = '\r';
        *to++ = *p;
    }
    *to = 0;
    put_text("m.eml", crlf);
    struct err e;
    const char *input = "m.eml";
    char *got = read_all(&input, 1, NULL, 100, &e);
    assert_non_null(got);
    assert_string_equal(got, expected);
    free(got);
    free(crlf);
    free(expected);
}

static void reads_a_message(void **state)
{
    (void)state;
    becomes("Received: by mill\n\tfor ann\n" HEAD
            "Subject: The\n  rent\nX-Mailer: none\n\nIt is due.\n\nAnn\n",
            HEAD "Subject: The rent\n\nIt is due.\n\nAnn\n");
    // Encoded words, of which the blank between two is nothing.
    becomes(HEAD "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_aus?= =?ISO-8859-1?B?IE33aGxl?= "
                 "=?x-none?q?=41?= end =?broken?Q\n\nHi\n",
            HEAD "Subject: Gr\xc3\xbc\xc3\x9f"
                 "e aus M\xc3\xb7hleA end =?broken?Q\n\nHi\n");
    becomes("\xef\xbb\xbf" HEAD "Subject: The rent\n\nIt is due.\n",
            HEAD "Subject: The rent\n\nIt is due.\n");
    becomes(HEAD "Subject: J\xfcrgen\n\nHi J\xfcrgen\n",
            HEAD "Subject: J\xc3\xbcrgen\n\nHi J\xc3\xbcrgen\n");
    becomes(HEAD "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: "
                 "quoted-printable\n\n"
                 "Die M=FChle ist lang=\nsam, 1=2B1 =3D 2, 5=x   \nEnde\n",
            HEAD "\nDie M\xc3\xbchle ist langsam, 1+1 = 2, 5=x   \nEnde\n");
    becomes(HEAD "Content-Type: text/plain;\n charset=\"UTF-8\"\nContent-Transfer-Encoding: "
                 "base64\n\nVGhlIHJl\nbnQgaXMgOTA\n"
                 "wIOKCrC4K\n",
            HEAD "\nThe rent is 900 \xe2\x82\xac.\n");
    becomes(HEAD "Content-Type: text/html; charset=us-ascii\n\n<html><p>The <b>rent</b>\n&amp; the "
                 "key</html>\n",
            HEAD "\nThe rent & the key\n");
    becomes(HEAD "Content-Type: text/plain; charset=nonsense\n\nHi\n", HEAD "\nHi\n");
    becomes(HEAD "Content-Type: text/plain; charset=utf-16\n\nNot 16 bits.\n",
            HEAD "\nNot 16 bits.\n");
    becomes(HEAD "Content-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: "
                 "base64\n\nSABpAAoA\n",
            HEAD "\nHi\n");
}

static void reads_parts(void **state)
{
    (void)state;
    becomes(HEAD "Content-Type: multipart/alternative; boundary=\"a b\"\n\nfor old readers\n--a "
                 "b\nContent-Type: text/plain\n\n"
                 "plain\n--a b  \nContent-Type: text/html\n\n<p>html\n--a b--\nend\n",
            HEAD "\nplain\n");
    becomes(HEAD "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: "
                 "text/html\n\n<p>html\n--x--\n",
            HEAD "\nhtml\n");
    becomes(HEAD "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: "
                 "multipart/alternative; boundary=xy\n\n"
                 "--xy\n\none\n--xy\nContent-Type: multipart/related; "
                 "boundary=r\n\n--r\nContent-Type: text/html\n\nno\n--r--\n--xy--\n"
                 "--x\nContent-Type: application/pdf; "
                 "name=\"=?utf-8?q?M=C3=BChle?=.pdf\"\nContent-Transfer-Encoding: base64\n\nAAAA\n"
                 "--x\nContent-Type: text/x-diff\nContent-Disposition: attachment; "
                 "filename=a.diff\n\n-old\n--xylophone\n"
                 "--x\nContent-Type: message/rfc822\n\nFrom: Bob\nSubject: Re\n\ninner\n--x--\n",
            HEAD "\none\n\n[application/pdf: M\xc3\xbchle.pdf]\n\n[text/x-diff: a.diff]\n-old\n"
                 "--xylophone\n\nFrom: Bob\nSubject: Re\n\ninner\n");
}

// A part of TYPE, base64 of the file at PATH, to be freed.
static char *attached(const char *type, const char *path)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *part = NULL;
    size_t n, n_part;
    unsigned char *p = (unsigned char *)slurp(path, &n);
    FILE *f = open_memstream(&part, &n_part);
    fprintf(f, "--x\nContent-Type: %s; name=%s\nContent-Transfer-Encoding: base64\n\n", type, path);
    for (size_t i = 0; i < n; i += 3) {
        unsigned bits =
            (unsigned)(p[i] << 16 | (i + 1 < n ? p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0));
        for (int k = 0; k < 4; k++)
            putc(i + (size_t)k > n ? '=' : digits[bits >> (18 - 6 * k) & 63], f);
        if (i % 57 == 54)
            putc('\n', f);
    }
    putc('\n', f);
    fclose(f);
    free(p);
    return part;
}

#define MIXED HEAD "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nSee the file.\n"

// A mail with the file at PATH becomes its text and then TEXT; what is said about it is SAID.
static void attaches(const char *type, const char *path, const char *text, const char *said)
{
    char *part = attached(type, path), mail[1 << 16], want[1024];
    assert_true(snprintf(mail, sizeof mail, MIXED "%s--x\n\nThe end.\n--x--\n", part) <
                (int)sizeof mail);
    snprintf(want, sizeof want, HEAD "\nSee the file.\n\n[%s: %s]\n%s\nThe end.\n", type, path,
             text);
    becomes(mail, want);
    assert_string_equal(notes, said);
    free(part);
}

static void reads_what_is_attached(void **state)
{
    (void)state;
    static const char wml[] = "<w:document><w:p><w:t>The rent is 900.</w:t></w:p></w:document>";
    static const struct member docx[] = {{"[Content_Types].xml", "<Types/>", 0},
                                         {"word/document.xml", wml, 0},
                                         {"word/more.xml", "<more/>", 0}};
    put_archive("l.docx", ZIP, NULL, docx, 3);
    attaches("application/octet-stream", "l.docx", "The rent is 900.\n", "");
    put_archive("c.docx", ZIP, NULL,
                (struct member[]){docx[0], {docx[1].name, wml, sizeof wml - 5}}, 2);
    attaches("application/msword", "c.docx", "The rent is 900.\n",
             "m.eml/c.docx: its XML is cut short; the rest is missing\n");
    put_archive("n.docx", ZIP, NULL, docx, 1);
    attaches("application/msword", "n.docx", "",
             "m.eml/n.docx: is an Office document without a text; left out\n");
    put_text("t.csv", "a,b\n1,2\n");
    attaches("application/vnd.ms-excel", "t.csv", "a,b\n1,2\n", "");
    put_packed("t.log.gz", "gzip", "line\n", 5);
    attaches("application/gzip", "t.log.gz", "line\n", "");
    put_text("p.html", "<html><p>A &amp; B</html>");
    attaches("application/octet-stream", "p.html", "A & B\n", "");
    put_utf16("w", "<html><p>A &amp; B</html>", 0);
    attaches("application/octet-stream", "w", "A & B\n", "");
    put_text("s.asc", "-----BEGIN PGP SIGNATURE-----\n");
    attaches("application/pgp-signature", "s.asc", "", "");
    put_bytes("b.png", "\x89PNG\r\n\x1a\n\0\0", 10);
    attaches("image/png", "b.png", "", "");
    attaches("application/octet-stream", "b.png", "", "m.eml/b.png: is an image; left out\n");
    // One that is cut spoils no more than itself.
    put_bytes("cut.gz", "\x1f\x8b\x08\0\0\0\0\0\0\3\xcb\xcc", 12);
    attaches("application/gzip", "cut.gz", "",
             "m.eml/cut.gz: ends within its compressed data; left out\n");
}

// Of an archive every file has its name and its text, those of archives and mails in it, too.
static void reads_attached_archives(void **state)
{
    (void)state;
    size_t n, n_gz;
    const struct member mail = {"m.eml", "From: Bob\nTo: Ann\nSubject: Re\n\nSold.\n", 0};
    put_archive("in.tar", TAR, NULL, (struct member[]){{"d/t.html", "<p>A &amp; B", 0}, mail}, 2);
    put_packed("l.gz", "gzip", "line\n", 5);
    char *in = slurp("in.tar", &n), *gz = slurp("l.gz", &n_gz);
    put_archive("z.zip", ZIP, NULL,
                (struct member[]){{"a.txt", "packed\n", 0},
                                  {"b.png", "\x89PNG\r\n\x1a\n\0\0", 10},
                                  {"in.tar", in, n},
                                  {"l.gz", gz, n_gz}},
                4);
    static const char inner[] =
        "\n[d/t.html]\nA & B\n\n[m.eml]\nFrom: Bob\nTo: Ann\nSubject: Re\n\nSold.\n";
    char want[300];
    snprintf(want, sizeof want, "\n[a.txt]\npacked\n\n[b.png]\n\n[in.tar]\n%s\n[l.gz]\nline\n",
             inner);
    attaches("application/zip", "z.zip", want, "m.eml/z.zip/b.png: is an image; left out\n");
    attaches("application/x-tar", "in.tar", inner, "");
    free(in);
    free(gz);
    // Five archives within each other are one too many.
    put_archive("0.zip", ZIP, NULL, (struct member[]){{"a.txt", "deep\n", 0}}, 1);
    for (int i = 1; i < 5; i++) {
        char from[] = "0.zip", to[] = "0.zip";
        from[0] = (char)('0' + i - 1);
        to[0] = (char)('0' + i);
        in = slurp(from, &n);
        put_archive(to, ZIP, NULL, (struct member[]){{from, in, n}}, 1);
        free(in);
    }
    attaches("application/zip", "3.zip", "\n[2.zip]\n\n[1.zip]\n\n[0.zip]\n\n[a.txt]\ndeep\n", "");
    attaches(
        "application/zip", "4.zip", "\n[3.zip]\n\n[2.zip]\n\n[1.zip]\n\n[0.zip]\n",
        "m.eml/4.zip/3.zip/2.zip/1.zip/0.zip: is an archive too deep within a mail; left out\n");
    // What can be read of one that is cut is kept.
    put_archive("l.zip", ZIP, NULL,
                (struct member[]){{"mimetype", "secret", 0}, {"a.txt", "open\n", 0}}, 2);
    lock_member("l.zip", 0);
    attaches("application/zip", "l.zip", "\n[mimetype]\n\n[a.txt]\nopen\n",
             "m.eml/l.zip/mimetype: is encrypted; left out\n");
    put_archive("c.tar", TAR, NULL,
                (struct member[]){{"a.txt", "kept\n", 0}, {"b.txt", "lost\n", 0}}, 2);
    in = slurp("c.tar", &n);
    put_bytes("c.tar", in, 512 + 512 + 300);
    free(in);
    attaches("application/x-tar", "c.tar", "\n[a.txt]\nkept\n",
             "m.eml/c.tar: damaged archive (Truncated tar archive); the rest of it is left out\n");
}

// Names as RFC 2231 has them, which only older mails do without.
static void names_what_is_attached(void **state)
{
    (void)state;
    static const struct {
        const char *param, *shown;
    } names[] = {
        {"filename*=utf-8''Vertr%C3%A4ge%202024.bin", ": Vertr\xc3\xa4ge 2024.bin"},
        {"filename*=iso-8859-1'de'M%FChle", ": M\xc3\xbchle"},
        {"filename*0=\"a long \"; filename*1*=n%61me;\n filename*2=.txt", ": a long name.txt"},
        {"filename*0*=utf-8''a%3B; filename*1=b;filename=no", ": a;b"},
        {"filename=\"Vertr?ge\"; filename*=utf-8''Vertr%C3%A4ge", ": Vertr\xc3\xa4ge"},
        {"filename*=utf-8''a; filename=b", ": a"},
        {"filename*=x%zz%", ": x%zz%"},
        {"filename*1=b", ""},
        {"filename*=", ""},
        {"filename*", ""},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char mail[512], want[512];
        snprintf(
            mail, sizeof mail,
            MIXED
            "--x\nContent-Type: video/mp4\nContent-Disposition: attachment; %s\n\nAAAA\n--x--\n",
            names[i].param);
        snprintf(want, sizeof want, HEAD "\nSee the file.\n\n[video/mp4%s]\n", names[i].shown);
        becomes(mail, want);
    }
}

static void reads_an_mbox(void **state)
{
    (void)state;
    static const char box[] =
        "From ann Mon May  6 10:00:00 2024\n" HEAD
        "Subject: one\n\nFirst.\n>From here on it is quoted, >From there not.\n"
        "From the mill at 10:30 she went.\n\nFrom my house.\n\n"
        "From bob Mon May  6 11:00:00 2024\nFrom: Bob\nDate: today\nContent-Type: multipart/mixed; "
        "boundary=x\n\n"
        "--x\n\nnot closed\n\nFrom cas Mon May  6 12:00:00 2024\nFrom: Cas\nDate: now\n\nThird.\n";
    static const char text[] =
        HEAD "Subject: one\n\nFirst.\nFrom here on it is quoted, >From there not.\n"
             "From the mill at 10:30 she went.\n\nFrom my house.\n\n\n"
             "From: Bob\nDate: today\n\nnot closed\n\n\nFrom: Cas\nDate: now\n\nThird.\n";
    becomes(box, text);
    // In an archive, and as the files of a directory.
    char expected[2 * sizeof text];
    put_archive("list.tar.gz", TAR, "gzip",
                (struct member[]){{"list.mbox", box, 0}, {"b.txt", "b", 0}}, 2);
    snprintf(expected, sizeof expected, "list.tar.gz/list.mbox|mail|%s;list.tar.gz/b.txt|text|b;",
             text);
    expect("list.tar.gz", expected);
    expect_as("list.tar.gz", NULL, expected);
}

static void survives_broken_mails(void **state)
{
    (void)state;
    becomes(HEAD, HEAD "\n");
    becomes(HEAD "Content-Type: multipart/mixed\n\nno boundary\n", HEAD "\nno boundary\n");
    becomes(HEAD "Content-Type: multipart/mixed; boundary=x\n\n--x", HEAD "\n");
    becomes(HEAD "Content-Transfer-Encoding: base64\n\n====VGhl!!\n=\n", HEAD "\nThe");
    // A field, and a line, that are longer than there is room for.
    enum { LONG = 100000 };
    char *mail = malloc(LONG + 200), *text = NULL;
    assert_non_null(mail);
    strcpy(mail, HEAD "Subject: ");
    size_t n = strlen(mail);
    memset(mail + n, 's', LONG);
    strcpy(mail + n + LONG, "\n\nbody\n");
    put_text("long.eml", mail);
    const char *input = "long.eml";
    struct err e;
    assert_non_null(text = read_all(&input, 1, NULL, 1000, &e));
    assert_in_range(strlen(text), 8000, 8500);
    assert_non_null(strstr(text, "s\n\nbody\n;"));
    free(text);
    strcpy(mail, HEAD "Content-Transfer-Encoding: quoted-printable\n\n");
    n = strlen(mail);
    memset(mail + n, 'q', LONG);
    strcpy(mail + n + LONG, "\n");
    put_text("long.eml", mail);
    assert_non_null(text = read_all(&input, 1, NULL, 1000, &e));
    assert_int_equal(strspn(strstr(text, "\n\n") + 2, "q"), LONG);
    free(text);
    free(mail);
    // Deeper than is followed: the rest is text, or nothing, but there is an end.
    FILE *f = open_memstream(&mail, &n);
    fputs(HEAD, f);
    for (int i = 0; i < 40; i++)
        fprintf(f, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i);
    fputs("\ndeep\n", f);
    fclose(f);
    put_bytes("deep.eml", mail, n);
    assert_non_null(text = read_all((const char *const[]){"deep.eml"}, 1, NULL, 1000, &e));
    assert_non_null(strstr(text, "deep"));
    free(text);
    free(mail);
}

// Without a date it is a mail by its name, or as it says what its text is.
static void knows_undated_mails(void **state)
{
    (void)state;
    put_text("n.eml", "From: Ann\nTo: Bob\nSubject: Rent\nContent-Type: text/plain\n"
                      "Content-Transfer-Encoding: base64\n\nVGhlIHJlbnQ=\n");
    expect("n.eml", "n.eml|mail|From: Ann\nTo: Bob\nSubject: Rent\n\nThe rent;");
    assert_int_equal(rename("n.eml", "n"), 0);
    expect("n", "n|mail|From: Ann\nTo: Bob\nSubject: Rent\n\nThe rent;");
    put_text("s.EML", "Subject: Rent\nX-Mailer: none\n\nHi\n");
    expect("s.EML", "s.EML|mail|Subject: Rent\n\nHi\n;");
    put_packed("s.eml.gz", "gzip", "To: Bob", 7);
    expect("s.eml.gz", "s.eml.gz|mail|To: Bob\n\n;");
    put_text("t.eml", "Remember: milk\n\nHi\n");
    expect("t.eml", "t.eml|text|Remember: milk\n\nHi\n;");
    put_text("t.eml", "Dear Bob,\nSubject: none\n");
    expect("t.eml", "t.eml|text|Dear Bob,\nSubject: none\n;");
    put_text("t", "Subject: Rent\nContent-Type: text/plain\n\nHi\n");
    expect("t", "t|text|Subject: Rent\nContent-Type: text/plain\n\nHi\n;");
}

static void leaves_others_alone(void **state)
{
    (void)state;
    put_text("a", "From the hills at 10:00 came\nnothing.\n");
    expect("a", "a|text|From the hills at 10:00 came\nnothing.\n;");
    put_text("a", "Title: A book\nAuthor: Ann\nDate: 1999\n\nText\n");
    expect("a", "a|text|Title: A book\nAuthor: Ann\nDate: 1999\n\nText\n;");
    put_text("a", "From: here\nTo: there\n\nText\n");
    expect("a", "a|text|From: here\nTo: there\n\nText\n;");
    put_text("a", HEAD "and then: text: with colons\n");
    expect("a", "a|text|" HEAD "and then: text: with colons\n;");
    put_text("a", HEAD "\nHi\n");
    expect_as("a", "text", "a|text|" HEAD "\nHi\n;");
}

static void reads_saved_pages(void **state)
{
    (void)state;
    static const char parts[] = "MIME-Version: 1.0\nContent-Type: multipart/related;\n"
                                "\ttype=\"text/html\"; boundary=b\n\n--b\nContent-Type: text/html\n"
                                "Content-Location: http://mill.example/\n\n<p>A page</p>\n--b\n"
                                "Content-Type: text/css\n\np { margin: 0 }\n--b\n"
                                "Content-Type: text/css; name=a.css\n\nmeant\n--b--\n";
    put_text("page.mhtml", parts);
    expect("page.mhtml", "page.mhtml|mail|\nA page\n\n[text/css: a.css]\nmeant\n;");
    put_text("page.mht", parts);
    expect("page.mht", "page.mht|mail|\nA page\n\n[text/css: a.css]\nmeant\n;");
    put_text("page.mht", "No such thing: a text\n");
    expect("page.mht", "page.mht|text|No such thing: a text\n;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_message),        cmocka_unit_test(reads_parts),
        cmocka_unit_test(reads_what_is_attached), cmocka_unit_test(reads_attached_archives),
        cmocka_unit_test(names_what_is_attached), cmocka_unit_test(reads_an_mbox),
        cmocka_unit_test(knows_undated_mails),    cmocka_unit_test(survives_broken_mails),
        cmocka_unit_test(leaves_others_alone),    cmocka_unit_test(reads_saved_pages),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
