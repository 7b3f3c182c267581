// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker reads files that may be hostile with a compiler that was not made
 * for that. Where the kernel has Landlock, it can from now on read only the
 * tree and the compiler's headers, write only where the precompiled header
 * goes, execute nothing and connect to nothing. Where it has not, the checks
 * of what was included must do.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

#include "worker.h"

/* What newer headers define, for older ones to compile. */
#define FS_REFER    (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_BASE     ((1ull << 13) - 1)
#define NET_ALL     3ull

#define FS_READ  (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_WRITE (FS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | \
		  LANDLOCK_ACCESS_FS_MAKE_REG | \
		  LANDLOCK_ACCESS_FS_REMOVE_FILE)

struct ruleset_attr {
	uint64_t fs, net;
};

static void allow(int ruleset, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = access };

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return;
	syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
		&rule, 0);
	close(rule.parent_fd);
}

static void allow_folder_of(int ruleset, const char *path, uint64_t access)
{
	char *folder = xstrdup(path), *slash = strrchr(folder, '/');

	if (slash && slash > folder) {
		*slash = '\0';
		allow(ruleset, folder, access);
	}
	free(folder);
}

void sandbox_enter(const struct task *task, size_t ntask,
		   const struct clang_place *place)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_CREATE_RULESET_VERSION);
	struct ruleset_attr attr = { .fs = FS_BASE };
	uint64_t more = 0;
	const char *root = NULL, *read = NULL;
	int ruleset;

	if (abi < 1)
		return;
	if (abi >= 2)
		attr.fs |= FS_REFER;
	if (abi >= 3)
		attr.fs |= more = FS_TRUNCATE;
	if (abi >= 4)
		attr.net = NET_ALL;
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr,
			       abi >= 4 ? sizeof(attr) : sizeof(attr.fs), 0);
	if (ruleset < 0)
		return;
	allow(ruleset, place->resource_dir, FS_READ);
	allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE |
	      LANDLOCK_ACCESS_FS_WRITE_FILE);
	for (size_t i = 0; i < ntask; i++) {
		if (task[i].root && task[i].root != root)
			allow(ruleset, root = task[i].root, FS_READ);
		if (task[i].pch && task[i].kind == TASK_HEADERS)
			allow_folder_of(ruleset, task[i].pch, FS_WRITE | more);
		else if (task[i].pch && task[i].pch != read)
			allow_folder_of(ruleset, read = task[i].pch, FS_READ);
	}
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
}
