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

#undef likely
#undef unlikely
#define likely(x) (!!(x))
#define unlikely(x) (__nocharge_unlikely(!!(x)))
#undef likely_notrace
#undef unlikely_notrace
#define likely_notrace(x) likely(x)
#define unlikely_notrace(x) unlikely(x)
#undef data_race
#define data_race(x) (x)
#undef barrier
#define barrier() __nocharge_barrier()
#undef READ_ONCE
#define READ_ONCE(x) (x)
#undef WRITE_ONCE
#define WRITE_ONCE(x, v) ((x) = (v))
#undef ACCESS_ONCE
#define ACCESS_ONCE(x) (x)
#undef lockless_dereference
#define lockless_dereference(p) (p)
#endif
