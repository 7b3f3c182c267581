// SPDX-License-Identifier: GPL-2.0-only
#include "prove_compile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/process.h"

#define COMPILE_SECONDS 120
#define COMPILE_MEMORY  (4ull << 30)

struct prove_compiles {
	pthread_cond_t done;
	struct compile *first;
	size_t n;
};

/*
 * What kbuild asks of clang, as far as it matters for a patch. Messages are
 * compared with those of the unpatched tree, so that what old code does
 * matters to nobody.
 */
static const char *const warnings[] = {
	"-Wall", "-Wundef", "-Wmissing-prototypes", "-Wmissing-declarations",
	"-Wstrict-prototypes", "-Wold-style-definition", "-Wvla",
	"-Wimplicit-fallthrough", "-Wcast-function-type",
	"-Werror=implicit-function-declaration", "-Werror=implicit-int",
	"-Werror=return-type", "-Wno-pointer-sign", "-Wno-gnu",
	"-Wno-frame-address", "-Wno-address-of-packed-member",
	"-Wno-format-security", "-Wno-ignored-attributes",
	"-Wno-unknown-warning-option", "-fno-caret-diagnostics",
	"-fno-color-diagnostics",
};

/* The same where the tree's own Makefiles name it: not all ages do. */
static const char *const maybe[] = {
	"-Wdeclaration-after-statement", "-Wenum-conversion",
};

/*
 * Lines are all 0, so that a line more changes no instruction, and there is
 * nothing in the output but code.
 */
static const char *const assembly[] = {
	"-w", "-S", "-g0", "-D__LINE__=0", "-Wno-builtin-macro-redefined",
	"-fno-asynchronous-unwind-tables", "-fno-ident", "-fno-verbose-asm",
	"-fno-color-diagnostics",
};

static const char *const object[] = { "-w", "-c", "-g0" };

/* As the kernel's C=1 does. */
static const char *const sparse[] = {
	"-D__linux__", "-Dlinux", "-D__STDC__", "-Dunix", "-D__unix__",
	"-Wbitwise", "-Wno-return-void", "-Wno-unknown-attribute", "-m64",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int prove_program(struct prove *prove, const char *dir,
		  const char *const *args, const struct strbuf *input,
		  unsigned seconds, struct strbuf *out, struct strbuf *errors,
		  struct err *err)
{
	const struct process process = {
		.argv = args, .dir = dir, .seconds = seconds,
		.memory = COMPILE_MEMORY, .interrupted = prove->interrupted,
		.input = input ? input->buf : NULL,
		.input_len = input ? input->len : 0,
	};

	return process_run_clean(&process, prove->work, out, errors, err);
}

const char *prove_printf(struct prove *prove, const char *fmt, ...)
{
	const char *copy;
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	pthread_mutex_lock(&prove->lock);
	copy = arena_strdup(prove->arena, text);
	pthread_mutex_unlock(&prove->lock);
	free(text);
	return copy;
}

/* Arguments for @unit as they are on the disk, from argv[n] on; the new n. */
static size_t compile_flags(struct prove *prove,
			    const struct prove_config *side, const char *unit,
			    const char **argv, size_t n)
{
	const size_t prefix = sizeof(TREE_GENERATED) - 1;
	const char *const *flag;
	size_t nflag, ncommon;

	pthread_mutex_lock(&prove->lock);
	flag = tree_flags(side->config, unit, &nflag, &ncommon);
	/* what is behind the limit would be defines of one file */
	for (size_t i = 0; i < nflag && n < PROVE_ARGS - 64; i++) {
		const char *at = strstr(flag[i], TREE_GENERATED "/");

		if (!strcmp(flag[i], "-w"))
			continue;
		argv[n++] = !at ? flag[i] :
			arena_printf(prove->arena, "%.*s%s%s",
				     (int)(at - flag[i]), flag[i],
				     side->headers, at + prefix);
	}
	pthread_mutex_unlock(&prove->lock);
	return n;
}

/* Every name in a rule of make's: @each gets it without what quotes it. */
static void each_dep(char *text, void (*each)(void *data, const char *path),
		     void *data)
{
	char *at = strstr(text, ": ");

	if (!at)
		return;
	for (at++; *at;) {
		char *to = at, *from = at;

		while (isspace((unsigned char)*from) ||
		       (*from == '\\' && from[1] == '\n'))
			from++;
		to = from;
		at = from;
		while (*from && !isspace((unsigned char)*from)) {
			if ((*from == '\\' && (from[1] == ' ' ||
					       from[1] == '#')) ||
			    (*from == '$' && from[1] == '$'))
				from++;
			*to++ = *from++;
		}
		if (to > at) {
			bool end = !*from;

			*to = '\0';
			each(data, at);
			if (end)
				return;
			at = from + 1;
		} else {
			at = from;
		}
	}
}

struct dep_search {
	const struct prove *prove;
	bool *dep;
};

static void mark_dep(void *data, const char *path)
{
	struct dep_search *search = data;
	const struct prove *prove = search->prove;
	size_t root = strlen(prove->tree->root);

	if (strncmp(path, prove->tree->root, root) || path[root] != '/')
		return;
	for (size_t i = 0; i < prove->nfile; i++)
		if (!strcmp(prove->file[i].path, path + root + 1))
			search->dep[i] = true;
}

static void take_deps(struct prove *prove, struct compile *compile,
		      const char *path)
{
	struct dep_search search = { .prove = prove };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	if (!strbuf_read_file(&text, path, &err) && text.len) {
		pthread_mutex_lock(&prove->lock);
		search.dep = ARENA_ARRAY(prove->arena, bool, prove->nfile);
		pthread_mutex_unlock(&prove->lock);
		each_dep(text.buf, mark_dep, &search);
		pthread_mutex_lock(&prove->lock);
		compile->dep = search.dep;
		pthread_mutex_unlock(&prove->lock);
	}
	strbuf_release(&text);
	err_clear(&err);
}

static void add(const char **argv, size_t *n, const char *const *more,
		size_t nmore)
{
	for (size_t i = 0; i < nmore; i++)
		argv[(*n)++] = more[i];
}

void prove_shorten(struct strbuf *text, const char *root)
{
	size_t len = strlen(root);
	struct strbuf out = STRBUF_INIT;
	const char *at = text->len ? text->buf : "", *hit;

	while ((hit = strstr(at, root))) {
		strbuf_add(&out, at, (size_t)(hit - at));
		at = hit + len + (hit[len] == '/');
	}
	strbuf_addstr(&out, at);
	strbuf_release(text);
	*text = out;
}

static size_t add_maybe(struct prove *prove, const char **argv, size_t n)
{
	static const char *const where[] = { "Makefile",
					     "scripts/Makefile.extrawarn" };
	size_t len;

	pthread_mutex_lock(&prove->lock);
	for (size_t i = 0; i < COUNT(where) && !prove->makefile[i]; i++) {
		prove->makefile[i] = tree_read(prove->tree, NULL, where[i],
					       &len);
		if (!prove->makefile[i])
			prove->makefile[i] = "";
	}
	pthread_mutex_unlock(&prove->lock);
	for (size_t k = 0; k < COUNT(maybe); k++)
		if (strstr(prove->makefile[0], maybe[k]) ||
		    strstr(prove->makefile[1], maybe[k]))
			argv[n++] = maybe[k];
	return n;
}

static int ask_clang(struct prove *prove, struct compile *compile,
		     size_t number, struct err *err)
{
	const struct prove_config *side = compile->side;
	const char *argv[PROVE_ARGS] = { "clang-19" }, *deps;
	size_t n = 1;
	int status;

	deps = prove_printf(prove, "%s/deps.%zu", prove->work, number);
	n = compile_flags(prove, side, compile->unit, argv, n);
	if (compile->kind == COMPILE_ASM) {
		compile->output = prove_printf(prove, "%s/asm.%zu",
					       prove->work, number);
		add(argv, &n, assembly, COUNT(assembly));
		argv[n++] = "-o";
		argv[n++] = compile->output;
	} else if (compile->kind == COMPILE_OBJECT) {
		compile->output = prove_printf(prove, "%s/object.%zu",
					       prove->work, number);
		add(argv, &n, object, COUNT(object));
		argv[n++] = "-o";
		argv[n++] = compile->output;
	} else {
		add(argv, &n, warnings, COUNT(warnings));
		if (compile->kind == COMPILE_CHOSEN)
			argv[n++] = prove_printf(prove, "-DCONFIG_%s=1",
					side->rules->asked.option);
		n = add_maybe(prove, argv, n);
		/* a header by itself uses nothing of what it offers */
		if (compile->unit[strlen(compile->unit) - 1] == 'h') {
			argv[n++] = "-Wno-unused";
			argv[n++] = "-Wno-pragma-once-outside-header";
		}
		argv[n++] = "-fsyntax-only";
	}
	argv[n++] = "-ivfsoverlay";
	argv[n++] = compile->kind == COMPILE_ASM ?
		side->forced[compile->state] : side->overlay[compile->state];
	argv[n++] = "-MD";
	argv[n++] = "-MF";
	argv[n++] = deps;
	argv[n++] = "-MT";
	argv[n++] = "x";
	argv[n++] = prove_printf(prove, "%s/%s", prove->tree->root,
				 compile->unit);
	argv[n] = NULL;
	status = prove_program(prove, prove->work, argv, NULL,
			       COMPILE_SECONDS, NULL, &compile->text, err);
	if (status == 127)
		err_set(err, STATUS_USAGE, "'%s' is not installed", argv[0]);
	if (!status)
		take_deps(prove, compile, deps);
	return status;
}

static int ask_sparse(struct prove *prove, struct compile *compile,
		      struct err *err)
{
	const char *argv[PROVE_ARGS] = { "sparse" }, *given[PROVE_ARGS];
	const char *farm = compile->state ?
		prove_farm(prove, compile->state, err) : prove->tree->root;
	const size_t root = strlen(prove->tree->root);
	size_t n = 1, ngiven;
	int status;

	if (!farm)
		return -1;
	add(argv, &n, sparse, COUNT(sparse));
	argv[n++] = strcmp(prove->tree->arch, "x86") ? "--arch=arm64" :
		"--arch=x86_64";
	ngiven = compile_flags(prove, compile->side, compile->unit, given, 0);
	for (size_t i = 0; i < ngiven && n < PROVE_ARGS - 4; i++) {
		const char *at = strstr(given[i], prove->tree->root);

		/* clang's own */
		if (!strncmp(given[i], "--target=", 9) ||
		    !strcmp(given[i], "-ferror-limit=0"))
			continue;
		argv[n++] = !at || at[root] != '/' ? given[i] :
			prove_printf(prove, "%.*s%s%s", (int)(at - given[i]),
				     given[i], farm, at + root);
	}
	argv[n++] = prove_printf(prove, "%s/%s", farm, compile->unit);
	argv[n] = NULL;
	status = prove_program(prove, prove->work, argv, NULL,
			       COMPILE_SECONDS, NULL, &compile->text, err);
	if (status == 127)
		err_set(err, STATUS_USAGE, "'%s' is not installed", argv[0]);
	prove_shorten(&compile->text, farm);
	return status;
}

/* Ask the compiler; only the one who made @compile does. */
static void run(struct prove *prove, struct compile *compile, size_t number)
{
	struct err err = { 0 };

	compile->status = compile->kind == COMPILE_SPARSE ?
		ask_sparse(prove, compile, &err) :
		ask_clang(prove, compile, number, &err);
	prove_shorten(&compile->text, prove->tree->root);
	if (err.text) {
		compile->failure = prove_printf(prove, "%s", err.text);
		compile->status = -1;
	}
	err_clear(&err);
}

/* Word for word: with another option another text is left of it. */
static bool is_the_same(const struct prove *prove, const bool *dep, size_t a,
			size_t b)
{
	for (size_t i = 0; i < prove->nfile; i++)
		if ((!dep || dep[i]) &&
		    prove->file[i].at[a] != prove->file[i].at[b])
			return false;
	return true;
}

static bool reads_the_same(const struct prove *prove,
			   const struct prove_config *side, const bool *dep,
			   size_t a, size_t b)
{
	for (size_t i = 0; i < prove->nfile; i++) {
		const struct prove_file *file = &prove->file[i];

		if ((!dep || dep[i]) && file->at[a] != file->at[b] &&
		    prove_version(file, a)->reduced[side->number] !=
		    prove_version(file, b)->reduced[side->number])
			return false;
	}
	return true;
}

bool compile_same(struct prove *prove, const struct prove_config *side,
		  size_t a, size_t b)
{
	return reads_the_same(prove, side, NULL, a, b);
}

/* An answer, or one under way, that serves for @state. */
static struct compile *find(struct prove *prove, enum compile_kind kind,
			    const struct prove_config *side, const char *unit,
			    size_t state)
{
	struct compile *at = prove->compiles->first;

	for (; at; at = at->next)
		if (at->kind == kind && at->side == side &&
		    !strcmp(at->unit, unit) &&
		    (kind == COMPILE_CHOSEN ?
		     is_the_same(prove, at->dep, at->state, state) :
		     reads_the_same(prove, side, at->dep, at->state, state)))
			return at;
	return NULL;
}

const struct compile *compile_get(struct prove *prove, enum compile_kind kind,
				  const struct prove_config *side,
				  const char *unit, size_t state)
{
	struct compile *compile;
	size_t number;

	pthread_mutex_lock(&prove->lock);
	if (!prove->compiles) {
		prove->compiles = ARENA_NEW(prove->arena,
					    struct prove_compiles);
		pthread_cond_init(&prove->compiles->done, NULL);
	}
	compile = find(prove, kind, side, unit, state);
	if (compile) {
		while (!compile->done)
			pthread_cond_wait(&prove->compiles->done,
					  &prove->lock);
		pthread_mutex_unlock(&prove->lock);
		return compile;
	}
	compile = ARENA_NEW(prove->arena, struct compile);
	*compile = (struct compile){
		.kind = kind, .side = side, .unit = unit, .state = state,
		.next = prove->compiles->first,
	};
	prove->compiles->first = compile;
	number = prove->compiles->n++;
	pthread_mutex_unlock(&prove->lock);
	run(prove, compile, number);
	pthread_mutex_lock(&prove->lock);
	compile->done = true;
	pthread_cond_broadcast(&prove->compiles->done);
	pthread_mutex_unlock(&prove->lock);
	return compile;
}

void compiles_free(struct prove *prove)
{
	struct compile *at = prove->compiles ? prove->compiles->first : NULL;

	for (; at; at = at->next)
		strbuf_release(&at->text);
}

struct predicate_search {
	struct prove *prove;
	size_t nfound;
};

/* A header that defines a predicate becomes a file of the series. */
static void look_for_predicate(void *data, const char *path)
{
	struct predicate_search *search = data;
	struct prove *prove = search->prove;
	size_t root = strlen(prove->tree->root), i;
	struct strbuf text = STRBUF_INIT, forced = STRBUF_INIT;
	struct err err = { 0 };
	bool found = false;

	if (strncmp(path, prove->tree->root, root) || path[root] != '/' ||
	    strbuf_read_file(&text, path, &err)) {
		err_clear(&err);
		return;
	}
	for (size_t s = 0; text.len && s < prove->nside && !found; s++)
		found = prove_force_on(text.buf, text.len,
				       prove->side[s].rules, &forced);
	strbuf_release(&text);
	strbuf_release(&forced);
	if (!found)
		return;
	search->nfound++;
	path += root + 1;
	for (i = 0; i < prove->nfile; i++)
		if (!strcmp(prove->file[i].path, path))
			return;
	/* read_all() left room for a few */
	if (prove->nfile < prove->file_limit)
		prove->file[prove->nfile++] = (struct prove_file){
			.path = arena_strdup(prove->arena, path),
		};
}

/* Units to ask for the headers: what the series touches says it best. */
static const char *asked_unit(const struct prove *prove, size_t i)
{
	for (size_t k = 0; k < prove->nfile; k++)
		if (prove->file[k].c && !i--)
			return prove->file[k].path;
	return i < prove->side[0].nunit ? prove->side[0].unit[i] : NULL;
}

int prove_find_predicates(struct prove *prove, struct err *err)
{
	struct predicate_search search = { .prove = prove };
	const char *unit;

	for (size_t s = 0; s < prove->nside; s++) {
		const struct prove_config *side = &prove->side[s];

		search.nfound = 0;
		for (size_t i = 0; side->in && !search.nfound && i < 4 &&
		     (unit = asked_unit(prove, i)); i++) {
			const char *argv[PROVE_ARGS] = { "clang-19", "-M",
							 "-MG" };
			struct strbuf out = STRBUF_INIT;
			size_t n = compile_flags(prove, side, unit, argv, 3);
			int status;

			argv[n++] = prove_printf(prove, "%s/%s",
						 prove->tree->root, unit);
			argv[n] = NULL;
			status = prove_program(prove, prove->work, argv, NULL,
					       COMPILE_SECONDS, &out, NULL,
					       err);
			if (!status && out.len)
				each_dep(out.buf, look_for_predicate, &search);
			strbuf_release(&out);
			if (status == 127)
				return err_set(err, STATUS_USAGE,
					       "'clang-19' is not installed");
			if (status < 0)
				return -1;
		}
	}
	return 0;
}
