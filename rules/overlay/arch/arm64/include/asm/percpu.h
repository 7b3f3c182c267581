/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
#undef raw_cpu_read_1
#define raw_cpu_read_1(p) (__nocharge_percpu(), (p))
#undef raw_cpu_write_1
#define raw_cpu_write_1(p, v) (__nocharge_percpu(), (p) = (v))
#undef raw_cpu_add_1
#define raw_cpu_add_1(p, v) (__nocharge_percpu(), (p) += (v))
#undef raw_cpu_read_2
#define raw_cpu_read_2(p) (__nocharge_percpu(), (p))
#undef raw_cpu_write_2
#define raw_cpu_write_2(p, v) (__nocharge_percpu(), (p) = (v))
#undef raw_cpu_add_2
#define raw_cpu_add_2(p, v) (__nocharge_percpu(), (p) += (v))
#undef raw_cpu_read_4
#define raw_cpu_read_4(p) (__nocharge_percpu(), (p))
#undef raw_cpu_write_4
#define raw_cpu_write_4(p, v) (__nocharge_percpu(), (p) = (v))
#undef raw_cpu_add_4
#define raw_cpu_add_4(p, v) (__nocharge_percpu(), (p) += (v))
#undef raw_cpu_read_8
#define raw_cpu_read_8(p) (__nocharge_percpu(), (p))
#undef raw_cpu_write_8
#define raw_cpu_write_8(p, v) (__nocharge_percpu(), (p) = (v))
#undef raw_cpu_add_8
#define raw_cpu_add_8(p, v) (__nocharge_percpu(), (p) += (v))
#undef this_cpu_read_1
#define this_cpu_read_1(p) (__nocharge_percpu(), (p))
#undef this_cpu_write_1
#define this_cpu_write_1(p, v) (__nocharge_percpu(), (p) = (v))
#undef this_cpu_add_1
#define this_cpu_add_1(p, v) (__nocharge_percpu(), (p) += (v))
#undef this_cpu_read_2
#define this_cpu_read_2(p) (__nocharge_percpu(), (p))
#undef this_cpu_write_2
#define this_cpu_write_2(p, v) (__nocharge_percpu(), (p) = (v))
#undef this_cpu_add_2
#define this_cpu_add_2(p, v) (__nocharge_percpu(), (p) += (v))
#undef this_cpu_read_4
#define this_cpu_read_4(p) (__nocharge_percpu(), (p))
#undef this_cpu_write_4
#define this_cpu_write_4(p, v) (__nocharge_percpu(), (p) = (v))
#undef this_cpu_add_4
#define this_cpu_add_4(p, v) (__nocharge_percpu(), (p) += (v))
#undef this_cpu_read_8
#define this_cpu_read_8(p) (__nocharge_percpu(), (p))
#undef this_cpu_write_8
#define this_cpu_write_8(p, v) (__nocharge_percpu(), (p) = (v))
#undef this_cpu_add_8
#define this_cpu_add_8(p, v) (__nocharge_percpu(), (p) += (v))
#undef __this_cpu_read_1
#define __this_cpu_read_1(p) (__nocharge_percpu(), (p))
#undef __this_cpu_write_1
#define __this_cpu_write_1(p, v) (__nocharge_percpu(), (p) = (v))
#undef __this_cpu_add_1
#define __this_cpu_add_1(p, v) (__nocharge_percpu(), (p) += (v))
#undef __this_cpu_read_2
#define __this_cpu_read_2(p) (__nocharge_percpu(), (p))
#undef __this_cpu_write_2
#define __this_cpu_write_2(p, v) (__nocharge_percpu(), (p) = (v))
#undef __this_cpu_add_2
#define __this_cpu_add_2(p, v) (__nocharge_percpu(), (p) += (v))
#undef __this_cpu_read_4
#define __this_cpu_read_4(p) (__nocharge_percpu(), (p))
#undef __this_cpu_write_4
#define __this_cpu_write_4(p, v) (__nocharge_percpu(), (p) = (v))
#undef __this_cpu_add_4
#define __this_cpu_add_4(p, v) (__nocharge_percpu(), (p) += (v))
#undef __this_cpu_read_8
#define __this_cpu_read_8(p) (__nocharge_percpu(), (p))
#undef __this_cpu_write_8
#define __this_cpu_write_8(p, v) (__nocharge_percpu(), (p) = (v))
#undef __this_cpu_add_8
#define __this_cpu_add_8(p, v) (__nocharge_percpu(), (p) += (v))
#endif
