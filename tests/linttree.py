# SPDX-License-Identifier: GPL-2.0-only
"""A small tree for the tests of what a lint of changes tells."""
import os

import nctest

HEADER = """#ifndef _LINUX_LINT_H
#define _LINUX_LINT_H
#include <linux/memcontrol.h>
#ifdef CONFIG_MEMCG
void lint_late(struct task_struct *task);
void lint_good(struct task_struct *task);
#else
static inline void lint_late(struct task_struct *task) { }
static inline void lint_good(struct task_struct *task) { }
#endif
#endif
"""
LATE = """void lint_late(struct task_struct *task)
{
	rcu_read_lock();
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(mem_cgroup_from_task(task), 1);
	rcu_read_unlock();
}
"""
UNIT = """#include <linux/lint.h>

""" + LATE + """
void lint_good(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;
	mem_cgroup_consume(mem_cgroup_from_task(task), 2);
}
"""
USER = """#include <linux/lint.h>

void do_exit(long code)
{
	lint_late(current);
}
"""


def make(directory):
    return nctest.make_tree(directory, {"include/linux/lint.h": (HEADER, None),
                                        "mm/lint.c": (UNIT, "MEMCG"),
                                        "kernel/exit.c": (USER, None)})


def read(tree, path):
    with open(os.path.join(tree, path)) as f:
        return f.read()


def edit(tree, path, old, new):
    text = read(tree, path)
    if old not in text:
        raise ValueError(f"{path} has no {old!r}")
    nctest.write(os.path.join(tree, path), text.replace(old, new))
