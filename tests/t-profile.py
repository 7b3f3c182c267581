#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check and fix --profile: each kind of profile, and what is none."""
import json
import os
import re
import shutil
import sys

import nctest
from nctest import Run, Tap

FILES = {"include/linux/more.h": """#ifndef _LINUX_MORE_H
#define _LINUX_MORE_H
#include <linux/memcontrol.h>
#ifdef CONFIG_MEMCG
void more_one(struct task_struct *task);
void more_two(struct task_struct *task);
#else
static inline void more_one(struct task_struct *task) { }
static inline void more_two(struct task_struct *task) { }
#endif
#endif
""", "mm/more.c": """#include <linux/more.h>

void more_one(struct task_struct *task)
{
	rcu_read_lock();
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(mem_cgroup_from_task(task), 1);
	rcu_read_unlock();
}

void more_two(struct task_struct *task)
{
	rcu_read_lock();
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(mem_cgroup_from_task(task), 2);
	rcu_read_unlock();
}
"""}
USE = """#include <linux/more.h>

int handle_mm_fault(struct task_struct *task)
{
	more_one(task);
	more_two(task);
	return 0;
}
"""

PERF = """# Samples: 1K of event 'cycles'
#
# Overhead  Command  Shared Object      Symbol
    60.00%  a.out    [kernel.kallsyms]  [k] more_two.constprop.0
    15.00%  a.out    [kernel.kallsyms]  [k] other
     5.00%  a.out    [kernel.kallsyms]  [k] more_one.isra.3.cold
            |
            --- of its callers 12
    20.00%  a.out    a.out              [.] main
"""
FOLDED = """a.out;entry;handle_mm_fault;more_two.llvm.123 50
a.out;entry;handle_mm_fault;more_two_[k] 10
a.out;entry;more_two;other 35
a.out;entry;handle_mm_fault;more_one.part.0_[k] 5
"""
COUNTS = json.dumps({"schema": "nocharge-measure-1", "operations": {"anon-fault": {"out": 100, "off": 120}},
                     "functions": {"anon-fault": {"out": {"more_one": 4, "other": 5, "gone": 9},
                                                  "off": {"more_one": 5, "other": 12, "more_two": 12}}}})


def main():
    tap = Tap()
    nctest.need_program()
    home = nctest.scratch("profile")
    tree = nctest.make_tree(os.path.join(home, "tree"), {
        **{k: (v, "MEMCG") for k, v in FILES.items()}, "mm/use.c": (USE, None)})

    def check(profile, *args):
        path = os.path.join(home, "profile")
        nctest.write(path, profile)
        return Run("check", "--profile", path, *args, tree, cache=home)

    plain = Run("check", "--format", "json", tree, cache=home).json()
    names = {f["function"] for f in plain["findings"]}
    tap.ok({"more_one", "more_two"} <= names, "there are two findings", names)
    tap.ok(not any("profile" in f for f in plain["findings"]), "without a profile there is none")
    for name, text, lost in (("perf report", PERF, "35.0 % of the profile are in 2 functions"),
                             ("folded stacks", FOLDED, "35.0 % of the profile are in 1 functions"),
                             ("measure.json", COUNTS, "35.0 % of the profile are in 1 functions")):
        run = check(text, "--format", "json")
        shares = [(f["function"], round(f["profile"], 3)) for f in run.json()["findings"]]
        tap.ok(shares[:2] == [("more_two", 60), ("more_one", 5)], f"{name}: findings by their share", shares)
        tap.ok(lost in run.err, f"{name}: what is lost is counted", run.err)
        tap.ok({f["id"] for f in run.json()["findings"]} == {f["id"] for f in plain["findings"]},
               f"{name}: they are the same findings")
    run = check(PERF)
    tap.ok(re.search(r"'more_two'.*\n(.*\n)*?.*note: 60\.00 % of the profile", run.out), "the text says so too", run.out)
    for text, said in (("", "is no profile"), ("nothing of the kind\n", "is no profile"),
                       ("{", "profile:1"), ('{"schema": "x"}', "this is no nocharge-measure-1"),
                       ("# only a comment\n", "is no profile"), ("a;b 0\n", "has nothing in it")):
        run = check(text)
        tap.ok(run.status == 2 and said in run.err, f"what is none: {text!r}", run)
    run = Run("check", "--profile", os.path.join(home, "none"), tree, cache=home)
    tap.ok(run.status == 2 and "No such file" in run.err, "a file that is not there", run)
    if not shutil.which("spatch"):
        tap.skip("fix", "spatch is not installed")
        return tap.done()
    first = {}
    for name, text in (("two", PERF), ("one", PERF.replace("60.00", "1.00"))):
        out, path = os.path.join(home, name), os.path.join(home, "profile")
        nctest.write(path, text)
        run = Run("fix", "--profile", path, "--author", "A Thor <a@example.org>", tree, "-o", out, cache=home)
        with open(os.path.join(out, "series.json")) as f:
            first[name] = json.load(f)["patches"][0]["functions"]
        with open(os.path.join(out, "0000-cover-letter.patch")) as f:
            cover = f.read()
    tap.ok(first == {"two": ["more_two"], "one": ["more_one"]}, "fix writes the patch first that has most", first)
    tap.ok(re.search(r"per\s+cent\s+of\s+the\s+given\s+profile", cover), "and says so", cover)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
