// Documents in HTML.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/io/doc/doc_fixture.h"
#include "tests/unit/own_dir.h"

static void expect_html(const char *html, const char *text)
{
    char expected[4096];
    put_text("x.html", html);
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
         "</html>",
         "T < U\n\nH\n\none\n\ntwo\n"},
        {"<p>a<br>b<br/>c<br><br>d", "a\nb\nc\n\nd\n"},
        {"<ul><li>a<li>b<ol><li>c</ol><li>d</ul>e", "a\nb\n1. c\nd\ne\n"},
        {"<ol start=3><li><p>a</p><li value='7'>b</li><li><b>c</b></ol><ol><li>d<li></ol>",
         "3. a\n\n7. b\n8. c\n1. d\n"},
        {"<ol type=a><li>x<ol type=I start=4><li>y<li>z</ol><li>u</ol><li>v",
         "a. x\nIV. y\nV. z\nb. u\nv\n"},
        {"<ol type=i start=3999><li>x<li>y</ol><ol type=A start=0><li>z</ol>",
         "mmmcmxcix. x\n4000. y\n0. z\n"},
        {"<ol start='99999999999999999999'><li>x</ol></ol></ol><ol><li><script>s</script>w",
         "1. x\n1. w\n"},
        {"<table><tr><td>1</td> <td> 2</td></tr><tr><th>3<th>4</table>", "1\t2\n3\t4\n"},
        {"<dl><dt>a</dt><dd>b<br>c<p>d</dd><dt>e</dt><dd><p>j</p></dd><dd><pre>f\ng</pre></"
         "dd><dd><ol><li>h</ol></"
         "dl>i",
         "a\n    b\n    c\n\n    d\n\ne\n    j\n\nf\ng\n\n    1. h\ni\n"},
        {"</p> </dd ><dd><dl><dd><dl><dd><dl><dd><dl><dd>deep<table><tr><td>a<td>b</table>",
         "                deep\n\na\tb\n"},
        // What stands below one another has as many tabs before it.
        {"<table><tr><th></th><th>a</th><th>b</th></tr><tr><td>c</td><td></td><td>1</td></tr>"
         "<tr><td>d</td> <td>2</td> <td> </td></tr><tr><td></td><td>3</td></tr></table>e",
         "\ta\tb\nc\t\t1\nd\t2\t\n\t3\n\ne\n"},
        {"<table><tr><th>a<th colspan=2>b<th>c<tr><td "
         "rowspan='2'>d<td>1<td>2<td>3<tr><td>4<td>5<td>6"
         "<tr><td colspan=3>e<td>7</table>",
         "a\tb\t\tc\nd\t1\t2\t3\n\t4\t5\t6\ne\t\t\t7\n"},
        {"<table><tr><td rowspan=99999 colspan=-1>a<td colspan=x>b<tr><td>c</table>",
         "a\tb\n\tc\n"},
        {"<table><tr><th>a<th>b<th>c<tr><td><pre>d\ne\n</pre></td><td></td><td></td></tr></table>f",
         "a\tb\tc\nd\ne\n\nf\n"},
        {"<table><tr><th>a<th>b<tr><td><pre>d\n</pre></td><td></td></tr><tr><td>e</table>",
         "a\tb\nd\n\ne\n"},
        {"<table><tr><th>a<br>b<th><br>c<br><tr><td>d<br/>e<td>f</table>g<br>h",
         "a b\tc\nd e\tf\n\ng\nh\n"},
        {"<table><tr><td>a<br>b<td>c</table>", "a\nb\tc\n"},
        // An empty corner of a table that is not known to be one yet.
        {"<table><tr><td></td><td>a</td><td>b</td></tr><tr><td>c</td><td>1</td><td>2</td></table>",
         "\ta\tb\nc\t1\t2\n"},
        {"x<table><tr><td></td><td></td><td>a b</td><td><p>c</p></td></tr></table>",
         "x\n\n\t\ta b\tc\n"},
        {"<table><tr><td></td><td>a</td><td></td></tr><tr><td></td><td>b</td></tr></table>c",
         "a\nb\n\nc\n"},
        // A table in a cell, whose columns are its own.
        {"<table><tr><th>a<th>b<th>c<tr><td>d<td><table><tr><td>e<td>f</table><td>g"
         "<tr><td>h<td><td>i</table>",
         "a\tb\tc\nd\n\ne\tf\n\ng\nh\t\ti\n"},
        {"<table><tr><td><td>a<table><tr><td><td>b<table><tr><td><table><tr><td><table><tr><td>c<"
         "td>d"
         "</table></table></table></table><tr><td><td>e<td>f</table></table></table>g",
         "a\n\nb\n\nc\td\n\n\te\tf\n\ng\n"},
        {"<table><tr><td>a<td><table></table><td>b</table>", "a\t\tb\n"},
        // Paragraphs in cells, but not what is beside them for the looks.
        {"<table><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p></p></td>"
         "<td><div>d</div></td></tr></table><p>e",
         "a\tb\nc\t\td\n\ne\n"},
        {"<table><tr><td></td><td><p>a</p><p>b</p></td><td><p>c</p></td></tr></table>",
         "a\n\nb\n\nc\n"},
        {"<table><tr><td><h1>a</h1></td></tr><tr><td><p>b</p></td></tr></table>", "a\n\nb\n"},
        {"<table><tr><td></td><td>a<table><tr><td>b<td>c</table></td><td>d</td></tr></table>",
         "a\n\nb\tc\n\nd\n"},
        {"a<pre>\n  x\n\n\n\ty\r\n</pre>b", "a\n\n  x\n\n\n\ty\n\nb\n"},
        {"<b>bo</b>ld<i> it</i> <a href='x'>li</a>nk", "bold it link\n"},
        {"&eacute;&#8364;&nbsp;&nbsp;x &bogus; &amp;amp;",
         "\xc3\xa9\xe2\x82\xac x &bogus; &amp;\n"},
        {"<div>a<div>b</div>c</div>", "a\nb\nc\n"},
        {"<p>a<!-- <p>no --><script>document.write('</p>')</script>b", "ab\n"},
        {"<body><p>in</p></body></html>\n<p>after</p> more", "in\n\nafter\n\nmore\n"},
        {"<p>broken <b>tags</i> <p <p>x</p", "broken tags\n\nx\n"},
        {"<p><![if !supportLists]><span>1.&nbsp;</span><![endif]>one <!--[if gte mso "
         "9]><p>no<![endif]"
         "--><!WORD x>two",
         "1. one two\n"},
        {"<P>UPPER</P><BR><SCRIPT>no</SCRIPT>", "UPPER\n"},
        {"<!DOCTYPE html [<!ENTITY foo \"bar\">]><p>a[1]", "a[1]\n"},
        {"\n<?xml version='1.0'?><!-- [ --><!doctype html PUBLIC \"-//W3C//[EN\" 'x>' [\n"
         "<!ENTITY a ']>'><!-- it's ]> -->\n]\n><p>a</p>]>b",
         "a\n\n]>b\n"},
        {"<!DOCTYPE html><p>a [<!b] c]>", "a [\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_html(rows[i].html, rows[i].text);
    // By content, and only where it is.
    put_text("page", "\n<!-- c --><!DOCTYPE html><p>x");
    expect("page", "page|html|x\n;");
    put_text("page", "we write <html> here");
    expect("page", "page|text|we write <html> here;");
    put_text("x.HTM", "<p>x");
    expect("x.HTM", "x.HTM|html|x\n;");
    expect_as("x.HTM", "text", "x.HTM|text|<p>x;");
    put_packed("x.html.gz", "gzip", "<p>x", 4);
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
    put_bytes("x.html", "\xff\xfe<\0p\0>\0\xe9\0", 10);
    expect("x.html", "x.html|html|\xc3\xa9\n;");
    put_bytes("x.html", "<p>a\0b</p><p>c", 14);
    expect("x.html", "x.html|html|a b\n\nc\n;");
    // The first byte that is not UTF-8 comes after the part that the guess is made from.
    char late[6000];
    memset(late, ' ', sizeof late);
    memcpy(late, "<p>a", 4);
    memcpy(late + 5990, "\xc3\xa9 caf\xe9 !", 10);
    put_bytes("x.html", late, sizeof late);
    expect("x.html", "x.html|html|a \xc3\xa9 caf\xc3\xa9 !\n;");
    put_text("x.html", "<meta charset=klingon><p>x");
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
        fprintf(h,
                "<p class=\"c%d\">w\xc3\xa9%d &amp; x&#%d;<!-- c --></p></body></html>"
                "<script>a<b</script>",
                i, i, 65 + i % 26);
        fprintf(t, "%sw\xc3\xa9%d & x%c", i ? "\n\n" : "", i, 65 + i % 26);
    }
    fprintf(t, "\n;");
    fclose(h);
    fclose(t);
    put_bytes("long.html", html, n_html);
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

// The first row of a table, cut by a block's end at each of its bytes.
static void reads_cut_corners(void **state)
{
    (void)state;
    enum { BLOCK = 1 << 14 };
    static char html[BLOCK + 64], text[BLOCK + 64];
    static const char row[] = "<table><tr><td><td>a<td>b<tr><td>c";
    for (int n = BLOCK - (int)sizeof row; n <= BLOCK; n++) {
        memset(html, 'x', (size_t)n);
        memcpy(html + n, row, sizeof row);
        snprintf(text, sizeof text, "x.html|html|%.*s\n\n\ta\tb\nc\n;", n, html);
        put_text("x.html", html);
        expect("x.html", text);
    }
}

// Megabytes of BETWEEN with what follows.
static void expect_soon(const char *before, const char *between, int n, const char *after,
                        const char *text)
{
    char *html, expected[256];
    size_t n_html;
    FILE *h = open_memstream(&html, &n_html);
    assert_true(h);
    fputs(before, h);
    for (int i = 0; i < n; i++)
        fprintf(h, between, i);
    fputs(after, h);
    fclose(h);
    put_bytes("x.html", html, n_html);
    free(html);
    snprintf(expected, sizeof expected, "x.html|html|%s;", text);
    const clock_t began = clock();
    expect("x.html", expected);
    assert_true(clock() - began < 30 * CLOCKS_PER_SEC);
}

// What would take the parser many minutes: of a tag attributes, of elements others within them.
static void reads_hostile_html_soon(void **state)
{
    (void)state;
    expect_soon("<p>before<p ", "a%d=\"x>\" ", 400000, "z='>'>after<i>!</i>", "before\n\nafter!\n");
    expect_soon("<p>before<p ", "a%d=/x/y\t", 400000, "b = \"'\nc>'\">after<br/>!",
                "before\n\nafter\n!\n");
    expect_soon("<p>before<p a=\"", "%d >", 400000, "\"b>after", "before\n\nafter\n");
    expect_soon("<p>before", "<div id=%d>", 200000, "deep", "before\n\ndeep\n");
    expect_soon("<p>before", "<b></p id=%d>", 400000, "<script>no</script>deep",
                "before\n\ndeep\n");
    expect_soon("<template><b>", "<div id=%d>", 200000, "</b></div></template>after", "after\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduces_html),
        cmocka_unit_test(knows_charsets),
        cmocka_unit_test(reads_long_html),
        cmocka_unit_test(reads_cut_corners),
        cmocka_unit_test(reads_hostile_html_soon),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
