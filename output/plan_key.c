// SPDX-License-Identifier: GPL-2.0-only
/* Where the predicate cannot be asked, and flags that should be keys. */
#include <stdlib.h>
#include <string.h>

#include "planner.h"

/* The static key that says that the feature is off when it is 0, or NULL. */
static const struct global_symbol *feature_key(struct planner *p)
{
	const struct rules *rules = p->in->rules;

	for (size_t i = 0; i < rules->nguard; i++) {
		const struct global_symbol *g;

		if (rules->guard[i].value)
			continue;
		g = model_variable(p->in->model, rules->guard[i].name);
		if (g && !strcmp(g->global->type, p->in->kernel->key.type))
			return g;
	}
	return NULL;
}

/* Behind the includes, where it does not stand yet. */
static void declare(struct planner *p, struct patch *patch, const char *file,
		    const char *anchor, const char *text)
{
	struct edit *edit = planner_edit(p, patch, "declare", file);

	planner_name(edit, "anchor", anchor);
	planner_name(edit, "text", text);
	edit->once = arena_printf(p->arena, "\n%s;\n", text);
}

/* The predicate stands further down in the same file. */
static const char *sight_ahead(struct planner *p, struct patch *patch,
			       const char *file, const char *anchor)
{
	const struct func *func = p->predicate_fn->func;
	const char *text = planner_text(p, file, p->in->in);
	char *head = text ? source_lines(text, func->start_line,
					 func->end_line, p->arena) : NULL;
	char *end = head ? strchr(head, '{') : NULL;

	if (!end)
		return arena_printf(p->arena, "'%s' cannot be declared "
				    "ahead in %s", p->predicate, file);
	while (end > head && strchr(" \t\n", end[-1]))
		end--;
	*end = '\0';
	declare(p, patch, file, anchor, head);
	return NULL;
}

/* By the key itself, declared once more behind the includes. */
static const char *sight_of_key(struct planner *p, struct patch *patch,
				const char *file, uint32_t line,
				const char *anchor)
{
	const struct key_words *words = &p->in->kernel->key;
	const struct global_symbol *key = feature_key(p);

	if (!key || !source_sees(p->in->tree, p->in->in, file, line,
				 words->header, 0))
		return arena_printf(p->arena, "%s does not see '%s', and %s, "
				    "where it is, includes that file", file,
				    p->predicate, p->predicate_fn->file);
	declare(p, patch, file, anchor,
		arena_printf(p->arena, "%s(%s)", words->declare,
			     key->name));
	patch->test_file = file;
	patch->test = arena_printf(p->arena, "!%s(&%s)", words->ask,
				   key->name);
	return NULL;
}

const char *plan_sight(struct planner *p, struct patch *patch,
		       const char *file, uint32_t line)
{
	const struct function *fn = p->predicate_fn;
	const char *anchor, *last, *text;
	struct edit *edit;

	if (!fn)
		return arena_printf(p->arena, "'%s' is no function here",
				    p->predicate);
	if (source_sees(p->in->tree, p->in->in, file, line, fn->file,
			fn->func->line))
		return NULL;
	text = planner_text(p, file, p->in->in);
	anchor = text ? source_last_include(text, "linux/", p->arena) : NULL;
	if (!anchor)
		return arena_printf(p->arena, "%s does not see '%s' and "
				    "includes nothing yet", file,
				    p->predicate);
	/* no declaration stands among includes */
	last = source_last_include(text, "", p->arena);
	if (!strcmp(file, fn->file))
		return sight_ahead(p, patch, file, last);
	if (!source_may_include(p->in->tree, p->in->in, file, fn->file))
		return sight_of_key(p, patch, file, line, last);
	edit = planner_edit(p, patch, "include", file);
	planner_name(edit, "anchor", anchor);
	planner_name(edit, "header", fn->file + strlen("include/"));
	edit->once = arena_printf(p->arena, "#include <%s>\n",
				  fn->file + strlen("include/"));
	return NULL;
}

const char *plan_arm_seen(struct planner *p, const struct patch *patch,
			  const char *file, uint32_t line)
{
	const char *text = arena_printf(p->arena, "%s; %s",
					patch->work ? patch->work : "",
					patch->leave);
	const char **name;
	size_t n;

	name = source_calls(text, &n, p->arena);
	for (size_t i = 0; i < n; i++) {
		uint32_t at;
		const char *where = model_declared(p->in->model, name[i],
						   &at);

		/* a macro is not known, and seen or not when it is compiled */
		if (where && !source_sees(p->in->tree, p->in->in, file, line,
					  where, at) &&
		    (!strcmp(where, file) ||
		     !model_relies(p->in->model, file, where, name[i])))
			return arena_printf(p->arena, "%s does not see "
					    "'%s' there, which it would have "
					    "to call", file, name[i]);
	}
	return NULL;
}

/* --- flags --- */

struct files {
	const char **file;
	size_t n, cap;
};

static void add_file(struct planner *p, struct files *files,
		     const char *file)
{
	for (size_t i = 0; i < files->n; i++)
		if (!strcmp(files->file[i], file))
			return;
	if (files->n == files->cap) {
		const char **more;

		files->cap = files->cap ? files->cap * 2 : 16;
		more = ARENA_ARRAY(p->arena, const char *, files->cap);
		if (files->n)
			memcpy(more, files->file,
			       files->n * sizeof(*more));
		files->file = more;
	}
	files->file[files->n++] = file;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every file that was read in which @name stands. */
static struct files files_with(struct planner *p, const char *name,
			       bool headers)
{
	struct files all = { 0 }, with = { 0 };
	size_t n;
	const char *const *dep = model_files(p->in->model, &n);

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(dep[i]);

		if (headers || (len > 2 && dep[i][len - 1] == 'c'))
			add_file(p, &all, dep[i]);
	}
	for (size_t i = 0; i < all.n; i++) {
		const char *text = planner_text(p, all.file[i], NULL);

		/* a look for the bytes is quick, one for words is not */
		if (text && strstr(text, name) && source_names(text, name))
			add_file(p, &with, all.file[i]);
	}
	if (with.n)
		qsort(with.file, with.n, sizeof(*with.file), by_name);
	return with;
}

/* The predicate reads "record.field", which boot sets before keys work. */
static const char *key_of_predicate(struct planner *p, const struct remedy *r,
				    struct patch *patch)
{
	const struct rules *rules = p->in->rules;
	const struct global_symbol *g = NULL;
	const char *dot = NULL, *record = NULL;
	struct files files;

	for (size_t i = 0; i < rules->nguard && !g; i++) {
		dot = strchr(rules->guard[i].name, '.');
		if (!dot)
			continue;
		record = arena_strndup(p->arena, rules->guard[i].name,
				       (size_t)(dot - rules->guard[i].name));
		g = model_variable(p->in->model, record);
	}
	if (!g)
		return "what it reads is not a field of one variable";
	files = files_with(p, r->fn->name, false);
	add_file(p, &files, g->file);
	for (size_t i = 0; i <= files.n; i++) {
		/* the header with the predicate goes first */
		struct edit *edit = planner_edit(p, patch, "static-key", i ?
						 files.file[i - 1] :
						 r->fn->file);

		edit->form = "old";
		edit->optional = i && strcmp(edit->file, g->file);
		planner_name(edit, "predicate", r->fn->name);
		planner_name(edit, "record", record);
		planner_name(edit, "member", dot + 1);
		planner_name(edit, "key", arena_printf(p->arena, "%s_key",
						       r->fn->name));
		planner_name(edit, "init", arena_printf(p->arena, "%s_init",
							r->fn->name));
	}
	patch->does = arena_printf(p->arena,
		"%s%s is set when the command line is parsed, before keys can "
		"be switched. An early initcall, %s_init(), raises the key if "
		"it is; what boot runs before that reads it as ever. Then the "
		"test costs no load and no branch.", record, dot, r->fn->name);
	return NULL;
}

static const char *key_of_flag(struct planner *p, const struct remedy *r,
			       struct patch *patch)
{
	const char *flag = r->finding->function;
	const char *key = arena_printf(p->arena, "%s_key", flag);
	const char *text = planner_text(p, p->in->kernel->key.header, NULL);
	struct files files = files_with(p, flag, true);

	if (!text || !source_names(text, p->in->kernel->key.define))
		return "the static keys of this tree count: none can be set "
		       "to what the flag is";
	if (model_knows(p->in->model, key))
		return arena_printf(p->arena, "the name '%s' is taken", key);
	for (size_t i = 0; i < files.n; i++) {
		struct edit *edit = planner_edit(p, patch, "static-key",
						 files.file[i]);

		planner_name(edit, "flag", flag);
		planner_name(edit, "key", key);
		edit->gone = flag;
	}
	return files.n ? NULL : "no file names it";
}

const char *plan_static_key(struct planner *p, const struct remedy *r,
			    struct patch *patch)
{
	patch->kind = "static-key";
	return r->fn ? key_of_predicate(p, r, patch) :
		       key_of_flag(p, r, patch);
}
