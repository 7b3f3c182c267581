/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An annotated disassembly: which instruction is dear, and which finding that
 * belongs to. These are read, with and without lines of source between:
 *
 *	perf annotate --stdio   "   99.99 :   ffffffff8115e2a6:  test %rdx,%rdx"
 *	opannotate --assembly   "155757  99.9979 :ffffffff8115e2a6:  test ..."
 *
 * A processor tells where it was when the counter ran over, which is behind
 * what it waited for. So the instruction that has the samples is seldom the
 * dear one: it is the barrier or the access before it, or the load of what it
 * uses.
 */
#ifndef NOCHARGE_ANNOTATE_H
#define NOCHARGE_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/model/model.h"
#include "out.h"

struct instruction {
	uint64_t address;
	const char *text;
	double samples;     /* or 0 */
	double percent;     /* as it was given; or 0 */
	double share;       /* of its function, in per cent */
	const char *inlined; /* whose code it is; NULL: its function's */
	const char *file;   /* of the source, as it was given; NULL: unknown */
	uint32_t line;      /* of it, or without a file near it; 0: unknown */
	const char *source; /* the source's text; NULL: unknown */
};

/* The instructions of one function, in the order of the file. */
struct listing {
	const char *function; /* NULL: the file does not say */
	struct instruction *instruction;
	size_t n, cap;
	bool counted;         /* samples, and not only per cent */
	double samples;
};

struct annotated {
	const char *path;
	struct listing *listing;
	size_t n, cap;
	size_t odd;           /* lines that are nothing known */
	unsigned first_odd;
};

/* NULL with @err: it cannot be read, or has no sample of an instruction. */
struct annotated *annotated_read(const char *path, struct arena *arena,
				 struct err *err);
/* The same of text in memory; @path is for messages. */
struct strbuf;
struct annotated *annotated_parse(const char *path, const struct strbuf *text,
				  struct arena *arena, struct err *err);

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_LOAD,
	INSTRUCTION_STORE,
	INSTRUCTION_ATOMIC,  /* and orders what is around it */
	INSTRUCTION_BARRIER, /* or waits for all before it by other means */
	INSTRUCTION_CALL,
	INSTRUCTION_JUMP,    /* always */
	INSTRUCTION_BRANCH,  /* perhaps */
	INSTRUCTION_RETURN,
};

/* What can be told of an instruction by its text, of x86 or arm64. */
struct instruction_form {
	enum instruction_kind kind;
	uint64_t uses;   /* registers whose value it needs, a bit for each */
	uint64_t loads;  /* registers that it takes from memory */
	uint64_t target; /* of a jump, a branch or a call; 0: not told */
	const char *callee; /* whom it calls, if that is told */
};

struct instruction_form instruction_form(const char *text,
					 struct arena *arena);

/* Which instruction is meant by the one that has the samples, and why. */
struct dear {
	const struct instruction *sampled, *dear; /* may be the same */
	const char *why;
	bool entered; /* it may be what was done before the call */
};

struct dear dear_of(const struct listing *listing, size_t sampled,
		    struct arena *arena);

/* What the tree says of it. */
struct annotate_in {
	struct model *model;
	const struct report *report;
	/* the text of a file of the tree, or NULL */
	const char *(*source)(void *data, const char *file, size_t *len);
	void *data;
	const char *function; /* only this one; NULL: all */
	struct arena *arena;
};

/*
 * Tell of each function the dear instructions and whose they are; as JSON or
 * as text. -1 with @err if the file does not have in->function.
 */
int annotate_tell(const struct annotated *annotated,
		  const struct annotate_in *in, struct out *out, bool json,
		  struct err *err);

#endif
