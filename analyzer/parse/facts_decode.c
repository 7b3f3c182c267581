// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes to facts. The bytes may be anything: every count is held against
 * what is left of them, and a nesting that the writer would not make is
 * damage.
 */
#include "facts.h"

#include <string.h>

#include "../base/err.h"
#include "bytes.h"
#include "facts_layout.h"

struct decoder {
	struct reader in;
	struct facts *facts;
	uint32_t line; /* of the node before */
};

static const char *text_at(struct facts *facts, uint32_t number)
{
	const uint32_t *at = &facts->text_at[2 * number];

	if (!facts->text[number])
		facts->text[number] = intern_n(facts->strings,
					       (const char *)facts->bytes +
					       at[0], at[1] - at[0]);
	return facts->text[number];
}

static const char *get_text(struct decoder *d)
{
	uint64_t number = get_number(&d->in);

	if (number >= d->facts->ntext)
		d->in.bad = true;
	return d->in.bad ? "" : text_at(d->facts, (uint32_t)number);
}

static const char **get_names(struct decoder *d, uint32_t *n)
{
	const char **name;

	*n = get_count(&d->in, 1);
	name = ARENA_ARRAY(d->facts->arena, const char *, *n);
	for (uint32_t i = 0; i < *n; i++)
		name[i] = get_text(d);
	return name;
}

static struct node *get_node(struct decoder *d, unsigned depth);

/* Returns false if the bytes are bad. */
static bool get_kids(struct decoder *d, struct node *node, unsigned depth)
{
	for (uint32_t i = 0; i < node->nkid; i++) {
		if (d->in.at < d->in.end && *d->in.at == NODE_ABSENT) {
			d->in.at++;
			if (!node_may_lack(node->kind, i))
				return false;
			continue;
		}
		node->kid[i] = get_node(d, depth + 1);
		if (!node->kid[i])
			return false;
	}
	return true;
}

static struct node *get_node(struct decoder *d, unsigned depth)
{
	unsigned head = get_byte(&d->in), shape = get_byte(&d->in);
	unsigned kind = head & NODE_KIND, flags = 0;
	const char *record, *name = NULL;
	uint32_t line = 0, column = 0, nkid;
	int64_t value = 0;
	struct node *node;

	if (kind >= N_KINDS || depth > FACTS_MAX_DEPTH ||
	    (shape & NODE_OP) >= OPS || shape & ~(NODE_OP | NODE_FLAGS))
		goto bad;
	if (shape & NODE_FLAGS)
		flags = get_byte(&d->in);
	if (head & NODE_PLACED) {
		int64_t at = get_signed(&d->in);

		if (at > UINT32_MAX || at < -(int64_t)UINT32_MAX)
			goto bad;
		at += d->line;
		column = get_u32(&d->in);
		if (at <= 0 || at > UINT32_MAX || column > UINT16_MAX)
			goto bad;
		d->line = line = (uint32_t)at;
	}
	record = head & NODE_RECORD ? get_text(d) : text_at(d->facts, 0);
	if (node_has_name(kind))
		name = get_text(d);
	else if (node_has_value(kind))
		value = get_signed(&d->in);
	nkid = node_fixed_kids(kind) ? node_kids(kind) : get_count(&d->in, 1);
	if (d->in.bad)
		goto bad;
	node = node_new(d->facts->arena, kind, nkid);
	node->op = shape & NODE_OP;
	node->flags = (uint8_t)flags;
	node->line = line;
	node->column = (uint16_t)column;
	node->record = record;
	if (name)
		node->name = name;
	else
		node->value = value;
	if (get_kids(d, node, depth))
		return node;
bad:
	d->in.bad = true;
	return NULL;
}

static void get_func(struct decoder *d, struct func *func)
{
	struct reader *in = &d->in;
	uint64_t len;

	func->facts = d->facts;
	func->name = get_text(d);
	func->file = get_text(d);
	func->line = get_u32(in);
	func->column = get_u32(in);
	func->start_line = get_u32(in);
	func->end_line = get_u32(in);
	func->flags = get_u32(in);
	func->nparam = get_count(in, 2);
	func->param = ARENA_ARRAY(d->facts->arena, struct param, func->nparam);
	for (uint32_t i = 0; i < func->nparam; i++) {
		func->param[i].name = get_text(d);
		func->param[i].record = get_text(d);
	}
	func->ret_record = get_text(d);
	func->type = get_text(d);
	func->ref = get_names(d, &func->nref);
	func->global = get_names(d, &func->nglobal);
	func->hash = get_number(in);
	len = get_number(in);
	if (in->bad || len > (size_t)(in->end - in->at)) {
		in->bad = true;
		return;
	}
	func->code = in->at;
	func->code_len = len;
	in->at += len;
}

struct node *facts_body(struct func *func)
{
	struct decoder d;

	if (func->body || !func->code)
		return func->body;
	d.in = (struct reader){
		.at = func->code,
		.end = (const unsigned char *)func->code + func->code_len,
	};
	d.facts = func->facts;
	d.line = func->line;
	func->body = get_node(&d, 0);
	if (d.in.bad || d.in.at != d.in.end)
		func->body = NULL;
	return func->body;
}

static void get_record(struct decoder *d, struct record *record)
{
	record->name = get_text(d);
	record->file = get_text(d);
	record->line = get_u32(&d->in);
	record->nfield = get_count(&d->in, 6);
	record->field = ARENA_ARRAY(d->facts->arena, struct field,
				    record->nfield);
	for (uint32_t i = 0; i < record->nfield; i++) {
		struct field *field = &record->field[i];
		unsigned flags;

		field->name = get_text(d);
		field->record = get_text(d);
		field->inner = get_text(d);
		field->offset = get_signed(&d->in);
		field->size = get_u32(&d->in);
		flags = get_byte(&d->in);
		field->pointer = flags & 1;
		field->bitfield = flags & 2;
		field->is_union = flags & 4;
	}
}

static void get_global(struct decoder *d, struct global *global)
{
	global->name = get_text(d);
	global->file = get_text(d);
	global->line = get_u32(&d->in);
	global->column = get_u32(&d->in);
	global->flags = get_u32(&d->in);
	global->type = get_text(d);
	global->record = get_text(d);
	global->ref = get_names(d, &global->nref);
	d->line = global->line;
	if (d->in.at < d->in.end && *d->in.at == NODE_ABSENT)
		d->in.at++;
	else
		global->init = get_node(d, 0);
}

static void get_texts(struct decoder *d)
{
	struct facts *facts = d->facts;
	struct reader *in = &d->in;
	uint32_t *at, n = get_count(in, 1);

	facts->text = ARENA_ARRAY(facts->arena, const char *, n);
	at = arena_alloc(facts->arena, ((size_t)n + 1) * 2 * sizeof(*at));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t len = get_count(in, 1);

		if (in->bad || memchr(in->at, 0, len)) {
			in->bad = true;
			return;
		}
		at[2 * i] = (uint32_t)(in->at -
				       (const unsigned char *)facts->bytes);
		in->at += len;
		at[2 * i + 1] = at[2 * i] + len;
	}
	facts->text_at = at;
	facts->ntext = n;
	/* the writer begins with the empty one, which nodes fall back on */
	if (!n || at[0] != at[1])
		in->bad = true;
}

static void get_rest(struct decoder *d)
{
	struct facts *facts = d->facts;
	struct arena *arena = facts->arena;
	struct reader *in = &d->in;
	uint32_t i;

	facts->unit = get_text(d);
	facts->dep = get_names(d, &facts->ndep);
	facts->nfunc = get_count(in, 14);
	facts->func = ARENA_ARRAY(arena, struct func, facts->nfunc);
	for (i = 0; i < facts->nfunc && !in->bad; i++)
		get_func(d, &facts->func[i]);
	facts->nrecord = get_count(in, 4);
	facts->record = ARENA_ARRAY(arena, struct record, facts->nrecord);
	for (i = 0; i < facts->nrecord && !in->bad; i++)
		get_record(d, &facts->record[i]);
	facts->nglobal = get_count(in, 9);
	facts->global = ARENA_ARRAY(arena, struct global, facts->nglobal);
	for (i = 0; i < facts->nglobal && !in->bad; i++)
		get_global(d, &facts->global[i]);
	facts->ndecl = get_count(in, 3);
	facts->decl = ARENA_ARRAY(arena, struct decl, facts->ndecl);
	for (i = 0; i < facts->ndecl && !in->bad; i++) {
		facts->decl[i].name = get_text(d);
		facts->decl[i].file = get_text(d);
		facts->decl[i].line = get_u32(in);
	}
	facts->nenum = get_count(in, 2);
	facts->enumerator = ARENA_ARRAY(arena, struct enumerator,
					facts->nenum);
	for (i = 0; i < facts->nenum && !in->bad; i++) {
		facts->enumerator[i].name = get_text(d);
		facts->enumerator[i].value = get_signed(in);
	}
	facts->nerror = get_count(in, 4);
	facts->error = ARENA_ARRAY(arena, struct fact_error, facts->nerror);
	for (i = 0; i < facts->nerror && !in->bad; i++) {
		facts->error[i].file = get_text(d);
		facts->error[i].function = get_text(d);
		facts->error[i].line = get_u32(in);
		facts->error[i].why = get_text(d);
	}
	if (in->at != in->end)
		in->bad = true;
}

static bool head_fits(const struct facts_head *head, const void *rest,
		      size_t len)
{
	struct facts_head want;

	/* the fuzzer must get past the sum to be of use */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	want = *head;
	want.len = len;
#else
	facts_head_make(&want, rest, len);
#endif
	(void)rest;
	return !memcmp(head, &want, sizeof(want));
}

struct facts *facts_decode(const void *bytes, size_t len, struct arena *arena,
			   struct strtab *strings, struct err *err)
{
	struct decoder d = { .line = 0 };
	struct facts_head head, own;

	facts_head_make(&own, "", 0);
	if (len < sizeof(head)) {
		err_set(err, STATUS_INCOMPLETE, "facts are cut short");
		return NULL;
	}
	memcpy(&head, bytes, sizeof(head));
	if (memcmp(head.magic, own.magic, sizeof(own.magic)) ||
	    head.format != own.format) {
		err_set(err, STATUS_INCOMPLETE, "facts are of another format");
		return NULL;
	}
	d.in.at = (const unsigned char *)bytes + sizeof(head);
	d.in.end = (const unsigned char *)bytes + len;
	if (len > FACTS_MAX_BYTES ||
	    !head_fits(&head, d.in.at, len - sizeof(head))) {
		err_set(err, STATUS_INCOMPLETE, "facts are damaged");
		return NULL;
	}
	d.facts = ARENA_NEW(arena, struct facts);
	d.facts->arena = arena;
	d.facts->strings = strings;
	d.facts->bytes = bytes;
	get_texts(&d);
	if (!d.in.bad)
		get_rest(&d);
	if (d.in.bad) {
		err_set(err, STATUS_INCOMPLETE, "facts are damaged");
		return NULL;
	}
	return d.facts;
}
