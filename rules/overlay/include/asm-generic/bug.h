/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
#undef WARN_ON
#undef WARN_ON_ONCE
#undef WARN
#undef WARN_ONCE
#undef BUG_ON
#define WARN_ON(c) __nocharge_warn(!!(c))
#define WARN_ON_ONCE(c) __nocharge_warn(!!(c))
#define WARN(c, ...) __nocharge_warn(!!(c))
#define WARN_ONCE(c, ...) __nocharge_warn(!!(c))
#define BUG_ON(c) ((void)__nocharge_warn(!!(c)))
#endif
