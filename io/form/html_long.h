// What would keep libxml2 busy for hours: it compares each attribute of a tag with all before it,
// and looks for what an end tag ends among all open elements.
#ifndef LCTOOL_IO_FORM_HTML_LONG_H
#define LCTOOL_IO_FORM_HTML_LONG_H

#include <libxml/HTMLparser.h>
#include <stddef.h>

enum {
    HTML_ATTRIBUTES = 1000, // of a tag that goes on after a push; more become blanks
    HTML_DEPTH = 500,       // open elements after a push; those outside of more are ended
};

// A tag that the parser has not seen the end of.
struct html_tag {
    int is_open;
    enum { HTML_NAME, HTML_BETWEEN, HTML_ATTRIBUTE, HTML_EQUALS, HTML_BARE, HTML_QUOTED } at;
    char quote;
    int n_attributes;
};

// After a push: looks at the tag that waits in PARSER for its end.
void html_tag_wait(struct html_tag *t, htmlParserCtxtPtr parser);
// Before the next: makes blanks in S, which goes on with the tag, of the attributes that are too
// many.
void html_tag_shorten(struct html_tag *t, char *s, size_t n);

// After a push: drops the outermost elements but <html> and <body> where too many are open, and
// calls ENDED for each.
void html_limit_depth(htmlParserCtxtPtr parser, void (*ended)(void *self, const xmlChar *name),
                      void *self);

#endif
