/* SPDX-License-Identifier: GPL-2.0-only */
/* What parse_units() and parse_constants() share. */
#ifndef NOCHARGE_PARSING_H
#define NOCHARGE_PARSING_H

#include "clang.h"
#include "deps.h"
#include "worker.h"

/* At least one; 0 is one per processor. */
unsigned parse_jobs(unsigned jobs);
/* Nanoseconds of the epoch. */
int64_t parse_now(void);
/* What the library is, as far as it can be known without reading it. */
struct key clang_key(const struct clang_place *place);
/* All of a task but its files in memory. */
void task_key_add(struct strbuf *parts, const struct task *task,
		  struct key clang);
/* A copy, sorted by path, malloc'd. */
struct memfile *sorted_files(const struct memfile *file, size_t n);
/* 0 if there is no such file. */
uint64_t tree_file_size(const char *root, const char *path);

#endif
