#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
fix --rule default-on on trees of our own that keep the state in each of the
three ways, and what its patches say there; trees that have what it would add;
and where its entries go in files that are no C.
"""
import json
import os
import re
import sys

import nctest
from nctest import Run, Tap

AUTHOR = "A Thor <a.thor@example.org>"
DOCUMENT = """	cgroup_disable= [KNL] Disable a controller
			Format: {name}

	cgroup_zap=	[KNL] Comes later
			in the alphabet
"""
KEY = ("			cgroup_disable_mask |= 1 << i;\n",
       "			static_branch_disable(cgroup_subsys_enabled_key[i]);\n")
FIELD = (KEY[0], "			cgroup_subsys[i]->disabled = 1;\n")
HANDLER = """static int __init cgroup_set_enabled(char *str, bool enable)
{
	int i;

	for (i = 0; i < CGROUP_SUBSYS_COUNT; i++)
		if (cgroup_subsys[i]->name == str) {
%s		}
	return 1;
}

static int __init cgroup_disable(char *str)
{
	return cgroup_set_enabled(str, false);
}
__setup("cgroup_disable=", cgroup_disable);

static int __init cgroup_enable(char *str)
{
	return cgroup_set_enabled(str, true);
}
__setup("cgroup_enable=", cgroup_enable);
"""
BOTH = """			if (enable)
				%s;
			else
				%s;
"""
OPTION = re.compile(r"""config MEMCG
	bool "Memory groups"

config MEMCG_DEFAULT_DISABLED
	bool "[^"]+"
	depends on MEMCG
	help
(	  .*\n|\n)+
config MEMCG_KMEM
""")
ENTRY = """			Format: {name}

	cgroup_enable=	[KNL] Enable a particular controller
			Format: {name of the controller(s) to enable}
			The opposite of cgroup_disable=, for what that takes.
			Where both name a controller, the last one on the
			command line wins.

	cgroup_zap=	[KNL] Comes later
"""


def change(tree, path, *edits):
    full = os.path.join(tree, path)
    text = open(full).read()
    for old, new in edits:
        assert old in text, (path, old)
        text = text.replace(old, new, 1)
    nctest.write(full, text)


def plain(home, name):
    tree = nctest.make_tree(os.path.join(home, name))
    # as in kernels, where the statement stands in braces
    change(tree, "kernel/cgroup.c", ("->name == str)", "->name == str) {"),
           ("|= 1 << i;\n", "|= 1 << i;\n		}\n"))
    nctest.write(os.path.join(tree, "Documentation/admin-guide/kernel-parameters.txt"), DOCUMENT)
    return tree


def by_key(home, name="key"):
    tree = plain(home, name)
    change(tree, "kernel/cgroup.c", KEY)
    change(tree, "include/linux/cgroup.h", (
        "void __css_get(", "int cgroup_init_early(void);\nint cgroup_init(void);\n\nvoid __css_get("),
        ("#endif /* CONFIG_CGROUPS */",
         "#else\nstatic inline int cgroup_init_early(void) { return 0; }\n#endif /* CONFIG_CGROUPS */"))
    change(tree, "init/main.c", ("int cgroup_init(void);\n", "void parse_early_param(void);\n"), (
        "	cgroup_init();\n", "	cgroup_init_early();\n	parse_early_param();\n	cgroup_init();\n"))
    return tree


def by_field(home):
    tree = plain(home, "field")
    change(tree, "kernel/cgroup.c", FIELD)
    change(tree, "include/linux/cgroup-defs.h", ("struct cgroup_subsys {\n",
                                                 "struct cgroup_subsys {\n	int disabled;\n"))
    change(tree, "include/linux/memcontrol.h", ("return !cgroup_subsys_enabled(memory_cgrp_subsys);",
                                                "return memory_cgrp_subsys.disabled;"))
    return tree


def fix(tree, home, *args, cache):
    out = os.path.join(home, "series-" + os.path.basename(tree))
    run = Run("fix", "--rule", "default-on", "--author", AUTHOR, *args, tree, "-o", out,
              cache=cache, env={"SOURCE_DATE_EPOCH": "1000000000", "GIT_CONFIG_GLOBAL": "/dev/null"})
    return run, out


def applied(tree, out):
    """The tree's files after the series."""
    names = sorted(f for f in os.listdir(out) if re.match(r"000[1-9].*\.patch", f))
    for name in names:
        if os.system(f"git apply --directory='{os.path.relpath(tree, '/')}' --unsafe-paths "
                     f"'{os.path.join(out, name)}' 2>/dev/null || "
                     f"patch -s -p1 -d '{tree}' < '{os.path.join(out, name)}'"):
            return None
    return lambda path: open(os.path.join(tree, path)).read()


def check_tree(tap, tree, home, cache, body, state):
    name = os.path.basename(tree)
    run, out = fix(tree, home, cache=cache)
    if not tap.ok(run.status == 0, f"{name}: two patches, nothing is left alone", run):
        return
    series = json.load(open(os.path.join(out, "series.json")))
    tap.ok([p["kind"] for p in series["patches"]] == ["boot-parameter", "default-off"] and
           all(p["rules"] == ["default-on"] for p in series["patches"]),
           f"{name}: first the parameter, then the option", json.dumps(series, indent=1))
    proof = Run("prove", "--cc", "gcc", out, tree, cache=cache)
    results = {c: [p["checks"][c]["result"] for p in json.load(open(os.path.join(
        out, "proof.json")))["patches"]] for c in ("applies", "compiles", "bisectable", "clears",
                                                   "same-when-on", "same-when-off", "defaults")}
    tap.ok(results == {"applies": ["pass"] * 2, "compiles": ["pass"] * 2,
                       "bisectable": ["pass"] * 2, "clears": ["pass"] * 2,
                       "same-when-on": ["not-applicable"] * 2,
                       "same-when-off": ["not-applicable"] * 2, "defaults": ["not-run"] * 2},
           f"{name}: what can be proven without a kernel is", f"{results}\n{proof}")
    text = applied(tree, out)
    if not tap.ok(text is not None, f"{name}: the patches apply"):
        return
    tap.ok(HANDLER % body in text("kernel/cgroup.c"), f"{name}: one function does both",
           text("kernel/cgroup.c"))
    tap.ok(OPTION.search(text("init/Kconfig")), f"{name}: the option is below the feature's own",
           text("init/Kconfig"))
    tap.ok(ENTRY in text("Documentation/admin-guide/kernel-parameters.txt"),
           f"{name}: the parameter stands where the alphabet has it",
           text("Documentation/admin-guide/kernel-parameters.txt"))
    for path, want in state:
        tap.ok(want in text(path), f"{name}: {path} has the state", text(path))
    again, out = fix(tree, home, cache=cache)
    tap.ok(again.status == 0 and "is there already" in again.err and
           "default-on" in again.err, f"{name}: what has it is told so and left", again)
    asked = Run("check", "--rule", "default-on", tree, cache=cache)
    tap.ok(asked.status == 0, f"{name}: and nothing is found there", asked)


def main():
    tap = Tap()
    home, cache = nctest.scratch("default"), nctest.shared_cache()
    mask = plain(home, "mask")
    unasked = Run("check", mask, cache=cache)
    tap.ok("[default-on]" not in unasked.out, "without --rule it does not run", unasked)
    run = Run("check", "--rule", "default-on", mask, cache=cache)
    tap.ok(run.status == 1 and run.out.count("[default-on]") == 2, "with it there are two findings", run)
    check_tree(tap, mask, home, cache, BOTH % ("cgroup_disable_mask &= ~(1 << i)",
                                               "cgroup_disable_mask |= 1 << i"), [
        ("kernel/cgroup.c", "#ifdef CONFIG_MEMCG_DEFAULT_DISABLED\n"
         "static u16 cgroup_disable_mask = 1 << memory_cgrp_id;\n#else\n"
         "static u16 cgroup_disable_mask;\n#endif\n")])
    check_tree(tap, by_field(home), home, cache,
               "			cgroup_subsys[i]->disabled = !enable;\n", [
        ("mm/memcontrol.c", "struct cgroup_subsys memory_cgrp_subsys = {\n"
         "	.disabled = IS_ENABLED(CONFIG_MEMCG_DEFAULT_DISABLED),\n")])
    check_tree(tap, by_key(home), home, cache, BOTH % (
        "static_branch_enable(cgroup_subsys_enabled_key[i])",
        "static_branch_disable(cgroup_subsys_enabled_key[i])"), [
        ("init/main.c", "	cgroup_init_default();\n	parse_early_param();\n"),
        ("include/linux/cgroup.h", "int cgroup_init_early(void);\nvoid cgroup_init_default(void);\n"),
        ("include/linux/cgroup.h", "static inline void cgroup_init_default(void) {}\n"),
        ("kernel/cgroup.c", "void __init cgroup_init_default(void)\n{\n	char off[] = \"memory\";\n\n"
         "	if (IS_ENABLED(CONFIG_MEMCG_DEFAULT_DISABLED))\n		cgroup_set_enabled(off, false);\n}\n")])

    for name, path, edits in [
            ("other-option", "init/Kconfig", [("config MEMCG_KMEM", "config MEMCG_DISABLED\n\tbool\n\n"
                                               "config MEMCG_KMEM")]),
            ("parameter", "kernel/cgroup.c", [('__setup("cgroup_disable=", cgroup_disable);',
                                               '__setup("cgroup_disable=", cgroup_disable);\n'
                                               '__setup("cgroup_enable=", cgroup_disable);')])]:
        tree = plain(home, name)
        if name == "parameter":
            change(tree, path, ("static u16 cgroup_disable_mask;", "static u16 cgroup_disable_mask;"
                                "\n#undef __setup_param\n#define __setup_param(a, b, c, d) struct c"))
        change(tree, path, *edits)
        run, out = fix(tree, home, cache=cache)
        tap.ok(run.status == 0 and "is there already" in run.err and not os.path.exists(out),
               f"{name}: a tree that has it is left, and nothing is written", run)
    tree = plain(home, "undocumented")
    change(tree, "Documentation/admin-guide/kernel-parameters.txt", ("cgroup_disable=", "cgroup_disabled="))
    run, out = fix(tree, home, cache=cache)
    tap.ok(run.status == 1 and "is not described" in open(os.path.join(out, "series.json")).read(),
           "undocumented: left alone, with the reason", run)
    tree = by_key(home, "no-parse")
    change(tree, "init/main.c", ("	parse_early_param();\n", ""))
    run, out = fix(tree, home, cache=cache)
    series = json.load(open(os.path.join(out, "series.json")))
    tap.ok(run.status == 1 and [p["kind"] for p in series["patches"]] == ["boot-parameter"],
           "no-parse: no option where it would not be looked at in time", run)
    only = next(f["finding"] for f in series["left"])
    run, out = fix(by_key(home, "only"), home, "--only", only, cache=cache)
    tap.ok(run.status == 1 and "it needs the patch for" in open(os.path.join(out, "series.json")).read(),
           "the option alone is not written: nothing would ask for the feature", run)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
