/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a feature is (rules/<feature>.json) and what the kernel is
 * (rules/kernel.json): the names that the analysis cannot derive.
 *
 * Both are read strictly: a key that is not in the schema, a wrong type or a
 * missing key is an error that names file, line and key.
 */
#ifndef NOCHARGE_RULES_H
#define NOCHARGE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "err.h"

struct names {
	const char **name;
	size_t n;
};

/* @name itself is kept, not a copy of it. */
void names_add(struct names *names, const char *name, struct arena *arena);

/*
 * A value in the off state. `name` is a static key or other global
 * ("memory_cgrp_subsys_enabled_key"), or one field of one global
 * ("mem_cgroup_subsys.disabled").
 */
struct known_value {
	const char *name;
	int64_t value;
	const char *why;  /* in words, for explanations; or NULL */
};

enum callback_arg { ARG_UNKNOWN, ARG_NULL, ARG_ROOT };

/* A member of the feature's callback table that runs for the root group. */
struct callback {
	const char *name;       /* the member: "css_online" */
	enum callback_arg arg[4];
	size_t narg;
	const char *root;       /* the hot root that it is on, or NULL */
	bool boot;              /* it runs once, before anybody uses the group */
};

/* An array of groups by subsystem: "css_set.subsys"[memory_cgrp_id] is root. */
struct root_array {
	const char *field, *index;
};

/* In the off state x and &x->field->member are the same object. */
struct same_object {
	const char *field, *member; /* "bdi_writeback.bdi", "backing_dev_info.wb" */
};

/* A figure that others have published of a change that a rule asks for. */
struct published {
	const char *rule, *text; /* a sentence, with whose and when */
};

/* How the feature is off unless it is asked for; option NULL: not said. */
struct default_rules {
	const char *boot;    /* "cgroup_enable=memory": it is asked for */
	const char *option;  /* the Kconfig symbol that says so */
	struct names other;  /* symbols by which trees have that already */
	const char *prompt;
	const char **help;   /* paragraphs */
	size_t nhelp;
};

struct rules {
	const char *file;      /* where it was read */
	const char *feature;   /* "memcg" */
	const char *title;     /* "the memory controller" */
	const char *off;       /* "cgroup_disable=memory" */
	struct names symbols;  /* Kconfig symbols that are the feature */
	struct names wants;    /* other Kconfig symbols asked for, in and out */
	struct names predicate; /* functions that say that it is off */
	struct known_value *guard; /* what the predicate reads, and what it is */
	size_t nguard;
	struct known_value *known; /* other values that cannot be derived */
	size_t nknown;
	struct default_rules asked;
	struct names table;    /* names of the callback table */
	struct callback *callback;
	size_t ncallback;
	const char *group;     /* the record of a group, or NULL */
	struct names root;     /* globals that point to the root group */
	struct known_value *root_field; /* "record.field" of the root group */
	size_t nroot_field;
	struct names limit;    /* "record.field": limits that mean nothing at root */
	struct root_array *root_array;
	size_t nroot_array;
	struct same_object *same;
	size_t nsame;
	struct names charge;   /* functions that charge a page or folio */
	struct published *published;
	size_t npublished;
	struct names statistics; /* functions that count what flags say */
	uint64_t hash;         /* of the file's content */
	size_t nidentifier;    /* kernel identifiers in the file */
};

/* A function on a hot path, and how often it runs per operation. */
struct root_function {
	const char *name; /* a name, or a pattern of fnmatch(3) */
	double times;
};

struct hot_root {
	const char *name;  /* "anon-fault": the name that is printed */
	const char *title; /* "a write fault on anonymous memory" */
	struct root_function *function;
	size_t nfunction;
};

struct wish {
	const char *name, *value;
};

struct wishes {
	struct wish *wish;
	size_t n;
};

/* Opened and closed in pairs; an empty one does nothing. */
struct section {
	const char *name;         /* "a section under a spinlock" */
	struct names open, close; /* patterns */
};

/* Static keys, as source text has them. */
struct key_words {
	const char *header;  /* a path from the top of the tree */
	const char *type;    /* the record of a key that is on from the start */
	const char *declare; /* DECLARE(KEY): such a key once more */
	const char *ask;     /* ASK(&KEY): is it on? */
	const char *define;  /* how a key that can be switched on is defined */
};

/* Boot parameters that switch features, as schema/kernel.schema.json has it. */
struct parameter_rules {
	struct names handlers; /* files; none: nothing is known of them */
	const char *setup, *both, *init, *beside, *parse;
	const char *header, *main;
	const char *order; /* why it is called there, in sentences */
	struct names options, documents; /* files */
};

/* What is charged, such as a page. */
struct object_rules {
	struct names records;  /* that it is */
	struct names flags;    /* "record.field": where its flags are */
	struct names allocate; /* patterns: calls that give a new one */
	struct names drop;     /* patterns: calls that give one up */
	struct names publish;  /* patterns: calls that make it visible */
};

struct kernel_rules {
	const char *file;
	struct hot_root *root;
	size_t nroot;
	struct names cold;     /* patterns: a path is not followed into these */
	struct names free;     /* patterns: calls that cost nothing when idle */
	struct names periodic; /* patterns: calls that make work come back */
	struct names raise;    /* patterns: calls that switch a static key on */
	struct names lower;    /* patterns: calls that switch one off again */
	struct names counter;  /* patterns: calls that add to a global counter */
	struct names barrier;  /* patterns: calls that order memory */
	struct names later;    /* patterns: calls that defer an item's work */
	struct names make;     /* patterns: calls that give memory nobody has */
	struct names pure;     /* patterns: calls that only give a value */
	struct names error;    /* patterns: calls that give a failure */
	struct names yield;    /* patterns: calls that let others run */
	const char *lock_batch; /* a constant: a lock is held for so many */
	struct key_words key;
	struct parameter_rules parameter;
	struct section *section;
	size_t nsection;
	struct object_rules object;
	struct names exclude;  /* directories that no default kernel runs */
	struct names gated;    /* directories whose files' options are wished */
	struct names ungated;  /* options that are not wished for that */
	struct wishes config;  /* asked for everywhere */
	struct wishes config_x86, config_arm64;
	struct wishes forced;  /* what the toolchain would answer */
	uint64_t hash;
};

/* NULL with @err set. Everything lives in @arena. */
struct rules *rules_load(const char *path, struct arena *arena,
			 struct strtab *strings, struct err *err);
struct kernel_rules *kernel_rules_load(const char *path, struct arena *arena,
				       struct strtab *strings,
				       struct err *err);
/* The same for text in memory; @path is for messages. */
struct rules *rules_parse(const char *path, const char *text, size_t len,
			  struct arena *arena, struct strtab *strings,
			  struct err *err);
struct kernel_rules *kernel_rules_parse(const char *path, const char *text,
					size_t len, struct arena *arena,
					struct strtab *strings,
					struct err *err);

/* What others have published for @rule, or "". */
const char *rules_published(const struct rules *rules, const char *rule);

/* True if @name is one of @names; with patterns where the member says so. */
bool names_have(const struct names *names, const char *name);
bool names_match(const struct names *names, const char *name);
/* True if @name is what @pattern (of fnmatch(3), or a plain name) says. */
bool pattern_match(const char *pattern, const char *name);

/*
 * Where rules, overlays and semantic patches are: NOCHARGE_DATA in the
 * environment, else beside the program, else PREFIX/share/nocharge. @sub is
 * "rules/memcg.json". In @arena; NULL if there is none.
 */
const char *data_path(struct arena *arena, const char *sub);

#endif
