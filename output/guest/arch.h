/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is another on each architecture for a program that a kernel boots; the
 * other side is output/boot_arch.c.
 *
 *	NUMBERS     the device that is the second serial line
 *	now()       instructions, or what the emulator lets pass in their time
 *	MARK(n)     an instruction that does nothing, with a number that nothing
 *		    else has; output/count knows it
 */
#ifndef NOCHARGE_ARCH_H
#define NOCHARGE_ARCH_H

#include <stdint.h>

#if defined(__x86_64__)

#define NUMBERS "/dev/ttyS1"

/* counts nanoseconds, each of which is an instruction */
static inline uint64_t now(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* nopl 0x6e6f63NN(%rax) */
#define MARK(number) \
	__asm__ volatile("nopl 0x6e6f6300+" #number "(%%rax)" : : : "memory")

#elif defined(__aarch64__)

#define NUMBERS "/dev/hvc0"

/* a tick of the timer is some nanoseconds, and says how many */
static inline uint64_t now(void)
{
	uint64_t ticks, frequency;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : :
			 "memory");
	return ticks * (1000000000 / frequency);
}

/* movz wzr, #0x6eNN */
#define MARK(number) \
	__asm__ volatile("movz wzr, #0x6e00+" #number : : : "memory")

#else
#error "no kernel of this architecture is booted"
#endif

#endif
