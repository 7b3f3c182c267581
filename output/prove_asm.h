/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembly as clang writes it, cut into functions and objects and made
 * comparable: local labels are numbered in the order in which each function
 * names them, and what is only read (strings, jump tables) stands where it is
 * named. Objects with a number in their name are left out.
 */
#ifndef NOCHARGE_PROVE_ASM_H
#define NOCHARGE_PROVE_ASM_H

#include <stddef.h>

struct asm_function {
	const char *name; /* both malloc'd */
	const char *text;
};

struct asm_file {
	struct asm_function *function; /* and objects; sorted by name */
	size_t n, nfunction, cap;
};

/* Never fails: what is no function is passed over. The caller releases. */
void asm_file_read(struct asm_file *file, const char *text, size_t len);
void asm_file_release(struct asm_file *file);

/* NULL if there is none. */
const struct asm_function *asm_file_find(const struct asm_file *file,
				    const char *name);

#endif
