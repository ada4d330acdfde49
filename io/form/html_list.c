// Lists of HTML: what a browser writes before each item of a numbered one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/form/html_element.h"
#include "io/form/html_list.h"

enum { LETTERS = 26, ROMAN = 3999, MOST = 1000000000 };

// A number that an attribute says, or OTHERWISE.
static int number(const unsigned char **attributes, const char *name, int otherwise)
{
    const char *text = html_attribute(attributes, name);
    char *end;
    const long n = text ? strtol(text, &end, 10) : 0;
    return text && end != text && n > -MOST && n < MOST ? (int)n : otherwise;
}

void html_list_begin(struct html_lists *l, int numbered, const unsigned char **attributes)
{
    if (l->depth++ >= HTML_LISTS)
        return;
    const char *type = html_attribute(attributes, "type");
    l->level[l->depth - 1] = (struct html_list){
        .numbered = numbered,
        .next = number(attributes, "start", 1),
        .type = type && *type && !type[1] && strchr("aAiI", *type) ? *type : '1'};
}

void html_list_end(struct html_lists *l)
{
    l->depth -= l->depth > 0;
}

static void write_roman(char out[HTML_LABEL], int n, int capital)
{
    static const struct {
        int value;
        const char *small, *capital;
    } digits[] = {{1000, "m", "M"}, {900, "cm", "CM"}, {500, "d", "D"}, {400, "cd", "CD"},
                  {100, "c", "C"},  {90, "xc", "XC"},  {50, "l", "L"},  {40, "xl", "XL"},
                  {10, "x", "X"},   {9, "ix", "IX"},   {5, "v", "V"},   {4, "iv", "IV"},
                  {1, "i", "I"}};
    out[0] = 0;
    for (size_t i = 0; n > 0; n -= digits[i].value) {
        while (digits[i].value > n)
            i++;
        strcat(out, capital ? digits[i].capital : digits[i].small);
    }
    strcat(out, ". ");
}

void html_list_item(struct html_lists *l, const unsigned char **attributes, char label[HTML_LABEL])
{
    label[0] = 0;
    if (l->depth < 1 || l->depth > HTML_LISTS || !l->level[l->depth - 1].numbered)
        return;
    struct html_list *own = &l->level[l->depth - 1];
    const int n = number(attributes, "value", own->next);
    own->next = n + 1;
    if (strchr("aA", own->type) && n > 0 && n <= LETTERS)
        snprintf(label, HTML_LABEL, "%c. ", own->type + n - 1);
    else if (strchr("iI", own->type) && n > 0 && n <= ROMAN)
        write_roman(label, n, own->type == 'I');
    else
        snprintf(label, HTML_LABEL, "%d. ", n);
}
