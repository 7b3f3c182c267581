// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include "../output/prove.h"
#include "../output/prove_compile.h"
#include "cmd.h"
#include "interrupt.h"
#include "options.h"
#include "run.h"
#include "units.h"

static const char help[] =
"nocharge prove [options] DIR TREE\n"
"\n"
"Apply the series in DIR (as 'nocharge fix' writes it) to TREE, patch by\n"
"patch, in a private repository, and show of each patch that it does what it\n"
"says and nothing else. Nothing in TREE changes. The results go into\n"
"DIR/proof.json after every check, so that a run that was stopped goes on\n"
"where it was; logs of what did not pass into DIR/proof-logs. What a patch\n"
"does to the size of functions is measured and put into its message.\n"
"\n"
"  --check NAME       only this check (repeatable), whatever is known of it\n"
"  --only PATCH       only this patch: its file's name, or its number\n"
"                     (repeatable)\n"
"  --trust-tree       may run the tree's own code: kbuild and checkpatch.pl\n"
"  --cc NAME          a compiler to build with (repeatable; default:\n"
"                     clang-19 and gcc)\n"
"  --jobs N           how many at once (default: one per processor)\n"
"  --cache DIR        where facts are kept (default: XDG_CACHE_HOME/nocharge)\n"
"  --no-cache         keep none\n"
"  -h, --help         this text\n"
"\n"
"Checks: applies, compiles, builds, style, sparse, same-when-on,\n"
"same-when-off, clears, bisectable, and size, which measures.\n";

#define WORK_NAME ".nocharge-prove."


struct asked {
	struct options options;
	struct names only, arg;
};

static void add_name(struct names *names, const char *name, int most)
{
	if (!names->name)
		names->name = xcalloc((size_t)most, sizeof(*names->name));
	names->name[names->n++] = name;
}

static void ask_check(struct prove *prove, const char *name)
{
	for (size_t i = 0; i < PROVE_NCHECK; i++)
		if (!strcmp(prove_check_name[i], name)) {
			prove->asked[i] = prove->again = true;
			return;
		}
	usage("prove", "unknown check '%s'", name);
}

static unsigned read_jobs(const char *text)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text < '0' || *text > '9' ||
	    value < 1 || value > 1024)
		usage("prove", "'--jobs %s' is not a number from 1 to 1024",
		      text);
	return (unsigned)value;
}

/* The value of --@name, in this argument or the next; NULL if it is none. */
static const char *value_of(const char *name, char **argv, int *i)
{
	size_t len = strlen(name);

	if (strncmp(argv[*i], "--", 2) || strncmp(argv[*i] + 2, name, len))
		return NULL;
	if (argv[*i][len + 2] == '=')
		return argv[*i] + len + 3;
	if (argv[*i][len + 2])
		return NULL;
	if (!argv[*i + 1])
		usage("prove", "'--%s' needs a value", name);
	return argv[++*i];
}

/* getopt's struct option has a namesake in tree.h */
static void read_options(struct prove *prove, struct asked *asked, int argc,
			 char **argv)
{
	struct options *options = &asked->options;
	bool only_args = false;
	const char *value;

	for (int i = 1; i < argc; i++) {
		if (only_args || *argv[i] != '-') {
			add_name(&asked->arg, argv[i], argc);
		} else if (!strcmp(argv[i], "--")) {
			only_args = true;
		} else if (!strcmp(argv[i], "-h") ||
			   !strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			exit(STATUS_CLEAN);
		} else if (!strcmp(argv[i], "--trust-tree")) {
			prove->trust_tree = true;
		} else if (!strcmp(argv[i], "--no-cache")) {
			options->no_cache = true;
		} else if ((value = value_of("check", argv, &i))) {
			ask_check(prove, value);
		} else if ((value = value_of("only", argv, &i))) {
			add_name(&asked->only, value, argc);
		} else if ((value = value_of("cc", argv, &i))) {
			add_name(&prove->cc, value, argc);
		} else if ((value = value_of("jobs", argv, &i))) {
			options->jobs = read_jobs(value);
		} else if ((value = value_of("cache", argv, &i))) {
			options->cache = value;
		} else {
			usage("prove", "unknown option '%s'", argv[i]);
		}
	}
	if (asked->arg.n < 2)
		usage("prove", "a series and a tree are needed");
	if (asked->arg.n > 2)
		usage("prove", "'%s' is one argument too many",
		      asked->arg.name[2]);
	if (options->no_cache && options->cache)
		usage("prove", "--cache and --no-cache exclude each other");
	if (!prove->cc.n) {
		add_name(&prove->cc, "clang-19", 2);
		add_name(&prove->cc, "gcc", 2);
	}
	for (size_t i = 0; !prove->again && i < PROVE_NCHECK; i++)
		prove->asked[i] = true;
}

static void select_patches(struct prove *prove, const struct names *only)
{
	for (size_t i = 0; i < prove->npatch; i++) {
		struct prove_patch *patch = &prove->patch[i];

		patch->selected = !only->n || names_have(only, patch->file) ||
			names_have(only, patch->number);
	}
	for (size_t i = 0; i < only->n; i++) {
		bool found = false;

		for (size_t k = 0; k < prove->npatch && !found; k++)
			found = !strcmp(prove->patch[k].file, only->name[i]) ||
				!strcmp(prove->patch[k].number,
					only->name[i]);
		if (!found)
			usage("prove", "the series has no patch '%s'",
			      only->name[i]);
	}
}

/* A directory of ours, with all that is in it. */
static void remove_tree(const char *path)
{
	char *const paths[] = { (char *)(uintptr_t)path, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	while (fts && (entry = fts_read(fts))) {
		if (entry->fts_info == FTS_DP)
			rmdir(entry->fts_accpath);
		else if (entry->fts_info != FTS_D)
			unlink(entry->fts_accpath);
	}
	if (fts)
		fts_close(fts);
}

/* What runs that were killed have left behind: nobody holds its lock. */
static void remove_old(const char *dir)
{
	struct dirent *entry;
	DIR *open_dir = opendir(dir);
	char *path;
	int lock;

	while (open_dir && (entry = readdir(open_dir))) {
		if (strncmp(entry->d_name, WORK_NAME, strlen(WORK_NAME)))
			continue;
		if (asprintf(&path, "%s/%s", dir, entry->d_name) < 0)
			die("out of memory");
		lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
			    O_CLOEXEC);
		if (lock >= 0 && !flock(lock, LOCK_EX | LOCK_NB))
			remove_tree(path);
		if (lock >= 0)
			close(lock);
		free(path);
	}
	if (open_dir)
		closedir(open_dir);
}

/* Returns the descriptor that holds the lock. */
static int make_work(struct prove *prove)
{
	char *path = arena_printf(prove->arena, "%s/" WORK_NAME "XXXXXX",
				  prove->dir);
	int lock;

	if (!mkdtemp(path))
		die("cannot write into '%s': %s", prove->dir, strerror(errno));
	lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB))
		die("cannot lock '%s': %s", path, strerror(errno));
	prove->work = path;
	return lock;
}

static bool is_source(const char *name)
{
	size_t len = strlen(name);

	return (len > 2 && (!strcmp(name + len - 2, ".c") ||
			    !strcmp(name + len - 2, ".h"))) ||
		!strncmp(name, "Kconfig", 7) || !strncmp(name, "Kbuild", 6) ||
		!strncmp(name, "Makefile", 8);
}

/* Of all that a compiler may read: a change anywhere makes it another one. */
static uint64_t tree_state(const char *root)
{
	char *const paths[] = { (char *)(uintptr_t)root, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const size_t prefix = strlen(root);
	uint64_t sum = 0;
	FTSENT *entry;

	while (fts && (entry = fts_read(fts))) {
		const struct stat *st = entry->fts_statp;
		int64_t facts[3];

		if (entry->fts_info == FTS_D && *entry->fts_name == '.' &&
		    entry->fts_level) {
			fts_set(fts, entry, FTS_SKIP);
			continue;
		}
		if (entry->fts_info != FTS_F || !is_source(entry->fts_name))
			continue;
		facts[0] = st->st_size;
		facts[1] = st->st_mtim.tv_sec;
		facts[2] = st->st_mtim.tv_nsec;
		/* a sum: the order of directories does not matter */
		sum += XXH3_64bits_withSeed(facts, sizeof(facts),
			XXH3_64bits(entry->fts_path + prefix,
				    strlen(entry->fts_path + prefix)));
	}
	if (fts)
		fts_close(fts);
	return sum;
}

static const char *rules_file(struct prove *prove, const char *name)
{
	const char *path = access(name, R_OK) ?
		data_path(prove->arena, name) : name;

	if (!path)
		die("the series was made by the rules '%s', which cannot be "
		    "read", name);
	return path;
}

static void add_side(struct prove *prove, const struct run *run, bool in,
		     const struct unit_set *set)
{
	struct prove_config *side = &prove->side[prove->nside];

	*side = (struct prove_config){
		.config = in ? run->in : run->out, .rules = run->rules,
		.in = in, .number = prove->nside++, .unit = set->unit,
		.nunit = set->n,
	};
	side->built = tree_units(side->config, &side->nbuilt);
	prove->state = prove->state * 31 + side->config->hash +
		run->rules->hash;
}

/* Both configurations for every rules file; 0, or the status to end with. */
static int configure(struct prove *prove, struct asked *asked,
		     const char *tree, struct run *run)
{
	for (size_t i = 0; i < prove->rules.n; i++) {
		struct err err = { 0 };
		struct unit_set set;

		if (run_plain_units(&run[i], tree,
				    rules_file(prove, prove->rules.name[i]),
				    &asked->options, &set, &err))
			return run_failed(&run[i], &err);
		if (!i)
			prove->tree = run[i].tree;
		add_side(prove, &run[i], true, &set);
		add_side(prove, &run[i], false, &set);
	}
	prove->state += tree_state(prove->tree->root);
	return 0;
}

static int prepare(struct prove *prove, struct err *err)
{
	for (size_t i = 0; i < prove->nside; i++)
		if (prove_headers_write(prove, &prove->side[i], err))
			return -1;
	if (prove_find_predicates(prove, err) || prove_states_make(prove, err))
		return -1;
	for (size_t i = 0; i < prove->nside; i++)
		if (prove_overlays_write(prove, &prove->side[i], err))
			return -1;
	prove_choose_units(prove);
	prove_results_take(prove);
	return 0;
}

static int status_of(const struct prove *prove)
{
	int status = STATUS_CLEAN;

	for (size_t i = 0; i < prove->npatch; i++)
		for (size_t k = 0; k < PROVE_NCHECK; k++) {
			const struct prove_patch *patch = &prove->patch[i];

			if (!patch->selected || !prove->asked[k])
				continue;
			if (patch->result[k].verdict == PROVE_FAIL)
				return STATUS_PROOF;
			if (patch->result[k].verdict == PROVE_NOT_RUN)
				status = STATUS_INCOMPLETE;
		}
	return status;
}

static int failed(struct err *err)
{
	int status = (int)err->status;

	if (interrupt_signal()) {
		fprintf(stderr, "nocharge: interrupted; what was shown until "
			"now is kept\n");
		status = 128 + interrupt_signal();
	} else {
		fprintf(stderr, "nocharge: %s\n", err->text);
	}
	err_clear(err);
	return status;
}

static int run(struct prove *prove)
{
	struct err err = { 0 };
	int status, lock;

	remove_old(prove->dir);
	/* from now on something is left to clean up */
	interrupt_phase("while proving", true);
	lock = make_work(prove);
	if (prepare(prove, &err) || prove_run(prove, &err) ||
	    prove_tell_sizes(prove, &err)) {
		status = failed(&err);
	} else {
		prove_results_table(prove, stdout);
		status = status_of(prove);
	}
	remove_tree(prove->work);
	close(lock);
	return status;
}

int cmd_prove(int argc, char **argv)
{
	struct prove prove = {
		.arena = arena_new(), .lock = PTHREAD_MUTEX_INITIALIZER,
		.interrupted = interrupt_flag(),
	};
	struct asked asked = { 0 };
	struct err err = { 0 };
	struct run *runs;
	int status;
	char *dir;

	read_options(&prove, &asked, argc, argv);
	prove.dir_arg = asked.arg.name[0];
	prove.tree_arg = asked.arg.name[1];
	dir = realpath(prove.dir_arg, NULL);
	if (!dir)
		die("%s: %s", prove.dir_arg, strerror(errno));
	prove.dir = dir;
	prove.jobs = asked.options.jobs ? asked.options.jobs :
		(unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	if (prove_series_read(&prove, &err))
		return failed(&err);
	select_patches(&prove, &asked.only);
	asked.options.arch = prove.arch;
	asked.options.config = prove.config;
	runs = ARENA_ARRAY(prove.arena, struct run, prove.rules.n);
	prove.side = ARENA_ARRAY(prove.arena, struct prove_config,
				 prove.rules.n + prove.rules.n);
	if (!prove.rules.n)
		die("%s/series.json names no rules", prove.dir_arg);
	status = configure(&prove, &asked, prove.tree_arg, runs);
	if (!status)
		status = run(&prove);
	for (size_t i = 0; i < prove.rules.n; i++)
		if (runs[i].arena)
			run_release(&runs[i]);
	compiles_free(&prove);
	free(prove.cc.name);
	free(asked.only.name);
	free(asked.arg.name);
	free(dir);
	arena_free(prove.arena);
	return status;
}
