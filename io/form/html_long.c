#include "io/form/html_long.h"

#include <libxml/parserInternals.h>
#include <string.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '/';
}

// Takes in C, the next character of the tag.
static void step(struct html_tag *t, char c)
{
    int blank = is_blank(c);
    if (t->at == HTML_QUOTED) {
        t->at = c == t->quote ? HTML_BETWEEN : HTML_QUOTED;
    } else if (c == '>') {
        t->is_open = 0;
    } else if (t->at == HTML_EQUALS && (c == '"' || c == '\'')) {
        t->quote = c;
        t->at = HTML_QUOTED;
    } else if (t->at == HTML_EQUALS) {
        t->at = blank && c != '/' ? HTML_EQUALS : HTML_BARE;
    } else if (t->at == HTML_BARE || t->at == HTML_NAME) {
        t->at = blank && (c != '/' || t->at == HTML_NAME) ? HTML_BETWEEN : t->at;
    } else if (c == '=') {
        t->at = HTML_EQUALS;
    } else if (!blank && t->at == HTML_BETWEEN) {
        t->at = HTML_ATTRIBUTE;
        t->n_attributes++;
    } else if (blank) {
        t->at = HTML_BETWEEN;
    }
}

void html_tag_wait(struct html_tag *t, htmlParserCtxtPtr parser)
{
    const xmlParserInput *in = parser->input;
    if (t->is_open || !in || parser->instate != XML_PARSER_START_TAG || in->cur >= in->end)
        return;
    *t = (struct html_tag){.is_open = 1};
    for (const xmlChar *p = in->cur + 1; p < in->end && t->is_open; p++)
        step(t, (char)*p);
}

void html_tag_shorten(struct html_tag *t, char *s, size_t n)
{
    for (size_t i = 0; i < n && t->is_open; i++) {
        step(t, s[i]);
        if (t->n_attributes > HTML_ATTRIBUTES && t->is_open)
            s[i] = ' ';
    }
}

void html_limit_depth(htmlParserCtxtPtr parser, void (*ended)(void *self, const xmlChar *name),
                      void *self)
{
    enum { KEPT = 2 };
    int n = parser->nameNr - HTML_DEPTH;
    if (n <= 0)
        return;
    const xmlChar **outer = parser->nameTab + KEPT;
    for (int i = 0; i < n; i++)
        ended(self, outer[i]);
    memmove(outer, outer + n, (size_t)(parser->nameNr - KEPT - n) * sizeof *outer);
    parser->nameNr -= n;
}
