// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a static function that nobody else calls charges the page and shows
 * it, the write goes in there, under the name that the page has there. It
 * stays where others call that function, too, where the page has another name
 * there by then, where another page is handed over, and where the caller
 * needs the flag behind the call.
 *
 * args: --rule charge-after-flag
 * kind: copy charge-order
 * says: copy in replace(), which nobody else calls
 * left: one_of_two it is called elsewhere, too
 * left: other_of_two it is called elsewhere, too
 * left: looks_behind may read the flag
 * left: shows_behind 'lru_cache_add' makes it visible
 * left: other_page another object
 * left: other_name it knows the object by other names
 */
/* file: mm/case.c */
#include <linux/charge.h>

static int replace(struct page *old, struct page *new)
{
	struct folio *folio;
	int err;

	if (new) {
		folio = page_folio(new);
		err = mem_cgroup_charge(folio, NULL, GFP_KERNEL);
		if (err)
			return err;
	}
	if (new)
		lru_cache_add(new);
	put_page(old);
	return 0;
}

int copy(struct page *old, bool same)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	if (!page)
		return -12;

	/*
	 * Whoever finds the page
	 * finds it filled.
	 */
	__SetPageUptodate(page);

	clear_page_of(page);
	if (same) {
		put_page(page);
		page = NULL;
	}
	ret = replace(old, page);
	if (page)
		put_page(page);
	return ret;
}

static int add(struct page *page)
{
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int one_of_two(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add(page);
}

int other_of_two(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add(page);
}

static int add_seldom(struct page *page, bool counted)
{
	if (!counted)
		return 0;
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	return 0;
}

static void look_at(struct page *page)
{
	if (PageUptodate(page))
		clear_page_of(page);
}

int looks_behind(bool counted)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	SetPageUptodate(page);
	ret = add_seldom(page, counted);
	look_at(page);
	return ret;
}

static int add_often(struct page *page, bool counted)
{
	if (!counted)
		return 0;
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	return 0;
}

int shows_behind(bool counted)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	SetPageUptodate(page);
	ret = add_often(page, counted);
	lru_cache_add(page);
	return ret;
}

static int add_other(struct page *page)
{
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int other_page(struct page *next, bool other)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (other)
		page = next;
	return add_other(page);
}

static int add_renamed(struct page *page, struct page *next)
{
	struct page *first = page;

	page = next;
	if (mem_cgroup_charge(page_folio(first), NULL, GFP_KERNEL))
		return -12;
	lru_cache_add(first);
	return 0;
}

int other_name(struct page *next)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add_renamed(page, next);
}
/* after: mm/case.c */
#include <linux/charge.h>

static int replace(struct page *old, struct page *new)
{
	struct folio *folio;
	int err;

	if (new) {
		folio = page_folio(new);
		err = mem_cgroup_charge(folio, NULL, GFP_KERNEL);
		if (err)
			return err;

		/*
		 * Whoever finds the page
		 * finds it filled.
		 */
		__SetPageUptodate(new);
	}
	if (new)
		lru_cache_add(new);
	put_page(old);
	return 0;
}

int copy(struct page *old, bool same)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	if (!page)
		return -12;

	clear_page_of(page);
	if (same) {
		put_page(page);
		page = NULL;
	}
	ret = replace(old, page);
	if (page)
		put_page(page);
	return ret;
}

static int add(struct page *page)
{
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int one_of_two(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add(page);
}

int other_of_two(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add(page);
}

static int add_seldom(struct page *page, bool counted)
{
	if (!counted)
		return 0;
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	return 0;
}

static void look_at(struct page *page)
{
	if (PageUptodate(page))
		clear_page_of(page);
}

int looks_behind(bool counted)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	SetPageUptodate(page);
	ret = add_seldom(page, counted);
	look_at(page);
	return ret;
}

static int add_often(struct page *page, bool counted)
{
	if (!counted)
		return 0;
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	return 0;
}

int shows_behind(bool counted)
{
	struct page *page = alloc_page(GFP_KERNEL);
	int ret;

	SetPageUptodate(page);
	ret = add_often(page, counted);
	lru_cache_add(page);
	return ret;
}

static int add_other(struct page *page)
{
	if (mem_cgroup_charge(page_folio(page), NULL, GFP_KERNEL))
		return -12;
	lru_cache_add(page);
	return 0;
}

int other_page(struct page *next, bool other)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	if (other)
		page = next;
	return add_other(page);
}

static int add_renamed(struct page *page, struct page *next)
{
	struct page *first = page;

	page = next;
	if (mem_cgroup_charge(page_folio(first), NULL, GFP_KERNEL))
		return -12;
	lru_cache_add(first);
	return 0;
}

int other_name(struct page *next)
{
	struct page *page = alloc_page(GFP_KERNEL);

	SetPageUptodate(page);
	return add_renamed(page, next);
}
