// SPDX-License-Identifier: GPL-2.0-only
#include "git.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyzer/base/process.h"
#include "../analyzer/interrupt.h"

/* git on a few files: one that takes longer is stuck. */
#define GIT_SECONDS 300

static const char *const quiet[] = {
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
	"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
	"GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "GIT_EDITOR=false",
	"GIT_OPTIONAL_LOCKS=0", "LC_ALL=C", "TZ=UTC0",
};
#define NQUIET (sizeof(quiet) / sizeof(quiet[0]))

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

static int split_author(struct git *git, const char *author, struct err *err)
{
	const char *open = strchr(author, '<');
	const char *close = open ? strchr(open, '>') : NULL;
	size_t len = open ? (size_t)(open - author) : 0;

	while (len && author[len - 1] == ' ')
		len--;
	if (!close || close[1] || close == open + 1 || !len ||
	    has_control(author) || strpbrk(open + 1, "< "))
		return err_set(err, STATUS_USAGE,
			       "'%s' is not of the form \"Name <address>\"",
			       author);
	git->name = arena_strndup(git->arena, author, len);
	git->email = arena_strndup(git->arena, open + 1,
				   (size_t)(close - open) - 1);
	return 0;
}

int git_author_check(const char *author, struct arena *arena,
		     struct err *err)
{
	struct git git = { .arena = arena };

	return split_author(&git, author, err);
}

/* What git reads of the user's environment is taken out, then ours put in. */
static void make_env(struct git *git)
{
	struct arena *arena = git->arena;
	size_t n = 0;

	while (environ[n])
		n++;
	git->env = ARENA_ARRAY(arena, const char *, n + NQUIET + 10);
	n = 0;
	for (char **one = environ; *one; one++)
		if (!strncmp(*one, "GIT_", 4))
			git->env[n++] = arena_strndup(arena, *one,
						      strcspn(*one, "="));
	memcpy(git->env + n, quiet, sizeof(quiet));
	n += NQUIET;
	git->env[n++] = arena_printf(arena, "GIT_DIR=%s/.git", git->dir);
	git->env[n++] = arena_printf(arena, "GIT_WORK_TREE=%s", git->dir);
	git->env[n++] = arena_printf(arena, "HOME=%s", git->dir);
	git->env[n++] = arena_printf(arena, "GIT_AUTHOR_NAME=%s", git->name);
	git->env[n++] = arena_printf(arena, "GIT_AUTHOR_EMAIL=%s",
				     git->email);
	git->env[n++] = arena_printf(arena, "GIT_AUTHOR_DATE=%s", git->date);
	git->env[n++] = arena_printf(arena, "GIT_COMMITTER_NAME=%s",
				     git->name);
	git->env[n++] = arena_printf(arena, "GIT_COMMITTER_EMAIL=%s",
				     git->email);
	git->env[n++] = arena_printf(arena, "GIT_COMMITTER_DATE=%s",
				     git->date);
}

int git_init(struct git *git, const char *author, const char *date,
	     struct arena *arena, struct err *err)
{
	const char *const init[] = {
		"init", "-q", "--template=", "--initial-branch=series", NULL
	};

	*git = (struct git){
		.arena = arena, .name = "nocharge",
		.email = "nocharge@localhost", .date = date ? date : "@0 +0000",
	};
	if (author && split_author(git, author, err))
		return -1;
	if (scratch_make(&git->scratch, NULL, err))
		return -1;
	git->dir = git->scratch.dir;
	make_env(git);
	if (git_run(git, init, NULL, NULL, err)) {
		git_release(git);
		return -1;
	}
	return 0;
}

void git_release(struct git *git)
{
	scratch_remove(&git->scratch);
	git->dir = NULL;
}

int git_run(struct git *git, const char *const *argv, const char *input,
	    struct strbuf *out, struct err *err)
{
	static const char *const own[] = {
		"git", "-c", "core.hooksPath=/dev/null", "-c",
		"core.autocrlf=false", "-c", "core.attributesFile=/dev/null",
		"-c", "commit.gpgSign=false", "-c", "gc.auto=0", "-c",
		"diff.algorithm=myers", "-c", "core.abbrev=12",
	};
	const size_t nown = sizeof(own) / sizeof(own[0]);
	struct strbuf errors = STRBUF_INIT;
	struct process process = {
		.dir = git->dir, .env = git->env, .input = input,
		.input_len = input ? strlen(input) : 0,
		.seconds = GIT_SECONDS, .interrupted = interrupt_flag(),
	};
	const char **all;
	size_t n = 0;
	int status;

	while (argv[n])
		n++;
	all = ARENA_ARRAY(git->arena, const char *, nown + n + 1);
	memcpy(all, own, sizeof(own));
	memcpy(all + nown, argv, n * sizeof(*argv));
	process.argv = all;
	status = process_run(&process, out, &errors, err);
	if (status > 0)
		err_set(err, STATUS_USAGE, "git %s: %.*s", argv[0],
			(int)strcspn(errors.buf ? errors.buf : "", "\n"),
			errors.buf ? errors.buf : "");
	strbuf_release(&errors);
	return status ? -1 : 0;
}

static int make_folders(char *path, size_t root)
{
	for (char *s = path + root + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			return -1;
		*s = '/';
	}
	return 0;
}

int git_put(struct git *git, const char *path, const char *text, size_t len,
	    struct err *err)
{
	char *full = arena_printf(git->arena, "%s/%s", git->dir, path);
	FILE *file = NULL;
	bool bad;

	if (!make_folders(full, strlen(git->dir)))
		file = fopen(full, "w");
	if (!file)
		return err_set(err, STATUS_USAGE, "cannot write '%s': %s",
			       full, strerror(errno));
	bad = fwrite(text, 1, len, file) != len;
	if (fclose(file) || bad)
		return err_set(err, STATUS_USAGE, "cannot write '%s': %s",
			       full, strerror(errno));
	return 0;
}

int git_get(struct git *git, const char *path, struct strbuf *out,
	    struct err *err)
{
	return strbuf_read_file(out, arena_printf(git->arena, "%s/%s",
						  git->dir, path), err);
}

int git_commit(struct git *git, const char *message, struct err *err)
{
	const char *const add[] = { "add", "-A", NULL };
	const char *const commit[] = {
		"commit", "-q", "--no-verify", "--allow-empty",
		"--cleanup=whitespace", "-F", "-", NULL
	};

	if (git_run(git, add, NULL, NULL, err))
		return -1;
	return git_run(git, commit, message, NULL, err);
}

/* The hash at the start of @text, or NULL. */
static char *hash_at(const char *text, struct arena *arena)
{
	size_t len = strspn(text, "0123456789abcdef");

	return len == 40 || len == 64 ? arena_strndup(arena, text, len)
				      : NULL;
}

char *git_commit_id(struct git *git, struct err *err)
{
	const char *const argv[] = { "rev-parse", "HEAD", NULL };
	struct strbuf out = STRBUF_INIT;
	char *id = NULL;

	if (!git_run(git, argv, NULL, &out, err))
		id = hash_at(out.buf ? out.buf : "", git->arena);
	strbuf_release(&out);
	return id;
}

static char *ask_identity(const char *key, struct arena *arena)
{
	const char *const argv[] = { "git", "config", "--global", "--get",
				     key, NULL };
	const struct process process = {
		.argv = argv, .dir = "/", .seconds = 10,
		.interrupted = interrupt_flag(),
	};
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	char *text = NULL;

	if (!process_run(&process, &out, NULL, &err) && out.len)
		text = arena_strndup(arena, out.buf, strcspn(out.buf, "\n"));
	err_clear(&err);
	strbuf_release(&out);
	return text && *text ? text : NULL;
}

char *git_identity(struct arena *arena)
{
	const char *name = getenv("GIT_AUTHOR_NAME");
	const char *email = getenv("GIT_AUTHOR_EMAIL");

	if (!name || !*name)
		name = ask_identity("user.name", arena);
	if (!email || !*email)
		email = ask_identity("user.email", arena);
	if (!name || !email)
		return NULL;
	return arena_printf(arena, "%s <%s>", name, email);
}

/* The first line of DIR/NAME, in the arena, or NULL. */
static char *first_line(const char *dir, const char *name,
			struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	char *line = NULL;

	if (!strbuf_read_file(&text, arena_printf(arena, "%s/%s", dir, name),
			      NULL) && text.len)
		line = arena_strndup(arena, text.buf,
				     strcspn(text.buf, "\r\n"));
	strbuf_release(&text);
	return line;
}

static const char *path_from(const char *dir, const char *path,
			     struct arena *arena)
{
	return *path == '/' ? path : arena_printf(arena, "%s/%s", dir, path);
}

/* "HASH NAME" in a line of @packed. */
static char *packed_ref(const char *packed, const char *name,
			struct arena *arena)
{
	for (const char *at = packed; (at = strstr(at, name)); at++) {
		const char *line = at;

		if (at[strlen(name)] != '\n' || at == packed || at[-1] != ' ')
			continue;
		while (line > packed && line[-1] != '\n')
			line--;
		return hash_at(line, arena);
	}
	return NULL;
}

/* Of a worktree or submodule .git is a file that tells where. */
const char *git_folder(const char *tree, struct arena *arena)
{
	const char *line = first_line(tree, ".git", arena);

	return line && !strncmp(line, "gitdir: ", 8) ?
	       path_from(tree, line + 8, arena) :
	       arena_printf(arena, "%s/.git", tree);
}

/* What several worktrees have in common. */
static const char *common_dir(const char *dir, struct arena *arena)
{
	const char *line = first_line(dir, "commondir", arena);

	return line ? path_from(dir, line, arena) : dir;
}

int git_borrow(struct git *git, const char *tree, struct err *err)
{
	const char *dir = git_folder(tree, git->arena), *line;

	line = arena_printf(git->arena, "%s/objects\n",
			    common_dir(dir, git->arena));
	if (*line != '/' || strchr(line, '\n')[1])
		return err_set(err, STATUS_USAGE,
			       "git cannot be told where '%s' is", tree);
	return git_put(git, ".git/objects/info/alternates", line,
		       strlen(line), err);
}

char *git_head(const char *tree, struct arena *arena)
{
	const char *dir = git_folder(tree, arena), *common;
	struct strbuf packed = STRBUF_INIT;
	char *line, *name, *hash;

	line = first_line(dir, "HEAD", arena);
	if (!line || strncmp(line, "ref: refs/", 10))
		return line ? hash_at(line, arena) : NULL;
	name = line + 5;
	if (strstr(name, ".."))
		return NULL;
	common = common_dir(dir, arena);
	line = first_line(dir, name, arena);
	if (!line)
		line = first_line(common, name, arena);
	if (line)
		return hash_at(line, arena);
	hash = strbuf_read_file(&packed, arena_printf(arena, "%s/packed-refs",
						      common), NULL) ||
	       !packed.len ? NULL : packed_ref(packed.buf, name, arena);
	strbuf_release(&packed);
	return hash;
}

char *git_patch_id(struct git *git, const char *patch, struct err *err)
{
	const char *const argv[] = { "patch-id", "--stable", NULL };
	struct strbuf out = STRBUF_INIT;
	char *id = NULL;

	if (!git_run(git, argv, patch, &out, err)) {
		id = hash_at(out.buf ? out.buf : "", git->arena);
		if (!id)
			err_set(err, STATUS_USAGE, "a patch without a diff "
				"has no id");
	}
	strbuf_release(&out);
	return id;
}
