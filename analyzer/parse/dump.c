// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts as text: nearly C, one statement a line, with its line number.
 */
#include <inttypes.h>
#include <string.h>

#include "../base/strbuf.h"
#include "facts.h"

static void dump_expr(const struct node *node, struct strbuf *out);
static void dump_stmt(const struct node *node, struct strbuf *out,
		      unsigned deep);

static void dump_list(const struct node *node, uint32_t from,
		      struct strbuf *out)
{
	for (uint32_t i = from; i < node->nkid; i++) {
		if (i > from)
			strbuf_addstr(out, ", ");
		dump_expr(node->kid[i], out);
	}
}

static void dump_binary(const struct node *node, struct strbuf *out)
{
	strbuf_addch(out, '(');
	dump_expr(node->kid[0], out);
	strbuf_addf(out, " %s%s ", node_op_name(node->op),
		    node->kind == N_ASSIGN && node->op != OP_SET &&
		    node->op != OP_INC && node->op != OP_DEC ? "=" : "");
	dump_expr(node->kid[1], out);
	strbuf_addch(out, ')');
}

static void dump_cast(const struct node *node, struct strbuf *out)
{
	if (node->value)
		strbuf_addf(out, "(%c%" PRId64 ")",
			    node->flags & NODE_UNSIGNED ? 'u' : 's',
			    node->value);
	else
		strbuf_addf(out, "(%s *)",
			    *node->record ? node->record : "void");
	dump_expr(node->kid[0], out);
}

static void dump_expr(const struct node *node, struct strbuf *out)
{
	if (!node) {
		strbuf_addstr(out, "<none>");
		return;
	}
	if (node->flags & NODE_OUT)
		strbuf_addstr(out, "out ");
	switch ((enum node_kind)node->kind) {
	case N_INT:
		strbuf_addf(out, "%" PRId64, node->value);
		return;
	case N_STR:
		strbuf_addstr(out, "\"\"");
		return;
	case N_GLOBAL:
		strbuf_addch(out, '@');
		/* fall through */
	case N_LOCAL: case N_FUNC:
		strbuf_addstr(out, node->name);
		return;
	case N_FIELD:
		dump_expr(node->kid[0], out);
		strbuf_addf(out, "%s{%s}", node->flags & NODE_ARROW ? "->" :
			    ".", node->name);
		return;
	case N_DEREF:
		strbuf_addch(out, '*');
		dump_expr(node->kid[0], out);
		return;
	case N_INDEX:
		dump_expr(node->kid[0], out);
		strbuf_addch(out, '[');
		dump_expr(node->kid[1], out);
		strbuf_addch(out, ']');
		return;
	case N_ADDR:
		strbuf_addch(out, '&');
		dump_expr(node->kid[0], out);
		return;
	case N_UNARY:
		strbuf_addstr(out, node_op_name(node->op));
		dump_expr(node->kid[0], out);
		return;
	case N_BINARY: case N_ASSIGN:
		dump_binary(node, out);
		return;
	case N_COND:
		strbuf_addch(out, '(');
		dump_expr(node->kid[0], out);
		strbuf_addstr(out, " ? ");
		if (node->kid[1])
			dump_expr(node->kid[1], out);
		strbuf_addstr(out, " : ");
		dump_expr(node->kid[2], out);
		strbuf_addch(out, ')');
		return;
	case N_CALL:
		if (node->flags & NODE_MACRO)
			strbuf_addch(out, '#');
		dump_expr(node->kid[0], out);
		strbuf_addch(out, '(');
		dump_list(node, 1, out);
		strbuf_addch(out, ')');
		return;
	case N_CAST:
		dump_cast(node, out);
		return;
	case N_STMTEXPR:
		strbuf_addstr(out, "({");
		for (uint32_t i = 0; i < node->nkid; i++)
			dump_stmt(node->kid[i], out, 0);
		strbuf_addstr(out, "})");
		return;
	case N_INIT:
		strbuf_addf(out, "%s{ ", node->record);
		dump_list(node, 0, out);
		strbuf_addstr(out, " }");
		return;
	case N_FIELDINIT:
		strbuf_addf(out, ".%s = ", node->name);
		dump_expr(node->kid[0], out);
		return;
	case N_OTHER:
		strbuf_addstr(out, "?(");
		dump_list(node, 0, out);
		strbuf_addch(out, ')');
		return;
	default:
		dump_stmt(node, out, 0);
	}
}

static void dump_body(const struct node *node, struct strbuf *out,
		      unsigned deep)
{
	strbuf_addch(out, '\n');
	dump_stmt(node, out, deep + 1);
}

static void begin(const struct node *node, struct strbuf *out, unsigned deep)
{
	if (out->len && out->buf[out->len - 1] == '\n')
		strbuf_addf(out, "%6" PRIu32 " ", node->line);
	else
		strbuf_addch(out, ' ');
	for (unsigned i = 0; i < deep && i < 40; i++)
		strbuf_addstr(out, "  ");
}

static void dump_loop(const struct node *node, struct strbuf *out,
		      unsigned deep)
{
	strbuf_addf(out, "%s (", node_op_name(node->op));
	for (uint32_t i = 0; i < 3; i++) {
		if (i)
			strbuf_addstr(out, "; ");
		if (node->kid[i])
			dump_expr(node->kid[i], out);
	}
	strbuf_addch(out, ')');
	if (node->kid[3])
		dump_body(node->kid[3], out, deep);
	else
		strbuf_addch(out, '\n');
}

static void dump_if(const struct node *node, struct strbuf *out,
		    unsigned deep)
{
	strbuf_addstr(out, "if ");
	dump_expr(node->kid[0], out);
	dump_body(node->kid[1], out, deep);
	if (!node->kid[2])
		return;
	begin(node, out, deep);
	strbuf_addstr(out, "else");
	dump_body(node->kid[2], out, deep);
}

static void dump_stmt(const struct node *node, struct strbuf *out,
		      unsigned deep)
{
	switch ((enum node_kind)node->kind) {
	case N_BLOCK:
		for (uint32_t i = 0; i < node->nkid; i++)
			dump_stmt(node->kid[i], out, deep);
		return;
	case N_IF:
		begin(node, out, deep);
		dump_if(node, out, deep);
		return;
	case N_LOOP:
		begin(node, out, deep);
		dump_loop(node, out, deep);
		return;
	case N_SWITCH:
		begin(node, out, deep);
		strbuf_addstr(out, "switch ");
		dump_expr(node->kid[0], out);
		dump_body(node->kid[1], out, deep);
		return;
	case N_CASE:
		begin(node, out, deep);
		strbuf_addstr(out, node->kid[0] ? "case " : "default");
		if (node->kid[0])
			dump_expr(node->kid[0], out);
		dump_body(node->kid[1], out, deep);
		return;
	case N_LABEL:
		begin(node, out, deep);
		strbuf_addf(out, "%s:", node->name);
		dump_body(node->kid[0], out, deep);
		return;
	default:
		break;
	}
	begin(node, out, deep);
	switch ((enum node_kind)node->kind) {
	case N_EXPR:
		dump_expr(node->kid[0], out);
		break;
	case N_DECL:
		strbuf_addf(out, "decl %s", node->name);
		if (*node->record)
			strbuf_addf(out, " : %s *", node->record);
		if (node->kid[0]) {
			strbuf_addstr(out, " = ");
			dump_expr(node->kid[0], out);
		}
		if (node->kid[1]) {
			strbuf_addstr(out, " then ");
			dump_expr(node->kid[1], out);
		}
		break;
	case N_RETURN:
		strbuf_addstr(out, "return ");
		if (node->kid[0])
			dump_expr(node->kid[0], out);
		break;
	case N_GOTO:
		strbuf_addf(out, "goto %s", node->name);
		break;
	case N_ASM:
		strbuf_addf(out, "%sasm(",
			    node->flags & NODE_HEAVY ? "heavy " : "");
		dump_list(node, 0, out);
		strbuf_addch(out, ')');
		break;
	case N_BREAK: case N_CONTINUE:
		strbuf_addstr(out, node_kind_name(node->kind));
		break;
	default:
		dump_expr(node, out);
	}
	strbuf_addstr(out, ";\n");
}

void node_dump(const struct node *node, struct strbuf *out)
{
	if (node && node->kind >= N_EXPR)
		dump_stmt(node, out, 1);
	else
		dump_expr(node, out);
}

static void dump_flags(unsigned flags, const char *const *name, size_t n,
		       struct strbuf *out)
{
	for (size_t i = 0; i < n; i++)
		if (flags & 1u << i)
			strbuf_addf(out, " %s", name[i]);
}

static void dump_names(const char *what, const char **name, uint32_t n,
		       struct strbuf *out)
{
	if (!n)
		return;
	strbuf_addf(out, "  %s:", what);
	for (uint32_t i = 0; i < n; i++)
		strbuf_addf(out, " %s", name[i]);
	strbuf_addch(out, '\n');
}

void func_dump(struct func *func, struct strbuf *out)
{
	static const char *const flag[] = {
		"static", "inline", "header", "void", "init", "cold",
		"noinline", "noreturn", "exported", "gpl", "initcall",
		"macro", "weak", "always_inline", "noproto", "kept",
	};
	const struct node *body = facts_body(func);

	strbuf_addf(out, "func %s %s:%u:%u [%u-%u] %s", func->name, func->file,
		    func->line, func->column, func->start_line,
		    func->end_line, func->type);
	dump_flags(func->flags, flag, sizeof(flag) / sizeof(flag[0]), out);
	strbuf_addf(out, " #%016" PRIx64 "\n", func->hash);
	for (uint32_t i = 0; i < func->nparam; i++)
		strbuf_addf(out, "  param %s : %s\n", func->param[i].name,
			    func->param[i].record);
	if (*func->ret_record)
		strbuf_addf(out, "  returns %s\n", func->ret_record);
	dump_names("names", func->ref, func->nref, out);
	dump_names("globals", func->global, func->nglobal, out);
	if (body)
		node_dump(body, out);
	else
		strbuf_addstr(out, "  damaged\n");
}

static void dump_global(const struct global *global, struct strbuf *out)
{
	static const char *const flag[] = {
		"static", "defined", "const", "array", "pointer",
		"ro_after_init", "percpu",
	};

	strbuf_addf(out, "global %s %s:%u:%u type '%s' to '%s'", global->name,
		    global->file, global->line, global->column, global->type,
		    global->record);
	dump_flags(global->flags, flag, sizeof(flag) / sizeof(flag[0]), out);
	strbuf_addch(out, '\n');
	dump_names("names", global->ref, global->nref, out);
	if (global->init) {
		strbuf_addstr(out, "  = ");
		node_dump(global->init, out);
		strbuf_addch(out, '\n');
	}
}

static void dump_record(const struct record *record, struct strbuf *out)
{
	strbuf_addf(out, "record %s %s:%u\n", record->name, record->file,
		    record->line);
	for (uint32_t i = 0; i < record->nfield; i++) {
		const struct field *f = &record->field[i];

		strbuf_addf(out, "  %s @%" PRId64 "+%u to '%s' is '%s'%s%s%s\n",
			    f->name, f->offset, f->size, f->record, f->inner,
			    f->pointer ? " pointer" : "",
			    f->bitfield ? " bits" : "",
			    f->is_union ? " union" : "");
	}
}

void facts_dump(struct facts *facts, struct strbuf *out)
{
	uint32_t i;

	strbuf_addf(out, "unit %s\n", facts->unit);
	for (i = 0; i < facts->nfunc; i++)
		func_dump(&facts->func[i], out);
	for (i = 0; i < facts->nglobal; i++)
		dump_global(&facts->global[i], out);
	for (i = 0; i < facts->nrecord; i++)
		dump_record(&facts->record[i], out);
	for (i = 0; i < facts->ndecl; i++)
		strbuf_addf(out, "decl %s %s:%u\n", facts->decl[i].name,
			    facts->decl[i].file, facts->decl[i].line);
	for (i = 0; i < facts->nenum; i++)
		strbuf_addf(out, "enum %s = %" PRId64 "\n",
			    facts->enumerator[i].name,
			    facts->enumerator[i].value);
	for (i = 0; i < facts->nerror; i++)
		strbuf_addf(out, "error %s:%u %s: %s\n", facts->error[i].file,
			    facts->error[i].line, facts->error[i].function,
			    facts->error[i].why);
	for (i = 0; i < facts->ndep; i++)
		strbuf_addf(out, "dep %s\n", facts->dep[i]);
}
