#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# long
"""Changes made to Debian's kernels: those that spoil a guard must be found,
those that change nothing must change nothing.

  tests/t-mutate.py [--seed N] [--tree VERSION] [--kind KIND] [--list] [-v]

Every guarded function on a hot path gets one mutant for each kind that its
text allows: its guard taken away (missing), moved below the first work
(late), its inline test moved out of line (outline), a second test in what it
calls (redundant), a guard that the rest relies on taken away (null); the
predicate made a plain load (dynamic), once. A flag write that has a barrier
goes above the charge of its page (order), and others change places with their
neighbours, which nobody reports. Mutants that do not meet share a
copy; one that is not found there by its rule is tried again alone. A mutant
that leaves nothing to find, though its text says so, stands in
tests/mutants-equivalent.tsv with the reason. The short run makes a sample of
6 on one tree.
"""
import argparse
import csv
import os
import random
import shutil
import sys

import mutants
import nctest
from mutants import NEUTRAL, Site
from nctest import LONG, Run, Tap

PREDICATE = "mem_cgroup_disabled"
HOME = "mm/memcontrol.c"
FOLDERS = ["mm", "include", "fs", "kernel", "net", "block", "drivers", "arch/x86", "ipc",
           "security", "io_uring", "lib"]
# guards without which a group or a map that is none is followed: read in both
LOAD_BEARING = {
    "6.1": ["mem_cgroup_get_nr_swap_pages", "__count_memcg_events", "mem_cgroup_id",
            "mem_cgroup_calculate_protection", "mem_cgroup_swapin_charge_folio"],
    "6.12": ["mem_cgroup_get_nr_swap_pages", "__count_memcg_events", "mem_cgroup_id",
             "mem_cgroup_calculate_protection", "mem_cgroup_uncharge_swap"],
}
# how many there are to be; a tree that has fewer says so
FLAGS_MOVED = 20
KINDS = ["missing", "late", "outline", "redundant", "null", "dynamic"]
TARGET = 0.95
NEUTRAL_EDITS = 50
BATCH = 10


class Tree:
    def __init__(self, version, cache, tap, verbose):
        self.version, self.tap, self.verbose = version, tap, verbose
        self.tree, why = nctest.real_tree(version)
        if not self.tree:
            tap.skip(f"{version}: mutants", why)
            return
        self.cache = cache
        # beside the original: hard links do not leave a file system
        self.place = os.path.join(os.path.dirname(self.tree), f".mutants-{version}-{os.getpid()}")
        self.runs = 0
        self.base, _ = self.check(self.tree)
        self.entries = self.list_entries()

    def run(self, *args):
        self.runs += 1
        return Run(*args, cache=self.cache, limit=3600)

    def check(self, tree):
        run = self.run("check", tree, "--format", "json")
        report = run.json()
        if run.status not in (0, 1) or report is None:
            what = ""
            if report:
                what = "\n".join(f"{s['file']} {s['function']}: {s['why']}"
                                 for s in report["coverage"]["skipped"][:10])
            return None, f"{run}\n{what}"
        return report, None

    def list_entries(self):
        run = self.run("list", self.tree, "--format", "json")
        report = run.json()
        return report["entry_points"] if report else []

    def sites(self):
        found = []
        for e in self.entries:
            if e["state"] not in ("guarded-inline", "guarded-outline") or not e["hot"]:
                continue
            path = (e.get("defined") or "").rpartition(":")[0]
            if path and os.path.isfile(os.path.join(self.tree, path)):
                site = Site(self.tree, path, e["name"], PREDICATE)
                if site.fn:
                    found.append(site)
        return found

    def make(self, sites):
        out = []
        for site in sites:
            for m in (mutants.missing(site, self.guarded), mutants.late(site),
                      mutants.outline(site, HOME)):
                if m:
                    out.append(m)
        out += self.second_tests(sites)
        for site in sites:
            if site.name in LOAD_BEARING[self.version]:
                out.append(mutants.null(site))
        m = mutants.dynamic(self.tree, PREDICATE)
        if m:
            out.append(m)
        own, covered = nctest.findings_by_rule(self.base)
        return [m for m in out if m.anywhere or not m.accept <= own | covered]

    def guarded(self, name):
        """Has the function @name a test of its own, where it is defined?"""
        path = next((e.get("defined") or "" for e in self.entries if e["name"] == name), "")
        path = path.rpartition(":")[0]
        return bool(path) and Site(self.tree, path, name, PREDICATE).fn is not None

    def second_tests(self, sites):
        pairs = []
        for site in sites:
            if site.guard is not None:
                rest = site.stmts[site.guard].end
                pairs += [(site, name) for name in set(site.calls(rest, site.fn.end))]
        where = mutants.call_sites(self.tree, {n for _, n in pairs}, FOLDERS)
        defined = {e["name"]: e.get("defined") or "" for e in self.entries}
        out, done = [], set()
        for site, name in sorted(pairs, key=lambda p: (p[1], p[0].name)):
            path = defined.get(name, "").rpartition(":")[0]
            if len(where.get(name, [])) != 1 or name in done or not path.endswith(".c"):
                continue
            callee = Callee(self.tree, path, name)
            if callee.fn and PREDICATE not in callee.body:
                done.add(name)
                out.append(mutants.redundant(site, callee))
        return out

    def judge(self, m, report, alone):
        """2: found, 1: found as another rule, 0: not."""
        new = set.union(*nctest.findings_by_rule(report)) - \
            set.union(*nctest.findings_by_rule(self.base))
        if any(rule == m.anywhere for rule, _ in new):
            return 2
        if m.accept & new:
            return 2
        # what is new with no other mutant in the copy is this one's doing
        return 1 if m.also & new or alone and new else 0

    def try_all(self, todo):
        """{mutant: 0..2}"""
        copy = mutants.Copy(self.tree, self.place)
        results = {}
        try:
            # a changed header costs a whole run: those share copies
            todo = sorted(todo, key=lambda m: not m.in_header())
            for group in mutants.batches(todo, BATCH):
                for m, got in self.try_group(copy, group).items():
                    results[m] = got
                again = [m for m in group if results[m] < 2 and len(group) > 1]
                for m in again:
                    results[m] = self.try_group(copy, [m])[m]
        finally:
            shutil.rmtree(self.place, ignore_errors=True)
        return results

    def try_group(self, copy, group):
        copy.apply(group)
        report, problem = self.check(self.place)
        copy.restore()
        if report is None:
            if len(group) == 1:
                self.tap.ok(False, f"{self.version}: {group[0]} can be analysed", problem)
            got = dict.fromkeys(group, 0)
        else:
            got = {m: self.judge(m, report, len(group) == 1) for m in group}
        if self.verbose:
            self.tap.note("  ".join(f"{m}: {got[m]}" for m in group))
            if report and len(group) == 1 and not got[group[0]]:
                new = nctest.findings_by_rule(report)[0] - nctest.findings_by_rule(self.base)[0]
                self.tap.note(f"{group[0]}: new: {sorted(new)}")
            elif problem:
                self.tap.note(problem)
        return got

    def neutral(self, sites, rng, count):
        pool = [m for make in NEUTRAL for m in (make(s) for s in sites) if m]
        rng.shuffle(pool)
        self.unchanged(pool[:count], "changes of nothing")
        self.tap.ok(len(pool) >= count, f"{self.version}: {count} changes of nothing can be made",
                    f"only {len(pool)}")

    def unchanged(self, chosen, what):
        copy = mutants.Copy(self.tree, self.place)
        noisy = []
        try:
            for group in mutants.batches(chosen, 25):
                changed = self.same(copy, group)
                if changed:
                    # whose fault is it?
                    for m in group:
                        one = self.same(copy, [m])
                        if one:
                            noisy.append(f"{m}: {one}")
        finally:
            shutil.rmtree(self.place, ignore_errors=True)
        good = len(chosen) - len(noisy)
        self.tap.ok(not noisy, f"{self.version}: {good} of {len(chosen)} {what} change nothing",
                    "\n".join(noisy))

    def order(self, rng, count, same):
        """Flag writes above their charges, and others that may go where they like."""
        own, _ = nctest.findings_by_rule(self.base)
        # a file that is not looked at shows nothing
        looked = {line.split("\t")[1] for line in self.run("flags", self.tree).out.splitlines()}
        charged, harmless = ([m for m in make(self.tree, ["mm", "fs", "kernel"])
                              if m.edits[0].path in looked and not m.accept & own and
                              (self.version, m.kind, m.function) not in same]
                             for make in (mutants.flag_first, mutants.flag_elsewhere))
        for pool in (charged, harmless):
            rng.shuffle(pool)
        few = [f"{len(pool)} {what}" for pool, what in
               ((charged, "flag writes behind a charge"), (harmless, "others that can move"))
               if len(pool) < FLAGS_MOVED]
        if few:
            self.tap.note(f"{self.version}: the tree has no more than {' and '.join(few)}")
        # those that move before those that are repeated
        charged.sort(key=lambda m: -len(m.edits))
        results = self.try_all(charged[:count])
        report_kind(self, "order", results, self.tap)
        self.unchanged(harmless[:count], "reorderings that are harmless")

    def same(self, copy, group):
        copy.apply(group)
        report, problem = self.check(self.place)
        copy.restore()
        if report is None:
            return problem
        now = nctest.findings_by_rule(report)[0]
        base = nctest.findings_by_rule(self.base)[0]
        return "; ".join([f"new {r} {f}" for r, f in sorted(now - base)] +
                         [f"gone {r} {f}" for r, f in sorted(base - now)])


class Callee(Site):
    """A function without a test: the first definition of its name."""

    def __init__(self, tree, path, name):
        super().__init__(tree, path, name, PREDICATE)
        import csource
        self.fn = next((f for f in csource.functions(self.text, self.masked) if f.name == name), None)
        self.body = self.masked[self.fn.body:self.fn.end] if self.fn else ""


def equivalents():
    """{(tree, kind, function): why}"""
    try:
        with open(os.path.join(nctest.TESTS, "mutants-equivalent.tsv"), newline="") as f:
            rows = csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
            return {(r["tree"], r["kind"], r["function"]): r["why"] for r in rows}
    except FileNotFoundError:
        return {}


def sample(todo, rng, count):
    """
    @count of them, every kind among them that needs no run of its own; and of
    those that do, one.
    """
    by_kind = {}
    for m in todo:
        if not m.alone:
            by_kind.setdefault(m.kind, []).append(m)
    by_kind["null"] = [m for m in todo if m.kind == "null"][:1]
    for pool in by_kind.values():
        rng.shuffle(pool)
    chosen = []
    while len(chosen) < count and any(by_kind.values()):
        for kind in KINDS:
            if by_kind.get(kind) and len(chosen) < count:
                chosen.append(by_kind[kind].pop())
    return chosen


def report_kind(t, kind, results, tap):
    of = {m: got for m, got in results.items() if m.kind == kind}
    if not of:
        tap.ok(False, f"{t.version}: there are mutants of kind {kind}")
        return
    found = sum(got == 2 for got in of.values())
    lost = "\n".join(f"{m}{': by another rule' if got else ''}"
                     for m, got in of.items() if got < 2)
    good = found >= TARGET * len(of)
    tap.ok(good, f"{t.version}: {kind}: {found} of {len(of)} found by the rule that they ask for",
           "not found:\n" + lost)
    if lost and good:
        tap.note("not found:\n" + lost)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("NOCHARGE_SEED", "1")))
    parser.add_argument("--tree", action="append")
    parser.add_argument("--kind", action="append")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    tap = Tap()
    nctest.need_program()
    cache = nctest.shared_cache()
    versions = args.tree or (["6.1", "6.12"] if LONG else ["6.1"])
    whole = LONG or args.tree or args.kind
    tap.note(f"seed {args.seed}")
    same = equivalents()
    for version in versions:
        rng = random.Random(args.seed)
        t = Tree(version, cache, tap, args.verbose)
        if not t.tree:
            continue
        if not tap.ok(t.base is not None, f"{version}: the tree as it is"):
            continue
        sites = t.sites()
        todo = t.make(sites)
        left = [m for m in todo if (version, m.kind, m.function) in same]
        for m in left:
            tap.note(f"leaves nothing to find: {m}: {same[version, m.kind, m.function]}")
        todo = [m for m in todo if m not in left]
        rng.shuffle(todo)
        if args.kind:
            todo = [m for m in todo if m.kind in args.kind]
        if args.list:
            print("\n".join(sorted(map(str, todo))))
            continue
        if not whole:
            everything = len(todo)
            todo = sample(todo, rng, 6)
            tap.left_out(f"{everything - len(todo)} of {everything} mutants of {version}, all of 6.12,"
                         f" and {NEUTRAL_EDITS - 8} of {NEUTRAL_EDITS} changes of nothing")
        results = t.try_all(todo)
        for kind in [k for k in args.kind or KINDS if k != "order"]:
            if whole or any(m.kind == kind for m in results):
                report_kind(t, kind, results, tap)
        if not args.kind or "order" in args.kind:
            t.order(rng, FLAGS_MOVED if whole else 3, same)
        if not args.kind:
            t.neutral(sites, rng, NEUTRAL_EDITS if whole else 8)
        tap.note(f"{version}: {len(sites)} guarded functions, {t.runs} runs")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
