/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is taken to be true while the feature is off, until a function that
 * is live breaks it: fields, variables and static keys of the feature keep
 * their initial value, and records of the feature do not exist.
 *
 * A fact remembers who wrote, which is the explanation of both a fact that
 * holds (no live writer) and one that does not.
 */
#ifndef NOCHARGE_FACT_H
#define NOCHARGE_FACT_H

#include "feature.h"
#include "value.h"

enum fact_kind { FACT_FIELD, FACT_GLOBAL, FACT_KEY };

/*
 * When a store happens decides what it leaves behind: a parameter of the
 * command line before any initcall, an initcall before all the rest.
 */
enum store_time { STORE_RUNNING, STORE_SETUP, STORE_INITCALL };

struct writer {
	const struct function *fn;
	/* itself, or by whom a helper in a header came to store there */
	const struct function *within;
	uint32_t line;
	struct value value;
	enum store_time time;
	bool conditional;
	bool local;  /* into an object that nobody else sees */
};

struct fact {
	const char *name;     /* "record.field", or the variable's */
	enum fact_kind kind;
	uint32_t index;       /* in the order of making */
	const char *record;   /* what it points to, or "" */
	struct global_symbol *global; /* or NULL */
	struct value initial;
	struct value value;   /* V_UNKNOWN: broken */
	struct value running; /* V_NONE: no such writer; also below */
	struct value setup, initcall;
	bool overwritten;     /* an initcall stores for certain: this round */
	bool was_overwritten; /* the same in the round before */
	bool not_certain;     /* it turned out not to be certain after all */
	struct writer *writer; /* live ones, first come first */
	uint32_t nwriter, writer_cap;
};

/* A record that only the feature has. */
struct emptiness {
	const char *name;
	uint32_t index;
	bool empty;
	const struct function *by; /* who makes the first one */
};

/*
 * Facts, and records that may be empty, by their index. Some share a bit: to
 * be in a set means little, not to be in it is certain.
 */
#define SET_FACTS 512
#define SET_RECORDS 256
struct facts_set {
	uint64_t bits[(SET_FACTS + SET_RECORDS) / 64];
};

struct facts_off {
	struct arena *arena;
	struct feature *feature;
	const char *group;   /* the record of a group, or NULL */
	bool none;           /* facts_off_none() */
	struct map fields;   /* "record.field": fact; several for a union */
	struct map globals;  /* struct global_symbol: fact */
	struct map keys;     /* struct global_symbol: fact */
	struct map own_keys; /* names of those that the feature raises */
	struct map others_keys; /* names of those that others raise */
	struct map records;  /* name: struct emptiness */
	struct fact **fact;
	uint32_t nfact, fact_cap;
	struct emptiness **emptiness; /* sorted */
	uint32_t nemptiness;
	struct facts_set changed; /* when the last round ended */
};

struct facts_off *facts_off_new(struct feature *feature, const char *group,
				struct arena *arena);

/* Only that all groups are one: no fact about a field, variable or key. */
struct facts_off *facts_off_none(struct feature *feature, const char *group,
				 struct arena *arena);

/* The fact of a field, variable or key; NULL if there is none about it. */
struct fact *fact_of_field(const struct facts_off *facts, const char *name);
struct fact *fact_of_global(const struct facts_off *facts,
			    const struct global_symbol *global);
struct fact *fact_of_key(struct facts_off *facts,
			 struct global_symbol *global);

/* Is the fact still worth anything? A walk asks walk_holds(). */
static inline bool fact_holds(const struct fact *fact)
{
	return fact && fact->value.kind != V_UNKNOWN;
}

/*
 * What is known of any pointer to @record: NULL where none exists, NULL or
 * the root group for a group, else unknown. @reads, if it is not NULL, is
 * told what was looked at.
 */
struct value fact_of_pointer(const struct facts_off *facts,
			     const char *record, struct facts_set *reads);

static inline void facts_set_add(struct facts_set *set, const struct fact *fact)
{
	uint32_t i = fact->index % SET_FACTS;

	set->bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void facts_set_join(struct facts_set *set,
				  const struct facts_set *more)
{
	for (size_t i = 0; i < sizeof(set->bits) / sizeof(*set->bits); i++)
		set->bits[i] |= more->bits[i];
}

static inline bool facts_set_meets(const struct facts_set *a,
				   const struct facts_set *b)
{
	uint64_t both = 0;

	for (size_t i = 0; i < sizeof(a->bits) / sizeof(*a->bits); i++)
		both |= a->bits[i] & b->bits[i];
	return both;
}

/*
 * Before the first round: an initcall stores @v for certain, and no other a
 * different value. All that runs later finds it there.
 */
void fact_start(struct facts_off *facts, struct fact *fact, struct value v);

/*
 * A live function stores, or makes the first object of a record. Both take
 * effect when the round ends, so that a round does not depend on its order.
 */
void fact_store(struct facts_off *facts, struct fact *fact,
		const struct writer *writer);
void fact_make(struct facts_off *facts, const char *record,
	       const struct function *by);

/* Around a round over all live functions; the end says if anything changed. */
void facts_off_begin(struct facts_off *facts);
bool facts_off_end(struct facts_off *facts);

/* Facts sorted by kind and name. */
void facts_off_sort(struct facts_off *facts);

#endif
