/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts: what one translation unit says, without macro noise.
 *
 * A worker turns a unit into facts; facts_encode() makes bytes of them for
 * the pipe and the cache, facts_decode() makes facts of bytes. Functions keep
 * their body encoded until someone asks for it (facts_body()): most are only
 * needed for the names that they refer to.
 *
 * Strings are interned in the strtab given to facts_decode(), so names can be
 * compared by pointer. All paths are relative to the tree; a generated header
 * has the path that kbuild would give it.
 */
#ifndef NOCHARGE_FACTS_H
#define NOCHARGE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"

struct err;
struct strbuf;

/* Bump whenever the bytes or what is said in them changes. */
#define FACTS_FORMAT 8

enum node_kind {
	/* expressions */
	N_INT,       /* value */
	N_STR,
	N_LOCAL,     /* name; two locals of one name are "x" and "x#1" */
	N_GLOBAL,    /* name; a static local is "function.name" */
	N_FUNC,      /* name */
	N_FIELD,     /* kid[0]: base; name: "record.field"; NODE_ARROW */
	N_DEREF,     /* kid[0] */
	N_INDEX,     /* kid[0]: array, kid[1]: index */
	N_ADDR,      /* kid[0] */
	N_UNARY,     /* op: ! ~ - ; kid[0] */
	N_BINARY,    /* op; kid[0], kid[1]; OP_COMMA, OP_ANDAND, OP_OROR too */
	N_ASSIGN,    /* op (OP_SET, or OP_ADD for +=, OP_INC ...); kid[0] = kid[1] */
	N_COND,      /* kid[0] ? kid[1] : kid[2]; "a ?: b" has kid[1] == NULL */
	N_CALL,      /* kid[0]: callee, then the arguments */
	N_CAST,      /* kid[0]; record: what it points to, value: bits or 0 */
	N_STMTEXPR,  /* kid: statements; the value is that of the last */
	N_INIT,      /* kid: values or N_FIELDINIT; record: of what */
	N_FIELDINIT, /* name: "record.field" or "[index]", kid[0] */
	N_OTHER,     /* kid: what it is made of; the value is unknown */
	/* statements */
	N_EXPR,      /* kid[0] */
	N_DECL,      /* name: local; record: pointee or ""; kid[0]: init or NULL;
			kid[1]: the call where its scope is left, or NULL */
	N_IF,        /* kid[0]: condition, kid[1]: then, kid[2]: else or NULL */
	N_LOOP,      /* op: LOOP_*; kid: init, condition, step, body (or NULL) */
	N_SWITCH,    /* kid[0]: value, kid[1]: body */
	N_CASE,      /* kid[0]: value or NULL (default), kid[1]: statement */
	N_RETURN,    /* kid[0] or NULL */
	N_GOTO,      /* name; "?" if computed */
	N_LABEL,     /* name; kid[0]: statement */
	N_BREAK,
	N_CONTINUE,
	N_BLOCK,     /* kid: statements */
	N_ASM,       /* NODE_HEAVY; kid: operands but numbers; NODE_OUT: written */
	N_KINDS
};

enum node_op {
	OP_NONE, OP_NOT, OP_COMPL, OP_NEG,
	OP_MUL, OP_DIV, OP_REM, OP_ADD, OP_SUB, OP_SHL, OP_SHR,
	OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE,
	OP_AND, OP_XOR, OP_OR, OP_ANDAND, OP_OROR, OP_COMMA,
	OP_SET, OP_INC, OP_DEC,
	LOOP_WHILE, LOOP_DO, LOOP_FOR,
	OPS
};

enum node_flag {
	NODE_ARROW = 1, /* N_FIELD: the base is a pointer */
	NODE_HEAVY = 2, /* N_ASM: lock prefix, xchg, cli, fence and the like */
	NODE_OUT = 4,   /* an operand that the asm writes */
	NODE_MACRO = 8, /* comes from a macro expansion */
	NODE_UNSIGNED = 16, /* N_BINARY, N_CAST: arithmetic is unsigned */
	NODE_POST = 32,     /* N_ASSIGN: x++ and x--, the value is the old one */
};

struct node {
	uint8_t kind, op, flags;
	uint32_t nkid;
	uint32_t line;   /* where it is expanded, in the function's file; 0: none */
	uint16_t column; /* 1-based; 0: none or too large */
	union {
		int64_t value;
		const char *name; /* interned */
	};
	const char *record; /* interned; "" if none */
	struct node *kid[];
};

enum func_flag {
	FUNC_STATIC = 1,
	FUNC_INLINE = 2,   /* declared inline, or defined in a header */
	FUNC_HEADER = 4,   /* defined outside the unit's main file */
	FUNC_VOID = 8,
	FUNC_INIT = 16,    /* __init, __meminit and the like */
	FUNC_COLD = 32,    /* __cold */
	FUNC_NOINLINE = 64,
	FUNC_NORETURN = 128,
	FUNC_EXPORTED = 256, /* EXPORT_SYMBOL */
	FUNC_EXPORTED_GPL = 512,
	FUNC_INITCALL = 1024, /* named by an initcall, __setup or early_param */
	FUNC_MACRO = 2048,   /* defined by a macro: SYSCALL_DEFINE and the like */
	FUNC_WEAK = 4096,
	FUNC_ALWAYS_INLINE = 8192,
	FUNC_NOPARAM_PROTO = 16384,
	FUNC_KEPT = 32768, /* its header has a word of parse_options.keep */
};

struct param {
	const char *name;   /* as in N_LOCAL */
	const char *record; /* the record it points to, or "" */
};

struct func {
	const char *name, *file;
	uint32_t line, column;         /* of the name */
	uint32_t start_line, end_line; /* of the whole definition */
	unsigned flags;
	uint32_t nparam;
	struct param *param;
	const char *ret_record; /* the record the result points to, or "" */
	const char *type;       /* "int (struct page *, gfp_t)" */
	/*
	 * The body without lines and columns: equal hashes, equal trees. The
	 * same function in two configurations differs where these do.
	 */
	uint64_t hash;
	uint32_t nref;
	const char **ref; /* functions named in the body, called or taken */
	uint32_t nglobal;
	const char **global; /* globals named in the body */
	const void *code; /* the encoded body */
	size_t code_len;
	struct node *body; /* decoded by facts_body() */
	struct facts *facts;
};

struct field {
	const char *name;
	const char *record; /* the record it points to, or "" */
	const char *inner;  /* the record that it is, if it is one, or "" */
	int64_t offset;     /* in bits; of an anonymous member's field: outer */
	uint32_t size;      /* in bits */
	bool pointer, bitfield;
	bool is_union;      /* shares its place with another field */
};

struct record {
	const char *name; /* an anonymous record's fields belong to the outer */
	const char *file;
	uint32_t line;
	uint32_t nfield;
	struct field *field;
};

enum global_flag {
	GLOBAL_STATIC = 1,
	GLOBAL_DEFINED = 2,      /* not an extern declaration */
	GLOBAL_CONST = 4,
	GLOBAL_ARRAY = 8,
	GLOBAL_POINTER = 16,
	GLOBAL_RO_AFTER_INIT = 32,
	GLOBAL_PERCPU = 64,
};

struct global {
	const char *name, *file; /* a static local: "function.name" */
	uint32_t line, column;
	unsigned flags;
	const char *type;   /* the record it is (an element's, for arrays) or "" */
	const char *record; /* the record it points to, or "" */
	struct node *init;  /* NULL: none, all zero */
	uint32_t nref;
	const char **ref;   /* functions named in the initialiser */
};

struct decl { /* a prototype outside the unit's main file */
	const char *name, *file;
	uint32_t line;
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct fact_error {
	const char *file, *function; /* function may be "" */
	uint32_t line;
	const char *why; /* never text from outside the tree */
};

struct facts {
	const char *unit;
	uint32_t nfunc, nrecord, nglobal, ndecl, nenum, nerror, ndep;
	struct func *func;
	struct record *record;
	struct global *global;
	struct decl *decl;
	struct enumerator *enumerator;
	struct fact_error *error;
	const char **dep; /* every file read, the unit first, headers sorted */
	struct arena *arena;
	struct strtab *strings;
	const void *bytes; /* what it was decoded from; kept by the owner */
	/* for facts_body(): the strings of @bytes, interned when first needed */
	uint32_t ntext;
	const char **text;
	const uint32_t *text_at; /* pairs of offsets into @bytes: from, to */
};

/* No body is nested deeper; a deeper one is cut and is a fact_error. */
#define FACTS_MAX_DEPTH 512

/*
 * Append @facts as bytes. The same facts always give the same bytes. A func
 * whose body is decoded is encoded from the body; the hash is made here.
 */
void facts_encode(const struct facts *facts, struct strbuf *out);

/*
 * Read what facts_encode() wrote. @bytes must outlive the result, which lives
 * in @arena. Returns NULL with @err set if the bytes are not whole, of another
 * format, or not what facts_encode() writes: never trusts a length in them.
 */
struct facts *facts_decode(const void *bytes, size_t len, struct arena *arena,
			   struct strtab *strings, struct err *err);

/*
 * The body of @func, decoded at the first call and kept. NULL if the bytes
 * are damaged, which facts_decode() cannot see.
 */
struct node *facts_body(struct func *func);

/* "N_IF" is "if", OP_ADD is "+"; for dumps and messages. */
const char *node_kind_name(enum node_kind kind);
const char *node_op_name(enum node_op op);

/* Append text for people and tests: a node and what is below it, or all. */
void node_dump(const struct node *node, struct strbuf *out);
void func_dump(struct func *func, struct strbuf *out);
void facts_dump(struct facts *facts, struct strbuf *out);

/* A new node in @arena; kids are NULL. */
struct node *node_new(struct arena *arena, enum node_kind kind, uint32_t nkid);

#endif
