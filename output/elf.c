// SPDX-License-Identifier: GPL-2.0-only
#include "elf.h"

#include <string.h>

const void *elf_part(const struct elf *elf, uint64_t offset, uint64_t len)
{
	return offset <= elf->text.len && len <= elf->text.len - offset ?
		elf->text.buf + offset : NULL;
}

Elf64_Shdr elf_section(const struct elf *elf, size_t i)
{
	Elf64_Shdr found = { .sh_type = SHT_NULL };
	const void *at = i < elf->head.e_shnum &&
			 elf->head.e_shentsize == sizeof(found) ?
		elf_part(elf, elf->head.e_shoff + i * sizeof(found),
			 sizeof(found)) : NULL;

	if (at)
		memcpy(&found, at, sizeof(found));
	return found;
}

bool elf_read(struct elf *elf, const char *path)
{
	const void *at;

	*elf = (struct elf){ .text = STRBUF_INIT };
	if (strbuf_read_file(&elf->text, path, NULL))
		return false;
	at = elf_part(elf, 0, sizeof(elf->head));
	if (!at)
		return false;
	memcpy(&elf->head, at, sizeof(elf->head));
	return !memcmp(elf->head.e_ident, ELFMAG, SELFMAG) &&
		elf->head.e_ident[EI_CLASS] == ELFCLASS64;
}

void elf_release(struct elf *elf)
{
	strbuf_release(&elf->text);
}

static uint64_t function_sizes(const struct elf *elf, const Elf64_Shdr *table)
{
	const char *at = elf_part(elf, table->sh_offset, table->sh_size);
	uint64_t sum = 0;

	for (size_t i = 0; at && i < table->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, at + i * sizeof(symbol), sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
			sum += symbol.st_size;
	}
	return sum;
}

struct elf_size elf_size(const struct elf *elf)
{
	struct elf_size size = { 0 };

	for (size_t i = 0; i < elf->head.e_shnum; i++) {
		Elf64_Shdr section = elf_section(elf, i);

		if (section.sh_type == SHT_SYMTAB)
			size.functions += function_sizes(elf, &section);
		if (!(section.sh_flags & SHF_ALLOC))
			continue;
		if (section.sh_type == SHT_NOBITS)
			size.bss += section.sh_size;
		else if (section.sh_flags & SHF_WRITE)
			size.data += section.sh_size;
		else
			size.text += section.sh_size;
	}
	return size;
}
