// SPDX-License-Identifier: GPL-2.0-only
/*
 * The series applied, patch by patch, in a repository that holds nothing but
 * the files that it touches. git never sees the tree: no configuration, hook,
 * attribute or filter of the user's or of the tree's can have a say.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include "prove.h"

#define GIT_SECONDS 60

struct repo {
	struct prove *prove;
	const char *dir, *git_dir, *work_tree;
	const char *head; /* of the last patch that applied */
};

const struct prove_version *prove_version(const struct prove_file *file,
					  size_t state)
{
	return &file->version[file->at[state]];
}

/* Run git with @args, NULL-terminated; the status, or -1 with @err. */
static int git(struct repo *repo, const char *const *args,
	       const struct strbuf *input, struct strbuf *out,
	       struct strbuf *errors, struct err *err)
{
	static const char *const head[] = {
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=nocharge", "GIT_AUTHOR_EMAIL=nocharge",
		"GIT_COMMITTER_NAME=nocharge", "GIT_COMMITTER_EMAIL=nocharge",
		"GIT_AUTHOR_DATE=1000000000 +0000",
		"GIT_COMMITTER_DATE=1000000000 +0000",
		"git", "--no-pager", "-c", "core.hooksPath=/dev/null", "-c",
		"core.fsmonitor=false", "-c", "commit.gpgsign=false", "-c",
		"core.attributesFile=/dev/null", "-c", "core.autocrlf=false",
		"-c", "apply.whitespace=nowarn", "-c", "gc.auto=0",
	};
	const size_t nhead = sizeof(head) / sizeof(head[0]);
	const char *argv[64];
	size_t n = 0;

	argv[n++] = repo->git_dir;
	argv[n++] = repo->work_tree;
	for (size_t i = 0; i < nhead; i++)
		argv[n++] = head[i];
	while (*args && n < sizeof(argv) / sizeof(argv[0]) - 1)
		argv[n++] = *args++;
	if (*args)
		BUG("too many arguments for git");
	argv[n] = NULL;
	return prove_program(repo->prove, repo->dir, argv, input,
			     GIT_SECONDS, out, errors, err);
}

#define GIT(repo, out, errors, err, ...) \
	git(repo, (const char *const []){ __VA_ARGS__, NULL }, NULL, out, \
	    errors, err)

/* A git command that must work. */
#define GIT_OR_FAIL(repo, out, err, ...) \
	git_or_fail(repo, (const char *const []){ __VA_ARGS__, NULL }, out, \
		    err)

static int git_or_fail(struct repo *repo, const char *const *args,
		       struct strbuf *out, struct err *err)
{
	struct strbuf errors = STRBUF_INIT;
	int status = git(repo, args, NULL, out, &errors, err);

	if (status > 0)
		err_set(err, STATUS_USAGE, "'git %s' failed in our own "
			"repository: %.*s", args[0],
			(int)strcspn(errors.len ? errors.buf : "", "\n"),
			errors.len ? errors.buf : "");
	strbuf_release(&errors);
	return status ? -1 : 0;
}

static int write_file(const char *path, const char *text, size_t len,
		      struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
		      O_NOFOLLOW, 0644);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool bad;

	if (!file)
		return err_set(err, STATUS_USAGE, "cannot write '%s': %s",
			       path, strerror(errno));
	bad = len && fwrite(text, 1, len, file) != len;
	if (fclose(file) || bad)
		return err_set(err, STATUS_USAGE, "cannot write '%s': %s",
			       path, strerror(errno ? errno : EIO));
	return 0;
}

/* Every directory of @path behind the first @from characters. */
static int make_folders(struct prove *prove, const char *path, size_t from,
			struct err *err)
{
	char *copy = arena_strdup(prove->arena, path), *slash = copy + from;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			return err_set(err, STATUS_USAGE,
				       "cannot make '%s': %s", copy,
				       strerror(errno));
		*slash = '/';
	}
	return 0;
}

static int write_below(struct prove *prove, const char *dir, const char *path,
		       const char *text, size_t len, struct err *err)
{
	const char *full = arena_printf(prove->arena, "%s/%s", dir, path);

	if (make_folders(prove, full, strlen(prove->work), err))
		return -1;
	return write_file(full, text, len, err);
}

const char *prove_store(struct prove *prove, const char *name,
			const char *text, size_t len, struct err *err)
{
	const char *path = prove_printf(prove, "%s/%s", prove->work, name);

	return write_file(path, text, len, err) ? NULL : path;
}

static uint64_t reduced_hash(const struct prove_config *side,
			     const char *text, size_t len)
{
	struct strbuf out = STRBUF_INIT;
	uint64_t hash;

	prove_reduce(text, len, side->config, &out);
	hash = XXH3_64bits(out.len ? out.buf : "", out.len);
	strbuf_release(&out);
	return hash;
}

/* From @state on @file says @text (NULL: it is not there). */
static int put_version(struct prove *prove, struct prove_file *file,
		       size_t state, const char *text, size_t len,
		       struct err *err)
{
	uint64_t hash = text ? XXH3_64bits(text, len) + 1 : 0;
	struct prove_version *version;
	struct strbuf forced = STRBUF_INIT;
	size_t i, k = (size_t)(file - prove->file);

	for (i = 0; i < file->nversion; i++)
		if (file->version[i].hash == hash)
			break;
	for (size_t s = state; s <= prove->npatch; s++)
		file->at[s] = i;
	if (i < file->nversion)
		return 0;
	version = &file->version[file->nversion++];
	*version = (struct prove_version){ .hash = hash, .len = len };
	version->reduced = ARENA_ARRAY(prove->arena, uint64_t, prove->nside);
	if (!text)
		return 0;
	version->text = arena_strndup(prove->arena, text, len);
	for (size_t s = 0; s < prove->nside; s++)
		version->reduced[s] = reduced_hash(&prove->side[s], text, len);
	version->disk = prove_store(prove, arena_printf(prove->arena,
				    "file.%zu.%zu", k, i), text, len, err);
	if (!version->disk)
		return -1;
	for (size_t s = 0; s < prove->nside && !version->forced; s++) {
		if (!prove_force_on(text, len, prove->side[s].rules, &forced))
			continue;
		version->forced = prove_store(prove,
			arena_printf(prove->arena, "on.%zu.%zu", k, i),
			forced.buf, forced.len, err);
		strbuf_release(&forced);
		if (!version->forced)
			return -1;
	}
	return 0;
}

/* The files as the tree has them, committed. */
static int first_state(struct repo *repo, struct err *err)
{
	struct prove *prove = repo->prove;
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < prove->nfile; i++) {
		struct prove_file *file = &prove->file[i];
		size_t len = 0;
		const char *text = tree_read(prove->tree, NULL,
					     file->path, &len);

		file->version = ARENA_ARRAY(prove->arena,
					    struct prove_version,
					    prove->npatch + 1);
		file->at = ARENA_ARRAY(prove->arena, size_t,
				       prove->npatch + 1);
		if (put_version(prove, file, 0, text, len, err))
			return -1;
		if (text && write_below(prove, repo->dir, file->path, text,
					len, err))
			return -1;
	}
	if (GIT_OR_FAIL(repo, NULL, err, "init", "-q", "--template=") ||
	    GIT_OR_FAIL(repo, NULL, err, "add", "-A", "-f", ".") ||
	    GIT_OR_FAIL(repo, NULL, err, "commit", "-q", "--allow-empty",
			"--no-verify", "-m", "the tree") ||
	    GIT_OR_FAIL(repo, &out, err, "rev-parse", "HEAD")) {
		strbuf_release(&out);
		return -1;
	}
	repo->head = arena_strndup(prove->arena, out.buf,
				   strcspn(out.buf, "\n"));
	strbuf_release(&out);
	return 0;
}

static bool is_touched(const struct prove_patch *patch, const char *path)
{
	for (size_t i = 0; i < patch->ntouched; i++)
		if (!strcmp(patch->touched[i]->path, path))
			return true;
	return false;
}

/*
 * What git made of the patch must be what its text announced: NULL, or why
 * not. Rows are ":100644 100644 OLD NEW M", NUL, path, NUL.
 */
static const char *check_rows(const struct prove_patch *patch, const char *at,
			      const char *end)
{
	while (at < end) {
		const char *path = at + strlen(at) + 1;
		size_t len = strlen(at);

		if (path >= end || len < 20 || (at[len - 1] != 'M' &&
						at[len - 1] != 'A'))
			return "it does more than change and add files";
		if (strncmp(at + 8, "100644", 6) &&
		    strncmp(at + 8, "100755", 6))
			return "it makes something that is no plain file";
		if (!is_touched(patch, path))
			return "it changes a file that its diff does not name";
		at = path + strlen(path) + 1;
	}
	return NULL;
}

/* The new head is one commit on top of the old: 0 with repo->head moved. */
static int check_applied(struct repo *repo, const struct prove_patch *patch,
			 const char **why, struct err *err)
{
	struct prove *prove = repo->prove;
	struct strbuf out = STRBUF_INIT;
	const char *head = NULL;
	size_t len;
	int ret = -1;

	if (GIT_OR_FAIL(repo, &out, err, "rev-list", "--parents", "-n1",
			"HEAD"))
		goto out;
	len = strcspn(out.buf, " \n");
	ret = 0;
	if (out.buf[len] != ' ' || strncmp(out.buf + len + 1, repo->head,
					   strlen(repo->head))) {
		*why = "it is not one patch";
		goto out;
	}
	head = arena_strndup(prove->arena, out.buf, len);
	out.len = 0;
	ret = GIT_OR_FAIL(repo, &out, err, "diff-tree", "-r", "-z",
			  "--no-renames", repo->head, head);
	if (!ret)
		*why = check_rows(patch, out.len ? out.buf : "",
				  out.buf + out.len);
	if (!ret && !*why)
		repo->head = head;
out:
	strbuf_release(&out);
	return ret;
}

static int take_files(struct repo *repo, struct prove_patch *patch,
		      size_t state, struct err *err)
{
	struct prove *prove = repo->prove;

	for (size_t i = 0; i < patch->ntouched; i++) {
		struct prove_file *file = patch->touched[i];
		struct strbuf text = STRBUF_INIT;
		int ret;

		if (strbuf_read_file(&text, arena_printf(prove->arena, "%s/%s",
				     repo->dir, file->path), err))
			return -1;
		ret = put_version(prove, file, state,
				  text.buf ? text.buf : "", text.len, err);
		strbuf_release(&text);
		if (ret)
			return -1;
	}
	return 0;
}

/* The line of git's that tells why, on one line. */
static const char *first_error(struct prove *prove, const struct strbuf *text)
{
	const char *at = text->len ? text->buf : "";
	const char *error = strstr(at, "error: ");

	if (error)
		at = error + 7;
	return arena_strndup(prove->arena, at, strcspn(at, "\n"));
}

static int apply(struct repo *repo, struct prove_patch *patch, size_t state,
		 struct err *err)
{
	struct prove *prove = repo->prove;
	struct prove_result *result = &patch->result[PROVE_APPLIES];
	struct strbuf log = STRBUF_INIT, id = STRBUF_INIT, text = STRBUF_INIT;
	const struct strbuf none = STRBUF_INIT;
	const char *why = NULL;
	int status, ret = -1;

	strbuf_add(&text, patch->text, patch->len);
	status = git(repo, (const char *const []){ "patch-id", "--stable",
		     NULL }, &text, &id, NULL, err);
	if (status)
		goto out;
	patch->id = arena_strndup(prove->arena, id.len ? id.buf : "",
				  strcspn(id.len ? id.buf : "", " \n"));
	status = git(repo, (const char *const []){ "am", "-q", "--no-3way",
		     NULL }, &text, &log, &log, err);
	if (status < 0)
		goto out;
	if (status)
		why = first_error(prove, &log);
	else if (check_applied(repo, patch, &why, err))
		goto out;
	ret = 0;
	if (!why) {
		patch->applied = true;
		result->verdict = PROVE_PASS;
		result->why = "";
		ret = take_files(repo, patch, state, err);
	} else {
		result->verdict = PROVE_FAIL;
		result->why = why;
		/* nothing may be left of it for those that follow */
		status = GIT(repo, NULL, NULL, err, "am", "--abort");
		if (status < 0 ||
		    GIT_OR_FAIL(repo, NULL, err, "reset", "-q", "--hard",
				repo->head) ||
		    GIT_OR_FAIL(repo, NULL, err, "clean", "-fdxq"))
			ret = -1;
	}
	if (!ret)
		prove_log(prove, patch, PROVE_APPLIES,
			  patch->applied ? &none : &log);
out:
	strbuf_release(&log);
	strbuf_release(&id);
	strbuf_release(&text);
	return ret;
}

int prove_states_make(struct prove *prove, struct err *err)
{
	struct repo repo = {
		.prove = prove,
		.dir = arena_printf(prove->arena, "%s/repo", prove->work),
	};
	uint64_t key = 0;

	repo.git_dir = arena_printf(prove->arena, "GIT_DIR=%s/.git", repo.dir);
	repo.work_tree = arena_printf(prove->arena, "GIT_WORK_TREE=%s",
				      repo.dir);
	if (mkdir(repo.dir, 0777))
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s",
			       repo.dir, strerror(errno));
	if (first_state(&repo, err))
		return -1;
	for (size_t i = 0; i < prove->npatch; i++) {
		struct prove_patch *patch = &prove->patch[i];

		if (apply(&repo, patch, i + 1, err))
			return -1;
		if (patch->applied)
			key = XXH3_64bits_withSeed(patch->id,
						   strlen(patch->id), key);
		patch->key = XXH3_64bits_withSeed(patch->id,
						  strlen(patch->id), key);
	}
	return 0;
}

int prove_headers_write(struct prove *prove, struct prove_config *side,
			struct err *err)
{
	const struct config *config = side->config;
	const size_t prefix = sizeof(TREE_GENERATED);

	side->headers = arena_printf(prove->arena, "%s/headers.%zu",
				     prove->work, side->number);
	if (mkdir(side->headers, 0777))
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s",
			       side->headers, strerror(errno));
	for (size_t i = 0; i < config->nfile; i++) {
		const struct memfile *file = &config->file[i];

		if (strncmp(file->path, TREE_GENERATED "/", prefix))
			continue;
		if (write_below(prove, side->headers, file->path + prefix,
				file->text, file->len, err))
			return -1;
	}
	return 0;
}

static void put_json(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_addch(out, '\\');
		if ((unsigned char)*text < ' ')
			strbuf_addf(out, "\\u%04x", *text);
		else
			strbuf_addch(out, *text);
	}
	strbuf_addch(out, '"');
}

static void add_entry(struct strbuf *out, bool *first, const char *path,
		      const char *disk)
{
	if (!*first)
		strbuf_addstr(out, ",\n");
	*first = false;
	strbuf_addstr(out, "{ \"type\": \"file\", \"name\": ");
	put_json(out, path);
	strbuf_addstr(out, ", \"external-contents\": ");
	put_json(out, disk);
	strbuf_addstr(out, " }");
}

static bool is_ours(const struct prove *prove, const char *path)
{
	for (size_t i = 0; i < prove->nfile; i++)
		if (!strcmp(prove->file[i].path, path))
			return true;
	return false;
}

/* Headers that kbuild would make in the tree itself, on the disk. */
static int add_made(struct prove *prove, const struct prove_config *side,
		    struct strbuf *out, bool *first, struct err *err)
{
	const struct config *config = side->config;
	const size_t root = strlen(prove->tree->root);

	for (size_t i = 0; i < config->nfile; i++) {
		const struct memfile *file = &config->file[i];
		const char *disk;

		if (strncmp(file->path, prove->tree->root, root) ||
		    file->path[root] != '/' ||
		    is_ours(prove, file->path + root + 1))
			continue;
		disk = prove_store(prove, arena_printf(prove->arena,
				   "made.%zu.%zu", side->number, i),
				   file->text, file->len, err);
		if (!disk)
			return -1;
		add_entry(out, first, file->path, disk);
	}
	return 0;
}

static const char *write_overlay(struct prove *prove, size_t state,
				 const struct prove_config *side, bool forced,
				 struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	const char *path = NULL;
	bool first = true;

	strbuf_addstr(&out, "{ \"version\": 0, \"use-external-names\": false, "
		      "\"roots\": [\n");
	for (size_t i = 0; i < prove->nfile; i++) {
		const struct prove_file *file = &prove->file[i];
		const struct prove_version *version = prove_version(file,
								    state);

		if (!version->text)
			continue;
		add_entry(&out, &first,
			  arena_printf(prove->arena, "%s/%s",
				       prove->tree->root, file->path),
			  forced && version->forced ? version->forced :
						      version->disk);
	}
	if (!add_made(prove, side, &out, &first, err)) {
		strbuf_addstr(&out, "\n] }\n");
		path = prove_store(prove, arena_printf(prove->arena,
				   "%s.%zu.%zu.yaml", forced ? "on" : "state",
				   side->number, state), out.buf, out.len,
				   err);
	}
	strbuf_release(&out);
	return path;
}

int prove_overlays_write(struct prove *prove, struct prove_config *side,
			 struct err *err)
{
	side->overlay = ARENA_ARRAY(prove->arena, const char *,
				    prove->npatch + 1);
	side->forced = ARENA_ARRAY(prove->arena, const char *,
				   prove->npatch + 1);
	for (size_t state = 0; state <= prove->npatch; state++) {
		side->overlay[state] = write_overlay(prove, state, side,
						     false, err);
		side->forced[state] = write_overlay(prove, state, side, true,
						    err);
		if (!side->overlay[state] || !side->forced[state])
			return -1;
	}
	return 0;
}
