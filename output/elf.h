/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects of machines of 64 bits. They are read as any other file. */
#ifndef NOCHARGE_ELF_H
#define NOCHARGE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "../analyzer/base/strbuf.h"

struct elf {
	struct strbuf text;
	Elf64_Ehdr head;
};

/* False if @path is no such object; the caller releases in both cases. */
bool elf_read(struct elf *elf, const char *path);
void elf_release(struct elf *elf);

/* @len bytes at @offset, or NULL. */
const void *elf_part(const struct elf *elf, uint64_t offset, uint64_t len);
/* Section @i, of type SHT_NULL if there is none. */
Elf64_Shdr elf_section(const struct elf *elf, size_t i);

/*
 * As size(1) tells them: what is only read is text. Sections of a kernel are
 * filled up to large pages; its functions are not.
 */
struct elf_size {
	uint64_t text, data, bss, functions;
};
struct elf_size elf_size(const struct elf *elf);

#endif
