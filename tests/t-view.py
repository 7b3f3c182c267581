#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A tree with files replaced in memory is analysed as a copy that has them on
disk: a unit, headers with and without an overlay, Kconfig, a Makefile, a file
that is not there. Nothing is written into the tree, what is equal comes from
the cache, and no report of the one is given for the other.
"""
import json
import os
import re
import shutil
import subprocess
import sys

import nctest
from fixture import FIXTURES, Case
from nctest import Run, Tap

TOOL = os.path.join(os.environ.get("NOCHARGE_BUILD", os.path.join(nctest.TOP, "build")),
                    "tests", "tool_off")
MORE = """
#ifdef CONFIG_MEMCG
void memcg_more(struct task_struct *task)
{
	rcu_read_lock();
	mem_cgroup_from_task(task)->events[0]++;
	rcu_read_unlock();
}
#else
static inline void memcg_more(struct task_struct *task)
{
}
#endif

vm_fault_t do_wp_page(struct vm_fault *vmf)
{
	memcg_more(current);
	return 0;
}
"""
GUARD = "\tif (mem_cgroup_disabled())\n\t\treturn;\n"


def changed(path, old, new):
    return lambda text: {path: text(path).replace(old, new, 1)}


# name, what the view has, whether a unit must be parsed again
CASES = [
    ("a unit", changed("mm/case.c", "\trcu_read_lock", GUARD + "\trcu_read_lock"), 1),
    ("a unit that calls", lambda text: {"mm/memory.c": text("mm/memory.c") + MORE}, 1),
    ("a header", changed("include/linux/case.h", "void memcg_note_fault(struct mm_struct *mm);",
                         "static inline void memcg_note_fault(struct mm_struct *mm)\n"
                         "{\n\tsmp_wmb();\n}"), 2),
    ("a header with an overlay", changed("include/asm-generic/rwonce.h", "#define READ_ONCE(x)",
                                         "#define READ_TWICE(x) x\n#define READ_ONCE(x)"), 2),
    ("a header of all", changed("include/linux/memcontrol.h",
                                "return !cgroup_subsys_enabled(memory_cgrp_subsys);",
                                "return root_mem_cgroup == NULL;"), 2),
    ("an option", changed("init/Kconfig", "config MEMCG_KMEM\n\tbool\n\tdepends on MEMCG",
                          "config MEMCG_KMEM\n\tbool\n\tdepends on MEMCG && BROKEN"), 2),
    ("a Makefile", changed("mm/Makefile", "memory.o ", ""), 0),
    ("files that are not there", lambda text: {
        "mm/sub/new.c": text("mm/case.c").replace("memcg_note_fault", "memcg_new"),
        "mm/sub/Makefile": "obj-$(CONFIG_MEMCG) += new.o\n",
        "mm/Makefile": text("mm/Makefile") + "obj-y += sub/\n",
        "include/linux/case.h": text("include/linux/case.h") +
        text("include/linux/case.h").replace("_CASE_H", "_NEW_H").replace("note_fault", "new"),
        "mm/memory.c": text("mm/memory.c").replace(
            "\treturn 0", "\tmemcg_new(vmf->vma->vm_mm);\n\treturn 0"),
    }, 1),
]


def lay(directory, files):
    for path, text in files.items():
        nctest.write(os.path.join(directory, path), text)


def state(tree):
    return sorted((os.path.join(at, f), os.stat(os.path.join(at, f)).st_mtime_ns)
                  for at, _, files in os.walk(tree) for f in files)


class View:
    def __init__(self, tree, files, cache, scratch):
        self.dir = os.path.join(scratch, "view")
        shutil.rmtree(self.dir, ignore_errors=True)
        os.mkdir(self.dir)
        lay(self.dir, files)
        self.command = [TOOL, "check", "--cache", cache, tree, self.dir]

    def run(self):
        done = subprocess.run(self.command, text=True, capture_output=True,
                              env=dict(os.environ, NOCHARGE_DATA=nctest.TOP))
        m = re.search(r"(\d+) parsed, (\d+) cached", done.stderr)
        self.parsed = int(m[1]) if m else -1
        self.err = done.stderr
        return done.stdout


WRAPPED = ("void memcg_note_fault(struct mm_struct *mm);",
           "void __memcg_note_fault(struct mm_struct *mm);\n"
           "static inline void memcg_note_fault(struct mm_struct *mm)\n"
           "{\n\tif (!mem_cgroup_disabled())\n\t\t__memcg_note_fault(mm);\n}")
# header, what is replaced by what, units that must be parsed: None for all
HEADERS = [
    ("a wrapper", "case", *WRAPPED, 1),
    ("a body", "memcontrol", "return memcg == root_mem_cgroup;",
     "return root_mem_cgroup == memcg;", 0),
    ("a name that a unit has", "case", "void memcg_note_fault(struct mm_struct *mm);",
     "void memcg_note_fault(struct mm_struct *mm);\nint more3(struct folio *folio);", 2),
    ("a macro", "case", "#define _LINUX_CASE_H", "#define _LINUX_CASE_H 1", None),
    ("a field", "memcontrol", "int under_oom;", "long under_oom;", None),
    ("an error", "case", *(WRAPPED[0], WRAPPED[1].replace("!mem_", "!nem_")), None),
]


def many(tap, scratch, files):
    """So many units that what headers say is read once for all of them."""
    files = dict(files)
    for i in range(16):
        files[f"mm/more{i}.c"] = (f"#include <linux/case.h>\n\nint more{i}(struct folio *f);\n"
                                  f"int more{i}(struct folio *f)\n{{\n\tif "
                                  f"(mem_cgroup_is_root(folio_memcg(f)))\n\t\treturn {i};\n"
                                  f"\treturn 0;\n}}\n", None)
    tree = nctest.make_tree(os.path.join(scratch, "many"), files)
    cache = os.path.join(scratch, "cache-many")
    Run("check", "--format", "json", "--cache", cache, tree)
    for name, header, old, new, least in HEADERS:
        path = f"include/linux/{header}.h"
        with open(os.path.join(tree, path)) as f:
            text = f.read()
        assert old in text, name
        replaced = {path: text.replace(old, new, 1)}
        if name == "a wrapper":
            replaced["mm/case.c"] = files["mm/case.c"][0].replace("memcg_note", "__memcg_note")
        copy = os.path.join(scratch, "copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy)
        lay(copy, replaced)
        want = Run("check", "--format", "json", "--no-cache", copy).out
        view = View(tree, replaced, cache, scratch)
        tap.ok(view.run() == want, f"{name} in a header: as in a copy", view.err)
        if least is None:
            tap.ok(view.parsed > 16, f"{name} in a header: all is parsed again", view.err)
        else:
            tap.ok(view.parsed == least, f"{name} in a header: what it concerns is", view.err)


def main():
    nctest.need_program()
    tap, scratch = Tap(), nctest.scratch("view")
    files = Case(os.path.join(FIXTURES, "missing-guard/fires.c")).files
    tree = nctest.make_tree(os.path.join(scratch, "tree"), files)
    cache = os.path.join(scratch, "cache")
    before = state(tree)

    def text(path):
        with open(os.path.join(tree, path)) as f:
            return f.read()

    plain = Run("check", "--format", "json", "--cache", cache, tree).out
    view = View(tree, {}, cache, scratch)
    tap.ok(view.run() == plain and view.parsed == 0, "a view of nothing is the tree", view.err)
    different = 0
    for name, make, least in CASES:
        replaced = make(text)
        assert any(not os.path.exists(os.path.join(tree, p)) or text(p) != t
                   for p, t in replaced.items()), name
        copy = os.path.join(scratch, "copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy)
        lay(copy, replaced)
        want = Run("check", "--format", "json", "--no-cache", copy).out
        view = View(tree, replaced, cache, scratch)
        tap.ok(view.run() == want, f"{name}: as in a copy", view.err)
        tap.ok(view.parsed >= least, f"{name}: units that see it are parsed again", view.err)
        different += want != plain
        again = View(tree, replaced, cache, scratch)
        coverage = json.loads(want)["coverage"]
        tap.ok(again.run() == want and again.parsed == coverage["units"] - coverage["analysed"],
               f"{name}: kept, but for what failed", again.err)
        tap.ok(Run("check", "--format", "json", "--cache", cache, tree).out == plain,
               f"{name}: the tree itself is as before")
    tap.ok(different >= 5, "most of these change what is reported", different)
    view = View(tree, CASES[0][1](text), cache + "-other", scratch)
    Run("check", "--format", "json", "--cache", cache + "-other", tree)
    view.run()
    tap.ok(view.parsed == 1, "one changed unit is one unit to parse", view.err)
    many(tap, scratch, files)
    os.symlink("case.c", os.path.join(tree, "mm/link.c"))
    view = View(tree, {"mm/link.c": "int link;\n"}, cache, scratch)
    view.run()
    tap.ok("symbolic link" in view.err, "a symbolic link is not replaced", view.err)
    os.unlink(os.path.join(tree, "mm/link.c"))
    tap.ok(state(tree) == before, "nothing in the tree has changed")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
