#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What off_prove() says of right fixes and of wrong ones, on one small tree
whose functions have the shapes of the kernel's. Each fix is a few texts
replaced; a wrong one must fail, and for its own reason.
"""
import os
import re
import subprocess
import sys

import nctest
from nctest import Run, Tap

TOOL = os.path.join(os.environ.get("NOCHARGE_BUILD", os.path.join(nctest.TOP, "build")),
                    "tests", "tool_off")
H, C, V = "include/linux/case.h", "mm/case.c", "mm/vmscan.c"
FILES = {
    H: ("""#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/irqflags.h>
#include <linux/memcontrol.h>
#include <linux/spinlock.h>
#include <linux/swap.h>
#include <linux/vmstat.h>
#include <linux/workqueue.h>

#define EOPNOTSUPP 95

struct pressure {
	spinlock_t lock;
	unsigned long scanned;
	struct work_struct work;
};

struct queue {
	spinlock_t lock;
	int throttled, wanted;
};
extern struct queue io_queue;
int queue_congested(struct queue *queue);
int queue_depth(struct queue *queue);
void queue_throttle(struct queue *queue);

#ifdef CONFIG_MEMCG
struct group_extra {
	struct pressure pressure;
	struct pglist_data *pgdat;
	int state;
	atomic_long_t flushes, misses;
};
extern struct group_extra extra;
extern int in_flight;

void mod_state(struct lruvec *lruvec, enum node_stat_item idx, int val);
static inline void mod_state_irq(struct lruvec *lruvec, enum node_stat_item idx, int val)
{
	unsigned long flags;

	flags = arch_local_irq_save();
	mod_state(lruvec, idx, val);
	arch_local_irq_restore(flags);
}
static inline void protection(struct mem_cgroup *memcg, unsigned long *min,
			      unsigned long *low)
{
	*min = *low = 0;
	if (mem_cgroup_disabled())
		return;
	*min = READ_ONCE(memcg->memory.max);
	*low = READ_ONCE(memcg->swap.max);
}
int hugetlb_try_charge(struct mem_cgroup *memcg, gfp_t gfp, long nr);
void state_lock(struct folio *folio);
void state_unlock(struct folio *folio);
void pressure_note(struct mem_cgroup *memcg, unsigned long scanned);
void throttle(struct folio *folio, gfp_t gfp);
void wait_all(void);
spinlock_t *folio_lock(struct folio *folio);
void start_flush(void);
struct mem_cgroup *group_next(struct folio *folio, struct mem_cgroup **where);
#else
static inline void mod_state(struct lruvec *lruvec, enum node_stat_item idx, int val)
{
	__mod_node_page_state(NODE_DATA(0), idx, val);
}
static inline void mod_state_irq(struct lruvec *lruvec, enum node_stat_item idx, int val)
{
	mod_node_page_state(NODE_DATA(0), idx, val);
}
static inline void protection(struct mem_cgroup *memcg, unsigned long *min,
			      unsigned long *low)
{
	*min = *low = 0;
}
static inline int hugetlb_try_charge(struct mem_cgroup *memcg, gfp_t gfp, long nr)
{
	return 0;
}
static inline void state_lock(struct folio *folio)
{
}
static inline void state_unlock(struct folio *folio)
{
}
static inline void pressure_note(struct mem_cgroup *memcg, unsigned long scanned)
{
}
static inline void throttle(struct folio *folio, gfp_t gfp)
{
}
static inline void wait_all(void)
{
}
static inline spinlock_t *folio_lock(struct folio *folio)
{
	spin_lock(&io_queue.lock);
	return &io_queue.lock;
}
static inline void start_flush(void)
{
}
static inline struct mem_cgroup *group_next(struct folio *folio, struct mem_cgroup **where)
{
	return NULL;
}
#endif

#endif
""", None),
    C: ("""#include <linux/case.h>

struct group_extra extra;
int in_flight;

void mod_state(struct lruvec *lruvec, enum node_stat_item idx, int val)
{
	__mod_node_page_state(NODE_DATA(0), idx, val);
	if (!mem_cgroup_disabled())
		mem_cgroup_consume(root_mem_cgroup, val);
}

int hugetlb_try_charge(struct mem_cgroup *memcg, gfp_t gfp, long nr)
{
	if (mem_cgroup_disabled() || !memcg)
		return -EOPNOTSUPP;
	mem_cgroup_consume(memcg, nr);
	return 0;
}

void state_lock(struct folio *folio)
{
	rcu_read_lock();
	if (mem_cgroup_disabled())
		return;
	if (READ_ONCE(folio_memcg(folio)->under_oom))
		mem_cgroup_consume(folio_memcg(folio), 0);
}

void state_unlock(struct folio *folio)
{
	struct mem_cgroup *memcg = folio_memcg(folio);

	if (memcg && memcg->under_oom)
		mem_cgroup_consume(memcg, 0);
	rcu_read_unlock();
}

static void pressure_work(struct work_struct *work)
{
	extra.pressure.scanned = 0;
}

void pressure_note(struct mem_cgroup *memcg, unsigned long scanned)
{
	struct pressure *pressure = &extra.pressure;

	if (queue_depth(&io_queue) > 7 && extra.pgdat)
		return;
	if (!scanned)
		return;
	spin_lock(&pressure->lock);
	pressure->scanned += scanned;
	spin_unlock(&pressure->lock);
	schedule_work(&pressure->work);
}

void throttle(struct folio *folio, gfp_t gfp)
{
	if (!gfp)
		return;
	if (!queue_congested(&io_queue))
		return;
	spin_lock(&io_queue.lock);
	if (io_queue.wanted)
		queue_throttle(&io_queue);
	spin_unlock(&io_queue.lock);
}

void wait_all(void)
{
	if (in_flight)
		queue_throttle(&io_queue);
}

static inline struct pglist_data *group_pgdat(struct pglist_data *pgdat)
{
	if (extra.pgdat != pgdat)
		extra.pgdat = pgdat;
	return pgdat;
}

spinlock_t *folio_lock(struct folio *folio)
{
	group_pgdat(folio_pgdat(folio));
	spin_lock(&io_queue.lock);
	return &io_queue.lock;
}

static DECLARE_DEFERRABLE_WORK(flush_dwork, pressure_work);

void start_flush(void)
{
	extra.state = 1;
	atomic_long_add(1, &extra.flushes);
	atomic_long_add(1, &extra.misses);
	queue_delayed_work(system_unbound_wq, &flush_dwork, 2);
}

struct mem_cgroup *group_next(struct folio *folio, struct mem_cgroup **where)
{
	struct mem_cgroup *memcg = folio_memcg(folio);

	*where = memcg;
	return memcg;
}
""", "MEMCG"),
    V: ("""#include <linux/case.h>

struct queue io_queue;

int queue_congested(struct queue *queue)
{
	return queue->throttled;
}

int queue_depth(struct queue *queue)
{
	int depth = 0;

	for (depth = 0; depth < queue->wanted; depth++)
		if (queue_congested(queue))
			break;
	return depth;
}

void queue_throttle(struct queue *queue)
{
	queue->throttled = 1;
}

#ifdef CONFIG_MEMCG
static void set_flight(struct lruvec *lruvec)
{
	in_flight++;
}
static int node_of_group(void)
{
	return extra.pgdat->node_id + atomic_long_read(&extra.misses);
}
#else
static void set_flight(struct lruvec *lruvec)
{
}
static int node_of_group(void)
{
	return 0;
}
#endif

unsigned int shrink_folio_list(struct lruvec *lruvec, struct folio *folio)
{
	struct mem_cgroup *memcg, *where;
	unsigned long min, low;

	memcg = group_next(folio, &where);
	protection(memcg, &min, &low);
	if (min || low || where)
		return 0;
	set_flight(lruvec);
	state_lock(folio);
	mod_state(lruvec, NR_ACTIVE_ANON, 1);
	mod_state_irq(lruvec, NR_ACTIVE_ANON, 1);
	state_unlock(folio);
	pressure_note(memcg, 32);
	throttle(folio, GFP_KERNEL);
	start_flush();
	wait_all();
	spin_unlock(folio_lock(folio));
	return hugetlb_try_charge(memcg, GFP_KERNEL, node_of_group());
}
""", None),
}
OFF = "\tif (mem_cgroup_disabled())\n\t\treturn;\n"


def wrapper(kind, name, params, given, off, gone=""):
    """The function gets __, and an inline one in the header its name."""
    head = f"{kind}{name}({params})"
    ret = "" if kind == "void " else "return "
    return [(C, head, head.replace(name, "__" + name, 1)),
            (H, head + ";\n",
             f"{head.replace(name, '__' + name, 1)};\nstatic inline {head}\n{{\n"
             f"\tif (mem_cgroup_disabled()) {{\n{off}\t}}\n"
             f"\t{ret}__{name}({given});\n}}\n")] + ([(C, gone, "")] if gone else [])


MOD = ("void ", "mod_state", "struct lruvec *lruvec, enum node_stat_item idx, int val",
       "lruvec, idx, val")
COUNT = "\t\t__mod_node_page_state(NODE_DATA(0), idx, val);\n"
CHARGE = ("int ", "hugetlb_try_charge", "struct mem_cgroup *memcg, gfp_t gfp, long nr",
          "memcg, gfp, nr")
LOCK = "\trcu_read_lock();\n" + OFF
UNLOCK = "\tstruct mem_cgroup *memcg = folio_memcg(folio);\n\n\tif (memcg && memcg->under"
IRQ = "\tflags = arch_local_irq_save();\n"
NOTE = "\tif (!scanned)\n"
THROTTLE = "\tif (!gfp)\n"
FOLIO = ("spinlock_t ", "*folio_lock", "struct folio *folio", "folio")


def folio_wrapper(off):
    head = "spinlock_t *folio_lock(struct folio *folio)"
    under = head.replace("folio_lock", "__folio_lock")
    return [(C, head, under),
            (H, head + ";\n", f"{under};\nstatic inline {head}\n{{\n"
             f"\tif (mem_cgroup_disabled()) {{\n{off}\t}}\n\treturn __folio_lock(folio);\n}}\n")]


def irq(text):
    return [(H, IRQ, "\tif (mem_cgroup_disabled()) {\n" + text + "\t\treturn;\n\t}\n" + IRQ)]


# name, functions, edits, what the proof says: None if it passes, else a word of the why
CASES = [
    ("a wrapper that does what the stub does", "mod_state",
     wrapper(*MOD, COUNT + "\t\treturn;\n"), None),
    ("a wrapper without the node's counter", "mod_state",
     wrapper(*MOD, "\t\treturn;\n"), "call '__mod_node_page_state'.*stub does too"),
    ("a wrapper that counts another value", "mod_state",
     wrapper(*MOD, COUNT.replace("val)", "-val)") + "\t\treturn;\n"), "same arguments"),
    ("a wrapper that counts twice", "mod_state",
     wrapper(*MOD, COUNT * 2 + "\t\treturn;\n"), "which it did not"),
    ("a wrapper that counts under a condition", "mod_state",
     wrapper(*MOD, "\t\tif (val)\n\t" + COUNT + "\t\treturn;\n"), "same condition"),
    ("a guard before the counter", "mod_state",
     [(C, "\t__mod_node_page_state(NODE", OFF + "\t__mod_node_page_state(NODE")],
     "call '__mod_node_page_state'"),
    ("a guard before values that are cleared", "protection",
     [(H, "\t*min = *low = 0;\n\tif (mem", OFF + "\t*min = *low = 0;\n\tif (mem")],
     "store to.*stub does too"),
    ("one value that is not cleared", "protection",
     [(H, "\t*min = *low = 0;\n\tif (mem", "\t*min = 0;\n\tif (mem")], "store to"),
    ("a wrapper that returns what the function does", "hugetlb_try_charge",
     wrapper(*CHARGE, "\t\treturn -EOPNOTSUPP;\n"), None),
    ("a wrapper that returns what the stub does", "hugetlb_try_charge",
     wrapper(*CHARGE, "\t\treturn 0;\n"), "returns 0, and -95 before"),
    ("a wrapper that returns what it was given", "hugetlb_try_charge",
     wrapper(*CHARGE, "\t\treturn nr;\n"), "not known to be the same"),
    ("both halves of a section", "state_lock,state_unlock",
     [(C, LOCK, OFF + "\trcu_read_lock();\n"),
      (C, UNLOCK, UNLOCK.replace("\n\n", "\n\n" + OFF))], None),
    ("the first half alone", "state_lock", [(C, LOCK, OFF + "\trcu_read_lock();\n")],
     "an RCU read section"),
    ("the second half alone", "state_unlock",
     [(C, UNLOCK, UNLOCK.replace("\n\n", "\n\n" + OFF))], "an RCU read section"),
    ("another way to count, as the stub does", "mod_state_irq",
     irq("\t\tmod_node_page_state(NODE_DATA(0), idx, val);\n"), None),
    ("the same way to count, with interrupts on", "mod_state_irq",
     irq("\t\t__mod_node_page_state(NODE_DATA(0), idx, val);\n"), "interrupts off"),
    ("another way that stores elsewhere", "mod_state_irq",
     irq("\t\tcount_vm_event(PGFAULT);\n"), "may also store|same arguments"),
    ("a guard above work on the feature's own objects", "pressure_note",
     [(C, NOTE, OFF + NOTE)], None),
    ("a guard that does work of its own", "pressure_note",
     [(C, NOTE, "\tif (mem_cgroup_disabled()) {\n\t\tcount_vm_event(PGFAULT);\n"
       "\t\treturn;\n\t}\n" + NOTE)], "'count_vm_event'.*did not"),
    ("a guard that stores what others read", "pressure_note",
     [(C, NOTE, "\tif (mem_cgroup_disabled()) {\n\t\tio_queue.wanted = 0;\n"
       "\t\treturn;\n\t}\n" + NOTE)], "'queue.wanted'|'io_queue.queue.wanted'"),
    ("a guard above what the stub does not do", "throttle", [(C, THROTTLE, OFF + THROTTLE)],
     None),
    ("a lock that is not taken, and left", "throttle",
     [(C, "\tspin_lock(&io_queue.lock);\n\tif", "\tif (!mem_cgroup_disabled())\n"
       "\t\tspin_lock(&io_queue.lock);\n\tif")], "no longer in a section under a spinlock"),
    ("what live memory of the feature asked for", "wait_all",
     [(C, "\tif (in_flight)\n", OFF + "\tif (in_flight)\n")], "'in_flight'"),
    ("a wrapper with the stub's body that loses a store", "folio_lock",
     folio_wrapper("\t\tspin_lock(&io_queue.lock);\n\t\treturn &io_queue.lock;\n"),
     "'(extra.)?group_extra.pgdat'.*'node_of_group'"),
    ("a lock that is returned and not taken", "folio_lock",
     [(C, "\tspin_lock(&io_queue.lock);\n\treturn", "\tif (!mem_cgroup_disabled())\n"
       "\t\tspin_lock(&io_queue.lock);\n\treturn")], "stub does|spinlock"),
    ("another lock that is returned", "folio_lock",
     [(C, "\treturn &io_queue.lock;\n", "\treturn NULL;\n")], "not known to be the same"),
    ("work that is not queued", "start_flush",
     [(C, "\tatomic_long_add(1, &extra.misses);\n",
       "\tatomic_long_add(1, &extra.misses);\n" + OFF)], None),
    ("what counts what nobody reads", "start_flush",
     [(C, "\tatomic_long_add(1, &extra.flushes);\n", "")], None),
    ("what counts what somebody reads", "start_flush",
     [(C, "\tatomic_long_add(1, &extra.misses);\n", "")], "'node_of_group'"),
    ("a lock that does not mask interrupts as it did", "throttle",
     [(C, "\tspin_lock(&io_queue.lock);\n\tif", "\t_raw_spin_lock_irqsave(&io_queue.lock);\n\tif")],
     "does open"),
    ("work that is queued unless off", "start_flush",
     [(C, "\tqueue_delayed_work(", "\tif (!mem_cgroup_disabled())\n\t\tqueue_delayed_work(")],
     None),
    ("NULL that is not stored any more", "group_next",
     [(C, "\t*where = memcg;\n\treturn",
       "\tif (mem_cgroup_disabled())\n\t\treturn NULL;\n\t*where = memcg;\n\treturn")],
     "store to"),
    ("NULL that is stored another way", "group_next",
     [(C, "\t*where = memcg;\n\treturn",
       "\tif (mem_cgroup_disabled()) {\n\t\t*where = NULL;\n\t\treturn NULL;\n\t}\n"
       "\t*where = memcg;\n\treturn")], None),
]


def prove(tree, scratch, name, functions, edits, ids):
    view = os.path.join(scratch, re.sub(r"\W", "-", name))
    texts = {}
    for path, old, new in edits:
        text = texts.get(path, FILES[path][0])
        assert old in text, (name, old)
        texts[path] = text.replace(old, new, 1)
    for path, text in texts.items():
        nctest.write(os.path.join(view, path), text)
    empty = os.path.join(scratch, "empty")
    os.makedirs(empty, exist_ok=True)
    done = subprocess.run(
        [TOOL, "prove", "--cache", os.path.join(scratch, "cache"), tree, empty, view,
         functions] + ([",".join(ids)] if ids else []),
        text=True, capture_output=True, env=dict(os.environ, NOCHARGE_DATA=nctest.TOP))
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return said.get("same", ""), said.get("clears", ""), done.stdout + done.stderr


def main():
    nctest.need_program()
    tap, scratch = Tap(), nctest.scratch("off")
    tree = nctest.make_tree(os.path.join(scratch, "tree"), FILES)
    report = Run("check", "--format", "json", "--cache", os.path.join(scratch, "cache"),
                 tree).json()
    ids = {f["function"]: f["id"] for f in report["findings"]}
    for name, functions, edits, why in CASES:
        same, _, said = prove(tree, scratch, name, functions, edits, [])
        if why is None:
            tap.ok(same.startswith("pass: "), f"{name}: passes", said)
        else:
            tap.ok(same.startswith("fail: ") and re.search(why, same),
                   f"{name}: fails", said)
    tap.ok("pressure_note" in ids, "what is guarded was found", ids)
    edits = wrapper("void ", "pressure_note", "struct mem_cgroup *memcg, unsigned long scanned",
                    "memcg, scanned", "\t\treturn;\n")
    named = [ids.get("pressure_note", "")]
    _, clears, said = prove(tree, scratch, "clears", "pressure_note", edits, named)
    tap.ok(clears.startswith("pass"), "a guard clears what it is for", said)
    named.append(ids.get("throttle", ""))
    _, clears, said = prove(tree, scratch, "not all", "pressure_note", edits, named)
    tap.ok(clears.startswith("fail") and "still reported" in clears,
           "and not what it is not for", said)
    edits.append((C, "\tif (mem_cgroup_disabled() || !memcg)",
                  "\tqueue_throttle(&io_queue);\n\tif (mem_cgroup_disabled() || !memcg)"))
    _, clears, said = prove(tree, scratch, "new", "pressure_note", edits, named[:1])
    tap.ok(clears.startswith("fail") and "reported now" in clears, "a new finding is told", said)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
