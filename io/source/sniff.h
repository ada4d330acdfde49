// What a document is, by its first bytes and its name.
#ifndef LCTOOL_IO_SOURCE_SNIFF_H
#define LCTOOL_IO_SOURCE_SNIFF_H

#include <stddef.h>
#include <stdint.h>

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
    DOC_MANUAL,      // a page in the language of man
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

enum { TEXINFO_BORDER = 0x1f }; // of an Info file: begins the line above a node

#endif
