/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
#undef static_branch_likely
#undef static_branch_unlikely
#undef static_branch_maybe
#undef static_key_false
#undef static_key_true
#define static_branch_likely(x) __nocharge_key(&(x)->key)
#define static_branch_unlikely(x) __nocharge_key(&(x)->key)
#define static_branch_maybe(config, x) __nocharge_key(&(x)->key)
/* before 4.3 the key stands there without a type of its own */
#define static_key_false(k) __nocharge_key(k)
#define static_key_true(k) __nocharge_key(k)
#endif
