// SPDX-License-Identifier: GPL-2.0-only
/* Records, globals and enumerators. */
#include <stdlib.h>
#include <string.h>

#include "extract.h"

const char *decl_print(struct extract *ex, CXCursor decl)
{
	const struct clang *clang = ex->clang;
	CXPrintingPolicy policy = clang->getCursorPrintingPolicy(decl);
	CXString print;
	const char *text;
	char *kept;

	clang->PrintingPolicy_setProperty(policy,
					  CXPrintingPolicy_TerseOutput, 1);
	clang->PrintingPolicy_setProperty(
		policy, CXPrintingPolicy_SuppressInitializers, 1);
	print = clang->getCursorPrettyPrinted(decl, policy);
	clang->PrintingPolicy_dispose(policy);
	text = clang->getCString(print);
	kept = arena_strdup(ex->arena, text ? text : "");
	clang->disposeString(print);
	return kept;
}

bool decl_has(const char *print, const char *word)
{
	return strstr(print, word) != NULL;
}

static struct field *add_field(struct extract *ex, struct list *fields,
			       CXCursor cursor)
{
	const struct clang *clang = ex->clang;
	struct field *field = ARENA_NEW(ex->arena, struct field);
	CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
	long long size;

	field->name = cursor_name(ex, cursor);
	field->record = pointee_record(ex, type);
	field->inner = type_record(ex, type);
	field->pointer = type.kind == CXType_Pointer;
	field->bitfield = clang->Cursor_isBitField(cursor);
	if (field->bitfield) {
		field->size = (uint32_t)clang->getFieldDeclBitWidth(cursor);
	} else {
		size = clang->Type_getSizeOf(type);
		field->size = size > 0 && size < UINT32_MAX / 8 ?
			      (uint32_t)size * 8 : 0;
	}
	list_add(fields, field);
	return field;
}

struct layout {
	struct list fields;
	CXType outer;    /* of the record whose fields these are */
	bool laid_out;   /* @outer is complete */
};

static void add_fields(struct extract *ex, struct layout *layout,
		       CXCursor record, bool overlaps, unsigned depth)
{
	const struct clang *clang = ex->clang;
	size_t base = fields_push(ex, record);
	struct field *field;
	long long offset;

	overlaps |= record.kind == CXCursor_UnionDecl;
	for (size_t i = base; i < ex->nstack && depth < 32; i++) {
		CXCursor kid = ex->stack[i], inner;

		if (!member_name(ex, kid)) {
			inner = anonymous_record(ex, kid);
			if (is_record(inner))
				add_fields(ex, layout, inner, overlaps,
					   depth + 1);
			continue;
		}
		field = add_field(ex, &layout->fields, kid);
		field->is_union = overlaps;
		offset = !layout->laid_out ? -1 : depth ?
			clang->Type_getOffsetOf(layout->outer, field->name) :
			clang->Cursor_getOffsetOfField(kid);
		field->offset = offset >= 0 ? offset : 0;
	}
	children_pop(ex, base);
}

/* What is declared in a record and is not a member of it. */
static void inner_decls(struct extract *ex, CXCursor record, unsigned depth)
{
	size_t base = children_push(ex, record);

	for (size_t i = base; i < ex->nstack && depth < 32; i++) {
		CXCursor kid = ex->stack[i];

		if (kid.kind == CXCursor_EnumDecl)
			enum_extract(ex, kid);
		else if (is_record(kid) &&
			 ex->clang->Cursor_isAnonymousRecordDecl(kid))
			inner_decls(ex, kid, depth + 1);
		else if (is_record(kid))
			record_extract(ex, kid);
	}
	children_pop(ex, base);
}

void record_extract(struct extract *ex, CXCursor cursor)
{
	const struct clang *clang = ex->clang;
	struct layout layout = { .laid_out = true };
	struct record *record;
	struct place place;

	if (!clang->isCursorDefinition(cursor))
		return;
	place = cursor_place(ex, cursor);
	record = ARENA_NEW(ex->arena, struct record);
	record->name = record_name(ex, cursor);
	record->file = place.file ? place.file->path : "";
	record->line = place.line;
	layout.outer = clang->getCursorType(cursor);
	layout.laid_out = clang->Type_getSizeOf(layout.outer) >= 0;
	add_fields(ex, &layout, cursor, false, 0);
	inner_decls(ex, cursor, 0);
	record->nfield = (uint32_t)layout.fields.n;
	record->field = ARENA_ARRAY(ex->arena, struct field, record->nfield);
	for (uint32_t i = 0; i < record->nfield; i++)
		record->field[i] = *(struct field *)layout.fields.item[i];
	list_release(&layout.fields);
	list_add(&ex->recs, record);
}

void enum_extract(struct extract *ex, CXCursor cursor)
{
	const struct clang *clang = ex->clang;
	size_t base;

	if (!clang->isCursorDefinition(cursor))
		return;
	base = children_push(ex, cursor);
	for (size_t i = base; i < ex->nstack; i++) {
		struct enumerator *e;

		if (ex->stack[i].kind != CXCursor_EnumConstantDecl)
			continue;
		e = ARENA_NEW(ex->arena, struct enumerator);
		e->name = cursor_name(ex, ex->stack[i]);
		e->value = clang->getEnumConstantDeclValue(ex->stack[i]);
		list_add(&ex->enums, e);
	}
	children_pop(ex, base);
}

static unsigned type_flags(struct extract *ex, CXType type)
{
	const struct clang *clang = ex->clang;
	unsigned flags = 0;

	type = clang->getCanonicalType(type);
	while (type.kind == CXType_ConstantArray ||
	       type.kind == CXType_IncompleteArray) {
		flags |= GLOBAL_ARRAY;
		type = clang->getCanonicalType(
			clang->getArrayElementType(type));
	}
	if (type.kind == CXType_Pointer)
		flags |= GLOBAL_POINTER;
	if (clang->isConstQualifiedType(type))
		flags |= GLOBAL_CONST;
	return flags;
}

static unsigned section_flags(struct extract *ex, CXCursor var)
{
	size_t base = children_push(ex, var);
	unsigned flags = 0;
	bool attributes = false;

	for (size_t i = base; i < ex->nstack; i++) {
		CXCursor kid = ex->stack[i];

		attributes |= ex->clang->isAttribute(kid.kind);
		if (kid.kind == CXCursor_AnnotateAttr &&
		    !strcmp(cursor_name(ex, kid), "nocharge:ro_after_init"))
			flags |= GLOBAL_RO_AFTER_INIT;
	}
	children_pop(ex, base);
	if (attributes) {
		const char *print = decl_print(ex, var);

		if (decl_has(print, "section(\".data..percpu"))
			flags |= GLOBAL_PERCPU;
		if (decl_has(print, "section(\".data..ro_after_init"))
			flags |= GLOBAL_RO_AFTER_INIT;
	}
	return flags;
}

/* The declaration that says most: with a value, defining, or @var. */
static CXCursor best_decl(struct extract *ex, CXCursor var)
{
	CXCursor def = ex->clang->getCursorDefinition(var);

	return ex->clang->Cursor_isNull(def) ? var : def;
}

/*
 * Names first, initialisers later: a function that is being read names
 * globals, and one thing is read at a time.
 */
void global_extract(struct extract *ex, CXCursor var)
{
	const struct clang *clang = ex->clang;
	CXCursor first = clang->getCanonicalCursor(var), best, *kept;
	struct global *global = cursor_map_get(clang, &ex->seen, first);
	struct place place;

	best = best_decl(ex, var);
	place = cursor_place(ex, best);
	if (global && (global->flags & GLOBAL_DEFINED || !place.file ||
		       !place.file->main))
		return;
	if (!global) {
		global = ARENA_NEW(ex->arena, struct global);
		list_add(&ex->globals, global);
		kept = ARENA_NEW(ex->arena, CXCursor);
		*kept = best;
		list_add(&ex->inits, kept);
		cursor_map_put(clang, &ex->seen, first, global);
	}
	global->name = global_name(ex, best);
	global->file = place.file ? place.file->path : "";
	global->line = place.line;
	global->column = place.column;
	global->type = type_record(ex, clang->getCursorType(best));
	global->record = pointee_record(ex, clang->getCursorType(best));
	global->flags |= type_flags(ex, clang->getCursorType(best)) |
			 section_flags(ex, best);
	switch (clang->Cursor_getStorageClass(best)) {
	case CX_SC_Static:
		global->flags |= GLOBAL_STATIC | GLOBAL_DEFINED;
		break;
	case CX_SC_Extern: case CX_SC_PrivateExtern:
		if (!clang->isCursorDefinition(best))
			break;
		/* fall through */
	default:
		global->flags |= GLOBAL_DEFINED;
	}
}
