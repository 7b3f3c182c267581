#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""--profile: each kind of profile, each command that ranks by it, and what is none."""
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
static inline void more_help(struct task_struct *task, unsigned int n)
{
	mem_cgroup_consume(mem_cgroup_from_task(task), n);
}
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
		more_help(task, 2);
	rcu_read_unlock();
}
"""}
USE = """#include <linux/more.h>

vm_fault_t do_wp_page(struct vm_fault *vmf)
{
	more_one(current);
	more_two(current);
	return 0;
}
"""

# residue that is inlined
INLINE = """#ifdef CONFIG_MEMCG
static inline void more_inline(struct task_struct *task)
{
	rcu_read_lock();
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(mem_cgroup_from_task(task), 3);
	rcu_read_unlock();
}
#else
static inline void more_inline(struct task_struct *task) { }
#endif
#endif
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
# of more_two 40 are under its own name and 20 in what is inlined there
INLINED = """# Children      Self  Symbol
    95.00%    35.00%  [k] other
    60.00%    40.00%  [k] more_two
    60.00%    20.00%  [k] more_help
     5.00%     5.00%  [k] more_one
"""
STACKS = """entry;other;more_help_[k] 35
entry;more_two;more_help_[k] 10
entry;more_two;between_[i];more_help_[i] 10
entry;more_two;more_help (inlined) 40
entry;more_one 5
"""
TABLE = """/usr/src/linux-4.0-vanilla/mm/more.c                           65.2000   652000
  more_two                                                        60.000%   600000
  more_one.isra.22                                                 5.000%    50000
  unlisted                                                         0.200%     2000

/usr/src/linux-4.0-vanilla/mm/use.c                              1.0000    10000
  other                                                            1.000%    10000
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
    tap.ok(not plain["coverage"]["skipped"], "all is analysed", plain["coverage"]["skipped"])
    names = {f["function"] for f in plain["findings"]}
    tap.ok({"more_one", "more_two"} <= names, "there are two findings", names)
    tap.ok(not any("profile" in f for f in plain["findings"]), "without a profile there is none")
    for name, text, lost in (("perf report", PERF, "35.0 % of the profile are in 2 functions"),
                             ("folded stacks", FOLDED, "35.0 % of the profile are in 1 functions"),
                             ("measure.json", COUNTS, "35.0 % of the profile are in 1 functions"),
                             ("perf report with callees", INLINED, "35.0 % of the profile are in 1 functions"),
                             ("stacks with callees", STACKS, "35.0 % of the profile are in 1 functions"),
                             ("a table of files", TABLE, "1.2 % of the profile are in 2 functions that no finding is "
                              "on, and it does not say where 33.8 % are")):
        run = check(text, "--format", "json")
        shares = [(f["function"], round(f["profile"], 3)) for f in run.json()["findings"]]
        tap.ok(shares[:2] == [("more_two", 60), ("more_one", 5)], f"{name}: findings by their share", shares)
        tap.ok(lost in run.err, f"{name}: what is lost is counted", run.err)
        tap.ok({f["id"] for f in run.json()["findings"]} == {f["id"] for f in plain["findings"]},
               f"{name}: they are the same findings")
    run = check(PERF)
    tap.ok(re.search(r"'more_two'.*\n(.*\n)*?.*note: 60\.00 % of the profile", run.out), "the text says so too", run.out)
    run = check(PERF + PERF.replace("60.00%", "50.00%"), "--format", "json")
    shares = [(f["function"], round(f["profile"], 1)) for f in run.json()["findings"]]
    tap.ok(shares[:2] == [("more_two", 57.9), ("more_one", 5.3)], "two events: all is still a hundred", shares)

    header = FILES["include/linux/more.h"].rstrip().removesuffix("#endif") + INLINE
    inline = nctest.make_tree(os.path.join(home, "inline"), {
        "include/linux/more.h": (header, None), "mm/more.c": (FILES["mm/more.c"], "MEMCG"),
        "mm/use.c": (USE.replace("	return 0", "	more_inline(current);\n	return 0"), None)})
    more = json.loads(COUNTS)
    more["functions"]["anon-fault"]["out"]["do_wp_page"] = 30
    more["functions"]["anon-fault"]["off"]["do_wp_page"] = 60
    path = os.path.join(home, "profile")
    nctest.write(path, json.dumps(more))
    run = Run("check", "--profile", path, "--format", "json", inline, cache=home)
    shares = [(f["function"], round(f["profile"], 3)) for f in run.json()["findings"]]
    tap.ok(shares[:3] == [("more_inline", 60), ("more_two", 24), ("more_one", 2)] and "14.0 % of" in run.err,
           "what off has more is that of residue which is inlined there", f"{shares} {run.err}")
    run = Run("list", "--profile", path, inline, cache=home)
    rows = [line.split() for line in run.out.splitlines()[1:]]
    tap.ok([(r[0], r[3]) for r in rows if r[0] != "0.00"] == [("54.00", "more_inline"), ("24.00", "more_two"), (
        "6.00", "mem_cgroup_from_css"), ("2.00", "more_one")], "and of such entry points, as much as each has", run.out)
    nctest.write(path, INLINED)
    run = Run("list", "--profile", path, tree, cache=home)
    rows = [line.split() for line in run.out.splitlines()]
    tap.ok(rows[0][0] == "PROFILE" and [(r[0], r[3]) for r in rows[1:4]] == [("60.00", "more_two"),
           ("20.00", "more_help"), ("5.00", "more_one")], "list: entry points by their share", run.out)
    tap.ok("35.0 % of the profile are in 1 functions" in run.err, "and what is lost", run.err)
    run = Run("list", "--profile", path, "--format", "json", tree, cache=home)
    tap.ok(run.json()["entry_points"][0]["name"] == "more_two" and run.json()["entry_points"][0]["profile"] == 60,
           "in JSON too", run)
    run = Run("list", tree, cache=home)
    tap.ok("PROFILE" not in run.out, "without a profile there is no such column", run.out)
    run = Run("explain", "--profile", path, tree, "more_two", cache=home)
    tap.ok("60.00 % of the profile: 40.00 in 'more_two' itself, 20.00 in 'more_help', which is inlined there"
           in run.out, "explain tells what it has, and where", run.out)
    run = Run("explain", "--profile", path, "--format", "json", tree, "more_two", cache=home)
    tap.ok(run.json()["profile"] == 60 and run.json()["profile_of"] == {"more_two": 40, "more_help": 20},
           "in JSON too", run)
    run = Run("explain", "--profile", path, tree, "do_wp_page", cache=home)
    tap.ok("0.00 % of the profile: it is not in it under this name" in run.out, "explain of what has nothing", run.out)
    bare = nctest.make_tree(os.path.join(home, "bare"))
    run = Run("diff", "--profile", path, bare, tree, cache=home)
    new = [line for line in run.out.splitlines() if ": new: " in line]
    tap.ok(len(new) > 1 and "'more_two'" in new[0] and new[0].endswith("60.00 % of the profile")
           and "'more_one'" in new[1], "diff: what is new by its share", run.out)
    tap.ok("35.0 % of the profile are in 1 functions" in run.err, "and what is lost", run.err)
    old = os.path.join(home, "old.json")
    nctest.write(old, json.dumps(dict(plain, findings=[])))
    nctest.write(os.path.join(home, "new.json"), json.dumps(plain))
    run = Run("diff", "--profile", path, "--format", "json", old, os.path.join(home, "new.json"), cache=home)
    tap.ok([(f["function"], f["profile"]) for f in run.json()["new"]][:2] == [("more_two", 40), ("more_one", 5)],
           "of files it is not known what is inlined", run.out)
    none = "is no line of a profile"
    for text, where, said in (
            ("", ":", "is no profile"), ("nothing of the kind\n", ":1:", none), ("{", ":1", ""),
            ('{"schema": "x"}', ":1:", "this is no nocharge-measure-1"), ("# only a comment\n", ":", "nothing in it"),
            ("a;b 0\n", ":", "nothing in it"), (PERF + "garbage\n", ":10:", none), ("a\0b;c 1\n", ":", "no text"),
            ("    12.00%  a.out\n", ":1:", none), (PERF + "    12.00%  a.out\n", ":10:", "no symbol"),
            ("   112.00%  [k] more_two\n", ":1:", none), (FOLDED + "a;b\n", ":5:", none), (FOLDED + "a; 3\n", ":5:", none),
            (TABLE + "and so on\n", ":8:", none), (TABLE + "  more 1.000% 2.5\n", ":8:", none),
            (json.dumps({"schema": "nocharge-measure-1", "operations": {"a": {"off": 1}}}), ":", "were not measured")):
        run = check(text)
        tap.ok(run.status == 2 and f"profile{where}" in run.err and said in run.err, f"what is none: {text[-30:]!r}", run)
        run = Run("list", "--profile", path, tree, cache=home)
        tap.ok(run.status == 2 and said in run.err, "nor for list", run)
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
