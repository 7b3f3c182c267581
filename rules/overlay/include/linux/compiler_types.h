/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
/* What macros hide becomes a call of one of these. */
extern int __nocharge_unlikely(int);
extern int __nocharge_warn(int);
extern int __nocharge_key(const void *);
extern void __nocharge_barrier(void);
extern void __nocharge_mb(void);
extern void __nocharge_percpu(void);
struct task_struct;
extern struct task_struct *__nocharge_current(void);
#ifndef __NOCHARGE_ORDER
#define __NOCHARGE_ORDER
/* ordering that costs no instruction */
static inline __attribute__((__always_inline__)) void __nocharge_order(void)
{
}
#endif

#undef __cold
#define __cold \
	__attribute__((__cold__)) __attribute__((annotate("nocharge:cold")))
#undef noinline
#define noinline \
	__attribute__((__noinline__)) \
	__attribute__((annotate("nocharge:noinline")))
#undef compiletime_assert
#define compiletime_assert(c, m) do { } while (0)
#undef _compiletime_assert
#define _compiletime_assert(c, m, p, s) do { } while (0)
#endif
