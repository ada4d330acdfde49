// In which order a book is to be read: META-INF/container.xml names the package, whose spine lists
// the chapters; and what is named there and is not in the book.
#define _GNU_SOURCE
#include "io/archive/epub.h"

#include <libxml/hash.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/archive/archive.h"
#include "io/mem.h"
#include "io/show.h"
#include "io/source/decode.h"
#include "io/source/stream.h"

enum { MOST_BYTES = 1 << 22, NAME_BYTES = 1024 };

// All that is left of a member, which is not to be longer than MOST_BYTES: 1, 0 where it is, or an
// error.
static int read_whole(struct doc_stream *s, char **text, size_t *n, struct err *e)
{
    char *p = NULL;
    size_t cap = 0;
    ssize_t got;
    *n = 0;
    do {
        if (MEM_GROW(p, cap, *n + (1 << 12), e)) {
            free(p);
            return ERR_NOMEM;
        }
        got = stream_read(s, p + *n, cap - *n, e);
        *n += got > 0 ? (size_t)got : 0;
    } while (got > 0 && *n <= MOST_BYTES);
    if (got) {
        free(p);
        return got < 0 ? (int)got : 0;
    }
    *text = p;
    return 1;
}

// The member NAME of the book as XML: 1, 0 where it is not there, or an error. *DOC is NULL where
// it is none.
static int read_xml(struct doc_source *s, const char *name, xmlDoc **doc, struct err *e)
{
    struct doc_archive *a;
    struct doc_member m;
    char *text = NULL;
    size_t n;
    *doc = NULL;
    int rc = members_open(&a, s, DOC_EPUB, e);
    if (rc)
        return rc;
    while ((rc = members_next(a, &m, e)) == 1)
        if (m.is_file && !strcmp(m.name, name))
            break;
    const int is_there = rc == 1;
    if (is_there && (rc = read_whole(members_stream(a), &text, &n, e)) == 1) {
        *doc = xmlReadMemory(text, (int)n, NULL, NULL,
                             XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                 XML_PARSE_RECOVER);
        free(text);
    }
    members_close(a);
    return rc < 0 ? rc : is_there;
}

// The node that follows N in the document.
static const xmlNode *after(const xmlNode *n)
{
    if (n->type == XML_ELEMENT_NODE && n->children)
        return n->children;
    while (n && !n->next)
        n = n->parent && n->parent->type == XML_ELEMENT_NODE ? n->parent : NULL;
    return n ? n->next : NULL;
}

// The first element NAME, of whatever namespace, from N on; NULL without one.
static const xmlNode *find(const xmlNode *n, const char *name)
{
    while (n && (n->type != XML_ELEMENT_NODE || strcmp((const char *)n->name, name)))
        n = after(n);
    return n;
}

// Where HREF leads to from the member FROM: "text/a%20b.html#x" from "OPS/book.opf" is "OPS/text/a
// b.html".
static void resolve(const char *from, const char *href, char out[NAME_BYTES])
{
    const char *slash = strrchr(from, '/');
    size_t n = slash && *href != '/' ? (size_t)(slash + 1 - from) : 0;
    n = n < NAME_BYTES ? n : 0;
    memcpy(out, from, n);
    for (const char *p = href + (*href == '/'); *p && *p != '#' && n < NAME_BYTES - 1;) {
        if (!strncmp(p, "../", 3) && (!n || out[n - 1] == '/')) {
            for (n -= n > 0; n && out[n - 1] != '/'; n--) {
            }
            p += 3;
        } else if (*p == '%' && decode_hex(p[1]) >= 0 && decode_hex(p[2]) >= 0) {
            out[n++] = (char)(decode_hex(p[1]) << 4 | decode_hex(p[2]));
            p += 3;
        } else {
            out[n++] = *p++;
        }
    }
    out[n] = 0;
}

// What a spine is made of.
struct spine {
    const xmlNode *root;
    xmlHashTable *chapters; // by name
    xmlHashTable *items;    // the names of files, by id
    xmlHashTable *gone;     // names of files that are no chapters, and then of those not there
};

// The name of a member as a spine has it.
static const xmlChar *plain(const char *name)
{
    while (*name == '/' || !strncmp(name, "./", 2))
        name += *name == '/' ? 1 : 2;
    return BAD_CAST name;
}

static void free_name(void *name, const xmlChar *key)
{
    (void)key;
    xmlFree(name);
}

// The file that the itemref X names; NULL: none.
static const char *file_of(const struct spine *p, const xmlNode *x)
{
    xmlChar *id = xmlGetNoNsProp(x, BAD_CAST "idref");
    const char *name = id ? xmlHashLookup(p->items, id) : NULL;
    xmlFree(id);
    return name;
}

static void take_items(struct spine *p, const char *path)
{
    for (const xmlNode *x = find(p->root, "item"); x; x = find(after(x), "item")) {
        char name[NAME_BYTES];
        xmlChar *id = xmlGetNoNsProp(x, BAD_CAST "id"), *href = xmlGetNoNsProp(x, BAD_CAST "href");
        if (id && href) {
            resolve(path, (const char *)href, name);
            xmlChar *own = xmlStrdup(BAD_CAST name);
            if (own && xmlHashAddEntry(p->items, id, own)) // of two of an id the first
                xmlFree(own);
        }
        xmlFree(id);
        xmlFree(href);
    }
}

// Says in *LACKS that WHERE names N files that are not there, NAME first.
static int say_lacks(char **lacks, const char *where, const char *name, int n, struct err *e)
{
    char shown[200];
    show_bytes(name, strlen(name), shown, sizeof shown);
    const int rc = n == 1 ? asprintf(lacks, "its %s names %s, which is missing", where, shown)
                          : asprintf(lacks, "its %s names %d files that are missing, %s first",
                                     where, n, shown);
    if (rc >= 0)
        return 0;
    *lacks = NULL;
    return err_set(e, ERR_NOMEM, "out of memory (what a book lacks)");
}

// Says in *LACKS what of p->gone is not in the book: a spine may name a picture.
static int find_gone(const struct spine *p, struct doc_source *s, char **lacks, struct err *e)
{
    struct doc_archive *a;
    struct doc_member m;
    int rc = members_open(&a, s, DOC_EPUB, e);
    while (!rc && (rc = members_next(a, &m, e)) == 1) {
        xmlHashRemoveEntry(p->gone, plain(m.name), NULL);
        rc = 0;
    }
    members_close(a);
    const int n = xmlHashSize(p->gone);
    for (const xmlNode *x = find(p->root, "itemref"); !rc && n > 0 && x;
         x = find(after(x), "itemref")) {
        const char *name = file_of(p, x);
        if (name && xmlHashLookup(p->gone, BAD_CAST name))
            return say_lacks(lacks, "spine", name, n, e);
    }
    return rc;
}

// Gives the chapters that the spine of the package, the member PATH, names their ranks. Whether it
// names others.
static int rank(struct spine *p, const char *path, struct doc_chapter *v, size_t n)
{
    size_t next = 0;
    for (size_t i = 0; i < n; i++)
        xmlHashAddEntry(p->chapters, plain(v[i].name), &v[i]); // of two of a name the first
    take_items(p, path);
    for (const xmlNode *x = find(p->root, "itemref"); x; x = find(after(x), "itemref")) {
        const char *name = file_of(p, x);
        struct doc_chapter *c = name ? xmlHashLookup(p->chapters, BAD_CAST name) : NULL;
        if (c && c->rank == n)
            c->rank = next++;
        else if (name && !c)
            xmlHashAddEntry(p->gone, BAD_CAST name, p);
    }
    return xmlHashSize(p->gone) > 0;
}

static int read_spine(struct doc_source *s, const xmlDoc *package, const char *path,
                      struct doc_chapter *v, size_t n, char **lacks, struct err *e)
{
    struct spine p = {xmlDocGetRootElement(package), xmlHashCreate(64), xmlHashCreate(64),
                      xmlHashCreate(8)};
    int rc = p.chapters && p.items && p.gone ? 0 : err_set(e, ERR_NOMEM, "out of memory (libxml2)");
    if (!rc && rank(&p, path, v, n))
        rc = find_gone(&p, s, lacks, e);
    xmlHashFree(p.gone, NULL);
    xmlHashFree(p.items, free_name);
    xmlHashFree(p.chapters, NULL);
    return rc;
}

int epub_rank(struct doc_source *s, struct doc_chapter *v, size_t n, char **lacks, struct err *e)
{
    xmlDoc *container, *package = NULL;
    int rc = read_xml(s, "META-INF/container.xml", &container, e);
    const xmlNode *root = container ? find(xmlDocGetRootElement(container), "rootfile") : NULL;
    xmlChar *path = root ? xmlGetNoNsProp(root, BAD_CAST "full-path") : NULL;
    for (size_t i = 0; i < n; i++)
        v[i].rank = n;
    if (rc > 0 && path && !(rc = read_xml(s, (const char *)path, &package, e)))
        rc = say_lacks(lacks, "META-INF/container.xml", (const char *)path, 1, e);
    if (rc > 0 && package)
        rc = read_spine(s, package, (const char *)path, v, n, lacks, e);
    xmlFree(path);
    xmlFreeDoc(package);
    xmlFreeDoc(container);
    return rc < 0 ? rc : 0;
}
