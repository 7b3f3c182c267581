/* SPDX-License-Identifier: GPL-2.0-only */
#undef srcu_dereference
#undef srcu_dereference_check
#undef srcu_dereference_notrace
#define srcu_dereference(p, sp) (p)
#define srcu_dereference_check(p, sp, c) (p)
#define srcu_dereference_notrace(p, sp) (p)
