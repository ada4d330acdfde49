#!/usr/bin/env python3
"""No file rests on one that rests on it, by the names that the objects of a build define and use.

    tests/circles.py build/release

A circle means that what two files share has no place of its own: it belongs into a third one below
both, or what one of them is to call is handed to it. (Only of C: the files of the CUDA backend make
room for one another on the device, and do rest on each other.)
"""
import pathlib
import subprocess
import sys


def objects(build):
    """The objects of the program by the path of their source, without its ending."""
    for path in sorted(build.rglob('*.o')):
        name = path.relative_to(build).with_suffix('')
        if name.parts[0] not in ('tests', 'bench') and name.with_suffix('.c').exists():
            yield str(name), path


def names(path):
    """What an object defines for others, and what it wants of others."""
    defined, wanted = set(), set()
    listed = subprocess.run(['nm', '-P', path], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        name, kind = line.split()[:2]
        if kind == 'U':
            wanted.add(name)
        elif kind in 'TDBR':
            defined.add(name)
    return defined, wanted


def rests_on(build):
    """For each file those that it has names of, with these names."""
    tables = {name: names(path) for name, path in objects(build)}
    home = {symbol: name for name, (defined, _) in tables.items() for symbol in defined}
    below = {name: {} for name in tables}
    for name, (_, wanted) in tables.items():
        for symbol in sorted(wanted):
            if home.get(symbol, name) != name:
                below[name].setdefault(home[symbol], []).append(symbol)
    return below


def reached(below, start):
    """All files that START rests on, by however many others."""
    seen, left = set(), [start]
    while left:
        for name in below[left.pop()]:
            if name not in seen:
                seen.add(name)
                left.append(name)
    return seen


def main():
    below = rests_on(pathlib.Path(sys.argv[1]))
    if not below:
        sys.exit(f'circles: {sys.argv[1]} has no objects')
    far = {name: reached(below, name) for name in below}
    bad = [(a, b) for a in below for b in below[a] if a in far[b]]
    for a, b in bad:
        print(f'circles: {a} has of {b}: {", ".join(below[a][b])}', file=sys.stderr)
    if bad:
        sys.exit(1)
    print(f'circles: none among {len(below)} files')


if __name__ == '__main__':
    main()
