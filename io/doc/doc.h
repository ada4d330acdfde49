// Documents as streams of text bytes, whatever they come wrapped in.
//
//     struct doc_reader *r;
//     if (doc_open(&r, inputs, n_inputs, &(struct doc_options){0}, &e)) ...
//     struct doc_info info;
//     while ((rc = doc_next(r, &info, &e)) == 1)
//         while ((n = doc_read(r, buf, sizeof buf, &e)) > 0) ...
//     doc_close(r);
//
// An input is a file, a directory (walked in byte order of names), an archive (tar, zip, 7z, EPUB:
// each member is a document), a compressed file (gzip, xz, zstd, bzip2, lz4), or "-" for standard
// input.
// Memory does not grow with the input, the text of a PDF aside. The text of a plain file is its
// bytes, unchanged but for a byte order mark, which becomes three line feeds, and the carriage
// returns of a text whose first lines end with these alone, which become line feeds: bytes that are
// not UTF-8 and NULs pass through (the tokenizer gives them their meaning), with a note, unless
// their character set is given. White space alone, less than 64 KiB of it, is no text; 64 KiB
// of NULs or more are left out where a document begins with them. HTML becomes its text: one line
// per block element, white space folded, scripts and styles left out, entities resolved; DOCX and
// OpenDocument become their paragraphs, a line each, with tabs between the cells of tables; UTF-16
// and UTF-32 with a byte order mark become UTF-8; a PDF becomes what pdftotext (poppler-utils),
// which is run for it, makes of it: UTF-8, with a form feed at the end of each page; a mail, or an
// mbox of them, becomes who wrote when to whom about what, and its texts, decoded, those of
// attached files among them; a calendar (.ics) or an address book (.vcf) becomes what is said of
// each date or person, in words; subtitles (.srt, .vtt) become what is said, with a time now and
// then; a manual in Info, its nodes, without menus and index; a page of a manual as man has them,
// what mandoc, which is run for it, makes of it, or itself where that is not there. Archives and
// compressed files in archives are read as they are alone, to a depth. Offsets in such a document
// count bytes of the text that comes out here.
#ifndef LCTOOL_IO_DOC_DOC_H
#define LCTOOL_IO_DOC_DOC_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/err.h"

struct doc_reader;

struct doc_options {
    const char *format;  // NULL: by name and content; "text", "html": every document is that
    const char *charset; // of plain texts, and of HTML that does not say; NULL: as the bytes allow
    const char *name;    // what to call standard input; NULL: "stdin"
    int n_listed; // so many of the last inputs come from a list: what is no text is passed over, as
                  // in a directory
    void (*note)(void *arg, const char *msg); // called for each file that is passed over, with why
    void *note_arg;
    const char *out; // file that is written meanwhile, until doc_close: in a directory, it and the
                     // directory OUT.part are passed over without a note. NULL: none
    const volatile sig_atomic_t *stop; // non-zero: wait no longer, for a pipe or for pdftotext,
                                       // ERR_INTERRUPTED
};

struct doc_info {
    const char *name; // path as given, "dir/file", or "archive.tar/member"; valid until doc_next
    // "text", "html", "utf-16", "utf-32", "docx", "odt", "pdf", "mail", "calendar", "vcard",
    // "subtitles", "info", "man".
    const char *format;
    uint64_t source_bytes; // size of the source where it is known before reading, else 0
    // Who may read the file that it comes from: the bits for reading of its mode, without the
    // group's where that is another than the process's; 0444 where it is no regular file.
    unsigned readers;
};

// Opens the list; inputs that do not exist are found here, before hours of work. In directories
// and archives files that are plainly not text (a NUL in the first 4 KiB and no BOM) are passed
// over with a note, and so are PDFs that give no text; a file named by the user is always read.
// A document without text is passed over with a note, a chapter of a book without one; as the only
// input it is empty.
// Such PDFs and formats that would only yield rubbish are ERR_UNSUPPORTED with what to do about
// them.
int doc_open(struct doc_reader **out, const char *const *inputs, int n_inputs,
             const struct doc_options *o, struct err *e);
void doc_close(struct doc_reader *r);

// Moves to the next document: 1, 0 when there is none, or a negative error. What is left unread of
// the current document is skipped.
int doc_next(struct doc_reader *r, struct doc_info *info, struct err *e);

// Up to CAP bytes of the current document's text; 0 at its end; a negative ERR_* (a damaged
// archive is an error, never a shorter document; one that is attached to a mail is cut with a
// note).
ssize_t doc_read(struct doc_reader *r, void *buf, size_t cap, struct err *e);

// Bytes of the sources consumed so far and in all (compressed sizes); *TOTAL is 0 when unknown.
void doc_progress(const struct doc_reader *r, uint64_t *done, uint64_t *total);

#endif
