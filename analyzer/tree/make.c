// SPDX-License-Identifier: GPL-2.0-only
/* Evaluation of Makefiles. */
#include "make.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/err.h"
#include "tree_private.h"

#define DEPTH_LIMIT 60
#define INCLUDE_LIMIT 10
#define BLOCK_LIMIT 200
#define ARG_LIMIT 12
/* Bytes that one evaluation may expand; the largest takes some 100 KB. */
#define WORK_LIMIT (16u << 20)
#define VALUE_LIMIT (4u << 20)

void make_init(struct make *make, struct tree *tree,
	       const struct config *config, const char *dir)
{
	const char *src = dir;

	memset(make, 0, sizeof(*make));
	make->tree = tree;
	make->config = config;
	if (tree->version[0] * 1000 + tree->version[1] >= 6013)
		src = arena_printf(tree->arena, "%s/%s", tree->root, dir);
	make_set(make, "srctree", tree->root);
	make_set(make, "objtree", ".");
	make_set(make, "src", src);
	make_set(make, "obj", dir);
	make_set(make, "SRCARCH", tree->arch);
	make_set(make, "ARCH", tree->arch);
	make_set(make, "BITS", "64");
	make_set(make, "comma", ",");
}

void make_release(struct make *make)
{
	struct mk_var *var, *next;

	HASH_ITER(hh, make->vars, var, next) {
		HASH_DEL(make->vars, var);
		strbuf_release(&var->value);
		free(var);
	}
}

static struct mk_var *make_find(const struct make *make, const char *name)
{
	struct mk_var *var;

	name = interned(make->tree->strings, name);
	if (!name)
		return NULL;
	HASH_FIND_PTR(make->vars, &name, var);
	return var;
}

static struct mk_var *get_var(struct make *make, const char *name)
{
	struct mk_var *var;

	name = intern(make->tree->strings, name);
	HASH_FIND_PTR(make->vars, &name, var);
	if (!var) {
		var = xcalloc(1, sizeof(*var));
		var->name = name;
		var->recursive = true;
		HASH_ADD_PTR(make->vars, name, var);
	}
	return var;
}

void make_set(struct make *make, const char *name, const char *value)
{
	struct mk_var *var = get_var(make, name);

	var->value.len = 0;
	strbuf_addstr(&var->value, value);
	var->recursive = false;
}

const char *next_word(const char **at, size_t *len)
{
	const char *word = *at;

	while (isspace((unsigned char)*word))
		word++;
	for (*at = word; **at && !isspace((unsigned char)**at);)
		(*at)++;
	*len = (size_t)(*at - word);
	return *len ? word : NULL;
}

static void put(struct make *make, struct strbuf *out, const char *text,
		size_t len)
{
	make->work += len + 1;
	if (make->work > WORK_LIMIT || out->len + len > VALUE_LIMIT) {
		make->cut = true;
		return;
	}
	strbuf_add(out, text, len);
}

static bool is_list(const char *name)
{
	size_t len = strlen(name);

	return (len > 2 && (!strcmp(name + len - 2, "-y") ||
			    !strcmp(name + len - 2, "-m"))) ||
	       (len > 5 && !strcmp(name + len - 5, "-objs"));
}

void make_value(struct make *make, const char *name, struct strbuf *out)
{
	const char *value;
	struct mk_var *var;

	if (!strncmp(name, "CONFIG_", 7)) {
		value = make->config ? config_get(make->config, name + 7)
				     : "y";
		if (value)
			put(make, out, value, strlen(value));
		return;
	}
	if (make->literal && is_list(name))
		return;
	if (make->arg && isdigit((unsigned char)name[0]) && !name[1]) {
		size_t i = (size_t)(name[0] - '0');

		if (i < make->narg)
			put(make, out, make->arg[i], strlen(make->arg[i]));
		return;
	}
	var = make_find(make, name);
	if (!var || var->busy || !var->value.len)
		return;
	if (!var->recursive) {
		put(make, out, var->value.buf, var->value.len);
		return;
	}
	var->busy = true;
	make_expand(make, var->value.buf, var->value.len, out);
	var->busy = false;
}

/* $(name:from=to) */
static bool substitution(struct make *make, const char *text,
			 struct strbuf *out)
{
	struct strbuf value = STRBUF_INIT;
	const char *colon = strchr(text, ':'), *equal;
	const char *arg[3];
	char *name, *from;

	equal = colon ? strchr(colon, '=') : NULL;
	if (!equal || strpbrk(text, " \t,"))
		return false;
	name = strndup(text, (size_t)(colon - text));
	from = strndup(colon + 1, (size_t)(equal - colon - 1));
	if (!name || !from)
		BUG("no memory for a name");
	strbuf_addstr(&value, "");
	make_value(make, name, &value);
	arg[2] = value.buf;
	if (strchr(from, '%')) {
		arg[0] = from;
		arg[1] = equal + 1;
		make_function(make, "patsubst", arg, 3, out);
	} else {
		struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;

		strbuf_addf(&a, "%%%s", from);
		strbuf_addf(&b, "%%%s", equal + 1);
		arg[0] = a.buf;
		arg[1] = b.buf;
		make_function(make, "patsubst", arg, 3, out);
		strbuf_release(&a);
		strbuf_release(&b);
	}
	free(name);
	free(from);
	strbuf_release(&value);
	return true;
}

/* Split at commas that stand in no parentheses; the last takes the rest. */
static size_t split_args(char *text, char **arg, size_t limit)
{
	size_t n = 0;
	int depth = 0;

	arg[n++] = text;
	for (; *text; text++) {
		if (*text == '(' || *text == '{')
			depth++;
		else if (*text == ')' || *text == '}')
			depth--;
		else if (*text == ',' && !depth && n < limit) {
			*text = '\0';
			arg[n++] = text + 1;
		}
	}
	return n;
}

/* These see their arguments before they are expanded. */
static bool special(struct make *make, const char *name, char **arg,
		    size_t narg, struct strbuf *out)
{
	struct strbuf one = STRBUF_INIT, list = STRBUF_INIT;
	bool want_or = !strcmp(name, "or");
	const char *at, *word;
	size_t i, len;

	strbuf_addstr(&one, "");
	if (!strcmp(name, "if")) {
		make_expand(make, arg[0], strlen(arg[0]), &one);
		at = one.buf;
		i = next_word(&at, &len) ? 1 : 2;
		/* both are possible when no configuration decides */
		for (; i < narg && i < 3; i++) {
			make_expand(make, arg[i], strlen(arg[i]), out);
			if (make->config)
				break;
			strbuf_addch(out, ' ');
		}
	} else if (want_or || !strcmp(name, "and")) {
		for (i = 0; i < narg; i++) {
			one.len = 0;
			strbuf_addstr(&one, "");
			make_expand(make, arg[i], strlen(arg[i]), &one);
			at = one.buf;
			if (!!next_word(&at, &len) == want_or)
				break;
		}
		if (want_or == (i < narg))
			put(make, out, one.buf, one.len);
	} else if (!strcmp(name, "foreach") && narg >= 3) {
		struct mk_var *var;
		struct strbuf saved;

		make_expand(make, arg[0], strlen(arg[0]), &one);
		strbuf_addstr(&list, "");
		make_expand(make, arg[1], strlen(arg[1]), &list);
		at = one.buf;
		word = next_word(&at, &len);
		if (!word)
			goto out;
		one.buf[word + len - one.buf] = '\0';
		var = get_var(make, word);
		saved = var->value;
		memset(&var->value, 0, sizeof(var->value));
		at = list.buf;
		while ((word = next_word(&at, &len)) && !make->cut) {
			var->value.len = 0;
			strbuf_add(&var->value, word, len);
			make_expand(make, arg[2], strlen(arg[2]), out);
			put(make, out, " ", 1);
		}
		strbuf_release(&var->value);
		var->value = saved;
	} else {
		strbuf_release(&one);
		return false;
	}
out:
	strbuf_release(&one);
	strbuf_release(&list);
	return true;
}

static void call(struct make *make, const char *const *arg, size_t narg,
		 struct strbuf *out)
{
	const char *const *saved = make->arg;
	size_t nsaved = make->narg;

	make->arg = arg;
	make->narg = narg;
	make_value(make, arg[0], out);
	make->arg = saved;
	make->narg = nsaved;
}

/* @text is what stands in the parentheses. */
static void reference(struct make *make, const char *text, size_t len,
		      struct strbuf *out)
{
	struct strbuf name = STRBUF_INIT, value[ARG_LIMIT];
	char *copy = strndup(text, len), *at, *arg[ARG_LIMIT];
	const char *expanded[ARG_LIMIT];
	size_t n, i;

	if (!copy)
		BUG("no memory for an expansion");
	for (at = copy; islower((unsigned char)*at) || *at == '-';)
		at++;
	if (at == copy || !isspace((unsigned char)*at)) {
		strbuf_addstr(&name, "");
		make_expand(make, text, len, &name);
		if (!substitution(make, name.buf, out))
			make_value(make, name.buf, out);
		strbuf_release(&name);
		free(copy);
		return;
	}
	*at++ = '\0';
	while (isspace((unsigned char)*at))
		at++;
	n = split_args(at, arg, ARG_LIMIT);
	if (special(make, copy, arg, n, out)) {
		free(copy);
		return;
	}
	for (i = 0; i < n; i++) {
		memset(&value[i], 0, sizeof(value[i]));
		strbuf_addstr(&value[i], "");
		make_expand(make, arg[i], strlen(arg[i]), &value[i]);
		expanded[i] = value[i].buf;
	}
	if (!make_function(make, copy, expanded, n, out) &&
	    !strcmp(copy, "call")) {
		/* the name may have space around it */
		const char *word = expanded[0];

		word = next_word(&word, &len);
		if (word) {
			value[0].buf[word + len - expanded[0]] = '\0';
			expanded[0] = word;
			call(make, expanded, n, out);
		}
	}
	for (i = 0; i < n; i++)
		strbuf_release(&value[i]);
	free(copy);
}

void make_expand(struct make *make, const char *text, size_t len,
		 struct strbuf *out)
{
	const char *at = text, *end = text + len, *from;
	char open, close, one[2] = { 0 };
	size_t nest;

	if (make->depth >= DEPTH_LIMIT || make->cut) {
		make->cut = true;
		return;
	}
	make->depth++;
	while (at < end) {
		from = at;
		at = memchr(at, '$', (size_t)(end - at));
		if (!at)
			at = end;
		put(make, out, from, (size_t)(at - from));
		if (at + 1 >= end)
			break;
		open = *++at;
		if (open == '$') {
			put(make, out, "$", 1);
			at++;
			continue;
		}
		if (open != '(' && open != '{') {
			one[0] = open;
			make_value(make, one, out);
			at++;
			continue;
		}
		close = open == '(' ? ')' : '}';
		for (nest = 0, from = at; at < end; at++) {
			if (*at == open)
				nest++;
			else if (*at == close && !--nest)
				break;
		}
		reference(make, from + 1, (size_t)(at - from) - 1, out);
		if (at < end)
			at++;
	}
	make->depth--;
}

static void assign(struct make *make, const struct mk_line *line)
{
	struct strbuf name = STRBUF_INIT, value = STRBUF_INIT;
	size_t len = strlen(line->text);
	struct mk_var *var;
	char op = line->op;

	if (make->assigned)
		make->assigned(make->data, make, line);
	strbuf_addstr(&name, "");
	make_expand(make, line->word, strlen(line->word), &name);
	var = get_var(make, name.buf);
	strbuf_release(&name);
	if (op == '?') {
		if (var->value.len)
			return;
		op = '=';
	}
	if (op == ':' && make->config) {
		strbuf_addstr(&value, "");
		make_expand(make, line->text, len, &value);
		strbuf_release(&var->value);
		var->value = value;
		var->recursive = false;
		return;
	}
	if (op == '=' && make->config) {
		var->value.len = 0;
		var->recursive = true;
	}
	if (var->value.len + len > VALUE_LIMIT) {
		make->cut = true;
		return;
	}
	if (var->value.len)
		strbuf_addch(&var->value, ' ');
	if (var->recursive)
		strbuf_add(&var->value, line->text, len);
	else
		make_expand(make, line->text, len, &var->value);
}

/* The two sides of ifeq: (a,b), "a" "b", 'a' 'b' */
static bool sides(struct make *make, const char *text, struct strbuf *a,
		  struct strbuf *b)
{
	size_t len = strlen(text);
	char *copy, *arg[2];
	const char *end;

	if (*text == '(' && len > 2 && text[len - 1] == ')') {
		copy = strndup(text + 1, len - 2);
		if (!copy)
			BUG("no memory for a condition");
		if (split_args(copy, arg, 2) == 2) {
			while (isspace((unsigned char)*arg[1]))
				arg[1]++;
			make_expand(make, arg[0], strlen(arg[0]), a);
			make_expand(make, arg[1], strlen(arg[1]), b);
		}
		free(copy);
		return true;
	}
	if (*text != '"' && *text != '\'')
		return false;
	end = strchr(text + 1, *text);
	if (!end)
		return false;
	make_expand(make, text + 1, (size_t)(end - text - 1), a);
	for (text = end + 1; isspace((unsigned char)*text);)
		text++;
	if (*text != '"' && *text != '\'')
		return false;
	end = strchr(text + 1, *text);
	if (!end)
		return false;
	make_expand(make, text + 1, (size_t)(end - text - 1), b);
	return true;
}

static bool holds(struct make *make, const char *word, const char *text)
{
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	struct mk_var *var;
	bool result = false;

	strbuf_addstr(&a, "");
	strbuf_addstr(&b, "");
	if (!strcmp(word, "ifdef") || !strcmp(word, "ifndef")) {
		make_expand(make, text, strlen(text), &a);
		if (!strncmp(a.buf, "CONFIG_", 7)) {
			result = config_get(make->config, a.buf + 7);
		} else {
			var = make_find(make, a.buf);
			result = var && var->value.len;
		}
		result = result == !strcmp(word, "ifdef");
	} else if (sides(make, text, &a, &b)) {
		while (a.len && isspace((unsigned char)a.buf[a.len - 1]))
			a.buf[--a.len] = '\0';
		result = !strcmp(a.buf, b.buf) == !strcmp(word, "ifeq");
	}
	strbuf_release(&a);
	strbuf_release(&b);
	return result;
}

static void include(struct make *make, const char *text)
{
	struct strbuf files = STRBUF_INIT;
	struct tree *tree = make->tree;
	const char *at, *word, *path;
	size_t len, root = strlen(tree->root);

	if (make->include_depth >= INCLUDE_LIMIT) {
		make->limited = true;
		return;
	}
	make->include_depth++;
	strbuf_addstr(&files, "");
	make_expand(make, text, strlen(text), &files);
	at = files.buf;
	while ((word = next_word(&at, &len)) && !make->cut) {
		path = intern_n(tree->strings, word, len);
		if (!strncmp(path, tree->root, root) && path[root] == '/')
			path += root + 1;
		path = path_resolve(tree->strings, "", path);
		if (path)
			make_run(make, path);
	}
	strbuf_release(&files);
	make->include_depth--;
}

struct block {
	bool outer; /* whether what surrounds it is taken */
	bool taken; /* whether this branch is */
	bool done;  /* one branch was taken already */
};

static void conditional(struct make *make, const struct mk_line *line,
			struct block *block, size_t *n)
{
	struct block *b;
	const char *text = line->text;
	char word[8] = "";
	size_t len;

	if (make->branch)
		make->branch(make->data, line);
	if (line->kind == MK_IF) {
		if (*n == BLOCK_LIMIT) {
			make->cut = true;
			return;
		}
		b = &block[*n];
		b->outer = !*n || block[*n - 1].taken;
		b->taken = b->outer &&
			(!make->config || holds(make, line->word, text));
		b->done = b->taken;
		(*n)++;
		return;
	}
	if (!*n)
		return;
	b = &block[*n - 1];
	if (line->kind == MK_ENDIF) {
		(*n)--;
		return;
	}
	if (!make->config)
		return;
	b->taken = b->outer && !b->done;
	/* else ifeq ... */
	len = strcspn(text, " \t(");
	if (len && len < sizeof(word)) {
		memcpy(word, text, len);
		text += len;
		while (isspace((unsigned char)*text))
			text++;
		b->taken = b->taken && holds(make, word, text);
	}
	b->done |= b->taken;
}

bool make_rest(struct make *make)
{
	bool limited = make->limited || make->cut;

	make->limited = make->cut = false;
	make->work = 0;
	make->depth = 0;
	return limited;
}

static void run_lines(struct make *make, const struct makefile *file)
{
	struct strbuf nothing = STRBUF_INIT;
	const struct mk_line *line;
	struct block *block;
	size_t i, n = 0;

	block = xcalloc(BLOCK_LIMIT, sizeof(*block));
	for (i = 0; i < file->n && !make->cut; i++) {
		line = &file->line[i];
		if (line->kind == MK_IF || line->kind == MK_ELSE ||
		    line->kind == MK_ENDIF) {
			conditional(make, line, block, &n);
		} else if (n && !block[n - 1].taken) {
			continue;
		} else if (line->kind == MK_ASSIGN) {
			assign(make, line);
		} else if (line->kind == MK_EXPAND) {
			nothing.len = 0;
			make_expand(make, line->text, strlen(line->text),
				    &nothing);
		} else {
			include(make, line->text);
		}
	}
	strbuf_release(&nothing);
	free(block);
}

void make_eval(struct make *make, const char *text)
{
	struct makefile file;

	if (make->include_depth >= INCLUDE_LIMIT) {
		make->limited = true;
		return;
	}
	make->include_depth++;
	makefile_parse(make->tree, text, strlen(text), &file);
	run_lines(make, &file);
	free(file.line);
	make->include_depth--;
}

bool make_run(struct make *make, const char *path)
{
	const struct makefile *file = makefile_get(make->tree, path);

	if (file->result != READ_OK)
		return false;
	run_lines(make, file);
	return true;
}
