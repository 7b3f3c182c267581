#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# long
"""
The same facts as with a real kbuild: Debian's 6.1 is configured and prepared
by its own Makefiles, in a directory outside it, with clang; then every file of
mm/ is parsed twice, under nocharge's own reading of that .config, and with the
flags that 'make -n' tells and the headers that kbuild generated. Functions,
call sites, bodies, records and enumerators must be identical, with the overlays
and without. The one test that runs code of a kernel tree.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict

import nctest
from nctest import Tap

CLANG = "clang-19"
TOOLS = ["make", "flex", "bison", "bc", "awk", "ld", CLANG]
GENERATED = "/dev/null/nocharge"
# names with __COUNTER__ in them: a precompiled header begins to count anew
COUNTED = re.compile(r"(__compiletime_assert_)\d+$")
# on top of defconfig: the feature, and what builds more of mm/
WANT = """MEMCG CGROUP_HUGETLB BLK_CGROUP CGROUP_WRITEBACK PSI PREEMPT LRU_GEN KSM
    TRANSPARENT_HUGEPAGE READ_ONLY_THP_FOR_FS USERFAULTFD ZPOOL ZSWAP ZBUD Z3FOLD ZSMALLOC
    FRONTSWAP CMA CMA_DEBUGFS MEMORY_FAILURE HWPOISON_INJECT MEMORY_HOTPLUG MEMORY_HOTREMOVE
    ZONE_DEVICE DEVICE_PRIVATE BALLOON_COMPACTION VIRTIO_PCI VIRTIO_BALLOON PAGE_REPORTING
    IDLE_PAGE_TRACKING ANON_VMA_NAME DAMON DAMON_VADDR DAMON_PADDR DAMON_RECLAIM DAMON_SYSFS
    DAMON_DBGFS DEBUG_VM DEBUG_KMEMLEAK DEBUG_PAGEALLOC DEBUG_PAGE_REF PAGE_OWNER
    PAGE_POISONING PAGE_TABLE_CHECK PTDUMP_DEBUGFS PERCPU_STATS GUP_TEST KFENCE
    SHUFFLE_PAGE_ALLOCATOR FAULT_INJECTION FAILSLAB FAIL_PAGE_ALLOC""".split()


def missing():
    """What is not here that kbuild needs, or None."""
    gone = [t for t in TOOLS if not shutil.which(t)]
    if gone:
        return "kbuild needs " + ", ".join(gone)
    probe = subprocess.run([CLANG, "-x", "c", "-o", os.devnull, "-"], text=True, stderr=subprocess.DEVNULL,
                           input="#include <stdlib.h>\nint main(void) { return 0; }\n")
    return f"{CLANG} cannot link a program (libc6-dev)" if probe.returncode else None


def make(tree, objects, *goals):
    """What make says, or raises CalledProcessError."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "KBUILD", "ARCH", "LLVM"))}
    done = subprocess.run(["make", "-C", tree, f"O={objects}", f"CC={CLANG}", f"HOSTCC={CLANG}", *goals],
                          env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", check=True)
    return done.stdout


def prepare(tree, objects):
    """Configure and prepare; returns what 'make -n' says of mm/."""
    make(tree, objects, "-s", "defconfig")
    with open(os.path.join(objects, ".config"), "a") as f:
        f.writelines(f"CONFIG_{name}=y\n" for name in WANT)
    make(tree, objects, "-s", "olddefconfig")
    make(tree, objects, "-s", "prepare0")
    # what -n does not make but wants to enter
    os.makedirs(os.path.join(objects, "tools"), exist_ok=True)
    return make(tree, objects, "-n", "V=1", "mm/")


def moved(path, objects):
    """Where the tool puts what kbuild generated."""
    path = os.path.normpath(os.path.join(objects, path))
    inside = path == objects or path.startswith(objects + "/")
    return GENERATED + path[len(objects):] if inside else path


def compile_lines(log, tree, objects):
    """{unit: arguments} of every compiler call for a file of mm/."""
    found = {}
    for line in log.splitlines():
        if "-Wp,-MMD,mm/" not in line:
            continue
        words = shlex.split(line)
        # words in quotes are one: this is no echo of it
        start = next(i for i, w in enumerate(words) if w.startswith("-Wp,-MMD,"))
        words, arguments, unit = iter(words[start + 1:]), [], None
        for word in words:
            if word == ";":
                break
            if word in ("-I", "-include", "-isystem"):
                arguments += [word, moved(next(words), objects)]
            elif word.startswith("-I"):
                arguments.append("-I" + moved(word[2:], objects))
            elif word == "-o":
                next(words)
            elif word.endswith(".c"):
                unit = os.path.relpath(os.path.realpath(os.path.join(objects, word)), tree)
            elif word != "-c":
                arguments.append(word)
        found[unit] = arguments
    return found


class Side:
    """What the tool printed of one side."""

    def __init__(self):
        self.units, self.problems = set(), []
        self.calls = defaultdict(lambda: defaultdict(Counter))  # function: unit: (callee, line)
        self.bodies = defaultdict(set)
        self.records, self.enums = set(), set()
        self.counted = set()

    def take(self, kind, *rest):
        if kind == "unit":
            self.units.add(rest[0])
        elif kind in ("failed", "error"):
            self.problems.append(" ".join(rest))
        elif kind == "func":
            unit, function = rest[0], rest[1:4]
            self.calls[function][unit].update(())
            self.bodies[function].add(rest[4])
        elif kind == "call":
            function, (callee, line) = rest[1:4], rest[4:6]
            if COUNTED.match(callee):
                self.counted.add(function)
                callee = COUNTED.sub(r"\1", callee)
            self.calls[function][rest[0]][callee, line] += 1
        elif kind == "record":
            self.records.add(rest)
        elif kind == "enum":
            self.enums.add(rest)

    def variants(self, function):
        """The call sites of a function, each way that they come in some unit."""
        return {frozenset(calls.items()) for calls in self.calls[function].values()}

    def in_units(self):
        return {f for f in self.calls if f[1] in self.units}

    def sites(self, functions):
        return sum(max(sum(c.values()) for c in self.calls[f].values()) for f in functions)


def extract(tree, objects, lines, folder, data):
    sides = {"own": Side(), "kbuild": Side()}
    tool = os.path.join(os.environ.get("NOCHARGE_BUILD", os.path.join(nctest.TOP, "build")),
                        "tests", "tool_facts")
    text = "".join("\t".join([unit, *arguments]) + "\n" for unit, arguments in lines.items())
    done = subprocess.run([tool, tree, os.path.join(objects, ".config"), folder, objects],
                          input=text, env=dict(os.environ, NOCHARGE_DATA=data),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    for line in done.stdout.splitlines():
        side, *rest = line.split("\t")
        sides[side].take(*rest)
    return sides["own"], sides["kbuild"], "" if done.returncode == 0 else done.stderr or "failed"


def either(a, b):
    """What only one of two sets has, as text."""
    return "\n".join([f"own only: {' '.join(map(str, x))}" for x in sorted(a - b)] +
                     [f"kbuild only: {' '.join(map(str, x))}" for x in sorted(b - a)])


def differing(own, kbuild):
    """Functions of both whose call sites or bodies are not the same."""
    bad = []
    for f in sorted(set(own.calls) & set(kbuild.calls)):
        if own.variants(f) != kbuild.variants(f):
            sites = {s for side in (own, kbuild) for v in side.variants(f) for s in v}
            both = {s for s in sites if all(s in v for side in (own, kbuild) for v in side.variants(f))}
            bad.append((" ".join(f), "call sites", sorted(sites - both)[:6]))
        elif f not in own.counted and own.bodies[f] != kbuild.bodies[f]:
            bad.append((" ".join(f), "body", sorted(own.bodies[f] ^ kbuild.bodies[f])))
    return bad


def compare(tap, name, tree, objects, lines, data):
    own, kbuild, problem = extract(tree, objects, lines, "mm", data)
    if not tap.ok(not problem, f"{name}: the tool ends well", problem):
        return
    tap.ok(not own.problems, f"{name}: no error under nocharge's own flags", "\n".join(own.problems))
    tap.ok(not kbuild.problems, f"{name}: no error under kbuild's", "\n".join(kbuild.problems))
    tap.ok(own.units == kbuild.units and len(own.units) > 60, f"{name}: the same {len(own.units)} files of mm/",
           either({(u,) for u in own.units}, {(u,) for u in kbuild.units}))
    functions, other = own.in_units(), kbuild.in_units()
    tap.ok(functions == other and len(functions) > 3000, f"{name}: the same {len(functions)} functions of them",
           either(functions, other))
    bad = differing(own, kbuild)
    files = [b for b in bad if b[0].split(" ")[1] in own.units]
    sites = own.sites(functions)
    tap.ok(not files and sites == kbuild.sites(other) and sites > 20000,
           f"{name}: the same {sites} call sites in them", "\n".join(map(str, files)) or kbuild.sites(other))
    headers = set(own.calls) - functions
    tap.ok(headers == set(kbuild.calls) - other and len(bad) == len(files),
           f"{name}: the same {len(headers)} functions and {own.sites(headers)} call sites of headers",
           either(headers, set(kbuild.calls) - other) or "\n".join(map(str, bad)))
    tap.ok(own.records == kbuild.records, f"{name}: the same {len(own.records)} records",
           either(own.records, kbuild.records))
    tap.ok(own.enums == kbuild.enums, f"{name}: the same {len(own.enums)} enumerators",
           either(own.enums, kbuild.enums))


def control(tap, tree, objects, lines, home):
    """One option less in what kbuild left must be seen: the two do differ."""
    other = os.path.join(home, "other")
    for folder in ("include", "arch"):
        shutil.copytree(os.path.join(objects, folder), os.path.join(other, folder))
    shutil.copy(os.path.join(objects, ".config"), other)
    path = os.path.join(other, "include/generated/autoconf.h")
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(re.sub(r"^#define CONFIG_TRANSPARENT_HUGEPAGE 1$", "", text, flags=re.M))
    few = {unit: line for unit, line in lines.items() if unit.startswith("mm/damon/")}
    own, kbuild, problem = extract(tree, other, few, "mm/damon", nctest.TOP)
    tap.ok(few and not problem and own.units == kbuild.units and
           (set(own.calls) != set(kbuild.calls) or differing(own, kbuild)),
           "an option that is not the same is seen", problem or f"{len(few)} files")


def main():
    tap = Tap()
    nctest.need_program()
    tree, why = nctest.real_tree("6.1")
    why = why or missing()
    if why:
        tap.skip("6.1: facts of mm/ against kbuild's", why)
        return tap.done()
    tree = os.path.realpath(tree)
    home = os.path.realpath(nctest.scratch("samefacts"))
    objects = os.path.join(home, "objects")
    os.mkdir(objects)
    try:
        log = prepare(tree, objects)
    except subprocess.CalledProcessError as e:
        tap.ok(False, "kbuild configures and prepares 6.1", f"{' '.join(e.cmd)}\n{e.stderr[-2000:]}")
        return tap.done()
    lines = compile_lines(log, tree, objects)
    tap.ok(len(lines) > 60, f"kbuild tells how it compiles {len(lines)} files of mm/")
    compare(tap, "as it is read", tree, objects, lines, nctest.TOP)
    plain = os.path.join(home, "data")
    shutil.copytree(os.path.join(nctest.TOP, "rules"), os.path.join(plain, "rules"))
    overlay = os.path.join(plain, "rules", "overlay")
    shutil.rmtree(overlay)
    os.mkdir(overlay)
    compare(tap, "without overlays", tree, objects, lines, plain)
    control(tap, tree, objects, lines, home)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
