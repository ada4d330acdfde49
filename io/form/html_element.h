// What the elements of HTML, and of a word processor's XML, do to the text between their tags.
#ifndef LCTOOL_IO_FORM_HTML_ELEMENT_H
#define LCTOOL_IO_FORM_HTML_ELEMENT_H

enum html_effect {
    HTML_LINE = 1,
    HTML_PARAGRAPH = 2,
    HTML_PRE,
    HTML_MEANING,
    HTML_TABLE,
    HTML_ROW,
    HTML_CELL,
    HTML_SKIP,
    HTML_HEAD,
    HTML_TITLE,
    HTML_BREAK,
    HTML_TAB,
    HTML_SPACES,
    HTML_WORD,
    HTML_WORD_PARAGRAPH,
    HTML_WORD_CELL,
    HTML_WORD_SPAN,
    HTML_RUN,
    HTML_HYPHEN,
    HTML_LIST,
    HTML_NUMBERED_LIST,
    HTML_ITEM
};

// Of the element NAME, in small letters; 0 for one that is inline or unknown.
enum html_effect html_effect(const unsigned char *name);
// The value of the attribute NAME among ATTRIBUTES, names and values by turns, NULL behind the
// last, or NULL, as libxml2 has them; NULL: it is not there. libxml2's names are in small letters.
const char *html_attribute(const unsigned char **attributes, const char *name);

#endif
