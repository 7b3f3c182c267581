#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
nocharge fix: for each kind of fix a small tree before and after, and what the
series is like whoever asks for it, wherever and however it ends.

A file of tests/fixtures-fix/ is like one of tests/fixtures/: "/* file: PATH */"
starts a file of the tree, "/* after: PATH */" what it is like with the whole
series. Files without it must not change. In the first comment:
    kind: FUNCTION KIND       a patch of that kind is for it
    together: FUNCTION...     one patch is for all of them
    left: FUNCTION TEXT       it is left alone, with TEXT in the reason
    untouched: FUNCTION       no patch and no finding left alone is for it
    says: FUNCTION TEXT       its patch has TEXT in the message
    args: WORD...             more arguments

  tests/t-fix.py --write [CASE...]    write what there is now as "after"
"""
import difflib
import os
import re
import sys

import nctest
from fixcase import Home, apply, cases, snapshot
from nctest import Tap

def message_of(patch):
    return " ".join(patch[:patch.index("\n---\n")].split())


def check_words(case, home, tap):
    series, patches = home.series(), home.patches()
    of = {f: p for p in series["patches"] for f in p["functions"]}
    left = {item["function"]: item["why"] for item in series["left"]}
    bad = []
    for word, rest in case.words:
        name, text = rest[0], " ".join(rest[1:])
        if word == "left":
            if text not in left.get(name, "") or name in of:
                bad.append(f"{name} is not left alone because of '{text}': {left.get(name)}")
        elif word == "untouched":
            if name in of or name in left:
                bad.append(f"{name} has a patch or is left alone")
        elif word != "args" and name not in of:
            bad.append(f"no patch for {name}; left: {left}")
        elif word == "kind" and of[name]["kind"] != text:
            bad.append(f"{name}: {of[name]['kind']}, not {text}")
        elif word == "together" and any(of.get(f) is not of[name] for f in rest):
            bad.append(f"{rest} are not in one patch")
        elif word == "says" and text not in message_of(patches[of[name]["file"]]):
            bad.append(f"{name}: no '{text}' in {message_of(patches[of[name]['file']])}")
    expected = {r[0] for w, r in case.words if w == "left"}
    bad += [f"{name} is left alone: {why}" for name, why in left.items() if name not in expected]
    tap.ok(not bad, f"{case.name}: the patches are of the kinds that it names", "\n".join(bad))


def check_messages(case, home, tap):
    bad = []
    for name, patch in home.patches().items():
        head, _, rest = patch.partition("\n\n")
        body = rest[:rest.index("\n---\n")]
        bad += [f"{name}: {line}" for line in body.splitlines() if len(line) > 75]
        subject = re.search(r"^Subject: \[PATCH \d+/\d+\] (.*(?:\n .*)*)", head, re.M)
        subject = subject[1].replace("\n", "") if subject else ""
        if not re.match(r"[\w/-]+: \S", subject):
            bad.append(f"{name}: subject '{subject}'")
        if re.search(r"^(Signed-off-by|Reviewed-by|Acked-by):", patch, re.M | re.I):
            bad.append(f"{name}: it is signed")
        if "'" in body or "\t" in body:
            bad.append(f"{name}: quotes or tabs in {body}")
        if "Found by nocharge" not in body:
            bad.append(f"{name}: not how it was found")
    tap.ok(not bad, f"{case.name}: messages", "\n".join(bad))


def check_case(case, home, tap):
    before = snapshot(home.tree)
    run = home.fix(*case.args())
    want = 1 if any(w == "left" for w, _ in case.words) else 0
    if not tap.ok(run.status == want, f"{case.name}: status {want}", run):
        return
    tap.ok(snapshot(home.tree) == before, f"{case.name}: the tree is as it was")
    check_words(case, home, tap)
    check_messages(case, home, tap)
    copy, why = apply(home)
    tap.ok(not why, f"{case.name}: git am takes the series", why)
    is_now, bad = snapshot(copy), []
    for path in sorted(set(is_now) | set(before)):
        want = case.after.get(path, before.get(path, b"").decode()).rstrip("\n")
        have = is_now.get(path, b"").decode().rstrip("\n")
        if have != want:
            bad.append(diff_of(want, have, path))
    tap.ok(case.after and not bad, f"{case.name}: each file is as it should be", "\n".join(bad))


def diff_of(want, have, path):
    return "\n".join(difflib.unified_diff(want.splitlines(), have.splitlines(), f"wanted/{path}",
                                          f"made/{path}", lineterm=""))


def write_case(case, home):
    run = home.fix(*case.args())
    print(run)
    copy, why = apply(home)
    print(why or "")
    before, is_now = snapshot(home.tree), snapshot(copy)
    text = open(case.path).read()
    text = text[:text.index("/* after:")] if "/* after:" in text else text
    for path in sorted(is_now):
        if is_now[path] != before.get(path):
            text += f"/* after: {path} */\n{is_now[path].decode()}"
            print(diff_of(before[path].decode(), is_now[path].decode(), path))
    with open(case.path, "w") as f:
        f.write(text)


def main():
    nctest.need_program()
    top = nctest.scratch("fix")
    cache = os.path.join(top, "cache")
    if sys.argv[1:2] == ["--write"]:
        for case in cases():
            if not sys.argv[2:] or case.name in sys.argv[2:]:
                write_case(case, Home(top, case, cache))
        return 0
    tap = Tap()
    for case in cases():
        check_case(case, Home(top, case, cache), tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
