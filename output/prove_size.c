// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a patch does to the size of functions, as scripts/bloat-o-meter tells
 * it of two objects.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf.h"
#include "prose.h"
#include "prove_compile.h"
#include "series_dir.h"
#include "told.h"

/* Functions that are named. */
#define NAMED_MAX 6

struct symbol {
	const char *name; /* in the object's text */
	uint64_t size;
};

struct object {
	struct elf elf;
	struct symbol *symbol; /* functions, sorted by name */
	size_t n;
};

struct change {
	char *name;
	int64_t by;
};

struct sizes {
	size_t add, remove, grow, shrink;
	int64_t up, down;
	struct change *change;
	size_t n;
	size_t units;
};

static int by_name(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	return d ? d : (x->size > y->size) - (x->size < y->size);
}

/* Largest first. */
static int by_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int64_t p = x->by < 0 ? -x->by : x->by, q = y->by < 0 ? -y->by : y->by;

	return p != q ? (p < q ? 1 : -1) : strcmp(x->name, y->name);
}

static void take_symbols(struct object *o, const Elf64_Shdr *table,
			 const Elf64_Shdr *names)
{
	const char *text = elf_part(&o->elf, names->sh_offset,
				    names->sh_size);
	size_t n = table->sh_size / sizeof(Elf64_Sym);

	if (!text || !names->sh_size || text[names->sh_size - 1] ||
	    !elf_part(&o->elf, table->sh_offset, table->sh_size))
		return;
	o->symbol = xcalloc(n ? n : 1, sizeof(*o->symbol));
	for (size_t i = 0; i < n; i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, o->elf.text.buf + table->sh_offset +
		       i * sizeof(symbol), sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
		    !symbol.st_size || symbol.st_name >= names->sh_size)
			continue;
		o->symbol[o->n++] = (struct symbol){
			text + symbol.st_name, symbol.st_size
		};
	}
	if (o->n)
		qsort(o->symbol, o->n, sizeof(*o->symbol), by_name);
}

/* False if @path is no object, or has no functions. */
static bool object_read(struct object *o, const char *path)
{
	if (!elf_read(&o->elf, path))
		return false;
	for (size_t i = 0; i < o->elf.head.e_shnum && !o->symbol; i++) {
		Elf64_Shdr table = elf_section(&o->elf, i);
		Elf64_Shdr names = elf_section(&o->elf, table.sh_link);

		if (table.sh_type == SHT_SYMTAB)
			take_symbols(o, &table, &names);
	}
	return o->symbol;
}

static void object_release(struct object *o)
{
	elf_release(&o->elf);
	free(o->symbol);
}

static void add_change(struct sizes *s, const char *name, int64_t by)
{
	if (!by)
		return;
	if (!(s->n & (s->n - 1)))
		s->change = xrealloc(s->change, (s->n ? 2 * s->n : 1) *
				     sizeof(*s->change));
	s->change[s->n++] = (struct change){ xstrdup(name), by };
	if (by > 0)
		s->up += by;
	else
		s->down -= by;
}

static void compare(struct sizes *s, const struct object *old,
		    const struct object *new)
{
	size_t i = 0, k = 0;

	while (i < old->n || k < new->n) {
		const struct symbol *a = i < old->n ? &old->symbol[i] : NULL;
		const struct symbol *b = k < new->n ? &new->symbol[k] : NULL;
		int d = !a ? 1 : !b ? -1 : strcmp(a->name, b->name);
		int64_t by = (d >= 0 ? (int64_t)b->size : 0) -
			     (d <= 0 ? (int64_t)a->size : 0);

		add_change(s, d <= 0 ? a->name : b->name, by);
		s->add += d > 0;
		s->remove += d < 0;
		s->grow += !d && by > 0;
		s->shrink += !d && by < 0;
		i += d <= 0;
		k += d >= 0;
	}
}

/* False if one of them could not be compiled. */
static bool measure(struct prove *prove, size_t k,
		    const struct prove_config *side, const char *unit,
		    struct sizes *sizes)
{
	const struct compile *a = compile_get(prove, COMPILE_OBJECT, side,
					      unit, k);
	const struct compile *b = compile_get(prove, COMPILE_OBJECT, side,
					      unit, k + 1);
	struct object old = { .n = 0 }, new = { .n = 0 };
	bool good = !a->status && !b->status &&
		object_read(&old, a->output) && object_read(&new, b->output);

	if (good) {
		compare(sizes, &old, &new);
		sizes->units++;
	}
	object_release(&old);
	object_release(&new);
	return good;
}

static const char *told(struct prove *prove, const struct sizes *s,
			const struct prove_patch *patch)
{
	struct strbuf text = STRBUF_INIT;
	const char *result;

	strbuf_addf(&text, "add/remove: %zu/%zu grow/shrink: %zu/%zu "
		    "up/down: %" PRId64 "/%" PRId64 " (%" PRId64 ")",
		    s->add, s->remove, s->grow, s->shrink, s->up, -s->down,
		    s->up - s->down);
	for (size_t i = 0; i < s->n && i < NAMED_MAX; i++)
		strbuf_addf(&text, "%s %s %+" PRId64, i ? "," : ";",
			    s->change[i].name, s->change[i].by);
	if (s->n > NAMED_MAX)
		strbuf_addf(&text, " and %zu more", s->n - NAMED_MAX);
	strbuf_addf(&text, "; %s %s, clang-19 -O2, %zu of the %zu files that it "
		    "touches or that name it", prove->tree->arch,
		    prove->tree->release, s->units,
		    patch->nown + patch->nuser);
	result = prove_printf(prove, "%s", text.buf);
	strbuf_release(&text);
	return result;
}

void prove_size(struct prove *prove, size_t k, struct prove_result *result,
		struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	struct sizes sizes = { .n = 0 };
	const char *failed = NULL;

	(void)log;
	for (size_t s = 0; s < prove->nside; s++) {
		const struct prove_config *side = &prove->side[s];

		for (size_t i = 0; side->in && i < patch->nunit; i++)
			if (prove_is_built(side, patch->unit[i]) &&
			    !measure(prove, k, side, patch->unit[i], &sizes))
				failed = patch->unit[i];
	}
	if (sizes.n)
		qsort(sizes.change, sizes.n, sizeof(*sizes.change), by_change);
	*result = (struct prove_result){ .verdict = PROVE_NOT_RUN };
	if (failed) {
		result->why = prove_printf(prove, "%s does not compile here",
					   failed);
	} else if (!sizes.units) {
		result->why = "no file that it touches is built in this "
			"configuration";
	} else {
		result->verdict = PROVE_PASS;
		result->why = told(prove, &sizes, patch);
	}
	while (sizes.n)
		free(sizes.change[--sizes.n].name);
	free(sizes.change);
}

/* --- in the message --- */

#define SIZE_START "Text size, by nocharge prove: "

/* The message with a paragraph on @why, in place of one that is there. */
static bool put_size(const struct prove_patch *patch, const char *why,
		     struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT, paragraph = STRBUF_INIT;
	bool changed;

	strbuf_addf(&text, SIZE_START "%s.", why);
	prose_paragraph(&paragraph, text.buf);
	changed = told_put(patch->text, patch->len, SIZE_START, paragraph.buf,
			   "Found by nocharge", out);
	strbuf_release(&paragraph);
	strbuf_release(&text);
	return changed;
}

int prove_tell_sizes(struct prove *prove, struct err *err)
{
	for (size_t k = 0; k < prove->npatch; k++) {
		const struct prove_patch *patch = &prove->patch[k];
		const struct prove_result *result = &patch->result[PROVE_SIZE];
		struct strbuf text = STRBUF_INIT;
		int ret = 0;

		if (result->verdict == PROVE_PASS &&
		    strlen(patch->text) == patch->len &&
		    put_size(patch, result->why, &text))
			ret = series_dir_write(arena_printf(prove->arena,
				"%s/%s", prove->dir, patch->file), text.buf,
				text.len, err);
		strbuf_release(&text);
		if (ret)
			return -1;
	}
	return 0;
}
