/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
#undef this_cpu_read
#define this_cpu_read(p) (__nocharge_percpu(), (p))
#undef this_cpu_write
#define this_cpu_write(p, v) (__nocharge_percpu(), (p) = (v))
#undef this_cpu_add
#define this_cpu_add(p, v) (__nocharge_percpu(), (p) += (v))
#undef this_cpu_sub
#define this_cpu_sub(p, v) (__nocharge_percpu(), (p) -= (v))
#undef this_cpu_and
#define this_cpu_and(p, v) (__nocharge_percpu(), (p) &= (v))
#undef this_cpu_or
#define this_cpu_or(p, v) (__nocharge_percpu(), (p) |= (v))
#undef this_cpu_inc
#define this_cpu_inc(p) (__nocharge_percpu(), (p)++)
#undef this_cpu_dec
#define this_cpu_dec(p) (__nocharge_percpu(), (p)--)
#undef this_cpu_add_return
#define this_cpu_add_return(p, v) (__nocharge_percpu(), (p) += (v))
#undef this_cpu_sub_return
#define this_cpu_sub_return(p, v) (__nocharge_percpu(), (p) -= (v))
#undef this_cpu_inc_return
#define this_cpu_inc_return(p) (__nocharge_percpu(), ++(p))
#undef this_cpu_dec_return
#define this_cpu_dec_return(p) (__nocharge_percpu(), --(p))
#undef this_cpu_ptr
#define this_cpu_ptr(p) (__nocharge_percpu(), (p))
#undef __this_cpu_read
#define __this_cpu_read(p) (__nocharge_percpu(), (p))
#undef __this_cpu_write
#define __this_cpu_write(p, v) (__nocharge_percpu(), (p) = (v))
#undef __this_cpu_add
#define __this_cpu_add(p, v) (__nocharge_percpu(), (p) += (v))
#undef __this_cpu_sub
#define __this_cpu_sub(p, v) (__nocharge_percpu(), (p) -= (v))
#undef __this_cpu_and
#define __this_cpu_and(p, v) (__nocharge_percpu(), (p) &= (v))
#undef __this_cpu_or
#define __this_cpu_or(p, v) (__nocharge_percpu(), (p) |= (v))
#undef __this_cpu_inc
#define __this_cpu_inc(p) (__nocharge_percpu(), (p)++)
#undef __this_cpu_dec
#define __this_cpu_dec(p) (__nocharge_percpu(), (p)--)
#undef __this_cpu_add_return
#define __this_cpu_add_return(p, v) (__nocharge_percpu(), (p) += (v))
#undef __this_cpu_sub_return
#define __this_cpu_sub_return(p, v) (__nocharge_percpu(), (p) -= (v))
#undef __this_cpu_inc_return
#define __this_cpu_inc_return(p) (__nocharge_percpu(), ++(p))
#undef __this_cpu_dec_return
#define __this_cpu_dec_return(p) (__nocharge_percpu(), --(p))
#undef __this_cpu_ptr
#define __this_cpu_ptr(p) (__nocharge_percpu(), (p))
#undef raw_cpu_read
#define raw_cpu_read(p) (__nocharge_percpu(), (p))
#undef raw_cpu_write
#define raw_cpu_write(p, v) (__nocharge_percpu(), (p) = (v))
#undef raw_cpu_add
#define raw_cpu_add(p, v) (__nocharge_percpu(), (p) += (v))
#undef raw_cpu_sub
#define raw_cpu_sub(p, v) (__nocharge_percpu(), (p) -= (v))
#undef raw_cpu_and
#define raw_cpu_and(p, v) (__nocharge_percpu(), (p) &= (v))
#undef raw_cpu_or
#define raw_cpu_or(p, v) (__nocharge_percpu(), (p) |= (v))
#undef raw_cpu_inc
#define raw_cpu_inc(p) (__nocharge_percpu(), (p)++)
#undef raw_cpu_dec
#define raw_cpu_dec(p) (__nocharge_percpu(), (p)--)
#undef raw_cpu_add_return
#define raw_cpu_add_return(p, v) (__nocharge_percpu(), (p) += (v))
#undef raw_cpu_sub_return
#define raw_cpu_sub_return(p, v) (__nocharge_percpu(), (p) -= (v))
#undef raw_cpu_inc_return
#define raw_cpu_inc_return(p) (__nocharge_percpu(), ++(p))
#undef raw_cpu_dec_return
#define raw_cpu_dec_return(p) (__nocharge_percpu(), --(p))
#undef raw_cpu_ptr
#define raw_cpu_ptr(p) (__nocharge_percpu(), (p))
/* which processor's is not of interest */
#undef per_cpu_ptr
#define per_cpu_ptr(p, c) (p)
#undef per_cpu
#define per_cpu(v, c) (v)
#undef __get_cpu_var
#define __get_cpu_var(v) (*(__nocharge_percpu(), &(v)))
#undef __raw_get_cpu_var
#define __raw_get_cpu_var(v) (*(__nocharge_percpu(), &(v)))
#endif
