// SPDX-License-Identifier: GPL-2.0-only
/* One task, in the worker: parse a file and say what is in it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uthash.h>

#include "extract.h"
#include "worker.h"

#define MAX_ERRORS 20
/* Headers with errors that are left out of the precompiled one. */
#define MAX_CULPRITS 8

struct parser {
	const struct clang *clang;
	const struct clang_place *place;
	const struct task *task;
	struct arena *arena;
	struct strtab *strings;
	struct reply *reply;
	CXIndex index;
	CXTranslationUnit tu;
	int pch;                  /* its descriptor, or -1 */
	const char *resource_dir; /* its real path */
	struct seen_paths *seen;
	struct list included;     /* paths */
	char *text;               /* task->text, without what cannot be */
};

static void fail(struct parser *p, const char *why)
{
	if (!p->reply->why)
		p->reply->why = why;
}

static const char *path_of(struct parser *p, CXFile file)
{
	CXString name = p->clang->getFileName(file);
	const char *text = p->clang->getCString(name);
	char *copy = arena_strdup(p->arena, text ? text : "");

	p->clang->disposeString(name);
	return copy;
}

/* As it is printed. */
static const char *shown_path(struct parser *p, const char *path)
{
	return tree_path(p->task->root, path, p->arena);
}

static bool beneath(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(path, dir, len) && path[len] == '/';
}

static int compare_memfile(const void *key, const void *item)
{
	return strcmp(key, ((const struct memfile *)item)->path);
}

static const struct memfile *find_memfile(const struct task *task,
					  const char *path)
{
	return bsearch(path, task->file, task->nfile, sizeof(*task->file),
		       compare_memfile);
}

/* The same few thousand headers come again with every unit. */
struct seen_path {
	bool allowed;
	bool lost; /* where it really is cannot be told */
	bool read; /* from the disk, or what stands for it */
	UT_hash_handle hh;
	char path[];
};

static struct seen_path *look_at(struct parser *p, const char *path)
{
	struct seen_path **seen = &p->seen->paths, *known;
	const struct memfile *file = find_memfile(p->task, path);
	size_t len = strlen(path);
	char real[PATH_MAX];

	HASH_FIND(hh, *seen, path, len, known);
	if (known)
		return known;
	known = xcalloc(1, sizeof(*known) + len + 1);
	memcpy(known->path, path, len);
	if (file) {
		known->allowed = true;
		known->read = file->view;
	} else if (!realpath(path, real)) {
		/* in memory only, under another spelling */
		known->allowed = errno == ENOENT || errno == ENOTDIR;
		known->lost = !known->allowed;
	} else {
		known->read = true;
		known->allowed = beneath(real, p->task->root) ||
				 beneath(real, p->resource_dir);
	}
	HASH_ADD(hh, *seen, path[0], len, known);
	return known;
}

void seen_paths_release(struct seen_paths *seen)
{
	struct seen_path *path, *next;

	HASH_ITER(hh, seen->paths, path, next) {
		HASH_DEL(seen->paths, path);
		free(path);
	}
}

static void fail_outside(struct parser *p, const char *file, unsigned line)
{
	fail(p, arena_printf(p->arena, "includes a file outside the tree at "
			     "%s:%u", file, line));
}

static void visit_inclusion(CXFile file, CXSourceLocation *stack, unsigned n,
			    CXClientData data)
{
	struct parser *p = data;
	const char *path = path_of(p, file);
	const struct seen_path *known;
	unsigned line = 0;
	CXFile from = NULL;

	if (!n && p->task->text) /* made up */
		return;
	known = look_at(p, path);
	if (known->read && known->allowed)
		strbuf_add(&p->reply->deps, path, strlen(path) + 1);
	list_add(&p->included, arena_strdup(p->arena, path));
	if (known->allowed || !n)
		return;
	p->clang->getExpansionLocation(stack[0], &from, &line, NULL, NULL);
	fail_outside(p, from ? shown_path(p, path_of(p, from)) : "?", line);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The unit, then what it includes, each once. */
static void take_deps(struct parser *p, struct facts *facts)
{
	struct list *list = &p->included;
	const char **dep = ARENA_ARRAY(p->arena, const char *, list->n + 1);
	uint32_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		list->item[i] = (void *)tree_path(p->task->root,
						  list->item[i], p->arena);
	if (list->n)
		qsort(list->item, list->n, sizeof(*list->item),
		      compare_texts);
	dep[n++] = p->task->unit;
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->item[i], p->task->unit) &&
		    strcmp(list->item[i], dep[n - 1]))
			dep[n++] = list->item[i];
	facts->dep = dep;
	facts->ndep = n;
}

/*
 * Printable, short, and without where the tree is: a diagnostic may quote
 * megabytes of a hostile file.
 */
static const char *clean_text(struct parser *p, const char *text)
{
	size_t root = strlen(p->task->root), n = 0;
	char *copy = arena_alloc(p->arena, 201);

	while (*text && n < 200) {
		if (!strncmp(text, p->task->root, root) && text[root] == '/') {
			text += root + 1;
			continue;
		}
		copy[n++] = *text < ' ' || *text > '~' ? '?' : *text;
		text++;
	}
	return copy;
}

/* Did the compiler want a file that the sandbox does not let it have? */
static bool was_denied(struct parser *p, const char *text)
{
	static const char begin[] = "cannot open file '";
	const struct seen_path *known;
	const char *end;
	char *path;

	if (strncmp(text, begin, sizeof(begin) - 1))
		return false;
	text += sizeof(begin) - 1;
	end = strrchr(text, '\'');
	if (!end || !strstr(end, "Permission denied"))
		return false;
	path = arena_strndup(p->arena, text, (size_t)(end - text));
	known = look_at(p, path);
	/* what the user may not read is denied by others, and said so */
	return !known->allowed && !known->lost;
}

static void add_error(struct parser *p, struct facts *facts,
		      CXDiagnostic diagnostic)
{
	const struct clang *clang = p->clang;
	struct fact_error *error = &facts->error[facts->nerror];
	CXString text = clang->getDiagnosticSpelling(diagnostic);
	const char *spelling = clang->getCString(text);
	CXFile file = NULL;

	clang->getExpansionLocation(clang->getDiagnosticLocation(diagnostic),
				    &file, &error->line, NULL, NULL);
	error->file = file ? shown_path(p, path_of(p, file)) :
			     p->task->unit;
	error->function = "";
	error->why = clean_text(p, spelling ? spelling : "error");
	if (spelling && was_denied(p, spelling))
		fail_outside(p, error->file, error->line);
	clang->disposeString(text);
	facts->nerror++;
}

/* Errors of the compiler become errors of the facts, the first ones. */
static void take_errors(struct parser *p, struct facts *facts)
{
	unsigned n = p->clang->getNumDiagnostics(p->tu);
	struct fact_error *old = facts->error;
	uint32_t nold = facts->nerror;

	facts->error = ARENA_ARRAY(p->arena, struct fact_error,
				   nold + MAX_ERRORS);
	facts->nerror = 0;
	for (unsigned i = 0; i < n && facts->nerror < MAX_ERRORS; i++) {
		CXDiagnostic diagnostic = p->clang->getDiagnostic(p->tu, i);

		if (p->clang->getDiagnosticSeverity(diagnostic) >=
		    CXDiagnostic_Error)
			add_error(p, facts, diagnostic);
		p->clang->disposeDiagnostic(diagnostic);
	}
	for (uint32_t i = 0; i < nold; i++)
		facts->error[facts->nerror++] = old[i];
}

/*
 * The arguments, and the files in memory. A precompiled header holds what
 * -include asks for; it is named by a descriptor, because the file may be
 * removed at any moment by whoever prunes the cache.
 */
static const char **make_args(struct parser *p, size_t *n)
{
	const struct task *task = p->task;
	bool pch = task->kind == TASK_UNIT && task->pch;
	const char **arg = ARENA_ARRAY(p->arena, const char *,
				       task->nflags + 10);
	size_t used = 0;

	arg[used++] = "-resource-dir";
	arg[used++] = p->place->resource_dir;
	for (size_t i = 0; i < task->nflags; i++) {
		/* the text of the headers begins with these */
		if ((pch || task->kind == TASK_HEADERS) &&
		    i < task->ncommon &&
		    !strcmp(task->flags[i], "-include")) {
			i++;
			continue;
		}
		arg[used++] = task->flags[i];
	}
	arg[used++] = "-w";
	if (task->kind == TASK_HEADERS) {
		arg[used++] = "-x";
		arg[used++] = "c-header";
	}
	if (pch) {
		p->pch = open(task->pch, O_RDONLY | O_CLOEXEC);
		if (p->pch < 0) {
			fail(p, "the precompiled header is gone");
			return NULL;
		}
		arg[used++] = "-include-pch";
		arg[used++] = arena_printf(p->arena, "/proc/self/fd/%d",
					   p->pch);
		arg[used++] = "-Xclang";
		arg[used++] = "-fno-validate-pch";
	}
	*n = used;
	return arg;
}

static int parse(struct parser *p, const char *path, unsigned options)
{
	const struct task *task = p->task;
	struct CXUnsavedFile *file;
	const char **arg;
	size_t nfile = task->nfile, narg;
	enum CXErrorCode code;

	file = ARENA_ARRAY(p->arena, struct CXUnsavedFile, nfile + 1);
	for (size_t i = 0; i < nfile; i++)
		file[i] = (struct CXUnsavedFile){
			.Filename = task->file[i].path,
			.Contents = task->file[i].text,
			.Length = task->file[i].len,
		};
	if (p->text)
		file[nfile++] = (struct CXUnsavedFile){
			.Filename = path,
			.Contents = p->text,
			.Length = strlen(p->text),
		};
	arg = make_args(p, &narg);
	if (!arg)
		return -1;
	p->index = p->clang->createIndex(task->kind == TASK_UNIT, 0);
	code = p->clang->parseTranslationUnit2(p->index, path, arg, (int)narg,
					       file, (unsigned)nfile, options,
					       &p->tu);
	/* nobody knows what is left of a compiler that gave up midway */
	if (code == CXError_Crashed)
		abort();
	if (code != CXError_Success || !p->tu) {
		fail(p, arena_printf(p->arena, "cannot be parsed (libclang "
				     "error %d)", code));
		return -1;
	}
	return 0;
}

static void dispose(struct parser *p)
{
	if (p->tu)
		p->clang->disposeTranslationUnit(p->tu);
	if (p->index)
		p->clang->disposeIndex(p->index);
	if (p->pch >= 0)
		close(p->pch);
	p->tu = NULL;
	p->index = NULL;
	p->pch = -1;
	p->included.n = 0;
}

struct culprit {
	struct parser *p;
	CXFile file;   /* with the error */
	unsigned line; /* in the text that includes it; 0: not found */
};

static void find_culprit(CXFile file, CXSourceLocation *stack, unsigned n,
			 CXClientData data)
{
	struct culprit *c = data;

	if (n && !c->line && c->p->clang->File_isEqual(file, c->file))
		c->p->clang->getExpansionLocation(stack[n - 1], NULL,
						  &c->line, NULL, NULL);
}

/* The line of the text that leads to the first error, or 0. */
static unsigned culprit_line(struct parser *p)
{
	const struct clang *clang = p->clang;
	unsigned n = clang->getNumDiagnostics(p->tu), line;
	struct culprit c = { .p = p };
	const char *name;

	for (unsigned i = 0; i < n && !c.file; i++) {
		CXDiagnostic diagnostic = clang->getDiagnostic(p->tu, i);

		if (clang->getDiagnosticSeverity(diagnostic) >=
		    CXDiagnostic_Error)
			clang->getExpansionLocation(
				clang->getDiagnosticLocation(diagnostic),
				&c.file, &line, NULL, NULL);
		clang->disposeDiagnostic(diagnostic);
	}
	if (!c.file)
		return 0;
	name = shown_path(p, path_of(p, c.file));
	if (!strcmp(name, p->task->unit))
		return line;
	clang->getInclusions(p->tu, find_culprit, &c);
	return c.line;
}

static void blank_line(char *text, unsigned line)
{
	while (--line && (text = strchr(text, '\n')))
		text++;
	for (; text && *text && *text != '\n'; text++)
		*text = ' ';
}

/* Some header may not stand alone, or not with the others: go on without. */
static int parse_headers(struct parser *p, const char *path)
{
	unsigned line;

	for (int tries = 0; tries < MAX_CULPRITS; tries++) {
		if (parse(p, path, CXTranslationUnit_Incomplete |
			  CXTranslationUnit_ForSerialization))
			return -1;
		line = culprit_line(p);
		if (!line)
			return 0;
		blank_line(p->text, line);
		dispose(p);
	}
	fail(p, "too many headers have errors");
	return -1;
}

static enum CXChildVisitResult visit_constant(CXCursor cursor,
					      CXCursor parent,
					      CXClientData data)
{
	static const char prefix[] = "__nocharge_";
	struct parser *p = data;
	CXString name;
	const char *text;

	(void)parent;
	if (cursor.kind != CXCursor_EnumConstantDecl)
		return cursor.kind == CXCursor_FunctionDecl ||
		       cursor.kind == CXCursor_EnumDecl ||
		       p->clang->isStatement(cursor.kind) ?
		       CXChildVisit_Recurse : CXChildVisit_Continue;
	name = p->clang->getCursorSpelling(cursor);
	text = p->clang->getCString(name);
	if (text && !strncmp(text, prefix, sizeof(prefix) - 1))
		strbuf_addf(&p->reply->payload, "%s=%lld\n",
			    text + sizeof(prefix) - 1,
			    p->clang->getEnumConstantDeclValue(cursor));
	p->clang->disposeString(name);
	return CXChildVisit_Continue;
}

/* Only the functions of .c files: no need to walk those of headers. */
static enum CXChildVisitResult visit_constants(CXCursor cursor,
					       CXCursor parent,
					       CXClientData data)
{
	struct parser *p = data;
	CXFile file = NULL;
	const char *end;

	if (cursor.kind == CXCursor_FunctionDecl) {
		p->clang->getExpansionLocation(
			p->clang->getCursorLocation(cursor), &file, NULL,
			NULL, NULL);
		if (!file)
			return CXChildVisit_Continue;
		end = strrchr(path_of(p, file), '.');
		if (!end || strcmp(end, ".c"))
			return CXChildVisit_Continue;
	}
	return visit_constant(cursor, parent, data);
}

static const char *first_error(struct parser *p)
{
	struct facts facts = { 0 };

	take_errors(p, &facts);
	if (!facts.nerror)
		return NULL;
	return arena_printf(p->arena, "%u errors, the first at %s:%u: %s",
			    facts.nerror, facts.error[0].file,
			    facts.error[0].line, facts.error[0].why);
}

static void run_constants(struct parser *p)
{
	CXCursor top = p->clang->getTranslationUnitCursor(p->tu);
	const char *why = first_error(p);

	if (why)
		fail(p, why);
	else
		p->clang->visitChildren(top, visit_constants, p);
}

static void run_facts(struct parser *p, bool all)
{
	struct extract_options options = {
		.unit = p->task->unit, .root = p->task->root,
		.keep = p->task->keep, .nkeep = p->task->nkeep, .all = all,
		.file = p->task->file, .nfile = p->task->nfile,
	};
	struct facts *facts;

	facts = unit_extract(p->clang, p->tu, &options, p->arena, p->strings);
	take_errors(p, facts);
	take_deps(p, facts);
	facts_encode(facts, &p->reply->payload);
}

static void run_headers(struct parser *p)
{
	const char *why = first_error(p);
	int code;

	if (why) {
		fail(p, why);
		return;
	}
	code = p->clang->saveTranslationUnit(
		p->tu, p->task->pch, p->clang->defaultSaveOptions(p->tu));
	if (code)
		fail(p, arena_printf(p->arena, "cannot save the precompiled "
				     "header (libclang error %d)", code));
	else
		run_facts(p, true);
}

/* A unit that is no plain file of the tree is not even opened. */
static int check_unit(struct parser *p, const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	if (p->task->text || find_memfile(p->task, path))
		return 0;
	if (!realpath(path, real) || stat(real, &st)) {
		fail(p, arena_printf(p->arena, "cannot be read: %s",
				     strerror(errno)));
		return -1;
	}
	if (!beneath(real, p->task->root))
		fail(p, "is outside the tree");
	else if (!S_ISREG(st.st_mode))
		fail(p, "is not a regular file");
	else if (st.st_size > READ_LIMIT)
		fail(p, arena_printf(p->arena, "is larger than %u MiB",
				     READ_LIMIT >> 20));
	else if (access(real, R_OK))
		fail(p, arena_printf(p->arena, "cannot be read: %s",
				     strerror(errno)));
	return p->reply->why ? -1 : 0;
}

void task_run(const struct clang *clang, const struct clang_place *place,
	      const struct task *task, struct reply *reply,
	      struct seen_paths *seen, struct arena *arena)
{
	struct parser p = {
		.clang = clang, .place = place, .task = task, .arena = arena,
		.reply = reply, .strings = strtab_new(arena), .seen = seen,
		.pch = -1,
	};
	char real[PATH_MAX];
	const char *path = arena_printf(arena, "%s/%s", task->root,
					task->unit);

	p.resource_dir = realpath(place->resource_dir, real) ? real :
			 place->resource_dir;
	if (task->text)
		p.text = arena_strdup(arena, task->text);
	if (check_unit(&p, path))
		goto out;
	if (task->kind == TASK_HEADERS ? parse_headers(&p, path) :
					 parse(&p, path, 0))
		goto out;
	clang->getInclusions(p.tu, visit_inclusion, &p);
	if (reply->why)
		goto out;
	switch (task->kind) {
	case TASK_UNIT:
		run_facts(&p, false);
		break;
	case TASK_HEADERS:
		run_headers(&p);
		break;
	case TASK_CONSTANTS:
		run_constants(&p);
		break;
	}
out:
	reply->ok = !reply->why;
	dispose(&p);
	list_release(&p.included);
}
