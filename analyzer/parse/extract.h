/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A parsed unit to facts: what the files of the extraction share.
 *
 * Everything lives in the arena and strtab of one unit, in the worker. The
 * order of work: unit_extract() visits the top level and queues functions;
 * function_extract() reads one, which may queue header functions that it
 * names; this goes on until the queue is empty.
 */
#ifndef NOCHARGE_EXTRACT_H
#define NOCHARGE_EXTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "clang.h"
#include "facts.h"

/* Cursors to anything, by identity. */
struct cursor_slot {
	CXCursor cursor;
	void *value; /* NULL: free */
};
struct cursor_map {
	struct cursor_slot *slot;
	size_t used, size;
};

void *cursor_map_get(const struct clang *clang, const struct cursor_map *map,
		     CXCursor cursor);
/* @value must not be NULL; an older one is replaced. */
void cursor_map_put(const struct clang *clang, struct cursor_map *map,
		    CXCursor cursor, const void *value);
void cursor_map_clear(struct cursor_map *map);
void cursor_map_release(struct cursor_map *map);

/* Pointers in a row, malloc'd. */
struct list {
	void **item;
	size_t n, cap;
};
void list_add(struct list *list, const void *item);
void list_release(struct list *list);

struct source_file {
	CXFile file;
	const char *path;  /* relative, interned */
	const char *text;  /* loaded when asked for */
	size_t len;
	bool main;   /* the unit's main file, or a .c file that it includes */
	bool loaded, kept, kept_known;
};

struct place {
	struct source_file *file; /* NULL: none */
	unsigned line, column, offset;
};

/* What the compiler says about the asm statements of a function, in order. */
struct asm_info {
	uint32_t nout;
	bool heavy;
};

struct extract_options {
	const char *unit;   /* relative */
	const char *root;   /* absolute, no '/' at the end */
	const char *const *keep; /* words; see struct parse_options */
	size_t nkeep;
	bool all;           /* every function: for the precompiled header */
	const struct memfile *file; /* in memory, sorted by path */
	size_t nfile;
};

/* To look for all words of @keep at once: by a hash of their first bytes. */
#define KEEP_HEADS 4096
struct keep_index {
	uint16_t head[KEEP_HEADS]; /* number of a word + 1 */
	uint16_t *next;
};

struct extract {
	const struct clang *clang;
	const struct extract_options *options;
	CXTranslationUnit tu;
	struct arena *arena;
	struct strtab *strings;
	struct facts *facts;

	struct keep_index *keep;       /* NULL: not made yet */
	struct list files;             /* struct source_file */
	struct source_file *last_file;

	CXCursor *stack;               /* children under way */
	size_t nstack, stack_size;

	struct cursor_map members;     /* field: its "record.field", or none */
	struct cursor_map records;     /* record: its name */
	struct cursor_map headers;     /* function of a header: queued or not */
	struct list queue;             /* CXCursor, in the arena */
	struct list exports, gpl_exports, initcalls; /* names in the text */

	struct list funcs, globals, decls, recs, enums, errors;
	struct list inits;             /* CXCursor: parallel to globals */
	struct cursor_map seen;        /* first declaration: its global */

	/* of the function or initialiser at hand */
	struct function {
		const char *name;      /* "" for an initialiser */
		struct source_file *file;
		struct cursor_map locals;
		struct list local_names;
		struct list labels, label_names; /* pairs; see label_name() */
		struct list refs, globals;
		struct asm_info *asms; /* NULL: not known */
		size_t nasm, asm_at;
		bool cut;              /* nested too deep */
		CXCursor cursor;
	} fn;
};

/* Fill in @facts from @tu. */
struct facts *unit_extract(const struct clang *clang, CXTranslationUnit tu,
			   const struct extract_options *options,
			   struct arena *arena, struct strtab *strings);

/* cursors.c: what libclang says, in our words */
/*
 * "/root/a/b/../c.h" is "a/c.h", and so is a generated file; outside the tree
 * it stays absolute.
 */
const char *tree_path(const char *root, const char *path,
		      struct arena *arena);
const char *cursor_name(struct extract *ex, CXCursor cursor);
const char *type_name(struct extract *ex, CXType type);
/* Where it is expanded, and where it is written: an argument of a macro. */
struct place cursor_place(struct extract *ex, CXCursor cursor);
struct place spelling_place(struct extract *ex, CXCursor cursor);
const char *file_text(struct extract *ex, struct source_file *file);
bool file_kept(struct extract *ex, struct source_file *file);
/* True if @text stands at @place. */
bool text_at_place(struct extract *ex, const struct place *place,
		   const char *text);
/* Push the children of @cursor; they are stack[base] to stack[nstack - 1]. */
size_t children_push(struct extract *ex, CXCursor cursor);
/*
 * The same for the members of @record in their order, which the children of
 * one that comes from a precompiled header are not in. Anonymous ones are
 * among them: member_name() is NULL, anonymous_record() what is in them.
 */
size_t fields_push(struct extract *ex, CXCursor record);
CXCursor anonymous_record(struct extract *ex, CXCursor field);
static inline void children_pop(struct extract *ex, size_t base)
{
	ex->nstack = base;
}
/* Returns false if @cursor is no constant. */
bool cursor_value(struct extract *ex, CXCursor cursor, int64_t *value);
bool type_unsigned(CXType canonical);
bool type_integer(CXType canonical);
bool is_record(CXCursor cursor);

/* names.c */
/* "outer", or "outer::member" for a record without a name. */
const char *record_name(struct extract *ex, CXCursor record);
/* "record.field"; NULL for an anonymous member. */
const char *member_name(struct extract *ex, CXCursor field);
/* The record that @type points to, behind arrays; "" if it does not. */
const char *pointee_record(struct extract *ex, CXType type);
/* The record that @type is, behind arrays; "" if it is none. */
const char *type_record(struct extract *ex, CXType type);
/* The name of a local variable or parameter of the function at hand. */
const char *local_name(struct extract *ex, CXCursor decl);
/* Of a label or of what goes to one. */
const char *label_name(struct extract *ex, CXCursor label);
/* A global's name, with its function if it is a static local. */
const char *global_name(struct extract *ex, CXCursor decl);

/* expr.c */
struct node *expr_extract(struct extract *ex, CXCursor cursor,
			  unsigned depth);
struct node *node_at(struct extract *ex, enum node_kind kind, uint32_t nkid,
		     CXCursor cursor);
/* A node of @kind whose kids are @list from @from on, which are dropped. */
struct node *node_of_list(struct extract *ex, enum node_kind kind,
			  CXCursor cursor, struct list *list, size_t from);
/* The same where only the name is known. */
void ref_add_name(struct extract *ex, const char *name);

/* init.c */
struct node *init_extract(struct extract *ex, CXCursor list, unsigned depth);

/* stmt.c */
struct node *stmt_extract(struct extract *ex, CXCursor cursor,
			  unsigned depth);
/* The statements of a block, appended to @list. */
void block_extract(struct extract *ex, CXCursor block, struct list *list,
		   unsigned depth);

/* asm.c: from the compiler's own print of the function at hand */
struct asm_info *asm_read(struct extract *ex, CXCursor function, size_t *n);

/* decl.c */
void global_extract(struct extract *ex, CXCursor var);
void record_extract(struct extract *ex, CXCursor record);
void enum_extract(struct extract *ex, CXCursor decl);
/* The declaration without body or initialiser, attributes and all. */
const char *decl_print(struct extract *ex, CXCursor decl);
bool decl_has(const char *print, const char *word);

/* scan.c: names in macros of the unit's text that say how it is used */
void scan_unit(struct extract *ex, const char *text, size_t len);

#endif
