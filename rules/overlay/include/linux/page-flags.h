/* SPDX-License-Identifier: GPL-2.0-only */
#ifdef page_folio
#undef page_folio
#define page_folio(p) \
	((struct folio *)_compound_head((const struct page *)(p)))
#endif
