#include "io/form/html_element.h"

#include <stdlib.h>
#include <string.h>

// Elements that are not named are inline. With a colon: of OpenDocument and, from w:, of Office, in
// small letters as the parser has all names.
static const struct {
    const char *name;
    enum html_effect effect;
} elements[] = {
    {"address", HTML_LINE},
    {"article", HTML_LINE},
    {"aside", HTML_LINE},
    {"blockquote", HTML_PARAGRAPH},
    {"body", HTML_LINE},
    {"br", HTML_BREAK},
    {"caption", HTML_LINE},
    {"center", HTML_LINE},
    {"dd", HTML_MEANING},
    {"details", HTML_LINE},
    {"dialog", HTML_LINE},
    {"dir", HTML_LIST},
    {"div", HTML_LINE},
    {"dl", HTML_LINE},
    {"dt", HTML_LINE},
    {"fieldset", HTML_LINE},
    {"figcaption", HTML_LINE},
    {"figure", HTML_LINE},
    {"footer", HTML_LINE},
    {"form", HTML_LINE},
    {"h1", HTML_PARAGRAPH},
    {"h2", HTML_PARAGRAPH},
    {"h3", HTML_PARAGRAPH},
    {"h4", HTML_PARAGRAPH},
    {"h5", HTML_PARAGRAPH},
    {"h6", HTML_PARAGRAPH},
    {"head", HTML_HEAD},
    {"header", HTML_LINE},
    {"hr", HTML_PARAGRAPH},
    {"legend", HTML_LINE},
    {"li", HTML_ITEM},
    {"listing", HTML_PRE},
    {"main", HTML_LINE},
    {"mc:fallback", HTML_SKIP},
    {"menu", HTML_LIST},
    {"nav", HTML_LINE},
    {"office:annotation", HTML_SKIP},
    {"office:binary-data", HTML_SKIP},
    {"ol", HTML_NUMBERED_LIST},
    {"option", HTML_LINE},
    {"p", HTML_PARAGRAPH},
    {"pre", HTML_PRE},
    {"script", HTML_SKIP},
    {"section", HTML_LINE},
    {"select", HTML_LINE},
    {"style", HTML_SKIP},
    {"summary", HTML_LINE},
    {"svg:desc", HTML_SKIP},
    {"svg:title", HTML_SKIP},
    {"table", HTML_TABLE},
    {"table:covered-table-cell", HTML_WORD_CELL},
    {"table:table", HTML_TABLE},
    {"table:table-cell", HTML_WORD_CELL},
    {"table:table-row", HTML_ROW},
    {"tbody", HTML_LINE},
    {"td", HTML_CELL},
    {"template", HTML_SKIP},
    {"text:h", HTML_WORD_PARAGRAPH},
    {"text:line-break", HTML_BREAK},
    {"text:note", HTML_SKIP},
    {"text:p", HTML_WORD_PARAGRAPH},
    {"text:s", HTML_SPACES},
    {"text:tab", HTML_TAB},
    {"text:tracked-changes", HTML_SKIP},
    {"textarea", HTML_PRE},
    {"tfoot", HTML_LINE},
    {"th", HTML_CELL},
    {"thead", HTML_LINE},
    {"title", HTML_TITLE},
    {"tr", HTML_ROW},
    {"ul", HTML_LIST},
    {"w:br", HTML_BREAK},
    {"w:cr", HTML_BREAK},
    {"w:document", HTML_WORD},
    {"w:gridspan", HTML_WORD_SPAN},
    {"w:nobreakhyphen", HTML_HYPHEN},
    {"w:p", HTML_WORD_PARAGRAPH},
    {"w:t", HTML_RUN},
    {"w:tab", HTML_TAB},
    {"w:tbl", HTML_TABLE},
    {"w:tc", HTML_WORD_CELL},
    {"w:tr", HTML_ROW},
    {"xmp", HTML_PRE},
};

static int by_name(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

enum html_effect html_effect(const unsigned char *name)
{
    const void *row =
        bsearch(name, elements, sizeof elements / sizeof elements[0], sizeof elements[0], by_name);
    return row ? elements[((const char *)row - (const char *)elements) / sizeof elements[0]].effect
               : 0;
}

const char *html_attribute(const unsigned char **attributes, const char *name)
{
    for (; attributes && attributes[0]; attributes += 2)
        if (!strcmp((const char *)attributes[0], name))
            return (const char *)attributes[1];
    return NULL;
}
