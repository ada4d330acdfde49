// What libxml2 would end a page at or take for text, though no browser does: hidden in the bytes
// before they are pushed.
#ifndef LCTOOL_IO_FORM_HTML_HIDE_H
#define LCTOOL_IO_FORM_HTML_HIDE_H

#include <stddef.h>

static inline int html_is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

// libxml2 stops at </html>, but text that follows it is text to a browser. Both </html> and </body>
// may be left out of a page, so they are turned into end tags of nothing. And <![if ...]>, with
// which Word surrounds the numbers of lists, is no text to a browser, nor is <!x>: they become
// <?x>.
void html_hide_tags(char *s, size_t n);
// Blanks instead of the declarations in a document type, <!DOCTYPE html [<!ENTITY ...>]>, which
// libxml2 takes for its end. Where they do not end in S, the first block, they are left.
void html_hide_subset(char *s, size_t n);
// Blanks instead of the end tags that S, the first block, begins with: libxml2 finds no text behind
// them.
void html_hide_ends(char *s, size_t n);
// How much of S can be pushed: what may be cut within such a tag waits for the next block.
size_t html_whole(const char *s, size_t n);

#endif
