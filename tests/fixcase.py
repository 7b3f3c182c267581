# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of 'nocharge fix' share: a case of fixtures-fix/, a home for it."""
import json
import os
import re
import shutil
import subprocess
import tempfile

import nctest
from nctest import Run

HERE = os.path.join(nctest.TESTS, "fixtures-fix")
PART = re.compile(r"/\* (file|after): (\S+)(?: if (\w+))? \*/\s*")
WORD = re.compile(r"(?:/\*|\*)?\s*([a-z]+): (.*?)\s*(?:\*/)?$")
WORDS = {"kind", "together", "left", "untouched", "says", "args"}
AUTHOR = "A Thor <a.thor@example.org>"
QUIET = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
         "GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": "", "SOURCE_DATE_EPOCH": "1000000000",
         "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.org"}


class Case:
    def __init__(self, name):
        self.name, self.path = name, os.path.join(HERE, name + ".c")
        self.files, self.after, self.words = {}, {}, []
        where, key, text = None, None, []

        def end():
            if where == "file":
                self.files[key[0]] = ("".join(text), key[1])
            elif where:
                self.after[key[0]] = "".join(text)
        for line in open(self.path):
            m = PART.fullmatch(line)
            if m:
                end()
                where, key, text = m[1], (m[2], m[3]), []
            elif where:
                text.append(line)
            elif (m := WORD.fullmatch(line.strip())) and m[1] in WORDS:
                self.words.append((m[1], m[2].split()))
        end()

    def args(self):
        return [a for w, rest in self.words if w == "args" for a in rest]


def cases():
    return [Case(f[:-2]) for f in sorted(os.listdir(HERE)) if f.endswith(".c")]


class Home:
    """A directory with a tree, a cache and the series made of it."""

    def __init__(self, top, case, cache):
        self.dir = tempfile.mkdtemp(dir=top)
        self.tree = nctest.make_tree(os.path.join(self.dir, "tree"), case.files)
        self.out, self.cache = os.path.join(self.dir, "series"), cache

    def fix(self, *args, author=AUTHOR, out=None, env=None, **more):
        named = ["--author", author] if author else []
        return Run("fix", "--cache", self.cache, *named, *args, self.tree, "-o", self.out if out is None else out,
                   env=dict(QUIET, **(env or {})), limit=300, **more)

    def series(self, out=None):
        with open(os.path.join(out or self.out, "series.json")) as f:
            return json.load(f)

    def patches(self, out=None):
        out = out or self.out
        return {p["file"]: open(os.path.join(out, p["file"])).read()
                for p in self.series(out)["patches"]}


def git(directory, *args, **more):
    return subprocess.run(["git", "-C", directory, *args], env=dict(os.environ, **dict(
        QUIET, GIT_AUTHOR_NAME="A", GIT_AUTHOR_EMAIL="a@example.org")), capture_output=True,
        text=True, **more)


def apply(home):
    """git am of the whole series in a repository of its own: (directory, what went wrong)."""
    copy = os.path.join(home.dir, "applied")
    shutil.copytree(home.tree, copy)
    git(copy, "init", "-q", check=True)
    git(copy, "add", "-A", check=True)
    git(copy, "commit", "-qm", "base", check=True)
    names = [os.path.join(home.out, p["file"]) for p in home.series()["patches"]]
    run = git(copy, "am", "-q", "--whitespace=error", *names) if names else None
    return copy, run.stdout + run.stderr if run and run.returncode else None


def snapshot(directory):
    found = {}
    for folder, _, files in os.walk(directory):
        if ".git" in os.path.relpath(folder, directory).split(os.sep):
            continue
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, directory)] = f.read()
    return found
