// SPDX-License-Identifier: GPL-2.0-only
#include "measure_run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "../analyzer/parse/parse.h"
#include "kernels.h"
#include "logs.h"

#ifndef NOCHARGE_VERSION
#define NOCHARGE_VERSION "unknown"
#endif

#define LOGS    "measure-logs"
#define PROGRAM "output/measure"
#define ARCHIVE "operations.cpio"

/* Of our time; the guest has a limit of its own. */
#define SECONDS 900
#define MEMORY  512

/* A kernel that is booted in one way. */
struct way {
	const char *name;
	bool out; /* the kernel without the feature */
	const char *append; /* to the command line */
	size_t state;
};

struct measuring {
	struct measure *measure;
	struct prove *prove;
	const struct measure_how *how;
	struct arena *arena;
	struct kernels in, out;
	struct names trouble;
	const char *plugin, *emulator, *options;
	uint64_t programs; /* hash of what runs in the guest and beside it */
	struct way *way;
	size_t nway;
	size_t done, total;
	struct err failed; /* the first kernel that is broken */
};

static void tell(struct measuring *m, const char *what, const char *state)
{
	if (m->how->tell)
		m->how->tell(m->how->data, arena_printf(m->arena, "%s %s:",
			     what, state), m->done, m->total);
}

static void add_way(struct measuring *m, const char *name, bool out,
		    const char *append, size_t state)
{
	m->way[m->nway++] = (struct way){ name, out, append, state };
}

/* Are the kernels off unless they are asked, by the options @text? */
static bool asks(const struct measuring *m, const char *text)
{
	const char *option = m->how->rules->asked.option, *line;
	const struct strbuf all = { .buf = (char *)text, .len = strlen(text) };

	if (!option)
		return false;
	line = arena_printf(m->arena, "CONFIG_%s=y", option);
	return boot_has_line(&all, line, strlen(line));
}

static void choose_ways(struct measuring *m, const char *options)
{
	const struct rules *rules = m->how->rules;
	const bool ask = asks(m, options);
	const char *on = ask ? rules->asked.boot : "";
	const char *off = rules->off ? rules->off : "";
	const size_t n = m->prove->npatch;

	m->way = ARENA_ARRAY(m->arena, struct way, n + 5);
	add_way(m, MEASURE_OUT, true, "", 0);
	add_way(m, MEASURE_OFF, false, off, 0);
	for (size_t i = m->how->ends && n ? n : 1; i <= n; i++)
		add_way(m, arena_printf(m->arena, MEASURE_OFF "+%zu", i),
			false, off, i);
	if (ask)
		add_way(m, MEASURE_DEFAULT, false, "", 0);
	add_way(m, MEASURE_ON, false, on, 0);
	if (n)
		add_way(m, MEASURE_ALL, false, on, n);
	m->total = 2 * m->nway;
}

/* The log of what went wrong with a kernel, for whoever looks for it. */
static void keep_log(struct measuring *m, const struct way *way,
		     const struct strbuf *log)
{
	const char *name = arena_printf(m->arena, "%s.log", way->name);

	if (logs_write(m->prove->dir, LOGS, name, log))
		warn("cannot write '%s/" LOGS "/%s': %s", m->prove->dir_arg,
		     name, strerror(errno));
}

/* A kernel that is not there or not right: the others may still be. */
static void broken(struct measuring *m, const struct way *way,
		   const char *what, const char *why,
		   const struct strbuf *log)
{
	names_add(&m->measure->problems, arena_printf(m->arena, "%s: %s: %s",
		  way->name, what, why), m->arena);
	err_set(&m->failed, STATUS_PROOF, "%s: %s: %s (%s/" LOGS "/"
		"%s.log)", way->name, what, why, m->prove->dir_arg,
		way->name);
	keep_log(m, way, log);
}

/* Of all that a boot's numbers hang on. */
static uint64_t key_of(const struct measuring *m,
		       const struct boot_kernel *kernel,
		       const struct boot_how *how)
{
	const char *text = arena_printf(m->arena, "%s\n%s\n%d", m->emulator,
					how->append, how->memory);

	return XXH3_64bits_withSeed(text, strlen(text), kernel->hash) * 31 +
		m->programs;
}

/* Command, numbers and counts, one after the other, as they are kept. */
static bool read_kept(struct measuring *m, uint64_t key,
		      struct boot_log *log)
{
	struct cache *cache = m->prove->cache;
	size_t len = 0;
	char *data = cache ? cache_get(cache, "measured", key, 0, &len) :
		NULL;
	const char *end = data ? data + len : NULL, *numbers, *counts = NULL;

	numbers = data ? memchr(data, '\0', len) : NULL;
	if (numbers)
		counts = memchr(numbers + 1, '\0',
				(size_t)(end - numbers) - 1);
	if (counts) {
		log->command = arena_strdup(m->arena, data);
		strbuf_addstr(&log->numbers, numbers + 1);
		strbuf_add(&log->counts, counts + 1,
			   (size_t)(end - counts) - 1);
	}
	free(data);
	return counts;
}

static void keep(struct measuring *m, uint64_t key,
		 const struct boot_log *log)
{
	struct strbuf text = STRBUF_INIT;

	if (!m->prove->cache || !log->numbers.len ||
	    memchr(log->numbers.buf, '\0', log->numbers.len))
		return;
	strbuf_add(&text, log->command, strlen(log->command) + 1);
	strbuf_add(&text, log->numbers.buf, log->numbers.len + 1);
	strbuf_add(&text, log->counts.len ? log->counts.buf : "",
		   log->counts.len);
	cache_put(m->prove->cache, "measured", key, 0, text.buf, text.len);
	strbuf_release(&text);
}

/* Names of our files have a key in them, which is nobody's business. */
static const char *without_keys(struct measuring *m, const char *command)
{
	char *copy = arena_strdup(m->arena, command), *to = copy;

	for (const char *at = copy; *at;) {
		size_t n = 0;

		while (*at == '.' && n < 17 && isxdigit(at[1 + n]))
			n++;
		if (n == 16)
			at += 17;
		else
			*to++ = *at++;
	}
	*to = '\0';
	return copy;
}

/* What is wrong with what was booted, or NULL. */
static const char *judge(struct measuring *m, const struct boot_log *log,
			 bool ended, const struct err *err)
{
	const char *where, *line = boot_trouble(&log->console, &m->trouble,
						m->arena, &where);

	if (line)
		return arena_printf(m->arena, "the kernel's log says \"%s\""
				    "%s%s", line, where ? " after " : "",
				    where ? where : "");
	if (ended)
		return NULL;
	if (err->text)
		return arena_printf(m->arena, "%s", err->text);
	return log->console.len ? "it ends early" :
		"the kernel does not boot: its log is empty";
}

static int boot(struct measuring *m, const struct way *way,
		const struct boot_kernel *kernel, struct measure_state *state,
		struct err *err)
{
	struct boot_how how = {
		.append = way->append, .memory = MEMORY, .seconds = SECONDS,
		.plugin = m->plugin,
	};
	const uint64_t key = key_of(m, kernel, &how);
	struct boot_log log = { 0 };
	struct err none = { 0 };
	const char *why = NULL;
	bool ended, kept = read_kept(m, key, &log);
	int ret = 0;

	if (!kept)
		ret = boot_run(&m->in.boot, kernel, ARCHIVE, &how, &log,
			       &none);
	if (ret && (none.status != STATUS_INCOMPLETE ||
		    *m->prove->interrupted)) {
		err_set(err, none.status, "%s", none.text);
		keep_log(m, way, &log.console);
		goto out;
	}
	ret = 0;
	state->command = without_keys(m, log.command);
	ended = measure_log(state, &m->measure->operations, &log.numbers,
			    &log.counts, &m->measure->problems, m->arena);
	if (!kept)
		why = judge(m, &log, ended, &none);
	if (why)
		broken(m, way, "booted", why, &log.console);
	else if (!kept)
		keep(m, key, &log);
out:
	err_clear(&none);
	boot_log_release(&log);
	return ret;
}

static void add_size(struct measure_state *state,
		     const struct elf_size *size, struct arena *arena)
{
	const struct amount item[] = {
		{ "text", (double)size->text }, { "data", (double)size->data },
		{ "bss", (double)size->bss },
		{ "functions", (double)size->functions },
	};

	/* an object without symbols has no functions to tell of */
	state->bytes.n = sizeof(item) / sizeof(item[0]) - !size->functions;
	state->bytes.item = ARENA_ARRAY(arena, struct amount, state->bytes.n);
	memcpy(state->bytes.item, item, sizeof(item));
}

/* The state that was measured with the same kernel in the same way, if any. */
static const struct measure_state *same(const struct measuring *m, size_t i)
{
	const struct way *way = &m->way[i];
	const struct kernels *kernels = way->out ? &m->out : &m->in;

	for (size_t k = 0; k < i; k++) {
		const struct way *old = &m->way[k];

		if (old->out == way->out && !strcmp(old->append, way->append) &&
		    kernels->kernel[old->state].image &&
		    kernels->kernel[old->state].hash ==
		    kernels->kernel[way->state].hash)
			return &m->measure->state[k];
	}
	return NULL;
}

static int measure_way(struct measuring *m, size_t i, struct err *err)
{
	struct measure_state *state = &m->measure->state[i];
	const struct way *way = &m->way[i];
	struct kernels *kernels = way->out ? &m->out : &m->in;
	const struct measure_state *old;
	struct strbuf log = STRBUF_INIT;
	const char *why;
	int ret = 0;

	state->name = way->name;
	state->cell = ARENA_ARRAY(m->arena, struct cell,
				  m->measure->operations.n);
	if (way->state)
		state->patch_id = m->prove->patch[way->state - 1].id;
	tell(m, "building the kernel of", way->name);
	why = kernels_get(kernels, way->state, &log);
	m->done++;
	if (why && !kernels->broken)
		ret = err_set(err, STATUS_USAGE, "%s: %s", way->name, why);
	else if (why)
		broken(m, way, "built", why, &log);
	strbuf_release(&log);
	if (why) {
		m->done++;
		return ret;
	}
	add_size(state, &kernels->kernel[way->state].size, m->arena);
	tell(m, "counting", way->name);
	old = same(m, i);
	if (old) {
		state->cell = old->cell;
		state->bytes = old->bytes;
		state->command = old->command;
	} else {
		ret = boot(m, way, &kernels->kernel[way->state], state, err);
	}
	m->done++;
	return ret;
}

/* Options that one of two .config has and the other has not, or otherwise. */
static int compare_configs(struct measuring *m, struct err *err)
{
	const char *path[2] = { m->in.kernel[0].config,
				m->out.kernel[0].config };
	struct strbuf text[2] = { STRBUF_INIT, STRBUF_INIT };
	int ret = 0;

	if (!m->in.kernel[0].image || !m->out.kernel[0].image)
		return 0;
	for (size_t i = 0; i < 2; i++)
		if (!ret)
			ret = strbuf_read_file(&text[i], arena_printf(m->arena,
				"%s/%s", m->prove->work, path[i]), err);
	if (!ret)
		boot_config_differ(&text[0], &text[1], &m->measure->differ,
				   m->arena);
	if (!ret && !m->measure->differ.n)
		ret = err_set(err, STATUS_USAGE, "the kernels with and "
			      "without the feature have the same "
			      "configuration");
	strbuf_release(&text[0]);
	strbuf_release(&text[1]);
	return ret;
}

static int hash_program(struct measuring *m, const char *path,
			struct err *err)
{
	struct strbuf text = STRBUF_INIT;

	if (strbuf_read_file(&text, path, err))
		return -1;
	m->programs = XXH3_64bits_withSeed(text.buf, text.len, m->programs);
	strbuf_release(&text);
	return 0;
}

/* "CONFIG_X=..." or "# CONFIG_X is not set" of an option of the feature. */
static bool is_feature(const struct names *symbols, const char *line)
{
	size_t len;

	line += strncmp(line, "# ", 2) ? 0 : 2;
	if (strncmp(line, "CONFIG_", 7))
		return false;
	line += 7;
	len = strcspn(line, " =\n");
	for (size_t i = 0; i < symbols->n; i++)
		if (strlen(symbols->name[i]) == len &&
		    !strncmp(line, symbols->name[i], len))
			return true;
	return false;
}

/*
 * The options of the user's file, but for those by which kernels with and
 * without the feature differ.
 */
static const char *read_options(struct measuring *m, const char *path,
				struct err *err)
{
	struct strbuf text = STRBUF_INIT, kept = STRBUF_INIT;
	const char *name = strrchr(path, '/'), *at, *options = NULL;

	if (strbuf_read_file(&text, path, err))
		return NULL;
	at = text.len ? text.buf : "";
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		if (!is_feature(&m->how->rules->symbols, at))
			strbuf_addf(&kept, "%.*s\n", (int)len, at);
	}
	options = arena_strdup(m->arena, kept.len ? kept.buf : "");
	/* where it lies is nobody's business, and it may change */
	m->options = arena_printf(m->arena, "a file '%s' (its hash is "
		"%016llx)", name ? name + 1 : path,
		(unsigned long long)XXH3_64bits(options, kept.len));
	strbuf_release(&kept);
	strbuf_release(&text);
	return options;
}

/* The options of all kernels, and how they are called. */
static const char *find_options(struct measuring *m, struct err *err)
{
	const struct boot_arch *arch = m->in.boot.arch;

	if (m->how->config)
		return read_options(m, m->how->config, err);
	m->options = arena_printf(m->arena, "rules/boot/config, rules/boot/"
				  "%s.config and rules/boot/measure.config",
				  arch->name);
	return boot_options(m->arena, arch, "measure", err);
}

static int prepare(struct measuring *m, struct err *err)
{
	const char *options;

	kernels_init(&m->in, m->prove, "in", m->how->cc, m->arena);
	kernels_init(&m->out, m->prove, "out", m->how->cc, m->arena);
	options = find_options(m, err);
	if (options)
		choose_ways(m, options);
	if (!options || boot_words(m->arena, "trouble", &m->trouble, err) ||
	    operations_load(&m->measure->operations, m->arena, err))
		return -1;
	m->in.source.options = m->out.source.options = options;
	m->in.source.any = m->out.source.any = &m->how->rules->symbols;
	m->out.source.without = true;
	/* what hangs on the feature is told by compare_configs() */
	m->out.source.some = m->how->config;
	m->emulator = boot_emulator(&m->in.boot, err);
	m->plugin = m->emulator ? boot_plugin(&m->in.boot, err) : NULL;
	return !m->plugin ||
		boot_guest(&m->in.boot, ARCHIVE, PROGRAM, NULL, 0, err) ||
		hash_program(m, arena_printf(m->arena, "%s/" ARCHIVE,
					     m->prove->work), err) ||
		hash_program(m, arena_printf(m->arena, "%s/%s",
					     m->prove->work, m->plugin),
			     err) ? -1 : 0;
}

static void add_how(struct measuring *m, const char *name, const char *value)
{
	names_add(&m->measure->how, name, m->arena);
	names_add(&m->measure->how, value, m->arena);
}

static void tell_how(struct measuring *m)
{
	const struct boot_kernel *kernel = &m->in.kernel[0];

	if (!kernel->compiler)
		kernel = &m->out.kernel[0];
	add_how(m, "unit", "instructions per operation, not time: the median "
		"of eight repetitions");
	add_how(m, "tool", "nocharge " NOCHARGE_VERSION);
	add_how(m, "tree", m->prove->tree->release);
	add_how(m, "arch", m->prove->tree->arch);
	add_how(m, "feature", m->how->rules->feature);
	add_how(m, "off", m->how->rules->off);
	add_how(m, "compiler", kernel->compiler);
	add_how(m, "linker", kernel->linker);
	add_how(m, "emulator", m->emulator);
	add_how(m, "configuration", arena_printf(m->arena, "allnoconfig with "
		"%s", m->options));
	add_how(m, "command", arena_printf(m->arena, "nocharge measure "
		"--trust-tree --cc %s%s%s DIR TREE", m->how->cc,
		m->how->config ? " --config FILE" : "",
		m->how->ends ? " --ends" : ""));
}

int measure_run(struct measure *measure, struct prove *prove,
		const struct measure_how *how, struct arena *arena,
		struct err *err)
{
	struct measuring m = {
		.measure = measure, .prove = prove, .how = how,
		.arena = arena,
	};

	*measure = (struct measure){ 0 };
	if (prepare(&m, err))
		return -1;
	measure->state = ARENA_ARRAY(arena, struct measure_state, m.nway);
	for (size_t i = 0; i < m.nway; i++) {
		measure->nstate = i + 1;
		if (measure_way(&m, i, err))
			goto out;
		if (i == 1 && compare_configs(&m, err))
			goto out;
	}
	tell_how(&m);
out:
	if (!err->text && m.failed.text)
		err_set(err, m.failed.status, "%s", m.failed.text);
	err_clear(&m.failed);
	return err->text ? -1 : 0;
}
