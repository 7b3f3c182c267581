#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
nocharge prove on a small tree: what a right series gets, what each kind of
wrong one gets, series that mean harm, trees that mean harm, and runs that are
killed.
"""
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import nctest
from madeseries import GIT, Series, edit
from nctest import Run, Tap

CHECKS = ["applies", "compiles", "builds", "style", "sparse", "same-when-on",
          "same-when-off", "clears", "order", "bisectable", "accounts", "defaults",
          "size"]
HEADER = """#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
int memcg_note_fault(struct mm_struct *mm, int nr);
#else
static inline int memcg_note_fault(struct mm_struct *mm, int nr)
{
	return nr;
}
#endif

#endif
"""
SOURCE = """#include <linux/case.h>

static const char *const note_names[] = { "none", "some", "many" };

const char *memcg_note_name(int nr)
{
	return note_names[nr];
}

int memcg_note_fault(struct mm_struct *mm, int nr)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[0] += nr;
	rcu_read_unlock();
	return nr;
}

void memcg_note_two(struct mm_struct *mm)
{
	memcg_note_fault(mm, 1);
	memcg_note_fault(mm, 2);
}
"""
USER = """#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	return memcg_note_fault(vmf->vma->vm_mm, 3);
}
"""
FILES = {"include/linux/case.h": (HEADER, None), "mm/case.c": (SOURCE, "MEMCG"),
         "mm/memory.c": (USER, None)}
PROTO = "int memcg_note_fault(struct mm_struct *mm, int nr);\n"
WRAPPER = """int __memcg_note_fault(struct mm_struct *mm, int nr);

static inline int memcg_note_fault(struct mm_struct *mm, int nr)
{
	if (mem_cgroup_disabled())
		return nr;
	return __memcg_note_fault(mm, nr);
}
"""
BITS = """static inline int last_bit(int x)
{
	int r;
	long tmp = -1;
	asm("bsfl %1,%0"
	    : "=r" (r)
	    : "rm" (x), "0" (tmp));
	return r;
}
"""
BESIDE = """static inline int note_three(struct mm_struct *mm)
{
	return memcg_note_fault(mm, 3);
}
"""
RENAME = {"memcg_note_fault": "__memcg_note_fault"}
BODY = "	struct mem_cgroup *memcg;\n\n	rcu_read_lock();\n	memcg = mem_cgroup_from"
GUARDED = BODY.replace("\n\n", "\n\n	if (mem_cgroup_disabled())\n		return nr;\n\n", 1)


GUARD = edit("guard the note", "guard", [("mm/case.c", BODY, GUARDED)])
UNGUARD = ("mm/case.c", GUARDED, BODY)
WRAP = edit("wrap the note", "wrap", [
    ("include/linux/case.h", PROTO, WRAPPER),
    ("mm/case.c", "int memcg_note_fault(", "int __memcg_note_fault("), UNGUARD], RENAME)


class Bench:
    """Where one case after the other is laid out."""

    def __init__(self, tap):
        self.tap, self.home = tap, nctest.scratch("prove")
        self.tree = nctest.make_tree(os.path.join(self.home, "tree"), FILES)
        self.cache = os.path.join(self.home, "cache")

    def series(self, *patches):
        return Series(self.home, self.tree, patches)

    def run(self, series, *args, **more):
        return Run("prove", *args, series.dir, self.tree, cache=self.cache, **more)

    def expect(self, name, patches, expected, *args):
        """@expected: {(patch, check): result} for some of them."""
        series = self.series(*patches)
        run = self.run(series, *args)
        try:
            got = {key: series.result(*key) for key in expected}
        except (OSError, KeyError, IndexError) as e:
            return self.tap.ok(False, name, f"{e!r}\n{run}")
        return self.tap.ok(got == expected, name, f"expected {expected}\ngot {got}\n{run}\n{run.out}")


def right_and_wrong(bench):
    tap = bench.tap
    good = {(i, c): "pass" for i in (0, 1) for c in ("applies", "compiles", "same-when-on", "bisectable")}
    bench.expect("a right guard and a right wrapper pass", [GUARD, WRAP], good)
    series = bench.series(GUARD, WRAP)
    run = bench.run(series, "--check", "compiles", "--check", "applies")
    tap.ok(run.status == 0, "only what was asked for counts", run)
    proof = series.proof()
    tap.ok(proof["schema"] == "nocharge-proof-1"
           and all(sorted(p["checks"]) == sorted(CHECKS) for p in proof["patches"])
           and all(set(c) >= {"result", "why", "command"} for p in proof["patches"]
                   for c in p["checks"].values()), "proof.json is what INTERFACE says", proof)
    tap.ok("pass" in run.out and series.patches[0]["file"] in run.out, "a table is printed", run.out)
    swapped = edit("change what happens when on", "guard",
                   [("mm/case.c", "memcg->events[0] += nr", "memcg->events[0] += nr + 1")])
    bench.expect("the on state changed", [GUARD, swapped],
                 {(0, "same-when-on"): "pass", (1, "same-when-on"): "fail", (1, "compiles"): "pass"})
    run = bench.run(bench.series(swapped))
    tap.ok(run.status == 4 and "same-when-on" in run.out, "a failed proof ends with 4", run)
    swapped = edit("say something else", "guard", [("mm/case.c", '"some"', '"other"')])
    bench.expect("a string is part of the code", [swapped], {(0, "same-when-on"): "fail"})
    mixed = json.loads(json.dumps(WRAP).replace("return __memcg_note_fault(mm, nr)",
                                                "return __memcg_note_fault(mm, -nr)"))
    bench.expect("a wrapper that passes on something else", [GUARD, mixed],
                 {(1, "same-when-on"): "fail", (1, "compiles"): "pass"})
    unused = edit("a variable for nothing", "guard",
                  [("mm/case.c", "	struct mem_cgroup *memcg;\n", "	struct mem_cgroup *memcg;\n	int spare;\n")])
    bench.expect("a new warning", [unused], {(0, "compiles"): "fail", (0, "bisectable"): "pass"})
    late = edit("a declaration too late", "guard", [("mm/case.c", BODY, GUARDED.replace(
        "	struct mem_cgroup *memcg;\n\n", "").replace("nr;\n\n", "nr;\n	struct mem_cgroup *memcg;\n\n"))])
    bench.expect("a tree that does not mind declarations below", [late], {(0, "compiles"): "pass"})
    extra = os.path.join(bench.tree, "scripts/Makefile.extrawarn")
    nctest.write(extra, "KBUILD_CFLAGS += -Wdeclaration-after-statement\n")
    bench.expect("and one that does", [late], {(0, "compiles"): "fail"})
    os.unlink(extra)
    address = edit("a variable that nobody declared", "guard", [
        ("mm/case.c", "static const char *const note_names", "int note_count;\nstatic const char *const note_names")])
    if shutil.which("sparse"):
        bench.expect("sparse has something to say", [GUARD, address],
                     {(0, "sparse"): "pass", (1, "sparse"): "fail"})
    else:
        tap.skip("sparse has something to say", "sparse is not installed")
    unseen = edit("a header that does not say what it needs", "guard", [
        ("include/linux/vmstat.h", "#endif", "static inline int vmstat_note(void)\n{\n"
         "	return memcg_note_swap(0);\n}\n#endif")])
    bench.expect("a header by itself", [unseen], {(0, "compiles"): "fail"})
    series = bench.series(unseen, GUARD)
    run = bench.run(series, "--check", "bisectable")
    why = series.proof()["patches"][1]["checks"]["bisectable"]["why"]
    tap.ok(run.status == 4 and series.patches[0]["file"] in why, "who only includes it, and since when",
           f"{run}\n{why}")
    broken = edit("wrap without a prototype", "wrap", [
        ("include/linux/case.h", PROTO, WRAPPER.split("\n", 2)[2]),
        ("mm/case.c", "int memcg_note_fault(", "int __memcg_note_fault(")], RENAME)
    mended = edit("and repair it", "guard", [
        ("include/linux/case.h", "static inline int memcg_note_fault(struct mm_struct *mm, int nr)\n{\n	if",
         "int __memcg_note_fault(struct mm_struct *mm, int nr);\n"
         "static inline int memcg_note_fault(struct mm_struct *mm, int nr)\n{\n	if")])
    bench.expect("a prefix that does not compile", [broken, mended],
                 {(0, "compiles"): "fail", (0, "bisectable"): "fail", (1, "bisectable"): "pass"})
    stub = json.loads(json.dumps(WRAP))
    stub["edits"].append(("include/linux/case.h", "	return nr;\n}\n#endif", "	return zero;\n}\n#endif"))
    bench.expect("a stub that does not compile with the feature out", [GUARD, stub],
                 {(1, "compiles"): "fail", (1, "bisectable"): "fail", (1, "same-when-on"): "pass"})
    series = bench.series(GUARD, WRAP)
    with open(series.patch(0)) as f:
        text = f.read()
    nctest.write(series.patch(0), text.replace(" 	rcu_read_unlock", " 	rcu_read_unlocked")
                 .replace(" 	struct mem_cgroup *memcg;", " 	struct mem_cgroup *group;"))
    run = bench.run(series)
    tap.ok(run.status == 4 and series.result(0, "applies") == "fail"
           and series.result(0, "compiles") == "not-run", "a patch that does not apply", run)
    logs = os.listdir(os.path.join(series.dir, "proof-logs"))
    tap.ok(any("applies" in f for f in logs), "a log tells why", logs)
    bench.expect("no code to compare where the test itself changes",
                 [dict(GUARD, kind="static-key")], {(0, "same-when-on"): "not-applicable"})
    whole = os.path.join(bench.tree, "mm/case.c")
    bits = os.path.join(bench.tree, "arch/x86/include/asm/bitops.h")
    nctest.write(bits, BITS)
    nctest.write(whole, "#include <asm/bitops.h>\n" + SOURCE)
    bench.expect("what gcc took and clang does not", [GUARD, WRAP], {
        (i, c): "pass" for i in (0, 1) for c in ("compiles", "same-when-on", "size", "bisectable")})
    os.unlink(bits)
    beside, user = (os.path.join(bench.tree, "mm", f) for f in ("internal.h", "memory.c"))
    nctest.write(beside, BESIDE)
    nctest.write(user, USER.replace(".h>\n", ".h>\n#include \"internal.h\"\n").replace(
        "memcg_note_fault(vmf->vma->vm_mm, 3)", "note_three(vmf->vma->vm_mm)"))
    nctest.write(whole, SOURCE[:SOURCE.index("void memcg_note_two")])
    bench.expect("only a header beside its users calls the wrapper", [GUARD, WRAP], {
        (i, "same-when-on"): "pass" for i in (0, 1)})
    os.unlink(beside)
    nctest.write(user, USER)
    nctest.write(whole, SOURCE)
    series = bench.series(GUARD)
    nctest.write(whole, SOURCE + "int broken(void) { return missing; }\n")
    run = bench.run(series, "--check", "compiles")
    tap.ok(run.status == 3 and series.result(0, "compiles") == "not-run"
           and "missing" in run.out, "a file that did not compile before", f"{run}\n{run.out}")
    nctest.write(whole, SOURCE)


def off_state(bench):
    """What the analysis says: one right series, and one of each wrong kind."""
    tap = bench.tap
    check = Run("check", bench.tree, "--format", "json", cache=bench.cache).json()
    ids = [f["id"] for f in check["findings"] if f["function"] == "memcg_note_fault"]
    tap.ok(ids, "there is something to clear")
    idle = edit("change nothing that matters", "guard", [
        ("mm/case.c", "	return note_names[nr];", "	return note_names[nr + 0];")])
    zero = edit("guard with another value", "guard",
                [("mm/case.c", BODY, GUARDED.replace("return nr", "return 0"))])
    worse = edit("add what is found", "guard", [
        ("include/linux/case.h", "#else\n", "void memcg_note_more(struct mm_struct *mm);\n#else\n"
         "static inline void memcg_note_more(struct mm_struct *mm)\n{\n}\n"),
        ("mm/case.c", "void memcg_note_two", SOURCE[SOURCE.index("int memcg_note_fault"):
         SOURCE.index("void memcg_note_two")].replace("int memcg_note_fault(struct mm_struct *mm, int nr)",
         "void memcg_note_more(struct mm_struct *mm)").replace("nr;\n	rcu", "1;\n	rcu")
         .replace("	return nr;\n", "") + "void memcg_note_two"),
        ("mm/memory.c", "	return memcg", "	memcg_note_more(vmf->vma->vm_mm);\n	return memcg")])
    whole = dict(WRAP, edits=[e for e in WRAP["edits"] if e != UNGUARD])
    for each in ([], ["--each"]):
        args = ["--check", "clears", "--check", "same-when-off", *each]
        how = " ".join(each) or "all at once"

        def judged(name, patches, expected, finding=0, named=None):
            series = bench.series(*patches)
            series.patches[finding]["findings"] = named or ids
            series.write()
            run = bench.run(series, *args)
            got = {key: series.result(*key) for key in expected}
            why = {key: series.proof()["patches"][key[0]]["checks"][key[1]]["why"] for key in expected}
            tap.ok(got == expected, f"{name}, {how}", f"expected {expected}\ngot {got}\n{why}\n{run}")

        judged("a right series clears and does the same", [GUARD, WRAP],
               {(0, "same-when-off"): "pass", (1, "same-when-off"): "pass", (1, "clears"): "pass"}, 1)
        judged("a patch that clears nothing", [idle],
               {(0, "same-when-off"): "pass", (0, "clears"): "fail"})
        judged("an id that nobody reports", [GUARD, WRAP], {(1, "clears"): "fail"}, 1, ["0123456789abcdef"])
        judged("a guard that returns something else", [zero], {(0, "same-when-off"): "fail"})
        judged("what is new is the patch's that brings it", [whole, worse, idle],
               {(0, "clears"): "pass", (1, "clears"): "fail", (2, "clears"): "pass"})


def resume(bench):
    tap, series = bench.tap, bench.series(GUARD, WRAP)
    bench.run(series)
    path = os.path.join(series.dir, "proof.json")

    def mark():
        proof = series.proof()
        proof["patches"][0]["checks"]["compiles"]["why"] = "from before"
        nctest.write(path, json.dumps(proof))

    def kept():
        return series.proof()["patches"][0]["checks"]["compiles"]["why"] == "from before"

    mark()
    bench.run(series)
    tap.ok(kept(), "what was shown is taken over")
    bench.run(series, "--only", "2", "--check", "compiles")
    tap.ok(kept() and series.result(1, "compiles") == "pass", "--only leaves the others as they are")
    bench.run(series, "--only", series.patches[0]["file"], "--check", "compiles")
    tap.ok(not kept(), "a check that is named is run again")
    mark()
    os.utime(os.path.join(bench.tree, "include/linux/mm.h"))
    bench.run(series)
    tap.ok(not kept(), "a touched header: nothing is taken over")
    mark()
    with open(series.patch(0)) as f:
        text = f.read()
    nctest.write(series.patch(0), text.replace("Subject: ", "Subject: reworded "))
    bench.run(series)
    tap.ok(kept(), "the message may change")
    nctest.write(path, "{ broken")
    run = bench.run(series)
    tap.ok(series.result(0, "compiles") == "pass", "a damaged proof.json is made anew", run)


def refusals(bench):
    tap = bench.tap

    def refused(name, change, word="refused"):
        series = bench.series(GUARD)
        change(series)
        run = bench.run(series)
        tap.ok(run.status == 2 and word in run.err and not series.leftovers()
               and not os.path.exists(os.path.join(bench.home, "escaped")), f"refused: {name}", run)

    def sub(old, new):
        def change(series):
            with open(series.patch(0)) as f:
                text = f.read()
            assert old in text
            nctest.write(series.patch(0), text.replace(old, new))
        return change

    refused("a path with ..", sub("mm/case.c", "../../escaped"))
    refused("an absolute path", sub("mm/case.c", "/escaped"))
    refused("a path into .git", sub("mm/case.c", ".git/config"))
    refused(".GIT in capitals below", sub("mm/case.c", "mm/.GIT/hooks/x"))
    refused("git's attributes", sub("mm/case.c", "mm/.gitattributes"))
    refused("a path in quotes", sub("a/mm/case.c b/mm/case.c", '"a/mm/case.c" "b/mm/case.c"'))
    refused("a link", sub("index ", "new file mode 120000\nindex "))
    refused("a submodule", sub("index ", "new file mode 160000\nindex "))
    refused("a rename", sub("index ", "rename from mm/case.c\nrename to mm/x.c\nindex "))
    refused("a file that goes", sub("index ", "deleted file mode 100644\nindex "))
    refused("a binary patch", sub("@@ ", "GIT binary patch\n@@ "))
    refused("two names for one file", sub("+++ b/mm/case.c", "+++ b/mm/memory.c"))
    refused("no diff", sub("diff --git", "diff --cc"))
    refused("a NUL", sub("guard the note", "guard \0 note"))
    refused("more than 8 MB", sub("guard the note", "guard the note\n\n" + "x" * (9 << 20)))

    def encoded(series):
        with open(series.patch(0)) as f:
            head, body = f.read().split("\n\n", 1)
        nctest.write(series.patch(0), head + "\nContent-Transfer-Encoding: base64\n\n"
                     + base64.encodebytes(body.encode()).decode())
    refused("a diff in base64", encoded)

    def link(series):
        os.rename(series.patch(0), series.patch(0) + ".real")
        os.symlink(series.patch(0) + ".real", series.patch(0))
    refused("a patch that is a link", link)

    def elsewhere(series):
        series.patches[0]["file"] = "../series/" + series.patches[0]["file"]
        series.write()
    refused("a patch that is elsewhere", elsewhere, "name of a file")
    refused("another schema", lambda s: s.write(schema="nocharge-series-9"), "nocharge-series-1")
    refused("patches that are none", lambda s: s.write(patches={}), "arrays")
    refused("no rules", lambda s: s.write(rules=[]), "rules")
    refused("rules that are not there", lambda s: s.write(rules=["/nonexistent.json"]), "nonexistent")
    refused("no JSON", lambda s: nctest.write(os.path.join(s.dir, "series.json"), "{"), "series.json")

    series = bench.series(GUARD)
    with open(series.patch(0)) as f:
        text = f.read()
    second = text.replace("Subject: ", "Subject: again ").replace("mm/case.c", "mm/memory.c")
    nctest.write(series.patch(0), text + second)
    run = bench.run(series)
    tap.ok(run.status in (2, 4) and series.result(0, "applies") == "fail" if run.status == 4 else
           run.status == 2, "two patches in one file", run)
    os.mkdir(os.path.join(bench.home, "away"))
    series = bench.series(edit("wrong", "guard", [("mm/case.c", "nr;\n	rcu", "nr + 1;\n	rcu")]))
    os.symlink(os.path.join(bench.home, "away"), os.path.join(series.dir, "proof-logs"))
    run = bench.run(series)
    tap.ok(not os.listdir(os.path.join(bench.home, "away")), "logs do not follow a link", run)


def snapshot(tree):
    out = {}
    for folder, dirs, names in os.walk(tree):
        for name in dirs + names:
            path = os.path.join(folder, name)
            st = os.lstat(path)
            out[path] = (st.st_mode, st.st_size, st.st_mtime_ns, st.st_ino)
    return out


def safety(bench):
    tap = bench.tap
    marker, trap = os.path.join(bench.home, "ran"), os.path.join(bench.home, "trap")
    nctest.write(trap, f"#!/bin/sh\necho \"$0 $*\" >> {marker}\ncat\n")
    os.chmod(trap, 0o755)
    git = ["git", "-C", bench.tree]
    env = dict(os.environ, **GIT)
    subprocess.run(git + ["init", "-q"], env=env, check=True)
    subprocess.run(git + ["add", "-A"], env=env, check=True)
    subprocess.run(git + ["commit", "-qm", "tree"], env=env, check=True)
    hooks = os.path.join(bench.tree, ".git/hooks")
    for hook in ("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "post-commit",
                 "commit-msg", "prepare-commit-msg", "post-checkout", "post-index-change",
                 "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(trap, os.path.join(hooks, hook))
    with open(os.path.join(bench.tree, ".git/config"), "a") as f:
        f.write(f"""[core]
	fsmonitor = {trap}
	hooksPath = {hooks}
	pager = {trap}
	editor = {trap}
	sshCommand = {trap}
[commit]
	gpgsign = true
[gpg]
	program = {trap}
[filter "trap"]
	clean = {trap}
	smudge = {trap}
	required = true
[diff "trap"]
	textconv = {trap}
	command = {trap}
[merge "trap"]
	driver = {trap}
""")
    nctest.write(os.path.join(bench.tree, ".gitattributes"), "* filter=trap diff=trap merge=trap\n")
    # local changes: the series is for what is there, not for what was committed
    changed = os.path.join(bench.tree, "mm/case.c")
    nctest.write(changed, "/* changed here */\n" + SOURCE)
    series = bench.series(GUARD, WRAP)
    before = snapshot(bench.tree)
    trace = os.path.join(bench.home, "trace")
    command = [nctest.NOCHARGE, "prove", series.dir, bench.tree]
    if shutil.which("strace"):
        command = ["strace", "-f", "-qq", "-e", "trace=execve", "-o", trace] + command
    done = subprocess.run(command, env=dict(os.environ, XDG_CACHE_HOME=bench.cache, **nctest.TRACED),
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    tap.ok(done.returncode in (0, 3) and series.result(1, "same-when-on") == "pass",
           "a hostile .git and local changes do not disturb", done.stdout)
    tap.ok(not os.path.exists(marker), "no planted program ran",
           os.path.exists(marker) and open(marker).read())
    tap.ok(snapshot(bench.tree) == before, "nothing in the tree changed, .git included")
    if os.path.exists(trace):
        with open(trace) as f:
            lines = [l for l in f if "execve(" in l]
        bad = [l for l in lines if bench.tree + "/" in l.split('"')[1] or trap in l.split('"')[1]]
        tap.ok(len(lines) > 5 and not bad, "strace: nothing of the tree is executed", "".join(bad[:5]))
    else:
        tap.skip("strace: nothing of the tree is executed", "strace is not installed")
    shutil.rmtree(os.path.join(bench.tree, ".git"))
    os.unlink(os.path.join(bench.tree, ".gitattributes"))
    nctest.write(changed, SOURCE)
    series = bench.series(GUARD, WRAP)
    with nctest.unwritable(bench.tree) as sure:
        if not sure:
            tap.skip("a tree that is read-only", "nothing can be mounted here, and root may write anywhere")
            return
        run = bench.run(series)
    tap.ok(run.status == 3 and series.result(1, "same-when-on") == series.result(1, "clears") == "pass",
           "a tree that is read-only", run)


def kills(bench):
    tap = bench.tap
    env = dict(os.environ, XDG_CACHE_HOME=bench.cache)
    before = snapshot(bench.tree)
    broken = []
    for sig in (signal.SIGKILL, signal.SIGINT):
        for wait in (0.05, 0.15, 0.3, 0.6, 1.0):
            series = bench.series(GUARD, WRAP)
            child = subprocess.Popen([nctest.NOCHARGE, "prove", series.dir, bench.tree], env=env,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(wait)
            child.send_signal(sig)
            told = child.communicate(timeout=60)[1]
            status = child.returncode
            where = f"{sig.name} after {wait} s: "
            if status == 130 and not re.search(r"interrupted while (reading the configuration|"
                                               r"proving; what was shown until now is kept)\n", told):
                broken.append(where + f"it told {told}")
            if sig == signal.SIGINT and status not in (130, 3):
                broken.append(where + f"status {status}")
            if sig == signal.SIGINT and series.leftovers():
                broken.append(where + f"left {series.leftovers()}")
            if os.path.exists(os.path.join(series.dir, "proof.json")):
                series.proof()
            run = bench.run(series)
            if series.result(1, "same-when-on") != "pass" or series.leftovers():
                broken.append(where + f"the next run: {run} {series.leftovers()}")
    tap.ok(not broken, "after a kill at any time the next run completes", "\n".join(broken))
    broken.clear()
    killer = nctest.Killer(os.path.join(bench.home, "killer"), "git", "clang-19",
                           *filter(shutil.which, ["sparse"]))
    series = bench.series(GUARD, WRAP)
    # one after the other: which is the nth has to be the same in every run
    run = bench.run(series, "--jobs", "1", env={"PATH": killer.path})
    turns, whole = killer.turns(), series.proof()
    tap.ok(run.status == 3 and {"git am", "git patch-id", "clang-19 -M", "clang-19 -S", "clang-19 -c",
                                "clang-19 -fsyntax-only"} <= {t[1] for t in turns}, "what a run starts", turns)
    for turn, what in turns:
        series = bench.series(GUARD, WRAP)
        killer.choose(turn)
        run = bench.run(series, "--jobs", "1", env={"PATH": killer.path})
        if run.status != -signal.SIGKILL:
            broken.append(f"{what}: it was not killed: {run}")
        if os.path.exists(os.path.join(series.dir, "proof.json")):
            series.proof()
        run = bench.run(series)
        if run.status != 3 or series.proof() != whole or series.leftovers():
            broken.append(f"killed as it started {what}: the next run: {run} {series.leftovers()}")
    tap.ok(not broken, "after a kill at each step the next run completes", "\n".join(broken))
    tap.ok(snapshot(bench.tree) == before, "and the tree is as it was")


def usage(bench):
    tap, series = bench.tap, bench.series(GUARD)
    odd = os.path.join(os.path.dirname(series.dir), 'a "b')
    shutil.copytree(series.dir, odd)
    run = Run("prove", odd, bench.tree)
    tap.ok(run.status == 2 and "copy it" in run.err, "a name that no compiler takes", run)
    shutil.rmtree(odd)
    with open("/dev/full", "w") as full:
        done = subprocess.run([nctest.NOCHARGE, "prove", "--cache", bench.cache, "--check", "applies", series.dir,
                               bench.tree], stdout=full, stderr=subprocess.PIPE, text=True)
    tap.ok(done.returncode == 2 and "standard output" in done.stderr, "a table that nobody gets", done.stderr)
    for args, word in ((["--check", "wrong"], "wrong"), (["--only", "7"], "7"), (["--jobs", "0"], "jobs"),
                       (["--colour"], "colour")):
        run = bench.run(series, *args)
        tap.ok(run.status == 2 and word in run.err, "usage: " + " ".join(args), run)
    run = Run("prove", series.dir, os.path.join(bench.home, "nowhere"))
    tap.ok(run.status == 2 and "nowhere" in run.err, "a tree that is not there", run)
    run = Run("prove", os.path.join(bench.home, "nowhere"), bench.tree)
    tap.ok(run.status == 2 and "nowhere" in run.err, "a series that is not there", run)


def main():
    nctest.need_program()
    bench = Bench(Tap())
    right_and_wrong(bench)
    off_state(bench)
    resume(bench)
    refusals(bench)
    usage(bench)
    safety(bench)
    kills(bench)
    return bench.tap.done()


if __name__ == "__main__":
    sys.exit(main())
