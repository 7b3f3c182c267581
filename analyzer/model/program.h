/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All units of one configuration as one program.
 *
 * Facts may come in any order: they are taken by the name of their unit, and
 * where units disagree the first one wins, so that the program does not
 * depend on the order. Everything lives in the arena given to program_new().
 */
#ifndef NOCHARGE_PROGRAM_H
#define NOCHARGE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"
#include "../parse/facts.h"
#include "map.h"

struct rules;
struct kernel_rules;
struct scope;

/* What a callee is by its name: a marker of ours, or a pattern of the rules. */
enum callee_kind {
	CALLEE_PLAIN,
	CALLEE_UNLIKELY, CALLEE_WARN, CALLEE_KEY, CALLEE_NOTHING,
	CALLEE_FENCE, CALLEE_PERCPU, CALLEE_CURRENT, CALLEE_EXPECT,
	CALLEE_COPY,    /* memcpy() and the like */
	CALLEE_FREE, CALLEE_RAISE, CALLEE_LOWER, CALLEE_PERIODIC,
};

struct callee {
	enum callee_kind kind;
	bool cold;
	bool orders; /* memory, whether that costs an instruction or not */
};

struct function {
	const char *name, *file;
	struct func *func;      /* the definition that was chosen */
	uint32_t index;         /* in program.function */
	bool header;            /* defined in a header, not in a .c */
	bool is_static;
	struct function *next;  /* of the same name */
	uint64_t *hash;         /* of every definition that was seen */
	uint32_t nhash;
	struct function *other; /* the same in the other configuration */
	struct scope *scope;    /* made and owned by walk/scope */

	/* filled in by feature_compare() */
	bool differs;           /* not the same tree in both */
	bool touches;           /* the feature can matter inside */
	bool both;              /* the same file defines it in both */
	bool stays;             /* by one definition: no stub beside it */
};

struct global_symbol {
	const char *name, *file;
	struct global *global;
	struct global_symbol *next; /* of the same name */
	struct global_symbol *other;
	bool feature;           /* only there with the feature */
};

struct program {
	struct arena *arena;
	struct strtab *strings;
	const struct rules *rules;
	const struct kernel_rules *kernel;
	struct function **function; /* by name, then file */
	uint32_t nfunction;
	struct global_symbol **global; /* the same */
	uint32_t nglobal;
	struct record **record;
	uint32_t nrecord;
	struct map functions;   /* name: struct function, chained by next */
	struct map globals;     /* name: struct global_symbol, chained too */
	struct map records;     /* name: struct record */
	struct map fields;      /* "record.field": struct field */
	struct map decls;       /* name: struct decl */
	struct map enumerators; /* name: struct enumerator */
	struct map callees;     /* name: struct callee */
	struct map units;       /* unit: anything */
};

struct program *program_new(struct facts **facts, size_t nfacts,
			    const struct rules *rules,
			    const struct kernel_rules *kernel,
			    struct arena *arena, struct strtab *strings);

/* What @name means in @file, or NULL. */
struct function *program_function(const struct program *program,
				  const char *name, const char *file);
struct global_symbol *program_global(const struct program *program,
				     const char *name, const char *file);
struct record *program_record(const struct program *program,
			      const char *name);
struct field *program_field(const struct program *program, const char *name);
const struct callee *program_callee(struct program *program,
				    const char *name);

/* The record of "record.field", interned; "" if it is not of that form. */
const char *program_field_record(const struct program *program,
				 const char *name);

static inline bool function_is_void(const struct function *fn)
{
	return fn->func->flags & FUNC_VOID;
}

/* Is it given a pointer to @record, an interned name? */
static inline bool function_takes(const struct function *fn,
				  const char *record)
{
	for (uint32_t i = 0; *record && i < fn->func->nparam; i++)
		if (fn->func->param[i].record == record)
			return true;
	return false;
}

/* Would a compiler put its code into a caller in @file? */
bool function_inlined(const struct function *fn, const char *file);

#endif
