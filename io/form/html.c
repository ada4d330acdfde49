#include "io/form/html.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>

#include "io/form/html_element.h"
#include "io/form/html_hide.h"
#include "io/form/html_list.h"
#include "io/form/html_long.h"
#include "io/form/html_table.h"
#include "io/mem.h"
#include "io/source/charset.h"
#include "io/source/stream.h"

// The parser is pushed whole blocks of this size, however the bytes come in: its guesses at the
// end of a push then depend on the document alone, and so does the text.
enum { BLOCK = 1 << 14, HTML_TAIL = 32 };

struct doc_html {
    struct doc_charset *from;
    htmlParserCtxtPtr parser;
    int ended, pushed;
    char tail[HTML_TAIL]; // what the bytes so far end with, white space aside
    size_t n_tail;
    char block[BLOCK];
    size_t n_block;
    struct html_tag tag; // that the blocks pushed so far end in
    char *out;
    size_t n_out, at_out, cap_out;
    struct err failed; // what a callback ran into

    int skip, head, title, pre; // how deep inside of such elements
    int meaning;                // how deep inside of what terms of lists mean
    int begins_meaning;         // 1: at the beginning of one, which is right below its term
    int cell, run;  // of a word processor: its paragraphs make no lines; its text is text
    int is_word;    // only the text of runs is text
    int after_pre;  // the newline that may follow <pre> does not count
    char blank;     // ' ' or '\t' to write before the next word
    int want_lines; // line ends to write before the next word
    int have_lines; // line ends last written; 2 at the beginning
    struct html_lists lists;
    struct html_tables tables;
    size_t corner_at;       // in OUT: the row's first words, which may yet want tabs before them
    char label[HTML_LABEL]; // of an item, to write before its first word
};

static void put(struct doc_html *h, const char *s, size_t n)
{
    if (h->failed.code || MEM_GROW(h->out, h->cap_out, h->n_out + n, &h->failed))
        return;
    memcpy(h->out + h->n_out, s, n);
    h->n_out += n;
}

static void put_tabs(struct doc_html *h, int n)
{
    while (n-- > 0)
        put(h, "\t", 1);
}

// The N columns before the first words of a table's first row, once there are others beside them.
static void put_corner(struct doc_html *h, size_t n)
{
    if (!n || h->failed.code || MEM_GROW(h->out, h->cap_out, h->n_out + n, &h->failed))
        return;
    memmove(h->out + h->corner_at + n, h->out + h->corner_at, h->n_out - h->corner_at);
    memset(h->out + h->corner_at, '\t', n);
    h->n_out += n;
}

// What a term means is set in below it.
static void put_indentation(struct doc_html *h)
{
    enum { DEEPEST = 4 };
    const int depth = h->meaning < DEEPEST ? h->meaning : DEEPEST;
    for (int i = 0; i < depth && !h->pre && !h->tables.now.columns; i++)
        put(h, "    ", 4);
}

static void want(struct doc_html *h, int lines)
{
    if (h->want_lines < lines)
        h->want_lines = lines;
}

// Writes what has gathered between the last word and the next, of N bytes.
static void flush_blanks(struct doc_html *h, size_t n)
{
    const int tabs = html_table_words(&h->tables.now, n, &h->want_lines);
    h->blank = tabs < 0 ? h->blank : 0;
    if (h->begins_meaning && h->want_lines > 1)
        h->want_lines = 1;
    h->begins_meaning = 0;
    if (h->want_lines > h->have_lines)
        put(h, "\n\n", (size_t)(h->want_lines - h->have_lines));
    else if (h->blank && !h->have_lines)
        put(h, &h->blank, 1);
    if (h->have_lines || h->want_lines)
        put_indentation(h);
    put_tabs(h, tabs);
    if (tabs >= 0 && h->tables.now.texts == 1)
        h->corner_at = h->n_out;
    else if (tabs >= 0)
        put_corner(h, (size_t)html_table_corner(&h->tables.now));
    h->blank = 0;
    h->want_lines = 0;
    h->have_lines = 0;
    if (h->label[0])
        put(h, h->label, strlen(h->label));
    h->label[0] = 0;
}

// Every entry of a list is such a paragraph, and every cell of a table holds one.
static void word_paragraph(struct doc_html *h)
{
    if (h->skip)
        return;
    if (!h->cell)
        want(h, 2);
    else if (!h->blank)
        h->blank = ' ';
}

// Between two runs of a word processor's text.
static void put_hyphen(struct doc_html *h)
{
    if (h->skip || !h->is_word)
        return;
    flush_blanks(h, 1);
    put(h, "-", 1);
}

// OpenDocument has text:s for the second blank behind another one, as after a sentence, and for
// text:c of them where they part columns.
static void put_spaces(struct doc_html *h, const xmlChar **attributes)
{
    const char *n = html_attribute(attributes, "text:c");
    if (n && strtol(n, NULL, 10) > 1)
        h->blank = '\t';
    else if (!h->blank)
        h->blank = ' ';
}

// A row of a table that has columns stays a line.
static void put_break(struct doc_html *h)
{
    if (h->tables.now.columns && h->tables.now.is_data)
        h->blank = ' ';
    else
        h->want_lines = h->want_lines ? 2 : 1;
}

static void begin_list(struct doc_html *h, int numbered, const xmlChar **attributes)
{
    html_list_begin(&h->lists, numbered, attributes);
    want(h, 1);
}

static void on_start(void *self, const xmlChar *name, const xmlChar **attributes)
{
    struct doc_html *h = self;
    h->after_pre = 0;
    switch (html_effect(name)) {
    case HTML_SKIP:
        h->skip++;
        break;
    case HTML_HEAD:
        h->head++;
        break;
    case HTML_TITLE:
        h->title++;
        want(h, 2);
        break;
    case HTML_PRE:
        h->pre++;
        h->after_pre = 1;
        want(h, 2);
        break;
    case HTML_MEANING:
        h->meaning++;
        h->begins_meaning = h->want_lines < 2;
        want(h, 1);
        break;
    case HTML_TABLE:
        html_table_begin(&h->tables);
        want(h, 2);
        break;
    case HTML_ROW:
        html_table_row(&h->tables.now);
        want(h, 1);
        break;
    case HTML_CELL:
        html_table_cell(&h->tables.now, name[1] == 'h', attributes);
        break;
    case HTML_BREAK:
        put_break(h);
        break;
    case HTML_PARAGRAPH:
        want(h, 2);
        break;
    case HTML_LINE:
        want(h, 1);
        break;
    case HTML_TAB:
        h->blank = '\t';
        break;
    case HTML_SPACES:
        put_spaces(h, attributes);
        break;
    case HTML_WORD:
        h->is_word = 1;
        break;
    case HTML_WORD_CELL:
        h->cell++;
        html_table_cell(&h->tables.now, 0, attributes);
        break;
    case HTML_WORD_SPAN:
        html_table_wide(&h->tables.now, attributes, "w:val");
        break;
    case HTML_WORD_PARAGRAPH:
        word_paragraph(h);
        break;
    case HTML_RUN:
        h->run++;
        break;
    case HTML_HYPHEN:
        put_hyphen(h);
        break;
    case HTML_LIST:
        begin_list(h, 0, attributes);
        break;
    case HTML_NUMBERED_LIST:
        begin_list(h, 1, attributes);
        break;
    case HTML_ITEM:
        html_list_item(&h->lists, attributes, h->label);
        want(h, 1);
        break;
    default:
        break;
    }
}

static void leave(int *depth)
{
    if (*depth)
        --*depth;
}

static void end_row(struct doc_html *h)
{
    const int tabs = html_table_row_end(&h->tables.now);
    if (!h->have_lines)
        put_tabs(h, tabs);
    want(h, 1);
}

static void on_end(void *self, const xmlChar *name)
{
    struct doc_html *h = self;
    h->after_pre = 0;
    switch (html_effect(name)) {
    case HTML_SKIP:
        leave(&h->skip);
        break;
    case HTML_HEAD:
        leave(&h->head);
        break;
    case HTML_TITLE:
        leave(&h->title);
        want(h, 2);
        break;
    case HTML_PRE:
        leave(&h->pre);
        want(h, 2);
        break;
    case HTML_PARAGRAPH:
        want(h, 2);
        break;
    case HTML_LINE:
        want(h, 1);
        break;
    case HTML_MEANING:
        leave(&h->meaning);
        h->begins_meaning = 0;
        want(h, 1);
        break;
    case HTML_TABLE:
        html_table_end(&h->tables);
        want(h, 2);
        break;
    case HTML_ROW:
        end_row(h);
        break;
    case HTML_WORD_CELL:
        leave(&h->cell);
        break;
    case HTML_WORD_PARAGRAPH:
        word_paragraph(h);
        break;
    case HTML_RUN:
        leave(&h->run);
        break;
    case HTML_LIST:
    case HTML_NUMBERED_LIST:
        html_list_end(&h->lists);
        want(h, 1);
        break;
    case HTML_ITEM:
        h->label[0] = 0;
        want(h, 1);
        break;
    default:
        break;
    }
}

// White space stays, but for the newline behind the tag and the carriage returns.
static void put_pre(struct doc_html *h, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\r')
            continue;
        if (s[i] == '\n' && h->after_pre) {
            h->after_pre = 0;
            continue;
        }
        h->after_pre = 0;
        if (s[i] != '\n') {
            flush_blanks(h, 1);
        } else if (h->want_lines) {
            flush_blanks(h, 0);
            h->have_lines = 1;
        } else if (h->have_lines < 2) {
            h->have_lines++;
        }
        if (s[i] == '\n')
            html_table_break(&h->tables.now);
        put(h, s + i, 1);
    }
}

static void on_text(void *self, const xmlChar *text, int len)
{
    struct doc_html *h = self;
    const char *s = (const char *)text;
    size_t n = (size_t)len;
    if (h->skip || (h->head && !h->title) || (h->is_word && !h->run))
        return;
    if (h->pre) {
        put_pre(h, s, n);
        return;
    }
    for (size_t i = 0; i < n;) {
        size_t word = i;
        // A no-break space is a space to a reader of words.
        int nbsp = n - i >= 2 && s[i] == '\xc2' && s[i + 1] == '\xa0';
        if (html_is_blank(s[i]) || nbsp) {
            h->blank = h->blank ? h->blank : ' ';
            i += nbsp ? 2 : 1;
            continue;
        }
        while (i < n && !html_is_blank(s[i]) &&
               !(n - i >= 2 && s[i] == '\xc2' && s[i + 1] == '\xa0'))
            i++;
        flush_blanks(h, i - word);
        put(h, s + word, i - word);
    }
}

// Scripts and styles come as CDATA; so does <![CDATA[ in XHTML, whose text counts.
static void on_cdata(void *self, const xmlChar *text, int len)
{
    on_text(self, text, len);
}

static void on_error(void *self, const char *fmt, ...)
{
    (void)self, (void)fmt; // a page is read as far as it makes sense, as a browser would
}

static void keep_tail(struct doc_html *h, const char *s, size_t n)
{
    while (n && html_is_blank(s[n - 1]))
        n--;
    const size_t more = n < HTML_TAIL ? n : HTML_TAIL;
    const size_t kept = h->n_tail < HTML_TAIL - more ? h->n_tail : HTML_TAIL - more;
    memmove(h->tail, h->tail + h->n_tail - kept, kept);
    memcpy(h->tail + kept, s + n - more, more);
    h->n_tail = kept + more;
}

int html_is_cut(const struct doc_form *f, enum doc_kind book)
{
    const struct doc_html *h = f->self;
    const char *end = book == DOC_DOCX  ? "</w:document>"
                      : book == DOC_ODT ? "</office:document-content>"
                                        : NULL;
    if (!end)
        return 0;
    const size_t n = strlen(end);
    return h->n_tail < n || memcmp(h->tail + h->n_tail - n, end, n) != 0;
}

// Pushes one block into the parser, whose callbacks write the text.
static int push(struct doc_html *h, struct err *e)
{
    while (h->n_block < BLOCK && !h->ended) {
        ssize_t got = charset_read(h->from, h->block + h->n_block, BLOCK - h->n_block, e);
        if (got < 0)
            return (int)got;
        h->ended = got == 0;
        keep_tail(h, h->block + h->n_block, (size_t)got);
        h->n_block += (size_t)got;
    }
    size_t bom = !h->pushed && h->n_block >= 3 && !memcmp(h->block, "\xef\xbb\xbf", 3) ? 3 : 0;
    size_t n = h->ended ? h->n_block : html_whole(h->block, h->n_block);
    if (!h->pushed) {
        html_hide_subset(h->block + bom, h->n_block - bom);
        html_hide_ends(h->block + bom, h->n_block - bom);
    }
    html_hide_tags(h->block, h->n_block);
    h->pushed = 1;
    html_tag_shorten(&h->tag, h->block + bom, n - bom);
    htmlParseChunk(h->parser, h->block + bom, (int)(n - bom), h->ended);
    html_tag_wait(&h->tag, h->parser);
    html_limit_depth(h->parser, on_end, h);
    memmove(h->block, h->block + n, h->n_block - n);
    h->n_block -= n;
    if (h->parser->errNo == XML_ERR_NO_MEMORY)
        return err_set(e, ERR_NOMEM, "out of memory (libxml2)");
    if (h->ended && !h->have_lines)
        put(h, "\n", 1);
    if (h->failed.code)
        return err_set(e, h->failed.code, "%s", h->failed.msg);
    return 0;
}

// How many bytes of OUT stay as they are.
static size_t settled(const struct doc_html *h)
{
    return h->tables.now.corner && !h->ended ? h->corner_at : h->n_out;
}

static ssize_t html_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_html *h = self;
    while (h->at_out == settled(h)) {
        if (h->ended)
            return 0;
        if (h->n_out > h->at_out)
            memmove(h->out, h->out + h->at_out, h->n_out - h->at_out);
        h->n_out -= h->at_out;
        h->corner_at -= h->corner_at < h->at_out ? h->corner_at : h->at_out;
        h->at_out = 0;
        int rc = push(h, e);
        if (rc)
            return rc;
    }
    return stream_give(buf, cap, h->out, settled(h), &h->at_out);
}

static void html_close(void *self)
{
    struct doc_html *h = self;
    if (h->parser->myDoc)
        xmlFreeDoc(h->parser->myDoc);
    htmlFreeParserCtxt(h->parser);
    free(h->out);
    free(h);
}

int html_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    struct doc_html *h = mem_new(1, sizeof *h, e);
    if (!h)
        return ERR_NOMEM;
    htmlSAXHandler sax = {
        .startElement = on_start,
        .endElement = on_end,
        .characters = on_text,
        .ignorableWhitespace = on_text,
        .cdataBlock = on_cdata,
        .warning = on_error,
        .error = on_error,
        .fatalError = on_error,
    };
    h->from = from->chars;
    h->have_lines = 2;
    h->parser = htmlCreatePushParserCtxt(&sax, h, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
    if (!h->parser) {
        free(h);
        return err_set(e, ERR_NOMEM, "out of memory (libxml2)");
    }
    htmlCtxtUseOptions(h->parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                      HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
    // The bytes are UTF-8 by now, whatever a <meta> says.
    xmlSwitchEncoding(h->parser, XML_CHAR_ENCODING_UTF8);
    *out = (struct doc_form){.self = h, .read = html_read, .close = html_close};
    return 0;
}
