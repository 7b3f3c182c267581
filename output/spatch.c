// SPDX-License-Identifier: GPL-2.0-only
#include "spatch.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../analyzer/base/process.h"
#include "../analyzer/base/rules.h"
#include "../analyzer/interrupt.h"
#include "fold.h"
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
 * A semantic patch whose metavariables cannot say all: NAME in "<NAME>" and
 * all of "<=NAME>" is replaced by the edit's name of that name. Its own path
 * where there is nothing to fill in.
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
		const bool bare = !strncmp(s, "<=", 2);
		const char *word = s + 1 + bare;
		size_t len = 0, i;

		for (i = 0; *s == '<' && i < edit->nname; i++) {
			const char *name = edit->name[i].name;

			len = strlen(name);
			if (!strncasecmp(word, name, len) &&
			    isupper((unsigned char)*word) && word[len] == '>')
				break;
		}
		if (*s == '<' && i < edit->nname) {
			strbuf_addf(&out, bare ? "%s" : "<%s>",
				    edit->name[i].value);
			s = word + len + 1;
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

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

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

/* What the edit asks for by name: where that stands, spatch has to look. */
static size_t words_of(const struct edit *edit, const char **word)
{
	const bool key = !strcmp(edit->cocci, "static-key");
	size_t n = 0;

	for (size_t i = 0; i < edit->nname; i++) {
		const char *value = edit->name[i].value;

		/* that is looked for in one function only, but for keys */
		if (!key && !strcmp(edit->name[i].name, "predicate"))
			continue;
		if (*value && strspn(value, WORD) == strlen(value))
			word[n++] = value;
	}
	return n;
}

struct hidden {
	bool any, masked;
	struct fold fold;
};

/*
 * Hide definitions of the same name, such as the stub, and with @fold what
 * the edit is not about.
 */
static int hide(const struct edit *edit, const char *path,
		const struct strbuf *text, bool fold, struct hidden *hidden,
		struct arena *arena, struct err *err)
{
	const char *fn = value_of(edit, "fn");
	const char *word[sizeof(edit->name) / sizeof(*edit->name)];
	const char *seen = text->buf, *masked;

	*hidden = (struct hidden){ .any = false };
	if (!text->len || strlen(text->buf) != text->len)
		return 0;
	if (fold)
		seen = fold_make(seen, word, words_of(edit, word),
				 &hidden->fold, arena);
	/* a name that stands in text for another reason is left */
	if (fn && !strstr(seen, MASK)) {
		masked = source_mask(seen, fn, edit->nth, MASK, arena);
		hidden->masked = strcmp(masked, seen);
		seen = masked;
	}
	hidden->any = hidden->masked || hidden->fold.n;
	return hidden->any ? put(path, seen, err) : 0;
}

/* 1 if spatch did not leave alone what was hidden. */
static int show(const struct edit *edit, const char *path,
		const struct hidden *hidden, struct arena *arena,
		struct err *err)
{
	static const char *const mask[] = { MASK };
	const char *const name[] = { value_of(edit, "fn") };
	struct strbuf text = STRBUF_INIT;
	const char *plain;
	int ret;

	if (strbuf_read_file(&text, path, err))
		return -1;
	plain = text.len ? text.buf : "";
	if (hidden->masked)
		plain = source_rename(plain, mask, name, 1, arena);
	if (hidden->fold.n)
		plain = fold_undo(plain, &hidden->fold, arena);
	ret = plain ? put(path, plain, err) : 1;
	strbuf_release(&text);
	return ret;
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

#define COLUMNS_MAX 80

/*
 * Where a line of @len bytes is best broken: behind the last "||" or "&&" that
 * is near enough and in parentheses; what follows stands at column *@to then.
 */
static size_t break_at(const char *line, size_t len, size_t *to)
{
	size_t open[16], depth = 0, column = 0, best = 0;

	for (size_t i = 0; i < len; i++) {
		column += line[i] == '\t' ? 8 - column % 8 : 1;
		if (line[i] == '(' && depth < 16)
			open[depth++] = column;
		else if (line[i] == ')' && depth)
			depth--;
		if (i > 2 && line[i] == ' ' && column <= COLUMNS_MAX + 1 &&
		    depth && (!strncmp(line + i - 3, " ||", 3) ||
			      !strncmp(line + i - 3, " &&", 3))) {
			best = i;
			*to = open[depth - 1];
		}
	}
	return column > COLUMNS_MAX ? best : 0;
}

/* Lines that @before has not are as long as spatch made them: break them. */
static bool break_lines(const char *before, const char *text,
			struct strbuf *out, struct arena *arena)
{
	bool changed = false;

	while (*text) {
		size_t len = strcspn(text, "\n"), to = 0;
		size_t at = break_at(text, len, &to);

		if (at && !strstr(before, arena_strndup(arena, text, len))) {
			strbuf_add(out, text, at);
			strbuf_addch(out, '\n');
			for (size_t i = 0; i < to / 8; i++)
				strbuf_addch(out, '\t');
			strbuf_addf(out, "%*s", (int)(to % 8), "");
			strbuf_add(out, text + at + 1, len - at - 1);
			changed = true;
		} else {
			strbuf_add(out, text, len);
		}
		text += len;
		if (*text)
			strbuf_addch(out, *text++);
	}
	return changed;
}

/* One empty line more where there was one, and none stands there now. */
static void add_gap(struct strbuf *out, bool wanted)
{
	if (wanted && out->len > 1 && out->buf[out->len - 1] == '\n' &&
	    out->buf[out->len - 2] != '\n')
		strbuf_addch(out, '\n');
}

static uint32_t distance(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* The lines that are held, nearest to where they stood; or NULL. */
static const char *held_at(const struct edit *edit, const struct strbuf *text)
{
	const char *s, *best = NULL;
	size_t len = strlen(edit->held);
	uint32_t line = 1, nearest = 0;

	if (!text->len || strlen(text->buf) != text->len ||
	    strstr(text->buf, PLAN_HELD))
		return NULL;
	for (s = text->buf; *s; line++) {
		if (!strncmp(s, edit->held, len) && s[len] == '\n' &&
		    (!best || distance(line, edit->held_line) < nearest)) {
			best = s;
			nearest = distance(line, edit->held_line);
		}
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	return best;
}

/* Put the call for the lines that are held; 0 if they are not there. */
static int hold(const struct edit *edit, const char *path,
		const struct strbuf *text, struct err *err)
{
	const char *at = held_at(edit, text);
	struct strbuf out = STRBUF_INIT;
	int ret;

	if (!at)
		return 0;
	strbuf_add(&out, text->buf, (size_t)(at - text->buf));
	strbuf_addf(&out, "%.*s%s();", (int)strspn(at, " \t"), at, PLAN_HELD);
	strbuf_addstr(&out, at + strlen(edit->held));
	ret = put(path, out.buf, err) ? -1 : 1;
	strbuf_release(&out);
	return ret;
}

/* The lines of @text, of which the first tells how far to the right it is. */
static void add_indented(struct strbuf *out, const char *text,
			 const char *indent, size_t len)
{
	const size_t old = strspn(text, "\t");

	while (*text) {
		size_t line = strcspn(text, "\n"), tabs = strspn(text, "\t");

		tabs = tabs < old ? tabs : old;
		if (line)
			strbuf_add(out, indent, len);
		strbuf_addf(out, "%.*s\n", (int)(line - tabs), text + tabs);
		text += line;
		text += *text == '\n';
	}
}

/*
 * The other way round. Lines that stood apart from others stand apart again.
 * @before is the text as it was: returns 1 if it is another one now, or 0.
 */
static int release(const struct edit *edit, const char *path,
		   const struct strbuf *before, struct err *err)
{
	const char *was = held_at(edit, before), *at, *line, *rest;
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	bool apart;
	int ret = -1;

	if (strbuf_read_file(&text, path, err))
		return -1;
	at = text.len ? strstr(text.buf, PLAN_HELD "();") : NULL;
	if (!at || strstr(at + 1, PLAN_HELD)) {
		/* not as it was meant: leave everything as it was */
		ret = put(path, before->buf, err);
		goto done;
	}
	for (line = at; line > text.buf && line[-1] != '\n'; line--)
		;
	rest = at + strlen(PLAN_HELD "();");
	rest += *rest == '\n';
	apart = (was > before->buf + 1 && was[-2] == '\n') ||
		!strncmp(was + strlen(edit->held), "\n\n", 2);
	strbuf_add(&out, text.buf, (size_t)(line - text.buf));
	add_gap(&out, apart);
	if (edit->back)
		add_indented(&out, edit->back, line, (size_t)(at - line));
	else
		strbuf_addf(&out, "%s\n", edit->held);
	if (*rest != '\n')
		add_gap(&out, apart && rest[strspn(rest, " \t")] != '}');
	strbuf_addstr(&out, rest);
	ret = put(path, out.buf, err) ? -1 : strcmp(out.buf, before->buf) != 0;
done:
	strbuf_release(&text);
	strbuf_release(&out);
	return ret;
}

static int run(const struct edit *edit, const char *dir, const char **failed,
	       struct arena *arena, struct err *err)
{
	const char *name = arena_printf(arena, "semantic-patches/%s.cocci",
					edit->cocci);
	const char *cocci = data_path(arena, name);
	const char *path = arena_printf(arena, "%s/%s", dir, edit->file);
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct strbuf errors = STRBUF_INIT, spaced = STRBUF_INIT;
	struct strbuf broken = STRBUF_INIT;
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
	struct hidden hidden;
	bool fold = true;
	int status, shown = 0, ret = -1;

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
again:
	if (hide(edit, path, &before, fold, &hidden, arena, err))
		goto done;
	status = process_run(&process, NULL, &errors, &late);
	if (status && interrupt_signal())
		err_set(err, late.status, "%s", late.text ? late.text :
			"interrupted");
	else if (status)
		*failed = arena_printf(arena, "spatch failed on %s with "
			"%s.cocci: %s", edit->file, edit->cocci, late.text ?
			late.text : complaint(&errors, status, arena));
	if (!status && hidden.any)
		shown = show(edit, path, &hidden, arena, err);
	if (shown > 0) {
		/* it shall see all of it */
		fold = false;
		shown = 0;
		if (put(path, before.buf, err))
			goto done;
		goto again;
	}
	if (shown)
		goto done;
	if (!status && !strbuf_read_file(&after, path, err))
		ret = before.len != after.len ||
		      (before.len && memcmp(before.buf, after.buf,
					    before.len));
	/* a text with a zero in it is left as it is */
	if (ret > 0 && before.len && after.len &&
	    strlen(after.buf) == after.len) {
		bool tidy = space_loops(before.buf, after.buf, &spaced, arena);

		tidy |= break_lines(before.buf, spaced.buf, &broken, arena);
		if (tidy && put(path, broken.buf, err))
			ret = -1;
	}
done:
	err_clear(&late);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&errors);
	strbuf_release(&spaced);
	strbuf_release(&broken);
	return ret;
}

int spatch_run(const struct edit *edit, const char *dir, const char **failed,
	       struct arena *arena, struct err *err)
{
	const char *path = arena_printf(arena, "%s/%s", dir, edit->file);
	struct strbuf before = STRBUF_INIT;
	int ret;

	if (!edit->held)
		return run(edit, dir, failed, arena, err);
	*failed = NULL;
	if (strbuf_read_file(&before, path, err))
		return -1;
	/* an edit before this one may have changed those lines: 0 */
	ret = hold(edit, path, &before, err);
	if (ret > 0)
		ret = run(edit, dir, failed, arena, err);
	if (ret >= 0 && held_at(edit, &before))
		ret = release(edit, path, &before, err);
	strbuf_release(&before);
	return ret;
}
