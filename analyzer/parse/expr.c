// SPDX-License-Identifier: GPL-2.0-only
/* Expressions of libclang to nodes. */
#include <stdlib.h>
#include <string.h>

#include "extract.h"
#include "facts_layout.h"

static const uint8_t binary_op[] = {
	[CXBinaryOperator_Mul] = OP_MUL, [CXBinaryOperator_Div] = OP_DIV,
	[CXBinaryOperator_Rem] = OP_REM, [CXBinaryOperator_Add] = OP_ADD,
	[CXBinaryOperator_Sub] = OP_SUB, [CXBinaryOperator_Shl] = OP_SHL,
	[CXBinaryOperator_Shr] = OP_SHR, [CXBinaryOperator_LT] = OP_LT,
	[CXBinaryOperator_GT] = OP_GT, [CXBinaryOperator_LE] = OP_LE,
	[CXBinaryOperator_GE] = OP_GE, [CXBinaryOperator_EQ] = OP_EQ,
	[CXBinaryOperator_NE] = OP_NE, [CXBinaryOperator_And] = OP_AND,
	[CXBinaryOperator_Xor] = OP_XOR, [CXBinaryOperator_Or] = OP_OR,
	[CXBinaryOperator_LAnd] = OP_ANDAND, [CXBinaryOperator_LOr] = OP_OROR,
	[CXBinaryOperator_Assign] = OP_SET,
	[CXBinaryOperator_MulAssign] = OP_MUL,
	[CXBinaryOperator_DivAssign] = OP_DIV,
	[CXBinaryOperator_RemAssign] = OP_REM,
	[CXBinaryOperator_AddAssign] = OP_ADD,
	[CXBinaryOperator_SubAssign] = OP_SUB,
	[CXBinaryOperator_ShlAssign] = OP_SHL,
	[CXBinaryOperator_ShrAssign] = OP_SHR,
	[CXBinaryOperator_AndAssign] = OP_AND,
	[CXBinaryOperator_XorAssign] = OP_XOR,
	[CXBinaryOperator_OrAssign] = OP_OR,
	[CXBinaryOperator_Comma] = OP_COMMA,
};

struct node *node_at(struct extract *ex, enum node_kind kind, uint32_t nkid,
		     CXCursor cursor)
{
	struct node *node = node_new(ex->arena, kind, nkid);
	struct place place = cursor_place(ex, cursor);

	if (place.file && place.file == ex->fn.file) {
		node->line = place.line;
		if (place.column <= UINT16_MAX)
			node->column = (uint16_t)place.column;
	}
	return node;
}

/* As node_at(); the node is of a macro if @text does not stand there. */
static struct node *node_spelt(struct extract *ex, enum node_kind kind,
			       uint32_t nkid, CXCursor cursor,
			       const char *text)
{
	struct place place = cursor_place(ex, cursor);
	struct node *node = node_at(ex, kind, nkid, cursor);

	if (!text_at_place(ex, &place, text))
		node->flags |= NODE_MACRO;
	return node;
}

static struct node *node_int(struct extract *ex, int64_t value, CXCursor cursor)
{
	struct node *node = node_at(ex, N_INT, 0, cursor);

	node->value = value;
	return node;
}

struct node *node_of_list(struct extract *ex, enum node_kind kind,
			  CXCursor cursor, struct list *list, size_t from)
{
	struct node *node = node_at(ex, kind, (uint32_t)(list->n - from),
				    cursor);

	for (uint32_t i = 0; i < node->nkid; i++)
		node->kid[i] = list->item[from + i];
	list->n = from;
	return node;
}

static bool is_value(const struct node *node)
{
	return node->kind == N_INT;
}

/* A node whose parts are known and whose meaning is not. */
static struct node *other(struct extract *ex, CXCursor cursor, size_t base,
			  unsigned depth)
{
	struct list kids = { 0 };
	struct node *node;

	for (size_t i = base; i < ex->nstack; i++) {
		CXCursor kid = ex->stack[i];

		if (ex->clang->isExpression(kid.kind))
			list_add(&kids, expr_extract(ex, kid, depth + 1));
		else if (ex->clang->isStatement(kid.kind))
			list_add(&kids, stmt_extract(ex, kid, depth + 1));
	}
	node = node_of_list(ex, N_OTHER, cursor, &kids, 0);
	list_release(&kids);
	return node;
}

static struct node *value_or_other(struct extract *ex, CXCursor cursor,
				   size_t base, unsigned depth)
{
	int64_t value;

	if (cursor_value(ex, cursor, &value))
		return node_int(ex, value, cursor);
	return other(ex, cursor, base, depth);
}

/* The function at hand names @name. */
static void ref_add(struct extract *ex, CXCursor decl, const char *name)
{
	CXCursor def;

	list_add(&ex->fn.refs, name);
	if (cursor_map_get(ex->clang, &ex->headers, decl))
		def = decl;
	else
		def = ex->clang->getCursorDefinition(decl);
	if (cursor_map_get(ex->clang, &ex->headers, def) == &ex->headers) {
		CXCursor *queued = ARENA_NEW(ex->arena, CXCursor);

		/* from here on it is queued */
		*queued = def;
		cursor_map_put(ex->clang, &ex->headers, def, ex);
		list_add(&ex->queue, queued);
	}
}

void ref_add_name(struct extract *ex, const char *name)
{
	CXCursor cursor;

	list_add(&ex->fn.refs, name);
	for (size_t i = 0; i < ex->headers.size; i++) {
		if (ex->headers.slot[i].value != &ex->headers)
			continue;
		cursor = ex->headers.slot[i].cursor;
		if (cursor_name(ex, cursor) == name) {
			ex->fn.refs.n--;
			ref_add(ex, cursor, name);
			return;
		}
	}
}

static struct node *extract_name(struct extract *ex, CXCursor cursor)
{
	const struct clang *clang = ex->clang;
	CXCursor decl = clang->getCursorReferenced(cursor);
	enum node_kind kind;
	const char *name, *plain;
	struct node *node;
	CXCursor parent;

	switch (decl.kind) {
	case CXCursor_ParmDecl:
		kind = N_LOCAL;
		break;
	case CXCursor_VarDecl:
		parent = clang->getCursorSemanticParent(decl);
		switch (clang->Cursor_getStorageClass(decl)) {
		case CX_SC_Static:
		case CX_SC_Extern:
		case CX_SC_PrivateExtern:
			kind = N_GLOBAL;
			break;
		default:
			kind = parent.kind == CXCursor_FunctionDecl ?
			       N_LOCAL : N_GLOBAL;
		}
		break;
	case CXCursor_FunctionDecl:
		kind = N_FUNC;
		break;
	case CXCursor_EnumConstantDecl:
		return node_int(ex, clang->getEnumConstantDeclValue(decl),
				cursor);
	default:
		return node_at(ex, N_OTHER, 0, cursor);
	}
	plain = cursor_name(ex, decl);
	name = kind == N_LOCAL ? local_name(ex, decl) :
	       kind == N_GLOBAL ? global_name(ex, decl) : plain;
	node = node_spelt(ex, kind, 0, cursor, plain);
	node->name = name;
	if (kind == N_FUNC) {
		ref_add(ex, decl, name);
	} else if (kind == N_GLOBAL) {
		list_add(&ex->fn.globals, name);
		global_extract(ex, decl);
	}
	return node;
}

/*
 * What a member is of: @base, or what the anonymous members between it and
 * the member are of. The members of those are said to be the outer's.
 */
static CXCursor member_base(struct extract *ex, CXCursor base)
{
	for (;;) {
		CXCursor field, inner;
		size_t at;

		if (base.kind != CXCursor_MemberRefExpr)
			return base;
		field = ex->clang->getCursorReferenced(base);
		if (field.kind != CXCursor_FieldDecl || member_name(ex, field))
			return base;
		at = children_push(ex, base);
		inner = at < ex->nstack ? ex->stack[at] : base;
		children_pop(ex, at);
		if (ex->clang->equalCursors(inner, base))
			return base;
		base = inner;
	}
}

static struct node *extract_member(struct extract *ex, CXCursor cursor,
				   size_t at, unsigned depth)
{
	const struct clang *clang = ex->clang;
	CXCursor field = clang->getCursorReferenced(cursor), base;
	const char *name;
	struct node *node;
	CXType type;

	if (at == ex->nstack || field.kind != CXCursor_FieldDecl)
		return other(ex, cursor, at, depth);
	base = member_base(ex, ex->stack[at]);
	name = member_name(ex, field);
	if (!name) /* an anonymous member as a whole */
		return expr_extract(ex, base, depth);
	node = node_spelt(ex, N_FIELD, 1, cursor, strrchr(name, '.') + 1);
	node->name = name;
	type = clang->getCanonicalType(clang->getCursorType(base));
	if (type.kind == CXType_Pointer)
		node->flags |= NODE_ARROW;
	node->kid[0] = expr_extract(ex, base, depth + 1);
	if (node->flags & NODE_ARROW && node->kid[0]->kind == N_ADDR) {
		node->kid[0] = node->kid[0]->kid[0];
		node->flags &= (uint8_t)~NODE_ARROW;
	}
	return node;
}

static struct node *extract_unary(struct extract *ex, CXCursor cursor,
				  size_t base, unsigned depth)
{
	enum CXUnaryOperatorKind kind =
		ex->clang->getCursorUnaryOperatorKind(cursor);
	struct node *kid, *node;
	enum node_op op;
	int64_t value;

	if (base == ex->nstack)
		return node_at(ex, N_OTHER, 0, cursor);
	kid = expr_extract(ex, ex->stack[base], depth + 1);
	switch (kind) {
	case CXUnaryOperator_PostInc: case CXUnaryOperator_PreInc:
	case CXUnaryOperator_PostDec: case CXUnaryOperator_PreDec:
		node = node_at(ex, N_ASSIGN, 2, cursor);
		node->op = kind == CXUnaryOperator_PostInc ||
			   kind == CXUnaryOperator_PreInc ? OP_INC : OP_DEC;
		if (kind == CXUnaryOperator_PostInc ||
		    kind == CXUnaryOperator_PostDec)
			node->flags |= NODE_POST;
		node->kid[0] = kid;
		node->kid[1] = node_int(ex, 1, cursor);
		return node;
	case CXUnaryOperator_AddrOf:
		if (kid->kind == N_DEREF)
			return kid->kid[0];
		if (kid->kind == N_FUNC)
			return kid;
		node = node_at(ex, N_ADDR, 1, cursor);
		node->kid[0] = kid;
		return node;
	case CXUnaryOperator_Deref:
		if (kid->kind == N_ADDR)
			return kid->kid[0];
		if (kid->kind == N_FUNC)
			return kid;
		node = node_at(ex, N_DEREF, 1, cursor);
		node->kid[0] = kid;
		return node;
	case CXUnaryOperator_Plus: case CXUnaryOperator_Extension:
		return kid;
	case CXUnaryOperator_Minus:
		op = OP_NEG;
		break;
	case CXUnaryOperator_Not:
		op = OP_COMPL;
		break;
	case CXUnaryOperator_LNot:
		op = OP_NOT;
		break;
	default:
		return other(ex, cursor, base, depth);
	}
	if (is_value(kid) && cursor_value(ex, cursor, &value))
		return node_int(ex, value, cursor);
	node = node_at(ex, N_UNARY, 1, cursor);
	node->op = (uint8_t)op;
	node->kid[0] = kid;
	return node;
}

static struct node *extract_binary(struct extract *ex, CXCursor cursor,
				   size_t base, unsigned depth)
{
	const struct clang *clang = ex->clang;
	enum CXBinaryOperatorKind kind =
		clang->getCursorBinaryOperatorKind(cursor);
	struct node *left, *right, *node;
	bool assigns;
	int64_t value;

	if (ex->nstack - base != 2 || kind >= sizeof(binary_op) ||
	    binary_op[kind] == OP_NONE)
		return other(ex, cursor, base, depth);
	assigns = kind >= CXBinaryOperator_Assign &&
		  kind <= CXBinaryOperator_OrAssign;
	left = expr_extract(ex, ex->stack[base], depth + 1);
	right = expr_extract(ex, ex->stack[base + 1], depth + 1);
	if (is_value(left) && is_value(right) &&
	    cursor_value(ex, cursor, &value))
		return node_int(ex, value, cursor);
	node = node_at(ex, assigns ? N_ASSIGN : N_BINARY, 2, cursor);
	node->op = binary_op[kind];
	node->kid[0] = left;
	node->kid[1] = right;
	if (type_unsigned(clang->getCanonicalType(
			clang->getCursorType(ex->stack[base]))))
		node->flags |= NODE_UNSIGNED;
	return node;
}

static struct node *extract_cond(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	struct node *cond, *node;

	if (ex->nstack - base != 3)
		return other(ex, cursor, base, depth);
	cond = expr_extract(ex, ex->stack[base], depth + 1);
	if (is_value(cond))
		return expr_extract(ex, ex->stack[base + (cond->value ? 1 : 2)],
				    depth);
	node = node_at(ex, N_COND, 3, cursor);
	node->kid[0] = cond;
	node->kid[1] = expr_extract(ex, ex->stack[base + 1], depth + 1);
	node->kid[2] = expr_extract(ex, ex->stack[base + 2], depth + 1);
	return node;
}

static struct node *extract_call(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	uint32_t n = (uint32_t)(ex->nstack - base);
	struct node *callee, *node;
	const char *name;
	bool values = true;
	int64_t value;

	if (!n)
		return node_at(ex, N_OTHER, 0, cursor);
	callee = expr_extract(ex, ex->stack[base], depth + 1);
	name = callee->kind == N_FUNC ? callee->name : "";
	if (!strncmp(name, "__builtin_expect", 16) && n > 1)
		return expr_extract(ex, ex->stack[base + 1], depth);
	if (!strcmp(name, "__builtin_constant_p"))
		return node_int(ex, cursor_value(ex, cursor, &value) && value,
				cursor);
	node = node_at(ex, N_CALL, n, cursor);
	node->flags |= callee->flags & NODE_MACRO;
	node->kid[0] = callee;
	for (uint32_t i = 1; i < n; i++) {
		node->kid[i] = expr_extract(ex, ex->stack[base + i],
					    depth + 1);
		values &= is_value(node->kid[i]) ||
			  node->kid[i]->kind == N_STR;
	}
	if (!strncmp(name, "__builtin_", 10) &&
	    (values || !strcmp(name, "__builtin_object_size")) &&
	    cursor_value(ex, cursor, &value))
		return node_int(ex, value, cursor);
	return node;
}

static struct node *extract_cast(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	const struct clang *clang = ex->clang;
	CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
	struct node *kid, *node;
	int64_t value;

	if (base == ex->nstack)
		return node_at(ex, N_OTHER, 0, cursor);
	kid = expr_extract(ex, ex->stack[ex->nstack - 1], depth + 1);
	if (type.kind == CXType_Void)
		return kid;
	if (is_value(kid)) {
		if (type_integer(type) && cursor_value(ex, cursor, &value))
			kid->value = value;
		return kid;
	}
	node = node_at(ex, N_CAST, 1, cursor);
	node->kid[0] = kid;
	if (type_integer(type)) {
		node->value = clang->Type_getSizeOf(type) * 8;
		if (type_unsigned(type))
			node->flags |= NODE_UNSIGNED;
	} else {
		node->record = pointee_record(ex, type);
	}
	return node;
}

/*
 * libclang shows every branch of a _Generic and not which one it takes. The
 * type of the whole is that of the branch; where that leaves two, the record
 * in the branch's own type decides.
 */
static struct node *extract_generic(struct extract *ex, CXCursor cursor,
				    size_t base, unsigned depth)
{
	const struct clang *clang = ex->clang;
	CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
	const char *control = NULL, *record = "";
	size_t found = 0, exact = 0, i;
	int64_t value;

	if (cursor_value(ex, cursor, &value))
		return node_int(ex, value, cursor);
	for (i = base; i < ex->nstack; i++) {
		CXCursor kid = ex->stack[i];
		CXType own;

		if (!clang->isExpression(kid.kind)) {
			if (kid.kind == CXCursor_TypeRef)
				record = type_record(
					ex, clang->getCursorType(kid));
			continue;
		}
		own = clang->getCursorType(kid);
		if (!control) {
			control = pointee_record(ex, own);
			continue;
		}
		if (clang->equalTypes(clang->getCanonicalType(own), type)) {
			found = i;
			if (*record && record == control)
				exact = i;
		}
		record = "";
	}
	if (exact)
		found = exact;
	if (!found)
		return other(ex, cursor, base, depth);
	return expr_extract(ex, ex->stack[found], depth);
}

/*
 * What libclang has no kind for: implicit conversions (one child), a?:b
 * (four), __builtin_choose_expr (three, the first constant), and constants
 * such as offsetof.
 */
static struct node *extract_unexposed(struct extract *ex, CXCursor cursor,
				      size_t base, unsigned depth)
{
	const struct clang *clang = ex->clang;
	size_t n = ex->nstack - base;
	struct node *node;
	int64_t value;

	if (n == 4 && clang->equalLocations(
			clang->getCursorLocation(ex->stack[base]),
			clang->getCursorLocation(ex->stack[base + 1]))) {
		node = node_at(ex, N_COND, 3, cursor);
		node->kid[0] = expr_extract(ex, ex->stack[base], depth + 1);
		node->kid[2] = expr_extract(ex, ex->stack[base + 3],
					    depth + 1);
		if (is_value(node->kid[0]))
			return node->kid[node->kid[0]->value ? 0 : 2];
		return node;
	}
	if (cursor_value(ex, cursor, &value))
		return node_int(ex, value, cursor);
	if (n == 3 && cursor_value(ex, ex->stack[base], &value))
		return expr_extract(ex, ex->stack[base + (value ? 1 : 2)],
				    depth);
	if (n == 1 && clang->isExpression(ex->stack[base].kind) &&
	    clang->equalTypes(clang->getCursorType(cursor),
			      clang->getCursorType(ex->stack[base])))
		return expr_extract(ex, ex->stack[base], depth);
	return other(ex, cursor, base, depth);
}

static struct node *extract_stmtexpr(struct extract *ex, CXCursor cursor,
				     size_t base, unsigned depth)
{
	struct list kids = { 0 };
	struct node *node, *only;

	if (base < ex->nstack)
		block_extract(ex, ex->stack[base], &kids, depth);
	if (kids.n == 1) {
		only = kids.item[0];
		if (only->kind == N_EXPR) {
			list_release(&kids);
			return only->kid[0];
		}
	}
	node = node_of_list(ex, N_STMTEXPR, cursor, &kids, 0);
	list_release(&kids);
	return node;
}

/*
 * An implicit conversion stands where its child does. va_arg() and the type
 * traits have one child too, but begin before it.
 */
static bool is_conversion(struct extract *ex, CXCursor cursor, CXCursor kid)
{
	const struct clang *clang = ex->clang;

	return clang->equalLocations(clang->getCursorLocation(cursor),
				     clang->getCursorLocation(kid));
}

static struct node *extract_kids(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	struct node *node;

	switch ((int)cursor.kind) {
	case CXCursor_MemberRefExpr:
		return extract_member(ex, cursor, base, depth);
	case CXCursor_CallExpr:
		return extract_call(ex, cursor, base, depth);
	case CXCursor_UnaryOperator:
		return extract_unary(ex, cursor, base, depth);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return extract_binary(ex, cursor, base, depth);
	case CXCursor_ConditionalOperator:
		return extract_cond(ex, cursor, base, depth);
	case CXCursor_CStyleCastExpr:
		return extract_cast(ex, cursor, base, depth);
	case CXCursor_CompoundLiteralExpr:
		if (base == ex->nstack)
			break;
		return expr_extract(ex, ex->stack[ex->nstack - 1], depth);
	case CXCursor_ArraySubscriptExpr:
		if (ex->nstack - base != 2)
			break;
		node = node_at(ex, N_INDEX, 2, cursor);
		node->kid[0] = expr_extract(ex, ex->stack[base], depth + 1);
		node->kid[1] = expr_extract(ex, ex->stack[base + 1],
					    depth + 1);
		return node;
	case CXCursor_StmtExpr:
		return extract_stmtexpr(ex, cursor, base, depth);
	case CXCursor_GenericSelectionExpr:
		return extract_generic(ex, cursor, base, depth);
	case CXCursor_UnexposedExpr:
		return extract_unexposed(ex, cursor, base, depth);
	}
	return other(ex, cursor, base, depth);
}

struct node *expr_extract(struct extract *ex, CXCursor cursor, unsigned depth)
{
	struct node *node;
	size_t base;

	if (depth >= FACTS_MAX_DEPTH) {
		ex->fn.cut = true;
		return node_at(ex, N_OTHER, 0, cursor);
	}
	for (;;) {
		switch ((int)cursor.kind) {
		case CXCursor_DeclRefExpr:
			return extract_name(ex, cursor);
		case CXCursor_IntegerLiteral:
		case CXCursor_CharacterLiteral:
		case CXCursor_UnaryExpr:
			/* the operand of sizeof is not evaluated */
			return value_or_other(ex, cursor, ex->nstack, depth);
		case CXCursor_StringLiteral:
			return node_at(ex, N_STR, 0, cursor);
		case CXCursor_InitListExpr:
			return init_extract(ex, cursor, depth);
		}
		base = children_push(ex, cursor);
		if (ex->nstack - base != 1 ||
		    !ex->clang->isExpression(ex->stack[base].kind))
			break;
		if (cursor.kind != CXCursor_ParenExpr &&
		    (cursor.kind != CXCursor_UnexposedExpr ||
		     !is_conversion(ex, cursor, ex->stack[base])))
			break;
		cursor = ex->stack[base];
		children_pop(ex, base);
	}
	node = extract_kids(ex, cursor, base, depth);
	children_pop(ex, base);
	return node;
}
