# SPDX-License-Identifier: GPL-2.0-only
"""
Tables of findings that someone has looked at: tests/reviewed/TREE.tsv with a
head line and the columns rule, function, verdict, why. The verdict is "right",
"wrong" (the tool errs; the finding is known and wanted to go) or "unsure".
"""
import os

import nctest

HEAD = ["rule", "function", "verdict", "why"]
VERDICTS = ("right", "wrong", "unsure")


def path_of(version):
    return os.path.join(nctest.TESTS, "reviewed", version + ".tsv")


def load(version):
    """({(rule, function): (verdict, why)}, problems)"""
    table, problems = {}, []
    try:
        with open(path_of(version)) as f:
            lines = f.read().splitlines()
    except FileNotFoundError:
        return {}, []
    if not lines or lines[0].split("\t") != HEAD:
        return {}, [f"the first line is not '{' '.join(HEAD)}'"]
    for number, line in enumerate(lines[1:], 2):
        words = line.split("\t")
        if len(words) != 4 or words[2] not in VERDICTS or not words[3].strip():
            problems.append(f"line {number}: {line}")
        elif (words[0], words[1]) in table:
            problems.append(f"line {number}: twice: {line}")
        else:
            table[words[0], words[1]] = (words[2], words[3])
    return table, problems


def compare(report, table, known):
    """
    Findings in no table, and lines of the table without a finding. @known
    are functions that a table of classified functions judges.
    """
    own = {(f["rule"], f["function"]) for f in report["findings"]}
    missing = sorted(k for k in own if k not in table and k[1] not in known)
    return missing, sorted(k for k in table if k not in own)
