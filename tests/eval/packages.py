"""Documents as Debian packages carry them, in the form that they have there, and what a new user asks of them.

    python3 packages.py DIR [--half dev|held] [--only NAME] [--lctool ./lctool] [--list] [-- OPTIONS OF lctool query]
    python3 packages.py --check      which documents are there, and that each of these has the keys of its questions

Copies the documents to DIR, encodes them there, each once, asks them and counts: answers right, and keys among the
first 1 and 4 passages. package-questions.tsv was written before any answer was looked at. Its kinds: lexical (in the
document's words), paraphrase, steps (how something is done), part (a section, a release, the first or last of
something), nothing (it is not there: not counted, to be looked at). Of keys separated by | one has to be in the
answer; of one that has &, both parts. Half dev is to look at, --list shows it; half held is only counted.
"""
import argparse
import collections
import csv
import gzip
import pathlib
import re
import subprocess
import sys

import grade
import questions

TABLE = questions.DATA / "package-questions.tsv"
DOC = "/usr/share/doc/"
HANDBOOK = DOC + "debian-kernel-handbook/kernel-handbook.html"
# name: half, package, files, name of the copy, first byte and bytes of it (0: all), command that makes it of the files,
# what the first file of the version that is asked about has
Document = collections.namedtuple("Document", "half package files copy first bytes command holds",
                                  defaults=(0, 0, None, b""))
DOCUMENTS = {
    "faq": Document("dev", "debian-faq", [DOC + "debian/FAQ/debian-faq.en.pdf.gz"], "faq.pdf"),
    "service": Document("dev", "systemd", ["/usr/share/man/man5/systemd.service.5.gz"], "service.txt", 0, 0,
                        "MANWIDTH=80 man systemd.service | col -b"),
    "tz": Document("dev", "tzdata", [DOC + "tzdata/changelog.gz"], "tz.txt", 0, 120000,
                   holds=b"Release 2026e"),
    "perlfaq": Document("dev", "perl-doc", ["/usr/share/perl/5.36.0/pod/perlfaq4.pod"], "perlfaq.pod"),
    "mpl": Document("dev", "base-files", ["/usr/share/common-licenses/MPL-2.0"], "mpl.txt"),
    "jargon": Document("dev", "jargon-text", [DOC + "jargon-text/jargon.txt.gz"], "jargon.txt", 840000, 150000),
    "gitum": Document("dev", "git-doc", [DOC + "git-doc/user-manual.html"], "gitum.html"),
    "sdnews": Document("dev", "systemd", [DOC + "systemd/NEWS.gz"], "sdnews.txt", 0, 60000),
    "bzip": Document("dev", "bzip2-doc", [DOC + "bzip2/manual.texi.gz"], "bzip.texi"),
    "dbus": Document("dev", "dbus-1-doc", [DOC + "dbus/dbus-specification.html"], "dbus.html"),
    "bash": Document("dev", "bash", ["/usr/share/man/man1/bash.1.gz"], "bash.txt", 0, 0, "MANWIDTH=79 man bash | col -b"),
    "find": Document("dev", "findutils", ["/usr/share/man/man1/find.1.gz"], "find.txt", 0, 0, "MANWIDTH=80 man find"),
    "zshfaq": Document("held", "zsh-common", [DOC + "zsh-common/FAQ.gz"], "zshfaq.txt"),
    "gfdl": Document("held", "base-files", ["/usr/share/common-licenses/GFDL-1.3"], "gfdl.txt"),
    "kernel": Document("held", "debian-kernel-handbook", [HANDBOOK], "kernel.docx", 0, 0,
                       f"pandoc -f html -t docx -o - {HANDBOOK}/ch-*.html"),
    "maint": Document("held", "maint-guide", [DOC + "maint-guide/maint-guide.en.pdf"], "maint.pdf"),
    "sqlite": Document("held", "sqlite3-doc", [DOC + f"sqlite3/{page}.html" for page in
                       ("faq", "limits", "lang_datefunc", "whentouse", "datatype3", "wal")], "sqlite"),
    "whatsnew": Document("held", "python3.11-doc", [DOC + "python3.11/html/whatsnew/3.11.html"], "whatsnew.html"),
    "devref": Document("held", "developers-reference",
                       ["/usr/share/developers-reference/developers-reference.epub"], "devref.epub"),
    "icccm": Document("held", "xorg-docs", [DOC + "xorg-docs/icccm/icccm.pdf.gz"], "icccm.pdf"),
    "mutt": Document("held", "mutt", [DOC + "mutt/manual.txt.gz"], "mutt.txt", 0, 200000),
    "sedfaq": Document("held", "sed", [DOC + "sed/sedfaq.txt.gz"], "sedfaq.txt", 0, 110000),
    "png": Document("held", "libpng16-16", [DOC + "libpng16-16/libpng-manual.txt.gz"], "png.txt", 0, 120000),
    "node": Document("held", "nodejs-doc", [DOC + "nodejs/changelogs/CHANGELOG_V20.md"], "node.md", 0, 90000),
}
KINDS = "lexical", "paraphrase", "steps", "part"


def unpacked(path):
    data = pathlib.Path(path).read_bytes()
    return gzip.decompress(data) if str(path).endswith(".gz") else data


def missing(d):
    """Why the document cannot be asked; None where it can."""
    if not all(pathlib.Path(f).exists() for f in d.files):
        return f"not installed (package {d.package})"
    if d.holds and d.holds not in unpacked(d.files[0]):
        return f"another version (package {d.package}): {d.holds.decode()} is not in it"
    return None


def copied(name, folder):
    """The document's copy; None where its package, or what makes it, is not installed."""
    d = DOCUMENTS[name]
    to = folder / d.copy
    paths = [pathlib.Path(f) for f in d.files]
    if to.exists():
        return to
    if missing(d):
        return None
    if len(paths) > 1:
        to.mkdir()
        for p in paths:
            (to / p.name).write_bytes(p.read_bytes())
        return to
    if d.command:
        made = subprocess.run(["bash", "-o", "pipefail", "-c", d.command], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        data = b"" if made.returncode else made.stdout
    else:
        data = unpacked(paths[0])
    if d.bytes:
        first = data.index(b"\n", d.first - 1) + 1 if d.first else 0
        data = data[first:data.rindex(b"\n", first, first + d.bytes) + 1]
    if data:
        to.write_bytes(data)
    return to if data else None


def indexed(name, folder, lctool):
    """The document's index, made where it is not there; None without the document."""
    document, index = copied(name, folder), folder / f"{name}.kvz"
    if document and not index.exists():
        subprocess.run([lctool, "encode", "--quiet", "-o", index, document], check=True)
    return index if document else None


def has(text, keys):
    """A key counts where a word begins, a short one only as a whole word; white space counts as one space."""
    text = re.sub(r"\s+", " ", text).lower()

    def one(key):
        begin = r"(?<![a-z0-9])" if key[0].isalnum() else ""
        return re.search(begin + re.escape(key) + (r"(?![a-z0-9])" if len(key) <= 3 else ""), text)
    return any(all(one(part) for part in key.split("&")) for key in keys.lower().split("|"))


def rows_of(name):
    with open(TABLE, encoding="utf-8", newline="") as f:
        return [r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r["document"] == name]


def ask(o, name, index, counts):
    rows = rows_of(name)
    answers = grade.ask_all([o.lctool, "query", index, "--json", "--quiet", "--evidence", "4", *o.options],
                            [r["question"] for r in rows])
    half = DOCUMENTS[name].half
    for r, a in zip(rows, answers):
        found = [has(e["text"], r["keys"]) for e in a["evidence"]]
        tally = [1, has(a["answer"] or "", r["keys"]), any(found[:1]), any(found)]
        if o.list and half == "dev":
            mark = "-----" if r["kind"] == "nothing" else "right" if tally[1] else "WRONG"
            print(f"{mark} {name}/{r['kind']}: {r['question']} -> {a['answer']!r}")
        for line in ((half, "all"), (half, r["kind"]), (half, name)) if r["kind"] != "nothing" else ():
            counts[line] = [x + y for x, y in zip(counts.get(line, [0] * 4), tally)]


def check():
    known = set(DOCUMENTS)
    with open(TABLE, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    bad = [f"{r['question']}: {why}" for r in rows for why in (
        ["no such document"] if r["document"] not in known else
        ["no such kind"] if r["kind"] not in (*KINDS, "nothing") else
        ["no keys"] if not r["keys"].strip("|&") else []) ]
    bad += [f"{q}: asked twice" for q, n in
            collections.Counter((r["document"], r["question"]) for r in rows).items() if n > 1]
    for name, d in DOCUMENTS.items():
        why = missing(d)
        if why:
            print(f"{name}: {why}", file=sys.stderr)
        elif d.copy.endswith((".txt", ".pod")) and not d.command:
            text = unpacked(d.files[0]).decode("utf-8", "replace")
            bad += [f"{name}: {r['question']}: its keys are not there" for r in rows
                    if r["document"] == name and r["kind"] != "nothing" and not has(text, r["keys"])]
    print("\n".join(bad) or f"{len(rows)} questions, {len(DOCUMENTS)} documents")
    return 1 if bad else 0


def main():
    own, options = grade.own_and_options(sys.argv[1:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", nargs="?", type=pathlib.Path)
    p.add_argument("--half", choices=["dev", "held"])
    p.add_argument("--only", choices=DOCUMENTS)
    p.add_argument("--lctool", default="./lctool")
    p.add_argument("--list", action="store_true")
    p.add_argument("--check", action="store_true")
    o = p.parse_args(own)
    o.options = options
    if o.check:
        return check()
    if not o.folder:
        p.error("DIR is needed")
    o.folder.mkdir(parents=True, exist_ok=True)
    counts = {}
    for name, d in DOCUMENTS.items():
        if o.half in (None, d.half) and o.only in (None, name):
            index = indexed(name, o.folder, o.lctool)
            if index:
                ask(o, name, index, counts)
            else:
                print(f"{name}: {missing(d) or 'what makes it is not installed'}", file=sys.stderr)
    print(f"{'half':<5} {'':<11} {'asked':>5} {'right':>5} {'found@1':>8} {'found@4':>8}")
    for (half, what), c in counts.items():
        print(f"{half:<5} {what:<11} {c[0]:5d} {c[1]:5d} {c[2]:8d} {c[3]:8d}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
