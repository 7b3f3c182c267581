// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flag goes behind the charge with its comment: past a way out, past the
 * test of what the charge gave, out of a crowd of statements. It stays where
 * something jumps in, shows the page, looks at it or hands it on before the
 * charge has succeeded, and where what charges makes it visible.
 *
 * args: --rule charge-after-flag
 * kind: with_comment charge-order
 * kind: past_way_out charge-order
 * kind: in_a_crowd charge-order
 * kind: behind_callee charge-order
 * left: callee_looks may read the flag
 * says: with_comment no figure of this change here
 * left: callee_shows the flag has to be set before
 * left: jumped_into something jumps in between
 * left: given_back gives the object back
 * left: out_shows 'lru_cache_add' makes it visible
 * left: out_looks may read the flag
 * left: one_arm no statement of a block
 * left: unchecked nothing tells where the charge has succeeded
 * left: goes_on does not leave when it failed
 * left: renamed another object
 * left: in_macro the write is no plain statement
 */
/* file: mm/case.c */
#include <linux/charge.h>

#define READY(page)	SetPageUptodate(page)

int with_comment(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (!page)
		goto oom;

	/*
	 * Whoever finds the page
	 * finds it filled.
	 */
	__SetPageUptodate(page);

	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		goto oom_free;
	lru_cache_add(page);
	return 0;
oom_free:
	put_page(page);
oom:
	return -12;
}

int past_way_out(struct mm_struct *mm, int max)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	clear_page_of(page);
	/* filled */
	SetPageUptodate(page);	/* for all */
	ret = -14;
	if (unlikely(max < 0))
		goto out;

	ret = mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);
	if (ret)
		goto out;
	lru_cache_add(page);
	return 0;
out:
	put_page(page);
	return ret;
}

int in_a_crowd(struct mm_struct *mm, struct page **pages, int n)
{
	int ret = 0;

	for (int i = 0; i < n; i++) {
		pages[i] = alloc_page(GFP_KERNEL);
		if (!pages[i])
			continue;
		SetPageUptodate(pages[i]);
		ret = mem_cgroup_charge(page_folio(pages[i]), mm, GFP_KERNEL);
		if (ret) {
			put_page(pages[i]);
			break;
		}
		lru_cache_add(pages[i]);
	}
	return ret;
}

static int add(struct page *page)
{
	int ret = mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL);

	if (!ret)
		lru_cache_add(page);
	return ret;
}

int callee_shows(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add(page);
}

int jumped_into(struct mm_struct *mm, struct page *old)
{
	struct page *page = old;

	if (old)
		goto charge;
	page = alloc_page(GFP_KERNEL);
	SetPageUptodate(page);
charge:
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

struct page *given_back(struct mm_struct *mm, bool counted)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (!counted)
		return page;
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL)) {
		put_page(page);
		return NULL;
	}
	return page;
}

int out_shows(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		goto uncounted;
	clear_page_of(page);
uncounted:
	lru_cache_add(page);
	return 0;
}

static void look_at(struct page *page)
{
	if (PageUptodate(page))
		clear_page_of(page);
}

int out_looks(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL)) {
		look_at(page);
		return -12;
	}
	lru_cache_add(page);
	return 0;
}

int one_arm(struct mm_struct *mm, bool ready)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (ready)
		SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int unchecked(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);
}

int goes_on(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret = 0;

	SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		ret = -12;
	lru_cache_add(page);
	return ret;
}

int renamed(struct mm_struct *mm, struct page *next)
{
	struct page *page = alloc_page(GFP_KERNEL), *first = page;

	SetPageUptodate(page);
	page = next;
	if (mem_cgroup_charge(page_folio(first), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int in_macro(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	READY(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

static int charge_slowly(struct page *page, struct mm_struct *mm)
{
	int ret = mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);

	clear_page_of(NULL);
	return ret;
}

int behind_callee(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	SetPageUptodate(page);
	ret = charge_slowly(page, mm);
	if (ret) {
		put_page(page);
		return ret;
	}
	lru_cache_add(page);
	return 0;
}

int behind_callee_too(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (charge_slowly(page, mm))
		return -12;
	lru_cache_add(page);
	return 0;
}

static int charge_and_look(struct page *page, struct mm_struct *mm)
{
	int ret = mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);

	look_at(page);
	return ret;
}

int callee_looks(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (charge_and_look(page, mm))
		return -12;
	lru_cache_add(page);
	return 0;
}
/* after: mm/case.c */
#include <linux/charge.h>

#define READY(page)	SetPageUptodate(page)

int with_comment(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (!page)
		goto oom;

	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		goto oom_free;

	/*
	 * Whoever finds the page
	 * finds it filled.
	 */
	__SetPageUptodate(page);

	lru_cache_add(page);
	return 0;
oom_free:
	put_page(page);
oom:
	return -12;
}

int past_way_out(struct mm_struct *mm, int max)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	clear_page_of(page);
	ret = -14;
	if (unlikely(max < 0))
		goto out;

	ret = mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);
	if (ret)
		goto out;
	/* filled */
	SetPageUptodate(page);	/* for all */
	lru_cache_add(page);
	return 0;
out:
	put_page(page);
	return ret;
}

int in_a_crowd(struct mm_struct *mm, struct page **pages, int n)
{
	int ret = 0;

	for (int i = 0; i < n; i++) {
		pages[i] = alloc_page(GFP_KERNEL);
		if (!pages[i])
			continue;
		ret = mem_cgroup_charge(page_folio(pages[i]), mm, GFP_KERNEL);
		if (ret) {
			put_page(pages[i]);
			break;
		}
		SetPageUptodate(pages[i]);
		lru_cache_add(pages[i]);
	}
	return ret;
}

static int add(struct page *page)
{
	int ret = mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL);

	if (!ret)
		lru_cache_add(page);
	return ret;
}

int callee_shows(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add(page);
}

int jumped_into(struct mm_struct *mm, struct page *old)
{
	struct page *page = old;

	if (old)
		goto charge;
	page = alloc_page(GFP_KERNEL);
	SetPageUptodate(page);
charge:
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

struct page *given_back(struct mm_struct *mm, bool counted)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (!counted)
		return page;
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL)) {
		put_page(page);
		return NULL;
	}
	return page;
}

int out_shows(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		goto uncounted;
	clear_page_of(page);
uncounted:
	lru_cache_add(page);
	return 0;
}

static void look_at(struct page *page)
{
	if (PageUptodate(page))
		clear_page_of(page);
}

int out_looks(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL)) {
		look_at(page);
		return -12;
	}
	lru_cache_add(page);
	return 0;
}

int one_arm(struct mm_struct *mm, bool ready)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (ready)
		SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int unchecked(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);
}

int goes_on(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret = 0;

	SetPageUptodate(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		ret = -12;
	lru_cache_add(page);
	return ret;
}

int renamed(struct mm_struct *mm, struct page *next)
{
	struct page *page = alloc_page(GFP_KERNEL), *first = page;

	SetPageUptodate(page);
	page = next;
	if (mem_cgroup_charge(page_folio(first), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int in_macro(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	READY(page);
	if (mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

static int charge_slowly(struct page *page, struct mm_struct *mm)
{
	int ret = mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);

	clear_page_of(NULL);
	return ret;
}

int behind_callee(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	ret = charge_slowly(page, mm);
	if (ret) {
		put_page(page);
		return ret;
	}

	SetPageUptodate(page);

	lru_cache_add(page);
	return 0;
}

int behind_callee_too(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (charge_slowly(page, mm))
		return -12;
	lru_cache_add(page);
	return 0;
}

static int charge_and_look(struct page *page, struct mm_struct *mm)
{
	int ret = mem_cgroup_charge(page_folio(page), mm, GFP_KERNEL);

	look_at(page);
	return ret;
}

int callee_looks(struct mm_struct *mm)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (charge_and_look(page, mm))
		return -12;
	lru_cache_add(page);
	return 0;
}
