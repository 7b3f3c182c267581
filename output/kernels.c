// SPDX-License-Identifier: GPL-2.0-only
#include "kernels.h"

#include <string.h>
#include <xxhash.h>

void kernels_init(struct kernels *kernels, struct prove *prove,
		  const char *name, const char *cc, struct arena *arena)
{
	*kernels = (struct kernels){ .prove = prove };
	kernels->boot = (struct boot){
		.arch = boot_arch(prove->tree->arch), .arena = arena, .work = prove->work, .cache = prove->cache,
		.interrupted = prove->interrupted, .jobs = prove->jobs,
		.cc = cc,
	};
	kernels->source = (struct boot_source){
		.tree = arena_printf(arena, "%s/%s.tree", prove->work, name),
		.build = arena_printf(arena, "%s.build", name),
	};
	kernels->kernel = ARENA_ARRAY(arena, struct boot_kernel,
				      prove->npatch + 1);
}

/* Bring the farm into the state whose kernel is to be built. */
struct turn {
	struct kernels *kernels;
	size_t state;
};

static int turn_farm(void *data, struct err *err)
{
	const struct turn *turn = data;
	struct kernels *kernels = turn->kernels;
	int ret = kernels->farmed ?
		prove_farm_switch(kernels->prove, kernels->source.tree,
				  kernels->state, turn->state, err) :
		prove_farm_make(kernels->prove, kernels->source.tree,
				turn->state, err);

	kernels->farmed = true;
	kernels->state = turn->state;
	return ret;
}

/* Of all that a build reads of the tree in @state. */
static uint64_t content(const struct prove *prove, size_t state)
{
	uint64_t sum = prove->content;

	for (size_t i = 0; i < prove->nfile; i++) {
		const struct prove_file *file = &prove->file[i];
		uint64_t hash = prove_version(file, state)->hash;

		/* files that are as they were are in the content already */
		if (hash != prove_version(file, 0)->hash)
			sum += XXH3_64bits_withSeed(file->path,
						    strlen(file->path), hash);
	}
	return sum;
}

const char *kernels_get(struct kernels *kernels, size_t state,
			struct strbuf *log)
{
	struct turn turn = { kernels, state };
	struct boot_kernel *kernel = &kernels->kernel[state];
	struct strbuf said = STRBUF_INIT;
	const char *why = NULL;
	struct err err = { 0 };

	if (kernel->image)
		return NULL;
	kernels->source.content = content(kernels->prove, state);
	if (boot_kernel(&kernels->boot, &kernels->source, turn_farm, &turn,
			kernel, &said, &err)) {
		struct strbuf text = STRBUF_INIT;

		/* files as the tree calls them */
		strbuf_addstr(&text, err.text);
		prove_shorten(&text, kernels->source.tree);
		why = prove_printf(kernels->prove, "%s", text.buf);
		strbuf_release(&text);
		kernels->broken = err.status == STATUS_PROOF;
		kernel->image = NULL;
		if (said.len)
			strbuf_addf(log, "make:\n%s\n", said.buf);
	}
	strbuf_release(&said);
	err_clear(&err);
	return why;
}

const char *kernels_rebuild(struct kernels *kernels, struct strbuf *log)
{
	struct cache *cache = kernels->boot.cache;
	const char *why = NULL;

	if (kernels->kernel[0].cached) {
		kernels->boot.cache = NULL;
		kernels->kernel[0].image = NULL;
		why = kernels_get(kernels, 0, log);
		kernels->boot.cache = cache;
	}
	return why;
}
