#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Any --jobs, a cold or a warm cache, twice, another place, another order of
# the directory: the output is the same to the byte, with 20 findings at least.

. "$(dirname "$0")/lib.sh"

# many DIRECTORY: a tree with eight functions of each of four kinds
many()
{
	python3 - "$1" <<'END'
import sys
import nctest

BODY = {
    "missing": "rcu_read_lock(); mem_cgroup_from_task(task)->events[{i}]++; rcu_read_unlock();",
    "late": "rcu_read_lock(); if (!mem_cgroup_disabled()) mem_cgroup_consume(mem_cgroup_from_task(task), {i});"
            " rcu_read_unlock();",
    "outline": "if (mem_cgroup_disabled()) return; mem_cgroup_consume(mem_cgroup_from_task(task), {i});",
    "null": "atomic_long_add({i}, &folio_memcg((struct folio *)task->mm)->memory.usage);",
}
names = [f"memcg_{kind}_{i}" for kind in BODY for i in range(8)]
files = {
    "include/linux/case.h": ("#include <linux/memcontrol.h>\n#ifdef CONFIG_MEMCG\n"
        + "".join(f"void {n}(struct task_struct *task);\n" for n in names) + "#else\n"
        + "".join(f"static inline void {n}(struct task_struct *task) {{ }}\n" for n in names)
        + "#endif\n", None),
    "mm/memory.c": ("#include <linux/case.h>\n\nvm_fault_t do_anonymous_page(struct vm_fault *vmf)\n{\n"
        + "".join(f"\t{n}(current);\n" for n in names) + "\treturn 0;\n}\n", None)}
for i in range(8):
    files[f"mm/case{i}.c"] = ("#include <linux/case.h>\n\n" + "".join(
        f"void memcg_{kind}_{i}(struct task_struct *task)\n{{\n\t{body.format(i=i)}\n}}\n\n"
        for kind, body in BODY.items()), "MEMCG")
nctest.make_tree(sys.argv[1], files)
END
}

count()
{
	python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["findings"]))' "$1"
}

# agree NAME TREE: all ways of running agree on the tree
agree()
{
	local name=$1 tree=$2 format

	rm -rf "$XDG_CACHE_HOME"/*
	nc check "$tree" --format json --jobs 1
	ends "$name: cold, one job" '1'
	cp "$T/out" "$T/first"
	local n
	n=$(count "$T/first")
	if [ "$n" -ge 20 ]; then
		pass "$name: $n findings"
	else
		fail "$name: at least 20 findings" "only $n"
	fi
	for jobs in 1 2 4; do
		nc check "$tree" --format json --jobs $jobs
		holds "$name: warm, --jobs $jobs" cmp "$T/out" "$T/first"
	done
	for jobs in 2 4; do
		rm -rf "$XDG_CACHE_HOME"/*
		nc check "$tree" --format json --jobs $jobs
		holds "$name: cold, --jobs $jobs" cmp "$T/out" "$T/first"
	done
	nc check "$tree" --format json --no-cache
	holds "$name: no cache" cmp "$T/out" "$T/first"
	find "$XDG_CACHE_HOME" -type f | sort | awk 'NR % 2' | xargs -r rm
	nc check "$tree" --format json
	holds "$name: half a cache" cmp "$T/out" "$T/first"
	nc check "$tree" --format json -o "$T/file"
	holds "$name: into a file" cmp "$T/file" "$T/first"
	for format in text; do
		nc check "$tree" --format $format --jobs 1
		cp "$T/out" "$T/text"
		LC_ALL=C TZ=UTC-9 COLUMNS=20 nc check "$tree" --format $format --jobs 4
		holds "$name: as $format, elsewhere on earth" cmp "$T/out" "$T/text"
	done
	nc list "$tree" --format json --jobs 1
	cp "$T/out" "$T/list"
	nc list "$tree" --format json --jobs 4
	holds "$name: list" cmp "$T/out" "$T/list"
}

LIMIT=3600
many "$T/many"
agree "small tree" "$T/many"
cp "$T/first" "$T/here"

# the same tree elsewhere, its files made in another order
mkdir "$T/else where"
(cd "$T/many" && find . -type f | LC_ALL=C sort -r | cpio -pdm --quiet "$T/else where" 2>/dev/null ||
	cp -a . "$T/else where")
nc check "$T/else where" --format json
holds "small tree: in another place" cmp "$T/out" "$T/here"
touch -d '1 hour ago' "$T/many/mm"/*.c
nc check "$T/many" --format json
holds "small tree: with other times" cmp "$T/out" "$T/here"

if [ -n "${NOCHARGE_LONG:-}" ]; then
	tree=$(python3 -c 'import nctest; print(nctest.real_tree("6.1")[0] or "")' | tail -1)
	if [ -n "$tree" ]; then
		agree 6.1 "$tree"
	else
		skip 6.1 "linux-source-6.1 is not installed"
	fi
else
	echo "# left out: the same on 6.1"
fi
tap_done
