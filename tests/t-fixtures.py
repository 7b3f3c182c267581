#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The fixtures: small trees whose expectations stand in their first comment.

  tests/t-fixtures.py [--keep DIR] [--list] [RULE[/CASE]...]

A case is tests/fixtures/RULE/CASE.c. Its lines "/* file: PATH */" or
"/* file: PATH if OPTION */" begin a file that is laid over a copy of
tests/fixtures/base; a .c file is added to its Makefile. The comment before
the first of them holds

  expect: RULE FUNCTION       a finding of its own
  covered: RULE FUNCTION      in the covers of a finding of the rule
  either: RULE FUNCTION       one of the two
  also: RULE FUNCTION         allowed, not asked for
  at-most: LEVEL RULE FUNCTION  none, or one of at most this confidence
  quiet: RULE FUNCTION        neither; RULE and FUNCTION may be '*'
  state: FUNCTION=STATE       of the entry point; several with '|'; '-': it is none
  stub: FUNCTION=TEXT         likewise; off_returns: and kind: too
  line: RULE FUNCTION TEXT    the finding's line holds TEXT
  message: RULE FUNCTION TEXT its message does
  with: OPTION=VALUE ...      what follows holds for another configuration
  needs: RULE                 skipped while the program has no such rule
  shape: KERNEL FUNCTION      where it is cut down from

Every finding that no line asks for or allows is a failure.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import re
import shutil
import sys

import nctest
from fixture import FIXTURES, Case, all_cases
from nctest import RULES, Run, Tap

LEVELS = ["low", "medium", "high"]
KINDS = ["fires", "quiet", "fixed", "config", "macro"]
TRAPS = 16


def config_of(tree, changes):
    """The whole configuration of the base tree, with @changes, as a .config."""
    with open(os.path.join(FIXTURES, "config")) as f:
        lines = dict(line.rstrip("\n").split("=", 1) for line in f
                     if "=" in line and not line.startswith("#"))
    for change in changes:
        name, _, value = change.partition("=")
        if value == "n":
            lines.pop("CONFIG_" + name, None)
        else:
            lines["CONFIG_" + name] = value
    path = tree + ".config"
    with open(path, "w") as f:
        f.writelines(f"{k}={v}\n" for k, v in lines.items())
        # an option that a .config does not name takes its default
        f.writelines(f"# CONFIG_{c[:-2]} is not set\n" for c in changes if c.endswith("=n"))
    return path


def judge(expected, report):
    """(word, words) -> list of (good, text, why) for one configuration."""
    own, covered = nctest.findings_by_rule(report)
    entry = {e["name"]: e for e in report.get("entry_points", [])}
    allowed, results = set(), []
    for word, args in expected:
        text = f"{word} {' '.join(args)}"
        why = None
        if word in ("expect", "covered", "either", "also"):
            pair = tuple(args)
            allowed.add(pair)
            good = {"expect": pair in own, "covered": pair in covered,
                    "either": pair in own | covered, "also": True}[word]
            why = f"findings of '{args[1]}': " + (", ".join(sorted(
                r for r, f in own | covered if f == args[1])) or "none")
            if word == "also":
                continue
        elif word == "at-most":
            pair = tuple(args[1:])
            allowed.add(pair)
            got = [f["confidence"] for f in report["findings"]
                   if (f["rule"], f["function"]) == pair]
            good = all(LEVELS.index(c) <= LEVELS.index(args[0]) for c in got)
            why = f"confidence {', '.join(got)}"
        elif word == "quiet":
            hit = [f"{r} {f}" for r, f in sorted(own | covered)
                   if args[0] in ("*", r) and args[1] in ("*", f)]
            good, why = not hit, "; ".join(hit)
        elif word == "line":
            got = [f for f in report["findings"]
                   if (f["rule"], f["function"]) == tuple(args[:2])]
            lines = [source_line(report, f) for f in got]
            good, why = any(args[2] in line for line in lines), "; ".join(lines)
        elif word == "message":
            got = [f["message"] for f in report["findings"]
                   if (f["rule"], f["function"]) == tuple(args[:2])]
            good, why = any(args[2] in one for one in got), "; ".join(got)
        else:
            name, value = args
            got = entry[name].get(word) if name in entry else "-"
            good = got in value.split("|")
            why = f"'{name}' has {word} '{got}'" if name in entry else f"'{name}' is no entry point"
        results.append((good, text, why))
    stray = sorted(f"{f['rule']} {f['function']} ({f['file']}:{f['line']}: {f['message']})"
                   for f in report["findings"]
                   if (f["rule"], f["function"]) not in allowed)
    results.append((not stray, "nothing else", "\n".join(stray)))
    return results


def source_line(report, finding):
    with open(os.path.join(report["_tree"], finding["file"])) as f:
        lines = f.read().splitlines()
    return lines[finding["line"] - 1].strip() if finding["line"] <= len(lines) else "(no such line)"


def check(case, home, keep):
    """Run one case; a list of results for the parent to print."""
    tree = os.path.join(home, case.name.replace("/", "+"))
    results = []
    nctest.make_tree(tree, case.files)
    for changes, expected in case.runs:
        if not expected and changes == [] and len(case.runs) > 1:
            continue
        label = case.name + (f" with {' '.join(changes)}" if changes else "")
        args = ["check", tree, "--format", "json", "--jobs", "1"]
        if changes:
            args += ["--config", config_of(tree, changes)]
        run = Run(*args, cache=os.path.join(home, "cache"), limit=300)
        report = run.json()
        if run.status not in (0, 1) or report is None:
            results.append((False, f"{label}: analysed", skipped_of(report) + str(run)))
            if report is None:
                continue
        report["_tree"] = tree
        want = 1 if report["findings"] else 0
        if run.status in (0, 1):
            results.append((run.status == want, f"{label}: exit status", str(run)))
        results += [(good, f"{label}: {text}", why) for good, text, why in judge(expected, report)]
    if not keep:
        shutil.rmtree(tree)
    return results


def skipped_of(report):
    if not report:
        return ""
    return "".join(f"skipped {s['file']} {s['function']}: {s['why']}\n"
                   for s in report["coverage"]["skipped"])


def complete(cases, tap):
    """A rule without one of its cases is a failure, and so is a trap."""
    names = {c.name for c in cases}
    # what it is about is not in C code only: t-default.py has trees of its own
    for rule in [r for r in RULES if r != "default-on"]:
        for kind in KINDS:
            tap.ok(f"{rule}/{kind}" in names, f"{rule} has a case '{kind}'")
        kernels = {s for c in cases if c.name.startswith(rule + "/") for s in c.shapes}
        tap.ok(len(kernels) >= 3, f"{rule} has shapes of three kernels",
               f"has {', '.join(sorted(kernels)) or 'none'}")
    for trap in range(1, TRAPS + 1):
        tap.ok(any(n.startswith(f"traps/{trap:02}-") for n in names), f"trap {trap} has a case")


def known_rules():
    checks = os.path.join(nctest.TOP, "analyzer", "checks")
    return {re.sub("_", "-", f[:-2]) for f in os.listdir(checks) if f.endswith(".c")}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", metavar="DIR", help="leave the trees in DIR")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("case", nargs="*")
    args = parser.parse_args()
    cases = all_cases()
    tap = Tap()
    chosen = [c for c in cases if not args.case or any(
        fnmatch.fnmatch(c.name, n) or c.name.startswith(n + "/") for n in args.case)]
    if args.list:
        print("\n".join(c.name for c in chosen))
        return 0
    if not args.case:
        complete(cases, tap)
    nctest.need_program()
    home = args.keep or nctest.scratch("fixtures")
    os.makedirs(home, exist_ok=True)
    have = known_rules()
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        waiting = []
        for case in chosen:
            for problem in case.problems:
                tap.ok(False, f"{case.name}: {problem}")
            missing = [r for r in case.needs if r not in have]
            if missing:
                tap.skip(case.name, f"there is no rule '{missing[0]}' yet")
                continue
            if args.keep:
                shutil.rmtree(os.path.join(home, case.name.replace("/", "+")), ignore_errors=True)
            waiting.append(pool.submit(check, case, home, bool(args.keep)))
        for one in waiting:
            for good, text, why in one.result():
                tap.ok(good, text, why)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
