// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions by their text, as objdump writes them: x86 in both syntaxes and
 * arm64. Not what they do, but what may be waited for.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"

#define OPERANDS 8

struct parsed {
	char word[16];            /* the mnemonic, without prefixes */
	bool lock;
	const char *operand[OPERANDS];
	size_t len[OPERANDS];
	unsigned n;
	bool suffixed;            /* AT&T's: where it goes is the last one */
};

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

static bool begins(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

/* A register's number, by any of its names; -1: it is none. */
static int register_of(const char *name, size_t len)
{
	static const char *const old[] = {
		"ax", "bx", "cx", "dx", "si", "di", "bp", "sp",
	};
	char *end;
	long n;

	if (len >= 2 && len <= 4 && (*name == 'x' || *name == 'w') &&
	    isdigit((unsigned char)name[1])) {
		n = strtol(name + 1, &end, 10);
		return end == name + len && n <= 30 ? 16 + (int)n : -1;
	}
	if (len >= 2 && len <= 4 && *name == 'r' &&
	    isdigit((unsigned char)name[1])) {
		n = strtol(name + 1, &end, 10);
		if (end < name + len && strchr("dwb", *end))
			end++;
		return end == name + len && n >= 8 && n <= 15 ? (int)n : -1;
	}
	if (len == 3 && (*name == 'r' || *name == 'e')) {
		name++;
		len--;
	}
	if (len != 2)
		return -1;
	for (int i = 0; i < 8; i++)
		if (!strncmp(name, old[i], 2))
			return i;
	/* "al", "ah" */
	for (int i = 0; i < 4; i++)
		if (*name == *old[i] && (name[1] == 'l' || name[1] == 'h'))
			return i;
	return -1;
}

static uint64_t registers(const char *at, size_t len)
{
	const char *end = at + len;
	uint64_t set = 0;

	while (at < end) {
		const char *start = at;
		int number;

		while (at < end && isalnum((unsigned char)*at))
			at++;
		number = at > start ? register_of(start,
						  (size_t)(at - start)) : -1;
		if (number >= 0)
			set |= 1ull << number;
		at += at == start;
	}
	return set;
}

static void split(struct parsed *p, const char *text)
{
	static const char *const prefix[] = {
		"rep", "repz", "repnz", "repe", "repne", "data16", "cs", "ds",
		"notrack", "bnd", "addr32", "rex.W", NULL
	};
	const char *at = text + strspn(text, " \t");
	size_t end = strcspn(at, "<#"), depth = 0;

	*p = (struct parsed){ .suffixed = memchr(at, '%', end) };
	if (strstr(at, "//") && (size_t)(strstr(at, "//") - at) < end)
		end = (size_t)(strstr(at, "//") - at);
	for (;;) {
		size_t len = strcspn(at, " \t");

		if (len > end)
			len = end;
		if (len >= sizeof(p->word))
			len = sizeof(p->word) - 1;
		memcpy(p->word, at, len);
		p->word[len] = '\0';
		if (!strcmp(p->word, "lock"))
			p->lock = true;
		else if (!is_one_of(p->word, prefix))
			break;
		len += strspn(at + len, " \t");
		if (len >= end)
			break;
		at += len;
		end -= len;
	}
	end -= strlen(p->word);
	at += strlen(p->word);
	for (size_t i = 0, start = 0; i <= end && p->n < OPERANDS; i++) {
		char c = i < end ? at[i] : ',';

		depth += c == '(' || c == '[' || c == '{';
		depth -= depth && (c == ')' || c == ']' || c == '}');
		if (c != ',' || (depth && i < end))
			continue;
		while (start < i && isspace((unsigned char)at[start]))
			start++;
		if (start < i) {
			p->operand[p->n] = at + start;
			p->len[p->n++] = i - start;
		}
		start = i + 1;
	}
}

static bool is_memory(const struct parsed *p, unsigned i)
{
	const char *at = p->operand[i];
	size_t len = p->len[i];

	if (!p->suffixed)
		return memchr(at, '[', len);
	return *at != '$' && (memchr(at, '(', len) || memchr(at, ':', len) ||
			      isdigit((unsigned char)*at));
}

static uint64_t target(const struct parsed *p)
{
	const char *at = p->n ? p->operand[p->n - 1] : "";
	char *end;
	uint64_t value = strtoull(at, &end, 16);

	return end > at && end >= at + strspn(at, "0123456789abcdefx") ?
		value : 0;
}

static const char *callee(const char *text, struct arena *arena)
{
	const char *at = strchr(text, '<');
	size_t len = at ? strcspn(at + 1, "+>") : 0;

	return len ? arena_strndup(arena, at + 1, len) : NULL;
}

/* Branches of both, which begin with a letter that little else does. */
static enum instruction_kind flow(const struct parsed *p)
{
	static const char *const branch[] = {
		"cbz", "cbnz", "tbz", "tbnz", "loop", NULL
	};

	if (begins(p->word, "call") || !strcmp(p->word, "bl") ||
	    !strcmp(p->word, "blr"))
		return INSTRUCTION_CALL;
	if (begins(p->word, "jmp") || !strcmp(p->word, "b") ||
	    !strcmp(p->word, "br"))
		return INSTRUCTION_JUMP;
	if (begins(p->word, "ret") || begins(p->word, "iret") ||
	    begins(p->word, "eret") || !strcmp(p->word, "ud2"))
		return INSTRUCTION_RETURN;
	if (*p->word == 'j' || begins(p->word, "b.") ||
	    is_one_of(p->word, branch))
		return INSTRUCTION_BRANCH;
	return INSTRUCTION_PLAIN;
}

static bool is_barrier(const struct parsed *p)
{
	static const char *const barrier[] = {
		"mfence", "lfence", "sfence", "cpuid", "serialize", "wrmsr",
		"popf", "popfq", "iretq", "invlpg", "dmb", "dsb", "isb",
		"ldar", "ldarb", "ldarh", "stlr", "stlrb", "stlrh", "ldapr",
		NULL
	};

	return is_one_of(p->word, barrier);
}

static bool is_atomic(const struct parsed *p, bool memory)
{
	static const char *const begin[] = {
		"ldxr", "ldaxr", "stxr", "stlxr", "ldxp", "ldaxp", "stxp",
		"stlxp", "cas", "swp", "ldadd", "ldclr", "ldset", "ldeor",
		"stadd", "stclr", "stset", "steor", NULL
	};

	if (p->lock || (memory && begins(p->word, "xchg")))
		return true;
	for (const char *const *at = begin; *at; at++)
		if (begins(p->word, *at))
			return true;
	return false;
}

/* Reads both of its operands and writes none. */
static bool only_reads(const struct parsed *p)
{
	return begins(p->word, "cmp") || begins(p->word, "test") ||
		!strcmp(p->word, "bt") || begins(p->word, "prefetch") ||
		begins(p->word, "push") || begins(p->word, "prfm");
}

/* Writes one and needs nothing of what was there. */
static bool only_writes(const struct parsed *p)
{
	return begins(p->word, "mov") || begins(p->word, "lea") ||
		begins(p->word, "set") || begins(p->word, "pop") ||
		begins(p->word, "ld") || begins(p->word, "adr");
}

static void access(struct instruction_form *form, const struct parsed *p,
		   unsigned memory, bool arm)
{
	/* where it goes: the last operand of AT&T, the first one else */
	unsigned to = p->suffixed ? p->n - 1 : 0;
	bool pair = arm && begins(p->word, "ldp");
	bool stores = arm ? begins(p->word, "st") :
		memory == to && !only_reads(p);

	form->kind = stores ? INSTRUCTION_STORE : INSTRUCTION_LOAD;
	if (stores || only_reads(p))
		return;
	for (unsigned i = to; i < p->n && i <= to + pair; i++)
		if (i != memory)
			form->loads |= registers(p->operand[i], p->len[i]);
}

struct instruction_form instruction_form(const char *text,
					 struct arena *arena)
{
	struct instruction_form form = { .kind = INSTRUCTION_PLAIN };
	unsigned memory = OPERANDS, to;
	struct parsed p;
	bool arm;

	split(&p, text);
	arm = !p.suffixed && (begins(p.word, "ld") || begins(p.word, "st") ||
			      begins(p.word, "prfm")) &&
		strcmp(p.word, "std") && begins(p.word, "sti") == 0;
	to = p.suffixed && p.n ? p.n - 1 : 0;
	for (unsigned i = 0; i < p.n; i++) {
		if (memory == OPERANDS && is_memory(&p, i))
			memory = i;
		/* what is only written is not needed, but to find it */
		if (i != to || !only_writes(&p) || is_memory(&p, i))
			form.uses |= registers(p.operand[i], p.len[i]);
	}
	if (begins(p.word, "nop") || begins(p.word, "endbr")) {
		form.uses = 0;
		return form;
	}
	form.kind = flow(&p);
	if (form.kind != INSTRUCTION_PLAIN) {
		form.target = target(&p);
		if (form.kind == INSTRUCTION_CALL)
			form.callee = callee(text, arena);
		return form;
	}
	if (is_atomic(&p, memory < p.n))
		form.kind = INSTRUCTION_ATOMIC;
	else if (is_barrier(&p))
		form.kind = INSTRUCTION_BARRIER;
	else if (memory < p.n && !begins(p.word, "lea"))
		access(&form, &p, memory, arm);
	return form;
}
