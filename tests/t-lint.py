#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What a lint of changes relies on: a baseline that survives what does not change
the code, and SARIF that is valid and says what the JSON says.
"""
import difflib
import json
import os
import shutil
import subprocess
import sys
import tarfile

import linttree
import nctest
from nctest import Run, Tap

# where the schema is, and what holds a file against it
SCHEMA = ("@microsoft/jest-sarif@1.0.0-beta.0", "lib/schemas/sarif-2.1.0-rtm.5.json")
AJV = ["ajv@8.17.1", "ajv-draft-04@1.0.0", "ajv-formats@3.0.1"]
VALIDATE = """
const Ajv = require("ajv-draft-04"), fs = require("fs");
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
require("ajv-formats")(ajv);
const read = (path) => JSON.parse(fs.readFileSync(path));
const valid = ajv.compile(read(process.argv[2]));
let bad = 0;
for (const path of process.argv.slice(3))
	if (!valid(read(path))) {
		bad = 1;
		console.log(path + ": " + ajv.errorsText(valid.errors));
	}
process.exit(bad);
"""


def check_baseline(home, cache, tap):
    tree = linttree.make(os.path.join(home, "baseline"))
    old = os.path.join(home, "baseline.json")
    run = Run("check", tree, "--format", "json", "-o", old, cache=cache)
    tap.ok(run.status == 1, "the tree has a finding", run)
    found = ["check", tree, "--baseline", old, "--stale", "--format", "json"]
    linttree.edit(tree, "mm/lint.c", linttree.LATE, "/* moved */\n" * 9 + linttree.LATE.replace(
        "\trcu_read_lock();\n", "    rcu_read_lock(\n        );\n\n").replace("\n\tif", "\n        if"))
    run = Run(*found, cache=cache)
    tap.ok(run.status == 0 and run.json()["findings"] == run.json()["stale"] == [],
           "a baseline survives moved lines and other indentation", run)
    os.rename(os.path.join(tree, "mm/lint.c"), os.path.join(tree, "mm/renamed.c"))
    linttree.edit(tree, "mm/Makefile", "lint.o", "renamed.o")
    run = Run(*found, cache=cache)
    tap.ok(run.status == 0 and run.json()["findings"] == run.json()["stale"] == [],
           "a baseline survives another name of the file", run)
    linttree.edit(tree, "mm/renamed.c", "\tif (mem_cgroup_disabled())\n\t\treturn;\n", "")
    linttree.edit(tree, "kernel/exit.c", "}", "\tlint_good(current);\n}")
    run = Run(*found, cache=cache)
    tap.ok(run.status == 1 and [f["covers"] for f in run.json()["findings"]] == [["lint_good"]],
           "what is new is told", run)
    nctest.write(os.path.join(tree, "mm/renamed.c"), linttree.UNIT.replace(linttree.LATE, """
void lint_late(struct task_struct *task)
{
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(mem_cgroup_from_task(task), 1);
}
"""))
    run = Run("check", tree, "--baseline", old, "--rule", "late-guard", cache=cache)
    tap.ok(run.status == 0 and not run.out, "an entry that is fixed fails nobody", run)
    run = Run("check", tree, "--baseline", old, "--rule", "late-guard", "--stale", cache=cache)
    tap.ok(run.status == 0 and "lint_late" in run.out and "no more" in run.out + run.err
           and "1 of the baseline no more" in run.err, "--stale tells it", f"{run}\n{run.out}")
    for more, what in ((["--rule", "missing-guard"], "rule"), (["--function", "lint_good"], "function")):
        run = Run("check", tree, "--baseline", old, "--stale", "--format", "json", *more, cache=cache)
        tap.ok(run.json()["stale"] == [], f"--stale with another {what} does not", run)
    run = Run("check", tree, "--stale", cache=cache)
    tap.ok(run.status == 2 and "--baseline" in run.err, "--stale alone is refused", run)


# where a comment is put, what it says, how many findings it allows and what is wrong with it
ALLOWED = [
    ("above", "/* nocharge: allow late-guard: so it is */\nvoid lint_late(", 1, []),
    ("above, with others between", "/*\n * nocharge: allow late-guard, missing-guard: so\n * it is\n */\n"
     "/* { ; */\nvoid\nlint_late(", 1, []),
    ("behind", "void /* nocharge: allow late-guard: so it is */ lint_late(", 1, []),
    ("of C++'s kind", "// nocharge: allow late-guard: so it is\nvoid lint_late(", 1, []),
    ("without a reason", "/* nocharge: allow late-guard */\nvoid lint_late(", 0, ["no reason"]),
    ("with an empty one", "/* nocharge: allow late-guard: */\nvoid lint_late(", 0, ["no reason"]),
    ("without a rule", "/* nocharge: allow */\nvoid lint_late(", 0, ["no rule"]),
    ("of no rule", "/* nocharge: allow late: so it is */\nvoid lint_late(", 0, ["'late'"]),
    ("of another rule", "/* nocharge: allow missing-guard: so it is */\nvoid lint_late(", 0, ["no such finding"]),
    ("too far above", "/* nocharge: allow late-guard: so it is */\nextern int x;\nvoid lint_late(", 0,
     ["no such finding"]),
    ("in a string", "char *x = \"/* nocharge: allow late-guard: so it is */\"; void lint_late(", 0, []),
]


def check_allowed(home, cache, tap, files):
    tree = linttree.make(os.path.join(home, "allowed"))
    for where, text, allowed, problems in ALLOWED:
        nctest.write(os.path.join(tree, "mm/lint.c"), linttree.UNIT.replace("void lint_late(", text))
        run = Run("check", tree, "--format", "json", cache=cache)
        report = run.json() or {}
        told = [f["message"] for f in report.get("suppressions", [])]
        tap.ok(run.status == (0 if allowed else 1) and len(report["suppressed"]) == allowed
               and len(report["findings"]) == 1 - allowed and len(told) == len(problems)
               and all(p in t for p, t in zip(problems, told)), f"a comment {where}", f"{run}\n{told}")
    nctest.write(os.path.join(tree, "mm/lint.c"), linttree.UNIT.replace(
        "void lint_late(", ALLOWED[0][1]).replace("void lint_good(", ALLOWED[8][1].replace("late(", "good(")))
    run = Run("check", tree, cache=cache)
    tap.ok(run.status == 1 and "allowed by mm/lint.c:3 (so it is)" in run.out and "[suppression]" in run.out
           and "1 allowed, 1 bad suppression" in run.err, "as text: what is allowed and why", f"{run}\n{run.out}")
    found = os.path.join(home, "allowed.json")
    Run("check", tree, "--format", "json", "-o", found, cache=cache)
    run = Run("report", found)
    tap.ok(run.status == 1 and "allowed by mm/lint.c:3 (so it is)" in run.out and "[suppression]" in run.out,
           "report: the same", f"{run}\n{run.out}")
    files.append(os.path.join(home, "allowed.sarif"))
    run = Run("check", tree, "--format", "sarif", "-o", files[-1], cache=cache)
    with open(files[-1]) as f:
        have = [(r["ruleId"], r.get("suppressions", [{}])[0].get("justification"))
                for r in json.load(f)["runs"][0]["results"]]
    tap.ok(have == [("suppression", None), ("late-guard", "so it is")], "as SARIF: a suppression", have)
    run = Run("check", tree, "--rule", "late-guard", cache=cache)
    tap.ok(run.status == 0, "a comment for a rule that does not run is not told", run)
    run = Run("check", tree, "--baseline", found, cache=cache)
    tap.ok(run.status == 0 and not run.out.count("warning:"), "a baseline has bad comments too", f"{run}\n{run.out}")


def results(run):
    """By the name of the function."""
    log = run.json()
    return {r["locations"][0]["logicalLocations"][0]["name"]: r for r in log["runs"][0]["results"]
            if "logicalLocations" in r["locations"][0]} if log else {}


def apply_fix(tree, fix):
    """The texts of the files that this fix changes, after it."""
    out = {}
    for change in fix["artifactChanges"]:
        path = change["artifactLocation"]["uri"]
        lines = linttree.read(tree, path).splitlines(keepends=True)
        for r in sorted(change["replacements"], key=lambda r: -r["deletedRegion"]["startLine"]):
            region = r["deletedRegion"]
            lines[region["startLine"] - 1:region["endLine"] - 1] = [r.get("insertedContent", {}).get("text", "")]
        out[path] = "".join(lines)
    return out


def diff_texts(path, old, new):
    return f"diff --git a/{path} b/{path}\n" + "".join(difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}"))


def check_fixes(home, tree, found, tap, files):
    """Three patches of one file: one, one further down, and one of what the first put there."""
    with open(found) as f:
        ids = [f["id"] for f in json.load(f)["findings"]]
    series, path = os.path.join(home, "series"), "mm/lint.c"
    first = linttree.read(tree, path)
    texts = [first, first.replace("\trcu_read_lock();\n", "\tif (0)\n\t\treturn;\n\trcu_read_lock();\n")]
    texts += [texts[1].replace("\trcu_read_unlock();\n", "").replace("task), 2)", "task), 3)")]
    texts += [texts[2].replace("if (0)", "if (1)")]
    patches = [diff_texts(path, *texts[n:n + 2]) for n in range(3)]
    listed = []
    for n, patch in enumerate(patches):
        nctest.write(os.path.join(series, f"{n}.patch"), f"Subject: [PATCH] x\n\ny\n---\n\n{patch}-- \n2.39\n")
        listed.append({"file": f"{n}.patch", "subject": "x", "patch_id": str(n), "findings": ids[n:n + 1]})
    # the last patch is of a finding that is made up
    with open(found) as f:
        report = json.load(f)
    report["findings"].append(dict(report["findings"][0], id="2"))
    listed[2]["findings"] = ["2"]
    report["findings"].append(dict(report["findings"][0], id="3"))
    nctest.write(os.path.join(series, "series.json"), json.dumps({
        "schema": "nocharge-series-1", "patches": listed, "left": [{"finding": "3", "why": "too dear"}]}))
    nctest.write(found, json.dumps(report))
    out = os.path.join(home, "series.sarif")
    run = Run("report", found, "--series", series, "--format", "sarif", "-o", out)
    files.append(out)
    with open(out) as f:
        result = {r["partialFingerprints"]["nochargeId/v1"]: r for r in json.load(f)["runs"][0]["results"]}
    have = [result[i]["properties"].get("patch") for i in (*ids[:2], "2", "3")]
    tap.ok(len(ids) == 2 and have == ["0.patch", "1.patch", "2.patch", None]
           and result["3"]["properties"]["left"] == "too dear", "report --series: which patch, or why none", have)
    wrong = []
    for n in range(2):
        alone = os.path.join(home, "alone")
        shutil.rmtree(alone, ignore_errors=True)
        nctest.write(os.path.join(alone, path), first)
        subprocess.run(["git", "apply", "-"], input=patches[n], text=True, cwd=alone, check=True)
        fixes = result[ids[n]].get("fixes")
        if not fixes or apply_fix(tree, fixes[0]) != {path: linttree.read(alone, path)}:
            wrong.append(f"{n}: {fixes}")
    tap.ok(not wrong, "a fix does to the tree what its patch does alone", "\n".join(wrong))
    tap.ok("fixes" not in result["2"], "a patch that needs another one is no fix", result["2"])


def check_github(home, cache, tap, files):
    """More findings than GitHub takes, and steps."""
    why = [{"file": "mm/a b.c", "line": n, "text": f"step {n}"} for n in range(1, 131)]
    finding = {"rule": "missing-guard", "subsystem": "mm", "function": "f", "file": "mm/a b.c", "line": 1,
               "column": 1, "confidence": "high", "hot": [], "message": "m", "covers": []}
    report = {"schema": "nocharge-findings-1", "findings": [
        dict(finding, id=f"{n:016x}", severity="high" if n > 5000 else "low", why=why if n == 1 else [])
        for n in range(5003)]}
    report["suppressed"] = [dict(finding, id="s", why=[], allowed={"reason": "r", "file": "mm/a b.c", "line": 3})]
    path = os.path.join(home, "many.json")
    with open(path, "w") as f:
        json.dump(report, f)
    run = Run("report", path, "--format", "sarif", "--sarif-profile", "github", cache=cache)
    only = run.json()["runs"][0]
    told = " ".join(n["message"]["text"] for n in only["invocations"][0]["toolExecutionNotifications"])
    tap.ok(len(only["results"]) == 5000 and only["results"][0]["properties"]["severity"] == "high"
           and "3 results more" in told, "for GitHub: the gravest, and how many were left out", told)
    tap.ok(max(len(r.get("relatedLocations", [])) for r in only["results"]) == 100 and "first 100 steps" in told,
           "for GitHub: no more steps than it shows", told)
    tap.ok("suppressions" not in run.out and "primaryLocationLineHash" not in run.out,
           "for GitHub: nothing suppressed, no hash of its own")
    tap.ok(only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "mm/a%20b.c",
           "a path is a URI")
    small = os.path.join(home, "github.sarif")
    only["results"] = only["results"][:9]
    with open(small, "w") as f:
        json.dump({"version": "2.1.0", "runs": [only]}, f)
    files.append(small)
    run = Run("check", home, "--sarif-profile", "github", cache=cache)
    tap.ok(run.status == 2 and "--format sarif" in run.err, "--sarif-profile needs --format sarif", run)
    run = Run("check", home, "--format", "sarif", "--sarif-profile", "other", cache=cache)
    tap.ok(run.status == 2 and "'other'" in run.err, "a SARIF profile that is none", run)


def check_sarif(home, cache, tap):
    tree = linttree.make(os.path.join(home, "sarif"))
    linttree.edit(tree, "mm/lint.c", "\tif (mem_cgroup_disabled())\n\t\treturn;\n", "")
    linttree.edit(tree, "kernel/exit.c", "lint_late(current)", "lint_late(current);\n\tlint_good(current)")
    found, files = os.path.join(home, "found.json"), [os.path.join(home, "check.sarif")]
    Run("check", tree, "--format", "json", "-o", found, cache=cache)
    with open(found) as f:
        report = json.load(f)
    run = Run("check", tree, "--format", "sarif", cache=cache)
    nctest.write(files[0], run.out)
    have = results(run)
    tap.ok(run.status == 1 and set(have) == {f["function"] for f in report["findings"]},
           "a result for each finding", run)
    wrong = []
    for f in report["findings"]:
        r = have.get(f["function"], {})
        place = r["locations"][0]["physicalLocation"]
        flow = [(w["location"]["physicalLocation"]["artifactLocation"]["uri"], w["location"]["message"]["text"])
                for w in r["codeFlows"][0]["threadFlows"][0]["locations"]]
        if (r["ruleId"], r["message"]["text"], r["partialFingerprints"]["nochargeId/v1"],
                place["artifactLocation"]["uri"], place["region"]["startLine"], place["region"]["endColumn"],
                flow, len(r["relatedLocations"])) != (
                f["rule"], f["message"], f["id"], f["file"], f["line"], f["end_column"],
                [(w["file"], w["text"]) for w in f["why"]], len(f["why"])):
            wrong.append(json.dumps(r))
        rule = run.json()["runs"][0]["tool"]["driver"]["rules"][r["ruleIndex"]]
        if rule["id"] != f["rule"] or len(rule["help"]["text"]) < 300:
            wrong.append(rule["id"])
    tap.ok(not wrong, "a result says what the finding says, with its rule's help", "\n".join(wrong))
    again = Run("report", found, "--format", "sarif")
    tap.ok(again.status == 1 and again.json() == run.json(), "report makes the same of the file", again)
    empty = os.path.join(home, "empty.json")
    with open(empty, "w") as f:
        json.dump(dict(report, findings=report["findings"][:1]), f)
    run = Run("diff", empty, found, "--format", "sarif")
    nctest.write(os.path.join(home, "diff.sarif"), run.out)
    files.append(os.path.join(home, "diff.sarif"))
    states = sorted(r["baselineState"] for r in run.json()["runs"][0]["results"])
    tap.ok(run.status == 1 and states == ["new"] * (len(states) - 1) + ["unchanged"], "diff: what is new", states)
    run = Run("diff", found, empty, "--format", "sarif")
    tap.ok(run.status == 0 and "absent" in run.out, "diff: what is gone", run)
    linttree.edit(tree, "kernel/exit.c", "}", "\tnothing_declares_it->x = 1;\n}")
    run = Run("check", tree, "--format", "sarif", cache=cache)
    nctest.write(os.path.join(home, "part.sarif"), run.out)
    files.append(os.path.join(home, "part.sarif"))
    how = run.json()["runs"][0]["invocations"][0]
    told = [n for n in how["toolExecutionNotifications"] if n["descriptor"]["id"] == "not-analysed"]
    tap.ok(run.status == 3 and told and not how["executionSuccessful"]
           and told[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "kernel/exit.c",
           "what was not analysed is a notification", run)
    linttree.edit(tree, "kernel/exit.c", "\tnothing_declares_it->x = 1;\n", "")
    check_fixes(home, tree, found, tap, files)
    check_github(home, cache, tap, files)
    return files


def check_schema(home, files, tap):
    """Nothing of the schema is kept: it is fetched, or the test says that it was not run."""
    what = "SARIF is valid against the schema"
    where = os.path.join(home, "npm")
    os.makedirs(where)
    quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", f"--cache={where}/cache"]
    try:
        subprocess.run(["npm", "pack", *quiet, SCHEMA[0]], cwd=where, check=True, timeout=120, capture_output=True)
        subprocess.run(["npm", "install", *quiet, *AJV], cwd=where, check=True, timeout=120, capture_output=True)
    except (OSError, subprocess.SubprocessError) as e:
        tap.skip(what, f"not-run: npm did not give schema and validator ({e})")
        return
    pack = next(f for f in os.listdir(where) if f.endswith(".tgz"))
    schema, script = os.path.join(where, "schema.json"), os.path.join(where, "validate.js")
    with tarfile.open(os.path.join(where, pack)) as tar, open(schema, "wb") as out:
        shutil.copyfileobj(tar.extractfile("package/" + SCHEMA[1]), out)
    nctest.write(script, VALIDATE)
    done = subprocess.run(["node", script, schema, *files], text=True, capture_output=True)
    tap.ok(done.returncode == 0, what, done.stdout + done.stderr)
    bad = os.path.join(home, "bad.sarif")
    with open(files[0]) as f:
        nctest.write(bad, f.read().replace('"ruleIndex"', '"ruleNumber"'))
    done = subprocess.run(["node", script, schema, bad], text=True, capture_output=True)
    tap.ok(done.returncode == 1 and "additional properties" in done.stdout, "and what is not valid is seen", done.stdout + done.stderr)


def main():
    tap = Tap()
    nctest.need_program()
    home = nctest.scratch("lint")
    cache = os.path.join(home, "cache")
    check_baseline(home, cache, tap)
    files = check_sarif(home, cache, tap)
    check_allowed(home, cache, tap, files)
    check_schema(home, files, tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
