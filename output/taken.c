// SPDX-License-Identifier: GPL-2.0-only
#include "taken.h"

#include <ctype.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

#include "../analyzer/base/strbuf.h"

/* Longer files are tables of numbers. */
#define SIZE_MAX_READ (8 << 20)

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void take(struct strtab *names, const char *text, const char *end)
{
	const char *s = text;

	while ((s = memchr(s, '_', (size_t)(end - s)))) {
		const char *start = s;

		while (start > text && is_word(start[-1]))
			start--;
		while (s < end && is_word(*s))
			s++;
		if (!strncmp(start, "__", 2) || !strncmp(start, "do_", 3))
			intern_n(names, start, (size_t)(s - start));
	}
}

static bool is_source(const FTSENT *entry)
{
	size_t len = entry->fts_namelen;

	return entry->fts_info == FTS_F && len > 2 &&
	       entry->fts_name[len - 2] == '.' &&
	       strchr("ch", entry->fts_name[len - 1]) &&
	       entry->fts_statp->st_size <= SIZE_MAX_READ;
}

struct strtab *taken_names(const struct tree *tree,
			   const struct names *exclude, struct arena *arena)
{
	char *const root[] = { (char *)(uintptr_t)tree->root, NULL };
	FTS *fts = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const size_t prefix = strlen(tree->root) + 1;
	struct strtab *names = strtab_new(arena);
	struct strbuf text = STRBUF_INIT;
	FTSENT *entry;

	while (fts && (entry = fts_read(fts))) {
		if (entry->fts_info == FTS_D && entry->fts_level &&
		    (*entry->fts_name == '.' ||
		     names_have(exclude, entry->fts_path + prefix))) {
			fts_set(fts, entry, FTS_SKIP);
			continue;
		}
		text.len = 0;
		if (is_source(entry) &&
		    !strbuf_read_file(&text, entry->fts_path, NULL) &&
		    text.len)
			take(names, text.buf, text.buf + text.len);
	}
	if (fts)
		fts_close(fts);
	strbuf_release(&text);
	return names;
}
