// SPDX-License-Identifier: GPL-2.0-only
#include "series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyzer/base/process.h"
#include "../analyzer/interrupt.h"
#include "../analyzer/progress.h"
#include "git.h"
#include "history.h"
#include "json_out.h"
#include "kerneldoc.h"
#include "message.h"
#include "out.h"
#include "send.h"
#include "series_dir.h"
#include "source.h"
#include "series_check.h"
#include "spatch.h"

/* What is asked for its version answers at once. */
#define START_SECONDS 20

/* So often spatch may fail where it has not done anything yet. */
#define SPATCH_TRIES 3

/* One that is under way. */
struct writing {
	struct series *series;
	struct arena *arena;
	struct git git;
	struct message message;
	const char **file;       /* all that is in the repository */
	size_t nfile;
	const struct patch **done;
	const char **commit;     /* of each of those */
	size_t ndone;
	const char *failed;      /* what spatch said where it failed last */
	size_t nfailed;
};

static const char *date_of(struct series *s)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	struct stat st;
	long long newest = 0;

	if (epoch && *epoch)
		return arena_printf(s->arena, "@%s +0000", epoch);
	/* what the series touches, and what says the version */
	if (!stat(arena_printf(s->arena, "%s/Makefile", s->tree->root), &st))
		newest = st.st_mtime;
	for (size_t i = 0; i < s->plan->npatch; i++)
		for (size_t k = 0; k < s->plan->patch[i].nedit; k++)
			if (!stat(arena_printf(s->arena, "%s/%s",
					s->tree->root,
					s->plan->patch[i].edit[k].file),
				  &st) && st.st_mtime > newest)
				newest = st.st_mtime;
	return arena_printf(s->arena, "@%lld +0000", newest);
}

/* --- one patch --- */

static int put_file(struct writing *w, const char *path, struct err *err)
{
	const char *text;
	size_t len;

	for (size_t i = 0; i < w->nfile; i++)
		if (!strcmp(w->file[i], path))
			return 0;
	text = tree_read(w->series->tree, NULL, path, &len);
	if (!text)
		return err_set(err, STATUS_USAGE, "'%s' cannot be read",
			       path);
	w->file[w->nfile++] = path;
	return git_put(&w->git, path, text, len, err);
}

/* The name that a function's body has with this patch and those before. */
static const char *name_now(struct writing *w, const struct patch *patch,
			    const char *name)
{
	for (size_t i = 0; i < patch->nrename; i++)
		if (!strcmp(patch->rename[i].name, name))
			return patch->rename[i].inner;
	for (size_t i = 0; i < w->ndone; i++)
		for (size_t k = 0; k < w->done[i]->nrename; k++)
			if (!strcmp(w->done[i]->rename[k].name, name))
				return w->done[i]->rename[k].inner;
	return name;
}

/* Does it stand there, brought by a patch or an edit before? */
static bool stands(struct writing *w, const char *path, const char *what,
		   bool word)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	bool found = false;

	if (!git_get(&w->git, path, &text, &err) && text.len)
		found = word ? source_names(text.buf, what) :
			       strstr(text.buf, what) != NULL;
	err_clear(&err);
	strbuf_release(&text);
	return found;
}

/* What is still said of a function that has another name now, or NULL. */
static const char *left_behind(struct writing *w, const struct edit *edit)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	const char *macro = NULL, *why = NULL;

	if (!git_get(&w->git, edit->file, &text, &err) && text.len) {
		macro = source_declarer(text.buf, edit->renames, w->arena);
		if (macro)
			why = arena_printf(w->arena, "%s(%s) in %s cannot be "
				"said of an inline wrapper", macro,
				edit->renames, edit->file);
		else if (source_definition(text.buf, edit->renames))
			why = arena_printf(w->arena, "%s defines it more than "
				"once", edit->file);
	}
	err_clear(&err);
	strbuf_release(&text);
	return why;
}

/* What spatch was given as a call becomes the test itself. */
static int put_test(struct writing *w, const char *path, const char *test,
		    struct err *err)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	const char *s, *found;
	int ret = git_get(&w->git, path, &text, err);

	for (s = text.buf; !ret && s && (found = strstr(s, PLAN_TEST "()"));
	     s = found + strlen(PLAN_TEST "()")) {
		strbuf_add(&out, s, (size_t)(found - s));
		strbuf_addstr(&out, test);
	}
	if (!ret && s) {
		strbuf_addstr(&out, s);
		ret = git_put(&w->git, path, out.buf, out.len, err);
	}
	strbuf_release(&text);
	strbuf_release(&out);
	return ret;
}

static int undo(struct writing *w, struct err *err)
{
	const char *const argv[] = { "checkout", "-q", "-f", "--", ".", NULL };

	return git_run(&w->git, argv, NULL, NULL, err);
}

/* NULL, or why no patch can be made of that file. */
static const char *unfit(struct writing *w, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	const char *why = NULL;

	if (!git_get(&w->git, path, &text, &err) && text.len) {
		if (strlen(text.buf) != text.len)
			why = arena_printf(w->arena, "%s has a NUL byte: it "
					   "is no text", path);
		else if (strstr(text.buf, "\r\n"))
			why = arena_printf(w->arena, "%s has lines that end "
				"in CR LF, and git am takes the CR away",
				path);
	}
	err_clear(&err);
	strbuf_release(&text);
	return why;
}

static bool is_done(const struct writing *w, const struct patch *patch)
{
	for (size_t i = 0; i < w->ndone; i++)
		if (w->done[i] == patch)
			return true;
	return false;
}

/* As spatch_run(), for what is no C. */
static int place(struct writing *w, const struct edit *edit,
		 const char **why, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	char *after = NULL;
	int ret = git_get(&w->git, edit->file, &text, err);

	*why = NULL;
	if (!ret)
		after = edit->place(edit, text.buf ? text.buf : "", why,
				    w->arena);
	if (after)
		ret = git_put(&w->git, edit->file, after, strlen(after), err) ?
			-1 : strcmp(after, text.buf) != 0;
	strbuf_release(&text);
	return ret;
}

/* NULL, or why the edits did not take hold; -1 in *@ret for an error. */
static const char *apply(struct writing *w, const struct patch *patch,
			 int *ret, struct err *err)
{
	const char *why = NULL;

	*ret = 0;
	for (size_t i = 0; i < patch->nedit && !why; i++)
		why = unfit(w, patch->edit[i].file);
	if (why)
		return why;
	for (size_t i = 0; i < patch->nedit; i++) {
		struct edit edit = patch->edit[i];
		int changed;

		if (edit.once && stands(w, edit.file, edit.once, false))
			continue;
		if (edit.with && !is_done(w, edit.with))
			continue;
		for (size_t k = 0; k < edit.nname; k++)
			if (!strcmp(edit.name[k].name, "caller") ||
			    (!strcmp(edit.name[k].name, "fn") &&
			     strcmp(edit.cocci, "follow") &&
			     strcmp(edit.cocci, "wrap") &&
			     !strcmp(patch->kind, "unguard")))
				edit.name[k].value =
					name_now(w, patch,
						 edit.name[k].value);
		for (size_t k = 0; edit.test && k < edit.nname; k++)
			if (!strcmp(edit.name[k].name, "predicate"))
				edit.name[k].value = PLAN_TEST;
		changed = edit.place ? place(w, &edit, &why, err) :
			spatch_run(&edit, w->git.dir, &why, w->arena, err);
		if (why && edit.place)
			return why;
		if (why) {
			w->failed = why;
			w->nfailed++;
			return why;
		}
		if (changed > 0 && edit.test &&
		    put_test(w, edit.file, edit.test, err))
			changed = -1;
		if (changed < 0) {
			*ret = -1;
			return NULL;
		}
		if (!changed && !edit.optional)
			return arena_printf(w->arena, "spatch changes nothing "
				"in %s by %s.cocci: the function or its "
				"declaration has a shape that it does not "
				"know", edit.file, edit.cocci);
		if (edit.gone && stands(w, edit.file, edit.gone, true))
			return arena_printf(w->arena, "'%s' is used in %s in "
				"a way that a static key has no form for",
				edit.gone, edit.file);
		why = edit.renames ? left_behind(w, &edit) : NULL;
		if (why)
			return why;
	}
	for (size_t i = 0; i < patch->nrename && !*ret; i++)
		*ret = kerneldoc_move(&w->git, &patch->rename[i], err);
	return NULL;
}

static bool is_asked(const struct series *s, const struct patch *patch)
{
	for (size_t i = 0; i < patch->nremedy; i++)
		if (names_have(&s->asked, patch->remedy[i]->finding->id))
			return true;
	return false;
}

static void leave_alone(struct writing *w, const struct patch *patch,
			const char *why)
{
	struct plan *plan = w->series->plan;

	for (size_t i = 0; i < patch->nremedy; i++) {
		const struct finding *f = patch->remedy[i]->finding;

		if (!names_have(&w->series->asked, f->id))
			continue;
		plan->left[plan->nleft++] = (struct left_alone){
			.finding = f, .file = f->file, .line = f->line,
			.why = why,
		};
	}
}

/* Is what it needs not in the series? */
static const char *lacks(struct writing *w, const struct patch *patch)
{
	for (size_t i = 0; i < w->ndone; i++)
		if (patch->needs && !strcmp(w->done[i]->function,
					    patch->needs))
			return NULL;
	return patch->needs ? arena_printf(w->arena, "it needs the patch for "
			"'%s', which is not in the series", patch->needs) :
			NULL;
}

/* Edit and commit, or leave alone what it is for. */
static int make_patch(struct writing *w, const struct patch *patch,
		      struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	const char *why;
	int ret;

	why = lacks(w, patch);
	if (why) {
		leave_alone(w, patch, why);
		return 0;
	}
	why = apply(w, patch, &ret, err);
	if (ret)
		return -1;
	if (why) {
		leave_alone(w, patch, why);
		return undo(w, err);
	}
	message_patch(&w->message, patch, &text);
	ret = git_commit(&w->git, text.buf, err);
	strbuf_release(&text);
	if (ret)
		return -1;
	w->commit[w->ndone] = git_commit_id(&w->git, err);
	w->done[w->ndone++] = patch;
	return w->commit[w->ndone - 1] ? 0 : -1;
}

/* The patch as it was made before, or made once more where that is no fit. */
static int pick(struct writing *w, const struct patch *patch,
		const char *commit, struct err *err)
{
	const char *const argv[] = { "cherry-pick", commit, NULL };
	const char *const abort[] = { "cherry-pick", "--abort", NULL };
	struct err conflict = { 0 };

	/* what it leaned on, or did without for one before, may be gone */
	if (patch->needs)
		return make_patch(w, patch, err);
	for (size_t i = 0; i < patch->nedit; i++)
		if (patch->edit[i].once || patch->edit[i].with)
			return make_patch(w, patch, err);
	if (!git_run(&w->git, argv, NULL, NULL, &conflict)) {
		w->commit[w->ndone] = git_commit_id(&w->git, err);
		w->done[w->ndone++] = patch;
		return w->commit[w->ndone - 1] ? 0 : -1;
	}
	err_clear(&conflict);
	if (git_run(&w->git, abort, NULL, NULL, err))
		return -1;
	return make_patch(w, patch, err);
}

/* Take out what turns out to be wrong, and begin again from the base. */
static int keep_right(struct writing *w, bool *again, struct err *err)
{
	const char *const back[] = {
		"reset", "-q", "--hard",
		arena_printf(w->arena, "HEAD~%zu", w->ndone), NULL
	};
	const struct patch **patch = ARENA_ARRAY(w->arena,
						 const struct patch *,
						 w->ndone);
	const char **commit = ARENA_ARRAY(w->arena, const char *, w->ndone);
	const char **why = ARENA_ARRAY(w->arena, const char *, w->ndone);
	size_t n = w->ndone;

	*again = false;
	if (!n)
		return 0;
	if (series_check(&w->git, w->series->tree->root, w->series->options,
			 w->file, w->nfile, w->done, w->commit, n, why, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		*again |= why[i] != NULL;
	if (!*again)
		return 0;
	memcpy(patch, w->done, n * sizeof(*patch));
	memcpy(commit, w->commit, n * sizeof(*commit));
	w->ndone = 0;
	if (git_run(&w->git, back, NULL, NULL, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (why[i])
			leave_alone(w, patch[i], why[i]);
		else if (pick(w, patch[i], commit[i], err))
			return -1;
	}
	return 0;
}

/* To take one out may show what is wrong with another; each goes only once. */
static int settle(struct writing *w, struct err *err)
{
	bool again = true;

	while (again)
		if (keep_right(w, &again, err))
			return -1;
	return 0;
}

/* What is asked for, of that the dearest where only so many are. */
static bool *choose(const struct series *s)
{
	const struct plan *plan = s->plan;
	bool *wanted = ARENA_ARRAY(s->arena, bool, plan->npatch);
	size_t n = 0;

	for (size_t i = 0; i < plan->npatch; i++) {
		wanted[i] = is_asked(s, &plan->patch[i]);
		n += wanted[i];
	}
	for (; s->top && n > s->top; n--) {
		size_t least = plan->npatch;

		/* of equal ones the last */
		for (size_t i = 0; i < plan->npatch; i++)
			if (wanted[i] && (least == plan->npatch ||
					  plan->patch[i].saves <=
					  plan->patch[least].saves))
				least = i;
		wanted[least] = false;
	}
	return wanted;
}

static int make_all(struct writing *w, struct err *err)
{
	struct plan *plan = w->series->plan;
	bool *wanted = choose(w->series);
	struct progress progress;
	int ret = 0;

	for (size_t i = 0; i < plan->npatch; i++)
		for (size_t k = 0; k < plan->patch[i].nedit; k++)
			if (put_file(w, plan->patch[i].edit[k].file, err))
				return -1;
	if (git_commit(&w->git, "base", err))
		return -1;
	progress_start(&progress, "writing patches");
	for (size_t i = 0; i < plan->npatch && !ret; i++) {
		const struct patch *patch = &plan->patch[i];

		progress_step(&progress, i, plan->npatch);
		if (wanted[i])
			ret = make_patch(w, patch, err);
		if (!w->ndone && w->nfailed == SPATCH_TRIES)
			break;
	}
	progress_stop(&progress);
	/* then it is not the functions that it fails on */
	if (!ret && !w->ndone && w->nfailed)
		ret = err_set(err, STATUS_USAGE, "%s", w->failed);
	return ret;
}

/* --- the files --- */

/* From and Date as git writes them: names may need quotes or an encoding. */
static int add_sender(struct writing *w, struct strbuf *text,
		      struct err *err)
{
	const char *const argv[] = { "log", "-1", "-s", "--format=email",
				     NULL };
	struct strbuf mail = STRBUF_INIT;
	const char *from, *end;
	int ret = git_run(&w->git, argv, NULL, &mail, err);

	from = ret ? NULL : strstr(mail.buf, "\nFrom: ");
	end = from ? strstr(from, "\nSubject: ") : NULL;
	if (end)
		strbuf_add(text, from + 1, (size_t)(end - from));
	else if (!ret)
		ret = err_set(err, STATUS_USAGE, "git says no sender");
	strbuf_release(&mail);
	return ret;
}

static int write_cover(struct writing *w, const char *dir, struct err *err)
{
	static const char *const stat[] = {
		"diff", "--stat=75", "--summary", NULL, "HEAD", NULL
	};
	static const char mime[] =
		"MIME-Version: 1.0\n"
		"Content-Type: text/plain; charset=UTF-8\n"
		"Content-Transfer-Encoding: 8bit\n";
	const char *argv[6];
	struct series *s = w->series;
	struct strbuf text = STRBUF_INIT, body = STRBUF_INIT;
	const char *head = git_head(s->tree->root, w->arena);
	struct plan shown = *s->plan;
	int ret;

	shown.patch = ARENA_ARRAY(w->arena, struct patch, w->ndone);
	shown.npatch = w->ndone;
	for (size_t i = 0; i < w->ndone; i++)
		shown.patch[i] = *w->done[i];
	memcpy(argv, stat, sizeof(argv));
	argv[3] = arena_printf(w->arena, "HEAD~%zu", w->ndone);
	message_cover(&w->message, &shown, &body);
	ret = git_run(&w->git, argv, NULL, &body, err);
	if (head)
		strbuf_addf(&body, "\nbase-commit: %s\n", head);
	strbuf_addf(&text, "From %040d Mon Sep 17 00:00:00 2001\n", 0);
	if (!ret)
		ret = add_sender(w, &text, err);
	strbuf_addf(&text, "Subject: [PATCH %0*d/%zu] %s\n",
		    snprintf(NULL, 0, "%zu", w->ndone), 0, w->ndone,
		    message_cover_subject(&w->message, &shown));
	for (size_t i = 0; i < body.len; i++)
		if (body.buf[i] & 0x80) {
			strbuf_addstr(&text, mime);
			break;
		}
	strbuf_addf(&text, "\n%s-- \nnocharge %s\n", body.buf,
		    s->tool_version);
	strbuf_release(&body);
	if (!ret)
		ret = series_dir_write(arena_printf(w->arena,
				"%s/0000-cover-letter.patch", dir),
				text.buf, text.len, err);
	strbuf_release(&text);
	return ret;
}

/* Of its findings, each once. */
static void write_rules(struct json_out *json, const struct patch *patch)
{
	json_out_open(json, "rules", '[');
	for (size_t i = 0; i < patch->nremedy; i++) {
		const char *rule = patch->remedy[i]->finding->rule;
		size_t k = 0;

		while (strcmp(patch->remedy[k]->finding->rule, rule))
			k++;
		if (k == i)
			json_out_string(json, NULL, rule);
	}
	json_out_close(json);
}

/* The findings' functions, without names that the patch made up. */
static void write_functions(struct writing *w, struct json_out *json,
			    const struct patch *patch)
{
	const char **name = ARENA_ARRAY(w->arena, const char *,
					patch->nremedy);
	size_t n = 0;

	for (size_t i = 0; i < patch->nremedy; i++) {
		const char *function = patch->remedy[i]->finding->function;
		size_t k;

		for (k = 0; k < n; k++)
			if (!strcmp(name[k], function))
				break;
		if (k == n)
			name[n++] = function;
	}
	json_out_strings(json, "functions", name, n);
}

static int write_patch(struct writing *w, struct json_out *json,
		       const struct patch *patch, const char *name,
		       size_t nth, struct err *err)
{
	const char *commit = arena_printf(w->arena, "HEAD~%zu",
					  w->ndone - nth - 1);
	const char *const names[] = { "diff", "--name-only",
		arena_printf(w->arena, "%s~", commit), commit, NULL };
	const char *const diff[] = { "diff", names[2], commit, NULL };
	struct strbuf text = STRBUF_INIT, files = STRBUF_INIT;
	const char **file = ARENA_ARRAY(w->arena, const char *, w->nfile);
	const char *id = NULL;
	size_t nfile = 0;
	char *line, *save;

	if (!git_run(&w->git, diff, NULL, &text, err) &&
	    !git_run(&w->git, names, NULL, &files, err))
		id = git_patch_id(&w->git, text.buf ? text.buf : "", err);
	strbuf_release(&text);
	if (!id) {
		strbuf_release(&files);
		return -1;
	}
	for (line = strtok_r(files.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		file[nfile++] = arena_strdup(w->arena, line);
	strbuf_release(&files);
	json_out_open(json, NULL, '{');
	json_out_string(json, "file", name);
	json_out_string(json, "subject",
			message_subject(&w->message, patch));
	json_out_string(json, "patch_id", id);
	json_out_open(json, "findings", '[');
	for (size_t i = 0; i < patch->nremedy; i++)
		json_out_string(json, NULL, patch->remedy[i]->finding->id);
	json_out_close(json);
	write_rules(json, patch);
	write_functions(w, json, patch);
	json_out_strings(json, "files", file, nfile);
	json_out_string(json, "kind", patch->kind);
	json_out_string(json, "predicate", patch->predicate);
	json_out_open(json, "renamed", '{');
	for (size_t i = 0; i < patch->nrename; i++)
		json_out_string(json, patch->rename[i].name,
				patch->rename[i].inner);
	json_out_close(json);
	json_out_close(json);
	return 0;
}

static int write_json(struct writing *w, const char *dir, struct err *err)
{
	struct series *s = w->series;
	const char **name;
	struct json_out json;
	struct out out;
	size_t n;
	int ret = 0;

	name = series_dir_list(dir, false, &n, w->arena, err);
	if (!name)
		return -1;
	if (n != w->ndone + 1)
		BUG("%zu files for %zu patches", n, w->ndone);
	if (out_open(&out, arena_printf(w->arena, "%s/series.json", dir),
		     err))
		return -1;
	json_out_begin(&json, out.stream);
	json_out_open(&json, NULL, '{');
	json_out_string(&json, "schema", "nocharge-series-1");
	json_out_open(&json, "tool", '{');
	json_out_string(&json, "version", s->tool_version);
	json_out_close(&json);
	json_out_open(&json, "tree", '{');
	json_out_string(&json, "version", s->tree->release);
	json_out_string(&json, "arch", s->tree->arch);
	json_out_string(&json, "commit", git_head(s->tree->root, w->arena));
	json_out_close(&json);
	json_out_strings(&json, "rules", &s->rules_path, 1);
	json_out_string(&json, "config", s->config_path);
	json_out_string(&json, "arch", s->tree->arch);
	json_out_open(&json, "patches", '[');
	for (size_t i = 0; i < w->ndone && !ret; i++)
		ret = write_patch(w, &json, w->done[i], name[i + 1], i, err);
	json_out_close(&json);
	json_out_open(&json, "left", '[');
	for (size_t i = 0; i < s->plan->nleft; i++) {
		const struct left_alone *left = &s->plan->left[i];

		json_out_open(&json, NULL, '{');
		json_out_string(&json, "finding", left->finding->id);
		json_out_string(&json, "function", left->finding->function);
		json_out_string(&json, "place",
				arena_printf(w->arena, "%s:%u", left->file,
					     left->line));
		json_out_string(&json, "why", left->why);
		json_out_close(&json);
	}
	json_out_close(&json);
	json_out_close(&json);
	json_out_end(&json);
	if (ret) {
		out_discard(&out);
		return -1;
	}
	return out_close(&out, err);
}

/* For the user to read and to run. */
static int write_send(struct writing *w, const char *dir, struct err *err)
{
	struct series *s = w->series;
	struct strbuf text = STRBUF_INIT;
	const char **name;
	size_t n;
	int ret;

	if (!s->trust_tree || !w->ndone)
		return 0;
	name = series_dir_list(dir, false, &n, w->arena, err);
	if (!name)
		return -1;
	/* series.json comes last */
	s->unsent = send_command(s->tree, dir, name, n - 1, w->git.dir, &text,
				 &ret, w->arena, err);
	if (!ret && !s->unsent)
		ret = series_dir_write(arena_printf(w->arena, "%s/send.cmd", dir),
				 text.buf, text.len, err);
	strbuf_release(&text);
	return ret;
}

static int write_all(struct writing *w, struct err *err)
{
	const char *dir = arena_printf(w->arena, "%s/.git/series",
				       w->git.dir);
	const char *const format[] = {
		"format-patch", "-q", "--zero-commit", "--no-renames",
		"--start-number=1", "-n", "--suffix=.patch",
		arena_printf(w->arena, "--signature=nocharge %s",
			     w->series->tool_version),
		"-o", dir, arena_printf(w->arena, "-%zu", w->ndone), NULL
	};

	if (mkdir(dir, 0777))
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(errno));
	if (w->ndone && git_run(&w->git, format, NULL, NULL, err))
		return -1;
	if (write_cover(w, dir, err) || write_json(w, dir, err) ||
	    write_send(w, dir, err))
		return -1;
	return series_dir_replace(dir, w->series->dir, w->arena, err);
}

/* Nothing is told of what was not asked for. */
static void keep_asked(struct series *s)
{
	struct plan *plan = s->plan;
	size_t n = 0;

	for (size_t i = 0; i < plan->nleft; i++)
		if (names_have(&s->asked, plan->left[i].finding->id))
			plan->left[n++] = plan->left[i];
	plan->nleft = n;
}

/* Does it start, and say its version? */
static int need_program(const char *name, struct err *err)
{
	const char *const argv[] = { name, "--version", NULL };
	const struct process process = {
		.argv = argv, .dir = "/", .seconds = START_SECONDS,
		.interrupted = interrupt_flag(),
	};
	struct strbuf text = STRBUF_INIT;
	int status = process_run(&process, &text, &text, err);

	if (status > 0)
		err_set(err, STATUS_USAGE, "'%s --version' ends with %d: %.*s",
			name, status, (int)strcspn(text.buf ? text.buf : "",
						   "\n"),
			text.buf ? text.buf : "");
	strbuf_release(&text);
	return status ? -1 : 0;
}

/* Unset, or seconds up to the year 9999. */
static bool is_date(const char *epoch)
{
	size_t len = epoch ? strlen(epoch) : 0;

	return strspn(epoch ? epoch : "", "0123456789") == len && len < 12;
}

int series_ready(const char *author, const char *dir, const char *tree,
		 struct arena *arena, struct err *err)
{
	char *real = realpath(tree, NULL);
	int ret = git_author_check(author, arena, err);

	/* what is wrong with the tree is told by who reads it */
	if (!ret && real)
		ret = series_dir_check(dir, real, arena, err);
	free(real);
	if (!ret && !is_date(getenv("SOURCE_DATE_EPOCH")))
		ret = err_set(err, STATUS_USAGE, "SOURCE_DATE_EPOCH is not a "
			      "number of seconds: '%s'",
			      getenv("SOURCE_DATE_EPOCH"));
	if (ret || need_program("git", err) || need_program("spatch", err))
		return -1;
	return 0;
}

int series_write(struct series *series, struct err *err)
{
	size_t nfile = 0;
	struct writing w = {
		.series = series, .arena = series->arena,
		.message = { series->rules, series->kernel, series->tree,
			     series->in, series->plan->by_key,
			     history_new(series->tree->root, series->arena),
			     series->arena },
	};
	int ret;

	for (size_t i = 0; i < series->plan->npatch; i++)
		nfile += series->plan->patch[i].nedit;
	w.file = ARENA_ARRAY(w.arena, const char *, nfile);
	w.commit = ARENA_ARRAY(w.arena, const char *,
			       series->plan->npatch);
	w.done = ARENA_ARRAY(w.arena, const struct patch *,
			     series->plan->npatch);
	keep_asked(series);
	if (series_dir_place(series->dir, series->tree->root, w.arena, err))
		return -1;
	if (git_init(&w.git, series->author, date_of(series), w.arena, err))
		return -1;
	ret = make_all(&w, err);
	if (!ret)
		ret = settle(&w, err);
	if (!ret)
		ret = write_all(&w, err);
	git_release(&w.git);
	history_release(w.message.history);
	series->nwritten = w.ndone;
	return ret;
}
