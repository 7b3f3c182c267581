/* SPDX-License-Identifier: GPL-2.0-only */
#ifdef __ro_after_init
#undef __ro_after_init
#define __ro_after_init __attribute__((annotate("nocharge:ro_after_init")))
#endif
