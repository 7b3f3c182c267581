#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# long
"""
nocharge measure on Debian's 6.1: kernels without the feature, with it off and
on, and after one patch, built and booted.

What is checked is what must hold on any kernel and with any compiler: the
numbers are the same the second time, off costs more than out and less than on,
a patch that takes a call away saves instructions and one that changes no code
saves none, and the functions of an operation add up to it.
"""
import json
import os
import shutil
import sys

import madeseries
import nctest
from nctest import Run, Tap

FAULTS = ("anon-fault", "shmem-fault", "file-fault", "copy-on-write")


def guard(tree):
    """The function as this tree has it, with a test after its variables."""
    with open(os.path.join(tree, "mm/memcontrol.c")) as f:
        text = f.read()
    start = text.index("void __mod_lruvec_page_state(struct page *page")
    end = text.index("	rcu_read_lock();\n", start)
    old = text[start:end + len("	rcu_read_lock();\n")]
    new = old.replace("	rcu_read_lock();\n", "	if (mem_cgroup_disabled()) {\n"
                      "		__mod_node_page_state(page_pgdat(page), idx, val);\n		return;\n	}\n\n"
                      "	rcu_read_lock();\n")
    return madeseries.edit("test first", "guard", [("mm/memcontrol.c", old, new)],
                           functions=["__mod_lruvec_page_state"])


def comment():
    return madeseries.edit("a comment", "guard", [("mm/memcontrol.c", "void __mod_lruvec_page_state",
                                                   "/* a word */ void __mod_lruvec_page_state")])


def load(series):
    with open(os.path.join(series.dir, "measure.json"), "rb") as f:
        data = f.read()
    return data, json.loads(data)


def main():
    tap = Tap()
    nctest.need_program()
    for program in ("qemu-system-x86_64", "clang-19"):
        if not shutil.which(program):
            tap.skip("kernels are booted", f"{program} is not installed")
            return tap.done()
    tree, why = nctest.real_tree("6.1")
    if not tree:
        tap.skip("6.1: the tree", why)
        return tap.done()
    home, cache = nctest.scratch("measure"), nctest.scratch("measure-cache")
    series = madeseries.Series(home, tree, [guard(tree), comment()])
    run = Run("measure", "--trust-tree", series.dir, tree, cache=cache, limit=7000)
    if not tap.ok(run.status == 0, "6.1 is measured", run):
        return tap.done()
    first, got = load(series)
    operations = got["operations"]
    tap.note(run.out)
    tap.ok(len(operations) >= 17 and not got["problems"], "every operation", got["problems"])
    for name in FAULTS:
        row = operations[name]
        tap.ok(row["out"] < row["off"] < row["on"], f"{name}: off costs more than out, and less than on", row)
        tap.ok(row["off+1"] < row["off"] - 1, f"{name}: a test in front saves", row)
        tap.ok(row["off+2"] == row["off+1"], f"{name}: a comment does not", row)
        for state in ("out", "off", "on"):
            total = sum(got["functions"][name][state].values())
            tap.ok(abs(total - row[state]) < row[state] * 0.02,
                   f"{name}, {state}: its functions add up to it", f"{total} {row[state]}")
    more = got["functions"]["anon-fault"]
    tap.ok(more["off"]["__mod_lruvec_page_state"] > more["off+2"]["__mod_lruvec_page_state"] > 0,
           "what is saved is in the function that is patched")
    tap.ok("__mod_lruvec_page_state" not in more["out"], "which is not there without the feature")
    tap.ok("CONFIG_MEMCG" in got["how"]["differ"] and len(got["how"]["differ"]) < 8,
           "the kernels differ in the feature, and what follows from it", got["how"]["differ"])
    # the boots again, the kernels from the cache
    kept = [os.path.join(where, name) for where, _, names in os.walk(cache) for name in names
            if name.startswith("measured")]
    tap.ok(len(kept) >= 4, "counts are kept", kept)
    for path in kept:
        os.unlink(path)
    run = Run("measure", "--trust-tree", "--jobs", "1", series.dir, tree, cache=cache, limit=7000,
              env=nctest.path_without(home, "make"))
    tap.ok(run.status == 0 and load(series)[0] == first, "booted again, the same bytes", run)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
