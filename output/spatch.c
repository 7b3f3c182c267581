// SPDX-License-Identifier: GPL-2.0-only
#include "spatch.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../analyzer/base/process.h"
#include "../analyzer/base/rules.h"
#include "../analyzer/interrupt.h"
#include "source.h"

#define SPATCH_SECONDS 120
#define ARGUMENTS_MAX 64
#define COMPLAINT 300

struct arguments {
	const char *word[ARGUMENTS_MAX];
	size_t n;
	struct arena *arena;
};

static void add(struct arguments *a, const char *word)
{
	if (a->n == ARGUMENTS_MAX - 1)
		BUG("too many arguments for spatch");
	a->word[a->n++] = word;
}

/* The words behind "// Options:" */
static int add_options(struct arguments *a, const char *path,
		       struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	char *line, *end, *word, *save;

	if (strbuf_read_file(&text, path, err))
		return -1;
	line = text.len ? strstr(text.buf, "// Options:") : NULL;
	if (line) {
		line = arena_strdup(a->arena, line + strlen("// Options:"));
		end = line + strcspn(line, "\n");
		*end = '\0';
		for (word = strtok_r(line, " \t", &save); word;
		     word = strtok_r(NULL, " \t", &save))
			add(a, word);
	}
	strbuf_release(&text);
	return 0;
}

/* What it complained of last in one line, not too long. */
static const char *complaint(const struct strbuf *errors, int status,
			     struct arena *arena)
{
	char *text = arena_strdup(arena, errors->buf ? errors->buf : "");
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	if (!len)
		return arena_printf(arena, "exit status %d", status);
	/* warnings come first */
	if (len > COMPLAINT)
		text += len - COMPLAINT;
	for (char *s = text; *s; s++)
		if (*s == '\n' || *s == '\t')
			*s = ' ';
	return text;
}

/*
 * A semantic patch whose metavariables cannot say all: <NAME> in capitals is
 * replaced by the edit's name. Its own path where there is nothing to fill in.
 */
static const char *fill_in(const struct edit *edit, const char *cocci,
			   const char *dir, struct arena *arena,
			   struct err *err)
{
	const char *path = arena_printf(arena, "%s/.git/filled.cocci", dir);
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	FILE *file = NULL;
	bool filled = false;

	if (strbuf_read_file(&text, cocci, err))
		return NULL;
	for (const char *s = text.buf; s && *s;) {
		size_t len = 0, i;

		for (i = 0; *s == '<' && i < edit->nname; i++) {
			const char *name = edit->name[i].name;

			len = strlen(name);
			if (!strncasecmp(s + 1, name, len) &&
			    isupper((unsigned char)s[1]) && s[len + 1] == '>')
				break;
		}
		if (*s == '<' && i < edit->nname) {
			strbuf_addf(&out, "<%s>", edit->name[i].value);
			s += len + 2;
			filled = true;
		} else {
			strbuf_addch(&out, *s++);
		}
	}
	if (filled) {
		file = fopen(path, "w");
		if (!file || fwrite(out.buf, 1, out.len, file) != out.len)
			err_set(err, STATUS_USAGE, "cannot write '%s'", path);
		if (file)
			fclose(file);
		cocci = err->text ? NULL : path;
	}
	strbuf_release(&text);
	strbuf_release(&out);
	return cocci;
}

/* What a function is called that the edit is not about. */
#define MASK "nocharge_out_of_sight"

static const char *value_of(const struct edit *edit, const char *name)
{
	for (size_t i = 0; i < edit->nname; i++)
		if (!strcmp(edit->name[i].name, name))
			return edit->name[i].value;
	return NULL;
}

static int put(const char *path, const char *text, struct err *err)
{
	FILE *file = fopen(path, "w");
	bool bad = !file || fputs(text, file) == EOF;

	if ((file && fclose(file)) || bad)
		return err_set(err, STATUS_USAGE, "cannot write '%s'", path);
	return 0;
}

/* Hide definitions of the same name, such as the stub; 1 if there are any. */
static int hide(const struct edit *edit, const char *path,
		const struct strbuf *text, struct arena *arena,
		struct err *err)
{
	const char *fn = value_of(edit, "fn");
	char *masked;

	/* a name that stands in text for another reason is left */
	if (!fn || !text->len || strlen(text->buf) != text->len ||
	    strstr(text->buf, MASK))
		return 0;
	masked = source_mask(text->buf, fn, edit->nth, MASK, arena);
	if (!strcmp(masked, text->buf))
		return 0;
	return put(path, masked, err) ? -1 : 1;
}

static int show(const struct edit *edit, const char *path,
		struct strbuf *text, struct arena *arena, struct err *err)
{
	static const char *const mask[] = { MASK };
	const char *const name[] = { value_of(edit, "fn") };
	char *plain;

	if (strbuf_read_file(text, path, err))
		return -1;
	plain = source_rename(text->buf ? text->buf : "", mask, name, 1,
			      arena);
	if (put(path, plain, err))
		return -1;
	strbuf_release(text);
	*text = (struct strbuf)STRBUF_INIT;
	return 0;
}

/*
 * spatch puts no spaces into the head of a "for" that it writes: put them
 * there, where @before has no such line. True if @text changes.
 */
static bool space_loops(const char *before, const char *text,
			struct strbuf *out, struct arena *arena)
{
	static const char head[] = "\tfor(";
	const char *s = text, *found, *end;
	bool changed = false;

	while ((found = strstr(s, head)) != NULL) {
		end = found + strcspn(found, "\n");
		strbuf_add(out, s, (size_t)(found - s));
		if (strstr(before, arena_strndup(arena, found,
						 (size_t)(end - found)))) {
			strbuf_add(out, found, (size_t)(end - found));
		} else {
			strbuf_addstr(out, "\tfor (");
			for (s = found + strlen(head); s < end; s++) {
				strbuf_addch(out, *s);
				if (*s == ';' && s[1] != ' ' && s[1] != ')')
					strbuf_addch(out, ' ');
			}
			changed = true;
		}
		s = end;
	}
	strbuf_addstr(out, s);
	return changed;
}

int spatch_run(const struct edit *edit, const char *dir, const char **failed,
	       struct arena *arena, struct err *err)
{
	const char *name = arena_printf(arena, "semantic-patches/%s.cocci",
					edit->cocci);
	const char *cocci = data_path(arena, name);
	const char *path = arena_printf(arena, "%s/%s", dir, edit->file);
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct strbuf errors = STRBUF_INIT, spaced = STRBUF_INIT;
	struct arguments a = { .arena = arena };
	const char *const env[] = {
		/* what it leaves when it is killed goes with @dir */
		arena_printf(arena, "TMPDIR=%s/.git", dir), NULL,
	};
	struct process process = {
		.argv = a.word, .dir = dir, .env = env,
		.seconds = SPATCH_SECONDS,
		.interrupted = interrupt_flag(),
	};
	struct err late = { 0 };
	int status, hidden, ret = -1;

	*failed = NULL;
	if (!cocci)
		return err_set(err, STATUS_USAGE, "the semantic patches that "
			       "come with nocharge are missing (%s)", name);
	add(&a, "spatch");
	add(&a, "--very-quiet");
	if (add_options(&a, cocci, err))
		return -1;
	cocci = fill_in(edit, cocci, dir, arena, err);
	if (!cocci)
		return -1;
	add(&a, "-D");
	add(&a, "named");
	if (edit->form) {
		add(&a, "-D");
		add(&a, edit->form);
	}
	for (size_t i = 0; i < edit->nname; i++) {
		add(&a, "-D");
		add(&a, arena_printf(arena, "%s=%s", edit->name[i].name,
				     edit->name[i].value));
	}
	add(&a, "--in-place");
	add(&a, "--sp-file");
	add(&a, cocci);
	add(&a, edit->file);
	if (strbuf_read_file(&before, path, err))
		return -1;
	hidden = hide(edit, path, &before, arena, err);
	if (hidden < 0)
		goto done;
	status = process_run(&process, NULL, &errors, &late);
	if (status && interrupt_signal())
		err_set(err, late.status, "%s", late.text ? late.text :
			"interrupted");
	else if (status)
		*failed = arena_printf(arena, "spatch failed on %s with "
			"%s.cocci: %s", edit->file, edit->cocci, late.text ?
			late.text : complaint(&errors, status, arena));
	if (!status && hidden && show(edit, path, &after, arena, err))
		goto done;
	if (!status && !strbuf_read_file(&after, path, err))
		ret = before.len != after.len ||
		      (before.len && memcmp(before.buf, after.buf,
					    before.len));
	/* a text with a zero in it is left as it is */
	if (ret > 0 && before.len && after.len &&
	    strlen(after.buf) == after.len &&
	    space_loops(before.buf, after.buf, &spaced, arena) &&
	    put(path, spaced.buf, err))
		ret = -1;
done:
	err_clear(&late);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&errors);
	strbuf_release(&spaced);
	return ret;
}
