// Documents: text, HTML, archives and compressed files, read to the end as encode does.
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/doc/doc.h"
#include "tests/fuzz/fuzz.h"

// ---- seeds

static const char html[] =
    "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>T</title><style>p{}</style></head>"
    "<body><h1>Head&nbsp;line</h1><p>One &lt;two&gt; &#8364; &amp; <b>three</b></p><ul><li>a<li>b"
    "</ul><table><tr><th rowspan=2>1<th colspan=2>2</tr><tr><td><p>3</p></td><td></td></tr></table>"
    "<dl><dt>c<dd><p>d</dl><pre>x\n  y</pre><script>no()</script>"
    "<!-- no --></body></html>";
static const char plain[] = "Line one\nL\xc3\xa4nge \xff\xfe zwei\r\n\0 three \xe2\x82\xac\n";

typedef int fuzz_format(struct archive *a);

static void add_member(struct archive *a, const char *name, int type, const void *p, size_t n)
{
    struct archive_entry *m = archive_entry_new();
    archive_entry_set_pathname(m, name);
    archive_entry_set_filetype(m, (unsigned)type);
    archive_entry_set_perm(m, 0644);
    archive_entry_set_size(m, (la_int64_t)n);
    if (type == AE_IFLNK)
        archive_entry_set_symlink(m, "elsewhere");
    archive_write_header(a, m);
    archive_write_data(a, p, n);
    archive_entry_free(m);
}

// A page of text; pdftotext finds the objects although there is no table of them.
static const char pdf[] =
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    "2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 "
    "R>>>>>>endobj\n"
    "4 0 obj<</Length 31>>stream\nBT /F 9 Tf 9 50 Td (Rent) Tj ET\nendstream endobj\n"
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Size 6/Root 1 0 "
    "R>>\n%%EOF\n";

static const char mail[] =
    "From ann Mon May  6 10:00:00 2024\nFrom: Ann\nDate: now\nSubject: =?utf-8?Q?M=C3=BChle?= "
    "=?koi8-r?B?wcHB?=\n"
    "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html; charset=latin1\n"
    "Content-Transfer-Encoding: "
    "quoted-printable\n\n<p>R=FCck=\nweg\n--x\nContent-Transfer-Encoding: base64\n\nVGhlIHJlbnQ=\n"
    "--x\nContent-Type: message/rfc822\n\nFrom: Bob\n\n>From in\n--x\nContent-Type: a/b; "
    "name=c\n\nd\n--x--\n\n"
    "From bob Mon May  6 11:00:00 2024\nFrom: Bob\nDate: now\n\nTwo.\n";

// What is attached: an HTML text, and a text in a gzip file.
static const char attached[] =
    "From: Ann\nDate: now\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee\n--x\n"
    "Content-Type: application/octet-stream;\n name*0*=utf-8''p%20; "
    "name*1=.html\n\n<html><p>R&uuml;ck</html>\n--x\n"
    "Content-Type: application/gzip; name=l.gz\nContent-Transfer-Encoding: base64\n\n"
    "H4sIAAAAAAAAA8vJzEvlAgAORdhmBQAAAA==\n--x--\n";

// An archive comes behind it.
static const char attaches[] =
    "From: Ann\nDate: now\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
    "Content-Type: application/x-tar; name=a.tar\n\n";

static const char calendar[] =
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=\"A;B\":20240312T090000\nDTEND:20240312T093000Z\n"
    "SUMMARY:Rent\\, d\n ue\nRRULE:FREQ=WEEKLY;BYDAY=MO,-1FR;COUNT=3;UNTIL=20250101\n"
    "ATTENDEE;CN=Ann:mailto:ann@x\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n",
                  card[] = "BEGIN:VCARD\nFN;CHARSET=latin1;ENCODING=QUOTED-PRINTABLE:R=FC=\nck\n"
                           "a.TEL;TYPE=\"cell,fax\":1\nADR;HOME:;;A;B\\;C;\nBDAY:1979-11-03\nEND:"
                           "VCARD\n";

static const char srt[] = "1\n00:00:04,200 --> 00:00:06,100\n<i>Is he\nhere?</i>\n\n2\n"
                          "00:02:06,300 --> 00:02:07,000\n- No.\n- {\\an8}Where?\n",
                  vtt[] = "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann "
                          "Reed>Good\n\n00:02.000 --> 00:03.000\nGood\nR&amp;<c>D</c>\n";

enum book { NO_BOOK, EPUB, DOCX, ODT };

// With NULL for FORMAT the text alone, compressed.
static void pack(fuzz_format *format, fuzz_format *filter, enum book book, struct bytes *out)
{
    size_t used = 0, cap = 1 << 16;
    uint8_t *buf = malloc(cap);
    struct archive *a = archive_write_new();
    if (!buf || !a)
        abort();
    if (format)
        format(a);
    else
        archive_write_set_format_raw(a);
    if (filter)
        filter(a);
    archive_write_set_bytes_in_last_block(a, 1);
    if (book)
        archive_write_set_options(a, "zip:compression=store");
    if (archive_write_open_memory(a, buf, cap, &used) != ARCHIVE_OK)
        abort();
    if (book == EPUB) {
        static const char is[] = "application/epub+zip",
                          root[] = "<container><rootfile full-path=\"p.opf\"/></container>";
        static const char spine[] =
            "<package><manifest><item id=\"b\" href=\"../%62.xhtml#x\"/></manifest><spine>"
            "<itemref idref=\"b\"/></spine></package>";
        add_member(a, "mimetype", AE_IFREG, is, sizeof is - 1);
        add_member(a, "META-INF/container.xml", AE_IFREG, root, sizeof root - 1);
        add_member(a, "p.opf", AE_IFREG, spine, sizeof spine - 1);
        add_member(a, "b.xhtml", AE_IFREG, html, sizeof html - 1);
        add_member(a, "a.xhtml", AE_IFREG, html, sizeof html - 1);
    } else if (book == DOCX) {
        static const char xml[] =
            "<?xml "
            "version=\"1.0\"?><w:document><w:body><w:p><w:r><w:t>Rent</w:t><w:tab/></w:r></w:p>"
            "<w:tbl><w:tr><w:tc><w:p><w:t>a</w:t></w:p></w:tc></w:tr></w:tbl></w:body></"
            "w:document>";
        add_member(a, "[Content_Types].xml", AE_IFREG, "<Types/>", 8);
        add_member(a, "word/document.xml", AE_IFREG, xml, sizeof xml - 1);
    } else if (book == ODT) {
        static const char is[] = "application/vnd.oasis.opendocument.text";
        static const char xml[] =
            "<?xml version=\"1.0\"?><office:text><text:h>Rent</text:h><text:p>due<text:s/>now"
            "<office:annotation>no</office:annotation></text:p><table:table><table:table-row>"
            "<table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></"
            "table:table>"
            "</office:text>";
        add_member(a, "mimetype", AE_IFREG, is, sizeof is - 1);
        add_member(a, "content.xml", AE_IFREG, xml, sizeof xml - 1);
    } else if (format) {
        add_member(a, "a.txt", AE_IFREG, plain, sizeof plain - 1);
        add_member(a, "d/", AE_IFDIR, "", 0);
        add_member(a, "../b.html", AE_IFREG, html, sizeof html - 1);
        add_member(a, "link", AE_IFLNK, "", 0);
    } else {
        add_member(a, "data", AE_IFREG, plain, sizeof plain - 1);
    }
    archive_write_close(a);
    archive_write_free(a);
    fuzz_add(out, buf, used);
    free(buf);
}

static int seed(int i, struct bytes *out);

// An archive with seed I as its member NAME.
static void pack_seed(fuzz_format *format, int i, const char *name, struct bytes *out)
{
    uint8_t buf[1 << 16];
    size_t used = 0;
    struct bytes inner = {0};
    seed(i, &inner);
    struct archive *a = archive_write_new();
    if (!a || format(a) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK ||
        archive_write_open_memory(a, buf, sizeof buf, &used) != ARCHIVE_OK)
        abort();
    add_member(a, name, AE_IFREG, inner.p, inner.n);
    archive_write_close(a);
    archive_write_free(a);
    fuzz_add(out, buf, used);
    free(inner.p);
}

#define TEXT(a) .text = (a), .bytes = sizeof(a) - 1
#define AS(how) .format = archive_write_set_format_##how
#define BY(how) .filter = archive_write_add_filter_##how

enum { GZIPPED_TAR = 8, WORD = 13, ATTACHED = 17 };

// A text, an archive of the usual files or those of a book, or one that has another seed as its
// member NAME; or a text and an archive behind it.
static const struct seed_row {
    const char *text;
    size_t bytes;
    fuzz_format *format, *filter;
    enum book book;
    int inner;
    const char *name;
} seeds[] = {
    {TEXT(plain)},
    {TEXT(html)},
    {TEXT("\xff\xfeH\0i\0 \0\x3d\xd8\x00\xde\n\0")}, // UTF-16
    {AS(ustar)},
    {AS(pax)},
    {AS(zip)},
    {AS(7zip)},
    {AS(zip), .book = EPUB},
    [GZIPPED_TAR] = {AS(ustar), BY(gzip)},
    {BY(gzip)},
    {BY(xz)},
    {BY(zstd)},
    {BY(bzip2)},
    [WORD] = {AS(zip), .book = DOCX},
    {AS(zip), .book = ODT},
    {TEXT(pdf)},
    {TEXT(mail)},
    [ATTACHED] = {TEXT(attached)},
    {AS(ustar), .inner = WORD, .name = "l.docx"},
    {AS(zip), .inner = GZIPPED_TAR, .name = "t.tgz"},
    {TEXT(attaches), AS(ustar), .inner = ATTACHED, .name = "m.eml"},
    {TEXT(calendar)},
    {TEXT(".TH MILL 1\n.SH NAME\nmill \\- grinds \\fBcorn\\fP\n.TP\n.B \\-f\nFine.\n")},
    {TEXT(card)},
    {TEXT(srt)},
    {TEXT(vtt)},
};

static int seed(int i, struct bytes *out)
{
    if (i >= (int)(sizeof seeds / sizeof *seeds))
        return 0;
    const struct seed_row *s = &seeds[i];
    if (s->text)
        fuzz_add(out, s->text, s->bytes);
    if (s->name)
        pack_seed(s->format, s->inner, s->name, out);
    else if (s->format || s->filter)
        pack(s->format, s->filter, s->book, out);
    return 1;
}

// ---- changes

static const char *const words[] = {
    "<p>",
    "</p>",
    "<div>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<title>",
    "<table><tr><td>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    "&nbsp;",
    "&#0;",
    "&#x110000;",
    "&#xD800;",
    "&bogus;",
    "&",
    "<",
    "<meta charset=koi8-r>",
    "charset=utf-7",
    "charset=shift_jis",
    "charset=iso-2022-jp",
    "charset=gb18030",
    "charset=nonsense",
    "<br>",
    "<a href='",
    "\xef\xbb\xbf",
    "\xff\xfe",
    "\xfe\xff",
    "\xc3",
    "\xed\xa0\x80",
    "\x1f\x8b",
    "PK\3\4",
    "7z\xbc\xaf\x27\x1c",
    "mimetype",
    "application/epub+zip",
    "%PDF-",
    "\n\nFrom a 10:00\n",
    "\n--x\n",
    "\n--x--\n",
    "Content-Type: multipart/alternative; boundary=x\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "=?utf-8?B?",
    "?=",
    "endstream endobj\n",
    "<text:p>",
    "<w:t>",
    "</w:t>",
    "<w:p>",
    "<w:tc>",
    "word/document.xml",
    "content.xml",
    "../../etc/passwd",
    "/abs",
    "ustar",
    NULL,
};

enum { TAR = 512 };

// The sums of tar headers are made right, so that what else they say is believed.
static void seal_tar(uint8_t *p, size_t n)
{
    for (size_t at = 0; at + TAR <= n; at += TAR) {
        unsigned sum = 0;
        char field[8];
        if (memcmp(p + at + 257, "ustar", 5))
            continue;
        memset(p + at + 148, ' ', 8);
        for (size_t i = 0; i < TAR; i++)
            sum += p[at + i];
        snprintf(field, sizeof field, "%06o", sum & 0777777);
        memcpy(p + at + 148, field, 7);
    }
}

static size_t mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    n = fuzz_mutate_bytes(r, data, n, cap, words);
    seal_tar(data, n);
    return n;
}

// ---- reading

enum { ENOUGH = 1 << 20, MEMBERS = 64 }; // a few bytes can unpack to gigabytes

static int read_all(const char *path, const char *format)
{
    static char buf[5000];
    const char *const inputs[] = {path};
    struct doc_reader *r;
    struct doc_info info;
    struct err e;
    if (doc_open(&r, inputs, 1, &(struct doc_options){.format = format}, &e))
        return 0;
    size_t bytes = 0;
    ssize_t n = 0;
    int rc = 0;
    for (int i = 0; i < MEMBERS && bytes < ENOUGH && n >= 0; i++) {
        if ((rc = doc_next(r, &info, &e)) != 1)
            break;
        uint64_t done, total;
        while (bytes < ENOUGH && (n = doc_read(r, buf, 1 + bytes % sizeof buf, &e)) > 0)
            bytes += (size_t)n;
        doc_progress(r, &done, &total);
    }
    doc_close(r);
    return rc >= 0 && n >= 0 && bytes > 0;
}

static int read_document(const uint8_t *data, size_t n)
{
    const char *path = fuzz_file("x.dat", data, n);
    if (n % 4 == 0)
        read_all(path, "html");
    return read_all(path, NULL);
}

const struct fuzz_target fuzz_doc = {
    .name = "doc", .runs = 6000, .seed = seed, .mutate = mutate, .read = read_document};
