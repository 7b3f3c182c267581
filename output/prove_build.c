// SPDX-License-Identifier: GPL-2.0-only
/*
 * kbuild's own word: the objects of a patch, built in a directory of our own
 * from a farm of links whose touched files are exchanged from state to state.
 * kbuild runs the tree's code, so all of it needs --trust-tree.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyzer/units.h"
#include "boot.h"
#include "prove.h"

#define BUILD_SECONDS 3600

struct prove_build {
	pthread_mutex_t lock; /* there is one farm */
	const char *farm;     /* NULL: none yet */
	size_t state;         /* that the farm is in */
	bool *ready;          /* for each side and compiler: has a .config */
};

struct build {
	struct prove *prove;
	struct prove_build *shared;
	const struct prove_config *side;
	const char *cc, *dir; /* the compiler; where objects go */
	bool *ready;
	const char **target;
	size_t ntarget;
	struct err *err;
};

/* Run make with @target; all its output in @out. */
static int make(struct build *build, const char *const *target, size_t n,
		struct strbuf *out)
{
	struct prove *prove = build->prove;
	const char *argv[PROVE_ARGS] = { "make", "-s", "-k" };
	const char *arch = prove->tree->arch;
	size_t k = 3;

	argv[k++] = prove_printf(prove, "-j%u", prove->jobs);
	argv[k++] = "-C";
	argv[k++] = build->shared->farm;
	argv[k++] = prove_printf(prove, "O=%s", build->dir);
	argv[k++] = prove_printf(prove, "CC=%s", build->cc);
	argv[k++] = "HOSTCC=gcc";
	argv[k++] = prove_printf(prove, "ARCH=%s", arch);
	if (boot_arch(arch) && boot_cross(boot_arch(arch)))
		argv[k++] = prove_printf(prove, "CROSS_COMPILE=%s",
					 boot_cross(boot_arch(arch)));
	argv[k++] = "W=1";
	argv[k++] = "KCFLAGS=-fdiagnostics-color=never";
	for (size_t i = 0; i < n && k < PROVE_ARGS - 1; i++)
		argv[k++] = target[i];
	argv[k] = NULL;
	return prove_program(prove, prove->work, argv, NULL, BUILD_SECONDS,
			     out, out, build->err);
}

/* The options as they were found without building anything. */
static int configure(struct build *build, struct strbuf *out)
{
	static const char *const target[] = { "olddefconfig" };
	const struct config *config = build->side->config;
	struct strbuf text = STRBUF_INIT;
	const char *name;
	int ret;

	if (mkdir(build->dir, 0777) && errno != EEXIST)
		return err_set(build->err, STATUS_USAGE, "cannot make '%s': %s",
			       build->dir, strerror(errno));
	for (size_t i = 0; i < config->noption; i++)
		strbuf_addf(&text, "CONFIG_%s=%s\n", config->option[i].name,
			    config->option[i].value);
	/* what is not there would be asked, and answered by its default */
	for (size_t i = 0; i < build->side->rules->symbols.n; i++) {
		name = build->side->rules->symbols.name[i];
		if (!config_get(config, name))
			strbuf_addf(&text, "# CONFIG_%s is not set\n", name);
	}
	/* neither BTF nor keys: both need what has nothing to do with it */
	strbuf_addstr(&text, "# CONFIG_DEBUG_INFO_BTF is not set\n"
		      "# CONFIG_WERROR is not set\n"
		      "CONFIG_SYSTEM_TRUSTED_KEYS=\"\"\n");
	name = prove_printf(build->prove, "%s/.config",
			    build->dir + strlen(build->prove->work) + 1);
	name = prove_store(build->prove, name, text.buf, text.len, build->err);
	strbuf_release(&text);
	if (!name)
		return -1;
	ret = make(build, target, 1, out);
	if (!ret)
		*build->ready = true;
	return ret;
}

/* Bring the farm into @state and build the targets anew. */
static int build_state(struct build *build, size_t state, struct strbuf *out)
{
	struct prove *prove = build->prove;
	struct prove_build *shared = build->shared;
	int status;

	if (!shared->farm) {
		const char *path = prove_printf(prove, "%s/build.tree",
						prove->work);

		if (prove_farm_make(prove, path, state, build->err))
			return -1;
		shared->farm = path;
	} else if (prove_farm_switch(prove, shared->farm, shared->state,
				     state, build->err)) {
		return -1;
	}
	shared->state = state;
	if (!*build->ready) {
		status = configure(build, out);
		if (status)
			return status;
	}
	/* what is up to date would not say its warnings again */
	for (size_t i = 0; i < build->ntarget; i++)
		unlink(prove_printf(prove, "%s/%s", build->dir,
				    build->target[i]));
	status = make(build, build->target, build->ntarget, out);
	prove_shorten(out, shared->farm);
	prove_shorten(out, prove->tree->root);
	return status;
}

static void set(struct prove_result *result, enum prove_verdict verdict,
		const char *why)
{
	if (result->verdict == PROVE_FAIL ||
	    (result->verdict == PROVE_NOT_RUN && verdict != PROVE_FAIL))
		return;
	result->verdict = verdict;
	result->why = why;
}

static const char *one_line(struct prove *prove, const struct strbuf *text)
{
	const char *error = prove_first_error(prove, text), *at;

	if (error)
		return error;
	at = text->len ? strstr(text->buf, "*** ") : NULL;
	if (!at)
		at = text->len ? text->buf : "no output";
	return prove_printf(prove, "%.*s", (int)strcspn(at, "\n"), at);
}

/* One side with one compiler. */
static void build_one(struct build *build, size_t k,
		      struct prove_result *result, struct strbuf *log)
{
	struct strbuf first = STRBUF_INIT, before = STRBUF_INIT;
	struct strbuf after = STRBUF_INIT, text = STRBUF_INIT;
	struct strbuf old = STRBUF_INIT;
	struct prove *prove = build->prove;
	const char *label = build->side->config->label;
	int status, base = 0;
	size_t n, start = log->len;

	status = build_state(build, k + 1, &after);
	prove_rename_back(prove, k + 1, after.buf, after.len, &text);
	n = prove_new_messages(&first, &text, log);
	if (status > 0 || (!status && n)) {
		/* something is said: is it new? */
		base = build_state(build, 0, &first);
		if (!base) {
			build_state(build, k, &before);
			prove_rename_back(prove, k, before.buf, before.len,
					  &old);
			log->len = start;
			n = prove_new_messages(&old, &text, log);
		}
	}
	if (status < 0 || base < 0)
		set(result, PROVE_NOT_RUN, prove_printf(prove, "%s",
			build->err->text ? build->err->text : "?"));
	else if (base)
		set(result, PROVE_NOT_RUN, prove_printf(prove, "%s, feature "
			"%s: it does not build without the series: %s",
			build->cc, label, one_line(prove, &first)));
	else if (status || n)
		set(result, PROVE_FAIL, prove_printf(prove, "%s, feature %s: "
			"%s", build->cc, label, status ?
			one_line(prove, &text) : prove_printf(prove,
			"%zu new message%s with W=1, %.*s", n,
			n == 1 ? "" : "s",
			(int)strcspn(log->buf + start, "\n"),
			log->buf + start)));
	if (result->verdict == PROVE_FAIL || result->verdict == PROVE_NOT_RUN)
		strbuf_addf(log, "\n%s, feature %s:\n%s\n", build->cc, label,
			    text.len ? text.buf : "");
	else
		log->len = start;
	strbuf_release(&first);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&text);
	strbuf_release(&old);
}

/* The objects of a patch on one side. */
static void choose_targets(struct build *build,
			   const struct prove_patch *patch)
{
	const struct prove_config *side = build->side;

	build->ntarget = 0;
	for (size_t i = 0; i < patch->nunit; i++) {
		const struct unit *found = unit_find(side->built, side->nbuilt,
						     patch->unit[i]);

		if (found && found->built)
			build->target[build->ntarget++] =
				prove_printf(build->prove, "%.*so",
					     (int)strlen(found->path) - 1,
					     found->path);
	}
}

static struct prove_build *shared_build(struct prove *prove)
{
	const size_t n = prove->nside * prove->cc.n;
	struct prove_build *build;

	pthread_mutex_lock(&prove->lock);
	build = prove->build;
	if (!build) {
		build = ARENA_NEW(prove->arena, struct prove_build);
		pthread_mutex_init(&build->lock, NULL);
		build->ready = ARENA_ARRAY(prove->arena, bool, n);
		prove->build = build;
	}
	pthread_mutex_unlock(&prove->lock);
	return build;
}

void prove_builds(struct prove *prove, size_t k, struct prove_result *result,
		  struct strbuf *log)
{
	const struct prove_patch *patch = &prove->patch[k];
	struct err err = { 0 };
	struct build build = { .prove = prove, .err = &err };
	size_t ndone = 0;

	if (!prove->trust_tree) {
		set(result, PROVE_NOT_RUN, "kbuild runs the tree's own code: "
		    "it needs --trust-tree");
		return;
	}
	build.shared = shared_build(prove);
	build.target = xcalloc(patch->nunit, sizeof(*build.target));
	pthread_mutex_lock(&build.shared->lock);
	for (size_t s = 0; s < prove->nside && !*prove->interrupted; s++) {
		build.side = &prove->side[s];
		choose_targets(&build, patch);
		for (size_t c = 0; build.ntarget && c < prove->cc.n; c++) {
			size_t i = s * prove->cc.n + c;

			build.cc = prove->cc.name[c];
			build.dir = prove_printf(prove, "%s/build.%zu",
						 prove->work, i);
			build.ready = &build.shared->ready[i];
			build_one(&build, k, result, log);
			ndone++;
			err_clear(&err);
			err = (struct err){ 0 };
		}
	}
	pthread_mutex_unlock(&build.shared->lock);
	free(build.target);
	if (!ndone)
		set(result, PROVE_NOT_RUN, "no object of it is built in this "
		    "configuration");
	else
		set(result, PROVE_PASS, prove_printf(prove, "no new warning "
			"with W=1, feature in and out, by %zu compiler%s",
			prove->cc.n, prove->cc.n == 1 ? "" : "s"));
}
