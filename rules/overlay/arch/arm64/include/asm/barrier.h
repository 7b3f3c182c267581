/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
#undef mb
#undef rmb
#undef wmb
#undef dma_rmb
#undef dma_wmb
#undef dma_mb
#undef smp_mb
#undef smp_rmb
#undef smp_wmb
#undef smp_store_mb
#undef set_mb
#undef smp_store_release
#undef smp_load_acquire
#undef smp_mb__before_atomic
#undef smp_mb__after_atomic
#undef read_barrier_depends
#undef smp_read_barrier_depends
#define mb() __nocharge_mb()
#define rmb() __nocharge_mb()
#define wmb() __nocharge_mb()
#define dma_rmb() __nocharge_mb()
#define dma_wmb() __nocharge_mb()
#define dma_mb() __nocharge_mb()
#define smp_mb() __nocharge_mb()
#define smp_rmb() __nocharge_mb()
#define smp_wmb() __nocharge_mb()
#define smp_mb__before_atomic() __nocharge_mb()
#define smp_mb__after_atomic() __nocharge_mb()
#define smp_store_mb(p, v) do { (p) = (v); __nocharge_mb(); } while (0)
#define set_mb(p, v) do { (p) = (v); __nocharge_mb(); } while (0)
/* stlr and ldar: an ordinary store and load that order */
#define smp_store_release(p, v) do { __nocharge_order(); *(p) = (v); } while (0)
#define smp_load_acquire(p) (*(p))
#define read_barrier_depends() do { } while (0)
#define smp_read_barrier_depends() do { } while (0)
#endif
