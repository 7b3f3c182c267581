// SPDX-License-Identifier: GPL-2.0-only
/*
 * The predicate reads a field that the command line sets before keys can be
 * switched: a key that follows it later. What else is fixed stays so with it.
 *
 * kind: mem_cgroup_disabled static-key
 * says: mem_cgroup_disabled An early initcall, mem_cgroup_disabled_init(), raises the key
 * kind: memcg_note_map wrap
 */
/* file: include/linux/cgroup-defs.h */
#ifndef __LINUX_CGROUP_DEFS_H
#define __LINUX_CGROUP_DEFS_H

#include <linux/types.h>
#include <linux/jump_label.h>
#include <linux/rcupdate.h>

struct task_struct;
struct cgroup_subsys;
struct cgroup;

enum cgroup_subsys_id {
	cpu_cgrp_id,
#ifdef CONFIG_MEMCG
	mem_cgroup_subsys_id,
#endif
	CGROUP_SUBSYS_COUNT,
};

enum {
	CSS_NO_REF = 1,
	CSS_ONLINE = 2,
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys *ss;
	atomic_long_t refcnt;
	unsigned int flags;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup *parent;
	struct cgroup_subsys_state *subsys[CGROUP_SUBSYS_COUNT];
};

struct css_set {
	struct cgroup_subsys_state *subsys[CGROUP_SUBSYS_COUNT];
};

struct cgroup_subsys {
	struct cgroup_subsys_state *(*create)(struct cgroup *cont);
	void (*destroy)(struct cgroup *cont);
	int disabled;
	int id;
	const char *name;
};

#endif
/* file: include/linux/cgroup.h */
#ifndef __LINUX_CGROUP_H
#define __LINUX_CGROUP_H

#include <linux/cgroup-defs.h>
#include <linux/sched.h>

extern struct cgroup_subsys cpu_cgrp_subsys;
#ifdef CONFIG_MEMCG
extern struct cgroup_subsys mem_cgroup_subsys;
#endif

static inline bool cgroup_on_dfl(void)
{
	return true;
}

#define cgroup_subsys_enabled(ss) (!(ss).disabled)
#define cgroup_subsys_on_dfl(ss) cgroup_on_dfl()

void __css_get(struct cgroup_subsys_state *css, unsigned int n);
void __css_put(struct cgroup_subsys_state *css, unsigned int n);

static inline void css_get(struct cgroup_subsys_state *css)
{
	if (!(css->flags & CSS_NO_REF))
		__css_get(css, 1);
}

static inline void css_put(struct cgroup_subsys_state *css)
{
	if (!(css->flags & CSS_NO_REF))
		__css_put(css, 1);
}

static inline struct cgroup_subsys_state *task_css(struct task_struct *task,
						   int subsys_id)
{
	return rcu_dereference(task->cgroups)->subsys[subsys_id];
}

#endif
/* file: kernel/cgroup.c */
#include <linux/cgroup.h>
#include <linux/mm.h>
#include <linux/init.h>

struct cgroup_subsys cpu_cgrp_subsys;

static struct cgroup_subsys *cgroup_subsys[] = {
	&cpu_cgrp_subsys,
#ifdef CONFIG_MEMCG
	&mem_cgroup_subsys,
#endif
};

static struct css_set init_css_set;
static struct cgroup dummytop;

static int __init cgroup_disable(char *str)
{
	int i;

	for (i = 0; i < CGROUP_SUBSYS_COUNT; i++)
		if (cgroup_subsys[i]->name == str)
			cgroup_subsys[i]->disabled = 1;
	return 1;
}
__setup("cgroup_disable=", cgroup_disable);

int __init cgroup_init(void)
{
	int i;

	for (i = 0; i < CGROUP_SUBSYS_COUNT; i++) {
		struct cgroup_subsys *ss = cgroup_subsys[i];

		ss->id = i;
		if (ss->create)
			init_css_set.subsys[i] = ss->create(&dummytop);
	}
	return 0;
}

void mm_init_owner(struct mm_struct *mm, struct task_struct *p)
{
#ifdef CONFIG_MEMCG
	mm->owner = p;
#endif
}

void __css_get(struct cgroup_subsys_state *css, unsigned int n)
{
	atomic_long_add(n, &css->refcnt);
}

void __css_put(struct cgroup_subsys_state *css, unsigned int n)
{
	atomic_long_add(-(long)n, &css->refcnt);
}
/* file: include/linux/memcontrol.h */
#ifndef __LINUX_MEMCONTROL_H
#define __LINUX_MEMCONTROL_H

#include <linux/cgroup.h>
#include <linux/mm.h>

struct mem_cgroup;

#ifdef CONFIG_MEMCG

struct page_counter {
	atomic_long_t usage;
	unsigned long max;
	struct page_counter *parent;
};

struct mem_cgroup_per_node {
	struct lruvec lruvec;
	unsigned long lru_size[NR_LRU_LISTS];
	struct mem_cgroup *memcg;
};

struct mem_cgroup {
	struct cgroup_subsys_state css;
	struct page_counter memory;
	struct page_counter swap;
	unsigned int id;
	int swappiness;
	int under_oom;
	unsigned long events[8];
	struct mem_cgroup_per_node *nodeinfo[1];
};

extern struct mem_cgroup *root_mem_cgroup;

static inline bool mem_cgroup_disabled(void)
{
	if (mem_cgroup_subsys.disabled)
		return true;
	return false;
}

static inline bool mem_cgroup_is_root(struct mem_cgroup *memcg)
{
	return memcg == root_mem_cgroup;
}

static inline struct mem_cgroup *mem_cgroup_from_css(struct cgroup_subsys_state *css)
{
	return css ? container_of(css, struct mem_cgroup, css) : NULL;
}

static inline struct mem_cgroup *parent_mem_cgroup(struct mem_cgroup *memcg)
{
	return mem_cgroup_from_css(memcg->css.parent);
}

static inline struct mem_cgroup *mem_cgroup_from_task(struct task_struct *p)
{
	if (!p)
		return NULL;
	return mem_cgroup_from_css(task_css(p, mem_cgroup_subsys_id));
}

static inline struct mem_cgroup *folio_memcg(struct folio *folio)
{
	return (struct mem_cgroup *)(READ_ONCE(folio->memcg_data) & ~3UL);
}

static inline bool do_memsw_account(void)
{
	return !cgroup_subsys_on_dfl(mem_cgroup_subsys);
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr);

#else /* !CONFIG_MEMCG */

static inline bool mem_cgroup_disabled(void)
{
	return true;
}

static inline bool mem_cgroup_is_root(struct mem_cgroup *memcg)
{
	return true;
}

static inline struct mem_cgroup *folio_memcg(struct folio *folio)
{
	return NULL;
}

#endif /* CONFIG_MEMCG */
#endif
/* file: mm/memcontrol.c if MEMCG */
#include <linux/init.h>
#include <linux/memcontrol.h>
#include <linux/slab.h>

struct mem_cgroup *root_mem_cgroup __read_mostly;

static struct cgroup_subsys_state *mem_cgroup_create(struct cgroup *cont)
{
	struct mem_cgroup *memcg = kzalloc(sizeof(*memcg), GFP_KERNEL);

	if (!memcg)
		return NULL;
	if (cont->parent) {
		struct mem_cgroup *parent = mem_cgroup_from_css(
			cont->parent->subsys[mem_cgroup_subsys_id]);

		memcg->memory.parent = &parent->memory;
	} else {
		root_mem_cgroup = memcg;
	}
	return &memcg->css;
}

static void mem_cgroup_destroy(struct cgroup *cont)
{
	kfree(mem_cgroup_from_css(cont->subsys[mem_cgroup_subsys_id]));
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr)
{
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		atomic_long_add(nr, &memcg->memory.usage);
}

struct cgroup_subsys mem_cgroup_subsys = {
	.create = mem_cgroup_create,
	.destroy = mem_cgroup_destroy,
	.name = "memory",
};
/* file: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void memcg_note_map(struct mm_struct *mm);
void __memcg_note_fault(struct task_struct *task);

static inline void memcg_note_fault(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;
	__memcg_note_fault(task);
}

/* Tasks and groups of groups belong to the root, while it is off. */
static inline void memcg_note_task(struct task_struct *task,
				   struct cgroup *cont)
{
	if (mem_cgroup_from_task(task) != root_mem_cgroup)
		__memcg_note_fault(task);
	if (mem_cgroup_from_css(cont->subsys[mem_cgroup_subsys_id]) !=
	    root_mem_cgroup)
		__memcg_note_fault(task);
}
#else
static inline void memcg_note_task(struct task_struct *task,
				   struct cgroup *cont)
{
}

static inline void memcg_note_fault(struct task_struct *task)
{
}

static inline void memcg_note_map(struct mm_struct *mm)
{
}
#endif

#endif
/* file: mm/case.c if MEMCG */
#include <linux/case.h>

void __memcg_note_fault(struct task_struct *task)
{
	mem_cgroup_consume(mem_cgroup_from_task(task), 1);
}

void memcg_note_map(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[1]++;
	rcu_read_unlock();
}
/* file: mm/memory.c */
#include <linux/case.h>

vm_fault_t do_anonymous_page(struct vm_fault *vmf)
{
	memcg_note_fault(current);
	memcg_note_map(vmf->vma->vm_mm);
	memcg_note_task(current, (struct cgroup *)vmf);
	return 0;
}
/* after: include/linux/case.h */
#ifndef _LINUX_CASE_H
#define _LINUX_CASE_H

#include <linux/memcontrol.h>

#ifdef CONFIG_MEMCG
void __memcg_note_map(struct mm_struct *mm);

static inline void memcg_note_map(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return;

	__memcg_note_map(mm);
}

void __memcg_note_fault(struct task_struct *task);

static inline void memcg_note_fault(struct task_struct *task)
{
	if (mem_cgroup_disabled())
		return;
	__memcg_note_fault(task);
}

/* Tasks and groups of groups belong to the root, while it is off. */
static inline void memcg_note_task(struct task_struct *task,
				   struct cgroup *cont)
{
	if (mem_cgroup_from_task(task) != root_mem_cgroup)
		__memcg_note_fault(task);
	if (mem_cgroup_from_css(cont->subsys[mem_cgroup_subsys_id]) !=
	    root_mem_cgroup)
		__memcg_note_fault(task);
}
#else
static inline void memcg_note_task(struct task_struct *task,
				   struct cgroup *cont)
{
}

static inline void memcg_note_fault(struct task_struct *task)
{
}

static inline void memcg_note_map(struct mm_struct *mm)
{
}
#endif

#endif
/* after: include/linux/memcontrol.h */
#ifndef __LINUX_MEMCONTROL_H
#define __LINUX_MEMCONTROL_H

#include <linux/cgroup.h>
#include <linux/jump_label.h>
#include <linux/mm.h>

struct mem_cgroup;

#ifdef CONFIG_MEMCG

struct page_counter {
	atomic_long_t usage;
	unsigned long max;
	struct page_counter *parent;
};

struct mem_cgroup_per_node {
	struct lruvec lruvec;
	unsigned long lru_size[NR_LRU_LISTS];
	struct mem_cgroup *memcg;
};

struct mem_cgroup {
	struct cgroup_subsys_state css;
	struct page_counter memory;
	struct page_counter swap;
	unsigned int id;
	int swappiness;
	int under_oom;
	unsigned long events[8];
	struct mem_cgroup_per_node *nodeinfo[1];
};

extern struct mem_cgroup *root_mem_cgroup;

extern struct static_key mem_cgroup_disabled_key;

static inline bool mem_cgroup_disabled(void)
{
	return static_key_false(&mem_cgroup_disabled_key);
}

static inline bool mem_cgroup_is_root(struct mem_cgroup *memcg)
{
	return memcg == root_mem_cgroup;
}

static inline struct mem_cgroup *mem_cgroup_from_css(struct cgroup_subsys_state *css)
{
	return css ? container_of(css, struct mem_cgroup, css) : NULL;
}

static inline struct mem_cgroup *parent_mem_cgroup(struct mem_cgroup *memcg)
{
	return mem_cgroup_from_css(memcg->css.parent);
}

static inline struct mem_cgroup *mem_cgroup_from_task(struct task_struct *p)
{
	if (!p)
		return NULL;
	return mem_cgroup_from_css(task_css(p, mem_cgroup_subsys_id));
}

static inline struct mem_cgroup *folio_memcg(struct folio *folio)
{
	return (struct mem_cgroup *)(READ_ONCE(folio->memcg_data) & ~3UL);
}

static inline bool do_memsw_account(void)
{
	return !cgroup_subsys_on_dfl(mem_cgroup_subsys);
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr);

#else /* !CONFIG_MEMCG */

static inline bool mem_cgroup_disabled(void)
{
	return true;
}

static inline bool mem_cgroup_is_root(struct mem_cgroup *memcg)
{
	return true;
}

static inline struct mem_cgroup *folio_memcg(struct folio *folio)
{
	return NULL;
}

#endif /* CONFIG_MEMCG */
#endif
/* after: mm/case.c */
#include <linux/case.h>

void __memcg_note_fault(struct task_struct *task)
{
	mem_cgroup_consume(mem_cgroup_from_task(task), 1);
}

void __memcg_note_map(struct mm_struct *mm)
{
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = mem_cgroup_from_task(rcu_dereference(mm->owner));
	if (memcg)
		memcg->events[1]++;
	rcu_read_unlock();
}
/* after: mm/memcontrol.c */
#include <linux/init.h>
#include <linux/memcontrol.h>
#include <linux/slab.h>

struct mem_cgroup *root_mem_cgroup __read_mostly;

static struct cgroup_subsys_state *mem_cgroup_create(struct cgroup *cont)
{
	struct mem_cgroup *memcg = kzalloc(sizeof(*memcg), GFP_KERNEL);

	if (!memcg)
		return NULL;
	if (cont->parent) {
		struct mem_cgroup *parent = mem_cgroup_from_css(
			cont->parent->subsys[mem_cgroup_subsys_id]);

		memcg->memory.parent = &parent->memory;
	} else {
		root_mem_cgroup = memcg;
	}
	return &memcg->css;
}

static void mem_cgroup_destroy(struct cgroup *cont)
{
	kfree(mem_cgroup_from_css(cont->subsys[mem_cgroup_subsys_id]));
}

void mem_cgroup_consume(struct mem_cgroup *memcg, unsigned int nr)
{
	for (; memcg; memcg = parent_mem_cgroup(memcg))
		atomic_long_add(nr, &memcg->memory.usage);
}

struct cgroup_subsys mem_cgroup_subsys = {
	.create = mem_cgroup_create,
	.destroy = mem_cgroup_destroy,
	.name = "memory",
};

struct static_key mem_cgroup_disabled_key = STATIC_KEY_INIT_FALSE;

static int __init mem_cgroup_disabled_init(void)
{
	if (mem_cgroup_subsys.disabled)
		static_key_slow_inc(&mem_cgroup_disabled_key);
	return 0;
}
early_initcall(mem_cgroup_disabled_init);
