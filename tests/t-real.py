#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Debian's own kernels: all units analysed, every finding reviewed by hand.

tests/reviewed/TREE.tsv has a line for each finding that someone has looked
at: rule, function, verdict ("right", "wrong" or "unsure") and why, in one
line. A finding that stands neither there nor in a truth table fails; so does
a line whose finding has gone (tests/review tells both). Where the table of
classified functions is at hand (../shared/oracle, or NOCHARGE_ORACLE) its
'score' is asked too.

The short run looks at 6.1 alone.
"""
import csv
import os
import subprocess
import sys

import nctest
import reviewed
from nctest import GUARD_RULES, LONG, RULES, Run, Tap

TREES = ["6.1", "6.12"]
# recall, all, precision: what the tables must show
LIMITS = {"6.1": ("0.95", "0.85", "0.90"), "6.12": ("0.95", "0.85", "0.85")}


def oracle():
    given = os.environ.get("NOCHARGE_ORACLE")
    path = given or os.path.join(os.path.dirname(nctest.TOP), "shared", "oracle")
    return path if os.path.exists(os.path.join(path, "score")) else None


def analyse(version, tree, home, cache, tap):
    path = os.path.join(home, version + ".json")
    run = Run("check", tree, "--format", "json", "-o", path, cache=cache)
    tap.ok(run.status == 1, f"{version}: exit status 1", run)
    if not os.path.exists(path):
        return None, path
    with open(path) as f:
        run.out = f.read()
    report = run.json()
    if not tap.ok(report is not None, f"{version}: the output is JSON", run.out[:300]):
        return None, path
    return report, path


def coverage(version, report, tap):
    cover = report["coverage"]
    tap.ok(cover["units"] == cover["analysed"] and not cover["skipped"],
           f"{version}: all of {cover['units']} units analysed, nothing skipped",
           "\n".join(f"{s['file']} {s['function']}: {s['why']}" for s in cover["skipped"]))
    names = [f["id"] for f in report["findings"]]
    tap.ok(len(names) == len(set(names)), f"{version}: every id is of one finding",
           "\n".join(sorted({n for n in names if names.count(n) > 1})))


def sane(version, tree, report, tap):
    """Lines are of the tree, functions where they are said to be."""
    wrong, texts = [], {}
    for f in report["findings"]:
        path = os.path.join(tree, f["file"])
        if f["file"] not in texts:
            try:
                with open(path, errors="replace") as source:
                    texts[f["file"]] = source.read().splitlines()
            except OSError:
                texts[f["file"]] = None
        lines = texts[f["file"]]
        name = f"{f['rule']} {f['function']} {f['file']}:{f['line']}"
        if lines is None or not 1 <= f["line"] <= len(lines):
            wrong.append(f"{name}: no such place")
        elif not any(f["function"] in line for line in lines):
            wrong.append(f"{name}: the file does not name it")
        if not f["why"]:
            wrong.append(f"{name}: no reason")
        for why in f["why"]:
            if not os.path.exists(os.path.join(tree, why["file"])):
                wrong.append(f"{name}: the reason is in no file: {why['file']}")
    tap.ok(not wrong, f"{version}: every finding and reason has its place", "\n".join(wrong))


def score(version, path, tap):
    home = oracle()
    table = home and os.path.join(home, f"truth-{version}.tsv")
    if not table or not os.path.exists(table):
        tap.skip(f"{version}: score", "no table of classified functions here")
        return set()
    recall, every, precision = LIMITS[version]
    env = dict(os.environ, RECALL=recall, ALL=every, PRECISION=precision)
    with open(table, newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    # another rule by itself: many good ones do not hide a few bad ones
    others = sorted((set(RULES) - set(GUARD_RULES)) & {r["verdict"] for r in rows})
    for rules in [",".join(GUARD_RULES)] + others:
        done = subprocess.run([os.path.join(home, "score"), "--rules", rules, "truth", path, table],
                              env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        tap.ok(done.returncode == 0, f"{version}: {rules}: {done.stdout.strip().splitlines()[-1]}",
               done.stdout)
    return {r["name"].split(" ")[0] for r in rows}


def main():
    tap = Tap()
    nctest.need_program()
    home, cache = nctest.scratch("real"), nctest.shared_cache()
    for version in TREES:
        if version != "6.1" and not LONG:
            tap.left_out(f"the tree {version}")
            continue
        tree, why = nctest.real_tree(version)
        if not tree:
            tap.skip(f"{version}: the tree", why)
            continue
        report, path = analyse(version, tree, home, cache, tap)
        if not report:
            continue
        coverage(version, report, tap)
        sane(version, tree, report, tap)
        known = score(version, path, tap)
        table, problems = reviewed.load(version)
        tap.ok(not problems, f"{version}: the table of reviewed findings is well formed",
               "\n".join(problems))
        missing, gone = reviewed.compare(report, table, known)
        tap.ok(not missing, f"{version}: every finding is reviewed",
               "\n".join(f"{r} {f}" for r, f in missing) + "\n(tests/review prints the lines to fill in)")
        tap.ok(not gone, f"{version}: every reviewed finding is there",
               "\n".join(f"{r} {f}" for r, f in gone))
        wrong = [k for k, v in table.items() if v[0] == "wrong"]
        tap.ok(len(wrong) <= 0.15 * max(1, len(report["findings"])),
               f"{version}: {len(wrong)} of {len(report['findings'])} findings are known to be wrong")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
