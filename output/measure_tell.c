// SPDX-License-Identifier: GPL-2.0-only
/* What was measured, in the messages of the series that it was measured of. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analyzer/base/strbuf.h"
#include "measure.h"
#include "prose.h"
#include "series_dir.h"
#include "told.h"

#define COVER       "0000-cover-letter.patch"
#define COVER_START "Measured by nocharge measure, "
#define PATCH_START "Instructions, by nocharge measure: "
/* Operations that a patch's message names. */
#define NAMED_MAX 6

struct change {
	const struct operation *operation;
	double from, to, plain, part;
};

/* What is saved most of, first. */
static int by_part(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return strcmp(x->operation->name, y->operation->name);
}

/* What patch @number changes, or NULL. */
static const char *changes(const struct measure *measure, size_t number,
			   struct arena *arena)
{
	const char *was = number == 1 ? MEASURE_OFF :
		arena_printf(arena, MEASURE_OFF "+%zu", number - 1);
	const struct measure_state *before = measure_state(measure, was),
		*after = measure_state(measure, arena_printf(arena, MEASURE_OFF
				       "+%zu", number)),
		*plain = measure_state(measure, MEASURE_OUT);
	struct change *change = ARENA_ARRAY(arena, struct change,
					    measure->operations.n);
	const char *text = NULL;
	size_t n = 0;

	for (size_t op = 0; before && after && plain &&
	     op < measure->operations.n; op++) {
		const struct cell *a = &before->cell[op], *b =
			&after->cell[op], *c = &plain->cell[op];
		double by = b->n - a->n;

		if (!a->there || !b->there || !c->there ||
		    (by < measure_least(a) && by > -measure_least(a)))
			continue;
		change[n++] = (struct change){
			&measure->operations.item[op], a->n, b->n, c->n,
			by / a->n
		};
	}
	if (n)
		qsort(change, n, sizeof(*change), by_part);
	for (size_t i = 0; i < n && i < NAMED_MAX; i++)
		text = arena_printf(arena, "%s%s%s %.0f to %.0f (compiled out "
				    "%.0f)", text ? text : "", text ? ", " :
				    "", change[i].operation->title,
				    change[i].from, change[i].to,
				    change[i].plain);
	if (n > NAMED_MAX)
		text = arena_printf(arena, "%s and %zu more operations", text,
				    n - NAMED_MAX);
	return text;
}

static int put(const char *path, const char *start, const char *paragraph,
	       const char *before, struct err *err)
{
	struct strbuf text = STRBUF_INIT, new = STRBUF_INIT;
	int ret = strbuf_read_file(&text, path, err);

	/* what has a NUL in it is not ours */
	if (!ret && text.len && !memchr(text.buf, '\0', text.len) &&
	    told_put(text.buf, text.len, start, paragraph, before, &new))
		ret = series_dir_write(path, new.buf, new.len, err);
	strbuf_release(&text);
	strbuf_release(&new);
	return ret;
}

static const char *how(const struct measure *measure, const char *name)
{
	for (size_t i = 0; i + 1 < measure->how.n; i += 2)
		if (!strcmp(measure->how.name[i], name))
			return measure->how.name[i + 1];
	return "unknown";
}

static int tell_cover(const struct measure *measure, const char *dir,
		      struct arena *arena, struct err *err)
{
	const char *path = arena_printf(arena, "%s/" COVER, dir);
	struct strbuf text = STRBUF_INIT;
	int ret;

	if (access(path, F_OK))
		return 0;
	prose_item(&text, "", arena_printf(arena, COVER_START "instructions "
		   "of an emulated processor for each operation, and not time "
		   "(traps, caches, the TLB, barriers and wrong guesses of "
		   "branches cost nothing there); per cent are over a kernel "
		   "with the feature compiled out. %s; %s:",
		   how(measure, "emulator"), how(measure, "compiler")));
	measure_rows(measure, &text);
	strbuf_addch(&text, '\n');
	ret = put(path, COVER_START, text.buf, "How it is proven", err);
	strbuf_release(&text);
	return ret;
}

int measure_tell(const struct measure *measure, const char *dir,
		 const struct names *file, struct arena *arena,
		 struct err *err)
{
	for (size_t i = 0; i < file->n; i++) {
		const char *what = changes(measure, i + 1, arena);
		struct strbuf text = STRBUF_INIT;
		int ret;

		if (!what)
			continue;
		prose_paragraph(&text, arena_printf(arena, PATCH_START "%s. "
				"They are counted in an emulator, and are no "
				"time.", what));
		ret = put(arena_printf(arena, "%s/%s", dir, file->name[i]),
			  PATCH_START, text.buf, "Found by nocharge", err);
		strbuf_release(&text);
		if (ret)
			return -1;
	}
	return measure->nstate ? tell_cover(measure, dir, arena, err) : 0;
}
