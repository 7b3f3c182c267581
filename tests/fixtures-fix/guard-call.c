// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work that asks for itself again is not asked for in the first place; what
 * else the function does stays as it is.
 *
 * kind: mem_cgroup_css_online guard-call
 * together: mem_cgroup_css_online flush_memcg_stats_dwork
 */
/* file: mm/memcontrol.c if MEMCG */
#include <linux/init.h>
#include <linux/memcontrol.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct mem_cgroup *root_mem_cgroup __read_mostly;

static void flush_memcg_stats_dwork(struct work_struct *w);
static DECLARE_DEFERRABLE_WORK(stats_flush_dwork, flush_memcg_stats_dwork);

static void flush_memcg_stats_dwork(struct work_struct *w)
{
	atomic_long_add(1, &root_mem_cgroup->memory.usage);
	queue_delayed_work(system_unbound_wq, &stats_flush_dwork, 500);
}

static struct cgroup_subsys_state *
mem_cgroup_css_alloc(struct cgroup_subsys_state *parent_css)
{
	struct mem_cgroup *memcg = kzalloc(sizeof(*memcg), GFP_KERNEL);

	if (!parent_css)
		root_mem_cgroup = memcg;
	return &memcg->css;
}

static int mem_cgroup_css_online(struct cgroup_subsys_state *css)
{
	struct mem_cgroup *memcg = mem_cgroup_from_css(css);

	if (unlikely(mem_cgroup_is_root(memcg)))
		queue_delayed_work(system_unbound_wq, &stats_flush_dwork, 500);
	return 0;
}

static void mem_cgroup_css_rstat_flush(struct cgroup_subsys_state *css, int cpu)
{
	mem_cgroup_from_css(css)->events[cpu]++;
}

static void mem_cgroup_fork(struct task_struct *task)
{
	task->active_memcg = (struct mem_cgroup *)1;
}

static void mem_cgroup_exit(struct task_struct *task)
{
	task->active_memcg = (struct mem_cgroup *)2;
}

static void mem_cgroup_attach(struct task_struct *task)
{
	/* never runs for the root group: nothing is attached when off */
	task->active_memcg = root_mem_cgroup;
	root_mem_cgroup->events[1]++;
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr)
{
	atomic_long_add(nr, &memcg->memory.usage);
}

struct cgroup_subsys memory_cgrp_subsys = {
	.css_alloc = mem_cgroup_css_alloc,
	.css_online = mem_cgroup_css_online,
	.css_rstat_flush = mem_cgroup_css_rstat_flush,
	.fork = mem_cgroup_fork,
	.exit = mem_cgroup_exit,
	.attach = mem_cgroup_attach,
	.name = "memory",
};
/* after: mm/memcontrol.c */
#include <linux/init.h>
#include <linux/memcontrol.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct mem_cgroup *root_mem_cgroup __read_mostly;

static void flush_memcg_stats_dwork(struct work_struct *w);
static DECLARE_DEFERRABLE_WORK(stats_flush_dwork, flush_memcg_stats_dwork);

static void flush_memcg_stats_dwork(struct work_struct *w)
{
	atomic_long_add(1, &root_mem_cgroup->memory.usage);
	queue_delayed_work(system_unbound_wq, &stats_flush_dwork, 500);
}

static struct cgroup_subsys_state *
mem_cgroup_css_alloc(struct cgroup_subsys_state *parent_css)
{
	struct mem_cgroup *memcg = kzalloc(sizeof(*memcg), GFP_KERNEL);

	if (!parent_css)
		root_mem_cgroup = memcg;
	return &memcg->css;
}

static int mem_cgroup_css_online(struct cgroup_subsys_state *css)
{
	struct mem_cgroup *memcg = mem_cgroup_from_css(css);

	if (unlikely(mem_cgroup_is_root(memcg)) && !mem_cgroup_disabled())
		queue_delayed_work(system_unbound_wq, &stats_flush_dwork, 500);
	return 0;
}

static void mem_cgroup_css_rstat_flush(struct cgroup_subsys_state *css, int cpu)
{
	mem_cgroup_from_css(css)->events[cpu]++;
}

static void mem_cgroup_fork(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;

	task->active_memcg = (struct mem_cgroup *)1;
}

static void mem_cgroup_exit(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;

	task->active_memcg = (struct mem_cgroup *)2;
}

static void mem_cgroup_attach(struct task_struct *task)
{
	/* never runs for the root group: nothing is attached when off */
	task->active_memcg = root_mem_cgroup;
	root_mem_cgroup->events[1]++;
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr)
{
	atomic_long_add(nr, &memcg->memory.usage);
}

struct cgroup_subsys memory_cgrp_subsys = {
	.css_alloc = mem_cgroup_css_alloc,
	.css_online = mem_cgroup_css_online,
	.css_rstat_flush = mem_cgroup_css_rstat_flush,
	.fork = mem_cgroup_fork,
	.exit = mem_cgroup_exit,
	.attach = mem_cgroup_attach,
	.name = "memory",
};
