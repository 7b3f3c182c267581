// SPDX-License-Identifier: GPL-2.0-only
/* C and compilers' messages as text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "prove.h"

#define IF_DEPTH 64

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * A copy of @text, malloc'd, with comments as blanks, and with @strings what
 * is in quotes too; as long as before, line breaks kept.
 */
static char *mask(const char *text, size_t len, bool strings)
{
	char *out = xmalloc(len + 1);
	size_t i = 0;

	memcpy(out, text, len);
	out[len] = '\0';
	while (i < len) {
		size_t from = i, keep = 0;

		if (text[i] == '/' && i + 1 < len && text[i + 1] == '*') {
			i += 2;
			while (i < len && !(text[i] == '/' && i > from + 2 &&
					    text[i - 1] == '*'))
				i++;
			i += i < len;
		} else if (text[i] == '/' && i + 1 < len &&
			   text[i + 1] == '/') {
			while (i < len && text[i] != '\n')
				i++;
		} else if (text[i] == '"' || text[i] == '\'') {
			for (i++; i < len && text[i] != text[from] &&
			     text[i] != '\n'; i++)
				i += text[i] == '\\' && i + 1 < len;
			i += i < len;
			keep = !strings;
		} else {
			i++;
			keep = 1;
		}
		for (; !keep && from < i; from++)
			if (out[from] != '\n')
				out[from] = ' ';
	}
	return out;
}

enum truth { NO, YES, UNKNOWN };

struct level {
	enum truth live; /* of the branch that we are in */
	bool known;      /* every condition of the chain so far */
	bool taken;      /* a branch was surely taken */
};

struct reduce {
	const struct config *config;
	struct level level[IF_DEPTH];
	size_t depth;
};

/* A word at *@at, blanks before it skipped; its length. */
static size_t next_word(const char **at)
{
	size_t n = 0;

	while (**at == ' ' || **at == '\t')
		++*at;
	while (is_word_char((*at)[n]))
		n++;
	return n;
}

/* Is CONFIG_@name defined, or (@as 'm') CONFIG_@name_MODULE? */
static enum truth option_is(const struct reduce *reduce, const char *word,
			    size_t len, bool builtin, bool module)
{
	char name[128];
	const char *value;

	if (len < 8 || strncmp(word, "CONFIG_", 7) ||
	    len - 7 >= sizeof(name))
		return UNKNOWN;
	memcpy(name, word + 7, len - 7);
	name[len - 7] = '\0';
	value = config_get(reduce->config, name);
	/* CONFIG_X_MODULE asks for another option's m */
	if (!value && len > 14 && !strcmp(name + len - 14, "_MODULE"))
		return UNKNOWN;
	if (!value || !strcmp(value, "n"))
		return NO;
	return (!strcmp(value, "m") ? module : builtin) ? YES : NO;
}

/* !, defined X, defined(X), IS_ENABLED(X) and its like. */
static enum truth atom(const struct reduce *reduce, const char **at)
{
	bool not = false, builtin = true, module = false, paren;
	enum truth truth;
	size_t len;

	while ((len = next_word(at), !len && **at == '!')) {
		not = !not;
		++*at;
	}
	if (len == 10 && !strncmp(*at, "IS_ENABLED", len))
		module = true;
	else if (len == 9 && !strncmp(*at, "IS_MODULE", len))
		module = !(builtin = false);
	else if (!(len == 10 && !strncmp(*at, "IS_BUILTIN", len)) &&
		 !(len == 7 && !strncmp(*at, "defined", len)))
		return UNKNOWN;
	*at += len;
	next_word(at);
	paren = **at == '(';
	*at += paren;
	len = next_word(at);
	truth = option_is(reduce, *at, len, builtin, module);
	*at += len;
	next_word(at);
	if (paren && **at != ')')
		return UNKNOWN;
	*at += paren;
	return truth == UNKNOWN || !not ? truth : truth == YES ? NO : YES;
}

/* A condition without nested parentheses; all else is unknown. */
static enum truth condition(const struct reduce *reduce, const char *at)
{
	enum truth any = NO, all = YES;

	while (true) {
		enum truth one = atom(reduce, &at);

		if (one == UNKNOWN)
			return UNKNOWN;
		if (one == NO)
			all = NO;
		if (!next_word(&at) && !strncmp(at, "&&", 2)) {
			at += 2;
			continue;
		}
		if (all == YES)
			any = YES;
		if (!strncmp(at, "||", 2)) {
			at += 2;
			all = YES;
			continue;
		}
		return *at ? UNKNOWN : any;
	}
}

/* The condition of an #if, #ifdef, #ifndef or #elif. */
static enum truth ask(const struct reduce *reduce, const char *word,
		      size_t len, const char *rest)
{
	enum truth truth;
	size_t n;

	if (len != 5 + (word[2] == 'n') || strncmp(word, "if", 2))
		return condition(reduce, rest);
	n = next_word(&rest);
	truth = option_is(reduce, rest, n, true, false);
	return truth == UNKNOWN || word[2] != 'n' ? truth :
	       truth == YES ? NO : YES;
}

/* True if the line belongs to what is left; false: gone. */
static bool directive(struct reduce *reduce, const char *line)
{
	struct level *level = &reduce->level[reduce->depth];
	size_t len = next_word(&line);
	enum truth truth;

	if (len >= 2 && !strncmp(line, "if", 2)) {
		truth = level->live == NO ? NO : ask(reduce, line, len,
						     line + len);
		level[1] = (struct level){
			truth == YES ? level->live : truth,
			truth != UNKNOWN, truth == YES,
		};
		reduce->depth++;
		return level->live != NO && truth == UNKNOWN;
	}
	if (!reduce->depth)
		return true;
	if (!strncmp(line, "endif", 5)) {
		reduce->depth--;
		return level[-1].live != NO && !level->known;
	}
	if (strncmp(line, "el", 2))
		return level->live != NO;
	truth = level[-1].live == NO || level->taken ? NO :
		!level->known ? UNKNOWN :
		line[2] == 's' ? YES : condition(reduce, line + len);
	level->known &= truth != UNKNOWN;
	level->taken |= truth == YES;
	level->live = truth == YES ? level[-1].live : truth;
	return level[-1].live != NO && !level->known;
}

void prove_reduce(const char *text, size_t len, const struct config *config,
		  struct strbuf *out)
{
	struct reduce reduce = { .config = config };
	char *copy = mask(text, len, false), *line = copy, *next;

	/* who redefines options is not understood */
	if (strstr(copy, "#undef CONFIG_") || strstr(copy, "#define CONFIG_")) {
		strbuf_add(out, text, len);
		free(copy);
		return;
	}
	reduce.level[0] = (struct level){ YES, true, true };
	for (; line; line = next) {
		bool keep;
		char *end;

		next = strchr(line, '\n');
		while (next && next > line && next[-1] == '\\') {
			next[-1] = next[0] = ' ';
			next = strchr(next, '\n');
		}
		if (next)
			*next++ = '\0';
		while (isspace((unsigned char)*line))
			line++;
		for (end = line + strlen(line); end > line &&
		     isspace((unsigned char)end[-1]);)
			*--end = '\0';
		if (reduce.depth == IF_DEPTH - 1)
			keep = true;
		else if (*line == '#')
			keep = directive(&reduce, line + 1);
		else
			keep = reduce.level[reduce.depth].live != NO;
		if (!keep || !*line)
			continue;
		strbuf_addstr(out, line);
		strbuf_addch(out, '\n');
	}
	free(copy);
}

/* The bracket that closes the one at @at, or NULL. */
static const char *closing(const char *at)
{
	const char open = *at, close = open == '(' ? ')' : '}';
	size_t depth = 0;

	for (; *at; at++) {
		if (*at == open)
			depth++;
		else if (*at == close && !--depth)
			return at;
	}
	return NULL;
}

static const char *find_word(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *at = text;

	if (!len)
		return NULL;
	for (; (at = strstr(at, name)); at += len)
		if ((at == text || !is_word_char(at[-1])) &&
		    !is_word_char(at[len]))
			return at;
	return NULL;
}

/*
 * The body of the next definition of @name in @text: a macro's, to the end of
 * its line, or a function's with its braces.
 */
static bool find_definition(const char *text, const char *name,
			    const char **body, const char **end)
{
	const char *at = text;

	for (; (at = find_word(at, name)); at++) {
		const char *line = at, *open = at + strlen(name), *close;

		while (line > text && line[-1] != '\n')
			line--;
		open += strspn(open, " \t\n");
		close = *open == '(' ? closing(open) : NULL;
		if (!close)
			continue;
		close++;
		line += strspn(line, " \t");
		if (*line == '#') {
			if (!strstr(line, "define") ||
			    strstr(line, "define") > at)
				continue;
			*body = close;
			*end = close + strcspn(close, "\n");
			while (**end && (*end)[-1] == '\\')
				*end += 1 + strcspn(*end + 1, "\n");
			return true;
		}
		close += strspn(close, " \t\n");
		if (*close != '{')
			continue;
		*body = close;
		*end = closing(close);
		if (*end) {
			++*end;
			return true;
		}
	}
	return false;
}

static bool force_one(struct strbuf *text, const char *name)
{
	char *masked = mask(text->buf, text->len, true);
	const char *at = masked, *body, *end;
	struct strbuf out = STRBUF_INIT;
	bool any = false;

	while (find_definition(at, name, &body, &end)) {
		strbuf_add(&out, text->buf + (at - masked),
			   (size_t)(body - at));
		if (*body == '{')
			strbuf_addf(&out, "{ return 0; }\n#define %s(...) 0\n",
				    name);
		else
			strbuf_addstr(&out, " 0");
		at = end;
		any = true;
	}
	if (any) {
		strbuf_addstr(&out, text->buf + (at - masked));
		strbuf_release(text);
		*text = out;
	}
	free(masked);
	return any;
}

/*
 * Every test of the key that the predicate reads, TEST(&KEY), says "on" too:
 * what cannot see the predicate tests the key itself.
 */
static bool force_key(struct strbuf *text, const struct known_value *guard)
{
	char *masked = mask(text->buf, text->len, true);
	const char *at = masked, *hit;
	struct strbuf out = STRBUF_INIT;
	bool any = false;

	for (hit = masked; (hit = find_word(hit, guard->name)); hit++) {
		const char *end = hit + strlen(guard->name), *from = hit;

		if (from - masked < 3 || from[-1] != '&' || from[-2] != '(' ||
		    *end != ')')
			continue;
		from -= 2;
		while (from > masked && is_word_char(from[-1]))
			from--;
		if (*from == '(' || from < at)
			continue;
		strbuf_add(&out, text->buf + (at - masked),
			   (size_t)(from - at));
		strbuf_addstr(&out, guard->value ? "0" : "1");
		at = end + 1;
		any = true;
	}
	if (any) {
		strbuf_addstr(&out, text->buf + (at - masked));
		strbuf_release(text);
		*text = out;
	}
	free(masked);
	return any;
}

bool prove_force_on(const char *text, size_t len, const struct rules *rules,
		    struct strbuf *out)
{
	bool any = false;

	strbuf_add(out, text, len);
	/* nothing is done with what hides a part of itself behind a NUL */
	if (!out->len || memchr(out->buf, '\0', out->len)) {
		strbuf_release(out);
		return false;
	}
	for (size_t i = 0; i < rules->predicate.n; i++)
		any |= prove_mentions(text, len, rules->predicate.name[i]) &&
			force_one(out, rules->predicate.name[i]);
	for (size_t i = 0; i < rules->nguard; i++)
		any |= prove_mentions(text, len, rules->guard[i].name) &&
			force_key(out, &rules->guard[i]);
	if (!any)
		strbuf_release(out);
	return any;
}

size_t prove_mentions(const char *text, size_t len, const char *name)
{
	const char *at = text, *end = text + len;
	size_t n = 0, size = strlen(name);

	while (size && (at = memmem(at, (size_t)(end - at), name, size))) {
		n += (at == text || !is_word_char(at[-1])) &&
			(at + size == end || !is_word_char(at[size]));
		at += size;
	}
	return n;
}

static const char *public_name(const struct prove *prove, size_t state,
			       const char *word, size_t len)
{
	for (size_t i = state; i-- > 0;) {
		const struct prove_patch *patch = &prove->patch[i];

		for (size_t k = 0; patch->applied && k < patch->nrename; k++)
			if (!strncmp(patch->rename[k].inner, word, len) &&
			    !patch->rename[k].inner[len])
				return patch->rename[k].old;
	}
	return NULL;
}

void prove_rename_back(const struct prove *prove, size_t state,
		       const char *text, size_t len, struct strbuf *out)
{
	size_t i = 0;

	while (i < len) {
		size_t from = i;
		const char *name;

		while (i < len && is_word_char(text[i]))
			i++;
		name = i > from ? public_name(prove, state, text + from,
					      i - from) : NULL;
		if (name)
			strbuf_addstr(out, name);
		else
			strbuf_add(out, text + from, i - from);
		while (i < len && !is_word_char(text[i]))
			strbuf_addch(out, text[i++]);
	}
}

/* A message without line and column in @key, malloc'd; NULL if it is none. */
static char *message_key(const char *line, size_t len)
{
	static const char *const kinds[] = {
		": warning: ", ": error: ", ": fatal error: ",
	};
	const char *kind = NULL, *at;
	char *key;

	for (size_t i = 0; i < 3 && !kind; i++)
		kind = memmem(line, len, kinds[i], strlen(kinds[i]));
	if (!kind)
		return NULL;
	at = memchr(line, ':', (size_t)(kind - line));
	if (!at)
		at = kind;
	key = xmalloc(len + 1);
	memcpy(key, line, (size_t)(at - line));
	memcpy(key + (at - line), kind, len - (size_t)(kind - line));
	key[(size_t)(at - line) + len - (size_t)(kind - line)] = '\0';
	return key;
}

struct messages {
	char **key;
	size_t n, cap;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct messages messages_of(const struct strbuf *text)
{
	struct messages all = { 0 };
	const char *at = text->len ? text->buf : "", *end = at + text->len;

	while (at < end) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		char *key = message_key(at, (size_t)((next ? next : end) -
						     at));

		if (key && all.n == all.cap) {
			all.cap = all.cap ? all.cap * 2 : 64;
			all.key = xrealloc(all.key,
					   all.cap * sizeof(*all.key));
		}
		if (key)
			all.key[all.n++] = key;
		at = next ? next + 1 : end;
	}
	if (all.n)
		qsort(all.key, all.n, sizeof(*all.key), by_text);
	return all;
}

static void messages_free(struct messages *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->key[i]);
	free(all->key);
}

size_t prove_unknown_errors(const struct strbuf *known,
			    const struct strbuf *text, struct strbuf *out)
{
	struct messages old = messages_of(known), new = messages_of(text);
	size_t n = 0, k = 0;

	for (size_t i = 0; i < new.n; i++) {
		while (k < old.n && strcmp(old.key[k], new.key[i]) < 0)
			k++;
		if (!strstr(new.key[i], ": error: ") ||
		    (k < old.n && !strcmp(old.key[k], new.key[i])))
			continue;
		strbuf_addf(out, "new: %s\n", new.key[i]);
		n++;
	}
	messages_free(&old);
	messages_free(&new);
	return n;
}

size_t prove_new_messages(const struct strbuf *before,
			  const struct strbuf *after, struct strbuf *out)
{
	struct messages old = messages_of(before), new = messages_of(after);
	size_t n = 0, k = 0;

	for (size_t i = 0; i < new.n; i++) {
		while (k < old.n && strcmp(old.key[k], new.key[i]) < 0)
			k++;
		if (k < old.n && !strcmp(old.key[k], new.key[i])) {
			k++;
			continue;
		}
		strbuf_addf(out, "new: %s\n", new.key[i]);
		n++;
	}
	messages_free(&old);
	messages_free(&new);
	return n;
}

const char *prove_first_error(struct prove *prove, const struct strbuf *text)
{
	const char *at = text->len ? strstr(text->buf, "error: ") : NULL;
	const char *line = at;

	if (!at)
		return NULL;
	while (line > text->buf && line[-1] != '\n')
		line--;
	return prove_printf(prove, "%.*s", (int)strcspn(line, "\n"), line);
}
