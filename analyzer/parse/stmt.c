// SPDX-License-Identifier: GPL-2.0-only
/* Statements of libclang to nodes. */
#include <string.h>

#include "extract.h"

static struct node *stmt_at(struct extract *ex, enum node_kind kind,
			    uint32_t nkid, CXCursor cursor,
			    const char *keyword)
{
	struct node *node = node_at(ex, kind, nkid, cursor);
	struct place place = cursor_place(ex, cursor);

	if (keyword && !text_at_place(ex, &place, keyword))
		node->flags |= NODE_MACRO;
	return node;
}

static struct node *empty_block(struct extract *ex, CXCursor cursor)
{
	return node_at(ex, N_BLOCK, 0, cursor);
}

/*
 * The call that __attribute__((cleanup(f))) makes where the scope is left, or
 * NULL. No cursor says which function it is, the compiler's print does.
 */
static struct node *cleanup_call(struct extract *ex, CXCursor var)
{
	static const char word[] = "((cleanup(";
	struct node *call;
	const char *at, *end;

	if (!ex->clang->Cursor_hasAttrs(var))
		return NULL;
	at = strstr(decl_print(ex, var), word);
	end = at ? strchr(at += sizeof(word) - 1, ')') : NULL;
	if (!end)
		return NULL;
	call = node_at(ex, N_CALL, 2, var);
	call->kid[0] = node_at(ex, N_FUNC, 0, var);
	call->kid[0]->name = intern_n(ex->strings, at, (size_t)(end - at));
	ref_add_name(ex, call->kid[0]->name);
	call->kid[1] = node_at(ex, N_ADDR, 1, var);
	call->kid[1]->kid[0] = node_at(ex, N_LOCAL, 0, var);
	call->kid[1]->kid[0]->name = local_name(ex, var);
	return call;
}

static void declare(struct extract *ex, CXCursor decl, struct list *list,
		    unsigned depth)
{
	const struct clang *clang = ex->clang;
	struct node *node;
	CXCursor init;

	if (is_record(decl)) {
		/* of a header's functions it is not known who is needed */
		if (ex->fn.file->main)
			record_extract(ex, decl);
		return;
	}
	if (decl.kind == CXCursor_EnumDecl) {
		enum_extract(ex, decl);
		return;
	}
	if (decl.kind != CXCursor_VarDecl)
		return;
	switch (clang->Cursor_getStorageClass(decl)) {
	case CX_SC_Static:
		list_add(&ex->fn.globals, global_name(ex, decl));
		global_extract(ex, decl);
		return;
	case CX_SC_Extern: case CX_SC_PrivateExtern:
		return;
	default:
		break;
	}
	node = node_at(ex, N_DECL, 2, decl);
	node->name = local_name(ex, decl);
	node->record = pointee_record(ex, clang->getCursorType(decl));
	init = clang->Cursor_getVarDeclInitializer(decl);
	if (!clang->Cursor_isNull(init))
		node->kid[0] = expr_extract(ex, init, depth + 1);
	node->kid[1] = cleanup_call(ex, decl);
	list_add(list, node);
}

static void stmt_append(struct extract *ex, CXCursor cursor,
			struct list *list, unsigned depth)
{
	size_t base;

	switch ((int)cursor.kind) {
	case CXCursor_NullStmt:
		return;
	case CXCursor_DeclStmt:
		base = children_push(ex, cursor);
		for (size_t i = base; i < ex->nstack; i++)
			declare(ex, ex->stack[i], list, depth);
		children_pop(ex, base);
		return;
	}
	list_add(list, stmt_extract(ex, cursor, depth));
}

void block_extract(struct extract *ex, CXCursor block, struct list *list,
		   unsigned depth)
{
	size_t base = children_push(ex, block);

	for (size_t i = base; i < ex->nstack; i++)
		stmt_append(ex, ex->stack[i], list, depth + 1);
	children_pop(ex, base);
}

/* A condition whose declaration is not C; an absent one is 0 kids. */
static struct node *kid_expr(struct extract *ex, size_t at, unsigned depth)
{
	return expr_extract(ex, ex->stack[at], depth + 1);
}

enum part { PART_INIT, PART_COND, PART_STEP };

/* Where the two ';' of a "for (" at @text are; false if it is not one. */
static bool find_semicolons(const char *text, size_t len, size_t semi[2])
{
	size_t i = 3, found = 0;
	int deep = 0;
	char quote = 0;

	if (len < 3 || memcmp(text, "for", 3))
		return false;
	for (; i < len && i < 65536; i++) {
		if (quote) {
			if (text[i] == '\\')
				i++;
			else if (text[i] == quote)
				quote = 0;
			continue;
		}
		switch (text[i]) {
		case '"': case '\'':
			quote = text[i];
			break;
		case '(': case '{': case '[':
			deep++;
			break;
		case ')': case '}': case ']':
			if (!--deep)
				return false;
			break;
		case '/':
			if (i + 1 < len && text[i + 1] == '*') {
				const char *end = memmem(text + i + 2,
							 len - i - 2, "*/", 2);

				if (!end)
					return false;
				i = (size_t)(end - text) + 1;
			}
			break;
		case ';':
			if (deep != 1)
				break;
			semi[found++] = i;
			if (found == 2)
				return true;
			break;
		}
	}
	return false;
}

static bool assigns(CXCursor cursor, const struct clang *clang)
{
	switch ((int)cursor.kind) {
	case CXCursor_CompoundAssignOperator:
		return true;
	case CXCursor_BinaryOperator:
		return clang->getCursorBinaryOperatorKind(cursor) ==
		       CXBinaryOperator_Assign ||
		       clang->getCursorBinaryOperatorKind(cursor) ==
		       CXBinaryOperator_Comma;
	case CXCursor_UnaryOperator:
		return clang->getCursorUnaryOperatorKind(cursor) <=
		       CXUnaryOperator_PreDec;
	}
	return false;
}

/*
 * libclang leaves out the parts of a for statement that are not there, and
 * does not say which. The text says it; where a macro made the statement,
 * what the parts are has to do.
 */
static void name_parts(struct extract *ex, CXCursor cursor, size_t base,
		       size_t n, enum part part[3])
{
	const struct clang *clang = ex->clang;
	struct place at = cursor_place(ex, cursor);
	const char *text = at.file ? file_text(ex, at.file) : NULL;
	size_t semi[2];

	if (n == 3) {
		for (size_t i = 0; i < 3; i++)
			part[i] = (enum part)i;
		return;
	}
	if (text && at.offset < at.file->len &&
	    find_semicolons(text + at.offset, at.file->len - at.offset,
			    semi)) {
		for (size_t i = 0; i < n; i++) {
			CXSourceRange range =
				clang->getCursorExtent(ex->stack[base + i]);
			unsigned offset;

			clang->getExpansionLocation(
				clang->getRangeStart(range), NULL, NULL, NULL,
				&offset);
			offset -= at.offset;
			part[i] = offset < semi[0] ? PART_INIT :
				  offset < semi[1] ? PART_COND : PART_STEP;
		}
		return;
	}
	for (size_t i = 0; i < n; i++) {
		CXCursor kid = ex->stack[base + i];

		if (kid.kind == CXCursor_DeclStmt)
			part[i] = PART_INIT;
		else if (!assigns(kid, clang))
			part[i] = PART_COND;
		else if (i || n == 1)
			part[i] = PART_STEP;
		else
			part[i] = PART_INIT;
	}
	if (n == 2 && part[0] == part[1])
		part[1] = PART_STEP;
}

static struct node *extract_for(struct extract *ex, CXCursor cursor,
				size_t base, unsigned depth)
{
	struct node *node = stmt_at(ex, N_LOOP, 4, cursor, "for");
	size_t n = ex->nstack - base;
	enum part part[3];

	node->op = LOOP_FOR;
	if (!n)
		return node;
	n--;
	if (n > 3)
		n = 3;
	name_parts(ex, cursor, base, n, part);
	for (size_t i = 0; i < n; i++)
		node->kid[part[i]] = part[i] == PART_INIT ?
			stmt_extract(ex, ex->stack[base + i], depth + 1) :
			kid_expr(ex, base + i, depth);
	node->kid[3] = stmt_extract(ex, ex->stack[ex->nstack - 1], depth + 1);
	return node;
}

static struct node *extract_loop(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	bool is_do = cursor.kind == CXCursor_DoStmt;
	struct node *node = stmt_at(ex, N_LOOP, 4, cursor,
				    is_do ? "do" : "while");
	size_t last = ex->nstack - 1;

	node->op = is_do ? LOOP_DO : LOOP_WHILE;
	if (base >= last)
		return node;
	node->kid[1] = kid_expr(ex, is_do ? last : base, depth);
	node->kid[3] = stmt_extract(ex, ex->stack[is_do ? base : last],
				    depth + 1);
	return node;
}

static struct node *extract_case(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	struct node *node = stmt_at(ex, N_CASE, 2, cursor, "case"), *range;
	size_t n = ex->nstack - base;

	if (n == 3) {
		range = node_at(ex, N_OTHER, 2, cursor);
		range->kid[0] = kid_expr(ex, base, depth + 1);
		range->kid[1] = kid_expr(ex, base + 1, depth + 1);
		node->kid[0] = range;
	} else if (n == 2) {
		node->kid[0] = kid_expr(ex, base, depth);
	}
	node->kid[1] = n ? stmt_extract(ex, ex->stack[ex->nstack - 1],
					depth + 1) : empty_block(ex, cursor);
	return node;
}

static struct node *extract_asm(struct extract *ex, CXCursor cursor,
				size_t base, unsigned depth)
{
	struct function *fn = &ex->fn;
	const struct asm_info *info = NULL;
	struct list kids = { 0 };
	struct node *node, *kid;

	if (!fn->asm_at)
		fn->asms = asm_read(ex, fn->cursor, &fn->nasm);
	if (fn->asms && fn->asm_at < fn->nasm)
		info = &fn->asms[fn->asm_at];
	fn->asm_at++;
	for (size_t i = base; i < ex->nstack; i++) {
		CXCursor c = ex->stack[i];

		if (!ex->clang->isExpression(c.kind) ||
		    c.kind == CXCursor_AddrLabelExpr)
			continue;
		kid = expr_extract(ex, c, depth + 1);
		/* a number says nothing, and may be a counter of macros */
		if (kid->kind == N_INT)
			continue;
		/* without the compiler's print, an input is a conversion */
		if (info ? kids.n < info->nout :
		    c.kind != CXCursor_UnexposedExpr)
			kid->flags |= NODE_OUT;
		list_add(&kids, kid);
	}
	node = node_of_list(ex, N_ASM, cursor, &kids, 0);
	if (!info || info->heavy)
		node->flags |= NODE_HEAVY;
	list_release(&kids);
	return node;
}

static struct node *extract_if(struct extract *ex, CXCursor cursor,
			       size_t base, unsigned depth)
{
	struct node *node;

	if (ex->nstack - base < 2)
		return empty_block(ex, cursor);
	node = stmt_at(ex, N_IF, 3, cursor, "if");
	node->kid[0] = kid_expr(ex, base, depth);
	node->kid[1] = stmt_extract(ex, ex->stack[base + 1], depth + 1);
	if (ex->nstack - base > 2)
		node->kid[2] = stmt_extract(ex, ex->stack[base + 2],
					    depth + 1);
	return node;
}

static struct node *extract_list(struct extract *ex, CXCursor cursor,
				 unsigned depth)
{
	struct list list = { 0 };
	struct node *node;

	if (cursor.kind == CXCursor_CompoundStmt)
		block_extract(ex, cursor, &list, depth);
	else
		stmt_append(ex, cursor, &list, depth + 1);
	node = node_of_list(ex, N_BLOCK, cursor, &list, 0);
	list_release(&list);
	return node;
}

static struct node *extract_expr(struct extract *ex, CXCursor cursor,
				 unsigned depth)
{
	struct node *node = node_at(ex, N_EXPR, 1, cursor);

	node->kid[0] = expr_extract(ex, cursor, depth + 1);
	node->flags |= node->kid[0]->flags & NODE_MACRO;
	return node;
}

static struct node *extract_kids(struct extract *ex, CXCursor cursor,
				 size_t base, unsigned depth)
{
	size_t n = ex->nstack - base;
	struct node *node;

	switch ((int)cursor.kind) {
	case CXCursor_IfStmt:
		return extract_if(ex, cursor, base, depth);
	case CXCursor_WhileStmt:
	case CXCursor_DoStmt:
		return extract_loop(ex, cursor, base, depth);
	case CXCursor_ForStmt:
		return extract_for(ex, cursor, base, depth);
	case CXCursor_SwitchStmt:
		if (n < 2)
			return empty_block(ex, cursor);
		node = stmt_at(ex, N_SWITCH, 2, cursor, "switch");
		node->kid[0] = kid_expr(ex, base, depth);
		node->kid[1] = stmt_extract(ex, ex->stack[ex->nstack - 1],
					    depth + 1);
		return node;
	case CXCursor_CaseStmt:
		return extract_case(ex, cursor, base, depth);
	case CXCursor_DefaultStmt:
		node = stmt_at(ex, N_CASE, 2, cursor, "default");
		node->kid[1] = n ? stmt_extract(ex, ex->stack[ex->nstack - 1],
						depth + 1) :
			       empty_block(ex, cursor);
		return node;
	case CXCursor_ReturnStmt:
		node = stmt_at(ex, N_RETURN, 1, cursor, "return");
		if (n)
			node->kid[0] = kid_expr(ex, base, depth);
		return node;
	case CXCursor_GotoStmt:
		node = stmt_at(ex, N_GOTO, 0, cursor, "goto");
		node->name = n ? label_name(ex, ex->stack[base]) : "?";
		return node;
	case CXCursor_IndirectGotoStmt:
		node = node_at(ex, N_GOTO, 0, cursor);
		node->name = "?";
		return node;
	case CXCursor_LabelStmt:
		node = node_at(ex, N_LABEL, 1, cursor);
		node->name = label_name(ex, cursor);
		node->kid[0] = n ? stmt_extract(ex, ex->stack[ex->nstack - 1],
						depth + 1) :
			       empty_block(ex, cursor);
		return node;
	case CXCursor_GCCAsmStmt:
	case CXCursor_MSAsmStmt:
		return extract_asm(ex, cursor, base, depth);
	case CXCursor_UnexposedStmt: /* an attribute, and what it is on */
		if (!n || ex->clang->isAttribute(
				ex->stack[ex->nstack - 1].kind))
			return empty_block(ex, cursor);
		return stmt_extract(ex, ex->stack[ex->nstack - 1], depth);
	}
	return extract_expr(ex, cursor, depth);
}

struct node *stmt_extract(struct extract *ex, CXCursor cursor, unsigned depth)
{
	struct node *node;
	size_t base;

	if (depth >= FACTS_MAX_DEPTH - 2) {
		ex->fn.cut = true;
		return empty_block(ex, cursor);
	}
	switch ((int)cursor.kind) {
	case CXCursor_CompoundStmt:
	case CXCursor_DeclStmt:
	case CXCursor_NullStmt:
		return extract_list(ex, cursor, depth);
	case CXCursor_BreakStmt:
		return node_at(ex, N_BREAK, 0, cursor);
	case CXCursor_ContinueStmt:
		return node_at(ex, N_CONTINUE, 0, cursor);
	}
	if (ex->clang->isExpression(cursor.kind))
		return extract_expr(ex, cursor, depth);
	base = children_push(ex, cursor);
	node = extract_kids(ex, cursor, base, depth);
	children_pop(ex, base);
	return node;
}
