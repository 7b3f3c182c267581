# SPDX-License-Identifier: GPL-2.0-only
"""Series made of edits to a tree, as fix would write them."""
import json
import os
import shutil
import subprocess

import nctest

GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
       "GIT_AUTHOR_NAME": "A Thor", "GIT_AUTHOR_EMAIL": "a@example.org",
       "GIT_COMMITTER_NAME": "A Thor", "GIT_COMMITTER_EMAIL": "a@example.org",
       "GIT_AUTHOR_DATE": "1000000000 +0000", "GIT_COMMITTER_DATE": "1000000000 +0000"}


def edit(subject, kind, edits, renamed=None, functions=("memcg_note_fault",), rules=()):
    """A patch: @edits are (path, old, new), each made at the first place."""
    return {"subject": subject, "kind": kind, "edits": edits, "renamed": renamed or {},
            "functions": list(functions), "rules": list(rules)}


def off_by_default(home, tree):
    """A copy of @tree with the patches of default-on, or None; and the run."""
    out, made = os.path.join(home, "default-on"), os.path.join(home, "tree")
    run = nctest.Run("fix", "--rule", "default-on", "--author", "A Thor <a.thor@example.org>", tree, "-o", out,
              cache=nctest.shared_cache())
    if run.status:
        return None, run
    with open(os.path.join(out, "series.json")) as f:
        patches = json.load(f)["patches"]
    # hard links do not leave a file system
    if subprocess.run(["cp", "-al", tree, made], stderr=subprocess.DEVNULL).returncode:
        shutil.rmtree(made, ignore_errors=True)
        subprocess.run(["cp", "-a", tree, made], check=True)
    for path in {path for patch in patches for path in patch["files"]}:
        os.unlink(os.path.join(made, path))
        shutil.copy(os.path.join(tree, path), os.path.join(made, path))
    for patch in patches:
        subprocess.run(["git", "apply", os.path.join(out, patch["file"])], cwd=made, check=True,
                       env=dict(os.environ, GIT_CEILING_DIRECTORIES=home))
    return made, run


class Series:
    """Patches made of edits, in a directory as fix writes it."""

    def __init__(self, home, tree, patches):
        self.tree, self.dir = tree, os.path.join(home, "series")
        repo = os.path.join(home, "repo")
        shutil.rmtree(self.dir, ignore_errors=True)
        os.makedirs(repo)
        os.makedirs(self.dir)
        for path in {e[0] for p in patches for e in p["edits"]}:
            nctest.write(os.path.join(repo, path), open(os.path.join(tree, path)).read())
        self.git(repo, "init", "-q")
        self.git(repo, "add", "-A")
        self.git(repo, "commit", "-q", "--allow-empty", "-m", "base")
        listed = []
        for i, patch in enumerate(patches):
            for path, old, new in patch["edits"]:
                full = os.path.join(repo, path)
                text = open(full).read()
                assert old in text, (patch["subject"], path)
                nctest.write(full, text.replace(old, new, 1))
            self.git(repo, "commit", "-qam", patch["subject"])
            self.git(repo, "format-patch", "-q", "-1", "--start-number", str(i + 1), "-o", self.dir)
            listed.append({"file": sorted(os.listdir(self.dir))[-1], "subject": patch["subject"],
                           "patch_id": "", "findings": [], "functions": patch["functions"],
                           "files": sorted({e[0] for e in patch["edits"]}), "kind": patch["kind"],
                           "rules": patch["rules"], "renamed": patch["renamed"],
                           "predicate": "mem_cgroup_disabled"})
        shutil.rmtree(repo)
        self.patches = listed
        self.write()

    @staticmethod
    def git(repo, *args):
        return subprocess.run(["git", "-C", repo, *args], env=dict(os.environ, **GIT), check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def write(self, **more):
        series = {"schema": "nocharge-series-1", "tree": {"version": "6.1.99", "arch": "x86"},
                  "rules": [os.path.join(nctest.TOP, "rules/memcg.json")], "config": None,
                  "patches": self.patches, "left": [], **more}
        nctest.write(os.path.join(self.dir, "series.json"), json.dumps(series))

    def patch(self, number):
        return os.path.join(self.dir, self.patches[number]["file"])

    def proof(self):
        with open(os.path.join(self.dir, "proof.json")) as f:
            return json.load(f)

    def check(self, number, check):
        return self.proof()["patches"][number]["checks"][check]

    def result(self, number, check):
        return self.check(number, check)["result"]

    def leftovers(self):
        return [f for f in os.listdir(self.dir) if f.startswith(".")]
