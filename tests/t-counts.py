#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
nocharge measure without a kernel: a tree whose kbuild makes small files of its
sources, and an emulator that makes numbers of those. What stands in
measure.json and in the table, and what each thing that is missing or goes
wrong gets.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.dom.minidom

import nctest
from madeseries import Series, edit
from nctest import Run, Tap

KBUILD = """
IMAGE = $(O)/arch/x86/boot/bzImage

allnoconfig:
	@mkdir -p $(O)
	@grep -v '^CONFIG_NOT_TAKEN' $(KCONFIG_ALLCONFIG) >$(O)/.config
	@if grep -q CONFIG_MEMCG=y $(O)/.config; then echo CONFIG_FOLLOWS=y >>$(O)/.config; fi

bzImage:
	@mkdir -p $(dir $(IMAGE))
	@echo a line of the build
	@! grep -n 'does not compile' mm/swap.c || { echo "mm/swap.c:1:1: error: no C"; exit 1; }
	@cat $(O)/.config mm/*.c >$(IMAGE)
	@printf 'ffffffff81000000 T first\\nffffffff81000100 T second\\n' >$(O)/System.map
	@cp /bin/true $(O)/vmlinux
"""

# 1000 instructions, 100 more with the feature off and 200 with it on; 30 less after each "cheaper"
EMULATOR = """#!/usr/bin/env python3
import sys
args = sys.argv[1:]
if args == ["--version"]:
    print("QEMU emulator version 0 (none)")
    sys.exit(0)
def after(option):
    return args[args.index(option) + 1]
kernel, words = open(after("-kernel")).read(), after("-append").split()
plugin = dict(w.split("=", 1) for w in after("-plugin").split(",")[1:])
names = [l.split("\\t")[0] for l in open({operations!r}) if l.strip() and l[0] != "#"]
n, more = 1000, 0
if "CONFIG_MEMCG=y" in kernel:
    more = 100 if "cgroup_disable=memory" in words else 200
    more -= 30 * kernel.count("cheaper")
elif "cgroup_disable=memory" in words:
    more = 5000
console = "Linux\\n"
if "it hangs" in kernel and "CONFIG_MEMCG=y" in kernel:
    console += "WARNING: at mm/swap.c:1\\n"
out, counts = "memory MemFree %d\\n" % (1000 - more), ""
for i, name in enumerate(names):
    if name == "pipe" and "no pipes" in kernel and more:
        out += "pipe skipped there are none\\n"
        continue
    out += "count %s 10 %s\\n" % (name, " ".join(str(10 * (n + more) + 10 * k) for k in range(8)))
    for k in range(8):
        counts += "%d %d first %d\\n%d %d second %d\\n" % (i, k, 10 * n, i, k, 10 * more + 10 * k)
open("console", "w").write(console)
open("numbers", "w").write(out + ("" if "cut off" in kernel and more else "end\\n"))
open(plugin["out"], "w").write(counts)
"""

PIPE = "pipe"
HOT = "anon-fault"


def change(word, path="mm/swap.c"):
    return edit(word, "guard", [(path, "#include", f"/* {word} */\n#include")])


class Home:
    def __init__(self, tap, patches, makefile=KBUILD):
        self.dir = nctest.scratch("counts")
        self.tap = tap
        self.tree = nctest.make_tree(os.path.join(self.dir, "tree"))
        with open(os.path.join(self.tree, "Makefile"), "a") as f:
            f.write(makefile)
        self.series = Series(self.dir, self.tree, patches)
        bin_dir = os.path.join(self.dir, "bin")
        emulator = os.path.join(bin_dir, "qemu-system-x86_64")
        nctest.write(emulator, EMULATOR.format(
            operations=os.path.join(nctest.TOP, "rules/boot/operations")))
        os.chmod(emulator, 0o755)
        self.env = {"PATH": bin_dir + ":" + os.environ["PATH"]}
        self.cache = os.path.join(self.dir, "cache")

    def run(self, *args, env=None, trust=True):
        return Run("measure", *(["--trust-tree"] if trust else []), "--cc", "gcc", *args, self.series.dir,
                   self.tree, cache=self.cache, env=env or self.env, limit=300)

    def json(self):
        with open(os.path.join(self.series.dir, "measure.json")) as f:
            return json.load(f)

    def fails(self, status, said, name, *args, **how):
        run = self.run(*args, **how)
        self.tap.ok(run.status == status and re.search(said, run.err), name, run)
        return run


def right(tap):
    home = Home(tap, [change("cheaper"), edit("elsewhere", "guard", [("include/linux/mm.h", "\n", "\n\n")]),
                      change("cheaper", "mm/vmstat.c")])
    run = home.run()
    if not tap.ok(run.status == 0, "a series is measured", run):
        return
    got = home.json()
    tap.ok(got["schema"] == "nocharge-measure-1", "measure.json says what it is")
    tap.ok(got["operations"][HOT] == {"out": 1003.5, "off": 1103.5, "off+1": 1073.5, "off+2": 1073.5,
                                      "off+3": 1043.5, "on": 1203.5, "on+all": 1143.5},
           "the median of each state, per operation", got["operations"][HOT])
    tap.ok(got["functions"][HOT]["off"] == {"first": 1000, "second": 103.5}
           and "off+1" not in got["functions"][HOT] and "off+3" in got["functions"][HOT],
           "functions of what is held against each other", got["functions"][HOT].keys())
    tap.ok(got["bytes"]["out"]["MemFree"] == 1024000 and got["bytes"]["off"]["MemFree"] == 921600
           and got["bytes"]["off"]["text"] > 1000, "bytes of the image and of memory", got["bytes"]["out"])
    tap.ok(set(got["how"]["differ"]) >= {"CONFIG_MEMCG", "CONFIG_FOLLOWS"},
           "options that differ are named", got["how"]["differ"])
    tap.ok("QEMU emulator version 0" in got["how"]["emulator"] and "gcc" in got["how"]["compiler"]
           and "ld" in got["how"]["linker"],
           "the versions are told", got["how"])
    tap.ok("cgroup_disable=memory" in got["how"]["commands"]["off"]
           and "cgroup_disable" not in got["how"]["commands"]["out"] + got["how"]["commands"]["on"],
           "and the emulator's commands", got["how"]["commands"])
    tap.ok(re.search(r"anonymous fault +1003\.5 +1103\.5 +\+9\.97% +1043\.5 +\+3\.99%", run.out),
           "the table has absolute numbers and per cent", run.out)
    tap.ok("not time" in run.out, "it says that it is no time")
    tap.ok("off+1: anonymous fault 1103.5 to 1073.5, " in run.out and "off+2:" not in run.out,
           "and what each patch changes", run.out)
    tap.ok(not home.series.leftovers(), "nothing is left behind", home.series.leftovers())

    # from the cache: nothing is built or booted again
    with open(os.path.join(home.series.dir, "measure.json"), "rb") as f:
        first = f.read()
    again = home.run("-o", os.path.join(home.dir, "again.json"), "--jobs", "1",
                     env=dict(nctest.path_without(home.dir, "make")) | {
                         "PATH": os.path.join(home.dir, "bin") + ":" + nctest.path_without(home.dir, "make")["PATH"]})
    tap.ok(again.status == 0 and again.out == run.out, "the second time nothing is built", again)
    with open(os.path.join(home.dir, "again.json"), "rb") as f:
        tap.ok(f.read() == first, "and the bytes are the same, in another file")

    other = Home(tap, [change("cheaper"), edit("elsewhere", "guard", [("include/linux/mm.h", "\n", "\n\n")]),
                       change("cheaper", "mm/vmstat.c")])
    run = other.run("--no-cache")
    with open(os.path.join(other.series.dir, "measure.json"), "rb") as f:
        tap.ok(f.read() == first, "and in another place, without a cache", run)

    run = other.run("--ends", "--plot", os.path.join(home.dir, "plots"))
    with open(os.path.join(home.dir, "plots", HOT + ".svg")) as f:
        tap.ok(xml.dom.minidom.parse(f).documentElement.tagName == "svg" and
               len(os.listdir(os.path.join(home.dir, "plots"))) == len(got["operations"]),
               "--plot draws each operation")
    tap.ok(run.status == 0 and sorted(other.json()["operations"][HOT]) ==
           ["off", "off+3", "on", "on+all", "out"], "--ends leaves out what is between", run)

    asked = os.path.join(home.dir, "asked.config")
    nctest.write(asked, "CONFIG_MEMCG_DEFAULT_DISABLED=y\n")
    run = other.run("--ends", "--config", asked)
    told = other.json()["how"]["commands"] if run.status == 0 else {}
    tap.ok(sorted(told) == ["default", "off", "off+3", "on", "on+all", "out"] and
           "cgroup_" not in told["default"] + told["out"] and "cgroup_disable=memory" in told["off"] and
           all("cgroup_enable=memory" in told[state] for state in ("on", "on+all")),
           "what is off unless asked is booted as it is, and asked", f"{told}\n{run}")

    empty = Home(tap, [])
    run = empty.run()
    tap.ok(run.status == 0 and sorted(empty.json()["operations"][HOT]) == ["off", "on", "out"],
           "a series without patches", run)


COVER = """From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
From: A Thor <a@example.org>
Subject: [PATCH 0/2] less

A word.

How it is proven: it is.

 mm/swap.c | 1 +
-- 
nocharge 0
"""


def patch_id(path):
    with open(path) as f:
        return subprocess.run(["git", "patch-id", "--stable"], stdin=f, stdout=subprocess.PIPE, text=True).stdout


def told(tap):
    """The messages of the series have what was measured; their diffs are as they were."""
    home = Home(tap, [change("cheaper"), edit("elsewhere", "guard", [("include/linux/mm.h", "\n", "\n\n")])])
    cover = os.path.join(home.series.dir, "0000-cover-letter.patch")
    nctest.write(cover, COVER)
    before = []
    for i in range(2):
        path = home.series.patch(i)
        with open(path) as f:
            text = f.read()
        nctest.write(path, text.replace("\n---\n", "\nWhy.\n\nFound by nocharge, which looks.\n---\n", 1))
        before.append((patch_id(path), open(path).read()))
    run = home.run("-o", os.path.join(home.dir, "elsewhere.json"))
    tap.ok(run.status == 0 and open(cover).read() == COVER, "with -o no message changes", run)
    run = home.run()
    first, second, letter = open(home.series.patch(0)).read(), open(home.series.patch(1)).read(), open(cover).read()
    tap.ok(re.search(r"\n\nWhy\.\n\nInstructions, by nocharge measure: .*anonymous\s+fault\s+1104\s+to\s+1074\s+"
                     r"\(compiled\s+out\s+1004\).*no\s+time\.\n\nFound by", first, re.S),
           "a patch's message has what it changes", first)
    tap.ok(second == before[1][1], "one that changes nothing stays as it was", second)
    tap.ok(re.search(r"A word\.\n\nMeasured by nocharge measure, .*not time.*\n +out +off +off\+2 +on +on\+all\n"
                     r"anonymous fault +1004 +1104 +\+10\.0 +1074 +\+7\.0 .*\n\nHow it is", letter, re.S),
           "the cover letter has the table", letter)
    tap.ok(max(map(len, letter.splitlines())) <= 79, "no line of it is too long", letter)
    tap.ok(patch_id(home.series.patch(0)).split()[0] == before[0][0].split()[0]
           and before[0][0], "the diff is as it was")
    run = home.run()
    tap.ok(run.status == 0 and open(home.series.patch(0)).read() == first and open(cover).read() == letter,
           "the second time nothing is put twice", run)


def wrong(tap):
    home = Home(tap, [change("no pipes"), change("cheaper")])
    run = home.fails(3, r"pipe, off\+1: there are none", "an operation that is not there ends with 3")
    got = home.json()
    tap.ok("off" in got["operations"][PIPE] and "off+1" not in got["operations"][PIPE]
           and "off+1" in got["operations"][HOT], "it is left out, and all else is there", run)

    home = Home(tap, [change("does not compile")])
    home.fails(4, r"off\+1: built: it does not build by gcc.*error: no C", "a kernel that does not build ends with 4")
    log = os.path.join(home.series.dir, "measure-logs", "off+1.log")
    tap.ok(os.path.exists(log) and "a line of the build" in open(log).read(), "its log is kept")
    tap.ok("off" in home.json()["operations"][HOT], "and the others are measured")

    home = Home(tap, [change("it hangs")])
    home.fails(4, r'off\+1: booted: the kernel\'s log says "WARNING: at mm/swap.c:1"', "a warning ends with 4")
    tap.ok("Linux" in open(os.path.join(home.series.dir, "measure-logs", "off+1.log")).read(), "its log is kept")
    home = Home(tap, [change("cut off")])
    home.fails(4, r"off\+1: booted: it ends early", "a boot that ends early ends with 4")
    home.fails(4, r"off\+1: booted: it ends early", "and is not taken from the cache")

    home = Home(tap, [change("cheaper")])
    patch = home.series.patch(0)
    with open(patch) as f:
        text = f.read()
    nctest.write(patch, text.replace(" #include", " #exclude"))
    home.fails(4, "does not apply", "a patch that does not apply ends with 4")


def missing(tap):
    home = Home(tap, [change("cheaper")])
    home.fails(2, "--trust-tree", "without --trust-tree nothing is run", trust=False)
    run = Run("measure", "--trust-tree", "--cc", "gcc-none", home.series.dir, home.tree, cache=home.cache,
              env=home.env)
    tap.ok(run.status == 2 and "'gcc-none' is not installed" in run.err, "a compiler that is not there", run)
    home.fails(2, "one --cc", "two compilers", "--cc", "clang-19")
    bare = nctest.path_without(home.dir, "qemu-system")
    home.fails(2, "qemu-system-x86_64' is not installed", "no emulator", env=bare)
    bare = nctest.path_without(home.dir, "make")
    home.fails(2, "'make' is not installed", "no make",
               env={"PATH": os.path.join(home.dir, "bin") + ":" + bare["PATH"]})
    home.series.write(tree={"version": "6.1.99", "arch": "arm64"})
    nctest.write(os.path.join(home.tree, "arch/arm64/Kconfig"), "")
    bare = nctest.path_without(home.dir, "qemu-system")
    home.fails(2, r"qemu-system-aarch64' is not installed \(Debian: qemu-system-arm\)",
               "another architecture's emulator", env=bare)
    bare = nctest.path_without(home.dir, "aarch64-linux-gnu-")
    os.symlink(os.path.join(home.dir, "bin", "qemu-system-x86_64"),
               os.path.join(home.dir, "bin", "qemu-system-aarch64"))
    if os.uname().machine != "aarch64":
        home.fails(2, r"aarch64-linux-gnu-gcc cannot make .*\(Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross\): "
                   "it is not installed", "and compiler",
                   env={"PATH": os.path.join(home.dir, "bin") + ":" + bare["PATH"]})
    options = os.path.join(home.dir, "options")
    home = Home(tap, [], KBUILD.replace("CONFIG_NOT_TAKEN", "CONFIG_SWAP"))
    nctest.write(options, "CONFIG_A=y\nCONFIG_B=n\n# CONFIG_MEMCG is not set\n")
    run = home.run("--config", options)
    tap.ok(run.status == 0 and re.search(r"allnoconfig with a file 'options' .its hash is [0-9a-f]{16}",
                                         home.json()["how"]["configuration"]),
           "--config has the options, but for the feature's", run)
    nctest.write(options, "CONFIG_A=n\n# CONFIG_SWAP is not set\nCONFIG_SWAP=y\n")
    home.fails(2, "'CONFIG_SWAP=y' was asked for", "an option of --config that did not take", "--config", options)
    home.fails(2, "'CONFIG_SWAP=y' was asked for", "an option that did not take")
    home = Home(tap, [], KBUILD.replace("@if grep", "@echo CONFIG_MEMCG=y >>$(O)/.config; if grep"))
    home.fails(2, "CONFIG_MEMCG is on", "a feature that cannot be out")
    run = Run("measure", "--trust-tree", os.path.join(home.dir, "none"), home.tree)
    tap.ok(run.status == 2 and "No such file" in run.err, "no series", run)
    run = Run("measure", "--arch", "x86", "a", "b")
    tap.ok(run.status == 2 and "are the series'" in run.err, "what the series says is no option", run)
    run = Run("measure", "-h")
    tap.ok(run.status == 0 and "instructions, and not time" in run.out, "-h", run)


def stopped(tap):
    """A signal ends it, with all that it started, and nothing is left."""
    home = Home(tap, [], KBUILD.replace("@echo a line of the build", "@touch $(O)/../../building; sleep 60"))
    child = subprocess.Popen([nctest.NOCHARGE, "measure", "--trust-tree", "--cc", "gcc", home.series.dir, home.tree],
                             env=dict(os.environ, XDG_CACHE_HOME=home.cache, **home.env), stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True)
    for _ in range(600):
        if os.path.exists(os.path.join(home.series.dir, "building")):
            break
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    err = child.communicate(timeout=60)[1]
    tap.ok(child.returncode == 130 and "while measuring" in err, "interrupted: 128 + signal",
           f"{child.returncode} {err}")
    tap.ok(not home.series.leftovers() and not os.path.exists(os.path.join(home.series.dir, "measure.json")),
           "interrupted: nothing is left", os.listdir(home.series.dir))


FINDINGS = [("f", "missing-guard", ["wrapper"], "high"), ("gone", "late-guard", [], "high"),
            ("other", "late-guard", [], "high"), ("on", "root-work", [], "high"),
            ("maybe", "late-guard", [], "low")]


def findings(rows):
    return {"schema": "nocharge-findings-1", "coverage": {"units": 1, "analysed": 1, "skipped": []},
            "findings": [{"id": f"{i:016x}", "rule": rule, "function": name, "file": "mm/a.c", "line": 1,
                          "column": 1, "message": "m", "hot": ["migration" if name == "other" else HOT],
                          "state": "root-only" if rule == "root-work" else "off", "confidence": confidence,
                          "why": [], "covers": covers}
                         for i, (name, rule, covers, confidence) in enumerate(rows)]}


def against(tap):
    """Made-up counts: who is more, who is less, and who is found."""
    home = nctest.scratch("against")
    out = {"f": 10, "gone": 5, "maybe": 5, "caller": 30, "noise": 4, "moved": 8, "user": 6}
    off = {"f.isra.0": 14, "f.cold": 3, "wrapper": 9, "gone": 5, "maybe": 5, "caller": 18, "callee": 12.5,
           "noise": 4.9, "other": 2, "new.constprop.0": 20, "moved": 8, "user": 6}
    measure = {"schema": "nocharge-measure-1", "operations": {HOT: {"out": 500, "off": 530}},
               "functions": {HOT: {"out": out, "off": off}}}
    nctest.write(os.path.join(home, "measure.json"), json.dumps(measure))
    path = os.path.join(home, "findings.json")

    def run(*args):
        return Run("measure", "--against", path, *args, home)

    nctest.write(path, json.dumps(findings(FINDINGS)))
    got = run()
    bare, covered, idle = re.split(r"^Residue that findings cover:|^Findings on", got.out, flags=re.M)
    tap.ok(got.status == 1, "what is not covered ends with 1", got)
    tap.ok(re.findall(r"([\d.]+)  (\w+)", bare) == [("20.0", "new")],
           "a function that no finding covers, without its suffix", bare)
    tap.ok("caller" not in bare and "callee" not in bare, "what is inlined in one and not in the other is no residue",
           bare)
    tap.ok("noise" not in bare, "nor is less than an instruction", bare)
    tap.ok(re.search(r"9\.0  wrapper .*found: f \[missing-guard\]", covered)
           and re.search(r"7\.0  f ", covered) and re.search(r"2\.0  other ", covered),
           "what is covered, by its own name or another's, with all its parts", covered)
    tap.ok("gone [late-guard], confidence high" in idle and "maybe [late-guard], confidence low" in idle,
           "findings that cost nothing", idle)
    tap.ok("other" not in idle and " on [" not in idle and "1 findings on no path" in idle,
           "but not those that are on another path or in another state", idle)
    tap.ok("that is left" not in got.out, "without patches nothing is left of them")
    more = dict(measure, operations={HOT: {"out": 500, "off": 530, "off+1": 505}},
                functions={HOT: dict(measure["functions"][HOT], **{"off+1": dict(out, f=15)})})
    nctest.write(os.path.join(home, "measure.json"), json.dumps(more))
    left = run().out.split("Residue that is left in off+1:")[-1]
    tap.ok(re.findall(r"([\d.]+)  (\w+)  found", left) == [("5.0", "f")] and left.count("anonymous fault") == 1,
           "what is left after the last patch", left)
    nctest.write(os.path.join(home, "measure.json"), json.dumps(measure))
    nctest.write(path, json.dumps(findings(FINDINGS[:1] + FINDINGS[2:] + [("new", "missing-guard", [], "high")])))
    got = run()
    tap.ok(got.status == 0, "all is covered, and only one of low confidence costs nothing", got)
    got = run("-o", os.path.join(home, "told"))
    tap.ok(got.status == 0 and not got.out and "confidence low" in open(os.path.join(home, "told")).read(), "-o", got)

    for text, said in (("{", "measure.json"), ("{}", "this is no nocharge-measure-1"),
                       (json.dumps(dict(measure, operations=[])), "there is no 'operations'"),
                       (json.dumps(dict(measure, operations={HOT: {"out": "x"}})), "a number"),
                       (json.dumps(dict(measure, operations={HOT: {"off": 1}})), "'out' and 'off' were not measured"),
                       (json.dumps(dict(measure, functions={HOT: {"out": {"f": None}}})), "a number")):
        nctest.write(os.path.join(home, "measure.json"), text)
        got = run()
        tap.ok(got.status == 2 and said in got.err, f"a measure.json that is none: {said}", got)
    os.unlink(os.path.join(home, "measure.json"))
    tap.ok(run().status == 2 and "measure.json" in run().err, "no measure.json")
    got = Run("measure", home)
    tap.ok(got.status == 2 and "something is missing" in got.err, "no tree", got)


INLINE = {"include/linux/more.h": """#ifndef _LINUX_MORE_H
#define _LINUX_MORE_H
#include <linux/memcontrol.h>
#ifdef CONFIG_MEMCG
static inline void more_inline(struct task_struct *task)
{
	mem_cgroup_consume(mem_cgroup_from_task(task), 1);
}
#else
static inline void more_inline(struct task_struct *task) { }
#endif
#endif
""", "mm/more.c": """#include <linux/more.h>
void more_caller(struct task_struct *task)
{
	more_inline(task);
}
EXPORT_SYMBOL(more_caller);
"""}


def inlined(tap):
    """With the tree it is known who is inlined where."""
    home = nctest.scratch("inlined")
    tree = nctest.make_tree(os.path.join(home, "tree"), {k: (v, None) for k, v in INLINE.items()})
    series = Series(home, tree, [])
    nctest.write(os.path.join(series.dir, "measure.json"), json.dumps({
        "schema": "nocharge-measure-1", "operations": {HOT: {"out": 500, "off": 530}},
        "functions": {HOT: {"out": {"more_caller": 10}, "off": {"more_caller": 20, "mem_cgroup_consume": 5}}}}))
    path = os.path.join(home, "findings.json")
    nctest.write(path, json.dumps(findings([("more_inline", "missing-guard", ["mem_cgroup_consume"], "high")])))
    got = Run("measure", "--against", path, series.dir, cache=home)
    tap.ok(got.status == 1 and "10.0  more_caller" in got.out.split("Residue that findings")[0],
           "without the tree it is not", got)
    got = Run("measure", "--against", path, series.dir, tree, cache=home)
    tap.ok(got.status == 0 and "more_caller  inlined there: more_inline [missing-guard]" in got.out,
           "a caller's residue is that of who is inlined in it", f"{got}\n{got.out}")
    nctest.write(path, json.dumps(findings([("mem_cgroup_consume", "missing-guard", [], "high")])))
    got = Run("measure", "--against", path, series.dir, tree, cache=home)
    tap.ok(re.search(r"who calls .*\n.* more_caller  it calls: mem_cgroup_consume", got.out),
           "or has to do with whom it calls, by way of that", f"{got}\n{got.out}")
    # as much as that is less where nobody calls anybody: by chance
    nctest.write(os.path.join(series.dir, "measure.json"), json.dumps({
        "schema": "nocharge-measure-1", "operations": {HOT: {"out": 500, "off": 530}},
        "functions": {HOT: {"out": {"more_caller": 10, "mem_cgroup_other": 20},
                            "off": {"more_caller": 20, "mem_cgroup_other": 10}}}}))
    got = Run("measure", "--against", path, series.dir, tree, cache=home)
    tap.ok(re.search(r" 10\.0  more_caller  it calls", got.out), "a chance does not hide it", f"{got}\n{got.out}")
    got = Run("measure", "--against", path, series.dir, cache=home)
    tap.ok("more_caller" not in got.out, "but where no tree says who calls whom", f"{got}\n{got.out}")


def main():
    tap = Tap()
    nctest.need_program()
    if not shutil.which("gcc") or not shutil.which("make"):
        tap.skip("a tree is built", "gcc or make is not installed")
        return tap.done()
    right(tap)
    told(tap)
    wrong(tap)
    missing(tap)
    stopped(tap)
    against(tap)
    inlined(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
