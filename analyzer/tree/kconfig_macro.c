// SPDX-License-Identifier: GPL-2.0-only
/* Macros of Kconfig: expanded as text, and never run. */
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "kconfig.h"
#include "tree.h"

#define DEPTH_LIMIT 32
#define ARG_LIMIT 16
#define SIZE_LIMIT (1u << 20)
/* Bytes that all macros of a tree may expand; a tree needs some 100 KB. */
#define WORK_LIMIT (16u << 20)

struct expansion {
	struct kconfig *kc;
	struct strbuf *out;
	size_t limit;
	const char **arg; /* of the function being expanded; arg[0]: name */
	size_t narg;
	unsigned depth;
	bool policy;
};

/*
 * Functions that ask something of the world, and what the policy says.
 * A digit is the number of the argument to give.
 */
static const struct {
	const char *name, *answer;
} policy[] = {
	{ "success", "y" },
	{ "failure", "n" },
	{ "if-success", "2" },
	{ "shell", "" },
	{ "cc-option-bit", "1" },
	{ "info", "" },
	{ "warning-if", "" },
	{ "error-if", "" },
	{ "filename", "" },
	{ "lineno", "" },
};

static void expand(struct expansion *ex, const char *text, size_t len);

static void put(struct expansion *ex, const char *text, size_t len)
{
	if (ex->out->len + len < ex->limit)
		strbuf_add(ex->out, text, len);
}

const char *kc_macro_end(const char *at, const char *end)
{
	size_t depth = 0;

	for (; at < end; at++) {
		if (*at == '(')
			depth++;
		else if (*at == ')' && !--depth)
			return at + 1;
	}
	return end;
}

/* What kbuild has in the environment; NULL if it is no such name. */
static const char *environment(struct kconfig *kc, const char *name,
			       bool *answered)
{
	struct tree *tree = kc->tree;

	if (!strcmp(name, "SRCARCH") || !strcmp(name, "HEADER_ARCH") ||
	    !strcmp(name, "ARCH"))
		return tree->arch;
	if (!strcmp(name, "srctree") || !strcmp(name, "objtree"))
		return ".";
	if (!strcmp(name, "KERNELVERSION"))
		return tree->release;
	*answered = true;
	if (!strcmp(name, "CC"))
		return "clang";
	if (!strcmp(name, "CC_VERSION_TEXT"))
		return "clang";
	return NULL;
}

static void call(struct expansion *ex, const char **arg, size_t narg)
{
	struct kc_variable *var;
	const char **saved = ex->arg;
	size_t nsaved = ex->narg, i;
	const char *value, *answer;
	bool answered = false;

	for (i = 0; i < sizeof(policy) / sizeof(policy[0]); i++) {
		if (strcmp(arg[0], policy[i].name))
			continue;
		ex->policy = true;
		answer = policy[i].answer;
		if (*answer >= '0' && *answer <= '9')
			answer = (size_t)(*answer - '0') < narg ?
				 arg[*answer - '0'] : "";
		put(ex, answer, strlen(answer));
		return;
	}
	if (arg[0][0] >= '0' && arg[0][0] <= '9' && !arg[0][1]) {
		i = (size_t)(arg[0][0] - '0');
		if (i < ex->narg)
			put(ex, ex->arg[i], strlen(ex->arg[i]));
		return;
	}
	arg[0] = intern(ex->kc->strings, arg[0]);
	HASH_FIND_PTR(ex->kc->variables, &arg[0], var);
	if (!var) {
		value = environment(ex->kc, arg[0], &answered);
		ex->policy |= answered;
		if (value)
			put(ex, value, strlen(value));
		return;
	}
	ex->policy |= var->policy;
	if (!var->recursive) {
		put(ex, var->text, strlen(var->text));
		return;
	}
	if (var->busy || ex->depth >= DEPTH_LIMIT)
		return;
	var->busy = true;
	ex->arg = arg;
	ex->narg = narg;
	expand(ex, var->text, strlen(var->text));
	ex->arg = saved;
	ex->narg = nsaved;
	var->busy = false;
}

/* @text stands between "$(" and ")". */
static void expand_call(struct expansion *ex, const char *text, size_t len)
{
	const char *arg[ARG_LIMIT], *end = text + len, *p = text, *from = text;
	struct strbuf buf = STRBUF_INIT, *out = ex->out;
	size_t narg = 0;
	int depth = 0;

	for (;; p++) {
		if (p < end && (*p != ',' || depth)) {
			depth += (*p == '(') - (*p == ')');
			continue;
		}
		if (narg == ARG_LIMIT)
			break;
		buf.len = 0;
		strbuf_addstr(&buf, "");
		ex->out = &buf;
		expand(ex, from, (size_t)(p - from));
		ex->out = out;
		arg[narg++] = arena_strndup(ex->kc->arena, buf.buf, buf.len);
		from = p + 1;
		if (p >= end)
			break;
	}
	strbuf_release(&buf);
	call(ex, arg, narg);
}

static void expand(struct expansion *ex, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *from;
	const char *arg[1];

	if (ex->kc->work > WORK_LIMIT)
		ex->kc->too_large = true;
	if (ex->depth >= DEPTH_LIMIT || ex->kc->too_large)
		return;
	ex->depth++;
	ex->kc->work += len + 1;
	while (p < end) {
		from = p;
		while (p < end && *p != '$')
			p++;
		put(ex, from, (size_t)(p - from));
		if (p == end)
			break;
		from = ++p;
		if (p < end && *p == '(') {
			p = kc_macro_end(p, end);
			expand_call(ex, from + 1,
				    p > from + 1 ? (size_t)(p - from) - 2 : 0);
			continue;
		}
		/* the form before macros existed: $NAME */
		while (p < end && (*p == '_' || (*p >= '0' && *p <= '9') ||
				   (*p >= 'A' && *p <= 'Z') ||
				   (*p >= 'a' && *p <= 'z')))
			p++;
		if (p == from) {
			put(ex, "$", 1);
			continue;
		}
		arg[0] = arena_strndup(ex->kc->arena, from, (size_t)(p - from));
		call(ex, arg, 1);
	}
	ex->depth--;
}

bool kc_expand(struct kconfig *kc, const char *text, size_t len,
	       struct strbuf *out)
{
	struct expansion ex = { .kc = kc, .out = out, .limit = SIZE_LIMIT };

	expand(&ex, text, len);
	return ex.policy;
}

void kc_set_variable(struct kconfig *kc, const char *name, const char *op,
		     const char *text, size_t len)
{
	struct strbuf buf = STRBUF_INIT;
	struct kc_variable *var;

	HASH_FIND_PTR(kc->variables, &name, var);
	if (!var) {
		var = ARENA_NEW(kc->arena, struct kc_variable);
		var->name = name;
		var->text = "";
		var->recursive = *op != ':';
		HASH_ADD_PTR(kc->variables, name, var);
	} else if (*op != '+') {
		var->policy = false;
		var->recursive = *op != ':';
	}
	if (*op == '+' && *var->text) {
		strbuf_addstr(&buf, var->text);
		strbuf_addch(&buf, ' ');
	}
	if (var->recursive)
		strbuf_add(&buf, text, len);
	else
		var->policy |= kc_expand(kc, text, len, &buf);
	if (buf.len < SIZE_LIMIT)
		var->text = arena_strndup(kc->arena, buf.buf ? buf.buf : "",
					  buf.len);
	strbuf_release(&buf);
}
