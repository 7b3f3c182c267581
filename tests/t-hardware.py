#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
measure --hardware, what it does on this machine and names what it cannot; and
measure --compare, on results whose differences are known. Nothing here hangs
on how long anything takes.
"""
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys

import nctest
from nctest import Run, Tap

# needs nothing but memory
ALWAYS = {"anon-fault", "unmap", "shmem-fault", "file-fault", "write", "copy-on-write", "fork", "exec", "exit",
          "open-close", "pipe", "socket-pair", "mmap", "truncate"}
QUICK = ("--runs", "2", "--seconds", "0.001")


def of_machine(tap, home):
    out = os.path.join(home, "out.json")
    env = {"TMPDIR": home}
    run = Run("measure", "--hardware", *QUICK, "--processes", "3", "-o", out, env=env, limit=600)
    if not tap.ok(run.status in (0, 3), "this machine is timed", run):
        return
    with open(out) as f:
        got = json.load(f)
    tap.ok(got["schema"] == "nocharge-hardware-1" and got["runs"] == 2 and got["seconds"] == 0.001,
           "the result says how it was got", got["runs"])
    tap.ok(got["machine"]["kernel"] == os.uname().release and got["machine"]["processors"] >= 1
           and "command_line" in got["machine"], "and of what", got["machine"])
    tap.ok(0 <= got["others_percent"] <= 100, "and who else was at work", got.get("others_percent"))
    operations, not_done = got["operations"], {d["operation"] for d in got["not_done"]}
    tap.ok(ALWAYS <= operations.keys(), "what needs memory only is done", not_done)
    with open(os.path.join(nctest.TOP, "rules/boot/operations")) as f:
        every = {line.split("\t")[0] for line in f if line.strip() and line[0] != "#"}
    tap.ok(operations.keys() | not_done == every, "every operation is done or named", not_done)
    tap.ok(all(d["why"] for d in got["not_done"]) and (run.status == 3) == bool(not_done), "and why, in the status too",
           got["not_done"])
    tap.ok(all(d["operation"] in run.err and d["why"] in run.err for d in got["not_done"]), "and on standard error", run)
    bad = [(name, n) for name, steps in operations.items() for n, step in steps.items()
           if len(step["runs"]) != 2 or not math.isclose(step["mean"], statistics.mean(step["runs"]), abs_tol=0.2)
           or not math.isclose(step["deviation"], statistics.stdev(step["runs"]), abs_tol=0.2) or step["mean"] <= 0]
    tap.ok(not bad, "mean and deviation are those of the runs", bad)
    tap.ok(all(list(operations[name]) == ["1", "2", "3"] for name in ALWAYS), "1, 2, and so many processes",
           operations["pipe"])
    tap.ok("anonymous fault" in run.out and run.out.count("Hmean ") >= len(ALWAYS), "a table is printed", run.out)
    tap.ok(os.listdir(home) == ["out.json"], "nothing is left behind", os.listdir(home))
    with open("/proc/swaps") as f:
        swap = len(f.readlines()) > 1
    if not swap:
        tap.ok({"swap-out", "swap-in"} <= not_done and "no swap is on" in run.err, "without swap none is made", run)

    run = Run("measure", "--hardware", *QUICK, "--processes", "1", "--only", "pipe", "--only", "fork", env=env)
    got = run.json()
    tap.ok(run.status == 0 and got and set(got["operations"]) == {"pipe", "fork"} and
           list(got["operations"]["pipe"]) == ["1"], "two of them, to standard output", run)
    memory = "/dev/shm"
    if os.path.isdir(memory) and shutil.which("stat") and "tmpfs" in subprocess.run(
            ["stat", "-f", "-c", "%T", memory], text=True, capture_output=True).stdout:
        run = Run("measure", "--hardware", *QUICK, "--only", "refault", env={"TMPDIR": memory})
        tap.ok(run.status == 3 and "a disk: " in run.err and not run.json()["operations"],
               "no disk is no number", run)
    for args, said in ((("--only", "nothing"), "there is no 'nothing'"), (("--seconds", "x"), "-s takes seconds"),
                       (("--seconds", "0"), "-s takes seconds"), (("--processes", "1000"), "-p takes a number"),
                       (("--processes", "0"), "is not a number"), (("--runs", "100"), "-r takes a number")):
        run = Run("measure", "--hardware", *args, env=env)
        tap.ok(run.status == 2 and said in run.err, f"what is none: {' '.join(args)}", run)
    run = Run("measure", "--hardware", "--only", "pipe", *QUICK, "-o", os.path.join(home, "no/where"), env=env)
    tap.ok(run.status == 2 and "no/where" in run.err and "timing" not in run.err, "a file that cannot be", run)
    run = Run("measure", "--hardware", "--only", "pipe", *QUICK, env=dict(env, **nctest.path_without(home, "gcc")))
    tap.ok(run.status == 2 and "gcc" in run.err, "without a compiler", run)
    for args, said in ((("tree",), "one argument too many"), (("--compare",), "exclude each other"),
                       (("--base", "x"), "of --compare"), (("--ends",), "of what boots kernels"),
                       (("--trust-tree",), "of what boots kernels"), (("--config", "x"), "of what boots kernels")):
        run = Run("measure", "--hardware", *args, env=env)
        tap.ok(run.status == 2 and said in run.err, f"not with {args[0]}", run)
    if not os.geteuid() and shutil.which("setpriv"):
        # a folder that is somebody's, with a program that everybody may read
        mine = nctest.scratch("nobody")
        os.chmod(mine, 0o777)
        program = os.path.join(mine, "operations")
        sources = [os.path.join(at, f) for at in ("output/hardware", "output/measure", "output/guest")
                   for f in os.listdir(os.path.join(nctest.TOP, at)) if f.endswith(".c") and f != "init.c"]
        done = subprocess.run(["gcc", "-D_GNU_SOURCE", "-O1", "-static", "-o", program, *(
            os.path.join(nctest.TOP, os.path.relpath(s)) for s in sources), "-lm"], cwd=nctest.TOP,
            text=True, capture_output=True)
        tap.ok(not done.returncode, "it is a program by itself", done.stderr)
        done = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", program, "-r", "1",
                               "-s", "0.001", "-p", "1", "-d", mine, *sorted(ALWAYS)], text=True, capture_output=True)
        tap.ok(not done.returncode and set(json.loads(done.stdout)["operations"]) == ALWAYS, "without privilege",
               f"{done.returncode} {done.stderr}")


def result(operations, **machine):
    return json.dumps({"schema": "nocharge-hardware-1", "machine": {
        "kernel": "6.12", "architecture": "x86_64", "processors": 4, "processor": "Some", **machine}, "runs": 3,
        "seconds": 1, "operations": {op: {n: {"runs": runs} for n, runs in steps.items()}
                                     for op, steps in operations.items()}, "not_done": []})


def student(t, freedom):
    """The two-sided probability, by Simpson's rule over an angle: no series, and not that of the program."""
    start, steps = math.atan(abs(t) / math.sqrt(freedom)), 20000
    width = (math.pi / 2 - start) / steps
    total = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * math.cos(start + i * width) ** (freedom - 1)
                if i < steps else 0 ** (freedom - 1) for i in range(steps + 1)) * width / 3
    return 2 * total * math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)


def welch(a, b):
    va, vb = statistics.variance(a) / len(a), statistics.variance(b) / len(b)
    t = (statistics.mean(a) - statistics.mean(b)) / math.sqrt(va + vb)
    return student(t, (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1)))


OUT = {"anon-fault": {"1": [1000, 1010, 990, 1005, 995], "2": [1900, 1910, 1890, 1880, 1920]},
       "pipe": {"1": [500, 700, 400, 600, 550]}}
OFF = {"anon-fault": {"1": [940, 950, 930, 945, 935], "2": [1895, 1925, 1880, 1890, 1905]},
       "pipe": {"1": [480, 720, 390, 560, 610]}}


def side_by_side(tap, home):
    def path(name):
        return os.path.join(home, name)

    def compare(*args):
        return Run("measure", "--compare", *args)

    nctest.write(path("out.json"), result(OUT))
    nctest.write(path("off.json"), result(OFF))
    run = compare(path("out.json"), path("off.json"))
    tap.ok(run.status == 0 and not run.err, "two results are compared", run)
    tap.ok(re.search(r"Mean +1 +1000\.0 \+- 0\.8% \( +0\.00%\) +940\.0 \+- 0\.8% \* +-6\.00%\*", run.out),
           "per cent of the first, with what scatters", run.out)
    tap.ok(re.search(r"Mean +2 +1900\.0 .* 1899\.0 +\+- 0\.9% +-0\.05% *$", run.out, re.M), "what is noise has no mark",
           run.out)
    tap.ok("Welch's t test" in run.out and "Of 4 comparisons 0.2 would have it by chance" in run.out,
           "the test is named", run.out)
    run = compare("--format", "json", path("out.json"), path("off.json"))
    got = run.json()
    rows = {(r["operation"], r.get("processes", r.get("mean"))): r["values"] for r in got["rows"]}
    tap.ok(len(rows) == 4 and got["base"] == "out", "as JSON", run.out)
    for (op, n), values in rows.items():
        one, two = OUT[op], OFF[op]
        if n == "harmonic":
            a, b = ([statistics.harmonic_mean(r) for r in zip(*x.values())] for x in (one, two))
        else:
            a, b = one[str(n)], two[str(n)]
        p = welch(a, b)
        tap.ok(math.isclose(values["off"]["p"], p, rel_tol=1e-4, abs_tol=1e-12)
               and math.isclose(values["off"]["mean"], statistics.mean(b))
               and values["off"]["difference"] == ("yes" if p < 0.05 else "noise"), f"{op}, {n}: the test is right",
               f"{p} {values}")
    run = compare("--base", path("off.json"), path("out.json"), path("off.json"))
    tap.ok(re.search(r"940\.0 .*\( +0\.00%\) +1000\.0 .*\* +\+6\.38%\*", run.out), "over the one that is named", run.out)
    nctest.write(path("on.json"), result({"anon-fault": {"1": [800, 810]}}, processor="Other", controllers={"a": "off"}))
    run = compare(path("out.json"), path("off.json"), path("on.json"))
    tap.ok(run.status == 3 and "not compared: on has no anon-fault, 2 at once" in run.err
           and "not compared: on has no pipe, 1 at once" in run.err, "what is missing is named", run)
    tap.ok("on is of another machine than out: x86_64, 4 of Other, and not" in run.err and "6.12, 'a' is off" in run.out,
           "and what may not be comparable", run)
    tap.ok("  Hmean" not in run.out, "a mean is over what all have", run.out)
    nctest.write(path("busy.json"), json.dumps(dict(json.loads(result(OFF)), others_percent=40)))
    run = compare(path("out.json"), path("busy.json"))
    tap.ok(run.status == 0 and "busy: others had 40 % of the processors" in run.err, "a machine that was busy", run)
    nctest.write(path("one.json"), result({"anon-fault": {"1": [800]}}))
    run = compare("--format", "json", path("one.json"), path("one.json"))
    tap.ok(run.status == 2 and "is one result" in run.err, "one result twice", run)
    nctest.write(path("two.json"), result({"anon-fault": {"1": [900]}}))
    run = compare("--format", "json", path("one.json"), path("two.json"))
    tap.ok(run.json()["rows"][0]["values"]["two"]["difference"] == "unknown" and "1 of them cannot be judged" in
           compare(path("one.json"), path("two.json")).out, "a single run cannot be judged", run.out)
    nctest.write(path("same.json"), result({"pipe": {"1": [5, 5, 5]}}))
    nctest.write(path("more.json"), result({"pipe": {"1": [6, 6, 6]}}))
    nctest.write(path("again.json"), result({"pipe": {"1": [5, 5]}}))
    values = compare("--format", "json", path("same.json"), path("more.json"), path("again.json")).json()["rows"][0][
        "values"]
    tap.ok((values["more"]["difference"], values["again"]["difference"]) == ("yes", "noise"), "what does not scatter",
           values)
    folder = path("b")
    os.mkdir(folder)
    shutil.copy(path("off.json"), os.path.join(folder, "out.json"))
    run = compare(path("out.json"), os.path.join(folder, "out.json"))
    tap.ok(os.path.basename(home) + "/out: " in run.out and "\nb/out: " in run.out, "two files of one name", run.out)
    run = compare(path("out.json"), path("off.json"), "-o", path("told"))
    tap.ok(run.status == 0 and not run.out and "Hmean" in open(path("told")).read(), "-o", run)

    counts = {"schema": "nocharge-measure-1", "operations": {
        "anon-fault": {"out": 1000, "off": 1050, "off+1": 1030, "off+2": 1000.5, "on": 1200, "on+all": 1200}},
        "functions": {}}
    nctest.write(path("c.json"), json.dumps(counts))
    run = compare(path("c.json"))
    tap.ok(run.status == 0 and re.search(r"1000\.0 +\( +0\.00%\) +1050\.0 +\* +\+5\.00%\* +1000\.5 +\+0\.05% +1200\.0",
                                         run.out) and "no time" in run.out, "the states of a measure.json", run)
    counts["operations"]["anon-fault"] = {"out": 990, "off": 1000}
    nctest.write(path("d.json"), json.dumps(counts))
    run = compare("--format", "json", path("d.json"), path("c.json"))
    tap.ok([c["label"] for c in run.json()["columns"]][:4] == ["d:out", "d:off", "c:out", "c:off"]
           and run.json()["rows"][0]["values"]["c:off"]["difference"] == "yes", "of two files", run.out)
    run = compare(path("c.json"), path("out.json"))
    tap.ok(run.status == 2 and "cannot be compared" in run.err, "instructions and rates are not compared", run)

    for text, said in (("{", "bad.json"), ("{}", "this is no nocharge-hardware-1"),
                       (result({"pipe": {"0": [1]}}), "a number of processes"),
                       (result({"pipe": {"x": [1]}}), "a number of processes"),
                       (result({"pipe": {"1": []}}), "there is no 'runs'"), (result({"pipe": {"1": [0]}}), "a rate"),
                       (result({"pipe": {"1": ["x"]}}), "a rate"),
                       (result({}).replace('"operations": {}', '"operations": []'), "there is no 'operations'")):
        nctest.write(path("bad.json"), text)
        run = compare(path("bad.json"), path("bad.json"))
        tap.ok(run.status == 2 and said in run.err and "bad.json" in run.err, f"what is none: {said}", run)
    nctest.write(path("bad.json"), result({}))
    nctest.write(path("worse.json"), result({}))
    run = compare(path("bad.json"), path("worse.json"))
    tap.ok(run.status == 2 and "there is nothing in" in run.err, "results without any", run)
    run = compare(path("none.json"), path("out.json"))
    tap.ok(run.status == 2 and "none.json" in run.err, "a file that is not there", run)
    run = compare()
    tap.ok(run.status == 2 and "two results" in run.err, "no file", run)
    run = compare("--runs", "3", path("out.json"), path("off.json"))
    tap.ok(run.status == 2 and "of --hardware" in run.err, "options of the other", run)


def main():
    tap = Tap()
    nctest.need_program()
    if shutil.which("gcc"):
        of_machine(tap, nctest.scratch("hardware"))
    else:
        tap.skip("this machine", "gcc is not installed")
    side_by_side(tap, nctest.scratch("compare"))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
