#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
nocharge measure on Debian's 6.1: kernels without the feature, with it off and
on, and after one patch, built and booted, all without a network, whose code
takes a quarter of the time. With --long that is there, and another patch; all
is booted twice, and 6.12 for arm64 too.

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


def check_faults(tap, got, last):
    """@last: the state after all patches, of which the first saves."""
    for name in FAULTS:
        row = got["operations"][name]
        tap.ok(row["out"] < row["off"] < row["on"], f"{name}: off costs more than out, and less than on", row)
        tap.ok(row["out"] < row["off+1"] < row["off"] - 1, f"{name}: a test in front saves", row)
        for state in ("out", "off", "on"):
            total = sum(got["functions"][name][state].values())
            tap.ok(abs(total - row[state]) < row[state] * 0.02,
                   f"{name}, {state}: its functions add up to it", f"{total} {row[state]}")
    more = got["functions"]["anon-fault"]
    tap.ok(more["off"]["__mod_lruvec_page_state"] > more[last]["__mod_lruvec_page_state"] > 0,
           "what is saved is in the function that is patched")
    tap.ok("__mod_lruvec_page_state" not in more["out"], "which is not there without the feature")


def again(tap, home, cache, series, tree, first):
    """The boots again, the kernels from the cache."""
    kept = [os.path.join(where, name) for where, _, names in os.walk(cache) for name in names
            if name.startswith("measured")]
    tap.ok(len(kept) >= 4, "counts are kept", kept)
    for path in kept:
        os.unlink(path)
    run = Run("measure", "--trust-tree", "--jobs", "1", series.dir, tree, cache=cache, limit=7000,
              env=nctest.path_without(home, "make"))
    tap.ok(run.status == 0 and load(series)[0] == first, "booted again, the same bytes", run)


def arm64(tap, home, cache):
    """The operations of another architecture, by its own emulator."""
    tree, why = nctest.real_tree("6.12")
    for program in ("qemu-system-aarch64", "aarch64-linux-gnu-gcc"):
        why = why if shutil.which(program) else f"{program} is not installed"
    if why:
        tap.skip("6.12 for arm64", why)
        return
    series = madeseries.Series(os.path.join(home, "arm64"), tree, [])
    series.write(tree={"version": "6.12.99", "arch": "arm64"})
    run = Run("measure", "--trust-tree", series.dir, tree, cache=cache, limit=7000)
    if not tap.ok(run.status == 0, "6.12 is measured for arm64", run):
        return
    got = load(series)[1]
    tap.note(run.out)
    tap.ok(got["how"]["arch"] == "arm64" and "-M virt" in got["how"]["commands"]["off"], "it is told", got["how"])
    for name in FAULTS + ("unmap",):
        row = got["operations"][name]
        tap.ok(row["out"] < row["off"] < row["on"], f"arm64, {name}: off costs more than out, and less than on", row)
        total = sum(got["functions"][name]["off"].values())
        tap.ok(abs(total - row["off"]) < row["off"] * 0.02, f"arm64, {name}: its functions add up to it",
               f"{total} {row['off']}")


def small(home):
    """--config for kernels that take less time to build, and have no sockets."""
    text = ""
    for name in ("config", "x86.config"):
        with open(os.path.join(nctest.TOP, "rules/boot", name)) as f:
            text += f.read()
    nctest.write(os.path.join(home, "small.config"), text)
    return "--config", os.path.join(home, "small.config")


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
    series = madeseries.Series(home, tree, [guard(tree)] + ([comment()] if nctest.LONG else []))
    run = Run("measure", "--trust-tree", *([] if nctest.LONG else small(home)), series.dir, tree, cache=cache,
              limit=7000)
    # what cannot be counted is 3
    if not tap.ok(run.status == (0 if nctest.LONG else 3), "6.1 is measured", run):
        return tap.done()
    first, got = load(series)
    operations = got["operations"]
    tap.note(run.out)
    without = {problem.split(",")[0] for problem in got["problems"]}
    tap.ok(without == (set() if nctest.LONG else {"socket-pair"}) and
           len(operations) >= 17, "every operation that there is", got["problems"])
    last = "off+2" if nctest.LONG else "off+1"
    tap.ok(sorted(operations["anon-fault"]) == sorted({"out", "off", "off+1", last, "on", "on+all"}),
           "states have their names", operations["anon-fault"])
    check_faults(tap, got, last)
    tap.ok("CONFIG_MEMCG" in got["how"]["differ"] and len(got["how"]["differ"]) < 8,
           "the kernels differ in the feature, and what follows from it", got["how"]["differ"])
    if nctest.LONG:
        for name in FAULTS:
            tap.ok(operations[name]["off+2"] == operations[name]["off+1"], f"{name}: a comment saves nothing",
                   operations[name])
        again(tap, home, cache, series, tree, first)
        arm64(tap, home, cache)
    else:
        tap.left_out("sockets, a patch that changes no code, all boots twice, and arm64")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
