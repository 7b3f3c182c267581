// SPDX-License-Identifier: GPL-2.0-only
/* spatch: -D patch */
#include <linux/memcontrol.h>

bool same_group(struct folio *folio, struct lruvec *lruvec)
{
	return lruvec_memcg(lruvec) == folio_memcg(folio);
}

bool another_group(struct page *page, struct lruvec *lruvec)
{
	return lruvec_memcg(lruvec) != page_memcg(page);
}

bool settled(struct folio *folio, struct lruvec *lruvec)
{
	return mem_cgroup_disabled() || lruvec_memcg(lruvec) == folio_memcg(folio);
}

bool told(struct mem_cgroup *memcg, struct lruvec *lruvec)
{
	return lruvec_memcg(lruvec) == memcg;
}
