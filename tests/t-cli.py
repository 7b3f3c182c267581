#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What users and scripts rely on: messages, formats, exit status, options. On a
small tree with one finding of each kind.
"""
import json
import os
import re
import shutil
import subprocess
import sys

import fixture
import nctest
from nctest import RULES, Run, Tap

MESSAGE = re.compile(r"([^:\n]+):(\d+):(\d+): (warning|note): (.*)")
SUMMARY = re.compile(r"nocharge: (\d+) findings?(?: \((\d+) new\))?; (\d+) of (\d+) units, "
                     r"(\d+) functions? skipped; [\d.]+ s")
TREE = {"version": str, "arch": str, "config": str}
ENTRY = {"name": str, "declared": str, "defined": str, "stub": str, "kind": str, "state": str,
         "off_returns": str, "residue": int, "hot": list}
STATES = {"guarded-inline", "guarded-outline", "implied", "callers", "late", "missing",
          "only-when-on", "free"}
FINDING = {"id": str, "rule": str, "subsystem": str, "function": str, "file": str, "line": int,
           "column": int, "end_line": int, "end_column": int, "severity": str, "confidence": str,
           "hot": list, "message": str, "state": str, "why": list, "covers": list}
LEVELS = {"high", "medium", "low"}


def wrong_types(what, value, wanted):
    out = [f"{what}: no '{k}'" for k in wanted if k not in value]
    out += [f"{what}: '{k}' is {type(value[k]).__name__}" for k, t in wanted.items()
            if k in value and not isinstance(value[k], t)]
    return out


def check_schema(report, tap):
    bad = wrong_types("report", report, {"schema": str, "tool": dict, "tree": dict,
                                         "coverage": dict, "entry_points": list, "findings": list})
    bad += wrong_types("tree", report["tree"], TREE)
    bad += wrong_types("coverage", report["coverage"], {"units": int, "analysed": int, "skipped": list})
    if report["schema"] != "nocharge-findings-1":
        bad.append(f"schema {report['schema']}")
    for e in report["entry_points"]:
        bad += wrong_types(e.get("name", "?"), e, ENTRY)
        if e.get("state") not in STATES or e.get("kind") not in ("inline", "extern", "static"):
            bad.append(f"{e['name']}: state '{e['state']}', kind '{e['kind']}'")
    for f in report["findings"]:
        name = f"{f.get('rule')} {f.get('function')}"
        bad += wrong_types(name, f, FINDING)
        if f["severity"] not in LEVELS or f["confidence"] not in LEVELS:
            bad.append(f"{name}: severity '{f['severity']}', confidence '{f['confidence']}'")
        if f["state"] not in ("off", "root-only", "on"):
            bad.append(f"{name}: state '{f['state']}'")
        if (f["end_line"], f["end_column"]) < (f["line"], f["column"]) or f["line"] < 1:
            bad.append(f"{name}: place")
        for w in f["why"]:
            bad += wrong_types(name + " why", w, {"file": str, "line": int, "text": str})
    tap.ok(not bad, "the JSON is what INTERFACE says", "\n".join(bad))
    places = [(f["file"], f["line"], f["rule"], f["function"]) for f in report["findings"]]
    tap.ok(places == sorted(places), "findings are sorted by file, line, rule and function")
    ids = [f["id"] for f in report["findings"]]
    tap.ok(len(ids) == len(set(ids)), "ids are unique")


def check_text(run, report, tap):
    bad, warnings = [], []
    for line in run.out.splitlines():
        m = MESSAGE.fullmatch(line)
        if not m:
            bad.append(line)
        elif m[4] == "warning":
            warnings.append(line)
            if not re.search(r" \[[a-z-]+\]$", line):
                bad.append("no rule: " + line)
        # lower case, no full stop, after the quoted names
        if m and (m[5].endswith(".") or re.match(r"[A-Z](?![A-Z])", m[5])):
            bad.append("style: " + line)
    tap.ok(not bad, "every line is 'path:line:col: warning|note: text'", "\n".join(bad))
    tap.ok(len(warnings) == len(report["findings"]), "one warning for each finding")
    m = SUMMARY.search(run.err)
    tap.ok(m and int(m[1]) == len(report["findings"]), "the summary counts them", run.err)
    tap.ok("\033" not in run.out + run.err, "no colour where there is no terminal")


def make_tree(home):
    """A fixture, and functions of other kinds beside it."""
    files = dict(fixture.Case(os.path.join(fixture.FIXTURES, "missing-guard/fires.c")).files)
    files["include/linux/more.h"] = ("""#ifndef _LINUX_MORE_H
#define _LINUX_MORE_H
#include <linux/memcontrol.h>
extern struct folio *more_folio;
#ifdef CONFIG_MEMCG
void more_late(struct task_struct *task);
void more_outline(struct task_struct *task);
void __more_twice(struct task_struct *task);
void more_null(struct folio *folio);
static inline void more_twice(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;
	__more_twice(task);
}
#else
static inline void more_late(struct task_struct *task) { }
static inline void more_outline(struct task_struct *task) { }
static inline void more_twice(struct task_struct *task) { }
static inline void more_null(struct folio *folio) { }
#endif
#endif
""", None)
    files["mm/more.c"] = ("""#include <linux/more.h>

void more_late(struct task_struct *task)
{
	rcu_read_lock();
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(mem_cgroup_from_task(task), 1);
	rcu_read_unlock();
}

void more_outline(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;
	mem_cgroup_consume(mem_cgroup_from_task(task), 1);
}

void __more_twice(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;
	mem_cgroup_consume(mem_cgroup_from_task(task), 1);
}

void more_null(struct folio *folio)
{
	struct mem_cgroup *group = folio_memcg(folio);

	group->events[1]++;
}
""", "MEMCG")
    files["kernel/exit.c"] = ("""#include <linux/more.h>

void do_exit(long code)
{
	more_late(current);
	more_outline(current);
	more_twice(current);
	more_null(more_folio);
}
""", None)
    return nctest.make_tree(os.path.join(home, "tree"), files)


def check_ids(tree, report, cache, tap):
    """Ids do not follow lines, names of files, or what else is there."""
    path = os.path.join(tree, "mm/more.c")
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write("/* moved */\n" * 30 + text)
    moved = Run("check", tree, "--format", "json", cache=cache).json()
    tap.ok({f["id"] for f in moved["findings"]} == {f["id"] for f in report["findings"]},
           "ids stay when lines move")
    with open(path, "w") as f:
        f.write(re.sub(r"\bgroup\b", "owner", text))
    moved = Run("check", tree, "--format", "json", cache=cache).json()
    tap.ok({f["id"] for f in moved["findings"]} == {f["id"] for f in report["findings"]},
           "ids stay when a local is renamed")
    os.rename(path, os.path.join(tree, "mm/renamed.c"))
    makefile = os.path.join(tree, "mm/Makefile")
    with open(makefile) as f:
        lines = f.read()
    with open(makefile, "w") as f:
        f.write(lines.replace("more.o", "renamed.o"))
    moved = Run("check", tree, "--format", "json", cache=cache).json()
    tap.ok({f["id"] for f in moved["findings"]} == {f["id"] for f in report["findings"]},
           "ids stay when a file is renamed")


def check_options(tree, report, home, cache, tap):
    every = {(f["rule"], f["function"]) for f in report["findings"]}
    for rule in sorted({r for r, _ in every}):
        run = Run("check", tree, "--rule", rule, "--format", "json", cache=cache)
        got = {(f["rule"], f["function"]) for f in (run.json() or {"findings": []})["findings"]}
        tap.ok(got == {k for k in every if k[0] == rule}, f"--rule {rule}", run)
    run = Run("check", tree, "--rule", "late-guard", "--rule", "missing-guard", "--format", "json",
              cache=cache)
    got = {f["rule"] for f in run.json()["findings"]}
    tap.ok(got == {"late-guard", "missing-guard"}, "--rule twice")
    run = Run("check", tree, "--function", "more_late", "--format", "json", cache=cache)
    tap.ok({f["function"] for f in run.json()["findings"]} == {"more_late"}, "--function")
    rules = os.path.join(nctest.TOP, "rules/memcg.json")
    copy = os.path.join(home, "copy.json")
    shutil.copy(rules, copy)
    run = Run("check", tree, "--rules", rules, "--rules", copy, cache=cache)
    tap.ok(run.status == 2 and "copy.json" in run.err and not run.out,
           "--rules of one feature twice", run)
    config = os.path.join(home, "half.config")
    with open(config, "w") as f:
        f.write("# CONFIG_CGROUPS is not set\nCONFIG_MEMCG=y\n")
    run = Run("check", tree, "--config", config, cache=cache)
    tap.ok(run.status == 2 and "depends on" in run.err, "--config of an option that cannot be", run)
    run = Run("check", tree, "--exit-zero", cache=cache)
    tap.ok(run.status == 0, "--exit-zero", run)
    out = os.path.join(home, "out.json")
    run = Run("check", tree, "--format", "json", "-o", out, cache=cache)
    with open(out) as f:
        tap.ok(run.out == "" and json.load(f) == report, "-o FILE")
    run = Run("check", tree, "--baseline", out, "--format", "json", cache=cache)
    tap.ok(run.status == 0 and not run.json()["findings"], "--baseline of all: nothing new", run)
    with open(out) as f:
        less = json.load(f)
    gone = less["findings"].pop(0)
    with open(out, "w") as f:
        json.dump(less, f)
    run = Run("check", tree, "--baseline", out, "--format", "json", cache=cache)
    tap.ok(run.status == 1 and [f["id"] for f in run.json()["findings"]] == [gone["id"]],
           "--baseline without one: that one is new", run)
    run = Run("check", tree, "--baseline", out, cache=cache)
    m = SUMMARY.search(run.err)
    tap.ok(m and m[2] == "1", "--baseline: the summary tells how many are new", run.err)
    with open(out, "w") as f:
        f.write("{")
    run = Run("check", tree, "--baseline", out, cache=cache)
    tap.ok(run.status == 2 and "out.json" in run.err, "--baseline that is no JSON", run)
    run = Run("check", "--format", "json", tree, "--jobs", "2", cache=cache)
    tap.ok(run.json() == report, "options on both sides of the tree")
    run = Run("check", tree, "--format=json", cache=cache)
    tap.ok(run.json() == report, "--format=json")


def check_diff(tree, report, home, cache, tap):
    old, new = os.path.join(home, "old.json"), os.path.join(home, "new.json")
    with open(old, "w") as f:
        json.dump(report, f)
    changed = json.loads(json.dumps(report))
    gone = changed["findings"].pop(0)
    with open(new, "w") as f:
        json.dump(changed, f)
    run = Run("diff", old, old)
    tap.ok(run.status == 0, "diff of a file with itself", run)
    run = Run("diff", old, new)
    tap.ok(run.status == 0 and gone["function"] in run.out and "gone" in run.out, "diff: one is gone",
           f"{run}\n{run.out}")
    run = Run("diff", new, old)
    tap.ok(run.status == 1 and gone["function"] in run.out and "new" in run.out, "diff: one is new",
           f"{run}\n{run.out}")
    other = os.path.join(home, "other")
    shutil.copytree(tree, other)
    run = Run("diff", tree, other, cache=cache)
    tap.ok(run.status == 0, "diff of two trees that are the same", run)


def check_manual(tap):
    """Every option that a command tells of, and mandoc's own rules."""
    page = os.path.join(nctest.TOP, "output", "nocharge.1")
    with open(page) as file:
        text = file.read().replace("\\-", "-")
    bad = []
    for command in re.findall(r"^  nocharge (\w+)", Run("-h").out, re.M):
        told = set(re.findall(r"--[a-z][a-z-]+", Run(command, "-h").out))
        bad += [f"{command} {o}" for o in sorted(told) if not re.search(o + r"(?![a-z-])", text)]
        if not told and command not in ("doctor",):
            bad.append(f"{command} -h tells of no option")
    tap.ok(not bad, "the manual has every option", "\n".join(bad))
    if not shutil.which("mandoc"):
        tap.skip("the manual is well formed", "mandoc is not installed")
        return
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    tap.ok(done.returncode == 0, "the manual is well formed", done.stdout)


def main():
    tap = Tap()
    nctest.need_program()
    home = nctest.scratch("cli")
    cache = os.path.join(home, "cache")
    tree = make_tree(home)
    run = Run("check", tree, "--format", "json", cache=cache)
    report = run.json()
    if not tap.ok(run.status == 1 and report is not None, "check finds something", run):
        return tap.done()
    rules = {f["rule"] for f in report["findings"]}
    tap.ok({"missing-guard", "late-guard", "outline-guard", "redundant-guard",
            "null-when-disabled"} <= rules,
           "there is one of each kind", " ".join(sorted(rules)))
    check_schema(report, tap)
    text = Run("check", tree, cache=cache)
    tap.ok(text.status == 1, "as text: the same status", text)
    check_text(text, report, tap)
    quiet = Run("check", tree, env={"NO_COLOR": "1", "TERM": "xterm-256color"}, cache=cache)
    tap.ok(quiet.out == text.out, "NO_COLOR")
    check_options(tree, report, home, cache, tap)
    check_diff(tree, report, home, cache, tap)
    run = Run("list", tree, "--format", "json", cache=cache)
    tap.ok(run.json() and {e["name"] for e in run.json()["entry_points"]} >= {"more_late", "more_twice"},
           "list has the entry points", run)
    run = Run("list", tree, cache=cache)
    tap.ok(run.status == 0 and re.search(r"^late\s+more_late\s", run.out, re.M), "list as a table", run.out)
    run = Run("list", tree, "--rule", "late-guard", cache=cache)
    late = {f["function"] for f in report["findings"] if f["rule"] == "late-guard"}
    tap.ok(run.status == 0 and {line.split()[1] for line in run.out.splitlines()[1:]} == late,
           "list --rule: those that it has a finding on", run.out)
    for rule in RULES:
        run = Run("explain", rule)
        tap.ok(run.status == 0 and rule in run.out and len(run.out) > 300, f"explain {rule}", run)
    for name in ("more_late", "more_twice", "do_exit"):
        run = Run("explain", tree, name, cache=cache)
        tap.ok(run.status == 0 and name in run.out, f"explain TREE {name}", run)
    run = Run("explain", tree, "no_such_function", cache=cache)
    tap.ok(run.status == 2 and "no_such_function" in run.err, "explain TREE of nothing", run)
    run = Run("explain", "no-such-rule")
    tap.ok(run.status == 2 and "no-such-rule" in run.err, "explain of no rule", run)
    for command in ("check", "list", "explain", "diff", "cache", "doctor"):
        run = Run(command, "-h")
        tap.ok(run.status == 0 and run.out.startswith(f"nocharge {command}") and not run.err,
               f"{command} -h", run)
    run = Run("-h")
    tap.ok(run.status == 0 and "check" in run.out, "-h")
    check_manual(tap)
    run = Run("--version")
    tap.ok(run.status == 0 and re.fullmatch(r"nocharge \S+\n", run.out), "--version", run.out)
    run = Run("cache", "--size", cache=cache)
    tap.ok(run.status == 0 and re.match(r"[\d.]+ [kMG]?B", run.out), "cache --size", run.out)
    run = Run("cache", "--prune", cache=cache)
    files = sum(len(names) for _, _, names in os.walk(cache))
    tap.ok(run.status == 0 and files <= 1, "cache --prune", f"{files} files are left")
    absent = os.path.join(home, "absent")
    for option in ("--size", "--prune"):
        run = Run("cache", option, cache=absent)
        tap.ok(run.status == 0 and run.out.startswith("0.0 MB") and not os.path.exists(absent),
               f"cache {option} of none makes none", run)
    run = Run("doctor", cache=cache)
    tap.ok(run.status == 0 and "libclang" in run.out, "doctor", run.out)
    check_ids(tree, report, cache, tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
