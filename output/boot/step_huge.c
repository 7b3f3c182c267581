// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <sys/mman.h>

#include "guest.h"

#define HUGE (2 * MIB)

const char *step_huge(size_t bytes, unsigned passes)
{
	char *at = map_private(bytes + HUGE);

	if (!at)
		return because("mmap");
	at += (HUGE - (uintptr_t)at % HUGE) % HUGE;
	if (madvise(at, bytes, MADV_HUGEPAGE))
		return because("MADV_HUGEPAGE");
	/* what is cut up under pressure depends on too much */
	if (bytes > LIMIT)
		return STEP_ENOUGH;
	for (unsigned i = 0; i < passes; i++)
		write_pages(at, bytes, i + 1);
	/* one of them is split */
	if (mprotect(at, PAGE, PROT_READ) || munmap(at + PAGE, PAGE))
		return because("splitting");
	return NULL;
}
