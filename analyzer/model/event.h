/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a function does, in order: the result of walking it under given
 * argument values in one state of the kernel.
 */
#ifndef NOCHARGE_EVENT_H
#define NOCHARGE_EVENT_H

#include "cost.h"
#include "fact.h"
#include "program.h"
#include "value.h"

struct summary;

enum event_kind {
	EV_OP,      /* op, name */
	EV_TEST,    /* a condition that the state decides; value */
	EV_CALL,    /* out of line; fn and summary if they are known */
	EV_INLINE,  /* what is in summary happens here */
	EV_FUNC,    /* the address of fn is taken */
	EV_GLOBAL,  /* the address of global is taken */
	EV_WORK,    /* fn becomes the function of the work item `name` */
	EV_NAMED,   /* the address of the field `name` is handed to a call */
	EV_WRITE,   /* value is stored where fact is about */
	EV_MAKE,    /* an object of record `name` is made */
	EV_SAME,    /* what the state makes zero is stored to `name` */
	EV_NULL,    /* `name` is reached through value, which is NULL */
	/*
	 * A comparison that is worth value, of what the guard decides, which
	 * is a call of `name` or NULL, with what only a fact does.
	 */
	EV_KNOWN,
};

enum event_flag {
	EVENT_COLD = 1,   /* under unlikely() */
	EVENT_NESTED = 2, /* in one arm of a condition that is not known */
	EVENT_LEFT = 4,   /* after a condition may have left the function */
	EVENT_MAYBE = EVENT_NESTED | EVENT_LEFT,
	EVENT_TEST_TRUE = 8,
	EVENT_LOOP = 16,  /* in a loop */
	/* with the feature on only: */
	EVENT_AGAIN = 32, /* a test that another on the way here decides */
	EVENT_TESTED = 64, /* a call that a test of its function dominates */
	EVENT_LOCAL = 128, /* EV_WRITE: to a local that nobody else sees */
	EVENT_IDLE = 128, /* EV_TEST: nothing is done where it would fail */
};

struct event {
	uint8_t kind, op, flags;
	float freq;   /* executions per execution of the function */
	uint32_t line;
	const char *name;
	const struct node *node;
	union {
		struct function *fn;
		struct global_symbol *global;
		struct fact *fact;
	};
	union {
		struct summary *summary;
		const struct value *value;
	};
};

/* A condition that what the guard predicate reads decides. */
static inline bool event_tests_guard(const struct event *event)
{
	return event->kind == EV_TEST && event->op == MARK_GUARD;
}

static inline bool event_calls(const struct event *event)
{
	return (event->kind == EV_CALL || event->kind == EV_INLINE) &&
	       event->fn;
}

/* A field of what a pointer argument points to. */
struct pointee {
	const char *field;
	struct value value;
};

struct argument {
	struct value value;
	const struct pointee *known;
	uint32_t nknown;
	bool own; /* it points to a local of a function further up */
};

/* What a function leaves behind a pointer argument. */
struct out_value {
	uint32_t param;
	const char *field; /* NULL: all that it points to */
	struct value value;
};

/* Facts beyond these are always taken to be stored to. */
#define WRITES_MAX 512

/* A summary that another one was made from. */
struct used {
	struct summary *summary;
	bool exact;           /* its arguments, with what decided them, too */
};

struct summary {
	struct function *fn;
	const struct argument *arg;
	uint32_t narg;
	uint32_t hash;        /* of the arguments */
	struct value ret;
	const struct event *event;
	uint32_t nevent;
	const struct out_value *out;
	uint32_t nout;
	uint32_t escapes;     /* bit i: what argument i points to is kept */
	/* facts, by index, that it or what it calls may store to */
	uint64_t writes[WRITES_MAX / 64];
	bool never_returns;
	bool walking;         /* not finished: recursion */
	bool recursed;        /* a call of its own was not followed */
	const char *cut;      /* why the walk was cut, or NULL */
	bool tested;          /* entered after a test of the off state */
	/* what it hangs on, which reuse.c looks at */
	struct facts_set reads;
	const struct used *used; /* in the order in which they were asked for */
	uint32_t nused;
	bool open;            /* on more: on what was being walked around it */
	unsigned round;       /* of the world: the last one that it was of */
	unsigned checked, refused;
	struct summary *before; /* the next of the same function, then */
	unsigned seen;        /* the last round that looked at it */
	double heat;          /* on the hottest root, in this context */
	struct summary *next; /* of the same function */
};

static inline bool summary_writes(const struct summary *s,
				  const struct fact *fact)
{
	return fact->index >= WRITES_MAX ||
	       (s->writes[fact->index / 64] >> (fact->index % 64) & 1);
}

/* Where the flattened list stands: called for each event in order. */
struct event_at {
	const struct event *event;
	const struct summary *in;  /* whose event it is */
	const struct event_at *up; /* the call that led here, or NULL */
	uint8_t flags;             /* with those of the calls above */
	double freq;
	unsigned depth;
};

/* Return false to stop. */
typedef bool (*event_fn)(void *data, const struct event_at *at);

/*
 * Every event of @summary with inlined calls entered after their EV_INLINE.
 * Returns false if @fn stopped it, or if more than EVENTS_MAX were seen.
 */
#define EVENTS_MAX 200000
bool events_each(const struct summary *summary, event_fn fn, void *data);

/* The same for what the call at @up, which is not inlined, comes to. */
bool events_each_called(const struct event_at *up, event_fn fn, void *data);

#endif
