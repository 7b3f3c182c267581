#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What the check "defaults" of prove says of patches that are wrong: the new
parameter does nothing, the option is inverted, the state is lowered too late,
the first on the command line wins, lists or older names are not taken, off by
default costs more. Here with an emulator that behaves as a kernel with the
fault would; with --long with the patches of Debian's 6.1 and a fault in each,
built and booted.
"""
import os
import shutil
import sys

import madeseries
import nctest
from nctest import Run, Tap

KBUILD = """
IMAGE = $(O)/arch/x86/boot/bzImage

allnoconfig:
	@mkdir -p $(O)
	@cat $(KCONFIG_ALLCONFIG) >$(O)/.config

bzImage:
	@mkdir -p $(dir $(IMAGE))
	@cat $(O)/.config kernel/cgroup.c >$(IMAGE)
	@printf 'ffffffff81000000 T first\\n' >$(O)/System.map
	@cp /bin/true $(O)/vmlinux
"""

EMULATOR = """#!/usr/bin/env python3
import sys
args = sys.argv[1:]
if args == ["--version"]:
    print("QEMU emulator version 0 (none)")
    sys.exit(0)
kernel, words = open(args[args.index("-kernel") + 1]).read(), args[args.index("-append") + 1].split()
def has(fault):
    return "fault: " + fault in kernel
option = "CONFIG_MEMCG_DEFAULT_DISABLED=y" in kernel
on = {{"memory": option if has("inverted") else not option, "blkio": True}}
told = set()
for word in words:
    what, _, names = word.partition("=")
    if what not in ("cgroup_enable", "cgroup_disable") or has("nothing") and what == "cgroup_enable":
        continue
    for name in [names] if has("lists") else names.split(","):
        if name in on and not (has("names") and name == "blkio") and not (has("first") and name in told):
            on[name] = what == "cgroup_enable"
            told.add(name)
out, console = "", "Linux\\n"
if "counting" in args[args.index("-initrd") + 1]:
    n = 1000 + 100 * (has("dear") and "cgroup_disable=memory" not in words)
    for line in open({operations!r}):
        if line.strip() and line[0] != "#":
            out += "count %s 10 %s\\n" % (line.split("\\t")[0], " ".join([str(10 * n)] * 8))
else:
    for where in "listed", "unified", "legacy":
        out += "state %s %d\\n" % (where, on["memory"] and not (has("mount") and where == "legacy"))
    for name in on:
        out += "controller %s %d\\n" % (name, on[name])
    if has("late") and option and not on["memory"]:
        console += "BUG: kernel NULL pointer dereference, address: 0\\n"
    else:
        out += "pressure pgscan_kswapd %d\\npressure pswpin 1\\n" % (not has("idle"))
open("console", "w").write(console)
open("numbers", "w").write(out + "end\\n")
"""

# what is wrong, and what is said of it
FAULTS = [("nothing", r"option n, booted with 'cgroup_disable=memory cgroup_enable=memory': it is to be on"),
          ("inverted", "option n, booted with '': it is to be on, and 'state listed ' is 0"),
          ("first", "cgroup_enable=memory cgroup_disable=memory': it is to be off"),
          ("lists", "cgroup_enable=nobody,memory': it is to be on"),
          ("names", "all are to be off, and 'blkio' is not"),
          ("mount", "'state legacy ' is 0"),
          ("late", "option y, booted with '': the kernel's log says \"BUG: "),
          ("idle", "there was no pressure on memory"),
          ("dear", "1100.0 instructions off by default and 1000.0 with cgroup_disable=memory")]


def made(tap):
    home = nctest.scratch("defaults")
    emulator = os.path.join(home, "bin", "qemu-system-x86_64")
    nctest.write(emulator, EMULATOR.format(operations=os.path.join(nctest.TOP, "rules/boot/operations")))
    os.chmod(emulator, 0o755)
    tree = nctest.make_tree(os.path.join(home, "tree"))
    with open(os.path.join(tree, "Makefile"), "a") as f:
        f.write(KBUILD)
    for fault, said in [("none", None)] + FAULTS:
        series = madeseries.Series(os.path.join(home, fault), tree, [madeseries.edit(
            fault, "default-off", [("kernel/cgroup.c", "#include", f"/* fault: {fault} */\n#include")],
            rules=["default-on"])])
        run = Run("prove", "--trust-tree", "--check", "defaults", "--cc", "gcc", series.dir, tree,
                  cache=os.path.join(home, "cache"), limit=300,
                  env={"PATH": os.path.dirname(emulator) + ":" + os.environ["PATH"]})
        got = series.check(0, "defaults") if os.path.exists(os.path.join(series.dir, "proof.json")) else {}
        want = ("fail" if said else "pass", 4 if said else 0)
        tap.ok((got.get("result"), run.status) == want and (said or "") in (got.get("why") or ""),
               f"an emulator's answers: {fault}", f"{got}\n{run}")


ENABLE = "	return cgroup_set_enabled(str, true);\n"
RAISE = "				static_branch_enable(cgroup_subsys_enabled_key[i]);\n"
LEGACY = "			    strcmp(token, ss->legacy_name))\n"
CGROUP = "kernel/cgroup/cgroup.c"
INIT = "	if (IS_ENABLED(CONFIG_MEMCG_DEFAULT_DISABLED))\n"
# each is made in 6.1 with both patches
REAL = [
    ("boot-parameter", "the parameter does nothing", [(CGROUP, ENABLE, "	return 1;\n")], "it is to be on"),
    ("boot-parameter", "the first wins", [
        (CGROUP, "			if (enable)\n" + RAISE, "			{\n				static u16 told;\n\n"
         "				if (told & (1 << i))\n					continue;\n				told |= 1 << i;\n"
         "			}\n			if (enable)\n" + RAISE)], "cgroup_enable=memory cgroup_disable=memory': it is to be off"),
    ("boot-parameter", "only the first of a list", [
        (CGROUP, "static int __init cgroup_enable(char *str)\n{\n",
         "static int __init cgroup_enable(char *str)\n{\n	str[strcspn(str, \",\")] = 0;\n")],
     "cgroup_enable=nobody,memory': it is to be on"),
    ("boot-parameter", "older names are not taken", [(CGROUP, LEGACY, "			    true)\n")],
     "all are to be "),
    ("default-off", "the option is inverted", [(CGROUP, INIT, INIT.replace("(IS", "(!IS"))], "it is to be "),
    # what asked for the state when it was set up was told that it is on
    ("default-off", "the state is lowered too late", [
        (CGROUP, "void __init cgroup_init_default(void)\n{\n	char off[] = \"memory\";\n\n",
         "void __init cgroup_init_default(void)\n{\n}\n\n"
         "static int __init cgroup_late_default(void)\n{\n	char off[] = \"memory\";\n\n"
         "	if (strstr(saved_command_line, \"cgroup_enable=\"))\n		return 0;\n"),
        (CGROUP, INIT + "		cgroup_set_enabled(off, false);\n}\n",
         INIT + "		cgroup_set_enabled(off, false);\n	return 0;\n}\nlate_initcall(cgroup_late_default);\n")],
     "option y, booted with '"),
]


def real(tap):
    tree, why = nctest.real_tree("6.1")
    if not tree:
        tap.skip("6.1: the tree", why)
        return
    home = nctest.scratch("defaults-real")
    tree, run = madeseries.off_by_default(home, tree)
    if not tap.ok(tree, "6.1: off by default", run):
        return
    for number, (kind, name, edits, said) in enumerate(REAL):
        series = madeseries.Series(os.path.join(home, str(number)), tree,
                                   [madeseries.edit(name, kind, edits, rules=["default-on"])])
        run = Run("prove", "--trust-tree", "--check", "defaults", series.dir, tree,
                  cache=nctest.scratch("cache"), limit=7000)
        got = series.check(0, "defaults")
        tap.ok(got["result"] == "fail" and said in got["why"], f"6.1: {name}", f"{got}\n{run}")
        tap.note(got["why"])


def main():
    tap = Tap()
    nctest.need_program()
    made(tap)
    if not nctest.LONG:
        tap.left_out("6.1 with a fault in each of its patches, built and booted")
    elif not shutil.which("qemu-system-x86_64"):
        tap.skip("6.1 with faults", "qemu-system-x86_64 is not installed")
    else:
        real(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
