/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that is done in other processes.
 *
 * A task is a file to parse and what is wanted of it. Workers are forks, so
 * they have the tasks themselves; only numbers go to them, and bytes come
 * back. worker.c runs in the worker, pool.c in the parent.
 */
#ifndef NOCHARGE_WORKER_H
#define NOCHARGE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "clang.h"
#include "parse.h"

enum task_kind {
	TASK_UNIT,      /* facts */
	TASK_HEADERS,   /* a precompiled header, and the facts of it */
	TASK_CONSTANTS, /* enumerators */
};

struct task {
	enum task_kind kind;
	const char *root;  /* absolute */
	const char *unit;  /* relative */
	const char *const *flags;
	size_t nflags;
	size_t ncommon;    /* the first of them are those of all units */
	const struct memfile *file; /* sorted by path */
	size_t nfile;
	const char *text;  /* TASK_HEADERS: what the unit holds */
	/*
	 * TASK_HEADERS: where to write the precompiled header. TASK_UNIT:
	 * the one to read, or NULL.
	 */
	const char *pch;
	const char *const *keep;
	size_t nkeep;
	uint64_t size;     /* of the file: the largest go first */
};

/*
 * What comes back. The payload is facts, or "name=value" lines, and `deps`
 * are the files that were read, absolute, each with a NUL behind it.
 */
struct reply {
	bool ok;
	bool crashed;      /* the worker died of a signal */
	const char *why;   /* if not ok */
	struct strbuf payload, deps;
};

/* What a worker found out about paths, for as long as its task->root. */
struct seen_path;
struct seen_paths {
	struct seen_path *paths;
};
void seen_paths_release(struct seen_paths *seen);

/* A task is done in this process: never returns an error but in @reply. */
void task_run(const struct clang *clang, const struct clang_place *place,
	      const struct task *task, struct reply *reply,
	      struct seen_paths *seen, struct arena *arena);

/* Give up what none of the tasks needs, as far as the kernel can do that. */
void sandbox_enter(const struct task *task, size_t ntask,
		   const struct clang_place *place);

/* The life of a worker; does not return. */
void worker_main(const struct task *task, size_t ntask,
		 const struct clang_place *place,
		 const struct parse_limits *limits, int in, int out)
	__attribute__((noreturn));

/* On the pipe: from the worker, before the bytes of why, payload and deps. */
struct reply_head {
	uint32_t ok, why;
	uint64_t payload, deps;
};

struct pool {
	const struct task *task;
	size_t ntask;
	unsigned jobs;
	const struct clang_place *place;
	struct parse_limits limits;
	const volatile int *interrupted;
	/*
	 * The next task to run, or false when there is none; asked again
	 * after every reply. @done gets each task's reply, once.
	 */
	bool (*next)(void *data, size_t *task);
	void (*done)(void *data, size_t task, struct reply *reply);
	void *data;
	double cpu; /* seconds of processor of the workers, added up */
};

/*
 * Run tasks until there is no next one and none under way. Returns 0, or -1
 * with @err set if no worker could start or it was interrupted.
 */
int pool_run(struct pool *pool, struct err *err);

#endif
