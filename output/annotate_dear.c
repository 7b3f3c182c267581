// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the instruction that has the samples to the one that is waited for. The
 * counter runs over, and the processor tells the instruction that it would do
 * next: the one behind the dear one ("skid"), or the first one that needs what
 * is still on its way from memory. What is done in another order than it is
 * written is waited for by a barrier, and whoever comes behind that pays.
 */
#include <stdio.h>
#include <string.h>

#include "annotate.h"

/* So far back is a load looked for whose value is used. */
#define WINDOW 6
/* So far, a barrier that still has to end. */
#define NEAR 2

struct search {
	const struct listing *list;
	struct arena *arena;
	struct instruction_form *form; /* of each instruction */
	size_t at;                     /* the one that has the samples */
	struct dear dear;
};

static void found(struct search *s, size_t i, const char *why)
{
	s->dear.dear = &s->list->instruction[i];
	s->dear.why = why;
}

static bool ends(enum instruction_kind kind)
{
	return kind == INSTRUCTION_JUMP || kind == INSTRUCTION_RETURN;
}

/*
 * The instruction that was done before @i, if there is only one that can have
 * been; @n of the list if not. @jumped: from there it was jumped to.
 */
static size_t before(const struct search *s, size_t i, bool *jumped)
{
	size_t from = s->list->n, sources = 0;
	uint64_t address = s->list->instruction[i].address;

	*jumped = false;
	/* a branch further on that leads back may be as well, but a loop's
	 * body is what is before it too */
	if (i && !ends(s->form[i - 1].kind))
		return i - 1;
	for (size_t k = 0; k < s->list->n; k++)
		if (s->form[k].target == address && address &&
		    s->form[k].kind != INSTRUCTION_CALL) {
			from = k;
			sources++;
		}
	*jumped = true;
	return sources == 1 ? from : s->list->n;
}

/* A barrier right before it, or it is one itself. */
static bool by_barrier(struct search *s)
{
	size_t i = s->at;
	bool jumped;

	for (unsigned n = 0; n < NEAR; n++) {
		i = before(s, i, &jumped);
		if (i == s->list->n)
			break;
		if (s->form[i].kind == INSTRUCTION_BARRIER ||
		    s->form[i].kind == INSTRUCTION_ATOMIC) {
			found(s, i, "it waits until what was done before it "
			      "is seen by all, and the next instructions have "
			      "its samples");
			return true;
		}
		/* what was called may have had one, too */
		if (s->form[i].kind != INSTRUCTION_PLAIN &&
		    s->form[i].kind != INSTRUCTION_BRANCH)
			break;
	}
	if (s->form[s->at].kind != INSTRUCTION_BARRIER &&
	    s->form[s->at].kind != INSTRUCTION_ATOMIC)
		return false;
	found(s, s->at, "it waits until what was done before it is seen by "
	      "all");
	return true;
}

/* The load of what it uses. */
static bool by_load(struct search *s)
{
	uint64_t uses = s->form[s->at].uses;
	size_t i = s->at;
	bool jumped;

	for (unsigned n = 0; n < WINDOW && uses; n++) {
		i = before(s, i, &jumped);
		if (i == s->list->n || s->form[i].kind == INSTRUCTION_CALL)
			return false;
		if (s->form[i].loads & uses) {
			found(s, i, "a load, and the instruction that has the "
			      "samples is the first to need the value");
			return true;
		}
	}
	return false;
}

static void by_order(struct search *s)
{
	bool jumped;
	size_t i = before(s, s->at, &jumped);
	const char *callee;

	if (!s->at) {
		found(s, 0, "the first instruction: what the caller did last "
		      "is paid for here, or the call itself");
	} else if (i == s->list->n) {
		found(s, s->at, "it is jumped to from more than one place, or "
		      "from none that is listed: what was before it is not "
		      "known");
	} else if (s->form[i].kind == INSTRUCTION_CALL) {
		callee = s->form[i].callee;
		found(s, i, callee ? arena_printf(s->arena, "the end of '%s', "
						  "which returns here", callee) :
		      "the end of what is called, which returns here");
	} else if (s->form[i].kind == INSTRUCTION_LOAD ||
		   s->form[i].kind == INSTRUCTION_STORE) {
		found(s, i, s->form[i].kind == INSTRUCTION_LOAD ?
		      "a load, and samples fall behind what they are for" :
		      "a store, and samples fall behind what they are for");
	} else if (s->form[s->at].kind == INSTRUCTION_LOAD ||
		   s->form[s->at].kind == INSTRUCTION_STORE) {
		found(s, s->at, "it goes to memory, and what is before it "
		      "does not");
	} else {
		found(s, i, "samples fall behind what they are for, and "
		      "neither goes to memory");
	}
	if (jumped && s->dear.dear != s->dear.sampled)
		s->dear.why = arena_printf(s->arena, "%s; it is jumped to from "
					   "there", s->dear.why);
}

/*
 * Is it the first that waits for memory since the function was called? Then a
 * barrier of the caller may be what it waits for.
 */
static bool is_entered(const struct search *s)
{
	size_t dear = (size_t)(s->dear.dear - s->list->instruction);

	for (size_t i = 0; i < dear; i++)
		if (s->form[i].kind == INSTRUCTION_BARRIER ||
		    s->form[i].kind == INSTRUCTION_ATOMIC ||
		    s->form[i].kind == INSTRUCTION_RETURN ||
		    (s->form[i].kind == INSTRUCTION_CALL && i))
			return false;
	return s->form[dear].kind != INSTRUCTION_BARRIER &&
		s->form[dear].kind != INSTRUCTION_ATOMIC &&
		s->form[dear].kind != INSTRUCTION_CALL;
}

struct dear dear_of(const struct listing *listing, size_t sampled,
		    struct arena *arena)
{
	struct search s = {
		.list = listing, .arena = arena, .at = sampled,
		.form = ARENA_ARRAY(arena, struct instruction_form,
				    listing->n),
		.dear.sampled = &listing->instruction[sampled],
	};

	for (size_t i = 0; i < listing->n; i++)
		s.form[i] = instruction_form(listing->instruction[i].text,
					     arena);
	if (!by_barrier(&s) && !by_load(&s))
		by_order(&s);
	s.dear.entered = is_entered(&s);
	return s.dear;
}
