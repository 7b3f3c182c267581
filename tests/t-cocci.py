#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The semantic patches. tests/cocci/PATCH/CASE.c says below its licence with
which words spatch is to run on it, and CASE.res what comes out; what must not
be touched stands beside what must be. On real trees each runs by itself, and
reports what is listed here and nothing else.

  tests/t-cocci.py --write [PATCH/CASE...]	write what comes out to CASE.res
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

import nctest
from nctest import Tap

PATCHES = os.path.join(nctest.TOP, "semantic-patches")
CASES = os.path.join(nctest.TESTS, "cocci")
MODES = ["patch", "context", "org", "report"]
# a file each that has a site, and all that is reported in it, by function
SITES = {
    "guard": {"6.1": ["folio_memcg_unlock"],
              "5.14": ["mem_cgroup_uncharge_swap", "unlock_page_memcg"]},
    "move-guard": {"6.1": ["folio_memcg_lock"], "5.14": ["lock_page_memcg"]},
    "unguard": {"6.1": ["mem_cgroup_swapin_uncharge_swap"],
                "5.14": ["mem_cgroup_swapin_uncharge_swap"]},
    "wrap": {"6.1": ["mem_cgroup_swapin_charge_folio"],
             "5.14": ["mem_cgroup_charge", "mem_cgroup_swapin_charge_page",
                      "mem_cgroup_try_charge_swap", "mem_cgroup_uncharge"]},
    "follow": {"6.1": ["mem_cgroup_swapin_charge_folio",
                       "mem_cgroup_swapin_uncharge_swap"],
               "5.14": ["mem_cgroup_charge", "mem_cgroup_swapin_charge_page"]},
    "guard-call": {"6.1": ["mem_cgroup_css_online"], "5.14": ["exit_mm"]},
    "guard-compare": {"6.1": ["folio_matches_lruvec"], "5.14": ["page_matches_lruvec"]},
    "static-key": {"6.1": ["cgroup_memory_nokmem", "cgroup_memory_nosocket"],
                   "5.14": ["cgroup_memory_nokmem", "cgroup_memory_nosocket",
                            "cgroup_memory_noswap"]},
    "root-work": {"6.1": ["mem_cgroup_update_tree"],
                  "5.14": ["mem_cgroup_update_tree"]},
    # both have done away with theirs
    "batch-break": {"6.1": [], "5.14": []},
    "split-accounting": {"6.1": [], "5.14": []},
    "charge-order": {"6.1": ["mcopy_atomic_pte"], "5.14": ["mcopy_atomic_pte"]},
}
ELSEWHERE = {("guard-compare", "6.1"): "include/linux/memcontrol.h",
             ("guard-compare", "5.14"): "include/linux/memcontrol.h",
             ("guard-call", "5.14"): "kernel/exit.c",
             ("charge-order", "6.1"): "mm/userfaultfd.c",
             ("charge-order", "5.14"): "mm/userfaultfd.c",
             ("batch-break", "6.1"): "mm/mmu_gather.c",
             ("batch-break", "5.14"): "mm/swap_state.c",
             ("split-accounting", "6.1"): "mm/page-writeback.c",
             ("split-accounting", "5.14"): "mm/page-writeback.c"}


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def options(name):
    """As coccicheck takes them: of each line, the last word counts."""
    return re.findall(r"\S+", " ".join(re.findall(
        r"^// Options:(.*)", read(os.path.join(PATCHES, name + ".cocci")), re.M)))


def spatch(name, *words, cwd=None):
    run = subprocess.run(["spatch", "--very-quiet", "--sp-file",
                          os.path.join(PATCHES, name + ".cocci"), *options(name), *words],
                         cwd=cwd, stdin=subprocess.DEVNULL, text=True,
                         capture_output=True, timeout=600)
    wrong = [line for line in run.stderr.splitlines()
             if line.strip() and not line.startswith("warning:")]
    return run.stdout, "\n".join(wrong)


def result_of(case, scratch):
    """What comes out, and what spatch complained of."""
    words = re.search(r"^/\* spatch: (.*) \*/\n", read(case), re.M)
    name = os.path.basename(os.path.dirname(case))
    words = [w.replace("\\n", "\n").replace("\\t", "\t") for w in shlex.split(words[1])]
    copy = os.path.join(scratch, "case.c")
    shutil.copy(case, copy)
    _, wrong = spatch(name, *words, "--in-place", copy)
    return read(copy), wrong


def function_at(path, line):
    """The function, or else the variable, whose text a line belongs to."""
    lines = read(path).split("\n")
    variable = re.match(r"(?:static |extern )?bool (\w+)", lines[line - 1])
    if variable:
        return variable[1]
    for text in reversed(lines[:line]):
        found = re.match(r"[A-Za-z_][^;=]*?\b(\w+)\(", text)
        if found and not text.endswith(";"):
            return found[1]
    return None


def shared(text, start, end):
    """A stretch that more than one of them has, and nothing of whom it is for."""
    found = re.search(re.escape(start) + r".*?(?=" + end + ")", text, re.S)
    return found and re.sub(r"named && def|named", "", found[0]).replace("inner", "fn")


def check_heads(tap):
    for name in SITES:
        text = read(os.path.join(PATCHES, name + ".cocci"))
        lines = text.split("\n")
        bad = [what for what, good in {
            "the licence": lines[0].startswith("// SPDX-License-Identifier:"),
            "what it is for": lines[1].startswith("/// "),
            "its confidence": re.search(r"^// Confidence: (High|Moderate|Low)$", text, re.M),
            "its options": re.search(r"^// Options: ", text, re.M),
            "its modes": all(f"\nvirtual {mode}\n" in text for mode in MODES + ["named"]),
        }.items() if not good]
        tap.ok(not bad, f"{name}.cocci has a head that coccicheck reads", "\n".join(bad))


def check_shared(tap):
    """What stands in several of them is one text."""
    stretches = [("def width(", r"\n\n(?:def|@)"),
                 ("identifier assert =~", r"\n\n(?:// ---|@)"),
                 ("(\n  if (unlikely(!predicate())) {", r"\n\n@"),
                 ("// nothing jumps there any more", r"\n\n(?:// ---|@depends on named@\nidentifier text)"),
                 ("def works(e):", r"\n\ndef width")]
    for start, end in stretches:
        texts = {name: shared(read(os.path.join(PATCHES, name + ".cocci")), start, end)
                 for name in SITES}
        have = {name: text for name, text in texts.items() if text}
        tap.ok(len(have) > 1 and len(set(have.values())) == 1,
               f"{', '.join(have)} have one text of '{start.split(chr(10))[-1].strip()}'")


def check_cases(tap, scratch):
    kinds = set()
    for case in sorted(glob.glob(os.path.join(CASES, "*", "*.c"))):
        name = os.path.relpath(case, CASES)[:-2]
        head = read(case).split("\n")[1]
        kinds.add((name.split("/")[0], "named" if "-D named" in head else "patch"))
        out, wrong = result_of(case, scratch)
        want = read(case[:-2] + ".res")
        tap.ok(out == want and not wrong, f"{name}: spatch writes what is wanted",
               wrong or diff(want, out))
        tap.ok(want != read(case), f"{name}: something changes")
    missing = [f"{name} {kind}" for name in SITES for kind in ("named", "patch")
               if (name, kind) not in kinds]
    tap.ok(not missing, "each has a case with names and one without", "\n".join(missing))


def diff(want, out):
    import difflib
    return "\n".join(difflib.unified_diff(want.split("\n"), out.split("\n"),
                                          "wanted", "written", lineterm=""))


def check_tree(tap, version, scratch):
    tree, why = nctest.real_tree(version)
    if not tree:
        tap.skip(f"what each finds in {version}", why)
        return
    for name, sites in SITES.items():
        path = ELSEWHERE.get((name, version), "mm/memcontrol.c")
        include = ["-I", "include", "-I", "arch/x86/include"]
        out, wrong = spatch(name, "-D", "report", "--no-show-diff", *include, path, cwd=tree)
        found = [re.match(r"(\S+?):(\d+):", line) for line in out.splitlines()]
        names = sorted({function_at(os.path.join(tree, m[1]), int(m[2]))
                        for m in found if m})
        tap.ok(names == sites[version] and not wrong,
               f"{name} by itself finds {', '.join(sites[version]) or 'nothing'} in {version}, "
               "and nothing else", f"{wrong}\n{out}")
    for mode, mark in (("org", "* TODO "), ("context", "\n-"), ("patch", "\n+")):
        out, wrong = spatch("guard-call", "-D", mode, "mm/memcontrol.c", cwd=tree)
        tap.ok((mark in out or version != "6.1") and not wrong,
               f"guard-call runs on {version} in mode {mode}", wrong or out)


def main():
    scratch = nctest.scratch("cocci")
    if sys.argv[1:2] == ["--write"]:
        for case in sorted(glob.glob(os.path.join(CASES, "*", "*.c"))):
            if not sys.argv[2:] or os.path.relpath(case, CASES)[:-2] in sys.argv[2:]:
                out, wrong = result_of(case, scratch)
                print(wrong, end="")
                nctest.write(case[:-2] + ".res", out)
        return 0
    tap = Tap()
    if not shutil.which("spatch"):
        tap.skip("semantic patches", "spatch is not installed")
        return tap.done()
    check_heads(tap)
    check_shared(tap)
    check_cases(tap, scratch)
    for version in ("6.1", "5.14"):
        check_tree(tap, version, scratch)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
