#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What rules/memcg.json says is little, and all of it matters: at most 40 names
of the kernel beside the hot roots, and each taken away changes a result.

Which tree shows it depends on the name: a name of an old kernel does nothing
on a new one. Each is taken away on the small trees, in the long run on
Debian's kernels too; tests/rules-elsewhere.tsv has the names that no tree at
hand shows, and why they stand there.
"""
import copy
import csv
import json
import os
import sys

import fixture
import nctest
from nctest import LONG, Run, Tap

RULES = os.path.join(nctest.TOP, "rules", "memcg.json")
MOST = 40


def identifiers(rules):
    """[(what, path)]: each name, and where it stands in the document."""
    out = []
    off, group = rules["off"], rules.get("group", {})
    for i, name in enumerate(off["predicate"]):
        out.append((name, ("off", "predicate", i)))
    for key in ("guard", "known"):
        for i, v in enumerate(off.get(key, [])):
            out.append((v["name"], ("off", key, i)))
    if group.get("record"):
        out.append((group["record"], ("group", "record")))
    for i, name in enumerate(group.get("root", [])):
        out.append((name, ("group", "root", i)))
    for i, name in enumerate(group.get("limits", [])):
        out.append((name, ("group", "limits", i)))
    for key, words in (("fields", ("name",)), ("arrays", ("field", "index")),
                       ("same", ("field", "member"))):
        for i, v in enumerate(group.get(key, [])):
            out.append((" ".join(v[w] for w in words), ("group", key, i)))
    calls = rules.get("callbacks", {})
    for i, name in enumerate(calls.get("tables", [])):
        out.append((name, ("callbacks", "tables", i)))
    for i, v in enumerate(calls.get("run", [])):
        out.append((v["name"], ("callbacks", "run", i)))
    for key in ("charge", "statistics"):
        for i, name in enumerate(rules.get(key, [])):
            out.append((name, (key, i)))
    return out


def distinct(rules):
    return {w for name, _ in identifiers(rules) for w in name.split()}


def without(rules, path):
    """A copy without the name at @path; a list keeps its place with a name of nothing."""
    rules = copy.deepcopy(rules)
    at = rules
    for step in path[:-1]:
        at = at[step]
    if isinstance(at, list):
        del at[path[-1]]
    else:
        at[path[-1]] = "no_such_record"
    return rules


def result(report):
    entries = sorted((e["name"], e["state"], e["off_returns"], e["residue"], tuple(e["hot"]))
                     for e in report["entry_points"])
    found = sorted((f["rule"], f["function"], tuple(f.get("covers", []))) for f in report["findings"])
    return entries, found


def trees(home, tap):
    """(label, directory): the small ones that show the names best, then the real ones."""
    out = []
    for name in ("dynamic-guard/fires", "dynamic-guard/shape-subsys-flag", "traps/07-implied-that-hold",
                 "traps/09-callbacks-run", "traps/10-guarded-by-callers", "traps/01-root-is-not-null",
                 "traps/08-implied-that-do-not-hold", "traps/02-load-bearing",
                 "split-accounting/fires", "split-accounting/shape-folio",
                 "root-work/fires", "root-work/shape-update-tree",
                 "charge-after-flag/fires", "charge-after-flag/shape-anon-fault",
                 "charge-after-flag/shape-write-fault", "charge-after-flag/shape-charge-chooses"):
        case = fixture.Case(os.path.join(fixture.FIXTURES, name + ".c"))
        out.append((name, nctest.make_tree(os.path.join(home, name.replace("/", "+")), case.files)))
    for version in ("6.1", "6.12") if LONG else ():
        tree, why = nctest.real_tree(version)
        if tree:
            out.append((version, tree))
        else:
            tap.skip(f"names taken away on {version}", why)
    return out


def main():
    tap = Tap()
    with open(RULES) as f:
        rules = json.load(f)
    names = distinct(rules)
    tap.ok(len(names) <= MOST, f"{len(names)} names of the kernel, at most {MOST}",
           " ".join(sorted(names)))
    if not LONG:
        tap.left_out("taking names away on Debian's kernels")
    nctest.need_program()
    home = nctest.scratch("rules")
    cache = nctest.shared_cache()
    where = trees(home, tap)
    base = {}
    for label, tree in where:
        run = Run("check", tree, "--format", "json", cache=cache)
        report = run.json()
        if tap.ok(report is not None and run.status in (0, 1), f"{label}: with all names", run):
            base[label] = result(report)
    elsewhere = {}
    path = os.path.join(nctest.TESTS, "rules-elsewhere.tsv")
    if os.path.exists(path):
        with open(path, newline="") as f:
            elsewhere = {r["name"]: r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
    for name, place in identifiers(rules):
        less = os.path.join(home, "less.json")
        with open(less, "w") as f:
            json.dump(without(rules, place), f, indent=1)
        shown = None
        for label, tree in where:
            if label not in base:
                continue
            run = Run("check", tree, "--rules", less, "--format", "json", cache=cache)
            report = run.json()
            if run.status not in (0, 1) or report is None or result(report) != base[label]:
                shown = label
                break
        if not shown and not LONG and name not in elsewhere:
            tap.skip(f"without '{name}' a result changes", "no small tree shows it; --long asks others")
        elif shown or name not in elsewhere:
            tap.ok(shown is not None, f"without '{name}' ({'.'.join(map(str, place))}) a result changes"
                   + (f": {shown}" if shown else ""))
        else:
            tap.skip(f"without '{name}' a result changes",
                     f"{elsewhere[name]['tree']} shows it: {elsewhere[name]['why']}")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
