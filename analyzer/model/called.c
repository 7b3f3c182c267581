// SPDX-License-Identifier: GPL-2.0-only
/* What a function is in machine code: its own, and that of who is inlined. */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

struct search {
	struct model *model;
	bool *seen;             /* by function->index */
	struct function **todo; /* whose code is in the one that is asked for */
	size_t ntodo;
	struct called *called;
	size_t n, cap;
};

static void look(struct search *s, const struct function *fn)
{
	const struct program *in = s->model->feature->in;

	for (uint32_t i = 0; i < fn->func->nref; i++) {
		struct function *to = program_function(in, fn->func->ref[i],
						       fn->file);
		bool inlined = to && function_inlined(to, fn->file);

		if (!to || s->seen[to->index])
			continue;
		s->seen[to->index] = true;
		GROW_LIST(s->model->arena, s->called, s->n, s->cap);
		s->called[s->n++] = (struct called){ to->name, inlined };
		if (inlined)
			s->todo[s->ntodo++] = to;
	}
}

static int compare(const void *a, const void *b)
{
	const struct called *x = a, *y = b;

	return strcmp(x->name, y->name);
}

size_t model_called(struct model *model, const char *function,
		    struct called **called)
{
	const uint32_t n = model->feature->in->nfunction;
	const char *name = interned(model->strings, function);
	struct search s = {
		.model = model, .seen = xcalloc(n + 1, sizeof(bool)),
		.todo = xcalloc(n + 1, sizeof(*s.todo)),
	};
	struct function *fn = name ? map_get(&model->feature->in->functions,
					     name) : NULL;

	/* statics of one name are taken together: who counts does so too */
	for (; fn; fn = fn->next)
		if (!s.seen[fn->index]) {
			s.seen[fn->index] = true;
			s.todo[s.ntodo++] = fn;
		}
	for (size_t i = 0; i < s.ntodo; i++)
		look(&s, s.todo[i]);
	if (s.n)
		qsort(s.called, s.n, sizeof(*s.called), compare);
	free(s.seen);
	free(s.todo);
	*called = s.called;
	return s.n;
}
