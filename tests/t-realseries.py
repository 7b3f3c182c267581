#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The series for Debian's own kernels, with every proof.

kbuild and checkpatch.pl are the tree's own code: Debian's is trusted here. The
short run takes the patches of 6.1 that save most and one compiler; the long
one every patch of 6.1 and 6.12.
"""
import collections
import json
import os
import sys

import nctest
from nctest import LONG, Run, Tap

AUTHOR = "A Developer <developer@example.org>"
CHECKS = ["applies", "compiles", "builds", "style", "sparse", "same-when-on", "same-when-off",
          "clears", "order", "bisectable", "accounts", "defaults"]
# no patch of these kinds leaves the code as it is with the feature on
NO_SAME_CODE = {"static-key", "unguard", "charge-order"}
BOOTED = {"charge-after-flag", "root-work", "batch-break", "split-accounting"}
TOP, LEAST = 3, 2


def load(path):
    with open(path) as f:
        return json.load(f)


def left_alone(version, findings, series, tap):
    known = {f["id"]: f for f in findings["findings"]}
    cared = collections.Counter(i for p in series["patches"] for i in p["findings"])
    cared.update(entry["finding"] for entry in series["left"])
    tap.ok(set(cared) == set(known) and set(cared.values()) <= {1},
           f"{version}: each finding has a patch or is left alone, once",
           [known[i]["function"] for i in known if cared[i] != 1])
    tap.ok(all(entry["why"] and entry["place"] for entry in series["left"]),
           f"{version}: what is left alone says where and why")
    high = [i for i in known if known[i]["confidence"] == "high"]
    left = [entry for entry in series["left"] if entry["finding"] in high]
    tap.note(f"{version}: {len(left)} of {len(high)} high-confidence findings left alone")


def prove(version, series, proof, tap):
    kinds = {p["patch_id"]: p for p in series["patches"]}
    for patch in proof["patches"]:
        what = kinds[patch["patch_id"]]
        wrong = []
        for check in CHECKS:
            result = patch["checks"].get(check, {"result": "none"})
            fits = {"pass"}
            if check in ("same-when-on", "same-when-off") and what["kind"] in NO_SAME_CODE:
                fits = {"pass", "not-applicable"}
            # who is to change nothing with the feature on is proven by its code
            if check == "accounts" and not set(what["rules"]) & BOOTED:
                fits = {"not-applicable"}
            # no patch of a guard changes which state a kernel boots into
            if check == "defaults" or (check == "order" and what["kind"] != "charge-order"):
                fits = {"not-applicable"}
            if result["result"] not in fits:
                wrong.append(f"{check}: {result['result']}: {result.get('why')}")
        tap.ok(not wrong, f"{version}: {what['file']}: every proof", "\n".join(wrong))


def one(version, tree, tap):
    home, cache = nctest.scratch("realseries"), nctest.shared_cache()
    out, found = os.path.join(home, "series"), os.path.join(home, "findings.json")
    top = [] if LONG else ["--top", str(TOP)]
    compilers = [] if LONG else ["--cc", "gcc"]
    run = Run("fix", tree, "-o", out, "--author", AUTHOR, *top, cache=cache)
    if not tap.ok(run.status == 1, f"{version}: fix ends with 1, some findings are left alone", run):
        return
    series = load(os.path.join(out, "series.json"))
    tap.ok(len(series["patches"]) >= LEAST, f"{version}: {len(series['patches'])} patches")
    if LONG:
        Run("check", tree, "--format", "json", "-o", found, cache=cache)
        left_alone(version, load(found), series, tap)
    run = Run("prove", "--trust-tree", *compilers, out, tree, cache=cache, limit=7000)
    tap.ok(run.status == 0, f"{version}: prove ends with 0", run)
    proof = load(os.path.join(out, "proof.json"))
    tap.ok(len(proof["patches"]) == len(series["patches"]), f"{version}: a proof for each patch")
    prove(version, series, proof, tap)


def main():
    tap = Tap()
    nctest.need_program()
    for version in ["6.1", "6.12"]:
        if version != "6.1" and not LONG:
            tap.left_out(f"the series of {version}")
            continue
        tree, why = nctest.real_tree(version)
        if not tree:
            tap.skip(f"{version}: the tree", why)
            continue
        one(version, tree, tap)
    if not LONG:
        tap.left_out(f"all but {TOP} patches of the series of 6.1, and a second compiler")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
