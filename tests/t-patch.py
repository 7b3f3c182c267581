#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Only what a patch, a mailbox or the work since a revision adds is told; the tree
is not touched, what does not apply is named, and what could reach out of the
tree is refused.
"""
import os
import re
import shutil
import subprocess
import sys

import linttree
import nctest
from nctest import Run, Tap

GUARD = "\tif (mem_cgroup_disabled())\n\t\treturn;\n"
CALL = ("kernel/exit.c", "}", "\tlint_good(current);\n}")
OLD = "\tmem_cgroup_consume(mem_cgroup_from_task(task), 2);\n}\n"
NEW = """
void lint_new(struct task_struct *task)
{
	mem_cgroup_consume(mem_cgroup_from_task(task), 3);
	task->flags = 0;
}
"""
MAIL = "From {0:040x} Mon Sep 17 00:00:00 2001\nFrom: A B <a@b.example>\nSubject: [PATCH {0}/2] more\n"
# what is refused, by what it is called, and why
HOSTILE = [
    ("--- a/../out.c\n+++ b/../out.c\n@@ -0,0 +1 @@\n+x\n", "'../out.c'", "leaves the tree"),
    ("--- a/mm/../../out.c\n+++ b/mm/../../out.c\n@@ -0,0 +1 @@\n+x\n", "'mm/../../out.c'", "leaves the tree"),
    ("--- /dev/null\n+++ /etc/out.c\n@@ -0,0 +1 @@\n+x\n", "'/etc/out.c'", "is absolute"),
    ("--- /dev/null\n+++ b//etc/out.c\n@@ -0,0 +1 @@\n+x\n", "'/etc/out.c'", "is absolute"),
    ("--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+x\n", "'.git/config'", "is git's own"),
    ("diff --git a/mm/l.c b/mm/l.c\nnew file mode 120000\n--- /dev/null\n+++ b/mm/l.c\n@@ -0,0 +1 @@\n"
     "+/etc/passwd\n\\ No newline at end of file\n", "mm/l.c", "is a symbolic link"),
    ("diff --git a/mm/l.c b/mm/l.c\nnew file mode 160000\n--- /dev/null\n+++ b/mm/l.c\n@@ -0,0 +1 @@\n+x\n",
     "mm/l.c", "is no regular file"),
    ("diff --git a/mm/l.c b/../l.c\nsimilarity index 100%\nrename from mm/lint.c\nrename to ../l.c\n", "'../l.c'",
     "leaves the tree"),
    ("diff --git a/mm/l.o b/mm/l.o\nnew file mode 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n", "mm/l.o",
     "is binary"),
    ("--- a/link/x.h\n+++ b/link/x.h\n@@ -0,0 +1 @@\n+x\n", "'link/x.h'", "symbolic link of the tree"),
]


def git(tree, *args, **how):
    who = {f"GIT_{w}_{k}": v for w in ("AUTHOR", "COMMITTER") for k, v in (("NAME", "A"), ("EMAIL", "a@b.example"))}
    return subprocess.run(["git", *args], cwd=tree, check=True, text=True, capture_output=True,
                          env=dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", **who),
                          **how).stdout


def commit(tree, subject):
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", subject)


def state(tree):
    return sorted((os.path.join(at, f), os.lstat(os.path.join(at, f)).st_mtime_ns)
                  for at, _, files in os.walk(tree) for f in files)


def told(run):
    report = run.json()
    return [(f["function"], f["covers"], f["cause"]) for f in report["findings"]] if report else run.err


class Home:
    """A tree with history: base, a comment, the guard gone, a function more."""

    def __init__(self):
        self.dir = nctest.scratch("patch")
        self.cache = os.path.join(self.dir, "cache")
        self.tree = linttree.make(os.path.join(self.dir, "tree"))
        self.work = os.path.join(self.dir, "work")
        linttree.edit(self.tree, *CALL)
        git(self.tree, "init", "-q")
        commit(self.tree, "base")
        shutil.copytree(self.tree, self.work)
        linttree.edit(self.work, "mm/lint.c", "void lint_good", "/* a comment */\nvoid lint_good")
        commit(self.work, "comment")
        linttree.edit(self.work, "mm/lint.c", GUARD, "")
        commit(self.work, "guard")
        linttree.edit(self.work, "mm/lint.c", OLD, OLD + NEW)
        linttree.edit(self.work, "include/linux/lint.h", "#else\n", "void lint_new(struct task_struct *task);\n#else\n"
                      "static inline void lint_new(struct task_struct *task) { }\n")
        linttree.edit(self.work, "kernel/exit.c", "}", "\tlint_new(current);\n}")
        commit(self.work, "new")

    def diff(self, a, b):
        return git(self.work, "diff", a, b)

    def check(self, text, *more, tree=None):
        path = os.path.join(self.dir, "x.patch")
        nctest.write(path, text)
        return Run("check", tree or self.tree, "--patch", path, "--format", "json", *more, cache=self.cache)


def commit_of(home, rev):
    """A copy of the tree as of then."""
    tree = os.path.join(home.dir, "then")
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(home.work, tree)
    git(tree, "checkout", "-q", rev)
    shutil.rmtree(os.path.join(tree, ".git"))
    return tree


def check_patches(home, tap):
    run = home.check(home.diff("HEAD~3", "HEAD~2"))
    tap.ok(told(run) == [] and run.status == 0, "a patch that adds nothing, beside an old finding", run)
    run = home.check(home.diff("HEAD~3", "HEAD~1"))
    tap.ok(run.status == 1 and told(run) == [("mem_cgroup_consume", ["lint_good"], "caused by the patch elsewhere")],
           "what a patch causes elsewhere", f"{run}\n{told(run)}")
    run = home.check(home.diff("HEAD~3", "HEAD"))
    tap.ok(run.status == 1 and any("adds the entry point 'lint_new'" in t[2] for t in told(run)),
           "an entry point that a patch adds", f"{run}\n{told(run)}")
    with open(os.path.join(home.dir, "x.patch")) as f:
        again = Run("check", home.tree, "--patch", "-", "--format", "json", cache=home.cache, stdin=f)
    tap.ok(again.out == run.out, "the same from standard input", again)
    text = Run("check", home.tree, "--patch", os.path.join(home.dir, "x.patch"), cache=home.cache)
    tap.ok("note: the patch adds the entry point 'lint_new'" in text.out, "as text: it says so", text.out)
    box = git(home.work, "format-patch", "--stdout", "--cover-letter", "HEAD~3")
    mail = home.check(box)
    tap.ok(told(mail) == told(run), "a mailbox with a cover letter and three patches", f"{mail}\n{told(mail)}")
    body = home.diff("HEAD~2", "HEAD~1").replace("=", "=3D").replace("\t", "=09").replace("comment", "comm=\nent")
    mail = home.check(
        MAIL.format(1).split("\n", 1)[1] + "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
        "Content-Transfer-Encoding: quoted-printable\n\nwords\n---\n" + body,
        tree=commit_of(home, "HEAD~2"))
    tap.ok(mail.status == 1 and [t[0] for t in told(mail)] == ["mem_cgroup_consume"],
           "a mail that is quoted-printable", f"{mail}\n{told(mail)}")
    run = home.check(home.diff("HEAD~1", "HEAD~2") + home.diff("HEAD~3", "HEAD~2"))
    tap.ok(run.status == 2 and not run.out and "x.patch' does not apply" in run.err and "mm/lint.c" in run.err,
           "a patch that does not apply", run)
    run = home.check(box.replace("lint_good", "lint_other"))
    tap.ok(run.status == 2 and re.search(r"mail \d of 4' does not apply", run.err), "a mail that does not", run)
    moved = os.path.join(home.dir, "moved")
    shutil.copytree(home.tree, moved)
    git(moved, "mv", "mm/lint.c", "mm/renamed.c")
    linttree.edit(moved, "mm/Makefile", "lint.o", "renamed.o")
    run = home.check(git(moved, "diff", "-M", "HEAD"))
    tap.ok(run.status == 0 and told(run) == [], "a patch that renames a file adds nothing", f"{run}\n{told(run)}")
    run = home.check(home.diff("HEAD~1", "HEAD~2"), tree=home.work)
    tap.ok(run.status == 1 and [t[0] for t in told(run)] == ["lint_good"],
           "a patch that guards, out of line", f"{run}\n{told(run)}")
    run = home.check(home.diff("HEAD~2", "HEAD~1"), tree=home.work)
    tap.ok(run.status == 1 and [t[0] for t in told(run)] == ["mem_cgroup_consume"],
           "a patch that is a commit of the tree already", f"{run}\n{told(run)}")
    allowed = linttree.read(home.tree, "mm/memcontrol.c").replace(
        "void mem_cgroup_consume(", "/* nocharge: allow missing-guard: of a test */\nvoid mem_cgroup_consume(")
    nctest.write(os.path.join(moved, "mm/memcontrol.c"), allowed)
    run = home.check(home.diff("HEAD~3", "HEAD~1") + git(moved, "diff", "HEAD", "--", "mm/memcontrol.c"))
    tap.ok(run.status == 0 and told(run) == [] and len(run.json()["suppressed"]) == 1,
           "what a patch adds and allows", f"{run}\n{told(run)}")


def check_hostile(home, tap):
    tree = os.path.join(home.dir, "linked")
    shutil.copytree(home.tree, tree)
    os.symlink("/tmp", os.path.join(tree, "link"))
    for text, name, why in HOSTILE:
        run = home.check(text, tree=tree)
        tap.ok(run.status == 2 and not run.out and name in run.err and why in run.err, f"refused: {name} {why}", run)
        box = home.check(MAIL.format(1) + "\nx\n---\n" + text + "-- \n2.39\n", tree=tree)
        tap.ok(box.status == 2 and name in box.err and why in box.err, f"refused in a mail: {name}", box)
    for text, why in (("", "is empty"), ("x\n", "has no patch"), ("x\0y", "bytes that are 0"),
                      ("+" * (33 << 20), "is larger than 32 MB"), (MAIL.format(1) + "\nwords\n", "has no patch")):
        run = home.check(text)
        tap.ok(run.status == 2 and why in run.err and "x.patch" in run.err, f"refused: {why}", run)
    run = Run("check", home.tree, "--patch", os.path.join(home.dir, "absent"), cache=home.cache)
    tap.ok(run.status == 2 and "absent" in run.err, "a patch that is not there", run)


def check_since(home, tap):
    def since(rev, tree=home.work):
        return Run("check", tree, "--since", rev, "--format", "json", cache=home.cache)

    run = since("HEAD")
    tap.ok(run.status == 0 and told(run) == [], "since HEAD nothing changed", f"{run}\n{told(run)}")
    run = since("HEAD~3")
    want = home.check(home.diff("HEAD~3", "HEAD"))
    tap.ok(run.status == 1 and [t[:2] for t in told(run)] == [t[:2] for t in told(want)]
           and "what changed since 'HEAD~3' adds the entry point 'lint_new'" in str(told(run)),
           "since an older commit: what its diff adds", f"{run}\n{told(run)}")
    run = since("no-such-name")
    tap.ok(run.status == 2 and "'no-such-name'" in run.err, "no such revision", run)
    run = since("--output=x")
    tap.ok(run.status == 2 and "'--output=x'" in run.err, "a revision like an option", run)
    plain = os.path.join(home.dir, "plain")
    shutil.copytree(home.tree, plain, ignore=shutil.ignore_patterns(".git"))
    run = since("HEAD", plain)
    tap.ok(run.status == 2 and "plain" in run.err, "a tree without git", run)
    tree = os.path.join(home.dir, "since")
    shutil.copytree(home.tree, tree)
    git(tree, "config", "core.fsmonitor", os.path.join(home.dir, "spy"))
    nctest.write(os.path.join(home.dir, "spy"), "#!/bin/sh\ntouch \"$0.ran\"\n")
    os.chmod(os.path.join(home.dir, "spy"), 0o755)
    linttree.edit(tree, "mm/lint.c", GUARD, "")
    before = state(tree)
    run = since("HEAD", tree)
    tap.ok(run.status == 1 and [t[0] for t in told(run)] == ["mem_cgroup_consume"],
           "what is not committed counts", f"{run}\n{told(run)}")
    tap.ok(state(tree) == before and not os.path.exists(os.path.join(home.dir, "spy.ran")),
           "nothing of the tree is written, and nothing of its configuration run")
    git(tree, "checkout", "-q", ".")
    more = linttree.UNIT.replace("lint_late", "more_late").replace("lint_good", "more_good").replace("lint.h", "more.h")
    nctest.write(os.path.join(tree, "mm/more.c"), more)
    nctest.write(os.path.join(tree, "include/linux/more.h"),
                 linttree.HEADER.replace("LINT", "MORE").replace("lint_", "more_"))
    linttree.edit(tree, "mm/Makefile", "lint.o", "lint.o more.o")
    linttree.edit(tree, "kernel/exit.c", "\tlint_late(current)", "\tlint_late(current);\n\tmore_late(current)")
    linttree.edit(tree, "kernel/exit.c", "#include", "#include <linux/more.h>\n#include")
    run = since("HEAD", tree)
    tap.ok(run.status == 1 and [t[0] for t in told(run)] == ["more_late"], "files that git does not know",
           f"{run}\n{told(run)}")
    run = Run("check", tree, "--since", "HEAD", "--patch", "-", cache=home.cache)
    tap.ok(run.status == 2 and "exclude each other" in run.err, "--since and --patch", run)


def main():
    tap = Tap()
    nctest.need_program()
    home = Home()
    before = state(home.tree), state(home.work)
    check_patches(home, tap)
    check_hostile(home, tap)
    check_since(home, tap)
    tap.ok((state(home.tree), state(home.work)) == before, "the trees are as they were")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
