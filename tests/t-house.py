#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The rules of the house that a program can see: the licence line, the length of
files, words that are banned, and no name of the kernel in C code: what a
feature or the kernel is called stands in rules/.
"""
import json
import os
import re
import subprocess
import sys

import csource
import nctest
from nctest import Tap

LONGEST = 900
BANNED = r"\b(strcpy|strcat|sprintf|vsprintf|gets|strtok|system|popen)\s*\("


def tracked():
    done = subprocess.run(["git", "ls-files"], cwd=nctest.TOP, stdout=subprocess.PIPE, text=True)
    if done.returncode == 0 and done.stdout:
        return done.stdout.splitlines()
    found = []
    for folder, _, names in os.walk(nctest.TOP):
        found += [os.path.relpath(os.path.join(folder, n), nctest.TOP) for n in names]
    return [f for f in found if not f.startswith(("build/", ".git/"))]


def words(value, out):
    """Identifiers in the strings of a rules file that tell of code."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("why", "title", "boot", "schema", "config", "feature", "text"):
                continue
            if key == "functions" and isinstance(inner, dict):
                words(list(inner), out)
            words(inner, out)
    elif isinstance(value, list):
        for inner in value:
            words(inner, out)
    elif isinstance(value, str):
        out.update(re.findall(r"\b[A-Za-z]\w{5,}\b", value))
    return out


def main():
    tap = Tap()
    files = [f for f in tracked() if os.path.isfile(os.path.join(nctest.TOP, f))]
    text = {}
    for f in files:
        if f.endswith((".c", ".h", ".py", ".sh", ".cocci")):
            with open(os.path.join(nctest.TOP, f), errors="replace") as file:
                text[f] = file.read()
    bad = [f for f, t in text.items()
           if "SPDX-License-Identifier: GPL-2.0" not in "\n".join(t.splitlines()[:2])
           and not f.startswith("rules/overlay/")]
    tap.ok(not bad, "every source begins with its licence", "\n".join(bad))
    ours = {f: t for f, t in text.items() if f.startswith(("analyzer/", "output/"))}
    bad = [f"{f}: {t.count(chr(10))} lines" for f, t in text.items() if t.count("\n") > LONGEST]
    tap.ok(not bad, f"no file is longer than {LONGEST} lines", "\n".join(bad))
    bad = [f"{f}: {m[1]}" for f, t in ours.items() for m in re.finditer(BANNED, csource.mask(t))]
    tap.ok(not bad, "no banned function is called", "\n".join(bad))
    # a summary that hides what it hangs on would be taken when it holds no more
    bad = [f for f, t in text.items() if re.fullmatch(r"analyzer/model/walk\w*\.c", f)
           and re.search(r"\b(fact_holds|world_pointer)\s*\(", t)]
    tap.ok(not bad, "a walk asks for facts by walk_holds() and walk_pointer()", "\n".join(bad))
    kernel = set()
    folder = os.path.join(nctest.TOP, "rules")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name)) as f:
                words(json.load(f), kernel)
    kernel = {w for w in kernel if "_" in w}
    # a function of ours may be called like one of the kernel's
    kernel -= {f.name for t in ours.values() for f in csource.functions(t)}
    bad = []
    for f, t in ours.items():
        # what is spoken of in a comment is no dependence
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", t, flags=re.S)
        bad += [f"{f}: {w}" for w in sorted(kernel & set(re.findall(r"\w+", code)))]
    tap.ok(not bad, "no name of the rules stands in C code", "\n".join(bad))
    bad = [f"{f}: {m[0]}" for f, t in ours.items()
           for m in re.finditer(r"\b(mem_?cgroup|memcg|hugetlb)\w*", re.sub(r"/\*.*?\*/|//[^\n]*", "", t, flags=re.S))
           if m[0] not in ("memcg", "hugetlb")]
    tap.ok(not bad, "no feature's name stands in C code", "\n".join(bad))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
