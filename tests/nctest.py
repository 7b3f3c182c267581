# SPDX-License-Identifier: GPL-2.0-only
"""What the tests in Python share: TAP, small trees, running the program."""
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(TESTS)
NOCHARGE = os.environ.get("NOCHARGE", os.path.join(TOP, "nocharge"))
LONG = bool(os.environ.get("NOCHARGE_LONG"))
BASE = os.path.join(TESTS, "fixtures", "base")
# for a run under strace, where LeakSanitizer cannot look
TRACED = {"ASAN_OPTIONS": "detect_leaks=0"}
GUARD_RULES = ["missing-guard", "late-guard", "outline-guard",
               "redundant-guard", "null-when-disabled", "dynamic-guard"]
# every rule is explained
RULES = sorted(f[:-3] for f in os.listdir(os.path.join(TOP, "rules", "text")) if f.endswith(".md"))


class Tap:
    def __init__(self):
        self.count = self.bad = 0

    def ok(self, good, name, why=None):
        self.count += 1
        self.bad += not good
        print(f"{'' if good else 'not '}ok {self.count} - {name}", flush=True)
        if not good and why:
            for line in str(why).splitlines()[:40]:
                print(f"#   {line}", flush=True)
        return good

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}", flush=True)

    def left_out(self, what):
        print(f"# left out: {what}", flush=True)

    def note(self, text):
        for line in str(text).splitlines():
            print(f"# {line}", flush=True)

    def done(self):
        print(f"1..{self.count}", flush=True)
        return 1 if self.bad else 0


def scratch(name):
    """A directory of this run's own, removed at the end."""
    directory = tempfile.mkdtemp(prefix=f"nocharge-{name}.")
    import atexit
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


def shared_cache():
    """Where runs on real trees keep their cache: one for all parts of a test."""
    return os.environ.get("NOCHARGE_TEST_CACHE") or scratch("cache")


class Run:
    """One run of the program; a run that does not end is killed."""

    def __init__(self, *args, cache=None, limit=1800, env=None, cwd=None, stdin=None):
        self.command = [NOCHARGE, *args]
        full = dict(os.environ, **(env or {}))
        if cache:
            full["XDG_CACHE_HOME"] = cache
        child = subprocess.Popen(self.command, cwd=cwd, env=full, text=True,
                                 stdin=stdin or subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 errors="replace", start_new_session=True)
        try:
            self.out, self.err = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            self.out, self.err = child.communicate()
            self.err += f"\n(killed after {limit} s)"
        self.status = child.returncode

    def json(self):
        """The findings, or None if the output is none."""
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    def __str__(self):
        tail = "\n".join(self.err.splitlines()[-12:])
        return f"{' '.join(self.command)}\nexit status {self.status}\n{tail}"


def path_without(home, program):
    """A PATH that has all programs but those that begin with this."""
    bare = os.path.join(home, "without-" + program)
    if os.path.isdir(bare):
        return {"PATH": bare}
    os.makedirs(bare)
    for folder in os.environ["PATH"].split(":"):
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            if not name.startswith(program) and not os.path.lexists(os.path.join(bare, name)):
                os.symlink(os.path.join(folder, name), os.path.join(bare, name))
    return {"PATH": bare}


def findings_by_rule(report):
    """Sets of (rule, function): with a finding of their own, and covered."""
    own, covered = set(), set()
    for finding in report["findings"]:
        own.add((finding["rule"], finding["function"]))
        for name in finding.get("covers", []):
            covered.add((finding["rule"], name))
    return own, covered


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def make_tree(directory, files=()):
    """A copy of the base tree with @files, {path: (text, gate)}, laid over it."""
    shutil.copytree(BASE, directory)
    for path, (text, gate) in dict(files).items():
        write(os.path.join(directory, path), text)
        folder, name = os.path.split(path)
        if not name.endswith(".c"):
            continue
        makefile = os.path.join(directory, folder, "Makefile")
        have = ""
        if os.path.exists(makefile):
            with open(makefile) as f:
                have = f.read()
        elif folder:
            add_directory(directory, folder)
        target = name[:-2] + ".o"
        if not re.search(rf"(^|\s){re.escape(target)}(\s|$)", have):
            rule = f"obj-$(CONFIG_{gate})" if gate else "obj-y"
            with open(makefile, "a") as f:
                f.write(f"{rule} += {target}\n")
    return directory


def add_directory(directory, folder):
    above, name = os.path.split(folder)
    path = os.path.join(directory, above, "Makefile" if above else "Kbuild")
    if above and not os.path.exists(path):
        add_directory(directory, above)
    with open(path, "a") as f:
        f.write(f"obj-y += {name}/\n")


def real_tree(version):
    """
    The directory of Debian's linux-source-@version, unpacked once, or
    (None, why). NOCHARGE_TREES may name a directory that has it already.
    """
    given = os.environ.get("NOCHARGE_TREES")
    if given and os.path.isfile(os.path.join(given, version, "Makefile")):
        return os.path.join(given, version), None
    package = f"/usr/src/linux-source-{version}.tar.xz"
    if not os.path.exists(package):
        return None, f"the package linux-source-{version} is not installed"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    home = given or os.path.join(cache, "nocharge-trees")
    stat = os.stat(package)
    tree = os.path.join(home, f"linux-source-{version}-{stat.st_size}-{int(stat.st_mtime)}")
    if os.path.isfile(os.path.join(tree, "Makefile")):
        return tree, None
    os.makedirs(home, exist_ok=True)
    part = tempfile.mkdtemp(prefix=".unpack-", dir=home)
    print(f"# unpacking {package} to {tree}", flush=True)
    try:
        subprocess.run(["tar", "-xJf", package, "-C", part, "--strip-components=1",
                        "--no-same-owner"], check=True, stdin=subprocess.DEVNULL)
        os.rename(part, tree)
    except OSError:
        # someone else was as quick
        shutil.rmtree(part, ignore_errors=True)
    except subprocess.CalledProcessError:
        shutil.rmtree(part, ignore_errors=True)
        return None, f"{package} could not be unpacked"
    return tree, None


@contextlib.contextmanager
def unwritable(tree):
    """@tree cannot be written to meanwhile; gives False where nothing keeps root from it."""
    if os.geteuid():
        kept = {p: os.lstat(p).st_mode for f, d, n in os.walk(tree) for p in [f, *(os.path.join(f, x) for x in n)]
                if not os.path.islink(p)}
        for path, mode in kept.items():
            os.chmod(path, mode & 0o555)
        try:
            yield True
        finally:
            for path, mode in kept.items():
                os.chmod(path, mode)
        return
    bound = not subprocess.run(["mount", "--bind", tree, tree], capture_output=True).returncode
    try:
        yield bound and not subprocess.run(["mount", "-o", "remount,bind,ro", tree],
                                           capture_output=True).returncode
    finally:
        if bound:
            subprocess.run(["umount", tree], check=True)


class Killer:
    """
    Programs for a PATH that do what they are to do, but for the one whose
    turn it is: first it kills who started it.
    """
    # what tells the steps of one program apart, but for git's, which has verbs
    STEPS = {"-S", "-c", "-M", "-fsyntax-only", "--version", "--sp-file"}

    def __init__(self, directory, *names):
        self.log, self.turn = os.path.join(directory, "started"), os.path.join(directory, "turn")
        self.path = f"{directory}:{os.environ['PATH']}"
        for name in names:
            path = os.path.join(directory, name)
            write(path, f"""#!/bin/sh
echo "{name} $*" >>{shlex.quote(self.log)}
test "$(wc -l <{shlex.quote(self.log)})" = "$(cat {shlex.quote(self.turn)})" && kill -KILL $PPID
exec {shlex.quote(shutil.which(name))} "$@"
""")
            os.chmod(path, 0o755)
        self.choose(0)

    def choose(self, turn):
        write(self.turn, str(turn))
        write(self.log, "")

    def turns(self):
        """After a run in which nobody was killed: which were started, the first of each kind."""
        seen, out = {}, []
        with open(self.log) as f:
            started = [line.split() for line in f]
        for turn, (name, *args) in enumerate(started, 1):
            if name == "git":
                args = [a for i, a in enumerate(args) if not a.startswith("-") and args[i - 1] != "-c"][:1]
            else:
                args = sorted(self.STEPS & set(args))
            what = " ".join([name, *args])
            seen[what] = seen.get(what, 0) + 1
            if seen[what] == 1:
                out.append((turn, what))
        return out


def built():
    return os.access(NOCHARGE, os.X_OK)


def need_program():
    if not built():
        print(f"Bail out! {NOCHARGE} is not built (make builds it)")
        sys.exit(1)
