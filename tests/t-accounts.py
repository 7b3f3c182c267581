#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# long
"""
prove --check accounts on Debian's own kernels: a patch that changes nothing
that is counted, and what each kind of wrong one gets.

One series, in which every wrong patch is followed by one that takes it back:
its kernel is the one before, which is not built again.
"""
import os
import re
import shutil
import sys

import madeseries
import nctest
from nctest import Run, Tap

RULE = "charge-after-flag"
BARRIER = """	/*
	 * The memory barrier inside __SetPageUptodate makes sure that
	 * preceding stores to the page contents become visible before
	 * the set_pte_at() write.
	 */
	__SetPageUptodate(page);
"""
FILL = {
    "6.1": ("mm/userfaultfd.c", "mcopy_atomic_pte", BARRIER, """	ret = -ENOMEM;
	if (mem_cgroup_charge(page_folio(page), dst_mm, GFP_KERNEL))
		goto out_release;
"""),
    "6.12": ("mm/userfaultfd.c", "mfill_atomic_pte_copy",
             BARRIER.replace("__SetPageUptodate", "__folio_mark_uptodate").replace("page)", "folio)"),
             """	ret = -ENOMEM;
	if (mem_cgroup_charge(folio, dst_vma->vm_mm, GFP_KERNEL))
		goto out_release;
"""),
}
CHARGE = "	if (ret)\n		goto out;\n\n	css_get(&memcg->css);\n	commit_charge(folio, memcg);\n"
UNCHARGE = "		page_counter_uncharge(&ug->memcg->memory, ug->nr_memory%s);\n"
# for each wrong patch: what it puts where, its functions, and what must be said of it
WRONG = [
    ("leave a page charged", "mm/memcontrol.c", UNCHARGE % "",
     UNCHARGE % " - !(ug->nr_memory & 7)", "uncharge_batch", r"killed: group pages charged: \d+, and not 0"),
    ("warn once", "mm/memcontrol.c", CHARGE, CHARGE.replace(
        "css_get", "WARN_ON_ONCE(nr_pages == 1);\n	css_get", 1), "charge_memcg", r"WARNING: "),
    ("never come back", "mm/userfaultfd.c", "	ret = -ENOMEM;\n	if (mem_cgroup_charge(",
     "	for (;;)\n		schedule_timeout_uninterruptible(100);\n	ret = -ENOMEM;\n"
     "	if (mem_cgroup_charge(", "mcopy_atomic_pte", r"fill: no end after"),
    ("die", "mm/shmem.c", "	error = mem_cgroup_charge(folio, charge_mm, gfp);\n",
     "	BUG_ON(charge_mm);\n	error = mem_cgroup_charge(folio, charge_mm, gfp);\n",
     "shmem_add_to_page_cache", r"kernel BUG|BUG at"),
    ("not C", "mm/shmem.c", "	error = mem_cgroup_charge(folio, charge_mm, gfp);\n",
     "	error = mem_cgroup_charged(folio, charge_mm, gfp);\n", "shmem_add_to_page_cache", r"error: "),
]


def reorder(version):
    path, function, flag, charge = FILL[version]
    return madeseries.edit("charge before the flag", "reorder",
                           [(path, flag + "\n" + charge, charge + "\n" + flag)],
                           functions=[function], rules=[RULE])


def elsewhere():
    return madeseries.edit("change what is not booted", "reorder", [
        ("mm/hugetlb.c", "static int num_fault_mutexes", "static int num_fault_mutexes ")],
        functions=["hugetlb_fault"], rules=[RULE])


def prove(series, cache, *args, env=None):
    return Run("prove", "--check", "accounts", "--trust-tree", *args, series.dir, series.tree,
               cache=cache, limit=7000, env=env)


def right(version, tree, home, cache, tap):
    series = madeseries.Series(os.path.join(home, version), tree, [reorder(version)])
    run = prove(series, cache)
    got = series.check(0, "accounts")
    tap.ok(run.status == 0 and got["result"] == "pass", f"{version}: a reorder passes", f"{run}\n{got}")
    tap.ok(len(got.get("compared", [])) > 200, f"{version}: hundreds of numbers are compared")
    for name in ("on: group memory.current", "on: group memory.stat:anon", "on: group pages charged",
                 "on: root memory.stat:file_dirty", "off: vmstat pgfault", "off: meminfo AnonPages"):
        tap.ok(name in got.get("compared", []), f"{version}: {name} is one of them")
    tap.ok(got.get("left_out"), f"{version}: what differs by itself is left out, and named")
    tap.note(f"{version}: {got['why']}; left out: {'; '.join(got.get('left_out', []))}")
    os.unlink(os.path.join(series.dir, "proof.json"))
    run = prove(series, cache, env=nctest.path_without(home, "make"))
    tap.ok(run.status == 0 and series.check(0, "accounts") == got,
           f"{version}: the second time nothing is built, and it says the same", run)


def wrong(tree, home, cache, tap):
    patches = [reorder("6.1")]
    for subject, path, old, new, function, _ in WRONG:
        patches.append(madeseries.edit(subject, "reorder", [(path, old, new)], functions=[function],
                                       rules=[RULE]))
        patches.append(madeseries.edit("take back: " + subject, "reorder", [(path, new, old)],
                                       functions=[function], rules=[RULE]))
    patches.append(elsewhere())
    series = madeseries.Series(os.path.join(home, "wrong"), tree, patches)
    only = [arg for i in range(len(WRONG)) for arg in ("--only", str(2 * i + 2))]
    run = prove(series, cache, *only, "--only", str(len(patches)))
    tap.ok(run.status == 4, "wrong patches end with 4", run)
    for i, (subject, *_, said) in enumerate(WRONG):
        got = series.check(2 * i + 1, "accounts")
        tap.ok(got["result"] == "fail" and re.search(said, got["why"]),
               f"'{subject}' fails, by its name", got)
        log = os.path.join(series.dir, "proof-logs", series.patches[2 * i + 1]["file"][:-6] + ".accounts.log")
        tap.ok(os.path.exists(log), f"'{subject}': its log is kept")
        tap.note(f"{subject}: {got['why']}")
    got = series.check(len(patches) - 1, "accounts")
    tap.ok(got["result"] == "not-run" and "is the same without it" in got["why"],
           "what is not in the kernel that is booted is not proven", got)


def missing(tree, home, cache, tap):
    """What is not there makes the check not-run, and says so."""
    series = madeseries.Series(os.path.join(home, "missing"), tree, [reorder("6.1")])
    for env, args, said in (
            (nctest.path_without(home, "qemu-system"), [], "qemu-system-x86_64' is not installed"),
            (nctest.path_without(home, "make"), [], "'make' is not installed"),
            ({}, ["--cc", "gcc-none"], "'gcc-none' is not installed")):
        run = prove(series, cache, *args, env=env)
        got = series.check(0, "accounts")
        tap.ok(run.status == 3 and got["result"] == "not-run" and said in got["why"], said, f"{run}\n{got}")
    run = Run("prove", "--check", "accounts", series.dir, tree, cache=cache)
    got = series.check(0, "accounts")
    tap.ok(run.status == 3 and "--trust-tree" in got["why"], "without --trust-tree nothing is built", got)


def main():
    tap = Tap()
    nctest.need_program()
    if not shutil.which("qemu-system-x86_64"):
        tap.skip("kernels are booted", "qemu-system-x86_64 is not installed")
        return tap.done()
    home, cache = nctest.scratch("accounts"), nctest.scratch("accounts-cache")
    for version in ("6.1", "6.12"):
        tree, why = nctest.real_tree(version)
        if not tree:
            tap.skip(f"{version}: the tree", why)
            continue
        if version == "6.1":
            missing(tree, home, cache, tap)
        right(version, tree, home, cache, tap)
        if version == "6.1":
            wrong(tree, home, cache, tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
