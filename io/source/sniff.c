#define _GNU_SOURCE
#include "io/source/sniff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>
#include <zlib.h>

#include "io/source/magic.h"
#include "io/source/sniff_charset.h"
#include "io/source/sniff_cue.h"
#include "io/source/stream.h"

// Formats whose bytes are no text. The tool is the usual one to get text, or the advice.
static const struct {
    size_t at;
    const char *magic;
    size_t n;
    const char *what, *tool;
} known[] = {
    {0, DOC_MAGIC("%!PS"), "PostScript", "ps2ascii"},
    {0, DOC_MAGIC("{\\rtf"), "RTF", "libreoffice --convert-to txt"},
    {0, DOC_MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an old Office document",
     "libreoffice --convert-to txt"},
    {0, DOC_MAGIC("AT&TFORM"), "a DjVu document", "djvutxt"},
    {60, DOC_MAGIC("BOOKMOBI"), "a Mobipocket book", "ebook-convert * .txt"},
    {0, DOC_MAGIC("SQLite format 3"), "an SQLite database", "sqlite3 -readonly * .dump"},
    {0, DOC_MAGIC("Rar!\x1a\x07"), "a RAR archive", "unrar x"},
    {0, DOC_MAGIC("!<arch>\n"), "an ar archive", "ar x"},
    {0, DOC_MAGIC("MSCF\0\0\0\0"), "a cabinet archive", "cabextract"},
    {0, DOC_MAGIC("\x1f\x8b\x08"), "compressed once more", "gunzip"},
    {0,
     DOC_MAGIC("\xfd"
               "7zXZ\0"),
     "compressed once more", "unxz"},
    {0, DOC_MAGIC("\x28\xb5\x2f\xfd"), "compressed once more", "unzstd"},
    {0,
     DOC_MAGIC("\x7f"
               "ELF"),
     "a program", NULL},
    {0, DOC_MAGIC("GGUF"), "a model", NULL},
    {0, DOC_MAGIC("\x89kvz\r\n\x1a\n"), "an index", NULL},
    {0, DOC_MAGIC("\x89PNG\r\n"), "an image", "tesseract * -"},
    {0, DOC_MAGIC("\xff\xd8\xff"), "an image", "tesseract * -"},
    {0, DOC_MAGIC("GIF8"), "an image", "tesseract * -"},
    {0, DOC_MAGIC("II*\0"), "an image", "tesseract * -"},
    {0, DOC_MAGIC("MM\0*"), "an image", "tesseract * -"},
    {8, DOC_MAGIC("WEBPVP8"), "an image", "tesseract * -"},
    {8, DOC_MAGIC("WAVEfmt"), "a sound", NULL},
    {0, DOC_MAGIC("fLaC\0"), "a sound", NULL},
    {0, DOC_MAGIC("OggS\0"), "a sound or film", NULL},
    {0, DOC_MAGIC("ID3\x03"), "a sound", NULL},
    {0, DOC_MAGIC("ID3\x04"), "a sound", NULL},
    {4, DOC_MAGIC("ftyphei"), "an image", "heif-convert * image.png"},
    {4, DOC_MAGIC("ftypmif1"), "an image", "heif-convert * image.png"},
    {4, DOC_MAGIC("ftypavif"), "an image", "heif-convert * image.png"},
    {4, DOC_MAGIC("ftypM4A"), "a sound", NULL},
    {4, DOC_MAGIC("ftyp"), "a film", NULL},
    {0, DOC_MAGIC("\x1a\x45\xdf\xa3"), "a film", NULL},
};

// The sum of a tar header, whose own field counts as blanks; older archives have no other magic.
static int is_tar(const uint8_t *head, size_t n)
{
    if (n < 512 || !head[0])
        return 0;
    char field[9] = {0};
    memcpy(field, head + 148, 8);
    char *end;
    unsigned long sum = 0, said = strtoul(field, &end, 8);
    for (size_t i = 0; i < 512; i++)
        sum += i >= 148 && i < 156 ? ' ' : head[i];
    return end != field && sum == said;
}

// Whether HEAD [n] has the line above a node of an Info file.
static int is_texinfo(const uint8_t *head, size_t n)
{
    static const char file[] = "File: ", node[] = "Node: ";
    for (const uint8_t *p = head; (p = memchr(p, TEXINFO_BORDER, (size_t)(head + n - p))); p++) {
        const uint8_t *line = p + 1, *end;
        line += line < head + n && *line == '\f';
        if ((p > head && p[-1] != '\n') || line == head + n || *line++ != '\n')
            continue;
        end = memchr(line, '\n', (size_t)(head + n - line));
        end = end ? end : head + n;
        if ((size_t)(end - line) > sizeof file && !memcmp(line, file, sizeof file - 1) &&
            memmem(line, (size_t)(end - line), node, sizeof node - 1))
            return 1;
    }
    return 0;
}

static int ends_with(const char *name, const char *ext)
{
    size_t n = strlen(name), m = strlen(ext);
    return n >= m && !strcasecmp(name + n - m, ext);
}

// What a member of a zip that is compressed begins with, in TO [cap]: so many bytes.
static size_t inflate_head(const uint8_t *p, size_t n, char *to, size_t cap)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)p, .avail_in = (uInt)n};
    z.next_out = (Bytef *)to;
    z.avail_out = (uInt)cap;
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return 0;
    inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return cap - z.avail_out;
}

// What a zip is whose name ends with EXT.
struct named_zip {
    const char *ext;
    struct doc_sniffed is;
};

// That of FILE among V [n]; NULL: its name ends with none of them.
static const struct doc_sniffed *find_name(const struct named_zip *v, size_t n, const char *file)
{
    for (size_t i = 0; i < n; i++)
        if (ends_with(file, v[i].ext))
            return &v[i].is;
    return NULL;
}

// Documents that are zip archives inside begin with a member of a telling name, or with one named
// "mimetype" that holds what they are, which not every program leaves uncompressed.
static struct doc_sniffed sniff_zip(const uint8_t *head, size_t n, const char *file)
{
    static const struct {
        int is_mimetype;
        const char *begin;
        struct doc_sniffed is;
    } kinds[] = {
        {1, "application/epub+zip", {DOC_EPUB, NULL, NULL}},
        {1, "application/vnd.oasis.opendocument.text", {DOC_ODT, NULL, NULL}},
        {1,
         "application/vnd.oasis.opendocument",
         {DOC_UNSUPPORTED, "an OpenDocument file", "libreoffice --convert-to txt"}},
        {0, "META-INF/container.xml", {DOC_EPUB, NULL, NULL}},
        {0, "[Content_Types].xml", {DOC_DOCX, NULL, NULL}},
        {0, "_rels/.rels", {DOC_DOCX, NULL, NULL}},
        {0, "docProps/", {DOC_DOCX, NULL, NULL}},
        {0, "word/", {DOC_DOCX, NULL, NULL}},
    };
    static const struct named_zip named[] = {
        {".xlsx", {DOC_UNSUPPORTED, "a spreadsheet", "libreoffice --convert-to csv"}},
        {".xlsm", {DOC_UNSUPPORTED, "a spreadsheet", "libreoffice --convert-to csv"}},
        {".xltx", {DOC_UNSUPPORTED, "a spreadsheet", "libreoffice --convert-to csv"}},
        {".xlsb", {DOC_UNSUPPORTED, "a spreadsheet", "libreoffice --convert-to csv"}},
        {".pptx", {DOC_UNSUPPORTED, "a presentation", "libreoffice --convert-to html"}},
        {".pptm", {DOC_UNSUPPORTED, "a presentation", "libreoffice --convert-to html"}},
        {".ppsx", {DOC_UNSUPPORTED, "a presentation", "libreoffice --convert-to html"}},
        {".vsdx", {DOC_UNSUPPORTED, "a drawing", "libreoffice --convert-to pdf"}},
    };
    // Zipped by hand or by a script, in some order of its own.
    static const struct named_zip by_hand[] = {
        {".epub", {DOC_EPUB, NULL, NULL}},
        {".odt", {DOC_ODT, NULL, NULL}},
        {".ott", {DOC_ODT, NULL, NULL}},
        {".docx", {DOC_DOCX, NULL, NULL}},
        {".docm", {DOC_DOCX, NULL, NULL}},
        {".ods", {DOC_UNSUPPORTED, "a spreadsheet", "libreoffice --convert-to csv"}},
        {".odp", {DOC_UNSUPPORTED, "a presentation", "libreoffice --convert-to html"}},
    };
    const struct doc_sniffed *is = find_name(named, sizeof named / sizeof named[0], file);
    if (is)
        return *is;
    enum { DEFLATED = 8 };
    if (n >= 30) {
        size_t name = 30, n_name = head[26] | head[27] << 8, n_extra = head[28] | head[29] << 8;
        int is_mimetype = n_name == 8 && sniff_has(head, n, name, DOC_MAGIC("mimetype"));
        size_t at = is_mimetype ? name + n_name + n_extra : name;
        char type[64]; // longer than those below
        const uint8_t *p = head;
        if (is_mimetype && head[8] == DEFLATED && at < n) {
            n = inflate_head(head + at, n - at, type, sizeof type);
            p = (const uint8_t *)type;
            at = 0;
        }
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (kinds[i].is_mimetype == is_mimetype &&
                sniff_has(p, n, at, kinds[i].begin, strlen(kinds[i].begin)))
                return kinds[i].is;
    }
    is = find_name(by_hand, sizeof by_hand / sizeof by_hand[0], file);
    return is ? *is : (struct doc_sniffed){.kind = DOC_ZIP};
}

// Whether NAME ends with EXT, or with that of a compressed file behind it: page.html.gz.
static int ends_with_packed(const char *name, const char *ext)
{
    static const char *const packed[] = {"", ".gz", ".xz", ".zst", ".bz2", ".lz4"};
    char both[16];
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (ends_with(name, strcat(strcpy(both, ext), packed[i])))
            return 1;
    return 0;
}

static int is_html_name(const char *name)
{
    return ends_with_packed(name, ".html") || ends_with_packed(name, ".htm") ||
           ends_with_packed(name, ".xhtml");
}

// An archive of nothing is its end alone, two blocks of zeros or more, of which only the name tells
// that it is one.
static int is_empty_tar(const uint8_t *head, size_t n, const char *name)
{
    return n >= 1024 && !head[0] && !memcmp(head, head + 1, n - 1) &&
           ends_with_packed(name, ".tar");
}

static int is_html(const uint8_t *head, size_t n)
{
    size_t i = sniff_has(head, n, 0, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (i < n) {
        const uint8_t *p = head + i;
        if (isspace(*p)) {
            i++;
        } else if (n - i >= 4 && !memcmp(p, "<!--", 4)) {
            const uint8_t *end = memmem(p, n - i, "-->", 3);
            if (!end)
                return 0;
            i = (size_t)(end - head) + 3;
        } else if (n - i >= 5 && !memcmp(p, "<?xml", 5)) {
            const uint8_t *end = memchr(p, '>', n - i);
            if (!end)
                return 0;
            i = (size_t)(end - head) + 1;
        } else {
            return (n - i >= 14 && !strncasecmp((const char *)p, "<!doctype html", 14)) ||
                   (n - i >= 6 && !strncasecmp((const char *)p, "<html", 5) &&
                    (p[5] == '>' || isspace(p[5])));
        }
    }
    return 0;
}

// Some programs write a line end or a byte order mark before it.
static int is_pdf(const uint8_t *head, size_t n)
{
    size_t at = sniff_has(head, n, 0, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (at < n && at < 16 && isspace(head[at]))
        at++;
    return sniff_has(head, n, at, DOC_MAGIC("%PDF-"));
}

// Something else, such as the head of a reply or orders to a printer, stands before it, as readers
// of PDFs allow. A text may speak of PDFs: so it is called one, or holds what is no text.
static int is_late_pdf(const uint8_t *head, size_t n, const char *name)
{
    enum { MOST = 1024 };
    const uint8_t *at = memmem(head, n < MOST ? n : MOST, DOC_MAGIC("%PDF-"));
    if (!at || ends_with_packed(name, ".pdf"))
        return at != NULL;
    at += sizeof "%PDF-1.7" - 1;
    return at < head + n && (*at == '\n' || *at == '\r') &&
           (memchr(head, 0, n) || !sniff_is_utf8(head, n));
}

static int begins_with(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && !strncasecmp(p, word, n);
}

// What a field says of the head that it stands in.
enum { FROM = 1, SENT = 2, TYPED = 4, OF_MAIL = 8 };

static int field_says(const char *p, const char *end)
{
    static const struct {
        const char *field;
        int says;
    } fields[] = {
        {"From:", FROM},         {"Message-ID:", SENT},
        {"Received:", SENT},     {"Date:", SENT},
        {"MIME-Version:", SENT}, {"Content-Type:", TYPED},
        {"To:", OF_MAIL},        {"Content-Transfer-Encoding:", TYPED},
        {"Subject:", OF_MAIL},   {"Return-Path:", OF_MAIL},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (begins_with(p, end, fields[i].field))
            return fields[i].says;
    return 0;
}

// A message begins with fields, of which one says from whom it is (though it may come late) and
// another that it was sent or what its text is; an mbox has a line of its own before it. A page
// that a browser has saved as one is from nobody, and what is called a mail needs no more than one
// of the fields of mails.
static int is_mail(const uint8_t *head, size_t n, const char *name)
{
    const char *p = (const char *)head, *end = p + n, *line_end;
    p += sniff_has(head, n, 0, "\xef\xbb\xbf", 3) ? 3 : 0;
    int says = ends_with(name, ".mht") || ends_with(name, ".mhtml") ? FROM : 0, is_cut = 0;
    if (begins_with(p, end, "From "))
        p = (line_end = memchr(p, '\n', (size_t)(end - p))) ? line_end + 1 : end;
    for (; p < end && *p != '\n' && *p != '\r'; p = line_end + 1) {
        const char *colon = p;
        while (colon < end && (isalnum((unsigned char)*colon) || *colon == '-' || *colon == '_'))
            colon++;
        if (*p != ' ' && *p != '\t' && (colon == p || colon == end || *colon != ':'))
            return 0;
        says |= field_says(p, end);
        if (!(line_end = memchr(p, '\n', (size_t)(end - p)))) {
            is_cut = n == DOC_HEAD;
            break;
        }
    }
    if (ends_with_packed(name, ".eml"))
        return says != 0;
    return says & FROM ? says & (SENT | TYPED) : says & SENT && is_cut;
}

// Whether HEAD [n] is a page of a manual: it begins with a request or a comment of man's language,
// and one of its lines begins the page, if not behind a long comment.
static int is_manual(const uint8_t *head, size_t n, const char *name)
{
    static const char *const begins[] = {"\n.TH ", "\n.Dd "};
    char end[] = ".1";
    if (n < 8 || (*head != '.' && *head != '\''))
        return 0;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!memcmp(head, begins[i] + 1, 4) || memmem(head, n, begins[i], 5))
            return 1;
    const int comments = head[1] == '\\' && head[2] == '"' && n == DOC_HEAD;
    for (; comments && end[1] <= '8'; end[1]++)
        if (ends_with_packed(name, end))
            return 1;
    return 0;
}

// The line that a calendar or an address book begins with, whatever its case; DOC_TEXT: it is none.
static enum doc_kind card_kind(const uint8_t *head, size_t n)
{
    const char *p = (const char *)head, *end = p + n;
    p += n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (p < end && isspace((unsigned char)*p))
        p++;
    return begins_with(p, end, "BEGIN:VCALENDAR") ? DOC_CALENDAR
           : begins_with(p, end, "BEGIN:VCARD")   ? DOC_VCARD
                                                  : DOC_TEXT;
}

static enum doc_kind markup_kind(const uint8_t *head, size_t n, const char *name)
{
    const enum doc_kind card = card_kind(head, n);
    if (card != DOC_TEXT)
        return card;
    if (sniff_is_subtitles(head, n))
        return DOC_SUBTITLES;
    if (is_texinfo(head, n))
        return DOC_TEXINFO;
    return is_html_name(name) || is_html(head, n) ? DOC_HTML : DOC_TEXT;
}

// The same of a head in UTF-16 or UTF-32, as MARK says: of other characters than ASCII's it only
// counts that they are there.
static enum doc_kind wide_kind(const uint8_t *head, size_t n, const char *mark, const char *name)
{
    const size_t unit = strcmp(mark, "utf-32") ? 2 : 4;
    const size_t low = head[0] == 0xff ? 0 : unit - 1;
    uint8_t narrow[DOC_HEAD];
    size_t k = 0;
    for (size_t at = unit; at + unit <= n; at += unit) {
        unsigned sum = 0;
        for (size_t i = 0; i < unit; i++)
            sum += head[at + i];
        narrow[k++] = sum == head[at + low] && sum < 0x80 ? (uint8_t)sum : '?';
    }
    const enum doc_kind kind = markup_kind(narrow, k, name);
    return kind == DOC_TEXT ? DOC_WIDE : kind;
}

int sniff_is_book(enum doc_kind kind)
{
    return kind == DOC_EPUB || kind == DOC_DOCX || kind == DOC_ODT;
}

int sniff_is_archive(enum doc_kind kind)
{
    return kind == DOC_TAR || kind == DOC_ZIP || kind == DOC_7ZIP || sniff_is_book(kind);
}

int sniff_is_noise(const uint8_t *head, size_t n)
{
    enum { ENOUGH = 512 };
    size_t controls = 0;
    for (size_t i = 0; i < n; i++)
        controls += head[i] && head[i] < ' ' && !memchr("\t\n\v\f\r\b\a\x1b", head[i], 8);
    return n >= ENOUGH && 20 * controls > n;
}

struct doc_sniffed sniff_document(const uint8_t *head, size_t n, const char *name)
{
    if (is_pdf(head, n))
        return (struct doc_sniffed){.kind = DOC_PDF};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (sniff_has(head, n, known[i].at, known[i].magic, known[i].n))
            return (struct doc_sniffed){DOC_UNSUPPORTED, known[i].what, known[i].tool};
    if (sniff_has(head, n, 0, DOC_MAGIC("PK\3\4")))
        return sniff_zip(head, n, name);
    if (sniff_has(head, n, 0, DOC_MAGIC("PK\5\6")))
        return (struct doc_sniffed){.kind = DOC_ZIP};
    if (sniff_has(head, n, 0, DOC_MAGIC("7z\xbc\xaf\x27\x1c")))
        return (struct doc_sniffed){.kind = DOC_7ZIP};
    if (is_tar(head, n) || is_empty_tar(head, n, name))
        return (struct doc_sniffed){.kind = DOC_TAR};
    if (is_mail(head, n, name))
        return (struct doc_sniffed){.kind = DOC_MAIL};
    const char *mark = sniff_mark(head, n);
    const enum doc_kind kind = mark ? wide_kind(head, n, mark, name) : markup_kind(head, n, name);
    if (kind != DOC_TEXT)
        return (struct doc_sniffed){.kind = kind};
    if (is_late_pdf(head, n, name))
        return (struct doc_sniffed){.kind = DOC_PDF};
    if (!mark && is_manual(head, n, name))
        return (struct doc_sniffed){.kind = DOC_MANUAL};
    if (!n || !memchr(head, 0, n))
        return (struct doc_sniffed){.kind = DOC_TEXT};
    return sniff_is_noise(head, n) ? (struct doc_sniffed){DOC_UNSUPPORTED, "binary data", NULL}
                                   : (struct doc_sniffed){.kind = DOC_BINARY};
}
