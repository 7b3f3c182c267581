#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A second feature by a rules file alone: the huge page controller on 6.1. Every
function of its header that has a stub is an entry point, in the state that
tests/hugetlb-cgroup-6.1.tsv gives it, each read by hand.
"""
import csv
import os
import re
import sys

import csource
import nctest
from nctest import Run, Tap

HEADER = "include/linux/hugetlb_cgroup.h"
RULES = os.path.join(nctest.TOP, "rules", "hugetlb-cgroup.json")


def with_stub(tree):
    """Functions that the header defines under its first #else."""
    with open(os.path.join(tree, HEADER)) as f:
        text = f.read()
    stubs = text[re.search(r"^#else", text, re.M).end():]
    return {f.name for f in csource.functions(stubs)}


def main():
    tap = Tap()
    nctest.need_program()
    tree, why = nctest.real_tree("6.1")
    if not tree:
        tap.skip("hugetlb-cgroup on 6.1", why)
        return tap.done()
    with open(os.path.join(nctest.TESTS, "hugetlb-cgroup-6.1.tsv"), newline="") as f:
        table = {r["name"]: r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
    stubs = with_stub(tree)
    tap.ok(set(table) == stubs, "the table has every function of the header with a stub",
           " ".join(sorted(set(table) ^ stubs)))
    run = Run("list", tree, "--rules", RULES, "--format", "json", cache=nctest.shared_cache())
    report = run.json()
    if not tap.ok(run.status in (0, 1) and report is not None, "list is whole", run):
        return tap.done()
    entry = {}
    for e in report["entry_points"]:
        if e["name"] in table:
            entry.setdefault(e["name"], e)
    for name, row in table.items():
        e = entry.get(name)
        tap.ok(e is not None, f"{name} is listed")
        if not e:
            continue
        tap.ok(e["state"] in row["state"].split("|"), f"{name}: {row['state']}",
               f"listed as {e['state']}; by hand: {row['why']}")
        tap.ok(e["stub"] != "none", f"{name}: its stub is seen", f"stub '{e['stub']}'")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
