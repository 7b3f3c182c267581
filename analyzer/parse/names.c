// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of records, members and locals.
 *
 * A name must be the same wherever it comes from: from a declaration, from a
 * use, in another unit and in another configuration.
 */
#include <string.h>

#include "extract.h"

/* What libclang calls a record or member without a name has a '(' in it. */
static bool nameless(const char *name)
{
	return !*name || strchr(name, '(') || strchr(name, ' ');
}

static CXType without_arrays(struct extract *ex, CXType type)
{
	for (;;) {
		type = ex->clang->getCanonicalType(type);
		switch (type.kind) {
		case CXType_ConstantArray: case CXType_IncompleteArray:
		case CXType_VariableArray: case CXType_DependentSizedArray:
			type = ex->clang->getArrayElementType(type);
			break;
		default:
			return type;
		}
	}
}

/* The member of @outer that is of the nameless type @record, or "". */
static const char *member_of_type(struct extract *ex, CXCursor outer,
				  CXCursor record)
{
	const struct clang *clang = ex->clang;
	size_t base = children_push(ex, outer);
	const char *found = "";

	for (size_t i = base; i < ex->nstack && !*found; i++) {
		CXCursor kid = ex->stack[i];
		CXType type;

		if (kid.kind != CXCursor_FieldDecl)
			continue;
		type = without_arrays(ex, clang->getCursorType(kid));
		if (type.kind == CXType_Pointer)
			type = without_arrays(ex, clang->getPointeeType(type));
		if (clang->equalCursors(clang->getTypeDeclaration(type),
					record))
			found = cursor_name(ex, kid);
	}
	children_pop(ex, base);
	return found;
}

static const char *make_record_name(struct extract *ex, CXCursor record)
{
	const struct clang *clang = ex->clang;
	const char *name = cursor_name(ex, record), *outer, *member;
	struct place place;
	CXCursor parent;

	if (!nameless(name))
		return name;
	parent = clang->getCursorSemanticParent(record);
	if (is_record(parent)) {
		outer = record_name(ex, parent);
		if (clang->Cursor_isAnonymousRecordDecl(record))
			return outer;
		member = member_of_type(ex, parent, record);
		if (*member)
			return intern(ex->strings,
				      arena_printf(ex->arena, "%s::%s", outer,
						   member));
	}
	/* the type of a variable: where it stands is all that it has */
	place = cursor_place(ex, record);
	return intern(ex->strings,
		      arena_printf(ex->arena, "%s:%u:%u",
				   place.file ? place.file->path : "",
				   place.line, place.column));
}

const char *record_name(struct extract *ex, CXCursor record)
{
	const char *name;

	record = ex->clang->getCanonicalCursor(record);
	name = cursor_map_get(ex->clang, &ex->records, record);
	if (!name) {
		name = make_record_name(ex, record);
		cursor_map_put(ex->clang, &ex->records, record, name);
	}
	return name;
}

const char *member_name(struct extract *ex, CXCursor field)
{
	const char *name = cursor_map_get(ex->clang, &ex->members, field);
	CXCursor parent;

	if (!name) {
		name = cursor_name(ex, field);
		if (nameless(name)) {
			name = "";
		} else {
			parent = ex->clang->getCursorSemanticParent(field);
			name = arena_printf(ex->arena, "%s.%s",
					    record_name(ex, parent), name);
			name = intern(ex->strings, name);
		}
		cursor_map_put(ex->clang, &ex->members, field, name);
	}
	return *name ? name : NULL;
}

static const char *record_of(struct extract *ex, CXType type)
{
	CXCursor decl;

	if (type.kind != CXType_Record && type.kind != CXType_Elaborated)
		return "";
	decl = ex->clang->getTypeDeclaration(type);
	return is_record(decl) ? record_name(ex, decl) : "";
}

const char *type_record(struct extract *ex, CXType type)
{
	return record_of(ex, without_arrays(ex, type));
}

const char *pointee_record(struct extract *ex, CXType type)
{
	type = without_arrays(ex, type);
	if (type.kind != CXType_Pointer)
		return "";
	return record_of(ex, without_arrays(ex,
					    ex->clang->getPointeeType(type)));
}

/*
 * A macro that makes a name unique puts a counter at its end, which differs
 * between configurations and with what was included before. Such a name
 * stands nowhere in the text; without the digits it is the same everywhere.
 */
static const char *without_counter(struct extract *ex, CXCursor decl,
				   const char *name)
{
	size_t len = strlen(name);
	struct place place;

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	if (!len || !name[len])
		return name;
	place = spelling_place(ex, decl);
	if (text_at_place(ex, &place, name))
		return name;
	return intern_n(ex->strings, name, len);
}

/* The next name of those that are @plain: "x", "x#1" and so on. */
static const char *numbered(struct extract *ex, struct list *names,
			    const char *plain)
{
	unsigned same = 0;

	for (size_t i = 0; i < names->n; i++)
		same += names->item[i] == plain;
	list_add(names, plain);
	return same ? intern(ex->strings, arena_printf(ex->arena, "%s#%u",
						       plain, same)) : plain;
}

const char *local_name(struct extract *ex, CXCursor decl)
{
	struct function *fn = &ex->fn;
	const char *name = cursor_map_get(ex->clang, &fn->locals, decl);

	if (!name) {
		name = without_counter(ex, decl, cursor_name(ex, decl));
		name = numbered(ex, &fn->local_names, name);
		cursor_map_put(ex->clang, &fn->locals, decl, name);
	}
	return name;
}

/* libclang knows labels and references to them by other cursors: by name. */
const char *label_name(struct extract *ex, CXCursor label)
{
	struct list *labels = &ex->fn.labels;
	const char *name = cursor_name(ex, label), *plain;

	for (size_t i = 0; i < labels->n; i += 2)
		if (labels->item[i] == name)
			return labels->item[i + 1];
	plain = without_counter(ex, label, name);
	if (plain != name)
		plain = numbered(ex, &ex->fn.label_names, plain);
	list_add(labels, name);
	list_add(labels, plain);
	return plain;
}

const char *global_name(struct extract *ex, CXCursor decl)
{
	const struct clang *clang = ex->clang;
	const char *name = cursor_name(ex, decl);
	const char *plain;
	CXCursor parent;

	if (clang->Cursor_getStorageClass(decl) != CX_SC_Static)
		return name;
	plain = without_counter(ex, decl, name);
	if (plain != name) /* the line tells such names apart */
		name = intern(ex->strings,
			      arena_printf(ex->arena, "%s%u", plain,
					   cursor_place(ex, decl).line));
	parent = clang->getCursorSemanticParent(decl);
	if (parent.kind != CXCursor_FunctionDecl)
		return name;
	return intern(ex->strings, arena_printf(ex->arena, "%s.%s",
						cursor_name(ex, parent),
						name));
}
