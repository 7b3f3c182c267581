// SPDX-License-Identifier: GPL-2.0-only
/* Facts to bytes and back, and bytes that are none. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "parse/facts.h"
#include "tap.h"

static struct node *name(struct arena *arena, enum node_kind kind,
			 const char *text, uint32_t line)
{
	struct node *node = node_new(arena, kind, 0);

	node->name = text;
	node->line = line;
	node->column = (uint16_t)(line * 3);
	return node;
}

static struct node *number(struct arena *arena, int64_t value)
{
	struct node *node = node_new(arena, N_INT, 0);

	node->value = value;
	return node;
}

/* if (@flag && p->x == -5) return f(p, 1 << 40); else loop */
static struct node *sample_body(struct arena *arena, uint32_t line)
{
	struct node *both = node_new(arena, N_BINARY, 2);
	struct node *equal = node_new(arena, N_BINARY, 2);
	struct node *field = node_new(arena, N_FIELD, 1);
	struct node *call = node_new(arena, N_CALL, 3);
	struct node *ret = node_new(arena, N_RETURN, 1);
	struct node *loop = node_new(arena, N_LOOP, 4);
	struct node *cast = node_new(arena, N_CAST, 1);
	struct node *cond = node_new(arena, N_IF, 3);
	struct node *block = node_new(arena, N_BLOCK, 1);

	field->name = "rec.x";
	field->flags = NODE_ARROW;
	field->kid[0] = name(arena, N_LOCAL, "p", line);
	equal->op = OP_EQ;
	equal->kid[0] = field;
	equal->kid[1] = number(arena, -5);
	both->op = OP_ANDAND;
	both->kid[0] = name(arena, N_GLOBAL, "flag", line + 1);
	both->kid[1] = equal;
	cast->record = "rec";
	cast->kid[0] = name(arena, N_LOCAL, "p", 0);
	call->line = line + 7;
	call->column = 65535;
	call->kid[0] = name(arena, N_FUNC, "f", line + 7);
	call->kid[1] = cast;
	call->kid[2] = number(arena, INT64_MIN);
	ret->kid[0] = call;
	loop->op = LOOP_FOR;
	loop->kid[3] = node_new(arena, N_BREAK, 0);
	loop->line = 1; /* before the line of the function */
	cond->line = line;
	cond->kid[0] = both;
	cond->kid[1] = ret;
	cond->kid[2] = loop;
	block->kid[0] = cond;
	return block;
}

static struct facts *sample(struct arena *arena, uint32_t line)
{
	struct facts *facts = ARENA_NEW(arena, struct facts);
	static struct param param = { "p", "rec" };
	static const char *ref[] = { "f" }, *glob[] = { "flag" };
	static const char *dep[] = { "mm/a.c", "include/a.h" };
	static struct field field[] = {
		{ "x", "", "", 0, 32, false, false, true },
		{ "next", "rec", "", 64, 64, true, false, false },
		{ "in", "", "rec::in", -1, UINT32_MAX, false, true, false },
	};

	facts->unit = "mm/a.c";
	facts->nfunc = 1;
	facts->func = ARENA_NEW(arena, struct func);
	*facts->func = (struct func){
		.name = "g", .file = "mm/a.c", .line = line, .column = 5,
		.start_line = line, .end_line = line + 20,
		.flags = FUNC_STATIC | FUNC_EXPORTED, .nparam = 1,
		.param = &param, .ret_record = "rec",
		.type = "struct rec *(struct rec *)", .nref = 1, .ref = ref,
		.nglobal = 1, .global = glob,
		.body = sample_body(arena, line),
	};
	facts->nrecord = 1;
	facts->record = ARENA_NEW(arena, struct record);
	*facts->record = (struct record){ "rec", "include/a.h", 3, 3, field };
	facts->nglobal = 1;
	facts->global = ARENA_NEW(arena, struct global);
	*facts->global = (struct global){
		.name = "flag", .file = "mm/a.c", .line = 4, .column = 12,
		.flags = GLOBAL_DEFINED, .type = "", .record = "",
		.init = number(arena, 1),
	};
	facts->ndecl = 1;
	facts->decl = ARENA_NEW(arena, struct decl);
	*facts->decl = (struct decl){ "g", "include/a.h", 9 };
	facts->nenum = 1;
	facts->enumerator = ARENA_NEW(arena, struct enumerator);
	*facts->enumerator = (struct enumerator){ "E", -3 };
	facts->nerror = 1;
	facts->error = ARENA_NEW(arena, struct fact_error);
	*facts->error = (struct fact_error){ "mm/a.c", "g", 7, "because" };
	facts->ndep = 2;
	facts->dep = dep;
	return facts;
}

static struct facts *decode(const struct strbuf *bytes, size_t len,
			    struct arena *arena)
{
	struct err err = { 0 };
	struct facts *facts = facts_decode(bytes->buf, len, arena,
					   strtab_new(arena), &err);

	if (!facts && !err.text)
		tap_ok(false, "a failure says why");
	err_clear(&err);
	return facts;
}

static void test_round_trip(void)
{
	struct arena *arena = arena_new();
	struct strbuf once = STRBUF_INIT, again = STRBUF_INIT;
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct facts *facts = sample(arena, 100), *got;
	struct node *body;

	facts_encode(facts, &once);
	got = decode(&once, once.len, arena);
	if (!tap_ok(got != NULL, "what was encoded is decoded"))
		return;
	tap_ok(!got->func[0].body, "a body stays encoded");
	facts_encode(got, &again);
	tap_ok(once.len == again.len &&
	       !memcmp(once.buf, again.buf, once.len),
	       "encoded again it is the same");
	facts->func[0].hash = got->func[0].hash;
	facts->func[0].facts = facts;
	facts_dump(facts, &before);
	facts_dump(got, &after);
	tap_is(after.buf, before.buf, "all is as it was");
	body = facts_body(&got->func[0]);
	tap_ok(body && body == facts_body(&got->func[0]), "a body is kept");
	tap_ok(got->func[0].ref[0] ==
	       body->kid[0]->kid[1]->kid[0]->kid[0]->name,
	       "equal names are one string");
	strbuf_release(&once);
	strbuf_release(&again);
	strbuf_release(&before);
	strbuf_release(&after);
	arena_free(arena);
}

static uint64_t hash_of(struct facts *facts, struct arena *arena)
{
	struct strbuf bytes = STRBUF_INIT;
	struct facts *got;

	facts_encode(facts, &bytes);
	got = decode(&bytes, bytes.len, arena);
	strbuf_release(&bytes);
	return got ? got->func[0].hash : 0;
}

static void test_hash(void)
{
	struct arena *arena = arena_new();
	struct facts *facts = sample(arena, 100);
	uint64_t hash = hash_of(facts, arena);

	tap_ok(hash_of(sample(arena, 200), arena) == hash,
	       "lines do not count for the hash");
	facts->func[0].body->kid[0]->kid[0]->op = OP_OROR;
	tap_ok(hash_of(facts, arena) != hash, "an operator does");
	facts = sample(arena, 100);
	facts->func[0].body->kid[0]->kid[0]->kid[0]->name = "other";
	tap_ok(hash_of(facts, arena) != hash, "a name does");
	arena_free(arena);
}

/* A chain of negations around a number. */
static struct node *nested(struct arena *arena, unsigned deep)
{
	struct node *node = number(arena, 1), *outer;

	while (deep--) {
		outer = node_new(arena, N_UNARY, 1);
		outer->op = OP_NEG;
		outer->kid[0] = node;
		node = outer;
	}
	return node;
}

static void test_depth(void)
{
	struct arena *arena = arena_new();
	struct strbuf bytes = STRBUF_INIT;
	struct facts *facts = sample(arena, 100), *got;

	facts->func[0].body = nested(arena, FACTS_MAX_DEPTH);
	facts_encode(facts, &bytes);
	got = decode(&bytes, bytes.len, arena);
	tap_ok(got && facts_body(&got->func[0]),
	       "as deep as is allowed");
	bytes.len = 0;
	facts->func[0].body = nested(arena, FACTS_MAX_DEPTH + 1);
	facts_encode(facts, &bytes);
	got = decode(&bytes, bytes.len, arena);
	tap_ok(got && !facts_body(&got->func[0]),
	       "a body that is deeper is damage");
	bytes.len = 0;
	facts = sample(arena, 100);
	facts->global[0].init = nested(arena, 3000);
	facts_encode(facts, &bytes);
	tap_ok(!decode(&bytes, bytes.len, arena),
	       "an initialiser that is deeper is damage");
	strbuf_release(&bytes);
	arena_free(arena);
}

static void test_damage(void)
{
	struct arena *arena = arena_new();
	struct strbuf bytes = STRBUF_INIT;
	bool cut = true, flipped = true;
	size_t i;

	facts_encode(sample(arena, 100), &bytes);
	for (i = 0; i < bytes.len; i++)
		cut &= !decode(&bytes, i, arena);
	tap_ok(cut, "no beginning of facts is facts");
	for (i = 0; i < bytes.len; i++) {
		bytes.buf[i] ^= 1 << (i % 8);
		flipped &= !decode(&bytes, bytes.len, arena);
		bytes.buf[i] ^= 1 << (i % 8);
	}
	tap_ok(flipped, "nor are facts with a wrong bit");
	strbuf_addch(&bytes, 0);
	tap_ok(!decode(&bytes, bytes.len, arena), "nor with a byte more");
	strbuf_release(&bytes);
	arena_free(arena);
}

int main(void)
{
	test_round_trip();
	test_hash();
	test_depth();
	test_damage();
	return tap_done();
}
