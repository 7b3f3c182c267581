// SPDX-License-Identifier: GPL-2.0-only
/*
 * Initialiser lists. libclang shows them as they are written: designators
 * are references to members before the value, and whoever relied on the
 * order of members, or left out inner braces, gets no help. Here each value
 * ends up with the member that it is for.
 */
#include <string.h>

#include "extract.h"

/* Members in the order in which values fill them. */
struct members {
	CXCursor *field;
	uint32_t n, cap;
};

static void add_member(struct extract *ex, struct members *members,
		       CXCursor field)
{
	if (members->n == members->cap) {
		uint32_t cap = members->cap * 2 + 16;
		CXCursor *bigger = ARENA_ARRAY(ex->arena, CXCursor, cap);

		if (members->n)
			memcpy(bigger, members->field,
			       members->n * sizeof(*bigger));
		members->field = bigger;
		members->cap = cap;
	}
	members->field[members->n++] = field;
}

static void add_members(struct extract *ex, CXCursor record,
			struct members *members, unsigned depth)
{
	size_t base = fields_push(ex, record);

	for (size_t i = base; i < ex->nstack && depth < 32; i++) {
		CXCursor field = ex->stack[i], inner;
		uint32_t before = members->n;

		if (member_name(ex, field)) {
			add_member(ex, members, field);
		} else {
			inner = anonymous_record(ex, field);
			if (is_record(inner))
				add_members(ex, inner, members, depth + 1);
		}
		/* of a union it is the first, without a designator */
		if (record.kind == CXCursor_UnionDecl && members->n > before)
			break;
	}
	children_pop(ex, base);
}

struct filler {
	CXType type;             /* of the whole */
	bool is_array;
	struct members members;
	uint32_t next;           /* member */
	int64_t index;           /* element */
	CXCursor *value;         /* what is left of the list */
	uint32_t nvalue;
	unsigned depth;
};

static bool filler_begin(struct extract *ex, struct filler *f, CXType type)
{
	const struct clang *clang = ex->clang;
	CXCursor decl;

	f->type = clang->getCanonicalType(type);
	switch (f->type.kind) {
	case CXType_ConstantArray: case CXType_IncompleteArray:
	case CXType_VariableArray: case CXType_Vector:
		f->is_array = true;
		return true;
	default:
		break;
	}
	decl = clang->getTypeDeclaration(f->type);
	if (!is_record(decl))
		return false;
	decl = clang->getCursorDefinition(decl);
	if (clang->Cursor_isNull(decl))
		return false;
	add_members(ex, decl, &f->members, 0);
	return true;
}

static bool is_aggregate(struct extract *ex, CXType type)
{
	type = ex->clang->getCanonicalType(type);
	return type.kind == CXType_ConstantArray ||
	       type.kind == CXType_IncompleteArray ||
	       is_record(ex->clang->getTypeDeclaration(type));
}

/* A designated value has no type. */
static bool is_designated(struct extract *ex, CXCursor value)
{
	return value.kind == CXCursor_UnexposedExpr &&
	       ex->clang->getCursorType(value).kind == CXType_Void;
}

/* "[1 ... 3]" and "[1][3]" differ only in their text. */
static bool is_range(struct extract *ex, CXCursor from, CXCursor to)
{
	struct place a = cursor_place(ex, from), b = cursor_place(ex, to);
	const char *text;

	if (!a.file || a.file != b.file || a.offset >= b.offset)
		return false;
	text = file_text(ex, a.file);
	return text && b.offset <= a.file->len &&
	       memmem(text + a.offset, b.offset - a.offset, "...", 3);
}

static struct node *fill(struct extract *ex, struct filler *f,
			 CXCursor cursor, bool braced);

/* The value for something of @type, which may lack its braces. */
static struct node *fill_one(struct extract *ex, struct filler *f,
			     CXType type, unsigned depth)
{
	const struct clang *clang = ex->clang;
	CXCursor value = f->value[0];
	struct filler inner = { .depth = depth + 1 };
	struct node *node;

	if (value.kind != CXCursor_InitListExpr &&
	    value.kind != CXCursor_StringLiteral && is_aggregate(ex, type) &&
	    !is_aggregate(ex, clang->getCursorType(value)) &&
	    depth < FACTS_MAX_DEPTH - 2 && filler_begin(ex, &inner, type)) {
		inner.value = f->value;
		inner.nvalue = f->nvalue;
		node = fill(ex, &inner, value, false);
		/* at least one, or nothing would end this */
		if (inner.nvalue < f->nvalue) {
			f->value = inner.value;
			f->nvalue = inner.nvalue;
			return node;
		}
	}
	f->value++;
	f->nvalue--;
	return expr_extract(ex, value, depth + 1);
}

static struct node *named(struct extract *ex, CXCursor cursor,
			  const char *name, struct node *value)
{
	struct node *node = node_at(ex, N_FIELDINIT, 1, cursor);

	node->name = name;
	node->kid[0] = value;
	return node;
}

static const char *element_name(struct extract *ex, int64_t from, int64_t to)
{
	return intern(ex->strings, from == to ?
		      arena_printf(ex->arena, "[%lld]", (long long)from) :
		      arena_printf(ex->arena, "[%lld...%lld]",
				   (long long)from, (long long)to));
}

static void go_on_after(struct extract *ex, struct filler *f, CXCursor field)
{
	for (uint32_t i = 0; i < f->members.n; i++)
		if (ex->clang->equalCursors(f->members.field[i], field))
			f->next = i + 1;
}

/*
 * One designated value: "members and indices", then the value. Only the
 * first designator moves the place where positional values go on.
 */
static struct node *designated(struct extract *ex, struct filler *f,
			       CXCursor cursor)
{
	const struct clang *clang = ex->clang;
	size_t base = children_push(ex, cursor), last = ex->nstack - 1;
	struct node *outer = NULL, **to = &outer, *node;
	unsigned depth = f->depth + 1;

	if (base == ex->nstack)
		return node_at(ex, N_OTHER, 0, cursor);
	for (size_t i = base; i < last && depth < FACTS_MAX_DEPTH; i++) {
		CXCursor kid = ex->stack[i];
		const char *name = NULL;
		int64_t from, until;

		if (kid.kind == CXCursor_MemberRef) {
			CXCursor field = clang->getCursorReferenced(kid);

			name = member_name(ex, field);
			if (name && !outer)
				go_on_after(ex, f, field);
		} else if (cursor_value(ex, kid, &from)) {
			until = from;
			if (i + 1 < last && is_range(ex, kid,
						     ex->stack[i + 1]) &&
			    cursor_value(ex, ex->stack[i + 1], &until))
				i++;
			name = element_name(ex, from, until);
			if (!outer)
				f->index = until + 1;
		}
		if (!name)
			continue;
		if (outer) {
			/* this designator is of the inner one */
			*to = node_at(ex, N_INIT, 1, cursor);
			to = &(*to)->kid[0];
			depth++;
		}
		*to = named(ex, cursor, name, NULL);
		to = &(*to)->kid[0];
		depth++;
	}
	node = expr_extract(ex, ex->stack[last], depth);
	*to = node;
	children_pop(ex, base);
	return outer;
}

/* Is @field a member of @record, perhaps through anonymous ones? */
static bool within(struct extract *ex, CXCursor field, CXCursor record)
{
	const struct clang *clang = ex->clang;
	CXCursor outer = clang->getCursorSemanticParent(field);

	while (is_record(outer)) {
		if (clang->equalCursors(outer, record))
			return true;
		if (!clang->Cursor_isAnonymousRecordDecl(outer))
			break;
		outer = clang->getCursorSemanticParent(outer);
	}
	return false;
}

/*
 * Braces around an anonymous member hold values of the outer one. Returns
 * false if @value is no such thing.
 */
static bool fill_anonymous(struct extract *ex, struct filler *f,
			   CXCursor value, struct list *kids)
{
	const struct clang *clang = ex->clang;
	struct node *node;
	CXCursor record;

	if (value.kind != CXCursor_InitListExpr)
		return false;
	record = clang->getTypeDeclaration(clang->getCanonicalType(
			clang->getCursorType(value)));
	if (!is_record(record) || f->next >= f->members.n ||
	    !clang->Cursor_isAnonymousRecordDecl(record) ||
	    !within(ex, f->members.field[f->next], record))
		return false;
	node = init_extract(ex, value, f->depth);
	for (uint32_t i = 0; node->kind == N_INIT && i < node->nkid; i++)
		list_add(kids, node->kid[i]);
	while (f->next < f->members.n &&
	       within(ex, f->members.field[f->next], record))
		f->next++;
	return true;
}

static struct node *fill(struct extract *ex, struct filler *f,
			 CXCursor cursor, bool braced)
{
	const struct clang *clang = ex->clang;
	struct list kids = { 0 };
	struct node *node;

	while (f->nvalue) {
		CXCursor value = f->value[0];

		if (is_designated(ex, value)) {
			if (!braced)
				break;
			list_add(&kids, designated(ex, f, value));
			f->value++;
			f->nvalue--;
		} else if (f->is_array) {
			int64_t size = clang->Type_getSizeOf(f->type);
			CXType type = clang->getArrayElementType(f->type);
			int64_t one = clang->Type_getSizeOf(type);

			/* without braces it ends where the array does */
			if (!braced && size >= 0 && one > 0 &&
			    f->index >= size / one)
				break;
			f->index++;
			list_add(&kids, fill_one(ex, f, type, f->depth));
		} else if (fill_anonymous(ex, f, value, &kids)) {
			f->value++;
			f->nvalue--;
		} else if (f->next < f->members.n) {
			CXCursor field = f->members.field[f->next++];

			list_add(&kids, named(ex, value,
				 member_name(ex, field),
				 fill_one(ex, f, clang->getCursorType(field),
					  f->depth + 1)));
		} else if (braced) {
			list_add(&kids, fill_one(ex, f, clang->getCursorType(
						 value), f->depth));
		} else {
			break;
		}
	}
	node = node_of_list(ex, N_INIT, cursor, &kids, 0);
	node->record = type_record(ex, f->type);
	list_release(&kids);
	return node;
}

struct node *init_extract(struct extract *ex, CXCursor cursor, unsigned depth)
{
	struct filler f = { .depth = depth };
	CXType type = ex->clang->getCursorType(cursor);
	size_t base = children_push(ex, cursor);
	struct node *node;

	f.nvalue = (uint32_t)(ex->nstack - base);
	f.value = ARENA_ARRAY(ex->arena, CXCursor, f.nvalue);
	if (f.nvalue)
		memcpy(f.value, ex->stack + base, f.nvalue * sizeof(*f.value));
	children_pop(ex, base);
	/* a scalar in braces is what is in them */
	if (!filler_begin(ex, &f, type) && f.nvalue == 1)
		return expr_extract(ex, f.value[0], depth);
	node = fill(ex, &f, cursor, true);
	return node;
}
