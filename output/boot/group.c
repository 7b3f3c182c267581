// SPDX-License-Identifier: GPL-2.0-only
#include "group.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

#define ROOT "/cg"
#define HERE ROOT "/here"

/* All of a file, or "" if there is none. */
static const char *get(const char *path)
{
	static char text[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	while (fd >= 0 && len < sizeof(text) - 1 &&
	       (n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)n;
	if (fd >= 0)
		close(fd);
	text[len] = '\0';
	return text;
}

static bool is_word_of(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (; *text; text += strcspn(text, " \n")) {
		text += strspn(text, " \n");
		if (!strncmp(text, word, len) && strchr(" \n", text[len]))
			return true;
	}
	return false;
}

static void take(struct group *group, const char *key, const char *name)
{
	if (!strcmp(key, "controller"))
		group->controller = name;
	else if (!strcmp(key, "limit"))
		group->limit = name;
	else if (!strcmp(key, "drain"))
		group->drain = name;
	else if (!strcmp(key, "number") && group->nnumber < GROUP_NAMES)
		group->number[group->nnumber++] = name;
	else if (!strcmp(key, "table") && group->ntable < GROUP_NAMES)
		group->table[group->ntable++] = name;
}

const char *group_setup(struct group *group)
{
	char *line, *save, *name, word[64];

	memset(group, 0, sizeof(*group));
	snprintf(group->text, sizeof(group->text), "%s", get("/group"));
	for (line = strtok_r(group->text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		name = strchr(line, ' ');
		if (!name)
			continue;
		*name++ = '\0';
		take(group, line, name);
	}
	if (!group->controller || !group->limit)
		return "/group names no controller or limit";
	mkdir(ROOT, 0755);
	if (mount("cgroup2", ROOT, "cgroup2", 0, NULL))
		return because("mounting cgroup2");
	if (!is_word_of(get(ROOT "/cgroup.controllers"), group->controller))
		return "the feature is not there";
	snprintf(word, sizeof(word), "+%s", group->controller);
	if (!put(ROOT "/cgroup.subtree_control", word))
		return because("cgroup.subtree_control");
	return NULL;
}

static const char *path_of(const char *dir, const char *file)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return path;
}

bool group_make(const struct group *group)
{
	char text[32];

	if (!group)
		return true;
	snprintf(text, sizeof(text), "%lu", LIMIT);
	return !mkdir(HERE, 0755) && put(path_of(HERE, group->limit), text);
}

bool group_enter(const struct group *group)
{
	return !group || put(HERE "/cgroup.procs", "0");
}

bool group_drain(const struct group *group)
{
	return !group || !group->drain ||
		put(path_of(HERE, group->drain), "0");
}

bool group_remove(const struct group *group)
{
	return !group || !rmdir(HERE);
}

/* "NAME NUMBER", or as /proc/meminfo has it "NAME: NUMBER kB". */
static void table(const char *what, const char *where, const char *file,
		  const char *path)
{
	const char *text = get(path);

	while (*text) {
		size_t len = strcspn(text, "\n"), name = strcspn(text, " :\n");
		const char *at = text + name;

		at += strspn(at, " :");
		if (*at >= '0' && *at <= '9')
			printf("%s %s %s%s%.*s %.*s\n", what, where,
			       file, *file ? ":" : "", (int)name, text,
			       (int)strspn(at, "0123456789"), at);
		text += len + (text[len] == '\n');
	}
}

static void group_numbers(const char *what, const char *where,
			  const char *dir, const struct group *group)
{
	for (unsigned i = 0; i < group->nnumber; i++) {
		const char *text = get(path_of(dir, group->number[i]));

		/* the root group has not all of them */
		if (*text >= '0' && *text <= '9')
			printf("%s %s %s %.*s\n", what, where,
			       group->number[i],
			       (int)strspn(text, "0123456789"), text);
	}
	for (unsigned i = 0; i < group->ntable; i++)
		table(what, where, group->table[i],
		      path_of(dir, group->table[i]));
}

void numbers(const char *step, const char *point, const struct group *group,
	     bool there)
{
	char what[64];

	snprintf(what, sizeof(what), "%s %s", step, point);
	if (group && there)
		group_numbers(what, "group", HERE, group);
	if (group)
		group_numbers(what, "root", ROOT, group);
	table(what, "vmstat", "", "/proc/vmstat");
	table(what, "meminfo", "", "/proc/meminfo");
}
