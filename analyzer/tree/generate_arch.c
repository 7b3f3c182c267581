// SPDX-License-Identifier: GPL-2.0-only
/* Generated headers of an architecture: system calls, features, registers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/strbuf.h"
#include "files.h"
#include "generate.h"
#include "tree_private.h"

#define WORDS 16

/* Split a line in place; returns the number of words found, at most WORDS. */
static size_t split(char *line, char *word[WORDS])
{
	char *save = NULL, *w;
	size_t n = 0;

	for (w = strtok_r(line, " \t\r", &save); w && n < WORDS;
	     w = strtok_r(NULL, " \t\r", &save))
		word[n++] = w;
	return n;
}

/* The next line of *@at, without what follows a '#'; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	*at = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	end = strchr(line, '#');
	if (end)
		*end = '\0';
	return line;
}

/* The text of the first of @path that is there; "" if none is. */
static char *read_first(const struct config *config, struct strbuf *text,
			const char *const *path)
{
	text->len = 0;
	strbuf_addstr(text, "");
	for (; *path; path++)
		if (tree_files_read(config->tree->priv->files, *path,
				    text) == READ_OK)
			break;
	return text->buf;
}

static bool one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

struct table {
	const char *const *path; /* where the table may be */
	const char *const *abi;
	const char *prefix, *offset;
	const char *out;
};

static void system_calls(const struct config *config, struct memfiles *files,
			 const struct table *table)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	char *at, *line, *word[WORDS];
	long number, last = -1;

	at = read_first(config, &text, table->path);
	while ((line = next_line(&at))) {
		if (split(line, word) < 3 ||
		    !isdigit((unsigned char)word[0][0]) ||
		    !one_of(word[1], table->abi))
			continue;
		number = strtol(word[0], NULL, 10);
		last = number > last ? number : last;
		if (table->offset)
			strbuf_addf(&out, "#define __NR_%s%s (%s + %ld)\n",
				    table->prefix, word[2], table->offset,
				    number);
		else
			strbuf_addf(&out, "#define __NR_%s%s %ld\n",
				    table->prefix, word[2], number);
	}
	strbuf_addf(&out, "#ifdef __KERNEL__\n#define __NR_%ssyscalls %ld\n"
		    "#endif\n", table->prefix, last + 1);
	generated(files, table->out, &out);
	strbuf_release(&text);
	strbuf_release(&out);
}

#define LIST(...) (const char *const []){ __VA_ARGS__, NULL }

static void x86_system_calls(const struct config *config,
			     struct memfiles *files)
{
	const char *const *t64 = LIST("arch/x86/entry/syscalls/syscall_64.tbl",
				      "arch/x86/syscalls/syscall_64.tbl");
	const char *const *t32 = LIST("arch/x86/entry/syscalls/syscall_32.tbl",
				      "arch/x86/syscalls/syscall_32.tbl");
#define OUT "arch/x86/include/generated/asm/"
	const struct table table[] = {
		{ t64, LIST("common", "64"), "", NULL, OUT "unistd_64.h" },
		{ t32, LIST("i386"), "", NULL, OUT "unistd_32.h" },
		{ t64, LIST("common", "x32"), "", "__X32_SYSCALL_BIT",
		  OUT "unistd_x32.h" },
		{ t32, LIST("i386"), "ia32_", NULL, OUT "unistd_32_ia32.h" },
		{ t64, LIST("x32"), "x32_", NULL, OUT "unistd_64_x32.h" },
	};
	static const char *const empty[] = {
		OUT "syscalls_32.h", OUT "syscalls_64.h", OUT "syscalls_x32.h",
		OUT "xen-hypercalls.h",
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		system_calls(config, files, &table[i]);
	for (i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		generated_line(files, empty[i], "%s", "");
	generated_line(files, OUT "orc_hash.h", "#define ORC_HASH 0\n");
#undef OUT
}

/*
 * Which features are required or disabled at build time; none is a valid
 * choice. Made since 6.15, written by hand before.
 */
static void x86_features(const struct config *config, struct memfiles *files)
{
	static const char *const kind[] = { "REQUIRED", "DISABLED" };
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	long n = 22, i, j;
	char *at;

	at = read_first(config, &text,
			LIST("arch/x86/include/asm/cpufeatures.h"));
	at = strstr(at, "NCAPINTS");
	if (at)
		n = strtol(at + strlen("NCAPINTS"), NULL, 10);
	if (n < 1 || n > 200)
		n = 22;
	for (i = 0; i < 2; i++) {
		for (j = 0; j < n; j++)
			strbuf_addf(&out, "#define %s_MASK%ld 0U\n", kind[i],
				    j);
		strbuf_addf(&out, "#define %s_MASK_BIT_SET(x) (0)\n",
			    kind[i]);
	}
	generated(files, "arch/x86/include/generated/asm/cpufeaturemasks.h",
		  &out);
	strbuf_release(&text);
	strbuf_release(&out);
}

static void arm64_capabilities(const struct config *config,
			       struct memfiles *files)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	char *at, *line, *word[WORDS];
	unsigned n = 0;

	at = read_first(config, &text, LIST("arch/arm64/tools/cpucaps"));
	while ((line = next_line(&at)))
		if (split(line, word))
			strbuf_addf(&out, "#define ARM64_%s %u\n", word[0],
				    n++);
	strbuf_addf(&out, "#define ARM64_NCAPS %u\n", n);
	generated_line(files, "arch/arm64/include/generated/asm/cpucaps.h",
		       "%s", out.buf);
	generated(files, "arch/arm64/include/generated/asm/cpucap-defs.h",
		  &out);
	strbuf_release(&text);
	strbuf_release(&out);
}

/* "#define HWCAP2_X" of the user's header: what the kernel calls it. */
static void arm64_hwcaps(const struct config *config, struct memfiles *files)
{
	static const char define[] = "#define HWCAP";
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	const char *at = read_first(config, &text,
			LIST("arch/arm64/include/uapi/asm/hwcap.h"));

	for (; (at = strstr(at, define)); at++) {
		const char *number = at + sizeof(define) - 1;
		int digits = (int)strspn(number, "0123456789");
		const char *name;
		int len;

		if (number[digits] != '_')
			continue;
		name = number + digits + 1;
		len = (int)strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_");
		if (!len)
			continue;
		strbuf_addf(&out, "#define KERNEL_HWCAP_%.*s "
			    "__khwcap%.*s_feature(%.*s)\n", len, name, digits,
			    number, len, name);
	}
	strbuf_addstr(&out, "");
	generated(files, "arch/arm64/include/generated/asm/kernel-hwcap.h",
		  &out);
	strbuf_release(&text);
	strbuf_release(&out);
}

/* A register being read from the table of arm64's system registers. */
struct sysreg {
	struct strbuf *out;
	char name[128], field[128];
	struct strbuf res0, res1, unknown;
	bool open, fields; /* its fields are those of another */
};

static void sysreg_open(struct sysreg *reg, char **word, size_t n)
{
	static const char *const part[] = { "Op0", "Op1", "CRn", "CRm", "Op2" };
	size_t i;

	reg->open = strlen(word[1]) < sizeof(reg->name);
	if (!reg->open)
		return;
	memcpy(reg->name, word[1], strlen(word[1]) + 1);
	reg->fields = false;
	reg->res0.len = reg->res1.len = reg->unknown.len = 0;
	strbuf_addstr(&reg->res0, "(0");
	strbuf_addstr(&reg->res1, "(0");
	strbuf_addstr(&reg->unknown, "(0");
	if (strcmp(word[0], "Sysreg") || n < 7)
		return;
	strbuf_addf(reg->out, "#define REG_%s S%s_%s_C%s_C%s_%s\n", word[1],
		    word[2], word[3], word[4], word[5], word[6]);
	strbuf_addf(reg->out, "#define SYS_%s sys_reg(%s, %s, %s, %s, %s)\n",
		    word[1], word[2], word[3], word[4], word[5], word[6]);
	for (i = 0; i < 5; i++)
		strbuf_addf(reg->out, "#define SYS_%s_%s %s\n", word[1],
			    part[i], word[2 + i]);
}

static void sysreg_close(struct sysreg *reg)
{
	if (reg->open && !reg->fields)
		strbuf_addf(reg->out, "#define %s_RES0 %s)\n"
			    "#define %s_RES1 %s)\n#define %s_UNKN %s)\n",
			    reg->name, reg->res0.buf, reg->name,
			    reg->res1.buf, reg->name, reg->unknown.buf);
	reg->open = false;
}

static void sysreg_field(struct sysreg *reg, char **word, size_t n)
{
	long high, low;
	char *end;

	high = low = strtol(word[1], &end, 10);
	if (*end == ':')
		low = strtol(end + 1, &end, 10);
	if (*end || high < low || low < 0 || high > 127)
		return;
	if (!strcmp(word[0], "Res0")) {
		strbuf_addf(&reg->res0, " | GENMASK_ULL(%ld, %ld)", high, low);
	} else if (!strcmp(word[0], "Res1")) {
		strbuf_addf(&reg->res1, " | GENMASK_ULL(%ld, %ld)", high, low);
	} else if (!strcmp(word[0], "Unkn")) {
		strbuf_addf(&reg->unknown, " | GENMASK_ULL(%ld, %ld)", high,
			    low);
	} else if (n >= 3 && strcmp(word[0], "Raz") &&
		   strlen(word[2]) < sizeof(reg->field)) {
		memcpy(reg->field, word[2], strlen(word[2]) + 1);
		strbuf_addf(reg->out,
			    "#define %s_%s GENMASK_ULL(%ld, %ld)\n"
			    "#define %s_%s_MASK GENMASK_ULL(%ld, %ld)\n"
			    "#define %s_%s_SHIFT %ld\n"
			    "#define %s_%s_WIDTH %ld\n",
			    reg->name, word[2], high, low, reg->name, word[2],
			    high, low, reg->name, word[2], low, reg->name,
			    word[2], high - low + 1);
		if (strcmp(word[0], "Field") && strcmp(word[0], "Enum"))
			strbuf_addf(reg->out, "#define %s_%s_SIGNED %s\n",
				    reg->name, word[2],
				    word[0][0] == 'S' ? "true" : "false");
	}
}

static void sysreg_line(struct sysreg *reg, char **word, size_t n)
{
	static const char *const fields[] = {
		"Res0", "Res1", "Unkn", "Field", "Raz", "UnsignedEnum",
		"SignedEnum", "Enum", NULL
	};
	const char *key = word[0];

	if (!strcmp(key, "Sysreg") || !strcmp(key, "SysregFields")) {
		if (n >= 2)
			sysreg_open(reg, word, n);
	} else if (!strcmp(key, "EndSysreg") ||
		   !strcmp(key, "EndSysregFields")) {
		sysreg_close(reg);
	} else if (!reg->open) {
		return;
	} else if (!strcmp(key, "Fields") && n >= 2) {
		strbuf_addf(reg->out, "#define %s_RES0 (%s_RES0)\n"
			    "#define %s_RES1 (%s_RES1)\n"
			    "#define %s_UNKN (%s_UNKN)\n", reg->name, word[1],
			    reg->name, word[1], reg->name, word[1]);
		reg->fields = true;
	} else if (n >= 2 && one_of(key, fields)) {
		sysreg_field(reg, word, n);
	} else if (!strcmp(key, "EndEnum")) {
		reg->field[0] = '\0';
	} else if (n >= 2 && reg->field[0] && !strncmp(key, "0b", 2)) {
		strbuf_addf(reg->out, "#define %s_%s_%s UL(%s)\n", reg->name,
			    reg->field, word[1], key);
	}
}

static void arm64_registers(const struct config *config,
			    struct memfiles *files)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct sysreg reg = { .out = &out };
	char *at, *line, *word[WORDS];
	size_t n;

	at = read_first(config, &text, LIST("arch/arm64/tools/sysreg"));
	while ((line = next_line(&at))) {
		n = split(line, word);
		if (n)
			sysreg_line(&reg, word, n);
	}
	generated(files, "arch/arm64/include/generated/asm/sysreg-defs.h",
		  &out);
	strbuf_release(&reg.res0);
	strbuf_release(&reg.res1);
	strbuf_release(&reg.unknown);
	strbuf_release(&text);
	strbuf_release(&out);
}

static void arm64_system_calls(const struct config *config,
			       struct memfiles *files)
{
	const char *const *t64 = LIST("arch/arm64/tools/syscall_64.tbl",
				      "scripts/syscall.tbl");
	const char *const *t32 = LIST("arch/arm64/tools/syscall_32.tbl");
#define OUT "arch/arm64/include/generated/asm/"
	const struct table table[] = {
		{ t64, LIST("common", "64", "renameat", "rlimit",
			    "memfd_secret"), "", NULL, OUT "unistd_64.h" },
		{ t32, LIST("common", "32", "stat64", "time32"), "", NULL,
		  OUT "unistd_32.h" },
		{ t32, LIST("common", "32", "stat64", "time32"), "compat32_",
		  NULL, OUT "unistd_compat_32.h" },
	};
	static const char *const empty[] = {
		OUT "syscall_table_32.h", OUT "syscall_table_64.h",
	};
	size_t i;

	/* before 6.11 there were no tables, and unistd.h had the numbers */
	if (!tree_files_have(config->tree->priv->files, t32[0]))
		return;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		system_calls(config, files, &table[i]);
	for (i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		generated_line(files, empty[i], "%s", "");
#undef OUT
}

void generate_arch(const struct config *config, struct memfiles *files)
{
	if (!strcmp(config->tree->arch, "x86")) {
		x86_system_calls(config, files);
		x86_features(config, files);
		return;
	}
	arm64_capabilities(config, files);
	arm64_hwcaps(config, files);
	arm64_registers(config, files);
	arm64_system_calls(config, files);
}
