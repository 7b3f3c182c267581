// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is stored into the root group while it is made, for certain, is there
 * when anybody asks: the making may only be left early by a failure, without
 * which no kernel boots.
 *
 * kind: memcg_may_swap wrap
 * says: memcg_may_swap "return true"
 * left: memcg_may_charge what it returns
 * left: memcg_may_limit what it returns
 */
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#define ENOMEM 12

extern int case_quick;

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

bool case_swap_on(void);

#ifdef CONFIG_MEMCG
bool memcg_may_swap(struct mem_cgroup *memcg);
bool memcg_may_charge(struct mem_cgroup *memcg);
bool memcg_may_limit(struct mem_cgroup *memcg);
#else
static inline bool memcg_may_swap(struct mem_cgroup *memcg)
{
	return true;
}

static inline bool memcg_may_charge(struct mem_cgroup *memcg)
{
	return true;
}

static inline bool memcg_may_limit(struct mem_cgroup *memcg)
{
	return true;
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
		return ERR_PTR(-ENOMEM);
	memcg->swappiness = 1;
	if (case_quick)
		memcg->id = 1;
	if (case_quick > 1) {
		root_mem_cgroup = memcg;
		return &memcg->css;
	}
	memcg->soft_limit = 1;
	if (!parent_css)
		root_mem_cgroup = memcg;
	return &memcg->css;
}

static u64 mem_cgroup_read_id(struct cgroup_subsys_state *css,
			      struct cftype *cft)
{
	/* no file of a group can be read while there is none */
	mem_cgroup_from_css(css)->swappiness = 0;
	return mem_cgroup_from_css(css)->id;
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr)
{
	atomic_long_add(nr, &memcg->memory.usage);
}

static struct cftype memory_files[] = {
	{ .name = "id", .read_u64 = mem_cgroup_read_id },
	{ }
};

struct cgroup_subsys memory_cgrp_subsys = {
	.css_alloc = mem_cgroup_css_alloc,
	.dfl_cftypes = memory_files,
	.name = "memory",
};
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

bool memcg_may_swap(struct mem_cgroup *memcg)
{
	if (!case_swap_on())
		return true;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (!memcg->swappiness)
			return false;
	return true;
}

bool memcg_may_charge(struct mem_cgroup *memcg)
{
	if (!case_swap_on())
		return true;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (!memcg->id)
			return false;
	return true;
}

bool memcg_may_limit(struct mem_cgroup *memcg)
{
	if (!case_swap_on())
		return true;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (!memcg->soft_limit)
			return false;
	return true;
}
/* file: mm/memory.c */
#include <linux/case.h>

int case_quick;
static struct mem_cgroup *target;

bool case_swap_on(void)
{
	return ++case_quick & 4;
}

void case_target(struct mem_cgroup *memcg)
{
	target = memcg;
}

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	if (!memcg_may_swap(target) || !memcg_may_charge(target) ||
	    !memcg_may_limit(target))
		return VM_FAULT_OOM;
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#define ENOMEM 12

extern int case_quick;

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

bool case_swap_on(void);

#ifdef CONFIG_MEMCG
bool __memcg_may_swap(struct mem_cgroup *memcg);

static inline bool memcg_may_swap(struct mem_cgroup *memcg)
{
	if (mem_cgroup_disabled())
		return true;

	return __memcg_may_swap(memcg);
}

bool memcg_may_charge(struct mem_cgroup *memcg);
bool memcg_may_limit(struct mem_cgroup *memcg);
#else
static inline bool memcg_may_swap(struct mem_cgroup *memcg)
{
	return true;
}

static inline bool memcg_may_charge(struct mem_cgroup *memcg)
{
	return true;
}

static inline bool memcg_may_limit(struct mem_cgroup *memcg)
{
	return true;
}
#endif

#endif
/* after: mm/case.c */
#include <linux/case.h>

bool __memcg_may_swap(struct mem_cgroup *memcg)
{
	if (!case_swap_on())
		return true;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (!memcg->swappiness)
			return false;
	return true;
}

bool memcg_may_charge(struct mem_cgroup *memcg)
{
	if (!case_swap_on())
		return true;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (!memcg->id)
			return false;
	return true;
}

bool memcg_may_limit(struct mem_cgroup *memcg)
{
	if (!case_swap_on())
		return true;
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		if (!memcg->soft_limit)
			return false;
	return true;
}
