/* SPDX-License-Identifier: GPL-2.0-only */
#pragma nocharge compile "BUILD_BUG_ON(!__builtin_constant_p(offset));" "" // clang asks before it inlines
#undef rcu_dereference
#undef rcu_dereference_check
#undef rcu_dereference_bh
#undef rcu_dereference_bh_check
#undef rcu_dereference_sched
#undef rcu_dereference_sched_check
#undef rcu_dereference_all
#undef rcu_dereference_all_check
#undef rcu_dereference_protected
#undef rcu_dereference_raw
#undef rcu_dereference_raw_check
#undef rcu_dereference_raw_notrace
#undef rcu_dereference_index_check
#undef rcu_access_pointer
#undef rcu_access_index
#undef rcu_assign_pointer
#define rcu_dereference(p) (p)
#define rcu_dereference_check(p, c) (p)
#define rcu_dereference_bh(p) (p)
#define rcu_dereference_bh_check(p, c) (p)
#define rcu_dereference_sched(p) (p)
#define rcu_dereference_sched_check(p, c) (p)
#define rcu_dereference_all(p) (p)
#define rcu_dereference_all_check(p, c) (p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_dereference_raw(p) (p)
#define rcu_dereference_raw_check(p) (p)
#define rcu_dereference_raw_notrace(p) (p)
#define rcu_dereference_index_check(p, c) (p)
#define rcu_access_pointer(p) (p)
#define rcu_access_index(p) (p)
#define rcu_assign_pointer(p, v) ((p) = (__typeof__(p))(v))
