"""A book packaged as linked HTML pages, as one text: each page's blocks one a line, pages in reading order.

    python3 book.py handbook|policy OUT.txt [--bytes N]      (at most N bytes, whole pages)

Everything in this directory counts bytes of that text, so that no result depends on how a program reads HTML.
"""
import argparse
import html.parser
import pathlib
import sys

# name: directory of the Debian package, first page, the element that holds the text (None: the body)
BOOKS = {
    "handbook": ("/usr/share/doc/debian-handbook/html/en-US", "preface.html", None),
    "policy": ("/usr/share/doc/debian-policy/policy.html", "ch-scope.html", ("role", "main")),
}
BLOCKS = set("p div li ul ol dl dt dd h1 h2 h3 h4 h5 h6 pre tr table section blockquote br".split())
VOID = set("area base br col hr img input link meta param source wbr".split())
NOISE = {"docnav", "toc", "headerlink", "banner"}  # classes and ids: navigation, not text


class Page(html.parser.HTMLParser):
    """text: the blocks, white space folded except in <pre>; next: the page that follows."""

    def __init__(self, root):
        super().__init__()
        self.root, self.inside = root, root is None
        self.open, self.lines, self.now, self.next = [], [], [], None

    def skipping(self):
        return any(skip for _, skip, _ in self.open)

    def flush(self):
        if any(tag == "pre" for tag, _, _ in self.open):
            parts = "".join(self.now).split("\n")
        else:
            parts = [" ".join("".join(self.now).split())]
        self.lines += [p.rstrip() for p in parts if p.strip()]
        self.now = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in ("a", "link") and "next" in (attrs.get("rel") or "").split():
            self.next = self.next or attrs.get("href")
        if tag in BLOCKS:
            self.flush()
        if tag in VOID:
            return
        enters = not self.inside and self.root is not None and attrs.get(self.root[0]) == self.root[1]
        skip = tag in ("head", "script", "style") or bool(
            NOISE & set(f"{attrs.get('class', '')} {attrs.get('id', '')}".split()))
        self.open.append((tag, skip, enters))
        self.inside |= enters

    def handle_endtag(self, tag):
        if not any(tag == t for t, _, _ in self.open):
            return
        if tag in BLOCKS:
            self.flush()
        while self.open:
            name, _, entered = self.open.pop()
            self.inside &= not entered
            if name == tag:
                break

    def handle_data(self, data):
        if self.inside and not self.skipping():
            self.now.append(data)


def read_page(path, root):
    page = Page(root)
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    page.flush()
    return "\n".join(page.lines) + "\n", page.next


def book(name, limit=None):
    """The text as bytes, and {page file: (start, end)}."""
    directory, page, root = BOOKS[name]
    if not pathlib.Path(directory).is_dir():
        raise SystemExit(f"{directory} is not there: install debian-{name}")
    out, where = b"", {}
    while page and page not in where:
        text, following = read_page(pathlib.Path(directory) / page, root)
        text = text.encode()
        if limit and where and len(out) + len(text) > limit:
            break
        where[page] = (len(out), len(out) + len(text))
        out += text
        page = following
    return out, where


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("name", choices=BOOKS)
    p.add_argument("out")
    p.add_argument("--bytes", type=int)
    o = p.parse_args()
    text, where = book(o.name, o.bytes)
    pathlib.Path(o.out).write_bytes(text)
    print(f"{o.out}: {len(text)} bytes, {len(where)} pages", file=sys.stderr)


if __name__ == "__main__":
    main()
