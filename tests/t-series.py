#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
nocharge fix as a command: the same bytes wherever it runs, what is asked for
and by whom, directories that hold other things, trees that are not to be
touched, runs that are killed, programs that are missing; and what report makes
of a series.
"""
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

import nctest
from fixcase import AUTHOR, QUIET, Case, Home, git, snapshot
from nctest import Run, Tap


def whole(directory):
    """Files and what is in them; a directory has None."""
    paths = {n: os.path.join(directory, n) for n in os.listdir(directory)}
    return {n: None if os.path.isdir(p) else open(p, "rb").read() for n, p in paths.items()}


def everything(directory):
    """Names, kinds, modes and contents of all there is, .git too."""
    found = {}
    for folder, dirs, files in os.walk(directory):
        for name in dirs + files:
            path = os.path.join(folder, name)
            st = os.lstat(path)
            text = open(path, "rb").read() if stat.S_ISREG(st.st_mode) else b""
            found[os.path.relpath(path, directory)] = (st.st_mode, st.st_mtime_ns, text)
    return found


def programs(directory, *names):
    """A PATH that has only these."""
    os.makedirs(directory, exist_ok=True)
    for name in names:
        os.symlink(shutil.which(name), os.path.join(directory, name))
    return directory


def script(directory, name, text):
    path = os.path.join(directory, name)
    nctest.write(path, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def same_bytes(home, tap):
    run = home.fix()
    tap.ok(run.status == 0, "a series is written", run)
    first = whole(home.out)
    temporary, elsewhere = tempfile.mkdtemp(dir=home.dir), tempfile.mkdtemp(dir=home.dir)
    again = os.path.join(home.dir, "again")
    run = home.fix("--jobs", "1", out=again, cwd=elsewhere,
                   env={"TMPDIR": temporary, "TZ": "America/New_York", "LANG": "de_DE.UTF-8"})
    tap.ok(run.status == 0 and whole(again) == first,
           "two runs give the same bytes, whatever TMPDIR, directory, jobs and time zone", run)
    tap.ok(not os.listdir(temporary), "nothing is left in TMPDIR", os.listdir(temporary))
    run = home.fix(out=again, env={"GIT_DIR": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent",
                                   "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "diff.noprefix",
                                   "GIT_CONFIG_VALUE_0": "true", "GIT_EXTERNAL_DIFF": "false"})
    tap.ok(run.status == 0 and whole(again) == first, "the user's git environment changes nothing", run)
    return first


def dates(home, tap):
    out = os.path.join(home.dir, "dated")

    def date(**env):
        run = home.fix(out=out, env=env)
        patch = open(os.path.join(out, home.series(out)["patches"][0]["file"])).read()
        cover = open(os.path.join(out, "0000-cover-letter.patch")).read()
        found = {re.search(r"^Date: (.*)$", text, re.M)[1] for text in (patch, cover)}
        return found.pop() if run.status == 0 and len(found) == 1 else (run, found)
    tap.ok(date(SOURCE_DATE_EPOCH="1000000000") == "Sun, 9 Sep 2001 01:46:40 +0000",
           "the date is SOURCE_DATE_EPOCH")
    for folder, _, files in os.walk(home.tree):
        for name in files:
            os.utime(os.path.join(folder, name), (1100000000, 1100000000))
    os.utime(os.path.join(home.tree, "mm/case.c"), (1200000000, 1200000000))
    have = date(SOURCE_DATE_EPOCH="")
    tap.ok(have == "Thu, 10 Jan 2008 21:20:00 +0000", "else the tree's newest", have)


def asked(home, tap):
    home.fix()
    patches = home.series()["patches"]
    saves = {}
    for line in open(os.path.join(home.out, "0000-cover-letter.patch")):
        m = re.match(r" +(\d+) +([\d.]+) +\S+  \S+ +(\S.*)$", line)
        if m:
            saves[patches[int(m[1]) - 1]["functions"][0]] = float(m[2])
    tap.ok(len(saves) == len(patches) > 2, "the cover letter has a line for each patch", saves)
    out = os.path.join(home.dir, "some")
    dearest = sorted(saves, key=saves.get)[-1]
    run = home.fix("--top", "1", out=out)
    have = [p["functions"][0] for p in home.series(out)["patches"]]
    tap.ok(run.status == 0 and have == [dearest], "--top 1 is the patch that saves most", (have, saves))
    last = patches[-1]
    run = home.fix("--only", last["findings"][0], out=out)
    have = home.series(out)
    tap.ok(run.status == 0 and [p["functions"] for p in have["patches"]] == [last["functions"]] and
           not have["left"], "--only is the patch for that finding", (run, have))
    tap.ok(sorted(os.listdir(out)) == sorted(["0000-cover-letter.patch", "series.json",
                                              have["patches"][0]["file"]]),
           "an older series is replaced as a whole", os.listdir(out))
    run = home.fix("--only", "0123", out=out)
    tap.ok(run.status == 2 and "0123" in run.err, "--only of what is no finding", run)


def keep_exports(home, tap):
    run = home.fix("--keep-exports")
    renamed = {k for p in home.series()["patches"] for k in p["renamed"]}
    left = {item["function"]: item["why"] for item in home.series()["left"]}
    tap.ok(run.status == 1 and "memcg_note_fault" in renamed and "memcg_try_charge" not in renamed
           and "memcg_count" not in renamed, "--keep-exports renames nothing that is exported", renamed)
    tap.ok("its export is kept" in left.get("memcg_try_charge", ""), "and says so", left)
    text = "".join(home.patches().values())
    tap.ok(not re.search(r"^[-+]EXPORT_SYMBOL", text, re.M), "no export changes")


def authors(home, tap):
    for wrong in ("nobody", "A <>", "<a@b>", "A <a@b> x", "A\nB <a@b>", "A\x1b[1m <a@b>",
                  "A <a@b>, B <c@d>", "A <a b@c>", "A <a@b<c>"):
        run = home.fix(author=wrong)
        tap.ok(run.status == 2 and "Name <address>" in run.err, f"--author {wrong!r}", run)
    empty = tempfile.mkdtemp(dir=home.dir)
    bare = {"HOME": empty, "XDG_CONFIG_HOME": empty, "GIT_CONFIG_GLOBAL": os.path.join(empty, "none")}
    nctest.write(os.path.join(home.tree, ".git/config"), "[user]\n\tname = Tree\n\temail = t@example.org\n")
    run = home.fix(author=None, env=bare, cwd=home.tree)
    tap.ok(run.status == 2 and "--author" in run.err, "no identity, and the tree's is none", run)
    nctest.write(os.path.join(empty, ".gitconfig"), "[user]\n\tname = Ö Wn\n\temail = own@example.org\n")
    run = home.fix(author=None, env=dict(bare, GIT_CONFIG_GLOBAL=os.path.join(empty, ".gitconfig")))
    tap.ok(run.status == 0 and "\nFrom: =?UTF-8?q?=C3=96=20Wn?= <own@example.org>\n" in cover_of(home),
           "git's identity", (run, cover_of(home)[:300]))
    run = home.fix(author="A. B <a@b>")
    senders = {re.search(r"^From: (.*)$", t, re.M)[1] for t in [cover_of(home), *home.patches().values()]}
    tap.ok(run.status == 0 and senders == {'"A. B" <a@b>'}, "a name that needs quotes", (run, senders))
    shutil.rmtree(os.path.join(home.tree, ".git"))


def directories(home, tap, first):
    shutil.rmtree(home.out, ignore_errors=True)
    for name, text in (("notes.txt", "mine"), ("mine.patch", "my own patch\n"),
                       ("0042-old.patch", "old\n-- \nnocharge 0\n"), ("proof.json", '{"by": "nocharge"}'),
                       ("series.json.nocharge-abcdef", ""), ("0001-x.patch.nocharge-123456", "From ")):
        nctest.write(os.path.join(home.out, name), text)
    run = home.fix()
    have = whole(home.out)
    tap.ok(run.status == 0 and have.pop("notes.txt", None) == b"mine" and
           have.pop("mine.patch", None) == b"my own patch\n", "what others wrote stays", have.keys())
    tap.ok(have == first, "what an older series left goes, whole or not", sorted(have))
    for name in (sorted(first)[1], "0001-mine.patch"):
        nctest.write(os.path.join(home.out, name), "my own\n")
        run = home.fix()
        tap.ok(run.status == 2 and name in run.err and
               open(os.path.join(home.out, name)).read() == "my own\n", f"{name} of others in the way stays", run)
        os.remove(os.path.join(home.out, name))
    for what, out in (("in the tree", os.path.join(home.tree, "series")), ("a file", __file__),
                      ("in nothing", os.path.join(home.dir, "none/none"))):
        run = home.fix(out=out)
        tap.ok(run.status == 2 and out in run.err and "Permission" not in run.err, f"a directory that is {what}", run)
    tap.ok(not os.path.exists(os.path.join(home.tree, "series")), "nothing is made in the tree")
    shutil.rmtree(home.out)


PLANTED = """[core]
	fsmonitor = {trap}
	hooksPath = {dir}/hooks
	pager = {trap}
	editor = {trap}
	sshCommand = {trap}
	attributesFile = {tree}/.gitattributes
	worktree = {tree}
[diff "x"]
	textconv = {trap}
	command = {trap}
[filter "x"]
	clean = {trap}
	smudge = {trap}
	process = {trap}
	required = true
[gpg]
	program = {trap}
[commit]
	gpgSign = true
[format]
	signOff = true
	attach = true
[user]
	name = Tree
	email = tree@example.org
[alias]
	am = !{trap}
	commit = !{trap}
[include]
	path = {dir}/more
"""


def hostile(home, tap, first):
    marker = os.path.join(home.dir, "ran")
    trap = script(os.path.join(home.dir, "trap"), "trap", f"echo $0 $* >>{marker}\n")
    git(home.tree, "init", "-q", check=True)
    git(home.tree, "add", "-A", check=True)
    git(home.tree, "commit", "-qm", "base", check=True)
    head = git(home.tree, "rev-parse", "HEAD").stdout.strip()
    place = os.path.join(home.tree, ".git")
    nctest.write(os.path.join(place, "config"), PLANTED.format(trap=trap, tree=home.tree, dir=place))
    for hook in ("pre-commit", "post-commit", "post-checkout", "post-index-change", "commit-msg",
                 "applypatch-msg", "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(trap, os.path.join(place, "hooks", hook))
    nctest.write(os.path.join(home.tree, ".gitattributes"), "* filter=x diff=x\n")
    # local changes that are no part of any commit
    path = os.path.join(home.tree, "mm/case.c")
    text = open(path).read()
    nctest.write(path, "/* changed here */\n" + text)
    os.chmod(path, 0o444)
    before, trace = everything(home.tree), os.path.join(home.dir, "trace")
    command = [nctest.NOCHARGE, "fix", "--cache", home.cache, "--author", AUTHOR, home.tree, "-o", home.out]
    if shutil.which("strace"):
        command = ["strace", "-f", "-qq", "-e", "trace=execve,open,openat,creat,unlink,unlinkat,rename,"
                   "renameat,renameat2,mkdir,mkdirat,chdir", "-o", trace] + command
    run = subprocess.run(command, env=dict(os.environ, **QUIET, **nctest.TRACED), capture_output=True, text=True,
                         cwd=home.tree)
    tap.ok(run.returncode == 0, "a hostile .git and local changes do not disturb", run.stderr)
    tap.ok(not os.path.exists(marker), "nothing that .git names ran",
           os.path.exists(marker) and open(marker).read())
    tap.ok(everything(home.tree) == before, "nothing in the tree changed, .git included")
    cover = open(os.path.join(home.out, "0000-cover-letter.patch")).read()
    tap.ok(f"\nbase-commit: {head}\n" in cover, "base-commit is what is checked out", cover[-400:])
    tap.ok("Signed-off-by:" not in "".join(home.patches().values()), "nothing is signed off")
    tap.ok("changed here" not in "".join(home.patches().values()) or
           any(" /* changed here" in p for p in home.patches().values()), "local changes are context")
    if os.path.exists(trace):
        check_trace(trace, home, tap)
    else:
        tap.skip("strace: what runs and what is written", "strace is not installed")
    shutil.rmtree(place)
    os.unlink(os.path.join(home.tree, ".gitattributes"))
    os.chmod(path, 0o644)
    nctest.write(path, text)
    run = home.fix()
    again = whole(home.out)
    tap.ok(run.status == 0 and set(again) == set(first), "and without git it is as before", run)


def repositories(home, tap):
    """base-commit is what is checked out, whatever kind of repository the tree is in."""
    tree, base = home.tree, os.path.join(home.dir, "base")
    for kind in ([], ["--object-format=sha256"]):
        shutil.rmtree(base, ignore_errors=True)
        shutil.copytree(tree, base)
        git(base, "init", "-q", *kind, check=True)
        home.tree = base
        run = home.fix()
        tap.ok(run.status == 0 and "base-commit" not in cover_of(home), "no commit yet: no base-commit", run)
        git(base, "add", "-A", check=True)
        git(base, "commit", "-qm", "base", check=True)
        head = git(base, "rev-parse", "HEAD").stdout.strip()
        shallow, worktree = os.path.join(home.dir, "shallow"), os.path.join(home.dir, "worktree")
        git(base, "worktree", "add", "-q", "-b", "other", worktree, check=True)
        git(home.dir, "clone", "-q", "--depth=1", "file://" + base, shallow, check=True)
        for how, place in (("plain", base), ("packed", base), ("worktree", worktree), ("shallow", shallow)):
            if how == "packed":
                git(base, "pack-refs", "--all", check=True)
            home.tree = place
            run = home.fix()
            tap.ok(run.status == 0 and f"\nbase-commit: {head}\n" in cover_of(home),
                   f"base-commit of a repository: {how} {' '.join(kind)}", (run, cover_of(home)[-200:]))
            shutil.rmtree(place) if place != base else None
    home.tree = tree


def habits(home, tap):
    """Subjects begin as those of the file's history do, where that has a habit."""
    tree, base = home.tree, os.path.join(home.dir, "habits")
    shutil.copytree(tree, base)
    git(base, "init", "-q", check=True)
    for n, subject in enumerate(("base", "mm: case: count", "mm, case: count: more", "mm: case: count less",
                                 "Revert more", "x" * 40 + ": no", "mm: case: \x1b[0m: no more", "mm: case: end")):
        nctest.write(os.path.join(base, "mm/case.c"), open(os.path.join(tree, "mm/case.c")).read() + f"/* {n} */\n")
        git(base, "add", "-A", check=True)
        git(base, "commit", "-qm", subject, check=True)
    home.tree = base
    run = home.fix()
    made = re.findall(r"^Subject: \[PATCH \d+/\d+\] (\S+?: \S+?:|\S+:) ", "".join(home.patches().values()), re.M)
    tap.ok(run.status == 0 and "mm: case:" in made, "a subject begins as most of a year's do", (run, made))
    git(base, "reset", "-q", "--hard", "HEAD~4", check=True)
    run = home.fix()
    made = re.findall(r"^Subject: \[PATCH \d+/\d+\] (\S+) ", "".join(home.patches().values()), re.M)
    tap.ok(run.status == 0 and "mm/case:" in made, "two are no habit", (run, made))
    home.tree = tree


def cover_of(home):
    with open(os.path.join(home.out, "0000-cover-letter.patch")) as f:
        return f.read()


def check_trace(trace, home, tap):
    ran, written = set(), []
    for line in open(trace, errors="replace"):
        m = re.match(r"\d+ +(\w+)\((.*)", line)
        if not m or "ENOENT" in line and m[1] != "execve":
            continue
        path = re.search(r'"([^"]*)"', m[2])
        if m[1] == "execve" and line.rstrip().endswith("= 0"):
            ran.add(path[1])
        elif m[1] == "chdir":
            written += [line] if path and path[1].startswith(home.tree) else []
        elif path and path[1].startswith(home.tree + "/") and \
                (m[1] not in ("open", "openat") or re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", line)):
            written.append(line)
    tap.ok({"nocharge", "git", "spatch"} <= {os.path.basename(p) for p in ran} and
           not any(p.startswith(home.dir) for p in ran), "strace: nothing of the tree runs", ran)
    tap.ok(not written, "strace: nothing in the tree is written, none is run there", "".join(written[:9]))


def read_only(home, tap, first):
    with nctest.unwritable(home.tree) as sure:
        if not sure:
            tap.skip("a tree that is read-only", "nothing can be mounted here, and root may write anywhere")
            return
        run = home.fix()
    tap.ok(run.status == 0 and set(whole(home.out)) == set(first), "a tree that is read-only", run)


def kills(home, tap):
    home.fix()
    want, before, broken = whole(home.out), everything(home.tree), []
    start = time.monotonic()
    home.fix()
    whole_run = time.monotonic() - start
    killer = nctest.Killer(tempfile.mkdtemp(dir=home.dir), "git", "spatch")

    def ended(where, status, sig, temporary):
        """What is there after a run that was ended, and what the next one makes of it."""
        if status not in (0, -sig if sig == signal.SIGKILL else 128 + sig):
            broken.append(where + f"status {status}")
        if sig != signal.SIGKILL and os.listdir(temporary):
            broken.append(where + f"left {os.listdir(temporary)}")
        if everything(home.tree) != before:
            broken.append(where + "the tree changed")
        have = whole(home.out)
        if "series.json" in have and any(have.get(n) != t for n, t in want.items()):
            broken.append(where + "a series.json without its series")
        run = home.fix(env={"TMPDIR": temporary})
        if run.status or whole(home.out) != want:
            broken.append(where + f"the next run: {run} {sorted(whole(home.out))}")
        if os.listdir(temporary):
            broken.append(where + f"the next run left {os.listdir(temporary)}")

    for sig in (signal.SIGKILL, signal.SIGINT, signal.SIGHUP):
        for part in (0.1, 0.4, 0.7, 0.95):
            temporary = tempfile.mkdtemp(dir=home.dir)
            child = subprocess.Popen([nctest.NOCHARGE, "fix", "--cache", home.cache, "--author", AUTHOR,
                                      home.tree, "-o", home.out], stderr=subprocess.DEVNULL,
                                     env=dict(os.environ, TMPDIR=temporary, **QUIET))
            time.sleep(whole_run * part)
            child.send_signal(sig)
            ended(f"{sig.name} after {part:.2f} of a run: ", child.wait(timeout=60), sig, temporary)
    tap.ok(not broken, "after a kill at any time the next run completes", "\n".join(broken))
    broken.clear()
    run = home.fix(env={"PATH": killer.path})
    turns = killer.turns()
    tap.ok(run.status == 0 and {"spatch --sp-file", "git commit", "git format-patch"} <= {t[1] for t in turns},
           "what a run starts", turns)
    for turn, what in turns:
        temporary = tempfile.mkdtemp(dir=home.dir)
        killer.choose(turn)
        run = home.fix(env={"PATH": killer.path, "TMPDIR": temporary})
        if run.status != -signal.SIGKILL:
            broken.append(f"{what}: it was not killed: {run}")
        ended(f"killed as it started {what}: ", run.status, signal.SIGKILL, temporary)
    tap.ok(not broken, "after a kill at each step the next run completes", "\n".join(broken))
    if not shutil.which("strace"):
        tap.skip("killed while it writes", "strace is not installed")
        return
    broken.clear()
    count = 0
    while count < 40:
        temporary = tempfile.mkdtemp(dir=home.dir)
        run = subprocess.run(["strace", "-qq", "-o", "/dev/null", "-e", "trace=rename", "-e",
                              f"inject=rename:signal=KILL:when={count + 1}", nctest.NOCHARGE, "fix", "--cache",
                              home.cache, "--author", AUTHOR, home.tree, "-o", home.out], capture_output=True,
                             env=dict(os.environ, TMPDIR=temporary, **QUIET, **nctest.TRACED))
        if not run.returncode:
            break
        count += 1
        ended(f"killed as it renamed the {count}th file: ", run.returncode, signal.SIGKILL, temporary)
    tap.ok(len(want) <= count < 40 and not broken, "after a kill while it writes the next run completes",
           f"{count} renames\n" + "\n".join(broken))


def missing(home, tap):
    path = programs(os.path.join(home.dir, "no-spatch"), "git", "sh")
    run = home.fix(env={"PATH": path})
    tap.ok(run.status == 2 and "spatch" in run.err, "no spatch", run)
    path = programs(os.path.join(home.dir, "no-git"), "sh")
    run = home.fix(env={"PATH": path})
    tap.ok(run.status == 2 and "'git'" in run.err, "no git", run)
    path = programs(os.path.join(home.dir, "idle-spatch"), "git", "sh")
    script(path, "spatch", "exit 0\n")
    run = home.fix(env={"PATH": path})
    left = home.series()["left"]
    tap.ok(run.status == 1 and not home.series()["patches"] and len(left) > 2 and
           all("changes nothing" in item["why"] for item in left),
           "a spatch that does not understand: all is left alone, and said", (run, left))
    path = programs(os.path.join(home.dir, "bad-spatch"), "git", "sh")
    script(path, "spatch", "echo cannot do that >&2\nexit 3\n")
    run = home.fix(env={"PATH": path})
    tap.ok(run.status == 2 and "cannot do that" in run.err and "units" not in run.err,
           "a spatch that does not start", run)
    before = whole(home.out)
    script(path, "spatch", "test $1 = --version && exit\necho cannot do that >&2\nexit 3\n")
    run = home.fix(env={"PATH": path})
    tap.ok(run.status == 2 and "cannot do that" in run.err and whole(home.out) == before,
           "a spatch that fails on all", run)
    script(path, "spatch", f"""case "$*" in *fn=memcg_count*) echo gone >mm/case.c; kill -SEGV $$;; esac
exec {shutil.which("spatch")} "$@"
""")
    run = home.fix(env={"PATH": path + ":" + os.environ["PATH"]})
    left = home.series()["left"]
    tap.ok(run.status == 1 and [item["function"] for item in left] == ["memcg_count"] and
           "spatch failed on " in left[0]["why"] and "139" in left[0]["why"] and len(home.patches()) > 2 and
           not any(line == "+gone" for p in home.patches().values() for line in p.splitlines()),
           "a spatch that falls over one function: that one is left alone", (run, left))
    run = home.fix(env={"TMPDIR": os.path.join(home.dir, "none")})
    tap.ok(run.status == 2 and os.path.join(home.dir, "none") in run.err, "no TMPDIR", run)


def full(home, tap):
    """Where there is no space for another series the one that is there stays."""
    out, small = home.out, os.path.join(home.dir, "small")
    os.mkdir(small)
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        tap.skip("a disk that is full", "no file system can be mounted here")
        return
    try:
        home.out = os.path.join(small, "series")
        home.fix()
        before = whole(home.out)
        fill = os.open(os.path.join(small, "fill"), os.O_CREAT | os.O_WRONLY)
        try:
            while os.write(fill, bytes(4096)):
                pass
        except OSError:
            os.close(fill)
        run = home.fix(author="B <b@example.org>")
        tap.ok(run.status == 2 and "No space left" in run.err and whole(home.out) == before,
               "a disk that is full: the series that is there stays whole", run)
    finally:
        subprocess.run(["umount", small], check=True)
        home.out = out


def sending(home, tap):
    marker = os.path.join(home.dir, "maintainers")
    code = f"""open(my $f, ">>", "{marker}"); print $f "@ARGV"; close $f;
print "D. O'Brien (x) <d\\@example.org> (maintainer:MEMORY (all))\\n";
print "list\\@example.org (open list:MEMORY)\\n\\x1b[31mA <bad\\@example.org>\\n--smtp-server=x\\@y\\n";
"""
    nctest.write(os.path.join(home.tree, "scripts/get_maintainer.pl"), code)
    run = home.fix()
    tap.ok(run.status == 0 and not os.path.exists(marker) and "send.cmd" not in whole(home.out),
           "get_maintainer.pl is not run without --trust-tree", run)
    run = home.fix("--trust-tree")
    have = whole(home.out).get("send.cmd", b"").decode()
    tap.ok(run.status == 0 and r"--to='D. O'\''Brien (x) <d@example.org>'" in have and
           "--cc=list@example.org " in have, "its answers are in send.cmd, quoted", (run, have))
    tap.ok("bad@" not in have and "smtp" not in have, "but for what is no address", have)
    args = open(marker).read() if os.path.exists(marker) else ""
    tap.ok("--nogit" in args and "--nogit-fallback" in args, "it is told to leave git alone", args)
    tap.ok(subprocess.run(["sh", "-n", os.path.join(home.out, "send.cmd")]).returncode == 0 and
           not os.access(os.path.join(home.out, "send.cmd"), os.X_OK), "a shell can read it")
    nctest.write(os.path.join(home.tree, "scripts/get_maintainer.pl"), "exit 3;\n")
    run = home.fix("--trust-tree")
    tap.ok(run.status == 0 and "send.cmd" in run.err and "send.cmd" not in whole(home.out),
           "where it fails there is none, and that is said", run)
    shutil.rmtree(os.path.join(home.tree, "scripts"))


def measured(home, tap):
    home.fix()
    before = home.patches()
    run = Run("prove", "--cache", home.cache, "--check", "size", home.out, home.tree)
    after, bad = home.patches(), []
    for name, text in after.items():
        added = [line for line in text.splitlines() if line not in before[name].splitlines()]
        note = " ".join(added)
        m = re.search(r"add/remove: (\d+)/(\d+) grow/shrink: (\d+)/(\d+) up/down: (\d+)/-?(\d+) \((-?\d+)\)", note)
        if not m or int(m[5]) - int(m[6]) != int(m[7]) or not int(m[5]):
            bad.append(note)
        if "clang-19 -O2" not in note or max(map(len, added)) > 75:
            bad.append(f"how, or too long: {note}")
        if text[text.index("\n---\n"):] != before[name][before[name].index("\n---\n"):]:
            bad.append(f"{name}: more than the message changed")
    tap.ok(run.status == 0 and not bad, "text size is measured and told in the message", (run, bad))
    wrapped = next(p for p in home.series()["patches"] if "memcg_note_fault" in p["functions"])
    tap.ok("do_anonymous_page +" in message_text(after[wrapped["file"]]),
           "a wrapper is paid where it is called", after[wrapped["file"]][:2500])
    Run("prove", "--cache", home.cache, "--check", "size", home.out, home.tree)
    tap.ok(home.patches() == after, "a second time changes nothing")


def message_text(patch):
    return " ".join(patch[:patch.index("\n---\n")].split())


def reports(home, tap):
    home.fix("--keep-exports")
    series = home.series()
    found = os.path.join(home.dir, "found.json")
    Run("check", "--cache", home.cache, "--format", "json", "-o", found, home.tree)
    ids = {f["function"]: f["id"] for f in json.load(open(found))["findings"]}
    run = Run("report", found)
    text = Run("check", "--cache", home.cache, home.tree)
    tap.ok(run.status == 1 and run.out == text.out, "report without a series is what check prints", run.out)
    run = Run("report", found, "--series", home.out)
    tap.ok(run.status == 3 and f"patch '{series['patches'][0]['file']}'" in run.out and
           "left alone: it cannot have an inline wrapper: its export is kept" in run.out and
           "nothing is proven" in run.out, "with one it tells patch and reason", run.out)
    proof = {"schema": "nocharge-proof-1", "patches": [
        {"patch_id": p["patch_id"], "checks": {
            "applies": {"result": "pass", "why": "", "command": "c"},
            "builds": {"result": "not-run", "why": "needs --trust-tree", "command": "c"}}}
        for p in series["patches"]]}
    nctest.write(os.path.join(home.out, "proof.json"), json.dumps(proof))
    run = Run("report", found, "--series", home.out)
    tap.ok(run.status == 3 and "applies: pass, builds: not-run" in run.out and
           "not-run: builds: needs --trust-tree" in run.out, "and what is proven", run.out)
    run = Run("report", found, "--series", home.out, "--format", "json")
    have = {f["id"]: f for f in (run.json() or {"findings": []})["findings"]}
    first = series["patches"][0]["findings"][0]
    tap.ok(have.get(first, {}).get("patch", {}).get("checks", {}).get("applies", {}).get("result") == "pass"
           and "export" in have[ids["memcg_try_charge"]]["left"]["why"] and
           run.json()["schema"] == "nocharge-findings-1", "the same as JSON", run.out[-2000:])
    proof["patches"][0]["checks"]["applies"]["result"] = "fail"
    nctest.write(os.path.join(home.out, "proof.json"), json.dumps(proof))
    run = Run("report", found, "--series", home.out)
    tap.ok(run.status == 4, "a failed proof is status 4", run)
    for one in proof["patches"]:
        for check in one["checks"].values():
            check["result"] = "pass"
    nctest.write(os.path.join(home.out, "proof.json"), json.dumps(proof))
    run = Run("report", found, "--series", home.out)
    tap.ok(run.status == 1, "where all is proven, findings are what is left to say", run)
    run = Run("report", found, "--series", home.out, "--exit-zero")
    tap.ok(run.status == 0, "report --exit-zero", run)
    patch = os.path.join(home.out, series["patches"][0]["file"])
    text = open(patch).read()
    nctest.write(patch, text.replace("\n+\t", "\n+\tbarrier();", 1))
    run = Run("report", found, "--series", home.out)
    tap.ok(run.status == 3 and "nothing is proven" in run.out,
           "what was proven of a patch is not told of what it was edited into", run.out)
    for name, text in (("proof.json", "{}"), ("proof.json", "no"), ("series.json", '{"schema": "x"}')):
        nctest.write(os.path.join(home.out, name), text)
        run = Run("report", found, "--series", home.out)
        tap.ok(run.status == 2 and name in run.err, f"{name} is {text}", run)
    for args in (["report"], ["report", found, "x"], ["report", found, "--format", "html"],
                 ["report", found, "--rule", "x"], ["report", os.path.join(home.dir, "none")],
                 ["report", found, "--series", os.path.join(home.dir, "none")]):
        run = Run(*args)
        tap.ok(run.status == 2 and run.err.startswith("nocharge: ") and not run.out, " ".join(args[:1] + args[2:]), run)


def endings(home, tap):
    shutil.rmtree(home.out)
    path = os.path.join(home.tree, "mm/case.c")
    text = open(path).read()
    with open(path, "w", newline="\r\n") as f:
        f.write(text)
    run = home.fix()
    left = home.series()["left"]
    tap.ok(run.status == 1 and not home.series()["patches"] and left and all("CR LF" in l["why"] for l in left),
           "files that git am would not put back are left alone", left)
    run = home.fix("--exit-zero")
    tap.ok(run.status == 0, "--exit-zero", run)
    nctest.write(path, text)


def no_text(home, tap):
    for path in ("include/linux/case.h", "mm/case.c"):
        path = os.path.join(home.tree, path)
        text = open(path).read()
        nctest.write(path, text + "/* \0 */\n")
        run = home.fix()
        left = home.series()["left"]
        tap.ok(run.status == 1 and not home.series()["patches"] and left and
               all("NUL" in item["why"] for item in left), f"a NUL in {path[-6:]}: it is left alone", (run, left))
        nctest.write(path, text)


def no_use(home, tap):
    rules = os.path.join(nctest.TOP, "rules/memcg.json")
    for args in (["--format", "json"], ["--each"], ["--rules", rules, "--rules", rules]):
        run = home.fix(*args)
        tap.ok(run.status == 2 and args[0] in run.err, f"nothing is taken and not heeded: {' '.join(args[::2])}", run)
    shown = {c: Run(c, "-h").out for c in ("check", "list", "fix", "prove", "report")}
    for option in ("--baseline", "--format", "--function", "--only", "--author", "--cc"):
        for command, text in shown.items():
            run = Run(command, option, "x")
            refused = "has no use for" in run.err or "has no option" in run.err
            tap.ok((f"\n  {option} " in text) != refused, f"{command} -h and {option}", run)


def early(home, tap):
    """What is wrong is told before the work, and nothing is made."""
    absent = os.path.join(home.dir, "absent")
    spatch = programs(os.path.join(home.dir, "few"), "git", "sh")
    for what, args in (
            ("--author", {"author": "nobody"}), ("-o in the tree", {"out": os.path.join(home.tree, "series")}),
            ("-o in nothing", {"out": os.path.join(absent, "x", "y")}), ("-o that is empty", {"out": ""}),
            ("-o on a link to nothing", {"out": os.path.join(home.dir, "dangling")}),
            ("--baseline", {"args": ["--baseline", absent]}),
            ("SOURCE_DATE_EPOCH", {"env": {"SOURCE_DATE_EPOCH": "now"}}), ("no spatch", {"env": {"PATH": spatch}})):
        if "link" in what:
            os.symlink(os.path.join(home.tree, "series"), os.path.join(home.dir, "dangling"))
        args = dict({"out": absent}, **args)
        run = home.fix(*args.pop("args", []), **args)
        tap.ok(run.status == 2 and "units" not in run.err and run.err.count("\n") == 1 and not
               os.path.exists(absent) and not os.path.exists(os.path.join(home.tree, "series")),
               f"{what}: refused at once", run)


def chosen(home, tap):
    """What is asked for chooses patches; what goes together goes together."""
    whole_series = home.fix() and [p["functions"] for p in home.series()["patches"]]
    pair = next(f for f in whole_series if len(f) > 1)
    ids = {p["functions"][0]: p["findings"] for p in home.series()["patches"]}[pair[0]]
    found = os.path.join(home.dir, "baseline.json")
    Run("check", "--cache", home.cache, "--format", "json", "-o", found, home.tree)
    text = json.load(open(found))
    text["findings"] = [f for f in text["findings"] if f["id"] != ids[0]]
    nctest.write(found, json.dumps(text))
    rule = "missing-guard"
    for args in (["--function", pair[1]], ["--only", ids[1]], ["--baseline", found], ["--rule", rule]):
        run = home.fix(*args)
        tap.ok(run.status == 0 and [p["functions"] for p in home.series()["patches"]] == [pair],
               f"{args[0]}: a patch with both", (run, home.series()["patches"]))
    for args in (["--rule", "late-guard"], ["--only", ids[1], "--baseline", found]):
        run = home.fix(*args)
        tap.ok(run.status == 0 and not home.series()["patches"], f"{' '.join(args[::2])}: nothing", run)
    run = home.fix("--function", "nobody")
    tap.ok(run.status == 0 and "'nobody'" in run.err, "--function of nothing says so", run)


def main():
    nctest.need_program()
    tap, top = Tap(), nctest.scratch("series")
    cache = os.path.join(top, "cache")
    case = Case("wrap")
    home = Home(top, case, cache)
    first = same_bytes(home, tap)
    dates(home, tap)
    asked(home, tap)
    keep_exports(home, tap)
    authors(home, tap)
    directories(home, tap, first)
    hostile(home, tap, first)
    repositories(home, tap)
    habits(home, tap)
    read_only(home, tap, first)
    missing(home, tap)
    full(home, tap)
    sending(home, tap)
    measured(home, tap)
    reports(home, tap)
    endings(home, tap)
    no_text(home, tap)
    no_use(home, tap)
    early(home, tap)
    home = Home(top, Case("guard-pair"), cache)
    chosen(home, tap)
    kills(home, tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
