/* SPDX-License-Identifier: GPL-2.0-only */
/* of old trees: some conditions are only constant after optimisation */
#undef BUILD_BUG_ON
#define BUILD_BUG_ON(c) ((void)0)
