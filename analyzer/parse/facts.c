// SPDX-License-Identifier: GPL-2.0-only
/* Facts to bytes. The layout is read back by facts_decode.c. */
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "../base/err.h"
#include "../base/strbuf.h"
#include "bytes.h"
#include "facts_layout.h"

static const char *const kind_name[N_KINDS] = {
	[N_INT] = "int", [N_STR] = "str", [N_LOCAL] = "local",
	[N_GLOBAL] = "global", [N_FUNC] = "func", [N_FIELD] = "field",
	[N_DEREF] = "deref", [N_INDEX] = "index", [N_ADDR] = "addr",
	[N_UNARY] = "unary", [N_BINARY] = "binary", [N_ASSIGN] = "assign",
	[N_COND] = "cond", [N_CALL] = "call", [N_CAST] = "cast",
	[N_STMTEXPR] = "stmtexpr", [N_INIT] = "init",
	[N_FIELDINIT] = "fieldinit", [N_OTHER] = "other", [N_EXPR] = "expr",
	[N_DECL] = "decl", [N_IF] = "if", [N_LOOP] = "loop",
	[N_SWITCH] = "switch", [N_CASE] = "case", [N_RETURN] = "return",
	[N_GOTO] = "goto", [N_LABEL] = "label", [N_BREAK] = "break",
	[N_CONTINUE] = "continue", [N_BLOCK] = "block", [N_ASM] = "asm",
};

static const char *const op_name[OPS] = {
	[OP_NONE] = "", [OP_NOT] = "!", [OP_COMPL] = "~", [OP_NEG] = "-",
	[OP_MUL] = "*", [OP_DIV] = "/", [OP_REM] = "%", [OP_ADD] = "+",
	[OP_SUB] = "-", [OP_SHL] = "<<", [OP_SHR] = ">>", [OP_LT] = "<",
	[OP_GT] = ">", [OP_LE] = "<=", [OP_GE] = ">=", [OP_EQ] = "==",
	[OP_NE] = "!=", [OP_AND] = "&", [OP_XOR] = "^", [OP_OR] = "|",
	[OP_ANDAND] = "&&", [OP_OROR] = "||", [OP_COMMA] = ",",
	[OP_SET] = "=", [OP_INC] = "++", [OP_DEC] = "--",
	[LOOP_WHILE] = "while", [LOOP_DO] = "do", [LOOP_FOR] = "for",
};

const char *node_kind_name(enum node_kind kind)
{
	return (unsigned)kind < N_KINDS ? kind_name[kind] : "?";
}

const char *node_op_name(enum node_op op)
{
	return (unsigned)op < OPS ? op_name[op] : "?";
}

struct node *node_new(struct arena *arena, enum node_kind kind, uint32_t nkid)
{
	struct node *node = arena_alloc(arena, sizeof(*node) +
					nkid * sizeof(node->kid[0]));

	node->kind = (uint8_t)kind;
	node->nkid = nkid;
	node->record = "";
	if (node_has_name(kind))
		node->name = "";
	return node;
}

/* Strings by number, in the order in which they are first written. */
struct texts {
	const char **text; /* by number */
	uint32_t used, cap;
	uint32_t *slot; /* number + 1; 0: free */
	uint32_t nslot; /* a power of two */
};

struct writer {
	struct strbuf *out;
	struct texts texts;
	uint32_t line; /* of the node before */
};

static uint32_t *texts_slot(const struct texts *texts, const char *text)
{
	uint32_t i = (uint32_t)XXH3_64bits(text, strlen(text));

	for (;; i++) {
		uint32_t *slot = &texts->slot[i & (texts->nslot - 1)];

		if (!*slot || !strcmp(texts->text[*slot - 1], text))
			return slot;
	}
}

static uint32_t texts_number(struct texts *texts, const char *text)
{
	uint32_t *slot, i;

	if (texts->used * 2 >= texts->nslot) {
		texts->nslot = texts->nslot ? texts->nslot * 2 : 1024;
		texts->slot = xrealloc(texts->slot,
				       texts->nslot * sizeof(*texts->slot));
		memset(texts->slot, 0, texts->nslot * sizeof(*texts->slot));
		for (i = 0; i < texts->used; i++)
			*texts_slot(texts, texts->text[i]) = i + 1;
	}
	slot = texts_slot(texts, text);
	if (*slot)
		return *slot - 1;
	if (texts->used == texts->cap) {
		texts->cap = texts->cap ? texts->cap * 2 : 512;
		texts->text = xrealloc(texts->text,
				       texts->cap * sizeof(*texts->text));
	}
	texts->text[texts->used++] = text;
	*slot = texts->used;
	return texts->used - 1;
}

static void texts_release(struct texts *texts)
{
	free(texts->text);
	free(texts->slot);
}

static void put_text(struct writer *w, const char *text)
{
	put_number(w->out, texts_number(&w->texts, text ? text : ""));
}

static void put_names(struct writer *w, const char **name, uint32_t n)
{
	put_number(w->out, n);
	for (uint32_t i = 0; i < n; i++)
		put_text(w, name[i]);
}

static void put_node(struct writer *w, const struct node *node)
{
	unsigned head, shape;

	if (!node) {
		strbuf_addch(w->out, NODE_ABSENT);
		return;
	}
	head = node->kind;
	if (node->line)
		head |= NODE_PLACED;
	if (node->record && *node->record)
		head |= NODE_RECORD;
	shape = node->op;
	if (node->flags)
		shape |= NODE_FLAGS;
	strbuf_addch(w->out, (int)head);
	strbuf_addch(w->out, (int)shape);
	if (node->flags)
		strbuf_addch(w->out, node->flags);
	if (node->line) {
		put_signed(w->out, (int64_t)node->line - w->line);
		put_number(w->out, node->column);
		w->line = node->line;
	}
	if (head & NODE_RECORD)
		put_text(w, node->record);
	if (node_has_name(node->kind))
		put_text(w, node->name);
	else if (node_has_value(node->kind))
		put_signed(w->out, node->value);
	if (!node_fixed_kids(node->kind))
		put_number(w->out, node->nkid);
	else if (node->nkid != node_kids(node->kind))
		BUG("a node of kind '%s' with %u kids",
		    node_kind_name(node->kind), node->nkid);
	for (uint32_t i = 0; i < node->nkid; i++)
		put_node(w, node->kid[i]);
}

/* What put_node() says, without places and with strings in full. */
static void put_meaning(struct strbuf *out, const struct node *node)
{
	if (!node) {
		strbuf_addch(out, NODE_ABSENT);
		return;
	}
	strbuf_addch(out, node->kind);
	strbuf_addch(out, node->op);
	strbuf_addch(out, node->flags);
	put_number(out, node->nkid);
	strbuf_add(out, node->record, strlen(node->record) + 1);
	if (node_has_name(node->kind))
		strbuf_add(out, node->name, strlen(node->name) + 1);
	else if (node_has_value(node->kind))
		put_signed(out, node->value);
	for (uint32_t i = 0; i < node->nkid; i++)
		put_meaning(out, node->kid[i]);
}

/* @body is a scratch buffer. */
static void put_func(struct writer *w, const struct func *func,
		     struct strbuf *body)
{
	struct strbuf *out = w->out;
	const struct node *tree = func->body;

	if (!tree && func->code)
		tree = facts_body((struct func *)func);
	put_text(w, func->name);
	put_text(w, func->file);
	put_number(out, func->line);
	put_number(out, func->column);
	put_number(out, func->start_line);
	put_number(out, func->end_line);
	put_number(out, func->flags);
	put_number(out, func->nparam);
	for (uint32_t i = 0; i < func->nparam; i++) {
		put_text(w, func->param[i].name);
		put_text(w, func->param[i].record);
	}
	put_text(w, func->ret_record);
	put_text(w, func->type);
	put_names(w, func->ref, func->nref);
	put_names(w, func->global, func->nglobal);

	body->len = 0;
	put_meaning(body, tree);
	put_number(out, XXH3_64bits(body->buf, body->len));
	body->len = 0;
	w->out = body;
	w->line = func->line;
	put_node(w, tree);
	w->out = out;
	put_number(out, body->len);
	strbuf_add(out, body->buf, body->len);
}

static void put_record(struct writer *w, const struct record *record)
{
	put_text(w, record->name);
	put_text(w, record->file);
	put_number(w->out, record->line);
	put_number(w->out, record->nfield);
	for (uint32_t i = 0; i < record->nfield; i++) {
		const struct field *field = &record->field[i];

		put_text(w, field->name);
		put_text(w, field->record);
		put_text(w, field->inner);
		put_signed(w->out, field->offset);
		put_number(w->out, field->size);
		strbuf_addch(w->out, field->pointer | field->bitfield << 1 |
			     field->is_union << 2);
	}
}

static void put_global(struct writer *w, const struct global *global)
{
	put_text(w, global->name);
	put_text(w, global->file);
	put_number(w->out, global->line);
	put_number(w->out, global->column);
	put_number(w->out, global->flags);
	put_text(w, global->type);
	put_text(w, global->record);
	put_names(w, global->ref, global->nref);
	w->line = global->line;
	put_node(w, global->init);
}

static void put_facts(struct writer *w, const struct facts *facts)
{
	struct strbuf body = STRBUF_INIT;
	uint32_t i;

	put_text(w, facts->unit);
	put_names(w, facts->dep, facts->ndep);
	put_number(w->out, facts->nfunc);
	for (i = 0; i < facts->nfunc; i++)
		put_func(w, &facts->func[i], &body);
	put_number(w->out, facts->nrecord);
	for (i = 0; i < facts->nrecord; i++)
		put_record(w, &facts->record[i]);
	put_number(w->out, facts->nglobal);
	for (i = 0; i < facts->nglobal; i++)
		put_global(w, &facts->global[i]);
	put_number(w->out, facts->ndecl);
	for (i = 0; i < facts->ndecl; i++) {
		put_text(w, facts->decl[i].name);
		put_text(w, facts->decl[i].file);
		put_number(w->out, facts->decl[i].line);
	}
	put_number(w->out, facts->nenum);
	for (i = 0; i < facts->nenum; i++) {
		put_text(w, facts->enumerator[i].name);
		put_signed(w->out, facts->enumerator[i].value);
	}
	put_number(w->out, facts->nerror);
	for (i = 0; i < facts->nerror; i++) {
		put_text(w, facts->error[i].file);
		put_text(w, facts->error[i].function);
		put_number(w->out, facts->error[i].line);
		put_text(w, facts->error[i].why);
	}
	strbuf_release(&body);
}

void facts_encode(const struct facts *facts, struct strbuf *out)
{
	struct strbuf rest = STRBUF_INIT;
	struct writer w = { .out = &rest };
	struct facts_head head;
	size_t start = out->len;
	uint32_t i;

	texts_number(&w.texts, ""); /* number 0: nodes fall back on it */
	put_facts(&w, facts);
	memset(&head, 0, sizeof(head));
	strbuf_add(out, &head, sizeof(head));
	put_number(out, w.texts.used);
	for (i = 0; i < w.texts.used; i++) {
		size_t len = strlen(w.texts.text[i]);

		put_number(out, len);
		strbuf_add(out, w.texts.text[i], len);
	}
	strbuf_add(out, rest.buf, rest.len);
	facts_head_make(&head, out->buf + start + sizeof(head),
			out->len - start - sizeof(head));
	memcpy(out->buf + start, &head, sizeof(head));
	texts_release(&w.texts);
	strbuf_release(&rest);
}
