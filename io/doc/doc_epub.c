// In which order a book is to be read: META-INF/container.xml names the package, whose spine lists
// the chapters.
#include "io/doc/doc_impl.h"

#include <libxml/hash.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "io/doc/doc_decode.h"
#include "io/mem.h"

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

// The member NAME of the book as XML; *DOC is NULL where it is not there or is none.
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
    if (rc == 1 && (rc = read_whole(members_stream(a), &text, &n, e)) == 1) {
        *doc = xmlReadMemory(text, (int)n, NULL, NULL,
                             XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                 XML_PARSE_RECOVER);
        free(text);
    }
    members_close(a);
    return rc < 0 ? rc : 0;
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

// Gives the chapters that the spine of PACKAGE, the member PATH, names their ranks.
static int rank(const xmlDoc *package, const char *path, struct doc_chapter *v, size_t n,
                struct err *e)
{
    const xmlNode *root = xmlDocGetRootElement(package), *x;
    xmlHashTable *chapters = xmlHashCreate(64), *items = xmlHashCreate(64);
    size_t next = 0;
    int rc = chapters && items ? 0 : err_set(e, ERR_NOMEM, "out of memory (libxml2)");
    for (size_t i = 0; i < n && !rc; i++)
        xmlHashAddEntry(chapters, BAD_CAST v[i].name, &v[i]); // of two of a name the first
    for (x = find(root, "item"); x && !rc; x = find(after(x), "item")) {
        char name[NAME_BYTES];
        xmlChar *id = xmlGetNoNsProp(x, BAD_CAST "id"), *href = xmlGetNoNsProp(x, BAD_CAST "href");
        if (id && href) {
            resolve(path, (const char *)href, name);
            xmlHashAddEntry(items, id, xmlHashLookup(chapters, BAD_CAST name));
        }
        xmlFree(id);
        xmlFree(href);
    }
    for (x = find(root, "itemref"); x && !rc; x = find(after(x), "itemref")) {
        xmlChar *id = xmlGetNoNsProp(x, BAD_CAST "idref");
        struct doc_chapter *c = id ? xmlHashLookup(items, id) : NULL;
        if (c && c->rank == n)
            c->rank = next++;
        xmlFree(id);
    }
    xmlHashFree(items, NULL);
    xmlHashFree(chapters, NULL);
    return rc;
}

int epub_rank(struct doc_source *s, struct doc_chapter *v, size_t n, struct err *e)
{
    xmlDoc *container, *package = NULL;
    int rc = read_xml(s, "META-INF/container.xml", &container, e);
    const xmlNode *root = container ? find(xmlDocGetRootElement(container), "rootfile") : NULL;
    xmlChar *path = root ? xmlGetNoNsProp(root, BAD_CAST "full-path") : NULL;
    for (size_t i = 0; i < n; i++)
        v[i].rank = n;
    if (!rc && path)
        rc = read_xml(s, (const char *)path, &package, e);
    if (!rc && package)
        rc = rank(package, (const char *)path, v, n, e);
    xmlFree(path);
    xmlFreeDoc(package);
    xmlFreeDoc(container);
    return rc;
}
