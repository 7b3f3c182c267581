// SPDX-License-Identifier: GPL-2.0-only
/* The top level of a unit, and its functions one after the other. */
#include "extract.h"

#include <stdlib.h>
#include <string.h>

#include "../base/err.h"

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char **sorted_names(struct extract *ex, struct list *list,
				 uint32_t *n)
{
	const char **name;
	uint32_t used = 0;

	*n = 0;
	if (!list->n)
		return NULL;
	qsort(list->item, list->n, sizeof(*list->item), compare_names);
	name = ARENA_ARRAY(ex->arena, const char *, list->n);
	for (size_t i = 0; i < list->n; i++)
		if (!used || name[used - 1] != list->item[i])
			name[used++] = list->item[i];
	list->n = 0;
	*n = used;
	return name;
}

static void function_begin(struct extract *ex, const char *name,
			   struct source_file *file, CXCursor cursor)
{
	struct function *fn = &ex->fn;

	cursor_map_clear(&fn->locals);
	fn->local_names.n = fn->labels.n = fn->label_names.n = 0;
	fn->refs.n = fn->globals.n = 0;
	fn->name = name;
	fn->file = file;
	fn->cursor = cursor;
	fn->asms = NULL;
	fn->nasm = fn->asm_at = 0;
	fn->cut = false;
}

static void error_add(struct extract *ex, const char *file, uint32_t line,
		      const char *function, const char *why)
{
	struct fact_error *error = ARENA_NEW(ex->arena, struct fact_error);

	error->file = file;
	error->line = line;
	error->function = function;
	error->why = why;
	list_add(&ex->errors, error);
}

static bool in_list(const struct list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->item[i] == name)
			return true;
	return false;
}

static unsigned print_flags(const char *print)
{
	static const struct {
		const char *word;
		unsigned flag;
	} said[] = {
		{ "section(\".init", FUNC_INIT },
		{ "section(\".meminit", FUNC_INIT },
		{ "section(\".cpuinit", FUNC_INIT },
		{ "section(\".devinit", FUNC_INIT },
		{ "section(\".exit", FUNC_INIT },
		{ "__attribute__((cold))", FUNC_COLD },
		{ "__attribute__((noinline))", FUNC_NOINLINE },
		{ "noreturn", FUNC_NORETURN },
		{ "__attribute__((weak))", FUNC_WEAK },
		{ "__attribute__((always_inline))", FUNC_ALWAYS_INLINE },
	};
	unsigned flags = 0;

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (decl_has(print, said[i].word))
			flags |= said[i].flag;
	return flags;
}

static unsigned annotation_flag(const char *text)
{
	if (!strcmp(text, "nocharge:init"))
		return FUNC_INIT;
	if (!strcmp(text, "nocharge:cold"))
		return FUNC_COLD;
	if (!strcmp(text, "nocharge:noinline"))
		return FUNC_NOINLINE;
	return 0;
}

static unsigned scanned_flags(struct extract *ex, const char *name)
{
	unsigned flags = 0;

	if (in_list(&ex->exports, name))
		flags |= FUNC_EXPORTED;
	if (in_list(&ex->gpl_exports, name))
		flags |= FUNC_EXPORTED | FUNC_EXPORTED_GPL;
	if (in_list(&ex->initcalls, name))
		flags |= FUNC_INITCALL;
	return flags;
}

static unsigned function_flags(struct extract *ex, CXCursor cursor,
			       const struct place *place, const char *name,
			       const char *type)
{
	const struct clang *clang = ex->clang;
	CXCursor first = clang->getCanonicalCursor(cursor);
	size_t base = children_push(ex, cursor);
	bool attributes = false;
	unsigned flags = 0;

	for (size_t i = base; i < ex->nstack; i++) {
		CXCursor kid = ex->stack[i];

		attributes |= clang->isAttribute(kid.kind);
		if (kid.kind == CXCursor_AnnotateAttr)
			flags |= annotation_flag(cursor_name(ex, kid));
	}
	children_pop(ex, base);
	if (attributes) {
		flags |= print_flags(decl_print(ex, cursor));
		if (!clang->equalCursors(first, cursor))
			flags |= print_flags(decl_print(ex, first));
	}
	if (strstr(type, "noreturn"))
		flags |= FUNC_NORETURN;
	if (clang->Cursor_getStorageClass(cursor) == CX_SC_Static)
		flags |= FUNC_STATIC;
	if (!place->file->main)
		flags |= FUNC_HEADER | FUNC_INLINE;
	if (clang->Cursor_isFunctionInlined(cursor))
		flags |= FUNC_INLINE;
	if (clang->getCanonicalType(clang->getCursorResultType(cursor)).kind ==
	    CXType_Void)
		flags |= FUNC_VOID;
	if (clang->getCursorType(cursor).kind == CXType_FunctionNoProto)
		flags |= FUNC_NOPARAM_PROTO;
	if (!text_at_place(ex, place, name))
		flags |= FUNC_MACRO;
	if (!place->file->main && file_kept(ex, place->file))
		flags |= FUNC_KEPT;
	if (place->file->main)
		flags |= scanned_flags(ex, name);
	return flags;
}

static unsigned edge_line(struct extract *ex, CXSourceLocation at)
{
	unsigned line;

	ex->clang->getExpansionLocation(at, NULL, &line, NULL, NULL);
	return line;
}

static void function_params(struct extract *ex, CXCursor cursor,
			    struct func *func)
{
	const struct clang *clang = ex->clang;
	int n = clang->Cursor_getNumArguments(cursor);

	func->nparam = n > 0 ? (uint32_t)n : 0;
	func->param = ARENA_ARRAY(ex->arena, struct param, func->nparam);
	for (uint32_t i = 0; i < func->nparam; i++) {
		CXCursor arg = clang->Cursor_getArgument(cursor, i);

		func->param[i].name = local_name(ex, arg);
		func->param[i].record =
			pointee_record(ex, clang->getCursorType(arg));
	}
}

static void function_extract(struct extract *ex, CXCursor cursor)
{
	const struct clang *clang = ex->clang;
	struct place place = cursor_place(ex, cursor);
	CXSourceRange extent = clang->getCursorExtent(cursor);
	struct func *func;
	size_t base, body;

	if (!place.file)
		return;
	base = children_push(ex, cursor);
	for (body = base; body < ex->nstack; body++)
		if (ex->stack[body].kind == CXCursor_CompoundStmt)
			break;
	if (body == ex->nstack) {
		children_pop(ex, base);
		return;
	}
	func = ARENA_NEW(ex->arena, struct func);
	func->name = cursor_name(ex, cursor);
	func->file = place.file->path;
	func->line = place.line;
	func->column = place.column;
	func->start_line = edge_line(ex, clang->getRangeStart(extent));
	func->end_line = edge_line(ex, clang->getRangeEnd(extent));
	func->type = type_name(ex, clang->getCursorType(cursor));
	func->ret_record = pointee_record(ex,
					  clang->getCursorResultType(cursor));
	func->flags = function_flags(ex, cursor, &place, func->name,
				     func->type);
	function_begin(ex, func->name, place.file, cursor);
	function_params(ex, cursor, func);
	func->body = stmt_extract(ex, ex->stack[body], 0);
	children_pop(ex, base);
	func->ref = sorted_names(ex, &ex->fn.refs, &func->nref);
	func->global = sorted_names(ex, &ex->fn.globals, &func->nglobal);
	if (ex->fn.cut)
		error_add(ex, func->file, func->line, func->name,
			  "nested too deep");
	list_add(&ex->funcs, func);
}

static void init_of_global(struct extract *ex, struct global *global,
			   CXCursor var)
{
	const struct clang *clang = ex->clang;
	CXCursor init = clang->Cursor_getVarDeclInitializer(var);

	if (clang->Cursor_isNull(init))
		return;
	function_begin(ex, "", cursor_place(ex, var).file, var);
	global->flags |= GLOBAL_DEFINED;
	global->init = expr_extract(ex, init, 0);
	global->ref = sorted_names(ex, &ex->fn.refs, &global->nref);
	if (ex->fn.cut)
		error_add(ex, global->file, global->line, global->name,
			  "nested too deep");
}

static void prototype(struct extract *ex, CXCursor cursor,
		      const struct place *place)
{
	struct decl *decl;

	if (place->file->main)
		return;
	decl = ARENA_NEW(ex->arena, struct decl);
	decl->name = cursor_name(ex, cursor);
	decl->file = place->file->path;
	decl->line = place->line;
	list_add(&ex->decls, decl);
}

static void queue_function(struct extract *ex, CXCursor cursor)
{
	CXCursor *queued = ARENA_NEW(ex->arena, CXCursor);

	*queued = cursor;
	list_add(&ex->queue, queued);
}

static void top_function(struct extract *ex, CXCursor cursor,
			 const struct place *place)
{
	if (!ex->clang->isCursorDefinition(cursor)) {
		prototype(ex, cursor, place);
	} else if (place->file->main) {
		queue_function(ex, cursor);
	} else if (ex->options->all || file_kept(ex, place->file)) {
		queue_function(ex, cursor);
		cursor_map_put(ex->clang, &ex->headers, cursor, ex);
	} else {
		/* queued when someone names it */
		cursor_map_put(ex->clang, &ex->headers, cursor, &ex->headers);
	}
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent,
					 CXClientData data)
{
	struct extract *ex = data;
	struct place place;

	(void)parent;
	switch ((int)cursor.kind) {
	case CXCursor_FunctionDecl:
		place = cursor_place(ex, cursor);
		if (place.file)
			top_function(ex, cursor, &place);
		break;
	case CXCursor_StructDecl:
	case CXCursor_UnionDecl:
		record_extract(ex, cursor);
		break;
	case CXCursor_EnumDecl:
		enum_extract(ex, cursor);
		break;
	case CXCursor_VarDecl:
		place = cursor_place(ex, cursor);
		if (place.file && place.file->main)
			global_extract(ex, cursor);
		break;
	}
	return CXChildVisit_Continue;
}

/* All structs that are sorted here begin with a name and most with a file. */
struct named {
	const char *name, *file;
};

static int compare_name_file(const void *a, const void *b)
{
	const struct named *x = *(struct named *const *)a;
	const struct named *y = *(struct named *const *)b;
	int diff = strcmp(x->name, y->name);

	return diff ? diff : strcmp(x->file, y->file);
}

#define COMPARE_PLACED(type) \
static int compare_##type(const void *a, const void *b) \
{ \
	const struct type *x = *(struct type *const *)a; \
	const struct type *y = *(struct type *const *)b; \
	int diff = compare_name_file(a, b); \
\
	return diff ? diff : (x->line > y->line) - (x->line < y->line); \
}
COMPARE_PLACED(func)
COMPARE_PLACED(record)
COMPARE_PLACED(global)
COMPARE_PLACED(decl)

static int compare_enumerator(const void *a, const void *b)
{
	const struct enumerator *x = *(struct enumerator *const *)a;
	const struct enumerator *y = *(struct enumerator *const *)b;

	return strcmp(x->name, y->name);
}

/* What is in @list as an array, sorted and each once. */
static void *take(struct extract *ex, struct list *list,
		  int (*compare)(const void *, const void *), size_t size,
		  uint32_t *n)
{
	char *array = arena_alloc(ex->arena, (list->n + 1) * size);

	*n = 0;
	if (list->n)
		qsort(list->item, list->n, sizeof(*list->item), compare);
	for (size_t i = 0; i < list->n; i++)
		if (!i || compare(&list->item[i - 1], &list->item[i]))
			memcpy(array + size * (*n)++, list->item[i], size);
	return array;
}

#define TAKE(list, type, n) \
	take(ex, &ex->list, compare_##type, sizeof(struct type), &facts->n)

static void take_facts(struct extract *ex)
{
	struct facts *facts = ex->facts;

	facts->func = TAKE(funcs, func, nfunc);
	facts->record = TAKE(recs, record, nrecord);
	facts->global = TAKE(globals, global, nglobal);
	facts->decl = TAKE(decls, decl, ndecl);
	facts->enumerator = TAKE(enums, enumerator, nenum);
	facts->error = ARENA_ARRAY(ex->arena, struct fact_error, ex->errors.n);
	facts->nerror = (uint32_t)ex->errors.n;
	for (uint32_t i = 0; i < facts->nerror; i++)
		facts->error[i] = *(struct fact_error *)ex->errors.item[i];
}

static void extract_release(struct extract *ex)
{
	struct list *lists[] = {
		&ex->files, &ex->queue, &ex->exports, &ex->gpl_exports,
		&ex->initcalls, &ex->funcs, &ex->globals, &ex->decls,
		&ex->recs, &ex->enums, &ex->errors, &ex->inits,
		&ex->fn.local_names, &ex->fn.labels, &ex->fn.label_names,
		&ex->fn.refs, &ex->fn.globals,
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		list_release(lists[i]);
	cursor_map_release(&ex->members);
	cursor_map_release(&ex->records);
	cursor_map_release(&ex->headers);
	cursor_map_release(&ex->seen);
	cursor_map_release(&ex->fn.locals);
	free(ex->stack);
}

/* The names that macros of the unit and of what it includes as code say. */
static void scan_files(struct extract *ex)
{
	char *path = arena_printf(ex->arena, "%s/%s", ex->options->root,
				  ex->options->unit);
	CXFile file = ex->clang->getFile(ex->tu, path);
	const char *text;
	size_t len;

	if (!file)
		return;
	text = ex->clang->getFileContents(ex->tu, file, &len);
	if (text)
		scan_unit(ex, text, len);
}

struct facts *unit_extract(const struct clang *clang, CXTranslationUnit tu,
			   const struct extract_options *options,
			   struct arena *arena, struct strtab *strings)
{
	struct extract ex = {
		.clang = clang, .options = options, .tu = tu,
		.arena = arena, .strings = strings,
	};
	size_t functions = 0, inits = 0;

	ex.facts = ARENA_NEW(arena, struct facts);
	ex.facts->unit = intern(strings, options->unit);
	scan_files(&ex);
	clang->visitChildren(clang->getTranslationUnitCursor(tu), visit_top,
			     &ex);
	/* functions name globals, whose initialisers name functions */
	while (functions < ex.queue.n || inits < ex.inits.n) {
		if (functions < ex.queue.n) {
			function_extract(&ex,
				*(CXCursor *)ex.queue.item[functions++]);
		} else {
			init_of_global(&ex, ex.globals.item[inits],
				       *(CXCursor *)ex.inits.item[inits]);
			inits++;
		}
	}
	take_facts(&ex);
	extract_release(&ex);
	return ex.facts;
}
