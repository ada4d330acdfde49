// The lists that an item of HTML is in, and the number before it: <ol>, with its start, its type,
// and the value of <li>.
#ifndef LCTOOL_IO_FORM_HTML_LIST_H
#define LCTOOL_IO_FORM_HTML_LIST_H

enum {
    HTML_LISTS = 16, // deep; items further in have no numbers
    HTML_LABEL = 24  // bytes of "mmmdccclxxxviii. "
};

struct html_lists {
    int depth; // how many are open
    struct html_list {
        int numbered, next; // the next item's number
        char type;          // '1', 'a', 'A', 'i' or 'I'
    } level[HTML_LISTS];
};

// ATTRIBUTES: as html_attribute has them.
void html_list_begin(struct html_lists *l, int numbered, const unsigned char **attributes);
void html_list_end(struct html_lists *l);
// What stands before the next item of the innermost list, "3. " or nothing, to LABEL.
void html_list_item(struct html_lists *l, const unsigned char **attributes, char label[HTML_LABEL]);

#endif
