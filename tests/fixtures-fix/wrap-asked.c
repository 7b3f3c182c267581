// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work of others that only the feature's memory asks for: where nobody sets
 * that memory, nobody asked, and what is done on the way does not matter.
 * An object that is not made any more is not filled in either; one that was
 * there before is.
 *
 * kind: memcg_flush_idle wrap
 * left: memcg_flush_set 'mem_cgroup.swappiness'
 * left: memcg_flush_either 'mem_cgroup.swappiness'
 * left: memcg_flush_found which others may read
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

struct flush_work {
	long nr, why;
};

extern int vm_swappiness, oldest;

bool case_due(void);
struct flush_work *case_oldest(void);
void case_queue(struct flush_work *work);

#ifdef CONFIG_MEMCG
void memcg_flush_idle(void);
void memcg_flush_set(void);
void memcg_flush_either(void);
void memcg_flush_found(void);
#else
static inline void memcg_flush_idle(void)
{
}

static inline void memcg_flush_set(void)
{
}

static inline void memcg_flush_either(void)
{
}

static inline void memcg_flush_found(void)
{
}
#endif

#endif
/* file: mm/memcontrol.c if MEMCG */
#include <linux/case.h>
#include <linux/init.h>
#include <linux/slab.h>

struct mem_cgroup *root_mem_cgroup __read_mostly;
static struct cgroup_subsys_state *
mem_cgroup_css_alloc(struct cgroup_subsys_state *parent_css)
{
	struct mem_cgroup *memcg = kzalloc(sizeof(*memcg), GFP_KERNEL);

	if (!memcg)
		return NULL;
	memcg->swappiness = vm_swappiness;
	if (!parent_css)
		root_mem_cgroup = memcg;
	return &memcg->css;
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr)
{
	atomic_long_add(nr, &memcg->memory.usage);
}

struct cgroup_subsys memory_cgrp_subsys = {
	.css_alloc = mem_cgroup_css_alloc,
	.name = "memory",
};
/* file: mm/case.c if MEMCG */
#include <linux/case.h>
#include <linux/slab.h>

void memcg_flush_idle(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->under_oom > oldest && case_due()) {
		work = kzalloc(sizeof(*work), GFP_KERNEL);
		if (work) {
			work->nr = root_mem_cgroup->swappiness;
			case_queue(work);
		}
	}
}

void memcg_flush_set(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->swappiness > 60 && case_due()) {
		work = kzalloc(sizeof(*work), GFP_KERNEL);
		if (work) {
			work->nr = root_mem_cgroup->under_oom;
			case_queue(work);
		}
	}
}

void memcg_flush_either(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->under_oom > oldest || case_due()) {
		work = kzalloc(sizeof(*work), GFP_KERNEL);
		if (work) {
			work->nr = root_mem_cgroup->swappiness;
			case_queue(work);
		}
	}
}

void memcg_flush_found(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->under_oom > oldest && case_due()) {
		work = case_oldest();
		if (work) {
			work->nr = root_mem_cgroup->swappiness;
			case_queue(work);
		}
	}
}
/* file: mm/memory.c */
#include <linux/case.h>

int vm_swappiness = 60, oldest;
static struct flush_work *queued;
static long pending;

bool case_due(void)
{
	return ++pending & 1;
}

struct flush_work *case_oldest(void)
{
	return queued;
}

void case_queue(struct flush_work *work)
{
	pending += work->nr + work->why;
	queued = work;
	oldest++;
}

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_flush_idle();
	memcg_flush_set();
	memcg_flush_either();
	memcg_flush_found();
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

struct flush_work {
	long nr, why;
};

extern int vm_swappiness, oldest;

bool case_due(void);
struct flush_work *case_oldest(void);
void case_queue(struct flush_work *work);

#ifdef CONFIG_MEMCG
void __memcg_flush_idle(void);

static inline void memcg_flush_idle(void)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_flush_idle();
}

void memcg_flush_set(void);
void memcg_flush_either(void);
void memcg_flush_found(void);
#else
static inline void memcg_flush_idle(void)
{
}

static inline void memcg_flush_set(void)
{
}

static inline void memcg_flush_either(void)
{
}

static inline void memcg_flush_found(void)
{
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>
#include <linux/slab.h>

void __memcg_flush_idle(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->under_oom > oldest && case_due()) {
		work = kzalloc(sizeof(*work), GFP_KERNEL);
		if (work) {
			work->nr = root_mem_cgroup->swappiness;
			case_queue(work);
		}
	}
}

void memcg_flush_set(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->swappiness > 60 && case_due()) {
		work = kzalloc(sizeof(*work), GFP_KERNEL);
		if (work) {
			work->nr = root_mem_cgroup->under_oom;
			case_queue(work);
		}
	}
}

void memcg_flush_either(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->under_oom > oldest || case_due()) {
		work = kzalloc(sizeof(*work), GFP_KERNEL);
		if (work) {
			work->nr = root_mem_cgroup->swappiness;
			case_queue(work);
		}
	}
}

void memcg_flush_found(void)
{
	struct flush_work *work;

	if (root_mem_cgroup->under_oom > oldest && case_due()) {
		work = case_oldest();
		if (work) {
			work->nr = root_mem_cgroup->swappiness;
			case_queue(work);
		}
	}
}
