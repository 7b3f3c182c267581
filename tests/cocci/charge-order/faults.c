// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

int fault(struct vm_fault *vmf, struct mem_cgroup *memcg)
{
	struct page *page = page_new(vmf);

	/*
	 * What was written to the page comes before
	 * who sees it.
	 */
	__SetPageUptodate(page);

	if (mem_cgroup_try_charge(page, vmf->mm, GFP_KERNEL, &memcg))
		goto oom;
	return map(page);
oom:
	page_put(page);
	return VM_FAULT_OOM;
}

int fault_by_folio(struct vm_fault *vmf, struct page *page)
{
	int ret;

	SetPageUptodate(page);
	ret = mem_cgroup_charge(page_folio(page), vmf->mm, GFP_KERNEL);
	if (ret)
		goto oom;
	return map(page);
oom:
	return ret;
}

/* another page, and one that others see by then */
int fault_others(struct vm_fault *vmf, struct page *page, struct page *old)
{
	SetPageUptodate(old);
	if (mem_cgroup_charge(page_folio(page), vmf->mm, GFP_KERNEL))
		goto oom;
	SetPageUptodate(page);
	map(page);
	if (mem_cgroup_charge(page_folio(page), vmf->mm, GFP_KERNEL))
		goto oom;
	return 0;
oom:
	return VM_FAULT_OOM;
}
