// The layers a document passes through, each a stream that reads from the one before it:
//
//     source (a file, decompressed)
//       -> [member of an archive -> source (decompressed)]...       // as often as archives are nested
//       -> [to UTF-8] -> [HTML to text]  or  [PDF | mail | cards | subtitles to text]
//       -> [to UTF-8] -> [Info to text]
//
// Used by io/doc/*.c alone; everybody else includes io/doc/doc.h.
#ifndef LCTOOL_IO_DOC_DOC_IMPL_H
#define LCTOOL_IO_DOC_DOC_IMPL_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "io/err.h"

enum { DOC_HEAD = 4096 }; // what a document is, is decided from this many bytes

typedef ssize_t doc_read_fn(void *self, void *buf, size_t cap, struct err *e); // 0 at the end

// A stream whose first bytes can be looked at before they are read.
struct doc_stream {
    doc_read_fn *read;
    void *self;
    const char *name; // for messages; borrowed
    uint8_t head[DOC_HEAD];
    size_t n_head, at_head;
};

typedef void doc_note_fn(void *arg, const char *msg); // NULL: nobody wants to know

#define DOC_NO_TEXT "no text in it; passed over" // of a directory or an archive

int stream_peek(struct doc_stream *s, struct err *e); // fills head as far as the stream goes
// Passes over the byte order mark that a stream which has been peeked at begins with: it says that
// what follows is UTF-8, and is no text.
void stream_skip_mark(struct doc_stream *s);
// Puts three line feeds in its place, so that offsets of the text count the bytes of its file.
void stream_blank_mark(struct doc_stream *s);
ssize_t stream_read(struct doc_stream *s, void *buf, size_t cap, struct err *e);
// For any read: gives of MADE [n] what is behind byte *AT, up to CAP bytes, and moves *AT on.
// Returns their number.
ssize_t doc_give(void *buf, size_t cap, const void *made, size_t n, size_t *at);

// ---- doc_blank.c: documents of white space

// The white space that a document begins with, held back until something else comes.
enum blank_state {
    BLANK_UNREAD,  // not looked at yet
    BLANK_HOLDS,   // it has more than white space and NULs
    BLANK_EMPTY,   // it has not
    BLANK_NO_TEXT, // what follows a hole is no text either
};

struct doc_blank {
    char held[1 << 16];
    size_t n, at;
    enum blank_state state;
    uint64_t hole; // NUL bytes that were left out before it
};

void blank_begin(struct doc_blank *b); // a new document begins
// Whether a hole was left out, of *BYTES, which is told once.
int blank_tells_hole(struct doc_blank *b, unsigned long long *bytes);
// Reads as far as it takes to know whether there is more than white space and NULs: 1, 0 or an
// error. As many NULs as HELD has room for, and those behind them, are left out.
int blank_look(struct doc_blank *b, doc_read_fn *read, void *from, struct err *e);
// Reads a document as READ (FROM) does; one of white space alone, if it fits HELD, has no bytes.
ssize_t blank_read(struct doc_blank *b, doc_read_fn *read, void *from, void *buf, size_t cap,
                   struct err *e);

// ---- doc_tally.c: what the bytes of a text say of its character set

struct doc_tally {
    uint8_t part[4]; // of a character that has not come to its end
    size_t n_part;
    uint64_t n_wide, n_bad; // characters of several bytes in UTF-8; bytes that are none
    uint64_t n_controls;    // of those, controls in Latin-1, which texts do not have
    int not_windows;        // one of them is no character in Windows-1252 either
};

void tally_begin(struct doc_tally *t);
void tally_add(struct doc_tally *t, const void *text, size_t n);
void tally_end(struct doc_tally *t); // no more bytes come
// Whether the text is meant as UTF-8, though bytes of it may not be: it has more characters of it
// than such bytes.
int tally_is_utf8(const struct doc_tally *t);
// What a note says of a text of which some bytes are not, and what to do about it, in BUF [cap];
// NULL: all are.
const char *tally_says(const struct doc_tally *t, char *buf, size_t cap);

// ---- doc_source.c: a file, standard input or a member of an archive, decompressed

struct doc_source;

// PATH NULL is standard input. NAME, for messages, is copied. STOP is borrowed and may be NULL:
// once it is non-zero, reading that would wait is ERR_INTERRUPTED.
int source_open(struct doc_source **out, const char *path, const char *name,
                const volatile sig_atomic_t *stop, struct err *e);
// The same over the stream FROM, which is borrowed: a file within a file.
int source_over(struct doc_source **out, struct doc_stream *from, const char *name, struct err *e);
int source_from_failed(const struct doc_source *s); // whether an error of the source was FROM's
void source_close(struct doc_source *s);
struct doc_stream *source_stream(struct doc_source *s);
uint64_t source_size(const struct doc_source *s); // of the file, 0 when unknown
uint64_t source_at(const struct doc_source *s);   // bytes of the file consumed
// Who may read the file, as in struct doc_info.
unsigned source_readers(const struct doc_source *s);
// The source from its first byte again; only where source_can_seek().
int source_can_seek(const struct doc_source *s); // an uncompressed regular file
int source_rewind(struct doc_source *s, struct err *e);
// Moves to an offset counted from WHENCE; the new offset or a negative error.
int64_t source_seek(struct doc_source *s, int64_t off, int whence, struct err *e);

// ---- doc_sniff.c: what a document is

enum doc_kind {
    DOC_TEXT,
    DOC_WIDE, // UTF-16 or UTF-32, with a byte order mark
    DOC_HTML,
    DOC_TAR,
    DOC_ZIP,
    DOC_7ZIP,
    DOC_EPUB,
    DOC_DOCX,
    DOC_ODT, // zip archives of which some members are the document
    DOC_PDF,
    DOC_MAIL,
    DOC_CALENDAR,
    DOC_VCARD,
    DOC_SUBTITLES,
    DOC_TEXINFO,
    DOC_BINARY,      // holds NULs, but nobody knows what it is
    DOC_UNSUPPORTED, // would only yield rubbish
};

struct doc_sniffed {
    enum doc_kind kind;
    const char *what; // DOC_UNSUPPORTED: "RTF"
    const char *tool; // what to do about it: "unrar x"; the name follows, or stands for a "*"
};

struct doc_sniffed sniff_document(const uint8_t *head, size_t n, const char *name);
// Whether HEAD [n], which has a NUL byte, is of no text: a twentieth of it are control characters
// that no text has. NULs are in some, as where a log was cut while it was written.
int sniff_is_noise(const uint8_t *head, size_t n);
int sniff_is_book(enum doc_kind kind);    // a zip archive whose members make up one document
int sniff_is_archive(enum doc_kind kind); // any archive, books included
// Whether byte AT of HEAD [n] begins what MAGIC [n_magic] has.
static inline int sniff_has(const uint8_t *head, size_t n, size_t at, const char *magic,
                            size_t n_magic)
{
    return n >= at + n_magic && !memcmp(head + at, magic, n_magic);
}
#define DOC_MAGIC(s) s, sizeof s - 1

// ---- doc_sniff_charset.c: its character set

// Whether the bytes are UTF-8; the last character of a full head may be cut off.
int sniff_is_utf8(const uint8_t *head, size_t n);
// "utf-16" or "utf-32" where a byte order mark of that comes first; else NULL.
const char *sniff_mark(const uint8_t *head, size_t n);
// "utf-16le" or "utf-16be" where the bytes look like that, mostly of ASCII and without a byte order
// mark; else NULL.
const char *sniff_utf16(const uint8_t *head, size_t n);
// The character set of an HTML document: byte order mark, then <meta>, then what the bytes allow.
// Returns 0 where it had to be guessed.
int sniff_charset(const uint8_t *head, size_t n, char *charset, size_t cap);

// ---- doc_archive.c: the members of an archive

struct doc_archive;

struct doc_member {
    const char *name; // fit for a terminal; valid until members_next
    uint64_t size;    // 0 when unknown
    int is_file;
    int is_encrypted; // cannot be read; the members behind it can
};

// Reads the source from where it stands. It is borrowed. An encrypted member of a book
// (sniff_is_book(KIND)) is ERR_UNSUPPORTED.
int members_open(struct doc_archive **out, struct doc_source *s, enum doc_kind kind, struct err *e);
void members_close(struct doc_archive *a);
int members_next(struct doc_archive *a, struct doc_member *m, struct err *e); // 1, 0 or an error
struct doc_stream *members_stream(struct doc_archive *a); // of the current member

struct doc_form;

// ---- doc_level.c: a file, or a member of the archive that holds it, which may be an archive
// itself

// A part of a book, its place among the members, and when it is read: by rank, and by name where
// ranks are equal.
struct doc_chapter {
    char *name;
    size_t place, rank;
};

struct doc_level {
    struct doc_source *source;
    char *name;                  // as messages and documents have it
    struct doc_archive *members; // of the source, where it is an archive
    enum doc_kind book;          // DOC_EPUB, DOC_DOCX, DOC_ODT, or 0: every member is a document
    int is_listed; // of a book that can be read out of order, by the names of its chapters:
    struct doc_chapter *chapters;
    size_t n_chapters, cap_chapters, at_chapter;
    size_t at_place; // of the member that comes next
    char *lacks;     // what a listed book names and has not: for a note; NULL: nothing
    int has_text;    // a member has been found that is a document
    int has_begun;   // a document of it has been handed out
    int has_given;   // one that has text
    int is_locked;   // a member is encrypted
};

// Opens the source of L, which has only been peeked at, as an archive of KIND.
int level_unpack(struct doc_level *l, enum doc_kind kind, struct err *e);
// Whether the member that F has read to its end is the text of a word processor, and lacks its end.
int level_is_cut(const struct doc_level *l, const struct doc_form *f);
// The next member that may be a document: 1, 0 after the last, or an error.
int level_next(struct doc_level *l, struct doc_member *m, struct err *e);
// How many of the SIZE bytes of L's source have been read, or come to the same: F, NULL if L is no
// document, may have read all at once, and a book's chapters are read out of order.
uint64_t level_done(const struct doc_level *l, const struct doc_form *f, uint64_t size);
void level_close(struct doc_level *l);

// ---- doc_epub.c: in which order a book is read

// Sets the ranks of the N chapters V of an EPUB to their places in its spine; N for chapters that
// the spine does not name, and for all when the book has no spine that can be read. *LACKS says
// what is named and is not in the book, to be freed; it stays as it is where nothing is.
int epub_rank(struct doc_source *s, struct doc_chapter *v, size_t n, char **lacks, struct err *e);

// ---- doc_charset.c: any character set to UTF-8

struct doc_charset;

enum {
    CHARSET_NO_NUL = 1,  // NUL becomes a blank
    CHARSET_GUESSED = 2, // what is no character is taken to be Latin-1 instead of U+FFFD
};
int charset_open(struct doc_charset **out, struct doc_stream *from, const char *charset, int flags,
                 struct err *e);
// The same for HTML, or the XML of word processors, that has been peeked at: the character set is
// the one that it declares, else UNSAID or, when that is NULL, what its bytes allow.
int charset_open_html(struct doc_charset **out, struct doc_stream *from, const char *unsaid,
                      struct err *e);
// The same for a plain text that has been peeked at: UTF-8 where no byte order mark says something
// else.
int charset_open_marked(struct doc_charset **out, struct doc_stream *from, struct err *e);
int charset_known(const char *charset);
void charset_close(struct doc_charset *c);
ssize_t charset_read(void *c, void *buf, size_t cap, struct err *e);
// What was read of one and not taken yet; all zero before the first byte.
struct charset_bytes {
    char in[1 << 13];
    size_t n, at;
    int ended;
};
// The next byte of C, not taken yet (B->at): 0 to 255, -1 at the end, or an error below that.
int charset_byte(struct doc_charset *c, struct charset_bytes *b, struct err *e);
// What a note says of bytes that it has read so far and that are not of its character set, U+FFFD
// stands for them; or else are controls (U+0080 to U+009F) in a set such as Latin-1, where those of
// Windows have letters and marks. In BUF [cap]; NULL: there are none.
const char *charset_says(const struct doc_charset *c, char *buf, size_t cap);

// ---- doc_form.c: a document to text, whatever its form

// A document that is open. Each form has a function that makes it, and a row in doc_form.c.
struct doc_form {
    void *self;
    doc_read_fn *read;
    void (*close)(void *self); // NULL: nothing is to be freed
    const char *format;        // as struct doc_info has it
    const char *complaint;     // an error in it, although it gives a text; NULL: none is known
    double (*part)(const void *self); // how much was read, 0 to 1; NULL: what was of its bytes
};

// What it is made from. All is borrowed.
struct form_from {
    struct doc_stream *stream; // has been peeked at
    struct doc_charset *chars; // in UTF-8, of HTML and Info; of a text, NULL: its bytes as they are
    const char *name;          // stands in messages
    const struct mail_holder *holder;
};

// KIND is no archive and not DOC_UNSUPPORTED. After an error OUT is as it was.
int form_open(struct doc_form *out, enum doc_kind kind, const struct form_from *from,
              struct err *e);

// Accepts one that is not open, all zero.
static inline void form_close(struct doc_form *f)
{
    if (f->close)
        f->close(f->self);
    *f = (struct doc_form){0};
}

// ---- doc_html.c: HTML, and the XML of word processors, in UTF-8 to text

int html_open(struct doc_form *out, const struct form_from *from, struct err *e);
// After the last byte: whether the document ended with TAG, of at most 32 bytes, and white space.
int html_ends_with(const struct doc_form *f, const char *tag);

// ---- doc_pdf.c: a PDF to text, by pdftotext

// Reads all of the stream and has pdftotext, of poppler-utils, make a text of it, which is kept in
// memory: so what is wrong is known before the first byte. The text is UTF-8 in which every page
// ends with a form feed. ERR_UNSUPPORTED: this PDF gives no text (encrypted, damaged, only
// pictures), or pdftotext is not there; ERR_INTERRUPTED: the signal that ended pdftotext was
// Ctrl-C's, or another that asks to end, or the holder's stop, which may be NULL, became non-zero
// while it ran. Other errors are the stream's or the system's.
int pdf_open(struct doc_form *out, const struct form_from *from, struct err *e);
// 1 when the first page has text, 0 when pdftotext can read it and it has none, or an error as
// pdf_open's: the rest of the document costs no time.
int pdf_begins_with_text(struct doc_stream *from, const char *name,
                         const volatile sig_atomic_t *stop, struct err *e);

// ---- doc_mail.c: a message or an mbox of them to text

// Who is told of what is left out, what stops the reading (or NULL), and how deeply the mail is
// nested in other mails and attached archives.
struct mail_holder {
    doc_note_fn *note;
    void *note_arg;
    const volatile sig_atomic_t *stop;
    int depth;
    // What opens what is attached: form_open.
    int (*open)(struct doc_form *out, enum doc_kind kind, const struct form_from *from,
                struct err *e);
};

// The text, in UTF-8, has of each message From, To, Cc, Date and Subject and its texts, HTML only
// where there is no plain alternative; of each attachment its type and name, and its text where it
// has one, else a note is given.
int mail_open(struct doc_form *out, const struct form_from *from, struct err *e);

// ---- doc_cards.c: calendars (iCalendar, RFC 5545) and address books (vCard) to text

// The text has a line each for what, when, where and who of each date, task or person.
int cards_open(struct doc_form *out, const struct form_from *from, struct err *e);

// ---- doc_subtitles.c: subtitles (.srt, .vtt) to text

int sniff_is_subtitles(const uint8_t *head, size_t n); // by its first bytes
// The text has a line for each speaker's turn, and a time now and then.
int subtitles_open(struct doc_form *out, const struct form_from *from, struct err *e);

// ---- doc_texinfo.c: Info files, the manuals that makeinfo writes, to text

int sniff_is_texinfo(const uint8_t *head, size_t n); // by its first bytes
// The text of its nodes as it is, without what leads from one to another.
int texinfo_open(struct doc_form *out, const struct form_from *from, struct err *e);

// ---- doc_walk.c: the files below a path

struct doc_walk;

struct doc_file {
    const char *path; // valid until walk_next
    uint64_t size;    // of a regular file, else 0
    int is_regular;
    int in_dir;        // 1: found in a directory or a list, not named by the user
    uint64_t dev, ino; // identify the file, whatever its name
};

// NOTE and OUT (doc_options) may be NULL. Directories come in byte order of names, each file before
// what follows it.
int walk_open(struct doc_walk **walk, const char *path, const char *out, doc_note_fn *note,
              void *arg, struct err *e);
void walk_close(struct doc_walk *w);
int walk_next(struct doc_walk *w, struct doc_file *f, struct err *e); // 1, 0 or an error
// A text has been found; of a directory in which none is, there is a note at its end. W may be
// NULL.
void walk_found(struct doc_walk *w);

// ---- doc_seen.c: which files there have been

struct file_set;

int file_set_new(struct file_set **out, struct err *e);
void file_set_free(struct file_set *s);
int file_set_add(struct file_set *s, uint64_t dev, uint64_t ino, struct err *e); // 1: was there

// ---- doc_check.c: what a file is, and whether it can be read

// The kind of all documents, archives aside, if the user has said it (doc_options.format).
struct doc_said {
    int is_said;
    enum doc_kind kind;
};

// S has been peeked at.
struct doc_sniffed doc_look(const struct doc_said *said, const struct doc_stream *s,
                            const char *name);
int doc_refuse(const struct doc_sniffed *is, const char *name,
               struct err *e);                    // ERR_UNSUPPORTED, with what helps
int doc_is_no_text(const struct doc_sniffed *is); // passed over in directories and archives
// Checks INPUT, a file or a directory, so that what is wrong with it is known before others are
// read for hours; IS_LISTED: it comes from a list (doc_options.n_listed); STOP as
// pdf_begins_with_text has it. Adds the sizes of the files that will be read to *BYTES, and sets
// *UNKNOWN to 1 when some have no size.
int doc_check(const struct doc_said *said, const char *input, int is_listed,
              const volatile sig_atomic_t *stop, uint64_t *bytes, int *unknown, struct err *e);

#endif
