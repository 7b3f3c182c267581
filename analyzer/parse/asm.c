// SPDX-License-Identifier: GPL-2.0-only
/*
 * asm statements. libclang shows their operands and neither their text nor
 * which operands are written, but it prints a function in full, macros
 * expanded: the asm statements of that print are, in order, those that a
 * walk of the function meets.
 */
#include <ctype.h>
#include <string.h>

#include "extract.h"

/* Beginnings of instructions that lock, order memory, mask or trap. */
static const char *const heavy_instruction[] = {
	/* x86 */
	"lock", "xchg", "cli", "sti", "pushf", "popf", "mfence", "lfence",
	"sfence", "cpuid", "rdmsr", "wrmsr", "invlpg", "invpcid", "wbinvd",
	"clflush", "hlt", "vmcall", "vmmcall",
	/* arm64 */
	"dmb", "dsb", "isb", "ldxr", "ldaxr", "ldxp", "ldaxp", "stxr", "stlxr",
	"stxp", "stlxp", "cas", "swp", "ldadd", "ldclr", "ldset", "ldeor",
	"stadd", "stclr", "stset", "steor", "tlbi", "wfe", "wfi", "svc", "hvc",
	"smc",
};

static bool begins(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !strncasecmp(text, word, n);
}

static bool instruction_heavy(const char *text, size_t len)
{
	/* STI is an instruction, STILL would be none: a suffix is short */
	for (size_t i = 0; i < sizeof(heavy_instruction) /
			       sizeof(heavy_instruction[0]); i++)
		if (begins(text, len, heavy_instruction[i]))
			return true;
	if (begins(text, len, "msr")) {
		const char *daif = memmem(text, len, "daif", 4);

		return daif != NULL;
	}
	return false;
}

/* True if an instruction in @text orders memory, locks or is slow. */
static bool asm_heavy(const char *text, size_t len)
{
	size_t i = 0, start;

	while (i < len) {
		while (i < len && (isspace((unsigned char)text[i]) ||
				   text[i] == ';'))
			i++;
		start = i;
		while (i < len && text[i] != '\n' && text[i] != ';' &&
		       text[i] != ':')
			i++;
		/* a label is no instruction */
		if (i < len && text[i] == ':') {
			i++;
			continue;
		}
		if (instruction_heavy(text + start, i - start))
			return true;
	}
	return false;
}

/* A C string literal at *@at, its escapes undone, into @out of the same size. */
static size_t read_string(const char **at, const char *end, char *out)
{
	const char *p = *at + 1;
	size_t n = 0;

	while (p < end && *p != '"') {
		char c = *p++;

		if (c == '\\' && p < end) {
			c = *p++;
			if (c == 'n')
				c = '\n';
			else if (c == 't')
				c = ' ';
		}
		out[n++] = c;
	}
	*at = p < end ? p + 1 : end;
	return n;
}

/* @at stands behind the "(" of an asm statement. */
static void read_asm(struct extract *ex, const char *at, const char *end,
		     struct asm_info *info)
{
	char *text = arena_alloc(ex->arena, (size_t)(end - at) + 1);
	unsigned part = 0, deep = 0;

	while (at < end) {
		if (*at == '"') {
			size_t n = read_string(&at, end, text);

			if (!part && !deep && asm_heavy(text, n))
				info->heavy = true;
			continue;
		}
		if (*at == '\'') {
			at += at + 1 < end && at[1] == '\\' ? 3 : 2;
			while (at < end && *at != '\'')
				at++;
		} else if (*at == '(') {
			if (!deep++ && part == 1)
				info->nout++;
		} else if (*at == ')') {
			if (!deep--)
				return;
		} else if (*at == ':' && !deep && ++part > 1) {
			return;
		}
		at++;
	}
}

static const char *after_asm(const char *line)
{
	while (*line == ' ')
		line++;
	if (strncmp(line, "asm ", 4))
		return NULL;
	line += 4;
	if (!strncmp(line, "volatile ", 9))
		line += 9;
	if (!strncmp(line, "goto ", 5))
		line += 5;
	return *line == '(' ? line + 1 : NULL;
}

struct asm_info *asm_read(struct extract *ex, CXCursor function, size_t *n)
{
	const struct clang *clang = ex->clang;
	CXPrintingPolicy policy;
	struct asm_info *info;
	const char *text, *line, *end, *at;
	CXString print;
	size_t count = 0;

	*n = 0;
	if (function.kind != CXCursor_FunctionDecl)
		return NULL;
	policy = clang->getCursorPrintingPolicy(function);
	clang->PrintingPolicy_setProperty(
		policy, CXPrintingPolicy_SuppressInitializers, 0);
	print = clang->getCursorPrettyPrinted(function, policy);
	clang->PrintingPolicy_dispose(policy);
	text = clang->getCString(print);
	if (!text)
		text = "";
	end = text + strlen(text);
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		count += after_asm(line) != NULL;
	}
	info = ARENA_ARRAY(ex->arena, struct asm_info, count);
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		at = after_asm(line);
		if (at)
			read_asm(ex, at, end, &info[(*n)++]);
	}
	clang->disposeString(print);
	return info;
}
