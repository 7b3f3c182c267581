/* SPDX-License-Identifier: GPL-2.0-only */
#ifdef ptdesc_page
#undef ptdesc_page
#undef ptdesc_folio
#undef page_ptdesc
#define ptdesc_page(p) ((struct page *)(p))
#define ptdesc_folio(p) ((struct folio *)(p))
#define page_ptdesc(p) ((struct ptdesc *)(p))
#endif
