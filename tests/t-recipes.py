#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The recipes of docs/ci/ do what they say: each is run as its host would run it, on a small tree with history."""
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap

import nctest
from nctest import Tap

FOLDER = os.path.join(nctest.TOP, "docs", "ci")
spec = importlib.util.spec_from_file_location("patches", os.path.join(nctest.TESTS, "t-patch.py"))
patches = importlib.util.module_from_spec(spec)
spec.loader.exec_module(patches)


def recipe(name):
    with open(os.path.join(FOLDER, name)) as f:
        return f.read()


class Host:
    def __init__(self):
        self.home = patches.Home()
        programs = os.path.join(self.home.dir, "bin")
        # a link finds the rules that come with the program
        os.mkdir(programs)
        os.symlink(nctest.NOCHARGE, os.path.join(programs, "nocharge"))
        self.env = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", HOME=self.home.dir,
                        NOCHARGE_DATA=nctest.TOP, XDG_CACHE_HOME=self.home.cache,
                        GIT_AUTHOR_NAME="A", GIT_AUTHOR_EMAIL="a@b.example",
                        GIT_COMMITTER_NAME="A", GIT_COMMITTER_EMAIL="a@b.example")

    def tree(self, rev):
        path = os.path.join(self.home.dir, "at")
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.home.work, path)
        patches.git(path, "checkout", "-q", rev)
        return path

    def id(self, rev):
        return patches.git(self.home.work, "rev-parse", rev).strip()

    def run(self, tree, command, text=None, **env):
        return subprocess.run(command, cwd=tree, env=dict(self.env, **env), text=True, input=text or "",
                              capture_output=True)


def check_github(host, tap):
    script = textwrap.dedent(re.search(r"- name: lint\n +run: \|\n((?: {10}.*\n)+)", recipe("github.yml"))[1])
    for rev, base, count in (("HEAD~1", "HEAD~2", 1), ("HEAD~2", "HEAD~3", 0)):
        tree = host.tree(rev)
        done = host.run(tree, ["sh", "-e", "-c", script], BASE=host.id(base))
        try:
            with open(os.path.join(tree, "nocharge.sarif")) as f:
                have = len(json.load(f)["runs"][0]["results"])
        except (OSError, ValueError) as e:
            have = e
        tap.ok(done.returncode == 0 and have == count, f"GitHub: {count} results", f"{have}\n{done.stdout}{done.stderr}")
    done = host.run(host.tree("HEAD"), ["sh", "-e", "-c", script], BASE="0" * 40)
    tap.ok(done.returncode != 0, "GitHub: a base that is not there fails", done.stdout + done.stderr)


def check_gitlab(host, tap):
    lines = re.search(r"\n  script:\n((?:    - .*\n)+)", recipe("gitlab.yml"))[1]
    script = "\n".join(line[6:] for line in lines.splitlines())
    for rev, base, status in (("HEAD~1", "HEAD~2", 1), ("HEAD~2", "HEAD~3", 0)):
        done = host.run(host.tree(rev), ["sh", "-e", "-c", script], CI_MERGE_REQUEST_DIFF_BASE_SHA=host.id(base))
        tap.ok(done.returncode == status and done.stdout.count("warning:") == status, f"GitLab: status {status}",
               f"{done.returncode}\n{done.stdout}{done.stderr}")
    done = host.run(host.tree("HEAD"), ["sh", "-e", "-c", script], CI_MERGE_REQUEST_DIFF_BASE_SHA="0" * 40)
    tap.ok(done.returncode == 2, "GitLab: a base that is not there fails", done.stdout + done.stderr)


def check_hook(host, tap):
    tree = host.tree("HEAD~2")
    shutil.copy(os.path.join(FOLDER, "pre-commit"), os.path.join(tree, ".git", "hooks", "pre-commit"))
    patches.linttree.edit(tree, "mm/lint.c", "a comment", "another")
    done = host.run(tree, ["git", "commit", "-qam", "good"])
    tap.ok(done.returncode == 0, "pre-commit: a good commit", done.stdout + done.stderr)
    patches.linttree.edit(tree, "mm/lint.c", patches.GUARD, "")
    done = host.run(tree, ["git", "commit", "-qam", "bad"])
    tap.ok(done.returncode == 1 and "warning:" in done.stdout + done.stderr, "pre-commit: a bad one is kept back",
           done.stdout + done.stderr)
    patches.git(tree, "checkout", "-q", "HEAD", ".")
    nctest.write(os.path.join(tree, "words.txt"), "x\n")
    patches.git(tree, "add", "words.txt")
    done = host.run(tree, ["git", "commit", "-qm", "words"])
    tap.ok(done.returncode == 0 and "nocharge:" not in done.stderr, "pre-commit: words are not looked at", done.stderr)


def check_b4(host, tap):
    """b4 0.14: the command as words, in the top folder, the mail on standard input; lines of output are told."""
    command = shlex.split(os.path.join(FOLDER, "b4-check"))
    # the series is on the branch already: one mail each, without "From "
    for rev, count in (("HEAD~1", 1), ("HEAD~2", 0)):
        mail = patches.git(host.home.work, "format-patch", "--stdout", "-1", rev).split("\n", 1)[1]
        done = host.run(host.home.work, command, mail)
        tap.ok(len(done.stdout.splitlines()) == count == done.returncode and "ERROR:" not in done.stdout + done.stderr
               and not done.stderr,
               f"b4: {count} warnings", f"{done.returncode}\n{done.stdout}{done.stderr}")
    done = host.run(host.home.work, command, mail.replace("a comment", "no comment").replace("lint_good", "lint_other"))
    tap.ok(done.returncode == 2 and done.stdout.startswith("ERROR: ") and "does not apply" in done.stdout,
           "b4: what could not be checked is a failure", done.stdout + done.stderr)


def check_lines(host, tap):
    """The lines for a shell, as they stand in the text."""
    lines = [line.strip() for line in recipe("README.md").splitlines() if line.startswith("    ")]
    tree = host.tree("HEAD~1")
    patches.git(tree, "update-ref", "refs/remotes/origin/master", host.id("HEAD~2"))
    since = next(line for line in lines if "--since" in line)
    done = host.run(tree, ["sh", "-c", since])
    tap.ok(done.returncode == 1 and done.stdout.count("warning:") == 1, since, done.stdout + done.stderr)
    mail = next(line for line in lines if "b4 am" in line).split("|", 1)[1]
    box = patches.git(host.home.work, "format-patch", "--stdout", "HEAD~2..HEAD")
    done = host.run(host.tree("HEAD~2"), ["sh", "-c", mail], box)
    tap.ok(done.returncode == 1 and "warning:" in done.stdout, mail, done.stdout + done.stderr)
    done = host.run(tree, ["sh", "-c", "\n".join(line for line in lines if "known.json" in line)])
    tap.ok(done.returncode == 0 and not done.stdout, "a baseline of what is known", done.stdout + done.stderr)


def main():
    tap = Tap()
    nctest.need_program()
    host = Host()
    check_github(host, tap)
    check_gitlab(host, tap)
    check_hook(host, tap)
    check_b4(host, tap)
    check_lines(host, tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
