// SPDX-License-Identifier: GPL-2.0-only
/* The subject of a patch: what it says in one line. */
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "kind.h"
#include "message.h"

static int compare_path(const void *key, const void *unit)
{
	return strcmp(key, ((const struct unit *)unit)->path);
}

/* The .c file that a header belongs to: of its name, in the kernel itself. */
static const char *own_source(const struct message *m, const char *header)
{
	static const char *const folder[] = { "kernel", "mm", "fs", "lib",
					      "block", "init" };
	const char *slash = strrchr(header, '/');
	const char *base = slash ? slash + 1 : header;
	struct unit *unit;
	size_t n;

	unit = tree_units(m->config, &n);
	for (size_t i = 0; i < sizeof(folder) / sizeof(folder[0]); i++) {
		const char *path = arena_printf(m->arena, "%s/%.*s.c",
			folder[i], (int)strcspn(base, "."), base);

		if (bsearch(path, unit, n, sizeof(*unit), compare_path))
			return path;
	}
	return header;
}

/* Folders that subjects do not name. */
static const char *skip_folders(const char *path)
{
	static const char *const folder[] = {
		"include/linux/", "include/", "kernel/", "fs/", "drivers/",
		"arch/",
	};

	for (size_t i = 0; i < sizeof(folder) / sizeof(folder[0]); i++)
		if (!strncmp(path, folder[i], strlen(folder[i])))
			return path + strlen(folder[i]);
	return path;
}

/*
 * As those who changed the file before began; without a history "mm/memcontrol"
 * for that and for its header, "exit" for kernel/exit.c and "cgroup" for
 * kernel/cgroup/cgroup.c.
 */
static const char *prefix(const struct message *m, const struct patch *patch)
{
	const char *file = patch->remedy[0]->finding->file, *usual;
	size_t len = strlen(file), half;

	if (len > 2 && !strcmp(file + len - 2, ".h") &&
	    !strncmp(file, "include/", 8))
		file = own_source(m, file);
	usual = history_prefix(m->history, file);
	if (usual)
		return usual;
	file = skip_folders(file);
	len = strlen(file);
	if (strrchr(file, '.'))
		len = (size_t)(strrchr(file, '.') - file);
	half = len / 2;
	if (len % 2 && file[half] == '/' &&
	    !strncmp(file, file + half + 1, half))
		len = half;
	return arena_strndup(m->arena, file, len);
}

const char **message_names(const struct message *m,
			   const struct patch *patch, size_t *n)
{
	const char **name = ARENA_ARRAY(m->arena, const char *,
					patch->nremedy);

	*n = 0;
	for (size_t i = 0; i < patch->nremedy; i++) {
		const char *function = patch->remedy[i]->finding->function;
		size_t k;

		for (k = 0; k < *n; k++)
			if (!strcmp(name[k], function))
				break;
		if (k == *n)
			name[(*n)++] = function;
	}
	return name;
}

char *message_call(const struct message *m, const char *name)
{
	return arena_printf(m->arena, "%s()", name);
}

static size_t common_start(const char *const *name, size_t n)
{
	size_t len = strlen(name[0]);

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < len; k++)
			if (name[i][k] != name[0][k])
				len = k;
	while (len && name[0][len - 1] != '_')
		len--;
	return len;
}

/* Behind @start bytes that are common too. */
static size_t common_end(const char *const *name, size_t n, size_t start)
{
	size_t first = strlen(name[0]), len = first - start;

	for (size_t i = 1; i < n; i++) {
		size_t all = strlen(name[i]), k = 0;

		while (k < len && k < all - start &&
		       name[i][all - 1 - k] == name[0][first - 1 - k])
			k++;
		len = k;
	}
	while (len && name[0][first - len] != '_')
		len--;
	return len;
}

/* "mem_cgroup_{fork,exit}()", or NULL where too little is shared. */
static char *in_braces(const struct message *m, const char *const *name,
		       size_t n)
{
	size_t start = common_start(name, n), end, least = strlen(name[0]);
	char *text;

	end = common_end(name, n, start);
	for (size_t i = 1; i < n; i++)
		if (strlen(name[i]) < least)
			least = strlen(name[i]);
	if (n < 2 || start + end >= least || 2 * (start + end) < least)
		return NULL;
	text = arena_printf(m->arena, "%.*s{", (int)start, name[0]);
	for (size_t i = 0; i < n; i++)
		text = arena_printf(m->arena, "%s%s%.*s", text, i ? "," : "",
				    (int)(strlen(name[i]) - start - end),
				    name[i] + start);
	return arena_printf(m->arena, "%s}%s()", text,
			    name[0] + strlen(name[0]) - end);
}

char *message_all(const struct message *m, const struct patch *patch)
{
	size_t n;
	const char **name = message_names(m, patch, &n);

	for (size_t i = 0; i < n; i++)
		if (patch->remedy[0]->fn)
			name[i] = message_call(m, name[i]);
	return prose_list(m->arena, name, n, n);
}

/* "a() and 2 more", "3 wbc_*() functions" */
static char *how_many(const struct message *m, const char *const *name,
		      size_t n)
{
	size_t start = common_start(name, n);

	if (start < 2)
		return arena_printf(m->arena, "%s() and %zu more", name[0],
				    n - 1);
	return arena_printf(m->arena, "%zu %.*s*() functions", n, (int)start,
			    name[0]);
}

char *message_functions(const struct message *m, const struct patch *patch,
			size_t columns)
{
	char *text = message_all(m, patch), *braces;
	size_t n;
	const char **name = message_names(m, patch, &n);

	if (strlen(text) <= columns || n == 1)
		return text;
	braces = in_braces(m, name, n);
	if (braces && strlen(braces) <= columns)
		return braces;
	return how_many(m, name, n);
}

static char *say(const struct message *m, const char *phrase,
		 const char *function)
{
	char *text = arena_strdup(m->arena, "");

	while (*phrase) {
		size_t len = strcspn(phrase, " ");

		text = arena_printf(m->arena, "%s%s%.*s", text,
			*text ? " " : "", (int)len, phrase);
		if (!strncmp(phrase, "FEATURE", len))
			text = arena_printf(m->arena, "%.*s%s",
				(int)(strlen(text) - len), text,
				m->rules->feature);
		else if (!strncmp(phrase, "FUNCTION", len))
			text = arena_printf(m->arena, "%.*s%s",
				(int)(strlen(text) - len), text, function);
		phrase += len;
		phrase += *phrase == ' ';
	}
	return text;
}

const char *message_callee(const struct patch *patch)
{
	for (size_t i = 0; i < patch->nedit; i++)
		for (size_t k = 0; k < patch->edit[i].nname; k++)
			if (!strcmp(patch->edit[i].name[k].name, "callee"))
				return patch->edit[i].name[k].value;
	return NULL;
}

static const struct kind *find_kind(const struct patch *patch)
{
	const struct kind *kind = kind_find(patch->work &&
			!strcmp(patch->kind, "guard") ? "work" : patch->kind);

	if (!kind)
		BUG("nothing can be said of a patch of kind '%s'",
		    patch->kind);
	return kind;
}

char *message_subject(const struct message *m, const struct patch *patch)
{
	const struct kind *kind = find_kind(patch);
	const char *start = prefix(m, patch), *called = message_callee(patch);
	const char *form[3];
	char *text = NULL;
	size_t nform = 0, n;
	const char **name = message_names(m, patch, &n);

	form[nform++] = called ? message_call(m, called) :
				 message_all(m, patch);
	if (!called && n > 1) {
		form[nform] = in_braces(m, name, n);
		nform += form[nform] != NULL;
		form[nform++] = how_many(m, name, n);
	}
	for (size_t i = 0; i < nform; i++)
		for (size_t k = 0; k < 3 && kind->subject[k]; k++) {
			text = arena_printf(m->arena, "%s: %s", start,
				say(m, kind->subject[k], form[i]));
			if (strlen(text) <= MESSAGE_SUBJECT)
				return text;
		}
	return text;
}
