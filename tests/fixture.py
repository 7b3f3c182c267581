#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A fixture: a file that holds several, with what is expected in its first
comment. t-fixtures.py tells the words.

  tests/fixture.py DIR [CASE]    lay a tree out: the base, or a case on it
"""
import os
import re
import sys

import nctest

FIXTURES = os.path.join(nctest.TESTS, "fixtures")
FILE = re.compile(r"/\* file: (\S+)(?: if (\w+))? \*/\s*")
WORD = re.compile(r"(?:/\*|\*)?\s*([a-z_-]+): (.*?)\s*(?:\*/)?$")
WORDS = {"expect": 2, "covered": 2, "either": 2, "also": 2, "at-most": 3,
         "quiet": 2, "state": 1, "stub": 1, "off_returns": 1, "kind": 1,
         "line": 3, "message": 3, "with": None, "needs": 1, "shape": 2}


class Case:
    """One fixture: its files and, for each configuration, what is expected."""

    def __init__(self, path):
        self.name = os.path.relpath(path, FIXTURES)[:-2]
        self.files, self.runs, self.shapes, self.needs = {}, [([], [])], [], []
        self.problems = []
        current, text, gate = None, [], None
        with open(path) as f:
            lines = f.read().splitlines(keepends=True)
        for line in lines:
            m = FILE.fullmatch(line)
            if m:
                if current:
                    self.files[current] = ("".join(text), gate)
                current, gate, text = m[1], m[2], []
            elif current:
                text.append(line)
            else:
                self.word(line.strip())
        if current:
            self.files[current] = ("".join(text), gate)

    def word(self, line):
        m = WORD.fullmatch(line)
        if not m:
            return
        if m[1] not in WORDS:
            self.problems.append(f"unknown word '{m[1]}:'")
            return
        want = WORDS[m[1]]
        words = m[2].split(None, want - 1) if want else m[2].split()
        if want and len(words) != want:
            self.problems.append(f"'{m[1]}:' takes {want} words")
        elif m[1] == "with":
            self.runs.append((words, []))
        elif m[1] == "needs":
            self.needs.append(words[0])
        elif m[1] == "shape":
            self.shapes.append(words[0])
        elif m[1] in ("state", "stub", "off_returns", "kind"):
            name, _, value = m[2].partition("=")
            self.runs[-1][1].append((m[1], [name.strip(), value.strip()]))
        else:
            self.runs[-1][1].append((m[1], words))


def all_cases():
    cases = []
    for folder in sorted(os.listdir(FIXTURES)):
        path = os.path.join(FIXTURES, folder)
        if folder != "base" and os.path.isdir(path):
            cases += [Case(os.path.join(path, f)) for f in sorted(os.listdir(path))
                      if f.endswith(".c")]
    return cases


def main(argv):
    if len(argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    files = Case(os.path.join(FIXTURES, argv[2] + ".c")).files if len(argv) == 3 else {}
    nctest.make_tree(argv[1], files)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
