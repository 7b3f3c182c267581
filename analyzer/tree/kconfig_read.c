// SPDX-License-Identifier: GPL-2.0-only
/* A .config as wishes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/strbuf.h"
#include "kconfig.h"
#include "tree.h"

struct reader {
	struct kconfig *kc;
	struct arena *arena;
	struct kc_wish *wish;
	size_t n, size, unknown;
	const char *arch, *version; /* of the first line, or NULL */
};

static void add(struct reader *r, const char *name, const char *value,
		bool forced)
{
	if (r->n == r->size) {
		r->size = r->size ? r->size * 2 : 4096;
		r->wish = xrealloc(r->wish, r->size * sizeof(*r->wish));
	}
	r->wish[r->n++] = (struct kc_wish){ name, value, forced };
}

static bool is_name(int c)
{
	return isalnum(c) || c == '_';
}

/* "# Linux/x86 6.1.192 Kernel Configuration" */
static void read_title(struct reader *r, const char *line, size_t len)
{
	static const char key[] = "Kernel Configuration";
	const char *end = line + len, *at = line, *slash;

	if (!memmem(line, len, key, sizeof(key) - 1))
		return;
	slash = memchr(line, '/', len);
	if (!slash || r->arch)
		return;
	for (at = slash + 1; at < end && is_name((unsigned char)*at);)
		at++;
	r->arch = arena_strndup(r->arena, slash + 1,
				(size_t)(at - slash - 1));
	while (at < end && *at == ' ')
		at++;
	for (slash = at; at < end && *at != ' ';)
		at++;
	r->version = arena_strndup(r->arena, slash, (size_t)(at - slash));
}

static const char *unquote(struct arena *arena, const char *at,
			   const char *end)
{
	char *out = arena_alloc(arena, (size_t)(end - at) + 1);
	size_t n = 0;

	for (at++; at < end && *at != '"'; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
		out[n++] = *at;
	}
	return out;
}

static void read_option(struct reader *r, const char *line, size_t len)
{
	static const char not_set[] = " is not set";
	const char *end = line + len, *at, *name, *value;
	struct kc_symbol *symbol;
	bool unset = *line == '#';

	at = line + (unset ? 2 : 0);
	if ((size_t)(end - at) < 8 || memcmp(at, "CONFIG_", 7))
		return;
	at += 7;
	for (line = at; at < end && is_name((unsigned char)*at);)
		at++;
	name = intern_n(r->kc->strings, line, (size_t)(at - line));
	if (unset) {
		if ((size_t)(end - at) != sizeof(not_set) - 1 ||
		    memcmp(at, not_set, sizeof(not_set) - 1))
			return;
		value = "n";
	} else {
		if (at == end || *at++ != '=')
			return;
		value = at < end && *at == '"' ?
			unquote(r->arena, at, end) :
			arena_strndup(r->arena, at, (size_t)(end - at));
	}
	HASH_FIND_PTR(r->kc->symbols, &name, symbol);
	if (!symbol || symbol->type == KC_UNKNOWN)
		r->unknown++;
	add(r, name, value, symbol && symbol->policy);
}

static void read_lines(struct reader *r, const char *at, const char *end)
{
	const char *eol;
	size_t len;

	for (; at < end; at = eol < end ? eol + 1 : end) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		len = (size_t)(eol - at);
		while (len && isspace((unsigned char)at[len - 1]))
			len--;
		if (!len)
			continue;
		if (*at == '#')
			read_title(r, at, len);
		read_option(r, at, len);
	}
}

/*
 * What the toolchain was asked and the file does not mention was answered
 * with n, if the file was made by this version's Kconfig.
 */
static void add_unanswered(struct reader *r)
{
	struct kconfig *kc = r->kc;
	size_t i, n = r->n;

	for (i = 0; i < n; i++)
		r->wish[i].name = intern(kc->strings, r->wish[i].name);
	kc->run++;
	for (i = 0; i < n; i++) {
		struct kc_symbol *symbol;

		HASH_FIND_PTR(kc->symbols, &r->wish[i].name, symbol);
		if (symbol)
			symbol->run = kc->run;
	}
	for (i = 0; i < kc->nall; i++) {
		struct kc_symbol *symbol = kc->all[i];

		if (symbol->policy && symbol->name && symbol->run != kc->run)
			add(r, symbol->name, NULL, true);
	}
}

static bool same_arch(const struct tree *tree, const char *arch)
{
	return !strcmp(arch, tree->arch) ||
	       (!strcmp(tree->arch, "x86") && !strcmp(arch, "x86_64"));
}

struct kc_wish *kconfig_read(struct kconfig *kc, const char *file,
			     struct arena *arena, size_t *n, const char **note,
			     struct err *err)
{
	struct reader r = { .kc = kc, .arena = arena };
	struct strbuf text = STRBUF_INIT;
	struct kc_wish *wish = NULL;
	bool same_version;

	*n = 0;
	*note = NULL;
	if (strbuf_read_file(&text, file, err) < 0)
		goto out;
	if (text.len)
		read_lines(&r, text.buf, text.buf + text.len);
	if (!r.n || r.unknown == r.n) {
		err_set(err, STATUS_USAGE,
			"'%s' is not a kernel configuration", file);
		goto out;
	}
	if (r.arch && !same_arch(kc->tree, r.arch)) {
		err_set(err, STATUS_USAGE,
			"'%s' is a configuration for %s, not for %s", file,
			r.arch, kc->tree->arch);
		goto out;
	}
	same_version = !r.version || !strcmp(r.version, kc->tree->release);
	if (same_version)
		add_unanswered(&r);
	else
		*note = arena_printf(arena, "%s: made for %s, the tree is %s",
				     file, r.version, kc->tree->release);
	if (r.unknown && !*note)
		*note = arena_printf(arena,
				     "%s: %zu options that the tree has not",
				     file, r.unknown);
	*n = r.n;
	wish = ARENA_ARRAY(arena, struct kc_wish, r.n);
	memcpy(wish, r.wish, r.n * sizeof(*wish));
out:
	free(r.wish);
	strbuf_release(&text);
	return wish;
}
